//! What somebody tries first: seventeen small programs, each safe, and with a mistake where `BUG`
//! is 1, as their texts say.

use std::path::Path;

use super::{hardbop, run};

fn verdict(file: &str, bug: &str) -> String {
    let shown = run(&["check", file, "-D", bug, "--trace", "none", "--time-limit", "60s"], b"");
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn are_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/newcomers");
    let files = std::fs::read_dir(&folder).expect("a folder");
    let mut files: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    files.sort();
    assert_eq!(files.len(), 17);
    let mut wrong = vec![];
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let path = file.to_str().expect("UTF-8");
        let found = verdict(path, "BUG=1");
        if found != "VERDICT: UNSAFE" {
            wrong.push(format!("{name} with its bug: {found}"));
        }
        let found = verdict(path, "BUG=0");
        if found != "VERDICT: SAFE" {
            wrong.push(format!("{name}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The proof that loops have small bounds, as a certificate: another solver accepts it, and no
/// smaller bound.
#[test]
fn certificates_of_bounded_loops() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("sort.json");
    let certificate = certificate.to_str().expect("UTF-8");
    let sort = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/newcomers/sort.c");
    let given = ["check", sort, "-D", "BUG=0", "--certificate", certificate];
    assert_eq!(run(&given, b"").status.code(), Some(0));
    let text = std::fs::read_to_string(certificate).expect("a certificate");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let rounds = document["proof"]["rounds"].as_u64().expect("a bound");
    assert_eq!(document["proof"]["states"], serde_json::json!([]));
    let certify = |given: &[&str]| {
        let output = hardbop(&[&["certify", sort, certificate], given].concat()).output();
        String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned()
    };
    let accepted = certify(&["-D", "BUG=0"]);
    assert!(accepted.contains("CERTIFICATE: VALID (SAFE)"), "{accepted}");
    document["proof"]["rounds"] = (rounds - 1).into();
    std::fs::write(certificate, document.to_string()).expect("a file");
    let rejected = certify(&["-D", "BUG=0"]);
    assert!(rejected.contains("CERTIFICATE: REJECTED"), "{rejected}");
}
