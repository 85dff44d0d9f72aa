//! The loop: abstract to a Boolean program, check it, look at its counterexample, find predicates.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Instant;

use super::abstraction::{AbstractProcedure, Abstracter, C2bpError};
use super::cache::Cache;
use super::nested::Nested;
use super::options::{Options, Statistics};
use super::path::{Path, meanings};
use super::precision::Predicates;
use super::program::{BooleanProgram, Text, program};
use super::simulation::{self, SimulationError};
use super::skeleton::Skeleton;
use super::view::Cuts;
use crate::base::budget::{Budget, Exhausted};
use crate::boolean::engine::{self, Engine, EngineError};
use crate::boolean::proof::failure::{Effort, Unproved};
use crate::boolean::proof::{Invariant, Outcome, UnknownReason, check};
use crate::program::cfa::live::Liveness;
use crate::program::cfa::{Automaton, Goal, Location, Operation, Step};
use crate::refine::interpolate::{InterpolationEngine, InterpolationOptions};
use crate::refine::predicate::abstraction::AbstractionError;
use crate::refine::tree::candidates::Candidates;
use crate::refine::tree::path::{self as concrete, PathFormula};
use crate::refine::tree::select::{self, Selector};
use crate::refine::tree::{ErrorPath, Problem, Refinement};
use crate::solve::smt::{Purpose, Term, Terms, Unknown};

/// Units of work that BDDs of a whole Boolean program may take.
const WHOLE: u64 = 200_000;

/// What a run finds out.
#[derive(Debug)]
pub enum Finding {
    /// No goal of this Boolean program can be reached; its invariant, if one was asked for.
    Safe(Box<BooleanProgram>, Invariant),
    /// An execution reaches the error, which the caller has accepted: a path of an automaton of its own.
    Error(Box<Automaton>, ErrorPath),
    Unknown(String),
}

/// What the caller does while a run goes on.
pub trait Observer {
    fn progress(&mut self, _statistics: &Statistics) {}
    /// The Boolean program of a round, from 1.
    fn round(&mut self, _number: u64, _program: &BooleanProgram) {}
    /// Is this execution one of the program?  `Err`: why it is not known to be.
    ///
    /// # Errors
    /// The reason.
    fn accept(
        &mut self,
        _terms: &Terms,
        _automaton: &Automaton,
        _path: &ErrorPath,
    ) -> Result<(), String> {
        Ok(())
    }
}

impl Observer for () {}

/// A run that is going on, or has stopped.
pub struct Run<'s, 'p, 't> {
    pub terms: &'t mut Terms,
    pub predicates: Predicates,
    pub statistics: Statistics,
    skeleton: &'s Skeleton<'p>,
    abstracter: Abstracter<'s, 'p>,
    options: Options,
    interpolation: InterpolationEngine,
    /// Made for the first refinement.
    selector: Option<Selector>,
    text: &'t Text<'t>,
    budget: Budget,
    /// The functions of the last Boolean program.
    last: Vec<AbstractProcedure>,
    /// Goals that are reached but decide nothing, with why.
    open_goals: BTreeMap<(usize, Location), String>,
}

impl<'s, 'p, 't> Run<'s, 'p, 't> {
    /// A run at its beginning.
    ///
    /// # Errors
    /// There is no memory for BDDs, or the solver refuses.
    pub fn new(
        terms: &'t mut Terms,
        skeleton: &'s Skeleton<'p>,
        options: &Options,
        text: &'t Text<'t>,
        cache: Option<&'s dyn Cache>,
        budget: &Budget,
    ) -> Result<Self, C2bpError> {
        let analysis = &options.analysis;
        let how = (analysis.blocks, analysis.abstraction);
        let solvers = analysis.solvers(Purpose::Abstraction);
        let abstracter = Abstracter::new(terms, skeleton, how, solvers, cache, budget)?;
        let interpolation = InterpolationEngine::new(InterpolationOptions {
            strategy: analysis.interpolation,
            ..InterpolationOptions::default()
        })
        .and_then(|engine| engine.with_log(analysis.log.as_ref()))
        .map_err(AbstractionError::from)?;
        Ok(Self {
            terms,
            predicates: Predicates::new(skeleton.procedures.len()),
            statistics: Statistics::default(),
            skeleton,
            abstracter,
            options: Options {
                engine: engine::Options { certify: true, ..options.engine.clone() },
                ..options.clone()
            },
            interpolation,
            selector: None,
            text,
            budget: budget.clone(),
            last: vec![],
            open_goals: BTreeMap::new(),
        })
    }

