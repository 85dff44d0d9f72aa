//! An execution along a path of abstract states: inputs are chosen from what its conditions leave
//! of them.

use rustc_hash::FxHashMap;

use super::machine::code::{Action, Code};
use super::machine::interval::{Interval, bits};
use super::machine::state::{Cell, State, add, width_of};
use super::pass::Passage;
use super::store::nothing;
use crate::block::execution::ErrorPath;
use hardbop_cfa::{Automaton, Location, Operation};
use hardbop_smt::{Node, Sort, Symbol, Terms, Value};

/// The execution that follows the path through `places`, each the beginning of a block, to `goal`.
/// `arrives` says whether a state at the end of a block is that of the path.  `None`: the choice of
/// inputs does not fit, or it takes too many steps.
pub fn execution(
    terms: &Terms,
    automaton: &Automaton,
    passage: &mut Passage,
    (places, goal): (&[Location], Location),
    arrives: impl Fn(&Passage, usize, &State) -> bool,
) -> Option<ErrorPath> {
    // Behind the variables come their values at the beginning, then the inputs.
    let mut state = nothing(passage.code());
    let count = state.cells.len();
    state.cells.extend_from_within(..);
    let mut edges: Vec<u32> = vec![];
    for (i, &from) in places.iter().enumerate() {
        let next = places.get(i + 1).copied().unwrap_or(goal);
        passage.resume(&state);
        // Edges whose target is to be visited, with the states after them.
        let mut open: Vec<(u32, State, usize)> = vec![];
        let (mut at, mut here) = (from, state);
        state = loop {
            let graph = passage.graph.clone();
            for &e in graph.outgoing[at.index()].iter().rev() {
                for mut after in passage.step(terms, e, here.clone()) {
                    if let Action::Havoc(v) = passage.code().actions[e as usize] {
                        after.cells.push(after.get(v));
                    }
                    open.push((e, after, edges.len()));
                }
            }
            // The next edge that does not end a block, or ends it where the path does.
            let found = loop {
                let (e, after, length) = open.pop()?;
                if passage.steps > passage.most {
                    return None;
                }
                edges.truncate(length);
                edges.push(e);
                let target = automaton.edges[e as usize].target;
                if !graph.is_cut(target) {
                    break (target, after, false);
                }
                if target == next && (i + 1 == places.len() || arrives(passage, i + 1, &after)) {
                    break (target, after, true);
                }
            };
            if found.2 {
                break found.1;
            }
            (at, here) = (found.0, found.1);
        };
    }
    let values = choose(passage.code(), automaton, &edges, &state, count)?;
    run(terms, automaton, edges, &values.0, values.1)
}

/// Initial values by variable, and the inputs in their order.
type Choice = (FxHashMap<Symbol, Value>, Vec<Value>);

/// Chooses a value for each unknown, as near to 0 as it can be.
fn choose(
    code: &Code,
    automaton: &Automaton,
    edges: &[u32],
    state: &State,
    count: usize,
) -> Option<Choice> {
    let mut known: FxHashMap<u32, i64> = FxHashMap::default();
    let mut value = |cell: Cell, sort: Sort| -> Option<Value> {
        let Interval { low, high } = cell.interval;
        let mut number = 0.clamp(low, high);
        if cell.unknown != 0 {
            let width = width_of(sort);
            let base = add(width, number, cell.offset.wrapping_neg());
            let base = *known.entry(cell.unknown).or_insert(base);
            number = add(width, base, cell.offset);
            if sort == Sort::Bool {
                number &= 1;
            }
        }
        (low..=high).contains(&number).then(|| match sort {
            Sort::Bits(width) => Value::Bits(bits(width, number)),
            Sort::Bool | Sort::Int => Value::Bool(number == 1),
        })
    };
    let mut initial = FxHashMap::default();
    for (&(symbol, sort), &cell) in code.variables.iter().zip(&state.cells[count..]) {
        initial.insert(symbol, value(cell, sort)?);
    }
    let mut inputs = vec![];
    let mut cells = state.cells[2 * count..].iter();
    for &e in edges {
        if let Operation::Havoc(symbol, _) = automaton.edges[e as usize].operation {
            let sort = code.variables[code.number(symbol)? as usize].1;
            inputs.push(value(*cells.next()?, sort)?);
        }
    }
    Some((initial, inputs))
}

/// Executes the edges on these values, if that can be done.
fn run(
    terms: &Terms,
    automaton: &Automaton,
    edges: Vec<u32>,
    initial: &FxHashMap<Symbol, Value>,
    inputs: Vec<Value>,
) -> Option<ErrorPath> {
    let mut values: FxHashMap<Symbol, Value> = FxHashMap::default();
    let mut path = ErrorPath { edges: vec![], inputs: vec![], initial: vec![] };
    let mut inputs = inputs.into_iter();
    for &e in &edges {
        let operation = &automaton.edges[e as usize].operation;
        for root in operation.terms() {
            for leaf in terms.support(root) {
                if let Node::Variable(s) = *terms.node(leaf)
                    && !values.contains_key(&s)
                {
                    let value = *initial.get(&s)?;
                    values.insert(s, value);
                    path.initial.push((s, value));
                }
            }
        }
        let value = |term| {
            terms.evaluate(term, &|leaf| match *terms.node(leaf) {
                Node::Variable(s) => values.get(&s).copied(),
                _ => None,
            })
        };
        match operation {
            Operation::Skip => {}
            Operation::Assume(condition) => {
                if value(*condition) != Some(Value::Bool(true)) {
                    return None;
                }
            }
            Operation::Havoc(symbol, _) => {
                let input = inputs.next()?;
                values.insert(*symbol, input);
                path.inputs.push((e, input));
            }
            Operation::Assign(..) | Operation::Parallel(_) => {
                let new: Option<Vec<(Symbol, Value)>> =
                    operation.changes().map(|(s, t)| Some((s, value(t?)?))).collect();
                values.extend(new?);
            }
        }
    }
    path.initial.sort_unstable();
    path.edges = edges;
    Some(path)
}
