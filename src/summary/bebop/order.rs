//! The order of BDD variables, found before the search (the library does not reorder).
//!
//! The copies of a program variable (entry value, current value, next value) are always neighbours:
//! then "nothing changes" is a relation of linear size, and a renaming keeps the order.  What is
//! ordered are program variables and block choices.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Input, Lit};
use crate::summary::prepare::Prepared;
use crate::summary::state::conjuncts;

/// How variables are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableOrder {
    /// Variables that depend on each other come close together: FORCE (Aloul, Markov, Sakallah,
    /// "FORCE: a fast and easy-to-implement variable-ordering heuristic", 2003), from the better of
    /// the other two.
    #[default]
    Dependency,
    /// As a depth-first search through the transition functions meets them.
    DepthFirst,
    /// As the program declares them.
    Declaration,
}

/// Rounds of FORCE without a better order before it ends.
const PATIENCE: usize = 8;
/// Rounds at most.
const ROUNDS: usize = 200;
/// Dependencies between more than so many are no reason to put any of them close together.
const WIDE: usize = 64;

/// What is ordered: a variable of the program, by number, or a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Item {
    Variable(u32),
    Choice(Input),
}

/// Sets of items that depend on each other, and the item of each input of the graph.
struct Dependencies<'a> {
    aig: &'a Aig,
    /// By input number.
    items: Vec<Option<Item>>,
    groups: Vec<Vec<Item>>,
}

impl Dependencies<'_> {
    fn support(&self, lit: Lit) -> Vec<Item> {
        let inputs = self.aig.support([lit]);
        inputs.into_iter().filter_map(|i| self.items[i.0 as usize]).collect()
    }

    fn function(&mut self, target: Option<Item>, value: Lit) {
        let mut group: Vec<Item> = target.into_iter().collect();
        group.extend(self.support(value).into_iter().filter(|&i| Some(i) != target));
        self.groups.push(group);
    }
}

/// All items in order.
pub(super) fn order(
    aig: &Aig,
    prepared: &Prepared,
    kind: VariableOrder,
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let (items, all) = items(aig, prepared);
    if kind == VariableOrder::Declaration {
        return Ok(all);
    }
    let mut dependencies = Dependencies { aig, items, groups: vec![] };
    collect(&mut dependencies, prepared, budget)?;
    let mut seen = BTreeSet::new();
    let met = dependencies.groups.iter().flatten().chain(&all);
    let depth_first: Vec<Item> = met.copied().filter(|&i| seen.insert(i)).collect();
    if kind == VariableOrder::DepthFirst {
        return Ok(depth_first);
    }
    dependencies.groups.retain(|g| (2..=WIDE).contains(&g.len()));
    force(&dependencies.groups, [depth_first, all], budget)
}

/// The item of every input, and all items in the order of declaration: the choices of a procedure
/// after its variables.
fn items(aig: &Aig, prepared: &Prepared) -> (Vec<Option<Item>>, Vec<Item>) {
    let mut of_input = vec![None; aig.input_count()];
    let mut variables = BTreeSet::new();
    let mut all = vec![];
    let program = prepared.program;
    for p in program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()) {
        let blocks = prepared.blocks(p);
        for (v, input) in prepared.frame(p).slots.iter().zip(&blocks.inputs) {
            let item = Item::Variable(v.0);
            of_input[input.0 as usize] = Some(item);
            if variables.insert(v.0) {
                all.push(item);
            }
        }
        let choices = blocks.blocks.iter().flatten().flat_map(|b| &b.choices);
        for &c in choices.chain(blocks.calls.iter().flatten().flat_map(|s| &s.choices)) {
            of_input[c.0 as usize] = Some(Item::Choice(c));
            all.push(Item::Choice(c));
        }
    }
    (of_input, all)
}

/// The groups of all transitions, in the order of the program.
fn collect(
    dependencies: &mut Dependencies,
    prepared: &Prepared,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let program = prepared.program;
    for p in program.procedure_ids().filter(|&p| prepared.slice.procedure(p).is_some()) {
        let (blocks, frame) = (prepared.blocks(p), prepared.frame(p));
        let variable = |slot: usize| Some(Item::Variable(frame.slots[slot].0));
        for &n in &blocks.order.sequence {
            budget.check()?;
            for exit in blocks.blocks[n as usize].iter().flat_map(|b| &b.exits) {
                for condition in conjuncts(dependencies.aig, exit.state.guard) {
                    let inner =
                        !condition.is_negated() && dependencies.aig.as_input(condition).is_none();
                    if !inner {
                        dependencies.function(None, condition);
                    }
                }
                for slot in prepared.live(p, exit.target).ones() {
                    let value = exit.state.omega[slot];
                    if value != dependencies.aig.input(blocks.inputs[slot]) {
                        dependencies.function(variable(slot), value);
                    }
                }
            }
            for site in &blocks.calls[n as usize] {
                let callee = &prepared.frame(site.callee).slots;
                for &(slot, value) in &site.arguments {
                    dependencies.function(Some(Item::Variable(callee[slot].0)), value);
                }
                for &(outer, inner) in &site.results {
                    let pair = variable(outer).into_iter().chain([Item::Variable(callee[inner].0)]);
                    dependencies.groups.push(pair.collect());
                }
            }
        }
    }
    Ok(())
}

/// FORCE: items move to the mean of the centres of their groups, until the groups do not get
/// shorter.
fn force(
    groups: &[Vec<Item>],
    starts: [Vec<Item>; 2],
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let names: Vec<Item> = starts[0].clone();
    let index: std::collections::BTreeMap<Item, usize> =
        names.iter().enumerate().map(|(i, &item)| (item, i)).collect();
    let groups: Vec<Vec<usize>> =
        groups.iter().map(|g| g.iter().map(|i| index[i]).collect()).collect();
    let span = |position: &[usize]| -> usize {
        let length = |g: &Vec<usize>| {
            let at = || g.iter().map(|&i| position[i]);
            at().max().unwrap_or(0) - at().min().unwrap_or(0)
        };
        groups.iter().map(length).sum()
    };
    let mut best: Option<(usize, Vec<usize>)> = None;
    for start in starts {
        let mut position = vec![0; names.len()];
        for (place, item) in start.iter().enumerate() {
            position[index[item]] = place;
        }
        let mut idle = 0;
        for _ in 0..ROUNDS {
            budget.check()?;
            let now = span(&position);
            if best.as_ref().is_none_or(|(shortest, _)| now < *shortest) {
                best = Some((now, position.clone()));
                idle = 0;
            } else {
                idle += 1;
            }
            if idle > PATIENCE {
                break;
            }
            let mut pull = vec![(0.0_f64, 0_u32); names.len()];
            for g in &groups {
                let centre = g.iter().map(|&i| position[i] as f64).sum::<f64>() / g.len() as f64;
                for &i in g {
                    pull[i].0 += centre;
                    pull[i].1 += 1;
                }
            }
            let mut moved: Vec<(f64, usize, usize)> = pull
                .iter()
                .enumerate()
                .map(|(i, &(sum, count))| match count {
                    0 => (position[i] as f64, position[i], i),
                    _ => (sum / f64::from(count), position[i], i),
                })
                .collect();
            moved.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for (place, &(_, _, i)) in moved.iter().enumerate() {
                position[i] = place;
            }
        }
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    if let Some((_, position)) = best {
        order.sort_by_key(|&i| position[i]);
    }
    Ok(order.into_iter().map(|i| names[i]).collect())
}
