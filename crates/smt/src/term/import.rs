//! Copies terms from one store to another.

use super::node::{Node, Term};
use super::store::Terms;
use super::traverse::Memo;

impl Terms {
    /// Copies a term of another store; symbols keep their names.  The memo may be kept for further
    /// terms of that store.
    ///
    /// # Panics
    /// If a name has another sort here.
    pub fn import(&mut self, from: &Terms, term: Term, memo: &mut Memo) -> Term {
        for t in from.postorder(&[term], |t| memo.contains_key(&t)) {
            let new = self.import_node(from, t, memo);
            memo.insert(t, new);
        }
        memo[&term]
    }

    /// Copies a term after its children.
    fn import_node(&mut self, from: &Terms, t: Term, memo: &Memo) -> Term {
        let map = |all: &[Term]| all.iter().map(|a| memo[a]).collect::<Vec<_>>();
        let symbol = |to: &mut Self, s| to.symbol(from.name(s), from.symbol_sort(s));
        match *from.node(t) {
            Node::Bool(b) => self.bool(b),
            Node::Bits { width, value } => self.bits(width, value),
            Node::Int(i) => self.int(i),
            Node::Variable(s) => {
                let s = symbol(self, s);
                self.variable(s)
            }
            Node::Instance(s, index) => {
                let s = symbol(self, s);
                self.instance(s, index)
            }
            Node::Not(a) => self.not(memo[&a]),
            Node::And(ref all) => self.and(&map(all)),
            Node::Or(ref all) => self.or(&map(all)),
            Node::Ite(c, a, b) => self.ite(memo[&c], memo[&a], memo[&b]),
            Node::Equal(a, b) => self.equal(memo[&a], memo[&b]),
            Node::Unary(op, a) => self.unary(op, memo[&a]),
            Node::Binary(op, a, b) => self.binary(op, memo[&a], memo[&b]),
            Node::Float(op, ref all) => self.float(op, &map(all)),
            Node::Compare(op, a, b) => self.compare(op, memo[&a], memo[&b]),
            Node::Extract { high, low, term } => self.extract(high, low, memo[&term]),
            Node::ZeroExtend { to, term } => self.zero_extend(to, memo[&term]),
            Node::SignExtend { to, term } => self.sign_extend(to, memo[&term]),
            Node::Concat(a, b) => self.concat(memo[&a], memo[&b]),
            Node::IntAdd(ref all) => self.int_add(&map(all)),
            Node::IntScale(k, a) => self.int_scale(k, memo[&a]),
            Node::IntLe(a, b) => self.int_le(memo[&a], memo[&b]),
        }
    }
}
