//! The values of shared variables with which a thread can be in a state, and the steps that it then
//! takes: all that are possible, and more, since threads that are never there together may disturb
//! each other (thread-modular: Flanagan and Qadeer, SPIN 2003).

use rustc_hash::{FxHashMap, FxHashSet};

use super::explore::initial;
use super::step::Step;
use super::system::{LOCK, Local, System};
use hardbop_base::budget::{Budget, Exhausted};

/// Most pairs that are looked at.
const PAIRS: usize = 400_000;

/// A step from a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transition {
    pub shared: u64,
    pub local: Local,
    pub step: Step,
}

/// Pairs of shared values and the state of a thread, and the steps from them.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pub locals: FxHashMap<u64, Vec<Local>>,
    known: FxHashSet<(u64, Local)>,
    pub transitions: Vec<Transition>,
    pub initial: FxHashSet<(u64, Local)>,
    pub errors: Vec<(u64, Local)>,
    /// Whether a call that is too deep is reached.
    pub is_cut: bool,
}

impl Pairs {
    pub fn contains(&self, shared: u64, local: Local) -> bool {
        self.known.contains(&(shared, local))
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    fn add(&mut self, shared: u64, local: Local, work: &mut Vec<(u64, Local)>) {
        if self.known.insert((shared, local)) {
            self.locals.entry(shared).or_default().push(local);
            work.push((shared, local));
        }
    }
}

/// What a step does to the other threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Effect {
    to: u64,
    /// Whether only the first thread takes it.
    unique: bool,
    /// The transition, where the variables of other threads change.
    broadcast: Option<u32>,
}

/// Whether two states of threads exclude each other.
pub(super) fn exclude(system: &System<'_>, a: Local, b: Local) -> bool {
    system.unique[a.point as usize] && system.unique[b.point as usize]
        || system.holds(a) && system.holds(b)
}

/// Computes all pairs; `None` if there are too many.
pub(super) fn pairs(system: &System<'_>, budget: &Budget) -> Result<Option<Pairs>, Exhausted> {
    let mut pairs = Pairs::default();
    let mut work = Vec::new();
    for (shared, locals) in initial(system) {
        pairs.initial.insert((shared, locals[0]));
        pairs.add(shared, locals[0], &mut work);
    }
    let mut effects: FxHashMap<u64, Vec<Effect>> = FxHashMap::default();
    while let Some((shared, local)) = work.pop() {
        budget.check()?;
        if pairs.len() > PAIRS {
            return Ok(None);
        }
        if system.is_error(local) {
            pairs.errors.push((shared, local));
        }
        pairs.is_cut |= system.is_cut(shared, local);
        // What others do to this one.
        for effect in effects.get(&shared).cloned().unwrap_or_default() {
            disturb(system, &mut pairs, shared, effect, local, &mut work);
        }
        for step in system.steps(shared, local) {
            let number = pairs.transitions.len() as u32;
            pairs.transitions.push(Transition { shared, local, step });
            for thread in step.local.into_iter().chain(step.child) {
                pairs.add(step.shared, thread, &mut work);
            }
            let broadcast = system.others(local, &step).is_some().then_some(number);
            if broadcast.is_none() && step.shared == shared {
                continue;
            }
            let unique = system.unique[local.point as usize];
            let effect = Effect { to: step.shared, unique, broadcast };
            let all = effects.entry(shared).or_default();
            if all.contains(&effect) {
                continue;
            }
            all.push(effect);
            for other in pairs.locals.get(&shared).cloned().unwrap_or_default() {
                disturb(system, &mut pairs, shared, effect, other, &mut work);
            }
        }
    }
    Ok(Some(pairs))
}

/// Adds what becomes of a thread by a step of another one.
fn disturb(
    system: &System<'_>,
    pairs: &mut Pairs,
    shared: u64,
    effect: Effect,
    other: Local,
    work: &mut Vec<(u64, Local)>,
) {
    // Beside a thread that lets no other one step, none does.
    let is_held = shared & LOCK != 0 && system.holds(other);
    if is_held || effect.unique && system.unique[other.point as usize] {
        return;
    }
    let Some(number) = effect.broadcast else {
        return pairs.add(effect.to, other, work);
    };
    let Transition { local, step, .. } = pairs.transitions[number as usize];
    for (moved, _) in system.moved(shared, local, &step, other) {
        pairs.add(effect.to, moved, work);
    }
}

/// Whether the pairs hold at the beginning, and no step leads out of them.  Where none is an error,
/// that is the proof that the program is safe.
pub(super) fn is_closed(
    system: &System<'_>,
    pairs: &Pairs,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    if !initial(system).iter().all(|(shared, locals)| pairs.contains(*shared, locals[0])) {
        return Ok(false);
    }
    for (&shared, locals) in &pairs.locals {
        // What the others must bear: steps with the same effect on all of them count once.
        let mut changes: FxHashSet<(u64, bool, bool)> = FxHashSet::default();
        for &local in locals {
            budget.check()?;
            let is_known = !system.is_error(local) || pairs.errors.contains(&(shared, local));
            if system.is_cut(shared, local) || !is_known {
                return Ok(false);
            }
            for step in system.steps(shared, local) {
                let mut threads = step.local.into_iter().chain(step.child);
                if !threads.all(|t| pairs.contains(step.shared, t)) {
                    return Ok(false);
                }
                if system.others(local, &step).is_none() {
                    let unique = system.unique[local.point as usize];
                    changes.insert((step.shared, unique, system.holds(local)));
                } else if !bear(system, pairs, (shared, locals), local, &step) {
                    return Ok(false);
                }
            }
        }
        for (to, unique, holds) in changes {
            budget.check()?;
            let excluded = |other: Local| {
                unique && system.unique[other.point as usize]
                    || system.holds(other) && (holds || shared & LOCK != 0)
            };
            if !locals.iter().all(|&other| excluded(other) || pairs.contains(to, other)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether an assignment to all other threads leads to known pairs.
fn bear(
    system: &System<'_>,
    pairs: &Pairs,
    (shared, locals): (u64, &[Local]),
    local: Local,
    step: &Step,
) -> bool {
    locals.iter().all(|&other| {
        let is_held = shared & LOCK != 0 && system.holds(other);
        let moved = || system.moved(shared, local, step, other);
        exclude(system, local, other)
            || is_held
            || moved().iter().all(|&(moved, _)| pairs.contains(step.shared, moved))
    })
}
