//! Measurements: the runs of each contestant on each file.

use serde::Serialize;
use serde_json::Value;

use super::score::median;
use hardbop_report::document::{Reason, Verdict};

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
    /// The command that is run; `{}` is the file.
    pub command: String,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Run {
    pub verdict: Verdict,
    /// Why the verdict is UNKNOWN.
    pub reason: Option<Reason>,
    /// Seconds from the start of the process to its end.
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
    pub reason: Option<Reason>,
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
    /// The measurement that these runs give; at least one.
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
            Some(Reason::new("contradiction", "its runs contradict each other"))
        } else {
            let undecided = |_: &Verdict| runs.iter().find_map(|r| r.reason.clone());
            Some(&verdict).filter(|v| **v == Verdict::Unknown).and_then(undecided)
        };
        let memory_bytes = median(&memory).map(|bytes| bytes as u64);
        let name = name.to_owned();
        Self { name, verdict, reason, seconds, memory_bytes, runs, statistics }
    }

    /// The measurement without a run, because a smaller member of the family was not decided.
    pub fn not_tried(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            verdict: Verdict::Unknown,
            reason: Some(Reason::new("not-tried", NOT_TRIED)),
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
    /// The measurements in the order of the contestants; none where a comparison was interrupted
    /// before.
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
    pub(super) fn verdicts(&self) -> Vec<(&str, Verdict)> {
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

#[cfg(test)]
mod tests {
    use super::super::sample::run;
    use super::*;

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
}
