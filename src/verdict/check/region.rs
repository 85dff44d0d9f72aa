//! The statements from one cut node to the next ones, as one formula.
//!
//! A cut node is the entry, the exit, the error node, a node with an assertion, or one that cuts
//! a cycle.  A region is acyclic.  Where it branches, a free variable chooses the edge, so
//! at most one path is taken under each valuation, and each path under some; where it joins, a
//! variable has the value that it has on the edge that is taken.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Goal, Index};
use crate::bp::program::{
    Assignment, Call, EdgeId, Expr, NodeId, Op, Operation, ProcId, Procedure, VarId,
};
use crate::budget::{Budget, Exhausted};
use crate::verdict::failure::Obligation;
use crate::verdict::formula::{FALSE, Formula, Literal, TRUE};
use crate::verdict::invariant::Atom;

/// The cut nodes of a procedure.
pub(super) struct Cuts {
    pub is_cut: Vec<bool>,
    /// By node: edges out of it, but for those that assume `F`, which close no cycle.
    outgoing: Vec<Vec<EdgeId>>,
    /// Of each node, such that edges lead to cut nodes or to a later position.
    position: Vec<usize>,
}

impl Cuts {
    /// With at least the nodes `is_cut`.
    pub fn new(procedure: &Procedure, mut is_cut: Vec<bool>) -> Self {
        for node in [procedure.entry, procedure.exit, procedure.error] {
            is_cut[node.index()] = true;
        }
        let nodes = procedure.node_count();
        let passes = |e: &EdgeId| {
            let operation = &procedure.edge(*e).operation;
            !matches!(operation, Operation::Assume(c) if *c.ops == [Op::Constant(false)])
        };
        let outgoing = procedure.outgoing.iter();
        let outgoing: Vec<Vec<EdgeId>> =
            outgoing.map(|edges| edges.iter().copied().filter(passes).collect()).collect();
        let (mut seen, mut open) = (vec![false; nodes], vec![false; nodes]);
        let mut left = Vec::with_capacity(nodes);
        for root in 0..nodes {
            // Depth first: an edge back into what is open closes a cycle.
            let mut stack = vec![(root, 0)];
            while let Some((node, next)) = stack.pop() {
                if next == 0 && std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                open[node] = true;
                let Some(&edge) = outgoing[node].get(next) else {
                    open[node] = false;
                    left.push(node);
                    continue;
                };
                stack.push((node, next + 1));
                let target = procedure.edge(edge).target.index();
                is_cut[target] |= open[target];
                if !is_cut[target] && !seen[target] {
                    stack.push((target, 0));
                }
            }
        }
        let mut position = vec![0; nodes];
        for (p, node) in left.into_iter().rev().enumerate() {
            position[node] = p;
        }
        Self { is_cut, outgoing, position }
    }

    /// `start` and the nodes that are no cuts up to the next cut nodes, each after those before it.
    pub fn region(&self, procedure: &Procedure, start: NodeId) -> Vec<NodeId> {
        let mut inner = BTreeMap::new();
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            for &edge in &self.outgoing[node.index()] {
                let target = procedure.edge(edge).target;
                let new = !self.is_cut[target.index()]
                    && inner.insert(self.position[target.index()], target).is_none();
                if new {
                    stack.push(target);
                }
            }
        }
        std::iter::once(start).chain(inner.into_values()).collect()
    }
}

/// The values of globals, then of a procedure's formals, locals and return slots.
type State = Vec<Literal>;

/// An edge into a node: is it taken, and the state after it.
struct Arrival {
    taken: Literal,
    edge: EdgeId,
    state: State,
}

/// A formula about executions, with what is to be proved of them.
pub(super) struct Encoding<'a> {
    index: &'a Index<'a>,
    pub formula: Formula,
    pub goals: Vec<Goal>,
    /// The layer that is to be proved.
    layer: usize,
}

impl<'a> Encoding<'a> {
    pub fn new(index: &'a Index<'a>, layer: usize) -> Self {
        Self { index, formula: Formula::new(), goals: Vec::new(), layer }
    }

    /// Any values: entry values of globals and formals, and current values.
    pub fn arbitrary(&mut self, procedure: ProcId, at_entry: bool) -> (State, State) {
        let formals = self.index.program.procedure(procedure).formals.len();
        let known = self.index.program.globals.len() + formals;
        let entry: State = (0..known).map(|_| self.formula.input()).collect();
        let mut current = if at_entry { entry.clone() } else { Vec::new() };
        while current.len() < self.index.width(procedure) {
            current.push(self.formula.input());
        }
        (entry, current)
    }

