//! Reports: SARIF is read by a library that was made from its schema, JUnit's XML by a parser; both
//! say what `--json` says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use serde_sarif::sarif::{ResultKind, Sarif};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name)
}

fn hardbop(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("check").arg(file).args(arguments);
    command.output().expect("hardbop runs")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the report is written")
}

/// Checks a program; its document, SARIF log and JUnit report.
fn reports(file: &Path, arguments: &[&str]) -> (Value, Sarif, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (sarif, junit) = (folder.path().join("a.sarif"), folder.path().join("a.xml"));
    let paths = [sarif.to_str().expect("text"), junit.to_str().expect("text")];
    let all = [arguments, &["--json", "--sarif", paths[0], "--junit", paths[1]]].concat();
    let output = hardbop(&all, file);
    let document = serde_json::from_slice(&output.stdout).expect("--json prints JSON");
    let log = serde_json::from_str(&read(&sarif)).expect("it is SARIF");
    (document, log, read(&junit))
}

#[test]
fn an_error_is_a_result_with_the_way_into_it() {
    for name in ["lock-unsafe.bp", "send-queue-bug.c"] {
        let (document, log, junit) = reports(&example(name), &[]);
        assert_eq!(document["verdict"], "UNSAFE");
        let run = &log.runs[0];
        let result = &run.results.as_ref().expect("results")[0];
        assert_eq!(result.rule_id.as_deref(), Some("reachable-error"));
        assert_eq!(result.kind, Some(ResultKind::Fail));
        let flow = &result.code_flows.as_ref().expect("flows")[0].thread_flows[0].locations;
        let steps = document["trace"]["steps"].as_array().expect("steps");
        assert_eq!(flow.len(), steps.len());
        for (there, step) in flow.iter().zip(steps) {
            let place = there.location.as_ref().and_then(|l| l.physical_location.as_ref());
            let line = place.and_then(|p| p.region.as_ref()?.start_line);
            assert_eq!(line.map(Value::from).as_ref(), step.get("line"));
        }
        let last = &result.locations.as_ref().expect("places")[0];
        let region = last.physical_location.as_ref().and_then(|p| p.region.as_ref());
        let line = region.and_then(|r| r.start_line).expect("a line");
        assert_eq!(Some(&Value::from(line)), steps.last().map(|s| &s["line"]));
        assert!(junit.contains("failures=\"1\" errors=\"0\""), "{junit}");
        assert!(junit.contains(&format!("line=\"{line}\"")), "{junit}");
    }
}

#[test]
fn what_is_safe_has_no_results_and_passes() {
    let (document, log, junit) = reports(&example("lock-safe.bp"), &[]);
    assert_eq!(document["verdict"], "SAFE");
    assert!(log.runs[0].results.as_ref().is_some_and(Vec::is_empty));
    assert!(junit.contains("failures=\"0\" errors=\"0\"") && !junit.contains("<failure"));
}

/// Also of a run that the guard ends.
#[test]
fn what_is_unknown_is_no_success() {
    let (document, log, junit) = reports(&example("lock-safe.bp"), &["--time-limit", "0s"]);
    assert_eq!(document["verdict"], "UNKNOWN");
    let invocation = &log.runs[0].invocations.as_ref().expect("an invocation")[0];
    assert!(!invocation.execution_successful);
    let notes = invocation.tool_execution_notifications.as_ref().expect("notes");
    let text = notes[0].message.text.as_deref().expect("words");
    assert_eq!(
        Some(text),
        document["reason"]["message"].as_str().map(|m| format!("UNKNOWN: {m}")).as_deref()
    );
    assert!(junit.contains("<error type=\"time\""), "{junit}");
}

#[test]
fn signs_of_xml_and_odd_names_are_written_so_that_they_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a<&\" b.bp");
    fs::write(&file, "void main() begin assert(F & T); end").expect("it is written");
    let (_, log, junit) = reports(&file, &[]);
    assert!(junit.contains("a&lt;&amp;&quot; b.bp") && junit.contains("F &amp; T"), "{junit}");
    let results = log.runs[0].results.as_ref().expect("results");
    let place = results[0].locations.as_ref().and_then(|l| l[0].physical_location.as_ref());
    let uri = place.and_then(|p| p.artifact_location.as_ref()?.uri.clone()).expect("a place");
    assert!(uri.starts_with("file:///") && uri.ends_with("/a%3C%26%22%20b.bp"), "{uri}");
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_run() {
    let output = hardbop(&["--sarif", "/nowhere/at/all.sarif"], &example("lock-safe.bp"));
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("/nowhere/at/all.sarif"), "{message}");
}
