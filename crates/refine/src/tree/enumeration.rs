//! Explicit-state exploration: enumerates the values of the live variables at the ends of blocks.
//!
//! Programs with few inputs and bounded loops have few such states, and need no predicates.  Inside
//! blocks everything stays symbolic: a solver enumerates the states to which a block leads, from
//! all states before it at once.
//!
//! A variable that has many values for few states, such as an input that is stored, is not tracked
//! any longer: it may then have any value between blocks, and the exploration begins anew.  What it
//! should have remembered of such a variable is learned from infeasible paths to goals, as
//! predicates, which are tracked like Boolean variables.  That is Boolean predicate abstraction
//! (Sect. II-B of "Software Model Checking via Large-Block Encoding") in which one variable of few
//! values stands for a predicate per value: the state of a machine, for example.

use std::time::{Duration, Instant};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::rows::{Row, equal, union};
use crate::block::liveness::CutLiveness;
use crate::block::problem::Problem;
use crate::cegar::model::Context;
use crate::limits;
use crate::predicate::effort::AbstractionError;
use crate::proof::invariant::at;
use crate::select::candidates::Candidates;
use crate::select::view::{Selection, View};
use crate::values::{ClosedGoals, Event};
use hardbop_base::budget::Budget;
use hardbop_cfa::Location;
use hardbop_smt::{
    Node, Purpose, SmtAnswer, SmtSolver, Solvers, Symbol, Term, Terms, Unknown, Value,
};

/// The states at a location.
#[derive(Default)]
struct Place {
    /// The terms over program variables that are tracked: those that are live and tracked, then
    /// what is tracked instead of others.
    tracked: Vec<Term>,
    rows: IndexSet<Row, FxBuildHasher>,
    /// The values of each tracked term.
    seen: Vec<FxHashSet<Value>>,
    /// The preceding location and row of each row, and the block between them.
    parents: Vec<Option<(Location, usize, usize)>>,
}

/// A block with its solver.
struct Passage {
    solver: Box<dyn SmtSolver>,
    /// Tracked terms before the block, over instances, and after it, as values.
    before: Vec<Term>,
    after: Vec<Term>,
    /// The number of source rows that have been processed, and of target rows that the solver
    /// excludes.
    passed: usize,
    known: usize,
}

/// An exploration in progress.
pub struct Enumeration {
    live: CutLiveness,
    solvers: Solvers,
    limits: limits::Enumeration,
    most: u64,
    places: FxHashMap<Location, Place>,
    passages: FxHashMap<usize, Passage>,
    /// Goals that are no longer sought.
    pub closed: ClosedGoals,
    /// Variables that are not tracked, and the terms that are tracked instead, by location:
    /// predicates, and which of its constants a variable is.
    dropped: FxHashSet<Symbol>,
    terms: FxHashMap<Location, IndexSet<Term, FxBuildHasher>>,
    /// Made for the first predicate.
    candidates: Option<Candidates>,
    /// How often something more was to be tracked.
    refinements: u64,
    /// Whether variables may be dropped.
    abstracts: bool,
    states: u64,
    calls: u64,
    /// The time when the exploration began, and its share of the budget.
    start: Instant,
    trial: Budget,
}

impl Enumeration {
    /// An exploration of at most `most` states, before its first step.
    pub fn new(context: &mut Context, problem: &mut Problem, most: u64) -> Self {
        let start = Instant::now();
        let solvers = context.options.solvers(Purpose::Exploration);
        let limits = context.options.limits.enumeration;
        let trial = context.budget.with_memory_share(limits.memory).trial(limits.work);
        let live = CutLiveness::new(context.terms, problem);
        let mut new = Self {
            live,
            solvers,
            limits,
            most,
            places: FxHashMap::default(),
            passages: FxHashMap::default(),
            closed: ClosedGoals::default(),
            dropped: FxHashSet::default(),
            terms: FxHashMap::default(),
            candidates: None,
            refinements: 0,
            abstracts: context.options.refinements != Some(0),
            states: 0,
            calls: 0,
            start,
            trial,
        };
        new.begin(problem);
        new
    }

    /// Forgets all states.
    fn begin(&mut self, problem: &Problem) {
        self.places.clear();
        self.passages.clear();
        // Before the first block, variables may have any values.
        let entry = Place { rows: [vec![]].into_iter().collect(), ..Place::default() };
        self.places.insert(problem.automaton.entry, Place { parents: vec![None], ..entry });
        (self.states, self.calls) = (1, 0);
    }

