//! Comments that silence findings, with a reason.

use serde_sarif::sarif::Sarif;

use super::*;

const PROGRAM: &str = "#include <assert.h>\n#define TEXT \"// hardbop: ignore null\"\nint a[5];\nextern int nondet_int(void);\n\
    int main(void) {\n  int i = nondet_int(); /* one\n  line */ int n = nondet_int();\n  \
    // hardbop: ignore bounds: the caller checks i\n  if (i < 10) a[i] = 3;\n  \
    n = n + 1; /* hardbop: ignore overflow, division: n is\n              small, as it counts files */\n  \
    assert(n < 9);\n  return 10 / n;\n}\n";

fn written(folder: &std::path::Path, text: &str) -> String {
    let file = folder.join("p.c");
    fs::write(&file, text).expect("a file");
    file.to_str().expect("a name").to_owned()
}

#[test]
fn a_silenced_finding_is_listed_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), PROGRAM);
    let report = folder.path().join("a.sarif");
    let report = report.to_str().expect("a name");
    let check = ["check", &file, "--each", "--check", "overflow,bounds,division"];
    let junit = folder.path().join("a.xml");
    let to = ["--sarif", report, "--junit", junit.to_str().expect("a name")];
    let out = run(&[&check[..], &to].concat(), b"");
    let said = stdout(&out);
    assert!(said.contains("p.c:9:17   UNSAFE  silenced: the caller checks i\n"), "{said}");
    assert!(said.contains("UNSAFE  silenced: n is small, as it counts files\n"), "{said}");
    assert!(said.contains("\nfindings: 2 not silenced, 2 silenced\nVERDICT: UNSAFE\n"), "{said}");
    assert_eq!(code(&out), Some(10));
    let idle = "p.c:10:14: 'ignore division' silences nothing: there is no such finding";
    assert!(stderr(&out).contains(idle), "{}", stderr(&out));

    let junit = fs::read_to_string(junit).expect("a report");
    assert!(junit.contains("skipped=\"2\" tests=\"4\" failures=\"2\""), "{junit}");
    assert!(junit.contains("<skipped message=\"silenced: the caller checks i: "), "{junit}");

    let log: Sarif =
        serde_json::from_str(&fs::read_to_string(report).expect("a report")).expect("SARIF");
    let results: Vec<_> = log.runs[0].results.iter().flatten().collect();
    let silences: Vec<Vec<Option<String>>> = results
        .iter()
        .map(|result| result.suppressions.iter().flatten().map(|s| s.justification.clone()))
        .map(Iterator::collect)
        .collect();
    let why = |reason: &str| vec![Some(reason.to_owned())];
    let [i, n] = [why("the caller checks i"), why("n is small, as it counts files")];
    assert_eq!(silences, [vec![], n, i, vec![]]);
    assert!(
        results
            .iter()
            .all(|result| result.suppressions.is_some() && result.baseline_state.is_none())
    );
    let one = &results[2].suppressions.as_ref().expect("one")[0];
    let value = serde_json::to_value(one).expect("JSON");
    assert_eq!(value["kind"], "inSource");
    assert_eq!(value["location"]["physicalLocation"]["region"]["startLine"], 8);
}

/// A silenced error is one: what is silenced makes no program SAFE.
#[test]
fn the_verdict_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "int a[5];\nint main(int argc, char **argv) {\n  a[argc] = 1; // hardbop: ignore bounds: known\n  return 0;\n}\n";
    let file = written(folder.path(), text);
    let check = ["check", &file, "--each", "--check", "bounds"];
    for (options, exit) in [(&[][..], 10), (&["--fail-on", "new"], 0), (&["--fail-on", "any"], 10)]
    {
        let out = run(&[&check[..], options].concat(), b"");
        assert_eq!((last_line(&out).as_str(), code(&out)), ("VERDICT: UNSAFE", Some(exit)));
        assert!(
            stdout(&out).contains("findings: 0 not silenced, 1 silenced\n"),
            "{}",
            stdout(&out)
        );
    }
    let out = run(&["check", &file, "--check", "bounds", "-q"], b"");
    assert_eq!((last_line(&out).as_str(), code(&out)), ("VERDICT: UNSAFE", Some(10)));
    // What is proved needs no comment.
    let file = written(folder.path(), &text.replace("argc]", "argc & 3]"));
    let out = run(&["check", &file, "--each", "--check", "bounds"], b"");
    assert_eq!((last_line(&out).as_str(), code(&out)), ("VERDICT: SAFE", Some(0)));
    let idle = "p.c:3:20: 'ignore bounds' silences nothing: it is proved";
    assert!(stderr(&out).contains(idle), "{}", stderr(&out));
    assert!(!stdout(&out).contains("silenced:"), "{}", stdout(&out));
}

#[test]
fn labels_and_assertions_of_boolean_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("p.bp");
    let text = PROGRAM_OF_TWO.replace("X", "// hardbop: ignore label: as expected\n");
    fs::write(&file, text.replace("Y", "// hardbop: ignore assertion: it may")).expect("a file");
    let out = run(&["check", file.to_str().expect("a name"), "--each"], b"");
    let said = stdout(&out);
    assert!(said.contains("UNSAFE  silenced: as expected\n"), "{said}");
    assert!(said.contains("UNSAFE  silenced: it may\n"), "{said}");
    assert!(said.contains("\nfindings: 0 not silenced, 2 silenced\n"), "{said}");
}

const PROGRAM_OF_TWO: &str = "decl x;\nvoid main() begin\n  x := *;\n  assert(x); Y\n  x := *;\n  if (x) then\n    X ERROR: skip;\n  fi;\nend\n";

#[test]
fn a_wrong_comment_is_a_mistake() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <assert.h>\nint main(void) {\n  // hardbop: ignore bound: i is small\n  assert(1);\n  \
                assert(1); // hardbop: ignore assertion\n  return 0;\n}\n";
    let file = written(folder.path(), text);
    for more in [&["--each"][..], &["--each", "--entry", "*"]] {
        let out = run(&[&["check", &file], more].concat(), b"");
        let said = stderr(&out);
        assert_eq!(code(&out), Some(2), "{said}");
        assert!(stdout(&out).is_empty(), "{}", stdout(&out));
        for words in [
            "there is no kind 'bound' of findings",
            "p.c:3:22",
            "did you mean 'bounds'?",
            "this comment gives no reason",
            "p.c:5:26",
            "'hardbop: ignore assertion: REASON'",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
    }
    // Without a list of findings, it is a comment.
    let out = run(&["check", &file], b"");
    assert_eq!(code(&out), Some(0), "{}", stderr(&out));
}
