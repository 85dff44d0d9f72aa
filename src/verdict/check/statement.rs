//! The statements of a region as one formula.
//!
//! Where a region branches, a free variable chooses the edge, so at most one path is taken under
//! each valuation, and each path under some; where it joins, a variable has the value that it has
//! on the edge that is taken.

use std::collections::BTreeMap;

use super::assertion::{Encoding, Place, State};
use super::region::Cuts;
use crate::bp::program::{Assignment, Call, EdgeId, Expr, Op, Operation, VarId};
use crate::budget::{Budget, Exhausted};
use crate::verdict::failure::Obligation;
use crate::verdict::formula::{FALSE, Literal, TRUE};

impl Encoding<'_> {
    /// The region that begins at `start`.
    pub fn region(
        &mut self,
        cuts: &Cuts,
        (id, start): Place,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let index = self.index;
        let procedure = index.program.procedure(id);
        let nodes = cuts.region(procedure, start);
        let edges = nodes.iter().flat_map(|n| &cuts.outgoing[n.index()]);
        let obliges = |&e: &EdgeId| {
            let edge = procedure.edge(e);
            let entry = |callee| (callee, index.program.procedure(callee).entry);
            let called = match &edge.operation {
                Operation::Call(call) => index.assertion(self.layer, entry(call.callee)),
                _ => None,
            };
            called.or(index.assertion(self.layer, (id, edge.target))).is_some()
        };
        if !edges.into_iter().any(obliges) {
            return Ok(());
        }
        let at_entry = start == procedure.entry;
        let (entry, current) = self.start(self.layer + 1, (id, start), at_entry);
        if self.facts.contains(&FALSE) {
            return Ok(());
        }
        // By node: the edges into it, each with whether it is taken, and the state after it.
        let mut arrivals: BTreeMap<_, Vec<(Literal, State)>> = BTreeMap::new();
        arrivals.insert(start, vec![(TRUE, current)]);
        for node in nodes {
            budget.check()?;
            let (mut here, state) = self.join(arrivals.remove(&node).unwrap_or_default());
            let outgoing = &cuts.outgoing[node.index()];
            for (i, &e) in outgoing.iter().enumerate() {
                let mut taken = here;
                if i + 1 < outgoing.len() {
                    let this = self.formula.input();
                    taken = self.formula.and(here, this);
                    here = self.formula.and(here, this ^ 1);
                }
                let edge = procedure.edge(e);
                let (taken, state) = self.operation(&edge.operation, taken, &state, e);
                if cuts.is_cut[edge.target.index()] {
                    let what = (Obligation::Path, (id, edge.target), Some(e));
                    self.oblige(what, taken, &entry, &state);
                } else {
                    arrivals.entry(edge.target).or_default().push((taken, state));
                }
            }
        }
        Ok(())
    }

    /// One of the arrivals, at most one of which is taken.
    fn join(&mut self, arrivals: Vec<(Literal, State)>) -> (Literal, State) {
        let mut arrivals = arrivals.into_iter().filter(|a| a.0 != FALSE);
        let Some((mut any, mut state)) = arrivals.next() else { return (FALSE, Vec::new()) };
        for (taken, other) in arrivals {
            for (value, other) in state.iter_mut().zip(other) {
                *value = self.formula.ite(taken, other, *value);
            }
            any = self.formula.or(any, taken);
        }
        (any, state)
    }

    /// Whether an operation is passed, and the state after it.
    fn operation(
        &mut self,
        operation: &Operation,
        taken: Literal,
        state: &State,
        edge: EdgeId,
    ) -> (Literal, State) {
        let mut next = state.clone();
        let passes = match operation {
            _ if taken == FALSE => FALSE,
            Operation::Skip => TRUE,
            Operation::Assume(condition) => self.expression(condition, state, state),
            Operation::Assign(Assignment { targets, values, constrain }) => {
                for (target, value) in targets.iter().zip(values) {
                    next[self.index.slot[target.index()]] = self.expression(value, state, state);
                }
                let condition = constrain.as_ref();
                condition.map_or(TRUE, |c| self.expression(c, state, &next))
            }
            Operation::Call(call) => self.call(call, taken, &mut next, edge),
        };
        (self.formula.and(taken, passes), next)
    }

    /// The callee's entry assertion is to hold, its exit assertions do.
    fn call(
        &mut self,
        Call { callee, arguments, targets }: &Call,
        taken: Literal,
        state: &mut State,
        edge: EdgeId,
    ) -> Literal {
        let (index, globals) = (self.index, self.index.program.globals.len());
        let procedure = index.program.procedure(*callee);
        let mut entry: State = state[..globals].to_vec();
        entry.extend(arguments.iter().map(|a| self.expression(a, state, state)));
        let begin = self.fresh(entry.clone(), index.width(*callee));
        let what = (Obligation::Call, (*callee, procedure.entry), Some(edge));
        self.oblige(what, taken, &entry, &begin);

        let first = self.formula.len() as u32 + 1;
        let mut end = self.fresh(Vec::new(), begin.len());
        let place = (*callee, procedure.exit);
        let (facts, _) = self.assume(self.layer + 1, place, (&mut entry, &mut end), first);
        state[..globals].copy_from_slice(&end[..globals]);
        for (target, result) in targets.iter().zip(&procedure.returns) {
            if let Some(target) = target {
                state[index.slot[target.index()]] = end[index.slot[result.index()]];
            }
        }
        facts.into_iter().fold(TRUE, |all, fact| self.formula.and(all, fact))
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
