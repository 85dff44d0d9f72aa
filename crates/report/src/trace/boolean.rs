//! The trace of a Boolean program, made from its replay.

use rustc_hash::FxHashSet;

use super::step::{Step, StepKind, Trace, Value};
use hardbop_bp::language::concurrent::Concurrent;
use hardbop_bp::language::interpret::threads::{ThreadEvent, ThreadReplay};
use hardbop_bp::language::interpret::{Event, EventKind, Replay};
use hardbop_bp::language::program::{
    Call, EdgeRole, Expr, Op, Operation, Program, VarId, Variable, VariableKind,
};

/// Longest text of a statement, in characters.
const TEXT: usize = 4_000;

impl Trace {
    /// The trace of a replay, in terms of the source text.
    #[must_use]
    pub fn of_replay(program: &Program, replay: &Replay) -> Self {
        let mut reads = Reads::default();
        let mut steps = Vec::new();
        for event in &replay.events {
            let edge = program.procedure(event.procedure).edge(event.edge);
            if event.kind != EventKind::Return {
                reads.operation(&edge.operation);
            }
            reads.written.extend(event.changed.iter().map(|&(v, _)| v));
            if let Operation::Assign(a) = &edge.operation {
                reads.written.extend(&a.targets);
            }
            steps.extend(step(program, event));
        }
        let initial = replay.initial.iter().map(|&(v, value)| shown(program.variable(v), value));
        let unread = replay.initial.iter().enumerate();
        let unread = unread.filter(|(_, (v, _))| !reads.fresh.contains(v)).map(|(i, _)| i);
        Self {
            file: Some(program.source.name.clone()),
            initial: initial.collect(),
            unread: unread.collect(),
            steps,
            ..Self::default()
        }
    }
}

impl Trace {
    /// The trace of a replay of a program with threads, in terms of the source text: each step has
    /// the number of its thread, and what changes in another thread is shown as `x@1`.
    #[must_use]
    pub fn of_thread_replay(program: &Concurrent, replay: &ThreadReplay) -> Self {
        let program = &program.program;
        let mut steps = Vec::new();
        for ThreadEvent { thread, event, others, .. } in &replay.events {
            let Some(mut step) = step(program, event) else { continue };
            step.thread = Some(*thread);
            step.changed.extend(others.iter().map(|&(other, v, value)| {
                let value = shown(program.variable(v), value);
                Value { name: format!("{}@{other}", value.name), ..value }
            }));
            steps.push(step);
        }
        let initial = replay.initial.iter().map(|&(v, value)| shown(program.variable(v), value));
        Self {
            file: Some(program.source.name.clone()),
            initial: initial.collect(),
            steps,
            ..Self::default()
        }
    }
}

/// The variables that are read before they are written.
#[derive(Default)]
struct Reads {
    written: FxHashSet<VarId>,
    fresh: FxHashSet<VarId>,
}

impl Reads {
    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Skip => {}
            Operation::Assume(e) => self.expression(e),
            Operation::Assign(a) => {
                a.values.iter().chain(&a.constrain).for_each(|e| self.expression(e));
            }
            Operation::Call(Call { arguments, .. }) => {
                arguments.iter().for_each(|e| self.expression(e));
            }
        }
    }

    fn expression(&mut self, e: &Expr) {
        for op in e.ops.iter() {
            if let Op::Variable(v) = op
                && !self.written.contains(v)
            {
                self.fresh.insert(*v);
            }
        }
    }
}

/// The step of an event; none for glue and for enforced conditions.
fn step(program: &Program, event: &Event) -> Option<Step> {
    let procedure = program.procedure(event.procedure);
    let edge = procedure.edge(event.edge);
    let callee = match &edge.operation {
        Operation::Call(call) => Some(program.procedure(call.callee).name.clone()),
        _ => None,
    };
    let kind = match (event.kind, edge.role) {
        (EventKind::Return, _) => StepKind::Return,
        (_, EdgeRole::Statement) if callee.is_some() => StepKind::Call,
        (_, EdgeRole::Statement) => StepKind::Statement,
        (_, EdgeRole::Branch(true)) => StepKind::BranchTaken,
        (_, EdgeRole::Branch(false)) => StepKind::BranchNotTaken,
        (_, EdgeRole::AssertHolds) => StepKind::AssertionHolds,
        (_, EdgeRole::AssertFails) => StepKind::AssertionFails,
        (_, EdgeRole::Abort) => StepKind::Abort,
        (_, EdgeRole::ErrorLabel) => StepKind::ErrorLabel,
        (_, EdgeRole::FallOff) => StepKind::End,
        (_, EdgeRole::Enforce | EdgeRole::Glue) => return None,
    };
    let (line, column) = program.source.line_column(edge.span.start);
    let changed = event.changed.iter().map(|&(v, value)| shown(program.variable(v), value));
    Some(Step {
        kind,
        function: procedure.name.clone(),
        depth: event.depth,
        file: None,
        line: Some(line),
        column: Some(column),
        edge: None,
        iteration: None,
        thread: None,
        callee: callee.filter(|_| matches!(kind, StepKind::Call | StepKind::Return)),
        text: match kind {
            StepKind::ErrorLabel => procedure.nodes[edge.source.index()].labels.join(", "),
            _ => program.source.snippet(edge.span, TEXT),
        },
        changed: changed.collect(),
    })
}

/// A value as the language writes it.
fn shown(variable: &Variable, value: bool) -> Value {
    Value {
        name: shown_name(variable),
        value: if value { "T" } else { "F" }.to_owned(),
        is_global: variable.kind == VariableKind::Global,
    }
}

/// The name of a variable; of a return slot, words.
fn shown_name(variable: &Variable) -> String {
    match variable.kind {
        VariableKind::Return(_) => variable.name.replace('#', " value "),
        _ => variable.name.clone(),
    }
}
