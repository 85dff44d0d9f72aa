//! A few executions of the program text before anything is proved: errors that many inputs reach,
//! or that come after a thousand rounds of a loop, are found at once, and programs without input
//! are decided.

use super::interface::Found;
use super::sampling::{Sampling, random_inputs};
use crate::options::Options;
use hardbop_base::budget::Budget;
use hardbop_c::execute::{
    self, Execution, ExecutionOptions, ExecutionOutcome, Exploration, Loaded, Recording, Ways, Zero,
};
use hardbop_c::flow::Flow;
use hardbop_smt::Purpose;

/// Executes the program on zeros and then on random inputs, the same in every run; an execution
/// that reaches the error, as a replay shows it.
pub fn search(flow: &Flow, how: &Options, budget: &Budget) -> Found<Execution> {
    if how.executions == 0 {
        return Found::Nothing;
    }
    let limits = &how.route_limits;
    let mut options = execution_options(how, budget);
    let program = Loaded::new(flow);
    let only = only_execution(&program, &options, limits.only_execution_steps);
    match &only {
        Some(Execution { outcome: ExecutionOutcome::Ended(_), .. }) => {
            return Found::AllExecutions { reads: false, located: None };
        }
        Some(found) if found.reaches_error() => options.steps = limits.only_execution_steps,
        // Other inputs change nothing.
        Some(_) => return Found::Nothing,
        None => {
            let mut all = Exploration::new(&program, Ways::any());
            if let Every::NoError { located } =
                every_way(&mut all, &options, limits.steps_of_all_ways)
            {
                return Found::AllExecutions { reads: true, located: Some(located) };
            }
        }
    }
    let program = program.with_initial_values(&options);
    match Sampling::new(flow, &program, how, options.clone()).error() {
        Some(found) => shown(flow, &found, &options, limits.only_execution_steps),
        None => Found::Nothing,
    }
}

/// An execution that reaches an error, as a replay shows it.
fn shown(
    flow: &Flow,
    found: &Execution,
    options: &ExecutionOptions,
    most: u64,
) -> Found<Execution> {
    let options = ExecutionOptions { record: Recording::Values, steps: most, ..options.clone() };
    let shown = execute::replay(flow, &found.trace(), &options);
    // After billions of rounds signed numbers overflow.  C does not define that, and who wrote the loop did not think
    // of it: whether there is another error is left to the proof.
    let is_far = |e: &Execution| e.leapt() > most;
    match shown {
        Ok(execution) if execution.undefined.is_empty() || !is_far(&execution) => {
            Found::Error(execution)
        }
        _ => Found::Nothing,
    }
}

/// The steps of symbolic execution, and more for each question that it may ask.
const SYMBOLIC_STEPS: u64 = 100_000;
const STEPS_PER_QUESTION: u64 = 50;
/// The same for concolic execution, where each question leads to one.
const CONCOLIC_STEPS: u64 = 1_000;
/// The steps of one execution there: what comes later is tried by those that come there sooner.
const LED_STEPS: u64 = 10_000;

/// Executes the program on terms for inputs, along every way that these may lead: an execution that reaches the error, or
/// that all end without one, as another solver says, too.
pub fn symbolic(flow: &Flow, how: &Options, budget: &Budget) -> Found<Execution> {
    let limits = &how.route_limits;
    // Terms are bits.
    if how.analysis.is_linear() {
        return Found::Nothing;
    }
    let options = execution_options(how, budget);
    let program = Loaded::new(flow).with_initial_values(&options);
    let steps = SYMBOLIC_STEPS + u64::from(limits.questions) * STEPS_PER_QUESTION;
    let solvers = [how.analysis.solvers(Purpose::Path), how.analysis.checkers()];
    let [Ok(solver), Ok(checker)] = solvers.map(|solvers| solvers.solver()) else {
        return Found::Nothing;
    };
    let ways = Ways::with_solver(solver, limits.questions, budget);
    let mut all = Exploration::new(&program, ways);
    match every_way(&mut all, &options, steps) {
        Every::NoError { located } if all.ways().are_confirmed(checker) => {
            Found::AllExecutions { reads: true, located: Some(located) }
        }
        Every::Error(found) => shown(flow, &found, &options, limits.only_execution_steps),
        Every::NoError { .. } | Every::Open => Found::Nothing,
    }
}

/// Executes the program on numbers, each execution another way than those before.
pub fn concolic(flow: &Flow, how: &Options, budget: &Budget) -> Found<Execution> {
    let limits = &how.route_limits;
    if how.analysis.is_linear() {
        return Found::Nothing;
    }
    let Ok(solver) = how.analysis.solvers(Purpose::Path).solver() else { return Found::Nothing };
    let steps = limits.execution_steps.min(LED_STEPS);
    let options = ExecutionOptions { lazy: true, steps, ..execution_options(how, budget) };
    let program = Loaded::new(flow).with_initial_values(&options);
    let random = random_inputs(flow, 1);
    let mut ways = Ways::guided(flow, solver, limits.questions, budget, random);
    let mut left = u64::from(limits.questions) * CONCOLIC_STEPS;
    while left > 0 && budget.check().is_ok() {
        let mut found = execute::run_again(&program, &mut ways, &options);
        left = left.saturating_sub(found.steps.max(1));
        if found.reaches_error()
            && ways.fill(&mut found)
            && let Found::Error(shown) = shown(flow, &found, &options, limits.only_execution_steps)
        {
            return Found::Error(shown);
        }
        if !ways.advance() {
            break;
        }
    }
    Found::Nothing
}

/// How executions are made that are not shown.
fn execution_options(how: &Options, budget: &Budget) -> ExecutionOptions {
    ExecutionOptions {
        steps: how.route_limits.execution_steps,
        record: Recording::Inputs,
        budget: budget.clone(),
        limits: how.c_limits.execution,
        allocations_may_fail: how.malloc_may_fail,
        ..ExecutionOptions::default()
    }
}

/// What comes of executions that stand for all.
enum Every {
    NoError {
        /// Whether where objects lie may have decided something.
        located: bool,
    },
    Error(Box<Execution>),
    Open,
}

/// Whether a few executions, of so many steps together, stand for all values of the inputs, and how they end.
fn every_way(all: &mut Exploration<'_, '_>, options: &ExecutionOptions, steps: u64) -> Every {
    let mut options = ExecutionOptions { lazy: true, steps, ..options.clone() };
    let mut located = false;
    loop {
        if options.budget.check().is_err() {
            return Every::Open;
        }
        let Some(mut found) = all.next(&options) else { return Every::NoError { located } };
        located |= found.located;
        if found.reaches_error() && all.ways().fill(&mut found) {
            return Every::Error(Box::new(found));
        }
        if !found.is_closed() || !matches!(found.outcome, ExecutionOutcome::Ended(_)) {
            return Every::Open;
        }
        options.steps = options.steps.saturating_sub(found.steps);
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
