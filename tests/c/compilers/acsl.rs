//! Assertions and invariants in ACSL, against gcc: each predicate stands beside one of C that means
//! the same.

mod contracts;
mod corners;
mod outside;
mod refused;

use std::process::Command;

use hardbop_c::Property;
use hardbop_c::points_to::Externals;
use hardbop_verify::Options;

use super::{answer, answer_to, gcc};

/// The answer of executions and proofs, and of proofs alone, which has to be the same.
fn annotated(text: &str) -> String {
    let property = || Property { acsl: true, ..Property::default() };
    let found = answer_to(text, Options::default(), property());
    let proved = answer_to(text, Options { executions: 0, ..Options::default() }, property());
    if found == proved { found } else { format!("{found}, by proof alone {proved}") }
}

/// Programs with one execution, in which `@` stands for the assertion: its predicate, and that in
/// C.
const PAIRS: &[(&str, &str, &str)] = &[
    // Integers have no bounds.
    ("int main(void) { int i = -1; unsigned u = 0; @ return 0; }", "i < u", "(long)i < (long)u"),
    ("int main(void) { int i = -1; unsigned u = 0; @ return 0; }", "i > u", "(long)i > (long)u"),
    ("int main(void) { @ return 0; }", "-1 < 0u", "-1L < 0L"),
    ("int main(void) { int x = 2147483647; @ return 0; }", "x + 1 > x", "x + 1L > x"),
    ("int main(void) { int x = 2147483647; @ return 0; }", "x + 1 < 0", "x + 1L < 0"),
    (
        "int main(void) { int x = 2147483647; @ return 0; }",
        "2147483647 + 1 > 2147483647",
        "2147483647L + 1 > 2147483647",
    ),
    (
        "int main(void) { int x = -2147483647 - 1; @ return 0; }",
        "-x == 2147483648 && -x > 0",
        "-(long)x == 2147483648 && -(long)x > 0",
    ),
    ("int main(void) { unsigned u = 0; @ return 0; }", "u - 1 == -1", "(long)u - 1 == -1"),
    ("int main(void) { unsigned u = 0; @ return 0; }", "u - 1 > 0", "(long)u - 1 > 0"),
    (
        "int main(void) { unsigned a = 4294967295u, b = 2; @ return 0; }",
        "a * b == 8589934590",
        "(long)a * b == 8589934590",
    ),
    ("int main(void) { int a = 65536; @ return 0; }", "a * a == 0", "(long)a * a == 0"),
    (
        "int main(void) { unsigned char c = 255; signed char d = -128; @ return 0; }",
        "c + 1 == 256 && -d == 128 && c > d",
        "c + 1 == 256 && -d == 128 && c > d",
    ),
    // 64 bits of both signs.
    (
        "int main(void) { unsigned long u = -1UL; int i = -1; @ return 0; }",
        "i < u && u > i && u != i && !(u == i) && !(i >= u)",
        "(__int128)i < (__int128)u",
    ),
    (
        "int main(void) { unsigned long u = -1UL; long i = -1; @ return 0; }",
        "u <= i",
        "(__int128)u <= (__int128)i",
    ),
    (
        "int main(void) { unsigned long u = -1UL; long i = 5; @ return 0; }",
        "u >= i && i <= u && i != u",
        "(__int128)u >= (__int128)i",
    ),
    (
        "int main(void) { unsigned long u = 7; long i = 7; @ return 0; }",
        "u == i && u <= i && i >= u && !(i < u)",
        "(__int128)u == (__int128)i",
    ),
    (
        "int main(void) { unsigned long u = -1UL; @ return 0; }",
        "u == 18446744073709551615",
        "u + 1 == 0",
    ),
    ("int main(void) { unsigned long u = -1UL; @ return 0; }", "u == -1", "0"),
    // Chains, groups, connectives.
    ("int main(void) { int x = 5; @ return 0; }", "0 <= x < 10", "0 <= x && x < 10"),
    ("int main(void) { int x = 15; @ return 0; }", "0 <= x < 10", "0 <= x && x < 10"),
    ("int main(void) { int x = -5; @ return 0; }", "0 <= x < 10", "0 <= x && x < 10"),
    ("int main(void) { int x = 5; @ return 0; }", "9 > x >= 5 >= 2 > -1", "9 > x && x >= 5"),
    ("int main(void) { int x = 5, y = 5, z = 6; @ return 0; }", "x == y == z", "x == y && y == z"),
    ("int main(void) { int x = 0; @ return 0; }", "!(0 < x < 2)", "!(0 < x && x < 2)"),
    ("int main(void) { int x = 1, y = 0; @ return 0; }", "x == 1 ==> y == 0", "y == 0"),
    ("int main(void) { int x = 1, y = 0; @ return 0; }", "x == 1 ==> y == 1", "y == 1"),
    // To the right, and weaker than `||`.
    ("int main(void) { int x = 0; @ return 0; }", "x > 0 ==> x > 1 ==> x > 2", "1"),
    ("int main(void) { int x = 0; @ return 0; }", "(x > 0 ==> x > 1) ==> x > 2", "0"),
    ("int main(void) { int x = 0; @ return 0; }", "x == 0 || x == 1 ==> x == 1", "x == 1"),
    ("int main(void) { int x = 0; @ return 0; }", "\\true ==> !\\false && x == 0", "1"),
    ("int main(void) { int x = 0; @ return 0; }", "(\\true ==> \\false) || x == 0", "1"),
    ("int main(void) { int x = 3; @ return 0; }", "x && !(x - 3)", "x && !(x - 3)"),
    ("int main(void) { int x = 3; @ return 0; }", "x - 3", "x - 3"),
    ("int main(void) { int x = 1; @ return 0; }", "2 - 3 * x - 1 == -2", "2 - 3 * x - 1 == -2"),
    // Objects.
    (
        "int main(void) { int a[3] = {1, 2, 3}, i = 2; @ return 0; }",
        "a[i] == 3 && a[i - 1] == 2 && *(a + 1) == 2 && *a == 1",
        "a[i] == 3",
    ),
    (
        "struct s { unsigned f : 3; int c[2]; } s = {7, {3, 4}}; int main(void) { struct s *p = &s; @ return 0; }",
        "p->f + 1 == 8 && s.c[1] == *(p->c + 1) && (*p).c[0] == 3 && -1 < s.f",
        "p->f + 1 == 8",
    ),
    (
        "int main(void) { int x = 1, *p = &x, **q = &p; @ return 0; }",
        "p != \\null && **q == 1 && *q == p && !(p == \\null)",
        "p",
    ),
    ("int main(void) { int *p = 0; @ return 0; }", "p != \\null ==> *p == 0", "1"),
    ("int main(void) { int *p = 0; @ return 0; }", "p != (void *)0 && *p == 0", "p"),
    ("enum { A = -2, B } x = B; int main(void) { @ return 0; }", "x == B && A < x && B == -1", "1"),
    ("_Bool b; int main(void) { b = 7; @ return 0; }", "b == 1 && 'a' == 97", "1"),
    // Places.
    (
        "int main(void) { int x = 0; L: @ x = 1; if (x) { @ } else x = 2; return 0; }",
        "x < 2",
        "x < 2",
    ),
    (
        "int main(void) { int x = 2; switch (x) { case 1: x = 3; case 2: case 3: @ ; default: x = 0; } return 0; }",
        "x == 2",
        "x == 2",
    ),
    ("int main(void) { int x = 0; do { x++; @ } while (x < 3); return 0; }", "x < 3", "x < 3"),
    ("int y; int main(void) { int x = ({ y = 1; @ y; }); return x; }", "y == 0", "y == 0"),
    ("int main(void) { int x = 0; @ int y = 1; @ return y; }", "x == 0", "x == 0"),
    ("int f(int x) { @ return 1; } int main(void) { return f(3); }", "x == 4", "x == 4"),
];

