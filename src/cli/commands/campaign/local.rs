//! Tasks on this machine: a process each, as many as there are processors and as fit into its memory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::drive::{Event, Executor};
use super::kept::written;
use super::plan::Plan;
use crate::base::budget::Budget;
use crate::base::process::Folder;
use crate::campaign::outcome::{Ended, stopped};
use crate::campaign::task::Limits;
use crate::cli::arguments::campaign::CampaignArguments;
use crate::cli::commands::measure::{Bounds, End, measure};
use crate::cli::output::error::CliError;
use crate::present::units::bytes;

/// How long one waits for a process that is ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// This machine.
pub(super) struct Local {
    program: PathBuf,
    /// By task.
    words: Vec<Vec<OsString>>,
    limits: Limits,
    reports: bool,
    slots: usize,
    running: usize,
    budget: Budget,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Local {
    /// With as many tasks at a time as fit.
    ///
    /// # Errors
    /// Not even one does.
    pub fn new(
        arguments: &CampaignArguments,
        plan: &Plan,
        budget: &Budget,
    ) -> Result<Self, CliError> {
        let limits = plan.limits;
        let free = arguments.memory.or_else(|| free_bytes().map(|b| b / 10 * 9));
        let fit = free.map_or(usize::MAX, |free| (free / limits.memory_bytes.max(1)) as usize);
        if fit == 0 {
            return Err(CliError::Usage(format!(
                "a task may take {}, and there are {} for all\n  tip: lower 'memory' under 'limits'",
                bytes(limits.memory_bytes),
                bytes(free.unwrap_or(0))
            )));
        }
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let slots = arguments.jobs.map_or_else(processors, usize::from).min(fit);
        let program = std::env::current_exe().map_err(|e| CliError::read("hardbop itself", &e))?;
        let words = plan.words.iter().map(|w| w.all().into_iter().map(OsString::from).collect());
        let (sender, events) = channel();
        Ok(Self {
            program,
            words: words.collect(),
            limits,
            reports: plan.reports,
            slots,
            running: 0,
            budget: budget.clone(),
            sender,
            events,
        })
    }
}

impl Executor for Local {
    fn has_room(&self) -> bool {
        self.running < self.slots
    }

    fn start(&mut self, task: usize) -> Result<(), CliError> {
        let (program, limits) = (self.program.clone(), self.limits);
        let words = self.words[task].clone();
        let (budget, sender, reports) = (self.budget.clone(), self.sender.clone(), self.reports);
        let body = move || {
            // Nobody misses it where the campaign has ended.
            let _ = sender.send(run(task, &program, &words, limits, reports, &budget));
        };
        let thread = thread::Builder::new().stack_size(256 << 10);
        thread.spawn(body).map_err(|e| CliError::read("a thread", &e))?;
        self.running += 1;
        Ok(())
    }

    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError> {
        match self.events.recv_timeout(most) {
            Ok(event) => {
                self.running -= 1;
                Ok(Some(event))
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
        }
    }
}

impl Drop for Local {
    /// Where the campaign ends before its tasks do, their processes end with it.
    fn drop(&mut self) {
        self.budget.cancel_flag().store(true, Ordering::Relaxed);
        while self.running > 0 && self.events.recv_timeout(FAREWELL).is_ok() {
            self.running -= 1;
        }
    }
}

/// The words before those of the task: what is asked of each run.
pub(super) fn limited(limits: Limits) -> Vec<OsString> {
    let milliseconds = (limits.seconds * 1000.0).round().max(1.0);
    ["check", "--json", "--quiet", "--trace", "none"]
        .into_iter()
        .map(OsString::from)
        .chain(["--time-limit".into(), format!("{milliseconds}ms").into()])
        .chain(["--memory-limit".into(), limits.memory_bytes.to_string().into()])
        .collect()
}

/// How long one waits for a run that keeps its limit itself, until one ends it.
pub(super) fn patience(limits: Limits) -> Duration {
    Duration::from_secs_f64(limits.seconds * 1.1 + 2.0)
}

fn run(
    task: usize,
    program: &Path,
    words: &[OsString],
    limits: Limits,
    reports: bool,
    budget: &Budget,
) -> Event {
    let folder = if reports { Folder::new().ok() } else { None };
    let page = folder.as_ref().map(|f| f.path().join("page.html"));
    let commands = |_: &Path| {
        let mut command = Command::new(program);
        command.args(limited(limits));
        if let Some(page) = &page {
            command.arg("--html").arg(page);
        }
        command.args(words);
        vec![(command, false)]
    };
    let bounds = Bounds { time: patience(limits), memory: None, is_watched: false };
    let Some(measured) = measure(&commands, Path::new(""), bounds, budget) else {
        return Event::Stopped;
    };
    let seconds = measured.seconds;
    let finished = match measured.end {
        End::Exit(None) => {
            return Event::Lost(task, "the process was ended by a signal".to_owned());
        }
        End::Exit(exit) => {
            let ended = Ended {
                exit,
                output: &measured.output,
                errors: &measured.errors,
                seconds,
                cpu_seconds: measured.cpu_seconds,
                node: None,
            };
            match ended.finished() {
                Some(finished) => finished,
                None if budget.check().is_err() => return Event::Stopped,
                None => return Event::Lost(task, "the process was interrupted".to_owned()),
            }
        }
        End::Time => stopped("time", "it did not end at its limit, and was ended", seconds),
        End::Memory => stopped("memory", "memory limit reached", seconds),
        End::NoInput(why) => stopped("bad-input", &why, seconds),
        End::Failed(why) => stopped("crash", &why, seconds),
    };
    Event::Done(task, finished, page.as_deref().and_then(written))
}

/// What the system can give without swapping (Linux).
fn free_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}
