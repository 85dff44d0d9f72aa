//! The affine spaces of the points that executions reach, at each location where blocks end: a
//! least fixed point (Karr, "Affine Relationships Among Variables of a Program", Acta Informatica
//! 1976).
//!
//! Spaces only grow, and cannot do so for ever, so nothing is widened.  A location has a space for
//! each combination of known rests: where the text asks whether `i` is even, the points with even
//! and with odd `i` have different relations.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::code::{Action, Code, Constraint, Quantity};
use super::space::{Form, Number, Space};
use crate::block::problem::Problem;
use crate::limits;
use hardbop_cfa::summarise::{Block, Point};
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::{Comparison, Symbol};

/// Spaces by what is known of rests.
#[derive(Debug, Clone, Default)]
pub struct States(Vec<(Vec<Option<Number>>, Space)>);

impl States {
    /// The spaces.
    pub fn spaces(&self) -> impl Iterator<Item = &Space> {
        self.0.iter().map(|(_, space)| space)
    }
}

/// The work has got too much.
pub struct TooMuch;

/// The spaces of each location where blocks end.
pub fn spaces(
    problem: &Problem,
    code: &Code,
    limits: limits::Affine,
    work: &mut u64,
) -> Result<FxHashMap<Location, States>, TooMuch> {
    let mut rests = vec![];
    for (i, &quantity) in code.quantities.iter().enumerate() {
        if let Quantity::Rest(of, by) = quantity {
            rests.push(Rest { column: i + 1, of: code.column(of), symbol: of, by });
        }
    }
    let mut analysis = Analysis { automaton: &problem.automaton, code, rests, limits, work };
    let mut at: FxHashMap<Location, States> = FxHashMap::default();
    let entry = problem.automaton.entry;
    let first = Space::everything(code.quantities.len() + 1);
    at.insert(entry, States(vec![(analysis.key(&first), first)]));
    let goals: BTreeSet<Location> = problem.automaton.goals.iter().map(|&(l, _)| l).collect();
    let mut todo = BTreeSet::from([entry]);
    while let Some(location) = todo.pop_first() {
        for b in problem.summary.outgoing(location) {
            let block = &problem.summary.blocks[b];
            if goals.contains(&block.target) {
                continue;
            }
            let after = analysis.block(block, &at[&location])?;
            if analysis.join(at.entry(block.target).or_default(), after) {
                todo.insert(block.target);
            }
        }
    }
    Ok(at)
}

/// The column of a rest, and that of its variable.
struct Rest {
    column: usize,
    of: Option<usize>,
    symbol: Symbol,
    by: u64,
}

struct Analysis<'a> {
    automaton: &'a Automaton,
    code: &'a Code,
    rests: Vec<Rest>,
    limits: limits::Affine,
    /// Multiplications so far.
    work: &'a mut u64,
}

