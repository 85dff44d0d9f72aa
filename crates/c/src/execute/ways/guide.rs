//! Executions on numbers that keep the terms of what they compute, so that the next one can be led another way (concolic
//! execution: Godefroid, Klarlund, Sen, DART, PLDI 2005; the order of ways: Godefroid, Levin, Molnar, SAGE, NDSS 2008).
//!
//! Each input has a value from the start, and with it each term; these decide which way is taken, and no solver is asked.
//! Afterwards the solver is asked for inputs that take another way at one of the branches, and the next execution has
//! these.  What has no term, such as what a function of the library looks at as a whole, has its value all the same: that
//! loses ways, never the execution.  So nothing is proved like this, but errors are found far from the start.
//!
//! A comparison of texts adds a way of its own: that they are the same.  It is led there from before what the execution found
//! out about these bytes, which may be otherwise for the other text.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::inputs::Supports;
use super::nearest::Distances;
use crate::execute::execution::{Given, Request};
use crate::flow::Flow;
use crate::trace::{EdgeIndex, InputKind};
use hardbop_base::random::Random;
use hardbop_smt::{Term, Terms, Value};

/// The most ways that are kept for later.
const MOST_OPEN: usize = 20_000;

/// Of the ways that one execution adds at a branch, so many of the first and of the last ones are kept: those that it leads
/// to add others.
const MOST_AT_ONCE: u32 = 8;

/// What counts against a branch where a way might be tried: each try that led to nothing new, each edge up to what no execution
/// has come to, that no such execution is new, and that its way was taken before.
const TRY: u32 = 2;
const DISTANCE: u32 = 4;
const OLD: u32 = 8;
const TAKEN: u32 = 4;

/// Greater distances count as this one; and inputs that no branch is about have that one.
const FARTHEST: u32 = 32;
const OUTSIDE: u32 = 10;

/// More rounds of a loop are no other ones.
const MOST_COUNTED: u32 = 64;

/// A function and a location in it, if it is a branch of the program, and which way from there.
pub type Site = (Option<(u32, u32)>, usize);

/// What an execution had, up to each of its branches.
#[derive(Debug)]
struct Passed {
    /// The path condition, as conjuncts.
    path: Vec<Term>,
    /// The values of inputs for which there are terms, by position.
    values: FxHashMap<usize, u64>,
    /// The other inputs, in order.
    answers: Vec<Given>,
}

/// What is another way.
#[derive(Debug, Clone, Copy)]
enum Other {
    /// A condition holds that did not, after so many conjuncts of the path.
    Condition(usize, Term),
    /// A term has another value, after so many conjuncts, to which this adds none.
    Value(usize, Term),
    /// An input without a term is another one, after so many conjuncts and so many of these: this one, or any.
    Answer(usize, usize, Option<Given>),
}

/// A way that was not taken.
#[derive(Debug)]
struct Open {
    passed: Rc<Passed>,
    other: Other,
    /// Whether the execution passed some branch more often than those before.
    is_new: bool,
}

/// Which inputs lead where: a question to a solver.
#[derive(Debug)]
pub(super) struct Question {
    open: Open,
    /// The conjuncts that matter.
    pub conjuncts: Vec<Term>,
    /// The inputs in these.
    pub leaves: Vec<Term>,
}

