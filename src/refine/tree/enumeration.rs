//! Explicit-state exploration: enumerates the values of all live variables at the ends of blocks.
//!
//! Programs with few inputs and bounded loops have few such states, and need no predicates.  Inside blocks everything
//! stays symbolic: a solver enumerates the states to which a block leads, from all states before it at once.  The
//! attempt ends if a variable has many values for few states, such as an input that is stored.

use std::time::{Duration, Instant};

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::invariant::Invariant;
use crate::base::budget::Budget;
use crate::program::cfa::Location;
use crate::refine::block::liveness::CutLiveness;
use crate::refine::block::problem::Problem;
use crate::refine::cegar::model::Context;
use crate::refine::limits;
use crate::refine::predicate::effort::AbstractionError;
use crate::solve::smt::{
    Comparison, Purpose, SmtAnswer, SmtSolver, Solvers, Sort, Symbol, Term, Terms, Unknown, Value,
};

/// The outcome of the exploration.
#[derive(Debug)]
pub enum Event {
    /// A goal is reached by these blocks.  The states after each block except the last are formulas over program
    /// variables.
    Goal { blocks: Vec<usize>, states: Vec<Term>, location: Location },
    /// All states are known.
    Complete(Invariant),
    /// There are too many states.
    Abandoned,
}

/// The values of the live variables, in the order of the variables.
type Row = Vec<Value>;

/// The states at a location.
#[derive(Default)]
struct Place {
    variables: Vec<Symbol>,
    rows: IndexSet<Row, FxBuildHasher>,
    /// For each row, the preceding location and row, and the block between them.
    parents: Vec<Option<(Location, usize, usize)>>,
}

/// A block with its solver.
struct Passage {
    solver: Box<dyn SmtSolver>,
    /// Live variables before the block, as instances, and after it, as values.
    before: Vec<Term>,
    after: Vec<Term>,
    /// The number of source rows that have been processed, and of target rows that the solver excludes.
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
    closed: FxHashSet<Location>,
    /// The closed goals that are calls that go too deep, in the order in which they were reached.
    deep: Vec<Location>,
    states: u64,
    calls: u64,
    /// When the exploration began, and its share of the budget.
    start: Instant,
    trial: Budget,
}

impl Enumeration {
    /// An exploration of at most `most` states, before its first step.
    pub fn new(context: &mut Context, problem: &mut Problem, most: u64) -> Self {
        let start = Instant::now();
        let solvers = context.options.solvers(Purpose::Exploration);
        let limits = context.options.limits.enumeration;
        let trial = context.budget.trial(limits.work);
        let live = CutLiveness::new(context.terms, problem);
        let mut places = FxHashMap::default();
        // Before the first block, variables may have any values.
        let entry = Place { rows: [vec![]].into_iter().collect(), ..Place::default() };
        places.insert(problem.automaton.entry, Place { parents: vec![None], ..entry });
        Self {
            live,
            solvers,
            limits,
            most,
            places,
            passages: FxHashMap::default(),
            closed: FxHashSet::default(),
            deep: vec![],
            states: 1,
            calls: 0,
            start,
            trial,
        }
    }

    /// The number of states so far, and the time since the beginning.
    pub fn counts(&self) -> (u64, Duration) {
        (self.states, self.start.elapsed())
    }

    /// Closes a goal that decides nothing: blocks that lead there are left out.
    pub fn close(&mut self, goal: Location) {
        self.closed.insert(goal);
    }

    /// Closes a goal that is a call that goes too deep.
    pub fn close_as_too_deep(&mut self, goal: Location) {
        self.deep.push(goal);
        self.close(goal);
    }

