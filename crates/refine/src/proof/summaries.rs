//! Summaries of functions: what is claimed of every activation of a function, whoever has called
//! it, and the proof that the claims hold and exclude all goals.
//!
//! Sharir and Pnueli, "Two Approaches to Interprocedural Data Flow Analysis" (1981): what a call
//! does is what the callee claims at its exit, as a relation between the values with which it was
//! entered and those that it leaves.  Whatever the depth of recursion, the claims hold by induction
//! over the length of executions:
//!
//! 1. Executions start in states in which the entry formula of `main` holds.
//! 2. From a claim in a function, each block leads to the claim behind it, and none to a goal; a
//!    call has the effect that the callee claims at its exit.
//! 3. At each call that a claim allows, the callee's entry formula holds of globals and arguments.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::calls::{CallFree, Claims};
use super::invariant::{Invariant, InvariantError};
use crate::block::operator::{BlockOperator, Blocks};
use crate::block::problem::Problem;
use crate::block::procedure::Procedure;
use crate::limits;
use hardbop_base::budget::Budget;
use hardbop_cfa::live::Liveness;
use hardbop_cfa::{Automaton, Location, Place, Program};
use hardbop_smt::{Node, SmtError, SmtSolver, Sort, Symbol, Term, Terms, Unknown};

/// Blocks end where something is claimed, and at loop heads; a join of paths from several claims
/// needs none of its own, as each path is followed through it.
const BLOCKS: Blocks = Blocks::Loops(None);

/// The claims on the activations of one function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The formula over globals and parameters that holds whenever the function is entered; `None`:
    /// it is never called.
    pub entry: Option<Term>,
    /// The formulas that hold at locations of its [automaton](Procedure), in order: over globals,
    /// its own variables, and entry values.  Where a loop or the exit has none, no execution gets
    /// there; elsewhere, nothing is said.
    pub at: Vec<(Location, Term)>,
}

/// The claims on the activations of all functions of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summaries {
    /// The summaries by the number of the function.
    pub functions: Vec<Summary>,
    pub entry_values: EntryValues,
}

/// Variables for the values that globals and parameters had when the function was entered, which no
/// program has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryValues {
    /// The variable of which each is the entry value, and each by that.
    of: FxHashMap<Symbol, Symbol>,
    by: FxHashMap<Symbol, Symbol>,
}

impl EntryValues {
    /// The variable for the entry value of a global or a parameter.
    pub fn variable(&mut self, terms: &mut Terms, of: Symbol) -> Symbol {
        if let Some(&known) = self.by.get(&of) {
            return known;
        }
        let (name, sort) = (Self::name(terms, of), terms.symbol_sort(of));
        let new = match terms.find_symbol(&name) {
            None => terms.symbol(&name, sort),
            Some(_) => terms.fresh(&name, sort),
        };
        self.by.insert(of, new);
        self.of.insert(new, of);
        new
    }

    /// How the entry value of a variable is called.
    #[must_use]
    pub fn name(terms: &Terms, of: Symbol) -> String {
        format!("old {}", terms.name(of))
    }

    /// The variable of which this one is the entry value.
    #[must_use]
    pub fn of(&self, symbol: Symbol) -> Option<Symbol> {
        self.of.get(&symbol).copied()
    }
}

/// Why summaries prove nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SummaryError {
    #[error("what is claimed of '{function}' {what}")]
    Ill { function: String, what: IllFormed },
    #[error("'{0}' changes a variable of another function")]
    Foreign(String),
    #[error("'{0}' does not have what it claims to start with")]
    Start(String),
    #[error("in '{function}', a call of '{callee}' does not have what that claims at its entry")]
    Call { function: String, callee: String, place: Option<Place> },
    #[error("in '{function}', what is claimed does not lead to what is claimed next")]
    NotInductive { function: String, from: Option<Place>, to: Option<Place> },
    #[error("in '{function}', what is claimed does not exclude an error")]
    Goal { function: String, from: Option<Place> },
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error(transparent)]
    Solver(#[from] SmtError),
}

/// A mistake in the form of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllFormed {
    /// The claim reads a variable that it may not read.
    Variable,
    /// The claim is not Boolean.
    Sort,
    /// The locations of the claim are none of the automaton, or not in order.
    Locations,
    /// There are not as many summaries as functions.
    Count,
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Variable => "reads a variable that does not count there",
            Self::Sort => "is no formula",
            Self::Locations => "is about locations that it does not have, or that are not in order",
            Self::Count => "is for another number of functions",
        })
    }
}

