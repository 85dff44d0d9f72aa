//! Effects of calls that matter to other calls, with those of all that is called in turn.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::order::{callees, until_nothing_changes};

use crate::flow::{
    Base, Body, Callee, Edge, Expr, ExprKind, Flow, FunctionId, HavocKind, Instruction, Place,
    VariableId,
};
use crate::library::{Execution, Returns, Writes, find, reads_stream};

/// Memory that is not an activation's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Memory {
    /// Globals that are used by their names.
    variables: FxHashSet<VariableId>,
    /// Targets of pointers.
    pointed: bool,
}

/// The effects of calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Effects {
    reads: Memory,
    writes: Memory,
    /// Something of which nothing is known: input and output, functions without a body, calls through pointers.
    acts: bool,
    /// The program may end, by an error or without.
    stops: bool,
    /// The call may never return.
    loops: bool,
}

impl Effects {
    /// The effects of a call of which nothing is known.
    pub fn any() -> Self {
        Self { acts: true, ..Self::default() }
    }

    /// The effects of a read through some pointer.
    fn of_read() -> Self {
        let mut all = Self::default();
        all.reads.pointed = true;
        all
    }

    /// Whether memory may have changed afterwards.
    pub fn change(&self) -> bool {
        self.acts || self.writes != Memory::default()
    }

    /// Adds others; whether that changes anything.
    pub fn add(&mut self, other: &Self) -> bool {
        // What acts may do all the rest.
        if self.acts || other.acts {
            let grows = !self.acts;
            *self = Self::any();
            return grows;
        }
        let own = (self.stops, self.loops);
        self.stops |= other.stops;
        self.loops |= other.loops;
        let grows = own != (self.stops, self.loops);
        self.reads.add(&other.reads) | self.writes.add(&other.writes) | grows
    }
}

impl Memory {
    fn add(&mut self, other: &Self) -> bool {
        let before = (self.variables.len(), self.pointed);
        self.variables.extend(&other.variables);
        self.pointed |= other.pointed;
        before != (self.variables.len(), self.pointed)
    }
}

/// The effects of all functions of a program that have a body.
pub(super) struct AllEffects {
    /// Variables to which pointers may lead.
    addressed: FxHashSet<VariableId>,
    /// The effects of each function, by its number.
    functions: Vec<Effects>,
}

impl AllEffects {
    pub fn new(flow: &Flow) -> Self {
        let bodies = || flow.functions.iter().filter_map(|f| f.body.as_ref());
        let parts = bodies().flat_map(|body| &body.edges).flat_map(|e| e.instruction.parts());
        let initial = flow.initialisers.iter().flat_map(|(_, value)| value.parts());
        let addressed = parts.chain(initial).filter_map(|part| match &part.kind {
            ExprKind::AddressOf(Place { base: Base::Variable(id), .. }) => Some(*id),
            _ => None,
        });
        let addressed = addressed.collect();
        let functions = flow
            .functions
            .iter()
            .map(|f| f.body.as_ref().map_or_else(Effects::default, |b| own(flow, b)));
        let mut all = Self { addressed, functions: functions.collect() };
        all.find_loops(flow);
        let mut called: Vec<Vec<FunctionId>> = vec![];
        for function in &flow.functions {
            let mut once: Vec<FunctionId> = function.body.iter().flat_map(callees).collect();
            once.sort_unstable();
            once.dedup();
            called.push(once);
        }
        until_nothing_changes(flow, |i| {
            let mut own = std::mem::take(&mut all.functions[i]);
            let mut has_grown = false;
            for &callee in called[i].iter().filter(|callee| callee.0 as usize != i) {
                has_grown |= own.add(&all.of(flow, Some(callee)));
            }
            all.functions[i] = own;
            has_grown
        });
        all
    }

    /// Every function may loop but those that have no cycle and call only such ones.
    fn find_loops(&mut self, flow: &Flow) {
        let cyclic: Vec<bool> =
            flow.functions.iter().map(|f| f.body.as_ref().is_some_and(has_cycle)).collect();
        let mut loops: Vec<bool> = flow.functions.iter().map(|f| f.body.is_some()).collect();
        until_nothing_changes(flow, |i| {
            let mut called = flow.functions[i].body.iter().flat_map(callees);
            let ends = loops[i] && !cyclic[i] && !called.any(|callee| loops[callee.0 as usize]);
            loops[i] &= !ends;
            ends
        });
        for (effects, loops) in self.functions.iter_mut().zip(loops) {
            effects.loops |= loops && !effects.acts;
        }
    }

