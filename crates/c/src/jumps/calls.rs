//! Which calls may jump, and which functions are called once.

use crate::flow::{Body, Callee, Edge, ExprKind, Flow, FunctionId, Instruction};
use crate::library::{Convention, find};

/// A call that this transformation replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    Set,
    Long,
}

/// The calls of a program.
pub(super) struct Calls {
    /// By function.
    jumps: Vec<Option<Jump>>,
    may_jump: Vec<bool>,
    /// What is not defined, which may call what it was given.
    outside: Vec<bool>,
    /// Whether a function may jump whose address is taken.
    pointers_jump: bool,
    called_once: Vec<bool>,
    sites: Vec<u64>,
}

impl Calls {
    pub fn new(flow: &Flow) -> Self {
        let jump = |name: &str| match find(name)?.convention()? {
            Convention::SetJump => Some(Jump::Set),
            Convention::LongJump => Some(Jump::Long),
            _ => None,
        };
        let functions = flow.functions.iter();
        let jumps = functions.map(|f| jump(&f.name).filter(|_| f.body.is_none())).collect();
        let count = flow.functions.len();
        let (may_jump, called_once) = (vec![false; count], vec![false; count]);
        let outside = flow.functions.iter();
        let outside = outside.map(|f| f.body.is_none() && find(&f.name).is_none()).collect();
        let (sites, pointers_jump) = (vec![0; count], false);
        let mut calls = Self { jumps, may_jump, outside, pointers_jump, called_once, sites };
        for (index, function) in flow.functions.iter().enumerate() {
            let edges = function.body.iter().flat_map(|body| &body.edges);
            calls.sites[index] = edges.filter(|e| calls.jump(e) == Some(Jump::Set)).count() as u64;
        }
        if calls.has_jumps(flow) {
            let taken = taken(flow);
            calls.close(flow, &taken);
            calls.count(flow, &taken);
        }
        calls
    }

    /// Whether there is anything to do.
    pub fn has_jumps(&self, flow: &Flow) -> bool {
        let bodies = flow.functions.iter().filter_map(|f| f.body.as_ref());
        bodies.flat_map(|body| &body.edges).any(|edge| self.jump(edge).is_some())
    }

    /// The jump that an edge is.
    pub fn jump(&self, edge: &Edge) -> Option<Jump> {
        match edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => self.jumps[f.0 as usize],
            _ => None,
        }
    }

    /// Whether an execution may jump in an edge: a call of `longjmp`, or of what may come to one.
    pub fn may_jump(&self, edge: &Edge) -> bool {
        match &edge.instruction {
            Instruction::Call { callee: Callee::Function(f), .. } => {
                self.jumps[f.0 as usize] == Some(Jump::Long)
                    || self.may_jump[f.0 as usize]
                    || self.pointers_jump && self.is_outside(*f)
            }
            Instruction::Call { callee: Callee::Pointer(_), .. } => self.pointers_jump,
            _ => false,
        }
    }

    /// Whether the function is not defined, nor one of a library.
    pub fn is_outside(&self, function: FunctionId) -> bool {
        self.outside[function.0 as usize]
    }

    /// The number of calls of `setjmp` in a function.
    pub fn sites(&self, function: FunctionId) -> u64 {
        self.sites[function.0 as usize]
    }

    /// Whether no execution calls the function twice.
    pub fn is_called_once(&self, function: FunctionId) -> bool {
        self.called_once[function.0 as usize]
    }

    /// Finds what may jump, by way of others too.
    fn close(&mut self, flow: &Flow, taken: &[bool]) {
        loop {
            let mut is_new = false;
            for (index, function) in flow.functions.iter().enumerate() {
                let mut edges = function.body.iter().flat_map(|body| &body.edges);
                if !self.may_jump[index] && edges.any(|edge| self.may_jump(edge)) {
                    self.may_jump[index] = true;
                    self.pointers_jump |= taken[index];
                    is_new = true;
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// Finds what is called once: where the program starts, and what has one call there, outside of loops.
    fn count(&mut self, flow: &Flow, taken: &[bool]) {
        let mut callers: Vec<Vec<(usize, &Edge)>> = vec![vec![]; flow.functions.len()];
        for (index, function) in flow.functions.iter().enumerate() {
            for edge in function.body.iter().flat_map(|body| &body.edges) {
                if let Instruction::Call { callee: Callee::Function(f), .. } = edge.instruction {
                    callers[f.0 as usize].push((index, edge));
                }
            }
        }
        let main = flow.main.0 as usize;
        if taken[main] || !callers[main].is_empty() {
            return;
        }
        self.called_once[main] = true;
        let mut open = vec![main];
        while let Some(caller) = open.pop() {
            let Some(body) = &flow.functions[caller].body else { continue };
            for (index, callers) in callers.iter().enumerate() {
                if let &[(from, edge)] = callers.as_slice()
                    && from == caller
                    && !taken[index]
                    && !self.is_repeated(body, edge)
                {
                    self.called_once[index] = true;
                    open.push(index);
                }
            }
        }
    }

    /// Whether an edge may be passed twice, also by jumps back to a call of `setjmp`.
    fn is_repeated(&self, body: &Body, edge: &Edge) -> bool {
        let jumps_at = |at| body.edges.iter().any(|e| e.source == at && self.may_jump(e));
        let mut seen = vec![false; body.locations as usize];
        let mut open = vec![edge.target];
        if self.may_jump(edge) {
            let sites = body.edges.iter().filter(|e| self.jump(e) == Some(Jump::Set));
            open.extend(sites.map(|e| e.target));
        }
        while let Some(at) = open.pop() {
            if at == edge.source {
                return true;
            }
            if std::mem::replace(&mut seen[at.0 as usize], true) {
                continue;
            }
            let jumps = jumps_at(at);
            let next = body
                .edges
                .iter()
                .filter(|e| e.source == at || jumps && self.jump(e) == Some(Jump::Set));
            open.extend(next.map(|e| e.target));
        }
        false
    }
}

/// The functions whose addresses are taken.
fn taken(flow: &Flow) -> Vec<bool> {
    let mut taken = vec![false; flow.functions.len()];
    for part in flow.parts() {
        if let ExprKind::FunctionAddress(function) = part.kind {
            taken[function.0 as usize] = true;
        }
    }
    taken
}
