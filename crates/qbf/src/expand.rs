//! Elimination of existentials whose two cofactors stay small: ∃y. φ = φ[y:=0] ∨ φ[y:=1].
//!
//! Only the conjuncts that contain y change, and conjuncts common to both cofactors stay conjuncts.  Selectors of
//! merged cases mostly disappear in this way, and the quantifier with them.  Growth is bounded, for each step and in
//! total.

use super::problem::{Falsified, Problem};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Input, Lit, Substitution, shape};

/// How much an elimination may add.
#[derive(Debug, Clone, Copy)]
pub(super) struct Growth {
    /// Nodes that one step may add, in addition to a fifth of those that it replaces.
    pub step: usize,
    /// Nodes that all steps together may add, in addition to the size at the start.
    pub total: usize,
    /// Nodes that all steps together may visit.
    pub work: usize,
}

/// Eliminates existentials where the bounds allow; has anything changed?  There must be no equalities left.
pub(super) fn expand(
    problem: &mut Problem,
    growth: Growth,
    budget: &Budget,
) -> Result<Result<bool, Falsified>, Exhausted> {
    let size = |p: &Problem| p.aig.cone(p.conclusion.iter().copied()).len();
    let ceiling = 2 * size(problem) + growth.total;
    let mut parts: Vec<(Lit, Vec<Input>)> =
        problem.conclusion.iter().map(|&l| (l, problem.existential_support([l]))).collect();
    // Smallest first; a variable is tried again after a change.
    let mut order: Vec<(usize, Input)> = problem
        .existential_support(problem.conclusion.iter().copied())
        .into_iter()
        .map(|y| {
            let bucket = parts.iter().filter(|(_, s)| s.contains(&y)).map(|&(l, _)| l);
            (problem.aig.cone(bucket).len(), y)
        })
        .collect();
    order.sort_unstable();
    let mut any = false;
    let mut work = 0;
    for (_, y) in order {
        budget.check()?;
        let (bucket, rest): (Vec<_>, Vec<_>) =
            parts.iter().cloned().partition(|(_, support)| support.contains(&y));
        let bucket: Vec<Lit> = bucket.into_iter().map(|(l, _)| l).collect();
        if bucket.is_empty() {
            continue;
        }
        let before = problem.aig.cone(bucket.iter().copied()).len();
        work += before;
        if work > growth.work {
            break;
        }
        let Some(eliminated) = eliminate(problem, y, &bucket) else {
            return Ok(Err(Falsified::Conclusion));
        };
        let after = problem.aig.cone(eliminated.iter().copied()).len();
        if after > before + before / 5 + growth.step {
            continue;
        }
        let all = rest.iter().map(|&(l, _)| l).chain(eliminated.iter().copied());
        if after > before && problem.aig.cone(all).len() > ceiling {
            continue;
        }
        parts = rest;
        for l in eliminated {
            let support = problem.existential_support([l]);
            parts.push((l, support));
        }
        any = true;
    }
    problem.conclusion = parts.into_iter().map(|(l, _)| l).collect();
    Ok(problem.flatten().map(|()| any))
}

/// The conjuncts of ∃y. ⋀ bucket; `None` if they are plainly false.
fn eliminate(problem: &mut Problem, y: Input, bucket: &[Lit]) -> Option<Vec<Lit>> {
    let aig = &mut problem.aig;
    let mut cofactor = |value: bool| {
        let mut map = Substitution::new();
        map.replace(aig, y, value.into());
        let parts = aig.substitute(bucket, &mut map);
        shape::conjuncts(aig, parts)
    };
    let (zero, one) = match (cofactor(false), cofactor(true)) {
        (None, None) => return None,
        (None, Some(only)) | (Some(only), None) => return Some(only),
        (Some(zero), Some(one)) => (zero, one),
    };
    // Both are sorted: (S ∧ A) ∨ (S ∧ B) = S ∧ (A ∨ B).
    let shared = |l: &Lit, other: &[Lit]| other.binary_search(l).is_ok();
    let mut out: Vec<Lit> = zero.iter().copied().filter(|l| shared(l, &one)).collect();
    let a = aig.and_all(zero.iter().copied().filter(|l| !shared(l, &one)));
    let b = aig.and_all(one.iter().copied().filter(|l| !shared(l, &zero)));
    out.push(aig.or(a, b));
    shape::conjuncts(aig, out)
}
