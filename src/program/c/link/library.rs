//! Bodies for functions of the C library that read and write texts, where the lowering follows them character by
//! character: what `library.c` says.  The interpreter has its own; the two have nothing in common.

use super::rewrite::Numbers;
use crate::base::source::Span;
use crate::program::c::flow::{
    Base, Body, Callee, Expr, ExprKind, Flow, FunctionId, Instruction, Place, Step, VariableId,
};
use crate::program::c::library;
use crate::program::c::parse::{Elsewhere, ParseOptions, Parsed, Thing, Unit, on_large_stack};
use crate::program::c::types::{DataModel, Type, TypeId, Types};

const TEXT: &str = include_str!("library.c");

/// Functions that have a body here.
const NAMES: [&str; 9] =
    ["strlen", "strcmp", "strncmp", "memcmp", "strchr", "strcpy", "strncpy", "strcat", "strncat"];

/// Whether the function is one that can have a body from here, by this name or another.
#[must_use]
pub(in crate::program::c) fn has_body(flow: &Flow, function: FunctionId) -> bool {
    name(flow, function).is_some()
}

fn name(flow: &Flow, function: FunctionId) -> Option<&'static str> {
    let function = &flow.functions[function.0 as usize];
    let known = library::find(&function.name).filter(|_| function.body.is_none())?;
    NAMES.into_iter().find(|name| *name == known.name)
}

/// The program with bodies for these functions; those that it declares in another way than C does get none.
///
/// Numbers of functions and variables stay as they are; new ones follow.  The new edges have the place of the
/// function's declaration.
#[must_use]
pub(in crate::program::c) fn with_bodies(flow: &Flow, functions: &[FunctionId]) -> Flow {
    let mut out = flow.clone();
    let Some(unit) = unit(flow.types.model) else { return out };
    let types = (0..unit.types.types.len() as u32).map(TypeId);
    let types: Vec<TypeId> =
        types.map(|ty| same(&unit.types, ty, &mut out.types).unwrap_or(TypeId(0))).collect();
    for &id in functions {
        let Some(name) = name(flow, id) else { continue };
        let of_name = unit.names.iter().find_map(|(other, thing, _)| match thing {
            Thing::Function(id) if other == name => Some(&unit.functions[id.0 as usize]),
            _ => None,
        });
        let Some(model) = of_name else { continue };
        let Some(mut body) = model.body.clone() else { continue };
        let own = &mut out.functions[id.0 as usize];
        if types[model.ty.0 as usize] != own.ty {
            continue;
        }
        let span = own.span;
        let mut variables = vec![None; unit.variables.len()];
        for (old, variable) in unit.variables.iter().enumerate() {
            let of_model = |f: FunctionId| unit.functions[f.0 as usize].name == model.name;
            if variable.function.is_some_and(of_model) {
                variables[old] = Some(VariableId(out.variables.len() as u32));
                let mut variable = variable.clone();
                variable.ty = types[variable.ty.0 as usize];
                (variable.function, variable.span) = (Some(id), span);
                out.variables.push(variable);
            }
        }
        let numbers =
            Numbers { types: types.clone(), functions: vec![], variables, strings: vec![] };
        if body.edges.iter().any(|e| matches!(e.instruction, Instruction::Call { .. })) {
            continue;
        }
        numbers.body(&mut body);
        moved(&mut body, span);
        own.parameters = model.parameters.iter().map(|&v| numbers.variable(v)).collect();
        own.result = model.result.map(|v| numbers.variable(v));
        own.body = Some(body);
    }
    out
}

/// The text, read.
fn unit(model: DataModel) -> Option<Unit> {
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    let size = match model {
        DataModel::Lp64 => "unsigned long",
        DataModel::Ilp32 => "unsigned",
    };
    let text = TEXT.replace("hardbop_size", size);
    let read = || {
        let file = Parsed::read(&text, 0, &text, &options).ok()?;
        file.unit(&options, &Elsewhere::default(), model).ok()
    };
    on_large_stack(read).ok()?
}

/// The type of another table that has the same form; there are no records.
fn same(from: &Types, ty: TypeId, to: &mut Types) -> Option<TypeId> {
    let ty = match from.get(ty).clone() {
        Type::Pointer(ty) => Type::Pointer(same(from, ty, to)?),
        Type::Array(ty, length) => Type::Array(same(from, ty, to)?, length),
        Type::Function { result, parameters, variadic } => {
            let result = same(from, result, to)?;
            let parameters = parameters.into_iter().map(|ty| same(from, ty, to));
            Type::Function { result, parameters: parameters.collect::<Option<_>>()?, variadic }
        }
        Type::Record(_) => return None,
        simple => simple,
    };
    Some(to.intern(ty))
}

/// Gives everything in a body one place in the text.
fn moved(body: &mut Body, span: Span) {
    body.loops.clear();
    for edge in &mut body.edges {
        edge.span = span;
        match &mut edge.instruction {
            Instruction::Assign(place, value) => {
                move_place(place, span);
                move_expr(value, span);
            }
            Instruction::Assume { condition, .. } => move_expr(condition, span),
            Instruction::Havoc(place, _) => move_place(place, span),
            Instruction::Return(value) => value.iter_mut().for_each(|v| move_expr(v, span)),
            Instruction::Call { result, callee, arguments } => {
                result.iter_mut().for_each(|place| move_place(place, span));
                if let Callee::Pointer(pointer) = callee {
                    move_expr(pointer, span);
                }
                arguments.iter_mut().for_each(|argument| move_expr(argument, span));
            }
            Instruction::Skip
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }
}

fn move_place(place: &mut Place, span: Span) {
    place.span = span;
    if let Base::Pointer(pointer) = &mut place.base {
        move_expr(pointer, span);
    }
    for step in &mut place.path {
        if let Step::Index(index) = step {
            move_expr(index, span);
        }
    }
}

fn move_expr(expr: &mut Expr, span: Span) {
    expr.span = span;
    match &mut expr.kind {
        ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) => move_place(place, span),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => move_expr(a, span),
        ExprKind::Binary(_, a, b)
        | ExprKind::Offset { pointer: a, index: b, .. }
        | ExprKind::Difference { left: a, right: b, .. } => {
            move_expr(a, span);
            move_expr(b, span);
        }
        ExprKind::Conditional(c, a, b) => {
            move_expr(c, span);
            move_expr(a, span);
            move_expr(b, span);
        }
    }
}
