//! Large blocks for Boolean programs.
//!
//! The rules of large-block encoding, applied to the control-flow graph of a procedure: everything
//! between two *cut nodes* becomes one transition.  Cut nodes are the entry, loop heads, call sites
//! and the nodes to which calls return, joins of paths from different cut nodes, the exit and the
//! error node.  Each node belongs to the block of exactly one cut node, so the encoding is linear
//! in the program.
//!
//! Inside a block, execution is a function of the state at its cut node and of choice inputs: a
//! node with several ways out is given *split choices* unless its conditions exclude each other.
//! States that meet at a join have exclusive guards, so ω is merged by if-then-else without a
//! new choice.

use std::sync::Arc;

use std::collections::BTreeMap;

use super::Terms;
use super::facts::{Facts, SlotFacts};
use super::liveness::Liveness;
use super::order::Order;
use super::slice::{ProcedureSlice, Slice};
use super::values::{Switches, Values};
use crate::engine::symbolic::state::{State, evaluate, selector};
use crate::language::program::{
    Call, EdgeId, Expr, NodeId, Op, Operation, ProcId, Procedure, Program,
};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit};

/// One way out of a block.
#[derive(Debug, Clone)]
pub struct BlockExit {
    /// A cut node.
    pub target: NodeId,
    /// The state after the block, over the procedure's state inputs and the block's choices; dead
    /// slots are `FALSE`.
    pub state: State,
}

/// The transitions from one cut node to the next ones.
#[derive(Debug, Clone)]
pub struct Block {
    pub exits: Vec<BlockExit>,
    /// The choice inputs of all its exits.
    pub choices: Vec<Input>,
    /// Whether one execution of the procedure may pass it twice; then its choices are renamed.
    pub repeats: bool,
}

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockStep {
    /// The block at cut node `node` is left at cut node `target`.
    Block { procedure: ProcId, node: NodeId, target: NodeId },
    /// The call site `site` of cut node `node` enters its callee.
    Call { procedure: ProcId, node: NodeId, site: usize },
    /// The callee, at its exit, returns to the caller.
    Return,
    /// The call site `site` of cut node `node`, whose callee is transparent: it changes nothing at
    /// which the search looks.  Who expands the step need not have encoded the caller.
    Over { procedure: ProcId, node: NodeId, site: usize, callee: ProcId },
}

/// A call edge, encoded.
#[derive(Debug, Clone)]
pub struct CallSite {
    pub edge: EdgeId,
    pub callee: ProcId,
    /// Live formals of the callee (slot there), with their arguments over the caller's inputs.
    pub arguments: Vec<(usize, Lit)>,
    /// The choice inputs of the arguments.
    pub choices: Vec<Input>,
    pub repeats: bool,
    /// Globals of the callee's frame: (slot in the caller, slot in the callee).
    pub globals: Vec<(usize, usize)>,
    /// Returned values that are live: (slot in the caller, slot in the callee), in order.
    pub results: Vec<(usize, usize)>,
    /// The node that the call returns to; `None` if nothing matters after it.
    pub target: Option<NodeId>,
    /// The facts known after the return, over the caller's inputs.
    pub promise: Lit,
}

/// A procedure, compressed.
#[derive(Debug, Clone)]
pub struct Compressed {
    pub procedure: ProcId,
    /// Whether the formulas are there: inputs, blocks, calls, guards and facts.
    pub is_encoded: bool,
    /// The pre-state input of each slot; at the entry node, the entry values.
    pub inputs: Vec<Input>,
    pub order: Arc<Order>,
    pub cut: Vec<bool>,
    /// The block that starts at each cut node (calls apart).
    pub blocks: Vec<Option<Block>>,
    pub calls: Vec<Vec<CallSite>>,
    /// The guard under which its block takes each edge (except calls); `FALSE` if the edge is not
    /// part of a block.  Paths are reconstructed from these.
    pub guards: Vec<Lit>,
    /// The facts known at the entry node, over the inputs.
    pub entry_facts: Lit,
}

