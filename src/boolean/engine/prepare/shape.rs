//! What of a slice does not depend on the variables that are looked at: the searches of a goal share it.

use std::cell::RefCell;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::callgraph::CallGraph;
use super::order::{Order, weak_topological_order};
use super::slice::Slice;
use crate::boolean::language::program::{EdgeId, ProcId, Program};

/// The order of the nodes of each procedure that matters, and who calls whom.
#[derive(Debug)]
pub struct Shape {
    pub orders: Vec<Option<Rc<Order>>>,
    pub calls: Rc<CallGraph>,
    pub passable: Rc<Passable>,
}

/// The edges that are known to be passable, or not to be, when all variables are left out.  That is so in every slice of
/// a program.
#[derive(Debug, Default)]
pub struct Passable(RefCell<FxHashMap<(ProcId, EdgeId), bool>>);

impl Passable {
    /// What is known of an edge, or else what `decide` says.
    ///
    /// # Errors
    /// Those of `decide`.
    pub fn get<E>(
        &self,
        edge: (ProcId, EdgeId),
        decide: impl FnOnce() -> Result<bool, E>,
    ) -> Result<bool, E> {
        if let Some(&known) = self.0.borrow().get(&edge) {
            return Ok(known);
        }
        let decided = decide()?;
        self.0.borrow_mut().insert(edge, decided);
        Ok(decided)
    }
}

impl Shape {
    pub fn new(program: &Program, slice: &Slice, passable: Rc<Passable>) -> Self {
        let order = |p: ProcId| {
            let kept = slice.procedure(p)?;
            let procedure = program.procedure(p);
            Some(Rc::new(weak_topological_order(procedure, &kept.nodes, &kept.edges)))
        };
        let orders = program.procedure_ids().map(order).collect();
        Self { orders, calls: Rc::new(CallGraph::new(program, slice)), passable }
    }
}

/// A slice with its shape.
#[derive(Debug, Clone)]
pub struct Shaped {
    pub slice: Slice,
    pub shape: Rc<Shape>,
}

impl Shaped {
    pub fn new(program: &Program, slice: Slice, passable: Rc<Passable>) -> Self {
        let shape = Rc::new(Shape::new(program, &slice, passable));
        Self { slice, shape }
    }

    /// The same nodes and edges with fewer variables.
    #[must_use]
    pub fn restrict(&self, program: &Program, relevant: FixedBitSet) -> Self {
        Self { slice: self.slice.restrict(program, relevant), shape: Rc::clone(&self.shape) }
    }
}
