//! The body of one procedure: scope, statements, expressions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::concurrent::ThreadStep;
use super::super::lower::{Statement, Step, havoc, negated};
use super::super::program::{
    Assignment, Call, EdgeRole, Expr, Op, Operation, ProcId, VarId, VariableKind,
};
use super::super::syntax::{
    self, Expression, Name, Operator, ProcedureSyntax, Start, StatementKind, Target,
};
use super::threads::is_async;
use super::{Resolver, count};
use hardbop_base::source::DiagnosticKind;
use hardbop_base::source::Span;

/// A procedure with all names resolved.
pub(super) struct Resolved {
    pub formals: Vec<VarId>,
    pub locals: Vec<VarId>,
    pub returns: Vec<VarId>,
    pub statements: Vec<Statement>,
}

/// Resolves the procedure `id` with the syntax tree `head`.
pub(super) fn resolve<'a>(
    resolver: &mut Resolver<'a>,
    id: ProcId,
    head: &'a ProcedureSyntax,
) -> Resolved {
    let mut body = Body {
        resolver,
        id,
        before: 0,
        head,
        own: FxHashMap::default(),
        labels: FxHashMap::default(),
        ambiguous: FxHashMap::default(),
        unknown: FxHashSet::default(),
    };
    let mut statements = body.initial();
    body.before = statements.len();
    let formals = body.declare(&head.formals, VariableKind::Formal(id));
    let mut locals = Vec::new();
    for (index, statement) in head.body.iter().enumerate() {
        if let StatementKind::Declare(names) = &statement.kind {
            locals.extend(body.declare(names, VariableKind::Local(id)));
        }
        body.declare_labels(index, &statement.labels);
    }
    let returns = (0..head.returns)
        .map(|i| {
            let name = format!("return#{i}");
            body.resolver.variable(&name, head.span, VariableKind::Return(id))
        })
        .collect();
    statements.extend(head.body.iter().map(|s| body.statement(s)));
    Resolved { formals, locals, returns, statements }
}

/// Kinds of names, so that each unknown one is reported once per procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Variable,
    Label,
    Procedure,
}

/// The place of an expression.
#[derive(Clone, Copy)]
pub(super) enum Place<'s> {
    /// `'x` has no meaning here.
    Plain,
    /// The expression is a value of an assignment, where variables of other threads may be read.
    Assigned,
    /// The expression is in `constrain`, after an assignment to these variables.
    Constrain(&'s FxHashSet<VarId>),
}

pub(super) struct Body<'r, 'a> {
    pub(super) resolver: &'r mut Resolver<'a>,
    pub(super) id: ProcId,
    /// Statements before those of the text.
    before: usize,
    head: &'a ProcedureSyntax,
    /// Formals and locals.
    own: FxHashMap<&'a str, VarId>,
    /// Labels, with the indices of their statements and their positions.
    labels: FxHashMap<&'a str, (usize, Span)>,
    /// Error labels of several statements, each with its second place: there are no jumps to them.
    ambiguous: FxHashMap<&'a str, Span>,
    unknown: FxHashSet<(Kind, &'a str)>,
}

impl<'a> Body<'_, 'a> {
    /// The values with which the program starts, where it starts here.  No variable of the procedure
    /// is declared yet.
    fn initial(&mut self) -> Vec<Statement> {
        if self.resolver.entry != Some(self.id) {
            return Vec::new();
        }
        let mut statements = Vec::new();
        for (name, value) in std::mem::take(&mut self.resolver.initial) {
            let Some(&target) = self.resolver.global_names.get(name.text.as_str()) else {
                continue;
            };
            let values = vec![self.plain(value)];
            let span = name.span.to(value.span());
            let assignment = Assignment { targets: vec![target], values, constrain: None };
            let step = Step::Do(Operation::Assign(assignment));
            statements.push(Statement { labels: Vec::new(), error: false, span, step });
        }
        statements
    }

    fn declare(&mut self, names: &'a [Name], kind: VariableKind) -> Vec<VarId> {
        let mut ids = Vec::with_capacity(names.len());
        for name in names {
            if !self.resolver.declarable(name) {
                continue;
            }
            if let Some(&first) = self.own.get(name.text.as_str()) {
                let what = match kind {
                    VariableKind::Formal(_) => "parameter",
                    _ => "local variable",
                };
                let first = self.resolver.variables[first.index()].span;
                self.resolver.report.duplicate(what, name, first);
            } else {
                let id = self.resolver.variable(&name.text, name.span, kind);
                self.own.insert(&name.text, id);
                ids.push(id);
            }
        }
        ids
    }

