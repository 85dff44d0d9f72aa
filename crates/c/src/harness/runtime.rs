//! The parts of a harness that are the same for every program.

use std::fmt::Write as _;

use super::library::{declared, define, has_results};
use crate::execute::Execution;
use crate::flow::{Flow, Function, Violation};
use crate::library::{Link, find, rows};
use hardbop_base::errors::ErrorKind;

/// Exit code of a harness that reaches the error.
pub const ERROR_CODE: i32 = 107;
/// Exit code of a harness in which an assumption is false.
pub const ASSUMPTION_CODE: i32 = 108;
/// Exit code of a harness that asks for more values than the execution had.
pub const MISSING_CODE: i32 = 109;

/// The comment at the start of a harness.
pub(super) fn usage(flow: &Flow, name: &str, violation: Violation) -> String {
    let word = flow.types.model.word();
    let arithmetic = match violation {
        Violation::Reached | Violation::Witness(_) => "-fwrapv",
        Violation::Of(kind) => sanitizer(kind).unwrap_or("-fwrapv"),
    };
    let run = match violation {
        Violation::Of(kind) => match kind {
            ErrorKind::LiveBlock => {
                "\n   Run: valgrind --leak-check=full --show-leak-kinds=all ./a.out"
            }
            ErrorKind::Uninitialised => "\n   Run: valgrind ./a.out",
            ErrorKind::PointerOrder => {
                "\n   Run: ASAN_OPTIONS=detect_invalid_pointer_pairs=2 ./a.out"
            }
            ErrorKind::EndedObject => {
                "\n   Run: ASAN_OPTIONS=detect_stack_use_after_return=1 ./a.out"
            }
            _ => "",
        },
        Violation::Reached | Violation::Witness(_) => "",
    };
    format!(
        "A run of {name} into its error, as a program ({word}-bit pointers and long).
   Compile: gcc -std=gnu11 -w -O0 -m{word} {arithmetic} -fno-builtin -fno-strict-aliasing harness.c -lm{run}
   (without a C library: -nostdlib -static -fno-pie -fno-stack-protector -DHARDBOP_FREESTANDING)
   At the error it exits with {ERROR_CODE}; with {ASSUMPTION_CODE} where an assumption is false, \
         with {MISSING_CODE} where it
   goes another way and asks for more values."
    )
}

/// The options with which gcc, or what runs the program, finds an error; `None` if they do not find it.
fn sanitizer(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::SignedOverflow | ErrorKind::ShiftCount | ErrorKind::LeftShift => {
            OVERFLOW_OPTIONS
        }
        ErrorKind::DivisionByZero => DIVISION_OPTIONS,
        ErrorKind::Unreachable => "-fwrapv -fsanitize=unreachable",
        ErrorKind::FloatDivisionByZero => {
            "-fwrapv -fsanitize=float-divide-by-zero -fno-sanitize-recover=all"
        }
        ErrorKind::FloatCast => "-fwrapv -fsanitize=float-cast-overflow -fno-sanitize-recover=all",
        ErrorKind::PointerOrder => "-fwrapv -fsanitize=address,pointer-compare,pointer-subtract",
        ErrorKind::Misaligned => "-fwrapv -fsanitize=alignment -fno-sanitize-recover=all",
        // The address sanitizer finds lost blocks; valgrind blocks that are not freed, and values.
        ErrorKind::LiveBlock | ErrorKind::Uninitialised => "-g -fwrapv",
        ErrorKind::MissingResult
        | ErrorKind::UnsignedOverflow
        | ErrorKind::Conversion
        | ErrorKind::ConstWrite
        | ErrorKind::Unsequenced
        | ErrorKind::Race
        | ErrorKind::Deadlock
        | ErrorKind::Format => return None,
        ErrorKind::OutOfBounds
        | ErrorKind::NullPointer
        | ErrorKind::ArrayLength
        | ErrorKind::InvalidFree
        | ErrorKind::EndedObject
        | ErrorKind::LostBlock
        | ErrorKind::Overlap => ACCESS_OPTIONS,
    })
}

/// What to say of an error that gcc has no sanitizer for.
pub(super) fn unseen(violation: Violation) -> Option<String> {
    let Violation::Of(kind) = violation else { return None };
    let words = kind.row().words;
    sanitizer(kind)
        .is_none()
        .then(|| format!("gcc does not find {words}: the program may go on behind it"))
}

/// Options that let gcc find an overflow, in place of `-fwrapv`.
pub const OVERFLOW_OPTIONS: &str =
    "-fsanitize=signed-integer-overflow,shift -fno-sanitize-recover=all";

/// Options that let gcc find a division by zero.
pub const DIVISION_OPTIONS: &str =
    "-fwrapv -fsanitize=integer-divide-by-zero -fno-sanitize-recover=all";

/// Options that let gcc find an access outside its object. On such an access, the address sanitizer
/// ends the program with an exit code of its own.
pub const ACCESS_OPTIONS: &str =
    "-fsanitize=address,bounds-strict,null,vla-bound -fno-sanitize-recover=all";

/// The functions that gcc's checks call.
pub(super) const SANITIZER: &str = include_str!("sanitizer.c");

/// Functions that the rest of the harness uses.
pub(super) const PRELUDE: &str = include_str!("prelude.c");

/// In C99, and so for gcc, an `inline` function without `static` may have no definition to call.
pub(super) const INLINES: &str = "#define inline\n#define __inline\n#define __inline__\n";

/// Functions for blocks of memory whose contents are given.
pub(super) const HEAP: &str = include_str!("heap.c");
const START: &str = include_str!("start.c");
const DIVIDE: &str = include_str!("divide.c");

/// Text to put before the program: if its entry function is not `main`, its `main` is renamed.
pub(super) fn start(flow: &Flow) -> &'static str {
    match flow.functions[flow.main.0 as usize].name.as_str() {
        "main" => "",
        _ => "#define main hardbop_main",
    }
}

/// Text to put after the program: its start and library functions, for use without a C library.
pub(super) fn tail(flow: &Flow, execution: &Execution) -> String {
    let mut out = String::new();
    let main = &flow.functions[flow.main.0 as usize].name;
    if main != "main" {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "#undef main\nint hardbop_entry(void) __asm__(\"main\");");
        let _ = writeln!(out, "int hardbop_entry(void) {{ ((void (*)()){main})(); return 0; }}");
    }
    out.push_str("#ifdef HARDBOP_FREESTANDING\ntypedef __SIZE_TYPE__ hardbop_size;\n");
    for known in rows() {
        let Link::Library(definition) = known.link else { continue };
        let name = known.name;
        let given = |f: &Function| f.body.is_some() && !f.is_convention();
        if flow.functions.iter().any(|f| f.name == name && given(f)) {
            // Other functions of the library may still call it.
            if name == "malloc" {
                out.push_str(&definition.replacen("void", "static void", 1));
                out.push('\n');
            }
            continue;
        }
        if !has_results(execution, name) {
            out.push_str(&declared(name, definition));
        }
    }
    for function in flow.functions.iter().filter(|f| f.body.is_none()) {
        let name = &function.name;
        if !name.starts_with("__builtin_") && find(name).is_some_and(|k| k.link == Link::Real) {
            out.push_str(&define(&format!("hardbop_l_{name}"), name, "void", "void", ""));
        }
    }
    out.push_str(START);
    out.push_str(DIVIDE);
    out.push_str("#endif\n");
    out
}
