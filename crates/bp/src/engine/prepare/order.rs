//! Weak topological order of a control-flow graph.
//!
//! The hierarchical decomposition of Bourdoncle ("Efficient chaotic iteration strategies with
//! widenings", 1993): strongly connected components in topological order, each opened by removing
//! its head.  Every cycle passes through a head, and whatever can be merged at a node has a
//! smaller position than the node, except along back edges into heads.

use crate::language::program::Procedure;

/// Positions and heads of the nodes of one procedure.
#[derive(Debug, Clone)]
pub struct Order {
    /// Position of each node; `u32::MAX` where it is not kept.
    pub position: Vec<u32>,
    /// Whether the node is the head of a component (a loop head).
    pub head: Vec<bool>,
    /// The number of nodes in the component of which the node is the head, else 1.  Their positions
    /// follow on from the head's.
    pub extent: Vec<u32>,
    /// Whether the node lies on a cycle.
    pub cyclic: Vec<bool>,
    /// The kept nodes by position.
    pub sequence: Vec<u32>,
}

/// The order of the nodes that `kept` marks, following the edges that `follow` marks.
pub fn weak_topological_order(procedure: &Procedure, kept: &[bool], follow: &[bool]) -> Order {
    let n = procedure.nodes.len();
    let successors: Vec<Vec<u32>> = (0..n)
        .map(|v| {
            procedure.outgoing[v]
                .iter()
                .filter(|e| follow[e.index()])
                .map(|&e| procedure.edge(e).target.0)
                .filter(|&t| kept[t as usize])
                .collect()
        })
        .collect();
    let mut order = Order {
        position: vec![u32::MAX; n],
        head: vec![false; n],
        extent: vec![1; n],
        cyclic: vec![false; n],
        sequence: vec![],
    };
    // `group[v]`: the subgraph to which v currently belongs; only edges within a group count.
    let mut group = vec![u32::MAX; n];
    let mut groups = 1;
    let all: Vec<u32> = (0..n as u32).filter(|&v| kept[v as usize]).collect();
    for &v in &all {
        group[v as usize] = 0;
    }
    let mut tarjan = Tarjan::new(n);
    let mut tasks = vec![Task::Open(all, Some(procedure.entry.0))];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Place(v) => {
                order.position[v as usize] = order.sequence.len() as u32;
                order.sequence.push(v);
            }
            Task::Open(nodes, first) => {
                // Tarjan emits components in reverse topological order, the order in which they
                // must be pushed on the stack of tasks.
                for component in tarjan.components(&nodes, first, &successors, &group) {
                    let head = component[0];
                    let cyclic = component.len() > 1 || successors[head as usize].contains(&head);
                    if cyclic {
                        order.head[head as usize] = true;
                        order.extent[head as usize] = component.len() as u32;
                        for &v in &component {
                            order.cyclic[v as usize] = true;
                        }
                    }
                    if component.len() > 1 {
                        for &v in &component[1..] {
                            group[v as usize] = groups;
                        }
                        group[head as usize] = u32::MAX;
                        groups += 1;
                        let rest = component[1..].to_vec();
                        let next = successors[head as usize]
                            .iter()
                            .copied()
                            .find(|&s| group[s as usize] == groups - 1);
                        tasks.push(Task::Open(rest, next));
                    }
                    tasks.push(Task::Place(head));
                }
            }
        }
    }
    order
}

enum Task {
    /// Decompose these nodes, starting the search at the given one, if any.
    Open(Vec<u32>, Option<u32>),
    Place(u32),
}

/// Tarjan's algorithm with an explicit stack.
struct Tarjan {
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl Tarjan {
    fn new(n: usize) -> Self {
        Self { index: vec![0; n], low: vec![0; n], on_stack: vec![false; n] }
    }

    /// Strongly connected components of one group, in reverse topological order; the first
    /// node of each is the one through which the search entered it.
    fn components(
        &mut self,
        nodes: &[u32],
        first: Option<u32>,
        successors: &[Vec<u32>],
        group: &[u32],
    ) -> Vec<Vec<u32>> {
        for &v in nodes {
            self.index[v as usize] = 0;
        }
        let Some(&any) = nodes.first() else { return vec![] };
        let mine = group[any as usize];
        let mut counter = 0;
        let mut stack: Vec<u32> = vec![];
        let mut out = vec![];
        for root in first.into_iter().chain(nodes.iter().copied()) {
            if self.index[root as usize] != 0 || group[root as usize] != mine {
                continue;
            }
            let mut calls: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some(&mut (v, ref mut next)) = calls.last_mut() {
                let at = v as usize;
                if *next == 0 {
                    counter += 1;
                    self.index[at] = counter;
                    self.low[at] = counter;
                    stack.push(v);
                    self.on_stack[at] = true;
                }
                if let Some(&w) = successors[at].get(*next) {
                    *next += 1;
                    let to = w as usize;
                    if group[to] != mine {
                        continue;
                    }
                    if self.index[to] == 0 {
                        calls.push((w, 0));
                    } else if self.on_stack[to] {
                        self.low[at] = self.low[at].min(self.index[to]);
                    }
                    continue;
                }
                *next = usize::MAX;
                calls.pop();
                if let Some(&(parent, _)) = calls.last() {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[at]);
                }
                if self.low[at] == self.index[at] {
                    let mut component = vec![];
                    while let Some(w) = stack.pop() {
                        self.on_stack[w as usize] = false;
                        component.push(w);
                        if w == v {
                            break;
                        }
                    }
                    component.reverse();
                    out.push(component);
                }
            }
        }
        out
    }
}
