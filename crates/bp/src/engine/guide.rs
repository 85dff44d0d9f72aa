//! Is a path of blocks an execution?  Decided on the whole program, all variables included.
//!
//! A path is given block by block; its way through each block is left open, since most of what
//! happens there has nothing to do with the property.  A path found with some variables left out
//! may be infeasible because of them.  Each variable has a *switch*: when it is on, reading the
//! variable gives what was last written; when it is off, any value.  The variables with switches in
//! an unsatisfiable core are those that refute the path.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::limits;
use super::path::{Failure, Hint, Path};
use super::prepare::block::BlockStep;
use super::prepare::facts::Facts;
use super::prepare::transparent::Transparent;
use super::prepare::{self, Extent, Part, Prepared, Terms, values::Switches};
use super::report::EngineError;
use crate::engine::symbolic::decide::Model;
use crate::engine::symbolic::state::State;
use crate::language::program::{EdgeId, NodeId, ProcId, Program, VarId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::circuit::Circuit;
use hardbop_logic::sat::{Backend, CircuitSolver, SatResult};
use hardbop_logic::{Aig, Input, Lit, Substitution};

/// A path as found by an engine.
#[derive(Debug, Default)]
pub struct Way {
    pub steps: Vec<BlockStep>,
    /// Values before each step, from an execution along the steps; or empty.
    pub hints: Vec<Hint>,
    /// The procedures that are stepped over, and the ways through them.
    pub over: Arc<Transparent>,
}

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
    /// Whether all switches are on, so that they can be ignored.
    whole: bool,
    backend: Backend,
    limits: limits::Prepare,
}

/// An open activation of a procedure.
struct Frame {
    procedure: ProcId,
    state: Vec<Lit>,
    /// The call by which it was entered.
    call: Option<(NodeId, usize)>,
}

/// Whether the conditions of a path hold together.
enum Answer {
    /// In the model of this solver.
    Executed(CircuitSolver),
    /// Not if these variables are kept, too.  None are known where facts that a search did not use
    /// are needed.
    Refuted(Vec<VarId>),
}

