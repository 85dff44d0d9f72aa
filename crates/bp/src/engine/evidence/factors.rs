//! A diagram as a conjunction of small formulas.
//!
//! If all paths from the top of a diagram to `true` pass through one node, it is the conjunction of
//! the parts above and below that node.  Most relations split into what happens to each variable.

#![expect(
    clippy::mutable_key_type,
    reason = "a diagram's identity, which is its key, does not change"
)]

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::proof::formula::{FALSE, Literal, TRUE};
use crate::proof::invariant::{Atom, CircuitBuilder};
use hardbop_logic::bdd::Bdd;

/// A diagram as a formula; `order` says what its variables stand for.
pub fn formula(circuit: &mut CircuitBuilder, order: &[Atom], bdd: &Bdd) -> Literal {
    let (mut all, mut top) = (TRUE, bdd.clone());
    loop {
        let below = waist(&top);
        let factor = multiplexers(circuit, order, &top, below.as_ref());
        all = circuit.and(all, factor);
        match below {
            Some(below) => top = below,
            None => return all,
        }
    }
}

/// The first node below the top through which all paths to `true` pass.
fn waist(top: &Bdd) -> Option<Bdd> {
    // By variable: nodes seen but not visited.  Variables are visited in their order.
    let mut met: BTreeMap<u32, FxHashSet<Bdd>> = BTreeMap::new();
    let mut next = top.clone();
    loop {
        let (_, high, low) = next.branch()?;
        for child in [high, low] {
            match child.branch() {
                Some((variable, ..)) => _ = met.entry(variable).or_default().insert(child),
                None if child.is_true() => return None,
                None => {}
            }
        }
        let mut first = met.first_entry()?;
        next = first.get().iter().next().cloned()?;
        first.get_mut().remove(&next);
        if first.get().is_empty() {
            first.remove();
            if met.is_empty() {
                return Some(next);
            }
        }
    }
}

/// The part of a diagram above a node, as multiplexers; the node counts as `true`.
fn multiplexers(
    circuit: &mut CircuitBuilder,
    order: &[Atom],
    top: &Bdd,
    below: Option<&Bdd>,
) -> Literal {
    let mut known: FxHashMap<Bdd, Literal> = FxHashMap::default();
    known.extend(below.map(|b| (b.clone(), TRUE)));
    // A diagram may be as deep as it has variables, hence the explicit stack.
    let mut stack = vec![top.clone()];
    while let Some(node) = stack.last().cloned() {
        let done = match node.branch() {
            _ if known.contains_key(&node) => known.get(&node).copied(),
            None => Some(if node.is_true() { TRUE } else { FALSE }),
            Some((variable, high, low)) => match (known.get(&high), known.get(&low)) {
                (Some(&high), Some(&low)) => {
                    let input = circuit.atom(order[variable as usize]);
                    Some(circuit.ite(input, high, low))
                }
                _ => {
                    stack.extend([high, low].into_iter().filter(|b| !known.contains_key(b)));
                    None
                }
            },
        };
        if let Some(formula) = done {
            known.insert(node, formula);
            stack.pop();
        }
    }
    known[top]
}
