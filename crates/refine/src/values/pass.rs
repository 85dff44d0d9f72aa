//! Passes from one state between blocks to all that follow it, edge by edge.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::hop::{Hop, Hops, Outcome, Remembered};
use super::machine::code::{Action, Code};
use super::machine::interval::Interval;
use super::machine::narrow::Machine;
use super::machine::state::{Cell, State};
use super::store::{Intervals, Row, pack, unpack};
use hardbop_cfa::summarise::Summary;
use hardbop_cfa::{Automaton, Location};
use hardbop_smt::Terms;

/// Takes states through the blocks of an automaton.
pub struct Passage {
    pub machine: Machine,
    pub graph: Rc<Graph>,
    pub intervals: Intervals,
    /// The hops that are remembered; none at first.
    pub hops: Hops,
    /// The states from which all that follows is known, by location where paths in a block join.
    passed: FxHashMap<Location, FxHashSet<Row>>,
    /// How many these are.
    remembered: usize,
    /// Numbers of unknown values so far.
    unknowns: u32,
    /// Edges passed so far, and hops that were known; and the most.
    pub steps: u64,
    pub most: u64,
    /// The most states at once, from one before them.
    pub breadth: usize,
    /// The most forks of a hop.
    pub forks: usize,
}

/// The states in blocks, by their place in the order.
#[derive(Default)]
struct Front {
    states: BTreeMap<u32, Vec<Row>>,
    /// The states at the ends of the blocks.
    found: Vec<(Location, Row)>,
    /// How many there are in all.
    count: usize,
}

/// The most states within blocks that are remembered, so that they need some dozens of megabytes at
/// most.
const PASSED: usize = 400_000;

impl Passage {
    /// `None`: the automaton has integers, or blocks in which an edge occurs several times.
    pub fn new(terms: &Terms, automaton: &Automaton, summary: &Summary, few: u64) -> Option<Self> {
        if summary.blocks.iter().any(|b| !b.depths.is_empty()) {
            return None;
        }
        let mut code = Code::new(terms, automaton)?;
        let graph = Rc::new(Graph::new(terms, automaton, summary, &mut code));
        Some(Self {
            machine: Machine::new(code, few),
            graph,
            intervals: Intervals::default(),
            hops: Hops::new(0),
            passed: FxHashMap::default(),
            remembered: 0,
            unknowns: 0,
            steps: 0,
            most: u64::MAX,
            breadth: usize::MAX,
            forks: usize::MAX,
        })
    }

    /// The number of a new unknown value.
    fn fresh(&mut self) -> u32 {
        self.unknowns += 1;
        self.unknowns
    }

    /// The state at a location, packed.
    pub fn pack(&self, at: Location, state: &State) -> Row {
        pack((&self.intervals, &self.machine.code), self.graph.live(at), state)
    }

    /// The state at a location of which [`Passage::pack`] gives this row.
    pub fn unpack(&self, at: Location, row: &[u32]) -> State {
        unpack((&self.intervals, &self.machine.code), self.graph.live(at), row)
    }

    /// Goes on from a state: new unknowns are not those that it has, nor those of states that are
    /// unpacked on the way.
    pub fn resume(&mut self, state: &State) {
        let unpacked = 2 * self.machine.code.variables.len() as u32;
        let unknowns = state.cells.iter().map(|c| c.unknown);
        self.unknowns = unknowns.fold(unpacked, u32::max);
    }

    /// New unknowns are not those of a state, either, which was made on the way.
    pub fn avoid(&mut self, state: &State) {
        let unknowns = state.cells.iter().map(|c| c.unknown);
        self.unknowns = unknowns.fold(self.unknowns, u32::max);
    }

    /// Forgets what follows states within blocks: [`Passage::pass`] finds it again.
    pub fn forget(&mut self) {
        self.passed.clear();
        self.remembered = 0;
    }

