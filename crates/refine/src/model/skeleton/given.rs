//! The user's predicates, in SMT-LIB.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::frame::symbols;
use hardbop_base::source::Source;
use hardbop_cfa::Program;
use hardbop_smt::reader::{self, Misfit, ReadErrorKind};
use hardbop_smt::{Symbol, Term, Terms};

/// Why a text is not a list of predicates.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("predicates, {line}:{column}: {kind}")]
#[non_exhaustive]
pub struct GivenError {
    /// The line, counted from 1; columns are counted in characters.
    pub line: usize,
    pub column: usize,
    pub kind: GivenErrorKind,
}

/// The kind of mistake.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GivenErrorKind {
    #[error(transparent)]
    Syntax(ReadErrorKind),
    #[error(transparent)]
    Misfit(Misfit),
    /// There is no function that sees all variables of the predicate.
    #[error("a predicate may mention globals and the variables of one function, not of several")]
    Functions,
}

/// Reads a list of formulas over the variables of a program; `;` begins a comment.
///
/// # Errors
/// The first mistake in the text.
pub fn predicates(
    terms: &mut Terms,
    program: &Program,
    text: &str,
) -> Result<Vec<Term>, GivenError> {
    let wrong = |offset: usize, kind| {
        let (line, column) = Source::new("", text).line_column(offset as u32);
        GivenError { line, column, kind }
    };
    let script =
        reader::parse(text).map_err(|e| wrong(e.place.start, GivenErrorKind::Syntax(e.kind)))?;
    let mut owners: FxHashMap<Symbol, usize> = FxHashMap::default();
    for (f, function) in program.functions.iter().enumerate() {
        let own = function.locals.iter().chain(&function.parameters).chain(&function.result);
        owners.extend(own.map(|&s| (s, f)));
    }
    let mut all = vec![];
    for (place, formula) in script.formulas(terms) {
        let formula =
            formula.map_err(|misfit| wrong(place.start, GivenErrorKind::Misfit(misfit)))?;
        let mut functions = symbols(terms, formula).filter_map(|s| owners.get(&s));
        if let Some(first) = functions.next()
            && functions.any(|f| f != first)
        {
            return Err(wrong(place.start, GivenErrorKind::Functions));
        }
        all.push(formula);
    }
    Ok(all)
}
