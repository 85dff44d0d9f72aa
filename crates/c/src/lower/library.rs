//! Lowers calls of undefined functions that are known by name.

use std::ops::RangeInclusive;

use super::super::flow::{Expr, FunctionId, Place};
use super::super::library::{Effect, Returns, Storage, Writes, in_bits};
use super::super::memory::ObjectId;
use super::assumption::Assumption;
use super::lowering::Lowering;
use super::memory::Cell;
use super::memory::{Bits, Target, Updates};
use hardbop_cfa::{Operation, Origin};
use hardbop_smt::{BitOp, Comparison, Sort, Term, UnaryOp};

impl Lowering<'_, '_> {
    /// Applies the effect of a call on an edge; a result that may be anything has the origin.  Returns the result, if it is a
    /// pointer.
    pub(super) fn library(
        &mut self,
        edge: (FunctionId, u32),
        (effect, origin): (Effect, Origin),
        result: Option<&Place>,
        arguments: &[Expr],
        parameters: usize,
        updates: &mut Updates,
    ) -> Option<Term> {
        match effect.writes {
            Writes::Nothing => {}
            Writes::Copy { to, from, size } => {
                if let (Some(to), Some(from), Some(size)) =
                    (arguments.get(to), arguments.get(from), arguments.get(size))
                {
                    self.copy_bytes(to, from, size, updates);
                }
            }
            Writes::Fill { to, byte, size } => {
                if let (Some(to), Some(byte), Some(size)) =
                    (arguments.get(to), arguments.get(byte), arguments.get(size))
                {
                    self.fill(to, byte, size, updates);
                }
            }
            Writes::Text { to } => {
                if let Some(to) = arguments.get(to) {
                    self.forget_targets(to);
                }
            }
            Writes::Anything { .. } => {
                for to in effect.written(parameters, arguments.len()) {
                    if let Some(to) = arguments.get(to).filter(|a| self.flow.types.is_pointer(a.ty))
                    {
                        self.forget_targets(to);
                    }
                }
            }
        }
        let value = match effect.returns {
            Returns::Fresh(new) => {
                let Some(object) = self.points_to.objects().allocation(edge.0, edge.1) else {
                    {
                        self.any_result(result, Origin::Approximation, updates);
                        return None;
                    }
                };
                let factors: Option<Vec<&Expr>> =
                    new.size.iter().map(|&i| arguments.get(i)).collect();
                if let Some(factors) = factors.filter(|factors| !factors.is_empty()) {
                    self.note_size(edge, &factors, updates);
                }
                if new.zeroed {
                    self.zero(object, updates);
                } else {
                    self.forget(object);
                }
                self.note_object(object, new.zeroed, updates);
                let address = match new.storage {
                    Storage::Heap => self.allocated(edge, object, updates),
                    Storage::Library => {
                        let address = self.object_address(object);
                        let address = self.next_round(edge, address, updates);
                        self.or_null(address, Origin::Input)
                    }
                    Storage::Stack => {
                        let mut sizes = new.size.iter().map(|&i| arguments.get(i));
                        if !sizes.all(|size| size.is_some_and(|s| self.flow.constant(s).is_some()))
                        {
                            self.assumptions.insert(Assumption::AllocationSucceeds);
                        }
                        self.object_address(object)
                    }
                };
                self.allocate_at(edge, address, updates);
                Some(address)
            }
            Returns::Resized(old) if self.tracks_lives() => {
                self.reallocated(edge, (arguments.get(old), arguments.get(1)), updates)
            }
            Returns::Resized(_) => {
                let word = self.word();
                let value = self.approximation(word);
                // Of no bytes, it may be null: glibc then frees the block.
                let size = arguments.get(1).map(|size| self.value(size));
                self.not_null_unless_empty(value, size);
                Some(self.or_fails(value))
            }
            Returns::Argument(i) => arguments.get(i).map(|a| self.value(a)),
            Returns::ArgumentOrNull(i) => {
                let start = arguments.get(i).map(|a| self.value(a));
                start.map(|start| self.or_null(start, Origin::Approximation))
            }
            Returns::Within(_) | Returns::Given => {
                let word = self.word();
                Some(self.approximation(word))
            }
            Returns::Absolute(i) => {
                self.absolute(result, arguments.get(i), updates);
                return None;
            }
            Returns::Real(function) => {
                self.elementary(function, result, arguments, updates);
                return None;
            }
            Returns::Between { least, greatest } => {
                self.between(result, least..=greatest, updates);
                return None;
            }
            Returns::UpTo { argument, fails } => {
                self.up_to(result, (arguments.get(argument), fails), updates);
                return None;
            }
            Returns::Below(i) => {
                self.below(result, arguments.get(i), updates);
                return None;
            }
            Returns::Anything => None,
        };
        let Some(place) = result else { return value };
        match value.filter(|_| self.flow.types.is_pointer(place.ty)) {
            Some(value) => {
                let cursor = self.locate(place);
                let bits = self.bits_of(place);
                self.write(&cursor, bits, value, updates);
            }
            None => self.any_result(result, origin, updates),
        }
        value
    }

