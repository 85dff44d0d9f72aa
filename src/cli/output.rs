//! Writing to the standard streams, which somebody may have closed.

use std::io::{self, ErrorKind, IsTerminal, Write};

use super::args::Color;
use super::error::CliError;

/// Writes to standard output.  A reader who has left (`hardbop .. | head`) is no error.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::Write { what: "to standard output".to_owned(), reason: e.to_string() })
        }
        _ => Ok(()),
    }
}

/// Writes a message and a line end to standard error.
pub(crate) fn complain(text: &str) {
    // Where standard error is gone nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Should messages on standard error be coloured?
pub(crate) fn colored(choice: Color) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
            io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
        }
    }
}
