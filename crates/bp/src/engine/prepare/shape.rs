//! The part of a slice that does not depend on the variables that are looked at: the searches of a
//! goal share it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::callgraph::CallGraph;
use super::order::{Order, weak_topological_order};
use super::slice::Slice;
use crate::language::program::{EdgeId, ProcId, Program};

/// The order of the nodes of each procedure that matters, and who calls whom.
#[derive(Debug)]
pub struct Shape {
    pub orders: Vec<Option<Arc<Order>>>,
    pub calls: Arc<CallGraph>,
    pub passable: Arc<Passable>,
}

/// The edges that are known to be passable, or not to be, when all variables are left out.  That is
/// so in every slice of a program.
#[derive(Debug, Default)]
pub struct Passable {
    /// The edges that are known to all parts of a run.
    shared: Arc<FxHashMap<(ProcId, EdgeId), bool>>,
    own: Mutex<FxHashMap<(ProcId, EdgeId), bool>>,
}

impl Passable {
    /// Whether an edge is passable, as it is known, or else as `decide` says.
    ///
    /// # Errors
    /// Those of `decide`.
    pub fn get<E>(
        &self,
        edge: (ProcId, EdgeId),
        decide: impl FnOnce() -> Result<bool, E>,
    ) -> Result<bool, E> {
        if let Some(&known) = self.shared.get(&edge).or(self.own().get(&edge)) {
            return Ok(known);
        }
        let decided = decide()?;
        self.own().insert(edge, decided);
        Ok(decided)
    }

    fn own(&self) -> MutexGuard<'_, FxHashMap<(ProcId, EdgeId), bool>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This knowledge for a part of the run beside others: what one of them finds is not known to
    /// the others, so that their work does not depend on the scheduler.
    pub fn fork(&mut self) -> Self {
        let found = std::mem::take(&mut *self.own());
        // Parts that were forked just now hold it, too.
        if !found.is_empty() {
            Arc::make_mut(&mut self.shared).extend(found);
        }
        Self { shared: Arc::clone(&self.shared), own: Mutex::default() }
    }

    /// Adds what a part has found.
    pub fn join(&mut self, part: &Self) {
        self.own().extend(part.own().drain());
    }
}

impl Shape {
    pub fn new(program: &Program, slice: &Slice, passable: Arc<Passable>) -> Self {
        let order = |p: ProcId| {
            let kept = slice.procedure(p)?;
            let procedure = program.procedure(p);
            Some(Arc::new(weak_topological_order(procedure, &kept.nodes, &kept.edges)))
        };
        let orders = program.procedure_ids().map(order).collect();
        Self { orders, calls: Arc::new(CallGraph::new(program, slice)), passable }
    }
}

/// A slice with its shape.
#[derive(Debug, Clone)]
pub struct Shaped {
    pub slice: Slice,
    pub shape: Arc<Shape>,
}

impl Shaped {
    pub fn new(program: &Program, slice: Slice, passable: Arc<Passable>) -> Self {
        let shape = Arc::new(Shape::new(program, &slice, passable));
        Self { slice, shape }
    }

    /// This slice with the same nodes and edges, and fewer variables.
    #[must_use]
    pub fn restrict(&self, program: &Program, relevant: FixedBitSet) -> Self {
        Self { slice: self.slice.restrict(program, relevant), shape: Arc::clone(&self.shape) }
    }
}
