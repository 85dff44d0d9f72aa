//! Whether an expression changes anything when it is evaluated, as its text shows.

use lang_c::ast::{
    BinaryOperatorExpression, CallExpression, Expression, Identifier, Initializer, SizeOfVal,
    TypeOf, UnaryOperatorExpression, VaArgExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::dispatch::{is_assignment, is_step};
use crate::program::c::parse::context::Context;
use crate::program::c::parse::scope::Entity;

impl Context<'_> {
    /// Whether the expression contains a call, an assignment, a step (`++`, `--`) or a volatile
    /// variable that is evaluated.
    pub fn has_effects(&self, expression: &Node<Expression>) -> bool {
        let mut effects = Effects { context: self, found: false };
        effects.visit_expression(&expression.node, &expression.span);
        effects.found
    }

    /// As [`Context::has_effects`], for an initialiser.
    pub fn initialiser_has_effects(&self, value: &Node<Initializer>) -> bool {
        let mut effects = Effects { context: self, found: false };
        effects.visit_initializer(&value.node, &value.span);
        effects.found
    }
}

struct Effects<'c, 't> {
    context: &'c Context<'t>,
    found: bool,
}

impl<'ast> Visit<'ast> for Effects<'_, '_> {
    fn visit_call_expression(&mut self, _: &'ast CallExpression, _: &'ast Span) {
        self.found = true;
    }

    fn visit_va_arg_expression(&mut self, _: &'ast VaArgExpression, _: &'ast Span) {
        self.found = true;
    }

    fn visit_unary_operator_expression(
        &mut self,
        e: &'ast UnaryOperatorExpression,
        at: &'ast Span,
    ) {
        self.found |= is_step(&e.operator.node);
        visit::visit_unary_operator_expression(self, e, at);
    }

    fn visit_binary_operator_expression(
        &mut self,
        e: &'ast BinaryOperatorExpression,
        at: &'ast Span,
    ) {
        self.found |= is_assignment(&e.operator.node);
        visit::visit_binary_operator_expression(self, e, at);
    }

    fn visit_identifier(&mut self, name: &'ast Identifier, _: &'ast Span) {
        if let Some((Entity::Variable(id), _)) = self.context.scopes.find(&name.name) {
            self.found |= self.context.variables[id.0 as usize].volatile;
        }
    }

    // Their operands are not evaluated.
    fn visit_sizeofval(&mut self, _: &'ast SizeOfVal, _: &'ast Span) {}
    fn visit_type_of(&mut self, _: &'ast TypeOf, _: &'ast Span) {}
}
