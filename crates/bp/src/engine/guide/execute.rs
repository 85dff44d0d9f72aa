//! Symbolic execution of a path, with all variables.
//!
//! A procedure may have as many slots as the program has variables, of which a step changes few: a
//! step takes the state, changes those, and hands it on.  States are copied only where they are
//! wanted.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::{Guide, inconsistent};
use crate::engine::path::{Failure, Hint};
use crate::engine::prepare::block::BlockStep;
use crate::language::program::{EdgeId, NodeId, ProcId, VarId};
use hardbop_base::budget::Budget;
use hardbop_logic::{Input, Lit, Substitution};

/// The live slots that are changed where a block is left, with their values there.
pub(super) type Changes = Arc<[(u32, Lit)]>;

/// What of an execution is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The conditions under which the path is taken.
    Conditions,
    /// The states before its blocks, and its calls, too.
    States,
}

/// A step that was executed.
pub(super) enum Executed {
    /// A block: its cut node, its state before, and the copies of its choices.
    Block {
        procedure: ProcId,
        node: NodeId,
        state: Vec<Lit>,
        copies: Vec<(Input, Lit)>,
    },
    Call(ProcId, EdgeId),
}

/// An open activation of a procedure.
struct Frame {
    procedure: ProcId,
    state: Vec<Lit>,
    /// The call by which it was entered.
    call: Option<(NodeId, usize)>,
}

