//! What several threads may access, and which functions do.

use super::calls::{Calls, ThreadCall, address, started, unfollowed};
use crate::flow::{
    Base, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, Instruction, LocationId, Place,
    VariableId,
};
use crate::library::find;

/// The file of the library with what waits for other threads.
const MODELS: &str = "<library>/threads.c";

/// The accesses of a program by which threads can tell in which order they run.
pub(super) struct Shared {
    /// By variable: whether several threads may access it, and one of them may change it.
    variables: Vec<bool>,
    /// By function: whether it has, or calls what has, an access or a call that others can tell.
    tells: Vec<bool>,
    /// Whether such a function may be called through a pointer.
    pointers_tell: bool,
    /// By function: whether it may start a thread, by itself or in what it calls.
    starts: Vec<bool>,
}

impl Shared {
    pub fn new(flow: &Flow, calls: &Calls) -> Self {
        let count = flow.functions.len();
        let (variables, tells) = (variables(flow, calls), vec![false; count]);
        let mut shared =
            Self { variables, tells, pointers_tell: false, starts: vec![false; count] };
        let taken = taken(flow, calls);
        loop {
            let mut is_new = false;
            for (index, function) in flow.functions.iter().enumerate() {
                let Some(body) = &function.body else { continue };
                let id = FunctionId(index as u32);
                let told = |e: &Edge| shared.is_told(flow, calls, (id, e));
                if !shared.tells[index] && body.edges.iter().any(told) {
                    shared.tells[index] = true;
                    shared.pointers_tell |= taken[index];
                    is_new = true;
                }
                if !shared.starts[index] && body.edges.iter().any(|e| shared.may_start(calls, e)) {
                    shared.starts[index] = true;
                    is_new = true;
                }
            }
            if !is_new {
                return shared;
            }
        }
    }

    /// Whether an edge may start a thread, by itself or in what it calls.
    pub fn may_start(&self, calls: &Calls, edge: &Edge) -> bool {
        let call = calls.of(edge);
        matches!(call, Some(ThreadCall::Create | ThreadCall::CreateC11))
            || match &edge.instruction {
                Instruction::Call { callee: Callee::Function(f), .. } => self.starts[f.0 as usize],
                Instruction::Call { callee: Callee::Pointer(_), .. } => true,
                _ => false,
            }
    }

    /// Whether others can tell when the edge is passed.
    fn is_told(&self, flow: &Flow, calls: &Calls, (of, edge): (FunctionId, &Edge)) -> bool {
        calls.of(edge).is_some()
            || unfollowed(flow, of, edge).is_some()
            || self.expands(flow, edge)
            || self.accesses(flow, edge) > 0
    }

    /// Whether the edge calls a function that has to be interrupted: one that is atomic is not.
    pub fn expands(&self, flow: &Flow, edge: &Edge) -> bool {
        match &edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => {
                self.tells[f.0 as usize] && !is_atomic(flow, *f)
            }
            Instruction::Call { callee: Callee::Pointer(_), .. } => self.pointers_tell,
            _ => false,
        }
    }

    /// Whether a variable, or what a pointer leads to, may be changed by another thread, or read there.
    pub fn is_shared(&self, place: &Place) -> bool {
        match &place.base {
            Base::Variable(v) => self.is_variable(*v),
            Base::Pointer(pointer) => match &pointer.kind {
                ExprKind::AddressOf(place) => self.is_shared(place),
                _ => true,
            },
            Base::String(_) => false,
        }
    }

    /// How many accesses to shared memory an edge has; a call that is not expanded is one at most, besides those in its
    /// arguments.
    pub fn accesses(&self, flow: &Flow, edge: &Edge) -> usize {
        let loads = edge.instruction.parts().filter(|part| self.is_load(part)).count();
        let stores = edge.instruction.target().is_some_and(|place| self.is_shared(place));
        let called = match &edge.instruction {
            Instruction::Call { callee: Callee::Function(f), arguments, .. } => {
                let function = &flow.functions[f.0 as usize];
                match function.body {
                    Some(_) => self.tells[f.0 as usize],
                    // What is of no library may use all that it can name.
                    None if find(&function.name).is_none() => true,
                    None => arguments.iter().any(|a| flow.types.is_pointer(a.ty) && !is_text(a)),
                }
            }
            _ => false,
        };
        loads + usize::from(stores) + usize::from(called)
    }

    /// Whether several threads may access a variable.
    pub fn is_variable(&self, variable: VariableId) -> bool {
        self.variables.get(variable.0 as usize).is_some_and(|&is| is)
    }

    /// Notes that a variable is a copy of another one.
    pub fn copied(&mut self, variable: VariableId, copy: VariableId) {
        let is_shared = self.variables[variable.0 as usize];
        self.variables.resize(copy.0 as usize + 1, false);
        self.variables[copy.0 as usize] = is_shared;
    }

    /// Whether an expression itself, not its parts, reads shared memory.
    pub fn is_load(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Load(place) if self.is_shared(place))
    }
}

/// Whether calls of a function are not interrupted: SV-COMP's rule for such names, and what the library has in C, but for
/// what waits in between, and what calls the program back.
fn is_atomic(flow: &Flow, function: FunctionId) -> bool {
    let body = |f: FunctionId| flow.functions[f.0 as usize].body.as_ref();
    let calls_more = |is_about_threads: bool| {
        let mut edges = body(function).into_iter().flat_map(|body| &body.edges);
        edges.any(|edge| match &edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => {
                is_about_threads && body(*f).is_some()
            }
            Instruction::Call { callee: Callee::Pointer(_), .. } => true,
            _ => false,
        })
    };
    let head = &flow.functions[function.0 as usize];
    head.name.starts_with("__VERIFIER_atomic_")
        || flow.is_of_library(function)
            && !calls_more(flow.source.position(head.span.start).file == MODELS)
}

