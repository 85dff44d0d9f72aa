//! A hash-consed and-inverter graph.
//!
//! Nodes are the constant, inputs (nondeterministic choice variables) and two-input ands; an edge ([`Lit`]) may be
//! negated.  Invariant: a node is created after its children, so a sweep in index order visits children first, and no
//! traversal recurses.

use rustc_hash::FxHashMap;

/// A literal: a node, possibly negated.  `Lit::FALSE` and `Lit::TRUE` are the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    #[inline]
    pub fn new(node: usize, negated: bool) -> Self {
        debug_assert!(node < (1 << 31), "the graph holds fewer than 2^31 nodes");
        Lit(((node as u32) << 1) | u32::from(negated))
    }

    /// The index of its node.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The literal, negated if `flip`.
    #[must_use]
    #[inline]
    pub fn xor_sign(self, flip: bool) -> Self {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl From<bool> for Lit {
    fn from(b: bool) -> Self {
        Lit(u32::from(b))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A choice variable: the number of an input, counted from 0 in order of creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Input(pub u32);

/// A node as seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// The constant false.
    False,
    Input(Input),
    And(Lit, Lit),
}

/// Marks an input in the first field of a stored node; the second is its number.
const INPUT: u32 = u32::MAX;

/// The graph.  It only grows; literals stay valid for its lifetime.
///
/// ```
/// use hardbop_logic::Aig;
///
/// let mut graph = Aig::new();
/// let (a, b) = (graph.new_input_lit(), graph.new_input_lit());
/// let either = graph.or(a, b);
/// let not_both = !graph.and(a, b);
/// let one = graph.and(either, not_both);
/// let values = graph.evaluate(&[one, either], |input| input.0 == 0); // a holds, b does not
/// assert_eq!(values, [true, true]);
/// ```
#[derive(Debug, Clone)]
pub struct Aig {
    nodes: Vec<(u32, u32)>,
    inputs: Vec<u32>,
    unique: FxHashMap<(u32, u32), u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    #[inline]
    pub fn new() -> Self {
        Self { nodes: vec![(0, 0)], inputs: Vec::new(), unique: FxHashMap::default() }
    }

    /// The number of nodes, including the constant and inputs.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: the constant is always there.
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }

    #[inline]
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// A fresh input.
    pub fn new_input(&mut self) -> Input {
        let number = self.inputs.len() as u32;
        self.inputs.push(self.nodes.len() as u32);
        self.nodes.push((INPUT, number));
        Input(number)
    }

    /// A fresh input, as a literal.
    #[inline]
    pub fn new_input_lit(&mut self) -> Lit {
        let input = self.new_input();
        self.input(input)
    }

    /// The positive literal of an input.
    #[inline]
    pub fn input(&self, input: Input) -> Lit {
        Lit(self.inputs[input.0 as usize] << 1)
    }

    pub fn node(&self, index: usize) -> Node {
        match self.nodes[index] {
            (INPUT, number) => Node::Input(Input(number)),
            (0, 0) if index == 0 => Node::False,
            (a, b) => Node::And(Lit(a), Lit(b)),
        }
    }

    /// The input of which this is a (possibly negated) literal.
    pub fn as_input(&self, lit: Lit) -> Option<Input> {
        match self.nodes[lit.node()] {
            (INPUT, number) => Some(Input(number)),
            _ => None,
        }
    }

    fn children(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.node(lit.node()) {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// Conjunction, simplified by the one- and two-level rules of Brummayer and Biere
    /// ("Local two-level and-inverter graph minimization without blowup", 2006).
    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        loop {
            if a > b {
                std::mem::swap(&mut a, &mut b);
            }
            if a == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if a == Lit::TRUE || a == b {
                return b;
            }
            match self.two_level(a, b).or_else(|| self.two_level(b, a)) {
                Some(Rewrite::Is(l)) => return l,
                Some(Rewrite::And(x, y)) => (a, b) = (x, y),
                None => break,
            }
        }
        let key = (a.0, b.0);
        let nodes = &mut self.nodes;
        let node = *self.unique.entry(key).or_insert_with(|| {
            nodes.push(key);
            (nodes.len() - 1) as u32
        });
        Lit(node << 1)
    }

    /// Rules that look into `a` only, and those that look into both.
    fn two_level(&self, a: Lit, b: Lit) -> Option<Rewrite> {
        let (p, q) = self.children(a)?;
        if a.is_negated() {
            // a = !(p & q)
            if p == !b || q == !b {
                return Some(Rewrite::Is(b)); // subsumption
            }
            if p == b {
                return Some(Rewrite::And(b, !q)); // substitution
            }
            if q == b {
                return Some(Rewrite::And(b, !p));
            }
            if let Some((r, s)) = self.children(b) {
                if b.is_negated() {
                    // resolution: !(p & q) & !(p & !q) = !p
                    if (p == r && q == !s) || (p == s && q == !r) {
                        return Some(Rewrite::Is(!p));
                    }
                    if (q == r && p == !s) || (q == s && p == !r) {
                        return Some(Rewrite::Is(!q));
                    }
                } else {
                    if p == !r || p == !s || q == !r || q == !s {
                        return Some(Rewrite::Is(b)); // subsumption
                    }
                    if p == r || p == s {
                        return Some(Rewrite::And(b, !q)); // substitution
                    }
                    if q == r || q == s {
                        return Some(Rewrite::And(b, !p));
                    }
                }
            }
        } else {
            // a = p & q
            if p == !b || q == !b {
                return Some(Rewrite::Is(Lit::FALSE)); // contradiction
            }
            if p == b || q == b {
                return Some(Rewrite::Is(a)); // idempotence
            }
            if let Some((r, s)) = self.children(b)
                && !b.is_negated()
            {
                if p == !r || p == !s || q == !r || q == !s {
                    return Some(Rewrite::Is(Lit::FALSE));
                }
                // share: (p & q) & (p & s) = (p & q) & s
                if p == r || q == r {
                    return Some(Rewrite::And(a, s));
                }
                if p == s || q == s {
                    return Some(Rewrite::And(a, r));
                }
            }
        }
        None
    }

    #[inline]
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    #[inline]
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_constant() {
            return b.xor_sign(a == Lit::TRUE);
        }
        if b.is_constant() {
            return a.xor_sign(b == Lit::TRUE);
        }
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither)
    }

    #[inline]
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// If `c` then `t` else `e`.
    pub fn ite(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if t == e || c == Lit::TRUE {
            return t;
        }
        if c == Lit::FALSE {
            return e;
        }
        if t == !e {
            return self.iff(c, t);
        }
        let yes = self.and(c, t);
        let no = self.and(!c, e);
        self.or(yes, no)
    }

    /// The conjunction of many literals, as a balanced tree.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut layer: Vec<Lit> = lits.into_iter().collect();
        layer.sort_unstable();
        layer.dedup();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|c| if let [a, b] = *c { self.and(a, b) } else { c[0] })
                .collect();
        }
        layer.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The disjunction of many literals, as a balanced tree.
    #[inline]
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|l| !l))
    }

    /// The inputs that some roots depend on.
    #[inline]
    pub fn cone_inputs(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<Input> {
        let inputs = self.cone(roots).into_iter().filter_map(|n| self.as_input(Lit::new(n, false)));
        inputs.collect()
    }

    /// The nodes on which `roots` depend (roots included, constant excluded), children first.
    pub fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<usize> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<usize> = Vec::new();
        let mut out = Vec::new();
        for root in roots {
            if root.node() != 0 && seen.insert(root.node()) {
                stack.push(root.node());
            }
        }
        while let Some(n) = stack.pop() {
            out.push(n);
            if let Node::And(a, b) = self.node(n) {
                for c in [a.node(), b.node()] {
                    if c != 0 && seen.insert(c) {
                        stack.push(c);
                    }
                }
            }
        }
        out.sort_unstable();
        out
    }

    /// The inputs on which `roots` structurally depend, in order.
    pub fn support(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<Input> {
        let mut inputs: Vec<Input> = self
            .cone(roots)
            .into_iter()
            .filter_map(|n| if let Node::Input(i) = self.node(n) { Some(i) } else { None })
            .collect();
        inputs.sort_unstable();
        inputs
    }

    /// Evaluates 64 assignments at once: `inputs(i)` gives the 64 values of input i; the result holds the 64 values of
    /// each root.
    #[inline]
    pub fn simulate(&self, roots: &[Lit], inputs: impl FnMut(Input) -> u64) -> Vec<u64> {
        super::circuit::Circuit::new(self, roots).run(inputs)
    }

    /// The value of each root under one assignment.
    pub fn evaluate(&self, roots: &[Lit], mut inputs: impl FnMut(Input) -> bool) -> Vec<bool> {
        self.simulate(roots, |i| if inputs(i) { !0 } else { 0 })
            .into_iter()
            .map(|v| v & 1 == 1)
            .collect()
    }
}

