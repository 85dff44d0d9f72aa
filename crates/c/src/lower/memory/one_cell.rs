//! Follows one of many: one cell of each array that is too large to be divided, and one of the blocks that a
//! call allocates which is executed more than once (Monniaux and Gonnord, "Cell Morphing", SAS 2016).
//!
//! Which one it is, is chosen before `main`, or when the block is allocated, and is the same until the end. Reads and writes of it are
//! exact; reads of all others yield any value. A bit tells whether the last read of the object was one of
//! its tracked cell, and errors need that: in an execution that reaches an error, the cell that was read last may be
//! the one that is tracked. So an error that no choice reaches is none of the program, whereas an
//! error that some choice reaches may depend on other cells, and has to be executed.

use std::rc::Rc;

use super::access::{Bits, Updates};
use super::cursor::{Cursor, Target};
use crate::flow::FunctionId;
use crate::lower::function::Draft;
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::memory::{Layout, ObjectId, ObjectKind, Shape};
use crate::types::TypeId;
use hardbop_cfa::{Operation, Origin, Step};
use hardbop_smt::{BitOp, Comparison, Sort, Symbol, Term};

impl Lowering<'_, '_> {
    /// Whether the object has cells that stand for one of many.
    pub(super) fn is_tracked(&self, object: ObjectId) -> bool {
        let is_known = self.memory.is_singular(object) && !self.memory.is_opaque(object);
        if self.options.model != Model::OneCell || !is_known {
            return false;
        }
        let object = self.points_to.objects().get(object);
        match object.kind {
            ObjectKind::Round(..) => true,
            ObjectKind::Text(_) => false,
            _ => object.layout.items().iter().any(|item| item.folded),
        }
    }

    /// Whether the cell at the offset stands for one of the elements of an array.
    pub(super) fn is_element(&self, object: ObjectId, offset: u64) -> bool {
        self.is_tracked(object) && self.points_to.objects().get(object).layout.is_folded(offset)
    }

    /// Whether the object has large arrays of which one element is tracked.
    pub(in crate::lower) fn has_elements(&self, object: ObjectId) -> bool {
        let layout = &self.points_to.objects().get(object).layout;
        self.is_tracked(object) && layout.items().iter().any(|item| item.folded)
    }

    pub(super) fn flag(&mut self, name: &str) -> Symbol {
        match self.terms.find_symbol(name) {
            None => self.terms.symbol(name, Sort::Bits(1)),
            Some(_) => self.terms.fresh(name, Sort::Bits(1)),
        }
    }

    fn element_index(&mut self, object: ObjectId, run: (u64, u64)) -> Term {
        if let Some(&symbol) = self.memory.tracked.indices.get(&(object, run)) {
            return self.terms.variable(symbol);
        }
        let name = format!("{}/index@{}@{}", self.memory.name(object), run.0, run.1);
        let symbol = self.terms.symbol(&name, Sort::Bits(self.word()));
        self.memory.tracked.indices.insert((object, run), symbol);
        self.terms.variable(symbol)
    }

    pub(super) fn seen(&mut self, object: ObjectId) -> Symbol {
        if let Some(&symbol) = self.memory.tracked.seen.get(&object) {
            return symbol;
        }
        let symbol = self.flag(&format!("{}/seen", self.memory.name(object)));
        self.memory.tracked.seen.insert(object, symbol);
        symbol
    }

    pub(super) fn picked(&mut self, object: ObjectId) -> Symbol {
        if let Some(&symbol) = self.memory.tracked.picked.get(&object) {
            return symbol;
        }
        let symbol = self.flag(&format!("{}/picked", self.memory.name(object)));
        self.memory.tracked.picked.insert(object, symbol);
        symbol
    }

    pub(super) fn is_set(&mut self, flag: Symbol) -> Term {
        let flag = self.terms.variable(flag);
        let one = self.terms.bits(1, 1);
        self.terms.equal(flag, one)
    }

