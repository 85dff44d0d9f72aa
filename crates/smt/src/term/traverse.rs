//! Traversals of terms: children, order, substitution, support, evaluation.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::node::{Node, Sort, Term, Value};
use super::semantics;
use super::store::Terms;

/// Results for terms already seen.
pub type Memo = FxHashMap<Term, Term>;

impl Terms {
    /// Calls `f` on each child, from left to right.
    pub fn for_each_child(&self, t: Term, mut f: impl FnMut(Term)) {
        match self.node(t) {
            Node::Bool(_)
            | Node::Bits { .. }
            | Node::Int(_)
            | Node::Variable(_)
            | Node::Instance(..) => {}
            Node::Not(a)
            | Node::Unary(_, a)
            | Node::Extract { term: a, .. }
            | Node::ZeroExtend { term: a, .. }
            | Node::SignExtend { term: a, .. }
            | Node::IntScale(_, a) => f(*a),
            Node::Equal(a, b)
            | Node::Binary(_, a, b)
            | Node::Compare(_, a, b)
            | Node::Concat(a, b)
            | Node::IntLe(a, b) => {
                f(*a);
                f(*b);
            }
            Node::Ite(c, a, b) => {
                f(*c);
                f(*a);
                f(*b);
            }
            Node::And(all) | Node::Or(all) | Node::IntAdd(all) | Node::Float(_, all) => {
                all.iter().copied().for_each(f)
            }
        }
    }

    /// The children, from left to right.
    #[inline]
    pub fn children(&self, t: Term) -> Vec<Term> {
        let mut all = Vec::new();
        self.for_each_child(t, |c| all.push(c));
        all
    }

