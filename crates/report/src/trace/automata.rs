//! The trace of described automata, made from an execution.

use super::step::{Input, Step, StepKind, Trace, Value};
use hardbop_cfa::Place;
use hardbop_cfa::description::{Described, Description, EdgeDescription, StepDescription};
use hardbop_cfa::execute::{Event, EventKind, Execution};
use hardbop_smt::{Symbol, Terms, Value as TermValue};

impl Trace {
    /// The trace of an execution, with the names of the description; values are SMT-LIB.
    #[must_use]
    pub fn of_automata(
        (description, described): (&Description, &Described),
        terms: &mut Terms,
        execution: &Execution,
    ) -> Self {
        let mut names = Names { description, terms };
        let main = described.program.main;
        let initial = execution.initial.iter();
        let initial = initial.filter_map(|&(s, v)| names.value(main, s, v)).collect();
        let mut trace = Self { initial, ..Self::default() };
        for event in &execution.events {
            let function = event.place.function as usize;
            let is_begin = event.place.instruction == Place::NOWHERE;
            // An edge of the description may be several of the program.
            let is_first = is_begin
                || event.kind != EventKind::Operation
                || described.locations[function][event.source.index()].is_some();
            let changed = event.changed.iter();
            let values: Vec<Value> =
                changed.filter_map(|&(s, v)| names.value(function, s, v)).collect();
            let is_more = is_begin
                && trace
                    .steps
                    .last()
                    .is_some_and(|s| s.kind == StepKind::Begin && s.depth == event.depth as usize);
            if is_begin && !is_more && values.is_empty() {
                continue;
            }
            if is_first && !is_more {
                trace.steps.push(step(description, event));
            }
            let position = trace.steps.len().saturating_sub(1);
            let last = trace.steps.last_mut().expect("an edge begins at a location with a name");
            if event.is_input && !is_begin {
                let line = last.line;
                trace.inputs.extend(values.iter().map(|v| Input {
                    name: v.name.clone(),
                    value: v.value.clone(),
                    file: None,
                    line,
                    step: Some(position),
                }));
            }
            last.changed.extend(values);
        }
        trace
    }
}

fn step(description: &Description, event: &Event) -> Step {
    let function = &description.functions[event.place.function as usize];
    let number = event.place.instruction;
    let edge = function.edges.get(number as usize);
    let kind = match (event.kind, edge.map(|e| &e.step)) {
        (_, None) => StepKind::Begin,
        (EventKind::Operation, Some(StepDescription::Assume(_))) => StepKind::BranchTaken,
        (EventKind::Operation, _) => StepKind::Statement,
        (EventKind::Call, _) => StepKind::Call,
        (EventKind::Return, _) => StepKind::Return,
        (EventKind::Error, _) => StepKind::Error,
    };
    let depth = event.depth - u32::from(event.kind == EventKind::Return);
    Step {
        kind,
        function: function.name.clone(),
        depth: depth as usize,
        file: None,
        line: edge.and_then(|e| e.line).map(|line| line as usize),
        column: None,
        edge: edge.map(|_| number),
        iteration: None,
        thread: None,
        callee: edge.and_then(callee),
        text: edge
            .map_or(String::new(), |e| e.text.clone().unwrap_or_else(|| format!("edge {number}"))),
        changed: vec![],
    }
}

fn callee(edge: &EdgeDescription) -> Option<String> {
    match &edge.step {
        StepDescription::Call(call) => Some(call.function.clone()),
        _ => None,
    }
}

/// Writes values with the names of the description.
struct Names<'a> {
    description: &'a Description,
    terms: &'a mut Terms,
}

impl Names<'_> {
    /// A value, unless the variable is one for the values after a relation.  The variable of
    /// another function is `f::x`.
    fn value(&mut self, function: usize, symbol: Symbol, value: TermValue) -> Option<Value> {
        let name = self.terms.name(symbol);
        if name.contains('#') {
            return None;
        }
        let is_global = self.description.globals.iter().any(|g| g.name == name);
        let own = format!("{}::", self.description.functions[function].name);
        let name = name.strip_prefix(&own).unwrap_or(name).to_owned();
        let constant = self.terms.constant(value, self.terms.symbol_sort(symbol));
        let value = self.terms.display(constant).to_string();
        Some(Value { name, value, is_global })
    }
}
