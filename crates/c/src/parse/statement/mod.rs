//! Turns statements into locations and edges.

mod body;
pub(super) mod computed;
mod switch;
