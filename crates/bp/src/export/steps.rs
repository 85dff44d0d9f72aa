//! Locations and latches of a circuit, and the steps that set them.

use rustc_hash::FxHashMap;

use crate::language::program::{NodeId, ProcId};
use hardbop_logic::{Aig, Input, Latch, Lit, Sequential};

/// A cut node of a procedure.
pub(super) type Location = (ProcId, NodeId);

/// A latch that is being made.
struct Cell {
    state: Input,
    name: String,
    /// Steps that write it, with the values.
    writes: Vec<(Lit, Lit)>,
}

/// The steps of a circuit, so far.  No two of them are taken at once; where none is, the circuit
/// stays where it is.
pub(super) struct Steps {
    /// Numbers of the locations; 0 is the start, for latches are 0 at first.
    numbers: FxHashMap<Location, usize>,
    /// The literal that says that the circuit is at a location, by number.
    here: Vec<Lit>,
    /// The steps that end at each location, by number.
    entering: Vec<Vec<Lit>>,
    /// The bits of the location's number: with ABC's `pdr` far better on safe programs than a latch
    /// for each location, whose exclusion takes clauses.
    counter: Vec<Input>,
    cells: Vec<Cell>,
    /// The cell of each latch.
    place: FxHashMap<Input, usize>,
    failing: Vec<Lit>,
}

impl Steps {
    pub fn new(aig: &mut Aig, start: Location, locations: &[Location]) -> Self {
        let mut order = vec![start];
        order.extend(locations.iter().copied().filter(|&l| l != start));
        let bits = usize::BITS - (order.len() - 1).leading_zeros();
        let counter: Vec<Input> = (0..bits).map(|_| aig.new_input()).collect();
        let states: Vec<Lit> = counter.iter().map(|&c| aig.input(c)).collect();
        let here = (0..order.len())
            .map(|number| {
                let bits = states.iter().enumerate();
                aig.and_all(bits.map(|(bit, s)| s.xor_sign(number >> bit & 1 == 0)))
            })
            .collect();
        Self {
            numbers: order.iter().copied().zip(0..).collect(),
            here,
            entering: vec![vec![]; order.len()],
            counter,
            cells: vec![],
            place: FxHashMap::default(),
            failing: vec![],
        }
    }

    /// A new latch.
    pub fn latch(&mut self, aig: &mut Aig, name: &str) -> Input {
        let state = aig.new_input();
        self.place.insert(state, self.cells.len());
        self.cells.push(Cell { state, name: name.replace(['\n', '\r'], " "), writes: vec![] });
        state
    }

    /// Whether one is at a location.
    pub fn at(&self, location: Location) -> Lit {
        self.here[self.numbers[&location]]
    }

    /// A step that ends at a location.
    pub fn enter(&mut self, location: Location, guard: Lit) {
        self.entering[self.numbers[&location]].push(guard);
    }

    /// A step that sets a latch.
    pub fn write(&mut self, latch: Input, guard: Lit, value: Lit) {
        if guard != Lit::FALSE {
            self.cells[self.place[&latch]].writes.push((guard, value));
        }
    }

    /// A step that reaches an error.
    pub fn fail(&mut self, guard: Lit) {
        self.failing.push(guard);
    }

    /// The circuit.
    pub fn finish(self, mut aig: Aig) -> Sequential {
        let mut latches = vec![];
        let entering: Vec<Lit> =
            self.entering.iter().map(|g| aig.or_all(g.iter().copied())).collect();
        let moves = aig.or_all(entering.iter().copied());
        for (bit, state) in self.counter.into_iter().enumerate() {
            let ends = entering.iter().enumerate().filter(|(number, _)| number >> bit & 1 == 1);
            let set = aig.or_all(ends.map(|(_, &g)| g));
            let next = kept(&mut aig, state, moves, set);
            latches.push(Latch { state, next, name: format!("location bit {bit}") });
        }
        for cell in self.cells {
            let written = aig.or_all(cell.writes.iter().map(|w| w.0));
            let values: Vec<Lit> = cell.writes.iter().map(|&(g, v)| aig.and(g, v)).collect();
            let set = aig.or_all(values);
            let next = kept(&mut aig, cell.state, written, set);
            latches.push(Latch { state: cell.state, next, name: cell.name });
        }
        let bad = aig.or_all(self.failing);
        Sequential::new(aig, latches, bad)
    }
}

/// The next value of a latch: `set` where it is written, which holds nowhere else, or what it was.
fn kept(aig: &mut Aig, state: Input, written: Lit, set: Lit) -> Lit {
    let old = aig.input(state);
    let stays = aig.and(!written, old);
    aig.or(set, stays)
}