    /// Sets all bytes of a new object to 0.
    fn zero(&mut self, object: ObjectId, updates: &mut Updates) {
        self.forget_recent(object, updates);
        self.forget_beyond(object, Origin::Approximation);
        let beyond = self.beyond(object);
        for symbol in self.variables(object) {
            if beyond.contains(&symbol) {
                continue;
            }
            let Sort::Bits(width) = self.terms.symbol_sort(symbol) else { continue };
            let zero = self.terms.bits(width, 0);
            updates.set(symbol, zero);
        }
    }

    /// A number of a range, from outside.
    fn between(
        &mut self,
        result: Option<&Place>,
        range: RangeInclusive<i64>,
        updates: &mut Updates,
    ) {
        let Some(place) = result else { return };
        if !self.flow.types.is_integer(place.ty) {
            return self.any_result(result, Origin::Approximation, updates);
        }
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let value = self.anything(bits.width, Origin::Input);
        let (least, greatest) = in_bits((*range.start(), *range.end()), bits.width);
        let least = self.terms.bits(bits.width, least as u64);
        let greatest = self.terms.bits(bits.width, greatest as u64);
        let conditions = [
            self.terms.compare(Comparison::SLe, least, value),
            self.terms.compare(Comparison::SLe, value, greatest),
        ];
        let fits = self.terms.and(&conditions);
        self.pending.push(Operation::Assume(fits));
        self.write(&cursor, bits, value, updates);
    }

    /// -1, or a number from 0 to that of an argument, from outside.
    fn up_to(
        &mut self,
        result: Option<&Place>,
        (most, fails): (Option<&Expr>, bool),
        updates: &mut Updates,
    ) {
        let Some(place) = result else { return };
        let Some(most) = most.filter(|most| {
            self.flow.types.is_integer(place.ty) && self.flow.types.is_integer(most.ty)
        }) else {
            return self.any_result(result, Origin::Approximation, updates);
        };
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let value = self.anything(bits.width, Origin::Input);
        // Both fit into this width.
        let width = self.width(most.ty).max(bits.width);
        let signed = self.flow.types.bits(most.ty).is_some_and(|(_, signed)| signed);
        let most = self.value(most);
        let most = self.resize(most, width, signed);
        let is_signed = self.is_signed(place.ty);
        let number = self.resize(value, width, is_signed);
        let zero = self.terms.bits(width, 0);
        let mut within = vec![self.terms.compare(Comparison::ULe, number, most)];
        if is_signed {
            within.push(self.terms.compare(Comparison::SLe, zero, number));
        }
        let mut allowed = vec![self.terms.and(&within)];
        if fails {
            let failed = self.terms.bits(width, u64::MAX);
            allowed.push(self.terms.equal(number, failed));
        }
        let fits = self.terms.or(&allowed);
        self.pending.push(Operation::Assume(fits));
        self.write(&cursor, bits, value, updates);
    }

    /// `strlen`: a text ends within its object.
    fn below(&mut self, result: Option<&Place>, text: Option<&Expr>, updates: &mut Updates) {
        let Some(place) = result else { return };
        let addresses = text.map(|text| self.points_to.addresses(text)).unwrap_or_default();
        let sizes = addresses.iter().map(|address| {
            let size = self.points_to.objects().get(address.object).layout.size()?;
            Some(size.saturating_sub(address.offset.unwrap_or(0)))
        });
        let size = sizes.collect::<Option<Vec<u64>>>().and_then(|sizes| sizes.into_iter().max());
        let bits = self.flow.types.bits(place.ty).map_or(0, |(bits, _)| bits);
        let Some(size) = size.filter(|&size| 0 < size && size < 1 << 31 && bits >= 32) else {
            return self.any_result(result, Origin::Approximation, updates);
        };
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let value = self.anything(bits.width, Origin::Approximation);
        let end = self.terms.bits(bits.width, size);
        let fits = self.terms.compare(Comparison::ULt, value, end);
        self.pending.push(Operation::Assume(fits));
        self.write(&cursor, bits, value, updates);
    }

