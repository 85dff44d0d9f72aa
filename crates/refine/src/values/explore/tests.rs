//! The exploration of small automata, whose states are known.

use super::super::hop::{Hop, Remembered};
use super::*;
use crate::block::operator::Blocks;
use hardbop_cfa::{Automaton, Edge, Goal, Operation, Place as Origin};
use hardbop_smt::{BitOp, Comparison, Purpose, SolverKind};

/// The automaton with these edges, whose last location is the error.
fn problem(error: u32, operations: Vec<(u32, u32, Operation)>) -> Problem {
    let edge = |(source, target, operation)| Edge {
        source: Location(source),
        target: Location(target),
        operation,
        place: Origin { function: 0, instruction: Origin::NOWHERE, span: Default::default() },
        frame: 0,
    };
    let automaton = Automaton {
        goals: vec![(Location(error), Goal::Error)],
        locations: error + 1,
        edges: operations.into_iter().map(edge).collect(),
        ..Automaton::default()
    };
    Problem::new(automaton, Blocks::default())
}

/// `x` counts up to an input below 5, and is compared with it at the end.
fn counting(terms: &mut Terms) -> Problem {
    let [x, n] = ["x", "n"].map(|name| terms.symbol(name, Sort::Bits(8)));
    let (vx, vn) = (terms.variable(x), terms.variable(n));
    let [zero, one, five] = [0, 1, 5].map(|k| terms.bits(8, k));
    let small = terms.compare(Comparison::ULt, vn, five);
    let less = terms.compare(Comparison::ULt, vx, vn);
    let (done, equal) = (terms.not(less), terms.equal(vx, vn));
    let wrong = terms.not(equal);
    let more = terms.binary(BitOp::Add, vx, one);
    let input = hardbop_cfa::Origin::Input;
    let operations = [
        (0, 1, Operation::Havoc(n, input)),
        (1, 2, Operation::Assume(small)),
        (2, 3, Operation::Assign(x, zero)),
        (3, 4, Operation::Assume(less)),
        (4, 3, Operation::Assign(x, more)),
        (3, 5, Operation::Assume(done)),
        (5, 6, Operation::Assume(wrong)),
    ];
    problem(6, operations.into())
}

fn explored(terms: &mut Terms, problem: &Problem) -> ValueAnalysis {
    let mut values = ValueAnalysis::new(terms, problem, limits::Values::default()).unwrap();
    let event = values.next(terms, problem, &Budget::unlimited());
    assert!(matches!(event, Ok(Event::Complete(_))), "{event:?}");
    values
}

fn checked(
    values: &mut ValueAnalysis,
    terms: &mut Terms,
    problem: &Problem,
) -> Result<(), ValuesError> {
    let solvers = Solvers::new(SolverKind::Blast, None, Purpose::Invariant);
    values.check(terms, problem, &solvers, &Budget::unlimited())
}

#[test]
fn all_states_are_found_and_confirmed() {
    let mut terms = Terms::new();
    let problem = counting(&mut terms);
    let mut values = explored(&mut terms, &problem);
    assert_eq!(values.states, 6, "the entry, and each x with the n that are not below it");
    assert_eq!(checked(&mut values, &mut terms, &problem), Ok(()));
}

