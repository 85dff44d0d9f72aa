//! Checks that a value was written before it is used (C11, 6.3.2.1, 2, and 6.7.9, 10).
//!
//! A use is every evaluation but a copy: an assignment of the same bits, of a record, or by `memcpy`. Then what is in the copy
//! was not written either.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::insert::Inserter;
use crate::flow::{
    Base, Body, Callee, Expr, ExprKind, Flow, HavocKind, Instruction, Place, State, UnaryOp,
    Variable, VariableId, VariableKind, Violation,
};
use crate::library::{Execution, LibraryFunction};
use crate::types::{Type, Types};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

/// The variables that certainly have a value at each location of a body, of those whose address is not taken.
#[derive(Debug, Default)]
pub(super) struct Written {
    at: Vec<Option<FxHashSet<VariableId>>>,
}

impl Written {
    pub(super) fn new(body: &Body, variables: &[Variable], types: &Types) -> Self {
        let mut outgoing = vec![Vec::new(); body.locations as usize];
        let mut named = FxHashSet::default();
        for edge in &body.edges {
            outgoing[edge.source.0 as usize].push(edge);
            named.extend(edge.instruction.parts().filter_map(|part| match &part.kind {
                ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) => Some(*v),
                _ => None,
            }));
        }
        let mut found = Self { at: vec![None; body.locations as usize] };
        found.at[body.entry.0 as usize] = Some(FxHashSet::default());
        let mut open = VecDeque::from([body.entry]);
        while let Some(location) = open.pop_front() {
            for edge in &outgoing[location.0 as usize] {
                let Some(mut after) = found.at[location.0 as usize].clone() else { continue };
                if let Some(place) = edge.instruction.target()
                    && let Some(variable) = whole(place).filter(|v| !named.contains(v))
                {
                    let has_value = match &edge.instruction {
                        Instruction::Havoc(_, kind) => {
                            !matches!(kind, HavocKind::Uninitialised | HavocKind::Ended)
                        }
                        Instruction::Assign(_, value) => match value.copied(types) {
                            Some(from) => whole(from).is_some_and(|from| {
                                after.contains(&from) || is_given(&variables[from.0 as usize])
                            }),
                            None => true,
                        },
                        _ => true,
                    };
                    if has_value {
                        after.insert(variable)
                    } else {
                        after.remove(&variable)
                    };
                }
                let there = &mut found.at[edge.target.0 as usize];
                let changes = match there {
                    Some(before) => {
                        let count = before.len();
                        before.retain(|v| after.contains(v));
                        before.len() < count
                    }
                    None => {
                        *there = Some(after);
                        true
                    }
                };
                if changes {
                    open.push_back(edge.target);
                }
            }
        }
        found
    }

    /// Whether a place certainly has a value where an instruction begins.
    fn has(&self, location: u32, place: &Place, variables: &[Variable]) -> bool {
        let Base::Variable(base) = place.base else {
            return matches!(place.base, Base::String(_));
        };
        let known = self.at.get(location as usize).and_then(Option::as_ref);
        is_given(&variables[base.0 as usize])
            || whole(place).is_some_and(|v| known.is_none_or(|known| known.contains(&v)))
    }
}

/// Whether a variable has a value from the start.
fn is_given(variable: &Variable) -> bool {
    variable.function.is_none()
}

/// The scalar variable that a place is.
fn whole(place: &Place) -> Option<VariableId> {
    match place.base {
        Base::Variable(v) if place.path.is_empty() => Some(v),
        _ => None,
    }
}

impl Expr {
    /// The place whose bits this value has, if all that evaluating it does is to copy them.
    pub(crate) fn copied(&self, types: &Types) -> Option<&Place> {
        let is_plain =
            |e: &Expr| types.is_pointer(e.ty) || matches!(types.get(e.ty), Type::Int { .. });
        match &self.kind {
            ExprKind::Load(place) if types.is_scalar(place.ty) => Some(place),
            ExprKind::Cast(inner)
                if is_plain(self)
                    && is_plain(inner)
                    && types.size(self.ty) == types.size(inner.ty) =>
            {
                inner.copied(types)
            }
            _ => None,
        }
    }
}

