//! Library functions that are written in C: each against glibc's on 10,000 random calls, with gcc's sanitizers, and
//! verdicts of programs that call them.

use std::fs;
use std::time::Duration;

use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::runs_through;
use crate::support::c::{decide, flow};

/// The functions and variables of the files, which get other names beside glibc's.
const NAMES: &[&str] = &[
    "strtok",
    "strtok_r",
    "__strtok_r",
    "strsep",
    "bsearch",
    "lfind",
    "getopt",
    "getopt_long",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "option",
];

const DRIVER: &str = r#"
#define _GNU_SOURCE
#include <getopt.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static unsigned long long state = 7;
static unsigned below(unsigned n) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (state >> 33) % n; }
static void text(char *to, unsigned most, const char *from) { unsigned n = below(most), k = strlen(from); for (unsigned i = 0; i < n; i++) to[i] = from[below(k)]; to[n] = 0; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void same(int is_same, const char *what) { if (!is_same) { printf("%s differs\n", what); exit(1); } }
void __undecided_options_behind_operands(void) { }
#define AT(p, base) ((p) ? (p) - (base) : -1)
int main(void) {
  opterr = 0;
  for (int round = 0; round < 10000; round++) {
    char a[16], b[16], set[4], *p, *q, *n = 0, *m = 0;
    memset(a, 0, 16); text(a, 15, "ab,;"); memcpy(b, a, 16); text(set, 4, ",;b");
    p = strtok(a, set), q = m_strtok(b, set);
    for (int i = 0; i < 17; i++) {
      same(AT(p, a) == AT(q, b) && !memcmp(a, b, 16), "strtok");
      if (!p) break;
      if (below(3) == 0) text(set, 4, ",;b");
      p = strtok(0, set), q = m_strtok(0, set);
    }
    memset(a, 0, 16); text(a, 15, "ab,;"); memcpy(b, a, 16);
    p = strtok_r(a, set, &n), q = m_strtok_r(b, set, &m);
    for (int i = 0; p && i < 17; i++) {
      same(AT(p, a) == AT(q, b) && AT(n, a) == AT(m, b) && !memcmp(a, b, 16), "strtok_r");
      p = strtok_r(0, set, &n), q = m_strtok_r(0, set, &m);
    }
    memset(a, 0, 16); text(a, 15, "ab,;"); memcpy(b, a, 16); n = a, m = b;
    for (int i = 0; n && i < 17; i++) {
      p = strsep(&n, set), q = m_strsep(&m, set);
      same(AT(p, a) == AT(q, b) && AT(n, a) == AT(m, b) && !memcmp(a, b, 16), "strsep");
    }
    int items[12], count = below(13), last = 0, key;
    for (int i = 0; i < count; i++) items[i] = last += 1 + below(3);
    key = below(30);
    same(bsearch(&key, items, count, sizeof key, order) == m_bsearch(&key, items, count, sizeof key, order), "bsearch");
    size_t k = count;
    same(lfind(&key, items, &k, sizeof key, order) == m_lfind(&key, items, &k, sizeof key, order), "lfind");
    /* Options come first: what glibc does with others is left undecided. */
    char words[5][5], *all[6] = {"x"}, options[8];
    unsigned argc = 1 + below(5);
    for (unsigned i = 1; i < argc; i++) { words[i][0] = '-'; text(words[i] + 1, 4, "abc-+;:"); all[i] = words[i]; }
    all[argc] = 0;
    strcpy(options, (const char *[]){"ab:c", "a", "+ab:", "abc::", ":a:b:c:", "", "c:ba", "+a", "a;b", "+:c"}[below(10)]);
    int is_plain = 1, behind = 0;
    for (unsigned i = 1; i < argc; i++) is_plain &= strcmp(all[i], "-") != 0;
    optind = 0, m_optind = 0;
    for (int i = 0; is_plain && i < 20; i++) {
      int x = getopt(argc, all, options), y = m_getopt(argc, all, options);
      same(x == y && optind == m_optind && optarg == m_optarg && (x != '?' || optopt == m_optopt), "getopt");
      if (x == -1) break;
    }
  }
  /* Long options: what is shortened, and what may be. */
  static int flag, m_flag;
  for (int round = 0; round < 10000; round++) {
    const char *some[] = {"--file", "--file=a", "--fi", "--fill", "--all", "--al=1", "--b", "--=", "--bad", "--c=", "--cc", "-a", "-bx"};
    char *all[5] = {"x"};
    unsigned argc = 1 + below(4);
    for (unsigned i = 1; i < argc; i++) all[i] = (char *)some[below(13)];
    all[argc] = 0;
    struct option longs[] = {{"file", 1, 0, 'f'}, {"fill", 2, 0, 'l'}, {"all", 0, &flag, 3}, {"bb", 0, 0, 'b'}, {"bc", 0, 0, 'b'}, {"cc", 1, 0, 'c'}, {0, 0, 0, 0}};
    struct m_option m_longs[] = {{"file", 1, 0, 'f'}, {"fill", 2, 0, 'l'}, {"all", 0, &m_flag, 3}, {"bb", 0, 0, 'b'}, {"bc", 0, 0, 'b'}, {"cc", 1, 0, 'c'}, {0, 0, 0, 0}};
    const char *options = below(2) ? "ab:" : ":ab:";
    optind = 0, m_optind = 0;
    for (int i = 0; i < 20; i++) {
      int at = -1, m_at = -1;
      int x = getopt_long(argc, all, options, longs, &at), y = m_getopt_long(argc, all, options, m_longs, &m_at);
      same(x == y && optind == m_optind && optarg == m_optarg && at == m_at && flag == m_flag && (x != '?' || optopt == m_optopt), "getopt_long");
      if (x == -1) break;
    }
  }
  return 0;
}
"#;

#[test]
fn models_do_what_glibc_does() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/c/src/library/models/");
    let mut text = String::new();
    for name in NAMES {
        text.push_str(&format!("#define {name} m_{name}\n"));
    }
    for file in ["token.c", "search.c", "getopt.c"] {
        text.push_str(&fs::read_to_string(format!("{models}{file}")).expect("a model"));
    }
    for name in NAMES {
        text.push_str(&format!("#undef {name}\n"));
    }
    runs_through(&(text.replace("hardbop_size", "unsigned long") + DRIVER), &[]);
}

