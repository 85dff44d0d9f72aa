//! Connectives, `ite` and equality.

use super::node::{BitOp, Node, Sort, Term};
use super::store::Terms;

/// Inner conjunctions are flattened up to this size; otherwise, a chain built step by step would
/// take quadratic space.
const FLATTEN: usize = 16;

/// How far an equality with a constant is moved down a chain of `ite`s.
const CHAIN: usize = 64;

impl Terms {
    /// `not a`.
    pub fn not(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Bool(b) => self.bool(!b),
            Node::Not(inner) => inner,
            _ => {
                self.demand(a, Sort::Bool);
                self.intern(Node::Not(a), Sort::Bool)
            }
        }
    }

    /// The conjunction; true if there are no operands.
    #[inline]
    pub fn and(&mut self, operands: &[Term]) -> Term {
        self.connective(operands, true)
    }

    /// The disjunction; false if there are no operands.
    #[inline]
    pub fn or(&mut self, operands: &[Term]) -> Term {
        self.connective(operands, false)
    }

    /// The conjuncts of a conjunction; none for `true`; any other term is its own conjunct.
    pub fn conjuncts(&self, t: Term) -> Vec<Term> {
        match self.node(t) {
            Node::And(all) => all.to_vec(),
            Node::Bool(true) => vec![],
            _ => vec![t],
        }
    }

    /// The disjuncts of a disjunction; none for `false`; any other term is its own disjunct.
    pub fn disjuncts(&self, t: Term) -> Vec<Term> {
        match self.node(t) {
            Node::Or(all) => all.to_vec(),
            Node::Bool(false) => vec![],
            _ => vec![t],
        }
    }

    /// `a` implies `b`.
    #[inline]
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// Equality of Booleans.
    #[inline]
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        self.equal(a, b)
    }

    /// `a` and `b` differ.
    #[inline]
    pub fn distinct(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// `and` if `unit`, otherwise `or`.
    fn connective(&mut self, operands: &[Term], unit: bool) -> Term {
        let mut all = Vec::with_capacity(operands.len());
        for &t in operands {
            self.demand(t, Sort::Bool);
            match self.node(t) {
                Node::Bool(b) if *b == unit => {}
                Node::Bool(_) => return t,
                Node::And(inner) if unit && inner.len() <= FLATTEN => all.extend_from_slice(inner),
                Node::Or(inner) if !unit && inner.len() <= FLATTEN => all.extend_from_slice(inner),
                _ => all.push(t),
            }
        }
        all.sort_unstable();
        all.dedup();
        let complement = |t: &Term| match self.node(*t) {
            Node::Not(a) => all.binary_search(a).is_ok(),
            _ => false,
        };
        if all.iter().any(complement) {
            return self.bool(!unit);
        }
        match all[..] {
            [] => self.bool(unit),
            [only] => only,
            _ if unit => self.intern(Node::And(all.into()), Sort::Bool),
            _ => self.intern(Node::Or(all.into()), Sort::Bool),
        }
    }

    /// `a` if `condition`, otherwise `b`.
    ///
    /// # Panics
    /// If the branches differ in sort: the caller's mistake.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.demand(b, sort);
        self.demand(condition, Sort::Bool);
        let (mut condition, mut a, mut b) = (condition, a, b);
        match *self.node(condition) {
            Node::Bool(true) => return a,
            Node::Bool(false) => return b,
            Node::Not(inner) => {
                condition = inner;
                std::mem::swap(&mut a, &mut b);
            }
            _ => {}
        }
        if let Node::Ite(c, x, _) = *self.node(a)
            && c == condition
        {
            a = x;
        }
        if let Node::Ite(c, _, y) = *self.node(b)
            && c == condition
        {
            b = y;
        }
        if a == b {
            return a;
        }
        if sort == Sort::Bool {
            return self.boolean_ite(condition, a, b);
        }
        // ite(c, x, ite(d, x, y)) = ite(c or d, x, y), for joins of paths that agree.
        if let Node::Ite(d, x, y) = *self.node(b)
            && x == a
        {
            let either = self.or(&[condition, d]);
            return self.ite(either, a, y);
        }
        self.intern(Node::Ite(condition, a, b), sort)
    }

    fn boolean_ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let not_condition = self.not(condition);
        // The condition is known inside its branches.
        let a = self.given(a, condition, not_condition);
        let b = self.given(b, not_condition, condition);
        match (self.node(a), self.node(b)) {
            _ if a == b => a,
            (Node::Bool(true), _) => self.or(&[condition, b]),
            (Node::Bool(false), _) => self.and(&[not_condition, b]),
            (_, Node::Bool(true)) => self.or(&[not_condition, a]),
            (_, Node::Bool(false)) => self.and(&[condition, a]),
            (_, Node::Not(inner)) if *inner == a => self.equal(condition, a),
            (Node::Not(inner), _) if *inner == b => {
                let same = self.equal(condition, b);
                self.not(same)
            }
            _ => self.intern(Node::Ite(condition, a, b), Sort::Bool),
        }
    }

    /// `t`, or its truth value if it is one of two literals with known values.
    fn given(&self, t: Term, truth: Term, falsehood: Term) -> Term {
        if t == truth {
            self.bool(true)
        } else if t == falsehood {
            self.bool(false)
        } else {
            t
        }
    }

    /// Equality of two terms of one sort.
    ///
    /// # Panics
    /// If the sorts differ: the caller's mistake.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.demand(b, sort);
        if a == b {
            return self.bool(true);
        }
        let (a, b) = self.ordered(a, b);
        if self.is_constant(a) && self.is_constant(b) {
            return self.bool(false);
        }
        match sort {
            Sort::Bool => self.equal_booleans(a, b),
            Sort::Int => self.equal_rest(a, b),
            Sort::Bits(_) => self.equal_bits(a, b),
        }
    }

    /// The two terms in normal order: a constant second, otherwise the larger one second.
    pub(super) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if (self.is_constant(a), a) > (self.is_constant(b), b) { (b, a) } else { (a, b) }
    }

    fn equal_booleans(&mut self, a: Term, b: Term) -> Term {
        match (self.node(a), self.node(b)) {
            (_, Node::Bool(true)) => a,
            (_, Node::Bool(false)) => self.not(a),
            (&Node::Not(x), &Node::Not(y)) => self.equal(x, y),
            (&Node::Not(x), _) if x == b => self.bool(false),
            (_, &Node::Not(y)) if y == a => self.bool(false),
            (&Node::Not(x), _) => {
                let same = self.equal(x, b);
                self.not(same)
            }
            (_, &Node::Not(y)) => {
                let same = self.equal(a, y);
                self.not(same)
            }
            _ => self.intern(Node::Equal(a, b), Sort::Bool),
        }
    }

    fn equal_bits(&mut self, a: Term, b: Term) -> Term {
        if let Some((x, y)) = self.moved(a, b) {
            return self.equal(x, y);
        }
        if let Some((x, y)) = self.cancelled(a, b) {
            return self.equal(x, y);
        }
        if let Some(decided) = self.equal_extended(a, b) {
            return decided;
        }
        self.equal_rest(a, b)
    }

    /// Moves a constant summand of both sides, or of the smaller side, to the larger side, so that
    /// `x + 1 = y` and `x = y - 1` are the same term; nothing if it is there already.
    fn moved(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        let sum = |t: Term| match *self.node(t) {
            Node::Binary(BitOp::Add, x, k) if self.is_constant(k) => (x, Some(k)),
            _ => (t, None),
        };
        let ((x, k), (y, l)) = (sum(a), sum(b));
        if self.is_constant(x) || self.is_constant(y) || k.is_none() && l.is_none() {
            return None;
        }
        let (first, k, second, l) = if x <= y { (x, k, y, l) } else { (y, l, x, k) };
        if k.is_none() && x != y {
            return None;
        }
        let zero = self.bits(self.width(a), 0);
        let (k, l) = (k.unwrap_or(zero), l.unwrap_or(zero));
        let difference = self.binary(BitOp::Sub, l, k);
        if x == y {
            return Some((zero, difference));
        }
        Some((first, self.binary(BitOp::Add, second, difference)))
    }

    /// A simpler pair that is equal iff this one is.
    fn cancelled(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.node(a).clone(), self.node(b).clone()) {
            // x + k1 = k2
            (Node::Binary(BitOp::Add, x, k), Node::Bits { .. }) if self.is_constant(k) => {
                Some((x, self.binary(BitOp::Sub, b, k)))
            }
            (Node::Binary(BitOp::Sub, x, y), Node::Bits { value: 0, .. })
            | (Node::Binary(BitOp::Xor, x, y), Node::Bits { value: 0, .. }) => Some((x, y)),
            (Node::Binary(BitOp::Add, x, k), Node::Binary(BitOp::Add, y, l)) => {
                if k == l {
                    Some((x, y))
                } else if x == y {
                    Some((k, l))
                } else {
                    None
                }
            }
            (Node::Unary(op, x), Node::Unary(other, y)) if op == other => Some((x, y)),
            (Node::Unary(op, x), Node::Bits { .. }) => Some((x, self.unary(op, b))),
            (Node::ZeroExtend { term: x, .. }, Node::ZeroExtend { term: y, .. })
            | (Node::SignExtend { term: x, .. }, Node::SignExtend { term: y, .. })
                if self.sort(x) == self.sort(y) =>
            {
                Some((x, y))
            }
            _ => None,
        }
    }

    /// Equality of an extension and a constant.
    fn equal_extended(&mut self, a: Term, b: Term) -> Option<Term> {
        let (inner, back) = match *self.node(a) {
            Node::ZeroExtend { to, term } => {
                let low = self.narrow_constant(b, term)?;
                (term, (low, self.zero_extend(to, low)))
            }
            Node::SignExtend { to, term } => {
                let low = self.narrow_constant(b, term)?;
                (term, (low, self.sign_extend(to, low)))
            }
            _ => return None,
        };
        let (low, again) = back;
        Some(if again == b { self.equal(inner, low) } else { self.bool(false) })
    }

    /// The low bits of the constant, as many as `like` has.
    fn narrow_constant(&mut self, constant: Term, like: Term) -> Option<Term> {
        let value = self.as_bits(constant)?;
        let width = self.width(like);
        Some(self.bits(width, value))
    }

    /// Equality of values, through `ite`s.
    fn equal_rest(&mut self, a: Term, b: Term) -> Term {
        if self.is_constant(b) {
            return self.equal_constant(a, b);
        }
        if let (Some((c, t, e)), Some((d, u, f))) = (self.constant_ite(a), self.constant_ite(b)) {
            let yes = self.ite_of_equal(d, t, u, f);
            let no = self.ite_of_equal(d, e, u, f);
            return self.ite(c, yes, no);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Ite(c, t, e) = *self.node(x) {
                if t == y {
                    let rest = self.equal(e, y);
                    return self.or(&[c, rest]);
                }
                if e == y {
                    let rest = self.equal(t, y);
                    let not_c = self.not(c);
                    return self.or(&[not_c, rest]);
                }
            }
        }
        self.intern(Node::Equal(a, b), Sort::Bool)
    }

    /// `k = ite(d, u, f)` for constants.
    fn ite_of_equal(&mut self, d: Term, k: Term, u: Term, f: Term) -> Term {
        let (yes, no) = (self.bool(k == u), self.bool(k == f));
        self.ite(d, yes, no)
    }

    /// `a = b` for a constant b: down a chain of `ite`s with a constant branch at each step.
    fn equal_constant(&mut self, a: Term, b: Term) -> Term {
        let mut steps = Vec::new();
        let mut rest = a;
        while steps.len() < CHAIN
            && let Node::Ite(c, t, e) = *self.node(rest)
        {
            if self.is_constant(t) {
                steps.push((c, true, t == b));
                rest = e;
            } else if self.is_constant(e) {
                steps.push((c, false, e == b));
                rest = t;
            } else {
                break;
            }
        }
        let mut result = if self.is_constant(rest) {
            self.bool(rest == b)
        } else if rest == a || steps.len() == CHAIN {
            self.intern(Node::Equal(rest, b), Sort::Bool)
        } else {
            self.equal(rest, b)
        };
        for (c, branch, same) in steps.into_iter().rev() {
            let known = self.bool(same);
            result = if branch { self.ite(c, known, result) } else { self.ite(c, result, known) };
        }
        result
    }

    /// Checks the sort of an operand.
    #[track_caller]
    pub(super) fn demand(&self, t: Term, sort: Sort) {
        assert_eq!(self.sort(t), sort, "sort of an operand");
    }
}
