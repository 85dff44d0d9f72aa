//! `--overflow-check`: verdicts that C's rules give, each error reached by the harness that gcc
//! compiles with its sanitizer, and no safe program stopped by that sanitizer on random and extreme
//! inputs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::source::Source;
use hardbop_c::execute::Undefined;
use hardbop_c::flow::Violation;
use hardbop_c::harness::{ERROR_CODE, OVERFLOW_OPTIONS, harness};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::{CProgram, Outcome, check};

use crate::support::c::analysis_only;

mod division;

const HEAD: &str = "
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void); extern long long __VERIFIER_nondet_longlong(void);
extern signed char __VERIFIER_nondet_char(void); extern short __VERIFIER_nondet_short(void);
extern void reach_error(void); extern int abs(int); extern long labs(long); extern long long llabs(long long);
";

/// What a body of `main` is in both data models, or in ILP32 and in LP64.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("sum", "unsafe", "int x = __VERIFIER_nondet_int(); int y = x + 1; return y;"),
    (
        "guarded sum",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x < 2147483647) x = x + 1; return x;",
    ),
    ("absolute value", "unsafe", "int x = __VERIFIER_nondet_int(); return abs(x) > 5;"),
    (
        "absolute value of another number than the least one",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x == -2147483647 - 1) return 0; return abs(x) > 5;",
    ),
    (
        "absolute value of a long",
        "unsafe",
        "long x = __VERIFIER_nondet_long(); if (x < 0) return labs(x) == 5; return 0;",
    ),
    (
        "absolute value of a char",
        "safe",
        "return (int)llabs(__VERIFIER_nondet_char()) + abs(__VERIFIER_nondet_short());",
    ),
    (
        "signs differ",
        "safe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x > 0 && y < 0) return x + y; return 0;",
    ),
    (
        "difference",
        "unsafe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x >= 0 && y < 0) return x - y; return 0;",
    ),
    (
        "difference of naturals",
        "safe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x >= 0 && y >= 0) return x - y; return 0;",
    ),
    (
        "square",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); if (x > 46341) x = 46341; if (x < 0) x = 0; return x * x;",
    ),
    (
        "small square",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x > 300) x = 300; if (x < -300) x = 0; return x * x;",
    ),
    (
        "multiple",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x > -715827883 && x < 715827883) return 3 * x; return 0;",
    ),
    (
        "multiple by one more",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); if (x > -715827883 && x < 715827884) return x * -3; return 0;",
    ),
    ("negation", "unsafe", "int x = __VERIFIER_nondet_int(); return -x;"),
    (
        "negation of others",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x != -2147483647 - 1) return -x; return 0;",
    ),
    (
        "quotient",
        "unsafe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (y == 0) return 0; return x / y;",
    ),
    (
        "remainder",
        "unsafe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (y == 0) return 0; return x % y;",
    ),
    (
        "quotient by others",
        "safe",
        "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (y == 0 || y == -1) return 0; return x / y;",
    ),
    (
        "unsigned",
        "safe",
        "unsigned x = __VERIFIER_nondet_uint(), y = x + 1u; y = y * x; y = -y; y--; x++; x <<= 31; return y - x > 3;",
    ),
    (
        "unsigned by conversion",
        "safe",
        "unsigned x = __VERIFIER_nondet_uint(); int y = __VERIFIER_nondet_int(); return x + y > 3;",
    ),
    (
        "char",
        "safe",
        "signed char c = __VERIFIER_nondet_char(); c++; c += 100; c = c * 2; c--; return c;",
    ),
    (
        "short",
        "safe",
        "short s = __VERIFIER_nondet_short(), t = __VERIFIER_nondet_short(); int x = s * t; s = s + t; return s + x;",
    ),
    (
        "unsigned short",
        "unsafe",
        "unsigned short s = __VERIFIER_nondet_short(), t = s; int x = s * t; return x;",
    ),
    (
        "conversions",
        "safe",
        "long long x = __VERIFIER_nondet_longlong(); int y = x; short z = y; unsigned u = y; return z + (signed char)u;",
    ),
    (
        "shift by 31",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); if (x == 0 || x == 1) return x << 31; return 0;",
    ),
    (
        "shift by 30",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x == 0 || x == 1) return x << 30; return 0;",
    ),
    (
        "shift of a negative number",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); if (x >= -1 && x <= 1) return x << 1; return 0;",
    ),
    ("shift by a large count", "unsafe", "int n = __VERIFIER_nondet_int(); return 0 << n;"),
    (
        "shift of a promoted char",
        "unsafe",
        "unsigned char c = __VERIFIER_nondet_char(); return c << 24;",
    ),
    (
        "shift too far to the right",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); return x >> (x & 63);",
    ),
    ("negative shift to the right", "unsafe", "int x = __VERIFIER_nondet_int(); return 5 >> x;"),
    (
        "shift of an unsigned number",
        "unsafe",
        "unsigned x = __VERIFIER_nondet_uint(); return x << (x & 32);",
    ),
    (
        "shift of an unsigned number within its width",
        "safe",
        "unsigned x = __VERIFIER_nondet_uint(); return x << (x & 31);",
    ),
    ("shift to the right", "safe", "int x = __VERIFIER_nondet_int(); return x >> 3;"),
    (
        "long",
        "unsafe safe",
        "int x = __VERIFIER_nondet_int(); long y = x; y = y + 1; return y > 0;",
    ),
    (
        "product of long",
        "unsafe",
        "long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long(); if (x < 1 || y < 1) return 0; return x * y > 5;",
    ),
    (
        "wide product",
        "safe",
        "int x = __VERIFIER_nondet_int(); long long y = (long long)x * x; return y > 0;",
    ),
    (
        "increments",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x < 2147483646) { x++; ++x; } return 0;",
    ),
    (
        "increment",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); if (x < 2147483647) { x++; int y = x++; } return 0;",
    ),
    ("decrement", "unsafe", "int x = __VERIFIER_nondet_int(); --x; return 0;"),
    ("compound", "unsafe", "int x = __VERIFIER_nondet_int(); x += 5; return 0;"),
    (
        "compounds",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x > 100 || x < 0) return 0; x *= 4; x -= 300; x += x; x /= -1; x %= 7; return x;",
    ),
    (
        "loop",
        "safe",
        "int i, n = __VERIFIER_nondet_int(); if (n > 1000) n = 1000; for (i = 0; i < n; i++) ; return i;",
    ),
    (
        "loop to the limit",
        "unsafe",
        "int i, n = __VERIFIER_nondet_int(); for (i = 2147483640; i <= n; i++) ; return i;",
    ),
    (
        "short circuit",
        "safe",
        "int x = __VERIFIER_nondet_int(); return x < 100 && x > 0 && x + 5 > 7;",
    ),
    (
        "short circuit too late",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); int y; return x > 0 && (y = x + 5) > 7;",
    ),
    ("choice", "safe", "int x = __VERIFIER_nondet_int(); int y = x < 0 ? x + 1 : x - 1; return y;"),
    (
        "wrong choice",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); int y = x < 0 ? x - 1 : x - 1; return y;",
    ),
    (
        "absolute value",
        "unsafe",
        "int x = __VERIFIER_nondet_int(); int y = x < 0 ? -x : x; return y;",
    ),
    ("nobody asks", "unsafe", "int x = __VERIFIER_nondet_int(); x + 1; return 0;"),
    (
        "constant expressions",
        "safe",
        "int a[(sizeof(int) + 1 == 5) ? 1 : -1]; enum { E = 1 << 3, F = -1 }; switch (E) { case 1 << 3: return 0; } return F;",
    ),
    (
        "pointers",
        "safe",
        "int a[10]; int *p = a + 5; int n = __VERIFIER_nondet_int(); if (n >= 0 && n < 5) p = p - n; return p == a;",
    ),
    (
        "bit-fields",
        "safe",
        "struct { int a : 3; unsigned b : 5; } s; s.a = __VERIFIER_nondet_int(); s.b = __VERIFIER_nondet_int(); s.a++; s.b *= 9; return s.a + s.b;",
    ),
    (
        "other errors",
        "safe",
        "int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0;",
    ),
];

