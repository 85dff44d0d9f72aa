//! Transition relations, and images under them.
//!
//! A relation is a conjunction of parts over current values, next values and choices.  Only what a
//! step changes has a next value.  Choices are quantified by joining the parts in which they occur;
//! parts are joined while they stay small; and an image quantifies each variable with the last part
//! in which it occurs (Burch, Clarke, Long, "Symbolic model checking with partitioned transition
//! relations", 1991; the order of parts is chosen greedily, as by Ranjan et al., "Efficient BDD
//! algorithms for FSM synthesis and verification", 1995).

use std::collections::BTreeSet;

use crate::engine::limits;
use hardbop_logic::bdd::{Bdd, Manager, Replacement, Stop};

/// A conjunct, and the variables on which it may depend.
#[derive(Clone)]
pub(super) struct Conjunct {
    pub function: Bdd,
    pub support: BTreeSet<u32>,
}

/// A transition relation.
pub(super) struct Relation {
    /// Variables that occur in no part: quantified before anything else.
    first: Bdd,
    /// The parts, each with the variables that are quantified with it.
    parts: Vec<(Bdd, Bdd)>,
    /// Turns next values into current ones.
    rename: Replacement,
    /// The facts known after the step, over current values.
    after: Option<Bdd>,
    /// Next values and choices, quantified by `before`.
    fresh: Bdd,
}

/// The ingredients of a relation.
pub(super) struct Shape {
    pub conjuncts: Vec<Conjunct>,
    pub choices: BTreeSet<u32>,
    /// Current values that are overwritten or dead afterwards.
    pub forget: BTreeSet<u32>,
    /// Next values, and the current values that they become.
    pub rename: Vec<(u32, u32)>,
    pub after: Option<Bdd>,
}

impl Relation {
    pub fn new(m: &mut Manager, shape: Shape, limits: &limits::Bdd) -> Result<Self, Stop> {
        let Shape { conjuncts, mut choices, forget, rename, after } = shape;
        let conjuncts = eliminate(m, conjuncts, &mut choices, limits)?;
        let conjuncts = join(m, conjuncts, limits)?;
        let mut fresh = choices.clone();
        fresh.extend(rename.iter().map(|r| r.0));
        let fresh = m.cube(fresh)?;
        let mut open: BTreeSet<u32> = forget.union(&choices).copied().collect();
        let (first, parts) = schedule(m, conjuncts, &mut open)?;
        let rename = m.replacement(rename.into_iter().map(|(old, new)| (old, m.variable(new))));
        Ok(Self { first, parts, rename, after, fresh })
    }

    /// The states after a step from `from`.
    pub fn image(&self, m: &mut Manager, from: &Bdd) -> Result<Bdd, Stop> {
        let mut image = m.exists(from, &self.first)?;
        for (part, quantified) in &self.parts {
            image = m.and_exists(&image, part, quantified)?;
            if image.is_false() {
                return Ok(image);
            }
        }
        let image = m.replace(&image, &self.rename)?;
        match &self.after {
            Some(known) => m.and(&image, known),
            None => Ok(image),
        }
    }

    /// The states from which a step leads to `target`, which is over next values of what the step
    /// changes, and over current values of everything else.
    pub fn before(&self, m: &mut Manager, target: &Bdd) -> Result<Bdd, Stop> {
        let mut before = target.clone();
        for (part, _) in &self.parts {
            before = m.and(&before, part)?;
        }
        m.exists(&before, &self.fresh)
    }
}