    /// `abs`; the least number is returned unchanged.
    fn absolute(&mut self, result: Option<&Place>, argument: Option<&Expr>, updates: &mut Updates) {
        let Some(place) = result else { return };
        let types = &self.flow.types;
        let whole = |ty| types.is_integer(ty) && types.bits(ty).is_some_and(|(_, signed)| signed);
        let Some(argument) = argument.filter(|a| whole(a.ty) && whole(place.ty)) else {
            return self.any_result(result, Origin::Approximation, updates);
        };
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        // Without a prototype, the argument may be narrower than the parameter.
        let width = self.width(argument.ty).max(bits.width);
        let value = self.value(argument);
        let value = self.resize(value, width, true);
        let zero = self.terms.bits(width, 0);
        let negative = self.terms.compare(Comparison::SLt, value, zero);
        let opposite = self.terms.unary(UnaryOp::Negate, value);
        let value = self.terms.ite(negative, opposite, value);
        let value = self.resize(value, bits.width, true);
        self.write(&cursor, bits, value, updates);
    }

    fn not_null_unless_empty(&mut self, value: Term, size: Option<Term>) {
        let zero = self.terms.bits(self.word(), 0);
        let mut fine = vec![self.terms.distinct(value, zero)];
        if let Some(size) = size {
            let nothing = self.terms.bits(self.terms.width(size), 0);
            fine.push(self.terms.equal(size, nothing));
        }
        let fine = self.terms.or(&fine);
        self.pending.push(Operation::Assume(fine));
    }

    /// The pointer that `malloc` returns.
    fn allocated(
        &mut self,
        edge: (FunctionId, u32),
        object: ObjectId,
        updates: &mut Updates,
    ) -> Term {
        let address = self.object_address(object);
        let address = self.next_round(edge, address, updates);
        self.or_fails(address)
    }

    /// The pointer that `realloc` returns: a new block's, whose content is not known, unless it fails; then the old one
    /// stays.  glibc frees it, too, where nothing is left of it.
    fn reallocated(
        &mut self,
        edge: (FunctionId, u32),
        (old, size): (Option<&Expr>, Option<&Expr>),
        updates: &mut Updates,
    ) -> Option<Term> {
        let object = self.points_to.objects().allocation(edge.0, edge.1)?;
        self.forget(object);
        let null = self.terms.bits(self.word(), 0);
        let address = self.allocated(edge, object, updates);
        let Some((pointer, size)) = old.zip(size) else {
            return Some(self.approximation(self.word()));
        };
        let (old, size) = (self.value(pointer), self.value(size));
        let nothing = self.terms.bits(self.terms.width(size), 0);
        let ends = [self.terms.equal(size, nothing), self.terms.distinct(old, null)];
        let ends = self.terms.and(&ends);
        let result = self.terms.ite(ends, null, address);
        let moves = self.terms.distinct(result, null);
        let moves = self.terms.or(&[moves, ends]);
        let freed = self.terms.ite(moves, old, null);
        self.free_at(pointer, freed, updates);
        self.allocate_at(edge, result, updates);
        Some(result)
    }

    /// The address, or null where the allocation may fail: the interpreter asks for that too.
    fn or_fails(&mut self, address: Term) -> Term {
        if !self.options.malloc_may_fail {
            self.assumptions.insert(Assumption::AllocationSucceeds);
            return address;
        }
        self.or_null(address, Origin::Input)
    }

    fn or_null(&mut self, address: Term, origin: Origin) -> Term {
        let fails = self.anything(1, origin);
        let one = self.terms.bits(1, 1);
        let fails = self.terms.equal(fails, one);
        let null = self.terms.bits(self.word(), 0);
        self.terms.ite(fails, null, address)
    }

    /// `memcpy`.
    fn copy_bytes(&mut self, to: &Expr, from: &Expr, size: &Expr, updates: &mut Updates) {
        self.assumptions.insert(Assumption::CopiesKeepPointers);
        let to = self.locate_pointed(to);
        let from = self.locate_pointed(from);
        self.changes_objects(&to);
        let Some((target, size)) = to.certain().zip(self.flow.constant(size)) else {
            return self.forget_at(&to);
        };
        if self.has_elements(target.object) {
            return self.forget(target.object);
        }
        for bits in self.items(target, size) {
            let value = self.read(&from, bits);
            self.write_copied((&to, bits), (&from, bits), value, updates);
        }
    }

