//! An execution of a C program in source terms.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::program::c::execute::{Change, Demand, Event, Execution, Outcome, Recorded};
use crate::program::c::flow::{
    Base, Body, Edge, Flow, Function, Instruction, Place, VariableKind, Violation,
};
use crate::program::c::trace::InputKind;

/// The way into an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CTraceReport {
    pub file: String,
    /// What the error is, where it is no call, label or assertion: `a signed overflow in line 12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<String>,
    /// What the program read from outside, in order of time.
    pub inputs: Vec<CInput>,
    /// In order of time; what only computes temporaries is left out.
    pub steps: Vec<CStep>,
}

/// A value from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CInput {
    /// `__VERIFIER_nondet_int()`, `x (uninitialised)`, ...
    pub what: String,
    /// As a signed number where it is an integer.
    pub value: String,
    pub line: usize,
}

/// What happens in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CStepKind {
    Statement,
    /// A condition that holds.
    BranchTaken,
    /// A condition that does not hold.
    BranchNotTaken,
    Call,
    /// Back in the caller.
    Return,
    /// The last step.
    Error,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CStep {
    pub kind: CStepKind,
    pub function: String,
    /// Number of open calls: 0 in `main`.
    pub depth: u32,
    /// Where the line marks of the text say so, another file than [`CTraceReport::file`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub line: usize,
    pub column: usize,
    /// At the head of a loop: which time this activation of the function is there, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The statement or condition, on one line.
    pub text: String,
    /// New values.
    pub changed: Vec<Change>,
}

/// Longest text of a statement, in characters.
const TEXT: usize = 4_000;

impl CTraceReport {
    /// Puts an execution that recorded [values](crate::program::c::execute::Recording::Values) into source
    /// terms.
    pub fn new(flow: &Flow, execution: &Execution) -> Self {
        let mut steps: Vec<CStep> = Vec::new();
        let mut loops = Loops::default();
        for event in &execution.events {
            let Some((function, body, edge)) = find(flow, event) else { continue };
            let iteration = loops.count(event, body, edge);
            let shown = !loops.is_check(event, body, edge);
            if let Some(mut step) = step(flow, function, event, edge).filter(|_| shown) {
                step.iteration = iteration.or_else(|| loops.left.take());
                match steps.last_mut() {
                    // Parts of one statement.
                    Some(last) if same_statement(last, &step) => {
                        last.changed.append(&mut step.changed);
                    }
                    _ => steps.push(step),
                }
            } else {
                loops.left = iteration.or(loops.left.take());
            }
        }
        let inputs = execution.inputs.iter().filter(|i| i.demand != Demand::Unused);
        Self {
            file: flow.source.name.clone(),
            violation: violation(flow, execution),
            inputs: inputs.map(|recorded| input(flow, recorded)).collect(),
            steps,
        }
    }
}

/// What the error is, in words.
fn violation(flow: &Flow, execution: &Execution) -> Option<String> {
    let Outcome::Error { span, .. } = execution.outcome else { return None };
    let words = execution.violation(flow)?.words()?;
    Some(format!("{words} in line {}", flow.source.position(span.start).line))
}

fn find<'f>(flow: &'f Flow, event: &Event) -> Option<(&'f Function, &'f Body, &'f Edge)> {
    let function = flow.functions.get(event.edge.function as usize)?;
    let body = function.body.as_ref()?;
    Some((function, body, body.edges.get(event.edge.edge as usize)?))
}

fn same_statement(last: &CStep, step: &CStep) -> bool {
    last.kind == CStepKind::Statement
        && step.kind == CStepKind::Statement
        && step.iteration.is_none()
        && (last.depth, last.line, last.column) == (step.depth, step.line, step.column)
        && last.text == step.text
}

/// The step of an edge; none where nothing happens that the text shows.
fn step(flow: &Flow, function: &Function, event: &Event, edge: &Edge) -> Option<CStep> {
    let kind = match &edge.instruction {
        Instruction::Call { .. } if event.back => CStepKind::Return,
        Instruction::Call { .. } => CStepKind::Call,
        Instruction::Assume { expected: true, .. } => CStepKind::BranchTaken,
        Instruction::Assume { expected: false, .. } => CStepKind::BranchNotTaken,
        Instruction::Error(_) => CStepKind::Error,
        Instruction::Skip => return None,
        Instruction::Assign(place, _) | Instruction::Havoc(place, _) if temporary(flow, place) => {
            return None;
        }
        // Its values are shown where they are read.
        Instruction::Havoc(..) if event.changed.is_empty() => return None,
        _ => CStepKind::Statement,
    };
    let position = flow.source.position(edge.span.start);
    Some(CStep {
        kind,
        function: function.name.clone(),
        depth: event.depth,
        file: (position.file != flow.source.name).then(|| position.file.to_owned()),
        line: position.line,
        column: position.column,
        iteration: None,
        text: flow.source.snippet(edge.span, TEXT),
        changed: event.changed.clone(),
    })
}

