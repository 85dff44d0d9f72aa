//! A certificate of another version of a program, made one of this version as far as that goes.
//!
//! The result is a guess, which [`judge`] judges like any other certificate: nothing here has to be
//! right.

use rustc_hash::FxHashMap;

use super::document::{CCertificate, Evidence, Proof, StatesAt, fingerprint};
use super::formulas::Formulas;
use super::judge::{Demand, Judgement, Opinion, Unexpandable, automaton, judge, refused};
use super::make::outlined;
use super::outline::{ends, matched};
use super::rejection::{Doubt, Rejection};
use super::summaries;
use hardbop_base::budget::Budget;
use hardbop_c::flow::Flow;
use hardbop_cfa::Location;
use hardbop_refine::block::problem::Problem;
use hardbop_refine::limits::Limits;
use hardbop_refine::proof::invariant::{Invariant, InvariantError};
use hardbop_smt::{Purpose, SmtError, Solvers, Term, Unknown, shared_text};

/// The verdict on a certificate that may be another version's.
#[derive(Debug, Clone)]
pub struct Adapted {
    pub opinion: Opinion,
    /// A certificate of this program, where it is valid.
    pub certificate: Option<CCertificate>,
}

/// Judges a certificate of this version of a program, or what can be made of one of another
/// version.
///
/// # Errors
/// A solver fails.
pub fn adapted(
    flow: &Flow,
    certificate: &CCertificate,
    demand: &Demand,
    budget: &Budget,
) -> Result<Adapted, SmtError> {
    let hash = fingerprint(flow);
    if certificate.program_sha256.eq_ignore_ascii_case(&hash) {
        let opinion = judge(flow, certificate, demand, budget)?;
        if opinion.judgement == Judgement::Valid {
            return Ok(Adapted { opinion, certificate: Some(certificate.clone()) });
        }
    }
    let hardbop = env!("CARGO_PKG_VERSION").to_owned();
    let guess = CCertificate { hardbop, program_sha256: hash, ..certificate.clone() };
    let guess = match guess.evidence {
        Evidence::Safe(Proof::Invariant { rounds: None, .. }) => moved(flow, guess, budget),
        Evidence::Safe(Proof::Summaries { .. }) => renumbered(flow, guess, budget),
        // Inputs, one execution, or a number of rounds.
        _ => Ok(guess),
    };
    match guess {
        Ok(guess) => {
            let opinion = judge(flow, &guess, demand, budget)?;
            let is_valid = opinion.judgement == Judgement::Valid;
            Ok(Adapted { opinion, certificate: Some(guess).filter(|_| is_valid) })
        }
        Err(doubt) => {
            let judgement = refused(doubt)?;
            let opinion = Opinion { judgement, assumptions: vec![], solver: None };
            Ok(Adapted { opinion, certificate: None })
        }
    }
}

/// The invariant in the automaton of this program, weakened until it is one.
fn moved(
    flow: &Flow,
    mut certificate: CCertificate,
    budget: &Budget,
) -> Result<CCertificate, Doubt> {
    let Evidence::Safe(proof) = &mut certificate.evidence else { return Ok(certificate) };
    // The places of calls were those of another text.
    if let Proof::Invariant { deeper, .. } = proof {
        deeper.clear();
    }
    let (mut prepared, automaton) = match automaton(flow, &certificate.model, proof, budget) {
        Ok(made) => made,
        Err(Unexpandable::Depth(depth)) => {
            return Err(Rejection::Ill(format!("recursion is followed {depth} deep")).into());
        }
        Err(Unexpandable::Unknown(reason)) => return Err(reason.into()),
    };
    let Proof::Invariant { blocks, solver, definitions, states, outline, .. } = proof else {
        return Ok(certificate);
    };
    let mut problem = Problem::new(automaton, *blocks);
    let ends = ends(&problem.automaton, &problem.summary);
    let terms = &mut prepared.terms;
    let (known, places) = match outline {
        Some(outline) => {
            let program = (flow, &prepared.program);
            let places = matched(outline, program, &problem.automaton, &ends);
            (outline.variables(terms, &problem.automaton), places)
        }
        None if states.len() == ends.len() => {
            (FxHashMap::default(), ends.into_iter().map(Some).collect())
        }
        None => (FxHashMap::default(), states.iter().map(|s| Some(Location(s.location))).collect()),
    };
    let formulas = Formulas::new(terms, known, definitions, budget)?;
    let mut at: Vec<(Location, Term)> = vec![];
    for (StatesAt { formula, .. }, place) in states.iter().zip(places) {
        let formula = formulas.formula(terms, formula, budget)?;
        at.extend(place.zip(formula));
    }
    let is_end = |l: Location| problem.summary.locations.contains(&l);
    at.retain(|&(l, _)| is_end(l) && problem.automaton.goal(l).is_none());
    at.sort_unstable();
    at.dedup_by_key(|(l, _)| *l);
    // The one of the two for bit-vectors that the judge will not ask.
    *solver = solver.other().other();
    let solvers = Solvers::new(*solver, None, Purpose::Invariant);
    let limits = Limits::default().invariant;
    let start = Invariant { at, rounds: None };
    let made = start.weakened(terms, &mut problem, || solvers.solver(), limits, budget);
    let made = made.map_err(doubt)?;
    let all: Vec<Term> = made.at.iter().map(|&(_, formula)| formula).collect();
    let texts;
    (*definitions, texts) = shared_text(terms, &all);
    *states = (made.at.iter().zip(texts))
        .map(|(&(l, _), formula)| StatesAt { location: l.0, formula })
        .collect();
    outlined(flow, proof, &mut prepared, &problem.automaton);
    Ok(certificate)
}

/// The summaries for the functions that have their names now.
fn renumbered(
    flow: &Flow,
    mut certificate: CCertificate,
    budget: &Budget,
) -> Result<CCertificate, Doubt> {
    if let Evidence::Safe(Proof::Summaries { memory, externals, functions, .. }) =
        &mut certificate.evidence
    {
        let how = (*memory, *externals);
        let made = summaries::functions(flow, &certificate.model, how, budget)?;
        let own = &made.program.functions;
        functions.retain_mut(|f| match own.iter().position(|own| own.name == f.name) {
            Some(number) => {
                f.function = number as u32;
                true
            }
            None => false,
        });
    }
    Ok(certificate)
}

fn doubt(error: InvariantError) -> Doubt {
    let why = match error {
        InvariantError::Solver(e) => return Doubt::Solver(e),
        InvariantError::Unknown(Unknown::Exhausted(e)) => return e.into(),
        InvariantError::Goal(..) => "what is left of it in this version does not exclude an error",
        _ => "no invariant of this version was found with it",
    };
    Rejection::Unproved(why.to_owned()).into()
}
