//! Logs of sessions: what came in, what went out; and whether another run gives the same answers.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::host::Host;
use super::protocol::{Code, Content, Message, PROTOCOL};
use super::session::Session;
use super::settings::{Settings, Sink};

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The first line.
    Session {
        /// Version of hardbop.
        version: String,
        protocol: u32,
        settings: Settings,
    },
    /// A line that came in.
    Request {
        order: u64,
        /// Seconds since the session began.
        seconds: f64,
        /// The text of the line; nothing where it cannot be replayed, as it is no UTF-8 or was too
        /// long.
        line: Option<String>,
    },
    /// A message about the line of that number.
    Response { order: u64, seconds: f64, message: Message },
}

/// Why a log cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LogError {
    #[error("line {0}: {1}")]
    Entry(usize, String),
    #[error("it does not begin with a session")]
    NoSession,
    #[error("it is of protocol {0}, not {PROTOCOL}")]
    Protocol(u32),
    #[error("line {0}: a response to a request that is not there")]
    NoRequest(usize),
}

/// A log that was read.
#[derive(Debug, Clone)]
pub struct Log {
    settings: Settings,
    requests: Vec<(u64, Option<String>)>,
    responses: Vec<(u64, Message)>,
}

/// An answer that is another one now.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Number of the request's line in the session.
    pub order: u64,
    /// The place in the answer, as a JSON pointer.
    pub place: String,
    /// The value before; nothing where it was, or is, not there.
    pub before: Option<Value>,
    pub now: Option<Value>,
}

/// The result of a replay.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Answers that were compared; those that could not be, for they depend on the time.
    pub compared: u64,
    pub skipped: u64,
    pub differences: Vec<Difference>,
}

impl Log {
    /// Reads a log.  A last line that was not written to its end is left out.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let mut log: Option<Self> = None;
        let lines: Vec<&str> = text.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let entry: Entry = match serde_json::from_str(line) {
                Ok(entry) => entry,
                Err(_) if i > 0 && i + 1 == lines.len() && !text.ends_with('\n') => break,
                Err(e) if e.is_data() => return Err(LogError::Entry(i + 1, e.to_string())),
                Err(_) => return Err(LogError::Entry(i + 1, "it is no JSON".to_owned())),
            };
            match (entry, &mut log) {
                (Entry::Session { protocol, settings, .. }, None) => {
                    if protocol != PROTOCOL {
                        return Err(LogError::Protocol(protocol));
                    }
                    log = Some(Self { settings, requests: vec![], responses: vec![] });
                }
                (_, None) => return Err(LogError::NoSession),
                (Entry::Session { .. }, Some(_)) => {
                    return Err(LogError::Entry(i + 1, "a second session".into()));
                }
                (Entry::Request { order, line, .. }, Some(log)) => {
                    log.requests.push((order, line));
                }
                (Entry::Response { order, message, .. }, Some(log)) => {
                    if !log.requests.iter().rev().any(|(o, _)| *o == order) {
                        return Err(LogError::NoRequest(i + 1));
                    }
                    log.responses.push((order, message));
                }
            }
        }
        log.ok_or(LogError::NoSession)
    }

    /// Sends the requests again, each when the one before has been answered, and compares the
    /// answers.
    ///
    /// # Errors
    /// The system refuses threads.
    pub fn replay(&self, host: &Arc<dyn Host>) -> std::io::Result<Comparison> {
        let mut comparison = Comparison::default();
        for (order, line) in &self.requests {
            let before = self.responses.iter().filter(|(o, _)| o == order);
            let before = before.map(|(_, m)| m).find(|m| is_answer(m));
            let (Some(line), Some(before)) = (line, before) else {
                comparison.skipped += 1;
                continue;
            };
            if depends_on_time(before) {
                comparison.skipped += 1;
                continue;
            }
            let sink = Arc::new(Collected::default());
            let mut session =
                Session::new(self.settings.clone(), Arc::clone(host), Arc::clone(&sink) as _)?;
            session.line(line.as_bytes());
            session.finish();
            let messages = sink.0.lock().unwrap_or_else(PoisonError::into_inner);
            let now = messages.iter().find(|m| is_answer(m));
            comparison.compared += 1;
            let [before, now] = [Some(before), now].map(|m| m.map_or(Value::Null, timeless));
            differences(&before, &now, *order, String::new(), &mut comparison.differences);
        }
        Ok(comparison)
    }
}

#[derive(Default)]
struct Collected(Mutex<Vec<Message>>);

impl Sink for Collected {
    fn send(&self, _order: u64, message: &Message) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
    }
}

fn is_answer(message: &Message) -> bool {
    !matches!(message.content, Content::Progress(_))
}

/// Would the same session another time have the same answer?
fn depends_on_time(message: &Message) -> bool {
    match &message.content {
        Content::Result(result) => {
            let reason = result.get("reason").and_then(|r| r.get("code")).and_then(Value::as_str);
            result.get("cancelled").is_some()
                || reason.is_some_and(|r| ["time", "memory"].contains(&r))
        }
        Content::Error(error) => matches!(error.code, Code::Cancelled | Code::DuplicateId),
        Content::Progress(_) => true,
    }
}

/// The message without times, memory and the version of hardbop.
fn timeless(message: &Message) -> Value {
    let mut value = serde_json::to_value(message).unwrap_or_default();
    let mut todo: Vec<(&mut Value, bool)> = vec![(&mut value, false)];
    while let Some((value, counts)) = todo.pop() {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| {
                    let is_measured = name.ends_with("seconds") || name == "peak-memory-bytes";
                    name != "version" && !(counts && is_measured)
                });
                for (name, value) in fields.iter_mut() {
                    todo.push((value, counts || name == "statistics"));
                }
            }
            Value::Array(all) => todo.extend(all.iter_mut().map(|v| (v, counts))),
            _ => {}
        }
    }
    value
}

/// Finds the places where two values differ.
fn differences(before: &Value, now: &Value, order: u64, at: String, out: &mut Vec<Difference>) {
    let mut todo = vec![(Some(before), Some(now), at)];
    while let Some((before, now, place)) = todo.pop() {
        match (before, now) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                for (name, value) in a {
                    todo.push((Some(value), b.get(name), format!("{place}/{name}")));
                }
                for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                    todo.push((None, Some(value), format!("{place}/{name}")));
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) => {
                for i in 0..a.len().max(b.len()) {
                    todo.push((a.get(i), b.get(i), format!("{place}/{i}")));
                }
            }
            (a, b) if a == b => {}
            (a, b) => {
                out.push(Difference { order, place, before: a.cloned(), now: b.cloned() });
            }
        }
    }
}
