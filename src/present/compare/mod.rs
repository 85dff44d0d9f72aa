//! Engines, and other programs, on the same files: what `hardbop compare` shows.
//!
//! [`Comparison`] is made from single measurements and knows everything that is shown: the median of the
//! runs of each contestant on each file, the scores, the disagreements, the growth of families.  It is
//! the document of `--json`; the other modules turn it into tables, plots and a page.

mod csv;
mod growth;
mod html;
mod plot;
mod score;
mod table;

use serde::Serialize;
use serde_json::Value;

use super::json::Verdict;

pub use csv::csv;
pub use growth::{Crossing, Growth, Member, Point, member};
pub use html::html;
pub use plot::{PlotError, cactus, growth_plot, scatter};
pub use score::{Score, geometric_mean, median, par2};
pub use table::table;

/// How the measurements were made.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CompareOptions {
    pub time_limit_seconds: f64,
    pub memory_limit_bytes: Option<u64>,
    /// Runs of each contestant on each file.
    pub runs: usize,
    /// Processes at a time.
    pub jobs: usize,
}

/// An engine, or another program.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Contestant {
    pub name: String,
    /// What is run; `{}` is the file.
    pub command: String,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    pub verdict: Verdict,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<String>,
    /// From the start of the process to its end.
    pub seconds: f64,
    /// Largest resident set, where it is known.
    pub memory_bytes: Option<u64>,
    /// Is this an engine of hardbop that ended by an error of its own?
    pub defect: bool,
}

/// All runs of a contestant on a file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Measurement {
    pub name: String,
    /// The verdict of the median run; UNKNOWN where runs contradict each other.
    pub verdict: Verdict,
    pub reason: Option<String>,
    /// Median over the runs, where the verdict is not UNKNOWN.
    pub seconds: Option<f64>,
    /// Median over the runs that know it.
    pub memory_bytes: Option<u64>,
    pub runs: Vec<Run>,
    /// Statistics of the last run, of an engine.
    pub statistics: Option<Value>,
}

/// The reason for no run at all.
const NOT_TRIED: &str = "not tried: a smaller one of its family was not decided";

impl Measurement {
    /// What the runs come to; at least one.
    pub fn new(name: &str, runs: Vec<Run>, statistics: Option<Value>) -> Self {
        // An undecided run takes forever, so the median tells whether most runs decide.
        let seconds: Vec<f64> = runs
            .iter()
            .map(|r| if r.verdict == Verdict::Unknown { f64::INFINITY } else { r.seconds })
            .collect();
        let memory: Vec<f64> =
            runs.iter().filter_map(|r| r.memory_bytes).map(|bytes| bytes as f64).collect();
        let says = |verdict| runs.iter().any(|r| r.verdict == verdict);
        let contradiction = says(Verdict::Safe) && says(Verdict::Unsafe);
        let seconds = median(&seconds).filter(|s| s.is_finite() && !contradiction);
        let verdict = match seconds {
            None => Verdict::Unknown,
            Some(_) if says(Verdict::Safe) => Verdict::Safe,
            Some(_) => Verdict::Unsafe,
        };
        let reason = if contradiction {
            Some("its runs contradict each other".to_owned())
        } else {
            let undecided = |_: &Verdict| runs.iter().find_map(|r| r.reason.clone());
            Some(&verdict).filter(|v| **v == Verdict::Unknown).and_then(undecided)
        };
        let memory_bytes = median(&memory).map(|bytes| bytes as u64);
        let name = name.to_owned();
        Self { name, verdict, reason, seconds, memory_bytes, runs, statistics }
    }

    /// Nothing was run, for a smaller program of the family was not decided.
    pub fn not_tried(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            verdict: Verdict::Unknown,
            reason: Some(NOT_TRIED.to_owned()),
            seconds: None,
            memory_bytes: None,
            runs: Vec::new(),
            statistics: None,
        }
    }
}

/// All measurements on a file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    pub file: String,
    /// The verdict from elsewhere.
    pub expected: Option<Verdict>,
    /// In the order of the contestants; none where a comparison was interrupted before.
    pub results: Vec<Option<Measurement>>,
}

