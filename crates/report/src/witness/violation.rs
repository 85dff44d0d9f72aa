//! The content of a violation witness: what calls of functions without a body return, in order of
//! time, and the place of the error.

use super::constant::constant;
use super::text::{At, Texts};
use super::yaml::Entry;
use hardbop_base::source::Span;
use hardbop_c::execute::{Demand, Event, Execution, ExecutionOutcome, Recorded};
use hardbop_c::flow::{Flow, Function};
use hardbop_c::library::reads_stream;
use hardbop_c::trace::InputKind;
use hardbop_c::types::Type;

/// The entries of a violation witness: one segment for each call whose place and value can be told,
/// then the target.
pub(super) fn content(flow: &Flow, execution: &Execution, texts: &Texts) -> Vec<Entry> {
    let inputs = execution.inputs.iter().filter(|i| i.demand != Demand::Unused);
    let mut all: Vec<Entry> = inputs.filter_map(|input| returned(flow, input, texts)).collect();
    all.extend(target(flow, execution, texts).map(Entry::Target));
    all
}

/// The value that a call returned, with its place.
fn returned(flow: &Flow, recorded: &Recorded, texts: &Texts) -> Option<Entry> {
    let Value { callee, caller, literal } = value(flow, recorded)?;
    let at = texts.end_of_call(recorded.span, callee, caller)?;
    Some(Entry::Returned { at, constraint: format!("\\result == {literal}") })
}

/// The value that a call of `callee` in `caller` returned, as a constant of C.
pub(super) struct Value<'a> {
    pub callee: &'a str,
    pub caller: &'a str,
    pub literal: String,
}

/// The value that a call returned, where that is what came from outside.
pub(super) fn value<'a>(flow: &'a Flow, recorded: &'a Recorded) -> Option<Value<'a>> {
    let name = match &recorded.input.kind {
        InputKind::Nondet { function } | InputKind::Undefined { function } => function,
        _ => return None,
    };
    // What a call reads from outside need not be what it returns.
    if recorded.pointer || recorded.object.is_some() || reads_stream(name) {
        return None;
    }
    let caller = flow.functions.get(recorded.edge?.function as usize)?;
    let literal = literal(flow, recorded, name)?;
    Some(Value { callee: name, caller: &caller.name, literal })
}

/// The value as a constant of C, of the function's type.
fn literal(flow: &Flow, recorded: &Recorded, name: &str) -> Option<String> {
    let bits = recorded.input.bits;
    if recorded.float {
        let (finite, text) = match bits {
            32 => {
                let value = f32::from_bits(recorded.input.value as u32);
                (value.is_finite(), format!("{value:?}f"))
            }
            _ => {
                let value = f64::from_bits(recorded.input.value);
                (value.is_finite(), format!("{value:?}"))
            }
        };
        return finite.then_some(text);
    }
    let declared = flow.functions.iter().find(|f| f.name == name);
    // C has no constants of 128 bits, of which it is a half.
    if let Some(Type::Function { result, .. }) = declared.map(|f| flow.types.get(f.ty))
        && flow.types.as_wide(*result).is_some()
    {
        return None;
    }
    let signed = declared.and_then(|f| returns(flow, f)).is_none_or(|(_, signed)| signed);
    Some(constant(bits, signed && bits > 1, recorded.input.value))
}

fn returns(flow: &Flow, function: &Function) -> Option<(u32, bool)> {
    match flow.types.get(function.ty) {
        Type::Function { result, .. } => flow.types.bits(*result),
        _ => None,
    }
}

/// The start of the statement that is the error; where the preprocessor moved it, its line.
pub(super) fn target(flow: &Flow, execution: &Execution, texts: &Texts) -> Option<At> {
    let ExecutionOutcome::Error { mut edge, mut span } = execution.outcome else { return None };
    let mut function = flow.functions.get(edge.function as usize)?;
    if function.is_convention() {
        // It has no text: the error is the call, through a pointer.
        let own = |e: &&Event| e.edge.function != edge.function;
        edge = execution.events.iter().rev().find(own)?.edge;
        function = flow.functions.get(edge.function as usize)?;
        span = function.body.as_ref()?.edges.get(edge.edge as usize)?.span;
    }
    let whole = function.body.as_ref().and_then(|b| b.edges.get(edge.edge as usize));
    let places: [Option<Span>; 2] = [whole.map(|e| e.span), Some(span)];
    // The smallest statement or full expression around the operation.
    let around = |place: Span| {
        let all = flow.statements.iter().copied();
        all.filter(|s| s.start <= place.start && place.end <= s.end).min_by_key(|s| s.end - s.start)
    };
    let places = places.map(|place| place.map(|place| around(place).unwrap_or(place)));
    let exact = places.iter().flatten().find_map(|span| texts.at(*span, &function.name));
    exact.or_else(|| places.iter().flatten().find_map(|span| texts.line_of(*span, &function.name)))
}
