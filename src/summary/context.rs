//! Calling contexts: the entry states with which a procedure is entered, as far as they are
//! known to be reachable from the start of the program.
//!
//! A context is a symbolic state over the globals and formals that are live at the callee's
//! entry.  Path edges do not mention contexts; what they mean in one is seen through a [`View`].

use super::edge::{EdgeArena, PathEdgeId, Renaming, call_state, choices, merge_states, rename};
use super::prepare::Prepared;
use super::state::State;
use crate::bp::program::ProcId;
use crate::logic::{Aig, Lit, aig::Substitution};

/// Index of a context in its [`ContextArena`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u32);

/// Where a context comes from.
#[derive(Debug, Clone)]
pub enum ContextOrigin {
    /// The start of the program: any values.
    Start,
    /// The call at the end of `edge`, itself entered in `caller`.
    Call { edge: PathEdgeId, site: usize, caller: ContextId, arguments: Renaming, copies: Renaming },
    /// One of two: `left` where `choose` is true.
    Merge { choose: Lit, left: ContextId, right: ContextId },
}

/// A set of entry states of one procedure.
#[derive(Debug, Clone)]
pub struct Context {
    pub procedure: ProcId,
    pub state: State,
    pub origin: ContextOrigin,
}

/// All contexts of a run.
#[derive(Debug, Default)]
pub struct ContextArena {
    contexts: Vec<Context>,
}

impl ContextArena {
    pub fn get(&self, id: ContextId) -> &Context {
        &self.contexts[id.0 as usize]
    }

    pub fn add(&mut self, context: Context) -> ContextId {
        self.contexts.push(context);
        ContextId((self.contexts.len() - 1) as u32)
    }
}

/// The initial context ⟨n0, true, ω*⟩ of the entry procedure: every variable is its own input.
pub fn start(aig: &Aig, prepared: &Prepared) -> Context {
    let procedure = prepared.program.entry;
    let inputs = &prepared.blocks(procedure).inputs;
    let omega = inputs.iter().map(|&i| aig.input(i)).collect();
    let state = State { omega, guard: Lit::TRUE };
    Context { procedure, state, origin: ContextOrigin::Start }
}

/// The context in which the call at the end of `edge` enters its callee when `edge`'s procedure
/// was itself entered in the context behind `view` (Fig. 1, line 30).
pub fn enter(
    aig: &mut Aig,
    prepared: &Prepared,
    edges: &EdgeArena,
    edge: PathEdgeId,
    site: usize,
    view: &mut View,
) -> Context {
    let path = edges.get(edge);
    let call = prepared.site(path.procedure, path.node, site);
    let (entered, arguments) = call_state(aig, prepared, path, call);
    // A recursive procedure can stand in one chain of calls several times; each activation makes
    // its choices anew.
    let copies = if prepared.calls.recursive[path.procedure.index()] {
        rename(aig, &choices(aig, prepared, &entered))
    } else {
        Renaming::from([])
    };
    let mut state = entered;
    if !copies.is_empty() {
        let mut map = Substitution::new();
        for &(old, new) in copies.iter() {
            map.replace(aig, old, aig.input(new));
        }
        state = state.substitute(aig, &mut map);
    }
    let mut state = view.state(aig, &state);
    state.guard = aig.and(state.guard, view.guard);
    let origin = ContextOrigin::Call { edge, site, caller: view.context, arguments, copies };
    Context { procedure: call.callee, state, origin }
}

/// The union of two contexts of one procedure.
pub fn merge(
    aig: &mut Aig,
    prepared: &Prepared,
    arena: &mut ContextArena,
    left: ContextId,
    right: ContextId,
) -> ContextId {
    let (a, b) = (arena.get(left), arena.get(right));
    let procedure = a.procedure;
    let live = prepared.live(procedure, prepared.procedure(procedure).entry);
    let (choose, state) = merge_states(aig, &a.state, &b.state, live);
    arena.add(Context { procedure, state, origin: ContextOrigin::Merge { choose, left, right } })
}

/// A procedure as seen from one context: its entry values replaced by the context's ω (Eq. 4,
/// with substitution for the equalities).
#[derive(Debug)]
pub struct View {
    pub context: ContextId,
    /// The context's γ.
    pub guard: Lit,
    map: Substitution,
    identity: bool,
}

impl View {
    pub fn new(aig: &Aig, prepared: &Prepared, arena: &ContextArena, context: ContextId) -> Self {
        let c = arena.get(context);
        let mut map = Substitution::new();
        let identity = matches!(c.origin, ContextOrigin::Start);
        if !identity {
            for (&input, &value) in prepared.blocks(c.procedure).inputs.iter().zip(&c.state.omega) {
                if prepared.is_entry_value(input) {
                    map.replace(aig, input, value);
                }
            }
        }
        Self { context, guard: c.state.guard, map, identity }
    }

    /// A formula of the procedure, in this context.
    pub fn lit(&mut self, aig: &mut Aig, lit: Lit) -> Lit {
        if self.identity { lit } else { aig.substitute_one(lit, &mut self.map) }
    }

    /// A state of the procedure, in this context (its guard does not include the context's).
    pub fn state(&mut self, aig: &mut Aig, state: &State) -> State {
        if self.identity { state.clone() } else { state.substitute(aig, &mut self.map) }
    }
}
