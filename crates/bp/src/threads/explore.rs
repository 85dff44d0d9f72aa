//! Explicit-state exploration: states are values of the shared variables and a multiset of threads,
//! since it does not matter which thread is which.

use rustc_hash::{FxHashMap, FxHashSet};

use super::step::Step;
use super::system::{Local, System};
use super::way::{Configuration, Execution, MOVES, successors};
use hardbop_base::budget::{Budget, Exhausted};

/// What an exploration comes to.
#[derive(Debug)]
pub(super) enum Explored {
    Error(Execution),
    /// All reachable states, in the order in which they were found: none is an error.
    All(Vec<Packed>),
    /// No error, but there are more threads than so many, or deeper calls (`is_cut`).
    Bounded {
        states: usize,
        is_cut: bool,
    },
    /// There are more states than may be remembered.
    Full,
}

/// A state: the shared variables, and the threads in order.
pub(super) type Packed = (u64, Box<[Local]>);

/// Explores all states with at most so many threads, breadth first.
pub(super) fn explore(
    system: &System<'_>,
    threads: usize,
    most: usize,
    budget: &Budget,
) -> Result<Explored, Exhausted> {
    let mut numbers: FxHashMap<Packed, u32> = FxHashMap::default();
    let mut states: Vec<(Packed, u32)> = Vec::new();
    for state in initial(system) {
        numbers.insert(state.clone(), states.len() as u32);
        states.push((state, u32::MAX));
    }
    // Steps of one thread do not depend on the others.
    let mut known: FxHashMap<(u64, Local), Vec<Step>> = FxHashMap::default();
    let (mut is_bounded, mut is_cut) = (false, false);
    let mut next = 0;
    while next < states.len() {
        budget.check()?;
        let (shared, locals) = states[next].0.clone();
        if locals.iter().any(|&l| system.is_error(l)) {
            return Ok(Explored::Error(path(system, &states, next)));
        }
        let mut previous = None;
        for (index, &local) in locals.iter().enumerate() {
            if previous.replace(local) == Some(local) {
                continue;
            }
            is_cut |= system.is_cut(shared, local);
            let steps = known.entry((shared, local)).or_insert_with(|| system.steps(shared, local));
            for step in steps.iter() {
                if step.child.is_some() && locals.len() >= threads {
                    is_bounded = true;
                    continue;
                }
                let Some(all) = results(system, (shared, &locals), index, step) else {
                    return Ok(Explored::Full);
                };
                for mut after in all {
                    after.sort_unstable();
                    let state = (step.shared, after.into_boxed_slice());
                    let number = states.len() as u32;
                    if *numbers.entry(state.clone()).or_insert(number) == number {
                        states.push((state, next as u32));
                    }
                }
            }
        }
        if states.len() > most {
            return Ok(Explored::Full);
        }
        next += 1;
    }
    if is_bounded || is_cut {
        return Ok(Explored::Bounded { states: states.len(), is_cut });
    }
    Ok(Explored::All(states.into_iter().map(|(state, _)| state).collect()))
}

/// The threads after a step, for all ways in which others may be moved by it; `None` if these are
/// too many.
fn results(
    system: &System<'_>,
    (shared, locals): (u64, &[Local]),
    index: usize,
    step: &Step,
) -> Option<Vec<Vec<Local>>> {
    let is_for_all = system.others(locals[index], step).is_some();
    let mut all = vec![Vec::with_capacity(locals.len() + 1)];
    for (i, &other) in locals.iter().enumerate() {
        if i == index {
            all.iter_mut().for_each(|after| after.extend(step.local));
        } else if !is_for_all {
            all.iter_mut().for_each(|after| after.push(other));
        } else {
            let moved = system.moved(shared, locals[index], step, other);
            if all.len() * moved.len() > MOVES {
                return None;
            }
            all = all
                .iter()
                .flat_map(|after| {
                    moved.iter().map(|&(local, _)| {
                        let mut after = after.clone();
                        after.push(local);
                        after
                    })
                })
                .collect();
        }
    }
    all.iter_mut().for_each(|after| after.extend(step.child));
    Some(all)
}

/// The states in which the program may begin.
pub(super) fn initial(system: &System<'_>) -> Vec<Packed> {
    let (shared, local) = (system.shared.len(), system.entry_width());
    let values = (0..1_u64 << shared).flat_map(|s| (0..1_u64 << local).map(move |l| (s, l)));
    values
        .map(|(shared, bits)| {
            let local = Local { point: system.entry, bits };
            (if system.holds(local) { shared | super::system::LOCK } else { shared }, local)
        })
        .map(|(shared, local)| (shared, vec![local].into_boxed_slice()))
        .collect()
}

/// The execution to a state.
fn path(system: &System<'_>, states: &[(Packed, u32)], mut at: usize) -> Execution {
    let mut backwards = vec![at];
    while states[at].1 != u32::MAX {
        at = states[at].1 as usize;
        backwards.push(at);
    }
    let ((shared, locals), _) = &states[at];
    let mut execution = Execution::new(*shared, locals[0]);
    for &number in backwards.iter().rev().skip(1) {
        let (shared, wanted) = &states[number].0;
        let fits = |c: &Configuration| {
            let mut locals: Vec<Local> = c.locals.iter().flatten().copied().collect();
            locals.sort_unstable();
            c.shared == *shared && locals[..] == wanted[..]
        };
        let all = successors(system, &execution.last);
        let step = all.into_iter().flatten().find(|(c, _)| fits(c));
        let (configuration, taken) = step.expect("the state was found by such a step");
        execution.take(configuration, taken);
    }
    execution
}

/// Whether states hold at the beginning, no step leads out of them, and none is an error: the proof
/// that the program is safe.
pub(super) fn is_proof(
    system: &System<'_>,
    states: &[Packed],
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let known: FxHashSet<&Packed> = states.iter().collect();
    if !initial(system).iter().all(|state| known.contains(state)) {
        return Ok(false);
    }
    for (shared, locals) in states {
        budget.check()?;
        let from =
            Configuration { shared: *shared, locals: locals.iter().copied().map(Some).collect() };
        let stays = |(after, _): (Configuration, _)| {
            let mut locals: Vec<Local> = after.locals.into_iter().flatten().collect();
            locals.sort_unstable();
            known.contains(&(after.shared, locals.into_boxed_slice()))
        };
        if locals.iter().any(|&l| system.is_error(l) || system.is_cut(*shared, l))
            || !successors(system, &from).is_some_and(|all| all.into_iter().all(stays))
        {
            return Ok(false);
        }
    }
    Ok(true)
}
