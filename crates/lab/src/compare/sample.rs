//! Measurements for tests.

use super::comparison::Comparison;
use super::measurement::{CompareOptions, Contestant, Measurement, Row, Run};
use hardbop_report::document::{Reason, Verdict};

pub fn run(verdict: Verdict, seconds: f64) -> Run {
    let reason = (verdict == Verdict::Unknown).then(|| Reason::new("time", "time limit reached"));
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
    let contestants = ["a", "b"]
        .map(|name| Contestant { name: name.to_owned(), command: format!("{name} <{{}}> & b") });
    Comparison::new(options, contestants.to_vec(), files, true, false)
}
