//! What is not read of contracts, or not used, and what is assumed.

use hardbop_base::source::Source;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};

use super::super::HEAD;
use super::contracts::answer;

/// What is refused, with its place, and what is said of it.
const WRONG: &[(&str, &str)] = &[
    (
        "/*@ assigns a[0 .. p]; */ void f(int *a, int *p); int main(void) { int a[2]; f(a, a); return 0; }",
        "a pointer as a number",
    ),
    (
        "/*@ assigns x[0 .. 1]; */ void f(int x); int main(void) { f(1); return 0; }",
        "an element of a number",
    ),
    (
        "/*@ assigns a[0 ..]; */ void f(int *a); int main(void) { int a[2]; f(a); return 0; }",
        "the predicate is not understood",
    ),
    ("/*@ requires a[0 .. 1] == 0; requires z; */ void f(int *a) { }", "undeclared name 'z'"),
    ("/*@ requires x > 0 */ int f(int x) { return x; }", "'requires' without an end"),
    ("/*@ requires x > 0; ensures x */ int f(int x) { return x; }", "'ensures' without an end"),
    ("/*@ assigns x */ int f(int x) { return x; }", "'assigns' without an end"),
    ("/*@ requires x > 0; int f(int x) { return x; }", "comment without an end"),
    ("/*@ requires (x > 0; */ int f(int x) { return x; }", "'(' is not closed"),
    ("/*@ requires x >; */ int f(int x) { return x; }", "the predicate is not understood"),
    ("/*@ requires x > 0 0; */ int f(int x) { return x; }", "the predicate is not understood"),
    ("/*@ requires y > 0; */ int f(int x) { return x; }", "undeclared name 'y'"),
    ("/*@ requires x > 1.5; */ int f(int x) { return x; }", "a value of type 'double'"),
    ("/*@ requires x > p; */ int f(int x, int *p) { return x; }", "this comparison with a pointer"),
    (
        "/*@ requires \\result > 0; */ int f(int x) { return x; }",
        "'\\result' has no meaning in 'requires'",
    ),
    (
        "/*@ requires \\old(x) > 0; */ int f(int x) { return x; }",
        "'\\old' has no meaning in 'requires'",
    ),
    (
        "/*@ ensures \\result > 0; */ void f(int x) { }",
        "'\\result' of a function that returns nothing",
    ),
    (
        "/*@ ensures \\result > 0; */ void f(int x); int main(void) { f(1); return 0; }",
        "'\\result' of a function that returns nothing",
    ),
    ("/*@ ensures y == 0; */ int f(int x) { int y = 0; return y; }", "undeclared name 'y'"),
    ("/*@ ensures y == 0; */ int f(int x) { static int y = 0; return y; }", "undeclared name 'y'"),
    ("/*@ ensures \\old(y) == 0; */ int f(int x) { int y = 0; return y; }", "undeclared name 'y'"),
    ("/*@ requires b > 0; */ int f(int a); int f(int b) { return b; }", "undeclared name 'b'"),
    ("/*@ ensures l + 1 > l; */ long f(long l) { return l; }", "more than 64 bits"),
    ("/*@ assigns x + 1; */ void f(int x); int main(void) { f(1); return 0; }", "this term"),
    ("/*@ assigns ; ensures z == 0; */ void f(int x) { }", "undeclared name 'z'"),
    ("/*@ assigns x,; */ void f(int x) { }", "a place is missing"),
    (
        "/*@ requires x; assert x; */ int f(int x) { return x; }",
        "an assertion within another annotation",
    ),
    ("void __hardbop_contract(void) { }", "a name of hardbop's own"),
    ("int f(int __hardbop_result) { return 0; }", "a name of hardbop's own"),
    ("/*@ ensures \\old(x; */ int f(int x) { return x; }", "'(' is not closed"),
];

