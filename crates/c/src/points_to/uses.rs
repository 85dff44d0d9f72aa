//! Finds objects that are used as larger ones, and what those are used as whose size nothing tells.

use super::super::flow::{Base, Callee, Expr, ExprKind, Flow, Instruction, Place, Step};
use super::super::library::{Writes, find};
use super::super::memory::{ObjectKind, Uses};
use super::super::types::{Type, TypeId};
use super::analysis::PointsTo;
use hardbop_base::errors::Check;

/// An access through a pointer.
struct Access<'e> {
    pointer: &'e Expr,
    /// The pointer's pointee type.
    ty: TypeId,
    /// The end of the access, in bytes from the pointer.
    end: u64,
}

impl PointsTo<'_> {
    /// Adds the larger types as which objects are used from their start, and returns whether any is
    /// new. Where bounds are checked, such uses are errors instead.
    pub(super) fn add_uses(&mut self, uses: &mut Uses) -> bool {
        if self.flow.checked.has(Check::Bounds) {
            return false;
        }
        let mut accesses = Vec::new();
        for function in self.reached() {
            let Some(body) = self.body(function) else { continue };
            for edge in &body.edges {
                instruction(self.flow, &edge.instruction, &mut accesses);
            }
        }
        let mut grown = false;
        for Access { pointer, ty, end } in accesses {
            for address in self.addresses(pointer) {
                let object = self.objects().get(address.object);
                let used = matches!(
                    object.kind,
                    ObjectKind::Variable(_) | ObjectKind::Allocation(..) | ObjectKind::Round(..)
                );
                let small = match object.layout.size() {
                    Some(size) => size < end,
                    // Its uses say what it consists of.
                    None => match object.kind {
                        ObjectKind::Allocation(function, edge)
                        | ObjectKind::Round(function, edge, _) => {
                            object.layout.is_undivided()
                                && self.flow.types.size(ty).is_some_and(|size| size > 1)
                                && self.zeroes(function, edge).is_some()
                        }
                        _ => false,
                    },
                };
                if used && small && address.offset == Some(0) {
                    let all = uses.entry(object.kind).or_default();
                    if !all.contains(&ty) {
                        all.push(ty);
                        grown = true;
                    }
                }
            }
        }
        grown
    }
}

fn instruction<'e>(flow: &Flow, instruction: &'e Instruction, out: &mut Vec<Access<'e>>) {
    let places = instruction.parts().filter_map(Expr::place);
    places.chain(instruction.target()).for_each(|p| place(flow, p, out));
    if let Instruction::Call { callee: Callee::Function(function), arguments, .. } = instruction {
        let callee = &flow.functions[function.0 as usize];
        if callee.body.is_none() {
            bytes(flow, &callee.name, arguments, out);
        }
    }
}

/// `memset(p, 0, sizeof *p)`.
fn bytes<'e>(flow: &Flow, name: &str, arguments: &'e [Expr], out: &mut Vec<Access<'e>>) {
    let Some(model) = find(name).and_then(|known| known.model()) else { return };
    let (pointers, size) = match model.effect.writes {
        Writes::Nothing | Writes::Text { .. } | Writes::Anything { .. } => return,
        Writes::Fill { to, byte: _, size } => ([Some(to), None], size),
        Writes::Copy { to, from, size } => ([Some(to), Some(from)], size),
    };
    let Some(ExprKind::Constant(size)) = arguments.get(size).map(|a| &a.kind) else { return };
    for argument in pointers.into_iter().flatten().filter_map(|i| arguments.get(i)) {
        let pointer = argument.unconverted();
        if let Type::Pointer(ty) = flow.types.get(pointer.ty)
            && flow.types.size(*ty).is_some_and(|all| all >= *size)
        {
            out.push(Access { pointer, ty: *ty, end: *size });
        }
    }
}

fn place<'e>(flow: &Flow, place: &'e Place, out: &mut Vec<Access<'e>>) {
    let Base::Pointer(pointer) = &place.base else { return };
    let types = &flow.types;
    let Type::Pointer(whole) = types.get(pointer.ty) else { return };
    let Some(size) = types.size(*whole) else { return };
    let (mut ty, mut offset) = (*whole, 0_u64);
    for step in &place.path {
        (ty, offset) = match (step, types.get(ty)) {
            (Step::Field(f), Type::Record(record)) => {
                let fields = types.record(*record).fields.as_deref().unwrap_or_default();
                let Some(field) = fields.get(*f as usize) else { return };
                (field.ty, offset + field.offset)
            }
            (Step::Index(index), Type::Array(element, _)) => {
                let stride = types.size(*element).unwrap_or(1);
                let index = match index.kind {
                    ExprKind::Constant(index) => index,
                    // Any index will do.
                    _ => 0,
                };
                (*element, offset.saturating_add(index.saturating_mul(stride)))
            }
            _ => return,
        };
    }
    let end = offset.saturating_add(types.size(ty).unwrap_or(1));
    if end <= size {
        out.push(Access { pointer, ty: *whole, end });
    }
}
