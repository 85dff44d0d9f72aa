//! From a satisfiable error edge to a concrete execution.
//!
//! A model fixes every choice, so the origins of the path edge tell which blocks were executed
//! and which summaries were applied; summaries are unfolded the same way with the values that
//! the caller gave them.  The concrete interpreter then walks along, which also gives a value to
//! everything that slicing left out.

use std::rc::Rc;

use super::EngineError;
use super::decide::Model;
use super::edge::{EdgeArena, Origin, PathEdgeId, Renaming};
use super::prepare::Prepared;
use crate::bp::interpret::{Interpreter, StepError};
use crate::bp::program::{EdgeId, NodeId, Operation, ProcId};
use crate::budget::Budget;
use crate::logic::{Aig, Input};
use crate::sat::{Cadical, CircuitSolver, SatResult};
use crate::verdict::{Trace, TraceStep};

/// A feasible path edge of the entry procedure to its error node, with values of all choices.
#[derive(Debug, Clone)]
pub struct Failure {
    pub edge: PathEdgeId,
    pub model: Model,
}

/// The execution that `failure` describes.
///
/// # Errors
/// [`EngineError::TraceDoesNotReplay`] where the interpreter cannot follow.
pub fn trace(
    aig: &Aig,
    prepared: &Prepared,
    edges: &EdgeArena,
    failure: &Failure,
) -> Result<Trace, EngineError> {
    let unfold = Unfold { aig, prepared, edges };
    let values = Rc::new(failure.model.clone());
    let mut tasks = vec![Task::Follow(Activation { edge: failure.edge, values, call: None })];
    let mut walk: Option<Walk> = None;
    while let Some(task) = tasks.pop() {
        match (task, &mut walk) {
            (Task::Follow(activation), _) => unfold.expand(activation, &mut tasks)?,
            (Task::Start(values), _) => {
                walk = Some(Walk::new(prepared, unfold.initial_values(&values))?);
            }
            (Task::Block(step), Some(walk)) => walk.block(&step)?,
            (Task::Call(step, inner), Some(walk)) => walk.call(&step, &inner)?,
            (Task::Block(_) | Task::Call(..), None) => {
                return Err(EngineError::TraceDoesNotReplay("it does not start".into()));
            }
        }
    }
    match walk {
        Some(walk) if walk.interpreter.at_error() => {
            Ok(Trace { initial: walk.initial, steps: walk.steps })
        }
        _ => Err(EngineError::TraceDoesNotReplay("it ends before the error".into())),
    }
}

/// What a path edge means under an assignment.
struct Activation {
    edge: PathEdgeId,
    values: Rc<Model>,
    /// The call that entered it, for all but the entry procedure.
    call: Option<Step>,
}

/// Something to do from a node on, with the values of the choices that are consumed there.
struct Step {
    procedure: ProcId,
    node: NodeId,
    site: usize,
    renaming: Renaming,
    values: Rc<Model>,
}

impl Step {
    fn choice(&self, input: Option<Input>) -> bool {
        let Some(input) = input else { return false };
        let copy = self.renaming.iter().find(|(old, _)| *old == input).map_or(input, |r| r.1);
        self.values.get(&copy).copied().unwrap_or(false)
    }
}

enum Task {
    Follow(Activation),
    /// The program starts with these entry values.
    Start(Rc<Model>),
    Block(Step),
    /// The callee is entered with these entry values.
    Call(Step, Rc<Model>),
}

struct Unfold<'a> {
    aig: &'a Aig,
    prepared: &'a Prepared<'a>,
    edges: &'a EdgeArena,
}