#[test]
fn what_is_wrong_is_refused() {
    let mut wrong = vec![];
    for (text, words) in WRONG {
        let (found, _) = answer(text, "f", 0);
        let found = if text.contains("main(") { answer(text, "main", 0).0 } else { found };
        if !found.contains(words) {
            wrong.push(format!("{found}, without {words}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is taken for a comment, in part or wherever it stands: the warnings.
const WARNED: &[(&str, &[&str])] = &[
    ("/*@ requires \\valid(p); */ int f(int *p) { return 0; }", &["'requires' with '\\valid'"]),
    (
        "/*@ requires \\separated(p, q); */ int f(int *p, int *q) { return 0; }",
        &["'requires' with '\\separated'"],
    ),
    (
        "/*@ ensures \\forall integer i; i == i; */ int f(void) { return 0; }",
        &["'ensures' with '\\forall'"],
    ),
    (
        "/*@ requires x / 2 == 1; assigns \\nothing; */ int f(int x) { return 0; }",
        &["'requires' with '/'", "'assigns' of a function with a body"],
    ),
    ("/*@ behavior b: requires x > 0; */ int f(int x) { return 0; }", &["'behavior'"]),
    (
        "/*@ terminates \\true; complete behaviors; */ int f(int x) { return 0; }",
        &["'terminates'", "'complete behaviors'"],
    ),
    (
        "int f(int x) { /*@ requires x; */ { x = 1; } return 0; }",
        &["a contract that is not in front of one function of the file"],
    ),
    (
        "/*@ ensures \\result; */ int f(int x), g(int x); int f(int x) { return x; }",
        &["a contract that is not in front of one function of the file"],
    ),
    (
        "/*@ assigns *(a + (0 .. 3)); */ void g(int *a); int f(int x) { int a[4]; g(a); return x; }",
        &["'assigns' with '..'"],
    ),
    (
        "/*@ assigns *a; */ void g(int **a); int f(int x) { int *a; g(&a); return x; }",
        &["'assigns' of other things than numbers"],
    ),
    (
        "/*@ assigns \\nothing; */ int *g(void); int f(int x) { g(); return x; }",
        &["'assigns' of a function that returns no number"],
    ),
    (
        "/*@ requires x; */ int g(int x); int f(int x) { int (*p)(int) = g; return p(x); }",
        &["'requires' of 'g', where it is called by a pointer,"],
    ),
    (
        "/*@ ensures \\result > 0; */ int abs(int x); int f(int x) { return abs(x); }",
        &["'ensures' of 'abs', whose meaning is known,"],
    ),
    (
        "/*@ ensures \\result ==> \\old(*p) == 1; */ int f(int *p) { return 0; }",
        &["'ensures' with '\\old' of a target behind a condition that is only known at the end"],
    ),
];

#[test]
fn what_is_not_checked_is_said() {
    let property = || Property { acsl: true, ..Property::default() };
    for (text, kinds) in WARNED {
        let text = format!("{HEAD}{text} void h(int x) {{ if (x) reach_error(); }}");
        let entry = Some("f".to_owned());
        let reading = ParseOptions { property: property(), entry, ..ParseOptions::default() };
        let flow = on_large_stack(|| parse(Source::new("program.c", text.clone()), &reading));
        let flow = flow.expect("a thread").unwrap_or_else(|d| panic!("{text}: {d:?}"));
        let said: Vec<&str> = flow.warnings.iter().map(|w| w.message.as_str()).collect();
        for kind in *kinds {
            let words = format!("an annotation {kind} is not checked");
            let is_said = said.iter().any(|message| message.starts_with(&words));
            assert!(is_said, "{said:?}, without {words}: {text}");
        }
    }
}

#[test]
fn what_is_assumed_is_said() {
    let relied = |text: &str, words: &str| {
        let (found, assumed) = answer(text, "f", 0);
        assert_eq!(found, "safe", "{text}");
        assumed.iter().any(|assumption| assumption.to_string().contains(words))
    };
    let (required, contract) = ("the function's 'requires'", "does what its contract says");
    let text = "/*@ requires x > 0; */ int f(int x) { if (x < 0) reach_error(); return x; }";
    assert!(relied(text, required));
    let text = "/*@ assigns \\nothing; ensures \\result; */ int g(void); int f(void) { if (!g()) reach_error(); return 0; }";
    assert!(relied(text, contract));
    assert!(!relied(text, required));
    let text = "/*@ requires x > 0; ensures \\result; */ int g(int x) { return x; } int f(void) { return g(1); }";
    assert!(!relied(text, required));
    assert!(!relied(text, contract));
}
