//! Boolean programs.

use crate::base::source::{Diagnostic, Source};
use crate::boolean::engine::{Engine, EngineError, Statistics};
use crate::boolean::language::interpret::replay;
use crate::boolean::language::parser::{Dialect, parse};
use crate::boolean::language::program::Program;
use crate::boolean::language::resolve::{ResolveOptions, missing_labels, resolve};
use crate::boolean::proof::certificate::{Certificate, CertificateError, Evidence, Property};
use crate::boolean::proof::{Invariant, Outcome};
use crate::present::json::{Document, RunOptions, Verdict};
use crate::present::trace::TraceReport;
use crate::present::verdict_line;

/// How a run ended.
#[derive(Debug)]
pub struct Answer<I> {
    pub outcome: Outcome<I>,
    pub answered_by: Engine,
    pub statistics: Statistics,
    pub trace: Option<TraceReport>,
    pub warnings: Vec<String>,
}

/// What goes with a document besides the answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Form {
    pub exit_code: Option<u8>,
    pub wall_seconds: Option<f64>,
    pub statistics: bool,
    pub trace: bool,
}

/// Reads a program; with warnings about those of `labels` that it does not have.
///
/// # Errors
/// All that is wrong with the text.
pub fn load(
    source: &Source,
    dialect: Dialect,
    options: &ResolveOptions,
    labels: &[String],
) -> Result<(Program, Vec<String>), Vec<Diagnostic>> {
    let tree = parse(&source.text, dialect)?;
    let warnings = missing_labels(&tree, labels)
        .into_iter()
        .map(|label| format!("no statement has the label '{label}'"))
        .collect();
    Ok((resolve(source.clone(), &tree, options)?, warnings))
}

/// The way into the error, replayed by the interpreter.
///
/// # Errors
/// It does not replay: a mistake in hardbop.
pub fn trace<I>(
    program: &Program,
    outcome: &Outcome<I>,
) -> Result<Option<TraceReport>, EngineError> {
    let Outcome::Unsafe(trace) = outcome else { return Ok(None) };
    let replay =
        replay(program, trace).map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
    Ok(Some(TraceReport::new(program, &replay)))
}

/// The evidence for a verdict, where there is one.
///
/// # Errors
/// It cannot be written.
pub fn certificate(
    program: &Program,
    options: &RunOptions,
    outcome: &Outcome<Invariant>,
) -> Result<Option<Certificate>, CertificateError> {
    let evidence = match outcome {
        Outcome::Safe(invariant) => Evidence::Safe(invariant.clone()),
        Outcome::Unsafe(trace) => Evidence::Unsafe(trace.clone()),
        Outcome::Unknown(_) => return Ok(None),
    };
    let property = Property::new(&options.resolve, options.dialect);
    Certificate::new(&program.source.text, property, &options.engine, evidence).map(Some)
}

impl<I> Answer<I> {
    /// The document.
    #[must_use]
    pub fn document(self, file: String, options: RunOptions, form: Form) -> Document {
        Document {
            version: env!("CARGO_PKG_VERSION"),
            file,
            verdict: Verdict::from(&self.outcome),
            reason: match &self.outcome {
                Outcome::Unknown(reason) => Some(reason.to_string()),
                _ => None,
            },
            verdict_line: verdict_line(&self.outcome),
            exit_code: form.exit_code,
            wall_seconds: form.wall_seconds,
            answered_by: self.answered_by,
            options,
            statistics: form.statistics.then_some(self.statistics),
            trace: self.trace.filter(|_| form.trace),
            warnings: self.warnings,
        }
    }
}
