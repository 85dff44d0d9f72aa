//! Limits of the choice between routes.

use hardbop_base::limits;

limits! {
    /// How long one route may take where there is another one.
    pub struct RouteLimits {
        /// The part of the memory that is left under `--memory-limit` which a way to a verdict may
        /// take where others follow: each attempt, each route, each model of memory.  Other values
        /// were not measured.
        memory: u64 = 80, 1..=100, "per cent";
        /// Work of the tree with a program that has recursion, before Boolean programs take over:
        /// its units take long there.  Of 35 recursive functions over numbers and small trees those
        /// that it decides take up to 1,200; the greatest common divisor, which it does not, takes
        /// 2.8 s with 2,000 and 4.2 s with 3,000.
        look_work: u64 = 2_000, 0..=1 << 40, "units of work";
        /// Size of an automaton that follows recursion deeper in that work.  Where functions call
        /// themselves twice, 2,000 takes twice the time of 600, and decides no more of these 35 and
        /// of 16 that keep a mode or a count.
        look_edges: usize = 600, 0..=1 << 30, "edges";
        /// Edges that the exploration of values passes in that work; 20,000 and 200,000 decide the
        /// same of them, 0 three fewer.
        look_steps: u64 = 200_000, 0..=1 << 40, "edges";
        /// Work of the tree with the objects of a C program of which there is one at a time, where
        /// others stand for many and one cell of each can be tracked instead.  With 400,000, copies
        /// and maxima of arrays of 100,000 elements take more than 10 s instead of 3 s; of the 111
        /// programs of locks, loops, ntdrivers and ssh none takes longer with either.
        region_work: u64 = 100_000, 0..=1 << 40, "units of work";
        /// Refinements in that work: the programs of arrays and lists above take up to 47 where
        /// they end in nothing.
        region_refinements: u64 = 12, 0..=1 << 40, "refinements";
        /// Work with one cell of each of these.  Other values were not measured.
        cell_work: u64 = 100_000, 0..=1 << 40, "units of work";
        /// Refinements in that work; those that are proved took 3 to 11.
        cell_refinements: u64 = 30, 0..=1 << 40, "refinements";
        /// Work of Boolean programs where the tree is another way.  Other values were not measured.
        boolean_work: u64 = 4_000_000, 0..=1 << 40, "units of work";
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
    }
}
