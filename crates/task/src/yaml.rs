//! YAML as a tree with positions.
//!
//! Aliases are refused, as is nesting deeper than [`DEEPEST`], so that a small file cannot become a
//! large or deep tree.

use saphyr_parser::{Event, Parser, Span as Marks};

use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The maximal nesting depth.
const DEEPEST: usize = 64;

/// A value and its position.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub span: Span,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Scalar(String),
    Sequence(Vec<Node>),
    /// Keys and values, in order of the text.
    Mapping(Vec<(Node, Node)>),
}

/// An unclosed sequence or mapping: its members (for a mapping, keys and values alternate).
struct Open {
    start: u32,
    mapping: bool,
    members: Vec<Node>,
}

/// Reads a text that must contain one document.
///
/// # Errors
/// If the text is not YAML, does not contain exactly one document, or contains something that is
/// refused.
pub(super) fn parse(text: &str) -> Result<Node, Diagnostic> {
    // The parser counts characters, not bytes.
    let mut offsets: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
    offsets.push(text.len() as u32);
    let offset = |index: usize| offsets[index.min(offsets.len() - 1)];
    let place =
        |marks: &Marks| Span { start: offset(marks.start.index()), end: offset(marks.end.index()) };
    let refuse = |span: Span, what: &str| {
        Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} not supported"))
    };
    let mut open: Vec<Open> = Vec::new();
    let mut document: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, marks) = event.map_err(|error| {
            let at = offset(error.marker().index());
            let end = text[at as usize..].chars().next().map_or(0, |c| c.len_utf8() as u32);
            Diagnostic::new(
                DiagnosticKind::Syntax,
                Span { start: at, end: at + end },
                "this is not YAML",
            )
            .with_label(error.info())
        })?;
        let span = place(&marks);
        let complete = match event {
            Event::Alias(_) => return Err(refuse(span, "aliases ('*name') are")),
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() >= DEEPEST {
                    return Err(refuse(span, "values nested so deep are"));
                }
                let mapping = matches!(event, Event::MappingStart(..));
                open.push(Open { start: span.start, mapping, members: Vec::new() });
                continue;
            }
            Event::Scalar(text, ..) => Node { span, value: Value::Scalar(text.into_owned()) },
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { start, mapping, members }) = open.pop() else { continue };
                // A block extends to where the next thing begins: use the end of its last member.
                let end = members.last().map_or(span.end, |last| last.span.end);
                let value =
                    if mapping { Value::Mapping(pairs(members)) } else { Value::Sequence(members) };
                Node { span: Span { start, end: end.max(start) }, value }
            }
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.members.push(complete),
            None if document.is_some() => {
                return Err(refuse(complete.span, "several documents are"));
            }
            None => document = Some(complete),
        }
    }
    document.ok_or_else(|| {
        Diagnostic::new(DiagnosticKind::Syntax, Span::new(0, 0), "the file is empty")
    })
}

fn pairs(members: Vec<Node>) -> Vec<(Node, Node)> {
    let mut pairs = Vec::new();
    let mut members = members.into_iter();
    while let (Some(key), Some(value)) = (members.next(), members.next()) {
        pairs.push((key, value));
    }
    pairs
}
