//! The table for terminals: a line for each program, a column for each property with options.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::diff::Change;
use super::rows::{Campaign, Row};
use hardbop_report::units::counted;

/// The text where there is no result.
const NONE: &str = "-";

/// The whole table.
#[must_use]
pub fn table(campaign: &Campaign) -> String {
    let columns = campaign.columns();
    let mut cells: HashMap<(&str, &str, &str), String> = HashMap::new();
    let (mut programs, mut seen): (Vec<&str>, HashSet<&str>) = Default::default();
    for row in &campaign.rows {
        let key = (row.program.as_str(), row.property.as_str(), row.options.as_str());
        if seen.insert(key.0) {
            programs.push(key.0);
        }
        cells.insert(key, cell(row));
    }
    let names = std::iter::once("program").chain(columns.iter().map(|c| c.0.as_str()));
    let mut lines = vec![names.map(str::to_owned).collect::<Vec<_>>()];
    for program in programs {
        let of = |pair: (&str, &str)| {
            cells.get(&(program, pair.0, pair.1)).cloned().unwrap_or_else(|| NONE.to_owned())
        };
        let results = columns.iter().map(|(_, pair)| of(*pair));
        lines.push(std::iter::once(program.to_owned()).chain(results).collect());
    }
    let width = |c: usize| lines.iter().map(|l| l[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=columns.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let padded = line.iter().zip(&widths).map(|(text, &width)| format!("{text:<width$}"));
        let _ = writeln!(out, "{}", padded.collect::<Vec<_>>().join("  ").trim_end());
    }
    out
}

fn cell(row: &Row) -> String {
    let wrong = if row.is_wrong() { ", WRONG" } else { "" };
    match row.time() {
        None => NONE.to_owned(),
        Some(_) if row.word() == "ERROR" => "ERROR".to_owned(),
        Some(seconds) => format!("{} {seconds:.2} s{wrong}", row.word()),
    }
}

/// How many there are of each, on a line.
#[must_use]
pub fn counts_line(campaign: &Campaign) -> String {
    let [safe, r#unsafe, unknown, error, open] = campaign.counts();
    let mut words =
        vec![format!("{safe} SAFE"), format!("{unsafe} UNSAFE"), format!("{unknown} UNKNOWN")];
    if error > 0 {
        words.push(format!("{error} ERROR"));
    }
    if open > 0 {
        words.push(format!("{open} not run"));
    }
    let wrong = campaign.rows.iter().filter(|row| row.is_wrong()).count();
    if wrong > 0 {
        words.push(format!("{wrong} WRONG"));
    }
    format!("{}: {}", counted(campaign.rows.len() as u64, "task"), words.join(", "))
}

/// The changes since another campaign, as lines.
#[must_use]
pub fn changes_text(changes: &[(Change, &Row, &Row)]) -> String {
    let mut out = String::new();
    for kind in [Change::Broken, Change::Proved, Change::Undecided, Change::Slower] {
        let of_kind: Vec<_> = changes.iter().filter(|c| c.0 == kind).collect();
        let _ = writeln!(out, "{}: {}", kind.name(), of_kind.len());
        for (_, old, new) in of_kind {
            let (program, property, options) = (&new.program, &new.property, &new.options);
            let (old, new) = (cell(old), cell(new));
            let _ = writeln!(out, "  {program}  {property}, {options}: {old}, now {new}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample::{campaign, row};
    use super::*;
    use hardbop_report::document::Verdict::{Safe, Unknown, Unsafe};

    #[test]
    fn programs_by_properties() {
        let mut wrong = row("a.c", ("lock", "o"), Unsafe, 1.25);
        wrong.expected = Some(Safe);
        let mut open = row("b.c", ("lock", "o"), Safe, 0.0);
        open.result = None;
        let all = campaign(vec![wrong, row("a.c", ("null", "o"), Unknown, 10.0), open]);
        let expected = "program  lock                  null\n\
                        a.c      UNSAFE 1.25 s, WRONG  UNKNOWN 10.00 s\n\
                        b.c      -                     -\n";
        assert_eq!(table(&all), expected);
        assert_eq!(counts_line(&all), "3 tasks: 0 SAFE, 1 UNSAFE, 1 UNKNOWN, 1 not run, 1 WRONG");
    }
}
