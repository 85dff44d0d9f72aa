//! The direction in which floating-point operations round (C11, 7.6.3), where a program sets it.
//!
//! `fesetround` is C code (`library/models/fenv.c`) that keeps the mode in a variable.  Where it is linked, each operation that
//! rounds gets the value of that variable: [`ExprKind::Rounded`].  In other programs all round to nearest.
//!
//! What the parser has computed with constants is rounded to nearest, as by gcc without `-frounding-math`; C leaves that open where
//! `FENV_ACCESS` is off (7.6.1).

use rustc_hash::FxHashMap;

use crate::flow::{
    Base, BinaryOp, Callee, Expr, ExprKind, Flow, Function, Instruction, Place, RealOp, UnaryOp,
    Variable, VariableId, VariableKind,
};
use crate::library::{self, Execution, Facts, LibraryFunction};
use crate::types::{Type, TypeId};

/// The file of the library that holds the mode in its only variable.
const FILE: &str = "<library>/fenv.c";

/// Functions that set the mode, too, to one that is not followed.
const OTHERS: [&str; 2] = ["fesetenv", "feupdateenv"];

/// Whether the library computes the function, whose result is another one where the mode is.
fn is_computed(name: &str) -> bool {
    let model = library::find(name).and_then(LibraryFunction::model);
    model.is_some_and(|model| match model.execution {
        Execution::Real(function) => !matches!(function.facts, Facts::Modulo | Facts::Remainder),
        _ => false,
    })
}

/// The variable that holds the mode, if the program sets it.
pub(crate) fn mode(flow: &Flow) -> Option<VariableId> {
    let is_it = |v: &Variable| {
        v.internal && v.function.is_none() && flow.source.position(v.span.start).file == FILE
    };
    let at = flow.variables.iter().position(is_it)?;
    Some(VariableId(at as u32))
}

/// Gives operations the mode, if the program sets it.
pub(crate) fn direct(flow: &mut Flow) {
    let Some(mode) = mode(flow) else { return };
    let ty = flow.variables[mode.0 as usize].ty;
    let names: Vec<String> = flow.functions.iter().map(|f| f.name.clone()).collect();
    let without_body = |f: &Function| f.body.is_none() && is_computed(&f.name);
    let is_computed: Vec<bool> = flow.functions.iter().map(without_body).collect();
    // What a pointer calls may be one of these.
    let by_pointer = flow
        .parts()
        .any(|part| matches!(part.kind, ExprKind::FunctionAddress(f) if is_computed[f.0 as usize]));
    let is_other = |callee: &Callee| match callee {
        Callee::Function(f) => OTHERS.contains(&names[f.0 as usize].as_str()),
        Callee::Pointer(_) => by_pointer,
    };
    let constants = constants(flow);
    let mut functions = std::mem::take(&mut flow.functions);
    let edges = functions.iter_mut().filter_map(|f| f.body.as_mut()).flat_map(|b| &mut b.edges);
    for edge in edges {
        if matches!(&edge.instruction, Instruction::Call { callee, .. } if is_other(callee)) {
            let what = "a call that may set another direction of rounding".to_owned();
            edge.instruction = Instruction::Unsupported(what);
            continue;
        }
        if let Instruction::Call { callee: Callee::Function(f), .. } = &edge.instruction
            && is_computed[f.0 as usize]
        {
            let what = format!("'{}' where a direction of rounding is set", names[f.0 as usize]);
            edge.instruction = Instruction::Unsupported(what);
            continue;
        }
        let is_open =
            |value: &&mut Expr| value.parts().any(|part| is_inexact_root(part, &constants));
        if edge.instruction.values_mut().iter().any(is_open) {
            // gcc computes it beforehand, unless it takes `sqrt` for a function like any other.
            let what =
                "the square root of a constant, where a direction of rounding is set".to_owned();
            edge.instruction = Instruction::Unsupported(what);
            continue;
        }
        for value in edge.instruction.values_mut() {
            direct_in(flow, (mode, ty), value);
        }
    }
    flow.functions = functions;
}

/// Gives operations in an expression the mode, a variable of this type.
fn direct_in(flow: &Flow, mode: (VariableId, TypeId), expr: &mut Expr) {
    for operand in expr.operands_mut() {
        direct_in(flow, mode, operand);
    }
    if rounds(flow, expr) {
        let (ty, span) = (expr.ty, expr.span);
        let mode = Place::of(mode.0, mode.1, span).load();
        let none = Expr { kind: ExprKind::Constant(0), ty, span };
        let operation = std::mem::replace(expr, none);
        let kind = ExprKind::Rounded(Box::new(mode), Box::new(operation));
        *expr = Expr { kind, ty, span };
    }
}

/// The temporaries that hold constants: the arguments of calls, for one.
fn constants(flow: &Flow) -> FxHashMap<VariableId, f64> {
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    let constants = bodies.flat_map(|body| &body.edges).filter_map(|edge| {
        let Instruction::Assign(place, value) = &edge.instruction else { return None };
        match (&place.base, &value.kind) {
            (&Base::Variable(v), &ExprKind::Float(number))
                if flow.variables[v.0 as usize].kind == VariableKind::Temporary =>
            {
                Some((v, number))
            }
            _ => None,
        }
    });
    constants.collect()
}

/// Whether it is the square root of a constant, and depends on the direction.
fn is_inexact_root(expr: &Expr, constants: &FxHashMap<VariableId, f64>) -> bool {
    let ExprKind::Unary(UnaryOp::Real(RealOp::SquareRoot), of) = &expr.kind else { return false };
    let number = match &of.kind {
        ExprKind::Float(number) => Some(*number),
        ExprKind::Load(Place { base: Base::Variable(v), .. }) => constants.get(v).copied(),
        _ => None,
    };
    number.is_some_and(|number| number.sqrt().mul_add(number.sqrt(), -number) != 0.0)
}

/// Whether the result is rounded.
fn rounds(flow: &Flow, expr: &Expr) -> bool {
    let bits = |e: &Expr| match *flow.types.get(e.ty) {
        Type::Float { bits } if bits <= 64 => Some(bits),
        _ => None,
    };
    let Some(to) = bits(expr) else { return false };
    match &expr.kind {
        ExprKind::Binary(op, ..) => {
            matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide)
        }
        ExprKind::Unary(UnaryOp::Real(op), _) => {
            matches!(op, RealOp::SquareRoot | RealOp::Integral)
        }
        ExprKind::Cast(inner) => match bits(inner) {
            Some(from) => from > to,
            None => flow.types.is_integer(inner.ty),
        },
        _ => false,
    }
}
