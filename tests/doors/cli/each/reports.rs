//! Reports of `--each`: each finding is an entry, with what the lines of standard output say.

use std::collections::BTreeMap;
use std::path::Path;

use scraper::{Html, Selector};
use serde_sarif::sarif::{ResultKind, ResultLevel, Sarif};

use super::*;

const PROGRAM: &str = "#include <assert.h>\nint a[5];\nextern int nondet_int(void);\nint main(void) {\n  \
    int i = nondet_int(), n = nondet_int();\n  if (i < 10) a[i] = 3;\n  n = n + 1;\n  assert(n < 9);\n  \
    for (int k = 0; k < 5; k++) a[k] = i;\n  return 10 / n;\n}\n";

struct Reports {
    /// Kind, text, place and verdict of each line.
    rows: Vec<[String; 4]>,
    sarif: Sarif,
    junit: String,
    page: Html,
}

fn reports(folder: &Path, text: &str, options: &[&str]) -> Reports {
    let [file, sarif, junit, page] = ["p.c", "a.sarif", "a.xml", "a.html"].map(|n| folder.join(n));
    fs::write(&file, text).expect("a file");
    let name = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let [file, to_sarif, to_junit, to_page] = [&file, &sarif, &junit, &page].map(|path| name(path));
    let to = ["--sarif", &to_sarif, "--html", &to_page, &format!("--junit={to_junit}")];
    let check = ["check", &file, "--each", "--check", "overflow,bounds,division", "--json"];
    let out = run(&[&check[..], &to, options].concat(), b"");
    let document: Value =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&out)));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let properties = document["properties"].as_array().expect("a list");
    let rows = properties
        .iter()
        .map(|p| [text(&p["kind"]), text(&p["name"]), text(&p["places"][0]), text(&p["verdict"])]);
    let read = |path: &Path| fs::read_to_string(path).expect("the report is written");
    Reports {
        rows: rows.collect(),
        sarif: serde_json::from_str(&read(&sarif)).expect("it is SARIF"),
        junit: read(&junit),
        page: Html::parse_document(&read(&page)),
    }
}

/// The fingerprint of each result, by its message's check and text.
fn fingerprints(log: &Sarif) -> Vec<BTreeMap<String, String>> {
    let results = log.runs[0].results.iter().flatten();
    results.map(|result| result.partial_fingerprints.clone().expect("fingerprints")).collect()
}

#[test]
fn each_finding_is_an_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    let reports = reports(folder.path(), PROGRAM, &[]);
    let verdicts: Vec<&str> = reports.rows.iter().map(|row| &*row[3]).collect();
    let expected = ["UNSAFE", "UNSAFE", "SAFE", "UNSAFE", "SAFE", "UNSAFE"];
    assert_eq!(verdicts, expected, "{:?}", reports.rows);

    let results: Vec<_> = reports.sarif.runs[0].results.iter().flatten().collect();
    assert_eq!(results.len(), reports.rows.len());
    let rules = ["reachable-error", "signed-overflow", "signed-overflow"];
    let rules = [&rules[..], &["out-of-bounds", "out-of-bounds", "division-by-zero"]].concat();
    for ((result, [_, _, place, verdict]), rule) in results.iter().zip(&reports.rows).zip(rules) {
        assert_eq!(result.rule_id.as_deref(), Some(rule));
        let is_error = verdict == "UNSAFE";
        let kind = if is_error { ResultKind::Fail } else { ResultKind::Pass };
        let level = if is_error { ResultLevel::Error } else { ResultLevel::None };
        assert_eq!((result.kind.clone(), result.level), (Some(kind), Some(level)), "{place}");
        assert_eq!(result.code_flows.is_some(), is_error, "{place}");
        let physical = result.locations.as_ref().and_then(|l| l[0].physical_location.as_ref());
        let region = physical.and_then(|p| p.region.as_ref()).expect("a place");
        let (line, column) = (region.start_line.expect("a line"), region.start_column);
        let end = format!(":{line}:{}", column.expect("a column"));
        assert!(place.ends_with(&end), "{place} and {end}");
    }

    let counts = "tests=\"6\" failures=\"4\" errors=\"0\"";
    assert!(reports.junit.contains(counts), "{}", reports.junit);
    assert_eq!(reports.junit.matches("<testcase ").count(), 6);
    assert!(reports.junit.contains("type=\"division-by-zero\""), "{}", reports.junit);

    assert!(reports.page.errors.is_empty(), "{:?}", reports.page.errors);
    let cells = Selector::parse(".findings tr:not(:first-child)").expect("a selector");
    let rows: Vec<String> = reports.page.select(&cells).map(|row| row.text().collect()).collect();
    assert_eq!(rows.len(), reports.rows.len());
    for (row, said) in rows.iter().zip(&reports.rows) {
        assert!(said.iter().all(|word| row.contains(word)), "{row} and {said:?}");
    }
    let links = Selector::parse(".findings td > a").expect("a selector");
    let anchors: Vec<&str> = reports.page.select(&links).filter_map(|a| a.attr("href")).collect();
    assert_eq!(anchors.len(), rows.len());
    for anchor in anchors {
        let line = Selector::parse(&format!("div.line{anchor}")).expect("a selector");
        assert_eq!(reports.page.select(&line).count(), 1, "{anchor}");
    }
}

/// Who compares the findings of two versions sees which ones are the same.
#[test]
fn fingerprints_stay_where_lines_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let twice = PROGRAM.replace("  n = n + 1;\n", "  n = n + 1;\n  n = n + 1;\n");
    let before = fingerprints(&reports(folder.path(), &twice, &[]).sarif);
    let moved = format!("// one more\n\n{twice}");
    assert_eq!(before, fingerprints(&reports(folder.path(), &moved, &[]).sarif));
    let values: Vec<&String> = before.iter().flat_map(BTreeMap::values).collect();
    let mut different = values.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), values.len(), "{before:?}");
}

#[test]
fn what_is_undecided_is_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let reports = reports(folder.path(), PROGRAM, &["--time-limit", "0s"]);
    let results = reports.sarif.runs[0].results.iter().flatten();
    let kinds: Vec<_> = results.map(|result| result.kind.clone()).collect();
    assert_eq!(kinds, vec![Some(ResultKind::Open); reports.rows.len()]);
    assert!(reports.junit.contains("failures=\"0\" errors=\"6\""), "{}", reports.junit);
    assert!(reports.junit.contains("time limit reached"), "{}", reports.junit);
}
