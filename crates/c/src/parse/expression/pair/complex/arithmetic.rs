//! Operations on two numbers of which one is complex, as gcc computes them.

use super::exact;
use crate::flow::{BinaryOp, Expr, ExprKind, Instruction, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::constant::wrap;
use crate::parse::expression::convert::is_comparison;
use crate::reliance::Reliance;
use crate::types::{DataModel, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// An operand, with parts of the common type.
struct Side {
    parts: [Expr; 2],
    is_complex: bool,
}

impl Context<'_> {
    /// The common type of the parts of two numbers.  Parts that are integers are not promoted, but real operands are.
    pub fn common_part(&mut self, operands: [&Expr; 2], span: Span) -> Typed<TypeId> {
        let [left, right] = operands.map(|e| match self.types.as_complex(e.ty) {
            Some(part) => part,
            None => self.promote(e.clone()).ty,
        });
        let real = |ty| match self.types.get(ty) {
            Type::Float { bits } => Some(*bits),
            _ => None,
        };
        Ok(match (real(left), real(right)) {
            (None, None) if [left, right].iter().any(|&ty| self.types.as_wide(ty).is_some()) => {
                return Err(self.unsupported(span, "a complex number with parts of 128 bits"));
            }
            (None, None) => self.common(left, right),
            (a, b) if a >= b => left,
            _ => right,
        })
    }

    /// A binary operation of which an operand is complex; `None` if none is.
    pub fn complex_arithmetic(
        &mut self,
        op: BinaryOp,
        operands: [&Expr; 2],
        span: Span,
    ) -> Typed<Option<Expr>> {
        use BinaryOp::{Add, Divide, Equal, Multiply, NotEqual, Subtract};
        let types = &self.types;
        if operands.iter().all(|e| types.as_complex(e.ty).is_none()) {
            return Ok(None);
        }
        let is_known = matches!(op, Add | Subtract | Multiply | Divide | Equal | NotEqual);
        if !is_known || operands.iter().any(|e| !types.is_number(e.ty)) {
            return Err(self.wrong_operands(op, operands[0], operands[1], span));
        }
        let part = self.common_part(operands, span)?;
        let [left, right] = operands.map(|e| {
            let is_complex = self.types.as_complex(e.ty).is_some();
            let parts = self.parts_of_complex(e.clone()).map(|e| {
                let value = self.convert(e, part);
                self.once(value)
            });
            Side { parts, is_complex }
        });
        let [[a, b], [c, d]] = [left.parts, right.parts];
        if is_comparison(op) {
            let (real, imaginary) = (self.combine(op, a, c, span), self.combine(op, b, d, span));
            let join = if op == Equal { BinaryOp::And } else { BinaryOp::Or };
            return Ok(Some(self.combine(join, real, imaginary, span)));
        }
        self.narrow_operation(op, part, span);
        let ty = self.complex_type(part);
        // A real operand is not converted to a complex one: 0 times an infinite part would be no number.
        let parts = match (op, left.is_complex, right.is_complex) {
            (Add | Subtract, true, false) => [self.of_parts(op, a, c, span)?, b],
            (Add, false, true) => [self.of_parts(op, a, c, span)?, d],
            (Subtract, false, true) => [self.of_parts(op, a, c, span)?, self.negated(d, span)],
            (Add | Subtract, ..) => {
                [self.of_parts(op, a, c, span)?, self.of_parts(op, b, d, span)?]
            }
            (Multiply | Divide, true, false) => {
                [self.of_parts(op, a, c.clone(), span)?, self.of_parts(op, b, c, span)?]
            }
            (Multiply, false, true) => {
                [self.of_parts(op, a.clone(), c, span)?, self.of_parts(op, a, d, span)?]
            }
            _ if self.types.is_integer(part) => self.of_integers(op, [a, b], [c, d], span)?,
            _ => return self.of_reals(op, [[a, b], [c, d]], ty, span).map(Some),
        };
        Ok(Some(self.joined(parts, ty, span)))
    }

    /// An operation on parts of one type, which are not promoted.
    fn of_parts(&mut self, op: BinaryOp, x: Expr, y: Expr, span: Span) -> Typed<Expr> {
        let part = x.ty;
        let value = self.arithmetic(op, x, y, span)?;
        let value = self.convert(value, part);
        Ok(self.once(value))
    }

    /// `x * y + z * w`, or a difference.
    fn of_products(
        &mut self,
        op: BinaryOp,
        [[x, y], [z, w]]: [[Expr; 2]; 2],
        span: Span,
    ) -> Typed<Expr> {
        let left = self.of_parts(BinaryOp::Multiply, x, y, span)?;
        let right = self.of_parts(BinaryOp::Multiply, z, w, span)?;
        self.of_parts(op, left, right, span)
    }

    /// `(a + bi)(c + di)`
    fn product(&mut self, [a, b]: [Expr; 2], [c, d]: [Expr; 2], span: Span) -> Typed<[Expr; 2]> {
        let crossed = [[a.clone(), d.clone()], [b.clone(), c.clone()]];
        let real = self.of_products(BinaryOp::Subtract, [[a, c], [b, d]], span)?;
        Ok([real, self.of_products(BinaryOp::Add, crossed, span)?])
    }

    /// A product or a quotient of complex integers.
    fn of_integers(
        &mut self,
        op: BinaryOp,
        left: [Expr; 2],
        right: [Expr; 2],
        span: Span,
    ) -> Typed<[Expr; 2]> {
        let part = left[0].ty;
        let is_signed = self.types.bits(part).is_some_and(|(_, signed)| signed);
        if is_signed && self.options.property.checks.has(Check::Overflow) {
            // C does not say on what way to the result.
            self.not_modelled(span, "the overflow of a product or quotient of complex integers");
        }
        if op == BinaryOp::Multiply {
            return self.product(left, right, span);
        }
        let found = self.smith(left.clone(), right.clone(), span)?;
        self.only_agreed(&found, left, right, span)?;
        Ok(found)
    }

    /// Leaves quotients of integers open that gcc and others compute in different ways: they are `(ac + bd) / (cc + dd)` and
    /// `(bc - ad) / (cc + dd)` for clang.
    fn only_agreed(
        &mut self,
        found: &[Expr; 2],
        [a, b]: [Expr; 2],
        [c, d]: [Expr; 2],
        span: Span,
    ) -> Typed<()> {
        let int = self.int();
        let what = "a quotient of complex integers that not all compilers compute alike";
        let norm = [[c.clone(), c.clone()], [d.clone(), d.clone()]];
        let norm = self.of_products(BinaryOp::Add, norm, span)?;
        let zero = self.zero(norm.ty, span);
        let is_defined = self.combine(BinaryOp::NotEqual, norm.clone(), zero, span);
        self.only_where(is_defined, what, span)?;
        let sums = [
            (BinaryOp::Add, [[a.clone(), c.clone()], [b.clone(), d.clone()]]),
            (BinaryOp::Subtract, [[b, c], [a, d]]),
        ];
        let mut agree = self.constant(1, int, span);
        for (part, (op, products)) in found.iter().zip(sums) {
            let sum = self.of_products(op, products, span)?;
            let other = self.of_parts(BinaryOp::Divide, sum, norm.clone(), span)?;
            let same = self.combine(BinaryOp::Equal, part.clone(), other, span);
            agree = self.combine(BinaryOp::And, agree, same, span);
        }
        self.only_where(agree, what, span)
    }

    /// `(a + bi) / (c + di)` of integers as gcc computes it (R. L. Smith, CACM 5(8), 1962), with quotients that are cut off.
    fn smith(&mut self, left: [Expr; 2], right: [Expr; 2], span: Span) -> Typed<[Expr; 2]> {
        let part = left[0].ty;
        let [c, d] = right.each_ref().map(|value| self.size_of_part(value));
        let is_steep = self.arithmetic(BinaryOp::Less, c, d, span)?;
        if let Some(number) = self.as_number(&is_steep) {
            return self.integer_quotient(number != 0, left, right, span);
        }
        let result = [(); 2].map(|()| self.temporary(part, span));
        let (steep, flat, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch_on(is_steep, steep, flat, span)?;
        for (location, is_steep) in [(steep, true), (flat, false)] {
            self.go_on_at(location);
            let parts = self.integer_quotient(is_steep, left.clone(), right.clone(), span)?;
            for (place, value) in result.iter().zip(parts) {
                self.emit(Instruction::Assign(place.clone(), value), span);
            }
            self.jump(join, span);
        }
        self.go_on_at(join);
        Ok(result.map(|place| Expr { kind: ExprKind::Load(place), ty: part, span }))
    }

    /// The absolute value of a part.
    fn size_of_part(&mut self, part: &Expr) -> Expr {
        let (ty, span) = (part.ty, part.span);
        if self.types.bits(ty).is_none_or(|(_, signed)| !signed) {
            return part.clone();
        }
        if let Some(number) = self.as_number(part) {
            let bits = self.types.bits(ty).map_or(32, |(bits, _)| bits);
            return self.constant(wrap(number.abs(), bits), ty, span);
        }
        let zero = self.zero(ty, span);
        let is_negative = self.combine(BinaryOp::Less, part.clone(), zero, span);
        let kind = ExprKind::Unary(UnaryOp::Negate, Box::new(part.clone()));
        let negated = Box::new(Expr { kind, ty, span });
        let kind = ExprKind::Conditional(Box::new(is_negative), negated, Box::new(part.clone()));
        Expr { kind, ty, span }
    }

    /// The same; `is_steep` if `|c| < |d|`.
    fn integer_quotient(
        &mut self,
        is_steep: bool,
        [a, b]: [Expr; 2],
        [c, d]: [Expr; 2],
        span: Span,
    ) -> Typed<[Expr; 2]> {
        use BinaryOp::{Add, Divide, Multiply, Subtract};
        let (small, great) = if is_steep { (c, d) } else { (d, c) };
        let ratio = self.of_parts(Divide, small.clone(), great.clone(), span)?;
        let scaled = self.of_parts(Multiply, small, ratio.clone(), span)?;
        let divisor = self.of_parts(Add, scaled, great, span)?;
        let left = self.of_parts(Multiply, a.clone(), ratio.clone(), span)?;
        let right = self.of_parts(Multiply, b.clone(), ratio, span)?;
        let (real, imaginary) = match is_steep {
            true => (self.of_parts(Add, left, b, span)?, self.of_parts(Subtract, right, a, span)?),
            false => (self.of_parts(Add, right, a, span)?, self.of_parts(Subtract, b, left, span)?),
        };
        Ok([
            self.of_parts(Divide, real, divisor.clone(), span)?,
            self.of_parts(Divide, imaginary, divisor, span)?,
        ])
    }

    /// A product or a quotient of complex numbers whose parts are floating-point numbers.
    fn of_reals(
        &mut self,
        op: BinaryOp,
        operands: [[Expr; 2]; 2],
        ty: TypeId,
        span: Span,
    ) -> Typed<Expr> {
        let part = operands[0][0].ty;
        let is_single = self.types.size(part) == Some(4);
        let float = |e: &Expr| match e.kind {
            ExprKind::Float(value) => Some(value),
            _ => None,
        };
        if self.is_long_double(part) {
            self.not_modelled(span, "'long double'");
        } else if let [[Some(a), Some(b)], [Some(c), Some(d)]] =
            operands.each_ref().map(|parts| parts.each_ref().map(float))
        {
            let found = exact::computed(op == BinaryOp::Divide, [[a, b], [c, d]], is_single);
            if found.is_none() {
                self.not_modelled(
                    span,
                    "a product or quotient of complex constants that is not exact",
                );
            }
            let parts = found.unwrap_or_default();
            let parts = parts.map(|value| self.float_constant(value, part, span));
            return Ok(self.joined(parts, ty, span));
        }
        if self.types.model == DataModel::Ilp32 {
            self.not_modelled(span, "a product or quotient of complex numbers by the x87");
        }
        let names = match op {
            BinaryOp::Multiply => ["__mulsc3", "__muldc3"],
            _ => ["__divsc3", "__divdc3"],
        };
        let name = names[usize::from(!is_single)];
        if op == BinaryOp::Divide {
            self.rely(Reliance::ComplexQuotients, span);
            return Ok(self.computed_by(name, operands.into_iter().flatten(), ty, span));
        }
        let [left, right] = operands.clone();
        let parts = self.product(left, right, span)?;
        let result = self.joined(parts, ty, span);
        let ExprKind::Load(place) = &result.kind else { return Ok(result) };
        // Where both parts are no numbers, the product may be infinite all the same.
        let [real, imaginary] = self.parts_of_complex(result.clone());
        let real = self.combine(BinaryOp::NotEqual, real.clone(), real, span);
        let imaginary = self.combine(BinaryOp::NotEqual, imaginary.clone(), imaginary, span);
        let is_open = self.combine(BinaryOp::And, real, imaginary, span);
        let (open, join) = (self.fresh(), self.fresh());
        self.branch_on(is_open, open, join, span)?;
        self.go_on_at(open);
        let value = self.computed_by(name, operands.into_iter().flatten(), ty, span);
        self.emit(Instruction::Assign(place.clone(), value), span);
        self.jump(join, span);
        self.go_on_at(join);
        Ok(result)
    }
}
