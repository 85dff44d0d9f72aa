//! Reports of many findings: a result, or a test, for each property.

use serde_json::{Value, json};
use std::collections::BTreeMap;

use super::junit::{Test, suite};
use super::rule::{Rule, statement};
use super::sarif::{Log, fingerprint, flow, message, physical};
use crate::document::Verdict;
use crate::properties::{Properties, Property};

impl Properties {
    /// SARIF 2.1.0 with a result for each property: its kind is "fail" for an error, whose code flow is the way into it, "pass" for
    /// what is proved, and "open" for what is undecided.
    #[must_use]
    pub fn sarif(&self) -> String {
        // Where a text is more than once in a file, its number tells which it is.
        let mut seen: BTreeMap<[&str; 3], usize> = BTreeMap::new();
        let results = self.properties.iter().map(|property| {
            let file = property.positions().next().map_or("", |(file, ..)| file);
            let words = [property.kind.name(), file, property.name.as_str()];
            let number = seen.entry(words).or_default();
            *number += 1;
            let number = number.to_string();
            result(property, fingerprint(&[&words[..], &[number.as_str()]].concat()))
        });
        let results: Vec<Value> = results.collect();
        let log = Log {
            version: self.version,
            verdict: self.verdict,
            exit_code: None,
            notes: self.warnings().into_iter().map(|warning| ("warning", warning)).collect(),
            files: self.files.iter().map(String::as_str).collect(),
            results,
            properties: json!({
                "verdict": self.verdict_line().trim_end(),
                "assumptions": self.assumptions(),
            }),
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
                wrong: [property.code, sentence, trace],
                // They are those of all.
                notes: notes.iter().filter(|_| number == 0).map(String::as_str).collect(),
            })
            .collect();
        suite(self.files.first().map_or("program", String::as_str), &tests, wall_seconds)
    }
}

fn result(property: &Property, fingerprint: Value) -> Value {
    let rule = Rule::of_property(property);
    let (kind, level) = match property.verdict {
        Verdict::Safe => ("pass", "none"),
        Verdict::Unsafe => ("fail", "error"),
        Verdict::Unknown => ("open", "none"),
    };
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
        "partialFingerprints": fingerprint,
        "properties": { "check": property.kind.name(), "text": property.name },
    });
    if let Some(trace) = &trace {
        result["codeFlows"] = json!([flow(None, trace)]);
    }
    result
}
