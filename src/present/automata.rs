//! The verdict on a description of control-flow automata, as a document.

use std::fmt::{self, Write as _};

use serde::Serialize;

use super::json::Verdict;
use crate::program::cfa::Place;
use crate::program::cfa::description::{Described, Description};
use crate::program::cfa::execute::{Event, EventKind, Execution};
use crate::refine::model;
use crate::refine::tree::Statistics;
use crate::solve::smt::{Symbol, Term, Terms, Value};
use crate::verify::automata::{self, Options, Outcome, Report};
use crate::verify::{Phases, Reduction};

/// Longer formulas are not shown: shared parts are written as often as they occur.
const LONGEST: usize = 1 << 20;

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AutomataDocument {
    /// Version of hardbop.
    pub version: &'static str,
    pub verdict: Verdict,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<String>,
    pub verdict_line: String,
    pub options: Options,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Of the route through Boolean programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boolean_statistics: Option<model::Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<Phases>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<Reduction>,
    /// What holds between blocks, where the verdict is SAFE.  Other locations with these calls are not
    /// reached, or lie inside a block.
    pub invariants: Vec<InvariantReport>,
    /// The way into the error, where the verdict is UNSAFE.
    pub trace: Option<AutomataTrace>,
    /// What was tracked at the end, in SMT-LIB, where Boolean programs have decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
}

/// A call that is open: the caller and its edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallReport {
    /// Number of the function in the description.
    pub function: u32,
    /// Number of the edge in the function.
    pub edge: u32,
}

/// A formula at a location.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InvariantReport {
    pub function: usize,
    pub name: String,
    /// The location's name.
    pub location: String,
    /// The calls that are open, the first one first.
    pub calls: Vec<CallReport>,
    /// SMT-LIB; nothing where the text would be very long.
    pub formula: Option<String>,
}

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueReport {
    /// As in the description; of another function's variable `f::x`.
    pub name: String,
    /// SMT-LIB.
    pub value: String,
}

/// The way into an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AutomataTrace {
    /// First values of variables that matter.
    pub initial: Vec<ValueReport>,
    pub steps: Vec<AutomataStep>,
}

/// What happens in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AutomataStepKind {
    /// Locals get their first values: no edge of the description.
    Begin,
    Edge,
    Call,
    /// Back in the caller.
    Return,
    /// The last step.
    Error,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AutomataStep {
    pub kind: AutomataStepKind,
    /// Number of the function in the description.
    pub function: u32,
    pub name: String,
    /// Number of the edge in the function; on return, of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    /// Number of open calls: 0 in `main`.
    pub depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Values from outside.
    pub inputs: Vec<ValueReport>,
    /// New values that are computed: of a call those of the parameters.
    pub changed: Vec<ValueReport>,
}

impl AutomataDocument {
    /// The document of a run, with statistics where they are asked for.
    #[must_use]
    pub fn new(
        (description, described): (&Description, &Described),
        terms: &mut Terms,
        options: &Options,
        report: &Report,
        statistics: bool,
    ) -> Self {
        let (verdict, reason) = match &report.outcome {
            Outcome::Safe(_) => (Verdict::Safe, None),
            Outcome::Unsafe(_) => (Verdict::Unsafe, None),
            Outcome::Unknown(reason) => (Verdict::Unknown, Some(reason.clone())),
        };
        let invariants = match &report.outcome {
            Outcome::Safe(invariant) => {
                let found = automata::invariants(&described.program, &report.automaton, invariant);
                let shown = found.into_iter().filter_map(|found| {
                    let location = &described.locations[found.function][found.location.index()];
                    let call = |p: &Place| CallReport { function: p.function, edge: p.instruction };
                    Some(InvariantReport {
                        function: found.function,
                        name: description.functions[found.function].name.clone(),
                        location: location.clone()?,
                        calls: found.calls.iter().map(call).collect(),
                        formula: limited(terms, found.formula),
                    })
                });
                shown.collect()
            }
            _ => vec![],
        };
        let trace = match &report.outcome {
            Outcome::Unsafe(execution) => {
                Some(Tracer { description, described, terms }.trace(execution))
            }
            _ => None,
        };
        let of_boolean = report.predicates.iter().filter(|_| report.boolean.is_some());
        let predicates = of_boolean.filter_map(|&p| limited(terms, p)).collect();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            verdict,
            verdict_line: verdict.line(reason.as_deref()),
            reason,
            options: options.clone(),
            statistics: statistics.then(|| report.statistics.clone()),
            boolean_statistics: report.boolean.clone().filter(|_| statistics),
            phases: statistics.then_some(report.phases),
            reduction: statistics.then_some(report.reduction),
            invariants,
            trace,
            predicates,
        }
    }
}

impl AutomataDocument {
    /// The invariants for people: one per line, with its location and open calls.
    #[must_use]
    pub fn invariant_text(&self) -> String {
        let mut out = String::new();
        for i in &self.invariants {
            let calls: Vec<String> =
                i.calls.iter().map(|c| format!("{}:{}", c.function, c.edge)).collect();
            let calls = match calls.is_empty() {
                true => String::new(),
                false => format!(", called at {}", calls.join(" ")),
            };
            let formula = i.formula.as_deref().unwrap_or("(a very long formula)");
            let _ = writeln!(out, "{}, location {}{calls}: {formula}", i.name, i.location);
        }
        out
    }
}

