//! The engine `qbf`: QBF summaries (SPIN'07 paper, Sect. 3, Fig. 1).
//!
//! The worklist W holds path edges by procedure and node; those that wait at one node are merged
//! before they move on.  W' holds the path edges that wait at calls.  The order of work follows
//! from what can still be merged:
//!
//! 1. path edges of the deepest procedure that has any, in weak topological order;
//! 2. if there are none: new calling contexts, callers before callees;
//! 3. if there are none: new summary edges, delivered to the waiting calls, callees first.
//!
//! Since a path edge is a function of entry values, it is valid in every context; what a new
//! context can change is only what was dropped before for being infeasible or subsumed *in the
//! contexts seen so far*.  Such edges are kept aside and looked at again when the context grows.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::context::{self, Context, ContextArena, ContextId, View};
use super::counterexample::{self, Failure};
use super::decide::Decider;
use super::edge::{self, EdgeArena, Origin, PathEdge, PathEdgeId};
use super::prepare::{self, Prepared};
use super::subsume::{History, inclusion};
use super::{EngineError, Observer, Options, Report, Statistics};
use crate::bp::program::{NodeId, ProcId, Program};
use crate::budget::{Budget, Exhausted};
use crate::logic::{Aig, Lit};
use crate::verdict::Outcome;

/// Decides `program` with QBF summaries.
///
/// # Errors
/// [`EngineError`] where a counterexample does not replay.
pub fn check(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let mut aig = Aig::new();
    let prepared = prepare::prepare(&mut aig, program);
    let decider = Decider::new(program.procedures.len(), options.seed);
    let mut search = Search::new(aig, &prepared, budget, observer, decider);
    let result = if prepared.is_trivial() { Ok(None) } else { search.run() };
    let outcome = match result {
        Ok(None) => Outcome::Safe(super::Invariant::default()),
        Ok(Some(failure)) => Outcome::Unsafe(counterexample::trace(
            &search.aig,
            &prepared,
            &search.edges,
            &search.contexts,
            &failure,
        )?),
        Err(exhausted) => Outcome::Unknown(exhausted.into()),
    };
    Ok(Report { outcome, statistics: search.final_statistics() })
}

/// What is known about one node.
#[derive(Default)]
struct NodeRecord {
    /// P: the path edges that end here.
    history: History,
    /// Waiting in W, with the context to look at them in (`None`: all contexts).
    pending: Vec<(PathEdgeId, Option<ContextId>)>,
    /// Infeasible or subsumed in the contexts so far.
    suspended: Vec<PathEdgeId>,
}

/// What is known about one procedure.
#[derive(Default)]
struct ProcedureRecord {
    /// Everything it has been entered with.
    view: Option<View>,
    history: History,
    nodes: FxHashMap<NodeId, NodeRecord>,
    /// Nodes with pending path edges, by position in the weak topological order.
    work: BTreeSet<(u32, NodeId)>,
    /// Contexts that are not explored yet.
    entering: Vec<ContextId>,
    /// Summary edges that the callers have seen, and those that they have not.
    summaries: Vec<PathEdgeId>,
    undelivered: Vec<PathEdgeId>,
    /// W': path edges that wait at a call of this procedure, with the index of the call site.
    waiting: Vec<(PathEdgeId, usize)>,
    /// The path edges of this procedure that wait at calls, for new contexts to pass through.
    calling: Vec<(PathEdgeId, usize)>,
}

struct Search<'a> {
    aig: Aig,
    prepared: &'a Prepared<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    decider: Decider,
    edges: EdgeArena,
    contexts: ContextArena,
    procedures: Vec<ProcedureRecord>,
    /// Procedures with work of each of the three kinds, by level.
    internal: BTreeSet<(u32, ProcId)>,
    entering: BTreeSet<(u32, ProcId)>,
    returning: BTreeSet<(u32, ProcId)>,
    views: FxHashMap<ContextId, View>,
    statistics: Statistics,
}

impl<'a> Search<'a> {
    fn new(
        aig: Aig,
        prepared: &'a Prepared<'a>,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
        decider: Decider,
    ) -> Self {
        let (cut_nodes, variables, procedures) = prepared.sizes();
        let program = prepared.program;
        let statistics = Statistics {
            variables: program.variables.len() as u64,
            procedures: program.procedures.len() as u64,
            nodes: program.procedures.iter().map(|p| p.nodes.len() as u64).sum(),
            relevant_variables: variables as u64,
            relevant_procedures: procedures as u64,
            cut_nodes: cut_nodes as u64,
            ..Statistics::default()
        };
        Self {
            aig,
            prepared,
            budget,
            observer,
            decider,
            edges: EdgeArena::default(),
            contexts: ContextArena::default(),
            procedures: program.procedures.iter().map(|_| ProcedureRecord::default()).collect(),
            internal: BTreeSet::new(),
            entering: BTreeSet::new(),
            returning: BTreeSet::new(),
            views: FxHashMap::default(),
            statistics,
        }
    }

