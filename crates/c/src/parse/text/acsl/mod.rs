//! ACSL in comments: what annotations say, where they may stand, and how they pass through a preprocessor.
//!
//! The predicates of `/*@ assert E; */` and `/*@ loop invariant E; */` stay in the text, as arguments of calls of
//! [`ASSERTION`]; `E` is written so that C's grammar reads it as ACSL's does.

mod annotation;
mod lexer;
pub(in crate::parse) mod place;
mod preprocess;

pub(in crate::parse) use annotation::{Annotations, annotations};
pub use preprocess::{conceal, expose, is_same_code};

/// A call of this function, with the predicate as its second argument, is an assertion; the first argument is
/// [`OF_PLACE`] or [`OF_LOOP`].
pub(in crate::parse) const ASSERTION: &str = "__hardbop_acsl";
/// It is one where it stands.
const OF_PLACE: i128 = 1;
/// It is one wherever the loop behind it decides whether to go on.
pub(in crate::parse) const OF_LOOP: i128 = 2;
/// Why an invariant of a loop is not checked.
pub(in crate::parse) const UNPLACED_INVARIANT: &str =
    "'loop invariant' that is not in front of a loop of a block";
/// A call of this function is what stands between parentheses: `(a < b) < c` is not `a < b < c`.
pub(in crate::parse) const GROUP: &str = "__hardbop_group";
