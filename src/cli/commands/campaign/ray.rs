//! Tasks on a Ray cluster: a Python process, `python3 -m hardbop.ray`, is the client of the
//! cluster; it gets tasks and gives results, a line of JSON each.
//!
//! A task is sent with all that it needs: the texts after the preprocessor, each once, and the
//! arguments.  The client says how many tasks it takes, and no more are outstanding.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::drive::{Event, Executor, Files, Known, KnownCertificate};
use super::local::{certifying, limited, patience};
use super::plan::Plan;
use super::question::Bundle;
use crate::cli::output::error::CliError;
use hardbop_base::process::Group;
use hardbop_lab::campaign::outcome::{Ended, stopped};
use hardbop_lab::campaign::split::{Part, Run};
use hardbop_report::document::Verdict;

/// How long one waits for the cluster's first answer.
const BEGINNING: Duration = Duration::from_secs(120);

/// Outstanding tasks for each processor, as the client has it.
const AHEAD: usize = 2;

/// An order to the client.
#[derive(Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
enum Order<'a> {
    Open {
        address: &'a str,
        version: &'a str,
        memory_bytes: u64,
    },
    /// A text that tasks name by its fingerprint.
    Text {
        sum: &'a str,
        text: &'a str,
    },
    Task {
        run: Name,
        words: Vec<String>,
        files: &'a [(String, String)],
        seconds: f64,
        page: bool,
        /// The predicates that it begins with; none where it is not to learn, nothing where there
        /// is nothing yet.
        learned: Option<String>,
        /// Is a certificate wanted?
        certificate: bool,
        /// The question about a certificate that is asked first.
        certify: Option<Certify>,
    },
    /// Cancels a run for which nobody waits any more.
    Cancel {
        run: Name,
    },
}

/// A question about a certificate.
#[derive(Serialize)]
struct Certify {
    /// The words of `certify`, which the name of the certificate is to follow.
    words: Vec<String>,
    certificate: String,
    /// Does it take `--adapt`, and gives the program's own certificate?
    adapts: bool,
}

/// The name of a run: its task, and which part of it.
type Name = (usize, usize);

fn named((task, part): Name) -> Run {
    Run { task, part }
}

/// A message from the client.
#[derive(Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum Message {
    /// How many tasks may be outstanding.
    Room {
        tasks: usize,
    },
    Done(Done),
    Lost {
        run: Name,
        why: String,
    },
    Cancelled {
        run: Name,
    },
    Note {
        text: String,
    },
    /// The client cannot go on.
    Refused {
        why: String,
    },
}

#[derive(Deserialize)]
struct Done {
    run: Name,
    /// The exit code; none where it had to be ended.
    exit: Option<i32>,
    output: String,
    errors: String,
    seconds: f64,
    cpu_seconds: Option<f64>,
    node: String,
    page: Option<String>,
    learned: Option<String>,
    certificate: Option<String>,
    /// Whether it was `certify` that has answered.
    certified: bool,
    /// The effort of `certify` where it has not answered: seconds, and seconds of the processor.
    tried: Option<(f64, Option<f64>)>,
}

/// A cluster.
pub(super) struct Ray {
    orders: ChildStdin,
    messages: Receiver<Message>,
    room: usize,
    running: usize,
    plan: Arc<Plan>,
    /// Texts that were sent.
    sent: HashSet<String>,
    /// Results that are there already.
    ready: Vec<Event>,
    #[expect(dead_code, reason = "is there to be dropped")]
    client: Group,
}

