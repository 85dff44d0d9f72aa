//! Calls of functions that rules are about: hooks run before and after them.

use std::borrow::Cow;

use crate::flow::{Base, Callee, Expr, ExprKind, FunctionId, Instruction, Place};
use crate::library::find;
use crate::parse::builder::Builder;
use crate::parse::context::{Context, Typed};
use crate::parse::expression::library_name;
use crate::parse::kept::Called;
use crate::parse::scope::Entity;
use crate::rules::Hooks;
use crate::syntax::tree::{CallExpression, Expression, Identifier, Node};
use crate::types::Type;
use hardbop_base::source::Span;

impl<'a> Context<'a> {
    /// A call, with the hooks of its function.
    pub(in crate::parse) fn hooked_call(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
        used: bool,
    ) -> Typed<Called> {
        let node = self.without_prefix(node);
        let Some((function, hooks)) = self.hooked(&node) else {
            return self.call_with(&node, destination, used);
        };
        self.between_hooks(&node, function, hooks, used)
    }

    /// The function that is called and its hooks, where it has some.
    fn hooked(&mut self, node: &Node<CallExpression>) -> Option<(FunctionId, &'a Hooks)> {
        if self.elsewhere.hooks.is_empty() || self.current.is_none() {
            return None;
        }
        let Expression::Identifier(callee) = &node.node.callee.node else { return None };
        let name = library_name(&callee.node.name);
        let id = match self.scopes.find(name) {
            Some((Entity::Function(id), _)) => id,
            Some(_) => return None,
            None if self.elsewhere.hooks.contains_key(name) => {
                self.implicit_function(name, callee.span)
            }
            None => return None,
        };
        Some((id, self.hooks_of(id)?))
    }

    /// Whether a function has hooks.
    pub(in crate::parse) fn has_hooks(&self, id: FunctionId) -> bool {
        self.hooks_of(id).is_some()
    }

