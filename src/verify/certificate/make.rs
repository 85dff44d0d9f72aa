//! From a report to a certificate.

use thiserror::Error;

use super::document::{
    CCertificate, Deeper, Evidence, InputRecord, Model, Proof, Property, StatesAt, fingerprint,
};
use super::judge::automaton;
use crate::base::budget::Budget;
use crate::program::c::ParseOptions;
use crate::program::c::flow::Flow;
use crate::program::cfa::{Automaton, Goal, Location, Place};
use crate::solve::smt::{Terms, shared_text};
use crate::verify::options::Options;
use crate::verify::report::Report;
use crate::verify::verdict::Outcome;

/// Why there is no certificate of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Inexpressible {
    #[error("there is no verdict")]
    NoVerdict,
    #[error(
        "Boolean programs have decided, whose proof has no form in it; '--route tree' may find another"
    )]
    BooleanPrograms,
    #[error("the proof is about an automaton that depends on changed limits")]
    Limits,
}

/// The certificate of a report about a program that was read with these options.
///
/// # Errors
/// Why there is none.
pub fn certificate(
    flow: &Flow,
    reading: &ParseOptions,
    options: &Options,
    report: &Report,
    budget: &Budget,
) -> Result<CCertificate, Inexpressible> {
    let evidence = match &report.outcome {
        Outcome::Unknown(_) => return Err(Inexpressible::NoVerdict),
        Outcome::Unsafe(execution) => {
            Evidence::Unsafe(execution.trace().inputs.iter().map(InputRecord::from).collect())
        }
        Outcome::Safe(_) if report.by_executions => Evidence::Safe(Proof::OnlyExecution {}),
        Outcome::Safe(_) if report.boolean.is_some() => return Err(Inexpressible::BooleanPrograms),
        Outcome::Safe(invariant) => {
            let formulas: Vec<_> = invariant.at.iter().map(|&(_, formula)| formula).collect();
            let (definitions, texts) = shared_text(&report.terms, &formulas);
            let states = invariant.at.iter().zip(texts);
            let states = states.map(|(&(l, _), formula)| StatesAt { location: l.0, formula });
            Evidence::Safe(Proof::Invariant {
                memory: report.memory,
                externals: report.externals,
                recursion: report.expansion.limits.expansion.recursion,
                deeper: deeper(report),
                blocks: options.analysis.blocks,
                solver: options.analysis.solver,
                definitions,
                states: states.collect(),
                rounds: invariant.rounds,
            })
        }
    };
    let certificate = CCertificate {
        hardbop: env!("CARGO_PKG_VERSION").to_owned(),
        program_sha256: fingerprint(flow),
        property: Property::new(reading, flow.types.model),
        model: Model { externals: options.externals, malloc_may_fail: options.malloc_may_fail },
        evidence,
    };
    // Locations are numbers, which mean something in the same automaton only.
    if let Evidence::Safe(proof @ Proof::Invariant { .. }) = &certificate.evidence {
        let again = automaton(flow, &certificate.model, proof, budget);
        let is_same = again.is_ok_and(|(prepared, automaton)| {
            shape(&prepared.terms, &automaton) == shape(&report.terms, &report.automaton)
        });
        if !is_same {
            return Err(Inexpressible::Limits);
        }
    }
    Ok(certificate)
}

/// Sources and targets of edges, and the names of what they change.
type Steps = Vec<(Location, Location, Vec<String>)>;

/// What tells one automaton from another, whatever the store of its terms is.
fn shape<'a>(terms: &Terms, automaton: &'a Automaton) -> (u32, &'a [(Location, Goal)], Steps) {
    let steps = automaton.edges.iter().map(|edge| {
        let changed = edge.operation.changes().map(|(s, _)| terms.name(s).to_owned());
        (edge.source, edge.target, changed.collect())
    });
    (automaton.locations, &automaton.goals, steps.collect())
}

/// Where recursion was followed deeper, in order.
fn deeper(report: &Report) -> Vec<Deeper> {
    let place = |p: &Place| [p.function, p.instruction, p.span.start, p.span.end];
    let all = report.expansion.deeper.iter().map(|(calls, &activations)| Deeper {
        calls: calls.iter().map(place).collect(),
        activations,
    });
    let mut all: Vec<Deeper> = all.collect();
    all.sort();
    all
}
