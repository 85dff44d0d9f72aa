//! Messages on standard error.

use std::io::{self, IsTerminal, Write};

use super::format::Color;
use hardbop_base::rejected::{Rejected, STRICT};

/// Writes a message and a line end to standard error.
pub(crate) fn complain(text: &str) {
    // Where standard error is gone nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Clears the line of progress on standard error, if one is shown.
pub(crate) fn clear_line() {
    let _ = write!(io::stderr().lock(), "\r\x1b[K");
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

/// Says how to report evidence that was rejected: the command that repeats the run, and keeps what
/// it says.
pub(crate) fn report(rejected: &[Rejected]) {
    if rejected.is_empty() {
        return;
    }
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    // A word with a zero byte cannot be quoted, nor come from a command line.
    let command = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    complain(&format!(
        "what a report needs besides the program: {STRICT}=1 {command} -v > hardbop-report.txt 2>&1"
    ));
}
