//! Contracts of functions in ACSL: which function a clause is about, and what it says of the beginning and the end of a body.

use std::collections::HashMap;

use super::declarator::name_of;
use crate::flow::{
    Base, BinaryOp, Expr, ExprKind, FunctionId, Instruction, Place, RETURNED, VariableId,
    VariableKind,
};
use crate::parse::context::{Context, Typed};
use crate::parse::expression::is_unknown;
use crate::parse::kept::{Clause, Ending};
use crate::parse::scope::Entity;
use crate::parse::text::acsl::{ASSERTION, CONTRACT, Meaning, RESULT, UNPLACED_CLAUSE};
use crate::syntax::tree::{
    BlockItem, Constant, Declarator, DeclaratorKind, DerivedDeclarator, Expression,
    ExternalDeclaration, FunctionDefinition, Node, Statement, TranslationUnit,
};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Takes the clauses of contracts out of a file; they are found by the first place of what is declared behind them.
pub(in crate::parse) fn contracts(unit: &mut TranslationUnit) -> HashMap<u32, Vec<Clause>> {
    let mut all: HashMap<u32, Vec<Clause>> = HashMap::new();
    let mut open: Vec<Clause> = vec![];
    unit.0.retain(|item| {
        if let ExternalDeclaration::FunctionDefinition(node) = item
            && let Some(clause) = clause_of(node)
        {
            open.push(clause);
            return false;
        }
        if !open.is_empty() {
            all.entry(start_of(item)).or_default().append(&mut open);
        }
        true
    });
    all
}

/// The first place of a declaration.
fn start_of(item: &ExternalDeclaration) -> u32 {
    match item {
        ExternalDeclaration::Declaration(node) => node.span.start,
        ExternalDeclaration::StaticAssert(node) => node.span.start,
        ExternalDeclaration::FunctionDefinition(node) => node.span.start,
    }
}

/// The clause that such a function is.
fn clause_of(node: &Node<FunctionDefinition>) -> Option<Clause> {
    name_of(&node.node.declarator).filter(|name| *name == CONTRACT)?;
    let Statement::Compound(items) = &node.node.statement.node else { return None };
    let [Node { node: BlockItem::Statement(statement), .. }] = items.as_slice() else {
        return None;
    };
    let Statement::Expression(Some(expression)) = &statement.node else { return None };
    let Expression::Call(call) = &expression.node else { return None };
    let (number, parts) = call.node.arguments.split_first()?;
    let is_annotation = matches!(&call.node.callee.node,
        Expression::Identifier(name) if name.node.name == ASSERTION);
    let meaning = match &number.node {
        Expression::Constant(constant) if is_annotation => match &constant.node {
            Constant::Integer(integer) => Meaning::of(integer.number.parse().ok()?)?,
            _ => return None,
        },
        _ => return None,
    };
    Some(Clause { meaning, parts: parts.to_vec(), span: expression.span, names: vec![] })
}

/// The names of the parameters of a function, empty where they have none.
fn names_of(declarator: &Node<Declarator>) -> Vec<String> {
    let mut chain = vec![declarator];
    while let Some(Node { node: Declarator { kind, .. }, .. }) = chain.last()
        && let DeclaratorKind::Declarator(inner) = &kind.node
    {
        chain.push(inner);
    }
    // The derivation nearest to the name.
    let derived = chain.into_iter().rev().flat_map(|declarator| &declarator.node.derived);
    let mut derived = derived.filter(|d| !matches!(d.node, DerivedDeclarator::Pointer(_)));
    match derived.next().map(|derived| &derived.node) {
        Some(DerivedDeclarator::Function(function)) => {
            let declarators = function.parameters.iter().map(|p| p.node.declarator.as_ref());
            declarators.map(|d| d.and_then(name_of).unwrap_or("").to_owned()).collect()
        }
        Some(DerivedDeclarator::KRFunction(names)) => {
            names.iter().map(|name| name.node.name.clone()).collect()
        }
        _ => vec![],
    }
}

