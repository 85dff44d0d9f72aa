//! Results and errors of requests: what the methods have in common.

use serde_json::Value;

use super::protocol::{Code, ErrorBody};
use hardbop_report::document::LimitOptions;
use hardbop_session::nothing::NothingToCheck;
#[cfg(feature = "c")]
use hardbop_smt::SmtError;
#[cfg(feature = "c")]
use hardbop_verify::VerifyError;

/// A result, or why there is none.
pub(super) type Answered = Result<Value, ErrorBody>;

/// A result as a value.
pub(super) fn value(result: &impl serde::Serialize) -> Answered {
    serde_json::to_value(result).map_err(|e| ErrorBody::new(Code::Internal, e.to_string()))
}

/// Checks the limits of a request that a document gives.
pub(super) fn check_limits(limits: LimitOptions) -> Result<(), ErrorBody> {
    let seconds = limits.time_limit_seconds.unwrap_or(0.0);
    let wrong = |e: &dyn std::fmt::Display| {
        ErrorBody::new(Code::InvalidParams, format!("option 'time-limit-seconds': {e}"))
    };
    std::time::Duration::try_from_secs_f64(seconds).map(drop).map_err(|e| wrong(&e))
}

/// A mistake in hardbop, or a solver that fails.
pub(super) fn internal(e: &dyn std::fmt::Display) -> ErrorBody {
    ErrorBody::new(Code::Internal, e.to_string())
}

/// A program in which nothing counts as an error.
pub(super) fn refused(e: &NothingToCheck) -> ErrorBody {
    ErrorBody::new(Code::NothingToCheck, e.to_string())
}

/// A check without a report.
#[cfg(feature = "c")]
pub(super) fn failed(e: &VerifyError) -> ErrorBody {
    match e {
        VerifyError::Solver(SmtError::Library(e)) => ErrorBody::new(Code::NoSolver, e.to_string()),
        other => internal(other),
    }
}
