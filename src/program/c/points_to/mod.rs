//! Where pointers may point: an inclusion-based analysis (Andersen, "Program Analysis and
//! Specialization for the C Programming Language", 1994, Chap. 4) that tells fields and the elements of
//! small arrays apart, but neither program points nor calling contexts.
//!
//! Assumptions: addresses stay within the array or object that they are computed from, and an
//! undefined function calls nothing back.  What integers carry is not followed: a pointer that becomes
//! an integer, other than for a comparison or right back, has *escaped*, and an integer that becomes
//! a pointer points to anything that has.

mod analysis;
mod constraints;
mod effects;
mod solver;
mod uses;

pub use analysis::{Externals, PointsTo, Targets};
pub use solver::Address;
