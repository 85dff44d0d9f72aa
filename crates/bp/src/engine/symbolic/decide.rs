//! The solvers of one run, with their statistics.

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::engine::limits::Limits;
use crate::engine::options::Options;
use crate::engine::statistics::Statistics;
use crate::engine::symbolic::compact::Compactor;
use crate::engine::symbolic::subsume::CanonicalChoices;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::bdd::{self, Size, Stop};
use hardbop_logic::circuit::{Circuit, MASKS};
use hardbop_logic::sat::{Backend, CircuitSolver, Effort, SatResult};
use hardbop_logic::{Aig, Input, Lit};
use hardbop_qbf::{DecidedBy, ForallExists, QbfSolver, Validity};

/// Values of the inputs that a formula depends on; every other input is false.
pub type Model = FxHashMap<Input, bool>;

/// Answers queries with one incremental SAT solver and one 2QBF solver; has the choices of
/// histories.
pub struct Decider {
    pub choices: CanonicalChoices,
    pub compactor: Compactor,
    /// The kind of SAT solver, for code that needs its own.
    pub backend: Backend,
    pub limits: Limits,
    sat: CircuitSolver,
    qbf: Box<dyn QbfSolver>,
    /// Conflicts allowed in one SAT call.
    pub conflict_limit: Option<u32>,
    /// Room in tables of diagrams that may still be made for hard queries, in nodes.
    pub diagrams_left: usize,
    /// SAT calls left to the incremental solver.
    pub calls_left: Option<u32>,
    /// Whether a SAT call ended at a limit.  Its query then counts as satisfiable, and an answer
    /// that nothing is reachable is not valid.
    pub gave_up: bool,
    /// Time spent in the 2QBF solver.
    qbf_time: Duration,
    /// SAT calls outside the incremental solver.
    other: Effort,
    random: Random,
}

impl Decider {
    /// Empty solvers, as chosen by `options`.
    pub fn new(procedures: usize, options: &Options) -> Self {
        let &Options { seed, sat: backend, limits, plain, .. } = options;
        Self {
            choices: CanonicalChoices::default(),
            compactor: Compactor::new(procedures, seed, backend, &limits),
            backend,
            limits,
            sat: backend.circuit_solver(),
            qbf: options.qbf.solver(seed, backend, limits.two_qbf),
            conflict_limit: None,
            diagrams_left: if plain { 0 } else { limits.queries.diagrams },
            calls_left: None,
            gave_up: false,
            qbf_time: Duration::ZERO,
            other: Effort::default(),
            random: Random::new(seed),
        }
    }

