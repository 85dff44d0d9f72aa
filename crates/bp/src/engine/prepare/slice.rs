//! Property slicing: drops what cannot influence whether an error node is reached.
//!
//! A node is kept if it is reachable from the start and an error is reachable from it, both in the
//! interprocedural graph with values ignored.  A variable is relevant if a condition on a kept edge
//! depends on it (flow-insensitive cone of influence).  Neither changes the verdict: what is
//! dropped can neither block an execution on its way to an error nor enable one.

use fixedbitset::FixedBitSet;

use crate::language::program::{
    Call, EdgeId, NodeId, Op, Operation, ProcId, Procedure, Program, VarId,
};

/// The part of one procedure that a slice keeps.
#[derive(Debug, Clone)]
pub struct ProcedureSlice {
    pub nodes: Vec<bool>,
    /// Kept edges.  A kept call edge may lead to a dropped node: then only errors inside the
    /// callee matter.
    pub edges: Vec<bool>,
    /// Whether an error can be reached in it or in something that it calls.
    pub can_fail: bool,
    /// Relevant globals that it, or something that it calls, reads or writes.
    pub touched: FixedBitSet,
    /// Relevant globals that it, or something that it calls, writes.
    pub modified: FixedBitSet,
}

/// The part of a program on which its errors depend.
#[derive(Debug, Clone)]
pub struct Slice {
    /// `None` for a procedure that does not matter.
    pub procedures: Vec<Option<ProcedureSlice>>,
    /// The variables that are kept, by [`VarId`].
    pub relevant: FixedBitSet,
    callers: Vec<Vec<(ProcId, EdgeId)>>,
}

impl Slice {
    pub fn procedure(&self, id: ProcId) -> Option<&ProcedureSlice> {
        self.procedures[id.index()].as_ref()
    }

    /// This slice with the same nodes and edges, and fewer variables.
    #[must_use]
    pub fn restrict(&self, program: &Program, mut relevant: FixedBitSet) -> Self {
        // A value returned into a kept variable passes through the return slot.
        for e in program.procedures.iter().flat_map(|p| &p.edges) {
            if let Some(c) = call(&e.operation) {
                for (t, r) in c.targets.iter().zip(&program.procedure(c.callee).returns) {
                    if t.is_some_and(|t| relevant.contains(t.index())) {
                        relevant.insert(r.index());
                    }
                }
            }
        }
        let mut procedures = self.procedures.clone();
        for p in procedures.iter_mut().flatten() {
            p.touched.clear();
            p.modified.clear();
        }
        footprints(program, &mut procedures, &relevant, &self.callers);
        Self { procedures, relevant, callers: self.callers.clone() }
    }
}

/// The procedures with error nodes that are reachable from the start, with values ignored.
pub fn failing_procedures(program: &Program) -> Vec<ProcId> {
    let forward = Graph::new(program).reachable();
    let reached = |p: &ProcId| forward.nodes[p.index()][program.procedure(*p).error.index()];
    program.procedure_ids().filter(reached).collect()
}

/// Whether the start reaches each node, with values ignored; by procedure and node.
pub fn reached_nodes(program: &Program) -> Vec<Vec<bool>> {
    Graph::new(program).reachable().nodes
}

/// Slices `program` for the reachability of the error nodes of `targets`.
pub fn slice(program: &Program, targets: &[ProcId]) -> Slice {
    let graph = Graph::new(program);
    let forward = graph.reachable();
    let backward = graph.failing(&forward, targets);
    let mut procedures: Vec<Option<ProcedureSlice>> = program
        .procedures
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let keep = |n: NodeId| forward.nodes[i][n.index()] && backward.nodes[i][n.index()];
            if !keep(p.entry) {
                return None;
            }
            let edges = p
                .edges
                .iter()
                .map(|e| {
                    let fails = matches!(&e.operation, Operation::Call(c)
                        if backward.can_fail[c.callee.index()]);
                    keep(e.source) && !blocks(&e.operation) && (keep(e.target) || fails)
                })
                .collect();
            Some(ProcedureSlice {
                nodes: (0..p.nodes.len() as u32).map(|n| keep(NodeId(n))).collect(),
                edges,
                can_fail: backward.can_fail[i],
                touched: FixedBitSet::with_capacity(program.variables.len()),
                modified: FixedBitSet::with_capacity(program.variables.len()),
            })
        })
        .collect();
    let relevant = relevant_variables(program, &procedures);
    footprints(program, &mut procedures, &relevant, &graph.callers);
    Slice { procedures, relevant, callers: graph.callers }
}

