//! The state of a session, and what follows from each event: which files are open, which wait to be checked, which one is checked.
//!
//! The text that counts is that on disk: a file is checked when it is opened and when it is saved, one at a time. A check of a
//! file that is saved meanwhile is given up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as notices, Notification as _};
use lsp_types::request::{self as requests, Request as _};
use lsp_types::{
    Diagnostic, InitializeParams, InitializeResult, LogMessageParams, MessageType, NumberOrString,
    PositionEncodingKind, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::{self, Job};
use super::client::Client;
use super::place::{path_of, uri_of};
use super::published::Published;
use super::report::Found;
use crate::cli::output::exit::Exit;

/// What happens.
pub(super) enum Event {
    Message(Message),
    /// The input has something that is no message.
    Malformed(String),
    /// A check goes on.
    GoesOn {
        number: u64,
        seconds: u64,
    },
    /// A check has ended, and has found this where it was not given up.
    Checked {
        number: u64,
        found: Option<Found>,
    },
    /// The input ends.
    End,
}

/// How far the session is.
enum Phase {
    New,
    Ready(Client),
    ShutDown,
}

/// A check that goes on.
struct Running {
    number: u64,
    path: PathBuf,
    cancel: Arc<AtomicBool>,
    /// Whether the client shows it.
    is_shown: bool,
}

impl Running {
    /// The name of its progress.
    fn token(&self) -> String {
        format!("hardbop/{}", self.number)
    }

    fn give_up(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    fn is_given_up(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// A session.
pub(super) struct Server {
    /// The words of the command line.
    given: Vec<OsString>,
    events: Sender<Event>,
    phase: Phase,
    /// The files that the client has open, as it names them.
    open: BTreeMap<PathBuf, Uri>,
    /// The files that wait to be checked.
    queue: VecDeque<PathBuf>,
    running: Option<Running>,
    /// How many checks there were.
    checks: u64,
    published: Published,
    /// Messages that are to be sent.
    out: Vec<Message>,
}

impl Server {
    pub fn new(given: Vec<OsString>, events: Sender<Event>) -> Self {
        Self {
            given,
            events,
            phase: Phase::New,
            open: BTreeMap::new(),
            queue: VecDeque::new(),
            running: None,
            checks: 0,
            published: Published::default(),
            out: vec![],
        }
    }

    /// The messages that are to be sent, which are no longer kept.
    pub fn messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.out)
    }

    /// Does what follows from an event; the exit, where that is the end.
    pub fn event(&mut self, event: Event) -> Option<Exit> {
        match event {
            Event::Message(Message::Request(request)) => self.request(request),
            Event::Message(Message::Notification(notice)) => return self.notification(notice),
            Event::Message(Message::Response(response)) => self.response(&response),
            Event::Malformed(_) => {}
            Event::GoesOn { number, seconds } => self.goes_on(number, seconds),
            Event::Checked { number, found } => self.checked(number, found),
            Event::End => return Some(self.exit()),
        }
        None
    }

    /// Gives up what goes on; whether there is anything.
    pub fn give_up(&mut self) -> bool {
        self.queue.clear();
        self.running.iter().for_each(Running::give_up);
        self.running.is_some()
    }

    /// As the protocol has it: ending without `shutdown` is a failure.
    fn exit(&self) -> Exit {
        match self.phase {
            Phase::ShutDown => Exit::Safe,
            Phase::New | Phase::Ready(_) => Exit::Refused,
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let refused =
            |code: ErrorCode, why: String| Response::new_err(id.clone(), code as i32, why);
        let answer = match (&self.phase, method.as_str()) {
            (Phase::New, requests::Initialize::METHOD) => {
                match serde_json::from_value::<InitializeParams>(params) {
                    Ok(parameters) => {
                        self.begin(&parameters);
                        Response::new_ok(id, capabilities())
                    }
                    Err(error) => refused(ErrorCode::InvalidParams, error.to_string()),
                }
            }
            (Phase::New, _) => {
                refused(ErrorCode::ServerNotInitialized, "'initialize' comes first".to_owned())
            }
            (Phase::ShutDown, _) => {
                refused(ErrorCode::InvalidRequest, "there was 'shutdown'".to_owned())
            }
            (Phase::Ready(_), requests::Initialize::METHOD) => {
                refused(ErrorCode::InvalidRequest, "there was 'initialize'".to_owned())
            }
            (Phase::Ready(_), requests::Shutdown::METHOD) => {
                self.give_up();
                self.phase = Phase::ShutDown;
                Response::new_ok(id, ())
            }
            (Phase::Ready(_), _) => {
                refused(ErrorCode::MethodNotFound, format!("there is no method '{method}'"))
            }
        };
        self.out.push(answer.into());
    }

    fn begin(&mut self, parameters: &InitializeParams) {
        let (client, wrong) = Client::new(parameters, &self.given);
        self.phase = Phase::Ready(client);
        if let Some(why) = wrong {
            self.log(MessageType::ERROR, why.to_owned());
        }
    }

    fn notification(&mut self, notice: Notification) -> Option<Exit> {
        let Notification { method, params } = notice;
        match (&self.phase, method.as_str()) {
            (_, notices::Exit::METHOD) => return Some(self.exit()),
            (Phase::New | Phase::ShutDown, _) => {}
            (Phase::Ready(_), notices::DidOpenTextDocument::METHOD) => {
                if let Some(given) = self.read::<notices::DidOpenTextDocument>(params) {
                    self.opened(given.text_document.uri);
                }
            }
            (Phase::Ready(_), notices::DidSaveTextDocument::METHOD) => {
                if let Some(given) = self.read::<notices::DidSaveTextDocument>(params)
                    && let Some(path) = path_of(&given.text_document.uri)
                {
                    self.saved(path);
                }
            }
            (Phase::Ready(_), notices::DidCloseTextDocument::METHOD) => {
                if let Some(given) = self.read::<notices::DidCloseTextDocument>(params)
                    && let Some(path) = path_of(&given.text_document.uri)
                {
                    self.closed(&path);
                }
            }
            (Phase::Ready(_), notices::WorkDoneProgressCancel::METHOD) => {
                if let Some(given) = self.read::<notices::WorkDoneProgressCancel>(params) {
                    let is_it = |r: &&Running| given.token == NumberOrString::String(r.token());
                    self.running.iter().filter(is_it).for_each(Running::give_up);
                }
            }
            // What one does not know, one need not do.
            (Phase::Ready(_), _) => {}
        }
        None
    }

    /// The parameters of a notification, to which there is no answer that could say what is wrong.
    fn read<N: notices::Notification<Params: DeserializeOwned>>(
        &mut self,
        params: Value,
    ) -> Option<N::Params> {
        match serde_json::from_value(params) {
            Ok(params) => Some(params),
            Err(error) => {
                self.log(MessageType::ERROR, format!("{}: {error}", N::METHOD));
                None
            }
        }
    }

    /// The client has made a place for progress, or refuses.
    fn response(&mut self, response: &Response) {
        let Some(running) = &mut self.running else { return };
        let is_it = response.id == RequestId::from(running.token());
        if !is_it || response.response_result.is_err() {
            return;
        }
        running.is_shown = true;
        let begin = WorkDoneProgressBegin {
            title: "hardbop".to_owned(),
            cancellable: Some(true),
            message: Some(name(&running.path)),
            percentage: None,
        };
        self.progress(WorkDoneProgress::Begin(begin));
    }

    /// Has a file checked that was opened, behind those that wait.
    fn opened(&mut self, uri: Uri) {
        if let Some(path) = path_of(&uri).filter(|path| is_program(path)) {
            self.open.insert(path.clone(), uri);
            self.outdated(&path);
            self.queue.push_back(path);
            self.next();
        }
    }

    /// Has a file checked that was saved, before those that wait: somebody works on it.
    fn saved(&mut self, path: PathBuf) {
        if self.open.contains_key(&path) {
            self.outdated(&path);
            self.queue.push_front(path);
            self.next();
        }
    }

    fn closed(&mut self, path: &Path) {
        let Some(uri) = self.open.remove(path) else { return };
        self.outdated(path);
        let changed = self.published.remove(path);
        self.publish(&changed, Some((path, uri)));
    }

    /// Gives up what is asked about a file.
    fn outdated(&mut self, path: &Path) {
        self.queue.retain(|other| other != path);
        self.running.iter().filter(|r| r.path == path).for_each(Running::give_up);
    }

    /// Begins the next check, where none goes on.
    fn next(&mut self) {
        let Phase::Ready(client) = &self.phase else { return };
        if self.running.is_some() {
            return;
        }
        let Some(path) = self.queue.pop_front() else { return };
        self.checks += 1;
        let job = Job { root: client.root(&path), words: client.words.clone(), path: path.clone() };
        let (number, cancel) = (self.checks, Arc::new(AtomicBool::new(false)));
        let running = Running { number, path, cancel: Arc::clone(&cancel), is_shown: false };
        if client.shows_progress {
            let token = NumberOrString::String(running.token());
            self.out.push(Message::Request(Request::new(
                RequestId::from(running.token()),
                requests::WorkDoneProgressCreate::METHOD.to_owned(),
                WorkDoneProgressCreateParams { token },
            )));
        }
        self.running = Some(running);
        let events = self.events.clone();
        let work = move || {
            let goes_on = |seconds| drop(events.send(Event::GoesOn { number, seconds }));
            let found = check::run(&job, &cancel, goes_on);
            // Without the loop nobody wants to know.
            drop(events.send(Event::Checked { number, found }));
        };
        if let Err(error) = thread::Builder::new().name("check".to_owned()).spawn(work) {
            self.running = None;
            self.log(MessageType::ERROR, format!("the system refuses a thread: {error}"));
        }
    }

    fn goes_on(&mut self, number: u64, seconds: u64) {
        let Phase::Ready(client) = &self.phase else { return };
        let time = client.words.time.as_secs_f64();
        let Some(running) = self.running.as_ref().filter(|r| r.number == number) else { return };
        if running.is_shown {
            let message = Some(format!("{}: {seconds} s of {time} s", name(&running.path)));
            let report = WorkDoneProgressReport { message, ..WorkDoneProgressReport::default() };
            self.progress(WorkDoneProgress::Report(report));
        }
    }

    fn checked(&mut self, number: u64, found: Option<Found>) {
        let Some(running) = self.running.as_ref().filter(|r| r.number == number) else { return };
        let (path, is_given_up) = (running.path.clone(), running.is_given_up());
        if running.is_shown {
            let message = is_given_up.then(|| "cancelled".to_owned());
            self.progress(WorkDoneProgress::End(WorkDoneProgressEnd { message }));
        }
        self.running = None;
        if let Some(Found { files, notes }) = found.filter(|_| !is_given_up) {
            for note in notes {
                self.log(MessageType::INFO, format!("{}: {note}", path.display()));
            }
            let changed = self.published.set(&path, files);
            self.publish(&changed, None);
        }
        self.next();
    }

    /// Sends the diagnostics of these files; one may have been closed just now.
    fn publish(&mut self, files: &BTreeSet<PathBuf>, closed: Option<(&Path, Uri)>) {
        let Phase::Ready(client) = &self.phase else { return };
        for file in files {
            let own = self.open.get(file).or(closed.as_ref().filter(|c| c.0 == file).map(|c| &c.1));
            let Some(uri) = own.cloned().or_else(|| uri_of(file)) else { continue };
            let mut diagnostics = self.published.of(file);
            if !client.shows_related {
                diagnostics.iter_mut().for_each(tell_related);
            }
            let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
            self.out.push(notice::<notices::PublishDiagnostics>(params));
        }
    }

    /// Says something of the check that goes on.
    fn progress(&mut self, what: WorkDoneProgress) {
        if let Some(running) = &self.running {
            let token = NumberOrString::String(running.token());
            let params = ProgressParams { token, value: ProgressParamsValue::WorkDone(what) };
            self.out.push(notice::<notices::Progress>(params));
        }
    }

    fn log(&mut self, typ: MessageType, message: String) {
        self.out.push(notice::<notices::LogMessage>(LogMessageParams { typ, message }));
    }
}

fn notice<N: notices::Notification<Params: serde::Serialize>>(params: N::Params) -> Message {
    Message::Notification(Notification::new(N::METHOD.to_owned(), params))
}

/// Puts related places into the message, for clients that have none.
fn tell_related(diagnostic: &mut Diagnostic) {
    for step in diagnostic.related_information.take().into_iter().flatten() {
        let path = path_of(&step.location.uri).unwrap_or_default();
        let line = step.location.range.start.line + 1;
        diagnostic.message += &format!("\n{}:{line}: {}", name(&path), step.message);
    }
}

/// Whether a file is a program, by its name.
fn is_program(path: &Path) -> bool {
    let is = |e: &std::ffi::OsStr| {
        let is_c = e.eq_ignore_ascii_case("c") || e == "i";
        cfg!(feature = "c") && is_c || e.eq_ignore_ascii_case("bp")
    };
    path.extension().is_some_and(is)
}

/// The name of a file, without its folder.
fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// What the server can do.
fn capabilities() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::NONE),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(PositionEncodingKind::UTF16),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "hardbop".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}
