//! The order of BDD variables, found before the search (the library does not reorder).
//!
//! The copies of a program variable (entry value, current value, next value) are always neighbours:
//! then "nothing changes" is a relation of linear size, and a renaming keeps the order.  What is
//! ordered are program variables and block choices.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Input, Lit, Node};
use crate::summary::prepare::Prepared;
use crate::summary::state::conjuncts;

/// How variables are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VariableOrder {
    /// Variables that depend on each other come close together: FORCE (Aloul, Markov, Sakallah,
    /// "FORCE: a fast and easy-to-implement variable-ordering heuristic", 2003) on the gates of the
    /// transition functions, from the better of the other two.
    #[default]
    Dependency,
    /// As a depth-first search through the transition functions meets them.
    DepthFirst,
    /// As the program declares them.
    Declaration,
}

/// Rounds of FORCE without a better order before it ends.
const PATIENCE: usize = 8;
/// Rounds at most, and moves of items at most.
const ROUNDS: usize = 200;
const MOVES: usize = 4_000_000;

/// What is ordered: a variable of the program, by number, or a choice; and gates of the graph, which
/// are ordered with them so that the structure of a wide function counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Item {
    Variable(u32),
    Choice(Input),
    Gate(usize),
}

/// Sets of items that depend on each other, and the item of each input of the graph.
struct Dependencies<'a> {
    aig: &'a Aig,
    /// By input number.
    inputs: Vec<Option<Item>>,
    groups: Vec<Vec<Item>>,
    /// Items as a depth-first search has met them, a gate after what it depends on.
    met: Vec<Item>,
    seen: FxHashSet<Item>,
}

impl Dependencies<'_> {
    /// The item of a node; `None` for a constant.
    fn item(&self, node: usize) -> Option<Item> {
        match self.aig.node(node) {
            Node::False => None,
            Node::Input(i) => self.inputs[i.0 as usize],
            Node::And(..) => Some(Item::Gate(node)),
        }
    }

    fn meet(&mut self, item: Item) -> bool {
        let new = self.seen.insert(item);
        if new {
            self.met.push(item);
        }
        new
    }

    fn function(&mut self, target: Option<Item>, value: Lit) {
        if let Some(target) = target {
            self.meet(target);
        }
        let mut todo = vec![(value.node(), false)];
        while let Some((node, left)) = todo.pop() {
            let Some(item) = self.item(node) else { continue };
            match self.aig.node(node) {
                Node::And(a, b) if left => {
                    if self.meet(item) {
                        let below = [a, b].into_iter().filter_map(|l| self.item(l.node()));
                        self.groups.push([item].into_iter().chain(below).collect());
                    }
                }
                Node::And(a, b) if !self.seen.contains(&item) => {
                    todo.extend([(node, true), (b.node(), false), (a.node(), false)]);
                }
                Node::And(..) => {}
                _ => {
                    self.meet(item);
                }
            }
        }
        let ends = target.into_iter().chain(self.item(value.node()));
        self.groups.push(ends.collect());
    }
}

/// All items in order.
pub(super) fn order(
    aig: &Aig,
    prepared: &Prepared,
    kind: VariableOrder,
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let (inputs, all) = items(aig, prepared);
    if kind == VariableOrder::Declaration {
        return Ok(all);
    }
    let (met, seen) = (vec![], FxHashSet::default());
    let mut dependencies = Dependencies { aig, inputs, groups: vec![], met, seen };
    collect(&mut dependencies, prepared, budget)?;
    all.iter().for_each(|&item| {
        dependencies.meet(item);
    });
    let Dependencies { mut groups, met, .. } = dependencies;
    let mut order = met;
    if kind == VariableOrder::Dependency {
        groups.retain(|g| g.len() > 1);
        let declared = with_gates(all, &groups);
        order = force(&groups, [order, declared], budget)?;
    }
    order.retain(|item| !matches!(item, Item::Gate(_)));
    Ok(order)
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
                    let pair: Vec<Item> = pair.collect();
                    pair.iter().for_each(|&item| {
                        dependencies.meet(item);
                    });
                    dependencies.groups.push(pair);
                }
            }
        }
    }
    Ok(())
}

/// Inserts the gates, each where the middle of what it depends on is.
fn with_gates(items: Vec<Item>, groups: &[Vec<Item>]) -> Vec<Item> {
    let mut places: FxHashMap<Item, f64> =
        items.iter().enumerate().map(|(i, &item)| (item, i as f64)).collect();
    let mut all = items;
    for group in groups {
        if let Some((&gate @ Item::Gate(_), below)) = group.split_first()
            && !places.contains_key(&gate)
        {
            let middle = below.iter().map(|i| places[i]).sum::<f64>() / below.len().max(1) as f64;
            places.insert(gate, middle);
            all.push(gate);
        }
    }
    all.sort_by(|a, b| places[a].total_cmp(&places[b]));
    all
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
        for _ in 0..ROUNDS.min(MOVES / names.len().max(1)) {
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
