//! A check under way, whichever route it takes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::partial::Partial;
use crate::learned::Learned;
use crate::options::Options;
use crate::phase::Phase;
use crate::reduction::Reduction;
use crate::report::Report;
use crate::subject::interface::{PathOrigin, Prepared, Subject};
use crate::verdict::{Outcome, UnknownReason};
use crate::watcher::Watcher;
use hardbop_base::budget::Budget;
use hardbop_base::rejected::Rejected;
use hardbop_c::lower::Assumption;
use hardbop_cfa::{Automaton, Place, Program, Step};
use hardbop_refine::block::execution::ErrorPath;
use hardbop_refine::cegar::error::RefineError;
use hardbop_refine::cegar::finding::{Finding, RefinementObserver, Stage};
use hardbop_refine::cegar::statistics::Progress;
use hardbop_refine::model::skeleton::frame::Skeleton;
use hardbop_refine::proof::invariant::Invariant;
use hardbop_smt::{Symbol, Term, Terms};

/// A check under way.
pub(super) struct Task<S: Subject> {
    pub subject: S,
    /// The subject as automata, and its variables that hold pointers.
    pub program: Program,
    pub pointers: FxHashSet<Symbol>,
    /// The automaton into which the calls of the program are expanded, as long as none was deeper;
    /// with the sizes on the way to it.
    pub expanded: Option<(Arc<Automaton>, Reduction)>,
    /// What is proved of the automaton that was explored last.
    pub partial: Option<Partial>,
    pub report: Report<S::Execution>,
}

impl<S: Subject> Task<S> {
    /// A check of these automata, whose report has begun.
    pub fn new(subject: S, prepared: Prepared, mut report: Report<S::Execution>) -> Self {
        let Prepared { program, pointers, .. } = prepared;
        report.terms = prepared.terms;
        report.assumptions = prepared.assumptions;
        report.addresses = prepared.addresses;
        report.floats = prepared.floats;
        report.many = prepared.many;
        report.has_arguments = prepared.has_arguments;
        Self { subject, program, pointers, expanded: None, partial: None, report }
    }

    /// Whether a function may be active more than once.
    pub fn recurs(&self) -> bool {
        (0..self.program.functions.len()).any(|f| self.program.recursive_calls(f) > 0)
    }

    /// How many places of the program are errors.
    pub fn errors(&self) -> usize {
        let edges = self.program.functions.iter().flat_map(|function| &function.edges);
        edges.filter(|edge| matches!(edge.step, Step::Error)).count()
    }

    /// Has a route come to a verdict?
    pub fn is_decided(&self) -> bool {
        self.report.outcome.is_decided()
    }

    /// The predicates to begin with.
    pub fn predicates(&mut self, given: &[Term], watcher: &mut dyn Watcher) -> Vec<Term> {
        let mut all = given.to_vec();
        all.extend(watcher.predicates(&mut self.report.terms));
        all
    }

    /// The findings of an earlier run, where the tree begins with predicates at all.
    pub fn learned(&mut self, options: &Options, watcher: &mut dyn Watcher) -> Option<Learned> {
        let begins = !options.analysis.algorithm.is_impact() && !options.analysis.is_linear();
        let learned = begins.then(|| watcher.learned(&mut self.report.terms)).flatten();
        let least = options.route_limits.cold_work;
        learned.filter(|learned| learned.is_open || learned.work >= least)
    }

    /// The outcome of a run from its finding, with the execution that its replay has left.
    /// `invariant` is what its proof says of the automaton.
    pub fn conclude<P>(
        &mut self,
        finding: Finding<P>,
        execution: Option<S::Execution>,
        invariant: impl FnOnce(P) -> Invariant,
    ) {
        self.report.outcome = match (finding, execution) {
            (Finding::Safe(_), _) if self.report.memory.is_partial() => {
                Outcome::Unknown(UnknownReason::FewArguments)
            }
            (Finding::Safe(proof), _) => Outcome::Safe(invariant(proof)),
            (Finding::Error(_), Some(execution)) => {
                self.subject.assume(&execution, &mut self.report.assumptions);
                Outcome::Unsafe(Box::new(execution))
            }
            (Finding::Error(_), None) => Outcome::Unknown(UnknownReason::NotReplayed),
            (Finding::Unknown(reason), _) => Outcome::Unknown(reason),
            // A run that cannot go deeper does not say so.
            (Finding::TooDeep(_), _) => Outcome::Unknown(UnknownReason::RecursionDepth(
                "calls are nested too deeply".into(),
            )),
        };
    }
}

