//! Checks that streams which the library is given are not null (C11, 7.1.4): `fopen` says so where it fails.

use rustc_hash::FxHashSet;

use crate::edit::{Edges, in_front};
use crate::flow::{
    Base, BinaryOp, Callee, Edge, Expr, ExprKind, Flow, Instruction, Place, Variable, VariableId,
    VariableKind, Violation,
};
use crate::library::{Kind, find};
use hardbop_base::errors::{Check, ErrorKind};

/// Functions for which null stands for all streams.
const ALL: [&str; 2] = ["fflush", "fflush_unlocked"];

/// Streams that every program has (C11, 7.21.1).
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Whether calls of a function are checked.
pub(super) fn is_checked(name: &str) -> bool {
    let streams = find(name).map(|known| known.prototype.parameters.contains(&Kind::Stream));
    streams == Some(true) && !ALL.contains(&name)
}

/// Puts the checks in front of all calls.
pub(super) fn insert(flow: &mut Flow) {
    if !flow.checked.has(Check::Null) {
        return;
    }
    let changed = changed(flow);
    let is_standard = |variable: &Variable| {
        variable.kind == VariableKind::External && STANDARD.contains(&variable.name.as_str())
    };
    let all = (0..flow.variables.len() as u32).map(VariableId);
    let standard: Vec<VariableId> =
        all.filter(|v| is_standard(&flow.variables[v.0 as usize])).collect();
    let own: FxHashSet<VariableId> =
        standard.iter().copied().filter(|v| !changed.contains(v)).collect();
    in_front(flow, |flow, edge| conditions(flow, edge, &own));
    let standard: Vec<Place> = standard
        .into_iter()
        .map(|v| flow.place_of(v, flow.functions[flow.main.0 as usize].span))
        .filter(|place| flow.types.is_pointer(place.ty))
        .collect();
    let int = flow.types.int();
    let main = flow.main.0 as usize;
    let Some(mut body) = flow.functions[main].body.take() else { return };
    let mut code = Edges::instead_of(&body);
    code.edges = std::mem::take(&mut body.edges);
    for stream in standard {
        let (span, ty) = (stream.span, stream.ty);
        let null = Expr { kind: ExprKind::Constant(0), ty, span };
        let condition = Expr::binary(BinaryOp::NotEqual, stream.load(), null, int);
        let entry = code.fresh();
        let assumption = Instruction::Assume { condition, expected: true };
        code.add(entry, body.entry, assumption, span);
        body.entry = entry;
    }
    flow.functions[main].body = Some(code.finish(body));
}

/// The variables that the program may change.
fn changed(flow: &Flow) -> FxHashSet<VariableId> {
    let bodies = flow.functions.iter().filter_map(|function| function.body.as_ref());
    let mut changed = FxHashSet::default();
    for instruction in bodies.flat_map(|body| &body.edges).map(|edge| &edge.instruction) {
        let named = instruction.parts().filter_map(|part| match &part.kind {
            ExprKind::AddressOf(place) => Some(place),
            _ => None,
        });
        let places = named.chain(instruction.target());
        changed.extend(places.filter_map(|place| match place.base {
            Base::Variable(v) => Some(v),
            Base::Pointer(_) | Base::String(_) => None,
        }));
    }
    changed
}

/// The conditions under which a call is an error; these streams are always there.
fn conditions(
    flow: &mut Flow,
    edge: &Edge,
    own: &FxHashSet<VariableId>,
) -> Vec<(Expr, Instruction)> {
    let Instruction::Call { callee: Callee::Function(id), arguments, .. } = &edge.instruction
    else {
        return vec![];
    };
    let int = flow.types.int();
    let function = &flow.functions[id.0 as usize];
    if function.body.is_some() || !is_checked(&function.name) {
        return vec![];
    }
    let Some(known) = find(&function.name) else { return vec![] };
    let streams = known.prototype.parameters.iter().zip(arguments);
    let is_own = |stream: &Expr| match &stream.kind {
        ExprKind::Load(Place { base: Base::Variable(v), .. }) => own.contains(v),
        _ => false,
    };
    let streams = streams.filter(|(kind, stream)| {
        **kind == Kind::Stream && flow.types.is_pointer(stream.ty) && !is_own(stream)
    });
    let found = streams.map(|(_, stream)| {
        let null = Expr { kind: ExprKind::Constant(0), ty: stream.ty, span: edge.span };
        let is_null = Expr::binary(BinaryOp::Equal, stream.clone(), null, int);
        (is_null, Instruction::Error(Violation::Of(ErrorKind::NullPointer)))
    });
    found.collect()
}
