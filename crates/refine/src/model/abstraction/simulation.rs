//! Does the Boolean program simulate the program?  Every statement is compared with its meaning by
//! a solver that had no part in making it.
//!
//! Together with an inductive invariant of the Boolean program that
//! [`proof::check`](hardbop_bp::proof::check) accepts, this proves SAFE.

use thiserror::Error;

use super::assignment::{AbstractProcedure, Assignment, Place};
use crate::model::relation::cover::Form;
use crate::model::relation::update::Value;
use hardbop_base::budget::Budget;
use hardbop_smt::{SmtAnswer, SmtError, SmtSolver, Term, Terms, Unknown};

/// Why the Boolean program proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SimulationError {
    /// A behaviour of the program is missing: in this function, at this statement.
    #[error("the Boolean program does not do what function {0} does ({1})")]
    Missing(usize, String),
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

/// Checks all statements.
///
/// # Errors
/// The first statement that leaves something out, or for which the solver finds no answer.
pub fn check(
    terms: &mut Terms,
    procedures: &[AbstractProcedure],
    solver: impl Fn() -> Result<Box<dyn SmtSolver>, SmtError>,
    budget: &Budget,
) -> Result<(), SimulationError> {
    for (function, procedure) in procedures.iter().enumerate() {
        let start = std::iter::once((Place::Start, &procedure.start));
        let blocks = procedure.blocks.iter().enumerate().map(|(b, a)| (Place::Block(b), a));
        let returns = procedure.returns.iter().enumerate().map(|(k, a)| (Place::Return(k), a));
        for (place, assignment) in start.chain(blocks).chain(returns) {
            if assignment.targets.is_empty() && assignment.update.condition.is_true() {
                continue;
            }
            let done = done(terms, assignment);
            let missing = terms.not(done);
            let mut solver = solver()?;
            for &conjunct in assignment.conjuncts.iter() {
                solver.assert(terms, conjunct)?;
            }
            match solver.check(terms, &[missing], budget)? {
                SmtAnswer::Unsat => {}
                SmtAnswer::Unknown(reason) => return Err(reason.into()),
                SmtAnswer::Sat => {
                    return Err(SimulationError::Missing(function, format!("{place:?}")));
                }
            }
        }
    }
    Ok(())
}

/// The behaviour that the assignment allows, over the terms of its literals.
fn done(terms: &mut Terms, assignment: &Assignment) -> Term {
    let update = &assignment.update;
    let literals = &assignment.terms;
    let after = assignment.literals.iter().zip(literals).filter(|((_, after), _)| *after);
    let targets: Vec<Term> = after.map(|(_, &t)| t).collect();
    let mut all = vec![form(terms, literals, &update.condition)];
    for (value, target) in update.values.iter().zip(targets) {
        match value {
            Value::Any => {}
            Value::Is(f) => {
                let f = form(terms, literals, f);
                all.push(terms.iff(f, target));
            }
            Value::Choose(p, n) => {
                let (p, n) = (form(terms, literals, p), form(terms, literals, n));
                all.push(terms.implies(p, target));
                let (not_p, not_target) = (terms.not(p), terms.not(target));
                let negative = terms.and(&[not_p, n]);
                all.push(terms.implies(negative, not_target));
            }
        }
    }
    terms.and(&all)
}

fn form(terms: &mut Terms, literals: &[Term], form: &Form) -> Term {
    let (Form::Some(cubes) | Form::None(cubes)) = form;
    let cubes: Vec<Term> = cubes
        .iter()
        .map(|cube| {
            let parts: Vec<Term> = cube
                .iter()
                .map(|&(i, value)| {
                    let literal = literals[i as usize];
                    if value { literal } else { terms.not(literal) }
                })
                .collect();
            terms.and(&parts)
        })
        .collect();
    let any = terms.or(&cubes);
    match form {
        Form::Some(_) => any,
        Form::None(_) => terms.not(any),
    }
}
