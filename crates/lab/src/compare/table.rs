//! The tables on the terminal.

use super::comparison::Comparison;
use super::growth::Growth;
use super::measurement::Measurement;
use super::score::Score;
use hardbop_report::units::{bytes, count, milliseconds};

/// Failures that are told in full; the others are in the JSON document.
const FAILURES: usize = 10;

/// All tables: files, families, scores, and what went wrong.
pub fn table(comparison: &Comparison) -> String {
    let names: Vec<&str> = comparison.contestants.iter().map(|c| c.name.as_str()).collect();
    let mut head = vec!["file".to_owned(), "verdict".to_owned()];
    head.extend(names.iter().flat_map(|name| [(*name).to_owned(), "memory".to_owned()]));
    let rows = comparison.files.iter().map(|row| {
        let mut cells = vec![row.file.clone(), row.verdict().word().to_owned()];
        cells.extend(row.results.iter().flat_map(|m| [time(m.as_ref()), memory(m.as_ref())]));
        cells
    });
    let mut out = aligned(&head, rows.collect(), 2);
    for family in &comparison.growth {
        out.push('\n');
        out.push_str(&growth(family, &names));
    }
    out.push('\n');
    out.push_str(&scores(&comparison.scores));
    out.push_str(&failures(comparison));
    for disagreement in &comparison.disagreements {
        out.push_str(&format!("\n*** {disagreement} ***\n"));
    }
    out
}

/// The time, or in a word why there is none.
pub(super) fn time(measured: Option<&Measurement>) -> String {
    let Some(m) = measured else { return String::new() };
    match (m.seconds, m.reason.as_ref().map(|r| &*r.code)) {
        (Some(seconds), _) => milliseconds(seconds * 1e3),
        (None, Some("not-tried")) => "-".to_owned(),
        (None, Some("no-input")) => "no input".to_owned(),
        (None, Some("time")) => "time".to_owned(),
        (None, Some("memory")) => "memory".to_owned(),
        _ => "failed".to_owned(),
    }
}

pub(super) fn memory(measured: Option<&Measurement>) -> String {
    measured.and_then(|m| m.memory_bytes).map_or_else(String::new, bytes)
}

/// Median times of a family, and who leads where.
fn growth(family: &Growth, names: &[&str]) -> String {
    let mut head = vec![family.family.clone()];
    head.extend(names.iter().map(|name| (*name).to_owned()));
    let rows = family.points.iter().map(|point| {
        let times = point.seconds.iter();
        let times = times.map(|s| s.map_or_else(|| "-".to_owned(), |s| milliseconds(s * 1e3)));
        std::iter::once(point.parameter.to_string()).chain(times).collect()
    });
    aligned(&head, rows.collect(), 1) + &lead(family) + "\n"
}

/// The leader of a family, and where that changes, in a line.
pub(super) fn lead(family: &Growth) -> String {
    if family.crossings.is_empty() {
        return "Nobody is clearly the fastest.".to_owned();
    }
    let leads = family.crossings.iter().map(|c| format!("from {} on {}", c.parameter, c.to));
    format!("Fastest: {}.", leads.collect::<Vec<_>>().join(", "))
}

/// Titles and values of the scores.
pub(super) const SCORES: [&str; 6] =
    ["", "solved", "PAR-2", "wins", "time ratio", "ratio from 0.1 s"];

/// A line of the table of scores.
pub(super) fn score(score: &Score) -> [String; 6] {
    let ratio = |r: Option<f64>| r.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}"));
    [
        score.name.clone(),
        format!("{} of {}", count(score.solved as u64), count(score.files as u64)),
        format!("{:.2} s", score.par2_seconds),
        count(score.wins as u64),
        ratio(score.ratio),
        format!("{} ({})", ratio(score.long_ratio), count(score.long_files as u64)),
    ]
}

fn scores(scores: &[Score]) -> String {
    let rows = scores.iter().map(|s| score(s).to_vec()).collect();
    aligned(&SCORES.map(str::to_owned), rows, 1)
}

/// Reasons other than a limit.
fn failures(comparison: &Comparison) -> String {
    let mut lines = Vec::new();
    for row in &comparison.files {
        for measured in row.results.iter().flatten() {
            let reason = measured.reason.as_ref();
            let reason = reason.map_or("no reason is given", |r| r.message.as_str());
            if time(Some(measured)) == "failed" {
                lines.push(format!("{}, {}: {reason}\n", row.file, measured.name));
            }
        }
    }
    let more = lines.len().saturating_sub(FAILURES);
    lines.truncate(FAILURES);
    if more > 0 {
        lines.push(format!("and {} more\n", count(more as u64)));
    }
    if lines.is_empty() { String::new() } else { format!("\nFailed\n{}", lines.concat()) }
}

/// Columns with two blanks between; the first `left` are aligned to the left, numbers to the right.
fn aligned(head: &[String], mut rows: Vec<Vec<String>>, left: usize) -> String {
    rows.insert(0, head.to_vec());
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (c, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let gap = if c > 0 { "  " } else { "" };
            line.push_str(gap);
            line.push_str(&match c < left {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample::{comparison, row};
    use super::*;

    #[test]
    fn tables_of_two() {
        let text = table(&comparison(vec![
            row("f-1.bp", [Some(0.5), Some(0.02)]),
            row("f-2.bp", [Some(1.5), None]),
        ]));
        let expected = "\
file    verdict       a   memory      b   memory
f-1.bp  SAFE     500 ms  1.0 MiB  20 ms  1.0 MiB
f-2.bp  SAFE     1.50 s  1.0 MiB   time  1.0 MiB

f       a      b
1  500 ms  20 ms
2  1.50 s      -
Fastest: from 1 on b, from 2 on a.

   solved    PAR-2  wins  time ratio  ratio from 0.1 s
a  2 of 2   1.00 s     1        1.00          1.00 (2)
b  1 of 2  10.01 s     1        0.04          0.04 (1)
";
        assert_eq!(text, expected);
    }
}
