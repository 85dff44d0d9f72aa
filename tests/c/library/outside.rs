//! What the library opens, how far results go, and sizes of objects, as gcc computes them.

use std::fs;
use std::process::Command;
use std::time::Duration;

use hardbop_base::errors::Checks;
use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::Options;

use crate::support::c::{decide, flow};

const HEAD: &str = "typedef struct file { int flags; char *at; } FILE; FILE *fopen(const char *, const char *);
unsigned sleep(unsigned), alarm(unsigned); long sysconf(int); int fclose(FILE *), getpid(void); unsigned short htons(unsigned short);
unsigned htonl(unsigned); extern void reach_error(void);
typedef long time_t; struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; }; struct tm *localtime_r(const time_t *, struct tm *);
int printf(const char *, ...); typedef unsigned long size_t; size_t strlen(const char *); int atoi(const char *), puts(const char *);
long recv(int, void *, size_t, int); extern void *stdin; size_t fread(void *, size_t, size_t, void *); void *malloc(size_t);
int pthread_mutex_init(long *, const void *), sem_init(long *, int, unsigned); long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int); double strtod(const char *, char **), atof(const char *);
float strtof(const char *, char **);
";

/// With checks of accesses.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"b\", \"r\"); if (f && f == g) reach_error();",
        "safe",
    ),
    (
        "FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"b\", \"r\"); if (f && !g) reach_error();",
        "unsafe",
    ),
    ("FILE *f = fopen(\"a\", \"r\"); if (f) return fclose(f) < -1 ? 1 / 0 : 0;", "safe"),
    // It is there, whatever it is.
    ("FILE *f = fopen(\"a\", \"r\"); if (f) f->at = 0;", "unknown"),
    ("FILE *f = fopen(\"a\", \"r\"); if (f && *(char *)f) reach_error();", "unsafe"),
    ("FILE *f = fopen(\"a\", \"r\"); f->flags = 0;", "unsafe"),
    ("if (sleep(5) > 5) reach_error();", "safe"),
    ("if (sleep(5) == 5) reach_error();", "unsafe"),
    ("if (sleep(4000000000u) > 4000000000u) reach_error();", "safe"),
    ("if (sysconf(1) < -1) reach_error();", "safe"),
    ("if (sysconf(1) == -1) reach_error();", "unsafe"),
    // It does not matter what is shown, but what it decides.
    (
        "struct tm t; time_t n = 1; localtime_r(&n, &t); printf(\"%d\", t.tm_year); if (n == 1) reach_error();",
        "unsafe",
    ),
    (
        "struct tm t; time_t n = 1; localtime_r(&n, &t); if (t.tm_year == 3) reach_error();",
        "unknown",
    ),
    ("if (getpid() < 1) reach_error();", "safe"),
    ("if (alarm(0) > 3000000000u) reach_error();", "unsafe"),
    // Where a number ends.
    (
        "char b[8], *e; int n = recv(0, b, 7, 0); if (n < 1) return 1; b[n] = 0; strtol(b, &e, 10); if (*e && e - b > 7) reach_error();",
        "safe",
    ),
    ("char b[8], *e; recv(0, b, 8, 0); return strtol(b, &e, 10);", "unsafe"),
    ("char b[4] = \"77 \", *e; if (strtoul(b, &e, 8) == 63 && e == b + 2) reach_error();", "unsafe"),
    ("char b[4] = \"7x\"; if (strtol(b, 0, 10) != 7) reach_error();", "safe"),
    ("char *e; strtol(0, &e, 10);", "unsafe"),
    ("char b[4] = \"1\", *e = 0; strtol(b, &e, 37); if (!e) reach_error();", "unknown"),
    ("char b[4] = \"1\"; strtol(b, (char **)0 + 1, 10);", "unsafe"),
    (
        "char b[8], *e; int n = recv(0, b, 7, 0); if (n < 1) return 1; b[n] = 0; strtod(b, &e); if (*e && e - b > 7) reach_error();",
        "safe",
    ),
    ("char b[8], *e; recv(0, b, 8, 0); return strtod(b, &e) > 1;", "unsafe"),
    ("char b[8] = \"1.5 2\", *e; if (strtod(b, &e) + atof(e) == 3.5) reach_error();", "unsafe"),
    ("char b[8] = \"7x\"; if (strtof(b, 0) != 7) reach_error();", "safe"),
    ("return atof(0) > 1;", "unsafe"),
    // What is received, and where its text ends.
    (
        "char b[8]; int n = recv(0, b, 7, 0); if (n < 1) return 1; b[n] = 0; return atoi(b) < 5;",
        "safe",
    ),
    ("char b[8]; int n = recv(0, b, 8, 0); if (n < 1) return 1; return atoi(b) < 5;", "unsafe"),
    (
        "char b[300]; int n = recv(0, b, sizeof b, 0); if (n > 9 && b[n - 1] == 'S') reach_error();",
        "unsafe",
    ),
    ("char b[9]; int k = getpid() % 10, n = recv(0, b, k, 0); if (n > k) reach_error();", "safe"),
    ("char b[9]; int k = getpid() % 11; recv(0, b, k, 0);", "unsafe"),
    ("char b[9]; recv(0, b, (size_t)-1, 0);", "unsafe"),
    ("char *b = malloc(50); int n = recv(0, b, 49, 0); if (n < 0) return 1; b[n] = 0;", "safe"),
    ("char *b = malloc(50); int n = recv(0, b, 50, 0); if (n < 0) return 1; b[n] = 0;", "unsafe"),
    // Elements as wholes, of which the last one may be there in part.
    ("char b[8]; size_t n = fread(b, 1, 8, stdin); if (n > 8) reach_error();", "safe"),
    ("char b[8]; size_t n = fread(b, 1, 8, stdin); b[n] = 0;", "unsafe"),
    ("char b[8]; size_t n = fread(b, 1, 7, stdin); b[n] = 0;", "safe"),
    ("char b[8]; fread(b, 1, 9, stdin);", "unsafe"),
    ("short s[4]; if (fread(s, sizeof *s, 4, stdin) > 4) reach_error();", "safe"),
    ("short s[4]; if (fread(s, sizeof *s, 4, stdin) == 3 && s[2] == 0x4711) reach_error();", "unsafe"),
    ("char b[4] = {0}; if (fread(b, 1, 4, stdin) < 3 && b[3]) reach_error();", "safe"),
    ("short s[4] = {0}; if (fread(s, sizeof *s, 4, stdin) == 2 && s[2]) reach_error();", "unsafe"),
    ("short s[4]; fread(s, sizeof *s, 5, stdin);", "unsafe"),
    ("short s[4]; int k = getpid() & 3; if (fread(s, 2, k, stdin) > k) reach_error();", "safe"),
    ("short s[4]; fread(s, 2, (size_t)-1 / 2 + 2, stdin);", "unsafe"),
    (
        "char b[] = \"four\"; b[getpid() % 4] = 0; if (strlen(b) > 3) reach_error(); puts(b);",
        "safe",
    ),
    ("char b[] = \"four\"; b[getpid() % 5] = 0; if (strlen(b) > 3) reach_error();", "unsafe"),
    ("char b[4]; int n = recv(0, b, 4, 0x20); if (n > 4) reach_error();", "unknown"),
    ("char b[] = {'a', 'b', 'c'}; puts(b);", "unsafe"),
    ("char b[] = {'a', 'b', 'c'}; b[getpid() & 1] = 0; puts(b);", "safe"),
    ("char b[1]; b[0] = getpid() & 1; puts(b);", "unsafe"),
    // A lock that is made may not be; one that is, in memory of its own, changes nothing else.
    ("struct t { char c; long *lock; } *p = malloc(sizeof *p); if (!(p->lock = malloc(40))) return 1; p->c = 3;
      if (pthread_mutex_init(p->lock, 0)) return 1; if (p->c != 3) reach_error();", "safe"),
    ("long lock[5]; if (pthread_mutex_init(lock, 0)) reach_error();", "unsafe"),
    ("long lock[5]; int e = pthread_mutex_init(lock, 0); if (e < 0) reach_error();", "safe"),
    ("long s[4]; if (sem_init(s, 0, 1) > 0) reach_error();", "safe"),
    ("if (htons(0x1234) != 0x3412 || htonl(0x12345678) != 0x78563412) reach_error();", "safe"),
];

