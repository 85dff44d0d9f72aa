//! Prints automata as graphs for `dot`.

use std::fmt::Write as _;

use super::automaton::{Automaton, Goal};
use super::operation::{Operation, Origin};
use super::program::Location;
use super::summarise::Summary;
use hardbop_smt::Terms;

/// An operation in one line of text.
pub fn describe(terms: &Terms, operation: &Operation) -> String {
    let assignment = |(s, e): &(_, _)| format!("{} := {}", terms.name(*s), terms.display(*e));
    match operation {
        Operation::Skip => String::new(),
        Operation::Assume(p) => format!("[{}]", terms.display(*p)),
        Operation::Assign(s, e) => assignment(&(*s, *e)),
        Operation::Parallel(all) => all.iter().map(assignment).collect::<Vec<_>>().join("; "),
        Operation::Havoc(s, Origin::Input) => format!("{} := input", terms.name(*s)),
        Operation::Havoc(s, Origin::Approximation) => format!("{} := ?", terms.name(*s)),
    }
}

/// Prints the automaton with one edge per block of `summary`, in the notation of the paper's Fig.
/// 2: one operation per line. Blocks with many edges only show how many.
pub fn dot(terms: &Terms, automaton: &Automaton, summary: &Summary) -> String {
    const SHOWN: usize = 12;
    let mut out = String::from("digraph cfa {\n  node [shape=circle, fontsize=10];\n");
    for &location in &summary.locations {
        let shape = match automaton.goal(location) {
            Some(Goal::Error) => ", shape=doublecircle, color=red",
            Some(Goal::Unsupported(..) | Goal::Depth(..)) => ", shape=doublecircle, color=orange",
            None if location == automaton.entry => ", shape=box",
            None => "",
        };
        let _ = writeln!(out, "  {} [label=\"{}\"{shape}];", location.0, name(automaton, location));
    }
    for block in &summary.blocks {
        let mut lines: Vec<String> = block
            .edges
            .iter()
            .take(SHOWN)
            .map(|&e| describe(terms, &automaton.edges[e as usize].operation))
            .filter(|l| !l.is_empty())
            .collect();
        if block.edges.len() > SHOWN {
            lines.push(format!("... {} edges", block.edges.len()));
        }
        let label =
            lines.join("\n").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
        let _ = writeln!(out, "  {} -> {} [label=\"{label}\\l\"];", block.source.0, block.target.0);
    }
    out.push_str("}\n");
    out
}

fn name(automaton: &Automaton, location: Location) -> String {
    match automaton.goal(location) {
        Some(Goal::Error) => "error".into(),
        Some(Goal::Unsupported(..) | Goal::Depth(..)) => "unsupported".into(),
        None => location.0.to_string(),
    }
}
