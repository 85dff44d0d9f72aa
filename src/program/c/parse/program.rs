//! Parses whole programs.

use super::context::Context;
use super::options::{MAX_DIAGNOSTICS, ParseOptions};
use super::text::{clean, clean_annotated, data_model, parse_text, patch};
use crate::base::source::{Diagnostic, DiagnosticKind, Source, Span};
use crate::program::c::checks;
use crate::program::c::flow::Flow;

/// Attaches the files and lines given by line marks in the text, which [`Source::position`] then returns.
#[must_use]
pub fn with_line_marks(source: Source) -> Source {
    match clean(&source.text) {
        Ok(clean) => source.with_line_map(clean.lines),
        Err(_) => source,
    }
}

/// Parses a preprocessed text. Run it [`on_large_stack`](super::on_large_stack).
///
/// [`Flow::source`] is the result of [`with_line_marks`]; use that to show diagnostics, too.
///
/// # Errors
/// The mistakes found, at most [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS), in order of the text.
pub fn parse(source: Source, options: &ParseOptions) -> Result<Flow, Vec<Diagnostic>> {
    if source.text.len() >= u32::MAX as usize {
        return Err(vec![Diagnostic::new(
            DiagnosticKind::Unsupported,
            Span::default(),
            "texts of 4 GiB and more are not supported",
        )]);
    }
    let clean = if options.property.acsl { clean_annotated } else { clean };
    let mut clean = clean(&source.text)?;
    let source = source.with_line_map(std::mem::take(&mut clean.lines));
    let model = options.model.or_else(|| data_model(&clean.text)).unwrap_or_default();
    let mut patched = patch(&clean);
    let unchecked = std::mem::take(&mut clean.annotations.unchecked);
    drop(clean);
    if !patched.mistakes.is_empty() {
        patched.mistakes.truncate(MAX_DIAGNOSTICS);
        return Err(patched.mistakes);
    }
    let unit = parse_text(&mut patched, &source.text).map_err(|error| vec![error])?;
    let mut context = Context::new(&patched, options, model);
    for (kind, span) in unchecked {
        let message = format!("an annotation '{kind}' is not checked");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        context.warn(&format!("acsl {kind}"), diagnostic.with_label("taken for a comment"));
    }
    context.unit(&unit);
    let mut flow = context.finish(source)?;
    checks::insert(&mut flow, &options.property);
    Ok(flow)
}
