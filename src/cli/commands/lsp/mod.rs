//! `hardbop lsp`: a language server, so that editors show what is found in a file beside its lines.
//!
//! The crates `lsp-server` and `lsp-types` know the messages of the protocol. [`frame`] takes them out of the input, [`server`] keeps
//! what there is to know of the client and its files, [`check`] has a process check one file, and [`report`] and [`mistakes`] make
//! diagnostics of what it leaves, with the places of [`place`]. This file is the loop: one thread reads, one at a time checks.

mod check;
mod client;
mod frame;
mod mistakes;
mod place;
mod published;
mod report;
mod server;
mod words;

use std::io::{self, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use lsp_server::{ErrorCode, Message};
use serde_json::json;

use self::check::FAREWELL;
use self::frame::{Frame, next};
use self::server::{Event, Server};
use crate::cli::arguments::serve::LspArguments;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;
use hardbop_base::process::remains;

/// Serves until the client says that it is over, or the input ends.
pub(crate) fn run(arguments: &LspArguments) -> Result<Exit, CliError> {
    interrupt::at_once();
    let (events, all) = channel();
    let mut server = Server::new(arguments.arguments.clone(), events.clone());
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(&events))
        .map_err(|e| CliError::Internal(e.to_string()))?;
    let mut exit = None;
    while exit.is_none()
        && let Ok(event) = all.recv()
    {
        exit = match event {
            Event::Malformed(why) => {
                refuse(&why)?;
                None
            }
            event => server.event(event),
        };
        for message in server.messages() {
            written(|out| message.write(out))?;
        }
    }
    // A check that is given up has a moment to remove what it leaves behind; then its process is ended.
    while server.give_up()
        && let Ok(event) = all.recv_timeout(FAREWELL)
    {
        server.event(event);
    }
    remains::clear();
    std::process::exit(exit.unwrap_or(Exit::Refused).code().into())
}

/// Hands on the messages of the input.
fn read(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = match next(&mut input) {
            Ok(Frame::Whole(bytes)) => match Message::read(&mut bytes.as_slice()) {
                Ok(Some(message)) => Event::Message(message),
                Ok(None) => Event::Malformed("a message has no content".to_owned()),
                Err(e) => Event::Malformed(e.to_string()),
            },
            Ok(Frame::Malformed(why)) => Event::Malformed(why),
            Ok(Frame::End) | Err(_) => Event::End,
        };
        let is_over = matches!(event, Event::End);
        if events.send(event).is_err() || is_over {
            return;
        }
    }
}

/// Most characters of what was no message that are told.
const WHY: usize = 200;

/// Says that something was no message: there is no request to answer.
fn refuse(why: &str) -> Result<(), CliError> {
    let why: String = why.chars().take(WHY).collect();
    let error = json!({ "code": ErrorCode::ParseError as i32, "message": why });
    let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
    written(|out| write!(out, "Content-Length: {}\r\n\r\n{text}", text.len()))
}

/// Writes to the client, which may have left: then nobody wants anything any more.
fn written(write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    write(&mut out).and_then(|()| out.flush()).map_err(|e| {
        remains::clear();
        CliError::Write { what: "to standard output".to_owned(), reason: e.to_string() }
    })
}
