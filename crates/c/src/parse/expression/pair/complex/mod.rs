//! Complex numbers (C11, 6.2.5, 11; gcc's have integers as parts, too): records of two parts, whose operations are done part
//! by part, in temporaries.

mod arithmetic;
mod exact;

use crate::flow::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::place::Operand;
use crate::syntax::tree::{Expression, Node, UnaryOperator};
use crate::types::{COMPLEX_PARTS, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// The type of complex numbers with parts of a type: equal ones are one.
    pub fn complex_type(&mut self, part: TypeId) -> TypeId {
        let name = format!("complex@{}", self.types.records.len());
        let align = self.types.align(part);
        self.pair_type(COMPLEX_PARTS, [part; 2], align, name)
    }

    /// The real and the imaginary part of a number.  They can be read more than once, until something else is evaluated.
    fn parts_of_complex(&mut self, e: Expr) -> [Expr; 2] {
        if self.types.as_complex(e.ty).is_some() {
            return self.parts_of_pair(e);
        }
        let zero = self.zero(e.ty, e.span);
        [self.once(e), zero]
    }

    /// Converts a number to another type, where one of them is complex (C11, 6.3.1.6 and 6.3.1.7).
    pub(in crate::parse::expression) fn convert_complex(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        if self.types.as_complex(to).is_some() {
            let parts = self.parts_of_complex(e);
            return self.joined(parts, to, span);
        }
        if *self.types.get(to) == Type::Bool {
            let truth = self.complex_truth(e);
            return self.convert(truth, to);
        }
        let [real, _] = self.parts_of_complex(e);
        self.convert(real, to)
    }

    /// An `int`: 1 if a complex number is not 0.
    pub(in crate::parse::expression) fn complex_truth(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let [real, imaginary] = self.parts_of_complex(e).map(|part| self.truth(part));
        self.combine(BinaryOp::Or, real, imaginary, span)
    }

    /// `__builtin_complex(real, imaginary)`, of numbers of one floating type.
    pub(in crate::parse::expression) fn complex_of(
        &mut self,
        parts: [Expr; 2],
        span: Span,
    ) -> Typed<Expr> {
        let part = parts[0].ty;
        if part != parts[1].ty || !matches!(self.types.get(part), Type::Float { .. }) {
            let message = "'__builtin_complex' needs two numbers of one floating type".to_owned();
            return Err(self.type_error(span, message, "of other types"));
        }
        let ty = self.complex_type(part);
        Ok(self.joined(parts, ty, span))
    }

    /// `v` as the imaginary part: `2.0i`.
    pub(in crate::parse::expression) fn imaginary(&mut self, v: Expr) -> Expr {
        let (ty, span) = (self.complex_type(v.ty), v.span);
        let zero = self.zero(v.ty, span);
        self.joined([zero, v], ty, span)
    }

    /// `__real__ e` or `__imag__ e`: a place where the operand is one.
    pub(in crate::parse::expression) fn complex_part(
        &mut self,
        operand: &Node<Expression>,
        is_imaginary: bool,
        span: Span,
    ) -> Typed<Operand> {
        let operand = self.operand(operand)?;
        let ty = self.operand_type(&operand);
        if self.types.as_complex(ty).is_some() {
            let index = u32::from(is_imaginary);
            let operand = match operand {
                Operand::Place(place) => {
                    let whole = Expr { ty, span, kind: ExprKind::Load(place.clone()) };
                    return Ok(match self.known_parts(&whole) {
                        Some(parts) => Operand::Value(parts[index as usize].clone()),
                        None => Operand::Place(self.field(place, index, span)),
                    });
                }
                operand => self.decay(operand, span)?,
            };
            let parts = self.parts_of_complex(operand);
            return Ok(Operand::Value(parts[index as usize].clone()));
        }
        if !self.types.is_arithmetic(ty) {
            let name = self.types.name(ty);
            let message = format!("'{name}' has no real and no imaginary part");
            return Err(self.type_error(span, message, "not a number"));
        }
        if !is_imaginary {
            return Ok(operand);
        }
        let value = self.decay(operand, span)?;
        self.keep(value);
        Ok(Operand::Value(self.zero(ty, span)))
    }

    /// `-z`, `~z`, which is the conjugate, or `+z`
    pub(in crate::parse::expression) fn complex_unary(
        &mut self,
        op: &UnaryOperator,
        z: Expr,
        span: Span,
    ) -> Expr {
        let ty = z.ty;
        let parts = self.parts_of_complex(z);
        let [real, imaginary] = match op {
            UnaryOperator::Minus => parts.map(|part| self.negated(part, span)),
            UnaryOperator::Complement => {
                let [real, imaginary] = parts;
                [real, self.negated(imaginary, span)]
            }
            _ => parts,
        };
        self.joined([real, imaginary], ty, span)
    }

    /// The negation of a part, which is not promoted.
    fn negated(&mut self, part: Expr, span: Span) -> Expr {
        let ty = part.ty;
        self.narrow_operation(BinaryOp::Subtract, ty, span);
        let part = self.promote(part);
        let negated = self.unary(UnaryOp::Negate, part, span);
        self.convert(negated, ty)
    }
}
