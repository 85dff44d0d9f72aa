//! The fixpoint: path edges, contexts and summary edges, until an error node is reached or nothing
//! is new.

use std::collections::{BTreeMap, BTreeSet};

use super::rings::Rings;
use super::steps::{How, Steps, World};
use crate::engine::observer::Observer;
use crate::engine::statistics::Statistics;
use crate::language::program::{NodeId, ProcId};
use hardbop_logic::bdd::{Bdd, Manager, Stop};

/// The record of one node in the fixpoint.
pub(super) struct NodeRecord {
    /// The path edges that end here.
    reached: Bdd,
    /// The path edges that are not yet expanded.
    frontier: Bdd,
    pub rings: Rings,
    /// Built when the node is first expanded.
    pub steps: Option<Steps>,
}

/// The record of one procedure in the fixpoint.
pub(super) struct ProcedureRecord {
    /// The contexts in which it is called.
    contexts: Bdd,
    /// The contexts that are not yet entered.
    wanted: Bdd,
    pub nodes: BTreeMap<NodeId, NodeRecord>,
    /// Nodes with frontiers, by position in the weak topological order; errors come first.
    work: BTreeSet<(u32, NodeId)>,
    /// Summary edges that callers have seen, and those they have not.
    delivered: Bdd,
    undelivered: Bdd,
    /// The call sites of the procedure: procedure, node, and index among the steps of the node.
    pub callers: BTreeSet<(ProcId, NodeId, usize)>,
}

/// An error node that was reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub procedure: ProcId,
    pub node: NodeId,
}

/// One run of the algorithm.
pub(super) struct Fixpoint<'a> {
    pub m: Manager,
    pub world: World<'a>,
    pub procedures: Vec<ProcedureRecord>,
    observer: &'a mut dyn Observer,
    pub statistics: &'a mut Statistics,
    /// Procedures with work of each of the three kinds, by level.
    internal: BTreeSet<(u32, ProcId)>,
    entering: BTreeSet<(u32, ProcId)>,
    returning: BTreeSet<(u32, ProcId)>,
    /// Expansions so far.
    stamp: u32,
}

impl<'a> Fixpoint<'a> {
    pub fn new(
        m: Manager,
        world: World<'a>,
        observer: &'a mut dyn Observer,
        statistics: &'a mut Statistics,
    ) -> Self {
        let no = || m.constant(false);
        let procedures = world
            .prepared
            .program
            .procedure_ids()
            .map(|_| ProcedureRecord {
                contexts: no(),
                wanted: no(),
                nodes: BTreeMap::new(),
                work: BTreeSet::new(),
                delivered: no(),
                undelivered: no(),
                callers: BTreeSet::new(),
            })
            .collect();
        Self {
            m,
            world,
            procedures,
            observer,
            statistics,
            internal: BTreeSet::new(),
            entering: BTreeSet::new(),
            returning: BTreeSet::new(),
            stamp: 0,
        }
    }

    /// Runs until an error node is reached, or nothing is left to do.
    ///
    /// Work is ordered as in [`crate::engine::qbf`]: whatever can be merged is merged before it
    /// moves on. Contexts are exact here, so an error in any procedure is an error of the program.
    pub fn run(&mut self) -> Result<Option<Reached>, Stop> {
        let main = self.world.prepared.program.entry;
        let everything = self.m.constant(true);
        self.want(main, &everything)?;
        loop {
            self.observer.progress(self.statistics);
            if let Some(&(level, p)) = self.internal.last() {
                let Some((_, node)) = self.procedures[p.index()].work.pop_first() else {
                    self.internal.remove(&(level, p));
                    continue;
                };
                if node == self.world.prepared.procedure(p).error {
                    self.ring(p, node);
                    return Ok(Some(Reached { procedure: p, node }));
                }
                self.expand(p, node)?;
            } else if let Some((_, p)) = self.entering.pop_first() {
                self.explore(p)?;
            } else if let Some((_, p)) = self.returning.pop_last() {
                self.deliver(p)?;
            } else {
                return Ok(None);
            }
        }
    }

    /// The path edges to a node so far.
    pub fn reached(&self, p: ProcId, n: NodeId) -> Option<&Bdd> {
        self.procedures[p.index()].nodes.get(&n).map(|record| &record.reached)
    }

    /// A stamp above those of all expansions.
    pub fn now(&self) -> u32 {
        self.stamp + 1
    }

    fn level(&self, p: ProcId) -> u32 {
        self.world.prepared.calls.level[p.index()]
    }

    /// Adds contexts, to be entered later.
    fn want(&mut self, p: ProcId, contexts: &Bdd) -> Result<(), Stop> {
        let record = &mut self.procedures[p.index()];
        let new = self.m.minus(contexts, &record.contexts)?;
        if new.is_false() {
            return Ok(());
        }
        record.contexts = self.m.or(&record.contexts, &new)?;
        record.wanted = self.m.or(&record.wanted, &new)?;
        let level = self.level(p);
        self.entering.insert((level, p));
        Ok(())
    }

    fn explore(&mut self, p: ProcId) -> Result<(), Stop> {
        let no = self.m.constant(false);
        let wanted = std::mem::replace(&mut self.procedures[p.index()].wanted, no);
        self.statistics.contexts += 1;
        let edges = self.world.entered(&mut self.m, p, &wanted)?;
        self.arrive(p, self.world.prepared.procedure(p).entry, &edges)
    }

