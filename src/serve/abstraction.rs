//! The methods for abstractions.

use serde_json::json;

use super::answered::{Answered, check_limits, failed, internal};
use super::given::{c_source, described, limit, misplaced};
use super::host::Host;
use super::options::overlay;
use super::params::{self, AbstractAutomataParams, AbstractParams, FormulaParams};
use super::protocol::{Code, DiagnosticBody, ErrorBody};
use super::work::Call;
use hardbop_c::{on_large_stack, parse, with_line_marks};
use hardbop_refine::predicate::abstraction::AbstractionError;
use hardbop_refine::predicate::formula::{FormulaError, abstraction_of_text};
use hardbop_report::document::{AutomataOptions, COptions};
use hardbop_session::abstraction::{self, AbstractError};
use hardbop_smt::{Purpose, SmtError, Terms};
use hardbop_verify::UnknownReason;

/// `abstract-formula`
pub(super) fn formula(call: &Call) -> Answered {
    let given: FormulaParams = params::read(call.params)?;
    let options: AutomataOptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    let analysis = &options.verify.analysis;
    let found = abstraction_of_text(
        &given.declarations,
        &given.formula,
        &given.predicates,
        analysis.abstraction,
        analysis.solvers(Purpose::Abstraction),
        call.budget,
    );
    match found {
        Ok(formula) => Ok(json!({ "formula": formula })),
        Err(FormulaError::Abstraction(AbstractionError::Solver(e))) => Err(failed(&e.into())),
        Err(FormulaError::Abstraction(AbstractionError::Full)) => {
            Ok(call.given_up((&UnknownReason::BddTable).into()))
        }
        Err(FormulaError::Abstraction(AbstractionError::Unknown(e))) => {
            Ok(call.given_up((&UnknownReason::from(e)).into()))
        }
        Err(e) => {
            let diagnostic = DiagnosticBody { message: e.to_string(), ..DiagnosticBody::default() };
            let error = ErrorBody::new(Code::Diagnostics, e.to_string());
            Err(ErrorBody { diagnostics: vec![diagnostic], ..error })
        }
    }
}

/// `abstract-c`
pub(super) fn c(host: &dyn Host, call: &Call) -> Answered {
    let given: AbstractParams = params::read(call.params)?;
    let options: COptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    let reading = options.reading();
    let source = c_source(host, (given.text, given.path, given.name), &reading)?;
    let made = on_large_stack(|| {
        let flow = parse(source.clone(), &reading)
            .map_err(|d| ErrorBody::mistakes(&with_line_marks(source), &d))?;
        Ok(abstraction::of_c(&flow, &given.predicates, &options.verify, call.budget))
    });
    answered(call, made.unwrap_or_else(|e| Err(internal(&e)))?)
}

/// `abstract-automata`
pub(super) fn automata(call: &Call) -> Answered {
    let given: AbstractAutomataParams = params::read(call.params)?;
    let options: AutomataOptions = overlay(&given.options)?;
    check_limits(options.limits)?;
    let mut terms = Terms::new();
    let Some(described) = described(&given.description, &mut terms, call.budget)? else {
        return Ok(call.given_up(limit(call)));
    };
    let made = abstraction::of_automata(
        &mut terms,
        &described.program,
        &given.predicates,
        &options.verify,
        call.budget,
    );
    answered(call, made)
}

fn answered(call: &Call, made: Result<String, AbstractError>) -> Answered {
    match made {
        Ok(text) => Ok(json!({ "text": text })),
        Err(AbstractError::Predicates(e)) => Err(misplaced(&e)),
        Err(AbstractError::Unknown(reason)) => Ok(call.given_up((&reason).into())),
        Err(AbstractError::Library(e)) => Err(failed(&SmtError::Library(e).into())),
        Err(e) => Err(internal(&e)),
    }
}
