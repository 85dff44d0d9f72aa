//! Checks that a pointer that becomes one to another type is aligned for it (C11, 6.3.2.3, 7).

use super::insert::Inserter;
use crate::flow::{Expr, Place, State};
use crate::types::{Type, TypeId};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Inserter<'_> {
    /// Checks a conversion.
    pub(super) fn aligned(&mut self, from: &Expr, to: TypeId) {
        let Some(align) = self.asked_alignment(to) else { return };
        let span = from.span;
        match self.types.get(from.ty) {
            Type::Pointer(_) if self.asked_alignment(from.ty).is_some_and(|own| own >= align) => {}
            Type::Pointer(_) => {
                self.check_state(State::Misaligned(align), from, ErrorKind::Misaligned, span);
            }
            _ => self.aligned_number(None, to, span),
        }
    }

    /// A number as a pointer: one that is no multiple may be a mark, such as -1, or be used.
    pub(super) fn aligned_number(&mut self, number: Option<u64>, ty: TypeId, span: Span) {
        let Some(align) = self.asked_alignment(ty) else { return };
        if !number.is_some_and(|number| number.is_multiple_of(align)) {
            self.unsupported("whether a number is an aligned address", span);
        }
    }

    /// The address of a part of a record that is packed may be aligned, or not.
    pub(super) fn address_taken(&mut self, place: &Place) {
        if !self.property.checks.has(Check::Alignment) {
            return;
        }
        let Some(mut ty) = place.base_type(self.variables, self.types) else { return };
        for step in &place.path {
            let Some((part, field)) = step.part(ty, self.types) else { return };
            if field.is_some() && self.types.align(ty) < self.types.align(part) {
                return self.unsupported("the address of a part of a packed record", place.span);
            }
            ty = part;
        }
    }

    /// The alignment of what a pointer type points to, if that is asked for and more than that of characters.
    fn asked_alignment(&self, pointer: TypeId) -> Option<u64> {
        let Type::Pointer(to) = *self.types.get(pointer) else { return None };
        let is_asked = self.property.checks.has(Check::Alignment);
        Some(self.types.align(to)).filter(|&align| is_asked && align > 1)
    }
}
