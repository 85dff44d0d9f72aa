//! The tree as a graph for Graphviz's `dot`.

use std::fmt::Write as _;

use super::analysis::Analysis;
use super::reached::Reached;
use crate::program::cfa::Goal;
use crate::solve::smt::Terms;

/// Longer formulas are truncated.
const LONG: usize = 200;

impl<A: Analysis> Reached<A> {
    /// The abstract reachability tree with locations and states.  Dotted lines lead from covered nodes to the nodes
    /// that cover them.
    pub fn dot(&mut self, terms: &mut Terms) -> String {
        let mut out = String::from("digraph art {\n  node [shape=box, fontsize=10];\n");
        for (n, node) in self.tree.iter() {
            let formula = self.analysis.formula(terms, &node.state);
            let mut text = terms.display(formula).to_string();
            if text.len() > LONG {
                let cut = (0..=LONG).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
                text.truncate(cut);
                text.push_str("...");
            }
            let place = match self.problem.automaton.goal(node.location) {
                Some(Goal::Error) => "error".to_owned(),
                Some(Goal::Unsupported(..) | Goal::Depth(..)) => "unsupported".to_owned(),
                None => format!("location {}", node.location.0),
            };
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "  {n} [label=\"{place}\\n{text}\"];");
            if let Some((parent, block)) = node.parent {
                let _ = writeln!(out, "  {parent} -> {n} [label=\"{block}\"];");
            }
            if let Some(by) = node.covered_by {
                let _ = writeln!(out, "  {n} -> {by} [style=dotted, constraint=false];");
            }
        }
        out.push_str("}\n");
        out
    }
}
