//! ACSL in comments: what annotations say, where they may stand, and how they pass through a preprocessor.
//!
//! The predicate of `/*@ assert E; */` stays in the text, as an argument of a call of [`ASSERTION`]; `E` is written so that
//! C's grammar reads it as ACSL's does.

mod annotation;
mod lexer;
mod place;
mod preprocess;

pub(in crate::program::c::parse) use annotation::{Annotations, annotations};
pub use preprocess::{conceal, expose, is_same_code};

/// A call of this function, with the predicate as its second argument, is an assertion.
pub(in crate::program::c::parse) const ASSERTION: &str = "__hardbop_acsl";
/// A call of this function is what stands between parentheses: `(a < b) < c` is not `a < b < c`.
pub(in crate::program::c::parse) const GROUP: &str = "__hardbop_group";
