//! Complex numbers (C11, 6.2.5, 11; gcc's have integers as parts, too): records of two parts, whose operations are done part
//! by part, in temporaries.

mod arithmetic;
mod exact;

use super::place::Operand;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{Expression, Node, UnaryOperator};
use crate::types::{COMPLEX_PARTS, Field, Record, RecordId, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// The type of complex numbers with parts of a type: equal ones are one.
    pub fn complex_type(&mut self, part: TypeId) -> TypeId {
        if let Some(&known) = self.complex_types.get(&part) {
            return known;
        }
        let width = self.types.size(part).unwrap_or(0);
        let offsets = [0, width];
        let fields = COMPLEX_PARTS.iter().zip(offsets).map(|(name, offset)| {
            let name = (*name).to_owned();
            Field { name, ty: part, offset, bit_field: None, atomic: false }
        });
        let (name, fields) = (format!("complex@{}", self.types.records.len()), fields.collect());
        let (size, align) = (2 * width, self.types.align(part));
        let record = Record { name, union: false, fields: Some(fields), size, align };
        self.types.records.push(record);
        let id = RecordId(self.types.records.len() as u32 - 1);
        let complex = self.types.intern(Type::Record(id));
        self.complex_types.insert(part, complex);
        complex
    }

    /// A complex number of these parts, which are converted to those of the type.
    fn complex(&mut self, parts: [Expr; 2], ty: TypeId, span: Span) -> Expr {
        let part = self.types.as_complex(ty).unwrap_or(ty);
        let parts = parts.map(|value| self.convert(value, part));
        let place = self.temporary(ty, span);
        let is_constant = parts.iter().all(is_constant);
        if let (Base::Variable(id), true) = (&place.base, is_constant) {
            self.complex_constants.insert(*id, parts.clone());
        }
        // Outside of functions, constants are all there is.
        if self.current.is_some() || !is_constant {
            if self.is_long_double(part) {
                self.not_modelled(span, "'long double'");
            }
            for (index, value) in parts.into_iter().enumerate() {
                let part = self.field(place.clone(), index as u32, span);
                self.emit(Instruction::Assign(part, value), span);
            }
        }
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    /// The parts of a complex number that is constant.
    fn constant_parts(&self, e: &Expr) -> Option<&[Expr; 2]> {
        let ExprKind::Load(Place { base: Base::Variable(id), path, .. }) = &e.kind else {
            return None;
        };
        self.complex_constants.get(id).filter(|_| path.is_empty())
    }

    /// The real and the imaginary part of a number.  They can be read more than once, until something else is evaluated.
    pub fn parts_of_complex(&mut self, e: Expr) -> [Expr; 2] {
        let span = e.span;
        if self.types.as_complex(e.ty).is_none() {
            let zero = self.zero(e.ty, span);
            return [self.once(e), zero];
        }
        if let Some(parts) = self.constant_parts(&e) {
            return parts.clone();
        }
        let whole = self.once(e);
        let ExprKind::Load(place) = whole.kind else {
            // A value of a record is in memory.
            return [self.zero(whole.ty, span), self.zero(whole.ty, span)];
        };
        [0, 1].map(|index| {
            let place = self.field(place.clone(), index, span);
            Expr { ty: place.ty, span, kind: ExprKind::Load(place) }
        })
    }

    /// The value, evaluated once however often it is used.
    fn once(&mut self, e: Expr) -> Expr {
        match &e.kind {
            ExprKind::Float(_) => e,
            ExprKind::Load(place) if self.is_simple(place) => e,
            _ => self.keep(e),
        }
    }

    /// Converts a number to another type, where one of them is complex (C11, 6.3.1.6 and 6.3.1.7).
    pub(super) fn convert_complex(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        if self.types.as_complex(to).is_some() {
            let parts = self.parts_of_complex(e);
            return self.complex(parts, to, span);
        }
        if *self.types.get(to) == Type::Bool {
            let truth = self.complex_truth(e);
            return self.convert(truth, to);
        }
        let [real, _] = self.parts_of_complex(e);
        self.convert(real, to)
    }

    /// An `int`: 1 if a complex number is not 0.
    pub(super) fn complex_truth(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let [real, imaginary] = self.parts_of_complex(e).map(|part| self.truth(part));
        self.combine(BinaryOp::Or, real, imaginary, span)
    }

    /// `__builtin_complex(real, imaginary)`, of numbers of one floating type.
    pub(super) fn complex_of(&mut self, parts: [Expr; 2], span: Span) -> Typed<Expr> {
        let part = parts[0].ty;
        if part != parts[1].ty || !matches!(self.types.get(part), Type::Float { .. }) {
            let message = "'__builtin_complex' needs two numbers of one floating type".to_owned();
            return Err(self.type_error(span, message, "of other types"));
        }
        let ty = self.complex_type(part);
        Ok(self.complex(parts, ty, span))
    }

    /// `v` as the imaginary part: `2.0i`.
    pub(super) fn imaginary(&mut self, v: Expr) -> Expr {
        let (ty, span) = (self.complex_type(v.ty), v.span);
        let zero = self.zero(v.ty, span);
        self.complex([zero, v], ty, span)
    }

    /// `__real__ e` or `__imag__ e`: a place where the operand is one.
    pub(super) fn complex_part(
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
                    return Ok(match self.constant_parts(&whole) {
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
    pub(super) fn complex_unary(&mut self, op: &UnaryOperator, z: Expr, span: Span) -> Expr {
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
        self.complex([real, imaginary], ty, span)
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

/// Whether a part is a constant.
fn is_constant(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Constant(_) | ExprKind::Float(_))
}
