//! Limits of the engines: how much is tried, and how large something may get, before something else is done.
//!
//! None of them decides a verdict.  One that is reached costs time: a cheaper way was given up, and another one,
//! or the whole search, takes its place.

use crate::base::limits::limits;
use crate::solve::qbf;

limits! {
    /// All of them, by stage.
    pub struct Limits {
        /// Bounded searches.
        bounded: Bounded;
        /// What `auto` tries.
        trial: Trial;
        /// Races of engines.
        race: Race;
        /// Preparation of a program.
        prepare: Prepare;
        /// Clausal invariants.
        clausal: Clausal;
        /// BDD summaries.
        bdd: Bdd;
        /// Orders of BDD variables.
        order: Order;
        /// Satisfiability queries of searches.
        queries: Queries;
        /// Reparameterisation of symbolic states.
        states: States;
        /// Universal summaries.
        universal: Universal;
        /// Invariants as evidence for SAFE.
        evidence: Evidence;
        /// The embedded 2QBF solver.
        two_qbf: qbf::Limits;
    }
}

limits! {
    /// Bounded searches: with all variables, but few path edges at each node.
    pub struct Bounded {
        /// Path edges that a node accepts in the quick search before everything else.  Not measured elsewhere.
        quick_edges: u32 = 2, 1..=1_000_000, "path edges";
        /// Graph at which the quick search gives up: cheap, since a trial with BDDs may be cheaper than the next.
        /// Not measured elsewhere.
        quick_nodes: usize = 20_000, 0..=1 << 40, "graph nodes";
        /// Conflicts of one SAT call of the quick search.  Not measured elsewhere.
        quick_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
        /// Path edges that a node accepts in a goal's first search; one more in each that follows.  Not measured
        /// elsewhere.
        first_edges: u32 = 2, 1..=1_000_000, "path edges";
        /// Graph at which a goal's bounded searches give up.  Not measured elsewhere.
        first_nodes: usize = 400_000, 0..=1 << 40, "graph nodes";
        /// Conflicts of one SAT call of these searches.  Not measured elsewhere.
        first_conflicts: u32 = 20_000, 1..=1 << 30, "conflicts";
        /// Round of a goal before which there is a bounded search; the next one comes when rounds have doubled.
        /// Not measured elsewhere.
        first_round: u32 = 16, 1..=1_000_000, "rounds of localization";
        /// Graph of the quick search up to which deeper ones follow at once: they find errors behind long loops.
        /// Not measured elsewhere.
        small_nodes: u64 = 5_000, 0..=1 << 40, "graph nodes";
        /// Path edges that a node accepts in the first deep search; each next one accepts the square of that.  Not
        /// measured elsewhere.
        deep_edges: u32 = 4, 2..=65_536, "path edges";
        /// The deepest search accepts no more.  Not measured elsewhere.
        deepest_edges: u32 = 256, 2..=1 << 30, "path edges";
        /// Graph at which a deep search gives up.  Not measured elsewhere.
        deep_nodes: usize = 100_000, 0..=1 << 40, "graph nodes";
        /// SAT calls that all deep searches may make together.  Not measured elsewhere.
        deep_calls: u32 = 16, 0..=1 << 30, "SAT calls";
        /// Conflicts of one SAT call of a deep search.  Not measured elsewhere.
        deep_conflicts: u32 = 1_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// What `auto` tries before localization, and in each of its searches.
    pub struct Trial {
        /// Work of BDDs, then of universal summaries.  Not measured elsewhere.
        work: u64 = 300_000, 0..=1 << 40, "units of work";
        /// Variables up to which BDDs may do more, in larger tables: they are mostly the best choice there.  Not
        /// measured elsewhere.
        few_variables: usize = 40, 0..=1 << 30, "variables";
        /// Work of BDDs with so few variables.  Not measured elsewhere.
        long_work: u64 = 2_000_000, 0..=1 << 40, "units of work";
        /// Variables from which there is no trial of BDDs: the relation that nothing changes is itself a large
        /// BDD, and to order them takes longer than a search by SAT.  Not measured elsewhere.
        many_variables: usize = 1_000, 0..=1 << 30, "variables";
    }
}

limits! {
    /// Races of engines, counted in work.
    pub struct Race {
        /// Work that others may still do once somebody has answered, beside as much as that one did.  Not measured
        /// elsewhere.
        grace: u64 = 25, 0..=10_000, "per cent";
    }
}

limits! {
    /// Preparation of a program.
    pub struct Prepare {
        /// Longest path through a procedure that is stepped over; it would be part of counterexamples.  Not
        /// measured elsewhere.
        transparent_steps: usize = 2_000, 0..=1 << 30, "steps";
    }
}

limits! {
    /// Clausal invariants: which clauses are tried, and how hard.
    pub struct Clausal {
        /// Variables that a procedure mentions, beyond which it is given pairs from single statements only.  Not
        /// measured elsewhere.
        direct_variables: usize = 72, 0..=100_000, "variables";
        /// Globals up to which a callee is seen as part of its callers, as the procedures of a lock.  Not measured
        /// elsewhere.
        small_callee: usize = 3, 0..=100_000, "globals";
        /// Widest clause that is taken from the text.  Not measured elsewhere.
        width: usize = 8, 0..=10_000, "literals";
        /// Most wide clauses of one procedure; what comes first is taken.  With `--engine qbf` they pay for drivers: of
        /// six generated ones, with 60 and 200 variables, five take 2 to 7 times the work without any, and one 1.8
        /// times.  For 7 other families and 37 random programs they change no more than 6 units.
        wide_clauses: usize = 4_000, 0..=1 << 30, "clauses";
        /// Most pairs of variables of one procedure; what comes first is taken.  With `--engine qbf` generated drivers
        /// of 60 and 200 variables and a random program never come to it; without pairs the larger driver takes 303,077
        /// units of work for 9,748, but the random program, r11-1, 3,305 for 3,829.
        pairs: usize = 14_000, 0..=1 << 30, "pairs";
        /// Rounds of 64 random steps before the solver is asked.  Not measured elsewhere.
        sample_rounds: usize = 24, 0..=1 << 20, "rounds";
        /// Rounds in vain after which it is asked at once.  Not measured elsewhere.
        idle_rounds: usize = 3, 1..=1 << 20, "rounds";
    }
}

limits! {
    /// BDD summaries: partitioned relations.
    pub struct Bdd {
        /// Parts of a relation are joined up to so many nodes.  Not measured elsewhere.
        part_nodes: usize = 2_000, 0..=1 << 40, "BDD nodes";
        /// And up to so many where that gets rid of a choice.  Not measured elsewhere.
        elimination_nodes: usize = 20_000, 0..=1 << 40, "BDD nodes";
        /// Moves of items by FORCE.  Not measured elsewhere.
        order_moves: usize = 4_000_000, 0..=1 << 40, "moves";
    }
}

limits! {
    /// FORCE, wherever variables are ordered.
    pub struct Order {
        /// Rounds without a better order before it ends.  Not measured elsewhere.
        patience: usize = 8, 0..=1 << 30, "rounds";
        /// Rounds at most.  Not measured elsewhere.
        rounds: usize = 200, 0..=1 << 30, "rounds";
    }
}

limits! {
    /// Satisfiability queries of searches.
    pub struct Queries {
        /// Formulas up to this size are simulated and then given a SAT solver of their own; the incremental one
        /// would have to assign everything that it has ever seen.  Not measured elsewhere.
        small_nodes: usize = 4_000, 0..=1 << 40, "graph nodes";
        /// Inputs up to which a formula is simulated completely.  Not measured elsewhere.
        few_inputs: usize = 12, 0..=24, "inputs";
        /// Simulations of 64 assignments before the solver is asked.  Not measured elsewhere.
        words: usize = 4, 0..=1 << 20, "simulations";
    }
}

limits! {
    /// Reparameterisation of symbolic states: as a list, as a truth table, as a choice of functions.
    pub struct States {
        /// Smaller states are left alone.  Not measured elsewhere.
        small_nodes: usize = 24, 0..=1 << 40, "graph nodes";
        /// Longest list of members.  Not measured elsewhere.
        members: usize = 1024, 0..=1 << 20, "members";
        /// SAT calls per list: beyond this, simulation misses too much.  Not measured elsewhere.
        list_calls: usize = 48, 0..=1 << 20, "SAT calls";
        /// Most entry values and outputs of a truth table, which is exponential in them.  Not measured elsewhere.
        table_bits: usize = 18, 0..=24, "bits";
        /// Rounds of 64 random members that may find nothing new.  Not measured elsewhere.
        table_idle: usize = 32, 0..=1 << 20, "rounds";
        /// Gates that are evaluated for one table, 64 times each.  Not measured elsewhere.
        table_gates: usize = 100_000_000, 0..=1 << 40, "gates";
        /// SAT calls per table.  Not measured elsewhere.
        table_calls: usize = 200, 0..=1 << 20, "SAT calls";
        /// Conflicts of each.  Not measured elsewhere.
        table_conflicts: u32 = 5_000, 1..=1 << 30, "conflicts";
        /// Most functions of the entry values that cover a relation.  Not measured elsewhere.
        functions: usize = 96, 0..=1 << 20, "functions";
        /// Conflicts of each SAT call that looks for one.  Not measured elsewhere.
        function_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// Universal summaries.
    pub struct Universal {
        /// Size of a path edge under `auto`: a summary for all contexts may get large for the sake of contexts that
        /// do not occur; a small one is always worth it.  Not measured elsewhere.
        auto_nodes: usize = 300, 0..=1 << 40, "graph nodes";
        /// Conflicts that a question by Eq. 9 may take: that states are all different is easy to ask and hard to
        /// refute.  Not measured elsewhere.
        recurrence_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
        /// Unrollings after which Eq. 8 is asked for the first time; then whenever they have doubled.  Not measured
        /// elsewhere.
        first_fixpoint: usize = 4, 1..=1 << 20, "unrollings";
    }
}

limits! {
    /// Evidence: how far choices are eliminated from invariants.
    pub struct Evidence {
        /// Rounds in which choices are replaced by what the guard says that they are.  Not measured elsewhere.
        substitutions: usize = 16, 0..=1 << 20, "rounds";
        /// Variables beyond which choices stay: what has more is rarely small without them.  Not measured
        /// elsewhere.
        variables: usize = 4_000, 0..=100_000, "variables";
        /// Moves of items by FORCE.  Not measured elsewhere.
        order_moves: usize = 50_000, 0..=1 << 40, "moves";
        /// Failures after which the smallest table is not tried any more where choices may stay.  Not measured
        /// elsewhere.
        sketches: u32 = 64, 0..=1 << 30, "failures";
        /// The same for a small table with the better order.  Not measured elsewhere.
        small_tables: u32 = 4, 0..=1 << 30, "failures";
        /// Cubes that are enumerated before a large table is tried.  Not measured elsewhere.
        cubes: usize = 200, 0..=1 << 30, "cubes";
    }
}