    /// Adds path edges to a node; the new ones wait in its frontier.
    fn arrive(&mut self, p: ProcId, n: NodeId, edges: &Bdd) -> Result<(), Stop> {
        if edges.is_false() {
            return Ok(());
        }
        let no = self.m.constant(false);
        let record = self.procedures[p.index()].nodes.entry(n).or_insert_with(|| NodeRecord {
            reached: no.clone(),
            frontier: no,
            rings: Rings::default(),
            steps: None,
        });
        let new = self.m.minus(edges, &record.reached)?;
        if new.is_false() {
            return Ok(());
        }
        record.reached = self.m.or(&record.reached, &new)?;
        record.frontier = self.m.or(&record.frontier, &new)?;
        let position = match self.world.prepared.blocks(p).order.position[n.index()] {
            _ if n == self.world.prepared.procedure(p).error => 0,
            position => position,
        };
        self.procedures[p.index()].work.insert((position, n));
        let level = self.level(p);
        self.internal.insert((level, p));
        Ok(())
    }

    /// Turns the frontier of a node into its newest ring.
    fn ring(&mut self, p: ProcId, n: NodeId) -> Option<Bdd> {
        let no = self.m.constant(false);
        let record = self.procedures[p.index()].nodes.get_mut(&n)?;
        let frontier = std::mem::replace(&mut record.frontier, no);
        self.stamp += 1;
        record.rings.push(self.stamp, frontier.clone());
        self.statistics.path_edges += 1;
        Some(frontier)
    }

    fn expand(&mut self, p: ProcId, n: NodeId) -> Result<(), Stop> {
        let Some(frontier) = self.ring(p, n) else { return Ok(()) };
        if n == self.world.prepared.procedure(p).exit {
            self.statistics.summary_edges += 1;
            let record = &mut self.procedures[p.index()];
            record.undelivered = self.m.or(&record.undelivered, &frontier)?;
            let level = self.level(p);
            self.returning.insert((level, p));
            return Ok(());
        }
        // Taken out while in use.
        let mut steps = match self.procedures[p.index()].nodes.get_mut(&n).map(|r| r.steps.take()) {
            Some(Some(steps)) => steps,
            _ => self.steps(p, n)?,
        };
        let done = self.follow(p, n, &frontier, &mut steps);
        if let Some(record) = self.procedures[p.index()].nodes.get_mut(&n) {
            record.steps = Some(steps);
        }
        done
    }

    /// The steps from a node, with the callees' summaries known so far.
    fn steps(&mut self, p: ProcId, n: NodeId) -> Result<Steps, Stop> {
        let mut steps = self.world.steps(&mut self.m, p, n)?;
        for call in &mut steps.calls {
            let known = &self.procedures[call.callee.index()].delivered;
            if let How::Follow(follow) = &mut call.how
                && let Some(back) = &mut follow.back
            {
                back.summary = back.instantiated(&mut self.m, known)?;
            }
        }
        Ok(steps)
    }

    fn follow(
        &mut self,
        p: ProcId,
        n: NodeId,
        frontier: &Bdd,
        steps: &mut Steps,
    ) -> Result<(), Stop> {
        for (target, relation) in &steps.exits {
            self.statistics.bdd_images += 1;
            let image = relation.image(&mut self.m, frontier)?;
            self.arrive(p, *target, &image)?;
        }
        for (index, call) in steps.calls.iter().enumerate() {
            self.statistics.bdd_images += 1;
            match &call.how {
                How::Skip { target, relation } => {
                    let image = relation.image(&mut self.m, frontier)?;
                    self.arrive(p, *target, &image)?;
                }
                How::Follow(follow) => {
                    self.procedures[call.callee.index()].callers.insert((p, n, index));
                    let entries = self.m.cube(self.world.entries(p))?;
                    let states = self.m.exists(frontier, &entries)?;
                    let contexts = follow.enter.image(&mut self.m, &states)?;
                    self.want(call.callee, &contexts)?;
                    if let Some(back) = follow.back.as_ref().filter(|b| !b.summary.is_false()) {
                        self.statistics.bdd_images += 1;
                        let image = back.image(&mut self.m, frontier, &back.summary)?;
                        self.arrive(p, back.target, &image)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands new summary edges to the calls that wait for them.
    fn deliver(&mut self, p: ProcId) -> Result<(), Stop> {
        let no = self.m.constant(false);
        let new = std::mem::replace(&mut self.procedures[p.index()].undelivered, no);
        let record = &mut self.procedures[p.index()];
        record.delivered = self.m.or(&record.delivered, &new)?;
        let callers = record.callers.clone();
        for (caller, n, index) in callers {
            let Some(record) = self.procedures[caller.index()].nodes.get_mut(&n) else { continue };
            let Some(steps) = &mut record.steps else { continue };
            let How::Follow(follow) = &mut steps.calls[index].how else { continue };
            let Some(back) = &mut follow.back else { continue };
            self.statistics.bdd_images += 1;
            let seen = back.instantiated(&mut self.m, &new)?;
            back.summary = self.m.or(&back.summary, &seen)?;
            // Path edges not yet expanded will meet the summary when they are.
            let waiting = self.m.minus(&record.reached, &record.frontier)?;
            let image = back.image(&mut self.m, &waiting, &seen)?;
            let target = back.target;
            self.arrive(caller, target, &image)?;
        }
        Ok(())
    }
}