impl Analysis<'_> {
    /// The rests of a space that are known: points are told apart by them.
    fn key(&self, space: &Space) -> Vec<Option<Number>> {
        self.rests.iter().map(|r| space.value(&Form::column(r.column))).collect()
    }

    /// The points after a block.
    fn block(&mut self, block: &Block, before: &States) -> Result<States, TooMuch> {
        let mut arrived: FxHashMap<Point, States> = FxHashMap::default();
        let mut current = (block.start(), before.clone());
        for (number, from, to) in block.steps(self.automaton) {
            if from != current.0 {
                // All edges to this point have been passed before.
                current = (from, arrived.remove(&from).unwrap_or_default());
            }
            let mut after = States::default();
            let action = &self.code.actions[number as usize];
            for (_, space) in &current.1.0 {
                for space in self.pass(action, space) {
                    let key = self.key(&space);
                    self.add(&mut after, key, space);
                }
            }
            self.join(arrived.entry(to).or_default(), after);
            if *self.work > self.limits.work {
                return Err(TooMuch);
            }
        }
        Ok(arrived.remove(&block.end()).unwrap_or_default())
    }

    fn join(&mut self, to: &mut States, from: States) -> bool {
        let mut grown = false;
        for (key, space) in from.0 {
            grown |= self.add(to, key, space);
        }
        grown
    }

    /// Adds a space; `false` if its points are there already.
    fn add(&mut self, to: &mut States, key: Vec<Option<Number>>, space: Space) -> bool {
        let full = to.0.len() >= self.limits.parts;
        // The last part takes up what has no room.
        let last = to.0.len().saturating_sub(1);
        let place = to.0.iter().position(|(k, _)| *k == key).or(full.then_some(last));
        match place {
            Some(i) => to.0[i].1.join(&space, self.work),
            None => {
                to.0.push((key, space));
                true
            }
        }
    }

    /// The points after an edge.
    fn pass(&mut self, action: &Action, space: &Space) -> Vec<Space> {
        let mut space = space.clone();
        *self.work += self.code.quantities.len() as u64;
        match action {
            Action::Skip => vec![space],
            Action::Assume(constraints) => {
                let is_possible = constraints.iter().all(|c| assume(&mut space, c));
                if is_possible { vec![space] } else { vec![] }
            }
            Action::Assign(all) => {
                // All combinations of choices, or any value where these get too many.
                let mut combinations: Vec<Vec<(usize, Option<&Form>)>> = vec![vec![]];
                for (column, choice) in all {
                    let choices: Vec<Option<&Form>> = match choice {
                        Some(forms) if forms.len() * combinations.len() <= self.limits.choices => {
                            forms.iter().map(Some).collect()
                        }
                        _ => vec![None],
                    };
                    let longer = combinations.iter().flat_map(|c| {
                        choices.iter().map(|&f| c.iter().copied().chain([(*column, f)]).collect())
                    });
                    combinations = longer.collect();
                }
                let assigned = combinations.into_iter().map(|changes| {
                    let mut space = space.clone();
                    self.assign(&mut space, changes);
                    space
                });
                assigned.collect()
            }
        }
    }

    /// Assigns values to variables, and so to their rests.
    fn assign(&self, space: &mut Space, changes: Vec<(usize, Option<&Form>)>) {
        let mut rests: Vec<(usize, Option<Form>)> = vec![];
        for rest in &self.rests {
            if let Some((_, form)) = changes.iter().find(|&&(c, _)| Some(c) == rest.of) {
                let value = form.and_then(|form| self.rest(space, form, rest.by));
                rests.push((rest.column, value.map(Form::constant)));
            }
        }
        let rests = rests.iter().map(|(column, form)| (*column, form.as_ref()));
        let all: Vec<(usize, Option<&Form>)> = changes.into_iter().chain(rests).collect();
        space.assign(&all);
    }

    /// The rest of a form, if all points agree.
    fn rest(&self, space: &Space, form: &Form, by: u64) -> Option<Number> {
        let modulo = |n: Number| (n as i64).rem_euclid(by as i64) as u64;
        let mut sum = 0;
        for &(column, factor) in &form.0 {
            let factor = modulo(factor);
            if factor == 0 {
                continue;
            }
            let value = match column {
                0 => 1,
                _ => match space.value(&Form::column(column)) {
                    Some(value) => modulo(value),
                    None => {
                        let Quantity::Variable(symbol) = self.code.quantities[column - 1] else {
                            return None;
                        };
                        let known = self.rests.iter().find(|r| r.symbol == symbol && r.by == by)?;
                        space.value(&Form::column(known.column))?
                    }
                },
            };
            sum = modulo(sum + factor * value);
        }
        Some(sum)
    }
}

/// Keeps the points that satisfy a constraint, or more; `false` if there are none.
fn assume(space: &mut Space, constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Zero(form) => space.restrict(form),
        Constraint::NonZero(form) => space.value(form) != Some(0),
        Constraint::Compare(op, width, [a, b], holds) => {
            let (Some(a), Some(b)) = (space.value(a), space.value(b)) else { return true };
            let unsigned = |n: Number| n & (u64::MAX >> (64 - width));
            *holds
                == match op {
                    Comparison::SLt => (a as i64) < b as i64,
                    Comparison::SLe => a as i64 <= b as i64,
                    Comparison::ULt => unsigned(a) < unsigned(b),
                    Comparison::ULe => unsigned(a) <= unsigned(b),
                }
        }
    }
}
