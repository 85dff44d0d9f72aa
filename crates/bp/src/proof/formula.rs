//! Hash-consed and-gates in AIGER's numbering: literal 0 is false, 1 true, variable v has the
//! literals 2v and 2v+1 (negated).
//!
//! Small on purpose: invariants are built with it, and the checker encodes with it.  Invariant: a
//! gate refers to smaller variables only.

use rustc_hash::{FxHashMap, FxHashSet};

/// A literal.
pub type Literal = u32;

/// The literal that is always false.
pub const FALSE: Literal = 0;
/// The literal that is always true.
pub const TRUE: Literal = 1;

/// The literals of which `root` is the conjunction; `gate` gives the operands of a variable that is
/// a gate.
pub fn conjuncts(gate: impl Fn(u32) -> Option<(Literal, Literal)>, root: Literal) -> Vec<Literal> {
    let (mut all, mut seen, mut stack) = (vec![], FxHashSet::default(), vec![root]);
    while let Some(literal) = stack.pop() {
        match gate(literal >> 1).filter(|_| literal & 1 == 0) {
            _ if !seen.insert(literal) => {}
            Some((a, b)) => stack.extend([b, a]),
            None => all.push(literal),
        }
    }
    all
}

/// The parts of `if c then t else e`, if a variable is one as built by [`Formula::ite`].
pub fn multiplexer(
    gate: impl Fn(u32) -> Option<(Literal, Literal)>,
    variable: u32,
) -> Option<(Literal, Literal, Literal)> {
    let negated = |l: Literal| gate(l >> 1).filter(|_| l & 1 == 1);
    let (x, y) = gate(variable)?;
    // ¬(a ∧ b) ∧ ¬(c ∧ d)
    let ((a, b), (c, d)) = (negated(x)?, negated(y)?);
    let pairs = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
    let (c, t, _, e) = pairs.into_iter().find(|p| p.0 == p.2 ^ 1)?;
    Some((c, t ^ 1, e ^ 1))
}

/// Inputs and gates, numbered in order of creation.
#[derive(Debug, Clone, Default)]
pub struct Formula {
    /// The operands of each variable, from 1, that is a gate; `None` is an input.
    gates: Vec<Option<(Literal, Literal)>>,
    known: FxHashMap<(Literal, Literal), Literal>,
}

impl Formula {
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// The operands of a variable that is a gate.
    pub fn gate(&self, variable: u32) -> Option<(Literal, Literal)> {
        *self.gates.get((variable as usize).checked_sub(1)?)?
    }

    /// A fresh input.
    pub fn input(&mut self) -> Literal {
        self.gates.push(None);
        (self.gates.len() as u32) << 1
    }

    pub fn not(&self, a: Literal) -> Literal {
        a ^ 1
    }

    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        if a == FALSE || a ^ 1 == b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if let Some(&known) = self.known.get(&(a, b)) {
            return known;
        }
        self.gates.push(Some((a, b)));
        let gate = (self.gates.len() as u32) << 1;
        self.known.insert((a, b), gate);
        gate
    }

    /// The conjunction of the literals.
    pub fn all<'l>(&mut self, literals: impl IntoIterator<Item = &'l Literal>) -> Literal {
        literals.into_iter().fold(TRUE, |all, &l| self.and(all, l))
    }

    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        self.and(a ^ 1, b ^ 1) ^ 1
    }

    /// `if c then t else e`.
    pub fn ite(&mut self, c: Literal, t: Literal, e: Literal) -> Literal {
        if t == e {
            return t;
        }
        let t = self.and(c, t);
        let e = self.and(c ^ 1, e);
        self.or(t, e)
    }

    /// Equality.
    pub fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        self.ite(a, b, b ^ 1)
    }

    /// The literals of which `root` is the conjunction.
    pub fn conjuncts(&self, root: Literal) -> Vec<Literal> {
        conjuncts(|v| self.gate(v), root)
    }

    /// The variables on which the roots depend, roots included, in increasing order.
    pub fn cone(&self, roots: &[Literal]) -> Vec<u32> {
        let mut seen = vec![false; self.gates.len() + 1];
        let mut stack: Vec<u32> = roots.iter().map(|r| r >> 1).collect();
        while let Some(v) = stack.pop() {
            if v != 0 && !std::mem::replace(&mut seen[v as usize], true) {
                stack.extend(self.gate(v).into_iter().flat_map(|(a, b)| [a >> 1, b >> 1]));
            }
        }
        (1..seen.len() as u32).filter(|&v| seen[v as usize]).collect()
    }
}
