//! Statements become locations and edges.

mod body;
mod switch;