impl Guide<'_> {
    /// The conditions under which the path is taken, and its blocks and calls if states are wanted.
    pub(super) fn execute(
        &mut self,
        path: &[BlockStep],
        hints: &[Hint],
        wanted: Wanted,
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
                    let state = (wanted == Wanted::States).then(|| frame.state.clone());
                    let (guard, copies) = self.block(node, target, frame)?;
                    conditions.push(guard);
                    if let Some(state) = state {
                        executed.push(Executed::Block { procedure, node, state, copies });
                    }
                }
                BlockStep::Call { procedure, node, site } => {
                    let call = self.prepared.site(procedure, node, site);
                    let (edge, callee) = (call.edge, call.callee);
                    if wanted == Wanted::States {
                        executed.push(Executed::Call(procedure, edge));
                    }
                    self.encode(callee, budget)?;
                    let mut entered = self.call(node, site, frame);
                    let facts = self.prepared.blocks(callee).entry_facts;
                    conditions.push(self.holds(facts, &mut entered));
                    frames.push(entered);
                }
                BlockStep::Over { node, site, .. } => {
                    conditions.push(self.step_over(node, site, frame));
                }
                BlockStep::Return => {
                    let callee = frames.pop();
                    if let (Some(callee), Some(caller)) = (callee, frames.last_mut()) {
                        self.leave(&callee, caller);
                        if let Some((node, site)) = callee.call {
                            let promise = self.prepared.site(caller.procedure, node, site).promise;
                            conditions.push(self.holds(promise, caller));
                        }
                    }
                }
            }
        }
        Ok((conditions, executed))
    }

    /// A formula over the inputs of a frame's procedure, in its state.
    fn holds(&mut self, formula: Lit, frame: &mut Frame) -> Lit {
        if formula.is_constant() {
            return formula;
        }
        let (mut map, _) = self.step_map(frame, &[]);
        let holds = self.aig.substitute_one(formula, &mut map);
        frame.state = map.into_row();
        holds
    }

    /// Fresh copies of choices, and the substitution for a step: it takes the state of the frame,
    /// as its row.
    fn step_map(
        &mut self,
        frame: &mut Frame,
        choices: &[Input],
    ) -> (Substitution, Vec<(Input, Lit)>) {
        let inputs = &self.prepared.blocks(frame.procedure).inputs;
        let mut map = Substitution::of_row(&self.aig, inputs, std::mem::take(&mut frame.state));
        let copies: Vec<_> = choices.iter().map(|&c| (c, self.aig.new_input_lit())).collect();
        for &(old, new) in &copies {
            map.replace(&self.aig, old, new);
        }
        if self.whole {
            // The switches of the procedure's variables are those that its formulas read.
            for v in &self.prepared.frame(frame.procedure).slots {
                if let Some(&switch) = self.switches.variables.get(v) {
                    map.replace(&self.aig, switch, Lit::TRUE);
                }
            }
        }
        (map, copies)
    }

    /// Executes a block; the guard under which it is left at `target`, and the copies of its
    /// choices.
    fn block(
        &mut self,
        node: NodeId,
        target: NodeId,
        frame: &mut Frame,
    ) -> Result<(Lit, Vec<(Input, Lit)>), Failure> {
        let p = frame.procedure;
        let block = self.prepared.blocks(p).blocks[node.index()].as_ref();
        let mut exits = block.into_iter().flat_map(|b| &b.exits).enumerate();
        let Some((block, (at, exit))) = block.zip(exits.find(|(_, exit)| exit.target == target))
        else {
            return Err(inconsistent("a path takes a block that is not there"));
        };
        let (guard, choices) = (exit.state.guard, block.choices.clone());
        let changed = self.changed(p, node, at);
        let (mut map, copies) = self.step_map(frame, &choices);
        let guard = self.aig.substitute_one(guard, &mut map);
        let values: Vec<Lit> =
            changed.iter().map(|&(_, value)| self.aig.substitute_one(value, &mut map)).collect();
        frame.state = map.into_row();
        for (&(slot, _), value) in changed.iter().zip(values) {
            frame.state[slot as usize] = value;
        }
        Ok((guard, copies))
    }

    /// What a block changes where it is left by its exit of this number; found once.
    fn changed(&mut self, p: ProcId, node: NodeId, exit: usize) -> Changes {
        let entry = match self.changed.entry((p, node, exit)) {
            Entry::Occupied(known) => return Arc::clone(known.get()),
            Entry::Vacant(entry) => entry,
        };
        let blocks = self.prepared.blocks(p);
        let exit = blocks.blocks[node.index()].as_ref().map(|b| &b.exits[exit]);
        let changed = exit.into_iter().flat_map(|exit| {
            let live = self.prepared.live(p, exit.target);
            let slots = exit.state.omega.iter().zip(&blocks.inputs).zip(0..);
            let is_changed = |after: Lit, before: Input| after != self.aig.input(before);
            slots.filter_map(move |((&after, &before), slot)| {
                let counts = is_changed(after, before) && live.contains(slot as usize);
                counts.then_some((slot, after))
            })
        });
        Arc::clone(entry.insert(changed.collect()))
    }

    fn call(&mut self, node: NodeId, site: usize, frame: &mut Frame) -> Frame {
        let call = self.prepared.site(frame.procedure, node, site).clone();
        // Locals start with any value.
        let slots = self.prepared.frame(call.callee).len();
        let mut inner: Vec<Lit> = (0..slots).map(|_| self.aig.new_input_lit()).collect();
        for &(outer, slot) in &call.globals {
            inner[slot] = frame.state[outer];
        }
        let (mut map, _) = self.step_map(frame, &call.choices);
        for &(slot, value) in &call.arguments {
            inner[slot] = self.aig.substitute_one(value, &mut map);
        }
        frame.state = map.into_row();
        Frame { procedure: call.callee, state: inner, call: Some((node, site)) }
    }

    /// Gives what a callee may change any value; the facts that are known then.
    fn step_over(&mut self, node: NodeId, site: usize, frame: &mut Frame) -> Lit {
        let Self { aig, prepared, .. } = self;
        let site = prepared.site(frame.procedure, node, site);
        let slots = &prepared.frame(frame.procedure).slots;
        let modified = prepared.slice.procedure(site.callee).map(|s| &s.modified);
        let is_modified = |v: VarId| modified.is_some_and(|m| m.contains(v.index()));
        let globals = site.globals.iter().filter(|g| is_modified(slots[g.0]));
        for &(outer, _) in globals.chain(&site.results) {
            frame.state[outer] = aig.new_input_lit();
        }
        let promise = site.promise;
        self.holds(promise, frame)
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
}
