//! `hardbop compare`: tables and documents, disagreement, peers and their limits, order.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const SAFE: &str = "void main() begin decl x; x := T; assert(x); end";
const UNSAFE: &str = "void main() begin decl x; x := *; assert(x); end";

/// A folder with a safe and an unsafe program.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("safe.bp"), SAFE).expect("it can be written");
    fs::write(folder.path().join("unsafe.bp"), UNSAFE).expect("it can be written");
    folder
}

fn compare(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .arg("compare")
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("hardbop runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

/// The document, where the exit code is as expected.
fn document(folder: &Path, code: i32, arguments: &[&str]) -> Value {
    let output = compare(folder, &[arguments, &["--json", "-"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("one JSON document")
}

/// Verdicts by file, then by contestant.
fn verdicts(document: &Value) -> Vec<Vec<&str>> {
    let length = |value: &Value| value.as_array().expect("a list").len();
    let of = |file: usize, result: usize| &document["files"][file]["results"][result]["verdict"];
    (0..length(&document["files"]))
        .map(|f| {
            let results = 0..length(&document["files"][f]["results"]);
            results.map(|r| of(f, r).as_str().expect("a verdict")).collect()
        })
        .collect()
}

fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines().map(|l| l.split_whitespace().collect()).collect()
}

#[test]
fn a_table_of_all_engines() {
    let folder = folder();
    let output = compare(folder.path(), &["safe.bp", "unsafe.bp"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let text = stdout(&output);
    let lines = words(&text);
    let head: Vec<&str> = lines[0].iter().copied().filter(|w| *w != "memory").collect();
    // All that `--engine` knows.
    let help =
        Command::new(env!("CARGO_BIN_EXE_hardbop")).args(["check", "--engine", "?", "x"]).output();
    let known = stderr(&help.expect("hardbop runs"));
    for engine in &head[2..] {
        assert!(known.contains(engine), "{engine}: {known}");
    }
    let count =
        known.lines().find(|l| l.contains("possible values")).expect("a list").matches(',').count()
            + 1;
    assert_eq!(head.len(), count + 2, "{text}\n{known}");
    assert_eq!(lines[1][..2], ["safe.bp", "SAFE"]);
    assert_eq!(lines[2][..2], ["unsafe.bp", "UNSAFE"]);
    assert!(lines.iter().any(|l| l.starts_with(&["auto", "2", "of", "2"])), "{text}");
}

#[test]
fn documents_are_well_formed() {
    let folder = folder();
    let arguments = ["unsafe.bp", "safe.bp", "--engines", "qbf,auto", "--runs", "3"];
    let files = ["--csv", "r.csv", "--html", "r.html", "--svg", "plots"];
    let document = document(folder.path(), 0, &[&arguments[..], &files].concat());
    assert_eq!(verdicts(&document), [["UNSAFE", "UNSAFE"], ["SAFE", "SAFE"]]);
    let result = &document["files"][0]["results"][1];
    assert_eq!(result["name"], "auto");
    assert_eq!(result["runs"].as_array().map(Vec::len), Some(3));
    assert!(result["statistics"]["path-edges"].is_u64(), "{result}");
    let mut seconds: Vec<f64> = result["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|r| r["seconds"].as_f64().expect("a number"))
        .collect();
    seconds.sort_by(f64::total_cmp);
    assert_eq!(result["seconds"].as_f64(), Some(seconds[1]), "the median");
    assert_eq!(document["scores"][0]["solved"], 2);

    let text = fs::read_to_string(folder.path().join("r.csv")).expect("a CSV file");
    let records: Vec<csv::StringRecord> = csv::Reader::from_reader(text.as_bytes())
        .into_records()
        .collect::<Result<_, _>>()
        .expect("lines of the same length");
    let fields: Vec<[&str; 4]> = records.iter().map(|r| [&r[0], &r[1], &r[2], &r[3]]).collect();
    assert_eq!(fields.len(), 2 * 2 * 3);
    assert!(fields.contains(&["unsafe.bp", "auto", "3", "UNSAFE"]), "{text}");

    let page = fs::read_to_string(folder.path().join("r.html")).expect("a page");
    assert_eq!(page.matches("<svg").count(), 2, "a cactus and a scatter plot");
    assert!(!page.contains("http://") || !page.contains("src="), "nothing is loaded");
    for word in ["prefers-color-scheme", "files decided", "time of qbf", "time of auto"] {
        assert!(page.contains(word), "{word}");
    }
    balanced(&page);
    for plot in ["cactus.svg", "scatter-qbf-auto.svg"] {
        balanced(&fs::read_to_string(folder.path().join("plots").join(plot)).expect("a plot"));
    }
}

/// Are elements closed in the order in which they were opened?
fn balanced(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in text.split('<').skip(1) {
        let tag = part.split('>').next().unwrap_or("");
        let name = tag.split([' ', '/', '\n']).next().unwrap_or("");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{tag}");
        } else if !tag.ends_with('/') && !tag.starts_with(['!', '?']) && name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_peer_that_lies_is_found_out() {
    let folder = folder();
    let output = compare(
        folder.path(),
        &["safe.bp", "--engines", "auto", "--peer", "liar=echo VERDICT: UNSAFE"],
    );
    assert_eq!(output.status.code(), Some(70));
    let message = "DISAGREEMENT on safe.bp: SAFE says auto; UNSAFE says liar";
    assert!(stdout(&output).contains(message), "{}", stdout(&output));
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
}

#[test]
fn known_verdicts_count_as_well() {
    let folder = folder();
    let list = |lines: &str| fs::write(folder.path().join("expected.tsv"), lines).expect("written");
    list("file\tverdict\nsafe.bp\tsafe\nunsafe.bp\tunknown\n");
    let document = document(folder.path(), 0, &["safe.bp", "unsafe.bp", "--engines", "auto"]);
    assert_eq!(document["files"][0]["expected"], "SAFE");
    assert!(document["files"][1]["expected"].is_null());
    list("unsafe.bp\tsafe\n");
    let output = compare(folder.path(), &["unsafe.bp", "--engines", "auto"]);
    assert_eq!(output.status.code(), Some(70));
    assert!(
        stderr(&output).contains("SAFE says expected; UNSAFE says auto"),
        "{}",
        stderr(&output)
    );
    list("x\tsafe\nsafe.bp\tmaybe\n");
    let output = compare(folder.path(), &["safe.bp"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected.tsv:2:"), "{}", stderr(&output));
}

#[test]
fn expressions_read_the_verdicts_of_peers() {
    let folder = folder();
    let peers = ["--engines", "auto", "--peer", "a=echo proved", "--peer", "b=echo fine"];
    let expressions = ["--peer-safe", "^fine$", "--peer-safe", "a=^proved$"];
    let found = document(folder.path(), 0, &[&["safe.bp"], &peers[..], &expressions].concat());
    assert_eq!(verdicts(&found), [["SAFE", "SAFE", "SAFE"]]);
    // Without them there is no verdict, and the reason says what there was.
    let found = document(folder.path(), 0, &[&["safe.bp"], &peers[..]].concat());
    assert_eq!(verdicts(&found), [["SAFE", "UNKNOWN", "UNKNOWN"]]);
    assert_eq!(found["files"][0]["results"][1]["reason"]["message"], "no verdict: proved");
}

#[test]
fn a_peer_gets_the_file_by_name_or_as_its_input() {
    let folder = folder();
    let peers = ["--peer", "name=grep -q 'x := T' {}", "--peer", "input=sed 's/.*:= T.*/SAFE/'"];
    let found =
        document(folder.path(), 0, &[&["safe.bp", "--engines", "auto"], &peers[..]].concat());
    assert_eq!(verdicts(&found), [["SAFE", "UNKNOWN", "SAFE"]]);
}

#[test]
fn a_peer_is_ended_with_its_children_at_the_limit() {
    let folder = folder();
    let script = "peer=sh -c 'sleep 1000 & echo $! > child; wait; echo SAFE'";
    let start = Instant::now();
    let found = document(
        folder.path(),
        0,
        &["safe.bp", "--engines", "auto", "--peer", script, "--time-limit", "500ms"],
    );
    assert!(start.elapsed() < Duration::from_secs(100), "it is not waited for");
    assert_eq!(verdicts(&found), [["SAFE", "UNKNOWN"]]);
    assert_eq!(found["files"][0]["results"][1]["reason"]["code"], "time");
    let child = fs::read_to_string(folder.path().join("child")).expect("the peer was there");
    // A process that is gone, or that nobody has buried yet; it may take a moment to die.
    let dead = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    let patience = Instant::now() + Duration::from_secs(100);
    while !dead() {
        assert!(Instant::now() < patience, "the child goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_peer_is_ended_at_the_memory_limit() {
    if !Path::new("/proc/self/stat").exists() {
        return eprintln!("skipped: memory of processes is not known here");
    }
    let folder = folder();
    // The shell doubles a word until it is ended.
    let script = "peer=sh -c 'x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; test ${#x} -lt 100000000 || sleep 1000; done'";
    let arguments = ["safe.bp", "--engines", "auto", "--peer", script];
    let limits = ["--memory-limit", "60M", "--time-limit", "60s"];
    let found = document(folder.path(), 0, &[&arguments[..], &limits].concat());
    let result = &found["files"][0]["results"][1];
    assert_eq!(result["reason"]["code"], "memory");
    assert!(result["memory-bytes"].as_u64() > Some(60 << 20), "{result}");
}

#[test]
fn the_order_is_the_same_each_time() {
    let folder = folder();
    for name in ["f-2.bp", "f-10.bp", "f-1.bp"] {
        fs::copy(folder.path().join("safe.bp"), folder.path().join(name)).expect("copied");
    }
    let log = |file: &str| {
        let peer = |name: &str| format!("{name}=sh -c 'echo {name} {{}} >> {file}; echo SAFE'");
        let (a, b) = (peer("a"), peer("b"));
        let files = ["f-10.bp", "f-2.bp", "f-1.bp", "--growth", "--engines", "auto", "--runs", "2"];
        document(folder.path(), 0, &[&files[..], &["--peer", &a, "--peer", &b]].concat());
        fs::read_to_string(folder.path().join(file)).expect("a log")
    };
    let first = log("first");
    assert_eq!(first, log("second"));
    let files: Vec<&str> = first.lines().filter_map(|l| l.split_once(' ')).map(|l| l.1).collect();
    let expected = [["f-1.bp"; 4], ["f-2.bp"; 4], ["f-10.bp"; 4]].concat();
    assert_eq!(files, expected, "all runs of a file, then those of the next larger one");
    let names: Vec<&str> = first.lines().filter_map(|l| l.split_once(' ')).map(|l| l.0).collect();
    assert_ne!(names[..2], ["a", "a"], "in turn");
}

#[test]
fn who_fails_on_a_member_is_not_run_on_larger_ones() {
    let folder = folder();
    for name in ["f-1.bp", "f-2.bp", "f-3.bp", "g-3.bp"] {
        fs::copy(folder.path().join("safe.bp"), folder.path().join(name)).expect("copied");
    }
    let files = ["f-1.bp", "f-2.bp", "f-3.bp", "g-3.bp", "--growth", "--engines", "auto"];
    // Decides members 1 only.
    let peer = "peer=sh -c 'echo {} >> log; case {} in *-1.bp) echo SAFE;; esac'";
    let found = document(folder.path(), 0, &[&files[..], &["--peer", peer]].concat());
    assert_eq!(
        fs::read_to_string(folder.path().join("log")).expect("a log"),
        "f-1.bp\nf-2.bp\ng-3.bp\n"
    );
    assert_eq!(found["growth"][0]["family"], "f");
    assert!(found["growth"][0]["points"][1]["seconds"][1].is_null());
    assert_eq!(found["growth"][0]["points"].as_array().map(Vec::len), Some(3));
}

/// Programs with the names of known peers that look at what they get.
#[cfg(unix)]
fn fakes(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, mode).expect("a program");
    };
    fs::create_dir(folder.join("bin")).expect("a folder");
    write("bin/z3", "grep -q HORN \"$1\" && echo unsat");
    let circuit = "grep -q ^aig program.aig &&";
    let told = "echo 'Output 0 of miter \"program\" was asserted in frame 2.  Time = 0.00 sec'";
    write(
        "bin/berkeley-abc",
        &format!("[ \"$1 $2\" = '-c read program.aig; pdr' ] && {circuit} {told}"),
    );
    write("bin/rIC3", &format!("[ \"$*\" = '-e ic3 program.aig' ] && {circuit} echo SAT"));
}

/// Compares with this in place of the path.
#[cfg(unix)]
fn compare_with(path: &str, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("compare").args(arguments).env("PATH", path).current_dir(folder);
    command.output().expect("hardbop runs")
}

#[test]
#[cfg(unix)]
fn known_peers_get_what_they_read() {
    let folder = folder();
    fakes(folder.path());
    let recursive = "decl g; void main() begin g := F; f(); assert(!g); end
        void f() begin if (*) then g := !g; f(); fi; end";
    fs::write(folder.path().join("recursive.bp"), recursive).expect("written");
    let path = format!("{}/bin:/usr/bin:/bin", folder.path().display());
    let files = ["unsafe.bp", "recursive.bp", "--engines", "auto", "--json", "-"];
    let output = compare_with(
        &path,
        folder.path(),
        &[&files[..], &["--peer-preset", "spacer,abc", "--peer-preset", "ric3"]].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).expect("a document");
    let names = found["contestants"].as_array().expect("a list").iter().map(|c| &c["name"]);
    assert_eq!(names.collect::<Vec<_>>(), ["auto", "spacer", "abc", "ric3"]);
    // What has no circuit is undecided, and the reason says so.
    let expected = [["UNSAFE"; 4], ["UNSAFE", "UNSAFE", "UNKNOWN", "UNKNOWN"]];
    assert_eq!(verdicts(&found), expected, "{found:#}");
    let reason = &found["files"][1]["results"][2]["reason"];
    assert_eq!(reason["code"], "no-input");
    assert_eq!(reason["message"], "procedure 'f' is recursive, and a circuit has no stack");
    let arguments = ["recursive.bp", "--engines", "auto", "--peer-preset", "abc"];
    let text = stdout(&compare_with(&path, folder.path(), &arguments));
    assert!(text.contains("no input") && !text.contains("Failed"), "{text}");
}

#[test]
#[cfg(unix)]
fn known_peers_answer_what_the_engines_are_asked() {
    let folder = folder();
    fakes(folder.path());
    let path = format!("{}/bin:/usr/bin:/bin", folder.path().display());
    let text = "void go() begin assert(F); SLIC_ERROR: skip; BAD: skip; end";
    fs::write(folder.path().join("entry.bp"), text).expect("written");
    let options = "--check-options=--entry go --error BAD --ignore-asserts --dialect wali";
    let arguments = ["entry.bp", "--engines", "auto", "--peer-preset", "spacer", options];
    let output = compare_with(&path, folder.path(), &[&arguments[..], &["--json", "-"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).expect("a document");
    assert_eq!(verdicts(&found), [["UNSAFE", "UNSAFE"]]);
    let command = found["contestants"][1]["command"].as_str().expect("a command");
    for word in ["--entry go", "--error BAD", "--ignore-asserts", "--dialect wali"] {
        assert!(command.contains(word), "{command}");
    }
}

#[test]
#[cfg(unix)]
fn a_known_peer_that_is_not_there() {
    let folder = folder();
    for (preset, words) in [
        ("spacer", ["'z3'", "z3-solver"]),
        ("abc", ["'berkeley-abc' or 'abc'", "package berkeley-abc"]),
        ("ric3", ["'rIC3'", "crate rIC3"]),
    ] {
        let arguments = ["safe.bp", "--engines", "auto", "--peer-preset", preset];
        let output = compare_with("/nowhere", folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        for word in words {
            assert!(stderr(&output).contains(word), "{}", stderr(&output));
        }
    }
}

#[test]
fn options_of_check_are_passed_on() {
    let folder = folder();
    let text = "void main() begin decl x; x := *; if (x & !x) then ERROR: skip; fi; assert(x); end";
    fs::write(folder.path().join("both.bp"), text).expect("it can be written");
    let arguments = ["both.bp", "--engines", "auto", "--check-options", "--ignore-asserts"];
    assert_eq!(verdicts(&document(folder.path(), 0, &arguments)), [["SAFE"]]);
}

#[test]
fn ctrl_c_shows_what_has_been_measured() {
    let folder = folder();
    let child = Command::new(env!("CARGO_BIN_EXE_hardbop"))
        .args(["compare", "safe.bp", "unsafe.bp", "--engines", "auto"])
        .args([
            "--peer",
            "peer=sh -c 'case {} in safe.bp) echo SAFE;; *) echo > there; sleep 1000;; esac'",
        ])
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("hardbop starts");
    while !folder.path().join("there").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    let output = child.wait_with_output().expect("hardbop ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(words(&stdout(&output))[1].starts_with(&["safe.bp", "SAFE"]), "{}", stdout(&output));
    assert!(words(&stdout(&output)).iter().any(|l| l.starts_with(&["peer", "1", "of", "1"])));
}

#[test]
fn bad_usage_and_bad_input() {
    let folder = folder();
    fs::write(folder.path().join("bad.bp"), "void main() begin x := T; end").expect("written");
    let cases: [(&[&str], &str); 9] = [
        (&["safe.bp", "none.bp"], "cannot read 'none.bp'"),
        (&["bad.bp"], "bad.bp:1"),
        (&["-"], "not standard input"),
        (&["safe.bp", "--engines", "magic"], "invalid value 'magic'"),
        (&["safe.bp", "--peer", "x=/no/such/program {}"], "no program '/no/such/program'"),
        (&["safe.bp", "--peer", "echo"], "NAME=COMMAND"),
        (&["safe.bp", "--peer", "auto=echo {}"], "two contestants are called 'auto'"),
        (&["safe.bp", "--peer", "x=echo", "--peer-safe", "("], "'('"),
        (&["safe.bp", "--check-options", "--no-such"], "--no-such"),
    ];
    for (arguments, message) in cases {
        let output = compare(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}
