//! A counterexample in source terms, made from its replay.

use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::boolean::language::interpret::{Event, EventKind, Replay};
use crate::boolean::language::program::{
    Call, EdgeRole, Expr, Op, Operation, Program, VarId, Variable, VariableKind,
};

/// The way into an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TraceReport {
    pub file: String,
    /// Values of all variables at the start of the program.
    pub initial: Vec<Value>,
    /// In order of time; without the edges that stand for no statement.
    pub steps: Vec<Step>,
}

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Value {
    pub name: String,
    pub value: bool,
    /// At the start: is the value read before it is overwritten?  In a step: true.
    #[serde(skip)]
    pub relevant: bool,
}

/// What happens in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    Statement,
    /// A condition that holds.
    BranchTaken,
    /// A condition that does not hold.
    BranchNotTaken,
    Call,
    /// Back in the caller.
    Return,
    /// The end of a body is reached.
    End,
    AssertionHolds,
    /// The last step: `assert` fails.
    AssertionFails,
    /// The last step: the condition of `abortif` holds.
    Abort,
    /// The last step: an error label.
    ErrorLabel,
}

impl StepKind {
    /// Is this the error?
    pub fn is_error(self) -> bool {
        matches!(self, Self::AssertionFails | Self::Abort | Self::ErrorLabel)
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Step {
    pub kind: StepKind,
    pub procedure: String,
    /// Number of open calls: 0 in the entry procedure.
    pub depth: usize,
    pub line: usize,
    pub column: usize,
    /// The statement or condition, on one line; of an error label, its name.
    pub text: String,
    /// New values: of a call those of the callee's formals and locals, of a `return` the
    /// returned values, else the variables that change.
    pub changed: Vec<Value>,
}

/// Longest text of a statement, in characters.
const TEXT: usize = 4_000;

impl TraceReport {
    /// Puts a replay into source terms.
    pub fn new(program: &Program, replay: &Replay) -> Self {
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
        let initial = replay.initial.iter().map(|&(v, value)| Value {
            name: program.variable(v).name.clone(),
            value,
            relevant: reads.fresh.contains(&v),
        });
        Self { file: program.source.name.clone(), initial: initial.collect(), steps }
    }
}

/// Which variables are read before they are written.
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
    let is_call = matches!(edge.operation, Operation::Call(_));
    let kind = match (event.kind, edge.role) {
        (EventKind::Return, _) => StepKind::Return,
        (_, EdgeRole::Statement) if is_call => StepKind::Call,
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
    let changed = event.changed.iter().map(|&(v, value)| Value {
        name: shown_name(program.variable(v)),
        value,
        relevant: true,
    });
    Some(Step {
        kind,
        procedure: procedure.name.clone(),
        depth: event.depth,
        line,
        column,
        text: match kind {
            StepKind::ErrorLabel => procedure.nodes[edge.source.index()].labels.join(", "),
            _ => program.source.snippet(edge.span, TEXT),
        },
        changed: changed.collect(),
    })
}

/// The name of a variable; of a return slot, words.
fn shown_name(variable: &Variable) -> String {
    match variable.kind {
        VariableKind::Return(_) => variable.name.replace('#', " value "),
        _ => variable.name.clone(),
    }
}