impl AutomataTrace {
    /// The trace for people: one step per line, indented by open calls.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        if !self.initial.is_empty() {
            let _ = writeln!(out, "at the start: {}", values(&self.initial));
        }
        for s in &self.steps {
            let indent = "  ".repeat(s.depth as usize);
            let line = s.line.map_or(String::new(), |l| format!(" (line {l})"));
            let set: Vec<ValueReport> = s.inputs.iter().chain(&s.changed).cloned().collect();
            let text = format!("{indent}{}: {}{line}  {}", s.name, s.words(), values(&set));
            let _ = writeln!(out, "{}", text.trim_end());
        }
        out
    }
}

impl AutomataStep {
    /// The edge's text; if it has none, what kind of step it is.
    #[must_use]
    pub fn words(&self) -> String {
        let edge = self.edge.map_or(String::new(), |e| format!(" {e}"));
        let kind = match self.kind {
            AutomataStepKind::Begin => "begin".to_owned(),
            AutomataStepKind::Edge => format!("edge{edge}"),
            AutomataStepKind::Call => format!("call, edge{edge}"),
            AutomataStepKind::Return => format!("return from edge{edge}"),
            AutomataStepKind::Error => format!("error, edge{edge}"),
        };
        self.text.clone().unwrap_or(kind)
    }
}

fn values(all: &[ValueReport]) -> String {
    let all: Vec<String> = all.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
    all.join(", ")
}

/// The text of a term, unless it is too long.
fn limited(terms: &Terms, term: Term) -> Option<String> {
    struct Limited(String);
    impl fmt::Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.0.len() + text.len() > LONGEST {
                return Err(fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }
    let mut out = Limited(String::new());
    write!(out, "{}", terms.display(term)).ok()?;
    Some(out.0)
}

/// Makes a trace of an execution.
struct Tracer<'a> {
    description: &'a Description,
    described: &'a Described,
    terms: &'a mut Terms,
}

impl Tracer<'_> {
    fn trace(&mut self, execution: &Execution) -> AutomataTrace {
        let main = self.described.program.main;
        let initial = execution.initial.iter();
        let initial = initial.filter_map(|&(s, v)| self.value(main, s, v)).collect();
        let mut steps: Vec<AutomataStep> = vec![];
        for event in &execution.events {
            let function = event.place.function as usize;
            let is_begin = event.place.instruction == Place::NOWHERE;
            // An edge of the description may be several of the program.
            let is_first = is_begin
                || event.kind != EventKind::Operation
                || self.described.locations[function][event.source.index()].is_some();
            let mut values = vec![];
            for &(symbol, value) in &event.changed {
                values.extend(self.value(function, symbol, value));
            }
            let is_more = is_begin
                && steps
                    .last()
                    .is_some_and(|s| s.kind == AutomataStepKind::Begin && s.depth == event.depth);
            if is_more || !is_first {
                let last = steps.last_mut().expect("an edge begins at a location with a name");
                if event.is_input { &mut last.inputs } else { &mut last.changed }.extend(values);
                continue;
            }
            if is_begin && values.is_empty() {
                continue;
            }
            steps.push(self.step(event, values));
        }
        AutomataTrace { initial, steps }
    }

    fn step(&self, event: &Event, values: Vec<ValueReport>) -> AutomataStep {
        let function = &self.description.functions[event.place.function as usize];
        let edge = function.edges.get(event.place.instruction as usize);
        let (inputs, changed) = if event.is_input { (values, vec![]) } else { (vec![], values) };
        AutomataStep {
            kind: match (event.kind, edge) {
                (_, None) => AutomataStepKind::Begin,
                (EventKind::Operation, _) => AutomataStepKind::Edge,
                (EventKind::Call, _) => AutomataStepKind::Call,
                (EventKind::Return, _) => AutomataStepKind::Return,
                (EventKind::Error, _) => AutomataStepKind::Error,
            },
            function: event.place.function,
            name: function.name.clone(),
            edge: edge.map(|_| event.place.instruction),
            depth: event.depth - u32::from(event.kind == EventKind::Return),
            text: edge.and_then(|e| e.text.clone()),
            line: edge.and_then(|e| e.line),
            inputs,
            changed,
        }
    }

    /// A value, unless the variable is one for the values after a relation.
    fn value(&mut self, function: usize, symbol: Symbol, value: Value) -> Option<ValueReport> {
        let name = self.terms.name(symbol);
        if name.contains('#') {
            return None;
        }
        let own = format!("{}::", self.description.functions[function].name);
        let name = name.strip_prefix(&own).unwrap_or(name).to_owned();
        let constant = self.terms.constant(value, self.terms.symbol_sort(symbol));
        Some(ValueReport { name, value: self.terms.display(constant).to_string() })
    }
}
