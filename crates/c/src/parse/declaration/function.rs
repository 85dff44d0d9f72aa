//! Functions: first the signatures, so that all calls know them, then the bodies.

use indexmap::IndexMap;

use super::declarator::{Parameter, old_parameters};
use super::specifier::is_pointer;
use crate::flow::{Callee, Edge, FunctionId, Instruction, LocationId, VariableId, VariableKind};
use crate::library::{Convention, find};
use crate::parse::builder::Builder;
use crate::parse::context::{Context, Current, Failed, Label, Typed};
use crate::parse::kept::Promises;
use crate::parse::scope::Entity;
use crate::parse::statement::blocks::Blocks;
use crate::syntax::tree::{Declaration, DerivedDeclarator, FunctionDefinition, Node, Statement};
use crate::types::{Type, TypeId};
use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    /// Declares a function whose body does not count.
    pub fn prototype(&mut self, node: &Node<FunctionDefinition>) -> Typed<()> {
        let FunctionDefinition { specifiers, declarator, .. } = &node.node;
        let span = self.span(declarator);
        let pointer = is_pointer(declarator);
        let base = self.as_pointee(pointer, |c| c.specifiers(specifiers, span))?.ty;
        let declared = self.declarator(base, declarator)?;
        if let (Some((name, span)), Type::Function { .. }) =
            (declared.name, self.types.get(declared.ty))
        {
            let id = self.declare_function(name, declared.ty, span)?;
            self.promise(id, Promises::of(specifiers, &declarator.node.extensions));
        }
        Ok(())
    }

    /// Enters the signature of a function definition.
    pub fn signature(&mut self, node: &Node<FunctionDefinition>) -> Typed<FunctionId> {
        let definition = &node.node;
        let span = self.span(&definition.declarator);
        let pointer = is_pointer(&definition.declarator);
        let base = self.as_pointee(pointer, |c| c.specifiers(&definition.specifiers, span))?.ty;
        let declared = self.declarator(base, &definition.declarator)?;
        let (Some((name, name_span)), Type::Function { result, .. }) =
            (declared.name, self.types.get(declared.ty).clone())
        else {
            let message = "a body, but no function".to_owned();
            return Err(self.type_error(span, message, "this declares no function"));
        };
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut variadic = false;
        let mut prototype = true;
        match declared.outermost {
            Some(DerivedDeclarator::Function(function)) => {
                for parameter in &function.parameters {
                    self.refuse_types(self.span(parameter))?;
                }
                parameters = self.parameters(function)?;
                variadic = function.is_variadic;
            }
            outermost => {
                prototype = false;
                let names = old_parameters(outermost).unwrap_or(&[]);
                let types = self.old_types(&definition.declarations)?;
                let int = self.int();
                for name in names {
                    let known = types.get(name.node.name.as_str());
                    let ty = known.map_or(int, |&(ty, _)| ty);
                    let span = self.span(name);
                    let (name, constant) = (name.node.name.clone(), false);
                    let has_rows = false;
                    parameters.push(Parameter { name, ty, constant, has_rows, span });
                }
            }
        }
        let types: Vec<TypeId> = parameters.iter().map(|p| p.ty).collect();
        let unnamed = !prototype && types.is_empty();
        let ty = self.types.intern(Type::Function {
            result,
            parameters: types,
            variadic: variadic || unnamed,
        });
        if !prototype {
            self.old_style.insert(name.to_owned());
        }
        let id = self.declare_function(name, ty, name_span)?;
        let own = &definition.declarator.node.extensions;
        self.promise(id, Promises::of(&definition.specifiers, own));
        if self.defined.insert(name.to_owned(), name_span).is_some() {
            let first = self.functions[id.0 as usize].span;
            let message = format!("function '{name}' is defined twice");
            let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, name_span, message)
                .with_label("defined again")
                .with_related(first, "first defined here");
            return Err(self.report(diagnostic));
        }
        self.functions[id.0 as usize].ty = ty;
        self.functions[id.0 as usize].span = name_span;
        let mut ids = Vec::new();
        let rows = parameters.iter().enumerate().filter(|(_, p)| p.has_rows);
        self.rows.insert(id, rows.map(|(index, _)| index).collect());
        for Parameter { name, ty, constant, span, .. } in parameters {
            let variable = self.variable(&name, ty, VariableKind::Parameter, span);
            self.variables[variable.0 as usize].constant = constant;
            self.variables[variable.0 as usize].function = Some(id);
            ids.push(variable);
        }
        let void = self.void();
        let result = (result != void).then(|| {
            let variable = self.variable("result@", result, VariableKind::Temporary, name_span);
            self.variables[variable.0 as usize].function = Some(id);
            variable
        });
        let function = &mut self.functions[id.0 as usize];
        function.parameters = ids;
        function.result = result;
        Ok(id)
    }

    /// Refuses types that are defined where parameters are declared: they would be known in the body.
    fn refuse_types(&mut self, span: Span) -> Typed<()> {
        let words: Vec<&str> = self.file.words(span).collect();
        let is_type = |word: &str| matches!(word, "struct" | "union" | "enum");
        let defines = (1..words.len()).filter(|&i| words[i] == "{").any(|i| match words[i - 1] {
            "enum" => true,
            // Behind attributes, or the list of a compound literal.
            ")" => words[..i].iter().any(|word| is_type(word)),
            _ => i > 1 && is_type(words[i - 2]),
        });
        match defines {
            true => Err(self.unsupported(span, "a type that is defined by a parameter")),
            false => Ok(()),
        }
    }

    /// The parameter declarations between the head and the body of a K&R definition.
    fn old_types<'t>(
        &mut self,
        declarations: &'t [Node<Declaration>],
    ) -> Typed<IndexMap<&'t str, (TypeId, Span)>> {
        let mut types = IndexMap::new();
        for declaration in declarations {
            let span = self.span(declaration);
            self.refuse_types(span)?;
            let base = self.specifiers(&declaration.node.specifiers, span)?.ty;
            for item in &declaration.node.declarators {
                let declarator = &item.node.declarator;
                let span = self.span(declarator);
                let has_rows = std::mem::replace(&mut self.has_rows, false);
                self.in_parameters += 1;
                let read = self.parameter_declarator(base, declarator);
                self.in_parameters -= 1;
                let (name, ty) = read?;
                if std::mem::replace(&mut self.has_rows, has_rows) {
                    let what = "a parameter with a type of variable length, without a prototype";
                    return Err(self.unsupported(span, what));
                }
                let ty = self.adjusted(ty);
                if let Some(name) = name {
                    types.insert(name, (ty, span));
                }
            }
        }
        Ok(types)
    }

    /// Builds the body of a function whose signature has been entered.
    pub fn body(&mut self, id: FunctionId, node: &Node<FunctionDefinition>) {
        self.current = Some(Current {
            id,
            builder: Builder::new(),
            labels: IndexMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            computed: Vec::new(),
            temporaries: 0,
            blocks: Blocks::new(),
            written_out: None,
        });
        self.inside = Some(id);
        self.contract_begins(id);
        self.scopes.enter();
        let parameters = self.functions[id.0 as usize].parameters.clone();
        for parameter in parameters {
            let _ = self.parameter(parameter);
        }
        let _ = self.rows_of_parameters(id, &node.node.declarator);
        // The parameters share the scope of the body's block.
        match &node.node.statement.node {
            Statement::Compound(items) => self.block_items(items),
            _ => self.statement(&node.node.statement),
        }
        let end = self.span(&node.node.statement).end as usize;
        let end = Span::new(end.saturating_sub(1), end);
        self.fall_off(id, end);
        self.scopes.leave();
        self.contract_ends(id, end);
        let is_computed = self.current.as_ref().is_some_and(|c| !c.computed.is_empty());
        self.connect_gotos(id);
        self.inside = None;
        if !self.enough() {
            self.check_labels();
        }
        if let Some(mut current) = self.current.take() {
            let functions = &self.functions;
            let resumes = |edge: &Edge| match edge.instruction {
                Instruction::Call { callee: Callee::Function(f), .. } => {
                    let name = &functions[f.0 as usize].name;
                    let known = find(name).and_then(|known| known.convention());
                    known == Some(Convention::SetJump)
                }
                _ => false,
            };
            let code = current.builder.code();
            let is_unknown = is_computed || code.edges.iter().any(resumes);
            current.blocks.clean_up(&mut self.variables, id, is_unknown, code);
            if self.options.property.checks.has(Check::Lifetime) {
                let names = (&self.variables[..], &self.types);
                let code = current.builder.code();
                current.blocks.end_variables(names, is_computed, resumes, code);
            }
            let body = current.builder.finish();
            self.functions[id.0 as usize].body = Some(body);
        }
    }

    fn parameter(&mut self, id: VariableId) -> Typed<()> {
        let variable = &self.variables[id.0 as usize];
        let (name, span, ty) = (variable.name.clone(), variable.span, variable.ty);
        if self.types.size(ty).is_none() || *self.types.get(ty) == Type::Void {
            self.complete_size(ty, span)?;
        }
        if name.is_empty() {
            return Ok(());
        }
        self.declare_checked(&name, Entity::Variable(id), span)
    }

    /// Ends a body without `return`: `main` returns 0.
    fn fall_off(&mut self, id: FunctionId, span: Span) {
        let function = &self.functions[id.0 as usize];
        let main = function.name == "main";
        let result = function.result.map(|r| self.variables[r.0 as usize].ty);
        let value = match result {
            Some(ty) if main && self.types.is_integer(ty) => Some(self.zero(ty, span)),
            _ => None,
        };
        self.leave_function(value, span);
    }

    /// The label of this name; creates it if necessary.
    pub fn label(&mut self, name: &str) -> Option<&mut Label> {
        let current = self.current.as_mut()?;
        if !current.labels.contains_key(name) {
            let location: LocationId = current.builder.fresh();
            let label = Label { location, defined: None, used: None };
            current.labels.insert(name.to_owned(), label);
        }
        current.labels.get_mut(name)
    }

    /// Checks that every `goto` has a label.
    fn check_labels(&mut self) {
        let Some(current) = &self.current else { return };
        let missing: Vec<(String, Span)> = current
            .labels
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .filter_map(|(name, label)| Some((name.clone(), label.used?)))
            .collect();
        let known: Vec<String> = current
            .labels
            .iter()
            .filter(|(_, label)| label.defined.is_some())
            .map(|(name, _)| name.clone())
            .collect();
        for (name, span) in missing {
            let message = format!("no label '{name}' in this function");
            let diagnostic = Diagnostic::new(DiagnosticKind::UnknownLabel, span, message)
                .with_label("goes nowhere");
            let near = self.suggestions.nearest(&name, known.iter().map(String::as_str));
            let Failed = self.report(match near {
                Some(near) => diagnostic.with_hint(format!("did you mean '{near}'?")),
                None => diagnostic,
            });
        }
    }
}
