//! `errno` as a variable that a program declares and does not define: the library's, which calls may change.

use crate::flow::{Base, Expr, Flow, Instruction, Variable, VariableId, VariableKind};

/// Leaves undecided what depends on it.
pub(super) fn refused(mut flow: Flow) -> Flow {
    let is_it = |v: &Variable| v.kind == VariableKind::External && v.name == "errno";
    let Some(at) = flow.variables.iter().position(is_it) else { return flow };
    let errno = VariableId(at as u32);
    let is_of_it = |part: &Expr| matches!(part.place().map(|p| &p.base), Some(Base::Variable(v)) if *v == errno);
    for body in flow.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for edge in &mut body.edges {
            if edge.instruction.parts().any(is_of_it) {
                let what = "'errno' as a variable, of which calls may change the value".to_owned();
                edge.instruction = Instruction::Unsupported(what);
            }
        }
    }
    flow
}
