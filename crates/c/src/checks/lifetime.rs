//! Checks of what frees blocks, and of accesses to what has ended.

use super::insert::Inserter;
use crate::flow::{BinaryOp, Expr, ExprKind, State, UnaryOp, Violation};
use crate::library::{Execution, LibraryFunction};
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Span;

/// Whether a call of the function frees a block, which is checked.
pub(super) fn is_checked(known: &LibraryFunction, checks: Checks) -> bool {
    let frees = |execution| matches!(execution, Execution::Free | Execution::Reallocate);
    checks.has(Check::Free) && known.model().is_some_and(|model| frees(model.execution))
}

impl Inserter<'_> {
    /// Checks that the object at an address, which is accessed, has not ended.
    pub(super) fn alive(&mut self, address: &Expr, span: Span) {
        if self.property.checks.has(Check::Lifetime) {
            self.check_state(State::Ended, address, ErrorKind::EndedObject, span);
        }
    }

    /// The same where `size` bytes are accessed, which may be none.
    pub(super) fn alive_unless_empty(&mut self, address: &Expr, size: &Expr, span: Span) {
        if !self.property.checks.has(Check::Lifetime) {
            return;
        }
        let (zero, int) = (Expr::number(0, size.ty, span), self.types.int());
        let some = Expr::binary(BinaryOp::NotEqual, size.clone(), zero, int);
        let ended = self.state(State::Ended, address, span);
        let both = Expr::binary(BinaryOp::And, some, ended, int);
        self.check(both, Violation::Of(ErrorKind::EndedObject), span);
    }

    /// Checks what a library function frees.
    pub(super) fn frees(&mut self, known: &LibraryFunction, arguments: &mut [Expr], span: Span) {
        if let Some(pointer) = arguments.first_mut()
            && is_checked(known, self.property.checks)
        {
            self.keep_large(pointer);
            let pointer = pointer.clone();
            self.check_state(State::NotFreeable, &pointer, ErrorKind::InvalidFree, span);
        }
    }

    pub(super) fn check_state(
        &mut self,
        state: State,
        operand: &Expr,
        kind: ErrorKind,
        span: Span,
    ) {
        let condition = self.state(state, operand, span);
        self.check(condition, Violation::Of(kind), span);
    }

    pub(super) fn state(&mut self, state: State, operand: &Expr, span: Span) -> Expr {
        let kind = ExprKind::Unary(UnaryOp::Is(state), Box::new(operand.clone()));
        Expr { kind, ty: self.types.int(), span }
    }
}
