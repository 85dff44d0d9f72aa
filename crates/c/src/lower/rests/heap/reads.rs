//! Blocks whose memory has no value at first, and where it is read.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::flow::{Base, Callee, Expr, ExprKind, Flow, FunctionId, Instruction, Place, Step};
use crate::library::{Accesses, Execution, LibraryFunction, Returns, Writes, find};
use crate::memory::{Layout, ObjectId, ObjectKind};
use crate::points_to::PointsTo;
use crate::types::Type;

/// An edge: of this function, at this index.
pub(super) type At = (FunctionId, u32);

/// Bits of a block that hold one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Part {
    pub start: u64,
    pub width: u64,
    /// Whether it stands for the same bits in all elements of a large array.
    pub is_folded: bool,
}

/// Parts of a block that are read as one: it has a value as soon as one of them has.  Without parts that is as soon as
/// anything of the block has, since where it is read is not known.
pub(super) type Leaf = Vec<Part>;

/// The number of parts that are told apart in a leaf.
const MOST: usize = 256;

/// A read of a leaf by way of a pointer.
pub(super) type Read<'f> = (usize, &'f Expr);

/// The reads of the blocks that one call makes.
#[derive(Debug, Default)]
pub(super) struct Site<'f> {
    pub leaves: Vec<Leaf>,
    /// Their positions in `leaves`.
    numbers: FxHashMap<Leaf, usize>,
    pub reads: FxHashMap<At, Vec<Read<'f>>>,
}

/// The extent of a read at a place.
#[derive(Debug, Clone, Copy)]
enum Extent {
    /// A scalar: the bits between the place and its first one, and the number of its bits.
    Scalar(u64, u64),
    /// A scalar in some element of an array; whether the last position may be that behind the array.
    Element(u64, u64, bool),
    /// Bytes that are copied, with their number, if that is known.
    Copy(Option<u64>),
}

/// The calls that make such blocks.
pub(super) fn sites<'f>(
    flow: &'f Flow,
    points_to: &mut PointsTo<'_>,
    functions: &[FunctionId],
) -> FxHashMap<At, Site<'f>> {
    let mut sites: FxHashMap<At, Site<'f>> = FxHashMap::default();
    let all = || {
        functions.iter().flat_map(|&f| {
            let edges = flow.functions[f.0 as usize].body.iter().flat_map(|body| &body.edges);
            edges.enumerate().map(move |(i, edge)| ((f, i as u32), &edge.instruction))
        })
    };
    for (at, instruction) in all() {
        if library(flow, instruction).is_some_and(|(known, _)| makes_values_free(known)) {
            sites.insert(at, Site::default());
        }
    }
    if sites.is_empty() {
        return sites;
    }
    for (at, instruction) in all() {
        for part in instruction.parts() {
            if let ExprKind::Load(place) = &part.kind
                && let Base::Pointer(pointer) = &place.base
            {
                let (kind, ty) = (ExprKind::AddressOf(place.clone()), pointer.ty);
                let address = Expr { kind, ty, span: place.span };
                note(&mut sites, points_to, at, (&address, extent(flow, place)), pointer);
            }
        }
        for (text, extent) in texts(flow, instruction) {
            note(&mut sites, points_to, at, (text, extent), text);
        }
    }
    sites
}

fn extent(flow: &Flow, place: &Place) -> Extent {
    let size = flow.types.size(place.ty);
    if !flow.types.is_scalar(place.ty) {
        return Extent::Copy(size);
    }
    let (first, width) = bit_field(flow, place).unwrap_or((0, size.unwrap_or(1) * 8));
    let is_open = |step: &Step| matches!(step, Step::Index(i) if flow.constant(i).is_none());
    let is_moved = match &place.base {
        Base::Pointer(pointer) => is_moved(flow, pointer),
        _ => false,
    };
    match is_moved || place.path.iter().any(is_open) {
        true => Extent::Element(first, width, is_moved),
        false => Extent::Scalar(first, width),
    }
}

/// Whether a pointer leads to an element at an index that is no number of the text.
fn is_moved(flow: &Flow, pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => is_moved(flow, inner),
        ExprKind::Offset { pointer, index, .. } => {
            flow.constant(index).is_none() || is_moved(flow, pointer)
        }
        _ => false,
    }
}

/// The first bit and the number of bits of a bit-field.
pub(super) fn bit_field(flow: &Flow, place: &Place) -> Option<(u64, u64)> {
    let (Step::Field(last), before) = place.path.split_last()? else { return None };
    let Base::Pointer(pointer) = &place.base else { return None };
    let Type::Pointer(mut ty) = *flow.types.get(pointer.ty) else { return None };
    for step in before {
        ty = match (step, flow.types.get(ty)) {
            (Step::Field(field), Type::Record(record)) => {
                flow.types.record(*record).fields.as_deref()?.get(*field as usize)?.ty
            }
            (Step::Index(_), Type::Array(element, _)) => *element,
            _ => return None,
        };
    }
    let (_, record) = flow.types.as_record(ty)?;
    let (first, width) = record.fields.as_deref()?.get(*last as usize)?.bit_field?;
    Some((first.into(), width.into()))
}

