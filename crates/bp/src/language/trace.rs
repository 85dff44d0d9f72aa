//! Concrete executions.

use serde::{Deserialize, Serialize};

use crate::language::program::{EdgeId, ProcId};
use hardbop_base::source::objects;

/// One step: the edge that is taken, with the values of every nondeterministic choice it makes.
///
/// Choices are in the order of evaluation: the values (or the assumed condition, or the call's
/// arguments) left to right in postfix order, then `constrain`; a call adds the initial values of
/// the callee's locals in the order of [`crate::language::program::Procedure::locals`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TraceStep {
    pub procedure: ProcId,
    pub edge: EdgeId,
    pub choices: Vec<bool>,
}

/// A concrete execution from the start of the program to an error node.
///
/// Returns are implicit: at the exit node of a callee, the caller continues at the target of its
/// call edge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Trace {
    /// Initial values: all globals, then the entry procedure's formals, then its locals, each in
    /// order of declaration.
    pub initial: Vec<bool>,
    #[serde(deserialize_with = "objects")]
    pub steps: Vec<TraceStep>,
}
