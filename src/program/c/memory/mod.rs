//! The parts of a program's memory, as data: abstract objects ([`Objects`]) and how each is cut into
//! scalars ([`Layout`]).
//!
//! The analysis of pointers and the lowering share them.

mod layout;
mod object;

pub use layout::{Item, Kind, Layout, Positions, Shape};
pub use object::{Object, ObjectId, ObjectKind, Objects, Uses};
