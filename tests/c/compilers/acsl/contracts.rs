//! Contracts of functions.  Each program is asked for with random executions and without; each answer is judged again by its
//! certificate: errors by executing them, proofs by checking their invariants.

use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::lower::Assumption;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::certificate::{Demand, Judgement, certificate, judge};
use hardbop_verify::{CProgram, Options, Outcome, check};

use super::super::HEAD;

/// The answer about a program that starts in `entry`, with `safe`, `unsafe`, or what is wrong; and what is assumed.
pub(super) fn answer(text: &str, entry: &str, executions: u32) -> (String, Vec<Assumption>) {
    let property = Property { acsl: true, ..Property::default() };
    let entry = (entry != "main").then(|| entry.to_owned());
    let model = Some(DataModel::Lp64);
    let reading = ParseOptions { model, property, entry, ..ParseOptions::default() };
    let options = Options { executions, ..Options::default() };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
    let work = || {
        let flow = match parse(Source::new("program.c", format!("{HEAD}{text}")), &reading) {
            Ok(flow) => flow,
            Err(mistakes) => {
                assert!(mistakes.iter().all(|m| m.span.end > HEAD.len() as u32), "{mistakes:?}");
                return (mistakes[0].message.clone(), vec![]);
            }
        };
        let report = check(CProgram::new(&flow), &options, &budget, &mut ()).expect("solvers work");
        let verdict = match &report.outcome {
            Outcome::Safe(_) => "safe",
            Outcome::Unsafe(_) => "unsafe",
            Outcome::Unknown(reason) => return (format!("unknown: {reason}"), vec![]),
        };
        let assumed = report.assumptions.to_vec();
        if let Ok(made) = certificate(&flow, &reading, &options, &report, &budget) {
            let opinion = judge(&flow, &made, &Demand::default(), &budget).expect("solvers work");
            if opinion.judgement != Judgement::Valid {
                return (format!("{verdict}, but {:?}", opinion.judgement), assumed);
            }
        } else if verdict == "unsafe" {
            return ("unsafe, without an execution".to_owned(), assumed);
        }
        (verdict.to_owned(), assumed)
    };
    on_large_stack(work).expect("a thread")
}

/// The answers that differ from what is expected.
pub(super) fn differing(programs: &[(&str, &str, &str)]) -> Vec<String> {
    let mut wrong = vec![];
    for (entry, text, expected) in programs {
        for executions in [2000, 0] {
            let (found, _) = answer(text, entry, executions);
            // Not all errors behind calls of the function in which executions start are confirmed.
            let is_open = found.contains(" that could not be confirmed");
            let is_excused =
                is_open && executions == 0 && *expected == "unsafe" && *entry != "main";
            if !found.starts_with(expected) && !is_excused {
                wrong.push(format!("{found}, not {expected} ({executions} executions): {text}"));
            }
        }
    }
    wrong
}