    /// Refines until there is a finding.
    ///
    /// # Errors
    /// A solver fails, the budget ends, or an engine is wrong.
    pub fn decide(&mut self, observer: &mut dyn Observer) -> Result<Finding, C2bpError> {
        loop {
            self.statistics.rounds += 1;
            let program = self.abstraction()?;
            observer.round(self.statistics.rounds, &program);
            self.count();
            observer.progress(&self.statistics);
            let start = Instant::now();
            let checked = self.solve(&program);
            self.statistics.checking_time += start.elapsed();
            let trace = match checked? {
                Outcome::Safe(invariant) => {
                    if let Some(reason) = self.open_goals.values().next() {
                        return Ok(Finding::Unknown(reason.clone()));
                    }
                    return self.confirm(program, invariant);
                }
                Outcome::Unknown(UnknownReason::Solver(reason)) => {
                    return Ok(Finding::Unknown(format!("solver gave up: {reason}")));
                }
                Outcome::Unknown(reason) => return Err(exhausted(&reason)),
                Outcome::Unsafe(trace) => trace,
            };
            let statements = meanings(&program, &trace);
            let problems = &self.abstracter.problems;
            let path = Path::new(self.terms, self.skeleton, problems, &statements);
            let Some(path) = path else {
                return Err(C2bpError::IllFormed("a counterexample is no path".into()));
            };
            self.statistics.counterexample = path.segments.len() as u64;
            if let Some(finding) = self.examine(path, observer)? {
                return Ok(finding);
            }
            self.budget.check().map_err(|e| AbstractionError::Unknown(e.into()))?;
        }
    }

    /// Asks the engines.  Programs made of predicates that have been selected hold little that could be left out, so
    /// that BDDs of the whole program, where they stay small, are the fastest.
    fn solve(&self, program: &BooleanProgram) -> Result<Outcome<Invariant>, C2bpError> {
        let engine = &self.options.engine;
        let check = |engine: &engine::Options, budget: &Budget| {
            engine::check(&program.program, engine, budget, &mut engine::Silent)
        };
        if engine.engine == Engine::Auto && !engine.plain && engine.threads == NonZeroUsize::MIN {
            let whole = engine::Options { engine: Engine::Bdd, plain: true, ..engine.clone() };
            let report = check(&whole, &self.budget.trial(WHOLE))?;
            if !matches!(report.outcome, Outcome::Unknown(_)) || self.budget.check().is_err() {
                return Ok(report.outcome);
            }
        }
        Ok(check(engine, &self.budget)?.outcome)
    }

