//! `certify --adapt`: certificates of C programs that have been edited are moved to the new text
//! where they prove its verdict, and never prove what is not so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use hardbop_base::random::Random;
use serde_json::{Value, json};

use super::c::{assert_rejected, assert_valid, hardbop, last, text};

/// Two loops, one in a function that is called twice.
const PROGRAM: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int turns;
void turn(int n) {
  int i = 0, even = 0;
  while (i < n) {
    even = !even;
    i++;
  }
  if (even > 1) reach_error();
  turns = turns + 1;
}
int main(void) {
  int mode = 3, seen = 0;
  turn(__VERIFIER_nondet_int());
  while (__VERIFIER_nondet_int()) {
    if (mode == 3) { mode = 5; seen = 1; }
    else if (mode == 5) { mode = 7; }
    else { mode = 3; }
  }
  turn(mode);
  if (mode == 5 && !seen) reach_error();
  if (mode > 7) reach_error();
  return 0;
}
";

/// A folder with a program, its certificate, and another version.
struct Moved {
    folder: tempfile::TempDir,
}

impl Moved {
    /// Checks the program; none where there is no certificate.
    fn of(program: &str, options: &[&str]) -> Option<Self> {
        let own = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::write(own.path("old.c"), program).expect("written");
        let (file, to) = (own.path("old.c"), own.path("old.json"));
        let check = ["check", text(&file), "--certificate", text(&to)];
        hardbop(&[&check[..], options].concat());
        to.exists().then_some(own)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What the certificate is for another version.  Where it is one, what was written is valid
    /// without any help.
    fn to(&self, program: &str) -> Output {
        let (new, to) = (self.path("new.c"), self.path("new.json"));
        let _ = fs::remove_file(&to);
        fs::write(&new, program).expect("written");
        let output =
            hardbop(&["certify", text(&new), text(&self.path("old.json")), "--adapt", text(&to)]);
        let is_valid = last(&output).starts_with("CERTIFICATE: VALID");
        assert_eq!(to.exists(), is_valid, "{}", last(&output));
        if is_valid {
            assert_eq!(last(&hardbop(&["certify", text(&new), text(&to)])), last(&output));
        }
        output
    }

    fn certificate(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path("old.json")).expect("read")).expect("JSON")
    }

    fn plant(&self, certificate: &Value) {
        fs::write(self.path("old.json"), certificate.to_string()).expect("written");
    }
}

/// Ways to a proof: by enumeration of states, and by predicates.
const WAYS: [&[&str]; 3] =
    [&[], &["--explicit-states", "0"], &["--algorithm", "impact", "--explicit-states", "0"]];

#[test]
fn an_edited_program_needs_no_new_proof() {
    let edits: [(&str, &str); 9] = [
        ("int turns;", "int turns; int unused(int n) { return n + 1; }"),
        ("turns = turns + 1", "turns = turns + 2"),
        ("even = !even;", "even = !even; even = even;"),
        ("i++;", "i += 1;"),
        ("int i = 0, even = 0;", "int odd = 1;\n  int i = 0, even = 0;\n  if (odd) odd = 0;"),
        ("mode = 7;", "mode = 6;"),
        ("mode = 7;", "mode = 7; mode = 4;"),
        ("seen = 1;", "seen = 2;"),
        ("even", "flag"),
    ];
    for way in WAYS {
        let moved = Moved::of(PROGRAM, way).expect("a certificate");
        assert_valid(&moved.to(PROGRAM), "SAFE");
        let own = fs::read(moved.path("new.json")).expect("written");
        assert_eq!(own, fs::read(moved.path("old.json")).expect("read"));
        for (old, new) in edits {
            let edited = PROGRAM.replace(old, new);
            assert_ne!(edited, PROGRAM);
            assert_valid(&moved.to(&edited), "SAFE");
        }
    }
}

#[test]
fn what_is_unsafe_now_is_rejected() {
    let edits = [
        ("even = !even;", "even = !even; even = even + even;"),
        ("mode = 7;", "mode = 8;"),
        ("seen = 1;", ""),
        ("else { mode = 3; }", "else { mode = 3; seen = 0; } if (!seen) mode = 5;"),
        ("return 0;\n}\n", "if (turns > 1) reach_error();\n  return 0;\n}\n"),
    ];
    for way in WAYS {
        let moved = Moved::of(PROGRAM, way).expect("a certificate");
        for (old, new) in edits {
            let edited = PROGRAM.replace(old, new);
            fs::write(moved.path("new.c"), &edited).expect("written");
            let fresh = hardbop(&["check", text(&moved.path("new.c"))]);
            assert_eq!(last(&fresh), "VERDICT: UNSAFE", "{new}");
            assert_rejected(&moved.to(&edited), "the invariant is no proof: ");
        }
    }
}

