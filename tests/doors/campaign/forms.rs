//! Programs in all their forms: linked files, a compile database, a task definition; each with
//! certificates and warm starts.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::{campaign, folder, stderr, stdout};

const DESCRIPTION: &str = "certificates = true
warm = true
[limits]
time = '20s'
memory = '1G'
[[programs]]
name = 'linked'
link = ['linked/main.c', 'linked/step.c']
preprocessor = ['-Iinclude']
[[programs]]
name = 'built'
compile_commands = 'built/compile_commands.json'
[[programs]]
files = ['tasks/*.yml']
[[options]]
name = 'predicates'
arguments = ['--algorithm', 'predicate', '--explicit-states', '0', '--executions', '0', '--limit', 'routes.cold-work=0']
";

/// The proof needs predicates of both files.
const MAIN: &str = "#include \"step.h\"
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = step(x); y = x; }
  if (y > LIMIT) reach_error();
}
";
const STEP: &str = "#include \"step.h\"\nint step(int x) { return !x; }\n";
const HEADER: &str = "#define LIMIT 1\nint step(int x);\n";

const DEFINITION: &str = "format_version: '2.0'
input_files: 't.i'
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
";
/// Only with 32 bits is there no error.
const TASK: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) { x = !x; y = x; }
  if (y > 1 || sizeof(long) != 4) reach_error();
}
";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

fn set_up(folder: &Path) {
    for name in ["linked", "built/src"] {
        write(folder, &format!("{name}/main.c"), MAIN);
        write(folder, &format!("{name}/step.c"), STEP);
    }
    write(folder, "include/step.h", HEADER);
    write(folder, "built/include/step.h", "int step(int x);\n");
    let built = folder.join("built").display().to_string();
    let entries = ["main", "step"].map(|name| {
        let command = format!("cc -Iinclude -DLIMIT=1 -c src/{name}.c -o {name}.o");
        serde_json::json!({"directory": built, "command": command, "file": format!("src/{name}.c")})
    });
    let text = serde_json::to_string(&entries).expect("JSON");
    write(folder, "built/compile_commands.json", &text);
    write(folder, "tasks/t.yml", DEFINITION);
    write(folder, "tasks/t.i", TASK);
    write(folder, "tasks/unreach-call.prp", PROPERTY);
}

/// Verdict and where it comes from, of the linked program, the built one, and the task.
fn results(folder: &Path, code: i32) -> Vec<String> {
    let output = campaign(folder, &["--csv", "-"]);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    let text = stdout(&output);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|r| r.expect("a line"));
    rows.map(|r| format!("{}: {} by {}{}", &r[0], &r[3], &r[11], &r[4])).collect()
}

fn all(verdict: &str, how: &str) -> Vec<String> {
    let of = |name: &str| format!("{name}: {verdict} by {how}");
    ["linked", "built", "tasks/t.yml"].map(of).to_vec()
}

fn store(folder: &Path) -> Connection {
    Connection::open(folder.join("campaign.sqlite")).expect("a store")
}

#[test]
fn each_form_has_verdicts_certificates_and_warm_starts() {
    let folder = folder(DESCRIPTION);
    let folder = folder.path();
    set_up(folder);
    assert_eq!(results(folder, 0), all("SAFE", "check"));
    let count = "SELECT (SELECT count(*) FROM learned) * 10 + (SELECT count(*) FROM certificate)";
    let count: i64 = store(folder).query_row(count, [], |row| row.get(0)).expect("a number");
    assert_eq!(count, 33, "each has left predicates and a certificate");
    // To another version of hardbop there are no results.
    store(folder).execute("DELETE FROM result", []).expect("changed");
    assert_eq!(results(folder, 0), all("SAFE", "certificate"));
    // Other texts are other questions; what was learned is offered to them, and certificates where
    // proofs took long.
    for (seconds, edit, how) in
        [("0", "y = x; y = y", "check"), ("9", "y = x; y = 0 + y", "certificate")]
    {
        took(folder, seconds);
        for name in ["linked/main.c", "built/src/main.c"] {
            write(folder, name, &MAIN.replace("y = x", edit));
        }
        write(folder, "tasks/t.i", &TASK.replace("y = x", edit));
        assert_eq!(results(folder, 0), all("SAFE", how));
    }
}

/// As if proofs had taken so many seconds.
fn took(folder: &Path, seconds: &str) {
    let changed = store(folder).execute("UPDATE proved SET seconds = ?", [seconds]);
    assert_eq!(changed.expect("changed"), 3);
}

#[test]
fn what_texts_depend_on_counts() {
    let folder = folder(DESCRIPTION);
    let folder = folder.path();
    set_up(folder);
    assert_eq!(results(folder, 0), all("SAFE", "check"));
    took(folder, "9");
    // A header, the command of a compiler, the data model: no file of the program has changed.
    write(folder, "include/step.h", &HEADER.replace("LIMIT 1", "LIMIT 0"));
    let path = folder.join("built/compile_commands.json");
    let text = fs::read_to_string(&path).expect("a database");
    fs::write(&path, text.replace("LIMIT=1", "LIMIT=0")).expect("written");
    write(folder, "tasks/t.yml", &DEFINITION.replace("ILP32", "LP64").replace("true", "false"));
    assert_eq!(results(folder, 10), all("UNSAFE", "check"));
    // The definition says what is expected.
    write(folder, "tasks/t.yml", &DEFINITION.replace("ILP32", "LP64"));
    assert_eq!(results(folder, 70), all("UNSAFE", "check"));
}

#[test]
fn a_broken_form_is_a_row_or_a_mistake_with_a_place() {
    let folder = folder(DESCRIPTION);
    let folder = folder.path();
    set_up(folder);
    fs::remove_file(folder.join("linked/step.c")).expect("removed");
    write(folder, "tasks/t.yml", "format_version: '2.0'\ninput_files: 'gone.i'\n");
    let results = results(folder, 20);
    assert!(results[0].starts_with("linked: ERROR"), "{results:?}");
    assert!(results[1].starts_with("built: SAFE"), "{results:?}");
    assert!(results[2].starts_with("tasks/t.yml: ERROR"), "{results:?}");
    write(folder, "built/compile_commands.json", "{");
    let output = campaign(folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("compile_commands.json"), "{}", stderr(&output));
}
