//! One procedure of the sequential program: a copy of one with threads, with other edges where
//! threads begin, end, or wait for the next round.

use rustc_hash::FxHashMap;

use super::{Builder, Key, Origin, all};
use crate::language::concurrent::ThreadStep;
use crate::language::lower::prune::prune;
use crate::language::program::{
    Assignment, Call, Edge, EdgeId, EdgeRole, Expr, Node, NodeId, Op, Operation, ProcId, Procedure,
    VarId, VariableKind,
};

/// A procedure while it is made.
pub(super) struct Maker<'b, 'p> {
    builder: &'b mut Builder<'p>,
    id: ProcId,
    key: Option<Key>,
    name: String,
    formals: Vec<VarId>,
    locals: Vec<VarId>,
    returns: Vec<VarId>,
    /// The variables by those of the copied procedure.
    own: FxHashMap<VarId, VarId>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    origins: Vec<Origin>,
    entry: NodeId,
    exit: NodeId,
    error: NodeId,
    /// Where the round, the flag and the variables of the thread are kept during the call of
    /// another thread.
    kept: Option<Kept>,
}

#[derive(Clone)]
struct Kept {
    at: Vec<VarId>,
    held: VarId,
    thread_locals: Vec<VarId>,
}

impl<'b, 'p> Maker<'b, 'p> {
    /// A procedure without edges.
    pub fn empty(builder: &'b mut Builder<'p>, id: ProcId) -> Self {
        Self {
            builder,
            id,
            key: None,
            name: "@rounds".to_owned(),
            formals: Vec::new(),
            locals: Vec::new(),
            returns: Vec::new(),
            own: FxHashMap::default(),
            nodes: vec![Node::default(); 3],
            edges: Vec::new(),
            origins: Vec::new(),
            entry: NodeId(0),
            exit: NodeId(1),
            error: NodeId(2),
            kept: None,
        }
    }

    pub fn new(builder: &'b mut Builder<'p>, id: ProcId, key: Key) -> Self {
        let source = builder.source;
        let graph = source.program.procedure(key.procedure);
        let mut made = Self::empty(builder, id);
        made.key = Some(key);
        made.name = graph.name.clone();
        made.nodes = graph.nodes.clone();
        (made.entry, made.exit, made.error) = (graph.entry, graph.exit, graph.error);
        let kinds: [(&[VarId], VariableKind); 3] = [
            (&graph.formals, VariableKind::Formal(id)),
            // Those of a thread that begins in the middle are copied.
            (
                &graph.locals,
                match key.start {
                    Some(_) => VariableKind::Formal(id),
                    None => VariableKind::Local(id),
                },
            ),
            (&graph.returns, VariableKind::Return(id)),
        ];
        for (variables, kind) in kinds {
            for &v in variables {
                let new = made.builder.variable(&source.program.variable(v).name, kind);
                made.own.insert(v, new);
                match kind {
                    VariableKind::Formal(_) => made.formals.push(new),
                    VariableKind::Local(_) => made.locals.push(new),
                    _ => made.returns.push(new),
                }
            }
        }
        let first = key.start.unwrap_or(graph.entry);
        let held = held(graph, first);
        // Where each node is entered: before the choice of a round.
        let enter = |n: NodeId| if held[n.index()] { n } else { made.before(graph, n) };
        let before: Vec<NodeId> = graph.node_ids().map(enter).collect();
        if before[first.index()] != made.entry || key.start.is_some() {
            made.entry = made.node();
            made.edge(made.entry, before[first.index()], Operation::Skip, Origin::Silent);
        }
        for (number, edge) in graph.edges.iter().enumerate() {
            made.copy(graph, EdgeId(number as u32), edge, before[edge.target.index()]);
        }
        made
    }

