//! Calls, and the functions that mean something to a verifier.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;

use super::context::{Context, Failed, Typed};
use super::place::Operand;
use super::scope::Entity;
use crate::c::flow::{Callee, Expr, ExprKind, Function, FunctionId, HavocKind, Instruction, Place};
use crate::c::types::{Type, TypeId};
use crate::source::{Diagnostic, DiagnosticKind, Span};

/// What became of a call's result.
#[derive(Debug)]
pub(super) enum Called {
    Value(Expr),
    /// In the place that was offered.
    Stored,
    Nothing,
}

/// What a call of a function without a body means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Ordinary,
    Error,
    Halt,
    Assume,
    Assert,
    Input,
    /// The value of the first argument.
    First,
    IsConstant,
    Nothing,
    Unsupported,
}

/// Functions whose meaning the lowering knows: no warning that they are undefined.
const KNOWN: &[&str] = &[
    "malloc", "calloc", "realloc", "alloca", "free", "memset", "memcpy", "memmove", "memcmp",
    "printf", "puts", "putchar", "fprintf", "fflush",
];

fn meaning(name: &str) -> Meaning {
    match name {
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" | "_assert" => {
            Meaning::Error
        }
        "abort"
        | "exit"
        | "_exit"
        | "_Exit"
        | "quick_exit"
        | "__builtin_unreachable"
        | "__builtin_trap"
        | "__builtin_abort"
        | "__builtin_exit" => Meaning::Halt,
        "__VERIFIER_assume" | "__builtin_assume" => Meaning::Assume,
        "assert" | "__VERIFIER_assert" | "static_assert" => Meaning::Assert,
        "__builtin_expect" | "__builtin_expect_with_probability" => Meaning::First,
        "__builtin_constant_p" => Meaning::IsConstant,
        "__builtin_va_start"
        | "__builtin_va_end"
        | "__builtin_va_copy"
        | "va_start"
        | "va_end"
        | "__builtin_prefetch"
        | "__sync_synchronize"
        | "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end" => Meaning::Nothing,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp"
        | "signal" | "fork" | "vfork" | "atexit" | "qsort" | "bsearch" | "pthread_create" => {
            Meaning::Unsupported
        }
        _ if name == super::patch::UNSUPPORTED_ASM => Meaning::Unsupported,
        _ if name.starts_with("__VERIFIER_nondet_") => Meaning::Input,
        _ if name.starts_with("__builtin_")
            || name.starts_with("__sync_")
            || name.starts_with("__atomic_") =>
        {
            Meaning::Unsupported
        }
        _ => Meaning::Ordinary,
    }
}

/// Built-ins that are the library function of the same name.
fn library_name(name: &str) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(rest) if KNOWN.contains(&rest) => rest,
        _ => name,
    }
}