#[test]
fn gcc_agrees() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (program, predicate, c) in PAIRS {
        let truth = gcc(
            folder.path(),
            &program.replace('@', &format!("if (!({c})) reach_error();")),
            "-std=gnu17",
        );
        let text = program.replace('@', &format!("/*@ assert {predicate}; */"));
        let found = annotated(&text);
        let right =
            matches!((truth, found.as_str()), (Some(true), "unsafe") | (Some(false), "safe"));
        if !right {
            wrong.push(format!("{found}, and {truth:?} by gcc: {text}"));
        }
        // Without the option, they are comments; and the other form says the same.
        let comment = answer(&text, Externals::Any);
        if comment != "safe" {
            wrong.push(format!("{comment} without annotations: {text}"));
        }
        let line = program.replace('@', &format!("\n//@ assert {predicate}; // a comment\n"));
        if annotated(&line) != found {
            wrong.push(format!("not {found}: {line}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs with inputs.
const OPEN: &[(&str, &str)] = &[
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0 && x <= 9) { /*@ assert 0 <= x < 10; */ } return 0; }",
        "safe",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x >= 0 && x <= 9) { /*@ assert 0 <= x < 9; */ } return 0; }",
        "unsafe",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); //@ assert x + y - y == x;\n return 0; }",
        "safe",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); unsigned u = x; //@ assert u == x;\n return 0; }",
        "unsafe",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); unsigned u = x; //@ assert x >= 0 ==> u == x;\n return 0; }",
        "safe",
    ),
    (
        "int main(void) { int x = __VERIFIER_nondet_int(); unsigned long u = x; //@ assert u == x || x < 0 && u > x;\n return 0; }",
        "safe",
    ),
    (
        "int main(void) { unsigned i = 0; while (i < 1000) { i++; //@ assert 0 < i <= 1000;\n } /*@ assert i == 1000; */ return 0; }",
        "safe",
    ),
    // A loop with a contract, which is not checked.
    (
        "/*@ requires n > 0; ensures \\result == n; */ int f(int n) { int i = 0;
         /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
         while (i < n) i++; return i; } int main(void) { int r = f(5); /*@ @ assert r == 5;
           @ @*/ return 0; }",
        "safe",
    ),
    // The margin, comments within, lines that go on.
    (
        "int main(void) { int x = 1;\n /*@ assert // one\n   @ x\n   @   == 2;\n   @*/\n return 0; }",
        "unsafe",
    ),
    ("int main(void) { int x = 1;\n //@ assert x \\\n == 2;\n return 0; }", "unsafe"),
    (
        "int main(void) { char *s = \"//@ assert 0;\"; /* @ assert 0; */ // @ assert 0;\n return 0; }",
        "safe",
    ),
];