/// The address of a string literal.
fn is_text(value: &Expr) -> bool {
    value.unconverted().place().is_some_and(|place| matches!(place.base, Base::String(_)))
}

/// The functions whose addresses are taken, other than to start threads.
fn taken(flow: &Flow, calls: &Calls) -> Vec<bool> {
    let mut taken = vec![false; flow.functions.len()];
    let mut note = |parts: &mut dyn Iterator<Item = &Expr>| {
        for part in parts {
            if let ExprKind::FunctionAddress(function) = part.kind {
                taken[function.0 as usize] = true;
            }
        }
    };
    for edge in flow.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.edges) {
        let start = calls.of(edge).and_then(|call| started(call, edge));
        let start = start.filter(|value| address(value).is_some());
        let others = edge
            .instruction
            .operands()
            .filter(|value| start.is_none_or(|start| !std::ptr::eq(*value, start)));
        note(&mut others.flat_map(Expr::parts));
    }
    note(&mut flow.initialisers.iter().flat_map(|(_, value)| value.parts()));
    taken
}

/// The variables that several threads may access and one may change.
fn variables(flow: &Flow, calls: &Calls) -> Vec<bool> {
    let count = flow.variables.len();
    let (mut written, mut addressed) = (vec![false; count], vec![false; count]);
    let bodies = || flow.functions.iter().filter_map(|f| f.body.as_ref());
    for edge in bodies().flat_map(|body| &body.edges) {
        if let Some(Base::Variable(v)) = edge.instruction.target().map(|place| &place.base) {
            written[v.0 as usize] = true;
        }
    }
    for part in flow.parts() {
        if let ExprKind::AddressOf(place) = &part.kind
            && let Base::Variable(v) = place.base
        {
            addressed[v.0 as usize] = true;
        }
    }
    // By variable: how many threads access it, two standing for more.
    let mut threads = vec![0_u8; count];
    for (root, instances) in roots(flow, calls) {
        let reached = reached(flow, calls, root);
        let bodies = reached.iter().filter_map(|f| flow.functions[f.0 as usize].body.as_ref());
        let mut here = vec![false; count];
        for edge in bodies.flat_map(|body| &body.edges) {
            let target = edge.instruction.target();
            let places = edge.instruction.parts().filter_map(Expr::place).chain(target);
            for place in places {
                if let Base::Variable(v) = place.base {
                    here[v.0 as usize] = true;
                }
            }
        }
        for (all, here) in threads.iter_mut().zip(here) {
            *all = (*all + if here { instances } else { 0 }).min(2);
        }
    }
    let is_shared = |v: usize| {
        addressed[v] || flow.variables[v].function.is_none() && written[v] && threads[v] > 1
    };
    (0..count).map(is_shared).collect()
}

/// The functions in which threads begin, and how often: once, or 2 for more.
fn roots(flow: &Flow, calls: &Calls) -> Vec<(FunctionId, u8)> {
    let mut roots = vec![(flow.main, 1)];
    for function in &flow.functions {
        let Some(body) = &function.body else { continue };
        for edge in &body.edges {
            let Some(call) = calls.of(edge) else { continue };
            let Some(start) = started(call, edge) else { continue };
            let Some(start) = address(start) else {
                // Any of which the address is given to somebody.
                let all = (0..).map(FunctionId).zip(taken(flow, calls));
                roots.extend(all.filter(|(_, is_taken)| *is_taken).map(|(f, _)| (f, 2)));
                continue;
            };
            // A call of the function that starts it may be repeated, too.
            let is_main = std::ptr::eq(function, &raw const flow.functions[flow.main.0 as usize]);
            let instances = if is_main && !is_repeated(body, edge) { 1 } else { 2 };
            match roots.iter_mut().find(|(f, _)| *f == start) {
                Some((_, all)) => *all = 2,
                None => roots.push((start, instances)),
            }
        }
    }
    roots
}

/// Whether an edge may be passed twice in one activation.
fn is_repeated(body: &Body, edge: &Edge) -> bool {
    is_repeated_at(body, edge.source)
}

/// Whether a location may be come to twice in one activation.
pub(super) fn is_repeated_at(body: &Body, at: LocationId) -> bool {
    let next = body.edges.iter().filter(|edge| edge.source == at);
    body.reached(next.map(|edge| edge.target), |_| true)[at.0 as usize]
}

/// The functions that one may call, with itself; through a pointer all whose addresses are taken.
fn reached(flow: &Flow, calls: &Calls, root: FunctionId) -> Vec<FunctionId> {
    let taken = taken(flow, calls);
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&function) = found.get(next) {
        next += 1;
        let body = flow.functions[function.0 as usize].body.as_ref();
        for edge in body.into_iter().flat_map(|body| &body.edges) {
            let Instruction::Call { callee, .. } = &edge.instruction else { continue };
            let called: Vec<FunctionId> = match callee {
                Callee::Function(f) => vec![*f],
                Callee::Pointer(_) => {
                    let all = (0..taken.len() as u32).map(FunctionId);
                    all.filter(|f| taken[f.0 as usize]).collect()
                }
            };
            for f in called {
                if !found.contains(&f) {
                    found.push(f);
                }
            }
        }
    }
    found
}
