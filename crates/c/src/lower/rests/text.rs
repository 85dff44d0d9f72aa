//! Reliances of the text of the functions that are executed.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::{AllEffects, Effects};
use super::returns::Returns;
use crate::flow::{Callee, Edge, ExprKind, Flow, FunctionId, Instruction};
use crate::reliance::{Reliance, Unordered};
use hardbop_base::source::Span;

/// The reliances of the text of these functions.
pub fn reliances(flow: &Flow, functions: &[FunctionId]) -> BTreeSet<Reliance> {
    let bodies = functions.iter().filter_map(|f| flow.functions[f.0 as usize].body.as_ref());
    let edges: Vec<&Edge> = bodies.flat_map(|body| &body.edges).collect();
    let mut places: Vec<u32> = edges.iter().map(|edge| edge.span.start).collect();
    places.sort_unstable();
    let is_there = |at: &Span| {
        let first = places.partition_point(|&place| place < at.start);
        places.get(first).is_some_and(|&place| place <= at.end)
    };
    let calls = Calls::new(flow, &edges);
    let returns = OnceCell::new();
    let executed: FxHashSet<FunctionId> = functions.iter().copied().collect();
    let may_return = |function: FunctionId| {
        let is_executed = executed.contains(&function);
        is_executed && returns.get_or_init(|| Returns::new(flow)).may_return(function)
    };
    let mut found = BTreeSet::new();
    for (reliance, at) in &flow.reliances {
        let counts = match (reliance, at) {
            (Reliance::NoReturn, Some(at)) => calls.called_from(at).any(may_return),
            (_, Some(at)) => is_there(at),
            (_, None) => true,
        };
        if counts {
            found.insert(*reliance);
        }
    }
    let mut unordered = flow.unordered.iter().filter(|places| is_there(&places.at)).peekable();
    if unordered.peek().is_some() {
        let effects = AllEffects::new(flow);
        if unordered.any(|places| calls.meet(flow, &effects, places)) {
            found.insert(Reliance::Order);
        }
    }
    found
}

/// The calls of the text.
#[derive(Default)]
struct Calls {
    /// The callees, by the place of the call; none: through a pointer.
    callees: FxHashMap<(u32, u32), Vec<Option<FunctionId>>>,
    /// The functions whose addresses are taken, by the place.
    addresses: FxHashMap<(u32, u32), FunctionId>,
    /// Whether some call is through a pointer.
    has_pointers: bool,
}

impl Calls {
    fn new(flow: &Flow, edges: &[&Edge]) -> Self {
        let mut calls = Self::default();
        let parts = edges.iter().flat_map(|edge| edge.instruction.parts());
        let initial = flow.initialisers.iter().flat_map(|(_, value)| value.parts());
        for part in parts.chain(initial) {
            if let ExprKind::FunctionAddress(function) = part.kind {
                calls.addresses.insert((part.span.start, part.span.end), function);
            }
        }
        for edge in edges {
            if let Instruction::Call { callee, .. } = &edge.instruction {
                let callee = match callee {
                    Callee::Function(callee) => Some(*callee),
                    Callee::Pointer(_) => None,
                };
                calls.has_pointers |= callee.is_none();
                let at = (edge.span.start, edge.span.end);
                calls.callees.entry(at).or_default().push(callee);
            }
        }
        calls
    }

    fn at(&self, at: &Span) -> &[Option<FunctionId>] {
        self.callees.get(&(at.start, at.end)).map_or(&[], Vec::as_slice)
    }

    /// The functions that are called there, or by an address that is taken there.
    fn called_from(&self, at: &Span) -> impl Iterator<Item = FunctionId> {
        let taken = self.addresses.get(&(at.start, at.end)).filter(|_| self.has_pointers);
        self.at(at).iter().flatten().chain(taken).copied()
    }

    /// Whether the order of two operands may matter.
    fn meet(&self, flow: &Flow, effects: &AllEffects, places: &Unordered) -> bool {
        let sides = places.calls.each_ref().map(|calls| {
            let mut side = Effects::default();
            for at in calls {
                let called = self.at(at);
                for &callee in called {
                    side.add(&effects.of(flow, callee));
                }
                // The call has become something else.
                if called.is_empty() {
                    side.add(&Effects::any());
                }
            }
            side
        });
        places.reads && sides[1].change() || effects.meet(&sides[0], &sides[1])
    }
}
