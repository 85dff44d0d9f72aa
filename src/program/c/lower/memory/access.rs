//! Reads and writes scalars and parts of them, wherever they may be.

use std::rc::Rc;

use indexmap::IndexMap;

use super::cell::{Cell, content};
use super::cursor::{Cursor, Target};
use crate::program::c::flow::{Expr, Place, Step};
use crate::program::c::lower::assumption::Assumption;
use crate::program::c::lower::lowering::Lowering;
use crate::program::c::memory::{Object, ObjectId, Shape};
use crate::program::c::types::{Type, TypeId};
use crate::program::cfa::{Operation, Origin};
use crate::solve::smt::{BitOp, Comparison, Symbol, Term};

/// Simultaneous assignments.
#[derive(Debug, Default)]
pub(in crate::program::c::lower) struct Updates {
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
pub(in crate::program::c::lower) struct Bits {
    pub start: u64,
    pub width: u32,
}

impl Bits {
    fn end(self) -> u64 {
        self.start + u64::from(self.width)
    }
}

impl Lowering<'_, '_> {
    /// The bits of a scalar place, counted from its start.
    pub(in crate::program::c::lower) fn bits_of(&self, place: &Place) -> Bits {
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

    /// The content of some bits at a place; `None` if unknown to the model.
    fn content(&mut self, target: Target, bits: Bits) -> Option<Term> {
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
    pub(in crate::program::c::lower) fn cell(&mut self, object: ObjectId, item: usize) -> Cell {
        self.memory.cell(self.terms, self.flow, self.points_to.objects(), object, item)
    }

    /// Reads some bits at the cursor.
    pub(in crate::program::c::lower) fn read(&mut self, cursor: &Cursor, bits: Bits) -> Term {
        if let Some(target) = cursor.certain() {
            let content = self.content(target, bits);
            return content.unwrap_or_else(|| self.approximation(bits.width));
        }
        let mut choices: Vec<(Term, Term)> = Vec::new();
        let mut exact = !cursor.unknown && cursor.anywhere.is_empty();
        for &target in &cursor.targets {
            let guard = target.guard.unwrap_or_else(|| self.terms.bool(true));
            match self.content(target, bits) {
                Some(value) => choices.push((guard, value)),
                None => exact = false,
            }
        }
        for &object in &cursor.anywhere {
            let layout = Rc::clone(&self.points_to.objects().get(object).layout);
            for (i, item) in layout.items().iter().enumerate() {
                // `at` gets the position from which `bits.start` is counted, so items must agree with it modulo 8.
                if item.width != bits.width || item.start % 8 != bits.start % 8 {
                    continue;
                }
                let Some(value) = content_of(self, object, i) else { continue };
                let guard = self.at(cursor, object, (item.start as i64 - bits.start as i64) / 8);
                choices.extend(guard.map(|g| (g, value)));
            }
        }
        if cursor.unknown {
            let found = self.escaped(bits);
            if found.len() <= self.options.limits.access.read {
                for (symbol, object, byte) in found {
                    let value = self.terms.variable(symbol);
                    let guard = self.at(cursor, object, byte);
                    choices.extend(guard.map(|g| (g, value)));
                }
            }
        }
        // If the access is valid, the last choice needs no condition.
        let otherwise = match choices.last().filter(|_| exact) {
            Some(&(_, value)) => {
                choices.pop();
                value
            }
            None => self.approximation(bits.width),
        };
        choices
            .into_iter()
            .rev()
            .fold(otherwise, |rest, (guard, value)| self.terms.ite(guard, value, rest))
    }

    /// The condition that the cursor's address is that of a byte of the object.
    fn at(&mut self, cursor: &Cursor, object: ObjectId, byte: i64) -> Option<Term> {
        let address = cursor.address?;
        let here = self.memory.address(object).wrapping_add_signed(byte);
        let here = self.terms.bits(self.word(), here);
        Some(self.terms.equal(address, here))
    }

    /// Writes some bits at the cursor.
    pub(in crate::program::c::lower) fn write(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        let certain = cursor.certain().is_some();
        for &target in &cursor.targets {
            let guard = target.guard.filter(|_| !certain);
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

    fn current(&mut self, symbol: Symbol, updates: &Updates) -> Term {
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
            let old = self.current(symbol, updates);
            let aligned = item.width == bits.width && item.start % 8 == bits.start % 8;
            let new = if aligned {
                let byte = (item.start as i64 - bits.start as i64) / 8;
                let Some(guard) = self.at(cursor, object, byte) else { continue };
                self.terms.ite(guard, value, old)
            } else {
                // The write changes the item only if the address is near enough for their bytes to overlap.
                let Some(address) = cursor.address else { continue };
                let word = self.word();
                let reach = i64::from(bits.width.div_ceil(8)) + (bits.start / 8) as i64 + 1;
                let first = self.memory.address(object) + item.start / 8;
                let first = self.terms.bits(word, first.wrapping_add_signed(-reach));
                let distance = self.terms.binary(BitOp::Sub, address, first);
                let limit = u64::from(item.width.div_ceil(8)) + 1 + reach as u64;
                let limit = self.terms.bits(word, limit);
                let near = self.terms.compare(Comparison::ULe, distance, limit);
                let any = self.approximation(item.width);
                self.terms.ite(near, any, old)
            };
            updates.set(symbol, new);
        }
    }

    /// The scalars of some width that have escaped, and where they are.
    fn escaped(&mut self, bits: Bits) -> Vec<(Symbol, ObjectId, i64)> {
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
                    found.push((symbol, object, (item.start as i64 - bits.start as i64) / 8));
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
        for (symbol, object, byte) in found {
            let old = self.current(symbol, updates);
            let new = if many {
                self.approximation(bits.width)
            } else {
                let Some(guard) = self.at(cursor, object, byte) else { continue };
                self.terms.ite(guard, value, old)
            };
            updates.set(symbol, new);
        }
    }

    /// Gives all scalars of an object any values.
    pub(in crate::program::c::lower) fn forget(&mut self, object: ObjectId) {
        for i in 0..self.points_to.objects().get(object).layout.items().len() {
            if let Cell::Variable(symbol) = self.cell(object, i) {
                self.pending.push(Operation::Havoc(symbol, Origin::Approximation));
            }
        }
    }

    /// The scalars that the program uses beyond the real end of an object.
    pub(in crate::program::c::lower) fn beyond(&mut self, object: ObjectId) -> Vec<Symbol> {
        let Object { layout, size, .. } = self.points_to.objects().get(object);
        if layout.size() == *size {
            return Vec::new();
        }
        let layout = Rc::clone(layout);
        let mut found = Vec::new();
        for (i, item) in layout.items().iter().enumerate() {
            if self.points_to.objects().get(object).is_beyond(item.start)
                && let Cell::Variable(symbol) = self.cell(object, i)
            {
                found.push(symbol);
            }
        }
        found
    }

    /// Gives the scalars of [`Self::beyond`] any values.
    pub(in crate::program::c::lower) fn forget_beyond(&mut self, object: ObjectId, origin: Origin) {
        for symbol in self.beyond(object) {
            self.pending.push(Operation::Havoc(symbol, origin));
        }
    }

    /// Gives everything at the cursor any value.
    pub(in crate::program::c::lower) fn forget_at(&mut self, cursor: &Cursor) {
        let mut objects: Vec<ObjectId> = cursor.targets.iter().map(|t| t.object).collect();
        objects.extend(&cursor.anywhere);
        if cursor.unknown {
            let all = self.points_to.objects().iter().map(|(o, _)| o);
            objects.extend(all.filter(|&o| self.points_to.has_escaped(o)));
        }
        objects.sort_unstable();
        objects.dedup();
        objects.into_iter().for_each(|o| self.forget(o));
    }

    /// Gives everything that a pointer may point to any value; it may also be null.
    pub(in crate::program::c::lower) fn forget_targets(&mut self, pointer: &Expr) {
        let cursor = self.pointed(pointer);
        self.forget_at(&cursor);
    }

    /// The variable to which a write at the cursor amounts, if it writes just that one, as a whole.
    pub(in crate::program::c::lower) fn variable_at(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
    ) -> Option<Symbol> {
        let target = cursor.certain()?;
        let start = target.offset * 8 + bits.start;
        let layout = Rc::clone(&self.points_to.objects().get(target.object).layout);
        let range = layout.overlapping(start, u64::from(bits.width));
        let item = layout.items().get(range.start).filter(|_| range.len() == 1)?;
        if item.start != start || item.width != bits.width {
            return None;
        }
        match self.cell(target.object, range.start) {
            Cell::Variable(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// All variables of an object, which are created if necessary.
    pub(in crate::program::c::lower) fn variables(&mut self, object: ObjectId) -> Vec<Symbol> {
        let count = self.points_to.objects().get(object).layout.items().len();
        (0..count)
            .filter_map(|i| match self.cell(object, i) {
                Cell::Variable(symbol) => Some(symbol),
                _ => None,
            })
            .collect()
    }

    /// The scalars of a type, as bits from the start of a place of that type.
    pub(in crate::program::c::lower) fn scalars(&mut self, ty: TypeId) -> Vec<Bits> {
        let layout = self.points_to.layout(Shape::Type(ty));
        layout.items().iter().map(|i| Bits { start: i.start, width: i.width }).collect()
    }
}

fn content_of(lowering: &mut Lowering<'_, '_>, object: ObjectId, item: usize) -> Option<Term> {
    let cell = lowering.cell(object, item);
    content(lowering.terms, cell)
}
