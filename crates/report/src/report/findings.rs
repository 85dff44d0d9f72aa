//! Reports of many findings: a result, or a test, for each property.

use serde_json::{Value, json};

use super::junit::{Test, suite};
use super::rule::{Rule, statement};
use super::sarif::{Log, flow, message, physical};
use crate::document::Verdict;
use crate::kept::{EACH, Gone};
use crate::properties::{Properties, Property, position};

impl Properties {
    /// SARIF 2.1.0 with a result for each property: its kind is "fail" for an error, whose code flow is the way into it, "pass" for
    /// what is proved, and "open" for what is undecided. Where an earlier run is asked, each has a `baselineState`, and what only that
    /// run had is "absent"; where something is silenced, each has `suppressions`, most of them none.
    #[must_use]
    pub fn sarif(&self) -> String {
        let is_any_silenced = self.properties.iter().any(|p| p.silenced.is_some());
        let listed = self.properties.iter().map(|property| {
            let mut result = result(property);
            // All results have it, or none.
            if is_any_silenced {
                result["suppressions"] = suppressions(property);
            }
            result
        });
        let results: Vec<Value> = listed
            .chain(self.absent().map(|gone| {
                let mut result = absent(gone);
                if is_any_silenced {
                    result["suppressions"] = json!([]);
                }
                result
            }))
            .collect();
        let mut properties = json!({
            "verdict": self.verdict_line().trim_end(),
            "assumptions": self.assumptions(),
        });
        if let Some(counts) = &self.counts {
            properties["counts"] = json!(counts);
        }
        let log = Log {
            version: self.version,
            verdict: self.verdict,
            exit_code: None,
            notes: self.warnings().into_iter().map(|warning| ("warning", warning)).collect(),
            files: self.files.iter().map(String::as_str).collect(),
            results,
            properties,
        };
        log.text()
    }

    /// JUnit's XML with a test for each property, which passes where it is SAFE.
    #[must_use]
    pub fn junit(&self, wall_seconds: f64) -> String {
        let notes = [self.warnings(), self.assumptions()].concat();
        let told: Vec<[String; 2]> = self
            .properties
            .iter()
            .map(|property| {
                let trace = property.trace().map_or_else(String::new, |trace| trace.text());
                [statement(property), trace]
            })
            .collect();
        let tests = self.properties.iter().zip(&told).enumerate();
        let tests: Vec<Test> = tests
            .map(|(number, (property, [sentence, trace]))| Test {
                name: format!("{} {} {}", property.kind.name(), property.name, property.place())
                    .trim_end()
                    .to_owned(),
                seconds: property.seconds,
                place: property.positions().next().map(|(file, line, _)| (file, line)),
                result: property.verdict,
                skipped: property.mark().filter(|_| !property.is_new()),
                wrong: [property.code, sentence, trace],
                // They are those of all.
                notes: notes.iter().filter(|_| number == 0).map(String::as_str).collect(),
            })
            .collect();
        suite(self.files.first().map_or("program", String::as_str), &tests, wall_seconds)
    }
}

/// The kind and the level of a result.
fn kind(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Safe => ("pass", "none"),
        Verdict::Unsafe => ("fail", "error"),
        Verdict::Unknown => ("open", "none"),
    }
}

fn result(property: &Property) -> Value {
    let rule = Rule::of_property(property);
    let (kind, level) = kind(property.verdict);
    let trace = property.trace();
    let text = trace.as_ref().map_or_else(|| statement(property) + ".", message);
    let locations = property.positions().map(
        |(file, line, column)| json!({ "physicalLocation": physical(file, line, Some(column)) }),
    );
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": rule.index(),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": locations.collect::<Vec<_>>(),
        "properties": { "check": property.kind.name(), "text": property.name },
    });
    if let Some(fingerprint) = &property.fingerprint {
        result["partialFingerprints"] = json!({ EACH: fingerprint });
    }
    if let Some(state) = property.baseline_state {
        result["baselineState"] = state.word().into();
    }
    if let Some(trace) = &trace {
        result["codeFlows"] = json!([flow(None, trace)]);
    }
    result
}

/// The comment that silences a finding, as a list of one; of what is proved, and of what none silences, none.
fn suppressions(property: &Property) -> Value {
    let Some(silence) = property.silenced.as_ref().filter(|_| property.verdict != Verdict::Safe)
    else {
        return json!([]);
    };
    let mut one = json!({ "kind": "inSource", "justification": silence.reason });
    if let Some((file, line, column)) = position(&silence.place) {
        one["location"] = json!({ "physicalLocation": physical(file, line, Some(column)) });
    }
    json!([one])
}

/// A result of an earlier run that this one has not.
fn absent(gone: &Gone) -> Value {
    let (kind, level) = kind(gone.verdict);
    json!({
        "ruleId": gone.code,
        "kind": kind,
        "level": level,
        "message": { "text": gone.message },
        "locations": gone.locations,
        "partialFingerprints": { EACH: gone.fingerprint },
        "baselineState": "absent",
        "properties": { "text": gone.name },
    })
}
