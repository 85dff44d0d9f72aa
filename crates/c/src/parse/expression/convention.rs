//! Calls that the table of library functions replaces by control flow.
//!
//! A body in the text takes precedence, except for error functions.

use super::builtin::binary;
use super::constant::wrap;
use crate::flow::{BinaryOp, Expr, ExprKind, FunctionId, HavocKind, Instruction, Place, Violation};
use crate::library::{Arithmetic, Convention, Kind, Ranges, builtin, class, find};
use crate::parse::builder::Builder;
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::tree::{Expression, Node};
use crate::types::{Type, TypeId};
use crate::variadic::{COPY, START};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

/// A call with a special meaning.
#[derive(Debug)]
pub(in crate::parse) struct Special<'a> {
    pub id: FunctionId,
    pub name: &'a str,
    pub arguments: &'a [Node<Expression>],
    /// A variable that may receive the result.
    pub destination: Option<&'a Place>,
    pub used: bool,
    pub span: Span,
}

/// The replacement of a call of this function, if it has no body.
fn convention(name: &str) -> Option<Convention> {
    find(name)?.convention()
}

/// Whether the effect of calling the function is unknown.
pub(in crate::parse) fn is_unknown(name: &str) -> bool {
    find(name).is_none_or(|known| !known.is_modelled())
}

/// The library function that a built-in stands for, or the name itself.
pub(in crate::parse) fn library_name(name: &str) -> &str {
    match builtin(name) {
        Some(known) if known.model().is_some() => name.trim_start_matches("__builtin_"),
        _ => name,
    }
}

/// Whether a call is one of `printf` or the like with a `%n`.
pub(in crate::parse) fn writes_count(name: &str, arguments: &[Node<Expression>]) -> bool {
    let has_count = |text: &String| {
        text.split('%').skip(1).any(|directive| {
            directive
                .trim_start_matches(|c: char| "-+ #0123456789.*hljztLq".contains(c))
                .starts_with('n')
        })
    };
    find(name).is_some_and(|known| known.prototype.format().is_some())
        && arguments.iter().any(|argument| match &argument.node {
            Expression::StringLiteral(string) => string.node.iter().any(has_count),
            _ => false,
        })
}

