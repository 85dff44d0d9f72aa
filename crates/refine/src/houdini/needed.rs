//! What a proof needs of an invariant: the part of it that excludes the goals, and all that this
//! part needs in turn.

use std::collections::{BTreeMap, BTreeSet};

use super::strongest::{Claims, Search};
use crate::predicate::effort::AbstractionError;
use crate::proof::invariant::at;
use hardbop_cfa::Location;
use hardbop_smt::{SmtAnswer, Term, Terms};

/// The claims without those that no proof of another one, or of the absence of goals, used.
///
/// # Errors
/// If the budget runs out or a solver fails.
pub fn needed(terms: &mut Terms, search: &mut Search<'_>) -> Result<Claims, AbstractionError> {
    let mut needed: BTreeMap<Location, BTreeSet<Term>> =
        search.claims.keys().map(|&l| (l, BTreeSet::new())).collect();
    let mut incoming: BTreeMap<Location, Vec<usize>> = BTreeMap::new();
    for (b, block) in search.problem.summary.blocks.iter().enumerate() {
        incoming.entry(block.target).or_default().push(b);
    }
    // All blocks that nothing passes, then those that lead to what is needed.
    let mut open: BTreeSet<usize> = (0..search.problem.summary.blocks.len()).collect();
    while let Some(block) = open.pop_first() {
        let (source, target) = {
            let b = &search.problem.summary.blocks[block];
            (b.source, b.target)
        };
        let Some(claims) = search.claims.get(&source).cloned() else { continue };
        let after: Vec<Term> = match needed.get(&target) {
            Some(after) if after.is_empty() => continue,
            Some(after) => after.iter().copied().collect(),
            None => vec![],
        };
        let used: BTreeSet<Term> = match search.leads_on(terms, block, &after)? {
            SmtAnswer::Unsat => search.core(block)?.into_iter().collect(),
            // It was proved before, at greater cost than is allowed now: all of it stays.
            _ => claims.iter().map(|&c| at(terms, c, &[])).collect(),
        };
        let own = needed.entry(source).or_default();
        let known = own.len();
        for claim in claims {
            if used.contains(&at(terms, claim, &[])) {
                own.insert(claim);
            }
        }
        if own.len() > known {
            open.extend(incoming.get(&source).into_iter().flatten());
        }
    }
    Ok(needed.into_iter().map(|(l, claims)| (l, claims.into_iter().collect())).collect())
}
