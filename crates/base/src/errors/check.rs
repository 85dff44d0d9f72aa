//! What is looked for, and its names.

use super::Checks;

/// A check for errors that is made on demand, in every operation or access.
///
/// ```
/// use hardbop_base::errors::Check;
///
/// assert_eq!(Check::of_option("check-bounds"), Some(Check::Bounds));
/// assert_eq!(Check::Null.row().holds, "no access through null");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Check {
    /// Signed overflow, and shifts by a count out of range.
    Overflow,
    /// Accesses outside of their objects.
    Bounds,
    /// Accesses through null pointers.
    Null,
    /// Divisions of integers by zero.
    Division,
    /// What is freed that is no live block's start.
    Free,
    /// Accesses to objects that have ended.
    Lifetime,
    /// Blocks that are live where the program ends.
    Cleanup,
    /// Blocks that are live where the program ends, and to which nothing points.
    Leak,
    /// Values that were never written, and are used.
    Uninitialised,
    /// Calls of what is said not to be reached.
    Unreachable,
    /// Results that are used, but were not given.
    Return,
    /// Arrays of variable length without elements.
    Vla,
    /// Shifts that C leaves undefined; those of [`Overflow`](Self::Overflow), too.
    Shift,
    /// Operations on unsigned integers that wrap around.
    UnsignedOverflow,
    /// Implicit conversions of integers that change the value.
    Conversion,
    /// Conversions of floating-point numbers to integers that are out of range.
    FloatCast,
    /// Orders and differences of pointers into different objects.
    PointerOrder,
    /// Copies by the library between objects that overlap.
    Overlap,
    /// Writes to objects that are defined `const`, and to string literals.
    Const,
    /// Formats that do not fit their arguments.
    Format,
    /// Conversions to pointers that are not aligned for their types.
    Alignment,
    /// Divisions of floating-point numbers by zero.
    FloatDivision,
    /// Effects on one object without an order.
    Sequence,
    /// Accesses of several threads to one object without an order.
    Race,
    /// Threads that all wait for each other.
    Deadlock,
}

