//! Attributes and alignments, of declarations and of what `_Alignof` asks for.

use super::{Parsed, Parser};
use crate::syntax::attributes::{Refusal, is_promise};
use crate::syntax::known::{Noted, Treatment, plain, stays};
use crate::syntax::token::{Kind, Sign, Token, Word};
use crate::syntax::tree::{AlignOf, Attribute, Expression, Extension, Node, StringLiteral, TypeOf};
use rustc_hash::FxHashSet;

impl<'t> Parser<'t> {
    /// All `__attribute__((..))` that stand here.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Node<Extension>>> {
        let mut all = Vec::new();
        while self.is_word(Word::Attribute) {
            self.attribute_list(&mut all)?;
        }
        Ok(all)
    }

    /// `__attribute__((a, b(c)))`
    pub(super) fn attribute_list(&mut self, all: &mut Vec<Node<Extension>>) -> Parsed<()> {
        self.bump();
        self.expect(Sign::OpenRound, "'(('")?;
        self.expect(Sign::OpenRound, "'(('")?;
        loop {
            let token = self.token();
            if matches!(token.kind, Kind::Name | Kind::Word(_)) {
                let text = self.text_of(token);
                self.bump();
                let name = Node::new(text.to_owned(), token.span);
                let arguments = match self.is(Sign::OpenRound) {
                    true => self.attribute_arguments(stays(plain(text)))?,
                    false => Vec::new(),
                };
                let attribute = Extension::Attribute(Attribute { name, arguments });
                all.push(self.node(attribute, token.span.start));
            }
            if !self.accept(Sign::Comma) {
                break;
            }
        }
        self.expect(Sign::CloseRound, "'))' or ','")?;
        self.expect(Sign::CloseRound, "'))'")
    }

    /// The arguments of an attribute, which only some are asked for.
    fn attribute_arguments(&mut self, are_read: bool) -> Parsed<Vec<Node<Expression>>> {
        if !are_read {
            match self.closing(self.at) {
                Some(end) => self.at = end,
                None => return Err(self.wrong("')'")),
            }
            return Ok(Vec::new());
        }
        self.bump();
        let mut arguments = Vec::new();
        while !self.is(Sign::CloseRound) {
            arguments.push(self.assignment()?);
            if !self.accept(Sign::Comma) {
                break;
            }
        }
        self.expect(Sign::CloseRound, "',', ')' or an operator")?;
        Ok(arguments)
    }

    /// The name for the assembler and the attributes behind a declarator.
    pub(super) fn behind_declarator(&mut self) -> Parsed<Vec<Node<Extension>>> {
        let mut all = Vec::new();
        loop {
            let start = self.start();
            if self.accept_word(Word::Asm) {
                self.expect(Sign::OpenRound, "'('")?;
                let label: Node<StringLiteral> = self.string()?;
                self.expect(Sign::CloseRound, "')'")?;
                all.push(self.node(Extension::AsmLabel(label), start));
            } else if self.is_word(Word::Attribute) {
                self.attribute_list(&mut all)?;
            } else {
                return Ok(all);
            }
        }
    }

    /// The index of the token behind the attributes that are next, and whether `packed` is among these.
    pub(super) fn behind_attributes(&self) -> (usize, bool) {
        let (mut at, mut packed) = (self.at, false);
        while self.token_at(at).kind == Kind::Word(Word::Attribute) {
            let Some(end) = self.closing(at + 1) else { break };
            packed |= (at..end).any(|i| {
                let token = self.token_at(i);
                token.kind == Kind::Name && plain(self.text_of(token)) == "packed"
            });
            at = end;
        }
        (at, packed)
    }

    /// Refuses attributes of an enumeration that change its size or its alignment.
    pub(super) fn note_attributes_of_enum(&mut self, attributes: &[Node<Extension>]) {
        for attribute in attributes {
            if let Extension::Attribute(attribute) = &attribute.node
                && let name @ ("packed" | "mode" | "aligned" | "vector_size") =
                    plain(&attribute.name.node)
            {
                let at = attribute.name.span.start as usize;
                let name = format!("{name}' on an 'enum");
                self.noted.push(Noted { at, name, treatment: Treatment::Refused });
            }
        }
    }

    /// `_Alignas(..)`, which is the attribute `aligned`; nothing for 0.
    pub(super) fn align_as(&mut self) -> Parsed<Vec<Node<Extension>>> {
        let start = self.start();
        let name = self.node_here("aligned".to_owned());
        self.bump();
        let inner = self.at + 1;
        self.expect(Sign::OpenRound, "'('")?;
        let argument = if self.begins_type(inner) {
            let start = self.start();
            let type_name = self.type_name()?;
            let align = AlignOf { is_natural: false, of: TypeOf::Type(Box::new(type_name)) };
            let align = self.node(align, start);
            self.node(Expression::AlignOf(Box::new(align)), start)
        } else {
            self.conditional()?
        };
        let is_zero = self.at == inner + 1 && self.text_of(self.token_at(inner)) == "0";
        self.expect(Sign::CloseRound, "')' or an operator")?;
        if is_zero {
            return Ok(Vec::new());
        }
        let attribute = Extension::Attribute(Attribute { name, arguments: vec![argument] });
        Ok(vec![self.node(attribute, start)])
    }

    /// Whether attributes only say what calls do.
    pub(super) fn are_promises(attributes: &[Node<Extension>]) -> bool {
        attributes.iter().all(|extension| match &extension.node {
            Extension::Attribute(attribute) => {
                let name = plain(&attribute.name.node);
                !stays(name) || is_promise(name)
            }
            Extension::AsmLabel(_) => false,
        })
    }

    /// `_Alignof (T)`, and of an expression, which is that of its type unless a declaration says otherwise or it is a member.
    pub(super) fn align_of(&mut self) -> Parsed<Node<Expression>> {
        let start = self.start();
        let word = self.token();
        self.bump();
        let mut is_natural = word.kind == Kind::Word(Word::NaturalAlignOf);
        let of = if self.is(Sign::OpenRound) && self.begins_type(self.at + 1) {
            TypeOf::Type(Box::new(self.type_in_parentheses()?))
        } else {
            is_natural = true;
            let from = self.at;
            let operand = self.cast()?;
            if !(from..self.at).all(|i| self.has_alignment_of_type(i)) {
                self.refusals.push(Refusal {
                    span: word.span,
                    what: "the alignment of this expression",
                    hint: "write the type instead",
                });
            }
            TypeOf::Expression(Box::new(operand))
        };
        let align = self.node(AlignOf { is_natural, of }, start);
        Ok(self.node(Expression::AlignOf(Box::new(align)), start))
    }

    /// Whether a token is neither a step to a member nor a name that a declaration gives an alignment.
    fn has_alignment_of_type(&mut self, i: usize) -> bool {
        let token = self.token_at(i);
        match token.kind {
            Kind::Sign(Sign::Dot | Sign::Arrow) => false,
            Kind::Name => !self.is_aligned(self.text_of(token)),
            _ => true,
        }
    }

    /// Whether the name stands in a declaration that has an alignment.
    fn is_aligned(&mut self, name: &str) -> bool {
        if self.aligned.is_none() {
            self.aligned = Some(self.aligned_names());
        }
        self.aligned.as_ref().is_some_and(|names| names.contains(name))
    }

    /// The names in all declarations that have an alignment.
    fn aligned_names(&self) -> FxHashSet<&'t str> {
        let stops = |token: &Token| {
            let signs = [Sign::Semicolon, Sign::OpenBrace, Sign::CloseBrace];
            signs.iter().any(|sign| token.kind == Kind::Sign(*sign))
        };
        let aligns = |token: &Token| {
            token.kind == Kind::Word(Word::AlignAs)
                || token.kind == Kind::Name
                    && matches!(plain(self.text_of(*token)), "aligned" | "alignas")
        };
        let declarations = self.tokens.split(stops).filter(|tokens| tokens.iter().any(aligns));
        declarations.flatten().map(|token| self.text_of(*token)).collect()
    }

    /// A node in the place of the current token.
    fn node_here<T>(&self, node: T) -> Node<T> {
        Node::new(node, self.token().span)
    }
}
