//! Operators on values, and the order in which operands are evaluated.

use super::constant::{fold, wrap};
use super::convert::is_comparison;
use crate::flow::{
    Base, BinaryOp, Edge, Expr, ExprKind, Instruction, Place, Step, VariableId, VariableKind,
};
use crate::parse::builder::Mark;
use crate::parse::context::{Context, Failed, Typed, VariableType};
use crate::print::sign;
use crate::reliance::Reliance;
use crate::syntax::tree::{BinaryOperator, Expression, Node};
use crate::types::{BIT_INT, Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// The corresponding operator on values, unless it is an assignment or a short circuit.
pub(in crate::parse) fn plain(operator: BinaryOperator) -> Option<BinaryOp> {
    use BinaryOperator as B;
    Some(match operator {
        B::Multiply | B::AssignMultiply => BinaryOp::Multiply,
        B::Divide | B::AssignDivide => BinaryOp::Divide,
        B::Modulo | B::AssignModulo => BinaryOp::Remainder,
        B::Plus | B::AssignPlus => BinaryOp::Add,
        B::Minus | B::AssignMinus => BinaryOp::Subtract,
        B::ShiftLeft | B::AssignShiftLeft => BinaryOp::ShiftLeft,
        B::ShiftRight | B::AssignShiftRight => BinaryOp::ShiftRight,
        B::Less => BinaryOp::Less,
        B::Greater => BinaryOp::Greater,
        B::LessOrEqual => BinaryOp::LessEqual,
        B::GreaterOrEqual => BinaryOp::GreaterEqual,
        B::Equals => BinaryOp::Equal,
        B::NotEquals => BinaryOp::NotEqual,
        B::BitwiseAnd | B::AssignBitwiseAnd => BinaryOp::BitAnd,
        B::BitwiseXor | B::AssignBitwiseXor => BinaryOp::BitXor,
        B::BitwiseOr | B::AssignBitwiseOr => BinaryOp::BitOr,
        B::Index | B::LogicalAnd | B::LogicalOr | B::Assign => return None,
    })
}

/// The places of the calls among some edges.
fn calls_in(edges: &[Edge]) -> Vec<Span> {
    let calls = edges.iter().filter(|edge| matches!(edge.instruction, Instruction::Call { .. }));
    calls.map(|edge| edge.span).collect()
}

/// The memory that the value of an expression depends on.
#[derive(Debug, Default)]
struct Reads {
    variables: Vec<VariableId>,
    /// Memory that others may write: globals, targets of pointers, variables whose address is taken.
    shared: bool,
}

impl Context<'_> {
    /// Evaluates two operands; the effects of the right one do not change the left value.
    pub fn pair(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
    ) -> Typed<(Expr, Expr)> {
        let start = self.mark();
        let left = self.value(left)?;
        self.paired(start, left, right)
    }

    /// Evaluates the operand behind one whose evaluation began at `start`.
    pub fn paired(
        &mut self,
        start: Mark,
        left: Expr,
        right: &Node<Expression>,
    ) -> Typed<(Expr, Expr)> {
        let mark = self.mark();
        let right = self.value(right)?;
        self.note_calls(start, mark, &right);
        let mut left = [left];
        self.note_operands((start, mark), &left, &right);
        self.preserve(&mut left, mark);
        let [left] = left;
        Ok((left, right))
    }

    /// Notes whether calls between two marks may depend on those since the second one, or may change what the value that
    /// was evaluated since then reads.
    pub fn note_calls(&mut self, start: Mark, mark: Mark, value: &Expr) {
        let Some(current) = &self.current else { return };
        let (all, later) = (current.builder.since(start), current.builder.since(mark));
        let calls = [&all[..all.len() - later.len()], later].map(calls_in);
        let before = calls[0].clone();
        if calls.iter().all(|calls| !calls.is_empty()) {
            self.note_unordered(calls, false, value.span);
        }
        if let (Some(&at), true) = (before.first(), self.reads(value).shared) {
            self.note_unordered([vec![], before], true, at);
        }
    }

    pub fn mark(&mut self) -> Mark {
        match &self.current {
            Some(current) => current.builder.mark(),
            None => crate::parse::builder::Builder::new().mark(),
        }
    }

    /// Saves in temporaries the values that instructions since `mark` may have changed.
    pub fn preserve(&mut self, values: &mut [Expr], mark: Mark) {
        let Some(current) = &self.current else { return };
        if current.builder.since(mark).is_empty() {
            return;
        }
        let changed: Vec<bool> = values.iter().map(|v| self.disturbed(v, mark)).collect();
        if changed.contains(&true) {
            let edges = current.builder.since(mark);
            let (calls, first) = (calls_in(edges), edges[0].span);
            match calls.first() {
                Some(&at) => self.note_unordered([vec![], calls], true, at),
                // Where it is looked for, the operands have been compared.
                None if self.asks(Check::Sequence, first) => {}
                None => self.rely(Reliance::Sequence, first),
            }
        }
        let mut saved = Vec::new();
        for (value, _) in values.iter_mut().zip(changed).filter(|(_, changed)| *changed) {
            let place = self.temporary(value.ty, value.span);
            let (ty, span) = (value.ty, value.span);
            let load = Expr { kind: ExprKind::Load(place.clone()), ty, span };
            saved.push((Instruction::Assign(place, std::mem::replace(value, load)), span));
        }
        self.flow(|builder| builder.insert_before(mark, saved));
    }

    /// As [`Context::preserve`], for the values that a place contains.
    pub fn preserve_place(&mut self, place: &mut Place, mark: Mark) {
        if let Base::Pointer(pointer) = &mut place.base {
            self.preserve(std::slice::from_mut(&mut **pointer), mark);
        }
        for step in &mut place.path {
            if let Step::Index(index) = step {
                self.preserve(std::slice::from_mut(&mut **index), mark);
            }
        }
    }

    /// Whether instructions since `mark` may change the value of an expression.
    fn disturbed(&self, value: &Expr, mark: Mark) -> bool {
        let reads = self.reads(value);
        if reads.variables.is_empty() && !reads.shared {
            return false;
        }
        let Some(current) = &self.current else { return false };
        let writes = |place: &Place| match &place.base {
            Base::Variable(variable) => {
                reads.variables.contains(variable) || reads.shared && self.is_shared(*variable)
            }
            Base::Pointer(_) | Base::String(_) => reads.shared,
        };
        current.builder.since(mark).iter().any(|edge| {
            reads.shared && matches!(edge.instruction, Instruction::Call { .. })
                || edge.instruction.target().is_some_and(writes)
        })
    }

    /// Whether a variable can be reached other than by its name.
    fn is_shared(&self, id: VariableId) -> bool {
        let variable = &self.variables[id.0 as usize];
        // Of a temporary number, nothing has the address.
        if variable.kind == VariableKind::Temporary && self.types.is_pair(variable.ty) {
            return false;
        }
        variable.function.is_none()
            || !self.types.is_scalar(variable.ty)
            || self.file.addressed.contains(&variable.name)
    }

    fn reads(&self, value: &Expr) -> Reads {
        let mut reads = Reads::default();
        for part in value.parts() {
            let ExprKind::Load(place) = &part.kind else { continue };
            match &place.base {
                Base::Variable(variable) if self.is_shared(*variable) => reads.shared = true,
                Base::Variable(variable) => reads.variables.push(*variable),
                Base::Pointer(_) => reads.shared = true,
                Base::String(_) => {}
            }
        }
        reads
    }

    /// A binary operation with the usual conversions.
    pub fn arithmetic(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Typed<Expr> {
        let left = self.known(left, right.ty);
        let right = self.known(right, left.ty);
        if let Some(value) = self.vector_arithmetic(op, [&left, &right], span)? {
            return Ok(value);
        }
        if let Some(value) = self.wide_arithmetic(op, [&left, &right], span)? {
            return Ok(value);
        }
        if let Some(value) = self.complex_arithmetic(op, [&left, &right], span)? {
            return Ok(value);
        }
        let pointers = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        match (op, pointers) {
            (BinaryOp::Add, (true, false)) => return self.offset(left, right, false, span),
            (BinaryOp::Add, (false, true)) => return self.offset(right, left, false, span),
            (BinaryOp::Subtract, (true, false)) => return self.offset(left, right, true, span),
            (BinaryOp::Subtract, (true, true)) => return self.difference(left, right, span),
            (_, (true, _) | (_, true)) if is_comparison(op) => {
                let to = if pointers.0 { left.ty } else { right.ty };
                if !self.types.is_scalar(left.ty) || !self.types.is_scalar(right.ty) {
                    return Err(self.wrong_operands(op, &left, &right, span));
                }
                let (left, right) = (self.convert(left, to), self.convert(right, to));
                return Ok(self.combine(op, left, right, span));
            }
            _ => {}
        }
        if !self.types.is_arithmetic(left.ty) || !self.types.is_arithmetic(right.ty) {
            return Err(self.wrong_operands(op, &left, &right, span));
        }
        if matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) {
            let (left, right) = (self.promote(left), self.promote(right));
            if !self.types.is_integer(left.ty) || !self.types.is_integer(right.ty) {
                return Err(self.wrong_operands(op, &left, &right, span));
            }
            self.only_within_its_width(&left, &right, span)?;
            return Ok(self.combine(op, left, right, span));
        }
        let (left, right) = self.usual(left, right);
        let bits = matches!(
            op,
            BinaryOp::Remainder | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
        );
        if bits && !self.types.is_integer(left.ty) {
            return Err(self.wrong_operands(op, &left, &right, span));
        }
        Ok(self.combine(op, left, right, span))
    }

    /// Leaves open what a shift of a `_BitInt` by more bits than it has makes of it, where that is no error: compilers compute it
    /// in several ways.
    fn only_within_its_width(&mut self, left: &Expr, right: &Expr, span: Span) -> Typed<()> {
        let Type::Int { bits, rank: BIT_INT, .. } = *self.types.get(left.ty) else { return Ok(()) };
        let is_asked = [Check::Overflow, Check::Shift].iter().any(|&check| self.asks(check, span));
        if is_asked {
            return Ok(());
        }
        let word = self.unsigned(64);
        let count = self.convert(right.clone(), word);
        let limit = self.constant(u64::from(bits), word, span);
        let fits = self.combine(BinaryOp::Less, count, limit, span);
        self.only_where(fits, "a shift of a '_BitInt' by more bits than it has", span)
    }

    /// Applies the operator to converted operands; constants are folded.
    pub fn combine(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let int = self.int();
        let ty = if is_comparison(op) { int } else { left.ty };
        if let (Some(l), Some(r)) = (self.as_number(&left), self.as_number(&right))
            && let Some((bits, signed)) = self.types.bits(left.ty)
            && !(signed && self.checks(op, l, r, bits))
            && let Some(value) = fold(op, l, r, bits, signed)
        {
            let bits = self.types.bits(ty).map_or(32, |(bits, _)| bits);
            return self.constant(wrap(value, bits), ty, span);
        }
        if let (ExprKind::Float(l), ExprKind::Float(r)) = (&left.kind, &right.kind) {
            let value = match op {
                BinaryOp::Add => Some(l + r),
                BinaryOp::Subtract => Some(l - r),
                BinaryOp::Multiply => Some(l * r),
                BinaryOp::Divide => Some(l / r),
                _ => None,
            };
            // Where a constant is needed, comparisons are none of the program's steps.
            let truth = match op {
                _ if self.dry == 0 || self.is_long_double(left.ty) => None,
                BinaryOp::Less => Some(l < r),
                BinaryOp::LessEqual => Some(l <= r),
                BinaryOp::Greater => Some(l > r),
                BinaryOp::GreaterEqual => Some(l >= r),
                BinaryOp::Equal => Some(l == r),
                BinaryOp::NotEqual => Some(l != r),
                _ => None,
            };
            if let Some(truth) = truth {
                return self.constant(u64::from(truth), ty, span);
            }
            if let Some(mut value) = value.filter(|_| !self.is_long_double(ty)) {
                if value.is_nan() {
                    let negative = match (l.is_nan(), r.is_nan()) {
                        (true, _) => l.is_sign_negative(),
                        (false, true) => r.is_sign_negative(),
                        // The processor makes negative ones, gcc itself (in initialisers of statics) by the rule of
                        // signs.
                        _ if self.current.is_some() => true,
                        _ if matches!(op, BinaryOp::Add | BinaryOp::Subtract) => false,
                        _ => l.is_sign_negative() != r.is_sign_negative(),
                    };
                    value = value.copysign(if negative { -1.0 } else { 1.0 });
                }
                return self.float_constant(value, ty, span);
            }
        }
        if self.is_long_double(left.ty) {
            self.not_modelled(span, "'long double'");
        }
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// `pointer + index`, or `pointer - index`.
    fn offset(&mut self, pointer: Expr, index: Expr, minus: bool, span: Span) -> Typed<Expr> {
        if !self.types.is_integer(index.ty) {
            let op = if minus { BinaryOp::Subtract } else { BinaryOp::Add };
            return Err(self.wrong_operands(op, &pointer, &index, span));
        }
        let rows = self.rows_behind(pointer.ty);
        let scale = if rows.is_some() { 0 } else { self.pointee_size(pointer.ty, span)? };
        let word = self.types.signed_word();
        let index = self.promote(index);
        let mut index = self.convert(index, word);
        if minus {
            index = self.unary(crate::flow::UnaryOp::Negate, index, span);
        }
        if let Some(rows) = rows {
            return self.moved_by_rows(pointer, index, rows, span);
        }
        let ty = pointer.ty;
        if let Some(number) = self.as_number(&index) {
            if number == 0 && !matches!(pointer.kind, ExprKind::AddressOf(_)) {
                return Ok(pointer);
            }
            if let Some(base) = self.as_number(&pointer) {
                let value = base.wrapping_add(number.wrapping_mul(i128::from(scale)));
                let bits = self.types.model.word();
                return Ok(self.constant(wrap(value, bits), ty, span));
            }
        }
        let kind = ExprKind::Offset { pointer: Box::new(pointer), index: Box::new(index), scale };
        Ok(Expr { kind, ty, span })
    }

    /// The array of variable length that a pointer points to.
    fn rows_behind(&self, pointer: TypeId) -> Option<VariableType> {
        match *self.types.get(pointer) {
            Type::Pointer(pointee) => self.variable_type_of(pointee),
            _ => None,
        }
    }

    fn difference(&mut self, left: Expr, right: Expr, span: Span) -> Typed<Expr> {
        if let Some(rows) = self.rows_behind(left.ty) {
            let (left, right) = (self.repointed(left, rows.base), self.repointed(right, rows.base));
            let distance = self.difference(left, right, span)?;
            let count = self.count_of(rows, span);
            return Ok(self.combine(BinaryOp::Divide, distance, count, span));
        }
        let scale = self.pointee_size(left.ty, span)?;
        if scale == 0 {
            let message = "the distance of pointers to something of size 0".to_owned();
            return Err(self.type_error(span, message, "would be divided by 0"));
        }
        let ty = self.types.signed_word();
        if let (Some(l), Some(r)) = (self.as_number(&left), self.as_number(&right)) {
            let bits = self.types.model.word();
            return Ok(self.constant(wrap((l - r) / i128::from(scale), bits), ty, span));
        }
        let kind = ExprKind::Difference { left: Box::new(left), right: Box::new(right), scale };
        Ok(Expr { kind, ty, span })
    }

    /// The size of the pointee type in bytes, by which pointer arithmetic scales.
    fn pointee_size(&mut self, pointer: TypeId, span: Span) -> Typed<u64> {
        match *self.types.get(pointer) {
            Type::Pointer(pointee) => match self.types.get(pointee) {
                Type::Function { .. } => Ok(1),
                _ => self.complete_size(pointee, span),
            },
            _ => Ok(1),
        }
    }

    pub fn wrong_operands(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Failed {
        let (l, r) = (self.types.name(left.ty), self.types.name(right.ty));
        let sign = sign(op);
        let message = format!("'{sign}' cannot be applied to '{l}' and '{r}'");
        self.type_error(span, message, "operands of these types do not fit")
    }
}
