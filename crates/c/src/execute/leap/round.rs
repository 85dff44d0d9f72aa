//! One round of a loop, edge by edge, on values that grow linearly.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Passed;
use super::linear::{Linear, Rounds};
use crate::execute::machine::arithmetic::{integer, sign_extended};
use crate::execute::machine::{Machine, Scalar, mask};
use crate::flow::{
    Base, BinaryOp, Callee, Edge, Expr, ExprKind, Flow, Instruction, Place, VariableId,
};

/// The edges of a round, which begins and ends in the innermost call.
pub(super) struct Round<'f> {
    flow: &'f Flow,
    edges: Vec<(&'f Edge, Passed)>,
    /// The number of open calls at its start.
    depth: usize,
    /// The variables of the innermost call, and global ones, that get values; not those of inner calls.
    changing: FxHashSet<VariableId>,
}

/// What the variables hold at some point of a round.
struct Values<'r, 'f, 'o> {
    machine: &'r Machine<'f, 'o>,
    round: &'r Round<'f>,
    rounds: Rounds,
    /// Per round, of those that change.
    slopes: &'r FxHashMap<VariableId, (u64, i128)>,
    /// Of those that were written, by open calls; 0 for global variables.
    written: FxHashMap<(usize, VariableId), Linear>,
    /// Calls that are open, where `depth` is that of the round's start.
    calls: usize,
}

impl<'f> Round<'f> {
    /// `None` if some edge does more than compute with integer variables.
    pub fn new(machine: &Machine<'f, '_>, passed: &[Passed]) -> Option<Self> {
        let flow = machine.flow;
        let mut round = Self {
            flow,
            edges: Vec::with_capacity(passed.len()),
            depth: machine.frames.len(),
            changing: FxHashSet::default(),
        };
        for &passed in passed {
            let body = flow.functions[passed.edge.function as usize].body.as_ref()?;
            let edge = body.edges.get(passed.edge.edge as usize)?;
            let target = match &edge.instruction {
                Instruction::Skip | Instruction::Assume { .. } | Instruction::Return(_) => None,
                Instruction::Assign(place, _) => Some(place),
                Instruction::Call { result, callee: Callee::Function(f), .. } => {
                    flow.functions[f.0 as usize].body.as_ref()?;
                    result.as_ref().filter(|_| passed.back)
                }
                _ => return None,
            };
            if let Some(place) = target {
                let (variable, _) = whole(machine, place)?;
                // Within a call, before the edge or after it.
                let inner = passed.depth > round.depth && !machine.is_shared(variable);
                if !inner {
                    round.changing.insert(variable);
                }
            }
            round.edges.push((edge, passed));
        }
        Some(round)
    }

    /// The bits that changing variables hold now; `None` if one holds none.
    pub fn values(&self, machine: &Machine<'_, '_>) -> Option<FxHashMap<VariableId, u64>> {
        self.changing.iter().map(|&v| Some((v, machine.peek(v)?))).collect()
    }

    /// How many rounds follow, all like the one before the present state, and what changing variables hold after
    /// them; `before` is what they held before that one.
    pub fn leap(
        &self,
        machine: &Machine<'f, '_>,
        before: &FxHashMap<VariableId, u64>,
    ) -> Option<(u64, Vec<(VariableId, u64)>)> {
        let now = self.values(machine)?;
        let mut slopes = FxHashMap::default();
        for (&variable, &value) in &now {
            let scalar = self.scalar(machine, variable)?;
            let more = value.wrapping_sub(*before.get(&variable)?) & mask(scalar.bits());
            let slope = i128::from(sign_extended(more, scalar.bits()));
            slopes.insert(variable, (value, slope));
        }
        if slopes.values().all(|&(_, slope)| slope == 0) {
            return None;
        }
        let mut values = Values {
            machine,
            round: self,
            rounds: Rounds::new(),
            slopes: &slopes,
            written: FxHashMap::default(),
            calls: 0,
        };
        for &(edge, passed) in &self.edges {
            values.pass(edge, passed)?;
        }
        let rounds = values.rounds.0;
        // The values after a round are those before the next.
        let mut all = Vec::with_capacity(slopes.len());
        for (&variable, &(value, slope)) in &slopes {
            let scalar = self.scalar(machine, variable)?;
            let start = integer(scalar, value) + slope;
            let depth = if machine.is_shared(variable) { 0 } else { self.depth };
            if values.written.get(&(depth, variable)) != Some(&Linear { start, slope }) {
                return None;
            }
            let last = integer(scalar, value) + slope * rounds;
            all.push((variable, last as u64 & mask(scalar.bits())));
        }
        all.sort_unstable();
        Some((rounds as u64, all))
    }

    fn scalar(&self, machine: &Machine<'_, '_>, variable: VariableId) -> Option<Scalar> {
        let ty = self.flow.variables[variable.0 as usize].ty;
        machine.layout.scalar(ty)
    }
}

/// The variable that a place is, if it is all of an integer variable.
fn whole(machine: &Machine<'_, '_>, place: &Place) -> Option<(VariableId, Scalar)> {
    let Base::Variable(id) = place.base else { return None };
    let variable = &machine.flow.variables[id.0 as usize];
    let scalar = machine.layout.scalar(place.ty)?;
    let is_integer = matches!(scalar, Scalar::Int { .. } | Scalar::Bool);
    let same = place.path.is_empty() && machine.layout.scalar(variable.ty) == Some(scalar);
    (same && is_integer && !variable.volatile).then_some((id, scalar))
}

