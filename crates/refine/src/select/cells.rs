//! Predicates about one element of an array that stands for all (`Model::OneCell` of C programs).
//!
//! A read of it is `ite(i == k, cell, t)`, a write is `cell := ite(i == k, value, cell)`, where `k`
//! is the index of the element and `t` is any value. What a loop over the array preserves is `k <
//! i => cell == value`, with `i` in `value` replaced by `k`; neither part of it is in the text.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use hardbop_cfa::{Operation, Origin};
use hardbop_smt::term::Memo;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms};

/// The number of cells that one read chooses from, at most, for which predicates are made.
const CHOICES: usize = 4;

type Set = IndexSet<Term, FxBuildHasher>;

/// The atoms that reads and writes of such elements suggest.
pub(super) fn cells<'o>(
    terms: &mut Terms,
    operations: impl Iterator<Item = &'o Operation>,
) -> Vec<Term> {
    let mut free: FxHashSet<Symbol> = FxHashSet::default();
    let mut set: FxHashSet<Symbol> = FxHashSet::default();
    let mut conditions: Set = Set::default();
    let mut values: IndexSet<(Symbol, Term), FxBuildHasher> = IndexSet::default();
    for operation in operations {
        match operation {
            Operation::Havoc(symbol, Origin::Approximation) => {
                free.insert(*symbol);
            }
            Operation::Assume(condition) => {
                conditions.insert(*condition);
            }
            operation => {
                for (symbol, value) in operation.changes() {
                    set.insert(symbol);
                    values.extend(value.map(|value| (symbol, value)));
                }
            }
        }
    }
    free.retain(|symbol| !set.contains(symbol));
    let mut cells = Cells { free, found: Set::default(), pairs: IndexSet::default() };
    for &condition in &conditions {
        cells.condition(terms, condition);
    }
    for (symbol, value) in values {
        cells.value(terms, symbol, value);
    }
    for condition in conditions {
        for atom in terms.atoms(condition) {
            cells.bounds(terms, atom);
        }
    }
    cells.found.into_iter().filter(|&t| terms.value(t).is_none()).collect()
}

struct Cells {
    /// Variables that have any value, and keep it.
    free: FxHashSet<Symbol>,
    found: Set,
    /// Indices, and those of the elements to which they are compared.
    pairs: IndexSet<(Term, Term), FxBuildHasher>,
}

impl Cells {
    fn is_free(&self, terms: &Terms, t: Term) -> bool {
        matches!(*terms.node(t), Node::Variable(s) if self.free.contains(&s))
    }

    fn mentions_free(&self, terms: &Terms, t: Term) -> bool {
        terms.support(t).into_iter().any(|leaf| self.is_free(terms, leaf))
    }

    /// The conditions under which terms within `t` are chosen.
    fn choices(terms: &Terms, t: Term) -> Vec<Term> {
        let inner = terms.postorder(&[t], |_| false);
        let conditions = inner.into_iter().filter_map(|t| match *terms.node(t) {
            Node::Ite(c, ..) => Some(c),
            _ => None,
        });
        conditions.collect()
    }

    /// `t` where each read is of the same one of its cells: one term for each cell; none without
    /// such reads.
    fn read(&self, terms: &mut Terms, t: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for n in 0..CHOICES {
            let mut now = t;
            // Reads may be within reads.
            for _ in 0..CHOICES {
                let next =
                    terms.replace(now, &mut Memo::default(), |terms, t| self.cell(terms, t, n));
                if next == now {
                    break;
                }
                now = next;
            }
            if now != t && !found.contains(&now) {
                found.push(now);
            }
        }
        found
    }

    /// The `n`th cell, or the last one, that a read may be of.
    fn cell(&self, terms: &Terms, read: Term, n: usize) -> Option<Term> {
        let mut arms = Vec::new();
        let mut t = read;
        while let Node::Ite(_, cell, rest) = *terms.node(t) {
            arms.push(cell);
            t = rest;
        }
        if !self.is_free(terms, t) {
            return None;
        }
        arms.get(n).or(arms.last()).copied()
    }

