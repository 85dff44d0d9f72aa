//! Remembers the element of a large array, and the block of a repeated allocation, that was accessed last, beside the one
//! that is tracked: in `if (a[i] > m) m = a[i];` both reads yield the same value, whatever `i` is, and after `p->next = t;
//! p = p->next;` it is `t` that `p` points to.

use std::rc::Rc;

use super::access::{Bits, Updates};
use super::cursor::{Cursor, Target};
use super::tracked::Recent;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::{ObjectId, ObjectKind};
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{BitOp, Sort, Symbol, Term};

/// The number of scalars of the elements up to which one is remembered.
const SCALARS: usize = 8;

impl Lowering<'_, '_> {
    /// The variables for what was accessed last of an object, or of the blocks of an allocation, if that is remembered.
    fn recent(&mut self, object: ObjectId) -> Option<Recent> {
        let key = self.class(object);
        let blocks = self.stands_for_blocks(object);
        if !blocks && (!self.has_elements(object) || self.has_copies(object)) {
            return None;
        }
        if let Some(known) = self.memory.tracked.recent.get(&key) {
            return known.clone();
        }
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let items: Vec<usize> =
            (0..layout.items().len()).filter(|&i| blocks || layout.items()[i].folded).collect();
        let is_plain = items.iter().all(|&i| {
            let item = &layout.items()[i];
            let same = || {
                let first = &layout.items()[items[0]];
                layout.runs(item.start / 8).eq(layout.runs(first.start / 8))
            };
            if blocks { !item.folded } else { same() }
        });
        let recent = (is_plain && items.len() <= SCALARS).then(|| {
            let name = format!("{}/recent", self.memory.name(key));
            let place = self.terms.fresh(&name, Sort::Bits(self.word()));
            let cells = items.into_iter().map(|i| {
                let item = &layout.items()[i];
                let name = format!("{name}{}", item.name);
                (i, self.terms.fresh(&name, Sort::Bits(item.width)))
            });
            Recent { place, cells: cells.collect() }
        });
        self.memory.tracked.recent.insert(key, recent.clone());
        recent
    }

    /// Whether the object is the one that is tracked of the blocks of an allocation, or stands for the others.
    fn stands_for_blocks(&self, object: ObjectId) -> bool {
        let objects = self.points_to.objects();
        self.options.model == Model::OneCell
            && match objects.get(object).kind {
                ObjectKind::Round(..) => true,
                ObjectKind::Allocation(function, edge) => {
                    objects.rounds(function, edge).next().is_some()
                }
                _ => false,
            }
    }

    /// Whether several activations of a function have such an object, at the same time or without declaring it.
    pub(super) fn has_copies(&self, object: ObjectId) -> bool {
        let ObjectKind::Variable(v) = self.points_to.objects().get(object).kind else {
            return false;
        };
        let owner = self.flow.variables[v.0 as usize].function;
        owner.is_some_and(|f| {
            let function = &self.flow.functions[f.0 as usize];
            // Each call gives parameters new values.
            self.activations.is_recursive(f) || function.parameters.contains(&v)
        })
    }

    /// The variables that hold what was accessed last of an object.
    pub(super) fn recent_cells(&mut self, object: ObjectId) -> Vec<Symbol> {
        let recent = self.recent(object);
        recent.into_iter().flat_map(|recent| recent.cells).map(|(_, symbol)| symbol).collect()
    }

    /// Where the element or block is in which a target is: how many bytes behind the first element, or at which
    /// address; `None` if that is not known.
    fn place(&mut self, cursor: &Cursor, target: Target) -> Option<Term> {
        let word = self.word();
        if self.stands_for_blocks(target.object) {
            let offset = self.terms.bits(word, target.offset);
            return Some(self.terms.binary(BitOp::Sub, cursor.address?, offset));
        }
        if let Some(path) = target.distance.filter(|path| path.condition.is_none()) {
            let rest = path.bytes.checked_sub(i64::try_from(target.offset).ok()?)?;
            let mut shift = self.terms.bits(word, rest as u64);
            for (index, stride) in path.indices.into_iter().flatten() {
                let stride = self.terms.bits(word, stride);
                let bytes = self.terms.binary(BitOp::Mul, index, stride);
                shift = self.terms.binary(BitOp::Add, bytes, shift);
            }
            return Some(shift);
        }
        let first = self.memory.address(target.object).wrapping_add(target.offset);
        let first = self.terms.bits(word, first);
        Some(self.terms.binary(BitOp::Sub, cursor.address?, first))
    }

