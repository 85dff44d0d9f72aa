//! A few executions of the program text before anything is proved: errors that many inputs reach, or
//! that come after a thousand rounds of a loop, are found at once.

use crate::base::budget::Budget;
use crate::program::c::execute::{
    self, Execution, ExecutionOutcome, Oracle, Randomly, Recorded, Recording, Zero,
};
use crate::program::c::flow::Flow;
use crate::verify::options::Options;

/// Executes the program on zeros and then on random inputs, the same in every run; an execution that
/// reaches the error, as a replay shows it.
pub fn search(flow: &Flow, how: &Options, budget: &Budget) -> Option<Execution> {
    let limits = &how.route_limits;
    let mut options = execute::ExecutionOptions {
        steps: limits.execution_steps,
        record: Recording::Inputs,
        budget: budget.clone(),
        limits: how.c_limits.execution,
        allocations_may_fail: how.malloc_may_fail,
        ..execute::ExecutionOptions::default()
    };
    for i in 0..how.executions {
        budget.check().ok()?;
        let mut oracle: Box<dyn Oracle> = match i {
            0 => Box::new(Zero),
            _ => Box::new(Randomly::new(u64::from(i))),
        };
        let mut found = execute::run(flow, &mut *oracle, &options);
        let closed = found.inputs.iter().all(Recorded::is_number);
        if closed && matches!(found.outcome, ExecutionOutcome::Limit(_)) {
            options.steps = limits.only_execution_steps;
            found = execute::run(flow, &mut Zero, &options);
        }
        if found.reaches_error() {
            options.record = Recording::Values;
            options.steps = limits.only_execution_steps;
            return execute::replay(flow, &found.trace(), &options).ok();
        }
        if closed {
            return None;
        }
    }
    None
}
