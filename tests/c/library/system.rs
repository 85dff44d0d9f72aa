//! Clocks, `errno` and other functions of the system: what the system's give is among the values of the models, verdicts over all of them,
//! and harnesses that repeat errors.

use std::fs;
use std::time::Duration;

use hardbop_c::harness::ERROR_CODE;
use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::runs_through;
use crate::support::c::{decide, flow, run_harness_hosted};

/// Hands what the system's functions give to the models, number by number.
const DRIVER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
static long given[16];
static int at, asked;
_Bool __VERIFIER_nondet_bool(void) { return asked; }
long __VERIFIER_nondet_long(void) { return given[at++]; }
void __undecided_another_clock(void) { }
void __undecided_a_time_zone(void) { }
void __VERIFIER_assume(int condition) {
  if (!condition) { printf("not among the values: %ld\n", given[at - 1]); exit(1); }
}
int main(void) {
  struct timespec t; struct m_timespec m;
  for (int round = 0; round < 1000; round++) {
    int clock = round % 13, is_right = !clock_gettime(clock, &t);
    given[0] = t.tv_sec; given[1] = t.tv_nsec; at = 0, asked = !is_right;
    if (!m_clock_gettime(clock, &m) != is_right || (is_right && (m.tv_nsec != t.tv_nsec || at != 2))) return 2;
    if (clock_getres(clock, &t)) continue;
    given[0] = t.tv_sec; given[1] = t.tv_nsec; at = 0;
    if (m_clock_getres(clock, &m) || m.tv_nsec != t.tv_nsec || at != 2) return 3;
  }
  return 0;
}
"#;

#[test]
fn what_the_system_gives_is_among_the_values() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/c/src/library/models/time.c");
    let model = fs::read_to_string(file).expect("a model");
    let names = "timespec timeval clock_gettime clock_getres clock_settime clock_nanosleep timespec_get \
        gettimeofday nanosleep";
    let define = |name: &str| format!("#define {name} m_{name}\n");
    let undefine = |name: &str| format!("#undef {name}\n");
    let (before, behind): (String, String) = (
        names.split_whitespace().map(define).collect(),
        names.split_whitespace().map(undefine).collect(),
    );
    runs_through(&format!("#include <time.h>\n{before}{model}{behind}{DRIVER}"), &[]);
}

const HEAD: &str = "struct timespec { long tv_sec; long tv_nsec; }; struct timeval { long tv_sec; long tv_usec; };
int clock_gettime(int, struct timespec *); int gettimeofday(struct timeval *, void *); long time(long *);
 int nanosleep(const struct timespec *, struct timespec *);
 void bzero(void *, unsigned long); unsigned long wcslen(const int *); int pipe(int[2]);
int pthread_once(int *, void (*)(void)); extern void reach_error(void); static int within; static void act(void) { within++; }
void *mempcpy(void *, const void *, unsigned long); int *__errno_location(void); int open(const char *, int, ...);
long strtol(const char *, char **, int); long read(int, void *, unsigned long); typedef struct file FILE; FILE *fopen(const char *, const char *);
char *gettext(const char *), *dgettext(const char *, const char *), *ngettext(const char *, const char *, unsigned long);
char *textdomain(const char *), *bindtextdomain(const char *, const char *);
";

/// Bodies of `main` with `@` for what holds, and what makes that false.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "struct timespec t; if (clock_gettime(1, &t)) return 0; @",
        "t.tv_nsec < 1000000000",
        "t.tv_nsec < 5",
    ),
    ("struct timespec t; @", "clock_gettime(0, &t) == 0", "clock_gettime(0, &t) == -1"),
    ("struct timeval t; gettimeofday(&t, 0); @", "t.tv_usec < 1000000", "t.tv_usec > 0"),
    (
        "struct timespec a, b; clock_gettime(1, &a); clock_gettime(1, &b); @",
        "b.tv_sec >= a.tv_sec",
        "b.tv_sec > a.tv_sec",
    ),
    (
        "struct timespec t = {0, 9}, r; if (!nanosleep(&t, &r)) return 0; @",
        "r.tv_sec == 0 && r.tv_nsec <= 9",
        "r.tv_nsec < 5",
    ),
    ("int x = 5; bzero(&x, sizeof x); @", "x == 0", "x"),
    (
        "char a[4] = \"abc\", b[8], *p = mempcpy(b, a, 4); @",
        "p == b + 4 && b[2] == 'c'",
        "p == b + 3",
    ),
    ("int t[] = {1, 2, 0}; @", "wcslen(t) == 2", "wcslen(t) == 3"),
    (
        "int once = 0; pthread_once(&once, act); pthread_once(&once, act); @",
        "within == 1",
        "within == 2",
    ),
    (
        "int f = open(\"a\", 0); if (f >= 0) return 0; int e = *__errno_location(); @",
        "e >= 0",
        "e != 4",
    ),
    (
        "*__errno_location() = 0; FILE *f = fopen(\"a\", \"r\"); if (f) return 0; int e = *__errno_location(); @",
        "e >= 0",
        "e == 0",
    ),
    (
        "char b[8]; *__errno_location() = 0; long n = read(0, b, 8); if (n >= 0) return 0; int e = *__errno_location(); @",
        "e >= 0",
        "e == 0",
    ),
    ("*__errno_location() = 0; @", "*__errno_location() == 0", "*__errno_location() == 1"),
    (
        "*__errno_location() = 0; long n = strtol(\"99999999999999999999\", 0, 10); @",
        "*__errno_location() == 34",
        "*__errno_location() == 0",
    ),
    (
        "*__errno_location() = 7; long n = strtol(\"9\", 0, 10); @",
        "*__errno_location() == 7",
        "n == 8",
    ),
    ("int p[2]; if (pipe(p)) return 0; @", "p[0] != p[1] && p[0] >= 0", "p[0] > 2"),
    (
        "unsigned long n; bindtextdomain(\"a\", \"/\"); textdomain(\"a\"); @",
        "gettext(\"abc\")[2] == 'c' && ngettext(\"a\", \"b\", n)[0] == (n == 1 ? 'a' : 'b')",
        "dgettext(\"a\", \"abc\")[1] == 'a'",
    ),
    ("char *name = textdomain(0); @", "!name || name[255] == 0", "name != 0"),
];

