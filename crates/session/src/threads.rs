//! Boolean programs with threads: from the text to a program, and to the document of its verdict.

use super::boolean::{ending, tree};
use hardbop_base::budget::{Budget, peak_resident_bytes};
use hardbop_base::source::{Diagnostic, Source, Span};
use hardbop_base::verdict::Outcome;
use hardbop_bp::engine::{Engine, EngineError};
use hardbop_bp::language::concurrent::Concurrent;
use hardbop_bp::language::interpret::threads::replay_threads;
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::language::program::Program;
use hardbop_bp::language::resolve::{
    ResolveOptions, has_threads, missing_labels, resolve, resolve_threads,
};
use hardbop_bp::threads;
use hardbop_report::document::{Document, RunOptions};
use hardbop_report::statistics::Table;
use hardbop_report::trace::Trace;

/// A Boolean program, sequential or not.
#[derive(Debug, Clone)]
pub enum AnyProgram {
    Sequential(Program),
    Threads(Concurrent),
}

impl AnyProgram {
    /// The procedures and variables.
    #[must_use]
    pub fn program(&self) -> &Program {
        match self {
            Self::Sequential(program) => program,
            Self::Threads(concurrent) => &concurrent.program,
        }
    }
}

/// Reads a program that may have threads, of which only some assertions are checked; with those of
/// `labels` that it does not have.
///
/// # Errors
/// All that is wrong with the text.
pub fn load(
    source: &Source,
    dialect: Dialect,
    options: &ResolveOptions,
    labels: &[String],
    is_checked: impl Fn(Span) -> bool,
) -> Result<(AnyProgram, Vec<String>), Vec<Diagnostic>> {
    let tree = tree(source, dialect, is_checked)?;
    let missing = missing_labels(&tree, labels);
    let program = if has_threads(&tree, options) {
        AnyProgram::Threads(resolve_threads(source.clone(), &tree, options)?)
    } else {
        AnyProgram::Sequential(resolve(source.clone(), &tree, options)?)
    };
    Ok((program, missing))
}

/// Decides, with the answer as a document, in which `warnings` are.
///
/// # Errors
/// A mistake in hardbop: a trace is rejected by the interpreter.
pub fn check(
    program: &Concurrent,
    options: &RunOptions,
    warnings: Vec<String>,
    budget: &Budget,
) -> Result<Document, EngineError> {
    let report = threads::check(program, &options.threads, &options.engine, budget)?;
    let rows = Table::of_threads(&report.effort, peak_resident_bytes().unwrap_or(0));
    let file = program.program.source.name.clone();
    let mut document = ending(file, &report.outcome, Engine::Auto, options, rows);
    document.warnings = warnings;
    if let Outcome::Unsafe(trace) = &report.outcome {
        let replay = replay_threads(program, trace)
            .map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
        document.trace = Some(Trace::of_thread_replay(program, &replay));
    }
    Ok(document)
}
