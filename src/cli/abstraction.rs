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
use crate::budget::Budget;
use crate::c::lower::{self, Lowered};
use crate::c::on_large_stack;
use crate::c2bp::{self, Cache, Run, Skeleton, Text};
use crate::cfa::known;
use crate::report::c_formula::Words;
use crate::smt::Terms;

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
    let mut terms = Terms::new();
    let lowered = lower::lower(&flow, &mut terms, lower::Options::default(), &budget)
        .map_err(|e| fail(e.to_string()))?;
    let program =
        known::propagate(&mut terms, &lowered.program, &budget).map_err(|e| fail(e.to_string()))?;
    let skeleton = Skeleton::new(&mut terms, &program);
    let (predicates, warnings) = match &given {
        Some(given) => given.of_program(&mut terms),
        None => (vec![], vec![]),
    };
    warnings.iter().for_each(|w| output::complain(&format!("warning: {w}")));
    for &p in predicates.iter().filter(|&&p| skeleton.home(&terms, p).is_none()) {
        let predicate = terms.display(p);
        output::complain(&format!(
            "warning: the predicate {predicate} is left out: it speaks of locals of several functions"
        ));
    }
    let words = words(&lowered);
    let text = Text { source: Some(&flow.source), naming: &words };
    let mut options = c2bp::Options::default();
    options.analysis.blocks = arguments.blocks.into();
    options.analysis.abstraction = arguments.abstraction.into();
    let mut run = Run::new(&mut terms, &skeleton, &options, &text, cache, &budget)
        .map_err(|e| fail(e.to_string()))?;
    run.add(&predicates);
    let program = run.abstraction().map_err(|e| fail(e.to_string()))?;
    match &arguments.output {
        Some(path) => output::write(path, program.text().as_bytes())?,
        None => output::print(program.text())?,
    }
    Ok(Exit::Safe)
}

/// How formulas of the program are said in C.
fn words(lowered: &Lowered) -> Words {
    let pointers = lowered.parts.iter().filter(|(_, p)| p.is_pointer).map(|(&s, _)| s).collect();
    Words { pointers, addresses: lowered.addresses.clone() }
}
