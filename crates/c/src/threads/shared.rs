//! What several threads may access, and which functions do.

use super::calls::{Calls, ThreadCall, address, is_harmless, is_null, started, unfollowed};
use super::noted::Access;
use crate::flow::{
    Base, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, LocationId,
    Place, VariableId,
};
use crate::library::{Accesses, Returns, find};
use crate::rules::is_of_rule;

/// The file of the library with what waits for other threads.
const MODELS: &str = "<library>/threads.c";

/// The accesses of a program by which threads can tell in which order they run.
pub(super) struct Shared {
    /// By variable: whether several threads may access it, and one of them may change it.
    variables: Vec<bool>,
    /// By variable: whether pointers may lead to it.
    addressed: Vec<bool>,
    /// By function: whether it has, or calls what has, an access or a call that others can tell.
    tells: Vec<bool>,
    /// Whether such a function may be called through a pointer.
    pointers_tell: bool,
    /// By function: whether it may start a thread, by itself or in what it calls.
    starts: Vec<bool>,
    /// Whether accesses matter that other threads cannot come between.
    each: bool,
}

impl Shared {
    /// The accesses of a program; `each` of them matters where races are asked for.
    pub fn new(flow: &Flow, calls: &Calls, each: bool) -> Self {
        let count = flow.functions.len();
        let addressed = addressed(flow);
        let mut shared = Self {
            variables: variables(flow, calls, &addressed),
            addressed,
            tells: vec![false; count],
            pointers_tell: false,
            starts: vec![false; count],
            each,
        };
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

    /// Whether the edge calls a function that has to be interrupted: one that is atomic is not, but where each access
    /// matters that is not one to a lock.
    pub fn expands(&self, flow: &Flow, edge: &Edge) -> bool {
        match &edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => {
                let is_one = if self.each { is_lock(flow, *f) } else { is_atomic(flow, *f) };
                self.tells[f.0 as usize] && !is_one
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

    /// The accesses to shared memory that an edge makes by itself, without those of what it calls.
    pub fn made(&self, edge: &Edge) -> Vec<Access> {
        let loads = edge.instruction.parts().filter(|part| self.is_load(part));
        let reads = loads.filter_map(Expr::place).map(Access::read);
        let written = match &edge.instruction {
            Instruction::Assign(place, _) | Instruction::Havoc(place, HavocKind::Input(_)) => {
                Some(place)
            }
            _ => None,
        };
        let written = written.filter(|place| self.is_shared(place));
        reads.chain(written.map(Access::write)).collect()
    }

    /// The name of a function of the library that an edge calls, and which may access what is shared, nobody knows where.
    pub fn unknown<'f>(&self, flow: &'f Flow, edge: &Edge) -> Option<&'f str> {
        let Instruction::Call { callee: Callee::Function(f), arguments, .. } = &edge.instruction
        else {
            return None;
        };
        let function = &flow.functions[f.0 as usize];
        let found = find(&function.name);
        let is_harmless = is_harmless(&function.name);
        let is_known = function.body.is_some()
            || !is_harmless
                && found.is_none_or(|found| {
                    found.model().is_some_and(|model| {
                        let moves = matches!(model.effect.returns, Returns::Resized(_));
                        matches!(model.accesses, Accesses::Nothing | Accesses::Bytes { .. })
                            && !moves
                    })
                });
        let may_access = |a: &Expr| flow.types.is_pointer(a.ty) && !is_text(a) && !is_null(a);
        // The first argument of such a function is what it is about.
        let arguments = arguments.iter().skip(usize::from(is_harmless));
        (!is_known && arguments.into_iter().any(may_access)).then_some(&function.name)
    }

    /// Whether several threads may access a variable.
    pub fn is_variable(&self, variable: VariableId) -> bool {
        self.variables.get(variable.0 as usize).is_some_and(|&is| is)
    }

    /// Whether pointers may lead to a variable.
    pub fn is_addressed(&self, variable: VariableId) -> bool {
        self.addressed.get(variable.0 as usize).is_some_and(|&is| is)
    }

    /// Notes that a variable is a copy of another one.
    pub fn copied(&mut self, variable: VariableId, copy: VariableId) {
        for all in [&mut self.variables, &mut self.addressed] {
            let is_so = all[variable.0 as usize];
            all.resize(copy.0 as usize + 1, false);
            all[copy.0 as usize] = is_so;
        }
    }

    /// Whether an expression itself, not its parts, reads shared memory.
    pub fn is_load(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Load(place) if self.is_shared(place))
    }
}

