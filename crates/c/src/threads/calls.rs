//! The calls by which threads begin, end and wait for each other.

use crate::flow::{Callee, Edge, Expr, ExprKind, Flow, Function, FunctionId, Instruction};

/// The functions that start threads.
pub(crate) const STARTS: [&str; 2] = ["pthread_create", "thrd_create"];

/// The names of calls between which atomic built-ins are written out.
pub(crate) const BEGIN_ACCESS: &str = "atomic access begins";
pub(crate) const END_ACCESS: &str = "atomic access ends";

/// What a call does to threads (POSIX.1-2017, `pthread.h`; C11, 7.26.5), if the text has no function of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadCall {
    /// Starts one: `pthread_create(id, attributes, function, argument)`.
    Create,
    /// The same without attributes: `thrd_create(id, function, argument)`.
    CreateC11,
    /// Waits for the end of one.  The second argument says where its result goes, an `int` if it is one of C11.
    Join {
        is_int: bool,
    },
    Exit,
    /// The number of the thread that calls.
    Identify,
    /// Whether two numbers are one.
    Equal,
    /// What follows is not interrupted, up to [`ThreadCall::EndAtomic`].
    BeginAtomic,
    EndAtomic,
    /// What is written out up to [`ThreadCall::EndAccess`] is one access.
    BeginAccess,
    EndAccess,
}

impl ThreadCall {
    pub fn is_atomicity(self) -> bool {
        matches!(self, Self::BeginAtomic | Self::EndAtomic | Self::BeginAccess | Self::EndAccess)
    }

    /// Whether it starts or ends a thread: others mean something in programs without, too.
    pub fn needs_threads(self) -> bool {
        matches!(self, Self::Create | Self::CreateC11 | Self::Exit)
    }
}

fn thread_call(name: &str) -> Option<ThreadCall> {
    Some(match name {
        "pthread_create" => ThreadCall::Create,
        "thrd_create" => ThreadCall::CreateC11,
        "pthread_join" => ThreadCall::Join { is_int: false },
        "thrd_join" => ThreadCall::Join { is_int: true },
        "pthread_exit" | "thrd_exit" => ThreadCall::Exit,
        "pthread_self" | "thrd_current" => ThreadCall::Identify,
        "pthread_equal" | "thrd_equal" => ThreadCall::Equal,
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
            ThreadCall::BeginAtomic
        }
        BEGIN_ACCESS => ThreadCall::BeginAccess,
        END_ACCESS => ThreadCall::EndAccess,
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
            ThreadCall::EndAtomic
        }
        _ => return None,
    })
}

/// The calls of a program.
pub(crate) struct Calls {
    /// By function.
    known: Vec<Option<ThreadCall>>,
}

impl Calls {
    pub fn new(flow: &Flow) -> Self {
        let call = |id: FunctionId| {
            let function = &flow.functions[id.0 as usize];
            let is_own = function.body.is_some() && !flow.is_of_library(id);
            thread_call(&function.name).filter(|_| !is_own)
        };
        Self { known: (0..flow.functions.len() as u32).map(FunctionId).map(call).collect() }
    }

    /// What an edge does to threads.
    pub fn of(&self, edge: &Edge) -> Option<ThreadCall> {
        match edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => self.known[f.0 as usize],
            _ => None,
        }
    }

    /// Whether a call in the program starts or ends a thread.
    pub fn is_needed(&self, flow: &Flow) -> bool {
        let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
        let mut calls = bodies.flat_map(|body| &body.edges).filter_map(|edge| self.of(edge));
        calls.any(ThreadCall::needs_threads)
    }
}

/// What a call starts as a thread.
pub(super) fn started(call: ThreadCall, edge: &Edge) -> Option<&Expr> {
    let Instruction::Call { arguments, .. } = &edge.instruction else { return None };
    match call {
        ThreadCall::Create => arguments.get(2),
        ThreadCall::CreateC11 => arguments.get(1),
        _ => None,
    }
}

/// The function whose address a value is.
pub(super) fn address(value: &Expr) -> Option<FunctionId> {
    match value.unconverted().kind {
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    }
}

/// Whether a value is a null pointer, as the text shows it.
pub(super) fn is_null(value: &Expr) -> bool {
    matches!(value.unconverted().kind, ExprKind::Constant(0))
}

/// Families of functions about threads.
const FAMILIES: [&str; 6] = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_"];

/// What begins the names of those of them that change nothing which a program can tell.
const HARMLESS: [&str; 14] = [
    "pthread_attr_",
    "pthread_mutexattr_",
    "pthread_condattr_",
    "pthread_rwlockattr_",
    "pthread_barrierattr_",
    "pthread_detach",
    "pthread_yield",
    "pthread_setname_np",
    "pthread_setconcurrency",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "thrd_detach",
    "thrd_yield",
    "thrd_sleep",
];

/// Whether an edge calls a function without a body that is about threads.
pub(super) fn is_about_threads(flow: &Flow, edge: &Edge) -> bool {
    let Instruction::Call { callee: Callee::Function(f), .. } = edge.instruction else {
        return false;
    };
    let Function { name, body, .. } = &flow.functions[f.0 as usize];
    let is_one = FAMILIES.iter().any(|family| name.starts_with(family));
    body.is_none() && is_one && !is_harmless(name)
}

/// Whether a function changes nothing which a program can tell, nor accesses what others do.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.iter().any(|h| name.starts_with(h))
}

/// The name of a function that an edge of a function calls, if it is about threads and not followed: waiting up to a time,
/// what happens once, what each thread has of its own.  Bodies of the library's may use `errno`: nobody reads it then.
pub(super) fn unfollowed<'f>(flow: &'f Flow, caller: FunctionId, edge: &Edge) -> Option<&'f str> {
    let Instruction::Call { callee: Callee::Function(f), .. } = edge.instruction else {
        return None;
    };
    let function = &flow.functions[f.0 as usize];
    let name = function.name.as_str();
    if flow.is_of_library(caller) || function.body.is_some() && !flow.is_of_library(f) {
        return None;
    }
    let is_known = thread_call(name).is_some() || is_harmless(name);
    let is_open = function.body.is_none()
        && !is_known
        && FAMILIES.iter().any(|family| name.starts_with(family));
    let is_own = matches!(name, "pthread_once" | "call_once" | "__errno_location");
    (is_open || is_own).then_some(name)
}
