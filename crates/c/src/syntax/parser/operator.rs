//! Expressions: operators in front of their operands and between them.
//!
//! Operators in front, casts and assignments may follow each other as often as one likes, so they are read in loops.

use super::words::NewWord;
use super::{Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, CastExpression, ConditionalExpression, Expression,
    Node, TypeName, UnaryOperator, UnaryOperatorExpression,
};
use hardbop_base::source::Span;

/// An operator, or a cast, in front of an operand.
enum Prefix {
    Unary(Node<UnaryOperator>),
    Cast(Node<TypeName>),
    SizeOf,
    Extension,
}

/// The operator that a sign or a word is in front of an operand.
fn prefix(kind: Kind) -> Option<UnaryOperator> {
    let sign = match kind {
        Kind::Sign(sign) => sign,
        Kind::Word(Word::RealPart) => return Some(UnaryOperator::RealPart),
        Kind::Word(Word::ImaginaryPart) => return Some(UnaryOperator::ImaginaryPart),
        _ => return None,
    };
    Some(match sign {
        Sign::Increment => UnaryOperator::PreIncrement,
        Sign::Decrement => UnaryOperator::PreDecrement,
        Sign::And => UnaryOperator::Address,
        Sign::Star => UnaryOperator::Indirection,
        Sign::Plus => UnaryOperator::Plus,
        Sign::Minus => UnaryOperator::Minus,
        Sign::Tilde => UnaryOperator::Complement,
        Sign::Not => UnaryOperator::Negate,
        _ => return None,
    })
}

/// The operator that a sign is between operands, and how tightly it binds.
fn infix(kind: Kind) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator as B;
    let Kind::Sign(sign) = kind else { return None };
    Some(match sign {
        Sign::OrOr => (B::LogicalOr, 1),
        Sign::AndAnd => (B::LogicalAnd, 2),
        Sign::Or => (B::BitwiseOr, 3),
        Sign::Caret => (B::BitwiseXor, 4),
        Sign::And => (B::BitwiseAnd, 5),
        Sign::Equal => (B::Equals, 6),
        Sign::NotEqual => (B::NotEquals, 6),
        Sign::Less => (B::Less, 7),
        Sign::Greater => (B::Greater, 7),
        Sign::LessEqual => (B::LessOrEqual, 7),
        Sign::GreaterEqual => (B::GreaterOrEqual, 7),
        Sign::ShiftLeft => (B::ShiftLeft, 8),
        Sign::ShiftRight => (B::ShiftRight, 8),
        Sign::Plus => (B::Plus, 9),
        Sign::Minus => (B::Minus, 9),
        Sign::Star => (B::Multiply, 10),
        Sign::Slash => (B::Divide, 10),
        Sign::Percent => (B::Modulo, 10),
        _ => return None,
    })
}

/// The assignment that a sign is.
fn assignment(kind: Kind) -> Option<BinaryOperator> {
    use BinaryOperator as B;
    let Kind::Sign(sign) = kind else { return None };
    Some(match sign {
        Sign::Assign => B::Assign,
        Sign::AssignMultiply => B::AssignMultiply,
        Sign::AssignDivide => B::AssignDivide,
        Sign::AssignModulo => B::AssignModulo,
        Sign::AssignPlus => B::AssignPlus,
        Sign::AssignMinus => B::AssignMinus,
        Sign::AssignShiftLeft => B::AssignShiftLeft,
        Sign::AssignShiftRight => B::AssignShiftRight,
        Sign::AssignAnd => B::AssignBitwiseAnd,
        Sign::AssignXor => B::AssignBitwiseXor,
        Sign::AssignOr => B::AssignBitwiseOr,
        _ => return None,
    })
}

pub(super) fn binary(
    operator: Node<BinaryOperator>,
    lhs: Node<Expression>,
    rhs: Node<Expression>,
    span: Span,
) -> Node<Expression> {
    let expression = BinaryOperatorExpression { operator, lhs: Box::new(lhs), rhs: Box::new(rhs) };
    Node::new(Expression::BinaryOperator(Box::new(Node::new(expression, span))), span)
}

pub(super) fn unary(
    operator: Node<UnaryOperator>,
    operand: Node<Expression>,
    span: Span,
) -> Node<Expression> {
    let expression = UnaryOperatorExpression { operator, operand: Box::new(operand) };
    Node::new(Expression::UnaryOperator(Box::new(Node::new(expression, span))), span)
}

