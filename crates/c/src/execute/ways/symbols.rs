//! What stands for inputs without values: terms, and what the way so far says of them.

use crate::execute::execution::{Given, Request};
use rustc_hash::{FxHashMap, FxHashSet};

use super::guide::{AnyValues, Guide, Site};
use super::inputs::{Names, Supports};
use crate::flow::Flow;
use crate::trace::EdgeIndex;
use hardbop_base::budget::Budget;
use hardbop_smt::{Node, SmtAnswer, SmtSolver, Sort, Term, Terms, Value};

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

/// The answers that are remembered.
const MOST_ANSWERS: usize = 1 << 16;

/// Of what leads to another way, a question of so many conjuncts counts as one more, and one that is too hard as so many.
const CONJUNCTS: usize = 50;
const UNANSWERED: u32 = 50;

/// So many questions about ways that no inputs lead count as one.
const MISSED: u32 = 8;

/// How many answers another solver confirms at once.
const CONFIRMED: usize = 64;

/// What leads to a state: conjuncts about what is in it, others, and inputs with their positions.
#[derive(Debug, Default)]
pub struct Trail {
    path: Vec<Term>,
    aside: Vec<Term>,
    inputs: Vec<(usize, Term)>,
    /// How many states may still be compared until the next choice, where edges meet, and where functions return.
    pub left: (u32, u32),
}

/// Inputs as terms, and the condition under which executions come where this one is (King 1976, the path condition).
pub struct Symbols {
    pub terms: Terms,
    solver: Box<dyn SmtSolver>,
    budget: Budget,
    /// The path condition, as conjuncts: in order, and as a set.
    path: Vec<Term>,
    holds: FxHashSet<Term>,
    /// Conjuncts about inputs of which nothing is left in the state.
    aside: Vec<Term>,
    /// What the solver says no inputs lead to, and how many conjuncts these may still have.
    refuted: Vec<Term>,
    room: usize,
    /// The terms of inputs, with their positions among all inputs of the execution.
    inputs: Vec<(usize, Term)>,
    /// How many questions the solver may still get, in this execution and in all.
    credit: u32,
    questions: u32,
    /// What has a value for each input, if executions have.
    guide: Option<Guide>,
    supports: Supports,
    /// The values that a term may have, or 1 for a condition that may hold, under the conditions before it, with other names
    /// for inputs.
    answers: FxHashMap<Vec<Term>, Vec<u64>>,
}

impl std::fmt::Debug for Symbols {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbols").field("path", &self.path.len()).finish_non_exhaustive()
    }
}

impl Symbols {
    pub fn new(mut solver: Box<dyn SmtSolver>, questions: u32, budget: Budget) -> Self {
        solver.limit_conflicts(Some(MOST_CONFLICTS.min(questions)));
        let (path, aside, refuted, inputs) = (vec![], vec![], vec![], vec![]);
        let credit = questions / FIRST_PART;
        let (terms, room) = (Terms::new(), MOST_CONJUNCTS);
        let (guide, holds) = (None, FxHashSet::default());
        Self {
            terms,
            solver,
            budget,
            path,
            holds,
            aside,
            refuted,
            room,
            inputs,
            credit,
            questions,
            guide,
            supports: Supports::default(),
            answers: FxHashMap::default(),
        }
    }

    /// With values for inputs: at random, but for those that lead another way.
    pub fn guided(self, flow: &Flow, random: AnyValues) -> Self {
        Self { guide: Some(Guide::new(flow, random)), credit: self.questions, ..self }
    }

    pub fn is_guided(&self) -> bool {
        self.guide.is_some()
    }

    /// Takes in that an execution passes an edge.
    pub fn pass(&mut self, edge: EdgeIndex) {
        if let Some(guide) = &mut self.guide {
            guide.pass(edge);
        }
    }

    /// Begins the next execution.
    pub fn begin(&mut self) {
        self.path.clear();
        self.holds.clear();
        self.aside.clear();
        self.inputs.clear();
        self.credit += LATER_QUESTIONS;
    }

    /// The conjuncts of the path condition that are about some terms.
    pub fn about(&mut self, of: &[Term]) -> Vec<Term> {
        self.supports.about(&self.terms, &self.path, of)
    }

    /// What leads to the state, in which only these conjuncts say something of what is there.
    pub fn trail(&self, path: Vec<Term>) -> Trail {
        let about: FxHashSet<Term> = path.iter().copied().collect();
        let others = self.path.iter().filter(|c| !about.contains(c));
        let aside = self.aside.iter().chain(others).copied().collect();
        Trail { path, aside, inputs: self.inputs.clone(), left: (0, 0) }
    }

