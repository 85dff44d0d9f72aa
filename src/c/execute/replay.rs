//! Replays traces: what makes an UNSAFE verdict trustworthy.

use thiserror::Error;

use super::oracle::Traced;
use super::run::run;
use super::{End, Execution, Fault, Limit, Options, Outcome};
use crate::budget::Exhausted;
use crate::c::flow::Flow;
use crate::c::trace::CTrace;
use crate::source::Span;

/// Why a trace is no execution into an error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The program ends before.
    #[error("the execution ends without an error{}", words(*.end))]
    NoError {
        end: End,
        /// The first edge that is not the trace's, counted from 0, where it has edges.
        differs: Option<usize>,
    },
    #[error("the execution has no meaning any more: {fault}")]
    Fault {
        #[source]
        fault: Fault,
        span: Span,
    },
    #[error("not supported: {what}")]
    Unsupported { what: String, span: Span },
    #[error("the execution is too {}", limit_words(*.0))]
    Limit(Limit),
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

fn words(end: End) -> &'static str {
    match end {
        End::Returned => ": main returns",
        End::Stopped => ": the program stops",
        End::Assumption => ": an assumption is false",
    }
}

fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "long",
        Limit::Depth => "deep",
        Limit::Memory => "large",
    }
}

/// Executes a program on the inputs of a trace (and 0 where it has none) into an error.
///
/// The edges of the trace do not matter for the answer; another way into an error is one as well.
///
/// # Errors
///
/// Why no error is reached.
pub fn replay(flow: &Flow, trace: &CTrace, options: &Options) -> Result<Execution, ReplayError> {
    let execution = run(flow, &mut Traced::new(trace), options);
    match execution.outcome {
        Outcome::Error { .. } => Ok(execution),
        Outcome::Ended(end) => {
            Err(ReplayError::NoError { end, differs: difference(&execution, trace) })
        }
        Outcome::Fault { fault, span } => Err(ReplayError::Fault { fault, span }),
        Outcome::Unsupported { what, span } => Err(ReplayError::Unsupported { what, span }),
        Outcome::Limit(limit) => Err(ReplayError::Limit(limit)),
        Outcome::Exhausted(exhausted) => Err(exhausted.into()),
        // Such a trace answers every request.
        Outcome::NoInput => Err(ReplayError::NoError { end: End::Stopped, differs: None }),
    }
}

/// The first edge that the execution takes and the trace does not.
fn difference(execution: &Execution, trace: &CTrace) -> Option<usize> {
    let expected = trace.edges.as_ref()?;
    let mut taken = execution.events.iter().filter(|e| !e.back).map(|e| e.edge);
    expected.iter().position(|&edge| taken.next() != Some(edge))
}
