//! Declarators: names with the pointers, arrays and functions around them.

use super::{Parsed, Parser};
use crate::syntax::attributes::Refusal;
use crate::syntax::known::plain;
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Extension, FunctionDeclarator, Node,
    ParameterDeclaration,
};
use hardbop_base::source::Span;

/// Whether a declarator has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Required,
    /// Of a parameter.
    Possible,
    /// Of a type name.
    Absent,
}

/// The plain name of an attribute.
fn name_of(extension: &Node<Extension>) -> Option<&str> {
    match &extension.node {
        Extension::Attribute(attribute) => Some(plain(&attribute.name.node)),
        Extension::AsmLabel(_) => None,
    }
}

/// A declarator with the name that it has.
type Named<'t> = (Node<Declarator>, Option<&'t str>);

impl<'t> Parser<'t> {
    /// The declarator of a type name, if there is more than its words.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Option<Node<Declarator>>> {
        match self.kind() {
            Kind::Sign(Sign::Star | Sign::OpenRound | Sign::OpenSquare) => {
                self.declarator(Naming::Absent).map(|(declarator, _)| Some(declarator))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Named<'t>> {
        let start = self.start();
        let mut extensions = self.attributes()?;
        let mut derived = Vec::new();
        while self.is(Sign::Star) {
            derived.push(self.pointer(naming, &mut extensions)?);
        }
        let before = self.start();
        let mut name = None;
        let kind = match self.kind() {
            Kind::Name if naming != Naming::Absent => {
                let (identifier, text) = self.name()?;
                name = Some(text);
                DeclaratorKind::Identifier(identifier)
            }
            Kind::Sign(Sign::OpenRound) if self.is_nested(naming) => {
                self.bump();
                let at = self.token().span;
                let (mut inner, text) = self.declarator(naming)?;
                name = text;
                self.expect(Sign::CloseRound, "')'")?;
                let is_within = inner.node.derived.is_empty();
                self.hand_out(&mut inner.node.extensions, &mut extensions, is_within, at);
                DeclaratorKind::Declarator(Box::new(inner))
            }
            _ if naming == Naming::Required => return Err(self.wrong_name()),
            _ => DeclaratorKind::Abstract,
        };
        let kind = match kind {
            DeclaratorKind::Abstract => Node::new(kind, Span { start: before, end: before }),
            kind => self.node(kind, before),
        };
        loop {
            match self.kind() {
                Kind::Sign(Sign::OpenSquare) => derived.push(self.array()?),
                Kind::Sign(Sign::OpenRound) => derived.push(self.function(name.is_some())?),
                // `f [[noreturn]] (void)`
                Kind::Word(Word::Attribute) => {
                    let behind = self.token_at(self.behind_attributes().0).kind;
                    let is_within = behind == Kind::Sign(Sign::OpenRound)
                        || behind == Kind::Sign(Sign::OpenSquare);
                    if !is_within {
                        break;
                    }
                    extensions.append(&mut self.attributes()?);
                }
                _ => break,
            }
        }
        Ok((self.node(Declarator { kind, derived, extensions }, start), name))
    }

    /// Whether the parenthesis here is around a declarator, and not around parameters.
    fn is_nested(&self, naming: Naming) -> bool {
        if naming == Naming::Required {
            return true;
        }
        match self.ahead(1) {
            Kind::Sign(Sign::CloseRound | Sign::Ellipsis) => false,
            Kind::Word(Word::Attribute) => true,
            _ => !self.begins_declaration(self.at + 1),
        }
    }

    /// `* const`.  What attributes behind it say of the whole declaration joins its `extensions`.
    fn pointer(
        &mut self,
        naming: Naming,
        extensions: &mut Vec<Node<Extension>>,
    ) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.start();
        self.bump();
        let mut qualifiers = Vec::new();
        let mut behind: Vec<Node<Extension>> = Vec::new();
        let at = self.token().span;
        loop {
            if let Some(qualifier) = self.qualifier() {
                qualifiers.push(qualifier);
            } else if self.is_word(Word::Attribute) {
                let mut list: Vec<Node<Extension>> = Vec::new();
                self.attribute_list(&mut list)?;
                // What is said of the function in `void *__attribute__((noreturn)) f(void)` belongs in front of the `*`.
                match Self::are_promises(&list) {
                    true => self.promises.append(&mut list),
                    false => behind.append(&mut list),
                }
            } else {
                break;
            }
        }
        let pointer = self.node(DerivedDeclarator::Pointer(qualifiers), start);
        // gcc takes no pointer for packed.
        behind.retain(|extension| name_of(extension) != Some("packed"));
        let has_mode = behind.iter().any(|e| matches!(name_of(e), Some("mode" | "vector_size")));
        let is_last = !self.is(Sign::Star) && naming != Naming::Absent && !has_mode;
        self.hand_out(&mut behind, extensions, is_last, at);
        Ok(pointer)
    }

