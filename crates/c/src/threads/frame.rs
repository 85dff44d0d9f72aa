//! Copies of functions' bodies, one for each call that is expanded.

use super::calls::{Calls, ThreadCall};
use crate::flow::{Body, Edge, FunctionId, LocationId, VariableId};
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
    /// Its copies of the function's variables.
    pub own: Vec<VariableId>,
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

/// The number that a location of a frame has in the whole.
pub(super) fn moved(frame: &Frame, at: LocationId) -> LocationId {
    LocationId(frame.offset + at.0)
}

/// By location, whether it is in an atomic section of a body, which begins in one or not.
pub(crate) fn sections(calls: &Calls, body: &Body, atomic: bool) -> Vec<Option<bool>> {
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
    // A function that begins a section, and does not end it, has its callers in one.
    if found[body.exit.0 as usize].is_some_and(|end| end != Some((atomic, false))) {
        return vec![None; found.len()];
    }
    // What is not reached does not matter.
    let found = found.into_iter().map(|known| known.unwrap_or(Some((false, false))));
    found.map(|known| known.map(|(section, access)| section || access)).collect()
}
