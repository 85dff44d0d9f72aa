//! Local variables that may be used before they have a value.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{Facts, Scope};
use super::set::Set;
use crate::flow::{
    Base, Body, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place, Step, VariableId,
    VariableKind,
};
use crate::types::{Type, TypeId};

/// Where more edges are to be looked at than this, for all leaves together, any way counts as possible.
const MOST: usize = 200_000;

/// An array of which more leaves would have to be told apart is one leaf.
const MOST_ELEMENTS: usize = 32;

/// Kinds of variables that some path may use although they have no value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::lower) struct Uninitialised {
    pub pointers: bool,
    pub others: bool,
}

/// Whether some path of the function uses the value of a local variable, or of a member of one, that has none: it was
/// declared without, or a jump into its block has left out its initial value.  What has had its address taken may have got one
/// from elsewhere.  A record that is copied, and an array that is read at an index that is no number of the text, has a value
/// as soon as something of it has.
pub(in crate::lower) fn uninitialised(flow: &Flow, function: FunctionId) -> Uninitialised {
    let Some(body) = &flow.functions[function.0 as usize].body else {
        return Uninitialised::default();
    };
    let mut leaves = Leaves { flow, first: FxHashMap::default(), count: 0 };
    for part in body.edges.iter().flat_map(|edge| edge.instruction.parts()) {
        if let ExprKind::Load(Place { base: Base::Variable(id), .. }) = part.kind {
            leaves.enter(id);
        }
    }
    if leaves.count == 0 { Uninitialised::default() } else { search(&leaves, body) }
}

/// The variable that comes into scope without a value.
fn declares(instruction: &Instruction) -> Option<VariableId> {
    match instruction {
        Instruction::Havoc(Place { base: Base::Variable(id), path, .. }, kind)
            if matches!(kind, HavocKind::Uninitialised) && path.is_empty() =>
        {
            Some(*id)
        }
        _ => None,
    }
}

/// The parts of variables that are told apart, numbered: each record and small array, followed by those in it, unions and
/// scalars.  The leaf of a record or array has a value as soon as something of it has.
struct Leaves<'f> {
    flow: &'f Flow,
    first: FxHashMap<VariableId, usize>,
    count: usize,
}

/// The leaves that a place is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Within {
    /// The leaves of the records and arrays that it is in.
    around: Vec<usize>,
    /// Its own leaf, and those in it; where it may be one of several places, those of all.
    own: Range<usize>,
}

impl Leaves<'_> {
    fn enter(&mut self, id: VariableId) {
        let variable = &self.flow.variables[id.0 as usize];
        if variable.kind == VariableKind::Local && !self.first.contains_key(&id) {
            self.first.insert(id, self.count);
            self.count += self.size(variable.ty);
        }
    }

    /// The number of leaves of a type.
    fn size(&self, ty: TypeId) -> usize {
        match self.flow.types.get(ty) {
            Type::Record(record) => {
                let record = self.flow.types.record(*record);
                let mut fields = record.fields.iter().flatten().peekable();
                // One without members has no value.
                match fields.peek() {
                    None => 0,
                    Some(_) if record.union => 1,
                    Some(_) => 1 + fields.map(|field| self.size(field.ty)).sum::<usize>(),
                }
            }
            Type::Array(element, count) => 1 + self.elements(*element, *count).unwrap_or(0),
            _ => 1,
        }
    }

    /// The number of leaves of all elements of an array, if they are few enough to be told apart.
    fn elements(&self, element: TypeId, count: Option<u64>) -> Option<usize> {
        let count = usize::try_from(count?).ok().filter(|&count| count <= MOST_ELEMENTS)?;
        Some(count * self.size(element)).filter(|&all| all <= MOST_ELEMENTS)
    }

    fn of(&self, id: VariableId) -> Range<usize> {
        let Some(&first) = self.first.get(&id) else { return 0..0 };
        first..first + self.size(self.flow.variables[id.0 as usize].ty)
    }

    fn within(&self, place: &Place) -> Option<Within> {
        let Base::Variable(id) = place.base else { return None };
        let (mut first, mut ty) = (*self.first.get(&id)?, self.flow.variables[id.0 as usize].ty);
        let mut around = vec![];
        for step in &place.path {
            let inner = match (step, self.flow.types.get(ty)) {
                (Step::Field(field), Type::Record(record)) => {
                    let record = self.flow.types.record(*record);
                    let fields = record.fields.as_deref().filter(|_| !record.union);
                    let field = fields.and_then(|all| all.split_at_checked(*field as usize));
                    field.and_then(|(before, rest)| {
                        let before = before.iter().map(|field| self.size(field.ty)).sum();
                        rest.first().map(|field| (before, field.ty))
                    })
                }
                (Step::Index(index), Type::Array(element, Some(count))) => {
                    let index = self.flow.constant(index).and_then(|i| usize::try_from(i).ok());
                    let index = index.filter(|&i| (i as u64) < *count);
                    let index = index.filter(|_| self.elements(*element, Some(*count)).is_some());
                    index.map(|i| (i * self.size(*element), *element))
                }
                _ => None,
            };
            // Some part of this one.
            let Some((before, inner)) = inner else { break };
            around.push(first);
            (first, ty) = (first + 1 + before, inner);
        }
        Some(Within { around, own: first..first + self.size(ty) })
    }
}

