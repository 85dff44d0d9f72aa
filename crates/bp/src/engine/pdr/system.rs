//! The program as Horn clauses: places, and rules that lead from place to place.
//!
//! A place is a cut node; its relation holds of the entry values and the current values with which
//! some execution is there.  A rule concludes a state at its target from one at its source, and, if
//! it is the return of a call, from one at the callee's exit as well.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::affine::Equation;
use super::compose;
use super::cube::{Cube, literal};
use crate::engine::limits::Directed;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::{BlockStep, CallSite};
use crate::language::program::{NodeId, ProcId};
use hardbop_logic::{Aig, Input, Lit, Substitution};

/// The number of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// The number of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

impl PlaceId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RuleId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A cut node.
pub struct Place {
    pub procedure: ProcId,
    pub node: NodeId,
    /// The value of each item in the formulas of the rules that start here; `None`: it is dead.
    pub values: Vec<Option<Lit>>,
    pub is_error: bool,
    /// Are its rules part of others?
    pub is_composed: bool,
    /// The facts known of all states here.
    pub known: Lit,
    /// The known facts that are equations.
    pub equations: Vec<Equation>,
    /// The known facts about gates, over the values.
    pub gates: Vec<Lit>,
    /// Is it known that there is no state here?
    pub is_excluded: bool,
    pub incoming: Vec<RuleId>,
    /// The returns from it, if it is an exit.
    pub returns: Vec<RuleId>,
}

/// The kind of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The program starts; the source is the place itself.
    Start,
    /// Blocks, and calls whose whole execution is part of the formulas.
    Step,
    /// A call enters its callee.
    Enter,
    /// A call returns.
    Return,
}

/// The callee's side of a return, in formulas of the caller.
#[derive(Clone)]
pub struct Exit {
    pub place: PlaceId,
    /// The value of each item of that place.
    pub values: Vec<Option<Lit>>,
    /// Values of globals that the callee leaves alone: they are the caller's.
    pub unmodified: Vec<usize>,
}

/// A rule.
#[derive(Clone)]
pub struct Rule {
    pub kind: Kind,
    /// The block steps that are executed: for a return, `first` up to the call, and `then` from the
    /// return on.
    pub first: Vec<BlockStep>,
    pub then: Vec<BlockStep>,
    pub source: PlaceId,
    pub target: PlaceId,
    pub guard: Lit,
    /// The value of each item of the target; `None`: any.
    pub after: Vec<Option<Lit>>,
    pub exit: Option<Exit>,
}

/// All places and rules.
pub struct System {
    pub places: Vec<Place>,
    pub rules: Vec<Rule>,
    /// The one rule that leads through each procedure, if it has become part of its callers' rules.
    pub inlined: Vec<Option<Rule>>,
    by_node: BTreeMap<(ProcId, NodeId), PlaceId>,
    /// Inputs for the values of each procedure at its exit.
    pub(super) returned: Vec<Vec<Input>>,
}

impl System {
    /// The rules of a program; their formulas are added to its graph.
    pub fn new(aig: &mut Aig, prepared: &Prepared, limits: &Directed) -> Self {
        let mut system = Self::places(aig, prepared);
        for place in (0..system.places.len() as u32).map(PlaceId) {
            system.rules_from(aig, prepared, place);
        }
        let main = prepared.program.entry;
        if let Some(start) = system.place(main, prepared.procedure(main).entry) {
            let inputs = &prepared.blocks(main).inputs;
            let values: Vec<Option<Lit>> = inputs.iter().map(|&i| Some(aig.input(i))).collect();
            let guard = system.places[start.index()].known;
            let after = [values.clone(), values].concat();
            system.add(Kind::Start, vec![], (start, start), guard, after, None);
        }
        compose::compose(&mut system, aig, prepared, limits);
        system
    }

    /// The place of a cut node of a procedure that is explored.
    pub fn place(&self, p: ProcId, n: NodeId) -> Option<PlaceId> {
        self.by_node.get(&(p, n)).copied()
    }

