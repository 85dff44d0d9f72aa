//! Replays traces, which makes UNSAFE verdicts trustworthy.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use thiserror::Error;

use super::execution::{Demand, End, Execution, ExecutionOutcome, Limit};
use super::execution::{Given, Request};
use super::fault::Fault;
use super::machine::REACH;
use super::options::{ExecutionOptions, Recording};
use super::oracle::{Oracle, Traced};
use super::run::run;
use crate::flow::Flow;
use crate::trace::CTrace;
use hardbop_base::budget::Exhausted;
use hardbop_base::source::Span;

/// Why the replay of a trace reaches no error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The program ends without an error.
    #[error("the execution {}", words(*.end))]
    NoError {
        end: End,
        /// The index of the trace's first edge, if it has edges, that the execution does not take.
        differs: Option<usize>,
    },
    #[error("the execution has no defined meaning from here on: {fault}")]
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
        End::Returned => "ends without an error: main returns",
        End::Stopped => "ends without an error: the program stops",
        End::Assumption => "ends without an error: an assumption is false",
        End::Never => "goes on for ever without an error",
        End::Reached => "goes on as another one",
    }
}

fn limit_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "long",
        Limit::Depth => "deep",
        Limit::Memory => "large",
    }
}

/// The part of the steps that a second replay may take, where the first one has taken all.
const AGAIN: u64 = 16;

/// Executes a program into an error on the inputs of a trace, with 0 for those that it lacks (if it lacks
/// very many, the execution is too long).
///
/// The edges of the trace do not affect the result: any path to an error will do. With
/// [`ExecutionOptions::outside_objects`], pointers from outside through which the program accesses
/// memory become pointers to new objects.
///
/// # Errors
///
/// The reason why no error is reached.
pub fn replay(
    flow: &Flow,
    trace: &CTrace,
    options: &ExecutionOptions,
) -> Result<Execution, ReplayError> {
    // Executions that go on and on are not shown, so nothing is recorded of them.  What is written before it is read is no
    // input, unless only a value of it at its declaration leads to the error.
    let mut plain = ExecutionOptions { record: Recording::Inputs, lazy: true, ..options.clone() };
    let mut oracle = Traced::new(trace);
    let mut execution = with_objects(flow, &oracle, &plain);
    let is_long = execution.outcome == ExecutionOutcome::Limit(Limit::Steps);
    if !execution.reaches_error() && !options.lazy && !is_long {
        let eager = ExecutionOptions { lazy: false, ..plain.clone() };
        let other = with_objects(flow, &oracle, &eager);
        if other.reaches_error() {
            (plain, execution) = (eager, other);
        }
    }
    if !execution.reaches_error() && !trace.guesses.is_empty() {
        let steps = if is_long { plain.steps / AGAIN } else { plain.steps };
        let guessing = Traced::guessing(trace);
        let shorter = ExecutionOptions { steps, ..plain.clone() };
        let other = with_objects(flow, &guessing, &shorter);
        if other.reaches_error() {
            (oracle, execution) = (guessing, other);
        }
    }
    let goes_on = ExecutionOutcome::Ended(End::Never) == execution.outcome;
    if options.record != Recording::Inputs && !goes_on && !execution.is_unfinished() {
        let shown = ExecutionOptions { record: options.record, ..plain.clone() };
        execution = with_objects(flow, &oracle, &shown);
    }
    execution.inputs.retain(|i| !i.is_number());
    match execution.outcome {
        ExecutionOutcome::Error { span, .. } => {
            match rests_on_last_digits(flow, &oracle, &plain, &execution) {
                Some(name) => Err(ReplayError::Fault { fault: Fault::LastDigits(name), span }),
                None => Ok(execution),
            }
        }
        ExecutionOutcome::Ended(end) => {
            Err(ReplayError::NoError { end, differs: difference(&execution, trace) })
        }
        ExecutionOutcome::Fault { fault, span } => Err(ReplayError::Fault { fault, span }),
        ExecutionOutcome::Unsupported { what, span } => {
            Err(ReplayError::Unsupported { what, span })
        }
        ExecutionOutcome::Limit(limit) => Err(ReplayError::Limit(limit)),
        ExecutionOutcome::Exhausted(exhausted) => Err(exhausted.into()),
        ExecutionOutcome::NoInput => Err(ReplayError::Limit(Limit::Steps)),
    }
}

/// Answers some requests with new objects.
struct WithObjects<'o> {
    inner: Traced,
    /// The numbers of these requests.
    objects: &'o BTreeSet<usize>,
    /// The number of the next request.
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

/// Executes a trace, again and again as long as some pointer from outside may be to blame for a fault.
///
/// Executions agree up to the first use of the changed input, so if the same fault still occurs at the same step,
/// another pointer is the cause.
/// By how much the last digits of functions of `math.h` may differ, in units of the last place.
const NUDGE: i8 = 4;

/// The function whose last digits decide whether there is the error, if there is one.
fn rests_on_last_digits(
    flow: &Flow,
    trace: &Traced,
    options: &ExecutionOptions,
    execution: &Execution,
) -> Option<&'static str> {
    let name = execution.inexact?;
    let differs = |last_digits| {
        let nudged = ExecutionOptions { last_digits, ..options.clone() };
        with_objects(flow, trace, &nudged).outcome != execution.outcome
    };
    [-NUDGE, NUDGE].into_iter().any(differs).then_some(name)
}

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

/// How far an execution got; one step may use several pointers.
fn how_far(execution: &Execution) -> (u64, usize, &ExecutionOutcome) {
    (execution.steps, execution.inputs.len(), &execution.outcome)
}

/// The pointers from outside, by the number of their request, that may have led to a fault, in
/// order of distance to the address; at equal distance, the last comes first.
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

/// The index of the trace's first edge that the execution does not take.
fn difference(execution: &Execution, trace: &CTrace) -> Option<usize> {
    let expected = trace.edges.as_ref()?;
    let mut taken = execution.events.iter().filter(|e| !e.back).map(|e| e.edge);
    expected.iter().position(|&edge| taken.next() != Some(edge))
}
