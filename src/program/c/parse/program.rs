//! From a text to the program.

use super::context::Context;
use super::options::ParseOptions;
use super::text::{clean, parse_text, patch};
use crate::base::source::{Diagnostic, DiagnosticKind, Source, Span};
use crate::program::c::checks;
use crate::program::c::flow::Flow;

/// The text with the files and lines that line marks in it say: [`Source::position`] then gives them.
#[must_use]
pub fn with_line_marks(source: Source) -> Source {
    match clean(&source.text) {
        Ok(clean) => source.with_line_map(clean.lines),
        Err(_) => source,
    }
}

/// Reads a preprocessed text.  To be run [`on_large_stack`](super::on_large_stack).
///
/// [`Flow::source`] is that of [`with_line_marks`]; to show diagnostics, take that, too.
///
/// # Errors
/// All mistakes that were found, at most [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS), in order of the text.
pub fn parse(source: Source, options: &ParseOptions) -> Result<Flow, Vec<Diagnostic>> {
    if source.text.len() >= u32::MAX as usize {
        return Err(vec![Diagnostic::new(
            DiagnosticKind::Unsupported,
            Span::default(),
            "texts of 4 GiB and more are not supported",
        )]);
    }
    let mut clean = clean(&source.text)?;
    let source = source.with_line_map(std::mem::take(&mut clean.lines));
    let mut patched = patch(&clean);
    drop(clean);
    let unit = parse_text(&mut patched, &source.text).map_err(|error| vec![error])?;
    let mut context = Context::new(&patched, options);
    context.unit(&unit);
    let mut flow = context.finish(source)?;
    checks::insert(&mut flow, &options.property);
    Ok(flow)
}
