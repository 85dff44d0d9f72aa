//! What reads of the arguments of `main` yield, and which accesses stay in them.
//!
//! Nothing of an array of pointers, or a text, has a variable of its own.  As long as the program does not write to it, what is read
//! depends on the place: the pointers are not null, but the last one is; no character is zero, but the last one.

use super::access::Bits;
use super::cursor::Cursor;
use crate::flow::VariableId;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::ObjectId;
use hardbop_cfa::Operation;
use hardbop_smt::{BitOp, Comparison, Node, Term};

impl Lowering<'_, '_> {
    /// Whether what is read at the cursor depends on its address, as the arguments of `main` do.
    pub(super) fn reads_arguments(&self, cursor: &Cursor) -> bool {
        self.unwritten.iter().any(|&v| {
            let object = self.points_to.objects().variable(v);
            cursor.anywhere.contains(&object) || cursor.targets.iter().any(|t| t.object == object)
        })
    }

    /// Takes in what is known of bits that were read where [`Self::reads_arguments`] holds.
    pub(super) fn as_given(&mut self, cursor: &Cursor, bits: Bits, value: Term) {
        let Some(address) = cursor.address else { return };
        let word = self.word();
        self.recall((cursor, bits), address, value);
        let mut kept: Vec<VariableId> = self.unwritten.iter().copied().collect();
        kept.sort_unstable();
        for variable in kept {
            let is_array = self.given.arrays.contains(&variable);
            let width = if is_array { word } else { 8 };
            let Some(&size) = self.given.sizes.get(&variable) else { continue };
            if (bits.start, bits.width) != (0, width) || !self.is_at(cursor, variable) {
                continue;
            }
            let size = self.content_of(size);
            let bytes = self.terms.bits(word, u64::from(width / 8));
            let last = self.terms.binary(BitOp::Sub, size, bytes);
            let distance = self.distance(variable, address);
            let is_last = self.terms.equal(distance, last);
            let is_before = self.terms.compare(Comparison::ULt, distance, last);
            let nothing = self.terms.bits(width, 0);
            let is_nothing = self.terms.equal(value, nothing);
            let something = match is_array {
                true => self.is_text(address, value),
                false => self.terms.not(is_nothing),
            };
            let whole = self.terms.bits(word, u64::from(width / 8 - 1));
            let rest = self.terms.binary(BitOp::And, distance, whole);
            let none = self.terms.bits(word, 0);
            let is_element = self.terms.equal(rest, none);
            let is_before = self.terms.and(&[is_before, is_element]);
            // Behind its room others lie.
            let is_there = self.is_in_room(variable, address);
            for (condition, then) in [(is_last, is_nothing), (is_before, something)] {
                let here = self.terms.and(&[is_there, condition]);
                let other = self.terms.not(here);
                let holds = self.terms.or(&[other, then]);
                self.takes_for_read(value, holds);
            }
        }
    }

    /// Takes in that what is read twice from one place is the same, if nothing was read in between: with one cell, as for the
    /// elements of arrays.
    fn recall(&mut self, (cursor, bits): (&Cursor, Bits), address: Term, value: Term) {
        let of = |v: &VariableId| self.points_to.objects().variable(*v);
        let is_kept = |objects: &[VariableId]| {
            let kept = objects.iter().filter(|v| self.unwritten.contains(v));
            let kept: Vec<ObjectId> = kept.map(of).collect();
            !cursor.unknown && self.objects_at(cursor).iter().all(|object| kept.contains(object))
        };
        let (arrays, texts) = (&self.given.arrays, self.given.texts().collect::<Vec<_>>());
        let kind = match (bits.start, bits.width) {
            (0, width) if width == self.word() && is_kept(arrays) => 0,
            (0, 8) if is_kept(&texts) => 1,
            _ => return,
        };
        let Some(&last) =
            self.given.last.get(kind).filter(|_| self.options.model == Model::OneCell)
        else {
            return;
        };
        let objects = last.map(|v| self.points_to.objects().variable(v));
        let [Some(place), Some(content)] = objects.map(|o| self.variables(o).first().copied())
        else {
            return;
        };
        let [old, known] = [place, content].map(|symbol| self.terms.variable(symbol));
        let (is_same, is_known) = (self.terms.equal(old, address), self.terms.equal(known, value));
        let is_other = self.terms.not(is_same);
        let holds = self.terms.or(&[is_other, is_known]);
        self.takes_for_read(value, holds);
        self.pending.push(Operation::Parallel(vec![(place, address), (content, value)]));
    }

