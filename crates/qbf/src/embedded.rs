//! The embedded 2QBF solver: simplification, simulation, SAT, then counterexample-guided search.

use std::time::{Duration, Instant};

use super::cegar::{Cegar, Progress, Slice};
use super::expand::{Growth, expand};
use super::limits::Limits;
use super::problem::{Falsified, Problem};
use super::query::ForallExists;
use super::simplify::{Simplified, simplify};
use super::simulate::counterexample;
use super::solver::{DecidedBy, QbfAnswer, QbfSolver, Validity};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatResult};
use hardbop_logic::{Aig, Input, Lit};

/// The work of the embedded solver so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Queries that were answered.
    pub queries: u64,
    /// Refinements of the counterexample-guided search.
    pub iterations: u64,
    /// SAT calls.
    pub sat: Effort,
    /// Total time.
    pub duration: Duration,
}

/// The stages that run, by default all of them; for measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stages {
    /// Eliminate existentials by expansion.
    pub expand: bool,
    /// Search on the simplified query.
    pub simplified: bool,
    /// Search on the query as given.
    pub plain: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Self { expand: true, simplified: true, plain: true }
    }
}

/// The embedded solver.  Deterministic: equal seeds and queries give equal answers.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::Aig;
/// use hardbop_qbf::{Embedded, ForallExists, QbfSolver, Validity};
///
/// let mut graph = Aig::new();
/// let (x, y) = (graph.new_input_lit(), graph.new_input());
/// let mut query = ForallExists::default();
/// query.existentials = vec![y];
/// query.equalities = vec![(graph.input(y), !x)]; // for each x there is a y with y = !x
/// let mut solver = Embedded::new(0);
/// assert_eq!(solver.solve(&mut graph, &query, &Budget::unlimited()).validity, Validity::Valid);
/// assert_eq!(solver.counters().queries, 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Embedded {
    seed: u64,
    sat: Backend,
    stages: Stages,
    limits: Limits,
    counters: Counters,
}

/// A result with the stage that found it.
type Decision = (Validity, DecidedBy);

impl Embedded {
    /// A solver with a seed for simulation.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Uses SAT solvers of the given kind.
    #[must_use]
    pub fn with_sat(mut self, sat: Backend) -> Self {
        self.sat = sat;
        self
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Chooses the stages.  If both searches are off, the simplified one still runs.
    #[must_use]
    pub fn with_stages(mut self, stages: Stages) -> Self {
        self.stages = stages;
        self.stages.simplified |= !stages.plain;
        self
    }

    /// The work so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    fn decide(&mut self, aig: &Aig, query: &ForallExists, budget: &Budget) -> Decision {
        match self.stages(aig, query, budget) {
            Ok(decision) => decision,
            Err(reason) => (Validity::Unknown(reason), DecidedBy::Qbf),
        }
    }

    fn stages(
        &mut self,
        aig: &Aig,
        query: &ForallExists,
        budget: &Budget,
    ) -> Result<Decision, Exhausted> {
        budget.check()?;
        let mut problem = Problem::new(aig, query, self.limits);
        if let Some(decision) = self.structure(&mut problem, budget)? {
            return Ok(decision);
        }
        if let Some(decision) = self.without_existentials(&mut problem, budget)? {
            return Ok(decision);
        }
        // The guess, or a few refinements, often decide the query.  Two searches that differ in more than the query are
        // faster than either alone, since their times vary greatly.
        let mut searches = Vec::new();
        if self.stages.simplified {
            searches.push(Cegar::new(problem.clone(), self.sat));
        }
        if self.stages.plain {
            let mut whole = Problem::new(aig, query, self.limits);
            match whole.flatten().and_then(|()| whole.close_equalities()) {
                Ok(()) => searches.push(Cegar::new(whole, self.sat).matched_once()),
                Err(f) => return self.falsified(&whole, f, budget),
            }
        }
        let mut slice = Slice {
            iterations: self.limits.turn_iterations,
            conflicts: self.limits.turn_conflicts,
            nodes: self.limits.turn_nodes,
        };
        let mut turns = 0;
        loop {
            if turns == self.limits.expansion_turn && self.stages.expand {
                if let Some(decision) = self.expand(&mut problem, budget)? {
                    searches.iter().for_each(|s| self.retire(s));
                    return Ok(decision);
                }
                searches.push(Cegar::new(problem.clone(), self.sat));
            }
            if let Some(validity) = self.turn(&mut searches, slice, budget)? {
                return Ok((validity, DecidedBy::Qbf));
            }
            slice.grow();
            turns += 1;
        }
    }

    /// Expands existentials as far as that pays off; returns a decision if that decides the query.
    fn expand(
        &mut self,
        problem: &mut Problem,
        budget: &Budget,
    ) -> Result<Option<Decision>, Exhausted> {
        let growth = Growth {
            step: self.limits.expansion_step,
            total: self.limits.expansion_total,
            work: self.limits.expansion_work,
        };
        for _ in 0..3 {
            match expand(problem, growth, budget)? {
                Err(f) => return self.falsified(problem, f, budget).map(Some),
                Ok(false) => break,
                Ok(true) => {}
            }
            if let Some(decision) = self.structure(problem, budget)? {
                return Ok(Some(decision));
            }
        }
        self.without_existentials(problem, budget)
    }

