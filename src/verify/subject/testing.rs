//! A few executions of the program text before anything is proved: errors that many inputs reach, or
//! that come after a thousand rounds of a loop, are found at once.

use crate::base::budget::Budget;
use crate::program::c::execute::{
    self, Execution, ExecutionOutcome, Oracle, Randomly, Recorded, Recording, Zero,
};
use crate::program::c::flow::Flow;

/// Steps of an execution at most.
const STEPS: u64 = 20_000;
/// Steps at most where nothing comes from outside, so that there is only one execution.
const ONLY_STEPS: u64 = 1_000_000;

/// Executes the program on zeros and then on random inputs, the same in every run; an execution that
/// reaches the error, as a replay shows it.
pub fn search(flow: &Flow, executions: u32, budget: &Budget) -> Option<Execution> {
    let mut options = execute::ExecutionOptions {
        steps: STEPS,
        record: Recording::Inputs,
        budget: budget.clone(),
        ..execute::ExecutionOptions::default()
    };
    for i in 0..executions {
        budget.check().ok()?;
        let mut oracle: Box<dyn Oracle> = match i {
            0 => Box::new(Zero),
            _ => Box::new(Randomly::new(u64::from(i))),
        };
        let mut found = execute::run(flow, &mut *oracle, &options);
        let closed = found.inputs.iter().all(Recorded::is_number);
        if closed && matches!(found.outcome, ExecutionOutcome::Limit(_)) {
            options.steps = ONLY_STEPS;
            found = execute::run(flow, &mut Zero, &options);
        }
        if found.reaches_error() {
            options.record = Recording::Values;
            options.steps = ONLY_STEPS;
            return execute::replay(flow, &found.trace(), &options).ok();
        }
        if closed {
            return None;
        }
    }
    None
}