    /// The Boolean program is safe: so is the program, if it does no more.
    fn confirm(
        &mut self,
        program: BooleanProgram,
        invariant: Invariant,
    ) -> Result<Finding, C2bpError> {
        let start = Instant::now();
        let mut effort = Effort::default();
        let how = check::Options::other_than(self.options.engine.sat);
        let budget = &self.budget;
        let silent = &mut check::Silent;
        let proved = check::check(&program.program, &invariant, &how, budget, silent, &mut effort);
        let result = match proved {
            Err(Unproved::Exhausted(e)) => return Err(AbstractionError::Unknown(e.into()).into()),
            Err(e) => return Err(C2bpError::Invariant(e.to_string())),
            Ok(()) => {
                let solvers = self.options.analysis.checkers();
                simulation::check(self.terms, &self.last, || solvers.solver(), budget)
            }
        };
        self.statistics.confirmation_time += start.elapsed();
        match result {
            Ok(()) => Ok(Finding::Safe(Box::new(program), invariant)),
            Err(SimulationError::Unknown(Unknown::Incomplete(reason))) => Ok(Finding::Unknown(
                format!("the Boolean program could not be compared with the program: {reason}"),
            )),
            Err(SimulationError::Unknown(e)) => Err(AbstractionError::Unknown(e).into()),
            Err(SimulationError::Solver(e)) => Err(AbstractionError::Solver(e).into()),
            Err(e) if self.options.analysis.is_linear() => {
                Ok(Finding::Unknown(format!("the proof holds for unbounded integers only: {e}")))
            }
            Err(e) if let Some(own) = &self.options.analysis.own_solver => {
                Ok(Finding::Unknown(format!("the proof by '{}' is wrong: {e}", own.name())))
            }
            Err(e) => Err(C2bpError::Simulation(e)),
        }
    }

    /// The Boolean program of the predicates that are tracked now.
    ///
    /// # Errors
    /// A solver fails, or the budget ends.
    pub fn abstraction(&mut self) -> Result<BooleanProgram, C2bpError> {
        let start = Instant::now();
        let procedures = self.abstracter.procedures(self.terms, &self.predicates, &self.budget);
        self.statistics.abstraction_time += start.elapsed();
        let procedures = procedures?;
        let closed = self.open_goals.keys().copied().collect();
        let abstracted = (&self.predicates, &procedures[..]);
        let program = program(self.terms, &self.abstracter, abstracted, &closed, self.text)?;
        self.last = procedures;
        self.statistics.size = program.size;
        Ok(program)
    }

    /// Is the path one of the program, and if not, what is there against it?
    fn examine(
        &mut self,
        path: Path,
        observer: &mut dyn Observer,
    ) -> Result<Option<Finding>, C2bpError> {
        let start = Instant::now();
        let everything = Liveness::everything();
        let mut problem = Problem::with_blocks(&path.automaton, path.summary.clone(), everything);
        let blocks = path.blocks();
        let formula = concrete::formula(self.terms, &mut problem, &blocks);
        let solvers = self.options.analysis.solvers(Purpose::Path);
        let way = (&blocks[..], &formula);
        let execution = concrete::feasible(self.terms, &problem, way, &[], &solvers, &self.budget);
        self.statistics.path_time += start.elapsed();
        let Some(execution) = execution? else {
            return self.refine(&path, &mut problem, &formula);
        };
        let reason = match (path.goal(), execution) {
            (Goal::Unsupported(reason, _) | Goal::Depth(reason, _), _) => reason.clone(),
            (Goal::Error, None) => "a model does not fit its path".to_owned(),
            (Goal::Error, Some(execution)) => {
                match observer.accept(self.terms, &path.automaton, &execution) {
                    Ok(()) => {
                        drop(problem);
                        let automaton = Box::new(path.automaton);
                        return Ok(Some(Finding::Error(automaton, execution)));
                    }
                    Err(reason) => reason,
                }
            }
        };
        self.open_goals.insert(path.goal, reason);
        Ok(None)
    }

    /// The path is infeasible: predicates against it.
    fn refine(
        &mut self,
        path: &Path,
        problem: &mut Problem,
        formula: &PathFormula,
    ) -> Result<Option<Finding>, C2bpError> {
        let limit = self.options.analysis.refinements;
        if limit.is_some_and(|most| self.statistics.rounds > most) {
            return Ok(Some(Finding::Unknown("refinement limit reached".into())));
        }
        if self.options.analysis.refinement == Refinement::Auto && self.select(path, problem)? {
            self.statistics.selections += 1;
            return Ok(None);
        }
        let start = Instant::now();
        let engine = &mut self.interpolation;
        let nested = Nested::new(self.skeleton, path, formula, engine, &self.budget);
        let found = nested.predicates(self.terms);
        self.statistics.interpolation_time += start.elapsed();
        let found = match found.map_err(AbstractionError::from)? {
            Ok(found) => found,
            Err(Unknown::Incomplete(reason)) => {
                return Ok(Some(Finding::Unknown(format!("no interpolants: {reason}"))));
            }
            Err(unknown) => return Err(AbstractionError::Unknown(unknown).into()),
        };
        if self.add(&found) {
            return Ok(None);
        }
        Ok(Some(Finding::Unknown(
            "the abstraction cannot tell an infeasible path from a feasible one".into(),
        )))
    }

