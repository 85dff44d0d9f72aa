//! The top level: global declarations and procedures.

use super::mistakes;
use super::reader::{Failure, Node, Reader, Rule};
use super::state::Parser;
use crate::language::syntax::{Item, Name, ProcedureSyntax, SyntaxTree};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Most values that a procedure may return.
const MAX_RETURNS: usize = 65_536;

impl Parser {
    /// The whole file.
    pub(super) fn program(&mut self, reader: &mut Reader<'_>) -> SyntaxTree {
        let mut tree = SyntaxTree::default();
        loop {
            self.may_stop(reader);
            let failure = match reader.read(Rule::item, self.at) {
                Ok(node) => {
                    self.at = node.end();
                    let parts = node.children().next();
                    match (node.rule(), parts) {
                        (Rule::end_of_text, _) => return tree,
                        (Rule::global, _) => self.global(&node, &mut tree),
                        (Rule::procedure, Some(head)) => {
                            let head = self.head(&head);
                            tree.items.push(self.procedure(reader, head));
                        }
                        (Rule::foreign_global, _) => self.foreign_global(reader, &node),
                        _ => {}
                    }
                    continue;
                }
                Err(failure) => failure,
            };
            if !self.strange(reader, failure.at) {
                self.broken_item(reader, &failure, &mut tree);
            }
        }
    }

    /// `decl x, y := e;`
    fn global(&mut self, node: &Node<'_>, tree: &mut SyntaxTree) {
        let is_local = node.children().any(|part| part.rule() == Rule::THREAD_LOCAL);
        let (names, given) = self.declared(node);
        let mut given = given.into_iter().peekable();
        let mut plain = Vec::new();
        let declaration = if is_local { Item::ThreadLocal } else { Item::Declaration };
        for (index, name) in names.into_iter().enumerate() {
            let Some((_, value)) = given.next_if(|(at, _)| *at == index) else {
                plain.push(name);
                continue;
            };
            if !plain.is_empty() {
                tree.items.push(declaration(std::mem::take(&mut plain)));
            }
            if is_local {
                let hint = "assign the value at the beginning of the program";
                let message = "a variable of each thread has no value here";
                self.syntax(value.span(), message, "not allowed here", hint);
            }
            match tree.items.last_mut() {
                Some(Item::Initial { names, values }) if index > 0 && plain.is_empty() => {
                    names.push(name);
                    values.push(value);
                }
                _ => tree.items.push(Item::Initial { names: vec![name], values: vec![value] }),
            }
        }
        if !plain.is_empty() {
            tree.items.push(declaration(plain));
        }
    }

    /// Reports what is wrong with an item, and goes on after it.
    fn broken_item(&mut self, reader: &mut Reader<'_>, failure: &Failure, tree: &mut SyntaxTree) {
        let start = self.token(reader);
        if failure.at == start {
            let previous = match tree.items.last() {
                Some(Item::Procedure(procedure)) => Some(procedure.end),
                _ => None,
            };
            self.report(start, mistakes::stray(reader, start, previous));
            self.skip(reader, Rule::stray_item);
            return;
        }
        if failure.expected.contains(&Rule::BEGIN) {
            self.unreadable(reader, failure, start);
            let head = reader.test(Rule::procedure_head, start).map(|head| self.head(&head));
            let ends = reader.test(Rule::no_body, failure.at).is_some();
            if let Some(head) = head
                && !ends
            {
                self.procedure(reader, head);
                return;
            }
        } else if reader.test(Rule::DECL, start).is_some() {
            if failure.expected.contains(&Rule::semicolon) {
                let end = reader.row(start, failure.at).end;
                self.missing_semicolon(reader, "the declaration", end, failure.at);
                if reader.new_line(end, failure.at) {
                    return;
                }
            } else {
                self.unreadable(reader, failure, start);
            }
        } else {
            self.unreadable(reader, failure, start);
            self.skip(reader, Rule::rest_of_procedure_head);
            let begin = reader.test(Rule::BEGIN, self.at).map(|begin| begin.end());
            if let Some(body) = begin {
                // It is still read, to report the mistakes in it.
                self.at = body;
                let span = Span::new(start, failure.at);
                let name = Name { text: String::new(), span };
                let formals = Vec::new();
                self.procedure(reader, Head { name, dfs: false, returns: 0, formals, span });
                return;
            }
        }
        self.skip(reader, Rule::rest_of_item);
    }