impl Row {
    /// Has every contestant been measured?
    pub fn is_complete(&self) -> bool {
        self.results.iter().all(Option::is_some)
    }

    /// Median seconds of a contestant, where it has decided.
    pub fn seconds(&self, contestant: usize) -> Option<f64> {
        self.results[contestant].as_ref()?.seconds
    }

    /// The one verdict of all who have one; UNKNOWN also where they disagree.
    pub fn verdict(&self) -> Verdict {
        let mut verdicts = self.verdicts().into_iter().map(|(_, v)| v);
        match verdicts.next() {
            Some(first) if verdicts.all(|v| v == first) => first,
            _ => Verdict::Unknown,
        }
    }

    /// SAFE and UNSAFE, with those who say so: each run counts.
    fn verdicts(&self) -> Vec<(&str, Verdict)> {
        let mut all = Vec::new();
        if let Some(verdict) = self.expected {
            all.push(("expected", verdict));
        }
        for m in self.results.iter().flatten() {
            for run in &m.runs {
                let says = (m.name.as_str(), run.verdict);
                if run.verdict != Verdict::Unknown && !all.contains(&says) {
                    all.push(says);
                }
            }
        }
        all
    }
}

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

/// Everything that has been measured, and what it comes to.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Comparison {
    /// Version of hardbop.
    pub version: &'static str,
    pub options: CompareOptions,
    pub contestants: Vec<Contestant>,
    pub disagreements: Vec<Disagreement>,
    /// Was it ended by Ctrl-C?
    pub interrupted: bool,
    /// In the order of the contestants, over the files on which all were measured.
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
        let version = env!("CARGO_PKG_VERSION");
        Self { version, options, contestants, disagreements, interrupted, scores, growth, files }
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
pub(super) mod tests {
    use super::*;

    pub fn run(verdict: Verdict, seconds: f64) -> Run {
        let reason = (verdict == Verdict::Unknown).then(|| "time limit reached".to_owned());
        Run { verdict, reason, seconds, memory_bytes: Some(1 << 20), defect: false }
    }

    /// A row of `a` and `b`: seconds where they decide SAFE.
    pub fn row(file: &str, seconds: [Option<f64>; 2]) -> Row {
        let results = ["a", "b"].iter().zip(seconds).map(|(name, seconds)| {
            let run = match seconds {
                Some(s) => run(Verdict::Safe, s),
                None => run(Verdict::Unknown, 10.0),
            };
            Some(Measurement::new(name, vec![run], None))
        });
        Row { file: file.to_owned(), expected: None, results: results.collect() }
    }

    pub fn comparison(files: Vec<Row>) -> Comparison {
        let options =
            CompareOptions { time_limit_seconds: 10.0, memory_limit_bytes: None, runs: 1, jobs: 1 };
        let contestants = ["a", "b"].map(|name| Contestant {
            name: name.to_owned(),
            command: format!("{name} <{{}}> & b"),
        });
        Comparison::new(options, contestants.to_vec(), files, true, false)
    }

    #[test]
    fn most_runs_decide() {
        use Verdict::{Safe, Unknown, Unsafe};
        let of = |runs: &[(Verdict, f64)]| {
            let runs = runs.iter().map(|&(v, s)| run(v, s)).collect();
            let m = Measurement::new("a", runs, None);
            (m.verdict, m.seconds, m.reason.is_some())
        };
        assert_eq!(of(&[(Safe, 3.0), (Safe, 1.0), (Safe, 2.0)]), (Safe, Some(2.0), false));
        assert_eq!(of(&[(Unsafe, 3.0), (Unknown, 9.0), (Unsafe, 2.0)]), (Unsafe, Some(3.0), false));
        assert_eq!(of(&[(Unsafe, 3.0), (Unknown, 9.0)]), (Unknown, None, true));
        assert_eq!(of(&[(Unsafe, 3.0), (Safe, 1.0), (Safe, 2.0)]), (Unknown, None, true));
    }

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