/// The result of a local rewrite.
enum Rewrite {
    Is(Lit),
    And(Lit, Lit),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Substitution;
    use proptest::prelude::*;

    /// Builds random formulas over four inputs twice: as graphs, and as truth tables of 16 bits.
    fn build(aig: &mut Aig, ops: &[(u8, usize, usize, usize)]) -> Vec<(Lit, u16)> {
        let tables = [0xAAAA, 0xCCCC, 0xF0F0, 0xFF00];
        let mut pool: Vec<(Lit, u16)> = tables.map(|t| (aig.new_input_lit(), t)).to_vec();
        for &(op, i, j, k) in ops {
            let (a, ta) = pool[i % pool.len()];
            let (b, tb) = pool[j % pool.len()];
            let (c, tc) = pool[k % pool.len()];
            pool.push(match op % 6 {
                0 => (aig.and(a, b), ta & tb),
                1 => (aig.or(a, b), ta | tb),
                2 => (aig.xor(a, b), ta ^ tb),
                3 => (aig.ite(a, b, c), (ta & tb) | (!ta & tc)),
                4 => (!a, !ta),
                _ => (aig.and_all([a, b, !c]), ta & tb & !tc),
            });
        }
        pool
    }

    fn table(aig: &Aig, l: Lit) -> u16 {
        let tables = [0xAAAA_u64, 0xCCCC, 0xF0F0, 0xFF00];
        aig.simulate(&[l], |i| tables[i.0 as usize])[0] as u16
    }

    proptest! {
        #[test]
        fn simplification_preserves_truth_tables(
            ops in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<usize>()), 1..60)
        ) {
            let mut aig = Aig::new();
            for (l, t) in build(&mut aig, &ops) {
                prop_assert_eq!(table(&aig, l), t);
                if t == 0 && l.is_constant() { prop_assert_eq!(l, Lit::FALSE); }
            }
        }

        #[test]
        fn substitution_is_composition(
            ops in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<usize>()), 1..40)
        ) {
            let mut aig = Aig::new();
            let pool = build(&mut aig, &ops);
            let (root, t) = pool[pool.len() - 1];
            // x0 := !x1 & x2: the new value at an assignment is the old value at the changed assignment.
            let image = { let (a, b) = (pool[1].0, pool[2].0); aig.and(!a, b) };
            let mut map = Substitution::new();
            map.replace(&aig, Input(0), image);
            let got = aig.substitute_one(root, &mut map);
            let got = table(&aig, got);
            for row in 0..16u32 {
                let x0 = u32::from(row & 2 == 0 && row & 4 != 0);
                let old = (row & !1) | x0;
                prop_assert_eq!(got >> row & 1, t >> old & 1);
            }
        }
    }
}
