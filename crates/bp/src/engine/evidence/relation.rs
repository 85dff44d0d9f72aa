//! The path edges of a search as a layer.
//!
//! Each cut node gets the union of its path edges, a relation of entry values and current values.
//! Contexts are cubes larger than the set of values that occur, so the relation includes errors of
//! callees that no execution reaches; an assertion therefore also says that the procedure was
//! entered within its context, with values that do not lead to an error.  The caller must ensure
//! this at the call, and can do so because its own assertion says the same of the caller.

use std::collections::BTreeMap;

use super::draft::{Draft, Known};
use super::eliminate::Eliminator;
use super::quantify;
use crate::engine::limits::Limits;
use crate::engine::prepare::Prepared;
use crate::engine::symbolic::context::Cube;
use crate::engine::symbolic::edge::{EdgeArena, PathEdgeId};
use crate::engine::symbolic::state::State;
use crate::language::program::{NodeId, ProcId, VarId};
use crate::proof::formula::{FALSE, Literal, TRUE};
use crate::proof::invariant::{Atom, Layer};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::Backend;
use hardbop_logic::{Aig, Input, Lit};

/// The path edges that a search has explored.
pub struct Seen<'s> {
    pub aig: &'s mut Aig,
    pub prepared: &'s Prepared<'s>,
    pub edges: &'s EdgeArena,
    /// The explored contexts, by procedure.
    pub contexts: Vec<Context<'s>>,
    /// The SAT solver for enumeration where BDDs get too large.
    pub backend: Backend,
    pub limits: &'s Limits,
}

/// The entry values with which a procedure was explored.
pub enum Context<'s> {
    Any,
    Cube(&'s Cube),
    Never,
}

pub fn layer(seen: Seen, known: &Known, budget: &Budget) -> Result<Layer, Exhausted> {
    let prepared = seen.prepared;
    let program = prepared.program;
    let mut explored: BTreeMap<(ProcId, NodeId), Vec<PathEdgeId>> = BTreeMap::new();
    for &id in seen.edges.explored() {
        let edge = seen.edges.get(id);
        explored.entry((edge.procedure, edge.node)).or_default().push(id);
    }
    let kept: Vec<VarId> = prepared.slice.relevant.ones().map(|v| VarId(v as u32)).collect();
    let globals = || kept.iter().copied().filter(|&v| program.is_global(v));
    let eliminator = Eliminator::new(seen.backend, seen.limits, budget);
    let mut run = Run { seen, draft: Draft::default(), eliminator };
    for p in program.procedure_ids() {
        if prepared.slice.procedure(p).is_none() {
            continue;
        }
        let frame = run.draft.frame(prepared, p, globals());
        let procedure = program.procedure(p);
        if prepared.is_transparent(p) {
            for n in prepared.cut_nodes(p) {
                run.draft.assert(p, n, frame);
            }
            continue;
        }
        let at = |n: NodeId| explored.get(&(p, n)).map_or(&[][..], Vec::as_slice);
        let failing = run.failing(p, at(procedure.error))?;
        let context = run.context(p);
        let possible = run.draft.known(known, p);
        let entered = run.draft.circuit.and(possible, context);
        let entered = run.draft.circuit.and(entered, failing ^ 1);
        for n in prepared.cut_nodes(p) {
            if n == procedure.error {
                run.draft.exclude(p, n);
                continue;
            }
            let related = run.relation(p, n, at(n))?;
            let claim = run.draft.given(prepared, p, entered, related);
            let all = run.draft.circuit.and(frame, claim);
            run.draft.assert(p, n, all);
        }
    }
    Ok(run.draft.finish("search"))
}

struct Run<'s, 'b> {
    seen: Seen<'s>,
    draft: Draft,
    eliminator: Eliminator<'b>,
}

impl Run<'_, '_> {
    /// The context of a procedure, over its entry values.
    fn context(&mut self, p: ProcId) -> Literal {
        let cube = match &self.seen.contexts[p.index()] {
            Context::Any => return TRUE,
            Context::Never => return FALSE,
            Context::Cube(cube) => *cube,
        };
        let prepared = self.seen.prepared;
        let (slots, inputs) = (&prepared.frame(p).slots, &prepared.blocks(p).inputs);
        let mut all = TRUE;
        // Dead slots have a place in the cube, but no meaning.
        for slot in prepared.live(p, prepared.procedure(p).entry).ones() {
            if let (Some(value), true) = (cube.0[slot], prepared.is_entry_value(inputs[slot])) {
                let entry = self.draft.circuit.atom(Atom::Entry(slots[slot]));
                all = self.draft.circuit.and(all, entry ^ u32::from(!value));
            }
        }
        all
    }

    /// The entry values from which an error is reached.
    fn failing(&mut self, p: ProcId, edges: &[PathEdgeId]) -> Result<Literal, Exhausted> {
        let mut any = FALSE;
        // Errors of the entry procedure need not be excluded: each was refuted.
        for &edge in edges.iter().filter(|_| p != self.seen.prepared.program.entry) {
            let guard = self.seen.edges.get(edge).state.guard;
            let (entry, values) = (self.entry(p), &[]);
            let failing = quantify::Relation { guard, values, entry: &entry };
            let one =
                failing.exact(self.seen.aig, &mut self.draft.circuit, &mut self.eliminator)?;
            any = self.draft.circuit.or(any, one);
        }
        Ok(any)
    }

    fn relation(
        &mut self,
        p: ProcId,
        n: NodeId,
        edges: &[PathEdgeId],
    ) -> Result<Literal, Exhausted> {
        let live = self.seen.prepared.live(p, n);
        let slots = &self.seen.prepared.frame(p).slots;
        let entry = self.entry(p);
        let mut any = FALSE;
        for &edge in edges {
            let State { omega, guard } = &self.seen.edges.get(edge).state;
            let values: Vec<(VarId, Lit)> = live.ones().map(|s| (slots[s], omega[s])).collect();
            let relation = quantify::Relation { guard: *guard, values: &values, entry: &entry };
            let one =
                relation.formula(self.seen.aig, &mut self.draft.circuit, &mut self.eliminator)?;
            any = self.draft.circuit.or(any, one);
        }
        Ok(any)
    }

    /// The inputs of a procedure that are entry values.
    fn entry(&self, p: ProcId) -> BTreeMap<Input, VarId> {
        let prepared = self.seen.prepared;
        let slots = prepared.frame(p).slots.iter().zip(&prepared.blocks(p).inputs);
        slots.filter(|&(_, &i)| prepared.is_entry_value(i)).map(|(&v, &i)| (i, v)).collect()
    }
}
