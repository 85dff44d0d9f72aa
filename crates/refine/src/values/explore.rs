//! The exploration, breadth first, so that paths to goals are short.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::check::{Check, ValuesError};
use super::closed::ClosedGoals;
use super::event::Event;
use super::formula;
use super::hop::Hops;
#[cfg(test)]
use super::machine::code::Instruction;
use super::machine::code::{Code, Variable};
use super::machine::interval::Interval;
use super::machine::state::{Cell, State};
use super::pass::Passage;
use super::store::{Place, Row, nothing};
use super::thresholds::Thresholds;
use super::trace;
use crate::block::execution::ErrorPath;
use crate::block::problem::Problem;
use crate::limits;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_cfa::Location;
use hardbop_smt::{Solvers, Sort, Symbol, Term, Terms};

/// How values are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// States differ in each value.
    Exact,
    /// Widened variables by thresholds.
    Wide,
    /// Widened variables by thresholds and by powers of two.
    Fine,
    /// States differ in each value again, for as long as it lasts.
    Last,
}

/// The size of the states that one may part into up to the next join, in bytes; those that wait
/// there, packed, may be four times as many.
const AT_ONCE: usize = 128 << 20;

/// An exploration in progress.
pub struct ValueAnalysis {
    passage: Passage,
    thresholds: Thresholds,
    limits: limits::Values,
    places: FxHashMap<Location, Place>,
    /// States whose successors are not known yet.
    waiting: VecDeque<(Location, usize)>,
    /// Variables that are widened.
    wide: FxHashSet<Variable>,
    states: u64,
    /// The most states of this attempt.
    most: u64,
    attempt: Attempt,
    /// Goals that are no longer sought.
    pub closed: ClosedGoals,
    start: Instant,
}

impl ValueAnalysis {
    /// An exploration before its first step; `None` if the problem is none for it.
    pub fn new(terms: &Terms, problem: &Problem, limits: limits::Values) -> Option<Self> {
        if limits.steps == 0 {
            return None;
        }
        let start = Instant::now();
        let few = match problem.automaton.edges.len() {
            edges if edges <= limits.small => limits.divided_in_small,
            _ => limits.divided,
        };
        let mut passage = Passage::new(terms, &problem.automaton, &problem.summary, few)?;
        passage.hops = Hops::new(limits.remembered);
        passage.most = limits.steps;
        // Drivers have thousands of variables.
        let size = size_of::<Cell>() * passage.code().variables.len().max(1);
        passage.breadth = limits.breadth.min(4 * AT_ONCE / size);
        passage.forks = limits.breadth.min(AT_ONCE / size);
        let thresholds = Thresholds::new(passage.code(), limits.constants);
        let mut new = Self {
            passage,
            thresholds,
            limits,
            places: FxHashMap::default(),
            waiting: VecDeque::new(),
            wide: FxHashSet::default(),
            states: 0,
            most: limits.first_states,
            attempt: Attempt::Exact,
            closed: ClosedGoals::default(),
            start,
        };
        new.begin(problem);
        Some(new)
    }

    /// Makes the arithmetic wrong: reads a constant as another number.
    #[cfg(test)]
    pub fn falsify(&mut self, constant: i64, wrong: i64) {
        for instruction in &mut self.passage.machine.code.instructions {
            if matches!(instruction, Instruction::Constant(c) if *c == Interval::one(constant)) {
                *instruction = Instruction::Constant(Interval::one(wrong));
            }
        }
    }

    /// Forgets all states.
    fn begin(&mut self, problem: &Problem) {
        self.passage.forget();
        self.places.clear();
        self.waiting.clear();
        self.states = 0;
        let (entry, nothing) = (problem.automaton.entry, nothing(self.passage.code()));
        let row = self.passage.pack(entry, &nothing);
        self.arrive(entry, row, None);
    }

    /// The number of states so far, and the time since the beginning.
    pub fn counts(&self) -> (u64, Duration) {
        (self.states, self.start.elapsed())
    }

    /// Are variables widened, so that paths rarely are executions?
    pub fn is_wide(&self) -> bool {
        matches!(self.attempt, Attempt::Wide | Attempt::Fine)
    }

