//! Universal summaries (SPIN'07 paper, Sect. 4): one path edge per procedure encodes all its
//! executions, for every calling context, and is found without quantified queries.
//!
//! Summaries are composed bottom-up over the call graph, by the substitution of Eqs. 6 and 7: a
//! procedure is unrolled with the universal summaries of its callees in place of their calls.  The
//! paper bounds the unrolling on pr*, in which a call gives arbitrary values to the globals that
//! the callee may change; with the callees' summaries available, the same bound is applied to the
//! sequences that are possible, so no loop is unrolled further than on pr*.
//!
//! *Exactness.*  Every path edge is an exact image of its predecessor, so an error that is feasible
//! in the summary of the entry procedure is an execution; what is spurious in a summary for its
//! free context is excluded where it is applied (the remark after Def. 8).  Conversely no execution
//! is lost.  Call an execution simple if it visits no state twice at a loop head, and explored if
//! it belongs to an expanded path edge.  Take a simple explored execution, and follow from it the
//! rest of an execution that leads to some state.  At the next loop head there are three cases.  If
//! it is no longer simple, a prefix of it was there in the same state.  If its path edge is dropped
//! by Eq. 8, another simple explored execution was there in that state, since Eq. 8 is asked of
//! simple executions.  Otherwise it is explored; Eq. 9 drops a path edge only if none of its
//! executions is simple.  In each case a simple explored execution has come there in that state,
//! and the rest has become shorter.
//!
//! *Deep loops.*  The diameter can be exponential although the fixpoint is near: a counter of k
//! bits that may start anywhere reaches its fixpoint after one unrolling, while Eq. 9 still finds a
//! new state 2^k times.  A counter that starts at 0 takes 2^k unrollings with either bound: each
//! image adds one state, and a state that is 2^k images away cannot be reached by fewer
//! (`bench-bp/ENGINES.md` has figures).
//!
//! Recursive procedures, those that call them, and those with a summary beyond a size limit are
//! left to [`super::qbf`], which applies the universal summaries of everything below.

mod unroll;

use serde::{Deserialize, Serialize};

use super::observer::Observer;
use super::prepare::Prepared;
use super::statistics::Statistics;
use crate::engine::symbolic::decide::Decider;
use crate::engine::symbolic::edge::{EdgeArena, PathEdgeId};
use crate::language::program::{Operation, ProcId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;

/// The universal summary of a procedure (Def. 8).
#[derive(Debug, Clone, Copy, Default)]
pub struct Universal {
    /// The summary edge: all ways to the exit node; `None` if there are none.
    pub exit: Option<PathEdgeId>,
    /// The error edge: all ways to an error node, including those in callees.
    pub error: Option<PathEdgeId>,
}

/// When a loop has been unrolled far enough.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_bp::engine::{Bound, Engine, Options, Silent, check};
/// use hardbop_bp::language::{parser::parse, resolve::resolve};
/// use hardbop_bp::proof::Outcome;
///
/// let text = "decl a; void main() begin a := F; while (*) do a := a & *; od assert(!a); end";
/// let tree = parse(text, Default::default()).expect("a program");
/// let program = resolve(Source::new("loop.bp", text), &tree, &Default::default()).expect("names");
/// let mut options = Options::default();
/// options.engine = Engine::Universal;
/// options.bound = Bound::Fixpoint;
/// let report = check(&program, &options, &Budget::unlimited(), &mut Silent)?;
/// assert!(matches!(report.outcome, Outcome::Safe(_)));
/// # Ok::<(), hardbop_bp::engine::EngineError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Bound {
    /// The reachability recurrence diameter: no execution visits one more new state.
    ///
    /// Eq. 9.
    Rrd,
    /// The last unrolling adds no state.
    ///
    /// Eq. 8.
    Fixpoint,
    /// The first, and now and then the second.
    ///
    /// Eq. 9; after 4, 8, 16, ... unrollings also Eq. 8.
    #[default]
    Both,
}

/// The graph, the path edges, the solvers: what all procedures share.
pub struct Workspace<'a> {
    pub aig: &'a mut Aig,
    pub prepared: &'a Prepared<'a>,
    pub edges: &'a mut EdgeArena,
    pub decider: &'a mut Decider,
    pub statistics: &'a mut Statistics,
    pub observer: &'a mut dyn Observer,
    pub budget: &'a Budget,
}

/// The universal summaries of all procedures that can have one, by procedure.  `limit` is the
/// largest size of a path edge, in nodes of the graph.
///
/// # Errors
/// If the budget is exhausted.
pub fn summarise(
    work: &mut Workspace,
    bound: Bound,
    limit: usize,
) -> Result<Vec<Option<Universal>>, Exhausted> {
    let prepared = work.prepared;
    let mut universal: Vec<Option<Universal>> = vec![None; prepared.program.procedures.len()];
    for component in &prepared.calls.components {
        for &p in component {
            let kept = prepared.slice.procedure(p).is_some() && !prepared.is_transparent(p);
            if kept && !prepared.calls.recursive[p.index()] && composable(prepared, p, &universal) {
                universal[p.index()] =
                    unroll::Unroll::new(work, p, &universal, bound, limit).run()?;
            }
        }
    }
    work.statistics.universal_summaries = universal.iter().flatten().count() as u64;
    Ok(universal)
}

/// Whether every callee that matters has a summary.
fn composable(prepared: &Prepared, p: ProcId, universal: &[Option<Universal>]) -> bool {
    let Some(kept) = prepared.slice.procedure(p) else { return false };
    let edges = prepared.program.procedure(p).edges.iter().zip(&kept.edges);
    edges.filter(|(_, kept)| **kept).all(|(e, _)| match &e.operation {
        Operation::Call(c) => {
            prepared.slice.procedure(c.callee).is_none()
                || prepared.is_transparent(c.callee)
                || universal[c.callee.index()].is_some()
        }
        _ => true,
    })
}
