//! Does a certificate prove its verdict of a program?

use rustc_hash::FxHashMap;

use super::document::{CCertificate, Deeper, Evidence, InputRecord, Model, Proof, fingerprint};
use super::formulas::Formulas;
use super::rejection::{Doubt, Rejection};
use super::summaries::{self, Claimed};
use crate::options::Options;
use crate::reduction::Reduction;
use crate::steps;
use crate::subject::interface::{Found, Prepared};
use crate::subject::{CProgram, Subject};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::source::Span;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::execute::{self, ExecutionOptions, Recording};
use hardbop_c::flow::Flow;
use hardbop_c::lower::{self, Assumption};
use hardbop_c::points_to::Externals;
use hardbop_c::trace::CTrace;
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_cfa::{Automaton, Place};
use hardbop_refine::block::problem::Problem;
use hardbop_refine::limits::Limits;
use hardbop_refine::proof::invariant::{Invariant, InvariantError};
use hardbop_smt::{Purpose, SmtError, SolverKind, Solvers, Unknown};

/// Activations of one function that a proof may follow, at most: as many as `--recursion` may say.
const DEEPEST: u32 = 100_000;

/// Requirements on the property of a certificate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demand {
    pub entry: Option<String>,
    /// The error labels, in any order.
    pub error_labels: Option<Vec<String>>,
    pub check_asserts: Option<bool>,
}

/// The verdict on a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    Valid,
    Rejected(Rejection),
    Undecided(UnknownReason),
}

/// A judgement, and what it rests on.
#[derive(Debug, Clone)]
pub struct Opinion {
    pub judgement: Judgement,
    /// The assumptions of the verdict.
    pub assumptions: Vec<Assumption>,
    /// The solver that was asked, and how often.
    pub solver: Option<(SolverKind, u64)>,
}

/// Judges a certificate for a program that was read for the certificate's property.
///
/// # Errors
/// A solver fails.
pub fn judge(
    flow: &Flow,
    certificate: &CCertificate,
    demand: &Demand,
    budget: &Budget,
) -> Result<Opinion, SmtError> {
    let mut opinion = Opinion { judgement: Judgement::Valid, assumptions: vec![], solver: None };
    let judged = match mismatch(flow, certificate, demand) {
        Some(rejection) => Err(Doubt::Rejected(rejection)),
        None => match &certificate.evidence {
            Evidence::Unsafe(inputs) => executed(flow, &certificate.model, inputs, budget),
            Evidence::Safe(Proof::OnlyExecution {}) => only(flow, &certificate.model, budget),
            Evidence::Safe(Proof::Summaries {
                memory,
                externals,
                solver,
                definitions,
                functions,
            }) => {
                let how = (*memory, *externals);
                let claim = Claimed { solver: *solver, definitions, functions };
                summaries::proved(
                    flow,
                    &certificate.model,
                    how,
                    &claim,
                    &mut opinion.solver,
                    budget,
                )
            }
            Evidence::Safe(proof) => {
                proved(flow, &certificate.model, proof, &mut opinion.solver, budget)
            }
        },
    };
    match judged {
        Ok(assumptions) => opinion.assumptions = assumptions,
        Err(doubt) => opinion.judgement = refused(doubt)?,
    }
    Ok(opinion)
}

/// The verdict where there is a doubt.
///
/// # Errors
/// It is a solver's failure.
pub(super) fn refused(doubt: Doubt) -> Result<Judgement, SmtError> {
    match doubt {
        Doubt::Rejected(rejection) => Ok(Judgement::Rejected(rejection)),
        Doubt::Undecided(reason) => Ok(Judgement::Undecided(reason)),
        Doubt::Solver(error) => Err(error),
    }
}