    /// `memset`.
    fn fill(&mut self, to: &Expr, byte: &Expr, size: &Expr, updates: &mut Updates) {
        let pointer = to;
        let to = self.locate_pointed(to);
        self.changes_objects(&to);
        let known = self.flow.constant(byte).zip(self.flow.constant(size));
        let certain = to.certain().filter(|target| !self.has_elements(target.object));
        let Some((target, (byte, size))) = certain.zip(known) else {
            let objects = self.objects_at(&to);
            let scalars = |o: &ObjectId| self.points_to.objects().get(*o).layout.items().len();
            let scalars: usize = objects.iter().map(scalars).sum();
            if to.unknown || scalars > self.options.limits.access.targets {
                return self.forget_at(&to);
            }
            let start = self.value(pointer);
            let (byte, size) = (self.value(byte), self.value(size));
            for object in objects {
                self.fill_range(object, byte, (start, size), updates);
                self.in_shadow(|lowering| {
                    let all = lowering.terms.bits(8, u64::from(u8::MAX));
                    lowering.fill_range(object, all, (start, size), updates);
                });
            }
            return;
        };
        let bytes = u64::from_le_bytes([byte as u8; 8]);
        for bits in self.items(target, size) {
            let value = self.terms.bits(bits.width, bytes >> (bits.start % 8));
            self.write(&to, bits, value, updates);
        }
    }

    /// Writes a byte to as many addresses as `size` says, from the start of the range; all of them are in the object.
    fn fill_range(
        &mut self,
        object: ObjectId,
        byte: Term,
        (start, size): (Term, Term),
        updates: &mut Updates,
    ) {
        let word = self.word();
        let byte = self.terms.extract(7, 0, byte);
        let size = self.resize(size, word, false);
        self.forget_recent(object, updates);
        self.note_fill(object, byte, (start, size), updates);
        let layout = self.points_to.objects().get(object).layout.clone();
        for (i, item) in layout.items().iter().enumerate() {
            let Cell::Variable(symbol) = self.cell(object, i) else { continue };
            let old = self.terms.variable(symbol);
            let bytes = (item.start % 8 + u64::from(item.width)).div_ceil(8);
            let address = self.cell_address(object, (item.start / 8) as i64, item.start / 8);
            let distance = self.terms.binary(BitOp::Sub, address, start);
            let before = self.terms.binary(BitOp::Sub, start, address);
            let length = self.terms.bits(word, bytes);
            // The range overlaps the cell, or contains it; a bit-field has other bits beside it.
            let overlaps = [
                self.terms.compare(Comparison::ULt, distance, size),
                self.terms.compare(Comparison::ULt, before, length),
            ];
            let overlaps = self.terms.or(&overlaps);
            let nothing = self.terms.bits(word, 0);
            let something = self.terms.distinct(size, nothing);
            let overlaps = self.terms.and(&[overlaps, something]);
            let room = self.terms.binary(BitOp::Sub, size, length);
            let inside = [
                self.terms.compare(Comparison::ULe, length, size),
                self.terms.compare(Comparison::ULe, distance, room),
            ];
            let inside = self.terms.and(&inside);
            let any = self.approximation(item.width);
            let new = if item.start % 8 == 0 && item.width % 8 == 0 {
                let all = (1..bytes).fold(byte, |all, _| self.terms.concat(byte, all));
                self.terms.ite(inside, all, any)
            } else {
                any
            };
            let new = self.terms.ite(overlaps, new, old);
            updates.set(symbol, new);
        }
    }

    /// The parts of `size` bytes from a target that have variables.
    fn items(&mut self, target: Target, size: i64) -> Vec<Bits> {
        let start = target.offset * 8;
        let end = start.saturating_add((size.max(0) as u64).saturating_mul(8));
        let layout = self.points_to.objects().get(target.object).layout.clone();
        let mut found = Vec::new();
        for (i, item) in layout.items().iter().enumerate() {
            let (low, high) = (item.start.max(start), item.end().min(end));
            if let Cell::Variable(_) = self.cell(target.object, i)
                && low < high
            {
                found.push(Bits { start: low - start, width: (high - low) as u32 });
            }
        }
        found
    }
}
