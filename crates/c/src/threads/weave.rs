//! The function that runs all threads by turns.

use std::collections::BTreeMap;

use super::calls::{Calls, ThreadCall, unfollowed};
use super::frame::{Frame, moved};
use super::noted::{Deadlocks, Races};
use super::shared::{Shared, is_atomic_by_name, is_repeated_at};
use crate::edit::{Edges, numbered, two_ways};
use crate::flow::{
    Base, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, LocationId, Place,
    READ, ThreadPlace, Variable, VariableId, VariableKind,
};
use crate::types::TypeId;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Span;

const RECURSIVE: &str = "a recursive function in a program with threads";
const POINTER: &str = "a call through a pointer in a program with threads";
const ARGUMENTS: &str = "a call with other arguments than parameters in a program with threads";
const CHOICE: &str = "a choice among several conditions in a program with threads";
const ATOMIC: &str = "an atomic section that begins or ends on one way and not on another";

const SINGLE: &str =
    "an object of each thread's own, or of an atomic type, in a program with threads";

/// Where a thread is that has not begun, and one that has ended; points have greater numbers.
pub(super) const NEW: u64 = 0;
pub(super) const ENDED: u64 = 1;

/// A thread of the program; the first one is that of `main`.
pub(super) struct Thread {
    pub function: FunctionId,
    /// Where it is: [`NEW`], [`ENDED`], or 2 more than the index of a point.
    pub place: VariableId,
    /// What it returns, if anything.
    pub result: Option<VariableId>,
    pub parameters: Vec<VariableId>,
    /// Its points, the first one of which is its entry.
    pub points: Vec<LocationId>,
    /// The edge on which it came to the newest one.
    pub arrived: usize,
    /// Where it notes that it has ended.
    pub end: LocationId,
}

impl Thread {
    /// The number of its newest point.
    pub fn last(&self) -> u64 {
        self.points.len() as u64 + 1
    }
}

/// A call that waits for the end of a thread.
pub(super) struct Join {
    pub at: LocationId,
    pub target: LocationId,
    pub edge: Edge,
    pub is_int: bool,
    /// The thread that waits.
    pub thread: usize,
}

/// The new body of `main`, as it grows.
pub(super) struct Weaver<'f> {
    pub flow: &'f mut Flow,
    pub calls: &'f Calls,
    pub shared: Shared,
    pub code: Edges,
    pub threads: Vec<Thread>,
    exit: LocationId,
    pub scheduler: LocationId,
    /// Calls that are completed when all threads are known.
    pub joins: Vec<Join>,
    pub places: BTreeMap<LocationId, ThreadPlace>,
    /// Parameters that are functions and stay so.
    constants: BTreeMap<VariableId, FunctionId>,
    /// The errors that are asked for.
    pub asked: Checks,
    /// What is known of races, where they are asked for.
    pub races: Option<Races>,
    /// What is known of deadlocks, where they are asked for.
    pub deadlocks: Option<Deadlocks>,
}

