//! Limits of abstraction and refinement.  None decides a verdict: when one is reached, another
//! method takes over.

use hardbop_base::limits;

limits! {
    /// All limits, by topic.
    pub struct Limits {
        /// Predicates selected from the program text.
        selection: Selection;
        /// Affine relations between variables.
        affine: Affine;
        /// The value analysis before anything is abstracted.
        values: Values;
        /// Bounded unrolling before anything is abstracted.
        unrolling: Unrolling;
        /// Enumeration of states before anything is abstracted.
        enumeration: Enumeration;
        /// Boolean abstraction of successors.
        abstraction: Abstraction;
        /// Interpolation.
        interpolation: Interpolation;
        /// Invariants from candidates.
        houdini: Houdini;
        /// The check of the tree's invariant.
        invariant: Invariant;
        /// Boolean programs.
        boolean: Boolean;
        /// Transition relations of Boolean programs.
        relation: Relation;
    }
}

limits! {
    /// Selection of predicates from the program text.
    pub struct Selection {
        /// Solver calls that reduce a core.  Other values were not measured.
        reductions: usize = 200, 0..=1 << 30, "solver calls";
        /// From so many candidates on, a core is reduced by a separate solver, since candidates
        /// burden the solver even if they are not used.  Other values were not measured.
        many_candidates: usize = 200, 0..=1 << 30, "candidates";
        /// Conflicts after which a set of candidates is given up.  Other values were not measured.
        conflicts: u32 = 50_000, 1..=1 << 30, "conflicts";
        /// Conflicts after which a guard stays in the core.  Other values were not measured.
        few_conflicts: u32 = 500, 1..=1 << 30, "conflicts";
        /// Variables at a location among which relations are candidates.  With 4, the 11 of 34
        /// programs of the C benchmarks that were decided with each setting take the same
        /// refinements.
        related: usize = 8, 0..=1_000, "variables";
        /// Relations that are added at a cut where a path is not refuted yet.  With 1, 2, 4, 8, 16,
        /// pc_sfifo_1 of sv-comp-2012 is proved in 2.0, 1.7, 2.1, 2.5, 4.1 s (with all at once, not
        /// in 30), SpamAssassin-loop of loop-invgen in 8, 9, 7, 5, 6 refinements (5 with all).
        relations: usize = 8, 1..=1_000, "relations";
        /// A variable that has so many predicates at a place is part of the state of a machine: all
        /// predicates of the core there that mention it alone are kept, since the next paths would
        /// need them.  With 2, 1 and 0, 14 of 14 programs of ssh-simplified are decided within 20
        /// s, without it 12; of ssh, 13 of 16 either way, in 67 refinements instead of 84 and
        /// 703,530 units of work instead of 736,190 (1,180,426 with 0).  It is of no use elsewhere:
        /// with predicates, 12 random event loops take the same refinements with and without it,
        /// 20,101 units of work instead of 19,206 (22,434 with 0 and 1), 4 of eca the same work, 11
        /// other C benchmarks the same refinements.
        states: usize = 2, 0..=1 << 30, "predicates";
        /// If a class of variables has more constants, each variable keeps only those that it meets
        /// directly.  Other values were not measured.
        constants: usize = 96, 0..=1 << 30, "constants";
    }
}

limits! {
    /// Inference of affine relations between variables.
    pub struct Affine {
        /// Variables, rests apart.  With 4, the same 14 of 14 counting loops are decided within 8 s
        /// as with 48 (two of loop-lit, half of loop-new, count_up_down and trex of loops, and
        /// loops written for it), with none, 9.
        variables: usize = 48, 0..=1_000, "variables";
        /// Multiplications of the whole inference; beyond, there are no relations.  With 1,000, the
        /// 14 are decided as well; with 20,000,000, parport of ntdrivers, where the inference ends
        /// at the limit, takes 0.1 s of 0.9 for nothing.
        work: u64 = 1_000_000, 0..=1 << 40, "multiplications";
        /// Values among which an assignment may choose; with more, it may assign any.  With 1 and
        /// 2, the 14 are decided in the same time.
        choices: usize = 4, 1..=1_000, "values";
        /// The largest number by which rests are tracked.  With 0, half of loop-new is not decided
        /// in 8 s; with 2 and 4, all of the 14.
        modulus: u64 = 4, 0..=1_000, "as divisor";
        /// Spaces at a location, one for each combination of rests.  With 1, half of loop-new is
        /// not decided in 8 s.
        parts: usize = 8, 1..=1_000, "spaces";
        /// Coefficients.  With 1, four of the 14 are not decided in 8 s, with 2, two.
        coefficient: u64 = 100, 1..=1 << 30, "in absolute value";
    }
}

