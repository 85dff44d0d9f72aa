//! Turns statements into locations and edges.

mod body;
mod switch;
