//! Executions of programs with threads: one [`Interpreter`] for each thread, and the rules that tie
//! them together.  It is the judge of traces, and shares no code with the search for them.
//!
//! Threads have numbers in the order in which they begin, from 0.  Before a thread steps, it gets
//! the values of the shared globals, and gives them back afterwards.

use serde::{Deserialize, Serialize};

use super::{Choices, Event, Frame, Interpreter, ReplayError, StepError, start_variables};
use crate::language::concurrent::{Broadcast, Concurrent, ThreadStep};
use crate::language::program::{Call, EdgeId, Expr, NodeId, Operation, ProcId, VarId};
use crate::language::trace::TraceStep;

/// An execution of a program with threads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ThreadTrace {
    /// As in [`Trace`](crate::language::trace::Trace).
    pub initial: Vec<bool>,
    /// The steps, each with the number of its thread.  Choices are those of the operation; then
    /// those of arguments and the initial values of locals, where a thread begins with a procedure;
    /// of an assignment to other threads, those for each of these that has the variables, in the
    /// order of their numbers.
    pub steps: Vec<(usize, TraceStep)>,
}

/// An event of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvent {
    pub thread: usize,
    pub event: Event,
    /// Variables of other threads that change: thread, variable, new value.
    pub others: Vec<(usize, VarId, bool)>,
    /// The thread that begins.
    pub started: Option<usize>,
    /// Whether the thread ends.
    pub ended: bool,
}

/// An execution of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadReplay {
    pub initial: Vec<(VarId, bool)>,
    pub events: Vec<ThreadEvent>,
}

/// Executes `trace` from the start of the program to an error node.
///
/// # Errors
///
/// The first thing that prevents such an execution.
pub fn replay_threads(
    program: &Concurrent,
    trace: &ThreadTrace,
) -> Result<ThreadReplay, ReplayError> {
    let mut execution = Threads::new(program, &trace.initial)?;
    let initial = start_variables(&program.program).zip(trace.initial.iter().copied()).collect();
    let mut events = Vec::with_capacity(trace.steps.len());
    for (index, (thread, step)) in trace.steps.iter().enumerate() {
        let new = execution.step(*thread, step);
        events.extend(new.map_err(|error| ReplayError::Step { step: index + 1, error })?);
    }
    match trace.steps.last() {
        Some(&(thread, _)) if execution.at_error(thread) => Ok(ThreadReplay { initial, events }),
        _ => Err(ReplayError::NoError { steps: trace.steps.len() }),
    }
}

/// A thread that has not ended.
#[derive(Debug)]
struct Thread<'p> {
    interpreter: Interpreter<'p>,
    /// Whether it is behind `atomic_begin`.
    atomic: bool,
}

/// The state of an execution.
#[derive(Debug)]
pub struct Threads<'p> {
    program: &'p Concurrent,
    /// The values of the shared globals, in the order of [`Concurrent::shared`].
    shared: Vec<bool>,
    /// By their numbers.
    threads: Vec<Option<Thread<'p>>>,
    steps: usize,
}

impl<'p> Threads<'p> {
    /// An execution with one thread, at the entry of the program.
    ///
    /// # Errors
    ///
    /// [`ReplayError::Initial`] if the number of values is wrong.
    pub fn new(program: &'p Concurrent, initial: &[bool]) -> Result<Self, ReplayError> {
        let interpreter = Interpreter::new(&program.program, initial)?;
        let shared = program.shared().map(|v| interpreter.value(v)).collect();
        let threads = vec![Some(Thread { interpreter, atomic: false })];
        Ok(Self { program, shared, threads, steps: 0 })
    }

    /// Whether the thread is at an error node.
    pub fn at_error(&self, thread: usize) -> bool {
        let thread = self.threads.get(thread).and_then(Option::as_ref);
        thread.is_some_and(|t| t.interpreter.at_error())
    }

