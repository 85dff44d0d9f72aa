//! Is a path of blocks an execution?  Decided on the whole program, all variables included.
//!
//! A path is given block by block; its way through each block is left open, since most of what
//! happens there has nothing to do with the property.  A path found with some variables left out
//! may be infeasible because of them.  Each variable has a *switch*: when it is on, reading the
//! variable gives what was last written; when it is off, any value.  The variables with switches in
//! an unsatisfiable core are those that refute the path.

mod execute;
pub mod way;

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::limits;
use crate::engine::path::{Failure, Hint, Path};
use crate::engine::prepare::block::BlockStep;
use crate::engine::prepare::facts::Facts;
use crate::engine::prepare::{self, Extent, Part, Prepared, Terms, values::Switches};
use crate::engine::report::EngineError;
use crate::engine::symbolic::decide::Model;
use crate::language::program::{EdgeId, NodeId, ProcId, Program, VarId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Backend, CircuitSolver, SatResult};
use hardbop_logic::{Aig, Input, Lit};

use execute::{Changes, Executed, Wanted};
use way::Way;

/// Answer of [`Guide::check`].
pub enum Guided {
    /// The edges of an execution, and values of variables before some of them, by position.
    Feasible(Path, Vec<(usize, Hint)>),
    /// Variables that were left out and make the path infeasible.
    Infeasible(Vec<VarId>),
}

/// The program with all its variables and their switches.
///
/// Procedures are encoded when a path first enters them.
pub struct Guide<'a> {
    aig: Aig,
    prepared: Prepared<'a>,
    switches: Switches,
    facts: Option<Arc<Facts>>,
    /// What a block changes, by procedure, cut node and exit.
    changed: FxHashMap<(ProcId, NodeId, usize), Changes>,
    /// Whether all switches are on, so that they can be ignored.
    whole: bool,
    backend: Backend,
    limits: limits::Prepare,
}

/// Whether the conditions of a path hold together.
enum Answer {
    /// In the model of this solver.
    Executed(CircuitSolver),
    /// Not if these variables are kept, too.  There are none where those that are kept refute it, or
    /// where facts that a search did not use are needed.
    Refuted(Vec<VarId>),
}

