//! The exploration, breadth first, so that paths to goals are short.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use super::check::{Check, ValuesError};
use super::closed::ClosedGoals;
use super::code::{Code, Variable};
use super::event::Event;
use super::formula;
use super::interval::Interval;
use super::pass::Passage;
use super::state::{Cell, State};
use super::store::{Place, nothing, unpack};
use super::thresholds::Thresholds;
use super::trace;
use crate::base::budget::{Budget, Exhausted};
use crate::program::cfa::Location;
use crate::refine::block::execution::ErrorPath;
use crate::refine::block::problem::Problem;
use crate::refine::limits;
use crate::solve::smt::{Solvers, Sort, Symbol, Term, Terms};

/// How values are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    /// Each by itself.
    Exact,
    /// Widened variables by thresholds.
    Wide,
    /// And by powers of two.
    Fine,
    /// Each by itself again, for as long as it lasts.
    Last,
}

/// The most memory for states in the blocks after one, in bytes.
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
    /// The intervals that each variable has had, with its difference from others.
    seen: Vec<FxHashSet<(Interval, i64)>>,
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
        let mut passage =
            Passage::new(terms, &problem.automaton, &problem.summary, limits.divided)?;
        passage.most = limits.steps;
        passage.breadth = limits.breadth;
        // Drivers have thousands of variables.
        passage.memory = AT_ONCE;
        let thresholds = Thresholds::new(passage.code(), limits.constants);
        let seen = vec![FxHashSet::default(); passage.code().variables.len()];
        let mut new = Self {
            passage,
            thresholds,
            limits,
            places: FxHashMap::default(),
            waiting: VecDeque::new(),
            wide: FxHashSet::default(),
            seen,
            states: 0,
            most: limits.first_states,
            attempt: Attempt::Exact,
            closed: ClosedGoals::default(),
            start,
        };
        new.begin(problem);
        Some(new)
    }

    /// Forgets all states.
    fn begin(&mut self, problem: &Problem) {
        self.passage.forget();
        self.places.clear();
        self.waiting.clear();
        self.seen.iter_mut().for_each(FxHashSet::clear);
        self.states = 0;
        let nothing = nothing(self.passage.code());
        self.arrive(problem.automaton.entry, nothing, None);
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
            let state = self.places[&from].state(self.passage.code(), number);
            let Some(found) = self.passage.pass(terms, from, state) else {
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
                    let live = self.passage.live(at);
                    let state = unpack(self.passage.code(), &live, &row);
                    self.arrive(at, state, Some((from, number)));
                }
            }
            if self.states > self.most && !self.widen(problem) {
                return Ok(Event::Abandoned);
            }
        }
        Ok(Event::Complete(self.invariant(terms)))
    }

    fn arrive(&mut self, at: Location, state: State, parent: Option<(Location, usize)>) {
        let passage = &mut self.passage;
        let place = self.places.entry(at).or_insert_with(|| Place::new(passage.live(at).to_vec()));
        let wide = (&self.thresholds, &self.wide, self.attempt == Attempt::Fine);
        let state = widened(wide, passage.code(), place, state);
        if let Some(number) = place.add(passage.code(), &state, parent) {
            for &v in &place.live {
                let cell = state.get(v);
                self.seen[v as usize].insert((cell.interval, cell.offset));
            }
            self.states += 1;
            self.waiting.push_back((at, number));
        }
    }

    /// Begins anew with those variables widened that have most values, or goes on for longer if none has many.
    /// `false`: neither helps.
    fn widen(&mut self, problem: &Problem) -> bool {
        if self.attempt == Attempt::Last {
            return false;
        }
        let open = |v: &usize| !self.wide.contains(&(*v as Variable));
        let counts = (0..self.seen.len()).filter(open).map(|v| (v, self.seen[v].len()));
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

    /// The execution that follows the path to a goal by these blocks, if one is found without a solver.
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
        let arrives = |code: &Code, i: usize, state: &State| {
            let (at, number) = path[i];
            let state = widened(wide, code, &known[&at], state.clone());
            known[&at].find(code, &state) == Some(number)
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
            place.find(passage.code(), &state)
        };
        let reads = self.passage.reads();
        let mut check = Check {
            terms,
            automaton: &problem.automaton,
            passage: &mut self.passage,
            places,
            solvers,
            budget,
            reads,
            known: vec![FxHashMap::default(); problem.automaton.edges.len()],
            values: vec![],
            proved: FxHashSet::default(),
            seen: FxHashSet::default(),
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
                states.push(formula::one(terms, &variables, &place.cells(number)));
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
                let place = &self.places[&l];
                let states: Vec<_> = (0..place.len()).map(|n| place.cells(n)).collect();
                let variables = self.variables(l);
                (l, formula::any(terms, &variables, &states))
            })
            .collect()
    }
}

/// The state at the end of a block as it is kept: variables that are widened have the values between their thresholds.
/// Those of them that are equal stay so.
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
mod tests {
    use super::super::code::Instruction;
    use super::*;
    use crate::program::cfa::{Automaton, Edge, Goal, Operation, Place as Origin};
    use crate::refine::block::operator::Blocks;
    use crate::solve::smt::{BitOp, Comparison, Purpose, SolverKind};

