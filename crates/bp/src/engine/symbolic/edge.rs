//! Path edges and summary edges (Def. 6), and operations on them: transfer along a block, merging,
//! application of a summary (Eqs. 6 and 7).
//!
//! A path edge starts at its procedure's entry node, where every global and formal is an input of
//! its own.  So it is a function of the entry values and of choices: `ω_i` is the identity, and the
//! equalities of Eqs. 4 and 6 turn into substitution.  The contexts in which a procedure is entered
//! are kept separately ([`super::context`]).  A summary edge is a path edge that ends at the exit
//! node.

use std::rc::Rc;

use fixedbitset::FixedBitSet;

use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::{Block, CallSite};
use crate::engine::symbolic::state::{State, selector};
use crate::language::program::{NodeId, ProcId};
use hardbop_logic::{Aig, Input, Lit, Substitution};

/// Index of a path edge in its [`EdgeArena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathEdgeId(u32);

/// Choices with their fresh copies.
pub type Renaming = Rc<[(Input, Input)]>;

/// How a path edge came about; used to reconstruct counterexamples.
#[derive(Debug, Clone)]
pub enum Origin {
    /// The entry node, reached from itself.
    Entry,
    /// The block at the end of `from` was executed.
    Block { from: PathEdgeId, renaming: Renaming },
    /// The call at the end of `from` returned by `summary`.
    Return {
        from: PathEdgeId,
        site: usize,
        arguments: Renaming,
        summary: PathEdgeId,
        inner: Renaming,
    },
    /// The call at the end of `from` was stepped over, because nothing in it matters.
    Skip { from: PathEdgeId, site: usize },
    /// An error was reached inside the call at the end of `from`, by the callee's `error` edge.
    Fail { from: PathEdgeId, site: usize, arguments: Renaming, error: PathEdgeId, inner: Renaming },
    /// One of two: `left` where `choose` is true.
    Merge { choose: Lit, left: PathEdgeId, right: PathEdgeId },
    /// The states of another path edge with other choices ([`super::compact`]).
    Compact { of: PathEdgeId },
}

/// A path edge ⟨entry, true, id⟩, ⟨n, γ, ω⟩.
#[derive(Debug, Clone)]
pub struct PathEdge {
    pub procedure: ProcId,
    pub node: NodeId,
    pub state: State,
    pub origin: Origin,
}

/// All path edges of a run.
#[derive(Debug, Default)]
pub struct EdgeArena {
    edges: Vec<PathEdge>,
    explored: Vec<PathEdgeId>,
}

impl EdgeArena {
    pub fn get(&self, id: PathEdgeId) -> &PathEdge {
        &self.edges[id.0 as usize]
    }

    pub fn add(&mut self, edge: PathEdge) -> PathEdgeId {
        self.edges.push(edge);
        PathEdgeId((self.edges.len() - 1) as u32)
    }

    /// Marks an edge as explored: what follows from it has been added as well (P of Fig. 1).
    pub fn mark_explored(&mut self, id: PathEdgeId) {
        self.explored.push(id);
    }

    /// The explored edges, in the order in which they were explored.
    pub fn explored(&self) -> &[PathEdgeId] {
        &self.explored
    }

    /// Keeps only the first `count` edges marked as explored.
    pub fn forget_explored(&mut self, count: usize) {
        self.explored.truncate(count);
    }

    pub fn len(&self) -> usize {
        self.edges.len()
    }

    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}

/// The path edge of a procedure that has just been entered.
pub fn entry_edge(aig: &Aig, prepared: &Prepared, procedure: ProcId) -> PathEdge {
    let node = prepared.procedure(procedure).entry;
    let live = prepared.live(procedure, node);
    let inputs = &prepared.blocks(procedure).inputs;
    let omega = (0..inputs.len())
        .map(|i| if live.contains(i) { aig.input(inputs[i]) } else { Lit::FALSE })
        .collect();
    let guard = prepared.blocks(procedure).entry_facts;
    PathEdge { procedure, node, state: State { omega, guard }, origin: Origin::Entry }
}

/// Fresh copies of the given choices.
pub fn rename(aig: &mut Aig, choices: &[Input]) -> Renaming {
    choices.iter().map(|&c| (c, aig.new_input())).collect()
}

