//! Calls, including those with a special meaning to verifiers.

use super::acsl::Contracted;
use super::builtin::{is_of_compiler, unchecked};
use super::convention::{Special, is_unknown, library_name, writes_count};
use super::place::Operand;
use crate::flow::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, Instruction, Place, Violation,
};
use crate::library::{Convention, Family, find};
use crate::parse::builder::Mark;
use crate::parse::context::{Context, Failed, Typed};
use crate::parse::kept::Called;
use crate::parse::scope::Entity;
use crate::parse::text::acsl::ASSERTION;
use crate::reliance::Reliance;
use crate::syntax::tree::{CallExpression, Expression, Node};
use crate::types::{Type, TypeId};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Context<'_> {
    /// A call as a statement.
    pub fn call_for_effect(&mut self, node: &Node<CallExpression>) -> Typed<()> {
        self.woven_call(node, None, false).map(|_| ())
    }

    /// A call whose value is used. The result may be put into the variable `destination`.
    pub fn call(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
    ) -> Typed<Called> {
        self.woven_call(node, destination, true)
    }

    /// A call, with what a witness says of its result.
    fn woven_call(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
        used: bool,
    ) -> Typed<Called> {
        let span = self.span(node);
        if self.options.instrumentation.is_empty() || !self.returns_to_witness(span) {
            let start = self.mark();
            let called = self.hooked_call(node, destination, used);
            self.note_written_out(start);
            return called;
        }
        let value = match self.hooked_call(node, None, true)? {
            Called::Value(value) => value,
            other => {
                self.weave_return(span, None);
                return Ok(other);
            }
        };
        let ty = value.ty;
        let place = self.temporary(ty, span);
        let result = match place.base {
            Base::Variable(variable) => Some(variable),
            _ => None,
        };
        self.emit(Instruction::Assign(place.clone(), value), span);
        self.weave_return(span, result);
        Ok(Called::Value(Expr { kind: ExprKind::Load(place), ty, span }))
    }

    pub(in crate::parse) fn call_with(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
        used: bool,
    ) -> Typed<Called> {
        let span = self.span(node);
        if let Some(call) = unchecked(&node.node) {
            return self.call_with(&Node { node: call, span: node.span }, destination, used);
        }
        let arguments = &node.node.arguments;
        let callee = &node.node.callee;
        if let Expression::Identifier(callee_name) = &callee.node {
            let name = callee_name;
            if name.node.name == ASSERTION && self.options.property.acsl {
                return self.annotation(arguments, used, span).map(|()| Called::Nothing);
            }
            let name_span = self.span(&**name);
            let name = library_name(&name.node.name);
            let known = self.scopes.find(name);
            let text = &callee_name.node.name;
            if known.is_none() && is_of_compiler(text) {
                return self.call_of_compiler(text, arguments, span);
            }
            let known = match known {
                None => Some(Entity::Function(self.implicit_function(name, name_span))),
                Some((Entity::Function(id), declared)) => {
                    if declared.start > name_span.start {
                        self.warn_implicit(name, name_span);
                    }
                    Some(Entity::Function(id))
                }
                Some((entity, _)) => Some(entity),
            };
            if let Some(Entity::Function(id)) = known {
                let function = &self.functions[id.0 as usize];
                let name = function.name.clone();
                let options = self.options;
                if options.property.error_functions.contains(&name) || !self.bodies.contains(&name)
                {
                    self.weave_enter(span);
                }
                if options.property.error_functions.contains(&name) {
                    self.effects_of(arguments)?;
                    self.stop(Instruction::Error(Violation::Reached), span);
                    return self.any_result(id, used, span);
                }
                if matches!((&name[..], arguments.len()), ("setlocale", 2) | ("uselocale", 1)) {
                    // Its model says what it returns; what other functions do then, nobody does.
                    self.rely(Reliance::Locale, span);
                }
                if !self.bodies.contains(&name) {
                    let convention = self.convention_of(id).filter(|c| {
                        // What gets arguments, or returns nothing, may be there for what it changes.
                        let is_input = arguments.is_empty() && self.returns_value(id);
                        // Jumps and threads are calls until the whole program is known.
                        !matches!(
                            c,
                            Convention::SetJump | Convention::LongJump | Convention::Thread
                        ) && (*c != Convention::Input || is_input)
                    });
                    if let Some(convention) = convention {
                        let call = Special { id, name: &name, arguments, destination, used, span };
                        return self.special(convention, &call);
                    }
                    let call = Special { id, name: &name, arguments, destination, used, span };
                    if let Some(called) = self.inlined(&call)? {
                        return Ok(called);
                    }
                    if writes_count(&name, arguments) {
                        self.not_modelled(span, "'%n' in a format");
                    }
                    if is_unknown(&name) && !self.has_contract_only(id) {
                        self.note_undefined(id, name_span);
                    }
                }
            }
        }
        self.ordinary(node, destination, used, span)
    }

    fn ordinary(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
        used: bool,
        span: Span,
    ) -> Typed<Called> {
        let callee_span = self.span(&*node.node.callee);
        let operand = match &node.node.callee.node {
            Expression::Identifier(name) => {
                let plain = library_name(&name.node.name);
                match self.scopes.find(plain) {
                    Some((Entity::Function(id), _)) => Operand::Function(id),
                    _ => self.operand(&node.node.callee)?,
                }
            }
            _ => self.operand(&node.node.callee)?,
        };
        let callee = match operand {
            // Not through a pointer.
            Operand::Function(id) => self.function_address(id, callee_span),
            operand => self.decay(operand, callee_span)?,
        };
        let function = match *self.types.get(callee.ty) {
            Type::Pointer(pointee) => self.types.get(pointee).clone(),
            _ => Type::Void,
        };
        let Type::Function { result, parameters, variadic } = function else {
            return Err(self.not_a_function(&callee, callee_span));
        };
        let mark = self.mark();
        let arguments =
            self.arguments(&node.node.arguments, &parameters, variadic, &callee, span)?;
        match callee.kind {
            ExprKind::FunctionAddress(function) if self.has_contract_only(function) => {
                let call = Contracted { function, result, arguments, used, span };
                self.contracted(call, |c, arguments, used| {
                    c.note_undefined(function, callee_span);
                    c.evaluated((callee, mark), result, arguments, None, used, span)
                })
            }
            _ => self.evaluated((callee, mark), result, arguments, destination, used, span),
        }
    }

    /// A call whose arguments have been evaluated since the mark.
    fn evaluated(
        &mut self,
        (callee, mark): (Expr, Mark),
        result: TypeId,
        mut arguments: Vec<Expr>,
        destination: Option<&Place>,
        used: bool,
        span: Span,
    ) -> Typed<Called> {
        let mut stops = false;
        if let ExprKind::FunctionAddress(id) = callee.kind {
            self.library_arguments(id, &mut arguments, span)?;
            if let Some(called) = self.effectless_call(id, result, destination, used, span) {
                return Ok(called);
            }
            stops = self.promised(id).no_return;
            // Its body shows whether it keeps the promise.
            if !stops && self.promises.get(&id).is_some_and(|promises| promises.no_return) {
                self.rely(Reliance::NoReturn, span);
            }
        }
        self.weave_enter(span);
        let callee = match callee.kind {
            ExprKind::FunctionAddress(id) => Callee::Function(id),
            _ => {
                let mut callee = [callee];
                self.preserve(&mut callee, mark);
                let [callee] = callee;
                Callee::Pointer(callee)
            }
        };
        let void = *self.types.get(result) == Type::Void;
        if stops {
            self.emit(Instruction::Call { result: None, callee, arguments }, span);
            self.stop(Instruction::Halt, span);
            if void || !used {
                return Ok(Called::Nothing);
            }
            self.complete_size(result, span)?;
            let kind = ExprKind::Load(self.temporary(result, span));
            return Ok(Called::Value(Expr { kind, ty: result, span }));
        }
        if void || !used {
            self.emit(Instruction::Call { result: None, callee, arguments }, span);
            // A discarded record remains a record; its value is never used.
            return Ok(Called::Nothing);
        }
        self.complete_size(result, span)?;
        let outside = match &callee {
            Callee::Function(id) => {
                Some(self.functions[id.0 as usize].name.clone()).filter(|name| {
                    !self.bodies.contains(name)
                        && is_unknown(name)
                        && self.types.as_record(result).is_some()
                })
            }
            Callee::Pointer(_) => None,
        };
        if let Some(destination) = destination.filter(|d| d.ty == result && outside.is_none()) {
            let place = Some(destination.clone());
            self.emit(Instruction::Call { result: place, callee, arguments }, span);
            return Ok(Called::Stored);
        }
        let place = self.temporary(result, span);
        let kind = ExprKind::Load(place.clone());
        self.emit(Instruction::Call { result: Some(place.clone()), callee, arguments }, span);
        if let Some(name) = outside {
            self.returned_record(&name, &place, span);
        }
        Ok(Called::Value(Expr { kind, ty: result, span }))
    }

    /// Notes a call of a function without a body, whose effects are unknown.
    fn note_undefined(&mut self, id: FunctionId, name: Span) {
        let caller = self.inside.map(|caller| (caller, id, name));
        self.undefined.extend(caller.filter(|_| self.dry == 0));
    }

    fn not_a_function(&mut self, callee: &Expr, span: Span) -> Failed {
        let name = self.types.name(callee.ty);
        let message = format!("'{name}' cannot be called");
        self.type_error(span, message, "not a function")
    }

    /// The arguments, converted to the types of the parameters.
    pub(in crate::parse) fn arguments(
        &mut self,
        nodes: &[Node<Expression>],
        parameters: &[TypeId],
        variadic: bool,
        callee: &Expr,
        span: Span,
    ) -> Typed<Vec<Expr>> {
        let mut values: Vec<Expr> = Vec::with_capacity(nodes.len());
        let start = self.mark();
        for (index, node) in nodes.iter().enumerate() {
            let mark = self.mark();
            let value = self.value(node)?;
            self.note_calls(start, mark, &value);
            self.note_operands((start, mark), &values, &value);
            self.preserve(&mut values, mark);
            let value = match parameters.get(index) {
                Some(&ty) => {
                    let at = self.span(node);
                    let value = self.transparent(value, ty);
                    self.assignable(value, ty, at)?
                }
                None => self.promoted_argument(value),
            };
            values.push(value);
        }
        let wanted = parameters.len();
        let exact = match &callee.kind {
            ExprKind::FunctionAddress(id) => {
                let function = &self.functions[id.0 as usize];
                let name = &function.name;
                // A definition without a prototype takes exactly the parameters that it names.
                self.bodies.contains(name).then_some((function.span, name.clone()))
            }
            _ => None,
        };
        if values.len() < wanted || values.len() > wanted && !variadic {
            let old = exact.as_ref().is_some_and(|(_, name)| self.old_style.contains(name));
            if !old {
                return Err(self.wrong_count(wanted, values.len(), exact, span));
            }
            if values.len() < wanted {
                self.not_modelled(span, "a call with too few arguments");
                while values.len() < wanted {
                    let ty = parameters[values.len()];
                    let place = self.temporary(ty, span);
                    values.push(Expr { kind: ExprKind::Load(place), ty, span });
                }
            }
            values.truncate(wanted);
        } else if exact.is_some_and(|(_, name)| self.old_style.contains(&name)) {
            // `int f() {..}` ignores its arguments.
            values.truncate(wanted);
        }
        Ok(values)
    }

    pub fn wrong_count(
        &mut self,
        wanted: usize,
        given: usize,
        function: Option<(Span, String)>,
        span: Span,
    ) -> Failed {
        let s = if wanted == 1 { "" } else { "s" };
        let name = function.as_ref().map_or("the function".to_owned(), |(_, n)| format!("'{n}'"));
        let message = format!("{name} takes {wanted} argument{s}, {given} given");
        let diagnostic = Diagnostic::new(DiagnosticKind::Arity, span, message)
            .with_label(format!("{given} given"));
        self.report(match function {
            Some((place, _)) => diagnostic.with_related(place, "defined here"),
            None => diagnostic,
        })
    }

    /// Default argument promotion.
    pub(in crate::parse) fn promoted_argument(&mut self, value: Expr) -> Expr {
        match self.types.get(value.ty) {
            Type::Float { bits: 32 } => {
                let double = self.types.intern(Type::Float { bits: 64 });
                self.convert(value, double)
            }
            _ => self.promote(value),
        }
    }

    pub fn effects_of(&mut self, arguments: &[Node<Expression>]) -> Typed<()> {
        for argument in arguments {
            self.effect(argument)?;
        }
        Ok(())
    }

    /// Appends an instruction after which nothing follows.
    pub fn stop(&mut self, instruction: Instruction, span: Span) {
        if let Instruction::Error(Violation::Reached) = instruction
            && self.dry == self.left_out
        {
            self.stated.extend(self.inside.map(|id| (id, span)));
        }
        self.flow(|b| b.stop(instruction, span));
    }

    /// Any value, as the result of a call that does not return.
    pub fn any_result(&mut self, id: FunctionId, used: bool, span: Span) -> Typed<Called> {
        let result = match *self.types.get(self.functions[id.0 as usize].ty) {
            Type::Function { result, .. } if *self.types.get(result) != Type::Void => result,
            _ => return Ok(Called::Nothing),
        };
        if !used {
            return Ok(Called::Nothing);
        }
        let place = self.temporary(result, span);
        Ok(Called::Value(Expr { kind: ExprKind::Load(place), ty: result, span }))
    }

    fn returns_value(&self, id: FunctionId) -> bool {
        match *self.types.get(self.functions[id.0 as usize].ty) {
            Type::Function { result, .. } => *self.types.get(result) != Type::Void,
            _ => false,
        }
    }

    /// Declares a function that is called without a declaration.
    pub(in crate::parse) fn implicit_function(&mut self, name: &str, span: Span) -> FunctionId {
        let input = ["__VERIFIER_nondet_", "nondet_"].iter().find_map(|p| name.strip_prefix(p));
        let result = match input {
            Some(suffix) => self.type_of_input(suffix),
            // Like gcc, which knows the result types of the C library's functions.
            None => match find(name) {
                Some(known) if known.convention().is_some() => {
                    self.type_of_result(known.prototype.result)
                }
                Some(known)
                    if known.family == Family::Library
                        && known.is_called(name)
                        && known.is_modelled() =>
                {
                    self.type_of_result(known.prototype.result)
                }
                _ => self.int(),
            },
        };
        let function = Type::Function { result, parameters: Vec::new(), variadic: true };
        let ty = self.types.intern(function);
        if is_unknown(name) {
            self.warn_implicit(name, span);
        }
        let id = self.new_function(name, ty, span);
        self.scopes.declare_at_file(name, Entity::Function(id), Span::default());
        id
    }

    pub fn new_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        self.functions.push(Function {
            name: name.to_owned(),
            ty,
            parameters: Vec::new(),
            result: None,
            body: None,
            span,
        });
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn warn_implicit(&mut self, name: &str, span: Span) {
        let message = format!("'{name}' is called before it is declared");
        let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message)
            .with_label("not declared above");
        self.warn(&format!("implicit {name}"), diagnostic);
    }
}