impl Compressed {
    /// The cut nodes of a procedure, without formulas.
    pub fn outline(
        procedure: &Procedure,
        id: ProcId,
        kept: &ProcedureSlice,
        order: Arc<Order>,
    ) -> Self {
        let n = procedure.nodes.len();
        Self {
            procedure: id,
            is_encoded: false,
            inputs: vec![],
            cut: cut_nodes(procedure, kept, &order),
            order,
            blocks: vec![None; n],
            calls: vec![vec![]; n],
            guards: vec![Lit::FALSE; procedure.edges.len()],
            entry_facts: Lit::TRUE,
        }
    }
}

/// Adds its formulas to an outline.
///
/// # Errors
/// If the budget is exhausted.
pub fn encode(
    aig: &mut Aig,
    program: &Program,
    slice: &Slice,
    liveness: &Liveness,
    terms: Terms,
    outline: Compressed,
    budget: &Budget,
) -> Result<Compressed, Exhausted> {
    let id = outline.procedure;
    let Some(kept) = slice.procedure(id) else { return Ok(outline) };
    let inputs = (0..liveness.frames[id.index()].len()).map(|_| aig.new_input()).collect();
    let compressor = Compressor {
        aig,
        program,
        slice,
        kept,
        id,
        procedure: program.procedure(id),
        liveness,
        switches: terms.switches,
        facts: terms.facts,
        out: Compressed { inputs, is_encoded: true, ..outline },
    };
    compressor.run(budget)
}

struct Compressor<'a> {
    aig: &'a mut Aig,
    program: &'a Program,
    slice: &'a Slice,
    kept: &'a ProcedureSlice,
    id: ProcId,
    procedure: &'a Procedure,
    liveness: &'a Liveness,
    switches: Option<&'a Switches>,
    facts: Option<&'a Facts>,
    out: Compressed,
}

impl<'a> Compressor<'a> {
    fn run(mut self, budget: &Budget) -> Result<Compressed, Exhausted> {
        let inputs = self.input_lits();
        self.out.entry_facts = self.known(self.procedure.entry, &inputs, None);
        for position in 0..self.out.order.sequence.len() {
            budget.check()?;
            let n = NodeId(self.out.order.sequence[position]);
            for &e in &self.procedure.outgoing[n.index()] {
                let edge = self.procedure.edge(e);
                if let Operation::Call(call) = &edge.operation
                    && self.kept.edges[e.index()]
                {
                    let site = self.call_site(n, e, call);
                    self.out.calls[n.index()].push(site);
                }
            }
            if self.out.cut[n.index()] && n != self.procedure.exit && n != self.procedure.error {
                let block = self.block(n, budget)?;
                if !block.exits.is_empty() {
                    self.out.blocks[n.index()] = Some(block);
                }
            }
        }
        Ok(self.out)
    }