/// Substitutes the state of `from` for `inputs`, and copies for choices.
fn step_map(aig: &Aig, inputs: &[Input], from: &State, renaming: &Renaming) -> Substitution {
    let mut map = Substitution::new();
    for (&input, &value) in inputs.iter().zip(&from.omega) {
        map.replace(aig, input, value);
    }
    for &(old, new) in renaming.iter() {
        map.replace(aig, old, aig.input(new));
    }
    map
}

/// trans(π, n) of Fig. 1: executes the block at the end of `from` (Table 1, block-wise).
pub fn transfer(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &EdgeArena,
    from: PathEdgeId,
    block: &Block,
) -> Vec<PathEdge> {
    let edge = arena.get(from);
    // A block that runs at most once in an execution of the procedure has choices that cannot
    // clash, so they need no copies.
    let renaming = if block.repeats { rename(aig, &block.choices) } else { Rc::from([]) };
    let inputs = &prepared.blocks(edge.procedure).inputs;
    let mut map = step_map(aig, inputs, &edge.state, &renaming);
    let mut out = vec![];
    for exit in &block.exits {
        let mut state = exit.state.substitute(aig, &mut map);
        state.guard = aig.and(state.guard, edge.state.guard);
        if state.guard != Lit::FALSE {
            let origin = Origin::Block { from, renaming: Rc::clone(&renaming) };
            out.push(PathEdge { procedure: edge.procedure, node: exit.target, state, origin });
        }
    }
    out
}

/// merge(Π): the union of two path edges to the same node.  A fresh choice selects between them
/// unless their guards show that they exclude each other.
pub fn merge(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &mut EdgeArena,
    left: PathEdgeId,
    right: PathEdgeId,
) -> PathEdgeId {
    let (a, b) = (arena.get(left), arena.get(right));
    let (procedure, node) = (a.procedure, a.node);
    let live = prepared.live(procedure, node);
    let (choose, state) = merge_states(aig, &a.state, &b.state, live);
    arena.add(PathEdge { procedure, node, state, origin: Origin::Merge { choose, left, right } })
}

/// The union of two states, and the literal that selects the first.
pub fn merge_states(aig: &mut Aig, a: &State, b: &State, live: &FixedBitSet) -> (Lit, State) {
    let choose = selector(aig, a.guard, b.guard).unwrap_or_else(|| aig.new_input_lit());
    let guard = aig.ite(choose, a.guard, b.guard);
    let mut omega = vec![Lit::FALSE; a.omega.len()];
    for slot in live.ones() {
        omega[slot] = aig.ite(choose, a.omega[slot], b.omega[slot]);
    }
    (choose, State { omega, guard })
}

/// The state with which a call enters its callee: ω and γ over the callee's frame, in terms of the
/// caller's entry values and choices.
pub fn call_state(
    aig: &mut Aig,
    prepared: &Prepared,
    edge: &PathEdge,
    site: &CallSite,
) -> (State, Renaming) {
    let renaming = if site.repeats { rename(aig, &site.choices) } else { Rc::from([]) };
    let inputs = &prepared.blocks(edge.procedure).inputs;
    let mut map = step_map(aig, inputs, &edge.state, &renaming);
    let mut omega = vec![Lit::FALSE; prepared.frame(site.callee).len()];
    let entry = prepared.procedure(site.callee).entry;
    let live = prepared.live(site.callee, entry);
    for &(slot, value) in &site.arguments {
        omega[slot] = aig.substitute_one(value, &mut map);
    }
    for &(outer, inner) in site.globals.iter().filter(|&&(_, inner)| live.contains(inner)) {
        omega[inner] = edge.state.omega[outer];
    }
    (State { omega, guard: edge.state.guard }, renaming)
}

/// A callee's path edge as seen from a call: entry values are what the caller passes, choices are
/// fresh.
struct Applied {
    map: Substitution,
    /// γ of the caller and of the callee's edge, conjoined.
    guard: Lit,
    arguments: Renaming,
    inner: Renaming,
}

