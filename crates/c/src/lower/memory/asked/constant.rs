//! Whether what is at an address may be written.

use crate::flow::Expr;
use crate::lower::lowering::Lowering;
use hardbop_smt::Term;

impl Lowering<'_, '_> {
    /// Whether an address is in an object that is defined `const`, or in a string literal; any answer where the model cannot tell.
    pub(in crate::lower) fn constant_at(&mut self, pointer: &Expr) -> Term {
        let address = self.value(pointer);
        let mut constant = Vec::new();
        for object in self.objects_at_pointer(pointer) {
            if !self.is_constant(object) {
                continue;
            }
            match self.memory.is_singular(object) {
                true => constant.push(self.is_in(object, address)),
                false => constant.push(self.unknown_condition()),
            }
        }
        self.terms.or(&constant)
    }
}