impl Context<'_> {
    /// A call statement.
    pub fn call_for_effect(&mut self, node: &Node<CallExpression>) -> Typed<()> {
        self.call_with(node, None, false).map(|_| ())
    }

    /// A call whose value is used; it may be put into `destination`, a variable.
    pub fn call(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
    ) -> Typed<Called> {
        self.call_with(node, destination, true)
    }

    fn call_with(
        &mut self,
        node: &Node<CallExpression>,
        destination: Option<&Place>,
        used: bool,
    ) -> Typed<Called> {
        let span = self.span(node);
        let arguments = &node.node.arguments;
        let callee = &node.node.callee;
        if let Expression::Identifier(name) = &callee.node {
            let name_span = self.span(&**name);
            let name = library_name(&name.node.name);
            let known = self.scopes.find(name);
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
                if options.property.error_functions.contains(&name) {
                    self.effects_of(arguments)?;
                    self.stop(Instruction::Error, span);
                    return self.any_result(id, used, span);
                }
                if !self.bodies.contains(&name) {
                    let meaning = meaning(&name);
                    if meaning != Meaning::Ordinary {
                        return self.special(
                            meaning,
                            id,
                            &name,
                            arguments,
                            destination,
                            used,
                            span,
                        );
                    }
                    if !KNOWN.contains(&name.as_str()) {
                        self.warn_undefined(&name, name_span);
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
        let callee = self.decay(operand, callee_span)?;
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
        if void || !used {
            self.emit(Instruction::Call { result: None, callee, arguments }, span);
            // A discarded record still is one: nobody asks for it.
            return Ok(Called::Nothing);
        }
        self.complete_size(result, span)?;
        if let Some(destination) = destination.filter(|d| d.ty == result) {
            let place = Some(destination.clone());
            self.emit(Instruction::Call { result: place, callee, arguments }, span);
            return Ok(Called::Stored);
        }
        let place = self.temporary(result, span);
        let kind = ExprKind::Load(place.clone());
        self.emit(Instruction::Call { result: Some(place), callee, arguments }, span);
        Ok(Called::Value(Expr { kind, ty: result, span }))
    }

    fn not_a_function(&mut self, callee: &Expr, span: Span) -> Failed {
        let name = self.types.name(callee.ty);
        let message = format!("'{name}' cannot be called");
        self.type_error(span, message, "not a function")
    }

    /// The arguments in the types of the parameters.
    fn arguments(
        &mut self,
        nodes: &[Node<Expression>],
        parameters: &[TypeId],
        variadic: bool,
        callee: &Expr,
        span: Span,
    ) -> Typed<Vec<Expr>> {
        let mut values: Vec<Expr> = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate() {
            let mark = self.mark();
            let value = self.value(node)?;
            self.preserve(&mut values, mark);
            let value = match parameters.get(index) {
                Some(&ty) => {
                    let at = self.span(node);
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
                // A definition without a prototype takes what it names.
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
            // `int f() {..}` does not look at what it is given.
            values.truncate(wanted);
        }
        Ok(values)
    }

    fn wrong_count(
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
    fn promoted_argument(&mut self, value: Expr) -> Expr {
        match self.types.get(value.ty) {
            Type::Float { bits: 32 } => {
                let double = self.types.intern(Type::Float { bits: 64 });
                self.convert(value, double)
            }
            _ => self.promote(value),
        }
    }

    fn effects_of(&mut self, arguments: &[Node<Expression>]) -> Typed<()> {
        for argument in arguments {
            self.effect(argument)?;
        }
        Ok(())
    }

    /// An instruction behind which nothing follows.
    pub fn stop(&mut self, instruction: Instruction, span: Span) {
        self.flow(|b| b.stop(instruction, span));
    }

    /// Some value, behind a call that does not return.
    fn any_result(&mut self, id: FunctionId, used: bool, span: Span) -> Typed<Called> {
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

    #[allow(clippy::too_many_arguments)]
    fn special(
        &mut self,
        meaning: Meaning,
        id: FunctionId,
        name: &str,
        arguments: &[Node<Expression>],
        destination: Option<&Place>,
        used: bool,
        span: Span,
    ) -> Typed<Called> {
        match meaning {
            Meaning::Ordinary => {}
            Meaning::Error if !self.options.property.assertions => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Halt, span);
            }
            Meaning::Error => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Error, span);
            }
            Meaning::Halt => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Halt, span);
            }
            Meaning::Assume | Meaning::Assert => {
                let [condition] = arguments else {
                    return Err(self.wrong_count(1, arguments.len(), None, span));
                };
                let (yes, no) = (self.fresh(), self.fresh());
                self.branch(condition, yes, no)?;
                self.go_on_at(no);
                let error = meaning == Meaning::Assert && self.options.property.assertions;
                self.stop(if error { Instruction::Error } else { Instruction::Halt }, span);
                self.go_on_at(yes);
            }
            Meaning::Input => return self.input(id, name, destination, used, span),
            Meaning::First => {
                let Some((first, rest)) = arguments.split_first() else {
                    return Err(self.wrong_count(2, 0, None, span));
                };
                let value = self.value(first)?;
                let long = match self.types.bits(value.ty) {
                    Some((bits, _)) if bits <= self.types.model.word() => {
                        let bits = self.types.model.word();
                        self.types.intern(Type::Int { bits, signed: true, rank: 4 })
                    }
                    _ => value.ty,
                };
                let value = self.convert(value, long);
                self.effects_of(rest)?;
                return Ok(Called::Value(value));
            }
            Meaning::IsConstant => {
                let Some(first) = arguments.first() else {
                    return Err(self.wrong_count(1, 0, None, span));
                };
                let constant = self.try_constant(first)?.is_some();
                let int = self.int();
                return Ok(Called::Value(self.constant(u64::from(constant), int, span)));
            }
            Meaning::Nothing => {}
            Meaning::Unsupported => {
                let what = if name == super::patch::UNSUPPORTED_ASM { "asm goto" } else { name };
                self.not_modelled(span, &format!("a call of '{what}'"));
            }
        }
        self.any_result(id, used, span)
    }

    /// `__VERIFIER_nondet_x()`
    fn input(
        &mut self,
        id: FunctionId,
        name: &str,
        destination: Option<&Place>,
        used: bool,
        span: Span,
    ) -> Typed<Called> {
        let result = match *self.types.get(self.functions[id.0 as usize].ty) {
            Type::Function { result, .. } => result,
            _ => self.int(),
        };
        if *self.types.get(result) == Type::Void {
            return Ok(Called::Nothing);
        }
        let kind = HavocKind::Input(name.to_owned());
        if let Some(destination) = destination.filter(|d| d.ty == result) {
            self.emit(Instruction::Havoc(destination.clone(), kind), span);
            return Ok(Called::Stored);
        }
        // Also where nobody looks at the value: it is one of the inputs of a run.
        let place = self.temporary(result, span);
        self.emit(Instruction::Havoc(place.clone(), kind), span);
        if !used {
            return Ok(Called::Nothing);
        }
        Ok(Called::Value(Expr { kind: ExprKind::Load(place), ty: result, span }))
    }

    /// Declares a function that is called without a declaration.
    fn implicit_function(&mut self, name: &str, span: Span) -> FunctionId {
        let result = match name.strip_prefix("__VERIFIER_nondet_") {
            Some(suffix) => self.type_of_input(suffix),
            None => match name {
                "malloc" | "calloc" | "realloc" | "alloca" | "memset" | "memcpy" | "memmove" => {
                    let void = self.void();
                    self.types.pointer_to(void)
                }
                "__VERIFIER_assume" | "__VERIFIER_error" | "reach_error" | "abort" | "exit"
                | "free" | "assert" => self.void(),
                _ => self.int(),
            },
        };
        let function = Type::Function { result, parameters: Vec::new(), variadic: true };
        let ty = self.types.intern(function);
        if meaning(name) == Meaning::Ordinary && !KNOWN.contains(&name) {
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

    /// The type of `__VERIFIER_nondet_<suffix>`.
    fn type_of_input(&mut self, suffix: &str) -> TypeId {
        let word = self.types.model.word();
        let (bits, signed, rank) = match suffix {
            "bool" | "_Bool" => return self.types.intern(Type::Bool),
            "float" => return self.types.intern(Type::Float { bits: 32 }),
            "double" => return self.types.intern(Type::Float { bits: 64 }),
            "pointer" | "charp" | "pchar" => {
                let void = self.void();
                return self.types.pointer_to(void);
            }
            "char" | "s8" => (8, true, 1),
            "uchar" | "u8" | "unsigned_char" => (8, false, 1),
            "short" | "s16" => (16, true, 2),
            "ushort" | "u16" => (16, false, 2),
            "uint" | "u32" | "unsigned" | "unsigned_int" => (32, false, 3),
            "long" => (word, true, 4),
            "ulong" | "size_t" | "sector_t" => (word, false, 4),
            "longlong" | "loff_t" | "s64" => (64, true, 5),
            "ulonglong" | "u64" => (64, false, 5),
            _ => (32, true, 3),
        };
        self.types.intern(Type::Int { bits, signed, rank })
    }

    fn warn_implicit(&mut self, name: &str, span: Span) {
        let message = format!("'{name}' is called before it is declared");
        let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message)
            .with_label("not declared above");
        self.warn(&format!("implicit {name}"), diagnostic);
    }

    fn warn_undefined(&mut self, name: &str, span: Span) {
        let message = format!("'{name}' has no body");
        let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message)
            .with_label("assumed to return any value and to call nothing back");
        self.warn(&format!("undefined {name}"), diagnostic);
    }
}