/// Gives inputs that nothing leads any values.
pub(super) type AnyValues = Box<dyn FnMut(&Request<'_>) -> Option<Given>>;

/// What leads an execution.
pub(super) struct Guide {
    random: AnyValues,
    distances: Distances,
    /// The branch at which this execution left the way of an earlier one.
    led: Option<Site>,
    choice: Random,
    /// What inputs are to be.
    planned: FxHashMap<usize, u64>,
    /// What the inputs of this execution are.
    values: FxHashMap<usize, u64>,
    answers: Vec<Given>,
    answered: usize,
    /// The inputs for which there are terms, of all executions, with their positions.
    positions: FxHashMap<Term, usize>,
    /// The values that a term had where one was needed, in all executions, and the conditions that it has others.
    pub fixed: FxHashMap<Term, (FxHashSet<u64>, Vec<Term>)>,
    /// The values of terms in this execution.
    known: FxHashMap<Term, Option<Value>>,
    /// The inputs in conjuncts.
    supports: Supports,
    /// After how many conjuncts of the path this execution is another one than those before.
    begins: usize,
    /// The other ways at its branches from there on.
    others: Vec<(Other, Site)>,
    /// The ways that were not taken, the newest last.
    open: BTreeMap<Site, Vec<Open>>,
    kept: usize,
    /// How often ways were taken, in this execution and at most in those before, where the last one is counted.
    taken: FxHashMap<Site, u32>,
    most: FxHashMap<Site, u32>,
    tried: FxHashMap<Site, u32>,
}

impl Guide {
    pub fn new(flow: &Flow, random: AnyValues) -> Self {
        Self {
            random,
            distances: Distances::new(flow),
            led: None,
            choice: Random::new(1),
            planned: FxHashMap::default(),
            values: FxHashMap::default(),
            answers: vec![],
            answered: 0,
            positions: FxHashMap::default(),
            fixed: FxHashMap::default(),
            known: FxHashMap::default(),
            supports: Supports::default(),
            begins: 0,
            others: vec![],
            open: BTreeMap::new(),
            kept: 0,
            taken: FxHashMap::default(),
            most: FxHashMap::default(),
            tried: FxHashMap::default(),
        }
    }

    /// Gives the input at a position, for which there is a term, its value.
    pub fn give(&mut self, position: usize, term: Term, request: &Request<'_>) {
        let value = match self.planned.get(&position) {
            Some(&value) => value,
            None => match (self.random)(request) {
                Some(Given::Bits(value)) => value,
                _ => 0,
            },
        };
        // An input of another execution at this position may have had more bits.
        self.positions.insert(term, position);
        self.values.insert(position, value & (u64::MAX >> (64 - request.bits)));
    }

    /// Gives an input another value.
    pub fn set(&mut self, position: usize, value: u64) {
        self.values.insert(position, value);
        self.known.clear();
    }

    /// Answers for an input without a term.
    pub fn answer(&mut self, path: usize, request: &Request<'_>) -> Option<Given> {
        let at = self.answered;
        self.answered += 1;
        if at == self.answers.len() {
            self.answers.push((self.random)(request)?);
            let other = match (request.kind, self.answers[at]) {
                (_, Given::Bits(value)) if request.bits == 1 => {
                    Some(Some(Given::Bits(u64::from(value == 0))))
                }
                // A text is another one as a whole.
                (InputKind::Argument { byte: 1.., .. }, _) => None,
                _ if request.pointer => None,
                _ => Some(None),
            };
            self.took((None, at));
            self.others.extend(other.map(|given| (Other::Answer(path, at, given), (None, at))));
        }
        Some(self.answers[at])
    }

    /// The value of a term.
    pub fn value(&mut self, terms: &Terms, term: Term) -> Option<Value> {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        for t in terms.postorder(&[term], |t| self.known.contains_key(&t)) {
            let given =
                |leaf| self.values.get(self.positions.get(&leaf)?).copied().map(Value::Bits);
            let known = |child| self.known.get(&child).copied().flatten();
            let value = terms.evaluate_node(t, &known, &given);
            self.known.insert(t, value);
        }
        self.known.get(&term).copied().flatten()
    }

    /// Takes in that another condition might have held after so many conjuncts of the path.
    pub fn other(&mut self, at: usize, condition: Term, site: Site) {
        if at >= self.begins {
            self.others.push((Other::Condition(at, condition), site));
        }
    }

    /// Takes in that a condition might hold at a place to which this execution has come.
    pub fn offer(&mut self, at: usize, condition: Term, site: Site) {
        self.others.push((Other::Condition(at, condition), site));
    }

    /// Takes in that this condition might hold, that a term has another value, after so many conjuncts of the path.
    pub fn other_value(&mut self, at: usize, condition: Term, site: Site) {
        if at >= self.begins {
            self.others.push((Other::Value(at, condition), site));
        }
    }

    /// Takes in which way was taken at a branch.
    pub fn took(&mut self, site: Site) {
        *self.taken.entry(site).or_default() += 1;
    }

    /// No inputs lead the way that was next: that does not count as a try.
    pub fn missed(&mut self) {
        if let Some(tried) = self.led.take().and_then(|site| self.tried.get_mut(&site)) {
            *tried -= 1;
        }
    }

    /// Takes in that an edge is passed.
    pub fn pass(&mut self, edge: EdgeIndex) {
        self.distances.pass(edge);
    }

    /// What the inputs of this execution are, by position.
    pub fn model(&self) -> Vec<(usize, u64)> {
        self.values.iter().map(|(&at, &value)| (at, value)).collect()
    }

    /// Ends an execution with this path condition.
    pub fn end(&mut self, path: &[Term]) {
        let (values, answers) = (std::mem::take(&mut self.values), self.answers.clone());
        let passed = Rc::new(Passed { path: path.to_vec(), values, answers });
        let mut is_new = false;
        for (site, count) in self.taken.drain() {
            let most = self.most.entry(site).or_default();
            is_new |= count.min(MOST_COUNTED) > *most;
            *most = count.min(MOST_COUNTED).max(*most);
        }
        if is_new && let Some(tried) = self.led.take().and_then(|site| self.tried.get_mut(&site)) {
            *tried /= 2;
        }
        let (mut added, mut all): (FxHashMap<Site, u32>, FxHashMap<Site, u32>) = Default::default();
        for (_, site) in &self.others {
            *all.entry(*site).or_default() += 1;
        }
        for (other, site) in std::mem::take(&mut self.others) {
            let added = added.entry(site).or_default();
            *added += 1;
            let is_kept = *added <= MOST_AT_ONCE || *added + MOST_AT_ONCE > all[&site];
            if self.kept < MOST_OPEN && is_kept {
                let open = Open { passed: Rc::clone(&passed), other, is_new };
                self.open.entry(site).or_default().push(open);
                self.kept += 1;
            }
        }
        self.known.clear();
    }

    /// The next way to try: one at a branch near to what no execution has come to, which was not tried often, which no
    /// execution took, of executions that passed a branch more often than those before.
    /// `None` where there are none; the inner `None` where no solver has to be asked.
    pub fn next(&mut self, terms: &Terms) -> Option<Option<Question>> {
        let Self { open, distances, most, tried, .. } = self;
        let mut key = |(site, all): (&Site, &Vec<Open>)| {
            let is_old = !all.iter().any(|open| open.is_new);
            let distance = match site.0 {
                Some((function, location)) => distances.of(function, location).unwrap_or(FARTHEST),
                None => OUTSIDE,
            };
            tried.get(site).copied().unwrap_or_default() * TRY
                + distance.min(FARTHEST) * DISTANCE
                + u32::from(is_old) * OLD
                + u32::from(most.contains_key(site)) * TAKEN
        };
        let keys: Vec<(u32, Site)> = open.iter().map(|o| (key(o), *o.0)).collect();
        let least = keys.iter().map(|k| k.0).min()?;
        let best: Vec<Site> = keys.iter().filter(|k| k.0 == least).map(|k| k.1).collect();
        let site = best[self.choice.below(best.len())];
        let all = self.open.get_mut(&site)?;
        let mut those: Vec<usize> = (0..all.len()).filter(|&i| all[i].is_new).collect();
        if those.is_empty() {
            those = (0..all.len()).collect();
        }
        let last = those.len() - 1;
        let at = if self.choice.below(2) == 0 { last } else { self.choice.below(those.len()) };
        let open = all.remove(those[at]);
        if all.is_empty() {
            self.open.remove(&site);
        }
        self.kept -= 1;
        *self.tried.entry(site).or_default() += 1;
        self.led = Some(site);
        Some(match open.other {
            Other::Answer(path, at, given) => {
                self.begins = path;
                self.planned.clone_from(&open.passed.values);
                self.plan(&open.passed.answers[..at]);
                self.answers.extend(given);
                None
            }
            Other::Condition(at, condition) | Other::Value(at, condition) => {
                let path = &open.passed.path[..at];
                // All others hold as before (constraint independence: Cadar et al., EXE, CCS 2006).
                let mut conjuncts = vec![condition];
                conjuncts.extend(self.supports.about(terms, path, &[condition]));
                let leaves = terms.support_of(&conjuncts);
                Some(Question { open, conjuncts, leaves })
            }
        })
    }

    /// Plans the next execution with these values of the inputs in a question.
    pub fn lead(&mut self, question: &Question, values: &[Value]) {
        let passed = Rc::clone(&question.open.passed);
        self.planned.clone_from(&passed.values);
        for (leaf, value) in question.leaves.iter().zip(values) {
            if let (Some(&position), &Value::Bits(bits)) = (self.positions.get(leaf), value) {
                self.planned.insert(position, bits);
            }
        }
        self.plan(&passed.answers);
        self.begins = match question.open.other {
            Other::Condition(at, _) => at + 1,
            Other::Value(at, _) | Other::Answer(at, ..) => at,
        };
    }

    fn plan(&mut self, answers: &[Given]) {
        self.answers = answers.to_vec();
        self.answered = 0;
    }
}