    /// The assertions of the first `layers` layers at a node.
    pub fn known(
        &mut self,
        layers: usize,
        place: (ProcId, NodeId),
        entry: &[Literal],
        current: &[Literal],
    ) -> Literal {
        let mut all = TRUE;
        for &(layer, root) in self.index.assertions(place).iter().take_while(|a| a.0 < layers) {
            let (holds, _) = self.instance(layer, root, entry, current);
            all = self.formula.and(all, holds);
        }
        all
    }

    /// A literal of a layer's circuit, with fresh variables for its choices.
    fn instance(
        &mut self,
        layer: usize,
        root: Literal,
        entry: &[Literal],
        current: &[Literal],
    ) -> (Literal, Vec<Literal>) {
        let index = self.index;
        let circuit = &index.invariant.layers[layer].circuit;
        let mut image: FxHashMap<u32, Literal> = FxHashMap::from_iter([(0, FALSE)]);
        let mut choices: BTreeMap<u32, Literal> = BTreeMap::new();
        let mut stack = vec![root >> 1];
        while let Some(&v) = stack.last() {
            if image.contains_key(&v) {
                stack.pop();
                continue;
            }
            let literal = match circuit.inputs.get(v as usize - 1) {
                Some(Atom::Entry(x)) => entry[index.slot[x.index()]],
                Some(Atom::Current(x)) => current[index.slot[x.index()]],
                Some(Atom::Choice(c)) => *choices.entry(*c).or_insert_with(|| self.formula.input()),
                None => {
                    let (a, b) = circuit.gates[v as usize - 1 - circuit.inputs.len()];
                    let of = |l: u32| image.get(&(l >> 1)).map(|i| i ^ (l & 1));
                    let (Some(x), Some(y)) = (of(a), of(b)) else {
                        stack.extend([a >> 1, b >> 1]);
                        continue;
                    };
                    self.formula.and(x, y)
                }
            };
            image.insert(v, literal);
        }
        (image[&(root >> 1)] ^ (root & 1), choices.into_values().collect())
    }

    /// The layer's assertion at a place has to hold where `reached`.
    pub fn oblige(
        &mut self,
        obligation: Obligation,
        place: (ProcId, NodeId),
        reached: Literal,
        entry: &[Literal],
        current: &[Literal],
        last: Vec<(Literal, EdgeId)>,
    ) {
        let Some(root) = self.index.assertion(self.layer, place) else { return };
        let (goal, choices) = self.instance(self.layer, root, entry, current);
        let earlier = self.known(self.layer, place, entry, current);
        let premise = self.formula.and(reached, earlier);
        self.goals.push(Goal { obligation, place, premise, goal, choices, last });
    }

    /// The region that begins at `start`.
    pub fn region(
        &mut self,
        cuts: &Cuts,
        (id, start): (ProcId, NodeId),
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let procedure = self.index.program.procedure(id);
        let nodes = cuts.region(procedure, start);
        let asserted = |place| self.index.assertion(self.layer, place).is_some();
        let entry_of = |p: ProcId| (p, self.index.program.procedure(p).entry);
        let obliges = |&edge: &EdgeId| {
            let edge = procedure.edge(edge);
            let call =
                |o: &Operation| matches!(o, Operation::Call(c) if asserted(entry_of(c.callee)));
            asserted((id, edge.target)) || call(&edge.operation)
        };
        if !nodes.iter().flat_map(|n| &cuts.outgoing[n.index()]).any(obliges) {
            return Ok(());
        }
        let (entry, current) = self.arbitrary(id, start == procedure.entry);
        let holds = self.known(self.layer + 1, (id, start), &entry, &current);
        let mut begin = Some((holds, current));
        let mut arrivals: BTreeMap<NodeId, Vec<Arrival>> = BTreeMap::new();
        for node in nodes {
            budget.check()?;
            let (mut here, state) = match begin.take() {
                Some(begin) => begin,
                None => self.join(arrivals.remove(&node).unwrap_or_default()),
            };
            let outgoing = &cuts.outgoing[node.index()];
            for (i, &id_of_edge) in outgoing.iter().enumerate() {
                let mut taken = here;
                if i + 1 < outgoing.len() {
                    let this = self.formula.input();
                    taken = self.formula.and(here, this);
                    here = self.formula.and(here, this ^ 1);
                }
                let edge = procedure.edge(id_of_edge);
                let (passes, state) = self.operation(&edge.operation, taken, &state, id_of_edge);
                let taken = self.formula.and(taken, passes);
                let arrival = Arrival { taken, edge: id_of_edge, state };
                arrivals.entry(edge.target).or_default().push(arrival);
            }
        }
        for (node, arrivals) in arrivals {
            let last = arrivals.iter().map(|a| (a.taken, a.edge)).collect();
            let (reached, state) = self.join(arrivals);
            self.oblige(Obligation::Path, (id, node), reached, &entry, &state, last);
        }
        Ok(())
    }

