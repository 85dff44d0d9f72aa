//! Reachability by predicate abstraction: the abstract model that the loop explores and refines.

use std::time::Duration;

use super::analysis::Analysis;
use super::enumeration::Enumeration;
use super::nodes::NodeId;
use super::reached::Reached;
use super::suffix;
use crate::block::liveness::CutLiveness;
use crate::block::path::PathFormula;
use crate::block::problem::Problem;
use crate::cegar::algorithm::Order;
use crate::cegar::error::RefineError;
use crate::cegar::finding::{RefinementObserver, Stage};
use crate::cegar::model::{
    AbstractModel, Context, Doubt, Executed, Explored, GoalId, Refutation, Unrefuted,
};
use crate::cegar::statistics::{Progress, RefinementStatistics, TreeStatistics};
use crate::interpolate::{Interpolation, InterpolationEngine};
use crate::proof::invariant::{Invariant, InvariantError};
use crate::select::view::View;
use crate::values::{Event, ValueAnalysis, ValuesError};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_cfa::{Location, Operation};
use hardbop_smt::{Purpose, SmtError, SolverKind, Solvers, Symbol, Term, Terms, Unknown};

/// Nodes made between two reports of progress.
const REPORT: usize = 16;

/// An abstract reachability tree (ART), built after an attempt to enumerate the states instead.
pub struct ReachabilityTree<A: Analysis> {
    pub reached: Reached<A>,
    /// Computed for the first refinement.
    live: Option<CutLiveness>,
    phase: Phase,
    /// The time that the value analysis took, once it is given up.
    spent: Duration,
    /// The budget of the value analysis.
    share: Budget,
    /// The size of the problem; everything else is counted on request.
    statistics: TreeStatistics,
}

/// The current phase of the exploration.
enum Phase {
    /// The exploration has not begun.
    Start,
    /// Values and intervals are explored.
    Values(Box<ValueAnalysis>),
    /// States are enumerated one by one.
    Enumeration(Box<Enumeration>),
    /// The values are all known.
    Known(Box<ValueAnalysis>, Invariant),
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
    /// The values or enumerated states after all blocks except the last.
    States(Vec<Term>),
}

impl<A: Analysis> ReachabilityTree<A> {
    /// A tree without nodes.
    pub fn new(problem: Problem, analysis: A, order: Order) -> Self {
        let statistics = TreeStatistics::of(&problem);
        let reached = Reached::new(problem, analysis, order);
        Self {
            reached,
            live: None,
            phase: Phase::Start,
            spent: Duration::ZERO,
            share: Budget::unlimited(),
            statistics,
        }
    }

    /// Begins with values, unless the options exclude explicit states, or else with the tree.
    fn start(&mut self, context: &mut Context) {
        if context.options.explicit_states == 0 || context.options.is_linear() {
            self.grow();
            return;
        }
        // Who brings a solver wants it to be asked.
        let is_own = context.options.own_solver.is_some();
        let limits = context.options.limits.values;
        match ValueAnalysis::new(context.terms, &self.reached.problem, limits) {
            Some(values) if !is_own => {
                self.phase = Phase::Values(Box::new(values));
                self.share = context.budget.with_memory_share(limits.memory);
            }
            _ => self.enumerate(context),
        }
    }

    /// Switches to the enumeration of states.
    fn enumerate(&mut self, context: &mut Context) {
        self.spent = self.statistics.explicit_time;
        let most = context.options.explicit_states;
        let enumeration = Enumeration::new(context, &mut self.reached.problem, most);
        self.phase = Phase::Enumeration(Box::new(enumeration));
    }

    /// Switches to the tree.
    fn grow(&mut self) {
        self.phase = Phase::Tree;
    }

    /// Tracks more in the enumeration, or else switches to the tree.
    fn refine_states(&mut self, terms: &mut Terms, path: &TreePath, refutation: Refutation) {
        let Phase::Enumeration(enumeration) = &mut self.phase else { return };
        let problem = &self.reached.problem;
        let places = path.blocks.iter().map(|&b| Some(problem.target(b).0));
        let selection = refutation.predicates(terms, places);
        if !enumeration.track(terms, problem, selection) {
            self.grow();
        }
    }

    /// Computes waiting successors until there is something to report.
    fn pass(&mut self, context: &mut Context) -> Result<Explored<TreePath>, RefineError> {
        if self.reached.tree.sizes().1 == 0 {
            self.reached.start(context.terms);
        }
        while let Some((n, blocks)) = self.reached.next() {
            context.budget.check()?;
            let (mut children, mut goal) = (vec![], None);
            for (i, &block) in blocks.iter().enumerate() {
                let Some(child) = self.reached.pass(context, (n, block))? else { continue };
                let location = self.reached.tree.node(child).location;
                if self.reached.problem.automaton.goal(location).is_some() {
                    goal = Some((location, child));
                    self.reached.postpone(n, &blocks[i + 1..]);
                    break;
                }
                children.push(child);
            }
            // The first child is to be expanded first.
            for child in children.into_iter().rev() {
                self.reached.settle(context, child)?;
            }
            if let Some((goal, child)) = goal {
                let path = self.reached.tree.path(child);
                let blocks = path.iter().map(|&(b, _)| b).collect();
                return Ok(Explored::Path(TreePath { blocks, goal, origin: Origin::Tree(path) }));
            }
            if self.reached.tree.sizes().1.is_multiple_of(REPORT) {
                return Ok(Explored::Progress);
            }
        }
        Ok(Explored::Complete)
    }
}

