//! XML as a tree with positions.
//!
//! Document types are refused, and with them entities of one's own, as is nesting deeper than [`DEEPEST`], so that a
//! small file cannot become a large or deep tree.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use crate::program::task::reader::Located;

/// The maximal nesting depth.
const DEEPEST: usize = 64;

/// An element.
#[derive(Debug, Clone, Default)]
pub(super) struct Element {
    /// Without the prefix of a namespace.
    pub name: String,
    attributes: Vec<(String, Located)>,
    pub children: Vec<Element>,
    /// The text in it, without what is in its children, and without blanks around it.
    pub text: Located,
    /// Of its start tag.
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
    let mut reader = Reader::from_str(text);
    let place = |start: u64, end: u64| Span::new(start as usize, end as usize);
    let wrong = |span: Span, why: String| {
        Diagnostic::new(DiagnosticKind::Syntax, span, "this is not XML").with_label(why)
    };
    let refuse = |span: Span, what: &str| {
        let message = format!("{what} not supported");
        Err(Diagnostic::new(DiagnosticKind::Unsupported, span, message))
    };
    // The first one is around the document.
    let mut open = vec![Element::default()];
    loop {
        let start = reader.buffer_position();
        let event = reader.read_event();
        let span = place(start, reader.buffer_position());
        let event = event.map_err(|error| {
            let at = reader.error_position().min(text.len() as u64);
            wrong(place(at, at), error.to_string())
        })?;
        let mut said = String::new();
        match event {
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    return refuse(span, "elements nested so deep are");
                }
                open.push(element(&tag, span).map_err(|why| wrong(span, why))?);
            }
            Event::Empty(tag) => {
                let element = element(&tag, span).map_err(|why| wrong(span, why))?;
                open.last_mut().into_iter().for_each(|e| e.children.push(element.clone()));
            }
            Event::End(_) => {
                if let Some(mut complete) = open.pop_if(|e| !e.name.is_empty()) {
                    complete.text.text = complete.text.text.trim().to_owned();
                    open.last_mut().into_iter().for_each(|e| e.children.push(complete.clone()));
                }
            }
            Event::Text(text) => said.push_str(&text.xml10_content()),
            Event::CData(text) => said.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let number =
                    reference.resolve_char_ref().map_err(|e| wrong(span, e.to_string()))?;
                match (number, &*reference) {
                    (Some(letter), _) => said.push(letter),
                    (None, "lt") => said.push('<'),
                    (None, "gt") => said.push('>'),
                    (None, "amp") => said.push('&'),
                    (None, "quot") => said.push('"'),
                    (None, "apos") => said.push('\''),
                    (None, _) => return refuse(span, "entities of one's own are"),
                }
            }
            Event::DocType(_) => return refuse(span, "a document type is"),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => break,
        }
        if let Some(around) = open.last_mut().filter(|_| !said.is_empty()) {
            let within = &mut around.text;
            // Its place is that of what is no blank.
            if within.text.trim().is_empty() {
                let blanks = said.len() - said.trim_start().len();
                within.span = Span::new(span.start as usize + blanks, span.end as usize);
            }
            if !said.trim().is_empty() {
                let ends = said.len() - said.trim_end().len();
                within.span.end = (span.end as usize).saturating_sub(ends) as u32;
            }
            within.text.push_str(&said);
        }
    }
    let end = Span::new(text.len(), text.len());
    let (Some(document), true) = (open.pop(), open.is_empty()) else {
        return Err(wrong(end, "an element is not closed".to_owned()));
    };
    let mut all = document.children.into_iter();
    match (all.next(), all.next()) {
        (Some(root), None) if document.text.text.trim().is_empty() => Ok(root),
        _ => Err(wrong(Span::new(0, 0), "a document is one element".to_owned())),
    }
}

fn element(tag: &BytesStart, span: Span) -> Result<Element, String> {
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let value =
            attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| e.to_string())?;
        let key = attribute.key.as_ref().to_owned();
        attributes.push((key, Located { text: value.into_owned(), span }));
    }
    let name = tag.local_name().as_ref().to_owned();
    Ok(Element { name, attributes, span, ..Element::default() })
}
