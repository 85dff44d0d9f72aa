//! The way into an error for automata: branches, calls, and what calls return, in order of time.

use super::text::{At, Texts};
use super::violation::{target, value};
use hardbop_base::source::Span;
use hardbop_c::execute::{Demand, Event, Execution, Recorded};
use hardbop_c::flow::{Edge, Flow, Function, Instruction};

/// A step that an automaton makes where an execution is at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub at: At,
    pub does: Action,
}

/// The action of the execution at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// Goes into a function.
    Enters(String),
    /// Comes back from one.
    Leaves(String),
    /// The condition of an `if` or a loop is true, or false.
    Branches(bool),
    /// A call of `callee` in `caller` returns a constant.
    Returned { callee: String, caller: String, literal: String },
    /// The error.
    Fails,
}

/// The steps of an execution.  The error is the last one, where its place is known.
pub(super) fn steps(flow: &Flow, execution: &Execution, texts: &Texts) -> Vec<Step> {
    let mut walk = Walk { flow, texts, open: vec![], steps: vec![] };
    let main = &flow.functions[flow.main.0 as usize];
    walk.step(main.span, main, || Some(Action::Enters(main.name.clone())));
    let mut inputs = returned(flow, execution).into_iter().peekable();
    for (number, event) in execution.events.iter().enumerate() {
        walk.event(event, execution.events.get(number + 1));
        while let Some((_, input)) = inputs.next_if(|(at, _)| *at == number) {
            walk.input(input);
        }
    }
    let place = target(flow, execution, texts);
    walk.steps.extend(place.map(|at| Step { at, does: Action::Fails }));
    walk.steps
}

/// The values that calls returned, each with the number of its event.
fn returned<'e>(flow: &Flow, execution: &'e Execution) -> Vec<(usize, &'e Recorded)> {
    let mut next = 0;
    let mut found = vec![];
    let values = execution.inputs.iter().filter(|i| i.demand != Demand::Unused);
    for input in values.filter(|input| value(flow, input).is_some()) {
        let is_it = |event: &Event| !event.back && Some(event.edge) == input.edge;
        let rest = execution.events.get(next..).unwrap_or_default();
        let Some(ahead) = rest.iter().position(is_it) else { continue };
        found.push((next + ahead, input));
        next += ahead + 1;
    }
    found
}

struct Walk<'a> {
    flow: &'a Flow,
    texts: &'a Texts<'a>,
    /// The calls that are open: their depths, and the functions, where these have a text.
    open: Vec<(u32, Option<String>)>,
    steps: Vec<Step>,
}

impl Walk<'_> {
    fn step(&mut self, span: Span, within: &Function, does: impl FnOnce() -> Option<Action>) {
        let at = self.texts.at(span, &within.name);
        let at = at.or_else(|| self.texts.line_of(span, &within.name));
        if let Some(at) = at
            && let Some(does) = does()
        {
            self.steps.push(Step { at, does });
        }
    }

    fn event(&mut self, event: &Event, next: Option<&Event>) {
        let flow = self.flow;
        let Some(function) = flow.functions.get(event.edge.function as usize) else { return };
        let edges = function.body.as_ref().map(|b| &b.edges);
        let Some(edge) = edges.and_then(|e| e.get(event.edge.edge as usize)) else { return };
        match &edge.instruction {
            Instruction::Call { .. } if event.back => {
                if let Some((_, Some(name))) = self.open.pop_if(|(depth, _)| *depth == event.depth)
                {
                    self.step(edge.span, function, || Some(Action::Leaves(name)));
                }
            }
            Instruction::Call { .. } => {
                let Some(inner) = next.filter(|next| next.depth > event.depth) else { return };
                let Some(callee) = flow.functions.get(inner.edge.function as usize) else { return };
                let name = (!callee.is_convention()).then(|| callee.name.clone());
                self.open.push((event.depth, name.clone()));
                self.step(edge.span, function, || name.map(Action::Enters));
            }
            Instruction::Assume { .. } => {
                let branch = branch(flow, edge);
                self.step(edge.span, function, || branch.map(Action::Branches));
            }
            _ => {}
        }
    }

    fn input(&mut self, recorded: &Recorded) {
        let flow = self.flow;
        let function = recorded.edge.and_then(|e| flow.functions.get(e.function as usize));
        let (Some(value), Some(function)) = (value(flow, recorded), function) else { return };
        let (callee, caller) = (value.callee.to_owned(), value.caller.to_owned());
        let does = Action::Returned { callee, caller, literal: value.literal };
        self.step(recorded.span, function, || Some(does));
    }
}

/// The branch that is taken, where the condition is all that stands between the parentheses of an
/// `if` or a `while`, but for signs of negation.
fn branch(flow: &Flow, edge: &Edge) -> Option<bool> {
    let Instruction::Assume { condition, expected } = &edge.instruction else { return None };
    let text = &flow.source.text;
    // Else it may be a part of it that is negated.
    if condition.span != edge.span {
        return None;
    }
    let mut before = text.get(..edge.span.start as usize)?.trim_end();
    let mut taken = *expected;
    while let Some(rest) = before.strip_suffix('!') {
        (before, taken) = (rest.trim_end(), !taken);
    }
    let keyword = before.strip_suffix('(')?.trim_end();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let start = keyword.rfind(|c| !is_letter(c)).map_or(0, |at| at + 1);
    let is_branch = keyword.get(start..).is_some_and(|word| matches!(word, "if" | "while"));
    let ends = text.get(edge.span.end as usize..)?.trim_start().starts_with(')');
    (is_branch && ends).then_some(taken)
}