    /// The kept edges out of a node, except calls.
    fn plain_edges(&self, n: NodeId) -> impl Iterator<Item = EdgeId> + use<'a> {
        let (procedure, kept) = (self.procedure, self.kept);
        procedure.outgoing[n.index()].iter().copied().filter(move |&e| {
            kept.edges[e.index()] && !matches!(procedure.edge(e).operation, Operation::Call(_))
        })
    }

    /// The state at a cut node before its block: each slot is an input of its own.
    fn input_lits(&self) -> Vec<Lit> {
        self.out.inputs.iter().map(|&i| self.aig.input(i)).collect()
    }

    /// The facts known of the live slots at a node, except those known at `from` and unchanged.
    fn known(&mut self, n: NodeId, omega: &[Lit], from: Option<(NodeId, &[Lit])>) -> Lit {
        let Some(facts) = self.facts else { return Lit::TRUE };
        let frame = &self.liveness.frames[self.id.index()];
        let facts = SlotFacts { facts, procedure: self.id, frame, switches: self.switches };
        facts.at(self.aig, n, self.liveness.at(self.id, n), omega, from)
    }

    fn call_site(&mut self, n: NodeId, e: EdgeId, call: &Call) -> CallSite {
        let callee = self.program.procedure(call.callee);
        let frame = &self.liveness.frames[self.id.index()];
        let inner = &self.liveness.frames[call.callee.index()];
        let target = self.procedure.edge(e).target;
        let mut choices = vec![];
        let mut arguments = vec![];
        if self.slice.procedure(call.callee).is_some() {
            let live = self.liveness.at(call.callee, callee.entry);
            let before = self.input_lits();
            for (formal, value) in callee.formals.iter().zip(&call.arguments) {
                if let Some(slot) = inner.slot(*formal).filter(|&s| live.contains(s)) {
                    let mut values = Values::new(frame, self.switches, &before, &mut choices);
                    arguments.push((slot, evaluate(self.aig, value, &mut values)));
                }
            }
        }
        let after = self.liveness.at(self.id, target);
        let results: Vec<(usize, usize)> = call
            .targets
            .iter()
            .zip(&callee.returns)
            .filter_map(|(t, r)| Some((frame.slot((*t)?)?, inner.slot(*r)?)))
            .filter(|&(outer, _)| after.contains(outer))
            .collect();
        let globals: Vec<(usize, usize)> = frame.common_globals(inner).collect();
        let target = self.kept.nodes[target.index()].then_some(target);
        let inputs = self.input_lits();
        // Unequal to the inputs where the call changes a slot.
        let modified = self.slice.procedure(call.callee).map(|s| &s.modified);
        let mut before = inputs.clone();
        for &(outer, _) in &globals {
            if modified.is_some_and(|m| m.contains(frame.slots[outer].index())) {
                before[outer] = !inputs[outer];
            }
        }
        for &(outer, _) in &results {
            before[outer] = !inputs[outer];
        }
        let promise = target.map_or(Lit::TRUE, |t| self.known(t, &inputs, Some((n, &before))));
        CallSite {
            edge: e,
            callee: call.callee,
            arguments,
            choices,
            repeats: self.out.order.cyclic[n.index()],
            globals,
            results,
            target,
            promise,
        }
    }

    /// Executes symbolically from cut node `start` to the next cut nodes, Table 1 edge by edge.
    fn block(&mut self, start: NodeId, budget: &Budget) -> Result<Block, Exhausted> {
        let inputs = self.input_lits();
        let omega = inputs.clone();
        let mut choices = vec![];
        let mut pending: BTreeMap<u32, (NodeId, State)> = BTreeMap::new();
        let mut exits: BTreeMap<u32, (NodeId, State)> = BTreeMap::new();
        let mut next = Some((start, State { omega, guard: Lit::TRUE }));
        while let Some((n, state)) = next {
            budget.check()?;
            for (target, state) in self.successors(n, state, &mut choices) {
                let position = self.out.order.position[target.index()];
                let map = if self.out.cut[target.index()] { &mut exits } else { &mut pending };
                match map.entry(position) {
                    std::collections::btree_map::Entry::Vacant(slot) => {
                        slot.insert((target, state));
                    }
                    std::collections::btree_map::Entry::Occupied(mut slot) => {
                        let live = self.liveness.at(self.id, target);
                        let old = &slot.get().1;
                        let merged = merge_exclusive(self.aig, old, &state, live);
                        slot.get_mut().1 = merged;
                    }
                }
            }
            next = pending.pop_first().map(|(_, item)| item);
        }
        let exits = exits
            .into_values()
            .map(|(target, mut state)| {
                state.clear_dead(self.liveness.at(self.id, target));
                let known = self.known(target, &state.omega, Some((start, &inputs)));
                state.guard = self.aig.and(state.guard, known);
                BlockExit { target, state }
            })
            .filter(|exit| exit.state.guard != Lit::FALSE)
            .collect();
        Ok(Block { exits, choices, repeats: self.out.order.cyclic[start.index()] })
    }

    fn successors(
        &mut self,
        n: NodeId,
        state: State,
        choices: &mut Vec<Input>,
    ) -> Vec<(NodeId, State)> {
        let units = self.units(n);
        let mut out = vec![];
        let mut guard = state.guard;
        let last = units.len().saturating_sub(1);
        for (i, unit) in units.iter().enumerate() {
            let mut chosen = guard;
            if i < last {
                let split = self.aig.new_input();
                choices.push(split);
                let lit = self.aig.input(split);
                chosen = self.aig.and(guard, lit);
                guard = self.aig.and(guard, !lit);
            }
            let from = State { omega: state.omega.clone(), guard: chosen };
            self.execute(unit, from, choices, &mut out);
        }
        out
    }

    /// Groups the ways out of a node: a condition and its negation exclude each other and need no
    /// split choice.
    fn units(&self, n: NodeId) -> Vec<Vec<EdgeId>> {
        let mut units: Vec<Vec<EdgeId>> = vec![];
        for e in self.plain_edges(n) {
            if let Operation::Assume(c) = &self.procedure.edge(e).operation {
                let partner = units.iter_mut().find(|u| {
                    u.len() == 1
                        && matches!(&self.procedure.edge(u[0]).operation,
                            Operation::Assume(d) if complementary(c, d))
                });
                if let Some(unit) = partner {
                    unit.push(e);
                    continue;
                }
            }
            units.push(vec![e]);
        }
        units
    }

    fn execute(
        &mut self,
        unit: &[EdgeId],
        state: State,
        choices: &mut Vec<Input>,
        out: &mut Vec<(NodeId, State)>,
    ) {
        let frame = &self.liveness.frames[self.id.index()];
        let first = self.procedure.edge(unit[0]);
        let before = &state.omega;
        let mut omega = state.omega.clone();
        let mut guard = state.guard;
        match &first.operation {
            Operation::Skip => {}
            Operation::Assume(c) => {
                let lit =
                    evaluate(self.aig, c, &mut Values::new(frame, self.switches, before, choices));
                if let Some(&second) = unit.get(1) {
                    let no = self.aig.and(guard, !lit);
                    let target = self.procedure.edge(second).target;
                    self.out.guards[second.index()] = no;
                    out.push((target, State { omega: omega.clone(), guard: no }));
                }
                guard = self.aig.and(guard, lit);
            }
            Operation::Assign(a) => {
                for (t, value) in a.targets.iter().zip(&a.values) {
                    if let Some(slot) = frame.slot(*t) {
                        let mut values = Values::new(frame, self.switches, before, choices);
                        omega[slot] = evaluate(self.aig, value, &mut values);
                    }
                }
                if let Some(c) = &a.constrain {
                    let mut values = Values::new(frame, self.switches, before, choices);
                    values.after = &omega;
                    let lit = evaluate(self.aig, c, &mut values);
                    guard = self.aig.and(guard, lit);
                }
            }
            Operation::Call(_) => unreachable!("plain edges are not calls"),
        }
        self.out.guards[unit[0].index()] = guard;
        out.push((first.target, State { omega, guard }));
        out.retain(|(_, s)| s.guard != Lit::FALSE);
    }
}

