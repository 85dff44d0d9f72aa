//! Values of expressions that are the same in all executions, as `n` in `int n = 10; int a[n];`.

use super::super::flow::{
    Base, BinaryOp, Body, Edge, Expr, ExprKind, Flow, HavocKind, Instruction, Place, VariableId,
    VariableKind,
};
use super::super::library::find;

/// Variables that may stand for one another.
const DEPTH: u32 = 8;

/// The value of an expression of a function that is a constant, perhaps by way of variables that get no other value.
pub(super) fn constant(flow: &Flow, body: &Body, expr: &Expr) -> Option<u64> {
    evaluate(flow, body, expr, DEPTH)
}

fn evaluate(flow: &Flow, body: &Body, expr: &Expr, depth: u32) -> Option<u64> {
    // What does not fit, or is negative, has no size.
    let fits = |value: &u64| flow.types.bits(expr.ty).is_some_and(|(b, _)| *value < 1 << (b - 1));
    match &expr.kind {
        ExprKind::Constant(value) => Some(*value),
        ExprKind::Cast(inner) => evaluate(flow, body, inner, depth).filter(fits),
        ExprKind::Binary(op, left, right) => {
            let left = evaluate(flow, body, left, depth).filter(fits)?;
            let right = evaluate(flow, body, right, depth).filter(fits)?;
            let result = match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Subtract => left.checked_sub(right),
                BinaryOp::Multiply => left.checked_mul(right),
                _ => None,
            };
            result.filter(fits)
        }
        ExprKind::Load(place) => {
            let variable = plain(place)?;
            let known = &flow.variables[variable.0 as usize];
            if known.volatile {
                return None;
            }
            let value = match known.kind {
                VariableKind::Local | VariableKind::Temporary if known.function.is_some() => {
                    let mut values = body.edges.iter().flat_map(|e| writes(e, variable));
                    let first = values.next()??;
                    values.next().is_none().then_some(first)?
                }
                VariableKind::Global => return initial(flow, variable).filter(fits),
                _ => return None,
            };
            evaluate(flow, body, value, depth.checked_sub(1)?)
        }
        _ => None,
    }
}

/// The value of a global or static variable that nothing changes.
fn initial(flow: &Flow, variable: VariableId) -> Option<u64> {
    let known = |name: &str| find(name).is_some();
    let own = flow.variables[variable.0 as usize].internal
        || flow.functions.iter().all(|f| f.body.is_some() || known(&f.name));
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    let mut edges = bodies.flat_map(|body| &body.edges);
    if !own || edges.any(|edge| writes(edge, variable).next().is_some()) {
        return None;
    }
    let mut shared = flow.initialisers.iter().flat_map(|(_, value)| value.parts());
    if shared.any(|part| is_address(part, variable)) {
        return None;
    }
    let mut values =
        flow.initialisers.iter().filter(|(place, _)| place_of(place) == Some(variable));
    match (values.next(), values.next()) {
        (Some((place, value)), None) if place.path.is_empty() => match value.kind {
            ExprKind::Constant(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// The values that an instruction gives a variable, `None` for those that it does not show.
fn writes(edge: &Edge, variable: VariableId) -> impl Iterator<Item = Option<&Expr>> {
    let instruction = &edge.instruction;
    let is_it = |place: &Place| plain(place) == Some(variable);
    let direct = instruction.target().filter(|place| is_it(place));
    // Its value before the first assignment does not count.
    let uninitialised =
        matches!(instruction, Instruction::Havoc(_, HavocKind::Uninitialised | HavocKind::Ended));
    let direct = direct.filter(|_| !uninitialised).map(|_| match instruction {
        Instruction::Assign(_, value) => Some(value),
        _ => None,
    });
    let shared = instruction.parts().filter(move |part| is_address(part, variable));
    direct.into_iter().chain(shared.map(|_| None))
}

fn is_address(part: &Expr, variable: VariableId) -> bool {
    matches!(&part.kind, ExprKind::AddressOf(place) if plain(place) == Some(variable))
}

fn place_of(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(v) => Some(v),
        _ => None,
    }
}

/// The variable that a place is.
pub(super) fn plain(place: &Place) -> Option<VariableId> {
    place_of(place).filter(|_| place.path.is_empty())
}
