//! Whether an object has ended, and whether a block may be freed: the conditions that `c::checks` inserts.
//!
//! A variable of one bit for each object that may end says whether it is live. A block becomes live where it is allocated; an
//! object stands for one block, or for many, of which nothing is known. A local variable is live wherever its address is
//! taken, so that a pointer from one of its lives to the next is the only thing that the bit does not show.

use super::access::Updates;
use crate::flow::{Base, Expr, FunctionId, Instruction, Place};
use crate::lower::lowering::Lowering;
use crate::lower::options::Model;
use crate::lower::rests::{is_block, named, tracks_lives};
use crate::memory::{ObjectId, ObjectKind, Objects};
use hardbop_base::errors::Check;
use hardbop_cfa::{Operation, Step};
use hardbop_smt::{BitOp, Comparison, Term};

impl Lowering<'_, '_> {
    /// Whether the byte at an address is one of an object that has ended; any answer where the model cannot tell.
    pub(crate) fn ended(&mut self, pointer: &Expr) -> Term {
        let address = self.value(pointer);
        let objects = self.objects_at_pointer(pointer);
        let mut ended = Vec::new();
        for &object in &objects {
            if !self.mortal.has(object) {
                continue;
            }
            if !self.memory.is_singular(object) {
                ended.extend(self.unclear(object, address));
                continue;
            }
            let within = self.is_in(object, address);
            let dead = self.is_live(object);
            let mut dead = self.terms.not(dead);
            if self.mortal.unclear.contains(&object) {
                let any = self.unknown_condition();
                dead = self.terms.or(&[dead, any]);
            }
            ended.push(self.terms.and(&[within, dead]));
        }
        self.see_blocks(&objects, address);
        self.terms.or(&ended)
    }

    /// Whether a pointer is not null, and not to the start of a live block of the heap; any answer where the model cannot tell.
    pub(crate) fn not_freeable(&mut self, pointer: &Expr) -> Term {
        let address = self.value(pointer);
        let objects = self.objects_at_pointer(pointer);
        let null = self.terms.bits(self.word(), 0);
        let mut fine = vec![self.terms.equal(address, null)];
        for &object in &objects {
            if object == Objects::UNKNOWN {
                fine.push(self.unknown_condition());
                continue;
            }
            if !self.memory.is_singular(object) {
                // Where it is another block than the one that is tracked, this is another choice's error.
                let any = self.unclear(object, address);
                fine.push(match any {
                    Some(wrong) => {
                        let behind = self.is_behind(address);
                        let right = self.terms.not(wrong);
                        self.terms.and(&[behind, right])
                    }
                    None => self.is_behind(address),
                });
                continue;
            }
            if !self.is_of_heap(object) {
                continue;
            }
            let start = self.terms.bits(self.word(), self.memory.address(object));
            let start = self.terms.equal(address, start);
            let mut live = self.is_live(object);
            if self.mortal.unclear.contains(&object) {
                let any = self.unknown_condition();
                live = self.terms.and(&[live, any]);
            }
            fine.push(self.terms.and(&[start, live]));
        }
        self.see_blocks(&objects, address);
        let fine = self.terms.or(&fine);
        self.terms.not(fine)
    }

    /// Whether one of so many live blocks is lost: any answer where a variable may lead to one.
    pub(crate) fn lost(&mut self, count: &Expr, calls: bool) -> Term {
        let some = self.condition(count);
        if !self.points_to.keeps_blocks(calls) {
            return some;
        }
        let any = self.unknown_condition();
        self.terms.and(&[some, any])
    }

    /// Whether it is asked what has ended.
    pub(crate) fn tracks_lives(&self) -> bool {
        tracks_lives(self.flow)
    }

    /// Whether all uses of freed blocks are checked.
    pub(crate) fn lives_are_checked(&self) -> bool {
        self.flow.checked.has(Check::Free) && self.flow.checked.has(Check::Lifetime)
    }

