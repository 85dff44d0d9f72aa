//! Limits of abstraction and refinement: none decides a verdict; what is reached hands over to another way.

use crate::base::limits::limits;

limits! {
    /// All of them, by what they are about.
    pub struct Limits {
        /// Predicates selected from the program text.
        selection: Selection;
        /// Enumeration of states before anything is abstracted.
        enumeration: Enumeration;
        /// Boolean abstraction of successors.
        abstraction: Abstraction;
        /// Interpolation.
        interpolation: Interpolation;
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
        /// the core are taken that speak of it alone, since the next paths would need them.  With 2, 1 and
        /// 0, 14 of 14 programs of ssh-simplified are decided within 20 s, without it 12; of ssh 13 of 16 either way,
        /// in 67 refinements for 84 and 703,530 units of work for 736,190 (1,180,426 with 0).  It is of no use
        /// elsewhere: with predicates, 12 random event loops take the same refinements with and without it, 20,101
        /// units of work for 19,206 (22,434 with 0 and 1), 4 of eca the same work, 11 other C benchmarks the same
        /// refinements.
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
        /// Values of one variable that end the attempt, where there are also more than `spread` for each state.  Not
        /// measured elsewhere.
        values: usize = 64, 0..=1 << 30, "values";
        /// Values of one variable for each state before the block.  Not measured elsewhere.
        spread: usize = 16, 0..=1 << 30, "values per state";
    }
}

limits! {
    /// Boolean abstraction of successors.
    pub struct Abstraction {
        /// Solvers that are kept, one a block; those used last.  Not measured elsewhere.
        solvers: usize = 256, 1..=1 << 20, "solvers";
        /// Models that are enumerated as they are before they are generalised to cubes: most abstractions have fewer.
        /// Not measured elsewhere.
        single_models: usize = 8, 0..=1 << 30, "models";
        /// Models that are remembered to generalise later ones.  Not measured elsewhere.
        remembered_models: usize = 16, 0..=1 << 20, "models";
        /// Models in a row that stand for themselves alone, after which none is generalised any more.  Not measured
        /// elsewhere.
        fruitless_models: usize = 2, 0..=1 << 30, "models";
    }
}

limits! {
    /// Interpolation.
    pub struct Interpolation {
        /// How often a core of a path is asked for, in the hope for a smaller one.  Not measured elsewhere.
        core_rounds: usize = 2, 1..=1_000, "solver calls";
        /// Size of a postcondition or precondition that is given up.  Not measured elsewhere.
        subterms: usize = 50_000, 0..=1 << 30, "subterms";
        /// Work of Z3 after which Spacer gives up.  Not measured elsewhere.
        spacer_work: u32 = 4_000_000, 1..=1 << 31, "resource units of Z3";
        /// Work of Z3 after which Spacer is tried on a path that is not cut down to a core.  Not measured elsewhere.
        slice_work: u32 = 1_000_000, 1..=1 << 31, "resource units of Z3";
    }
}

limits! {
    /// The check of the tree's invariant.
    pub struct Invariant {
        /// Cases of a disjunction from which they are decided one by one.  Not measured elsewhere.
        cases: usize = 32, 0..=1 << 30, "cases";
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

limits! {
    /// Transition relations of blocks between truth values of predicates.
    pub struct Relation {
        /// Values of one number, each under a condition, beyond which a relation is enumerated model by model.  Not
        /// measured elsewhere.
        cases: usize = 200, 0..=1 << 30, "values";
        /// Work of one relation made of atoms before it is enumerated.  Not measured elsewhere.
        work: u64 = 300_000, 0..=1 << 40, "units of work";
        /// Work for what one group of atoms can have together.  Not measured elsewhere.
        group_work: u64 = 200_000, 0..=1 << 40, "units of work";
        /// Work of one relation between all literals; beyond, each literal after the block is related by itself.  Not
        /// measured elsewhere.
        joint_work: u64 = 2_000_000, 0..=1 << 40, "units of work";
        /// Work of a relation about one literal after the block; beyond, it may have any value.  Not measured
        /// elsewhere.
        single_work: u64 = 400_000, 0..=1 << 40, "units of work";
    }
}