/// Quantifies choices as long as the parts stay small; removes them from `choices`.
pub(super) fn eliminate(
    m: &mut Manager,
    mut conjuncts: Vec<Conjunct>,
    choices: &mut BTreeSet<u32>,
    limits: &limits::Bdd,
) -> Result<Vec<Conjunct>, Stop> {
    let mut order: Vec<(usize, u32)> = choices
        .iter()
        .map(|&x| (conjuncts.iter().filter(|c| c.support.contains(&x)).count(), x))
        .collect();
    order.sort_unstable();
    for (_, x) in order {
        if !choices.contains(&x) {
            continue;
        }
        let (mut with, without): (Vec<Conjunct>, Vec<Conjunct>) =
            conjuncts.iter().cloned().partition(|c| c.support.contains(&x));
        // Choices that occur only in these conjuncts are quantified along with `x`.
        let here: BTreeSet<u32> = choices
            .iter()
            .copied()
            .filter(|y| !without.iter().any(|c| c.support.contains(y)))
            .collect();
        with.sort_by_key(|c| c.function.size());
        let total: usize = with.iter().map(|c| c.function.size()).sum();
        if with.len() > 1 && total > limits.elimination_nodes {
            continue;
        }
        let quantified = m.cube(here.iter().copied())?;
        let mut support = BTreeSet::new();
        let mut product = m.constant(true);
        let last = with.len().saturating_sub(1);
        for (i, c) in with.iter().enumerate() {
            product = if i == last {
                m.and_exists(&product, &c.function, &quantified)?
            } else {
                m.and(&product, &c.function)?
            };
            support.extend(c.support.iter().copied());
        }
        if with.len() > 1 && product.size() > limits.elimination_nodes {
            continue;
        }
        support.retain(|v| !here.contains(v));
        choices.retain(|y| !here.contains(y));
        conjuncts = without;
        if !product.is_true() {
            conjuncts.push(Conjunct { function: product, support });
        }
    }
    Ok(conjuncts)
}

/// Joins conjuncts that are neighbours in the variable order, as long as they stay small.
fn join(
    m: &mut Manager,
    mut conjuncts: Vec<Conjunct>,
    limits: &limits::Bdd,
) -> Result<Vec<Conjunct>, Stop> {
    conjuncts.sort_by_key(|c| c.support.first().copied());
    let mut out: Vec<Conjunct> = vec![];
    for c in conjuncts {
        if let Some(last) = out.last_mut()
            && last.function.size() + c.function.size() <= limits.part_nodes
        {
            let both = m.and(&last.function, &c.function)?;
            if both.size() <= limits.part_nodes {
                last.function = both;
                last.support.extend(c.support);
                continue;
            }
        }
        out.push(c);
    }
    Ok(out)
}

/// Orders the conjuncts, and assigns to each the variables that can be quantified with it: those of
/// `open` that occur in no later one.
fn schedule(
    m: &mut Manager,
    mut rest: Vec<Conjunct>,
    open: &mut BTreeSet<u32>,
) -> Result<(Bdd, Vec<(Bdd, Bdd)>), Stop> {
    let absent: Vec<u32> =
        open.iter().copied().filter(|v| !rest.iter().any(|c| c.support.contains(v))).collect();
    open.retain(|v| !absent.contains(v));
    let first = m.cube(absent)?;
    let mut parts = vec![];
    while !rest.is_empty() {
        // Counts variables of `open` that occur only here (twice), minus the other variables.
        let gain = |i: usize| {
            let c = &rest[i];
            let alone = c.support.iter().filter(|v| {
                open.contains(v)
                    && !rest.iter().enumerate().any(|(j, d)| j != i && d.support.contains(v))
            });
            let brought = c.support.iter().filter(|v| !open.contains(v));
            (2 * alone.count()).cast_signed() - brought.count().cast_signed()
        };
        let best = (0..rest.len()).max_by_key(|&i| (gain(i), std::cmp::Reverse(i))).unwrap_or(0);
        let c = rest.remove(best);
        let done: Vec<u32> = open
            .iter()
            .copied()
            .filter(|v| c.support.contains(v) && !rest.iter().any(|d| d.support.contains(v)))
            .collect();
        open.retain(|v| !done.contains(v));
        let quantified = m.cube(done)?;
        parts.push((c.function, quantified));
    }
    Ok((first, parts))
}
