//! Reads correctness witnesses of version 1.0 of the format: automata in GraphML, with invariants
//! of states.
//!
//! An invariant holds in executions that have brought the automaton into its state.  Which ones
//! these are is not looked at: the places of states in the program are, by the transitions around
//! them, and where several states are at one place, that one of their invariants holds.  So more is
//! to be proved than the witness says.
//!
//! Source: README-GraphML.md of <https://github.com/sosy-lab/sv-witnesses>.

use indexmap::IndexMap;

use super::content::{Content, Expression, Invariant, Place};
use super::graphml::{GraphReader, data, is_true};
use super::xml::Element;

/// The place of a state: at a loop or not, in which file, on which line, and in which column and
/// function, where that counts.
type Key = (bool, Option<String>, usize, Option<usize>);

/// The states at a place.
struct Here<'e> {
    place: Place,
    /// The states with their invariants.
    states: Vec<(&'e Element, Option<&'e Element>)>,
}

/// The element with the invariant of a state, if it has one that says something.
fn invariant(state: &Element) -> Option<&Element> {
    let of_key = |e: &&Element| {
        e.name == "data" && e.attribute("key").is_some_and(|k| k.text == "invariant")
    };
    let found = state.children.iter().find(of_key);
    found.filter(|e| !matches!(e.text.text.trim(), "" | "1" | "true"))
}

/// The column of a line at which a loop begins: the last one that is not behind `column`, else the
/// first.
fn loop_at(line: &str, column: Option<usize>) -> Option<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = None;
    for (number, (at, _)) in (1..).zip(line.char_indices()) {
        let (before, rest) = (&line[..at], &line[at..]);
        let is_word =
            |word: &&str| rest.strip_prefix(*word).is_some_and(|b| !b.starts_with(is_letter));
        // With `} while` one ends.
        let ends = before.trim_end().ends_with('}') && rest.starts_with("while");
        if before.ends_with(is_letter) || ends || !["while", "for", "do"].iter().any(is_word) {
            continue;
        }
        if found.is_none() || column.is_some_and(|column| number <= column) {
            found = Some(number);
        }
    }
    found
}

/// Whether a statement may begin at this column of a line.
fn begins_statement(line: &str, column: usize) -> bool {
    let before: String = line.chars().take(column - 1).collect();
    let before = before.trim_end();
    before.is_empty() || before.ends_with([';', '{', '}', ':'])
}

/// Whether a statement may begin anywhere on a line.
fn has_statement(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches('}').trim_start();
    !line.is_empty() && !["#", "//", "/*", "*", "else"].iter().any(|sign| line.starts_with(sign))
}