impl<'a> Guide<'a> {
    /// Prepares the program for deciding paths with solvers of `backend`.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        program: &'a Program,
        part: Part,
        facts: Option<Arc<Facts>>,
        backend: Backend,
        limits: &limits::Prepare,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut aig = Aig::new();
        let variables = part.slice.relevant.ones().map(|v| VarId(v as u32));
        let variables = variables.map(|v| (v, aig.new_input())).collect();
        let switches = Switches { variables, facts: aig.new_input() };
        let prepared = prepare::prepare(
            &mut aig,
            program,
            part,
            Extent::OnDemand,
            Terms { switches: Some(&switches), facts: facts.as_deref() },
            limits,
            budget,
        )?;
        let limits = *limits;
        let changed = FxHashMap::default();
        Ok(Self { aig, prepared, switches, facts, changed, whole: false, backend, limits })
    }

    fn encode(&mut self, p: ProcId, budget: &Budget) -> Result<(), Exhausted> {
        let terms = Terms { switches: Some(&self.switches), facts: self.facts.as_deref() };
        self.prepared.encode(&mut self.aig, p, terms, budget)
    }

    /// Decides a path that is feasible if variables outside `kept` may have any value.  Hints are
    /// used only if all variables are kept; otherwise the path may need other values.
    ///
    /// # Errors
    /// If the budget is exhausted, or if the kept variables alone refute the path.
    pub fn check(
        &mut self,
        way: &Way,
        kept: &FixedBitSet,
        budget: &Budget,
    ) -> Result<Guided, Failure> {
        self.whole = self.switches.variables.keys().all(|v| kept.contains(v.index()));
        let steps_over = way.steps.iter().any(|s| matches!(s, BlockStep::Over { .. }));
        if steps_over && !self.whole {
            let (conditions, _) = self.execute(&way.steps, &[], Wanted::Conditions, budget)?;
            // A way through code that does not matter may be infeasible although another one is
            // feasible.  What refutes the path whatever this code does is better.
            if let Answer::Refuted(core) = self.decide(conditions, kept, budget)?
                && !core.is_empty()
            {
                return Ok(Guided::Infeasible(core));
            }
        }
        let hints: &[Hint] = if self.whole { &way.hints } else { &[] };
        let (steps, hints) = self.in_full(way, hints);
        let (conditions, executed) = self.execute(&steps, &hints, Wanted::States, budget)?;
        match self.decide(conditions, kept, budget)? {
            Answer::Executed(solver) => {
                let (path, hints) = self.edges(&solver, &executed)?;
                Ok(Guided::Feasible(path, hints))
            }
            Answer::Refuted(core) if core.is_empty() => {
                Err(inconsistent("a path is infeasible whatever is left out"))
            }
            Answer::Refuted(core) => Ok(Guided::Infeasible(core)),
        }
    }

    /// The steps of a path with those through the procedures that it steps over, and the hints for
    /// them, if there are some for the path.
    fn in_full(&self, way: &Way, known: &[Hint]) -> (Vec<BlockStep>, Vec<Hint>) {
        let (mut steps, mut hints) = (vec![], vec![]);
        for (i, &step) in way.steps.iter().enumerate() {
            match step {
                BlockStep::Over { procedure, node, site, callee } => {
                    steps.push(BlockStep::Call { procedure, node, site });
                    steps.extend(self.prepared.path_through(&way.over, callee));
                    steps.push(BlockStep::Return);
                }
                step => steps.push(step),
            }
            hints.extend(known.get(i).cloned());
            if !known.is_empty() {
                hints.resize(steps.len(), Hint::new());
            }
        }
        (steps, hints)
    }

    /// Decides the conditions of a path; variables outside `kept` may be left out.
    fn decide(
        &self,
        conditions: Vec<Lit>,
        kept: &FixedBitSet,
        budget: &Budget,
    ) -> Result<Answer, Failure> {
        let mut solver = self.backend.circuit_solver();
        for c in conditions {
            budget.check()?;
            solver.assert(&self.aig, c);
        }
        let mut off = vec![];
        let mut switches: Vec<_> = self.switches.variables.iter().collect();
        switches.sort_unstable();
        for (&v, &switch) in switches {
            let lit = self.aig.input(switch);
            if kept.contains(v.index()) {
                solver.assert(&self.aig, lit);
            } else {
                off.push((v, lit));
            }
        }
        // Try with facts first: what they refute needs no variables.  If the kept variables alone
        // contradict the facts (the search did not use them there), look for a core without facts.
        let facts = self.aig.input(self.switches.facts);
        if solve(&mut solver, &self.aig, &off, Some(facts), None, budget)? == SatResult::Sat {
            return Ok(Answer::Executed(solver));
        }
        let limits = &self.limits;
        let mut core =
            small_core(&mut solver, &self.aig, off.clone(), Some(facts), limits, budget)?;
        if core.is_empty()
            && solve(&mut solver, &self.aig, &off, None, None, budget)? == SatResult::Unsat
        {
            core = small_core(&mut solver, &self.aig, off, None, limits, budget)?;
        }
        Ok(Answer::Refuted(core.into_iter().map(|s| s.0).collect()))
    }

    /// The edges that the blocks take in the solver's model, and the values of live variables
    /// before each block.
    fn edges(
        &self,
        solver: &CircuitSolver,
        executed: &[Executed],
    ) -> Result<(Path, Vec<(usize, Hint)>), Failure> {
        let mut roots: Vec<Lit> = vec![];
        for x in executed {
            if let Executed::Block { state, copies, .. } = x {
                roots.extend(state.iter().copied().chain(copies.iter().map(|c| c.1)));
            }
        }
        let word = |i: Input| u64::from(solver.value(&self.aig, i));
        let mut values = Circuit::new(&self.aig, &roots).run(word).into_iter();
        let mut path = vec![];
        let mut hints = vec![];
        for x in executed {
            let &Executed::Block { procedure: id, mut node, ref copies, .. } = x else {
                if let &Executed::Call(p, e) = x {
                    path.push((p, e));
                }
                continue;
            };
            let blocks = self.prepared.blocks(id);
            let procedure = self.prepared.procedure(id);
            let names = blocks.inputs.iter().copied().chain(copies.iter().map(|c| c.0));
            // Switches are inputs of the block like any others.
            let mut here: Model = self.switches.variables.values().map(|&s| (s, true)).collect();
            here.extend(names.zip(values.by_ref()).map(|(i, w)| (i, w & 1 == 1)));
            let value = |i: Input| here.get(&i).copied().unwrap_or(false);
            let slots = &self.prepared.frame(id).slots;
            let live = self.prepared.live(id, node).ones();
            hints.push((path.len(), live.map(|s| (slots[s], value(blocks.inputs[s]))).collect()));
            let (edges, guards) = self.block_guards(id, node);
            let taken = self.aig.evaluate(&guards, value);
            let taken: FxHashMap<EdgeId, bool> = edges.into_iter().zip(taken).collect();
            loop {
                let out = procedure.outgoing[node.index()].iter();
                let Some(&e) = out.into_iter().find(|e| taken.get(e) == Some(&true)) else {
                    return Err(inconsistent("a block has no way out"));
                };
                path.push((id, e));
                node = procedure.edge(e).target;
                if blocks.cut[node.index()] {
                    break;
                }
            }
        }
        Ok((path, hints))
    }

    /// The edges of the block at a cut node, with the guards under which they are taken.
    fn block_guards(&self, id: ProcId, start: NodeId) -> (Vec<EdgeId>, Vec<Lit>) {
        let blocks = self.prepared.blocks(id);
        let procedure = self.prepared.procedure(id);
        let (mut edges, mut guards) = (vec![], vec![]);
        let mut seen = FxHashSet::from_iter([start]);
        let mut stack = vec![start];
        while let Some(node) = stack.pop() {
            for &e in &procedure.outgoing[node.index()] {
                let guard = blocks.guards[e.index()];
                if guard == Lit::FALSE {
                    continue;
                }
                edges.push(e);
                guards.push(guard);
                let target = procedure.edge(e).target;
                if !blocks.cut[target.index()] && seen.insert(target) {
                    stack.push(target);
                }
            }
        }
        (edges, guards)
    }
}

