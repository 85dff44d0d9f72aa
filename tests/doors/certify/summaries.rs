//! Certificates of C programs that Boolean programs have decided: summaries of functions, whatever
//! the depth of recursion.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::c::{Case, assert_rejected, assert_valid, hardbop, last, text};

/// Only Boolean programs, and only if they have to.
const BP: [&str; 4] = ["--route", "bp", "--executions", "0"];

const DOWN: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int count;
int down(int n) {
  if (n <= 0) return 0;
  count++;
  int r = down(n - 1);
  count--;
  return r;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  count = 0;
  int r = down(n);
  if (r != 0 || count != 0) reach_error();
  return 0;
}
";

/// The summary of a function.
fn summary<'a>(certificate: &'a mut Value, name: &str) -> &'a mut Value {
    let functions = certificate["proof"]["functions"].as_array_mut().expect("summaries");
    functions.iter_mut().find(|f| f["name"] == name).expect("a summary of the function")
}

/// What is claimed at the exit, whose location has the smallest number behind that of the entry.
fn exit<'a>(certificate: &'a mut Value, name: &str) -> &'a mut Value {
    summary(certificate, name)["states"].as_array_mut().expect("states").first_mut().expect("one")
}

#[test]
fn recursive_programs_are_certified_by_both_routes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = fs::read_dir(root.join("tests/c/recursive")).expect("a folder");
    let mut programs: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    programs.retain(|p| p.extension().is_some_and(|e| e == "c"));
    programs.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().join("c.json");
    // By default these are soon decided.
    let quick = ["even_odd", "lock_descent", "loop_inside", "pointer_result", "three_cycle"];
    let mut summarised = 0;
    for program in &programs {
        let is_quick = program.file_stem().is_some_and(|name| quick.iter().any(|q| name == *q));
        for options in [&["--route", "bp"][..], &[]] {
            if options.is_empty() && !is_quick {
                continue;
            }
            let _ = fs::remove_file(&to);
            let mut arguments = vec!["check", text(program), "--certificate", text(&to)];
            arguments.extend(options);
            let output = hardbop(&arguments);
            let name = program.display();
            let said = String::from_utf8_lossy(&output.stderr);
            let verdict = last(&output);
            let verdict = verdict.strip_prefix("VERDICT: ").expect("a verdict");
            assert!(verdict == "SAFE" || verdict == "UNSAFE", "{name}: {verdict} {said}");
            let judged = hardbop(&["certify", text(program), text(&to)]);
            assert_valid(&judged, verdict);
            let certificate = fs::read_to_string(&to).expect("a certificate was written");
            summarised += usize::from(certificate.contains("\"kind\":\"summaries\""));
        }
    }
    assert!(summarised >= programs.len(), "{summarised} of {}", programs.len());
}

#[test]
fn summaries_are_proved_by_another_solver() {
    let program = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int f(int n) { if (n > 0) return f(n - 1); return 1; }
        int main(void) { if (f(__VERIFIER_nondet_int()) == 0) reach_error(); return 0; }";
    for (solver, by) in [("blast", "z3"), ("z3", "blast")] {
        let case = Case::new(program, &[&BP[..], &["--smt", solver]].concat(), "SAFE");
        assert_eq!(case.json()["proof"]["kind"], "summaries");
        let output = case.judge(&case.json(), &["--json"]);
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&document["result"], &document["smt"]), (&json!("VALID"), &json!(by)));
        assert!(document["smt-queries"].as_u64().is_some_and(|n| n > 0), "{document}");
    }
}

#[test]
fn a_summary_by_hand_is_accepted() {
    let case = Case::new(DOWN, &BP, "SAFE");
    let mut other = case.json();
    other["proof"]["definitions"] = json!(["(= count |old count|)"]);
    exit(&mut other, "down")["formula"] = json!("(and ?0 (= |down::result@| #x00000000))");
    let down = summary(&mut other, "down");
    down["entry"] = json!("true");
    down["states"].as_array_mut().expect("states").truncate(1);
    let main = summary(&mut other, "main");
    main["states"].as_array_mut().expect("states").truncate(1);
    exit(&mut other, "main")["formula"] = json!("true");
    assert_valid(&case.judge(&other, &[]), "SAFE");
}

