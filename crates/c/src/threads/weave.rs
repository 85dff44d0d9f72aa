//! The function that runs all threads by turns.

use std::collections::BTreeMap;

use super::THREADS;
use super::calls::{Calls, ThreadCall};
use super::shared::{Shared, behind};
use crate::edit::{Edges, numbered};
use crate::flow::{
    BinaryOp, Body, Callee, Edge, Expr, Flow, FunctionId, HavocKind, Instruction,
    LocationId, ThreadPlace, Variable, VariableId, VariableKind,
};
use crate::rewrite::Numbers;
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;

const RECURSIVE: &str = "a recursive function in a program with threads";
const POINTER: &str = "a call through a pointer in a program with threads";
const ARGUMENTS: &str = "a call with other arguments than parameters in a program with threads";
const ATOMIC: &str = "an atomic section that begins or ends on one way and not on another";

const SINGLE: &str = "an object of each thread's own, or of an atomic type, in a program with threads";

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
    /// Where it notes that it has ended.
    pub end: LocationId,
}

/// A copy of a function's body, for one call.
pub(super) struct Frame {
    /// The index of the thread.
    pub thread: usize,
    pub body: Body,
    /// The function, behind those that have called it.
    stack: Vec<FunctionId>,
    numbers: Numbers,
    /// The number of the first location.
    offset: u32,
    /// Where calls return their values.
    result: Option<VariableId>,
    /// Whether the copy may be passed several times.
    pub repeated: bool,
    /// By location of the body: whether there may be other threads.
    started: Vec<bool>,
    /// By location of the body: whether it is in an atomic section; `None`: that depends on the way there.
    atomic: Vec<Option<bool>>,
}

/// A call that waits for the end of a thread.
pub(super) struct Join {
    pub at: LocationId,
    pub target: LocationId,
    pub edge: Edge,
    pub is_int: bool,
}

/// The new body of `main`, as it grows.
pub(super) struct Weaver<'f> {
    pub flow: &'f mut Flow,
    pub calls: &'f Calls,
    shared: Shared,
    pub code: Edges,
    pub threads: Vec<Thread>,
    exit: LocationId,
    pub scheduler: LocationId,
    /// Calls that are completed when all threads are known.
    pub joins: Vec<Join>,
    places: BTreeMap<LocationId, ThreadPlace>,
}