/// Certificates of the safe one of two programs, for the other one.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/programs")];
    if let Some(shared) = crate::support::shared() {
        let base = shared.join("benchmarks/c");
        folders.extend(["ssh-simplified", "ntdrivers-simplified", "locks"].map(|f| base.join(f)));
    }
    let files = folders.iter().filter_map(|f| fs::read_dir(f).ok()).flatten();
    let mut safe: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    safe.sort();
    let other = |safe: PathBuf| {
        let name = safe.to_str()?;
        let (before, behind) = name.rsplit_once("safe.c")?;
        let other = PathBuf::from(format!("{before}unsafe.c{behind}"));
        other.exists().then_some((safe, other))
    };
    safe.into_iter().filter_map(other).collect()
}

#[test]
fn certificates_of_safe_programs_do_not_prove_their_unsafe_variants() {
    let read = |path: &Path| fs::read_to_string(path).expect("read");
    let pairs = pairs();
    assert!(pairs.len() >= 9, "{pairs:?}");
    let mut tried = 0;
    for (safe, other) in pairs {
        for way in &WAYS[..2] {
            let Some(moved) = Moved::of(&read(&safe), way) else { continue };
            let output = moved.to(&read(&other));
            assert!(!last(&output).contains("VALID"), "{}: {}", other.display(), last(&output));
            tried += 1;
        }
    }
    assert!(tried >= 12, "{tried}");
}

/// The program with some of its parts exchanged for others.
fn mutated(random: &mut Random, program: &str) -> String {
    const PARTS: [(&str, &[&str]); 11] = [
        ("3", &["4", "5", "0"]),
        ("5", &["3", "6", "9"]),
        ("7", &["8", "6", "5"]),
        (" == ", &[" != ", " >= "]),
        (" > ", &[" < ", " >= "]),
        ("&&", &["||"]),
        ("seen = 1", &["seen = 0", "seen++", "seen = mode"]),
        ("i++", &["i += 2", "i--", "even = 0"]),
        ("!even", &["even + 1", "1 - even", "even"]),
        ("turn(mode);", &["", "turn(seen); turn(mode);", "turns = 5;"]),
        ("int i = 0", &["int new = 0; new++; int i = new", "int i = n"]),
    ];
    let mut all = program.to_owned();
    for _ in 0..=random.below(3) {
        let (old, new) = PARTS[random.below(PARTS.len())];
        let places: Vec<usize> = all.match_indices(old).map(|(i, _)| i).collect();
        if let Some(&at) = places.get(random.below(places.len().max(1))) {
            all.replace_range(at..at + old.len(), new[random.below(new.len())]);
        }
    }
    all
}

/// Whether a certificate proves something of a mutant; a check of it does not say the opposite
/// then.
fn agrees(moved: &Moved, mutant: &str) -> bool {
    let judged = last(&moved.to(mutant));
    if !judged.contains("VALID") {
        return false;
    }
    let verdict = last(&hardbop(&["check", text(&moved.path("new.c"))]));
    let wrong = [("VALID (SAFE)", "VERDICT: UNSAFE"), ("VALID (UNSAFE)", "VERDICT: SAFE")];
    for (claim, opposite) in wrong {
        assert!(!(judged.contains(claim) && verdict == opposite), "{judged} {verdict}\n{mutant}");
    }
    true
}

#[test]
fn no_mutant_gets_a_verdict_that_a_check_contradicts() {
    let mut random = Random::new(24);
    let mut accepted = 0;
    for way in WAYS {
        let safe = Moved::of(PROGRAM, way).expect("a certificate");
        let bad = PROGRAM.replace("mode > 7", "mode > 5");
        let bad = Moved::of(&bad, way).expect("a certificate");
        for _ in 0..16 {
            let mutant = mutated(&mut random, PROGRAM);
            accepted += usize::from(agrees(&safe, &mutant));
            accepted += usize::from(agrees(&bad, &mutant));
        }
    }
    assert!(accepted >= 10, "{accepted}");
}

/// Recursion that only summaries of functions prove.
const DEEP: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }
";

#[test]
fn summaries_move_to_functions_of_their_names() {
    let moved = Moved::of(DEEP, &[]).expect("a certificate");
    assert_eq!(moved.certificate()["proof"]["kind"], "summaries");
    let before = "int g(int n) { return n + 1; }\nint f(int n)";
    let edited =
        DEEP.replace("int f(int n)", before).replace("main(void) {", "main(void) { int x = 1;");
    assert_valid(&moved.to(&edited), "SAFE");
    // What is called and has none counts as never called.
    let called = edited.replace("int x = 1", "g(1)");
    assert_rejected(&moved.to(&called), "a call of 'g' does not have what that claims");
    assert_rejected(&moved.to(&DEEP.replace("return 0; return", "return 1; return")), "");
    assert_rejected(&moved.to(&DEEP.replace("f(", "h(")), "");
}

