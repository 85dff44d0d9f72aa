//! Live variables: a variable is live at a node if an execution towards an error may read it
//! before it is written.
//!
//! States of a symbolic execution are compared on live variables only, so dead variables neither
//! keep a loop from closing nor widen a calling context.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::order::Order;
use super::slice::Slice;
use crate::language::program::{Expr, NodeId, Op, Operation, ProcId, Procedure, Program, VarId};
use hardbop_base::budget::{Budget, Exhausted};

/// The relevant variables of one procedure, numbered densely: touched globals, formals, locals,
/// return slots.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub slots: Vec<VarId>,
    /// The first slots are those of globals, in order.
    globals: usize,
    index: FxHashMap<VarId, u32>,
}

impl Frame {
    fn new(program: &Program, slice: &Slice, id: ProcId) -> Self {
        let p = program.procedure(id);
        let (mut slots, mut globals) = (vec![], 0);
        if let Some(s) = slice.procedure(id) {
            slots.extend(s.touched.ones().map(|g| VarId(g as u32)));
            globals = slots.len();
            slots.extend(
                [&p.formals, &p.locals, &p.returns]
                    .into_iter()
                    .flatten()
                    .filter(|v| slice.relevant.contains(v.index())),
            );
        }
        let index = slots.iter().enumerate().map(|(i, &v)| (v, i as u32)).collect();
        Self { slots, globals, index }
    }

    /// The slots of the globals that both frames have, here and there.
    pub fn common_globals(&self, other: &Self) -> impl Iterator<Item = (usize, usize)> {
        let (here, there) = (&self.slots[..self.globals], &other.slots[..other.globals]);
        let mut at = 0;
        there.iter().enumerate().filter_map(move |(k, v)| {
            at += here[at..].iter().take_while(|u| *u < v).count();
            here.get(at).filter(|u| *u == v).map(|_| (at, k))
        })
    }

    /// The slot of a variable; `None` if it is irrelevant here.
    pub fn slot(&self, v: VarId) -> Option<usize> {
        self.index.get(&v).map(|&i| i as usize)
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// Live slots at every node of every procedure.
#[derive(Debug, Clone)]
pub struct Liveness {
    pub frames: Vec<Arc<Frame>>,
    /// The live slots by procedure, then by node; empty for nodes that are not kept.
    live: Vec<Arc<[FixedBitSet]>>,
}

impl Liveness {
    /// The slots that are live at a node.
    pub fn at(&self, p: ProcId, n: NodeId) -> &FixedBitSet {
        &self.live[p.index()][n.index()]
    }

    /// Restricts this liveness, of a slice that contains `slice`, to the variables of `slice`.
    /// More may be live here than by [`Liveness::compute`], and what a procedure has in common is
    /// shared.
    #[must_use]
    pub fn restrict(&self, program: &Program, slice: &Slice) -> Self {
        let (frames, live) = program
            .procedure_ids()
            .map(|p| {
                let (outer, all) = (&self.frames[p.index()], &self.live[p.index()]);
                let frame = Frame::new(program, slice, p);
                if frame.slots == outer.slots {
                    return (outer.clone(), all.clone());
                }
                let from: Vec<Option<usize>> = frame.slots.iter().map(|&v| outer.slot(v)).collect();
                let one = |live: &FixedBitSet| {
                    let mut out = FixedBitSet::with_capacity(frame.len());
                    let is_live = |o: &Option<usize>| o.is_some_and(|o| live.contains(o));
                    out.extend(from.iter().enumerate().filter(|(_, o)| is_live(o)).map(|(i, _)| i));
                    out
                };
                let live = all.iter().map(one).collect();
                (Arc::new(frame), live)
            })
            .unzip();
        Self { frames, live }
    }

    /// Backward data flow over all procedures until nothing changes.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn compute(
        program: &Program,
        slice: &Slice,
        orders: &[Option<Arc<Order>>],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let frames: Vec<Frame> =
            program.procedure_ids().map(|p| Frame::new(program, slice, p)).collect();
        let live = program
            .procedures
            .iter()
            .zip(&frames)
            .map(|(p, f)| vec![FixedBitSet::with_capacity(f.len()); p.nodes.len()])
            .collect();
        let mut callers: Vec<Vec<ProcId>> = vec![vec![]; program.procedures.len()];
        for p in program.procedure_ids() {
            for e in &program.procedure(p).edges {
                if let Operation::Call(c) = &e.operation {
                    let list = &mut callers[c.callee.index()];
                    if list.last() != Some(&p) {
                        list.push(p);
                    }
                }
            }
        }
        let mut flow = Flow { program, slice, frames, live, exits_changed: vec![] };
        let mut queued = vec![true; program.procedures.len()];
        let mut work: std::collections::VecDeque<ProcId> = program.procedure_ids().collect();
        while let Some(p) = work.pop_front() {
            budget.check()?;
            queued[p.index()] = false;
            // Without variables nothing is live, and nothing is asked of callees.
            let order = orders[p.index()].as_ref();
            let Some(order) = order.filter(|_| !flow.frames[p.index()].is_empty()) else {
                continue;
            };
            let entry = program.procedure(p).entry;
            let before = flow.live[p.index()][entry.index()].clone();
            flow.procedure(p, order);
            let mut again = std::mem::take(&mut flow.exits_changed);
            if flow.live[p.index()][entry.index()] != before {
                again.extend(&callers[p.index()]);
            }
            for q in again {
                if !std::mem::replace(&mut queued[q.index()], true) {
                    work.push_back(q);
                }
            }
        }
        let live = flow.live.into_iter().map(Arc::from).collect();
        Ok(Self { frames: flow.frames.into_iter().map(Arc::new).collect(), live })
    }
}

struct Flow<'a> {
    program: &'a Program,
    slice: &'a Slice,
    frames: Vec<Frame>,
    live: Vec<Vec<FixedBitSet>>,
    /// Procedures with more live variables at their exit than before.
    exits_changed: Vec<ProcId>,
}

