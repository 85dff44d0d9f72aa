//! Reachability by predicate abstraction: the abstract model that the loop explores and refines.

use super::cuts::Cuts;
use super::enumeration::Enumeration;
use super::invariant::{Invariant, InvariantError};
use super::nodes::NodeId;
use super::reached::Reached;
use super::refinement::{PredicateRefinement, RefinementStrategy};
use crate::base::budget::Budget;
use crate::program::cfa::{Location, Operation};
use crate::refine::block::liveness::CutLiveness;
use crate::refine::block::path::PathFormula;
use crate::refine::block::problem::Problem;
use crate::refine::cegar::error::RefineError;
use crate::refine::cegar::finding::RefinementObserver;
use crate::refine::cegar::model::{
    AbstractModel, Context, Doubt, Explored, GoalId, Refutation, Unrefuted,
};
use crate::refine::cegar::options::AnalysisOptions;
use crate::refine::cegar::statistics::{Progress, RefinementStatistics, TreeStatistics};
use crate::refine::interpolate::{Interpolation, InterpolationEngine};
use crate::refine::predicate::abstraction::Abstractor;
use crate::refine::predicate::effort::AbstractionError;
use crate::refine::predicate::vocabulary::Vocabulary;
use crate::refine::select::view::View;
use crate::solve::smt::{Purpose, SmtError, Term, Terms, Unknown};

/// Nodes made between two reports of progress.
const REPORT: usize = 16;

/// An abstract reachability tree (ART), built after an attempt to enumerate the states instead.
pub struct ReachabilityTree {
    pub reached: Reached,
    strategy: Box<dyn RefinementStrategy>,
    /// Computed for the first refinement.
    live: Option<CutLiveness>,
    phase: Phase,
    /// The size of the problem; everything else is counted on request.
    statistics: TreeStatistics,
}

/// The current phase of the exploration.
enum Phase {
    /// Nothing so far.
    Start,
    /// States are enumerated one by one.
    Enumeration(Box<Enumeration>),
    /// All states have been enumerated.
    Enumerated(Invariant),
    Tree,
}

/// A path to a goal.
#[derive(Debug)]
pub struct TreePath {
    blocks: Vec<usize>,
    goal: Location,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    /// Blocks of the tree, each with the node after it.
    Tree(Vec<(usize, NodeId)>),
    /// The enumerated states after all blocks except the last.
    Enumeration(Vec<Term>),
}

impl ReachabilityTree {
    /// A tree without nodes.
    ///
    /// # Errors
    /// If there is no memory for BDDs.
    pub fn new(
        problem: Problem,
        options: &AnalysisOptions,
        budget: &Budget,
    ) -> Result<Self, AbstractionError> {
        let automaton = &problem.automaton;
        let statistics = TreeStatistics {
            edges: automaton.edges.len() as u64,
            locations: u64::from(automaton.locations),
            blocks: problem.summary.blocks.len() as u64,
            cut_locations: problem.summary.locations.len() as u64,
            ..TreeStatistics::default()
        };
        let vocabulary = Vocabulary::new(budget)?;
        let solvers = options.solvers(Purpose::Abstraction);
        let abstractor =
            Abstractor::new(solvers, options.abstraction).with_limits(options.limits.abstraction);
        Ok(Self {
            reached: Reached::new(problem, vocabulary, abstractor, options.scope),
            strategy: Box::new(PredicateRefinement),
            live: None,
            phase: Phase::Start,
            statistics,
        })
    }

    /// Tracks predicates everywhere from the start.
    ///
    /// # Errors
    /// If the table of BDD nodes is full.
    pub fn track(&mut self, terms: &Terms, predicates: &[Term]) -> Result<(), AbstractionError> {
        self.reached.track(terms, predicates.iter().map(|&p| (None, p)).collect())
    }

    /// Begins with the enumeration of states, unless the options exclude it, or else with the tree.
    fn start(&mut self, context: &mut Context) {
        let most = context.options.explicit_states;
        if most == 0 || context.options.is_linear() {
            self.grow();
            return;
        }
        let enumeration = Enumeration::new(context, &mut self.reached.problem, most);
        self.phase = Phase::Enumeration(Box::new(enumeration));
    }

