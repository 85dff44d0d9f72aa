//! A pointer analysis based on inclusion (Andersen, "Program Analysis and Specialization for the C
//! Programming Language", 1994, Chap. 4). It distinguishes fields and the elements of small arrays,
//! but neither program points nor calling contexts.
//!
//! It assumes that addresses stay within the array or object from which they are computed, and that
//! undefined functions do not call back. Of integers it tracks local variables that become pointers
//! again (`carriers`): a pointer *escapes* when it is converted to another integer, unless for a
//! comparison or to be converted right back. Any other integer converted to a pointer may point to
//! anything that has escaped.

mod analysis;
mod carriers;
mod constraints;
mod effects;
mod follow;
mod lifetime;
mod outside;
mod solver;
mod uses;

pub use analysis::{Externals, PointsTo, Targets};
pub use solver::Address;
