//! `--check-bounds` and `--check-null`: verdicts that C's rules give; gcc's sanitizers stop the
//! harness of each error.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Source;
use hardbop_c::flow::Violation;
use hardbop_c::harness::{ACCESS_OPTIONS, harness};
use hardbop_c::lower::{Assumption, Model};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, check};

use crate::support::c::analysis_only;

const HEAD: &str = "
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern void *malloc(size_t); extern void free(void *); extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t); extern char *strcpy(char *, const char *);
struct s { int n; struct s *next; int a[3]; };
";

const PROGRAMS: &[(&str, &str)] = &[
    (
        "unknown",
        "struct t { int n; int a[]; }; extern struct t f; f.a[__VERIFIER_nondet_int() & 1] = 7; return 0;",
    ),
    (
        "unknown",
        "struct t { int n; int a[]; }; struct t f[2]; f[1].a[__VERIFIER_nondet_int() & 1] = 7; return 0;",
    ),
    // Members without a length have the elements that they are given.
    (
        "bounds",
        "struct { int n; int a[]; } f = {1}; f.a[__VERIFIER_nondet_int() & 1] = 7; return 0;",
    ),
    (
        "bounds",
        "static struct { int n; int a[]; } f = {1, {2, 3}}; unsigned char i = __VERIFIER_nondet_int(); if (i > 2) return 0; f.a[i] = 7; return 0;",
    ),
    (
        "safe",
        "static struct { int n; int a[]; } f = {1, {2, 3}}; unsigned char i = __VERIFIER_nondet_int(); if (i > 1) return 0; f.a[i] = 7; return 0;",
    ),
    // Sizes that the program computes.
    (
        "safe",
        "int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(); if (n < 1 || n > 90 || i < 0 || i >= n) return 0; int *p = malloc(n * sizeof(int)); p[i] = 1; return 0;",
    ),
    (
        "bounds",
        "int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(); if (n < 1 || n > 90 || i < 0 || i > n) return 0; int *p = malloc(n * sizeof(int)); p[i] = 1; return 0;",
    ),
    (
        "bounds",
        "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0; char *p = malloc(n); p[0] = 1; return 0;",
    ),
    (
        "safe",
        "unsigned char n = __VERIFIER_nondet_int(); for (int k = 0; k < 2; k++) { short *p = malloc((n + 1 + k) * sizeof *p); p[n + k] = 1; } return 0;",
    ),
    (
        "bounds",
        "unsigned char n = __VERIFIER_nondet_int(); for (int k = 0; k < 2; k++) { short *p = malloc((n + 2 - k) * sizeof *p); p[n + 1] = 1; } return 0;",
    ),
    (
        "bounds",
        "unsigned char n = __VERIFIER_nondet_int(); char *p = malloc(n + 1), *q = malloc(4); char *r = n > 7 ? p : q; r[n] = 1; return 0;",
    ),
    (
        "safe",
        "unsigned char n = __VERIFIER_nondet_int(); char *p = malloc(n + 1), *q = malloc(8); char *r = n > 7 ? p : q; r[n] = 1; return 0;",
    ),
    // What an index reaches is not another object to which the pointer could point.
    (
        "bounds",
        "static int a[2], b[2]; int *p = __VERIFIER_nondet_int() ? a : b; int i = __VERIFIER_nondet_int() == 12345 ? 8 : 0; if (p == a) p[i] = 1; return 0;",
    ),
    (
        "bounds",
        "static int a[2], b[2]; int *p = __VERIFIER_nondet_int() ? a : b; int i = __VERIFIER_nondet_int() == 12345 ? 8 : 0; if (p == a) { for (; i > 0; i--) p++; *p = 1; } return 0;",
    ),
    ("bounds", "int a[10]; int i = __VERIFIER_nondet_int(); a[i] = 1; return 0;"),
    (
        "safe",
        "int a[10]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 10) a[i] = 1; return 0;",
    ),
    ("safe", "int a[10]; unsigned i = __VERIFIER_nondet_int(); a[i % 10] = 1; return 0;"),
    ("bounds", "int a[10]; a[10] = 1; return 0;"),
    ("bounds", "int a[10]; int i; for (i = 0; i <= 10; i++) a[i] = i; return 0;"),
    ("safe", "int a[10]; int i; for (i = 0; i < 10; i++) a[i] = i; return 0;"),
    ("bounds", "int a[4]; int *p = a; int i = __VERIFIER_nondet_int(); return p[i];"),
    (
        "safe",
        "int a[4]; int *p = a; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; p[i] = 5; return p[i];",
    ),
    ("bounds", "int a[4] = {0}; int *p = a + 4; return *p;"),
    (
        "safe",
        "int a[4] = {0}; int *p = &a[4]; int n = 0; while (p != a) { p--; n += *p; } return n;",
    ),
    ("bounds", "int a[4] = {0}; return *(a + 4);"),
    ("bounds", "int a[4] = {0}; int i = __VERIFIER_nondet_int(); a[i]; return 0;"),
    (
        "bounds",
        "int a[2][3] = {0}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; return a[1][i];",
    ),
    (
        "safe",
        "int a[2][3] = {0}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0; return a[1][i];",
    ),
    ("bounds", "char c = 1; int *p = (int *)&c; return *p;"),
    ("safe", "int c = 1; char *p = (char *)&c; return p[3];"),
    ("bounds", "int *p = malloc(12); p[3] = 1; return 0;"),
    ("safe", "int *p = malloc(12); p[2] = 1; return p[2];"),
    (
        "safe",
        "struct s x, y; x.next = &y; y.next = 0; x.next->n = 5; x.next->a[2] = 1; return y.n;",
    ),
    (
        "bounds",
        "struct s x, y; x.next = &y; int i = __VERIFIER_nondet_int(); x.next->a[i & 3] = 1; return 0;",
    ),
    ("bounds", "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; return \"abc\"[i];"),
    ("safe", "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; return \"abc\"[i];"),
    ("bounds", "int a[10]; memset(a, 0, 44); return 0;"),
    ("safe", "int a[10], b[10]; memset(a, 0, 40); memcpy(b, a, sizeof b); return b[9];"),
    (
        "safe",
        "struct __attribute__((packed)) { char c[5]; int b : 3; } x, *p = &x; p->b = 1; p->c[4] = 2; return p->b;",
    ),
    ("bounds", "int n = __VERIFIER_nondet_int(), a[n]; return sizeof a == 5;"),
    ("bounds", "int n = 3; n -= 3; int a[n]; return sizeof a == 5;"),
    ("safe", "int n = 4, a[n]; a[3] = 1; return a[3] - 1;"),
    (
        "safe",
        "int n = 2, m = 3; int a[n][m]; int *p = &a[0][3], (*q)[m] = &a[2]; a[1][2] = 1; return q - a + (p - a[0]) - 5;",
    ),
    ("bounds", "int n = 2, m = 3; int a[n][m]; a[0][3] = 1; return 0;"),
    ("bounds", "int n = 2, m = 3; int a[n][m]; a[-1][2] = 1; return 0;"),
    ("bounds", "int n = 2; int a[3][n], (*p)[n] = a; (*++p)[2] = 1; return 0;"),
    ("unknown", "int n = 2, m = 3; int a[n][m]; a[2][0] = 1; return 0;"),
    ("null", "int *p = 0; if (__VERIFIER_nondet_int() == 3) *p = 1; return 0;"),
    (
        "safe",
        "int x = 0; int *p = __VERIFIER_nondet_int() ? &x : 0; if (p && *p) return 1; if (p) *p = 1; return 0;",
    ),
    ("null", "int x = 0; int *p = __VERIFIER_nondet_int() > 5 ? &x : 0; *p = 1; return 0;"),
    ("null", "struct s x; x.next = 0; x.n = 1; return x.next->n;"),
    (
        "null",
        "int (*f)(void) = __VERIFIER_nondet_int() == 5 ? 0 : __VERIFIER_nondet_int; return f();",
    ),
    ("safe", "struct s *p = 0; return (int)(size_t)&p->a[1] != 0;"),
    (
        "safe",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0; int *p = malloc(4 * n); p[n - 1] = 1; return 0;",
    ),
    ("safe", "char a[4]; strcpy(a, \"abc\"); return a[0];"),
    ("bounds", "char a[3]; strcpy(a, \"abc\"); return a[0];"),
    (
        "bounds",
        "char a[4]; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 5) return 0; memset(a, 1, n); return 0;",
    ),
    (
        "safe",
        "char a[4]; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0; memset(a, 1, n); return 0;",
    ),
    (
        "unknown",
        "struct s *l = 0; while (__VERIFIER_nondet_int()) { struct s *n = malloc(sizeof *n); n->next = l; l = n; } \
         while (l) { l->n = 1; l = l->next; } return 0;",
    ),
];

