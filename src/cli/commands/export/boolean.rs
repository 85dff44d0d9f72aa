//! Boolean programs in the languages of other tools.

use std::path::Path;

use crate::cli::arguments::translate::{ExportArguments, ExportFormat};
use crate::cli::input::{self, mistakes, read};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_base::budget::Budget;
use hardbop_bp::export::{self, ExportError, horn_clauses};
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_session::boolean;
use hardbop_session::nothing::NothingToCheck;

/// Writes the program.
pub(super) fn run(arguments: &ExportArguments) -> Result<Exit, CliError> {
    input::boolean::named(&arguments.file)?;
    let source = read(&arguments.file)?;
    let mut resolve = ResolveOptions {
        entry: arguments.entry.clone().unwrap_or_else(|| ResolveOptions::default().entry),
        check_asserts: !arguments.ignore_asserts,
        ..ResolveOptions::default()
    };
    if !arguments.error.is_empty() {
        resolve.error_labels.clone_from(&arguments.error);
    }
    let (program, missing) = boolean::load(&source, arguments.dialect, &resolve, &arguments.error)
        .map_err(|d| mistakes(&source, &d, arguments.color.when))?;
    let warnings = missing.into_iter().map(NothingToCheck::NoLabel);
    warnings.for_each(|w| output::complain(&format!("warning: {w}")));
    let budget = Budget::unlimited();
    let written = match arguments.format {
        ExportFormat::Chc => {
            horn_clauses(&program, &budget).map(String::into_bytes).map_err(ExportError::from)
        }
        ExportFormat::Aiger => aiger(&program, arguments.output.as_deref(), &budget),
        ExportFormat::Btor2 => {
            export::circuit(&program, &budget).map(|c| export::btor2(&c).into_bytes())
        }
        ExportFormat::Smv => {
            export::circuit(&program, &budget).map(|c| export::smv(&c).into_bytes())
        }
        ExportFormat::Boogie => Ok(export::boogie(&program).into_bytes()),
    };
    let bytes = written.map_err(|e| match e.diagnostic() {
        Some(diagnostic) => mistakes(&source, &[diagnostic], arguments.color.when),
        None => CliError::Read { name: source.name.clone(), reason: e.to_string() },
    })?;
    output::write(arguments.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
    Ok(Exit::Safe)
}

/// The program as AIGER; in the ASCII variant where the name of the file says so.
fn aiger(program: &Program, file: Option<&Path>, budget: &Budget) -> Result<Vec<u8>, ExportError> {
    let circuit = export::circuit(program, budget)?;
    let mut bytes = vec![];
    let is_ascii = file.and_then(Path::extension).is_some_and(|e| e == "aag");
    let written = match is_ascii {
        true => circuit.write_ascii(&mut bytes),
        false => circuit.write_binary(&mut bytes),
    };
    written.expect("writing to a vector cannot fail");
    Ok(bytes)
}