#[test]
fn what_comes_from_outside() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for (body, expected) in PROGRAMS {
            let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
            let checks = Checks::of_list("memory").expect("a group");
            let property = Property { checks, ..Property::default() };
            let options = ParseOptions { model: Some(model), property, ..ParseOptions::default() };
            let flow = on_large_stack(|| parse(Source::new("p.c", text.as_str()), &options));
            let flow = flow.expect("a thread").unwrap_or_else(|d| panic!("{text}: {d:#?}"));
            let (found, why) = decide(&flow, &Options::default(), Duration::from_secs(30));
            assert_eq!(found, *expected, "{model:?} {body}: {why}");
        }
    }
    // No proof goes less far than the results.
    let text =
        format!("{HEAD}int main(void) {{ if (sleep(4000000000u) > 3000000000u) reach_error(); }}");
    let (found, _) =
        decide(&flow("p.c", &text, DataModel::Lp64), &Options::default(), Duration::from_secs(30));
    assert_ne!(found, "safe");
}

const OBJECTS: &str = "char buf[64], *p; int m[2][3]; struct s { int a; char n[4]; char c[7]; } s, t[2]; union { int i; char c[20]; } u;";

const POINTERS: &[&str] = &[
    "buf",
    "buf + 10",
    "&buf[10]",
    "buf + 70",
    "p",
    "m",
    "m[1]",
    "&m[1][1]",
    "&s",
    "&s.a",
    "s.n",
    "s.n + 1",
    "&s.n[3]",
    "s.c",
    "&s.c[2]",
    "&t[1]",
    "t[1].n",
    "&t[0].c[1]",
    "&u",
    "&u.i",
    "u.c",
    "(char *)&s + 5",
    "(int *)buf",
    "&s.c[7]",
];