    /// Are all live variables tracked?  Then every path to a goal is one that an execution takes.
    pub fn is_exact(&self) -> bool {
        self.dropped.is_empty()
    }

    /// Tracks predicates, each at the location with the number of its place, and begins anew.
    /// `false`: there is none that the states do not decide already, or it has been too often.
    pub fn track(&mut self, terms: &mut Terms, problem: &Problem, selection: Selection) -> bool {
        let mut is_new = false;
        self.refinements += 1;
        if self.refinements > self.limits.refinements {
            return false;
        }
        for (place, predicate) in selection {
            let Some(location) = place.map(Location) else { continue };
            let variables = terms.support(predicate);
            let open = |t: &Term| matches!(*terms.node(*t), Node::Variable(s) if self.dropped.contains(&s));
            if variables.iter().any(open) {
                let term = self.term(terms, problem, predicate);
                is_new |= self.terms.entry(location).or_default().insert(term);
            }
        }
        if is_new {
            self.begin(problem);
        }
        is_new
    }

    /// The view of a path between its blocks.
    pub fn view<'a>(&'a self, problem: &Problem, blocks: &[usize]) -> Box<dyn View + 'a> {
        let locations = blocks.iter().map(|&b| problem.target(b)).collect();
        Box::new(Cuts { live: &self.live, locations })
    }

    /// The number of states so far, and the time since the beginning.
    pub fn counts(&self) -> (u64, Duration) {
        (self.states, self.start.elapsed())
    }

    /// Explores until there is something to report.
    ///
    /// # Errors
    /// If the budget runs out or a solver fails.
    pub fn next(
        &mut self,
        context: &mut Context,
        problem: &mut Problem,
    ) -> Result<Event, AbstractionError> {
        let trial = self.trial.clone();
        match self.explore(context.terms, problem, &trial) {
            // The trial budget has run out, not that of the run.
            Err(AbstractionError::Unknown(Unknown::Exhausted(_)))
                if context.budget.check_after_part().is_ok() =>
            {
                Ok(Event::Abandoned)
            }
            event => event,
        }
    }

    fn explore(
        &mut self,
        terms: &mut Terms,
        problem: &mut Problem,
        budget: &Budget,
    ) -> Result<Event, AbstractionError> {
        if problem.summary.blocks.len() > self.limits.blocks {
            return Ok(Event::Abandoned);
        }
        // Goals first: whether they are reached is one question for all states that are new.
        let is_inner = |&b: &usize| problem.automaton.goal(problem.target(b)).is_none();
        let mut blocks: Vec<usize> = (0..problem.summary.blocks.len()).collect();
        blocks.sort_by_key(is_inner);
        while let Some(&block) = blocks.iter().find(|&&b| self.is_waiting(problem, b)) {
            if let Some(event) = self.pass(terms, problem, block, budget)? {
                return Ok(event);
            }
        }
        Ok(Event::Complete(self.invariant(terms)))
    }

    /// Are there states that have not passed a block yet?
    fn is_waiting(&self, problem: &Problem, block: usize) -> bool {
        let b = &problem.summary.blocks[block];
        let there = self.places.get(&b.source).map_or(0, |p| p.rows.len());
        let passed = self.passages.get(&block).map_or(0, |p| p.passed);
        passed < there && !self.closed.contains(b.target)
    }

    /// Computes the states that a block reaches from the new states before it.
    fn pass(
        &mut self,
        terms: &mut Terms,
        problem: &mut Problem,
        block: usize,
        budget: &Budget,
    ) -> Result<Option<Event>, AbstractionError> {
        let (source, target) = {
            let b = &problem.summary.blocks[block];
            (b.source, b.target)
        };
        if !self.places.contains_key(&target) {
            let tracked = match problem.automaton.goal(target) {
                Some(_) => vec![],
                None => self.tracked(terms, target),
            };
            let seen = vec![FxHashSet::default(); tracked.len()];
            self.places.insert(target, Place { tracked, seen, ..Place::default() });
        }
        if !self.passages.contains_key(&block) {
            let passage = self.passage(terms, problem, block)?;
            self.passages.insert(block, passage);
        }
        let limits::Enumeration { values, spread, .. } = self.limits;
        let passage = self.passages.get_mut(&block).expect("it was put there");
        let from = &self.places[&source];
        let new = passage.passed..from.rows.len();
        let (first, size) = (new.start, new.len());
        let rows: Vec<Term> =
            from.rows.as_slice()[new].iter().map(|r| equal(terms, &passage.before, r)).collect();
        let before = terms.or(&rows);
        let mut distinct: Vec<FxHashSet<Value>> = vec![FxHashSet::default(); passage.after.len()];
        loop {
            let place = &self.places[&target];
            for row in &place.rows.as_slice()[passage.known..] {
                let row = equal(terms, &passage.after, row);
                let other = terms.not(row);
                passage.solver.assert(terms, other)?;
            }
            passage.known = place.rows.len();
            self.calls += 1;
            if self.states > self.most || self.calls > 4 * self.most {
                return Ok(Some(Event::Abandoned));
            }
            match passage.solver.check(terms, &[before], budget)? {
                SmtAnswer::Unsat => break,
                SmtAnswer::Unknown(Unknown::Incomplete(_)) => return Ok(Some(Event::Abandoned)),
                SmtAnswer::Unknown(reason) => return Err(reason.into()),
                SmtAnswer::Sat => {}
            }
            let row = passage.solver.values(terms, &passage.after)?;
            let old = passage.solver.values(terms, &passage.before)?;
            let parent = self.places[&source].rows.get_index_of(&old);
            let Some(parent) = parent.filter(|&p| p >= first) else {
                return Ok(Some(Event::Abandoned));
            };
            let mut is_wide = false;
            for ((seen, &value), &t) in distinct.iter_mut().zip(&row).zip(&place.tracked) {
                seen.insert(value);
                let is_variable = matches!(terms.node(t), Node::Variable(_));
                is_wide |= is_variable && seen.len() > values && seen.len() > spread * size;
            }
            if is_wide {
                if !self.abstracts {
                    return Ok(Some(Event::Abandoned));
                }
                let wide = self.wide(terms, (block, target), before, spread * size, budget)?;
                if wide.is_empty() {
                    // The values that the solver reports are not those of its models.
                    return Ok(Some(Event::Abandoned));
                }
                self.dropped.extend(wide);
                self.begin(problem);
                return Ok(None);
            }
            let place = self.places.get_mut(&target).expect("it was put there");
            if !self.dropped.is_empty() {
                // Without the bound that was dropped, a counter goes on for ever.
                let values = place.seen.iter_mut().zip(&row).zip(&place.tracked);
                let many = values.filter_map(|((seen, &value), &t)| {
                    seen.insert(value);
                    match *terms.node(t) {
                        Node::Variable(s) if seen.len() > self.limits.values => Some(s),
                        _ => None,
                    }
                });
                let many: Vec<Symbol> = many.collect();
                if !many.is_empty() {
                    self.dropped.extend(many);
                    self.begin(problem);
                    return Ok(None);
                }
            }
            if !place.rows.insert(row) {
                // The values that the solver reports are not those of its model.
                return Ok(Some(Event::Abandoned));
            }
            place.parents.push(Some((source, parent, block)));
            self.states += 1;
            if problem.automaton.goal(target).is_some() {
                return Ok(Some(self.goal(terms, target)));
            }
        }
        passage.passed = first + size;
        Ok(None)
    }

    /// The variables that have more than `most` values after a block.
    fn wide(
        &mut self,
        terms: &mut Terms,
        (block, target): (usize, Location),
        before: Term,
        most: usize,
        budget: &Budget,
    ) -> Result<Vec<Symbol>, AbstractionError> {
        let passage = self.passages.get_mut(&block).expect("it was made for its first states");
        let mut wide = vec![];
        for (&tracked, &after) in self.places[&target].tracked.iter().zip(&passage.after) {
            let Node::Variable(symbol) = *terms.node(tracked) else { continue };
            passage.solver.push()?;
            let mut count = 0;
            while count <= most {
                self.calls += 1;
                match passage.solver.check(terms, &[before], budget)? {
                    SmtAnswer::Unsat => break,
                    // It is certainly not simple.
                    SmtAnswer::Unknown(Unknown::Incomplete(_)) => count = most,
                    SmtAnswer::Unknown(reason) => return Err(reason.into()),
                    SmtAnswer::Sat => {
                        let value = passage.solver.value(terms, after)?;
                        let equal = equal(terms, &[after], &[value]);
                        let other = terms.not(equal);
                        passage.solver.assert(terms, other)?;
                    }
                }
                count += 1;
            }
            passage.solver.pop()?;
            if count > most {
                wide.push(symbol);
            }
        }
        Ok(wide)
    }

    /// The term by which a predicate is tracked: which of its values a variable has, if the text
    /// compares it with many.
    fn term(&mut self, terms: &mut Terms, problem: &Problem, predicate: Term) -> Term {
        let &Node::Equal(a, b) = terms.node(predicate) else { return predicate };
        let (&Node::Variable(symbol), Some(value)) = (terms.node(a), terms.as_bits(b)) else {
            return predicate;
        };
        let candidates = self.candidates.get_or_insert_with(|| {
            Candidates::new(terms, problem.automaton.edges.iter().map(|e| &e.operation))
        });
        let values = candidates.values(symbol);
        if values.len() < self.limits.machine || !values.contains(&value) {
            return predicate;
        }
        let width = terms.width(a);
        let each: Vec<Term> = values
            .iter()
            .map(|&v| {
                let v = terms.bits(width, v);
                terms.equal(a, v)
            })
            .collect();
        let other = (0..).find(|v| !values.contains(v)).expect("they are finitely many");
        let (is_one, other) = (terms.or(&each), terms.bits(width, other));
        terms.ite(is_one, a, other)
    }

    /// The terms whose values make a state at a location.
    fn tracked(&self, terms: &mut Terms, location: Location) -> Vec<Term> {
        let live = self.live.at(location).into_iter().filter(|s| !self.dropped.contains(s));
        let mut tracked: Vec<Term> = live.map(|s| terms.variable(s)).collect();
        tracked.extend(self.terms.get(&location).into_iter().flatten());
        tracked
    }

    fn passage(
        &self,
        terms: &mut Terms,
        problem: &mut Problem,
        block: usize,
    ) -> Result<Passage, AbstractionError> {
        let b = &problem.summary.blocks[block];
        let (source, target) = (&self.places[&b.source], &self.places[&b.target]);
        let relation = problem.relation(terms, block);
        let mut solver = self.solvers.solver()?;
        solver.limit_conflicts(Some(self.limits.conflicts));
        for &c in &relation.conjuncts {
            solver.assert(terms, c)?;
        }
        let after = target.tracked.iter().map(|&t| at(terms, t, &relation.post)).collect();
        let before = source.tracked.iter().map(|&t| at(terms, t, &[])).collect();
        Ok(Passage { solver, before, after, passed: 0, known: 0 })
    }

    /// The path to the goal that has just been found.
    fn goal(&self, terms: &mut Terms, location: Location) -> Event {
        let (mut blocks, mut states) = (vec![], vec![]);
        let mut at = self.places[&location].parents[0];
        while let Some((place, row, block)) = at {
            blocks.push(block);
            let place = &self.places[&place];
            at = place.parents[row];
            if at.is_some() {
                states.push(equal(terms, &place.tracked, &place.rows[row]));
            }
        }
        blocks.reverse();
        states.reverse();
        Event::Goal { blocks, states, location }
    }

    fn invariant(&self, terms: &mut Terms) -> Vec<(Location, Term)> {
        let mut at: Vec<(Location, Term)> = vec![];
        for (&location, place) in &self.places {
            if !place.rows.is_empty() {
                at.push((location, union(terms, &place.tracked, place.rows.iter())));
            }
        }
        at.sort_unstable();
        at
    }
}

/// The view of the exploration on a path: its states, which are the values of everything that is
/// tracked.
struct Cuts<'a> {
    live: &'a CutLiveness,
    locations: Vec<Location>,
}

impl View for Cuts<'_> {
    fn place(&self, cut: usize) -> Option<u32> {
        Some(self.locations[cut].0)
    }

    /// There are no terms apart from the states of the path.
    fn tracked(&self, _cut: usize) -> Vec<Term> {
        vec![]
    }

    fn is_of_program(&self) -> bool {
        true
    }

    fn live(&self, cut: usize) -> Vec<Symbol> {
        self.live.at(self.locations[cut])
    }
}