fn note<'f>(
    sites: &mut FxHashMap<At, Site<'f>>,
    points_to: &mut PointsTo<'_>,
    at: At,
    (address, extent): (&Expr, Extent),
    pointer: &'f Expr,
) {
    // By the call, and by the object: the rounds of a call make several.
    let mut targets: BTreeMap<(At, ObjectId), Vec<Option<u64>>> = BTreeMap::new();
    for target in points_to.addresses(address) {
        let maker = match points_to.objects().get(target.object).kind {
            ObjectKind::Allocation(function, edge) | ObjectKind::Round(function, edge, _) => {
                (function, edge)
            }
            _ => continue,
        };
        if sites.contains_key(&maker) {
            targets.entry((maker, target.object)).or_default().push(target.offset);
        }
    }
    for ((maker, object), offsets) in targets {
        let layout = &points_to.objects().get(object).layout;
        let Some(site) = sites.get_mut(&maker) else { continue };
        for mut leaf in leaves(layout, &offsets, extent) {
            leaf.sort_unstable();
            leaf.dedup();
            let (count, known) = (site.leaves.len(), leaf.clone());
            let number = *site.numbers.entry(leaf).or_insert(count);
            if number == count {
                site.leaves.push(known);
            }
            let reads = site.reads.entry(at).or_default();
            if !reads.iter().any(|&(known, by)| known == number && std::ptr::eq(by, pointer)) {
                reads.push((number, pointer));
            }
        }
    }
}

/// The leaves that are read at these offsets of an object.
fn leaves(layout: &Layout, offsets: &[Option<u64>], extent: Extent) -> Vec<Leaf> {
    let Some(offsets) = offsets.iter().copied().collect::<Option<Vec<u64>>>() else {
        return vec![vec![]];
    };
    let part = |offset: u64, first: u64, width: u64| Part {
        start: offset.saturating_mul(8).saturating_add(first),
        width,
        is_folded: layout.is_folded(offset),
    };
    match extent {
        Extent::Scalar(first, width) => {
            offsets.iter().map(|&offset| vec![part(offset, first, width)]).collect()
        }
        Extent::Element(first, width, has_end) => {
            let count = offsets.len() - usize::from(has_end && offsets.len() > 1);
            let elements = offsets[..count].iter().map(|&offset| part(offset, first, width));
            vec![if count > MOST { vec![] } else { elements.collect() }]
        }
        Extent::Copy(size) => {
            let of = |offset: u64| {
                let start = offset.saturating_mul(8);
                let end =
                    size.map_or(u64::MAX, |size| start.saturating_add(size.saturating_mul(8)));
                let items = layout.items();
                let items = &items[items.partition_point(|item| item.start < start)..];
                let items = items.iter().take_while(|item| item.end() <= end).take(MOST + 1);
                let parts = items.map(|item| Part {
                    start: item.start,
                    width: item.width.into(),
                    is_folded: item.folded,
                });
                parts.collect::<Leaf>()
            };
            let all = offsets.iter().map(|&offset| of(offset));
            all.map(|leaf| if leaf.len() > MOST { vec![] } else { leaf }).collect()
        }
    }
}

/// The library function that an instruction calls, with the arguments.
pub(super) fn library<'f>(
    flow: &Flow,
    instruction: &'f Instruction,
) -> Option<(&'static LibraryFunction, &'f [Expr])> {
    let Instruction::Call { callee: Callee::Function(callee), arguments, .. } = instruction else {
        return None;
    };
    let callee = &flow.functions[callee.0 as usize];
    let known = find(&callee.name).filter(|_| callee.body.is_none())?;
    Some((known, arguments))
}

fn makes_values_free(known: &LibraryFunction) -> bool {
    known.model().is_some_and(|model| match model.effect.returns {
        Returns::Fresh(new) => !new.zeroed && matches!(model.execution, Execution::Allocate(_)),
        Returns::Resized(_) => true,
        _ => false,
    })
}

/// The arguments of a library function that it reads, from their first byte on.
fn texts<'f>(flow: &Flow, instruction: &'f Instruction) -> Vec<(&'f Expr, Extent)> {
    let Some((known, arguments)) = library(flow, instruction) else { return vec![] };
    let Some(model) = known.model() else { return vec![] };
    if let Writes::Copy { from, size, .. } = model.effect.writes {
        let size = arguments.get(size).and_then(|size| flow.constant(size));
        let size = size.and_then(|size| u64::try_from(size).ok());
        let copied = arguments.get(from).filter(|_| size != Some(0));
        return copied.into_iter().map(|from| (from, Extent::Copy(size))).collect();
    }
    let is_read = match model.accesses {
        Accesses::Texts => true,
        _ => model.execution == Execution::Compare,
    };
    if !is_read {
        return vec![];
    }
    let mut written = model.effect.written(known.prototype.parameters.len(), arguments.len());
    match model.effect.writes {
        Writes::Fill { to, .. } | Writes::Text { to } => written.push(to),
        Writes::Copy { .. } | Writes::Nothing | Writes::Anything { .. } => {}
    }
    let all = arguments.iter().enumerate();
    let read = all.filter(|(i, a)| flow.types.is_pointer(a.ty) && !written.contains(i));
    read.map(|(_, argument)| (argument, Extent::Scalar(0, 8))).collect()
}
