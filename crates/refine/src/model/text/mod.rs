//! Boolean programs as text: [`program`] writes them, with [`names`] for predicates and
//! [statements](statement) for abstract assignments.

pub mod names;
pub mod program;
pub mod statement;
