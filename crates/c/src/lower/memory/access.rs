//! Reads and writes scalars and parts of them, wherever they may be.

use std::rc::Rc;

use indexmap::IndexMap;

use super::cell::{Cell, content};
use super::cursor::{Cursor, Target};
use crate::flow::{Place, Step};
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::{Item, Kind, ObjectId, ObjectKind, Shape};
use crate::types::{Type, TypeId};
use hardbop_cfa::Operation;
use hardbop_smt::{BitOp, Comparison, Symbol, Term};

/// Simultaneous assignments.
#[derive(Debug, Default)]
pub(in crate::lower) struct Updates {
    values: IndexMap<Symbol, Term>,
}

impl Updates {
    pub fn set(&mut self, symbol: Symbol, value: Term) {
        self.values.insert(symbol, value);
    }

    /// Turns them into one operation.
    pub fn operation(self) -> Operation {
        let all: Vec<(Symbol, Term)> = self.values.into_iter().collect();
        match all.as_slice() {
            [] => Operation::Skip,
            &[(symbol, value)] => Operation::Assign(symbol, value),
            _ => Operation::Parallel(all),
        }
    }
}

/// A range of bits.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Bits {
    pub start: u64,
    pub width: u32,
}

impl Bits {
    pub(super) fn end(self) -> u64 {
        self.start + u64::from(self.width)
    }
}

impl Lowering<'_, '_> {
    /// The bits of a scalar place, counted from its start.
    pub(in crate::lower) fn bits_of(&self, place: &Place) -> Bits {
        let types = &self.flow.types;
        let whole = Bits { start: 0, width: self.width(place.ty) };
        let Some(Step::Field(last)) = place.path.last() else { return whole };
        let mut ty = self.base_type(place);
        for step in &place.path[..place.path.len() - 1] {
            ty = match (step, types.get(ty)) {
                (Step::Field(f), Type::Record(record)) => {
                    let fields = types.record(*record).fields.as_deref().unwrap_or_default();
                    fields[*f as usize].ty
                }
                (Step::Index(_), Type::Array(element, _)) => *element,
                _ => ty,
            };
        }
        let Some((_, record)) = types.as_record(ty) else { return whole };
        let field = record.fields.as_deref().and_then(|all| all.get(*last as usize));
        match field.and_then(|f| f.bit_field) {
            Some((first, width)) if width > 0 => Bits { start: u64::from(first), width },
            _ => whole,
        }
    }

    /// The content of some bits at a place, of the tracked cell if it is one of many; `None` if unknown to the model.
    pub(super) fn content(&mut self, target: Target, bits: Bits) -> Option<Term> {
        let first = target.offset * 8 + bits.start;
        let wanted = Bits { start: first, width: bits.width };
        let layout = Rc::clone(&self.points_to.objects().get(target.object).layout);
        let range = layout.overlapping(first, u64::from(bits.width));
        let mut next = first;
        let mut whole: Option<Term> = None;
        for i in range {
            let item = &layout.items()[i];
            if item.start.max(first) != next {
                return None;
            }
            let cell = self.cell(target.object, i);
            let value = content(self.terms, cell)?;
            let end = item.end().min(wanted.end());
            let low = (next - item.start) as u32;
            let high = (end - item.start) as u32 - 1;
            let piece = self.terms.extract(high, low, value);
            whole = Some(match whole {
                None => piece,
                Some(below) => self.terms.concat(piece, below),
            });
            next = end;
        }
        whole.filter(|_| next == wanted.end())
    }

    /// The content of an item of an object.
    pub(in crate::lower) fn cell(&mut self, object: ObjectId, item: usize) -> Cell {
        self.memory.cell(self.terms, self.flow, self.points_to.objects(), object, item)
    }