    /// All subterms of the roots, each once, children before parents; skips a term for which `done`
    /// holds, and does not descend into it.
    pub fn postorder(&self, roots: &[Term], mut done: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut order = Vec::new();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&r| (r, false)).collect();
        while let Some((t, ready)) = stack.pop() {
            if ready {
                order.push(t);
            } else if seen.insert(t) && !done(t) {
                stack.push((t, true));
                let start = stack.len();
                self.for_each_child(t, |c| stack.push((c, false)));
                stack[start..].reverse();
            }
        }
        order
    }

    /// The variables and instances in `t`, sorted.
    #[inline]
    pub fn support(&self, t: Term) -> Vec<Term> {
        self.support_of(&[t])
    }

    /// The variables and instances in any of the terms, sorted.
    pub fn support_of(&self, terms: &[Term]) -> Vec<Term> {
        let mut all = self.postorder(terms, |_| false);
        all.retain(|&t| self.node(t).is_leaf());
        all.sort_unstable();
        all
    }

    /// The number of different subterms.
    #[inline]
    pub fn size(&self, t: Term) -> usize {
        self.postorder(&[t], |_| false).len()
    }

    /// `t` with variables and instances replaced where `f` gives a replacement.
    ///
    /// # Panics
    /// If a replacement has another sort.
    pub fn substitute(
        &mut self,
        t: Term,
        mut f: impl FnMut(&mut Self, Term) -> Option<Term>,
    ) -> Term {
        self.replace(t, &mut Memo::default(), |terms, t| {
            if terms.node(t).is_leaf() { f(terms, t) } else { None }
        })
    }

    /// `t` with any subterm replaced where `f` gives a replacement, outer ones first.  The memo
    /// holds known results, and may be kept for further terms with the same `f`.
    ///
    /// # Panics
    /// If a replacement has another sort.
    pub fn replace(
        &mut self,
        t: Term,
        memo: &mut Memo,
        mut f: impl FnMut(&mut Self, Term) -> Option<Term>,
    ) -> Term {
        let mut stack = vec![(t, false)];
        while let Some((t, ready)) = stack.pop() {
            if ready {
                let new = self.rebuild(t, |child| memo.get(&child).copied().unwrap_or(child));
                memo.insert(t, new);
            } else if let Entry::Vacant(unknown) = memo.entry(t) {
                if let Some(new) = f(self, t) {
                    self.demand(new, self.sort(t));
                    unknown.insert(new);
                    continue;
                }
                stack.push((t, true));
                let start = stack.len();
                self.for_each_child(t, |c| stack.push((c, false)));
                stack[start..].reverse();
            }
        }
        memo[&t]
    }

    /// The operator of `t` applied to other children, simplified.
    pub fn rebuild(&mut self, t: Term, child: impl Fn(Term) -> Term) -> Term {
        let mut same = true;
        self.for_each_child(t, |c| same &= child(c) == c);
        if same {
            return t;
        }
        let map = |all: &[Term]| all.iter().map(|&a| child(a)).collect::<Vec<_>>();
        match *self.node(t) {
            Node::Bool(_)
            | Node::Bits { .. }
            | Node::Int(_)
            | Node::Variable(_)
            | Node::Instance(..) => t,
            Node::Not(a) => self.not(child(a)),
            Node::And(ref all) => {
                let all = map(all);
                self.and(&all)
            }
            Node::Or(ref all) => {
                let all = map(all);
                self.or(&all)
            }
            Node::Ite(c, a, b) => self.ite(child(c), child(a), child(b)),
            Node::Equal(a, b) => self.equal(child(a), child(b)),
            Node::Unary(op, a) => self.unary(op, child(a)),
            Node::Binary(op, a, b) => self.binary(op, child(a), child(b)),
            Node::Compare(op, a, b) => self.compare(op, child(a), child(b)),
            Node::Extract { high, low, term } => self.extract(high, low, child(term)),
            Node::ZeroExtend { to, term } => self.zero_extend(to, child(term)),
            Node::SignExtend { to, term } => self.sign_extend(to, child(term)),
            Node::Concat(a, b) => self.concat(child(a), child(b)),
            Node::Float(op, ref all) => {
                let all = map(all);
                self.float(op, &all)
            }
            Node::IntAdd(ref all) => {
                let all = map(all);
                self.int_add(&all)
            }
            Node::IntScale(k, a) => self.int_scale(k, child(a)),
            Node::IntLe(a, b) => self.int_le(child(a), child(b)),
        }
    }

    /// The value of `t` if `leaf` gives the values of variables and instances; none if a value that
    /// matters is missing or of the wrong kind, or if an integer exceeds 128 bits.  Bits above a
    /// variable's width are ignored.
    pub fn evaluate(&self, t: Term, leaf: &impl Fn(Term) -> Option<Value>) -> Option<Value> {
        let mut values: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for t in self.postorder(&[t], |_| false) {
            let value = self.evaluate_node(t, &|child| values[&child], leaf);
            values.insert(t, value);
        }
        values[&t]
    }

    /// The value of `t`, given the values of its children; an unknown child may not matter, as in
    /// `false and x`.
    pub fn evaluate_node(
        &self,
        t: Term,
        child: &impl Fn(Term) -> Option<Value>,
        leaf: &impl Fn(Term) -> Option<Value>,
    ) -> Option<Value> {
        let truth = |&t: &Term| match child(t) {
            Some(Value::Bool(b)) => Some(b),
            _ => None,
        };
        let bits = |&t: &Term| match child(t) {
            Some(Value::Bits(b)) => Some(b),
            _ => None,
        };
        let int = |&t: &Term| match child(t) {
            Some(Value::Int(i)) => Some(i),
            _ => None,
        };
        // `true` if one of them is true, `false` if all are false.
        let any = |truths: &mut dyn Iterator<Item = Option<bool>>| {
            let mut known = true;
            for truth in truths {
                match truth {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => known = false,
                }
            }
            known.then_some(false)
        };
        Some(match self.node(t) {
            Node::Bool(b) => Value::Bool(*b),
            Node::Bits { value, .. } => Value::Bits(*value),
            Node::Int(i) => Value::Int(*i),
            Node::Variable(_) | Node::Instance(..) => match (leaf(t)?, self.sort(t)) {
                (Value::Bits(b), Sort::Bits(width)) => Value::Bits(b & semantics::mask(width)),
                (value @ Value::Bool(_), Sort::Bool) | (value @ Value::Int(_), Sort::Int) => value,
                _ => return None,
            },
            Node::Not(a) => Value::Bool(!truth(a)?),
            Node::And(all) => Value::Bool(!any(&mut all.iter().map(|a| truth(a).map(|b| !b)))?),
            Node::Or(all) => Value::Bool(any(&mut all.iter().map(truth))?),
            Node::Ite(c, a, b) => match truth(c) {
                Some(true) => child(*a)?,
                Some(false) => child(*b)?,
                None => child(*a).filter(|&value| child(*b) == Some(value))?,
            },
            Node::Equal(a, b) => Value::Bool(child(*a)? == child(*b)?),
            Node::Unary(op, a) => Value::Bits(semantics::unary(*op, self.width(*a), bits(a)?)),
            Node::Binary(op, a, b) => {
                Value::Bits(semantics::binary(*op, self.width(*a), bits(a)?, bits(b)?))
            }
            Node::Compare(op, a, b) => {
                Value::Bool(semantics::compare(*op, self.width(*a), bits(a)?, bits(b)?))
            }
            Node::Float(op, all) => {
                let operands = all.iter().map(bits).collect::<Option<Vec<u64>>>()?;
                match (op.value(self.width(all[0]), &operands), self.sort(t)) {
                    (value, Sort::Bool) => Value::Bool(value == 1),
                    (value, _) => Value::Bits(value),
                }
            }
            Node::Extract { high, low, term } => {
                Value::Bits(semantics::extract(*high, *low, bits(term)?))
            }
            Node::ZeroExtend { term, .. } => Value::Bits(bits(term)?),
            Node::SignExtend { to, term } => {
                Value::Bits(semantics::sign_extend(self.width(*term), *to, bits(term)?))
            }
            Node::Concat(a, b) => {
                Value::Bits(semantics::concat(self.width(*b), bits(a)?, bits(b)?))
            }
            Node::IntAdd(all) => {
                Value::Int(all.iter().try_fold(0_i128, |sum, a| sum.checked_add(int(a)?))?)
            }
            Node::IntScale(k, a) => Value::Int(k.checked_mul(int(a)?)?),
            Node::IntLe(a, b) => Value::Bool(int(a)? <= int(b)?),
        })
    }
}
