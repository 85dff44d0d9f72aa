//! Works on one request: on a thread of its own, within its limits.
//!
//! Limits are polled wherever hardbop loops, but one step of an external solver can take long.  A
//! request that has not ended [`GRACE`] after a reason to stop is abandoned: the client gets its
//! answer, and the thread ends when it can.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;

use super::params::limits;
use super::protocol::{Code, Content, ErrorBody, Id, Message};
use super::settings::{Settings, Sink};
use hardbop_base::budget::{Budget, Exhausted, resident_bytes};
use hardbop_report::document::Reason;

/// Time from a reason to stop until a request is given up.
const GRACE: Duration = Duration::from_secs(1);
/// Time between two looks at a request.
const LOOK: Duration = Duration::from_millis(25);
/// Time between two notifications.
const PERIOD: Duration = Duration::from_millis(100);
/// The stack of a thread, as large as that of a main thread.
const STACK: usize = 8 << 20;

/// The handler that answers requests.
pub(super) trait Handler: Send + Sync {
    fn knows(&self, method: &str) -> bool;
    fn handle(&self, call: &Call) -> Result<Value, ErrorBody>;
    /// The result of a check that has not ended.
    fn given_up(&self, reason: Reason) -> Value;
}

/// A request that waits or runs.
pub(super) struct Job {
    /// The number of its line.
    pub order: u64,
    pub id: Id,
    pub method: String,
    pub params: Option<Box<RawValue>>,
    pub progress: bool,
    /// The budget, without limits so far; its flag cancels the request.
    pub budget: Budget,
    pub bytes: usize,
}

/// A request, as the method that answers it sees it.
pub(super) struct Call<'a> {
    pub method: &'a str,
    pub params: Option<&'a RawValue>,
    pub budget: &'a Budget,
    #[cfg_attr(not(feature = "c"), allow(dead_code, reason = "only checks of C give up"))]
    handler: &'a dyn Handler,
    notify: Option<&'a (dyn Fn(Value) + Sync)>,
    last: Mutex<Option<Instant>>,
}

impl Call<'_> {
    /// Sends a notification, if the client asked for them and the last one is not too recent.
    pub fn progress(&self, content: impl FnOnce() -> Value) {
        let Some(notify) = self.notify else { return };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if last.is_none_or(|last| now - last >= PERIOD) {
            *last = Some(now);
            notify(content());
        }
    }

    /// The result of a check that has not begun.
    #[cfg_attr(not(feature = "c"), allow(dead_code, reason = "only checks of C give up"))]
    pub fn given_up(&self, reason: Reason) -> Value {
        self.handler.given_up(reason)
    }
}

/// The request's limits, but no more than the server's.
fn limited(job: &Job, settings: &Settings) -> Budget {
    let asked = limits(job.params.as_deref());
    let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).min_by(f64::total_cmp);
    let time = least(asked.time_limit_seconds, settings.time_limit_seconds);
    let time = time.and_then(|t| Duration::try_from_secs_f64(t).ok());
    // A request's memory is what it adds to that of the process.
    let own = asked.memory_limit_bytes.map(|m| m.saturating_add(resident_bytes().unwrap_or(0)));
    let memory = own.into_iter().chain(settings.memory_limit_bytes).min();
    let mut budget = job.budget.clone();
    if let Some(limit) = time {
        budget = budget.with_time_limit(limit);
    }
    if let Some(limit) = memory {
        budget = budget.with_memory_limit(limit);
    }
    budget
}

/// Whether the answer has been given; the threads of a request share it.
type Answered = Arc<Mutex<bool>>;

/// Does the work and sends the answer.  `done` is called just before that.
pub(super) fn run(
    job: Job,
    settings: &Settings,
    handler: &Arc<dyn Handler>,
    sink: &Arc<dyn Sink>,
    done: impl FnOnce(),
) {
    let budget = limited(&job, settings);
    let answered: Answered = Arc::default();
    let (order, id) = (job.order, job.id.clone());
    let (sender, receiver) = sync_channel(1);
    let work = {
        let (budget, handler) = (budget.clone(), Arc::clone(handler));
        let (sink, answered) = (Arc::clone(sink), Arc::clone(&answered));
        move || {
            let notify = |content: Value| {
                let is_over = answered.lock().unwrap_or_else(PoisonError::into_inner);
                if !*is_over {
                    let id = Some(job.id.clone());
                    sink.send(order, &Message { id, content: Content::Progress(content) });
                }
            };
            let call = Call {
                method: &job.method,
                params: job.params.as_deref(),
                budget: &budget,
                handler: &*handler,
                notify: job.progress.then_some(&notify as &(dyn Fn(Value) + Sync)),
                last: Mutex::new(None),
            };
            // Nothing of a request's state is used by another one.
            let result = catch_unwind(AssertUnwindSafe(|| handler.handle(&call)));
            let result = result.unwrap_or_else(|_| {
                Err(ErrorBody::new(Code::Internal, "hardbop has a mistake: see standard error"))
            });
            // Nobody waits for who was given up.
            let _ = sender.send(result);
        }
    };
    let started = thread::Builder::new().name("request".into()).stack_size(STACK).spawn(work);
    let mut result = match started {
        Ok(_) => wait(&receiver, &budget, &**handler),
        Err(e) => Err(ErrorBody::new(Code::Internal, format!("cannot start a thread: {e}"))),
    };
    if budget.cancel_flag().load(Ordering::Relaxed) && is_undecided(&result) {
        result = Err(ErrorBody::new(Code::Cancelled, "the request was cancelled"));
    }
    let content = match result {
        Ok(value) => Content::Result(value),
        Err(e) => Content::Error(e),
    };
    *answered.lock().unwrap_or_else(PoisonError::into_inner) = true;
    done();
    sink.send(order, &Message { id: Some(id), content });
}

/// Is there no verdict?
fn is_undecided(result: &Result<Value, ErrorBody>) -> bool {
    match result {
        Ok(value) => value.get("verdict").is_some_and(|v| v == "UNKNOWN"),
        Err(e) => e.code == Code::Cancelled,
    }
}

/// Waits for the result, until the request is given up.
fn wait(
    receiver: &std::sync::mpsc::Receiver<Result<Value, ErrorBody>>,
    budget: &Budget,
    handler: &dyn Handler,
) -> Result<Value, ErrorBody> {
    let mut stop: Option<(Exhausted, Instant)> = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(ErrorBody::new(Code::Internal, "the request's thread is gone"));
            }
        }
        let now = Instant::now();
        let over = |limit| resident_bytes().is_some_and(|used| used > limit);
        // What took the memory has ended, and something else goes on.
        stop = stop.filter(|(why, _)| {
            *why != Exhausted::Memory || budget.memory_limit().is_some_and(over)
        });
        if stop.is_none() {
            let reason = if budget.cancel_flag().load(Ordering::Relaxed) {
                Some(Exhausted::Cancelled)
            } else if budget.deadline().is_some_and(|end| now >= end) {
                Some(Exhausted::Time)
            } else if budget.memory_limit().is_some_and(over) {
                budget.raise_memory();
                Some(Exhausted::Memory)
            } else {
                None
            };
            stop = reason.map(|reason| (reason, now + GRACE));
        }
        if let Some((reason, end)) = &stop
            && now >= *end
        {
            return Ok(handler.given_up(Reason::from(*reason)));
        }
    }
}
