//! Boolean programs: from the text to a program, and from the report of an engine to its document.

use std::collections::{BTreeSet, HashMap, VecDeque};

use hardbop_base::budget::Budget;
use hardbop_base::rejected::Rejected;
use hardbop_base::source::{Diagnostic, Source, Span};
use hardbop_base::verdict;
use hardbop_bp::engine::{self, Engine, EngineError, Observer, Report, Statistics};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::program::{Operation, Program};
use hardbop_bp::language::resolve::{ResolveOptions, missing_labels, resolve};
use hardbop_bp::language::syntax::{Item, Statement, SyntaxTree};
use hardbop_bp::proof::certificate::{Certificate, CertificateError, Evidence, Property};
use hardbop_bp::proof::{Invariant as Proof, Outcome, UnknownReason};
use hardbop_report::document::{
    Document, Invariant, Outline, OutlineKind, OutlineNode, Reason, RunOptions, Settings, Subject,
    Verdict,
};
use hardbop_report::formula::boolean::invariants;
use hardbop_report::statistics::Table;
use hardbop_report::trace::Trace;

/// Reads a program; with those of `labels` that it does not have.
///
/// # Errors
/// All that is wrong with the text.
pub fn load(
    source: &Source,
    dialect: Dialect,
    options: &ResolveOptions,
    labels: &[String],
) -> Result<(Program, Vec<String>), Vec<Diagnostic>> {
    load_only(source, dialect, options, labels, |_| true)
}

/// [`load`]s a program of which only some assertions are checked: executions end where another one
/// fails.
///
/// # Errors
/// All that is wrong with the text.
pub fn load_only(
    source: &Source,
    dialect: Dialect,
    options: &ResolveOptions,
    labels: &[String],
    is_checked: impl Fn(Span) -> bool,
) -> Result<(Program, Vec<String>), Vec<Diagnostic>> {
    let tree = tree(source, dialect, is_checked)?;
    let missing = missing_labels(&tree, labels);
    Ok((resolve(source.clone(), &tree, options)?, missing))
}

/// The syntax tree of a program of which only some assertions are checked.
pub(super) fn tree(
    source: &Source,
    dialect: Dialect,
    is_checked: impl Fn(Span) -> bool,
) -> Result<SyntaxTree, Vec<Diagnostic>> {
    let mut tree = parse(&source.text, dialect)?;
    for item in &mut tree.items {
        let Item::Procedure(procedure) = item else { continue };
        let others = procedure.body.iter_mut().filter(|s| !is_checked(s.span));
        others.for_each(Statement::unchecked);
    }
    Ok(tree)
}

/// Decides, with the answer as a document, in which `warnings` are.
///
/// # Errors
/// A mistake in hardbop: an engine contradicts the interpreter.
pub fn check(
    program: &Program,
    options: &RunOptions,
    warnings: Vec<String>,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<(Report, Document), EngineError> {
    let report = engine::check(program, &options.engine, budget, observer)?;
    let document = answer(program, &report, options, warnings)?;
    Ok((report, document))
}

/// The answer of an engine as a document, with the trace, which the interpreter replays.
///
/// # Errors
/// The trace does not replay: a mistake in hardbop.
pub fn answer(
    program: &Program,
    report: &Report,
    options: &RunOptions,
    warnings: Vec<String>,
) -> Result<Document, EngineError> {
    let file = program.source.name.clone();
    let by = report.engine;
    let mut document = ending(file, &report.outcome, by, options, (&report.statistics).into());
    document.warnings = warnings;
    document.warnings.extend(report.rejected.iter().map(Rejected::warning));
    if let Outcome::Unsafe(trace) = &report.outcome {
        let replay =
            replay(program, trace).map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
        document.trace = Some(Trace::of_replay(program, &replay));
    }
    Ok(document)
}

/// The invariants of a run that had to prove SAFE; none otherwise.  Those of large programs are
/// long, so they are apart from the [`answer`].
#[must_use]
pub fn proved(program: &Program, report: &Report, options: &RunOptions) -> Vec<Invariant> {
    match &report.outcome {
        Outcome::Safe(proof) if options.engine.certify => invariants(program, proof),
        _ => vec![],
    }
}

/// Procedures below those that call them, with what is known in each: its summary relates the
/// values at its entry to those at its end.  A procedure that is called again is followed the first
/// time only.
#[must_use]
pub fn outline(program: &Program, invariants: &[Invariant], most: usize) -> Option<Outline> {
    if invariants.is_empty() {
        return None;
    }
    let (mut nodes, mut first) = (vec![], HashMap::new());
    let mut waiting = VecDeque::from([(program.entry, None)]);
    while let Some((id, parent)) = waiting.pop_front() {
        let procedure = program.procedure(id);
        let position = nodes.len();
        let stands_for = first.get(&id).copied();
        let mut known = vec![];
        if stands_for.is_none() {
            first.insert(id, position);
            let own = invariants.iter().filter(|i| i.function == procedure.name);
            known.extend(own.filter_map(|i| Some((i.place.clone(), i.formula.clone()?))));
            let mut callees = BTreeSet::new();
            for edge in &procedure.edges {
                if let Operation::Call(call) = &edge.operation
                    && callees.insert(call.callee)
                {
                    waiting.push_back((call.callee, Some(position)));
                }
            }
        }
        nodes.push(OutlineNode {
            parent,
            name: procedure.name.clone(),
            file: None,
            line: Some(program.source.line_column(procedure.span.start).0),
            known,
            stands_for,
            is_error: false,
        });
    }
    let left_out = nodes.len().saturating_sub(most);
    nodes.truncate(most);
    Some(Outline { kind: OutlineKind::Procedures, nodes, left_out })
}

/// The document of a run that was ended.
#[must_use]
pub fn ended(
    file: String,
    reason: UnknownReason,
    options: &RunOptions,
    statistics: &Statistics,
) -> Document {
    let outcome = Outcome::<()>::Unknown(reason);
    ending(file, &outcome, options.engine.engine, options, statistics.into())
}

/// A document without evidence.
pub(super) fn ending<I, C>(
    file: String,
    outcome: &verdict::Outcome<I, C>,
    by: Engine,
    options: &RunOptions,
    statistics: Table,
) -> Document {
    let labels = options.resolve.error_labels.iter().map(|label| format!("G ! label({label})"));
    let asserts = options.resolve.check_asserts.then(|| "G assert".to_owned());
    let subject = Subject {
        file: Some(file),
        property: labels.chain(asserts).collect(),
        options: Settings::Boolean(Box::new(options.clone())),
    };
    let verdict = (Verdict::from(outcome), Reason::of(outcome));
    Document::new(subject, verdict, by.into(), statistics)
}

/// The evidence for a verdict, where there is one.
///
/// # Errors
/// The certificate cannot be written.
pub fn certificate(
    program: &Program,
    options: &RunOptions,
    outcome: &Outcome<Proof>,
) -> Result<Option<Certificate>, CertificateError> {
    let evidence = match outcome {
        Outcome::Safe(invariant) => Evidence::Safe(invariant.clone()),
        Outcome::Unsafe(trace) => Evidence::Unsafe(trace.clone()),
        Outcome::Unknown(_) => return Ok(None),
    };
    let property = Property::new(&options.resolve, options.dialect);
    Certificate::new(&program.source.text, property, &options.engine, evidence).map(Some)
}
