//! Facts that hold on the way: values of variables, and conditions that were decided.

use std::fmt::Write as _;

use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, UnaryOp, VariableId};
use crate::types::{Type, Types};

/// The number of values, and of conditions, that are remembered.
const MOST: usize = 64;

/// A function in which facts are found.
pub(super) struct Scope<'s> {
    /// Whether a variable is known not to change unseen.
    pub is_own: &'s dyn Fn(VariableId) -> bool,
    pub types: &'s Types,
}

/// A loop whose body has not been entered has no rounds elsewhere either: these are the facts to see that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    values: Vec<(VariableId, u64)>,
    /// Conditions as text, what they are, and the variables in them.
    decided: Vec<(String, bool, Vec<VariableId>)>,
}

impl Facts {
    /// Forgets what was known of a variable.
    pub fn forget(&mut self, variable: VariableId) {
        self.values.retain(|(v, _)| *v != variable);
        self.decided.retain(|(_, _, all)| !all.contains(&variable));
    }

    /// A variable that only its name leads to gets a value.
    pub fn assign(&mut self, variable: VariableId, value: &Expr) {
        let value = self.constant(value);
        self.forget(variable);
        if let Some(value) = value {
            // The oldest ones are the least likely to be asked for.
            if self.values.len() == MOST {
                self.values.remove(0);
            }
            self.values.push((variable, value));
        }
    }

