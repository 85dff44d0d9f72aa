//! The file of `--learned`: what a run leaves to the next one, of the same program, of another
//! version of it, or of another property.
//!
//! The first line says how much work a run without it takes; "at least", where no run has decided.
//! Predicates follow, as those of `--predicates`, under the name of the function in which they
//! count; those before the first name count everywhere.

use std::path::Path;

use super::predicates::{Predicates, line};
use super::read;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use hardbop_smt::Terms;
use hardbop_verify::{self as verify, Report};

/// The first line, before and after the number.
const WORK: (&str, &str) = ("; learned in ", " units of work");
/// The word before a number that a run without a verdict has left.
const OPEN: &str = "at least ";
/// A line that names a function, before the name.
const FUNCTION: &str = "; in ";

/// The findings of earlier runs.
pub(crate) struct Learned {
    work: Work,
    predicates: Predicates,
}

/// The work of a run that begins with nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Work {
    /// Whether nobody knows yet how much it is in all.
    is_open: bool,
    units: u64,
}

impl Learned {
    /// Reads a file; nothing where there is no such file yet.
    ///
    /// # Errors
    /// The file cannot be read, or has something else in it.
    pub fn read(file: &Path) -> Result<Option<Self>, CliError> {
        if !file.exists() {
            return Ok(None);
        }
        let source = read(file)?;
        let Some(work) = Work::read(source.text.lines().next().unwrap_or("")) else {
            let reason = "it has something else in it than '--learned' leaves".to_owned();
            return Err(CliError::Read { name: output::name(file), reason });
        };
        // Of another version of hardbop, it may be written in another way.
        let predicates = Predicates::read(file, Color::Never);
        Ok(predicates.ok().map(|predicates| Self { work, predicates }))
    }

    /// The findings that have a meaning for the program.
    pub fn of_program(&self, terms: &mut Terms) -> verify::Learned {
        let function = |before: &str| {
            let name = before.lines().rev().find_map(|line| line.strip_prefix(FUNCTION));
            name.map(str::to_owned)
        };
        let Work { units: work, is_open } = self.work;
        verify::Learned { predicates: self.predicates.scoped(terms, function), work, is_open }
    }
}

/// The text of the file after a run that has taken so much work; none where it needed no
/// predicates.
pub(crate) fn lesson(before: Option<&Learned>, report: &Report, work: u64) -> Option<String> {
    let is_open = !report.outcome.is_decided();
    // What a run takes that begins with nothing: one that did well with what it knew says little
    // about that, and so does one that was ended before it did.
    let cold = match before {
        Some(before) if report.warm.has_decided || is_open => before.work.units.max(work),
        _ => work - report.warm.work.min(work),
    };
    let lines = report.learned.iter();
    let lines = lines.map(|(function, p)| (function.clone().unwrap_or_default(), line(report, *p)));
    let lines = lines.map(|(function, line)| (function, line.trim_end().to_owned()));
    let work = Work { units: cold, is_open };
    (!report.learned.is_empty()).then(|| text(work, lines.collect()))
}

/// The text of the file with these lines, each with its function.
fn text(work: Work, mut lines: Vec<(String, String)>) -> String {
    // Those of a function stay in their order.
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut out, mut last) = (work.line(), String::new());
    for (function, line) in lines {
        if function != last {
            out += &format!("{FUNCTION}{function}\n");
        }
        out += &format!("{line}\n");
        last = function;
    }
    out
}

/// The findings of several runs of the same program, as one: all predicates, and the largest work.
pub(crate) fn merged<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let (mut most, mut lines) = (None, vec![]);
    for text in texts.filter_map(|text| str::from_utf8(text).ok()) {
        let mut own = text.lines();
        most = most.max(own.next().and_then(Work::read));
        let mut function = "";
        for line in own {
            if let Some(name) = line.strip_prefix(FUNCTION) {
                function = name;
                continue;
            }
            let line = (function.to_owned(), line.to_owned());
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    most.map(|most| text(most, lines).into_bytes())
}

impl Work {
    /// Reads the first line.
    fn read(line: &str) -> Option<Self> {
        let number = line.strip_prefix(WORK.0)?.strip_suffix(WORK.1)?;
        let open = number.strip_prefix(OPEN);
        let units = open.unwrap_or(number).parse().ok()?;
        Some(Self { units, is_open: open.is_some() })
    }

    fn line(self) -> String {
        let open = if self.is_open { OPEN } else { "" };
        format!("{}{open}{}{}\n", WORK.0, self.units, WORK.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_runs_have_left_becomes_one() {
        let one = b"; learned in 5 units of work\n(a) ; everywhere\n; in main\n(b)\n";
        let two = b"; learned in at least 3 units of work\n; in main\n(c)\n(b)\n; in f\n(b)\n";
        let both = merged([&one[..], two, b"something else"].into_iter()).expect("there is some");
        let expected = "; learned in at least 3 units of work\n(a) ; everywhere\n; in f\n(b)\n; in main\n(b)\n(c)\n";
        assert_eq!(String::from_utf8_lossy(&both), expected);
        assert_eq!(merged([&b"nothing"[..]].into_iter()), None);
    }
}
