//! Local pointers that may be used before they have a value.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::super::flow::{
    Base, Body, Callee, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place, Step,
    VariableId, VariableKind,
};

/// Whether some path of the function uses the value of a local pointer that has none.  Pointers whose address is taken
/// are not looked at: something else may give them a value.
pub(super) fn uses_uninitialised(flow: &Flow, function: FunctionId) -> bool {
    let Some(body) = &flow.functions[function.0 as usize].body else { return false };
    let mut uses = Uses::default();
    body.edges.iter().for_each(|edge| uses.instruction(&edge.instruction));
    let is_candidate = |id: &VariableId| {
        let variable = &flow.variables[id.0 as usize];
        variable.kind == VariableKind::Local
            && flow.types.is_pointer(variable.ty)
            && !uses.addressed.contains(id)
    };
    let declared = body.edges.iter().filter_map(|e| declares(&e.instruction));
    let candidates: FxHashSet<VariableId> = declared.filter(is_candidate).collect();
    !candidates.is_empty() && may_use(body, &candidates)
}

/// The variable that comes into scope without a value.
fn declares(instruction: &Instruction) -> Option<VariableId> {
    match instruction {
        Instruction::Havoc(place, HavocKind::Uninitialised) => whole(place),
        _ => None,
    }
}

fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(id) if place.path.is_empty() => Some(id),
        _ => None,
    }
}

fn may_use(body: &Body, candidates: &FxHashSet<VariableId>) -> bool {
    let mut outgoing = vec![vec![]; body.locations as usize];
    for edge in &body.edges {
        outgoing[edge.source.0 as usize].push(edge);
    }
    // For each location, the pointers that may have no value there.
    let mut without: Vec<Option<FxHashSet<VariableId>>> = vec![None; body.locations as usize];
    without[body.entry.0 as usize] = Some(FxHashSet::default());
    let mut open = VecDeque::from([body.entry]);
    while let Some(location) = open.pop_front() {
        let here = without[location.0 as usize].clone().unwrap_or_default();
        for edge in &outgoing[location.0 as usize] {
            let mut uses = Uses::default();
            uses.instruction(&edge.instruction);
            if uses.read.iter().any(|id| here.contains(id)) {
                return true;
            }
            let mut after = here.clone();
            let assigned = match &edge.instruction {
                Instruction::Assign(place, _) | Instruction::Havoc(place, _) => whole(place),
                Instruction::Call { result, .. } => result.as_ref().and_then(whole),
                _ => None,
            };
            if let Some(id) = assigned {
                after.remove(&id);
            }
            after.extend(declares(&edge.instruction).filter(|id| candidates.contains(id)));
            let target = &mut without[edge.target.0 as usize];
            let grows = match target {
                None => {
                    *target = Some(after);
                    true
                }
                Some(there) => {
                    let size = there.len();
                    there.extend(after);
                    there.len() > size
                }
            };
            if grows {
                open.push_back(edge.target);
            }
        }
    }
    false
}

/// The variables whose values an instruction reads, and those whose addresses it takes.
#[derive(Default)]
struct Uses {
    read: Vec<VariableId>,
    addressed: FxHashSet<VariableId>,
}

impl Uses {
    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Instruction::Assume { condition, .. } => self.expr(condition),
            Instruction::Havoc(place, _) => self.place(place),
            Instruction::Call { result, callee, arguments } => {
                result.iter().for_each(|place| self.place(place));
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|a| self.expr(a));
            }
            Instruction::Return(value) => value.iter().for_each(|v| self.expr(v)),
            Instruction::Skip
            | Instruction::Error(_)
            | Instruction::Halt
            | Instruction::Unsupported(_) => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Constant(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(place) => {
                self.read.extend(whole(place));
                self.place(place);
            }
            ExprKind::AddressOf(place) => {
                self.addressed.extend(whole(place));
                self.place(place);
            }
            ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => self.expr(inner),
            ExprKind::Binary(_, a, b) | ExprKind::Difference { left: a, right: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.expr(pointer);
                self.expr(index);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
        }
    }

    /// What is evaluated to find the place.
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
}