impl Summaries {
    /// Checks that they prove that no goal is reached, with one query per block.  Each query gets
    /// an empty solver from `solver`.
    ///
    /// # Errors
    /// If they prove nothing or a solver fails.
    pub fn check(
        &self,
        terms: &mut Terms,
        (program, procedures): (&Program, &[Procedure]),
        mut solver: impl FnMut() -> Result<Box<dyn SmtSolver>, SmtError>,
        limits: limits::Invariant,
        budget: &Budget,
    ) -> Result<(), SummaryError> {
        let claims = Claims::new(terms, self, (program, procedures))?;
        for function in 0..procedures.len() {
            let Some(free) = claims.call_free(terms, function) else { continue };
            let mut problem = problem(terms, &free);
            let invariant = Invariant { at: free.at.clone(), rounds: None };
            let checked = invariant.check(terms, &mut problem, &mut solver, limits, budget);
            checked.map_err(|e| {
                let name = program.functions[function].name.clone();
                unproved(e, name, &free, program)
            })?;
        }
        Ok(())
    }

    /// The locations of each function's automaton at which blocks end that have no claim yet: the
    /// check takes them to be never reached.
    ///
    /// # Errors
    /// If what is claimed is ill-formed.
    pub fn missing(
        &self,
        terms: &mut Terms,
        (program, procedures): (&Program, &[Procedure]),
    ) -> Result<Vec<Vec<Location>>, SummaryError> {
        let claims = Claims::new(terms, self, (program, procedures))?;
        let mut all = vec![];
        for function in 0..procedures.len() {
            let Some(free) = claims.call_free(terms, function) else {
                all.push(vec![]);
                continue;
            };
            let is_open = |l: &Location| {
                let claimed = free.at.iter().any(|(claimed, _)| claimed == l);
                free.automaton.goal(*l).is_none() && !claimed
            };
            let summary = BLOCKS.divide(&free.automaton);
            all.push(summary.locations.into_iter().filter(is_open).collect());
        }
        Ok(all)
    }
}

/// The function with its blocks.  What is claimed counts as read.
fn problem(terms: &Terms, free: &CallFree) -> Problem {
    let summary = BLOCKS.divide(&free.automaton);
    let mut uses = vec![];
    for &(location, formula) in &free.at {
        uses.extend(variables(terms, formula).map(|s| (location, s)));
    }
    let live = Liveness::with_uses(terms, &free.automaton, &uses);
    Problem::with_blocks(free.automaton.clone().into(), summary, live)
}

fn unproved(
    e: InvariantError,
    function: String,
    free: &CallFree,
    program: &Program,
) -> SummaryError {
    let place = |location: u32| place(&free.automaton, location);
    match e {
        InvariantError::Unknown(e) => e.into(),
        InvariantError::Solver(e) => e.into(),
        InvariantError::Goal(_, goal) if free.start == Some(Location(goal)) => {
            SummaryError::Start(function)
        }
        InvariantError::Goal(from, goal) => {
            let called = free.obligations.iter().find(|(l, ..)| l.0 == goal);
            match called {
                Some(&(_, callee, place)) => {
                    let callee = program.functions[callee].name.clone();
                    SummaryError::Call { function, callee, place: Some(place) }
                }
                None => SummaryError::Goal { function, from: place(from) },
            }
        }
        InvariantError::NotInductive(from, to) => {
            SummaryError::NotInductive { function, from: place(from), to: place(to) }
        }
        // The automaton's entry has `true`, and there are no rounds.
        InvariantError::Initial | InvariantError::Unfinished(_) => SummaryError::Start(function),
    }
}

/// The place of a location in the text, as far as an edge says so.
fn place(automaton: &Automaton, location: u32) -> Option<Place> {
    let edges = &automaton.edges;
    let is_there = |p: &Place| p.instruction != Place::NOWHERE;
    let leaves = edges.iter().filter(|e| e.source.0 == location);
    let arrives = edges.iter().filter(|e| e.target.0 == location);
    leaves.chain(arrives).map(|e| e.place).find(is_there)
}

/// The variables that a formula reads.
pub(super) fn variables(terms: &Terms, formula: Term) -> impl Iterator<Item = Symbol> + '_ {
    terms.support(formula).into_iter().filter_map(|leaf| match *terms.node(leaf) {
        Node::Variable(s) => Some(s),
        _ => None,
    })
}

/// Is it a formula over these variables alone?
pub(super) fn is_formula(
    terms: &Terms,
    formula: Term,
    may_read: impl Fn(Symbol) -> bool,
) -> Result<(), IllFormed> {
    if terms.sort(formula) != Sort::Bool {
        return Err(IllFormed::Sort);
    }
    let reads = |leaf: Term| match *terms.node(leaf) {
        Node::Variable(s) => may_read(s),
        _ => false,
    };
    match terms.support(formula).into_iter().all(reads) {
        true => Ok(()),
        false => Err(IllFormed::Variable),
    }
}

/// The variables that each function has for itself.
pub(super) fn own(program: &Program) -> Vec<FxHashSet<Symbol>> {
    let own = |f: &hardbop_cfa::Function| {
        f.locals.iter().chain(&f.parameters).chain(&f.result).copied().collect()
    };
    program.functions.iter().map(own).collect()
}
