//! The body of a function with jumps.

use std::collections::BTreeSet;

use super::buffer;
use super::calls::{Calls, Jump};
use super::{Shared, Tokens, variable};
use crate::edit::Edges;
use crate::flow::{
    Base, BinaryOp, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction,
    LocationId, Place, VariableId, VariableKind,
};
use crate::library::{Convention, find};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

const TYPE: &str = "a buffer of 'setjmp' that does not begin with an 'int' or a 'long'";
const NOWHERE: &str = "a call of 'longjmp' with a buffer that 'setjmp' has not filled";
const ENDED: &str = "a jump to a call of 'setjmp' whose function has ended";
const HANDLER: &str = "a jump out of a function that was given to 'atexit'";
const SORT: &str = "a jump out of a function that was given to 'qsort'";
const OUTSIDE: &str = "a jump out of a function that one without a body calls";

/// A body that is being rewritten.
pub(super) struct Rewriter<'f> {
    pub flow: &'f mut Flow,
    pub calls: &'f Calls,
    pub shared: Shared,
    pub function: FunctionId,
    /// Whether the function calls those that were given to `atexit`.
    pub is_handlers: bool,
    pub tokens: Tokens,
    /// The records that are buffers.
    pub records: &'f BTreeSet<TypeId>,
    pub code: Edges,
    pub exit: LocationId,
    /// Where it is decided where a jump ends.
    pub landing: Option<LocationId>,
    /// The ways to the calls of `setjmp`.
    pub ways: Vec<LocationId>,
}

