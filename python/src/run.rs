//! Runs in a thread of their own, while this one looks out for Ctrl-C and for progress, without Python's lock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hardbop::{Budget, CheckError, LimitOptions};
use pyo3::prelude::*;

use crate::errors;

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);
/// Time between two calls that tell of progress.
const TELL: Duration = Duration::from_millis(500);
/// A run that was interrupted and has not ended after this time goes on unseen, until it notices.
const GRACE: Duration = Duration::from_secs(1);
/// As much as the first thread of a process has.
const STACK: usize = 8 << 20;

/// The limits of a run that begins now.
pub fn budget(limits: LimitOptions) -> PyResult<Budget> {
    let mut budget = Budget::unlimited();
    if let Some(seconds) = limits.time_limit_seconds {
        let limit = Duration::try_from_secs_f64(seconds);
        budget = budget.with_time_limit(limit.map_err(|e| errors::limit(seconds, &e))?);
    }
    Ok(match limits.memory_limit_bytes {
        Some(bytes) => budget.with_memory_limit(bytes),
        None => budget,
    })
}

/// What is known of a run that goes on.
#[derive(Clone, Default)]
pub struct Watch {
    /// Statistics as JSON, since somebody asked for them.
    latest: Arc<Mutex<Option<String>>>,
    asked: Arc<AtomicBool>,
}

impl Watch {
    /// Keeps the statistics where they are asked for.
    pub fn record(&mut self, statistics: impl FnOnce() -> Option<String>) {
        if self.asked.swap(false, Ordering::Relaxed) {
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = statistics();
        }
    }

    /// What was kept; asks for the next.
    fn take(&self) -> Option<String> {
        self.asked.store(true, Ordering::Relaxed);
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does the work; `progress` is called with the seconds so far and statistics as JSON.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    budget: &Budget,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Budget, &mut Watch) -> Result<T, CheckError> + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = mpsc::channel();
    let watch = Watch::default();
    let (own, mut seen) = (budget.clone(), watch.clone());
    let body = move || {
        // Where nobody waits any longer, the result is not missed.
        let _ = send.send(work(&own, &mut seen));
    };
    let thread = thread::Builder::new().name("hardbop".to_owned()).stack_size(STACK);
    thread.spawn(body).map_err(|e| errors::of_check(py, CheckError::Thread(e)))?;
    let receive = Mutex::new(receive);
    let wait = |time| {
        py.detach(|| receive.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time))
    };
    let (start, mut told) = (Instant::now(), Instant::now());
    loop {
        match wait(LOOK) {
            Ok(result) => return result.map_err(|e| errors::of_check(py, e)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::internal(py, "hardbop panicked"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let mut done = py.check_signals();
        if let (Ok(()), Some(progress)) = (&done, &progress)
            && told.elapsed() >= TELL
        {
            told = Instant::now();
            if let Some(statistics) = watch.take() {
                let arguments = (start.elapsed().as_secs_f64(), statistics);
                done = progress.call1(py, arguments).map(drop);
            }
        }
        if let Err(e) = done {
            budget.cancel_flag().store(true, Ordering::Relaxed);
            let _ = wait(GRACE);
            return Err(e);
        }
    }
}