    fn places(aig: &mut Aig, prepared: &Prepared) -> Self {
        let program = prepared.program;
        let mut system = Self {
            places: vec![],
            rules: vec![],
            inlined: vec![],
            by_node: BTreeMap::new(),
            returned: vec![],
        };
        for p in program.procedure_ids() {
            let is_explored = prepared.slice.procedure(p).is_some() && !prepared.is_transparent(p);
            if !is_explored {
                system.returned.push(vec![]);
                continue;
            }
            let (procedure, blocks) = (prepared.procedure(p), prepared.blocks(p));
            system.returned.push(blocks.inputs.iter().map(|_| aig.new_input()).collect());
            let exits = blocks.blocks.iter().flatten().flat_map(|b| &b.exits);
            let returns = blocks.calls.iter().flatten().filter_map(|c| c.target);
            // Without a way back to the entry, values there are entry values.
            let is_left = procedure.entry != procedure.exit
                && !exits.map(|e| e.target).chain(returns).any(|t| t == procedure.entry);
            let live = prepared.live(p, procedure.entry);
            let given =
                |slot: usize| live.contains(slot) && prepared.is_entry_value(blocks.inputs[slot]);
            let entry: Vec<Option<Lit>> = (0..blocks.inputs.len())
                .map(|slot| given(slot).then(|| aig.new_input_lit()))
                .collect();
            for n in prepared.cut_nodes(p) {
                let live = prepared.live(p, n);
                let now = |slot: usize| aig.input(blocks.inputs[slot]);
                let slots = 0..blocks.inputs.len();
                let current = slots.clone().map(|s| live.contains(s).then(|| now(s)));
                let is_entry = n == procedure.entry;
                let at_entry = slots.map(|s| entry[s].filter(|_| !(is_entry && is_left)));
                let place = Place {
                    procedure: p,
                    node: n,
                    values: current.chain(at_entry).collect(),
                    known: if is_entry { blocks.entry_facts } else { Lit::TRUE },
                    is_error: n == procedure.error,
                    equations: vec![],
                    gates: vec![],
                    is_excluded: false,
                    is_composed: false,
                    incoming: vec![],
                    returns: vec![],
                };
                system.by_node.insert((p, n), PlaceId(system.places.len() as u32));
                system.places.push(place);
            }
        }
        system
    }

    fn add(
        &mut self,
        kind: Kind,
        first: Vec<BlockStep>,
        (source, target): (PlaceId, PlaceId),
        guard: Lit,
        mut after: Vec<Option<Lit>>,
        exit: Option<Exit>,
    ) {
        for (value, item) in after.iter_mut().zip(&self.places[target.index()].values) {
            *value = value.filter(|_| item.is_some());
        }
        let rule = Rule { kind, first, then: vec![], source, target, guard, after, exit };
        self.rules.push(rule);
    }

    /// Enters the rules at their places.
    pub(super) fn index(&mut self) {
        for (id, rule) in (0..).map(RuleId).zip(&self.rules) {
            self.places[rule.target.index()].incoming.push(id);
            if let Some(exit) = &rule.exit {
                self.places[exit.place.index()].returns.push(id);
            }
        }
    }

    fn rules_from(&mut self, aig: &mut Aig, prepared: &Prepared, source: PlaceId) {
        let (p, n) = {
            let place = &self.places[source.index()];
            (place.procedure, place.node)
        };
        let blocks = prepared.blocks(p);
        let inputs: Vec<Lit> = blocks.inputs.iter().map(|&i| aig.input(i)).collect();
        let entry = self.entry_values(source, &inputs);
        for exit in blocks.blocks[n.index()].iter().flat_map(|b| &b.exits) {
            let Some(target) = self.place(p, exit.target) else { continue };
            let now = exit.state.omega.iter().map(|&l| Some(l));
            let after = now.chain(entry.iter().copied()).collect();
            let block = BlockStep::Block { procedure: p, node: n, target: exit.target };
            self.add(Kind::Step, vec![block], (source, target), exit.state.guard, after, None);
        }
        for (index, site) in blocks.calls[n.index()].iter().enumerate() {
            if prepared.slice.procedure(site.callee).is_none() {
                continue;
            }
            let call = BlockStep::Call { procedure: p, node: n, site: index };
            if prepared.is_transparent(site.callee) {
                if let Some(target) = site.target.and_then(|t| self.place(p, t)) {
                    let now = inputs.iter().map(|&l| Some(l));
                    let after = now.chain(entry.iter().copied()).collect();
                    let callee = site.callee;
                    let over = BlockStep::Over { procedure: p, node: n, site: index, callee };
                    self.add(Kind::Step, vec![over], (source, target), site.promise, after, None);
                }
                continue;
            }
            self.call(aig, prepared, (source, call), site, (&inputs, &entry));
        }
    }

