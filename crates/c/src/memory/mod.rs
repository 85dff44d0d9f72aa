//! A program's memory, as data: abstract objects ([`Objects`]), and how each is divided into
//! scalars ([`Layout`]).
//!
//! The pointer analysis and the lowering share them.

mod constant;
mod layout;
mod object;
mod pieces;

pub use layout::{Item, Kind, Layout, Positions, Shape};
pub use object::{Object, ObjectId, ObjectKind, Objects, Rounds, Uses};
