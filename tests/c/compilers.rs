//! C as compilers understand it: attributes, names for the linker, volatile objects, numbers; and
//! what other files may do. gcc says what is true of a program that has one execution; of others
//! the standard does.

mod acsl;
mod cells;
mod corners;
mod floats;
mod headers;
mod input;
mod language;
mod leaps;
mod link;
mod names;
mod narrowed;
mod parts;
mod random;
mod texts;
mod weak;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, check};

const HEAD: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n";

/// `safe`, `unsafe` or `unknown` with the reason; or the first message, if the text is refused.
fn answer(text: &str, externals: Externals) -> String {
    answer_to(text, Options { externals, ..Options::default() }, Property::default())
}

/// The same by proof alone: the interpreter, which decides programs without input, is not asked
/// first.
fn proved(text: &str) -> String {
    answer_to(text, Options { executions: 0, ..Options::default() }, Property::default())
}

/// The same, for a property.
fn answer_to(text: &str, options: Options, property: Property) -> String {
    let text = format!("{HEAD}{text}");
    let model = Some(DataModel::Lp64);
    let reading = ParseOptions { model, property, ..ParseOptions::default() };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
    let work = || {
        let flow = match parse(Source::new("program.c", text), &reading) {
            Ok(flow) => flow,
            Err(mistakes) => return mistakes[0].message.clone(),
        };
        let report = check(CProgram::new(&flow), &options, &budget, &mut ()).expect("solvers work");
        match report.outcome {
            Outcome::Safe(_) => "safe".to_owned(),
            Outcome::Unsafe(_) => "unsafe".to_owned(),
            Outcome::Unknown(reason) => format!("unknown: {reason}"),
        }
    };
    on_large_stack(work).expect("a thread")
}

/// Whether the compiled program reaches the error; `None` where gcc refuses it, or the program
/// crashes.
fn gcc(folder: &Path, text: &str, standard: &str) -> Option<bool> {
    let main = "#include <stdlib.h>\nvoid reach_error(void) { _Exit(77); }\nint __VERIFIER_nondet_int(void) { return 0; }\n";
    let (source, exe) = (folder.join("p.c"), folder.join("p"));
    std::fs::write(&source, format!("{main}{HEAD}{text}")).expect("writes");
    let built =
        Command::new("gcc").args(["-w", standard, "-o"]).arg(&exe).arg(&source).arg("-lm").output();
    if !built.expect("gcc runs").status.success() {
        return None;
    }
    let run = Command::new(&exe).status().expect("runs");
    run.code().map(|code| code == 77)
}

/// Whether gcc accepts the text.
fn builds(folder: &Path, text: &str, standard: &str) -> bool {
    let source = folder.join("q.c");
    std::fs::write(&source, format!("{HEAD}{text}")).expect("writes");
    let mut built = Command::new("gcc");
    built.args(["-w", standard, "-c", "-o", "/dev/null"]).arg(&source);
    built.output().expect("gcc runs").status.success()
}