/// Whether no execution passes an edge, as far as its text shows.
fn blocks(operation: &Operation) -> bool {
    matches!(operation, Operation::Assume(e) if *e.ops == [Op::Constant(false)])
}

/// The interprocedural graph.
struct Graph<'a> {
    program: &'a Program,
    /// Call edges by callee.
    callers: Vec<Vec<(ProcId, EdgeId)>>,
}

struct Forward {
    nodes: Vec<Vec<bool>>,
}

struct Backward {
    nodes: Vec<Vec<bool>>,
    can_fail: Vec<bool>,
}

fn call(operation: &Operation) -> Option<&Call> {
    if let Operation::Call(c) = operation { Some(c) } else { None }
}

impl<'a> Graph<'a> {
    fn new(program: &'a Program) -> Self {
        let mut callers = vec![vec![]; program.procedures.len()];
        for (i, p) in program.procedures.iter().enumerate() {
            for (k, e) in p.edges.iter().enumerate() {
                if let Some(c) = call(&e.operation) {
                    callers[c.callee.index()].push((ProcId(i as u32), EdgeId(k as u32)));
                }
            }
        }
        Self { program, callers }
    }

    fn procedure(&self, id: ProcId) -> &'a Procedure {
        self.program.procedure(id)
    }

    /// Nodes reachable from the start; a call passes only if the callee's exit is reachable.
    fn reachable(&self) -> Forward {
        let mut nodes: Vec<Vec<bool>> =
            self.program.procedures.iter().map(|p| vec![false; p.nodes.len()]).collect();
        let entry = self.program.entry;
        let mut work = vec![(entry, self.procedure(entry).entry)];
        while let Some((p, n)) = work.pop() {
            if std::mem::replace(&mut nodes[p.index()][n.index()], true) {
                continue;
            }
            let procedure = self.procedure(p);
            if n == procedure.exit {
                for &(q, e) in &self.callers[p.index()] {
                    let edge = self.procedure(q).edge(e);
                    if nodes[q.index()][edge.source.index()] {
                        work.push((q, edge.target));
                    }
                }
            }
            for &e in &procedure.outgoing[n.index()] {
                let edge = procedure.edge(e);
                match call(&edge.operation) {
                    Some(c) => {
                        let callee = self.procedure(c.callee);
                        work.push((c.callee, callee.entry));
                        if nodes[c.callee.index()][callee.exit.index()] {
                            work.push((p, edge.target));
                        }
                    }
                    None if blocks(&edge.operation) => {}
                    None => work.push((p, edge.target)),
                }
            }
        }
        Forward { nodes }
    }

    /// The reachable nodes from which an error is reachable: here, in a callee, or in a caller
    /// after the return.
    fn failing(&self, forward: &Forward, targets: &[ProcId]) -> Backward {
        let count = self.program.procedures.len();
        let mut incoming: Vec<Vec<Vec<EdgeId>>> =
            self.program.procedures.iter().map(|p| vec![vec![]; p.nodes.len()]).collect();
        for (i, p) in self.program.procedures.iter().enumerate() {
            for (k, e) in p.edges.iter().enumerate() {
                incoming[i][e.target.index()].push(EdgeId(k as u32));
            }
        }
        let mut nodes: Vec<Vec<bool>> =
            self.program.procedures.iter().map(|p| vec![false; p.nodes.len()]).collect();
        let mut can_fail = vec![false; count];
        // First find who can fail, then what leads there: a node may also matter because of what
        // happens after the return, which must not count as failing.
        for after_return in [false, true] {
            let mut work: Vec<(ProcId, NodeId)> =
                targets.iter().map(|&p| (p, self.procedure(p).error)).collect();
            if after_return {
                nodes.iter_mut().for_each(|n| n.fill(false));
                for (q, callers) in self.callers.iter().enumerate() {
                    if can_fail[q] {
                        work.extend(
                            callers.iter().map(|&(p, e)| (p, self.procedure(p).edge(e).source)),
                        );
                    }
                }
            }
            while let Some((p, n)) = work.pop() {
                if !forward.nodes[p.index()][n.index()]
                    || std::mem::replace(&mut nodes[p.index()][n.index()], true)
                {
                    continue;
                }
                let procedure = self.procedure(p);
                if !after_return && n == procedure.entry && !can_fail[p.index()] {
                    can_fail[p.index()] = true;
                    work.extend(
                        self.callers[p.index()]
                            .iter()
                            .map(|&(q, e)| (q, self.procedure(q).edge(e).source)),
                    );
                }
                for &e in &incoming[p.index()][n.index()] {
                    let edge = procedure.edge(e);
                    if blocks(&edge.operation) || !forward.nodes[p.index()][edge.source.index()] {
                        continue;
                    }
                    work.push((p, edge.source));
                    if let Some(c) = call(&edge.operation)
                        && after_return
                    {
                        work.push((c.callee, self.procedure(c.callee).exit));
                    }
                }
            }
        }
        Backward { nodes, can_fail }
    }
}

