//! The automata of version 1.0 of the format: states, and transitions that are made where an
//! execution does something.

use super::graphml::{Edge, Graph, Node};
use super::path::{Action, Step};
use super::text::{At, Texts};
use super::yaml::Entry;

/// A path from the entry into the error: one transition after the other.
pub(super) fn of_path(steps: &[Step], texts: &Texts) -> Graph {
    let name = |number: usize| match number {
        0 => "entry".to_owned(),
        last if last == steps.len() => "error".to_owned(),
        other => format!("q{other}"),
    };
    let mut graph = Graph { nodes: vec![entry()], edges: vec![] };
    for (number, step) in steps.iter().enumerate() {
        let mut data = place(&step.at, texts);
        data.extend(match &step.does {
            Action::Enters(function) => vec![("enterFunction", function.clone())],
            Action::Leaves(function) => vec![("returnFromFunction", function.clone())],
            Action::Branches(taken) => vec![("control", control(*taken))],
            Action::Returned { callee, caller, literal } => vec![
                ("assumption", format!("\\result == {literal}")),
                ("assumption.scope", caller.clone()),
                ("assumption.resultfunction", callee.clone()),
            ],
            Action::Fails => vec![],
        });
        graph.nodes.push(Node { id: name(number + 1), data: vec![] });
        graph.edges.push(Edge { source: name(number), target: name(number + 1), data });
    }
    if let Some(last) = graph.nodes.last_mut() {
        last.data.push(("violation", "true".to_owned()));
    }
    graph
}

/// A state for each invariant, in which an execution is from where it comes to the head of the loop
/// until its condition has been evaluated.
pub(super) fn of_invariants(entries: &[Entry], texts: &Texts) -> Graph {
    let mut graph = Graph { nodes: vec![entry()], edges: vec![] };
    for entry in entries {
        let Entry::Invariant { at, formula } = entry else { continue };
        let id = format!("q{}", graph.nodes.len());
        let scope = ("invariant.scope", at.function.clone());
        let data = vec![("invariant", formula.clone()), scope];
        graph.nodes.push(Node { id: id.clone(), data });
        let mut edge = |source: &str, target: &str, more: (&'static str, String)| {
            let mut data = place(at, texts);
            data.push(more);
            graph.edges.push(Edge { source: source.to_owned(), target: target.to_owned(), data });
        };
        edge("entry", &id, ("enterLoopHead", "true".to_owned()));
        for taken in [true, false] {
            edge(&id, "entry", ("control", control(taken)));
        }
    }
    graph
}

fn entry() -> Node {
    Node { id: "entry".to_owned(), data: vec![("entry", "true".to_owned())] }
}

fn control(taken: bool) -> String {
    if taken { "condition-true" } else { "condition-false" }.to_owned()
}

/// The data on the place of a transition.
fn place(at: &At, texts: &Texts) -> Vec<(&'static str, String)> {
    let mut data = vec![("startline", at.line.to_string())];
    let (first, has_others) = texts.first();
    // Offsets are those of the first file.
    let offset = texts.offset(at).filter(|_| at.file == first);
    data.extend(offset.map(|offset| ("startoffset", offset.to_string())));
    if has_others {
        data.push(("originfile", at.file.clone()));
    }
    data
}
