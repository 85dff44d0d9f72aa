//! An explicit-state reachability check for small programs (Sharir and Pnueli's functional
//! approach on the control-flow graphs): slow, simple, and unrelated to the engines.

use std::collections::{HashMap, HashSet};

use hardbop_bp::language::program::{
    Call, Expr, NodeId, Op, Operation, ProcId, Procedure, Program, VarId,
};

/// Whether an error node is reachable; `None` after `limit` states.
pub fn error_reachable(program: &Program, limit: usize) -> Option<bool> {
    search(program).run(limit, true)
}

/// Calls `visit` with every reachable node and the values of the variables there; false after
/// `limit` states.
pub fn visit_reachable(
    program: &Program,
    limit: usize,
    mut visit: impl FnMut(ProcId, NodeId, &dyn Fn(VarId) -> bool),
) -> bool {
    let mut search = search(program);
    if search.run(limit, false).is_none() {
        return false;
    }
    for context in &search.contexts {
        for &(node, state) in &context.seen {
            visit(context.procedure, node, &|v| state >> search.bits[v.index()] & 1 == 1);
        }
    }
    true
}

/// The same with the values of globals and formals with which the procedure was entered, before
/// those at the node.
pub fn visit_executions(
    program: &Program,
    limit: usize,
    mut visit: impl FnMut(ProcId, NodeId, &dyn Fn(VarId) -> bool, &dyn Fn(VarId) -> bool),
) -> bool {
    let mut search = search(program);
    if search.run(limit, false).is_none() {
        return false;
    }
    let value = |state, v| search.value(state, v);
    for context in &search.contexts {
        for &(node, state) in &context.seen {
            visit(context.procedure, node, &|v| value(context.entry, v), &|v| value(state, v));
        }
    }
    true
}

pub(super) fn search(program: &Program) -> Search<'_> {
    let mut bits = vec![0; program.variables.len()];
    for (i, v) in program.globals.iter().enumerate() {
        bits[v.index()] = i;
    }
    for procedure in &program.procedures {
        for (i, v) in own(procedure).enumerate() {
            bits[v.index()] = program.globals.len() + i;
        }
    }
    assert!(bits.iter().all(|&b| b < 64), "too many variables");
    Search {
        program,
        bits,
        entries: HashMap::new(),
        contexts: Vec::new(),
        work: Vec::new(),
        states: 0,
    }
}

fn own(procedure: &Procedure) -> impl Iterator<Item = VarId> + '_ {
    procedure.formals.iter().chain(&procedure.locals).chain(&procedure.returns).copied()
}

/// A procedure entered with certain values of globals and formals.
struct Context {
    procedure: ProcId,
    entry: u64,
    seen: HashSet<(NodeId, u64)>,
    exits: HashSet<u64>,
    /// Calling context, call edge target, state before the call, targets.
    callers: HashSet<(usize, NodeId, u64, Vec<Option<VarId>>)>,
}

pub(super) struct Search<'p> {
    program: &'p Program,
    /// Position of each variable in a state.
    bits: Vec<usize>,
    entries: HashMap<(ProcId, u64), usize>,
    contexts: Vec<Context>,
    work: Vec<(usize, NodeId, u64)>,
    states: usize,
}

impl<'p> Search<'p> {
    fn run(&mut self, limit: usize, stop_at_error: bool) -> Option<bool> {
        let entry = self.program.procedure(self.program.entry);
        let start: Vec<VarId> =
            self.program.globals.iter().chain(&entry.formals).copied().collect();
        for state in self.all(0, &start) {
            self.enter(self.program.entry, state);
        }
        while let Some((context, node, state)) = self.work.pop() {
            if self.states > limit {
                return None;
            }
            let procedure = self.program.procedure(self.contexts[context].procedure);
            if node == procedure.error && stop_at_error {
                return Some(true);
            }
            if node == procedure.exit {
                self.exit(context, state);
            }
            for &edge in &procedure.outgoing[node.index()] {
                let edge = procedure.edge(edge);
                if let Operation::Call(call) = &edge.operation {
                    self.call(context, edge.target, state, call);
                }
                for next in self.after(&edge.operation, state) {
                    self.add(context, edge.target, next);
                }
            }
        }
        Some(false)
    }

    /// The states after an operation; none after a call.
    pub(super) fn after(&self, operation: &Operation, state: u64) -> Vec<u64> {
        let can = |c: &Expr, next| self.values(c, state, next).contains(&true);
        match operation {
            Operation::Skip => vec![state],
            Operation::Assume(c) => can(c, state).then_some(state).into_iter().collect(),
            Operation::Assign(a) => {
                let mut all = self.assign(state, state, &a.targets, &a.values);
                all.retain(|&next| a.constrain.as_ref().is_none_or(|c| can(c, next)));
                all
            }
            Operation::Call(_) => vec![],
        }
    }

    fn add(&mut self, context: usize, node: NodeId, state: u64) {
        if self.contexts[context].seen.insert((node, state)) {
            self.states += 1;
            self.work.push((context, node, state));
        }
    }

