//! `hardbop abstract`: the Boolean program of a C program and predicates.

use std::path::PathBuf;

use clap::Args;

use super::args::{Color, Limits};
use super::c_arguments::{AbstractionName, BlocksName};
use super::error::CliError;
use super::exit::Exit;
use super::keep::Directory;
use super::predicates::Predicates;
use super::{check_c, input, output};
use crate::base::budget::Budget;
use crate::program::c::on_large_stack;
use crate::refine::model::{Cache, Skeleton};
use crate::session::abstraction::of_c_with;
use crate::solve::smt::Terms;
use crate::verify;

/// Arguments of `hardbop abstract`.
#[derive(Debug, Args)]
pub(super) struct AbstractArguments {
    /// The C program; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// The predicates: formulas of SMT-LIB over the program's variables, one per line, as
    /// `hardbop check --dump-predicates` writes them
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,

    /// Where the Boolean program goes; standard output if there is none
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// What one statement of the Boolean program stands for
    #[arg(long, value_enum, default_value_t)]
    pub blocks: BlocksName,

    /// How blocks are abstracted
    #[arg(long, value_enum, default_value_t)]
    pub abstraction: AbstractionName,

    /// Keep abstractions of blocks in this directory, for other runs
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// `long` and pointers have 64 bits
    #[arg(long = "64")]
    pub lp64: bool,

    #[command(flatten)]
    pub limits: Limits,

    /// When to colour messages
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// Writes the Boolean program.
pub(super) fn run(arguments: &AbstractArguments) -> Result<Exit, CliError> {
    on_large_stack(|| write(arguments)).unwrap_or_else(|e| {
        Err(CliError::Read { name: input::name(&arguments.file), reason: e.to_string() })
    })
}

fn write(arguments: &AbstractArguments) -> Result<Exit, CliError> {
    let fail = |reason: String| CliError::Read { name: input::name(&arguments.file), reason };
    let given = arguments.predicates.as_deref();
    let given = given.map(|file| Predicates::read(file, arguments.color)).transpose()?;
    let cache = arguments.cache.as_deref().map(Directory::new).transpose()?;
    let cache = cache.as_ref().map(|c| c as &dyn Cache);
    let flow = check_c::read(&arguments.file, arguments.lp64, arguments.color)?;
    let mut budget = Budget::unlimited();
    if let Some(limit) = arguments.limits.time {
        budget = budget.with_time_limit(limit);
    }
    if let Some(limit) = arguments.limits.memory {
        budget = budget.with_memory_limit(limit);
    }
    let mut options = verify::Options::default();
    options.analysis.blocks = arguments.blocks.into();
    options.analysis.abstraction = arguments.abstraction.into();
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
    let text = of_c_with(&flow, predicates, (&options, cache), &budget)
        .map_err(|e| fail(e.to_string()))?;
    match &arguments.output {
        Some(path) => output::write(path, text.as_bytes())?,
        None => output::print(&text)?,
    }
    Ok(Exit::Safe)
}
