//! Recovers structure from the graph: if-then-else, equivalence, conjuncts.
//!
//! The graph has only ands and inverters; these functions recognise what they were built from.  All are sound for any
//! graph: a shape that is not recognised is simply not reported.

use rustc_hash::FxHashSet;

use super::aig::{Aig, Lit, Node};

/// If the node of `lit` is an if-then-else: `(c, t, e)` with `lit = c ? t : e`.
pub fn as_ite(aig: &Aig, lit: Lit) -> Option<(Lit, Lit, Lit)> {
    let Node::And(a, b) = aig.node(lit.node()) else { return None };
    if !a.is_negated() || !b.is_negated() {
        return None;
    }
    let (Node::And(p, q), Node::And(r, s)) = (aig.node(a.node()), aig.node(b.node())) else {
        return None;
    };
    // node = !(c & t) & !(!c & e) = c ? !t : !e
    let (c, t, e) = if p == !r {
        (p, q, s)
    } else if p == !s {
        (p, q, r)
    } else if q == !r {
        (q, p, s)
    } else if q == !s {
        (q, p, r)
    } else {
        return None;
    };
    let flip = !lit.is_negated();
    Some((c, t.xor_sign(flip), e.xor_sign(flip)))
}

/// If `lit` is an equivalence (or exclusive or): `(a, b)` with `lit = (a <=> b)`.
pub fn as_iff(aig: &Aig, lit: Lit) -> Option<(Lit, Lit)> {
    let (c, t, e) = as_ite(aig, lit)?;
    (t == !e).then_some((c, t))
}

/// The conjuncts of a conjunction of literals; trees of ands are split.  Sorted, without duplicates and without `TRUE`;
/// `None` if the conjunction is plainly false.
pub fn conjuncts(aig: &Aig, lits: impl IntoIterator<Item = Lit>) -> Option<Vec<Lit>> {
    let mut stack: Vec<Lit> = lits.into_iter().collect();
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    while let Some(l) = stack.pop() {
        if l == Lit::FALSE {
            return None;
        }
        if l == Lit::TRUE || !seen.insert(l) {
            continue;
        }
        match aig.node(l.node()) {
            Node::And(a, b) if !l.is_negated() => stack.extend([a, b]),
            _ => out.push(l),
        }
    }
    out.sort_unstable();
    if out.windows(2).any(|w| w[0] == !w[1]) {
        return None;
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(aig: &Aig, a: Lit, b: Lit) -> bool {
        let tables = [0xAA, 0xCC, 0xF0];
        let values = aig.simulate(&[a, b], |i| tables[i.0 as usize]);
        (values[0] ^ values[1]) & 0xFF == 0
    }

    #[test]
    fn if_then_else_is_recognised_under_both_signs() {
        let mut aig = Aig::new();
        let [c, t, e] = [(); 3].map(|()| aig.new_input_lit());
        let ite = aig.ite(c, t, e);
        for lit in [ite, !ite] {
            let (p, q, r) = as_ite(&aig, lit).expect("built as an if-then-else");
            let again = aig.ite(p, q, r);
            assert!(same(&aig, again, lit));
        }
        let iff = aig.iff(c, t);
        for lit in [iff, !iff] {
            let (a, b) = as_iff(&aig, lit).expect("built as an equivalence");
            let again = aig.iff(a, b);
            assert!(same(&aig, again, lit));
        }
        let and = aig.and(c, t);
        assert_eq!(as_ite(&aig, and), None);
    }

    #[test]
    fn conjuncts_of_contradictions_are_none() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.new_input_lit());
        let ab = aig.and(a, b);
        let abc = aig.and(ab, !c);
        assert_eq!(conjuncts(&aig, [abc, Lit::TRUE, a]), Some(vec![a, b, !c]));
        assert_eq!(conjuncts(&aig, [abc, !a]), None);
        assert_eq!(conjuncts(&aig, []), Some(vec![]));
    }
}
