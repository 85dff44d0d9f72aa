//! From one state between blocks to all that follow it, edge by edge.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Action, Code, Variable};
use super::interval::Interval;
use super::narrow::Machine;
use super::state::{Cell, State};
use super::store::{Row, pack, unpack};
use crate::program::cfa::live::Liveness;
use crate::program::cfa::summarise::{Summary, postorder};
use crate::program::cfa::{Automaton, Location};
use crate::solve::smt::Terms;

/// Takes states through the blocks of an automaton.
pub struct Passage {
    pub machine: Machine,
    outgoing: Vec<Vec<u32>>,
    incoming: Vec<u32>,
    targets: Vec<Location>,
    /// By location: does a block end there?
    is_cut: Vec<bool>,
    /// By location that is no cut: its place in an order in which every edge leads on.
    order: Vec<u32>,
    locations: Vec<Location>,
    live: Liveness,
    /// By location where paths in a block join, once it is asked for: the variables that are live there.
    joins: FxHashMap<Location, Rc<[Variable]>>,
    /// By location where paths in a block join: the states there from which all that follows is known.
    passed: FxHashMap<Location, FxHashSet<Row>>,
    /// How many these are.
    remembered: usize,
    /// Numbers of unknown values so far.
    unknowns: u32,
    /// Edges passed so far, and the most.
    pub steps: u64,
    pub most: u64,
    /// The most states at once, from one before them.
    pub breadth: usize,
    /// The most memory for them, in bytes.
    pub memory: usize,
}

/// The states in blocks, by their place in the order.
#[derive(Default)]
struct Front {
    states: BTreeMap<u32, Vec<Waiting>>,
    /// Those at the ends of the blocks.
    found: Vec<(Location, Row)>,
    /// How many there are in all, and their size in bytes.
    count: usize,
    bytes: usize,
}

/// A state in a block; where paths join, or where there are many, packed.
enum Waiting {
    Alone(State),
    Packed(Row),
}

impl Waiting {
    /// Its size in bytes.
    fn bytes(&self) -> usize {
        match self {
            Self::Alone(state) => state.cells.len() * size_of::<Cell>(),
            Self::Packed(row) => row.len(),
        }
    }
}

/// The most states within blocks that are remembered, so that they need some dozens of megabytes at most.
const PASSED: usize = 400_000;

/// Up to so many states wait unpacked.
const FEW: usize = 1_000;

impl Passage {
    /// `None`: the automaton has integers, or blocks in which an edge occurs several times.
    pub fn new(terms: &Terms, automaton: &Automaton, summary: &Summary, few: u64) -> Option<Self> {
        if summary.blocks.iter().any(|b| !b.depths.is_empty()) {
            return None;
        }
        let code = Code::new(terms, automaton)?;
        let count = automaton.locations as usize;
        let mut is_cut = vec![false; count];
        summary.locations.iter().for_each(|l| is_cut[l.index()] = true);
        let outgoing = automaton.outgoing();
        let mut incoming = vec![0; count];
        automaton.edges.iter().for_each(|e| incoming[e.target.index()] += 1);
        let targets: Vec<Location> = automaton.edges.iter().map(|e| e.target).collect();
        let mut order = vec![0; count];
        let mut locations = vec![];
        let inner = |l: Location| {
            let next = outgoing[l.index()].iter().map(|&e| targets[e as usize]);
            next.filter(|t| !is_cut[t.index()])
        };
        let mut seen = vec![false; count];
        for &cut in &summary.locations {
            // Those that were seen from an earlier cut come after all that is new here.
            let new = postorder(cut, |l| inner(l).filter(|t| !seen[t.index()]));
            let first = locations.len();
            locations.extend(new.into_iter().filter(|&l| l != cut));
            locations[first..].iter().for_each(|l| seen[l.index()] = true);
        }
        locations.reverse();
        for (place, l) in (0..).zip(&locations) {
            order[l.index()] = place;
        }
        let live = Liveness::new(terms, automaton);
        Some(Self {
            machine: Machine::new(code, few),
            outgoing,
            incoming,
            targets,
            is_cut,
            order,
            locations,
            live,
            joins: FxHashMap::default(),
            passed: FxHashMap::default(),
            remembered: 0,
            unknowns: 0,
            steps: 0,
            most: u64::MAX,
            breadth: usize::MAX,
            memory: usize::MAX,
        })
    }

    /// What is known of a new unknown value.
    fn fresh(&mut self) -> u32 {
        self.unknowns += 1;
        self.unknowns
    }

    /// The variables that are live at a location where paths join.
    pub fn live(&mut self, at: Location) -> Rc<[Variable]> {
        let (live, code) = (&self.live, &self.machine.code);
        let all = self.joins.entry(at).or_insert_with(|| {
            let all = code.variables.iter().zip(0..);
            all.filter(|((s, _), _)| live.contains(at, *s)).map(|(_, v)| v).collect()
        });
        all.clone()
    }

    /// Does a block end there?
    pub fn is_cut(&self, at: Location) -> bool {
        self.is_cut[at.index()]
    }

    /// Do several edges lead there?
    pub fn joins(&self, at: Location) -> bool {
        self.incoming[at.index()] > 1
    }

    /// The edges that leave a location.
    pub fn outgoing(&self, at: Location) -> Vec<u32> {
        self.outgoing[at.index()].clone()
    }

