//! The states at a location, packed.

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::machine::code::{Code, Variable};
use super::machine::interval::Interval;
use super::machine::state::{Cell, State, add, width_of};
use hardbop_cfa::Location;

/// A state's live variables as numbers: equal states have equal rows.  First the code of each
/// variable's interval, then four numbers for each variable whose value differs from that of
/// another by a known number: its place, its class, counted from 1, and the difference from the
/// first of its class.
pub type Row = Rc<[u32]>;

/// The codes of intervals.
#[derive(Default)]
pub struct Intervals {
    /// The intervals that do not fit into a code themselves.
    others: RefCell<IndexSet<Interval, FxBuildHasher>>,
}

impl Intervals {
    /// A small number is its double, all else an odd number.
    fn code(&self, interval: Interval) -> u32 {
        let small =
            interval.only().and_then(|n| i32::try_from(n).ok()).filter(|n| n << 1 >> 1 == *n);
        match small {
            Some(n) => (n << 1) as u32,
            None => {
                let mut others = self.others.borrow_mut();
                let number = others.get_index_of(&interval);
                let number = number.unwrap_or_else(|| others.insert_full(interval).0);
                (number as u32) << 1 | 1
            }
        }
    }

    fn interval(&self, code: u32) -> Interval {
        match code & 1 {
            0 => Interval::one(i64::from(code as i32 >> 1)),
            _ => self.others.borrow()[(code >> 1) as usize],
        }
    }

    /// Is it the code of a single number?
    pub fn is_number(&self, code: u32) -> bool {
        code & 1 == 0 || self.interval(code).only().is_some()
    }
}

/// The states at a location, and how each was reached.
pub struct Place {
    /// The variables that are live there.
    pub live: Vec<Variable>,
    rows: IndexSet<Row, FxBuildHasher>,
    /// The location and number of the state before each state.
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
    pub fn add(&mut self, row: Row, parent: Option<(Location, usize)>) -> Option<usize> {
        let (number, is_new) = self.rows.insert_full(row);
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
    pub fn find(&self, row: &Row) -> Option<usize> {
        self.rows.get_index_of(row)
    }

    /// The cells of the live variables.  An unknown that has only one of them has the number 0.
    pub fn cells(&self, intervals: &Intervals, number: usize) -> Vec<Cell> {
        cells(intervals, &self.live, self.row(number))
    }

    /// The state with this number, packed.
    pub fn row(&self, number: usize) -> &[u32] {
        self.rows.get_index(number).map_or(&[][..], |row| row)
    }
}

/// The state of which [`pack`] gives this row: nothing is known of what is not live.
pub fn unpack((intervals, code): (&Intervals, &Code), live: &[Variable], row: &[u32]) -> State {
    let mut state = nothing(code);
    let base = code.variables.len() as u32;
    for (&v, mut cell) in live.iter().zip(cells(intervals, live, row)) {
        if cell.interval.only().is_none() {
            cell.unknown = if cell.unknown == 0 { v + 1 } else { cell.unknown + base };
        }
        state.set(v, cell);
    }
    state
}

/// The cells of the live variables in a row.  An unknown that has only one of them has the number 0.
pub fn cells(intervals: &Intervals, live: &[Variable], row: &[u32]) -> Vec<Cell> {
    let codes = row.iter().take(live.len());
    let mut cells: Vec<Cell> = codes.map(|&c| Cell::new(intervals.interval(c), 0)).collect();
    for (place, class, by) in related(row, live.len()) {
        let cell = &mut cells[place as usize];
        (cell.unknown, cell.offset) = (class, by);
    }
    cells
}

/// The state in which nothing is known.
pub fn nothing(code: &Code) -> State {
    let cell = |(&(_, sort), unknown)| Cell::new(Interval::all(sort), unknown);
    State { cells: code.variables.iter().zip(1..).map(cell).collect() }
}

/// The live variables of a state.
pub fn pack((intervals, code): (&Intervals, &Code), live: &[Variable], state: &State) -> Row {
    let mut row: Vec<u32> = Vec::with_capacity(live.len());
    row.extend(live.iter().map(|&v| intervals.code(state.get(v).interval)));
    let related = live.iter().zip(0..).map(|(&v, place)| (place, state.get(v)));
    let related = related.filter(|(_, c)| c.unknown != 0);
    relate(code, live, related.map(|(p, c)| (p, c.unknown, c.offset)), &mut row);
    row.into()
}

/// The relations at the end of a row: the place, class and difference of each variable whose value
/// is related to others.
pub fn related(row: &[u32], live: usize) -> impl Iterator<Item = (u32, u32, i64)> {
    let entries = row[live.min(row.len())..].chunks_exact(4);
    entries.map(|e| (e[0], e[1], (u64::from(e[3]) << 32 | u64::from(e[2])) as i64))
}

/// Appends to a row the places, in order, that have values of which something is known: their
/// classes, and differences.
pub fn relate(
    code: &Code,
    live: &[Variable],
    entries: impl Iterator<Item = (u32, u32, i64)> + Clone,
    row: &mut Vec<u32>,
) {
    let mut unknowns: Vec<u32> = entries.clone().map(|(_, unknown, _)| unknown).collect();
    unknowns.sort_unstable();
    let mut shared: Vec<u32> =
        unknowns.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    shared.dedup();
    if shared.is_empty() {
        return;
    }
    let mut classes: Vec<Option<(u32, i64)>> = vec![None; shared.len()];
    let mut next = 1;
    for (place, unknown, offset) in entries {
        let Ok(number) = shared.binary_search(&unknown) else { continue };
        let (class, first) = *classes[number].get_or_insert_with(|| {
            next += 1;
            (next - 1, offset)
        });
        let width = width_of(code.variables[live[place as usize] as usize].1);
        let by = add(width, offset, first.wrapping_neg()) as u64;
        row.extend([place, class, by as u32, (by >> 32) as u32]);
    }
}
