//! Goals that an exploration no longer seeks.

use rustc_hash::FxHashSet;

use hardbop_cfa::Location;

/// The goals that are closed, because paths to them decide nothing.
#[derive(Debug, Default)]
pub struct ClosedGoals {
    all: FxHashSet<Location>,
    deep: Vec<Location>,
}

impl ClosedGoals {
    /// Closes a goal that decides nothing.
    pub fn close(&mut self, goal: Location) {
        self.all.insert(goal);
    }

    /// Closes a goal that is a call that goes too deep.
    pub fn close_as_too_deep(&mut self, goal: Location) {
        self.deep.push(goal);
        self.close(goal);
    }

    /// The calls that go too deep, in the order in which they were reached.
    pub fn too_deep(&self) -> &[Location] {
        &self.deep
    }

    /// Is the goal closed?
    pub fn contains(&self, goal: Location) -> bool {
        self.all.contains(&goal)
    }
}
