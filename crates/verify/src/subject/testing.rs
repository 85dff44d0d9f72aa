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
    self, Evolution, Execution, ExecutionOptions, ExecutionOutcome, Loaded, Oracle, Randomly,
    Recorded, Recording, Ways, Zero,
};
use hardbop_c::flow::{ExprKind, Flow};
use hardbop_c::trace::InputKind;
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
            return Found::AllExecutions { reads: false };
        }
        Some(found) if found.reaches_error() => options.steps = limits.only_execution_steps,
        // Other inputs change nothing.
        Some(_) => return Found::Nothing,
        None => {
            let mut ways = Ways::default();
            if let Every::NoError =
                every_way(&program, &options, &mut ways, limits.steps_of_all_ways)
            {
                return Found::AllExecutions { reads: true };
            }
        }
    }
    let (program, words) = (program.with_initial_values(&options), words(flow));
    let constants = constants(flow);
    let random = |seed| {
        let random = Randomly::new(seed).with_words(Arc::clone(&words));
        random.with_constants(Arc::clone(&constants))
    };
    options.record = Recording::Edges;
    let mut evolution = Evolution::new(0, random(0), Arc::clone(&words));
    // Some at random, then changes of those that went where none had gone.  Texts have a form, which random ones rarely get
    // right: there it goes on for as long as some go further.
    let first = how.executions.div_ceil(4);
    let steps = limits.average_execution_steps.saturating_mul(u64::from(how.executions));
    let (mut i, mut last_new, mut taken, mut reads_text) = (0, 0, 0, false);
    let evolved = ExecutionOptions {
        steps: limits.execution_steps.min(limits.average_execution_steps.saturating_mul(2)),
        ..options.clone()
    };
    while budget.check().is_ok() {
        let (most, all) = match reads_text {
            true => (how.executions.saturating_mul(PROGRESS), steps.saturating_mul(PROGRESS_STEPS)),
            false => (how.executions, steps),
        };
        let is_over = i >= most || taken >= all;
        if is_over || i >= how.executions && i >= last_new + how.executions {
            break;
        }
        let random_ones = if reads_text { first } else { how.executions - first };
        let found = if i < random_ones {
            let mut oracle: Box<dyn Oracle> = match i {
                0 => Box::new(Zero),
                _ => Box::new(random(u64::from(i))),
            };
            execute::run_again(&program, &mut *oracle, &options)
        } else {
            if !reads_text && i == random_ones {
                taken = taken.max(steps - steps / NUMBERS_SHARE);
            }
            execute::run_again(&program, &mut evolution.changed(), &evolved)
        };
        taken += found.steps + STEPS_PER_INPUT * found.inputs.len() as u64;
        if found.reaches_error() {
            return shown(flow, &found, &options, limits.only_execution_steps);
        }
        reads_text |= found.inputs.iter().any(is_text);
        if evolution.learn(&found) {
            last_new = i;
        }
        i += 1;
    }
    Found::Nothing
}

/// How many times as many executions as the options say are made where they go further and further.
const PROGRESS: u32 = 20;
/// The same for their steps.
const PROGRESS_STEPS: u64 = 5;
/// The part of the steps that executions of programs that read no text may take after the random ones.
const NUMBERS_SHARE: u64 = 8;
/// What an input takes, in steps.
const STEPS_PER_INPUT: u64 = 4;

/// Whether an input is a part of what a function of the library reads, or of an argument of `main`.
fn is_text(input: &Recorded) -> bool {
    match &input.input.kind {
        InputKind::Undefined { .. } | InputKind::Argument { .. } => true,
        InputKind::Nondet { function } => !function.starts_with("__VERIFIER_"),
        _ => false,
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
const CONCOLIC_STEPS: u64 = 500;
/// The steps of one execution there: what comes later is tried by those that come there sooner.
const LED_STEPS: u64 = 5_000;

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
    let mut ways = Ways::with_solver(solver, limits.questions, budget);
    match every_way(&program, &options, &mut ways, steps) {
        Every::NoError if ways.are_confirmed(checker) => Found::AllExecutions { reads: true },
        Every::Error(found) => shown(flow, &found, &options, limits.only_execution_steps),
        Every::NoError | Every::Open => Found::Nothing,
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
    let random = Randomly::new(1).with_words(words(flow)).with_constants(constants(flow));
    let mut ways = Ways::guided(solver, limits.questions, budget, random);
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

/// The number of texts that are tried as arguments of `main`.
const MOST_WORDS: usize = 256;

/// The number of numbers that are tried as texts that are read.
const MOST_NUMBERS: usize = 32;

/// Texts with which a program may compare its arguments and what it reads: those that it has, its numbers, its characters,
/// and options.
fn words(flow: &Flow) -> Arc<[Vec<u8>]> {
    let texts = flow.strings.iter().filter_map(|text| text.split(|&byte| byte == 0).next());
    let mut words: BTreeSet<Vec<u8>> = texts.map(<[u8]>::to_vec).collect();
    words.extend(compared(flow).take(MOST_NUMBERS).map(|n| n.to_string().into_bytes()));
    if Parameters::of(flow).is_some_and(|p| p.texts.is_some()) {
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

/// The number of constants of a program that are tried as inputs.
const MOST_CONSTANTS: usize = 256;

/// Those integers, and those beside them.
fn constants(flow: &Flow) -> Arc<[u64]> {
    let mut all = BTreeSet::new();
    for value in compared(flow).map(|value| value as u64).take(MOST_CONSTANTS) {
        all.extend([value.wrapping_sub(1), value, value.wrapping_add(1)]);
    }
    all.into_iter().collect()
}

/// Integers that the program compares with others.
fn compared(flow: &Flow) -> impl Iterator<Item = i64> + '_ {
    flow.parts().filter_map(|part| match &part.kind {
        ExprKind::Binary(op, _, right) if op.compares() => flow.constant(right),
        _ => None,
    })
}

/// What comes of executions that stand for all.
enum Every {
    NoError,
    Error(Box<Execution>),
    Open,
}

/// Whether a few executions, of so many steps together, stand for all values of the inputs, and how they end.
fn every_way(
    program: &Loaded<'_>,
    options: &ExecutionOptions,
    ways: &mut Ways,
    steps: u64,
) -> Every {
    let mut left = steps;
    loop {
        let options = ExecutionOptions { lazy: true, steps: left, ..options.clone() };
        let mut found = execute::run_again(program, ways, &options);
        if found.reaches_error() && ways.fill(&mut found) {
            return Every::Error(Box::new(found));
        }
        if !found.is_closed() || !matches!(found.outcome, ExecutionOutcome::Ended(_)) {
            return Every::Open;
        }
        left = left.saturating_sub(found.steps);
        if !ways.advance() {
            return Every::NoError;
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
