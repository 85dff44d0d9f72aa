//! Replays traces: what makes an UNSAFE verdict trustworthy.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use thiserror::Error;

use super::execution::{Demand, End, Execution, ExecutionOutcome, Limit};
use super::fault::Fault;
use super::machine::REACH;
use super::options::ExecutionOptions;
use super::oracle::{Given, Oracle, Request, Traced};
use super::run::run;
use crate::base::budget::Exhausted;
use crate::base::source::Span;
use crate::program::c::flow::Flow;
use crate::program::c::trace::CTrace;

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
/// With [`ExecutionOptions::outside_objects`], pointers from outside through which the program accesses
/// memory become pointers to objects of their own.
///
/// # Errors
///
/// Why no error is reached.
pub fn replay(
    flow: &Flow,
    trace: &CTrace,
    options: &ExecutionOptions,
) -> Result<Execution, ReplayError> {
    let mut execution = with_objects(flow, &Traced::new(trace), options);
    if !execution.reaches_error() && !trace.guesses.is_empty() {
        let other = with_objects(flow, &Traced::guessing(trace), options);
        if other.reaches_error() {
            execution = other;
        }
    }
    execution.inputs.retain(|i| !i.is_number());
    match execution.outcome {
        ExecutionOutcome::Error { .. } => Ok(execution),
        ExecutionOutcome::Ended(end) => {
            Err(ReplayError::NoError { end, differs: difference(&execution, trace) })
        }
        ExecutionOutcome::Fault { fault, span } => Err(ReplayError::Fault { fault, span }),
        ExecutionOutcome::Unsupported { what, span } => {
            Err(ReplayError::Unsupported { what, span })
        }
        ExecutionOutcome::Limit(limit) => Err(ReplayError::Limit(limit)),
        ExecutionOutcome::Exhausted(exhausted) => Err(exhausted.into()),
        // Such a trace answers every request.
        ExecutionOutcome::NoInput => Err(ReplayError::NoError { end: End::Stopped, differs: None }),
    }
}

/// Answers some requests by new objects.
struct WithObjects<'o> {
    inner: Traced,
    /// Numbers of requests.
    objects: &'o BTreeSet<usize>,
    /// The next one.
    at: usize,
}

impl Oracle for WithObjects<'_> {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        let given = self.inner.input(request)?;
        let object = self.objects.contains(&self.at);
        self.at += 1;
        Some(if object { Given::Object } else { given })
    }
}

/// Executes a trace, again and again while there is a pointer from outside to blame for a fault.
///
/// An execution is the same until the first use of a changed input: where it still has the same fault
/// at the same step, another pointer was the cause.
fn with_objects(flow: &Flow, trace: &Traced, options: &ExecutionOptions) -> Execution {
    let execute = |objects: &BTreeSet<usize>| {
        run(flow, &mut WithObjects { inner: trace.clone(), objects, at: 0 }, options)
    };
    let mut objects = BTreeSet::new();
    let mut execution = execute(&objects);
    let mut left = if options.outside_objects { options.limits.replays } else { 0 };
    let mut suspected = suspects(&execution).into_iter();
    while left > 0
        && let Some(candidate) = suspected.next()
    {
        left -= 1;
        objects.insert(candidate);
        let other = execute(&objects);
        if how_far(&other) == how_far(&execution) {
            objects.remove(&candidate);
        } else {
            suspected = suspects(&other).into_iter();
            execution = other;
        }
    }
    execution
}

/// Where an execution ends; one step may use several pointers.
fn how_far(execution: &Execution) -> (u64, usize, &ExecutionOutcome) {
    (execution.steps, execution.inputs.len(), &execution.outcome)
}

/// The pointers from outside, as numbers of requests, that may have led to a fault; first the one
/// with the nearest value, and of those the last one.
fn suspects(execution: &Execution) -> Vec<usize> {
    let (ExecutionOutcome::Fault { .. }, Some(wild)) = (&execution.outcome, execution.wild) else {
        return Vec::new();
    };
    let asked = execution.inputs.iter().filter(|i| i.demand != Demand::Unused).enumerate();
    let mut found: Vec<(u64, Reverse<usize>)> = asked
        .filter(|(_, r)| r.pointer && !r.input.object)
        .filter_map(|(index, r)| Some((wild.checked_sub(r.input.value)?, Reverse(index))))
        .filter(|&(distance, _)| distance < REACH)
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, Reverse(index))| index).collect()
}

/// The first edge that the execution takes and the trace does not.
fn difference(execution: &Execution, trace: &CTrace) -> Option<usize> {
    let expected = trace.edges.as_ref()?;
    let mut taken = execution.events.iter().filter(|e| !e.back).map(|e| e.edge);
    expected.iter().position(|&edge| taken.next() != Some(edge))
}
