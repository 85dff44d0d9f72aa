//! Checks that streams which the library is given are not null (C11, 7.1.4): `fopen` says so where it fails.

use crate::edit::{Edges, in_front};
use crate::flow::{
    BinaryOp, Callee, Edge, Expr, ExprKind, Flow, Instruction, Place, Variable, VariableId,
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
    in_front(flow, conditions);
    let is_standard = |variable: &Variable| {
        variable.kind == VariableKind::External && STANDARD.contains(&variable.name.as_str())
    };
    let all = (0..flow.variables.len() as u32).map(VariableId);
    let standard = all.filter(|v| is_standard(&flow.variables[v.0 as usize]));
    let standard: Vec<Place> = standard
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

/// The conditions under which a call is an error.
fn conditions(flow: &mut Flow, edge: &Edge) -> Vec<(Expr, Instruction)> {
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
    let streams = streams.filter(|(kind, a)| **kind == Kind::Stream && flow.types.is_pointer(a.ty));
    let found = streams.map(|(_, stream)| {
        let null = Expr { kind: ExprKind::Constant(0), ty: stream.ty, span: edge.span };
        let is_null = Expr::binary(BinaryOp::Equal, stream.clone(), null, int);
        (is_null, Instruction::Error(Violation::Of(ErrorKind::NullPointer)))
    });
    found.collect()
}