    /// The calls that go too deep.
    pub fn too_deep(&self) -> &[Location] {
        &self.deep
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
                if context.budget.check().is_ok() =>
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
        let mut changed = true;
        while changed {
            changed = false;
            for block in 0..problem.summary.blocks.len() {
                let b = &problem.summary.blocks[block];
                let (source, target) = (b.source, b.target);
                let there = self.places.get(&source).map_or(0, |p| p.rows.len());
                let passed = self.passages.get(&block).map_or(0, |p| p.passed);
                if passed == there || self.closed.contains(&target) {
                    continue;
                }
                changed = true;
                if let Some(event) = self.pass(terms, problem, block, budget)? {
                    return Ok(event);
                }
            }
        }
        Ok(Event::Complete(self.invariant(terms)))
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
            let variables = match problem.automaton.goal(target) {
                Some(_) => vec![],
                None => self.live.at(target),
            };
            self.places.insert(target, Place { variables, ..Place::default() });
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
            for (seen, &value) in distinct.iter_mut().zip(&row) {
                seen.insert(value);
                if seen.len() > values && seen.len() > spread.saturating_mul(size) {
                    return Ok(Some(Event::Abandoned));
                }
            }
            let place = self.places.get_mut(&target).expect("it was put there");
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
        let after = target.variables.iter().map(|&s| {
            let changed = relation.post.binary_search_by_key(&s, |&(s, _)| s);
            changed.map_or_else(|_| terms.instance(s, 0), |i| relation.post[i].1)
        });
        let after = after.collect();
        let before = source.variables.iter().map(|&s| terms.instance(s, 0)).collect();
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
                let variables: Vec<Term> =
                    place.variables.iter().map(|&s| terms.variable(s)).collect();
                states.push(equal(terms, &variables, &place.rows[row]));
            }
        }
        blocks.reverse();
        states.reverse();
        Event::Goal { blocks, states, location }
    }

    fn invariant(&self, terms: &mut Terms) -> Invariant {
        let mut at: Vec<(Location, Term)> = vec![];
        for (&location, place) in &self.places {
            if !place.rows.is_empty() {
                let variables: Vec<Term> =
                    place.variables.iter().map(|&s| terms.variable(s)).collect();
                at.push((location, union(terms, &variables, place.rows.iter())));
            }
        }
        at.sort_unstable();
        Invariant { at }
    }
}

/// All terms have their given values.
fn equal(terms: &mut Terms, all: &[Term], values: &[Value]) -> Term {
    let equations: Vec<Term> = all
        .iter()
        .zip(values)
        .map(|(&t, &value)| {
            let value = terms.constant(value, terms.sort(t));
            terms.equal(t, value)
        })
        .collect();
    terms.and(&equations)
}

/// The terms have the values of one of the rows, as a disjunction of products.
fn union<'a>(terms: &mut Terms, all: &[Term], rows: impl Iterator<Item = &'a Row>) -> Term {
    let mut products: Vec<Vec<Vec<Value>>> =
        rows.map(|row| row.iter().map(|&v| vec![v]).collect()).collect();
    for column in 0..all.len() {
        // Merges products that differ in this column only.
        let mut merged: IndexMap<Vec<Vec<Value>>, Vec<Value>, FxBuildHasher> = IndexMap::default();
        for mut product in products {
            let values = std::mem::take(&mut product[column]);
            merged.entry(product).or_default().extend(values);
        }
        products = merged
            .into_iter()
            .map(|(mut product, values)| {
                product[column] = values;
                product
            })
            .collect();
    }
    let each: Vec<Term> = products
        .iter()
        .map(|product| {
            let parts: Vec<Term> =
                all.iter().zip(product).map(|(&t, values)| one_of(terms, t, values)).collect();
            terms.and(&parts)
        })
        .collect();
    terms.or(&each)
}

/// The term has one of the values.
fn one_of(terms: &mut Terms, t: Term, values: &[Value]) -> Term {
    let Sort::Bits(width) = terms.sort(t) else {
        let each: Vec<Term> = values.iter().map(|&v| equal(terms, &[t], &[v])).collect();
        return terms.or(&each);
    };
    let shift = 64 - width;
    let mut numbers: Vec<i64> = values
        .iter()
        .filter_map(|v| match v {
            Value::Bits(b) => Some(((b << shift) as i64) >> shift),
            _ => None,
        })
        .collect();
    numbers.sort_unstable();
    let mut parts = vec![];
    for run in numbers.chunk_by(|a, b| a.checked_add(1) == Some(*b)) {
        let [low, high] = [run[0], run[run.len() - 1]].map(|n| terms.bits(width, n as u64));
        if run.len() > 2 {
            let (from, to) =
                (terms.compare(Comparison::SLe, low, t), terms.compare(Comparison::SLe, t, high));
            parts.push(terms.and(&[from, to]));
        } else {
            parts.push(terms.equal(t, low));
            parts.push(terms.equal(t, high));
        }
    }
    terms.or(&parts)
}
