//! Which functions executions may enter, as far as the text shows.

use std::collections::HashSet;

use crate::flow::{Callee, Expr, ExprKind, Function, FunctionId, Instruction, Place};

/// The functions that the entry calls, directly or not. A function whose address is taken, there or in
/// the initial value of a global, is called too.
pub(crate) fn reachable(
    functions: &[Function],
    initialisers: &[(Place, Expr)],
    entry: FunctionId,
) -> HashSet<FunctionId> {
    let mut reach = Reach { seen: HashSet::from([entry]), todo: vec![entry] };
    for (place, value) in initialisers {
        place.operands().chain([value]).for_each(|e| reach.taken(e.parts()));
    }
    while let Some(id) = reach.todo.pop() {
        let body = functions[id.0 as usize].body.as_ref();
        for edge in body.iter().flat_map(|body| &body.edges) {
            reach.taken(edge.instruction.parts());
            if let Instruction::Call { callee: Callee::Function(id), .. } = edge.instruction {
                reach.enter(id);
            }
        }
    }
    reach.seen
}

struct Reach {
    seen: HashSet<FunctionId>,
    todo: Vec<FunctionId>,
}

impl Reach {
    fn enter(&mut self, id: FunctionId) {
        if self.seen.insert(id) {
            self.todo.push(id);
        }
    }

    /// Enters the functions whose addresses are among some expressions.
    fn taken<'e>(&mut self, expressions: impl Iterator<Item = &'e Expr>) {
        for e in expressions {
            if let ExprKind::FunctionAddress(id) = e.kind {
                self.enter(id);
            }
        }
    }
}
