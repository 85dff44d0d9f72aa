//! A table with one line per task, for spreadsheets.

use super::rows::Campaign;
use hardbop_report::document::Verdict;

/// The tasks in CSV (RFC 4180), with a line of names first.
///
/// # Errors
/// Never, for it is written to memory.
pub fn csv(campaign: &Campaign) -> Result<String, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let names = ["program", "property", "options", "verdict", "reason", "seconds", "cpu_seconds"];
    out.write_record(names.into_iter().chain(["memory_bytes", "node", "expected", "task", "how"]))?;
    for row in &campaign.rows {
        let result = row.result.as_ref();
        let seconds = |s: Option<f64>| s.map_or_else(String::new, |s| format!("{s:.3}"));
        let memory = result.and_then(|r| r.memory_bytes);
        out.write_record([
            row.program.as_str(),
            &row.property,
            &row.options,
            row.word(),
            row.reason(),
            &seconds(result.map(|r| r.seconds)),
            &seconds(result.and_then(|r| r.cpu_seconds)),
            &memory.map_or_else(String::new, |b| b.to_string()),
            result.and_then(|r| r.node.as_deref()).unwrap_or(""),
            row.expected.map_or("", Verdict::word),
            &row.hash,
            &row.how(),
        ])?;
    }
    let bytes = out.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