/// Eight processes that may each take a step or not; one of them reads an input, of which two
/// variables hold related values.
#[test]
fn what_is_remembered_is_what_follows() {
    let mut terms = Terms::new();
    let input = hardbop_cfa::Origin::Input;
    let zero = terms.bits(8, 0);
    let processes: Vec<Symbol> =
        (0..8).map(|i| terms.symbol(&format!("p{i}"), Sort::Bits(8))).collect();
    let runs = terms.symbol("runs", Sort::Bool);
    let choice = terms.variable(runs);
    let waits = terms.not(choice);
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(8)));
    let [vx, vy] = [x, y].map(|s| terms.variable(s));
    let one = terms.bits(8, 1);
    let more = terms.binary(BitOp::Add, vx, one);
    let head = processes.len() as u32;
    let first = |(i, &p)| (i, i + 1, Operation::Assign(p, zero));
    let mut operations: Vec<(u32, u32, Operation)> = (0..).zip(&processes).map(first).collect();
    operations[0].2 = Operation::Parallel(vec![(processes[0], zero), (y, more)]);
    for (i, &p) in (0..).zip(&processes) {
        let (at, v) = (head + 3 * i, terms.variable(p));
        let next = if i == head - 1 { head } else { at + 3 };
        operations.push((at, at + 1, Operation::Havoc(runs, input)));
        operations.push((at + 1, next, Operation::Assume(waits)));
        operations.push((at + 1, at + 2, Operation::Assume(choice)));
        let new = match i % 4 {
            _ if i == 5 => y,
            0 => processes[i as usize + 1],
            _ => p,
        };
        let value = match i % 4 {
            // It reads a value that is not known.
            _ if i == 5 => more,
            0 => terms.binary(BitOp::Xor, v, one),
            1 => {
                let [more, seven] = [terms.binary(BitOp::Add, v, one), terms.bits(8, 7)];
                terms.binary(BitOp::And, more, seven)
            }
            2 => one,
            _ => terms.variable(processes[i as usize - 1]),
        };
        if i == 6 {
            operations.push((at + 2, 4 * head, Operation::Havoc(x, input)));
            operations.push((4 * head, next, Operation::Assign(y, more)));
        } else {
            operations.push((at + 2, next, Operation::Assign(new, value)));
        }
    }
    // All of them matter at the end.
    let (mut end, most) = (vec![terms.equal(vx, vy)], terms.bits(8, 100));
    for &p in &processes {
        let v = terms.variable(p);
        end.push(terms.compare(Comparison::ULt, v, most));
    }
    let end = terms.and(&end);
    operations.push((head, 4 * head + 1, Operation::Assume(end)));
    let problem = problem(4 * head + 1, operations);
    let mut values = explored(&mut terms, &problem);
    assert_eq!(checked(&mut values, &mut terms, &problem), Ok(()));
    // Each hop is taken edge by edge as well.
    let (passage, mut hops, mut known) = (&mut values.passage, Hops::new(1 << 20), 0);
    let graph = passage.graph.clone();
    let entry = problem.automaton.entry;
    let mut open = vec![(entry, passage.pack(entry, &nothing(passage.code())))];
    let mut seen: FxHashSet<(Location, Row)> = FxHashSet::default();
    while let Some((at, row)) = open.pop() {
        let state = passage.unpack(at, &row);
        passage.resume(&state);
        let mut hop = Hop::new(at, state, true);
        let (mut rows, mut ends) = (vec![], vec![]);
        let step = |passage: &mut Passage, e, state| {
            Ok::<_, std::convert::Infallible>(passage.step(&terms, e, state))
        };
        while let Ok(Some(outcome)) = hop.next(&graph, usize::MAX, |e, s| step(passage, e, s)) {
            let to = passage.pack(outcome.at, &outcome.state);
            rows.push((outcome.at, to.clone()));
            ends.push(outcome.end(to));
        }
        match hops.find(&graph, passage.code(), at, &row) {
            Remembered::Rows(remembered) => {
                assert_eq!(remembered, rows, "from {row:?} at {at:?}");
                known += 1;
            }
            Remembered::New => {
                let reads = hop.reads.as_ref().unwrap();
                hops.learn(&graph, &passage.intervals, (at, &row), (reads, ends));
            }
            Remembered::Nothing => {}
        }
        open.extend(rows.into_iter().filter(|row| seen.insert(row.clone())));
    }
    assert!(2 * known > seen.len(), "{known} of {}", seen.len());
}

#[test]
fn a_missing_state_is_noticed() {
    let mut terms = Terms::new();
    let problem = counting(&mut terms);
    let mut values = explored(&mut terms, &problem);
    let head = values.places.iter_mut().max_by_key(|(_, p)| p.len()).unwrap();
    let location = *head.0;
    head.1.forget_last();
    assert_eq!(checked(&mut values, &mut terms, &problem), Err(ValuesError::Missing(location.0)));
}

/// Inputs after paths in a block join are other values than those that are forgotten there.
#[test]
fn inputs_are_new_after_a_join() {
    let mut terms = Terms::new();
    let [y, z] = ["y", "z"].map(|name| terms.symbol(name, Sort::Bits(8)));
    let b = terms.symbol("b", Sort::Bool);
    let input = hardbop_cfa::Origin::Input;
    let zero = terms.bits(8, 0);
    let (vz, vb) = (terms.variable(z), terms.variable(b));
    let same = terms.equal(vz, zero);
    let [other, not] = [same, vb].map(|t| terms.not(t));
    let operations = vec![
        (0, 1, Operation::Havoc(y, input)),
        (1, 2, Operation::Havoc(b, input)),
        (2, 3, Operation::Assign(z, zero)),
        (3, 4, Operation::Assume(same)),
        (3, 7, Operation::Assume(other)),
        (4, 5, Operation::Assume(vb)),
        (4, 5, Operation::Assume(not)),
        (5, 6, Operation::Havoc(y, input)),
        (6, 3, Operation::Assign(z, zero)),
    ];
    let problem = problem(7, operations);
    let mut values = explored(&mut terms, &problem);
    assert_eq!(checked(&mut values, &mut terms, &problem), Ok(()));
}

/// An exploration whose arithmetic is wrong.
#[test]
fn wrong_code_is_noticed() {
    let mut terms = Terms::new();
    let problem = counting(&mut terms);
    let mut values = ValueAnalysis::new(&terms, &problem, limits::Values::default()).unwrap();
    values.falsify(5, 3);
    let event = values.next(&mut terms, &problem, &Budget::unlimited());
    assert!(matches!(event, Ok(Event::Complete(_))), "{event:?}");
    let result = checked(&mut values, &mut terms, &problem);
    assert!(matches!(result, Err(ValuesError::Edge(..))), "{result:?}");
}
