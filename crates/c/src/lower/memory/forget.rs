//! Gives what is in memory any values.

use std::rc::Rc;

use super::access::Updates;
use super::cell::Cell;
use super::cursor::Cursor;
use crate::flow::Expr;
use crate::lower::lowering::Lowering;
use crate::memory::{Object, ObjectId};
use hardbop_cfa::{Operation, Origin};
use hardbop_smt::{Sort, Symbol};

impl Lowering<'_, '_> {
    /// Gives all scalars of an object any values.
    pub(in crate::lower) fn forget(&mut self, object: ObjectId) {
        self.in_shadow(|lowering| {
            let written = lowering.variables(object);
            let any = |symbol| Operation::Havoc(symbol, Origin::Approximation);
            lowering.pending.extend(written.into_iter().map(any));
        });
        for i in 0..self.points_to.objects().get(object).layout.items().len() {
            if let Cell::Variable(symbol) = self.cell(object, i) {
                self.pending.push(Operation::Havoc(symbol, Origin::Approximation));
            }
        }
        for symbol in self.recent_cells(object) {
            self.pending.push(Operation::Havoc(symbol, Origin::Approximation));
        }
        self.forget_ends(object);
    }

    /// From here on, it is not known where texts in an object end.
    pub(super) fn forget_ends(&mut self, object: ObjectId) {
        let none = self.terms.bits(self.word(), 0);
        let ends = self.ends(object).into_iter();
        self.pending.extend(ends.map(|end| Operation::Assign(end, none)));
    }

    /// Gives what is remembered of an object any values.
    pub(in crate::lower) fn forget_recent(&mut self, object: ObjectId, updates: &mut Updates) {
        for symbol in self.recent_cells(object) {
            let Sort::Bits(width) = self.terms.symbol_sort(symbol) else { continue };
            let any = self.approximation(width);
            updates.set(symbol, any);
        }
        if !self.memory.is_shadow {
            let none = self.terms.bits(self.word(), 0);
            for end in self.ends(object) {
                updates.set(end, none);
            }
        }
    }

    /// The scalars that the program uses beyond the real end of an object.
    pub(in crate::lower) fn beyond(&mut self, object: ObjectId) -> Vec<Symbol> {
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
    pub(in crate::lower) fn forget_beyond(&mut self, object: ObjectId, origin: Origin) {
        for symbol in self.beyond(object) {
            self.pending.push(Operation::Havoc(symbol, origin));
        }
        self.in_shadow(|lowering| {
            let beyond = lowering.beyond(object);
            let any = |symbol| Operation::Havoc(symbol, Origin::Approximation);
            lowering.pending.extend(beyond.into_iter().map(any));
        });
    }

    /// Gives everything at the cursor any value.
    pub(in crate::lower) fn forget_at(&mut self, cursor: &Cursor) {
        self.changes_objects(cursor);
        self.objects_at(cursor).into_iter().for_each(|o| self.forget(o));
    }

    /// The objects that the cursor may be in.
    pub(in crate::lower) fn objects_at(&self, cursor: &Cursor) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> = cursor.targets.iter().map(|t| t.object).collect();
        objects.extend(&cursor.anywhere);
        if cursor.unknown {
            let all = self.points_to.objects().iter().map(|(o, _)| o);
            objects.extend(all.filter(|&o| self.points_to.has_escaped(o)));
        }
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Gives everything that a pointer may point to any value; it may also be null.
    pub(in crate::lower) fn forget_targets(&mut self, pointer: &Expr) {
        let cursor = self.pointed(pointer);
        self.forget_at(&cursor);
    }
}
