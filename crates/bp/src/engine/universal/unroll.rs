//! unroll(pr): one procedure, with all loops unrolled as long as states can be new (Figs. 2 and 3).

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Bound, Universal, Workspace};
use crate::engine::symbolic::edge::{self, Origin, PathEdge, PathEdgeId};
use crate::engine::symbolic::state::State;
use crate::engine::symbolic::subsume::{History, inclusion};
use crate::language::program::{NodeId, ProcId};
use hardbop_base::budget::Exhausted;
use hardbop_logic::Lit;

/// The path edges at loop heads that the executions of a path edge visited.
#[derive(Clone)]
struct Visits {
    /// The path edges at loop heads through which the executions came, each with the condition, on
    /// choices, under which they did.  By number, ascending.
    edges: Rc<[(PathEdgeId, Lit)]>,
    /// The condition under which no state was visited twice.
    simple: Lit,
}

/// The path edges known at a loop head.
#[derive(Default)]
struct Head {
    /// P(n).
    edges: Vec<PathEdgeId>,
    /// The first `added` of them, as one set.
    history: History,
    added: usize,
}

enum Judgement {
    /// The path edge may lead to new states.
    New,
    /// The path edge need not be followed.
    Exhausted,
    /// Neither was proved, as that is too hard.
    TooHard,
}

pub(super) struct Unroll<'w, 'a> {
    work: &'w mut Workspace<'a>,
    procedure: ProcId,
    universal: &'w [Option<Universal>],
    bound: Bound,
    limit: usize,
    /// W, by position in the weak topological order, which is the priority: what can still be
    /// merged is merged before it moves on.
    pending: BTreeMap<u32, (NodeId, Vec<PathEdgeId>)>,
    heads: FxHashMap<NodeId, Head>,
    visits: FxHashMap<PathEdgeId, Visits>,
    result: Universal,
}

impl<'w, 'a> Unroll<'w, 'a> {
    pub fn new(
        work: &'w mut Workspace<'a>,
        procedure: ProcId,
        universal: &'w [Option<Universal>],
        bound: Bound,
        limit: usize,
    ) -> Self {
        Self {
            work,
            procedure,
            universal,
            bound,
            limit,
            pending: BTreeMap::new(),
            heads: FxHashMap::default(),
            visits: FxHashMap::default(),
            result: Universal::default(),
        }
    }

    /// Fig. 2; `None` if a path edge exceeds the size limit.
    pub fn run(mut self) -> Result<Option<Universal>, Exhausted> {
        let explored = self.work.edges.explored().len();
        let entry = edge::entry_edge(self.work.aig, self.work.prepared, self.procedure);
        self.insert(entry, Visits { edges: Rc::from([]), simple: Lit::TRUE }, Lit::TRUE)?;
        while let Some((node, waiting)) = self.next() {
            self.work.budget.check()?;
            self.tick();
            let Some(edge) = self.merged(&waiting) else { continue };
            if self.size(edge) > self.limit || !self.expand(node, edge)? {
                self.work.edges.forget_explored(explored);
                return Ok(None);
            }
        }
        Ok(Some(self.result))
    }

    /// Takes the first node from W, except that a loop head reached again waits until nothing is
    /// left inside the loop.
    fn next(&mut self) -> Option<(NodeId, Vec<PathEdgeId>)> {
        let order = &self.work.prepared.blocks(self.procedure).order;
        let (&first, (node, _)) = self.pending.first_key_value()?;
        let (mut position, mut node) = (first, *node);
        let inside = |position: u32, node: NodeId| {
            position.saturating_add(1)..position.saturating_add(order.extent[node.index()])
        };
        while let Some((&inner, (next, _))) = self.pending.range(inside(position, node)).next() {
            (position, node) = (inner, *next);
        }
        self.pending.remove(&position)
    }

    fn tick(&mut self) {
        let work = &mut *self.work;
        work.statistics.aig_nodes = work.statistics.aig_nodes.max(work.aig.len() as u64);
        work.observer.progress(work.statistics);
    }

    fn size(&self, edge: PathEdgeId) -> usize {
        self.work.aig.cone(self.work.edges.get(edge).state.roots()).len()
    }

    /// merge(W').
    fn merged(&mut self, waiting: &[PathEdgeId]) -> Option<PathEdgeId> {
        let (&first, rest) = waiting.split_first()?;
        Some(rest.iter().fold(first, |left, &right| {
            self.work.statistics.merges += 1;
            let work = &mut *self.work;
            let merged = edge::merge(work.aig, work.prepared, work.edges, left, right);
            if let Origin::Merge { choose, .. } = self.work.edges.get(merged).origin {
                let visits = self.merged_visits(choose, left, right);
                self.visits.insert(merged, visits);
            }
            merged
        }))
    }