fn inconsistent(what: &str) -> Failure {
    Failure::Engine(EngineError::TraceDoesNotReplay(what.to_string()))
}

fn solve(
    solver: &mut CircuitSolver,
    aig: &Aig,
    on: &[(VarId, Lit)],
    facts: Option<Lit>,
    conflicts: Option<u32>,
    budget: &Budget,
) -> Result<SatResult, Failure> {
    let assumptions = on.iter().map(|s| s.1).chain(facts);
    let assumptions: Vec<_> = assumptions.map(|l| solver.literal(aig, l)).collect();
    match solver.solve_with(&assumptions, conflicts, budget) {
        SatResult::Unknown(reason) => Err(Failure::Exhausted(reason)),
        result => Ok(result),
    }
}

/// A subset of the switches of an unsatisfiable call that is still unsatisfiable, and minimal
/// unless a query takes more than so many conflicts, or so many switches are needed.  Saving one
/// variable is worth many SAT calls, as long as they are easy.
fn small_core(
    solver: &mut CircuitSolver,
    aig: &Aig,
    mut on: Vec<(VarId, Lit)>,
    facts: Option<Lit>,
    limits: &limits::Prepare,
    budget: &Budget,
) -> Result<Vec<(VarId, Lit)>, Failure> {
    on.retain(|s| solver.failed(s.1));
    let mut needed = 0;
    while needed < on.len() {
        let candidate = on.remove(needed);
        match solve(solver, aig, &on, facts, Some(limits.core_conflicts), budget)? {
            SatResult::Unsat => {
                // The switches found necessary are in every core of the rest.
                on.retain(|s| solver.failed(s.1));
            }
            result => {
                on.insert(needed, candidate);
                needed += 1;
                if result == SatResult::ConflictLimit || needed >= limits.core_variables {
                    break;
                }
            }
        }
    }
    Ok(on)
}
