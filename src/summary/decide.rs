//! The solvers of one run, with what they were asked.

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::Statistics;
use super::compact::Compactor;
use super::subsume::CanonicalChoices;
use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Input, Lit};
use crate::qbf::{DecidedBy, Embedded, ForallExists, QbfSolver, Validity};
use crate::sat::{Cadical, CircuitSolver, SatResult};

/// Values of the inputs that a formula depends on; every other input is false.
pub type Model = FxHashMap<Input, bool>;

/// One incremental SAT solver, one 2QBF solver, and the choices of histories.
pub struct Decider {
    pub choices: CanonicalChoices,
    pub compactor: Compactor,
    sat: CircuitSolver<Cadical>,
    qbf: Embedded,
    /// Conflicts that one SAT call may take.
    pub conflict_limit: Option<u32>,
    /// Did a SAT call end at the limit?  Then what it was asked for counts as satisfiable, and
    /// an answer that nothing is reachable does not stand.
    pub gave_up: bool,
    /// SAT calls made inside the 2QBF solver.
    inner_calls: u64,
    qbf_time: Duration,
}

impl Decider {
    pub fn new(procedures: usize, seed: u64) -> Self {
        Self {
            choices: CanonicalChoices::default(),
            compactor: Compactor::new(procedures, seed),
            sat: CircuitSolver::new(Cadical::new()),
            qbf: Embedded::new(seed),
            conflict_limit: None,
            gave_up: false,
            inner_calls: 0,
            qbf_time: Duration::ZERO,
        }
    }

    /// Is the conjunction satisfiable?
    ///
    /// # Errors
    /// What ended the budget.
    pub fn satisfiable(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        if conjuncts.contains(&Lit::FALSE) {
            return Ok(false);
        }
        if conjuncts.iter().all(|&l| l == Lit::TRUE) {
            return Ok(true);
        }
        let assumptions: Vec<_> = conjuncts.iter().map(|&l| self.sat.literal(aig, l)).collect();
        match self.sat.solve_with(&assumptions, self.conflict_limit, budget) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(reason) => Err(reason),
            SatResult::ConflictLimit => {
                self.gave_up = true;
                Ok(true)
            }
        }
    }

    /// A model of the conjunction, if there is one.
    ///
    /// # Errors
    /// What ended the budget.
    pub fn model(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        budget: &Budget,
    ) -> Result<Option<Model>, Exhausted> {
        if !self.satisfiable(aig, conjuncts, budget)? || self.gave_up {
            return Ok(None);
        }
        if conjuncts.iter().all(|l| l.is_constant()) {
            return Ok(Some(Model::default()));
        }
        let support = aig.support(conjuncts.iter().copied());
        Ok(Some(support.into_iter().map(|i| (i, self.sat.value(aig, i))).collect()))
    }

    /// Is the ∀∃ query valid?
    ///
    /// # Errors
    /// What ended the budget.
    pub fn valid(
        &mut self,
        aig: &mut Aig,
        query: &ForallExists,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Result<bool, Exhausted> {
        let start = Instant::now();
        let answer = self.qbf.solve(aig, query, budget);
        self.qbf_time += start.elapsed();
        self.inner_calls += answer.sat_calls;
        if std::env::var("Q").is_ok() { eprintln!("{:?} {:?} {} univ {} exist {} eqs cone {} prem {} sat {} time {:?}", answer.decided_by, matches!(answer.validity, Validity::Valid), query.universals(aig).len(), query.existentials.len(), query.equalities.len(), aig.cone(query.literals()).len(), aig.cone(query.premise.iter().copied()).len(), answer.sat_calls, start.elapsed()); }
        statistics.subsumption_checks += 1;
        match answer.decided_by {
            DecidedBy::Structure => statistics.decided_by_structure += 1,
            DecidedBy::Simulation => statistics.decided_by_simulation += 1,
            DecidedBy::Sat => statistics.decided_by_sat += 1,
            DecidedBy::Qbf => {
                statistics.decided_by_qbf += 1;
                statistics.qbf_calls += 1;
            }
        }
        match answer.validity {
            Validity::Valid => Ok(true),
            Validity::Invalid { .. } => Ok(false),
            Validity::Unknown(reason) => Err(reason),
        }
    }

    /// Counts a check that needed no query, for the same state had been seen.
    pub fn by_structure(&mut self, statistics: &mut Statistics) {
        statistics.subsumption_checks += 1;
        statistics.decided_by_structure += 1;
    }

    /// Adds the solvers' own counters to those of `before`, into `statistics`.
    pub fn count(&self, before: &Statistics, statistics: &mut Statistics) {
        let calls = self.sat.calls() + self.inner_calls + self.compactor.sat_calls;
        statistics.sat_calls = before.sat_calls + calls;
        statistics.compactions = before.compactions + self.compactor.compacted;
        let milliseconds = |d: Duration| d.as_secs_f64() * 1e3;
        statistics.sat_milliseconds =
            before.sat_milliseconds + milliseconds(self.sat.duration());
        statistics.qbf_milliseconds = before.qbf_milliseconds + milliseconds(self.qbf_time);
    }
}