/// Leaves undecided what follows the end of a function without the value that it should return, if some call uses that of
/// such a function (C11, 6.9.1, 12).
pub(super) fn refuse_missing_results(flow: &mut Flow) {
    let mut is_used = vec![false; flow.functions.len()];
    let mut pointers = false;
    let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
    for edge in bodies.flat_map(|body| &body.edges) {
        match &edge.instruction {
            Instruction::Call { result: Some(_), callee: Callee::Function(f), .. } => {
                is_used[f.0 as usize] = true;
            }
            Instruction::Call { result: Some(_), callee: Callee::Pointer(_), .. } => {
                pointers = true;
            }
            _ => {}
        }
    }
    for (function, is_used) in flow.functions.iter_mut().zip(is_used) {
        let edges = function.body.iter_mut().flat_map(|body| &mut body.edges);
        for edge in edges.filter(|_| function.result.is_some() && (is_used || pointers)) {
            if matches!(edge.instruction, Instruction::Return(None)) {
                let what =
                    format!("whether the result is used that '{}' does not give", function.name);
                edge.instruction = Instruction::Unsupported(what);
            }
        }
    }
}

impl Inserter<'_> {
    /// Checks that what is read was written.
    pub(super) fn written(&mut self, load: &Expr) {
        let ExprKind::Load(place) = &load.kind else { return };
        if !self.property.checks.has(Check::Uninitialised)
            || !self.types.is_scalar(place.ty)
            || self.written.has(self.began.0, place, self.variables)
        {
            return;
        }
        if matches!(self.types.get(place.ty), Type::Float { bits: 65.. }) {
            return self.unsupported("whether a long double was written", load.span);
        }
        let kind = ExprKind::Unary(UnaryOp::Is(State::Unwritten), Box::new(load.clone()));
        let condition = Expr { kind, ty: self.types.int(), span: load.span };
        self.check(condition, Violation::Of(ErrorKind::Uninitialised), load.span);
    }

    /// Whether an assignment is a copy, which is no use of what it reads.
    pub(super) fn is_copy(&self, to: &Place, value: &Expr) -> bool {
        self.property.checks.has(Check::Uninitialised)
            && value.copied(self.types).is_some_and(|from| {
                self.types.size(to.ty) == self.types.size(from.ty)
                    && !self.is_bit_field(to)
                    && !self.is_bit_field(from)
            })
    }

    fn is_bit_field(&self, place: &Place) -> bool {
        let Some(mut ty) = place.base_type(self.variables, self.types) else { return false };
        let mut is_part = false;
        for step in &place.path {
            let Some((next, field)) = step.part(ty, self.types) else { return false };
            is_part = field.is_some_and(|field| field.bit_field.is_some());
            ty = next;
        }
        is_part
    }

    /// What the program does not say of a record that it gets from outside is not known: which parts of it were written.
    pub(super) fn got_from_outside(&mut self, place: &Place, kind: &HavocKind) {
        let is_temporary = whole(place)
            .is_some_and(|v| self.variables[v.0 as usize].kind == VariableKind::Temporary);
        if self.property.checks.has(Check::Uninitialised)
            && *kind == HavocKind::Uninitialised
            && is_temporary
        {
            self.unsupported("which parts of this record were written", place.span);
        }
    }

    /// The bytes that a comparison reads may not have been written.
    pub(super) fn compares(&mut self, known: &LibraryFunction, name: &str, span: Span) {
        let compares = known.model().is_some_and(|model| model.execution == Execution::Compare);
        if compares && self.property.checks.has(Check::Uninitialised) {
            self.unsupported(&format!("whether what '{name}' reads was written"), span);
        }
    }
}