    /// Whether no other thread may step because of this one.
    fn holds(&self, thread: &Thread<'_>) -> bool {
        let mut frames = thread.interpreter.frames.iter();
        thread.atomic || frames.any(|f| self.program.is_atomic(f.procedure))
    }

    /// Takes a step of a thread, and all returns that follow from it.
    ///
    /// # Errors
    ///
    /// Why the step cannot be taken; the state then means nothing any more.
    pub fn step(&mut self, number: usize, step: &TraceStep) -> Result<Vec<ThreadEvent>, StepError> {
        let others = self.threads.iter().enumerate().filter(|(other, _)| *other != number);
        if others.filter_map(|(_, t)| t.as_ref()).any(|other| self.holds(other)) {
            return Err(StepError::Held);
        }
        let taken = self.threads.get_mut(number).and_then(Option::take);
        let mut thread = taken.ok_or(StepError::NoThread(number))?;
        let values = &mut thread.interpreter.values;
        for (variable, &value) in self.program.shared().zip(&self.shared) {
            values[variable.index()] = value;
        }
        let edge = thread.interpreter.edge_of(step)?;
        let before = thread.interpreter.values.clone();
        let own = own_choices(&edge.operation, &self.program.program);
        let (own, rest) = match edge.thread {
            Some(_) => step.choices.split_at(own.min(step.choices.len())),
            None => (step.choices.as_slice(), &[][..]),
        };
        let mut rest = Choices(rest);
        let (mut begins, mut set, mut ended) = (None, Vec::new(), false);
        match edge.thread.as_deref() {
            None | Some(ThreadStep::Broadcast(_)) => {}
            Some(ThreadStep::Born) => return Err(StepError::Born),
            Some(ThreadStep::Start) => begins = Some(self.copy(&thread.interpreter, edge.source)?),
            Some(ThreadStep::Call(call)) => {
                begins = Some(self.called(&thread.interpreter, call, &mut rest)?);
            }
            Some(ThreadStep::End) => ended = true,
            Some(ThreadStep::AtomicBegin) => thread.atomic = true,
            Some(ThreadStep::AtomicEnd) => thread.atomic = false,
        }
        let (procedure, id) = (step.procedure, step.edge);
        let step = TraceStep { procedure, edge: id, choices: own.to_vec() };
        let mut events = thread.interpreter.step(&step)?;
        if let Some(ThreadStep::Broadcast(broadcast)) = edge.thread.as_deref() {
            let targets = match &edge.operation {
                Operation::Assign(assignment) => assignment.targets.as_slice(),
                _ => &[],
            };
            let next = targets.iter().map(|&v| (v, thread.interpreter.value(v))).collect();
            set = self.broadcast(number, broadcast, (before, next), &mut rest)?;
        }
        rest.expect(0)?;
        for (slot, variable) in self.shared.iter_mut().zip(self.program.shared()) {
            *slot = thread.interpreter.value(variable);
        }
        ended |= thread.interpreter.depth() == 0 && thread.interpreter.at_exit();
        let started = begins.map(|interpreter| {
            self.threads.push(Some(Thread { interpreter, atomic: false }));
            self.threads.len() - 1
        });
        self.threads[number] = (!ended).then_some(thread);
        for event in &mut events {
            if let super::EventKind::Step(step) = &mut event.kind {
                *step = self.steps;
            }
        }
        self.steps += 1;
        let wrap = |event| ThreadEvent {
            thread: number,
            event,
            others: Vec::new(),
            started: None,
            ended: false,
        };
        let mut events: Vec<ThreadEvent> = events.into_iter().map(wrap).collect();
        if let Some(first) = events.first_mut() {
            (first.others, first.started) = (set, started);
        }
        if let Some(last) = events.last_mut() {
            last.ended = ended;
        }
        Ok(events)
    }