    /// One of the arrivals, at most one of which is taken.
    fn join(&mut self, arrivals: Vec<Arrival>) -> (Literal, State) {
        let mut arrivals = arrivals.into_iter();
        let Some(Arrival { taken: mut any, mut state, .. }) = arrivals.next() else {
            return (FALSE, Vec::new());
        };
        for arrival in arrivals {
            for (value, other) in state.iter_mut().zip(arrival.state) {
                *value = self.formula.ite(arrival.taken, other, *value);
            }
            any = self.formula.or(any, arrival.taken);
        }
        (any, state)
    }

    /// When an operation passes, and the state after it.
    fn operation(
        &mut self,
        operation: &Operation,
        taken: Literal,
        state: &State,
        edge: EdgeId,
    ) -> (Literal, State) {
        match operation {
            Operation::Skip => (TRUE, state.clone()),
            Operation::Assume(condition) => {
                (self.expression(condition, state, state), state.clone())
            }
            Operation::Assign(Assignment { targets, values, constrain }) => {
                let mut next = state.clone();
                for (target, value) in targets.iter().zip(values) {
                    next[self.index.slot[target.index()]] = self.expression(value, state, state);
                }
                let condition = constrain.as_ref();
                (condition.map_or(TRUE, |c| self.expression(c, state, &next)), next)
            }
            Operation::Call(call) => self.call(call, taken, state, edge),
        }
    }

    /// The callee's entry assertion is to hold, its exit assertions do.
    fn call(
        &mut self,
        Call { callee, arguments, targets }: &Call,
        taken: Literal,
        state: &State,
        edge: EdgeId,
    ) -> (Literal, State) {
        let procedure = self.index.program.procedure(*callee);
        let globals = self.index.program.globals.len();
        let mut entry: State = state[..globals].to_vec();
        for argument in arguments {
            entry.push(self.expression(argument, state, state));
        }
        let mut start = entry.clone();
        while start.len() < self.index.width(*callee) {
            start.push(self.formula.input());
        }
        let place = (*callee, procedure.entry);
        self.oblige(Obligation::Call, place, taken, &entry, &start, vec![(taken, edge)]);

        let end: State = (0..start.len()).map(|_| self.formula.input()).collect();
        let place = (*callee, procedure.exit);
        let passes = self.known(self.layer + 1, place, &entry, &end);
        let mut next = state.clone();
        next[..globals].copy_from_slice(&end[..globals]);
        for (target, result) in targets.iter().zip(&procedure.returns) {
            if let Some(target) = target {
                next[self.index.slot[target.index()]] = end[self.index.slot[result.index()]];
            }
        }
        (passes, next)
    }

    /// An expression in postfix order; `next` holds the values after an assignment.
    fn expression(&mut self, expression: &Expr, state: &State, next: &State) -> Literal {
        let slot = |v: &VarId| self.index.slot[v.index()];
        let f = &mut self.formula;
        let mut stack: Vec<Literal> = Vec::new();
        for op in expression.ops.iter() {
            let mut pop = || stack.pop().expect("expressions are well-formed");
            let value = match op {
                Op::Constant(b) => (*b).into(),
                Op::Variable(v) => state[slot(v)],
                Op::Next(v) => next[slot(v)],
                Op::Nondet => f.input(),
                Op::Not => pop() ^ 1,
                Op::And | Op::Or | Op::Xor | Op::Equal | Op::Implies | Op::Choose => {
                    let (b, a) = (pop(), pop());
                    match op {
                        Op::And => f.and(a, b),
                        Op::Or => f.or(a, b),
                        Op::Xor => f.iff(a, b) ^ 1,
                        Op::Equal => f.iff(a, b),
                        Op::Implies => f.or(a ^ 1, b),
                        // T if a, else F if b, else any value.
                        _ => {
                            let any = f.input();
                            let else_any = f.and(b ^ 1, any);
                            f.or(a, else_any)
                        }
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().expect("expressions are not empty")
    }
}
