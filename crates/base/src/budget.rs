//! Resource limits of a run: time, memory, cancellation.
//!
//! A [`Budget`] is handed down to every long-running call.  Every loop calls
//! [`Budget::check`] once per iteration and passes [`Exhausted`] up; the run then ends as
//! `UNKNOWN (<reason>)`, never as an error.  So does a run whose external solver fails.

use std::io::{self, Read, Seek};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Why a run had to stop before its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Exhausted {
    /// The deadline has passed.
    #[error("time limit reached")]
    Time,
    /// The resident set grew past the memory limit.
    #[error("memory limit reached")]
    Memory,
    /// The cancel flag was raised, by Ctrl-C or because another engine was first.
    #[error("interrupted")]
    Cancelled,
    /// A solver failed that the run cannot do without.
    #[error("solver gave up: {0}")]
    Solver(SolverFailure),
}

/// How an external solver failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolverFailure {
    #[error("its program does not start ({0})")]
    NotStarted(io::ErrorKind),
    #[error("the query could not be handed over ({0})")]
    HandOver(io::ErrorKind),
    #[error("it left the query undecided (exit code 0)")]
    Undecided,
    #[error("it ended with exit code {0}")]
    Exit(i32),
    #[error("it was ended by signal {0}")]
    Signal(i32),
    #[error("its output is no answer")]
    NoAnswer,
    #[error("its output contradicts itself or the exit code")]
    Contradiction,
    #[error("its output is too long")]
    Flood,
    /// A library cannot be used.
    #[error("its library lacks an option that is needed")]
    Library,
    /// The table of BDD nodes is as large as it can be, and no memory limit is to blame.
    #[error("its table of BDD nodes is full")]
    Table,
}

impl From<SolverFailure> for Exhausted {
    fn from(failure: SolverFailure) -> Self {
        Self::Solver(failure)
    }
}

/// Work at which somebody ends.
#[derive(Debug, Clone)]
struct Ceiling {
    limit: Arc<AtomicU64>,
    /// Work that counts towards it, apart from the budget's own.
    before: u64,
}

impl Ceiling {
    /// The limit in units of the budget's own work.
    fn get(&self) -> u64 {
        let limit = self.limit.load(Ordering::Relaxed);
        if limit == u64::MAX { limit } else { limit.saturating_sub(self.before) }
    }
}

/// Limits of one run.  Cheap to clone; clones share the cancel flag.
///
/// ```
/// use std::sync::atomic::Ordering;
/// use std::time::Duration;
/// use hardbop_base::budget::{Budget, Exhausted};
///
/// let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60)).with_memory_limit(4 << 30);
/// assert_eq!(budget.check(), Ok(())); // engines ask this every now and then
/// let flag = budget.cancel_flag(); // for another thread, or a handler of signals
/// flag.store(true, Ordering::Relaxed);
/// assert_eq!(budget.check(), Err(Exhausted::Cancelled));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory_limit: Option<u64>,
    cancel: Arc<AtomicBool>,
    /// Somebody who looks more often has seen the memory limit passed.
    full: Arc<AtomicBool>,
    /// Calls of [`Budget::check`] so far.
    work: Arc<AtomicU64>,
    /// Work beyond which nobody waits for the answer; for a part of a run, its own and those of the
    /// run.
    ceilings: Vec<Ceiling>,
    /// Work at which a trial ends.
    trial: Option<u64>,
}

