//! One engine alone, or several in a race.

use super::observer::Observer;
use super::options::{Engine, Options};
use super::report::{EngineError, Report};
use super::{localize, portfolio};
use crate::base::budget::Budget;
use crate::boolean::language::program::Program;

/// Decides whether an error node of `program` is reachable.
///
/// # Errors
/// [`EngineError`] if the engine contradicts the interpreter: a bug, to be reported.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    match options.engine {
        Engine::Race => portfolio::check(program, options, budget, observer),
        _ => localize::check(program, options, budget, observer),
    }
}
