//! Functions that mean something to a verifier: the conventions of SV-COMP, and built-ins of gcc.
//!
//! They hold where the text gives no body; that of an error function does not matter.

use lang_c::ast::Expression;
use lang_c::span::Node;

use super::builder::Builder;
use super::call::Called;
use super::context::{Context, Typed};
use crate::base::source::Span;
use crate::program::c::flow::{
    Expr, ExprKind, FunctionId, HavocKind, Instruction, Place, Violation,
};
use crate::program::c::types::{Type, TypeId};

/// A call of a function with a meaning.
#[derive(Debug)]
pub(super) struct Special<'a> {
    pub id: FunctionId,
    pub name: &'a str,
    pub arguments: &'a [Node<Expression>],
    /// A variable that may take the result.
    pub destination: Option<&'a Place>,
    pub used: bool,
    pub span: Span,
}

/// What a call of a function without a body means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
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
pub(super) const KNOWN: &[&str] = &[
    "malloc", "calloc", "realloc", "alloca", "free", "memset", "memcpy", "memmove", "memcmp",
    "printf", "puts", "putchar", "fprintf", "fflush",
];

pub(super) fn meaning(name: &str) -> Meaning {
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
        // Where it is not the error.
        | "reach_error"
        | "__VERIFIER_error"
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
pub(super) fn library_name(name: &str) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(rest) if KNOWN.contains(&rest) => rest,
        _ => name,
    }
}

/// Functions with a format that says what they write.
const FORMATTED: &[&str] =
    &["printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf"];

/// Whether a call is one of `printf` or the like with a `%n`.
pub(super) fn writes_count(name: &str, arguments: &[Node<Expression>]) -> bool {
    let has_count = |text: &String| {
        text.split('%').skip(1).any(|directive| {
            directive
                .trim_start_matches(|c: char| "-+ #0123456789.*hljztLq".contains(c))
                .starts_with('n')
        })
    };
    FORMATTED.contains(&name)
        && arguments.iter().any(|argument| match &argument.node {
            Expression::StringLiteral(string) => string.node.iter().any(has_count),
            _ => false,
        })
}

impl Context<'_> {
    pub fn special(&mut self, meaning: Meaning, call: &Special) -> Typed<Called> {
        let &Special { id, name, arguments, used, span, .. } = call;
        match meaning {
            Meaning::Ordinary => {}
            Meaning::Error if !self.options.property.assertions => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Halt, span);
            }
            Meaning::Error => {
                self.effects_of(arguments)?;
                self.stop(Instruction::Error(Violation::Reached), span);
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
                let error = error.then_some(Instruction::Error(Violation::Reached));
                self.stop(error.unwrap_or(Instruction::Halt), span);
                self.go_on_at(yes);
            }
            Meaning::Input => return self.input(call),
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

    /// Bodies for functions with a meaning that are not only called by their names.
    pub fn meanings_by_pointer(&mut self) {
        for id in std::mem::take(&mut self.by_pointer) {
            let function = &self.functions[id.0 as usize];
            let name = function.name.as_str();
            let error = self.options.property.error_functions.iter().any(|n| n == name);
            let instruction = match meaning(name) {
                _ if error => Instruction::Error(Violation::Reached),
                _ if function.body.is_some() => continue,
                Meaning::Error if self.options.property.assertions => {
                    Instruction::Error(Violation::Reached)
                }
                Meaning::Error | Meaning::Halt => Instruction::Halt,
                Meaning::Assert | Meaning::Unsupported => {
                    Instruction::Unsupported(format!("a call of '{name}'"))
                }
                _ => continue,
            };
            let mut builder = Builder::new();
            builder.stop(instruction, function.span);
            self.functions[id.0 as usize].body = Some(builder.finish());
        }
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

    /// The type of `__VERIFIER_nondet_<suffix>`.
    pub fn type_of_input(&mut self, suffix: &str) -> TypeId {
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
}
