//! Families of programs with one parameter, the size, to show how an engine's time grows with it.
//!
//! Each family has its own file, which says what the size means and why the verdict is certain.

mod arithmetic;
mod feedback;
mod lock_discipline;
mod modules;
mod options;
mod recursive_descent;
mod ring;
mod shift_register;
mod slam_regression;
mod terminator;
mod text;
mod wide_summary;
mod write;
mod writer;

pub use options::{Family, FamilyOptions};
pub use write::family;
