//! The methods for C programs and for control-flow automata.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Host;
use super::abstraction::{limit, misplaced};
use super::methods::{Answered, check_limits, value};
use super::options::overlay;
use super::params::{self, AutomataParams, CheckParams, LimitOptions};
use super::protocol::{Code, DiagnosticBody, ErrorBody};
use super::work::Call;
use crate::base::budget::Budget;
use crate::base::source::Source;
use crate::present::automata::AutomataDocument;
use crate::program::c::types::DataModel;
use crate::program::c::{ParseOptions, Property, on_large_stack, parse, with_line_marks};
use crate::program::cfa::description::{
    Described, Description, DescriptionError, DescriptionErrors,
};
use crate::refine::model;
use crate::refine::tree::{self, Statistics};
use crate::session::c::{Answer, Form};
use crate::solve::smt::Terms;
use crate::verify::{self, EXECUTIONS, EXPLICIT_STATES, Watcher, automata};

/// How a C program is read and checked; names as `--json` and the command line have them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct COptions {
    #[serde(flatten)]
    pub verify: verify::Options,
    #[serde(flatten)]
    pub limits: LimitOptions,
    #[serde(rename = "data-model")]
    pub model: DataModel,
    entry: String,
    #[serde(rename = "error-labels")]
    error_labels: Vec<String>,
    #[serde(rename = "check-asserts")]
    check_asserts: bool,
    #[serde(rename = "overflow-check")]
    overflow_check: bool,
    #[serde(rename = "check-bounds")]
    check_bounds: bool,
    #[serde(rename = "check-null")]
    check_null: bool,
}

impl Default for COptions {
    fn default() -> Self {
        let analysis =
            tree::Options { explicit_states: EXPLICIT_STATES, ..tree::Options::default() };
        let property = Property::default();
        Self {
            verify: verify::Options {
                analysis,
                executions: EXECUTIONS,
                ..verify::Options::default()
            },
            limits: LimitOptions::default(),
            model: DataModel::default(),
            entry: "main".to_owned(),
            error_labels: property.error_labels,
            check_asserts: property.assertions,
            overflow_check: false,
            check_bounds: false,
            check_null: false,
        }
    }
}

/// How automata are checked.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct AutomataOptions {
    #[serde(flatten)]
    pub verify: automata::Options,
    #[serde(flatten)]
    pub limits: LimitOptions,
}

impl COptions {
    /// How a text is read.
    pub fn reading(&self) -> ParseOptions {
        let property = Property {
            error_labels: self.error_labels.clone(),
            assertions: self.check_asserts,
            overflow: self.overflow_check,
            bounds: self.check_bounds,
            null: self.check_null,
            ..Property::default()
        };
        ParseOptions { model: self.model, property, entry: Some(self.entry.clone()) }
    }
}

pub(super) fn internal(e: &dyn std::fmt::Display) -> ErrorBody {
    ErrorBody::new(Code::Internal, e.to_string())
}

/// Tells the client how far a run is.
struct Watch<'a>(&'a Call<'a>);

impl Watcher for Watch<'_> {
    fn progress(&mut self, s: &Statistics) {
        tell(self.0, s);
    }
}

fn tell(call: &Call, s: &Statistics) {
    call.progress(|| {
        json!({
            "refinements": s.refinements,
            "tree-nodes": s.tree_nodes,
            "predicates": s.predicates,
            "abstractions": s.abstraction.abstractions,
        })
    });
}

/// The text of a C program, preprocessed where it needs that.
pub(super) fn c_source(
    host: &dyn Host,
    (text, path, name): (Option<String>, Option<String>, Option<String>),
    model: DataModel,
) -> Result<Source, ErrorBody> {
    let source = params::source(host, (text, path.as_deref(), name))?;
    let preprocessed = host.preprocessed(source, path.as_deref(), model);
    preprocessed.map_err(|e| ErrorBody::new(Code::Unreadable, e))
}

/// `check_c`
pub(super) fn check_c(host: &dyn Host, call: &Call) -> Answered {
    let given: CheckParams = params::read(call.params)?;
    if given.certificate {
        let message = "there are no certificates of C programs";
        return Err(ErrorBody::new(Code::InvalidParams, message));
    }
    let options: COptions = overlay(&COptions::default(), &given.options)?;
    check_limits(options.limits)?;
    let reading = options.reading();
    let source = c_source(host, (given.text, given.path, given.name), options.model)?;
    let name = source.name.clone();
    let decided = on_large_stack(|| {
        let flow = parse(source.clone(), &reading)
            .map_err(|d| ErrorBody::mistakes(&with_line_marks(source), &d))?;
        let report = verify::check(&flow, &options.verify, call.budget, &mut Watch(call))
            .map_err(|e| internal(&e))?;
        Ok(Answer::new(&flow, &report, vec![]))
    });
    let answer = decided.unwrap_or_else(|e| Err(internal(&e)))?;
    value(&answer.document(Form {
        file: name,
        parse: &reading,
        options: &options.verify,
        expected: None,
        exit_code: None,
        wall_seconds: None,
        peak_memory_bytes: None,
        statistics: given.statistics,
        trace: given.trace,
    }))
}

/// `check_automata`
pub(super) fn check_automata(call: &Call) -> Answered {
    let given: AutomataParams = params::read(call.params)?;
    let mut options: AutomataOptions = overlay(&AutomataOptions::default(), &given.options)?;
    check_limits(options.limits)?;
    let mut terms = Terms::new();
    let Some(described) = described(&given.description, &mut terms, call.budget)? else {
        return Ok(call.given_up(&limit(call)));
    };
    options.verify.predicates =
        model::predicates(&mut terms, &described.program, &given.predicates)
            .map_err(|e| misplaced(&e))?;
    let mut progress = |s: &Statistics| tell(call, s);
    let report = automata::check(
        &mut terms,
        &described.program,
        &options.verify,
        call.budget,
        &mut progress,
    )
    .map_err(|e| internal(&e))?;
    let program = (&given.description, &described);
    let mut document =
        AutomataDocument::new(program, &mut terms, &options.verify, &report, given.statistics);
    if !given.trace {
        document.trace = None;
    }
    if !given.invariants {
        document.invariants.clear();
    }
    value(&document)
}

/// The program of a description; `None` where the budget ends.
pub(super) fn described(
    description: &Description,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Option<Described>, ErrorBody> {
    match description.program(terms, budget) {
        Ok(described) => Ok(Some(described)),
        Err(DescriptionErrors::Mistakes(mistakes)) => Err(wrong(&mistakes)),
        Err(DescriptionErrors::Exhausted(_)) => Ok(None),
    }
}

/// Mistakes in a description.
fn wrong(mistakes: &[DescriptionError]) -> ErrorBody {
    let body = |e: &DescriptionError| DiagnosticBody {
        message: e.kind.to_string(),
        line: e.position.as_ref().map(|p| p.line),
        column: e.position.as_ref().map(|p| p.column),
        function: e.function.clone(),
        edge: e.edge,
        term: e.position.as_ref().map(|p| p.term.clone()),
        hint: e.kind.hint().map(str::to_owned),
        ..DiagnosticBody::default()
    };
    let message = mistakes.first().map_or(String::new(), ToString::to_string);
    let diagnostics = mistakes.iter().map(body).collect();
    ErrorBody { diagnostics, ..ErrorBody::new(Code::Diagnostics, message) }
}