/// Replays the executions that a run finds, and shows its progress.
pub(super) struct Replay<'a, S: Subject> {
    subject: &'a S,
    watcher: &'a mut dyn Watcher,
    budget: &'a Budget,
    /// The skeleton that the paths belong to; `None`: the program with its calls expanded.
    skeleton: Option<&'a Skeleton<'a>>,
    /// Whether another automaton can still follow calls deeper.
    goes_deeper: bool,
    /// The execution that has reached the error.
    pub execution: Option<S::Execution>,
    /// The time that replays took.
    pub time: Duration,
    /// The proofs that were rejected.
    pub rejected: Vec<Rejected>,
}

impl<'a, S: Subject> Replay<'a, S> {
    /// A replay for paths of the program with its calls expanded; another automaton may follow
    /// calls deeper.
    pub fn of_expansion(
        subject: &'a S,
        watcher: &'a mut dyn Watcher,
        budget: &'a Budget,
        goes_deeper: bool,
    ) -> Self {
        let (skeleton, execution, time) = (None, None, Duration::ZERO);
        Self { subject, watcher, budget, skeleton, goes_deeper, execution, time, rejected: vec![] }
    }

    /// The run begins something else.
    pub fn phase(&mut self, phase: Phase) {
        self.watcher.phase(phase);
    }

    /// Other errors are excluded.
    pub fn open(&mut self, errors: &BTreeSet<Place>, assumptions: &[Assumption]) {
        self.watcher.open(errors, assumptions);
    }

    /// The finding of a run; a mistake in hardbop costs no more than this run.
    ///
    /// # Errors
    /// Those of [`RefineError::reason`].
    pub fn settled<P>(
        &mut self,
        found: Result<Finding<P>, RefineError>,
        strict: bool,
    ) -> Result<Finding<P>, RefineError> {
        let finding = found.or_else(|e| e.reason(strict).map(Finding::Unknown))?;
        if let Finding::Unknown(UnknownReason::Rejected(rejected)) = &finding {
            self.rejected.push(rejected.clone());
        }
        Ok(finding)
    }

    /// A replay for counterexamples of Boolean programs.
    pub fn of_boolean_programs(
        subject: &'a S,
        watcher: &'a mut dyn Watcher,
        budget: &'a Budget,
        skeleton: &'a Skeleton<'a>,
    ) -> Self {
        let replay = Self::of_expansion(subject, watcher, budget, false);
        Self { skeleton: Some(skeleton), ..replay }
    }
}

impl<S: Subject> RefinementObserver for Replay<'_, S> {
    fn progress(&mut self, progress: Progress) {
        self.watcher.progress(progress);
    }

    fn round(&mut self, number: u64, text: &str) {
        self.watcher.round(number, text);
    }

    fn stage(&mut self, stage: Stage) {
        self.watcher.phase(stage.into());
    }

    fn rejected(&mut self, rejected: Rejected) {
        self.rejected.push(rejected);
    }

    fn goes_deeper(&self) -> bool {
        self.goes_deeper
    }

    fn accept(
        &mut self,
        terms: &Terms,
        automaton: &Automaton,
        path: &ErrorPath,
    ) -> Result<(), UnknownReason> {
        let start = Instant::now();
        let origin = match self.skeleton {
            Some(skeleton) => PathOrigin::BooleanProgram(skeleton),
            None => PathOrigin::Expansion,
        };
        let replayed = self.subject.replay(terms, (automaton, path), origin, self.budget);
        self.time += start.elapsed();
        self.execution = Some(replayed?);
        Ok(())
    }
}
