//! The command line of certificates: result lines, exit codes, files.

#[cfg(feature = "c")]
mod adapt;
#[cfg(feature = "c")]
mod c;
#[cfg(feature = "c")]
mod summaries;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::strongest::Reachable;
use hardbop_bp::engine;
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_bp::proof::certificate::{Certificate, Evidence, Property};

const SAFE: &str =
    "decl x, y; void main() begin x := y; while (*) do x, y := y, x; od assert(x = y); end";
const UNSAFE: &str = "decl x;\nvoid main() begin\n  x := *;\n  f(x);\nend\nvoid f(y) begin\n  if (y) then\n    ERROR: skip;\n  fi;\nend\n";

fn hardbop(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("hardbop starts")
}

/// Exit code and last line of standard output.
fn result(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stdout);
    (output.status.code(), text.lines().last().unwrap_or_default().to_owned())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with both programs, a certificate of `unsafe.bp` by hardbop, and one of `safe.bp` that
/// no engine had a part in.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("safe.bp"), SAFE).expect("writes");
    fs::write(folder.path().join("unsafe.bp"), UNSAFE).expect("writes");
    let output = hardbop(folder.path(), &["check", "unsafe.bp", "--certificate", "unsafe.json"]);
    assert_eq!(result(&output), (Some(10), "VERDICT: UNSAFE".into()), "{}", stderr(&output));
    fs::write(folder.path().join("safe.json"), safe_certificate()).expect("writes");
    folder
}

fn safe_certificate() -> String {
    let program = crate::support::program(SAFE);
    let invariant = Reachable::new(&program, 10_000).expect("small").invariant(&program);
    let property = Property::new(&ResolveOptions::default(), Dialect::default());
    let options = engine::Options::default();
    Certificate::new(SAFE, property, &options, Evidence::Safe(invariant))
        .and_then(|c| c.to_json())
        .expect("writable")
}

#[test]
fn valid_certificates() {
    let folder = folder();
    let output = hardbop(folder.path(), &["certify", "unsafe.bp", "unsafe.json"]);
    assert_eq!(result(&output), (Some(0), "CERTIFICATE: VALID (UNSAFE)".into()));
    let output = hardbop(folder.path(), &["certify", "safe.bp", "safe.json"]);
    assert_eq!(result(&output), (Some(0), "CERTIFICATE: VALID (SAFE)".into()));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("entry main, labels ERROR, SLIC_ERROR, assertions"), "{text}");
    assert!(text.contains("queries by varisat"), "not the engine's solver: {text}");
    let output = hardbop(folder.path(), &["certify", "safe.bp", "safe.json", "--sat", "cadical"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("queries by cadical"));
}

#[test]
fn rejected_certificates() {
    let folder = folder();
    let rejected = |arguments: &[&str], why: &str| {
        let output = hardbop(folder.path(), arguments);
        let (code, line) = result(&output);
        assert_eq!(code, Some(1), "{arguments:?}: {line}{}", stderr(&output));
        assert!(line.starts_with("CERTIFICATE: REJECTED (") && line.contains(why), "{line}");
    };
    rejected(&["certify", "safe.bp", "unsafe.json"], "another program");
    rejected(
        &["certify", "unsafe.bp", "unsafe.json", "--ignore-asserts"],
        "assertions are checked",
    );
    rejected(&["certify", "unsafe.bp", "unsafe.json", "--error", "BAD"], "its error labels");
    rejected(&["certify", "unsafe.bp", "unsafe.json", "--entry", "f"], "it starts with 'main'");
    let change = |from: &str, to: &str, name: &str| {
        let text = fs::read_to_string(folder.path().join("unsafe.json")).expect("reads");
        let new = text.replace(from, to);
        assert_ne!(text, new);
        fs::write(folder.path().join(name), new).expect("writes");
    };
    change("\"initial\":[", "\"initial\":[true,", "changed.json");
    rejected(&["certify", "unsafe.bp", "changed.json"], "initial values");
    change("\"entry\":\"main\"", "\"entry\":\"g\"", "changed.json");
    rejected(&["certify", "unsafe.bp", "changed.json"], "no procedure 'g'");
    // Every assertion true.
    let mut value: serde_json::Value =
        serde_json::from_str(&safe_certificate()).expect("a document");
    let assertions = value["invariant"]["layers"][0]["assertions"].as_array_mut().expect("a list");
    assertions.iter_mut().for_each(|a| a["formula"] = 1.into());
    fs::write(folder.path().join("true.json"), value.to_string()).expect("writes");
    rejected(&["certify", "safe.bp", "true.json"], "'main', line 1: assert(x = y): the error");
}

#[test]
fn undecided_within_limits() {
    let folder = folder();
    let arguments = ["certify", "safe.bp", "safe.json", "--time-limit", "0"];
    let output = hardbop(folder.path(), &arguments);
    let line = "CERTIFICATE: UNDECIDED (time limit reached)";
    assert_eq!(result(&output), (Some(20), line.into()));
}

