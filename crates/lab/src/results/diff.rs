//! The changes from one campaign to another.

use std::collections::HashMap;

use super::rows::{Finished, Row};
use hardbop_report::document::Verdict;

/// A task is slower where it takes so many times as long,
const FACTOR: f64 = 2.0;
/// and so many seconds longer: shorter times are those of the machine.
const SECONDS: f64 = 0.5;

/// A change of a task that is worth telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The result is UNSAFE, and was not.
    Broken,
    /// The result is SAFE, and was not.
    Proved,
    /// The task was decided, and is not.
    Undecided,
    /// The same verdict takes twice as long.
    Slower,
}

impl Change {
    /// The change in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Broken => "newly UNSAFE",
            Self::Proved => "newly SAFE",
            Self::Undecided => "no longer decided",
            Self::Slower => "twice as slow, or more",
        }
    }
}

/// The changes, in the order of the new tasks: each with the old row and the new one.
#[must_use]
pub fn changes<'a>(old: &'a [Row], new: &'a [Row]) -> Vec<(Change, &'a Row, &'a Row)> {
    fn key(row: &Row) -> (&str, &str, &str) {
        (&row.program, &row.property, &row.options)
    }
    let before: HashMap<_, &Row> = old.iter().map(|row| (key(row), row)).collect();
    let pairs = new.iter().filter_map(|row| Some((*before.get(&key(row))?, row)));
    pairs.filter_map(|(old, new)| Some((change(old, new)?, old, new))).collect()
}

fn change(old: &Row, new: &Row) -> Option<Change> {
    let (before, after) = (old.result.as_ref()?, new.result.as_ref()?);
    match (before.verdict, after.verdict) {
        (a, b) if a == b => {
            let (was, is) = (old.time()?, new.time()?);
            let slower = is >= FACTOR * was && is >= was + SECONDS;
            (slower && after.is_decided()).then_some(Change::Slower)
        }
        (_, Verdict::Unsafe) => Some(Change::Broken),
        (_, Verdict::Safe) => Some(Change::Proved),
        (_, Verdict::Unknown) => {
            Some(before).filter(|b| Finished::is_decided(b)).map(|_| Change::Undecided)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::row;
    use super::*;
    use hardbop_report::document::Verdict::{Safe, Unknown, Unsafe};

    #[test]
    fn what_is_worth_telling() {
        let at = ("p", "o");
        let old = [
            row("broken", at, Safe, 1.0),
            row("proved", at, Unknown, 10.0),
            row("lost", at, Unsafe, 1.0),
            row("slower", at, Safe, 1.0),
            row("a bit slower", at, Safe, 1.0),
            row("short", at, Safe, 0.01),
            row("gone", at, Safe, 1.0),
        ];
        let new = [
            row("broken", at, Unsafe, 1.0),
            row("proved", at, Safe, 1.0),
            row("lost", at, Unknown, 10.0),
            row("slower", at, Safe, 2.0),
            row("a bit slower", at, Safe, 1.9),
            row("short", at, Safe, 0.09),
            row("new", at, Unsafe, 1.0),
        ];
        let found = changes(&old, &new);
        let found: Vec<_> = found.iter().map(|(c, _, row)| (*c, row.program.as_str())).collect();
        let expected = [
            (Change::Broken, "broken"),
            (Change::Proved, "proved"),
            (Change::Undecided, "lost"),
            (Change::Slower, "slower"),
        ];
        assert_eq!(found, expected);
    }
}
