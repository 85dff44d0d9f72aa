//! Corners of the syntax: lines that are continued, blocks without braces, attributes in unusual places, types within
//! expressions; and texts that nest deeply or are long.

use std::time::{Duration, Instant};

use hardbop_base::source::Source;
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};

use super::{compare_lists, expect};
use crate::support::c::flow;

/// Programs with one execution, which are decided.
const DECIDED: &[&str] = &[
    // Lines that are continued, also behind blanks.
    "int main(void) { int x = 1; // a \\ \n x = 2;\n if (x == 1) reach_error(); return 0; }",
    "int main(void) { int x = 1; /* a *\\\n/ x = 2;\n if (x == 2) reach_error(); return 0; }",
    "int main(void) { int x = 1; /\\\n* x = 2; *\\\t\n/ if (x == 1) reach_error(); return 0; }",
    "int main(void) { int x = 1; /\\\n/ x = 2;\n if (x == 1) reach_error(); return 0; }",
    "#pragma \\\n pack(1)\nstruct s { char c; int i; }; int main(void) { if (sizeof(struct s) == 5) reach_error(); return 0; }",
    "#pragma pack \\\n (1)\nstruct s { char c; int i; }; int main(void) { if (sizeof(struct s) == 5) reach_error(); return 0; }",
    "int ma\\  \nin(void) { reach_error(); return 0; }",
    "char *s = \"a\\ \nb\\\\\nn\"; int main(void) { if (s[1] == 'b' && s[2] == '\\n') reach_error(); return 0; }",
    // Statements that are blocks (C11, 6.8.4, 6.8.5).
    "enum { A = 5 }; int main(void) { if (sizeof(enum { A = 1 })) ; if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { if (1) sizeof(enum { A = 1 }); if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { do sizeof(enum { A = 1 }); while (A != 5); if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { while (sizeof(enum { A = 1 }) && A == 1) break; if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { switch (sizeof(enum { A = 1 })) { case 4: if (A == 1) reach_error(); } return A; }",
    "enum { A = 5 }; int main(void) { switch (sizeof(enum { A = 1 })) { case 9: ; } if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { for (int i = 0; i < 1; i++) (void)sizeof(enum { A = 1 }); if (A == 5) reach_error(); return 0; }",
    "enum { A = 5 }; int main(void) { if (0) ; else if (sizeof(enum { A = 1 }) == 0) ; else { if (A == 1) reach_error(); } return 0; }",
    "enum { A = 5 }; int main(void) { if (sizeof(enum { A = 1 }) == 0) ; else if (sizeof(enum { A = 2 })) { if (A == 2) reach_error(); }
     return 0; }",
    "typedef int T; int main(void) { if (sizeof(enum { T = 1 })) ; T x = 3; if (x == 3) reach_error(); return 0; }",
    // Attributes behind '*', and of enumerations.
    "struct s { char c; int * __attribute__((aligned(16))) p; }; int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }",
    "struct s { char c; int (__attribute__((aligned(16))) x); }; int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }",
    "struct s { char c; int * __attribute__((packed)) p; }; int main(void) { if (sizeof(struct s) == 9) reach_error(); return 0; }",
    "int f(int x __attribute__((mode(DI)))) { return x >> 32; } int main(void) { if (f(1L << 32) == 1) reach_error(); return 0; }",
    "typedef enum { A } __attribute__((mode(QI))) E; int main(void) { if (sizeof(E) == 1) reach_error(); return 0; }",
    // Null pointer constants, and composite types (C11, 6.3.2.3, 6.5.15).
    "int *p; int main(void) { if (sizeof(*(1 ? (void *)0 : p)) == 4) reach_error(); return 0; }",
    "int *p; int main(void) { if (sizeof(*(1 ? p : (void *)(1 - 1))) == 4) reach_error(); return 0; }",
    "int *p; int main(void) { if (sizeof(*(1 ? p : (void *)(void *)0)) == 1) reach_error(); return 0; }",
    "int *p; int main(void) { if (sizeof(*(1 ? p : (void *)(int *)0)) == 1) reach_error(); return 0; }",
    "int *p; int main(void) { if (sizeof(*(1 ? p : (const void *)0)) == 1) reach_error(); return 0; }",
    "int *p, c; int main(void) { if (sizeof(*(c ? p : (void *)(void *)0)) == 1) reach_error(); return 0; }",
    "char *q; int main(void) { if (sizeof(*(1 ? (int *)0 : (void *)q)) == 1) reach_error(); return 0; }",
    "int a[3], (*p)[], (*q)[3] = &a; int main(void) { if (sizeof(*(1 ? p : q)) == 12 && sizeof(*(0 ? q : p)) == 12) reach_error();
     return 0; }",
    // Functions for inlining only.
    "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 2; }
     int main(void) { if (f() == 2) reach_error(); return 0; }",
    "extern inline __attribute__((gnu_inline, always_inline)) int f(void) { return 1; } int main(void) { if (f() == 1) reach_error();
     return 0; }",
    // Declarations without a type, labels in front of a value, '()' within a type.
    "static *p; const *q; int x = 3; int main(void) { static *r; p = &x; q = r = p; if (*p + *q + *r == 9) reach_error(); return 0; }",
    "f(register *p) { return *p; } int main(void) { int x = 3; if (f(&x) == 3) reach_error(); return 0; }",
    "int main(void) { int x = ({ l: m: 2L; }); if (x == 2) reach_error(); return 0; }",
    "int main(void) { int i = 0, x = ({ l: i++ < 3 ? ({ goto l; }), 0 : i; }); if (x == 4) reach_error(); return 0; }",
    "int f(int a, int b) { return a + b; } int main(void) { if (((int (*)())f)(1, 2) == 3) reach_error(); return 0; }",
    "int f(double d) { return d == 1.5; } int g(int ()); int main(void) { void *p = f; if (((int (*)())p)(1.5f) == 1) reach_error(); return 0; }",
];