/// An edge, by what it does to leaves.
struct Effect<'e> {
    reads: Vec<(usize, &'e Expr)>,
    gets: Vec<Range<usize>>,
    declares: Range<usize>,
    instruction: &'e Instruction,
    target: usize,
}

fn effects<'e>(leaves: &Leaves<'_>, body: &'e Body) -> Vec<Vec<Effect<'e>>> {
    let mut outgoing: Vec<Vec<Effect<'e>>> = Vec::new();
    outgoing.resize_with(body.locations as usize, Vec::new);
    for edge in &body.edges {
        let mut effect = Effect {
            reads: vec![],
            gets: vec![],
            declares: declares(&edge.instruction).map_or(0..0, |id| leaves.of(id)),
            instruction: &edge.instruction,
            target: edge.target.0 as usize,
        };
        for part in edge.instruction.parts() {
            match &part.kind {
                ExprKind::Load(place) => {
                    let own = leaves.within(place).map(|within| within.own);
                    let own = own.filter(|own| !own.is_empty());
                    effect.reads.extend(own.map(|own| (own.start, part)));
                }
                ExprKind::AddressOf(Place { base: Base::Variable(id), .. }) => {
                    effect.gets.push(leaves.of(*id));
                }
                _ => {}
            }
        }
        if let Some(within) = edge.instruction.target().and_then(|place| leaves.within(place)) {
            effect.gets.extend(within.around.iter().map(|&leaf| leaf..leaf + 1));
            effect.gets.push(within.own);
        }
        outgoing[edge.source.0 as usize].push(effect);
    }
    outgoing
}

fn search(leaves: &Leaves<'_>, body: &Body) -> Uninitialised {
    let outgoing = effects(leaves, body);
    // What is read without a value, by its leaf and whether it is a pointer.
    let mut read: BTreeSet<(usize, bool)> = BTreeSet::new();
    // For each location, what may have no value there.
    let mut without: Vec<Option<Set>> = vec![None; body.locations as usize];
    without[body.entry.0 as usize] = Some(Set::all(leaves.count));
    let mut open = VecDeque::from([body.entry.0 as usize]);
    while let Some(location) = open.pop_front() {
        let Some(here) = without[location].clone() else { continue };
        for effect in &outgoing[location] {
            for &(leaf, part) in effect.reads.iter().filter(|(leaf, _)| here.has(*leaf)) {
                read.insert((leaf, leaves.flow.types.is_pointer(part.ty)));
            }
            let mut after = here.clone();
            effect.gets.iter().for_each(|range| after.put(range.clone(), false));
            after.put(effect.declares.clone(), true);
            let grows = match &mut without[effect.target] {
                Some(there) => there.include(&after),
                there => {
                    *there = Some(after);
                    true
                }
            };
            if grows {
                open.push_back(effect.target);
            }
        }
    }
    let ways = Ways::new(leaves.flow, body);
    if !read.is_empty() && read.len() * body.edges.len() < MOST {
        let entry = (body.entry.0 as usize, Facts::default());
        let everywhere = ways.follow(vec![entry], &outgoing, |_| true);
        read.retain(|&(leaf, _)| ways.lead_to_read(leaf, &outgoing, &everywhere));
    }
    Uninitialised {
        pointers: read.iter().any(|&(_, is_pointer)| is_pointer),
        others: read.iter().any(|&(_, is_pointer)| !is_pointer),
    }
}

