//! What earlier runs have left: predicates to begin with, and certificates.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::Connection;

use super::{LIMITS, campaign, folder, stderr, stdout};

/// A program whose proof by predicates needs some.
const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = !x; y = x; }
  if (y > 1) reach_error();
}
";

/// So that even what is learned by a small program counts.
const WARM: &str = "warm = true
[limits]
time = '20s'
memory = '1G'
[[programs]]
files = ['p.c']
[[options]]
name = 'predicates'
arguments = ['--algorithm', 'predicate', '--explicit-states', '0', '--executions', '0', '--limit', 'routes.cold-work=0']
";

fn store(folder: &Path) -> Connection {
    Connection::open(folder.join("campaign.sqlite")).expect("a store")
}

fn learned(folder: &Path) -> String {
    let packed: Vec<u8> = store(folder)
        .query_row("SELECT learned FROM learned", [], |row| row.get(0))
        .expect("something was learned, of one task");
    let mut text = String::new();
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("packed");
    text
}

fn plant(folder: &Path, text: &str) {
    let mut out = GzEncoder::new(vec![], Compression::default());
    out.write_all(text.as_bytes()).expect("packed");
    let packed = out.finish().expect("packed");
    store(folder).execute("UPDATE learned SET learned = ?", [packed]).expect("changed");
}

/// Verdict, and where it comes from, by program.
fn verdicts(folder: &Path, code: i32) -> Vec<(String, String, String)> {
    let output = campaign(folder, &["--csv", "-"]);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    let text = stdout(&output);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().expect("a header").clone();
    let at = |name: &str| names.iter().position(|n| n == name).expect("a column");
    let columns = ["program", "verdict", "how"].map(at);
    let row = |record: csv::StringRecord| columns.map(|i| record[i].to_owned()).into();
    reader.records().map(|record| row(record.expect("a line"))).collect()
}

fn verdict(folder: &Path) -> String {
    verdicts(folder, 0).remove(0).1
}

#[test]
fn the_next_version_begins_with_what_was_learned() {
    let folder = folder(WARM);
    let folder = folder.path();
    let write = |text: &str| fs::write(folder.join("p.c"), text).expect("written");
    write(PROGRAM);
    assert_eq!(verdict(folder), "SAFE");
    let first = learned(folder);
    assert!(first.starts_with("; learned in "), "{first}");
    // One that nobody would find; another of a variable that is gone; one that is none.
    let own = "(= |main::x| #x0000002a)";
    plant(
        folder,
        &format!("; learned in 1000000 units of work\n{own}\n(= |main::gone| #x00000001)\n"),
    );
    write(&PROGRAM.replace("y = x", "y = x; y = y"));
    assert_eq!(verdict(folder), "SAFE");
    let second = learned(folder);
    assert!(second.contains(own) && !second.contains("gone"), "{second}");
    assert!(second.starts_with("; learned in 1000000 units"), "{second}");
}

#[test]
fn no_verdict_depends_on_what_was_learned() {
    let folder = folder(WARM);
    let folder = folder.path();
    let write = |text: &str| fs::write(folder.join("p.c"), text).expect("written");
    write(PROGRAM);
    assert_eq!(verdict(folder), "SAFE");
    let useless: String = (0..200).map(|i| format!("(= |main::x| #x{i:08x})\n")).collect();
    let cases = [
        // With so little work nothing comes of it.
        "; learned in 1 units of work\n(= |main::x| #x0000002a)\n".to_owned(),
        format!("; learned in 1000 units of work\n{useless}"),
        "; learned in 1000000 units of work\n(= |main::x| false)\n((((\n".to_owned(),
        "; learned in 1000000 units of work\nfalse\n".to_owned(),
    ];
    for (i, text) in cases.iter().enumerate() {
        plant(folder, text);
        write(&PROGRAM.replace("y = x", &format!("y = x; y = y + {i} - {i}")));
        assert_eq!(verdict(folder), "SAFE", "{text}");
    }
    plant(folder, "; learned in 1000000 units of work\n(bvsle |main::y| #x00000001)\nfalse\n");
    write(&PROGRAM.replace("y = x", "y = 2"));
    assert_eq!(verdicts(folder, 10)[0].1, "UNSAFE");
}

/// Two loops that need predicates, each its own.
const TWO: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
void f(void) {
  int a = 0, b = 0;
  while (__VERIFIER_nondet_int()) { a = !a; b = a; }
  if (b > 1) reach_error();
}
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = !x; y = x; }
  if (y > 1) reach_error();
  f();
}
";