    /// What a term is where the path condition says which value some inputs have.
    pub fn settled(&mut self, term: Term, memo: &mut FxHashMap<Term, Term>) -> Term {
        self.terms.replace(term, memo, |_, _| None)
    }

    /// The inputs of which the path condition says which value they have, with these.
    pub fn fixed(&self) -> FxHashMap<Term, Term> {
        let is_input = |t: Term| self.terms.node(t).is_leaf();
        let fixed = |&conjunct: &Term| match *self.terms.node(conjunct) {
            Node::Equal(a, b) if is_input(a) && self.terms.value(b).is_some() => Some((a, b)),
            Node::Equal(a, b) if is_input(b) && self.terms.value(a).is_some() => Some((b, a)),
            _ => None,
        };
        self.path.iter().filter_map(fixed).collect()
    }

    /// Begins an execution from a state.
    pub fn resume(&mut self, trail: &Trail) {
        self.path.clone_from(&trail.path);
        self.holds = trail.path.iter().copied().collect();
        self.aside.clone_from(&trail.aside);
        self.inputs.clone_from(&trail.inputs);
    }

    /// A new input, which is at this position.
    pub fn input(&mut self, position: usize, request: &Request<'_>) -> Term {
        let bits = request.bits;
        let symbol = self.terms.symbol(&format!("input{position}:{bits}"), Sort::Bits(bits));
        let term = self.terms.variable(symbol);
        if let Some(guide) = &mut self.guide {
            guide.give(position, term, request);
        }
        self.inputs.push((position, term));
        term
    }

    /// Goes on where a condition holds.
    pub fn assume(&mut self, condition: Term) {
        if self.terms.value(condition) != Some(Value::Bool(true)) && self.holds.insert(condition) {
            self.path.push(condition);
        }
    }

    /// The value of an input without a term, if executions have values.
    pub fn answer(&mut self, request: &Request<'_>) -> Option<Given> {
        let path = self.path.len();
        self.guide.as_mut()?.answer(path, request)
    }

    /// The value of a term in this execution, if executions have values.
    pub fn known(&mut self, term: Term) -> Option<u64> {
        match self.guide.as_mut()?.value(&self.terms, term)? {
            Value::Bits(bits) => Some(bits),
            Value::Bool(truth) => Some(u64::from(truth)),
            Value::Int(_) => None,
        }
    }

    /// Gives the newest input a value, if executions have values.
    pub fn replace(&mut self, value: u64) {
        if let (Some(guide), Some(&(position, _))) = (&mut self.guide, self.inputs.last()) {
            guide.set(position, value);
        }
    }

    /// Which of these conditions holds in this execution, which goes on there; the inner `None` if none does.
    pub fn decide(&mut self, conditions: &[Term], site: Site) -> Option<Option<usize>> {
        let at = self.path.len();
        let mut taken = None;
        for (way, &condition) in conditions.iter().enumerate() {
            if self.known(condition)? != 0 && taken.is_none() {
                taken = Some(way);
            }
        }
        // Where it holds already, no inputs lead another way.
        let is_decided = taken.is_some_and(|way| self.holds.contains(&conditions[way]));
        let guide = self.guide.as_mut()?;
        for (way, &condition) in conditions.iter().enumerate().filter(|_| !is_decided) {
            let site = (site.0, site.1 + way);
            if Some(way) == taken {
                guide.took(site);
            } else if self.terms.value(condition).is_none() {
                guide.other(at, condition, site);
            }
        }
        if let Some(way) = taken {
            self.assume(conditions[way]);
        }
        Some(taken)
    }

    /// Takes in that all these conditions might hold, where they do not: in executions that come here although what the path
    /// condition says of the same inputs alone may be otherwise there.
    pub fn offer(&mut self, conditions: &[Term], site: Site) {
        let condition = self.terms.and(conditions);
        if self.known(condition) != Some(0) || self.terms.value(condition).is_some() {
            return;
        }
        let inputs: FxHashSet<Term> = self.terms.support(condition).into_iter().collect();
        let is_about = |c: &Term| self.terms.support(*c).iter().all(|leaf| inputs.contains(leaf));
        let at = self.path.iter().position(is_about).unwrap_or(self.path.len());
        if let Some(guide) = &mut self.guide {
            guide.offer(at, condition, site);
        }
    }