impl Context<'_> {
    /// Adds the clauses in front of a declaration, which has been entered, to the contract of its function.
    pub fn contract(&mut self, item: &ExternalDeclaration) {
        let Some(clauses) = self.annotated.clauses.remove(&start_of(item)) else { return };
        let declarator = match item {
            ExternalDeclaration::FunctionDefinition(node) => Some(&node.node.declarator),
            ExternalDeclaration::Declaration(node) => match node.node.declarators.as_slice() {
                [only] => Some(&only.node.declarator),
                _ => None,
            },
            ExternalDeclaration::StaticAssert(_) => None,
        };
        let name = declarator.and_then(name_of);
        let entity = name.and_then(|name| self.scopes.find_at_file(name));
        let (Some(declarator), Some((Entity::Function(id), _))) = (declarator, entity) else {
            // Mistakes in the declaration have been reported.
            if !matches!(entity, Some((Entity::Reported | Entity::Refused, _))) {
                for clause in clauses {
                    self.warn_annotation(UNPLACED_CLAUSE, clause.span);
                }
            }
            return;
        };
        let names = names_of(declarator);
        let clauses = clauses.into_iter().map(|clause| Clause { names: names.clone(), ..clause });
        self.annotated.contracts.entry(id).or_default().extend(clauses);
    }

    /// The clauses about a function that have one of these meanings.
    pub fn clauses(&self, function: FunctionId, meanings: &[Meaning]) -> Vec<Clause> {
        let all = self.annotated.contracts.get(&function).into_iter().flatten();
        all.filter(|clause| meanings.contains(&clause.meaning)).cloned().collect()
    }

    /// Warns of clauses that are not used, or not everywhere.
    pub fn warn_of_contracts(&mut self) {
        for (id, clauses) in std::mem::take(&mut self.annotated.contracts) {
            let function = &self.functions[id.0 as usize];
            let name = function.name.clone();
            let has_body = function.body.is_some();
            let is_defined = has_body || self.bodies.contains(&name);
            let is_called = !is_defined && (!is_unknown(&name) || self.convention_of(id).is_some());
            for clause in clauses {
                let word = match clause.meaning {
                    Meaning::Requires => "requires",
                    Meaning::Ensures => "ensures",
                    _ => "assigns",
                };
                if is_called {
                    let kind = format!("'{word}' of '{name}', whose meaning is known,");
                    self.warn_annotation(&kind, clause.span);
                } else if is_defined && !has_body {
                    let kind = format!("'{word}' of '{name}', which another file defines,");
                    self.warn_annotation(&kind, clause.span);
                } else if has_body && word == "assigns" {
                    self.warn_annotation("'assigns' of a function with a body", clause.span);
                } else if word == "requires" && self.by_pointer.contains(&id) && !has_body {
                    let kind = format!("'requires' of '{name}', where it is called by a pointer,");
                    self.warn_annotation(&kind, clause.span);
                }
            }
        }
    }

    /// Checks or assumes what a contract says of the beginning of a body, and keeps the values that it needs at the end.
    pub fn contract_begins(&mut self, id: FunctionId) {
        self.annotated.ending = None;
        self.annotated.old.clear();
        let start = self.mark();
        let required = self.clauses(id, &[Meaning::Requires]);
        if let Some(first) = required.first() {
            let span = first.span;
            let _ = self.begins_as_required(id, &required, span);
        }
        let ensured = self.clauses(id, &[Meaning::Ensures]);
        if ensured.is_empty() {
            return;
        }
        let parameters = self.functions[id.0 as usize].parameters.clone();
        let result = self.functions[id.0 as usize].result;
        let ty = result.map(|result| self.variables[result.0 as usize].ty);
        let result = ty.map(|ty| self.temporary(ty, ensured[0].span));
        let (location, without) = (self.fresh(), self.fresh());
        let Ok(ensured) = self.remembered(ensured, &parameters, result.is_some()) else { return };
        let (lacks, returns) = (false, vec![]);
        let ending = Ending { location, without, lacks, returns, result, start, ensured };
        self.annotated.ending = Some(ending);
    }

    /// The clauses about the end for which all values could be kept that they need.
    pub fn remembered(
        &mut self,
        ensured: Vec<Clause>,
        parameters: &[VariableId],
        has_result: bool,
    ) -> Typed<Vec<Clause>> {
        let mut out = vec![];
        for clause in ensured {
            if !has_result {
                self.refuse_result(&clause)?;
            }
            if self.in_clause(&clause, parameters, None, |c| c.remember(&clause))? {
                out.push(clause);
            }
        }
        Ok(out)
    }

    /// What is required is assumed where executions start in the function, and checked where the program calls it.
    fn begins_as_required(&mut self, id: FunctionId, required: &[Clause], span: Span) -> Typed<()> {
        let parameters = self.functions[id.0 as usize].parameters.clone();
        let called = self.fresh();
        let next = self.fresh();
        if self.may_start(id) {
            let int = self.int();
            let name = format!("{} starts", self.functions[id.0 as usize].name);
            let starts = self.variable(&name, int, VariableKind::Global, span);
            self.variables[starts.0 as usize].internal = true;
            self.annotated.starts.push((id, starts));
            let place = self.place_of(starts, span);
            let zero = self.constant(0, int, span);
            let condition =
                self.combine(BinaryOp::NotEqual, place.clone().load(), zero.clone(), span);
            let started = self.fresh();
            self.flow(|b| b.branch(condition, started, called, span));
            self.go_on_at(started);
            self.emit(Instruction::Assign(place, zero), span);
            for clause in required {
                for part in &clause.parts {
                    self.in_clause(clause, &parameters, None, |c| c.assume(part, clause.span))?;
                }
            }
            self.jump(next, span);
        } else {
            self.jump(called, span);
        }
        self.go_on_at(called);
        for clause in required {
            for part in &clause.parts {
                self.in_clause(clause, &parameters, None, |c| c.error_unless(part, clause.span))?;
            }
        }
        self.jump(next, span);
        self.go_on_at(next);
        Ok(())
    }

    /// Whether executions may start in a function.
    fn may_start(&self, id: FunctionId) -> bool {
        let name = &self.functions[id.0 as usize].name;
        match &self.options.entry {
            Some(entry) => entry == name,
            None => name == "main" || !self.bodies.contains("main"),
        }
    }

    /// Reads a clause where its names are those of the file, of these parameters, and of the result.
    pub fn in_clause<T>(
        &mut self,
        clause: &Clause,
        parameters: &[VariableId],
        result: Option<VariableId>,
        read: impl FnOnce(&mut Self) -> Typed<T>,
    ) -> Typed<T> {
        self.scopes.enter();
        for (name, &parameter) in clause.names.iter().zip(parameters) {
            if !name.is_empty() {
                self.scopes.declare(name, Entity::Variable(parameter), clause.span);
            }
        }
        if let Some(result) = result {
            self.scopes.declare(RESULT, Entity::Variable(result), clause.span);
        }
        let read = read(self);
        self.scopes.leave();
        read
    }

    /// Returns from the function that is being read.
    pub fn leave_function(&mut self, value: Option<Expr>, span: Span) {
        let is_reached = self.current.as_mut().is_some_and(|c| c.builder.is_reached());
        let Some(ending) = &mut self.annotated.ending else {
            return self.emit(Instruction::Return(value), span);
        };
        if is_reached {
            ending.returns.push(span);
        }
        let (mut target, result) = (ending.location, ending.result.clone());
        match (value, result) {
            (Some(value), Some(result)) => self.emit(Instruction::Assign(result, value), span),
            (_, None) => {}
            (None, Some(_)) => {
                ending.lacks = true;
                target = ending.without;
            }
        }
        self.jump(target, span);
    }

    /// Checks what a contract says of the end of the body that has been read, up to `end`.
    pub fn contract_ends(&mut self, id: FunctionId, end: Span) {
        let Some(ending) = self.annotated.ending.take() else { return };
        let ensured = ending.ensured.clone();
        let parameters = self.functions[id.0 as usize].parameters.clone();
        let parameters = self.at_entry(&parameters, &ending);
        let result = match &ending.result {
            Some(Place { base: Base::Variable(result), .. }) => Some(*result),
            _ => None,
        };
        self.go_on_at(ending.location);
        for clause in &ensured {
            for part in &clause.parts {
                let check = |c: &mut Self| c.error_unless(part, clause.span);
                let _ = self.in_clause(clause, &parameters, result, check);
            }
        }
        let end = match ending.returns.as_slice() {
            [only] => *only,
            _ => end,
        };
        if let (Some(result), [_, _, ..]) = (result, ending.returns.as_slice()) {
            // Traces show what each of them returns.
            RETURNED.clone_into(&mut self.variables[result.0 as usize].name);
        }
        let value = ending.result.clone().map(Place::load);
        self.emit(Instruction::Return(value), end);
        if ending.lacks {
            self.go_on_at(ending.without);
            for clause in &ensured {
                if self.says_result(clause) {
                    let what = "what 'ensures' says of a result where there is none";
                    self.stop(Instruction::Unsupported(what.to_owned()), clause.span);
                    return;
                }
                for part in &clause.parts {
                    let check = |c: &mut Self| c.error_unless(part, clause.span);
                    let _ = self.in_clause(clause, &parameters, None, check);
                }
            }
            self.emit(Instruction::Return(None), end);
        }
    }

    /// Variables that have what the parameters were given: those that the body may change are kept in others.
    fn at_entry(&mut self, parameters: &[VariableId], ending: &Ending) -> Vec<VariableId> {
        let Some(first) = ending.ensured.first() else { return parameters.to_vec() };
        let mut kept = vec![];
        let mut copies = vec![];
        for (index, &parameter) in parameters.iter().enumerate() {
            let is_named = ending.ensured.iter().any(|clause| {
                let name = clause.names.get(index).filter(|name| !name.is_empty());
                name.is_some_and(|name| self.file.words(clause.span).any(|word| word == name))
            });
            if !is_named || !self.may_change(parameter, ending) {
                kept.push(parameter);
                continue;
            }
            let place = self.place_of(parameter, first.span);
            let copy = self.temporary(place.ty, place.span);
            let Base::Variable(variable) = copy.base else { continue };
            copies.push((Instruction::Assign(copy, place.load()), first.span));
            kept.push(variable);
        }
        self.flow(|b| b.insert_before(ending.start, copies));
        kept
    }

    /// Whether the body changes a parameter, or takes its address.
    fn may_change(&mut self, parameter: VariableId, ending: &Ending) -> bool {
        let is_it =
            |place: &Place| matches!(place.base, Base::Variable(other) if other == parameter);
        self.flow(|b| {
            b.since(ending.start).iter().any(|edge| {
                let taken = edge
                    .instruction
                    .parts()
                    .any(|part| matches!(&part.kind, ExprKind::AddressOf(place) if is_it(place)));
                taken || edge.instruction.target().is_some_and(is_it)
            })
        })
    }

    /// Whether a clause says something of the result.
    pub fn says_result(&self, clause: &Clause) -> bool {
        self.file.words(clause.span).any(|word| word == RESULT)
    }

    /// Refuses what a clause says of a result that there is none of.
    pub fn refuse_result(&mut self, clause: &Clause) -> Typed<()> {
        if !self.says_result(clause) {
            return Ok(());
        }
        let message = "'\\result' of a function that returns nothing".to_owned();
        let diagnostic = Diagnostic::new(DiagnosticKind::Type, clause.span, message);
        Err(self.report(diagnostic.with_label("in this clause")))
    }
}