    /// Takes in that no execution takes the last path.  `false`: nothing is left to try.
    pub fn refute(&mut self, problem: &Problem) -> bool {
        (self.attempt, self.most) = match self.attempt {
            Attempt::Wide => (Attempt::Fine, self.limits.states),
            Attempt::Fine => (Attempt::Last, self.limits.last_states),
            Attempt::Exact | Attempt::Last => return false,
        };
        if self.attempt == Attempt::Last {
            self.wide.clear();
        }
        self.begin(problem);
        true
    }

    /// Explores until there is something to report.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn next(
        &mut self,
        terms: &mut Terms,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Event, Exhausted> {
        while let Some(&(from, number)) = self.waiting.front() {
            budget.check()?;
            let row = self.places[&from].row(number).into();
            let Some(found) = self.passage.pass(terms, from, row) else {
                return Ok(Event::Abandoned);
            };
            let goal = found
                .iter()
                .map(|&(l, _)| l)
                .find(|l| problem.automaton.goal(*l).is_some() && !self.closed.contains(*l));
            if let Some(location) = goal {
                // The state is passed once more if the goal is closed.
                self.passage.forget();
                return Ok(self.goal(terms, problem, (from, number), location));
            }
            self.waiting.pop_front();
            for (at, row) in found {
                if problem.automaton.goal(at).is_none() {
                    self.arrive(at, row, Some((from, number)));
                }
            }
            if self.states > self.most && !self.widen(problem) {
                return Ok(Event::Abandoned);
            }
        }
        Ok(Event::Complete(self.invariant(terms)))
    }

    fn arrive(&mut self, at: Location, mut row: Row, parent: Option<(Location, usize)>) {
        let passage = &self.passage;
        let live = || passage.graph.live(at).to_vec();
        let place = self.places.entry(at).or_insert_with(|| Place::new(live()));
        if !self.wide.is_empty() {
            let wide = (&self.thresholds, &self.wide, self.attempt == Attempt::Fine);
            let state = widened(wide, passage.code(), place, passage.unpack(at, &row));
            row = passage.pack(at, &state);
        }
        if let Some(number) = place.add(row, parent) {
            self.states += 1;
            self.waiting.push_back((at, number));
        }
    }

    /// How many values each variable has had, with its difference from others.
    fn counts_of_values(&self) -> Vec<usize> {
        let mut seen: Vec<FxHashSet<(u32, i64)>> = vec![];
        seen.resize_with(self.passage.code().variables.len(), FxHashSet::default);
        for place in self.places.values() {
            for number in 0..place.len() {
                let cells = place.cells(&self.passage.intervals, number);
                for ((&v, &code), cell) in place.live.iter().zip(place.row(number)).zip(cells) {
                    seen[v as usize].insert((code, cell.offset));
                }
            }
        }
        seen.iter().map(FxHashSet::len).collect()
    }

    /// Begins anew with those variables widened that have most values, or goes on for longer if
    /// none has many. `false`: neither helps.
    fn widen(&mut self, problem: &Problem) -> bool {
        if self.attempt == Attempt::Last {
            return false;
        }
        let open = |(v, _): &(usize, usize)| !self.wide.contains(&(*v as Variable));
        let counts = self.counts_of_values().into_iter().enumerate().filter(open);
        let counts: Vec<(usize, usize)> = counts.collect();
        let most = counts.iter().map(|&(_, n)| n).max().unwrap_or(0);
        if most < self.limits.values {
            // There is no variable that makes them so many: many processes have few states each.
            let first = self.attempt == Attempt::Exact;
            (self.attempt, self.most) = (Attempt::Last, self.limits.last_states);
            return first;
        }
        let wide = counts.iter().filter(|&&(_, n)| 2 * n >= most).map(|&(v, _)| v as Variable);
        self.wide.extend(wide);
        self.most = self.limits.states;
        if self.attempt == Attempt::Exact {
            self.attempt = Attempt::Wide;
        }
        self.begin(problem);
        true
    }

    /// The execution that follows the path to a goal by these blocks, if one is found without a
    /// solver.
    pub fn execution(
        &mut self,
        terms: &Terms,
        problem: &Problem,
        blocks: &[usize],
    ) -> Option<ErrorPath> {
        let goal = problem.target(*blocks.last()?);
        let mut path = vec![];
        let mut at = self.waiting.front().copied();
        while let Some((from, number)) = at {
            path.push((from, number));
            at = self.places[&from].parents[number];
        }
        path.reverse();
        let places: Vec<Location> = path.iter().map(|&(l, _)| l).collect();
        let wide = (&self.thresholds, &self.wide, self.attempt == Attempt::Fine);
        let known = &self.places;
        let arrives = |passage: &Passage, i: usize, state: &State| {
            let (at, number) = path[i];
            let state = widened(wide, passage.code(), &known[&at], state.clone());
            known[&at].find(&passage.pack(at, &state)) == Some(number)
        };
        trace::execution(terms, &problem.automaton, &mut self.passage, (&places, goal), arrives)
    }

