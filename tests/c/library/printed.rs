//! Formatted output and input: verdicts of programs that have functions of their own for it.

use std::time::Duration;

use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::Options;

use crate::support::c::decide;

/// As in the headers of glibc, with functions that hand their arguments on.  `LIST(x)` stands for a list that begins behind `x`.
const HEAD: &str = "typedef __builtin_va_list va_list; typedef unsigned long size_t; typedef struct file FILE; extern FILE *stdin, *stderr;
typedef struct { int quot, rem; } div_t; div_t div(int, int);
int printf(const char *, ...), fprintf(FILE *, const char *, ...), vprintf(const char *, va_list), vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list), snprintf(char *, size_t, const char *, ...), vsnprintf(char *, size_t, const char *, va_list);
int asprintf(char **, const char *, ...), vasprintf(char **, const char *, va_list), vdprintf(int, const char *, va_list);
void syslog(int, const char *, ...), vsyslog(int, const char *, va_list), warn(const char *, ...), free(void *);
int puts(const char *), putchar(int), fflush(FILE *), fscanf(FILE *, const char *, ...), sscanf(const char *, const char *, ...), sprintf(char *, const char *, ...);
size_t strlen(const char *); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
void say(const char *f, ...) { LIST(f); vfprintf(stderr, f, ap); __builtin_va_end(ap); }
int count(const char *f, ...) { LIST(f); int n = vprintf(f, ap); __builtin_va_end(ap); return n; }
static void vat(int level, const char *f, va_list ap) { if (level > 1) vfprintf(stderr, f, ap); }
void at(int level, const char *f, ...) { LIST(f); vat(level, f, ap); __builtin_va_end(ap); }
static int vput(char *b, size_t n, const char *f, va_list ap) { va_list c; __builtin_va_copy(c, ap); int k = vsnprintf(b, n, f, c); __builtin_va_end(c); return k; }
int put(char *b, size_t n, const char *f, ...) { LIST(f); int k = vput(b, n, f, ap); __builtin_va_end(ap); return k; }
int fill(char *b, const char *f, ...) { LIST(f); int k = vsprintf(b, f, ap); __builtin_va_end(ap); return k; }
int make(char **p, const char *f, ...) { LIST(f); int k = vasprintf(p, f, ap); __builtin_va_end(ap); return k; }
int sum(int n, ...) { LIST(n); int k = 0; while (n--) k += __builtin_va_arg(ap, int); __builtin_va_end(ap); return k; }
void twice(const char *f, ...) { LIST(f); vprintf(f, ap); vprintf(f, ap); __builtin_va_end(ap); }
void mixed(const char *f, ...) { LIST(f); if (__builtin_va_arg(ap, int)) vprintf(f, ap); __builtin_va_end(ap); }
int other(const char *f, va_list outer, ...) { va_list c; __builtin_va_copy(c, outer); return vprintf(f, c); }
int through(const char *f, ...) { LIST(f); return other(f, ap, \"zz\"); }
static void pair(const char *f, va_list a, va_list b) { vprintf(f, a); vprintf(f, b); }
void same(const char *f, ...) { LIST(f); pair(f, ap, ap); __builtin_va_end(ap); }
void apart(const char *f, ...) { LIST(f); va_list c; __builtin_va_copy(c, ap); pair(f, ap, c); __builtin_va_end(ap); }
void several(const char *f, va_list outer, ...) { va_list l[2]; __builtin_va_start(l[0], outer); __builtin_va_copy(l[1], outer); vprintf(f, l[0]); }
void many(const char *f, ...) { LIST(f); several(f, ap, \"zz\"); }
static va_list shared; void again(const char *f, ...) { __builtin_va_start(shared, f); }
void global(const char *f, ...) { __builtin_va_start(shared, f); again(f, \"zz\"); vprintf(f, shared); }
void down(int n, const char *f, ...) { if (n > 0) down(n - 1, \"%s\", \"again\"); LIST(f); vprintf(f, ap); __builtin_va_end(ap); }
";

/// With checks of accesses: bodies of `main`, and verdicts, or parts of the reasons why there are none.
const ACCESSES: &[(&str, &str)] = &[
    // What '%s' reads is checked where the format and the argument are known: at each call.
    ("char s[2] = \"a\"; say(\"%d %s\\n\", 1, s); say(\"%s\", \"literal\");", "safe"),
    ("char s[2] = {'a', 'b'}; say(\"%d %s\\n\", 1, s);", "unsafe"),
    ("char s[2] = {'a', 'b'}; say(\"%d %.2s\\n\", 1, s); say(\"%p\", s);", "safe"),
    ("char *s = __VERIFIER_nondet_int() ? \"a\" : 0; say(\"%s\", s);", "unsafe"),
    ("char *s = __VERIFIER_nondet_int() ? \"a\" : 0; if (s) say(\"%s\", s);", "safe"),
    ("char s[1] = {'a'}; at(1, \"%s\", s);", "safe"),
    ("char s[1] = {'a'}; at(2, \"%s\", s);", "unsafe"),
    ("char s[1] = {0}; at(2, \"%s\", s);", "safe"),
    ("char s[1] = {'a'}; through(\"%s\", s);", "unsafe"),
    ("char s[1] = {0}; through(\"%s\", s);", "safe"),
    ("char s[1] = {'a'}; down(2, \"%s\", s);", "unsafe"),
    ("char s[1] = {0}; down(2, \"%s\", s);", "safe"),
    // What is written fits, or does not.
    (
        "char b[4]; if (put(b, sizeof b, \"%70d\", 1) != 70 || b[2] != ' ' || b[3]) reach_error();",
        "safe",
    ),
    ("char b[4]; put(b, 5, \"%70d\", 1);", "unsafe"),
    ("char b[4]; put(b, 5, \"%d\", 123);", "safe"),
    (
        "char b[4]; fill(b, \"%c%u\", 'a', 45u); if (b[0] != 'a' || b[2] != '5') reach_error();",
        "safe",
    ),
    ("char b[4]; fill(b, \"%c%u\", 'a', 456u);", "unsafe"),
    (
        "char *p; int n = make(&p, \"%s-%d\", \"ab\", 7); if (n != 4 || p[2] != '-' || strlen(p) != 4) reach_error(); free(p);",
        "safe",
    ),
    ("char *p; int n = make(&p, \"%s-%d\", \"ab\", 7); if (p[n + 1]) return 1;", "unsafe"),
    ("char *p = 0; int n = asprintf(&p, \"x\"); if (n == 1 && p[0] != 'x') reach_error();", "safe"),
    // A text whose characters are not known.
    ("char b[4]; snprintf(b, sizeof b, \"%f\", 1.5);", "safe"),
    ("char b[4]; snprintf(b, 5, \"%f\", 1.5);", "how much of a buffer"),
    ("char b[4] = \"\", s[1] = {'a'}; snprintf(b, sizeof b, \"%f %s\", 1.5, s);", "unsafe"),
    // A text that is read: what is stored is not known, but there is room for it.
    (
        "char s[2] = {__VERIFIER_nondet_int()}; int x, a[4]; if (sscanf(s, \"%d\", &x) == 1 && x >= 0 && x < 4) a[x] = 1;",
        "safe",
    ),
    (
        "char s[2] = {__VERIFIER_nondet_int()}; int x, a[4]; if (sscanf(s, \"%d\", &x) == 1 && x >= 0) a[x] = 1;",
        "unsafe",
    ),
    ("char s[2] = {'1', '2'}; int x; sscanf(s, \"%d\", &x);", "unsafe"),
    ("char b[4]; sscanf(\"abc\", \"%3s\", b);", "safe"),
    ("char b[4]; sscanf(\"abc\", \"%4s\", b);", "how much of a buffer"),
    ("char b[4]; sscanf(\"abc\", \"%s\", b);", "the accesses of 'sscanf'"),
    ("int *p = 0; sscanf(\"1\", \"%d\", p);", "how much of a buffer"),
    // What cannot be seen.
    ("char s[2] = \"a\"; twice(\"%s\", s);", "the accesses of 'vprintf'"),
    ("char s[2] = \"a\"; same(\"%s\", s);", "the accesses of 'vprintf'"),
    ("char s[2] = \"a\"; apart(\"%s\", s);", "safe"),
    ("char s[1] = {'a'}; apart(\"%s\", s);", "unsafe"),
    ("char s[1] = {'a'}; many(\"%s\", s);", "the accesses of 'vprintf'"),
    ("char s[1] = {'a'}; global(\"%s\", s);", "the accesses of 'vprintf'"),
    ("mixed(\"%d\", 1, 2);", "the accesses of 'vprintf'"),
    ("char f[3] = \"%s\"; say(f, \"a\");", "the accesses of 'vfprintf'"),
    ("say(\"%s %d\", \"a\");", "the accesses of 'fprintf'"),
    ("void (*p)(const char *, ...) = say; p(\"%s\", \"a\");", "the accesses of 'vfprintf'"),
    // Lists that are read are as ever.
    (
        "say(\"%s\", \"a\"); if (sum(3, 1, 2, __VERIFIER_nondet_int() & 3) > 6) reach_error();",
        "safe",
    ),
    (
        "say(\"%s\", \"a\"); if (sum(3, 1, 2, __VERIFIER_nondet_int() & 3) > 5) reach_error();",
        "unsafe",
    ),
    ("char s[1] = {'a'}; syslog(1, \"%s\", s);", "unsafe"),
    ("char s[1] = {'a'}; warn(\"%s\", s);", "unsafe"),
    ("char s[1] = {0}; syslog(1, \"%s\", s); warn(\"%s\", s);", "safe"),
];

/// Without checks.
const RESULTS: &[(&str, &str)] = &[
    ("if (printf(\"%x\", 0xab) != 2) reach_error();", "safe"),
    ("if (printf(\"%x\", 0xab) == 2) reach_error();", "unsafe"),
    (
        "int n = count(\"%d%s\", __VERIFIER_nondet_int(), \"ab\"); if (n < 3 || n > 13) reach_error();",
        "safe",
    ),
    (
        "int n = count(\"%d%s\", __VERIFIER_nondet_int(), \"ab\"); if (n > 12) reach_error();",
        "unsafe",
    ),
    ("if (printf(\"%+.3d|%-4u|%05d|%.0d\", 7, 3u, -3, 0) != 16) reach_error();", "safe"),
    (
        "if (printf(\"%f\", 1.5) == 8) reach_error();",
        "the result of 'printf', which is not modelled",
    ),
    ("char b[9]; sprintf(b, \"<%s>\", \"ab\"); if (b[3] != '>' || b[4]) reach_error();", "safe"),
    ("char b[9]; sprintf(b, \"<%s>\", \"ab\"); if (b[3] == '>') reach_error();", "unsafe"),
    // Texts that begin inside of a literal are others than it.
    (
        "char b[9]; put(b, 9, &\"%%d\"[0], 5); put(b, 9, &\"%%d\"[1], 5); if (b[0] == '5') reach_error();",
        "'vsnprintf'",
    ),
    ("if (puts(\"a\") < -1) reach_error();", "safe"),
    ("puts(\"b\"); if (puts(\"a\") < 0) reach_error();", "unsafe"),
    ("if (fflush(0) > 0) reach_error();", "safe"),
    ("int c = __VERIFIER_nondet_int() & 127; if (putchar(c) != c) reach_error();", "safe"),
    ("int c = __VERIFIER_nondet_int(); if (putchar(c) != c) reach_error();", "unsafe"),
    (
        "int x = __VERIFIER_nondet_int(); div_t d = div(x, 7); if (d.quot * 7 + d.rem != x) reach_error();",
        "safe",
    ),
    ("int x = __VERIFIER_nondet_int(); if (div(x, 7).rem == -6) reach_error();", "unsafe"),
    ("int x = 3, y = 4; fscanf(stdin, \"%d\", &x, &y); if (y != 4) reach_error();", "safe"),
    ("int x = 3, y = 4; fscanf(stdin, \"%d\", &x, &y); if (x != 3) reach_error();", "unsafe"),
    (
        "long long x = 3; fscanf(stdin, \"%19lld\", &x); if (x < -999999999999999999) reach_error();",
        "unsafe",
    ),
    (
        "long long x = 3; fscanf(stdin, \"%18lld\", &x); if (x < -99999999999999999) reach_error();",
        "safe",
    ),
];

fn all(programs: &[(&str, &str)], checks: Checks) {
    for &(body, want) in programs {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
            let text = text.replace("LIST(f)", "va_list ap; __builtin_va_start(ap, f)");
            let text = text.replace("LIST(n)", "va_list ap; __builtin_va_start(ap, n)");
            let property = Property { checks, ..Property::default() };
            let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
            let flow = on_large_stack(|| parse(Source::new("p.c", text.as_str()), &options));
            let flow = flow.expect("a thread").unwrap_or_else(|d| panic!("{text}: {d:#?}"));
            let (found, why) = decide(&flow, &Options::default(), Duration::from_secs(30));
            assert!(found == want || why.contains(want), "{model:?} {body}: {found} {why}");
        }
    }
}

#[test]
fn accesses_of_formatted_output() {
    all(ACCESSES, Checks::of(&[Check::Bounds, Check::Null]));
}

#[test]
fn results_of_output_and_input() {
    all(RESULTS, Checks::default());
}
