//! SARIF 2.1.0, the format of static analysis results that code scanning reads: an error is a
//! result whose code flow is the way into it.

use serde_json::{Value, json};

use super::rule::{Rule, file, rules, sentence};
use crate::document::{Document, Verdict};
use crate::kept::fingerprint;
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

/// What the log of a run consists of, besides what is always there.
pub(super) struct Log<'a> {
    pub version: &'a str,
    pub verdict: Verdict,
    pub exit_code: Option<u8>,
    /// Levels and texts.
    pub notes: Vec<(&'a str, String)>,
    pub files: Vec<&'a str>,
    pub results: Vec<Value>,
    pub properties: Value,
}

impl Log<'_> {
    /// The log as text.
    pub fn text(self) -> String {
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
        let note =
            |(level, text): &(&str, String)| json!({ "level": level, "message": { "text": text } });
        let mut invocation = json!({
            "executionSuccessful": self.verdict != Verdict::Unknown,
            "toolExecutionNotifications": self.notes.iter().map(note).collect::<Vec<_>>(),
        });
        if let Some(code) = self.exit_code {
            invocation["exitCode"] = code.into();
        }
        let mut run = json!({
            "tool": { "driver": {
                "name": "hardbop",
                "version": self.version,
                "semanticVersion": self.version,
                "rules": all,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": self.results,
            "properties": self.properties,
        });
        let artifact = |file: &&str| json!({ "location": { "uri": uri(file) } });
        let artifacts: Vec<Value> = self.files.iter().map(artifact).collect();
        if !artifacts.is_empty() {
            run["artifacts"] = artifacts.into();
        }
        let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
        format!("{log:#}\n")
    }
}

fn written(document: &Document) -> String {
    let reason = document.reason.iter().map(|r| ("error", format!("UNKNOWN: {}", r.message)));
    let warnings = document.warnings.iter().map(|w| ("warning", w.clone()));
    let first = document.file.iter().filter(|_| document.files.is_empty());
    let program = document.file.as_deref();
    let log = Log {
        version: document.version,
        verdict: document.verdict,
        exit_code: document.exit_code,
        notes: reason.chain(warnings).collect(),
        files: document.files.iter().chain(first).map(String::as_str).collect(),
        results: document.trace.iter().map(|trace| result(program, trace)).collect(),
        properties: json!({
            "verdict": document.verdict_line,
            "property": document.property,
            "assumptions": document.assumptions,
        }),
    };
    log.text()
}

/// The result of a trace, whose kind is "fail".
fn result(program: Option<&str>, trace: &Trace) -> Value {
    let rule = Rule::of(trace);
    let last = trace.steps.last();
    let print = last.map(|last| {
        let file = file(program, trace, last).unwrap_or("");
        json!({ "hardbop/v1": fingerprint(&[rule.id, file, &last.function, &last.text]) })
    });
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": rule.index(),
        "level": "error",
        "kind": "fail",
        "message": { "text": message(trace) },
        "locations": last.map(|s| location(program, trace, s, false)).into_iter().collect::<Vec<_>>(),
        "codeFlows": [flow(program, trace)],
    });
    if let Some(print) = print {
        result["partialFingerprints"] = print;
    }
    result
}

/// The error in a sentence, with the inputs that lead to it.
pub(super) fn message(trace: &Trace) -> String {
    let mut text = sentence(trace) + ".";
    for input in &trace.inputs {
        text.push_str(&format!(" Input {} = {}.", input.name, input.value));
        if text.len() > 1_000 {
            text.push_str(" ...");
            break;
        }
    }
    text
}

/// The way into an error.
pub(super) fn flow(program: Option<&str>, trace: &Trace) -> Value {
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
                "location": location(program, trace, step, true),
                "executionOrder": number + 1,
                "nestingLevel": step.depth,
                "importance": if is_important { "essential" } else { "important" },
                "state": state,
            })
        })
        .collect();
    json!({ "threadFlows": [{ "locations": flow }] })
}

/// The place of a step; with what happens there.
fn location(program: Option<&str>, trace: &Trace, step: &Step, with_words: bool) -> Value {
    let mut location = json!({
        "logicalLocations": [{ "name": step.function, "kind": "function" }],
    });
    if let (Some(file), Some(line)) = (file(program, trace, step), step.line) {
        location["physicalLocation"] = physical(file, line, step.column);
    }
    if with_words {
        let values = step.new_values();
        let separator = if values.is_empty() { "" } else { "; " };
        let text = format!("{}{separator}{values}", step.words());
        location["message"] = json!({ "text": text });
    }
    location
}

/// A place in a text.
pub(super) fn physical(file: &str, line: usize, column: Option<usize>) -> Value {
    let mut region = json!({ "startLine": line });
    if let Some(column) = column {
        region["startColumn"] = column.into();
    }
    json!({ "artifactLocation": { "uri": uri(file) }, "region": region })
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