    /// What was accessed last, and the condition that this is what the target is.
    pub(super) fn remembered(
        &mut self,
        cursor: &Cursor,
        target: Target,
        bits: Bits,
    ) -> Option<(Term, Term)> {
        let (recent, symbol) = self.recent_at(cursor, target, bits)?;
        let place = self.place(cursor, target)?;
        let last = self.terms.variable(recent.place);
        Some((self.terms.equal(place, last), self.terms.variable(symbol)))
    }

    /// What is remembered of an element or a block, and the variable for just these bits of it.
    fn recent_at(
        &mut self,
        cursor: &Cursor,
        target: Target,
        bits: Bits,
    ) -> Option<(Recent, Symbol)> {
        if self.stands_for_blocks(target.object) {
            // The blocks that are not tracked must be accessed at the same offset.
            let class = self.class(target.object);
            let of = |o: ObjectId| self.class(o) == class;
            if cursor.targets.iter().filter(|t| of(t.object)).count() > 1
                || cursor.anywhere.contains(&target.object)
            {
                return None;
            }
        } else if !self.is_element(target.object, target.offset) {
            return None;
        }
        let recent = self.recent(target.object)?;
        let layout = &self.points_to.objects().get(target.object).layout;
        let start = target.offset * 8 + bits.start;
        let fits = |&&(i, _): &&(usize, Symbol)| {
            let item = &layout.items()[i];
            item.start == start && item.width == bits.width
        };
        let symbol = recent.cells.iter().find(fits)?.1;
        Some((recent, symbol))
    }

    /// The only target, if it is an element, or a block beside those that are not tracked.
    fn only(&self, cursor: &Cursor) -> Option<Target> {
        if let Some(target) = cursor.certain() {
            return Some(target);
        }
        let &[target] = cursor.targets.as_slice() else { return None };
        let class = self.class(target.object);
        let alone = !cursor.unknown && cursor.anywhere.iter().all(|&o| self.class(o) == class);
        (alone && self.stands_for_blocks(target.object)).then_some(target)
    }

    /// Remembers what was read of a target.
    pub(super) fn remember(&mut self, cursor: &Cursor, bits: Bits, value: Term) {
        let mut updates = Updates::default();
        if self.note(cursor, bits, value, &mut updates) {
            self.pending.push(updates.operation());
        }
    }

    /// Remembers an element or a block, and what some bits of it are; false if the cursor may lead elsewhere.
    fn note(&mut self, cursor: &Cursor, bits: Bits, value: Term, updates: &mut Updates) -> bool {
        let Some(target) = self.only(cursor) else { return false };
        let Some((recent, symbol)) = self.recent_at(cursor, target, bits) else { return false };
        let Some(place) = self.place(cursor, target) else { return false };
        let last = self.current(recent.place, updates);
        let same = self.terms.equal(place, last);
        updates.set(recent.place, place);
        for (_, other) in recent.cells {
            let new = if other == symbol {
                value
            } else {
                let Sort::Bits(width) = self.terms.symbol_sort(other) else { continue };
                let any = self.approximation(width);
                let old = self.current(other, updates);
                self.terms.ite(same, old, any)
            };
            updates.set(other, new);
        }
        true
    }