    /// Switches to the tree.
    fn grow(&mut self) {
        self.phase = Phase::Tree;
        self.reached.start();
    }

    /// Computes waiting successors until there is something to report.
    fn pass(&mut self, context: &mut Context) -> Result<Explored<TreePath>, RefineError> {
        while let Some(next) = self.reached.next() {
            context.budget.check()?;
            let Some(child) = self.reached.pass(context, next)? else { continue };
            let goal = self.reached.tree.node(child).location;
            if self.reached.problem.automaton.goal(goal).is_some() {
                let path = self.reached.tree.path(child);
                let blocks = path.iter().map(|&(b, _)| b).collect();
                return Ok(Explored::Path(TreePath { blocks, goal, origin: Origin::Tree(path) }));
            }
            self.reached.settle(child)?;
            if self.reached.tree.sizes().1.is_multiple_of(REPORT) {
                return Ok(Explored::Progress);
            }
        }
        Ok(Explored::Complete)
    }
}

impl AbstractModel for ReachabilityTree {
    type Path = TreePath;
    type Proof = Invariant;
    type Statistics = TreeStatistics;

    const WRONG: &'static str = "the invariant does not prove the program safe";
    const UNCHECKED: &'static str = "the invariant could not be checked";

    fn explore(
        &mut self,
        context: &mut Context,
        _observer: &mut dyn RefinementObserver,
    ) -> Result<Explored<TreePath>, RefineError> {
        use super::enumeration::Event;
        if matches!(self.phase, Phase::Start) {
            self.start(context);
        }
        let Phase::Enumeration(enumeration) = &mut self.phase else { return self.pass(context) };
        let event = enumeration.next(context, &mut self.reached.problem);
        let counts = &mut self.statistics;
        (counts.explicit_states, counts.explicit_time) = enumeration.counts();
        let deep = enumeration.too_deep();
        Ok(match event? {
            Event::Abandoned | Event::Complete(_) if !deep.is_empty() => {
                Explored::TooDeep(deep.to_vec())
            }
            Event::Abandoned => {
                self.grow();
                return self.pass(context);
            }
            Event::Complete(invariant) => {
                self.phase = Phase::Enumerated(invariant);
                Explored::Complete
            }
            Event::Goal { blocks, states, location } => {
                let origin = Origin::Enumeration(states);
                Explored::Path(TreePath { blocks, goal: location, origin })
            }
        })
    }

    fn proof(&mut self, context: &mut Context) -> Result<Invariant, RefineError> {
        Ok(match &self.phase {
            Phase::Enumerated(invariant) => invariant.clone(),
            _ => self.reached.invariant(context.terms)?,
        })
    }

    fn confirm(&mut self, context: &mut Context, proof: &Invariant) -> Result<(), Doubt> {
        let checkers = context.options.checkers();
        let problem = &mut self.reached.problem;
        let limits = context.options.limits.invariant;
        let checked =
            proof.check(context.terms, problem, || checkers.solver(), limits, context.budget);
        checked.map_err(|e| match e {
            InvariantError::Unknown(Unknown::Exhausted(e)) => Doubt::Error(e.into()),
            InvariantError::Unknown(e) => Doubt::Unchecked(e.to_string()),
            InvariantError::Solver(e) => Doubt::Error(e.into()),
            wrong => Doubt::Wrong(wrong.to_string()),
        })
    }

