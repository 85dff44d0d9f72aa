//! Calendars and their texts: what the models compute is what glibc does, in zones without summer time, and verdicts.

use std::fs;
use std::time::Duration;

use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::runs_through;
use crate::support::c::{decide, flow};

const NAMES: &str = "tm gmtime gmtime_r localtime localtime_r mktime timegm timelocal difftime asctime asctime_r ctime ctime_r \
    strftime strptime put put_two put_name";

/// The zone is chosen before; what the models leave undecided is not compared.
const START: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static long zone_of_test;
static int undecided;
long __VERIFIER_nondet_long(void) { return zone_of_test; }
int __VERIFIER_zone_change(void) { return 0; }
long __VERIFIER_unknown_long(void) { return undecided = 1; }
void __VERIFIER_assume(int condition) { if (!condition) { printf("not among the values\n"); exit(1); } }
void __undecided_the_time_of_a_calendar_with_summer_time(void) { undecided = 1; }
void __undecided_the_difference_of_such_times(void) { undecided = 1; }
void __undecided_a_date_out_of_range(void) { undecided = 1; }
void __undecided_a_conversion_of_a_date(void) { undecided = 1; }
void __undecided_a_part_of_a_date(void) { undecided = 1; }
"#;

const DRIVER: &str = r#"
static unsigned long long state = 7;
static unsigned below(unsigned n) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (state >> 33) % n; }
static void same(int is_same, const char *what, long time) { if (!is_same) { printf("%s differs: %ld\n", what, time); exit(1); } }
static int alike(const void *a, const void *b) {
  const struct tm *x = a, *y = b;
  return !a == !b && (!a || (!memcmp(a, b, 9 * sizeof(int)) && x->tm_gmtoff == y->tm_gmtoff));
}
static int texts(const char *a, const char *b) { return !a == !b && (!a || !strcmp(a, b)); }
static void in_zone(const char *name, long seconds) {
  setenv("TZ", name, 1);
  tzset();
  is_known = 0, zone_of_test = seconds;
  for (int round = 0; round < 20000; round++) {
    long t = (long)((unsigned long)below(1u << 31) << 33 ^ below(1u << 31)) >> round % 64, u = t ^ below(9999);
    if (t > 1L << 55 || t < -(1L << 55)) continue;
    same(alike(gmtime(&t), m_gmtime(&t)), "gmtime", t);
    struct tm *p = localtime(&t); struct m_tm *q = m_localtime(&t);
    same(alike(p, q), "localtime", t);
    same(difftime(t, u) == m_difftime(t, u), "difftime", t);
    undecided = 0;
    char x[128], y[128], *k = asctime_r(p, x), *l = m_asctime_r(q, y);
    if (!undecided) same(texts(k, l), "asctime_r", t), same(texts(ctime(&t), m_ctime(&t)), "ctime", t);
    struct tm a = {0}; struct m_tm b;
    int *members = (int *)&a;
    for (int i = 0; i < 6; i++) members[i] = (int)(below(2) ? below(5000) : below(1u << 31) << 1) / 2 * (below(4) ? 1 : -1);
    a.tm_isdst = (int)below(3) - 1;
    memcpy(&b, &a, sizeof a);
    struct tm a2 = a; struct m_tm b2 = b;
    same(timegm(&a) == m_timegm(&b) && alike(&a, &b), "timegm", t);
    undecided = 0;
    long r = mktime(&a2), s = m_mktime(&b2);
    if (!undecided) same(r == s && (r == -1 || alike(&a2, &b2)), "mktime", t);
  }
}
int main(void) {
  in_zone("UTC", 0), in_zone("XXX-5:30", 19800), in_zone("XXX+7", -25200);
  setenv("TZ", "UTC", 1);
  tzset();
  int compared = 0;
  for (int round = 0; round < 100000; round++) {
    struct tm a = {below(62), below(60), below(24), below(32), below(12), (int)below(9990) - 1890, below(7), below(366)};
    struct m_tm b;
    memcpy(&b, &a, sizeof a);
    char format[64] = "", x[128], y[128];
    for (unsigned n = below(6); n; n--) {
      char one[3] = {below(4) ? '%' : "ab: \t"[below(5)]};
      if (*one == '%') one[1] = "AaBbhCcDdeFHIjMmnpRrSTtuwXxYy%"[below(30)];
      strcat(format, one);
    }
    unsigned most = below(3) ? 128 : below(20);
    undecided = 0;
    size_t p = strftime(x, most, format, &a), q = m_strftime(y, most, format, &b);
    if (!undecided) same(p == q && (!p || !strcmp(x, y)), format, most), compared++;
    const char *parts[] = {"%Y-%m-%d", "%Y", "%m", "%d", "%H", "%M", "%S", "%T", "%F", "%D", "%R", " ", "%n", "x", "%%"};
    *format = *x = 0;
    for (unsigned n = below(6); n; n--) strcat(format, parts[below(15)]);
    if (below(2)) strftime(x, 128, format, &a);
    else for (unsigned n = below(12); n; n--) strncat(x, &"0123456789 -:/"[below(14)], 1);
    undecided = 0;
    char *k = strptime(x, format, &a), *l = m_strptime(x, format, &b);
    if (!undecided) same(k == l && (!k || alike(&a, &b)), format, 0), compared++;
  }
  same(compared > 150000, "too little", compared);
  return 0;
}
"#;