fn overflow() -> Property {
    Property { checks: Checks::of(&[Check::Overflow]), ..Property::nothing() }
}

/// The verdict; of an error, the harness has reached it.
fn verdict(name: &str, text: &str, property: Property, model: DataModel) -> &'static str {
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(100));
    let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
    on_large_stack(|| {
        let flow =
            parse(Source::new("p.c", text), &options).unwrap_or_else(|d| panic!("{name}: {d:#?}"));
        let report = check(CProgram::new(&flow), &analysis_only(), &budget, &mut ())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        match &report.outcome {
            Outcome::Safe(_) => "safe",
            Outcome::Unsafe(execution) => {
                let violation = execution.violation(&flow);
                assert!(
                    matches!(
                        violation,
                        Some(Violation::Of(ErrorKind::SignedOverflow | ErrorKind::ShiftCount))
                    ),
                    "{name}"
                );
                let harness = harness(&flow, execution).expect("an error has a harness");
                assert!(harness.notes.is_empty(), "{name}: {:?}", harness.notes);
                assert!(harness.text.contains(OVERFLOW_OPTIONS), "{name}");
                let code = run(&harness.text);
                // gcc computes nothing that nobody asks for.
                let reached = code.is_none_or(|code| code == Some(ERROR_CODE));
                assert!(reached || name == "nobody asks", "{name}: {code:?}");
                "unsafe"
            }
            Outcome::Unknown(reason) => {
                eprintln!("{name}: {reason}");
                "unknown"
            }
        }
    })
    .expect("a thread")
}