/// Runs a harness with these of gcc's sanitizers: whether they stop it; nothing where there is no
/// gcc that has them.
pub fn is_stopped(text: &str, sanitizers: &str) -> Option<bool> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    fs::write(&file, text).expect("it can be written");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-fno-strict-aliasing", "-o"])
        .args([&program, &file])
        .args(sanitizers.split(' '))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no gcc with sanitizers");
        return None;
    }
    let status = Command::new(&program).stderr(Stdio::null()).status().expect("it runs");
    Some(status.code() != Some(0))
}

fn verdict(text: &str, model: DataModel, memory: Model) -> &'static str {
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
    let property =
        Property { checks: Checks::of(&[Check::Bounds, Check::Null]), ..Property::nothing() };
    let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
    on_large_stack(|| {
        let flow =
            parse(Source::new("p.c", text), &options).unwrap_or_else(|d| panic!("{text}: {d:#?}"));
        let checks = Options { memory, ..analysis_only() };
        let report = check(CProgram::new(&flow), &checks, &budget, &mut ())
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        match &report.outcome {
            Outcome::Safe(_) => {
                assert!(!report.assumptions.contains(&Assumption::ValidAccesses), "{text}");
                "safe"
            }
            Outcome::Unsafe(execution) => {
                let harness = harness(&flow, execution).expect("an error has a harness");
                if is_stopped(&harness.text, ACCESS_OPTIONS) == Some(false) {
                    return "not stopped";
                }
                match execution.violation(&flow) {
                    Some(Violation::Of(ErrorKind::NullPointer)) => "null",
                    _ => "bounds",
                }
            }
            Outcome::Unknown(reason) => {
                eprintln!("{text}: {reason}");
                "unknown"
            }
        }
    })
    .expect("a thread")
}

