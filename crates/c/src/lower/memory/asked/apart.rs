//! Whether pointers lead into one object.

use std::collections::BTreeSet;

use crate::flow::Expr;
use crate::lower::assumption::Assumption;
use crate::lower::lowering::Lowering;
use crate::memory::ObjectId;
use hardbop_smt::{BitOp, Comparison, Term};

impl Lowering<'_, '_> {
    /// Whether two addresses are not in one object, or behind its last byte; any answer if the model cannot tell.
    pub(in crate::lower) fn apart(&mut self, left: &Expr, right: &Expr) -> Term {
        self.assumptions.insert(Assumption::CheckedAccesses);
        let addresses = [self.value(left), self.value(right)];
        let of = |l: &mut Self, pointer: &Expr| -> BTreeSet<ObjectId> {
            l.points_to.addresses(pointer).into_iter().map(|a| a.object).collect()
        };
        let (ours, theirs) = (of(self, left), of(self, right));
        let mut known = true;
        let mut together = Vec::new();
        for &object in ours.intersection(&theirs) {
            let Some(all) = self.known_size(object) else {
                known = false;
                continue;
            };
            let start = self.memory.address(object);
            let start = self.terms.bits(self.word(), start);
            let both = addresses.map(|address| {
                let distance = self.terms.binary(BitOp::Sub, address, start);
                self.terms.compare(Comparison::ULe, distance, all)
            });
            together.push(self.terms.and(&both));
        }
        let together = self.terms.or(&together);
        let apart = self.terms.not(together);
        if known {
            return apart;
        }
        let any = self.unknown_condition();
        self.terms.and(&[apart, any])
    }

    /// The size in bytes of an object of which there is one at a time, and that is looked at.
    fn known_size(&mut self, object: ObjectId) -> Option<Term> {
        if !self.memory.is_singular(object) || self.is_others(object) {
            return None;
        }
        let computed = self.computed_size(object).map(|size| self.terms.variable(size));
        let constant = self.points_to.objects().get(object).layout.size();
        self.given_size(object).or(computed).or_else(|| {
            let size = constant?;
            Some(self.terms.bits(self.word(), size))
        })
    }
}
