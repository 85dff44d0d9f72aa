//! The document of a comparison: all measurements, and the conclusions.

use serde::Serialize;

use super::growth::{self, Growth};
use super::measurement::{CompareOptions, Contestant, Row};
use super::score::{self, Score};
use hardbop_report::document::Verdict;

/// A file on which verdicts differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Disagreement {
    pub file: String,
    pub safe: Vec<String>,
    pub r#unsafe: Vec<String>,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (safe, unsafe_) = (self.safe.join(", "), self.r#unsafe.join(", "));
        write!(f, "DISAGREEMENT on {}: SAFE says {safe}; UNSAFE says {unsafe_}", self.file)
    }
}

/// The format of [`Comparison`], with its version: it increases with changes that are no additions.
pub const SCHEMA: &str = "hardbop-comparison-1";

/// All measurements of a comparison, and the conclusions.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// [`SCHEMA`]
    pub schema: &'static str,
    /// Version of hardbop.
    pub version: &'static str,
    pub options: CompareOptions,
    pub contestants: Vec<Contestant>,
    pub disagreements: Vec<Disagreement>,
    /// Whether it was ended by Ctrl-C.
    pub interrupted: bool,
    /// The scores in the order of the contestants, over the files on which all were measured.
    pub scores: Vec<Score>,
    /// Families of programs in a parameter, where there are some.
    pub growth: Vec<Growth>,
    pub files: Vec<Row>,
}

impl Comparison {
    /// Draws the conclusions.  `families`: are the files members of families?
    pub fn new(
        options: CompareOptions,
        contestants: Vec<Contestant>,
        files: Vec<Row>,
        families: bool,
        interrupted: bool,
    ) -> Self {
        let disagreements = files.iter().filter_map(disagreement).collect();
        let scores = score::scores(&files, &contestants, options.time_limit_seconds);
        let names: Vec<&str> = contestants.iter().map(|c| c.name.as_str()).collect();
        let growth = if families { growth::growth(&files, &names) } else { Vec::new() };
        let (schema, version) = (SCHEMA, env!("CARGO_PKG_VERSION"));
        Self {
            schema,
            version,
            options,
            contestants,
            disagreements,
            interrupted,
            scores,
            growth,
            files,
        }
    }

    /// Has an engine of hardbop failed?
    pub fn has_defects(&self) -> bool {
        let mut runs = self.files.iter().flat_map(|r| &r.results).flatten().flat_map(|m| &m.runs);
        runs.any(|r| r.defect)
    }
}

fn disagreement(row: &Row) -> Option<Disagreement> {
    let verdicts = row.verdicts();
    let who = |verdict| -> Vec<String> {
        verdicts.iter().filter(|(_, v)| *v == verdict).map(|(name, _)| (*name).to_owned()).collect()
    };
    let (safe, r#unsafe) = (who(Verdict::Safe), who(Verdict::Unsafe));
    let differ = !safe.is_empty() && !r#unsafe.is_empty();
    differ.then(|| Disagreement { file: row.file.clone(), safe, r#unsafe })
}

#[cfg(test)]
mod tests {
    use super::super::measurement::Measurement;
    use super::super::sample::{row, run};
    use super::*;

    #[test]
    fn each_run_counts_for_disagreement() {
        let mut row = row("x.bp", [Some(1.0), None]);
        assert_eq!(disagreement(&row), None);
        row.results[1] = Some(Measurement::new(
            "b",
            vec![run(Verdict::Unknown, 9.0), run(Verdict::Unknown, 9.0), run(Verdict::Unsafe, 1.0)],
            None,
        ));
        let found = disagreement(&row).expect("they disagree");
        assert_eq!((found.safe, found.r#unsafe), (vec!["a".to_owned()], vec!["b".to_owned()]));
        assert_eq!(row.verdict(), Verdict::Unknown);
    }

    #[test]
    fn the_expected_verdict_counts_as_well() {
        let mut row = row("x.bp", [Some(1.0), None]);
        row.expected = Some(Verdict::Unsafe);
        assert_eq!(disagreement(&row).expect("they disagree").r#unsafe, ["expected"]);
    }
}