    fn node(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn edge(&mut self, source: NodeId, target: NodeId, operation: Operation, origin: Origin) {
        let (role, span) = (EdgeRole::Glue, self.nodes[source.index()].span);
        self.edges.push(Edge { source, target, operation, role, span, thread: None });
        self.origins.push(origin);
    }

    fn place(&self, v: VarId) -> VarId {
        self.own.get(&v).or_else(|| self.builder.global.get(&v)).copied().unwrap_or(v)
    }

    fn code(&self, e: &Expr) -> Expr {
        let map = |op: &Op| match *op {
            Op::Variable(v) => Op::Variable(self.place(v)),
            Op::Next(v) => Op::Next(self.place(v)),
            other => other,
        };
        Expr { ops: e.ops.iter().map(map).collect() }
    }

    /// Puts the choice of a round in front of a node that uses what is shared.
    fn before(&mut self, graph: &Procedure, node: NodeId) -> NodeId {
        let is_atomic = self.key.is_some_and(|k| k.atomic);
        let mut outgoing = graph.outgoing[node.index()].iter().map(|&e| graph.edge(e));
        if is_atomic || !outgoing.any(|e| self.is_visible(graph, e)) {
            return node;
        }
        let before = self.node();
        self.nodes[before.index()].span = self.nodes[node.index()].span;
        self.edge(before, node, Operation::Skip, Origin::Silent);
        let held = self.builder.extra.held;
        for from in 0..self.builder.rounds {
            for to in from + 1..self.builder.rounds {
                let is_here = vec![Op::Variable(self.builder.extra.at[from])];
                let free = vec![Op::Variable(held), Op::Not];
                let pairs = self.round(from, to);
                let step = assignment(pairs, Some(all([is_here, free])));
                self.edge(before, node, step, Origin::Round(to as u32));
            }
        }
        let mut ends = vec![(self.builder.extra.ended, constant(true))];
        ends.extend(self.returns.iter().map(|&v| (v, Expr::nondet())));
        let step = assignment(ends, Some(all([vec![Op::Variable(held), Op::Not]])));
        self.edge(before, self.exit, step, Origin::Silent);
        before
    }

    /// Whether an edge uses what other threads see, or may end a call whose values they see.
    fn is_visible(&self, graph: &Procedure, edge: &Edge) -> bool {
        let shared = |v: &VarId| {
            let source = self.builder.source;
            source.program.is_global(*v) && !source.thread_locals.contains(v)
        };
        let reads = |e: &Expr| {
            e.ops.iter().any(|op| matches!(op, Op::Variable(v) | Op::Next(v) if shared(v)))
        };
        edge.thread.is_some()
            || edge.target == graph.exit && !graph.returns.is_empty()
            || match &edge.operation {
                Operation::Skip => false,
                Operation::Assume(e) => reads(e),
                Operation::Assign(a) => {
                    a.targets.iter().any(shared) || a.values.iter().chain(&a.constrain).any(reads)
                }
                Operation::Call(c) => {
                    self.builder.source.is_atomic(c.callee) || c.arguments.iter().any(reads)
                }
            }
    }

    /// Assignments that leave one round for another one.
    fn round(&self, from: usize, to: usize) -> Vec<(VarId, Expr)> {
        let Builder { extra, shared, .. } = &*self.builder;
        let mut pairs = Vec::new();
        for (i, &v) in shared.iter().enumerate() {
            pairs.push((extra.copies[from][i], Expr::variable(v)));
            pairs.push((v, Expr::variable(extra.copies[to][i])));
        }
        pairs.push((extra.at[from], constant(false)));
        pairs.push((extra.at[to], constant(true)));
        pairs
    }

    /// Copies an edge, which then leads to `target`.
    fn copy(&mut self, graph: &Procedure, id: EdgeId, edge: &Edge, target: NodeId) {
        let Some(Key { procedure, atomic, .. }) = self.key else { return };
        let source = edge.source;
        if edge.target == graph.error {
            let condition = match &edge.operation {
                Operation::Assume(e) => Some(self.code(e)),
                _ => None,
            };
            let mut ends = vec![
                (self.builder.extra.error, constant(true)),
                (self.builder.extra.ended, constant(true)),
            ];
            ends.extend(self.returns.iter().map(|&v| (v, Expr::nondet())));
            let step = assignment(ends, condition);
            return self.edge(source, self.exit, step, Origin::Error(procedure, id));
        }
        let own = choices(&edge.operation);
        let plain = Origin::Step(procedure, id, own);
        match edge.thread.as_deref() {
            None => {}
            Some(ThreadStep::Born | ThreadStep::Broadcast(_)) => return,
            Some(ThreadStep::AtomicBegin) => {
                let step = assignment(vec![(self.builder.extra.held, constant(true))], None);
                return self.edge(source, target, step, plain);
            }
            Some(ThreadStep::AtomicEnd) => {
                let step = assignment(vec![(self.builder.extra.held, constant(false))], None);
                return self.edge(source, target, step, plain);
            }
            Some(ThreadStep::End) => {
                let mut ends = vec![
                    (self.builder.extra.ended, constant(true)),
                    (self.builder.extra.held, constant(false)),
                ];
                let first = match &edge.operation {
                    Operation::Assign(a) => a.targets.iter().zip(&a.values).collect(),
                    _ => Vec::new(),
                };
                // Choices of the operation come first.
                let first = first.into_iter().map(|(&v, e)| (self.place(v), self.code(e)));
                ends.splice(0..0, first.collect::<Vec<_>>());
                return self.edge(source, self.exit, assignment(ends, None), plain);
            }
            Some(ThreadStep::Start) => {
                let born = graph.outgoing[source.index()].iter().map(|&e| graph.edge(e));
                let born =
                    born.into_iter().find(|e| e.thread.as_deref() == Some(&ThreadStep::Born));
                let Some(born) = born else { return };
                let key = Key {
                    procedure,
                    start: Some(born.target),
                    atomic: self.builder.source.is_atomic(procedure),
                };
                let callee = self.builder.number(key);
                let variables = graph.formals.iter().chain(&graph.locals);
                let arguments = variables.map(|&v| Expr::variable(self.place(v))).collect();
                let targets = vec![None; graph.returns.len()];
                let call = Call { callee, arguments, targets };
                return self.start(source, target, call, Origin::Start(procedure, id, 0));
            }
            Some(ThreadStep::Call(call)) => {
                let callee = self.builder.source.program.procedure(call.callee);
                let inner: usize = call.arguments.iter().map(Expr::choices).sum();
                let own = inner + callee.locals.len();
                let call = self.call(call, self.builder.source.is_atomic(call.callee));
                return self.start(source, target, call, Origin::Start(procedure, id, own));
            }
        }
        match &edge.operation {
            Operation::Skip => self.edge(source, target, Operation::Skip, plain),
            Operation::Assume(e) => {
                let step = Operation::Assume(self.code(e));
                self.edge(source, target, step, plain);
            }
            Operation::Assign(a) => {
                let step = Operation::Assign(Assignment {
                    targets: a.targets.iter().map(|&v| self.place(v)).collect(),
                    values: a.values.iter().map(|e| self.code(e)).collect(),
                    constrain: a.constrain.as_ref().map(|e| self.code(e)),
                });
                self.edge(source, target, step, plain);
            }
            Operation::Call(call) => {
                let callee = self.builder.source.program.procedure(call.callee);
                let own = own + callee.locals.len();
                let atomic = atomic || self.builder.source.is_atomic(call.callee);
                let call = self.call(call, atomic);
                let behind = self.node();
                let origin = Origin::Step(procedure, id, own);
                self.edge(source, behind, Operation::Call(call), origin);
                self.unwind(behind, target);
            }
        }
    }

    fn call(&mut self, call: &Call, atomic: bool) -> Call {
        let key = Key { procedure: call.callee, start: None, atomic };
        Call {
            callee: self.builder.number(key),
            arguments: call.arguments.iter().map(|e| self.code(e)).collect(),
            targets: call.targets.iter().map(|t| t.map(|v| self.place(v))).collect(),
        }
    }

    /// Ends the activation behind a call in which the thread has ended.
    fn unwind(&mut self, behind: NodeId, target: NodeId) {
        let ended = vec![Op::Variable(self.builder.extra.ended)];
        let goes_on = all([[ended.clone(), vec![Op::Not]].concat()]);
        self.edge(behind, target, Operation::Assume(goes_on), Origin::Silent);
        let returns = self.returns.iter().map(|&v| (v, Expr::nondet())).collect();
        let step = assignment(returns, Some(all([ended])));
        self.edge(behind, self.exit, step, Origin::Silent);
    }

    /// Calls a thread.
    fn start(&mut self, source: NodeId, target: NodeId, call: Call, origin: Origin) {
        let kept = self.kept();
        let rounds = self.builder.rounds;
        let (held, ended) = (self.builder.extra.held, self.builder.extra.ended);
        let thread_locals = self.builder.thread_locals.clone();
        let at = self.builder.extra.at.clone();
        let (ready, free, called) = (self.node(), self.node(), self.node());
        let from = at.iter().chain([&held]).chain(&thread_locals);
        let to = kept.at.iter().chain([&kept.held]).chain(&kept.thread_locals);
        let keep = to.zip(from).map(|(&to, &from)| (to, Expr::variable(from))).collect();
        self.edge(source, ready, assignment(keep, None), Origin::Silent);
        // While the starter lets no other one step, the new thread waits for a later round.
        let is_atomic = self.key.is_some_and(|k| k.atomic);
        let is_held = vec![Op::Variable(kept.held)];
        if !is_atomic {
            let is_free = [is_held.clone(), vec![Op::Not]].concat();
            self.edge(ready, free, Operation::Assume(all([is_free])), Origin::Silent);
        }
        for (now, &here) in at.iter().enumerate() {
            for later in now + 1..rounds {
                let mut pairs = self.round(now, later);
                pairs.push((held, constant(false)));
                let is_here = vec![Op::Variable(here)];
                let held = (!is_atomic).then(|| is_held.clone());
                let step = assignment(pairs, Some(all([is_here].into_iter().chain(held))));
                self.edge(ready, free, step, Origin::Later(later as u32));
            }
        }
        self.edge(free, called, Operation::Call(call), origin);
        for (now, &here) in at.iter().enumerate() {
            for then in 0..=now {
                let mut pairs = if now == then { Vec::new() } else { self.round(now, then) };
                pairs.push((held, Expr::variable(kept.held)));
                let locals = thread_locals.iter().zip(&kept.thread_locals);
                pairs.extend(locals.map(|(&v, &kept)| (v, Expr::variable(kept))));
                pairs.push((ended, constant(false)));
                let is_so = [vec![Op::Variable(here)], vec![Op::Variable(kept.at[then])]];
                let step = assignment(pairs, Some(all(is_so)));
                self.edge(called, target, step, Origin::Back(then as u32));
            }
        }
    }

    /// The locals that keep what belongs to the thread.
    fn kept(&mut self) -> Kept {
        if let Some(kept) = &self.kept {
            return kept.clone();
        }
        let kind = VariableKind::Local(self.id);
        let at =
            (0..self.builder.rounds).map(|r| self.builder.variable(&format!("@kept{r}"), kind));
        let at: Vec<VarId> = at.collect();
        let held = self.builder.variable("@kept", kind);
        let many = self.builder.thread_locals.len();
        let thread_locals: Vec<VarId> =
            (0..many).map(|i| self.builder.variable(&format!("@own{i}"), kind)).collect();
        self.locals.extend(at.iter().chain([&held]).chain(&thread_locals));
        let kept = Kept { at, held, thread_locals };
        self.kept = Some(kept.clone());
        kept
    }

    /// The edges of the procedure around all threads.
    pub fn wrap(&mut self, first: ProcId) {
        let rounds = self.builder.rounds;
        let entry = self.builder.source.program.procedure(self.builder.source.program.entry);
        let mut pairs: Vec<(VarId, Expr)> = Vec::new();
        for round in 1..rounds {
            let extra = &self.builder.extra;
            let guesses = extra.guesses[round - 1].iter().zip(&extra.copies[round]);
            pairs.extend(guesses.map(|(&guess, &copy)| (guess, Expr::variable(copy))));
        }
        let extra = &self.builder.extra;
        pairs.extend(extra.at.iter().enumerate().map(|(r, &v)| (v, constant(r == 0))));
        pairs.extend([extra.ended, extra.error, extra.held].map(|v| (v, constant(false))));
        let (ready, back, last) = (self.node(), self.node(), self.node());
        self.edge(self.entry, ready, assignment(pairs, None), Origin::Silent);
        let arguments = vec![Expr::nondet(); entry.formals.len()];
        let call = Call { callee: first, arguments, targets: vec![None; entry.returns.len()] };
        self.edge(ready, back, Operation::Call(call), Origin::Silent);
        for round in 0..rounds {
            let Builder { extra, shared, .. } = &*self.builder;
            let values = extra.copies[round].iter().zip(shared);
            let pairs = values.map(|(&copy, &v)| (copy, Expr::variable(v))).collect();
            let step = assignment(pairs, Some(all([vec![Op::Variable(extra.at[round])]])));
            self.edge(back, last, step, Origin::Silent);
        }
        let extra = &self.builder.extra;
        let right = extra.copies.iter().zip(&extra.guesses).flat_map(|(copy, guess)| {
            let pairs = copy.iter().zip(guess);
            pairs.map(|(&a, &b)| vec![Op::Variable(a), Op::Variable(b), Op::Equal])
        });
        let is_error = all([vec![Op::Variable(extra.error)]].into_iter().chain(right));
        self.edge(last, self.error, Operation::Assume(is_error), Origin::Silent);
        self.edge(last, self.exit, Operation::Skip, Origin::Silent);
    }

    /// The procedure, without what is not reached, and the origins of its edges.
    pub fn finish(self) -> (Procedure, Vec<Origin>) {
        let mut reached = vec![false; self.nodes.len()];
        let mut work = vec![self.entry];
        let mut outgoing = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            outgoing[edge.source.index()].push(edge.target);
        }
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                work.extend(&outgoing[node.index()]);
            }
        }
        let (edges, origins): (Vec<Edge>, Vec<Origin>) = (self.edges.into_iter())
            .zip(self.origins)
            .filter(|(edge, _)| reached[edge.source.index()])
            .unzip();
        let graph = prune(self.nodes, edges, self.entry, self.exit, self.error);
        let variables = [self.formals, self.locals, self.returns];
        let procedure = graph.procedure(self.name, variables, Default::default());
        (procedure, origins)
    }
}

