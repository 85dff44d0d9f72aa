//! A query of the proof: is a conjunction unsatisfiable, and which of its conjuncts are needed for
//! that?

use hardbop_base::budget::Budget;
use hardbop_smt::solver::{SmtAnswer, SmtError, SmtSolver};
use hardbop_smt::term::{Term, Terms};

/// The solver's answer for all formulas together, and the assumed ones that it needed if that is
/// `Unsat`.
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
        Ok(SmtAnswer::Unsat) => core(solver, terms, assumed, budget),
        _ => Ok(Vec::new()),
    };
    solver.pop()?;
    Ok((answer?, core?))
}

/// The assumptions that the last check needed.  Z3 sometimes says of formulas with floating-point
/// numbers that it needed none; unless that is so, it is all.
fn core(
    solver: &mut dyn SmtSolver,
    terms: &Terms,
    assumed: &[Term],
    budget: &Budget,
) -> Result<Vec<Term>, SmtError> {
    let core = solver.core()?;
    if !core.is_empty()
        || assumed.is_empty()
        || solver.check(terms, &[], budget)? == SmtAnswer::Unsat
    {
        return Ok(core);
    }
    let mut all = assumed.to_vec();
    all.sort_unstable();
    Ok(all)
}
