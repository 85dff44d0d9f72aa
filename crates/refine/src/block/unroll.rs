//! Bounded unrolling: all paths through the blocks at once, as one formula (Biere, Cimatti, Clarke,
//! Zhu: "Symbolic Model Checking without BDDs", TACAS 1999, Sect. 2), with paths merged where they
//! meet after the same number of blocks.
//!
//! Layer k has, for each location that executions reach after k blocks, a path condition and the
//! values of the live variables as terms over the inputs.  What is constant is evaluated on the
//! way.  If no execution goes on from the last layer and none has reached a goal, the program is
//! safe: its loops have bounds.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::liveness::CutLiveness;
use super::problem::Problem;
use crate::limits;
use crate::predicate::effort::AbstractionError;
use hardbop_base::budget::Budget;
use hardbop_cfa::{Goal, Location};
use hardbop_smt::{Node, SmtAnswer, SmtSolver, Symbol, Term, Terms, Unknown, Value};

/// New terms after which the check of a bound is given up: some gigabytes.
const MOST_TERMS: usize = 10_000_000;

/// The result of an unrolling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unrolled {
    /// No execution passes so many blocks, and none reaches a goal.
    Complete(u32),
    /// The blocks of a path from the entry to an error.
    Error(Vec<usize>),
    /// Executions go on beyond the limits, or reach what is not modelled.
    Longer,
    /// The check is too hard for the solver.
    Hard,
}

/// The executions that are at a location after the same number of blocks.
struct State {
    condition: Term,
    /// The values of live variables; others have their initial ones.
    values: Values,
    /// The ways here.
    arms: Vec<Arm>,
}

/// A block that leads to a state, from another state.
struct Arm {
    condition: Term,
    block: usize,
    source: Location,
}

type Values = FxHashMap<Symbol, Term>;

type Layer = BTreeMap<Location, State>;

/// Unrolls the blocks, within the limits.
///
/// # Errors
/// If the budget runs out or the solver fails.
pub fn unroll(
    terms: &mut Terms,
    problem: &mut Problem,
    mut solver: Box<dyn SmtSolver>,
    limits: &limits::Unrolling,
    budget: &Budget,
) -> Result<Unrolled, AbstractionError> {
    let most = terms.len().saturating_add(limits.terms);
    solver.limit_conflicts(Some(limits.conflicts));
    let within = budget.trial(limits.work);
    let mut unrolling = Unrolling::new(terms, problem, &within);
    // Goals that the solver gives up, each with the number of layers before it.
    let mut hard: Vec<(usize, State)> = vec![];
    for rounds in 0..=limits.rounds {
        if unrolling.layers.last().is_none_or(Layer::is_empty) {
            // All loops have ended: it is worth more.
            solver.limit_conflicts(Some(limits.last_conflicts));
            for (layers, state) in hard {
                match solver.check(unrolling.terms, &[state.condition], budget)? {
                    SmtAnswer::Unsat => {}
                    SmtAnswer::Sat => {
                        unrolling.layers.truncate(layers);
                        return Ok(Unrolled::Error(unrolling.path(&mut *solver, &state)?));
                    }
                    SmtAnswer::Unknown(Unknown::Exhausted(e)) => {
                        return Err(Unknown::from(e).into());
                    }
                    SmtAnswer::Unknown(Unknown::Incomplete(_)) => return Ok(Unrolled::Hard),
                }
            }
            return Ok(Unrolled::Complete(rounds));
        }
        if unrolling.terms.len() > most {
            break;
        }
        let mut next = unrolling.round()?;
        let locations: Vec<Location> = next.keys().copied().collect();
        for location in locations {
            let Some(state) = next.get(&location) else { continue };
            let goal = unrolling.problem.automaton.goal(location);
            let is_certain = unrolling.terms.value(state.condition) == Some(Value::Bool(true));
            if is_certain && goal.is_none() {
                continue;
            }
            let answer = match goal {
                Some(Goal::Error) if !hard.is_empty() => None,
                _ => Some(solver.check(unrolling.terms, &[state.condition], &within)?),
            };
            match answer {
                Some(SmtAnswer::Unsat) => {
                    next.remove(&location);
                    continue;
                }
                Some(SmtAnswer::Sat) => {}
                Some(SmtAnswer::Unknown(Unknown::Exhausted(e))) => {
                    return Err(Unknown::from(e).into());
                }
                None | Some(SmtAnswer::Unknown(Unknown::Incomplete(_))) => {
                    if !matches!(goal, Some(Goal::Error)) {
                        return Ok(Unrolled::Hard);
                    }
                    let state = next.remove(&location);
                    hard.extend(state.map(|state| (unrolling.layers.len(), state)));
                    continue;
                }
            }
            match goal {
                Some(Goal::Error) => {
                    return Ok(Unrolled::Error(unrolling.path(&mut *solver, state)?));
                }
                Some(Goal::Unsupported(..) | Goal::Depth(..)) => return Ok(Unrolled::Longer),
                None => {}
            }
        }
        unrolling.layers.push(next);
    }
    Ok(Unrolled::Longer)
}

