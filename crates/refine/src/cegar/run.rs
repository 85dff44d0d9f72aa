//! The refinement loop.

use std::collections::BTreeMap;
use std::time::Instant;

use super::error::RefineError;
use super::finding::{Finding, RefinementObserver};
use super::model::{
    AbstractModel, Context, Doubt, Executed, Explored, GoalId, Refutation, Unrefuted,
};
use super::options::{AnalysisOptions, PredicateSource};
use super::statistics::RefinementStatistics;
use crate::block::execution::{ErrorPath, feasible};
use crate::block::path::{self, PathFormula};
use crate::interpolate::InterpolationEngine;
use crate::select::candidates::Candidates;
use crate::select::selector::{self, Selector};
use hardbop_base::budget::Budget;
use hardbop_base::verdict::UnknownReason;
use hardbop_cfa::Goal;
use hardbop_smt::{Purpose, Term, Terms, Unknown};

/// A run in progress, or a finished one.
pub struct Cegar<'a, M: AbstractModel> {
    pub model: M,
    pub context: Context<'a>,
    pub statistics: RefinementStatistics<M::Statistics>,
    interpolation: InterpolationEngine,
    /// Created for the first refinement.
    selector: Option<Selector>,
    /// Goals that are reached but decide nothing, each with the reason.
    open: BTreeMap<GoalId, UnknownReason>,
}

/// The judgement on a path to a goal.
enum Judgement {
    /// No execution takes the path.
    Infeasible,
    /// An execution of the program reaches the error.
    Error(ErrorPath),
    /// The path ends at a call that goes too deep, and the observer can follow it.
    TooDeep,
    /// The path decides nothing, nor would any other path to that goal.
    Open(UnknownReason),
}

impl<'a, M: AbstractModel> Cegar<'a, M> {
    /// A run that has not started.
    pub fn new(
        model: M,
        terms: &'a mut Terms,
        options: &'a AnalysisOptions,
        budget: &'a Budget,
    ) -> Self {
        Self {
            model,
            context: Context { terms, options, budget },
            statistics: RefinementStatistics::default(),
            interpolation: options.interpolation_engine(),
            selector: None,
            open: BTreeMap::new(),
        }
    }

