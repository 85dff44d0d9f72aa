//! Procedures that a search can step over.
//!
//! Where few variables are kept, most procedures neither read nor write any of them and cannot
//! fail.  Their summary is the identity, so they are neither encoded nor explored; only a
//! counterexample has to pass through them, for which some short path from entry to exit is kept.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::block::{BlockStep, Compressed};
use super::facts::Facts;
use super::liveness::{Frame, Liveness};
use super::shape::{Passable, Shape};
use super::slice::{ProcedureSlice, Slice};
use super::values::Values;
use crate::engine::limits;
use crate::engine::symbolic::state::evaluate;
use crate::language::program::{EdgeId, Expr, NodeId, Op, Operation, ProcId, Program};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Cadical, CircuitSolver, SatResult};
use hardbop_logic::{Aig, Lit};

/// A way from the entry to the exit of a procedure.
#[derive(Debug, Clone)]
struct Through {
    edges: Vec<EdgeId>,
    /// The number of edges, those of the callees included.
    length: usize,
}

/// The transparent procedures.
#[derive(Debug, Default)]
pub struct Transparent {
    /// The way through each procedure that is transparent.
    through: Vec<Option<Through>>,
}

impl Transparent {
    /// Finds the procedures that have an edge path from entry to exit which is feasible when all
    /// variables are left out.  No two edges share variables then, so a path is feasible if each of
    /// its edges is.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn find(
        program: &Program,
        (slice, shape): (&Slice, &Shape),
        liveness: &Liveness,
        facts: Option<&Facts>,
        limits: &limits::Prepare,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut search = Search {
            program,
            facts,
            passable: &shape.passable,
            longest: limits.transparent_steps,
            budget,
            through: vec![None; program.procedures.len()],
        };
        let mut open: Vec<(ProcId, &ProcedureSlice)> = program
            .procedure_ids()
            .filter(|p| liveness.frames[p.index()].is_empty())
            .filter_map(|p| Some((p, slice.procedure(p)?)))
            .filter(|(p, s)| !s.can_fail && s.nodes[program.procedure(*p).exit.index()])
            .collect();
        // Callees first: a path uses only callees that already have one, so it is finite.
        open.sort_by_key(|(p, _)| std::cmp::Reverse(shape.calls.level[p.index()]));
        loop {
            let before = open.len();
            let mut left = vec![];
            for (p, kept) in open {
                search.through[p.index()] = search.path(p, kept)?;
                if search.through[p.index()].is_none() {
                    left.push((p, kept));
                }
            }
            if left.len() == before || left.is_empty() {
                return Ok(Self { through: search.through });
            }
            open = left;
        }
    }

    /// Whether a search can step over `p`.
    pub fn contains(&self, p: ProcId) -> bool {
        self.through.get(p.index()).is_some_and(Option::is_some)
    }

    /// The steps of the path through `p`, its callees included; none if `p` is not transparent.
    pub fn steps(
        &self,
        program: &Program,
        slice: &Slice,
        compressed: &[Option<Compressed>],
        p: ProcId,
    ) -> Vec<BlockStep> {
        let mut steps = vec![];
        // Procedure, next edge, and the cut node at which its current block starts.
        let mut stack = vec![(p, 0, program.procedure(p).entry)];
        while let Some((p, at, start)) = stack.pop() {
            let (Some(Some(through)), Some(kept), Some(compressed)) =
                (self.through.get(p.index()), slice.procedure(p), &compressed[p.index()])
            else {
                continue;
            };
            let Some(&e) = through.edges.get(at) else {
                if !stack.is_empty() {
                    steps.push(BlockStep::Return);
                }
                continue;
            };
            let edge = program.procedure(p).edge(e);
            let ends = compressed.cut[edge.target.index()];
            stack.push((p, at + 1, if ends { edge.target } else { start }));
            if let Operation::Call(call) = &edge.operation {
                let outgoing = &program.procedure(p).outgoing[edge.source.index()];
                let is_site = |&f: &EdgeId| {
                    let operation = &program.procedure(p).edge(f).operation;
                    kept.edges[f.index()] && matches!(operation, Operation::Call(_))
                };
                let site = outgoing.iter().take_while(|&&f| f != e).copied().filter(is_site);
                let (node, site) = (edge.source, site.count());
                steps.push(BlockStep::Call { procedure: p, node, site });
                stack.push((call.callee, 0, program.procedure(call.callee).entry));
            } else if ends {
                steps.push(BlockStep::Block { procedure: p, node: start, target: edge.target });
            }
        }
        steps
    }
}