impl<'f> Weaver<'f> {
    pub fn new(flow: &'f mut Flow, calls: &'f Calls, shared: Shared) -> Self {
        let code = Edges { edges: vec![], locations: 2 };
        let [exit, scheduler] = [0, 1].map(LocationId);
        let (threads, joins, places) = (vec![], vec![], BTreeMap::new());
        Self { flow, calls, shared, code, threads, exit, scheduler, joins, places }
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
            self.body(&frame, end);
            next += 1;
        }
        self.complete_joins();
        self.schedule();
        let mut entry = self.begin();
        if let Some(span) = single {
            entry = self.code.fresh();
            self.stop(entry, SINGLE, span);
        }
        let places = (0..self.code.locations).map(LocationId);
        let places = places.map(|at| self.places.get(&at).copied()).collect();
        let old = self.flow.functions[main.0 as usize].body.take();
        let body = old.map(|old| {
            self.code.finish(Body { entry, exit: self.exit, loops, ..old })
        });
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
        self.threads.push(Thread { function, place, result, parameters, points, end });
        number - 1
    }

    /// A variable of the new function that the text does not have.
    pub fn hidden(&mut self, name: &str, ty: TypeId) -> VariableId {
        let main = self.flow.main;
        self.flow.add_variable(Variable::hidden(name.to_owned(), ty, Some(main), Span::default()))
    }

    /// A copy of a local variable.
    fn copy(&mut self, variable: VariableId) -> VariableId {
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

    /// A copy of a function's body, for a call in which its parameters are these variables.
    fn frame(
        &mut self,
        thread: usize,
        function: FunctionId,
        callers: &[FunctionId],
        (repeated, started, atomic): (bool, bool, bool),
        parameters: Vec<VariableId>,
    ) -> Frame {
        let head = self.flow.functions[function.0 as usize].clone();
        let body = head.body.expect("only functions with bodies are expanded");
        let mut numbers = Numbers::identical(self.flow);
        let is_own = thread == 0 && callers.is_empty();
        for index in 0..numbers.variables.len() {
            if !is_own && self.flow.variables[index].function == Some(function) {
                let own = VariableId(index as u32);
                let given = head.parameters.iter().position(|&v| v == own);
                let copy = given.and_then(|i| parameters.get(i).copied());
                numbers.variables[index] = Some(copy.unwrap_or_else(|| self.copy(own)));
            }
        }
        let result = head.result.map(|v| numbers.variable(v));
        let offset = self.code.locations;
        self.code.locations += body.locations;
        let starting = body.edges.iter().filter(|e| self.calls.may_start(self.flow, e));
        let mut others = behind(&body, starting.map(|e| e.target));
        others.iter_mut().for_each(|other| *other |= started);
        let stack = callers.iter().copied().chain([function]).collect::<Vec<_>>();
        let atomic = sections(self.calls, &body, atomic);
        for at in 0..body.locations {
            let place = ThreadPlace { thread: thread as u32, function };
            self.places.insert(LocationId(offset + at), place);
        }
        Frame { thread, body, stack, numbers, offset, result, repeated, started: others, atomic }
    }

    /// Adds the edges of a frame; what it returns from leads to `exit`.
    fn body(&mut self, frame: &Frame, exit: LocationId) {
        let mut by_source: BTreeMap<LocationId, Vec<Edge>> = BTreeMap::new();
        let mut body = frame.body.clone();
        frame.numbers.body(&mut body);
        for edge in body.edges {
            by_source.entry(edge.source).or_default().push(edge);
        }
        for (source, edges) in by_source {
            let at = moved(frame, source);
            if frame.atomic[source.0 as usize].is_none() {
                self.stop(at, ATOMIC, edges[0].span);
                continue;
            }
            match <[Edge; 1]>::try_from(edges) {
                Ok([edge]) => self.edge(frame, at, edge, exit),
                Err(edges) => self.branches(frame, at, edges),
            }
        }
    }

    /// Whether others may run before something at a place of the body.
    fn is_open(&self, frame: &Frame, source: LocationId) -> bool {
        frame.started[source.0 as usize] && frame.atomic[source.0 as usize] == Some(false)
    }

    /// A point: others may run here.  Returns where the thread goes on.
    fn point(&mut self, frame: &Frame, source: LocationId, at: LocationId, span: Span) -> LocationId {
        if !self.is_open(frame, source) {
            return at;
        }
        let next = self.beside(at);
        let thread = &mut self.threads[frame.thread];
        let number = thread.points.len() as u64 + 2;
        thread.points.push(next);
        let place = thread.place;
        let scheduler = self.scheduler;
        self.assign((at, scheduler), place, number, span);
        next
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

    /// Whether a thread is somewhere.
    pub fn is_at(&mut self, thread: usize, number: u64, span: Span) -> Expr {
        let place = self.flow.place_of(self.threads[thread].place, span);
        let number = Expr::number(number, place.ty, span);
        let int = self.flow.types.int();
        Expr::binary(BinaryOp::Equal, place.load(), number, int)
    }

    pub fn stop(&mut self, at: LocationId, what: &str, span: Span) {
        let nowhere = self.code.fresh();
        self.code.add(at, nowhere, Instruction::Unsupported(what.to_owned()), span);
    }

    /// Several ways on from a location.
    fn branches(&mut self, frame: &Frame, mut at: LocationId, mut edges: Vec<Edge>) {
        let source = edges[0].source;
        let span = edges[0].span;
        let accesses = edges.iter().map(|e| self.shared.accesses(self.flow, e)).max().unwrap_or(0);
        if accesses > 1 {
            let mut read: Vec<(Span, Expr)> = vec![];
            for edge in &mut edges {
                for value in edge.instruction.values_mut() {
                    // The two ways of one condition.
                    match read.iter().find(|(span, _)| *span == value.span) {
                        Some((_, known)) => *value = known.clone(),
                        None => {
                            self.extract(frame, source, &mut at, value);
                            read.push((value.span, value.clone()));
                        }
                    }
                }
            }
        } else if accesses == 1 {
            at = self.point(frame, source, at, span);
        }
        for Edge { target, instruction, span, .. } in edges {
            self.code.add(at, moved(frame, target), instruction, span);
        }
    }

    /// Reads what is shared in an expression, value by value, each into a temporary.
    fn extract(&mut self, frame: &Frame, source: LocationId, at: &mut LocationId, expr: &mut Expr) {
        for operand in expr.operands_mut() {
            self.extract(frame, source, at, operand);
        }
        if self.shared.is_load(expr) {
            let number = self.flow.variables.len();
            let kept = self.hidden(&format!("read@{number}"), expr.ty);
            let kept = self.flow.place_of(kept, expr.span);
            let value = std::mem::replace(expr, kept.clone().load());
            let span = value.span;
            let here = self.point(frame, source, *at, span);
            *at = self.beside(here);
            self.code.add(here, *at, Instruction::Assign(kept, value), span);
        }
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
            _ => self.point(frame, source, at, edge.span),
        }
    }

    /// An edge that is the only way on.
    fn edge(&mut self, frame: &Frame, at: LocationId, mut edge: Edge, exit: LocationId) {
        let target = moved(frame, edge.target);
        let call = self.calls.of(&edge);
        if let Some(call) = call {
            if call.is_atomicity() {
                let begins = matches!(call, ThreadCall::BeginAtomic | ThreadCall::BeginAccess);
                let at = if begins { self.point(frame, edge.source, at, edge.span) } else { at };
                return self.code.add(at, target, Instruction::Skip, edge.span);
            }
            let at = self.divided(frame, at, &mut edge);
            let at = self.point(frame, edge.source, at, edge.span);
            return self.thread_call(frame, call, (at, target), edge);
        }
        if self.shared.expands(self.flow, &edge) {
            return self.call(frame, at, target, edge);
        }
        let at = self.divided(frame, at, &mut edge);
        let Edge { instruction, span, .. } = edge;
        match instruction {
            Instruction::Return(value) => self.leave(frame, (at, exit), value, span),
            Instruction::Havoc(place, HavocKind::Volatile(_)) => {
                // What other threads do is known.
                drop(place);
                self.code.add(at, target, Instruction::Skip, span);
            }
            instruction => self.code.add(at, target, instruction, span),
        }
    }

    /// Leaves a function: the program, if it is `main`.
    fn leave(
        &mut self,
        frame: &Frame,
        (at, exit): (LocationId, LocationId),
        value: Option<Expr>,
        span: Span,
    ) {
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
        self.code.add(at, exit, instruction, span);
    }

    /// Expands a call.
    fn call(&mut self, frame: &Frame, mut at: LocationId, target: LocationId, mut edge: Edge) {
        let span = edge.span;
        let source = edge.source;
        for value in edge.instruction.values_mut() {
            self.extract(frame, source, &mut at, value);
        }
        let Instruction::Call { result, callee, arguments } = edge.instruction else { return };
        let Callee::Function(function) = callee else { return self.stop(at, POINTER, span) };
        if frame.stack.contains(&function) {
            return self.stop(at, RECURSIVE, span);
        }
        let parameters = self.flow.functions[function.0 as usize].parameters.clone();
        if parameters.len() != arguments.len() {
            return self.stop(at, ARGUMENTS, span);
        }
        let parameters: Vec<VariableId> = parameters.into_iter().map(|v| self.copy(v)).collect();
        for (&parameter, argument) in parameters.iter().zip(arguments) {
            let place = self.flow.place_of(parameter, span);
            let value = argument.cast(place.ty);
            let next = self.beside(at);
            self.code.add(at, next, Instruction::Assign(place, value), span);
            at = next;
        }
        let started = frame.started[source.0 as usize];
        let atomic = frame.atomic[source.0 as usize] == Some(true);
        let how = (frame.repeated || super::shared::is_repeated_at(&frame.body, source), started, atomic);
        let inner = self.frame(frame.thread, function, &frame.stack, how, parameters);
        let entry = moved(&inner, inner.body.entry);
        self.code.add(at, entry, Instruction::Skip, span);
        let back = moved(&inner, inner.body.exit);
        // What it returns is stored by the caller.
        if let Some(&place) = self.places.get(&at) {
            self.places.insert(back, place);
        }
        self.body(&inner, back);
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

    /// Whether there may be one thread more.
    pub fn has_room(&self) -> bool {
        self.threads.len() < THREADS
    }

    /// The variables in which the program begins.
    fn begin(&mut self) -> LocationId {
        let entry = self.code.fresh();
        let mut at = entry;
        for thread in 1..self.threads.len() {
            let next = self.code.fresh();
            self.assign((at, next), self.threads[thread].place, NEW, Span::default());
            at = next;
        }
        self.code.add(at, self.threads[0].points[0], Instruction::Skip, Span::default());
        entry
    }

    /// The scheduler: goes on with one of the threads, where that one is.
    fn schedule(&mut self) {
        let span = Span::default();
        let byte = self.flow.types.intern(Type::Int { bits: 8, signed: false, rank: 0 });
        let choice = self.hidden("next thread", byte);
        let place = self.flow.place_of(choice, span);
        let chosen = self.code.fresh();
        let input = HavocKind::Input(crate::flow::SCHEDULER.to_owned());
        self.code.add(self.scheduler, chosen, Instruction::Havoc(place.clone(), input), span);
        let (count, int) = (self.threads.len(), self.flow.types.int());
        let mut at = chosen;
        for thread in 0..count {
            // Each thread has as many numbers as the others, so that executions at random take each.
            let here = match thread + 1 == count {
                true => at,
                false => {
                    let most = ((thread + 1) * 256 / count) as u64;
                    let value = place.clone().load().cast(int);
                    let condition =
                        Expr::binary(BinaryOp::Less, value, Expr::number(most, int, span), int);
                    let (here, others) = (self.code.fresh(), self.code.fresh());
                    self.code.branch(at, condition, (here, others), span);
                    at = others;
                    here
                }
            };
            for (index, point) in self.threads[thread].points.clone().into_iter().enumerate() {
                let condition = self.is_at(thread, index as u64 + 2, span);
                let instruction = Instruction::Assume { condition, expected: true };
                self.code.add(here, point, instruction, span);
            }
            let (end, place) = (self.threads[thread].end, self.threads[thread].place);
            self.assign((end, self.scheduler), place, ENDED, span);
        }
    }
}

/// The number that a location of a frame has in the whole.
pub(super) fn moved(frame: &Frame, at: LocationId) -> LocationId {
    LocationId(frame.offset + at.0)
}

/// By location, whether it is in an atomic section of a body, which begins in one or not.
fn sections(calls: &Calls, body: &Body, atomic: bool) -> Vec<Option<bool>> {
    let mut next: Vec<Vec<&Edge>> = vec![vec![]; body.locations as usize];
    for edge in &body.edges {
        next[edge.source.0 as usize].push(edge);
    }
    // In a section, and in an access; the inner `None` is where that depends on the way.
    let mut found: Vec<Option<Option<(bool, bool)>>> = vec![None; body.locations as usize];
    found[body.entry.0 as usize] = Some(Some((atomic, false)));
    let mut open = vec![body.entry];
    while let Some(at) = open.pop() {
        let here = found[at.0 as usize].flatten();
        for edge in &next[at.0 as usize] {
            let after = here.map(|(section, access)| match calls.of(edge) {
                Some(ThreadCall::BeginAtomic) => (true, access),
                Some(ThreadCall::EndAtomic) => (false, access),
                Some(ThreadCall::BeginAccess) => (section, true),
                Some(ThreadCall::EndAccess) => (section, false),
                _ => (section, access),
            });
            let there = &mut found[edge.target.0 as usize];
            let new = match *there {
                None => after,
                Some(known) if known == after || known.is_none() => continue,
                Some(_) => None,
            };
            *there = Some(new);
            open.push(edge.target);
        }
    }
    // What is not reached does not matter.
    let found = found.into_iter().map(|known| known.unwrap_or(Some((false, false))));
    found.map(|known| known.map(|(section, access)| section || access)).collect()
}
