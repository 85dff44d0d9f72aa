//! Conjunctive normal form by Tseitin's encoding, restricted to the requested parts of a graph.
//!
//! An [`Encoder`] remembers which variable represents which node, so no node of a growing graph is encoded twice.
//! If-then-elses, equivalences and wide conjunctions are recognised, and need no variables for their inner nodes.
//! Invariant: every variable handed out is equivalent to its node in every model of the clauses emitted so far,
//! whatever is added later.

use rustc_hash::FxHashMap;

use super::aig::{Aig, Input, Lit, Node};
use super::shape::as_ite;

/// A literal in DIMACS form: a variable from 1, negative if negated.
pub type CnfLit = i32;

/// A receiver of clauses.
pub trait ClauseSink {
    /// A fresh variable, as its positive literal.
    fn fresh(&mut self) -> CnfLit;
    /// Adds a clause.
    fn clause(&mut self, lits: &[CnfLit]);
}

/// A formula in conjunctive normal form, in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    /// Number of variables.
    pub variables: i32,
    /// The clauses, without terminating zeros.
    pub clauses: Vec<Vec<CnfLit>>,
}

impl ClauseSink for Cnf {
    fn fresh(&mut self) -> CnfLit {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, lits: &[CnfLit]) {
        self.clauses.push(lits.to_vec());
    }
}

/// The variables that represent nodes of one graph in one clause sink.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    variable: FxHashMap<usize, CnfLit>,
}

impl Encoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes `variable` represent an input that is not encoded yet.
    pub fn bind(&mut self, aig: &Aig, input: Input, variable: CnfLit) {
        self.variable.insert(aig.input(input).node(), variable);
    }

    /// The literal that represents `lit`, if it has been encoded.
    pub fn known(&self, lit: Lit) -> Option<CnfLit> {
        let v = *self.variable.get(&lit.node())?;
        Some(if lit.is_negated() { -v } else { v })
    }

    /// The variable that represents an input, if it has been encoded.
    pub fn input(&self, aig: &Aig, input: Input) -> Option<CnfLit> {
        self.known(aig.input(input))
    }

    /// The literal that represents `lit`; encodes the part of its cone that is not encoded yet.
    pub fn literal(&mut self, aig: &Aig, lit: Lit, sink: &mut impl ClauseSink) -> CnfLit {
        if let Some(l) = self.known(lit) {
            return l;
        }
        let fanout = self.fanout(aig, lit);
        let mut work = Vec::new();
        let root = self.variable_of(lit, sink, &mut work);
        let mut leaves = Vec::new();
        let mut clause = Vec::new();
        while let Some(n) = work.pop() {
            let Node::And(a, b) = aig.node(n) else {
                if n == 0 {
                    sink.clause(&[-self.variable[&0]]);
                }
                continue;
            };
            let v = self.variable[&n];
            if let Some((c, t, e)) = as_ite(aig, Lit::new(n, false)) {
                let [c, t, e] = [c, t, e].map(|l| self.variable_of(l, sink, &mut work));
                sink.clause(&[-v, -c, t]);
                sink.clause(&[v, -c, -t]);
                sink.clause(&[-v, c, e]);
                sink.clause(&[v, c, -e]);
                if t != -e {
                    // Implied, but propagates the value before the condition is known.
                    sink.clause(&[-v, t, e]);
                    sink.clause(&[v, -t, -e]);
                }
                continue;
            }
            // A conjunction: inner ands without other uses get no variable.
            leaves.clear();
            leaves.extend([a, b]);
            let mut next = 0;
            while next < leaves.len() {
                let l = leaves[next];
                match aig.node(l.node()) {
                    Node::And(x, y)
                        if !l.is_negated()
                            && fanout.get(&l.node()) == Some(&1)
                            && !self.variable.contains_key(&l.node())
                            && as_ite(aig, l).is_none() =>
                    {
                        leaves[next] = x;
                        leaves.push(y);
                    }
                    _ => next += 1,
                }
            }
            clause.clear();
            clause.push(v);
            for &l in &leaves {
                let l = self.variable_of(l, sink, &mut work);
                sink.clause(&[-v, l]);
                clause.push(-l);
            }
            sink.clause(&clause);
        }
        root
    }

    /// The literal of a node; a new node gets a variable, and is queued for definition.
    fn variable_of(
        &mut self,
        lit: Lit,
        sink: &mut impl ClauseSink,
        work: &mut Vec<usize>,
    ) -> CnfLit {
        let v = *self.variable.entry(lit.node()).or_insert_with(|| {
            work.push(lit.node());
            sink.fresh()
        });
        if lit.is_negated() { -v } else { v }
    }

    /// The number of uses of each node in the part of the cone that is not encoded yet.
    fn fanout(&self, aig: &Aig, root: Lit) -> FxHashMap<usize, u32> {
        let mut uses = FxHashMap::default();
        let mut stack = vec![root.node()];
        while let Some(n) = stack.pop() {
            if let Node::And(a, b) = aig.node(n) {
                for c in [a.node(), b.node()] {
                    let count: &mut u32 = uses.entry(c).or_insert(0);
                    *count += 1;
                    if *count == 1 && !self.variable.contains_key(&c) {
                        stack.push(c);
                    }
                }
            }
        }
        uses
    }
}