    /// Assumes what holds of a value that was read.
    fn takes_for_read(&mut self, value: Term, holds: Term) {
        if let Node::Variable(symbol) = *self.terms.node(value) {
            self.readings.insert(holds, symbol);
        }
        self.pending.push(Operation::Assume(holds));
    }

    fn is_at(&self, cursor: &Cursor, variable: VariableId) -> bool {
        let object = self.points_to.objects().variable(variable);
        cursor.anywhere.contains(&object) || cursor.targets.iter().any(|t| t.object == object)
    }

    /// Whether the pointer at an address leads to the start of the text that is looked at, if it is the pointer to that one,
    /// and else to another text.
    fn is_text(&mut self, address: Term, value: Term) -> Term {
        let other = match self.given.others {
            Some(others) => self.is_in_room(others, value),
            None => self.terms.bool(true),
        };
        let Some((text, place)) = self.given.text else { return other };
        let place = self.content_of(place);
        let here = self.terms.equal(address, place);
        let start = self.distance(text, value);
        let none = self.terms.bits(self.word(), 0);
        let start = self.terms.equal(start, none);
        self.terms.ite(here, start, other)
    }

    /// The value of a variable.
    fn content_of(&mut self, variable: VariableId) -> Term {
        let object = self.points_to.objects().variable(variable);
        let symbol = self.variables(object).first().copied();
        match symbol {
            Some(symbol) => self.terms.variable(symbol),
            None => self.approximation(self.word()),
        }
    }

    /// How many bytes an address is behind the start of an object.
    fn distance(&mut self, variable: VariableId, address: Term) -> Term {
        let start = self.memory.address(self.points_to.objects().variable(variable));
        let start = self.terms.bits(self.word(), start);
        self.terms.binary(BitOp::Sub, address, start)
    }

    /// Whether an address is in the room of an object.
    fn is_in_room(&mut self, variable: VariableId, address: Term) -> Term {
        let distance = self.distance(variable, address);
        let room = self.terms.bits(self.word(), self.memory.room());
        self.terms.compare(Comparison::ULt, distance, room)
    }

    /// Whether an access at an address counts as fine because it is in a text that is not looked at; `None` for other objects.
    pub(super) fn is_in_others(&mut self, object: ObjectId, address: Term) -> Option<Term> {
        let others = self.others()?;
        (self.points_to.objects().variable(others) == object)
            .then(|| self.is_in_room(others, address))
    }

    /// Whether an object is that of all texts but the one that is looked at.
    pub(super) fn is_others(&self, object: ObjectId) -> bool {
        self.others().is_some_and(|v| self.points_to.objects().variable(v) == object)
    }

    /// The object of all texts but the one that is looked at, if there is that one.
    fn others(&self) -> Option<VariableId> {
        self.given.others.filter(|_| self.given.text.is_some())
    }

    /// Where an addition moves a pointer: one into a text that is not looked at stays in these.
    pub(super) fn stays_in_others(&mut self, objects: &[ObjectId], from: Term, to: Term) -> Term {
        let Some(others) = self.others() else { return to };
        if !objects.contains(&self.points_to.objects().variable(others)) {
            return to;
        }
        let (was_in, is_in) = (self.is_in_room(others, from), self.is_in_room(others, to));
        let is_out = self.terms.not(is_in);
        let leaves = self.terms.and(&[was_in, is_out]);
        let start = self.memory.address(self.points_to.objects().variable(others));
        let start = self.terms.bits(self.word(), start);
        self.terms.ite(leaves, start, to)
    }

    /// The variable that holds the size of an object that `main` is given, in bytes.
    pub(super) fn given_size(&mut self, object: ObjectId) -> Option<Term> {
        let of = |v: VariableId| self.points_to.objects().variable(v) == object;
        let size = self.given.sizes.iter().find(|(v, _)| of(**v)).map(|(_, &size)| size)?;
        Some(self.content_of(size))
    }
}
