//! A path reduced to the conjuncts that make it infeasible.

use rustc_hash::FxHashMap;

use super::refute::refutes;
use hardbop_base::budget::Budget;
use hardbop_smt::solver::{SmtAnswer, SmtError, SmtSolver};
use hardbop_smt::term::{Node, Term, Terms};

/// Blocks that contradict each other; each has some of the conjuncts of one block of the whole
/// path.
#[derive(Debug, Clone)]
pub struct InfeasiblePath {
    /// The conjuncts that are needed; every block has some.
    pub blocks: Vec<Vec<Term>>,
    /// The sorted leaves that both sides of each cut point share; there is one cut point fewer than
    /// there are blocks.
    pub shared: Vec<Vec<Term>>,
    /// The number of each block in the whole path.
    places: Vec<usize>,
    /// The number of blocks of the whole path.
    whole: usize,
}

/// The conjuncts of formulas, each once, in order.
pub(super) fn conjuncts(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut all = indexmap::IndexSet::new();
    let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
    while let Some(t) = stack.pop() {
        match terms.node(t) {
            Node::And(inner) => stack.extend(inner.iter().rev()),
            Node::Bool(true) => {}
            _ => {
                all.insert(t);
            }
        }
    }
    all.into_iter().collect()
}

impl InfeasiblePath {
    /// The part of the path that is unsatisfiable by itself, or else the solver's answer.  Computes
    /// a core at least once and at most `rounds` times.
    pub(super) fn slice(
        solver: &mut dyn SmtSolver,
        terms: &Terms,
        blocks: &[Term],
        rounds: usize,
        budget: &Budget,
    ) -> Result<Result<Self, SmtAnswer>, SmtError> {
        let split: Vec<Vec<Term>> = blocks.iter().map(|&b| conjuncts(terms, &[b])).collect();
        let mut core: Vec<Term> = split.iter().flatten().copied().collect();
        core.sort_unstable();
        core.dedup();
        for round in 0..rounds {
            let (answer, smaller) = refutes(solver, terms, &[], &core, budget)?;
            match answer {
                SmtAnswer::Unsat if smaller.len() < core.len() => core = smaller,
                SmtAnswer::Unsat => break,
                // The first round has already shown that the path is infeasible.
                _ if round > 0 => break,
                answer => return Ok(Err(answer)),
            }
        }
        let needed = |t: &Term| core.binary_search(t).is_ok();
        Ok(Ok(Self::new(terms, split, needed)))
    }

    /// The path with all its conjuncts.
    pub(super) fn whole(terms: &Terms, blocks: &[Term]) -> Self {
        let split = blocks.iter().map(|&b| conjuncts(terms, &[b])).collect();
        Self::new(terms, split, |_| true)
    }

    fn new(terms: &Terms, split: Vec<Vec<Term>>, needed: impl Fn(&Term) -> bool) -> Self {
        let whole = split.len();
        let mut places = Vec::new();
        let mut blocks = Vec::new();
        for (place, mut all) in split.into_iter().enumerate() {
            all.retain(&needed);
            if !all.is_empty() {
                places.push(place);
                blocks.push(all);
            }
        }
        let shared = shared(terms, &blocks);
        Self { blocks, shared, places, whole }
    }

    /// The number of cut points.
    pub fn cuts(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }

    /// Interpolants of the whole path from those of the part.
    pub(super) fn expand(&self, terms: &Terms, interpolants: &[Term]) -> Vec<Term> {
        // The cut after `cut` blocks of the whole path follows as many needed blocks as have a
        // place below `cut`.
        (1..self.whole)
            .map(|cut| match self.places.iter().filter(|&&p| p < cut).count() {
                0 => terms.bool(true),
                before => interpolants.get(before - 1).copied().unwrap_or(terms.bool(false)),
            })
            .collect()
    }
}

/// The leaves that occur on both sides of each cut, sorted.
pub(super) fn shared(terms: &Terms, blocks: &[Vec<Term>]) -> Vec<Vec<Term>> {
    let supports: Vec<Vec<Term>> = blocks.iter().map(|b| terms.support_of(b)).collect();
    let mut last: FxHashMap<Term, usize> = FxHashMap::default();
    for (i, support) in supports.iter().enumerate() {
        for &t in support {
            last.insert(t, i);
        }
    }
    let mut live: Vec<Term> = Vec::new();
    let mut all = Vec::new();
    for (i, support) in supports.iter().enumerate().take(blocks.len().saturating_sub(1)) {
        live.extend(support);
        live.sort_unstable();
        live.dedup();
        live.retain(|t| last[t] > i);
        all.push(live.clone());
    }
    all
}