    /// Reads some bits at the cursor.
    pub(in crate::lower) fn read(&mut self, cursor: &Cursor, bits: Bits) -> Term {
        if let Some(target) = cursor.certain()
            && !self.is_tracked(target.object)
        {
            let content = self.content(target, bits);
            return content.unwrap_or_else(|| self.approximation_at(cursor, bits));
        }
        let settled = self.settled(cursor, bits);
        let (cursor, bits) = settled.as_ref().map_or((cursor, bits), |(c, b)| (c, *b));
        let mut choices: Vec<(Term, Term)> = Vec::new();
        let mut cells: Vec<(ObjectId, Term)> = Vec::new();
        let mut last: Vec<(Target, Term, Term)> = Vec::new();
        let mut exact = !cursor.unknown && cursor.anywhere.is_empty();
        for &target in &cursor.targets {
            // A pointer may be there, but an access would not be valid.
            let end = target.offset.saturating_mul(8).saturating_add(bits.end());
            if self.points_to.objects().get(target.object).is_outside(end) {
                continue;
            }
            let guard = target.guard.unwrap_or_else(|| self.terms.bool(true));
            let cell = self.is_cell(cursor, target);
            exact &= !self.is_element(target.object, target.offset);
            match self.content(target, bits).zip(cell) {
                Some((value, cell)) => {
                    let guard = self.terms.and(&[guard, cell]);
                    cells.push((target.object, guard));
                    choices.push((guard, value));
                }
                None => exact = false,
            }
            if !self.memory.is_shadow
                && let Some((same, value)) = self.remembered(cursor, target, bits)
            {
                last.push((target, same, value));
            }
        }
        for &object in &cursor.anywhere {
            let layout = Rc::clone(&self.points_to.objects().get(object).layout);
            for (i, item) in layout.items().iter().enumerate() {
                if item.width != bits.width || item.start % 8 != bits.start % 8 {
                    continue;
                }
                let Some(value) = content_of(self, object, i) else { continue };
                let guard = self.at(cursor, object, item.start, bits);
                cells.extend(guard.map(|g| (object, g)));
                choices.extend(guard.map(|g| (g, value)));
            }
            if !self.memory.is_shadow {
                choices.extend(self.remembered_anywhere(cursor, object, bits));
            }
        }
        if cursor.unknown {
            let found = self.escaped(bits);
            if found.len() <= self.options.limits.access.read {
                for (symbol, object, start) in found {
                    let value = self.terms.variable(symbol);
                    let guard = self.at(cursor, object, start, bits);
                    choices.extend(guard.map(|g| (g, value)));
                }
            }
        }
        exact &= last.is_empty();
        for (target, same, value) in last {
            let always = self.terms.bool(true);
            let guard = match self.points_to.objects().get(target.object).kind {
                // The guard asks for the block that is tracked.
                ObjectKind::Round(..) => always,
                _ => target.guard.unwrap_or(always),
            };
            choices.push((self.terms.and(&[guard, same]), value));
        }
        self.see(cursor, bits, &cells);
        // If the access is valid, the last choice needs no condition.
        let otherwise = match choices.last().filter(|_| exact) {
            Some(&(_, value)) => {
                choices.pop();
                value
            }
            None if self.memory.is_shadow => self.otherwise_written(cursor, bits),
            None => self.approximation_at(cursor, bits),
        };
        let value = choices
            .into_iter()
            .rev()
            .fold(otherwise, |rest, (guard, value)| self.terms.ite(guard, value, rest));
        if self.memory.is_shadow {
            return value;
        }
        let value = self.up_to_end(cursor, bits, value);
        self.remember(cursor, bits, value);
        value
    }

    /// What is read where no variable has it.
    fn approximation_at(&mut self, cursor: &Cursor, bits: Bits) -> Term {
        let value = self.approximation(bits.width);
        self.as_given(cursor, bits, value);
        value
    }

    /// The condition that the cursor's address is one from which the bits are those of the cell that begins
    /// at bit `start` of the object; they must agree with it modulo 8.
    fn at(&mut self, cursor: &Cursor, object: ObjectId, start: u64, bits: Bits) -> Option<Term> {
        let address = cursor.address?;
        let byte = (start as i64 - bits.start as i64) / 8;
        let here = self.cell_address(object, byte, start / 8);
        Some(self.terms.equal(address, here))
    }

