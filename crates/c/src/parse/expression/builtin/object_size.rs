//! `__builtin_object_size` (GCC manual, "Object Size Checking"): how many bytes there are from a pointer to the
//! end of its object.

use super::super::convention::Special;
use crate::flow::{Base, Expr, ExprKind, Place, Step};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::types::TypeId;

/// A part of an object, in bytes from its start.
struct Part {
    start: i64,
    size: i64,
    /// Where the pointer points to.
    at: i64,
}

impl Context<'_> {
    /// The number where the text shows the object: a variable, a literal, or a part of one at constant indices.
    /// Of other pointers, compilers know more or less, as their optimisation goes: a path through them is left
    /// undecided.
    pub(in crate::parse::expression) fn object_size(&mut self, call: &Special) -> Typed<Called> {
        let &Special { name, arguments, span, .. } = call;
        let [pointer, kind] = arguments else {
            return Err(self.wrong_count(2, arguments.len(), None, span));
        };
        let kind =
            self.try_constant(kind)?.map(|(kind, _)| kind).filter(|kind| (0..4).contains(kind));
        // Nothing in the argument is executed.
        let (pointer, _) = self.dry(|context| context.value(pointer));
        let pointer = pointer?;
        let part = kind.and_then(|kind| self.part_at(&pointer, kind & 1 == 1));
        let left = part.and_then(|part| {
            let end = part.start.checked_add(part.size)?;
            (part.at >= part.start).then_some((end - part.at).max(0))
        });
        let Some(left) = left else { return Ok(self.undecided_call(name, span)) };
        let word = self.types.unsigned_word();
        Ok(Called::Value(self.constant(left as u64, word, span)))
    }

    /// The object that a pointer leads to, or with `is_closest` the member of it.
    fn part_at(&self, pointer: &Expr, is_closest: bool) -> Option<Part> {
        match &pointer.kind {
            ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => {
                self.part_at(inner, is_closest)
            }
            // Without optimisation, gcc does not know the member then.
            ExprKind::Offset { pointer, index, scale } if !is_closest => {
                let part = self.part_at(pointer, is_closest)?;
                let index = i64::try_from(self.as_number(index)?).ok()?;
                let bytes = index.checked_mul(i64::try_from(*scale).ok()?)?;
                Some(Part { at: part.at.checked_add(bytes)?, ..part })
            }
            ExprKind::AddressOf(place) => self.part_of(place, is_closest),
            _ => None,
        }
    }

    fn part_of(&self, place: &Place, is_closest: bool) -> Option<Part> {
        let mut ty = match place.base {
            Base::Variable(variable) => self.variables[variable.0 as usize].ty,
            Base::String(_) | Base::Pointer(_) => return None,
        };
        let mut part = Part { start: 0, size: self.whole_size(ty)?, at: 0 };
        let mut indices = 0;
        for step in &place.path {
            let distance;
            (ty, distance) = self.constant_step(ty, step)?;
            part.at = part.at.checked_add(distance)?;
            match step {
                Step::Field(_) if is_closest => {
                    (part.start, part.size) = (part.at, self.whole_size(ty)?);
                    indices = 0;
                }
                Step::Field(_) => {}
                Step::Index(_) => indices += 1,
            }
        }
        // Compilers differ about rows of arrays.
        (!is_closest || indices < 2).then_some(part)
    }

    /// The size in bytes of what has no member of unknown length.
    fn whole_size(&self, ty: TypeId) -> Option<i64> {
        if let Some((_, record)) = self.types.as_record(ty)
            && let Some(last) = record.fields.as_ref().and_then(|fields| fields.last())
            && self.types.size(last.ty).is_none_or(|size| size == 0)
        {
            return None;
        }
        i64::try_from(self.types.size(ty)?).ok()
    }
}
