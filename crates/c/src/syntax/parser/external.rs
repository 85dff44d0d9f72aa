//! The declarations and definitions of a file.

use super::declaration::is_function;
use super::specifier::Specifiers;
use super::{Failed, Parsed, Parser};
use crate::syntax::attributes::Refusal;
use crate::syntax::token::{Kind, Sign, Word};
use crate::syntax::tree::{
    Declaration, DeclarationSpecifier, DeclaratorKind, DerivedDeclarator, ExternalDeclaration,
    FunctionDefinition, InitDeclarator, Node, Statement, TranslationUnit,
};

/// Types that need no declaration.
const TYPES: [&str; 4] = ["__builtin_va_list", "__int128_t", "__uint128_t", "__float128"];

/// The declarations of parameters behind the head of a function, and its body.
type Behind = (Vec<Node<Declaration>>, Node<Statement>);

impl Parser<'_> {
    /// The whole file.
    pub(super) fn unit(&mut self) -> TranslationUnit {
        for name in TYPES {
            self.names.declare(name, true);
        }
        let mut unit = TranslationUnit::default();
        while self.kind() != Kind::End {
            let start = self.at;
            match self.external() {
                Ok(item) => unit.0.extend(item),
                Err(Failed) => {
                    if !self.recover_in_file(start) {
                        break;
                    }
                }
            }
        }
        unit
    }

    /// A declaration, a definition, or nothing that counts.
    fn external(&mut self) -> Parsed<Option<ExternalDeclaration>> {
        if self.accept(Sign::Semicolon) {
            return Ok(None);
        }
        if self.begins_static_assert() {
            return Ok(Some(ExternalDeclaration::StaticAssert(self.static_assert()?)));
        }
        if self.is_word(Word::Asm) {
            self.file_assembler()?;
            return Ok(None);
        }
        let start = self.start();
        while self.accept_word(Word::Extension) {}
        let mut specifiers = self.specifiers()?;
        if !specifiers.has_type && !self.is_implicit_int(&specifiers) {
            return Err(match specifiers.list.is_empty() {
                true => self.no_declaration(),
                false => self.not_a_type(),
            });
        }
        self.parameters = None;
        let mut declarators = Vec::new();
        if !self.is(Sign::Semicolon) {
            let first = self.init_declarator(specifiers.is_typedef)?;
            if first.node.initializer.is_none() && self.begins_body(&first.node) {
                let promises = std::mem::take(&mut self.promises);
                if !promises.is_empty() {
                    let promises = DeclarationSpecifier::Extension(promises);
                    specifiers.list.push(self.node(promises, start));
                }
                let definition = self.definition(specifiers, first.node)?;
                let definition = self.node(definition, start);
                return Ok(Some(ExternalDeclaration::FunctionDefinition(definition)));
            }
            declarators.push(first);
        }
        let declaration = self.declarators(specifiers, declarators)?;
        Ok(Some(ExternalDeclaration::Declaration(self.node(declaration, start))))
    }

    /// Whether a body follows the declarator, or declarations of its parameters.
    fn begins_body(&self, first: &InitDeclarator) -> bool {
        let mut declarator = &first.declarator;
        while let DeclaratorKind::Declarator(inner) = &declarator.node.kind.node {
            declarator = inner;
        }
        let mut steps = declarator.node.derived.iter().filter(|step| is_function(step));
        match steps.next().map(|step| &step.node) {
            Some(DerivedDeclarator::KRFunction(names)) if !names.is_empty() => {
                self.is(Sign::OpenBrace) || self.begins_declaration(self.at)
            }
            _ => self.is(Sign::OpenBrace),
        }
    }

    /// The body of a function, with the declarations of parameters in front of it.
    fn definition(
        &mut self,
        specifiers: Specifiers,
        first: InitDeclarator,
    ) -> Parsed<FunctionDefinition> {
        let parameters = self.parameters.take().unwrap_or_default();
        self.names.enter();
        for name in parameters {
            self.names.declare(name, false);
        }
        let result = self.declarations_and_body();
        self.names.leave();
        let (declarations, statement) = result?;
        let (specifiers, declarator) = (specifiers.list, first.declarator);
        Ok(FunctionDefinition { specifiers, declarator, declarations, statement })
    }

    fn declarations_and_body(&mut self) -> Parsed<Behind> {
        let mut declarations = Vec::new();
        while !self.is(Sign::OpenBrace) && self.begins_declaration(self.at) {
            declarations.push(self.local_declaration()?);
        }
        if !self.is(Sign::OpenBrace) {
            return Err(self.wrong("'{'"));
        }
        let start = self.start();
        self.local_labels.clear();
        let items = self.items()?;
        Ok((declarations, self.node(Statement::Compound(items), start)))
    }

    /// `asm("..");` outside of functions.
    fn file_assembler(&mut self) -> Parsed<()> {
        let span = self.token().span;
        self.bump();
        self.expect(Sign::OpenRound, "'('")?;
        let template = self.string()?;
        self.expect(Sign::CloseRound, "')'")?;
        let is_empty = template.node.iter().all(|part| part.trim_matches('"').trim().is_empty());
        if !is_empty {
            let hint = "write in C what it defines, or remove it";
            self.refusals.push(Refusal { span, what: "assembler outside of functions", hint });
        }
        self.accept(Sign::Semicolon);
        Ok(())
    }
}