    /// Runs until a reachable error is found (`Some`) or nothing is left to do (`None`).
    fn run(&mut self) -> Result<Option<Failure>, Exhausted> {
        let start = context::start(&self.aig, self.prepared);
        self.announce(start);
        loop {
            self.budget.check()?;
            self.tick();
            if let Some(&(level, p)) = self.internal.last() {
                let record = &mut self.procedures[p.index()];
                let Some((_, n)) = record.work.pop_first() else {
                    self.internal.remove(&(level, p));
                    continue;
                };
                if let Some(failure) = self.expand(p, n)? {
                    return Ok(Some(failure));
                }
            } else if let Some((_, p)) = self.entering.pop_first() {
                self.explore(p)?;
            } else if let Some((_, p)) = self.returning.pop_last() {
                self.deliver(p)?;
            } else {
                return Ok(None);
            }
        }
    }

    fn level(&self, p: ProcId) -> u32 {
        self.prepared.calls.level[p.index()]
    }

    /// A context to be explored when its turn comes.
    fn announce(&mut self, context: Context) {
        if context.state.guard == Lit::FALSE {
            return;
        }
        let p = context.procedure;
        let id = self.contexts.add(context);
        self.procedures[p.index()].entering.push(id);
        self.entering.insert((self.level(p), p));
    }

    /// Enters a procedure in its new contexts, unless an explored one is applicable (Eq. 5).
    fn explore(&mut self, p: ProcId) -> Result<(), Exhausted> {
        let entry = self.prepared.procedure(p).entry;
        let live = self.prepared.live(p, entry);
        let mut fresh: Option<ContextId> = None;
        for id in std::mem::take(&mut self.procedures[p.index()].entering) {
            let state = &self.contexts.get(id).state;
            let canonical = self.decider.choices.canonical(&mut self.aig, state, |_| false);
            if self.procedures[p.index()].history.contains(&canonical) {
                self.decider.by_structure(&mut self.statistics);
                continue;
            }
            if let Some(union) = self.procedures[p.index()].history.union() {
                let query = inclusion(
                    &self.aig,
                    Lit::TRUE,
                    &self.contexts.get(id).state,
                    union,
                    live,
                    &self.decider.choices,
                );
                if self.subsumed(&query)? {
                    continue;
                }
            }
            let Self { aig, decider, procedures, .. } = self;
            procedures[p.index()].history.add(aig, &mut decider.choices, canonical, live);
            self.statistics.contexts += 1;
            fresh = Some(match fresh {
                None => id,
                Some(other) => {
                    self.statistics.merges += 1;
                    context::merge(&mut self.aig, self.prepared, &mut self.contexts, other, id)
                }
            });
        }
        let Some(fresh) = fresh else { return Ok(()) };
        let Some(old) = self.procedures[p.index()].view.take() else {
            self.procedures[p.index()].view =
                Some(View::new(&self.aig, self.prepared, &self.contexts, fresh));
            let entry = edge::entry_edge(&self.aig, self.prepared, p);
            return self.arrive(entry, None, true);
        };
        let Self { aig, prepared, contexts, .. } = self;
        let all = context::merge(aig, prepared, contexts, old.context, fresh);
        self.procedures[p.index()].view =
            Some(View::new(&self.aig, self.prepared, &self.contexts, all));
        self.views.insert(fresh, View::new(&self.aig, self.prepared, &self.contexts, fresh));
        // What was dropped may matter in the new context ...
        let nodes: BTreeMap<u32, NodeId> = {
            let position = &self.prepared.blocks(p).order.position;
            self.procedures[p.index()].nodes.keys().map(|&n| (position[n.index()], n)).collect()
        };
        for n in nodes.into_values() {
            let Some(record) = self.procedures[p.index()].nodes.get_mut(&n) else { continue };
            for edge in std::mem::take(&mut record.suspended) {
                self.arrive_again(edge, Some(fresh), false)?;
            }
        }
        // ... and the calls that are waiting pass it on.
        for i in 0..self.procedures[p.index()].calling.len() {
            let (edge, site) = self.procedures[p.index()].calling[i];
            let guard = self.edges.get(edge).state.guard;
            if self.feasible(p, guard, Some(fresh))? {
                self.enter(edge, site, Some(fresh));
            }
        }
        Ok(())
    }

