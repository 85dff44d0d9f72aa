//! The table of `--stats`, and the line of progress.

use std::time::Duration;

use super::units::{bytes, count, milliseconds};
use crate::boolean::engine::Statistics;

/// One line per number, names to the left, numbers to the right.
pub fn table(s: &Statistics, wall: Duration) -> String {
    let of = |part: u64, whole: u64| format!("{} of {}", count(part), count(whole));
    let rows: [(&str, String); 33] = [
        ("wall time", milliseconds(wall.as_secs_f64() * 1e3)),
        ("peak memory", bytes(s.peak_memory_bytes)),
        ("relevant variables", of(s.relevant_variables, s.variables)),
        ("relevant procedures", of(s.relevant_procedures, s.procedures)),
        ("cut nodes", of(s.cut_nodes, s.nodes)),
        ("known clauses", count(s.known_clauses)),
        ("goals settled by them", count(s.settled_by_clauses)),
        ("refinements", count(s.refinements)),
        ("path edges", count(s.path_edges)),
        ("summary edges", count(s.summary_edges)),
        ("universal summaries", count(s.universal_summaries)),
        ("unrollings", count(s.unrollings)),
        ("checks of Eq. 9", count(s.recurrence_checks)),
        ("loops ended by Eq. 9", count(s.stopped_by_recurrence)),
        ("loops ended by Eq. 8", count(s.stopped_by_fixpoint)),
        ("contexts", count(s.contexts)),
        ("merges", count(s.merges)),
        ("compactions", count(s.compactions)),
        ("subsumption checks", count(s.subsumption_checks)),
        ("  by structure", count(s.decided_by_structure)),
        ("  by simulation", count(s.decided_by_simulation)),
        ("  by SAT", count(s.decided_by_sat)),
        ("  by 2QBF", count(s.decided_by_qbf)),
        ("2QBF calls", count(s.qbf_calls)),
        ("2QBF time", milliseconds(s.qbf_milliseconds)),
        ("SAT calls", count(s.sat_calls)),
        ("SAT time", milliseconds(s.sat_milliseconds)),
        ("graph nodes", count(s.aig_nodes)),
        ("units of work", count(s.work)),
        ("BDD images", count(s.bdd_images)),
        ("BDD nodes", count(s.bdd_nodes)),
        ("BDD collections", count(s.bdd_collections)),
        ("BDD tables too small", count(s.bdd_tables)),
    ];
    let left = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let right = rows.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
    let mut out = String::from("Statistics\n");
    for (name, value) in &rows {
        out.push_str(&format!("  {name:<left$}  {value:>right$}\n"));
    }
    out
}

/// What a run is doing, in a few words.
pub fn progress(s: &Statistics, wall: Duration, resident: Option<u64>) -> String {
    let mut line = format!(
        "{}  {} path edges  {} checks  {} graph nodes",
        milliseconds(wall.as_secs_f64() * 1e3),
        count(s.path_edges),
        count(s.subsumption_checks),
        count(s.aig_nodes),
    );
    if let Some(resident) = resident {
        line.push_str(&format!("  {}", bytes(resident)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let s = Statistics { path_edges: 1_234_567, nodes: 10, ..Statistics::default() };
        let text = table(&s, Duration::from_millis(1500));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert!(lines.iter().all(|l| l.len() == lines[0].len()), "{text}");
        assert!(text.contains("1,234,567"), "{text}");
    }
}
