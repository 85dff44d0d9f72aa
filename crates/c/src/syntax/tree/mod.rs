//! The syntax tree of a file: every node knows its place in the text of the program.

mod declaration;
mod expression;
mod statement;

pub(crate) use declaration::*;
pub(crate) use expression::*;
pub(crate) use statement::*;

use hardbop_base::source::Span;

/// A part of the tree with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node<T> {
    pub node: T,
    pub span: Span,
}

impl<T> Node<T> {
    pub fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}
