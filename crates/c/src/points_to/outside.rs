//! What pointers from outside may point to.

use rustc_hash::FxHashSet;

use crate::flow::{
    Base, Expr, ExprKind, Flow, HavocKind, Instruction, Place, VariableId, VariableKind,
};
use crate::types::{Type, TypeId};

/// The variables of the program to which a pointer may point that comes from outside: an input, a
/// variable of another file, or a parameter of a function other than `main` in which executions start.
/// An input may be the address of any variable whose address is taken; who calls a function may
/// pass it the address of any global.  What `main` is given has no name, but the system has pointers
/// to it: only those to characters are.  Sorted; none where there are no such pointers.
pub(super) fn outside(flow: &Flow) -> Vec<VariableId> {
    let entry = &flow.functions[flow.main.0 as usize];
    let is_pointer = |ty: TypeId| flow.types.holds_pointer(ty, &|_| true);
    let is_of_text = |ty: TypeId| flow.types.holds_pointer(ty, &|to| leads_to_text(flow, to));
    let of = |id: &VariableId| &flow.variables[id.0 as usize];
    let passed = entry.name != "main" && entry.parameters.iter().any(|p| is_pointer(of(p).ty));
    let all = || (0..flow.variables.len() as u32).map(VariableId);
    let foreign = |holds: &dyn Fn(TypeId) -> bool| {
        all().any(|v| of(&v).kind == VariableKind::External && holds(of(&v).ty))
    };
    let bodies = || flow.functions.iter().filter_map(|f| f.body.as_ref());
    let edges = || bodies().flat_map(|body| &body.edges).map(|edge| &edge.instruction);
    let input = |holds: &dyn Fn(TypeId) -> bool| {
        edges().any(|instruction| match instruction {
            Instruction::Havoc(place, HavocKind::Input(_)) => holds(place.ty),
            _ => false,
        })
    };
    let has_texts = passed || foreign(&is_of_text) || input(&is_of_text);
    let (foreign, input) = (foreign(&is_pointer), input(&is_pointer));
    let mut found = FxHashSet::default();
    if passed || foreign {
        let global = |v: &VariableId| {
            matches!(of(v).kind, VariableKind::Global | VariableKind::External)
                && (passed || !of(v).internal)
        };
        found.extend(all().filter(global));
    }
    if passed || foreign || input {
        let initial = flow.initialisers.iter().flat_map(|(to, value)| to.operands().chain([value]));
        let parts = edges().flat_map(Instruction::parts).chain(initial.flat_map(Expr::parts));
        let is_known = |v: &VariableId| {
            has_texts || !(of(v).kind == VariableKind::Temporary && of(v).internal)
        };
        found.extend(parts.filter_map(taken).filter(is_known));
    }
    let mut found: Vec<VariableId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Whether it may be a character, or a pointer to what may.
fn leads_to_text(flow: &Flow, ty: TypeId) -> bool {
    match *flow.types.get(ty) {
        Type::Pointer(to) => leads_to_text(flow, to),
        Type::Int { bits, .. } => bits == 8,
        Type::Void => true,
        _ => false,
    }
}

/// The variable whose address, or that of a part of it, is the value of the expression.
fn taken(expr: &Expr) -> Option<VariableId> {
    match expr.kind {
        ExprKind::AddressOf(Place { base: Base::Variable(variable), .. }) => Some(variable),
        _ => None,
    }
}
