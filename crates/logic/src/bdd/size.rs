//! The sizes of node tables.

use hardbop_base::budget::Budget;

/// Bytes per node: 16 in the table, the rest in the hash tables of the levels while these grow.
const NODE_BYTES: u64 = 48;
/// Bytes per entry of the cache of results.
const ENTRY_BYTES: u64 = 32;
/// The most nodes of a table if there is no memory limit.
const LARGEST: u64 = 1 << 27;

/// The sizes of the node table and of the cache of results.
///
/// The library fixes both sizes when it creates a table, and then initialises the cache.  So work begins with a small
/// table, which is quickly made, and starts again with a larger one when that is full.  This costs little, since every
/// table is many times larger than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Nodes that the table has room for.
    pub capacity: usize,
    /// Entries of the cache of results.
    pub cache: usize,
    /// The number of nodes, without garbage, above which the table counts as full.
    pub most: usize,
    /// The number of nodes at which garbage is first collected.
    pub first_collection: usize,
    /// Collections of garbage after which the table counts as full.
    pub collections: u64,
}

impl Size {
    /// For callers that have an alternative when the table is full: any result that fits is found in milliseconds.  The
    /// cache has an entry for every node, so hardly any work is repeated within an operation.
    pub const SKETCH: Self = Self::cached(1 << 14);
    /// Like [`Self::SKETCH`], for results found in tens of milliseconds.
    pub const SMALL: Self = Self::cached(1 << 16);
    /// For a question that a SAT solver does not answer, in a few tenths of a second.
    pub const MEDIUM: Self = Self::cached(1 << 19);
    /// For states of many predicates, which live as long as the run.
    pub const LARGE: Self = Self::cached(1 << 20);

    pub(super) const fn cached(nodes: usize) -> Self {
        let half = nodes / 2;
        Self {
            capacity: nodes,
            cache: nodes,
            most: half,
            first_collection: half,
            collections: u64::MAX,
        }
    }

    /// The sizes to be tried in turn, within the memory limit of `budget`.
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
                collections: u64::MAX,
            });
            if last {
                break;
            }
        }
        steps
    }

    /// The number of nodes at which garbage is collected at the latest.  At 95% of the capacity, the library would
    /// collect on its own, in a separate thread.
    pub(super) fn last_collection(&self) -> usize {
        self.capacity / 16 * 13
    }
}
