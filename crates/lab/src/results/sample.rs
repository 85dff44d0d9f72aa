//! Campaigns for tests.

use super::rows::{Campaign, Finished, Row};
use hardbop_report::document::{Reason, Verdict};

/// A row of a program with the verdict and its seconds.
pub fn row(program: &str, (property, options): (&str, &str), verdict: Verdict, time: f64) -> Row {
    let unknown = verdict == Verdict::Unknown;
    let result = Finished {
        verdict,
        reason: unknown.then(|| Reason::new("time", "time limit reached")),
        seconds: time,
        cpu_seconds: Some(time),
        memory_bytes: Some(10 << 20),
        node: None,
        by_certificate: false,
        part: None,
    };
    Row {
        hash: format!("{program}-{property}-{options}"),
        program: program.to_owned(),
        property: property.to_owned(),
        options: options.to_owned(),
        expected: None,
        result: Some(result),
        has_page: false,
    }
}

pub fn campaign(rows: Vec<Row>) -> Campaign {
    Campaign {
        name: "drivers".to_owned(),
        version: hardbop_base::VERSION,
        time_limit_seconds: 10.0,
        memory_limit_bytes: 1 << 30,
        interrupted: false,
        rows,
    }
}
