//! The statements in function bodies.

use crate::flow::{Instruction, LocationId, Violation};
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::declaration::enter::Where;
use crate::syntax::tree::{
    AsmStatement, BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement,
    IfStatement, Label, LabeledStatement, Node, Statement, StaticAssert, WhileStatement,
};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    /// Processes the items of a block in order; a mistake only ends its own item.
    pub fn block_items(&mut self, items: &[Node<BlockItem>]) {
        for item in items {
            if self.enough() {
                return;
            }
            match &item.node {
                BlockItem::Declaration(declaration) => {
                    let span = self.span(declaration);
                    self.drop_invariants(None);
                    self.weave_statement(span);
                    self.declaration(declaration, Where::Block);
                }
                BlockItem::StaticAssert(assertion) => {
                    let _ = self.static_assert(assertion);
                }
                BlockItem::Statement(statement) => self.statement(statement),
            }
        }
        self.drop_invariants(None);
    }

    pub fn static_assert(&mut self, node: &Node<StaticAssert>) -> Typed<()> {
        let span = self.span(node);
        if self.constant_expression(&node.node.expression)?.0 == 0 {
            let message = "this static assertion does not hold".to_owned();
            return Err(self.type_error(span, message, "is 0"));
        }
        Ok(())
    }

    /// Processes a statement and reports mistakes in it.
    pub fn statement(&mut self, node: &Node<Statement>) {
        if !self.enough() {
            self.drop_invariants(Some(&node.node));
            // Jumps to a label do not pass what is in front of it.
            if !matches!(node.node, Statement::Labeled(_)) {
                let span = self.span(node);
                self.weave_statement(span);
            }
            let _ = self.try_statement(node);
        }
    }

    fn try_statement(&mut self, node: &Node<Statement>) -> Typed<()> {
        let span = self.span(node);
        match &node.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => {
                self.enter_block();
                self.block_items(items);
                self.leave_block();
                Ok(())
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.effect(expression),
            // Each is a block (C11, 6.8.4, 3, and 6.8.5, 5).
            Statement::If(node) => self.in_block(|c| c.if_statement(node)),
            Statement::Switch(node) => self.in_block(|c| c.switch(node)),
            Statement::While(node) => self.in_block(|c| c.while_statement(node)),
            Statement::DoWhile(node) => self.in_block(|c| c.do_statement(node)),
            Statement::For(node) => self.in_block(|c| c.for_parts(&node.node, span)),
            Statement::Goto(name) => {
                let at = self.span(name);
                let dry = self.dry > 0;
                let Some(label) = self.label(&name.node.name) else { return Ok(()) };
                if !dry {
                    label.used.get_or_insert(at);
                }
                let location = label.location;
                self.jump(location, span);
                Ok(())
            }
            Statement::Continue => {
                let target = self.current.as_ref().and_then(|c| c.continues.last().copied());
                self.leave_for(target, "continue", "loop", span)
            }
            Statement::Break => {
                let target = self.current.as_ref().and_then(|c| c.breaks.last().copied());
                self.leave_for(target, "break", "loop or switch", span)
            }
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::ComputedGoto(target) => {
                // The semicolon is no part of it.
                let span = Span { start: span.start, end: self.span(target).end };
                self.computed_goto(target, span)
            }
            Statement::Asm(node) => {
                self.assembler(node, span);
                Ok(())
            }
        }
    }

    /// A block begins.
    pub(in crate::parse) fn enter_block(&mut self) {
        self.scopes.enter();
        self.note_block();
    }

    /// The graph is in a new block from here on.
    pub(in crate::parse) fn note_block(&mut self) {
        if let Some(current) = &mut self.current {
            let next = current.builder.code().locations;
            current.blocks.enter(next);
        }
    }

    /// The innermost block ends.
    pub(in crate::parse) fn leave_block(&mut self) {
        self.scopes.leave();
        if let Some(current) = &mut self.current {
            let (next, here) = (current.builder.code().locations, current.builder.here());
            current.blocks.leave(next, here);
        }
    }

    fn in_block<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.enter_block();
        let result = work(self);
        self.leave_block();
        result
    }

    /// Processes a statement that is a part of another one, and a block as such.
    pub(super) fn inner_statement(&mut self, node: &Node<Statement>) {
        // It has its own block.
        if matches!(node.node, Statement::Compound(_)) {
            return self.statement(node);
        }
        self.in_block(|c| c.statement(node));
    }

    fn do_statement(&mut self, node: &Node<DoWhileStatement>) -> Typed<()> {
        let span = self.span(node);
        let (start, check, end) = (self.fresh(), self.fresh(), self.fresh());
        let invariants = self.take_invariants();
        self.jump(start, span);
        self.go_on_at(start);
        let _: Result<(), Failed> = self.invariants_hold(&invariants);
        self.weave_loop(span);
        self.loop_body(&node.node.statement, check, end);
        self.jump(check, span);
        self.go_on_at(check);
        self.weave_loop(span);
        let result = self.woven_branch(&node.node.expression, (start, end), span);
        self.go_on_at(end);
        result
    }

    fn leave_for(
        &mut self,
        target: Option<LocationId>,
        word: &str,
        what: &str,
        span: Span,
    ) -> Typed<()> {
        match target {
            Some(target) => {
                self.jump(target, span);
                Ok(())
            }
            None => Err(self.report(
                Diagnostic::new(
                    DiagnosticKind::Misplaced,
                    span,
                    format!("'{word}' outside of a {what}"),
                )
                .with_label(format!("no {what} around it")),
            )),
        }
    }

    fn labeled(&mut self, node: &Node<LabeledStatement>) -> Typed<()> {
        let statement = self.labels(node)?;
        self.statement(statement);
        Ok(())
    }

    /// Processes the labels in front of a statement, which is returned.
    pub fn labels<'t>(&mut self, node: &'t Node<LabeledStatement>) -> Typed<&'t Node<Statement>> {
        // `a: b: c: statement` may be long, so this is a loop.
        let mut node = node;
        loop {
            let (span, whole) = (self.span(&node.node.label), self.span(node));
            match &node.node.label.node {
                Label::Identifier(name) => {
                    self.place_label(&name.node.name, self.span(name), whole)?
                }
                Label::Case(value) => {
                    self.case(value, value, span)?;
                }
                Label::CaseRange(low, high) => self.case(low, high, span)?,
                Label::Default => self.default_case(span)?,
            }
            if !matches!(node.node.label.node, Label::Identifier(_)) {
                self.weave_statement(whole);
            }
            match &node.node.statement.node {
                Statement::Labeled(inner) => node = inner,
                _ => return Ok(&node.node.statement),
            }
        }
    }

    fn place_label(&mut self, name: &str, span: Span, whole: Span) -> Typed<()> {
        let dry = self.dry > 0;
        let Some(label) = self.label(name) else { return Ok(()) };
        if dry {
            // The label is defined a second time.
        } else if let Some(first) = label.defined.replace(span) {
            label.defined = Some(first);
            let message = format!("label '{name}' is defined twice");
            let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, span, message)
                .with_label("defined again")
                .with_related(first, "first defined here");
            return Err(self.report(diagnostic));
        }
        let location = label.location;
        if let Some(current) = self.current.as_mut().filter(|_| !dry) {
            current.blocks.place(location);
        }
        self.jump(location, span);
        self.go_on_at(location);
        self.weave_statement(whole);
        if self.options.property.error_labels.iter().any(|l| l == name) {
            self.error_labels.insert(name.to_owned());
            self.stop(Instruction::Error(Violation::Reached), span);
        }
        Ok(())
    }

    fn if_statement(&mut self, node: &Node<IfStatement>) -> Typed<()> {
        // A chain of `else if` may be long, so this is a loop.
        let end = self.fresh();
        let mut node = node;
        let mut blocks = 0_usize;
        loop {
            let span = self.span(node);
            let IfStatement { condition, then_statement, else_statement } = &node.node;
            if is_empty(then_statement) && else_statement.as_deref().is_none_or(is_empty) {
                // Which way it takes does not matter.
                let _: Result<(), Failed> = self.woven_branch(condition, (end, end), span);
                break;
            }
            let (yes, no) = (self.fresh(), self.fresh());
            // Both branches are checked for mistakes even if the condition has some.
            let _: Result<(), Failed> = self.woven_branch(condition, (yes, no), span);
            self.go_on_at(yes);
            self.inner_statement(then_statement);
            self.jump(end, span);
            self.go_on_at(no);
            match else_statement.as_deref() {
                Some(Node { node: Statement::If(next), .. }) => node = next,
                Some(other) => {
                    self.inner_statement(other);
                    break;
                }
                None => break,
            }
            if self.scopes.enter_behind_names() {
                self.note_block();
                blocks += 1;
            }
        }
        let span = self.span(node);
        self.jump(end, span);
        self.go_on_at(end);
        for _ in 0..blocks {
            self.leave_block();
        }
        Ok(())
    }

    /// Processes the body of a loop with these targets of `continue` and `break`.
    fn loop_body(&mut self, body: &Node<Statement>, again: LocationId, end: LocationId) {
        if let Some(current) = &mut self.current {
            current.continues.push(again);
            current.breaks.push(end);
        }
        self.inner_statement(body);
        if let Some(current) = &mut self.current {
            current.continues.pop();
            current.breaks.pop();
        }
    }

    fn while_statement(&mut self, node: &Node<WhileStatement>) -> Typed<()> {
        let span = self.span(node);
        let (head, body, end) = (self.fresh(), self.fresh(), self.fresh());
        let invariants = self.take_invariants();
        self.jump(head, span);
        self.go_on_at(head);
        self.loop_head(span);
        let _: Result<(), Failed> = self.invariants_hold(&invariants);
        self.weave_loop(span);
        let result = self.woven_branch(&node.node.expression, (body, end), span);
        self.go_on_at(body);
        self.loop_body(&node.node.statement, head, end);
        self.jump(head, span);
        self.go_on_at(end);
        result
    }

    fn for_parts(&mut self, node: &ForStatement, span: Span) -> Typed<()> {
        let invariants = self.take_invariants();
        match &node.initializer {
            ForInitializer::Empty => {}
            ForInitializer::Expression(expression) => {
                let span = self.span(expression);
                self.weave_statement(span);
                let _: Result<(), Failed> = self.effect(expression);
            }
            ForInitializer::Declaration(declaration) => {
                let span = self.span(declaration);
                self.weave_statement(span);
                self.declaration(declaration, Where::Block);
            }
            ForInitializer::StaticAssert(assertion) => {
                let _: Result<(), Failed> = self.static_assert(assertion);
            }
        }
        let (head, body, step, end) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.jump(head, span);
        self.go_on_at(head);
        self.loop_head(span);
        let _: Result<(), Failed> = self.invariants_hold(&invariants);
        self.weave_loop(span);
        let result = match &node.condition {
            Some(condition) => self.woven_branch(condition, (body, end), span),
            None => {
                self.jump(body, span);
                Ok(())
            }
        };
        self.go_on_at(body);
        self.loop_body(&node.statement, step, end);
        self.jump(step, span);
        self.go_on_at(step);
        let stepped = node.step.as_ref().map_or(Ok(()), |step| {
            let span = self.span(step);
            self.weave_statement(span);
            self.effect(step)
        });
        self.jump(head, span);
        self.go_on_at(end);
        result.and(stepped)
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>, span: Span) -> Typed<()> {
        let Some(id) = self.current.as_ref().map(|c| c.id) else { return Ok(()) };
        let result = self.functions[id.0 as usize].result;
        let result = result.map(|r| self.variables[r.0 as usize].ty);
        let value = match (value, result) {
            (Some(expression), Some(ty)) => {
                let value = self.value(expression)?;
                let at = value.span;
                Some(self.assignable(value, ty, at)?)
            }
            (Some(expression), None) => {
                self.effect(expression)?;
                None
            }
            (None, _) => None,
        };
        self.leave_function(value, span);
        Ok(())
    }

    /// An empty `asm` only orders memory accesses, and `nop` does nothing.
    fn assembler(&mut self, statement: &AsmStatement, span: Span) {
        let blank = |parts: &[String]| {
            let text: String = parts.iter().map(|part| part.trim_matches('"')).collect();
            let text = text.replace("\\n", ";").replace("\\t", " ");
            text.split([';', '\n']).all(|one| matches!(one.trim(), "" | "nop"))
        };
        if statement.jumps {
            return self.not_modelled(span, "a call of 'asm goto'");
        }
        let harmless = blank(&statement.template) && !statement.has_outputs;
        let diagnostic =
            Diagnostic::new(DiagnosticKind::Unsupported, span, "assembler is not read");
        if harmless {
            for operand in &statement.inputs {
                // A mistake in one is reported.
                let _: Result<(), Failed> = self.effect(operand);
            }
            let label = "ignored: it does nothing";
            self.warn(&format!("asm {}", span.start), diagnostic.with_label(label));
        } else {
            self.not_modelled(span, "assembler");
        }
    }
}

/// Whether a statement does nothing.
fn is_empty(statement: &Node<Statement>) -> bool {
    match &statement.node {
        Statement::Expression(None) => true,
        Statement::Compound(items) => items.is_empty(),
        _ => false,
    }
}
