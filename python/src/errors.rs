//! Errors as the exceptions of `hardbop.errors`.

use std::fmt::Display;

use hardbop::{AbstractError, CheckError, Diagnostic, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An exception of that class of `hardbop.errors`.
fn exception<'py, A>(py: Python<'py>, class: &str, arguments: A) -> PyErr
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let class = py.import("hardbop.errors").and_then(|m| m.getattr(class));
    match class.and_then(|class| class.call1(arguments)) {
        Ok(value) => PyErr::from_value(value),
        Err(e) => e,
    }
}

/// A mistake in hardbop.
pub fn internal(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "InternalError", (message,))
}

/// A value that is none for its option.
pub fn option(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "OptionError", (message,))
}

/// There is no option of that name.
pub fn no_option<'a>(py: Python<'_>, name: &str, known: impl Iterator<Item = &'a String>) -> PyErr {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let missing = py.import("hardbop.errors").and_then(|m| m.getattr("no_option"));
    match missing.and_then(|f| f.call1((name, known))) {
        Ok(value) => PyErr::from_value(value),
        Err(e) => e,
    }
}

/// A number of seconds that is no time.
pub fn limit(seconds: f64, why: &dyn Display) -> PyErr {
    PyValueError::new_err(format!("time_limit: {seconds} is no number of seconds: {why}"))
}

/// Kind, message, file, line, column, hint.
type Row = (String, String, String, usize, usize, Option<String>);

fn row(source: &Source, diagnostic: &Diagnostic) -> Row {
    let place = source.position(diagnostic.span.start);
    let kind = format!("{:?}", diagnostic.kind).to_lowercase();
    let (message, hint) = (diagnostic.message.clone(), diagnostic.hint.clone());
    (kind, message, place.file.to_owned(), place.line, place.column, hint)
}

/// The exception for what a check says.
pub fn of_check(py: Python<'_>, error: CheckError) -> PyErr {
    let message = error.to_string();
    match error {
        CheckError::Input { diagnostics, text, .. } => {
            let rows: Vec<Row> = diagnostics.iter().map(|d| row(&text, d)).collect();
            exception(py, "ProgramError", (message, rows))
        }
        CheckError::Nothing(_) => exception(py, "NothingToCheck", (message,)),
        CheckError::NeedsPreprocessor(_) => exception(py, "NeedsPreprocessor", (message,)),
        CheckError::Abstraction(AbstractError::Predicates(e)) => {
            exception(py, "PredicateError", (message, e.line, e.column))
        }
        CheckError::Abstraction(AbstractError::Unknown(_)) => {
            exception(py, "LimitReached", (message,))
        }
        error => match error.no_library() {
            Some(_) => exception(py, "SolverNotFound", (message,)),
            None => internal(py, &message),
        },
    }
}
