//! Exclusive or by elimination: functions of the graph as sums modulo 2.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::affine::merged;
use hardbop_logic::shape::as_iff;
use hardbop_logic::{Aig, Lit, Node};

/// A sum with more nodes than this counts as a node of its own.  Other values were not measured.
const LONGEST: usize = 1_000;

/// A function: the exclusive or of these nodes, in ascending order, and of a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Form {
    nodes: Vec<usize>,
    sum: bool,
}

impl Form {
    fn plus(&self, other: &Self) -> Self {
        Self { nodes: merged(&self.nodes, &other.nodes), sum: self.sum ^ other.sum }
    }
}

/// The forms of nodes: exclusive ors are taken apart, other gates count as unknowns.
#[derive(Default)]
pub struct Forms(FxHashMap<usize, Form>);

impl Forms {
    fn of(&mut self, aig: &Aig, lit: Lit) -> Form {
        let mut todo = vec![lit];
        while let Some(&next) = todo.last() {
            let node = next.node();
            if self.0.contains_key(&node) {
                todo.pop();
                continue;
            }
            let positive = next.xor_sign(next.is_negated());
            let form = match (aig.node(node), as_iff(aig, positive)) {
                (Node::False, _) => Form::default(),
                (Node::And(..), Some((a, b))) => {
                    match (self.0.get(&a.node()), self.0.get(&b.node())) {
                        (Some(x), Some(y)) => {
                            let mut form = x.plus(y);
                            form.sum ^= a.is_negated() ^ b.is_negated() ^ true;
                            form
                        }
                        _ => {
                            todo.extend([a, b]);
                            continue;
                        }
                    }
                }
                _ => Form { nodes: vec![node], sum: false },
            };
            let is_short = form.nodes.len() <= LONGEST;
            let form = if is_short { form } else { Form { nodes: vec![node], sum: false } };
            self.0.insert(node, form);
            todo.pop();
        }
        let mut form = self.0[&lit.node()].clone();
        form.sum ^= lit.is_negated();
        form
    }
}

/// Sums that are zero: each with its last node, which is the last one of no other.
pub struct Rows(FxHashMap<usize, Form>);

impl Rows {
    /// The equations that these literals imply; `None` if they contradict each other.
    pub fn new(aig: &Aig, given: &[Lit], forms: &mut Forms) -> Option<Self> {
        let mut rows = Self(FxHashMap::default());
        let mut seen = FxHashSet::default();
        let mut todo = given.to_vec();
        while let Some(lit) = todo.pop() {
            if !seen.insert(lit) {
                continue;
            }
            // An exclusive or is a conjunction, too.
            if let (Node::And(a, b), None, false) =
                (aig.node(lit.node()), as_iff(aig, lit), lit.is_negated())
            {
                todo.extend([a, b]);
                continue;
            }
            let form = rows.reduced(forms.of(aig, !lit));
            match form.nodes.last() {
                Some(&last) => {
                    rows.0.insert(last, form);
                }
                None if form.sum => return None,
                None => {}
            }
        }
        Some(rows)
    }

    /// Is the literal true wherever the rows hold?  May be false although it is.
    pub fn imply(&mut self, aig: &Aig, lit: Lit, forms: &mut Forms) -> bool {
        self.reduced(forms.of(aig, !lit)) == Form::default()
    }

    /// Values of these functions that span all that they have where the rows hold, 64 of each at a
    /// time; `None` unless they and the rows are sums of inputs.
    pub fn image(&self, aig: &Aig, lits: &[Lit], forms: &mut Forms) -> Option<Vec<Vec<u64>>> {
        let of: Vec<Form> = lits.iter().map(|&lit| forms.of(aig, lit)).collect();
        let mut nodes: BTreeSet<usize> = BTreeSet::new();
        self.0.values().chain(&of).for_each(|form| nodes.extend(&form.nodes));
        if nodes.iter().any(|&n| matches!(aig.node(n), Node::And(..))) {
            return None;
        }
        let free: Vec<usize> = nodes.iter().copied().filter(|n| !self.0.contains_key(n)).collect();
        // One solution, in which what is free is false; then for each that is free, one in which it
        // is true.
        let mut all = vec![];
        for batch in 0..=free.len() / 64 {
            let chosen = free.iter().enumerate().filter(|(i, _)| (i + 1) / 64 == batch);
            let mut words: FxHashMap<usize, u64> =
                chosen.map(|(i, &n)| (n, 1 << ((i + 1) % 64))).collect();
            let sum = |words: &FxHashMap<usize, u64>, form: &Form, but: usize| {
                let nodes = form.nodes.iter().filter(|&&n| n != but);
                let start = if form.sum { !0 } else { 0 };
                nodes.fold(start, |s, n| s ^ words.get(n).copied().unwrap_or(0))
            };
            // A row gives the value of its last node by those of earlier ones.
            for &node in &nodes {
                if let Some(row) = self.0.get(&node) {
                    let value = sum(&words, row, node);
                    words.insert(node, value);
                }
            }
            all.push(of.iter().map(|form| sum(&words, form, usize::MAX)).collect());
        }
        Some(all)
    }

    fn reduced(&self, mut form: Form) -> Form {
        // The last nodes first: a row has no later ones.
        while let Some(row) = form.nodes.iter().rev().find_map(|n| self.0.get(n)) {
            form = form.plus(row);
        }
        form
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_in_another_order() {
        let mut aig = Aig::new();
        let x: Vec<Lit> = (0..40).map(|_| aig.new_input_lit()).collect();
        let y: Vec<Lit> = (0..40).map(|_| aig.new_input_lit()).collect();
        let mut forms = Forms::default();
        let sum = |aig: &mut Aig, lits: &mut dyn Iterator<Item = &Lit>| {
            lits.fold(Lit::FALSE, |s, &l| aig.xor(s, l))
        };
        let (sx, sy) = (sum(&mut aig, &mut x.iter()), sum(&mut aig, &mut y.iter().rev()));
        let equal = aig.iff(sx, sy);
        let mixed = sum(&mut aig, &mut x.iter().zip(&y).flat_map(|(a, b)| [a, b]));
        let mut rows = Rows::new(&aig, &[equal], &mut forms).expect("consistent");
        assert!(rows.imply(&aig, !mixed, &mut forms));
        assert!(!rows.imply(&aig, mixed, &mut forms) && !rows.imply(&aig, sx, &mut forms));
        assert!(Rows::new(&aig, &[equal, mixed], &mut forms).is_none());
        // Other gates are unknowns.
        let and = aig.and(x[0], y[0]);
        let odd = aig.xor(and, x[1]);
        let mut rows = Rows::new(&aig, &[odd, x[1]], &mut forms).expect("consistent");
        assert!(rows.imply(&aig, !and, &mut forms) && !rows.imply(&aig, !x[0], &mut forms));
    }
}
