//! Tasks on this machine: a process each, as many as there are processors and as fit into its
//! memory.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::drive::{Event, Executor, Known, KnownCertificate};
use super::plan::Plan;
use super::process::Process;
use crate::cli::arguments::campaign::CampaignArguments;
use crate::cli::output::error::CliError;
use hardbop_base::budget::Budget;
use hardbop_lab::campaign::split::{Part, Run};
use hardbop_lab::campaign::task::Limits;
use hardbop_report::units::bytes;

/// How long one waits for a process that is ended.
const FAREWELL: Duration = Duration::from_secs(5);

/// Seconds that a certificate of another version of a program may take beyond the time of the
/// proof.
const MORE: f64 = 0.5;

/// The driver of runs on this machine.
pub(super) struct Local {
    plan: Arc<Plan>,
    /// hardbop itself.
    program: PathBuf,
    slots: usize,
    /// The processes that run, each with the work that it may do: none where it is cancelled.
    running: HashMap<Run, Arc<AtomicU64>>,
    budget: Budget,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl Local {
    /// A driver with as many tasks at a time as fit.
    ///
    /// # Errors
    /// Not even one does.
    pub fn new(
        arguments: &CampaignArguments,
        plan: Arc<Plan>,
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
        let (sender, events) = channel();
        Ok(Self {
            plan,
            program,
            slots,
            running: HashMap::new(),
            budget: budget.clone(),
            sender,
            events,
        })
    }
}

impl Executor for Local {
    fn has_room(&self) -> bool {
        self.running.len() < self.slots
    }

    fn start(&mut self, run: Run, part: &Part, known: Known) -> Result<(), CliError> {
        let process = Process::new(run, part, &self.program, &self.plan);
        let (budget, sender) = (self.budget.clone(), self.sender.clone());
        let ceiling = Arc::new(AtomicU64::new(u64::MAX));
        self.running.insert(run, Arc::clone(&ceiling));
        let body = move || {
            let event = match process.run(&known, &budget.racer(ceiling)) {
                Event::Stopped if budget.check().is_ok() => Event::Cancelled(run),
                event => event,
            };
            // Nobody misses it where the campaign has ended.
            let _ = sender.send(event);
        };
        let thread = thread::Builder::new().stack_size(4 << 20);
        thread.spawn(body).map_err(|e| CliError::read("a thread", &e))?;
        Ok(())
    }

    fn cancel(&mut self, run: Run) -> Result<(), CliError> {
        if let Some(ceiling) = self.running.get(&run) {
            ceiling.store(0, Ordering::Relaxed);
        }
        Ok(())
    }

    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError> {
        match self.events.recv_timeout(most) {
            Ok(event) => {
                if let Event::Done(run, ..) | Event::Lost(run, _) | Event::Cancelled(run) = &event {
                    self.running.remove(run);
                }
                Ok(Some(event))
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(None),
        }
    }
}

impl Drop for Local {
    /// Ends the processes of tasks that have not ended before the campaign.
    fn drop(&mut self) {
        self.budget.cancel_flag().store(true, Ordering::Relaxed);
        let mut left = self.running.len();
        while left > 0 && self.events.recv_timeout(FAREWELL).is_ok() {
            left -= 1;
        }
    }
}

/// The words before those of the task: what is asked of each run.
pub(super) fn limited(limits: Limits) -> Vec<OsString> {
    ["check", "--json", "--quiet", "--trace", "none"]
        .into_iter()
        .map(OsString::from)
        .chain(self::limits(limits))
        .collect()
}

/// The words before those that say whose certificate it is.  One of another version of the program
/// is given up where that takes as long as the proof did, and a little more.
pub(super) fn certifying(limits: Limits, certificate: &KnownCertificate) -> Vec<OsString> {
    let words = ["certify", "--json"].into_iter().map(OsString::from);
    let most = certificate.proof_seconds.map_or(f64::INFINITY, |proof| proof + MORE);
    let limits = Limits { seconds: limits.seconds.min(most), ..limits };
    words.chain(self::limits(limits)).collect()
}

/// The words that say them.
fn limits(limits: Limits) -> Vec<OsString> {
    let milliseconds = (limits.seconds * 1000.0).round().max(1.0);
    let time = ["--time-limit".into(), format!("{milliseconds}ms").into()];
    let memory = ["--memory-limit".into(), limits.memory_bytes.to_string().into()];
    time.into_iter().chain(memory).collect()
}

/// How long one waits for a run that keeps its limit itself, until one ends it.
pub(super) fn patience(limits: Limits) -> Duration {
    Duration::from_secs_f64(limits.seconds * 1.1 + 2.0)
}

/// The memory that the system can give without swapping (Linux).
fn free_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}
