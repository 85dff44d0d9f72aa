//! Proofs by summaries of functions.

use rustc_hash::FxHashMap;

use super::document::{FunctionSummary, Model};
use super::formulas::Formulas;
use super::judge::weaker;
use super::rejection::{Doubt, Rejection};
use crate::options::Options;
use crate::subject::interface::Prepared;
use crate::subject::{CProgram, Subject};
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::flow::Flow;
use hardbop_c::lower::{self, Assumption};
use hardbop_c::points_to::Externals;
use hardbop_cfa::{Location, Place, Program, known};
use hardbop_refine::block::procedure::Procedure;
use hardbop_refine::block::scope::Scopes;
use hardbop_refine::limits::Limits;
use hardbop_refine::proof::summaries::{EntryValues, Summaries, Summary, SummaryError};
use hardbop_smt::{Purpose, SolverKind, Solvers, Term, Terms, Unknown};

/// The functions that summaries are about.
pub(super) struct Functions {
    pub terms: Terms,
    pub program: Program,
    pub procedures: Vec<Procedure>,
    pub assumptions: Vec<Assumption>,
}

/// The automata of a program's functions, with this much of memory, and undefined functions that do
/// this.
///
/// # Errors
/// Why there are none.
pub(super) fn functions(
    flow: &Flow,
    model: &Model,
    (memory, externals): (lower::Model, Externals),
    budget: &Budget,
) -> Result<Functions, UnknownReason> {
    let malloc_may_fail = model.malloc_may_fail;
    let options = Options { memory, externals, malloc_may_fail, ..Options::default() };
    let prepared = CProgram::new(flow).prepare(&options, budget)?;
    let Prepared { program, mut terms, assumptions, .. } = prepared;
    let program = known::propagate(&mut terms, &program, budget)?;
    let procedures = (0..program.functions.len()).map(|f| Procedure::new(&program, f)).collect();
    Ok(Functions { terms, program, procedures, assumptions })
}

/// The claims of a proof on functions.
pub(super) struct Claimed<'a> {
    pub solver: SolverKind,
    pub definitions: &'a [String],
    pub functions: &'a [FunctionSummary],
}

/// Proves summaries, block by block.
///
/// # Errors
/// Why they are no proof.
pub(super) fn proved(
    flow: &Flow,
    model: &Model,
    how: (lower::Model, Externals),
    claimed: &Claimed,
    asked: &mut Option<(SolverKind, u64)>,
    budget: &Budget,
) -> Result<Vec<Assumption>, Doubt> {
    let Functions { mut terms, program, procedures, assumptions } =
        functions(flow, model, how, budget)?;
    weaker(model.externals, how, &assumptions)?;
    let summaries = read(&mut terms, (&program, &procedures), claimed, budget)?;
    let kind = claimed.solver.other();
    let solvers = Solvers::new(kind, None, Purpose::Invariant);
    let mut queries = 0;
    let make = || {
        queries += 1;
        solvers.solver()
    };
    let limits = Limits::default().invariant;
    let checked = summaries.check(&mut terms, (&program, &procedures), make, limits, budget);
    *asked = Some((kind, queries));
    checked.map(|()| assumptions).map_err(|e| doubt(flow, e))
}

fn doubt(flow: &Flow, error: SummaryError) -> Doubt {
    let at = |place: Option<Place>| {
        place.map_or(String::new(), |p| format!(" at {}", flow.source.place(p.span)))
    };
    let message = error.to_string();
    let why = match error {
        SummaryError::Solver(e) => return Doubt::Solver(e),
        SummaryError::Unknown(Unknown::Exhausted(e)) => return e.into(),
        SummaryError::Unknown(unknown) => {
            let (what, why) = ("the summaries could not be checked", unknown.to_string());
            return UnknownReason::UncheckedProof { what, why }.into();
        }
        SummaryError::Ill { .. } => return Rejection::Ill(message).into(),
        SummaryError::Foreign(_) | SummaryError::Start(_) => message,
        SummaryError::Call { place, .. } => message + &at(place),
        SummaryError::Goal { from, .. } => message + &at(from),
        SummaryError::NotInductive { function, from, to } => {
            let (from, to) = (at(from), at(to));
            format!("in '{function}', what holds{from} does not lead to what is to hold{to}")
        }
    };
    Rejection::Unproved(why).into()
}

/// The formulas of a proof, by function.
fn read(
    terms: &mut Terms,
    (program, procedures): (&Program, &[Procedure]),
    claimed: &Claimed,
    budget: &Budget,
) -> Result<Summaries, Doubt> {
    let ill = |what: String| Doubt::from(Rejection::Ill(what));
    let mut entry_values = EntryValues::default();
    let mut known: FxHashMap<String, Term> = FxHashMap::default();
    let formals = program.functions.iter().flat_map(|f| f.parameters.iter().copied());
    for of in formals.chain(Scopes::new(terms, program).globals) {
        let name = EntryValues::name(terms, of);
        let value = entry_values.variable(terms, of);
        known.insert(name, terms.variable(value));
    }
    let formulas = Formulas::new(terms, known, claimed.definitions, budget)?;
    let mut functions: Vec<Summary> = vec![Summary::default(); procedures.len()];
    for FunctionSummary { function, name, entry, states } in claimed.functions {
        let number = *function as usize;
        let procedure = procedures.get(number).filter(|_| program.functions[number].name == *name);
        let Some(procedure) = procedure else {
            return Err(ill(format!("function {function} is not '{name}'")));
        };
        if functions[number].entry.is_some() {
            return Err(ill(format!("'{name}' has two summaries")));
        }
        let entry = formulas.formula(terms, entry, budget)?;
        let Some(entry) = entry else {
            return Err(ill(format!("what holds at the entry of '{name}' is no formula")));
        };
        let locations = procedure.automaton.locations;
        let at: Vec<(Location, Term)> = formulas.states(terms, states, locations, budget)?;
        functions[number] = Summary { entry: Some(entry), at };
    }
    Ok(Summaries { functions, entry_values })
}
