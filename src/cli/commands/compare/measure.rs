//! One run of one process: its time, its memory, its end, its output.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::contestant::Contestant;
use crate::base::budget::Budget;
use crate::base::process::{Folder, Group, Nap};

/// Time between two looks at the memory of a process.
const LOOK: Duration = Duration::from_millis(50);
/// Longest output that is read; a program that writes more is ended.
const OUTPUT: u64 = 64 << 20;

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// By itself; without a code, by a signal.
    Exit(Option<i32>),
    /// It was ended at a limit.
    Time,
    Memory,
    /// It could not be run, or had to be ended for another reason.
    Failed(String),
}

/// What was seen of a process.
#[derive(Debug)]
pub(super) struct Measured {
    pub end: End,
    pub seconds: f64,
    /// The largest resident set that was seen, if one has looked.
    pub memory_bytes: Option<u64>,
    pub output: String,
    pub errors: String,
}

/// Runs the contestant on the file; nothing where the budget ends before.
pub(super) fn measure(contestant: &Contestant, file: &Path, budget: &Budget) -> Option<Measured> {
    budget.check().ok()?;
    let start = Instant::now();
    let failed = |e: io::Error| Measured {
        end: End::Failed(format!("it does not run: {e}")),
        seconds: 0.0,
        memory_bytes: None,
        output: String::new(),
        errors: String::new(),
    };
    match observed(contestant, file, start, budget) {
        Ok(measured) => measured,
        Err(e) => Some(failed(e)),
    }
}

fn observed(
    contestant: &Contestant,
    file: &Path,
    start: Instant,
    budget: &Budget,
) -> io::Result<Option<Measured>> {
    // Outputs are files, so nothing can block, whatever the program and its children do with them.
    let folder = Folder::new()?;
    let (output, errors) = (folder.path().join("output"), folder.path().join("errors"));
    let (mut command, by_stream) = contestant.command(file);
    command.stdin(if by_stream { File::open(file)?.into() } else { Stdio::null() });
    command.stdout(File::create(&output)?).stderr(File::create(&errors)?);
    let start_of_process = Instant::now().max(start);
    let mut group = Group::spawn(&mut command)?;

    let limit = contestant.time_limit + contestant.patience();
    let mut nap = Nap::default();
    let mut memory = None;
    let mut looked = start_of_process;
    let end = loop {
        if let Some(status) = group.ended()? {
            break End::Exit(status.code());
        }
        if budget.check().is_err() {
            return Ok(None);
        }
        let now = Instant::now();
        if now - start_of_process >= limit {
            break End::Time;
        }
        if contestant.is_watched() && (memory.is_none() || now - looked >= LOOK) {
            looked = now;
            memory = memory.max(group.resident_bytes());
            if contestant.memory_limit.is_some_and(|limit| memory > Some(limit)) {
                break End::Memory;
            }
        }
        if [&output, &errors].into_iter().any(|f| fs::metadata(f).is_ok_and(|m| m.len() > OUTPUT)) {
            break End::Failed("its output is too long".to_owned());
        }
        nap.sleep();
    };
    let seconds = start_of_process.elapsed().as_secs_f64();
    drop(group);
    let text = |path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let (output, errors) = match end {
        End::Exit(_) => (text(&output)?, text(&errors)?),
        _ => (String::new(), String::new()),
    };
    Ok(Some(Measured { end, seconds, memory_bytes: memory, output, errors }))
}
