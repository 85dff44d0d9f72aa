//! A few executions of the program text before anything is proved: errors that many inputs reach,
//! or that come after a thousand rounds of a loop, are found at once, and programs without input
//! are decided.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::interface::Found;
use crate::options::Options;
use hardbop_base::budget::Budget;
use hardbop_c::arguments::Parameters;
use hardbop_c::execute::{
    self, Execution, ExecutionOptions, ExecutionOutcome, Loaded, Oracle, Randomly, Recording, Ways,
    Zero,
};
use hardbop_c::flow::Flow;

/// Executes the program on zeros and then on random inputs, the same in every run; an execution
/// that reaches the error, as a replay shows it.
pub fn search(flow: &Flow, how: &Options, budget: &Budget) -> Found<Execution> {
    if how.executions == 0 {
        return Found::Nothing;
    }
    let limits = &how.route_limits;
    let mut options = ExecutionOptions {
        steps: limits.execution_steps,
        record: Recording::Inputs,
        budget: budget.clone(),
        limits: how.c_limits.execution,
        allocations_may_fail: how.malloc_may_fail,
        ..ExecutionOptions::default()
    };
    let program = Loaded::new(flow);
    let only = only_execution(&program, &options, limits.only_execution_steps);
    match &only {
        Some(Execution { outcome: ExecutionOutcome::Ended(_), .. }) => {
            return Found::AllExecutions { reads: false };
        }
        Some(found) if found.reaches_error() => options.steps = limits.only_execution_steps,
        // Other inputs change nothing.
        Some(_) => return Found::Nothing,
        None if have_no_error(&program, &options, limits.steps_of_all_ways) => {
            return Found::AllExecutions { reads: true };
        }
        None => {}
    }
    let (program, words) = (program.with_initial_values(&options), words(flow));
    let mut steps_left = limits.average_execution_steps.saturating_mul(u64::from(how.executions));
    for i in 0..how.executions {
        if budget.check().is_err() || steps_left == 0 {
            break;
        }
        let mut oracle: Box<dyn Oracle> = match i {
            0 => Box::new(Zero),
            _ => Box::new(Randomly::new(u64::from(i)).with_words(Arc::clone(&words))),
        };
        let found = execute::run_again(&program, &mut *oracle, &options);
        steps_left = steps_left.saturating_sub(found.steps);
        if found.reaches_error() {
            options.record = Recording::Values;
            options.steps = limits.only_execution_steps;
            let shown = execute::replay(flow, &found.trace(), &options);
            // After billions of rounds signed numbers overflow.  C does not define that, and who
            // wrote the loop did not think of it: whether there is another error is left to the
            // proof.
            let is_far = |e: &Execution| e.leapt() > limits.only_execution_steps;
            return match shown {
                Ok(execution) if execution.undefined.is_empty() || !is_far(&execution) => {
                    Found::Error(execution)
                }
                _ => Found::Nothing,
            };
        }
    }
    Found::Nothing
}

/// The number of texts that are tried as arguments of `main`.
const MOST_WORDS: usize = 256;

/// Texts with which a program may compare its arguments: those that it has, its numbers, its characters, and options.
fn words(flow: &Flow) -> Arc<[Vec<u8>]> {
    let mut words: BTreeSet<Vec<u8>> = BTreeSet::new();
    if Parameters::of(flow).is_some_and(|p| p.texts.is_some()) {
        let texts = flow.strings.iter().filter_map(|text| text.split(|&byte| byte == 0).next());
        words.extend(texts.map(<[u8]>::to_vec));
        let values = flow.parts().filter_map(|part| flow.constant(part));
        for value in values.take(MOST_WORDS) {
            words.insert(value.to_string().into_bytes());
            if let Ok(letter @ b'!'..=b'~') = u8::try_from(value) {
                words.extend([vec![letter], vec![b'-', letter]]);
            }
        }
    }
    words.into_iter().take(MOST_WORDS).collect()
}

/// Whether a few executions, of so many steps together, stand for all values of the inputs, and end without an error.
fn have_no_error(program: &Loaded<'_>, options: &ExecutionOptions, steps: u64) -> bool {
    let (mut ways, mut left) = (Ways::default(), steps);
    loop {
        let options = ExecutionOptions { lazy: true, steps: left, ..options.clone() };
        let found = execute::run_again(program, &mut ways, &options);
        if !found.is_closed() || !matches!(found.outcome, ExecutionOutcome::Ended(_)) {
            return false;
        }
        left = left.saturating_sub(found.steps);
        if !ways.advance() {
            return true;
        }
    }
}

/// The execution of a program without input, as far as `most` steps.
fn only_execution(
    program: &Loaded<'_>,
    options: &ExecutionOptions,
    most: u64,
) -> Option<Execution> {
    let run = |steps| {
        let options = ExecutionOptions { lazy: true, steps, ..options.clone() };
        let found = execute::run_again(program, &mut Zero, &options);
        found.is_determined().then_some(found)
    };
    let found = run(options.steps)?;
    match found.outcome {
        ExecutionOutcome::Limit(_) => run(most),
        _ => Some(found),
    }
}
