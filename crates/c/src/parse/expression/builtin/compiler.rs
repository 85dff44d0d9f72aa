//! Functions of gcc and clang whose types are those of their arguments: what is one of them, or behaves as it.

use super::super::place::Operand;
use super::bits::target;
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::syntax::tree::{CallExpression, Expression, Node};
use crate::types::Type;
use hardbop_base::source::Span;

/// What is no vector.
const PLAIN: [&str; 4] = [
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

/// Whether a call is one of the arguments of `__builtin_choose_expr`, as its constant says.
pub(in crate::parse::expression) fn is_choice(call: &CallExpression) -> bool {
    matches!(&call.callee.node, Expression::Identifier(name) if name.node.name == "__builtin_choose_expr")
        && call.arguments.len() == 3
}

/// Whether it is what gcc knows of the size of an object.
fn is_size(argument: &Node<Expression>) -> bool {
    let Expression::Call(call) = &argument.node else { return false };
    let Expression::Identifier(name) = &call.node.callee.node else { return false };
    ["__builtin_object_size", "__builtin_dynamic_object_size"].contains(&&name.node.name[..])
}

/// The call that gcc makes where it does not check the size of an object while the program runs, as `_FORTIFY_SOURCE` asks it to:
/// without the size, and without the flag in front of it.  Where more is written than there is room, that ends the program, which is
/// an error here.
pub(in crate::parse::expression) fn unchecked(call: &CallExpression) -> Option<CallExpression> {
    let Expression::Identifier(name) = &call.callee.node else { return None };
    let plain = name.node.name.strip_prefix("__builtin___")?.strip_suffix("_chk")?;
    let left_out: &[usize] = match plain {
        "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[3],
        "strcpy" | "strcat" | "stpcpy" => &[2],
        "sprintf" | "vsprintf" => &[1, 2],
        "printf" | "vprintf" => &[0],
        "fprintf" | "vfprintf" => &[1],
        _ => return None,
    };
    for (i, &index) in left_out.iter().enumerate() {
        let argument = call.arguments.get(index)?;
        let is_known = match plain.ends_with("printf") && i == 0 {
            true => matches!(argument.node, Expression::Constant(_)),
            false => is_size(argument),
        };
        if !is_known {
            return None;
        }
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
    /// What `__builtin_choose_expr` is.
    pub(in crate::parse::expression) fn chosen_operand(
        &mut self,
        arguments: &[Node<Expression>],
    ) -> Typed<Operand> {
        let (condition, _) = self.constant_expression(&arguments[0])?;
        self.operand(&arguments[if condition == 0 { 2 } else { 1 }])
    }

    /// A call of one of these; `None` with a wrong number of arguments, or where they have other types.
    pub(super) fn plain_call(
        &mut self,
        name: &str,
        arguments: &[Node<Expression>],
        span: Span,
    ) -> Typed<Option<Called>> {
        Ok(Some(Called::Value(match (name, arguments) {
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
        let ty = match bits == self.types.model.word() {
            true => self.types.intern(Type::Int { bits, signed: false, rank: 4 }),
            false => self.unsigned(bits),
        };
        let value = self.value(value)?;
        let value = self.convert(value, ty);
        let value = self.keep(value);
        let by = self.value(by)?;
        let by = self.convert(by, ty);
        let by = self.keep(by);
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
