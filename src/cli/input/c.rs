//! C programs from files.

use std::path::Path;

use super::preprocess::{is_preprocessed, preprocessed};
use super::text::{mistakes, read};
use crate::cli::arguments::c::preprocessor::Preprocessor;
use crate::cli::output::error::CliError;
use crate::cli::output::format::Color;
use crate::cli::output::name;
use crate::program::c::flow::Flow;
use crate::program::c::{ParseOptions, on_large_stack, parse, with_line_marks};

/// Reads a C program, through the preprocessor where it needs that.
///
/// # Errors
/// The file cannot be read or preprocessed, or is no C program.
pub(crate) fn flow(
    file: &Path,
    how: &Preprocessor,
    options: &ParseOptions,
    color: Color,
) -> Result<Flow, CliError> {
    let source = read(file)?;
    if how.is_given && !is_preprocessed(&source, file, how) {
        return Err(CliError::Usage(format!(
            "options of the preprocessor would do nothing: '{}' is preprocessed",
            source.name
        )));
    }
    let source = preprocessed(source, file, options, how)?;
    parse(source.clone(), options)
        .map_err(|diagnostics| mistakes(&with_line_marks(source), &diagnostics, color))
}

/// Does something with the C program in `file`, on a stack that its nesting does not overflow.
///
/// # Errors
/// An error of `work`; or the system refuses such a stack.
pub(crate) fn with_large_stack<T: Send>(
    file: &Path,
    work: impl FnOnce() -> Result<T, CliError> + Send,
) -> Result<T, CliError> {
    on_large_stack(work)
        .unwrap_or_else(|e| Err(CliError::Read { name: name(file), reason: e.to_string() }))
}
