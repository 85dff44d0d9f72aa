//! Mistakes in a description, and their positions.

use std::fmt;

use thiserror::Error;

use hardbop_base::budget::Exhausted;
use hardbop_base::source::MOST_MISTAKES;
use hardbop_smt::Sort;
use hardbop_smt::reader::{Misfit, ReadErrorKind};

/// A position in a term of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermPosition {
    /// The term: `condition`, `value of 'x'`, `argument 2`, `formula`.
    pub term: String,
    /// The position in the term, counted from 1; columns count characters.
    pub line: usize,
    pub column: usize,
}

/// One mistake in a description.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{kind}", Where(self))]
pub struct DescriptionError {
    /// The function's name.
    pub function: Option<String>,
    /// The edge's number in the function, counted from 0.
    pub edge: Option<usize>,
    pub position: Option<TermPosition>,
    pub kind: ErrorKind,
}

/// Why there is no program: all mistakes found, or that the budget is exhausted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DescriptionErrors {
    #[error("{}", Lines(.0))]
    Mistakes(Vec<DescriptionError>),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// The kinds of mistakes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ErrorKind {
    #[error("'{0}' cannot be a name")]
    Name(String),
    #[error("two variables have the name '{0}'")]
    DuplicateVariable(String),
    #[error("two functions have the name '{0}'")]
    DuplicateFunction(String),
    #[error("two locations have the name '{0}'")]
    DuplicateLocation(String),
    #[error("'{0}' is no sort")]
    Sort(String),
    #[error("there is no function '{0}'")]
    UnknownFunction(String),
    #[error("there is no location {0}")]
    UnknownLocation(String),
    #[error("there is no variable '{0}'")]
    UnknownVariable(String),
    #[error("the result '{0}' is neither a parameter nor a local of the function")]
    Result(String),
    #[error("the edge leaves the exit")]
    FromExit,
    #[error("the edge leads nowhere: 'to' is missing")]
    NoTarget,
    #[error("'{function}' has {wanted} parameters, not {given}")]
    Arity { function: String, wanted: usize, given: usize },
    #[error("'{0}' has no result")]
    NoResult(String),
    #[error("'{0}' gets two values")]
    Twice(String),
    #[error("a term of sort {wanted} is needed, not of sort {given}")]
    Mismatch { wanted: Sort, given: Sort },
    #[error("one term is needed, not {0}")]
    Terms(usize),
    #[error(transparent)]
    Syntax(ReadErrorKind),
    #[error(transparent)]
    Misfit(Misfit),
}

impl ErrorKind {
    /// How to correct it, if that is not obvious.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Name(_) => {
                "names are not empty and have no control characters, '#', '@', '|', '\\', and no ''' at the end"
            }
            Self::DuplicateVariable(_) => {
                "a local may have the name of a global, but the local 'x' of 'f' is written 'f::x' in results"
            }
            Self::Sort(_) => "sorts are 'Bool' and '(_ BitVec n)', n from 1 to 64",
            Self::UnknownFunction(_) => {
                "executions start with the function 'main' unless the key 'main' names another"
            }
            Self::UnknownLocation(_) => "locations have names or numbers from 0",
            Self::FromExit => "a location for the return of its own has one edge, to the exit",
            Self::Syntax(kind) => kind.hint(),
            _ => return None,
        })
    }
}

/// `function 'f', edge 3, condition, 1:5: `
struct Where<'a>(&'a DescriptionError);

impl fmt::Display for Where<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DescriptionError { function, edge, position, .. } = self.0;
        let mut comma = "";
        if let Some(function) = function {
            write!(f, "function '{function}'")?;
            comma = ", ";
        }
        if let Some(edge) = edge {
            write!(f, "{comma}edge {edge}")?;
            comma = ", ";
        }
        if let Some(TermPosition { term, line, column }) = position {
            write!(f, "{comma}{term}, {line}:{column}")?;
            comma = ", ";
        }
        if comma.is_empty() { Ok(()) } else { f.write_str(": ") }
    }
}

struct Lines<'a>(&'a [DescriptionError]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().take(MOST_MISTAKES).enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        match self.0.len().saturating_sub(MOST_MISTAKES) {
            0 => Ok(()),
            more => write!(f, "\n... and {more} more"),
        }
    }
}
