//! The call graph after slicing.

use super::slice::Slice;
use crate::language::program::{Operation, ProcId, Program};

/// Levels and recursion of the procedures.
#[derive(Debug, Clone)]
pub struct CallGraph {
    /// Longest distance from the entry procedure, recursive components counted as one: a callee
    /// outside its caller's component has a higher level.
    pub level: Vec<u32>,
    /// Whether the procedure can be on the call stack twice.
    pub recursive: Vec<bool>,
    /// Strongly connected components, callees first.
    pub components: Vec<Vec<ProcId>>,
}

impl CallGraph {
    pub fn new(program: &Program, slice: &Slice) -> Self {
        let mut graph = petgraph::graph::DiGraph::<(), ()>::new();
        let nodes: Vec<_> = program.procedures.iter().map(|_| graph.add_node(())).collect();
        for p in program.procedure_ids() {
            let Some(kept) = slice.procedure(p) else { continue };
            for (e, _) in program.procedure(p).edges.iter().zip(&kept.edges).filter(|(_, k)| **k) {
                if let Operation::Call(c) = &e.operation {
                    graph.update_edge(nodes[p.index()], nodes[c.callee.index()], ());
                }
            }
        }
        let components: Vec<Vec<ProcId>> = petgraph::algo::tarjan_scc(&graph)
            .into_iter()
            .map(|c| {
                let mut c: Vec<_> = c.into_iter().map(|n| ProcId(n.index() as u32)).collect();
                c.sort_unstable();
                c
            })
            .collect();
        let mut level = vec![0; nodes.len()];
        let mut recursive = vec![false; nodes.len()];
        let callees =
            |p: ProcId| graph.neighbors(nodes[p.index()]).map(|n| ProcId(n.index() as u32));
        for component in components.iter().rev() {
            let top = component.iter().map(|p| level[p.index()]).max().unwrap_or(0);
            for &p in component {
                level[p.index()] = top;
                recursive[p.index()] = component.len() > 1 || callees(p).any(|q| q == p);
            }
            for &p in component {
                for q in callees(p).filter(|q| !component.contains(q)) {
                    level[q.index()] = level[q.index()].max(top + 1);
                }
            }
        }
        Self { level, recursive, components }
    }
}
