//! What a witness says.

use crate::base::source::Span;
use crate::program::c::instrument::WaypointKind;
use crate::program::c::types::DataModel;
use crate::program::task::reader::Located;

/// A witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What it says of itself; several entries agree on the content's kind.
    pub heads: Vec<Head>,
    pub content: Content,
    /// What it says besides that is not used.
    pub notes: Vec<String>,
}

/// What an entry says of itself.
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
    /// A violation witness: some execution passes the segments one after the other, into the error, whose place is that of
    /// the last one, or, where that is no target, any behind it.
    Violation(Vec<Segment>),
}

/// An expression that holds whenever an execution is at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// Whether the place is a loop, whose condition is about to be evaluated, and not any statement.
    pub of_loop: bool,
    pub place: Place,
    pub value: Expression,
}

/// A place in a file of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: Option<Located>,
    /// From 1.
    pub line: usize,
    /// From 1, in characters; without it, the leftmost place on the line that suits.
    pub column: Option<usize>,
    pub function: Option<Located>,
    /// It is the closing parenthesis of a call of this function that begins there, or behind it on the line.
    pub callee: Option<Located>,
    /// Where the witness says it.
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

/// What an execution may pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub place: Place,
    /// What has to hold there.
    pub constraint: Option<Expression>,
}
