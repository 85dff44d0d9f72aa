//! Turns statements into locations and edges.

pub(super) mod blocks;
mod body;
pub(super) mod cleanup;
pub(super) mod computed;
mod switch;