    /// The address of the cell whose normalised offset this is.
    pub(in crate::lower) fn cell_address(
        &mut self,
        object: ObjectId,
        byte: i64,
        offset: u64,
    ) -> Term {
        let word = self.word();
        let start = self.memory.address(object).wrapping_add_signed(byte);
        let mut address = self.terms.bits(word, start);
        if !self.is_element(object, offset) {
            return address;
        }
        let runs: Vec<(u64, u64)> =
            self.points_to.objects().get(object).layout.runs(offset).collect();
        for run in runs {
            let index = self.element_index(object, run);
            let stride = self.terms.bits(word, run.1);
            let distance = self.terms.binary(BitOp::Mul, index, stride);
            address = self.terms.binary(BitOp::Add, address, distance);
        }
        address
    }

    /// The condition that a target is its tracked cell, beside its guard; `None` if that is not known.
    pub(super) fn is_cell(&mut self, cursor: &Cursor, target: Target) -> Option<Term> {
        if !self.is_element(target.object, target.offset) {
            return Some(self.terms.bool(true));
        }
        let by_indices = self.by_indices(target);
        let condition = target.distance.and_then(|path| path.condition);
        if let (Some(here), None) = (by_indices, condition) {
            return Some(here);
        }
        let address = cursor.address?;
        let there = self.cell_address(target.object, target.offset as i64, target.offset);
        let there = self.terms.equal(address, there);
        Some(match by_indices.zip(condition) {
            Some((here, condition)) => self.terms.ite(condition, here, there),
            None => there,
        })
    }

    /// The same, if the indices are known that lead from the start of the object to the target.
    fn by_indices(&mut self, target: Target) -> Option<Term> {
        let distance = target.distance?;
        let runs: Vec<(u64, u64)> =
            self.points_to.objects().get(target.object).layout.runs(target.offset).collect();
        let mut rest = distance.bytes.checked_sub(i64::try_from(target.offset).ok()?)?;
        let mut left: Vec<(Term, u64)> = distance.indices.into_iter().flatten().collect();
        let mut conditions = Vec::new();
        for (run, stride) in runs {
            let signed = i64::try_from(stride).ok().filter(|&s| s > 0)?;
            let elements = rest.div_euclid(signed);
            rest = rest.rem_euclid(signed);
            let word = self.word();
            let mut index = self.terms.bits(word, elements as u64);
            if let Some(at) = left.iter().position(|&(_, s)| s == stride) {
                let (term, _) = left.remove(at);
                index = self.terms.binary(BitOp::Add, term, index);
            }
            let tracked = self.element_index(target.object, (run, stride));
            conditions.push(self.terms.equal(index, tracked));
        }
        (rest == 0 && left.is_empty()).then(|| self.terms.and(&conditions))
    }

    /// Gives what is at the cursor where a type has large arrays any values: the scalars of the type leave them out, or have their
    /// first elements only. If there are other parts of an object, all of it.
    pub(in crate::lower) fn forget_elements(&mut self, cursor: &Cursor, ty: TypeId) {
        let layout = self.points_to.layout(Shape::Type(ty));
        if !layout.items().iter().any(|item| item.folded) {
            return;
        }
        for object in self.objects_at(cursor) {
            if !self.has_arrays_of(cursor, object, &layout) {
                self.forget(object);
            } else if self.is_tracked(object) {
                for symbol in self.elements(object) {
                    self.pending.push(Operation::Havoc(symbol, Origin::Approximation));
                }
                self.forget_ends(object);
            }
        }
    }

