//! Accesses that leave an array at an index which the text gives as a number.

use crate::flow::{Base, Expr, ExprKind, Flow, Place, Step};
use crate::types::Type;

/// Whether an access to the place leaves an array within its object, or a string literal: the memory behind an array may be
/// that of the next member, or of the next row.
pub(in crate::lower) fn leaves_array(flow: &Flow, place: &Place) -> bool {
    leaves(flow, place, true)
}

/// `is_accessed`: otherwise only its address is taken, which may be the one behind the last element.
fn leaves(flow: &Flow, place: &Place, is_accessed: bool) -> bool {
    let (mut ty, text) = match &place.base {
        Base::Variable(v) => (flow.variables[v.0 as usize].ty, None),
        Base::String(s) => (place.ty, Some(flow.strings[*s as usize].len() as u64)),
        Base::Pointer(pointer) => {
            if let Some(start) = start(pointer)
                && leaves(flow, start, false)
            {
                return true;
            }
            match flow.types.get(pointer.ty) {
                Type::Pointer(to) => (*to, None),
                _ => return false,
            }
        }
    };
    let is_pointed = matches!(place.base, Base::Pointer(_));
    for (at, step) in place.path.iter().enumerate() {
        match step {
            Step::Field(field) => {
                let fields = flow.types.as_record(ty).and_then(|(_, r)| r.fields.as_deref());
                let Some(field) = fields.and_then(|all| all.get(*field as usize)) else {
                    return false;
                };
                ty = field.ty;
            }
            Step::Index(index) => {
                let (element, length) = match flow.types.get(ty) {
                    Type::Array(element, length) => (*element, *length),
                    _ => (ty, text),
                };
                ty = element;
                // An array of at most one element at the end of a record often has more.
                let Some(length) = length.filter(|&n| !is_pointed || n > 1) else { continue };
                let is_last = at + 1 == place.path.len();
                let most = length + u64::from(is_last && !is_accessed);
                // A negative number is no such index either.
                let is_within = |i: i64| u64::try_from(i).is_ok_and(|i| i < most);
                if flow.constant(index).is_some_and(|i| !is_within(i)) {
                    return true;
                }
            }
        }
    }
    false
}

/// The place at which a pointer begins, if the text shows it.
fn start(pointer: &Expr) -> Option<&Place> {
    match &pointer.kind {
        ExprKind::AddressOf(place) => Some(place),
        ExprKind::Cast(inner) | ExprKind::Offset { pointer: inner, .. } => start(inner),
        _ => None,
    }
}
