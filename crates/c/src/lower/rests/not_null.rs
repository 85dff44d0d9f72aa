//! Variables that hold no null pointer, whatever the path.

use rustc_hash::FxHashSet;

use crate::flow::{
    Base, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place,
    VariableId, VariableKind,
};
use crate::library::find;

/// The pointers of these functions, all that are executed, to which only addresses are assigned.  That a local pointer is
/// not used before it has a value is assumed elsewhere.
pub(in crate::lower) fn never_null(
    flow: &Flow,
    functions: &[FunctionId],
    malloc_may_fail: bool,
) -> FxHashSet<VariableId> {
    let bodies = functions.iter().filter_map(|&f| {
        let function = &flow.functions[f.0 as usize];
        function.body.as_ref().map(|body| (f, function, body))
    });
    let edges: Vec<(FunctionId, &Edge)> =
        bodies.flat_map(|(f, _, body)| body.edges.iter().map(move |edge| (f, edge))).collect();
    let mut never = Never { flow, malloc_may_fail, variables: FxHashSet::default() };
    let all = (0..flow.variables.len() as u32).map(VariableId);
    let candidates: Vec<VariableId> = all.filter(|&v| never.is_candidate(v)).collect();
    never.variables.extend(candidates);
    let parts = edges.iter().flat_map(|(_, edge)| edge.instruction.parts());
    let initial = flow.initialisers.iter().flat_map(|(_, value)| value.parts());
    for part in parts.chain(initial) {
        match &part.kind {
            ExprKind::AddressOf(place) => never.assigned(whole(place), false),
            // It may be called through a pointer.
            ExprKind::FunctionAddress(f) => {
                let parameters = &flow.functions[f.0 as usize].parameters;
                parameters.iter().for_each(|&v| never.assigned(Some(v), false));
            }
            _ => {}
        }
    }
    loop {
        let before = never.variables.len();
        for (function, edge) in &edges {
            never.look_at(*function, &edge.instruction);
        }
        if never.variables.len() == before {
            return never.variables;
        }
    }
}

struct Never<'f> {
    flow: &'f Flow,
    malloc_may_fail: bool,
    variables: FxHashSet<VariableId>,
}

impl Never<'_> {
    fn is_candidate(&self, id: VariableId) -> bool {
        let variable = &self.flow.variables[id.0 as usize];
        let is_reset = match variable.kind {
            VariableKind::Local | VariableKind::Temporary => false,
            // Nobody knows what the first call passes.
            VariableKind::Parameter => variable.function == Some(self.flow.main),
            VariableKind::Global => {
                let value = self.flow.initialisers.iter().find(|(to, _)| whole(to) == Some(id));
                !variable.internal || !value.is_some_and(|(_, value)| is_address(value))
            }
            VariableKind::External => true,
        };
        self.flow.types.is_pointer(variable.ty) && !is_reset
    }

    fn look_at(&mut self, function: FunctionId, instruction: &Instruction) {
        match instruction {
            Instruction::Assign(to, value) => self.assigned(whole(to), self.is_never_null(value)),
            Instruction::Havoc(to, kind) => {
                self.assigned(
                    whole(to),
                    matches!(kind, HavocKind::Uninitialised | HavocKind::Ended),
                );
            }
            Instruction::Return(Some(value)) => {
                let result = self.flow.functions[function.0 as usize].result;
                self.assigned(result, self.is_never_null(value));
            }
            Instruction::Call { result, callee, arguments } => {
                let result = result.as_ref().and_then(whole);
                let Callee::Function(callee) = callee else { return self.assigned(result, false) };
                let callee = &self.flow.functions[callee.0 as usize];
                for (index, &parameter) in callee.parameters.iter().enumerate() {
                    let is_given = arguments.get(index).is_some_and(|a| self.is_never_null(a));
                    self.assigned(Some(parameter), is_given);
                }
                let returns = match (&callee.body, callee.result) {
                    (Some(_), Some(of)) => self.variables.contains(&of),
                    (Some(_), None) => false,
                    (None, _) => find(&callee.name).is_some_and(|known| {
                        known.makes_local_block() || known.makes_block() && !self.malloc_may_fail
                    }),
                };
                self.assigned(result, returns);
            }
            Instruction::Skip
            | Instruction::Assume { .. }
            | Instruction::Return(None)
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    fn assigned(&mut self, to: Option<VariableId>, is_never_null: bool) {
        if !is_never_null && let Some(to) = to {
            self.variables.remove(&to);
        }
    }

    fn is_never_null(&self, value: &Expr) -> bool {
        is_certain(value, &|v| self.variables.contains(&v))
    }
}

/// Whether a value is an address, if these variables hold addresses.
pub(in crate::lower) fn is_certain(value: &Expr, is_address: &dyn Fn(VariableId) -> bool) -> bool {
    match &value.kind {
        ExprKind::FunctionAddress(_) => true,
        ExprKind::Constant(number) => *number != 0,
        ExprKind::Load(place) => whole(place).is_some_and(is_address),
        ExprKind::AddressOf(place) => match &place.base {
            Base::Variable(_) | Base::String(_) => true,
            Base::Pointer(pointer) => is_certain(pointer, is_address),
        },
        ExprKind::Offset { pointer, .. } => is_certain(pointer, is_address),
        ExprKind::Cast(inner) => is_certain(inner, is_address),
        ExprKind::Conditional(_, a, b) => is_certain(a, is_address) && is_certain(b, is_address),
        ExprKind::Float(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Difference { .. }
        | ExprKind::Rounded(..) => false,
    }
}

fn is_address(value: &Expr) -> bool {
    is_certain(value, &|_| false)
}

fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(id) if place.path.is_empty() => Some(id),
        _ => None,
    }
}
