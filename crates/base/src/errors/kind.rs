//! The kinds of error, with their names and words.

use super::Check;

/// A kind of error of an operation or an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// The result of an operation on signed integers does not fit their type.
    SignedOverflow,
    /// A shift goes by a negative count, or by at least the width.
    ShiftCount,
    /// An access is not within one object.
    OutOfBounds,
    /// An access goes through a null pointer.
    NullPointer,
    /// The length of an array of variable length is not positive.
    ArrayLength,
    /// An integer is divided by zero.
    DivisionByZero,
    /// What is freed is no live block's start.
    InvalidFree,
    /// An access is to an object that has ended.
    EndedObject,
    /// A block is live where the program ends.
    LiveBlock,
    /// A block is live where the program ends, and nothing points to it.
    LostBlock,
    /// A value that was never written is used.
    Uninitialised,
    /// `__builtin_unreachable` is called.
    Unreachable,
    /// The result of a call is used, but the function ended without one.
    MissingResult,
    /// A signed number is shifted to the left whose result C does not define.
    LeftShift,
    /// The result of an operation on unsigned integers wraps around.
    UnsignedOverflow,
    /// An implicit conversion of an integer changes its value.
    Conversion,
    /// A floating-point number is converted to an integer type that does not have its integral part.
    FloatCast,
    /// Pointers into different objects are compared by order, or subtracted.
    PointerOrder,
    /// Objects overlap that a function of the library copies between.
    Overlap,
    /// An object that is defined `const`, or a string literal, is written.
    ConstWrite,
    /// A format of `printf` or `scanf` does not fit the arguments.
    Format,
    /// A pointer becomes one to a type for which it is not aligned.
    Misaligned,
    /// A floating-point number is divided by zero.
    FloatDivisionByZero,
    /// An effect has no order with another one on the same object, or with a read of it.
    Unsequenced,
    /// Threads access an object without an order.
    Race,
    /// No thread can go on, and not all have ended.
    Deadlock,
}

/// A row of the table of kinds of error: its names, and the words that the doors show.
#[derive(Debug)]
pub struct ErrorRow {
    pub kind: ErrorKind,
    /// The checks that look for this kind of error, of which each does.
    pub checks: &'static [Check],
    /// The name for programs: `violation-code` of traces, the rule of SARIF and of Code Climate.
    pub code: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// A description in one sentence.
    pub description: &'static str,
    /// The error in a few words with an article: `there can be a signed overflow`.
    pub words: &'static str,
    /// The weakness of <https://cwe.mitre.org> that it is.
    pub cwe: u32,
}

