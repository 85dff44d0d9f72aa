//! The syntax tree of a file: every node knows its place in the text of the program.

mod declaration;
mod expression;
mod statement;

pub(in crate::program::c) use declaration::*;
pub(in crate::program::c) use expression::*;
pub(in crate::program::c) use statement::*;

use crate::base::source::Span;

/// A part of the tree with its place.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::program::c) struct Node<T> {
    pub node: T,
    pub span: Span,
}

impl<T> Node<T> {
    pub fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}
