//! The report of a check: the verdict, its evidence, and what the run did.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::learned::Scoped;
use super::phase::Phases;
use super::reduction::Reduction;
use super::strategy::Taken;
use super::verdict::{Outcome, UnknownReason};
use hardbop_base::rejected::Rejected;
use hardbop_c::execute::Execution;
use hardbop_c::lower::{Assumption, Model};
use hardbop_c::points_to::Externals;
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_cfa::{Automaton, Place};
use hardbop_refine::cegar::statistics::{BooleanStatistics, RefinementStatistics, TreeStatistics};
use hardbop_refine::proof::Summaries;
use hardbop_refine::tree::Outline;
use hardbop_smt::{Symbol, Term, Terms};

/// The result of a check.  `E` is what an execution of the program is; that of C programs by
/// default.
#[derive(Debug)]
pub struct Report<E = Execution> {
    pub outcome: Outcome<E>,
    /// Statistics of the reachability tree.
    pub statistics: RefinementStatistics<TreeStatistics>,
    /// Statistics of the route through Boolean programs, where that has decided.
    pub boolean: Option<RefinementStatistics<BooleanStatistics>>,
    /// The summaries that Boolean programs have proved, where they have decided: SAFE.
    pub summarised: Option<Summarised>,
    /// The errors of the program that executions may still reach: all others are excluded.  `None`: nothing is known of any.
    pub open_errors: Option<BTreeSet<Place>>,
    /// Evidence that was rejected on the way: the outcome does not rest on it.
    pub rejected: Vec<Rejected>,
    /// Whether executions alone have decided: one that reaches the error, or the only one that the
    /// program has.
    pub by_executions: bool,
    pub phases: Phases,
    /// The steps of the strategy that were taken.
    pub steps: Vec<Taken>,
    pub reduction: Reduction,
    /// The behaviour of functions without a body in the automata.
    pub externals: Externals,
    /// How much of memory the automata have.
    pub memory: Model,
    /// The number of objects of which [`Model::OneCell`] tracks a cell.
    pub(super) many: usize,
    /// Whether the program reads arguments of `main`.
    pub(super) has_arguments: bool,
    /// How deep the automaton follows recursion.
    pub expansion: ExpansionLimits,
    /// The assumptions of the automata, and what an error rests on besides the program.
    pub assumptions: Vec<Assumption>,
    /// The program, with its calls expanded.
    pub automaton: Arc<Automaton>,
    /// The store of all formulas.
    pub terms: Terms,
    /// The variables that hold pointers, and the objects at addresses.
    pub pointers: FxHashSet<Symbol>,
    /// The variables that hold floating-point numbers.
    pub floats: FxHashSet<Symbol>,
    pub addresses: FxHashMap<u64, String>,
    /// All predicates, over program variables.
    pub predicates: Vec<Term>,
    /// The predicates that are worth keeping for a later run, with the functions in which they
    /// count: of the search that has decided, or else of all that began with predicates.
    pub learned: Vec<Scoped>,
    /// The work that was done with what an earlier run has learned, and whether that has decided.
    pub warm: Warm,
    /// The tree at the end, in DOT, where it was asked for.
    pub tree: Option<String>,
    /// The tree in which the answer was found, where it was asked for.
    pub outline: Option<Outline>,
}

/// The functions of a program, each by its own automaton, and what is proved of them.
#[derive(Debug, Clone)]
pub struct Summarised {
    /// The automata of the functions, with their names.
    pub functions: Vec<(String, Arc<Automaton>)>,
    pub summaries: Summaries,
}

/// The result of an attempt with what an earlier run has learned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Warm {
    pub work: u64,
    pub has_decided: bool,
}

impl<E> Report<E> {
    /// Takes in the time and the steps of an earlier part of the run, what was wrong with it, and what it excluded.
    pub(super) fn follow<F>(&mut self, earlier: &mut Report<F>) {
        std::mem::swap(&mut self.steps, &mut earlier.steps);
        std::mem::swap(&mut self.rejected, &mut earlier.rejected);
        self.precede(earlier);
    }

    /// [`follow`](Self::follow), for a later part.
    pub(super) fn precede<F>(&mut self, later: &mut Report<F>) {
        self.phases.include(std::mem::take(&mut later.phases));
        self.steps.append(&mut later.steps);
        self.rejected.append(&mut later.rejected);
        self.open_errors = match (self.open_errors.take(), later.open_errors.take()) {
            (Some(open), Some(other)) => Some(open.intersection(&other).copied().collect()),
            (open, other) => open.or(other),
        };
    }

    /// A report that has just begun, of the same run.
    pub(super) fn beside(&self) -> Self {
        let mut report = Self::begun();
        (report.externals, report.memory) = (self.externals, self.memory);
        report.reduction.parsed = self.reduction.parsed;
        report
    }

    /// The report of a run that has just begun: UNKNOWN, as if it had been interrupted.
    pub(super) fn begun() -> Self {
        Self {
            outcome: Outcome::Unknown(UnknownReason::Interrupted),
            statistics: RefinementStatistics::default(),
            boolean: None,
            summarised: None,
            open_errors: None,
            rejected: vec![],
            by_executions: false,
            phases: Phases::default(),
            steps: vec![],
            reduction: Reduction::default(),
            externals: Externals::default(),
            memory: Model::default(),
            many: 0,
            has_arguments: false,
            expansion: ExpansionLimits::default(),
            assumptions: vec![],
            automaton: Arc::default(),
            terms: Terms::new(),
            pointers: FxHashSet::default(),
            floats: FxHashSet::default(),
            addresses: FxHashMap::default(),
            predicates: vec![],
            learned: vec![],
            warm: Warm::default(),
            tree: None,
            outline: None,
        }
    }
}
