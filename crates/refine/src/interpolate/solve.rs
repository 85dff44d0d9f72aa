//! Elimination of leaves that equations define.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::path::conjuncts;
use hardbop_smt::term::{BitOp, Memo, Node, Term, Terms, UnaryOp};

/// The conjunction of the formulas, with all leaves that are not kept quantified existentially and
/// eliminated where equations define them.  The result is equivalent to that quantification; leaves
/// that no equation defines remain.
pub(super) fn eliminate(
    terms: &mut Terms,
    formulas: &[Term],
    keep: &impl Fn(Term) -> bool,
) -> Vec<Term> {
    let mut all = conjuncts(terms, formulas);
    loop {
        let mut definitions: IndexMap<Term, Term> = IndexMap::new();
        let mut rest = Vec::new();
        for &t in &all {
            match definition(terms, t, keep, &definitions) {
                Some((x, e)) => {
                    definitions.insert(x, e);
                }
                None => rest.push(t),
            }
        }
        if definitions.is_empty() {
            return all;
        }
        let closed = close(terms, &definitions);
        let mut memo = Memo::default();
        let new: Vec<Term> = rest
            .iter()
            .map(|&t| terms.replace(t, &mut memo, |_, leaf| closed.get(&leaf).copied()))
            .collect();
        all = conjuncts(terms, &new);
    }
}

/// The leaf that a conjunct defines, with its definition; it must not be defined already, nor in
/// terms of itself.
fn definition(
    terms: &mut Terms,
    t: Term,
    keep: &impl Fn(Term) -> bool,
    known: &IndexMap<Term, Term>,
) -> Option<(Term, Term)> {
    let free =
        |terms: &Terms, x: Term| terms.node(x).is_leaf() && !keep(x) && !known.contains_key(&x);
    match *terms.node(t) {
        Node::Variable(_) | Node::Instance(..) if free(terms, t) => Some((t, terms.bool(true))),
        Node::Not(x) if free(terms, x) => Some((x, terms.bool(false))),
        Node::Equal(a, b) => {
            for (x, e) in [(a, b), (b, a)] {
                let (mut x, mut e) = (x, e);
                // Solves x + k = e, k - x = e and the like for x.
                loop {
                    if free(terms, x) {
                        if !reaches(terms, e, x, known) {
                            return Some((x, e));
                        }
                        break;
                    }
                    (x, e) = match *terms.node(x) {
                        Node::Not(y) => (y, terms.not(e)),
                        Node::Unary(UnaryOp::Negate, y) => (y, terms.unary(UnaryOp::Negate, e)),
                        Node::Unary(UnaryOp::Not, y) => (y, terms.unary(UnaryOp::Not, e)),
                        Node::Binary(BitOp::Add, y, z) if free(terms, z) && !free(terms, y) => {
                            (z, terms.binary(BitOp::Sub, e, y))
                        }
                        Node::Binary(BitOp::Add, y, z) => (y, terms.binary(BitOp::Sub, e, z)),
                        Node::Binary(BitOp::Xor, y, z) => (y, terms.binary(BitOp::Xor, e, z)),
                        Node::Binary(BitOp::Sub, y, z) if free(terms, z) && !free(terms, y) => {
                            (z, terms.binary(BitOp::Sub, y, e))
                        }
                        Node::Binary(BitOp::Sub, y, z) => (y, terms.binary(BitOp::Add, e, z)),
                        _ => break,
                    };
                }
            }
            None
        }
        _ => None,
    }
}

/// Does `e` depend on `x` through definitions?
fn reaches(terms: &Terms, e: Term, x: Term, known: &IndexMap<Term, Term>) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![e];
    while let Some(t) = stack.pop() {
        for leaf in terms.support(t) {
            if leaf == x {
                return true;
            }
            if seen.insert(leaf)
                && let Some(&next) = known.get(&leaf)
            {
                stack.push(next);
            }
        }
    }
    false
}

/// The definitions after substitution into each other; they have no cycle.
fn close(terms: &mut Terms, definitions: &IndexMap<Term, Term>) -> FxHashMap<Term, Term> {
    let mut closed: FxHashMap<Term, Term> = FxHashMap::default();
    let mut memo = Memo::default();
    for &root in definitions.keys() {
        let mut stack = vec![(root, false)];
        while let Some((x, ready)) = stack.pop() {
            if closed.contains_key(&x) {
                continue;
            }
            let e = definitions[&x];
            if ready {
                let full = terms.replace(e, &mut memo, |_, leaf| closed.get(&leaf).copied());
                closed.insert(x, full);
            } else {
                stack.push((x, true));
                let needed = terms.support(e);
                stack.extend(
                    needed.into_iter().filter(|l| definitions.contains_key(l)).map(|l| (l, false)),
                );
            }
        }
    }
    closed
}
