//! Limits of the automaton of a whole program.  None decides a verdict: a deeper call becomes a
//! goal of its own, a larger automaton is UNKNOWN.

use hardbop_base::limits;

limits! {
    /// All limits, by topic.
    pub struct Limits {
        /// Calls that become the called automaton.
        expansion: Expansion;
        /// Variables that are constants.
        constants: Constants;
    }
}

limits! {
    /// Calls that become the called automaton.
    pub struct Expansion {
        /// Activations of one function that may be on the stack at once, at first.  Other values
        /// were not measured.
        recursion: u32 = 4, 1..=100_000, "activations";
        /// Edges of the automaton: with more, the program is too large.  Other values were not
        /// measured.
        edges: usize = 2_000_000, 1..=1 << 40, "edges";
    }
}

limits! {
    /// Variables that are constants.
    pub struct Constants {
        /// Assignments of a variable, beyond which it is not a candidate.  Other values were not
        /// measured.
        assignments: usize = 4, 0..=1 << 20, "assignments";
        /// Rounds; each needs another condition that became false.  Other values were not measured.
        rounds: u32 = 8, 0..=1 << 20, "rounds";
    }
}
