//! Which leaves of a block a write gives a value.

use super::reads::{Leaf, Part, bit_field};
use super::state::State;
use crate::flow::{Base, Expr, ExprKind, Flow, Place, Step};
use crate::types::{Type, TypeId};

/// Bits of a block: those of some element of an array, which may be within an element of another one.
#[derive(Debug, Clone, Default)]
pub(super) struct Bits {
    /// The arrays that lead there, each within an element of the one before.
    arrays: Vec<Array>,
    /// The first bit, counted from the start of the last array's element on.
    start: i64,
    /// The number of bits; none: all that follow.
    length: Option<u64>,
}

/// An element of an array in a block, counted in bits.
#[derive(Debug, Clone)]
struct Array {
    start: i64,
    stride: i64,
    /// The number of its bits; none: it may go on to the end of the block.
    length: Option<i64>,
    /// The index; none: any.
    index: Option<i64>,
}

impl Bits {
    /// The bytes from there on, as many as are known to be written.
    pub fn bytes(self, size: Option<u64>) -> Self {
        Self { length: size.map(|size| size.saturating_mul(8)), ..self }
    }

    /// Whether they give the leaf a value.
    pub fn has(&self, leaf: &Leaf) -> bool {
        leaf.is_empty() || leaf.iter().any(|part| self.has_part(part))
    }

    fn has_part(&self, part: &Part) -> bool {
        let mut at = part.start as i64;
        for array in &self.arrays {
            at = at.wrapping_sub(array.start);
            if at < 0 || array.length.is_some_and(|length| at >= length) {
                return false;
            }
            // A part that stands for all elements has a value as soon as one of them has.
            at = match array.index {
                Some(index) if !part.is_folded => at.wrapping_sub(index.wrapping_mul(array.stride)),
                _ => at.rem_euclid(array.stride.max(1)),
            };
        }
        let distance = at.wrapping_sub(self.start);
        u64::try_from(distance).is_ok_and(|distance| {
            self.length.is_none_or(|length| distance.saturating_add(part.width) <= length)
        })
    }

    /// Goes to an element of the array that begins there.
    fn enter(&mut self, stride: u64, count: Option<u64>, index: Option<i64>) {
        let stride = bits(stride);
        let length = count.map(|count| stride.saturating_mul(count.try_into().unwrap_or(i64::MAX)));
        let start = std::mem::take(&mut self.start);
        self.arrays.push(Array { start, stride, length, index });
    }

    /// Goes on by as many elements.
    fn advance(&mut self, stride: u64, index: Option<i64>) {
        match self.arrays.last_mut() {
            Some(last) if last.stride == bits(stride) && self.start == 0 => {
                last.index = last.index.zip(index).map(|(a, b)| a.wrapping_add(b));
            }
            _ => self.enter(stride, None, index),
        }
    }
}

fn bits(bytes: u64) -> i64 {
    i64::try_from(bytes.saturating_mul(8)).unwrap_or(i64::MAX)
}

/// The bits that a write to a place changes, if it is certain to be one in the block.
pub(super) fn of_place(flow: &Flow, state: &State, place: &Place) -> Option<Bits> {
    let found = start_of(flow, state, place)?.bytes(flow.types.size(place.ty));
    Some(match bit_field(flow, place) {
        Some((first, width)) => {
            Bits { start: found.start.wrapping_add(first as i64), length: Some(width), ..found }
        }
        None => found,
    })
}

fn start_of(flow: &Flow, state: &State, place: &Place) -> Option<Bits> {
    let Base::Pointer(pointer) = &place.base else { return None };
    let mut found = of_pointer(flow, state, pointer)?;
    let Type::Pointer(to) = *flow.types.get(pointer.ty) else { return None };
    let mut ty: TypeId = to;
    for step in &place.path {
        match (step, flow.types.get(ty)) {
            (Step::Field(field), Type::Record(record)) => {
                let fields = flow.types.record(*record).fields.as_deref().unwrap_or_default();
                let field = fields.get(*field as usize)?;
                found.start = found.start.wrapping_add(bits(field.offset));
                ty = field.ty;
            }
            (Step::Index(index), Type::Array(element, count)) => {
                // One of at most one element, at the end of a record, often has more.
                let count = count.filter(|&count| count > 1);
                found.enter(flow.types.size(*element)?, count, flow.constant(index));
                ty = *element;
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The bits from the target of a pointer on.
pub(super) fn of_pointer(flow: &Flow, state: &State, pointer: &Expr) -> Option<Bits> {
    match &pointer.kind {
        ExprKind::Load(_) => state.is_start(flow, pointer).then(Bits::default),
        ExprKind::Cast(inner) => of_pointer(flow, state, inner),
        ExprKind::Offset { pointer, index, scale } => {
            let mut found = of_pointer(flow, state, pointer)?;
            found.advance(*scale, flow.constant(index));
            Some(found)
        }
        ExprKind::AddressOf(place) => start_of(flow, state, place),
        _ => None,
    }
}