#[test]
fn calendars_are_those_of_glibc() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/c/src/library/models/time/");
    let file = |name| fs::read_to_string(format!("{folder}{name}")).expect("a model");
    // The second one has the struct again.
    let format = file("format.c");
    let (before, behind) = format.split_once("struct tm {").expect("a struct");
    let (_, behind) = behind.split_once("};").expect("its end");
    let models = format!("{}{before}{behind}", file("calendar.c"));
    let models = models.replace("hardbop_tm_", "tm_").replace("hardbop_size", "size_t");
    let of_names =
        |make: fn(&str) -> String| NAMES.split_whitespace().map(make).collect::<String>();
    let before = of_names(|name| format!("#define {name} m_{name}\n"));
    let behind = of_names(|name| format!("#undef {name}\n"));
    runs_through(&format!("{START}{before}{models}{behind}{DRIVER}"), &[]);
}

const HEAD: &str = "struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long tm_gmtoff; const char *tm_zone; };
struct tm *gmtime(const long *); struct tm *localtime(const long *); struct tm *localtime_r(const long *, struct tm *);
long mktime(struct tm *); long timegm(struct tm *); char *asctime(const struct tm *); char *ctime(const long *); double difftime(long, long);
unsigned long strftime(char *, unsigned long, const char *, const struct tm *); char *strptime(const char *, const char *, struct tm *);
struct timespec { long tv_sec; long tv_nsec; }; int clock_gettime(int, struct timespec *); int clock_getres(int, struct timespec *);
int clock_nanosleep(int, int, const struct timespec *, struct timespec *);
extern void reach_error(void); extern long __VERIFIER_nondet_long(void);
";

/// Bodies of `main` with `@` for what holds, and what makes that false.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "long t = 0; struct tm *p = gmtime(&t); @",
        "p->tm_year == 70 && p->tm_wday == 4",
        "p->tm_year == 71",
    ),
    (
        "long t = __VERIFIER_nondet_long(); struct tm *p = localtime(&t); if (!p) return 0; @",
        "p->tm_mon >= 0 && p->tm_mon <= 11 && p->tm_wday <= 6 && p->tm_yday <= 365 && p->tm_sec <= 60",
        "p->tm_mon != 5",
    ),
    // One calendar for all results, and a zone that stays.
    ("long t = 5; struct tm *p = gmtime(&t), *q = localtime(&t); @", "p == q", "p != q"),
    (
        "long t = 864000; struct tm r; localtime_r(&t, &r); @",
        "r.tm_year == 70 && r.tm_mon == 0",
        "r.tm_mday == 11",
    ),
    (
        "struct tm r = {0}; r.tm_mday = 40; r.tm_year = 100; timegm(&r); @",
        "r.tm_mon == 1 && r.tm_mday == 9",
        "r.tm_mday == 40",
    ),
    (
        "struct tm r = {0}; char *s = asctime(&r); @",
        "s[0] == 'S' && s[24] == 10 && !s[25]",
        "s[8] == '1'",
    ),
    ("@", "difftime(5, 3) == 2.0", "difftime(5, 3) == 1.0"),
    (
        "struct tm r = {0}; char b[64]; @",
        "strftime(b, 64, \"%Y-%m\", &r) == 7 && b[3] == '0'",
        "strftime(b, 7, \"%Y-%m\", &r)",
    ),
    (
        "struct tm r = {0}; @",
        "strptime(\"2024-01-15\", \"%F\", &r) && r.tm_wday == 1",
        "strptime(\"2024-01\", \"%F\", &r)",
    ),
    ("struct timespec t; @", "clock_gettime(999, &t) == -1", "clock_gettime(2, &t) == -1"),
    (
        "struct timespec t = {1}; if (clock_getres(1, &t)) return 0; @",
        "t.tv_nsec < 1000000000 && t.tv_nsec >= 0",
        "t.tv_sec == 0",
    ),
    (
        "struct timespec t = {0, 5}; @",
        "clock_nanosleep(0, 0, &t, 0) != 22",
        "clock_nanosleep(0, 0, &t, 0) == 0",
    ),
    // Summer time is left open: what is so without it alone is not shown.
    (
        "long t = 0, u = 86400; int a = localtime(&t)->tm_hour; @",
        "localtime(&u)->tm_hour == a ? 1 : 1",
        "?localtime(&u)->tm_hour == a",
    ),
    ("struct tm r = {0}; char b[64]; @", "1", "?strftime(b, 64, \"%Z\", &r) < 64"),
];

#[test]
fn programs_with_dates_are_decided() {
    for (body, right, wrong) in PROGRAMS {
        let wrong_is = if wrong.starts_with('?') { "unknown" } else { "unsafe" };
        for (condition, expected) in [(*right, "safe"), (wrong.trim_start_matches('?'), wrong_is)] {
            let body = body.replace('@', &format!("if (!({condition})) reach_error();"));
            let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
            let flow = flow("p.c", &text, DataModel::Lp64);
            let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
            assert_eq!(found, expected, "{text}{more}");
        }
    }
}