    /// The hooks of a function, by its name or that of another form of it.
    fn hooks_of(&self, id: FunctionId) -> Option<&'a Hooks> {
        let name = self.functions[id.0 as usize].name.as_str();
        let hooks = &self.elsewhere.hooks;
        // The program's own functions are others, whatever they are called.
        let is_known = find(name).is_some() && !self.bodies.contains(name);
        hooks.get(name).or_else(|| hooks.get(plain_form(name)).filter(|_| is_known))
    }

    /// The arguments are evaluated first, and the call has their values.  Literals stay what they are, since formats are read.
    fn between_hooks(
        &mut self,
        node: &Node<CallExpression>,
        id: FunctionId,
        hooks: &Hooks,
        used: bool,
    ) -> Typed<Called> {
        let span = self.span(node);
        let ty = self.functions[id.0 as usize].ty;
        let Type::Function { result, parameters, variadic } = self.types.get(ty).clone() else {
            return self.call_with(node, None, used);
        };
        let callee = self.function_address(id, span);
        let mut call = node.clone();
        let nodes = &node.node.arguments;
        let values = self.arguments(nodes, &parameters, variadic, &callee, span)?;
        let mut given = vec![];
        for (value, argument) in values.into_iter().zip(&mut call.node.arguments) {
            given.push(match is_literal(&value, &argument.node) {
                true => value,
                false => self.kept_by_name(value, argument),
            });
        }
        self.run_hooks(&hooks.before, &given, span);
        let returns = *self.types.get(result) != Type::Void;
        let needed = used || returns && !hooks.after.is_empty();
        let value = match self.call_with(&call, None, needed)? {
            Called::Value(value) => Some(self.keep(value)),
            Called::Stored | Called::Nothing => None,
        };
        self.run_hooks(&hooks.done, &given, span);
        given.splice(0..0, value.clone());
        self.run_hooks(&hooks.after, &given, span);
        Ok(value.filter(|_| used).map_or(Called::Nothing, Called::Value))
    }

    /// Keeps an argument in a variable, whose name takes its place.
    fn kept_by_name(&mut self, value: Expr, argument: &mut Node<Expression>) -> Expr {
        let (ty, span) = (value.ty, argument.span);
        let place = self.temporary(ty, span);
        self.emit(Instruction::Assign(place.clone(), value), span);
        if let Base::Variable(variable) = place.base {
            // No name of the text has a blank.
            let name = format!("argument {}", variable.0);
            self.scopes.declare(&name, Entity::Variable(variable), span);
            let identifier = Node { node: Identifier { name }, span };
            argument.node = Expression::Identifier(Box::new(identifier));
        }
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    /// A call of a function by its own name, in place of that with which gcc has it built in, where it has hooks.
    fn without_prefix<'n>(&self, node: &'n Node<CallExpression>) -> Cow<'n, Node<CallExpression>> {
        let Expression::Identifier(callee) = &node.node.callee.node else {
            return Cow::Borrowed(node);
        };
        let own = callee.node.name.strip_prefix("__builtin_");
        let has_hooks = |name: &&str| self.elsewhere.hooks.contains_key(*name);
        let Some(name) = own.filter(has_hooks).filter(|name| find(name).is_some()) else {
            return Cow::Borrowed(node);
        };
        let name = name.to_owned();
        let mut node = node.clone();
        let identifier = Node { node: Identifier { name }, span: callee.span };
        node.node.callee.node = Expression::Identifier(Box::new(identifier));
        Cow::Owned(node)
    }

    fn run_hooks(&mut self, hooks: &[String], values: &[Expr], span: Span) {
        for name in hooks {
            let void = self.void();
            let id = match self.scopes.find_at_file(name) {
                Some((Entity::Function(id), _)) => id,
                _ => {
                    let ty =
                        Type::Function { result: void, parameters: Vec::new(), variadic: true };
                    let ty = self.types.intern(ty);
                    let id = self.new_function(name, ty, span);
                    self.scopes.declare_at_file(name, Entity::Function(id), Span::default());
                    id
                }
            };
            let values = values.iter().map(|value| self.promoted_argument(value.clone()));
            let arguments = values.collect();
            let callee = Callee::Function(id);
            self.emit(Instruction::Call { result: None, callee, arguments }, span);
        }
    }

    /// The function whose address is that of this one: for one with hooks, which calls through pointers would pass by, one
    /// whose calls are left undecided.
    pub(in crate::parse) fn by_address(&mut self, id: FunctionId) -> FunctionId {
        if self.hooks_of(id).is_none() {
            return id;
        }
        let function = &self.functions[id.0 as usize];
        let (own, ty, span) = (function.name.clone(), function.ty, function.span);
        let name = format!("{own} by its address");
        if let Some((Entity::Function(id), _)) = self.scopes.find_at_file(&name) {
            return id;
        }
        let id = self.new_function(&name, ty, span);
        self.scopes.declare_at_file(&name, Entity::Function(id), Span::default());
        let mut builder = Builder::new();
        let what = format!("a call through a pointer of '{own}', which a rule is about");
        builder.stop(Instruction::Unsupported(what), span);
        self.functions[id.0 as usize].body = Some(builder.finish());
        id
    }
}

/// The function that one of this name is, in another form: with larger files, another standard's formats, or without a lock.
fn plain_form(name: &str) -> &str {
    let name = ["__isoc99_", "__isoc23_", "_IO_"]
        .iter()
        .fold(name, |name, prefix| name.strip_prefix(prefix).unwrap_or(name));
    ["64", "_unlocked"].iter().fold(name, |name, suffix| name.strip_suffix(suffix).unwrap_or(name))
}

/// Whether an argument is written as a value, and may mean more than that: a format, a null pointer, a function.
fn is_literal(value: &Expr, argument: &Expression) -> bool {
    let is_function = matches!(value.kind, ExprKind::FunctionAddress(_));
    match argument {
        Expression::StringLiteral(_) | Expression::Constant(_) => true,
        Expression::Identifier(_) => is_function,
        _ => false,
    }
}
