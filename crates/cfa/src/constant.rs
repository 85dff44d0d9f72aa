//! Variables that are set once: after an assignment of a constant that is on every path and that no
//! other assignment follows, the variable is that constant.
//!
//! Drivers identify their states by variables that are initialised once; as constants they need no
//! predicates. Conditions that become false remove edges, which may reveal more constants.

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use super::automaton::Automaton;
use super::limits::Constants;
use super::operation::Operation;
use super::program::Location;
use super::prune::prune;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_smt::{Node, Symbol, Term, Terms, Value};

/// Replaces variables by constants, and removes what then becomes unreachable.
///
/// # Errors
/// If the budget is exhausted.
pub fn propagate(
    terms: &mut Terms,
    mut automaton: Automaton,
    limits: &Constants,
    budget: &Budget,
) -> Result<Automaton, Exhausted> {
    for _ in 0..limits.rounds {
        budget.check()?;
        let constants = constants(terms, &automaton, limits, budget)?;
        if !constants.is_empty() {
            substitute(terms, &mut automaton, &constants);
        }
        let before = automaton.edges.len();
        automaton.edges.retain(|edge| match edge.operation {
            Operation::Assume(condition) => terms.value(condition) != Some(Value::Bool(false)),
            _ => true,
        });
        if automaton.edges.len() == before {
            break;
        }
        automaton = prune(automaton);
    }
    Ok(automaton)
}

/// The value of a variable from an assignment on.
struct Constant {
    symbol: Symbol,
    value: Term,
    /// The target of the assignment's edge, which has no other incoming edge.
    from: Location,
}

fn constants(
    terms: &Terms,
    automaton: &Automaton,
    limits: &Constants,
    budget: &Budget,
) -> Result<Vec<Constant>, Exhausted> {
    let outgoing = automaton.outgoing();
    let mut incoming = vec![0_u32; automaton.locations as usize];
    let mut assignments: FxHashMap<Symbol, Vec<(u32, Option<Term>)>> = FxHashMap::default();
    for (i, edge) in automaton.edges.iter().enumerate() {
        incoming[edge.target.index()] += 1;
        for (symbol, value) in edge.operation.changes() {
            assignments.entry(symbol).or_default().push((i as u32, value));
        }
    }
    let mut symbols: Vec<_> =
        assignments.into_iter().filter(|(_, all)| all.len() <= limits.assignments).collect();
    symbols.sort_unstable_by_key(|(symbol, _)| *symbol);
    let mut found = Vec::new();
    for (symbol, all) in symbols {
        for &(edge, value) in &all {
            let Some(value) = value.filter(|v| terms.value(*v).is_some()) else { continue };
            let from = automaton.edges[edge as usize].target;
            // If there were several incoming edges, they would have to agree.
            if incoming[from.index()] != 1 {
                continue;
            }
            budget.check()?;
            let others = all.iter().filter(|(e, _)| *e != edge).map(|(e, _)| *e);
            let others: Vec<u32> = others.collect();
            if others.is_empty() || !reaches(automaton, &outgoing, from, &others) {
                found.push(Constant { symbol, value, from });
            }
        }
    }
    Ok(found)
}

/// Whether one of the edges can be passed after a location.
fn reaches(automaton: &Automaton, outgoing: &[Vec<u32>], from: Location, edges: &[u32]) -> bool {
    let mut seen = vec![false; automaton.locations as usize];
    let mut todo = vec![from];
    while let Some(location) = todo.pop() {
        if std::mem::replace(&mut seen[location.index()], true) {
            continue;
        }
        for edge in &outgoing[location.index()] {
            if edges.contains(edge) {
                return true;
            }
            todo.push(automaton.edges[*edge as usize].target);
        }
    }
    false
}

/// Answers in constant time whether one location dominates another; indexed by location.
struct Tree {
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Tree {
    fn new(automaton: &Automaton) -> Self {
        let n = automaton.locations as usize;
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(n, automaton.edges.len());
        for _ in 0..n {
            graph.add_node(());
        }
        for edge in &automaton.edges {
            let ends = [edge.source, edge.target].map(|l| NodeIndex::new(l.index()));
            graph.add_edge(ends[0], ends[1], ());
        }
        let root = NodeIndex::new(automaton.entry.index());
        let dominators: Dominators<NodeIndex> = simple_fast(&graph, root);
        let mut children = vec![vec![]; n];
        for node in graph.node_indices() {
            if let Some(parent) = dominators.immediate_dominator(node) {
                children[parent.index()].push(node.index());
            }
        }
        // Unreachable locations are not in any interval.
        let mut tree = Self { enter: vec![u32::MAX; n], leave: vec![0; n] };
        let mut clock = 0;
        let mut todo = vec![(root.index(), 0)];
        while let Some((node, next)) = todo.pop() {
            if next == 0 {
                tree.enter[node] = clock;
                clock += 1;
            }
            match children[node].get(next) {
                Some(&child) => todo.extend([(node, next + 1), (child, 0)]),
                None => tree.leave[node] = clock,
            }
        }
        tree
    }

    fn dominates(&self, a: Location, b: Location) -> bool {
        let (enter, leave) = (self.enter[a.index()], self.leave[a.index()]);
        (enter..leave).contains(&self.enter[b.index()])
    }
}

fn substitute(terms: &mut Terms, automaton: &mut Automaton, constants: &[Constant]) {
    let tree = Tree::new(automaton);
    let mut by_symbol: FxHashMap<Symbol, Vec<&Constant>> = FxHashMap::default();
    for constant in constants {
        by_symbol.entry(constant.symbol).or_default().push(constant);
    }
    for edge in &mut automaton.edges {
        let at = edge.source;
        let mut replace = |term: Term| {
            terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(symbol) => by_symbol
                    .get(&symbol)?
                    .iter()
                    .find(|c| tree.dominates(c.from, at))
                    .map(|c| c.value),
                _ => None,
            })
        };
        match &mut edge.operation {
            Operation::Assume(condition) => *condition = replace(*condition),
            Operation::Assign(_, value) => *value = replace(*value),
            Operation::Parallel(all) => {
                all.iter_mut().for_each(|(_, value)| *value = replace(*value));
            }
            Operation::Skip | Operation::Havoc(..) => {}
        }
    }
}
