//! The statistics of a run.

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
    /// Spent searching in all SAT calls, those inside the 2QBF solver included; making solvers and
    /// adding clauses to them is not counted.
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
    /// Units of [`hardbop_base::budget::Budget::work`].
    pub work: u64,
    /// Largest resident set of the process, in bytes.
    pub peak_memory_bytes: u64,
}

impl Statistics {
    /// Adds those of a later part of the run, which began from none.
    pub fn join(&mut self, later: &Self) {
        // Every field is named, so that none is forgotten.
        let Self {
            refinements,
            known_clauses,
            settled_by_clauses,
            path_edges,
            summary_edges,
            universal_summaries,
            unrollings,
            recurrence_checks,
            stopped_by_recurrence,
            stopped_by_fixpoint,
            contexts,
            merges,
            compactions,
            subsumption_checks,
            decided_by_structure,
            decided_by_simulation,
            decided_by_sat,
            decided_by_qbf,
            qbf_calls,
            sat_calls,
            qbf_milliseconds,
            sat_milliseconds,
            aig_nodes,
            bdd_images,
            bdd_nodes,
            bdd_collections,
            bdd_tables,
            equations,
            obligations,
            lemmas,
            frames,
            variables,
            procedures,
            nodes,
            relevant_variables,
            relevant_procedures,
            cut_nodes,
            work,
            peak_memory_bytes,
        } = *later;
        self.refinements += refinements;
        self.known_clauses += known_clauses;
        self.settled_by_clauses += settled_by_clauses;
        self.path_edges += path_edges;
        self.summary_edges += summary_edges;
        self.unrollings += unrollings;
        self.recurrence_checks += recurrence_checks;
        self.stopped_by_recurrence += stopped_by_recurrence;
        self.stopped_by_fixpoint += stopped_by_fixpoint;
        self.contexts += contexts;
        self.merges += merges;
        self.compactions += compactions;
        self.subsumption_checks += subsumption_checks;
        self.decided_by_structure += decided_by_structure;
        self.decided_by_simulation += decided_by_simulation;
        self.decided_by_sat += decided_by_sat;
        self.decided_by_qbf += decided_by_qbf;
        self.qbf_calls += qbf_calls;
        self.sat_calls += sat_calls;
        self.qbf_milliseconds += qbf_milliseconds;
        self.sat_milliseconds += sat_milliseconds;
        self.bdd_images += bdd_images;
        self.bdd_collections += bdd_collections;
        self.bdd_tables += bdd_tables;
        self.equations += equations;
        self.obligations += obligations;
        self.lemmas += lemmas;
        self.work += work;
        self.aig_nodes = self.aig_nodes.max(aig_nodes);
        self.bdd_nodes = self.bdd_nodes.max(bdd_nodes);
        self.frames = self.frames.max(frames);
        self.peak_memory_bytes = self.peak_memory_bytes.max(peak_memory_bytes);
        // Of the program, or of the last search, if there was one.
        let last = [
            (&mut self.universal_summaries, universal_summaries),
            (&mut self.variables, variables),
            (&mut self.procedures, procedures),
            (&mut self.nodes, nodes),
            (&mut self.relevant_variables, relevant_variables),
            (&mut self.relevant_procedures, relevant_procedures),
            (&mut self.cut_nodes, cut_nodes),
        ];
        last.into_iter().filter(|(_, later)| *later > 0).for_each(|(mine, later)| *mine = later);
    }
}
