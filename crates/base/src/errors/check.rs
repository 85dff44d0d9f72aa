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
}

/// All checks, in the order in which they are shown.
pub const CHECKS: [CheckRow; 9] = [
    CheckRow {
        check: Check::Overflow,
        option: "overflow-check",
        name: "overflow",
        help: "Signed overflow, and shifts by a count out of range, are errors; else numbers wrap around, as with \
               `gcc -fwrapv`",
        formula: "G ! overflow",
        sv_comp: "G ! overflow",
        holds: "no signed overflow",
    },
    CheckRow {
        check: Check::Bounds,
        option: "check-bounds",
        name: "bounds",
        help: "An access outside of its object is an error; else there is none, by assumption",
        formula: "G in-bounds",
        sv_comp: "G valid-deref",
        holds: "accesses are in bounds",
    },
    CheckRow {
        check: Check::Null,
        option: "check-null",
        name: "null",
        help: "An access through a null pointer is an error; else there is none, by assumption",
        formula: "G not-null",
        sv_comp: "G valid-deref",
        holds: "no access through null",
    },
    CheckRow {
        check: Check::Division,
        option: "check-division",
        name: "division",
        help: "A division of integers by zero is an error; else there is none, by assumption",
        formula: "G ! division-by-zero",
        sv_comp: "G def-behavior",
        holds: "no division by zero",
    },
    CheckRow {
        check: Check::Free,
        option: "check-free",
        name: "free",
        help: "`free` or `realloc` of what is not null and no live block's start is an error",
        formula: "G valid-free",
        sv_comp: "G valid-free",
        holds: "only live blocks are freed",
    },
    CheckRow {
        check: Check::Lifetime,
        option: "check-lifetime",
        name: "lifetime",
        help: "An access to a freed block, or to a variable that has ended, is an error",
        formula: "G live-access",
        sv_comp: "G valid-deref",
        holds: "no access to an object that has ended",
    },
    CheckRow {
        check: Check::Cleanup,
        option: "check-cleanup",
        name: "cleanup",
        help: "A block that is not freed when the program ends is an error",
        formula: "G valid-memcleanup",
        sv_comp: "G valid-memcleanup",
        holds: "all blocks are freed where the program ends",
    },
    CheckRow {
        check: Check::Leak,
        option: "check-leak",
        name: "leak",
        help: "A block that is not freed when the program ends, and to which nothing points, is an error",
        formula: "G valid-memtrack",
        sv_comp: "G valid-memtrack",
        holds: "no block is lost where the program ends",
    },
    CheckRow {
        check: Check::Uninitialised,
        option: "check-uninitialised",
        name: "uninitialised",
        help: "The use of a value that was never written is an error",
        formula: "G initialised",
        sv_comp: "G def-behavior",
        holds: "no value is used that was never written",
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
pub const GROUPS: [Group; 3] = [
    Group {
        name: "memory",
        help: "bounds and null",
        checks: || Checks::of(&[Check::Bounds, Check::Null]),
    },
    Group {
        name: "undefined",
        help: "overflow, bounds, null and division",
        checks: Checks::undefined,
    },
    Group {
        name: "leaks",
        help: "leak and cleanup",
        checks: || Checks::of(&[Check::Leak, Check::Cleanup]),
    },
];

impl Check {
    /// The row of this check in [`CHECKS`].
    #[must_use]
    pub fn row(self) -> &'static CheckRow {
        match self {
            Self::Overflow => &CHECKS[0],
            Self::Bounds => &CHECKS[1],
            Self::Null => &CHECKS[2],
            Self::Division => &CHECKS[3],
            Self::Free => &CHECKS[4],
            Self::Lifetime => &CHECKS[5],
            Self::Cleanup => &CHECKS[6],
            Self::Leak => &CHECKS[7],
            Self::Uninitialised => &CHECKS[8],
        }
    }

    /// The check of that option.
    #[must_use]
    pub fn of_option(option: &str) -> Option<Self> {
        CHECKS.iter().find(|row| row.option == option).map(|row| row.check)
    }
}
