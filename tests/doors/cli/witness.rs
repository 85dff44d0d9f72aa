//! Witnesses: YAML that says what the program does, as the C compiler understands it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_yaml_ng::Value;
use sha2::{Digest, Sha256};

const COUNTER: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int state;
static void twice(int m) { for (int j = 0; j < m; j++) state = 1; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -3 || n > 1000000) return 0;
  int i = 0;
  state = 1;
  while (i < n) {
    if (__VERIFIER_nondet_uchar()) i = i + 2; else i++;
    state = state == 1 ? 2 : 1;
  }
  twice(1); twice(2);
  for (unsigned k = 0; k < 3; k++) state = 2 - (int)(k & 1);
  if (WRONG) reach_error();
  return 0;
}
";
const SAFE: &str = "state > 2 || state < 1";
const UNSAFE: &str = "n == 7 && i == 8";

fn check(file: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hardbop"));
    command.arg("check").arg(file).args(arguments).env("SOURCE_DATE_EPOCH", "951827696");
    command.output().expect("hardbop runs")
}

fn verdict(file: &Path, arguments: &[&str]) -> String {
    let output = check(file, arguments);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().last().unwrap_or_default().to_owned()
}

/// Checks the counter in a folder; the witness, whose head is right, and its content.
fn witness(folder: &Path, wrong: &str, verdict: &str) -> Vec<Value> {
    let (file, to) = (folder.join("a.c"), folder.join("w.yml"));
    let text = COUNTER.replace("WRONG", wrong);
    fs::write(&file, &text).expect("the program is written");
    let run = || {
        let output = check(&file, &["--dump-witness", to.to_str().expect("text")]);
        let printed = String::from_utf8(output.stdout).expect("text");
        assert!(printed.contains(&format!("VERDICT: {verdict}")), "{printed}");
        fs::read_to_string(&to).expect("the witness is written")
    };
    let written = run();
    assert_eq!(written, run(), "the same program has the same witness");
    let all: Vec<Value> = serde_yaml_ng::from_str(&written).expect("it is YAML");
    let [entry] = all.as_slice() else { panic!("one entry: {written}") };
    let kind = if verdict == "SAFE" { "invariant_set" } else { "violation_sequence" };
    assert_eq!(entry["entry_type"], kind);
    let meta = &entry["metadata"];
    assert_eq!(meta["format_version"], "2.0");
    assert_eq!(meta["creation_time"], "2000-02-29T12:34:56Z");
    assert_eq!(meta["producer"]["name"], "hardbop");
    let task = &meta["task"];
    assert_eq!(task["data_model"], "LP64");
    assert_eq!(task["language"], "C");
    let name = task["input_files"][0].as_str().expect("a name");
    let hash: String = Sha256::digest(text).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(task["input_file_hashes"][name], hash);
    let formula = task["specification"].as_str().expect("a property");
    assert!(formula.contains("CHECK( init(main()), LTL(G ! call(reach_error())) )"), "{formula}");
    entry["content"].as_sequence().expect("a content").clone()
}

/// What begins at a location of the counter.
fn text_at<'a>(text: &'a str, location: &Value) -> &'a str {
    let number = |key: &str| location[key].as_u64().expect("a number") as usize;
    let line = text.lines().nth(number("line") - 1).expect("the line exists");
    &line[number("column") - 1..]
}

/// Compiles a text and runs it; the exit code.
fn compiled(folder: &Path, text: &str) -> Option<i32> {
    let (source, program) = (folder.join("run.c"), folder.join("run"));
    fs::write(&source, text).expect("the program is written");
    let mut command = Command::new("cc");
    let built = command.arg("-w").arg(&source).arg("-o").arg(&program).status().expect("cc runs");
    assert!(built.success(), "{text}");
    Command::new(program).status().expect("the program runs").code()
}