    fn condition(&mut self, terms: &mut Terms, condition: Term) {
        for t in Self::choices(terms, condition) {
            self.order(terms, t);
        }
        self.order(terms, condition);
        for t in self.read(terms, condition) {
            let atoms = terms.atoms(t);
            self.found.extend(atoms);
        }
    }

    /// Adds which one is less, where an index is compared with that of the element.
    fn order(&mut self, terms: &mut Terms, condition: Term) {
        for (index, own) in self.indices(terms, condition) {
            let less = terms.compare(Comparison::SLt, own, index);
            self.found.insert(less);
            // Whether it is within the array.
            let zero = terms.bits(terms.width(index), 0);
            let negative = terms.compare(Comparison::SLt, index, zero);
            self.found.insert(negative);
            self.pairs.insert((index, own));
        }
    }

    /// Adds the bound of an index as a bound of that of the element.
    fn bounds(&mut self, terms: &mut Terms, atom: Term) {
        let &Node::Compare(comparison, a, b) = terms.node(atom) else { return };
        for (index, own) in self.pairs.clone() {
            let &[leaf] = terms.support(index).as_slice() else { continue };
            let wide = terms.width(index);
            if (a != leaf && b != leaf) || terms.width(a) > wide {
                continue;
            }
            let signed = matches!(comparison, Comparison::SLt | Comparison::SLe);
            let extend = |terms: &mut Terms, t: Term| match signed {
                true => terms.sign_extend(wide, t),
                false => terms.zero_extend(wide, t),
            };
            if extend(terms, leaf) != index {
                continue;
            }
            let (low, high) = (extend(terms, a), extend(terms, b));
            let low = if a == leaf { own } else { low };
            let high = if b == leaf { own } else { high };
            let bound = terms.compare(comparison, low, high);
            self.found.insert(bound);
        }
    }

    /// The equations in a condition between an index and that of the element: pairs of them.
    fn indices(&self, terms: &mut Terms, condition: Term) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        for atom in terms.atoms(condition) {
            let &Node::Equal(mut a, mut b) = terms.node(atom) else { continue };
            // Of distances in bytes, the indices.
            if let (&Node::Binary(BitOp::Mul, x, c), &Node::Binary(BitOp::Mul, y, d)) =
                (terms.node(a), terms.node(b))
                && c == d
            {
                (a, b) = (x, y);
            }
            if !matches!(terms.sort(a), Sort::Bits(width) if width > 8) {
                continue;
            }
            for (index, own) in [(a, b), (b, a)] {
                let constant = terms.as_bits(index).is_some();
                if !constant && self.mentions_free(terms, own) && !self.mentions_free(terms, index)
                {
                    found.push((index, own));
                }
            }
        }
        found
    }

    fn value(&mut self, terms: &mut Terms, symbol: Symbol, value: Term) {
        for t in Self::choices(terms, value) {
            self.order(terms, t);
        }
        let variable = terms.variable(symbol);
        let Node::Ite(condition, written, _) = *terms.node(value) else { return };
        let indices = self.indices(terms, condition);
        if indices.is_empty() {
            return;
        }
        let mut all = vec![written];
        all.extend(self.read(terms, written));
        for (index, own) in indices {
            for condition in Self::choices(terms, written) {
                let there = Self::at(terms, condition, index, own);
                let atoms = there.map(|there| terms.atoms(there)).unwrap_or_default();
                self.found.extend(atoms);
            }
            for &t in &all {
                let there = Self::at(terms, t, index, own);
                for t in [Some(t), there].into_iter().flatten() {
                    let equal = terms.equal(variable, t);
                    self.found.insert(equal);
                }
            }
        }
    }

    /// `t` with the variable of which the index consists replaced by the index of the element.
    fn at(terms: &mut Terms, t: Term, index: Term, own: Term) -> Option<Term> {
        let &[leaf] = terms.support(index).as_slice() else { return None };
        let (width, wide) = (terms.width(leaf), terms.width(index));
        let as_index = [terms.sign_extend(wide, leaf), terms.zero_extend(wide, leaf)];
        if !as_index.contains(&index) {
            return None;
        }
        let narrow = terms.extract(width - 1, 0, own);
        let there = terms.substitute(t, |_, l| (l == leaf).then_some(narrow));
        (there != t).then_some(there)
    }
}
