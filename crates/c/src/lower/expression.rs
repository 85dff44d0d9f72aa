//! Lowers expressions to terms.

use super::super::flow::{Base, BinaryOp, Expr, ExprKind, FunctionId, Place, State, UnaryOp};
use super::super::memory::{Kind, ObjectId, ObjectKind};
use super::super::types::{Type, TypeId};
use super::assumption::Assumption;
use super::lowering::Lowering;
use crate::terms::{bit_op, bit_unary, comparison, overflow, resized, shift_count};
use hardbop_base::errors::Check;
use hardbop_cfa::{Operation, Origin};
use hardbop_smt::{self as smt, BitOp, Comparison, Symbol, Term};

/// The page from here to the end has no objects: kernels use its addresses as error codes.
const NOT_ADDRESSES: u64 = 0_u64.wrapping_sub(4096);

impl Lowering<'_, '_> {
    /// The width of a scalar's value; 64 for a long double, which is not modelled.
    pub(super) fn width(&self, ty: TypeId) -> u32 {
        match self.flow.types.get(ty) {
            Type::Float { bits } => (*bits).min(64),
            _ => self.flow.types.bits(ty).map_or(64, |(bits, _)| bits),
        }
    }

    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        self.flow.types.bits(ty).is_some_and(|(_, signed)| signed)
    }

    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.flow.types.get(ty), Type::Float { .. })
    }

    /// The type at which the path of a place starts.
    pub(super) fn base_type(&self, place: &Place) -> TypeId {
        match &place.base {
            Base::Variable(v) => self.flow.variables[v.0 as usize].ty,
            Base::Pointer(pointer) => match self.flow.types.get(pointer.ty) {
                Type::Pointer(to) => *to,
                _ => place.ty,
            },
            Base::String(_) => place.ty,
        }
    }

    /// The value of a scalar.
    pub(super) fn value(&mut self, expr: &Expr) -> Term {
        let key: *const Expr = expr;
        if let Some(&known) = self.cache.get(&key) {
            return known;
        }
        let value = self.evaluate(expr);
        self.cache.insert(key, value);
        value
    }

    fn evaluate(&mut self, expr: &Expr) -> Term {
        let width = self.width(expr.ty);
        match &expr.kind {
            ExprKind::Constant(value) => self.terms.bits(width, *value),
            ExprKind::Float(value) => {
                let bits = match self.flow.types.get(expr.ty) {
                    Type::Float { bits: 32 } => u64::from((*value as f32).to_bits()),
                    _ => value.to_bits(),
                };
                self.terms.bits(width, bits)
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::FunctionAddress(function) => {
                let object = self.points_to.objects().function(*function);
                let address = self.memory.address(object);
                self.terms.bits(width, address)
            }
            _ if self.is_condition(expr) => {
                let condition = self.condition(expr);
                let (one, zero) = (self.terms.bits(width, 1), self.terms.bits(width, 0));
                self.terms.ite(condition, one, zero)
            }
            ExprKind::Unary(op, inner) if self.is_float(inner.ty) => {
                self.unary_float(*op, inner, width)
            }
            ExprKind::Unary(op, inner) => {
                let value = self.value(inner);
                self.terms.unary(bit_unary(*op), value)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Offset { pointer, index, scale } => {
                let (from, index) = (self.value(pointer), self.value(index));
                let scale = self.terms.bits(width, *scale);
                let distance = self.terms.binary(BitOp::Mul, index, scale);
                let to = self.terms.binary(BitOp::Add, from, distance);
                self.moved(pointer, from, to)
            }
            ExprKind::Difference { left, right, scale } => {
                if self.objects_of(&[left, right]).len() > 1 {
                    self.assumptions.insert(Assumption::Addresses);
                }
                let (left, right) = (self.value(left), self.value(right));
                let bytes = self.terms.binary(BitOp::Sub, left, right);
                let scale = self.terms.bits(width, (*scale).max(1));
                self.terms.binary(BitOp::SDiv, bytes, scale)
            }
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.condition(condition);
                let (a, b) = (self.value(a), self.value(b));
                self.terms.ite(condition, a, b)
            }
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Rounded(mode, operation) => self.rounded(mode, operation),
        }
    }

    /// The value of a scalar place.
    fn load(&mut self, place: &Place) -> Term {
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let width = self.width(place.ty);
        if matches!(self.flow.types.get(place.ty), Type::Float { bits: 65.. }) {
            return self.approximation(width);
        }
        self.reads_bits(&cursor, place.ty, bits);
        let value = self.read(&cursor, bits);
        if matches!(self.flow.types.get(place.ty), Type::Bool) && self.is_outside(&cursor, bits) {
            self.assume_bool(value);
        }
        self.resize(value, width, self.is_signed(place.ty))
    }

    pub(super) fn resize(&mut self, value: Term, width: u32, signed: bool) -> Term {
        resized(self.terms, value, width, signed)
    }

    /// The value of a scalar, converted to another type.
    pub(super) fn cast(&mut self, inner: &Expr, to: TypeId) -> Term {
        let width = self.width(to);
        if self.flow.types.get(inner.ty) == self.flow.types.get(to) {
            return self.value(inner);
        }
        if self.is_float(to) || self.is_float(inner.ty) {
            return self.cast_float(inner, to);
        }
        let types = &self.flow.types;
        let number = types.is_pointer(inner.ty) && matches!(types.get(to), Type::Int { .. });
        if number && !matches!(inner.kind, ExprKind::Constant(_)) {
            self.assumptions.insert(Assumption::Addresses);
        }
        let value = self.value(inner);
        self.resize(value, width, self.is_signed(inner.ty))
    }

    /// The value, converted to a type if it has another one.
    pub(super) fn value_as(&mut self, expr: &Expr, to: TypeId) -> Term {
        if self.width(expr.ty) == self.width(to) { self.value(expr) } else { self.cast(expr, to) }
    }

    /// Assumes that a `_Bool` is 0 or 1.
    pub(super) fn assume_bool(&mut self, value: Term) {
        let fine = self.is_truth(value);
        self.pending.push(fine);
    }

    fn is_truth(&mut self, value: Term) -> Operation {
        let one = self.terms.bits(8, 1);
        Operation::Assume(self.terms.compare(Comparison::ULe, value, one))
    }

    /// Gives the variable of a scalar any value that the scalar can have.
    pub(super) fn any_scalar(
        &mut self,
        symbol: Symbol,
        kind: Kind,
        origin: Origin,
    ) -> Vec<Operation> {
        let mut operations = vec![Operation::Havoc(symbol, origin)];
        if kind == Kind::Boolean {
            let value = self.terms.variable(symbol);
            operations.push(self.is_truth(value));
        }
        operations
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Term {
        let width = self.width(left.ty);
        if self.is_float(left.ty) {
            return self.binary_float(op, left, right);
        }
        let signed = self.is_signed(left.ty);
        let a = self.value(left);
        let mut b = self.value(right);
        match op {
            BinaryOp::Divide | BinaryOp::Remainder => {
                let zero = self.terms.bits(width, 0);
                let fine = self.terms.distinct(b, zero);
                if self.terms.value(fine) != Some(smt::Value::Bool(true)) {
                    if !self.flow.checked.has(Check::Division) {
                        self.assumptions.insert(Assumption::DivisorsNotZero);
                    }
                    self.pending.push(Operation::Assume(fine));
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => b = shift_count(self.terms, b, width),
            _ => {}
        }
        match bit_op(op, signed) {
            Some(op) => self.terms.binary(op, a, b),
            // Comparisons and connectives are conditions.
            None => self.approximation(width),
        }
    }

    /// Whether the form of the expression shows that its value is 0 or 1.
    fn is_condition(&self, expr: &Expr) -> bool {
        use BinaryOp::{
            And, Apart, Beyond, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or,
            Overflows,
        };
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Is(_), _) => true,
            ExprKind::Binary(op, ..) => matches!(
                op,
                Equal
                    | NotEqual
                    | Less
                    | LessEqual
                    | Greater
                    | GreaterEqual
                    | And
                    | Or
                    | Overflows(_)
                    | Beyond
                    | Apart
            ),
            ExprKind::Cast(inner) => {
                let integer = self.flow.types.is_integer(expr.ty);
                let to_bool = matches!(self.flow.types.get(expr.ty), Type::Bool)
                    && !self.is_long_double(inner.ty);
                to_bool || integer && self.is_condition(inner)
            }
            _ => false,
        }
    }

    /// The condition that a scalar is not zero.
    pub(super) fn condition(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition(inner);
                self.terms.not(inner)
            }
            ExprKind::Unary(UnaryOp::Is(state), operand) => match state {
                State::Outside(size) => self.outside(operand, *size),
                State::Ended => self.ended(operand),
                State::Constant => self.constant_at(operand),
                State::Misaligned(align) => self.misaligned(operand, *align),
                State::NotFreeable => self.not_freeable(operand),
                State::Unwritten => self.unwritten(operand),
                State::Lost { calls } => self.lost(operand, *calls),
            },
            ExprKind::Binary(BinaryOp::Beyond, pointer, size) => self.beyond_one(pointer, size),
            ExprKind::Binary(BinaryOp::Apart, left, right) => self.apart(left, right),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                self.terms.and(&[left, right])
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                self.terms.or(&[left, right])
            }
            ExprKind::Binary(BinaryOp::Overflows(op), left, right) => {
                let (a, b) = (self.value(left), self.value(right));
                overflow(self.terms, *op, self.is_signed(left.ty), a, b)
            }
            ExprKind::Binary(op, left, right) if self.is_condition(expr) => {
                self.comparison(*op, left, right)
            }
            ExprKind::Cast(inner) if self.is_condition(expr) => self.condition(inner),
            ExprKind::Conditional(condition, a, b) => {
                let condition = self.condition(condition);
                let (a, b) = (self.condition(a), self.condition(b));
                self.terms.ite(condition, a, b)
            }
            _ if self.is_float(expr.ty) => self.is_not_zero(expr),
            _ => {
                let value = self.value(expr);
                let zero = self.terms.bits(self.width(expr.ty), 0);
                self.terms.distinct(value, zero)
            }
        }
    }

    pub(super) fn unknown_condition(&mut self) -> Term {
        let any = self.approximation(1);
        let one = self.terms.bits(1, 1);
        self.terms.equal(any, one)
    }

    /// The objects into which pointers point, or from which they were moved.
    pub(super) fn objects_of(&mut self, pointers: &[&Expr]) -> Vec<ObjectId> {
        let mut objects = Vec::new();
        for &pointer in pointers {
            let mut pointer = pointer;
            while let ExprKind::Offset { pointer: inner, .. } | ExprKind::Cast(inner) =
                &pointer.kind
                && self.flow.types.is_pointer(inner.ty)
            {
                pointer = inner;
            }
            objects.extend(self.points_to.addresses(pointer).into_iter().map(|a| a.object));
        }
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Whether pointers to different objects are compared that C allows to be equal: one behind the end of an object,
    /// to a string literal, or to a block that has been freed.
    fn may_coincide(&mut self, left: &Expr, right: &Expr) -> bool {
        let objects = self.objects_of(&[left, right]);
        let moved = |e: &&Expr| e.parts().any(|p| matches!(p.kind, ExprKind::Offset { .. }));
        let special = |o: &ObjectId| {
            match self.points_to.objects().get(*o).kind {
                ObjectKind::Text(_) | ObjectKind::Allocation(..) | ObjectKind::Round(..) => true,
                // The address of a label: two of them may be at one place.
                ObjectKind::Variable(v) => self.flow.variables[v.0 as usize].name.contains("&&"),
                ObjectKind::Unknown | ObjectKind::Function(_) => false,
            }
        };
        let several = objects.len() > 1;
        several && (moved(&left) || moved(&right) || objects.iter().any(special))
    }

    /// Whether some pointer of these functions is made of a number, be it computed or in the text.
    pub(super) fn makes_addresses(&self, functions: &[FunctionId]) -> bool {
        let bodies =
            functions.iter().filter_map(|f| self.flow.functions[f.0 as usize].body.as_ref());
        let parts = bodies.flat_map(|body| &body.edges).flat_map(|edge| edge.instruction.parts());
        let initial = self.flow.initialisers.iter().flat_map(|(_, value)| value.parts());
        parts.chain(initial).filter(|part| self.flow.types.is_pointer(part.ty)).any(|part| {
            self.is_computed_number(part)
                || matches!(part.kind, ExprKind::Constant(_)) && self.is_address_in_text(part)
        })
    }

    /// Whether a pointer is converted from a number other than a constant.
    fn is_computed_number(&self, pointer: &Expr) -> bool {
        matches!(&pointer.kind, ExprKind::Cast(inner)
            if self.flow.types.is_integer(inner.ty) && !matches!(inner.kind, ExprKind::Constant(_)))
    }

    /// Whether a pointer is a number of the text at which an object may lie.
    fn is_address_in_text(&self, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::Cast(inner) => self.is_address_in_text(inner),
            &ExprKind::Constant(number) => {
                let all = u64::MAX >> (64 - self.word());
                number != 0 && number & all < NOT_ADDRESSES & all
            }
            _ => false,
        }
    }

    /// Whether a pointer is equal to a number.  An object may lie at a number that hardbop would give to none, unless it
    /// is null or one of the greatest numbers, which stand for errors.
    fn is_at_number(&mut self, [number, pointer]: [Term; 2]) -> Term {
        let word = self.word();
        let own = self.memory.addresses();
        let [first, end, errors] =
            [own.start, own.end, NOT_ADDRESSES].map(|a| self.terms.bits(word, a));
        let [number_at, pointer_at] = [number, pointer].map(|value| {
            let from = self.terms.compare(Comparison::ULe, first, value);
            let until = self.terms.compare(Comparison::ULt, value, end);
            self.terms.and(&[from, until])
        });
        let zero = self.terms.bits(word, 0);
        let conditions = [
            pointer_at,
            self.terms.not(number_at),
            self.terms.distinct(number, zero),
            self.terms.compare(Comparison::ULt, number, errors),
        ];
        let elsewhere = self.terms.and(&conditions);
        let equal = self.terms.equal(number, pointer);
        if self.terms.value(elsewhere) == Some(smt::Value::Bool(false)) {
            return equal;
        }
        let chance = self.unknown_condition();
        let chance = self.terms.and(&[elsewhere, chance]);
        self.terms.or(&[equal, chance])
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Term {
        if self.is_float(left.ty) {
            return self.compare_floats(op, left, right);
        }
        let ordered = !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if self.flow.types.is_pointer(left.ty) {
            let number = [left, right].into_iter().position(|e| self.is_computed_number(e));
            let constant = self.is_address_in_text(left) || self.is_address_in_text(right);
            if ordered || constant || number.is_some() {
                self.assumptions.insert(Assumption::Addresses);
            } else {
                if self.numbers_are_addresses && ![left, right].into_iter().any(is_constant) {
                    // One of the pointers may be a number of the program.
                    self.assumptions.insert(Assumption::Addresses);
                }
                if self.may_coincide(left, right) {
                    self.assumptions.insert(Assumption::DistinctObjects);
                }
            }
            if let (false, Some(side)) = (ordered, number) {
                let mut sides = [self.value(left), self.value(right)];
                sides.rotate_left(side);
                let equal = self.is_at_number(sides);
                return if op == BinaryOp::Equal { equal } else { self.terms.not(equal) };
            }
        }
        let signed = self.is_signed(left.ty);
        let operands = (self.value(left), self.value(right));
        comparison(self.terms, op, signed, operands)
    }
}

/// Whether the expression is a constant, perhaps of another type.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Cast(inner) => is_constant(inner),
        _ => false,
    }
}
