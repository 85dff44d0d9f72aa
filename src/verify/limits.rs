//! Limits of the choice between routes.

use crate::base::limits::limits;

limits! {
    /// How long one route may take where there is another one.
    pub struct RouteLimits {
        /// Work of the tree's first look into a program with recursion; it refines nothing then.  Not measured
        /// elsewhere.
        tree_work: u64 = 400_000, 0..=1 << 40, "units of work";
        /// Calls of one function that may be open at once in that look.  Not measured elsewhere.
        shallow_calls: u32 = 8, 1..=1_000, "calls";
        /// Work of Boolean programs where the tree is another way.  Not measured elsewhere.
        boolean_work: u64 = 4_000_000, 0..=1 << 40, "units of work";
    }
}
