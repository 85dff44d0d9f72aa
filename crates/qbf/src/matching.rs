//! Guesses Skolem functions by matching the two sides of equalities structurally.
//!
//! The old and the new path edge of a subsumption query mostly come from the same statements, so the old value, as a
//! term over existentials, often has the same shape as the new one.  Matching the two tells which function of the
//! universals each existential must be.  Conjuncts of the premise are matched with those of the conclusion in the same
//! way.  The result is only a *guess*, and must be checked.

use rustc_hash::{FxHashMap, FxHashSet};

use super::problem::Problem;
use hardbop_logic::{Input, Lit, Node, shape};

/// For some existentials, a literal over universals that may serve as their answer.
pub(super) fn guess(problem: &Problem) -> Vec<(Input, Lit)> {
    guess_for(problem, &problem.equalities, &problem.conclusion)
}

/// The same, for given equalities and conjuncts over the problem's graph.
pub(super) fn guess_for(
    problem: &Problem,
    equalities: &[(Lit, Lit)],
    conclusion: &[Lit],
) -> Vec<(Input, Lit)> {
    let sides = equalities.iter().flat_map(|&(l, r)| [l, r]);
    let roots = sides.chain(conclusion.iter().copied()).chain(problem.premise.iter().copied());
    let mut matcher = Matcher::new(problem, &problem.aig.cone(roots));
    let mut pairs = Vec::new();
    for &(l, r) in equalities {
        match (matcher.dependent[l.node()], matcher.dependent[r.node()]) {
            (true, false) => pairs.push((l, r)),
            (false, true) => pairs.push((r, l)),
            _ => {}
        }
    }
    // Bare existentials come first: their bindings are certain.
    pairs.sort_by_key(|&(p, _)| problem.as_existential(p).is_none());
    for &c in conclusion {
        if matcher.dependent[c.node()] {
            let signature = matcher.signature(c);
            let twin = problem.premise.iter().find(|&&p| matcher.signature(p) == signature);
            pairs.push((c, twin.copied().unwrap_or(Lit::TRUE)));
        }
    }
    // The bindings of the first pass tell the second how to pair the children of a node.
    for _ in 0..2 {
        for &(p, t) in &pairs {
            matcher.run(p, t);
        }
        matcher.count();
    }
    let mut out: Vec<(Input, Lit)> = matcher.bound.into_iter().collect();
    out.sort_unstable();
    out
}

struct Matcher<'a> {
    problem: &'a Problem,
    dependent: Vec<bool>,
    /// A hash of the shape above each node, regardless of the inputs at the bottom.
    shape: Vec<u64>,
    /// The best bindings so far, consulted while matching.
    bound: FxHashMap<Input, Lit>,
    /// How often each binding was found in this pass.
    votes: FxHashMap<(Input, Lit), u32>,
    seen: FxHashSet<(Lit, Lit)>,
}

impl<'a> Matcher<'a> {
    /// A matcher for the nodes of `cone`, which has children first.
    fn new(problem: &'a Problem, cone: &[usize]) -> Self {
        let aig = &problem.aig;
        let mut shape = vec![0_u64; aig.len()];
        let mut dependent = vec![false; aig.len()];
        shape[Lit::FALSE.node()] = 1;
        for &n in cone {
            dependent[n] = match aig.node(n) {
                Node::False => false,
                Node::Input(i) => problem.existential[i.0 as usize],
                Node::And(a, b) => dependent[a.node()] || dependent[b.node()],
            };
            shape[n] = match aig.node(n) {
                Node::False => 1,
                Node::Input(_) => 2,
                Node::And(a, b) => {
                    let of = |l: Lit| mix(shape[l.node()].wrapping_add(u64::from(l.is_negated())));
                    mix(of(a).wrapping_add(of(b)))
                }
            };
        }
        Self {
            problem,
            dependent,
            shape,
            bound: FxHashMap::default(),
            votes: FxHashMap::default(),
            seen: FxHashSet::default(),
        }
    }

    fn signature(&self, l: Lit) -> u64 {
        mix(self.shape[l.node()].wrapping_add(u64::from(l.is_negated())))
    }

    /// Binds existentials of `pattern` so that it becomes `target`, as far as possible.
    fn run(&mut self, pattern: Lit, target: Lit) {
        let mut stack = vec![(pattern, target)];
        while let Some((p, t)) = stack.pop() {
            if !self.dependent[p.node()] || self.seen.len() > self.problem.limits.matched_pairs {
                continue;
            }
            if let Some(y) = self.problem.as_existential(p) {
                let t = t.xor_sign(p.is_negated());
                self.bound.entry(y).or_insert(t);
                *self.votes.entry((y, t)).or_insert(0) += 1;
                continue;
            }
            if !self.seen.insert((p, t)) {
                continue;
            }
            if let Some((branch, conditions)) = self.case(p, t) {
                for c in conditions {
                    stack.push((c, Lit::TRUE));
                }
                stack.push((branch, t));
                continue;
            }
            let Node::And(a, b) = self.problem.aig.node(p.node()) else { continue };
            match self.problem.aig.node(t.node()) {
                Node::And(c, d) if p.is_negated() == t.is_negated() => {
                    let straight = self.likeness(a, c) + self.likeness(b, d);
                    let crossed = self.likeness(a, d) + self.likeness(b, c);
                    let (c, d) = if crossed > straight { (d, c) } else { (c, d) };
                    stack.extend([(b, d), (a, c)]);
                }
                // For a conjunction to be true, both operands must be true.
                Node::False if p.is_negated() != t.is_negated() => {
                    stack.extend([(b, Lit::TRUE), (a, Lit::TRUE)]);
                }
                _ => {}
            }
        }
    }