fn temporary(flow: &Flow, place: &Place) -> bool {
    match place.base {
        Base::Variable(id) => {
            flow.variables[id.0 as usize].kind == VariableKind::Temporary && place.path.is_empty()
        }
        _ => false,
    }
}

fn input(flow: &Flow, recorded: &Recorded) -> CInput {
    let input = &recorded.input;
    let what = match &input.kind {
        InputKind::Nondet { function } | InputKind::Undefined { function } => {
            format!("{function}()")
        }
        InputKind::Uninitialised { name, bit: 0, .. } => format!("{name} (uninitialised)"),
        InputKind::Uninitialised { name, bit, .. } => {
            format!("{name} (uninitialised, byte {})", bit / 8)
        }
        InputKind::Address { number } => format!("the address {number:#x}"),
        InputKind::Heap { .. } => "memory from malloc (uninitialised)".to_owned(),
        InputKind::Outside { object, bit } => {
            format!("byte {} of outside object {object}", bit / 8)
        }
    };
    let unused = 64 - input.bits.clamp(1, 64);
    if let Some(object) = recorded.object {
        let line = flow.source.position(recorded.span.start).line;
        return CInput { what, value: format!("outside object {}", object.number), line };
    }
    let value = match (recorded.float, input.bits) {
        (true, 32) => format!("{:?}", f32::from_bits(input.value as u32)),
        (true, _) => format!("{:?}", f64::from_bits(input.value)),
        (false, 1) => input.value.to_string(),
        _ => ((input.value << unused) as i64 >> unused).to_string(),
    };
    CInput { what, value, line: flow.source.position(recorded.span.start).line }
}

/// Counts how often each activation is at the heads of its loops.
#[derive(Default)]
struct Loops {
    /// By function: which locations are heads.
    heads: FxHashMap<u32, Vec<bool>>,
    /// By function: where a branch begins that the text does not have.
    checks: FxHashMap<u32, FxHashSet<u32>>,
    /// By depth, for the open activations: visits by location.
    visits: Vec<FxHashMap<u32, u64>>,
    /// Of a head whose first edge is not shown.
    left: Option<u64>,
}

impl Loops {
    /// Does the edge only look whether an operation is an error?
    fn is_check(&mut self, event: &Event, body: &Body, edge: &Edge) -> bool {
        let assumes = |e: &&Edge| matches!(e.instruction, Instruction::Assume { .. });
        if !assumes(&edge) {
            return false;
        }
        let checks = self.checks.entry(event.edge.function).or_insert_with(|| {
            let error = |e: &&Edge| match e.instruction {
                Instruction::Error(violation) => violation != Violation::Reached,
                _ => false,
            };
            let errors: FxHashSet<u32> =
                body.edges.iter().filter(error).map(|e| e.source.0).collect();
            let into = body.edges.iter().filter(|e| errors.contains(&e.target.0));
            into.map(|e| e.source.0).collect()
        });
        checks.contains(&edge.source.0)
    }

    fn count(&mut self, event: &Event, body: &Body, edge: &Edge) -> Option<u64> {
        let depth = event.depth as usize;
        self.visits.truncate(depth + 1);
        self.visits.resize_with(depth + 1, FxHashMap::default);
        let heads = self.heads.entry(event.edge.function).or_insert_with(|| heads(body));
        let location = edge.source.0;
        if event.back || !heads[location as usize] {
            return None;
        }
        let visits = self.visits[depth].entry(location).or_default();
        *visits += 1;
        Some(*visits)
    }
}

/// The targets of edges that lead back to a location on the way to them, in depth-first order.
fn heads(body: &Body) -> Vec<bool> {
    let count = body.locations as usize;
    let mut outgoing: Vec<Vec<u32>> = vec![Vec::new(); count];
    for edge in &body.edges {
        outgoing[edge.source.0 as usize].push(edge.target.0);
    }
    let (mut heads, mut seen, mut open) =
        (vec![false; count], vec![false; count], vec![false; count]);
    let entry = body.entry.0 as usize;
    let mut stack = vec![(entry, 0)];
    (seen[entry], open[entry]) = (true, true);
    while let Some((location, next)) = stack.last_mut() {
        match outgoing[*location].get(*next) {
            Some(&target) => {
                *next += 1;
                let target = target as usize;
                heads[target] |= open[target];
                if !std::mem::replace(&mut seen[target], true) {
                    open[target] = true;
                    stack.push((target, 0));
                }
            }
            None => {
                open[*location] = false;
                stack.pop();
            }
        }
    }
    heads
}