impl Parser<'_> {
    /// An expression, perhaps with commas.
    pub(super) fn expression(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        let first = self.assignment()?;
        if !self.is(Sign::Comma) {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept(Sign::Comma) {
            all.push(self.assignment()?);
        }
        Ok(self.node(Expression::Comma(all), start))
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parsed<Node<Expression>> {
        let first = self.cast()?;
        let Some(operator) = assignment(self.kind()) else { return self.conditional_from(first) };
        let mut open = vec![(first, Node::new(operator, self.token().span))];
        self.bump();
        let mut value = loop {
            let next = self.cast()?;
            let Some(operator) = assignment(self.kind()) else {
                break self.conditional_from(next)?;
            };
            open.push((next, Node::new(operator, self.token().span)));
            self.bump();
        };
        while let Some((lhs, operator)) = open.pop() {
            let span = Span { start: lhs.span.start, end: value.span.end };
            value = binary(operator, lhs, value, span);
        }
        Ok(value)
    }

    /// An expression without assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Node<Expression>> {
        let first = self.cast()?;
        self.conditional_from(first)
    }

    /// The expression without assignments that begins with an operand.
    fn conditional_from(&mut self, first: Node<Expression>) -> Parsed<Node<Expression>> {
        let condition = match infix(self.kind()) {
            Some(_) => self.binary_from(first, 0)?,
            None => first,
        };
        if !self.accept(Sign::Question) {
            return Ok(condition);
        }
        let then_expression = match self.is(Sign::Colon) {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect(Sign::Colon, "':' or an operator")?;
        let otherwise = self.conditional()?;
        let span = Span { start: condition.span.start, end: otherwise.span.end };
        let conditional = ConditionalExpression {
            condition: Box::new(condition),
            then_expression,
            else_expression: Box::new(otherwise),
        };
        Ok(Node::new(Expression::Conditional(Box::new(Node::new(conditional, span))), span))
    }

    /// Operators between operands that bind at least so tightly.
    fn binary_from(&mut self, first: Node<Expression>, least: u8) -> Parsed<Node<Expression>> {
        let mut lhs = first;
        while let Some((operator, level)) = infix(self.kind()).filter(|found| found.1 >= least) {
            let operator = Node::new(operator, self.token().span);
            self.bump();
            let mut rhs = self.cast()?;
            if infix(self.kind()).is_some_and(|next| next.1 > level) {
                rhs = self.binary_from(rhs, level + 1)?;
            }
            let span = Span { start: lhs.span.start, end: rhs.span.end };
            lhs = binary(operator, lhs, rhs, span);
        }
        Ok(lhs)
    }

    /// An operand with the operators and casts in front of it.
    pub(super) fn cast(&mut self) -> Parsed<Node<Expression>> {
        let mut open: Vec<(u32, Prefix)> = Vec::new();
        let mut operand = loop {
            let start = self.start();
            match self.kind() {
                Kind::Sign(Sign::OpenRound) => {
                    if !self.begins_type(self.at + 1) {
                        break self.operand()?;
                    }
                    let name = self.type_in_parentheses()?;
                    if self.is(Sign::OpenBrace) {
                        break self.literal_operand(name, start)?;
                    }
                    open.push((start, Prefix::Cast(name)));
                }
                Kind::Sign(Sign::AndAnd) => break self.label_address()?,
                kind @ (Kind::Sign(_) | Kind::Word(Word::RealPart | Word::ImaginaryPart)) => {
                    match prefix(kind) {
                        Some(operator) => {
                            let operator = Node::new(operator, self.token().span);
                            self.bump();
                            open.push((start, Prefix::Unary(operator)));
                        }
                        None => break self.operand()?,
                    }
                }
                Kind::Word(Word::Extension) => {
                    self.bump();
                    open.push((start, Prefix::Extension));
                }
                Kind::Word(Word::SizeOf) => {
                    self.bump();
                    if !(self.is(Sign::OpenRound) && self.begins_type(self.at + 1)) {
                        open.push((start, Prefix::SizeOf));
                        continue;
                    }
                    let inner = self.start();
                    let name = self.type_in_parentheses()?;
                    if self.is(Sign::OpenBrace) {
                        open.push((start, Prefix::SizeOf));
                        break self.literal_operand(name, inner)?;
                    }
                    break self.node(Expression::SizeOfTy(Box::new(name)), start);
                }
                Kind::Word(Word::AlignOf | Word::NaturalAlignOf) => break self.align_of()?,
                Kind::Name if self.new_word(self.at) == Some(NewWord::AlignOf) => {
                    break self.align_of()?;
                }
                _ => break self.operand()?,
            }
        };
        while let Some((start, prefix)) = open.pop() {
            let span = Span { start, end: operand.span.end };
            operand = match prefix {
                Prefix::Unary(operator) => unary(operator, operand, span),
                Prefix::Cast(type_name) => {
                    let cast = CastExpression { type_name, expression: Box::new(operand) };
                    Node::new(Expression::Cast(Box::new(Node::new(cast, span))), span)
                }
                Prefix::SizeOf => Node::new(Expression::SizeOfVal(Box::new(operand)), span),
                Prefix::Extension => Node::new(operand.node, span),
            };
        }
        Ok(operand)
    }

    /// `(T)`
    pub(super) fn type_in_parentheses(&mut self) -> Parsed<Node<TypeName>> {
        self.expect(Sign::OpenRound, "'('")?;
        let name = self.type_name()?;
        self.expect(Sign::CloseRound, "')'")?;
        Ok(name)
    }
}