    /// The effects of a call of the function; without one, of a call through a pointer.
    pub fn of(&self, flow: &Flow, callee: Option<FunctionId>) -> Cow<'_, Effects> {
        let Some(callee) = callee else { return Cow::Owned(Effects::any()) };
        let function = &flow.functions[callee.0 as usize];
        match function.body {
            Some(_) => Cow::Borrowed(&self.functions[callee.0 as usize]),
            None => Cow::Owned(known(&function.name)),
        }
    }

    /// Whether the order in which two things are done may matter.
    pub fn meet(&self, a: &Effects, b: &Effects) -> bool {
        let is_something = |a: &Effects| *a != Effects::default();
        let acts = |a: &Effects, b: &Effects| a.acts && is_something(b);
        let ends = |a: &Effects, b: &Effects| a.stops && (b.stops || b.loops);
        acts(a, b)
            || acts(b, a)
            || ends(a, b)
            || ends(b, a)
            || self.overlap(&a.writes, &b.writes)
            || self.overlap(&a.writes, &b.reads)
            || self.overlap(&a.reads, &b.writes)
    }

    fn overlap(&self, a: &Memory, b: &Memory) -> bool {
        let is_pointed = |m: &Memory| m.pointed || !m.variables.is_disjoint(&self.addressed);
        !a.variables.is_disjoint(&b.variables)
            || a.pointed && is_pointed(b)
            || b.pointed && is_pointed(a)
    }
}

/// The effects of a body without its callees, but for loops.
fn own(flow: &Flow, body: &Body) -> Effects {
    let mut own = Effects::default();
    for Edge { instruction, .. } in &body.edges {
        for part in instruction.parts() {
            if let ExprKind::Load(place) = &part.kind {
                touch(flow, place, &mut own.reads);
            }
        }
        if let Some(place) = instruction.target() {
            touch(flow, place, &mut own.writes);
        }
        match instruction {
            Instruction::Error(_) | Instruction::Halt | Instruction::Unsupported(_) => {
                own.stops = true;
            }
            Instruction::Havoc(_, HavocKind::Input(name)) => own.acts |= reads_stream(name),
            Instruction::Call { callee: Callee::Pointer(_), .. } => own.acts = true,
            _ => {}
        }
    }
    if own.acts { Effects::any() } else { own }
}

/// Locals of the function itself are left out: they end with its activation, and what others do with them goes through
/// pointers.
fn touch(flow: &Flow, place: &Place, memory: &mut Memory) {
    match &place.base {
        Base::Variable(id) => {
            if flow.variables[id.0 as usize].function.is_none() {
                memory.variables.insert(*id);
            }
        }
        Base::Pointer(pointer) => match target(pointer) {
            Some(place) => touch(flow, place, memory),
            None => memory.pointed = true,
        },
        // An assumption of its own says that nobody writes there.
        Base::String(_) => {}
    }
}

/// Whether control may come to a place of the body again.
fn has_cycle(body: &Body) -> bool {
    // Locations without an edge into them that is left are taken away, as long as there are some.
    let count = body.locations as usize;
    let (mut into, mut from) = (vec![0_u32; count], vec![vec![]; count]);
    for edge in &body.edges {
        into[edge.target.0 as usize] += 1;
        from[edge.source.0 as usize].push(edge.target.0 as usize);
    }
    let mut open: Vec<usize> = (0..count).filter(|&location| into[location] == 0).collect();
    let mut taken = 0;
    while let Some(location) = open.pop() {
        taken += 1;
        for &target in &from[location] {
            into[target] -= 1;
            if into[target] == 0 {
                open.push(target);
            }
        }
    }
    taken < count
}

/// The place of the text in which a pointer leads, if that is one.
fn target(pointer: &Expr) -> Option<&Place> {
    match &pointer.kind {
        ExprKind::AddressOf(place) => Some(place),
        ExprKind::Offset { pointer, .. } | ExprKind::Cast(pointer) => target(pointer),
        _ => None,
    }
}

/// The effects of a function without a body.
fn known(name: &str) -> Effects {
    let Some(model) = find(name).and_then(|known| known.model()) else { return Effects::any() };
    let is_silent = match model.execution {
        Execution::Compare
        | Execution::Length
        | Execution::CompareText { .. }
        | Execution::FindCharacter
        | Execution::Reads(_)
        | Execution::Characters(_)
        | Execution::Absolute
        | Execution::Real(_) => true,
        // A new block has no order with another one.
        Execution::Allocate(_) => matches!(model.effect.returns, Returns::Fresh(_)),
        _ => false,
    };
    match is_silent && model.effect.writes == Writes::Nothing {
        true => Effects::of_read(),
        false => Effects::any(),
    }
}
