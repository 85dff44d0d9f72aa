//! The concrete interpreter: executes traces, and is therefore their judge.
//!
//! Shares no code with the engines.  Frames are on the heap, so recursion depth is unlimited.
//! Choices are consumed in the order of [`TraceStep`].

pub mod threads;

use thiserror::Error;

use super::program::{
    Assignment, Call, Edge, EdgeId, Expr, NodeId, Op, Operation, ProcId, Procedure, Program, VarId,
};
use crate::language::trace::{Trace, TraceStep};

/// Why a step cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StepError {
    /// The edge does not exist.
    #[error("there is no edge {} in procedure number {}", edge.0, procedure.0)]
    NoSuchEdge { procedure: ProcId, edge: EdgeId },
    /// The edge belongs to a procedure other than the current one.
    #[error("the step is in procedure '{found}', but the execution is in '{expected}'")]
    WrongProcedure { expected: String, found: String },
    /// The edge starts at another node.
    #[error("the step starts at node {}, but the execution is at node {}", found.0, expected.0)]
    WrongNode { expected: NodeId, found: NodeId },
    /// There are too few or too many choices.
    #[error("the step makes {expected} choices, {found} given")]
    Choices { expected: usize, found: usize },
    /// An assumed condition is false.
    #[error("the assumed condition is false")]
    Blocked,
    /// The condition of `constrain` is false.
    #[error("the condition of 'constrain' is false")]
    Unconstrained,
    /// Another thread lets none step beside it.
    #[error("another thread is atomic")]
    Held,
    #[error("there is no thread {0}")]
    NoThread(usize),
    /// The edge is the way of a thread that is started.
    #[error("the edge is the beginning of a thread, not a step")]
    Born,
    /// The program itself is ill-formed; impossible for the result of
    /// [`resolve`](super::resolve::resolve).
    #[error("the operation of the edge is ill-formed")]
    IllFormed,
}

/// Why a trace is not an execution that reaches an error node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// There are too few or too many initial values.
    #[error("the program starts with {expected} initial values, {found} given")]
    Initial { expected: usize, found: usize },
    /// A step cannot be taken; steps count from 1.
    #[error("step {step}: {error}")]
    Step {
        step: usize,
        #[source]
        error: StepError,
    },
    /// All steps can be taken, but the last one does not reach an error node.
    #[error("after all {steps} steps no error is reached")]
    NoError { steps: usize },
}

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// A step of the trace; counts from 0.
    Step(usize),
    /// The callee of the edge, a call, returned, and the targets are assigned.
    Return,
}

/// One event of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub kind: EventKind,
    /// The procedure of the edge (for a return: the caller).
    pub procedure: ProcId,
    pub edge: EdgeId,
    /// Number of open calls around the edge: 0 in the entry procedure.
    pub depth: usize,
    /// The changed variables with their new values.  A call lists all formals and locals of the
    /// callee, a step into the exit all return slots, even if the value is the old one.
    pub changed: Vec<(VarId, bool)>,
}

/// An execution of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Globals, formals and locals of the entry procedure at the start.
    pub initial: Vec<(VarId, bool)>,
    /// The events in chronological order.  An implicit return follows the step that reaches the
    /// exit.
    pub events: Vec<Event>,
}

/// Executes `trace` from the start of the program to an error node.
///
/// # Errors
///
/// The first thing that prevents such an execution.
pub fn replay(program: &Program, trace: &Trace) -> Result<Replay, ReplayError> {
    let mut interpreter = Interpreter::new(program, &trace.initial)?;
    let initial = start_variables(program).map(|v| (v, interpreter.value(v))).collect::<Vec<_>>();
    let mut events = Vec::with_capacity(trace.steps.len());
    for (index, step) in trace.steps.iter().enumerate() {
        let new =
            interpreter.step(step).map_err(|error| ReplayError::Step { step: index + 1, error })?;
        events.extend(new);
    }
    if interpreter.at_error() {
        Ok(Replay { initial, events })
    } else {
        Err(ReplayError::NoError { steps: trace.steps.len() })
    }
}

/// The variables of [`Trace::initial`], in its order.
pub fn start_variables(program: &Program) -> impl Iterator<Item = VarId> + '_ {
    let entry = program.procedure(program.entry);
    program.globals.iter().chain(&entry.formals).chain(&entry.locals).copied()
}

/// An open activation of a procedure.
#[derive(Debug)]
struct Frame {
    procedure: ProcId,
    /// The current node; for a caller, where the call edge starts.
    node: NodeId,
    /// The call edge being executed; for the innermost frame, the last one.
    call: EdgeId,
    /// The values of its variables in an outer activation of the same procedure, if any.
    outer: Vec<bool>,
}

