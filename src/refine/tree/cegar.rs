//! The algorithm: explore, find a path, refine.

use std::collections::BTreeMap;
use std::time::Instant;

use super::candidates::Candidates;
use super::explicit::{Event, Explicit};
pub use super::finding::{Finding, Observer};
use super::live::Live;
use super::options::{Options, Statistics};
use super::path::{self, PathFormula};
use super::select::{self, Selection, Selector};
use super::view::Cuts;
use super::{Invariant, Problem, Refinement, refine};
use crate::base::budget::Budget;
use crate::program::cfa::{Goal, Location};
use crate::refine::interpolate::{Interpolation, InterpolationEngine, InterpolationOptions};
/// Why there is no finding: what stops an abstraction stops the run.
pub use crate::refine::predicate::abstraction::AbstractionError as CpaError;
use crate::refine::predicate::{Abstractor, Precision, PredicateId, State, Vocabulary};
use crate::refine::tree::nodes::{NodeId, Tree};
use crate::solve::smt::{Purpose, Term, Terms, Unknown};

/// What is left of a finished (or stopped) run.
pub struct Run<'a, 'p> {
    pub terms: &'a mut Terms,
    pub problem: &'a mut Problem<'p>,
    pub vocabulary: Vocabulary,
    pub precision: Precision,
    pub tree: Tree,
    pub statistics: Statistics,
    options: Options,
    abstractor: Abstractor,
    interpolation: InterpolationEngine,
    /// Made for the first refinement.
    selector: Option<(Selector, Live)>,
    budget: Budget,
    /// Blocks still to be passed from nodes.
    waiting: Vec<(NodeId, usize)>,
    /// Locations of goals that are reached but decide nothing, with why.
    open_goals: BTreeMap<Location, String>,
}

/// Units of work that the enumeration of states may take.
const EXPLORATION: u64 = 20_000;

/// What a path to a goal means.
enum Judgement {
    Infeasible,
    Finding(Finding),
    /// It ends at a call that the caller can follow.
    TooDeep,
    /// It decides nothing, nor does any other path to that goal.
    Open,
}

/// Explores and refines until there is a finding.  Terms in `predicates` are tracked everywhere from the
/// start.
///
/// # Errors
/// The budget ends, or a solver fails; `run.statistics` then says how far it came.
pub fn check(
    run: &mut Run,
    predicates: &[Term],
    observer: &mut dyn Observer,
) -> Result<Finding, CpaError> {
    let result = run.decide(predicates, observer);
    run.count();
    result
}

