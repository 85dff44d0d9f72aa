//! Removes what does not affect the reachability of a goal (or a cut, if there are any):
//! unreachable locations, and those from which no goal can be reached.

use super::automaton::Automaton;
use super::program::Location;

/// The remaining automaton, with locations renumbered in their old order; edges and goals keep
/// their order, too. The entry stays even if no goal can be reached from it.
#[must_use]
pub fn prune(automaton: Automaton) -> Automaton {
    let edges = &automaton.edges;
    let pairs = || edges.iter().map(|e| (e.source, e.target));
    let forwards = reach(automaton.locations, pairs(), [automaton.entry]);
    let cuts = automaton.cuts.iter().map(|(l, _)| *l);
    let goals = automaton.goals.iter().map(|(l, _)| *l).chain(cuts);
    let backwards = reach(automaton.locations, pairs().map(|(s, t)| (t, s)), goals);
    let mut number = vec![None; automaton.locations as usize];
    let mut count = 0;
    for l in 0..automaton.locations {
        if l == automaton.entry.0 || forwards[l as usize] && backwards[l as usize] {
            number[l as usize] = Some(Location(count));
            count += 1;
        }
    }
    let at = |l: Location| number[l.index()];
    let entry = at(automaton.entry).expect("the entry stays");
    let goals = automaton.goals.into_iter().filter_map(|(l, g)| Some((at(l)?, g))).collect();
    let cuts = automaton.cuts.into_iter().filter_map(|(l, c)| Some((at(l)?, c))).collect();
    let edges = automaton
        .edges
        .into_iter()
        .filter_map(|e| {
            Some(super::automaton::Edge { source: at(e.source)?, target: at(e.target)?, ..e })
        })
        .collect();
    Automaton { entry, goals, cuts, locations: count, edges, ..automaton }
}

/// The reachable locations.
fn reach(
    locations: u32,
    edges: impl Iterator<Item = (Location, Location)>,
    from: impl IntoIterator<Item = Location>,
) -> Vec<bool> {
    let mut next = vec![vec![]; locations as usize];
    for (s, t) in edges {
        next[s.index()].push(t);
    }
    let mut seen = vec![false; locations as usize];
    let mut todo: Vec<Location> = from.into_iter().collect();
    while let Some(l) = todo.pop() {
        if !std::mem::replace(&mut seen[l.index()], true) {
            todo.extend(&next[l.index()]);
        }
    }
    seen
}