impl Rewriter<'_> {
    pub fn body(mut self, mut body: Body) -> Body {
        let mut entry = body.entry;
        if let Tokens::Counted { first, count, sites } = self.tokens {
            let sites_at = |edge: &&Edge| self.calls.jump(edge) == Some(Jump::Set);
            let span = body
                .edges
                .iter()
                .find(sites_at)
                .map_or(Span::default(), |e| self.flow.name_in(e.span));
            entry = self.code.fresh();
            let middle = self.code.fresh();
            let (old, by) = (self.load(count, span), self.constant(sites, span));
            let next = Expr::binary(BinaryOp::Add, old.clone(), by, self.shared.word);
            self.assign(first, old, (entry, middle), span);
            self.assign(count, next, (middle, body.entry), span);
        }
        for edge in std::mem::take(&mut body.edges) {
            match self.calls.jump(&edge) {
                Some(Jump::Set) => self.set(edge),
                Some(Jump::Long) => self.long(edge),
                None if self.calls.may_jump(&edge) => self.call(edge),
                None => self.other(edge),
            }
        }
        self.land();
        self.code.finish(Body { entry, ..body })
    }

    /// `setjmp(buffer)`: both times that it returns.
    fn set(&mut self, edge: Edge) {
        let Edge { source, target, instruction, span } = edge;
        let token = self.token(self.ways.len() as u64, span);
        let way = self.code.fresh();
        self.ways.push(way);
        let Instruction::Call { result, arguments, .. } = instruction else { return };
        let word = arguments.first().and_then(|b| buffer::word(&mut self.flow.types, b));
        let Some(word) = word else { return self.stop(TYPE, source, span) };
        let (kept, again) = (self.code.fresh(), self.code.fresh());
        let token = cast(token, word.ty);
        self.code.add(source, kept, Instruction::Assign(word, token), span);
        let (zero, value) = (self.constant(0, span), self.load(self.shared.value, span));
        self.assign(self.shared.target, zero.clone(), (way, again), span);
        for (from, value) in [(kept, zero), (again, value)] {
            let instruction = match &result {
                Some(place) => Instruction::Assign(place.clone(), cast(value, place.ty)),
                None => Instruction::Skip,
            };
            self.code.add(from, target, instruction, span);
        }
    }

    /// `longjmp(buffer, value)`
    fn long(&mut self, edge: Edge) {
        let Edge { source, instruction, span, .. } = edge;
        let Instruction::Call { arguments, .. } = instruction else { return };
        let word = arguments.first().and_then(|b| buffer::word(&mut self.flow.types, b));
        let (Some(word), Some(value)) = (word, arguments.get(1)) else {
            return self.stop(TYPE, source, span);
        };
        let (valued, aimed, nowhere) = (self.code.fresh(), self.code.fresh(), self.code.fresh());
        let Shared { target, value: to, int, word: ty } = self.shared;
        let value = cast(value.clone(), int);
        let one = Expr::number(1, int, span);
        let parts = [value.clone(), value, one].map(Box::new);
        let [condition, value, one] = parts;
        let kind = ExprKind::Conditional(condition, value, one);
        self.assign(to, Expr { kind, ty: int, span }, (source, valued), span);
        let token = word.load();
        self.assign(target, cast(token, ty), (valued, aimed), span);
        let landing = self.landing();
        self.code.branch(aimed, self.is_at(0, span), (nowhere, landing), self.flow.name_in(span));
        self.stop(NOWHERE, nowhere, span);
    }

    /// A call that may jump: what it returns counts only if it does not.
    fn call(&mut self, edge: Edge) {
        let Edge { source, target, mut instruction, span } = edge;
        let Instruction::Call { result, callee, .. } = &mut instruction else { return };
        let called = self.flow.name_in(span);
        let text = self.flow.source.text.get(called.start as usize..called.end as usize);
        let convention = text.and_then(find).and_then(|known| known.convention());
        let out = match callee {
            _ if self.is_handlers => Some(HANDLER),
            _ if convention == Some(Convention::Sort) => Some(SORT),
            Callee::Function(f) if self.calls.is_outside(*f) => Some(OUTSIDE),
            _ => None,
        };
        let mut returned = None;
        if let Some(place) = result.as_ref().filter(|place| !self.is_temporary(place)).cloned() {
            let id = variable(self.flow, "returned", place.ty, Some(self.function), span);
            let kept = self.flow.place_of(id, span);
            let value = kept.clone().load();
            *result = Some(kept);
            returned = Some(Instruction::Assign(place, value));
        }
        let behind = self.code.fresh();
        self.code.add(source, behind, instruction, span);
        let back = match returned {
            Some(assignment) => {
                let back = self.code.fresh();
                self.code.add(back, target, assignment, span);
                back
            }
            None => target,
        };
        let jump = match out {
            Some(what) => {
                let out = self.code.fresh();
                self.stop(what, out, span);
                out
            }
            None => self.landing(),
        };
        self.code.branch(behind, self.is_at(0, called), (back, jump), called);
    }

    /// Any other instruction; the declaration of a buffer empties it.
    fn other(&mut self, edge: Edge) {
        let Instruction::Havoc(place, HavocKind::Uninitialised) = &edge.instruction else {
            return self.code.edges.push(edge);
        };
        let words = buffer::words(&mut self.flow.types, place, self.records);
        let (span, target) = (edge.span, edge.target);
        let mut here = if words.is_empty() { target } else { self.code.fresh() };
        self.code.edges.push(Edge { target: here, ..edge });
        for (left, word) in (0..words.len()).rev().zip(words) {
            let next = if left == 0 { target } else { self.code.fresh() };
            let zero = cast(self.constant(0, span), word.ty);
            self.code.add(here, next, Instruction::Assign(word, zero), span);
            here = next;
        }
    }

    /// Goes on at the call of `setjmp` that a jump is to, or leaves the function.
    fn land(&mut self) {
        let Some(mut here) = self.landing else { return };
        let span =
            self.code.edges.iter().find(|e| e.target == here).map_or(Span::default(), |e| e.span);
        for (site, way) in std::mem::take(&mut self.ways).into_iter().enumerate() {
            let next = self.code.fresh();
            let token = self.token(site as u64, span);
            let target = self.load(self.shared.target, span);
            let condition = Expr::binary(BinaryOp::Equal, target, token, self.shared.int);
            self.code.branch(here, condition, (way, next), span);
            here = next;
        }
        if self.function == self.flow.main {
            return self.stop(ENDED, here, span);
        }
        let result = self.flow.functions[self.function.0 as usize].result;
        let value = result.map(|result| {
            let ty = self.flow.variables[result.0 as usize].ty;
            let kind = match self.flow.types.get(ty) {
                Type::Record(_) => {
                    let zero = variable(self.flow, "no result", ty, None, span);
                    ExprKind::Load(self.flow.place_of(zero, span))
                }
                Type::Float { .. } => ExprKind::Float(0.0),
                _ => ExprKind::Constant(0),
            };
            Expr { kind, ty, span }
        });
        self.code.add(here, self.exit, Instruction::Return(value), span);
    }

    fn landing(&mut self) -> LocationId {
        if let Some(landing) = self.landing {
            return landing;
        }
        let landing = self.code.fresh();
        self.landing = Some(landing);
        landing
    }

    /// The token of a call of `setjmp`, by its number in the function.
    fn token(&self, site: u64, span: Span) -> Expr {
        match self.tokens {
            Tokens::Constant(first) => self.constant(first + site, span),
            Tokens::Counted { first, .. } if site == 0 => self.load(first, span),
            Tokens::Counted { first, .. } => {
                let (first, site) = (self.load(first, span), self.constant(site, span));
                Expr::binary(BinaryOp::Add, first, site, self.shared.word)
            }
        }
    }

    /// `target == token`
    fn is_at(&self, token: u64, span: Span) -> Expr {
        let (target, token) = (self.load(self.shared.target, span), self.constant(token, span));
        Expr::binary(BinaryOp::Equal, target, token, self.shared.int)
    }

    fn is_temporary(&self, place: &Place) -> bool {
        let Base::Variable(v) = place.base else { return false };
        place.path.is_empty() && self.flow.variables[v.0 as usize].kind == VariableKind::Temporary
    }

    /// Leaves paths undecided.
    fn stop(&mut self, what: &str, at: LocationId, span: Span) {
        self.code.add(at, self.exit, Instruction::Unsupported(what.to_owned()), span);
    }

    fn assign(
        &mut self,
        to: VariableId,
        value: Expr,
        (source, target): (LocationId, LocationId),
        span: Span,
    ) {
        let place = self.flow.place_of(to, span);
        let value = cast(value, place.ty);
        self.code.add(source, target, Instruction::Assign(place, value), span);
    }

    fn load(&self, variable: VariableId, span: Span) -> Expr {
        self.flow.place_of(variable, span).load()
    }

    fn constant(&self, value: u64, span: Span) -> Expr {
        Expr::number(value, self.shared.word, span)
    }
}

/// Constants that are small enough need no conversion.
fn cast(value: Expr, ty: TypeId) -> Expr {
    match value.kind {
        ExprKind::Constant(number) if number < 1 << 31 => Expr { ty, ..value },
        _ => value.cast(ty),
    }
}
