//! Checks that nothing is written that is defined `const`, and no string literal (C11, 6.7.3, 6, and 6.4.5, 7).
//!
//! What is written by name is seen where the text is read.  Members that are `const` are no objects of their own here.

use super::insert::Inserter;
use crate::flow::{Base, BinaryOp, Expr, ExprKind, Place, State, Violation};
use crate::library::{Execution, LibraryFunction, Writes};
use hardbop_base::errors::{Check, ErrorKind};
use hardbop_base::source::Span;

impl Inserter<'_> {
    /// Checks that what a pointer leads to may be written.
    pub(super) fn may_be_written(&mut self, place: &Place) {
        let is_direct = !matches!(place.base, Base::Pointer(_));
        if !self.property.checks.has(Check::Const) || is_direct {
            return;
        }
        let (ty, span) = (self.types.pointer_to(place.ty), place.span);
        let address = Expr { kind: ExprKind::AddressOf(place.clone()), ty, span };
        self.check_state(State::Constant, &address, ErrorKind::ConstWrite, span);
    }

    /// Checks what a library function writes.
    pub(super) fn writes(&mut self, known: &LibraryFunction, arguments: &[Expr], span: Span) {
        let Some(model) = known.model().filter(|_| self.property.checks.has(Check::Const)) else {
            return;
        };
        let parameters = known.prototype.parameters.len();
        let all = match model.effect.writes {
            Writes::Nothing => vec![],
            Writes::Copy { to, size, .. } | Writes::Fill { to, size, .. } => {
                // The parser clears what it initialises so.
                let is_text = |to: &&Expr| to.span != span;
                let to = arguments.get(to).filter(is_text);
                if let (Some(to), Some(size)) = (to, arguments.get(size)) {
                    let zero = Expr::number(0, size.ty, span);
                    let int = self.types.int();
                    let some = Expr::binary(BinaryOp::NotEqual, size.clone(), zero, int);
                    let constant = self.state(State::Constant, to, span);
                    let both = Expr::binary(BinaryOp::And, some, constant, int);
                    self.check(both, Violation::Of(ErrorKind::ConstWrite), span);
                }
                return;
            }
            Writes::Text { to } => vec![to],
            Writes::Anything { .. } => model.effect.written(parameters, arguments.len()),
        };
        let is_certain = matches!(model.execution, Execution::CopyText { bounded: false, .. });
        for to in all.into_iter().filter_map(|i| arguments.get(i)) {
            if !self.types.is_pointer(to.ty) {
                continue;
            }
            let constant = self.state(State::Constant, to, span);
            match is_certain {
                true => self.check(constant, Violation::Of(ErrorKind::ConstWrite), span),
                false => {
                    let what = format!("whether '{}' writes what is 'const'", known.name);
                    self.undecided_where(constant, &what, span);
                }
            }
        }
    }
}