impl Unfold<'_> {
    fn evaluate(&self, lit: crate::logic::Lit, values: &Model) -> bool {
        self.aig.evaluate(&[lit], |i| values.get(&i).copied().unwrap_or(false))[0]
    }

    fn initial_values(&self, main: &Model) -> Vec<bool> {
        let entry = self.prepared.program.entry;
        crate::bp::interpret::start_variables(self.prepared.program)
            .map(|v| self.entry_value(entry, v, main))
            .collect()
    }

    /// The value of a variable at the entry of its procedure.
    fn entry_value(&self, p: ProcId, v: crate::bp::program::VarId, values: &Model) -> bool {
        let slot = self.prepared.frame(p).slot(v);
        slot.and_then(|s| values.get(&self.prepared.blocks(p).inputs[s]).copied()).unwrap_or(false)
    }

    /// Pushes the steps of an activation, the last one first.
    fn expand(&self, activation: Activation, tasks: &mut Vec<Task>) -> Result<(), EngineError> {
        let Activation { edge, mut values, mut call } = activation;
        let mut at = edge;
        loop {
            match &self.edges.get(at).origin {
                Origin::Entry => {
                    tasks.push(match call.take() {
                        Some(step) => Task::Call(step, values),
                        None => Task::Start(values),
                    });
                    return Ok(());
                }
                Origin::Compact { of } => {
                    values = Rc::new(self.original_choices(at, *of, &values)?);
                    at = *of;
                }
                Origin::Merge { choose, left, right } => {
                    at = if self.evaluate(*choose, &values) { *left } else { *right };
                }
                Origin::Block { from, renaming } => {
                    let e = self.edges.get(*from);
                    tasks.push(Task::Block(Step {
                        procedure: e.procedure,
                        node: e.node,
                        site: 0,
                        renaming: Rc::clone(renaming),
                        values: Rc::clone(&values),
                    }));
                    at = *from;
                }
                Origin::Return { from, site, arguments, summary: callee, inner }
                | Origin::Fail { from, site, arguments, error: callee, inner } => {
                    let edge = *callee;
                    let e = self.edges.get(*from);
                    let callee = Rc::new(self.callee_values(*from, *site, arguments, inner, &values));
                    let step = Step {
                        procedure: e.procedure,
                        node: e.node,
                        site: *site,
                        renaming: Rc::clone(arguments),
                        values: Rc::clone(&values),
                    };
                    tasks.push(Task::Follow(Activation { edge, values: callee, call: Some(step) }));
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
        let value = |i: Input| values.get(&i).copied().unwrap_or(false);
        let wanted = self.aig.evaluate(&compact.state.omega, value);
        let mut solver = CircuitSolver::new(Cadical::new());
        solver.assert(self.aig, of.state.guard);
        let live = self.prepared.live(of.procedure, of.node);
        for slot in live.ones() {
            solver.assert(self.aig, of.state.omega[slot].xor_sign(!wanted[slot]));
        }
        let support = self.aig.support(of.state.roots());
        let mut model = Model::default();
        for &i in self.prepared.blocks(of.procedure).inputs.iter() {
            if self.prepared.is_entry_value(i) {
                solver.assert(self.aig, self.aig.input(i).xor_sign(!value(i)));
                model.insert(i, value(i));
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

    /// The values inside a call that returned: entry values as the caller gave them, choices as
    /// their copies.
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
        let value = |i: Input| values.get(&i).copied().unwrap_or(false);
        let state = self.aig.evaluate(&edge.state.omega, value);
        let mut model: Model = inner.iter().map(|&(old, new)| (old, value(new))).collect();
        let inputs = &self.prepared.blocks(edge.procedure).inputs;
        let callee = &self.prepared.blocks(site.callee).inputs;
        for &(slot, lit) in &site.arguments {
            let argument = self.aig.evaluate(&[lit], |i| {
                if let Some(s) = inputs.iter().position(|&x| x == i) {
                    return state[s];
                }
                let copy = arguments.iter().find(|(old, _)| *old == i).map_or(i, |r| r.1);
                value(copy)
            });
            model.insert(callee[slot], argument[0]);
        }
        for &(outer, inner) in &site.globals {
            model.insert(callee[inner], state[outer]);
        }
        model
    }
}

/// The interpreter, with the steps that it has taken.
struct Walk<'a> {
    prepared: &'a Prepared<'a>,
    interpreter: Interpreter<'a>,
    initial: Vec<bool>,
    steps: Vec<TraceStep>,
}

impl<'a> Walk<'a> {
    fn new(prepared: &'a Prepared<'a>, initial: Vec<bool>) -> Result<Self, EngineError> {
        let interpreter = Interpreter::new(prepared.program, &initial)
            .map_err(|e| EngineError::TraceDoesNotReplay(e.to_string()))?;
        Ok(Self { prepared, interpreter, initial, steps: vec![] })
    }

    fn stray(&self, what: impl std::fmt::Display) -> EngineError {
        EngineError::TraceDoesNotReplay(format!("after {} steps: {what}", self.steps.len()))
    }

    /// Executes a block: from its cut node to the next one.
    fn block(&mut self, step: &Step) -> Result<(), EngineError> {
        let blocks = self.prepared.blocks(step.procedure);
        if self.interpreter.position() != (step.procedure, step.node) {
            return Err(self.stray("the execution is not where the path edge is"));
        }
        let depth = self.interpreter.depth();
        let mut node = step.node;
        loop {
            let units = &blocks.units[node.index()];
            let unit = units
                .iter()
                .find(|u| u.split.is_none_or(|s| step.choice(Some(s))))
                .ok_or_else(|| self.stray("no way out of a block"))?;
            let taken = unit.edges.iter().find_map(|&e| self.take(step, e).transpose());
            taken.ok_or_else(|| self.stray("every way out is blocked"))??;
            // A step into the exit returns to the caller at once.
            if self.interpreter.depth() != depth {
                return Ok(());
            }
            node = self.interpreter.position().1;
            if blocks.cut[node.index()] {
                return Ok(());
            }
        }
    }

    /// Takes an edge; `None` where its condition is false.
    fn take(&mut self, step: &Step, edge: EdgeId) -> Result<Option<()>, EngineError> {
        let blocks = self.prepared.blocks(step.procedure);
        let choices = blocks.edge_choices[edge.index()].iter().map(|&i| step.choice(i)).collect();
        let taken = TraceStep { procedure: step.procedure, edge, choices };
        match self.interpreter.step(&taken) {
            Ok(_) => {
                self.steps.push(taken);
                Ok(Some(()))
            }
            Err(StepError::Blocked) => Ok(None),
            Err(e) => Err(self.stray(e)),
        }
    }

    /// Enters the callee of a call site.
    fn call(&mut self, step: &Step, inner: &Model) -> Result<(), EngineError> {
        let site = self.prepared.site(step.procedure, step.node, step.site);
        let blocks = self.prepared.blocks(step.procedure);
        let mut choices: Vec<bool> =
            blocks.edge_choices[site.edge.index()].iter().map(|&i| step.choice(i)).collect();
        let callee = self.prepared.procedure(site.callee);
        let frame = self.prepared.frame(site.callee);
        let inputs = &self.prepared.blocks(site.callee).inputs;
        choices.extend(callee.locals.iter().map(|&v| {
            let slot = frame.slot(v);
            slot.and_then(|s| inner.get(&inputs[s]).copied()).unwrap_or(false)
        }));
        debug_assert!(matches!(
            self.prepared.procedure(step.procedure).edge(site.edge).operation,
            Operation::Call(_)
        ));
        let taken = TraceStep { procedure: step.procedure, edge: site.edge, choices };
        self.interpreter.step(&taken).map_err(|e| self.stray(e))?;
        self.steps.push(taken);
        Ok(())
    }
}