    /// All states, packed, to which the blocks that begin at a location lead from one of its
    /// states, but for those to which paths from states before it have led, since
    /// [`Passage::forget`]; `None`: it takes too many steps.
    pub fn pass(
        &mut self,
        terms: &Terms,
        from: Location,
        row: Row,
    ) -> Option<Vec<(Location, Row)>> {
        let mut front = Front::default();
        self.leave(terms, from, row, &mut front)?;
        while let Some((place, rows)) = front.states.pop_first() {
            front.count -= rows.len();
            let at = self.graph.locations[place as usize];
            for row in rows {
                self.leave(terms, at, row, &mut front)?;
            }
            let most = front.count > self.breadth;
            if self.steps > self.most || most {
                return None;
            }
        }
        Some(front.found)
    }

    /// Goes on from a state to where paths join or blocks end, or farther as long as there is one
    /// way; `None`: it takes too many steps.
    fn leave(&mut self, terms: &Terms, at: Location, row: Row, front: &mut Front) -> Option<()> {
        let mut remembered = Remembered::Nothing;
        // A state that is alone is faster without.
        if !front.states.is_empty() && self.hops.pays(at) {
            remembered = self.hops.find(&self.graph, &self.machine.code, at, &row);
        }
        if let Remembered::Rows(rows) = remembered {
            self.steps += 1;
            rows.into_iter().for_each(|(at, row)| self.arrive(at, row, front));
            return Some(());
        }
        let learns = matches!(remembered, Remembered::New).then_some(&row);
        let mut next = Some((at, self.unpack(at, &row)));
        while let Some((at, state)) = next {
            next = self.hop(terms, (at, state), learns, front)?;
        }
        Some(())
    }

    /// A hop from a state; what follows the row, if one is given, is remembered.  If one state
    /// alone is on its way then, it is returned as it is.
    fn hop(
        &mut self,
        terms: &Terms,
        (at, state): (Location, State),
        learns: Option<&Row>,
        front: &mut Front,
    ) -> Option<Option<(Location, State)>> {
        self.resume(&state);
        let (graph, forks) = (self.graph.clone(), self.forks);
        let mut hop = Hop::new(at, state, learns.is_some());
        let mut ends = vec![];
        // The first outcome waits, as long as it may be the only one.
        let mut first: Option<Outcome> = None;
        let mut is_alone = learns.is_none() && front.states.is_empty();
        loop {
            let step = |e, state| Ok::<_, std::convert::Infallible>(self.step(terms, e, state));
            let Ok(outcome) = hop.next(&graph, forks, step);
            if self.steps > self.most || hop.forks > forks || front.count > self.breadth {
                return None;
            }
            let Some(outcome) = outcome else { break };
            if is_alone && first.is_none() && !graph.is_cut(outcome.at) {
                first = Some(outcome);
                continue;
            }
            is_alone = false;
            for outcome in first.take().into_iter().chain([outcome]) {
                let row = self.pack(outcome.at, &outcome.state);
                self.arrive(outcome.at, row.clone(), front);
                if learns.is_some() {
                    ends.push(outcome.end(row));
                }
            }
        }
        if let (Some(reads), Some(row)) = (&hop.reads, learns) {
            self.hops.learn(&graph, &self.intervals, (at, row), (reads, ends));
        }
        // What is dead is forgotten here as well: how precise a state is does not depend on how
        // many there are, and the check meets them one by one.
        Some(first.map(|Outcome { at, state, .. }| (at, self.unpack(at, &self.pack(at, &state)))))
    }

    /// Takes in a state at a location.  Where paths join, one is followed of those that do not
    /// differ in what is live: where each of many processes may run or not, this makes n steps of
    /// 2^n.
    fn arrive(&mut self, at: Location, row: Row, front: &mut Front) {
        front.count += 1;
        if self.graph.is_cut(at) {
            front.found.push((at, row));
            return;
        }
        if self.remembered > PASSED {
            self.forget();
        }
        if !self.passed.entry(at).or_default().insert(row.clone()) {
            front.count -= 1;
            return;
        }
        self.remembered += 1;
        front.states.entry(self.graph.order[at.index()]).or_default().push(row);
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
