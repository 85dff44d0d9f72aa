//! C programs as Horn clauses.

use std::path::Path;

use crate::cli::arguments::translate::{ExportArguments, ExportFormat};
use crate::cli::input::c::{flow, with_large_stack};
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use hardbop_base::budget::Budget;
use hardbop_bp::language::parser::Dialect;
use hardbop_c::lower::words;
use hardbop_c::{ParseOptions, Property};
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_refine::block::{Blocks, Problem, horn_clauses};
use hardbop_task::is_task;
use hardbop_verify::{CProgram, Options, Reduction, Subject, automaton};

/// Writes the program.
pub(super) fn run(arguments: &ExportArguments) -> Result<Exit, CliError> {
    let name = output::name(&arguments.file);
    if arguments.format != ExportFormat::Chc {
        let why = format!("'{name}' is read as C, which becomes Horn clauses only: '--format chc'");
        return Err(CliError::Usage(why));
    }
    if is_task(&arguments.file) {
        let why = "give the C file instead of the task definition";
        return Err(CliError::Usage(why.to_owned()));
    }
    if arguments.dialect != Dialect::default() {
        let why = format!("'--dialect' is for Boolean programs; '{name}' is read as C");
        return Err(CliError::Usage(why));
    }
    with_large_stack(&arguments.file, || write(arguments))
}

fn write(arguments: &ExportArguments) -> Result<Exit, CliError> {
    let fail = |reason: String| CliError::Read { name: output::name(&arguments.file), reason };
    let mut property = Property { assertions: !arguments.ignore_asserts, ..Property::default() };
    if !arguments.error.is_empty() {
        property.error_labels.clone_from(&arguments.error);
    }
    let reading = ParseOptions {
        model: arguments.c.data_model.model(),
        property,
        entry: arguments.entry.clone(),
        ..ParseOptions::default()
    };
    let files = std::slice::from_ref(&arguments.file);
    let flow = flow(files, &arguments.c.preprocessor, &reading, arguments.color.when)?;
    let budget = Budget::unlimited();
    let prepared = CProgram::new(&flow).prepare(&Options::default(), &budget);
    let mut prepared = prepared.map_err(|e| fail(e.to_string()))?;
    let (limits, mut reduction) = (ExpansionLimits::default(), Reduction::default());
    let terms = &mut prepared.terms;
    let automaton = automaton(terms, &prepared.program, &limits, &budget, &mut reduction)
        .map_err(|e| fail(e.to_string()))?;
    let mut problem = Problem::new(automaton, Blocks::default());
    let text = horn_clauses(terms, &mut problem).map_err(|e| fail(e.to_string()))?;
    words(&prepared.assumptions).iter().for_each(|a| output::complain(&format!("assumed: {a}")));
    output::write(arguments.output.as_deref().unwrap_or(Path::new("-")), text.as_bytes())?;
    Ok(Exit::Safe)
}
