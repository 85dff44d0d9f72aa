//! How large a table of nodes may get.

use crate::base::budget::Budget;

/// Bytes per node: 16 in the table, the rest in the hash tables of the levels while these grow.
const NODE_BYTES: u64 = 48;
/// Bytes per entry of the cache of results.
const ENTRY_BYTES: u64 = 32;
/// Nodes of the largest table where no memory limit is given.
const LARGEST: u64 = 1 << 27;

/// Sizes of the node table and of the cache of results.
///
/// The library fixes both when a table is made, and initialises the cache.  So work begins with a
/// small table, in no time, and starts again with a larger one where that gets full; since every
/// table is many times larger than the one before, that costs little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Nodes that the table has room for.
    pub capacity: usize,
    /// Entries of the cache of results.
    pub cache: usize,
    /// Nodes, without garbage, beyond which the table counts as full.
    pub most: usize,
    /// Nodes at which garbage is first collected.
    pub first_collection: usize,
}

impl Size {
    /// For whom there is another way where the table gets full: every result that fits is found in
    /// milliseconds.  The cache has an entry for every node, so no operation does much twice.
    pub const SKETCH: Self = Self::cached(1 << 14);
    /// The same, in tens of milliseconds.
    pub const SMALL: Self = Self::cached(1 << 16);
    /// For states of many predicates, which live as long as the run.
    pub const LARGE: Self = Self::cached(1 << 20);

    const fn cached(nodes: usize) -> Self {
        Self { capacity: nodes, cache: nodes, most: nodes / 2, first_collection: nodes / 2 }
    }

    /// The sizes to be tried one after the other, within the memory limit of `budget`.
    pub fn steps(budget: &Budget) -> Vec<Self> {
        let memory = budget.memory_limit();
        let nodes = memory.map_or(LARGEST, |bytes| (bytes / NODE_BYTES).clamp(1 << 12, 1 << 30));
        let cache = memory.map_or(1 << 23, |bytes| (bytes / 8 / ENTRY_BYTES).max(1 << 10));
        // The capacity leaves room for the garbage of one operation.
        let mut steps = vec![];
        for (capacity, entries, most, first) in [
            (1_u64 << 20, 1_u64 << 16, 1_u64 << 17, 1_u64 << 18),
            (1 << 24, 1 << 20, 1 << 21, 1 << 22),
            (nodes, 1 << 23, nodes, 1 << 24),
        ] {
            let last = capacity >= nodes;
            let capacity = capacity.min(nodes);
            steps.push(Self {
                capacity: capacity as usize,
                // A power of two, rounded down.
                cache: 1 << entries.min(cache).ilog2(),
                most: if last { capacity } else { most } as usize,
                first_collection: first.min(capacity / 2) as usize,
            });
            if last {
                break;
            }
        }
        steps
    }

    /// Nodes at which garbage is collected at the latest: before the library does so by itself, in a
    /// thread of its own, at 95% of the capacity.
    pub(super) fn last_collection(&self) -> usize {
        self.capacity / 16 * 13
    }
}
