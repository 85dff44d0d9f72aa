//! Conversions: promotions, usual arithmetic conversions, assignments.

use super::constant::{number, wrap};
use crate::flow::{Base, BinaryOp, Expr, ExprKind, HavocKind, Instruction, Place, Step, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::types::{BIT_INT, Field, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// Converts a value to another scalar type, or one of numbers of two parts.
    pub fn convert(&mut self, e: Expr, to: TypeId) -> Expr {
        if e.ty == to {
            return e;
        }
        if [e.ty, to].iter().any(|&ty| self.types.as_complex(ty).is_some()) {
            return self.convert_complex(e, to);
        }
        if [e.ty, to].iter().any(|&ty| self.types.as_wide(ty).is_some()) {
            return self.convert_wide(e, to);
        }
        let span = e.span;
        let target = self.types.bits(to);
        match (&e.kind, target) {
            (ExprKind::Constant(value), Some((bits, _))) => {
                let value = number(&self.types, *value, e.ty);
                let value = if *self.types.get(to) == Type::Bool {
                    u64::from(value != 0)
                } else {
                    wrap(value, bits)
                };
                return self.constant(value, to, span);
            }
            (ExprKind::Constant(value), None) if self.types.is_arithmetic(to) => {
                let value = number(&self.types, *value, e.ty);
                // Rounded once.
                let value = if *self.types.get(to) == (Type::Float { bits: 32 }) {
                    f64::from(value as f32)
                } else {
                    value as f64
                };
                return self.float_constant(value, to, span);
            }
            (ExprKind::Float(value), Some((bits, signed))) if self.types.is_integer(to) => {
                if *self.types.get(to) == Type::Bool {
                    return self.constant(u64::from(*value != 0.0), to, span);
                }
                let number = value.trunc() as i128;
                let low = if signed { -(1_i128 << (bits - 1)) } else { 0 };
                let high = (1_i128 << (bits - u32::from(signed))) - 1;
                if value.is_finite() && (low..=high).contains(&number) {
                    return self.constant(wrap(number, bits), to, span);
                }
            }
            (ExprKind::Float(value), None) if self.types.is_arithmetic(to) => {
                return self.float_constant(*value, to, span);
            }
            _ => {}
        }
        if self.is_long_double(e.ty) || self.is_long_double(to) {
            self.not_modelled(span, "'long double'");
        }
        Expr { kind: ExprKind::Cast(Box::new(e)), ty: to, span }
    }

    /// A floating-point constant, rounded to its type.
    pub fn float_constant(&self, value: f64, ty: TypeId, span: Span) -> Expr {
        let single = *self.types.get(ty) == (Type::Float { bits: 32 });
        let value = if single { f64::from(value as f32) } else { value };
        Expr { kind: ExprKind::Float(value), ty, span }
    }

    /// Whether it is a type whose arithmetic is not that of `float` or `double`.
    pub fn is_long_double(&self, ty: TypeId) -> bool {
        matches!(*self.types.get(ty), Type::Float { bits } if bits > 64)
    }

    /// Whether a part of a variable may be read as something else: through a pointer, or another member.
    pub fn has_readable_bytes(&self, place: &Place) -> bool {
        let Base::Variable(id) = place.base else { return true };
        let name = self.variables[id.0 as usize].name.as_str();
        let name = name.rsplit("::").next().unwrap_or(name);
        let name = name.split('#').next().unwrap_or(name);
        !place.path.is_empty() || self.file.addressed.contains(name)
    }

    /// The last member in the path of a place.
    pub fn last_field(&self, place: &Place) -> Option<&Field> {
        let Some(Step::Field(_)) = place.path.last() else { return None };
        let mut ty = match &place.base {
            Base::Variable(variable) => self.variables[variable.0 as usize].ty,
            Base::Pointer(pointer) => match *self.types.get(pointer.ty) {
                Type::Pointer(pointee) => pointee,
                _ => return None,
            },
            Base::String(_) => return None,
        };
        let mut last = None;
        for step in &place.path {
            let (to, field) = step.part(ty, &self.types)?;
            (ty, last) = (to, field.or(last));
        }
        last
    }

    /// The number of bits, if the place is a bit-field.
    pub fn bit_width(&self, place: &Place) -> Option<u32> {
        self.last_field(place).and_then(|f| f.bit_field).map(|(_, width)| width)
    }

    /// Integer promotion.
    pub fn promote(&mut self, e: Expr) -> Expr {
        let int = self.int();
        let to = match *self.types.get(e.ty) {
            Type::Bool => int,
            // What has fewer bits as a bit-field is not promoted, either.
            Type::Int { rank: BIT_INT, .. } => e.ty,
            Type::Int { rank, .. } if rank < 3 => int,
            Type::Int { bits, signed, .. } => {
                let width = match &e.kind {
                    ExprKind::Load(place) => self.bit_width(place),
                    _ => None,
                };
                match width {
                    Some(width) if width < 32 || signed && width == 32 => int,
                    Some(width) if width < bits && width > 32 => {
                        let what = "arithmetic on a bit-field wider than int";
                        self.not_modelled(e.span, what);
                        e.ty
                    }
                    Some(32) if bits == 64 => {
                        self.types.intern(Type::Int { bits: 32, signed: false, rank: 3 })
                    }
                    _ => e.ty,
                }
            }
            _ => e.ty,
        };
        self.convert(e, to)
    }

    /// The usual arithmetic conversions of two operands.
    pub fn usual(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        let float = |t: &Type| if let Type::Float { bits } = t { Some(*bits) } else { None };
        let (l, r) = (float(self.types.get(left.ty)), float(self.types.get(right.ty)));
        if l.is_some() || r.is_some() {
            let to = if l >= r { left.ty } else { right.ty };
            return (self.convert(left, to), self.convert(right, to));
        }
        let (left, right) = (self.promote(left), self.promote(right));
        let to = self.common(left.ty, right.ty);
        (self.convert(left, to), self.convert(right, to))
    }

    /// The common type of two promoted integer types.
    pub(super) fn common(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let (
            Type::Int { bits: lb, signed: ls, rank: lr },
            Type::Int { bits: rb, signed: rs, rank: rr },
        ) = (self.types.get(left).clone(), self.types.get(right).clone())
        else {
            return left;
        };
        // A standard type is above a `_BitInt` of its width (C23, 6.3.1.1, 1).
        let rank_of = |bits: u32, rank: u8| (bits, rank != BIT_INT, rank);
        let (lo, ro) = (rank_of(lb, lr), rank_of(rb, rr));
        if ls == rs {
            return if lo >= ro { left } else { right };
        }
        let (unsigned, ub, ur, signed, sb, sr) =
            if ls { (right, rb, rr, left, lb, lr) } else { (left, lb, lr, right, rb, rr) };
        if rank_of(ub, ur) >= rank_of(sb, sr) {
            unsigned
        } else if sb > ub {
            signed
        } else {
            self.types.intern(Type::Int { bits: sb, signed: false, rank: sr })
        }
    }

    /// Converts a value as if by assignment to `to`, where the text has such a conversion.
    pub fn assignable(&mut self, e: Expr, to: TypeId, span: Span) -> Typed<Expr> {
        let e = self.known(e, to);
        let e = self.unchanged(e, to);
        self.fitting(e, to, span)
    }

    /// Converts a value as if by assignment to `to`.
    pub fn fitting(&mut self, e: Expr, to: TypeId, span: Span) -> Typed<Expr> {
        if e.ty == to {
            return Ok(e);
        }
        let e = self.known(e, to);
        if e.ty == to {
            return Ok(e);
        }
        if let Some(vector) = self.as_vector_value(&e, to)? {
            return Ok(vector);
        }
        let types = &self.types;
        let scalar = types.is_scalar(e.ty) && types.is_scalar(to)
            || types.is_number(e.ty) && types.is_number(to);
        let float = |id| matches!(types.get(id), Type::Float { .. });
        let mixed = float(e.ty) && types.is_pointer(to) || types.is_pointer(e.ty) && float(to);
        if scalar && !mixed {
            return Ok(self.convert(e, to));
        }
        let (from, into) = (self.types.name(e.ty), self.types.name(to));
        let message = format!("'{from}' cannot become '{into}'");
        Err(self.type_error(span, message, &format!("this is '{from}'")))
    }

    /// A union with this value in the first member of its type; `None` if it has none.
    pub fn union_of(&mut self, value: &Expr, to: TypeId) -> Option<Place> {
        let (_, record) = self.types.as_record(to).filter(|(_, record)| record.union)?;
        let fields = record.fields.as_ref()?;
        let index = fields.iter().position(|f| f.ty == value.ty && !f.name.is_empty())?;
        let whole = self.temporary(to, value.span);
        let member = self.field(whole.clone(), index as u32, value.span);
        self.emit(Instruction::Havoc(whole.clone(), HavocKind::Uninitialised), value.span);
        self.emit(Instruction::Assign(member, value.clone()), value.span);
        Some(whole)
    }

    /// An argument for a transparent union: one of its members, or any pointer if it has one.
    pub fn transparent(&mut self, value: Expr, to: TypeId) -> Expr {
        let Some((_, record)) = self.types.as_record(to).filter(|(_, record)| record.union) else {
            return value;
        };
        if value.ty == to || !self.file.text.contains("transparent_union") {
            return value;
        }
        let fields = record.fields.iter().flatten();
        let pointer = fields.map(|f| f.ty).find(|&ty| self.types.is_pointer(ty));
        let null = matches!(value.kind, ExprKind::Constant(0));
        let known = record.fields.iter().flatten().any(|f| f.ty == value.ty);
        let value = match pointer {
            Some(ty) if !known && (null || self.types.is_pointer(value.ty)) => {
                self.convert(value, ty)
            }
            _ => value,
        };
        match self.union_of(&value, to) {
            Some(place) => Expr { kind: ExprKind::Load(place), ty: to, span: value.span },
            None => value,
        }
    }

    /// Checks that the value is a scalar, as a condition must be; of a number of two parts, whether it is not 0.
    pub fn scalar(&mut self, e: Expr) -> Typed<Expr> {
        let int = self.int();
        let e = self.known(e, int);
        if self.types.is_scalar(e.ty) {
            return Ok(e);
        }
        if self.types.as_complex(e.ty).is_some() {
            return Ok(self.complex_truth(e));
        }
        if self.types.as_wide(e.ty).is_some() {
            return Ok(self.wide_truth(e));
        }
        let name = self.types.name(e.ty);
        let span = e.span;
        let message = format!("a condition needs a number or a pointer, not '{name}'");
        Err(self.type_error(span, message, &format!("this is '{name}'")))
    }

    /// An `int`: 1 if a scalar is not 0.
    pub fn truth(&mut self, e: Expr) -> Expr {
        let boolean = match &e.kind {
            ExprKind::Unary(UnaryOp::Not, _) => true,
            ExprKind::Binary(op, ..) => is_comparison(*op),
            _ => false,
        };
        let int = self.int();
        if boolean {
            return self.convert(e, int);
        }
        if let Some(value) = self.as_number(&e) {
            return self.constant(u64::from(value != 0), int, e.span);
        }
        let (ty, span) = (e.ty, e.span);
        let zero = self.zero(ty, span);
        Expr {
            kind: ExprKind::Binary(BinaryOp::NotEqual, Box::new(e), Box::new(zero)),
            ty: int,
            span,
        }
    }

    /// 0 in a scalar type, or one of 128 bits.
    pub fn zero(&mut self, ty: TypeId, span: Span) -> Expr {
        if self.types.as_wide(ty).is_some() {
            return self.wide_constant(0, ty, span);
        }
        let kind = match self.types.get(ty) {
            Type::Float { .. } => ExprKind::Float(0.0),
            _ => ExprKind::Constant(0),
        };
        Expr { kind, ty, span }
    }
}

/// Whether the result of the operator is 0 or 1.
pub(in crate::parse) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | And | Or)
}
