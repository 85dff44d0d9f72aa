//! Which variables to look at: localization (Kurshan, "Computer-Aided Verification of
//! Coordinating Processes", 1994), with the QBF engine as the checker.
//!
//! Most variables of a program have nothing to do with the property.  The search starts without
//! any; where a variable is left out, its value is arbitrary whenever it is read, so SAFE stands.
//! A path to an error is checked on the whole program: it is a counterexample, or the variables
//! that refute it are added.  When all variables are in, the search is the algorithm of Fig. 1
//! on the program itself.
//!
//! A path through code that does not matter may be infeasible although another one is feasible.
//! Before too many variables are added for such reasons, and once at the start, loops are
//! explored a bounded number of times with all variables: that takes SAT calls only, finds
//! shallow errors, and settles programs without loops and recursion.

use fixedbitset::FixedBitSet;

use super::decide::Decider;
use super::guide::{BlockStep, Guide, Guided};
use super::path;
use super::prepare::{self, slice::Slice};
use super::search::{Answer, Search};
use super::{EngineError, Invariant, Observer, Options, Report, Statistics};
use crate::bp::program::Program;
use crate::budget::{Budget, Exhausted};
use crate::logic::Aig;
use crate::verdict::Outcome;

/// Path edges that a node accepts in the first bounded search.
const FIRST_BOUND: u32 = 2;

/// Decides `program` with QBF summaries.
///
/// # Errors
/// [`EngineError`] where a counterexample contradicts the program.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let slice = prepare::slice::slice(program);
    let mut run = Run { program, options, budget, observer, statistics: Statistics::default() };
    let outcome = match run.decide(&slice) {
        Ok(outcome) => outcome,
        Err(path::Failure::Exhausted(reason)) => Outcome::Unknown(reason.into()),
        Err(path::Failure::Engine(e)) => return Err(e),
    };
    let mut statistics = run.statistics;
    statistics.variables = program.variables.len() as u64;
    statistics.procedures = program.procedures.len() as u64;
    statistics.nodes = program.procedures.iter().map(|p| p.nodes.len() as u64).sum();
    statistics.peak_memory_bytes = crate::budget::peak_resident_bytes().unwrap_or(0);
    Ok(Report { outcome, statistics })
}

struct Run<'a> {
    program: &'a Program,
    options: &'a Options,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
}

/// What a search found.
enum Found {
    Safe,
    Path(Vec<BlockStep>),
    /// Nothing up to the bound.
    Bounded,
}

impl From<Exhausted> for path::Failure {
    fn from(e: Exhausted) -> Self {
        Self::Exhausted(e)
    }
}

impl From<EngineError> for path::Failure {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}

impl Run<'_> {
    fn decide(&mut self, slice: &Slice) -> Result<Outcome<Invariant>, path::Failure> {
        if slice.procedure(self.program.entry).is_none() {
            return Ok(Outcome::Safe(Invariant::default()));
        }
        let all = &slice.relevant;
        let mut kept = FixedBitSet::with_capacity(self.program.variables.len());
        let mut guide = Guide::new(self.program, slice);
        let mut bound = FIRST_BOUND;
        let mut next_bounded = 0;
        for round in 0.. {
            self.statistics.refinements = round;
            if round == next_bounded && kept != *all {
                match self.search(slice.clone(), Some(bound))? {
                    Found::Safe => return Ok(Outcome::Safe(Invariant::default())),
                    Found::Bounded => {}
                    Found::Path(path) => return self.confirm(&mut guide, &path, all),
                }
                bound += 1;
                next_bounded = 2 * round + 4;
            }
            match self.search(slice.restrict(self.program, kept.clone()), None)? {
                Found::Safe => return Ok(Outcome::Safe(Invariant::default())),
                Found::Bounded => unreachable!("no bound was given"),
                Found::Path(path) => match guide.check(&path, &kept, self.budget)? {
                    Guided::Feasible(path) => return self.concretise(&path),
                    Guided::Infeasible(variables) => {
                        kept.extend(variables.into_iter().map(|v| v.index()));
                    }
                },
            }
        }
        unreachable!("every round adds a variable")
    }

    /// The trace of a path that was found with all variables.
    fn confirm(
        &self,
        guide: &mut Guide,
        path: &[BlockStep],
        all: &FixedBitSet,
    ) -> Result<Outcome<Invariant>, path::Failure> {
        match guide.check(path, all, self.budget)? {
            Guided::Feasible(path) => self.concretise(&path),
            Guided::Infeasible(_) => {
                let what = "a path found with all variables is infeasible".to_string();
                Err(EngineError::TraceDoesNotReplay(what).into())
            }
        }
    }

    fn concretise(&self, path: &path::Path) -> Result<Outcome<Invariant>, path::Failure> {
        path::concretise(self.program, path, self.budget).map(Outcome::Unsafe)
    }

    fn search(&mut self, slice: Slice, bound: Option<u32>) -> Result<Found, path::Failure> {
        let mut aig = Aig::new();
        let prepared = prepare::prepare(&mut aig, self.program, slice, None);
        let decider = Decider::new(self.program.procedures.len(), self.options.seed);
        let (cut_nodes, variables, procedures) = prepared.sizes();
        self.statistics.relevant_variables = variables as u64;
        self.statistics.relevant_procedures = procedures as u64;
        self.statistics.cut_nodes = cut_nodes as u64;
        let statistics = self.statistics.clone();
        let observer = &mut *self.observer;
        let mut search =
            Search::new(aig, &prepared, self.budget, observer, decider, statistics, bound);
        let answer = search.run();
        self.statistics = search.statistics();
        Ok(match answer? {
            Answer::Unreachable => Found::Safe,
            Answer::Bounded => Found::Bounded,
            Answer::Reachable(failure) => Found::Path(search.path(&failure)?),
        })
    }
}
