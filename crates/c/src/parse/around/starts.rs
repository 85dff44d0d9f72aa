//! What `requires` says of the function in which executions start.

use std::collections::HashSet;

use crate::flow::{Base, Body, Expr, FunctionId, Instruction, Place, VariableId};
use crate::parse::kept::Start;
use crate::parse::unit::Unit;
use crate::reliance::Reliance;
use hardbop_base::source::Span;

impl Unit {
    /// Lets bodies assume what is required where executions start in them, and check it where they are called.
    pub(in crate::parse) fn start_as_required(&mut self, main: FunctionId) {
        for Start { function, flag, required } in std::mem::take(&mut self.starts) {
            let is_main = function == main;
            if is_main {
                self.reliances.insert((Reliance::Required, None));
            }
            let runs_outside = self.outside.iter().any(|outside| outside.function == main);
            if is_main && (runs_outside || self.is_called(main)) {
                let Some(ty) = self.variables.get(flag.0 as usize).map(|v| v.ty) else {
                    continue;
                };
                let span = Span::default();
                self.initialisers.push((Place::of(flag, ty, span), Expr::number(1, ty, span)));
                continue;
            }
            let Some(body) = &mut self.functions[function.0 as usize].body else { continue };
            decide(body, flag, is_main);
            if is_main {
                self.stated.retain(|(f, span)| *f != function || !required.contains(span));
            }
        }
    }
}

/// Leaves the branches of a body where executions start in it, or else those where they do not.
fn decide(body: &mut Body, flag: VariableId, is_start: bool) {
    let is_it = |place: &Place| matches!(place.base, Base::Variable(v) if v == flag);
    body.edges.retain_mut(|edge| {
        let is_branch = edge.instruction.parts().filter_map(Expr::place).any(is_it);
        let is_set = edge.instruction.target().is_some_and(is_it);
        let stays = match edge.instruction {
            Instruction::Assume { expected, .. } if is_branch => expected == is_start,
            _ => true,
        };
        if is_branch || is_set {
            edge.instruction = Instruction::Skip;
        }
        stays
    });
    let mut reached = HashSet::from([body.entry]);
    let mut todo = vec![body.entry];
    while let Some(location) = todo.pop() {
        let next = body.edges.iter().filter(|edge| edge.source == location);
        todo.extend(next.map(|edge| edge.target).filter(|target| reached.insert(*target)));
    }
    body.edges.retain(|edge| reached.contains(&edge.source));
    body.loops.retain(|(head, _)| reached.contains(head));
}