impl Context<'_> {
    pub fn special(&mut self, convention: Convention, call: &Special) -> Typed<Called> {
        let &Special { id, name, arguments, used, span, .. } = call;
        let has_format = || find(name).is_some_and(|known| known.prototype.format().is_some());
        if self.asks(Check::Format, span) && has_format() {
            self.not_modelled(span, &format!("whether the format of '{name}' fits"));
        }
        match convention {
            Convention::Error if !self.options.property.assertions => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Halt, span);
            }
            Convention::Error => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Error(Violation::Reached), span);
            }
            Convention::Unreachable if self.asks(Check::Unreachable, span) => {
                self.stop(Instruction::Error(Violation::Of(ErrorKind::Unreachable)), span);
            }
            Convention::Unreachable => {
                self.rely(Reliance::Unreachable, span);
                self.stop(Instruction::Halt, span);
            }
            Convention::Halt => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Halt, span);
            }
            Convention::Exit => {
                self.effects_of(arguments)?;
                self.leave_program(span);
            }
            Convention::AtExit => return self.at_exit(call),
            Convention::Sort => return self.sort(call),
            Convention::Invariant if !self.options.property.assertions => {}
            Convention::Assume | Convention::Assert | Convention::Invariant => {
                // Some assertions have a text as well.
                let (condition, rest) = match arguments {
                    [condition] => (condition, &[][..]),
                    [condition, rest @ ..]
                        if rest.len() == 1 && convention != Convention::Invariant =>
                    {
                        (condition, rest)
                    }
                    _ => return Err(self.wrong_count(1, arguments.len(), None, span)),
                };
                self.effects_of(rest)?;
                let (yes, no) = (self.fresh(), self.fresh());
                self.branch(condition, yes, no)?;
                self.go_on_at(no);
                let error = convention != Convention::Assume && self.options.property.assertions;
                let error = error.then_some(Instruction::Error(Violation::Reached));
                self.stop(error.unwrap_or(Instruction::Halt), span);
                self.go_on_at(yes);
            }
            Convention::Input => return self.input(call),
            Convention::First => {
                let Some((first, rest)) = arguments.split_first() else {
                    return Err(self.wrong_count(2, 0, None, span));
                };
                let value = self.value(first)?;
                let value = self.scalar(value)?;
                let long = match self.types.bits(value.ty) {
                    Some((bits, _)) if bits <= self.types.model.word() => {
                        let bits = self.types.model.word();
                        self.types.intern(Type::Int { bits, signed: true, rank: 4 })
                    }
                    _ => value.ty,
                };
                let value = self.implicit(value, long);
                self.effects_of(rest)?;
                return Ok(Called::Value(value));
            }
            Convention::IsConstant => {
                let Some(first) = arguments.first() else {
                    return Err(self.wrong_count(1, 0, None, span));
                };
                let constant = self.try_constant(first)?.is_some();
                let int = self.int();
                return Ok(Called::Value(self.constant(u64::from(constant), int, span)));
            }
            Convention::StartList => {
                self.with_lists(START, arguments.get(..1).unwrap_or_default(), None, span)?;
            }
            Convention::CopyList => {
                self.with_lists(COPY, arguments, None, span)?;
            }
            Convention::Nothing => {}
            Convention::ObjectSize => return self.object_size(call),
            Convention::Bits(what) => return self.bit_function(what, call),
            Convention::Overflowing(what) => {
                let op = match what {
                    Arithmetic::Add => BinaryOp::Add,
                    Arithmetic::Subtract => BinaryOp::Subtract,
                    Arithmetic::Multiply => BinaryOp::Multiply,
                };
                return self.overflowing(op, call);
            }
            Convention::Atomic => return self.atomic(call),
            Convention::Real(what) => return self.real_function(what, call),
            Convention::Letter { upper } => return self.letter(upper, call),
            // Jumps and threads are calls until the whole program is known.
            Convention::SetJump
            | Convention::LongJump
            | Convention::Thread
            | Convention::Unsupported => {
                self.undecided.insert(name.to_owned());
                let what = match name.strip_prefix("__undecided_") {
                    Some(what) => what.replace('_', " "),
                    None => format!("a call of '{name}'"),
                };
                self.not_modelled(span, &what);
            }
        }
        self.any_result(id, used, span)
    }

    /// The replacement of a call of a function without a body.  `err` and its like, which headers declare `noreturn`, end the
    /// program only where they are declared so: elsewhere they may be the program's own.  So is an `assert` that is declared
    /// with more parameters than a condition and a text.
    pub(in crate::parse) fn convention_of(&self, id: FunctionId) -> Option<Convention> {
        let name = &self.functions[id.0 as usize].name;
        let is_exit = find(name).is_some_and(|known| known.name == "exit");
        let may_return = !is_exit && !self.promised(id).no_return;
        convention(name).map(|convention| match convention {
            Convention::Exit if may_return => Convention::Unsupported,
            Convention::Assert if self.declared_parameters(id) > 2 => Convention::Unsupported,
            convention => convention,
        })
    }

    /// The number of parameters that a function is declared with.
    fn declared_parameters(&self, id: FunctionId) -> usize {
        match self.types.get(self.functions[id.0 as usize].ty) {
            Type::Function { parameters, .. } => parameters.len(),
            _ => 0,
        }
    }

    /// Gives bodies to functions with a special meaning that are used other than by direct calls.
    pub fn meanings_by_pointer(&mut self) {
        for id in std::mem::take(&mut self.by_pointer) {
            let function = &self.functions[id.0 as usize];
            let name = function.name.as_str();
            let error = self.options.property.error_functions.iter().any(|n| n == name);
            let instruction = match self.convention_of(id) {
                _ if error => Instruction::Error(Violation::Reached),
                _ if function.body.is_some() => continue,
                None if self.promised(id).no_return => {
                    Instruction::Unsupported(format!("a call of '{name}', which does not return"))
                }
                None => continue,
                Some(Convention::Error) if self.options.property.assertions => {
                    Instruction::Error(Violation::Reached)
                }
                Some(Convention::Exit)
                    if self.has_handlers || self.options.property.checks.are_of_ends() =>
                {
                    Instruction::Unsupported(format!("a call of '{name}' through a pointer"))
                }
                Some(
                    Convention::Error
                    | Convention::Halt
                    | Convention::Exit
                    | Convention::Unreachable,
                ) => Instruction::Halt,
                Some(
                    Convention::Assert
                    | Convention::Invariant
                    | Convention::AtExit
                    | Convention::Sort
                    | Convention::SetJump
                    | Convention::LongJump
                    | Convention::Thread
                    | Convention::ObjectSize
                    | Convention::Bits(_)
                    | Convention::Overflowing(_)
                    | Convention::Atomic
                    | Convention::Letter { .. }
                    | Convention::Real(_)
                    | Convention::Unsupported,
                ) => Instruction::Unsupported(format!("a call of '{name}'")),
                Some(
                    Convention::Assume
                    | Convention::Input
                    | Convention::First
                    | Convention::IsConstant
                    | Convention::StartList
                    | Convention::CopyList
                    | Convention::Nothing,
                ) => continue,
            };
            if let Instruction::Unsupported(_) = instruction {
                self.undecided.insert(function.name.clone());
            }
            let mut builder = Builder::new();
            if let Instruction::Error(_) = instruction {
                self.stated.push((id, function.span));
            }
            builder.stop(instruction, function.span);
            self.functions[id.0 as usize].body = Some(builder.finish());
        }
    }

    /// `toupper` and `tolower` in the C locale.
    fn letter(&mut self, upper: bool, call: &Special) -> Typed<Called> {
        let &Special { arguments, used, span, .. } = call;
        let [argument] = arguments else {
            return Err(self.wrong_count(1, arguments.len(), None, span));
        };
        let int = self.int();
        let value = self.value(argument)?;
        let value = self.implicit(value, int);
        let value = self.keep(value);
        if !used {
            return Ok(Called::Nothing);
        }
        let (first, last) = if upper { (b'a', b'z') } else { (b'A', b'Z') };
        let among = self.among(&value, &[(first, last)]);
        // The cases of a letter differ in one bit.
        let bit = self.constant(0x20, int, span);
        let other = binary(BinaryOp::BitXor, &value, &bit, int);
        let choose = |condition: Expr, a: Expr, b: Expr| {
            let kind = ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b));
            Expr { kind, ty: int, span }
        };
        let result = choose(among, other, value.clone());
        // The C standard knows characters and EOF; to glibc, other bytes may be signed.
        let [least, eof, bytes] =
            [-128, -1, 256].map(|number: i128| self.constant(wrap(number, 32), int, span));
        let low = binary(BinaryOp::GreaterEqual, &value, &least, int);
        let high = binary(BinaryOp::Less, &value, &eof, int);
        let signed = binary(BinaryOp::And, &low, &high, int);
        let byte = binary(BinaryOp::Add, &value, &bytes, int);
        Ok(Called::Value(choose(signed, byte, result)))
    }

    /// The argument and the characters of a call such as `isdigit(c)`.
    pub(super) fn class_call<'n>(
        &self,
        node: &'n Node<Expression>,
    ) -> Option<(&'n Node<Expression>, Ranges)> {
        let Expression::Call(call) = &node.node else { return None };
        let (Expression::Identifier(name), [argument]) =
            (&call.node.callee.node, call.node.arguments.as_slice())
        else {
            return None;
        };
        let name = library_name(&name.node.name);
        let function = matches!(self.scopes.find(name), Some((Entity::Function(_), _)));
        let ranges = class(name).filter(|_| function && !self.bodies.contains(name))?;
        Some((argument, ranges))
    }

    /// Whether a call such as `isdigit(c)` is not 0, as an `int`.
    pub(super) fn class_of_character(&mut self, node: &Node<Expression>) -> Typed<Option<Expr>> {
        let Some((argument, ranges)) = self.class_call(node) else { return Ok(None) };
        let int = self.int();
        let value = self.value(argument)?;
        let value = self.implicit(value, int);
        let value = self.keep(value);
        let span = self.span(node);
        let mut among = self.among(&value, ranges);
        among.span = span;
        Ok(Some(among))
    }

    /// Whether an `int` is in one of several ranges, as an `int`.
    pub(super) fn among(&mut self, value: &Expr, ranges: &[(u8, u8)]) -> Expr {
        let int = self.int();
        let mut all = self.constant(0, int, value.span);
        for &(first, last) in ranges {
            let first = self.constant(u64::from(first), int, value.span);
            let last = self.constant(u64::from(last), int, value.span);
            let above = binary(BinaryOp::GreaterEqual, value, &first, int);
            let below = binary(BinaryOp::LessEqual, value, &last, int);
            let inside = binary(BinaryOp::And, &above, &below, int);
            all = binary(BinaryOp::Or, &all, &inside, int);
        }
        all
    }

    /// `__VERIFIER_nondet_x()`
    fn input(&mut self, call: &Special) -> Typed<Called> {
        let &Special { id, name, destination, used, span, .. } = call;
        let result = match *self.types.get(self.functions[id.0 as usize].ty) {
            Type::Function { result, .. } => result,
            _ => self.int(),
        };
        if *self.types.get(result) == Type::Void {
            return Ok(Called::Nothing);
        }
        let kind = HavocKind::Input(name.to_owned());
        Ok(match self.any_value(result, kind, destination, span) {
            // It is one of the inputs of a run nevertheless.
            Called::Value(_) if !used => Called::Nothing,
            called => called,
        })
    }

    /// Any value of a type, in the destination if that fits.
    pub(super) fn any_value(
        &mut self,
        ty: TypeId,
        kind: HavocKind,
        destination: Option<&Place>,
        span: Span,
    ) -> Called {
        if let Some(destination) = destination.filter(|d| d.ty == ty && self.types.is_scalar(ty)) {
            self.emit(Instruction::Havoc(destination.clone(), kind), span);
            return Called::Stored;
        }
        let place = self.temporary(ty, span);
        if let (HavocKind::Input(_), Some(_)) = (&kind, self.types.as_wide(ty)) {
            // Each half is an input.
            for half in [0, 1] {
                let half = self.field(place.clone(), half, span);
                self.emit(Instruction::Havoc(half, kind.clone()), span);
            }
            return Called::Value(Expr { kind: ExprKind::Load(place), ty, span });
        }
        let of = match &kind {
            HavocKind::Input(name) => Some(name.clone()),
            HavocKind::Uninitialised | HavocKind::Ended | HavocKind::Volatile(_) => None,
        };
        self.emit(Instruction::Havoc(place.clone(), kind), span);
        if let Some(name) = of {
            self.returned_record(&name, &place, span);
        }
        Called::Value(Expr { kind: ExprKind::Load(place), ty, span })
    }

    /// The result type of a library function.
    pub fn type_of_result(&mut self, kind: Kind) -> TypeId {
        let word = self.types.model.word();
        let (bits, signed, rank) = match kind {
            Kind::Void => return self.void(),
            Kind::Int => return self.int(),
            Kind::Long => (word, true, 4),
            Kind::LongLong => (64, true, 5),
            Kind::Size => (word, false, 4),
            Kind::Double => return self.types.intern(Type::Float { bits: 64 }),
            Kind::Memory | Kind::Block | Kind::Stream | Kind::Arguments => {
                let void = self.void();
                return self.types.pointer_to(void);
            }
            Kind::Text | Kind::Format | Kind::Buffer => {
                let char = self.types.intern(Type::Int { bits: 8, signed: true, rank: 1 });
                return self.types.pointer_to(char);
            }
        };
        self.types.intern(Type::Int { bits, signed, rank })
    }

    /// The type of `__VERIFIER_nondet_<suffix>`, or of `nondet_<suffix>`, where it is not declared.
    pub fn type_of_input(&mut self, suffix: &str) -> TypeId {
        let word = self.types.model.word();
        if let ("int128" | "uint128", Some(wide)) = (suffix, self.wide_type(suffix == "int128")) {
            return wide;
        }
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
}
