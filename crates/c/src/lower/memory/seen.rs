//! Whether the last read of an object was one of the element or block that is tracked.

use std::rc::Rc;

use super::access::Bits;
use super::cursor::Cursor;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::{ObjectId, ObjectKind};
use hardbop_cfa::Operation;
use hardbop_smt::{BitOp, Comparison, Term};

impl Lowering<'_, '_> {
    /// Notes which of the tracked cells a read is of. `conditions` are those under which it reads them, by object.
    pub(super) fn see(&mut self, cursor: &Cursor, bits: Bits, conditions: &[(ObjectId, Term)]) {
        if self.options.model != Model::OneCell {
            return;
        }
        let objects = self.objects_at(cursor);
        for object in objects {
            if !self.is_tracked(object) {
                continue;
            }
            let of: Vec<Term> =
                conditions.iter().filter(|(o, _)| *o == object).map(|&(_, c)| c).collect();
            let mut possible = of;
            if let ObjectKind::Round(..) = self.points_to.objects().get(object).kind {
                let picked = self.picked(object);
                let picked = self.is_set(picked);
                possible.iter_mut().for_each(|c| *c = self.terms.and(&[*c, picked]));
            }
            let seen = self.seen(object);
            // The read may be one of another object.
            let other = self.is_other(cursor, object);
            let before = self.is_set(seen);
            possible.push(self.terms.and(&[before, other]));
            match self.elsewhere(cursor, object, bits) {
                Some(condition) => possible.push(condition),
                None => possible = vec![self.terms.bool(true)],
            }
            let condition = self.terms.or(&possible);
            let (one, zero) = (self.terms.bits(1, 1), self.terms.bits(1, 0));
            let value = self.terms.ite(condition, one, zero);
            self.pending.push(Operation::Assign(seen, value));
        }
    }

    /// The same where the block that is tracked is looked at, or something else than the blocks of its allocation.
    pub(super) fn see_block(&mut self, tracked: ObjectId, within: Term, elsewhere: Term) {
        let (seen, picked) = (self.seen(tracked), self.picked(tracked));
        let (before, picked) = (self.is_set(seen), self.is_set(picked));
        let here = self.terms.and(&[within, picked]);
        let before = self.terms.and(&[before, elsewhere]);
        let now = self.terms.or(&[here, before]);
        let (one, zero) = (self.terms.bits(1, 1), self.terms.bits(1, 0));
        let now = self.terms.ite(now, one, zero);
        self.pending.push(Operation::Assign(seen, now));
    }

    /// The condition that a read at the cursor, if it is valid, may be one of another object.
    fn is_other(&mut self, cursor: &Cursor, object: ObjectId) -> Term {
        if cursor.unknown {
            return self.terms.bool(true);
        }
        let class = self.class(object);
        let mut others = Vec::new();
        for target in cursor.targets.iter().filter(|t| self.class(t.object) != class) {
            let always = self.terms.bool(true);
            others.push(target.guard.unwrap_or(always));
        }
        for &other in &cursor.anywhere {
            if self.class(other) == class {
                continue;
            }
            let within = self.is_within(cursor, other);
            let always = self.terms.bool(true);
            others.push(within.unwrap_or(always));
        }
        let other = self.terms.or(&others);
        match self.is_within(cursor, object) {
            Some(within) => {
                let without = self.terms.not(within);
                self.terms.and(&[other, without])
            }
            None => other,
        }
    }

    /// The condition that the cursor's address is one of the object; `None` if that is not known.
    fn is_within(&mut self, cursor: &Cursor, object: ObjectId) -> Option<Term> {
        let address = cursor.address.filter(|_| self.memory.is_singular(object))?;
        let size = self.points_to.objects().get(object).layout.size()?;
        let start = self.memory.address(object);
        let (start, size) =
            (self.terms.bits(self.word(), start), self.terms.bits(self.word(), size));
        let distance = self.terms.binary(BitOp::Sub, address, start);
        Some(self.terms.compare(Comparison::ULt, distance, size))
    }

    /// What stands for the blocks of an allocation is one class with the one that is tracked.
    pub(super) fn class(&self, object: ObjectId) -> ObjectId {
        let objects = self.points_to.objects();
        match objects.get(object).kind {
            ObjectKind::Round(function, edge, _) => {
                objects.allocation(function, edge).unwrap_or(object)
            }
            _ => object,
        }
    }

    /// The condition that a read of the object is of no place where a tracked cell could be, whichever is chosen; `None` if that
    /// is not known.
    fn elsewhere(&mut self, cursor: &Cursor, object: ObjectId, bits: Bits) -> Option<Term> {
        for &target in cursor.targets.iter().filter(|t| t.object == object) {
            self.is_cell(cursor, target)?;
            self.content(target, bits)?;
        }
        if cursor.unknown {
            return None;
        }
        if !cursor.anywhere.contains(&object) {
            return Some(self.terms.bool(false));
        }
        let address = cursor.address?;
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let mut places = Vec::new();
        for item in layout.items() {
            if item.width != bits.width || item.start % 8 != bits.start % 8 {
                continue;
            }
            let runs: Vec<(u64, u64)> = layout.runs(item.start / 8).collect();
            let byte = (item.start as i64 - bits.start as i64) / 8;
            let here = self.memory.address(object).wrapping_add_signed(byte);
            let here = self.terms.bits(self.word(), here);
            let distance = self.terms.binary(BitOp::Sub, address, here);
            // Only a place within the array can be that of its tracked cell.
            let length = runs.first().map(|&run| {
                let stride = run.1;
                layout.elements_of(run).map_or(1 << (self.word().min(48) - 1), |n| n * stride)
            });
            match runs.as_slice() {
                [] => {
                    let zero = self.terms.bits(self.word(), 0);
                    places.push(self.terms.equal(distance, zero));
                }
                // All multiples of the stride.
                [(_, stride)] if stride.is_power_of_two() && item.folded => {
                    let mask = self.terms.bits(self.word(), stride - 1);
                    let rest = self.terms.binary(BitOp::And, distance, mask);
                    let zero = self.terms.bits(self.word(), 0);
                    let end = self.terms.bits(self.word(), length.unwrap_or(0));
                    let place = [
                        self.terms.equal(rest, zero),
                        self.terms.compare(Comparison::ULt, distance, end),
                    ];
                    places.push(self.terms.and(&place));
                }
                _ => return None,
            }
        }
        let there = self.terms.or(&places);
        let elsewhere = self.terms.not(there);
        // Beyond the object the read is none of it.
        Some(match self.is_within(cursor, object) {
            Some(within) => self.terms.and(&[elsewhere, within]),
            None => elsewhere,
        })
    }
}
