//! Calls through pointers: where one may be of a library function whose call is checked, that
//! becomes a branch with a direct call.

use crate::flow::{
    BinaryOp, Callee, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, LocationId,
};
use crate::types::Type;
use hardbop_base::source::Span;

/// Makes the calls of these functions direct, as far as their addresses are taken.
pub(super) fn direct(flow: &mut Flow, is_checked: impl Fn(&str) -> bool) {
    let taken = taken(flow, is_checked);
    if taken.is_empty() {
        return;
    }
    for index in 0..flow.functions.len() {
        let Some(mut body) = flow.functions[index].body.take() else { continue };
        let mut edges = Vec::with_capacity(body.edges.len());
        for edge in body.edges {
            let mut here = edge.source;
            for &function in &taken {
                if let Some(call) = called(flow, &edge.instruction, function) {
                    let way = Way { edge: &edge, here, locations: &mut body.locations };
                    here = way.branch(flow, function, call, &mut edges);
                }
            }
            edges.push(Edge { source: here, ..edge });
        }
        body.edges = edges;
        flow.functions[index].body = Some(body);
    }
}

/// The functions without bodies that are checked and whose addresses the program has.
fn taken(flow: &Flow, is_checked: impl Fn(&str) -> bool) -> Vec<FunctionId> {
    let mut all: Vec<FunctionId> = flow
        .parts()
        .filter_map(|part| match part.kind {
            ExprKind::FunctionAddress(function) => Some(function),
            _ => None,
        })
        .filter(|id| {
            let function = &flow.functions[id.0 as usize];
            function.body.is_none() && is_checked(&function.name)
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What a call through a pointer is if it is of this function; `None` for what else there is, and
/// for arguments that are too few, which has no meaning.
fn called(flow: &Flow, call: &Instruction, function: FunctionId) -> Option<Instruction> {
    let Instruction::Call { result, callee: Callee::Pointer(_), arguments } = call else {
        return None;
    };
    let types = &flow.types;
    let function_of = &flow.functions[function.0 as usize];
    let Type::Function { parameters, .. } = types.get(function_of.ty) else { return None };
    if arguments.len() < parameters.len() {
        return None;
    }
    let mut arguments = arguments.clone();
    for (argument, &ty) in arguments.iter_mut().zip(parameters) {
        if argument.ty == ty {
            continue;
        }
        let same = types.is_pointer(argument.ty) == types.is_pointer(ty)
            && types.is_integer(argument.ty) == types.is_integer(ty)
            && types.size(argument.ty) == types.size(ty);
        if !same || !types.is_scalar(ty) {
            let what =
                format!("a call of '{}' with other arguments than it takes", function_of.name);
            return Some(Instruction::Unsupported(what));
        }
        let inner = Box::new(argument.clone());
        *argument = Expr { kind: ExprKind::Cast(inner), ty, span: argument.span };
    }
    let callee = Callee::Function(function);
    Some(Instruction::Call { result: result.clone(), callee, arguments })
}

/// A call through a pointer, and where it begins.
struct Way<'e> {
    edge: &'e Edge,
    here: LocationId,
    locations: &'e mut u32,
}

impl Way<'_> {
    /// Calls the function where the pointer is to it; returns where it is to another one.
    fn branch(
        self,
        flow: &mut Flow,
        function: FunctionId,
        call: Instruction,
        edges: &mut Vec<Edge>,
    ) -> LocationId {
        let Instruction::Call { callee: Callee::Pointer(pointer), .. } = &self.edge.instruction
        else {
            return self.here;
        };
        let span = self.edge.span;
        let condition = is_to(flow, pointer, function, span);
        let (direct, others) = (LocationId(*self.locations), LocationId(*self.locations + 1));
        *self.locations += 2;
        let assume = |expected| Instruction::Assume { condition: condition.clone(), expected };
        let mut add = |source, target, instruction| {
            edges.push(Edge { source, target, instruction, span });
        };
        add(self.here, direct, assume(true));
        add(self.here, others, assume(false));
        add(direct, self.edge.target, call);
        others
    }
}

/// Whether a pointer is to a function.
fn is_to(flow: &mut Flow, pointer: &Expr, function: FunctionId, span: Span) -> Expr {
    let ty = flow.functions[function.0 as usize].ty;
    let ty = flow.types.pointer_to(ty);
    let mut address = Expr { kind: ExprKind::FunctionAddress(function), ty, span };
    if ty != pointer.ty {
        address = Expr { kind: ExprKind::Cast(Box::new(address)), ty: pointer.ty, span };
    }
    let kind = ExprKind::Binary(BinaryOp::Equal, Box::new(pointer.clone()), Box::new(address));
    Expr { kind, ty: flow.types.int(), span }
}