#[test]
fn bad_files_and_usage() {
    let folder = folder();
    fs::write(folder.path().join("cut.json"), &safe_certificate()[..100]).expect("writes");
    fs::write(folder.path().join("bad.bp"), "void main( begin").expect("writes");
    for (arguments, message) in [
        (
            &["certify", "safe.bp", "cut.json"][..],
            "error: cut.json: not a certificate: it is not whole",
        ),
        (&["certify", "safe.bp", "safe.bp"], "not a certificate"),
        (&["certify", "safe.bp", "nowhere.json"], "cannot read 'nowhere.json'"),
        (&["certify", "nowhere.bp", "safe.json"], "cannot read 'nowhere.bp'"),
        (&["certify", "-", "-"], "both need standard input"),
        (
            &["certify", "safe.bp", "safe.json", "--proofs", "p", "--sat", "cadical"],
            "'--sat varisat'",
        ),
        (&["check", "safe.bp", "--certificate", "no/such/c.json"], "cannot write 'no/such/c.json'"),
        (&["check", "safe.bp", "--certificate", "."], "cannot write '.'"),
    ] {
        let output = hardbop(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

/// A list of an object's values, in their order, is no object: the format has none.
#[test]
fn lists_are_no_objects() {
    let folder = folder();
    let unsafe_certificate =
        fs::read_to_string(folder.path().join("unsafe.json")).expect("a certificate");
    let listed = |value: &serde_json::Value| {
        serde_json::Value::Array(value.as_object().expect("an object").values().cloned().collect())
    };
    for (text, program, path) in [
        (safe_certificate(), "safe.bp", ""),
        (safe_certificate(), "safe.bp", "/property"),
        (safe_certificate(), "safe.bp", "/invariant"),
        (safe_certificate(), "safe.bp", "/invariant/layers/0"),
        (safe_certificate(), "safe.bp", "/invariant/layers/0/circuit"),
        (safe_certificate(), "safe.bp", "/invariant/layers/0/assertions/0"),
        (unsafe_certificate.clone(), "unsafe.bp", "/trace"),
        (unsafe_certificate, "unsafe.bp", "/trace/steps/0"),
    ] {
        let mut document: serde_json::Value = serde_json::from_str(&text).expect("a document");
        let found = document.pointer_mut(path).expect("it is there");
        *found = listed(found);
        fs::write(folder.path().join("list.json"), document.to_string()).expect("writes");
        let output = hardbop(folder.path(), &["certify", program, "list.json"]);
        assert_eq!(output.status.code(), Some(2), "{path}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("an object is needed, not a list"), "{path}: {said}");
    }
}

#[test]
fn no_verdict_no_file() {
    let folder = folder();
    let arguments = ["check", "safe.bp", "--certificate", "c.json", "--time-limit", "0"];
    let output = hardbop(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(20));
    assert!(stderr(&output).contains("no certificate is written"), "{}", stderr(&output));
    let names: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|e| e.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    assert_eq!(names.len(), 4, "nothing is left behind: {names:?}");
}

#[test]
fn one_json_document() {
    let folder = folder();
    let output = hardbop(folder.path(), &["certify", "safe.bp", "safe.json", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["result"], "VALID");
    assert_eq!(value["verdict"], "SAFE");
    assert_eq!(value["exit-code"], 0);
    assert_eq!(value["sat"], "varisat");
    assert!(value["effort"]["sat-queries"].as_u64() > Some(0));
}

#[test]
fn proofs_are_written_and_check() {
    let folder = folder();
    let arguments = ["certify", "safe.bp", "safe.json", "--proofs", "proofs"];
    let output = hardbop(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let proofs = folder.path().join("proofs");
    let mut count = 0;
    while let Ok(cnf) = fs::read_to_string(proofs.join(format!("query-{:06}.cnf", count + 1))) {
        count += 1;
        assert!(cnf.starts_with("p cnf "), "{cnf}");
        let drat = proofs.join(format!("query-{count:06}.drat"));
        assert!(drat.is_file());
        let name = format!("proofs/query-{count:06}");
        let arguments = [format!("{name}.cnf"), format!("{name}.drat")];
        let checker = Command::new("drat-trim").args(arguments).current_dir(folder.path()).output();
        match checker {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                assert!(text.contains("s VERIFIED"), "{text}");
            }
            Err(_) => eprintln!("skipped: no program drat-trim"),
        }
    }
    assert!(count > 0);
}

/// Whoever wins a race, and with whatever engine: the certificate proves the verdict.
#[test]
fn engines_and_races() {
    let folder = folder();
    for (bug, code) in [("--safe", 0), ("--bug", 10)] {
        let arguments = ["gen", "driver", "--vars", "24", "--procs", "5", "--seed", "3", bug];
        let program = hardbop(folder.path(), &arguments).stdout;
        fs::write(folder.path().join("driver.bp"), program).expect("writes");
        let configurations = [
            "--engine qbf",
            "--engine universal",
            "--engine bdd",
            "--engine auto",
            "--threads 3",
            "--engine race",
            "--engine race --threads 3",
            "--engine race --threads 4",
            "--engine qbf --plain",
            "--engine bdd --plain",
            "--engine race --threads 4 --plain",
            "--sat varisat",
        ];
        for configuration in configurations {
            let mut arguments = vec!["check", "driver.bp", "--certificate", "driver.json"];
            arguments.extend(configuration.split(' '));
            let output = hardbop(folder.path(), &arguments);
            assert_eq!(output.status.code(), Some(code), "{configuration}: {}", stderr(&output));
            let output = hardbop(folder.path(), &["certify", "driver.bp", "driver.json"]);
            let (code, line) = result(&output);
            assert_eq!(code, Some(0), "{configuration}: {line}");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let own = if configuration.contains("varisat") { "varisat" } else { "cadical" };
            assert!(!text.contains(&format!("by {own}")), "{configuration}: {text}");
        }
    }
}
