//! Diagnostics of findings: what a report in SARIF says, so that an editor shows what code scanning would.
//!
//! Errors are errors, with the way into them as related places; what is undecided is information. What is proved, silenced by a
//! comment or known from an earlier run is not shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString,
    Range, Uri,
};
use serde_json::Value;

use super::place::{Extent, Files};

/// Steps of a way that are shown: longer ones keep their start and their end.
const STEPS: usize = 100;

/// How a report gives as a reason that a run was asked to end.
const INTERRUPTED: &str = ": interrupted.";

/// What is found in a file, and in those that it includes.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub files: BTreeMap<PathBuf, Vec<Diagnostic>>,
    /// What is to be known besides: warnings, and what verdicts take for granted.
    pub notes: Vec<String>,
}

impl Found {
    pub fn add(&mut self, path: &Path, diagnostic: Diagnostic) {
        self.files.entry(path.to_owned()).or_default().push(diagnostic);
    }

    /// Adds that a file was not checked, and why.
    pub fn unchecked(&mut self, path: &Path, why: &str) {
        let message = format!("not checked: {why}");
        let severity = DiagnosticSeverity::INFORMATION;
        self.add(path, diagnostic(Range::default(), severity, "not-checked", message));
    }
}

/// A diagnostic of hardbop, with the kind of what it is about.
pub(super) fn diagnostic(
    range: Range,
    severity: DiagnosticSeverity,
    code: &str,
    message: String,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("hardbop".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// What the log of a run on this file says; the time for it may have been over.
pub(super) fn found(log: &Value, path: &Path, over: Option<Duration>, files: &mut Files) -> Found {
    let run = &log["runs"][0];
    let mut all = Found::default();
    // What is undecided of the whole program comes together.
    let mut open = vec![];
    for result in list(&run["results"]).iter().filter(|result| is_shown(result)) {
        let is_open = text(&result["kind"]) == "open";
        let mut message = text(&result["message"]["text"]).to_owned();
        if let (Some(time), Some(rest)) = (over, message.strip_suffix(INTERRUPTED)) {
            message = format!("{rest}: {}.", words_of_time(time));
        }
        let steps = list(&result["codeFlows"][0]["threadFlows"][0]["locations"]);
        let last = steps.last().map(|step| &step["location"]);
        let mut locations = last.into_iter().chain(list(&result["locations"]));
        let Some((at, position)) = locations.find_map(|location| place(location, files)) else {
            if is_open {
                open.push(message);
            } else {
                let (severity, code) = (DiagnosticSeverity::ERROR, text(&result["ruleId"]));
                all.add(path, diagnostic(Range::default(), severity, code, message));
            }
            continue;
        };
        let named = text(&result["properties"]["text"]);
        let range = files.range(&at, position, Extent::Text(named));
        let severity =
            if is_open { DiagnosticSeverity::INFORMATION } else { DiagnosticSeverity::ERROR };
        let mut shown = diagnostic(range, severity, text(&result["ruleId"]), message);
        shown.code_description = weakness(run, result);
        shown.related_information = (!steps.is_empty()).then(|| related(steps, files));
        all.add(&at, shown);
    }
    if !open.is_empty() {
        let (severity, message) = (DiagnosticSeverity::INFORMATION, open.join("\n"));
        all.add(path, diagnostic(Range::default(), severity, "undecided", message));
    }
    let warnings = list(&run["invocations"][0]["toolExecutionNotifications"]);
    let warnings =
        warnings.iter().map(|note| format!("warning: {}", text(&note["message"]["text"])));
    let assumed = list(&run["properties"]["assumptions"]);
    let assumed = assumed.iter().map(|note| format!("assumed: {}", text(note)));
    all.notes = warnings.chain(assumed).collect();
    all
}

/// That the time is over, as a reason.
pub(super) fn words_of_time(time: Duration) -> String {
    format!("the time for the file, {} s, is over", time.as_secs_f64())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Whether somebody has to look at it.
fn is_shown(result: &Value) -> bool {
    let is_new = matches!(text(&result["baselineState"]), "" | "new");
    let is_silenced = !list(&result["suppressions"]).is_empty();
    matches!(text(&result["kind"]), "fail" | "open") && is_new && !is_silenced
}

/// The file of a location, with line and column.
fn place(location: &Value, files: &Files) -> Option<(PathBuf, (usize, usize))> {
    let physical = &location["physicalLocation"];
    let path = files.of_uri(physical["artifactLocation"]["uri"].as_str()?)?;
    let number = |name: &str| physical["region"][name].as_u64().and_then(|n| n.try_into().ok());
    Some((path, (number("startLine")?, number("startColumn").unwrap_or(1))))
}

/// The page on the weakness that the kind of error is.
fn weakness(run: &Value, result: &Value) -> Option<CodeDescription> {
    let rules = list(&run["tool"]["driver"]["rules"]);
    let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"])?;
    let mut tags = list(&rule["properties"]["tags"]).iter().map(text);
    let number = tags.find_map(|tag| tag.strip_prefix("external/cwe/cwe-"))?;
    let href = format!("https://cwe.mitre.org/data/definitions/{number}.html");
    Some(CodeDescription { href: Uri::from_str(&href).ok()? })
}

/// The steps that have places, each with what happens there.
fn related(steps: &[Value], files: &mut Files) -> Vec<DiagnosticRelatedInformation> {
    let (start, end) = match steps.len() {
        few if few <= STEPS => (steps, &[][..]),
        many => (&steps[..STEPS / 2], &steps[many - STEPS / 2..]),
    };
    let left_out = steps.len() - start.len() - end.len();
    let mut all = vec![];
    for (number, step) in start.iter().chain(end).enumerate() {
        let location = &step["location"];
        let Some((path, at)) = place(location, files) else { continue };
        let Some(location_there) = files.location(&path, at, Extent::Text("")) else { continue };
        let mut message = text(&location["message"]["text"]).to_owned();
        if left_out > 0 && number == start.len() {
            message = format!("({left_out} steps are left out) {message}");
        }
        all.push(DiagnosticRelatedInformation { location: location_there, message });
    }
    all
}
