//! One path of blocks and calls from the start to a reached error node, found backwards by the
//! rings.
//!
//! Each step back goes to a ring with a smaller stamp, and a call that returned is split into the
//! caller's path edge and a summary edge, both with smaller stamps.  So the work is linear in the
//! length of the path (times the logarithm of the number of rings), and the code does not recurse
//! on calls.

use super::fixpoint::{Fixpoint, Reached};
use super::steps::{Back, Follow, How, Steps};
use crate::engine::guide::way::Way;
use crate::engine::path::Hint;
use crate::engine::prepare::block::BlockStep;
use crate::engine::report::EngineError;
use crate::language::program::{NodeId, ProcId};
use hardbop_logic::bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;

/// Why there is no path.
pub(super) enum Failure {
    Stop(Stop),
    Engine(EngineError),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// A member of a path edge, taken from a ring.
struct Point {
    procedure: ProcId,
    node: NodeId,
    /// Values by BDD variable; only those of this procedure count.
    values: Vec<bool>,
    stamp: u32,
}

impl Point {
    fn literal(&self, variable: u32) -> (u32, bool) {
        (variable, self.values[variable as usize])
    }
}

/// The point before another one on a path.
enum Before {
    At(Point),
    /// A point among the tasks, to be continued once the callee is written down.
    Later,
}

enum Task {
    /// How this point was reached from its procedure's entry; if `outermost`, also how that
    /// procedure was called.
    Back {
        point: Point,
        outermost: bool,
    },
    Emit(BlockStep, Hint),
}

/// The path under construction, last step first, and the tasks left.
#[derive(Default)]
struct Path {
    backwards: Vec<(BlockStep, Hint)>,
    tasks: Vec<Task>,
    /// The nodes that have a step to each node, of the procedures in which it has been.
    sources: FxHashMap<ProcId, FxHashMap<NodeId, Vec<NodeId>>>,
}

impl Fixpoint<'_> {
    /// A path from the start of the program to the error.
    pub(super) fn path(&mut self, reached: Reached) -> Result<Way, Failure> {
        let everything = self.m.constant(true);
        let Reached { procedure, node } = reached;
        let before = self.now();
        let point = self.find(procedure, node, &everything, before)?.ok_or_else(lost)?;
        let mut path = Path::default();
        path.tasks.push(Task::Back { point, outermost: true });
        while let Some(task) = path.tasks.pop() {
            match task {
                Task::Emit(step, hint) => path.backwards.push((step, hint)),
                Task::Back { mut point, outermost } => {
                    while let Some(Before::At(from)) = self.back(&point, outermost, &mut path)? {
                        point = from;
                    }
                }
            }
        }
        let (steps, hints) = path.backwards.into_iter().rev().unzip();
        Ok(Way { steps, hints, over: self.world.prepared.transparent() })
    }

    /// The values of the variables that are live at a point.
    fn hint(&self, point: &Point) -> Hint {
        let (p, world) = (point.procedure, self.world);
        let slots = &world.prepared.frame(p).slots;
        let live = world.prepared.live(p, point.node).ones();
        live.map(|slot| (slots[slot], point.literal(world.now(p, slot)).1)).collect()
    }

    /// A member of `wanted` at a node, older than `before`.
    fn find(
        &mut self,
        procedure: ProcId,
        node: NodeId,
        wanted: &Bdd,
        before: u32,
    ) -> Result<Option<Point>, Stop> {
        let Some(record) = self.procedures[procedure.index()].nodes.get_mut(&node) else {
            return Ok(None);
        };
        let Some((stamp, common)) = record.rings.meeting(&mut self.m, wanted, before)? else {
            return Ok(None);
        };
        Ok(common.pick().map(|values| Point { procedure, node, values, stamp }))
    }

    /// The nodes with a step to each node of a procedure, in order.
    fn sources(&self, p: ProcId) -> FxHashMap<NodeId, Vec<NodeId>> {
        let mut sources: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        for (&n, record) in &self.procedures[p.index()].nodes {
            let Some(steps) = &record.steps else { continue };
            let after_calls = steps.calls.iter().filter_map(|call| match &call.how {
                How::Skip { target, .. } => Some(*target),
                How::Follow(follow) => follow.back.as_ref().map(|back| back.target),
            });
            for target in steps.exits.iter().map(|exit| exit.0).chain(after_calls) {
                let found = sources.entry(target).or_default();
                if found.last() != Some(&n) {
                    found.push(n);
                }
            }
        }
        sources
    }

