//! The part of an invariant that another version of the program knows: locations by the line where
//! they are, variables by name.
//!
//! Nothing of this matters for a proof.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::document::{NamedPlace, Outline};
use hardbop_base::source::Span;
use hardbop_c::flow::Flow;
use hardbop_cfa::summarise::Summary;
use hardbop_cfa::{Automaton, Location, Program};
use hardbop_smt::{Sort, Symbol, Term, Terms, declare};

/// The longest part of a line that is taken.
const LINE: usize = 100;

impl Outline {
    /// The outline of an invariant that has formulas at these of the automaton's ends of blocks.
    pub(super) fn new(
        flow: &Flow,
        terms: &mut Terms,
        (program, automaton): (&Program, &Automaton),
        (ends, states): (&[Location], &[Location]),
    ) -> Self {
        let states: FxHashSet<Location> = states.iter().copied().collect();
        let named = ends.iter().zip(places(flow, program, automaton, ends));
        let places = named.filter(|(l, _)| states.contains(l)).map(|(_, place)| place).collect();
        let mut variables = vec![];
        for symbol in automaton.variables(terms) {
            let (name, sort) = (terms.variable(symbol), terms.symbol_sort(symbol));
            variables.push(format!("(declare-const {} {sort})", terms.display(name)));
        }
        Self { variables, places }
    }

    /// The meanings of the names of variables in another automaton: a variable of the same name and
    /// sort; else, where as many of a function's variables of one sort are new as are gone, a new
    /// one; else something that it does not know.
    pub(super) fn variables(
        &self,
        terms: &mut Terms,
        automaton: &Automaton,
    ) -> FxHashMap<String, Term> {
        let own = automaton.variables(terms);
        let mut fresh: FxHashSet<Symbol> = own.iter().copied().collect();
        let (mut known, mut gone) = (FxHashMap::default(), vec![]);
        for (name, sort) in self.declared() {
            match terms.find_symbol(&name) {
                Some(s) if terms.symbol_sort(s) == sort && fresh.remove(&s) => {
                    known.insert(name, terms.variable(s));
                }
                _ => gone.push((name, sort)),
            }
        }
        let mut renamed: BTreeMap<(String, Sort), (Vec<String>, Vec<Symbol>)> = BTreeMap::new();
        for symbol in own.into_iter().filter(|s| fresh.contains(s)) {
            let of = (function(terms.name(symbol)), terms.symbol_sort(symbol));
            renamed.entry(of).or_default().1.push(symbol);
        }
        for (name, sort) in gone {
            renamed.entry((function(&name), sort)).or_default().0.push(name);
        }
        for ((_, sort), (old, new)) in renamed {
            let is_even = old.len() == new.len();
            for (i, name) in old.into_iter().enumerate() {
                let symbol = if is_even { new[i] } else { terms.fresh("gone", sort) };
                known.insert(name, terms.variable(symbol));
            }
        }
        known
    }

    fn declared(&self) -> Vec<(String, Sort)> {
        let mut terms = Terms::new();
        let mut found = vec![];
        for text in &self.variables {
            // One that is not understood is as good as none.
            let symbols = declare(&mut terms, text).unwrap_or_default();
            found.extend(
                symbols.into_iter().map(|s| (terms.name(s).to_owned(), terms.symbol_sort(s))),
            );
        }
        found
    }
}

/// The ends of blocks that formulas may be about.
pub(super) fn ends(automaton: &Automaton, summary: &Summary) -> Vec<Location> {
    summary.locations.iter().copied().filter(|&l| automaton.goal(l).is_none()).collect()
}

/// The function that a variable belongs to, by its name.
fn function(name: &str) -> String {
    name.split_once("::").map_or("", |(function, _)| function).to_owned()
}

/// The names of places.
fn places(
    flow: &Flow,
    program: &Program,
    automaton: &Automaton,
    ends: &[Location],
) -> Vec<NamedPlace> {
    let mut at: FxHashMap<Location, (u32, Span)> = FxHashMap::default();
    for edge in &automaton.edges {
        at.entry(edge.source).or_insert((edge.frame, edge.place.span));
    }
    let mut count: FxHashMap<NamedPlace, u32> = FxHashMap::default();
    let mut named = vec![];
    for end in ends {
        let (frame, span) = at.get(end).copied().unwrap_or_default();
        let name = |f: usize| program.functions.get(f).map_or("", |f| &f.name).to_owned();
        let mut calls: Vec<String> = automaton.stack(frame).map(|f| name(f.function)).collect();
        calls.reverse();
        let place = NamedPlace { calls, line: line(&flow.source.text, span), before: 0 };
        let before = count.entry(place.clone()).or_insert(0);
        named.push(NamedPlace { before: *before, ..place });
        *before += 1;
    }
    named
}

/// The line of the text where a span begins.
fn line(text: &str, span: Span) -> String {
    let start = span.range().start;
    let begin = text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
    let line = text.get(begin..).and_then(|t| t.lines().next()).unwrap_or("");
    line.trim().chars().take(LINE).collect()
}

/// The end of a block in another automaton that is each of the states' places: one of the same
/// name; and of the others of an activation those in the same order, where there are as many.
pub(super) fn matched(
    outline: &Outline,
    (flow, program): (&Flow, &Program),
    automaton: &Automaton,
    ends: &[Location],
) -> Vec<Option<Location>> {
    let named = places(flow, program, automaton, ends);
    let mut free: FxHashMap<&NamedPlace, Location> =
        named.iter().zip(ends.iter().copied()).collect();
    let mut found: Vec<Option<Location>> =
        outline.places.iter().map(|place| free.remove(place)).collect();
    let mut rest: FxHashMap<&[String], (Vec<usize>, Vec<Location>)> = FxHashMap::default();
    for (place, &end) in named.iter().zip(ends).filter(|(place, _)| free.contains_key(place)) {
        rest.entry(&place.calls).or_default().1.push(end);
    }
    for (i, place) in outline.places.iter().enumerate().filter(|&(i, _)| found[i].is_none()) {
        rest.entry(&place.calls).or_default().0.push(i);
    }
    for (old, new) in rest.into_values().filter(|(old, new)| old.len() == new.len()) {
        old.into_iter().zip(new).for_each(|(i, end)| found[i] = Some(end));
    }
    found
}
