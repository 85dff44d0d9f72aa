//! Undefined functions that are known by their names.

use std::ops::Range;

use super::super::flow::{Expr, FunctionId, Place};
use super::super::memory::{Effect, ObjectId};
use super::access::{Bits, Updates};
use super::memory::Cell;
use super::{Assumption, Lowering};
use crate::program::cfa::{Operation, Origin};
use crate::solve::smt::{Comparison, Sort, Term, UnaryOp};

impl Lowering<'_, '_> {
    /// The effect of a call on an edge.
    pub(super) fn library(
        &mut self,
        edge: (FunctionId, u32),
        effect: Effect,
        result: Option<&Place>,
        arguments: &[Expr],
        updates: &mut Updates,
    ) {
        let value = match effect {
            Effect::Allocate { zeroed, .. } => {
                let Some(object) = self.points_to.objects().allocation(edge.0, edge.1) else {
                    return self.any_result(result, Origin::Approximation, updates);
                };
                if zeroed {
                    self.forget_beyond(object, Origin::Approximation);
                    let beyond = self.beyond(object);
                    for symbol in self.variables(object) {
                        if beyond.contains(&symbol) {
                            continue;
                        }
                        let width = match self.terms.symbol_sort(symbol) {
                            Sort::Bits(width) => width,
                            _ => continue,
                        };
                        let zero = self.terms.bits(width, 0);
                        updates.set(symbol, zero);
                    }
                } else {
                    self.forget(object);
                }
                Some(self.allocated(object))
            }
            Effect::Reallocate => {
                let word = self.word();
                let value = self.approximation(word);
                if !self.options.malloc_may_fail {
                    self.not_null(value);
                }
                Some(value)
            }
            Effect::Nothing => None,
            Effect::Absolute => return self.absolute(result, arguments, updates),
            Effect::CopyBytes => {
                self.copy_bytes(arguments, updates);
                arguments.first().map(|a| self.value(a))
            }
            Effect::WriteText { may_fail } => {
                if let Some(to) = arguments.first() {
                    let cursor = self.locate_pointed(to);
                    self.forget_at(&cursor);
                }
                let start = arguments.first().map(|a| self.value(a));
                if may_fail { start.map(|start| self.or_null(start)) } else { start }
            }
            Effect::Fill => {
                self.fill(arguments, updates);
                arguments.first().map(|a| self.value(a))
            }
            Effect::Within => {
                let word = self.word();
                Some(self.approximation(word))
            }
        };
        let Some(place) = result else { return };
        match value.filter(|_| self.flow.types.is_pointer(place.ty)) {
            Some(value) => {
                let cursor = self.locate(place);
                let bits = self.bits_of(place);
                self.write(&cursor, bits, value, updates);
            }
            None => self.any_result(result, Origin::Approximation, updates),
        }
    }

    /// `abs`; of the least number, that number.
    fn absolute(&mut self, result: Option<&Place>, arguments: &[Expr], updates: &mut Updates) {
        let Some(place) = result else { return };
        let types = &self.flow.types;
        let whole = |ty| types.is_integer(ty) && types.bits(ty).is_some_and(|(_, signed)| signed);
        let Some(argument) = arguments.first().filter(|a| whole(a.ty) && whole(place.ty)) else {
            return self.any_result(result, Origin::Approximation, updates);
        };
        let value = self.value(argument);
        let zero = self.terms.bits(self.width(argument.ty), 0);
        let negative = self.terms.compare(Comparison::SLt, value, zero);
        let opposite = self.terms.unary(UnaryOp::Negate, value);
        let value = self.terms.ite(negative, opposite, value);
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let value = self.resize(value, bits.width, true);
        self.write(&cursor, bits, value, updates);
    }

    fn not_null(&mut self, value: Term) {
        self.assumptions.insert(Assumption::AllocationSucceeds);
        let zero = self.terms.bits(self.word(), 0);
        let fine = self.terms.distinct(value, zero);
        self.pending.push(Operation::Assume(fine));
    }

    /// What `malloc` returns.
    fn allocated(&mut self, object: ObjectId) -> Term {
        let address = self.object_address(object);
        if !self.options.malloc_may_fail {
            self.assumptions.insert(Assumption::AllocationSucceeds);
            return address;
        }
        self.or_null(address)
    }

    fn or_null(&mut self, address: Term) -> Term {
        let fails = self.anything(1, Origin::Approximation);
        let one = self.terms.bits(1, 1);
        let fails = self.terms.equal(fails, one);
        let null = self.terms.bits(self.word(), 0);
        self.terms.ite(fails, null, address)
    }

    /// `memcpy`.
    fn copy_bytes(&mut self, arguments: &[Expr], updates: &mut Updates) {
        let [to, from, size, ..] = arguments else { return };
        self.assumptions.insert(Assumption::CopiesKeepPointers);
        let to = self.locate_pointed(to);
        let from = self.locate_pointed(from);
        let Some((target, size)) = to.certain().zip(self.constant(size)) else {
            return self.forget_at(&to);
        };
        let start = target.offset * 8;
        let end = start.saturating_add((size.max(0) as u64).saturating_mul(8));
        for all in self.items(target.object) {
            if all.end <= start || all.start >= end {
                continue;
            }
            let (low, high) = (all.start.max(start), all.end.min(end));
            let bits = Bits { start: low - start, width: (high - low) as u32 };
            let value = self.read(&from, bits);
            self.write(&to, bits, value, updates);
        }
    }

    /// `memset`.
    fn fill(&mut self, arguments: &[Expr], updates: &mut Updates) {
        let [to, byte, size, ..] = arguments else { return };
        let to = self.locate_pointed(to);
        let known = to.certain().zip(self.constant(byte)).zip(self.constant(size));
        let Some(((target, byte), size)) = known else { return self.forget_at(&to) };
        let start = target.offset * 8;
        let end = start.saturating_add((size.max(0) as u64).saturating_mul(8));
        let bytes = u64::from_le_bytes([byte as u8; 8]);
        for all in self.items(target.object) {
            if all.end <= start || all.start >= end {
                continue;
            }
            let (low, high) = (all.start.max(start), all.end.min(end));
            let bits = Bits { start: low - start, width: (high - low) as u32 };
            let value = self.terms.bits(bits.width, bytes >> (low % 8));
            self.write(&to, bits, value, updates);
        }
    }

    /// The bits of an object that are in variables.
    fn items(&mut self, object: ObjectId) -> Vec<Range<u64>> {
        let layout = self.points_to.objects().get(object).layout.clone();
        let mut found = Vec::new();
        for (i, item) in layout.items().iter().enumerate() {
            if let Cell::Variable(_) = self.cell(object, i) {
                found.push(item.start..item.end());
            }
        }
        found
    }
}