/// The nodes to which all ways from `first` lead behind an `atomic_begin`: no round ends there.
fn held(graph: &Procedure, first: NodeId) -> Vec<bool> {
    let mut held = vec![true; graph.node_count()];
    held[first.index()] = false;
    let mut seen = vec![false; graph.node_count()];
    let mut work = vec![first];
    while let Some(node) = work.pop() {
        seen[node.index()] = true;
        for &id in &graph.outgoing[node.index()] {
            let edge = graph.edge(id);
            let behind = match (edge.thread.as_deref(), &edge.operation) {
                (Some(ThreadStep::AtomicBegin), _) => true,
                (Some(ThreadStep::AtomicEnd | ThreadStep::Born), _) => false,
                // What is called may end the section.
                (_, Operation::Call(_)) => false,
                _ => held[node.index()],
            };
            let target = edge.target.index();
            let changes = held[target] && !behind;
            held[target] &= behind;
            if changes || !seen[target] {
                work.push(edge.target);
            }
        }
    }
    held
}

fn constant(value: bool) -> Expr {
    Expr::constant(value)
}

/// The parallel assignment of these values; goes on only where the condition holds.
fn assignment(pairs: Vec<(VarId, Expr)>, condition: Option<Expr>) -> Operation {
    if pairs.is_empty() {
        return condition.map_or(Operation::Skip, Operation::Assume);
    }
    let (targets, values) = pairs.into_iter().unzip();
    Operation::Assign(Assignment { targets, values, constrain: condition })
}

/// The choices of an operation, without the locals of a callee.
pub(super) fn choices(operation: &Operation) -> usize {
    match operation {
        Operation::Skip => 0,
        Operation::Assume(e) => e.choices(),
        Operation::Assign(a) => a.values.iter().chain(&a.constrain).map(Expr::choices).sum(),
        Operation::Call(c) => c.arguments.iter().map(Expr::choices).sum(),
    }
}
