//! The word of a buffer that holds its token.

use std::collections::BTreeSet;

use super::calls::Calls;
use crate::flow::{Base, Expr, ExprKind, Flow, Instruction, Place, Step};
use crate::types::{Type, TypeId, Types};
use hardbop_base::source::Span;

/// The first word of the buffer that a pointer leads to; `None` for types that do not begin with one.
pub(super) fn word(types: &mut Types, buffer: &Expr) -> Option<Place> {
    let Type::Pointer(ty) = *types.get(buffer.ty) else { return None };
    let span = buffer.span;
    let place = match &buffer.kind {
        ExprKind::AddressOf(place) if place.ty == ty => place.clone(),
        _ => Place { base: Base::Pointer(Box::new(buffer.clone())), path: vec![], ty, span },
    };
    first(types, place)
}

fn first(types: &mut Types, mut place: Place) -> Option<Place> {
    loop {
        let (step, ty) = match types.get(place.ty) {
            Type::Int { bits: 32.., .. } => return Some(place),
            Type::Array(element, _) => {
                let element = *element;
                (index(types, 0, place.span), element)
            }
            Type::Record(record) => {
                let field = types.record(*record).fields.as_ref()?.first()?;
                if field.bit_field.is_some() {
                    return None;
                }
                (Step::Field(0), field.ty)
            }
            _ => return None,
        };
        place.path.push(step);
        place.ty = ty;
    }
}

fn index(types: &mut Types, at: u64, span: Span) -> Step {
    let ty = types.signed_word();
    Step::Index(Box::new(Expr { kind: ExprKind::Constant(at), ty, span }))
}

/// The records that are buffers.
pub(super) fn records(flow: &Flow, calls: &Calls) -> BTreeSet<TypeId> {
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    let jumps = bodies.flat_map(|body| &body.edges).filter(|edge| calls.jump(edge).is_some());
    let buffers = jumps.filter_map(|edge| match &edge.instruction {
        Instruction::Call { arguments, .. } => arguments.first(),
        _ => None,
    });
    let targets = buffers.filter_map(|buffer| match *flow.types.get(buffer.ty) {
        Type::Pointer(to) if flow.types.as_record(to).is_some() => Some(to),
        _ => None,
    });
    targets.collect()
}

/// So many elements of an array of buffers are cleared.
const ELEMENTS: u64 = 64;

/// The words of the buffers in a place, which are 0 until `setjmp` fills them: what a local buffer happens to hold is no
/// token.
pub(super) fn words(types: &mut Types, place: &Place, records: &BTreeSet<TypeId>) -> Vec<Place> {
    let (mut open, mut words) = (vec![place.clone()], vec![]);
    while let Some(place) = open.pop() {
        let mut inner = |step: Step, ty: TypeId| {
            let mut inner = place.clone();
            inner.path.push(step);
            inner.ty = ty;
            open.push(inner);
        };
        match *types.get(place.ty) {
            _ if records.contains(&place.ty) => words.extend(first(types, place)),
            Type::Array(element, length) if !types.is_scalar(element) => {
                for at in 0..length.unwrap_or(0).min(ELEMENTS) {
                    inner(index(types, at, place.span), element);
                }
            }
            Type::Record(record) if !types.record(record).union => {
                let fields = types.record(record).fields.iter().flatten().enumerate();
                for (number, field) in fields {
                    inner(Step::Field(number as u32), field.ty);
                }
            }
            _ => {}
        }
    }
    words
}
