//! Integers of 128 bits (`__int128`): records of two words, whose operations are done word by word.
//!
//! Words are computed without sign, so that no check of operations finds an error in what is written out here.

mod arithmetic;
mod checked;
mod convert;

use crate::flow::{Base, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::constant::wrap;
use crate::syntax::tree::UnaryOperator;
use crate::types::{DataModel, HALVES, Type, TypeId};
use hardbop_base::source::Span;

/// The halves of a number, the lower one first, as words without sign.
type Halves = [Expr; 2];

impl Context<'_> {
    /// `__int128`, or `unsigned __int128`; none where machine words have 32 bits.
    pub fn wide_type(&mut self, signed: bool) -> Option<TypeId> {
        if self.types.model == DataModel::Ilp32 {
            return None;
        }
        let word = self.types.unsigned_word();
        let high = if signed { self.types.signed_word() } else { word };
        let name = if signed { "__int128" } else { "unsigned __int128" };
        Some(self.pair_type(HALVES, [word, high], 16, name.to_owned()))
    }

    /// A constant with these bits.
    pub(in crate::parse::expression) fn wide_constant(
        &mut self,
        value: u128,
        ty: TypeId,
        span: Span,
    ) -> Expr {
        let word = self.unsigned(64);
        let halves = [value as u64, (value >> 64) as u64];
        let halves = halves.map(|half| self.constant(half, word, span));
        self.joined(halves, ty, span)
    }

    /// The bits of a constant.
    fn wide_bits(&self, halves: &[Expr; 2]) -> Option<u128> {
        let bits = |half: &Expr| self.as_number(half).map(|number| u128::from(wrap(number, 64)));
        Some(bits(&halves[0])? | bits(&halves[1])? << 64)
    }

    /// Both halves, the lower one first, as words without sign.
    fn halves(&mut self, e: Expr) -> Halves {
        let word = self.unsigned(64);
        self.parts_of_pair(e).map(|half| self.convert(half, word))
    }

    /// A word as one with a sign.
    fn with_sign(&mut self, word: Expr) -> Expr {
        let long = self.types.intern(Type::Int { bits: 64, signed: true, rank: 5 });
        self.convert(word, long)
    }

    /// The word with the sign of a number in all its bits.
    fn sign_of(&mut self, word: &Expr) -> Expr {
        let span = word.span;
        let signed = self.with_sign(word.clone());
        let long = signed.ty;
        let count = self.constant(63, long, span);
        self.combine(BinaryOp::ShiftRight, signed, count, span)
    }

    /// The halves of an integer of 64 bits or less.
    pub(in crate::parse::expression) fn halves_of_word(&mut self, e: Expr) -> Halves {
        let signed = self.types.bits(e.ty).is_some_and(|(_, signed)| signed);
        let word = self.unsigned(64);
        let low = self.convert(e, word);
        let low = self.once(low);
        let high = match signed {
            true => self.sign_of(&low),
            false => self.zero(word, low.span),
        };
        [low, self.convert(high, word)]
    }

    /// An integer of 64 bits or less as one of 128.
    fn extended(&mut self, e: Expr, ty: TypeId) -> Expr {
        let span = e.span;
        let signed = self.types.bits(e.ty).is_some_and(|(_, signed)| signed);
        let [low, high] = self.halves_of_word(e);
        let number = self.joined([low, high], ty, span);
        // What is known of the upper half makes products cheaper.
        if let ExprKind::Load(place) = &number.kind
            && let Base::Variable(id) = place.base
            && signed
            && !self.known_parts.contains_key(&id)
        {
            let low = self.field(place.clone(), 0, span).load();
            let high = self.sign_of(&low);
            self.known_parts.insert(id, [low, high]);
        }
        number
    }

    /// An `int`: 1 if the number is not 0.
    pub(in crate::parse::expression) fn wide_truth(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let [low, high] = self.halves(e);
        let all = self.on_words(BinaryOp::BitOr, &low, &high);
        let zero = self.zero(all.ty, span);
        self.combine(BinaryOp::NotEqual, all, zero, span)
    }

    /// `-x`, `~x` or `+x`
    pub(in crate::parse::expression) fn wide_unary(
        &mut self,
        op: &UnaryOperator,
        x: Expr,
        span: Span,
    ) -> Typed<Expr> {
        let ty = x.ty;
        Ok(match op {
            UnaryOperator::Minus => {
                let zero = self.zero(ty, span);
                return self.on_wide(BinaryOp::Subtract, [zero, x], ty, span);
            }
            UnaryOperator::Complement => {
                let halves = self.halves(x);
                let halves = halves.map(|half| self.unary(UnaryOp::BitNot, half, span));
                self.joined(halves, ty, span)
            }
            _ => x,
        })
    }

    /// The type of an operation on two numbers of which one has 128 bits and none is complex, before its promotion.
    pub(in crate::parse::expression) fn common_wide(&self, types: [TypeId; 2]) -> Option<TypeId> {
        let [a, b] = types.map(|ty| self.types.as_wide(ty));
        let is_number =
            |ty: TypeId| self.types.is_arithmetic(ty) || self.types.as_wide(ty).is_some();
        if a.or(b).is_none() || !types.into_iter().all(is_number) {
            return None;
        }
        let is_float = |ty: &TypeId| matches!(self.types.get(*ty), Type::Float { .. });
        let float = types.into_iter().find(is_float);
        float.or(Some(if a.is_none() || b == Some(false) { types[1] } else { types[0] }))
    }
}
