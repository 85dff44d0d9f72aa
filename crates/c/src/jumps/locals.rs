//! Local variables whose values C leaves open behind a jump (C11, 7.13.2.1, 3).

use super::calls::{Calls, Jump};
use crate::flow::{
    Base, Body, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, LocationId,
    VariableId, VariableKind,
};
use hardbop_base::source::Span;

/// Calls of `setjmp` in a function behind which a variable may be read that is not `volatile`, and that was changed before
/// a jump.
pub(super) fn unsettled(flow: &Flow, calls: &Calls, id: FunctionId, body: &Body) -> Vec<Span> {
    let sites = body.edges.iter().filter(|edge| calls.jump(edge) == Some(Jump::Set));
    let variables = || (0..flow.variables.len() as u32).map(VariableId);
    let own = |v: &VariableId| {
        let variable = &flow.variables[v.0 as usize];
        let is_named = matches!(variable.kind, VariableKind::Local | VariableKind::Parameter);
        variable.function == Some(id) && is_named && !variable.lasting
    };
    let is_open = |site: &&Edge| {
        let behind = body.reached([site.target], |_| true);
        let is_behind = |edge: &&Edge| behind[edge.source.0 as usize];
        let jumps = body.edges.iter().filter(is_behind).filter(|e| calls.may_jump(e));
        let jumps: Vec<LocationId> = jumps.map(|e| e.source).collect();
        let comes_to_jump = |edge: &Edge| {
            let after = body.reached([edge.target], |_| true);
            jumps.iter().any(|at| after[at.0 as usize])
        };
        let is_changed = |v: VariableId| {
            let mut others = body.edges.iter().filter(|e| calls.jump(e).is_none());
            others.any(|e| takes_address(e, v))
                || body.edges.iter().filter(is_behind).any(|e| assigns(e, v) && comes_to_jump(e))
        };
        let is_read = |v: VariableId| {
            let before = body.reached([site.target], |e| !overwrites(e, v));
            let mut edges = body.edges.iter().filter(|e| before[e.source.0 as usize]);
            edges.any(|e| calls.jump(e).is_none() && reads(e, v))
        };
        !jumps.is_empty() && variables().filter(own).any(|v| is_changed(v) && is_read(v))
    };
    sites.filter(is_open).map(|edge| edge.span).collect()
}

/// Whether the edge gives the variable, or a part of it, a value, other than by its declaration.
fn assigns(edge: &Edge, variable: VariableId) -> bool {
    let is_declared = matches!(edge.instruction, Instruction::Havoc(_, HavocKind::Uninitialised));
    let target = edge.instruction.target();
    !is_declared && target.is_some_and(|p| matches!(p.base, Base::Variable(v) if v == variable))
}

fn overwrites(edge: &Edge, variable: VariableId) -> bool {
    let is_whole = edge.instruction.target().is_some_and(|place| {
        matches!(place.base, Base::Variable(v) if v == variable) && place.path.is_empty()
    });
    is_whole && !reads(edge, variable)
}

fn takes_address(edge: &Edge, variable: VariableId) -> bool {
    let mut parts = edge.instruction.parts();
    parts.any(|part| matches!(part.kind, ExprKind::AddressOf(_)) && is_of(part, variable))
}

fn reads(edge: &Edge, variable: VariableId) -> bool {
    edge.instruction.parts().any(|part| is_of(part, variable))
}

fn is_of(part: &Expr, variable: VariableId) -> bool {
    part.place().is_some_and(|p| matches!(p.base, Base::Variable(v) if v == variable))
}
