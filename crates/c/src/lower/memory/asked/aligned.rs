//! Whether addresses are aligned (C11, 6.2.8).

use crate::flow::Expr;
use crate::lower::lowering::Lowering;
use crate::memory::{ObjectId, ObjectKind};
use hardbop_smt::{BitOp, Comparison, Term};

impl Lowering<'_, '_> {
    /// Whether an address is no multiple of an alignment, wherever its object lies; any answer where that depends on it, or where
    /// the model cannot tell.
    pub(in crate::lower) fn misaligned(&mut self, pointer: &Expr, align: u64) -> Term {
        let address = self.value(pointer);
        let targets = self.points_to.addresses(pointer);
        let mut wrong = Vec::new();
        for of_object in targets.chunk_by(|a, b| a.object == b.object) {
            let object = of_object[0].object;
            let own = self.own_alignment(object);
            let layout = &self.points_to.objects().get(object).layout;
            // An offset in a large array stands for those in all of its elements.
            let fits = |offset: Option<u64>| {
                offset.is_some_and(|k| {
                    k.is_multiple_of(align)
                        && layout.runs(k).all(|(_, stride)| stride.is_multiple_of(align))
                })
            };
            if own >= align && of_object.iter().all(|target| fits(target.offset)) {
                continue;
            }
            let start = self.memory.address(object);
            let size = self.points_to.objects().get(object).layout.size();
            if !self.memory.is_singular(object) || own == 0 {
                wrong.push(self.unknown_condition());
                continue;
            }
            let word = self.word();
            let bits = |l: &mut Self, number| l.terms.bits(word, number);
            let start = bits(self, start);
            let distance = self.terms.binary(BitOp::Sub, address, start);
            let size = bits(self, size.unwrap_or(self.memory.room()));
            let within = self.terms.compare(Comparison::ULe, distance, size);
            let mask = bits(self, align.min(own) - 1);
            let low = self.terms.binary(BitOp::And, distance, mask);
            let zero = bits(self, 0);
            let mut off = self.terms.distinct(low, zero);
            if own < align {
                let any = self.unknown_condition();
                off = self.terms.or(&[off, any]);
            }
            wrong.push(self.terms.and(&[within, off]));
        }
        self.terms.or(&wrong)
    }

    /// The alignment that an object has wherever it lies; 0 if that is not known.
    fn own_alignment(&self, object: ObjectId) -> u64 {
        match self.points_to.objects().get(object).kind {
            ObjectKind::Variable(v) => self.flow.types.align(self.flow.variables[v.0 as usize].ty),
            ObjectKind::Text(_) => 1,
            ObjectKind::Allocation(function, edge) | ObjectKind::Round(function, edge, _) => {
                match self.points_to.allocates(function, edge) {
                    Some(new) if new.alignment.is_none() => self.flow.types.model.block_alignment(),
                    _ => 0,
                }
            }
            ObjectKind::Unknown | ObjectKind::Function(_) => 0,
        }
    }
}
