//! Ends a run that does not end by itself.
//!
//! Limits and Ctrl-C are polled wherever hardbop loops.  But reading a huge file, one operation on
//! BDDs or a step of an external solver can last long and take much memory without a poll.
//! So a thread looks on.  Once there is a reason to stop, the run has [`GRACE`] to do so, or as
//! long as its memory stays within [`SLACK`] of the limit; then the guard says what is known in its
//! place and ends the process.  Where memory falls below the limit again, there is no reason any
//! longer.
//!
//! Invariant: exactly one of the two prints the result, and prints all of it: the first one
//! ([`finish`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::exit::Exit;
use super::file::print;
use super::interrupt;
use hardbop_base::budget::{Budget, Exhausted, Gauge};
use hardbop_base::process::remains;

/// Time from a reason to stop until the guard steps in.
const GRACE: Duration = Duration::from_millis(200);
/// The part of the memory limit that a run may take beyond it in order to stop.
const SLACK: u64 = 32;
/// Time between two looks at the memory: as long as it takes at least to fill what is free, but
/// within bounds.  In bytes per second, a rate that processes hardly reach.
const RATE: u64 = 4 << 30;
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(50);

/// The values of `SPEAKER`: who prints the result.
const NOBODY: u8 = 0;
const RUN: u8 = 1;
const GUARD: u8 = 2;
static SPEAKER: AtomicU8 = AtomicU8::new(NOBODY);

/// The text that is printed in place of the run's own result, and the exit code.
pub(crate) type Farewell = (String, Exit);

/// Lets Ctrl-C end the budget, and sets a guard beside it, which knows from `farewell` what to say.
pub(crate) fn guarded(
    budget: Budget,
    farewell: impl Fn(Exhausted) -> Farewell + Send + 'static,
) -> Budget {
    let (interrupted, interrupts) = channel();
    interrupt::install(budget.cancel_flag(), move || {
        // Without a guard nobody listens.
        let _ = interrupted.send(());
    });
    let watched = budget.clone();
    let guard = move || {
        let reason = patience(&watched, &interrupts);
        if SPEAKER.compare_exchange(NOBODY, GUARD, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            // If nothing were said, the run would wait for ever.
            let words = catch_unwind(AssertUnwindSafe(|| farewell(reason)));
            say(words.unwrap_or_else(|_| (String::new(), Exit::Internal)));
        }
    };
    // Where the system refuses a thread, the run has to look after itself.
    let _ = thread::Builder::new().name("guard".to_owned()).spawn(guard);
    budget
}

/// Tells the guard that the run says its result itself: to be called before the first word of it,
/// and before any file that goes with it is written.  Does not return where the guard was first.
pub(crate) fn finish() {
    let before = SPEAKER.compare_exchange(NOBODY, RUN, Ordering::AcqRel, Ordering::Acquire);
    while before == Err(GUARD) {
        // The guard is about to end the process.
        thread::park();
    }
}

/// Returns with the reason once the run has had its chance to stop.
fn patience(budget: &Budget, interrupts: &Receiver<()>) -> Exhausted {
    let mut memory = budget.memory_limit().and_then(|limit| Some((limit, Gauge::new()?)));
    let mut stop: Option<(Exhausted, Instant)> = None;
    let mut connected = true;
    loop {
        let mut now = Instant::now();
        let mut because = |reason| stop = stop.or(Some((reason, now + GRACE)));
        if budget.deadline().is_some_and(|end| now >= end) {
            because(Exhausted::Time);
        }
        let mut nap = Duration::MAX;
        if let Some((limit, gauge)) = &mut memory
            && let Some(used) = gauge.resident_bytes()
        {
            if used > *limit {
                budget.raise_memory();
                because(Exhausted::Memory);
            } else if matches!(stop, Some((Exhausted::Memory, _))) {
                // What took it has ended, and something else goes on.
                stop = None;
            }
            let most = limit.saturating_add(*limit / SLACK);
            if used > most {
                return Exhausted::Memory;
            }
            let free =
                Duration::from_nanos((most - used).saturating_mul(1_000) / (RATE / 1_000_000));
            nap = free.clamp(SHORTEST, LONGEST);
        }
        now = Instant::now();
        let next = match stop {
            Some((reason, end)) if now >= end => return reason,
            Some((_, end)) => Some(end),
            None => budget.deadline(),
        };
        nap = nap.min(next.map_or(Duration::MAX, |next| next.saturating_duration_since(now)));
        if !connected {
            thread::sleep(nap);
            continue;
        }
        // The system's clock may be too small for the longest times.
        match interrupts.recv_timeout(nap.min(Duration::from_secs(1 << 20))) {
            Ok(()) => stop = stop.or(Some((Exhausted::Cancelled, Instant::now() + GRACE))),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => connected = false,
        }
    }
}

/// Prints the farewell and ends the process, with all that it has started.
fn say((text, exit): Farewell) -> ! {
    let exit = match print(&text) {
        Ok(()) => exit,
        Err(e) => e.tell(),
    };
    remains::clear();
    std::process::exit(exit.code().into());
}
