//! Checks that streams which the library is given are not null (C11, 7.1.4): `fopen` says so where it fails.

use rustc_hash::FxHashSet;

use crate::edit::{Edges, in_front};
use crate::flow::{
    Base, BinaryOp, Callee, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, Place, Variable,
    VariableId, VariableKind, Violation,
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

/// The array of the environment (POSIX), which is no object that the program defines.
const ENVIRONMENT: [&str; 2] = ["environ", "__environ"];

/// Refuses to look at the environment where accesses are checked: how many texts there are is not known, nor where they end.
fn refuse_environment(flow: &mut Flow) {
    let is_it = |flow: &Flow, place: &Place| match place.base {
        Base::Variable(v) => {
            let variable = &flow.variables[v.0 as usize];
            let is_named = ENVIRONMENT.contains(&variable.name.as_str());
            is_named && variable.kind == VariableKind::External
        }
        _ => false,
    };
    if !flow.parts().any(|part| part.place().is_some_and(|place| is_it(flow, place))) {
        return;
    }
    in_front(flow, |flow, edge| {
        let mut parts = edge.instruction.parts();
        if !parts.any(|part| part.place().is_some_and(|place| is_it(flow, place))) {
            return vec![];
        }
        let (kind, ty) = (ExprKind::Constant(1), flow.types.int());
        let always = Expr { kind, ty, span: edge.span };
        vec![(always, Instruction::Unsupported("the texts of 'environ'".to_owned()))]
    });
}

/// Puts the checks in front of all calls.
pub(super) fn insert(flow: &mut Flow) {
    if flow.checked.has(Check::Null) || flow.checked.has(Check::Bounds) {
        refuse_environment(flow);
    }
    if !flow.checked.has(Check::Null) {
        return;
    }
    let is_standard = |variable: &Variable| {
        variable.kind == VariableKind::External
            && STANDARD.contains(&variable.name.as_str())
            && flow.types.is_pointer(variable.ty)
    };
    let all = (0..flow.variables.len() as u32).map(VariableId);
    let standard: Vec<VariableId> =
        all.filter(|v| is_standard(&flow.variables[v.0 as usize])).collect();
    let changed = changed(flow);
    let is_kept = |v: &VariableId| changed.as_ref().is_some_and(|changed| !changed.contains(v));
    let own: FxHashSet<VariableId> = standard.iter().copied().filter(is_kept).collect();
    in_front(flow, |flow, edge| conditions(flow, edge, &own));
    let standard: Vec<Place> = standard
        .into_iter()
        .map(|v| flow.place_of(v, flow.functions[flow.main.0 as usize].span))
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

/// The variables that the program may change; `None`: any, since a function is called, or its address is taken, of which nothing
/// is known.
fn changed(flow: &Flow) -> Option<FxHashSet<VariableId>> {
    let is_unknown = |id: FunctionId| {
        let function = &flow.functions[id.0 as usize];
        function.body.is_none() && find(&function.name).is_none()
    };
    let mut changed = FxHashSet::default();
    let mut add = |place: &Place| {
        if let Base::Variable(v) = place.base {
            changed.insert(v);
        }
    };
    let bodies = flow.functions.iter().filter_map(|function| function.body.as_ref());
    for instruction in bodies.flat_map(|body| &body.edges).map(|edge| &edge.instruction) {
        if let Instruction::Call { callee: Callee::Function(id), .. } = instruction
            && is_unknown(*id)
        {
            return None;
        }
        instruction.target().into_iter().for_each(&mut add);
    }
    for part in flow.parts() {
        match &part.kind {
            ExprKind::FunctionAddress(id) if is_unknown(*id) => return None,
            ExprKind::AddressOf(place) => add(place),
            _ => {}
        }
    }
    Some(changed)
}

/// The conditions under which a call is an error; its `own` streams are never null.
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
        ExprKind::Load(Place { base: Base::Variable(v), path, .. }) => {
            path.is_empty() && own.contains(v)
        }
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