    /// A thread with a copy of the innermost activation, where the edge `Born` leads.
    fn copy(&self, of: &Interpreter<'p>, node: NodeId) -> Result<Interpreter<'p>, StepError> {
        let procedure = of.frame().procedure;
        let graph = self.program.program.procedure(procedure);
        let born = graph.outgoing[node.index()].iter().map(|&e| graph.edge(e));
        let born = born.into_iter().find(|e| e.thread.as_deref() == Some(&ThreadStep::Born));
        let node = born.ok_or(StepError::IllFormed)?.target;
        Ok(self.thread(of.values.clone(), procedure, node))
    }

    /// A thread that executes a procedure.
    fn called(
        &self,
        by: &Interpreter<'p>,
        call: &Call,
        choices: &mut Choices<'_>,
    ) -> Result<Interpreter<'p>, StepError> {
        let callee = self.program.program.procedure(call.callee);
        let mut values = by.values.clone();
        for (formal, argument) in callee.formals.iter().zip(&call.arguments) {
            values[formal.index()] = by.evaluate(argument, choices, &[])?;
        }
        for local in &callee.locals {
            values[local.index()] = choices.next()?;
        }
        Ok(self.thread(values, call.callee, callee.entry))
    }

    fn thread(&self, values: Vec<bool>, procedure: ProcId, node: NodeId) -> Interpreter<'p> {
        let frame = Frame { procedure, node, call: EdgeId(0), outer: Vec::new() };
        Interpreter { program: &self.program.program, values, frames: vec![frame], steps: 0 }
    }

    /// Assigns to all threads but one; `before` and `next` are the values of that one.
    fn broadcast(
        &mut self,
        by: usize,
        broadcast: &Broadcast,
        (before, next): (Vec<bool>, Vec<(VarId, bool)>),
        choices: &mut Choices<'_>,
    ) -> Result<Vec<(usize, VarId, bool)>, StepError> {
        let mut active = self.thread(before, self.program.program.entry, NodeId(0));
        let mut set = Vec::new();
        for (number, other) in self.threads.iter_mut().enumerate() {
            let Some(other) = other.as_mut().filter(|_| number != by) else { continue };
            if !has_passive(self.program, &other.interpreter) {
                continue;
            }
            for &(passive, variable) in &self.program.passive {
                active.values[passive.index()] = other.interpreter.value(variable);
            }
            let mut next = next.clone();
            for (&target, value) in broadcast.targets.iter().zip(&broadcast.values) {
                next.push((target, active.evaluate(value, choices, &[])?));
            }
            let new = next[next.len() - broadcast.targets.len()..].to_vec();
            next.sort_unstable();
            if let Some(condition) = &broadcast.constrain
                && !active.evaluate(condition, choices, &next)?
            {
                return Err(StepError::Unconstrained);
            }
            for (target, value) in new {
                let known = self.program.passive.iter().find(|(passive, _)| *passive == target);
                let &(_, variable) = known.ok_or(StepError::IllFormed)?;
                let slot = &mut other.interpreter.values[variable.index()];
                if std::mem::replace(slot, value) != value {
                    set.push((number, variable, value));
                }
            }
        }
        Ok(set)
    }
}

/// Whether a thread has the variables that others assign: those of the entry procedure, which is
/// then where it began, or variables of each thread.
fn has_passive(program: &Concurrent, thread: &Interpreter<'_>) -> bool {
    let of_thread = program.passive.iter().all(|(_, v)| program.program.is_global(*v));
    of_thread || thread.frames.first().is_some_and(|f| f.procedure == program.program.entry)
}

/// The choices that the interpreter of one thread makes.
fn own_choices(operation: &Operation, program: &crate::language::program::Program) -> usize {
    let all = |of: &[Expr]| of.iter().map(Expr::choices).sum::<usize>();
    match operation {
        Operation::Skip => 0,
        Operation::Assume(condition) => condition.choices(),
        Operation::Assign(a) => all(&a.values) + all(a.constrain.as_slice()),
        Operation::Call(c) => all(&c.arguments) + program.procedure(c.callee).locals.len(),
    }
}
