//! The state of a search: P, Σ, W and W' of Fig. 1, by procedure and node.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::engine::symbolic::context::{Cube, View};
use crate::engine::symbolic::edge::PathEdgeId;
use crate::engine::symbolic::subsume::History;
use crate::language::program::NodeId;

/// The path edges of one node.
#[derive(Default)]
pub(super) struct NodeRecord {
    /// P: the path edges that end here.
    pub history: History,
    /// Path edges waiting in W.
    pub pending: Vec<PathEdgeId>,
    /// Path edges that are infeasible or subsumed in the context so far.
    pub suspended: Vec<PathEdgeId>,
}

/// The context of one procedure, and the edges that depend on it.
#[derive(Default)]
pub(super) struct ProcedureRecord {
    /// The context being explored.
    pub view: Option<View>,
    /// The context requested.
    pub wanted: Option<Cube>,
    pub nodes: FxHashMap<NodeId, NodeRecord>,
    /// Nodes with pending path edges, by position in the weak topological order.
    pub work: BTreeSet<(u32, NodeId)>,
    /// Summary edges that the callers have seen, and those they have not.
    pub summaries: Vec<PathEdgeId>,
    pub undelivered: Vec<PathEdgeId>,
    /// The path edges to the error node that the callers have seen, and those they have not.
    pub errors: Vec<PathEdgeId>,
    pub undelivered_errors: Vec<PathEdgeId>,
    /// W': path edges that wait at a call of this procedure, with the index of the call site.
    pub waiting: Vec<(PathEdgeId, usize)>,
    /// The path edges of this procedure that wait at calls, to pass new contexts on.
    pub calling: Vec<(PathEdgeId, usize)>,
}
