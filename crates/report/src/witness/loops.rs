//! The content of a correctness witness: what holds at the heads of loops.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::formula;
use super::scope::visible;
use super::text::Texts;
use super::yaml::Entry;
use hardbop_base::source::Span;
use hardbop_c::flow::{Callee, Flow, FunctionId, Instruction};
use hardbop_cfa::{Edge, Location};
use hardbop_refine::proof::invariant::Invariant;
use hardbop_smt::{Term, Value};
use hardbop_verify::Report;

/// An invariant for each loop of which something is known that C can say in terms of the variables
/// there.
///
/// Functions that are called from several places have none: the automaton has a copy of them for
/// each call, and those that the property does not depend on may have been left out.
pub(super) fn content(
    flow: &Flow,
    report: &Report,
    proof: &Invariant,
    texts: &Texts,
) -> Vec<Entry> {
    let once = called_once(flow);
    // By function and the start of the loop's statement: the formulas of all locations that stand
    // for its head.
    let mut known: BTreeMap<(u32, u32), (Span, Vec<Term>)> = BTreeMap::new();
    for &(location, formula) in &proof.at {
        for (function, span) in heads_at(flow, report, location) {
            known.entry((function, span.start)).or_insert((span, vec![])).1.push(formula);
        }
    }
    let of_once = known.into_iter().filter(|((f, _), _)| once.contains(&FunctionId(*f)));
    of_once
        .filter_map(|((function, _), (span, formulas))| {
            let id = FunctionId(function);
            let names = visible(flow, id, span);
            let mut parts = Vec::new();
            for formula_at in formulas {
                if report.terms.value(formula_at) == Some(Value::Bool(false)) {
                    continue;
                }
                // One of several ways to the loop about which nothing can be said: nothing holds on
                // all.
                parts.push(formula(&report.terms, formula_at, &names)?);
            }
            parts.sort();
            parts.dedup();
            let formula = match parts.as_slice() {
                [] => return None,
                [only] => only.clone(),
                several => {
                    let several: Vec<String> = several.iter().map(|p| format!("({p})")).collect();
                    several.join(" || ")
                }
            };
            let at = texts.at(span, &flow.functions[function as usize].name)?;
            Some(Entry::Invariant { at, formula })
        })
        .collect()
}

/// The loops, with their functions, of which the automaton's location is the head.
///
/// An instruction can be several edges of the automaton, and only the first one begins at the
/// location of the flow graph.
fn heads_at(flow: &Flow, report: &Report, location: Location) -> Vec<(u32, Span)> {
    let edges = &report.automaton.edges;
    let places = |at: fn(&Edge) -> Location| {
        edges
            .iter()
            .filter(move |e| at(e) == location)
            .map(|e| (e.place.function, e.place.instruction))
    };
    let before: FxHashSet<(u32, u32)> = places(|e| e.target).collect();
    let mut found: Vec<(u32, Span)> = Vec::new();
    for (function, instruction) in places(|e| e.source).filter(|place| !before.contains(place)) {
        let body = flow.functions.get(function as usize).and_then(|f| f.body.as_ref());
        let source = body.and_then(|b| Some((b, b.edges.get(instruction as usize)?.source)));
        let Some((body, source)) = source else { continue };
        let heads = body.loops.iter().filter(|(head, _)| *head == source);
        found.extend(heads.map(|&(_, span)| (function, span)));
    }
    found.sort();
    found.dedup();
    found
}

/// The functions that can be called once only: from one place, in a function of which the same
/// holds, and not by pointers.
fn called_once(flow: &Flow) -> FxHashSet<FunctionId> {
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    let mut by_pointer = false;
    for (caller, function) in flow.functions.iter().enumerate() {
        for edge in function.body.iter().flat_map(|b| &b.edges) {
            match &edge.instruction {
                Instruction::Call { callee: Callee::Function(id), .. } => {
                    callers.entry(*id).or_default().push(FunctionId(caller as u32));
                }
                Instruction::Call { callee: Callee::Pointer(_), .. } => by_pointer = true,
                _ => {}
            }
        }
    }
    let mut once = FxHashSet::default();
    if by_pointer || callers.contains_key(&flow.main) {
        return once;
    }
    once.insert(flow.main);
    loop {
        let more: Vec<FunctionId> = callers
            .iter()
            .filter(|(id, from)| {
                matches!(from.as_slice(), [c] if once.contains(c)) && !once.contains(id)
            })
            .map(|(id, _)| *id)
            .collect();
        if more.is_empty() {
            return once;
        }
        once.extend(more);
    }
}
