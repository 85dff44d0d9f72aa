//! What functions without bodies may do to blocks of the heap, of which nothing is known: return or store new ones, or free
//! what they are given.

use crate::flow::{Base, END, Expr, ExprKind, Flow, Function};
use crate::library::{Execution, LibraryFunction, Returns, find, keeps, lends};
use crate::types::Type;

/// Whether a function of the library may return or store what it does not say.
pub(super) fn is_open(known: &LibraryFunction) -> bool {
    known.model().is_some_and(|model| {
        matches!(model.execution, Execution::Scans | Execution::Unmodelled | Execution::AnyResult)
    })
}

/// Whether a call of a function without a body may allocate or free blocks, other than as its model says.
pub(super) fn changes(flow: &Flow, function: &Function, arguments: &[Expr]) -> bool {
    let name = function.name.as_str();
    let returns = match flow.types.get(function.ty) {
        Type::Function { result, .. } => flow.types.holds_pointer(*result, &|_| true),
        _ => true,
    };
    let Some(known) = find(name) else {
        return name != END && (returns || arguments.iter().any(|given| leads_on(flow, given)));
    };
    let Some(model) = known.model().filter(|_| is_open(known)) else { return false };
    let written = model.effect.written(known.prototype.parameters.len(), arguments.len());
    let holds = |given: &Expr| match *flow.types.get(given.ty) {
        Type::Pointer(to) => flow.types.holds_pointer(to, &|_| true),
        _ => false,
    };
    let stores = written.into_iter().filter_map(|i| arguments.get(i)).any(holds);
    let is_any = matches!(model.effect.returns, Returns::Given | Returns::Anything);
    stores || keeps(name) || returns && is_any && !lends(name)
}

/// Whether an argument may lead to a block, or to a pointer: not the address of a text, or of a variable without pointers.
fn leads_on(flow: &Flow, given: &Expr) -> bool {
    match &given.kind {
        ExprKind::AddressOf(place) => match place.base {
            Base::String(_) => false,
            Base::Variable(v) => {
                flow.types.holds_pointer(flow.variables[v.0 as usize].ty, &|_| true)
            }
            Base::Pointer(_) => true,
        },
        ExprKind::Cast(inner) if flow.types.is_pointer(inner.ty) => leads_on(flow, inner),
        ExprKind::Constant(_) => false,
        _ => flow.types.holds_pointer(given.ty, &|_| true),
    }
}
