//! From steps of packed threads to traces, in which each thread has its number.

use super::step::Step;
use super::system::{Local, System};
use crate::language::interpret::threads::ThreadTrace;
use crate::language::program::{EdgeId, ProcId};
use crate::language::trace::TraceStep;

/// A state with threads by their numbers; those that ended are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Configuration {
    pub shared: u64,
    pub locals: Vec<Option<Local>>,
}

/// A step of a numbered thread, with the choices for others.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub thread: usize,
    pub from: Local,
    pub step: Step,
    /// Choices for each other thread that is concerned, and how many they are.
    others: Vec<(u32, u32)>,
}

/// An execution of packed states.
#[derive(Debug)]
pub(super) struct Execution {
    initial: (u64, Local),
    steps: Vec<Taken>,
    pub last: Configuration,
}

impl Execution {
    pub fn new(shared: u64, local: Local) -> Self {
        let last = Configuration { shared, locals: vec![Some(local)] };
        Self { initial: (shared, local), steps: Vec::new(), last }
    }

    pub fn take(&mut self, last: Configuration, taken: Taken) {
        self.steps.push(taken);
        self.last = last;
    }

    /// The trace that the interpreter executes.
    pub fn trace(&self, system: &System<'_>) -> ThreadTrace {
        let program = &system.program.program;
        let (shared, local) = self.initial;
        let of_thread = |v| system.program.thread_locals.iter().position(|&t| t == v);
        let globals = program.globals.iter().map(|&v| match of_thread(v) {
            Some(bit) => local.bits >> bit & 1 == 1,
            None => {
                let bit = system.shared.iter().position(|&s| s == v).unwrap_or(0);
                shared >> bit & 1 == 1
            }
        });
        let first = system.thread_locals as usize;
        let own = (0..system.entry_bits.len()).map(|i| local.bits >> (first + i) & 1 == 1);
        let initial = globals.chain(own).collect();
        let mut steps = Vec::new();
        for taken in &self.steps {
            let Some(action) = system.action(taken.from, &taken.step) else { continue };
            let mut push = |(procedure, edge): (ProcId, EdgeId), choices: Vec<bool>| {
                steps.push((taken.thread, TraceStep { procedure, edge, choices }));
            };
            action.before.iter().for_each(|&edge| push(edge, Vec::new()));
            let own = bits(taken.step.choices, action.choices);
            let others = taken.others.iter().flat_map(|&(choices, n)| bits(choices, n));
            push(action.edge, own.into_iter().chain(others).collect());
        }
        // An error in the first state is reached by no step: it has none.
        ThreadTrace { initial, steps }
    }
}

fn bits(choices: u32, n: u32) -> Vec<bool> {
    (0..n).map(|i| choices >> i & 1 == 1).collect()
}

/// Ways in which others are moved by one step, at most.
pub(super) const MOVES: usize = 4_096;

/// All steps from a configuration; none of them where one moves others in too many ways.
pub(super) fn successors(
    system: &System<'_>,
    from: &Configuration,
) -> Option<Vec<(Configuration, Taken)>> {
    let mut all = Vec::new();
    for (thread, local) in from.locals.iter().enumerate() {
        let Some(local) = *local else { continue };
        for step in system.steps(from.shared, local) {
            all.extend(results(system, from, thread, local, &step)?);
        }
    }
    Some(all)
}

/// The configurations after a step, for all ways in which others may be moved by it; `None` if these
/// are too many.
pub(super) fn results(
    system: &System<'_>,
    from: &Configuration,
    thread: usize,
    local: Local,
    step: &Step,
) -> Option<Vec<(Configuration, Taken)>> {
    let choices = system.others(local, step).map(|others| others.choices);
    let taken = Taken { thread, from: local, step: *step, others: Vec::new() };
    let mut locals = from.locals.clone();
    locals[thread] = step.local;
    let mut all = vec![(Configuration { shared: step.shared, locals }, taken)];
    if let Some(n) = choices {
        for (number, other) in from.locals.iter().enumerate() {
            let Some(other) = other.filter(|&o| number != thread && system.is_passive(o)) else {
                continue;
            };
            let moved = system.moved(from.shared, local, step, other);
            if all.len() * moved.len() > MOVES {
                return None;
            }
            all = (all.into_iter())
                .flat_map(|(configuration, taken)| {
                    moved.iter().map(move |&(to, choices)| {
                        let (mut configuration, mut taken) = (configuration.clone(), taken.clone());
                        configuration.locals[number] = Some(to);
                        taken.others.push((choices, n));
                        (configuration, taken)
                    })
                })
                .collect();
        }
    }
    if step.child.is_some() {
        all.iter_mut().for_each(|(c, _)| c.locals.push(step.child));
    }
    Some(all)
}