    /// Takes one step back; `None` where the path begins.
    fn back(
        &mut self,
        point: &Point,
        outermost: bool,
        path: &mut Path,
    ) -> Result<Option<Before>, Failure> {
        let p = point.procedure;
        let program = self.world.prepared.program;
        if point.node == program.procedure(p).entry {
            // The program may start with any values.
            if !outermost || p == program.entry {
                return Ok(None);
            }
            return self.caller(point, path).map(|from| Some(Before::At(from)));
        }
        let sources = path.sources.entry(p).or_insert_with(|| self.sources(p));
        for n in sources.get(&point.node).cloned().unwrap_or_default() {
            // Taken out while in use.
            let record = self.procedures[p.index()].nodes.get_mut(&n);
            let Some(steps) = record.and_then(|r| r.steps.take()) else { continue };
            let found = self.step_before(point, n, &steps, outermost, path);
            if let Some(record) = self.procedures[p.index()].nodes.get_mut(&n) {
                record.steps = Some(steps);
            }
            if let Some(found) = found? {
                return Ok(Some(found));
            }
        }
        Err(lost())
    }

    /// A step from `n` to a point.
    fn step_before(
        &mut self,
        point: &Point,
        n: NodeId,
        steps: &Steps,
        outermost: bool,
        path: &mut Path,
    ) -> Result<Option<Before>, Failure> {
        let (procedure, target) = (point.procedure, point.node);
        for (_, relation) in steps.exits.iter().filter(|e| e.0 == target) {
            let after = self.after(point, n)?;
            let wanted = relation.before(&mut self.m, &after)?;
            if let Some(from) = self.find(procedure, n, &wanted, point.stamp)? {
                let step = BlockStep::Block { procedure, node: n, target };
                path.backwards.push((step, self.hint(&from)));
                return Ok(Some(Before::At(from)));
            }
        }
        for call in &steps.calls {
            let site = call.site;
            let enter = BlockStep::Call { procedure, node: n, site };
            match &call.how {
                How::Skip { target: to, .. } if *to == target => {
                    let wanted = self.unchanged(point, |_| false)?;
                    if let Some(from) = self.find(procedure, n, &wanted, point.stamp)? {
                        let callee = call.callee;
                        let over = BlockStep::Over { procedure, node: n, site, callee };
                        path.backwards.push((over, self.hint(&from)));
                        return Ok(Some(Before::At(from)));
                    }
                }
                How::Follow(follow) => {
                    let Some(back) = follow.back.as_ref().filter(|b| b.target == target) else {
                        continue;
                    };
                    let found = self.through(point, n, call.callee, follow, back)?;
                    if let Some((from, exit)) = found {
                        path.backwards.push((BlockStep::Return, self.hint(&exit)));
                        let call = Task::Emit(enter, self.hint(&from));
                        path.tasks.push(Task::Back { point: from, outermost });
                        path.tasks.push(call);
                        path.tasks.push(Task::Back { point: exit, outermost: false });
                        return Ok(Some(Before::Later));
                    }
                }
                How::Skip { .. } => {}
            }
        }
        Ok(None)
    }

    /// A point as seen by the block of `n`: next values of what it changes, current values
    /// elsewhere.
    fn after(&mut self, point: &Point, n: NodeId) -> Result<Bdd, Stop> {
        let (p, world) = (point.procedure, self.world);
        let blocks = world.prepared.blocks(p);
        let mut exits = blocks.blocks[n.index()].iter().flat_map(|b| &b.exits);
        let exit = exits.find(|e| e.target == point.node);
        let changed = |slot: usize| {
            exit.is_some_and(|e| e.state.omega[slot] != world.aig.input(blocks.inputs[slot]))
        };
        let live = world.prepared.live(p, point.node).ones().filter(|&slot| changed(slot));
        let next = live.map(|slot| (world.next(p, slot), point.literal(world.now(p, slot)).1));
        let next: Vec<(u32, bool)> = next.collect();
        let next = self.m.literals(next)?;
        let rest = self.unchanged(point, changed)?;
        self.m.and(&next, &rest)
    }

    /// The entry values of a point, and its current values except those `changed`.
    fn unchanged(&mut self, point: &Point, changed: impl Fn(usize) -> bool) -> Result<Bdd, Stop> {
        let (p, world) = (point.procedure, self.world);
        let live = world.prepared.live(p, point.node).ones().filter(|&slot| !changed(slot));
        let variables = live.map(|slot| world.now(p, slot)).chain(world.entries(p));
        self.m.literals(variables.map(|v| point.literal(v)))
    }

