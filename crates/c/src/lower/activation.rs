//! Activations of functions: which functions are recursive, and which run at most once.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::super::flow::{Body, Flow, FunctionId, Instruction};
use super::super::points_to::PointsTo;

/// Facts about the activations of all reachable functions.
#[derive(Debug)]
pub struct Activations {
    /// Indexed by function: whether several activations may exist at once.
    recursive: Vec<bool>,
    /// Indexed by function: whether it runs at most once.
    once: Vec<bool>,
    /// Indexed by function and location: whether one activation may pass it more than once.
    cyclic: Vec<Vec<bool>>,
    called: Vec<bool>,
}

impl Activations {
    pub fn new(flow: &Flow, points_to: &PointsTo<'_>) -> Self {
        let n = flow.functions.len();
        let mut graph: DiGraph<(), bool> = DiGraph::new();
        (0..n).for_each(|_| {
            graph.add_node(());
        });
        let mut cyclic = vec![Vec::new(); n];
        for function in points_to.reached() {
            let Some(body) = &flow.functions[function.0 as usize].body else { continue };
            let repeated = on_cycles(body);
            for (i, edge) in body.edges.iter().enumerate() {
                if !matches!(edge.instruction, Instruction::Call { .. }) {
                    continue;
                }
                let from = NodeIndex::new(function.0 as usize);
                for target in points_to.targets(function, i as u32).functions {
                    let to = NodeIndex::new(target.0 as usize);
                    graph.add_edge(from, to, repeated[edge.source.0 as usize]);
                }
            }
            cyclic[function.0 as usize] = repeated;
        }
        let mut recursive = vec![false; n];
        let mut once = vec![false; n];
        let mut called = vec![false; n];
        // Visit callers first.
        for component in tarjan_scc(&graph).into_iter().rev() {
            let own = component[0];
            let recurs = component.len() > 1 || graph.find_edge(own, own).is_some();
            for &node in &component {
                recursive[node.index()] = recurs;
            }
            let calls: Vec<_> = graph.edges_directed(own, petgraph::Direction::Incoming).collect();
            called[own.index()] = !calls.is_empty();
            once[own.index()] = !recurs
                && match calls.as_slice() {
                    [] => own.index() == flow.main.0 as usize,
                    [call] => {
                        own.index() != flow.main.0 as usize
                            && !*call.weight()
                            && once[call.source().index()]
                    }
                    _ => false,
                };
            if recurs {
                component.iter().for_each(|node| called[node.index()] = true);
            }
        }
        Self { recursive, once, cyclic, called }
    }

    /// Whether several activations of the function may exist at once.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.0 as usize]
    }

    /// Whether any function calls it.
    pub fn is_called(&self, function: FunctionId) -> bool {
        self.called[function.0 as usize]
    }

    /// Whether the edge is executed at most once in the whole program.
    pub fn runs_once(&self, flow: &Flow, function: FunctionId, edge: u32) -> bool {
        let f = function.0 as usize;
        let Some(body) = &flow.functions[f].body else { return false };
        let source = body.edges[edge as usize].source;
        self.once[f] && self.cyclic[f].get(source.0 as usize) == Some(&false)
    }
}

/// Indexed by location: whether it lies on a cycle.
fn on_cycles(body: &Body) -> Vec<bool> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    (0..body.locations).for_each(|_| {
        graph.add_node(());
    });
    let mut cyclic = vec![false; body.locations as usize];
    for edge in &body.edges {
        // A return leads to the exit, whatever the target of its edge.
        let target = match edge.instruction {
            Instruction::Return(_) => body.exit,
            _ => edge.target,
        };
        let (from, to) = (edge.source.0 as usize, target.0 as usize);
        graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        cyclic[from] |= from == to;
    }
    for component in tarjan_scc(&graph) {
        if component.len() > 1 {
            component.iter().for_each(|l| cyclic[l.index()] = true);
        }
    }
    cyclic
}