    /// The automaton with these edges, whose last location is the error.
    fn problem(error: u32, operations: Vec<(u32, u32, Operation)>) -> Problem {
        let edge = |(source, target, operation)| Edge {
            source: Location(source),
            target: Location(target),
            operation,
            place: Origin { function: 0, instruction: Origin::NOWHERE, span: Default::default() },
            frame: 0,
        };
        let automaton = Automaton {
            goals: vec![(Location(error), Goal::Error)],
            locations: error + 1,
            edges: operations.into_iter().map(edge).collect(),
            ..Automaton::default()
        };
        Problem::new(automaton, Blocks::default())
    }

    /// `x` counts up to an input below 5, and is compared with it at the end.
    fn counting(terms: &mut Terms) -> Problem {
        let [x, n] = ["x", "n"].map(|name| terms.symbol(name, Sort::Bits(8)));
        let (vx, vn) = (terms.variable(x), terms.variable(n));
        let [zero, one, five] = [0, 1, 5].map(|k| terms.bits(8, k));
        let small = terms.compare(Comparison::ULt, vn, five);
        let less = terms.compare(Comparison::ULt, vx, vn);
        let (done, equal) = (terms.not(less), terms.equal(vx, vn));
        let wrong = terms.not(equal);
        let more = terms.binary(BitOp::Add, vx, one);
        let input = crate::program::cfa::Origin::Input;
        let operations = [
            (0, 1, Operation::Havoc(n, input)),
            (1, 2, Operation::Assume(small)),
            (2, 3, Operation::Assign(x, zero)),
            (3, 4, Operation::Assume(less)),
            (4, 3, Operation::Assign(x, more)),
            (3, 5, Operation::Assume(done)),
            (5, 6, Operation::Assume(wrong)),
        ];
        problem(6, operations.into())
    }

    fn explored(terms: &mut Terms, problem: &Problem) -> ValueAnalysis {
        let mut values = ValueAnalysis::new(terms, problem, limits::Values::default()).unwrap();
        let event = values.next(terms, problem, &Budget::unlimited());
        assert!(matches!(event, Ok(Event::Complete(_))), "{event:?}");
        values
    }

    fn checked(
        values: &mut ValueAnalysis,
        terms: &mut Terms,
        problem: &Problem,
    ) -> Result<(), ValuesError> {
        let solvers = Solvers::new(SolverKind::Blast, None, Purpose::Invariant);
        values.check(terms, problem, &solvers, &Budget::unlimited())
    }

    #[test]
    fn all_states_are_found_and_confirmed() {
        let mut terms = Terms::new();
        let problem = counting(&mut terms);
        let mut values = explored(&mut terms, &problem);
        assert_eq!(values.states, 6, "the entry, and each x with the n that are not below it");
        assert_eq!(checked(&mut values, &mut terms, &problem), Ok(()));
    }

    #[test]
    fn a_missing_state_is_noticed() {
        let mut terms = Terms::new();
        let problem = counting(&mut terms);
        let mut values = explored(&mut terms, &problem);
        let head = values.places.iter_mut().max_by_key(|(_, p)| p.len()).unwrap();
        let location = *head.0;
        head.1.forget_last();
        assert_eq!(
            checked(&mut values, &mut terms, &problem),
            Err(ValuesError::Missing(location.0))
        );
    }

    /// Inputs after paths in a block join are other values than those that are forgotten there.
    #[test]
    fn inputs_are_new_after_a_join() {
        let mut terms = Terms::new();
        let [y, z] = ["y", "z"].map(|name| terms.symbol(name, Sort::Bits(8)));
        let b = terms.symbol("b", Sort::Bool);
        let input = crate::program::cfa::Origin::Input;
        let zero = terms.bits(8, 0);
        let (vz, vb) = (terms.variable(z), terms.variable(b));
        let same = terms.equal(vz, zero);
        let [other, not] = [same, vb].map(|t| terms.not(t));
        let operations = vec![
            (0, 1, Operation::Havoc(y, input)),
            (1, 2, Operation::Havoc(b, input)),
            (2, 3, Operation::Assign(z, zero)),
            (3, 4, Operation::Assume(same)),
            (3, 7, Operation::Assume(other)),
            (4, 5, Operation::Assume(vb)),
            (4, 5, Operation::Assume(not)),
            (5, 6, Operation::Havoc(y, input)),
            (6, 3, Operation::Assign(z, zero)),
        ];
        let problem = problem(7, operations);
        let mut values = explored(&mut terms, &problem);
        assert_eq!(checked(&mut values, &mut terms, &problem), Ok(()));
    }

    /// An exploration whose arithmetic is wrong.
    #[test]
    fn wrong_code_is_noticed() {
        let mut terms = Terms::new();
        let problem = counting(&mut terms);
        let mut values = ValueAnalysis::new(&terms, &problem, limits::Values::default()).unwrap();
        for instruction in &mut values.passage.machine.code.instructions {
            if matches!(instruction, Instruction::Constant(c) if *c == Interval::one(5)) {
                *instruction = Instruction::Constant(Interval::one(3));
            }
        }
        let event = values.next(&mut terms, &problem, &Budget::unlimited());
        assert!(matches!(event, Ok(Event::Complete(_))), "{event:?}");
        let result = checked(&mut values, &mut terms, &problem);
        assert!(matches!(result, Err(ValuesError::Edge(..))), "{result:?}");
    }
}