    /// The visits of the left edge under `choose`, and those of the right edge otherwise.
    fn merged_visits(&mut self, choose: Lit, left: PathEdgeId, right: PathEdgeId) -> Visits {
        let (left, right) = (self.visits[&left].clone(), self.visits[&right].clone());
        let mut both: BTreeMap<PathEdgeId, (Lit, Lit)> = BTreeMap::new();
        for &(edge, on) in left.edges.iter() {
            both.insert(edge, (on, Lit::FALSE));
        }
        for &(edge, on) in right.edges.iter() {
            both.entry(edge).or_insert((Lit::FALSE, on)).1 = on;
        }
        let aig = &mut *self.work.aig;
        let simple = aig.ite(choose, left.simple, right.simple);
        let edges = both.into_iter().map(|(edge, (l, r))| (edge, aig.ite(choose, l, r))).collect();
        Visits { edges, simple }
    }

    /// Puts a new path edge into W unless its guard is unsatisfiable; `before` is the guard of its
    /// predecessor.
    fn insert(&mut self, edge: PathEdge, visits: Visits, before: Lit) -> Result<(), Exhausted> {
        let guard = edge.state.guard;
        let work = &mut *self.work;
        if guard != before && !work.decider.satisfiable(work.aig, &[guard], work.budget)? {
            return Ok(());
        }
        let node = edge.node;
        // Errors in callees lead to the error node outside of the order.
        let position = match work.prepared.blocks(self.procedure).order.position[node.index()] {
            _ if node == work.prepared.procedure(self.procedure).error => u32::MAX,
            position => position,
        };
        let id = work.edges.add(edge);
        self.visits.insert(id, visits);
        self.pending.entry(position).or_insert((node, vec![])).1.push(id);
        Ok(())
    }

    /// expand(π) of Fig. 3; false if the procedure is given up.
    fn expand(&mut self, node: NodeId, edge: PathEdgeId) -> Result<bool, Exhausted> {
        let prepared = self.work.prepared;
        let procedure = prepared.procedure(self.procedure);
        self.work.statistics.path_edges += 1;
        if !prepared.blocks(self.procedure).order.head[node.index()] {
            self.work.edges.mark_explored(edge);
        }
        if node == procedure.exit {
            self.work.statistics.summary_edges += 1;
            self.result.exit = Some(edge);
            return Ok(true);
        }
        if node == procedure.error {
            self.result.error = Some(edge);
            return Ok(true);
        }
        let blocks = prepared.blocks(self.procedure);
        let mut visits = self.visits[&edge].clone();
        if blocks.order.head[node.index()] {
            if self.bound != Bound::Fixpoint {
                visits.simple = self.simple(node, edge, &visits);
                self.visits.insert(edge, visits.clone());
            }
            match self.judge(node, edge)? {
                Judgement::New => {}
                Judgement::Exhausted => return Ok(true),
                Judgement::TooHard => return Ok(false),
            }
            self.heads.entry(node).or_default().edges.push(edge);
            self.work.statistics.unrollings += 1;
            self.work.edges.mark_explored(edge);
            visits.edges = visits.edges.iter().copied().chain([(edge, Lit::TRUE)]).collect();
        }
        let guard = self.work.edges.get(edge).state.guard;
        if let Some(block) = &blocks.blocks[node.index()] {
            let work = &mut *self.work;
            for next in edge::transfer(work.aig, prepared, work.edges, edge, block) {
                self.insert(next, visits.clone(), guard)?;
            }
        }
        for (site, call) in blocks.calls[node.index()].iter().enumerate() {
            if prepared.slice.procedure(call.callee).is_none() {
                continue;
            }
            let work = &mut *self.work;
            let (aig, edges) = (&mut *work.aig, &*work.edges);
            let next: Vec<PathEdge> = if prepared.is_transparent(call.callee) {
                edge::skip(aig, prepared, edges, edge, site).into_iter().collect()
            } else {
                let Universal { exit, error } =
                    self.universal[call.callee.index()].unwrap_or_default();
                let failed = error.and_then(|e| edge::fail(aig, prepared, edges, edge, site, e));
                let returned = exit.and_then(|e| edge::apply(aig, prepared, edges, edge, site, e));
                failed.into_iter().chain(returned).collect()
            };
            for next in next {
                self.insert(next, visits.clone(), guard)?;
            }
        }
        Ok(true)
    }

