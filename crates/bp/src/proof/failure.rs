//! Why evidence proves nothing: which obligation fails, and where in the text.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use super::invariant::InvariantError;
use crate::language::program::{EdgeId, NodeId, ProcId, Program};
use hardbop_base::budget::Exhausted;
use hardbop_base::source::Span;

/// A proof obligation of an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obligation {
    /// The assertion at the entry of the entry procedure holds at the start.
    Start,
    /// A path leads from assertions to an assertion.
    Path,
    /// A call enters a procedure with its entry assertion.
    Call,
    /// An error node is excluded.
    Error,
}

/// A place in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    pub procedure: String,
    pub line: usize,
    /// The text of the statement, on one line.
    pub statement: String,
}

impl Place {
    pub(super) fn new(program: &Program, procedure: ProcId, span: Span) -> Self {
        let (line, _) = program.source.line_column(span.start);
        let statement = program.source.snippet(span, 60);
        Self { procedure: program.procedure(procedure).name.clone(), line, statement }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}', line {}: {}", self.procedure, self.line, self.statement)
    }
}

/// An obligation that could not be proved, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    pub obligation: Obligation,
    /// The name of the layer; `None` for [`Obligation::Error`], where all layers fail together.
    pub layer: Option<String>,
    /// The last statement of a path at whose end the assertion fails.
    pub place: Place,
}

impl Failure {
    /// A failure at a place in a procedure: the end of the edge `last` or, without one, `node`.
    pub(super) fn new(
        program: &Program,
        obligation: Obligation,
        layer: Option<String>,
        id: ProcId,
        (last, node): (Option<EdgeId>, NodeId),
    ) -> Self {
        let procedure = program.procedure(id);
        let into = || procedure.edges.iter().find(|e| e.target == node).map(|e| e.span);
        let span = last.map(|e| procedure.edge(e).span).or_else(into).unwrap_or(procedure.span);
        Self { obligation, layer, place: Place::new(program, id, span) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.obligation {
            Obligation::Start => "the assertion at the entry does not hold at the start",
            Obligation::Path => "the assertion after this statement does not follow",
            Obligation::Call => "the assertion at the callee's entry does not follow",
            Obligation::Error => "the error is not excluded",
        };
        write!(f, "{}: {what}", self.place)?;
        self.layer.iter().try_for_each(|layer| write!(f, ", layer '{layer}'"))
    }
}

/// Why an invariant is not a proof.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unproved {
    #[error(transparent)]
    Ill(#[from] InvariantError),
    #[error("{0}")]
    Fails(Failure),
    /// There is no answer, as a limit was reached.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// The effort of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Effort {
    pub sat_queries: u64,
    pub qbf_queries: u64,
    /// The queries that were left to the embedded solver.
    pub handed_on: u64,
}