    /// Checks the states that were found; they are complete.
    ///
    /// # Errors
    /// If they are not, or that is not known.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        problem: &Problem,
        solvers: &Solvers,
        budget: &Budget,
    ) -> Result<(), ValuesError> {
        let wide = (&self.thresholds, &self.wide, self.attempt == Attempt::Fine);
        let places = &self.places;
        let candidate = |passage: &Passage, at: Location, state: &State| {
            let place = places.get(&at)?;
            let state = widened(wide, passage.code(), place, state.clone());
            place.find(&passage.pack(at, &state))
        };
        let mut check = Check {
            terms,
            automaton: &problem.automaton,
            passage: &mut self.passage,
            places,
            solvers,
            budget,
            known: vec![FxHashMap::default(); problem.automaton.edges.len()],
            values: vec![],
            proved: FxHashSet::default(),
            seen: FxHashSet::default(),
            hops: Hops::new(self.limits.remembered),
        };
        check.run(&candidate)
    }

    fn variables(&self, at: Location) -> Vec<(Symbol, Sort)> {
        let all = &self.passage.code().variables;
        self.places[&at].live.iter().map(|&v| all[v as usize]).collect()
    }

    /// The path to a goal, whose last state before it is given.
    fn goal(
        &self,
        terms: &mut Terms,
        problem: &Problem,
        last: (Location, usize),
        location: Location,
    ) -> Event {
        let (mut blocks, mut states) = (vec![], vec![]);
        let (mut at, mut target) = (Some(last), location);
        while let Some((from, number)) = at {
            let between = problem.summary.outgoing(from);
            let block = between.into_iter().find(|&b| problem.target(b) == target);
            blocks.push(block.expect("a block leads to each location that is reached"));
            let place = &self.places[&from];
            at = place.parents[number];
            if at.is_some() {
                let variables = self.variables(from);
                states.push(formula::one(
                    terms,
                    &variables,
                    &place.cells(&self.passage.intervals, number),
                ));
            }
            target = from;
        }
        blocks.reverse();
        states.reverse();
        Event::Goal { blocks, states, location }
    }

    fn invariant(&self, terms: &mut Terms) -> Vec<(Location, Term)> {
        let mut at: Vec<Location> = self.places.keys().copied().collect();
        at.sort_unstable();
        at.into_iter()
            .map(|l| {
                let (place, intervals) = (&self.places[&l], &self.passage.intervals);
                let states: Vec<_> = (0..place.len()).map(|n| place.cells(intervals, n)).collect();
                let variables = self.variables(l);
                (l, formula::any(terms, &variables, &states))
            })
            .collect()
    }
}

/// The state at the end of a block as it is kept: variables that are widened have the values
/// between their thresholds. Those of them that are equal stay so.
fn widened(
    (thresholds, wide, fine): (&Thresholds, &FxHashSet<Variable>, bool),
    code: &Code,
    place: &Place,
    mut state: State,
) -> State {
    if wide.is_empty() {
        return state;
    }
    let mut next = state.cells.iter().map(|c| c.unknown).max().unwrap_or(0);
    let mut numbers: FxHashMap<(Sort, i64), u32> = FxHashMap::default();
    let mut fresh = || {
        next += 1;
        next
    };
    for &v in place.live.iter().filter(|v| wide.contains(v)) {
        let sort = code.variables[v as usize].1;
        let mut cell = state.get(v);
        let interval = thresholds.widened(v, cell.interval, Interval::all(sort), fine);
        if let Some(only) = cell.interval.only() {
            cell.unknown = *numbers.entry((sort, only)).or_insert_with(&mut fresh);
            cell.offset = 0;
        }
        if interval.only().is_some() {
            (cell.unknown, cell.offset) = (0, 0);
        }
        state.set(v, Cell { interval, ..cell });
    }
    state
}

#[cfg(test)]
mod tests;
