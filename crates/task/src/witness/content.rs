//! The content of a witness.

use crate::reader::Located;
use hardbop_base::source::Span;
use hardbop_c::instrument::WaypointKind;
use hardbop_c::types::DataModel;

/// A witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The heads of its entries, which agree on the content's kind.
    pub heads: Vec<Head>,
    pub content: Content,
    /// Notes on parts of the witness that are not used.
    pub notes: Vec<String>,
}

/// The head of an entry: what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The tool that made it.
    pub producer: Option<String>,
    pub task: Task,
}

/// The program and the property that an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Task {
    /// Names of files with their hashes (SHA-256, hexadecimal).
    pub hashes: Vec<(Located, Located)>,
    pub specification: Option<Located>,
    pub model: Option<DataModel>,
}

/// The content of a witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A correctness witness: all of these hold.
    Invariants(Vec<Invariant>),
    /// A violation witness: some execution passes the segments one after the other, into the error,
    /// whose place is that of the last one, or, where that is no target, any behind it.
    Violation(Vec<Segment>),
}

/// An expression that holds whenever an execution is at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// Whether the place is a loop, whose condition is about to be evaluated, and not any
    /// statement.
    pub of_loop: bool,
    pub place: Place,
    pub value: Expression,
}

/// A place in a file of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: Option<Located>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters; without it, the leftmost place on the line that suits.
    pub column: Option<usize>,
    pub function: Option<Located>,
    /// The place is the closing parenthesis of a call of this function that begins there, or behind
    /// it on the line.
    pub callee: Option<Located>,
    /// The place in the witness that says it.
    pub span: Span,
}

/// An expression of C, and where it is in the text of the witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub text: String,
    pub span: Span,
    /// Whether the text of the span is the expression, letter by letter.
    pub is_literal: bool,
}

/// A part of an execution: it ends where it passes `follow`, and passes none of `avoid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

/// A point that an execution may pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub place: Place,
    /// The condition that has to hold there.
    pub constraint: Option<Expression>,
}