    /// The variables that each edge reads.
    pub fn reads(&mut self) -> Vec<Vec<Variable>> {
        let registers = |action: &Action| match action {
            Action::Assume(r) => vec![*r],
            Action::Assign(all) => all.iter().map(|&(_, r)| r).collect(),
            Action::Skip | Action::Havoc(_) => vec![],
        };
        let all: Vec<Vec<u32>> = self.machine.code.actions.iter().map(registers).collect();
        all.iter().map(|registers| self.machine.code.reads(registers)).collect()
    }

    /// Goes on from a state: new unknowns are not those that it has, nor those of states that are unpacked on the way.
    pub fn resume(&mut self, state: &State) {
        let unpacked = 2 * self.machine.code.variables.len() as u32;
        let unknowns = state.cells.iter().map(|c| c.unknown);
        self.unknowns = unknowns.fold(unpacked, u32::max);
    }

    /// Forgets what follows states within blocks: [`Passage::pass`] finds it again.
    pub fn forget(&mut self) {
        self.passed.clear();
        self.remembered = 0;
    }

    /// All states, packed, to which the blocks that begin at a location lead from one of its states, but for those to which paths
    /// from states before it have led, since [`Passage::forget`]; `None`: it takes too many steps.
    pub fn pass(
        &mut self,
        terms: &Terms,
        from: Location,
        state: State,
    ) -> Option<Vec<(Location, Row)>> {
        let mut front = Front::default();
        self.resume(&state);
        self.leave(terms, from, state, &mut front);
        while let Some((place, states)) = front.states.pop_first() {
            front.count -= states.len();
            front.bytes -= states.iter().map(Waiting::bytes).sum::<usize>();
            let at = self.locations[place as usize];
            for state in states {
                let state = match state {
                    Waiting::Alone(state) => state,
                    Waiting::Packed(row) => {
                        let live = self.live(at);
                        unpack(&self.machine.code, &live, &row)
                    }
                };
                self.leave(terms, at, state, &mut front);
            }
            let most = front.count > self.breadth || front.bytes > self.memory;
            if self.steps > self.most || most {
                return None;
            }
        }
        Some(front.found)
    }

    /// Passes the edges of a location, and goes on as long as there is one way.
    fn leave(&mut self, terms: &Terms, mut at: Location, mut state: State, front: &mut Front) {
        loop {
            let mut only: Option<(Location, State)> = None;
            let edges = std::mem::take(&mut self.outgoing[at.index()]);
            for (i, &e) in edges.iter().enumerate() {
                let is_last = i + 1 == edges.len();
                let before = if is_last {
                    std::mem::replace(&mut state, State { cells: vec![] })
                } else {
                    state.clone()
                };
                let target = self.targets[e as usize];
                for after in self.step(terms, e, before) {
                    if let Some((l, s)) = only.replace((target, after)) {
                        self.arrive(l, s, front);
                    }
                }
            }
            self.outgoing[at.index()] = edges;
            let Some((target, next)) = only else { return };
            let is_direct = !self.is_cut[target.index()]
                && (front.states.is_empty() || self.incoming[target.index()] == 1);
            if !is_direct {
                self.arrive(target, next, front);
                return;
            }
            (at, state) = (target, next);
        }
    }

    /// Takes in a state at a location.  Where paths join, one is followed of those that do not differ in what is live:
    /// where each of many processes may run or not, this makes n steps of 2^n.
    fn arrive(&mut self, at: Location, state: State, front: &mut Front) {
        let is_cut = self.is_cut[at.index()];
        if !is_cut && !self.joins(at) && front.count < FEW {
            let waiting = Waiting::Alone(state);
            front.bytes += waiting.bytes();
            front.count += 1;
            front.states.entry(self.order[at.index()]).or_default().push(waiting);
            return;
        }
        let live = self.live(at);
        let row = pack(&self.machine.code, &live, &state);
        if is_cut {
            front.bytes += row.len();
            front.found.push((at, row));
        } else {
            if self.remembered > PASSED {
                self.forget();
            }
            if !self.passed.entry(at).or_default().insert(row.clone()) {
                return;
            }
            self.remembered += 1;
            front.bytes += row.len();
            let waiting = front.states.entry(self.order[at.index()]).or_default();
            waiting.push(Waiting::Packed(row));
        }
        front.count += 1;
    }

    /// The states after an edge.
    pub fn step(&mut self, terms: &Terms, edge: u32, state: State) -> Vec<State> {
        self.steps += 1;
        match self.machine.code.actions[edge as usize].clone() {
            Action::Skip => vec![state],
            Action::Assume(condition) => {
                match self.machine.evaluate(terms, &state, condition).only() {
                    Some(0) => vec![],
                    Some(_) => vec![state],
                    None => self.machine.narrow(terms, state, condition, Interval::TRUE, 0),
                }
            }
            Action::Havoc(v) => {
                let mut state = state;
                let unknown = self.fresh();
                let sort = self.machine.code.variables[v as usize].1;
                state.set(v, Cell::new(Interval::all(sort), unknown));
                vec![state]
            }
            Action::Assign(all) => self.assign(terms, state, &all),
        }
    }

    fn assign(&mut self, terms: &Terms, mut state: State, all: &[(u32, u32)]) -> Vec<State> {
        let mut new = vec![];
        for &(to, register) in all {
            let mut cell = self.machine.value(terms, &state, register);
            if cell.interval.only().is_none() && cell.unknown == 0 {
                if let Some(parts) = self.machine.split(&state, register) {
                    return parts.into_iter().flat_map(|s| self.assign(terms, s, all)).collect();
                }
                cell.unknown = self.fresh();
            }
            new.push((to, cell));
        }
        new.into_iter().for_each(|(to, cell)| state.set(to, cell));
        vec![state]
    }

    pub fn code(&self) -> &Code {
        &self.machine.code
    }
}
