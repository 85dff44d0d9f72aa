//! Executions on zeros, then on random inputs, then on inputs that evolve.
//!
//! Texts have a form, which random ones rarely get right: where a program reads some, most
//! executions are of inputs that evolve, for as long as some go further.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::options::Options;
use hardbop_c::arguments::Parameters;
use hardbop_c::execute::{
    self, Evolution, Execution, ExecutionOptions, Loaded, Oracle, Randomly, Recorded, Recording,
    Zero,
};
use hardbop_c::flow::{ExprKind, Flow};
use hardbop_c::trace::InputKind;

/// How many times as many executions as the options say are made of texts that go further and further.
const PROGRESS: u32 = 20;
/// The same for their steps.
const PROGRESS_STEPS: u64 = 5;
/// The part of the steps that inputs other than texts may take to evolve.
const NUMBERS_SHARE: u64 = 8;
/// What an input takes, in steps: to choose it, and to keep it.
const STEPS_PER_INPUT: u64 = 4;

/// Executions of one program, the same in every run.
pub struct Sampling<'a> {
    program: &'a Loaded<'a>,
    options: ExecutionOptions,
    random: Randomly,
    evolution: Evolution,
    /// The number of executions that the options say, with the steps that these may take.
    most: u32,
    average: u64,
    /// What was made and taken until now.
    made: u32,
    taken: u64,
    /// The number of the last execution that went where none had gone.
    last_new: u32,
    reads_text: bool,
}

impl<'a> Sampling<'a> {
    pub fn new(
        flow: &Flow,
        program: &'a Loaded<'a>,
        how: &Options,
        options: ExecutionOptions,
    ) -> Self {
        let random = random_inputs(flow, 0);
        Self {
            program,
            options: ExecutionOptions { record: Recording::Edges, ..options },
            evolution: Evolution::new(0, random.clone()),
            random,
            most: how.executions,
            average: how.route_limits.average_execution_steps,
            made: 0,
            taken: 0,
            last_new: 0,
            reads_text: false,
        }
    }

    /// The first execution that reaches an error.
    pub fn error(mut self) -> Option<Execution> {
        self.of_random_inputs().or_else(|| self.of_evolving_inputs())
    }

    /// The steps that the executions may take that the options say.
    fn steps(&self) -> u64 {
        self.average.saturating_mul(u64::from(self.most))
    }

    fn may_go_on(&self, most: u32, steps: u64) -> bool {
        self.made < most && self.taken < steps && self.options.budget.check().is_ok()
    }

    /// Zeros, and random ones: the first quarter where texts are read, else all but the last.
    fn of_random_inputs(&mut self) -> Option<Execution> {
        let quarter = self.most.div_ceil(4);
        let all = (self.most - quarter).max(1);
        while self.may_go_on(if self.reads_text { quarter } else { all }, self.steps()) {
            let mut oracle: Box<dyn Oracle> = match self.made {
                0 => Box::new(Zero),
                made => Box::new(self.random.seeded(u64::from(made))),
            };
            let found = execute::run_again(self.program, &mut *oracle, &self.options);
            if self.note(&found) {
                return Some(found);
            }
        }
        None
    }

    fn of_evolving_inputs(&mut self) -> Option<Execution> {
        let (most, steps) = match self.reads_text {
            true => {
                let steps = self.steps().saturating_mul(PROGRESS_STEPS);
                (self.most.saturating_mul(PROGRESS), steps)
            }
            false => {
                let share = self.taken.saturating_add(self.steps() / NUMBERS_SHARE);
                (self.most, self.steps().min(share))
            }
        };
        // One that goes further and further says little more.
        let each = self.options.steps.min(self.average.saturating_mul(2));
        let options = ExecutionOptions { steps: each, ..self.options.clone() };
        while self.may_go_on(most, steps)
            && (self.made < self.most || self.made < self.last_new.saturating_add(self.most))
        {
            let found = execute::run_again(self.program, &mut self.evolution.changed(), &options);
            if self.note(&found) {
                return Some(found);
            }
        }
        None
    }

    /// Notes what an execution took, and where it went; true if it reached an error.
    fn note(&mut self, found: &Execution) -> bool {
        self.taken += found.steps + STEPS_PER_INPUT * found.inputs.len() as u64;
        self.reads_text |= found.inputs.iter().any(is_text);
        if self.evolution.learn(found) {
            self.last_new = self.made;
        }
        self.made += 1;
        found.reaches_error()
    }
}

/// Random inputs for a program, some with its own texts and constants.
pub fn random_inputs(flow: &Flow, seed: u64) -> Randomly {
    Randomly::new(seed).with_words(words(flow)).with_constants(constants(flow))
}

/// Whether an input is a part of what a function of the library reads, or of an argument of `main`.
fn is_text(input: &Recorded) -> bool {
    match &input.input.kind {
        InputKind::Undefined { .. } | InputKind::Argument { .. } => true,
        InputKind::Nondet { function } => !function.starts_with("__VERIFIER_"),
        _ => false,
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