/// A row of the table of checks: its names, and the words that the doors show.
#[derive(Debug)]
pub struct CheckRow {
    pub check: Check,
    /// The option of the command line without `--`, and its name in documents and at the other
    /// doors.
    pub option: &'static str,
    /// The name in certificates and in the answers of `--each`.
    pub name: &'static str,
    /// The help of the option.
    pub help: &'static str,
    /// The formula in answers: never an error of these kinds.
    pub formula: &'static str,
    /// The formula of SV-COMP's witnesses and property files; several checks may share one.
    pub sv_comp: &'static str,
    /// The property that holds where there is no such error.
    pub holds: &'static str,
    /// What is looked at: the words for one, and for several.
    pub looked_at: [&'static str; 2],
}

/// All checks, in the order in which they are shown.
pub const CHECKS: [CheckRow; 25] = [
    CheckRow {
        check: Check::Overflow,
        option: "overflow-check",
        name: "overflow",
        help: "Signed overflow, and shifts by a count out of range, are errors; else numbers wrap around, as with \
               `gcc -fwrapv`",
        formula: "G ! overflow",
        sv_comp: "G ! overflow",
        holds: "no signed overflow",
        looked_at: ["operation on signed integers", "operations on signed integers"],
    },
    CheckRow {
        check: Check::Bounds,
        option: "check-bounds",
        name: "bounds",
        help: "An access outside of its object is an error; else there is none, by assumption",
        formula: "G in-bounds",
        sv_comp: "G valid-deref",
        holds: "accesses are in bounds",
        looked_at: ["access or index for its bounds", "accesses and indices for their bounds"],
    },
    CheckRow {
        check: Check::Null,
        option: "check-null",
        name: "null",
        help: "An access through a null pointer is an error; else there is none, by assumption",
        formula: "G not-null",
        sv_comp: "G valid-deref",
        holds: "no access through null",
        looked_at: ["access through a pointer", "accesses through pointers"],
    },
    CheckRow {
        check: Check::Division,
        option: "check-division",
        name: "division",
        help: "A division of integers by zero is an error; else there is none, by assumption",
        formula: "G ! division-by-zero",
        sv_comp: "G def-behavior",
        holds: "no division by zero",
        looked_at: ["division", "divisions"],
    },
    CheckRow {
        check: Check::Free,
        option: "check-free",
        name: "free",
        help: "`free` or `realloc` of what is not null and no live block's start is an error",
        formula: "G valid-free",
        sv_comp: "G valid-free",
        holds: "only live blocks are freed",
        looked_at: ["call that frees", "calls that free"],
    },
    CheckRow {
        check: Check::Lifetime,
        option: "check-lifetime",
        name: "lifetime",
        help: "An access to a freed block, or to a variable that has ended, is an error",
        formula: "G live-access",
        sv_comp: "G valid-deref",
        holds: "no access to an object that has ended",
        looked_at: ["access to what may have ended", "accesses to what may have ended"],
    },
    CheckRow {
        check: Check::Cleanup,
        option: "check-cleanup",
        name: "cleanup",
        help: "A block that is not freed when the program ends is an error",
        formula: "G valid-memcleanup",
        sv_comp: "G valid-memcleanup",
        holds: "all blocks are freed where the program ends",
        looked_at: [
            "end of the program for blocks that are live",
            "ends of the program for blocks that are live",
        ],
    },
    CheckRow {
        check: Check::Leak,
        option: "check-leak",
        name: "leak",
        help: "A block that is not freed when the program ends, and to which nothing points, is an error",
        formula: "G valid-memtrack",
        sv_comp: "G valid-memtrack",
        holds: "no block is lost where the program ends",
        looked_at: [
            "end of the program for blocks that are lost",
            "ends of the program for blocks that are lost",
        ],
    },
    CheckRow {
        check: Check::Uninitialised,
        option: "check-uninitialised",
        name: "uninitialised",
        help: "The use of a value that was never written is an error",
        formula: "G initialised",
        sv_comp: "G def-behavior",
        holds: "no value is used that was never written",
        looked_at: [
            "use of a value that may not be written",
            "uses of values that may not be written",
        ],
    },
    CheckRow {
        check: Check::Unreachable,
        option: "check-unreachable",
        name: "unreachable",
        help: "A call of `__builtin_unreachable` is an error; else there is none, by assumption",
        formula: "G ! unreachable",
        sv_comp: "G def-behavior",
        holds: "what is said not to be reached is not",
        looked_at: ["call of __builtin_unreachable", "calls of __builtin_unreachable"],
    },
    CheckRow {
        check: Check::Return,
        option: "check-return",
        name: "return",
        help: "The use of a result that a function did not give is an error",
        formula: "G ! missing-result",
        sv_comp: "G def-behavior",
        holds: "no result is used that was not given",
        looked_at: ["result that may be missing", "results that may be missing"],
    },
    CheckRow {
        check: Check::Vla,
        option: "check-vla",
        name: "vla",
        help: "An array of variable length without elements is an error; else there is none, by assumption",
        formula: "G ! empty-array",
        sv_comp: "G def-behavior",
        holds: "arrays of variable length have elements",
        looked_at: ["array length", "array lengths"],
    },
    CheckRow {
        check: Check::Shift,
        option: "check-shift",
        name: "shift",
        help: "A shift that C leaves undefined is an error; `overflow` has these, too",
        formula: "G ! undefined-shift",
        sv_comp: "G def-behavior",
        holds: "no undefined shift",
        looked_at: ["shift", "shifts"],
    },
    CheckRow {
        check: Check::UnsignedOverflow,
        option: "check-unsigned-overflow",
        name: "unsigned-overflow",
        help: "An operation on unsigned integers that wraps around is an error",
        formula: "G ! unsigned-overflow",
        sv_comp: "G ! unsigned-overflow",
        holds: "no unsigned overflow",
        looked_at: ["operation on unsigned integers", "operations on unsigned integers"],
    },
    CheckRow {
        check: Check::Conversion,
        option: "check-conversion",
        name: "conversion",
        help: "An implicit conversion of an integer that changes its value is an error",
        formula: "G ! lossy-conversion",
        sv_comp: "G ! lossy-conversion",
        holds: "no implicit conversion changes a value",
        looked_at: ["implicit conversion", "implicit conversions"],
    },
    CheckRow {
        check: Check::FloatCast,
        option: "check-float-cast",
        name: "float-cast",
        help: "A conversion of a floating-point number to an integer type that does not have it is an error",
        formula: "G ! float-cast-overflow",
        sv_comp: "G def-behavior",
        holds: "floating-point numbers that become integers are in range",
        looked_at: [
            "conversion of a floating-point number",
            "conversions of floating-point numbers",
        ],
    },
    CheckRow {
        check: Check::PointerOrder,
        option: "check-pointer-order",
        name: "pointer-order",
        help: "The order or the difference of pointers into different objects is an error",
        formula: "G ! pointer-order",
        sv_comp: "G def-behavior",
        holds: "pointers that are compared or subtracted lead into one object",
        looked_at: ["order or difference of pointers", "orders and differences of pointers"],
    },
    CheckRow {
        check: Check::Overlap,
        option: "check-overlap",
        name: "overlap",
        help: "A copy by the library between objects that overlap is an error",
        formula: "G ! overlap",
        sv_comp: "G def-behavior",
        holds: "no copy between objects that overlap",
        looked_at: ["copy by the library", "copies by the library"],
    },
    CheckRow {
        check: Check::Const,
        option: "check-const",
        name: "const",
        help: "A write to an object that is defined `const`, or to a string literal, is an error",
        formula: "G ! const-write",
        sv_comp: "G def-behavior",
        holds: "nothing is written that is defined 'const'",
        looked_at: ["write to what may be constant", "writes to what may be constant"],
    },
    CheckRow {
        check: Check::Format,
        option: "check-format",
        name: "format",
        help: "A format that does not fit the arguments of `printf` or `scanf` is an error",
        formula: "G ! wrong-format",
        sv_comp: "G def-behavior",
        holds: "formats fit their arguments",
        looked_at: ["format", "formats"],
    },
    CheckRow {
        check: Check::Alignment,
        option: "check-alignment",
        name: "alignment",
        help: "A conversion of a pointer to one to a type for which it is not aligned is an error",
        formula: "G ! misaligned",
        sv_comp: "G def-behavior",
        holds: "pointers are aligned for their types",
        looked_at: ["conversion to an aligned pointer", "conversions to aligned pointers"],
    },
    CheckRow {
        check: Check::FloatDivision,
        option: "check-float-division",
        name: "float-division",
        help: "A division of a floating-point number by zero is an error; else its result is that of IEEE 754",
        formula: "G ! float-division-by-zero",
        sv_comp: "G def-behavior",
        holds: "no floating-point number is divided by zero",
        looked_at: ["division of floating-point numbers", "divisions of floating-point numbers"],
    },
    CheckRow {
        check: Check::Sequence,
        option: "check-sequence",
        name: "sequence",
        help: "Two effects on one object, or one and a read of it, without an order, as in `i = i++`, are an error; else \
               there are none, by assumption",
        formula: "G ! unsequenced",
        sv_comp: "G def-behavior",
        holds: "effects on one object have an order",
        looked_at: ["expression whose effects may meet", "expressions whose effects may meet"],
    },
    CheckRow {
        check: Check::Race,
        option: "check-race",
        name: "race",
        help: "Accesses of two threads to one object without an order, of which one writes and one is not atomic, are an \
               error; else each is a step of its own, by assumption",
        formula: "G ! data-race",
        sv_comp: "G ! data-race",
        holds: "no data race",
        looked_at: [
            "access that another thread may make, too",
            "accesses that other threads may make, too",
        ],
    },
    CheckRow {
        check: Check::Deadlock,
        option: "check-deadlock",
        name: "deadlock",
        help: "That no thread can go on, and not all have ended, is an error; else it is an end of the program",
        formula: "G ! deadlock",
        sv_comp: "G ! deadlock",
        holds: "no deadlock",
        looked_at: ["call that may wait", "calls that may wait"],
    },
];

/// A name for several checks.
#[derive(Debug)]
pub struct Group {
    pub name: &'static str,
    /// The checks, in words.
    pub help: &'static str,
    pub checks: fn() -> Checks,
}

/// All groups of checks.
pub const GROUPS: [Group; 4] = [
    Group { name: "memory", help: "bounds, null, free and lifetime", checks: Checks::memory },
    Group {
        name: "undefined",
        help: "memory, overflow, division, unreachable, return and float-cast",
        checks: Checks::undefined,
    },
    Group {
        name: "leaks",
        help: "leak and cleanup",
        checks: || Checks::of(&[Check::Leak, Check::Cleanup]),
    },
    Group {
        name: "all",
        help: "all but unsigned-overflow, conversion, float-division and deadlock, which are defined",
        checks: Checks::all,
    },
];

impl Check {
    /// The row of this check in [`CHECKS`], which are in the order of the checks.
    #[must_use]
    pub fn row(self) -> &'static CheckRow {
        &CHECKS[self as usize]
    }

    /// What a list asks for that names it: with divisions of integers those of floating-point numbers, too, which a
    /// group of what C leaves undefined does not have.
    #[must_use]
    pub fn as_named(self) -> Checks {
        match self {
            Self::Division => Checks::of(&[Self::Division, Self::FloatDivision]),
            check => Checks::of(&[check]),
        }
    }

    /// The check of that option.
    #[must_use]
    pub fn of_option(option: &str) -> Option<Self> {
        CHECKS.iter().find(|row| row.option == option).map(|row| row.check)
    }
}
