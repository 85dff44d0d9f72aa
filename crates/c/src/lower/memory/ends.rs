//! Where texts end: for each large array of characters, the address of one that is known to be 0.
//!
//! It is 0 where none is known.  A read at that address yields 0, so that a walk along a text stays in its array if it begins
//! before the end; all other characters are what they are without this.  A write of 0 behind the known end is the new one; a
//! write of something else at the end leaves none.  This is the part of string-length abstractions (Dor, Rodeh and Sagiv, "CSSV",
//! PLDI 2003) that walks need.

use super::access::{Bits, Updates};
use super::cursor::Cursor;
use crate::flow::{Expr, VariableKind};
use crate::lower::lowering::Lowering;
use crate::memory::{ObjectId, ObjectKind};
use hardbop_cfa::{Operation, Step, TEXT_END};
use hardbop_smt::{BitOp, Comparison, Sort, Symbol, Term};

/// An array of characters: where it begins in its object, and its length.
type Area = (u64, u64);

impl Lowering<'_, '_> {
    /// The large arrays of characters of a variable.
    fn areas(&self, object: ObjectId) -> Vec<Area> {
        let objects = self.points_to.objects();
        let ObjectKind::Variable(v) = objects.get(object).kind else { return vec![] };
        // What is not in the text, such as all texts of arguments but one, may stand for many.
        let is_in_text = !self.flow.variables[v.0 as usize].name.contains('@');
        if !is_in_text || !self.has_elements(object) || self.has_copies(object) {
            return vec![];
        }
        let layout = &objects.get(object).layout;
        let folded = layout.items().iter().filter(|item| item.folded && item.width == 8);
        let areas = folded.filter_map(|item| {
            let mut runs = layout.runs(item.start / 8);
            let run = runs.next().filter(|&(start, stride)| (start * 8, stride) == (item.start, 1));
            let length = layout.elements_of(run?)?;
            runs.next().is_none().then_some((item.start / 8, length))
        });
        areas.collect()
    }

    /// The arrays of characters that are at the cursor, with their variables and the addresses of their first characters.
    fn ends_at(&mut self, cursor: &Cursor) -> Vec<(Symbol, u64, u64)> {
        let mut found = vec![];
        for object in self.objects_at(cursor) {
            for (start, length) in self.areas(object) {
                let first = self.memory.address(object).wrapping_add(start);
                found.push((self.text_end(object, start), first, length));
            }
        }
        found
    }

    /// The variables of an object.
    pub(super) fn ends(&mut self, object: ObjectId) -> Vec<Symbol> {
        let areas = self.areas(object);
        areas.into_iter().map(|(start, _)| self.text_end(object, start)).collect()
    }

    fn text_end(&mut self, object: ObjectId, start: u64) -> Symbol {
        if let Some(&symbol) = self.memory.tracked.ends.get(&(object, start)) {
            return symbol;
        }
        let name = format!("{}{TEXT_END}{start}", self.memory.name(object));
        let symbol = self.terms.symbol(&name, Sort::Bits(self.word()));
        self.memory.tracked.ends.insert((object, start), symbol);
        symbol
    }

    /// What is read at the cursor, where it would be a value without this.
    pub(super) fn up_to_end(&mut self, cursor: &Cursor, bits: Bits, value: Term) -> Term {
        let Some(address) = cursor.address.filter(|_| (bits.start, bits.width) == (0, 8)) else {
            return value;
        };
        let mut value = value;
        for (end, first, length) in self.ends_at(cursor) {
            let end = self.terms.variable(end);
            // This always holds; it is said here so that it is found where a proof needs it.
            let last = self.terms.bits(self.word(), first.wrapping_add(length - 1));
            let fits = self.terms.compare(Comparison::ULe, end, last);
            self.pending.push(Operation::Assume(fits));
            let is_end = self.terms.equal(address, end);
            let zero = self.terms.bits(8, 0);
            value = self.terms.ite(is_end, zero, value);
        }
        value
    }

    /// Brings the ends up to date with a write.
    pub(super) fn note_end(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        value: Term,
        updates: &mut Updates,
    ) {
        let none = self.terms.bits(self.word(), 0);
        for (symbol, first, length) in self.ends_at(cursor) {
            let old = self.current(symbol, updates);
            let new = match cursor.address {
                Some(address) if (bits.start, bits.width) == (0, 8) => {
                    let nothing = self.terms.bits(8, 0);
                    let is_zero = self.terms.equal(value, nothing);
                    let is_inside = self.is_among(address, first, length);
                    let is_behind = self.terms.compare(Comparison::ULt, old, address);
                    let is_later = self.terms.and(&[is_inside, is_behind]);
                    let by_zero = self.terms.ite(is_later, address, old);
                    let is_end = self.terms.equal(address, old);
                    let by_other = self.terms.ite(is_end, none, old);
                    self.terms.ite(is_zero, by_zero, by_other)
                }
                _ => none,
            };
            updates.set(symbol, new);
        }
    }