#[test]
fn the_only_execution_is_run_again() {
    let only = "extern void reach_error(void);
int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += i; if (s != 4950) reach_error(); }
";
    let moved = Moved::of(only, &[]).expect("a certificate");
    assert_eq!(moved.certificate()["proof"]["kind"], "only-execution");
    assert_valid(&moved.to(&only.replace("s += i", "s = i + s")), "SAFE");
    assert_rejected(&moved.to(&only.replace("s += i", "s -= i")), "does not end without an error");
}

#[test]
fn inputs_are_executed_on_the_new_program() {
    let bad = PROGRAM.replace("mode > 7", "mode > 5");
    let moved = Moved::of(&bad, &[]).expect("a certificate");
    assert_valid(&moved.to(&bad.replace("int turns;", "int turns, more;")), "UNSAFE");
    assert_rejected(&moved.to(PROGRAM), "the inputs do not lead to an error");
}

/// What it says of places and variables only helps, or does not.
#[test]
fn no_outline_makes_a_proof_of_what_is_none() {
    let bad = PROGRAM.replace("mode = 7;", "mode = 8;");
    let edited = PROGRAM.replace("seen = 1;", "seen = 2;");
    for way in WAYS {
        let moved = Moved::of(PROGRAM, way).expect("a certificate");
        let fine = moved.certificate();
        let count = fine["proof"]["outline"]["places"].as_array().expect("places").len();
        assert!(count > 1, "{fine}");
        let line = json!({"calls": ["main"], "line": "nowhere", "before": 4});
        let outlines = [
            json!({"variables": [], "places": []}),
            json!({"variables": ["(declare-const |main::mode| Bool)", "((", "(declare-const x (_ BitVec 99))"],
                   "places": vec![line.clone(); count]}),
            json!({"variables": fine["proof"]["outline"]["variables"], "places": vec![line; count + 5]}),
            {
                let mut places = fine["proof"]["outline"]["places"].clone();
                places.as_array_mut().expect("a list").reverse();
                json!({"variables": fine["proof"]["outline"]["variables"], "places": places})
            },
        ];
        for outline in outlines {
            let mut changed = fine.clone();
            changed["proof"]["outline"] = outline;
            moved.plant(&changed);
            assert_rejected(&moved.to(&bad), "");
            // It is no part of the proof.
            assert_valid(&moved.to(PROGRAM), "SAFE");
            let output = moved.to(&edited);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{}", last(&output));
        }
        // As written by versions that had none.
        let mut changed = fine.clone();
        changed["proof"].as_object_mut().expect("an object").remove("outline");
        moved.plant(&changed);
        assert_valid(&moved.to(&edited), "SAFE");
        assert_rejected(&moved.to(&bad), "");
        // Formulas that say nothing, or too much.
        for formula in ["true", "false", "(= |main::mode| #x00000063)"] {
            let mut changed = fine.clone();
            let states = changed["proof"]["states"].as_array_mut().expect("states");
            states.iter_mut().for_each(|s| s["formula"] = json!(formula));
            moved.plant(&changed);
            let output = moved.to(&bad);
            assert_rejected(&output, "");
        }
    }
}

#[test]
fn it_is_for_c_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.bp"), "void main() begin skip; end").expect("written");
    fs::write(path("a.json"), "{}").expect("written");
    let (file, to) = (path("a.bp"), path("b.json"));
    let output = hardbop(&["certify", text(&file), text(&path("a.json")), "--adapt", text(&to)]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("'--adapt' is for C programs"), "{said}");
}

/// What is written has a name of its own.
#[test]
fn nothing_that_is_read_is_overwritten() {
    let moved = Moved::of(PROGRAM, &[]).expect("a certificate");
    let (file, known) = (moved.path("old.c"), moved.path("old.json"));
    let beside = moved.path("../").join(moved.folder.path().file_name().expect("a name"));
    let beside = beside.join("old.c");
    for to in [text(&file), text(&beside), "-"] {
        let reports = ["--certificate", "--html", "--sarif"];
        let all = reports.map(|option| vec!["check", text(&file), option, to]);
        let adapt = vec!["certify", text(&file), text(&known), "--adapt", to];
        // Reports may go to standard output.
        let asked = all.into_iter().take(if to == "-" { 1 } else { 3 }).chain([adapt]);
        for words in asked {
            let output = hardbop(&words);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {}", last(&output));
        }
    }
    assert_eq!(fs::read_to_string(&file).expect("a text"), PROGRAM);
    // The certificate may be replaced by its successor.
    let words = ["certify", text(&file), text(&known), "--adapt", text(&known)];
    assert_valid(&hardbop(&words), "SAFE");
}
