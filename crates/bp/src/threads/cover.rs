//! Any number of threads: backward coverability.
//!
//! A multiset of threads that is enough for an error is also enough with more threads beside it, so
//! the states from which an error can be reached are described by their minimal elements, and these
//! are computed backwards from the error (Abdulla, Cerans, Jonsson and Tsay, LICS 1996, Sect. 4;
//! with broadcasts: Esparza, Finkel and Mayr, LICS 1999).  Only elements whose threads occur in
//! [`Pairs`] are kept.
//!
//! An assignment to other threads that is impossible for the values of one of them is taken as if
//! that one were gone.  So SAFE stands, and an error is one only if it can be executed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::pairs::{Pairs, Transition, exclude};
use super::system::{LOCK, Local, System};
use super::way::{Execution, MOVES, results};
use hardbop_base::budget::{Budget, Exhausted};

/// What the search comes to.
#[derive(Debug)]
pub(super) enum Cover {
    /// No initial state is enough for an error.
    Safe(Minimal),
    /// One is, and the execution was found.
    Error(Execution),
    /// One is, but the steps cannot all be executed.
    Spurious,
    /// There are more elements than this.
    Full(usize),
}

/// The minimal elements: for values of the shared variables, multisets of threads in order.
pub(super) type Minimal = FxHashMap<u64, Vec<Vec<Local>>>;

/// An element, and how an error is reached from it.
#[derive(Debug)]
struct Node {
    shared: u64,
    threads: Vec<Local>,
    /// The element after one more step, and the step; none for errors.
    next: Option<(usize, usize)>,
}

/// Searches backwards from the errors of `pairs`.
pub(super) fn cover(
    system: &System<'_>,
    pairs: &Pairs,
    most: usize,
    budget: &Budget,
) -> Result<Cover, Exhausted> {
    let before = Before::new(pairs);
    let mut nodes: Vec<Node> = Vec::new();
    let mut minimal: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut waiting: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut add = |nodes: &mut Vec<Node>, waiting: &mut BinaryHeap<_>, node: Node| {
        let known = minimal.entry(node.shared).or_default();
        if known.iter().any(|&i| is_part(&nodes[i].threads, &node.threads)) {
            return;
        }
        known.retain(|&i| !is_part(&node.threads, &nodes[i].threads));
        known.push(nodes.len());
        waiting.push(Reverse((node.threads.len(), nodes.len())));
        nodes.push(node);
    };
    let mut errors = pairs.errors.clone();
    errors.sort_unstable();
    for (shared, local) in errors {
        add(&mut nodes, &mut waiting, Node { shared, threads: vec![local], next: None });
    }
    while let Some(Reverse((_, number))) = waiting.pop() {
        budget.check()?;
        let node = &nodes[number];
        if let [only] = node.threads[..]
            && pairs.initial.contains(&(node.shared, only))
        {
            return Ok(execute(system, pairs, &nodes, number));
        }
        if nodes.len() > most {
            return Ok(Cover::Full(nodes.len()));
        }
        let (shared, threads) = (node.shared, node.threads.clone());
        for &transition in before.to(shared) {
            let Some(all) = previous(system, pairs, transition, &threads) else {
                return Ok(Cover::Full(nodes.len()));
            };
            for (shared, threads) in all {
                budget.check()?;
                let next = Some((number, transition));
                add(&mut nodes, &mut waiting, Node { shared, threads, next });
            }
        }
    }
    let of = |numbers: Vec<usize>| numbers.into_iter().map(|i| nodes[i].threads.clone()).collect();
    Ok(Cover::Safe(minimal.into_iter().map(|(shared, all)| (shared, of(all))).collect()))
}

/// Steps by the values of the shared variables after them.
struct Before {
    to: FxHashMap<u64, Vec<usize>>,
}

impl Before {
    fn new(pairs: &Pairs) -> Self {
        let mut to: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (number, transition) in pairs.transitions.iter().enumerate() {
            to.entry(transition.step.shared).or_default().push(number);
        }
        Self { to }
    }

    fn to(&self, shared: u64) -> &[usize] {
        self.to.get(&shared).map_or(&[], Vec::as_slice)
    }
}

