//! Programs in which nothing counts as an error: they would be SAFE whatever they do, so they are
//! refused.

use thiserror::Error;

use hardbop_bp::language::program::Program;
#[cfg(feature = "c")]
use hardbop_c::Property;
#[cfg(feature = "c")]
use hardbop_c::flow::Flow;

/// A program has nothing that could be found to be an error, or lacks an error label that was asked
/// for by name: most likely its property is another one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NothingToCheck {
    /// A label that was asked for.
    #[error("no statement has the label '{0}'")]
    NoLabel(String),
    /// A Boolean program without errors.
    #[error(
        "nothing in this program counts as an error, so there is nothing to check: it has no assertion and no error label; \
         '--error' names other labels"
    )]
    InBoolean,
    /// A C program without errors.
    #[cfg(feature = "c")]
    #[error(
        "nothing in this program counts as an error, so there is nothing to check: it calls no error function, has no \
         assertion and no error label, and none of what '--check' looks for; '--error' names other labels"
    )]
    InC,
}

/// Refuses a Boolean program without errors; `missing` are the labels that were asked for, and that
/// it lacks.
///
/// # Errors
/// There is nothing to check.
pub fn in_boolean(program: &Program, missing: &[String]) -> Result<(), NothingToCheck> {
    if let Some(label) = missing.first() {
        return Err(NothingToCheck::NoLabel(label.clone()));
    }
    match program.states_error {
        true => Ok(()),
        false => Err(NothingToCheck::InBoolean),
    }
}

/// Refuses a C program in which nothing is an error by `property`; `labels` are those that were
/// asked for by name.
///
/// # Errors
/// There is nothing to check.
#[cfg(feature = "c")]
pub fn in_c(flow: &Flow, property: &Property, labels: &[String]) -> Result<(), NothingToCheck> {
    if let Some(label) = labels.iter().find(|label| !flow.error_labels.contains(*label)) {
        return Err(NothingToCheck::NoLabel(label.clone()));
    }
    match flow.stated.is_empty() && property.checks.is_empty() && !flow.is_told_to_rules() {
        true => Err(NothingToCheck::InC),
        false => Ok(()),
    }
}