/// Compiles and runs with gcc's sanitizer; the exit code, or nothing where there is no gcc.
fn run(text: &str) -> Option<Option<i32>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    fs::write(&file, text).expect("it can be written");
    let compile = |file: &Path| {
        Command::new("gcc")
            .args(["-std=gnu11", "-w", "-O0", "-fno-builtin", "-fno-strict-aliasing", "-o"])
            .args([&*program, file])
            .args(OVERFLOW_OPTIONS.split(' '))
            .stdin(Stdio::null())
            .output()
    };
    let Ok(compiled) = compile(&file) else {
        eprintln!("skipped: no gcc");
        return None;
    };
    let complaints = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{complaints}\n{text}");
    let status = Command::new(&program).stderr(Stdio::null()).status().expect("it runs");
    Some(status.code())
}

/// The program again and again on values that come from nowhere in particular.
fn repeated(body: &str) -> String {
    let mut text = String::from(
        "static unsigned long long state = 1;
         static long long next(void) {
           static const long long extreme[] = {0, 1, -1, 2, 127, 128, 255, 300, 32767, 65535, 2147483647,
             -2147483647 - 1, 2147483646, 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1, 1000};
           state = state * 6364136223846793005ULL + 1442695040888963407ULL;
           unsigned long long x = state >> 33;
           return x % 3 ? extreme[(x / 3) % 16] : (long long)(state ^ x);
         }\nvoid reach_error(void) {}\n",
    );
    for (name, ty) in [
        ("int", "int"),
        ("uint", "unsigned"),
        ("long", "long"),
        ("longlong", "long long"),
        ("char", "signed char"),
        ("short", "short"),
    ] {
        text.push_str(&format!("{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})next(); }}\n"));
    }
    format!(
        "{text}static int once(void) {{ {body} }}\n\
         int main(void) {{ for (int i = 0; i < 3000; i++) once(); return 0; }}\n"
    )
}

#[test]
fn verdicts_are_those_of_c() {
    let mut wrong = Vec::new();
    for (name, expected, body) in PROGRAMS {
        let text = format!("{HEAD}int main(void) {{ {body} }}\n");
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut both = expected.split(' ');
            let (first, second) = (both.next(), both.next());
            let expected =
                if model == DataModel::Lp64 { second.or(first) } else { first }.unwrap_or("");
            let found = verdict(name, &text, overflow(), model);
            if found != expected {
                wrong.push(format!("{name}, {model:?}: {found}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn safe_programs_pass_the_sanitizer() {
    for (name, expected, body) in PROGRAMS {
        // In this process `long` has 64 bits.
        if expected.ends_with("safe") && !expected.ends_with("unsafe") {
            let code = run(&repeated(body));
            assert!(code.is_none_or(|code| code == Some(0)), "{name}: {code:?}");
        }
    }
}

/// Without the check, numbers wrap around; what C does not define on the way is noted with its
/// place.
#[test]
fn the_way_to_an_error_notes_what_is_undefined() {
    let text = format!(
        "{HEAD}int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  int y = x + 1;\n  \
         if (y < x) reach_error();\n  return 0;\n}}\n"
    );
    let found = on_large_stack(|| {
        let flow = parse(Source::new("p.c", text), &ParseOptions::default()).expect("it is C");
        let report = check(CProgram::new(&flow), &analysis_only(), &Budget::unlimited(), &mut ());
        let Outcome::Unsafe(execution) = report.expect("solvers work").outcome else {
            panic!("x + 1 < x where numbers wrap around")
        };
        let noted = execution.undefined.iter();
        noted.map(|&(span, what)| (flow.source.snippet(span, 40), what)).collect::<Vec<_>>()
    });
    let expected = vec![("x + 1".to_owned(), Undefined::Overflow)];
    assert_eq!(found.expect("a thread"), expected);
}

/// Long sums: checks do not repeat their operands again and again.
#[test]
fn long_sums_are_no_problem() {
    let sum = vec!["x"; 3_000].join(" + ");
    let body =
        format!("int x = __VERIFIER_nondet_int(); if (x < 0 || x > 1) return 0; return {sum};");
    let text = format!("{HEAD}int main(void) {{ {body} }}\n");
    let options = ParseOptions { property: overflow(), ..ParseOptions::default() };
    let edges = on_large_stack(|| {
        let flow = parse(Source::new("p.c", text), &options).expect("it is C");
        flow.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.edges.len()).sum::<usize>()
    });
    assert!(edges.expect("a thread") > 3 * 2_999);
}
