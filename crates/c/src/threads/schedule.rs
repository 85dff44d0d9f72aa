//! The scheduler, and what is before it.

use super::weave::{ENDED, NEW, Weaver};
use crate::flow::{BinaryOp, Expr, HavocKind, Instruction, LocationId, SCHEDULER};
use crate::types::Type;
use hardbop_base::source::Span;

impl Weaver<'_> {
    /// Whether a thread is somewhere.
    pub(super) fn is_at(&mut self, thread: usize, number: u64, span: Span) -> Expr {
        let place = self.flow.place_of(self.threads[thread].place, span);
        let number = Expr::number(number, place.ty, span);
        let int = self.flow.types.int();
        Expr::binary(BinaryOp::Equal, place.load(), number, int)
    }

    /// The variables in which the program begins.
    pub(super) fn begin(&mut self) -> LocationId {
        let entry = self.code.fresh();
        let mut at = entry;
        for thread in 1..self.threads.len() {
            let next = self.code.fresh();
            self.assign((at, next), self.threads[thread].place, NEW, Span::default());
            at = next;
        }
        self.code.add(at, self.threads[0].points[0], Instruction::Skip, Span::default());
        entry
    }

    /// The scheduler: goes on with one of the threads, where that one is.
    pub(super) fn schedule(&mut self) {
        let span = Span::default();
        let byte = self.flow.types.intern(Type::Int { bits: 8, signed: false, rank: 0 });
        let choice = self.hidden("next thread", byte);
        let place = self.flow.place_of(choice, span);
        let chosen = self.code.fresh();
        let input = HavocKind::Input(SCHEDULER.to_owned());
        self.code.add(self.scheduler, chosen, Instruction::Havoc(place.clone(), input), span);
        let (count, int) = (self.threads.len(), self.flow.types.int());
        let mut at = chosen;
        for thread in 0..count {
            // Each thread has as many numbers as the others, so that executions at random take each.
            let here = match thread + 1 == count {
                true => at,
                false => {
                    let most = ((thread + 1) * 256 / count) as u64;
                    let value = place.clone().load().cast(int);
                    let condition =
                        Expr::binary(BinaryOp::Less, value, Expr::number(most, int, span), int);
                    let (here, others) = (self.code.fresh(), self.code.fresh());
                    self.code.branch(at, condition, (here, others), span);
                    at = others;
                    here
                }
            };
            for (index, point) in self.threads[thread].points.clone().into_iter().enumerate() {
                let condition = self.is_at(thread, index as u64 + 2, span);
                let instruction = Instruction::Assume { condition, expected: true };
                self.code.add(here, point, instruction, span);
            }
            let (end, place) = (self.threads[thread].end, self.threads[thread].place);
            let next = self.deadlocks.as_ref().map_or(self.scheduler, |d| d.arrival);
            self.assign((end, next), place, ENDED, span);
        }
    }
}