/// Whether a block starts or ends at each node.
fn cut_nodes(p: &Procedure, kept: &ProcedureSlice, order: &Order) -> Vec<bool> {
    const NONE: u32 = u32::MAX;
    let mut owner = vec![NONE; p.nodes.len()];
    let mut cut = vec![false; p.nodes.len()];
    for special in [p.entry, p.exit, p.error] {
        cut[special.index()] = true;
    }
    for (i, e) in p.edges.iter().enumerate() {
        if kept.edges[i] && matches!(e.operation, Operation::Call(_)) {
            cut[e.source.index()] = true;
            cut[e.target.index()] = true;
        }
    }
    for &n in &order.sequence {
        if order.head[n as usize] {
            cut[n as usize] = true;
        }
    }
    for &n in &order.sequence {
        if cut[n as usize] {
            owner[n as usize] = n;
        }
        let mine = owner[n as usize];
        for &e in &p.outgoing[n as usize] {
            let edge = p.edge(e);
            let t = edge.target.index();
            if !kept.edges[e.index()] || cut[t] {
                continue;
            }
            if owner[t] == NONE {
                owner[t] = mine;
            } else if owner[t] != mine {
                // A join of different blocks; the loop reaches it later.
                cut[t] = true;
            }
        }
    }
    cut
}

/// Whether one expression is the negation of the other, as written.
fn complementary(a: &Expr, b: &Expr) -> bool {
    let negates = |x: &[Op], y: &[Op]| x.split_last() == Some((&Op::Not, y));
    negates(&a.ops, &b.ops) || negates(&b.ops, &a.ops)
}

/// The union of two states with guards that exclude each other.
fn merge_exclusive(aig: &mut Aig, a: &State, b: &State, live: &fixedbitset::FixedBitSet) -> State {
    let choose = selector(aig, a.guard, b.guard).unwrap_or(a.guard);
    let mut omega = a.omega.clone();
    for slot in live.ones() {
        omega[slot] = aig.ite(choose, a.omega[slot], b.omega[slot]);
    }
    State { omega, guard: aig.or(a.guard, b.guard) }
}