impl Budget {
    /// A budget without limits; it ends only by its cancel flag.
    #[inline]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// This budget, ending `limit` from now.  A limit beyond the clock's range is no limit.
    #[must_use]
    #[inline]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.deadline = Instant::now().checked_add(limit);
        self
    }

    /// This budget for a part of the run, ending `limit` from now if it does not end earlier.
    #[must_use]
    #[inline]
    pub fn within(&self, limit: Duration) -> Self {
        let part = self.clone().with_time_limit(limit);
        let deadline = part.deadline.into_iter().chain(self.deadline).min();
        Self { deadline, ..part }
    }

    /// This budget with a ceiling on the resident set, in bytes.
    #[must_use]
    #[inline]
    pub fn with_memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// The ceiling on the resident set in bytes, if there is one.
    #[inline]
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    /// A budget without limits, with a flag that is there already: runs can share one.
    #[inline]
    pub fn with_cancel_flag(cancel: Arc<AtomicBool>) -> Self {
        Self { cancel, ..Self::default() }
    }

    /// The flag that ends every holder of this budget once it is set.
    #[inline]
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// The time at which the budget ends, if it ever does.
    #[inline]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Tells every holder of this budget that the memory limit has been passed.
    #[inline]
    pub fn raise_memory(&self) {
        self.full.store(true, Ordering::Relaxed);
    }

    /// This budget for a part of the run that may take so many per cent of the memory that is left.
    /// The part then ends as `Exhausted::Memory`, and gives back what it took; the budget itself
    /// says whether that was meant for all.
    #[must_use]
    pub fn with_memory_share(&self, per_cent: u64) -> Self {
        let share = |limit: u64| {
            give_back();
            let used = resident_bytes().unwrap_or(0).min(limit);
            used + (limit - used) / 100 * per_cent.min(100)
        };
        Self { memory_limit: self.memory_limit.map(share), ..self.clone() }
    }

    /// A budget with the same limits and cancel flag for a racer, or for a part of the run beside
    /// others: its work is counted from zero and for itself, and it ends where that passes
    /// `ceiling`, which may be lowered at any time.
    #[must_use]
    pub fn racer(&self, ceiling: Arc<AtomicU64>) -> Self {
        let before = self.work();
        let further = |c: &Ceiling| Ceiling { before: c.before + before, ..c.clone() };
        let own = Ceiling { limit: ceiling, before: 0 };
        let ceilings = self.ceilings.iter().map(further).chain([own]).collect();
        let trial = self.trial.map(|end| end.saturating_sub(before));
        Self { work: Arc::default(), ceilings, trial, ..self.clone() }
    }

    /// Adds the work of a part.
    #[inline]
    pub fn spend(&self, units: u64) {
        self.work.fetch_add(units, Ordering::Relaxed);
    }

    /// This budget for a part of the run that may do so many more units of work.  The part then
    /// ends as `Exhausted::Cancelled`, and the budget itself says whether that was meant for all.
    #[must_use]
    #[inline]
    pub fn trial(&self, units: u64) -> Self {
        let end = self.work().saturating_add(units);
        Self { trial: Some(self.trial.map_or(end, |t| t.min(end))), ..self.clone() }
    }

    /// The work done so far: the number of calls of [`Budget::check`].  It is the same for the same
    /// input and options, unlike the time; external programs count as nothing.
    #[inline]
    pub fn work(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }

    /// Is there still something to spend?  Counts as one unit of work.
    ///
    /// # Errors
    /// The first limit that has been reached.
    #[inline]
    pub fn check(&self) -> Result<(), Exhausted> {
        let work = self.work.fetch_add(1, Ordering::Relaxed) + 1;
        // Reading the size of the process costs some microseconds.
        self.look(work, work % 64 == 1)
    }

    /// Checks the budget where a part of the run has ended: what the part has freed goes back to the
    /// system first, so that its memory is no reason to end the run.
    ///
    /// # Errors
    /// The first limit that has been reached.
    pub fn check_after_part(&self) -> Result<(), Exhausted> {
        let work = self.work.fetch_add(1, Ordering::Relaxed) + 1;
        match self.look(work, true) {
            Err(Exhausted::Memory) => {
                give_back();
                self.look(work, true)
            }
            other => other,
        }
    }

    /// Checks the budget while waiting for an external program: counts as no work, and ends as soon
    /// as there is a ceiling at all, since waiting would never reach it.
    ///
    /// # Errors
    /// The first limit that has been reached.
    pub fn poll(&self) -> Result<(), Exhausted> {
        if self.ceiling() < u64::MAX {
            return Err(Exhausted::Cancelled);
        }
        self.look(self.work(), true)
    }

    fn ceiling(&self) -> u64 {
        self.ceilings.iter().map(Ceiling::get).min().unwrap_or(u64::MAX)
    }

    fn look(&self, work: u64, memory: bool) -> Result<(), Exhausted> {
        if work > self.ceiling()
            || self.trial.is_some_and(|end| work > end)
            || self.cancel.load(Ordering::Relaxed)
        {
            return Err(Exhausted::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Err(Exhausted::Time);
        }
        let full = self.full.load(Ordering::Relaxed);
        let Some(limit) = self.memory_limit.filter(|_| memory || full) else {
            return if full { Err(Exhausted::Memory) } else { Ok(()) };
        };
        match resident_bytes() {
            Some(used) if used > limit => return Err(Exhausted::Memory),
            // A part of the run has passed it, and has given back what it took.
            Some(_) => self.full.store(false, Ordering::Relaxed),
            None if full => return Err(Exhausted::Memory),
            None => {}
        }
        Ok(())
    }
}

