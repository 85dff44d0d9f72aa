//! One query of the proof: is a conjunction unsatisfiable, and what of it is needed for that?

use crate::base::budget::Budget;
use crate::solve::smt::solver::{SmtAnswer, SmtError, SmtSolver};
use crate::solve::smt::term::{Term, Terms};

/// Does the solver refute the formulas together?  With the assumed ones that it needs.
pub(super) fn refutes(
    solver: &mut dyn SmtSolver,
    terms: &Terms,
    asserted: &[Term],
    assumed: &[Term],
    budget: &Budget,
) -> Result<(SmtAnswer, Vec<Term>), SmtError> {
    solver.push()?;
    let answer = asserted
        .iter()
        .try_for_each(|&a| solver.assert(terms, a))
        .and_then(|()| solver.check(terms, assumed, budget));
    let core = match answer {
        Ok(SmtAnswer::Unsat) => solver.core(),
        _ => Ok(Vec::new()),
    };
    solver.pop()?;
    Ok((answer?, core?))
}
