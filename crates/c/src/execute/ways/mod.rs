//! Executions that stand for all values of their inputs: what depends on an input has no value, and where the way depends
//! on one, each way is taken, one execution after the other.  Where they all end without an error, no execution has one.
//!
//! With a solver, what depends on inputs is a term over them, and only ways are taken that some inputs lead to (symbolic
//! execution: King, Symbolic Execution and Program Testing, 1976).

mod guide;
mod inputs;
mod nearest;
mod reached;
mod symbols;

use super::execution::{Execution, Given, Request};
use super::image::Image;
use super::oracle::{Oracle, Randomly};
use crate::flow::Flow;
use crate::trace::InputKind;
use hardbop_base::budget::Budget;
use hardbop_smt::{SmtSolver, Term};

pub(super) use guide::Site;
pub(super) use reached::{Comparison, Reached};
pub(super) use symbols::{Symbols, Trail};

/// The number of choices of several ways in one execution.
const MOST_CHOICES: usize = 1024;

/// The number of times that a solver says which ways there are, in one execution.
const MOST_DECISIONS: usize = 4096;

/// A place where the way depends on inputs: the ways that there are, and which was taken.
#[derive(Debug)]
struct Choice {
    ways: Vec<u64>,
    at: usize,
}

/// Takes each way in turn; it gives no inputs but those of one bit, where that is a choice of two ways.
#[derive(Debug)]
pub struct Ways {
    choices: Vec<Choice>,
    /// How many of them the execution has come to.
    passed: usize,
    symbols: Option<Box<Symbols>>,
    /// The states that there were, if they are compared.
    reached: Option<Box<Reached>>,
}

impl Ways {
    fn new(symbols: Option<Symbols>, reached: Option<Box<Reached>>) -> Self {
        Self { choices: vec![], passed: 0, symbols: symbols.map(Box::new), reached }
    }

    /// All ways, wherever an input decides which.
    #[must_use]
    pub fn any() -> Self {
        Self::new(None, Some(Box::default()))
    }

    /// Ways that a solver finds to be possible, with so many questions to it.
    pub fn with_solver(solver: Box<dyn SmtSolver>, questions: u32, budget: &Budget) -> Self {
        let symbols = Symbols::new(solver, questions, budget.clone());
        Self::new(Some(symbols), Some(Box::default()))
    }

