//! Whether an access leaves its object: the conditions that `c::checks` inserts.

use crate::flow::Expr;
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::memory::ObjectId;
use hardbop_smt::{BitOp, Comparison, Term};

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
        let mut known = true;
        let mut inside = Vec::new();
        for object in objects {
            let all = self.points_to.objects().get(object).layout.size();
            let (Some(all), true) = (all, self.memory.is_singular(object)) else {
                known = false;
                continue;
            };
            let start = self.memory.address(object);
            let (start, all) =
                (self.terms.bits(self.word(), start), self.terms.bits(self.word(), all));
            let distance = self.terms.binary(BitOp::Sub, address, start);
            let room = self.terms.binary(BitOp::Sub, all, size);
            let fits = [
                self.terms.compare(Comparison::ULe, size, all),
                self.terms.compare(Comparison::ULe, distance, room),
            ];
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
}