/// The minimal elements from which a step leads to at least these threads; `None` if they are too
/// many.
fn previous(
    system: &System<'_>,
    pairs: &Pairs,
    transition: usize,
    threads: &[Local],
) -> Option<Vec<(u64, Vec<Local>)>> {
    let Transition { shared, local, step } = pairs.transitions[transition];
    let mut rest = threads.to_vec();
    let mut is_of_use = step.shared != shared;
    for made in step.local.into_iter().chain(step.child) {
        // A step that leads to a thread that is wanted saves it.
        if let Ok(position) = rest.binary_search(&made) {
            rest.remove(position);
            is_of_use = true;
        }
    }
    let is_for_all = system.others(local, &step).is_some();
    if !is_of_use && !is_for_all {
        return Some(Vec::new());
    }
    let mut all = vec![vec![local]];
    for &other in &rest {
        let origins: Vec<Local> = if is_for_all {
            let there = pairs.locals.get(&shared).into_iter().flatten().copied();
            let same_point = there.filter(|o| o.point == other.point);
            let leads = |o: &Local| {
                system.moved(shared, local, &step, *o).iter().any(|&(moved, _)| moved == other)
            };
            same_point.filter(leads).collect()
        } else if pairs.contains(shared, other) {
            vec![other]
        } else {
            Vec::new()
        };
        if all.len() * origins.len() > MOVES {
            return None;
        }
        all = (all.iter())
            .flat_map(|threads| {
                origins.iter().map(|&origin| {
                    let mut threads = threads.clone();
                    threads.push(origin);
                    threads
                })
            })
            .collect();
    }
    all.retain_mut(|threads| {
        threads.sort_unstable();
        is_possible(system, shared, threads)
    });
    all.dedup();
    Some(all.into_iter().map(|threads| (shared, threads)).collect())
}

/// Whether threads can be there together, as far as that is seen at once.
fn is_possible(system: &System<'_>, shared: u64, threads: &[Local]) -> bool {
    let unlocked = shared & LOCK == 0;
    threads.iter().enumerate().all(|(i, &a)| {
        !(unlocked && system.holds(a)) && threads[..i].iter().all(|&b| !exclude(system, a, b))
    })
}

/// Whether one ordered multiset is contained in another one.
fn is_part(small: &[Local], large: &[Local]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|s| rest.any(|l| l == s))
}

/// Executes the steps from an initial state.
fn execute(system: &System<'_>, pairs: &Pairs, nodes: &[Node], mut number: usize) -> Cover {
    let first = &nodes[number];
    let mut execution = Execution::new(first.shared, first.threads[0]);
    while let Some((next, transition)) = nodes[number].next {
        let Transition { local, step, .. } = pairs.transitions[transition];
        let wanted = &nodes[next].threads;
        let at = execution.last.locals.iter().position(|&l| l == Some(local));
        let after = at.and_then(|thread| {
            let all = results(system, &execution.last, thread, local, &step);
            all.into_iter().flatten().find(|(c, _)| {
                let mut there: Vec<Local> = c.locals.iter().flatten().copied().collect();
                there.sort_unstable();
                is_part(wanted, &there)
            })
        });
        let Some((configuration, taken)) = after else { return Cover::Spurious };
        execution.take(configuration, taken);
        number = next;
    }
    Cover::Error(execution)
}

/// Whether all errors are in what the minimal elements describe, no state outside leads into it in
/// one step, and no initial state is in it: the proof that the program is safe.
pub(super) fn is_proof(
    system: &System<'_>,
    pairs: &Pairs,
    minimal: &Minimal,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let covers = |shared: u64, threads: &[Local]| {
        minimal.get(&shared).is_some_and(|all| all.iter().any(|m| is_part(m, threads)))
    };
    let has_errors = pairs.errors.iter().all(|&(shared, local)| covers(shared, &[local]));
    let mut initial = pairs.initial.iter();
    if !has_errors || initial.any(|&(shared, local)| covers(shared, &[local])) {
        return Ok(false);
    }
    let before = Before::new(pairs);
    for (&shared, all) in minimal {
        for threads in all {
            for &transition in before.to(shared) {
                budget.check()?;
                let all = previous(system, pairs, transition, threads);
                let is_within = |all: Vec<(u64, Vec<Local>)>| {
                    all.iter().all(|(shared, threads)| covers(*shared, threads))
                };
                if !all.is_some_and(is_within) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
