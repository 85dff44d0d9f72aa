//! Cone of influence: removes variables on which no condition depends, and assignments to them.
//!
//! All conditions stay, so the automaton keeps its paths: a sequence of edges can be passed after
//! slicing if and only if it could be before.

use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::Automaton;
use super::operation::Operation;
use hardbop_smt::{Node, Symbol, Term, Terms};

/// Removes assignments to variables on which no condition depends.
#[must_use]
pub fn slice(terms: &Terms, mut automaton: Automaton) -> Automaton {
    let relevant = relevant(terms, &automaton);
    for edge in &mut automaton.edges {
        let operation = std::mem::replace(&mut edge.operation, Operation::Skip);
        edge.operation = match operation {
            Operation::Assign(s, _) | Operation::Havoc(s, _) if !relevant.contains(&s) => {
                Operation::Skip
            }
            Operation::Parallel(mut all) => {
                all.retain(|(s, _)| relevant.contains(s));
                match all.as_slice() {
                    [] => Operation::Skip,
                    &[(s, e)] => Operation::Assign(s, e),
                    _ => Operation::Parallel(all),
                }
            }
            other => other,
        };
    }
    automaton
}

/// The variables on which conditions depend.
fn relevant(terms: &Terms, automaton: &Automaton) -> FxHashSet<Symbol> {
    let mut values: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found: FxHashSet<Symbol> = FxHashSet::default();
    let mut todo: Vec<Symbol> = Vec::new();
    let mut need = |term: Term, todo: &mut Vec<Symbol>| {
        if seen.insert(term) {
            todo.extend(terms.support(term).into_iter().filter_map(
                |leaf| match *terms.node(leaf) {
                    Node::Variable(s) | Node::Instance(s, _) => Some(s),
                    _ => None,
                },
            ));
        }
    };
    for edge in &automaton.edges {
        match &edge.operation {
            Operation::Assume(condition) => need(*condition, &mut todo),
            operation => {
                for (symbol, value) in operation.changes() {
                    values.entry(symbol).or_default().extend(value);
                }
            }
        }
    }
    while let Some(symbol) = todo.pop() {
        if found.insert(symbol) {
            for &value in values.get(&symbol).into_iter().flatten() {
                need(value, &mut todo);
            }
        }
    }
    found
}
