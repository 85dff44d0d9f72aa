//! Whether an access leaves its object: the conditions that `c::checks` inserts.
//!
//! Where the program computes the size of what it allocates, a variable holds it.

use crate::flow::{Expr, FunctionId};
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::lower::memory::access::Updates;
use crate::lower::options::Model;
use crate::memory::{ObjectId, ObjectKind};
use hardbop_smt::{BitOp, Comparison, Symbol, Term};

/// An address in no object, which is not null.
const NOWHERE: u64 = 1;

impl Lowering<'_, '_> {
    /// Whether `size` bytes at an address are not within one object; any answer if the model cannot tell.
    pub(in crate::lower) fn outside(&mut self, pointer: &Expr, size: u64) -> Term {
        let size = self.terms.bits(self.word(), size);
        self.not_within(pointer, size)
    }

    /// [`outside`](Self::outside) for a number of bytes that the program computes; never of none.
    pub(in crate::lower) fn beyond_one(&mut self, pointer: &Expr, size: &Expr) -> Term {
        let size = self.value(size);
        let outside = self.not_within(pointer, size);
        let nothing = self.terms.bits(self.word(), 0);
        let some = self.terms.distinct(size, nothing);
        self.terms.and(&[some, outside])
    }

    fn not_within(&mut self, pointer: &Expr, size: Term) -> Term {
        self.assumptions.insert(Assumption::CheckedAccesses);
        let address = self.value(pointer);
        let mut objects: Vec<ObjectId> =
            self.points_to.addresses(pointer).into_iter().map(|a| a.object).collect();
        objects.sort_unstable();
        objects.dedup();
        let is_only = objects.len() == 1;
        let room = self.memory.room();
        let room = self.terms.bits(self.word(), room);
        let mut known = true;
        let mut inside = Vec::new();
        for object in objects {
            let constant = self.points_to.objects().get(object).layout.size();
            let constant = constant.filter(|_| self.memory.is_singular(object));
            if let Some(fine) = self.is_in_others(object, address) {
                inside.push(fine);
                continue;
            }
            let computed = self.computed_size(object).map(|size| self.terms.variable(size));
            let computed = self.given_size(object).or(computed);
            let constant = constant.map(|size| self.terms.bits(self.word(), size));
            let Some(all) = computed.or(constant) else {
                known = false;
                continue;
            };
            let start = self.memory.address(object);
            let start = self.terms.bits(self.word(), start);
            let distance = self.terms.binary(BitOp::Sub, address, start);
            let last = self.terms.binary(BitOp::Sub, all, size);
            let mut fits = vec![
                self.terms.compare(Comparison::ULe, size, all),
                self.terms.compare(Comparison::ULe, distance, last),
            ];
            // Behind its room others lie, to which the pointer may point as well.
            if computed.is_some() && !is_only {
                fits.push(self.terms.compare(Comparison::ULt, distance, room));
            }
            inside.push(self.terms.and(&fits));
        }
        let inside = self.terms.or(&inside);
        let outside = self.terms.not(inside);
        if known {
            return outside;
        }
        let any = self.unknown_condition();
        self.terms.and(&[outside, any])
    }

    /// The address to which an addition moves a pointer, but one in no object where it comes from outside of the object
    /// that it hits: the objects do not lie as they do here.
    pub(in crate::lower) fn moved(&mut self, pointer: &Expr, from: Term, to: Term) -> Term {
        if !self.flow.checked.tell_objects_apart() || from == to {
            return to;
        }
        let objects = self.objects_of(&[pointer]);
        let to = self.stays_in_others(&objects, from, to);
        if objects.len() < 2 {
            return to;
        }
        let mut hits = Vec::new();
        for object in objects.into_iter().filter(|&object| self.memory.is_singular(object)) {
            let all = self.points_to.objects().get(object).layout.size();
            let start = self.memory.address(object);
            let start = self.terms.bits(self.word(), start);
            let all = self.terms.bits(self.word(), all.unwrap_or(self.memory.room()));
            let mut is_in = |address| {
                let distance = self.terms.binary(BitOp::Sub, address, start);
                self.terms.compare(Comparison::ULe, distance, all)
            };
            let (was_in, is_in) = (is_in(from), is_in(to));
            let was_elsewhere = self.terms.not(was_in);
            hits.push(self.terms.and(&[was_elsewhere, is_in]));
        }
        let hits = self.terms.or(&hits);
        let nowhere = self.terms.bits(self.word(), NOWHERE);
        self.terms.ite(hits, nowhere, to)
    }

    /// The variable that holds the size of an object, in bytes, if the program computes it where it allocates the
    /// object, of which there is one at a time.
    pub(super) fn computed_size(&mut self, object: ObjectId) -> Option<Symbol> {
        let (function, edge) = match self.points_to.objects().get(object).kind {
            ObjectKind::Allocation(function, edge) => (function, edge),
            ObjectKind::Round(function, edge, _) if self.options.model != Model::OneCell => {
                (function, edge)
            }
            _ => return None,
        };
        let is_known = self.points_to.objects().get(object).layout.size().is_some();
        if is_known || !self.memory.is_singular(object) {
            return None;
        }
        let new = self.points_to.allocates(function, edge)?;
        (!new.size.is_empty()).then(|| self.memory.size(self.terms, object, self.word()))
    }

    /// Notes the size of what an edge allocates, which is the product of these arguments, for the round that comes.
    pub(in crate::lower) fn note_size(
        &mut self,
        (function, edge): (FunctionId, u32),
        factors: &[&Expr],
        updates: &mut Updates,
    ) {
        if !self.flow.checked.tell_objects_apart() {
            return;
        }
        let rounds: Vec<ObjectId> = self.points_to.objects().rounds(function, edge).collect();
        for (number, object) in rounds.into_iter().enumerate() {
            let here = self.is_round((function, edge), number);
            self.note_size_of(object, (factors, Some(here)), updates);
        }
        if let Some(object) = self.points_to.objects().allocation(function, edge) {
            self.note_size_of(object, (factors, None), updates);
        }
    }

    fn note_size_of(
        &mut self,
        object: ObjectId,
        (factors, condition): (&[&Expr], Option<Term>),
        updates: &mut Updates,
    ) {
        let Some(symbol) = self.computed_size(object) else { return };
        let word = self.word();
        let mut size = self.terms.bits(word, 1);
        for &factor in factors {
            let is_signed = self.is_signed(factor.ty);
            let factor = self.value(factor);
            let factor = self.resize(factor, word, is_signed);
            size = self.terms.binary(BitOp::Mul, size, factor);
        }
        if let Some(condition) = condition {
            let old = self.current(symbol, updates);
            size = self.terms.ite(condition, size, old);
        }
        updates.set(symbol, size);
    }
}
