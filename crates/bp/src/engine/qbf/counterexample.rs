//! Makes a path of blocks from a satisfiable error edge.
//!
//! A model fixes every choice, so the origins of the path edge tell which blocks were executed and
//! which summaries were applied; summaries are unfolded the same way with the values that the
//! caller provides.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::engine::path;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::BlockStep;
use crate::engine::report::EngineError;
use crate::engine::symbolic::decide::Model;
use crate::engine::symbolic::edge::{EdgeArena, Origin, PathEdge, PathEdgeId, Renaming};
use hardbop_base::budget::Budget;
use hardbop_logic::sat::{Backend, CircuitSolver, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// A feasible path edge of the entry procedure to its error node, with values of all choices.
#[derive(Debug, Clone)]
pub struct Failure {
    pub edge: PathEdgeId,
    pub model: Model,
}

/// The path that `failure` describes.
///
/// # Errors
/// [`EngineError::TraceDoesNotReplay`] if the origins contradict the model; or if the budget is
/// exhausted.
pub fn path(
    aig: &Aig,
    prepared: &Prepared,
    edges: &EdgeArena,
    failure: &Failure,
    backend: Backend,
    budget: &Budget,
) -> Result<Vec<BlockStep>, path::Failure> {
    let (originals, solvers) = Default::default();
    let mut unfold = Unfold { aig, prepared, edges, backend, budget, originals, solvers };
    let values = Rc::new(failure.model.clone());
    let mut tasks = vec![Task::Follow(Activation { edge: failure.edge, values })];
    let mut path = vec![];
    while let Some(task) = tasks.pop() {
        // A path may be exponentially longer than the program.
        budget.check()?;
        match task {
            Task::Follow(activation) => unfold.expand(activation, &mut tasks)?,
            Task::Step(step) => path.push(step),
        }
    }
    Ok(path)
}

/// A path edge under an assignment, which makes it one execution.
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
    budget: &'a Budget,
    /// Choices of the originals of compacted states, by edge and assumptions.
    originals: FxHashMap<(PathEdgeId, Vec<Lit>), Rc<Model>>,
    solvers: FxHashMap<PathEdgeId, CircuitSolver>,
}

fn value(values: &Model, input: Input) -> bool {
    values.get(&input).copied().unwrap_or(false)
}

impl Unfold<'_> {
    /// Pushes the steps of an activation, last one first.
    fn expand(
        &mut self,
        activation: Activation,
        tasks: &mut Vec<Task>,
    ) -> Result<(), path::Failure> {
        let Activation { edge: mut at, mut values } = activation;
        loop {
            self.budget.check()?;
            match &self.edges.get(at).origin {
                Origin::Entry => return Ok(()),
                Origin::Compact { of } => {
                    values = self.original_choices(at, *of, &values)?;
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
                    tasks.push(Task::Step(BlockStep::Over { procedure, node, site, callee }));
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

    /// Choices that lead `of` to the same state as `values` lead `compact` to.  Results are cached,
    /// because long paths repeat these queries.
    fn original_choices(
        &mut self,
        compact: PathEdgeId,
        of: PathEdgeId,
        values: &Model,
    ) -> Result<Rc<Model>, path::Failure> {
        let (aig, backend) = (self.aig, self.backend);
        let (new, old) = (self.edges.get(compact), self.edges.get(of));
        let wanted = aig.evaluate(&new.state.omega, |i| value(values, i));
        let live = self.prepared.live(old.procedure, old.node);
        let inputs = self.prepared.blocks(old.procedure).inputs.iter().copied();
        let entries: Vec<Input> = inputs.filter(|&i| self.prepared.is_entry_value(i)).collect();
        let mut assumptions: Vec<Lit> =
            live.ones().map(|slot| old.state.omega[slot].xor_sign(!wanted[slot])).collect();
        assumptions.extend(entries.iter().map(|&i| aig.input(i).xor_sign(!value(values, i))));
        let key = (compact, assumptions);
        if let Some(known) = self.originals.get(&key) {
            return Ok(Rc::clone(known));
        }
        let solver = self.solvers.entry(compact).or_insert_with(|| {
            let mut solver = backend.circuit_solver();
            solver.assert(aig, old.state.guard);
            solver
        });
        match solver.solve(aig, &key.1, self.budget) {
            SatResult::Sat => {}
            SatResult::Unknown(reason) => return Err(reason.into()),
            SatResult::Unsat | SatResult::ConflictLimit => {
                let what = "a compacted state has no original".to_string();
                return Err(EngineError::TraceDoesNotReplay(what).into());
            }
        }
        let mut model: Model = entries.iter().map(|&i| (i, value(values, i))).collect();
        for i in aig.support(old.state.roots()) {
            if !self.prepared.is_entry_value(i) {
                model.insert(i, solver.value(aig, i));
            }
        }
        let model = Rc::new(model);
        self.originals.insert(key, Rc::clone(&model));
        Ok(model)
    }

    /// The values of a path edge's end state, by slot.
    fn state(&self, edge: PathEdgeId, values: &Model) -> Vec<bool> {
        self.aig.evaluate(&self.edges.get(edge).state.omega, |i| value(values, i))
    }

    /// The values inside a call: entry values from the caller, choices from their copies.
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

    /// Values for formulas over a procedure's state inputs and choices, at the end of a path edge.
    fn at(&self, edge: PathEdgeId, renaming: &Renaming, values: &Model) -> Model {
        let mut here = values.clone();
        here.extend(renaming.iter().map(|&(old, new)| (old, value(values, new))));
        let inputs = &self.prepared.blocks(self.edges.get(edge).procedure).inputs;
        here.extend(inputs.iter().copied().zip(self.state(edge, values)));
        here
    }
}
