//! XML as a tree with positions.
//!
//! Document types are refused, and with them entities of one's own, as is nesting deeper than
//! [`DEEPEST`], so that a small file cannot become a large or deep tree.

use roxmltree::{Document, Error, Node};

use crate::reader::Located;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// The maximal nesting depth.
const DEEPEST: usize = 64;

/// An element.
#[derive(Debug, Clone)]
pub(super) struct Element {
    /// The name without the prefix of a namespace.
    pub name: String,
    attributes: Vec<(String, Located)>,
    pub children: Vec<Element>,
    /// The text in it, without what is in its children, and without blanks around it.
    pub text: Located,
    /// The span of its start tag.
    pub span: Span,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Located> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// Reads a text that must be one element.
///
/// # Errors
/// If the text is not XML, or contains something that is refused.
pub(super) fn parse(text: &str) -> Result<Element, Diagnostic> {
    let document = Document::parse(text).map_err(|error| mistake(text, &error))?;
    element(text, document.root_element(), 1)
}

fn refused(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} not supported"))
}

fn mistake(text: &str, error: &Error) -> Diagnostic {
    let at = error.pos();
    let line = text.split_inclusive('\n').take((at.row - 1) as usize).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or_default();
    let column: usize = rest.chars().take((at.col - 1) as usize).map(char::len_utf8).sum();
    let span = Span::new(line + column, line + column);
    match error {
        Error::DtdDetected => refused(span, "a document type is"),
        Error::UnknownEntityReference(..) => refused(span, "entities of one's own are"),
        _ => {
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, "this is not XML");
            diagnostic.with_label(error.to_string())
        }
    }
}

fn element(all: &str, node: Node<'_, '_>, depth: usize) -> Result<Element, Diagnostic> {
    let range = node.range();
    let within = all.get(range.clone()).unwrap_or_default();
    // Its attributes are behind one another before the end of its start tag.
    let before = node.attributes().next_back().map_or(0, |last| last.range().end - range.start);
    let tag = within[before..].find('>').map_or(within.len(), |end| before + end + 1);
    let span = Span::new(range.start, range.start + tag);
    if depth > DEEPEST {
        return Err(refused(span, "elements nested so deep are"));
    }
    let attributes = node.attributes().map(|attribute| {
        let range = attribute.range_value();
        let span = Span::new(range.start, range.end);
        (attribute.name().to_owned(), Located { text: attribute.value().to_owned(), span })
    });
    let texts: Vec<Node> = node.children().filter(Node::is_text).collect();
    let said: String = texts.iter().filter_map(Node::text).collect();
    let is_said = |n: &&Node| n.text().is_some_and(|text| !text.trim().is_empty());
    let place = texts.iter().find(is_said).map_or(span, |node| {
        let range = node.range();
        let text = all.get(range.clone()).unwrap_or_default();
        let start = range.start + text.len() - text.trim_start().len();
        Span::new(start, range.start + text.trim_end().len())
    });
    let children = node.children().filter(Node::is_element);
    Ok(Element {
        name: node.tag_name().name().to_owned(),
        attributes: attributes.collect(),
        children: children.map(|n| element(all, n, depth + 1)).collect::<Result<_, _>>()?,
        text: Located { text: said.trim().to_owned(), span: place },
        span,
    })
}