/// All kinds of error.
pub const ERRORS: [ErrorRow; 26] = [
    ErrorRow {
        kind: ErrorKind::SignedOverflow,
        checks: &[Check::Overflow],
        code: "signed-overflow",
        title: "Signed overflow",
        description: "The result of an operation on signed integers does not fit their type.",
        words: "a signed overflow",
        cwe: 190,
    },
    ErrorRow {
        kind: ErrorKind::ShiftCount,
        checks: &[Check::Overflow, Check::Shift],
        code: "shift-count",
        title: "Shift out of range",
        description: "A shift goes by a negative count, or by at least the width of the number.",
        words: "a shift by a count out of range",
        cwe: 1335,
    },
    ErrorRow {
        kind: ErrorKind::OutOfBounds,
        checks: &[Check::Bounds],
        code: "out-of-bounds",
        title: "Access out of bounds",
        description: "An access is not within one object.",
        words: "an access out of bounds",
        cwe: 119,
    },
    ErrorRow {
        kind: ErrorKind::NullPointer,
        checks: &[Check::Null],
        code: "null-pointer",
        title: "Null pointer",
        description: "An access goes through a null pointer.",
        words: "an access through a null pointer",
        cwe: 476,
    },
    ErrorRow {
        kind: ErrorKind::ArrayLength,
        checks: &[Check::Bounds, Check::Vla],
        code: "array-length",
        title: "Array without elements",
        description: "The length of an array of variable length is not positive.",
        words: "an array whose length is not positive",
        cwe: 1284,
    },
    ErrorRow {
        kind: ErrorKind::DivisionByZero,
        checks: &[Check::Division],
        code: "division-by-zero",
        title: "Division by zero",
        description: "An integer is divided by zero, or its remainder is taken.",
        words: "a division by zero",
        cwe: 369,
    },
    ErrorRow {
        kind: ErrorKind::InvalidFree,
        checks: &[Check::Free],
        code: "invalid-free",
        title: "Invalid free",
        description: "What is freed is not null and not the start of a live block of the heap.",
        words: "a free of what is no live block",
        cwe: 763,
    },
    ErrorRow {
        kind: ErrorKind::EndedObject,
        checks: &[Check::Lifetime],
        code: "ended-object",
        title: "Access to an object that has ended",
        description: "An access is to a block that was freed, or to a variable whose block or function was left.",
        words: "an access to an object that has ended",
        cwe: 825,
    },
    ErrorRow {
        kind: ErrorKind::LiveBlock,
        checks: &[Check::Cleanup],
        code: "live-block",
        title: "Block that is not freed",
        description: "A block of the heap is not freed when the program ends.",
        words: "a block that is not freed",
        cwe: 772,
    },
    ErrorRow {
        kind: ErrorKind::LostBlock,
        checks: &[Check::Leak],
        code: "lost-block",
        title: "Memory leak",
        description: "A block of the heap is not freed when the program ends, and nothing points to it.",
        words: "a block that is lost",
        cwe: 401,
    },
    ErrorRow {
        kind: ErrorKind::Uninitialised,
        checks: &[Check::Uninitialised],
        code: "uninitialised",
        title: "Use of an uninitialised value",
        description: "A value that was never written decides a branch, is an operand, an address or an argument, or is returned.",
        words: "a use of a value that was never written",
        cwe: 457,
    },
    ErrorRow {
        kind: ErrorKind::Unreachable,
        checks: &[Check::Unreachable],
        code: "unreachable",
        title: "Unreachable code is reached",
        description: "`__builtin_unreachable` is called.",
        words: "a call of what is said not to be reached",
        cwe: 758,
    },
    ErrorRow {
        kind: ErrorKind::MissingResult,
        checks: &[Check::Return],
        code: "missing-result",
        title: "Missing result",
        description: "The result of a call is used, but the function ended without `return` and a value.",
        words: "a use of a result that the function did not give",
        cwe: 758,
    },
    ErrorRow {
        kind: ErrorKind::LeftShift,
        checks: &[Check::Shift],
        code: "left-shift",
        title: "Undefined left shift",
        description: "A negative number is shifted to the left, or a signed one beyond what its type has.",
        words: "a left shift that C leaves undefined",
        cwe: 1335,
    },
    ErrorRow {
        kind: ErrorKind::UnsignedOverflow,
        checks: &[Check::UnsignedOverflow],
        code: "unsigned-overflow",
        title: "Unsigned overflow",
        description: "The result of an operation on unsigned integers wraps around.",
        words: "an unsigned overflow",
        cwe: 190,
    },
    ErrorRow {
        kind: ErrorKind::Conversion,
        checks: &[Check::Conversion],
        code: "conversion",
        title: "Conversion that changes a value",
        description: "An implicit conversion of an integer changes its value.",
        words: "an implicit conversion that changes a value",
        cwe: 681,
    },
    ErrorRow {
        kind: ErrorKind::FloatCast,
        checks: &[Check::FloatCast],
        code: "float-cast",
        title: "Float out of range",
        description: "A floating-point number is converted to an integer type that does not have its integral part.",
        words: "a conversion of a floating-point number out of range",
        cwe: 681,
    },
    ErrorRow {
        kind: ErrorKind::PointerOrder,
        checks: &[Check::PointerOrder],
        code: "pointer-order",
        title: "Order of unrelated pointers",
        description: "Pointers that do not lead into one object are compared by order, or subtracted.",
        words: "a comparison or difference of pointers into different objects",
        cwe: 469,
    },
    ErrorRow {
        kind: ErrorKind::Overlap,
        checks: &[Check::Overlap],
        code: "overlap",
        title: "Overlapping objects",
        description: "A function of the library copies between objects that overlap.",
        words: "a copy between objects that overlap",
        cwe: 475,
    },
    ErrorRow {
        kind: ErrorKind::ConstWrite,
        checks: &[Check::Const],
        code: "const-write",
        title: "Write to a constant",
        description: "An object that is defined `const`, or a string literal, is written.",
        words: "a write to what is defined 'const'",
        cwe: 471,
    },
    ErrorRow {
        kind: ErrorKind::Format,
        checks: &[Check::Format],
        code: "format",
        title: "Format that does not fit",
        description: "An argument of `printf`, `scanf` or the like is missing, or has another type than the format says.",
        words: "a format that does not fit its arguments",
        cwe: 686,
    },
    ErrorRow {
        kind: ErrorKind::Misaligned,
        checks: &[Check::Alignment],
        code: "misaligned",
        title: "Misaligned pointer",
        description: "A pointer becomes one to a type for which it is not aligned.",
        words: "a conversion of a pointer that is not aligned",
        cwe: 758,
    },
    ErrorRow {
        kind: ErrorKind::FloatDivisionByZero,
        checks: &[Check::FloatDivision],
        code: "float-division-by-zero",
        title: "Division by zero",
        description: "A floating-point number is divided by zero.",
        words: "a division of a floating-point number by zero",
        cwe: 369,
    },
    ErrorRow {
        kind: ErrorKind::Unsequenced,
        checks: &[Check::Sequence],
        code: "unsequenced",
        title: "Effects without an order",
        description: "An expression changes an object that another part of it, which has no order with that, changes or reads.",
        words: "effects on one object without an order",
        cwe: 758,
    },
    ErrorRow {
        kind: ErrorKind::Race,
        checks: &[Check::Race],
        code: "data-race",
        title: "Data race",
        description: "Two threads access one object without an order; one of them writes, and one access is not atomic.",
        words: "a data race",
        cwe: 362,
    },
    ErrorRow {
        kind: ErrorKind::Deadlock,
        checks: &[Check::Deadlock],
        code: "deadlock",
        title: "Deadlock",
        description: "No thread can go on, and not all have ended.",
        words: "a deadlock",
        cwe: 833,
    },
];

impl ErrorKind {
    /// The row of this kind in [`ERRORS`], which are in the order of the kinds.
    #[must_use]
    pub fn row(self) -> &'static ErrorRow {
        &ERRORS[self as usize]
    }

    /// The kind of that code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        ERRORS.iter().find(|row| row.code == code).map(|row| row.kind)
    }
}