    /// Writes some bits at the cursor, all of which then have a value.
    pub(in crate::lower) fn write(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        self.write_value(cursor, bits, value, updates);
        self.note_written(cursor, bits, true, updates);
    }

    /// The same without saying that they have a value.
    pub(super) fn write_value(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        let settled = self.settled(cursor, bits);
        let (cursor, bits) = settled.as_ref().map_or((cursor, bits), |(c, b)| (c, *b));
        if !self.memory.is_shadow {
            self.note_write(cursor, bits, value, updates);
            self.note_end(cursor, bits, value, updates);
        }
        let certain = cursor.certain().is_some();
        for &target in &cursor.targets {
            let mut guard = target.guard.filter(|_| !certain);
            if self.is_element(target.object, target.offset) {
                let cell = match self.is_cell(cursor, target) {
                    Some(cell) => cell,
                    None => self.unknown_condition(),
                };
                guard = Some(match guard {
                    Some(guard) => self.terms.and(&[guard, cell]),
                    None => cell,
                });
            }
            self.write_at(target, guard, bits, value, updates);
        }
        for &object in &cursor.anywhere {
            self.write_anywhere(cursor, object, bits, value, updates);
        }
        if cursor.unknown {
            self.write_unknown(cursor, bits, value, updates);
        }
    }

    fn write_at(
        &mut self,
        target: Target,
        guard: Option<Term>,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        let first = target.offset * 8 + bits.start;
        let end = first + u64::from(bits.width);
        let layout = Rc::clone(&self.points_to.objects().get(target.object).layout);
        for i in layout.overlapping(first, u64::from(bits.width)) {
            let item = &layout.items()[i];
            let Cell::Variable(symbol) = self.cell(target.object, i) else { continue };
            let old = self.current(symbol, updates);
            // The bits of the item below, within and above the range that is written.
            let (from, to) = (first.max(item.start), end.min(item.end()));
            let (low, high) = ((from - first) as u32, (to - first) as u32 - 1);
            let mut new = self.terms.extract(high, low, value);
            if from > item.start {
                let below = self.terms.extract((from - item.start) as u32 - 1, 0, old);
                new = self.terms.concat(new, below);
            }
            if to < item.end() {
                let low = (to - item.start) as u32;
                let above = self.terms.extract(item.width - 1, low, old);
                new = self.terms.concat(above, new);
            }
            let new = match guard {
                Some(guard) => self.terms.ite(guard, new, old),
                None => new,
            };
            updates.set(symbol, new);
        }
    }

    pub(super) fn current(&mut self, symbol: Symbol, updates: &Updates) -> Term {
        match updates.values.get(&symbol) {
            Some(&value) => value,
            None => self.terms.variable(symbol),
        }
    }

    /// Writes at an unknown position in an object.
    fn write_anywhere(
        &mut self,
        cursor: &Cursor,
        object: ObjectId,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        for (i, item) in layout.items().iter().enumerate() {
            let Cell::Variable(symbol) = self.cell(object, i) else { continue };
            let Some(address) = cursor.address else {
                let any = self.approximation(item.width);
                updates.set(symbol, any);
                continue;
            };
            let old = self.current(symbol, updates);
            let here = self.cell_address(object, (item.start / 8) as i64, item.start / 8);
            let new = self.overwritten((item, here), (address, bits), value, old);
            updates.set(symbol, new);
        }
    }

