//! What stands for inputs without values: terms, and what the way so far says of them.

use hardbop_base::budget::Budget;
use hardbop_smt::{SmtAnswer, SmtSolver, Sort, Term, Terms, Value};

/// The number of values that a place or a size may have where inputs decide it; one execution is made for each.
const MOST_VALUES: usize = 64;

/// The first execution may ask one in so many of all questions, and each later one so many more: loops that inputs keep
/// going soon have asked these.
const FIRST_PART: u32 = 6;
const LATER_QUESTIONS: u32 = 32;

/// The conflicts of one question to the solver, of which there may be as many as there are questions.
const MOST_CONFLICTS: u32 = 1_000;

/// The conjuncts of all that the solver says no inputs lead to.
const MOST_CONJUNCTS: usize = 10_000_000;

/// How many answers another solver confirms at once.
const CONFIRMED: usize = 64;

/// Inputs as terms, and the condition under which executions come where this one is (King 1976, the path condition).
pub(super) struct Symbols {
    pub terms: Terms,
    solver: Box<dyn SmtSolver>,
    budget: Budget,
    /// The path condition, as conjuncts.
    path: Vec<Term>,
    /// What the solver says no inputs lead to, and how many conjuncts these may still have.
    refuted: Vec<Term>,
    room: usize,
    /// The terms of inputs, with their positions among all inputs of the execution.
    inputs: Vec<(usize, Term)>,
    /// How many questions the solver may still get, in this execution and in all.
    credit: u32,
    questions: u32,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("path", &self.path.len()).finish_non_exhaustive()
    }
}

impl Symbols {
    pub fn new(mut solver: Box<dyn SmtSolver>, questions: u32, budget: Budget) -> Self {
        solver.limit_conflicts(Some(MOST_CONFLICTS.min(questions)));
        let (path, refuted, inputs) = (vec![], vec![], vec![]);
        let credit = questions / FIRST_PART;
        let (terms, room) = (Terms::new(), MOST_CONJUNCTS);
        Self { terms, solver, budget, path, refuted, room, inputs, credit, questions }
    }

    /// Begins the next execution.
    pub fn begin(&mut self) {
        self.path.clear();
        self.inputs.clear();
        self.credit += LATER_QUESTIONS;
    }

    /// A new input of so many bits, which is at this position.
    pub fn input(&mut self, position: usize, bits: u32) -> Term {
        let symbol = self.terms.symbol(&format!("input{position}:{bits}"), Sort::Bits(bits));
        let term = self.terms.variable(symbol);
        self.inputs.push((position, term));
        term
    }

    /// Goes on where a condition holds.
    pub fn assume(&mut self, condition: Term) {
        if self.terms.value(condition) != Some(Value::Bool(true)) && !self.path.contains(&condition)
        {
            self.path.push(condition);
        }
    }

    /// Whether a condition may hold; `None` where the solver does not say.
    pub fn is_possible(&mut self, condition: Term) -> Option<bool> {
        match self.terms.value(condition) {
            Some(Value::Bool(known)) => return Some(known),
            _ if self.path.contains(&condition) => return Some(true),
            _ => {}
        }
        self.with(&[condition])
    }

    /// Whether all of them may hold.
    fn with(&mut self, conditions: &[Term]) -> Option<bool> {
        self.questions = self.questions.checked_sub(1)?;
        self.credit = self.credit.checked_sub(1)?;
        let mut all = self.path.clone();
        all.extend(conditions);
        match self.solver.check(&self.terms, &all, &self.budget).ok()? {
            SmtAnswer::Sat => Some(true),
            SmtAnswer::Unsat => {
                self.room = self.room.checked_sub(all.len())?;
                self.refuted.push(self.terms.and(&all));
                Some(false)
            }
            SmtAnswer::Unknown(_) => None,
        }
    }

    /// Whether another solver, too, says that no inputs lead where this one has said so.
    pub fn are_confirmed(&mut self, mut checker: Box<dyn SmtSolver>) -> bool {
        checker.limit_conflicts(Some(MOST_CONFLICTS));
        let refuted = std::mem::take(&mut self.refuted);
        refuted.chunks(CONFIRMED).all(|some| {
            let some = self.terms.or(some);
            let answer = checker.check(&self.terms, &[some], &self.budget);
            matches!(answer, Ok(SmtAnswer::Unsat))
        })
    }

    fn value(&mut self, term: Term) -> Option<u64> {
        match self.solver.value(&self.terms, term).ok()? {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// All values that a term may have; `None` if they are too many.
    pub fn values(&mut self, term: Term) -> Option<Vec<u64>> {
        let width = self.terms.width(term);
        let (mut values, mut others) = (vec![], vec![]);
        while self.with(&others)? {
            let value = self.value(term)?;
            values.push(value);
            if values.len() > MOST_VALUES {
                return None;
            }
            let constant = self.terms.bits(width, value);
            others.push(self.terms.distinct(term, constant));
        }
        values.sort_unstable();
        Some(values)
    }

    /// Values of the inputs that lead here, by position.
    pub fn model(&mut self) -> Option<Vec<(usize, u64)>> {
        if !self.with(&[])? {
            return None;
        }
        let inputs = self.inputs.clone();
        inputs.into_iter().map(|(at, term)| Some((at, self.value(term)?))).collect()
    }
}