/// Programs that gcc refuses, or that need not be decided.
const LEFT: &[&str] = &[
    "int \\u+3b1 = 1; int main(void) { return 0; }",
    "int g; void * __attribute__((constructor)) f(void) { g = 1; return 0; } int main(void) { if (g) reach_error(); return 0; }",
    "int y, *z = &y; extern int * __attribute__((alias(\"z\"))) w; int main(void) { if (w == &y) reach_error(); return 0; }",
    "int main(void) { if (_Alignof(int * __attribute__((aligned(16)))) == 16) reach_error(); return 0; }",
    "int f(int x) { return x; } int main(void) { if (_Generic(f, int (*)(): 1, default: 2) == 1) reach_error(); return 0; }",
    "struct a { int x; struct a { int y; } z; } s; int main(void) { return 0; }",
];

#[test]
fn gcc_agrees_on_corners() {
    compare_lists(DECIDED, LEFT);
}

/// Functions with variables that are cleaned up, and what `main` does with them.
const CLEANED: &[(&str, &str)] = &[
    (
        "static int g; static void cg(int **p) { g = 1; } static void f(void) { int * __attribute__((cleanup(cg))) p = 0; }",
        "f(); if (!g) reach_error();",
    ),
    (
        "static int f(void) { C int a = 1; int b __attribute__((cleanup(ci))) = 2; say('x'); return a + b; }",
        "if (f() != 3 || !same(\"x21\")) reach_error();",
    ),
    (
        "static int f(int n) { C int a = n; if (n > 2) return a; { C int b = 5; say('y'); if (n > 1) return a + b; } return a; }",
        "if (f(1) != 1 || f(2) != 7 || f(3) != 3 || !same(\"y51y523\")) reach_error();",
    ),
    (
        "static void f(void) { for (int i = 0; i < 4; i++) { C int a = i; if (i == 1) continue; if (i == 2) break; say('z'); } }",
        "f(); if (!same(\"z012\")) reach_error();",
    ),
    (
        "static void f(void) { int n = 0; again: ; C int a = n; if (n++ < 2) goto again; say('e'); }",
        "f(); if (!same(\"01e2\")) reach_error();",
    ),
    (
        "static void f(void) { { C int a = 1; { C int b = 2; goto out; } say('n'); } out: say('o'); }",
        "f(); if (!same(\"21o\")) reach_error();",
    ),
    (
        "static int f(void) { int r = ({ C int a = 4; a; }); say('s'); return r; }",
        "if (f() != 4 || !same(\"4s\")) reach_error();",
    ),
    (
        "static void f(int k) { switch (k) { case 1: { C int a = 1; break; } case 2: { C int b = 2; say('t'); } default: say('d'); } }",
        "f(1); f(2); f(3); if (!same(\"1t2dd\")) reach_error();",
    ),
    (
        "static void f(void) { C int a = 1, b = 2; int c = 3, d __attribute__((cleanup(ci))) = 4; }",
        "f(); if (!same(\"421\")) reach_error();",
    ),
    (
        "static char *g; static void f(void) { __attribute__((cleanup(cp))) char *p = malloc(3); g = p; C int k = 7; }",
        "f(); if (!same(\"7p\")) reach_error();",
    ),
    (
        "static void f(int n) { C int a = 1; if (n) exit(0); }",
        "f(0); if (!same(\"1\")) reach_error(); f(1); reach_error();",
    ),
    (
        "static int g; static void cg(int *p) { g += *p; } static int f(void) { __attribute__((cleanup(cg))) int a = 5; return g; }",
        "if (f() != 0 || g != 5) reach_error();",
    ),
    (
        "static int f(int n) { C int a = n; return n > 0 ? f(n - 1) + a : 0; }",
        "if (f(2) != 3 || !same(\"012\")) reach_error();",
    ),
    (
        "static void f(void) { while (at < 3) { C int a = at; } do { C int b = 5; } while (at < 5); }",
        "f(); if (!same(\"01255\")) reach_error();",
    ),
    (
        "struct s { int x, y; }; static void cs(struct s *p) { say('a' + p->x); } static struct s f(void) { __attribute__((cleanup(cs))) struct s v = { 2, 3 }; return v; }",
        "struct s r = f(); if (r.y != 3 || !same(\"c\")) reach_error();",
    ),
    (
        "static void f(void) { C static int a = 3; } C int global; int q(void) { return 0; }",
        "f(); if (!same(\"\")) reach_error();",
    ),
    (
        "static void f(void) { for (C int i = 0; i < 2; i++) say('l'); }",
        "f(); if (!same(\"ll2\")) reach_error();",
    ),
];

