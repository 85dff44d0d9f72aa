//! An invariant of an automaton, as a complete tree gives it, and its check by a fresh solver.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::block::problem::Problem;
use crate::block::unroll::exceeds;
use crate::limits;
use crate::predicate::effort::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{Node, SmtAnswer, SmtError, SmtSolver, Symbol, Term, Terms, Unknown, Value};

/// A formula over program variables for each reachable location between blocks; all other locations
/// are unreachable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Invariant {
    /// The formulas by location.
    pub at: Vec<(Location, Term)>,
    /// Set where no formulas are needed, and `at` is empty: no execution passes so many blocks, and
    /// none reaches a goal.
    pub rounds: Option<u32>,
}

/// An invariant, and what it does not exclude.
pub struct PartialInvariant {
    /// It is not believed: a solver checks it.
    pub invariant: Invariant,
    /// The edges into goals that some state of the invariant may pass.
    pub open: BTreeSet<u32>,
}

/// Why an invariant proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InvariantError {
    #[error("it does not hold at the entry")]
    Initial,
    #[error("the block from {0} to {1} does not preserve it")]
    NotInductive(u32, u32),
    /// A goal can be reached from the first location, at the second.
    #[error("a goal can be reached from {0}")]
    Goal(u32, u32),
    #[error("an execution passes {0} blocks, or reaches a goal")]
    Unfinished(u32),
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

impl Invariant {
    /// The formula at a location; `None` if it cannot be reached.
    pub fn get(&self, location: Location) -> Option<Term> {
        let found = self.at.binary_search_by_key(&location, |&(l, _)| l);
        found.ok().map(|i| self.at[i].1)
    }

    /// The proof that no execution passes so many blocks ([`exceeds`]).
    pub fn bounded(rounds: u32) -> Self {
        Self { at: vec![], rounds: Some(rounds) }
    }

    /// What both say of one automaton, whose blocks end at the same locations.  That no execution passes so many blocks says all by
    /// itself.
    #[must_use]
    pub fn and(self, terms: &mut Terms, other: &Self) -> Self {
        let at = self.at.into_iter();
        let at = at.filter_map(|(l, formula)| Some((l, terms.and(&[formula, other.get(l)?]))));
        Self { at: at.collect(), rounds: self.rounds }
    }

    /// Checks that it proves that no goal is reached, with one query per block: a state of the
    /// invariant that passes the block leads to a state of the invariant.  Each query gets an empty
    /// solver from `solver`.
    ///
    /// # Errors
    /// If it proves nothing or a solver fails.
    pub fn check(
        &self,
        terms: &mut Terms,
        problem: &mut Problem,
        mut solver: impl FnMut() -> Result<Box<dyn SmtSolver>, SmtError>,
        limits: limits::Invariant,
        budget: &Budget,
    ) -> Result<(), InvariantError> {
        if let Some(rounds) = self.rounds {
            return match exceeds(terms, problem, solver()?, rounds, budget) {
                Ok(SmtAnswer::Unsat) => Ok(()),
                Ok(SmtAnswer::Sat) => Err(InvariantError::Unfinished(rounds)),
                Ok(SmtAnswer::Unknown(unknown)) => Err(unknown.into()),
                Err(e @ AbstractionError::Full) => Err(Unknown::Incomplete(e.to_string()).into()),
                Err(AbstractionError::Unknown(unknown)) => Err(unknown.into()),
                Err(AbstractionError::Solver(e)) => Err(e.into()),
            };
        }
        let always = terms.bool(true);
        if self.get(problem.automaton.entry) != Some(always) {
            return Err(InvariantError::Initial);
        }
        for block in 0..problem.summary.blocks.len() {
            let (source, target) = {
                let b = &problem.summary.blocks[block];
                (b.source, b.target)
            };
            let Some(before) = self.get(source) else { continue };
            let relation = problem.relation(terms, block).clone();
            let is_goal = problem.automaton.goal(target).is_some();
            let after = match self.get(target) {
                Some(after) if !is_goal => after,
                _ => terms.bool(false),
            };
            let before = at(terms, before, &[]);
            let after = at(terms, after, &relation.post);
            let mut solver = solver()?;
            for &c in &relation.conjuncts {
                solver.assert(terms, c)?;
            }
            let answer = if terms.disjuncts(before).len() < limits.cases {
                // What is asserted, not assumed, solvers use to substitute equals.
                solver.assert(terms, before)?;
                let other = terms.not(after);
                solver.assert(terms, other)?;
                solver.check(terms, &[], budget)?
            } else {
                let refuse = &mut |_: &mut Terms, _: &mut dyn SmtSolver| Ok(None);
                kept(terms, &mut *solver, (before, after), limits.cases, budget, refuse)?
            };
            match answer {
                SmtAnswer::Unsat => {}
                SmtAnswer::Unknown(reason) => return Err(reason.into()),
                SmtAnswer::Sat if is_goal => return Err(InvariantError::Goal(source.0, target.0)),
                SmtAnswer::Sat => return Err(InvariantError::NotInductive(source.0, target.0)),
            }
        }
        Ok(())
    }
}