    /// Brings what is remembered up to date with a write.
    pub(super) fn note_write(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        if self.options.model != Model::OneCell || self.note(cursor, bits, value, updates) {
            return;
        }
        for object in self.objects_at(cursor) {
            let targets: Vec<Target> =
                cursor.targets.iter().copied().filter(|t| t.object == object).collect();
            let elsewhere = cursor.unknown || cursor.anywhere.contains(&object);
            let class = self.class(object);
            let by_tracked = |t: &Target| t.object != object && self.class(t.object) == class;
            if targets.is_empty() && !cursor.unknown && cursor.targets.iter().any(by_tracked) {
                // Together with the one of the blocks that is tracked.
                continue;
            }
            let exact = !elsewhere && !targets.is_empty() && self.recent(object).is_some();
            let mut known = exact;
            for target in targets.iter().copied().filter(|_| exact) {
                known &= self.write_recent(cursor, target, bits, value, updates);
            }
            if !known && !self.write_recent_anywhere(cursor, object, (bits, value), updates) {
                self.forget_recent(object, updates);
            }
        }
    }

    /// What was accessed last of an object, scalar by scalar: the indices and variables, and their addresses.
    fn recent_places(&mut self, object: ObjectId) -> Vec<(usize, Symbol, Term)> {
        let Some(recent) = self.recent(object) else { return vec![] };
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let start = match self.stands_for_blocks(object) {
            true => 0,
            false => self.memory.address(object),
        };
        let (word, place) = (self.word(), self.terms.variable(recent.place));
        let mut found = Vec::new();
        for (i, symbol) in recent.cells {
            let byte = start.wrapping_add(layout.items()[i].start / 8);
            let byte = self.terms.bits(word, byte);
            found.push((i, symbol, self.terms.binary(BitOp::Add, place, byte)));
        }
        found
    }

    /// The same as [`Self::remembered`], where it is not known where in the object the cursor is.
    pub(super) fn remembered_anywhere(
        &mut self,
        cursor: &Cursor,
        object: ObjectId,
        bits: Bits,
    ) -> Vec<(Term, Term)> {
        let Some(address) = cursor.address else { return vec![] };
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let mut found = Vec::new();
        for (i, symbol, here) in self.recent_places(object) {
            let item = &layout.items()[i];
            if item.width != bits.width || item.start % 8 != bits.start % 8 {
                continue;
            }
            let byte = self.terms.bits(self.word(), bits.start / 8);
            let from = self.terms.binary(BitOp::Sub, here, byte);
            found.push((self.terms.equal(address, from), self.terms.variable(symbol)));
        }
        found
    }

    /// A write somewhere in an object; false if nothing is known of where that is.
    fn write_recent_anywhere(
        &mut self,
        cursor: &Cursor,
        object: ObjectId,
        (bits, value): (Bits, Term),
        updates: &mut Updates,
    ) -> bool {
        let Some(address) = cursor.address.filter(|_| !cursor.unknown) else { return false };
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let last = match self.recent(object) {
            Some(recent) => recent.place,
            None => return true,
        };
        // The addresses below are those before the write.
        if self.current(last, updates) != self.terms.variable(last) {
            return false;
        }
        for (i, symbol, here) in self.recent_places(object) {
            let old = self.current(symbol, updates);
            let item = &layout.items()[i];
            let new = self.overwritten((item, here), (address, bits), value, old);
            updates.set(symbol, new);
        }
        true
    }

    /// The part of a write at one target; false if it is not known what it changes.
    fn write_recent(
        &mut self,
        cursor: &Cursor,
        target: Target,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) -> bool {
        let exact = self.recent_at(cursor, target, bits).zip(self.place(cursor, target));
        let Some(((recent, symbol), place)) = exact else { return false };
        let last = self.current(recent.place, updates);
        let mut here = self.terms.equal(place, last);
        // Of blocks, the guard asks for the one that is tracked.
        if let Some(guard) = target.guard.filter(|_| !self.stands_for_blocks(target.object)) {
            here = self.terms.and(&[here, guard]);
        }
        let old = self.current(symbol, updates);
        let new = self.terms.ite(here, value, old);
        updates.set(symbol, new);
        true
    }

    /// The steps before `main` in which these variables get any values.
    pub(super) fn start_recent(&self) -> Vec<Step> {
        let known = self.memory.tracked.recent.values().flatten();
        let symbols = known.flat_map(|recent| {
            recent.cells.iter().map(|&(_, symbol)| symbol).chain([recent.place])
        });
        let any = |symbol| Step::Operation(Operation::Havoc(symbol, Origin::Approximation));
        symbols.map(any).collect()
    }
}
