//! What pointers from outside may point to.

use rustc_hash::FxHashSet;

use crate::program::c::flow::{
    Base, Expr, ExprKind, Flow, HavocKind, Instruction, Place, Step, VariableId, VariableKind,
};
use crate::program::c::types::{Type, TypeId};

/// The variables of the program to which a pointer may point that comes from outside: an input, a
/// variable of another file, or a parameter of a function other than `main` in which executions start.
/// An input may be the address of any variable whose address is taken; who calls a function may
/// pass it the address of any global.  Sorted; none where there are no such pointers.
pub(super) fn outside(flow: &Flow) -> Vec<VariableId> {
    let entry = &flow.functions[flow.main.0 as usize];
    let is_pointer = |ty: TypeId| holds_pointer(flow, ty);
    let of = |id: &VariableId| &flow.variables[id.0 as usize];
    let passed = entry.name != "main" && entry.parameters.iter().any(|p| is_pointer(of(p).ty));
    let all = || (0..flow.variables.len() as u32).map(VariableId);
    let foreign = all().any(|v| of(&v).kind == VariableKind::External && is_pointer(of(&v).ty));
    let bodies = || flow.functions.iter().filter_map(|f| f.body.as_ref());
    let edges = || bodies().flat_map(|body| &body.edges).map(|edge| &edge.instruction);
    let input = edges().any(|instruction| match instruction {
        Instruction::Havoc(place, HavocKind::Input(_)) => is_pointer(place.ty),
        _ => false,
    });
    let mut found = FxHashSet::default();
    if passed || foreign {
        let global = |v: &VariableId| {
            matches!(of(v).kind, VariableKind::Global | VariableKind::External)
                && (passed || !of(v).internal)
        };
        found.extend(all().filter(global));
    }
    if passed || foreign || input {
        let mut taken = Taken { found: &mut found };
        for (target, value) in &flow.initialisers {
            taken.place(target);
            taken.expr(value);
        }
        edges().for_each(|instruction| taken.instruction(instruction));
    }
    let mut found: Vec<VariableId> = found.into_iter().collect();
    found.sort_unstable();
    found
}

fn holds_pointer(flow: &Flow, ty: TypeId) -> bool {
    match flow.types.get(ty) {
        Type::Pointer(to) => !matches!(flow.types.get(*to), Type::Function { .. }),
        Type::Array(element, _) => holds_pointer(flow, *element),
        Type::Record(record) => {
            let fields = flow.types.record(*record).fields.as_deref().unwrap_or_default();
            fields.iter().any(|field| holds_pointer(flow, field.ty))
        }
        _ => false,
    }
}

/// Collects the variables whose address is taken.
struct Taken<'a> {
    found: &'a mut FxHashSet<VariableId>,
}

impl Taken<'_> {
    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Instruction::Assume { condition: value, .. } | Instruction::Return(Some(value)) => {
                self.expr(value);
            }
            Instruction::Havoc(place, _) => self.place(place),
            Instruction::Call { result, arguments, .. } => {
                result.iter().for_each(|place| self.place(place));
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            Instruction::Return(None)
            | Instruction::Skip
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        for step in &place.path {
            if let Step::Index(index) = step {
                self.expr(index);
            }
        }
        if let Base::Pointer(pointer) = &place.base {
            self.expr(pointer);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => {
                self.place(place);
                if let Base::Variable(variable) = place.base {
                    self.found.insert(variable);
                }
            }
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.expr(inner),
            ExprKind::Binary(_, left, right)
            | ExprKind::Offset { pointer: left, index: right, .. }
            | ExprKind::Difference { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, a, b) => {
                [condition, a, b].into_iter().for_each(|e| self.expr(e));
            }
        }
    }
}
