//! Static records whose last member has no length, and is given values (GCC manual, "Arrays of Length Zero"): the object has
//! room for them, which its type does not say.

use super::cleared::Cover;
use crate::flow::Expr;
use crate::flow::{Base, ExprKind, Place, VariableId};
use crate::parse::context::Context;
use crate::types::{Record, RecordId, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    /// Gives the variable of this place a type with the elements that it was given.
    pub(super) fn lengthen(&mut self, place: &Place, cover: &Cover) {
        let Base::Variable(id) = place.base else { return };
        let Some((_, record)) = self.types.as_record(place.ty) else { return };
        let Some((at, last)) = record.fields.iter().flatten().enumerate().last() else { return };
        let Type::Array(element, None) = *self.types.get(last.ty) else { return };
        let given = cover.length_of(at as u64);
        if given == 0 || !place.path.is_empty() {
            return;
        }
        let mut longer = record.clone();
        let bytes = self.types.size(element).unwrap_or(0).saturating_mul(given);
        longer.size = last.offset.saturating_add(bytes).max(record.size);
        let array = self.types.intern(Type::Array(element, Some(given)));
        if let Some(last) = longer.fields.iter_mut().flatten().last() {
            last.ty = array;
        }
        let ty = self.record_of(longer);
        let declared = std::mem::replace(&mut self.variables[id.0 as usize].ty, ty);
        self.lengthened.insert(id, declared);
    }

    /// The type of a new record.
    fn record_of(&mut self, record: Record) -> TypeId {
        self.types.records.push(record);
        let id = RecordId(self.types.records.len() as u32 - 1);
        self.types.intern(Type::Record(id))
    }

    /// The place that a variable's name stands for, of the type that it is declared with.
    pub fn named_place(&mut self, id: VariableId, span: Span) -> Place {
        let place = self.place_of(id, span);
        let Some(&ty) = self.lengthened.get(&id) else { return place };
        let pointer = self.types.pointer_to(place.ty);
        let address = Expr { kind: ExprKind::AddressOf(place), ty: pointer, span };
        let to = self.types.pointer_to(ty);
        let base = Base::Pointer(Box::new(self.convert(address, to)));
        Place { base, path: Vec::new(), ty, span }
    }
}
