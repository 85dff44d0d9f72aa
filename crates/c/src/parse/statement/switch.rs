//! `switch`: a chain of comparisons before its body.

use std::collections::HashMap;

use crate::flow::{BinaryOp, Expr};
use crate::parse::context::{Context, Failed, Switch, Typed};
use crate::parse::expression::constant::{number, wrap};
use crate::syntax::tree::{Expression, Node, SwitchStatement};
use crate::types::INT128;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    pub fn switch(&mut self, node: &Node<SwitchStatement>) -> Typed<()> {
        let span = self.span(node);
        let condition = self.span(&node.node.expression);
        self.weave_statement(condition);
        let value = self.value(&node.node.expression)?;
        if self.types.as_wide(value.ty).is_some() {
            return Err(self.unsupported(value.span, &format!("a 'switch' of {INT128}")));
        }
        if !self.types.is_integer(value.ty) {
            let name = self.types.name(value.ty);
            let message = format!("'switch' needs an integer, not '{name}'");
            return Err(self.type_error(value.span, message, &format!("this is '{name}'")));
        }
        let value = self.promote(value);
        let value = self.read_once(value);
        let head = self.here();
        let (body, end) = (self.fresh(), self.fresh());
        // Code before the first case is only reached by labels.
        self.go_on_at(body);
        if let Some(current) = &mut self.current {
            current.breaks.push(end);
            current.switches.push(Switch {
                ty: value.ty,
                cases: Vec::new(),
                seen: HashMap::new(),
                default: None,
            });
        }
        self.inner_statement(&node.node.statement);
        self.jump(end, span);
        let Some(current) = &mut self.current else { return Ok(()) };
        current.breaks.pop();
        let Some(switch) = current.switches.pop() else { return Ok(()) };
        self.go_on_at(head);
        let conditions =
            switch.cases.iter().map(|&(low, high, _, span)| self.is_case(&value, low, high, span));
        let conditions: Vec<Expr> = conditions.collect();
        self.weave_switch(&value, &conditions, span);
        for ((_, _, target, span), condition) in switch.cases.into_iter().zip(conditions) {
            if let Some(known) = self.as_number(&condition) {
                if known != 0 {
                    self.jump(target, span);
                }
                continue;
            }
            self.flow(|b| b.jump_if(condition, target, span));
        }
        self.jump(switch.default.map_or(end, |(location, _)| location), span);
        self.go_on_at(end);
        Ok(())
    }

    /// `value == low`, or `low <= value && value <= high`.
    fn is_case(&mut self, value: &Expr, low: i128, high: i128, span: Span) -> Expr {
        let bits = self.types.bits(value.ty).map_or(32, |(bits, _)| bits);
        let mut compare = |op, bound| {
            let bound = self.constant(wrap(bound, bits), value.ty, span);
            self.combine(op, value.clone(), bound, span)
        };
        if low == high {
            return compare(BinaryOp::Equal, low);
        }
        let (above, below) =
            (compare(BinaryOp::GreaterEqual, low), compare(BinaryOp::LessEqual, high));
        self.combine(BinaryOp::And, above, below, span)
    }

    /// `case low ... high:`
    pub fn case(
        &mut self,
        low: &Node<Expression>,
        high: &Node<Expression>,
        span: Span,
    ) -> Typed<()> {
        let Some(ty) = self.switch_at_hand().map(|s| s.ty) else {
            return Err(self.stray("case", span));
        };
        let bits = self.types.bits(ty).map_or(32, |(bits, _)| bits);
        let single = std::ptr::eq(low, high);
        let (low, _) = self.constant_expression(low)?;
        let high = if single { low } else { self.constant_expression(high)?.0 };
        let fit = |value| wrap(value, bits);
        let (low, high) = (number(&self.types, fit(low), ty), number(&self.types, fit(high), ty));
        let location = self.fresh();
        self.jump(location, span);
        self.go_on_at(location);
        let Some(switch) = self.switch_at_hand() else { return Ok(()) };
        let mut first = None;
        if low == high {
            first = switch.seen.insert(low, span);
        }
        switch.cases.push((low, high, location, span));
        match first {
            Some(first) => Err(self.report(
                Diagnostic::new(
                    DiagnosticKind::Duplicate,
                    span,
                    format!("this switch has two cases for {low}"),
                )
                .with_label("again")
                .with_related(first, "first here"),
            )),
            None => Ok(()),
        }
    }

    pub fn default_case(&mut self, span: Span) -> Typed<()> {
        if self.switch_at_hand().is_none() {
            return Err(self.stray("default", span));
        }
        let location = self.fresh();
        self.jump(location, span);
        self.go_on_at(location);
        let Some(switch) = self.switch_at_hand() else { return Ok(()) };
        match switch.default.replace((location, span)) {
            Some((_, first)) => Err(self.report(
                Diagnostic::new(
                    DiagnosticKind::Duplicate,
                    span,
                    "this switch has two default cases",
                )
                .with_label("again")
                .with_related(first, "first here"),
            )),
            None => Ok(()),
        }
    }

    fn switch_at_hand(&mut self) -> Option<&mut Switch> {
        self.current.as_mut().and_then(|c| c.switches.last_mut())
    }

    fn stray(&mut self, word: &str, span: Span) -> Failed {
        let message = format!("'{word}' outside of a switch");
        self.report(
            Diagnostic::new(DiagnosticKind::Misplaced, span, message)
                .with_label("no switch around it"),
        )
    }
}