/// gcc tells without optimisation; what is known here is the same.
#[test]
fn sizes_of_objects_are_those_of_gcc() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    let all: Vec<(&str, u32)> =
        POINTERS.iter().flat_map(|p| (0..4).map(move |k| (*p, k))).collect();
    let shown: String = (all.iter())
        .map(|(p, k)| format!("printf(\"%zu\\n\", __builtin_object_size({p}, {k}));\n"))
        .collect();
    let text = format!("#include <stdio.h>\n{OBJECTS}\nint main(void) {{ {shown} return 0; }}");
    fs::write(&file, text).expect("it can be written");
    let compiled = Command::new("gcc").args(["-w", "-O0", "-o"]).args([&program, &file]).status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no gcc");
        return;
    }
    let output = Command::new(&program).output().expect("it runs").stdout;
    let sizes = String::from_utf8(output).expect("numbers");
    let mut decided = 0;
    for ((pointer, kind), size) in all.iter().zip(sizes.lines()) {
        let text = format!(
            "{OBJECTS} extern void reach_error(void);
            int main(void) {{ if (__builtin_object_size({pointer}, {kind}) != {size}ul) reach_error(); return 0; }}"
        );
        let (found, why) = decide(
            &flow("p.c", &text, DataModel::Lp64),
            &Options::default(),
            Duration::from_secs(30),
        );
        assert_ne!(found, "unsafe", "{pointer} {kind}: {size}");
        decided += u32::from(found == "safe");
        assert!(found == "safe" || why.contains("__builtin_object_size"), "{why}");
    }
    assert!(decided > 60, "{decided}");
}
