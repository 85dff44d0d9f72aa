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
/// use hardbop::solver::SolverKind;
/// use hardbop::{Budget, COptions, Source, Verdict, check_c};
///
/// let mut options = COptions::default();
/// options.verify.analysis.solver = SolverKind::Z3; // the invariant of SAFE is then checked by the other one
/// let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
///     int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x < 5 && x > 7) reach_error(); }";
/// let answer = check_c(&Source::new("range.c", text), &options, &Budget::unlimited(), &mut ())?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// # Ok::<(), hardbop::CheckError>(())
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