/// Does an execution pass so many blocks, or reach a goal?  One query about all of them; `Unsat`
/// proves the program safe.
///
/// # Errors
/// If the budget runs out or the solver fails.
pub fn exceeds(
    terms: &mut Terms,
    problem: &mut Problem,
    mut solver: Box<dyn SmtSolver>,
    rounds: u32,
    budget: &Budget,
) -> Result<SmtAnswer, AbstractionError> {
    let mut unrolling = Unrolling::new(terms, problem, budget);
    let most = unrolling.terms.len().saturating_add(MOST_TERMS);
    let mut wrong = vec![];
    for _ in 0..rounds {
        if unrolling.layers.iter().all(Layer::is_empty) {
            break;
        }
        if unrolling.terms.len() > most {
            let why = "the unrolled program is too large".to_owned();
            return Ok(SmtAnswer::Unknown(Unknown::Incomplete(why)));
        }
        let mut next = unrolling.round()?;
        let automaton = &unrolling.problem.automaton;
        wrong.extend(
            next.extract_if(.., |l, _| automaton.goal(*l).is_some()).map(|(_, s)| s.condition),
        );
        unrolling.layers = vec![next];
    }
    wrong.extend(unrolling.layers.iter().flat_map(Layer::values).map(|state| state.condition));
    let wrong = unrolling.terms.or(&wrong);
    solver.assert(unrolling.terms, wrong)?;
    Ok(solver.check(unrolling.terms, &[], budget)?)
}

struct Unrolling<'a> {
    terms: &'a mut Terms,
    problem: &'a mut Problem,
    live: CutLiveness,
    budget: &'a Budget,
    layers: Vec<Layer>,
    /// The last instance of each variable that is in use.
    last: FxHashMap<Symbol, u32>,
}

impl<'a> Unrolling<'a> {
    fn new(terms: &'a mut Terms, problem: &'a mut Problem, budget: &'a Budget) -> Self {
        let live = CutLiveness::new(terms, problem);
        let condition = terms.bool(true);
        let state = State { condition, values: FxHashMap::default(), arms: vec![] };
        let layers = vec![Layer::from([(problem.automaton.entry, state)])];
        Self { terms, problem, live, budget, layers, last: FxHashMap::default() }
    }

    /// The states after one more block.
    fn round(&mut self) -> Result<Layer, AbstractionError> {
        let last = self.layers.pop().unwrap_or_default();
        let mut met: BTreeMap<Location, Vec<(Arm, Values)>> = BTreeMap::new();
        for (&source, state) in &last {
            for block in self.problem.summary.outgoing(source) {
                self.budget.check().map_err(Unknown::from)?;
                let (condition, values) = self.pass(state, block);
                if self.terms.value(condition) != Some(Value::Bool(false)) {
                    let target = self.problem.target(block);
                    met.entry(target).or_default().push((Arm { condition, block, source }, values));
                }
            }
        }
        self.layers.push(last);
        Ok(met.into_iter().map(|(l, arms)| (l, self.merge(l, arms))).collect())
    }

    /// The condition under which a state passes a block, and the values of what is live then.
    fn pass(&mut self, state: &State, block: usize) -> (Term, Values) {
        let relation = self.problem.relation(self.terms, block).clone();
        let mut inner: FxHashMap<Term, Term> = FxHashMap::default();
        let last = &mut self.last;
        let mut rename = |terms: &mut Terms, inner: &mut FxHashMap<Term, Term>, t: Term| {
            terms.substitute(t, |terms, leaf| {
                let &Node::Instance(symbol, index) = terms.node(leaf) else { return None };
                if index == 0 {
                    return state.values.get(&symbol).copied();
                }
                Some(*inner.entry(leaf).or_insert_with(|| {
                    let next = last.entry(symbol).or_default();
                    *next += 1;
                    terms.instance(symbol, *next)
                }))
            })
        };
        for &(instance, definition) in &relation.definitions {
            let value = rename(self.terms, &mut inner, definition);
            inner.insert(instance, value);
        }
        let mut condition = vec![state.condition];
        for &c in &relation.conjuncts[relation.definitions.len()..] {
            condition.push(rename(self.terms, &mut inner, c));
        }
        let target = self.problem.target(block);
        let kept = state.values.iter().filter(|(s, _)| self.live.is_live(target, **s));
        let mut values: Values = kept.map(|(&s, &t)| (s, t)).collect();
        for &(s, t) in &relation.post {
            if self.live.is_live(target, s) {
                let value = rename(self.terms, &mut inner, t);
                values.insert(s, value);
            }
        }
        (self.terms.and(&condition), values)
    }

    /// The executions of all arms.
    fn merge(&mut self, location: Location, arms: Vec<(Arm, Values)>) -> State {
        let conditions: Vec<Term> = arms.iter().map(|(arm, _)| arm.condition).collect();
        let condition = self.terms.or(&conditions);
        let mut values = FxHashMap::default();
        for symbol in self.live.at(location) {
            let mut merged = None;
            for (arm, values) in &arms {
                let value = values.get(&symbol).copied();
                let value = value.unwrap_or_else(|| self.terms.instance(symbol, 0));
                merged = Some(match merged {
                    None => value,
                    Some(others) => self.terms.ite(arm.condition, value, others),
                });
            }
            values.extend(merged.map(|value| (symbol, value)));
        }
        State { condition, values, arms: arms.into_iter().map(|(arm, _)| arm).collect() }
    }

    /// The blocks on the way to a state that the solver's model takes.
    fn path(
        &self,
        solver: &mut dyn SmtSolver,
        end: &State,
    ) -> Result<Vec<usize>, AbstractionError> {
        let mut blocks = vec![];
        let mut state = end;
        for layer in self.layers.iter().rev() {
            let conditions: Vec<Term> = state.arms.iter().map(|arm| arm.condition).collect();
            let values = solver.values(self.terms, &conditions)?;
            let taken = values.iter().position(|&v| v == Value::Bool(true));
            let Some((arm, before)) = taken.and_then(|i| {
                let arm = &state.arms[i];
                Some((arm, layer.get(&arm.source)?))
            }) else {
                break;
            };
            blocks.push(arm.block);
            state = before;
        }
        blocks.reverse();
        Ok(blocks)
    }
}
