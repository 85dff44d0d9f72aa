//! Symbolic states ⟨n, ω, γ⟩ (Def. 5) and the transfer of single statements (Table 1).

use fixedbitset::FixedBitSet;

use crate::language::program::{Expr, Op, VarId};
use hardbop_logic::{Aig, Lit, Substitution};

/// ω and γ of a symbolic state; its owner keeps the node n.
///
/// ω has one literal per slot of the procedure's
/// [`Frame`](crate::engine::prepare::liveness::Frame); dead slots hold `Lit::FALSE`, which
/// makes equal states identical.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Value of each slot as a formula over choice inputs.
    pub omega: Vec<Lit>,
    /// The guard γ.
    pub guard: Lit,
}

impl State {
    /// The state with its inputs replaced.
    pub fn substitute(&self, aig: &mut Aig, map: &mut Substitution) -> State {
        let guard = aig.substitute_one(self.guard, map);
        if guard == Lit::FALSE {
            return State { omega: vec![Lit::FALSE; self.omega.len()], guard };
        }
        State { omega: aig.substitute(&self.omega, map), guard }
    }

    /// Sets dead slots to `FALSE`.
    pub fn clear_dead(&mut self, live: &FixedBitSet) {
        for (slot, lit) in self.omega.iter_mut().enumerate() {
            if !live.contains(slot) {
                *lit = Lit::FALSE;
            }
        }
    }

    /// All formulas of the state.
    pub fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.omega.iter().copied().chain([self.guard])
    }
}

/// The literals that variables and choices have while an expression is evaluated.
pub trait Valuation {
    /// ω of a variable.
    fn read(&mut self, aig: &mut Aig, v: VarId) -> Lit;
    /// ω of a variable after the assignment (for `'x`).
    fn next(&mut self, aig: &mut Aig, v: VarId) -> Lit;
    /// The value of a `*` or `schoose`; called in postfix order.
    fn choice(&mut self, aig: &mut Aig) -> Lit;
}

/// ω(e): the value of an expression.
pub fn evaluate(aig: &mut Aig, expr: &Expr, values: &mut impl Valuation) -> Lit {
    let mut stack: Vec<Lit> = Vec::with_capacity(8);
    for op in expr.ops.iter() {
        let value = match *op {
            Op::Constant(b) => Lit::from(b),
            Op::Variable(v) => values.read(aig, v),
            Op::Next(v) => values.next(aig, v),
            Op::Nondet => values.choice(aig),
            Op::Not => !pop(&mut stack),
            Op::And | Op::Or | Op::Xor | Op::Equal | Op::Implies | Op::Choose => {
                let b = pop(&mut stack);
                let a = pop(&mut stack);
                match *op {
                    Op::And => aig.and(a, b),
                    Op::Or => aig.or(a, b),
                    Op::Xor => aig.xor(a, b),
                    Op::Equal => aig.iff(a, b),
                    Op::Implies => aig.implies(a, b),
                    _ => {
                        // schoose[p, n]: p | (!n & *)
                        let fresh = values.choice(aig);
                        let free = aig.and(!b, fresh);
                        aig.or(a, free)
                    }
                }
            }
        };
        stack.push(value);
    }
    pop(&mut stack)
}

fn pop(stack: &mut Vec<Lit>) -> Lit {
    stack.pop().expect("expressions are well-formed (invariant of Expr)")
}

/// A literal that holds in every state of `a` and in none of `b`, if their guards show one: a
/// conjunct of one guard that occurs negated in the other.
pub fn selector(aig: &Aig, a: Lit, b: Lit) -> Option<Lit> {
    let left = conjuncts(aig, a);
    let right = conjuncts(aig, b);
    left.iter().copied().find(|&l| right.binary_search(&!l).is_ok())
}

/// The conjuncts of the and-tree at `root`, sorted; at most about a hundred.
pub fn conjuncts(aig: &Aig, root: Lit) -> Vec<Lit> {
    const LIMIT: usize = 256;
    let mut out = vec![];
    let mut stack = vec![root];
    while let Some(l) = stack.pop() {
        out.push(l);
        if out.len() + stack.len() < LIMIT
            && !l.is_negated()
            && let hardbop_logic::aig::Node::And(a, b) = aig.node(l.node())
        {
            stack.push(a);
            stack.push(b);
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}
