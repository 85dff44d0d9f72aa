//! The worklist of an exploration.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::nodes::NodeId;
use crate::block::problem::Problem;
use crate::cegar::algorithm::Order;
use hardbop_cfa::Location;
use hardbop_cfa::summarise::postorder;

/// Nodes, each with an outgoing block whose successor is still to be computed.
pub(super) struct Waitlist {
    order: Order,
    queue: VecDeque<(NodeId, usize)>,
    ranked: BTreeSet<(u32, NodeId, usize)>,
    ranks: FxHashMap<Location, u32>,
}

impl Waitlist {
    pub fn new(order: Order, problem: &Problem) -> Self {
        let ranks = match order {
            Order::Topological => ranks(problem),
            _ => FxHashMap::default(),
        };
        Self { order, queue: VecDeque::new(), ranked: BTreeSet::new(), ranks }
    }

    /// Adds blocks that leave a node, which is at the location; the first comes first.
    pub fn add(&mut self, n: NodeId, location: Location, blocks: &[usize]) {
        match self.order {
            // The last entries are served first.
            Order::Dfs => self.queue.extend(blocks.iter().rev().map(|&b| (n, b))),
            Order::Bfs => blocks.iter().for_each(|&b| self.queue.push_front((n, b))),
            Order::Topological => {
                let rank = self.ranks.get(&location).copied().unwrap_or(u32::MAX);
                self.ranked.extend(blocks.iter().map(|&b| (rank, n, b)));
            }
        }
    }

    /// Takes the next node and block.
    pub fn next(&mut self) -> Option<(NodeId, usize)> {
        match self.order {
            Order::Topological => self.ranked.pop_first().map(|(_, n, block)| (n, block)),
            _ => self.queue.pop_back(),
        }
    }

    /// Takes the blocks that come next, as long as they leave this node.
    pub fn rest(&mut self, n: NodeId) -> Vec<usize> {
        let mut blocks = vec![];
        while self.peek() == Some(n) {
            blocks.extend(self.next().map(|(_, block)| block));
        }
        blocks
    }

    fn peek(&self) -> Option<NodeId> {
        match self.order {
            Order::Topological => self.ranked.first().map(|&(_, n, _)| n),
            _ => self.queue.back().map(|&(n, _)| n),
        }
    }
}

/// The position of each location in a reverse postorder over the blocks.
fn ranks(problem: &Problem) -> FxHashMap<Location, u32> {
    // The last block first: in the reverse, the first ones come first.
    let targets = |l| problem.summary.outgoing(l).rev().map(|b| problem.target(b));
    postorder(problem.automaton.entry, targets).into_iter().rev().zip(0..).collect()
}
