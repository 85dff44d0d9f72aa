//! QBF summaries: the algorithm of Fig. 1 (SPIN'07 paper, Sect. 3).
//!
//! The worklist W holds path edges by procedure and node; those waiting at one node are merged
//! before they move on.  W' holds the path edges that wait at calls.  The order of work depends on
//! what can still be merged:
//!
//! 1. path edges of the deepest procedure that has any, in weak topological order;
//! 2. if there are none: new calling contexts, callers before callees;
//! 3. if there are none: new summary edges, delivered to the waiting calls, callees first.
//!
//! Since a path edge is a function of entry values, it is valid in every context; a new context
//! matters only for edges dropped as infeasible or subsumed *in the contexts seen so far*.  Such
//! edges are kept aside and reconsidered when the context grows.
//!
//! Contexts are cubes ([`super::symbolic::context`]), larger than the set of reachable calling
//! contexts.  An error in a callee is therefore handed to the callers, as summary edges are, until
//! it is found feasible in the entry procedure, which has an exact context.

mod calls;
mod counterexample;
mod record;

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::evidence::{Context, Seen};
use crate::engine::observer::Observer;
use crate::engine::path;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::BlockStep;
use crate::engine::qbf::counterexample::Failure;
use crate::engine::qbf::record::ProcedureRecord;
use crate::engine::statistics::Statistics;
use crate::engine::symbolic::context::{Cube, View};
use crate::engine::symbolic::decide::Decider;
use crate::engine::symbolic::edge::{self, EdgeArena, Origin, PathEdge, PathEdgeId};
use crate::engine::symbolic::subsume::inclusion;
use crate::engine::universal::{Bound, Universal, Workspace, summarise};
use crate::language::program::{NodeId, ProcId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Lit};

/// The result of a search.
pub enum Reachability {
    Unreachable,
    /// Unreachable within the bound.
    Bounded,
    /// The error node of the entry procedure is reached.
    Reachable(Failure),
}

/// The bound of a bounded search.
#[derive(Debug, Clone, Copy)]
pub struct Depth {
    /// Path edges that a node accepts; others are dropped.
    pub edges: u32,
    /// Size of the graph at which the search gives up, in nodes.
    pub nodes: usize,
    /// SAT calls, and conflicts allowed in each.
    pub calls: u32,
    pub conflicts: u32,
    /// Room in the tables of diagrams for queries that this is not enough for, in nodes.
    pub diagrams: usize,
}

/// One run of the algorithm.
pub struct Search<'a> {
    aig: Aig,
    prepared: &'a Prepared<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    decider: Decider,
    edges: EdgeArena,
    /// The universal summaries, by procedure: applied to its calls, which are then not followed.
    universal: Vec<Option<Universal>>,
    procedures: Vec<ProcedureRecord>,
    /// Procedures with work of each of the three kinds, by level.
    internal: BTreeSet<(u32, ProcId)>,
    entering: BTreeSet<(u32, ProcId)>,
    returning: BTreeSet<(u32, ProcId)>,
    statistics: Statistics,
    /// The statistics of earlier searches.
    before: Statistics,
    bound: Option<Depth>,
    /// Whether something was dropped because of the bound.
    cut_off: bool,
}

impl<'a> Search<'a> {
    /// Adds to `statistics`.  With a bound, the 2QBF solver is never asked.
    pub fn new(
        aig: Aig,
        prepared: &'a Prepared<'a>,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        mut decider: Decider,
        statistics: Statistics,
        bound: Option<Depth>,
    ) -> Self {
        decider.conflict_limit = bound.map(|b| b.conflicts);
        decider.calls_left = bound.map(|b| b.calls);
        decider.diagrams_left = bound.map_or(usize::MAX, |b| b.diagrams).min(decider.diagrams_left);
        let procedures = &prepared.program.procedures;
        Self {
            aig,
            prepared,
            budget,
            observer,
            decider,
            edges: EdgeArena::default(),
            universal: vec![None; procedures.len()],
            procedures: procedures.iter().map(|_| ProcedureRecord::default()).collect(),
            internal: BTreeSet::new(),
            entering: BTreeSet::new(),
            returning: BTreeSet::new(),
            before: statistics.clone(),
            statistics,
            bound,
            cut_off: false,
        }
    }

