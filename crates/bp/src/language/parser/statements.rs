//! Statements: the matches of the grammar as entries of the syntax tree.

use super::blocks::{BlockKind, Body};
use super::mistakes;
use super::reader::{Node, Rule};
use super::state::{NO_EXPRESSION, Parser};
use crate::language::syntax::{Expression, Name, Statement, StatementKind, Target};
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
                    labels.push(self.label(&name));
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
                (Rule::action, Some(action)) => (self.action(&action), span),
                (Rule::concurrency, _) => return self.concurrency(&part),
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
            Rule::declaration => StatementKind::Declare(self.declared(node)),
            Rule::dead => StatementKind::Dead(self.names(node, "the name of a variable")),
            Rule::goto => StatementKind::Goto(self.names(node, "a label")),
            Rule::return_values => StatementKind::Return(self.expressions(node.children())),
            Rule::print => StatementKind::Print(self.arguments(node)),
            Rule::call => self.call(node, Vec::new()),
            Rule::assignment => self.assignment(node),
            _ => StatementKind::Skip,
        }
    }

    /// `decl x, y`.
    pub(super) fn declared(&mut self, node: &Node<'_>) -> Vec<Name> {
        for part in node.children().filter(|part| part.rule() == Rule::initial_value) {
            let sign = if part.text().starts_with(':') { ":=" } else { "=" };
            let start = part.span().start as usize;
            let place = Span::new(start, start + sign.len());
            let hint = "a declaration cannot initialise a variable; assign its value in the body";
            self.expected("',' or ';'", place, sign, hint);
        }
        self.names(node, "the name of a variable")
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

    fn label(&mut self, node: &Node<'_>) -> Name {
        let label = self.name(node, "a label");
        if label.text.starts_with("ASYNC") {
            self.unsupported(label.span, &format!("the thread label '{}'", label.text));
        }
        label
    }

    /// Reports a word of concurrent programs; the statement after it is read normally.
    pub(super) fn concurrency(&mut self, node: &Node<'_>) {
        let word = node.children().next().unwrap_or(node.clone());
        self.unsupported(word.span(), &format!("'{}'", word.text()));
    }

    /// Reports a construct of concurrent programs.
    fn unsupported(&mut self, span: Span, what: &str) {
        let message = format!("{what} is not supported");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message)
            .with_label("a construct of concurrent programs")
            .with_hint("hardbop checks sequential programs only");
        self.report(span.start as usize, diagnostic);
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
