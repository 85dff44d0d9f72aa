//! Families of programs in one parameter, the size: how does an engine's time grow with it?
//!
//! Each family has a file of its own, which says what the size means and why the verdict is certain.

mod counter;
mod lock_discipline;
mod options;
mod recursive_descent;
mod shift_register;
mod slam_regression;
mod terminator;
mod text;
mod wide_summary;
mod write;
mod writer;

pub use options::{Family, FamilyOptions};
pub use write::family;
