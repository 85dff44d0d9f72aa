//! How a function uses a variable.

use crate::program::c::flow::{
    Base, BinaryOp, Callee, Expr, ExprKind, Instruction, Place, Step, UnaryOp, VariableId,
};

/// Whether the instruction reads the variable only to compare it with 0.
pub(super) fn are_comparisons(instruction: &Instruction, variable: VariableId) -> bool {
    let reads = |e: &Expr| is_fine(e, variable, false);
    let writes = |p: &Place| place(p, variable);
    match instruction {
        Instruction::Assign(to, value) => writes(to) && reads(value),
        Instruction::Assume { condition, .. } => is_fine(condition, variable, true),
        Instruction::Havoc(to, _) => writes(to),
        Instruction::Call { result, callee, arguments } => {
            let callee = match callee {
                Callee::Pointer(pointer) => reads(pointer),
                Callee::Function(_) => true,
            };
            callee && result.iter().all(writes) && arguments.iter().all(reads)
        }
        Instruction::Return(value) => value.iter().all(reads),
        Instruction::Skip
        | Instruction::Error(_)
        | Instruction::Halt
        | Instruction::Unsupported(_) => true,
    }
}

/// Whether an expression is fine; `compared` says whether only its sign matters.
fn is_fine(e: &Expr, variable: VariableId, compared: bool) -> bool {
    match &e.kind {
        ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => true,
        ExprKind::Load(from) => {
            let whole = matches!(from.base, Base::Variable(v) if v == variable);
            if whole { compared && from.path.is_empty() } else { place(from, variable) }
        }
        ExprKind::AddressOf(of) => {
            !matches!(of.base, Base::Variable(v) if v == variable) && place(of, variable)
        }
        ExprKind::Unary(UnaryOp::Not, inner) => is_fine(inner, variable, true),
        ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => is_fine(inner, variable, false),
        ExprKind::Binary(op, left, right) => {
            let comparison = match op {
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual => true,
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Remainder
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Overflows(_) => false,
            };
            let zero = |e: &Expr| matches!(e.kind, ExprKind::Constant(0));
            is_fine(left, variable, comparison && zero(right))
                && is_fine(right, variable, comparison && zero(left))
        }
        ExprKind::Offset { pointer: left, index: right, .. }
        | ExprKind::Difference { left, right, .. } => {
            is_fine(left, variable, false) && is_fine(right, variable, false)
        }
        ExprKind::Conditional(condition, a, b) => {
            is_fine(condition, variable, true)
                && is_fine(a, variable, compared)
                && is_fine(b, variable, compared)
        }
    }
}

/// Whether the address of a place does not depend on the variable's value.
fn place(place: &Place, variable: VariableId) -> bool {
    let base = match &place.base {
        Base::Pointer(pointer) => is_fine(pointer, variable, false),
        Base::Variable(_) | Base::String(_) => true,
    };
    base && place.path.iter().all(|step| match step {
        Step::Index(index) => is_fine(index, variable, false),
        Step::Field(_) => true,
    })
}
