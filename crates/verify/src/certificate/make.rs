//! Makes a certificate from a report.

use thiserror::Error;

use super::document::{
    CCertificate, Deeper, Evidence, FunctionSummary, InputRecord, Model, Outline, Proof, Property,
    StatesAt, fingerprint,
};
use super::judge::automaton;
use super::outline::ends;
use super::summaries::functions;
use crate::options::Options;
use crate::report::{Report, Summarised};
use crate::subject::interface::Prepared;
use crate::verdict::Outcome;
use hardbop_base::budget::Budget;
use hardbop_c::ParseOptions;
use hardbop_c::flow::Flow;
use hardbop_cfa::{Automaton, Goal, Location, Place};
use hardbop_refine::block::BlockOperator;
use hardbop_refine::proof::Summary;
use hardbop_smt::{Term, Terms, shared_text};

/// Why there is no certificate of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Inexpressible {
    #[error("there is no verdict")]
    NoVerdict,
    #[error("there was no time to say what Boolean programs have proved")]
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
        Outcome::Safe(_) if report.boolean.is_some() => match &report.summarised {
            Some(proved) => Evidence::Safe(summaries(options, report, proved)),
            None => return Err(Inexpressible::BooleanPrograms),
        },
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
                outline: None,
            })
        }
    };
    let mut certificate = CCertificate {
        hardbop: env!("CARGO_PKG_VERSION").to_owned(),
        program_sha256: fingerprint(flow),
        property: Property::new(reading, flow.types.model),
        model: Model { externals: options.externals, malloc_may_fail: options.malloc_may_fail },
        evidence,
    };
    // Locations are numbers, which mean something in the same automaton only.
    let is_same = match &mut certificate.evidence {
        Evidence::Safe(proof @ Proof::Invariant { .. }) => {
            let again = automaton(flow, &certificate.model, proof, budget);
            again.is_ok_and(|(mut prepared, automaton)| {
                outlined(flow, proof, &mut prepared, &automaton);
                shape(&prepared.terms, &automaton) == shape(&report.terms, &report.automaton)
            })
        }
        Evidence::Safe(Proof::Summaries { memory, externals, .. }) => {
            let again = functions(flow, &certificate.model, (*memory, *externals), budget);
            again.is_ok_and(|functions| {
                let own = report.summarised.iter().flat_map(|s| &s.functions);
                let own = own.map(|(_, automaton)| shape(&report.terms, automaton));
                let again = functions.procedures.iter();
                again.map(|p| shape(&functions.terms, &p.automaton)).eq(own)
            })
        }
        Evidence::Safe(Proof::OnlyExecution {}) | Evidence::Unsafe(_) => true,
    };
    is_same.then_some(certificate).ok_or(Inexpressible::Limits)
}

/// Says what the formulas of an invariant are about in words that another version of the program
/// knows.
pub(super) fn outlined(
    flow: &Flow,
    proof: &mut Proof,
    prepared: &mut Prepared,
    automaton: &Automaton,
) {
    let Proof::Invariant { blocks, states, outline, .. } = proof else { return };
    let at: Vec<Location> = states.iter().map(|s| Location(s.location)).collect();
    if !at.is_empty() {
        let Prepared { program, terms, .. } = prepared;
        let ends = ends(automaton, &blocks.divide(automaton));
        *outline = Some(Outline::new(flow, terms, (program, automaton), (&ends, &at)));
    }
}

/// The summaries of functions that Boolean programs have proved.
fn summaries(options: &Options, report: &Report, proved: &Summarised) -> Proof {
    let called = |s: &Summary| s.entry.map(|entry| (entry, s.at.clone()));
    let all: Vec<_> = proved.summaries.functions.iter().map(called).collect();
    let of = |(entry, at): &(Term, Vec<(Location, Term)>)| {
        std::iter::once(*entry).chain(at.iter().map(|&(_, formula)| formula)).collect::<Vec<_>>()
    };
    let formulas: Vec<Term> = all.iter().flatten().flat_map(of).collect();
    let (definitions, texts) = shared_text(&report.terms, &formulas);
    let mut texts = texts.into_iter();
    let mut functions = vec![];
    for (number, (summary, (name, _))) in (0..).zip(all.iter().zip(&proved.functions)) {
        let Some((_, at)) = summary else { continue };
        // There are as many texts as formulas.
        let mut text = || texts.next().unwrap_or_default();
        functions.push(FunctionSummary {
            function: number,
            name: name.clone(),
            entry: text(),
            states: at.iter().map(|&(l, _)| StatesAt { location: l.0, formula: text() }).collect(),
        });
    }
    let (memory, externals) = (report.memory, report.externals);
    Proof::Summaries { memory, externals, solver: options.analysis.solver, definitions, functions }
}

/// Sources and targets of edges, and the names of what they change.
type Steps = Vec<(Location, Location, Vec<String>)>;

/// The shape that tells one automaton from another, whatever the store of its terms is.
fn shape<'a>(terms: &Terms, automaton: &'a Automaton) -> (u32, &'a [(Location, Goal)], Steps) {
    let steps = automaton.edges.iter().map(|edge| {
        let changed = edge.operation.changes().map(|(s, _)| terms.name(s).to_owned());
        (edge.source, edge.target, changed.collect())
    });
    (automaton.locations, &automaton.goals, steps.collect())
}

/// The stacks of calls where recursion was followed deeper, in order.
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