    /// Tracks predicates; are any of them new?
    pub fn add(&mut self, predicates: &[Term]) -> bool {
        let mut any = false;
        for &p in predicates {
            any |= self.predicates.add(self.terms, self.skeleton, p);
        }
        any
    }

    /// Predicates of the program text against the path.
    fn select(&mut self, path: &Path, problem: &mut Problem) -> Result<bool, C2bpError> {
        let start = Instant::now();
        if self.selector.is_none() {
            let operations = operations(self.terms, self.skeleton);
            let candidates = Candidates::new(self.terms, operations.iter());
            let solvers = self.options.analysis.solvers(Purpose::Selection);
            self.selector = Some(Selector::new(candidates, solvers));
        }
        let selector = self.selector.as_ref().expect("it has just been made");
        let view = Cuts::new(self.terms, self.skeleton, &self.predicates, path, problem);
        let blocks = path.blocks();
        let way = select::Path { blocks: &blocks, states: &[] };
        let found = selector.select(self.terms, problem, &view, way, &self.budget);
        self.statistics.selection_time += start.elapsed();
        let found: Vec<Term> = found?.into_iter().flatten().map(|(_, p)| p).collect();
        Ok(self.add(&found))
    }

    /// Brings the statistics up to date.
    pub fn count(&mut self) {
        let s = &mut self.statistics;
        s.predicates = self.predicates.len() as u64;
        s.global_predicates = self.predicates.globals.len() as u64;
        s.abstractions = self.abstracter.asked;
        s.remembered = self.abstracter.remembered;
        s.cached = self.abstracter.cached;
        s.effort = self.abstracter.effort();
        s.interpolation = self.interpolation.statistics().clone();
        s.work = self.budget.work();
    }
}

/// All that the program does, with the passing of arguments and results, and old values.
fn operations(terms: &mut Terms, skeleton: &Skeleton) -> Vec<Operation> {
    let mut all = vec![];
    for (f, function) in skeleton.program.functions.iter().enumerate() {
        for edge in &function.edges {
            match &edge.step {
                Step::Operation(operation) => all.push(operation.clone()),
                Step::Call { callee, arguments, result } => {
                    let formals = skeleton.formals(*callee).iter();
                    all.extend(
                        formals.zip(arguments).map(|(&to, &from)| Operation::Assign(to, from)),
                    );
                    let from = skeleton.program.functions[*callee].result;
                    if let (Some(to), Some(from)) = (*result, from) {
                        all.push(Operation::Assign(to, terms.variable(from)));
                    }
                }
                Step::Error | Step::Unsupported(_) => {}
            }
        }
        for (old, of) in skeleton.olds(f) {
            let (left, right) = (terms.variable(of), terms.variable(old));
            all.push(Operation::Assume(terms.equal(left, right)));
        }
    }
    all
}

fn exhausted(reason: &UnknownReason) -> C2bpError {
    let exhausted = match reason {
        UnknownReason::Memory => Exhausted::Memory,
        UnknownReason::Interrupted => Exhausted::Cancelled,
        UnknownReason::Time | UnknownReason::Solver(_) => Exhausted::Time,
    };
    AbstractionError::Unknown(exhausted.into()).into()
}

impl From<EngineError> for C2bpError {
    fn from(e: EngineError) -> Self {
        Self::Engine(e)
    }
}