fn mismatch(flow: &Flow, certificate: &CCertificate, demand: &Demand) -> Option<Rejection> {
    let hash = fingerprint(flow);
    if !certificate.program_sha256.eq_ignore_ascii_case(&hash) {
        return Some(Rejection::OtherProgram(hash));
    }
    let sorted = |labels: &[String]| {
        let mut labels = labels.to_vec();
        labels.sort_unstable();
        labels.dedup();
        labels
    };
    let property = &certificate.property;
    let entry = &flow.functions[flow.main.0 as usize].name;
    if demand.entry.as_ref().is_some_and(|wanted| wanted != entry) {
        return Some(Rejection::OtherProperty(format!("it starts with '{entry}'")));
    }
    let labels = &property.errors.error_labels;
    if demand.error_labels.as_ref().is_some_and(|l| sorted(l) != sorted(labels)) {
        let labels = labels.join(", ");
        return Some(Rejection::OtherProperty(format!("its error labels are {labels}")));
    }
    if demand.check_asserts.is_some_and(|c| c != property.errors.assertions) {
        let not = if property.errors.assertions { "" } else { "not " };
        return Some(Rejection::OtherProperty(format!("assertions are {not}checked")));
    }
    None
}

/// Executes the program; gives the assumptions that the interpreter does not check.
fn executed(
    flow: &Flow,
    model: &Model,
    inputs: &[InputRecord],
    budget: &Budget,
) -> Result<Vec<Assumption>, Doubt> {
    let trace =
        CTrace { inputs: inputs.iter().map(Into::into).collect(), guesses: vec![], edges: None };
    let options = ExecutionOptions {
        record: Recording::Values,
        budget: budget.clone(),
        allocations_may_fail: model.malloc_may_fail,
        ..ExecutionOptions::default()
    };
    match execute::replay(flow, &trace, &options) {
        Ok(execution) => {
            let mut assumptions = vec![];
            CProgram::new(flow).assume(&execution, &mut assumptions);
            Ok(assumptions)
        }
        Err(execute::ReplayError::Exhausted(reason)) => Err(reason.into()),
        Err(other) => Err(Rejection::Inputs(other.to_string()).into()),
    }
}

/// Executes a program that has one execution.
fn only(flow: &Flow, model: &Model, budget: &Budget) -> Result<Vec<Assumption>, Doubt> {
    let options = Options {
        executions: 1,
        externals: Externals::Reachable,
        malloc_may_fail: model.malloc_may_fail,
        ..Options::default()
    };
    let mut program = CProgram::new(flow);
    let mut found = program.search(&options, budget);
    if let Found::Nothing = found {
        found = program.execute_symbolically(&options, budget);
    }
    budget.check()?;
    let Found::AllExecutions { reads, located } = found else {
        return Err(Rejection::Executions.into());
    };
    let mut assumptions = program.prepare(&options, budget)?.assumptions;
    match program.assume_determined(&mut assumptions, reads, located) {
        true => Ok(assumptions),
        false => Err(Rejection::Executions.into()),
    }
}

/// Why there is no automaton that a proof is about.
pub(super) enum Unexpandable {
    /// Recursion would be followed so deep.
    Depth(u32),
    Unknown(UnknownReason),
}

impl From<UnknownReason> for Unexpandable {
    fn from(reason: UnknownReason) -> Self {
        Self::Unknown(reason)
    }
}

impl From<Exhausted> for Unexpandable {
    fn from(reason: Exhausted) -> Self {
        Self::Unknown(reason.into())
    }
}

/// The program as the automaton that a proof is about, and what that takes for granted.
pub(super) fn automaton(
    flow: &Flow,
    model: &Model,
    proof: &Proof,
    budget: &Budget,
) -> Result<(Prepared, Automaton), Unexpandable> {
    let mut limits = ExpansionLimits::default();
    let mut options = Options { malloc_may_fail: model.malloc_may_fail, ..Options::default() };
    if let Proof::Invariant { memory, externals, recursion, deeper, .. } = proof {
        (options.memory, options.externals) = (*memory, *externals);
        let deepest = deeper.iter().map(|d| d.activations).chain([*recursion]);
        if let Some(depth) = deepest.into_iter().find(|d| !(1..=DEEPEST).contains(d)) {
            return Err(Unexpandable::Depth(depth));
        }
        limits.limits.expansion.recursion = *recursion;
        if !deeper.is_empty() {
            limits.limits.expansion.edges = options.route_limits.deeper_edges;
        }
        limits.deeper = deeper.iter().map(stack).collect();
    }
    let mut prepared = CProgram::new(flow).prepare(&options, budget)?;
    let mut reduction = Reduction::default();
    let automaton =
        steps::automaton(&mut prepared.terms, &prepared.program, &limits, budget, &mut reduction)
            .map_err(UnknownReason::from)?;
    Ok((prepared, automaton))
}