#[test]
fn verdicts_over_all_values() {
    for (body, holds, fails) in PROGRAMS {
        for (what, expected) in [(holds, "safe"), (fails, "unsafe")] {
            let asked = format!("if (!({what})) reach_error();");
            let text =
                format!("{HEAD}int main(void) {{ {} return 0; }}\n", body.replace('@', &asked));
            let flow = flow("p.c", &text, DataModel::Lp64);
            let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
            assert_eq!(found, expected, "{text}{more}");
            if found == "unsafe" {
                let code = run_harness_hosted(&more);
                assert!(code.is_none_or(|code| code == ERROR_CODE), "{code:?}: {more}");
            }
        }
    }
}

/// A record that is not the system's is the program's own; so is a function that the library would call.
#[test]
fn what_is_the_programs_own_is_none_of_the_librarys() {
    let decided = |text: &str| {
        let text = format!("extern void reach_error(void); {text}");
        decide(&flow("p.c", &text, DataModel::Lp64), &Options::default(), Duration::from_secs(60)).0
    };
    let text = "struct timespec { int s; }; int clock_gettime(int, struct timespec *); char *strtok(char *, const char *);
        int main(void) { struct timespec t; clock_gettime(0, &t); char b[] = \"a,b\"; if (*strtok(b, \",\") != 'a') reach_error(); return 0; }";
    assert_eq!(decided(text), "safe");
    let text = "double modf(double, double *); double trunc(double x) { return 7; }
        int main(void) { double w, p = modf(1.5, &w); if (w != 1) reach_error(); return 0; }";
    assert_eq!(decided(text), "unknown");
    let text = "int pthread_once(int *, void (*)(void)); static int o; static void f(void) { pthread_once(&o, f); reach_error(); }
        int main(void) { pthread_once(&o, f); return 0; }";
    assert_eq!(decided(text), "unknown");
}

/// What the library may change behind a program's back is not taken to stay.
#[test]
fn variables_of_the_library_change() {
    let decided = |text: &str| {
        let text = format!("extern void reach_error(void); void tzset(void); {text}");
        decide(&flow("p.c", &text, DataModel::Lp64), &Options::default(), Duration::from_secs(60)).0
    };
    let uses = "timezone = 5; tzset(); if (timezone != 5) reach_error(); return 0; }";
    assert_eq!(decided(&format!("extern long timezone; int main(void) {{ {uses}")), "unknown");
    let uses = "errno = 5; tzset(); if (errno != 5) reach_error(); return 0; }";
    assert_eq!(decided(&format!("extern int errno; int main(void) {{ {uses}")), "unknown");
    // One of the program's own is none of the library's.
    let uses = "daylight = 5; tzset(); if (daylight != 5) reach_error(); return 0; }";
    assert_eq!(decided(&format!("static int daylight; int main(void) {{ {uses}")), "safe");
    assert_eq!(decided(&format!("int main(void) {{ long daylight; {uses}")), "safe");
}

#[test]
fn the_locale_is_an_assumption() {
    let text =
        "char *setlocale(int, const char *); int main(void) { setlocale(6, \"\"); return 0; }";
    let flow = flow("p.c", text, DataModel::Lp64);
    let said: Vec<String> = flow.reliances.iter().map(|(what, _)| what.to_string()).collect();
    assert_eq!(said, ["the locale stays \"C\", whatever 'setlocale' is told"]);
}