/// The kept edges of a procedure.
pub fn kept_edges<'a>(
    procedure: &'a Procedure,
    slice: &'a ProcedureSlice,
) -> impl Iterator<Item = &'a crate::language::program::Edge> {
    procedure.edges.iter().zip(&slice.edges).filter(|(_, keep)| **keep).map(|(e, _)| e)
}

fn relevant_variables(program: &Program, slices: &[Option<ProcedureSlice>]) -> FixedBitSet {
    let mut feeds: Vec<Vec<VarId>> = vec![vec![]; program.variables.len()];
    let mut work: Vec<VarId> = vec![];
    let any = |op: &Op| match *op {
        Op::Variable(v) | Op::Next(v) => Some(v),
        _ => None,
    };
    for (p, s) in program.procedures.iter().zip(slices) {
        let Some(s) = s else { continue };
        for e in kept_edges(p, s) {
            match &e.operation {
                Operation::Skip => {}
                Operation::Assume(c) => work.extend(c.reads()),
                Operation::Assign(a) => {
                    work.extend(a.constrain.iter().flat_map(|c| c.ops.iter().filter_map(any)));
                    for (t, v) in a.targets.iter().zip(&a.values) {
                        feeds[t.index()].extend(v.reads());
                    }
                }
                Operation::Call(c) => {
                    let callee = program.procedure(c.callee);
                    for (f, v) in callee.formals.iter().zip(&c.arguments) {
                        feeds[f.index()].extend(v.reads());
                    }
                    for (t, r) in c.targets.iter().zip(&callee.returns) {
                        feeds
                            .get_mut(t.map_or(usize::MAX, VarId::index))
                            .into_iter()
                            .for_each(|f| f.push(*r));
                    }
                }
            }
        }
    }
    let mut relevant = FixedBitSet::with_capacity(program.variables.len());
    while let Some(v) = work.pop() {
        if !relevant.put(v.index()) {
            work.extend(feeds[v.index()].iter().copied());
        }
    }
    relevant
}

/// Fills in `touched` and `modified`, including callees.
fn footprints(
    program: &Program,
    slices: &mut [Option<ProcedureSlice>],
    relevant: &FixedBitSet,
    callers: &[Vec<(ProcId, EdgeId)>],
) {
    let global = |v: VarId| program.is_global(v) && relevant.contains(v.index());
    for (p, s) in program.procedures.iter().zip(slices.iter_mut()) {
        let Some(s) = s else { continue };
        let (mut touched, mut modified) = (s.touched.clone(), s.modified.clone());
        for e in kept_edges(p, s) {
            let mut read = |e: &crate::language::program::Expr| {
                for op in e.ops.iter() {
                    if let Op::Variable(v) | Op::Next(v) = *op
                        && global(v)
                    {
                        touched.insert(v.index());
                    }
                }
            };
            let mut written: Vec<VarId> = vec![];
            match &e.operation {
                Operation::Skip => {}
                Operation::Assume(c) => read(c),
                Operation::Assign(a) => {
                    a.values.iter().chain(&a.constrain).for_each(&mut read);
                    written.extend(&a.targets);
                }
                Operation::Call(c) => {
                    c.arguments.iter().for_each(&mut read);
                    written.extend(c.targets.iter().flatten());
                }
            }
            for v in written.into_iter().filter(|&v| global(v)) {
                touched.insert(v.index());
                modified.insert(v.index());
            }
        }
        (s.touched, s.modified) = (touched, modified);
    }
    let mut work: Vec<usize> = (0..slices.len()).collect();
    while let Some(q) = work.pop() {
        let Some(s) = &slices[q] else { continue };
        let (touched, modified) = (s.touched.clone(), s.modified.clone());
        for &(p, e) in &callers[q] {
            let Some(s) = &mut slices[p.index()] else { continue };
            if s.edges[e.index()]
                && !(touched.is_subset(&s.touched) && modified.is_subset(&s.modified))
            {
                s.touched.union_with(&touched);
                s.modified.union_with(&modified);
                work.push(p.index());
            }
        }
    }
}
