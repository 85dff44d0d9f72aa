//! The statements of a region as one formula.
//!
//! Where a region branches, a free variable chooses the edge, so at most one path is taken under
//! each valuation, and each path under some; where it joins, a variable has its value on the edge
//! that is taken.

use std::collections::BTreeMap;

use super::assertion::{Encoding, Goal, Place, State};
use super::region::Cuts;
use crate::language::program::{Assignment, Call, EdgeId, Expr, Op, Operation};
use crate::proof::failure::Obligation;
use crate::proof::formula::{FALSE, Literal, TRUE};
use hardbop_base::budget::Exhausted;

impl Encoding<'_> {
    /// The region that begins at `start`.
    pub fn region(&mut self, cuts: &Cuts, (id, start): Place) -> Result<(), Exhausted> {
        let (mut entry, mut current) = self.arbitrary((id, start));
        (self.facts, self.choices) = self.assume((id, start), &mut entry, &mut current, 1);
        if self.facts.contains(&FALSE) {
            return Ok(());
        }
        if start == cuts.procedure.error {
            let what = (Obligation::Error, (id, start), None);
            let (layer, ways) = (usize::MAX, vec![(vec![FALSE], vec![])]);
            self.goals.push(Goal { what, layer, reached: TRUE, ways });
        }
        // By node: the edges into it, each with whether it is taken, and the state after it.
        let mut arrivals: BTreeMap<_, Vec<(Literal, State)>> = BTreeMap::new();
        arrivals.insert(start, vec![(TRUE, current)]);
        for node in cuts.region(start) {
            self.subject.budget.check()?;
            let (mut here, state) = self.join(arrivals.remove(&node).unwrap_or_default());
            let outgoing = cuts.outgoing(node);
            for (i, &e) in outgoing.iter().enumerate() {
                let mut taken = here;
                if i + 1 < outgoing.len() {
                    let this = self.formula.input();
                    taken = self.formula.and(here, this);
                    here = self.formula.and(here, this ^ 1);
                }
                let edge = cuts.procedure.edge(e);
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

    /// Joins arrivals, at most one of which is taken.
    fn join(&mut self, arrivals: Vec<(Literal, State)>) -> (Literal, State) {
        let mut arrivals = arrivals.into_iter().filter(|a| a.0 != FALSE);
        let Some((mut any, mut state)) = arrivals.next() else { return (FALSE, State::default()) };
        for (taken, other) in arrivals {
            for (variable, value) in &mut state {
                *value = self.formula.ite(taken, other[variable], *value);
            }
            any = self.formula.or(any, taken);
        }
        (any, state)
    }

    /// Whether control passes an operation, and the state after it.
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
                    next.insert(*target, self.expression(value, state, state));
                }
                let condition = constrain.as_ref();
                condition.map_or(TRUE, |c| self.expression(c, state, &next))
            }
            Operation::Call(call) => self.call(call, taken, &mut next, edge),
        };
        (self.formula.and(taken, passes), next)
    }

    /// The callee's entry assertion becomes a goal, its exit assertion an assumption.
    fn call(
        &mut self,
        Call { callee, arguments, targets }: &Call,
        taken: Literal,
        state: &mut State,
        edge: EdgeId,
    ) -> Literal {
        let program = self.subject.program;
        let procedure = program.procedure(*callee);
        let mut entry: State = program.globals.iter().map(|g| (*g, state[g])).collect();
        for (formal, argument) in procedure.formals.iter().zip(arguments) {
            entry.insert(*formal, self.expression(argument, state, state));
        }
        let mut begin = entry.clone();
        self.complete(&mut begin, procedure);
        let what = (Obligation::Call, (*callee, procedure.entry), Some(edge));
        self.oblige(what, taken, &entry, &begin);

        let (first, mut end) = (self.formula.len() as u32 + 1, State::default());
        self.complete(&mut end, procedure);
        let (facts, _) = self.assume((*callee, procedure.exit), &mut entry, &mut end, first);
        state.extend(program.globals.iter().map(|g| (*g, end[g])));
        let results = targets.iter().zip(&procedure.returns);
        state.extend(results.filter_map(|(target, result)| Some(((*target)?, end[result]))));
        self.formula.all(&facts)
    }

    /// An expression in postfix order; `next` holds the values after an assignment.
    fn expression(&mut self, expression: &Expr, state: &State, next: &State) -> Literal {
        let f = &mut self.formula;
        let mut stack: Vec<Literal> = Vec::new();
        for &op in expression.ops.iter() {
            let value = match (op, &stack.split_off(stack.len() - op.arity())[..]) {
                (Op::Constant(b), _) => b.into(),
                (Op::Variable(v), _) => state[&v],
                (Op::Next(v), _) => next[&v],
                (Op::Not, &[a]) => a ^ 1,
                (Op::And, &[a, b]) => f.and(a, b),
                (Op::Or, &[a, b]) => f.or(a, b),
                (Op::Xor, &[a, b]) => f.iff(a, b) ^ 1,
                (Op::Equal, &[a, b]) => f.iff(a, b),
                (Op::Implies, &[a, b]) => f.or(a ^ 1, b),
                (Op::Choose, &[a, b]) => {
                    let any = f.input();
                    let otherwise = f.ite(b, FALSE, any);
                    f.ite(a, TRUE, otherwise)
                }
                (Op::Nondet, _) => f.input(),
                _ => unreachable!("an operator has as many operands as it pops"),
            };
            stack.push(value);
        }
        stack.pop().expect("expressions are not empty")
    }
}
