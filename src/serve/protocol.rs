//! Requests, answers, and what can go wrong with them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use hardbop_base::source::{Diagnostic, Source, json_words};

/// The version of the protocol.  Changes that a client can notice and that are no additions
/// increase it.
pub const PROTOCOL: u32 = 2;

/// The identifier of a request, as the client chose it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "an 'id' that is a text or an integer")]
pub enum Id {
    Number(i64),
    Text(String),
}

/// A request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with 'id', 'method' and 'params'")]
pub struct Request {
    pub id: Id,
    pub method: String,
    #[serde(default)]
    pub params: Option<Box<RawValue>>,
    /// Are there to be notifications while it runs?
    #[serde(default)]
    pub progress: bool,
}

/// A message of the server about a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// `null` where the request has none that can be read.
    pub id: Option<Id>,
    #[serde(flatten)]
    pub content: Content,
}

/// An answer, or a notification before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    Result(Value),
    Error(ErrorBody),
    Progress(Value),
}

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The line is no JSON.
    ParseError,
    /// The text is JSON, but no request.
    InvalidRequest,
    /// The line is longer than the server takes.
    TooLarge,
    UnknownMethod,
    InvalidParams,
    /// A request of that id runs.
    DuplicateId,
    /// A file cannot be read.
    Unreadable,
    /// The program, or description, has mistakes.
    Diagnostics,
    /// Nothing in the program counts as an error.
    NothingToCheck,
    /// The request was cancelled.
    Cancelled,
    /// Z3 is needed, and cannot be loaded.
    NoSolver,
    /// A mistake in hardbop.
    Internal,
}

/// An error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    pub code: Code,
    pub message: String,
    /// The place where the line or the parameters are wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticBody>,
}

/// A place in a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1; 0 before the first one.
    pub column: usize,
}

/// A mistake in a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DiagnosticBody {
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1, as the column, which counts characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The function's name, for a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The edge's number, for a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<usize>,
    /// The term of the edge that `line` and `column` are in, for a description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<String>,
    /// The label at the place: what is wrong there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Most mistakes in a text that are told; they are the first ones.
const MOST_MISTAKES: usize = 100;

impl ErrorBody {
    /// An error without further words.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), position: None, diagnostics: vec![] }
    }

    /// An error in the JSON of a line or of parameters.
    #[must_use]
    pub fn json(code: Code, error: &serde_json::Error) -> Self {
        let message = json_words(error);
        let position = Position { line: error.line(), column: error.column() };
        // A value that was made of values has no place.
        let position = Some(position).filter(|p| p.line > 0);
        Self { position, ..Self::new(code, message) }
    }

    /// Mistakes in a program's text.
    #[must_use]
    pub fn mistakes(source: &Source, diagnostics: &[Diagnostic]) -> Self {
        let body = |d: &Diagnostic| {
            let at = source.position(d.span.start);
            DiagnosticBody {
                message: d.message.clone(),
                file: Some(at.file.to_owned()),
                line: Some(at.line),
                column: Some(at.column),
                label: Some(d.label.clone()).filter(|l| !l.is_empty()),
                hint: d.hint.clone(),
                ..DiagnosticBody::default()
            }
        };
        let shown = diagnostics.iter().take(MOST_MISTAKES).map(body);
        let diagnostics: Vec<DiagnosticBody> = shown.collect();
        let message = diagnostics.first().map_or(String::new(), |d| d.message.clone());
        Self { diagnostics, ..Self::new(Code::Diagnostics, message) }
    }
}
