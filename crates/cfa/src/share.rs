//! Temporaries that are never live at the same location share a variable.
//!
//! Each call and each conversion in the text has temporaries of its own, so a function of 10,000
//! ifs has as many. What keeps a value for each variable, as an enumeration of states does, would
//! take quadratic time.

use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::Automaton;
use super::operation::Operation;
use super::program::{Location, Program};
use hardbop_smt::term::Memo;
use hardbop_smt::{Node, Sort, Symbol, Term, Terms};

/// Locations at which a temporary is live, beyond which it keeps a variable of its own, since the
/// time is linear in this number.  In 29 programs of locks, loops, ssh, ntdrivers, eca, satabs and
/// sv-comp-2012 all 561 live at up to 7.
const LOCATIONS: usize = 32;

/// The places where a temporary is written and read.
#[derive(Default)]
struct Uses {
    /// The targets of edges that write it.
    written: Vec<Location>,
    /// The sources of edges that read it.
    read: Vec<Location>,
}

/// Lets temporaries of the same sort share variables. The automaton keeps its executions but for
/// the values of temporaries behind their last use.
///
/// Two temporaries share a variable only if no location is one where both are live, or where one is
/// live and the other has just been written; a temporary that may be read before it is written
/// keeps its own. Colours are given greedily, in the order of the first edges that write them.
#[must_use]
pub fn share(terms: &mut Terms, program: &Program, mut automaton: Automaton) -> Automaton {
    let shared = assign(terms, program, &automaton);
    if shared.is_empty() {
        return automaton;
    }
    let mut memo = Memo::default();
    for edge in &mut automaton.edges {
        if edge.operation == Operation::Skip {
            continue;
        }
        edge.operation = edge.operation.renamed(
            |s| shared.get(&s).copied().unwrap_or(s),
            |term| {
                terms.replace(term, &mut memo, |terms, leaf| match *terms.node(leaf) {
                    Node::Variable(s) => shared.get(&s).map(|&to| terms.variable(to)),
                    _ => None,
                })
            },
        );
    }
    automaton
}

/// The variable that each temporary becomes.
fn assign(
    terms: &mut Terms,
    program: &Program,
    automaton: &Automaton,
) -> FxHashMap<Symbol, Symbol> {
    let mut incoming: Vec<Vec<u32>> = vec![vec![]; automaton.locations as usize];
    for (i, edge) in automaton.edges.iter().enumerate() {
        incoming[edge.target.index()].push(i as u32);
    }
    let (order, uses) = temporaries(terms, program, automaton);
    // The variables that are taken at each location.
    let mut taken: Vec<Vec<Symbol>> = vec![vec![]; automaton.locations as usize];
    let mut variables: FxHashMap<Sort, Vec<Symbol>> = FxHashMap::default();
    let mut shared = FxHashMap::default();
    for symbol in order {
        let Some(locations) = occupied(automaton, &incoming, symbol, &uses[&symbol]) else {
            continue;
        };
        let sort = terms.symbol_sort(symbol);
        let known = variables.entry(sort).or_default();
        let here: FxHashSet<Symbol> =
            locations.iter().flat_map(|l| taken[l.index()].iter().copied()).collect();
        let variable = match known.iter().copied().find(|v| !here.contains(v)) {
            Some(variable) => variable,
            None => {
                let name = match sort {
                    Sort::Bits(width) => format!("tmp{width}@{}", known.len()),
                    _ => format!("tmp@{}", known.len()),
                };
                let new = terms.symbol(&name, sort);
                known.push(new);
                new
            }
        };
        for location in locations {
            taken[location.index()].push(variable);
        }
        shared.insert(symbol, variable);
    }
    shared
}

/// The temporaries that are written, in the order of the first edges that do so, and the uses of
/// each.
fn temporaries(
    terms: &Terms,
    program: &Program,
    automaton: &Automaton,
) -> (Vec<Symbol>, FxHashMap<Symbol, Uses>) {
    let all: FxHashSet<Symbol> =
        program.functions.iter().flat_map(|f| f.temporaries.iter().copied()).collect();
    let is_temporary = |s: Symbol| all.contains(&automaton.original(s));
    let mut order = vec![];
    let mut uses: FxHashMap<Symbol, Uses> = FxHashMap::default();
    for edge in &automaton.edges {
        for (symbol, _) in edge.operation.changes().filter(|&(s, _)| is_temporary(s)) {
            let of = uses.entry(symbol).or_default();
            if of.written.is_empty() {
                order.push(symbol);
            }
            of.written.push(edge.target);
        }
        let read: Vec<Term> = edge.operation.terms().collect();
        for leaf in terms.support_of(&read) {
            if let Node::Variable(symbol) = *terms.node(leaf)
                && is_temporary(symbol)
            {
                uses.entry(symbol).or_default().read.push(edge.source);
            }
        }
    }
    (order, uses)
}

/// The locations at which a temporary is live, or has just been written; `None` if they are too
/// many, or if it may be read before it is written.
fn occupied(
    automaton: &Automaton,
    incoming: &[Vec<u32>],
    symbol: Symbol,
    uses: &Uses,
) -> Option<Vec<Location>> {
    let mut found: Vec<Location> = vec![];
    let mut todo = uses.read.clone();
    while let Some(location) = todo.pop() {
        if found.contains(&location) {
            continue;
        }
        if location == automaton.entry || found.len() == LOCATIONS {
            return None;
        }
        found.push(location);
        for &e in &incoming[location.index()] {
            let edge = &automaton.edges[e as usize];
            if edge.operation.changes().all(|(changed, _)| changed != symbol) {
                todo.push(edge.source);
            }
        }
    }
    for &location in &uses.written {
        if found.len() > LOCATIONS {
            return None;
        }
        if !found.contains(&location) {
            found.push(location);
        }
    }
    Some(found)
}