/// The predicates in the text, by function.
fn sections(text: &str) -> Vec<(&str, &str)> {
    text.split("; in ").skip(1).filter_map(|section| section.split_once('\n')).collect()
}

#[test]
fn predicates_count_in_their_functions() {
    let folder = folder(WARM);
    let folder = folder.path();
    fs::write(folder.join("p.c"), TWO).expect("written");
    assert_eq!(verdict(folder), "SAFE");
    let first = learned(folder);
    let [("f", of_f), ("main", of_main)] = sections(&first)[..] else { panic!("{first}") };
    assert!(of_f.contains("f::b") && !of_f.contains("main::y"), "{first}");
    assert!(of_main.contains("main::y") && !of_main.contains("f::b"), "{first}");
    // What they begin with stays where it is; the rest counts everywhere.
    let own = "(= |main::x| #x0000002a)";
    let gone = "(= |main::x| #x0000002b)";
    let text = format!("{first}; in f\n{own}\n; in no_longer_there\n{gone}\n");
    plant(folder, &text.replacen(|c: char| c.is_ascii_digit(), "1000000", 1));
    fs::write(folder.join("p.c"), TWO.replace("y = x", "y = x; y = y")).expect("written");
    assert_eq!(verdict(folder), "SAFE");
    let second = learned(folder);
    let with = |what: &str| -> Vec<&str> {
        let found = sections(&second).into_iter().filter(|(_, text)| text.contains(what));
        found.map(|(name, _)| name).collect()
    };
    assert_eq!(with(own), ["f"], "{second}");
    assert!(second.lines().nth(1).is_some_and(|line| line.starts_with(gone)), "{second}");
}

#[test]
fn what_runs_without_a_verdict_have_learned_is_kept() {
    let options = ", '--limit', 'routes.cold-work=0'";
    let folder = folder(&WARM.replace(options, ", '--route', 'tree'"));
    let folder = folder.path();
    // Calls that the tree cannot follow, after the loop.
    let deep = "int f(int n) { if (n <= 0) return 0; return f(n - 1); }\nint main";
    let deep = PROGRAM.replace("int main", deep);
    let end = "if (f(__VERIFIER_nondet_int()) != 0) reach_error();\n}\n";
    let deep = format!("{}{end}", deep.trim_end().trim_end_matches('}'));
    fs::write(folder.join("p.c"), deep).expect("written");
    assert_eq!(verdicts(folder, 20)[0].1, "UNKNOWN");
    let first = learned(folder);
    assert!(first.starts_with("; learned in at least "), "{first}");
    assert!(first.contains("main::y"), "{first}");
    // It is offered, however little work it was.
    let own = "(= |main::x| #x0000002a)";
    for (i, (word, is_offered)) in [("at least ", true), ("", false)].into_iter().enumerate() {
        plant(folder, &format!("; learned in {word}10000 units of work\n{own}\n"));
        let text = PROGRAM.replace("y = x", &format!("y = x; y = y + {i} - {i}"));
        fs::write(folder.join("p.c"), text).expect("written");
        assert_eq!(verdict(folder), "SAFE");
        assert_eq!(learned(folder).contains(own), is_offered, "{word}");
    }
}

#[test]
fn without_warm_nothing_is_kept() {
    let folder = folder(&WARM.replace("warm = true\n", ""));
    fs::write(folder.path().join("p.c"), PROGRAM).expect("written");
    assert_eq!(verdict(folder.path()), "SAFE");
    let count = "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM certificate)";
    let count: i64 = store(folder.path()).query_row(count, [], |row| row.get(0)).expect("a number");
    assert_eq!(count, 0);
}