/// The ways through a body, as far as what is decided on them tells which are possible: a loop of three rounds has one.
struct Ways<'b> {
    flow: &'b Flow,
    body: &'b Body,
    /// The variables that only their names lead to.
    own: FxHashSet<VariableId>,
}

impl<'b> Ways<'b> {
    fn new(flow: &'b Flow, body: &'b Body) -> Self {
        let mut own: FxHashSet<VariableId> = FxHashSet::default();
        let kind = |v: VariableId| flow.variables[v.0 as usize].kind;
        let parts = || body.edges.iter().flat_map(|edge| edge.instruction.parts());
        let targets = body.edges.iter().filter_map(|edge| edge.instruction.target());
        for place in targets.chain(parts().filter_map(Expr::place)) {
            if let Base::Variable(v) = place.base
                && !matches!(kind(v), VariableKind::Global | VariableKind::External)
            {
                own.insert(v);
            }
        }
        for part in parts() {
            if let ExprKind::AddressOf(Place { base: Base::Variable(v), .. }) = &part.kind {
                own.remove(v);
            }
        }
        Self { flow, body, own }
    }

    /// The facts that hold wherever a way from the start leads to.
    fn follow(
        &self,
        start: Vec<(usize, Facts)>,
        outgoing: &[Vec<Effect<'_>>],
        mut goes_on: impl FnMut(&Effect<'_>) -> bool,
    ) -> Vec<Option<Facts>> {
        let is_own = |v| self.own.contains(&v);
        let scope = Scope { is_own: &is_own, types: &self.flow.types };
        let mut facts: Vec<Option<Facts>> = vec![None; self.body.locations as usize];
        let mut open = VecDeque::new();
        let reach = |facts: &mut Vec<Option<Facts>>, at: usize, after: Facts| match &mut facts[at] {
            Some(there) => there.meet(&after),
            there => {
                *there = Some(after);
                true
            }
        };
        for (at, first) in start {
            reach(&mut facts, at, first);
            open.push_back(at);
        }
        while let Some(location) = open.pop_front() {
            let Some(here) = facts[location].clone() else { continue };
            for effect in &outgoing[location] {
                let mut after = here.clone();
                if after.execute(effect.instruction, &scope)
                    && goes_on(effect)
                    && reach(&mut facts, effect.target, after)
                {
                    open.push_back(effect.target);
                }
            }
        }
        facts
    }

    /// Whether a leaf may be read without a value, with the facts that hold at each location.
    fn lead_to_read(
        &self,
        leaf: usize,
        outgoing: &[Vec<Effect<'_>>],
        everywhere: &[Option<Facts>],
    ) -> bool {
        let mut start = vec![(self.body.entry.0 as usize, Facts::default())];
        let is_own = |v| self.own.contains(&v);
        let scope = Scope { is_own: &is_own, types: &self.flow.types };
        for (location, effects) in outgoing.iter().enumerate() {
            let Some(facts) = &everywhere[location] else { continue };
            for effect in effects.iter().filter(|effect| effect.declares.contains(&leaf)) {
                let mut after = facts.clone();
                after.execute(effect.instruction, &scope);
                start.push((effect.target, after));
            }
        }
        let mut is_read = false;
        self.follow(start, outgoing, |effect| {
            is_read |= effect.reads.iter().any(|(read, _)| *read == leaf);
            let has_value = effect.gets.iter().any(|range| range.contains(&leaf));
            !is_read && (!has_value || effect.declares.contains(&leaf))
        });
        is_read
    }
}
