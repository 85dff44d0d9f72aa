//! Procedures that a search can step over.
//!
//! With few variables kept, most procedures neither read nor write any of them and cannot fail.
//! Their summary is the identity, so they need not be explored; only a counterexample has to pass
//! through them, for which some short path from entry to exit is kept.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use super::block::{BlockStep, Compressed};
use super::liveness::Liveness;
use super::slice::Slice;
use crate::base::budget::{Budget, Exhausted};
use crate::base::random::Random;
use crate::boolean::engine::limits;
use crate::boolean::language::program::{NodeId, ProcId, Program};
use crate::solve::logic::circuit::Circuit;
use crate::solve::logic::{Aig, Lit};
use crate::solve::sat::{Cadical, CircuitSolver, SatResult};

/// For each transparent procedure, a path from entry to exit that is feasible when all variables
/// are left out.
///
/// # Errors
/// If the budget is exhausted.
pub fn transparent(
    aig: &Aig,
    program: &Program,
    slice: &Slice,
    liveness: &Liveness,
    compressed: &[Option<Compressed>],
    limits: &limits::Prepare,
    budget: &Budget,
) -> Result<Vec<Option<Vec<BlockStep>>>, Exhausted> {
    let mut passable = Passable { aig, known: FxHashMap::default(), budget };
    let mut paths: Vec<Option<Vec<BlockStep>>> = vec![None; program.procedures.len()];
    let candidates: Vec<(ProcId, &Compressed)> = compressed
        .iter()
        .flatten()
        .map(|c| (c.procedure, c))
        .filter(|(p, _)| {
            let exit = program.procedure(*p).exit;
            liveness.frames[p.index()].is_empty()
                && slice.procedure(*p).is_some_and(|s| !s.can_fail && s.nodes[exit.index()])
        })
        .collect();
    // Callees first: a path uses only callees that already have one, so it is finite.
    loop {
        let mut changed = false;
        for &(p, blocks) in &candidates {
            if paths[p.index()].is_none() {
                let procedure = program.procedure(p);
                let path = through(
                    &mut passable,
                    blocks,
                    (procedure.entry, procedure.exit),
                    &paths,
                    limits,
                )?;
                changed |= path.is_some();
                paths[p.index()] = path;
            }
        }
        if !changed {
            return Ok(paths);
        }
    }
}

/// Decides which guards are satisfiable.  No two blocks share variables here, so a path is feasible
/// if each of its blocks is.
struct Passable<'a> {
    aig: &'a Aig,
    known: FxHashMap<Lit, bool>,
    budget: &'a Budget,
}

impl Passable<'_> {
    fn check(&mut self, guard: Lit) -> Result<bool, Exhausted> {
        if guard.is_constant() {
            return Ok(guard == Lit::TRUE);
        }
        if let Some(&known) = self.known.get(&guard) {
            return Ok(known);
        }
        // Most guards that are satisfiable hold for all values or for half of them.
        let mut random = Random::new(0);
        let mut passable = Circuit::new(self.aig, &[guard]).run(|_| random.bits())[0] != 0;
        if !passable {
            let mut solver = CircuitSolver::new(Cadical::new());
            passable = match solver.solve(self.aig, &[guard], self.budget) {
                SatResult::Sat => true,
                SatResult::Unsat | SatResult::ConflictLimit => false,
                SatResult::Unknown(reason) => return Err(reason),
            };
        }
        self.known.insert(guard, passable);
        Ok(passable)
    }
}

/// A path with few blocks and calls, the calls being expanded.
fn through(
    passable: &mut Passable,
    blocks: &Compressed,
    (entry, exit): (NodeId, NodeId),
    paths: &[Option<Vec<BlockStep>>],
    limits: &limits::Prepare,
) -> Result<Option<Vec<BlockStep>>, Exhausted> {
    let procedure = blocks.procedure;
    let mut came: BTreeMap<NodeId, (NodeId, BlockStep)> = BTreeMap::new();
    let mut queue = VecDeque::from([entry]);
    while let Some(node) = queue.pop_front() {
        if node == exit {
            break;
        }
        let mut next: Vec<(NodeId, BlockStep)> = vec![];
        for e in blocks.blocks[node.index()].iter().flat_map(|b| &b.exits) {
            if passable.check(e.state.guard)? {
                next.push((e.target, BlockStep::Block { procedure, node, target: e.target }));
            }
        }
        for (site, call) in blocks.calls[node.index()].iter().enumerate() {
            if let (Some(target), Some(_)) = (call.target, &paths[call.callee.index()]) {
                next.push((target, BlockStep::Call { procedure, node, site }));
            }
        }
        for (target, step) in next {
            if target != entry && !came.contains_key(&target) {
                came.insert(target, (node, step));
                queue.push_back(target);
            }
        }
    }
    let mut backwards = vec![];
    let mut at = exit;
    while at != entry {
        let Some(&(from, step)) = came.get(&at) else { return Ok(None) };
        backwards.push(step);
        at = from;
    }
    let mut path = vec![];
    for &step in backwards.iter().rev() {
        path.push(step);
        if let BlockStep::Call { node, site, .. } = step {
            let callee = blocks.calls[node.index()][site].callee;
            path.extend(paths[callee.index()].iter().flatten().copied());
            path.push(BlockStep::Return);
        }
        if path.len() > limits.transparent_steps {
            return Ok(None);
        }
    }
    Ok(Some(path))
}
