//! Predicates that the program text suggests: its conditions, and comparisons of variables with the
//! constants that meet them.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::cells::cells;
use hardbop_cfa::Operation;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms};

type Set<T> = IndexSet<T, FxBuildHasher>;

/// Candidate predicates by variable.
///
/// Variables that are assigned to or compared with each other form a class, and share all constants
/// that one of them is compared with or assigned.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Conditions of the text in which a variable occurs.
    conditions: FxHashMap<Symbol, Set<Term>>,
    /// Another variable of the same class; none for the leader of the class.
    classes: FxHashMap<Symbol, Symbol>,
    /// The constants that meet a variable, and those that meet any variable of a class (by leader).
    constants: FxHashMap<Symbol, Set<Constant>>,
    shared: FxHashMap<Symbol, Set<Constant>>,
}

/// How a constant meets a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Constant {
    /// The variable is equal to it, or it is assigned to the variable.
    Value(u64),
    /// The variable is compared as less than it.
    Above(Comparison, u64),
}

impl Candidates {
    /// The candidates that the operations of a program suggest.
    pub fn new<'o>(
        terms: &mut Terms,
        operations: impl Iterator<Item = &'o Operation> + Clone,
    ) -> Self {
        let mut found = Self::default();
        for atom in cells(terms, operations.clone()) {
            found.condition(terms, atom);
        }
        let mut conditions: Set<Term> = Set::default();
        let mut values: Set<(Symbol, Term)> = Set::default();
        for operation in operations {
            for t in operation.terms() {
                let inner = terms.postorder(&[t], |_| false);
                conditions.extend(inner.into_iter().filter_map(|t| match *terms.node(t) {
                    Node::Ite(c, _, _) => Some(c),
                    _ => None,
                }));
            }
            match operation {
                Operation::Assume(condition) => {
                    conditions.insert(*condition);
                }
                operation => {
                    values.extend(operation.changes().filter_map(|(s, e)| Some((s, e?))));
                }
            }
        }
        let mut atoms: Set<Term> = Set::default();
        for condition in conditions {
            atoms.extend(terms.atoms(condition));
        }
        for &atom in &atoms {
            found.condition(terms, atom);
        }
        for (symbol, value) in values {
            found.value(terms, symbol, value);
        }
        found.join();
        found
    }

    /// Predicates that may tell something about the variable; each mentions it.  If its class has
    /// more than `most` constants, only those that the variable itself meets are used.
    pub fn of(&self, terms: &mut Terms, symbol: Symbol, most: usize) -> Vec<Term> {
        let mut all: Set<Term> = self.conditions.get(&symbol).cloned().unwrap_or_default();
        let variable = terms.variable(symbol);
        let width = match terms.symbol_sort(symbol) {
            Sort::Bits(width) => width,
            Sort::Bool => {
                all.insert(variable);
                return all.into_iter().collect();
            }
            Sort::Int => return all.into_iter().collect(),
        };
        let class = self.shared.get(&self.class(symbol));
        let constants = class.filter(|c| c.len() <= most).or(self.constants.get(&symbol));
        for &constant in constants.into_iter().flatten() {
            let candidate = match constant {
                Constant::Value(c) => {
                    let c = terms.bits(width, c);
                    terms.equal(variable, c)
                }
                Constant::Above(comparison, c) => {
                    let c = terms.bits(width, c);
                    terms.compare(comparison, variable, c)
                }
            };
            if terms.value(candidate).is_none() {
                all.insert(candidate);
            }
        }
        all.into_iter().collect()
    }

    /// The constants that a variable of the class is equal to or is assigned somewhere, without
    /// order.
    pub fn values(&self, symbol: Symbol) -> Vec<u64> {
        let class = self.shared.get(&self.class(symbol)).into_iter().flatten();
        let values = class.filter_map(|c| match *c {
            Constant::Value(v) => Some(v),
            Constant::Above(..) => None,
        });
        values.collect()
    }

    /// Whether one of the variables may be compared with the other, or assigned to it, directly or
    /// through others.
    pub fn meet(&self, a: Symbol, b: Symbol) -> bool {
        self.class(a) == self.class(b)
    }

    fn condition(&mut self, terms: &mut Terms, atom: Term) {
        // A loop with the guard `i < n` often has the invariant `i <= n`.
        let mirrored = match *terms.node(atom) {
            Node::Compare(comparison, a, b) => Some(terms.compare(comparison, b, a)),
            _ => None,
        };
        for leaf in terms.support(atom) {
            if let Node::Variable(s) = *terms.node(leaf) {
                self.conditions.entry(s).or_default().extend(mirrored.into_iter().chain([atom]));
            }
        }
        match *terms.node(atom) {
            Node::Equal(a, b) => match (variable(terms, a), variable(terms, b)) {
                (Some(a), Some(b)) => self.link(a, b),
                (Some(a), None) => self.value(terms, a, b),
                _ => {}
            },
            Node::Compare(comparison, a, b) => match (variable(terms, a), variable(terms, b)) {
                (Some(a), Some(b)) => self.link(a, b),
                (Some(a), None) => {
                    if let Some(c) = terms.as_bits(b) {
                        self.constant(a, Constant::Above(comparison, c));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Records that the variable may have this value.
    fn value(&mut self, terms: &Terms, symbol: Symbol, value: Term) {
        let mut todo = vec![value];
        let mut seen: Set<Term> = Set::default();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match *terms.node(t) {
                Node::Ite(_, a, b) => todo.extend([b, a]),
                Node::Bits { value, .. } => self.constant(symbol, Constant::Value(value)),
                Node::Variable(s) => self.link(symbol, s),
                _ => {}
            }
        }
    }

    fn constant(&mut self, symbol: Symbol, constant: Constant) {
        self.constants.entry(symbol).or_default().insert(constant);
    }

    fn class(&self, mut symbol: Symbol) -> Symbol {
        while let Some(&next) = self.classes.get(&symbol) {
            symbol = next;
        }
        symbol
    }

    fn link(&mut self, a: Symbol, b: Symbol) {
        let (a, b) = (self.class(a), self.class(b));
        if a != b {
            // The smaller one becomes the leader, so that the order of calls does not matter.
            self.classes.insert(a.max(b), a.min(b));
        }
    }

    /// Gives each class the constants of its members.
    fn join(&mut self) {
        let mut own: Vec<(Symbol, Set<Constant>)> =
            self.constants.iter().map(|(&s, c)| (s, c.clone())).collect();
        own.sort_unstable_by_key(|&(s, _)| s);
        for (symbol, constants) in own {
            let class = self.class(symbol);
            self.shared.entry(class).or_default().extend(constants);
        }
        // Links each variable directly to its leader.
        let all: Vec<Symbol> = self.classes.keys().copied().collect();
        for symbol in all {
            let class = self.class(symbol);
            self.classes.insert(symbol, class);
        }
    }
}

/// Relations between variables that loops often preserve, independent of the text: comparisons,
/// equal distances, and signs.  Meant for a few variables, since the number of relations grows with
/// the square.
pub fn relations(terms: &mut Terms, symbols: &[Symbol]) -> Vec<Term> {
    use Comparison::SLt;
    let mut found: Set<Term> = Set::default();
    let mut add = |terms: &Terms, t: Term| {
        if terms.value(t).is_none() {
            found.insert(t);
        }
    };
    let variables: Vec<(u32, Term)> = symbols
        .iter()
        .filter_map(|&s| match terms.symbol_sort(s) {
            Sort::Bits(width) if width > 1 => Some((width, terms.variable(s))),
            _ => None,
        })
        .collect();
    for (i, &(width, x)) in variables.iter().enumerate() {
        for c in [0, 1] {
            let c = terms.bits(width, c);
            let (equal, less) = (terms.equal(x, c), terms.compare(SLt, x, c));
            add(terms, equal);
            add(terms, less);
        }
        let odd = terms.extract(0, 0, x);
        let (zero, one) = (terms.bits(1, 0), terms.bits(width, 1));
        let even = terms.equal(odd, zero);
        add(terms, even);
        for (j, &(other, y)) in variables.iter().enumerate() {
            if i == j || width != other {
                continue;
            }
            let next = terms.binary(BitOp::Add, x, one);
            let (less, follows) = (terms.compare(SLt, x, y), terms.equal(next, y));
            add(terms, less);
            add(terms, follows);
            if i < j {
                let equal = terms.equal(x, y);
                add(terms, equal);
            }
        }
    }
    found.into_iter().collect()
}

fn variable(terms: &Terms, t: Term) -> Option<Symbol> {
    match *terms.node(t) {
        Node::Variable(s) => Some(s),
        _ => None,
    }
}