/// Compares answers with what gcc makes of programs with one execution; of each, whether it must be
/// decided.
fn compare(standard: &str, programs: impl Iterator<Item = (bool, String)>) {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (decided, text) in programs {
        let truth = gcc(folder.path(), &text, standard);
        let found = answer(&text, Externals::Any);
        let right = match (truth, found.as_str()) {
            (Some(true), "unsafe") => true,
            (Some(false), "safe") => match proved(&text).as_str() {
                "safe" => true,
                "unsafe" => false,
                _ => !decided,
            },
            (Some(_), "safe" | "unsafe") => false,
            (Some(_), _) => !decided,
            // A program that crashes may be anything.
            (None, "safe" | "unsafe") => !decided && builds(folder.path(), &text, standard),
            (None, _) => !decided,
        };
        if !right {
            wrong.push(format!("{found}, and {truth:?} by gcc: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Are texts judged as gcc does?  Those of the first list are decided.
fn compare_lists(decided: &[&str], left: &[&str]) {
    let decided = decided.iter().map(|&text| (true, text.to_owned()));
    compare("-std=gnu17", decided.chain(left.iter().map(|&text| (false, text.to_owned()))));
}

/// Compares answers with the expected ones, or with words in a reason or message.
fn expect<'t>(cases: impl Iterator<Item = (&'t str, &'t str, Externals)>) {
    let wrong: Vec<String> = cases
        .filter_map(|(text, expected, externals)| {
            let found = answer(text, externals);
            let right = found == expected
                || found.contains(expected) && !matches!(expected, "safe" | "unsafe");
            (!right).then(|| format!("{found}, not {expected}: {text}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs with one execution.
const CERTAIN: &[&str] = &[
    // Two names for one thing.
    "int x = 1; extern int y __attribute__((alias(\"x\")));
     int main(void) { y = 2; if (x == 2) reach_error(); return 0; }",
    "int n; void f(void) { n++; } void g(void) __attribute__((alias(\"f\")));
     int main(void) { g(); f(); if (n == 2 && f == g) reach_error(); return 0; }",
    "int x __asm__(\"foo\"); extern int y __asm__(\"foo\");
     int main(void) { y = 2; if (x == 2) reach_error(); return 0; }",
    "int f(void) __asm__(\"g\"); int g(void) __asm__(\"f\"); int f(void) { return 1; } int g(void) { return 2; }
     int main(void) { if (f() != 1 || g() != 2) reach_error(); return 0; }",
    "struct s { int x __attribute__((aligned(1L << 62))); } s; int main(void) { return 0; }",
    "int f(void) { return 3; } int g(void) __asm__(\"f\");
     int main(void) { if (g() != 3) reach_error(); return 0; }",
    // Layout.
    "typedef int T __attribute__((aligned(16))); struct s { char c; T t; };
     int main(void) { if (sizeof(struct s) == 32) reach_error(); return 0; }",
    "typedef int T __attribute__((aligned(4))); struct s { char c; T t; };
     int main(void) { if (sizeof(struct s) != 8) reach_error(); return 0; }",
    "typedef struct { char c; } T __attribute__((aligned(8)));
     int main(void) { if (sizeof(T) == 1) reach_error(); return 0; }",
    "typedef struct { char c; } T __attribute__((aligned(8))); struct s { char c; T t; char d; };
     int main(void) { if (sizeof(struct s) != 16) reach_error(); return 0; }",
    "typedef struct { char c; } T __attribute__((__aligned__)); void f(T *); int main(void) { return 0; }",
    "struct s { char c; int i; } __attribute__((packed, aligned(2)));
     int main(void) { if (sizeof(struct s) != 6) reach_error(); return 0; }",
    "enum __attribute__((packed)) e { A, B }; int main(void) { if (sizeof(enum e) == 1) reach_error(); return 0; }",
    "enum e { A, B } __attribute__((packed)); int main(void) { if (sizeof(enum e) == 1) reach_error(); return 0; }",
    "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int x; };
     int main(void) { union { struct s s; unsigned char c[4]; } u; u.s.x = 1; if (u.c[3] == 1) reach_error(); return 0; }",
    "struct __attribute__((scalar_storage_order(\"little-endian\"))) s { int x; };
     int main(void) { union { struct s s; unsigned char c[4]; } u; u.s.x = 1; if (u.c[3] == 1) reach_error(); return 0; }",
    // Control.
    "static int f1(void) { return 1; } static void *r(void) { return f1; } int f(void) __attribute__((ifunc(\"r\")));
     int main(void) { if (f() == 1) reach_error(); return 0; }",
    "int g; __attribute__((constructor)) void f(void) { g = 1; } int main(void) { if (g) reach_error(); return 0; }",
    // Static assertions.
    "static_assert(1 == 0); int main(void) { return 0; }",
    "_Static_assert(sizeof(int) == 4); int main(void) { return 0; }",
    "int main(void) { static_assert(sizeof(char) == 2, \"no\"); return 0; }",
    // Numbers.
    "int main(void) { if (0.1f == 0.1) reach_error(); return 0; }",
    "int main(void) { double d = 0.3f; if (d == 0.3) reach_error(); return 0; }",
    "int main(void) { float f = 16777217; if (f != 16777216.0f) reach_error(); return 0; }",
    "int main(void) { double d = (float)0.1; if (d == 0.1) reach_error(); return 0; }",
    "int main(void) { float f = 0.1f + 0.2f; if (f == 0.3) reach_error(); return 0; }",
    "int main(void) { long double x = 1.0L, y = x / 3; if (y == (double)y) reach_error(); return 0; }",
    "int main(void) { union { long double d; unsigned char c[16]; } u; u.d = 1.0L; if (u.c[9] != 0x3f) reach_error(); return 0; }",
    "int x; int *volatile p; int main(void) { p = &x; *p = 1; if (x == 1) reach_error(); return 0; }",
    "struct s { int *p; } volatile v; int x; int main(void) { v.p = &x; *v.p = 1; if (x == 1) reach_error(); return 0; }",
    "int main(int argc, char **argv) { if (argc < 0) reach_error(); return 0; }",
    // A function that another file might replace, and locals that nothing can change.
    "int main(void) { volatile int l = 3; if (l != 3) reach_error(); return 0; }",
    "int x; int main(void) { volatile int *p = &x; *p = 1; if (*p != 1) reach_error(); return 0; }",
];

#[test]
fn gcc_is_not_contradicted() {
    compare("-std=gnu2x", CERTAIN.iter().map(|&text| (false, text.to_owned())));
}

/// What must be decided, or refused by name.
#[test]
fn answers() {
    let any = [
        // Each read of a volatile object may give another value.
        ("volatile int done; int main(void) { while (!done) {} reach_error(); }", "unsafe"),
        ("volatile int g; int main(void) { int a = g, b = g; if (a != b) reach_error(); return 0; }", "unsafe"),
        ("volatile int g; int main(void) { g = 1; if (g != 1) reach_error(); return 0; }", "unsafe"),
        ("typedef volatile int V; static V g; int main(void) { if (g) reach_error(); return 0; }", "unsafe"),
        ("int *volatile p; int x; int main(void) { p = &x; if (p != &x) reach_error(); return 0; }", "unsafe"),
        ("volatile struct { int a; } v; int main(void) { if (v.a != v.a) reach_error(); return 0; }", "unsafe"),
        ("volatile int g; int main(void) { int a = g; if (a != a) reach_error(); return 0; }", "safe"),
        ("volatile int a[2]; int main(void) { if (a[0] != a[0]) reach_error(); return 0; }", "unsafe"),
        // Attributes.
        ("int f(void) __attribute__((ifunc(\"r\"))); int main(void) { return 0; }", "'ifunc'"),
        ("void f(void); void (*p)(void) __attribute__((section(\".init_array\"), used)) = f; int main(void) { return 0; }", "init_array"),
        ("enum __attribute__((__packed__)) e { A }; int main(void) { return 0; }", "'packed' on an 'enum'"),
        // A circle of names that nothing defines.
        ("extern int x __attribute__((alias(\"y\"))); extern int y __attribute__((alias(\"x\"))); int main(void) { x = 1; return 0; }", "is an alias of 'y', which this file does not define"),
        // A last member without a semicolon, which gcc warns of.
        ("struct s { int a; struct { int b; union { int c } } }; enum e { A, B };
          int main(void) { struct s v = { 1, 2, 3 }; if (v.c != 3 || v.a + v.b != 3 || B != 1) reach_error(); return 0; }", "safe"),
        ("int x __attribute__((frobnicate)); int main(void) { return 0; }", "safe"),
        // As `linux/virtio_ring.h` and `gpg-error.h` have it: of no effect on pointers, and on
        // programs without the body.
        ("struct d { char c[3]; }; typedef struct d __attribute__((aligned(16))) T; struct v { T *p; int n; };
          int main(void) { struct d a = { { 1, 2, 3 } }; struct v v = { (T *)&a, 1 };
          if (sizeof(struct v) != 2 * sizeof(void *) || sizeof(*v.p) != 3 || v.p->c[2] != 3) reach_error(); return 0; }", "safe"),
        ("typedef int T __attribute__((aligned(16))); T x; int main(void) { return x; }", "'aligned' otherwise"),
        ("typedef int T __attribute__((aligned(16))); struct s { T x; } *p; int main(void) { return sizeof(struct s); }", "'aligned' otherwise"),
        ("typedef int T __attribute__((aligned(16))); int main(void) { return sizeof(T[3]); }", "'aligned' otherwise"),
        ("typedef int T __attribute__((aligned(16))); int f(T x, int *p); int main(void) { return f(1, 0); }", "'aligned' otherwise"),
        ("int init(void) __attribute__((__constructor__)); int main(void) { return 0; }", "safe"),
        ("int init(void) __attribute__((__destructor__)); int main(void) { return init(); }", "safe"),
        // Other checkers' conventions.
        ("void __CPROVER_assume(_Bool); void __CPROVER_assert(_Bool, const char *);
          int main(void) { int x = __VERIFIER_nondet_int(); __CPROVER_assume(x > 0); __CPROVER_assert(x > 0, \"a\"); }", "safe"),
        ("void __CPROVER_assert(_Bool, const char *); unsigned nondet_uint(void);
          int main(void) { __CPROVER_assert(nondet_uint() < 7, \"a\"); }", "unsafe"),
        ("int main(int argc, char **argv) { if (argc > 0 && !argv[0]) reach_error(); return 0; }", "safe"),
        ("int main(int argc, char **argv) { if (argv[argc]) reach_error(); return 0; }", "safe"),
        ("int main(int argc, char **argv) { if (!argv) reach_error(); return 0; }", "safe"),
        ("void *__VERIFIER_nondet_pointer(void); int g, *t;
          int main(void) { t = &g; int *p = __VERIFIER_nondet_pointer(); g = 0; *p = 1; if (g) reach_error(); return 0; }", "unknown"),
        ("extern int *q; int g; int main(void) { g = 0; *q = 1; if (g) reach_error(); return 0; }", "unknown"),
        ("void nondet_fill(int *); int main(void) { int x = 0; nondet_fill(&x); if (x) reach_error(); return 0; }", "unknown"),
        ("void nondet_set(void); int g; int main(void) { nondet_set(); if (g) reach_error(); return 0; }", "unknown: 'nondet_set'"),
        ("void __VERIFIER_nondet_memory(void *, unsigned long);
          int main(void) { int x = 0; __VERIFIER_nondet_memory(&x, sizeof x); if (x) reach_error(); return 0; }", "unknown"),
        // An object may lie at a number, but not where it was seen to lie elsewhere, at 0, or among
        // the error codes.
        ("int main(void) { long a = 128, *p = &a; if (p == (long *)*p) reach_error(); return 0; }", "unknown"),
        ("int x; int main(void) { int *p = &x; long n = __VERIFIER_nondet_int(); if (p == (int *)n) reach_error(); return 0; }", "unknown"),
        ("int x; int main(void) { int *p = &x; long n = (long)p; if (p != (int *)n || (int *)n == 0) reach_error(); return 0; }", "safe"),
        ("int x; int main(void) { int *p = __VERIFIER_nondet_int() ? &x : (int *)-1L; long n = -1;
          if (p != &x && p != (int *)n) reach_error(); return 0; }", "safe"),
        // Values that are computed once.
        ("int c; int s(void) { return c++; } int main(void) { int t[4] = { [0 ... 2] = s() }; return t[3]; }", "a range of elements whose value has effects"),
        ("int f(int n, int v[n++]) { return n; } int main(void) { int a[3]; return f(2, a); }", "a length with effects"),
        ("volatile int v; int main(void) { int t[4] = { [0 ... 2] = v }; return t[3]; }", "a range of elements whose value has effects"),
        ("int c; struct t { int a; }; int main(void) { struct t t[4] = { [0 ... 2] = { c++ } }; return t[3].a; }", "a range of elements whose value has effects"),
        ("struct t { int a; }; int f(int n, int m, int v[n / m]) { return v[0]; }
          int main(void) { int x = 4, *p = &x, v[3] = { [0 ... 2] = *p }; struct t w[3] = { [0 ... 2] = (struct t){ 5 } };
          if (v[2] != 4 || w[1].a != 5 || f(2, 1, v) != 4) reach_error(); return 0; }", "safe"),
        ("int main(void) { int t[4] = { [0 ... 2] = 7 }; if (t[2] != 7 || t[3]) reach_error(); return 0; }", "safe"),
        // An array behind a comma is a pointer.
        ("int a[7]; int main(void) { if (sizeof((void)0, a) != sizeof(int *)) reach_error(); return 0; }", "safe"),
        ("int a[7]; int main(void) { __typeof__(((void)0, a)) p = a; p[6] = 3; if (a[6] != 3) reach_error(); return 0; }", "safe"),
        // A pointer down the calls outlives nothing.
        ("void f(int *p) { *p = 3; } int main(void) { int x; f(&x); if (x != 3) reach_error(); return 0; }", "safe"),
        // A variable of a loop has no value in each round.
        ("int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 1 && x != 3) reach_error(); x = 3; } return 0; }", "unsafe"),
        // Of a comparison of texts, only the sign is known.
        ("int strcmp(const char *, const char *); int main(void) { if (strcmp(\"a\", \"c\") == -2) reach_error(); return 0; }", "unknown"),
        ("int strcmp(const char *, const char *); int main(void) { if (strcmp(\"a\", \"c\") == -1) reach_error(); return 0; }", "unknown"),
        ("int strcmp(const char *, const char *); int main(void) { if (strcmp(\"a\", \"c\") >= 0) reach_error(); return 0; }", "safe"),
        ("int strcmp(const char *, const char *); int cmp(const char *a, const char *b) { return strcmp(a, b); }
          int main(void) { if (cmp(\"a\", \"c\") < 0) reach_error(); return 0; }", "unsafe"),
        ("int strcmp(const char *, const char *); int cmp(const char *a, const char *b) { int r = strcmp(a, b); return r; }
          int main(void) { int r = cmp(\"a\", \"c\"); if (r != -2) reach_error(); return 0; }", "unknown"),
        ("__attribute__((section(\".init.text\"))) void f(void) { reach_error(); } int main(void) { f(); return 0; }", "unsafe"),
        // Functions of other files.
        ("void f(void); int g; int main(void) { f(); if (g == 1) reach_error(); return 0; }", "unknown: 'f'"),
        ("static int g; extern int h __attribute__((alias(\"g\"))); void f(void);
          int main(void) { h = 1; f(); if (g != 1) reach_error(); return 0; }", "unknown: 'f'"),
        ("void f(void); static int g; int main(void) { f(); if (g == 1) reach_error(); return 0; }", "safe"),
        ("void f(void); int main(void) { static int g; f(); if (g == 1) reach_error(); return 0; }", "safe"),
        ("void f(void (*)(void)); static int g; static void h(void) { g = 1; }
          int main(void) { f(h); if (g == 1) reach_error(); return 0; }", "unknown: 'f' is not defined and may call 'h' back"),
        ("struct o { void (*run)(void); }; void f(struct o *); static int g; static void h(void) { g = 1; }
          int main(void) { struct o o = { h }; f(&o); if (g == 1) reach_error(); return 0; }", "may call 'h' back"),
        ("int f(void); int g; int main(void) { g = f(); if (g == 1) reach_error(); return 0; }", "unsafe"),
    ];
    let pure = [
        (
            "void f(void); int g; int main(void) { f(); if (g == 1) reach_error(); return 0; }",
            "safe",
        ),
        (
            "void f(int *); int main(void) { int x = 0; f(&x); if (x) reach_error(); return 0; }",
            "safe",
        ),
    ];
    let any = any.into_iter().map(|(text, expected)| (text, expected, Externals::Any));
    let pure = pure.into_iter().map(|(text, expected)| (text, expected, Externals::Pure));
    expect(any.chain(pure));
}

/// A proof says what it takes for granted.
#[test]
fn assumptions_are_told() {
    let cases = [
        ("int x, y; int main(void) { if (&x + 1 == &y) reach_error(); return 0; }", "behind the end"),
        ("int main(void) { const char *a = \"hello\", *b = \"lo\"; if (a + 3 == b) reach_error(); return 0; }", "string literals"),
        ("void *malloc(unsigned long); void free(void *);
          int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); if (p == q) reach_error(); return 0; }", "freed"),
        ("void *malloc(unsigned long); void free(void *);
          int main(void) { int *p = malloc(4); *p = 1; free(p); if (*p != 1) reach_error(); return 0; }", "after it was freed"),
        ("void *malloc(unsigned long); int main(void) { if (!malloc(0)) reach_error(); return 0; }", "size 0"),
        ("int main(void) { int a = 0, *p; if (__VERIFIER_nondet_int()) p = &a; *p = 42;
          if (a != 42 && a) reach_error(); return 0; }", "before it has a value"),
        ("int a, b; int main(void) { if (&a > &b) reach_error(); return 0; }", "addresses"),
        ("struct s { volatile int x; } v; int main(void) { if (v.x != v.x) reach_error(); return 0; }", "'volatile' members"),
        ("int g = 1; int f(void) { g = 2; return 0; } int main(void) { if (g + f() == 2) reach_error(); return 0; }", "left to right"),
        ("int g; int f(int a) { return g = a; } int h(int a, int b) { return g; }
          int main(void) { if (h(f(1), f(2)) == 1) reach_error(); return 0; }", "left to right"),
        ("int x, y; int main(void) { if ((char *)&y - (char *)&x == 4) reach_error(); return 0; }", "addresses"),
        ("int x, y; int main(void) { if (&x == &y - 1) reach_error(); return 0; }", "behind the end"),
        ("int x; int main(void) { union { int *p; unsigned char b[8]; } u; u.p = &x; if (u.b[7] == 3) reach_error(); return 0; }", "addresses"),
        ("int x; int main(void) { if (&x == (int *)0x12345678) reach_error(); return 0; }", "addresses"),
        ("int x; int main(void) { int *p = &x; unsigned char *c = (unsigned char *)&p; if (c[7] == 3) reach_error(); return 0; }", "addresses"),
        ("void f(void); static int g; int main(void) { f(); if (g) reach_error(); return 0; }", "'f' is not defined"),
        // Pointers that outlive what they point to.
        ("int *f(int b) { int x = b, *p = &x; return p; } int g(int k) { int y = k + 500, *p = &y; return *p; }
          int main(void) { int b = (unsigned char)__VERIFIER_nondet_int(), *q = f(b); g(b); if (*q > 255) reach_error(); return 0; }",
         "its block was left"),
        ("int *p; void f(int b) { p = &(int){ b & 255 }; } int g(int k) { int y = k; return *&y; }
          int main(void) { f(__VERIFIER_nondet_int()); g(500); if (*p > 255) reach_error(); return 0; }", "its block was left"),
        ("int main(void) { int *p; { int x = 5; p = &x; } int n = __VERIFIER_nondet_int(); if (*p + n - n != 5) reach_error(); return 0; }",
         "its block was left"),
        ("void *alloca(unsigned long); int *f(int b) { int *p = alloca(8); *p = b & 1; return p; } int g(int k) { int *p = alloca(8); *p = k; return *p; }
          int main(void) { int *q = f(__VERIFIER_nondet_int()); g(500); if (*q > 1) reach_error(); return 0; }", "its block was left"),
        ("int main(void) { int *p; { int x = 5; p = &x; } if (*p != 5) reach_error(); return 0; }", "its block was left"),
    ];
    for (text, words) in cases {
        let reading = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
        let source = Source::new("program.c", format!("{HEAD}{text}"));
        let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
        let told = on_large_stack(|| {
            let flow = parse(source, &reading).expect("it is C");
            let report = check(CProgram::new(&flow), &Options::default(), &budget, &mut ())
                .expect("solvers work");
            assert!(
                matches!(report.outcome, Outcome::Safe(_)),
                "{:?}: {text}",
                report.outcome.reason()
            );
            report.assumptions.iter().map(|a| format!("{a}\n")).collect::<String>()
        });
        let told = told.expect("a thread");
        assert!(told.contains(words), "no '{words}' in\n{told}of {text}");
    }
    // Each path gives the pointer a value.
    let text = format!(
        "{HEAD}int main(void) {{ int a, b, *p; if (__VERIFIER_nondet_int()) p = &a; else p = &b; *p = 1; return 0; }}"
    );
    let options = ParseOptions::default();
    let told = on_large_stack(|| {
        let flow = parse(Source::new("program.c", text), &options).expect("it is C");
        let report =
            check(CProgram::new(&flow), &Options::default(), &Budget::unlimited(), &mut ());
        report
            .expect("solvers work")
            .assumptions
            .iter()
            .map(|a| format!("{a}\n"))
            .collect::<String>()
    });
    assert!(!told.expect("a thread").contains("before it has a value"));
}
