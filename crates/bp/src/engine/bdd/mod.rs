//! BDD summaries: Bebop's algorithm (Ball and Rajamani, "Bebop: a symbolic model checker for
//! Boolean programs", SPIN 2000).
//!
//! Path edges and summary edges are relations between entry values and current values, as BDDs, at
//! the cut nodes of the prepared program ([`super::prepare`]): the same slices, blocks and live
//! variables as for the other engines.  There, a path edge is a function of entry values and
//! choices, valid in every context; here, a relation holds exactly what is reachable.  So a context
//! is a set of entry values, and an error node reached in any procedure is an error of the program.
//!
//! *Images.*  A block or a call is a `relation`, partitioned if it is large; its choices are
//! quantified when it is made, and what is dead afterwards is quantified in the relational product.
//! Only what a step changes has a next value and is renamed.  Only the frontier, what is new at a
//! node, is expanded (the library has no simplification by a care set that could make it smaller).
//! Whatever waits at a node is merged, in weak topological order, callees first.
//!
//! *Tables.*  Work begins in a small table of nodes; when it is full, work starts again in a larger
//! one, up to what the memory limit allows.  When the largest is full, the answer is UNKNOWN.

mod fixpoint;
mod order;
mod relation;
mod rings;
mod space;
mod steps;
mod trace;

use super::evidence::Recorder;
use super::guide::way::Way;
use super::limits::Limits;
use super::observer::Observer;
use super::path;
use super::prepare::Prepared;
use super::statistics::Statistics;
use hardbop_base::budget::{Budget, Exhausted, SolverFailure};
use hardbop_logic::Aig;
use hardbop_logic::bdd::{Manager, Size, Stop};

use fixpoint::Fixpoint;
pub use order::VariableOrder;
use space::Space;
use steps::World;

/// Stack for the operations, which recurse from variable to variable: bytes per variable, and a
/// fixed part.  Many times what was measured; it is reserved, not used.
const STACK_PER_VARIABLE: usize = 2 << 10;
const STACK: usize = 16 << 20;

/// The tables of nodes to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// The smallest tables only.
    Smallest,
    /// Larger and larger ones.
    All,
}

/// How to search.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    pub order: VariableOrder,
    pub tables: Tables,
    pub limits: &'a Limits,
}

/// A path of blocks to an error node, if one is reachable.
///
/// # Errors
/// If the budget is exhausted or the largest table is full; an engine error if the rings are
/// inconsistent.
pub fn search(
    aig: &Aig,
    prepared: &Prepared,
    how: How,
    budget: &Budget,
    observer: &mut dyn Observer,
    statistics: &mut Statistics,
    mut recorder: Option<&mut Recorder>,
) -> Result<Option<Way>, path::Failure> {
    statistics.aig_nodes = statistics.aig_nodes.max(aig.len() as u64);
    let space = Space::new(aig, prepared, how.order, how.limits, budget)?;
    let world = World { aig, prepared, space: &space, limits: &how.limits.bdd };
    let before = statistics.clone();
    let mut sizes = Size::steps(budget);
    if how.tables == Tables::Smallest {
        sizes.truncate(1);
    }
    for (i, &size) in sizes.iter().enumerate() {
        let stack = STACK + STACK_PER_VARIABLE * space.len();
        let recorder = recorder.as_deref_mut();
        let mut recorder = Some(recorder);
        let mut attempt =
            || run(world, size, budget, observer, statistics, recorder.take().flatten());
        match stacker::grow(stack, &mut attempt) {
            Ok(path) => return Ok(path),
            Err(trace::Failure::Engine(e)) => return Err(e.into()),
            Err(trace::Failure::Stop(Stop::Exhausted(reason))) => return Err(reason.into()),
            Err(trace::Failure::Stop(Stop::Full)) => {}
        }
        statistics.bdd_tables += 1;
        if i + 1 == sizes.len() {
            break;
        }
        // Counters of a failed attempt are dropped, except those of its table.
        let Statistics { bdd_nodes, bdd_collections, bdd_tables, .. } = *statistics;
        *statistics = Statistics { bdd_nodes, bdd_collections, bdd_tables, ..before.clone() };
    }
    let full = match budget.memory_limit() {
        Some(_) => Exhausted::Memory,
        None => SolverFailure::Table.into(),
    };
    Err(full.into())
}

/// Makes one attempt, in a table of the given size.
fn run(
    world: World,
    size: Size,
    budget: &Budget,
    observer: &mut dyn Observer,
    statistics: &mut Statistics,
    recorder: Option<&mut Recorder>,
) -> Result<Option<Way>, trace::Failure> {
    let m = Manager::new(world.space.len(), size, budget)?;
    let (nodes, collections) = (statistics.bdd_nodes, statistics.bdd_collections);
    let mut fixpoint = Fixpoint::new(m, world, observer, statistics);
    let path = match fixpoint.run() {
        Ok(None) => {
            if let Some(recorder) = recorder {
                let order = world.space.atoms(world.prepared.program);
                recorder.diagrams(world.prepared, &order, |p, n| fixpoint.reached(p, n));
            }
            Ok(None)
        }
        Ok(Some(reached)) => fixpoint.path(reached).map(Some),
        Err(stop) => Err(stop.into()),
    };
    let (peak, collected) = (fixpoint.m.peak() as u64, fixpoint.m.collections());
    statistics.bdd_nodes = nodes.max(peak);
    statistics.bdd_collections = collections + collected;
    path
}
