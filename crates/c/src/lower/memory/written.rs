//! What was written, where that is asked for: each cell has a second variable of its width, whose bits say which of the
//! cell's were written (as in Stepanov and Serebryany, "MemorySanitizer", CGO 2015).
//!
//! These variables are read and written as the cells are, at the same places.

use std::rc::Rc;

use super::access::{Bits, Updates};
use super::cursor::Cursor;
use crate::flow::{Base, Expr, ExprKind, FunctionId, HavocKind, Place, VariableKind};
use crate::lower::lowering::Lowering;
use crate::memory::{ObjectId, ObjectKind, Objects};
use crate::types::TypeId;
use hardbop_base::errors::Check;
use hardbop_cfa::Operation;
use hardbop_smt::{Sort, Symbol, Term};

impl Lowering<'_, '_> {
    /// Does something to the variables that say what was written, if there are any, instead of to the cells.
    pub(in crate::lower) fn in_shadow<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if !self.flow.checked.has(Check::Uninitialised) || self.memory.is_shadow {
            return None;
        }
        self.memory.is_shadow = true;
        let result = work(self);
        self.memory.is_shadow = false;
        Some(result)
    }

    fn all(&mut self, width: u32, is_written: bool) -> Term {
        self.terms.bits(width, if is_written { u64::MAX } else { 0 })
    }

    /// Whether some bit of what is loaded was never written.
    pub(in crate::lower) fn unwritten(&mut self, load: &Expr) -> Term {
        let ExprKind::Load(place) = &load.kind else { return self.unknown_condition() };
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let written = self.in_shadow(|lowering| lowering.read(&cursor, bits));
        let Some(written) = written else { return self.unknown_condition() };
        let all = self.all(bits.width, true);
        self.terms.distinct(written, all)
    }

    /// What was written of some bits, where none of the cells is read that are known: what is outside of the program has
    /// values.
    pub(super) fn otherwise_written(&mut self, cursor: &Cursor, bits: Bits) -> Term {
        let is_known = cursor.unknown
            && self
                .objects_at(cursor)
                .into_iter()
                .all(|object| object == Objects::UNKNOWN || self.memory.is_singular(object));
        let is_given = |object: ObjectId| match self.points_to.objects().get(object).kind {
            ObjectKind::Variable(v) => self.given.any().any(|any| any == v),
            _ => object == Objects::UNKNOWN,
        };
        let are_given = self.objects_at(cursor).into_iter().all(is_given);
        match are_given || is_known && cursor.anywhere.is_empty() {
            true => self.all(bits.width, true),
            false => self.approximation(bits.width),
        }
    }

    /// Notes whether some bits at the cursor have a value.
    pub(in crate::lower) fn note_written(
        &mut self,
        cursor: &Cursor,
        bits: Bits,
        is_written: bool,
        updates: &mut Updates,
    ) {
        self.in_shadow(|lowering| {
            let all = lowering.all(bits.width, is_written);
            lowering.write_value(cursor, bits, all, updates);
        });
    }

    /// Writes some bits that were read of another place, and have a value where they had one there.
    pub(in crate::lower) fn write_copied(
        &mut self,
        (cursor, bits): (&Cursor, Bits),
        (from, from_bits): (&Cursor, Bits),
        value: Term,
        updates: &mut Updates,
    ) {
        self.write_value(cursor, bits, value, updates);
        self.in_shadow(|lowering| {
            let written = lowering.read(from, from_bits);
            if lowering.terms.width(written) == bits.width {
                lowering.write_value(cursor, bits, written, updates);
            }
        });
    }

    /// Notes whether all that a type has at the cursor has a value, after it got any.
    pub(in crate::lower) fn note_any(
        &mut self,
        cursor: &Cursor,
        (ty, place): (TypeId, Option<&Place>),
        is_written: bool,
        updates: &mut Updates,
    ) {
        if !self.flow.checked.has(Check::Uninitialised) {
            return;
        }
        let scalar = place.filter(|place| self.flow.types.is_scalar(place.ty));
        let all: Vec<Bits> = match scalar {
            Some(place) => vec![self.bits_of(place)],
            None => self.scalars(ty).into_iter().map(|(bits, _)| bits).collect(),
        };
        for bits in all {
            self.note_written(cursor, bits, is_written, updates);
        }
        self.in_shadow(|lowering| {
            for object in lowering.objects_at(cursor) {
                if !lowering.has_elements(object) {
                    continue;
                }
                for symbol in lowering.folded(object) {
                    let Sort::Bits(width) = lowering.terms.symbol_sort(symbol) else { continue };
                    let value = match cursor.certain() {
                        Some(_) => lowering.all(width, is_written),
                        None => lowering.approximation(width),
                    };
                    updates.set(symbol, value);
                }
            }
        });
    }

    fn folded(&mut self, object: ObjectId) -> Vec<Symbol> {
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let folded = layout.items().iter().enumerate().filter(|(_, item)| item.folded);
        folded.filter_map(|(i, _)| self.variable(object, i)).collect()
    }

    /// Whether a place that gets any value has one then: not a local variable that is declared.
    pub(in crate::lower) fn gives_value(&self, place: &Place, kind: &HavocKind) -> bool {
        let is_local = matches!(place.base, Base::Variable(v)
            if self.flow.variables[v.0 as usize].kind == VariableKind::Local);
        !matches!(kind, HavocKind::Uninitialised) || !is_local || !place.path.is_empty()
    }

    /// Notes whether all of a new object has a value.
    pub(in crate::lower) fn note_object(
        &mut self,
        object: ObjectId,
        is_written: bool,
        updates: &mut Updates,
    ) {
        self.in_shadow(|lowering| {
            for symbol in lowering.variables(object) {
                let Sort::Bits(width) = lowering.terms.symbol_sort(symbol) else { continue };
                let value = lowering.all(width, is_written);
                updates.set(symbol, value);
            }
        });
    }

    /// Says, where a function begins, that its parameters have values; of parts of records the caller says this.
    pub(in crate::lower) fn note_parameters(&mut self, function: FunctionId) {
        let flow = self.flow;
        for &v in &flow.functions[function.0 as usize].parameters {
            let object = self.points_to.objects().variable(v);
            let is_record = flow.types.as_record(flow.variables[v.0 as usize].ty).is_some();
            if is_record && function != flow.main {
                continue;
            }
            self.in_shadow(|lowering| {
                for symbol in lowering.variables(object) {
                    let Sort::Bits(width) = lowering.terms.symbol_sort(symbol) else { continue };
                    let all = lowering.all(width, true);
                    lowering.pending.push(Operation::Assign(symbol, all));
                }
            });
        }
    }
}
