//! Invariants of an automaton, told of the program that it is of: by function, location and open
//! calls.

use rustc_hash::FxHashMap;

use hardbop_cfa::execute::Edges;
use hardbop_cfa::{Automaton, Location, Place, Program, Step};
use hardbop_refine::proof::invariant::Invariant;
use hardbop_smt::Term;

/// A formula of an invariant, in terms of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationInvariant {
    pub function: usize,
    pub location: Location,
    /// The calls that are open, by their places, the first one first.
    pub calls: Vec<Place>,
    pub formula: Term,
}

/// The formulas of an invariant, in order of functions, locations and calls.
#[must_use]
pub fn invariants(
    program: &Program,
    automaton: &Automaton,
    invariant: &Invariant,
) -> Vec<LocationInvariant> {
    // Boolean programs decide without an automaton.
    if invariant.at.is_empty() {
        return vec![];
    }
    let places = locate(program, automaton);
    let mut all: Vec<LocationInvariant> = invariant
        .at
        .iter()
        .filter_map(|&(l, formula)| {
            let (frame, location) = places[l.index()]?;
            let function = automaton.frames[frame as usize].function;
            Some(LocationInvariant { function, location, calls: automaton.calls(frame), formula })
        })
        .collect();
    all.sort_by(|a, b| (a.function, a.location, &a.calls).cmp(&(b.function, b.location, &b.calls)));
    all
}

/// The activation of each location of the automaton, and the location there.
fn locate(program: &Program, automaton: &Automaton) -> Vec<Option<(u32, Location)>> {
    let edges = Edges::new(program);
    let frames = automaton.frames.iter().enumerate();
    let callees: FxHashMap<(u32, Place), u32> =
        frames.filter_map(|(i, f)| Some((f.caller?, i as u32))).collect();
    let calls = program.functions.iter().flat_map(|f| &f.edges);
    let returns: FxHashMap<Place, Location> = calls
        .filter(|e| matches!(e.step, Step::Call { .. }))
        .map(|e| (e.place, e.target))
        .collect();
    let outgoing = automaton.outgoing();
    let mut places = vec![None; automaton.locations as usize];
    let main = program.functions[program.main].entry;
    let mut todo: Vec<(Location, (u32, Location))> = vec![];
    for &e in &outgoing[automaton.entry.index()] {
        todo.push((automaton.edges[e as usize].target, (0, main)));
    }
    while let Some((location, here)) = todo.pop() {
        if places[location.index()].replace(here).is_some() {
            continue;
        }
        let (frame, at) = here;
        let function = automaton.frames[frame as usize].function;
        for &e in &outgoing[location.index()] {
            let edge = &automaton.edges[e as usize];
            let caller = automaton.frames[frame as usize].caller;
            let next = match caller {
                Some((caller, place)) if at == program.functions[function].exit => {
                    returns.get(&place).map(|&target| (caller, target))
                }
                _ => edges.find(program, (function, at), edge.place).and_then(|found| match &found
                    .step
                {
                    Step::Call { callee, .. } => {
                        let frame = *callees.get(&(frame, edge.place))?;
                        Some((frame, program.functions[*callee].entry))
                    }
                    _ => Some((frame, found.target)),
                }),
            };
            // Goals have no place.
            if let Some(next) = next.filter(|_| automaton.goal(edge.target).is_none()) {
                todo.push((edge.target, next));
            }
        }
    }
    places
}
