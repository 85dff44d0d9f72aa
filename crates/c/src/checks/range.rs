//! The values that an expression can have, judged by its form alone: `(int)c + 1` fits wherever `c` is a `char`.

use crate::flow::{BinaryOp, Checked, Expr, ExprKind, UnaryOp};
use crate::types::{Type, TypeId, Types};

/// Least and greatest value.
type Range = (i128, i128);

/// Whether C always defines the result of an operation on integers.
pub(crate) fn is_defined(types: &Types, op: Checked, left: &Expr, right: &Expr) -> bool {
    let Some(all) = of_type(types, left.ty) else { return false };
    let (a, b) = (of(types, left), of(types, right));
    match op {
        Checked::Add | Checked::Subtract | Checked::Multiply => {
            result(op, a, b).is_some_and(|r| within(r, all))
        }
        Checked::Divide => a.0 > all.0 || b.0 > -1 || b.1 < -1,
        Checked::ShiftCount => {
            let bits = types.bits(left.ty).map_or(0, |(bits, _)| bits);
            within(b, (0, i128::from(bits) - 1))
        }
        Checked::ShiftLeft => {
            let count = within(b, (0, 62));
            count && a.0 >= 0 && within((a.0 << b.0, a.1 << b.1), all)
        }
    }
}

/// Whether a number can be 0.
pub(super) fn has_zero(types: &Types, expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Float(value) => value == 0.0,
        _ if matches!(types.get(expr.ty), Type::Float { .. }) => true,
        _ => within((0, 0), of(types, expr)),
    }
}

fn within(inner: Range, outer: Range) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// All values of an integer type.
pub(crate) fn of_type(types: &Types, ty: TypeId) -> Option<Range> {
    match *types.get(ty) {
        Type::Bool => Some((0, 1)),
        Type::Int { bits, signed: true, .. } => {
            Some((-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1))
        }
        Type::Int { bits, .. } => Some((0, (1_i128 << bits) - 1)),
        _ => None,
    }
}

/// The least integer of 128 bits, and the first number above the greatest one.
pub(crate) fn of_wide(signed: bool) -> (f64, f64) {
    let half = 2.0_f64.powi(127);
    if signed { (-half, half) } else { (0.0, 2.0 * half) }
}

/// The exact range of the result; `None` if it cannot be computed.
fn result(op: Checked, (a, b): Range, (c, d): Range) -> Option<Range> {
    Some(match op {
        Checked::Add => (a + c, b + d),
        Checked::Subtract => (a - d, b - c),
        Checked::Multiply => {
            let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
            let products: Vec<i128> = products.into_iter().collect::<Option<_>>()?;
            (*products.iter().min()?, *products.iter().max()?)
        }
        Checked::Divide | Checked::ShiftLeft | Checked::ShiftCount => return None,
    })
}

/// The range of an expression; that of all 64-bit numbers if its type is not an integer type.
pub(crate) fn of(types: &Types, expr: &Expr) -> Range {
    let Some(all) = of_type(types, expr.ty) else { return (i64::MIN.into(), u64::MAX.into()) };
    let found = match &expr.kind {
        ExprKind::Constant(value) => {
            let value = i128::from(*value);
            // A negative constant has the bits of a large unsigned number.
            let value = if value > all.1 { value - (all.1 - all.0 + 1) } else { value };
            Some((value, value))
        }
        ExprKind::Cast(inner) if types.is_integer(inner.ty) => Some(of(types, inner)),
        ExprKind::Unary(UnaryOp::Not, _) => Some((0, 1)),
        ExprKind::Unary(UnaryOp::Negate, inner) => {
            let (low, high) = of(types, inner);
            Some((-high, -low))
        }
        ExprKind::Binary(op, left, right) => binary(types, *op, left, right),
        ExprKind::Conditional(_, yes, no) => {
            let (yes, no) = (of(types, yes), of(types, no));
            Some((yes.0.min(no.0), yes.1.max(no.1)))
        }
        _ => None,
    };
    found.filter(|range| within(*range, all)).unwrap_or(all)
}

fn binary(types: &Types, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Range> {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
    match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => {
            result(Checked::of(op)?, of(types, left), of(types, right))
        }
        BinaryOp::Remainder => {
            let ((low, high), (c, d)) = (of(types, left), of(types, right));
            let most = c.abs().max(d.abs()) - 1;
            Some((low.min(0).max(-most), high.max(0).min(most)))
        }
        BinaryOp::BitAnd => {
            let (a, b) = (of(types, left), of(types, right));
            match (a.0 >= 0, b.0 >= 0) {
                (true, true) => Some((0, a.1.min(b.1))),
                (true, false) => Some((0, a.1)),
                (false, true) => Some((0, b.1)),
                (false, false) => None,
            }
        }
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | And | Or => Some((0, 1)),
        _ => None,
    }
}
