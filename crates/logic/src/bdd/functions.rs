//! The functions of a graph as diagrams.

use rustc_hash::FxHashMap;

use super::{Bdd, Manager, Stop};
use crate::aig::{Aig, Input, Lit, Node};

/// The functions of some literals where `care` holds; elsewhere they are false.
///
/// `input` gives the function of an input.  Functions of gates are kept until the last gate that needs them.
///
/// # Errors
/// [`Stop`].
pub fn functions(
    manager: &mut Manager,
    aig: &Aig,
    roots: &[Lit],
    care: &Bdd,
    mut input: impl FnMut(&mut Manager, Input) -> Result<Bdd, Stop>,
) -> Result<Vec<Bdd>, Stop> {
    let cone = aig.cone(roots.iter().copied());
    let children = |node: usize| match aig.node(node) {
        Node::And(a, b) => [a, b].map(Some),
        _ => [None; 2],
    };
    let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
    let used = cone.iter().flat_map(|&node| children(node)).flatten();
    used.chain(roots.iter().copied()).for_each(|l| *uses.entry(l.node()).or_default() += 1);
    let mut known: FxHashMap<usize, Bdd> = FxHashMap::default();
    known.insert(0, manager.constant(false));
    let literal = |manager: &mut Manager, known: &FxHashMap<usize, Bdd>, lit: Lit| {
        let function = &known[&lit.node()];
        match lit.is_negated() {
            true if care.is_true() => manager.not(function),
            true => manager.minus(care, function),
            false => Ok(function.clone()),
        }
    };
    for node in cone {
        let function = match aig.node(node) {
            Node::False => continue,
            Node::Input(i) => {
                let function = input(manager, i)?;
                if care.is_true() { function } else { manager.and(&function, care)? }
            }
            Node::And(a, b) => {
                let (a, b) = (literal(manager, &known, a)?, literal(manager, &known, b)?);
                manager.and(&a, &b)?
            }
        };
        known.insert(node, function);
        for child in children(node).into_iter().flatten().map(Lit::node) {
            let left = uses.entry(child).or_default();
            *left -= 1;
            if *left == 0 {
                known.remove(&child);
            }
        }
    }
    roots.iter().map(|&root| literal(manager, &known, root)).collect()
}