impl GraphReader<'_> {
    /// The invariants of a correctness witness, and what of it is not used.
    pub(super) fn invariants(&mut self, graph: &Element) -> Option<(Content, Vec<String>)> {
        let mut places: IndexMap<Key, Here> = IndexMap::new();
        let mut nowhere = 0;
        for state in graph.children.iter().filter(|e| e.name == "node") {
            let said = invariant(state);
            let found = self.places(graph, state)?;
            nowhere += usize::from(found.is_empty() && said.is_some());
            for (of_loop, place) in found {
                let file = place.file.as_ref().map(|f| f.text.clone());
                let key = (of_loop, file, place.line, place.column);
                let here = places.entry(key).or_insert(Here { place, states: vec![] });
                here.states.push((state, said));
            }
        }
        let (mut invariants, mut used, mut open) = (vec![], 0, 0);
        for ((of_loop, ..), Here { mut place, states }) in places {
            let said: Vec<_> = states.iter().filter_map(|(s, said)| Some((*s, (*said)?))).collect();
            let Some((first, _)) = said.first() else { continue };
            if said.len() < states.len() {
                // At a state without an invariant, anything may hold.
                open += said.len();
                continue;
            }
            used += said.len();
            // Its variables are those of the function.
            place.function = data(first, "invariant.scope").cloned();
            invariants.push(Invariant { of_loop, place, value: any_of(&said) });
        }
        let mut notes = vec![];
        if used > 0 {
            notes.push(format!(
                "of the witness, the invariants of states ({used}) are used at the places of their transitions, whatever the way there"
            ));
        }
        if nowhere > 0 {
            notes.push(format!(
                "of the witness, the invariants of states ({nowhere}) are not used whose transitions begin at no loop and no statement"
            ));
        }
        if open > 0 {
            notes.push(format!(
                "of the witness, the invariants of states ({open}) are not used that are where others are without any"
            ));
        }
        Some((Content::Invariants(invariants), notes))
    }

    /// The places of a state, with whether that is a loop.  Where transitions enter a loop head: at
    /// the loop that begins on their line, at their place if there is one, or else on the line of
    /// the transitions that leave it, which evaluate its condition.  Of another state: where the
    /// transitions begin that leave it, if that is one place.
    fn places(&mut self, graph: &Element, state: &Element) -> Option<Vec<(bool, Place)>> {
        let id = state.attribute("id").map(|id| id.text.as_str());
        let edges = || graph.children.iter().filter(|e| e.name == "edge");
        let ends = |e: &Element, end: &str| e.attribute(end).map(|id| id.text.clone());
        let into = edges().filter(|e| ends(e, "target").as_deref() == id);
        let heads: Vec<&Element> = into.filter(|e| is_true(e, "enterLoopHead")).collect();
        let out = edges().filter(|e| ends(e, "source").as_deref() == id);
        if !heads.is_empty() {
            let mut places = vec![];
            for edge in heads.into_iter().chain(out).filter(|e| data(e, "startline").is_some()) {
                let place = self.place(edge)?;
                let line = self.line(&place);
                let column = line.and_then(|line| loop_at(line, place.column));
                places.extend(column.map(|column| {
                    let is_exact = place.column == Some(column);
                    (is_exact, Place { column: Some(column), ..place })
                }));
            }
            let exact = places.iter().position(|(is_exact, _)| *is_exact).unwrap_or(0);
            let found = places.into_iter().nth(exact);
            return Some(found.map(|(_, place)| (true, place)).into_iter().collect());
        }
        if invariant(state).is_none() {
            return Some(vec![]);
        }
        let mut found: Vec<(bool, Place)> = vec![];
        for edge in out.filter(|e| data(e, "startline").is_some()) {
            let mut place = self.place(edge)?;
            let Some(line) = self.line(&place).map(str::to_owned) else { continue };
            place.column = place.column.filter(|column| begins_statement(&line, *column));
            let is_known = found.iter().any(|(_, known)| {
                (known.line, known.column) == (place.line, place.column)
                    && known.file.as_ref().map(|f| &f.text) == place.file.as_ref().map(|f| &f.text)
            });
            if has_statement(&line) && !is_known {
                found.push((false, place));
            }
        }
        // Of several, none is it for all executions.
        Some(if found.len() == 1 { found } else { vec![] })
    }
}

/// The disjunction of the invariants.
fn any_of(said: &[(&Element, &Element)]) -> Expression {
    let texts: Vec<String> =
        said.iter().map(|(_, e)| format!("({})", e.text.text.trim())).collect();
    match said {
        [(_, only)] => {
            let text = only.text.text.clone();
            Expression { text, span: only.text.span, is_literal: true }
        }
        _ => Expression {
            text: texts.join(" || "),
            span: said.first().map(|(_, e)| e.text.span).unwrap_or_default(),
            is_literal: false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_begin_with_their_words() {
        for (line, column, found) in [
            ("  while (i < n) i++;", Some(3), Some(3)),
            ("  while (i < n) i++;", Some(10), Some(3)),
            ("  while (i < n) i++;", None, Some(3)),
            ("for (;;) do x--; while (x);", Some(4), Some(1)),
            ("for (;;) do x--; while (x);", Some(12), Some(10)),
            ("} while (x > 0);", Some(3), None),
            ("int dodo = 1, format = whiles;", Some(5), None),
            ("  i++;", None, None),
        ] {
            assert_eq!(loop_at(line, column), found, "{line}");
        }
    }
}