    /// Decides the conjuncts that depend on no existential, and drops them if they are implied.  Returns a decision if
    /// they are not implied, or if there are no other conjuncts.
    fn without_existentials(
        &mut self,
        problem: &mut Problem,
        budget: &Budget,
    ) -> Result<Option<Decision>, Exhausted> {
        let dependent = problem.dependent_nodes();
        let (open, free): (Vec<Lit>, Vec<Lit>) =
            problem.conclusion.iter().partition(|l| dependent[l.node()]);
        if free.is_empty() {
            return Ok(None);
        }
        let goal = problem.aig.and_all(free);
        let mut random = Random::new(self.seed);
        let rounds = self.limits.simulations;
        if let Some(x) = counterexample(&mut random, rounds, &problem.aig, &problem.premise, goal) {
            let counterexample = problem.counterexample(|i| x[i.0 as usize]);
            return Ok(Some((invalid(counterexample), DecidedBy::Simulation)));
        }
        let mut solver = self.sat.circuit_solver();
        if let Some(invalid) = self.model(problem, &mut solver, !goal, budget)? {
            return Ok(Some((invalid, DecidedBy::Sat)));
        }
        if open.is_empty() {
            return Ok(Some((Validity::Valid, DecidedBy::Sat)));
        }
        problem.conclusion = open;
        problem.compact();
        Ok(None)
    }

    /// Simplifies; returns a decision if that decides the query.
    fn structure(
        &mut self,
        problem: &mut Problem,
        budget: &Budget,
    ) -> Result<Option<Decision>, Exhausted> {
        match simplify(problem, budget) {
            Simplified::Exhausted(reason) => return Err(reason),
            Simplified::Valid => return Ok(Some((Validity::Valid, DecidedBy::Structure))),
            Simplified::Hopeless => {
                return self.falsified(problem, Falsified::Conclusion, budget).map(Some);
            }
            Simplified::Open => {}
        }
        match problem.close_equalities() {
            Ok(()) => Ok(None),
            Err(f) => self.falsified(problem, f, budget).map(Some),
        }
    }

    /// Decides a query of which one side is plainly false.
    fn falsified(
        &mut self,
        problem: &Problem,
        falsified: Falsified,
        budget: &Budget,
    ) -> Result<Decision, Exhausted> {
        if falsified == Falsified::Premise {
            return Ok((Validity::Valid, DecidedBy::Structure));
        }
        if problem.premise.is_empty() {
            let counterexample = problem.counterexample(|_| false);
            return Ok((invalid(counterexample), DecidedBy::Structure));
        }
        let mut solver = self.sat.circuit_solver();
        let invalid = self.model(problem, &mut solver, Lit::TRUE, budget)?;
        Ok((invalid.unwrap_or(Validity::Valid), DecidedBy::Sat))
    }

    /// A model of the premise and `also`, as a counterexample.
    fn model(
        &mut self,
        problem: &Problem,
        solver: &mut CircuitSolver,
        also: Lit,
        budget: &Budget,
    ) -> Result<Option<Validity>, Exhausted> {
        for &l in &problem.premise {
            solver.assert(&problem.aig, l);
        }
        solver.assert(&problem.aig, also);
        let result = solver.solve(&problem.aig, &[], budget);
        self.counters.sat += solver.effort();
        match result {
            SatResult::Sat => {
                let counterexample = problem.counterexample(|i| solver.value(&problem.aig, i));
                Ok(Some(invalid(counterexample)))
            }
            SatResult::Unsat => Ok(None),
            SatResult::Unknown(reason) => Err(reason),
            SatResult::ConflictLimit => unreachable!("no conflict limit was given"),
        }
    }

    /// Runs every search for one slice.
    fn turn(
        &mut self,
        searches: &mut [Cegar],
        slice: Slice,
        budget: &Budget,
    ) -> Result<Option<Validity>, Exhausted> {
        let mut result = Ok(None);
        for search in searches.iter_mut() {
            result = match search.run(slice, budget) {
                Progress::Open => continue,
                Progress::Valid => Ok(Some(Validity::Valid)),
                Progress::Invalid => Ok(Some(invalid(search.counterexample()))),
                Progress::Exhausted(reason) => Err(reason),
            };
            break;
        }
        if result != Ok(None) {
            searches.iter().for_each(|s| self.retire(s));
        }
        result
    }

    /// Adds the work of a finished search to the counters.
    fn retire(&mut self, search: &Cegar) {
        self.counters.iterations += search.iterations;
        self.counters.sat += search.effort();
    }
}

impl QbfSolver for Embedded {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer {
        let start = Instant::now();
        let before = self.counters.sat;
        let (mut validity, decided_by) = self.decide(aig, query, budget);
        if let Validity::Invalid { counterexample: Some(counterexample) } = &mut validity {
            complete(aig, query, counterexample);
            debug_assert!(
                query.refutes(aig, counterexample),
                "counterexamples are genuine: {decided_by:?}, {query:?}"
            );
        }
        self.counters.queries += 1;
        self.counters.duration += start.elapsed();
        QbfAnswer { validity, decided_by, sat: self.counters.sat - before }
    }
}

/// The answer "invalid" with a counterexample.
fn invalid(counterexample: Vec<(Input, bool)>) -> Validity {
    Validity::Invalid { counterexample: Some(counterexample) }
}

/// Completes the counterexample: every universal of the query's support, in order.
fn complete(aig: &Aig, query: &ForallExists, counterexample: &mut Vec<(Input, bool)>) {
    let found = std::mem::take(counterexample);
    let mut value = vec![false; aig.input_count()];
    for (x, v) in found {
        value[x.0 as usize] = v;
    }
    *counterexample = query.universals(aig).into_iter().map(|x| (x, value[x.0 as usize])).collect();
}