    pub(super) fn objects_at_pointer(&mut self, pointer: &Expr) -> Vec<ObjectId> {
        let mut objects: Vec<ObjectId> =
            self.points_to.addresses(pointer).into_iter().map(|a| a.object).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Any answer, at the addresses of objects that stand for many; none if each of them is tracked by itself.
    fn unclear(&mut self, object: ObjectId, address: Term) -> Option<Term> {
        if self.tracked_block(object).is_some() {
            return None;
        }
        let any = self.unknown_condition();
        if object == Objects::UNKNOWN {
            return Some(any);
        }
        let behind = self.is_behind(address);
        Some(self.terms.and(&[behind, any]))
    }

    /// Whether an address is where objects lie that stand for many.
    fn is_behind(&mut self, address: Term) -> Term {
        let end = self.terms.bits(self.word(), self.memory.end());
        self.terms.compare(Comparison::ULe, end, address)
    }

    pub(super) fn is_in(&mut self, object: ObjectId, address: Term) -> Term {
        let size = self.points_to.objects().get(object).layout.size();
        let size = size.map_or(self.memory.room(), |size| size.max(1));
        let start = self.terms.bits(self.word(), self.memory.address(object));
        let size = self.terms.bits(self.word(), size);
        let distance = self.terms.binary(BitOp::Sub, address, start);
        self.terms.compare(Comparison::ULt, distance, size)
    }

    fn is_of_heap(&self, object: ObjectId) -> bool {
        match self.points_to.objects().get(object).kind {
            ObjectKind::Allocation(function, edge) | ObjectKind::Round(function, edge, _) => {
                self.points_to.is_of_heap(function, edge)
            }
            _ => false,
        }
    }

    fn is_live(&mut self, object: ObjectId) -> Term {
        let live = self.memory.live(self.terms, object);
        self.is_set(live)
    }

    /// The block that is tracked of those that an object stands for.
    fn tracked_block(&self, object: ObjectId) -> Option<ObjectId> {
        let ObjectKind::Allocation(function, edge) = self.points_to.objects().get(object).kind
        else {
            return None;
        };
        let mut rounds = self.points_to.objects().rounds(function, edge);
        rounds.next().filter(|_| self.options.model == Model::OneCell)
    }

    /// Notes that what an address leads to was looked at: as if it had been read.
    fn see_blocks(&mut self, objects: &[ObjectId], address: Term) {
        for &object in objects {
            let Some(tracked) = self.tracked_block(object) else { continue };
            let is_other = |&&o: &&ObjectId| o != object && !self.memory.is_singular(o);
            let has_others = objects.iter().any(|o| is_other(&o));
            let within = self.is_in(tracked, address);
            let mut elsewhere = self.terms.not(within);
            if !has_others {
                let behind = self.is_behind(address);
                let before = self.terms.not(behind);
                elsewhere = self.terms.and(&[elsewhere, before]);
            }
            self.see_block(tracked, within, elsewhere);
        }
    }

    /// Notes that the local variables whose addresses an instruction takes are live.
    pub(crate) fn name_variables(&mut self, instruction: &Instruction) {
        if self.mortal.locals.is_empty() {
            return;
        }
        for object in named(self.flow, &self.points_to, instruction) {
            if self.mortal.locals.contains(&object) && self.memory.is_singular(object) {
                let live = self.memory.live(self.terms, object);
                let yes = self.terms.bits(1, 1);
                self.pending.push(Operation::Assign(live, yes));
            }
        }
    }

    /// Ends a variable whose block is left, or an array of variable length, to which a pointer leads.
    pub(crate) fn end_variable(&mut self, place: &Place) {
        let objects = match &place.base {
            Base::Variable(variable) => vec![self.points_to.objects().variable(*variable)],
            // The pointer leads to what its only assignment allocated.
            Base::Pointer(pointer) => self.objects_at_pointer(pointer),
            Base::String(_) => return,
        };
        for object in objects {
            let ended = self.end(object);
            self.pending.extend(ended);
            self.forget(object);
        }
    }

    fn end(&mut self, object: ObjectId) -> Option<Operation> {
        if !self.mortal.locals.contains(&object) || !self.memory.is_singular(object) {
            return None;
        }
        let live = self.memory.live(self.terms, object);
        let no = self.terms.bits(1, 0);
        Some(Operation::Assign(live, no))
    }

    /// What ends with the activation of a function.
    pub(crate) fn end_activation(&mut self, function: FunctionId) -> Vec<Step> {
        let mut own: Vec<ObjectId> = self.mortal.locals.iter().copied().collect();
        own.sort_unstable();
        own.retain(|&object| match self.points_to.objects().get(object).kind {
            ObjectKind::Variable(v) => self.flow.variables[v.0 as usize].function == Some(function),
            ObjectKind::Allocation(of, _) => of == function,
            _ => false,
        });
        own.into_iter().filter_map(|o| self.end(o)).map(Step::Operation).collect()
    }

    /// Notes which block a call has allocated: that at an address.
    pub(crate) fn allocate_at(
        &mut self,
        (function, edge): (FunctionId, u32),
        address: Term,
        updates: &mut Updates,
    ) {
        if !tracks_lives(self.flow) {
            return;
        }
        let rounds: Vec<ObjectId> = self.points_to.objects().rounds(function, edge).collect();
        let rest = self.points_to.objects().allocation(function, edge);
        for object in rounds.into_iter().chain(rest) {
            self.set_live(object, true, address, updates);
        }
    }

    /// Notes that the block is freed that begins at an address, if one does.
    pub(crate) fn free_at(&mut self, pointer: &Expr, address: Term, updates: &mut Updates) {
        if !tracks_lives(self.flow) {
            return;
        }
        for object in self.objects_at_pointer(pointer) {
            self.set_live(object, false, address, updates);
        }
    }

    fn set_live(&mut self, object: ObjectId, is_live: bool, address: Term, updates: &mut Updates) {
        if !self.memory.is_singular(object) || !is_block(&self.points_to, object) {
            return;
        }
        let live = self.memory.live(self.terms, object);
        let start = self.terms.bits(self.word(), self.memory.address(object));
        let here = self.terms.equal(address, start);
        let old = self.current(live, updates);
        let new = self.terms.bits(1, u64::from(is_live));
        let new = self.terms.ite(here, new, old);
        updates.set(live, new);
    }
}
