//! One engine alone, or several in a race.

use std::num::NonZeroUsize;

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
        Engine::Auto if options.threads > NonZeroUsize::MIN => {
            portfolio::check(program, options, budget, observer)
        }
        Engine::Auto | Engine::Qbf | Engine::Universal | Engine::Bdd | Engine::Pdr => {
            localize::check(program, options, budget, observer)
        }
    }
}