#[test]
fn verdicts_are_those_of_c() {
    let mut wrong = Vec::new();
    for (expected, body) in PROGRAMS {
        let text = format!("{HEAD}int main(void) {{ {body} }}\n");
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let found = verdict(&text, model, Model::Regions);
            if found != *expected {
                wrong.push(format!("{model:?}: {found}, not {expected}: {body}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Less is known where memory is havocked, and nothing else.
#[test]
fn havoc_hides_no_error() {
    let (mut wrong, mut safe) = (Vec::new(), 0);
    for (expected, body) in PROGRAMS {
        let text = format!("{HEAD}int main(void) {{ {body} }}\n");
        let found = verdict(&text, DataModel::Ilp32, Model::Havoc);
        safe += usize::from(found == "safe");
        if found != *expected && found != "unknown" {
            wrong.push(format!("{found}, not {expected}: {body}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(safe > 0);
}

/// Without the checks the assumption is printed.
#[test]
fn without_checks_accesses_are_assumed_to_be_valid() {
    let text = format!(
        "{HEAD}int main(void) {{ int a[4], b = 1; int i = __VERIFIER_nondet_int(); a[i] = 0; \
         if (a[i]) {{ ERROR: return b; }} return 0; }}"
    );
    let assumed = on_large_stack(|| {
        let flow = parse(Source::new("p.c", text), &ParseOptions::default()).expect("it is C");
        let report = check(CProgram::new(&flow), &analysis_only(), &Budget::unlimited(), &mut ());
        report.expect("solvers work").assumptions
    });
    assert!(assumed.expect("a thread").contains(&Assumption::ValidAccesses));
}
