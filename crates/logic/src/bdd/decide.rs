//! Satisfiability by diagrams: parities and pigeonholes, which take clauses exponentially long, have small ones in most orders.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Bdd, Manager, Size, Stop};
use crate::aig::{Aig, Input, Lit, Node};
use crate::shape;
use hardbop_base::budget::Budget;

/// Nodes up to which what short conjuncts say is taken into account while the diagrams of the long ones are made.
const CARE: usize = 1 << 12;
/// How many times shorter than all a short one is.
const SHORT: usize = 8;

/// Collections of garbage after which a table counts as too small.
const COLLECTIONS: u64 = 8;

/// A model of a conjunction, if there is one: a value for each input that it depends on.
///
/// Variables are ordered as a depth-first search from the conjuncts, one after the other, meets them.
///
/// # Errors
/// [`Stop::Full`] if a table of this size does not do.
pub fn model(
    aig: &Aig,
    conjuncts: &[Lit],
    size: Size,
    budget: &Budget,
) -> Result<Option<Vec<(Input, bool)>>, Stop> {
    let Some(parts) = shape::conjuncts(aig, conjuncts.iter().copied()) else { return Ok(None) };
    let inputs = depth_first(aig, conjuncts);
    let mut manager = Manager::new(inputs.len(), size, budget)?;
    let variables: FxHashMap<Input, u32> =
        (0_u32..).zip(&inputs).map(|(v, &input)| (input, v)).collect();
    let most = aig.cone(parts.iter().copied()).len() / SHORT;
    let (short, long): (Vec<Lit>, Vec<Lit>) =
        parts.into_iter().partition(|&part| aig.cone([part]).len() <= most);
    let mut all = manager.constant(true);
    for parts in [short, long] {
        let care = if all.size() <= CARE { all.clone() } else { manager.constant(true) };
        let mut functions =
            Diagrams { aig, variables: &variables, care, manager: &mut manager }.of(&parts)?;
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

/// Makes diagrams of literals of a graph.
struct Diagrams<'a> {
    aig: &'a Aig,
    variables: &'a FxHashMap<Input, u32>,
    /// Where values matter: elsewhere all functions are false.
    care: Bdd,
    manager: &'a mut Manager,
}

impl Diagrams<'_> {
    /// The functions of some literals.  Those of gates are kept until the last gate that needs them.
    fn of(mut self, roots: &[Lit]) -> Result<Vec<Bdd>, Stop> {
        let cone = self.aig.cone(roots.iter().copied());
        let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
        let children = |node: usize| match self.aig.node(node) {
            Node::And(a, b) => vec![a.node(), b.node()],
            _ => vec![],
        };
        let used = cone.iter().flat_map(|&node| children(node));
        used.chain(roots.iter().map(|l| l.node()))
            .for_each(|node| *uses.entry(node).or_default() += 1);
        let mut known: FxHashMap<usize, Bdd> = FxHashMap::default();
        known.insert(0, self.manager.constant(false));
        for &node in &cone {
            let function = match self.aig.node(node) {
                Node::False => continue,
                Node::Input(input) => {
                    let variable = self.manager.variable(self.variables[&input]);
                    self.manager.and(&variable, &self.care)?
                }
                Node::And(a, b) => {
                    let (a, b) = (self.literal(&known, a)?, self.literal(&known, b)?);
                    self.manager.and(&a, &b)?
                }
            };
            if self.manager.collections() > COLLECTIONS {
                return Err(Stop::Full);
            }
            known.insert(node, function);
            for child in children(node) {
                let left = uses.entry(child).or_default();
                *left -= 1;
                if *left == 0 {
                    known.remove(&child);
                }
            }
        }
        roots.iter().map(|&root| self.literal(&known, root)).collect()
    }

    fn literal(&mut self, known: &FxHashMap<usize, Bdd>, lit: Lit) -> Result<Bdd, Stop> {
        let function = &known[&lit.node()];
        if lit.is_negated() {
            self.manager.minus(&self.care, function)
        } else {
            Ok(function.clone())
        }
    }
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
}
