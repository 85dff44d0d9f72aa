//! Keeps the first objects apart that a call allocates: a list of five nodes is made by one call of
//! `malloc` that is executed five times.
//!
//! Each round has an object of its own, with variables; what is allocated after the last round has
//! none.  A variable counts the rounds.  No pointer leads to the object of a round before it is
//! allocated, so its content at the start of the program is its content when it is allocated.

use crate::flow::{Flow, FunctionId};
use crate::limits;
use crate::lower::activation::Activations;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::{ObjectKind, Rounds};
use crate::points_to::PointsTo;
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{BitOp, Comparison, Symbol, Term};

use super::access::Updates;

/// The width in bits of the variable that counts rounds.
const COUNTER: u32 = 8;

/// The allocations that may be executed more than once, each with the number of its rounds: those
/// whose objects have the fewest scalars come first.
pub(in crate::lower) fn rounds(
    flow: &Flow,
    points_to: &PointsTo<'_>,
    activations: &Activations,
    limits: limits::Memory,
) -> Rounds {
    let mut found: Vec<(u64, FunctionId, u32)> = Vec::new();
    for (_, object) in points_to.objects().iter() {
        let ObjectKind::Allocation(function, edge) = object.kind else { continue };
        // An object without scalars still has an address.
        let scalars =
            object.layout.items().iter().filter(|item| !item.folded).count().max(1) as u64;
        let once = activations.runs_once(flow, function, edge);
        if !once && points_to.zeroes(function, edge).is_some() {
            found.push((scalars, function, edge));
        }
    }
    found.sort_unstable();
    let mut rounds = Rounds::default();
    let mut left = limits.apart;
    let count = found.len();
    for (i, (scalars, function, edge)) in found.into_iter().enumerate() {
        let share = left / (count - i) as u64 / scalars;
        let number = share.min(u64::from(limits.rounds));
        if number > 0 {
            left -= number * scalars;
            rounds.insert((function, edge), number as u32);
        }
    }
    rounds
}

impl Lowering<'_, '_> {
    /// The address that an allocation returns which has rounds: that of the present one, or of `rest`
    /// after the last.
    pub(in crate::lower) fn next_round(
        &mut self,
        (function, edge): (FunctionId, u32),
        rest: Term,
        updates: &mut Updates,
    ) -> Term {
        if self.options.model == Model::OneCell {
            return self.pick((function, edge), rest, updates);
        }
        let rounds: Vec<_> = self.points_to.objects().rounds(function, edge).collect();
        if rounds.is_empty() {
            return rest;
        }
        let counter = self.memory.counter(self.terms, self.flow, (function, edge), COUNTER);
        let count = self.terms.variable(counter);
        let one = self.terms.bits(COUNTER, 1);
        let next = self.terms.binary(BitOp::Add, count, one);
        let end = self.terms.bits(COUNTER, rounds.len() as u64);
        let more = self.terms.compare(Comparison::ULt, count, end);
        let counted = self.terms.ite(more, next, count);
        updates.set(counter, counted);
        rounds.into_iter().enumerate().rev().fold(rest, |rest, (round, object)| {
            let address = self.memory.address(object);
            let address = self.terms.bits(self.word(), address);
            let here = self.is_round((function, edge), round);
            self.terms.ite(here, address, rest)
        })
    }

    /// Whether the next round of an allocation has this number.
    pub(super) fn is_round(&mut self, edge: (FunctionId, u32), number: usize) -> Term {
        let counter = self.memory.counter(self.terms, self.flow, edge, COUNTER);
        let count = self.terms.variable(counter);
        let number = self.terms.bits(COUNTER, number as u64);
        self.terms.equal(count, number)
    }

    /// The steps before `main` that give the objects of rounds their content, and set what counts
    /// rounds to 0.
    pub(in crate::lower) fn start_rounds(&self) -> (Vec<Step>, Vec<Symbol>) {
        let mut steps = Vec::new();
        let mut zero: Vec<Symbol> = self.memory.counters().collect();
        for (id, object) in self.points_to.objects().iter() {
            let ObjectKind::Round(function, edge, _) = object.kind else { continue };
            let zeroed = self.points_to.zeroes(function, edge);
            for (symbol, item) in self.memory.cells(id) {
                if zeroed == Some(true) && !object.is_beyond(object.layout.items()[item].start) {
                    zero.push(symbol);
                } else {
                    steps.push(Step::Operation(Operation::Havoc(symbol, Origin::Approximation)));
                }
            }
        }
        (steps, zero)
    }
}