/// A step that was executed.
enum Executed {
    /// A block: its cut node, its state before, and the copies of its choices.
    Block {
        procedure: ProcId,
        node: NodeId,
        state: Vec<Lit>,
        copies: Vec<(Input, Lit)>,
    },
    Call(ProcId, EdgeId),
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
        Ok(Self { aig, prepared, switches, facts, whole: false, backend, limits })
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
            let (conditions, _) = self.execute(&way.steps, &[], budget)?;
            // A way through code that does not matter may be infeasible although another one is
            // feasible.  What refutes the path whatever this code does is better.
            if let Answer::Refuted(core) = self.decide(conditions, kept, budget)?
                && !core.is_empty()
            {
                return Ok(Guided::Infeasible(core));
            }
        }
        let (steps, hints) = self.in_full(way);
        let hints: &[Hint] = if self.whole { &hints } else { &[] };
        let (conditions, executed) = self.execute(&steps, hints, budget)?;
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

    /// The steps of a path with those through the procedures that it steps over, and their hints.
    fn in_full(&self, way: &Way) -> (Vec<BlockStep>, Vec<Hint>) {
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
            hints.extend(way.hints.get(i).cloned());
            if !way.hints.is_empty() {
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

    /// Symbolic execution: the conditions under which the path is taken.
    fn execute(
        &mut self,
        path: &[BlockStep],
        hints: &[Hint],
        budget: &Budget,
    ) -> Result<(Vec<Lit>, Vec<Executed>), Failure> {
        let main = self.prepared.program.entry;
        self.encode(main, budget)?;
        let inputs = &self.prepared.blocks(main).inputs;
        let state = inputs.iter().map(|&i| self.aig.input(i)).collect();
        let mut frames = vec![Frame { procedure: main, state, call: None }];
        let mut conditions = vec![];
        let mut executed = vec![];
        for (i, step) in path.iter().enumerate() {
            budget.check()?;
            let Some(frame) = frames.last_mut() else {
                return Err(inconsistent("a path returns from the entry procedure"));
            };
            // Known values are not computed again, which keeps the formulas of long paths small.
            for &(v, value) in hints.get(i).into_iter().flatten() {
                if let Some(slot) = self.prepared.frame(frame.procedure).slot(v) {
                    let known = std::mem::replace(&mut frame.state[slot], Lit::from(value));
                    conditions.push(known.xor_sign(!value));
                }
            }
            match *step {
                BlockStep::Block { procedure, node, target } => {
                    let (next, copies) = self.block(procedure, node, target, &frame.state)?;
                    conditions.push(next.guard);
                    let state = std::mem::replace(&mut frame.state, next.omega);
                    executed.push(Executed::Block { procedure, node, state, copies });
                }
                BlockStep::Call { procedure, node, site } => {
                    let edge = self.prepared.site(procedure, node, site).edge;
                    executed.push(Executed::Call(procedure, edge));
                    let entered = self.prepared.site(procedure, node, site).callee;
                    self.encode(entered, budget)?;
                    let callee = self.call(procedure, node, site, &frame.state);
                    let facts = self.prepared.blocks(callee.procedure).entry_facts;
                    conditions.push(self.holds(callee.procedure, facts, &callee.state));
                    frames.push(callee);
                }
                BlockStep::Over { procedure, node, site, .. } => {
                    let promise = self.step_over(procedure, node, site, &mut frame.state);
                    conditions.push(promise);
                }
                BlockStep::Return => {
                    let callee = frames.pop();
                    if let (Some(callee), Some(caller)) = (callee, frames.last_mut()) {
                        self.leave(&callee, caller);
                        if let Some((node, site)) = callee.call {
                            let promise = self.prepared.site(caller.procedure, node, site).promise;
                            conditions.push(self.holds(caller.procedure, promise, &caller.state));
                        }
                    }
                }
            }
        }
        Ok((conditions, executed))
    }

    /// A formula over a procedure's inputs, in a state.
    fn holds(&mut self, procedure: ProcId, formula: Lit, state: &[Lit]) -> Lit {
        let (mut map, _) = self.step_map(procedure, state, &[]);
        self.aig.substitute_one(formula, &mut map)
    }

    /// Fresh copies of choices, and the substitution for a step from `state`.
    fn step_map(
        &mut self,
        procedure: ProcId,
        state: &[Lit],
        choices: &[Input],
    ) -> (Substitution, Vec<(Input, Lit)>) {
        let mut map = Substitution::new();
        map.replace_all(&self.aig, &self.prepared.blocks(procedure).inputs, state);
        let copies: Vec<_> = choices.iter().map(|&c| (c, self.aig.new_input_lit())).collect();
        for &(old, new) in &copies {
            map.replace(&self.aig, old, new);
        }
        if self.whole {
            // The switches of the procedure's variables are those that its formulas read.
            for v in &self.prepared.frame(procedure).slots {
                if let Some(&switch) = self.switches.variables.get(v) {
                    map.replace(&self.aig, switch, Lit::TRUE);
                }
            }
        }
        (map, copies)
    }

    fn block(
        &mut self,
        procedure: ProcId,
        node: NodeId,
        target: NodeId,
        state: &[Lit],
    ) -> Result<(State, Vec<(Input, Lit)>), Failure> {
        let block = self.prepared.blocks(procedure).blocks[node.index()].clone();
        let exit = block.as_ref().and_then(|b| b.exits.iter().find(|e| e.target == target));
        let (Some(block), Some(exit)) = (&block, exit) else {
            return Err(inconsistent("a path takes a block that is not there"));
        };
        let (mut map, copies) = self.step_map(procedure, state, &block.choices);
        Ok((exit.state.substitute(&mut self.aig, &mut map), copies))
    }

    fn call(&mut self, procedure: ProcId, node: NodeId, site: usize, state: &[Lit]) -> Frame {
        let call = self.prepared.site(procedure, node, site).clone();
        let (mut map, _) = self.step_map(procedure, state, &call.choices);
        // Locals start with any value.
        let slots = self.prepared.frame(call.callee).len();
        let mut inner: Vec<Lit> = (0..slots).map(|_| self.aig.new_input_lit()).collect();
        for &(slot, value) in &call.arguments {
            inner[slot] = self.aig.substitute_one(value, &mut map);
        }
        for &(outer, slot) in &call.globals {
            inner[slot] = state[outer];
        }
        Frame { procedure: call.callee, state: inner, call: Some((node, site)) }
    }

    /// Gives what a callee may change any value; the facts that are known then.
    fn step_over(
        &mut self,
        procedure: ProcId,
        node: NodeId,
        site: usize,
        state: &mut [Lit],
    ) -> Lit {
        let Self { aig, prepared, .. } = self;
        let site = prepared.site(procedure, node, site);
        let slots = &prepared.frame(procedure).slots;
        let modified = prepared.slice.procedure(site.callee).map(|s| &s.modified);
        let is_modified = |v: VarId| modified.is_some_and(|m| m.contains(v.index()));
        let globals = site.globals.iter().filter(|g| is_modified(slots[g.0]));
        for &(outer, _) in globals.chain(&site.results) {
            state[outer] = aig.new_input_lit();
        }
        let promise = site.promise;
        self.holds(procedure, promise, state)
    }

    fn leave(&self, callee: &Frame, caller: &mut Frame) {
        let Some((node, site)) = callee.call else { return };
        let site = self.prepared.site(caller.procedure, node, site);
        let Some(target) = site.target else { return };
        let live = self.prepared.live(caller.procedure, target);
        let globals = site.globals.iter().filter(|&&(outer, _)| live.contains(outer));
        for &(outer, inner) in globals.chain(&site.results) {
            caller.state[outer] = callee.state[inner];
        }
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