#[test]
fn another_version_accepts_certificates() {
    let description =
        format!("certificates = true\n{LIMITS}[[programs]]\nfiles = ['*.bp', '*.c']\n");
    let folder = folder(&description);
    let folder = folder.path();
    let how = |program: &str| {
        let all = verdicts(folder, 10);
        let row = all.into_iter().find(|row| row.0 == program).expect("a row");
        format!("{} by {}", row.1, row.2)
    };
    assert_eq!(how("lock-safe.bp"), "SAFE by check");
    assert_eq!(how("send-queue.c"), "SAFE by check");
    // What another version has found has another fingerprint: to this one there are no results.
    let other = || store(folder).execute("DELETE FROM result", []).expect("changed");
    other();
    assert_eq!(how("lock-safe.bp"), "SAFE by certificate");
    assert_eq!(how("send-queue.c"), "SAFE by certificate");
    assert_eq!(how("bisect.c"), "UNSAFE by check");
    // It stays what it is.
    assert_eq!(how("send-queue.c"), "SAFE by certificate");
    // Another text is another question.
    let bad = fs::read_to_string(folder.join("send-queue-bug.c")).expect("a program");
    fs::write(folder.join("send-queue.c"), bad).expect("written");
    assert_eq!(how("send-queue.c"), "UNSAFE by check");
    // A certificate of another program proves nothing.
    let store_of_both = store(folder);
    // As they were: rows are changed one after the other, in any order.
    let keep = "CREATE TEMP TABLE was AS SELECT question, certificate FROM certificate";
    store_of_both.execute(keep, []).expect("kept");
    let lend = "UPDATE certificate SET certificate = (SELECT certificate FROM was \
                WHERE was.question <> certificate.question)";
    assert_eq!(store_of_both.execute(lend, []).expect("changed"), 2);
    drop(store_of_both);
    other();
    assert_eq!(how("lock-safe.bp"), "SAFE by check");
}

/// A proof by enumeration of states, which leaves no predicates.
const MODES: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int mode = 3;
  while (__VERIFIER_nondet_int()) { if (mode == 3) mode = 5; else if (mode == 5) mode = 7; else mode = 3; }
  if (mode > 7) { BAD: reach_error(); }
}
";

#[test]
fn an_edited_program_needs_no_new_proof() {
    let properties = "[[properties]]\nname = 'label'\nerror = ['BAD']\n";
    let programs = format!("{LIMITS}[[programs]]\nfiles = ['p.c']\n");
    let folder = folder(&format!("certificates = true\n{programs}{properties}"));
    let folder = folder.path();
    let how = |text: &str, code: i32| {
        fs::write(folder.join("p.c"), text).expect("written");
        let row = verdicts(folder, code).remove(0);
        format!("{} by {}", row.1, row.2)
    };
    let count = || -> i64 {
        let count = "SELECT count(*) FROM certificate";
        store(folder).query_row(count, [], |row| row.get(0)).expect("a number")
    };
    // A proof as short as this one is rather found again.
    let slow = || {
        store(folder).execute("UPDATE proved SET seconds = 9", []).expect("changed");
    };
    assert_eq!(how(MODES, 0), "SAFE by check");
    slow();
    let edits = [("mode = 7", "mode = 6"), ("mode = 3;", "mode = 2 + 1;"), ("mode", "state")];
    let mut edited = MODES.to_owned();
    for (old, new) in edits {
        edited = edited.replace(old, new);
        assert_eq!(how(&edited, 0), "SAFE by certificate");
        // The new one is in the place of the old one.
        assert_eq!(count(), 1);
    }
    let bad = edited.replace("state = 6", "state = 8");
    assert_eq!(how(&bad, 10), "UNSAFE by check");
    // It was kept, and has a result; the next one has another text.
    let last = edited.replace("2 + 1", "1 + 2");
    assert_eq!(how(&last, 0), "SAFE by certificate");
    // What is asked under the same name is something else now.
    let other = "[[properties]]\nname = 'label'\nerror = ['BAD', 'WORSE']\n";
    let description = format!("certificates = true\n{programs}{other}");
    fs::write(folder.join("campaign.toml"), description).expect("written");
    let both = last.replace("BAD:", "BAD: WORSE:");
    assert_eq!(how(&both, 0), "SAFE by check");
    slow();
    assert_eq!(how(&both.replace("state > 7", "state > 4"), 10), "UNSAFE by check");
}

#[test]
fn a_planted_certificate_gives_no_verdict() {
    let folder = folder(&format!("certificates = true\n{LIMITS}[[programs]]\nfiles = ['p.c']\n"));
    let folder = folder.path();
    let write = |text: &str| fs::write(folder.join("p.c"), text).expect("written");
    write(MODES);
    assert_eq!(verdicts(folder, 0)[0].1, "SAFE");
    for (i, text) in ["", "{}", "no certificate"].into_iter().enumerate() {
        let mut out = GzEncoder::new(vec![], Compression::default());
        out.write_all(text.as_bytes()).expect("packed");
        let packed = out.finish().expect("packed");
        let planted = store(folder).execute("UPDATE certificate SET certificate = ?", [packed]);
        assert_eq!(planted.expect("changed"), 1);
        store(folder).execute("UPDATE proved SET seconds = 9", []).expect("changed");
        write(&MODES.replace("mode = 7", &format!("mode = {i}")));
        let row = verdicts(folder, 0).remove(0);
        assert_eq!((&*row.1, &*row.2), ("SAFE", "check"));
    }
}