impl<'f> Weaver<'f> {
    pub fn new(flow: &'f mut Flow, (calls, shared): (&'f Calls, Shared), asked: Checks) -> Self {
        let code = Edges { edges: vec![], locations: 3 };
        let [exit, scheduler, arrival] = [0, 1, 2].map(LocationId);
        let (threads, joins) = (vec![], vec![]);
        let (places, constants) = (BTreeMap::new(), BTreeMap::new());
        Self {
            flow,
            calls,
            shared,
            code,
            threads,
            exit,
            scheduler,
            joins,
            places,
            constants,
            asked,
            races: asked.has(Check::Race).then(Races::default),
            deadlocks: asked.has(Check::Deadlock).then(|| Deadlocks::new(arrival)),
        }
    }

    /// Replaces the body of `main`.  Of a program that relies on having one thread, at a place, no path is followed.
    pub fn weave(mut self, single: Option<Span>) {
        let main = self.flow.main;
        if self.flow.functions[main.0 as usize].body.is_none() {
            return;
        }
        let first = self.thread(main);
        let mut loops = vec![];
        let mut next = first;
        // Threads start others.
        while next < self.threads.len() {
            let Thread { function, end, .. } = self.threads[next];
            let parameters = self.threads[next].parameters.clone();
            let repeated = next > 0;
            let frame = self.frame(next, function, &[], (repeated, next > 0, false), parameters);
            let entry = self.threads[next].points[0];
            let to = LocationId(frame.offset + frame.body.entry.0);
            self.code.add(entry, to, Instruction::Skip, Span::default());
            if next == 0 {
                let moved = |&(at, span): &(LocationId, Span)| (moved(&frame, at), span);
                loops = frame.body.loops.iter().map(moved).collect();
            }
            self.body(&frame);
            let exit = moved(&frame, frame.body.exit);
            let (last, to) = match next {
                0 => (exit, self.exit),
                _ => (self.end(&frame, exit, Span::default()), end),
            };
            self.code.add(last, to, Instruction::Skip, Span::default());
            next += 1;
        }
        self.complete_joins();
        self.complete_races();
        self.schedule();
        self.complete_deadlocks();
        let mut entry = self.begin();
        if let Some(span) = single {
            entry = self.code.fresh();
            self.stop(entry, SINGLE, span);
        }
        let places = (0..self.code.locations).map(LocationId);
        let places = places.map(|at| self.places.get(&at).copied()).collect();
        let old = self.flow.functions[main.0 as usize].body.take();
        let body = old.map(|old| self.code.finish(Body { entry, exit: self.exit, loops, ..old }));
        self.flow.functions[main.0 as usize].body = body;
        self.flow.threads = places;
    }

    /// A new thread that begins in a function.
    pub fn thread(&mut self, function: FunctionId) -> usize {
        let number = self.threads.len() + 1;
        let int = self.flow.types.int();
        let place = self.hidden(&format!("place of thread {number}"), int);
        let id = function.0 as usize;
        let is_first = self.threads.is_empty();
        let result = self.flow.functions[id].result.filter(|_| !is_first).map(|v| {
            let ty = self.flow.variables[v.0 as usize].ty;
            self.hidden(&format!("result of thread {number}"), ty)
        });
        let parameters = self.flow.functions[id].parameters.clone();
        let parameters = match is_first {
            true => parameters,
            false => parameters.into_iter().map(|v| self.copy(v)).collect(),
        };
        let (entry, end) = (self.code.fresh(), self.code.fresh());
        let points = vec![entry];
        self.threads.push(Thread {
            function,
            place,
            result,
            parameters,
            points,
            arrived: usize::MAX,
            end,
        });
        number - 1
    }

    /// A variable of the new function that the text does not have.
    pub fn hidden(&mut self, name: &str, ty: TypeId) -> VariableId {
        let main = self.flow.main;
        self.flow.add_variable(Variable::hidden(name.to_owned(), ty, Some(main), Span::default()))
    }

    /// A copy of a local variable.
    pub fn copy(&mut self, variable: VariableId) -> VariableId {
        let old = self.flow.variables[variable.0 as usize].clone();
        let kind = match old.kind {
            VariableKind::Parameter => VariableKind::Local,
            kind => kind,
        };
        let name = numbered(&old.name, self.flow.variables.len());
        let function = Some(self.flow.main);
        let copy = self.flow.add_variable(Variable { name, function, kind, ..old });
        self.shared.copied(variable, copy);
        copy
    }

    /// Adds the edges of a frame, up to the exit of its body.
    fn body(&mut self, frame: &Frame) {
        let mut by_source: BTreeMap<LocationId, Vec<Edge>> = BTreeMap::new();
        let mut body = frame.body.clone();
        frame.numbers.body(&mut body);
        for edge in body.edges {
            by_source.entry(edge.source).or_default().push(edge);
        }
        for (source, edges) in by_source {
            let at = self.forget(moved(frame, source), &frame.dying[source.0 as usize]);
            if frame.atomic[source.0 as usize].is_none() {
                self.stop(at, ATOMIC, edges[0].span);
                continue;
            }
            match <[Edge; 1]>::try_from(edges) {
                Ok([edge]) => self.edge(frame, at, edge),
                Err(edges) => self.branches(frame, at, edges),
            }
        }
    }

    /// A new location that belongs to where another one does.
    pub fn beside(&mut self, at: LocationId) -> LocationId {
        let next = self.code.fresh();
        if let Some(&place) = self.places.get(&at) {
            self.places.insert(next, place);
        }
        next
    }

    /// Assigns a number to a variable of this module's.
    pub fn assign(
        &mut self,
        (from, to): (LocationId, LocationId),
        variable: VariableId,
        number: u64,
        span: Span,
    ) {
        let place = self.flow.place_of(variable, span);
        let value = Expr::number(number, place.ty, span);
        self.code.add(from, to, Instruction::Assign(place, value), span);
    }

    pub fn stop(&mut self, at: LocationId, what: &str, span: Span) {
        let nowhere = self.code.fresh();
        self.code.add(at, nowhere, Instruction::Unsupported(what.to_owned()), span);
    }

    /// Several ways on from a location.
    fn branches(&mut self, frame: &Frame, mut at: LocationId, mut edges: Vec<Edge>) {
        let source = edges[0].source;
        let span = edges[0].span;
        let first = self.flow.variables.len() as u32;
        let accesses = edges.iter().map(|e| self.shared.accesses(self.flow, e)).max().unwrap_or(0);
        if accesses > 1 {
            let Some(mut read) = two_ways(&edges).cloned() else {
                return self.stop(at, CHOICE, span);
            };
            self.extract(frame, source, &mut at, &mut read);
            for edge in &mut edges {
                for value in edge.instruction.values_mut() {
                    value.clone_from(&read);
                }
            }
        } else if accesses == 1 {
            let read = edges.first().map(|edge| self.shared.made(edge)).unwrap_or_default();
            at = self.access(frame, source, at, (read, span));
        }
        let read: Vec<_> = (first..self.flow.variables.len() as u32).map(VariableId).collect();
        for Edge { target, instruction, span, .. } in edges {
            let behind = self.code.fresh();
            self.code.add(at, behind, instruction, span);
            let end = self.forget(behind, &read);
            self.code.add(end, moved(frame, target), Instruction::Skip, span);
        }
    }

    /// An edge that is the only way on.
    fn edge(&mut self, frame: &Frame, at: LocationId, mut edge: Edge) {
        let target = moved(frame, edge.target);
        let call = self.calls.of(&edge);
        if let Some(call) = call.filter(|call| call.is_atomicity()) {
            let begins = matches!(call, ThreadCall::BeginAtomic | ThreadCall::BeginAccess);
            let at = if begins { self.point(frame, edge.source, at, edge.span) } else { at };
            return self.code.add(at, target, Instruction::Skip, edge.span);
        }
        if (call.is_some() || !self.shared.expands(self.flow, &edge))
            && let Instruction::Call { result, .. } = &mut edge.instruction
            && let Some(place) = result.clone().filter(|place| self.shared.is_shared(place))
        {
            // What it returns is stored later.
            let returned = self.hidden(&format!("{READ}{}", self.flow.variables.len()), place.ty);
            *result = Some(self.flow.place_of(returned, edge.span));
            // Behind the call there may be other threads.
            let (source, span) = (edge.target, edge.span);
            let behind = self.beside(at);
            self.simple(frame, (at, behind), edge);
            let value = self.flow.place_of(returned, span).load();
            let instruction = Instruction::Assign(place, value);
            let mut edge = Edge { source, target: behind, instruction, span };
            let at = self.divided(frame, behind, &mut edge);
            return self.code.add(at, target, edge.instruction, span);
        }
        self.simple(frame, (at, target), edge);
    }

    /// An edge that is the only way on, and returns nothing to what is shared, unless the call is expanded.
    fn simple(&mut self, frame: &Frame, (at, target): (LocationId, LocationId), mut edge: Edge) {
        if let Some(call) = self.calls.of(&edge) {
            let at = self.divided(frame, at, &mut edge);
            let written = self.written(call, &edge);
            let at = self.access(frame, edge.source, at, (written, edge.span));
            let at = self.may_wait(frame, at, &edge);
            return self.thread_call(frame, call, (at, target), edge);
        }
        let of = frame.stack.last().copied().unwrap_or(self.flow.main);
        if let Some(name) = unfollowed(self.flow, of, &edge) {
            let what = format!("a call of '{name}' in a program with threads");
            return self.stop(at, &what, edge.span);
        }
        if self.shared.expands(self.flow, &edge) {
            return self.call(frame, at, target, edge);
        }
        if self.races.is_some()
            && frame.started[edge.source.0 as usize]
            && let Some(name) = self.shared.unknown(self.flow, &edge)
        {
            let what = format!("the accesses of '{name}' where races are looked for");
            return self.stop(at, &what, edge.span);
        }
        let first = self.flow.variables.len() as u32;
        let at = self.divided(frame, at, &mut edge);
        let at = self.may_wait(frame, at, &edge);
        let Edge { instruction, span, .. } = edge;
        let read: Vec<_> = (first..self.flow.variables.len() as u32).map(VariableId).collect();
        match instruction {
            Instruction::Return(value) => self.leave(frame, at, value, span),
            instruction if read.is_empty() => self.code.add(at, target, instruction, span),
            instruction => {
                let behind = self.code.fresh();
                self.code.add(at, behind, instruction, span);
                let end = self.forget(behind, &read);
                self.code.add(end, target, Instruction::Skip, span);
            }
        }
    }

    /// Leaves a function: the program, if it is `main`.
    fn leave(&mut self, frame: &Frame, at: LocationId, value: Option<Expr>, span: Span) {
        let is_root = frame.stack.len() == 1;
        if is_root && frame.thread == 0 {
            return self.code.add(at, self.exit, Instruction::Return(value), span);
        }
        let to = if is_root { self.threads[frame.thread].result } else { frame.result };
        let instruction = match (to, value) {
            (Some(to), Some(value)) => {
                let place = self.flow.place_of(to, span);
                let value = value.cast(place.ty);
                Instruction::Assign(place, value)
            }
            _ => Instruction::Skip,
        };
        self.code.add(at, moved(frame, frame.body.exit), instruction, span);
    }

    /// Expands a call.
    fn call(&mut self, frame: &Frame, mut at: LocationId, target: LocationId, mut edge: Edge) {
        let span = edge.span;
        let source = edge.source;
        for value in edge.instruction.values_mut() {
            self.extract(frame, source, &mut at, value);
        }
        let Instruction::Call { result, callee, arguments } = edge.instruction else { return };
        let function = match &callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer(pointer) => self.named(pointer),
        };
        let is_known = |f: &FunctionId| self.flow.functions[f.0 as usize].body.is_some();
        let Some(function) = function.filter(is_known) else {
            return self.stop(at, POINTER, span);
        };
        if frame.stack.contains(&function) {
            return self.stop(at, RECURSIVE, span);
        }
        let parameters = self.flow.functions[function.0 as usize].parameters.clone();
        if parameters.len() != arguments.len() {
            return self.stop(at, ARGUMENTS, span);
        }
        let fixed: Vec<bool> = parameters.iter().map(|v| self.is_fixed(function, *v)).collect();
        let parameters: Vec<VariableId> = parameters.into_iter().map(|v| self.copy(v)).collect();
        for ((&parameter, argument), is_fixed) in parameters.iter().zip(arguments).zip(fixed) {
            if let Some(function) = self.named(&argument).filter(|_| is_fixed) {
                self.constants.insert(parameter, function);
            }
            let place = self.flow.place_of(parameter, span);
            let value = argument.cast(place.ty);
            let next = self.beside(at);
            self.code.add(at, next, Instruction::Assign(place, value), span);
            at = next;
        }
        let started = frame.started[source.0 as usize];
        let mut atomic = frame.atomic[source.0 as usize] == Some(true);
        if is_atomic_by_name(self.flow, function) && !atomic {
            at = self.point(frame, source, at, span);
            atomic = true;
        }
        let how = (frame.repeated || is_repeated_at(&frame.body, source), started, atomic);
        let inner = self.frame(frame.thread, function, &frame.stack, how, parameters);
        let entry = moved(&inner, inner.body.entry);
        self.code.add(at, entry, Instruction::Skip, span);
        let back = moved(&inner, inner.body.exit);
        self.body(&inner);
        let back = self.end(&inner, back, span);
        // What it returns is stored by the caller.
        if let Some(&place) = self.places.get(&at) {
            self.places.insert(back, place);
        }
        let instruction = match (result, inner.result) {
            (Some(place), Some(value)) => {
                let value = self.flow.place_of(value, span).load();
                let value = value.cast(place.ty);
                Instruction::Assign(place, value)
            }
            _ => Instruction::Skip,
        };
        let mut edge = Edge { source, target, instruction, span };
        let at = self.divided(frame, back, &mut edge);
        self.code.add(at, target, edge.instruction, span);
    }

    /// The function that a value is, as far as the text shows it.
    pub fn named(&self, value: &Expr) -> Option<FunctionId> {
        match &value.unconverted().kind {
            ExprKind::FunctionAddress(function) => Some(*function),
            ExprKind::Load(Place { base: Base::Variable(v), path, .. }) if path.is_empty() => {
                self.constants.get(v).copied()
            }
            _ => None,
        }
    }

    /// Whether a parameter keeps its value.
    fn is_fixed(&self, function: FunctionId, parameter: VariableId) -> bool {
        let edges = self.flow.functions[function.0 as usize].body.iter().flat_map(|b| &b.edges);
        let is_it = |place: &Place| matches!(place.base, Base::Variable(v) if v == parameter);
        let mut edges = edges.flat_map(|edge| {
            let addressed = edge.instruction.parts().filter_map(|part| match &part.kind {
                ExprKind::AddressOf(place) => Some(place),
                _ => None,
            });
            addressed.chain(edge.instruction.target())
        });
        !edges.any(is_it)
    }
}
