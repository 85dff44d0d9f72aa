//! Abstract states: an interval for each variable, and which variables differ by a known number
//! only.

use super::code::Variable;
use super::interval::{self, Interval, pieces};
use hardbop_smt::Sort;

/// The abstract value of a variable or register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell {
    pub interval: Interval,
    /// The number of an unknown value: the value is this one plus `offset`, modulo the size of its
    /// sort.  0 if the interval is a single number, and otherwise never 0 in a state.
    pub unknown: u32,
    pub offset: i64,
}

impl Cell {
    /// A value of which nothing else is known.
    pub fn new(interval: Interval, unknown: u32) -> Self {
        let unknown = if interval.only().is_some() { 0 } else { unknown };
        Self { interval, unknown, offset: 0 }
    }
}

/// The width of a sort; 1 for truth values, which have no offsets.
pub fn width_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        Sort::Bool | Sort::Int => 1,
    }
}

/// `a + b` modulo 2^width.
pub fn add(width: u32, a: i64, b: i64) -> i64 {
    interval::signed(width, interval::bits(width, a.wrapping_add(b)))
}

/// The values of all variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub cells: Vec<Cell>,
}

impl State {
    pub fn get(&self, variable: Variable) -> Cell {
        self.cells[variable as usize]
    }

    pub fn set(&mut self, variable: Variable, cell: Cell) {
        self.cells[variable as usize] = cell;
    }

    /// Intersects what is known of a variable, and of all that differ from it by a known number;
    /// `false`: nothing is left.
    pub fn restrict(&mut self, width: u32, variable: Variable, to: Interval) -> bool {
        let Cell { interval, unknown, offset } = self.cells[variable as usize];
        let Some(rest) = interval.meet(to) else { return false };
        if rest == interval {
            return true;
        }
        for cell in &mut self.cells {
            if cell.unknown != unknown {
                continue;
            }
            let by = i128::from(cell.offset) - i128::from(offset);
            let there = match by {
                0 => rest,
                _ => match pieces(width, i128::from(rest.low) + by, i128::from(rest.high) + by) {
                    [Some(there), None] => there,
                    _ => continue,
                },
            };
            let Some(rest) = cell.interval.meet(there) else { return false };
            *cell = Cell { interval: rest, ..*cell };
            if rest.only().is_some() {
                (cell.unknown, cell.offset) = (0, 0);
            }
        }
        true
    }

    /// Takes in that `b` is `a`, where both are unknown.
    pub fn unify(&mut self, width: u32, a: Cell, b: Cell) {
        if a.unknown == 0 || b.unknown == 0 || a.unknown == b.unknown {
            return;
        }
        let by = a.offset.wrapping_sub(b.offset);
        for cell in &mut self.cells {
            if cell.unknown == b.unknown {
                (cell.unknown, cell.offset) = (a.unknown, add(width, cell.offset, by));
            }
        }
    }
}
