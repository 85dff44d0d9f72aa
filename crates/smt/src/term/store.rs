//! The store of terms: symbols, constants and leaves.

use std::fmt;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::node::{Node, Sort, Symbol, Term, Value};
use super::semantics;

/// The store of all terms.
///
/// ```
/// use hardbop_smt::{Comparison, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let (x, ten) = (terms.variable(x), terms.bits(8, 10));
/// let below = terms.compare(Comparison::ULt, x, ten);
/// let not_below = terms.not(below);
/// assert_eq!(terms.display(not_below).to_string(), "(bvule #x0a x)");
/// assert_eq!(terms.or(&[below, not_below]), terms.bool(true)); // simplified as it is built
/// ```
#[derive(Clone)]
pub struct Terms {
    pub(super) nodes: IndexSet<Node, FxBuildHasher>,
    pub(super) sorts: Vec<Sort>,
    pub(super) symbols: IndexMap<String, Sort, FxBuildHasher>,
    /// The number of fresh symbols for each prefix.
    pub(super) fresh: IndexMap<String, u32, FxBuildHasher>,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms")
            .field("terms", &self.nodes.len())
            .field("symbols", &self.symbols.len())
            .finish_non_exhaustive()
    }
}

impl Terms {
    /// A store that contains only the two Boolean constants.
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: IndexSet::default(),
            sorts: Vec::new(),
            symbols: IndexMap::default(),
            fresh: IndexMap::default(),
        };
        terms.intern(Node::Bool(false), Sort::Bool);
        terms.intern(Node::Bool(true), Sort::Bool);
        terms
    }

    /// The number of terms; every [`Term::index`] is smaller.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: the Boolean constants are always there.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The symbol with that name; the same name gives the same symbol.
    ///
    /// # Panics
    /// If the name has been used with another sort, or the sort is a bit-vector of width 0 or of
    /// more than 64 bits: the caller's mistake.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Symbol {
        assert!(
            !matches!(sort, Sort::Bits(0 | 65..)),
            "a bit-vector has 1 to 64 bits, '{name}' has {sort:?}"
        );
        let index = match self.symbols.get_full(name) {
            Some((index, _, &known)) => {
                assert_eq!(known, sort, "sorts of '{name}'");
                index
            }
            None => self.symbols.insert_full(name.to_owned(), sort).0,
        };
        Symbol(u32::try_from(index).expect("fewer than 2^32 symbols"))
    }

    /// A symbol of hardbop's own: programs and descriptions of automata cannot spell a name that
    /// begins with `#`.
    #[inline]
    pub fn own_symbol(&mut self, name: &str, sort: Sort) -> Symbol {
        self.symbol(&format!("#{name}"), sort)
    }

    /// The symbol with that name, if there is one.
    #[inline]
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.get_index_of(name).and_then(|i| u32::try_from(i).ok()).map(Symbol)
    }

    /// A symbol with a new name, `prefix#k`; names are the same in every run.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Symbol {
        loop {
            let count = self.fresh.entry(prefix.to_owned()).or_insert(0);
            let name = format!("{prefix}#{count}");
            *count += 1;
            if !self.symbols.contains_key(&name) {
                return self.symbol(&name, sort);
            }
        }
    }

    /// The name of a symbol.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &str {
        let entry = self.symbols.get_index(symbol.index());
        entry.map_or("", |(name, _)| name.as_str())
    }

    /// The sort of a symbol.
    ///
    /// # Panics
    /// If the symbol belongs to another store.
    #[inline]
    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.index()]
    }

    /// The program variable, as it occurs in predicates and operations.
    #[inline]
    pub fn variable(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbol_sort(symbol);
        self.intern(Node::Variable(symbol), sort)
    }

    /// The copy of the variable with this index, as it occurs in path formulas.
    #[inline]
    pub fn instance(&mut self, symbol: Symbol, index: u32) -> Term {
        let sort = self.symbol_sort(symbol);
        self.intern(Node::Instance(symbol, index), sort)
    }

    /// The copy of a variable with this index, if it exists already.
    #[inline]
    pub fn find_instance(&self, symbol: Symbol, index: u32) -> Option<Term> {
        let index = self.nodes.get_index_of(&Node::Instance(symbol, index))?;
        Some(Term(u32::try_from(index).expect("fewer than 2^32 terms")))
    }

    /// A Boolean constant.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        Term(u32::from(value))
    }

    /// A bit-vector constant; only the lowest `width` bits of `value` count.
    ///
    /// # Panics
    /// If the width is not in 1..=64.
    #[inline]
    pub fn bits(&mut self, width: u32, value: u64) -> Term {
        assert!((1..=64).contains(&width), "a bit-vector has 1 to 64 bits, not {width}");
        let value = value & semantics::mask(width);
        self.intern(Node::Bits { width, value }, Sort::Bits(width))
    }

    /// An integer constant.
    #[inline]
    pub fn int(&mut self, value: i128) -> Term {
        self.intern(Node::Int(value), Sort::Int)
    }

    /// The constant with that value and sort.
    ///
    /// # Panics
    /// If value and sort do not match.
    pub fn constant(&mut self, value: Value, sort: Sort) -> Term {
        match (value, sort) {
            (Value::Bool(b), Sort::Bool) => self.bool(b),
            (Value::Bits(b), Sort::Bits(width)) => self.bits(width, b),
            (Value::Int(i), Sort::Int) => self.int(i),
            _ => panic!("{value:?} is not of sort {sort:?}"),
        }
    }

    /// The structure of the term.
    ///
    /// # Panics
    /// If the term belongs to another store.
    #[inline]
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The sort of the term.
    ///
    /// # Panics
    /// If the term belongs to another store.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// The width of a bit-vector.
    ///
    /// # Panics
    /// If the term is not a bit-vector.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("a bit-vector is needed, not {sort:?}"),
        }
    }

    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<Value> {
        match *self.node(term) {
            Node::Bool(b) => Some(Value::Bool(b)),
            Node::Bits { value, .. } => Some(Value::Bits(value)),
            Node::Int(i) => Some(Value::Int(i)),
            _ => None,
        }
    }

    /// The bits of a bit-vector constant.
    pub fn as_bits(&self, term: Term) -> Option<u64> {
        match *self.node(term) {
            Node::Bits { value, .. } => Some(value),
            _ => None,
        }
    }

    pub(super) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let (index, new) = self.nodes.insert_full(node);
        if new {
            self.sorts.push(sort);
        }
        Term(u32::try_from(index).expect("fewer than 2^32 terms"))
    }

    /// An `ite` of two constants, into which operators are moved.
    pub(super) fn constant_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        match *self.node(term) {
            Node::Ite(c, t, e) if self.is_constant(t) && self.is_constant(e) => Some((c, t, e)),
            _ => None,
        }
    }

    pub(super) fn is_constant(&self, term: Term) -> bool {
        self.node(term).is_constant()
    }
}
