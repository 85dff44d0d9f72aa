//! Declarations in files and blocks.

use super::declarator::Naming;
use super::specifier::Specifiers;
use super::{Parsed, Parser};
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    Declaration, DeclarationSpecifier, DerivedDeclarator, InitDeclarator, Node, StaticAssert,
};

/// The end of the last declarator of a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// There is no declarator.
    Nothing,
    Value,
    Function,
    Object,
}

impl Behind {
    /// The signs that may follow.
    fn wanted(self) -> &'static str {
        match self {
            Self::Nothing => "';'",
            Self::Value => "';', ',' or an operator",
            Self::Function => "';', ',' or '='",
            Self::Object => "';', ',', '=', '[' or '('",
        }
    }
}

impl Parser<'_> {
    /// A declaration within a function.
    pub(super) fn local_declaration(&mut self) -> Parsed<Node<Declaration>> {
        let start = self.start();
        while self.accept_word(Word::Extension) {}
        let specifiers = self.specifiers()?;
        if !specifiers.has_type && !self.is_implicit_int(&specifiers) {
            return Err(self.not_a_type());
        }
        let declaration = self.declarators(specifiers, Vec::new())?;
        Ok(self.node(declaration, start))
    }

    /// The declarators behind those that have been read, up to the semicolon.
    pub(super) fn declarators(
        &mut self,
        mut specifiers: Specifiers,
        mut declarators: Vec<Node<InitDeclarator>>,
    ) -> Parsed<Declaration> {
        let behind = loop {
            if declarators.is_empty() {
                if self.is(Sign::Semicolon) {
                    break Behind::Nothing;
                }
            } else if !self.accept(Sign::Comma) {
                break match declarators.last() {
                    Some(last) if last.node.initializer.is_some() => Behind::Value,
                    Some(last) if last.node.declarator.node.derived.iter().any(is_function) => {
                        Behind::Function
                    }
                    _ => Behind::Object,
                };
            }
            declarators.push(self.init_declarator(specifiers.is_typedef)?);
        };
        if self.is(Sign::OpenBrace) && behind == Behind::Function {
            return Err(self.nested_function());
        }
        let promises = std::mem::take(&mut self.promises);
        if !promises.is_empty() {
            let start = self.start();
            specifiers.list.push(self.node(DeclarationSpecifier::Extension(promises), start));
        }
        self.expect_semicolon(behind.wanted())?;
        Ok(Declaration { specifiers: specifiers.list, declarators })
    }

    /// A name that is declared, with its initial value.
    pub(super) fn init_declarator(&mut self, is_typedef: bool) -> Parsed<Node<InitDeclarator>> {
        let start = self.start();
        let (mut declarator, name) = self.declarator(Naming::Required)?;
        declarator.node.extensions.append(&mut self.behind_declarator()?);
        if let Some(name) = name {
            self.names.declare(name, is_typedef);
        }
        let equals = self.start();
        let initializer = match self.accept(Sign::Assign) {
            true => {
                let value = self.initialiser()?;
                Some(self.node(value.node, equals))
            }
            false => None,
        };
        Ok(self.node(InitDeclarator { declarator, initializer }, start))
    }

    /// Whether a name stands here that is declared without a type, as an `int`.
    pub(super) fn is_implicit_int(&self, specifiers: &Specifiers) -> bool {
        // `static *p;`
        if self.is(Sign::Star) {
            return !specifiers.list.is_empty();
        }
        if self.kind() != Kind::Name {
            return false;
        }
        match self.ahead(1) {
            Kind::Sign(Sign::Semicolon | Sign::Assign | Sign::Comma | Sign::OpenSquare) => true,
            Kind::Sign(Sign::OpenRound) => {
                // In `T (*f)(int)`, another parenthesis follows.
                let end = self.closing(self.at + 1);
                self.ahead(2) != Kind::Sign(Sign::Star)
                    && end.is_some_and(|end| {
                        let next = self.token_at(end).kind;
                        next != Kind::Sign(Sign::OpenRound) && next != Kind::Sign(Sign::OpenSquare)
                    })
            }
            _ => false,
        }
    }

    /// `_Static_assert(e, "..");`
    pub(super) fn static_assert(&mut self) -> Parsed<Node<StaticAssert>> {
        let start = self.start();
        while self.accept_word(Word::Extension) {}
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let expression = Box::new(self.conditional()?);
        if self.accept(Sign::Comma) {
            self.string()?;
        }
        self.expect(Sign::CloseRound, "',', ')' or an operator")?;
        self.expect_semicolon("';'")?;
        Ok(self.node(StaticAssert { expression }, start))
    }
}

/// Whether a step makes a function of what is in front of it.
pub(super) fn is_function(step: &Node<DerivedDeclarator>) -> bool {
    matches!(step.node, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
}
