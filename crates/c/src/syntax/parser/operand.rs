//! Operands: names, literals, calls, members and what stands in parentheses.

use super::operator::{binary, unary};
use super::words::NewWord;
use super::{Parsed, Parser};
use crate::syntax::number;
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    BinaryOperator, CallExpression, CastExpression, CompoundLiteral, Constant, Declarator,
    DeclaratorKind, DerivedDeclarator, Expression, GenericAssociation, GenericSelection,
    Identifier, MemberExpression, MemberOperator, Node, OffsetMember, OffsetOfExpression,
    SpecifierQualifier, StringLiteral, TypeName, TypeSpecifier, TypesCompatible, UnaryOperator,
    VaArgExpression,
};
use hardbop_base::source::Span;

impl Parser<'_> {
    /// An operand with what follows it: calls, members, elements, `++` and `--`.
    pub(super) fn operand(&mut self) -> Parsed<Node<Expression>> {
        let first = self.primary()?;
        self.postfix(first)
    }

    /// Reads the operators behind an operand.
    fn postfix(&mut self, first: Node<Expression>) -> Parsed<Node<Expression>> {
        let mut operand = first;
        let start = operand.span.start;
        loop {
            let Kind::Sign(sign) = self.kind() else { return Ok(operand) };
            let here = self.token().span;
            operand = match sign {
                Sign::OpenSquare => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Sign::CloseSquare, "']' or an operator")?;
                    let operator = self.node(BinaryOperator::Index, here.start);
                    binary(operator, operand, index, self.span_from(start))
                }
                Sign::OpenRound => {
                    self.bump();
                    let arguments = self.arguments()?;
                    let call = CallExpression { callee: Box::new(operand), arguments };
                    let span = self.span_from(start);
                    Node::new(Expression::Call(Box::new(Node::new(call, span))), span)
                }
                Sign::Dot | Sign::Arrow => {
                    let operator = match sign {
                        Sign::Dot => MemberOperator::Direct,
                        _ => MemberOperator::Indirect,
                    };
                    self.bump();
                    let (identifier, _) = self.name()?;
                    let member = MemberExpression {
                        operator: Node::new(operator, here),
                        expression: Box::new(operand),
                        identifier,
                    };
                    let span = self.span_from(start);
                    Node::new(Expression::Member(Box::new(Node::new(member, span))), span)
                }
                Sign::Increment | Sign::Decrement => {
                    let operator = match sign {
                        Sign::Increment => UnaryOperator::PostIncrement,
                        _ => UnaryOperator::PostDecrement,
                    };
                    self.bump();
                    unary(Node::new(operator, here), operand, self.span_from(start))
                }
                _ => return Ok(operand),
            };
        }
    }

    /// The arguments behind an opening parenthesis, and the closing one.
    fn arguments(&mut self) -> Parsed<Vec<Node<Expression>>> {
        let mut arguments = Vec::new();
        if self.accept(Sign::CloseRound) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.accept(Sign::Comma) {
                self.expect(Sign::CloseRound, "',', ')' or an operator")?;
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Node<Expression>> {
        let token = self.token();
        let span = token.span;
        match token.kind {
            Kind::Name => self.named(),
            Kind::Number => {
                let constant = number::constant(self.text_of(token));
                self.bump();
                Ok(Node::new(Expression::Constant(Box::new(Node::new(constant, span))), span))
            }
            Kind::Character => {
                let constant = Constant::Character(self.text_of(token).to_owned());
                self.bump();
                Ok(Node::new(Expression::Constant(Box::new(Node::new(constant, span))), span))
            }
            Kind::Text => {
                let text = self.string()?;
                let span = text.span;
                Ok(Node::new(Expression::StringLiteral(Box::new(text)), span))
            }
            Kind::Sign(Sign::OpenRound) => {
                self.bump();
                if self.is(Sign::OpenBrace) {
                    let block = self.block()?;
                    self.expect(Sign::CloseRound, "')'")?;
                    return Ok(self.node(Expression::Statement(Box::new(block)), span.start));
                }
                let inner = self.expression()?;
                self.expect(Sign::CloseRound, "')' or an operator")?;
                Ok(self.node(inner.node, span.start))
            }
            Kind::Word(Word::Generic) => self.generic_selection(),
            Kind::Word(Word::OffsetOf) => self.offset_of(),
            Kind::Word(Word::VaArg) => {
                self.bump();
                self.expect(Sign::OpenRound, "'('")?;
                let list = self.assignment()?;
                self.expect(Sign::Comma, "',' or an operator")?;
                let type_name = self.type_name()?;
                self.expect(Sign::CloseRound, "')'")?;
                let argument = VaArgExpression { va_list: Box::new(list), type_name };
                let argument = self.node(argument, span.start);
                Ok(self.node(Expression::VaArg(Box::new(argument)), span.start))
            }
            Kind::Word(Word::TypesCompatible) => {
                self.bump();
                self.expect(Sign::OpenRound, "'('")?;
                let first = self.type_name()?;
                self.expect(Sign::Comma, "','")?;
                let second = self.type_name()?;
                self.expect(Sign::CloseRound, "')'")?;
                let types = self.node(TypesCompatible { first, second }, span.start);
                Ok(self.node(Expression::TypesCompatible(Box::new(types)), span.start))
            }
            _ => Err(self.wrong("an expression")),
        }
    }

    /// A name, or a word of C23 that is none.
    fn named(&mut self) -> Parsed<Node<Expression>> {
        let token = self.token();
        let span = token.span;
        match self.new_word(self.at) {
            Some(NewWord::OffsetOf) => return self.offset_of(),
            Some(word @ (NewWord::True | NewWord::False)) => {
                self.bump();
                let value = number::constant(if word == NewWord::True { "1" } else { "0" });
                return Ok(Node::new(Expression::Constant(Box::new(Node::new(value, span))), span));
            }
            Some(NewWord::NullPointer) => {
                self.bump();
                return Ok(null_pointer(span));
            }
            _ => {}
        }
        let name = Identifier { name: self.text_of(token).to_owned() };
        self.bump();
        Ok(Node::new(Expression::Identifier(Box::new(Node::new(name, span))), span))
    }

    /// String literals that stand side by side.
    pub(super) fn string(&mut self) -> Parsed<Node<StringLiteral>> {
        let start = self.start();
        let mut parts = Vec::new();
        while self.kind() == Kind::Text {
            parts.push(self.here().to_owned());
            self.bump();
        }
        if parts.is_empty() {
            return Err(self.wrong("a string in quotes"));
        }
        Ok(self.node(parts, start))
    }

    /// `&&label`
    pub(super) fn label_address(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        if self.ahead(1) != Kind::Name {
            return Err(self.wrong("an expression"));
        }
        self.bump();
        let name = self.label_name()?;
        Ok(self.node(Expression::LabelAddress(Box::new(name)), start))
    }

    /// The list of `(T){ .. }`, which begins at `start`, and what follows.
    pub(super) fn literal_operand(
        &mut self,
        type_name: Node<TypeName>,
        start: u32,
    ) -> Parsed<Node<Expression>> {
        let initializer_list = self.initialiser_list()?;
        let literal = self.node(CompoundLiteral { type_name, initializer_list }, start);
        let span = literal.span;
        self.postfix(Node::new(Expression::CompoundLiteral(Box::new(literal)), span))
    }

    fn generic_selection(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let expression = Box::new(self.assignment()?);
        let mut associations = Vec::new();
        while self.accept(Sign::Comma) {
            let start = self.start();
            let association = if self.accept_word(Word::Default) {
                self.expect(Sign::Colon, "':'")?;
                GenericAssociation::Default(Box::new(self.assignment()?))
            } else {
                let type_name = Box::new(self.type_name()?);
                self.expect(Sign::Colon, "':'")?;
                GenericAssociation::Type(type_name, Box::new(self.assignment()?))
            };
            associations.push(self.node(association, start));
        }
        if associations.is_empty() {
            return Err(self.wrong("','"));
        }
        self.expect(Sign::CloseRound, "',', ')' or an operator")?;
        let selection = self.node(GenericSelection { expression, associations }, start);
        Ok(self.node(Expression::GenericSelection(Box::new(selection)), start))
    }

    fn offset_of(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let type_name = self.type_name()?;
        self.expect(Sign::Comma, "','")?;
        let (base, _) = self.name()?;
        let mut members = Vec::new();
        loop {
            let start = self.start();
            let member = match self.kind() {
                Kind::Sign(Sign::Dot) => {
                    self.bump();
                    OffsetMember::Member(self.name()?.0)
                }
                Kind::Sign(Sign::Arrow) => {
                    self.bump();
                    OffsetMember::IndirectMember(self.name()?.0)
                }
                Kind::Sign(Sign::OpenSquare) => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Sign::CloseSquare, "']' or an operator")?;
                    OffsetMember::Index(index)
                }
                _ => break,
            };
            members.push(self.node(member, start));
        }
        self.expect(Sign::CloseRound, "')', '.' or '['")?;
        let offset = self.node(OffsetOfExpression { type_name, base, members }, start);
        Ok(self.node(Expression::OffsetOf(Box::new(offset)), start))
    }
}

/// `((void *)0)`
fn null_pointer(span: Span) -> Node<Expression> {
    let zero = Node::new(number::constant("0"), span);
    let void = TypeSpecifier::Void;
    let declarator = Declarator {
        kind: Node::new(DeclaratorKind::Abstract, span),
        derived: vec![Node::new(DerivedDeclarator::Pointer(Vec::new()), span)],
        extensions: Vec::new(),
    };
    let type_name = TypeName {
        specifiers: vec![Node::new(SpecifierQualifier::TypeSpecifier(Node::new(void, span)), span)],
        declarator: Some(Node::new(declarator, span)),
    };
    let cast = CastExpression {
        type_name: Node::new(type_name, span),
        expression: Box::new(Node::new(Expression::Constant(Box::new(zero)), span)),
    };
    Node::new(Expression::Cast(Box::new(Node::new(cast, span))), span)
}