    /// Runs until a reachable error is found or nothing is left to do.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn run(&mut self) -> Result<Reachability, Exhausted> {
        let main = self.prepared.program.entry;
        if let Some(universal) = self.universal[main.index()] {
            let Some(error) = universal.error else { return Ok(Reachability::Unreachable) };
            return Ok(self
                .fail(error)?
                .map_or(Reachability::Unreachable, Reachability::Reachable));
        }
        let start = Cube::free(self.prepared.frame(main).len());
        self.want(main, start);
        loop {
            self.budget.check()?;
            self.tick();
            if self.bound.is_some_and(|b| self.aig.len() > b.nodes || self.decider.gave_up) {
                return Ok(Reachability::Bounded);
            }
            if let Some(&(level, p)) = self.internal.last() {
                let record = &mut self.procedures[p.index()];
                let Some((_, n)) = record.work.pop_first() else {
                    self.internal.remove(&(level, p));
                    continue;
                };
                if let Some(failure) = self.expand(p, n)? {
                    return Ok(Reachability::Reachable(failure));
                }
            } else if let Some((_, p)) = self.entering.pop_first() {
                self.explore(p)?;
            } else if let Some((_, p)) = self.returning.pop_last() {
                self.deliver(p)?;
            } else if self.cut_off || self.decider.gave_up {
                return Ok(Reachability::Bounded);
            } else {
                return Ok(Reachability::Unreachable);
            }
        }
    }

    /// Computes universal summaries, which the run then applies.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn universal(
        &mut self,
        bound: Bound,
        limit: usize,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut work = Workspace {
            aig: &mut self.aig,
            prepared: self.prepared,
            edges: &mut self.edges,
            decider: &mut self.decider,
            statistics: &mut self.statistics,
            observer: &mut *self.observer,
            budget,
        };
        match summarise(&mut work, bound, limit) {
            Ok(universal) => self.universal = universal,
            Err(reason) => {
                self.edges.forget_explored(0);
                return Err(reason);
            }
        }
        Ok(())
    }

    /// The path of the program that a failure stands for.
    ///
    /// # Errors
    /// [`EngineError`](crate::engine::EngineError) if the bookkeeping is inconsistent; or if the
    /// budget is exhausted.
    pub fn path(&self, failure: &Failure) -> Result<Vec<BlockStep>, path::Failure> {
        counterexample::path(
            &self.aig,
            self.prepared,
            &self.edges,
            failure,
            self.decider.backend,
            self.budget,
        )
    }

    /// The path edges that have been explored, as evidence.
    pub fn seen(&mut self) -> Seen<'_> {
        let contexts = self.procedures.iter().zip(&self.universal);
        let contexts = contexts.map(|(record, universal)| match (&record.view, universal) {
            (_, Some(_)) => Context::Any,
            (Some(view), None) => Context::Cube(&view.cube),
            (None, None) => Context::Never,
        });
        let contexts = contexts.collect();
        let Decider { backend, limits, .. } = &self.decider;
        Seen {
            aig: &mut self.aig,
            prepared: self.prepared,
            edges: &self.edges,
            contexts,
            backend: *backend,
            limits,
        }
    }

    fn level(&self, p: ProcId) -> u32 {
        self.prepared.calls.level[p.index()]
    }

    /// Adds a context, to be explored later.
    fn want(&mut self, p: ProcId, cube: Cube) {
        self.procedures[p.index()].wanted = Some(cube);
        self.entering.insert((self.level(p), p));
    }

    /// Enters a procedure in the wanted context (Fig. 1, lines 30 to 32).
    fn explore(&mut self, p: ProcId) -> Result<(), Exhausted> {
        let record = &mut self.procedures[p.index()];
        let Some(cube) = record.wanted.clone() else { return Ok(()) };
        let first = record.view.is_none();
        record.view = Some(View::new(&self.aig, self.prepared, p, cube));
        self.statistics.contexts += 1;
        if first {
            let entry = edge::entry_edge(&self.aig, self.prepared, p);
            let known = entry.state.guard == Lit::TRUE;
            return self.arrive(entry, known);
        }
        // What was dropped may matter in the larger context ...
        let nodes: BTreeMap<u32, NodeId> = {
            let position = &self.prepared.blocks(p).order.position;
            self.procedures[p.index()].nodes.keys().map(|&n| (position[n.index()], n)).collect()
        };
        for n in nodes.into_values() {
            let Some(record) = self.procedures[p.index()].nodes.get_mut(&n) else { continue };
            for edge in std::mem::take(&mut record.suspended) {
                self.arrive_again(edge, false)?;
            }
        }
        // ... and the waiting calls pass it on.
        for i in 0..self.procedures[p.index()].calling.len() {
            let (edge, site) = self.procedures[p.index()].calling[i];
            self.enter(edge, site)?;
        }
        Ok(())
    }

    /// Runs `f` on the procedure's view in its context.
    fn in_context<T>(&mut self, p: ProcId, f: impl FnOnce(&mut View, &mut Aig) -> T) -> T {
        let view = self.procedures[p.index()].view.as_mut();
        f(view.expect("a procedure is worked on only after it was entered"), &mut self.aig)
    }

    /// Checks that the callee's context covers the call at the end of `edge` (Eq. 5); if not, a
    /// larger one is wanted.
    ///
    /// A summary edge is defined for all entry values, so every equality of Eq. 5 has a bare
    /// existential input on its right; after substitution, what remains is whether the call can
    /// leave the cube.
    fn enter(&mut self, edge: PathEdgeId, site: usize) -> Result<(), Exhausted> {
        let path = self.edges.get(edge);
        let p = path.procedure;
        let call = self.prepared.site(p, path.node, site);
        let callee = call.callee;
        let (entered, _) = edge::call_state(&mut self.aig, self.prepared, path, call);
        let entered = self.in_context(p, |view, aig| view.state(aig, &entered));
        let Some(mut cube) = self.procedures[callee.index()].wanted.clone() else {
            let cube = Cube::of(&self.aig, &entered);
            self.want(callee, cube);
            return Ok(());
        };
        self.statistics.subsumption_checks += 1;
        let before = cube.clone();
        let mut asked = false;
        loop {
            let violations = cube.violations(&entered);
            if violations.is_empty() {
                break;
            }
            let any = self.aig.or_all(violations.iter().map(|v| v.1));
            asked = true;
            let query = [entered.guard, any];
            let Some(model) = self.decider.model(&self.aig, &query, self.budget)? else { break };
            let literals: Vec<Lit> = violations.iter().map(|v| v.1).collect();
            let values = self.aig.evaluate(&literals, |i| model.get(&i).copied().unwrap_or(false));
            for ((slot, _), violated) in violations.into_iter().zip(values) {
                if violated {
                    cube.0[slot] = None;
                }
            }
        }
        if asked {
            self.statistics.decided_by_sat += 1;
        } else {
            self.statistics.decided_by_structure += 1;
        }
        if cube != before {
            self.want(callee, cube);
        }
        Ok(())
    }

    /// Whether the guard is satisfiable in its procedure's context.
    fn feasible(&mut self, p: ProcId, guard: Lit) -> Result<bool, Exhausted> {
        let seen = self.in_context(p, |view, aig| view.lit(aig, guard));
        self.decider.satisfiable(&self.aig, &[seen], self.budget)
    }

    /// insert(π), first half: a path edge arrives at its node and waits there to be merged.
    fn arrive(&mut self, edge: PathEdge, known_feasible: bool) -> Result<(), Exhausted> {
        let id = self.edges.add(edge);
        self.arrive_again(id, known_feasible)
    }

    fn arrive_again(&mut self, id: PathEdgeId, known_feasible: bool) -> Result<(), Exhausted> {
        let PathEdge { procedure: p, node: n, state, .. } = self.edges.get(id);
        let (p, n, guard) = (*p, *n, state.guard);
        let feasible = known_feasible || self.feasible(p, guard)?;
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        if feasible {
            record.pending.push(id);
            // An error is reported before anything else is done.
            let position = match self.prepared.blocks(p).order.position[n.index()] {
                _ if n == self.prepared.procedure(p).error => 0,
                position => position,
            };
            self.procedures[p.index()].work.insert((position, n));
            self.internal.insert((self.level(p), p));
        } else {
            record.suspended.push(id);
        }
        Ok(())
    }

    /// Takes and merges what waits at a node, and executes what follows (the body of Fig. 1's
    /// loop).
    fn expand(&mut self, p: ProcId, n: NodeId) -> Result<Option<Failure>, Exhausted> {
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        let pending = std::mem::take(&mut record.pending);
        let Some((&first, rest)) = pending.split_first() else { return Ok(None) };
        let procedure = self.prepared.procedure(p);
        let mut edge = first;
        for &other in rest {
            self.statistics.merges += 1;
            edge = edge::merge(&mut self.aig, self.prepared, &mut self.edges, edge, other);
        }
        if n == procedure.error && p == self.prepared.program.entry {
            return self.fail(edge);
        }
        if self.is_subsumption_node(p, n) {
            if self.bound.is_none() {
                edge = self.compact(edge)?;
            }
            if self.insert_checked(p, n, edge)? {
                return Ok(None);
            }
        }
        self.statistics.path_edges += 1;
        self.edges.mark_explored(edge);
        if n == procedure.exit || n == procedure.error {
            let record = &mut self.procedures[p.index()];
            if n == procedure.exit {
                self.statistics.summary_edges += 1;
                record.undelivered.push(edge);
            } else {
                record.undelivered_errors.push(edge);
            }
            self.returning.insert((self.level(p), p));
            return Ok(None);
        }
        let blocks = self.prepared.blocks(p);
        if let Some(block) = &blocks.blocks[n.index()] {
            let guard = self.edges.get(edge).state.guard;
            let next = edge::transfer(&mut self.aig, self.prepared, &self.edges, edge, block);
            for to in next {
                let known = to.state.guard == guard;
                self.arrive(to, known)?;
            }
        }
        for site in 0..blocks.calls[n.index()].len() {
            self.call(p, n, edge, site)?;
        }
        Ok(None)
    }

    /// An equivalent path edge with fewer choices, if possible.
    fn compact(&mut self, edge: PathEdgeId) -> Result<PathEdgeId, Exhausted> {
        let PathEdge { procedure, node, state, .. } = self.edges.get(edge);
        let (procedure, node) = (*procedure, *node);
        let live = self.prepared.live(procedure, node);
        let Self { aig, decider, prepared, budget, .. } = self;
        let compact = decider.compactor.compact(aig, prepared, procedure, state, live, budget)?;
        Ok(match compact {
            None => edge,
            Some(state) => {
                let origin = Origin::Compact { of: edge };
                self.edges.add(PathEdge { procedure, node, state, origin })
            }
        })
    }

    /// Whether Eq. 8 is asked here: at loop heads, exits and error nodes.  Entry nodes are reached
    /// by one edge only.
    fn is_subsumption_node(&self, p: ProcId, n: NodeId) -> bool {
        let procedure = self.prepared.procedure(p);
        self.prepared.blocks(p).order.head[n.index()] || n == procedure.exit || n == procedure.error
    }

    /// insert(π), second half: is π ⊆ P?  If not, P grows.
    fn insert_checked(
        &mut self,
        p: ProcId,
        n: NodeId,
        edge: PathEdgeId,
    ) -> Result<bool, Exhausted> {
        let live = self.prepared.live(p, n);
        let prepared = self.prepared;
        let Self { aig, decider, edges, .. } = self;
        let state = &edges.get(edge).state;
        let canonical = decider.choices.canonical(aig, state, |i| prepared.is_entry_value(i));
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        if record.history.contains(&canonical) {
            // The same set of pairs: a new context changes nothing.
            self.decider.by_structure(&mut self.statistics);
            return Ok(true);
        }
        if self.bound.is_some_and(|b| record.history.len() >= b.edges as usize) {
            self.cut_off = true;
            return Ok(true);
        }
        if let Some(union) = record.history.union().filter(|_| self.bound.is_none()).cloned() {
            let state = self.edges.get(edge).state.clone();
            let (new, old) =
                self.in_context(p, |view, aig| (view.state(aig, &state), view.state(aig, &union)));
            let query = inclusion(&self.aig, &new, &old, live, &self.decider.choices);
            if self.subsumed(&query)? {
                let record = self.procedures[p.index()].nodes.entry(n).or_default();
                record.suspended.push(edge);
                return Ok(true);
            }
        }
        let Self { aig, decider, procedures, .. } = self;
        let record = procedures[p.index()].nodes.entry(n).or_default();
        record.history.add(aig, &mut decider.choices, canonical, live);
        Ok(false)
    }

    fn subsumed(&mut self, query: &hardbop_qbf::ForallExists) -> Result<bool, Exhausted> {
        let Self { aig, decider, statistics, observer, budget, .. } = self;
        observer.query(aig, query);
        decider.valid(aig, query, budget, statistics)
    }

    /// An error node of the entry procedure has been reached: chooses one execution.
    fn fail(&mut self, edge: PathEdgeId) -> Result<Option<Failure>, Exhausted> {
        self.statistics.path_edges += 1;
        let guard = self.edges.get(edge).state.guard;
        let model = self.decider.model(&self.aig, &[guard], self.budget)?;
        Ok(model.map(|model| Failure { edge, model }))
    }

    fn tick(&mut self) {
        self.statistics.aig_nodes = self.before.aig_nodes.max(self.aig.len() as u64);
        self.decider.count(&self.before, &mut self.statistics);
        self.observer.progress(&self.statistics);
    }

    /// The statistics of this search and of those before it.
    pub fn statistics(&mut self) -> Statistics {
        self.tick();
        self.statistics.clone()
    }
}
