//! `hardbop export`: a Boolean program in the language of another tool.

use crate::base::budget::Budget;
use crate::boolean::export::horn_clauses;
use crate::boolean::language::resolve::ResolveOptions;
use crate::cli::arguments::translate::{ExportArguments, ExportFormat};
use crate::cli::input::{mistakes, read};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::interrupt;
use crate::session::boolean;

/// Writes the program.
pub(crate) fn run(arguments: &ExportArguments) -> Result<Exit, CliError> {
    interrupt::at_once();
    let source = read(&arguments.file)?;
    let mut resolve = ResolveOptions::default();
    if !arguments.error.is_empty() {
        resolve.error_labels.clone_from(&arguments.error);
    }
    let (program, warnings) = boolean::load(&source, arguments.dialect, &resolve, &arguments.error)
        .map_err(|d| mistakes(&source, &d, arguments.color.when))?;
    warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    let ExportFormat::Chc = arguments.format;
    let text = horn_clauses(&program, &Budget::unlimited())
        .map_err(|e| CliError::Read { name: source.name.clone(), reason: e.to_string() })?;
    match &arguments.output {
        Some(path) => output::write(path, text.as_bytes())?,
        None => output::print(&text)?,
    }
    Ok(Exit::Safe)
}
