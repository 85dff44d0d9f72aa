//! Messages on standard error.

use std::io::{self, IsTerminal, Write};

use super::format::Color;

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
