//! A table with one line per run, for spreadsheets.

use super::comparison::Comparison;
use hardbop_report::document::Verdict;

/// The measurements in CSV (RFC 4180), with a line of names first.
///
/// # Errors
/// Never, for it is written to memory.
pub fn csv(comparison: &Comparison) -> Result<String, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "file",
        "name",
        "run",
        "verdict",
        "reason",
        "seconds",
        "memory_bytes",
        "expected",
    ])?;
    for row in &comparison.files {
        let expected = row.expected.map_or("", Verdict::word);
        for measured in row.results.iter().flatten() {
            for (i, run) in measured.runs.iter().enumerate() {
                out.write_record([
                    row.file.as_str(),
                    &measured.name,
                    &(i + 1).to_string(),
                    run.verdict.word(),
                    run.reason.as_ref().map_or("", |r| r.message.as_str()),
                    &format!("{:.6}", run.seconds),
                    &run.memory_bytes.map_or_else(String::new, |b| b.to_string()),
                    expected,
                ])?;
            }
        }
    }
    let bytes = out.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