    /// One way after the other, each on numbers, and so many questions to a solver about which numbers take another one: for
    /// errors only.
    pub fn guided(
        flow: &Flow,
        solver: Box<dyn SmtSolver>,
        questions: u32,
        budget: &Budget,
        mut random: Randomly,
    ) -> Self {
        let random = Box::new(move |request: &Request<'_>| random.input(request));
        let symbols = Symbols::new(solver, questions, budget.clone()).guided(flow, random);
        Self::new(Some(symbols), None)
    }

    pub(super) fn is_guided(&self) -> bool {
        self.symbols.as_ref().is_some_and(|symbols| symbols.is_guided())
    }

    pub(super) fn symbols(&mut self) -> Option<&mut Symbols> {
        self.symbols.as_deref_mut()
    }

    /// What is taken at the next choice, of what is found if it is a new one.
    ///
    /// The outer `None` is for too many choices, or too much to find; the inner one where there is no way on.
    fn next(
        &mut self,
        find: impl FnOnce(Option<&mut Symbols>) -> Option<Vec<u64>>,
    ) -> Option<Option<u64>> {
        if self.passed == self.choices.len() {
            let open = self.choices.iter().filter(|choice| choice.ways.len() > 1).count();
            if self.passed == MOST_DECISIONS || open == MOST_CHOICES {
                return None;
            }
            let ways = find(self.symbols.as_deref_mut())?;
            self.choices.push(Choice { ways, at: 0 });
        }
        let choice = self.choices.get(self.passed)?;
        self.passed += 1;
        if let Some(reached) = self.reached.as_mut().filter(|_| choice.ways.len() > 1) {
            reached.chose();
        }
        Some(choice.ways.get(choice.at).copied())
    }

    /// The way to take where there are so many; `None` after too many choices.
    pub(super) fn choose(&mut self, ways: usize) -> Option<usize> {
        let way = self.next(|_| Some((0..ways as u64).collect()))??;
        // The same choices lead to the same place.
        usize::try_from(way).ok().filter(|&way| way < ways)
    }

    /// Which of these conditions to go on with; the inner `None` if none may hold.
    pub(super) fn choose_among(
        &mut self,
        conditions: &[Term],
        site: Site,
    ) -> Option<Option<usize>> {
        if self.is_guided() {
            return self.symbols()?.decide(conditions, site);
        }
        let possible = |symbols: Option<&mut Symbols>| {
            let symbols = symbols?;
            let mut ways = vec![];
            for (way, &condition) in conditions.iter().enumerate() {
                // Some inputs lead here: where there are two ways, one is possible if the other is not.
                let is_last = match conditions {
                    &[first, second] => way == 1 && second == symbols.terms.not(first),
                    _ => false,
                };
                if is_last && ways.is_empty() || symbols.is_possible(condition)? {
                    ways.push(way as u64);
                }
            }
            Some(ways)
        };
        let Some(way) = self.next(possible)? else { return Some(None) };
        let way = usize::try_from(way).ok()?;
        let condition = *conditions.get(way)?;
        self.symbols()?.assume(condition);
        Some(Some(way))
    }

    /// One of the values of a term, for each of which there is an execution.
    pub(super) fn pick(&mut self, term: Term, site: Site) -> Option<u64> {
        if self.is_guided() {
            return self.symbols()?.fix(term, site);
        }
        let value = self.next(|symbols| symbols?.values(term))??;
        let symbols = self.symbols()?;
        let constant = symbols.terms.bits(symbols.terms.width(term), value);
        let is_it = symbols.terms.equal(term, constant);
        symbols.assume(is_it);
        Some(value)
    }

    /// The states that there were, if one is to be compared with them here, where a function has returned or elsewhere.
    pub(super) fn compares(&mut self, returned: bool) -> Option<Box<Reached>> {
        // Up to the last choice that is repeated, the states are those of earlier executions.
        let is_new = self.passed == self.choices.len();
        let compares = is_new && self.reached.as_ref()?.compares(returned);
        if compares { self.reached.take() } else { None }
    }

    /// Takes the states back, and compares one with them.
    pub(super) fn compare(
        &mut self,
        mut reached: Box<Reached>,
        image: Option<Image>,
    ) -> Comparison {
        let symbols = self.symbols.as_deref_mut();
        let compared = image.map_or(Comparison::None, |image| reached.compare(image, symbols));
        self.reached = Some(reached);
        compared
    }

    /// Begins with the executions from another state.
    pub(super) fn restart(&mut self) {
        self.choices.clear();
    }

    /// Begins an execution from a state to which this led.
    pub(super) fn resume(&mut self, trail: &Trail) {
        if let Some(reached) = &mut self.reached {
            reached.begin(trail.left);
        }
        if let Some(symbols) = self.symbols() {
            symbols.resume(trail);
        }
    }

    /// Whether another solver finds no way, either, where the first one has found none; true without solvers.
    pub fn are_confirmed(&mut self, checker: Box<dyn SmtSolver>) -> bool {
        self.symbols().is_none_or(|symbols| symbols.are_confirmed(checker))
    }

    /// Gives the inputs of the execution that was made last values with which it goes this way; false if that fails.
    pub fn fill(&mut self, execution: &mut Execution) -> bool {
        let Some(values) = self.symbols().and_then(Symbols::model) else { return false };
        for (at, value) in values {
            let Some(recorded) = execution.inputs.get_mut(at) else { return false };
            recorded.input.value = value;
        }
        true
    }

    /// Goes on to the next execution; false if there is none.
    pub fn advance(&mut self) -> bool {
        if self.is_guided() {
            return self.symbols().is_some_and(Symbols::lead);
        }
        self.choices.truncate(self.passed);
        self.passed = 0;
        if let Some(symbols) = self.symbols() {
            symbols.begin();
        }
        while let Some(last) = self.choices.last_mut() {
            last.at += 1;
            if last.at < last.ways.len() {
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

impl Oracle for Ways {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        match request.kind {
            // The number stands for itself.
            InputKind::Address { .. } => Some(Given::Bits(0)),
            _ if self.is_guided() => match request.pointer || request.concrete {
                true => self.symbols()?.answer(request),
                false => None,
            },
            InputKind::Nondet { .. } | InputKind::Uninitialised { .. }
                if self.symbols.is_some() =>
            {
                None
            }
            _ if request.bits == 1 => self.choose(2).map(|way| Given::Bits(way as u64)),
            _ => None,
        }
    }

    fn ways(&mut self) -> Option<&mut Ways> {
        Some(self)
    }
}
