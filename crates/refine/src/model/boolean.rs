//! Boolean programs as the abstract model that the loop explores and refines: an engine explores a
//! Boolean program, and an infeasible counterexample gives predicates for the next one.

use std::time::Instant;

use rustc_hash::FxHashSet;

use super::abstraction::abstracter::Abstracter;
use super::abstraction::assignment::AbstractProcedure;
use super::abstraction::simulation::{self, SimulationError};
use super::path::concrete::{ConcretePath, meanings};
use super::path::cuts::Cuts;
use super::path::nested::Nested;
use super::relation::cache::Cache;
use super::skeleton::frame::Skeleton;
use super::skeleton::predicates::Predicates;
use super::summaries::{Abstracted, summaries};
use super::text::program::{BooleanProgram, Text, program};
use crate::block::path::PathFormula;
use crate::block::problem::Problem;
use crate::cegar::error::RefineError;
use crate::cegar::finding::RefinementObserver;
use crate::cegar::model::{AbstractModel, Context, Doubt, Explored, GoalId, Refutation, Unrefuted};
use crate::cegar::options::AnalysisOptions;
use crate::cegar::statistics::{BooleanStatistics, Progress, RefinementStatistics};
use crate::interpolate::InterpolationEngine;
use crate::limits;
use crate::proof::Summaries;
use crate::select::view::View;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_bp::engine::{self, Engine, EngineError};
use hardbop_bp::language::trace::Trace;
use hardbop_bp::proof::failure::{Effort, Unproved};
use hardbop_bp::proof::{Invariant, Outcome, check};
use hardbop_cfa::live::Liveness;
use hardbop_cfa::{Location, Operation, Step};
use hardbop_smt::{SmtError, Term, Terms, Unknown};

/// The Boolean programs of a program; each has more predicates than the preceding one.
pub struct BooleanModel<'s, 'p> {
    pub predicates: Predicates,
    skeleton: &'s Skeleton<'p>,
    abstracter: Abstracter<'s, 'p>,
    engine: engine::Options,
    limits: limits::Boolean,
    text: &'s Text<'s>,
    /// The functions of the last Boolean program.
    last: Vec<AbstractProcedure>,
    /// A Boolean program that has not been checked yet.
    unchecked: Option<BooleanProgram>,
    /// A Boolean program that is safe, with its invariant.
    proved: Option<(BooleanProgram, Invariant)>,
    /// Goals that are reached but decide nothing.
    closed: FxHashSet<(usize, Location)>,
    statistics: BooleanStatistics,
}

/// A counterexample of a Boolean program, as a path of an automaton made for it.
pub struct BooleanPath {
    path: ConcretePath,
    problem: Problem,
    blocks: Vec<usize>,
}