    /// A path edge at the call and a summary edge, both older than the point to which they lead.
    fn through(
        &mut self,
        point: &Point,
        n: NodeId,
        callee: ProcId,
        follow: &Follow,
        back: &Back,
    ) -> Result<Option<(Point, Point)>, Failure> {
        let (p, world) = (point.procedure, self.world);
        let exit = world.prepared.procedure(callee).exit;
        let Some(record) = self.procedures[callee.index()].nodes.get_mut(&exit) else {
            return Ok(None);
        };
        let summaries = record.rings.union(&mut self.m, point.stamp)?;
        let results = back.results.iter().map(|(&outer, &inner)| {
            (world.now(callee, inner), point.literal(world.now(p, outer)).1)
        });
        let results: Vec<(u32, bool)> = results.collect();
        let results = self.m.literals(results)?;
        let at_exit = world.prepared.live(callee, exit).ones();
        let at_exit = self.m.cube(at_exit.map(|slot| world.now(callee, slot)))?;
        let contexts = self.m.and_exists(&summaries, &results, &at_exit)?;
        let calls = self.m.replace(&contexts, &back.enter)?;
        let calls = self.m.exists(&calls, &follow.choices)?;
        let rest = self.unchanged(point, |slot| back.results.contains_key(&slot))?;
        let wanted = self.m.and(&calls, &rest)?;
        let Some(from) = self.find(p, n, &wanted, point.stamp)? else { return Ok(None) };

        // The values with which `from` enters the callee.
        let live: Vec<u32> =
            world.prepared.live(p, n).ones().map(|slot| world.now(p, slot)).collect();
        let mut passed = self.m.literals(live.iter().map(|&v| from.literal(v)))?;
        for part in &follow.arguments {
            passed = self.m.and(&passed, &part.function)?;
        }
        let live = self.m.cube(live)?;
        passed = self.m.exists(&passed, &live)?;
        passed = self.m.exists(&passed, &follow.choices)?;
        let globals: Vec<(u32, bool)> =
            follow.passed.iter().map(|&(now, entry)| (entry, from.literal(now).1)).collect();
        let globals = self.m.literals(globals)?;
        let wanted = self.m.and(&passed, &globals)?;
        let wanted = self.m.and(&wanted, &results)?;
        let exit = self.find(callee, exit, &wanted, point.stamp)?.ok_or_else(lost)?;
        Ok(Some((from, exit)))
    }

    /// A call that enters a procedure with the values of a point at its entry.
    fn caller(&mut self, point: &Point, path: &mut Path) -> Result<Point, Failure> {
        let (callee, world) = (point.procedure, self.world);
        let callers = self.procedures[callee.index()].callers.clone();
        for (procedure, node, index) in callers {
            let record = self.procedures[procedure.index()].nodes.get(&node);
            let Some(steps) = record.and_then(|r| r.steps.as_ref()) else { continue };
            let call = &steps.calls[index];
            let How::Follow(follow) = &call.how else { continue };
            let globals = follow.passed.iter().map(|&(now, entry)| (now, point.literal(entry).1));
            let formals =
                world.entries(callee).filter(|v| !follow.passed.iter().any(|g| g.1 == *v));
            let formals: Vec<u32> = formals.collect();
            let literals: Vec<(u32, bool)> =
                formals.iter().map(|&v| point.literal(v)).chain(globals).collect();
            let mut wanted = self.m.literals(literals)?;
            for part in &follow.arguments {
                wanted = self.m.and(&wanted, &part.function)?;
            }
            let formals = self.m.cube(formals)?;
            wanted = self.m.exists(&wanted, &formals)?;
            wanted = self.m.exists(&wanted, &follow.choices)?;
            let site = call.site;
            if let Some(from) = self.find(procedure, node, &wanted, point.stamp)? {
                let step = BlockStep::Call { procedure, node, site };
                path.backwards.push((step, self.hint(&from)));
                return Ok(from);
            }
        }
        Err(lost())
    }
}

/// The rings contradict the relations.
fn lost() -> Failure {
    let what = "the rings of a path edge do not lead back to the start".to_string();
    Failure::Engine(EngineError::TraceDoesNotReplay(what))
}
