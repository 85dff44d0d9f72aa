//! Assumptions that a verdict rests on, as the flow of a function shows.

mod bounds;
mod effects;
mod facts;
mod heap;
mod mortal;
mod not_null;
mod order;
mod returns;
mod set;
mod text;
mod uninitialised;

pub(super) use bounds::leaves_array;
pub(super) use heap::unwritten_blocks;
pub(super) use mortal::{Mortal, is_block, named, tracks_lives};
pub(super) use not_null::{is_certain, never_null};
pub(super) use returns::uses_missing_result;
pub use text::reliances;
pub(super) use uninitialised::uninitialised;