    /// The view of a procedure from one context, or from all of them.
    fn with_view<T>(
        &mut self,
        p: ProcId,
        context: Option<ContextId>,
        f: impl FnOnce(&mut Self, &mut View) -> T,
    ) -> T {
        // The view is taken out while `f` runs, for `f` needs the rest of the search.
        let mut view = match context {
            Some(c) => self.views.remove(&c),
            None => self.procedures[p.index()].view.take(),
        }
        .expect("a procedure is worked on only after it has been entered");
        let result = f(self, &mut view);
        match context {
            Some(c) => drop(self.views.insert(c, view)),
            None => self.procedures[p.index()].view = Some(view),
        }
        result
    }

    /// Passes a context of the caller on to the callee of a waiting call.
    fn enter(&mut self, edge: PathEdgeId, site: usize, context: Option<ContextId>) {
        let p = self.edges.get(edge).procedure;
        let entered = self.with_view(p, context, |this, view| {
            context::enter(&mut this.aig, this.prepared, &this.edges, edge, site, view)
        });
        self.announce(entered);
    }

    /// Is the guard satisfiable in the given context of its procedure?
    fn feasible(
        &mut self,
        p: ProcId,
        guard: Lit,
        context: Option<ContextId>,
    ) -> Result<bool, Exhausted> {
        let (seen, context) =
            self.with_view(p, context, |this, v| (v.lit(&mut this.aig, guard), v.guard));
        self.decider.satisfiable(&self.aig, &[seen, context], self.budget)
    }

    /// insert(π), first half: a path edge comes to its node and waits there to be merged.
    fn arrive(
        &mut self,
        edge: PathEdge,
        context: Option<ContextId>,
        known_feasible: bool,
    ) -> Result<(), Exhausted> {
        let id = self.edges.add(edge);
        self.arrive_again(id, context, known_feasible)
    }

