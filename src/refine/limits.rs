//! Limits of abstraction and refinement: none decides a verdict; what is reached hands over to another way.

use crate::base::limits::limits;

limits! {
    /// All of them, by what they are about.
    pub struct Limits {
        /// Predicates selected from the program text.
        selection: Selection;
        /// Enumeration of states before anything is abstracted.
        enumeration: Enumeration;
        /// Boolean programs.
        boolean: Boolean;
    }
}

limits! {
    /// Selection of predicates from the program text.
    pub struct Selection {
        /// Solver calls that make a core smaller.  Not measured elsewhere.
        reductions: usize = 200, 0..=1 << 30, "solver calls";
        /// Candidates from which a core is made smaller by a solver of its own: so many burden the solver even where
        /// they are not used.  Not measured elsewhere.
        many_candidates: usize = 200, 0..=1 << 30, "candidates";
        /// Conflicts after which a set of candidates is given up.  Not measured elsewhere.
        conflicts: u32 = 50_000, 1..=1 << 30, "conflicts";
        /// Conflicts after which a guard stays in the core.  Not measured elsewhere.
        few_conflicts: u32 = 500, 1..=1 << 30, "conflicts";
        /// Variables at a location whose relations are candidates.  With 4, the 11 of 34 programs of the C benchmarks
        /// that were decided with each setting take the same refinements.
        related: usize = 8, 0..=1_000, "variables";
        /// A variable that has so many predicates at a place is part of the state of a machine: there all predicates of
        /// the core are taken that speak of it alone, since the next paths would need them.  Made for state machines;
        /// of the C benchmarks' others, 11 programs take the same refinements with 2, 1 and without end.
        states: usize = 2, 0..=1 << 30, "predicates";
        /// Constants of a class of variables, beyond which they are left to the variables that meet them directly.
        /// Not measured elsewhere.
        constants: usize = 96, 0..=1 << 30, "constants";
    }
}

limits! {
    /// Enumeration of the states of programs that have few.
    pub struct Enumeration {
        /// Work that it may take.  Not measured elsewhere.
        work: u64 = 20_000, 0..=1 << 40, "units of work";
        /// Conflicts of a solver call: what is hard for states is left to predicates.  Not measured elsewhere.
        conflicts: u32 = 1_000, 1..=1 << 30, "conflicts";
        /// Programs with more blocks are not tried: each has a solver.  Not measured elsewhere.
        blocks: usize = 2_000, 0..=1 << 30, "blocks";
    }
}

limits! {
    /// Boolean programs under refinement.
    pub struct Boolean {
        /// Work that BDDs of a whole Boolean program may take before the engine that was asked for has its turn.  Not
        /// measured elsewhere.
        whole_work: u64 = 200_000, 0..=1 << 40, "units of work";
    }
}