    /// Whether the conjunction is satisfiable.
    ///
    /// # Errors
    /// If the budget is exhausted.
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
        let mut circuit = Circuit::new(aig, conjuncts);
        if circuit.len() > self.limits.queries.small_nodes {
            return Ok(self.solve(aig, conjuncts, &mut circuit, budget)?.0 != SatResult::Unsat);
        }
        let some = |words: Vec<u64>| words.into_iter().fold(!0, |all, w| all & w) != 0;
        if circuit.input_count() <= self.limits.queries.few_inputs {
            return Ok(!circuit.every(|words| !some(words)));
        }
        for _ in 0..self.limits.queries.words {
            let words = circuit.run(|_| self.random.bits());
            if some(words) {
                return Ok(true);
            }
        }
        Ok(self.solve(aig, conjuncts, &mut circuit, budget)?.0 != SatResult::Unsat)
    }

    /// Whether the conjunction is satisfiable; `None` if that takes more than so many conflicts.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn satisfiable_within(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        conflicts: u32,
        budget: &Budget,
    ) -> Result<Option<bool>, Exhausted> {
        if conjuncts.contains(&Lit::FALSE) {
            return Ok(Some(false));
        }
        let assumptions: Vec<_> = conjuncts.iter().map(|&l| self.sat.literal(aig, l)).collect();
        match self.sat.solve_with(&assumptions, Some(conflicts), budget) {
            SatResult::Sat => Ok(Some(true)),
            SatResult::Unsat => Ok(Some(false)),
            SatResult::ConflictLimit => Ok(None),
            SatResult::Unknown(reason) => Err(reason),
        }
    }

    /// A model of the conjunction, if there is one.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn model(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        budget: &Budget,
    ) -> Result<Option<Model>, Exhausted> {
        if conjuncts.contains(&Lit::FALSE) {
            return Ok(None);
        }
        let mut circuit = Circuit::new(aig, conjuncts);
        let (result, model) = self.solve(aig, conjuncts, &mut circuit, budget)?;
        Ok((result == SatResult::Sat).then_some(model))
    }

    /// Satisfiable, with a model, or unsatisfiable, or beyond the conflict limit.  What is hard for
    /// the solver is simulated completely, if it has few inputs, or made a diagram.
    fn solve(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        circuit: &mut Circuit,
        budget: &Budget,
    ) -> Result<(SatResult, Model), Exhausted> {
        let words = 1_u64 << circuit.input_count().saturating_sub(6).min(40);
        let is_narrow = words.saturating_mul(circuit.len() as u64) <= self.limits.queries.gates;
        if !is_narrow && self.diagrams_left == 0 {
            return self.ask(aig, conjuncts, circuit, self.conflict_limit, budget);
        }
        let first = self.limits.queries.conflicts.min(self.conflict_limit.unwrap_or(u32::MAX));
        let before = self.gave_up;
        let answer = self.ask(aig, conjuncts, circuit, Some(first), budget)?;
        if answer.0 != SatResult::ConflictLimit {
            return Ok(answer);
        }
        self.gave_up = before;
        if is_narrow {
            return simulate(circuit, budget);
        }
        for size in [Size::SMALL, Size::MEDIUM] {
            self.diagrams_left = self.diagrams_left.saturating_sub(size.capacity);
            match bdd::model(aig, conjuncts, size, budget) {
                Ok(None) => return Ok((SatResult::Unsat, Model::default())),
                Ok(Some(values)) => return Ok((SatResult::Sat, values.into_iter().collect())),
                Err(Stop::Full) => {}
                Err(Stop::Exhausted(reason)) => return Err(reason),
            }
        }
        self.ask(aig, conjuncts, circuit, self.conflict_limit, budget)
    }

    /// Asks a solver: the incremental one, or, if the formula is small, one of its own.
    fn ask(
        &mut self,
        aig: &Aig,
        conjuncts: &[Lit],
        circuit: &Circuit,
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> Result<(SatResult, Model), Exhausted> {
        let model = |solver: &CircuitSolver| {
            circuit.inputs().map(|i| (i, solver.value(aig, i))).collect::<Model>()
        };
        let (result, model) = if circuit.len() <= self.limits.queries.small_nodes {
            let mut solver = self.backend.circuit_solver();
            for &l in conjuncts {
                solver.assert(aig, l);
            }
            let result = solver.solve_with(&[], conflicts, budget);
            self.other += solver.effort();
            (result, (result == SatResult::Sat).then(|| model(&solver)))
        } else {
            match &mut self.calls_left {
                Some(0) => {
                    self.gave_up = true;
                    return Ok((SatResult::ConflictLimit, Model::default()));
                }
                Some(left) => *left -= 1,
                None => {}
            }
            let literal = |&l: &Lit| self.sat.literal(aig, l);
            let assumptions: Vec<_> = conjuncts.iter().map(literal).collect();
            let result = self.sat.solve_with(&assumptions, conflicts, budget);
            (result, (result == SatResult::Sat).then(|| model(&self.sat)))
        };
        if let SatResult::Unknown(reason) = result {
            return Err(reason);
        }
        self.gave_up |= result == SatResult::ConflictLimit;
        Ok((result, model.unwrap_or_default()))
    }

    /// Whether the ∀∃ query is valid.
    ///
    /// # Errors
    /// If the budget is exhausted.
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
        self.other += answer.sat;
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

    /// Counts a check that needed no query because the same state had been seen.
    pub fn by_structure(&mut self, statistics: &mut Statistics) {
        statistics.subsumption_checks += 1;
        statistics.decided_by_structure += 1;
    }

    /// Adds the solvers' own counters to those of `before`, into `statistics`.
    pub fn count(&self, before: &Statistics, statistics: &mut Statistics) {
        let sat = self.sat.effort() + self.other + self.compactor.sat;
        statistics.sat_calls = before.sat_calls + sat.calls;
        statistics.compactions = before.compactions + self.compactor.compacted;
        let milliseconds = |d: Duration| d.as_secs_f64() * 1e3;
        statistics.sat_milliseconds = before.sat_milliseconds + milliseconds(sat.duration);
        statistics.qbf_milliseconds = before.qbf_milliseconds + milliseconds(self.qbf_time);
    }
}

/// A model of all roots of a circuit, by all values of its inputs.
fn simulate(circuit: &mut Circuit, budget: &Budget) -> Result<(SatResult, Model), Exhausted> {
    let inputs: Vec<Input> = circuit.inputs().collect();
    let mut found = None;
    let (mut word, mut stopped) = (0_u64, Ok(()));
    circuit.every(|roots| {
        let all = roots.into_iter().fold(!0, |all, w| all & w);
        found = (all != 0).then(|| (word, all.trailing_zeros()));
        word += 1;
        stopped = if word % 256 == 0 { budget.check() } else { Ok(()) };
        found.is_none() && stopped.is_ok()
    });
    stopped?;
    let Some((word, lane)) = found else { return Ok((SatResult::Unsat, Model::default())) };
    let value = |i: usize| match MASKS.get(i) {
        Some(mask) => mask >> lane & 1 == 1,
        None => word >> (i - MASKS.len()) & 1 == 1,
    };
    let model = inputs.into_iter().enumerate().map(|(i, input)| (input, value(i)));
    Ok((SatResult::Sat, model.collect()))
}
