//! The inputs of requests about C programs and automata: texts, descriptions, predicates.

use super::host::Host;
use super::params;
use super::protocol::{Code, DiagnosticBody, ErrorBody};
use super::work::Call;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::source::Source;
use hardbop_c::ParseOptions;
use hardbop_cfa::description::{Described, Description, DescriptionError, DescriptionErrors};
use hardbop_refine::model::GivenError;
use hardbop_report::document::Reason;
use hardbop_smt::Terms;

/// The text of a C program, preprocessed where it needs that.
pub(super) fn c_source(
    host: &dyn Host,
    (text, path, name): (Option<String>, Option<String>, Option<String>),
    options: &ParseOptions,
) -> Result<Source, ErrorBody> {
    let source = params::source(host, (text, path.as_deref(), name))?;
    let preprocessed = host.preprocessed(source, path.as_deref(), options);
    preprocessed.map_err(|e| ErrorBody::new(Code::Unreadable, e))
}

/// The limit that ended the reading of a description.
pub(super) fn limit(call: &Call) -> Reason {
    call.budget.check().err().unwrap_or(Exhausted::Cancelled).into()
}

/// A mistake in predicates.
pub(super) fn misplaced(e: &GivenError) -> ErrorBody {
    let diagnostic = DiagnosticBody {
        message: e.kind.to_string(),
        line: Some(e.line),
        column: Some(e.column),
        term: Some("predicates".to_owned()),
        ..DiagnosticBody::default()
    };
    let error = ErrorBody::new(Code::Diagnostics, e.to_string());
    ErrorBody { diagnostics: vec![diagnostic], ..error }
}

/// The program of a description; `None` where the budget ends.
pub(super) fn described(
    description: &Description,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Option<Described>, ErrorBody> {
    match description.program(terms, budget) {
        Ok(described) => Ok(Some(described)),
        Err(DescriptionErrors::Mistakes(mistakes)) => Err(wrong(&mistakes)),
        Err(DescriptionErrors::Exhausted(_)) => Ok(None),
    }
}

/// Mistakes in a description.
fn wrong(mistakes: &[DescriptionError]) -> ErrorBody {
    let body = |e: &DescriptionError| DiagnosticBody {
        message: e.kind.to_string(),
        line: e.position.as_ref().map(|p| p.line),
        column: e.position.as_ref().map(|p| p.column),
        function: e.function.clone(),
        edge: e.edge,
        term: e.position.as_ref().map(|p| p.term.clone()),
        hint: e.kind.hint().map(str::to_owned),
        ..DiagnosticBody::default()
    };
    let message = mistakes.first().map_or(String::new(), ToString::to_string);
    let diagnostics = mistakes.iter().map(body).collect();
    ErrorBody { diagnostics, ..ErrorBody::new(Code::Diagnostics, message) }
}