#[test]
fn changed_summaries_are_rejected() {
    let case = Case::new(DOWN, &BP, "SAFE");
    let fine = case.json();
    assert_valid(&case.judge(&fine, &[]), "SAFE");
    let change = |change: &dyn Fn(&mut Value)| {
        let mut other = fine.clone();
        change(&mut other);
        other
    };
    let without = |name: &'static str| {
        move |c: &mut Value| {
            let all = c["proof"]["functions"].as_array_mut().expect("summaries");
            all.retain(|f| f["name"] != name);
        }
    };
    let of = |name: &'static str, what: &'static str| {
        let claim = what.to_owned();
        move |c: &mut Value| exit(c, name)["formula"] = json!(claim)
    };
    let from = |name: &'static str, what: &'static str| {
        move |c: &mut Value| summary(c, name)["entry"] = json!(what)
    };
    for (changed, words) in [
        // The caller learns nothing, or not enough.
        (change(&of("down", "true")), "does not exclude an error"),
        (change(&of("down", "(= |down::result@| #x00000000)")), "is no proof"),
        // More than the function does.
        (change(&of("down", "false")), "does not lead to what is to hold"),
        (change(&of("down", "(= count #x00000000)")), "does not lead to what is to hold"),
        (change(&of("down", "(= |old count| #x00000000)")), "does not lead to what is to hold"),
        // It does not return, or is never called.
        (
            change(&|c| drop(summary(c, "down")["states"].as_array_mut().map(|s| s.remove(0)))),
            "in 'down'",
        ),
        (change(&without("down")), "a call of 'down' does not have what that claims at its entry"),
        (change(&without("main")), "'main' does not have what it claims to start with"),
        // Callers that do not keep to it.
        (change(&from("down", "false")), "a call of 'down' does not have what that claims"),
        (change(&from("down", "(= |down::n| #x00000003)")), "a call of 'down' does not have"),
        (change(&from("down", "(bvsle #x00000001 |down::n|)")), "in 'down', a call of 'down'"),
        (change(&from("main", "(= count #x00000000)")), "to start with"),
        // Variables that do not count there.
        (change(&of("down", "(= |main::n| #x00000000)")), "reads a variable that does not count"),
        (change(&of("main", "(= |down::n| #x00000000)")), "reads a variable that does not count"),
        (
            change(&of("main", "(= |old down::n| #x00000000)")),
            "reads a variable that does not count",
        ),
        (
            change(&from("down", "(= |old count| #x00000000)")),
            "reads a variable that does not count",
        ),
        (change(&from("down", "(= |down::r| #x00000000)")), "reads a variable that does not count"),
        (change(&of("down", "(= |old down::r| #x00000000)")), "old down::r"),
        // No formulas, no functions, no locations.
        (change(&of("down", "count")), "is no formula"),
        (change(&from("down", "count")), "is no formula"),
        (change(&of("down", "(and true")), "ill-formed"),
        (change(&|c| summary(c, "down")["name"] = json!("main")), "is not 'main'"),
        (change(&|c| summary(c, "main")["function"] = json!(7)), "function 7 is not 'main'"),
        (
            change(&|c| {
                let again = summary(c, "down").clone();
                c["proof"]["functions"].as_array_mut().expect("summaries").push(again);
            }),
            "'down' has two summaries",
        ),
        (change(&|c| exit(c, "down")["location"] = json!(4_000_000)), "location 4000000 is none"),
    ] {
        assert_rejected(&case.judge(&changed, &[]), words);
    }
}

