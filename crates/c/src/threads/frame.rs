//! Copies of functions' bodies, one for each call that is expanded.

use super::calls::{Calls, ThreadCall};
use super::dying::dying;
use super::shared::behind;
use super::weave::Weaver;
use crate::flow::{Body, Edge, FunctionId, LocationId, ThreadPlace, VariableId};
use crate::rewrite::Numbers;

/// A copy of a function's body, for one call.
pub(super) struct Frame {
    /// The index of the thread.
    pub thread: usize,
    pub body: Body,
    /// The function, behind those that have called it.
    pub stack: Vec<FunctionId>,
    pub numbers: Numbers,
    /// The number of the first location.
    pub offset: u32,
    /// Where calls return their values.
    pub result: Option<VariableId>,
    /// Whether the copy may be passed several times.
    pub repeated: bool,
    /// By location of the body: the variables whose values are forgotten there.
    pub dying: Vec<Vec<VariableId>>,
    /// By location of the body: whether there may be other threads.
    pub started: Vec<bool>,
    /// By location of the body: whether it is in an atomic section; `None`: that depends on the way there.
    pub atomic: Vec<Option<bool>>,
}

impl Weaver<'_> {
    /// A copy of a function's body, for a call in which its parameters are these variables.
    pub(super) fn frame(
        &mut self,
        thread: usize,
        function: FunctionId,
        callers: &[FunctionId],
        (repeated, started, atomic): (bool, bool, bool),
        parameters: Vec<VariableId>,
    ) -> Frame {
        let head = self.flow.functions[function.0 as usize].clone();
        let body = head.body.expect("only functions with bodies are expanded");
        let mut numbers = Numbers::identical(self.flow);
        let is_own = thread == 0 && callers.is_empty();
        for index in 0..numbers.variables.len() {
            if !is_own && self.flow.variables[index].function == Some(function) {
                let own = VariableId(index as u32);
                let given = head.parameters.iter().position(|&v| v == own);
                let copy = given.and_then(|i| parameters.get(i).copied());
                numbers.variables[index] = Some(copy.unwrap_or_else(|| self.copy(own)));
            }
        }
        let result = head.result.map(|v| numbers.variable(v));
        let copies = |all: Vec<VariableId>| all.into_iter().map(|v| numbers.variable(v)).collect();
        let dying = dying(self.flow, &self.shared, function, &body);
        let dying = dying.into_iter().map(copies).collect();
        let offset = self.code.locations;
        self.code.locations += body.locations;
        let starting = body.edges.iter().filter(|e| self.calls.may_start(self.flow, e));
        let mut others = behind(&body, starting.map(|e| e.target));
        others.iter_mut().for_each(|other| *other |= started);
        let stack = callers.iter().copied().chain([function]).collect::<Vec<_>>();
        let atomic = sections(self.calls, &body, atomic);
        for at in 0..body.locations {
            let place = ThreadPlace { thread: thread as u32, function };
            self.places.insert(LocationId(offset + at), place);
        }
        let started = others;
        Frame { thread, body, stack, numbers, offset, result, repeated, dying, started, atomic }
    }
}

/// The number that a location of a frame has in the whole.
pub(super) fn moved(frame: &Frame, at: LocationId) -> LocationId {
    LocationId(frame.offset + at.0)
}

/// By location, whether it is in an atomic section of a body, which begins in one or not.
fn sections(calls: &Calls, body: &Body, atomic: bool) -> Vec<Option<bool>> {
    let mut next: Vec<Vec<&Edge>> = vec![vec![]; body.locations as usize];
    for edge in &body.edges {
        next[edge.source.0 as usize].push(edge);
    }
    // In a section, and in an access; the inner `None` is where that depends on the way.
    let mut found: Vec<Option<Option<(bool, bool)>>> = vec![None; body.locations as usize];
    found[body.entry.0 as usize] = Some(Some((atomic, false)));
    let mut open = vec![body.entry];
    while let Some(at) = open.pop() {
        let here = found[at.0 as usize].flatten();
        for edge in &next[at.0 as usize] {
            let after = here.map(|(section, access)| match calls.of(edge) {
                Some(ThreadCall::BeginAtomic) => (true, access),
                Some(ThreadCall::EndAtomic) => (false, access),
                Some(ThreadCall::BeginAccess) => (section, true),
                Some(ThreadCall::EndAccess) => (section, false),
                _ => (section, access),
            });
            let there = &mut found[edge.target.0 as usize];
            let new = match *there {
                None => after,
                Some(known) if known == after || known.is_none() => continue,
                Some(_) => None,
            };
            *there = Some(new);
            open.push(edge.target);
        }
    }
    // What is not reached does not matter.
    let found = found.into_iter().map(|known| known.unwrap_or(Some((false, false))));
    found.map(|known| known.map(|(section, access)| section || access)).collect()
}
