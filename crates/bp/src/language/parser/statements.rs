//! Statements: the matches of the grammar as entries of the syntax tree.

use super::blocks::{BlockKind, Body};
use super::mistakes;
use super::reader::{Node, Rule};
use super::state::{NO_EXPRESSION, Parser};
use crate::language::syntax::{Expression, Name, Start, Statement, StatementKind, Target};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Parser {
    /// A statement with its labels.
    pub(super) fn statement(&mut self, node: &Node<'_>, body: &mut Body) {
        let mut labels: Vec<Name> = Vec::new();
        for part in node.children() {
            let span = part.span();
            let inner = part.children().next();
            let (kind, span) = match (part.rule(), inner) {
                (Rule::label, Some(name)) => {
                    labels.push(self.name(&name, "a label"));
                    continue;
                }
                (Rule::if_head, Some(word)) => {
                    self.open(body, BlockKind::If, word.name());
                    let (condition, end) = self.condition(&part);
                    (StatementKind::If(condition), word.span().to(end))
                }
                (Rule::while_head, Some(word)) => {
                    self.open(body, BlockKind::While, word.name());
                    let (condition, end) = self.condition(&part);
                    (StatementKind::While(condition), word.span().to(end))
                }
                (Rule::action, Some(action)) if action.rule() == Rule::declaration => {
                    let labels = std::mem::take(&mut labels);
                    self.declaration(&action, labels, body);
                    continue;
                }
                (Rule::action, Some(action)) => (self.action(&action), span),
                (Rule::foreign_statement, Some(word)) => {
                    return self.foreign_statement(&word, body);
                }
                // `;`
                _ => continue,
            };
            let labels = std::mem::take(&mut labels);
            body.statements.push(Statement { labels, kind, span });
        }
        if let Some(span) = labels.last().map(|l| l.span) {
            body.statements.push(Statement { labels, kind: StatementKind::Skip, span });
        }
    }

    fn action(&mut self, node: &Node<'_>) -> StatementKind {
        let mut one =
            |node: &Node<'_>| self.expressions(node.children()).pop().unwrap_or(NO_EXPRESSION);
        match node.rule() {
            Rule::assume => StatementKind::Assume(one(node)),
            Rule::assert => StatementKind::Assert(one(node)),
            Rule::abort_if => StatementKind::AbortIf(one(node)),
            Rule::enforce => StatementKind::Enforce(one(node)),
            Rule::dead => StatementKind::Dead(self.names(node, "the name of a variable")),
            Rule::goto => StatementKind::Goto(self.names(node, "a label")),
            Rule::return_values => StatementKind::Return(self.expressions(node.children())),
            Rule::print => StatementKind::Print(self.arguments(node)),
            Rule::call => self.call(node, Vec::new()),
            Rule::assignment => self.assignment(node),
            Rule::start_thread => self.start_thread(node),
            Rule::end_thread => StatementKind::EndThread,
            Rule::atomic_begin => StatementKind::AtomicBegin,
            Rule::atomic_end => StatementKind::AtomicEnd,
            Rule::sync => self.sync(node),
            _ => StatementKind::Skip,
        }
    }

    /// `decl x, y := e`: a declaration, and an assignment of the values that are given.
    fn declaration(&mut self, node: &Node<'_>, labels: Vec<Name>, body: &mut Body) {
        let span = node.span();
        let (names, given) = self.declared(node);
        let (targets, values): (Vec<_>, Vec<_>) = (given.into_iter())
            .filter_map(|(at, value)| Some((Target::Variable(names.get(at)?.clone()), value)))
            .unzip();
        let kind = StatementKind::Declare(names);
        body.statements.push(Statement { labels, kind, span });
        if !targets.is_empty() {
            let kind = StatementKind::Assign { targets, values, constrain: None };
            body.statements.push(Statement { labels: Vec::new(), kind, span });
        }
    }

    /// The names of `decl x, y := e`, and the values, each with the index of its name.
    pub(super) fn declared(&mut self, node: &Node<'_>) -> (Vec<Name>, Vec<(usize, Expression)>) {
        let (mut seen, mut values) = (0, Vec::new());
        for part in node.children() {
            match part.rule() {
                Rule::variable | Rule::reserved_as_name => seen += 1,
                Rule::initial_value if part.text().starts_with('=') => {
                    let start = part.span().start as usize;
                    let hint = "a value is given by ':=', as in 'decl x := T'";
                    self.expected("',', ';' or ':='", Span::new(start, start + 1), "=", hint);
                }
                Rule::initial_value => {
                    let value = self.expressions(part.children()).pop();
                    values.extend(value.map(|value| (seen - 1, value)));
                }
                _ => {}
            }
        }
        (self.names(node, "the name of a variable"), values)
    }

    /// `start_thread goto L`, or `start_thread f(..)`.
    fn start_thread(&mut self, node: &Node<'_>) -> StatementKind {
        let call = node.children().find(|part| part.rule() == Rule::call);
        StatementKind::StartThread(match call {
            Some(call) => match self.call(&call, Vec::new()) {
                StatementKind::Call { procedure, arguments, .. } => {
                    Start::Call { procedure, arguments }
                }
                other => return other,
            },
            None => {
                let label = self.names(node, "a label").pop();
                Start::At(label.unwrap_or(Name { text: String::new(), span: node.span() }))
            }
        })
    }

    /// `sync x`, of which no tool says what it does.
    fn sync(&mut self, node: &Node<'_>) -> StatementKind {
        let word = node.children().next().map_or(node.span(), |word| word.span());
        let diagnostic =
            Diagnostic::new(DiagnosticKind::Unsupported, word, "'sync' is not supported")
                .with_label("the synchronisation of two threads on an event")
                .with_hint("let one thread set a variable, and the other 'assume' that it is set");
        self.report(word.start as usize, diagnostic);
        StatementKind::Skip
    }

    /// `f(..)`, possibly after `x, y :=`.
    fn call(&mut self, node: &Node<'_>, targets: Vec<Target>) -> StatementKind {
        let name = "the name of a procedure";
        let procedure = self.names(node, name).pop();
        let arguments = self.arguments(node);
        let procedure = procedure.unwrap_or(Name { text: String::new(), span: node.span() });
        StatementKind::Call { targets, procedure, arguments }
    }

    /// The expressions within `( )`.
    fn arguments(&mut self, node: &Node<'_>) -> Vec<Expression> {
        let arguments = node.children().find(|part| part.rule() == Rule::arguments);
        arguments.map_or(Vec::new(), |arguments| self.expressions(arguments.children()))
    }

    /// `x, y := e, e constrain e`, or `x, y := f(..)`.
    fn assignment(&mut self, node: &Node<'_>) -> StatementKind {
        let (mut targets, mut left) = (Vec::new(), node.span());
        for part in node.children() {
            match part.rule() {
                Rule::targets => {
                    left = part.span();
                    targets = part.children().map(|target| self.target(&target)).collect();
                }
                Rule::no_assign => self.no_assign(left, &part),
                Rule::called => return self.call(&part, targets),
                Rule::values => return self.values(&part, targets, left),
                _ => {}
            }
        }
        StatementKind::Skip
    }

    fn target(&mut self, node: &Node<'_>) -> Target {
        if node.text() == "_" {
            Target::Discard(node.span())
        } else {
            Target::Variable(self.name(node, "the name of a variable"))
        }
    }

    /// The values after `x, y :=`; `left` is the position of `x, y`.
    fn values(&mut self, node: &Node<'_>, targets: Vec<Target>, left: Span) -> StatementKind {
        let mut values = self.expressions(node.children());
        let constrained = node.children().any(|part| part.rule() == Rule::CONSTRAIN);
        let constrain = if constrained { values.pop() } else { None };
        if targets.len() != values.len() {
            let places = node.children().filter(|part| part.rule() == Rule::expression);
            let last = places.take(values.len()).last().unwrap_or(node.clone());
            let right = Span { end: last.span().end, ..node.span() };
            let counted =
                |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
            let (found, wanted) =
                (counted(values.len(), "value"), counted(targets.len(), "variable"));
            let message = format!("{found} for {wanted}");
            let diagnostic = Diagnostic::new(DiagnosticKind::Arity, right, message);
            let diagnostic = diagnostic.with_label(found).with_related(left, wanted);
            self.report(right.start as usize, diagnostic);
        }
        StatementKind::Assign { targets, values, constrain }
    }

    /// The names in a list, including tokens meant as names.
    pub(super) fn names(&mut self, node: &Node<'_>, expected: &str) -> Vec<Name> {
        use Rule::{callee, label_name, parameter, procedure_name, reserved_as_name, variable};
        let is_name = |part: &Node<'_>| {
            matches!(
                part.rule(),
                callee | label_name | parameter | procedure_name | reserved_as_name | variable
            )
        };
        node.children().filter(is_name).map(|part| self.name(&part, expected)).collect()
    }

    /// A name; `expected` describes it in messages.
    pub(super) fn name(&mut self, node: &Node<'_>, expected: &str) -> Name {
        let (text, span) = (node.text(), node.span());
        use Rule::{reserved_as_label, reserved_as_name, reserved_as_target};
        if matches!(node.rule(), reserved_as_label | reserved_as_name | reserved_as_target) {
            self.expected(expected, span, text, &mistakes::reserved(text));
        } else if text == "_" {
            let message = format!("'_' stands where {expected} is needed");
            let diagnostic = Diagnostic::new(DiagnosticKind::Misplaced, span, message);
            let hint = "'_' is allowed only left of ':=', to drop a value";
            self.report(span.start as usize, diagnostic.with_label("not a name").with_hint(hint));
        }
        node.name()
    }

    /// `bool x;`, or a block `begin .. end`.
    fn foreign_statement(&mut self, word: &Node<'_>, body: &mut Body) {
        let hint = if word.rule() == Rule::BEGIN {
            self.open(body, BlockKind::Stray, word.name());
            "there are no blocks 'begin .. end' in a body"
        } else {
            "variables are declared by 'decl x, y;'"
        };
        self.expected("a statement", word.span(), word.text(), hint);
    }

    /// `=` or `: =` after the targets.
    fn no_assign(&mut self, targets: Span, sign: &Node<'_>) {
        if sign.text().starts_with(':') {
            let hint = "an assignment is written ':=', in one piece";
            self.expected("':='", targets.to(sign.span()), sign.text(), hint);
        } else {
            let (span, text) = (sign.span(), sign.text());
            self.expected("':=', '(' or ':'", span, text, "did you mean ':='?");
        }
    }
}