/// What makes summaries hard in C: a proof of the first text is none of the second, which has an
/// error.
#[test]
fn proofs_of_programs_that_are_much_alike_are_rejected() {
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    for (name, program, safe, wrong) in [
        (
            "a callee changes its caller's variable through a pointer",
            "void set(int *q) { *q = 7; }
             int f(void) { int x = 6; set(&x); return x; }
             int main(void) { if (f() == 6) reach_error(); return 0; }",
            "*q = 7",
            "*q = 6",
        ),
        (
            "and its caller's parameter",
            "void set(int *q) { *q = 7; }
             int f(int p) { if (p != 6) return 0; set(&p); return p == 5; }
             int main(void) { if (f(__VERIFIER_nondet_int())) reach_error(); return 0; }",
            "*q = 7",
            "*q = 5",
        ),
        (
            "a parameter takes the result of a call",
            "int id(int x) { return x; }
             int f(int p) { p = id(p); return p; }
             int main(void) { int n = __VERIFIER_nondet_int(); if (f(n) != n) reach_error(); return 0; }",
            "return x;",
            "return x + 1;",
        ),
        (
            "each activation has its own variables",
            "int f(int n) { int x = n; if (n > 0) f(n - 1); return x - n; }
             int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }",
            "int x = n;",
            "static int x; x = n;",
        ),
        (
            "a variable without a value has any",
            "int f(int n) { int x = 0; if (n > 0) { x = 1; f(n - 1); } return x; }
             int main(void) { if (f(__VERIFIER_nondet_int()) == 2) reach_error(); return 0; }",
            "int x = 0;",
            "int x;",
        ),
        (
            "a callee's callee changes a global",
            "int g; void low(void) { g = 1; } void f(int n) { if (n > 0) f(n - 1); else low(); }
             int main(void) { g = 1; f(__VERIFIER_nondet_int()); if (g != 1) reach_error(); return 0; }",
            "void low(void) { g = 1; }",
            "void low(void) { g = 2; }",
        ),
        (
            "nothing is returned",
            "int f(int n) { if (n > 0) return f(n - 1); return 1; }
             int main(void) { if (f(__VERIFIER_nondet_int()) != 1) reach_error(); return 0; }",
            "return 1; }",
            "; }",
        ),
        (
            "a function is called by pointer",
            "int one(void) { return 1; } int two(void) { return 2; } int (*p)(void) = one;
             int f(int n) { if (n > 0) { p = one; return f(n - 1); } return p(); }
             int main(void) { if (f(__VERIFIER_nondet_int()) != 1) reach_error(); return two() == 3; }",
            "p = one; return",
            "p = two; return",
        ),
    ] {
        let good = Case::new(&format!("{head}{program}"), &BP, "SAFE");
        assert!(program.contains(safe), "{name}");
        let bad = format!("{head}{}", program.replacen(safe, wrong, 1));
        let bad = Case::new(&bad, &["--executions", "100"], "UNSAFE");
        assert_valid(&good.judge(&good.json(), &[]), "SAFE");
        assert_eq!(good.json()["proof"]["kind"], "summaries", "{name}");
        let mut forged = good.json();
        forged["program-sha256"] = bad.json()["program-sha256"].clone();
        let output = bad.judge(&forged, &[]);
        assert!(last(&output).starts_with("CERTIFICATE: REJECTED ("), "{name}: {}", last(&output));
    }
}

/// Where a call is on one of the paths that meet, the Boolean program may say nothing of the place
/// where they do.
#[test]
fn calls_on_one_of_the_paths_that_meet() {
    let head = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";
    let once = "int count; int a[3];
        int in(void) { if (count >= 1) return -1; count++; return __VERIFIER_nondet_int(); }
        int one(void) { return 1; }
        int main(void) {
          int x = in(); a[2] = in();
          if (a[x & 1] == 0) { one(); }
          int y = in();
          if (y != -1) reach_error();
          return 0;
        }";
    let nested = "int held;
        int take(void) { if (held) return 0; held = 1; return 1; }
        void give(int was) { if (was) held = 0; }
        int main(void) {
          int i = 0;
          while (__VERIFIER_nondet_int()) {
            int got = 0;
            if (__VERIFIER_nondet_int()) got = take(); else if (i < 3) { give(0); i++; }
            give(got);
            if (held) reach_error();
          }
          return 0;
        }";
    for program in [once, nested] {
        for blocks in ["lbe", "sbe", "abe-lf", "abe-loops"] {
            let options = [&BP[..], &["--blocks", blocks]].concat();
            let case = Case::new(&format!("{head}{program}"), &options, "SAFE");
            assert_eq!(case.json()["proof"]["kind"], "summaries");
            assert_valid(&case.judge(&case.json(), &[]), "SAFE");
        }
    }
}

/// Such a proof, too, may assume of undefined functions only what the model says.
#[test]
fn undefined_functions_are_part_of_the_claim() {
    let program = "extern void reach_error(void), other(void); extern int __VERIFIER_nondet_int(void); int g;
        void f(int n) { g = 1; if (n > 0) f(n - 1); }
        int main(void) { f(__VERIFIER_nondet_int()); other(); if (g != 1) reach_error(); return 0; }";
    let options = [&BP[..], &["--externals", "reachable"]].concat();
    let case = Case::new(program, &options, "SAFE");
    let mut claim = case.json();
    assert_eq!(claim["proof"]["externals"], "reachable");
    assert_valid(&case.judge(&claim, &[]), "SAFE");
    claim["model"]["externals"] = json!("any");
    assert_rejected(&case.judge(&claim, &[]), "'other' is not defined");
    claim["proof"]["externals"] = json!("any");
    assert_eq!(case.judge(&claim, &[]).status.code(), Some(1));
}