/// The reaction to a state in which `after` does not hold, of which the solver has the model: a
/// formula that holds in it and may hold as well, or nothing.
pub(super) type Escape<'a> =
    dyn FnMut(&mut Terms, &mut dyn SmtSolver) -> Result<Option<Term>, SmtError> + 'a;

/// Can the solver satisfy `before` without `after`, nor what `escape` adds to that?  From `many`
/// cases on, `before` is decided case by case, each against only those disjuncts of `after` that
/// models show to be needed, since solvers are bad at a thousand cases that have nothing in common.
pub(super) fn kept(
    terms: &mut Terms,
    solver: &mut dyn SmtSolver,
    (before, mut after): (Term, Term),
    many: usize,
    budget: &Budget,
    escape: &mut Escape<'_>,
) -> Result<SmtAnswer, SmtError> {
    let (cases, mut disjuncts) = (terms.disjuncts(before), terms.disjuncts(after));
    if cases.len() < many {
        let mut assumed = vec![before, terms.not(after)];
        loop {
            let answer = solver.check(terms, &assumed, budget)?;
            match answer {
                SmtAnswer::Sat => {}
                SmtAnswer::Unsat | SmtAnswer::Unknown(_) => return Ok(answer),
            }
            let Some(more) = escape(terms, solver)? else { return Ok(answer) };
            assumed.push(terms.not(more));
        }
    }
    let mut last = 0;
    for case in cases {
        solver.push()?;
        solver.assert(terms, case)?;
        loop {
            match solver.check(terms, &[], budget)? {
                SmtAnswer::Unsat => break,
                SmtAnswer::Unknown(reason) => return Ok(SmtAnswer::Unknown(reason)),
                SmtAnswer::Sat => {}
            }
            let leaves = terms.support(after);
            let values = solver.values(terms, &leaves)?;
            let model: FxHashMap<Term, Value> = leaves.into_iter().zip(values).collect();
            let holds = |&d: &Term| {
                terms.evaluate(d, &|t| model.get(&t).copied()) == Some(Value::Bool(true))
            };
            // The disjunct that the next case needs is often the next one.
            let cycle = disjuncts.iter().cycle().skip(last).take(disjuncts.len());
            let found = cycle.zip(last..).find_map(|(d, i)| holds(d).then_some(i));
            last = match found {
                Some(found) => found % disjuncts.len(),
                None => {
                    let Some(more) = escape(terms, solver)? else { return Ok(SmtAnswer::Sat) };
                    after = terms.or(&[after, more]);
                    disjuncts.push(more);
                    disjuncts.len() - 1
                }
            };
            let other = terms.not(disjuncts[last]);
            solver.assert(terms, other)?;
        }
        solver.pop()?;
    }
    Ok(SmtAnswer::Unsat)
}

/// A formula over variables in the state after a block, given the changes that the block makes.
pub(crate) fn at(terms: &mut Terms, formula: Term, post: &[(Symbol, Term)]) -> Term {
    terms.substitute(formula, |terms, leaf| {
        let &Node::Variable(symbol) = terms.node(leaf) else { return None };
        match post.binary_search_by_key(&symbol, |&(s, _)| s) {
            Ok(i) => Some(post[i].1),
            Err(_) => Some(terms.instance(symbol, 0)),
        }
    })
}
