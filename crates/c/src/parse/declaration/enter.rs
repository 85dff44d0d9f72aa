//! Enters the declarations of files and blocks into scopes.

use std::collections::HashSet;

use super::declarator::{Declared, name_of};
use super::deduced::AUTO;
use super::linkage;
use super::qualified::Qualified;
use super::specifier::{Specified, Storage, is_pointer};
use crate::flow::{FunctionId, HavocKind, Instruction, VariableId, VariableKind};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::{Promises, cleanup_of};
use crate::parse::scope::Entity;
use crate::parse::surface::is_for_inlining;
use crate::reliance::Reliance;
use crate::syntax::known::Treatment;
use crate::syntax::tree::{
    Declaration, DeclarationSpecifier, ExternalDeclaration, Identifier, InitDeclarator,
    Initializer, Node, TranslationUnit, TypeSpecifier,
};
use crate::types::{INT128, Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The place of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::parse) enum Where {
    File,
    Block,
}

impl Context<'_> {
    /// Processes the whole translation unit.
    pub fn unit(&mut self, unit: &TranslationUnit) {
        self.builtin_types();
        self.begin_weaving(unit);
        self.bodies = unit
            .0
            .iter()
            .filter_map(|item| match item {
                ExternalDeclaration::FunctionDefinition(node) if !is_for_inlining(&node.node) => {
                    name_of(&node.node.declarator).map(str::to_owned)
                }
                _ => None,
            })
            .collect::<HashSet<_>>();
        self.attributes_of_the_text();
        let linkage::Linkage { synonyms, dangling, weak } =
            linkage::linkage(unit, |name| self.bodies.contains(name));
        self.synonyms = synonyms;
        self.weak = weak;
        self.weak.retain(|name| !self.elsewhere.defined.contains(name));
        self.bodies.extend(self.elsewhere.bodies.iter().cloned());
        for linkage::Dangling { name, target, span } in dangling {
            let message =
                format!("'{name}' is an alias of '{target}', which this file does not define");
            let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message);
            let hint = format!("define '{target}', or declare '{name}' without the attribute");
            self.report(diagnostic.with_label("an alias of nothing").with_hint(hint));
        }
        let mut definitions = Vec::new();
        for item in &unit.0 {
            if self.enough() {
                return;
            }
            match item {
                ExternalDeclaration::Declaration(node) => self.declaration_of_file(node),
                ExternalDeclaration::StaticAssert(node) => {
                    let _ = self.static_assert(node);
                }
                ExternalDeclaration::FunctionDefinition(node) if self.is_woven(node) => {}
                ExternalDeclaration::FunctionDefinition(node) if is_for_inlining(&node.node) => {
                    let _ = self.prototype(node);
                }
                ExternalDeclaration::FunctionDefinition(node) => {
                    let before = self.diagnostics.len();
                    match self.signature(node) {
                        Ok(id) => definitions.push((id, node)),
                        Err(_) => self.refuse_inlined(node, before),
                    }
                }
            }
            self.contract(item);
        }
        for (id, node) in definitions {
            if self.enough() {
                return;
            }
            let before = self.diagnostics.len();
            self.body(id, node);
            self.leave_inlined_open(id, node, before);
        }
    }

    /// Refuses attributes and other parts of the text, or warns of them.
    fn attributes_of_the_text(&mut self) {
        for refusal in &self.file.refusals {
            let message = format!("{} is not supported", refusal.what);
            let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, refusal.span, message);
            self.report(diagnostic.with_label("not supported").with_hint(refusal.hint));
        }
        for noted in &self.file.noted {
            let span = Span::new(noted.at, noted.at + 1);
            let message = match noted.treatment {
                Treatment::Refused => {
                    self.unsupported(span, &noted.what());
                    continue;
                }
                Treatment::Weak => {
                    "'weak': by assumption there is a definition, and no other file replaces it"
                        .to_owned()
                }
                _ => format!("{} is not known and is ignored", noted.what()),
            };
            let warning = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
            self.warn(&noted.what(), warning);
        }
    }

    fn builtin_types(&mut self) {
        let float = self.types.intern(Type::Float { bits: 128 });
        let [signed, unsigned] = [true, false].map(|signed| match self.wide_type(signed) {
            Some(ty) => Entity::Typedef(ty),
            None => Entity::Strange(INT128),
        });
        for (name, entity) in [
            ("__int128_t", signed),
            ("__uint128_t", unsigned),
            ("__float128", Entity::Typedef(float)),
        ] {
            self.scopes.declare_at_file(name, entity, Span::default());
        }
    }

    /// Processes a declaration and reports mistakes in it.
    pub fn declaration(&mut self, node: &Node<Declaration>, place: Where) {
        let span = self.span(node);
        let Ok(deduced) = self.deduced(node) else { return self.reported(&node.node.declarators) };
        if let Some(ty) = deduced {
            self.scopes.declare_at_file(AUTO, Entity::Typedef(ty), Span::default());
        }
        if let ([only], []) = (&node.node.specifiers[..], &node.node.declarators[..])
            && let DeclarationSpecifier::TypeSpecifier(ty) = &only.node
            && let TypeSpecifier::Struct(record) = &ty.node
        {
            self.declare_record(&record.node);
        }
        let items = &node.node.declarators;
        let pointers = !items.is_empty() && items.iter().all(|i| is_pointer(&i.node.declarator));
        let specified = self.as_pointee(pointers, |c| c.specifiers(&node.node.specifiers, span));
        let Ok(specified) = specified else { return self.reported(items) };
        for item in items {
            let own = &item.node.declarator.node.extensions;
            let promises = Promises::of(&node.node.specifiers, own);
            let cleanup = cleanup_of(&node.node.specifiers, own);
            if self.declared(item, specified, (promises, cleanup), place).is_err() {
                self.reported(std::slice::from_ref(item));
            }
            let declarator = &item.node.declarator;
            if Qualified::of_declaration(&node.node.specifiers, declarator) == Qualified::No
                && let Some((Entity::Variable(id), _)) =
                    name_of(declarator).and_then(|name| self.scopes.find(name))
            {
                self.unqualified.insert(id);
            }
        }
    }

    /// Uses of these names are not mistakes of their own.
    fn reported(&mut self, items: &[Node<InitDeclarator>]) {
        for item in items {
            let span = self.span(item);
            if let Some(name) = name_of(&item.node.declarator) {
                self.scopes.declare_reported(name, span);
            }
        }
    }

    fn declared(
        &mut self,
        node: &Node<InitDeclarator>,
        specified: Specified,
        (promises, cleanup): (Promises, Option<&Node<Identifier>>),
        at: Where,
    ) -> Typed<()> {
        let mut declared = self.declarator(specified.ty, &node.node.declarator)?;
        let Some((name, span)) = declared.name else { return Ok(()) };
        let volatile = declared.volatile_pointer.unwrap_or(specified.volatile);
        let constant = declared.constant_pointer.unwrap_or(specified.constant);
        let own =
            self.alignment(&node.node.declarator.node.extensions.iter().collect::<Vec<_>>())?;
        if specified.storage == Some(Storage::Typedef) {
            if let Some(length) = declared.length.take() {
                declared.ty = self.variable_type(declared.ty, length)?;
            }
            if promises.no_return {
                return Err(self.unsupported(span, "a 'noreturn' type"));
            }
            if volatile {
                self.volatile_types.insert(name.to_owned());
            }
            let plain = !self.types.is_pointer(self.types.element(declared.ty));
            if specified.atomic && plain {
                self.atomic_types.insert(name.to_owned());
            }
            let aligned = own.max(specified.aligned);
            let more = aligned.filter(|&a| a != self.types.align(declared.ty));
            let entity = match (more, self.types.get(declared.ty)) {
                (None, _) => Entity::Typedef(declared.ty),
                // The only name of the type; gcc keeps its size.
                (Some(align), &Type::Record(record)) if specified.untagged => {
                    self.types.records[record.0 as usize].align = align;
                    Entity::Typedef(declared.ty)
                }
                (Some(_), _) => Entity::Aligned(declared.ty),
            };
            return self.declare_checked(name, entity, span);
        }
        if matches!(self.types.get(declared.ty), Type::Function { .. }) {
            let id = self.declare_function(name, declared.ty, span)?;
            self.promise(id, promises);
            if at == Where::Block {
                self.scopes.declare(name, Entity::Function(id), span);
            }
            return Ok(());
        }
        // A volatile pointer target, and a local, which nothing outside can reach by its name.
        if specified.volatile && !volatile || volatile && at == Where::Block {
            self.reliances.insert((Reliance::VolatileMemory, None));
        }
        let is_pointer = self.types.is_pointer(self.types.element(declared.ty));
        if specified.atomic && is_pointer {
            self.rely_at(Reliance::OneThread, span);
        }
        let is_atomic = specified.atomic && !is_pointer;
        let initialiser = node.node.initializer.as_ref();
        let is_local = at == Where::Block
            && !matches!(specified.storage, Some(Storage::Extern | Storage::Static));
        let is_variable = self.variable_type_of(declared.ty).is_some()
            || at == Where::Block && declared.length.is_some();
        if !is_local && is_variable {
            let message = "only a local array can have a variable length".to_owned();
            return Err(self.type_error(span, message, "not one"));
        }
        match (at, specified.storage) {
            (Where::File, storage) => {
                if let Some(length) = declared.length {
                    let at = self.span(length);
                    let message = "the length of a global array must be constant".to_owned();
                    return Err(self.type_error(at, message, "not constant"));
                }
                let external = storage == Some(Storage::Extern) && initialiser.is_none();
                let id = self.global(name, declared.ty, external, span)?;
                self.variables[id.0 as usize].atomic |= is_atomic;
                self.variables[id.0 as usize].volatile |= volatile;
                self.variables[id.0 as usize].constant |= constant;
                // Another name may be visible elsewhere.
                let one = !self.synonyms.contains_key(name)
                    && !self.synonyms.values().any(|first| first == name);
                self.variables[id.0 as usize].internal |= storage == Some(Storage::Static) && one;
                self.static_initialiser(id, initialiser, span)
            }
            (Where::Block, Some(Storage::Extern)) => {
                let id = self.global(name, declared.ty, true, span)?;
                self.variables[id.0 as usize].atomic |= is_atomic;
                self.variables[id.0 as usize].volatile |= volatile;
                self.scopes.declare(name, Entity::Variable(id), span);
                Ok(())
            }
            (Where::Block, Some(Storage::Static)) => {
                let unique = self.static_name(name);
                let id = self.variable(&unique, declared.ty, VariableKind::Global, span);
                self.variables[id.0 as usize].atomic |= is_atomic;
                self.variables[id.0 as usize].volatile = volatile;
                self.variables[id.0 as usize].constant = constant;
                self.variables[id.0 as usize].internal = true;
                self.declare_checked(name, Entity::Variable(id), span)?;
                self.static_initialiser(id, initialiser, span)
            }
            (Where::Block, _) => {
                let (mark, all) = (self.mark(), self.span(node));
                let id = self.local(declared, name, span, initialiser)?;
                if let Some(id) = id {
                    self.variables[id.0 as usize].atomic |= is_atomic;
                    self.variables[id.0 as usize].constant = constant;
                    self.variables[id.0 as usize].lasting = volatile;
                }
                self.flow(|b| b.widen(mark, span, all));
                match (cleanup, id) {
                    (Some(function), Some(id)) => self.cleaned_up(id, function),
                    (Some(function), None) => {
                        self.not_modelled(
                            function.span,
                            "the clean-up of an array of variable length",
                        );
                        Ok(())
                    }
                    (None, _) => Ok(()),
                }
            }
        }
    }

    /// `function::name`, with a suffix if that is taken.
    fn static_name(&mut self, name: &str) -> String {
        let function =
            self.current.as_ref().map_or("", |c| self.functions[c.id.0 as usize].name.as_str());
        let unique = format!("{function}::{name}");
        let count = self.statics.entry(unique.clone()).or_default();
        *count += 1;
        if *count == 1 { unique } else { format!("{unique}#{count}") }
    }

    /// Initialises a variable that exists from the start of the program.
    fn static_initialiser(
        &mut self,
        id: VariableId,
        initialiser: Option<&Node<Initializer>>,
        span: Span,
    ) -> Typed<()> {
        let Some(initialiser) = initialiser else {
            let variable = &self.variables[id.0 as usize];
            if variable.kind == VariableKind::Global
                && matches!(self.types.get(variable.ty), Type::Void)
            {
                let message = "a variable cannot be 'void'".to_owned();
                return Err(self.type_error(span, message, "of type 'void'"));
            }
            return Ok(());
        };
        let current = self.current.take();
        self.effects = false;
        let result = self.initialise(id, initialiser, span);
        let effects = std::mem::replace(&mut self.effects, false);
        self.current = current;
        result?;
        if effects {
            let at = self.span(initialiser);
            let message = "the initial value of a static variable must be constant".to_owned();
            return Err(self.type_error(at, message, "not constant"));
        }
        Ok(())
    }

    fn local(
        &mut self,
        declared: Declared,
        name: &str,
        span: Span,
        initialiser: Option<&Node<Initializer>>,
    ) -> Typed<Option<VariableId>> {
        let variable = match declared.length {
            Some(length) => Some(self.variable_type(declared.ty, length)?),
            None => self.variable_type_of(declared.ty).map(|_| declared.ty),
        };
        if let Some(ty) = variable {
            self.variable_array(ty, name, initialiser, span)?;
            return Ok(None);
        }
        if *self.types.get(declared.ty) == Type::Void {
            let message = "a variable cannot be 'void'".to_owned();
            return Err(self.type_error(span, message, "of type 'void'"));
        }
        let id = self.variable(name, declared.ty, VariableKind::Local, span);
        self.declare_checked(name, Entity::Variable(id), span)?;
        match initialiser {
            Some(initialiser) => self.initialise(id, initialiser, span)?,
            None => {
                self.complete_size(declared.ty, span)?;
                let place = self.place_of(id, span);
                self.emit(Instruction::Havoc(place, HavocKind::Uninitialised), span);
            }
        }
        Ok(Some(id))
    }

    /// A function of the C library that returns `void *`.
    pub fn library_function(
        &mut self,
        name: &str,
        result: TypeId,
        parameters: &[TypeId],
    ) -> FunctionId {
        if let Some((Entity::Function(id), _)) = self.scopes.find_at_file(name) {
            return id;
        }
        let parameters = parameters.to_vec();
        let ty = self.types.intern(Type::Function { result, parameters, variadic: false });
        let id = self.new_function(name, ty, Span::default());
        self.scopes.declare_at_file(name, Entity::Function(id), Span::default());
        id
    }

    /// Declares a name in the innermost block; only equal typedefs may be repeated.  A second variable of a name hides the
    /// first, as in CIL: compilers refuse it, so there is a warning.
    pub fn declare_checked(&mut self, name: &str, entity: Entity, span: Span) -> Typed<()> {
        if let Some((old, first)) = self.scopes.find_here(name) {
            let same = match (old, entity) {
                (Entity::Typedef(a), Entity::Typedef(b)) => a == b,
                _ => false,
            };
            let message = format!("'{name}' is declared twice");
            let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message)
                .with_label("declared again")
                .with_related(first, "first declared here");
            let is_parameter =
                |id: VariableId| self.variables[id.0 as usize].kind == VariableKind::Parameter;
            if matches!((old, entity), (Entity::Variable(_), Entity::Variable(new)) if !is_parameter(new))
            {
                let help = "compilers refuse it; from here on the name is that of a new variable";
                self.warn(&format!("again {name} {}", span.start), diagnostic.with_hint(help));
            } else if !same {
                return Err(self.report(diagnostic));
            }
        }
        self.scopes.declare(name, entity, span);
        Ok(())
    }

    /// Declares a variable of the file, perhaps not for the first time.
    fn global(&mut self, name: &str, ty: TypeId, external: bool, span: Span) -> Typed<VariableId> {
        if let Some(other) = self.synonyms.get(name).cloned() {
            let id = self.global(&other, ty, external, span)?;
            self.scopes.declare_at_file(name, Entity::Variable(id), span);
            return Ok(id);
        }
        match self.scopes.find_at_file(name) {
            Some((Entity::Variable(id), first)) => {
                let own = self.variables[id.0 as usize].ty;
                let old = self.lengthened.get(&id).copied();
                let ty = self.agreed(name, [old.unwrap_or(own), ty], [first, span])?;
                let variable = &mut self.variables[id.0 as usize];
                variable.ty = if old.is_some() { own } else { ty };
                if !external {
                    variable.kind = VariableKind::Global;
                }
                Ok(id)
            }
            Some((_, first)) => {
                let message = format!("'{name}' is declared twice");
                let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message)
                    .with_label("declared again")
                    .with_related(first, "first declared here as something else");
                Err(self.report(diagnostic))
            }
            None => {
                let kind = if external { VariableKind::External } else { VariableKind::Global };
                let id = self.variable(name, ty, kind, span);
                self.scopes.declare_at_file(name, Entity::Variable(id), span);
                Ok(id)
            }
        }
    }

    /// The type that two declarations of a name give it.
    fn agreed(&mut self, name: &str, types: [TypeId; 2], at: [Span; 2]) -> Typed<TypeId> {
        if let Some(ty) = self.composite(types[0], types[1]) {
            return Ok(ty);
        }
        let [a, b] = types.map(|ty| self.types.declare(ty, name));
        let message = format!("'{name}' is declared with two types");
        let diagnostic = Diagnostic::new(DiagnosticKind::Type, at[1], message)
            .with_label(format!("'{b}' here"))
            .with_related(at[0], format!("'{a}' here"));
        Err(self.report(diagnostic))
    }

    /// Declares a function at file scope.
    pub fn declare_function(&mut self, name: &str, ty: TypeId, span: Span) -> Typed<FunctionId> {
        if let Some(other) = self.synonym(name, ty) {
            let id = self.declare_function(&other, ty, span)?;
            self.scopes.declare_at_file(name, Entity::Function(id), span);
            return Ok(id);
        }
        match self.scopes.find_at_file(name) {
            Some((Entity::Function(id), first)) => {
                let old = self.functions[id.0 as usize].ty;
                let ty = self.agreed(name, [old, ty], [first, span])?;
                self.functions[id.0 as usize].ty = ty;
                Ok(id)
            }
            Some((_, first)) => {
                let message = format!("'{name}' is declared twice");
                let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message)
                    .with_label("declared again, as a function")
                    .with_related(first, "first declared here as something else");
                Err(self.report(diagnostic))
            }
            None => {
                let id = self.new_function(name, ty, span);
                self.scopes.declare_at_file(name, Entity::Function(id), span);
                Ok(id)
            }
        }
    }
}
