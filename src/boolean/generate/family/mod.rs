//! Families of programs in one parameter, the size: how does an engine's time grow with it?
//!
//! Each family has a file of its own, which says what the size means and why the verdict is certain.

mod counter;
mod lock_discipline;
mod recursive_descent;
mod shift_register;
mod slam_regression;
mod terminator;
mod wide_summary;

use std::fmt;
use std::ops::RangeInclusive;

use super::{GenerateError, document};
use crate::base::random::Random;

/// The families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Counter,
    ShiftRegister,
    LockDiscipline,
    RecursiveDescent,
    WideSummary,
    Terminator,
    SlamRegression,
}

/// Which member of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyOptions {
    pub family: Family,
    /// What it counts depends on the family.
    pub size: usize,
    /// Same seed (and options), same program.
    pub seed: u64,
    /// Is the error reachable?
    pub bug: bool,
}

/// Sizes that a family has, and its writer.  The writer's text need not be canonical.
struct Writer {
    sizes: RangeInclusive<usize>,
    write: fn(&FamilyOptions, &mut Random) -> String,
}

impl Family {
    pub const ALL: [Self; 7] = [
        Self::Counter,
        Self::ShiftRegister,
        Self::LockDiscipline,
        Self::RecursiveDescent,
        Self::WideSummary,
        Self::Terminator,
        Self::SlamRegression,
    ];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::ShiftRegister => "shift-register",
            Self::LockDiscipline => "lock-discipline",
            Self::RecursiveDescent => "recursive-descent",
            Self::WideSummary => "wide-summary",
            Self::Terminator => "terminator",
            Self::SlamRegression => "slam-regression",
        }
    }

    fn writer(self) -> Writer {
        match self {
            Self::Counter => counter::WRITER,
            Self::ShiftRegister => shift_register::WRITER,
            Self::LockDiscipline => lock_discipline::WRITER,
            Self::RecursiveDescent => recursive_descent::WRITER,
            Self::WideSummary => wide_summary::WRITER,
            Self::Terminator => terminator::WRITER,
            Self::SlamRegression => slam_regression::WRITER,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text of a member of a family.
///
/// # Errors
/// [`GenerateError::Size`] where the family has no member of that size.
pub fn family(options: &FamilyOptions) -> Result<String, GenerateError> {
    let FamilyOptions { family, size, seed, bug } = *options;
    let Writer { sizes, write } = family.writer();
    if !sizes.contains(&size) {
        let (low, high) = sizes.into_inner();
        return Err(GenerateError::Size { family, size, low, high });
    }
    let text = write(options, &mut Random::new(seed));
    document(&format!("{family} --size {size} --seed {seed}"), bug, &text)
}

/// `prefix0`, `prefix1`, ...
fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

/// Names, or other things, with commas between them.
fn list<T: AsRef<str>>(items: &[T]) -> String {
    items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// As many times the same expression.
fn repeated(expression: &str, count: usize) -> String {
    list(&vec![expression; count])
}

/// Declarations of a few names each.
fn declarations(names: &[String]) -> String {
    names.chunks(12).map(|some| format!("decl {};\n", list(some))).collect()
}

/// `name` or its negation.
fn literal(name: &str, positive: bool) -> String {
    format!("{}{name}", if positive { "" } else { "!" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        for family in Family::ALL {
            let (low, high) = family.writer().sizes.into_inner();
            let text = |size| super::family(&FamilyOptions { family, size, seed: 1, bug: false });
            assert!(text(low).is_ok(), "{family}");
            for size in [low - 1, high + 1] {
                let error = GenerateError::Size { family, size, low, high };
                assert_eq!(text(size), Err(error), "{family}");
            }
        }
    }
}