/// Gives memory that C libraries have freed back to the system: Z3 leaves hundreds of megabytes
/// behind.  Where the C library is another one than glibc, nothing happens.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[allow(unsafe_code)]
        // SAFETY: so it is declared in malloc.h of glibc; it takes any number, and touches only
        // what is free.
        unsafe extern "C" {
            safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        malloc_trim(0);
    }
}

/// The resident set of this process in bytes, without the pages of files, where the system tells
/// (Linux).
#[inline]
pub fn resident_bytes() -> Option<u64> {
    Gauge::new()?.resident_bytes()
}

/// A gauge of the resident set, for who asks often.
#[derive(Debug)]
pub struct Gauge(std::fs::File);

impl Gauge {
    /// Opens the system's account of the process; `None` where there is none (other than Linux).
    #[inline]
    pub fn new() -> Option<Self> {
        std::fs::File::open("/proc/self/statm").ok().map(Self)
    }

    /// The resident set of this process in bytes, without the pages of files: how much of a program
    /// and its libraries is mapped depends on what the system has at hand.
    pub fn resident_bytes(&mut self) -> Option<u64> {
        self.0.rewind().ok()?;
        let mut text = [0; 128];
        let length = self.0.read(&mut text).ok()?;
        let statm = std::str::from_utf8(&text[..length]).ok()?;
        let mut fields = statm.split_whitespace().skip(1).map(str::parse::<u64>);
        // Pages are 4 KiB on every Linux we build for.
        let (resident, of_files) = (fields.next()?.ok()?, fields.next()?.ok()?);
        Some(resident.saturating_sub(of_files) * 4096)
    }
}

/// The largest resident set of this process so far in bytes, without the pages of files that it has
/// now, where the system tells (Linux).
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|l| l.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let of_files = kib("RssFile:").unwrap_or(0);
    Some(kib("VmHWM:")?.saturating_sub(of_files) * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_took_its_memory_leaves_the_rest() {
        let Some(used) = resident_bytes() else { return };
        let whole = Budget::unlimited().with_memory_limit(used + (1 << 30));
        let part = whole.with_memory_share(50);
        let limit = part.memory_limit().expect("it has one");
        assert!(limit > used && limit < used + (1 << 30), "{used} {limit}");
        assert_eq!(Budget::unlimited().with_memory_share(50).memory_limit(), None);
        // Somebody saw the limit passed, and what took the memory is gone.
        whole.raise_memory();
        assert_eq!(whole.check(), Ok(()));
        let full = Budget::unlimited().with_memory_limit(1);
        assert_eq!(full.with_memory_share(50).check(), Err(Exhausted::Memory));
        full.raise_memory();
        assert_eq!(full.check(), Err(Exhausted::Memory));
    }
}
