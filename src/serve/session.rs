//! A session: lines come in, messages go out, requests wait and run.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::host::Host;
use super::methods::Engines;
use super::params::{self, CancelParams, NoParams};
use super::protocol::{Code, Content, ErrorBody, Id, Message, Position, Request};
use super::settings::{Settings, Sink};
use super::work::{self, Handler, Job};
use hardbop_base::budget::Budget;

/// The most requests that may wait; beyond that no lines are read.
const WAITING: usize = 10_000;

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    waiting_bytes: usize,
    running: usize,
    /// Flags that cancel requests that wait or run.
    open: HashMap<Id, Arc<AtomicBool>>,
    /// Whether no further requests come.
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    settings: Settings,
    handler: Arc<dyn Handler>,
    sink: Arc<dyn Sink>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, order: u64, id: Option<Id>, content: Content) {
        self.sink.send(order, &Message { id, content });
    }

    /// Works until the session ends.
    fn work(&self) {
        loop {
            let mut state = self.state();
            let job = loop {
                if let Some(job) = state.waiting.pop_front() {
                    break job;
                }
                if state.closed {
                    return;
                }
                state = self.wait(state);
            };
            state.waiting_bytes -= job.bytes;
            state.running += 1;
            drop(state);
            self.changed.notify_all();
            let id = job.id.clone();
            // Who reads the answer may use the id again.
            let done = || drop(self.state().open.remove(&id));
            work::run(job, &self.settings, &self.handler, &self.sink, done);
            self.state().running -= 1;
            self.changed.notify_all();
        }
    }
}

/// A session.
pub struct Session {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    next: u64,
    /// The request that ends the session, if it was one.
    ending: Option<(u64, Id)>,
}

