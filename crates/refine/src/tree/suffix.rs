//! The part of an infeasible path that is to be interpolated.

use crate::block::path::PathFormula;
use crate::cegar::model::Context;
use hardbop_smt::{Purpose, SmtAnswer, SmtError, Term};

/// The place where a suffix of a path begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Suffix {
    /// The number of blocks before it.
    pub blocks: usize,
    /// The state there, over instances; `None` at the program's entry.
    pub state: Option<Term>,
}

/// The shortest suffix of a path that is infeasible from the state before it.  `states` are those
/// after each block except the last, over program variables, and inductive, so that each longer
/// suffix is infeasible, too; without them it is the whole path.
///
/// The part before it often only adds constants, such as the number of rounds of a loop:
/// interpolants of the whole path then hold for this path alone.
pub(super) fn infeasible(
    context: &mut Context,
    (parts, formula): (&[Term], &PathFormula),
    states: &[Term],
) -> Result<Suffix, SmtError> {
    let Context { terms, options, budget } = context;
    let solvers = options.solvers(Purpose::Path);
    let (mut shortest, mut feasible) = (Suffix::default(), states.len() + 1);
    while shortest.blocks + 1 < feasible {
        let blocks = usize::midpoint(shortest.blocks, feasible);
        let state = formula.after(terms, blocks - 1, states[blocks - 1]);
        let mut solver = solvers.solver()?;
        solver.assert(terms, state)?;
        for &part in &parts[blocks..] {
            solver.assert(terms, part)?;
        }
        match solver.check(terms, &[], budget)? {
            SmtAnswer::Unsat => shortest = Suffix { blocks, state: Some(state) },
            SmtAnswer::Sat | SmtAnswer::Unknown(_) => feasible = blocks,
        }
    }
    Ok(shortest)
}