    /// The entry values at a place, by slot.
    fn entry_values(&self, place: PlaceId, inputs: &[Lit]) -> Vec<Option<Lit>> {
        let values = &self.places[place.index()].values;
        let slots = inputs.len();
        let is_entry = values[slots..].iter().all(Option::is_none);
        // Where nothing else is, current values are entry values.
        (0..slots).map(|s| if is_entry { Some(inputs[s]) } else { values[slots + s] }).collect()
    }

    /// The rules of a call.
    fn call(
        &mut self,
        aig: &mut Aig,
        prepared: &Prepared,
        (source, call): (PlaceId, BlockStep),
        site: &CallSite,
        (inputs, entry): (&[Lit], &[Option<Lit>]),
    ) {
        let (p, callee) = (self.places[source.index()].procedure, site.callee);
        let procedure = prepared.procedure(callee);
        let slots = prepared.frame(callee).len();
        let mut given: Vec<Option<Lit>> = vec![None; slots];
        for &(slot, value) in &site.arguments {
            given[slot] = Some(value);
        }
        for &(outer, inner) in &site.globals {
            given[inner] = Some(inputs[outer]);
        }
        if let Some(target) = self.place(callee, procedure.entry) {
            let after = [given.clone(), given.clone()].concat();
            self.add(Kind::Enter, vec![call], (source, target), Lit::TRUE, after, None);
        }
        let target = site.target.and_then(|t| self.place(p, t));
        let exit = self.place(callee, procedure.exit);
        let (Some(target), Some(exit)) = (target, exit) else { return };
        let Some(modified) = prepared.slice.procedure(callee).map(|s| &s.modified) else { return };
        let frame = &prepared.frame(callee).slots;
        let mut exited: Vec<Lit> =
            self.returned[callee.index()].iter().map(|&i| aig.input(i)).collect();
        let mut omega = inputs.to_vec();
        let mut unmodified = vec![];
        for &(outer, inner) in &site.globals {
            if modified.contains(frame[inner].index()) {
                omega[outer] = exited[inner];
            } else {
                exited[inner] = inputs[outer];
                unmodified.push(inner);
            }
        }
        for &(outer, inner) in &site.results {
            omega[outer] = exited[inner];
        }
        let mut guard = site.promise;
        if guard != Lit::TRUE {
            let mut map = Substitution::new();
            for (&input, &value) in prepared.blocks(p).inputs.iter().zip(&omega) {
                map.replace(aig, input, value);
            }
            guard = aig.substitute_one(guard, &mut map);
        }
        let there = &self.places[exit.index()].values;
        let values = exited.into_iter().map(Some).chain(given).zip(there);
        let values = values.map(|(value, item)| value.filter(|_| item.is_some())).collect();
        let after = omega.into_iter().map(Some).chain(entry.iter().copied()).collect();
        let exit = Exit { place: exit, values, unmodified };
        self.add(Kind::Return, vec![call], (source, target), guard, after, Some(exit));
    }
}

/// The item of which each input is the value.
pub fn items(aig: &Aig, values: &[Option<Lit>]) -> FxHashMap<Input, usize> {
    let inputs = values.iter().enumerate().filter_map(|(item, value)| {
        let lit = (*value)?;
        Some((aig.as_input(lit).filter(|_| !lit.is_negated())?, item))
    });
    // Of two items with one input, the first counts: a current value.
    let mut items = FxHashMap::default();
    inputs.for_each(|(input, item)| {
        items.entry(input).or_insert(item);
    });
    items
}

/// The cube of the items among these inputs.
pub fn cube(
    items: &FxHashMap<Input, usize>,
    inputs: &[Input],
    value: impl Fn(Input) -> bool,
) -> Cube {
    let of = |i: &Input| items.get(i).map(|&item| literal(item, value(*i)));
    let mut cube: Cube = inputs.iter().filter_map(of).collect();
    cube.sort_unstable();
    cube
}
