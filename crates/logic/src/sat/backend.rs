//! The choice of a SAT solver at run time.

use serde::{Deserialize, Serialize};

use super::cadical::{Cadical, Profile};
use super::circuit::CircuitSolver;
use super::solver::{SatLit, SatResult, SatSolver};
use super::varisat::Varisat;
use crate::cnf::Cnf;
use hardbop_base::budget::Budget;

/// Which SAT solver to use.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::sat::{Backend, SatResult, SatSolver};
///
/// let mut solver = Backend::Varisat.solver(); // in Rust; the default, CaDiCaL, is in C++
/// let (a, b) = (solver.new_variable(), solver.new_variable());
/// solver.add_clause(&[a, b]);
/// assert_eq!(solver.solve(&[-a], None, &Budget::unlimited()), SatResult::Sat);
/// assert_eq!(solver.value(b), Some(true));
/// assert_eq!(solver.solve(&[-a, -b], None, &Budget::unlimited()), SatResult::Unsat);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Backend {
    /// CaDiCaL (C++)
    #[default]
    Cadical,
    /// varisat (pure Rust)
    Varisat,
}

impl Backend {
    /// Another solver, to check results in which this one had a part.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Cadical => Self::Varisat,
            Self::Varisat => Self::Cadical,
        }
    }

    /// An empty solver.
    pub fn solver(self) -> Solver {
        match self {
            Self::Cadical => Solver::Cadical(Cadical::new()),
            Self::Varisat => Solver::Varisat(Box::default()),
        }
    }

    /// A solver with the clauses of a formula.
    pub fn loaded(self, cnf: &Cnf) -> Solver {
        let mut solver = self.solver();
        for _ in 0..cnf.variables {
            solver.new_variable();
        }
        cnf.clauses.iter().for_each(|c| solver.add_clause(c));
        solver
    }

    /// Decides one formula.
    pub fn decide(self, cnf: &Cnf, budget: &Budget) -> SatResult {
        self.loaded(cnf).solve(&[], None, budget)
    }

    /// An empty solver that takes literals of a graph.
    pub fn circuit_solver(self) -> CircuitSolver {
        CircuitSolver::new(self.solver())
    }

    /// The same for many easy calls: CaDiCaL does not simplify the clauses between them.
    pub fn plain_circuit_solver(self) -> CircuitSolver {
        CircuitSolver::new(match self {
            Self::Cadical => Solver::Cadical(Cadical::with_profile(Profile::Plain)),
            Self::Varisat => self.solver(),
        })
    }
}

/// A solver of any kind.
#[derive(Debug)]
pub enum Solver {
    Cadical(Cadical),
    Varisat(Box<Varisat>),
}

/// Makes the same call on any kind of solver.
macro_rules! delegate {
    ($self:ident, $solver:ident => $call:expr) => {
        match $self {
            Self::Cadical($solver) => $call,
            Self::Varisat($solver) => $call,
        }
    };
}

impl SatSolver for Solver {
    fn new_variable(&mut self) -> SatLit {
        delegate!(self, s => s.new_variable())
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        delegate!(self, s => s.add_clause(clause));
    }

    fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult {
        delegate!(self, s => s.solve(assumptions, conflicts, budget))
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        delegate!(self, s => s.value(lit))
    }

    fn failed(&self, assumption: SatLit) -> bool {
        delegate!(self, s => s.failed(assumption))
    }
}