    /// Ends a pass: every existential gets the binding with the most votes.
    fn count(&mut self) {
        let mut votes: Vec<((Input, Lit), u32)> = self.votes.drain().collect();
        // Ties go to the lower literal, so the result does not depend on the order of the hash table.
        votes.sort_unstable_by_key(|&((y, t), n)| (y, n, std::cmp::Reverse(t)));
        for ((y, t), _) in votes {
            self.bound.insert(y, t);
        }
        self.seen.clear();
    }

    /// A measure of how similar two literals look.
    fn likeness(&self, p: Lit, t: Lit) -> u32 {
        let same_shape = self.signature(p) == self.signature(t);
        let bound = self.problem.as_existential(p).and_then(|y| self.bound.get(&y));
        let agrees = p == t || bound.is_some_and(|b| b.xor_sign(p.is_negated()) == t);
        let clash = bound.is_some() && !agrees || !self.dependent[p.node()] && p != t;
        3 + 2 * u32::from(same_shape) + 2 * u32::from(agrees) - 3 * u32::from(clash)
    }

    /// If `p` merges cases under existential selectors: the case that looks like `t`, and the selector values that
    /// choose it.
    fn case(&self, p: Lit, t: Lit) -> Option<(Lit, Vec<Lit>)> {
        self.selector(p)?;
        if self.signature(p) == self.signature(t) {
            return None;
        }
        let mut stack = vec![(p, Vec::new())];
        let mut first = None;
        let mut steps = 0;
        while let Some((l, conditions)) = stack.pop() {
            steps += 1;
            if self.signature(l) == self.signature(t) || l == t {
                return Some((l, conditions));
            }
            match self.selector(l) {
                Some((c, yes, no)) if steps < 64 => {
                    let chosen = self
                        .problem
                        .as_existential(c)
                        .and_then(|y| self.bound.get(&y))
                        .map(|b| b.xor_sign(c.is_negated()));
                    for (branch, condition) in [(no, !c), (yes, c)] {
                        let impossible = chosen == Some(Lit::from(condition != c));
                        if !impossible {
                            let mut conditions = conditions.clone();
                            conditions.push(condition);
                            stack.push((branch, conditions));
                        }
                    }
                }
                _ => first = first.or(Some((l, conditions))),
            }
        }
        // If both are merges, they are matched as a whole.
        first.filter(|_| shape::as_ite(&self.problem.aig, t).is_none_or(|(_, yes, no)| yes == !no))
    }

    /// An if-then-else whose condition is a bare existential.
    fn selector(&self, l: Lit) -> Option<(Lit, Lit, Lit)> {
        let (c, t, e) = shape::as_ite(&self.problem.aig, l)?;
        (t != !e && self.problem.as_existential(c).is_some()).then_some((c, t, e))
    }
}

/// A good scrambling of 64 bits (the finaliser of splitmix64).
fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ForallExists;
    use crate::limits::Limits;
    use hardbop_logic::Aig;

    #[test]
    fn renamed_terms_and_merged_cases_are_matched() {
        let mut aig = Aig::new();
        let inputs: Vec<Input> = (0..6).map(|_| aig.new_input()).collect();
        let l: Vec<Lit> = inputs.iter().map(|&i| aig.input(i)).collect();
        let (x, z, a, b, c, d) = (l[0], l[1], l[2], l[3], l[4], l[5]);
        // new = x & !z, old = c ? (a & !b) : (a xor d)
        let new = aig.and(x, !z);
        let case = aig.and(a, !b);
        let other = aig.xor(a, d);
        let old = aig.ite(c, case, other);
        let query = ForallExists {
            existentials: inputs[2..].to_vec(),
            equalities: vec![(new, old), (x, a)],
            ..Default::default()
        };
        let problem = Problem::new(&aig, &query, Limits::default());
        // The copy numbers its inputs in the same order as the original.
        let input = |k: u32| problem.aig.input(Input(k));
        let found = guess(&problem);
        assert!(found.contains(&(Input(2), input(0))), "{found:?}");
        assert!(found.contains(&(Input(3), input(1))), "{found:?}");
        assert!(found.contains(&(Input(4), Lit::TRUE)), "{found:?}");
    }

    /// Cases that share cases have exponentially many paths; not all of them are tried.
    #[test]
    fn many_merged_cases_are_not_all_tried() {
        let mut aig = Aig::new();
        let (x, z) = (aig.new_input_lit(), aig.new_input_lit());
        let [a, b, c, d] = [(); 4].map(|()| aig.new_input_lit());
        let mut existentials = vec![a, b, c, d];
        let (mut one, mut other) = (aig.and(a, b), aig.and(c, d));
        for _ in 0..60 {
            let [first, second] = [(); 2].map(|()| aig.new_input_lit());
            existentials.extend([first, second]);
            (one, other) = (aig.ite(first, one, other), aig.ite(second, other, one));
        }
        let query = ForallExists {
            existentials: existentials.iter().filter_map(|&l| aig.as_input(l)).collect(),
            equalities: vec![(aig.xor(x, z), one)],
            ..Default::default()
        };
        // Any guess will do.
        guess(&Problem::new(&aig, &query, Limits::default()));
    }
}
