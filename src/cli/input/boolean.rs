//! Boolean programs from files.

use std::path::Path;

use super::text::{mistakes, read};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::output::error::CliError;
use hardbop_session::threads::{self, AnyProgram};

/// Reads the program, which may have threads; with the error labels that it lacks.
///
/// # Errors
/// The file cannot be read, or is no Boolean program.
pub(crate) fn load(
    file: &Path,
    arguments: &CheckArguments,
) -> Result<(AnyProgram, Vec<String>), CliError> {
    let source = read(file)?;
    let resolve = arguments.resolve_options();
    let only = &arguments.only_at;
    // Where none counts, none ends an execution.
    let all = only.is_empty() || arguments.ignore_asserts;
    let is_checked = |span| all || only.contains(&source.place(span));
    threads::load(&source, arguments.boolean.dialect, &resolve, &arguments.error, is_checked)
        .map_err(|d| mistakes(&source, &d, arguments.output.color.when))
}

/// Refuses what is C by its name, for commands that read Boolean programs only.
///
/// # Errors
/// The name is that of a C program.
pub(crate) fn named(file: &Path) -> Result<(), CliError> {
    let is_c = file.extension().is_some_and(|e| e == "c" || e == "i");
    let why = "a Boolean program is needed; 'hardbop abstract' makes one of C";
    let name = file.display();
    if is_c { Err(CliError::Usage(format!("'{name}' is C by its name; {why}"))) } else { Ok(()) }
}