    /// The value of a term in this execution, if executions have values.  The path condition does not have it: others that
    /// come here may have another one.
    pub fn fix(&mut self, term: Term, site: Site) -> Option<u64> {
        let value = self.known(term)?;
        let at = self.path.len();
        let guide = self.guide.as_mut()?;
        let (values, others) = guide.fixed.entry(term).or_default();
        if values.len() < MOST_VALUES && values.insert(value) {
            let constant = self.terms.bits(self.terms.width(term), value);
            others.push(self.terms.distinct(term, constant));
            let other = self.terms.and(others);
            guide.other_value(at, other, site);
        }
        Some(value)
    }

    /// Ends an execution, and leads the next one another way; false if there is none, or no question is left.
    pub fn lead(&mut self) -> bool {
        let Some(mut guide) = self.guide.take() else { return false };
        guide.end(&self.path);
        self.begin();
        let mut has_next = false;
        let mut missed = 0_u32;
        while let Some(question) = guide.next(&self.terms) {
            let size = question.as_ref().map_or(0, |question| question.conjuncts.len());
            let cost = 1 + (size / CONJUNCTS) as u32;
            let Some(left) = self.questions.checked_sub(cost) else { break };
            self.questions = left;
            let Some(question) = question else {
                has_next = true;
                break;
            };
            match self.solver.check(&self.terms, &question.conjuncts, &self.budget) {
                Ok(SmtAnswer::Sat) => {}
                Ok(SmtAnswer::Unsat) => {
                    guide.missed();
                    // These take less time than an execution.
                    missed += 1;
                    if !missed.is_multiple_of(MISSED) {
                        self.questions += cost;
                    }
                    continue;
                }
                Ok(SmtAnswer::Unknown(_)) => {
                    self.questions = self.questions.saturating_sub(UNANSWERED);
                    continue;
                }
                Err(_) => break,
            }
            let Ok(values) = self.solver.values(&self.terms, &question.leaves) else { break };
            guide.lead(&question, &values);
            has_next = true;
            break;
        }
        self.guide = Some(guide);
        has_next
    }

    /// Whether a condition may hold; `None` where the solver does not say.
    pub fn is_possible(&mut self, condition: Term) -> Option<bool> {
        match self.terms.value(condition) {
            Some(Value::Bool(known)) => return Some(known),
            _ if self.is_guided() => return self.known(condition).map(|known| known != 0),
            _ if self.holds.contains(&condition) => return Some(true),
            _ => {}
        }
        let mut all = self.about(&[condition]);
        let key = self.renamed(&all, condition);
        if let Some(known) = self.answers.get(&key) {
            return Some(!known.is_empty());
        }
        all.push(condition);
        let answer = self.ask(all)?;
        self.remember(key, if answer { vec![1] } else { vec![] });
        Some(answer)
    }

    /// Whether all of them may hold.
    fn ask(&mut self, all: Vec<Term>) -> Option<bool> {
        self.questions = self.questions.checked_sub(1)?;
        self.credit = self.credit.checked_sub(1)?;
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
        let mut all = self.about(&[term]);
        let key = self.renamed(&all, term);
        if let Some(known) = self.answers.get(&key) {
            return Some(known.clone());
        }
        let width = self.terms.width(term);
        let mut values = vec![];
        while self.ask(all.clone())? {
            let value = self.value(term)?;
            values.push(value);
            if values.len() > MOST_VALUES {
                return None;
            }
            let constant = self.terms.bits(width, value);
            all.push(self.terms.distinct(term, constant));
        }
        values.sort_unstable();
        self.remember(key, values.clone());
        Some(values)
    }

    /// A question about a term under some conditions, with other names for inputs.
    fn renamed(&mut self, conditions: &[Term], term: Term) -> Vec<Term> {
        let mut names = Names::default();
        let terms = &mut self.terms;
        conditions.iter().chain([&term]).map(|&t| names.rename(terms, t)).collect()
    }

    fn remember(&mut self, question: Vec<Term>, values: Vec<u64>) {
        if self.answers.len() < MOST_ANSWERS {
            self.answers.insert(question, values);
        }
    }

    /// Values of the inputs that lead here, by position.
    pub fn model(&mut self) -> Option<Vec<(usize, u64)>> {
        if let Some(guide) = &self.guide {
            return Some(guide.model());
        }
        if !self.ask(self.path.iter().chain(&self.aside).copied().collect())? {
            return None;
        }
        let inputs = self.inputs.clone();
        inputs.into_iter().map(|(at, term)| Some((at, self.value(term)?))).collect()
    }
}
