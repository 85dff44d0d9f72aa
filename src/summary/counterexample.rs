//! From a satisfiable error edge to a path of blocks.
//!
//! A model fixes every choice, so the origins of the path edge tell which blocks were executed
//! and which summaries were applied; summaries are unfolded the same way with the values that
//! the caller gave them.

use std::rc::Rc;

use super::EngineError;
use super::decide::Model;
use super::edge::{EdgeArena, Origin, PathEdge, PathEdgeId, Renaming};
use super::prepare::Prepared;
use super::prepare::block::BlockStep;
use crate::budget::Budget;
use crate::logic::{Aig, Input, Lit};
use crate::sat::{Backend, SatResult};

/// A feasible path edge of the entry procedure to its error node, with values of all choices.
#[derive(Debug, Clone)]
pub struct Failure {
    pub edge: PathEdgeId,
    pub model: Model,
}

/// The path that `failure` describes.
///
/// # Errors
/// [`EngineError::TraceDoesNotReplay`] where the origins contradict the model.
pub fn path(
    aig: &Aig,
    prepared: &Prepared,
    edges: &EdgeArena,
    failure: &Failure,
    backend: Backend,
) -> Result<Vec<BlockStep>, EngineError> {
    let unfold = Unfold { aig, prepared, edges, backend };
    let values = Rc::new(failure.model.clone());
    let mut tasks = vec![Task::Follow(Activation { edge: failure.edge, values })];
    let mut path = vec![];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Follow(activation) => unfold.expand(activation, &mut tasks)?,
            Task::Step(step) => path.push(step),
        }
    }
    Ok(path)
}

/// What a path edge means under an assignment.
struct Activation {
    edge: PathEdgeId,
    values: Rc<Model>,
}

enum Task {
    Follow(Activation),
    Step(BlockStep),
}

struct Unfold<'a> {
    aig: &'a Aig,
    prepared: &'a Prepared<'a>,
    edges: &'a EdgeArena,
    backend: Backend,
}

fn value(values: &Model, input: Input) -> bool {
    values.get(&input).copied().unwrap_or(false)
}

impl Unfold<'_> {
    /// Pushes the steps of an activation, the last one first.
    fn expand(&self, activation: Activation, tasks: &mut Vec<Task>) -> Result<(), EngineError> {
        let Activation { edge: mut at, mut values } = activation;
        loop {
            match &self.edges.get(at).origin {
                Origin::Entry => return Ok(()),
                Origin::Compact { of } => {
                    values = Rc::new(self.original_choices(at, *of, &values)?);
                    at = *of;
                }
                Origin::Merge { choose, left, right } => {
                    let left_side = self.aig.evaluate(&[*choose], |i| value(&values, i))[0];
                    at = if left_side { *left } else { *right };
                }
                Origin::Block { from, .. } => {
                    let (source, target) = (self.edges.get(*from), self.edges.get(at).node);
                    tasks.push(Task::Step(BlockStep::Block {
                        procedure: source.procedure,
                        node: source.node,
                        target,
                    }));
                    at = *from;
                }
                Origin::Skip { from, site } => {
                    let &PathEdge { procedure, node, .. } = self.edges.get(*from);
                    let site = *site;
                    let callee = self.prepared.site(procedure, node, site).callee;
                    tasks.push(Task::Step(BlockStep::Return));
                    let inside = self.prepared.transparent(callee).unwrap_or_default();
                    tasks.extend(inside.iter().rev().copied().map(Task::Step));
                    tasks.push(Task::Step(BlockStep::Call { procedure, node, site }));
                    at = *from;
                }
                origin @ (Origin::Return { from, site, arguments, summary: callee, inner }
                | Origin::Fail { from, site, arguments, error: callee, inner }) => {
                    let entered = self.callee_values(*from, *site, arguments, inner, &values);
                    if matches!(origin, Origin::Return { .. }) {
                        tasks.push(Task::Step(BlockStep::Return));
                    }
                    let (edge, values) = (*callee, Rc::new(entered));
                    tasks.push(Task::Follow(Activation { edge, values }));
                    let &PathEdge { procedure, node, .. } = self.edges.get(*from);
                    let site = *site;
                    tasks.push(Task::Step(BlockStep::Call { procedure, node, site }));
                    at = *from;
                }
            }
        }
    }

    /// Choices of `of` that lead to the state to which `values` lead in `compact`.
    fn original_choices(
        &self,
        compact: PathEdgeId,
        of: PathEdgeId,
        values: &Model,
    ) -> Result<Model, EngineError> {
        let (compact, of) = (self.edges.get(compact), self.edges.get(of));
        let wanted = self.aig.evaluate(&compact.state.omega, |i| value(values, i));
        let mut solver = self.backend.circuit_solver();
        solver.assert(self.aig, of.state.guard);
        let live = self.prepared.live(of.procedure, of.node);
        for slot in live.ones() {
            solver.assert(self.aig, of.state.omega[slot].xor_sign(!wanted[slot]));
        }
        let support = self.aig.support(of.state.roots());
        let mut model = Model::default();
        for &i in self.prepared.blocks(of.procedure).inputs.iter() {
            if self.prepared.is_entry_value(i) {
                solver.assert(self.aig, self.aig.input(i).xor_sign(!value(values, i)));
                model.insert(i, value(values, i));
            }
        }
        if solver.solve(self.aig, &[], &Budget::unlimited()) != SatResult::Sat {
            let what = "a compacted state has no original".to_string();
            return Err(EngineError::TraceDoesNotReplay(what));
        }
        for i in support.into_iter().filter(|&i| !self.prepared.is_entry_value(i)) {
            model.insert(i, solver.value(self.aig, i));
        }
        Ok(model)
    }

    /// The state at the end of a path edge as values of its procedure's state inputs.
    fn state(&self, edge: PathEdgeId, values: &Model) -> Vec<bool> {
        self.aig.evaluate(&self.edges.get(edge).state.omega, |i| value(values, i))
    }

    /// The values inside a call: entry values as the caller gives them, choices as their copies.
    fn callee_values(
        &self,
        from: PathEdgeId,
        site: usize,
        arguments: &Renaming,
        inner: &Renaming,
        values: &Model,
    ) -> Model {
        let edge = self.edges.get(from);
        let site = self.prepared.site(edge.procedure, edge.node, site);
        let here = self.at(from, arguments, values);
        let state = self.state(from, values);
        let mut model: Model = inner.iter().map(|&(old, new)| (old, value(values, new))).collect();
        let callee = &self.prepared.blocks(site.callee).inputs;
        let literals: Vec<Lit> = site.arguments.iter().map(|a| a.1).collect();
        let passed = self.aig.evaluate(&literals, |i| value(&here, i));
        for (&(slot, _), argument) in site.arguments.iter().zip(passed) {
            model.insert(callee[slot], argument);
        }
        for &(outer, inner) in &site.globals {
            model.insert(callee[inner], state[outer]);
        }
        model
    }

    /// Values for what is encoded over a procedure's state inputs and choices at the end of a
    /// path edge.
    fn at(&self, edge: PathEdgeId, renaming: &Renaming, values: &Model) -> Model {
        let mut here = values.clone();
        here.extend(renaming.iter().map(|&(old, new)| (old, value(values, new))));
        let inputs = &self.prepared.blocks(self.edges.get(edge).procedure).inputs;
        here.extend(inputs.iter().copied().zip(self.state(edge, values)));
        here
    }
}