impl Flow<'_> {
    fn procedure(&mut self, id: ProcId, order: &Order) {
        let p: &Procedure = self.program.procedure(id);
        loop {
            let mut changed = false;
            for &n in order.sequence.iter().rev() {
                let mut live = self.live[id.index()][n as usize].clone();
                let before = live.count_ones(..);
                for &e in &p.outgoing[n as usize] {
                    if self.slice.procedure(id).is_some_and(|s| s.edges[e.index()]) {
                        self.edge(id, p, e, &mut live);
                    }
                }
                if live.count_ones(..) != before {
                    self.live[id.index()][n as usize] = live;
                    changed = true;
                }
            }
            if !changed || !order.head.contains(&true) {
                break;
            }
        }
    }

    /// Adds to `live` what the edge reads, and what is live after it and not written by it.
    fn edge(
        &mut self,
        id: ProcId,
        p: &Procedure,
        e: crate::language::program::EdgeId,
        live: &mut FixedBitSet,
    ) {
        let edge = p.edge(e);
        let frame = &self.frames[id.index()];
        let read = |expr: &Expr, live: &mut FixedBitSet| {
            live.extend(expr.reads().filter_map(|v| frame.slot(v)));
        };
        let mut after = self.live[id.index()][edge.target.index()].clone();
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(c) => read(c, live),
            Operation::Assign(a) => {
                if let Some(c) = &a.constrain {
                    read(c, live);
                    // If x is not assigned, 'x reads its old value.
                    live.extend(c.ops.iter().filter_map(|op| match *op {
                        Op::Next(v) if !a.targets.contains(&v) => frame.slot(v),
                        _ => None,
                    }));
                }
                for (t, v) in a.targets.iter().zip(&a.values) {
                    if let Some(slot) = frame.slot(*t) {
                        let needed = after.contains(slot)
                            || a.constrain.as_ref().is_some_and(|c| {
                                c.ops.iter().any(|op| matches!(op, Op::Next(x) if x == t))
                            });
                        if needed {
                            read(v, live);
                        }
                    }
                }
                for t in a.targets.iter().filter_map(|&t| frame.slot(t)) {
                    after.set(t, false);
                }
            }
            Operation::Call(c) => {
                let callee = self.program.procedure(c.callee);
                let inner = &self.frames[c.callee.index()];
                if self.slice.procedure(c.callee).is_none() {
                    return;
                }
                let mut at_exit = FixedBitSet::with_capacity(inner.len());
                for (t, r) in c.targets.iter().zip(&callee.returns) {
                    if let Some(slot) = t.and_then(|t| frame.slot(t)) {
                        if after.contains(slot) {
                            at_exit.extend(inner.slot(*r));
                        }
                        after.set(slot, false);
                    }
                }
                let entry = &self.live[c.callee.index()][callee.entry.index()];
                for (here, there) in frame.common_globals(inner) {
                    if after.contains(here) {
                        at_exit.insert(there);
                        after.set(here, false);
                    }
                    if entry.contains(there) {
                        live.insert(here);
                    }
                }
                for (formal, argument) in callee.formals.iter().zip(&c.arguments) {
                    if inner.slot(*formal).is_some_and(|slot| entry.contains(slot)) {
                        read(argument, live);
                    }
                }
                let exit = &mut self.live[c.callee.index()][callee.exit.index()];
                if !at_exit.is_subset(exit) {
                    exit.union_with(&at_exit);
                    self.exits_changed.push(c.callee);
                }
            }
        }
        live.union_with(&after);
    }
}
