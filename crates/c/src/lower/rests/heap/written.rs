//! Which leaves of a block a write gives a value.

use super::reads::Leaf;
use super::state::State;
use crate::flow::{Base, Expr, ExprKind, Flow, Place, Step};
use crate::types::{Type, TypeId};

/// Bytes of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes {
    start: i64,
    /// None: all that follow.
    length: Option<u64>,
    /// They count for all elements of an array with this stride: it has values as soon as an element of it has one.
    stride: Option<u64>,
}

impl Bytes {
    /// From the start on, as many as a constant size says.
    pub fn first(size: Option<u64>) -> Self {
        Self { start: 0, length: size, stride: None }
    }

    pub fn has(&self, (first, size): Leaf) -> bool {
        // What is read at an unknown offset is an element of an array.
        let (Some(first), Some(length)) = (first, self.length) else { return true };
        let Ok(first) = i64::try_from(first) else { return false };
        let mut distance = first.wrapping_sub(self.start);
        if let Some(stride) = self.stride.and_then(|stride| i64::try_from(stride).ok()) {
            distance = distance.rem_euclid(stride.max(1));
        }
        u64::try_from(distance).is_ok_and(|distance| distance.saturating_add(size) <= length)
    }
}

/// The bytes that a write to a place changes, if it is certain to be one in the block.
pub(super) fn of_place(flow: &Flow, state: &State, place: &Place) -> Option<Bytes> {
    let mut bytes = start_of(flow, state, place)?;
    bytes.length = Some(super::reads::bytes(flow, place));
    Some(bytes)
}

fn start_of(flow: &Flow, state: &State, place: &Place) -> Option<Bytes> {
    let Base::Pointer(pointer) = &place.base else { return None };
    let mut bytes = of_pointer(flow, state, pointer)?;
    let Type::Pointer(to) = *flow.types.get(pointer.ty) else { return None };
    if flow.types.is_scalar(to) && bytes.stride.is_none() {
        bytes.stride = flow.types.size(to);
    }
    let mut ty: TypeId = to;
    for step in &place.path {
        match (step, flow.types.get(ty)) {
            (Step::Field(field), Type::Record(record)) => {
                let fields = flow.types.record(*record).fields.as_deref().unwrap_or_default();
                let field = fields.get(*field as usize)?;
                bytes.start = bytes.start.wrapping_add(field.offset as i64);
                ty = field.ty;
            }
            (Step::Index(index), Type::Array(element, _)) => {
                let stride = flow.types.size(*element)?;
                let index = flow.constant(index).unwrap_or(0);
                bytes.start = bytes.start.wrapping_add(index.wrapping_mul(stride as i64));
                bytes.stride = Some(stride);
                ty = *element;
            }
            _ => return None,
        }
    }
    Some(bytes)
}

/// The bytes from the target of a pointer on.
pub(super) fn of_pointer(flow: &Flow, state: &State, pointer: &Expr) -> Option<Bytes> {
    match &pointer.kind {
        ExprKind::Load(_) => state.is_start(flow, pointer).then_some(Bytes::first(None)),
        ExprKind::Cast(inner) => of_pointer(flow, state, inner),
        ExprKind::Offset { pointer, index, scale } => {
            let bytes = of_pointer(flow, state, pointer)?;
            let index = flow.constant(index).unwrap_or(0);
            let start = bytes.start.wrapping_add(index.wrapping_mul(*scale as i64));
            Some(Bytes { start, stride: Some(*scale), ..bytes })
        }
        ExprKind::AddressOf(place) => start_of(flow, state, place),
        _ => None,
    }
}