    fn declare_labels(&mut self, index: usize, labels: &'a [Name]) {
        for label in labels {
            let &mut (owner, first) = self.labels.entry(&label.text).or_insert((index, label.span));
            if owner == index {
                continue;
            }
            if self.resolver.options.error_labels.contains(&label.text) {
                self.ambiguous.entry(&label.text).or_insert(label.span);
            } else {
                self.resolver.report.duplicate("label", label, first);
            }
        }
    }

    fn statement(&mut self, statement: &'a syntax::Statement) -> Statement {
        let errors = &self.resolver.options.error_labels;
        let error = statement.labels.iter().any(|l| errors.contains(&l.text));
        let mut seen = FxHashSet::default();
        let labels = statement.labels.iter().map(|l| l.text.as_str());
        let labels = labels.filter(|l| seen.insert(*l)).map(str::to_owned).collect();
        let span = statement.span;
        let mut step = self.step(&statement.kind, span);
        if let Step::Do(Operation::Call(call)) = step {
            let starts = self.resolver.with_threads && statement.labels.iter().any(is_async);
            step = if starts { started(call) } else { Step::Do(Operation::Call(call)) };
        }
        Statement { labels, error, span, step }
    }

    fn step(&mut self, kind: &'a StatementKind, span: Span) -> Step {
        match kind {
            StatementKind::Skip => Step::Do(Operation::Skip),
            StatementKind::Assign { targets, values, constrain } => {
                self.assigned(targets, values, constrain.as_ref(), span)
            }
            StatementKind::Call { targets, procedure, arguments } => {
                Step::Do(self.call(targets, procedure, arguments, span))
            }
            StatementKind::Assume(e) => Step::Do(Operation::Assume(self.plain(e))),
            StatementKind::Assert(e) => {
                let holds = self.plain(e);
                self.check(negated(&holds), holds, EdgeRole::AssertFails)
            }
            StatementKind::AbortIf(e) => {
                let fails = self.plain(e);
                let holds = negated(&fails);
                self.check(fails, holds, EdgeRole::Abort)
            }
            StatementKind::Enforce(e) => Step::Enforce(self.plain(e)),
            StatementKind::Goto(names) => {
                let mut targets = Vec::with_capacity(names.len());
                let mut seen = FxHashSet::default();
                for name in names {
                    let target = self.label(name);
                    targets.extend(target.filter(|t| seen.insert(*t)));
                }
                Step::Goto(targets)
            }
            StatementKind::Return(values) => {
                let resolved: Vec<Expr> = values.iter().map(|v| self.plain(v)).collect();
                if values.len() != self.head.returns {
                    self.wrong_return(values.len(), span);
                }
                Step::Return(resolved)
            }
            StatementKind::Declare(names) => {
                let own = &self.own;
                let ids = names.iter().filter_map(|n| own.get(n.text.as_str()).copied());
                Step::Declare(ids.collect())
            }
            StatementKind::Dead(names) => {
                let mut seen = FxHashSet::default();
                let mut ids = Vec::with_capacity(names.len());
                for name in names {
                    let id = self.variable(&name.text, name.span);
                    ids.extend(id.filter(|v| seen.insert(*v)));
                }
                Step::Do(havoc(&ids))
            }
            StatementKind::Print(values) => {
                for value in values {
                    self.plain(value);
                }
                Step::Do(Operation::Skip)
            }
            StatementKind::StartThread(Start::At(label)) => {
                self.label(label).map_or(Step::Do(Operation::Skip), Step::StartAt)
            }
            StatementKind::StartThread(Start::Call { procedure, arguments }) => {
                match self.call(&[], procedure, arguments, span) {
                    Operation::Call(call) => started(call),
                    other => Step::Do(other),
                }
            }
            StatementKind::EndThread => Step::EndThread,
            StatementKind::AtomicBegin => Step::Threads(Operation::Skip, ThreadStep::AtomicBegin),
            StatementKind::AtomicEnd => Step::Threads(Operation::Skip, ThreadStep::AtomicEnd),
            StatementKind::If(e) => Step::If(self.plain(e)),
            StatementKind::ElseIf(e) => Step::ElseIf(self.plain(e)),
            StatementKind::Else => Step::Else,
            StatementKind::EndIf => Step::EndIf,
            StatementKind::While(e) => Step::While(self.plain(e)),
            StatementKind::EndWhile => Step::EndWhile,
        }
    }

    fn check(&self, fails: Expr, holds: Expr, role: EdgeRole) -> Step {
        if self.resolver.options.check_asserts {
            Step::Check { fails, holds, role }
        } else {
            Step::Do(Operation::Skip)
        }
    }

    fn wrong_return(&mut self, given: usize, span: Span) {
        let (name, returns) = (&self.head.name.text, self.head.returns);
        let message = if returns == 0 {
            format!("procedure '{name}' returns no values")
        } else {
            format!("procedure '{name}' returns {}", count(returns, "value"))
        };
        let label = format!("{given} given");
        self.resolver.report.add(DiagnosticKind::Arity, span, message, label).related =
            Some((self.head.span, "declared here".to_owned()));
    }