const HEAD: &str = "typedef __SIZE__ size_t; extern void reach_error(void); extern int nondet_int(void);
char *strtok(char *restrict, const char *restrict); char *strtok_r(char *, const char *, char **);
char *strsep(char **, const char *); void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int getopt(int, char *const *, const char *); extern char *optarg; extern int optind; void (*signal(int, void (*)(int)))(int); char *getenv(const char *); int unsetenv(const char *);
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
";

/// Bodies of `main`, with `@` for what is asked at the end, and what makes that false; `?` where it is left undecided.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "char t[] = \"a,bc\", *p = strtok(t, \",\"); p = strtok(0, \",\"); @",
        "p[1] == 'c'",
        "p[1] == 'b'",
    ),
    (
        "char t[] = \"a b c\", *n, *p; int k = 0; for (p = strtok_r(t, \" \", &n); p; p = strtok_r(0, \" \", &n)) k++; @",
        "k == 3 && t[1] == 0",
        "k == 2",
    ),
    ("char t[] = \",x\", *n = t, *p = strsep(&n, \",\"); @", "*p == 0 && *n == 'x'", "*p"),
    (
        "int a[] = {2, 4, 6, 8}, k = nondet_int(), *p = bsearch(&k, a, 4, sizeof k, order); @",
        "!p || *p == k",
        "p != &a[3]",
    ),
    (
        "char *v[] = {\"x\", \"-ab\", \"7\", 0}; int c, a = 0; while ((c = getopt(3, v, \"ab:\")) != -1) a += c == 'b' ? *optarg : 1; @",
        "a == '7' + 1 && optind == 3",
        "a == '7'",
    ),
    ("char *p = getenv(\"HOME\"); @", "p == getenv(\"HOME\")", "p != 0"),
    ("signal(13, (void (*)(int))1); @", "signal(13, 0) == (void (*)(int))1", "signal(13, 0) == 0"),
];

#[test]
fn programs_that_call_them_are_decided() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let size = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned" };
        for (body, right, wrong) in PROGRAMS {
            for (condition, expected) in [(right, "safe"), (wrong, "unsafe")] {
                let body = body.replace('@', &format!("if (!({condition})) reach_error();"));
                let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
                let flow = flow("p.c", &text.replace("__SIZE__", size), model);
                let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
                assert_eq!(found, expected, "{text}{more}");
            }
        }
    }
}

/// A body of the program's own wins, and what glibc does in another way stays open.
#[test]
fn what_is_not_known_stays_undecided() {
    for (body, expected) in [
        (
            "char *v[] = {\"x\", \"y\", \"-a\", 0}; if (getopt(3, v, \"a\") == -1) reach_error();",
            "unknown",
        ),
        (
            "char *v[] = {\"x\", \"-a\", 0}; if (getopt(2, v, \"-a\") == 'a') reach_error();",
            "unknown",
        ),
        (
            "char *v[] = {\"x\", \"-Wa\", 0}; if (getopt(2, v, \"W;a\") == 'W') reach_error();",
            "unknown",
        ),
        ("signal(13, (void (*)(int))order); reach_error();", "unsafe"),
        (
            "char *p = getenv(\"A\"); unsetenv(\"A\"); if (getenv(\"A\") != p) reach_error();",
            "unknown",
        ),
        ("char *p = getenv(\"A\"); return *p;", "safe"),
        // It may have been ignored when the program began.
        ("if (signal(2, (void (*)(int))1) != 0) reach_error();", "unsafe"),
    ] {
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
        let flow = flow("p.c", &text.replace("__SIZE__", "unsigned long"), DataModel::Lp64);
        let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
        assert_eq!(found, expected, "{text}{more}");
    }
    // Declared in another way, it is no function of the library.
    let other = "extern void reach_error(void); int strtok(int x); int main(void) { if (strtok(1)) reach_error(); return 0; }";
    let (found, more) =
        decide(&flow("p.c", other, DataModel::Lp64), &Options::default(), Duration::from_secs(60));
    assert_eq!(found, "unknown", "{more}");
    let own = "char *strtok(char *a, const char *b) { return a; }
        extern void reach_error(void); int main(void) { char t[] = \",\"; if (strtok(t, \",\") == t) reach_error(); return 0; }";
    let (found, more) =
        decide(&flow("p.c", own, DataModel::Lp64), &Options::default(), Duration::from_secs(60));
    assert_eq!(found, "unsafe", "{more}");
}
