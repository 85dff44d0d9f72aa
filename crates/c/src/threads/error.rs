//! Errors of several threads, and how a trace shows where they are.

use super::weave::Weaver;
use crate::flow::{Instruction, LocationId, NEXT, Violation};
use hardbop_base::errors::ErrorKind;
use hardbop_base::source::Span;

impl Weaver<'_> {
    /// Goes from a location to another one; the trace shows that a thread is at a point, before what is at a place.
    pub(super) fn show(
        &mut self,
        (from, to): (LocationId, LocationId),
        point: LocationId,
        span: Span,
    ) {
        let int = self.flow.types.int();
        let told = self.hidden(&format!("{NEXT}{}", self.flow.variables.len()), int);
        let shown = self.beside(point);
        self.code.add(from, shown, Instruction::Skip, span);
        self.assign((shown, to), told, 1, span);
    }

    /// An error at a location, of the thread to which another one belongs.
    pub(super) fn fail(&mut self, at: LocationId, of: LocationId, (kind, span): (ErrorKind, Span)) {
        let (last, nowhere) = (self.beside(of), self.code.fresh());
        self.code.add(at, last, Instruction::Skip, span);
        self.code.add(last, nowhere, Instruction::Error(Violation::Of(kind)), span);
    }
}
