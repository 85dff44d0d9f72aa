//! Functions of gcc and clang whose types are those of their arguments: what is one of them, or behaves as it.

use super::bits::target;
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::{CallExpression, Expression, Node};
use crate::types::Type;
use hardbop_base::source::Span;

/// What is no vector.
const PLAIN: [&str; 5] = [
    "__builtin_choose_expr",
    "__builtin_assume_aligned",
    "__builtin_nontemporal_load",
    "__builtin_nontemporal_store",
    "__builtin_speculation_safe_value",
];

/// The direction, and the number of bits, of `__builtin_rotateleft32` and the like.
fn rotation(name: &str) -> Option<(bool, u32)> {
    let name = name.strip_prefix("__builtin_rotate")?;
    let (is_left, bits) = match name.strip_prefix("left") {
        Some(bits) => (true, bits),
        None => (false, name.strip_prefix("right")?),
    };
    let bits = bits.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
    Some((is_left, bits))
}

/// Whether it is one of these.
pub(super) fn is_plain(name: &str) -> bool {
    PLAIN.contains(&name) || rotation(name).is_some()
}

/// Whether it is what gcc knows of the size of an object.
fn is_size(argument: &Node<Expression>) -> bool {
    let Expression::Call(call) = &argument.node else { return false };
    let Expression::Identifier(name) = &call.node.callee.node else { return false };
    ["__builtin_object_size", "__builtin_dynamic_object_size"].contains(&&name.node.name[..])
}

/// The call that gcc makes where it does not check the size of an object while the program runs, as `_FORTIFY_SOURCE` asks it to:
/// without the size, and without the flag in front of it.
pub(in crate::parse::expression) fn unchecked(call: &CallExpression) -> Option<CallExpression> {
    let Expression::Identifier(name) = &call.callee.node else { return None };
    let plain = name.node.name.strip_prefix("__builtin___")?.strip_suffix("_chk")?;
    let left_out: &[usize] = match plain {
        "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[3],
        "strcpy" | "strcat" | "stpcpy" => &[2],
        "snprintf" | "vsnprintf" => &[2, 3],
        "sprintf" | "vsprintf" => &[1, 2],
        "printf" | "vprintf" => &[0],
        "fprintf" | "vfprintf" => &[1],
        _ => return None,
    };
    let has_size = !plain.ends_with("printf") || left_out.len() == 2;
    let last = call.arguments.get(*left_out.last()?)?;
    if has_size && !is_size(last) {
        return None;
    }
    let mut call = call.clone();
    if let Expression::Identifier(name) = &mut call.callee.node {
        name.node.name = format!("__builtin_{plain}");
    }
    let mut index = 0..;
    call.arguments.retain(|_| !left_out.contains(&index.next().unwrap_or_default()));
    Some(call)
}

impl Context<'_> {
    /// A call of one of these; `None` with a wrong number of arguments, or where they have other types.
    pub(super) fn plain_call(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Typed<Option<Called>> {
        Ok(Some(Called::Value(match (name, arguments) {
            ("__builtin_choose_expr", [condition, yes, no]) => {
                let (condition, _) = self.constant_expression(condition)?;
                self.value(if condition == 0 { no } else { yes })?
            }
            ("__builtin_assume_aligned", [pointer, rest @ ..]) => {
                let pointer = self.value(pointer)?;
                self.effects_of(rest)?;
                let void = self.void();
                let void = self.types.pointer_to(void);
                self.convert(pointer, void)
            }
            ("__builtin_nontemporal_load", [pointer]) => {
                let pointer = self.value(pointer)?;
                let Type::Pointer(ty) = *self.types.get(pointer.ty) else { return Ok(None) };
                Expr { kind: ExprKind::Load(target(&pointer, ty, span)), ty, span }
            }
            ("__builtin_nontemporal_store", [value, pointer]) => {
                let value = self.value(value)?;
                let value = self.keep(value);
                let pointer = self.value(pointer)?;
                let Type::Pointer(ty) = *self.types.get(pointer.ty) else { return Ok(None) };
                let value = self.implicit(value, ty);
                self.emit(Instruction::Assign(target(&pointer, ty, span), value), span);
                return Ok(Some(Called::Nothing));
            }
            ("__builtin_speculation_safe_value", [value, rest @ ..]) => {
                let value = self.value(value)?;
                self.effects_of(rest)?;
                value
            }
            (name, [value, by]) => match rotation(name) {
                Some((is_left, bits)) => self.rotated(value, by, is_left, bits)?,
                None => return Ok(None),
            },
            _ => return Ok(None),
        })))
    }

    /// A number whose bits go round, by any number of places.
    fn rotated(
        &mut self,
        value: &Node<Expression>,
        by: &Node<Expression>,
        is_left: bool,
        bits: u32,
    ) -> Typed<Expr> {
        let ty = self.unsigned(bits);
        let [value, by] = [self.value(value)?, self.value(by)?].map(|e| self.convert(e, ty));
        let [value, by] = [value, by].map(|e| self.keep(e));
        let by = self.with(BinaryOp::BitAnd, &by, u64::from(bits - 1));
        let width = self.constant(u64::from(bits), ty, by.span);
        let rest = self.same(BinaryOp::Subtract, &width, &by);
        let rest = self.with(BinaryOp::BitAnd, &rest, u64::from(bits - 1));
        let (left, right) = if is_left { (&by, &rest) } else { (&rest, &by) };
        let up = self.same(BinaryOp::ShiftLeft, &value, left);
        let down = self.same(BinaryOp::ShiftRight, &value, right);
        Ok(self.same(BinaryOp::BitOr, &up, &down))
    }
}
