//! Generalises an answer to functions: finds existentials that merely copy a side of an equality.
//!
//! A constant answer y* to a proposal x* works for few other proposals: an equality t(x) = p(x, y*) fixes the value of
//! t.  But if flipping y*_j alone makes only this conjunct false, then p is y*_j or its negation there, so y_j := t(x),
//! up to the sign, satisfies the equality for every value of t.  Such a function is an answer like any other (the
//! refinement substitutes it into the conclusion), it agrees with y* at x*, and it excludes far more proposals.

use hardbop_logic::{Aig, Input, Lit, Node, shape};

use super::problem::Problem;

/// The conjuncts of a group, prepared for evaluation.
pub(super) struct Sensitivity {
    /// The nodes of the conjuncts, children first.
    cone: Vec<usize>,
    conclusion: Vec<Lit>,
    /// For each conjunct that equates a side without existentials with another one, that side.
    target: Vec<Option<Lit>>,
    /// Values by node, 64 at once; kept to avoid allocation.
    value: Vec<u64>,
}

impl Sensitivity {
    pub fn new(problem: &Problem, conclusion: &[Lit]) -> Self {
        let dependent = problem.dependent_nodes();
        let target = conclusion
            .iter()
            .map(|&c| {
                let (a, b) = shape::as_iff(&problem.aig, c)?;
                match (dependent[a.node()], dependent[b.node()]) {
                    (false, true) => Some(a),
                    (true, false) => Some(b),
                    _ => None,
                }
            })
            .collect();
        Self {
            cone: problem.aig.cone(conclusion.iter().copied()),
            conclusion: conclusion.to_vec(),
            target,
            value: vec![0; problem.aig.len()],
        }
    }

    /// Existentials (by position) with the functions of the universals that they may copy, given values of all inputs
    /// that make every conjunct true.  At most one for each equality.
    pub fn functions<'a>(
        &mut self,
        aig: &Aig,
        existentials: &[Input],
        at: impl Iterator<Item = (&'a Input, &'a bool)>,
    ) -> Vec<(usize, Lit)> {
        if self.target.iter().all(Option::is_none) {
            return Vec::new();
        }
        let base: Vec<(usize, bool)> = at.map(|(&i, &v)| (aig.input(i).node(), v)).collect();
        let mut found: Vec<Option<(usize, bool)>> = vec![None; self.conclusion.len()];
        for (chunk, flipped) in existentials.chunks(64).enumerate() {
            for &(n, v) in &base {
                if let Some(slot) = self.value.get_mut(n) {
                    *slot = if v { !0 } else { 0 };
                }
            }
            for (column, &y) in flipped.iter().enumerate() {
                self.value[aig.input(y).node()] ^= 1 << column;
            }
            self.simulate(aig);
            // Columns in which a conjunct is false, and those in which several are.
            let (mut once, mut twice) = (0_u64, 0_u64);
            let words: Vec<u64> = self.conclusion.iter().map(|&c| !self.of(c)).collect();
            for &false_in in &words {
                twice |= once & false_in;
                once |= false_in;
            }
            for (k, &false_in) in words.iter().enumerate() {
                let only = false_in & !twice;
                if found[k].is_none() && self.target[k].is_some() && only != 0 {
                    let column = only.trailing_zeros() as usize;
                    let y = self.value[aig.input(flipped[column]).node()] >> column & 1 == 0;
                    found[k] = Some((chunk * 64 + column, y));
                }
            }
        }
        let mut out = Vec::new();
        for (target, found) in self.target.iter().zip(found) {
            if let (&Some(t), Some((k, y))) = (target, found) {
                // The target's value does not depend on existentials.
                let now = self.of(t) & 1 == 1;
                out.push((k, t.xor_sign(now != y)));
            }
        }
        out
    }

    fn of(&self, l: Lit) -> u64 {
        let v = self.value[l.node()];
        if l.is_negated() { !v } else { v }
    }

    fn simulate(&mut self, aig: &Aig) {
        for i in 0..self.cone.len() {
            let n = self.cone[i];
            if let Node::And(a, b) = aig.node(n) {
                self.value[n] = self.of(a) & self.of(b);
            }
        }
    }
}
