//! Boolean programs from files.

use std::path::Path;

use super::text::{mistakes, read};
use crate::boolean::language::program::Program;
use crate::cli::arguments::check::CheckArguments;
use crate::cli::output::error::CliError;
use crate::session::boolean;

/// Reads the program; with warnings.
///
/// # Errors
/// The file cannot be read, or is no Boolean program.
pub(crate) fn load(
    file: &Path,
    arguments: &CheckArguments,
) -> Result<(Program, Vec<String>), CliError> {
    let source = read(file)?;
    let resolve = arguments.resolve_options();
    boolean::load(&source, arguments.boolean.dialect, &resolve, &arguments.error)
        .map_err(|d| mistakes(&source, &d, arguments.output.color.when))
}
