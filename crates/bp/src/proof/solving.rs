//! The checker's queries: the solvers that answer them, and the observer that sees the answers.

use std::time::Duration;

use crate::proof::failure::Effort;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::bdd::{self, Size, Stop};
use hardbop_logic::cnf::Cnf;
use hardbop_logic::sat::{self, SatResult, SatSolver as _, drat};
use hardbop_logic::{Aig, Lit};
use hardbop_qbf::{self as qbf, ForallExists, Validity};

/// Time for a 2QBF solver that the user did not choose.
const PATIENCE: Duration = Duration::from_secs(1);

/// Conflicts after which diagrams are tried.
const HARD: u32 = 10_000;

/// The options of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckerOptions {
    /// Decides queries without choices, and serves the embedded 2QBF solver.
    pub sat: sat::Backend,
    /// Decides queries with choices.
    pub qbf: qbf::Backend,
    /// How long one query may take before the embedded solver gets it; `None`: no limit.
    pub patience: Option<Duration>,
    /// Whether SAT queries come with proofs; they are then varisat's, whatever `sat` says.
    pub proofs: bool,
}

impl CheckerOptions {
    /// Chooses solvers other than those of an engine, if available.
    pub fn other_than(engine: sat::Backend) -> Self {
        let qbf = qbf::Backend::foreign();
        // Other 2QBF solvers do not terminate on some small queries.
        let patience = (qbf != qbf::Backend::Embedded).then_some(PATIENCE);
        Self { sat: engine.other(), qbf, patience, proofs: false }
    }
}

/// A query with the answer that the check needs.
#[derive(Debug, Clone, Copy)]
pub enum Solved<'a> {
    /// The clauses are unsatisfiable; the proof is in the DRAT format.
    Sat { cnf: &'a Cnf, proof: Option<&'a [u8]> },
    /// The query is valid.
    Qbf { aig: &'a Aig, query: &'a ForallExists },
}

/// Watches a check.
pub trait CheckerObserver {
    fn solved(&mut self, _query: Solved<'_>) {}
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct Silent;
impl CheckerObserver for Silent {}

/// Asks the solvers, and counts the queries.
pub(super) struct Asker<'a> {
    pub options: &'a CheckerOptions,
    pub budget: &'a Budget,
    pub observer: &'a mut dyn CheckerObserver,
    pub effort: &'a mut Effort,
}

impl Asker<'_> {
    /// Whether the clauses contradict each other, which say that literals of a graph hold.
    pub fn unsatisfiable(
        &mut self,
        cnf: &Cnf,
        graph: impl FnOnce() -> (Aig, Vec<Lit>),
    ) -> Result<bool, Exhausted> {
        self.effort.sat_queries += 1;
        let proof = if self.options.proofs {
            match drat::solve(cnf, self.budget) {
                drat::DratResult::Sat(_) => return Ok(false),
                drat::DratResult::Unsat(proof) => Some(proof),
                drat::DratResult::Unknown(reason) => return Err(reason),
            }
        } else if self.is_contradictory(cnf, graph)? {
            None
        } else {
            return Ok(false);
        };
        self.observer.solved(Solved::Sat { cnf, proof: proof.as_deref() });
        Ok(true)
    }

    /// The same by clauses, or, where these are hard, by diagrams.
    fn is_contradictory(
        &self,
        cnf: &Cnf,
        graph: impl FnOnce() -> (Aig, Vec<Lit>),
    ) -> Result<bool, Exhausted> {
        let mut solver = self.options.sat.loaded(cnf);
        let mut result = solver.solve(&[], Some(HARD), self.budget);
        if result == SatResult::ConflictLimit {
            let (aig, roots) = graph();
            match bdd::model(&aig, &roots, Size::MEDIUM, self.budget) {
                Ok(model) => return Ok(model.is_none()),
                Err(Stop::Full) => result = solver.solve(&[], None, self.budget),
                Err(Stop::Exhausted(reason)) => return Err(reason),
            }
        }
        match result {
            SatResult::Sat => Ok(false),
            SatResult::Unsat => Ok(true),
            SatResult::Unknown(reason) => Err(reason),
            SatResult::ConflictLimit => Err(Exhausted::Cancelled),
        }
    }

    /// Whether the quantified formula is true.
    pub fn valid(&mut self, mut aig: Aig, query: &ForallExists) -> Result<bool, Exhausted> {
        self.effort.qbf_queries += 1;
        let CheckerOptions { qbf, sat, patience, .. } = self.options;
        let short = patience.map_or_else(|| self.budget.clone(), |p| self.budget.within(p));
        let mut validity =
            qbf.solver(0, *sat, qbf::Limits::default()).solve(&mut aig, query, &short).validity;
        if patience.is_some() && matches!(validity, Validity::Unknown(_)) {
            self.budget.check()?;
            self.effort.handed_on += 1;
            let mut embedded = qbf::Backend::Embedded.solver(0, *sat, qbf::Limits::default());
            validity = embedded.solve(&mut aig, query, self.budget).validity;
        }
        match validity {
            Validity::Valid => {
                self.observer.solved(Solved::Qbf { aig: &aig, query });
                Ok(true)
            }
            Validity::Invalid { .. } => Ok(false),
            Validity::Unknown(reason) => Err(reason),
        }
    }
}
