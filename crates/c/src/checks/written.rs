//! Checks that a value was written before it is used (C11, 6.3.2.1, 2, and 6.7.9, 10).
//!
//! A use is every evaluation but a copy: an assignment of the same bits, of a record, or by `memcpy`. Then what is in the copy
//! was not written either.

use super::assigned::whole;
use super::insert::Inserter;
use crate::flow::{Expr, ExprKind, HavocKind, Place, State, UnaryOp, VariableKind, Violation};
use crate::library::{Execution, LibraryFunction};
use crate::types::{Type, Types};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

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
                    && !to.is_bit_field(self.variables, self.types)
                    && !from.is_bit_field(self.variables, self.types)
            })
    }

    /// What the program does not say of a record that it gets from outside is not known: which parts of it were written.
    pub(super) fn got_from_outside(&mut self, place: &Place, kind: &HavocKind) {
        let is_temporary = whole(place)
            .is_some_and(|v| self.variables[v.0 as usize].kind == VariableKind::Temporary);
        if self.property.checks.has(Check::Uninitialised)
            && matches!(kind, HavocKind::Uninitialised)
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
