//! Accesses of a thread to what is shared, one by one, each at a point.

use super::frame::Frame;
use super::noted::Access;
use super::weave::Weaver;
use crate::edit::replace;
use crate::flow::{Edge, Expr, Instruction, LocationId, READ};
use hardbop_base::source::Span;

impl Weaver<'_> {
    /// Whether others may run before something at a place of the body.
    pub fn is_open(&self, frame: &Frame, source: LocationId) -> bool {
        frame.started[source.0 as usize] && frame.atomic[source.0 as usize] == Some(false)
    }

    /// A point: others may run here.  Returns where the thread goes on.
    pub fn point(
        &mut self,
        frame: &Frame,
        source: LocationId,
        at: LocationId,
        span: Span,
    ) -> LocationId {
        if !self.is_open(frame, source) {
            return at;
        }
        let next = self.beside(at);
        let thread = &mut self.threads[frame.thread];
        let number = thread.points.len() as u64 + 2;
        thread.points.push(next);
        let place = thread.place;
        thread.arrived = self.code.edges.len();
        let scheduler = self.scheduler;
        self.assign((at, scheduler), place, number, span);
        next
    }

    /// Reads what is shared in an expression, value by value, each into a temporary.
    pub fn extract(
        &mut self,
        frame: &Frame,
        source: LocationId,
        at: &mut LocationId,
        expr: &mut Expr,
    ) {
        // Loads with one place in the text are one, however often the value occurs.
        let mut read: Vec<Expr> = vec![];
        replace(expr, &mut |part: &Expr| {
            if !self.shared.is_load(part) {
                return None;
            }
            if let Some(known) = read.iter().find(|r| (r.span, r.ty) == (part.span, part.ty)) {
                return Some(known.clone());
            }
            let number = self.flow.variables.len();
            let kept = self.hidden(&format!("{READ}{number}"), part.ty);
            let kept = self.flow.place_of(kept, part.span);
            let read_at = part.place().map(Access::read);
            let here = self.access(frame, source, *at, (read_at.into_iter().collect(), part.span));
            *at = self.beside(here);
            self.code.add(here, *at, Instruction::Assign(kept.clone(), part.clone()), part.span);
            read.push(kept.load());
            read.last().cloned()
        });
    }

    /// Reads what an instruction has of shared memory, so that at most one access is left, which comes at a point.
    /// Returns where it comes.
    pub fn divided(&mut self, frame: &Frame, mut at: LocationId, edge: &mut Edge) -> LocationId {
        let source = edge.source;
        if self.shared.accesses(self.flow, edge) > 1 {
            for value in edge.instruction.values_mut() {
                self.extract(frame, source, &mut at, value);
            }
        }
        match self.shared.accesses(self.flow, edge) {
            0 => at,
            _ => {
                let made = [self.shared.made(edge), self.called(edge)].concat();
                self.access(frame, source, at, (made, edge.span))
            }
        }
    }

    /// A point before accesses, where others may come to theirs of the same object.  Returns where the thread goes on.
    pub fn access(
        &mut self,
        frame: &Frame,
        source: LocationId,
        at: LocationId,
        (accesses, span): (Vec<Access>, Span),
    ) -> LocationId {
        let here = self.point(frame, source, at, span);
        match self.races {
            Some(_) if frame.started[source.0 as usize] => {
                let number = self.is_open(frame, source).then(|| self.threads[frame.thread].last());
                self.may_race(frame.thread, here, accesses, number)
            }
            _ => here,
        }
    }
}
