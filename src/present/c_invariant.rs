//! What holds at the loop heads of a C program that is safe.

use super::c_formula;
use super::c_json::CInvariant;
use crate::program::c::flow::Flow;
use crate::refine::tree::Invariant;
use crate::verify::Report;

/// The invariant's formulas in the order of the text.  Locations between blocks are loop heads, and
/// joins of paths that come from several of them; where nothing is known nothing is said.
pub fn report(flow: &Flow, found: &Report, invariant: &Invariant) -> Vec<CInvariant> {
    let mut shown: Vec<CInvariant> = invariant
        .at
        .iter()
        .filter(|(_, formula)| found.terms.value(*formula).is_none())
        .filter_map(|&(location, formula)| {
            let edge = found.automaton.edges.iter().find(|e| e.source == location)?;
            let function = flow.functions.get(edge.place.function as usize)?;
            let line = flow.source.position(edge.place.span.start).line;
            let formula = c_formula::text(found, formula, Some(&function.name));
            Some(CInvariant { function: function.name.clone(), line, formula })
        })
        .collect();
    shown.sort_by(|a, b| (a.line, &a.formula).cmp(&(b.line, &b.formula)));
    shown
}

/// The same as lines of text.
pub fn text(invariants: &[CInvariant]) -> String {
    invariants
        .iter()
        .map(|i| format!("invariant at line {} in {}: {}\n", i.line, i.function, i.formula))
        .collect()
}