    fn blocks<'a>(&'a mut self, path: &'a mut TreePath) -> (&'a mut Problem, &'a [usize]) {
        (&mut self.reached.problem, &path.blocks)
    }

    fn states(&mut self, context: &mut Context, path: &TreePath) -> Vec<Term> {
        match &path.origin {
            Origin::Enumeration(states) => states.clone(),
            Origin::Tree(nodes) => {
                let Reached { vocabulary, tree, .. } = &mut self.reached;
                let inner = nodes[..nodes.len() - 1].iter();
                inner
                    .map(|&(_, n)| vocabulary.formula(context.terms, &tree.node(n).state))
                    .collect()
            }
        }
    }

    fn goal(&self, path: &TreePath) -> GoalId {
        GoalId(0, path.goal)
    }

    fn close(&mut self, path: TreePath) {
        self.reached.close(path.goal);
        if let Phase::Enumeration(enumeration) = &mut self.phase {
            enumeration.close(path.goal);
        }
        if let Origin::Tree(nodes) = path.origin
            && let Some(&(_, last)) = nodes.last()
        {
            self.reached.tree.remove(last);
        }
    }

    fn too_deep(&mut self, path: TreePath) -> Option<Vec<Location>> {
        match &mut self.phase {
            // Other calls may go too deep as well.
            Phase::Enumeration(enumeration) => {
                enumeration.close_as_too_deep(path.goal);
                None
            }
            _ => Some(vec![path.goal]),
        }
    }

    fn discard(&mut self, path: &TreePath) -> bool {
        let is_enumerated = matches!(path.origin, Origin::Enumeration(_));
        if is_enumerated {
            // The solver's values are not states of the path.
            self.grow();
        }
        is_enumerated
    }

    fn operations(&self, _terms: &mut Terms) -> Vec<Operation> {
        self.reached.problem.automaton.edges.iter().map(|e| e.operation.clone()).collect()
    }

    fn view<'a>(
        &'a mut self,
        terms: &mut Terms,
        path: &'a mut TreePath,
    ) -> (&'a mut Problem, Box<dyn View + 'a>) {
        let reached = &mut self.reached;
        let live = self.live.get_or_insert_with(|| CutLiveness::new(terms, &mut reached.problem));
        let locations: Vec<Location> =
            path.blocks.iter().map(|&b| reached.problem.target(b)).collect();
        let places = locations.iter().map(|&l| reached.place(l)).collect();
        let known = (&reached.vocabulary, &reached.precision);
        (&mut reached.problem, Box::new(Cuts { places, locations, live, known }))
    }

    fn interpolate(
        &mut self,
        context: &mut Context,
        _path: &TreePath,
        formula: &PathFormula,
        engine: &mut InterpolationEngine,
    ) -> Result<Result<Refutation, Unrefuted>, SmtError> {
        let parts: Vec<Term> = formula.blocks.iter().map(|b| context.terms.and(b)).collect();
        Ok(match engine.interpolate(context.terms, &parts, context.budget)? {
            Interpolation::Interpolants(all) => Ok(Refutation::Interpolants(all)),
            Interpolation::Sat => Err(Unrefuted::Feasible),
            Interpolation::Unknown(reason) => Err(Unrefuted::Unknown(reason)),
        })
    }

    fn refine(
        &mut self,
        context: &mut Context,
        path: &TreePath,
        refutation: Refutation,
    ) -> Result<bool, RefineError> {
        // Paths from the enumeration are discarded, not refined.
        let Origin::Tree(nodes) = &path.origin else { return Ok(false) };
        self.strategy.refine(&mut self.reached, context, nodes, refutation)
    }

    fn count(&self) -> (TreeStatistics, u64) {
        let Reached { tree, vocabulary, precision, abstractor, .. } = &self.reached;
        let (there, made) = tree.sizes();
        let sizes: Vec<usize> = precision.sizes().collect();
        let statistics = TreeStatistics {
            tree_nodes: there as u64,
            nodes_made: made as u64,
            covered: tree.iter().filter(|(_, n)| n.covered_by.is_some()).count() as u64,
            predicates_most: sizes.iter().copied().max().unwrap_or(0) as u64,
            predicates_average: match sizes.len() {
                0 => 0.0,
                n => sizes.iter().sum::<usize>() as f64 / n as f64,
            },
            abstraction: abstractor.effort(),
            ..self.statistics.clone()
        };
        (statistics, vocabulary.len() as u64)
    }

    fn progress(statistics: &RefinementStatistics<TreeStatistics>) -> Progress<'_> {
        Progress::Tree(statistics)
    }
}