#[test]
fn programs_with_inputs() {
    let wrong: Vec<String> = OPEN
        .iter()
        .filter_map(|&(text, expected)| {
            let found = annotated(text);
            (found != expected).then(|| format!("{found}, not {expected}: {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Predicates that are refused in `int f(int); typedef int T; int main(void) { .. }`, with the
/// words of the refusal.
const REFUSED: &[(&str, &str)] = &[
    ("x / 2 == 0", "'/'"),
    ("x % 2 == 0", "'%'"),
    ("x << 1 == 0", "'<<'"),
    ("x >> 1 == 0", "'>>'"),
    ("(x & 1) == 0", "'&'"),
    ("(x | 1) == 0", "'|'"),
    ("x ^ 1", "'^'"),
    ("~x == 0", "'~'"),
    ("&x == p", "'&'"),
    ("x == 0 <==> x == 1", "'<==>'"),
    ("x == 0 ^^ x == 1", "'^^'"),
    ("x ? 1 : 0", "'?'"),
    ("x = 0", "'='"),
    ("x++ == 0", "'++'"),
    ("--x == 0", "'--'"),
    ("\\old(x) == x", "'\\old'"),
    ("\\valid(p)", "'\\valid'"),
    ("\\forall integer i; i == i", "'\\forall'"),
    ("\\result == 0", "'\\result'"),
    ("\\at(x, Pre) == 0", "'\\at'"),
    ("zero: x == 0", "the name 'zero:'"),
    ("f(x) == 0", "a call of 'f'"),
    ("(char)x == 0", "'char'"),
    ("(T)x == 0", "a cast"),
    ("(T)(x) == 0", "a cast"),
    ("sizeof x == 4", "'sizeof'"),
    ("d == 0", "of type 'double'"),
    ("x == 1.5", "of type 'double'"),
    ("\"a\" == p", "a string"),
    ("x ≤ 0", "'≤'"),
    ("0 <= x > 3", "this chain of comparisons"),
    ("0 <= x == 3", "this chain of comparisons"),
    ("x == y < 3", "this chain of comparisons"),
    ("x != y != 3", "this chain of comparisons"),
    ("(0 <= x) < 3", "a predicate as a term"),
    ("!x == 0", "a predicate as a term"),
    ("(x ==> y) + 1", "this term"),
    ("a == a", "an array as a whole"),
    ("s == s", "a structure as a whole"),
    ("f == f", "a function"),
    ("v == 0", "a volatile variable"),
    ("l + 1 > l", "more than 64 bits"),
    ("l * x == 0", "more than 64 bits"),
    ("x * y * x == 0", "more than 64 bits"),
    ("-l == 0", "more than 64 bits"),
    ("p < p", "this comparison with a pointer"),
    ("p == 1", "this comparison with a pointer"),
    ("p - p == 0", "this arithmetic on pointers"),
    ("z == 0", "undeclared name 'z'"),
    ("x ==", "not understood"),
    ("x x", "not understood"),
    ("(x == 0", "is not closed"),
    ("x == 0)", "closes nothing"),
    ("x == 0; assert x == 0", "more than one assertion"),
    ("", "without a predicate"),
    ("__hardbop_group(x)", "'__hardbop_group'"),
];

/// Places where assertions are refused.
const MISPLACED: &[&str] = &[
    "/*@ assert 1; */ int main(void) { return 0; }",
    "int main(void) { int x = 0; if (x) /*@ assert x; */ x = 1; return 0; }",
    "int main(void) { int x = 0; if (x) x = 1; /*@ assert x; */ else x = 2; return 0; }",
    "int main(void) { int x = 0; if (x) {} /*@ assert x; */ else x = 2; return 0; }",
    "int main(void) { int x = 0; if (x) {} else /*@ assert x; */ x = 2; return 0; }",
    "int main(void) { int x = 0; if (x) L: /*@ assert x; */ x = 2; return 0; }",
    "int main(void) { int x = 0; switch (x) case 1: /*@ assert x; */ x = 2; return 0; }",
    "int main(void) { int x = 0; while (x) /*@ assert x; */ x = 2; return 0; }",
    "int main(void) { int x = 0; do {} /*@ assert x; */ while (x); return 0; }",
    "int main(void) { int x = 0; for (x = 0; /*@ assert x; */ x < 3; x++) ; return 0; }",
    "int main(void) { int x = 0 /*@ assert x; */; return 0; }",
    "int main(void) { int x = 0; x = x ? 1 : /*@ assert x; */ 2; return 0; }",
    "int main(void) { int x = 0, a[] = { /*@ assert x; */ 1 }; return 0; }",
    "int main(void) { int x = 0; struct { int a; } /*@ assert x; */ v; return 0; }",
    "int main(void) { int x = 0; struct { /*@ assert x; */ int a; } v; return 0; }",
    "int main(void) { int x = 0; struct { int a; /*@ assert x; */ int b; } v; return 0; }",
    "int main(void) { int x = 0; int y = ({ x; /*@ assert x; */ }); return 0; }",
    "int main(void) { int x = 1; switch (x) { /*@ assert 0; */ case 1: x = 2; } return 0; }",
    "int main(void) { int x = 1; goto L; /*@ assert 0; */ L: return 0; }",
    "int main(void) { /*@ requires 1; assert 0; */ return 0; }",
];

#[test]
fn what_is_not_read_is_refused() {
    let mut wrong = Vec::new();
    for (predicate, words) in REFUSED {
        let text = format!(
            "int f(int); typedef int T; volatile int v; struct {{ int m; }} s; double d; long l; int a[2];
             int main(void) {{ int x = 0, y = 0, *p = &x; /*@ assert {predicate}; */ return 0; }}"
        );
        let found = annotated(&text);
        if !found.contains(words) {
            wrong.push(format!("{found}, without {words}: {predicate}"));
        }
    }
    for text in MISPLACED {
        let found = annotated(text);
        if !found.contains("assertion") {
            wrong.push(format!("{found}: {text}"));
        }
    }
    let unended = annotated("int main(void) { /*@ assert 1 */ return 0; }");
    assert!(unended.contains("without an end"), "{unended}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bodies of `main` with invariants of loops: they are to hold whenever a loop decides whether to
/// go on, and at the start of each round of `do`.
const INVARIANTS: &[(&str, &str)] = &[
    ("int i = 0; /*@ loop invariant 0 <= i <= 5; */ while (i < 5) i++;", "safe"),
    ("int i = 1; /*@ loop invariant i != 1; */ while (i < 5) i++;", "unsafe"),
    ("int i = 0; /*@ loop invariant i != 3; */ while (i < 5) i++;", "unsafe"),
    ("int i = 0; //@ loop invariant i < 5;\n while (i < 5) i++;", "unsafe"),
    ("int i = 7; //@ loop invariant i < 5;\n while (i < 5) i++;", "unsafe"),
    ("/*@ loop invariant i < 6; */ for (int i = 0; i < 5; i++) ;", "safe"),
    ("/*@ loop invariant i < 5; */ for (int i = 0; i < 5; i++) ;", "unsafe"),
    // `continue` and `goto` lead to the decision, `break` does not.
    ("int i = 0; /*@ loop invariant i <= 3; */ for (; ; i++) { if (i == 3) break; if (i == 1) continue; }", "safe"),
    ("int i = 0; /*@ loop invariant i != 4; */ while (i < 9) if (++i == 4) break;", "safe"),
    ("int i = 0; /*@ loop invariant i != 4; */ while (i < 9) { i += 2; if (i == 4) continue; i++; }", "safe"),
    ("int i = 0; /*@ loop invariant i != 5; */ while (i < 9) { i += 2; if (i == 5) continue; i++; }", "unsafe"),
    ("int i = 0; /*@ loop invariant i < 5; */ do { i++; } while (i < 5);", "safe"),
    ("int i = 5; /*@ loop invariant i < 5; */ do { i++; } while (i < 5);", "unsafe"),
    // Of the outer loop, and of the inner one.
    ("int i = 0, j = 0; /*@ loop invariant j == 0 || j == 3; */ while (i < 3) { j = 0; while (j < 3) j++; i++; }", "safe"),
    ("int i = 0, j = 0; while (i < 3) { j = 0; /*@ loop invariant j < 3 || i < 2; */ while (j < 3) j++; i++; }", "unsafe"),
    // Several clauses.
    ("int i = 0, s = 0; /*@ loop invariant i <= 5; loop invariant s == 2 * i;\n @ loop assigns i, s; loop variant 5 - i; */
      while (i < 5) { i++; s += 2; }", "safe"),
    ("int i = 0, s = 0; /*@ loop assigns i, s; loop invariant i <= 5; loop invariant s != 6; */
      while (i < 5) { i++; s += 2; }", "unsafe"),
    ("int i = 0; L: /*@ loop invariant i < 3; */ while (i < 3) i++; if (i > 9) goto L;", "unsafe"),
    // With inputs.
    ("int n = __VERIFIER_nondet_int(), i = 0; /*@ loop invariant i >= 0; */ while (i < n) i++;", "safe"),
    ("int n = __VERIFIER_nondet_int(), i = 0; /*@ loop invariant i < 7 || n > 9; */ while (i < n) i++;", "unsafe"),
    // What is not read does not count.
    ("int i = 0; /*@ loop invariant \\forall integer k; 0 <= k < i ==> k > 9; loop assigns i; */ while (i < 3) i++;", "safe"),
    ("int i = 0; if (i) /*@ loop invariant i > 3; */ while (i < 3) i++;", "safe"),
    ("int i = 0; /*@ loop invariant i > 3; */ i = 1; while (i < 3) i++;", "safe"),
    ("int i = 0; /*@ loop invariant i > 3; */ { while (i < 3) i++; }", "safe"),
    ("int i = 0; { i = 1; /*@ loop invariant i > 3; */ } while (i < 3) i++;", "safe"),
    ("int i = 0; do { i++; } /*@ loop invariant i > 3; */ while (i < 3);", "safe"),
    ("int i = 0; /*@ for one: loop invariant i > 3; */ while (i < 3) i++;", "safe"),
    ("int i = 0; /*@ loop invariant z > 3; */ while (i < 3) i++;", "undeclared name 'z'"),
    ("int i = 0; /*@ loop invariant (i > 3; */ while (i < 3) i++;", "'(' is not closed"),
    // A call is one where it stands.
    ("int i = 0; while (i < 5) { __hardbop_invariant(0 <= i && i < 5); i++; }", "safe"),
    ("int i = 0; while (i < 5) { i++; __hardbop_invariant(i < 5); }", "unsafe"),
    ("int i = 0; __hardbop_invariant(1, 0); i++;", "the function takes 1 argument, 2 given"),
];

#[test]
fn invariants_of_loops() {
    let wrong: Vec<String> = INVARIANTS
        .iter()
        .filter_map(|&(body, expected)| {
            let text = format!("int main(void) {{ {body} return 0; }}");
            let found = annotated(&text);
            (found != expected).then(|| format!("{found}, not {expected}: {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// By default it is undecided for want of these predicates: no single path needs them all.
#[test]
fn invariants_are_used() {
    let text = "int main(void) {
         int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), a = 0, b = 0;
         if (n < 0 || n > 1000 || m < 0 || m > 1000) return 0;
         while (n > 0 || m > 0) {
             __hardbop_invariant(b <= 2 * a && 0 <= a && a <= 2000 - n - m);
             __hardbop_invariant(0 <= n && n <= 1000 && 0 <= m && m <= 1000);
             if (n > 0 && __VERIFIER_nondet_int()) { n--; a++; }
             else if (m > 0) { m--; b += 2; a++; }
             else { n--; a++; }
         }
         if (b > 2 * a) reach_error();
         return 0; }";
    assert_eq!(super::proved(text), "safe");
}

/// Where assertions do not count, a false invariant changes nothing: it does not end the execution.
#[test]
fn invariants_count_as_assertions() {
    let text = "int main(void) { int i = 0; __hardbop_invariant(i++ > 0); if (i == 0) reach_error(); return 0; }";
    let property = Property { assertions: false, ..Property::default() };
    assert_eq!(answer_to(text, Options::default(), property), "unsafe");
    let text = text.replace("i == 0", "i == 1");
    let property = Property { assertions: false, ..Property::default() };
    assert_eq!(answer_to(&text, Options::default(), property), "safe");
}