impl<'s, 'p> BooleanModel<'s, 'p> {
    /// A model without predicates.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(
        terms: &mut Terms,
        skeleton: &'s Skeleton<'p>,
        (analysis, engine): (&AnalysisOptions, &engine::Options),
        text: &'s Text<'s>,
        cache: Option<&'s dyn Cache>,
        budget: &Budget,
    ) -> Result<Self, RefineError> {
        Ok(Self {
            predicates: Predicates::new(skeleton.procedures.len()),
            skeleton,
            abstracter: Abstracter::new(terms, skeleton, analysis, cache, budget)?,
            engine: engine::Options { certify: true, ..engine.clone() },
            limits: analysis.limits.boolean,
            text,
            last: vec![],
            unchecked: None,
            proved: None,
            closed: FxHashSet::default(),
            statistics: BooleanStatistics::default(),
        })
    }

    /// Tracks predicates; was any of them new?
    pub fn track(&mut self, terms: &Terms, predicates: &[Term]) -> bool {
        let mut any = false;
        for &p in predicates {
            any |= self.predicates.add(terms, self.skeleton, p);
        }
        any
    }

    /// The Boolean program of the predicates that are tracked now.
    ///
    /// # Errors
    /// If a solver fails or the budget runs out.
    pub fn abstraction(
        &mut self,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<BooleanProgram, RefineError> {
        let start = Instant::now();
        let procedures = self.abstracter.procedures(terms, &self.predicates, budget);
        self.statistics.abstraction_time += start.elapsed();
        let procedures = procedures?;
        let abstracted = (&self.predicates, &procedures[..]);
        let program = program(terms, &self.abstracter, abstracted, &self.closed, self.text)?;
        self.last = procedures;
        self.statistics.size = program.size;
        Ok(program)
    }

    /// The summaries of the program itself that a proof gives.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn summaries(
        &self,
        terms: &mut Terms,
        (program, invariant): &(BooleanProgram, Invariant),
        budget: &Budget,
    ) -> Result<Summaries, Exhausted> {
        let abstracted = Abstracted {
            skeleton: self.skeleton,
            problems: &self.abstracter.problems,
            predicates: &self.predicates,
            procedures: &self.last,
        };
        summaries(terms, abstracted, (program, invariant), budget)
    }

    /// Runs the engines.  Programs made of selected predicates contain little that could be left
    /// out, so BDDs of the whole program are fastest if they stay small.
    fn solve(
        &self,
        program: &BooleanProgram,
        budget: &Budget,
    ) -> Result<Outcome<Invariant>, EngineError> {
        let engine = &self.engine;
        let check = |engine: &engine::Options, budget: &Budget| {
            engine::check(&program.program, engine, budget, &mut engine::Silent)
        };
        if engine.engine == Engine::Auto && !engine.plain {
            let whole = engine::Options { engine: Engine::Bdd, plain: true, ..engine.clone() };
            let report = check(&whole, &budget.trial(self.limits.whole_work))?;
            if !matches!(report.outcome, Outcome::Unknown(_)) || budget.check_after_part().is_err()
            {
                return Ok(report.outcome);
            }
        }
        Ok(check(engine, budget)?.outcome)
    }

    /// Turns the counterexample into a path of the program.
    fn path(
        &mut self,
        terms: &mut Terms,
        program: &BooleanProgram,
        trace: &Trace,
    ) -> Result<BooleanPath, RefineError> {
        let statements = meanings(program, trace);
        let path = ConcretePath::new(terms, self.skeleton, &self.abstracter.problems, &statements);
        let Some(path) = path else {
            return Err(RefineError::IllFormed(
                "a counterexample is not a path of the program".into(),
            ));
        };
        self.statistics.counterexample = path.segments.len() as u64;
        let (automaton, summary) = (path.automaton.clone(), path.summary.clone());
        let problem = Problem::with_blocks(automaton, summary, Liveness::everything());
        let blocks = path.blocks();
        Ok(BooleanPath { path, problem, blocks })
    }
}

impl AbstractModel for BooleanModel<'_, '_> {
    type Path = BooleanPath;
    type Proof = (BooleanProgram, Invariant);
    type Statistics = BooleanStatistics;

    const WRONG: &'static str = "internal error";
    const UNCHECKED: &'static str = "the Boolean program could not be compared with the program";

