//! SARIF 2.1.0, the format of static analysis results that code scanning reads: an error is a
//! result whose code flow is the way into it.

use serde_json::{Value, json};

use super::rule::{Rule, file, rules, sentence};
use crate::document::{Document, Verdict};
use crate::trace::{Step, Trace};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Steps of a code flow: front ends give up on very long ones.  Longer ways keep their start and
/// their end.
const STEPS: usize = 5_000;

impl Document {
    /// The log of one run.  A program that is SAFE has no results; why a verdict is UNKNOWN is a
    /// notification.
    ///
    /// ```
    /// use hardbop_base::{budget::Budget, source::Source};
    /// use hardbop_report::document::RunOptions;
    /// use hardbop_session::check::check_bp;
    ///
    /// let source = Source::new("lock.bp", "decl held;\nvoid main() begin assert(!held); end");
    /// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
    /// let log: serde_json::Value = serde_json::from_str(&answer.sarif())?;
    /// let result = &log["runs"][0]["results"][0];
    /// assert_eq!(result["ruleId"], "reachable-error");
    /// assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sarif(&self) -> String {
        written(self)
    }
}

fn written(document: &Document) -> String {
    let all: Vec<Value> = rules()
        .map(|rule| {
            json!({
                "id": rule.id,
                "name": rule.title,
                "shortDescription": { "text": rule.title },
                "fullDescription": { "text": rule.description },
                "defaultConfiguration": { "level": "error" },
                "properties": { "tags": [format!("external/cwe/cwe-{}", rule.cwe)] },
            })
        })
        .collect();
    let results: Vec<Value> = document.trace.iter().map(|t| result(document, t)).collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "hardbop",
            "version": document.version,
            "semanticVersion": document.version,
            "rules": all,
        } },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation(document)],
        "results": results,
        "properties": {
            "verdict": document.verdict_line,
            "property": document.property,
            "assumptions": document.assumptions,
        },
    });
    let files =
        document.files.iter().chain(document.file.iter().filter(|_| document.files.is_empty()));
    let artifacts: Vec<Value> = files.map(|f| json!({ "location": { "uri": uri(f) } })).collect();
    if !artifacts.is_empty() {
        run["artifacts"] = artifacts.into();
    }
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    format!("{log:#}\n")
}

fn invocation(document: &Document) -> Value {
    let note = |level: &str, text: &str| json!({ "level": level, "message": { "text": text } });
    let warnings = document.warnings.iter().map(|w| note("warning", w));
    let reason = document.reason.iter().map(|r| note("error", &format!("UNKNOWN: {}", r.message)));
    let notes: Vec<Value> = reason.chain(warnings).collect();
    let mut invocation = json!({
        "executionSuccessful": document.verdict != Verdict::Unknown,
        "toolExecutionNotifications": notes,
    });
    if let Some(code) = document.exit_code {
        invocation["exitCode"] = code.into();
    }
    invocation
}

fn result(document: &Document, trace: &Trace) -> Value {
    let rule = Rule::of(trace);
    let steps = &trace.steps;
    let (start, end) = match steps.len().checked_sub(STEPS) {
        None => (steps.as_slice(), &[][..]),
        Some(_) => (&steps[..STEPS / 2], &steps[steps.len() - STEPS / 2..]),
    };
    let flow: Vec<Value> = start
        .iter()
        .chain(end)
        .enumerate()
        .map(|(number, step)| {
            let is_important = step.kind.is_error() || !step.changed.is_empty();
            let state: serde_json::Map<String, Value> =
                step.changed.iter().map(|v| (v.name.clone(), json!({ "text": v.value }))).collect();
            json!({
                "location": location(document, trace, step, true),
                "executionOrder": number + 1,
                "nestingLevel": step.depth,
                "importance": if is_important { "essential" } else { "important" },
                "state": state,
            })
        })
        .collect();
    let mut text = sentence(trace) + ".";
    for input in &trace.inputs {
        text.push_str(&format!(" Input {} = {}.", input.name, input.value));
        if text.len() > 1_000 {
            text.push_str(" ...");
            break;
        }
    }
    json!({
        "ruleId": rule.id,
        "ruleIndex": rules().position(|r| r == rule),
        "level": "error",
        "kind": "fail",
        "message": { "text": text },
        "locations": steps.last().map(|s| location(document, trace, s, false)).into_iter().collect::<Vec<_>>(),
        "codeFlows": [{ "threadFlows": [{ "locations": flow }] }],
    })
}

/// The place of a step; with what happens there.
fn location(document: &Document, trace: &Trace, step: &Step, with_words: bool) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "name": step.function, "kind": "function" }],
    });
    if let (Some(file), Some(line)) = (file(document, trace, step), step.line) {
        let mut region = json!({ "startLine": line });
        if let Some(column) = step.column {
            region["startColumn"] = column.into();
        }
        location["physicalLocation"] =
            json!({ "artifactLocation": { "uri": uri(file) }, "region": region });
    }
    if with_words {
        let values = step.new_values();
        let separator = if values.is_empty() { "" } else { "; " };
        let text = format!("{}{separator}{values}", step.words());
        location["message"] = json!({ "text": text });
    }
    location
}

/// A path as a reference to a resource (RFC 3986): absolute ones as `file:///...`.
fn uri(path: &str) -> String {
    let escaped: String = path
        .bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(b).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect();
    if escaped.starts_with('/') { format!("file://{escaped}") } else { escaped }
}
