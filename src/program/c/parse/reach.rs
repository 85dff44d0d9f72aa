//! Which functions executions may enter, as far as the text shows.

use std::collections::HashSet;

use crate::program::c::flow::{
    Base, Callee, Expr, ExprKind, Function, FunctionId, Instruction, Place, Step,
};

/// The functions that the entry calls, directly or not. A function whose address is taken, there or in
/// the initial value of a global, is called too.
pub(super) fn reachable(
    functions: &[Function],
    initialisers: &[(Place, Expr)],
    entry: FunctionId,
) -> HashSet<FunctionId> {
    let mut reach = Reach { seen: HashSet::from([entry]), todo: vec![entry] };
    for (place, value) in initialisers {
        reach.place(place);
        reach.expr(value);
    }
    while let Some(id) = reach.todo.pop() {
        let body = functions[id.0 as usize].body.as_ref();
        for edge in body.iter().flat_map(|body| &body.edges) {
            reach.instruction(&edge.instruction);
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

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Assign(to, value) => {
                self.place(to);
                self.expr(value);
            }
            Instruction::Assume { condition, .. } => self.expr(condition),
            Instruction::Havoc(to, _) => self.place(to),
            Instruction::Call { result, callee, arguments } => {
                result.iter().for_each(|to| self.place(to));
                arguments.iter().for_each(|a| self.expr(a));
                match callee {
                    Callee::Function(id) => self.enter(*id),
                    Callee::Pointer(pointer) => self.expr(pointer),
                }
            }
            Instruction::Return(Some(value)) => self.expr(value),
            Instruction::Return(None)
            | Instruction::Skip
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        if let Base::Pointer(pointer) = &place.base {
            self.expr(pointer);
        }
        for step in &place.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) => {}
            ExprKind::FunctionAddress(id) => self.enter(*id),
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.expr(inner),
            ExprKind::Binary(_, a, b)
            | ExprKind::Offset { pointer: a, index: b, .. }
            | ExprKind::Difference { left: a, right: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(condition, a, b) => {
                [condition, a, b].into_iter().for_each(|e| self.expr(e));
            }
        }
    }
}
