//! `hardbop serve`: lines of standard input to a session, its messages to standard output.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cli::arguments::serve::ServeArguments;
use crate::cli::input::host::Files;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::{self, interrupt};
use crate::serve::protocol::{Message, PROTOCOL};
use crate::serve::record::Entry;
use crate::serve::{Session, Settings, Sink};
use hardbop_base::process::remains;

/// Time from Ctrl-C to the end, for answers to requests that were cancelled.
const FAREWELL: Duration = Duration::from_millis(1_500);

/// Serves until the input ends.
pub(crate) fn run(arguments: &ServeArguments) -> Result<Exit, CliError> {
    let settings = Settings {
        threads: arguments.threads,
        max_request_bytes: usize::try_from(arguments.max_request).unwrap_or(usize::MAX),
        time_limit_seconds: arguments.limits.time.map(|t| t.as_secs_f64()),
        memory_limit_bytes: arguments.limits.memory,
    };
    let log = arguments.record.as_deref().map(|path| Log::new(path, &settings)).transpose()?;
    let out = Arc::new(Out { log: log.map(Mutex::new), start: Instant::now() });
    let internal = |e: io::Error| CliError::Internal(e.to_string());
    let longest = settings.max_request_bytes;
    let mut session =
        Session::new(settings, Arc::new(Files), Arc::clone(&out) as _).map_err(internal)?;
    let cancel = session.canceller();
    interrupt::install(Arc::default(), move || {
        cancel(FAREWELL);
        end(Exit::Interrupted);
    });
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        let read = read_line(&mut input, &mut line, longest);
        match read.map_err(|e| CliError::read("<stdin>", &e))? {
            Line::End => break,
            Line::Whole if line.trim_ascii().is_empty() => {}
            Line::Whole => {
                out.request(session.next_order(), Some(&line));
                if !session.line(&line) {
                    break;
                }
            }
            Line::TooLong => {
                out.request(session.next_order(), None);
                session.too_large();
            }
        }
        // A long line is rare; its memory is not kept.
        line.clear();
        line.shrink_to(1 << 16);
    }
    session.finish();
    Ok(Exit::Safe)
}

/// Ends the process, with all that it has started.
fn end(exit: Exit) -> ! {
    remains::clear();
    std::process::exit(exit.code().into())
}

/// The kind of line that came in.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole,
    /// The line was longer than allowed; it has been skipped.
    TooLong,
    End,
}

/// Reads a line, without its end.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Line> {
    let mut is_long = false;
    let mut is_empty = true;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = piece.iter().position(|&b| b == b'\n');
        let part = &piece[..end.unwrap_or(piece.len())];
        if piece.is_empty() && is_empty {
            return Ok(Line::End);
        }
        is_empty = false;
        if is_long || line.len() + part.len() > longest {
            is_long = true;
            *line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let (is_over, read) = (end.is_some() || piece.is_empty(), part.len());
        input.consume(read + usize::from(end.is_some()));
        if is_over {
            return Ok(if is_long { Line::TooLong } else { Line::Whole });
        }
    }
}

/// Standard output, and the log.
struct Out {
    log: Option<Mutex<Log>>,
    start: Instant,
}

impl Out {
    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn log(&self) -> Option<MutexGuard<'_, Log>> {
        self.log.as_ref().map(|log| log.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn request(&self, order: u64, line: Option<&[u8]>) {
        if let Some(mut log) = self.log() {
            let line = line.and_then(|l| std::str::from_utf8(l).ok()).map(str::to_owned);
            log.write(&Entry::Request { order, seconds: self.seconds(), line });
        }
    }
}

impl Sink for Out {
    fn send(&self, order: u64, message: &Message) {
        let mut text = serde_json::to_string(message).expect("the keys of messages are texts");
        text.push('\n');
        if let Some(mut log) = self.log() {
            log.write(&Entry::Response {
                order,
                seconds: self.seconds(),
                message: message.clone(),
            });
        }
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => {}
            // The client has left; nobody wants the other answers.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => end(Exit::Safe),
            Err(e) => {
                output::complain(&format!("error: cannot write to standard output: {e}"));
                end(Exit::BadInput);
            }
        }
    }
}

/// The file of `--record`.
struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    fn new(path: &Path, settings: &Settings) -> Result<Self, CliError> {
        let file = File::create(path).map_err(|e| CliError::write(path, &e))?;
        let mut log = Self { file, path: path.to_owned() };
        log.write(&Entry::Session {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: PROTOCOL,
            settings: settings.clone(),
        });
        Ok(log)
    }

    /// A whole line at once, or the end: a log that lacks something would be misleading.
    fn write(&mut self, entry: &Entry) {
        let mut text = serde_json::to_string(entry).expect("the keys of entries are texts");
        text.push('\n');
        if let Err(e) = self.file.write_all(text.as_bytes()) {
            output::complain(&CliError::write(&self.path, &e).to_string());
            end(Exit::BadInput);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::{Line, read_line};

    #[test]
    fn lines_and_what_is_too_long() {
        let text = b"ab\n\nabcdefgh\nxyz";
        let mut input = BufReader::with_capacity(3, &text[..]);
        let mut all = vec![];
        loop {
            let mut line = vec![];
            let kind = read_line(&mut input, &mut line, 4).expect("it can be read");
            if kind == Line::End {
                break;
            }
            all.push((kind, line));
        }
        let whole = |text: &[u8]| (Line::Whole, text.to_vec());
        assert_eq!(all, [whole(b"ab"), whole(b""), (Line::TooLong, vec![]), whole(b"xyz")]);
    }
}