impl<A: Analysis> AbstractModel for ReachabilityTree<A> {
    type Path = TreePath;
    type Proof = Invariant;
    type Statistics = TreeStatistics;

    const WRONG: &'static str = "the invariant does not prove the program safe";
    const UNCHECKED: &'static str = "the invariant could not be checked";

    fn explore(
        &mut self,
        context: &mut Context,
        observer: &mut dyn RefinementObserver,
    ) -> Result<Explored<TreePath>, RefineError> {
        if matches!(self.phase, Phase::Start) {
            self.start(context);
        }
        observer.stage(match &self.phase {
            Phase::Values(_) => Stage::Values,
            Phase::Enumeration(_) => Stage::States,
            _ if A::STRENGTHENS => Stage::Impact,
            _ => Stage::Predicates,
        });
        let counts = &mut self.statistics;
        let (event, deep) = match &mut self.phase {
            Phase::Values(values) => {
                let event = values.next(context.terms, &self.reached.problem, &self.share);
                (counts.explicit_states, counts.explicit_time) = values.counts();
                let event = match event {
                    // Its share of memory, not that of the run.
                    Err(Exhausted::Memory) if context.budget.check_after_part().is_ok() => {
                        Event::Abandoned
                    }
                    event => event?,
                };
                (event, values.closed.too_deep().to_vec())
            }
            Phase::Enumeration(enumeration) => {
                let event = enumeration.next(context, &mut self.reached.problem);
                let (states, time) = enumeration.counts();
                counts.explicit_states = states;
                counts.explicit_time = self.spent + time;
                (event?, enumeration.closed.too_deep().to_vec())
            }
            _ => return self.pass(context),
        };
        Ok(match event {
            Event::Abandoned if matches!(self.phase, Phase::Values(_)) => {
                self.enumerate(context);
                return Ok(Explored::Progress);
            }
            Event::Abandoned | Event::Complete(_) if !deep.is_empty() => Explored::TooDeep(deep),
            Event::Abandoned => {
                self.grow();
                return Ok(Explored::Progress);
            }
            Event::Complete(at) => {
                let invariant = Invariant { at, rounds: None };
                self.phase = match std::mem::replace(&mut self.phase, Phase::Tree) {
                    Phase::Values(values) => Phase::Known(values, invariant),
                    _ => Phase::Enumerated(invariant),
                };
                Explored::Complete
            }
            Event::Goal { blocks, states, location } => {
                let origin = Origin::States(states);
                Explored::Path(TreePath { blocks, goal: location, origin })
            }
        })
    }

    fn proof(&mut self, context: &mut Context) -> Result<Invariant, RefineError> {
        Ok(match &self.phase {
            Phase::Known(_, invariant) | Phase::Enumerated(invariant) => invariant.clone(),
            _ => self.reached.invariant(context.terms)?,
        })
    }