    /// Hands attributes from within a declarator out to the declaration.  Those that change types are refused unless they
    /// are about the type of what is declared.
    fn hand_out(
        &mut self,
        from: &mut Vec<Node<Extension>>,
        to: &mut Vec<Node<Extension>>,
        is_of_declared: bool,
        span: Span,
    ) {
        let changes = |e: &Node<Extension>| {
            matches!(name_of(e), Some("aligned" | "mode" | "packed" | "vector_size"))
        };
        if !is_of_declared && from.iter().any(changes) {
            let hint = "write it behind the name, or with a 'typedef'";
            let what = "an attribute within a declarator that changes a type";
            self.refusals.push(Refusal { span, what, hint });
        }
        to.append(from);
    }

    /// `[ .. ]`
    fn array(&mut self) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.start();
        self.bump();
        while self.accept_word(Word::Static) || self.qualifier().is_some() {}
        let size = if self.is(Sign::CloseSquare) {
            ArraySize::Unknown
        } else if self.is(Sign::Star) && self.ahead(1) == Kind::Sign(Sign::CloseSquare) {
            self.bump();
            ArraySize::Variable
        } else {
            ArraySize::Expression(Box::new(self.assignment()?))
        };
        self.expect(Sign::CloseSquare, "']' or an operator")?;
        Ok(self.node(DerivedDeclarator::Array(size), start))
    }

    /// The parameters of a function that has a name, or of a type.
    fn function(&mut self, is_named: bool) -> Parsed<Node<DerivedDeclarator>> {
        let start = self.start();
        self.bump();
        if self.accept(Sign::CloseRound) {
            self.keep_parameters(Vec::new());
            let function = DerivedDeclarator::KRFunction(Vec::new());
            return Ok(self.node(function, start));
        }
        let is_list = matches!(self.ahead(1), Kind::Sign(Sign::Comma | Sign::CloseRound));
        if is_named && is_list && self.kind() == Kind::Name && !self.begins_type(self.at) {
            let (mut names, mut texts) = (Vec::new(), Vec::new());
            loop {
                let (name, text) = self.name()?;
                names.push(name);
                texts.push(text);
                if !self.accept(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::CloseRound, "',' or ')'")?;
            self.keep_parameters(texts);
            return Ok(self.node(DerivedDeclarator::KRFunction(names), start));
        }
        self.names.enter();
        self.prototypes += 1;
        let list = self.parameter_list();
        self.prototypes -= 1;
        self.names.leave();
        let (function, texts) = list?;
        self.expect(Sign::CloseRound, "',' or ')'")?;
        self.keep_parameters(texts);
        Ok(self.node(DerivedDeclarator::Function(function), start))
    }

    /// Keeps the names of the parameters nearest to the name that is declared.
    fn keep_parameters(&mut self, names: Vec<&'t str>) {
        if self.prototypes == 0 && self.parameters.is_none() {
            self.parameters = Some(names);
        }
    }

    fn parameter_list(&mut self) -> Parsed<(FunctionDeclarator, Vec<&'t str>)> {
        let (mut parameters, mut texts) = (Vec::new(), Vec::new());
        loop {
            if self.accept(Sign::Ellipsis) {
                return Ok((FunctionDeclarator { parameters, is_variadic: true }, texts));
            }
            let start = self.start();
            let before = self.at;
            let specifiers = self.specifiers()?;
            if !specifiers.has_type && !self.is_implicit_parameter(before) {
                return Err(self.not_a_type());
            }
            let mut declarator = None;
            let begins = matches!(
                self.kind(),
                Kind::Name
                    | Kind::Word(Word::Attribute)
                    | Kind::Sign(Sign::Star | Sign::OpenRound | Sign::OpenSquare)
            );
            if begins {
                let (found, name) = self.declarator(Naming::Possible)?;
                if let Some(name) = name {
                    self.names.declare(name, false);
                    texts.push(name);
                }
                declarator = Some(found);
            }
            let mut behind = self.attributes()?;
            if let Some(declarator) = &mut declarator {
                declarator.node.extensions.append(&mut behind);
            }
            let parameter = ParameterDeclaration { specifiers: specifiers.list, declarator };
            parameters.push(self.node(parameter, start));
            if !self.accept(Sign::Comma) {
                return Ok((FunctionDeclarator { parameters, is_variadic: false }, texts));
            }
        }
    }

    /// Whether a parameter has a storage class or a qualifier, from token `from` on, and then a name or a `*`: an `int`.
    fn is_implicit_parameter(&self, from: usize) -> bool {
        let is_name = self.kind() == Kind::Name
            && matches!(self.ahead(1), Kind::Sign(Sign::Comma | Sign::CloseRound));
        self.at > from && (is_name || self.is(Sign::Star))
    }
}
