//! What programs read, and the end of a program: `scanf`, `fgets`, `time`, `atexit`, `qsort`; and
//! alignments.

use hardbop_c::execute::{ExecutionOptions, Recording, Script, run};
use hardbop_c::harness::{ERROR_CODE, harness};
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;

use super::{compare, expect};
use crate::support::c::{can_compile, flow, run_harness};

/// Statements of `main`, after `int r`, and the answer.
const SCANS: &[(&str, &str)] = &[
    // The result: as many as were stored, or -1.
    (r#"int x; r = scanf("%d", &x); if (r < -1 || r > 1) reach_error();"#, "safe"),
    (r#"int x; r = scanf("%d", &x); if (r == -1) reach_error();"#, "unsafe"),
    (r#"int x; r = scanf("%d", &x); if (r == 0) reach_error();"#, "unsafe"),
    (r#"char c; r = scanf("%c", &c); if (r == 0) reach_error();"#, "safe"),
    (r#"char c; r = scanf("x%c", &c); if (r == 0) reach_error();"#, "unsafe"),
    (r#"int x, y; r = scanf("%d%d", &x, &y); if (r == 1) reach_error();"#, "unsafe"),
    (r#"int x; r = scanf("%*d%d", &x); if (r == 2) reach_error();"#, "safe"),
    (r#"r = scanf(" "); if (r != 0) reach_error();"#, "safe"),
    (r#"r = scanf("abc"); if (r != 0) reach_error();"#, "unsafe"),
    // What a conversion that fails does not store is kept.
    (r#"int x = 3, y = 4; r = scanf("%d%d", &x, &y); if (r < 2 && y != 4) reach_error();"#, "safe"),
    (r#"int x = 3, y = 4; r = scanf("%d%d", &x, &y); if (r < 1 && x != 3) reach_error();"#, "safe"),
    (r#"int x = 3; scanf("%d", &x); if (x == 77) reach_error();"#, "unsafe"),
    // Types and widths.
    (r#"unsigned char x = 0; scanf("%hhu", &x); if (x == 200) reach_error();"#, "unsafe"),
    (
        r#"struct { char a, b; } s = {1, 2}; scanf("%hhd", &s.a); if (s.b != 2) reach_error();"#,
        "safe",
    ),
    (
        r#"short x[2] = {1, 2}; scanf("%hi", x); if (x[0] == -9 && x[1] == 2) reach_error();"#,
        "unsafe",
    ),
    (r#"long long x = 0; scanf("%lld", &x); if (x == 1LL << 40) reach_error();"#, "unsafe"),
    (r#"unsigned long x = 0; scanf("%zx", &x); if (x == 1UL << 40) reach_error();"#, "unsafe"),
    (r#"int x = 0; scanf("%2d", &x); if (x > 99 || x < -9) reach_error();"#, "safe"),
    (r#"int x = 0; scanf("%2d", &x); if (x == -9) reach_error();"#, "unsafe"),
    (r#"unsigned x = 0; scanf("%1o", &x); if (x > 7) reach_error();"#, "safe"),
    (r#"unsigned x = 0; scanf("%2x", &x); if (x == 255) reach_error();"#, "unsafe"),
    (r#"double x = 0; scanf("%lf", &x); if (x == 2.5) reach_error();"#, "unsafe"),
    (r#"float x = 0; scanf("%f", &x); if (x == 2.5f) reach_error();"#, "unsafe"),
    // Characters and texts.
    (r#"char c = 'a'; scanf(" %c", &c); if (c == ' ' || c == '\n') reach_error();"#, "safe"),
    (r#"char c = 'a'; scanf("%c", &c); if (c == '\n') reach_error();"#, "unsafe"),
    (
        r#"char s[3] = "xy"; scanf("%2c", s); if (s[0] == 'p' && s[1] == ' ' && !s[2]) reach_error();"#,
        "unsafe",
    ),
    (
        r#"char s[4]; if (scanf("%3s", s) == 1 && (s[0] == 0 || s[0] == ' ')) reach_error();"#,
        "safe",
    ),
    (
        r#"char s[4]; if (scanf("%3s", s) == 1 && s[3] != 0 && s[2] != 0 && s[1] != 0) reach_error();"#,
        "safe",
    ),
    (
        r#"char s[4]; if (scanf("%3s", s) == 1 && s[0] == 'h' && s[1] == 'i' && !s[2]) reach_error();"#,
        "unsafe",
    ),
    (r#"char s[4]; if (scanf("%3[a-c]", s) == 1 && s[0] == 'd') reach_error();"#, "safe"),
    (r#"char s[4]; if (scanf("%3[^a-c\n]", s) == 1 && s[0] == 'd') reach_error();"#, "unsafe"),
    (r#"char s[4]; if (scanf("%3[^a-c\n]", s) == 1 && s[0] == '\n') reach_error();"#, "safe"),
    // What is not known is left undecided.
    (r#"int x = 0; const char *f = "%d"; scanf(f, &x); if (x == 3) reach_error();"#, "unknown"),
    (r#"int x, n = 0; scanf("%d%n", &x, &n); if (n == 3) reach_error();"#, "unknown"),
    (r#"int x; char c = 0; scanf("%d%c", &x, &c); if (c == '7') reach_error();"#, "unknown"),
    // Its bits are stored, whatever the object is: that it has room for them is assumed, and checked with `bounds`.
    (r#"long x = 0; scanf("%d", &x); if (x == 3) reach_error();"#, "unsafe"),
    (r#"char x = 0; scanf("%d", &x); if (x == 3) reach_error();"#, "unsafe"),
    // Lines.
    (r#"char s[4] = "abc"; if (!fgets(s, 4, stdin) && s[1] != 'b') reach_error();"#, "safe"),
    (
        r#"char s[4] = "abc"; if (fgets(s, 4, stdin) && s[0] && s[1] && s[2] && s[3]) reach_error();"#,
        "safe",
    ),
    (r#"char s[4]; if (fgets(s, 4, stdin) && s[0] == '\n' && s[1]) reach_error();"#, "safe"),
    (
        r#"char s[4]; if (fgets(s, 4, stdin) && s[0] == 'q' && s[1] == '\n') reach_error();"#,
        "unsafe",
    ),
    (r#"char s[4]; if (fgets(s, 3, stdin) == s && s[0] == 'q' && !s[1]) reach_error();"#, "unsafe"),
    // Lengths, and the time.
    (r#"char s[8]; if (fgets(s, 8, stdin) && strlen(s) > 7) reach_error();"#, "safe"),
    (r#"long t = 0; if (time(&t) != t) reach_error();"#, "safe"),
    (r#"srand(time(0)); if (rand() % 6 == 3) reach_error();"#, "unsafe"),
];

const DECLARED: &str = "typedef struct file FILE; extern FILE *stdin; int scanf(const char *, ...);
char *fgets(char *, int, FILE *); unsigned long strlen(const char *); long time(long *); int rand(void);
void srand(unsigned);
void reach_error(void);\n";

#[test]
fn reads() {
    let programs: Vec<(String, &str)> = SCANS
        .iter()
        .map(|(body, expected)| {
            (format!("{DECLARED}int main(void) {{ int r; {body} return 0; }}"), *expected)
        })
        .collect();
    expect(programs.iter().map(|(text, expected)| (text.as_str(), *expected, Externals::Any)));
}

/// A harness reads what the execution has read.
#[test]
fn harnesses_read() {
    if !can_compile(DataModel::Lp64) {
        return;
    }
    let cases: &[(&str, &[i64])] = &[
        (
            r#"int x; char c; if (scanf("%d %c", &x, &c) == 2 && x == -5 && c == 'z')"#,
            &[2, -5, i64::from(b'z')],
        ),
        (
            r#"char s[4]; short h; if (scanf("%3s,%hd", s, &h) == 2 && s[0] == 'h' && !s[1] && h == 7)"#,
            &[2, 104, 0, 7],
        ),
        (r#"char s[4]; if (scanf("%*d %2[a-z]", s) == 1 && s[1] == 'b' && !s[2])"#, &[1, 97, 98]),
        (r#"int x = 1, y = 2; if (scanf("%d%d", &x, &y) == 1 && x == 9 && y == 2)"#, &[1, 9]),
        (r#"char s[4]; if (fgets(s, 4, stdin) && s[0] == 'q' && s[1] == '\n')"#, &[0, 113, 10]),
        (r#"char s[4]; if (!fgets(s, 4, stdin))"#, &[1]),
        (r#"long t; if (time(&t) == 5 && t == 5)"#, &[5]),
    ];
    for (condition, values) in cases {
        let text = format!("{DECLARED}int main(void) {{ {condition} reach_error(); return 0; }}");
        // Without a C library, there is no stream.
        let text = text.replace("extern FILE *stdin;", "").replace("stdin", "(FILE *)0");
        let flow = flow("p.c", &text, DataModel::Lp64);
        let options = ExecutionOptions { record: Recording::Values, ..ExecutionOptions::default() };
        let mut script = Script::new(values.iter().map(|&v| v as u64));
        let execution = run(&flow, &mut script, &options);
        assert!(execution.reaches_error(), "{condition}: {:?}", execution.outcome);
        let made = harness(&flow, &execution).expect("an execution into the error");
        assert_eq!(run_harness(&made.text, DataModel::Lp64), Some(ERROR_CODE), "{}", made.text);
    }
}

/// Programs with one execution, and whether they are decided.
const CERTAIN: &[(bool, &str)] = &[
    (true, "int n; void f(void) { if (n != 1) reach_error(); } void g(void) { n++; }
     int main(void) { atexit(f); atexit(g); return 0; }"),
    (true, "int n; void f(void) { if (n == 1) reach_error(); } void g(void) { n++; }
     int main(void) { atexit(f); atexit(g); exit(3); }"),
    (true, "int n; void f(void) { if (n == 0) reach_error(); }
     int main(void) { if (atexit(f)) return 1; _Exit(0); }"),
    (false, "int n; void f(void) { reach_error(); } int main(void) { atexit(&f); abort(); }"),
    (true, "int n; void g(void) { if (++n == 2) reach_error(); } void f(void) { atexit(g); atexit(g); }
     int main(void) { atexit(f); }"),
    (true, "void f(void) { reach_error(); } int main(void) { return 0; }"),
    // Sorted.
    (true, "int c(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
     int main(void) { int v[5] = {5, 3, 1, 4, 2}; qsort(v, 5, sizeof v[0], c);
     if (v[0] == 1 && v[1] == 2 && v[2] == 3 && v[3] == 4 && v[4] == 5) reach_error(); return 0; }"),
    (true, "struct s { char k; long v; }; int c(const void *a, const void *b) {
     return ((struct s *)b)->k - ((struct s *)a)->k; }
     int main(void) { struct s v[3] = {{1, 10}, {3, 30}, {2, 20}}; qsort(v, 3, sizeof(struct s), c);
     if (v[0].v != 30 || v[1].v != 20 || v[2].v != 10) reach_error(); return 0; }"),
    // Alignments of expressions.
    (true, "int main(void) { int x; if (_Alignof(x) != 4 || __alignof__(x + 1L) != 8) reach_error(); return 0; }"),
    (true, "struct s { char c; double d; } *p; int main(void) { if (__alignof__(*p) != 8 || __alignof(p) != 8)
     reach_error(); return 0; }"),
    // Overflows of mixed types.
    (true, "int main(void) { unsigned long r; if (!__builtin_add_overflow(-1L, 1UL, &r) && r == 0) reach_error(); }"),
    (true, "int main(void) { long r; if (__builtin_add_overflow(1L, ~0UL, &r)) reach_error(); }"),
    (true, "int main(void) { unsigned long r; if (__builtin_sub_overflow(1L, 2UL, &r) && r == ~0UL) reach_error(); }"),
    (true, "int main(void) { long r; if (!__builtin_sub_overflow(5UL, 9UL, &r) && r == -4) reach_error(); }"),
    (true, "int main(void) { long r; if (__builtin_mul_overflow(-1L, 1UL << 63, &r) || r >= 0) reach_error(); }"),
    (true, "int main(void) { unsigned long r; if (!__builtin_mul_overflow(-1L, -7L, &r) && r == 7) reach_error(); }"),
    (true, "int main(void) { int r; if (__builtin_mul_overflow(1UL << 40, 1UL << 40, &r) && r == 0) reach_error(); }"),
    (true, "int main(void) { if (__builtin_add_overflow_p(100, 28, (signed char)0)) reach_error(); }"),
    (true, "int main(void) { if (__builtin_mul_overflow_p(1L << 40, 1L << 40, 0UL)) reach_error(); }"),
    // Numbers of math.h.
    (false, "double fmod(double, double); int main(void) { if (fmod(-7.5, 2) == -1.5) reach_error(); }"),
    (false, "float remainderf(float, float); int main(void) { if (remainderf(5, 3) == -1) reach_error(); }"),
    (false, "double pow(double, double); int main(void) { if (pow(2, 10) == 1024) reach_error(); }"),
    (false, "double fdim(double, double); int main(void) { if (fdim(1.5, 2) != 0 || fdim(2, .5) != 1.5) reach_error(); }"),
    (false, "double remainder(double, double); int main(void) { double m = -3; if (remainder(m, 2) == 1) reach_error(); }"),
];

#[test]
fn as_compiled() {
    let head = "int atexit(void (*)(void)); void exit(int); void _Exit(int); void abort(void);
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));\n";
    compare(
        "-std=gnu17",
        CERTAIN.iter().map(|(decided, text)| (*decided, format!("{head}{text}"))),
    );
}