    fn confirm(&mut self, context: &mut Context, proof: &Invariant) -> Result<(), Doubt> {
        let problem = &mut self.reached.problem;
        if let Phase::Known(values, _) = &mut self.phase {
            // No solver had a part in it, so the faster one may check.
            let log = context.options.log.as_ref();
            let solvers = Solvers::new(SolverKind::Blast, log, Purpose::Invariant);
            return values.check(context.terms, problem, &solvers, context.budget).map_err(|e| {
                match e {
                    ValuesError::Unknown(Unknown::Exhausted(e)) => Doubt::Error(e.into()),
                    ValuesError::Unknown(e) => Doubt::Unchecked(e.to_string()),
                    ValuesError::Solver(e) => Doubt::Error(e.into()),
                    wrong => Doubt::Wrong(wrong.to_string()),
                }
            });
        }
        let checkers = context.options.checkers();
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
            Origin::States(states) => states.clone(),
            Origin::Tree(nodes) => {
                let Reached { analysis, tree, .. } = &mut self.reached;
                let inner = nodes[..nodes.len() - 1].iter();
                inner.map(|&(_, n)| analysis.formula(context.terms, &tree.node(n).state)).collect()
            }
        }
    }

    fn execute(&mut self, context: &mut Context, path: &TreePath) -> Executed {
        let Phase::Values(values) = &mut self.phase else { return Executed::Undecided };
        let problem = &self.reached.problem;
        match values.execution(context.terms, problem, &path.blocks) {
            Some(execution) => Executed::Found(execution),
            None if values.is_wide() => {
                values.refute(problem);
                Executed::Dropped
            }
            None => Executed::Undecided,
        }
    }

    fn goal(&self, path: &TreePath) -> GoalId {
        GoalId(0, path.goal)
    }

    fn close(&mut self, path: TreePath) {
        self.reached.close(path.goal);
        match &mut self.phase {
            Phase::Values(values) => values.closed.close(path.goal),
            Phase::Enumeration(enumeration) => enumeration.closed.close(path.goal),
            _ => {}
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
            Phase::Values(values) => {
                values.closed.close_as_too_deep(path.goal);
                None
            }
            Phase::Enumeration(enumeration) => {
                enumeration.closed.close_as_too_deep(path.goal);
                None
            }
            _ => Some(vec![path.goal]),
        }
    }

    fn discard(&mut self, context: &mut Context, _path: &TreePath) -> bool {
        match &mut self.phase {
            Phase::Values(values) => {
                if !values.refute(&self.reached.problem) {
                    self.enumerate(context);
                }
                true
            }
            Phase::Enumeration(enumeration) if enumeration.is_exact() => {
                // The solver's values are not states of the path.
                self.grow();
                true
            }
            _ => false,
        }
    }

    fn recant(&mut self, context: &mut Context) -> bool {
        match self.phase {
            Phase::Known(..) => self.enumerate(context),
            Phase::Enumerated(_) => self.grow(),
            _ => return false,
        }
        true
    }

    fn operations(&self, _terms: &mut Terms) -> Vec<Operation> {
        self.reached.problem.automaton.edges.iter().map(|e| e.operation.clone()).collect()
    }

    fn view<'a>(
        &'a mut self,
        terms: &mut Terms,
        path: &'a mut TreePath,
    ) -> Option<(&'a mut Problem, Box<dyn View + 'a>)> {
        if let Phase::Enumeration(enumeration) = &self.phase {
            let problem = &mut self.reached.problem;
            let view = enumeration.view(problem, &path.blocks);
            return Some((problem, view));
        }
        if !self.reached.analysis.has_precision() {
            // It is refined by interpolants alone; the live variables would be computed for
            // nothing.
            return None;
        }
        let Reached { problem, analysis, .. } = &mut self.reached;
        let live = self.live.get_or_insert_with(|| CutLiveness::new(terms, problem));
        let locations = path.blocks.iter().map(|&b| problem.target(b));
        let at: Vec<(Location, Vec<Symbol>)> = locations.map(|l| (l, live.at(l))).collect();
        let view = analysis.view(problem, at)?;
        Some((problem, view))
    }

    fn interpolate(
        &mut self,
        context: &mut Context,
        path: &TreePath,
        formula: &PathFormula,
        engine: &mut InterpolationEngine,
    ) -> Result<Result<Refutation, Unrefuted>, SmtError> {
        let mut parts: Vec<Term> = formula.blocks.iter().map(|b| context.terms.and(b)).collect();
        let is_enumerated = matches!(path.origin, Origin::States(_));
        let mut states = vec![];
        if A::STRENGTHENS || is_enumerated {
            states = self.states(context, path);
        }
        if is_enumerated {
            // The path is infeasible through these states, which need not follow from what is
            // before them.
            for (i, state) in std::mem::take(&mut states).into_iter().enumerate() {
                let state = formula.after(context.terms, i, state);
                parts[i] = context.terms.and(&[parts[i], state]);
            }
        }
        let first = suffix::infeasible(context, (&parts, formula), &states)?;
        parts.drain(..first.blocks);
        if let Some(state) = first.state {
            parts[0] = context.terms.and(&[state, parts[0]]);
        }
        Ok(match engine.interpolate(context.terms, &parts, context.budget)? {
            Interpolation::Interpolants(found) => {
                // The states before the suffix need not be stronger.
                let mut all = vec![context.terms.bool(true); first.blocks];
                all.extend(found);
                Ok(Refutation::Interpolants(all))
            }
            _ if is_enumerated => {
                self.grow();
                Ok(Refutation::Predicates(vec![]))
            }
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
        let Origin::Tree(nodes) = &path.origin else {
            self.refine_states(context.terms, path, refutation);
            return Ok(true);
        };
        A::refine(&mut self.reached, context, nodes, refutation)
    }

    fn count(&self) -> (TreeStatistics, u64) {
        let Reached { tree, analysis, .. } = &self.reached;
        let (there, made) = tree.sizes();
        let mut statistics = TreeStatistics {
            tree_nodes: there as u64,
            nodes_made: made as u64,
            covered: tree.iter().filter(|(_, n)| n.covered_by.is_some()).count() as u64,
            ..self.statistics.clone()
        };
        let predicates = analysis.count(&mut statistics);
        (statistics, predicates)
    }

    fn progress(statistics: &RefinementStatistics<TreeStatistics>) -> Progress<'_> {
        Progress::Tree(statistics)
    }
}

#[cfg(test)]
mod tests;
