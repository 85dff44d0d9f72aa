//! `hardbop campaign`: each task has one verdict, that of `check`, however often the campaign is
//! killed; mistakes and accidents are told, and the campaign goes on.

mod accidents;
mod earlier;
mod forms;
mod jobs;
mod reports;
mod split;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const LIMITS: &str = "[limits]\ntime = '20s'\nmemory = '1G'\n";

/// A folder with a description and the examples.
fn folder(description: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in ["lock-safe.bp", "lock-unsafe.bp", "bisect.c", "send-queue.c", "send-queue-bug.c"] {
        fs::copy(examples.join(name), folder.path().join(name)).expect("copied");
    }
    fs::write(folder.path().join("campaign.toml"), description).expect("written");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.args(["campaign", "campaign.toml"]).args(arguments).current_dir(folder);
    command
}

fn campaign(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("hardbop runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A line of CSV by program, property and options: verdict, reason, seconds.
type Rows = BTreeMap<[String; 3], [String; 3]>;

/// What a campaign that ends with this exit code comes to.
fn rows(folder: &Path, code: i32, arguments: &[&str]) -> Rows {
    let output = campaign(folder, &[arguments, &["--csv", "-"]].concat());
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    read(&output)
}

/// What is known of a campaign.
fn known(folder: &Path) -> Rows {
    read(&campaign(folder, &["--no-run", "--csv", "-"]))
}

fn read(output: &Output) -> Rows {
    let mut rows = Rows::new();
    let text = stdout(output);
    for record in csv::Reader::from_reader(text.as_bytes()).into_records() {
        let record = record.expect("a line of CSV");
        let field = |i: usize| record[i].to_owned();
        let before = rows.insert([0, 1, 2].map(field), [3, 4, 5].map(field));
        assert!(before.is_none(), "{record:?} is there twice");
    }
    rows
}

/// Programs with their verdicts, of one property and one set of options.
fn verdicts(rows: &Rows) -> Vec<(&str, &str)> {
    rows.iter().map(|([program, ..], [verdict, ..])| (program.as_str(), verdict.as_str())).collect()
}

#[test]
fn a_finished_task_never_runs_again() {
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['*.bp', '*.c']\n"));
    let folder = folder.path();
    let first = rows(folder, 10, &[]);
    let expected = [
        ("bisect.c", "UNSAFE"),
        ("lock-safe.bp", "SAFE"),
        ("lock-unsafe.bp", "UNSAFE"),
        ("send-queue-bug.c", "UNSAFE"),
        ("send-queue.c", "SAFE"),
    ];
    assert_eq!(verdicts(&first), expected);
    // The times are those of the only run.
    assert_eq!(rows(folder, 10, &[]), first);
    // A comment is no change of a C program, unlike a statement.
    let text = fs::read_to_string(folder.join("bisect.c")).expect("a program");
    let fixed = text.replace("(good + bad) / 2", "good + (bad - good) / 2");
    assert_ne!(fixed, text);
    fs::write(folder.join("bisect.c"), fixed).expect("written");
    let second = rows(folder, 10, &["--jobs", "1"]);
    let differ: Vec<&str> =
        second.iter().filter(|(k, v)| first[*k] != **v).map(|(k, _)| k[0].as_str()).collect();
    assert_eq!(differ, ["bisect.c"]);
}

/// With another witness under the same name, it is another question.
#[test]
fn what_is_in_files_that_options_name_counts() {
    let group = "[[programs]]\nfiles = ['bisect.c']\narguments = ['--witness', 'w.yml']\n";
    let folder = folder(&format!("{LIMITS}{group}"));
    let folder = folder.path();
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let mut check = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    check.args(["check", "bisect.c", "--dump-witness", "w.yml"]).current_dir(folder);
    assert_eq!(check.output().expect("hardbop runs").status.code(), Some(10));
    assert_eq!(verdicts(&rows(folder, 10, &[])), [("bisect.c", "UNSAFE")]);
    fs::write(path("w.yml"), "- entry_type: nothing\n").expect("written");
    let second = campaign(folder, &["--csv", "-"]);
    assert_eq!(verdicts(&read(&second)), [("bisect.c", "ERROR")], "{}", stderr(&second));
}

#[test]
fn programs_by_properties_by_options() {
    let description = format!(
        "{LIMITS}
        [[programs]]
        name = 'queues'
        files = ['send-queue*.c']
        [[programs]]
        name = 'locks'
        files = ['lock-*.bp']
        [[properties]]
        name = 'errors'
        [[properties]]
        name = 'never sent'
        rule = 'rule.c'
        programs = ['queues']
        [[options]]
        name = 'usual'
        [[options]]
        name = 'plain'
        arguments = ['--scope', 'global']
        "
    );
    let folder = folder(&description);
    // A monitor of calls, in place of what has no body.
    let rule = "extern void reach_error(void);\nint transmit(void) { reach_error(); return 0; }\n";
    fs::write(folder.path().join("rule.c"), rule).expect("written");
    let rows = rows(folder.path(), 10, &[]);
    let of = |program: &str, property: &str, options: &str| {
        rows.get(&[program, property, options].map(str::to_owned)).map(|r| r[0].as_str())
    };
    assert_eq!(rows.len(), 4 + 4 + 4);
    assert_eq!(of("send-queue.c", "errors", "usual"), Some("SAFE"));
    assert_eq!(of("send-queue.c", "never sent", "usual"), Some("UNSAFE"));
    assert_eq!(of("lock-safe.bp", "never sent", "usual"), None);
    assert_eq!(of("send-queue.c", "errors", "plain"), Some("SAFE"));
    // `check` refuses the option for Boolean programs, and the row says so.
    assert_eq!(of("lock-safe.bp", "errors", "plain"), Some("ERROR"));
}

/// A task definition says what is expected, and a list beside the programs.
#[test]
fn a_wrong_verdict_is_told() {
    let folder = folder(&format!("{LIMITS}[[programs]]\nfiles = ['lock-*.bp']\n"));
    let list = "lock-safe.bp\tunsafe\nlock-unsafe.bp\tunsafe\n";
    fs::write(folder.path().join("expected.tsv"), list).expect("written");
    let output = campaign(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(70));
    let text = stdout(&output);
    let line = text.lines().find(|l| l.starts_with("lock-safe.bp")).expect("a line");
    assert!(line.contains("WRONG"), "{text}");
    assert!(text.trim_end().ends_with("2 tasks: 1 SAFE, 1 UNSAFE, 0 UNKNOWN, 1 WRONG"), "{text}");
}

#[test]
fn mistakes_of_the_description_have_places() {
    let cases = [
        ("[[programs]]\nfile = ['*.c']\n", "campaign.toml:2:1", "did you mean 'files'?"),
        ("[[programs]]\nfiles = ['*.x']\n", "campaign.toml:2:10", "no file fits '*.x'"),
        ("limits = {time = 'soon'}\nprograms = []\n", "campaign.toml:1:18", "no limit"),
        (
            "[[programs]]\nfiles = ['*.c']\narguments = ['--overflow-chek']\n",
            "campaign.toml:3:14",
            "a similar argument exists: '--overflow-check'",
        ),
        (
            "[[programs]]\nfiles = ['*.c']\n[[properties]]\nname = 'p'\nrule = 'no.c'\n",
            "campaign.toml:5:8",
            "there is no file 'no.c'",
        ),
    ];
    for (description, place, words) in cases {
        let folder = folder(description);
        let output = campaign(folder.path(), &[]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(place) && text.contains(words), "{description}\n{text}");
    }
}
