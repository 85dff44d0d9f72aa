//! Limits of the choice between routes.

use hardbop_base::limits;

limits! {
    /// How long one route may take where there is another one.
    pub struct RouteLimits {
        /// The part of the memory that is left under `--memory-limit` which a way to a verdict may
        /// take where others follow: each attempt, each route, each model of memory.  Other values
        /// were not measured.
        memory: u64 = 80, 1..=100, "per cent";
        /// Work of a run from which on a later one begins with what it has learned.  With 5,000,
        /// which two drivers of ntdrivers-simplified take, floppy_simpl3 takes 0.28 s instead of
        /// 0.24 s; programs of ssh-simplified take 90,000 and more.
        cold_work: u64 = 20_000, 0..=1 << 40, "units of work";
        /// Work that the other route of a race may still do, beside as much as the one has done
        /// that answered.  Other values were not measured.
        grace: u64 = 25, 0..=10_000, "per cent";
        /// Calls of one function that may be open at once, at most, where recursion is followed
        /// deeper.  Other values were not measured.
        deepest_calls: u32 = 64, 1..=100_000, "calls";
        /// Size of an automaton that follows recursion deeper than the first one.  Other values
        /// were not measured.
        deeper_edges: usize = 8_000, 0..=1 << 30, "edges";
        /// Work of the search for an execution that follows a witness to the letter.  Other values
        /// were not measured.
        strict_work: u64 = 4_000_000, 0..=1 << 40, "units of work";
        /// Length of an execution that is tried before anything is proved.  Other values were not
        /// measured.
        execution_steps: u64 = 20_000, 0..=1 << 40, "steps";
        /// Average length of these executions, beyond which no more are tried.  Other values were
        /// not measured.
        average_execution_steps: u64 = 2_000, 0..=1 << 40, "steps";
        /// Length of an execution where nothing comes from outside, so that there is only one
        /// execution: about two seconds.  Measured on loops and recursion over constants (`fib`,
        /// sorting, checksums); 1,000,000 is too few for the first.
        only_execution_steps: u64 = 20_000_000, 0..=1 << 40, "steps";
        /// Length of all executions together that stand for all values of the inputs.  Other values
        /// were not measured.
        steps_of_all_ways: u64 = 200_000, 0..=1 << 40, "steps";
        /// Questions of symbolic execution to the solver: which ways inputs may lead, and which values an index or a size
        /// may have.  Sorting any five numbers asks 4,400.
        questions: u32 = 20_000, 0..=1 << 30, "queries";
    }
}