#[test]
fn a_violation_witness_leads_into_the_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let content = witness(folder.path(), UNSAFE, "UNSAFE");
    let text = COUNTER.replace("WRONG", UNSAFE);
    let (last, calls) = content.split_last().expect("a target");
    let target = &last["segment"][0]["waypoint"];
    assert_eq!(target["type"], "target");
    assert_eq!(target["action"], "follow");
    assert_eq!(text_at(&text, &target["location"]), "reach_error();");
    let mut values = vec![];
    for call in calls {
        let point = &call["segment"][0]["waypoint"];
        assert_eq!(point["type"], "function_return");
        assert_eq!(point["location"]["function"], "main");
        assert!(text_at(&text, &point["location"]).starts_with(')'));
        let said = point["constraint"]["value"].as_str().expect("an expression");
        values.push(said.strip_prefix("\\result == ").expect("a value").to_owned());
    }
    // A compiler's program with these values gets there.
    let stubs = format!(
        "int values[] = {{{}}}, next;
         int __VERIFIER_nondet_int(void) {{ return values[next++]; }}
         unsigned char __VERIFIER_nondet_uchar(void) {{ return values[next++]; }}
         void exit(int); void reach_error(void) {{ exit(next == {} ? 42 : 43); }}",
        values.join(", "),
        values.len(),
    );
    assert_eq!(compiled(folder.path(), &format!("{text}{stubs}")), Some(42));
}

/// The counter with a call of `inv` before each evaluation of a loop's condition of which the
/// witness says something.
fn instrumented(content: &[Value], change: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = COUNTER.lines().map(str::to_owned).collect();
    for entry in content {
        let invariant = &entry["invariant"];
        assert_eq!(invariant["type"], "loop_invariant");
        assert_eq!(invariant["format"], "c_expression");
        assert_eq!(invariant["location"]["function"], "main");
        let start = text_at(COUNTER, &invariant["location"]);
        let sign = if start.starts_with("while (") { "(" } else { ";" };
        assert!(start.starts_with("while (") || start.starts_with("for ("), "{start}");
        let line = invariant["location"]["line"].as_u64().expect("a number") as usize - 1;
        let value = change(invariant["value"].as_str().expect("an expression"));
        lines[line] = lines[line].replacen(sign, &format!("{sign} inv({value}), "), 1);
    }
    let stub = "static void inv(int holds) { if (!holds) reach_error(); }";
    lines.insert(3, stub.to_owned());
    lines.join("\n").replace("WRONG", "0")
}

#[test]
fn a_correctness_witness_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let content = witness(folder.path(), SAFE, "SAFE");
    let lines: Vec<u64> =
        content.iter().filter_map(|c| c["invariant"]["location"]["line"].as_u64()).collect();
    assert!(lines.contains(&11), "the loop that matters has an invariant: {content:?}");
    assert!(!lines.contains(&5), "there are two calls of this loop: {content:?}");
    let file = folder.path().join("i.c");
    let text = instrumented(&content, str::to_owned);
    fs::write(&file, &text).expect("the program is written");
    // Proved again, by an algorithm that did not find it.
    for other in [&["--algorithm", "impact"][..], &["--route", "bp"]] {
        assert_eq!(verdict(&file, other), "VERDICT: SAFE", "{text}");
    }
    let wrong = instrumented(&content, |value| format!("({value}) && state == 1"));
    fs::write(&file, wrong).expect("the program is written");
    assert_eq!(verdict(&file, &[]), "VERDICT: UNSAFE");
    // And run, as a compiler understands it.
    for seed in 1..6 {
        let stubs = format!(
            "unsigned seed = {seed}; void exit(int); void reach_error(void) {{ exit(42); }}
             int __VERIFIER_nondet_int(void) {{ return (seed *= 69069) >> 20; }}
             unsigned char __VERIFIER_nondet_uchar(void) {{ return (seed = seed * 69069 + 1) >> 30; }}"
        );
        assert_eq!(compiled(folder.path(), &format!("{text}\n{stubs}")), Some(0), "{text}");
    }
}

#[test]
fn without_a_verdict_there_is_no_witness() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, to) = (folder.path().join("a.c"), folder.path().join("w.yml"));
    fs::write(&file, COUNTER.replace("WRONG", SAFE)).expect("the program is written");
    let arguments = ["--time-limit", "0", "--dump-witness", to.to_str().expect("text")];
    let output = check(&file, &arguments);
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("VERDICT: UNKNOWN"), "{printed}");
    assert!(!to.exists());
}