#[test]
fn variables_are_cleaned_up_as_by_gcc() {
    const HEAD: &str = "void *malloc(unsigned long); void exit(int); extern void reach_error(void);
static char log[64]; static int at; static void say(char c) { if (at < 60) log[at++] = c; }
static void ci(int *p) { say('0' + *p); *p = 9; } static void cp(char **p) { say('p'); *p = 0; }
static int same(const char *t) { int i; for (i = 0; t[i] || log[i]; i++) if (t[i] != log[i]) return 0; return 1; }
";
    let program = |(code, main): &(&str, &str)| {
        // Each is there with its error, and without.
        let other = main.replace("!same(", "same(");
        let code = code.replace("C ", "__attribute__((cleanup(ci))) ");
        [main, other.as_str()]
            .map(|main| format!("{HEAD}{code}\nint main(void) {{ {main} return 0; }}\n"))
    };
    let programs: Vec<String> = CLEANED.iter().flat_map(program).collect();
    let is_recursive = |text: &&str| text.contains("f(n - 1)");
    let (left, decided): (Vec<&str>, Vec<&str>) =
        programs.iter().map(String::as_str).partition(is_recursive);
    compare_lists(&decided, &left);
}

/// Texts on which compilers differ, and what is not modelled.
const REFUSED: &[(&str, &str)] = &[
    (
        "typedef enum __attribute__((mode(QI))) e { A } E; int main(void) { return 0; }",
        "'mode' on an 'enum'",
    ),
    ("enum e { A } __attribute__((mode(QI))); int main(void) { return 0; }", "'mode' on an 'enum'"),
    (
        "struct s { char c;\n#pragma pack(1)\nint i; }; int main(void) { return 0; }",
        "'#pragma pack' within a structure",
    ),
    (
        "enum { A = 7 }; void f(int a[sizeof(enum { A = 1 })]) { if (A == 1) reach_error(); } int main(void) { return 0; }",
        "a type that is defined by a parameter",
    ),
    (
        "enum { A = 7 }; int f(a) enum { A = 1 } a; { return A; } int main(void) { if (A == 7) reach_error(); return 0; }",
        "a type that is defined by a parameter",
    ),
    (
        "int a[100000000] = {[0 ... 99999999] = 7}; int main(void) { return 0; }",
        "a range of so many elements",
    ),
    // It may be any function of another file.
    (
        "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int main(void) { if (f() != 1) reach_error(); return 0; }",
        "unsafe",
    ),
];

