//! Contracts of functions in ACSL: which function a clause is about, and what it says of the beginning and the end of a body.

use crate::flow::{
    Base, BinaryOp, Expr, ExprKind, FunctionId, Instruction, Place, RETURNED, STARTS, VariableId,
    VariableKind,
};
use crate::parse::context::{Context, Typed};
use crate::parse::declaration::name_of;
use crate::parse::expression::is_unknown;
use crate::parse::kept::{Clause, Ending, Start};
use crate::parse::scope::Entity;
use crate::parse::text::acsl::{Meaning, RESULT, UNPLACED_CLAUSE};
use crate::syntax::tree::{
    Declarator, DeclaratorKind, DerivedDeclarator, ExternalDeclaration, Node,
};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

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
        let Some(clauses) = self.annotated.clauses.remove(&item.start()) else { return };
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
            let is_known = !is_defined && (!is_unknown(&name) || self.convention_of(id).is_some());
            for clause in clauses {
                let word = match clause.meaning {
                    Meaning::Requires => "requires",
                    Meaning::Ensures => "ensures",
                    _ => "assigns",
                };
                if is_known {
                    let kind = format!("'{word}' of '{name}', whose meaning is known,");
                    self.warn_annotation(&kind, clause.span);
                } else if is_defined && !has_body {
                    let there = self.elsewhere.contracts.get(&name);
                    if there.is_some_and(|c| c.contains(&self.file.said(clause.span))) {
                        continue;
                    }
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
        let copies = self.copies(&parameters, &ensured);
        let (lacks, returns) = (false, vec![]);
        let ending = Ending { location, without, lacks, returns, result, copies, ensured };
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
            let name = format!("{}{STARTS}", self.functions[id.0 as usize].name);
            let starts = self.variable(&name, int, VariableKind::Global, span);
            self.variables[starts.0 as usize].internal = true;
            let clauses = required.iter().map(|clause| clause.span).collect();
            self.annotated.starts.push(Start { function: id, flag: starts, required: clauses });
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
            self.clause_holds(clause, &parameters, None)?;
        }
        self.jump(next, span);
        self.go_on_at(next);
        Ok(())
    }

    /// Whether executions may start in a function.
    fn may_start(&self, id: FunctionId) -> bool {
        let name = &self.functions[id.0 as usize].name;
        let entry = self.options.entry.as_deref().unwrap_or("main");
        // It may have the name of another one.
        let entry = self.synonyms.get(entry).map_or(entry, String::as_str);
        entry == name || !self.bodies.contains(entry)
    }

    /// An error where a clause is false.
    pub fn clause_holds(
        &mut self,
        clause: &Clause,
        parameters: &[VariableId],
        result: Option<VariableId>,
    ) -> Typed<()> {
        self.weave_statement(clause.span);
        clause.parts.iter().try_for_each(|part| {
            let check = |c: &mut Self| c.error_unless(part, clause.span);
            self.in_clause(clause, parameters, result, check)
        })
    }

    /// Reads a clause where its names are those of the file, of these parameters, and of the result.
    pub fn in_clause<T>(
        &mut self,
        clause: &Clause,
        parameters: &[VariableId],
        result: Option<VariableId>,
        read: impl FnOnce(&mut Self) -> Typed<T>,
    ) -> Typed<T> {
        // A call may stand where locals hide names of the file.
        self.scopes.enter_in_file();
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
        let parameters = self.at_entry(parameters, &ending);
        let result = match &ending.result {
            Some(Place { base: Base::Variable(result), .. }) => Some(*result),
            _ => None,
        };
        self.go_on_at(ending.location);
        for clause in &ensured {
            let _ = self.clause_holds(clause, &parameters, result);
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
                let _ = self.clause_holds(clause, &parameters, None);
            }
            self.emit(Instruction::Return(None), end);
        }
    }

    /// Keeps what parameters were given that clauses name.
    fn copies(
        &mut self,
        parameters: &[VariableId],
        ensured: &[Clause],
    ) -> Vec<(usize, VariableId)> {
        let mut copies = vec![];
        for (index, &parameter) in parameters.iter().enumerate() {
            let names = |clause: &&Clause| {
                let name = clause.names.get(index).filter(|name| !name.is_empty());
                name.is_some_and(|name| self.file.words(clause.span).any(|word| word == name))
            };
            let Some(span) = ensured.iter().find(names).map(|clause| clause.span) else { continue };
            let place = self.place_of(parameter, span);
            let copy = self.temporary(place.ty, span);
            if let Base::Variable(variable) = copy.base {
                copies.push((index, variable));
            }
            self.emit(Instruction::Assign(copy, place.load()), span);
        }
        copies
    }

    /// Variables that have what the parameters were given: these themselves where the body does not change them.
    fn at_entry(&mut self, mut parameters: Vec<VariableId>, ending: &Ending) -> Vec<VariableId> {
        let Some(current) = &mut self.current else { return parameters };
        let edges = &mut current.builder.code().edges;
        for &(index, copy) in &ending.copies {
            let is = |place: &Place, id| matches!(place.base, Base::Variable(v) if v == id);
            let parameter = parameters[index];
            let may_change = edges.iter().any(|edge| {
                let taken = edge.instruction.parts().any(
                    |part| matches!(&part.kind, ExprKind::AddressOf(place) if is(place, parameter)),
                );
                taken || edge.instruction.target().is_some_and(|place| is(place, parameter))
            });
            if may_change {
                parameters[index] = copy;
                continue;
            }
            let mut targets = edges.iter_mut();
            if let Some(edge) =
                targets.find(|edge| edge.instruction.target().is_some_and(|p| is(p, copy)))
            {
                edge.instruction = Instruction::Skip;
            }
        }
        parameters
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
