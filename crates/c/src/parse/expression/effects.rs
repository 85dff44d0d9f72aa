//! Whether an expression changes anything when it is evaluated, as its text shows.

use super::dispatch::{is_assignment, is_step};
use crate::parse::context::Context;
use crate::parse::scope::Entity;
use crate::syntax::tree::{
    ArraySize, BlockItem, Declaration, Declarator, DeclaratorKind, DerivedDeclarator, Designator,
    Expression, ForInitializer, GenericAssociation, Initializer, InitializerListItem, Label, Node,
    OffsetMember, Statement, TypeName,
};

impl Context<'_> {
    /// Whether the expression contains a call, an assignment, a step (`++`, `--`) or a volatile
    /// variable that is evaluated.
    pub fn has_effects(&self, node: &Node<Expression>) -> bool {
        let is = |node: &Node<Expression>| self.has_effects(node);
        match &node.node {
            Expression::Call(_) | Expression::VaArg(_) | Expression::LabelAddress(_) => true,
            // Their operands are not evaluated.
            Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::TypesCompatible(_)
            | Expression::Constant(_)
            | Expression::StringLiteral(_) => false,
            Expression::Identifier(name) => match self.scopes.find(&name.node.name) {
                Some((Entity::Variable(id), _)) => self.variables[id.0 as usize].volatile,
                _ => false,
            },
            Expression::Member(member) => is(&member.node.expression),
            Expression::UnaryOperator(unary) => {
                is_step(unary.node.operator.node) || is(&unary.node.operand)
            }
            Expression::BinaryOperator(binary) => {
                is_assignment(binary.node.operator.node)
                    || is(&binary.node.lhs)
                    || is(&binary.node.rhs)
            }
            Expression::Cast(cast) => {
                self.name_has_effects(&cast.node.type_name) || is(&cast.node.expression)
            }
            Expression::Conditional(conditional) => {
                is(&conditional.node.condition)
                    || conditional.node.then_expression.as_deref().is_some_and(is)
                    || is(&conditional.node.else_expression)
            }
            Expression::Comma(all) => all.iter().any(is),
            Expression::SizeOfTy(name) => self.name_has_effects(name),
            Expression::OffsetOf(offset) => {
                offset.node.members.iter().any(|member| match &member.node {
                    OffsetMember::Index(index) => is(index),
                    _ => false,
                })
            }
            Expression::GenericSelection(selection) => {
                is(&selection.node.expression)
                    || selection.node.associations.iter().any(|one| match &one.node {
                        GenericAssociation::Type(name, value) => {
                            self.name_has_effects(name) || is(value)
                        }
                        GenericAssociation::Default(value) => is(value),
                    })
            }
            Expression::CompoundLiteral(literal) => {
                self.name_has_effects(&literal.node.type_name)
                    || self.list_has_effects(&literal.node.initializer_list)
            }
            Expression::Statement(statement) => self.statement_has_effects(statement),
        }
    }

    /// As [`Context::has_effects`], for an initialiser.
    pub fn initialiser_has_effects(&self, value: &Node<Initializer>) -> bool {
        match &value.node {
            Initializer::Expression(expression) => self.has_effects(expression),
            Initializer::List(items) => self.list_has_effects(items),
        }
    }

    fn list_has_effects(&self, items: &[Node<InitializerListItem>]) -> bool {
        items.iter().any(|item| {
            let designated = item.node.designation.iter().any(|one| match &one.node {
                Designator::Index(index) => self.has_effects(index),
                Designator::Range(from, to) => self.has_effects(from) || self.has_effects(to),
                Designator::Member(_) => false,
            });
            designated || self.initialiser_has_effects(&item.node.initializer)
        })
    }

    /// As [`Context::has_effects`], for the lengths of arrays in the name of a type.
    pub fn name_has_effects(&self, name: &Node<TypeName>) -> bool {
        name.node.declarator.as_ref().is_some_and(|d| self.lengths_have_effects(d))
    }

    fn lengths_have_effects(&self, declarator: &Node<Declarator>) -> bool {
        let within = match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => self.lengths_have_effects(inner),
            _ => false,
        };
        within
            || declarator.node.derived.iter().any(|step| match &step.node {
                DerivedDeclarator::Array(ArraySize::Expression(size)) => self.has_effects(size),
                _ => false,
            })
    }

    fn declaration_has_effects(&self, declaration: &Declaration) -> bool {
        declaration.declarators.iter().any(|item| {
            self.lengths_have_effects(&item.node.declarator)
                || item.node.initializer.as_ref().is_some_and(|i| self.initialiser_has_effects(i))
        })
    }

    fn statement_has_effects(&self, statement: &Node<Statement>) -> bool {
        let is = |node: &Node<Expression>| self.has_effects(node);
        let inner = |node: &Node<Statement>| self.statement_has_effects(node);
        match &statement.node {
            Statement::Labeled(node) => {
                let label = match &node.node.label.node {
                    Label::Case(value) => is(value),
                    Label::CaseRange(low, high) => is(low) || is(high),
                    Label::Identifier(_) | Label::Default => false,
                };
                label || inner(&node.node.statement)
            }
            Statement::Compound(items) => items.iter().any(|item| match &item.node {
                BlockItem::Declaration(node) => self.declaration_has_effects(&node.node),
                BlockItem::StaticAssert(_) => false,
                BlockItem::Statement(node) => inner(node),
            }),
            Statement::Expression(value) | Statement::Return(value) => {
                value.as_deref().is_some_and(is)
            }
            Statement::If(node) => {
                is(&node.node.condition)
                    || inner(&node.node.then_statement)
                    || node.node.else_statement.as_deref().is_some_and(inner)
            }
            Statement::Switch(node) => is(&node.node.expression) || inner(&node.node.statement),
            Statement::While(node) => is(&node.node.expression) || inner(&node.node.statement),
            Statement::DoWhile(node) => is(&node.node.expression) || inner(&node.node.statement),
            Statement::For(node) => {
                let initial = match &node.node.initializer {
                    ForInitializer::Expression(value) => is(value),
                    ForInitializer::Declaration(node) => self.declaration_has_effects(&node.node),
                    ForInitializer::Empty | ForInitializer::StaticAssert(_) => false,
                };
                initial
                    || node.node.condition.as_deref().is_some_and(is)
                    || node.node.step.as_deref().is_some_and(is)
                    || inner(&node.node.statement)
            }
            Statement::ComputedGoto(_) => true,
            Statement::Asm(assembler) => assembler.inputs.iter().any(is),
            Statement::Goto(_) | Statement::Continue | Statement::Break => false,
        }
    }
}
