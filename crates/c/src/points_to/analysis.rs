//! The pointer analysis of a whole program.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::carriers::carriers;
use super::solver::{Address, Node, Solver};
use serde::{Deserialize, Serialize};

use crate::flow::{Body, Expr, Flow, FunctionId, VariableId};
use crate::limits;
use crate::memory::{Layout, ObjectId, ObjectKind, Objects, Rounds, Shape, Uses};
use hardbop_base::budget::{Budget, Exhausted};

/// What undefined functions without a known effect do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Externals {
    /// They may write to whatever another file can name or was given, and call what they were given.
    #[default]
    Any,
    /// They may write to what they were given, and call nothing back.
    Reachable,
    /// They write nothing and call nothing back.
    Pure,
}

/// The possible callees of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// Functions with or without bodies, in order.
    pub functions: Vec<FunctionId>,
    /// Whether a function unknown to the program may be called, too.
    pub unknown: bool,
    /// Functions for which the call has too few or other arguments, so that calling one would have no meaning.
    pub misfits: Vec<FunctionId>,
}

/// The solution for a program, and the objects found.
#[derive(Debug)]
pub struct PointsTo<'a> {
    pub(super) flow: &'a Flow,
    pub(super) externals: Externals,
    /// The first undefined function found that is called.
    pub(super) unknown: Option<FunctionId>,
    pub(super) solver: Solver,
    /// Functions that may be called, in order of discovery.
    pub(super) reached: Vec<FunctionId>,
    pub(super) is_reached: Vec<bool>,
    pub(super) targets: FxHashMap<(FunctionId, u32), Targets>,
    pub(super) connected: FxHashSet<(FunctionId, u32, FunctionId)>,
    /// Integer variables whose addresses are tracked.
    pub(super) carriers: FxHashSet<VariableId>,
}

impl<'a> PointsTo<'a> {
    /// Analyses everything that `main` may call, with these rounds of allocations kept apart.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        flow: &'a Flow,
        externals: Externals,
        rounds: &Rounds,
        limits: limits::Memory,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut uses = Uses::new();
        loop {
            let objects = Objects::new(flow, uses.clone(), rounds.clone(), limits);
            let mut analysis = Self::with_objects(flow, externals, objects, limits, budget)?;
            // Larger objects may hold more pointers, through which there may be more uses. This
            // ends, because there are finitely many types.
            if !analysis.add_uses(&mut uses) {
                return Ok(analysis);
            }
        }
    }

    fn with_objects(
        flow: &'a Flow,
        externals: Externals,
        objects: Objects,
        limits: limits::Memory,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let word = u64::from(flow.types.model.word() / 8);
        let mut analysis = Self {
            flow,
            externals,
            unknown: None,
            solver: Solver::new(objects, word, limits.offsets),
            reached: Vec::new(),
            is_reached: vec![false; flow.functions.len()],
            targets: FxHashMap::default(),
            connected: FxHashSet::default(),
            carriers: carriers(flow),
        };
        analysis.start();
        let mut done = 0;
        loop {
            while let Some(&function) = analysis.reached.get(done) {
                done += 1;
                analysis.function(function);
            }
            analysis.solver.solve(budget)?;
            let calls = std::mem::take(&mut analysis.solver.calls);
            if calls.is_empty() {
                break;
            }
            for (caller, edge, object) in calls {
                analysis.indirect(caller, edge, object);
            }
        }
        for targets in analysis.targets.values_mut() {
            targets.functions.sort_unstable();
            targets.misfits.sort_unstable();
            targets.misfits.dedup();
        }
        Ok(analysis)
    }

    pub fn objects(&self) -> &Objects {
        &self.solver.objects
    }

    /// The layout of a shape.
    pub fn layout(&mut self, shape: Shape) -> Rc<Layout> {
        self.solver.objects.layout(self.flow, shape)
    }

    /// The functions that may be called, `main` among them, in order.
    pub fn reached(&self) -> Vec<FunctionId> {
        let mut reached = self.reached.clone();
        reached.sort_unstable();
        reached
    }

    /// The possible callees of the call on an edge.
    pub fn targets(&self, function: FunctionId, edge: u32) -> Targets {
        self.targets.get(&(function, edge)).cloned().unwrap_or_default()
    }

    /// The possible targets of a pointer in reachable code, in order; empty if it is always null or invalid.
    pub fn addresses(&mut self, pointer: &Expr) -> Vec<Address> {
        match self.value(pointer) {
            Some(node) => self.settled(node),
            None => Vec::new(),
        }
    }

    fn settled(&mut self, node: Node) -> Vec<Address> {
        // New nodes add nothing to the old ones, so this is quick, and the computation of the
        // solution has already checked the budget.
        let solved = self.solver.solve(&Budget::unlimited());
        debug_assert!(solved.is_ok(), "an unlimited budget does not end");
        self.solver.addresses(node)
    }

    /// An undefined function that is called, and a function with a body that such ones know; `None` if there are none.
    pub fn callback(&mut self) -> Option<(FunctionId, FunctionId)> {
        let unknown = self.unknown?;
        let all = (0..self.flow.functions.len() as u32).map(FunctionId);
        let known = all.filter(|f| self.flow.functions[f.0 as usize].body.is_some());
        let known: Vec<_> = known.map(|f| (f, self.solver.objects.function(f))).collect();
        let known = known.into_iter().find(|&(_, object)| self.has_escaped(object))?.0;
        Some((unknown, known))
    }

    /// Whether undefined functions know the object.
    pub fn has_escaped(&self, object: ObjectId) -> bool {
        self.solver.has_escaped(object)
    }

    pub(super) fn body(&self, function: FunctionId) -> Option<&'a Body> {
        self.flow.functions[function.0 as usize].body.as_ref()
    }

    /// The function that an object stands for, if any.
    pub(super) fn as_function(&self, object: ObjectId) -> Option<FunctionId> {
        match self.objects().get(object).kind {
            ObjectKind::Function(function) => Some(function),
            _ => None,
        }
    }
}
