//! Satisfiability by diagrams: parities and pigeonholes, which take clauses exponentially long, have small ones in most orders.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Manager, Size, Stop, functions};
use crate::aig::{Aig, Input, Lit, Node};
use crate::shape;
use hardbop_base::budget::Budget;

/// Nodes up to which what short conjuncts say is taken into account while the diagrams of the long ones are made.
const CARE: usize = 1 << 12;
/// How many times shorter than all a short one is.
const SHORT: usize = 8;
/// Collections of garbage after which a table counts as too small.
const COLLECTIONS: u64 = 40;
/// Inputs of which diagrams are made.  Operations go through that many levels, and recurse: parities of 256 inputs take 0.3 s in
/// their worst order, of 512 already 2.5.
const INPUTS: usize = 256;

/// A model of a conjunction, if there is one: a value for each input that it depends on.
///
/// Variables are ordered as a depth-first search from the conjuncts, one after the other, meets them.
///
/// # Errors
/// [`Stop::Full`] if a table of this size does not do, or there are more than 256 inputs.
pub fn model(
    aig: &Aig,
    conjuncts: &[Lit],
    size: Size,
    budget: &Budget,
) -> Result<Option<Vec<(Input, bool)>>, Stop> {
    let Some(parts) = shape::conjuncts(aig, conjuncts.iter().copied()) else { return Ok(None) };
    let inputs = depth_first(aig, conjuncts);
    if inputs.len() > INPUTS {
        return Err(Stop::Full);
    }
    let size = Size { collections: COLLECTIONS, ..size };
    let mut manager = Manager::new(inputs.len(), size, budget)?;
    let variables: FxHashMap<Input, u32> =
        (0_u32..).zip(&inputs).map(|(v, &input)| (input, v)).collect();
    let most = aig.cone(parts.iter().copied()).len() / SHORT;
    let (short, long): (Vec<Lit>, Vec<Lit>) =
        parts.into_iter().partition(|&part| aig.cone([part]).len() <= most);
    let mut all = manager.constant(true);
    for parts in [short, long] {
        let care = if all.size() <= CARE { all.clone() } else { manager.constant(true) };
        let variable = |m: &mut Manager, input: Input| Ok(m.variable(variables[&input]));
        let mut functions = functions(&mut manager, aig, &parts, &care, variable)?;
        // From the bottom up: what is added then has its effect above what is there.
        functions.sort_by_key(|function| Reverse(function.branch().map(|(variable, ..)| variable)));
        for function in functions {
            all = manager.and(&function, &all)?;
        }
    }
    Ok(all.pick().map(|values| inputs.into_iter().zip(values).collect()))
}

/// The inputs on which some literals depend, as a depth-first search meets them.
fn depth_first(aig: &Aig, roots: &[Lit]) -> Vec<Input> {
    let mut inputs = vec![];
    let mut seen = FxHashSet::default();
    let mut stack: Vec<usize> = roots.iter().rev().map(|l| l.node()).collect();
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        match aig.node(node) {
            Node::False => {}
            Node::Input(input) => inputs.push(input),
            Node::And(a, b) => stack.extend([b.node(), a.node()]),
        }
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_base::random::Random;

    #[test]
    fn random_formulas_have_the_models_that_they_have() {
        let mut random = Random::new(53);
        let mut count = [0, 0];
        for _ in 0..400 {
            let mut aig = Aig::new();
            let mut lits: Vec<Lit> = (0..8).map(|_| aig.new_input_lit()).collect();
            let mut any = |lits: &[Lit]| {
                let bits = random.bits();
                lits[(bits >> 1) as usize % lits.len()].xor_sign(bits & 1 == 1)
            };
            for _ in 0..60 {
                let (a, b) = (any(&lits), any(&lits));
                lits.push(aig.and(a, b));
            }
            // Short conjuncts and long ones.
            let mut roots: Vec<Lit> = lits.iter().rev().take(5).map(|&l| !l).collect();
            roots.extend((0..2).map(|_| any(&lits[..12])));
            let words = 0..4_u64;
            let every = |word: u64| {
                aig.simulate(&roots, |i| match crate::circuit::MASKS.get(i.0 as usize) {
                    Some(&mask) => mask,
                    None => (word >> (i.0 - 6) & 1).wrapping_neg(),
                })
            };
            let expected = words.map(every).any(|w| w.into_iter().fold(!0, |all, w| all & w) != 0);
            let found = model(&aig, &roots, Size::MEDIUM, &Budget::unlimited()).expect("room");
            assert_eq!(found.is_some(), expected);
            if let Some(model) = found {
                let value = |i: Input| model.iter().any(|&(j, v)| i == j && v);
                assert!(aig.evaluate(&roots, value).into_iter().all(|v| v));
            }
            count[usize::from(expected)] += 1;
        }
        assert!(count.iter().all(|&n| n > 40), "{count:?}");
    }

    #[test]
    fn a_small_table_may_be_too_small() {
        let mut aig = Aig::new();
        let [x, y] = [(); 2].map(|()| (0..20).map(|_| aig.new_input_lit()).collect::<Vec<_>>());
        let same: Vec<Lit> = x.iter().zip(&y).map(|(&a, &b)| aig.iff(a, b)).collect();
        // A depth-first search meets all of one before all of the other: 2^20 nodes.
        let [one, all] = [&x, &same].map(|lits| aig.and_all(lits.iter().copied()));
        let either = aig.or(one, all);
        let result = model(&aig, &[either], Size::SKETCH, &Budget::unlimited());
        assert!(matches!(result, Err(Stop::Full)), "{:?}", result.is_ok());
    }

    #[test]
    fn many_inputs_are_too_many() {
        for count in [INPUTS, INPUTS + 1, 100_000] {
            let mut aig = Aig::new();
            let inputs: Vec<Lit> = (0..count).map(|_| aig.new_input_lit()).collect();
            // In one of two orders operations go down to the last variable.
            let odd = inputs.iter().fold(Lit::FALSE, |sum, &x| aig.xor(sum, x));
            let same = inputs.iter().rev().fold(Lit::FALSE, |sum, &x| aig.xor(sum, x));
            match model(&aig, &[odd, same], Size::MEDIUM, &Budget::unlimited()) {
                Ok(found) => {
                    let model = found.expect("there are odd ones");
                    assert!(count == INPUTS && model.iter().filter(|m| m.1).count() % 2 == 1);
                }
                Err(stop) => assert!(count > INPUTS && stop == Stop::Full, "{stop:?}"),
            }
        }
    }
}
