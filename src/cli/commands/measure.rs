//! One run of one process: its time, its memory, its end, its output.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::output::exit::Exit;
use hardbop_base::budget::Budget;
use hardbop_base::process::{Folder, Group, Nap};

/// Time between two looks at the memory of a process.
const LOOK: Duration = Duration::from_millis(50);
/// Longest output that is read; a program that writes more is ended.
const OUTPUT: u64 = 64 << 20;

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// The process ended by itself; without a code, by a signal.
    Exit(Option<i32>),
    /// The process was ended at a limit.
    Time,
    Memory,
    /// The process got no input, for the program has no form that it reads.
    NoInput(String),
    /// The process could not be run, or had to be ended for another reason.
    Failed(String),
}

/// The measurements of a process.
#[derive(Debug)]
pub(crate) struct Measured {
    pub end: End,
    pub seconds: f64,
    /// Seconds of the processor, where all that were started have ended by themselves.
    pub cpu_seconds: Option<f64>,
    /// The largest resident set that was seen, if one has looked.
    pub memory_bytes: Option<u64>,
    pub output: String,
    pub errors: String,
}

/// The limits of a run, seen from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub time: Duration,
    pub memory: Option<u64>,
    /// Is the memory to be watched?
    pub is_watched: bool,
}

/// Commands that are run one after the other as long as nothing fails, and whether each gets the
/// file on its standard input; the folder is for this run.
pub(crate) type Commands<'a> = dyn Fn(&Path) -> Vec<(Command, bool)> + 'a;

/// Runs commands on a file; nothing where the budget ends before.
pub(crate) fn measure(
    commands: &Commands<'_>,
    file: &Path,
    bounds: Bounds,
    budget: &Budget,
) -> Option<Measured> {
    budget.check().ok()?;
    let start = Instant::now();
    let failed = |e: io::Error| Measured {
        end: End::Failed(format!("it does not run: {e}")),
        seconds: 0.0,
        cpu_seconds: None,
        memory_bytes: None,
        output: String::new(),
        errors: String::new(),
    };
    match observed(commands, file, bounds, start, budget) {
        Ok(measured) => measured,
        Err(e) => Some(failed(e)),
    }
}

fn observed(
    commands: &Commands<'_>,
    file: &Path,
    bounds: Bounds,
    start: Instant,
    budget: &Budget,
) -> io::Result<Option<Measured>> {
    // Outputs are files, so nothing can block, whatever the program and its children do with them.
    let folder = Folder::new()?;
    let (output, errors) = (folder.path().join("output"), folder.path().join("errors"));
    let text = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut watch = Watch { bounds, start, memory: None, cpu_seconds: None, budget };
    let mut end = End::Exit(Some(0));
    let commands = commands(folder.path());
    let last = commands.len().saturating_sub(1);
    for (i, (mut command, by_stream)) in commands.into_iter().enumerate() {
        command.stdin(if by_stream { File::open(file)?.into() } else { Stdio::null() });
        command.stdout(File::create(&output)?).stderr(File::create(&errors)?);
        let Some(found) = watch.run(&mut command, [&output, &errors])? else { return Ok(None) };
        end = match found {
            End::Exit(Some(0)) => found,
            End::Exit(code) if i < last => {
                let told = text(&errors)?;
                let line = told.lines().find_map(|l| l.strip_prefix("error: "));
                let line = line.or(told.lines().next()).unwrap_or("no reason is given").to_owned();
                if code == Some(i32::from(Exit::BadInput.code())) {
                    End::NoInput(line)
                } else {
                    End::Failed(format!("no input: {line}"))
                }
            }
            _ => found,
        };
        if end != End::Exit(Some(0)) {
            break;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (output, errors) = match end {
        End::Exit(_) => (text(&output)?, text(&errors)?),
        _ => (String::new(), String::new()),
    };
    let (cpu_seconds, memory_bytes) = (watch.cpu_seconds, watch.memory);
    Ok(Some(Measured { end, seconds, cpu_seconds, memory_bytes, output, errors }))
}

/// Looks at the processes of a run.
struct Watch<'a> {
    bounds: Bounds,
    start: Instant,
    /// The largest resident set so far.
    memory: Option<u64>,
    cpu_seconds: Option<f64>,
    budget: &'a Budget,
}

impl Watch<'_> {
    /// Runs a command to its end, or to that of the limits; nothing where the budget ends before.
    fn run(&mut self, command: &mut Command, outputs: [&Path; 2]) -> io::Result<Option<End>> {
        let mut group = Group::spawn(command)?;
        let mut nap = Nap::default();
        let mut looked: Option<Instant> = None;
        loop {
            if let Some(status) = group.ended()? {
                let cpu = group.cpu_seconds();
                self.cpu_seconds = cpu.map(|s| s + self.cpu_seconds.unwrap_or(0.0));
                return Ok(Some(End::Exit(status.code())));
            }
            if self.budget.check().is_err() {
                return Ok(None);
            }
            let now = Instant::now();
            if now - self.start >= self.bounds.time {
                return Ok(Some(End::Time));
            }
            if self.bounds.is_watched && looked.is_none_or(|then| now - then >= LOOK) {
                looked = Some(now);
                self.memory = self.memory.max(group.resident_bytes());
                if self.bounds.memory.is_some_and(|limit| self.memory > Some(limit)) {
                    return Ok(Some(End::Memory));
                }
            }
            if outputs.into_iter().any(|f| fs::metadata(f).is_ok_and(|m| m.len() > OUTPUT)) {
                return Ok(Some(End::Failed("its output is too long".to_owned())));
            }
            nap.sleep();
        }
    }
}