    /// Reports that `;` is missing after the token that ends at `end`; the next begins at `at`.
    pub(super) fn missing_semicolon(
        &mut self,
        reader: &Reader<'_>,
        after: &str,
        end: usize,
        at: usize,
    ) {
        let message = format!("expected ';' after {after}, found {}", reader.found(at).1);
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, Span::new(end, end), message);
        self.report(at, diagnostic.with_label("';' is missing here"));
        self.at = at;
    }

    /// A procedure; its head and `begin` have been read.
    fn procedure(&mut self, reader: &mut Reader<'_>, head: Head) -> Item {
        let (body, end) = self.body(reader, &head.name.text, head.span);
        let Head { name, dfs, returns, formals, span } = head;
        Item::Procedure(ProcedureSyntax { name, dfs, returns, formals, body, span, end })
    }

    /// Type, name and parameters.
    fn head(&mut self, node: &Node<'_>) -> Head {
        let span = node.span();
        let mut head = Head {
            name: Name { text: String::new(), span },
            dfs: false,
            returns: 0,
            formals: Vec::new(),
            span,
        };
        let mut typed = true;
        for part in node.children() {
            match part.rule() {
                Rule::DFS => head.dfs = true,
                Rule::BOOL => head.returns = 1,
                Rule::width => head.returns = self.width(&part),
                Rule::missing_type => typed = false,
                Rule::procedure_name | Rule::reserved_as_name if head.name.text.is_empty() => {
                    if !typed {
                        let hint = "a procedure begins with its type: 'void', 'bool' or 'bool<2>'";
                        self.expected("'void' or 'bool'", part.span(), part.text(), hint);
                    }
                    head.name = self.name(&part, "the name of a procedure");
                }
                Rule::parameter | Rule::reserved_as_name => {
                    head.formals.push(self.name(&part, "the name of a parameter"));
                }
                Rule::typed_parameter => {
                    let mut names = part.children();
                    if let Some(word) = names.next() {
                        let hint = "parameters have no type: all are Boolean";
                        let name = "the name of a parameter";
                        self.expected(name, word.span(), word.text(), hint);
                    }
                    let name = names.next().map(|n| self.name(&n, "the name of a parameter"));
                    head.formals.extend(name);
                }
                _ => {}
            }
        }
        head
    }

    /// The number in `bool<n>`.
    fn width(&mut self, node: &Node<'_>) -> usize {
        let returns = node.text().parse::<usize>().unwrap_or(usize::MAX);
        if returns == 0 || returns > MAX_RETURNS {
            let message = format!("a procedure cannot return {} values", node.text());
            let most = format!("at most {MAX_RETURNS}");
            let (label, hint) = match returns {
                0 => ("at least 1", "a procedure without values has the type 'void'"),
                _ => (most.as_str(), ""),
            };
            self.syntax(node.span(), message, label, hint);
        }
        returns.clamp(1, MAX_RETURNS)
    }

    /// `bool x, y;`
    fn foreign_global(&mut self, reader: &Reader<'_>, node: &Node<'_>) {
        let name = node.children().nth(1).map_or(node.span(), |name| name.span());
        let behind = reader.read(Rule::gaps, name.end as usize).map_or(0, |gaps| gaps.end());
        let (span, found) = reader.found(behind);
        let diagnostic = mistakes::expected("'('", span, &found)
            .with_related(Span { end: name.end, ..node.span() }, "in the head of this procedure")
            .with_hint("variables are declared by 'decl x, y;'");
        self.report(behind, diagnostic);
    }
}

/// A procedure without its body.
struct Head {
    name: Name,
    dfs: bool,
    returns: usize,
    formals: Vec<Name>,
    span: Span,
}