    /// Whether the object has large arrays wherever a place of some layout has them, if it is at the cursor.
    fn has_arrays_of(&self, cursor: &Cursor, object: ObjectId, layout: &Layout) -> bool {
        let own = &self.points_to.objects().get(object).layout;
        if **own == *layout {
            return true;
        }
        if cursor.unknown || cursor.anywhere.contains(&object) {
            return false;
        }
        layout.items().iter().filter(|item| item.folded).all(|item| {
            let Some(run) = layout.runs(item.start / 8).next() else { return false };
            let Some(bits) = layout.elements_of(run).and_then(|n| n.checked_mul(run.1 * 8)) else {
                return false;
            };
            let mut targets = cursor.targets.iter().filter(|target| target.object == object);
            targets.all(|target| {
                let range = own.overlapping((target.offset + run.0) * 8, bits);
                own.items()[range].iter().all(|item| item.folded)
            })
        })
    }

    /// The variables of tracked elements of an object, and of those that are remembered.
    pub(super) fn elements(&mut self, object: ObjectId) -> Vec<Symbol> {
        let layout = Rc::clone(&self.points_to.objects().get(object).layout);
        let folded = layout.items().iter().enumerate().filter(|(_, item)| item.folded);
        let mut found: Vec<Symbol> = folded.filter_map(|(i, _)| self.variable(object, i)).collect();
        found.extend(self.recent_cells(object));
        found
    }

    /// The cursor moved to the byte in which the bits begin, and the bits from there; `None`: it may stay as it is. Where it is not
    /// certain that they are within one element of a large array, or apart from all of them, it may be anywhere in the object.
    pub(super) fn settled(&mut self, cursor: &Cursor, bits: Bits) -> Option<(Cursor, Bits)> {
        if !self.objects_at(cursor).into_iter().any(|o| self.has_elements(o)) {
            return None;
        }
        let bytes = bits.start / 8;
        let bits = Bits { start: bits.start % 8, width: bits.width };
        let mut settled = Cursor { targets: vec![], ..cursor.clone() };
        if let Some(address) = cursor.address {
            let by = self.terms.bits(self.word(), bytes);
            settled.address = Some(self.terms.binary(BitOp::Add, address, by));
        } else if let &[Target { object, distance: Some(path), .. }] = cursor.targets.as_slice()
            && path.is_constant()
        {
            let at = self.memory.address(object).wrapping_add_signed(path.bytes);
            settled.address = Some(self.terms.bits(self.word(), at.wrapping_add(bytes)));
        }
        for &target in &cursor.targets {
            match self.settled_target(target, bytes, bits) {
                Some(target) => settled.targets.push(target),
                None => settled.anywhere.push(target.object),
            }
        }
        settled.anywhere.sort_unstable();
        settled.anywhere.dedup();
        Some((settled, bits))
    }

    fn settled_target(&self, target: Target, bytes: u64, bits: Bits) -> Option<Target> {
        let layout = &self.points_to.objects().get(target.object).layout;
        let distance = target.distance.and_then(|path| path.moved(i64::try_from(bytes).ok()?));
        let mut moved = Target { offset: target.offset.checked_add(bytes)?, distance, ..target };
        if !self.has_elements(target.object) {
            return Some(moved);
        }
        match distance.filter(|path| path.is_constant()) {
            Some(path) => moved.offset = layout.normalise(u64::try_from(path.bytes).ok()?),
            // It stays in the element.
            None => {
                let mut runs = layout.runs(target.offset);
                let stays = |(run, stride): (u64, u64)| {
                    (target.offset - run) % stride.max(1) + bytes < stride
                };
                if !runs.all(stays) {
                    return None;
                }
            }
        }
        let first = moved.offset * 8 + bits.start;
        let end = first + u64::from(bits.width);
        let inside = |(run, stride): (u64, u64)| {
            (moved.offset - run) % stride.max(1) * 8 + bits.start + u64::from(bits.width)
                <= stride * 8
        };
        let apart = || {
            let range = layout.overlapping(first, end - first);
            layout.items()[range].iter().all(|item| !item.folded)
        };
        let fits = match layout.is_folded(moved.offset) {
            true => layout.runs(moved.offset).all(inside),
            false => apart(),
        };
        fits.then_some(moved)
    }

