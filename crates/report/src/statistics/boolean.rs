//! The numbers of a check of a Boolean program.

use super::table::Number::{Bytes, Count, OutOf, Seconds};
use super::table::Table;
use hardbop_bp::engine::Statistics;
use hardbop_bp::threads::Effort;

impl From<&Statistics> for Table {
    fn from(s: &Statistics) -> Self {
        Self::new(&[
            ("peak-memory-bytes", "peak memory", Bytes(s.peak_memory_bytes)),
            (
                "relevant-variables",
                "relevant variables",
                OutOf(s.relevant_variables, s.variables, "variables"),
            ),
            (
                "relevant-procedures",
                "relevant procedures",
                OutOf(s.relevant_procedures, s.procedures, "procedures"),
            ),
            ("cut-nodes", "cut nodes", OutOf(s.cut_nodes, s.nodes, "nodes")),
            ("known-clauses", "known clauses", Count(s.known_clauses)),
            ("settled-by-clauses", "goals settled by them", Count(s.settled_by_clauses)),
            ("refinements", "refinements", Count(s.refinements)),
            ("path-edges", "path edges", Count(s.path_edges)),
            ("summary-edges", "summary edges", Count(s.summary_edges)),
            ("universal-summaries", "universal summaries", Count(s.universal_summaries)),
            ("unrollings", "unrollings", Count(s.unrollings)),
            ("recurrence-checks", "checks of Eq. 9", Count(s.recurrence_checks)),
            ("stopped-by-recurrence", "loops ended by Eq. 9", Count(s.stopped_by_recurrence)),
            ("stopped-by-fixpoint", "loops ended by Eq. 8", Count(s.stopped_by_fixpoint)),
            ("contexts", "contexts", Count(s.contexts)),
            ("merges", "merges", Count(s.merges)),
            ("compactions", "compactions", Count(s.compactions)),
            ("subsumption-checks", "subsumption checks", Count(s.subsumption_checks)),
            ("decided-by-structure", "  by structure", Count(s.decided_by_structure)),
            ("decided-by-simulation", "  by simulation", Count(s.decided_by_simulation)),
            ("decided-by-sat", "  by SAT", Count(s.decided_by_sat)),
            ("decided-by-qbf", "  by 2QBF", Count(s.decided_by_qbf)),
            ("qbf-calls", "2QBF calls", Count(s.qbf_calls)),
            ("qbf-seconds", "2QBF time", Seconds(s.qbf_milliseconds / 1e3)),
            ("sat-calls", "SAT calls", Count(s.sat_calls)),
            ("sat-seconds", "SAT search time", Seconds(s.sat_milliseconds / 1e3)),
            ("aig-nodes", "graph nodes", Count(s.aig_nodes)),
            ("work", "units of work", Count(s.work)),
            ("bdd-images", "BDD images", Count(s.bdd_images)),
            ("bdd-nodes", "BDD nodes", Count(s.bdd_nodes)),
            ("bdd-collections", "BDD collections", Count(s.bdd_collections)),
            ("bdd-tables", "BDD tables too small", Count(s.bdd_tables)),
            ("frames", "levels of PDR", Count(s.frames)),
            ("equations", "  equations", Count(s.equations)),
            ("obligations", "  proof obligations", Count(s.obligations)),
            ("lemmas", "  lemmas", Count(s.lemmas)),
        ])
    }
}

impl Table {
    /// The numbers of a check of a program with threads.
    #[must_use]
    pub fn of_threads(effort: &Effort, peak_memory_bytes: u64) -> Self {
        Self::new(&[
            ("peak-memory-bytes", "peak memory", Bytes(peak_memory_bytes)),
            ("points", "points of threads", Count(effort.points)),
            ("pairs", "states of single threads", Count(effort.pairs)),
            ("states", "states", Count(effort.states)),
            ("elements", "elements of backward coverability", Count(effort.elements)),
            ("rounds", "rounds of schedules", Count(effort.rounds)),
            ("work", "units of work", Count(effort.work)),
        ])
    }
}
