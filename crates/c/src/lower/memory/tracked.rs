//! The variables by which one cell of many is tracked.

use indexmap::IndexMap;

use crate::memory::ObjectId;
use hardbop_smt::Symbol;

/// The variables that say which cells are tracked.
#[derive(Debug, Default)]
pub(in crate::lower) struct Tracked {
    /// For the array in an object that begins at an offset and has a stride, the index of the element that is tracked. The
    /// rows of an array and the first row's elements begin at one place.
    pub indices: IndexMap<(ObjectId, (u64, u64)), Symbol>,
    /// For an array of characters in an object, which begins at an offset, the address of one that is 0; 0 if none is known.
    pub ends: IndexMap<(ObjectId, u64), Symbol>,
    /// For an object, whether its last read was one of the tracked cell.
    pub seen: IndexMap<ObjectId, Symbol>,
    /// For a block that stands for many, whether it has been allocated.
    pub picked: IndexMap<ObjectId, Symbol>,
    /// For an object, the element that was read last; `None` if it is not remembered.
    pub recent: IndexMap<ObjectId, Option<Recent>>,
}

/// The element or block that was accessed last.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Recent {
    /// How many bytes the element is behind the first one, or the address of the block.
    pub place: Symbol,
    /// The scalars of the element: the indices of their items, and what they hold.
    pub cells: Vec<(usize, Symbol)>,
}