    /// The context of a procedure whose globals and formals are as in `state`.
    fn enter(&mut self, procedure: ProcId, state: u64) -> usize {
        if let Some(&context) = self.entries.get(&(procedure, state)) {
            return context;
        }
        let context = self.contexts.len();
        self.entries.insert((procedure, state), context);
        let (seen, exits, callers) = Default::default();
        self.contexts.push(Context { procedure, entry: state, seen, exits, callers });
        let procedure = self.program.procedure(procedure);
        for start in self.all(state, &procedure.locals) {
            self.add(context, procedure.entry, start);
        }
        context
    }

    /// Globals and formals with which a call may enter the callee.
    pub(super) fn entered(&self, state: u64, call: &Call) -> Vec<u64> {
        let formals = &self.program.procedure(call.callee).formals;
        self.assign(state, state & self.global_mask(), formals, &call.arguments)
    }

    fn call(&mut self, context: usize, after: NodeId, state: u64, call: &Call) {
        for inner in self.entered(state, call) {
            let entered = self.enter(call.callee, inner);
            let caller = (context, after, state, call.targets.clone());
            if self.contexts[entered].callers.insert(caller.clone()) {
                for exit in self.contexts[entered].exits.clone() {
                    self.resume(call.callee, exit, &caller);
                }
            }
        }
    }

    fn exit(&mut self, context: usize, state: u64) {
        if self.contexts[context].exits.insert(state) {
            let procedure = self.contexts[context].procedure;
            for caller in self.contexts[context].callers.clone() {
                self.resume(procedure, state, &caller);
            }
        }
    }

    fn resume(
        &mut self,
        callee: ProcId,
        exit: u64,
        (context, after, state, targets): &(usize, NodeId, u64, Vec<Option<VarId>>),
    ) {
        let new = self.returned(*state, callee, targets, exit);
        self.add(*context, *after, new);
    }

    /// The state of the caller when the callee has ended in `exit`.
    pub(super) fn returned(
        &self,
        state: u64,
        callee: ProcId,
        targets: &[Option<VarId>],
        exit: u64,
    ) -> u64 {
        let mut new = state & !self.global_mask() | exit & self.global_mask();
        for (target, &slot) in targets.iter().zip(&self.program.procedure(callee).returns) {
            if let Some(target) = target {
                new = self.set(new, *target, self.value(exit, slot));
            }
        }
        new
    }

    pub(super) fn value(&self, state: u64, v: VarId) -> bool {
        state >> self.bits[v.index()] & 1 == 1
    }

    fn global_mask(&self) -> u64 {
        (1 << self.program.globals.len()) - 1
    }

    fn set(&self, state: u64, v: VarId, value: bool) -> u64 {
        let bit = 1 << self.bits[v.index()];
        if value { state | bit } else { state & !bit }
    }

    /// All states that differ from `state` in `variables` only.
    pub(super) fn all(&self, state: u64, variables: &[VarId]) -> Vec<u64> {
        let values = vec![Expr::nondet(); variables.len()];
        self.assign(state, state, variables, &values)
    }

    /// `onto` with all possible values for `targets`, evaluated in `state`.
    fn assign(&self, state: u64, onto: u64, targets: &[VarId], values: &[Expr]) -> Vec<u64> {
        let mut all = vec![onto];
        for (&target, value) in targets.iter().zip(values) {
            let values = self.values(value, state, state);
            all = all
                .iter()
                .flat_map(|&s| values.iter().map(move |&b| (s, b)))
                .map(|(s, b)| self.set(s, target, b))
                .collect();
        }
        all
    }

    /// The possible values of an expression.
    fn values(&self, e: &Expr, state: u64, next: u64) -> HashSet<bool> {
        let get = |s: u64, v: &VarId| HashSet::from([self.value(s, *v)]);
        let mut stack: Vec<HashSet<bool>> = Vec::new();
        for op in e.ops.iter() {
            let value = match op {
                Op::Constant(b) => HashSet::from([*b]),
                Op::Variable(v) => get(state, v),
                Op::Next(v) => get(next, v),
                Op::Nondet => HashSet::from([false, true]),
                Op::Not => stack.pop().unwrap().into_iter().map(|a| !a).collect(),
                _ => {
                    let b = stack.pop().unwrap();
                    let a = stack.pop().unwrap();
                    a.iter().flat_map(|&a| b.iter().flat_map(move |&b| apply(*op, a, b))).collect()
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap()
    }
}

fn apply(op: Op, a: bool, b: bool) -> Vec<bool> {
    vec![match op {
        Op::And => a && b,
        Op::Or => a || b,
        Op::Xor => a ^ b,
        Op::Equal => a == b,
        Op::Implies => !a || b,
        Op::Choose if !a && !b => return vec![false, true],
        Op::Choose => a,
        _ => unreachable!("not a binary operator"),
    }]
}