/// Whether calls of a function are not interrupted: SV-COMP's rule for such names, and what the library has in C, but for
/// what waits in between, and what calls the program back.
fn is_atomic(flow: &Flow, function: FunctionId) -> bool {
    is_atomic_by_name(flow, function)
        || is_lock(flow, function)
        || flow.is_of_library(function)
            && !is_of_locks(flow, function)
            && !calls(flow, function, |_| false)
}

/// SV-COMP's rule for names of functions whose calls are not interrupted.  The events of rules are not, either.
pub(super) fn is_atomic_by_name(flow: &Flow, function: FunctionId) -> bool {
    let function = &flow.functions[function.0 as usize];
    function.name.starts_with("__VERIFIER_atomic_") || is_of_rule(function)
}

/// Whether a function is one of the library's about locks and the like that does not wait in between.
pub(super) fn is_lock(flow: &Flow, function: FunctionId) -> bool {
    let has_body = |f: FunctionId| flow.functions[f.0 as usize].body.is_some();
    is_of_locks(flow, function) && !calls(flow, function, has_body)
}

fn is_of_locks(flow: &Flow, function: FunctionId) -> bool {
    let head = &flow.functions[function.0 as usize];
    flow.source.position(head.span.start).file == MODELS
}

/// Whether a function calls one of these, or any through a pointer.
fn calls(flow: &Flow, function: FunctionId, these: impl Fn(FunctionId) -> bool) -> bool {
    let body = flow.functions[function.0 as usize].body.as_ref();
    body.into_iter().flat_map(|body| &body.edges).any(|edge| match &edge.instruction {
        Instruction::Call { callee: Callee::Function(f), .. } => these(*f),
        Instruction::Call { callee: Callee::Pointer(_), .. } => true,
        _ => false,
    })
}

/// The address of a string literal.
pub(crate) fn is_text(value: &Expr) -> bool {
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

/// The variables whose addresses are taken.
pub(crate) fn addressed(flow: &Flow) -> Vec<bool> {
    let mut addressed = vec![false; flow.variables.len()];
    for part in flow.parts() {
        if let ExprKind::AddressOf(place) = &part.kind
            && let Base::Variable(v) = place.base
        {
            addressed[v.0 as usize] = true;
        }
    }
    addressed
}

/// The variables that several threads may access and one may change.
fn variables(flow: &Flow, calls: &Calls, addressed: &[bool]) -> Vec<bool> {
    let count = flow.variables.len();
    let mut written = vec![false; count];
    let bodies = || flow.functions.iter().filter_map(|f| f.body.as_ref());
    for edge in bodies().flat_map(|body| &body.edges) {
        if let Some(Base::Variable(v)) = edge.instruction.target().map(|place| &place.base) {
            written[v.0 as usize] = true;
        }
    }
    // By variable: how many threads access it, two standing for more.
    let mut threads = vec![0_u8; count];
    let taken = taken(flow, calls);
    for (root, instances) in roots(flow, calls) {
        let reached = reached(flow, &[root], |f| taken[f.0 as usize]);
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
pub(crate) fn is_repeated_at(body: &Body, at: LocationId) -> bool {
    let next = body.edges.iter().filter(|edge| edge.source == at);
    body.reached(next.map(|edge| edge.target), |_| true)[at.0 as usize]
}

/// The functions that these may call, with themselves; through a pointer all whose addresses are taken.
pub(crate) fn reached(
    flow: &Flow,
    from: &[FunctionId],
    is_taken: impl Fn(FunctionId) -> bool,
) -> Vec<FunctionId> {
    let mut found = from.to_vec();
    let mut seen = vec![false; flow.functions.len()];
    found.iter().for_each(|f| seen[f.0 as usize] = true);
    let mut next = 0;
    while let Some(&function) = found.get(next) {
        next += 1;
        let body = flow.functions[function.0 as usize].body.as_ref();
        for edge in body.into_iter().flat_map(|body| &body.edges) {
            let Instruction::Call { callee, .. } = &edge.instruction else { continue };
            let called: Vec<FunctionId> = match callee {
                Callee::Function(f) => vec![*f],
                Callee::Pointer(_) => {
                    (0..seen.len() as u32).map(FunctionId).filter(|f| is_taken(*f)).collect()
                }
            };
            for f in called {
                if !std::mem::replace(&mut seen[f.0 as usize], true) {
                    found.push(f);
                }
            }
        }
    }
    found
}
