//! Limits of the embedded 2QBF solver: what is tried for how long.

use crate::base::limits::limits;

limits! {
    /// None decides an answer; one that is reached hands over to the next stage, or to a longer turn.
    pub struct Limits {
        /// Simulations of 64 assignments that look for a counterexample.  Not measured elsewhere.
        simulations: usize = 16, 0..=1 << 20, "simulations";
        /// Pairs of terms that one matching compares.  Not measured elsewhere.
        matched_pairs: usize = 200_000, 0..=1 << 40, "pairs";
        /// Answers that are sought along some of the hints before hints are given up.  Not measured elsewhere.
        hinted_calls: u32 = 4, 0..=1 << 20, "SAT calls";
        /// Refinements of a search in its first turn; half as many more in each next one.  Not measured elsewhere.
        turn_iterations: u32 = 12, 1..=1 << 30, "refinements";
        /// Conflicts of each SAT call in the first turn; twice as many in each next one.  Not measured elsewhere.
        turn_conflicts: u32 = 500, 1..=1 << 30, "conflicts";
        /// Nodes that refinements may add in the first turn; half as many more in each next one.  Not measured
        /// elsewhere.
        turn_nodes: usize = 2_000, 1..=1 << 40, "graph nodes";
        /// Turns before existentials are expanded.  Not measured elsewhere.
        expansion_turn: u32 = 3, 0..=1 << 20, "turns";
        /// Nodes that the expansion of one existential may add, beside a fifth of what it replaces.  Not measured
        /// elsewhere.
        expansion_step: usize = 50, 0..=1 << 40, "graph nodes";
        /// Nodes that all expansions together may add, beside the size at the start.  Not measured elsewhere.
        expansion_total: usize = 500, 0..=1 << 40, "graph nodes";
        /// Nodes that all expansions together may look at.  Not measured elsewhere.
        expansion_work: usize = 200_000, 0..=1 << 40, "graph nodes";
    }
}