    /// The address that an allocation returns which is executed more than once: that of the block that is tracked, if
    /// this is the one, or `rest`.
    pub(super) fn pick(
        &mut self,
        edge: (FunctionId, u32),
        rest: Term,
        updates: &mut Updates,
    ) -> Term {
        let Some(object) = self.points_to.objects().rounds(edge.0, edge.1).next() else {
            return rest;
        };
        let flag = self.picked(object);
        let picked = self.is_set(flag);
        let free = self.terms.not(picked);
        let chance = self.unknown_condition();
        let here = self.terms.and(&[free, chance]);
        let after = self.terms.or(&[picked, here]);
        let (one, zero) = (self.terms.bits(1, 1), self.terms.bits(1, 0));
        let after = self.terms.ite(after, one, zero);
        updates.set(flag, after);
        let address = self.memory.address(object);
        let address = self.terms.bits(self.word(), address);
        self.terms.ite(here, address, rest)
    }

    /// Errors need that the last read of each object was one of its tracked cell.
    pub(in crate::lower) fn guard_errors(&mut self, drafts: &mut [Draft]) {
        let flags: Vec<Symbol> = self.memory.tracked.seen.values().copied().collect();
        if flags.is_empty() {
            return;
        }
        let seen: Vec<Term> = flags.into_iter().map(|flag| self.is_set(flag)).collect();
        let seen = self.terms.and(&seen);
        for chain in drafts.iter_mut().flat_map(|draft| &mut draft.chains) {
            let steps = &mut chain.steps;
            for all in std::iter::once(&mut steps.steps).chain(&mut steps.branches) {
                if let Some(at) = all.iter().position(|step| matches!(step, Step::Error)) {
                    all.insert(at, Step::Operation(Operation::Assume(seen)));
                }
            }
        }
    }

    /// The steps before `main` that choose the cells.
    pub(in crate::lower) fn start_tracked(&mut self) -> Vec<Step> {
        let word = self.word();
        let mut steps = Vec::new();
        for (&(object, run), &symbol) in &self.memory.tracked.indices {
            let layout = &self.points_to.objects().get(object).layout;
            // No object is larger than half of what can be addressed.
            let most = layout.elements_of(run).unwrap_or(1 << (word.min(48) - 1));
            let index = self.terms.variable(symbol);
            let end = self.terms.bits(word, most);
            let inside = self.terms.compare(Comparison::ULt, index, end);
            steps.push(Operation::Havoc(symbol, Origin::Approximation));
            steps.push(Operation::Assume(inside));
        }
        let one = self.terms.bits(1, 1);
        let zero = self.terms.bits(1, 0);
        let seen = self.memory.tracked.seen.values().map(|&flag| Operation::Assign(flag, one));
        steps.extend(seen);
        let picked = self.memory.tracked.picked.values().map(|&flag| Operation::Assign(flag, zero));
        steps.extend(picked);
        let mut steps: Vec<Step> = steps.into_iter().map(Step::Operation).collect();
        steps.extend(self.start_recent());
        steps.extend(self.start_ends());
        steps
    }

    /// How many objects stand for many, or contain what does, so that one cell of each could be tracked.
    pub(in crate::lower) fn candidates(&self) -> usize {
        let all = self.points_to.objects().iter().filter(|&(id, object)| match object.kind {
            ObjectKind::Allocation(function, edge) if !self.memory.is_singular(id) => {
                self.points_to.zeroes(function, edge).is_some()
            }
            ObjectKind::Text(_) => false,
            _ => {
                let elements = object.layout.items().iter().filter(|item| item.element);
                let many = elements.count() as u64 > self.options.limits.memory.elements;
                self.memory.is_singular(id)
                    && (many || object.layout.items().iter().any(|item| item.folded))
            }
        });
        all.count()
    }
}