impl Values<'_, '_, '_> {
    fn pass(&mut self, edge: &Edge, passed: Passed) -> Option<()> {
        match &edge.instruction {
            Instruction::Skip => Some(()),
            Instruction::Assume { condition, expected } => {
                let value = self.value(condition)?;
                (self.rounds.truth(value)? == *expected).then_some(())
            }
            Instruction::Assign(place, value) => {
                let value = self.value(value)?;
                self.write(place, value)
            }
            Instruction::Call { result, callee: Callee::Function(f), .. } if passed.back => {
                let returned = match (result, self.round.flow.functions[f.0 as usize].result) {
                    (Some(place), Some(variable)) => {
                        Some((place, *self.written.get(&(self.depth(), variable))?))
                    }
                    (Some(_), None) => return None,
                    (None, _) => None,
                };
                self.calls = self.calls.checked_sub(1)?;
                returned.map_or(Some(()), |(place, value)| self.write(place, value))
            }
            Instruction::Call { callee: Callee::Function(f), arguments, .. } => {
                let given: Vec<Linear> =
                    arguments.iter().map(|a| self.value(a)).collect::<Option<_>>()?;
                self.calls += 1;
                let depth = self.depth();
                self.written.retain(|&(at, _), _| at != depth);
                let parameters = &self.round.flow.functions[f.0 as usize].parameters;
                for ((&parameter, value), argument) in parameters.iter().zip(given).zip(arguments) {
                    let own = self.round.flow.variables[parameter.0 as usize].ty;
                    let [own, given] = [own, argument.ty].map(|ty| self.machine.layout.scalar(ty));
                    if own != given {
                        return None;
                    }
                    self.written.insert((depth, parameter), value);
                }
                Some(())
            }
            Instruction::Return(value) => {
                let function = &self.round.flow.functions[passed.edge.function as usize];
                if let (Some(result), Some(value)) = (function.result, value) {
                    let ty = self.round.flow.variables[result.0 as usize].ty;
                    if self.machine.layout.scalar(ty) != self.machine.layout.scalar(value.ty) {
                        return None;
                    }
                    let value = self.value(value)?;
                    self.written.insert((self.depth(), result), value);
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Open calls.
    fn depth(&self) -> usize {
        self.round.depth + self.calls
    }

    fn write(&mut self, place: &Place, value: Linear) -> Option<()> {
        let (variable, scalar) = whole(self.machine, place)?;
        let value = self.rounds.within(value, scalar)?;
        let depth = if self.machine.is_shared(variable) { 0 } else { self.depth() };
        self.written.insert((depth, variable), value);
        Some(())
    }

    fn read(&mut self, variable: VariableId, scalar: Scalar) -> Option<Linear> {
        let is_global = self.machine.is_shared(variable);
        let depth = if is_global { 0 } else { self.depth() };
        if let Some(&value) = self.written.get(&(depth, variable)) {
            return Some(value);
        }
        if let Some(&(value, slope)) = self.slopes.get(&variable)
            && (is_global || self.calls == 0)
        {
            return self.rounds.within(Linear { start: integer(scalar, value), slope }, scalar);
        }
        // Nothing changes it; what an inner call does not write has no value.
        let known = is_global || self.calls == 0;
        let value = self.machine.peek(variable).filter(|_| known)?;
        Some(Linear::constant(integer(scalar, value)))
    }

    fn value(&mut self, expr: &Expr) -> Option<Linear> {
        let layout = &self.machine.layout;
        let scalar = layout.scalar(expr.ty)?;
        let is_pointer = |of: &Expr| self.round.flow.types.is_pointer(of.ty);
        match &expr.kind {
            ExprKind::Constant(value) if !is_pointer(expr) => {
                matches!(scalar, Scalar::Int { .. } | Scalar::Bool)
                    .then(|| Linear::constant(integer(scalar, *value & mask(scalar.bits()))))
            }
            ExprKind::Load(place) => {
                let (variable, scalar) = whole(self.machine, place)?;
                self.read(variable, scalar)
            }
            ExprKind::Unary(op, operand) => {
                let of = layout.scalar(operand.ty)?;
                let value = self.value(operand)?;
                self.rounds.unary(*op, of, value)
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let left = self.value(left)?;
                let left = self.rounds.truth(left)?;
                let is_decided = left == (*op == BinaryOp::Or);
                let result = match is_decided {
                    true => left,
                    false => {
                        let right = self.value(right)?;
                        self.rounds.truth(right)?
                    }
                };
                Some(Linear::constant(i128::from(result)))
            }
            ExprKind::Binary(op, left, right) => {
                let scalars = (layout.scalar(left.ty)?, layout.scalar(right.ty)?);
                let operands = (self.value(left)?, self.value(right)?);
                self.rounds.binary(*op, scalars, operands)
            }
            ExprKind::Conditional(condition, then, other) => {
                let condition = self.value(condition)?;
                let chosen = if self.rounds.truth(condition)? { then } else { other };
                self.value(chosen)
            }
            ExprKind::Cast(operand) if !is_pointer(expr) && !is_pointer(operand) => {
                let from = layout.scalar(operand.ty)?;
                let value = self.value(operand)?;
                self.rounds.convert(value, from, scalar)
            }
            _ => None,
        }
    }
}
