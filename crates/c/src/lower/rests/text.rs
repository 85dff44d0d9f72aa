//! What the text of the functions that are executed relies on.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::effects::{AllEffects, Effects};
use super::returns::Returns;
use crate::flow::{Callee, Edge, Flow, FunctionId, Instruction};
use crate::reliance::{Reliance, Unordered};
use hardbop_base::source::Span;

/// What the text of these functions relies on.
pub fn reliances(flow: &Flow, functions: &[FunctionId]) -> BTreeSet<Reliance> {
    let bodies = functions.iter().filter_map(|f| flow.functions[f.0 as usize].body.as_ref());
    let edges: Vec<&Edge> = bodies.flat_map(|body| &body.edges).collect();
    let mut places: Vec<u32> = edges.iter().map(|edge| edge.span.start).collect();
    places.sort_unstable();
    let is_there = |at: &Span| {
        let first = places.partition_point(|&place| place < at.start);
        places.get(first).is_some_and(|&place| place <= at.end)
    };
    let calls = Calls::new(&edges);
    let mut found = BTreeSet::new();
    for (reliance, at) in &flow.reliances {
        let counts = match (reliance, at) {
            (Reliance::NoReturn, Some(at)) => calls.return_at(flow, at),
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

/// The callees of calls, by the place of the call; none: through a pointer.
struct Calls(FxHashMap<(u32, u32), Vec<Option<FunctionId>>>);

impl Calls {
    fn new(edges: &[&Edge]) -> Self {
        let mut calls: FxHashMap<_, Vec<_>> = FxHashMap::default();
        for edge in edges {
            if let Instruction::Call { callee, .. } = &edge.instruction {
                let callee = match callee {
                    Callee::Function(callee) => Some(*callee),
                    Callee::Pointer(_) => None,
                };
                calls.entry((edge.span.start, edge.span.end)).or_default().push(callee);
            }
        }
        Self(calls)
    }

    fn at(&self, at: &Span) -> &[Option<FunctionId>] {
        self.0.get(&(at.start, at.end)).map_or(&[], Vec::as_slice)
    }

    /// Whether what is called there may return.
    fn return_at(&self, flow: &Flow, at: &Span) -> bool {
        let mut called = self.at(at).iter().flatten().peekable();
        let returns = called.peek().is_some().then(|| Returns::new(flow));
        returns.is_some_and(|returns| called.any(|&callee| returns.may_return(callee)))
    }

    /// Whether the order of two operands may matter.
    fn meet(&self, flow: &Flow, effects: &AllEffects, places: &Unordered) -> bool {
        let sides = places.calls.each_ref().map(|calls| {
            let mut side = Effects::default();
            for at in calls {
                let called = self.at(at);
                called.iter().for_each(|&callee| side.add(&effects.of(flow, callee)));
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