    /// The assigned variables; `None` for `_` and for undeclared names.
    fn targets(&mut self, targets: &'a [Target]) -> Vec<Option<VarId>> {
        let mut first: FxHashMap<VarId, Span> = FxHashMap::default();
        let mut ids = Vec::with_capacity(targets.len());
        for target in targets {
            let Target::Variable(name) = target else {
                ids.push(None);
                continue;
            };
            let passive = self.passive_target(name);
            let id = passive.or_else(|| self.variable(&name.text, name.span));
            if let Some(id) = id
                && let Some(before) = first.insert(id, name.span)
            {
                let message = format!("'{}' is assigned twice in one statement", name.text);
                let kind = DiagnosticKind::Duplicate;
                self.resolver.report.add(kind, name.span, message, "assigned again here").related =
                    Some((before, "first assigned here".to_owned()));
                first.insert(id, before);
            }
            ids.push(id);
        }
        ids
    }

    pub(super) fn assignment(
        &mut self,
        targets: &'a [Target],
        values: &'a [Expression],
        constrain: Option<&'a Expression>,
        span: Span,
    ) -> Operation {
        let ids = self.targets(targets);
        let resolved: Vec<Expr> =
            values.iter().map(|v| self.expression(v, Place::Assigned)).collect();
        if ids.len() != resolved.len() {
            let (t, v) = (count(ids.len(), "target"), count(resolved.len(), "value"));
            let message = format!("assignment of {v} to {t}");
            self.resolver.report.add(DiagnosticKind::Arity, span, message, "");
        }
        let assigned: FxHashSet<VarId> = ids.iter().flatten().copied().collect();
        let constrain = constrain.map(|e| self.expression(e, Place::Constrain(&assigned)));
        let (targets, values): (Vec<VarId>, Vec<Expr>) =
            ids.into_iter().zip(resolved).filter_map(|(t, v)| Some((t?, v))).unzip();
        match constrain {
            _ if !targets.is_empty() => {
                Operation::Assign(Assignment { targets, values, constrain })
            }
            Some(condition) => Operation::Assume(condition),
            None => Operation::Skip,
        }
    }

    fn call(
        &mut self,
        targets: &'a [Target],
        procedure: &'a Name,
        arguments: &'a [Expression],
        span: Span,
    ) -> Operation {
        let mut ids = self.targets(targets);
        let arguments: Vec<Expr> = arguments.iter().map(|a| self.plain(a)).collect();
        let name = procedure.text.as_str();
        let Some(&callee) = self.resolver.procedure_names.get(name) else {
            self.unknown_procedure(procedure);
            return Operation::Skip;
        };
        let head = self.resolver.heads[callee.index()];
        let mut wrong = |message: String, label: String| {
            self.resolver.report.add(DiagnosticKind::Arity, span, message, label).related =
                Some((head.span, "declared here".to_owned()));
        };
        let (formals, returns) = (head.formals.len(), head.returns);
        if arguments.len() != formals {
            let message = format!("procedure '{name}' takes {}", count(formals, "argument"));
            wrong(message, format!("{} given", arguments.len()));
        }
        if ids.is_empty() {
            ids = vec![None; returns];
        } else if ids.len() != returns {
            let message = if returns == 0 {
                format!("procedure '{name}' returns no values")
            } else {
                format!("procedure '{name}' returns {}", count(returns, "value"))
            };
            wrong(message, format!("assigned to {}", count(ids.len(), "target")));
        }
        Operation::Call(Call { callee, arguments, targets: ids })
    }

    fn unknown_procedure(&mut self, name: &'a Name) {
        if !self.unknown.insert((Kind::Procedure, &name.text)) {
            return;
        }
        let text = name.text.as_str();
        let names = self.resolver.heads.iter().map(|h| h.name.text.as_str());
        let hint = if self.own.contains_key(text) || self.resolver.global_names.contains_key(text) {
            Some(format!("'{text}' is a variable"))
        } else {
            let near = self.resolver.report.suggestions.nearest(text, names);
            near.map(|n| format!("did you mean '{n}'?"))
        };
        let message = format!("undeclared procedure '{text}'");
        let kind = DiagnosticKind::Undeclared;
        self.resolver.report.add(kind, name.span, message, "not declared").hint = hint;
    }

