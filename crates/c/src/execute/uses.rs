//! How a function uses a variable.

use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp, VariableId};

/// Whether the instruction reads the variable only to compare it with 0.
pub(super) fn are_comparisons(instruction: &Instruction, variable: VariableId) -> bool {
    match instruction {
        Instruction::Assume { condition, .. } => is_fine(condition, variable, true),
        _ => instruction.operands().all(|e| is_fine(e, variable, false)),
    }
}

/// Whether the instruction returns the variable.
pub(super) fn is_returned(instruction: &Instruction, variable: VariableId) -> bool {
    match instruction {
        Instruction::Return(Some(Expr { kind: ExprKind::Load(from), .. })) => {
            is_part(from, variable) && from.path.is_empty()
        }
        _ => false,
    }
}

/// Whether an expression is fine; `compared` says whether only its sign matters.
fn is_fine(e: &Expr, variable: VariableId, compared: bool) -> bool {
    match &e.kind {
        ExprKind::Load(from) if is_part(from, variable) => compared && from.path.is_empty(),
        ExprKind::AddressOf(of) if is_part(of, variable) => false,
        ExprKind::Unary(UnaryOp::Not, inner) => is_fine(inner, variable, true),
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
                | BinaryOp::Overflows(_)
                | BinaryOp::Beyond
                | BinaryOp::Apart => false,
            };
            let zero = |e: &Expr| matches!(e.kind, ExprKind::Constant(0));
            is_fine(left, variable, comparison && zero(right))
                && is_fine(right, variable, comparison && zero(left))
        }
        ExprKind::Conditional(condition, a, b) => {
            is_fine(condition, variable, true)
                && is_fine(a, variable, compared)
                && is_fine(b, variable, compared)
        }
        _ => e.operands().all(|o| is_fine(o, variable, false)),
    }
}

fn is_part(place: &Place, variable: VariableId) -> bool {
    matches!(place.base, Base::Variable(v) if v == variable)
}
