//! Limits of the engines: how much effort is spent, and how large things may get, before something
//! else is tried.
//!
//! None of them decides a verdict.  Reaching a limit costs time: a cheaper method is given up, and
//! another one, or the whole search, takes its place.

use hardbop_base::limits;
use hardbop_qbf as qbf;

limits! {
    /// All limits, by stage.
    pub struct Limits {
        /// Bounded searches.
        bounded: Bounded;
        /// Races of engines.
        race: Race;
        /// Preparation of a program.
        prepare: Prepare;
        /// Clausal invariants.
        clausal: Clausal;
        /// Property-directed reachability.
        directed: Directed;
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
        /// Path edges that a node accepts in the quick search, which comes first.  Other values
        /// were not measured.
        quick_edges: u32 = 2, 1..=1_000_000, "path edges";
        /// Graph size at which the quick search gives up: it must be cheap, since a trial with BDDs
        /// may be cheaper than the next search.  Other values were not measured.
        quick_nodes: usize = 20_000, 0..=1 << 40, "graph nodes";
        /// Conflicts of one SAT call of the quick search.  Other values were not measured.
        quick_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
        /// Room in tables after which no more diagrams are made of queries that this is not enough
        /// for.  With none, single-error correction of 32 bits takes more than 10 s instead of 0.1;
        /// with it, parities of 64 bits take 0.14 s instead of 0.06.
        quick_diagrams: usize = 1 << 18, 0..=1 << 40, "nodes";
        /// Path edges that a node accepts in a goal's first search; each later search accepts one
        /// more.  Other values were not measured.
        first_edges: u32 = 2, 1..=1_000_000, "path edges";
        /// Graph size at which a goal's bounded searches give up.  Other values were not measured.
        first_nodes: usize = 400_000, 0..=1 << 40, "graph nodes";
        /// Conflicts of one SAT call of a goal's bounded search.  Other values were not measured.
        first_conflicts: u32 = 20_000, 1..=1 << 30, "conflicts";
        /// Rounds of a goal before it is another one's turn.  On the driver with 10,000 variables
        /// most goals take fewer; with 1, each open goal keeps the graph of the whole program.
        turn: u32 = 8, 1..=1 << 30, "rounds of localization";
        /// Round of a goal before which the first bounded search comes; the next ones come whenever
        /// rounds have more than doubled.  Other values were not measured.
        first_round: u32 = 16, 1..=1_000_000, "rounds of localization";
        /// Graph size of the quick search up to which deeper ones follow at once: they find errors
        /// behind long loops. Other values were not measured.
        small_nodes: u64 = 5_000, 0..=1 << 40, "graph nodes";
        /// Path edges that a node accepts in the first deep search; each later search accepts the
        /// square of the last number.  Other values were not measured.
        deep_edges: u32 = 4, 2..=65_536, "path edges";
        /// Path edges that a node accepts in the deepest search.  Other values were not measured.
        deepest_edges: u32 = 256, 2..=1 << 30, "path edges";
        /// Graph size at which a deep search gives up.  Other values were not measured.
        deep_nodes: usize = 100_000, 0..=1 << 40, "graph nodes";
        /// SAT calls of all deep searches together.  Other values were not measured.
        deep_calls: u32 = 16, 0..=1 << 30, "SAT calls";
        /// Conflicts of one SAT call of a deep search.  Other values were not measured.
        deep_conflicts: u32 = 1_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// Property-directed reachability.
    pub struct Directed {
        /// Nodes that composing rules may add to the graph for each that it has ...  Other values
        /// were not measured.
        growth: usize = 4, 0..=1 << 20, "nodes per node";
        /// ... and however small it is.  Other values were not measured.
        nodes: usize = 10_000, 0..=1 << 30, "nodes";
        /// Equations that hold at each place are looked for as long as the squares of the places'
        /// numbers of values add up to no more.  Other values were not measured.
        hulls: usize = 4_000_000, 0..=1 << 40, "bits";
        /// Work on these equations.  Other values were not measured.
        equations: u64 = 3_000, 0..=1 << 40, "units of work";
        /// Work on a search before it is asked which gates correspond.  Other values were not
        /// measured.
        brief: u64 = 1_000, 0..=1 << 40, "units of work";
        /// Gates of which that is asked.  Generated queues of 4 to 16 bits take as long with 600;
        /// without any, one of 12 bits is not decided in 10 s, with them in 0.4 s.
        signals: usize = 2_000, 0..=1 << 30, "gates";
        /// States that are explored one by one in any case.  Other values were not measured.
        states: usize = 10_000, 0..=1 << 30, "states";
        /// More are explored while they are no more than so many for each step on the way to the
        /// newest ...  Counters, and procedures that call themselves, have up to 3.  Other values
        /// were not measured.
        width: usize = 16, 0..=1 << 30, "states for each step";
        /// ... have no more than so many values in all, of about four bytes each ...  Other values
        /// were not measured.
        values: u64 = 50_000_000, 0..=1 << 40, "values";
        /// ... and take no more than so many evaluations of gates.  Counters of 14 bits take 2 to 4
        /// million.
        gates: u64 = 1 << 28, 0..=1 << 40, "gates";
        /// Conflicts of a SAT call about equations; the longest one is dropped then.  Other values
        /// were not measured.
        hard: u32 = 2_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// Races of engines, counted in work.
    pub struct Race {
        /// Extra work that the others may do once one engine has answered, relative to the work of
        /// that one.  Other values were not measured.
        grace: u64 = 25, 0..=10_000, "per cent";
    }
}

limits! {
    /// Preparation of a program.
    pub struct Prepare {
        /// Longest path through a procedure that is stepped over; it would be part of
        /// counterexamples.  Other values were not measured.
        transparent_steps: usize = 2_000, 0..=1 << 30, "steps";
        /// Conflicts of a query that makes a refutation of a path smaller; beyond, the refutation
        /// is taken as it is.  With `--engine bdd`, counters of 10 bits took 95% of their time
        /// there without a limit.
        core_conflicts: u32 = 1_000, 0..=1 << 30, "conflicts";
        /// Variables that are found to be necessary for a refutation, one by one, before it is
        /// taken as it is.  With any number, a chain of 400 calls takes 10 s, with 64 and with 256
        /// 4 s.
        core_variables: usize = 64, 1..=1 << 30, "variables";
    }
}

limits! {
    /// Clausal invariants: which clauses are tried, and how hard.
    pub struct Clausal {
        /// Variables that a procedure mentions; with more, only pairs from single statements are
        /// tried.  Other values were not measured.
        direct_variables: usize = 72, 0..=100_000, "variables";
        /// Globals up to which a callee counts as part of its callers, like the procedures of a
        /// lock.  Other values were not measured.
        small_callee: usize = 3, 0..=100_000, "globals";
        /// Widest clause taken from the text.  Other values were not measured.
        width: usize = 8, 0..=10_000, "literals";
        /// Wide clauses of one procedure; beyond the limit, what comes first is kept.  With
        /// `--engine qbf` they pay for drivers: of six generated ones, with 60 and 200 variables,
        /// five take 2 to 7 times the work without any, and one 1.8 times.  For 7 other families
        /// and 37 random programs they change no more than 6 units.
        wide_clauses: usize = 4_000, 0..=1 << 30, "clauses";
        /// Pairs of variables of one procedure; beyond the limit, what comes first is kept.  With
        /// `--engine qbf`, generated drivers of 60 and 200 variables and a random program never
        /// reach it; without pairs the larger driver takes 303,077 units of work instead of 9,748,
        /// but the random program, r11-1, 3,305 instead of 3,829.
        pairs: usize = 14_000, 0..=1 << 30, "pairs";
        /// Rounds of 64 random steps before the solver is asked.  Other values were not measured.
        sample_rounds: usize = 24, 0..=1 << 20, "rounds";
        /// Rounds without effect after which the solver is asked at once.  Other values were not
        /// measured.
        idle_rounds: usize = 3, 1..=1 << 20, "rounds";
        /// A step is evaluated for all values of the inputs that have a bearing on it if that takes
        /// no more evaluations of gates and literals, for 64 assignments each; else a solver is
        /// made.  Drivers of 1,000 and 2,000 variables take 7 to 12% less time than without, and 3%
        /// less than with ten times as many; `lock-discipline` and `slam-regression` take as long,
        /// `modules` 5% longer.
        evaluations: usize = 20_000, 0..=1 << 40, "evaluations";
    }
}

limits! {
    /// BDD summaries: partitioned relations.
    pub struct Bdd {
        /// BDD size up to which parts of a relation are joined.  Other values were not measured.
        part_nodes: usize = 2_000, 0..=1 << 40, "BDD nodes";
        /// Size up to which parts are joined if that eliminates a choice.  Other values were not
        /// measured.
        elimination_nodes: usize = 20_000, 0..=1 << 40, "BDD nodes";
        /// Moves of items by FORCE.  Other values were not measured.
        order_moves: usize = 4_000_000, 0..=1 << 40, "moves";
    }
}

limits! {
    /// FORCE, wherever variables are ordered.
    pub struct Order {
        /// Rounds without a better order before FORCE ends.  Other values were not measured.
        patience: usize = 8, 0..=1 << 30, "rounds";
        /// Most rounds of FORCE.  Other values were not measured.
        rounds: usize = 200, 0..=1 << 30, "rounds";
    }
}

limits! {
    /// Satisfiability queries of searches.
    pub struct Queries {
        /// Formulas up to this size are simulated and then given a SAT solver of their own; the
        /// incremental one would have to assign everything it has ever seen.  Other values were not
        /// measured.
        small_nodes: usize = 4_000, 0..=1 << 40, "graph nodes";
        /// Inputs up to which a formula is simulated completely.  Other values were not measured.
        few_inputs: usize = 12, 0..=24, "inputs";
        /// Conflicts after which a formula with few inputs is simulated completely ...  Other
        /// values were not measured.
        conflicts: u32 = 5_000, 0..=1 << 30, "conflicts";
        /// ... if that takes no more evaluations of gates, for 64 assignments each: a tenth of a
        /// second.  With it, two products of 10 bits are compared in 0.1 s, without it not in 10 s;
        /// a limit four times as large compares 12 bits in 0.6 s, but then some members of `parity`
        /// take 0.4 s instead of 0.05.
        gates: u64 = 1 << 27, 0..=1 << 40, "gates";
        /// Room in tables after which no more diagrams are made of other formulas for which that
        /// many conflicts are not enough.  With none, products of 12 bits are not compared in 10 s;
        /// with it, in 0.3 s.
        diagrams: usize = 1 << 20, 0..=1 << 40, "nodes";
        /// Simulations of 64 assignments before the solver is asked.  Other values were not
        /// measured.
        words: usize = 4, 0..=1 << 20, "simulations";
    }
}

limits! {
    /// Reparameterisation of symbolic states: as a list, as a truth table, as a choice of
    /// functions.
    pub struct States {
        /// Smaller states are left alone.  Other values were not measured.
        small_nodes: usize = 24, 0..=1 << 40, "graph nodes";
        /// Longest list of members.  Other values were not measured.
        members: usize = 1024, 0..=1 << 20, "members";
        /// SAT calls per list: beyond this, simulation misses too much.  Other values were not
        /// measured.
        list_calls: usize = 48, 0..=1 << 20, "SAT calls";
        /// Entry values and outputs of a truth table, which is exponential in them.  Other values
        /// were not measured.
        table_bits: usize = 18, 0..=24, "bits";
        /// Rounds of 64 random members that may find nothing new.  Other values were not measured.
        table_idle: usize = 32, 0..=1 << 20, "rounds";
        /// Gates evaluated for one table, 64 times each.  Other values were not measured.
        table_gates: usize = 100_000_000, 0..=1 << 40, "gates";
        /// SAT calls per table.  Other values were not measured.
        table_calls: usize = 200, 0..=1 << 20, "SAT calls";
        /// Conflicts of each SAT call for a table.  Other values were not measured.
        table_conflicts: u32 = 5_000, 1..=1 << 30, "conflicts";
        /// Most functions of the entry values that cover a relation.  Other values were not
        /// measured.
        functions: usize = 96, 0..=1 << 20, "functions";
        /// Conflicts of each SAT call for a function.  Other values were not measured.
        function_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// Universal summaries.
    pub struct Universal {
        /// Conflicts of a query by Eq. 9: that all states differ is easy to ask and hard to
        /// refute.  Other values were not measured.
        recurrence_conflicts: u32 = 2_000, 1..=1 << 30, "conflicts";
        /// Unrollings after which Eq. 8 is first asked; then again whenever they have
        /// doubled.  Other values were not measured.
        first_fixpoint: usize = 4, 1..=1 << 20, "unrollings";
    }
}

limits! {
    /// Evidence: how far choices are eliminated from invariants.
    pub struct Evidence {
        /// Rounds of replacing choices that the guard determines.  Other values were not measured.
        substitutions: usize = 16, 0..=1 << 20, "rounds";
        /// Variables beyond which choices stay: a part with more is rarely small without
        /// them.  Other values were not measured.
        variables: usize = 4_000, 0..=100_000, "variables";
        /// Moves of items by FORCE.  Other values were not measured.
        order_moves: usize = 50_000, 0..=1 << 40, "moves";
        /// Failures after which the smallest table is no longer tried for parts whose choices may
        /// stay.  Other values were not measured.
        sketches: u32 = 64, 0..=1 << 30, "failures";
        /// Failures after which a small table with the better order is no longer tried
        /// either.  Other values were not measured.
        small_tables: u32 = 4, 0..=1 << 30, "failures";
        /// Cubes enumerated before a large table is tried.  Other values were not measured.
        cubes: usize = 200, 0..=1 << 30, "cubes";
    }
}
