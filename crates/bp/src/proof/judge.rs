//! Does a certificate prove its verdict of a program text?

use serde::Serialize;
use thiserror::Error;

use super::certificate::{Certificate, Evidence, fingerprint};
use super::check::{CheckerObserver, CheckerOptions, check};
use super::failure::{Effort, Failure, Place, Unproved};
use super::invariant::InvariantError;
use crate::language::interpret::{ReplayError, replay};
use crate::language::parser::parse;
use crate::language::program::Program;
use crate::language::resolve::resolve;
use crate::language::syntax::{Item, SyntaxTree};
use crate::language::trace::Trace;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::source::Diagnostic;
use hardbop_base::source::Source;

/// Requirements on the property of a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demand {
    pub entry: Option<String>,
    /// The error labels, in any order.
    pub error_labels: Option<Vec<String>>,
    pub check_asserts: Option<bool>,
}

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Rejection {
    #[error("the certificate is for another program: its SHA-256 is not {0}")]
    OtherProgram(String),
    #[error("the certificate is for another property: {0}")]
    OtherProperty(String),
    #[error("the trace does not lead to an error: {error}{}", at(.place))]
    Trace { error: ReplayError, place: Option<Place> },
    #[error("the invariant is ill-formed: {0}")]
    Ill(InvariantError),
    #[error("{0}")]
    Unproved(Failure),
}

fn at(place: &Option<Place>) -> String {
    place.as_ref().map_or_else(String::new, |p| format!(", in {p}"))
}

/// The verdict on a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    Valid,
    Rejected(Box<Rejection>),
    Undecided(Exhausted),
}

/// A judgement, and the effort it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    pub judgement: Judgement,
    pub effort: Effort,
}

/// The verdict that a certificate claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Claim {
    Safe,
    Unsafe,
}

impl From<&Evidence> for Claim {
    fn from(evidence: &Evidence) -> Self {
        match evidence {
            Evidence::Safe(_) => Self::Safe,
            Evidence::Unsafe(_) => Self::Unsafe,
        }
    }
}

/// Judges a certificate for the program text.
///
/// # Errors
/// The mistakes of the program text, when read as the certificate's property says.
pub fn judge(
    source: &Source,
    certificate: &Certificate,
    demand: &Demand,
    options: &CheckerOptions,
    budget: &Budget,
    observer: &mut dyn CheckerObserver,
) -> Result<Opinion, Vec<Diagnostic>> {
    let mut effort = Effort::default();
    let rejected = |r: Rejection| Judgement::Rejected(Box::new(r));
    let judgement = match program(source, certificate, demand)? {
        Err(rejection) => rejected(rejection),
        Ok(program) => match &certificate.evidence {
            Evidence::Unsafe(trace) => match replay(&program, trace) {
                Ok(_) => Judgement::Valid,
                Err(error) => {
                    let place = place(&program, trace, &error);
                    rejected(Rejection::Trace { error, place })
                }
            },
            Evidence::Safe(invariant) => {
                match check(&program, invariant, options, budget, observer, &mut effort) {
                    Ok(()) => Judgement::Valid,
                    Err(Unproved::Ill(error)) => rejected(Rejection::Ill(error)),
                    Err(Unproved::Fails(failure)) => rejected(Rejection::Unproved(failure)),
                    Err(Unproved::Exhausted(reason)) => Judgement::Undecided(reason),
                }
            }
        },
    };
    Ok(Opinion { judgement, effort })
}

/// The program, if its text is the certified one and the property is as demanded.
fn program(
    source: &Source,
    certificate: &Certificate,
    demand: &Demand,
) -> Result<Result<Program, Rejection>, Vec<Diagnostic>> {
    let property = &certificate.property;
    let hash = fingerprint(&source.text);
    if !certificate.program_sha256.eq_ignore_ascii_case(&hash) {
        return Ok(Err(Rejection::OtherProgram(hash)));
    }
    let sorted = |labels: &[String]| {
        let mut labels = labels.to_vec();
        labels.sort_unstable();
        labels.dedup();
        labels
    };
    let other = if demand.entry.as_ref().is_some_and(|e| *e != property.entry) {
        Some(format!("it starts with '{}'", property.entry))
    } else if demand
        .error_labels
        .as_ref()
        .is_some_and(|l| sorted(l) != sorted(&property.error_labels))
    {
        Some(format!("its error labels are {}", property.error_labels.join(", ")))
    } else if demand.check_asserts.is_some_and(|c| c != property.check_asserts) {
        let not = if property.check_asserts { "" } else { "not " };
        Some(format!("assertions are {not}checked"))
    } else {
        None
    };
    if let Some(other) = other {
        return Ok(Err(Rejection::OtherProperty(other)));
    }
    let tree = parse(&source.text, property.dialect)?;
    if !has_procedure(&tree, &property.entry) {
        let what = format!("the program has no procedure '{}'", property.entry);
        return Ok(Err(Rejection::OtherProperty(what)));
    }
    resolve(source.clone(), &tree, &property.resolve_options()).map(Ok)
}

fn has_procedure(tree: &SyntaxTree, name: &str) -> bool {
    tree.items.iter().any(|i| matches!(i, Item::Procedure(p) if p.name.text == name))
}

/// The statement of the failing step, or of the last one.
fn place(program: &Program, trace: &Trace, error: &ReplayError) -> Option<Place> {
    let step = match error {
        ReplayError::Initial { .. } => return None,
        ReplayError::Step { step, .. } => trace.steps.get(step - 1)?,
        ReplayError::NoError { .. } => trace.steps.last()?,
    };
    let edge = program.procedures.get(step.procedure.index())?.edges.get(step.edge.index())?;
    Some(Place::new(program, step.procedure, edge.span))
}
