//! The file of `--learned`: what a run leaves to the next one, of the same program, of another version of it, or of another
//! property.
//!
//! The first line says how much work a run without it takes; the others are predicates, as those of `--predicates`.

use std::path::Path;

use super::predicates::{Predicates, text};
use super::read;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::solve::smt::Terms;
use crate::verify::{self, Report};

/// The first line, before and after the number.
const WORK: (&str, &str) = ("; learned in ", " units of work");

/// What earlier runs have left.
pub(crate) struct Learned {
    work: u64,
    predicates: Predicates,
}

impl Learned {
    /// Nothing where there is no such file yet.
    ///
    /// # Errors
    /// The file cannot be read, or has something else in it.
    pub fn read(file: &Path) -> Result<Option<Self>, CliError> {
        if !file.exists() {
            return Ok(None);
        }
        let source = read(file)?;
        let Some(work) = work_of(source.text.lines().next().unwrap_or("")) else {
            let reason = "it has something else in it than '--learned' leaves".to_owned();
            return Err(CliError::Read { name: output::name(file), reason });
        };
        // Of another version of hardbop, it may be written in another way.
        let predicates = Predicates::read(file, Color::Never);
        Ok(predicates.ok().map(|predicates| Self { work, predicates }))
    }

    /// What of it has a meaning for the program.
    pub fn of_program(&self, terms: &mut Terms) -> verify::Learned {
        let (predicates, _) = self.predicates.of_program(terms);
        verify::Learned { predicates, work: self.work }
    }
}

/// The text of the file after a run that has taken so much work; none where it needed no predicates.
pub(crate) fn lesson(before: Option<&Learned>, report: &Report, work: u64) -> Option<String> {
    // What a run takes that begins with nothing: one that did well with what it knew says little about that.
    let cold = match before {
        Some(before) if report.warm.has_decided => before.work.max(work),
        _ => work - report.warm.work.min(work),
    };
    let lines = text(report);
    (!report.predicates.is_empty()).then(|| format!("{}{cold}{}\n{lines}", WORK.0, WORK.1))
}

/// What several runs of the same program have left, as one: all predicates, and the largest work.
pub(crate) fn merged<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let (mut most, mut lines) = (None, vec![]);
    for text in texts.filter_map(|text| str::from_utf8(text).ok()) {
        let mut own = text.lines();
        most = most.max(own.next().and_then(work_of));
        for line in own {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let lines: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    most.map(|most| format!("{}{most}{}\n{lines}", WORK.0, WORK.1).into_bytes())
}

/// What the first line says.
fn work_of(line: &str) -> Option<u64> {
    line.strip_prefix(WORK.0)?.strip_suffix(WORK.1)?.parse().ok()
}