limits! {
    /// Exploration of values and intervals.
    pub struct Values {
        /// Edges that are passed, and what is remembered of them, in all attempts together.
        steps: u64 = 20_000_000, 0..=1 << 40, "edges";
        /// The part that it may take of the memory that is left under `--memory-limit`.  Other
        /// values were not measured.
        memory: u64 = 75, 1..=100, "per cent";
        /// States of the first attempt, in which no variable is widened, unless none has many
        /// values.  With 20,000, two event-condition-action programs of 13 are no longer decided in
        /// 20 s.
        first_states: u64 = 2_000, 1..=1 << 40, "states";
        /// States of an attempt in which some are.
        states: u64 = 20_000, 1..=1 << 40, "states";
        /// States of the last attempt, again without widening.  With 50,000, a loop whose counter
        /// goes up to a number of 16 bits by two has 49,154 of them, of which the check takes 20 s;
        /// with 20,000, other ways prove it in 0.8 s.  The 10 of 414 programs of the C benchmarks
        /// and other tools' suites that have more than 10,000 are decided alike.
        last_states: u64 = 20_000, 1..=1 << 40, "states";
        /// States that may follow one at the end of a block, or be in its blocks at once: 2^n for n
        /// processes, as in token_ring (10 of them in 2 s) and test_locks (15: 0.2 s instead of
        /// 0.05 with 1,000).
        breadth: usize = 50_000, 1..=1 << 30, "states";
        /// Numbers by which it is remembered what follows from the values of some variables,
        /// whatever the others are.  With 0, token_ring.12 of sv-comp-2012 takes 11.3 s, not 4.9;
        /// 12 of eca take the same time.
        remembered: usize = 10_000_000, 0..=1 << 40, "numbers of 4 bytes";
        /// Values that a variable has to have for being widened.
        values: usize = 8, 1..=1 << 30, "values";
        /// A variable with at most so many values is divided into them where a condition or an
        /// assignment needs it.
        divided: u64 = 16, 1..=1 << 20, "values";
        /// The same in an automaton of at most `small` edges.  The greatest common divisor of two
        /// numbers below 64 needs 64, which decides as many of 414 programs as 16; the large ones
        /// of eca take up to twice the time with it.
        divided_in_small: u64 = 64, 1..=1 << 20, "values";
        /// Edges of a small automaton.  Other values were not measured.
        small: usize = 200, 0..=1 << 30, "edges";
        /// Classes of variables that are compared with at most so many constants are also widened
        /// to those that they are set to.
        constants: usize = 16, 0..=1 << 30, "constants";
    }
}

limits! {
    /// Bounded unrolling of programs whose loops have small bounds.
    pub struct Unrolling {
        /// Blocks that an execution may pass: two loops over the 32 bits of a number need 70.  With
        /// 50, of six programs that go over the bits upwards and downwards and compare none is
        /// decided in 20 s; of 34 small programs as many as with 100.
        rounds: u32 = 100, 0..=1 << 30, "blocks";
        /// New terms.  Other values were not measured.
        terms: usize = 100_000, 0..=1 << 30, "terms";
        /// Conflicts of a solver call.  Sorting five numbers needs more than 2,000.
        conflicts: u32 = 20_000, 1..=1 << 30, "conflicts";
        /// Conflicts of a solver call about an error once all loops have ended.  Counting the bits
        /// of a number upwards and downwards needs more than 60,000.
        last_conflicts: u32 = 200_000, 1..=1 << 30, "conflicts";
        /// Work of the unrolling, until all loops have ended.  Sorting five numbers and searching
        /// eight need less than 1,000; with 5,000, SpamAssassin-loop of loop-invgen takes 5.7 s,
        /// not 2.1.
        work: u64 = 1_500, 0..=1 << 40, "units of work";
    }
}

