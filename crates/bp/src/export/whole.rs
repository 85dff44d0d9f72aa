//! The part of a program that is written: all on which its errors depend.

use crate::engine::limits;
use crate::engine::prepare::{
    self, Extent, Prepared, Terms,
    slice::{failing_procedures, slice},
};
use crate::language::program::Program;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::Aig;

/// The program, sliced for all its errors; every procedure that is left is encoded in `aig`.
///
/// # Errors
/// If the budget is exhausted.
pub(super) fn whole<'p>(
    aig: &mut Aig,
    program: &'p Program,
    budget: &Budget,
) -> Result<Prepared<'p>, Exhausted> {
    let slice = slice(program, &failing_procedures(program));
    let terms = Terms { switches: None, facts: None };
    let limits = limits::Prepare::default();
    prepare::prepare(aig, program, slice.into(), Extent::All, terms, &limits, budget)
}
