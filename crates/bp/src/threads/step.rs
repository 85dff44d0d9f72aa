//! The steps of one thread, and what they do to others.

use rustc_hash::FxHashSet;

use super::code::{Place, Words};
use super::system::{Action, HELD, Kind, LOCK, Local, Others, Point, System};

/// A step of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of the action at the point where it starts.
    pub action: u32,
    /// The choices, the first one in the lowest bit.
    pub choices: u32,
    pub shared: u64,
    /// The thread afterwards, unless it ended.
    pub local: Option<Local>,
    /// The thread that begins.
    pub child: Option<Local>,
}

/// What can happen to another thread in a step: where it then is, with the choices for it.
pub(super) type Moved = (Local, u32);

impl System<'_> {
    /// The action of a step.
    pub fn action(&self, from: Local, step: &Step) -> Option<&Action> {
        match &self.points[from.point as usize] {
            Point::Inner(actions) => actions.get(step.action as usize),
            _ => None,
        }
    }

    /// All steps of a thread, those with the same result once.
    pub fn steps(&self, shared: u64, from: Local) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let Point::Inner(actions) = &self.points[from.point as usize] else { return steps };
        if shared & LOCK != 0 && !self.holds(from) {
            return steps;
        }
        for (number, action) in actions.iter().enumerate() {
            let mut known = FxHashSet::default();
            for choices in 0..1 << action.choices {
                let Some(step) = self.step(shared, from, number as u32, action, choices) else {
                    continue;
                };
                if known.insert((step.shared, step.local, step.child)) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    fn step(
        &self,
        shared: u64,
        from: Local,
        number: u32,
        action: &Action,
        choices: u32,
    ) -> Option<Step> {
        let now = Words { shared, local: from.bits, other: 0 };
        let mut next = now;
        let mut left = choices;
        let (mut child, mut ended) = (None, false);
        match &action.kind {
            Kind::Assume(condition) => {
                if !condition.value(&now, &now, &mut left) {
                    return None;
                }
            }
            Kind::Assign { targets, constrain, .. } => {
                for (place, value) in targets {
                    let value = value.value(&now, &now, &mut left);
                    next.set(*place, value);
                }
                if let Some(condition) = constrain
                    && !condition.value(&now, &next, &mut left)
                {
                    return None;
                }
            }
            Kind::Call { arguments, fresh } => {
                for (bit, value) in arguments {
                    let value = value.value(&now, &now, &mut left);
                    next.set(Place::Local(*bit), value);
                }
                free(&mut next, fresh, &mut left);
            }
            Kind::Start { point, base } => {
                let common = (1 << self.thread_locals) - 1;
                let copied = (from.bits & !HELD) >> base << self.thread_locals;
                child = Some(Local { point: *point, bits: from.bits & common | copied });
            }
            Kind::StartCall { point, arguments, fresh } => {
                let common = (1 << self.thread_locals) - 1;
                let mut begun = Words { local: from.bits & common, ..Words::default() };
                for (bit, value) in arguments {
                    let value = value.value(&now, &now, &mut left);
                    begun.set(Place::Local(*bit), value);
                }
                free(&mut begun, fresh, &mut left);
                child = Some(Local { point: *point, bits: begun.local });
            }
            Kind::End => ended = true,
            Kind::Atomic(true) => next.local |= HELD,
            Kind::Atomic(false) => next.local &= !HELD,
            Kind::Cut => return None,
        }
        let mut point = action.to;
        loop {
            match &self.points[point as usize] {
                Point::Return(back) => {
                    let returned = next;
                    for (place, bit) in &back.targets {
                        next.set(*place, returned.get(Place::Local(*bit)));
                    }
                    next.local &= back.keep;
                    point = back.to;
                }
                Point::End => {
                    ended = true;
                    break;
                }
                Point::Inner(_) | Point::Error => break,
            }
        }
        let local = Local { point, bits: next.local };
        let holds = !ended && self.holds(local);
        // Nobody else holds the lock, or this thread could not step.
        next.shared = next.shared & !LOCK | if holds { LOCK } else { 0 };
        let begins_atomic = child.is_some_and(|c| self.holds(c));
        if begins_atomic {
            next.shared |= LOCK;
        }
        let local = (!ended).then_some(local);
        Some(Step { action: number, choices, shared: next.shared, local, child })
    }

    /// The assignment to other threads in a step.
    pub fn others(&self, from: Local, step: &Step) -> Option<&Others> {
        match &self.action(from, step)?.kind {
            Kind::Assign { others, .. } => others.as_ref(),
            _ => None,
        }
    }

    /// What can become of another thread in a step; nothing if its values do not allow the step.
    pub fn moved(&self, shared: u64, from: Local, step: &Step, other: Local) -> Vec<Moved> {
        let Some(others) = self.others(from, step).filter(|_| self.is_passive(other)) else {
            return vec![(other, 0)];
        };
        let now = Words { shared, local: from.bits, other: other.bits };
        // An assignment does not return, so its values are those of the step.
        let local = step.local.map_or(from.bits, |l| l.bits);
        let assigned = Words { shared: step.shared, local, other: other.bits };
        let mut all: Vec<Moved> = Vec::new();
        for choices in 0..1_u32 << others.choices {
            let (mut next, mut left) = (assigned, choices);
            for (place, value) in &others.targets {
                let value = value.value(&now, &now, &mut left);
                next.set(*place, value);
            }
            let holds = others.constrain.as_ref().is_none_or(|c| c.value(&now, &next, &mut left));
            let moved = Local { point: other.point, bits: next.other };
            if holds && all.iter().all(|(known, _)| *known != moved) {
                all.push((moved, choices));
            }
        }
        all
    }

    /// Whether a call that is not expanded can be reached from here in one step.
    pub fn is_cut(&self, shared: u64, from: Local) -> bool {
        let Point::Inner(actions) = &self.points[from.point as usize] else { return false };
        let is_held = shared & LOCK != 0 && !self.holds(from);
        !is_held && actions.iter().any(|a| matches!(a.kind, Kind::Cut))
    }

    pub fn is_error(&self, local: Local) -> bool {
        matches!(self.points[local.point as usize], Point::Error)
    }
}

fn free(words: &mut Words, bits: &[u32], choices: &mut u32) {
    for &bit in bits {
        words.set(Place::Local(bit), *choices & 1 == 1);
        *choices >>= 1;
    }
}
