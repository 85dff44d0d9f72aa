//! The choice of SMT solvers.

use serde::{Deserialize, Serialize};

use super::circuit::BlastSolver;
use super::linear::solver::LinearSolver;
use super::log::Purpose;
use super::solver::{SmtError, SmtSolver};
use super::z3::Z3;

/// A solver for bit-vectors.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_smt::{Comparison, SmtAnswer, SolverKind, Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.symbol("x", Sort::Bits(8));
/// let (x, five, seven) = (terms.variable(x), terms.bits(8, 5), terms.bits(8, 7));
/// let range = [terms.compare(Comparison::ULt, x, five), terms.compare(Comparison::ULt, seven, x)];
/// let kind = SolverKind::Z3;
/// for kind in [kind, kind.other()] { // the second one checks the first one
///     let answer = kind.solver()?.check(&terms, &range, &Budget::unlimited())?;
///     assert_eq!(answer, SmtAnswer::Unsat);
/// }
/// # Ok::<(), hardbop_smt::SmtError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SolverKind {
    /// Bit-blasting and CaDiCaL.
    #[default]
    Blast,
    /// Z3, on bit-vectors.
    Z3,
    /// Z3, over unbounded integers: answers that have to be checked.
    #[value(skip)]
    Linear,
}

/// The interpretation of a program's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Arithmetic {
    /// Machine integers: bit-vectors.
    #[default]
    Bits,
    /// Unbounded integers, by Z3.
    Linear,
}

impl SolverKind {
    /// This solver, or for unbounded integers the linear one, which always uses Z3.
    #[must_use]
    pub fn over(self, arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Bits => self,
            Arithmetic::Linear => Self::Linear,
        }
    }

    /// Another solver, to check results in which this one had a part.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Blast => Self::Z3,
            Self::Z3 | Self::Linear => Self::Blast,
        }
    }

    /// An empty solver.
    ///
    /// # Errors
    /// If there is no Z3, or it refuses.
    pub fn solver(self) -> Result<Box<dyn SmtSolver>, SmtError> {
        Ok(match self {
            Self::Blast => Box::new(BlastSolver::new()),
            Self::Z3 => Box::new(Z3::new()?),
            Self::Linear => Box::new(LinearSolver::new(None, Purpose::Abstraction)),
        })
    }
}
