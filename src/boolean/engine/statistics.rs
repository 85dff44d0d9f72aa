//! What a run did, in numbers.

use serde::{Deserialize, Serialize};

/// Counters of one run.  Counts are exact and the same for the same input and options; the two
/// times and the memory are measurements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Statistics {
    /// Rounds that ended with a spurious path and more variables.
    pub refinements: u64,
    /// Clauses of the clausal invariant, over all nodes.
    pub known_clauses: u64,
    /// Procedures whose errors that invariant excludes.
    pub settled_by_clauses: u64,
    /// Path edges inserted into P.
    pub path_edges: u64,
    /// Summary edges inserted into Σ.
    pub summary_edges: u64,
    /// Procedures with a universal summary, in the last search.
    pub universal_summaries: u64,
    /// Path edges at loop heads that were unrolled, queries by Eq. 9, and what ended loops: Eq. 9
    /// or Eq. 8.
    pub unrollings: u64,
    pub recurrence_checks: u64,
    pub stopped_by_recurrence: u64,
    pub stopped_by_fixpoint: u64,
    /// Calling contexts explored.
    pub contexts: u64,
    /// Path edges saved by merging.
    pub merges: u64,
    /// States re-expressed with fewer choices.
    pub compactions: u64,
    /// Subsumption and applicability checks (Eqs. 5 and 8).
    pub subsumption_checks: u64,
    pub decided_by_structure: u64,
    pub decided_by_simulation: u64,
    pub decided_by_sat: u64,
    pub decided_by_qbf: u64,
    /// ∀∃ queries that reached the 2QBF solver.
    pub qbf_calls: u64,
    /// Calls of a SAT solver, those inside the 2QBF solver included.
    pub sat_calls: u64,
    pub qbf_milliseconds: f64,
    /// Spent searching in all SAT calls, those inside the 2QBF solver included; making solvers and adding clauses to them
    /// is not counted.
    pub sat_milliseconds: f64,
    /// Nodes of the and-inverter graph in the search where it was largest.
    pub aig_nodes: u64,
    /// Images computed with BDDs.
    pub bdd_images: u64,
    /// Most nodes that a table of BDDs has held, including garbage.
    pub bdd_nodes: u64,
    /// Garbage collections of these tables.
    pub bdd_collections: u64,
    /// Tables that were too small.
    pub bdd_tables: u64,
    /// Property-directed reachability: equations, proof obligations, lemmas, and the highest level.
    pub equations: u64,
    pub obligations: u64,
    pub lemmas: u64,
    pub frames: u64,
    /// Variables, procedures, nodes and edges of the program as read ...
    pub variables: u64,
    pub procedures: u64,
    pub nodes: u64,
    /// ... and what is left after slicing and compression.
    pub relevant_variables: u64,
    pub relevant_procedures: u64,
    pub cut_nodes: u64,
    /// Units of [`crate::base::budget::Budget::work`].
    pub work: u64,
    /// Largest resident set of the process, in bytes.
    pub peak_memory_bytes: u64,
}