impl<'a, 'p> Run<'a, 'p> {
    /// A run at its beginning.
    ///
    /// # Errors
    /// There is no memory for BDDs.
    pub fn new(
        terms: &'a mut Terms,
        problem: &'a mut Problem<'p>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Self, CpaError> {
        let automaton = problem.automaton;
        let statistics = Statistics {
            edges: automaton.edges.len() as u64,
            locations: u64::from(automaton.locations),
            blocks: problem.summary.blocks.len() as u64,
            cut_locations: problem.summary.locations.len() as u64,
            ..Statistics::default()
        };
        Ok(Self {
            vocabulary: Vocabulary::new(budget)?,
            precision: Precision::default(),
            tree: Tree::default(),
            statistics,
            abstractor: Abstractor::new(options.solvers(Purpose::Abstraction), options.abstraction),
            interpolation: InterpolationEngine::new(InterpolationOptions {
                strategy: options.interpolation,
                ..InterpolationOptions::default()
            })?
            .with_log(options.log.as_ref())?,
            selector: None,
            options: options.clone(),
            budget: budget.clone(),
            waiting: vec![],
            open_goals: BTreeMap::new(),
            terms,
            problem,
        })
    }

    fn decide(
        &mut self,
        predicates: &[Term],
        observer: &mut dyn Observer,
    ) -> Result<Finding, CpaError> {
        for &p in predicates {
            if let Some(p) = self.vocabulary.add(self.terms, p)? {
                self.precision.add(None, p);
            }
        }
        if let Some(finding) = self.explicit(observer)? {
            return Ok(finding);
        }
        let root = self.vocabulary.manager().constant(true);
        let root = self.tree.add(self.problem.automaton.entry, (root, 0), None);
        self.expand(root);
        while let Some((n, block)) = self.waiting.pop() {
            self.budget.check().map_err(|e| CpaError::Unknown(e.into()))?;
            let node = self.tree.node(n);
            if node.removed || node.covered_by.is_some() {
                continue;
            }
            let target = self.problem.target(block);
            if self.open_goals.contains_key(&target) {
                continue;
            }
            let state = node.state.clone();
            let precision = self.precision_at(target);
            let formula = self.problem.formula(self.terms, block);
            let successor = self.abstractor.successor(
                self.terms,
                &mut self.vocabulary,
                &state,
                &formula,
                &precision,
                &self.budget,
            )?;
            if successor.is_false() {
                continue;
            }
            let child = self.tree.add(target, (successor, precision.len()), Some((n, block)));
            if self.problem.automaton.goal(target).is_some() {
                if let Some(finding) = self.reached(child, observer)? {
                    return Ok(finding);
                }
            } else if !self.is_covered(child)? {
                self.expand(child);
            }
            if self.tree.sizes().1.is_multiple_of(16) {
                self.count();
                observer.progress(&self.statistics);
            }
        }
        if let Some(reason) = self.open_goals.values().next() {
            return Ok(Finding::Unknown(reason.clone()));
        }
        Ok(Finding::Safe(self.invariant()?))
    }

    /// Everything that leaves a node is to be passed; the first block first.
    fn expand(&mut self, n: NodeId) {
        let blocks = self.problem.summary.outgoing(self.tree.node(n).location);
        self.waiting.extend(blocks.rev().map(|b| (n, b)));
    }

    fn precision_at(&self, location: Location) -> Vec<PredicateId> {
        if self.problem.automaton.goal(location).is_some() {
            return vec![];
        }
        let place = refine::place(self.problem, location, self.options.scope);
        self.precision.get(place.unwrap_or(u32::MAX))
    }

    /// Covers a node where another one at its location has a weaker state.
    fn is_covered(&mut self, n: NodeId) -> Result<bool, CpaError> {
        let node = self.tree.node(n);
        let state = node.state.clone();
        let others: Vec<NodeId> = self.tree.at(node.location).to_vec();
        for other in others {
            if other == n || self.tree.node(other).covered_by.is_some() {
                continue;
            }
            let weaker = self.tree.node(other).state.clone();
            if self.vocabulary.manager().minus(&state, &weaker)?.is_false() {
                self.tree.cover(n, other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Enumerates states, as long as there are few.
    fn explicit(&mut self, observer: &mut dyn Observer) -> Result<Option<Finding>, CpaError> {
        let most = self.options.explicit_states;
        if most == 0 || self.options.is_linear() {
            return Ok(None);
        }
        let start = Instant::now();
        let solvers = self.options.solvers(Purpose::Exploration);
        let trial = self.budget.trial(EXPLORATION);
        let mut deep = vec![];
        let mut exploration = Explicit::new(self.terms, self.problem, solvers, most);
        loop {
            let event = exploration.next(self.terms, self.problem, &trial);
            self.statistics.explicit_states = exploration.states();
            self.statistics.explicit_time = start.elapsed();
            let event = match event {
                // The trial is over, not the run.
                Err(CpaError::Unknown(Unknown::Exhausted(_))) if self.budget.check().is_ok() => {
                    Event::Abandoned
                }
                event => event?,
            };
            match event {
                Event::Abandoned | Event::Complete(_) if !deep.is_empty() => {
                    return Ok(Some(Finding::TooDeep(deep)));
                }
                Event::Abandoned => return Ok(None),
                Event::Complete(invariant) => {
                    return Ok(Some(match self.open_goals.values().next() {
                        Some(reason) => Finding::Unknown(reason.clone()),
                        None => Finding::Safe(invariant),
                    }));
                }
                Event::Goal { blocks, states, location } => {
                    let formula = path::formula(self.terms, self.problem, &blocks);
                    match self.judge(&blocks, &formula, &states, location, observer)? {
                        // The states do not mean what they say.
                        Judgement::Infeasible => return Ok(None),
                        Judgement::Finding(finding) => return Ok(Some(finding)),
                        Judgement::Open => exploration.close(location),
                        Judgement::TooDeep => {
                            // Others may be too deep as well.
                            deep.push(location);
                            exploration.close(location);
                        }
                    }
                }
            }
        }
    }

    /// A goal is reached in the tree: is it reached in the automaton?
    fn reached(
        &mut self,
        n: NodeId,
        observer: &mut dyn Observer,
    ) -> Result<Option<Finding>, CpaError> {
        let path = self.tree.path(n);
        let blocks: Vec<usize> = path.iter().map(|&(b, _)| b).collect();
        let formula = path::formula(self.terms, self.problem, &blocks);
        let states: Vec<Term> = path[..path.len() - 1]
            .iter()
            .map(|&(_, n)| self.vocabulary.formula(self.terms, &self.tree.node(n).state))
            .collect();
        let location = self.tree.node(n).location;
        match self.judge(&blocks, &formula, &states, location, observer)? {
            Judgement::Infeasible => self.refine(&path, &formula, &states, observer),
            Judgement::Finding(finding) => Ok(Some(finding)),
            Judgement::TooDeep => Ok(Some(Finding::TooDeep(vec![location]))),
            Judgement::Open => {
                self.tree.remove(n);
                Ok(None)
            }
        }
    }

    /// A path leads to a goal: can it be executed, and what follows?
    fn judge(
        &mut self,
        blocks: &[usize],
        formula: &PathFormula,
        states: &[Term],
        location: Location,
        observer: &mut dyn Observer,
    ) -> Result<Judgement, CpaError> {
        let start = Instant::now();
        let solver = self.options.solvers(Purpose::Path);
        let problem = &*self.problem;
        let execution =
            path::feasible(self.terms, problem, (blocks, formula), states, &solver, &self.budget);
        self.statistics.path_checks += 1;
        self.statistics.path_time += start.elapsed();
        let Some(execution) = execution? else { return Ok(Judgement::Infeasible) };
        let reason = match self.problem.automaton.goal(location) {
            Some(Goal::Depth(..)) if observer.goes_deeper() => {
                return Ok(Judgement::TooDeep);
            }
            Some(Goal::Unsupported(reason, _) | Goal::Depth(reason, _)) => reason.clone(),
            Some(Goal::Error) | None => match execution {
                None => "a model does not fit its path".to_owned(),
                Some(execution) => {
                    match observer.accept(self.terms, self.problem.automaton, &execution) {
                        Ok(()) => return Ok(Judgement::Finding(Finding::Error(execution))),
                        Err(reason) => reason,
                    }
                }
            },
        };
        self.open_goals.insert(location, reason);
        Ok(Judgement::Open)
    }

    /// The path is infeasible: predicates against it.
    fn refine(
        &mut self,
        path: &[(usize, NodeId)],
        formula: &PathFormula,
        states: &[Term],
        observer: &mut dyn Observer,
    ) -> Result<Option<Finding>, CpaError> {
        self.statistics.refinements += 1;
        if self.options.refinements.is_some_and(|most| self.statistics.refinements > most) {
            return Ok(Some(Finding::Unknown("refinement limit reached".into())));
        }
        let locations: Vec<Location> =
            path.iter().map(|&(_, n)| self.tree.node(n).location).collect();
        let mut first = None;
        if self.options.refinement == Refinement::Auto {
            let blocks: Vec<usize> = path.iter().map(|&(b, _)| b).collect();
            if let Some(selection) = self.select(&blocks, &locations, states)? {
                self.add(selection)?;
                first = self.stale(path);
                self.statistics.selections += u64::from(first.is_some());
            }
        }
        if first.is_none() {
            match self.interpolate(formula)? {
                Ok(interpolants) => {
                    let inner = locations.len() - 1;
                    let at = (&locations[..inner], &interpolants[..inner]);
                    let found = refine::selection(self.terms, self.problem, at, self.options.scope);
                    self.add(found)?;
                }
                Err(finding) => return Ok(Some(finding)),
            }
            first = self.stale(path);
        }
        let Some(first) = first else {
            return Ok(Some(Finding::Unknown(
                "the abstraction cannot tell an infeasible path from a feasible one".into(),
            )));
        };
        let pivot = path[first].1;
        let (parent, block) = self.tree.node(pivot).parent.expect("the root is not on the list");
        let uncovered = self.tree.remove(pivot);
        for n in uncovered {
            if !self.is_covered(n)? {
                self.expand(n);
            }
        }
        self.waiting.push((parent, block));
        self.count();
        observer.progress(&self.statistics);
        Ok(None)
    }

    /// The first node of a path whose location has got predicates since it was made.
    fn stale(&self, path: &[(usize, NodeId)]) -> Option<usize> {
        path.iter().position(|&(_, n)| {
            let node = self.tree.node(n);
            self.precision_at(node.location).len() > node.precision
        })
    }

    /// Tracks predicates.
    fn add(&mut self, selection: Selection) -> Result<(), CpaError> {
        for (place, predicate) in selection {
            if let Some(p) = self.vocabulary.add(self.terms, predicate)? {
                self.precision.add(place, p);
            }
        }
        Ok(())
    }

    /// Predicates of the program text against a path.
    fn select(
        &mut self,
        blocks: &[usize],
        locations: &[Location],
        states: &[Term],
    ) -> Result<Option<Selection>, CpaError> {
        let start = Instant::now();
        let (terms, problem) = (&mut *self.terms, &mut *self.problem);
        let (selector, live) = match &mut self.selector {
            Some(known) => known,
            none => {
                let operations = problem.automaton.edges.iter().map(|e| &e.operation);
                let candidates = Candidates::new(terms, operations);
                let solvers = self.options.solvers(Purpose::Selection);
                let live = Live::new(terms, problem);
                none.insert((Selector::new(candidates, solvers), live))
            }
        };
        let view = Cuts {
            places: locations
                .iter()
                .map(|&l| refine::place(problem, l, self.options.scope))
                .collect(),
            locations,
            live,
            known: (&self.vocabulary, &self.precision),
        };
        let path = select::Path { blocks, states };
        let found = selector.select(terms, problem, &view, path, &self.budget);
        self.statistics.selection_time += start.elapsed();
        found
    }

    /// Interpolants of a path, or what is to be said where there are none.
    fn interpolate(
        &mut self,
        formula: &PathFormula,
    ) -> Result<Result<Vec<Term>, Finding>, CpaError> {
        let parts: Vec<Term> = formula.blocks.iter().map(|b| self.terms.and(b)).collect();
        let start = Instant::now();
        let found = self.interpolation.interpolate(self.terms, &parts, &self.budget);
        self.statistics.interpolation_time += start.elapsed();
        let unknown = |reason: String| Ok(Err(Finding::Unknown(reason)));
        match found? {
            Interpolation::Interpolants(interpolants) => Ok(Ok(interpolants)),
            Interpolation::Sat if self.options.is_linear() => unknown(
                "a path is infeasible over unbounded integers, but not in the program's arithmetic"
                    .into(),
            ),
            Interpolation::Sat => unknown("solvers disagree about a path".into()),
            Interpolation::Unknown(Unknown::Incomplete(reason)) => {
                unknown(format!("no interpolants: {reason}"))
            }
            Interpolation::Unknown(reason) => Err(reason.into()),
        }
    }

    /// At each location the disjunction of the states there.
    fn invariant(&mut self) -> Result<Invariant, CpaError> {
        let mut states: BTreeMap<Location, State> = BTreeMap::new();
        let nodes: Vec<(Location, State)> =
            self.tree.iter().map(|(_, n)| (n.location, n.state.clone())).collect();
        for (location, state) in nodes {
            let all = match states.remove(&location) {
                Some(all) => self.vocabulary.manager().or(&all, &state)?,
                None => state,
            };
            states.insert(location, all);
        }
        let formula = |(l, s)| (l, self.vocabulary.formula(self.terms, &s));
        Ok(Invariant { at: states.into_iter().map(formula).collect() })
    }

    fn count(&mut self) {
        let (there, made) = self.tree.sizes();
        let s = &mut self.statistics;
        (s.tree_nodes, s.nodes_made) = (there as u64, made as u64);
        s.covered = self.tree.iter().filter(|(_, n)| n.covered_by.is_some()).count() as u64;
        s.predicates = self.vocabulary.len() as u64;
        let sizes: Vec<usize> = self.precision.sizes().collect();
        s.predicates_most = sizes.iter().copied().max().unwrap_or(0) as u64;
        s.predicates_average = match sizes.len() {
            0 => 0.0,
            n => sizes.iter().sum::<usize>() as f64 / n as f64,
        };
        s.abstraction = self.abstractor.effort();
        s.interpolation = self.interpolation.statistics().clone();
        s.work = self.budget.work();
    }
}