impl Ray {
    /// Connects with the cluster.
    ///
    /// # Errors
    /// The client does not start, or finds no cluster.
    pub fn new(address: &str, python: &Path, plan: Arc<Plan>) -> Result<Self, CliError> {
        let mut command = Command::new(python);
        command.args(["-m", "hardbop.ray"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let failed = |e: std::io::Error| CliError::read(&python.display().to_string(), &e);
        let mut client = Group::spawn(&mut command).map_err(failed)?;
        let (Some(orders), Some(output)) = client.pipes() else {
            return Err(CliError::Internal("the client has no pipes".to_owned()));
        };
        let (sender, messages) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                // What libraries write there is no message.
                let Ok(message) = serde_json::from_str(&line) else { continue };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let memory_bytes = plan.limits.memory_bytes;
        let (sent, ready) = (HashSet::new(), vec![]);
        let mut own = Self { orders, messages, room: 0, running: 0, plan, sent, ready, client };
        own.order(&Order::Open { address, version: hardbop_base::VERSION, memory_bytes })?;
        match own.messages.recv_timeout(BEGINNING) {
            Ok(message) => drop(own.taken(message)?),
            Err(_) => return Err(gone()),
        }
        Ok(own)
    }

    fn order(&mut self, order: &Order<'_>) -> Result<(), CliError> {
        let line = serde_json::to_string(order).map_err(|e| CliError::Internal(e.to_string()))?;
        writeln!(self.orders, "{line}").and_then(|()| self.orders.flush()).map_err(|_| gone())
    }

    fn taken(&mut self, message: Message) -> Result<Option<Event>, CliError> {
        let event = match message {
            Message::Room { tasks } => {
                self.room = tasks;
                return Ok(None);
            }
            Message::Note { text } => return Ok(Some(Event::Note(text))),
            Message::Refused { why } => return Err(CliError::Usage(why)),
            Message::Lost { run, why } => Event::Lost(named(run), why),
            Message::Cancelled { run } => Event::Cancelled(named(run)),
            Message::Done(done) => event(done),
        };
        self.running -= 1;
        Ok(Some(event))
    }
}

/// The client has gone.
fn gone() -> CliError {
    let why = "the client of Ray has ended; its messages are above\n  \
               tip: it needs 'pip install hardbop[ray]' for the Python of '--python'";
    CliError::Usage(why.to_owned())
}

fn event(done: Done) -> Event {
    let Done { run, exit, output, errors, seconds, cpu_seconds, node, .. } = done;
    let run = named(run);
    let Some(exit) = exit else {
        let why = "it did not end at its limit, and was ended";
        return Event::Done(run, stopped("time", why, seconds), Box::default());
    };
    // A signal, as Python shows it.
    if exit < 0 {
        return Event::Lost(run, format!("the process was ended by signal {} on {node}", -exit));
    }
    let (output, errors) = (output.as_str(), errors.as_str());
    let ended =
        Ended { exit: Some(exit), output, errors, seconds, cpu_seconds, node: Some(node.clone()) };
    let finished = if done.certified { ended.certified() } else { ended.finished() };
    match finished {
        Some(mut finished) => {
            if let Some((seconds, cpu_seconds)) = done.tried {
                finished.add(seconds, cpu_seconds);
            }
            let files = [done.page, done.learned, done.certificate];
            let [page, learned, certificate] = files.map(|file| file.map(String::into_bytes));
            let proof_seconds = Some(seconds).filter(|_| !done.certified);
            let certificate = certificate
                .filter(|_| finished.verdict == Verdict::Safe)
                .map(|text| KnownCertificate { text, proof_seconds });
            Event::Done(run, finished, Box::new(Files { page, learned, certificate }))
        }
        None => Event::Lost(run, format!("it was interrupted on {node}")),
    }
}

impl Executor for Ray {
    fn has_room(&self) -> bool {
        self.running < self.room
    }

    fn has_idle(&self) -> bool {
        self.running * AHEAD < self.room
    }

    fn start(&mut self, run: Run, part: &Part, known: Known) -> Result<(), CliError> {
        self.running += 1;
        let limits = self.plan.limits;
        let bundle = match Bundle::new(&self.plan.words(run.task, part)) {
            Ok(bundle) => bundle,
            Err(e) => {
                let result = stopped("bad-input", &e.to_string(), 0.0);
                self.ready.push(Event::Done(run, result, Box::default()));
                return Ok(());
            }
        };
        for (sum, text) in &bundle.texts {
            if self.sent.insert(sum.clone()) {
                self.order(&Order::Text { sum, text })?;
            }
        }
        let before = limited(limits).into_iter().map(OsString::into_string);
        let words = before.filter_map(Result::ok).chain(bundle.words).collect();
        let (seconds, page) = (patience(limits).as_secs_f64(), self.plan.reports);
        let learned = known.learned.and_then(|text| String::from_utf8(text).ok());
        let learned = part.learns.then(|| learned.unwrap_or_default());
        let adapts = bundle.is_c;
        let known = known.certificate.filter(|known| adapts || known.proof_seconds.is_none());
        let certify = known.and_then(|known| {
            let asked = certifying(limits, &known).into_iter().map(OsString::into_string);
            let words = asked.filter_map(Result::ok).chain(bundle.certify).collect();
            Some(Certify { words, certificate: String::from_utf8(known.text).ok()?, adapts })
        });
        self.order(&Order::Task {
            run: (run.task, run.part),
            words,
            files: &bundle.files,
            seconds,
            page,
            learned,
            certificate: part.certifies,
            certify,
        })
    }

    fn cancel(&mut self, run: Run) -> Result<(), CliError> {
        self.order(&Order::Cancel { run: (run.task, run.part) })
    }

    fn wait(&mut self, most: Duration) -> Result<Option<Event>, CliError> {
        if let Some(event) = self.ready.pop() {
            self.running -= 1;
            return Ok(Some(event));
        }
        match self.messages.recv_timeout(most) {
            Ok(message) => self.taken(message),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }
}
