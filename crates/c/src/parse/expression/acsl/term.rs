//! Terms: values with the numbers that they can be.

use super::shape::{group, old};
use crate::flow::{Base, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::expression::operator::plain;
use crate::parse::expression::place::Operand;
use crate::parse::kept::{Old, Time};
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, CastExpression, Expression, MemberExpression,
    MemberOperator, Node, UnaryOperator,
};
use crate::types::{Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The value of a term.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Number(Number),
    Pointer(Expr),
}

/// A mathematical integer: the value of an expression, whose type holds it.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub value: Expr,
    /// The least and the greatest number that it can be.
    pub low: i128,
    pub high: i128,
}

impl Context<'_> {
    pub(super) fn refused(&mut self, span: Span, what: &str) -> Failed {
        let message = format!("{what} in an annotation is not supported");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        self.report(diagnostic.with_label("not supported").with_hint(
            "write it as C: 'if (!(..)) reach_error();', or with variables that hold its parts",
        ))
    }

    pub(super) fn too_wide(&mut self, span: Span) -> Failed {
        self.refused(span, "a term that may need more than 64 bits")
    }

    /// A type that has all numbers of a range; one of those given, if it is possible.
    pub(super) fn holder(
        &mut self,
        (low, high): (i128, i128),
        given: [TypeId; 2],
    ) -> Option<TypeId> {
        let types = [(32, true, 3), (32, false, 3), (64, true, 5), (64, false, 5)];
        let types = types.map(|(bits, signed, rank)| Type::Int { bits, signed, rank });
        let types = types.map(|ty| self.types.intern(ty));
        let promoted = |ty: &TypeId| match *self.types.get(*ty) {
            Type::Int { bits, signed, rank } if rank >= 3 => {
                let (least, most) = range(bits, signed);
                least <= low && high <= most
            }
            _ => false,
        };
        given.into_iter().chain(types).find(promoted)
    }

    pub(super) fn term(&mut self, node: &Node<Expression>) -> Typed<Term> {
        if let Some(inner) = group(node) {
            return self.term(inner);
        }
        if let Some(inner) = old(node) {
            return self.old_term(node, inner);
        }
        let span = self.span(node);
        match &node.node {
            Expression::Constant(constant) => {
                let value = self.literal(constant)?;
                let value = match self.types.as_wide(value.ty) {
                    // It is less than 2 to the power of 64.
                    Some(_) => {
                        let word = self.unsigned(64);
                        self.convert(value, word)
                    }
                    None => value,
                };
                self.whole(value)
            }
            Expression::Cast(cast) => self.null(&cast.node, span),
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Indirection => {
                    let operand = self.object(node)?;
                    self.content(operand, span)
                }
                UnaryOperator::Plus => {
                    let number = self.integer_term(&unary.node.operand)?;
                    Ok(Term::Number(number))
                }
                UnaryOperator::Minus => {
                    let Number { value, low, high } = self.integer_term(&unary.node.operand)?;
                    let all = (low.min(-high), high.max(-low));
                    let Some(ty) = self.holder(all, [value.ty; 2]) else {
                        return Err(self.too_wide(span));
                    };
                    let value = self.convert(value, ty);
                    let value = self.unary(UnaryOp::Negate, value, span);
                    Ok(Term::Number(Number { value, low: -high, high: -low }))
                }
                _ => Err(self.refused(span, "a predicate as a term")),
            },
            Expression::BinaryOperator(binary) => {
                let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
                match operator.node {
                    BinaryOperator::Index => {
                        let operand = self.object(node)?;
                        self.content(operand, span)
                    }
                    BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply => {
                        let Some(op) = plain(operator.node) else {
                            return Err(self.refused(span, "this term"));
                        };
                        let left = self.address_or_term(lhs)?;
                        let right = self.address_or_term(rhs)?;
                        self.combined(op, left, right, span)
                    }
                    _ => Err(self.refused(span, "a predicate as a term")),
                }
            }
            Expression::Identifier(_) | Expression::Member(_) => {
                let operand = self.object(node)?;
                self.content(operand, span)
            }
            _ => Err(self.refused(span, "this term")),
        }
    }

    /// What a term was where the function began.
    fn old_term(&mut self, node: &Node<Expression>, inner: &Node<Expression>) -> Typed<Term> {
        if self.annotated.time == Time::Begin {
            return self.term(inner);
        }
        let span = self.span(node);
        match self.annotated.old.get(&span.start).cloned() {
            Some(Old { value, range: Some((low, high)) }) => {
                Ok(Term::Number(Number { value, low, high }))
            }
            Some(Old { value, range: None }) => Ok(Term::Pointer(value)),
            None => Err(self.refused(span, "'\\old' here")),
        }
    }

    /// `(void *)0`: other casts are refused before.
    fn null(&mut self, cast: &CastExpression, span: Span) -> Typed<Term> {
        let ty = self.type_name(&cast.type_name)?;
        let void = self.void();
        let zero = match &cast.expression.node {
            Expression::Constant(constant) => self.literal(constant)?,
            _ => return Err(self.refused(span, "a cast")),
        };
        if *self.types.get(ty) != Type::Pointer(void) || self.as_number(&zero) != Some(0) {
            return Err(self.refused(span, "a cast"));
        }
        Ok(Term::Pointer(self.constant(0, ty, span)))
    }

    /// The value of an integer expression.
    fn whole(&mut self, value: Expr) -> Typed<Term> {
        let (low, high) = match (self.as_number(&value), self.types.get(value.ty)) {
            (Some(number), Type::Int { .. }) => (number, number),
            (_, Type::Bool) => (0, 1),
            (_, Type::Int { bits, signed, .. }) => {
                let width = match &value.kind {
                    ExprKind::Load(place) => self.bit_width(place),
                    _ => None,
                };
                range(width.unwrap_or(*bits), *signed)
            }
            _ => {
                let what = format!("a value of type '{}'", self.types.name(value.ty));
                return Err(self.refused(value.span, &what));
            }
        };
        Ok(Term::Number(Number { value, low, high }))
    }

    pub(super) fn integer_term(&mut self, node: &Node<Expression>) -> Typed<Number> {
        let span = self.span(node);
        match self.term(node)? {
            Term::Number(number) => Ok(number),
            Term::Pointer(_) => Err(self.refused(span, "a pointer as a number")),
        }
    }

    /// A term, or the address of the first element of an array.
    pub(super) fn address_or_term(&mut self, node: &Node<Expression>) -> Typed<Term> {
        if let Some(inner) = group(node) {
            return self.address_or_term(inner);
        }
        let span = self.span(node);
        let is_object = match &node.node {
            Expression::Identifier(_) | Expression::Member(_) => true,
            Expression::UnaryOperator(unary) => {
                unary.node.operator.node == UnaryOperator::Indirection
            }
            Expression::BinaryOperator(binary) => {
                binary.node.operator.node == BinaryOperator::Index
            }
            _ => false,
        };
        if !is_object {
            return self.term(node);
        }
        match self.object(node)? {
            Operand::Place(place) if matches!(self.types.get(place.ty), Type::Array(..)) => {
                Ok(Term::Pointer(self.decay(Operand::Place(place), span)?))
            }
            operand => self.content(operand, span),
        }
    }

    fn combined(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Typed<Term> {
        match (left, right) {
            (Term::Number(l), Term::Number(r)) => {
                let results = match op {
                    BinaryOp::Add => vec![Some(l.low + r.low), Some(l.high + r.high)],
                    BinaryOp::Subtract => vec![Some(l.low - r.high), Some(l.high - r.low)],
                    _ => [(l.low, r.low), (l.low, r.high), (l.high, r.low), (l.high, r.high)]
                        .map(|(a, b)| a.checked_mul(b))
                        .to_vec(),
                };
                let Some(results) = results.into_iter().collect::<Option<Vec<i128>>>() else {
                    return Err(self.too_wide(span));
                };
                let low = results.iter().copied().min().unwrap_or(0);
                let high = results.iter().copied().max().unwrap_or(0);
                let all = (low.min(l.low).min(r.low), high.max(l.high).max(r.high));
                let Some(ty) = self.holder(all, [l.value.ty, r.value.ty]) else {
                    return Err(self.too_wide(span));
                };
                let (l, r) = (self.convert(l.value, ty), self.convert(r.value, ty));
                let value = self.combine(op, l, r, span);
                Ok(Term::Number(Number { value, low, high }))
            }
            (Term::Pointer(p), Term::Number(n)) if op != BinaryOp::Multiply => {
                self.moved(op, p, n, span)
            }
            (Term::Number(n), Term::Pointer(p)) if op == BinaryOp::Add => {
                self.moved(op, p, n, span)
            }
            _ => Err(self.refused(span, "this arithmetic on pointers")),
        }
    }

    /// `pointer + number` or `pointer - number`.
    pub(super) fn moved(
        &mut self,
        op: BinaryOp,
        pointer: Expr,
        number: Number,
        span: Span,
    ) -> Typed<Term> {
        let word = self.types.signed_word();
        let (least, most) = range(self.types.model.word(), true);
        if number.low <= least || number.high > most {
            return Err(self.too_wide(span));
        }
        let index = self.convert(number.value, word);
        Ok(Term::Pointer(self.arithmetic(op, pointer, index, span)?))
    }

    /// The meaning of a term that has a place, or names a constant.
    pub(super) fn object(&mut self, node: &Node<Expression>) -> Typed<Operand> {
        if let Some(inner) = group(node) {
            return self.object(inner);
        }
        let span = self.span(node);
        match &node.node {
            Expression::Identifier(name) => self.identifier(name),
            Expression::Member(member) => {
                let MemberExpression { operator, expression, identifier } = &member.node;
                let inner = if operator.node == MemberOperator::Indirect {
                    self.target(expression)?
                } else {
                    self.object(expression)?
                };
                let at = self.span(identifier);
                match inner {
                    Operand::Place(place) => {
                        self.select(place, &identifier.node.name, at, span).map(Operand::Place)
                    }
                    _ => Err(self.refused(span, "a member of this")),
                }
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                self.target(&unary.node.operand)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let base = self.address_or_term(&binary.node.lhs)?;
                let index = self.integer_term(&binary.node.rhs)?;
                match self.combined(BinaryOp::Add, base, Term::Number(index), span)? {
                    Term::Pointer(pointer) => self.deref(pointer, span),
                    Term::Number(_) => Err(self.refused(span, "an element of a number")),
                }
            }
            _ => Err(self.refused(span, "this term")),
        }
    }

    /// The target of a pointer.
    fn target(&mut self, node: &Node<Expression>) -> Typed<Operand> {
        let span = self.span(node);
        match self.address_or_term(node)? {
            Term::Pointer(pointer) => self.deref(pointer, span),
            Term::Number(_) => Err(self.refused(span, "a number as a pointer")),
        }
    }

    /// The value of an object.
    fn content(&mut self, operand: Operand, span: Span) -> Typed<Term> {
        let value = match operand {
            Operand::Place(place) => {
                let what = match (self.types.get(place.ty), &place.base) {
                    (Type::Array(..), _) => Some("an array as a whole"),
                    (Type::Record(_), _) => Some("a structure as a whole"),
                    (_, Base::Variable(id)) if self.variables[id.0 as usize].volatile => {
                        Some("a volatile variable")
                    }
                    _ => None,
                };
                if let Some(what) = what {
                    return Err(self.refused(span, what));
                }
                self.decay(Operand::Place(place), span)?
            }
            Operand::Value(value) => value,
            Operand::Function(_) => return Err(self.refused(span, "a function")),
            Operand::Nothing => return Err(self.refused(span, "a value of type 'void'")),
        };
        if self.types.is_pointer(value.ty) {
            return Ok(Term::Pointer(value));
        }
        self.whole(value)
    }
}

/// The least and the greatest number of so many bits.
pub(super) fn range(bits: u32, signed: bool) -> (i128, i128) {
    if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    }
}