    /// Decides what to do with a path edge at a loop head.
    fn judge(&mut self, node: NodeId, edge: PathEdgeId) -> Result<Judgement, Exhausted> {
        let mut undecided = false;
        if self.bound != Bound::Fixpoint {
            match self.is_recurring(edge)? {
                Some(true) => {
                    self.work.statistics.stopped_by_recurrence += 1;
                    return Ok(Judgement::Exhausted);
                }
                Some(false) => {}
                None => undecided = true,
            }
        }
        let count = self.heads.get(&node).map_or(0, |h| h.edges.len());
        let first = self.work.decider.limits.universal.first_fixpoint;
        let due = match self.bound {
            Bound::Rrd if undecided => return Ok(Judgement::TooHard),
            Bound::Rrd => false,
            Bound::Fixpoint => count > 0,
            Bound::Both => undecided || (count >= first && count.is_power_of_two()),
        };
        if due && self.is_subsumed(node, edge)? {
            self.work.statistics.stopped_by_fixpoint += 1;
            return Ok(Judgement::Exhausted);
        }
        Ok(Judgement::New)
    }

    /// The condition that an execution arriving here visits no state twice, at this loop head or
    /// before.  Of P(n), only visits of the same execution count: with nested loops, and after
    /// merging, other path edges belong to other executions.
    fn simple(&mut self, node: NodeId, edge: PathEdgeId, visits: &Visits) -> Lit {
        let work = &mut *self.work;
        let live = work.prepared.live(self.procedure, node);
        let state = &work.edges.get(edge).state;
        let mut conjuncts = vec![visits.simple];
        for &(earlier, on) in visits.edges.iter() {
            let earlier = work.edges.get(earlier);
            if earlier.node != node {
                continue;
            }
            let mut differs = vec![!on];
            for slot in live.ones() {
                differs.push(work.aig.xor(state.omega[slot], earlier.state.omega[slot]));
            }
            conjuncts.push(work.aig.or_all(differs));
        }
        work.aig.and_all(conjuncts)
    }

    /// recurring(P(n) ∪ {π}), Eq. 9: whether every execution that comes here visits some state for
    /// the second time; `None` if that is too hard to decide.
    fn is_recurring(&mut self, edge: PathEdgeId) -> Result<Option<bool>, Exhausted> {
        let guard = self.simple_state(edge).guard;
        let work = &mut *self.work;
        work.statistics.recurrence_checks += 1;
        let conflicts = work.decider.limits.universal.recurrence_conflicts;
        let new = work.decider.satisfiable_within(work.aig, &[guard], conflicts, work.budget)?;
        Ok(new.map(|new| !new))
    }

    /// π, restricted to executions that visit no state twice.
    fn simple_state(&mut self, edge: PathEdgeId) -> State {
        let mut state = self.work.edges.get(edge).state.clone();
        state.guard = self.work.aig.and(state.guard, self.visits[&edge].simple);
        state
    }

    /// π ⊆ P(n), Eq. 8, for every entry state.
    fn is_subsumed(&mut self, node: NodeId, edge: PathEdgeId) -> Result<bool, Exhausted> {
        let added = self.heads.get(&node).map_or(0, |head| head.added);
        let waiting = self.heads.get(&node).map_or(&[][..], |head| &head.edges[added..]).to_vec();
        for earlier in waiting {
            let state = self.compact(node, earlier)?;
            let work = &mut *self.work;
            let (prepared, choices) = (work.prepared, &mut work.decider.choices);
            let state = choices.canonical(work.aig, &state, |i| prepared.is_entry_value(i));
            let live = prepared.live(self.procedure, node);
            let head = self.heads.entry(node).or_default();
            head.history.add(work.aig, choices, state, live);
            head.added += 1;
        }
        let new = self.compact(node, edge)?;
        let work = &mut *self.work;
        let union = self.heads.get(&node).and_then(|head| head.history.union());
        let Some(union) = union else { return Ok(false) };
        let live = work.prepared.live(self.procedure, node);
        let query = inclusion(work.aig, &new, union, live, &work.decider.choices);
        work.observer.query(work.aig, &query);
        work.decider.valid(work.aig, &query, work.budget, work.statistics)
    }

    fn compact(&mut self, node: NodeId, edge: PathEdgeId) -> Result<State, Exhausted> {
        let state = self.simple_state(edge);
        let work = &mut *self.work;
        let (prepared, compactor) = (work.prepared, &mut work.decider.compactor);
        let live = prepared.live(self.procedure, node);
        let compact =
            compactor.compact(work.aig, prepared, self.procedure, &state, live, work.budget)?;
        Ok(compact.unwrap_or(state))
    }
}
