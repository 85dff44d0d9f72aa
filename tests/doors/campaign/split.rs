//! Tasks that are divided: the first answer counts, the others are cancelled, and there is one row.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::{LIMITS, campaign, folder, rows, stderr, stdout};

/// The tree cannot follow calls that deep, and Boolean programs are none of the steps beside it.
const DEEP: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }
";
const ONLY_TREE: &str = "arguments = ['--strategy', 'tree.json']\n";
const STEPS: &str = r#"{"auto": [{"do": "executions"}, {"do": "tree"}]}"#;

/// There is one execution, whose states do not come again, and it takes the interpreter a while to
/// give up.
const ENDLESS: &str = "extern void reach_error(void);
int main(void) { int x = 0; unsigned long y = 1; while (1) { y = y * 6364136223846793005ul + 1; if (x != 0) reach_error(); } }
";

const TWO: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  if (x > y) { if (y > x) reach_error(); }
  if (x == y) { if (x != y) reach_error(); }
}
";

fn group(options: &str) -> String {
    format!("split = true\n{LIMITS}[[programs]]\nfiles = ['p.c']\n{options}")
}

fn store(folder: &Path) -> Connection {
    Connection::open(folder.join("campaign.sqlite")).expect("a store")
}

/// The only row: verdict, reason, and where the verdict comes from.
fn row(folder: &Path, code: i32, arguments: &[&str]) -> [String; 3] {
    let output = campaign(folder, &[arguments, &["--csv", "-"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    let text = stdout(&output);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records: Vec<_> = reader.records().map(|r| r.expect("a line")).collect();
    assert_eq!(records.len(), 1, "{text}");
    let count = "SELECT (SELECT count(*) FROM result), (SELECT count(*) FROM part)";
    let counts = store(folder).query_row(count, [], |r| Ok((r.get(0)?, r.get(1)?)));
    assert_eq!(counts, Ok((1, 0)), "one result, and nothing left of the parts");
    [3, 4, 11].map(|i| records[0][i].to_owned())
}

/// The task has ended at its limits already, as it was asked.
fn undecided_so_far(folder: &Path) {
    row(folder, 20, &[]);
    let change = "UPDATE result SET time_limit = 1000, part = NULL";
    assert_eq!(store(folder).execute(change, []).expect("changed"), 1);
}

#[test]
fn another_way_decides_where_the_usual_one_does_not() {
    let folder = folder(&group(ONLY_TREE).replace("split = true\n", ""));
    let folder = folder.path();
    fs::write(folder.join("p.c"), DEEP).expect("written");
    fs::write(folder.join("tree.json"), STEPS).expect("written");
    let [verdict, reason, how] = row(folder, 20, &[]);
    assert_eq!((verdict.as_str(), how.as_str()), ("UNKNOWN", "check"));
    assert!(reason.starts_with("more than 64 calls"), "{reason}");
    // What was found without parts is known, and only they are run.
    let [verdict, _, how] = row(folder, 0, &["--split"]);
    assert_eq!((verdict.as_str(), how.as_str()), ("SAFE", "part programs"));
    assert_eq!(row(folder, 0, &[])[0], "SAFE");
}

#[test]
fn the_first_answer_ends_the_other_runs() {
    let folder = folder(&group("").replace("20s", "300s"));
    let folder = folder.path();
    let steps = "arguments = ['--limit', 'routes.only-execution-steps=1000000000000']\n";
    let description = group(steps).replace("20s", "300s");
    fs::write(folder.join("campaign.toml"), description).expect("written");
    fs::write(folder.join("p.c"), ENDLESS).expect("written");
    // The whole task would take the 300 s.
    let [verdict, _, how] = row(folder, 0, &["--jobs", "2"]);
    assert_eq!((verdict.as_str(), how.as_str()), ("SAFE", "part predicates"));
}

#[test]
fn properties_are_decided_one_by_one() {
    // With a route that is chosen there are no other ways.
    let description = group("arguments = ['--route', 'tree']\n");
    let folder = folder(&description.replace("20s", "1ms"));
    let folder = folder.path();
    fs::write(folder.join("p.c"), TWO).expect("written");
    undecided_so_far(folder);
    fs::write(folder.join("campaign.toml"), &description).expect("written");
    let [verdict, _, how] = row(folder, 0, &[]);
    let expected = "part error at p.c:4:27, error at p.c:5:29";
    assert_eq!((verdict.as_str(), how.as_str()), ("SAFE", expected));
    // An error of one of them is one of the program.
    fs::write(folder.join("p.c"), TWO.replace("x != y", "x == 7")).expect("written");
    fs::write(folder.join("campaign.toml"), description.replace("20s", "1ms")).expect("written");
    fs::remove_file(folder.join("campaign.sqlite")).expect("removed");
    undecided_so_far(folder);
    fs::write(folder.join("campaign.toml"), &description).expect("written");
    let [verdict, _, how] = row(folder, 10, &[]);
    assert_eq!((verdict.as_str(), how.as_str()), ("UNSAFE", "part error at p.c:5:29"));
}

#[test]
fn without_any_answer_the_reasons_of_all_are_told() {
    let folder = folder(&group("").replace("20s", "1ms"));
    let folder = folder.path();
    fs::write(folder.join("p.c"), TWO).expect("written");
    let [verdict, reason, how] = row(folder, 20, &[]);
    assert_eq!((verdict.as_str(), how.as_str()), ("UNKNOWN", "part all"));
    assert_eq!(reason, "time limit reached, by all of 6 parts");
    // It is known now; and with a higher limit it is not.
    let before = rows(folder, 20, &[]);
    assert_eq!(rows(folder, 20, &["--split"]), before);
    fs::write(folder.join("campaign.toml"), group("")).expect("written");
    assert_eq!(row(folder, 0, &[])[0], "SAFE");
}

/// The options of parts, as the store names them.
const IMPACT: &str = "--executions=0\n--explicit-states=0\n--route=tree\n--algorithm=impact";
const PROGRAMS: &str = "--executions=0\n--route=bp";

/// Plants the result of a part, as a campaign leaves it that was killed.
fn plant(folder: &Path, options: &str, verdict: &str) {
    let sql = "INSERT INTO part SELECT hash, ?, ?, ?, 'planted', 9.5, NULL, NULL, NULL, 0, NULL, 1000, 0 FROM result";
    let code = (verdict == "UNKNOWN").then_some("time");
    let changed = store(folder).execute(sql, rusqlite::params![options, verdict, code]);
    assert_eq!(changed.expect("changed"), 1);
}

/// A campaign whose task has no verdict yet.
fn killed() -> tempfile::TempDir {
    let made = folder(&group("").replace("20s", "1ms"));
    let folder = made.path();
    fs::write(folder.join("p.c"), TWO).expect("written");
    undecided_so_far(folder);
    fs::write(folder.join("campaign.toml"), group("")).expect("written");
    made
}

#[test]
fn a_campaign_goes_on_with_the_parts_that_it_has() {
    let folder = killed();
    let folder = folder.path();
    plant(folder, IMPACT, "SAFE");
    plant(folder, PROGRAMS, "UNKNOWN");
    // Nothing is run, for the times are those that were planted.
    let [verdict, _, how] = row(folder, 0, &[]);
    assert_eq!((verdict.as_str(), how.as_str()), ("SAFE", "part impact"));
    let seconds: f64 =
        store(folder).query_row("SELECT seconds FROM result", [], |r| r.get(0)).expect("a time");
    assert!((seconds - 9.5).abs() < 1e-9);
}

#[test]
fn parts_that_disagree_are_told() {
    let folder = killed();
    let folder = folder.path();
    plant(folder, IMPACT, "SAFE");
    plant(folder, PROGRAMS, "UNSAFE");
    let [verdict, reason, _] = row(folder, 70, &[]);
    assert_eq!(verdict, "ERROR");
    assert_eq!(reason, "the parts of the task disagree: SAFE by impact, UNSAFE by programs");
}