/// The state of an execution.
#[derive(Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    /// The value of each variable; variables of a procedure have the values of its innermost
    /// activation.
    values: Vec<bool>,
    /// Outermost first; never empty.
    frames: Vec<Frame>,
    steps: usize,
}

impl<'p> Interpreter<'p> {
    /// An execution at the entry of the program, with the given initial values (see
    /// [`Trace::initial`]).
    ///
    /// # Errors
    ///
    /// [`ReplayError::Initial`] if their number is wrong.
    pub fn new(program: &'p Program, initial: &[bool]) -> Result<Self, ReplayError> {
        let expected = start_variables(program).count();
        if expected != initial.len() {
            return Err(ReplayError::Initial { expected, found: initial.len() });
        }
        let mut values = vec![false; program.variables.len()];
        for (variable, &value) in start_variables(program).zip(initial) {
            values[variable.index()] = value;
        }
        let node = program.procedure(program.entry).entry;
        let frame = Frame { procedure: program.entry, node, call: EdgeId(0), outer: Vec::new() };
        Ok(Self { program, values, frames: vec![frame], steps: 0 })
    }

    /// The value of a variable; for a procedure that is not open, its last value.
    pub fn value(&self, variable: VarId) -> bool {
        self.values[variable.index()]
    }

    /// The procedure and the node where the execution is.
    pub fn position(&self) -> (ProcId, NodeId) {
        let frame = self.frame();
        (frame.procedure, frame.node)
    }

    /// Number of open calls: 0 in the entry procedure.
    pub fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    /// Whether the execution is at an error node.
    pub fn at_error(&self) -> bool {
        let (procedure, node) = self.position();
        self.program.procedure(procedure).error == node
    }

    /// Takes a step, and all returns that follow from it.
    ///
    /// # Errors
    ///
    /// Why the step cannot be taken; the state is then unchanged.
    pub fn step(&mut self, step: &TraceStep) -> Result<Vec<Event>, StepError> {
        let program = self.program;
        let edge = self.edge_of(step)?;
        let mut choices = Choices(&step.choices);
        let depth = self.depth();
        let mut changed = Vec::new();
        match &edge.operation {
            Operation::Skip => {
                choices.expect(0)?;
                self.move_to(edge.target);
            }
            Operation::Assume(condition) => {
                choices.expect(condition.choices())?;
                if !self.evaluate(condition, &mut choices, &[])? {
                    return Err(StepError::Blocked);
                }
                self.move_to(edge.target);
            }
            Operation::Assign(assignment) => {
                let new = self.assigned(assignment, &mut choices)?;
                let to_exit = edge.target == program.procedure(step.procedure).exit;
                for (variable, value) in new {
                    let old = std::mem::replace(&mut self.values[variable.index()], value);
                    if to_exit || old != value {
                        changed.push((variable, value));
                    }
                }
                self.move_to(edge.target);
            }
            Operation::Call(call) => changed = self.enter(call, step.edge, &mut choices)?,
        }
        let kind = EventKind::Step(self.steps);
        self.steps += 1;
        let (procedure, edge) = (step.procedure, step.edge);
        let mut events = vec![Event { kind, procedure, edge, depth, changed }];
        while self.depth() > 0 && self.at_exit() {
            events.extend(self.leave());
        }
        Ok(events)
    }

    fn frame(&self) -> &Frame {
        self.frames.last().expect("the entry procedure's frame is never popped")
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the entry procedure's frame is never popped")
    }

    fn move_to(&mut self, node: NodeId) {
        self.frame_mut().node = node;
    }

    fn at_exit(&self) -> bool {
        let (procedure, node) = self.position();
        self.program.procedure(procedure).exit == node
    }