    /// Brings the ends of an object up to date where a byte is written to `size` addresses from the start on.
    pub(in crate::lower) fn note_fill(
        &mut self,
        object: ObjectId,
        byte: Term,
        (start, size): (Term, Term),
        updates: &mut Updates,
    ) {
        if self.memory.is_shadow {
            return;
        }
        let cursor = Cursor::at(object);
        let (none, nothing) = (self.terms.bits(self.word(), 0), self.terms.bits(8, 0));
        let one = self.terms.bits(self.word(), 1);
        for (symbol, first, length) in self.ends_at(&cursor) {
            let old = self.terms.variable(symbol);
            let before = self.terms.binary(BitOp::Sub, size, one);
            let last = self.terms.binary(BitOp::Add, start, before);
            let distance = self.terms.binary(BitOp::Sub, old, start);
            let is_within = self.terms.compare(Comparison::ULt, distance, size);
            let is_zero = self.terms.equal(byte, nothing);
            let something = self.terms.distinct(size, none);
            let is_inside = self.is_among(last, first, length);
            let is_behind = self.terms.compare(Comparison::ULt, old, last);
            let is_new = self.terms.and(&[is_zero, something, is_inside, is_behind]);
            let is_zero_or_else = self.terms.not(is_within);
            let stays = self.terms.or(&[is_zero, is_zero_or_else]);
            let kept = self.terms.ite(stays, old, none);
            let new = self.terms.ite(is_new, last, kept);
            updates.set(symbol, new);
        }
    }

    /// Notes that a text was written where a pointer leads to, of no more than `size` characters with the 0, unless the
    /// condition says that it was not.
    pub(in crate::lower) fn note_text(
        &mut self,
        to: &Expr,
        (size, fails): (Option<&Expr>, Option<Term>),
        updates: &mut Updates,
    ) {
        let word = self.word();
        let cursor = self.pointed(to);
        let all = self.ends_at(&cursor);
        if all.is_empty() {
            return;
        }
        let start = self.value(to);
        let size = size.map(|size| {
            let signed = self.is_signed(size.ty);
            let size = self.value(size);
            self.resize(size, word, signed)
        });
        let none = self.terms.bits(word, 0);
        for (symbol, first, length) in all {
            let end = self.approximation(word);
            let last = self.terms.bits(word, first.wrapping_add(length));
            let mut is_there = vec![self.is_among(start, first, length)];
            is_there.extend(size.map(|size| self.terms.distinct(size, none)));
            is_there.extend(fails.map(|fails| self.terms.not(fails)));
            let is_there = self.terms.and(&is_there);
            let mut fits = vec![
                self.terms.compare(Comparison::ULe, start, end),
                self.terms.compare(Comparison::ULt, end, last),
            ];
            if let Some(size) = size {
                let distance = self.terms.binary(BitOp::Sub, end, start);
                fits.push(self.terms.compare(Comparison::ULt, distance, size));
            }
            let fits = self.terms.and(&fits);
            let holds = self.terms.implies(is_there, fits);
            self.pending.push(Operation::Assume(holds));
            let new = self.terms.ite(is_there, end, none);
            updates.set(symbol, new);
        }
    }

    /// Whether an address is one of `length` from `first` on.
    fn is_among(&mut self, address: Term, first: u64, length: u64) -> Term {
        let word = self.word();
        let first = self.terms.bits(word, first);
        let length = self.terms.bits(word, length);
        let distance = self.terms.binary(BitOp::Sub, address, first);
        self.terms.compare(Comparison::ULt, distance, length)
    }

    /// The steps before `main`: of what begins as zeros, the last one is an end.
    pub(super) fn start_ends(&mut self) -> Vec<Step> {
        let word = self.word();
        let all: Vec<((ObjectId, u64), Symbol)> =
            self.memory.tracked.ends.iter().map(|(&of, &symbol)| (of, symbol)).collect();
        let mut steps = vec![];
        for ((object, start), symbol) in all {
            let objects = self.points_to.objects();
            let ObjectKind::Variable(v) = objects.get(object).kind else { continue };
            let is_zero = self.flow.variables[v.0 as usize].kind == VariableKind::Global;
            let area = self.areas(object).into_iter().find(|&(first, _)| first == start);
            let last = area.filter(|_| is_zero).map_or(0, |(_, length)| {
                self.memory.address(object).wrapping_add(start + length - 1)
            });
            let last = self.terms.bits(word, last);
            steps.push(Step::Operation(Operation::Assign(symbol, last)));
        }
        steps
    }
}