#[test]
fn corners_are_refused() {
    expect(REFUSED.iter().map(|&(text, expected)| (text, expected, Externals::Any)));
}

/// Initial values that depend on an order, or on whether they are evaluated at all, tell it.
#[test]
fn initial_values_rely_on_an_order() {
    for (list, relies) in [
        ("int a[2] = {a[1] = 5, 3};", true),
        ("int a[2] = {3, a[0]};", true),
        ("int a[2] = {1, g(a)};", true),
        ("int a[2] = {1, g(b)};", false),
        ("int *a[2] = {b, (int *)&a[0]};", false),
        ("struct { int x[2]; } a = {.x[0] = g(b), .x = {7, 8}};", true),
        ("struct { char x[2]; } a = {.x[0] = g(b), .x = \"a\"};", true),
        ("union { int x, y; } a = {.x = g(b), .y = 3};", true),
        ("struct { int x[2]; } a = {.x[0] = 1, .x = {7, 8}};", false),
    ] {
        let text = format!(
            "int b[2]; int g(int *p) {{ return *p; }} int main(void) {{ {list} return 0; }}"
        );
        assert_eq!(!flow("p.c", &text, DataModel::Lp64).reliances.is_empty(), relies, "{list}");
    }
}

/// Neither the stack nor the time grows beyond measure.
#[test]
fn long_and_deep_texts() {
    let many = |part: &str, count: usize| part.repeat(count);
    for (value, is_read) in [
        (format!("{}1", many("({1;})+", 1_000_000)), false),
        (format!("{}1", many("(struct t){1}.a+", 1_000_000)), false),
        (format!("{}1{}", many("c ? 1, ", 10_000), many(" : 2", 10_000)), false),
        (format!("{}1{}", many("c ? (", 10_000), many(") : 2", 10_000)), false),
        (format!("{}1{}", many("c ? (", 1_000), many(") : 2", 1_000)), true),
        (format!("{}1", many("x == 1 ? 1 : ", 20_000)), true),
        (format!("{}c++", many("x == 1 ? 1 : ", 20_000)), true),
        (format!("{}1", many("x = ", 20_000)), true),
        (format!("{}1{}", many("(", 40), many(" + c ? 1 : 0)", 40)), true),
    ] {
        let text = format!(
            "struct t {{ int a; }}; int main(void) {{ int x = 0, c = 0; x = {value}; return x; }}"
        );
        let started = Instant::now();
        let read = || parse(Source::new("p.c", text), &ParseOptions::default()).is_ok();
        assert_eq!(on_large_stack(read).expect("a thread"), is_read, "{}", &value[..40]);
        assert!(started.elapsed() < Duration::from_secs(60), "{}", &value[..40]);
    }
}