    /// The edge of a step, which must start here.
    fn edge_of(&self, step: &TraceStep) -> Result<&'p Edge, StepError> {
        let TraceStep { procedure, edge, .. } = *step;
        let procedures = &self.program.procedures;
        let found = procedures.get(procedure.index());
        let Some((found, taken)) = found.and_then(|p| Some((p, p.edges.get(edge.index())?))) else {
            return Err(StepError::NoSuchEdge { procedure, edge });
        };
        let (current, node) = self.position();
        if procedure != current {
            let expected = self.program.procedure(current).name.clone();
            return Err(StepError::WrongProcedure { expected, found: found.name.clone() });
        }
        if taken.source != node {
            return Err(StepError::WrongNode { expected: node, found: taken.source });
        }
        Ok(taken)
    }

    /// The new values of an assignment's targets.
    fn assigned(
        &self,
        assignment: &Assignment,
        choices: &mut Choices<'_>,
    ) -> Result<Vec<(VarId, bool)>, StepError> {
        let Assignment { targets, values, constrain } = assignment;
        choices.expect(values.iter().chain(constrain).map(Expr::choices).sum())?;
        let mut new = Vec::with_capacity(targets.len());
        for (&target, value) in targets.iter().zip(values) {
            new.push((target, self.evaluate(value, choices, &[])?));
        }
        if let Some(condition) = constrain {
            let mut next = new.clone();
            next.sort_unstable();
            if !self.evaluate(condition, choices, &next)? {
                return Err(StepError::Unconstrained);
            }
        }
        Ok(new)
    }

    /// Opens the callee; returns its formals and locals.
    fn enter(
        &mut self,
        call: &Call,
        edge: EdgeId,
        choices: &mut Choices<'_>,
    ) -> Result<Vec<(VarId, bool)>, StepError> {
        let callee = self.program.procedure(call.callee);
        let inner: usize = call.arguments.iter().map(Expr::choices).sum();
        choices.expect(inner + callee.locals.len())?;
        let mut new = Vec::with_capacity(callee.formals.len() + callee.locals.len());
        for (&formal, argument) in callee.formals.iter().zip(&call.arguments) {
            new.push((formal, self.evaluate(argument, choices, &[])?));
        }
        for &local in &callee.locals {
            new.push((local, choices.next()?));
        }
        let outer = own(callee).map(|v| self.value(v)).collect();
        for &(variable, value) in &new {
            self.values[variable.index()] = value;
        }
        for slot in &callee.returns {
            self.values[slot.index()] = false;
        }
        self.frame_mut().call = edge;
        let procedure = call.callee;
        self.frames.push(Frame { procedure, node: callee.entry, call: EdgeId(0), outer });
        Ok(new)
    }

    /// Closes the innermost procedure, which is at its exit.
    fn leave(&mut self) -> Option<Event> {
        let frame = self.frames.pop()?;
        let callee = self.program.procedure(frame.procedure);
        let results: Vec<bool> = callee.returns.iter().map(|&v| self.value(v)).collect();
        for (variable, value) in own(callee).zip(frame.outer) {
            self.values[variable.index()] = value;
        }
        let depth = self.depth();
        let &Frame { procedure, call: id, .. } = self.frame();
        let edge = self.program.procedure(procedure).edge(id);
        self.move_to(edge.target);
        let Operation::Call(call) = &edge.operation else { return None };
        let mut changed = Vec::new();
        for (target, value) in call.targets.iter().zip(results) {
            let Some(target) = *target else { continue };
            if std::mem::replace(&mut self.values[target.index()], value) != value {
                changed.push((target, value));
            }
        }
        Some(Event { kind: EventKind::Return, procedure, edge: id, depth, changed })
    }

    /// The value of an expression; `next` holds the next-state values, sorted.
    fn evaluate(
        &self,
        expression: &Expr,
        choices: &mut Choices<'_>,
        next: &[(VarId, bool)],
    ) -> Result<bool, StepError> {
        let mut stack: Vec<bool> = Vec::new();
        for op in expression.ops.iter() {
            let value = match *op {
                Op::Constant(value) => value,
                Op::Variable(v) => self.value(v),
                Op::Next(v) => next
                    .binary_search_by_key(&v, |&(target, _)| target)
                    .map_or(self.value(v), |i| next[i].1),
                Op::Nondet => choices.next()?,
                Op::Not => !stack.pop().ok_or(StepError::IllFormed)?,
                Op::And | Op::Or | Op::Xor | Op::Equal | Op::Implies | Op::Choose => {
                    let b = stack.pop().ok_or(StepError::IllFormed)?;
                    let a = stack.pop().ok_or(StepError::IllFormed)?;
                    match op {
                        Op::And => a && b,
                        Op::Or => a || b,
                        Op::Xor => a != b,
                        Op::Equal => a == b,
                        Op::Implies => !a || b,
                        _ => {
                            let fresh = choices.next()?;
                            a || (!b && fresh)
                        }
                    }
                }
            };
            stack.push(value);
        }
        match stack[..] {
            [value] => Ok(value),
            _ => Err(StepError::IllFormed),
        }
    }
}

/// The variables of one activation of a procedure.
fn own(procedure: &Procedure) -> impl Iterator<Item = VarId> + '_ {
    procedure.formals.iter().chain(&procedure.locals).chain(&procedure.returns).copied()
}

/// The remaining choices of a step.
struct Choices<'t>(&'t [bool]);

impl Choices<'_> {
    fn expect(&self, expected: usize) -> Result<(), StepError> {
        if self.0.len() == expected {
            Ok(())
        } else {
            Err(StepError::Choices { expected, found: self.0.len() })
        }
    }

    fn next(&mut self) -> Result<bool, StepError> {
        let (&first, rest) = self.0.split_first().ok_or(StepError::IllFormed)?;
        self.0 = rest;
        Ok(first)
    }
}
