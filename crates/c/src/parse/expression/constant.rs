//! Arithmetic on constants, and expressions that must be constant.

use crate::flow::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{Expression, Node, TypeName};
use crate::types::{INT128, Type, TypeId, Types};
use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, DiagnosticKind};

/// The bits of a value, wrapped to `bits` bits.
pub(in crate::parse) fn wrap(value: i128, bits: u32) -> u64 {
    let value = value as u64;
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// The numeric value of an integer or pointer constant.
pub(in crate::parse) fn number(types: &Types, value: u64, ty: TypeId) -> i128 {
    match types.bits(ty) {
        Some((bits, true)) if bits < 64 && value >> (bits - 1) & 1 == 1 => {
            i128::from(value) - (1 << bits)
        }
        Some((64, true)) => i128::from(value as i64),
        _ => i128::from(value),
    }
}

/// Whether an operation on signed constants of `bits` bits overflows.
fn overflows(op: BinaryOp, left: i128, right: i128, bits: u32) -> bool {
    let fits = |value: i128| (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&value);
    match op {
        BinaryOp::Add => !fits(left + right),
        BinaryOp::Subtract => !fits(left - right),
        BinaryOp::Multiply => !fits(left * right),
        // Other undefined shifts, and undefined divisions, are not folded.
        BinaryOp::ShiftLeft if (0..i128::from(bits)).contains(&right) => {
            left < 0 || !fits(left << right)
        }
        _ => false,
    }
}

/// Evaluates a binary operation on constants of one type (for shifts, `right` is the count); `None`
/// if C leaves it undefined.
pub(in crate::parse) fn fold(
    op: BinaryOp,
    left: i128,
    right: i128,
    bits: u32,
    signed: bool,
) -> Option<i128> {
    let truth = |b: bool| Some(i128::from(b));
    match op {
        BinaryOp::Add => Some(left + right),
        BinaryOp::Subtract => Some(left - right),
        BinaryOp::Multiply => {
            left.checked_mul(right).or(Some((left as u64).wrapping_mul(right as u64).into()))
        }
        BinaryOp::Divide | BinaryOp::Remainder => {
            let overflow = signed && right == -1 && left == -(1_i128 << (bits - 1));
            if right == 0 || overflow {
                return None;
            }
            Some(if op == BinaryOp::Divide { left / right } else { left % right })
        }
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let amount = u32::try_from(right).ok().filter(|&r| r < bits)?;
            Some(if op == BinaryOp::ShiftLeft {
                i128::from((left as u64).wrapping_shl(amount))
            } else {
                left >> amount
            })
        }
        BinaryOp::Equal => truth(left == right),
        BinaryOp::NotEqual => truth(left != right),
        BinaryOp::Less => truth(left < right),
        BinaryOp::LessEqual => truth(left <= right),
        BinaryOp::Greater => truth(left > right),
        BinaryOp::GreaterEqual => truth(left >= right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::Overflows(_) | BinaryOp::Beyond | BinaryOp::Apart => None,
    }
}

impl Context<'_> {
    /// The value of a constant of integer or pointer type.
    pub fn as_number(&self, e: &Expr) -> Option<i128> {
        match e.kind {
            ExprKind::Constant(value) => Some(number(&self.types, value, e.ty)),
            _ => None,
        }
    }

    /// Whether operations are checked for overflows here; constant expressions are not.
    pub fn checked(&self) -> bool {
        let property = &self.options.property;
        !property.checks.is_empty() && self.dry == 0 && self.current.is_some()
    }

    /// Whether an operation on signed constants must be kept because it is an error.
    pub fn checks(&self, op: BinaryOp, left: i128, right: i128, bits: u32) -> bool {
        let asked = self.options.property.checks;
        let is_asked =
            asked.has(Check::Overflow) || op == BinaryOp::ShiftLeft && asked.has(Check::Shift);
        is_asked && self.checked() && overflows(op, left, right, bits)
    }

    /// A unary operation, evaluated if the operand is constant.
    pub fn unary(&mut self, op: UnaryOp, operand: Expr, span: hardbop_base::source::Span) -> Expr {
        let ty = if op == UnaryOp::Not { self.int() } else { operand.ty };
        if let Some(value) = self.as_number(&operand)
            && let Some((bits, _)) = self.types.bits(ty)
        {
            let signed = self.types.bits(ty).is_some_and(|(_, signed)| signed);
            if op == UnaryOp::Negate && signed && self.checks(BinaryOp::Subtract, 0, value, bits) {
                return Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span };
            }
            let value = match op {
                UnaryOp::Negate => -value,
                UnaryOp::BitNot => !value,
                UnaryOp::Not => i128::from(value == 0),
                UnaryOp::Is(_) | UnaryOp::Real(_) => 1,
            };
            return self.constant(wrap(value, bits), ty, span);
        }
        if let (ExprKind::Float(value), UnaryOp::Negate) = (&operand.kind, op) {
            return Expr { kind: ExprKind::Float(-value), ty, span };
        }
        Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span }
    }

    /// Evaluates without any effect on the program: the result is discarded. Also returns whether
    /// there was anything to execute.
    pub fn dry<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let mark = self.current.as_ref().map(|c| (c.builder.mark(), c.temporaries));
        let (variables, initialisers) = (self.variables.len(), self.initialisers.len());
        let records = self.types.records.len();
        self.dry += 1;
        let effects = std::mem::replace(&mut self.effects, false);
        let result = work(self);
        self.dry -= 1;
        let mut executed = std::mem::replace(&mut self.effects, effects);
        if let (Some(current), Some((mark, temporaries))) = (&mut self.current, mark) {
            executed |= !current.builder.since(mark).is_empty();
            current.builder.rewind(mark);
            current.temporaries = temporaries;
            self.variables.truncate(variables);
            self.initialisers.truncate(initialisers);
            self.unqualified.retain(|id| (id.0 as usize) < variables);
            self.known_parts.retain(|id, _| (id.0 as usize) < variables);
            // Their lengths are gone.
            self.variable_types.retain(|id, _| (id.0 as usize) < records);
        }
        (result, executed)
    }

    /// Evaluates what the program leaves out, as a condition that is constant decides, without any effect on it.  Errors
    /// are stated there, too.
    pub fn left_out<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.left_out += 1;
        let (result, _) = self.dry(work);
        self.left_out -= 1;
        result
    }

    /// Evaluates, and also returns whether there was anything to execute.
    pub fn observed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let mark = self.current.as_ref().map(|c| c.builder.mark());
        let before = std::mem::replace(&mut self.effects, false);
        let result = work(self);
        let mut executed = self.effects;
        self.effects |= before;
        if let (Some(current), Some(mark)) = (&self.current, mark) {
            executed |= !current.builder.since(mark).is_empty();
        }
        (result, executed)
    }

    /// The value and type of an integer constant expression; `None` if it is something else.
    pub fn try_constant(&mut self, expression: &Node<Expression>) -> Typed<Option<(i128, TypeId)>> {
        let (value, executed) = self.dry(|context| context.value(expression));
        let value = value?;
        let number = self.as_number(&value).filter(|_| !executed);
        Ok(number.map(|number| (number, value.ty)))
    }

    /// The value and type of an expression that must be an integer constant.
    pub fn constant_expression(&mut self, expression: &Node<Expression>) -> Typed<(i128, TypeId)> {
        let span = self.span(expression);
        match self.try_constant(expression)? {
            Some((value, ty)) if self.types.is_integer(ty) => Ok((value, ty)),
            None if let Ok(ty) = self.type_of(expression)
                && self.types.as_wide(ty).is_some() =>
            {
                Err(self.unsupported(span, &format!("a constant of {INT128} here")))
            }
            _ => Err(self.report(
                Diagnostic::new(DiagnosticKind::Type, span, "this must be an integer constant")
                    .with_label("not constant"),
            )),
        }
    }

    /// The type of an expression; arrays do not decay.
    pub fn type_of(&mut self, expression: &Node<Expression>) -> Typed<TypeId> {
        let (ty, _) = self.dry(|context| -> Typed<TypeId> {
            let operand = context.operand(expression)?;
            Ok(context.operand_type(&operand))
        });
        ty
    }

    /// `sizeof` for an expression.
    pub fn size_of_value(&mut self, expression: &Node<Expression>) -> Typed<Expr> {
        let span = self.span(expression);
        if let Expression::Identifier(name) = &expression.node
            && let Some((crate::parse::scope::Entity::VariableArray { size, .. }, _)) =
                self.scopes.find(&name.node.name)
        {
            let place = self.place_of(size, span);
            let ty = place.ty;
            return Ok(Expr { kind: ExprKind::Load(place), ty, span });
        }
        let ty = self.type_of(expression)?;
        // Such an operand is evaluated.
        if self.variable_type_of(ty).is_some() && self.has_effects(expression) {
            return Err(self.unsupported(span, "the size of such an array with effects"));
        }
        self.size_of_type(ty, span)
    }

    /// The length in `T[n]`, if it is not constant.
    pub fn computed_length<'t>(
        &mut self,
        name: &'t Node<TypeName>,
    ) -> Typed<Option<&'t Node<Expression>>> {
        let Some(declarator) = &name.node.declarator else { return Ok(None) };
        let span = self.span(name);
        let base = self.qualifiers(&name.node.specifiers, span)?;
        let declared = self.declarator(base, declarator)?;
        let is_variable = self.variable_type_of(self.types.element(declared.ty)).is_some();
        if is_variable && self.name_has_effects(name) {
            return Err(self.unsupported(span, "the size of such an array with effects"));
        }
        Ok(declared.length)
    }

    /// `sizeof(T[n])`
    pub fn size_of_computed(
        &mut self,
        name: &Node<TypeName>,
        length: &Node<Expression>,
        span: hardbop_base::source::Span,
    ) -> Typed<Expr> {
        let ty = self.type_name(name)?;
        let Type::Array(element, _) = *self.types.get(ty) else {
            return self.size_of_type(ty, span);
        };
        let mut length = self.value(length)?;
        if self.asks(Check::Vla, span) && self.types.is_integer(length.ty) {
            length = self.positive(length, span)?;
        }
        let word = self.types.unsigned_word();
        let length = self.fitting(length, word, span)?;
        let size = self.size_of_type(element, span)?;
        self.arithmetic(BinaryOp::Multiply, length, size, span)
    }

    pub fn size_of_type(&mut self, ty: TypeId, span: hardbop_base::source::Span) -> Typed<Expr> {
        if let Some(variable) = self.variable_type_of(ty) {
            return self.size_of_variable(variable, span);
        }
        let size = match self.types.get(ty) {
            Type::Function { .. } => 1,
            _ => self.complete_size(ty, span)?,
        };
        let word = self.types.unsigned_word();
        Ok(self.constant(size, word, span))
    }
}