    fn arrive_again(
        &mut self,
        id: PathEdgeId,
        context: Option<ContextId>,
        known_feasible: bool,
    ) -> Result<(), Exhausted> {
        let PathEdge { procedure: p, node: n, state, .. } = self.edges.get(id);
        let (p, n, guard) = (*p, *n, state.guard);
        let feasible = known_feasible || self.feasible(p, guard, context)?;
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        if feasible {
            record.pending.push((id, context));
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

    /// Takes what waits at a node, merged, and executes what follows (the body of Fig. 1's loop).
    fn expand(&mut self, p: ProcId, n: NodeId) -> Result<Option<Failure>, Exhausted> {
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        let pending = std::mem::take(&mut record.pending);
        let Some(&(first, context)) = pending.first() else { return Ok(None) };
        let same = pending.iter().all(|&(_, c)| c == context);
        let context = if same { context } else { None };
        let procedure = self.prepared.procedure(p);
        let mut edge = first;
        for &(other, _) in &pending[1..] {
            self.statistics.merges += 1;
            edge = edge::merge(&mut self.aig, self.prepared, &mut self.edges, edge, other);
        }
        if n == procedure.error {
            return self.fail(p, edge, context).map(Some);
        }
        if self.is_subsumption_node(p, n) {
            edge = self.compact(edge)?;
            if self.insert_checked(p, n, edge, context)? {
                return Ok(None);
            }
        }
        self.statistics.path_edges += 1;
        if n == procedure.exit {
            self.statistics.summary_edges += 1;
            self.procedures[p.index()].undelivered.push(edge);
            self.returning.insert((self.level(p), p));
            return Ok(None);
        }
        let blocks = self.prepared.blocks(p);
        if let Some(block) = &blocks.blocks[n.index()] {
            let guard = self.edges.get(edge).state.guard;
            let next = edge::transfer(&mut self.aig, self.prepared, &self.edges, edge, block);
            for to in next {
                let known = to.state.guard == guard;
                self.arrive(to, context, known)?;
            }
        }
        for site in 0..blocks.calls[n.index()].len() {
            self.call(p, n, edge, site, context)?;
        }
        Ok(None)
    }

    /// The same path edge with fewer choices, where that is possible.
    fn compact(&mut self, edge: PathEdgeId) -> Result<PathEdgeId, Exhausted> {
        let PathEdge { procedure, node, state, .. } = self.edges.get(edge);
        let (procedure, node) = (*procedure, *node);
        let live = self.prepared.live(procedure, node);
        let Self { aig, decider, prepared, budget, .. } = self;
        let compact =
            decider.compactor.compact(aig, prepared, procedure, state, live, budget)?;
        Ok(match compact {
            None => edge,
            Some(state) => {
                let origin = Origin::Compact { of: edge };
                self.edges.add(PathEdge { procedure, node, state, origin })
            }
        })
    }

    /// Where Eq. 8 is asked: loop heads, and entry and exit of recursive procedures.
    fn is_subsumption_node(&self, p: ProcId, n: NodeId) -> bool {
        let procedure = self.prepared.procedure(p);
        self.prepared.blocks(p).order.head[n.index()] || n == procedure.exit
    }

    /// insert(π), second half: is π ⊆ P?  If not, P grows.
    fn insert_checked(
        &mut self,
        p: ProcId,
        n: NodeId,
        edge: PathEdgeId,
        context: Option<ContextId>,
    ) -> Result<bool, Exhausted> {
        let live = self.prepared.live(p, n);
        let prepared = self.prepared;
        let Self { aig, decider, edges, .. } = self;
        let state = &edges.get(edge).state;
        let canonical = decider.choices.canonical(aig, state, |i| prepared.is_entry_value(i));
        let record = self.procedures[p.index()].nodes.entry(n).or_default();
        if record.history.contains(&canonical) {
            // The very same set of pairs: nothing that a new context could change.
            self.decider.by_structure(&mut self.statistics);
            return Ok(true);
        }
        if let Some(union) = record.history.union().cloned() {
            let (new, old, guard) = self.with_view(p, context, |this, view| {
                let state = this.edges.get(edge).state.clone();
                let new = view.state(&mut this.aig, &state);
                (new, view.state(&mut this.aig, &union), view.guard)
            });
            let query = inclusion(&self.aig, guard, &new, &old, live, &self.decider.choices);
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

    fn subsumed(&mut self, query: &crate::qbf::ForallExists) -> Result<bool, Exhausted> {
        let Self { aig, decider, statistics, observer, budget, .. } = self;
        observer.query(aig, query);
        decider.valid(aig, query, budget, statistics)
    }

    /// A call (Fig. 1, lines 22 to 34): the callee is entered, known summaries are applied, and
    /// the path edge waits in W' for more.
    fn call(
        &mut self,
        p: ProcId,
        n: NodeId,
        edge: PathEdgeId,
        site: usize,
        context: Option<ContextId>,
    ) -> Result<(), Exhausted> {
        let callee = self.prepared.site(p, n, site).callee;
        if self.prepared.slice.procedure(callee).is_none() {
            return Ok(());
        }
        self.procedures[p.index()].calling.push((edge, site));
        self.procedures[callee.index()].waiting.push((edge, site));
        self.enter(edge, site, context);
        for i in 0..self.procedures[callee.index()].summaries.len() {
            let summary = self.procedures[callee.index()].summaries[i];
            self.apply(edge, site, summary)?;
        }
        Ok(())
    }

    /// Hands new summary edges to the calls that wait for them (Fig. 1, lines 39 to 42).
    fn deliver(&mut self, p: ProcId) -> Result<(), Exhausted> {
        let new = std::mem::take(&mut self.procedures[p.index()].undelivered);
        for summary in new {
            self.procedures[p.index()].summaries.push(summary);
            for i in 0..self.procedures[p.index()].waiting.len() {
                let (edge, site) = self.procedures[p.index()].waiting[i];
                self.apply(edge, site, summary)?;
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        edge: PathEdgeId,
        site: usize,
        summary: PathEdgeId,
    ) -> Result<(), Exhausted> {
        let guard = self.edges.get(edge).state.guard;
        let next =
            edge::apply(&mut self.aig, self.prepared, &self.edges, edge, site, summary);
        if let Some(next) = next {
            // In all contexts: the waiting edge may be feasible in another one than the latest.
            let known = next.state.guard == guard;
            self.arrive(next, None, known)?;
        }
        Ok(())
    }

    /// An error node has been reached by a feasible path edge: fixes one execution.
    fn fail(
        &mut self,
        p: ProcId,
        edge: PathEdgeId,
        context: Option<ContextId>,
    ) -> Result<Failure, Exhausted> {
        self.statistics.path_edges += 1;
        let guard = self.edges.get(edge).state.guard;
        let (seen, of_context, id) = self.with_view(p, context, |this, v| {
            (v.lit(&mut this.aig, guard), v.guard, v.context)
        });
        let model = self.decider.model(&self.aig, &[seen, of_context], self.budget)?;
        Ok(Failure { edge, context: id, model })
    }

    fn tick(&mut self) {
        self.statistics.aig_nodes = self.aig.len() as u64;
        self.decider.count(&mut self.statistics);
        self.observer.progress(&self.statistics);
    }

    fn final_statistics(&mut self) -> Statistics {
        self.tick();
        self.statistics.peak_memory_bytes = crate::budget::peak_resident_bytes().unwrap_or(0);
        self.statistics.clone()
    }
}
