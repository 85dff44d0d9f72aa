//! Calls across files: what a declaration says of arguments need not be what the definition does.

use crate::flow::{Callee, Expr, ExprKind, Instruction};
use crate::parse::Unit;
use crate::rules::moment_of;
use crate::types::{Type, TypeId, Types};

/// How a declaration of a function has its arguments passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// `f()`: promoted.
    Unspecified,
    /// A prototype.
    Prototype { is_promoted: bool },
    /// A definition without a prototype, which takes promoted arguments.
    OldStyle { is_promoted: bool },
}

impl View {
    pub fn of(types: &Types, ty: TypeId, is_old_style: bool) -> Self {
        let Type::Function { parameters, variadic, .. } = types.get(ty) else {
            return Self::Unspecified;
        };
        let is_promoted = parameters.iter().all(|&ty| match types.get(ty) {
            Type::Int { rank, .. } => *rank >= 3,
            Type::Float { bits } => *bits >= 64,
            Type::Bool => false,
            _ => true,
        });
        match (is_old_style, parameters.is_empty() && *variadic) {
            (true, _) => Self::OldStyle { is_promoted },
            (false, true) => Self::Unspecified,
            (false, false) => Self::Prototype { is_promoted: is_promoted && !variadic },
        }
    }

    /// Whether calls by one declaration are those that the other one takes.
    pub fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Unspecified, Self::Prototype { is_promoted })
            | (Self::Prototype { is_promoted }, Self::Unspecified)
            | (Self::OldStyle { is_promoted }, Self::Prototype { .. })
            | (Self::Prototype { .. }, Self::OldStyle { is_promoted }) => is_promoted,
            _ => true,
        }
    }
}

/// Whether calls by two declarations pass as many values of the same sizes, of which pointers may lead to different types, and
/// have the same result.  Integers that are narrower than `int` are extended as their declaration says: these are to be the same.
pub(super) fn are_passed_alike(types: &mut Types, one: TypeId, other: TypeId) -> bool {
    let [
        Type::Function { result: a, parameters: p, variadic: v },
        Type::Function { result: b, parameters: q, variadic: w },
    ] = [one, other].map(|ty| types.get(ty).clone())
    else {
        return false;
    };
    let is_alike = |types: &mut Types, a, b| {
        types.composite(a, b).is_some()
            || types.is_pointer(a) && types.is_pointer(b)
            || are_stored_alike(types, a, b) && types.bits(a).is_none_or(|(bits, _)| bits >= 32)
    };
    p.len() == q.len()
        && v == w
        && types.composite(a, b).is_some()
        && p.into_iter().zip(q).all(|(a, b)| is_alike(types, a, b))
}

/// Whether variables of two types have values of the same sizes at the same places: integers with a sign and without, pointers to
/// different types, and arrays of them.
pub(super) fn are_stored_alike(types: &Types, one: TypeId, other: TypeId) -> bool {
    match (types.get(one), types.get(other)) {
        (Type::Array(a, n), Type::Array(b, m)) => {
            (n.is_none() || m.is_none() || n == m) && are_stored_alike(types, *a, *b)
        }
        (Type::Int { bits: a, .. }, Type::Int { bits: b, .. }) => a == b,
        (Type::Pointer(_), Type::Pointer(_)) => true,
        _ => one == other,
    }
}

/// What is said of calls that a rule could not be told of.
pub(super) const OTHERWISE: &str = "which a rule declares with other types";

/// Makes the arguments of calls those that the definition takes; where they are others, a path through the call is left
/// undecided.
pub(super) fn fit(unit: &mut Unit) {
    let mut functions = std::mem::take(&mut unit.functions);
    let taken: Vec<Option<(Vec<TypeId>, bool, bool)>> = functions
        .iter()
        .map(|f| {
            let is_defined = f.body.is_some() && !f.is_convention();
            let types = f.parameters.iter().map(|v| unit.variables[v.0 as usize].ty);
            let types: Vec<TypeId> = types.collect();
            let is_old_style = unit.old_style.contains(&f.name);
            let variadic = match unit.types.get(f.ty) {
                Type::Function { variadic, .. } => *variadic,
                _ => false,
            };
            is_defined.then_some((types, variadic, is_old_style))
        })
        .collect();
    let names: Vec<String> = functions.iter().map(|f| f.name.clone()).collect();
    for edge in functions.iter_mut().filter_map(|f| f.body.as_mut()).flat_map(|b| &mut b.edges) {
        let Instruction::Call { callee: Callee::Function(id), arguments, .. } =
            &mut edge.instruction
        else {
            continue;
        };
        let Some((parameters, variadic, is_old_style)) = &taken[id.0 as usize] else { continue };
        if *is_old_style || moment_of(&names[id.0 as usize]).is_some() {
            arguments.truncate(parameters.len());
        }
        let is_counted =
            arguments.len() == parameters.len() || arguments.len() > parameters.len() && *variadic;
        let mut pairs = arguments.iter_mut().zip(parameters);
        if !is_counted || !pairs.all(|(a, &ty)| adapt(a, ty, &unit.types, *is_old_style)) {
            let name = &names[id.0 as usize];
            let what = match moment_of(name) {
                Some((_, function)) => format!("a call of '{function}', {OTHERWISE}"),
                None => {
                    format!("a call of '{name}' with arguments that its definition does not take")
                }
            };
            edge.instruction = Instruction::Unsupported(what);
        }
    }
    unit.functions = functions;
}

/// Converts an argument to the type of its parameter, if nothing is lost; else says no.
fn adapt(argument: &mut Expr, ty: TypeId, types: &Types, is_old_style: bool) -> bool {
    if argument.ty == ty {
        return true;
    }
    let bits = |id| types.bits(id).map(|(bits, _)| bits);
    let is_float = |id| matches!(types.get(id), Type::Float { .. });
    let same = bits(argument.ty).is_some() && bits(argument.ty) == bits(ty);
    // What is passed was promoted, and is converted back.
    let narrower = is_old_style
        && (types.is_integer(argument.ty) && types.is_integer(ty) && bits(argument.ty) > bits(ty)
            || is_float(argument.ty) && is_float(ty));
    if !same && !narrower || types.is_pointer(argument.ty) != types.is_pointer(ty) {
        return false;
    }
    let span = argument.span;
    let void = ExprKind::Constant(0);
    let value = std::mem::replace(argument, Expr { kind: void, ty, span });
    argument.kind = ExprKind::Cast(Box::new(value));
    true
}
