//! Results that functions do not give: where a function ends without `return` and a value, a hidden variable says so, and
//! the use of the result of such a call is an error (C11, 6.9.1, 12).
//!
//! It comes before jumps are lowered: these leave functions, too, but not to what uses a result.

use crate::edit::Edges;
use crate::flow::{
    BinaryOp, Body, Callee, Edge, Expr, Flow, Instruction, LocationId, Variable, VariableId,
    Violation,
};
use hardbop_base::errors::ErrorKind;
use hardbop_base::source::Span;

/// Inserts the variable and its checks, if some function can end without a result that is used.
pub(crate) fn check(flow: &mut Flow) {
    let ends: Vec<bool> =
        flow.functions.iter().map(|f| f.result.is_some() && ends(&f.body)).collect();
    let is_used = |edge: &Edge| match &edge.instruction {
        Instruction::Call { result: Some(_), callee: Callee::Function(f), .. } => {
            ends[f.0 as usize]
        }
        Instruction::Call { result: Some(_), callee: Callee::Pointer(_), .. } => {
            ends.contains(&true)
        }
        _ => false,
    };
    let mut edges = flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges);
    if !edges.any(is_used) {
        return;
    }
    let span = flow.functions[flow.main.0 as usize].span;
    let int = flow.types.int();
    let name = "whether a result is missing".to_owned();
    let missing = flow.add_variable(Variable::hidden(name, int, None, span));
    for index in 0..flow.functions.len() {
        let has_result = flow.functions[index].result.is_some();
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        let mut code = Edges::instead_of(&body);
        for mut edge in std::mem::take(&mut body.edges) {
            match &edge.instruction {
                Instruction::Return(value) if has_result => {
                    let is_missing = value.is_none();
                    edge.source = set(flow, missing, is_missing, &mut code, &edge);
                    code.edges.push(edge);
                }
                Instruction::Call { callee, .. } if is_used(&edge) => {
                    if matches!(callee, Callee::Pointer(_)) {
                        // What has no body gives a result.
                        edge.source = set(flow, missing, false, &mut code, &edge);
                    }
                    let behind = code.fresh();
                    let target = std::mem::replace(&mut edge.target, behind);
                    let at = flow.name_in(edge.span);
                    let error = code.fresh();
                    let condition = is_set(flow, missing, at);
                    code.edges.push(edge);
                    code.branch(behind, condition, (error, target), at);
                    let violation = Violation::Of(ErrorKind::MissingResult);
                    code.add(error, body.exit, Instruction::Error(violation), at);
                }
                _ => code.edges.push(edge),
            }
        }
        flow.functions[index].body = Some(code.finish(body));
    }
}

/// Whether a function can end without a result.
fn ends(body: &Option<Body>) -> bool {
    let edges = body.iter().flat_map(|body| &body.edges);
    edges.into_iter().any(|edge| matches!(edge.instruction, Instruction::Return(None)))
}

/// Says in front of an edge whether a result is missing; returns where the edge then begins.
fn set(
    flow: &mut Flow,
    missing: VariableId,
    is_missing: bool,
    code: &mut Edges,
    edge: &Edge,
) -> LocationId {
    let place = flow.place_of(missing, edge.span);
    let value = Expr::number(u64::from(is_missing), place.ty, edge.span);
    code.then(edge.source, Instruction::Assign(place, value), edge.span)
}

fn is_set(flow: &mut Flow, missing: VariableId, at: Span) -> Expr {
    let int = flow.types.int();
    let value = flow.place_of(missing, at).load();
    Expr::binary(BinaryOp::NotEqual, value, Expr::number(0, int, at), int)
}