    /// What a cell at an address holds after a write of some bits at another address.
    pub(super) fn overwritten(
        &mut self,
        (item, here): (&Item, Term),
        (address, bits): (Term, Bits),
        value: Term,
        old: Term,
    ) -> Term {
        let word = self.word();
        if item.width == bits.width && item.start % 8 == bits.start % 8 {
            let byte = self.terms.bits(word, bits.start / 8);
            let from = self.terms.binary(BitOp::Sub, here, byte);
            let guard = self.terms.equal(address, from);
            return self.terms.ite(guard, value, old);
        }
        // The write changes the item only if the address is near enough for their bytes to overlap.
        let reach = u64::from(bits.width.div_ceil(8)) + bits.start / 8 + 1;
        let before = self.terms.bits(word, reach);
        let first = self.terms.binary(BitOp::Sub, here, before);
        let distance = self.terms.binary(BitOp::Sub, address, first);
        let limit = self.terms.bits(word, u64::from(item.width.div_ceil(8)) + 1 + reach);
        let near = self.terms.compare(Comparison::ULe, distance, limit);
        let any = self.approximation(item.width);
        self.terms.ite(near, any, old)
    }

    /// The scalars of some width that have escaped, and where they are.
    fn escaped(&mut self, bits: Bits) -> Vec<(Symbol, ObjectId, u64)> {
        let escaped: Vec<ObjectId> = self
            .points_to
            .objects()
            .iter()
            .map(|(o, _)| o)
            .filter(|&o| self.points_to.has_escaped(o) && self.memory.is_singular(o))
            .collect();
        let mut found = Vec::new();
        for object in escaped {
            let layout = Rc::clone(&self.points_to.objects().get(object).layout);
            for (i, item) in layout.items().iter().enumerate() {
                if item.width == bits.width
                    && item.start % 8 == bits.start % 8
                    && let Cell::Variable(symbol) = self.cell(object, i)
                {
                    found.push((symbol, object, item.start));
                }
            }
        }
        found
    }

    /// Writes to a scalar that has escaped, or to memory unknown to the program.
    fn write_unknown(&mut self, cursor: &Cursor, bits: Bits, value: Term, updates: &mut Updates) {
        self.assumptions.insert(Assumption::UnknownPointers);
        let found = self.escaped(bits);
        let many = found.len() > self.options.limits.access.written;
        for (symbol, object, start) in found {
            let old = self.current(symbol, updates);
            let new = if many {
                self.approximation(bits.width)
            } else {
                let Some(guard) = self.at(cursor, object, start, bits) else { continue };
                self.terms.ite(guard, value, old)
            };
            updates.set(symbol, new);
        }
    }

    /// The variable to which a write at the cursor amounts, if it writes just that one, as a whole.
    pub(in crate::lower) fn variable_at(&mut self, cursor: &Cursor, bits: Bits) -> Option<Symbol> {
        let target = cursor.certain()?;
        let start = target.offset * 8 + bits.start;
        let layout = Rc::clone(&self.points_to.objects().get(target.object).layout);
        let range = layout.overlapping(start, u64::from(bits.width));
        let item = layout.items().get(range.start).filter(|_| range.len() == 1)?;
        if item.start != start || item.width != bits.width || item.folded {
            return None;
        }
        self.variable(target.object, range.start)
    }

    /// The variable of an item of an object.
    pub(super) fn variable(&mut self, object: ObjectId, item: usize) -> Option<Symbol> {
        match self.cell(object, item) {
            Cell::Variable(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// All variables of an object, which are created if necessary.
    pub(in crate::lower) fn variables(&mut self, object: ObjectId) -> Vec<Symbol> {
        let count = self.points_to.objects().get(object).layout.items().len();
        (0..count).filter_map(|i| self.variable(object, i)).collect()
    }

    /// The scalars of a type, as bits from the start of a place of that type; see also [`Self::forget_elements`].
    pub(in crate::lower) fn scalars(&mut self, ty: TypeId) -> Vec<(Bits, Kind)> {
        let layout = self.points_to.layout(Shape::Type(ty));
        // Those of large arrays have no place of their own.
        let one_cell = self.options.model == Model::OneCell;
        let apart = layout.items().iter().filter(|i| !(one_cell && i.folded));
        apart.map(|i| (Bits { start: i.start, width: i.width }, i.kind)).collect()
    }
}

fn content_of(lowering: &mut Lowering<'_, '_>, object: ObjectId, item: usize) -> Option<Term> {
    let cell = lowering.cell(object, item);
    content(lowering.terms, cell)
}
