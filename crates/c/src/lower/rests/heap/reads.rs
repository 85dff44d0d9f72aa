//! Blocks whose memory has no value at first, and where it is read.

use rustc_hash::FxHashMap;

use crate::flow::{Base, Callee, Expr, ExprKind, Flow, FunctionId, Instruction, Place};
use crate::library::{Accesses, Execution, LibraryFunction, Returns, Writes, find};
use crate::memory::ObjectKind;
use crate::points_to::PointsTo;

/// An edge: of this function, at this index.
pub(super) type At = (FunctionId, u32);

/// Bytes of a block that are read as one: the first one, if that is known, and how many.
pub(super) type Leaf = (Option<u64>, u64);

/// A read of a leaf by way of a pointer.
pub(super) type Read<'f> = (usize, &'f Expr);

/// What is read of the blocks that one call makes.
#[derive(Debug, Default)]
pub(super) struct Site<'f> {
    pub leaves: Vec<Leaf>,
    pub reads: FxHashMap<At, Vec<Read<'f>>>,
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
                && flow.types.is_scalar(part.ty)
            {
                let address = Expr {
                    kind: ExprKind::AddressOf(place.clone()),
                    ty: pointer.ty,
                    span: place.span,
                };
                let size = flow.types.size(place.ty).unwrap_or(1);
                note(&mut sites, points_to, at, (&address, size), pointer);
            }
        }
        for text in texts(flow, instruction) {
            note(&mut sites, points_to, at, (text, 1), text);
        }
    }
    sites
}

fn note<'f>(
    sites: &mut FxHashMap<At, Site<'f>>,
    points_to: &mut PointsTo<'_>,
    at: At,
    (address, size): (&Expr, u64),
    pointer: &'f Expr,
) {
    for target in points_to.addresses(address) {
        let maker = match points_to.objects().get(target.object).kind {
            ObjectKind::Allocation(function, edge) | ObjectKind::Round(function, edge, _) => {
                (function, edge)
            }
            _ => continue,
        };
        let Some(site) = sites.get_mut(&maker) else { continue };
        let leaf = (target.offset, size);
        let number = site.leaves.iter().position(|known| *known == leaf);
        let number = number.unwrap_or_else(|| {
            site.leaves.push(leaf);
            site.leaves.len() - 1
        });
        site.reads.entry(at).or_default().push((number, pointer));
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

/// The arguments of a library function that it only reads, from their first byte on.
fn texts<'f>(flow: &Flow, instruction: &'f Instruction) -> Vec<&'f Expr> {
    let Some((known, arguments)) = library(flow, instruction) else { return vec![] };
    let Some(model) = known.model() else { return vec![] };
    let is_read = match model.accesses {
        Accesses::Texts => true,
        _ => model.execution == Execution::Compare,
    };
    if !is_read {
        return vec![];
    }
    let mut written = model.effect.written(known.prototype.parameters.len(), arguments.len());
    match model.effect.writes {
        Writes::Copy { to, .. } | Writes::Fill { to, .. } | Writes::Text { to } => written.push(to),
        Writes::Nothing | Writes::Anything { .. } => {}
    }
    let all = arguments.iter().enumerate();
    let read = all.filter(|(i, a)| flow.types.is_pointer(a.ty) && !written.contains(i));
    read.map(|(_, argument)| argument).collect()
}

/// The bytes of a place: those of a record, or of a scalar.
pub(super) fn bytes(flow: &Flow, place: &Place) -> u64 {
    flow.types.size(place.ty).unwrap_or(1)
}
