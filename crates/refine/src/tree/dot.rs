//! The tree for people: as a graph for Graphviz's `dot`, and as a list.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::analysis::Analysis;
use super::nodes::NodeId;
use super::reached::Reached;
use hardbop_cfa::{Goal, Location};
use hardbop_smt::{Term, Terms};

/// Length of a formula up to which it is shown in full.
const LONG: usize = 200;

/// The nodes of a tree, parents before their children.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    pub nodes: Vec<Outlined>,
    /// How many more there are.
    pub left_out: usize,
}

/// A node of an [`Outline`].
#[derive(Debug, Clone)]
pub struct Outlined {
    pub location: Location,
    /// The position of its parent.
    pub parent: Option<usize>,
    pub state: Term,
    /// The position of the node that covers it.
    pub covered_by: Option<usize>,
}

impl<A: Analysis> Reached<A> {
    /// The first nodes of the abstract reachability tree, so many at most.
    pub fn outline(&mut self, terms: &mut Terms, most: usize) -> Outline {
        let positions: FxHashMap<NodeId, usize> =
            self.tree.iter().enumerate().map(|(position, (n, _))| (n, position)).collect();
        let mut nodes = vec![];
        for (_, node) in self.tree.iter().take(most) {
            let at = |n: NodeId| positions.get(&n).copied();
            nodes.push(Outlined {
                location: node.location,
                parent: node.parent.and_then(|(parent, _)| at(parent)),
                state: self.analysis.formula(terms, &node.state),
                covered_by: node.covered_by.and_then(at),
            });
        }
        Outline { left_out: positions.len() - nodes.len(), nodes }
    }

    /// The abstract reachability tree with locations and states.  Dotted lines lead from covered
    /// nodes to the nodes that cover them.
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
