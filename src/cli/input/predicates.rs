//! The files of `--predicates` and `--dump-predicates`: one formula of SMT-LIB per line, the same
//! in C behind it as a comment.

use std::ops::Range;
use std::path::Path;

use super::text::{mistakes, read};
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};
use hardbop_report::formula::c as c_formula;
use hardbop_smt::reader::{self, Script};
use hardbop_smt::{Term, Terms};
use hardbop_verify::Report;

/// Predicates of a file, which may be of an older version of the program.
pub(crate) struct Predicates {
    source: Source,
    script: Script,
}

impl Predicates {
    pub fn read(file: &Path, color: Color) -> Result<Self, CliError> {
        let source = read(file)?;
        match reader::parse(&source.text) {
            Ok(script) => Ok(Self { source, script }),
            Err(e) => {
                let span = Span::new(e.place.start, e.place.end);
                let hint = e.kind.hint();
                let mistake = Diagnostic::new(DiagnosticKind::Syntax, span, e.kind.to_string());
                Err(mistakes(&source, &[mistake.with_hint(hint)], color))
            }
        }
    }

    /// The predicates that have a meaning for the program, each with what `scope` makes of the text
    /// before it.
    pub fn scoped<T>(&self, terms: &mut Terms, scope: impl Fn(&str) -> T) -> Vec<(T, Term)> {
        let formulas = self.script.formulas(terms).into_iter();
        let of = |(place, formula): (Range<usize>, Result<Term, _>)| {
            Some((scope(self.source.text.get(..place.start)?), formula.ok()?))
        };
        formulas.filter_map(of).collect()
    }

    /// The predicates that have a meaning for the program; and warnings about the others.
    pub fn of_program(&self, terms: &mut Terms) -> (Vec<Term>, Vec<String>) {
        let (mut all, mut warnings) = (vec![], vec![]);
        for (place, formula) in self.script.formulas(terms) {
            match formula {
                Ok(formula) => all.push(formula),
                Err(misfit) => {
                    let at = self.source.position(place.start as u32);
                    let place = format!("{}:{}:{}", at.file, at.line, at.column);
                    warnings.push(format!("{place}: {misfit}; the predicate is left out"));
                }
            }
        }
        (all, warnings)
    }
}

/// The text of a file with the predicates of a run.
pub(crate) fn text(report: &Report) -> String {
    report.predicates.iter().map(|&p| line(report, p)).collect()
}

/// A predicate of a run.
pub(crate) fn line(report: &Report, predicate: Term) -> String {
    let words = c_formula::text(report, predicate, None);
    format!("{} ; {words}\n", report.terms.display(predicate))
}