    /// Takes a branch; false if that is not possible.  
    pub fn decide(&mut self, condition: &Expr, expected: bool, scope: &Scope<'_>) -> bool {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => return self.decide(inner, !expected, scope),
            ExprKind::Binary(BinaryOp::And, a, b) if expected => {
                return self.decide(a, true, scope) && self.decide(b, true, scope);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !expected => {
                return self.decide(a, false, scope) && self.decide(b, false, scope);
            }
            // If one of them does not decide it, the other one does.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let mut after = [self.clone(), self.clone()];
                let are_possible =
                    [after[0].decide(a, expected, scope), after[1].decide(b, expected, scope)];
                let [first, second] = after;
                match are_possible {
                    [true, false] => *self = first,
                    [false, true] => *self = second,
                    [true, true] | [false, false] => {}
                }
                return are_possible != [false, false];
            }
            _ => {}
        }
        let (op, expected) = match &condition.kind {
            ExprKind::Binary(BinaryOp::NotEqual, ..) => (Some(BinaryOp::Equal), !expected),
            _ => (None, expected),
        };
        // With the known values, and as it is: other ways know other values.
        for facts in [self.clone(), Self::default()] {
            let (mut text, mut variables) = (String::new(), vec![]);
            let is_known = match (&condition.kind, op) {
                (ExprKind::Binary(_, a, b), Some(op)) => {
                    facts.write_binary((op, a, b), scope, &mut text, &mut variables)
                }
                _ => facts.write(condition, scope, &mut text, &mut variables),
            };
            if !is_known {
                return true;
            }
            let value = facts.evaluate(condition, scope).filter(|_| variables.is_empty());
            let value = value.map(|value| (value != 0) == op.is_none());
            let decided = self.decided.iter().find(|(known, ..)| *known == text);
            match (value, decided) {
                (Some(value), _) if value != expected => return false,
                (None, Some((_, known, _))) if *known != expected => return false,
                (None, None) if self.decided.len() < MOST => {
                    self.decided.push((text, expected, variables));
                }
                _ => {}
            }
        }
        true
    }

    /// Executes an instruction; false if that is not possible.
    pub fn execute(&mut self, instruction: &Instruction, scope: &Scope<'_>) -> bool {
        if let Instruction::Assume { condition, expected } = instruction {
            return self.decide(condition, *expected, scope);
        }
        if let Some(place) = instruction.target()
            && let Base::Variable(v) = place.base
        {
            match instruction {
                Instruction::Assign(to, value) if to.path.is_empty() && (scope.is_own)(v) => {
                    self.assign(v, value);
                }
                _ => self.forget(v),
            }
        }
        !matches!(instruction, Instruction::Error(_) | Instruction::Halt)
    }

    /// Keeps what holds on both ways; whether that changes anything.
    pub fn meet(&mut self, other: &Self) -> bool {
        let before = (self.values.len(), self.decided.len());
        self.values.retain(|known| other.values.contains(known));
        self.decided.retain(|known| other.decided.contains(known));
        (self.values.len(), self.decided.len()) != before
    }

    fn constant(&self, value: &Expr) -> Option<u64> {
        match &value.kind {
            ExprKind::Constant(value) => Some(*value),
            ExprKind::Load(Place { base: Base::Variable(v), path, .. }) if path.is_empty() => {
                self.values.iter().find(|(known, _)| known == v).map(|&(_, value)| value)
            }
            _ => None,
        }
    }

    /// Small numbers that are not negative only: they are the same in all types.
    fn evaluate(&self, value: &Expr, scope: &Scope<'_>) -> Option<u64> {
        use BinaryOp as B;
        const SMALL: u64 = 1 << 30;
        let found = match &value.kind {
            ExprKind::Cast(inner) if *scope.types.get(value.ty) == Type::Bool => {
                u64::from(self.evaluate(inner, scope)? != 0)
            }
            ExprKind::Cast(inner) => self.evaluate(inner, scope)?,
            ExprKind::Unary(UnaryOp::Not, inner) => u64::from(self.evaluate(inner, scope)? == 0),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.evaluate(a, scope)?, self.evaluate(b, scope)?);
                u64::from(match op {
                    B::Equal => a == b,
                    B::NotEqual => a != b,
                    B::Less => a < b,
                    B::LessEqual => a <= b,
                    B::Greater => a > b,
                    B::GreaterEqual => a >= b,
                    _ => return None,
                })
            }
            _ => self.constant(value)?,
        };
        // A cast to a small type may change greater ones.
        Some(found).filter(|&n| n < 128 || n < SMALL && !matches!(value.kind, ExprKind::Cast(_)))
    }

    /// Writes a condition with the known values in it; false if it has parts that may change unseen.
    fn write(
        &self,
        value: &Expr,
        scope: &Scope<'_>,
        out: &mut String,
        variables: &mut Vec<VariableId>,
    ) -> bool {
        if let Some(value) = self.constant(value) {
            return write!(out, "{value} ").is_ok();
        }
        match &value.kind {
            ExprKind::Load(Place { base: Base::Variable(v), path, .. }) if path.is_empty() => {
                variables.push(*v);
                (scope.is_own)(*v) && write!(out, "v{} ", v.0).is_ok()
            }
            ExprKind::Unary(op, inner) => {
                write!(out, "{op:?} ").is_ok() && self.write(inner, scope, out, variables)
            }
            ExprKind::Binary(op, a, b) => self.write_binary((*op, a, b), scope, out, variables),
            ExprKind::Cast(inner) => {
                write!(out, "as{} ", value.ty.0).is_ok() && self.write(inner, scope, out, variables)
            }
            _ => false,
        }
    }
    fn write_binary(
        &self,
        (op, a, b): (BinaryOp, &Expr, &Expr),
        scope: &Scope<'_>,
        out: &mut String,
        variables: &mut Vec<VariableId>,
    ) -> bool {
        write!(out, "{op:?} ").is_ok()
            && self.write(a, scope, out, variables)
            && self.write(b, scope, out, variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;
    use hardbop_base::source::Span;

    /// However many variables get values, the last ones are known, and no more than can be copied at
    /// each location.
    #[test]
    fn the_last_values_are_known() {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.intern(Type::Int { bits: 32, signed: true, rank: 3 });
        let span = Span { start: 0, end: 0 };
        let expr = |kind| Expr { kind, ty: int, span };
        let mut facts = Facts::default();
        for v in 0..1000 {
            facts.assign(VariableId(v), &expr(ExprKind::Constant(7)));
        }
        assert_eq!(facts.values.len(), MOST);
        let mut is_possible = |v: u32, value: u64| {
            let (base, path) = (Base::Variable(VariableId(v)), vec![]);
            let load = expr(ExprKind::Load(Place { base, path, ty: int, span }));
            let value = expr(ExprKind::Constant(value));
            let kind = ExprKind::Binary(BinaryOp::Equal, Box::new(load), Box::new(value));
            facts.decide(&expr(kind), true, &Scope { is_own: &|_| true, types: &types })
        };
        assert!(is_possible(999, 7) && !is_possible(999, 8) && is_possible(0, 8));
    }
}