limits! {
    /// Enumeration of the states of programs that have few.
    pub struct Enumeration {
        /// The part that it may take of the memory that is left under `--memory-limit`.  Other
        /// values were not measured.
        memory: u64 = 75, 1..=100, "per cent";
        /// Work that the enumeration may take.  With 20,000, two of nine programs of Juliet that read
        /// an index from a text take more than 5 s, not 3 s; parport takes 2.5 s less.
        work: u64 = 40_000, 0..=1 << 40, "units of work";
        /// Conflicts of a solver call; harder programs are left to predicates.  Other values were
        /// not measured.
        conflicts: u32 = 1_000, 1..=1 << 30, "conflicts";
        /// Programs with more blocks are not tried, since each block has a solver.  Other values
        /// were not measured.
        blocks: usize = 2_000, 0..=1 << 30, "blocks";
        /// Values of one variable that end its tracking, if there are also more than `spread` for
        /// each state, or others are not tracked any longer.  With it, 313 of the 414 programs of
        /// the C benchmarks and other tools' suites are decided within 6 s; where this ended the
        /// attempt, 310, and those that both decide take twice the time.  Other values were not
        /// measured.
        values: usize = 64, 0..=1 << 30, "values";
        /// Values of one variable for each state before the block.  Other values were not measured.
        spread: usize = 16, 0..=1 << 20, "values per state";
        /// How often something more may be tracked of variables that have too many values.  The
        /// state machines of ssh need 3 at most.  Other values were not measured.
        refinements: u64 = 12, 0..=1 << 40, "refinements";
        /// A variable that the text compares with so many constants is the state of a machine: if
        /// one of the comparisons is needed between blocks, all are tracked at once.  Other values
        /// were not measured.
        machine: usize = 4, 0..=1 << 30, "constants";
    }
}

limits! {
    /// Boolean abstraction of successors.
    pub struct Abstraction {
        /// Solvers that are kept, one per block; the most recently used ones.  Other values were
        /// not measured.
        solvers: usize = 256, 1..=1 << 20, "solvers";
        /// Models that are enumerated as they are before models are generalised to cubes; most
        /// abstractions have fewer. Other values were not measured.
        single_models: usize = 8, 0..=1 << 30, "models";
        /// Models that are remembered for generalising later ones.  Other values were not measured.
        remembered_models: usize = 16, 0..=1 << 20, "models";
        /// After so many models in a row that could not be generalised, none is generalised any
        /// more.  Other values were not measured.
        fruitless_models: usize = 2, 0..=1 << 30, "models";
    }
}

limits! {
    /// Interpolation.
    pub struct Interpolation {
        /// The part that a way to interpolate may take of the memory that is left under
        /// `--memory-limit`.  Other values were not measured.
        memory: u64 = 75, 1..=100, "per cent";
        /// How often a core of a path is computed in the hope of a smaller one.  Other values were
        /// not measured.
        core_rounds: usize = 2, 1..=1_000, "solver calls";
        /// A larger postcondition or precondition is given up.  Other values were not measured.
        subterms: usize = 50_000, 0..=1 << 30, "subterms";
        /// Work of Z3 after which Spacer gives up.  Other values were not measured.
        spacer_work: u32 = 4_000_000, 1..=1 << 31, "resource units of Z3";
        /// Work of Z3 on reducing a path to a core, after which Spacer is tried on the whole
        /// path.  Other values were not measured.
        slice_work: u32 = 1_000_000, 1..=1 << 31, "resource units of Z3";
    }
}

limits! {
    /// Invariants from candidates.
    pub struct Houdini {
        /// Conflicts of a solver call, after which nothing is claimed behind a block.  Other values
        /// were not measured.
        conflicts: u32 = 5_000, 1..=1 << 30, "conflicts";
    }
}

limits! {
    /// The check of the tree's invariant.
    pub struct Invariant {
        /// From so many cases on, a disjunction is decided case by case.  Other values were not
        /// measured.
        cases: usize = 32, 0..=1 << 30, "cases";
    }
}

limits! {
    /// Boolean programs under refinement.
    pub struct Boolean {
        /// Work that BDDs of a whole Boolean program may take before the chosen engine takes
        /// over.  Other values were not measured.
        whole_work: u64 = 200_000, 0..=1 << 40, "units of work";
    }
}

limits! {
    /// Transition relations of blocks between truth values of predicates.
    pub struct Relation {
        /// Values of one number, each under a condition; with more, the relation is enumerated
        /// model by model.  Other values were not measured.
        cases: usize = 200, 0..=1 << 30, "values";
        /// Work of a relation that is composed from atoms; beyond, it is enumerated.  Other values
        /// were not measured.
        work: u64 = 300_000, 0..=1 << 40, "units of work";
        /// Work for finding the joint values of one group of atoms.  Other values were not
        /// measured.
        group_work: u64 = 200_000, 0..=1 << 40, "units of work";
        /// Work of one relation over all literals; beyond, each literal after the block gets a
        /// relation of its own. Other values were not measured.
        joint_work: u64 = 2_000_000, 0..=1 << 40, "units of work";
        /// Work of a relation for one literal after the block; beyond, the literal may have any
        /// value.  Other values were not measured.
        single_work: u64 = 400_000, 0..=1 << 40, "units of work";
    }
}