fn stack(deeper: &Deeper) -> (Vec<Place>, u32) {
    let place = |&[function, instruction, start, end]: &[u32; 4]| Place {
        function,
        instruction,
        span: Span { start, end },
    };
    (deeper.calls.iter().map(place).collect(), deeper.activations)
}

/// Proves an invariant, block by block.
fn proved(
    flow: &Flow,
    model: &Model,
    proof: &Proof,
    asked: &mut Option<(SolverKind, u64)>,
    budget: &Budget,
) -> Result<Vec<Assumption>, Doubt> {
    let Proof::Invariant { memory, externals, blocks, solver, definitions, states, rounds, .. } =
        proof
    else {
        return Err(Rejection::Executions.into());
    };
    let (Prepared { mut terms, assumptions, .. }, automaton) =
        match automaton(flow, model, proof, budget) {
            Err(Unexpandable::Depth(depth)) => {
                let what =
                    format!("recursion is followed 1 to {DEEPEST} activations deep, not {depth}");
                return Err(Rejection::Ill(what).into());
            }
            Err(Unexpandable::Unknown(reason)) => return Err(reason.into()),
            Ok(made) => made,
        };
    weaker(model.externals, (*memory, *externals), &assumptions)?;
    if rounds.is_some() && !states.is_empty() {
        let what = "it has both 'states' and 'rounds'";
        return Err(Rejection::Ill(what.to_owned()).into());
    }
    let formulas = Formulas::new(&mut terms, FxHashMap::default(), definitions, budget)?;
    let at = formulas.states(&mut terms, states, automaton.locations, budget)?;
    let invariant = Invariant { at, rounds: *rounds };
    let kind = solver.other();
    let solvers = Solvers::new(kind, None, Purpose::Invariant);
    let mut problem = Problem::new(automaton, *blocks);
    let mut queries = 0;
    let make = || {
        queries += 1;
        solvers.solver()
    };
    let checked =
        invariant.check(&mut terms, &mut problem, make, Limits::default().invariant, budget);
    *asked = Some((kind, queries));
    let place = |location: u32| {
        let edges = &problem.automaton.edges;
        let edge = edges.iter().find(|e| e.source.0 == location || e.target.0 == location);
        edge.map_or(format!("location {location}"), |e| flow.source.place(e.place.span))
    };
    checked.map(|()| assumptions).map_err(|e| match e {
        InvariantError::Solver(e) => Doubt::Solver(e),
        InvariantError::Unknown(Unknown::Exhausted(e)) => e.into(),
        InvariantError::Unknown(unknown) => UnknownReason::UncheckedProof {
            what: "the invariant could not be checked",
            why: unknown.to_string(),
        }
        .into(),
        InvariantError::Initial => {
            Rejection::Unproved("it says something of where executions start".to_owned()).into()
        }
        wrong @ InvariantError::Unfinished(_) => Rejection::Unproved(wrong.to_string()).into(),
        InvariantError::NotInductive(from, to) => {
            let (from, to) = (place(from), place(to));
            let why = format!("what holds at {from} does not lead to what is to hold at {to}");
            Rejection::Unproved(why).into()
        }
        InvariantError::Goal(from, _) => {
            let from = place(from);
            let why = format!("what holds at {from} does not exclude an error");
            Rejection::Unproved(why).into()
        }
    })
}

/// Is what a proof assumes of undefined functions what the model says, or as good as that?  And is it about all executions?
///
/// # Errors
/// It is not.
pub(super) fn weaker(
    model: Externals,
    (memory, proof): (lower::Model, Externals),
    assumptions: &[Assumption],
) -> Result<(), Doubt> {
    if memory.is_partial() {
        return Err(UnknownReason::FewArguments.into());
    }
    if model != proof {
        // What an undefined function may change besides what it is given must not matter then.
        let undefined = assumptions.iter().find_map(|a| match a {
            Assumption::ReachingFunction(name) => Some(name.clone()),
            _ => None,
        });
        let is_weaker = (model, proof) == (Externals::Any, Externals::Reachable);
        match undefined {
            Some(name) => return Err(Rejection::Externals(name).into()),
            None if !is_weaker => {
                let what = "what it assumes of undefined functions is not what the model says";
                return Err(Rejection::Ill(what.to_owned()).into());
            }
            None => {}
        }
    }
    Ok(())
}