    /// Explores and refines until there is a finding; confirms a proof.
    ///
    /// # Errors
    /// If the budget runs out, a solver fails, or hardbop has a defect.  `statistics` then hold the
    /// counts so far.
    pub fn decide(
        &mut self,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Finding<M::Proof>, RefineError> {
        loop {
            let found = self.search(observer);
            self.count();
            let proof = match found? {
                Finding::Safe(proof) => proof,
                other => return Ok(other),
            };
            match self.confirm(proof)? {
                Finding::Unknown(UnknownReason::Rejected(rejected))
                    if self.model.recant(&mut self.context) =>
                {
                    observer.rejected(rejected);
                }
                confirmed => return Ok(confirmed),
            }
        }
    }

    fn search(
        &mut self,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Finding<M::Proof>, RefineError> {
        loop {
            let mut path = match self.model.explore(&mut self.context, observer)? {
                Explored::Path(path) => path,
                Explored::Progress => {
                    self.report(observer);
                    continue;
                }
                Explored::Complete => {
                    return match self.open.values().next() {
                        Some(reason) => Ok(Finding::Unknown(reason.clone())),
                        None => Ok(Finding::Safe(self.model.proof(&mut self.context)?)),
                    };
                }
                Explored::TooDeep(goals) => return Ok(Finding::TooDeep(goals)),
                Explored::Stuck(reason) => return Ok(Finding::Unknown(reason)),
            };
            let found = match self.model.execute(&mut self.context, &path) {
                Executed::Found(execution) => Some(execution),
                Executed::Dropped => continue,
                Executed::Undecided => None,
            };
            let (problem, blocks) = self.model.blocks(&mut path);
            let formula = match &found {
                Some(_) => PathFormula::default(),
                None => path::formula(self.context.terms, problem, blocks),
            };
            let states = self.model.states(&mut self.context, &path);
            let judgement = match found {
                Some(execution) => self.meaning(&mut path, Some(execution), observer),
                None => self.judge(&mut path, &formula, &states, observer)?,
            };
            match judgement {
                Judgement::Error(execution) => return Ok(Finding::Error(execution)),
                Judgement::TooDeep => {
                    if let Some(goals) = self.model.too_deep(path) {
                        return Ok(Finding::TooDeep(goals));
                    }
                }
                Judgement::Open(reason) => {
                    self.open.insert(self.model.goal(&path), reason);
                    self.model.close(path);
                }
                Judgement::Infeasible if self.model.discard(&mut self.context, &path) => {}
                Judgement::Infeasible => {
                    if let Some(reason) = self.refine(&mut path, &formula, &states)? {
                        return Ok(Finding::Unknown(reason));
                    }
                    self.report(observer);
                }
            }
        }
    }

    /// Judges a path to a goal: can it be executed, and what follows from that?
    fn judge(
        &mut self,
        path: &mut M::Path,
        formula: &PathFormula,
        states: &[Term],
        observer: &mut dyn RefinementObserver,
    ) -> Result<Judgement, RefineError> {
        let Context { terms, options, budget } = &mut self.context;
        let start = Instant::now();
        let solvers = options.solvers(Purpose::Path);
        let (problem, blocks) = self.model.blocks(path);
        let execution = feasible(terms, problem, (blocks, formula), states, &solvers, budget);
        self.statistics.path_checks += 1;
        self.statistics.path_time += start.elapsed();
        let Some(execution) = execution? else { return Ok(Judgement::Infeasible) };
        Ok(self.meaning(path, execution, observer))
    }

    /// The judgement on a path that can be executed; with the execution, if it could be built.
    fn meaning(
        &mut self,
        path: &mut M::Path,
        execution: Option<ErrorPath>,
        observer: &mut dyn RefinementObserver,
    ) -> Judgement {
        let terms = &*self.context.terms;
        let (problem, blocks) = self.model.blocks(path);
        let goal = blocks.last().and_then(|&b| problem.automaton.goal(problem.target(b)));
        match goal {
            Some(Goal::Depth(..)) if observer.goes_deeper() => Judgement::TooDeep,
            Some(Goal::Depth(reason, _)) => {
                Judgement::Open(UnknownReason::RecursionDepth(reason.clone()))
            }
            Some(Goal::Unsupported(construct, place)) => {
                let (construct, span) = (construct.clone(), place.span);
                Judgement::Open(UnknownReason::Unsupported { construct, span })
            }
            Some(Goal::Error) | None => match execution {
                None => Judgement::Open(UnknownReason::Model),
                Some(execution) => match observer.accept(terms, &problem.automaton, &execution) {
                    Ok(()) => Judgement::Error(execution),
                    Err(reason) => Judgement::Open(reason),
                },
            },
        }
    }

    /// Refutes an infeasible path, by predicates of the program text if possible, and refines the
    /// model.  Returns the reason if it cannot.
    fn refine(
        &mut self,
        path: &mut M::Path,
        formula: &PathFormula,
        states: &[Term],
    ) -> Result<Option<UnknownReason>, RefineError> {
        let options = self.context.options;
        self.statistics.refinements += 1;
        if options.refinements.is_some_and(|most| self.statistics.refinements > most) {
            return Ok(Some(UnknownReason::RefinementLimit));
        }
        if options.refinement == PredicateSource::Auto
            && let Some(selection) = self.select(path, states)?
            && self.model.refine(&mut self.context, path, selection)?
        {
            self.statistics.selections += 1;
            return Ok(None);
        }
        let start = Instant::now();
        let engine = &mut self.interpolation;
        let found = self.model.interpolate(&mut self.context, path, formula, engine);
        self.statistics.interpolation_time += start.elapsed();
        let interpolants = match found? {
            Ok(found) => found,
            Err(Unrefuted::Feasible) if options.is_linear() => {
                return Ok(Some(UnknownReason::UnboundedPath));
            }
            Err(Unrefuted::Feasible) => return Ok(Some(UnknownReason::Disagreement)),
            Err(Unrefuted::Unknown(Unknown::Incomplete(reason))) => {
                return Ok(Some(UnknownReason::NoInterpolants(reason)));
            }
            Err(Unrefuted::Unknown(unknown)) => return Err(unknown.into()),
        };
        let is_refined = self.model.refine(&mut self.context, path, interpolants)?;
        Ok((!is_refined).then_some(UnknownReason::NoProgress))
    }

    /// Predicates of the program text that refute a path, if they suffice.
    fn select(
        &mut self,
        path: &mut M::Path,
        states: &[Term],
    ) -> Result<Option<Refutation>, RefineError> {
        let start = Instant::now();
        let Context { terms, options, budget } = &mut self.context;
        let selector = match &mut self.selector {
            Some(selector) => selector,
            none => {
                let operations = self.model.operations(terms);
                let candidates = Candidates::new(terms, operations.iter());
                none.insert(Selector::new(
                    candidates,
                    options.solvers(Purpose::Selection),
                    options.limits,
                ))
            }
        };
        let blocks = self.model.blocks(path).1.to_vec();
        let Some((problem, view)) = self.model.view(terms, path) else { return Ok(None) };
        let refuted = selector::AbstractPath { blocks: &blocks, states };
        let found = selector.select(terms, problem, &*view, refuted, budget);
        self.statistics.selection_time += start.elapsed();
        Ok(found?.map(Refutation::Predicates))
    }

    /// Has the model check a proof with solvers that had no part in it.
    fn confirm(&mut self, proof: M::Proof) -> Result<Finding<M::Proof>, RefineError> {
        let start = Instant::now();
        let checked = self.model.confirm(&mut self.context, &proof);
        self.statistics.confirmation_time += start.elapsed();
        let options = self.context.options;
        Ok(match checked {
            Ok(()) => Finding::Safe(proof),
            Err(Doubt::Error(e)) => return Err(e),
            Err(Doubt::Unchecked(why)) => {
                Finding::Unknown(UnknownReason::UncheckedProof { what: M::UNCHECKED, why })
            }
            Err(Doubt::Wrong(why)) if options.is_linear() => {
                Finding::Unknown(UnknownReason::UnboundedProof(why))
            }
            Err(Doubt::Wrong(why)) => Finding::Unknown(options.wrong_proof(M::WRONG, why)?),
        })
    }

    fn report(&mut self, observer: &mut dyn RefinementObserver) {
        self.count();
        observer.progress(M::progress(&self.statistics));
    }

    fn count(&mut self) {
        let (model, predicates) = self.model.count();
        let s = &mut self.statistics;
        (s.model, s.predicates) = (model, predicates);
        s.interpolation = self.interpolation.statistics().clone();
        s.work = self.context.budget.work();
    }
}