    /// The index of the statement that carries a label.
    fn label(&mut self, name: &'a Name) -> Option<usize> {
        let text = name.text.as_str();
        if let Some(&(index, _)) = self.labels.get(text) {
            if let Some(&second) = self.ambiguous.get(text) {
                let message = format!("the label '{text}' of this jump is declared twice");
                let report = &mut self.resolver.report;
                let jump = report.add(DiagnosticKind::Duplicate, name.span, message, "which one?");
                jump.related = Some((second, "declared again here".to_owned()));
                let hint = "an error label may stand at several statements if nothing jumps to it";
                jump.hint = Some(hint.to_owned());
            }
            return Some(index + self.before);
        }
        if self.unknown.insert((Kind::Label, text)) {
            let here = self.head.name.text.as_str();
            let hint = if let Some(owner) = self.resolver.elsewhere.labels.get(text) {
                Some(format!("'{text}' is a label of procedure '{owner}'; goto stays inside one"))
            } else {
                let labels = self.labels.keys().copied();
                let near = self.resolver.report.suggestions.nearest(text, labels);
                near.map(|n| format!("did you mean '{n}'?"))
            };
            let message = format!("procedure '{here}' has no label '{text}'");
            let kind = DiagnosticKind::UnknownLabel;
            self.resolver.report.add(kind, name.span, message, "unknown label").hint = hint;
        }
        None
    }

    pub(super) fn lookup(&self, text: &str) -> Option<VarId> {
        self.own.get(text).or_else(|| self.resolver.global_names.get(text)).copied()
    }

    fn variable(&mut self, text: &'a str, span: Span) -> Option<VarId> {
        let found = self.lookup(text);
        if found.is_none() {
            if text == "_" {
                let message = "'_' has no value".to_owned();
                let label = "only a target of an assignment or call can be '_'";
                self.resolver.report.add(DiagnosticKind::Misplaced, span, message, label);
            } else if self.unknown.insert((Kind::Variable, text)) {
                let hint = self.variable_hint(text);
                let message = format!("undeclared variable '{text}'");
                let kind = DiagnosticKind::Undeclared;
                self.resolver.report.add(kind, span, message, "not declared").hint = hint;
            }
        }
        found
    }

    fn variable_hint(&mut self, text: &str) -> Option<String> {
        if self.resolver.procedure_names.contains_key(text) {
            return Some(format!(
                "'{text}' is a procedure; its value must be assigned to a variable first"
            ));
        }
        if self.labels.contains_key(text) {
            return Some(format!("'{text}' is a label"));
        }
        if let Some(owner) = self.resolver.elsewhere.variables.get(text) {
            return Some(format!("'{text}' is a variable of procedure '{owner}' only"));
        }
        let names = self.own.keys().chain(self.resolver.global_names.keys()).copied();
        let near = self.resolver.report.suggestions.nearest(text, names);
        near.map(|n| format!("did you mean '{n}'?"))
    }

    fn plain(&mut self, expression: &'a Expression) -> Expr {
        self.expression(expression, Place::Plain)
    }

    /// Resolves an expression.  After a mistake, a constant replaces the operand.
    fn expression(&mut self, expression: &'a Expression, place: Place) -> Expr {
        let mut ops = Vec::with_capacity(expression.nodes.len());
        for node in &expression.nodes {
            ops.push(match &node.operator {
                Operator::Constant(value) => Op::Constant(*value),
                Operator::Variable(name) => match (self.lookup(name), name.as_str()) {
                    (None, "true") => Op::Constant(true),
                    (None, "false") => Op::Constant(false),
                    (None, _) if let Some(v) = self.passive(name, node.span) => {
                        self.may_be_passive(name, node.span, place);
                        Op::Variable(v)
                    }
                    _ => self.variable(name, node.span).map_or(Op::Constant(false), Op::Variable),
                },
                Operator::Next(name) => self.next(name, node.span, place),
                Operator::Nondet => Op::Nondet,
                Operator::Not => Op::Not,
                Operator::And => Op::And,
                Operator::Or => Op::Or,
                Operator::Xor | Operator::NotEqual => Op::Xor,
                Operator::Equal => Op::Equal,
                Operator::Implies => Op::Implies,
                Operator::Choose => Op::Choose,
            });
        }
        Expr { ops: ops.into() }
    }

    fn next(&mut self, name: &'a str, span: Span, place: Place) -> Op {
        let Place::Constrain(assigned) = place else {
            let message = format!("next-state value of '{name}' outside 'constrain'");
            let report = &mut self.resolver.report;
            report.add(DiagnosticKind::Misplaced, span, message, "no next state here").hint =
                Some("only 'constrain' after an assignment sees the next state".to_owned());
            return Op::Constant(false);
        };
        let passive = if self.lookup(name).is_none() { self.passive(name, span) } else { None };
        match passive.or_else(|| self.variable(name, span)) {
            Some(v) if assigned.contains(&v) => Op::Next(v),
            Some(v) => Op::Variable(v),
            None => Op::Constant(false),
        }
    }
}

/// A thread that executes what is called.
fn started(call: Call) -> Step {
    Step::Threads(Operation::Skip, ThreadStep::Call(call))
}
