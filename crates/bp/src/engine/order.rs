//! An order of BDD variables that keeps dependent ones close together.
//!
//! FORCE (Aloul, Markov, Sakallah, "FORCE: a fast and easy-to-implement variable-ordering
//! heuristic", 2003) on the gates of functions, starting from the order in which a depth-first
//! search meets them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::limits;
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit, Node};

/// An item to be ordered: a variable of the program, by number; an input of the graph that is not
/// the value of a variable; or a gate of the graph, so that the structure of a wide function
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    Variable(u32),
    Input(Input),
    Gate(usize),
}

impl Item {
    fn is_gate(self) -> bool {
        matches!(self, Self::Gate(_))
    }
}

/// Sets of items that depend on each other.
pub struct Dependencies<'a, F> {
    aig: &'a Aig,
    /// The item of an input; `None` if it is ignored.
    input: F,
    groups: Vec<Vec<Item>>,
    /// Items in the order in which a depth-first search met them, a gate after what it depends on.
    met: Vec<Item>,
    seen: FxHashSet<Item>,
}

impl<'a, F: Fn(Input) -> Option<Item>> Dependencies<'a, F> {
    /// An order without dependencies so far; `input` gives the item of an input, or `None` to
    /// ignore it.
    pub fn new(aig: &'a Aig, input: F) -> Self {
        Self { aig, input, groups: vec![], met: vec![], seen: FxHashSet::default() }
    }

    /// The item of a node; `None` for a constant.
    pub fn item(&self, node: usize) -> Option<Item> {
        match self.aig.node(node) {
            Node::False => None,
            Node::Input(i) => (self.input)(i),
            Node::And(..) => Some(Item::Gate(node)),
        }
    }

    /// Appends an item unless it was met before; returns whether it is new.
    pub fn meet(&mut self, item: Item) -> bool {
        let new = self.seen.insert(item);
        if new {
            self.met.push(item);
        }
        new
    }

    /// Adds a function, and the item that has its value.
    pub fn function(&mut self, target: Option<Item>, value: Lit) {
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

    /// Adds a function as [`Self::function`] does, but the item comes after what its value depends
    /// on.
    pub fn output(&mut self, target: Item, value: Lit) {
        self.function(None, value);
        let ends = [target].into_iter().chain(self.item(value.node()));
        self.group(ends.collect());
    }

    /// Adds a set of items that depend on each other.
    pub fn group(&mut self, items: Vec<Item>) {
        items.iter().for_each(|&item| _ = self.meet(item));
        self.groups.push(items);
    }

    /// The items in the order in which a depth-first search met them.
    pub fn items(&self) -> Vec<Item> {
        self.met.iter().copied().filter(|item| !item.is_gate()).collect()
    }

    /// The best order that FORCE finds within so many moves of items, starting from the order in
    /// which they were met and from another one.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn force(
        self,
        other: Vec<Item>,
        moves: usize,
        limits: &limits::Order,
        budget: &Budget,
    ) -> Result<Vec<Item>, Exhausted> {
        let Self { mut groups, mut met, .. } = self;
        // A gate may be alone in its group, if everything it depends on is ignored.
        let mut other = with_gates(other, &groups);
        groups.retain(|g| g.len() > 1);
        // What depends on nothing is not moved, but comes last.
        let bound: FxHashSet<Item> = groups.iter().flatten().copied().collect();
        let free: Vec<Item> = met.iter().copied().filter(|item| !bound.contains(item)).collect();
        met.retain(|item| bound.contains(item));
        other.retain(|item| bound.contains(item));
        let order = force(&groups, [met, other], moves, limits, budget)?;
        Ok(order.into_iter().chain(free).filter(|item| !item.is_gate()).collect())
    }
}

/// Inserts each gate at the middle of what it depends on.
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

/// FORCE: moves items to the mean of the centres of their groups, as long as the groups get
/// shorter.
fn force(
    groups: &[Vec<Item>],
    starts: [Vec<Item>; 2],
    moves: usize,
    limits: &limits::Order,
    budget: &Budget,
) -> Result<Vec<Item>, Exhausted> {
    let names: Vec<Item> = starts[0].clone();
    let index: FxHashMap<Item, usize> =
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
        for _ in 0..limits.rounds.min(moves / names.len().max(1)) {
            budget.check()?;
            let now = span(&position);
            if best.as_ref().is_none_or(|(shortest, _)| now < *shortest) {
                best = Some((now, position.clone()));
                idle = 0;
            } else {
                idle += 1;
            }
            if idle > limits.patience {
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
            moved.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
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
