//! What a search hands over: a path of blocks.

use std::sync::Arc;

use crate::engine::path::Hint;
use crate::engine::prepare::block::BlockStep;
use crate::engine::prepare::transparent::Transparent;

/// A path as found by an engine.
#[derive(Debug, Default)]
pub struct Way {
    pub steps: Vec<BlockStep>,
    /// Values before each step, from an execution along the steps; or empty.
    pub hints: Vec<Hint>,
    /// The procedures that are stepped over, and the ways through them.
    pub over: Arc<Transparent>,
}