/// Functions with bodies: where executions start, the text, and the answer.
const BODIES: &[(&str, &str, &str)] = &[
    // What is required is assumed where executions start, and checked where the program calls.
    ("f", "/*@ requires x > 3; */ int f(int x) { if (x <= 3) reach_error(); return x; }", "safe"),
    ("f", "/*@ requires x > 2; */ int f(int x) { if (x <= 3) reach_error(); return x; }", "unsafe"),
    ("main", "/*@ requires x > 3; */ int f(int x) { return x; } int main(void) { return f(4); }", "safe"),
    ("main", "/*@ requires x > 3; */ int f(int x) { return x; } int main(void) { return f(3); }", "unsafe"),
    ("main", "/*@ requires x > 3; */ int f(int x) { return x; }
        int main(void) { int y = __VERIFIER_nondet_int(); if (y > 3) f(y); return 0; }", "safe"),
    ("main", "/*@ requires x > 3; */ int f(int x) { return x; }
        int main(void) { int y = __VERIFIER_nondet_int(); if (y > 2) f(y); return 0; }", "unsafe"),
    ("main", "int g; /*@ requires g == 1; */ int main(void) { if (g != 1) reach_error(); return 0; }", "safe"),
    // Both: recursion, and a call of the function in which executions start.
    ("f", "/*@ requires n >= 0; */ int f(int n) { if (n == 0) return 0; return f(n - 1); }", "safe"),
    ("f", "/*@ requires n >= 0; */ int f(int n) { if (n == 1) return 0; return f(n - 1); }", "unsafe"),
    ("f", "/*@ requires 0 <= n <= 9; ensures \\result == n; */ int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); }", "safe"),
    ("f", "/*@ requires 0 <= n <= 9; ensures \\result == n; */ int f(int n) { if (n == 0) return 1; return 1 + f(n - 1); }", "unsafe"),
    ("f", "/*@ requires n != 5; */ int f(int n) { if (n < 0) return 0; return f(n - 1); }", "unsafe"),
    ("f", "int f(int n); int g(int n) { return f(n); }
        /*@ requires n > 0; */ int f(int n) { if (n == 1) return 1; return g(n - 1); }", "safe"),
    ("f", "int f(int n); int g(int n) { return f(n); }
        /*@ requires n > 0; */ int f(int n) { if (n == 2) return 1; return g(n - 1); }", "unsafe"),
    ("f", "/*@ requires n > 0; */ int f(int n) { int (*p)(int) = f; if (n > 1) return p(n - 1); return n; }", "safe"),
    ("f", "/*@ requires n > 0; */ int f(int n) { int (*p)(int) = f; if (n > 0) return p(n - 1); return n; }", "unsafe"),
    ("f", "int f(int n); int (*p)(int) = f; /*@ requires n > 0; */ int f(int n) { if (n > 1) return p(n - 1); return n; }", "safe"),
    ("f", "int f(int n); int (*p)(int) = f; /*@ requires n > 0; */ int f(int n) { if (n > 0) return p(n - 1); return n; }", "unsafe"),
    // Through a pointer.
    ("main", "/*@ requires x != 0; */ int f(int x) { return x; } int (*p)(int) = f; int main(void) { return p(1); }", "safe"),
    ("main", "/*@ requires x != 0; */ int f(int x) { return x; } int (*p)(int) = f; int main(void) { return p(0); }", "unsafe"),
    // Another function than the one with the contract.
    ("g", "/*@ requires x > 0; */ int f(int x) { return x; } int g(int y) { return f(y); }", "unsafe"),
    ("g", "/*@ requires x > 0; */ int f(int x) { return x; } /*@ requires y > 1; */ int g(int y) { return f(y); }", "safe"),
    // The result.
    ("f", "/*@ ensures \\result > x; */ int f(int x) { return x < 5 ? 5 : 2147483647; }", "unsafe"),
    ("f", "/*@ ensures \\result >= x; */ int f(int x) { return x < 5 ? 5 : 2147483647; }", "safe"),
    ("f", "/*@ ensures \\result == x + 1; */ unsigned f(unsigned x) { return x + 1; }", "unsafe"),
    ("f", "/*@ requires x != 4294967295; ensures \\result == x + 1; */ unsigned f(unsigned x) { return x + 1; }", "safe"),
    ("f", "/*@ ensures \\result == x + 1; */ int f(int x) { return x + 1; }", "unsafe"),
    ("f", "/*@ requires x < 2147483647; ensures \\result == x + 1; */ int f(int x) { return x + 1; }", "safe"),
    ("f", "/*@ ensures \\result == 300; */ unsigned char f(void) { return 300; }", "unsafe"),
    ("f", "/*@ ensures \\result == 44; */ unsigned char f(void) { return 300; }", "safe"),
    ("f", "struct s { int a, b; }; /*@ ensures \\result.a == x && \\result.b == x; */ struct s f(int x) { struct s r = {x, x}; return r; }", "safe"),
    ("f", "struct s { int a, b; }; /*@ ensures \\result.a == x && \\result.b == x; */ struct s f(int x) { struct s r = {x, 1}; return r; }", "unsafe"),
    ("f", "int g; /*@ ensures \\result != \\null ==> *\\result == 7; */ int *f(int x) { g = 7; return x ? &g : 0; }", "safe"),
    ("f", "int g; /*@ ensures \\result != \\null ==> *\\result == 7; */ int *f(int x) { g = 8; return x ? &g : 0; }", "unsafe"),
    // Several returns, in blocks and loops.
    ("f", "/*@ ensures \\result != 3; */ int f(int x) { if (x > 5) return 1; while (x < 9) { if (x == 4) return 2; x++; } return 4; }", "safe"),
    ("f", "/*@ ensures \\result != 2; */ int f(int x) { if (x > 5) return 1; while (x < 9) { if (x == 4) return 2; x++; } return 4; }", "unsafe"),
    ("f", "int g; /*@ ensures g == 1; */ void f(int x) { g = 1; if (x) return; g = 2; g--; }", "safe"),
    ("f", "int g; /*@ ensures g == 1; */ void f(int x) { g = 1; if (x) return; g = 2; }", "unsafe"),
    ("f", "int g; /*@ ensures g == 1; */ void f(int x) { g = 2; if (x) return; g = 1; }", "unsafe"),
    ("f", "int g; /*@ ensures g == 1; */ void f(int x) { if (x) goto end; end: g = 1; }", "safe"),
    ("main", "/*@ ensures \\result == 0; */ int main(void) { }", "safe"),
    ("main", "/*@ ensures \\result == 1; */ int main(void) { }", "unsafe"),
    ("f", "void exit(int); /*@ ensures \\false; */ int f(int x) { if (x) exit(1); for (;;) ; }", "safe"),
    // Without a result where there should be one.
    ("f", "int g; /*@ ensures g == 1; */ int f(int x) { g = 1; if (x) return 1; }", "safe"),
    ("f", "int g; /*@ ensures g == 1; */ int f(int x) { if (x) return g = 1; }", "unsafe"),
    ("f", "/*@ ensures \\result == 1; */ int f(int x) { if (x) return 1; }", "unknown: "),
    // Parameters are those at the beginning, and targets those at the end.
    ("f", "/*@ requires n < 1000; ensures \\result == n + 1; */ int f(int n) { n++; return n; }", "safe"),
    ("f", "/*@ requires n < 1000; ensures \\result == n; */ int f(int n) { n++; return n; }", "unsafe"),
    ("f", "/*@ ensures n == \\old(n); */ int f(int n) { n = 5; return n; }", "safe"),
    ("f", "/*@ ensures n == 5; */ int f(int n) { n = 5; return n; }", "unsafe"),
    ("main", "/*@ ensures n == 5; */ int f(int n) { int *p = &n; *p = 6; return n; } int main(void) { return f(5); }", "safe"),
    ("main", "/*@ ensures n == 6; */ int f(int n) { int *p = &n; *p = 6; return n; } int main(void) { return f(5); }", "unsafe"),
    ("main", "/*@ ensures *p == 3; */ void f(int *p) { *p++ = 3; } int main(void) { int a[2] = {0}; f(a); return 0; }", "safe"),
    ("main", "/*@ ensures *p == 3; */ void f(int *p) { *++p = 3; } int main(void) { int a[2] = {0}; f(a); return 0; }", "unsafe"),
    ("main", "struct s { int a; }; /*@ ensures s.a == 3; */ void f(struct s s) { s.a = 4; } int main(void) { struct s t = {3}; f(t); return 0; }", "safe"),
    ("main", "struct s { int a; }; /*@ ensures s.a == 4; */ void f(struct s s) { s.a = 4; } int main(void) { struct s t = {3}; f(t); return 0; }", "unsafe"),
    // Values at the beginning.
    ("f", "int g; /*@ requires g < 9; ensures g == \\old(g) + 1 && \\result == \\old(g); */ int f(void) { return g++; }", "safe"),
    ("f", "int g; /*@ requires g < 9; ensures g == \\old(g) + 1 && \\result == \\old(g); */ int f(void) { return ++g; }", "unsafe"),
    ("f", "int g; /*@ ensures g == \\old(g) + 1; */ void f(int n) { g++; if (n != 7) f(n + 1); }", "unsafe"),
    ("main", "int g; /*@ ensures \\old(g < 5) ==> g == 7; */ void f(void) { if (g < 5) g = 7; } int main(void) { g = __VERIFIER_nondet_int(); f(); return 0; }", "safe"),
    ("main", "int g; /*@ ensures \\old(g < 6) ==> g == 7; */ void f(void) { if (g < 5) g = 7; } int main(void) { g = __VERIFIER_nondet_int(); f(); return 0; }", "unsafe"),
    ("main", "/*@ ensures *a == \\old(*b) && *b == \\old(*a); */ void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) { int x = 1, y = 2; swap(&x, &y); if (x != 2 || y != 1) reach_error(); swap(&x, &x); return 0; }", "safe"),
    ("main", "/*@ ensures *a == \\old(*b) && *b == \\old(*a); */ void swap(int *a, int *b) { *a ^= *b; *b ^= *a; *a ^= *b; }
        int main(void) { int x = 1, y = 2; swap(&x, &y); swap(&x, &x); return 0; }", "unsafe"),
    // A target that is not there is not read.
    ("main", "/*@ ensures p != \\null ==> *p == \\old(*p) + 1; */ void f(int *p) { if (p) ++*p; }
        int main(void) { int x = 1; f(&x); f(0); if (x == 2) reach_error(); return 0; }", "unsafe"),
    ("main", "/*@ ensures p != \\null ==> *p == \\old(*p) + 1; */ void f(int *p) { if (p) ++*p; }
        int main(void) { int x = 1; f(&x); f(0); if (x != 2) reach_error(); return 0; }", "safe"),
    ("main", "int a[3]; /*@ ensures 0 <= i < 3 ==> a[i] == \\old(a[i]) + 1; */ void f(int i) { if (i >= 0 && i < 3) a[i]++; }
        int main(void) { f(7); f(2); f(-1); return 0; }", "safe"),
    ("main", "int a[3]; /*@ ensures !(0 <= i < 3) || a[i] == \\old(a[i]) + 1; */ void f(int i) { if (i >= 0 && i < 2) a[i]++; }
        int main(void) { f(7); f(2); f(-1); return 0; }", "unsafe"),
    // Both are claimed.
    ("main", "/*@ ensures \\result == 1 && *p == \\old(*p) + 1; */ int f(int *p) { ++*p; return 1; }
        int main(void) { int x = 1; f(&x); return 0; }", "safe"),
    ("main", "/*@ ensures p != \\null && *p > 0 && *p == \\old(*p) + 1; */ int f(int *p) { if (p) ++*p; return 1; }
        int main(void) { int x = 1; f(&x); return 0; }", "safe"),
    ("main", "/*@ ensures p != \\null && *p > 0 && *p == \\old(*p) + 1; */ int f(int *p) { if (p) ++*p; return 1; }
        int main(void) { int x = 1; f(&x); f(0); return 0; }", "unsafe"),
    // Known only at the end: the clause does not count.
    ("main", "/*@ ensures \\result ==> *p == \\old(*p) + 2; */ int f(int *p) { if (p) ++*p; return p != 0; }
        int main(void) { int x = 1; f(&x); f(0); if (x == 2) reach_error(); return 0; }", "unsafe"),
    // Where contracts stand.
    ("main", "/*@ requires a > 0; */ int f(int a); int f(int b) { return b; } int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires a > 0; */ int f(int a); int f(int b) { return b; } int main(void) { return f(0); }", "unsafe"),
    ("main", "int f(int b) { b = 2; return b; } /*@ ensures a == 1; */ int f(int a); int main(void) { return f(1); }", "safe"),
    ("main", "int f(int b) { b = 2; return b; } /*@ ensures a == 2; */ int f(int a); int main(void) { return f(1); }", "unsafe"),
    ("main", "/*@ requires x > 0; */ /*@ requires x < 9; */ static int f(int x) { return x; } int main(void) { return f(8); }", "safe"),
    ("main", "/*@ requires x > 0; */ /*@ requires x < 9; */ static int f(int x) { return x; } int main(void) { return f(9); }", "unsafe"),
    ("main", "//@ requires x > 0;\n//@ requires small: x < 9;\nstatic int f(int x) { return x; }\nint main(void) { return f(0); }", "unsafe"),
    ("main", "/*@ requires x > 0;requires x < 9;\n  @ assigns \\nothing; @*/ int (f)(int x) { return x; } int main(void) { return f(9); }", "unsafe"),
    ("main", "/*@ requires x > 0; */ int f(x) int x; { return x; } int main(void) { return f(0); }", "unsafe"),
    ("main", "/*@ requires x > 0; */ int *(*f(int x))[3] { return 0; } int main(void) { f(0); return 0; }", "unsafe"),
    ("main", "/*@ requires x > 0; */ int f(int x, ...) { return x; } int main(void) { return f(0, 1); }", "unsafe"),
    ("main", "/*@ requires x > 0; */ int f(int x); /*@ requires y < 9; ensures \\result == y; */ int f(int y) { return y; } int main(void) { return f(8); }", "safe"),
    // What is understood of several claims counts.
    ("main", "/*@ requires \\valid(p) && x > 0 && \\valid(p); */ int f(int *p, int x) { return x; } int main(void) { return f(0, 1); }", "safe"),
    ("main", "/*@ requires \\valid(p) && x > 0 && \\valid(p); */ int f(int *p, int x) { return x; } int main(void) { return f(0, 0); }", "unsafe"),
    ("main", "/*@ requires x > 0 && \\forall integer i; i > 0 && x > 5; */ int f(int x) { return x; } int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires \\valid(p) && x > 0 || x > 5; */ int f(int *p, int x) { if (!p) return 0; reach_error(); return x; } int main(void) { return f(0, 0); }", "safe"),
    ("main", "/*@ ensures \\result > 0 && \\fresh(p) && (x > 0 ==> \\result == x); requires x < 9; */ int f(int *p, int x) { return x > 0 ? x : 1; } int main(void) { return f(0, 0) + f(0, 8); }", "safe"),
    ("main", "/*@ ensures \\result > 0 && \\fresh(p) && (x > 0 ==> \\result == x); requires x < 8; */ int f(int *p, int x) { return x > 0 ? x : 1; } int main(void) { return f(0, 0) + f(0, 8); }", "unsafe"),
    // What is not understood does not count, and neither does what stands elsewhere.
    ("f", "/*@ requires \\valid(p); */ int f(int *p) { return 1; } int main(void) { return f(0); }", "safe"),
    ("main", "/*@ behavior a: assumes x > 0; requires \\false; ensures \\false; */ int f(int x) { return 1; } int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires \\forall integer i; i > i; ensures \\result == 1; */ int f(int x) { return 1; } int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires \\false; */ int f(int x), g(int x); int f(int x) { return 1; } int main(void) { return f(1); }", "safe"),
    ("main", "int f(int x) /*@ requires \\false; */ { return 1; } int main(void) { return f(1); }", "safe"),
    ("main", "int f(x) int x; /*@ requires \\false; */ { return 1; } int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires \\false; */ int g; /*@ requires \\false; */ typedef int T; int main(void) { /*@ requires \\false; */ { g = 1; } return 0; }", "safe"),
];

#[test]
fn functions_with_bodies() {
    let wrong = differing(BODIES);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
