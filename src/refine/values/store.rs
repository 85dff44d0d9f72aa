//! The states at a location, packed.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{Code, Variable};
use super::interval::Interval;
use super::state::{Cell, State, add, width_of};
use crate::program::cfa::Location;

/// A state's live variables as bytes: equal states have equal bytes.
pub type Row = Box<[u8]>;

/// The states at a location, and how each was reached.
pub struct Place {
    /// The variables that are live there.
    pub live: Vec<Variable>,
    rows: IndexSet<Row, FxBuildHasher>,
    /// For each state, the location and number of the one before it.
    pub parents: Vec<Option<(Location, usize)>>,
}

impl Place {
    pub fn new(live: Vec<Variable>) -> Self {
        Self { live, rows: IndexSet::default(), parents: vec![] }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a state; its number if it is new.
    pub fn add(
        &mut self,
        code: &Code,
        state: &State,
        parent: Option<(Location, usize)>,
    ) -> Option<usize> {
        let (number, is_new) = self.rows.insert_full(pack(code, &self.live, state));
        is_new.then(|| {
            self.parents.push(parent);
            number
        })
    }

    #[cfg(test)]
    pub fn forget_last(&mut self) {
        self.rows.pop();
        self.parents.pop();
    }

    /// The number of a state, if it is there.
    pub fn find(&self, code: &Code, state: &State) -> Option<usize> {
        self.rows.get_index_of(&pack(code, &self.live, state))
    }

    /// What is known of the live variables.  An unknown that has only one of them has the number 0.
    pub fn cells(&self, number: usize) -> Vec<Cell> {
        cells(&self.live, self.rows.get_index(number).map_or(&[][..], |row| row))
    }

    /// The state with this number.
    pub fn state(&self, code: &Code, number: usize) -> State {
        let row = self.rows.get_index(number).map_or(&[][..], |row| row);
        unpack(code, &self.live, row)
    }
}

/// The state of which [`pack`] gives this row: nothing is known of what is not live.
pub fn unpack(code: &Code, live: &[Variable], row: &[u8]) -> State {
    let mut state = nothing(code);
    let base = code.variables.len() as u32;
    for (&v, mut cell) in live.iter().zip(cells(live, row)) {
        if cell.interval.only().is_none() {
            cell.unknown = if cell.unknown == 0 { v + 1 } else { cell.unknown + base };
        }
        state.set(v, cell);
    }
    state
}

/// What a row says of the live variables.
fn cells(live: &[Variable], row: &[u8]) -> Vec<Cell> {
    let mut at = 0;
    let cell = |_: &Variable| {
        let low = read_signed(row, &mut at);
        let spread = read(row, &mut at);
        let (mut unknown, mut offset) = (0, 0);
        if spread != 0 {
            unknown = read(row, &mut at) as u32;
            if unknown != 0 {
                offset = read_signed(row, &mut at);
            }
        }
        let interval = Interval { low, high: low.wrapping_add(spread as i64) };
        Cell { interval, unknown, offset }
    };
    live.iter().map(cell).collect()
}

/// The state in which nothing is known.
pub fn nothing(code: &Code) -> State {
    let cell = |(&(_, sort), unknown)| Cell::new(Interval::all(sort), unknown);
    State { cells: code.variables.iter().zip(1..).map(cell).collect() }
}

/// The live variables of a state: for each the least number, what the greatest has more, and, unless that is nothing,
/// the number of its class of values that differ by known numbers, counted from 1, with its difference from the first.
pub fn pack(code: &Code, live: &[Variable], state: &State) -> Row {
    let mut count: FxHashMap<u32, u32> = FxHashMap::default();
    for cell in live.iter().map(|&v| state.get(v)).filter(|c| c.unknown != 0) {
        *count.entry(cell.unknown).or_default() += 1;
    }
    let mut classes: FxHashMap<u32, (u64, i64)> = FxHashMap::default();
    let mut bytes = vec![];
    for &v in live {
        let Cell { interval, unknown, offset } = state.get(v);
        write_signed(&mut bytes, interval.low);
        write(&mut bytes, interval.spread());
        if interval.spread() == 0 {
            continue;
        }
        if count.get(&unknown).is_none_or(|&n| n == 1) {
            write(&mut bytes, 0);
            continue;
        }
        let next = classes.len() as u64 + 1;
        let (class, first) = *classes.entry(unknown).or_insert((next, offset));
        write(&mut bytes, class);
        let width = width_of(code.variables[v as usize].1);
        write_signed(&mut bytes, add(width, offset, first.wrapping_neg()));
    }
    bytes.into()
}

/// Small numbers of either sign take few bytes.
fn write_signed(bytes: &mut Vec<u8>, number: i64) {
    write(bytes, ((number << 1) ^ (number >> 63)) as u64);
}

fn read_signed(bytes: &[u8], at: &mut usize) -> i64 {
    let number = read(bytes, at);
    ((number >> 1) as i64) ^ -((number & 1) as i64)
}

/// Seven bits in a byte, the lowest first.
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some(&byte) = bytes.get(*at) {
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}
