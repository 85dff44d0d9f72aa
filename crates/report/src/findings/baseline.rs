//! The findings of an earlier run, from the SARIF that it wrote.

use std::collections::{BTreeMap, BTreeSet};

use hardbop_base::source::from_json;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::document::Verdict;
use crate::kept::{EACH, Earlier, Gone};
use crate::properties::Property;

/// The version of SARIF that is read.
const VERSION: &str = "2.1.0";

/// The findings of an earlier run, by their fingerprints.
///
/// ```
/// use hardbop_report::findings::Baseline;
///
/// let log = r#"{ "version": "2.1.0", "runs": [{ "results": [] }] }"#;
/// assert!(Baseline::read(log.as_bytes()).is_ok());
/// assert!(Baseline::read(b"[]").is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Baseline {
    findings: BTreeMap<String, Gone>,
}

/// Why a text is no baseline.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BaselineError {
    #[error("it is no SARIF: {0}")]
    Malformed(String),
    #[error("it is SARIF {0}, and {VERSION} is read")]
    Version(String),
    #[error(
        "none of its results has a fingerprint '{EACH}'; 'check --each --sarif FILE' writes them"
    )]
    Foreign,
}

/// As much of a log as counts here.
#[derive(Deserialize)]
struct Log {
    version: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    results: Option<Vec<Listed>>,
}

/// A result.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Listed {
    kind: String,
    rule_id: String,
    message: Message,
    locations: Vec<Value>,
    baseline_state: String,
    partial_fingerprints: BTreeMap<String, String>,
    properties: Bag,
}

impl Default for Listed {
    fn default() -> Self {
        Self {
            // SARIF says so.
            kind: "fail".to_owned(),
            rule_id: String::new(),
            message: Message::default(),
            locations: vec![],
            baseline_state: String::new(),
            partial_fingerprints: BTreeMap::new(),
            properties: Bag::default(),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message {
    text: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Bag {
    text: String,
}

impl Baseline {
    /// Reads the SARIF of an earlier run. Results that were absent there count for nothing.
    ///
    /// # Errors
    /// It is no SARIF 2.1.0, or that of a tool whose results cannot be compared.
    pub fn read(bytes: &[u8]) -> Result<Self, BaselineError> {
        let log: Log = from_json(bytes).map_err(BaselineError::Malformed)?;
        if log.version != VERSION {
            return Err(BaselineError::Version(log.version));
        }
        let mut findings: BTreeMap<String, Gone> = BTreeMap::new();
        let mut has_others = false;
        let results = log.runs.into_iter().filter_map(|run| run.results).flatten();
        for mut listed in results.filter(|listed| listed.baseline_state != "absent") {
            let Some(fingerprint) = listed.partial_fingerprints.remove(EACH) else {
                has_others = true;
                continue;
            };
            let verdict = match listed.kind.as_str() {
                "fail" => Verdict::Unsafe,
                "pass" => Verdict::Safe,
                _ => Verdict::Unknown,
            };
            let finding = Gone {
                fingerprint: fingerprint.clone(),
                code: listed.rule_id,
                name: listed.properties.text,
                places: listed.locations.iter().filter_map(place).collect(),
                verdict,
                message: listed.message.text,
                locations: listed.locations,
            };
            // Of several runs, an error counts wherever it was found.
            let is_worse = |other: &Gone| verdict.severity() > other.verdict.severity();
            if findings.get(&fingerprint).is_none_or(is_worse) {
                findings.insert(fingerprint, finding);
            }
        }
        if findings.is_empty() && has_others {
            return Err(BaselineError::Foreign);
        }
        Ok(Self { findings })
    }

    /// Says of properties what the earlier run says of them.
    pub fn tell(&self, properties: &mut [Property]) {
        for property in properties {
            let found = property.fingerprint.as_ref().and_then(|print| self.findings.get(print));
            property.earlier =
                found.map_or(Earlier::Unknown, |found| Earlier::Known(found.verdict));
        }
    }

    /// The errors and undecided findings of the earlier run that are proved now, or are not there any more.
    #[must_use]
    pub fn gone(&self, properties: &[Property]) -> Vec<Gone> {
        let left = properties.iter().filter(|p| p.verdict != Verdict::Safe);
        let left: BTreeSet<&String> = left.filter_map(|p| p.fingerprint.as_ref()).collect();
        let all = self.findings.values();
        all.filter(|f| f.verdict != Verdict::Safe && !left.contains(&f.fingerprint))
            .cloned()
            .collect()
    }
}

/// A location as URI:LINE:COLUMN.
fn place(location: &Value) -> Option<String> {
    let physical = &location["physicalLocation"];
    let (uri, region) = (physical["artifactLocation"]["uri"].as_str()?, &physical["region"]);
    let number = |key: &str| region[key].as_u64().map_or_else(String::new, |n| format!(":{n}"));
    Some(format!("{uri}{}{}", number("startLine"), number("startColumn")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(results: &str) -> String {
        format!("{{\"version\": \"2.1.0\", \"runs\": [{{\"results\": [{results}]}}]}}")
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let other = log("{\"message\": {\"text\": \"no\"}}");
        let fails = |text: &str| Baseline::read(text.as_bytes()).expect_err("it is none");
        assert_eq!(fails(&other), BaselineError::Foreign);
        let old = other.replace("2.1.0", "2.0.0");
        assert_eq!(fails(&old), BaselineError::Version("2.0.0".to_owned()));
        for text in ["", "7", "{\"version\": \"2.1.0\"}", "{\"runs\": []}"] {
            assert!(matches!(fails(text), BaselineError::Malformed(_)), "{text}");
        }
    }

    #[test]
    fn the_worst_of_equal_findings_counts_and_absent_ones_do_not() {
        let of = |kind: &str, print: &str, more: &str| {
            format!(
                "{{\"kind\": \"{kind}\", \"partialFingerprints\": {{\"{EACH}\": \"{print}\"}}{more}}}"
            )
        };
        let absent = of("fail", "c", ", \"baselineState\": \"absent\"");
        let all = [of("pass", "a", ""), of("fail", "a", ""), of("pass", "b", ""), absent];
        let baseline = Baseline::read(log(&all.join(",")).as_bytes()).expect("a baseline");
        let gone = baseline.gone(&[]);
        let prints: Vec<&str> = gone.iter().map(|gone| gone.fingerprint.as_str()).collect();
        assert_eq!(prints, ["a"]);
    }
}
