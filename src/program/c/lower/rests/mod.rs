//! What rests on assumptions, as the flow of a function shows.

mod not_null;
mod uninitialised;

pub(super) use not_null::{is_certain, never_null};
pub(super) use uninitialised::uninitialised;