struct Search<'a> {
    program: &'a Program,
    facts: Option<&'a Facts>,
    passable: &'a Passable,
    longest: usize,
    budget: &'a Budget,
    through: Vec<Option<Through>>,
}

impl Search<'_> {
    /// A path with few edges, calls counting as one.
    fn path(&self, p: ProcId, kept: &ProcedureSlice) -> Result<Option<Through>, Exhausted> {
        self.budget.check()?;
        let procedure = self.program.procedure(p);
        let enters = |n: NodeId| {
            kept.nodes[n.index()] && !self.facts.is_some_and(|facts| facts.is_unreachable(p, n))
        };
        let mut came: Vec<Option<EdgeId>> = vec![None; procedure.nodes.len()];
        let mut queue = VecDeque::from([procedure.entry]);
        if !enters(procedure.entry) {
            return Ok(None);
        }
        while let Some(node) = queue.pop_front() {
            if node == procedure.exit {
                break;
            }
            for &e in procedure.outgoing[node.index()].iter().filter(|e| kept.edges[e.index()]) {
                let edge = procedure.edge(e);
                let target = edge.target;
                if target != procedure.entry
                    && came[target.index()].is_none()
                    && enters(target)
                    && self.passes((p, e), &edge.operation)?
                {
                    came[target.index()] = Some(e);
                    queue.push_back(target);
                }
            }
        }
        let (mut edges, mut length) = (vec![], 0);
        let mut at = procedure.exit;
        while at != procedure.entry {
            let Some(e) = came[at.index()] else { return Ok(None) };
            edges.push(e);
            let edge = procedure.edge(e);
            length += 1;
            if let Operation::Call(call) = &edge.operation {
                length += self.through[call.callee.index()].as_ref().map_or(0, |t| t.length + 1);
            }
            at = edge.source;
        }
        edges.reverse();
        Ok((length <= self.longest).then_some(Through { edges, length }))
    }

    fn passes(&self, edge: (ProcId, EdgeId), operation: &Operation) -> Result<bool, Exhausted> {
        let may_hold = |condition| self.passable.get(edge, || self.may_hold(condition));
        match operation {
            Operation::Skip => Ok(true),
            Operation::Assume(condition) => may_hold(condition),
            Operation::Assign(a) => a.constrain.as_ref().map_or(Ok(true), may_hold),
            Operation::Call(call) => Ok(self.through[call.callee.index()].is_some()),
        }
    }

    /// Whether some values make an expression true.
    fn may_hold(&self, expr: &Expr) -> Result<bool, Exhausted> {
        // An expression without constants in which nothing occurs twice has both values.
        let mut seen = FxHashSet::default();
        if expr.ops.iter().all(|&op| match op {
            Op::Constant(_) => false,
            Op::Variable(v) => seen.insert((v, false)),
            Op::Next(v) => seen.insert((v, true)),
            _ => true,
        }) {
            return Ok(true);
        }
        let mut aig = Aig::new();
        let (frame, mut choices) = (Frame::default(), vec![]);
        let mut values = Values::new(&frame, None, &[], &mut choices);
        let lit = evaluate(&mut aig, expr, &mut values);
        if lit.is_constant() {
            return Ok(lit == Lit::TRUE);
        }
        // Most are true for many values.
        let mut random = Random::new(0);
        if Circuit::new(&aig, &[lit]).run(|_| random.bits())[0] != 0 {
            return Ok(true);
        }
        match CircuitSolver::new(Cadical::new()).solve(&aig, &[lit], self.budget) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat | SatResult::ConflictLimit => Ok(false),
            SatResult::Unknown(reason) => Err(reason),
        }
    }
}
