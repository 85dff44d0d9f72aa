//! Deadlocks: no thread can go on, and not all have ended.  Who waits does so at the point before a call of the library's
//! with an assumption in it, or of `pthread_join`; so whenever a thread comes to such a point, or ends, the places of all
//! say whether one of them can go on.

use super::calls::ThreadCall;
use super::frame::Frame;
use super::noted::{Deadlocks, Until, Wait};
use super::shared::is_lock;
use super::weave::{ENDED, NEW, Weaver};
use crate::flow::{
    Base, BinaryOp, Body, Callee, Edge, Expr, ExprKind, Flow, Instruction, LocationId, VariableId,
};
use hardbop_base::errors::ErrorKind;
use hardbop_base::source::Span;

const WAITS: &str = "a call that may wait in an atomic section";

impl Weaver<'_> {
    /// Notes that a thread may wait at its newest point, which is before a call, if it is one that waits.  Returns where the
    /// thread goes on.
    pub(super) fn may_wait(&mut self, frame: &Frame, at: LocationId, edge: &Edge) -> LocationId {
        if self.deadlocks.is_none() {
            return at;
        }
        let until = match (self.calls.of(edge), &edge.instruction) {
            (Some(ThreadCall::Join { .. }), Instruction::Call { arguments, .. }) => {
                arguments.first().cloned().map(Until::Ends)
            }
            _ => assumption(self.flow, edge).map(Until::Holds),
        };
        match until {
            Some(until) if self.is_open(frame, edge.source) => {
                self.waits(frame.thread, until, edge.span);
                at
            }
            Some(Until::Holds(goes_on)) => {
                // There is no other thread yet, or none can run now.
                let (next, stuck) = (self.beside(at), self.beside(at));
                self.code.branch(at, goes_on, (next, stuck), edge.span);
                match frame.started[edge.source.0 as usize] {
                    true => self.stop(stuck, WAITS, edge.span),
                    false => self.fail(stuck, at, (ErrorKind::Deadlock, edge.span)),
                }
                next
            }
            _ => at,
        }
    }

    fn waits(&mut self, thread: usize, until: Until, span: Span) {
        let Some(deadlocks) = &mut self.deadlocks else { return };
        let point = self.threads[thread].last();
        deadlocks.waits.push(Wait { thread, point, until, span });
        // The edge to the scheduler from where the point is noted.
        if let Some(edge) = self.code.edges.get_mut(self.threads[thread].arrived) {
            edge.target = deadlocks.arrival;
        }
    }

    /// Completes the search for deadlocks, when all threads are known.
    pub(super) fn complete_deadlocks(&mut self) {
        let Some(Deadlocks { waits, arrival }) = self.deadlocks.take() else { return };
        let (span, scheduler) = (Span::default(), self.scheduler);
        let mut at = arrival;
        for thread in 0..self.threads.len() {
            let next = self.code.fresh();
            for number in [ENDED, NEW] {
                let (is_there, other) = (self.is_at(thread, number, span), self.code.fresh());
                self.code.branch(at, is_there, (next, other), span);
                at = other;
            }
            for wait in waits.iter().filter(|wait| wait.thread == thread) {
                let (is_there, other) = (self.is_at(thread, wait.point, span), self.code.fresh());
                let here = self.code.fresh();
                self.code.branch(at, is_there, (here, other), span);
                let goes_on = self.goes_on(wait);
                self.code.branch(here, goes_on, (scheduler, next), span);
                at = other;
            }
            self.code.add(at, scheduler, Instruction::Skip, span);
            at = next;
        }
        // All wait or have ended: the trace shows who waits where.
        for wait in &waits {
            let (is_there, next) = (self.is_at(wait.thread, wait.point, span), self.code.fresh());
            let here = self.code.fresh();
            self.code.branch(at, is_there, (here, next), span);
            let point = self.threads[wait.thread].points[wait.point as usize - 2];
            self.show((here, next), point, wait.span);
            at = next;
        }
        for wait in waits {
            let (is_there, next) = (self.is_at(wait.thread, wait.point, span), self.code.fresh());
            let here = self.code.fresh();
            self.code.branch(at, is_there, (here, next), span);
            let point = self.threads[wait.thread].points[wait.point as usize - 2];
            self.fail(here, point, (ErrorKind::Deadlock, wait.span));
            at = next;
        }
        self.code.add(at, scheduler, Instruction::Skip, span);
    }

    /// The condition under which a thread need not wait.
    fn goes_on(&mut self, wait: &Wait) -> Expr {
        let span = wait.span;
        let id = match &wait.until {
            Until::Holds(condition) => return condition.clone(),
            Until::Ends(id) => id,
        };
        // What is not the number of a thread that was started is not waited for: this is undecided there.
        let int = self.flow.types.int();
        let mut goes_on = Expr::number(1, int, span);
        for thread in 1..self.threads.len() {
            let number = Expr::number(thread as u64 + 1, int, span).cast(id.ty);
            let is_other = Expr::binary(BinaryOp::NotEqual, id.clone(), number, int);
            let has_ended = self.is_at(thread, ENDED, span);
            let either = Expr::binary(BinaryOp::Or, is_other, has_ended, int);
            goes_on = Expr::binary(BinaryOp::And, goes_on, either, int);
        }
        goes_on
    }
}

/// The assumption in the body of the library's function that an edge calls, about its arguments.
fn assumption(flow: &mut Flow, edge: &Edge) -> Option<Expr> {
    let Instruction::Call { callee: Callee::Function(f), arguments, .. } = &edge.instruction else {
        return None;
    };
    let int = flow.types.int();
    let function = &flow.functions[f.0 as usize];
    let body: &Body = function.body.as_ref().filter(|_| is_lock(flow, *f))?;
    let halts = |at: LocationId| {
        body.edges.iter().any(|e| e.source == at && matches!(e.instruction, Instruction::Halt))
    };
    let (condition, is_false) = body.edges.iter().find_map(|edge| match &edge.instruction {
        Instruction::Assume { condition, expected } if halts(edge.target) => {
            Some((condition, *expected))
        }
        _ => None,
    })?;
    let mut condition = condition.clone();
    let given: Vec<(VariableId, &Expr)> =
        function.parameters.iter().copied().zip(arguments).collect();
    put(&mut condition, &given);
    let zero = Expr::number(0, condition.ty, edge.span);
    let op = if is_false { BinaryOp::Equal } else { BinaryOp::NotEqual };
    Some(Expr::binary(op, condition, zero, int))
}

/// Puts arguments in place of parameters.
fn put(expr: &mut Expr, given: &[(VariableId, &Expr)]) {
    for operand in expr.operands_mut() {
        put(operand, given);
    }
    if let ExprKind::Load(place) = &expr.kind
        && let Base::Variable(v) = place.base
        && place.path.is_empty()
        && let Some((_, argument)) = given.iter().find(|(parameter, _)| *parameter == v)
    {
        *expr = (*argument).clone().cast(expr.ty);
    }
}
