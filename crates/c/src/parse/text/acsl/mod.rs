//! ACSL in comments: what annotations say, where they may stand, and how they pass through a preprocessor.
//!
//! The predicates of `/*@ assert E; */` and `/*@ loop invariant E; */` stay in the text, as arguments of calls of
//! [`ASSERTION`]; `E` is written so that C's grammar reads it as ACSL's does.  Those of the clauses of contracts do so in
//! functions called [`CONTRACT`], in front of what the contract is about.

mod annotation;
pub(in crate::parse) mod clause;
mod contract;
mod lexer;
pub(in crate::parse) mod meaning;
pub(in crate::parse) mod place;
mod preprocess;

pub(in crate::parse) use annotation::{Annotations, annotations};
pub(in crate::parse) use meaning::Meaning;
pub use preprocess::{conceal, expose, is_same_code};

/// A call of this function is an annotation: the first argument is the number of its [`Meaning`], the others are its predicate,
/// or the places that it lists.
pub(in crate::parse) const ASSERTION: &str = "__hardbop_acsl";
/// A function of this name is a clause of the contract of the function that is declared behind it.
pub(in crate::parse) const CONTRACT: &str = "__hardbop_contract";
/// What a function returns.
pub(in crate::parse) const RESULT: &str = "__hardbop_result";
/// A call of this function is what its argument was where the function began.
pub(in crate::parse) const OLD: &str = "__hardbop_old";

/// Why an invariant of a loop is not checked.
pub(in crate::parse) const UNPLACED_INVARIANT: &str =
    "'loop invariant' that is not in front of a loop of a block";
/// A call of this function is a range of indices.
pub(in crate::parse) const RANGE: &str = "__hardbop_range";
/// A call of this function is what stands between parentheses: `(a < b) < c` is not `a < b < c`.
pub(in crate::parse) const GROUP: &str = "__hardbop_group";
/// Why a clause of a contract is not used.
pub(in crate::parse) const UNPLACED_CLAUSE: &str =
    "a contract that is not in front of one function of the file";
