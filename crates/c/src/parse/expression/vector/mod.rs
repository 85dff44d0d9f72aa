//! Vectors of GNU C: operations on them are done element by element, in temporaries.

use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp};
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::expression::convert::is_comparison;
use crate::parse::expression::place::Operand;
use crate::syntax::tree::{Expression, Node};
use crate::types::{DataModel, Field, Record, RecordId, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

impl Context<'_> {
    /// The type of vectors with this many elements of a type: equal ones are one.
    pub fn vector_type(&mut self, element: TypeId, count: u64) -> TypeId {
        let array = self.types.intern(Type::Array(element, Some(count)));
        if let Some(&known) = self.vectors.get(&array) {
            return known;
        }
        let size = self.types.size(array).unwrap_or(0);
        // Of 8 bytes, gcc on i386 aligns them as it does `long long`.
        let is_small = self.types.model == DataModel::Ilp32 && size == 8;
        let align = if is_small { 4 } else { size };
        self.types.alignment = self.types.alignment.max(size);
        let field =
            Field { name: String::new(), ty: array, offset: 0, bit_field: None, atomic: false };
        let name = format!("vector@{}", self.types.records.len());
        let record = Record { name, union: false, fields: Some(vec![field]), size, align };
        self.types.records.push(record);
        let id = RecordId(self.types.records.len() as u32 - 1);
        let vector = self.types.intern(Type::Record(id));
        self.vectors.insert(array, vector);
        vector
    }

    /// The array of the elements of a vector.
    fn elements(&self, vector: Place) -> Place {
        let span = vector.span;
        self.field(vector, 0, span)
    }

    /// A vector whose elements can be read one by one: it is a variable, which nothing changes
    /// meanwhile.
    pub(super) fn settled(&mut self, vector: Expr) -> Place {
        let is_plain =
            |place: &Place| matches!(place.base, Base::Variable(_)) && place.path.is_empty();
        match vector.kind {
            ExprKind::Load(place) if is_plain(&place) => self.elements(place),
            kind => {
                let (ty, span) = (vector.ty, vector.span);
                let place = self.temporary(ty, span);
                let value = Expr { kind, ..vector };
                self.emit(Instruction::Assign(place.clone(), value), span);
                self.elements(place)
            }
        }
    }

    /// The value of an element of an array.
    pub(super) fn element_value(&mut self, array: &Place, index: u64) -> Expr {
        let place = self.element(array, index);
        Expr { ty: place.ty, span: place.span, kind: ExprKind::Load(place) }
    }

    /// A new vector with the elements that are computed one by one.
    pub(super) fn made(
        &mut self,
        ty: TypeId,
        span: Span,
        mut value: impl FnMut(&mut Self, u64) -> Typed<Expr>,
    ) -> Typed<Expr> {
        let (element, count) = self.types.as_vector(ty).unwrap_or((ty, 0));
        let result = self.temporary(ty, span);
        let array = self.elements(result.clone());
        for index in 0..count {
            let value = value(self, index)?;
            let value = self.convert(value, element);
            let place = self.element(&array, index);
            self.emit(Instruction::Assign(place, value), span);
        }
        Ok(Expr { kind: ExprKind::Load(result), ty, span })
    }

    /// A binary operation of which an operand is a vector; `None` if none is.
    pub fn vector_arithmetic(
        &mut self,
        op: BinaryOp,
        operands: [&Expr; 2],
        span: Span,
    ) -> Typed<Option<Expr>> {
        let shapes = operands.map(|e| self.types.as_vector(e.ty));
        let ((element, count), other) = match shapes {
            [None, None] => return Ok(None),
            [Some(one), other] => (one, other),
            [None, Some(one)] => (one, None),
        };
        let fits = match other {
            Some((second, n)) => n == count && self.is_same_kind(element, second),
            None => operands.iter().all(|e| {
                self.types.as_vector(e.ty).is_some()
                    || self.types.is_integer(e.ty)
                    || self.types.is_arithmetic(e.ty) && !self.types.is_integer(element)
            }),
        };
        let for_integers = !matches!(
            op,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide
        ) && !is_comparison(op);
        if !fits || for_integers && !self.types.is_integer(element) {
            return Err(self.wrong_operands(op, operands[0], operands[1], span));
        }
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        // The type that both elements are taken for; gcc compares as unsigned where one is.
        let common = match other {
            Some((second, _)) if is_comparison(op) => {
                let signed = self.types.bits(element).is_some_and(|(_, signed)| signed);
                if signed { second } else { element }
            }
            _ => element,
        };
        self.narrow_operation(op, common, span);
        let result = match is_comparison(op) {
            true => self.truth_element(common),
            false => element,
        };
        let result = self.vector_type(result, count);
        let sides = operands.map(|e| match self.types.as_vector(e.ty) {
            Some(_) => Side::Vector(self.settled(e.clone())),
            None => {
                let scalar = self.convert(e.clone(), element);
                Side::Scalar(self.keep(scalar))
            }
        });
        let value = self.made(result, span, |context, index| {
            let [left, right] = sides.each_ref().map(|side| match side {
                Side::Vector(array) => context.element_value(array, index),
                Side::Scalar(value) => value.clone(),
            });
            if is_shift {
                context.within_width(&right, element, span)?;
                return context.arithmetic(op, left, right, span);
            }
            let (left, right) = (context.convert(left, common), context.convert(right, common));
            let value = context.arithmetic(op, left, right, span)?;
            Ok(match is_comparison(op) {
                true => context.unary(UnaryOp::Negate, value, span),
                false => value,
            })
        })?;
        Ok(Some(value))
    }

    /// `-v` or `~v`
    pub fn vector_unary(&mut self, op: UnaryOp, vector: Expr, span: Span) -> Typed<Expr> {
        let Some((element, _)) = self.types.as_vector(vector.ty) else { return Ok(vector) };
        if op == UnaryOp::BitNot && !self.types.is_integer(element) {
            let name = self.types.name(vector.ty);
            let message = format!("this operator cannot be applied to '{name}'");
            return Err(self.type_error(span, message, &format!("of '{name}'")));
        }
        if op == UnaryOp::Negate {
            self.narrow_operation(BinaryOp::Subtract, element, span);
        }
        let ty = vector.ty;
        let array = self.settled(vector);
        self.made(ty, span, |context, index| {
            let value = context.element_value(&array, index);
            let value = context.promote(value);
            Ok(context.unary(op, value, span))
        })
    }

    /// Leaves open operations on signed elements narrower than `int` whose results may not be
    /// what `int` has: they are
    /// not promoted.
    pub(super) fn narrow_operation(&mut self, op: BinaryOp, element: TypeId, span: Span) {
        let Some((bits, true)) = self.types.bits(element) else { return };
        let overflow = self.options.property.checks.has(Check::Overflow);
        let is_open = match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply => overflow,
            BinaryOp::ShiftLeft => overflow || self.options.property.checks.has(Check::Shift),
            BinaryOp::Divide | BinaryOp::Remainder => true,
            _ => false,
        };
        if bits < 32 && is_open {
            self.not_modelled(span, "this operation on elements or parts narrower than 'int'");
        }
    }

    /// Leaves open a shift by more than an element has bits.
    fn within_width(&mut self, count: &Expr, element: TypeId, span: Span) -> Typed<()> {
        let (bits, _) = self.types.bits(element).unwrap_or((32, false));
        if self.as_number(count).is_some_and(|n| (0..i128::from(bits)).contains(&n)) {
            return Ok(());
        }
        let long = self.types.intern(Type::Int { bits: 64, signed: false, rank: 5 });
        let (count, width) =
            (self.convert(count.clone(), long), self.constant(u64::from(bits), long, span));
        let fits = self.arithmetic(BinaryOp::Less, count, width, span)?;
        self.only_where(fits, "a shift of a vector by more bits than an element has", span)
    }

    /// The type of the elements that comparing such elements gives.
    fn truth_element(&mut self, element: TypeId) -> TypeId {
        let bits = 8 * self.types.size(element).unwrap_or(4) as u32;
        let long = if self.types.model == DataModel::Lp64 { 4 } else { 5 };
        let rank = match bits {
            8 => 0,
            16 => 2,
            32 => 3,
            _ => long,
        };
        self.types.intern(Type::Int { bits, signed: true, rank })
    }

    /// Whether elements are of the same size, and both integers or both none.
    fn is_same_kind(&self, one: TypeId, other: TypeId) -> bool {
        one == other
            || self.types.is_integer(one)
                && self.types.is_integer(other)
                && self.types.size(one) == self.types.size(other)
    }

    /// `v[i]`
    pub fn vector_element(
        &mut self,
        vector: Place,
        index: &Node<Expression>,
        span: Span,
    ) -> Typed<Operand> {
        let mut place = self.elements(vector);
        let mark = self.mark();
        let index = self.value(index)?;
        self.preserve_place(&mut place, mark);
        let array = self.decay(Operand::Place(place), span)?;
        let sum = self.arithmetic(BinaryOp::Add, array, index, span)?;
        self.deref(sum, span)
    }

    /// A value as a vector of the same kind; `None` if one of the types is no vector, or they do
    /// not fit.
    pub fn as_vector_value(&mut self, e: &Expr, to: TypeId) -> Typed<Option<Expr>> {
        let (Some((from, n)), Some((into, m))) =
            (self.types.as_vector(e.ty), self.types.as_vector(to))
        else {
            return Ok(None);
        };
        match n == m && self.is_same_kind(from, into) {
            true => self.reinterpreted(e.clone(), to).map(Some),
            false => Ok(None),
        }
    }

    /// The bits of a vector as another type, or those of a number as a vector; `None` if neither
    /// is a vector.
    pub fn cast_of_vector(&mut self, e: &Expr, to: TypeId) -> Typed<Option<Expr>> {
        let types = &self.types;
        let is_fit =
            |ty| types.as_vector(ty).is_some() || types.is_integer(ty) && types.size(ty) > Some(1);
        let is_vector = types.as_vector(e.ty).or(types.as_vector(to)).is_some();
        if !is_vector || !is_fit(e.ty) || !is_fit(to) || types.size(e.ty) != types.size(to) {
            return Ok(None);
        }
        self.reinterpreted(e.clone(), to).map(Some)
    }

    /// The same bits as another type of the same size.
    fn reinterpreted(&mut self, e: Expr, to: TypeId) -> Typed<Expr> {
        let span = e.span;
        let widths = [e.ty, to].map(|ty| {
            let (element, _) = self.types.as_vector(ty)?;
            self.types.bits(element).map(|(bits, _)| u64::from(bits))
        });
        let [Some(from), Some(into)] = widths else { return Ok(self.view(e, to)) };
        let source = self.settled(e);
        self.made(to, span, |context, index| {
            if from >= into {
                let parts = from / into;
                let value = context.element_value(&source, index / parts);
                let narrow = context.unsigned(from as u32);
                let wide = context.unsigned(from.max(32) as u32);
                let value = context.convert(value, narrow);
                let value = context.convert(value, wide);
                return context.shifted(BinaryOp::ShiftRight, value, index % parts * into, span);
            }
            let parts = into / from;
            let (narrow, wide) =
                (context.unsigned(from as u32), context.unsigned(into.max(32) as u32));
            let mut sum = context.constant(0, wide, span);
            for part in 0..parts {
                let value = context.element_value(&source, index * parts + part);
                let value = context.convert(value, narrow);
                let value = context.convert(value, wide);
                let value = context.shifted(BinaryOp::ShiftLeft, value, part * from, span)?;
                sum = context.arithmetic(BinaryOp::BitOr, sum, value, span)?;
            }
            Ok(sum)
        })
    }

    fn shifted(&mut self, op: BinaryOp, value: Expr, count: u64, span: Span) -> Typed<Expr> {
        if count == 0 {
            return Ok(value);
        }
        let int = self.int();
        let count = self.constant(count, int, span);
        self.arithmetic(op, value, count, span)
    }

    /// The same bytes as another type of the same size, through a union.
    fn view(&mut self, e: Expr, to: TypeId) -> Expr {
        let span = e.span;
        let key = (e.ty, to);
        let both = match self.views.get(&key) {
            Some(&known) => known,
            None => {
                let field = |name: &str, ty| {
                    let name = name.to_owned();
                    Field { name, ty, offset: 0, bit_field: None, atomic: false }
                };
                let fields = Some(vec![field("from", e.ty), field("to", to)]);
                let size = self.types.size(to).unwrap_or(0);
                let align = self.types.align(e.ty).max(self.types.align(to));
                let name = format!("union@view{}", self.types.records.len());
                self.types.records.push(Record { name, union: true, fields, size, align });
                let id = RecordId(self.types.records.len() as u32 - 1);
                let both = self.types.intern(Type::Record(id));
                self.views.insert(key, both);
                both
            }
        };
        let place = self.temporary(both, span);
        let from = self.field(place.clone(), 0, span);
        self.emit(Instruction::Assign(from, e), span);
        let kind = ExprKind::Load(self.field(place, 1, span));
        Expr { kind, ty: to, span }
    }

    /// The type that `vector_size` makes of another one.
    pub fn sized_vector(
        &mut self,
        element: TypeId,
        size: i128,
        span: Span,
    ) -> Result<TypeId, Failed> {
        let is_element = match self.types.get(element) {
            Type::Int { .. } => true,
            Type::Float { bits } => *bits <= 64,
            _ => false,
        };
        if !is_element {
            let name = self.types.name(element);
            return Err(self.unsupported(span, &format!("a vector type of '{name}'")));
        }
        let width = i128::from(self.types.size(element).unwrap_or(1));
        let count = size / width;
        let fits = size > 0 && size % width == 0 && count & (count - 1) == 0 && size <= 1 << 12;
        if !fits {
            let message = format!("a vector cannot have {size} bytes");
            return Err(self.type_error(span, message, "no size of a vector"));
        }
        Ok(self.vector_type(element, count as u64))
    }

    /// The result of a function of the compiler that is not modelled: it becomes whatever type is
    /// asked for.
    pub fn unknown_value(&mut self, span: Span) -> Expr {
        let ty = match self.unknown {
            Some(ty) => ty,
            None => {
                let (name, fields) = ("result@unknown".to_owned(), Some(vec![]));
                let record = Record { name, union: false, fields, size: 0, align: 1 };
                self.types.records.push(record);
                let id = RecordId(self.types.records.len() as u32 - 1);
                let ty = self.types.intern(Type::Record(id));
                self.unknown = Some(ty);
                ty
            }
        };
        Expr { kind: ExprKind::Load(self.temporary(ty, span)), ty, span }
    }

    /// A value of the type that is asked for, where it is such a result; behind it, nothing is
    /// decided.
    pub fn known(&mut self, e: Expr, to: TypeId) -> Expr {
        if self.unknown != Some(e.ty) {
            return e;
        }
        let span = e.span;
        Expr { kind: ExprKind::Load(self.temporary(to, span)), ty: to, span }
    }
}

/// An operand: the array of the elements of a vector, or a number that stands for all of them.
enum Side {
    Vector(Place),
    Scalar(Expr),
}
