//! What the parser weaves into a program, to check what a witness says of it.
//!
//! Expressions are functions behind the end of the program's text, whose results they are, so that the grammar reads them
//! and mistakes have places; their meaning is that of the place in the program where they are woven in.

use std::ops::Range;

use hardbop_base::source::Span;

/// Names of the functions behind the program's text begin so, and end with the number of a point.
pub const FUNCTION: &str = "__hardbop_witness_";
/// What `\result` is called there: a name of the same length.
pub const RESULT: &str = "__rtval";

/// What is woven into a program; nothing, by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instrumentation {
    pub points: Vec<Point>,
    /// How many segments an execution has to pass before its error counts; `None`: errors count as ever.
    pub segments: Option<u32>,
    /// Whether executions end where they could pass a waypoint of the segment that they are in, but do not, so that they
    /// are few.
    pub is_strict: bool,
}

/// What is woven in at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    pub kind: PointKind,
    /// Where it may begin, as ranges of offsets in the text: the first place that suits counts.
    pub at: Vec<Range<u32>>,
    /// The function that it has to be in.
    pub function: Option<String>,
    /// Where its expression is behind the program's text.
    pub expression: Span,
    /// Where the function is that the expression is in, with a mark of the line in front.
    pub text: Range<usize>,
    /// The file of the program that it is in, from 0.
    pub file: usize,
    /// What the witness says there; where several files have the place, as they include it, they have a point each.
    pub saying: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointKind {
    /// The expression holds whenever the loop's condition is about to be evaluated; of a `do` loop, also when its body is
    /// about to be executed.
    LoopInvariant,
    /// The expression holds whenever the statement or declaration is about to be executed.
    LocationInvariant,
    /// An execution in this segment (from 0) passes the waypoint, and goes on in the next one.
    Follow(u32, WaypointKind),
    /// An execution in this segment must not pass the waypoint.
    Avoid(u32, WaypointKind),
}

impl PointKind {
    /// The waypoint that it is, and its segment.
    #[must_use]
    pub fn waypoint(self) -> Option<(u32, WaypointKind)> {
        match self {
            Self::Follow(segment, kind) | Self::Avoid(segment, kind) => Some((segment, kind)),
            Self::LoopInvariant | Self::LocationInvariant => None,
        }
    }
}

/// How an execution passes a waypoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaypointKind {
    /// The statement or declaration is about to be executed, and the expression holds.
    Assumption,
    /// A branch is taken.
    Branching(Branch),
    /// The call is made whose closing parenthesis is at the place.
    FunctionEnter,
    /// It has returned, and the expression over its result holds.
    FunctionReturn,
    /// The statement is about to be executed, in which the error is.
    Target,
}

/// The value of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// Of `if` and loops: other than 0, or 0.
    Truth(bool),
    /// Of `switch`.
    Case(i64),
    /// Of `switch`: that of no case.
    Default,
}

impl Instrumentation {
    /// Whether there is nothing to weave in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.segments.is_none()
    }

    /// What the witness says where the expression has this place.
    #[must_use]
    pub fn saying_at(&self, span: Span) -> Option<u32> {
        self.point_at(span).map(|number| self.points[number].saying)
    }

    /// The point whose expression has this place.
    #[must_use]
    pub fn point_at(&self, span: Span) -> Option<usize> {
        // They are in order.  Of an expression in brackets, these may count as a part; where an expression is missing, the
        // mistake is behind its place.
        self.points.iter().rposition(|point| point.expression.start <= span.start + 1)
    }
}
