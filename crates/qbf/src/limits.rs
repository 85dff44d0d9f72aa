//! Limits of the embedded 2QBF solver: how long each method is tried.

use hardbop_base::limits;

limits! {
    /// None decides an answer: when one is reached, the next stage or a longer turn follows.
    pub struct Limits {
        /// Simulations of 64 assignments that look for a counterexample.  Other values were not measured.
        simulations: usize = 16, 0..=1 << 20, "simulations";
        /// Pairs of terms compared in one matching.  Other values were not measured.
        matched_pairs: usize = 200_000, 0..=1 << 40, "pairs";
        /// SAT calls for answers that follow some of the hints, before hints are abandoned.  Other values were not
        /// measured.
        hinted_calls: u32 = 4, 0..=1 << 20, "SAT calls";
        /// Refinements of a search in its first turn; each further turn has half as many more.  Other values were not
        /// measured.
        turn_iterations: u32 = 12, 1..=1 << 30, "refinements";
        /// Conflicts of each SAT call in the first turn; twice as many in each further turn.  Other values were not
        /// measured.
        turn_conflicts: u32 = 500, 1..=1 << 30, "conflicts";
        /// Nodes that refinements may add in the first turn; each further turn allows half as many more.  Other values
        /// were not measured.
        turn_nodes: usize = 2_000, 1..=1 << 40, "graph nodes";
        /// Turns before existentials are expanded.  Other values were not measured.
        expansion_turn: u32 = 3, 0..=1 << 20, "turns";
        /// Nodes that the expansion of one existential may add, in addition to a fifth of those that it replaces.
        /// Other values were not measured.
        expansion_step: usize = 50, 0..=1 << 40, "graph nodes";
        /// Nodes that all expansions together may add, in addition to the size at the start.  Other values were not
        /// measured.
        expansion_total: usize = 500, 0..=1 << 40, "graph nodes";
        /// Nodes that all expansions together may visit.  Other values were not measured.
        expansion_work: usize = 200_000, 0..=1 << 40, "graph nodes";
    }
}
