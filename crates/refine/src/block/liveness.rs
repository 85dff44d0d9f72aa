//! Live variables at the locations between blocks, the cut points: variables whose values can still
//! decide which blocks can be passed.  ([`Liveness`](hardbop_cfa::live::Liveness), in contrast,
//! covers all locations and counts every read.)

use rustc_hash::{FxHashMap, FxHashSet};

use super::problem::Problem;
use hardbop_cfa::Location;
use hardbop_cfa::encode::Relation;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// Sets of variables by location.
#[derive(Debug, Clone, Default)]
pub struct CutLiveness {
    at: FxHashMap<Location, FxHashSet<Symbol>>,
}

impl CutLiveness {
    /// Computes the live variables of all locations: the least fixed point, backwards over the
    /// blocks.
    pub fn new(terms: &mut Terms, problem: &mut Problem) -> Self {
        let mut uses = vec![];
        for b in 0..problem.summary.blocks.len() {
            let relation = problem.relation(terms, b);
            uses.push(Uses::new(terms, relation));
        }
        let mut incoming: FxHashMap<Location, Vec<usize>> = FxHashMap::default();
        for (b, block) in problem.summary.blocks.iter().enumerate() {
            incoming.entry(block.target).or_default().push(b);
        }
        let mut live = Self::default();
        let mut todo: Vec<usize> = (0..uses.len()).collect();
        while let Some(b) = todo.pop() {
            let block = &problem.summary.blocks[b];
            let after = live.at.get(&block.target).cloned().unwrap_or_default();
            let before = live.at.entry(block.source).or_default();
            let count = before.len();
            uses[b].before(&after, before);
            if before.len() > count {
                todo.extend(incoming.get(&block.source).into_iter().flatten());
            }
        }
        live
    }

    /// Can the variable's value at the location still matter?
    pub fn is_live(&self, location: Location, symbol: Symbol) -> bool {
        self.at.get(&location).is_some_and(|set| set.contains(&symbol))
    }

    /// The live variables at the location, in order.
    pub fn at(&self, location: Location) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = self.at.get(&location).into_iter().flatten().copied().collect();
        all.sort_unstable();
        all
    }
}

/// The variables that a block reads.
struct Uses {
    /// Variables that decide whether the block can be passed.
    conditions: FxHashSet<Symbol>,
    /// Variables that it may change, each with the variables on which the new value depends.
    changes: FxHashMap<Symbol, FxHashSet<Symbol>>,
}

impl Uses {
    fn new(terms: &Terms, relation: &Relation) -> Self {
        // A definition of an instance within the block is read where the instance is.
        let mut definitions: FxHashMap<Term, Term> = FxHashMap::default();
        let mut conditions = vec![];
        for &c in &relation.conjuncts {
            match defined(terms, c) {
                Some((instance, value)) if !definitions.contains_key(&instance) => {
                    definitions.insert(instance, value);
                }
                _ => conditions.push(c),
            }
        }
        let read = |roots: Vec<Term>| {
            let mut found = FxHashSet::default();
            let mut seen: FxHashSet<Term> = FxHashSet::default();
            let mut todo = roots;
            while let Some(t) = todo.pop() {
                for leaf in terms.support(t) {
                    if !seen.insert(leaf) {
                        continue;
                    }
                    if let Node::Instance(s, 0) = *terms.node(leaf) {
                        found.insert(s);
                    }
                    todo.extend(definitions.get(&leaf));
                }
            }
            found
        };
        Self {
            conditions: read(conditions),
            changes: relation.post.iter().map(|&(s, t)| (s, read(vec![t]))).collect(),
        }
    }

    /// Adds what is live before the block if `after` is live after it.
    fn before(&self, after: &FxHashSet<Symbol>, before: &mut FxHashSet<Symbol>) {
        before.extend(&self.conditions);
        for symbol in after {
            match self.changes.get(symbol) {
                Some(read) => before.extend(read),
                None => {
                    before.insert(*symbol);
                }
            }
        }
    }
}

/// The instance that a conjunct defines, and its value.
fn defined(terms: &Terms, conjunct: Term) -> Option<(Term, Term)> {
    let instance = |t: Term| matches!(*terms.node(t), Node::Instance(_, k) if k > 0);
    match *terms.node(conjunct) {
        Node::Equal(a, b) if instance(a) => Some((a, b)),
        Node::Equal(a, b) if instance(b) => Some((b, a)),
        Node::Instance(..) if instance(conjunct) => None,
        _ => None,
    }
}