impl Session {
    /// A session with its workers.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn new(
        settings: Settings,
        host: Arc<dyn Host>,
        sink: Arc<dyn Sink>,
    ) -> std::io::Result<Self> {
        let handler = Arc::new(Engines { host, settings: settings.clone() });
        Self::with(settings, handler, sink)
    }

    fn with(
        settings: Settings,
        handler: Arc<dyn Handler>,
        sink: Arc<dyn Sink>,
    ) -> std::io::Result<Self> {
        let threads = settings.threads.get();
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { state, changed, settings, handler, sink });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("worker".into()).spawn(move || shared.work())
        };
        let workers = (0..threads).map(worker).collect::<std::io::Result<Vec<_>>>()?;
        Ok(Self { shared, workers, next: 0, ending: None })
    }

    /// The number of the next line.
    #[must_use]
    pub fn next_order(&self) -> u64 {
        self.next
    }

    /// Takes a line, without its end.  Blocks while the queue is full.  `false`: the client has
    /// ended the session.
    pub fn line(&mut self, line: &[u8]) -> bool {
        let order = self.number();
        match read(line) {
            Ok(request) => return self.request(order, request, line.len()),
            Err((id, error)) => self.shared.send(order, id, Content::Error(error)),
        }
        true
    }

    /// Says that a line was too long.
    pub fn too_large(&mut self) {
        let order = self.number();
        let limit = self.shared.settings.max_request_bytes;
        let message = format!("a request has at most {limit} bytes");
        let error = ErrorBody::new(Code::TooLarge, message);
        self.shared.send(order, None, Content::Error(error));
    }

    /// Cancels everything that waits or runs, takes nothing more, and waits so long for the
    /// answers; can be called while the session is in use elsewhere.
    pub fn canceller(&self) -> impl Fn(Duration) + Send + 'static {
        let shared = Arc::clone(&self.shared);
        move |patience| {
            let mut state = shared.state();
            state.closed = true;
            state.open.values().for_each(|flag| flag.store(true, Ordering::Relaxed));
            shared.changed.notify_all();
            let busy = |state: &mut State| !state.waiting.is_empty() || state.running > 0;
            // Whether all are answered or not: the caller does not wait any longer.
            drop(shared.changed.wait_timeout_while(state, patience, busy));
        }
    }

    /// Waits until every request is answered, and ends the session.
    pub fn finish(self) {
        self.shared.state().closed = true;
        self.shared.changed.notify_all();
        for worker in self.workers {
            // A worker does not panic; if it did, nobody would be left to be told.
            let _ = worker.join();
        }
        if let Some((order, id)) = self.ending {
            self.shared.send(order, Some(id), Content::Result(json!({})));
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn request(&mut self, order: u64, request: Request, bytes: usize) -> bool {
        let Request { id, method, params, progress } = request;
        let shared = &self.shared;
        let fail = |error| shared.send(order, Some(id.clone()), Content::Error(error));
        match method.as_str() {
            "cancel" => match params::read::<CancelParams>(params.as_deref()) {
                Ok(target) => {
                    let flag = shared.state().open.get(&target.id).cloned();
                    if let Some(flag) = &flag {
                        flag.store(true, Ordering::Relaxed);
                    }
                    let result = json!({"cancelled": flag.is_some()});
                    shared.send(order, Some(id), Content::Result(result));
                }
                Err(error) => fail(error),
            },
            "shutdown" => match params::read::<NoParams>(params.as_deref()) {
                Ok(NoParams {}) => {
                    self.ending = Some((order, id));
                    return false;
                }
                Err(error) => fail(error),
            },
            _ if !shared.handler.knows(&method) => {
                let message = format!("there is no method '{method}'; 'hello' lists all");
                fail(ErrorBody::new(Code::UnknownMethod, message));
            }
            _ => {
                let budget = Budget::unlimited();
                let mut state = shared.state();
                let most = shared.settings.max_request_bytes.saturating_mul(2);
                while state.waiting.len() >= WAITING
                    || (!state.waiting.is_empty()
                        && state.waiting_bytes.saturating_add(bytes) > most)
                {
                    state = shared.wait(state);
                }
                if state.closed {
                    drop(state);
                    fail(ErrorBody::new(Code::Cancelled, "the server ends"));
                    return true;
                }
                if state.open.contains_key(&id) {
                    drop(state);
                    let message = "a request of this id waits or runs";
                    fail(ErrorBody::new(Code::DuplicateId, message));
                    return true;
                }
                state.open.insert(id.clone(), budget.cancel_flag());
                state.waiting_bytes += bytes;
                state.waiting.push_back(Job { order, id, method, params, progress, budget, bytes });
                drop(state);
                shared.changed.notify_all();
            }
        }
        true
    }
}

/// Reads a request, or says what is wrong, with its id where that can be read.
fn read(line: &[u8]) -> Result<Request, (Option<Id>, ErrorBody)> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(e) => {
            let position = Some(Position { line: 1, column: e.valid_up_to() + 1 });
            let error = ErrorBody::new(Code::ParseError, "the line is no UTF-8");
            return Err((None, ErrorBody { position, ..error }));
        }
    };
    // An array would be taken for the fields in order.
    if text.trim_start().starts_with('[') {
        let error = ErrorBody::new(Code::InvalidRequest, "a request is an object");
        return Err((None, error));
    }
    serde_json::from_str(text).map_err(|e| {
        #[derive(Deserialize)]
        struct Named {
            id: Option<Id>,
        }
        let code = match e.classify() {
            serde_json::error::Category::Data => Code::InvalidRequest,
            _ => Code::ParseError,
        };
        let named = serde_json::from_str::<Named>(text).ok();
        (named.and_then(|n| n.id), ErrorBody::json(code, &e))
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use serde_json::Value;

    use super::super::work::Call;
    use super::*;
    use hardbop_report::document::Reason;

    /// Panics, waits, or repeats its parameters.
    struct Odd;

    impl Handler for Odd {
        fn knows(&self, method: &str) -> bool {
            ["panic", "wait", "stay", "echo"].contains(&method)
        }

        fn handle(&self, call: &Call) -> Result<Value, ErrorBody> {
            match call.method {
                "panic" => panic!("on purpose"),
                "wait" => while call.budget.poll().is_ok() {},
                // Never asks its budget.
                "stay" => thread::sleep(Duration::from_secs(3600)),
                _ => return Ok(json!({"params": call.params})),
            }
            Ok(self.given_up(Reason::new("incomplete", "it waited")))
        }

        fn given_up(&self, reason: Reason) -> Value {
            json!({"verdict": "UNKNOWN", "reason": reason})
        }
    }

    #[derive(Default)]
    struct Collected(Mutex<Vec<(u64, Value)>>);

    impl Sink for Collected {
        fn send(&self, order: u64, message: &Message) {
            let value = serde_json::to_value(message).expect("a message is JSON");
            self.0.lock().expect("nobody panics").push((order, value));
        }
    }

    fn answers(threads: usize, lines: &[&str]) -> Vec<(u64, Value)> {
        let sink = Arc::new(Collected::default());
        let threads = NonZeroUsize::new(threads).expect("some");
        let settings = Settings { threads, ..Settings::default() };
        let mut session =
            Session::with(settings, Arc::new(Odd), sink.clone()).expect("there are threads");
        for line in lines {
            session.line(line.as_bytes());
        }
        session.finish();
        let mut all = sink.0.lock().expect("nobody panics").clone();
        all.sort_by_key(|(order, _)| *order);
        all
    }

    #[test]
    fn a_panic_is_an_error_of_its_request() {
        let all = answers(
            1,
            &[r#"{"id":1,"method":"panic"}"#, r#"{"id":2,"method":"echo","params":[1]}"#],
        );
        assert_eq!((&all[0].1["id"], &all[0].1["error"]["code"]), (&json!(1), &json!("internal")));
        assert_eq!(all[1].1["result"]["params"], json!([1]));
    }

    #[test]
    fn what_does_not_stop_is_given_up() {
        let stay = r#"{"id":1,"method":"stay","params":{"options":{"time-limit-seconds":0.01}}}"#;
        let all = answers(1, &[stay, r#"{"id":2,"method":"echo"}"#]);
        assert_eq!(all[0].1["result"]["reason"]["code"], json!("time"));
        assert!(all[1].1.get("result").is_some());
    }

    #[test]
    fn duplicates_and_cancellation() {
        let wait = r#"{"id":"a","method":"wait"}"#;
        let cancel = r#"{"id":"b","method":"cancel","params":{"id":"a"}}"#;
        let queued = r#"{"id":"c","method":"wait"}"#;
        let other = r#"{"id":"d","method":"cancel","params":{"id":"c"}}"#;
        let all =
            answers(1, &[wait, wait, queued, other, cancel, cancel.replace("\"a\"", "1").as_str()]);
        let code = |i: usize| all[i].1["error"]["code"].clone();
        assert_eq!(
            (code(0), code(1), code(2)),
            (json!("cancelled"), json!("duplicate-id"), json!("cancelled"))
        );
        assert_eq!(all[3].1["result"], json!({"cancelled": true}));
        assert_eq!(all[5].1["result"], json!({"cancelled": false}));
    }
}
