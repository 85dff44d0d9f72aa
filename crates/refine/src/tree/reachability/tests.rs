//! A proof that is rejected costs no more than the exploration that found it.

use super::*;
use crate::block::operator::Blocks;
use crate::cegar::finding::Finding;
use crate::cegar::options::AnalysisOptions;
use crate::cegar::run::Cegar;
use crate::tree::Predicates;
use hardbop_base::budget::Budget;
use hardbop_base::rejected::Rejected;
use hardbop_cfa::{Automaton, Edge, Goal, Operation, Origin, Place};
use hardbop_smt::{BitOp, Comparison, Sort};

/// An input below 5, to which 1 is added; the error is a sum of more than `most`.
fn problem(terms: &mut Terms, most: u64) -> Problem {
    let x = terms.symbol("x", Sort::Bits(8));
    let value = terms.variable(x);
    let [one, five, most] = [1, 5, most].map(|k| terms.bits(8, k));
    let small = terms.compare(Comparison::ULt, value, five);
    let sum = terms.binary(BitOp::Add, value, one);
    let wrong = terms.compare(Comparison::ULt, most, value);
    let operations = [
        Operation::Havoc(x, Origin::Input),
        Operation::Assume(small),
        Operation::Assign(x, sum),
        Operation::Assume(wrong),
    ];
    let edge = |(source, operation)| Edge {
        source: Location(source),
        target: Location(source + 1),
        operation,
        place: Place { function: 0, instruction: Place::NOWHERE, span: Default::default() },
        frame: 0,
    };
    let automaton = Automaton {
        goals: vec![(Location(4), Goal::Error)],
        locations: 5,
        edges: (0..).zip(operations).map(edge).collect(),
        ..Automaton::default()
    };
    Problem::new(automaton, Blocks::default())
}

/// The rejections that were noted.
#[derive(Default)]
struct Noted(Vec<Rejected>);

impl RefinementObserver for Noted {
    fn rejected(&mut self, rejected: Rejected) {
        self.0.push(rejected);
    }
}

/// The finding of an exploration of values that takes the input to be below 3.
fn found(most: u64, strict: bool) -> (Result<Finding<Invariant>, RefineError>, Vec<Rejected>) {
    let mut terms = Terms::new();
    let problem = problem(&mut terms, most);
    let options = AnalysisOptions { strict, ..AnalysisOptions::default() };
    let budget = Budget::unlimited();
    let analysis = Predicates::new(&options, &budget).expect("an analysis");
    let mut values =
        ValueAnalysis::new(&terms, &problem, options.limits.values).expect("there are no integers");
    values.falsify(5, 3);
    let mut tree = ReachabilityTree::new(problem, analysis, options.order);
    tree.phase = Phase::Values(Box::new(values));
    let mut noted = Noted::default();
    let finding = Cegar::new(tree, &mut terms, &options, &budget).decide(&mut noted);
    (finding, noted.0)
}

#[test]
fn another_exploration_proves_what_is_true() {
    let (finding, rejected) = found(5, false);
    assert!(matches!(finding, Ok(Finding::Safe(_))), "{finding:?}");
    assert_eq!(rejected.len(), 1, "{rejected:?}");
}

#[test]
fn another_exploration_finds_the_error() {
    let (finding, rejected) = found(3, false);
    assert!(matches!(finding, Ok(Finding::Error(_))), "{finding:?}");
    assert_eq!(rejected.len(), 1, "{rejected:?}");
}

#[test]
fn who_is_strict_notices() {
    let (finding, rejected) = found(5, true);
    assert!(matches!(finding, Err(RefineError::Proof { .. })), "{finding:?}");
    assert_eq!(rejected, []);
}
