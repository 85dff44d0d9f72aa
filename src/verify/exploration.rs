//! What checks of C programs and of automata have in common: one automaton is explored, its invariant is
//! checked by the other solver, and recursion is followed deeper where that is not enough.

use std::time::{Duration, Instant};

use super::{Reduction, Size, VerifyError, automaton};
use crate::base::budget::Budget;
use crate::program::cfa::expand::Limits;
use crate::program::cfa::{Automaton, Goal, Location, Program};
use crate::refine::tree::cegar::{Observer, Run};
use crate::refine::tree::invariant::InvariantError;
use crate::refine::tree::options::Options as Analysis;
use crate::refine::tree::{self, CpaError, Finding, Invariant, Problem, Statistics};
use crate::solve::smt::{Term, Terms, Unknown};

/// Activations of one function that are followed at most, unless the user says so.
const DEEPEST: u32 = 64;
/// Edges of an automaton that follows recursion deeper than the first one.
const DEEPER_EDGES: usize = 8_000;

/// How an automaton is explored.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub analysis: &'a Analysis,
    /// Tracked everywhere from the start.
    pub predicates: &'a [Term],
    pub keep_tree: bool,
    pub budget: &'a Budget,
}

/// What an exploration leaves.
pub(super) struct Explored {
    /// Safe only where the other solver has agreed.
    pub finding: Finding,
    pub statistics: Statistics,
    pub predicates: Vec<Term>,
    pub tree: Option<String>,
    pub blocks: Size,
    /// The exploration, what the observer did included; the check of the invariant.
    pub analysis: Duration,
    pub confirmation: Duration,
}

/// Explores an automaton, of this size.
///
/// # Errors
/// A solver fails, or the invariant is wrong.
pub(super) fn explore(
    terms: &mut Terms,
    automaton: &Automaton,
    size: Size,
    task: Task,
    observer: &mut dyn Observer,
) -> Result<Explored, VerifyError> {
    let mut problem = Problem::new(automaton, task.analysis.blocks);
    let blocks = Size::of_blocks(size, &problem.summary);
    let start = Instant::now();
    let ended = |e: CpaError| match e {
        CpaError::Solver(e) => Err(VerifyError::Solver(e)),
        other => Ok(Finding::Unknown(words(&other))),
    };
    let (finding, statistics, predicates, tree) =
        match Run::new(terms, &mut problem, task.analysis, task.budget) {
            Err(e) => (ended(e)?, Statistics::default(), vec![], None),
            Ok(mut run) => {
                let finding = tree::check(&mut run, task.predicates, observer).or_else(ended)?;
                let predicates = run.vocabulary.terms().collect();
                let tree = task.keep_tree.then(|| run.dot());
                (finding, run.statistics, predicates, tree)
            }
        };
    let analysis = start.elapsed();
    let start = Instant::now();
    let finding = match finding {
        Finding::Safe(invariant) => confirm(terms, &mut problem, invariant, task)?,
        other => other,
    };
    let confirmation = start.elapsed();
    Ok(Explored { finding, statistics, predicates, tree, blocks, analysis, confirmation })
}

/// Lets the other solver check an invariant.
fn confirm(
    terms: &mut Terms,
    problem: &mut Problem,
    invariant: Invariant,
    task: Task,
) -> Result<Finding, VerifyError> {
    let solvers = task.analysis.checkers();
    Ok(match invariant.check(terms, problem, || solvers.solver(), task.budget) {
        Ok(()) => Finding::Safe(invariant),
        Err(InvariantError::Unknown(Unknown::Exhausted(e))) => Finding::Unknown(e.to_string()),
        Err(InvariantError::Unknown(e)) => {
            Finding::Unknown(format!("the invariant could not be checked: {e}"))
        }
        Err(InvariantError::Solver(e)) => return Err(e.into()),
        Err(wrong) if task.analysis.is_linear() => {
            Finding::Unknown(format!("the proof holds for unbounded integers only: {wrong}"))
        }
        Err(wrong) => match &task.analysis.own_solver {
            Some(own) => {
                Finding::Unknown(format!("the proof by '{}' is wrong: {wrong}", own.name()))
            }
            None => return Err(VerifyError::Invariant(wrong)),
        },
    })
}

pub(super) fn words(error: &CpaError) -> String {
    match error {
        CpaError::Unknown(Unknown::Exhausted(e)) => e.to_string(),
        other => other.to_string(),
    }
}

/// The automaton that follows the calls deeper that lead to these goals of the last one, unless it gets too
/// large.
pub(super) fn deeper(
    terms: &mut Terms,
    (program, last): (&Program, &Automaton),
    limits: &mut Limits,
    goals: &[Location],
    (budget, reduction): (&Budget, &mut Reduction),
) -> Option<Automaton> {
    for goal in goals {
        let call = last.edges.iter().find(|e| e.target == *goal).expect("it was reached");
        let mut chain = last.calls(call.frame);
        chain.push(call.place);
        let Some(&Goal::Depth(_, callee)) = last.goal(*goal) else { return None };
        let depth = last.activations(call.frame, callee);
        // What doubles with each level anyway is followed one level at a time.
        let more = if program.recursive_calls(callee) > 1 { 1 } else { depth };
        if depth + more > DEEPEST {
            return None;
        }
        limits.deeper.insert(chain, depth + more);
    }
    limits.edges = DEEPER_EDGES;
    automaton(terms, program, limits, budget, reduction).ok()
}
