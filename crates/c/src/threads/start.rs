//! Where threads begin, end, and wait for the end of others.

use super::calls::{ThreadCall, is_null, started};
use super::frame::Frame;
use super::noted::Access;
use super::shared::is_repeated_at;
use super::weave::{ENDED, Join, NEW, Weaver};
use crate::flow::{Base, BinaryOp, Edge, Expr, Instruction, LocationId, Place};
use crate::types::Type;
use hardbop_base::errors::Check;
use hardbop_base::source::Span;

/// Most threads that are started by one call that may be repeated.
pub(super) const REPEATED: usize = 4;

/// Most threads in all.
const THREADS: usize = 24;

const UNNAMED: &str =
    "a thread that does not begin in a function that is named where it is started";
const EXIT: &str = "the end of a thread in a call, or of 'main' before the program's";
const MANY: &str = "one thread more than are followed";
const IDENTIFIER: &str = "the number of a thread that is no number";
const OTHER: &str = "a thread that this program did not start";

impl Weaver<'_> {
    /// A call that starts or ends a thread, or asks for one.
    pub(super) fn thread_call(
        &mut self,
        frame: &Frame,
        call: ThreadCall,
        (at, target): (LocationId, LocationId),
        edge: Edge,
    ) {
        let Instruction::Call { result, arguments, .. } = &edge.instruction else { return };
        let (result, span) = (result.clone(), edge.span);
        let value = match (call, &arguments[..]) {
            (ThreadCall::Create | ThreadCall::CreateC11, _) => {
                return self.start(frame, call, (at, target), edge);
            }
            (ThreadCall::Join { is_int }, _) => {
                let thread = frame.thread;
                return self.joins.push(Join { at, target, edge, is_int, thread });
            }
            (ThreadCall::Exit, _) => {
                let thread = &self.threads[frame.thread];
                let (end, to) = (thread.end, thread.result);
                let instruction = match (to, arguments.first()) {
                    (Some(to), Some(value)) => {
                        let place = self.flow.place_of(to, span);
                        let value = value.clone().cast(place.ty);
                        Instruction::Assign(place, value)
                    }
                    _ => Instruction::Skip,
                };
                let lives = self.asked.has(Check::Lifetime);
                if frame.thread == 0 && self.asked.are_of_ends() || frame.stack.len() > 1 && lives {
                    return self.stop(at, EXIT, span);
                }
                let behind = self.beside(at);
                self.code.add(at, behind, instruction, span);
                let last = self.end(frame, behind, span);
                return self.code.add(last, end, Instruction::Skip, span);
            }
            (ThreadCall::Equal, [a, b, ..]) => {
                let int = self.flow.types.int();
                Expr::binary(BinaryOp::Equal, a.clone(), b.clone(), int)
            }
            (ThreadCall::Identify, _) => {
                let int = self.flow.types.int();
                Expr::number(frame.thread as u64 + 1, int, span)
            }
            _ => return self.stop(at, IDENTIFIER, span),
        };
        let instruction = match result {
            Some(place) if self.is_number(&place) => {
                let value = value.cast(place.ty);
                Instruction::Assign(place, value)
            }
            Some(_) => return self.stop(at, IDENTIFIER, span),
            None => Instruction::Skip,
        };
        self.code.add(at, target, instruction, span);
    }

    /// Whether there may be one thread more.
    fn has_room(&self) -> bool {
        self.threads.len() < THREADS
    }

    fn is_number(&self, place: &Place) -> bool {
        self.flow.types.bits(place.ty).is_some()
    }

    /// Starts a thread: the first one of this call's that has not begun.
    fn start(
        &mut self,
        frame: &Frame,
        call: ThreadCall,
        (mut at, target): (LocationId, LocationId),
        edge: Edge,
    ) {
        let span = edge.span;
        let function = started(call, &edge).and_then(|value| self.named(value));
        let function = function.filter(|f| self.flow.functions[f.0 as usize].body.is_some());
        let Some(function) = function else { return self.stop(at, UNNAMED, span) };
        let Instruction::Call { result, arguments, .. } = edge.instruction else { return };
        let (Some(id), Some(argument)) = (arguments.first(), arguments.last()) else { return };
        let Some(id) = self.target(id, span).filter(|place| self.is_number(place)) else {
            return self.stop(at, IDENTIFIER, span);
        };
        let repeated = frame.repeated || is_repeated_at(&frame.body, edge.source);
        for _ in 0..if repeated { REPEATED } else { 1 } {
            if !self.has_room() {
                break;
            }
            let thread = self.thread(function);
            let (mut here, others) = (self.beside(at), self.beside(at));
            let is_new = self.is_at(thread, NEW, span);
            self.code.branch(at, is_new, (here, others), span);
            at = others;
            let mut then = |weaver: &mut Self, place: Place, value: Expr| {
                let value = value.cast(place.ty);
                let next = weaver.beside(here);
                weaver.code.add(here, next, Instruction::Assign(place, value), span);
                here = next;
            };
            if let [parameter, ..] = self.threads[thread].parameters[..] {
                let place = self.flow.place_of(parameter, span);
                then(self, place, argument.clone());
            }
            let place = self.flow.place_of(self.threads[thread].place, span);
            let entry = Expr::number(2, place.ty, span);
            then(self, place, entry);
            let int = self.flow.types.int();
            then(self, id.clone(), Expr::number(thread as u64 + 1, int, span));
            if let Some(result) = &result {
                then(self, result.clone(), Expr::number(0, int, span));
            }
            self.code.add(here, target, Instruction::Skip, span);
        }
        self.stop(at, MANY, span);
    }

    /// What a pointer leads to, if it is one to an object of a known type.
    pub(super) fn target(&self, pointer: &Expr, span: Span) -> Option<Place> {
        let Type::Pointer(ty) = *self.flow.types.get(pointer.ty) else { return None };
        let base = Base::Pointer(Box::new(pointer.clone()));
        Some(Place { base, path: vec![], ty, span })
    }

    /// Completes the calls that wait for the end of threads.
    pub(super) fn complete_joins(&mut self) {
        for join in std::mem::take(&mut self.joins) {
            let span = join.edge.span;
            let Instruction::Call { result, arguments, .. } = &join.edge.instruction else {
                continue;
            };
            let Some(id) = arguments.first() else { continue };
            let to = arguments.get(1).filter(|to| !is_null(to));
            let mut at = join.at;
            for thread in 1..self.threads.len() {
                let int = self.flow.types.int();
                let number = Expr::number(thread as u64 + 1, int, span).cast(id.ty);
                let is_it = Expr::binary(BinaryOp::Equal, id.clone(), number, int);
                let (waits, others) = (self.beside(at), self.beside(at));
                self.code.branch(at, is_it, (waits, others), span);
                at = others;
                let condition = self.is_at(thread, ENDED, span);
                let ended = Instruction::Assume { condition, expected: true };
                let mut here = self.beside(at);
                self.code.add(waits, here, ended, span);
                if let Some(to) = to {
                    here = self.give(here, (thread, join.thread), to, join.is_int, span);
                }
                let instruction = match result {
                    Some(place) => {
                        let zero = Expr::number(0, int, span).cast(place.ty);
                        Instruction::Assign(place.clone(), zero)
                    }
                    None => Instruction::Skip,
                };
                self.code.add(here, join.target, instruction, span);
            }
            self.stop(at, OTHER, span);
        }
    }

    /// Stores the result of a thread where a pointer leads that may be null.
    fn give(
        &mut self,
        at: LocationId,
        (thread, by): (usize, usize),
        to: &Expr,
        is_int: bool,
        span: Span,
    ) -> LocationId {
        let (stores, behind) = (self.beside(at), self.beside(at));
        let int = self.flow.types.int();
        let null = Expr::number(0, to.ty, span);
        let is_there = Expr::binary(BinaryOp::NotEqual, to.clone(), null, int);
        self.code.branch(at, is_there, (stores, behind), span);
        let result = self.threads[thread].result;
        let place = self.target(to, span).filter(|place| match is_int {
            true => self.is_number(place),
            false => self.flow.types.is_pointer(place.ty) || self.is_number(place),
        });
        match (place, result) {
            (Some(place), Some(result)) => {
                let is_asked = self.races.is_some() && self.shared.is_shared(&place);
                let stores = match is_asked {
                    true => self.may_race(by, stores, vec![Access::write(&place)], None),
                    false => stores,
                };
                let value = self.flow.place_of(result, span).load().cast(place.ty);
                self.code.add(stores, behind, Instruction::Assign(place, value), span);
            }
            _ => self.stop(stores, "the result of a thread that has none", span),
        }
        behind
    }
}
