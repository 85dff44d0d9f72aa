//! Assignments, `++` and `--`.

use super::operator::plain;
use super::place::Operand;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Instruction, Place, Step, Violation};
use crate::parse::context::{Context, Typed};
use crate::parse::kept::Called;
use crate::parse::scope::Entity;
use crate::reliance::Reliance;
use crate::syntax::tree::{
    BinaryOperator, BinaryOperatorExpression, Expression, Node, UnaryOperator,
};
use crate::threads::{BEGIN_ACCESS, END_ACCESS, STARTS};
use crate::types::Type;
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Context<'_> {
    /// A place that can be assigned to.
    pub fn assignable_place(&mut self, node: &Node<Expression>) -> Typed<Place> {
        let span = self.span(node);
        let operand = self.operand(node)?;
        match operand {
            Operand::Place(place) => match self.types.get(place.ty) {
                Type::Array(..) | Type::Function { .. } => {
                    let name = self.types.name(place.ty);
                    let message = format!("'{name}' cannot be assigned to");
                    Err(self.type_error(span, message, "an array"))
                }
                Type::Record(_) if self.types.size(place.ty).is_none() => {
                    self.complete_size(place.ty, span)?;
                    Ok(place)
                }
                _ => Ok(place),
            },
            _ => {
                let message = "this cannot be assigned to".to_owned();
                Err(self.type_error(span, message, "not a place in memory"))
            }
        }
    }

    /// `a = b` or `a += b`; returns the new value of `a` if it is `used`.
    pub fn assignment(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
        used: bool,
    ) -> Typed<Option<Expr>> {
        let span = self.span(node);
        let BinaryOperatorExpression { operator, lhs, rhs } = &node.node;
        if operator.node != BinaryOperator::Assign {
            let Some(op) = plain(operator.node) else { return Ok(None) };
            let start = self.mark();
            let mut place = self.assignable_place(lhs)?;
            let mark = self.mark();
            let right = self.value(rhs)?;
            self.note_calls(start, mark, &right);
            self.note_assignment((start, mark), &place, &right, &[lhs, rhs]);
            self.preserve_place(&mut place, mark);
            return self.update(place, op, right, span, used);
        }
        let start = self.mark();
        let mut place = self.assignable_place(lhs)?;
        if let Expression::Identifier(_) = &lhs.node {
            // A plain variable may take a call's result directly.
            return self.store_into(place, rhs, span, used);
        }
        let mark = self.mark();
        let right = self.value(rhs)?;
        self.note_calls(start, mark, &right);
        self.note_assignment((start, mark), &place, &right, &[lhs, rhs]);
        self.preserve_place(&mut place, mark);
        self.store(place, right, span, used)
    }

    /// Assigns an expression to a variable.
    pub fn store_into(
        &mut self,
        place: Place,
        node: &Node<Expression>,
        span: Span,
        used: bool,
    ) -> Typed<Option<Expr>> {
        if let Expression::Call(call) = &node.node {
            // Other threads may change the object before its new value is used.
            let is_kept = used && self.is_static(&place) && self.declares_threads();
            return match self.call(call, (!is_kept).then_some(&place))? {
                Called::Stored => {
                    self.note_constant(&place, span);
                    let ty = place.ty;
                    if used && self.is_static(&place) {
                        self.rely(Reliance::OneThread, span);
                    }
                    Ok(used.then_some(Expr { kind: ExprKind::Load(place), ty, span }))
                }
                Called::Value(value) => self.store(place, value, span, used),
                Called::Nothing => {
                    let at = self.span(node);
                    self.decay(Operand::Nothing, at)?;
                    Ok(None)
                }
            };
        }
        let mark = self.mark();
        let value = self.value(node)?;
        self.note_assignment((mark, mark), &place, &value, &[node]);
        self.store(place, value, span, used)
    }

    /// Assigns a value.
    pub fn store(
        &mut self,
        place: Place,
        value: Expr,
        span: Span,
        used: bool,
    ) -> Typed<Option<Expr>> {
        let at = value.span;
        let value = self.assignable(value, place.ty, at)?;
        let mut value = self.fitting_field(&place, value);
        let is_static = used && self.is_static(&place);
        let is_alone = !is_static || !self.declares_threads();
        if is_static && is_alone {
            self.rely(Reliance::OneThread, span);
        }
        let result = if !used {
            None
        } else if is_alone && self.is_simple(&place) || self.bit_width(&place).is_some() {
            // The stored value: a bit-field holds less than its type.
            Some(Expr { kind: ExprKind::Load(place.clone()), ty: place.ty, span })
        } else {
            value = self.keep(value);
            Some(value.clone())
        };
        if self.is_long_double(place.ty) {
            self.not_modelled(span, "'long double'");
        }
        self.note_constant(&place, span);
        self.emit(Instruction::Assign(place, value), span);
        Ok(result)
    }

    /// Whether other threads may change the place, between an assignment and a use of what was assigned.
    fn is_static(&self, place: &Place) -> bool {
        match place.base {
            Base::Variable(id) => self.variables[id.0 as usize].function.is_none(),
            _ => false,
        }
    }

    /// A value that is used more than once: the same each time, also where other threads may change what it reads.
    pub fn read_once(&mut self, value: Expr) -> Expr {
        let is_open = value.parts().any(|part| match &part.kind {
            ExprKind::Load(place) => !self.is_local(place),
            _ => false,
        });
        match is_open {
            true if self.declares_threads() => self.keep(value),
            true => {
                self.rely(Reliance::OneThread, value.span);
                value
            }
            false => value,
        }
    }

    /// Whether it is in a variable of the function.
    fn is_local(&self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(id) if self.variables[id.0 as usize].function.is_some())
    }

    /// Whether the text so far declares a function that starts threads.
    pub(super) fn declares_threads(&self) -> bool {
        let is_function = |name| matches!(self.scopes.find(name), Some((Entity::Function(_), _)));
        STARTS.iter().any(|name| is_function(name))
    }

    /// Notes whether the place is in a local object that is defined `const`.  Initial values do not come here.
    fn note_constant(&mut self, place: &Place, span: Span) {
        if let (Base::Variable(id), Some(_)) = (&place.base, &self.current)
            && self.variables[id.0 as usize].constant
        {
            match self.asks(Check::Const, span) {
                true => {
                    self.stop(Instruction::Error(Violation::Of(ErrorKind::ConstWrite)), span);
                }
                false => self.rely(Reliance::Constants, span),
            }
        }
    }

    /// Whether the place is fixed: a variable, or members or elements at constant indices of one.
    pub(super) fn is_simple(&self, place: &Place) -> bool {
        matches!(place.base, Base::Variable(_))
            && place.path.iter().all(|step| match step {
                Step::Field(_) => true,
                Step::Index(index) => matches!(index.kind, ExprKind::Constant(_)),
            })
    }

    /// `place = place op right`
    fn update(
        &mut self,
        place: Place,
        op: BinaryOp,
        right: Expr,
        span: Span,
        used: bool,
    ) -> Typed<Option<Expr>> {
        // Reading and changing it is one access, as other threads see it (C11, 6.5.2.4, 6.5.16.2).
        let is_access = place.is_atomic(&self.variables, &self.types);
        let right = if is_access { self.keep(right) } else { right };
        self.access(is_access, BEGIN_ACCESS, span);
        let ty = place.ty;
        let has_parts = self.types.as_vector(ty).is_some() || self.types.is_pair(ty);
        if !self.types.is_scalar(ty) && !has_parts {
            let name = self.types.name(ty);
            let message = format!("'{name}' is not a number");
            return Err(self.type_error(span, message, &format!("of '{name}'")));
        }
        let old = self.read(place.clone(), place.span);
        let value = self.operation(op, old, right, span)?;
        let value = self.assignable(value, ty, span)?;
        let used = self.store(place, value, span, used)?;
        let used = if is_access { used.map(|value| self.keep(value)) } else { used };
        self.access(is_access, END_ACCESS, span);
        Ok(used)
    }

    /// Begins or ends an access, if it is one.
    fn access(&mut self, is_access: bool, name: &str, span: Span) {
        if is_access {
            self.later_call(name, vec![], None, span);
        }
    }

    /// `++a`, `a--`, ...
    pub fn step(
        &mut self,
        operator: &UnaryOperator,
        operand: &Node<Expression>,
        span: Span,
        used: bool,
    ) -> Typed<Option<Expr>> {
        let place = self.assignable_place(operand)?;
        let op = match operator {
            UnaryOperator::PreIncrement | UnaryOperator::PostIncrement => BinaryOp::Add,
            _ => BinaryOp::Subtract,
        };
        let postfix =
            matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement);
        let int = self.int();
        let one = self.constant(1, int, span);
        if !(postfix && used) {
            return self.update(place, op, one, span, used);
        }
        let ty = place.ty;
        // Reading and changing it is one access, as other threads see it (C11, 6.5.2.4, 6.5.16.2).
        let is_access = place.is_atomic(&self.variables, &self.types);
        self.access(is_access, BEGIN_ACCESS, span);
        let old = self.read(place.clone(), span);
        let old = self.keep(old);
        // The side effect reads the object once more: another thread may have written to it since the result was read.
        let again = self.declares_threads() && !self.is_local(&place);
        let base = if again { self.read(place.clone(), span) } else { old.clone() };
        let value = self.operation(op, base, one, span)?;
        let value = self.assignable(value, ty, span)?;
        self.store(place, value, span, false)?;
        self.access(is_access, END_ACCESS, span);
        Ok(Some(old))
    }
}