    /// Alternates between making a Boolean program and checking it.
    fn explore(
        &mut self,
        context: &mut Context,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Explored<BooleanPath>, RefineError> {
        let Some(program) = self.unchecked.take() else {
            if self.statistics.rounds > 0 {
                context.budget.check()?;
            }
            self.statistics.rounds += 1;
            let program = self.abstraction(context.terms, context.budget)?;
            observer.round(self.statistics.rounds, program.text());
            self.unchecked = Some(program);
            return Ok(Explored::Progress);
        };
        let start = Instant::now();
        let checked = self.solve(&program, context.budget);
        self.statistics.checking_time += start.elapsed();
        Ok(match checked? {
            Outcome::Unsafe(trace) => Explored::Path(self.path(context.terms, &program, &trace)?),
            Outcome::Unknown(reason) => Explored::Stuck(reason),
            Outcome::Safe(invariant) => {
                self.proved = Some((program, invariant));
                Explored::Complete
            }
        })
    }

    fn proof(&mut self, _context: &mut Context) -> Result<Self::Proof, RefineError> {
        Ok(self.proved.take().expect("the last Boolean program was safe"))
    }

    /// The program is safe if the Boolean program is safe and simulates the program.
    fn confirm(
        &mut self,
        context: &mut Context,
        (program, invariant): &Self::Proof,
    ) -> Result<(), Doubt> {
        let how = check::CheckerOptions::other_than(self.engine.sat);
        let (budget, silent) = (context.budget, &mut check::Silent);
        let mut effort = Effort::default();
        match check::check(&program.program, invariant, &how, budget, silent, &mut effort) {
            Ok(()) => {}
            Err(Unproved::Exhausted(e)) => return Err(Doubt::Error(e.into())),
            Err(e) => {
                let what = "internal error: the invariant does not prove the Boolean program safe";
                return Err(Doubt::Error(RefineError::Proof { what, why: e.to_string() }));
            }
        }
        let solvers = context.options.checkers();
        let compared =
            simulation::check(context.terms, &self.last, || solvers.solver(), context.budget);
        compared.map_err(|e| match e {
            SimulationError::Unknown(Unknown::Incomplete(reason)) => Doubt::Unchecked(reason),
            SimulationError::Unknown(e) => Doubt::Error(e.into()),
            SimulationError::Solver(e) => Doubt::Error(e.into()),
            wrong @ SimulationError::Missing(..) => Doubt::Wrong(wrong.to_string()),
        })
    }

    fn blocks<'a>(&'a mut self, path: &'a mut BooleanPath) -> (&'a mut Problem, &'a [usize]) {
        (&mut path.problem, &path.blocks)
    }

    fn states(&mut self, _context: &mut Context, _path: &BooleanPath) -> Vec<Term> {
        vec![]
    }

    fn goal(&self, path: &BooleanPath) -> GoalId {
        let (function, location) = path.path.goal;
        GoalId(function, location)
    }

    fn close(&mut self, path: BooleanPath) {
        self.closed.insert(path.path.goal);
    }

    /// Boolean programs follow calls to any depth, so there are no such goals.
    fn too_deep(&mut self, path: BooleanPath) -> Option<Vec<Location>> {
        Some(vec![path.path.goal.1])
    }

    fn operations(&self, terms: &mut Terms) -> Vec<Operation> {
        operations(terms, self.skeleton)
    }

    fn view<'a>(
        &'a mut self,
        terms: &mut Terms,
        path: &'a mut BooleanPath,
    ) -> Option<(&'a mut Problem, Box<dyn View + 'a>)> {
        let BooleanPath { path, problem, .. } = path;
        let cuts = Cuts::new(terms, self.skeleton, &self.predicates, path, problem);
        Some((problem, Box::new(cuts)))
    }

    fn interpolate(
        &mut self,
        context: &mut Context,
        path: &BooleanPath,
        formula: &PathFormula,
        engine: &mut InterpolationEngine,
    ) -> Result<Result<Refutation, Unrefuted>, SmtError> {
        let nested = Nested::new(self.skeleton, &path.path, formula, engine, context.budget);
        let found = nested.predicates(context.terms)?;
        Ok(found.map(|all| Refutation::Predicates(all.into_iter().map(|p| (None, p)).collect())))
    }

    fn refine(
        &mut self,
        context: &mut Context,
        _path: &BooleanPath,
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        // The variables of a predicate determine where it is tracked.
        let predicates: Vec<Term> = match refutation {
            Refutation::Predicates(selection) => selection.into_iter().map(|(_, p)| p).collect(),
            // Nested interpolants are passed as predicates; other interpolants say nothing across
            // calls.
            Refutation::Interpolants(_) => vec![],
        };
        Ok(self.track(context.terms, &predicates))
    }

    fn count(&self) -> (BooleanStatistics, u64) {
        let statistics = BooleanStatistics {
            global_predicates: self.predicates.globals.len() as u64,
            abstractions: self.abstracter.asked,
            remembered: self.abstracter.remembered,
            cached: self.abstracter.cached,
            effort: self.abstracter.effort(),
            ..self.statistics.clone()
        };
        (statistics, self.predicates.len() as u64)
    }

    fn progress(statistics: &RefinementStatistics<BooleanStatistics>) -> Progress<'_> {
        Progress::Boolean(statistics)
    }
}

/// All operations of the program, including the passing of arguments and results, and of old
/// values.
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