fn instantiate(
    aig: &mut Aig,
    prepared: &Prepared,
    edge: &PathEdge,
    site: &CallSite,
    callee: &State,
) -> Applied {
    let (entered, arguments) = call_state(aig, prepared, edge, site);
    let inner = rename(aig, &choices(aig, prepared, callee));
    let mut map = Substitution::new();
    for &(old, new) in inner.iter() {
        map.replace(aig, old, aig.input(new));
    }
    let inputs = &prepared.blocks(site.callee).inputs;
    for (&input, &value) in inputs.iter().zip(&entered.omega) {
        if prepared.is_entry_value(input) {
            map.replace(aig, input, value);
        }
    }
    let guard = aig.substitute_one(callee.guard, &mut map);
    let guard = aig.and(guard, edge.state.guard);
    Applied { map, guard, arguments, inner }
}

/// apply(π, σ) of Fig. 1: the path edge after the call at the end of `from` has returned by
/// `summary` (Eqs. 6 and 7).  `None` if the guard is structurally false.
pub fn apply(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &EdgeArena,
    from: PathEdgeId,
    index: usize,
    summary: PathEdgeId,
) -> Option<PathEdge> {
    let edge = arena.get(from);
    let site = prepared.site(edge.procedure, edge.node, index);
    let node = site.target?;
    let exit = &arena.get(summary).state;
    let Applied { mut map, guard, arguments, inner } = instantiate(aig, prepared, edge, site, exit);
    if guard == Lit::FALSE {
        return None;
    }
    let live = prepared.live(edge.procedure, node);
    let mut omega: Vec<Lit> = (0..edge.state.omega.len())
        .map(|i| if live.contains(i) { edge.state.omega[i] } else { Lit::FALSE })
        .collect();
    let results = site.results.iter();
    let globals = site.globals.iter().filter(|&&(outer, _)| live.contains(outer));
    for &(outer, inner) in globals.chain(results) {
        omega[outer] = aig.substitute_one(exit.omega[inner], &mut map);
    }
    let mut state = State { omega, guard };
    state.guard = promised(aig, prepared, edge.procedure, site, &state);
    let origin = Origin::Return { from, site: index, arguments, summary, inner };
    Some(PathEdge { procedure: edge.procedure, node, state, origin })
}

/// The guard of a state after a call, conjoined with what is known there.
fn promised(
    aig: &mut Aig,
    prepared: &Prepared,
    procedure: ProcId,
    site: &CallSite,
    after: &State,
) -> Lit {
    if site.promise == Lit::TRUE {
        return after.guard;
    }
    let inputs = &prepared.blocks(procedure).inputs;
    let mut map = step_map(aig, inputs, after, &Rc::from([]));
    let promise = aig.substitute_one(site.promise, &mut map);
    aig.and(after.guard, promise)
}

/// The path edge after the call of a transparent procedure at the end of `from`: its summary is the
/// identity.
pub fn skip(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &EdgeArena,
    from: PathEdgeId,
    site: usize,
) -> Option<PathEdge> {
    let edge = arena.get(from);
    let call = prepared.site(edge.procedure, edge.node, site);
    let node = call.target?;
    let mut state = edge.state.clone();
    state.guard = promised(aig, prepared, edge.procedure, call, &state);
    state.clear_dead(prepared.live(edge.procedure, node));
    let origin = Origin::Skip { from, site };
    Some(PathEdge { procedure: edge.procedure, node, state, origin })
}

/// The path edge to the caller's error node if the callee's `error` edge is taken in the call at
/// the end of `from`.  `None` if the guard is structurally false.
pub fn fail(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &EdgeArena,
    from: PathEdgeId,
    index: usize,
    error: PathEdgeId,
) -> Option<PathEdge> {
    let edge = arena.get(from);
    let site = prepared.site(edge.procedure, edge.node, index);
    let reached = &arena.get(error).state;
    let Applied { guard, arguments, inner, .. } = instantiate(aig, prepared, edge, site, reached);
    if guard == Lit::FALSE {
        return None;
    }
    let node = prepared.procedure(edge.procedure).error;
    let omega = vec![Lit::FALSE; edge.state.omega.len()];
    let origin = Origin::Fail { from, site: index, arguments, error, inner };
    Some(PathEdge { procedure: edge.procedure, node, state: State { omega, guard }, origin })
}

/// The choices of a path edge's state: its inputs that are not entry values.
pub fn choices(aig: &Aig, prepared: &Prepared, state: &State) -> Vec<Input> {
    let mut support = aig.support(state.roots());
    support.retain(|&i| !prepared.is_entry_value(i));
    support
}
