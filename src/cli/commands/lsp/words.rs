//! The words of `hardbop check` that a client gives: what the server itself has to know of them.

use std::ffi::OsString;
use std::time::Duration;

use clap::Parser;

#[cfg(feature = "c")]
use crate::cli::arguments::c::preprocessor::respelled;
use crate::cli::arguments::command::{Arguments, Command};

/// The time for a file, where no word says it.
const TIME: Duration = Duration::from_secs(10);

/// The words behind `hardbop check`, without a limit of time.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub all: Vec<OsString>,
    /// The time for a file.
    pub time: Duration,
    /// Whether a compile database is named.
    pub has_database: bool,
}

impl Words {
    /// Reads them; where they are wrong, the run that gets them says so.
    pub fn new(words: Vec<OsString>) -> Self {
        let line = ["hardbop", "check"].map(OsString::from).into_iter().chain(words.clone());
        // Some file is to be checked.
        let line = line.chain([OsString::from("a.c")]);
        #[cfg(feature = "c")]
        let line = respelled(line);
        let parsed = Arguments::try_parse_from(line).ok().map(|arguments| arguments.command);
        let Some(Command::Check(parsed)) = parsed else {
            return Self { all: words, time: TIME, has_database: false };
        };
        #[cfg(feature = "c")]
        let has_database = parsed.c.preprocessor.database.is_some();
        #[cfg(not(feature = "c"))]
        let has_database = false;
        Self { all: without_time(words), time: parsed.limits.time.unwrap_or(TIME), has_database }
    }
}

/// The words without a limit of time, which is that of a file here.
fn without_time(words: Vec<OsString>) -> Vec<OsString> {
    let mut kept = vec![];
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--time-limit") => drop(words.next()),
            Some(text) if text.starts_with("--time-limit=") => {}
            _ => kept.push(word),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_that_of_a_file() {
        let of = |words: &[&str]| Words::new(words.iter().map(OsString::from).collect());
        let words = of(&["--time-limit", "3s", "--error", "BAD"]);
        assert_eq!((words.all, words.time.as_secs()), (vec!["--error".into(), "BAD".into()], 3));
        assert_eq!(of(&["--time-limit=90"]).time.as_secs(), 90);
        assert_eq!(of(&[]).time, TIME);
        // What is wrong stays, and is told by the run.
        assert_eq!(of(&["--time-limit", "soon"]).all.len(), 2);
        assert_eq!(of(&["--no-such-option"]).all.len(), 1);
    }
}
