//! `hardbop abstract`: the Boolean program of a C program and predicates.

use crate::cli::arguments::translate::AbstractArguments;
use crate::cli::input::c;
use crate::cli::input::predicates::Predicates;
use crate::cli::output;
use crate::cli::output::error::CliError;
use crate::cli::output::exit::Exit;
use crate::cli::output::keep::Directory;
use hardbop_c::ParseOptions;
use hardbop_refine::model::{Cache, Skeleton};
use hardbop_session::abstraction::{AbstractError, of_c_with};
use hardbop_smt::Terms;
use hardbop_verify as verify;

/// Writes the Boolean program.
pub(crate) fn run(arguments: &AbstractArguments) -> Result<Exit, CliError> {
    c::with_large_stack(&arguments.files[0], || write(arguments))
}

fn write(arguments: &AbstractArguments) -> Result<Exit, CliError> {
    let fail = |reason: String| CliError::Read { name: output::name(&arguments.files[0]), reason };
    let given = arguments.predicates.as_deref();
    let given = given.map(|file| Predicates::read(file, arguments.color.when)).transpose()?;
    let cache = arguments.cache.as_deref().map(Directory::new).transpose()?;
    let cache = cache.as_ref().map(|c| c as &dyn Cache);
    let model = arguments.data_model.model();
    let reading = ParseOptions { model, ..ParseOptions::default() };
    let flow = c::flow(&arguments.files, &arguments.preprocessor, &reading, arguments.color.when)?;
    let budget = arguments.limits.budget();
    let mut options = verify::Options::default();
    options.analysis.blocks = arguments.abstraction.blocks;
    options.analysis.abstraction = arguments.abstraction.abstraction;
    let predicates = |terms: &mut Terms, skeleton: &Skeleton| {
        let Some(given) = &given else { return Ok(vec![]) };
        let (predicates, mut warnings) = given.of_program(terms);
        for &p in predicates.iter().filter(|&&p| skeleton.home(terms, p).is_none()) {
            let predicate = terms.display(p);
            warnings.push(format!(
                "the predicate {predicate} is left out: it speaks of locals of several functions"
            ));
        }
        warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
        Ok(predicates)
    };
    let text = of_c_with(&flow, predicates, (&options, cache), &budget).map_err(|e| match e {
        AbstractError::Library(e) => CliError::Library(e),
        other => fail(other.to_string()),
    })?;
    match &arguments.output {
        Some(path) => output::write(path, text.as_bytes())?,
        None => output::print(&text)?,
    }
    Ok(Exit::Safe)
}
