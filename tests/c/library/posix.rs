//! Functions of POSIX and of the GNU C library that are written in C: those that compute something do what glibc does, and
//! verdicts of programs that call them.

use std::fs;
use std::time::Duration;

use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::Options;

use crate::support::c::computed::runs_through;
use crate::support::c::decide;

const NAMES: &str = "memrchr memmem memccpy swab strcasestr stpncpy strcoll strxfrm isascii toascii a64l getsubopt wcscmp wcsncmp \
    wmemcmp wcsrchr wmemchr wcsstr wcsspn wcscspn wcspbrk wcsnlen wcstok iswdigit iswlower iswupper iswalpha iswalnum iswblank \
    iswcntrl iswgraph iswprint iswpunct iswspace iswxdigit towlower towupper reallocarray posix_memalign qsort_r lsearch rand_r \
    getcwd realpath mkstemp mkdtemp basename __xpg_basename dirname uname gethostname inet_ntoa getpwuid getpwnam passwd in_addr \
    part_of is_made any_path length_of any_text";

const START: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
extern char *dirname(char *), *__xpg_basename(char *);
static int undecided;
int __VERIFIER_nondet_int(void) { return 0; }
_Bool __VERIFIER_nondet_bool(void) { return 0; }
size_t __VERIFIER_nondet_size_t(void) { return 1; }
void __VERIFIER_assume(int condition) { }
void __undecided_a_number_of_more_than_31_bits(void) { undecided = 1; }
void __undecided_a_path_that_begins_with_two_slashes(void) { undecided = 1; }
"#;

const DRIVER: &str = r#"
static unsigned long long state = 7;
static unsigned below(unsigned n) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (state >> 33) % n; }
static void text(char *to, unsigned most, const char *from) { unsigned n = below(most), k = strlen(from); for (unsigned i = 0; i < n; i++) to[i] = from[below(k)]; to[n] = 0; }
static void wide(wchar_t *to, unsigned most) { unsigned n = below(most); for (unsigned i = 0; i < n; i++) to[i] = L"abc"[below(3)]; to[n] = 0; }
static int order(const void *a, const void *b, void *mask) { return (*(const int *)a & *(int *)mask) - (*(const int *)b & *(int *)mask); }
static int alike(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int sign(int x) { return (x > 0) - (x < 0); }
#define SAME(is_same, what) if (!undecided && !(is_same)) { printf("%s differs: '%s' '%s'\n", what, a, b); exit(1); }
#define AT(p, base) ((p) ? (char *)(p) - (char *)(base) : -1)
int main(void) {
  for (int round = 0; round < 20000; round++) {
    char a[16] = "", b[16] = "", c[16] = "", d[16] = "", e[40] = "", f[40] = "";
    text(a, 12, "aBbA/."), text(b, 4, "aBbA"), text(c, 12, "aBbA/.");
    size_t n = strlen(a), k = strlen(b);
    undecided = 0;
    SAME(memrchr(a, 'b', n) == m_memrchr(a, 'b', n), "memrchr")
    SAME(memmem(a, n, b, k) == m_memmem(a, n, b, k), "memmem")
    SAME(strcasestr(a, b) == m_strcasestr(a, b), "strcasestr")
    SAME(sign(strcoll(a, b)) == sign(m_strcoll(a, b)), "strcoll")
    SAME(AT(memccpy(e, a, 'B', 12), e) == AT(m_memccpy(f, a, 'B', 12), f) && !memcmp(e, f, 40), "memccpy")
    SAME(AT(stpncpy(e, a, 9), e) == AT(m_stpncpy(f, a, 9), f) && !memcmp(e, f, 40), "stpncpy")
    SAME(strxfrm(e, a, below(9) + 12) == m_strxfrm(f, a, 20), "strxfrm")
    swab(a, e, n), m_swab(a, f, n);
    SAME(!memcmp(e, f, n & ~1), "swab")
    long number = a64l(a), other = m_a64l(a);
    SAME(number == other, "a64l")
    undecided = 0;
    char *const tokens[] = {"aB", "b", "A", 0}, *x = d, *y = f, *p, *q;
    memset(d, 0, 16), memset(f, 0, 16), text(d, 12, "aBbA=,"), strcpy(f, d);
    int at = getsubopt(&x, tokens, &p), there = m_getsubopt(&y, tokens, &q);
    SAME(at == there && AT(x, d) == AT(y, f) && (!*d || AT(p, d) == AT(q, f)) && !memcmp(d, f, 12), "getsubopt")
    SAME(basename(a) == m_basename(a), "basename")
    strcpy(d, a), strcpy(f, a);
    p = __xpg_basename(d), q = m___xpg_basename(f);
    SAME(!strcmp(p, q), "__xpg_basename")
    undecided = 0, strcpy(d, a), strcpy(f, a);
    p = dirname(d), q = m_dirname(f);
    SAME(!strcmp(p, q), "dirname")
    undecided = 0;
    wchar_t v[12], w[5], *s, *t, copy[12];
    wide(v, 12), wide(w, 5);
    SAME(sign(wcscmp(v, w)) == sign(m_wcscmp(v, w)) && sign(wcsncmp(v, w, 3)) == sign(m_wcsncmp(v, w, 3)), "wcscmp")
    SAME(sign(wmemcmp(v, w, 1)) == sign(m_wmemcmp(v, w, 1)) && wcsrchr(v, 'a') == m_wcsrchr(v, 'a'), "wmemcmp")
    SAME(wmemchr(v, 'a', wcslen(v)) == m_wmemchr(v, 'a', wcslen(v)) && wcsstr(v, w) == m_wcsstr(v, w), "wcsstr")
    SAME(wcsspn(v, w) == m_wcsspn(v, w) && wcscspn(v, w) == m_wcscspn(v, w) && wcspbrk(v, w) == m_wcspbrk(v, w), "wcsspn")
    SAME(wcsnlen(v, 5) == m_wcsnlen(v, 5), "wcsnlen")
    wcscpy(copy, v);
    wchar_t *g = wcstok(v, w, &s), *h = m_wcstok(copy, w, &t);
    while (g || h) {
      SAME(AT(g, v) == AT(h, copy) && !memcmp(v, copy, 4), "wcstok")
      g = wcstok(0, w, &s), h = m_wcstok(0, w, &t);
    }
    int items[10] = {0}, others[10] = {0}, mask = 3, key = below(5);
    for (int i = 0; i < 9; i++) items[i] = others[i] = below(64);
    qsort_r(items, 8, sizeof mask, order, &mask), m_qsort_r(others, 8, sizeof mask, order, &mask);
    SAME(!memcmp(items, others, sizeof items), "qsort_r")
    size_t count = 8, more = 8;
    at = AT(lsearch(&key, items, &count, sizeof key, alike), items), there = AT(m_lsearch(&key, others, &more, sizeof key, alike), others);
    SAME(at == there && count == more && !memcmp(items, others, sizeof items), "lsearch")
    unsigned seed = state, same_seed = seed;
    SAME(rand_r(&seed) == m_rand_r(&same_seed) && seed == same_seed, "rand_r")
    struct in_addr address = {seed}; struct m_in_addr same_address = {seed};
    SAME(!strcmp(inet_ntoa(address), m_inet_ntoa(same_address)), "inet_ntoa")
  }
  for (unsigned c = 0; c < 300; c++) {
    char *a = "", *b = "";
#define KIND(name) SAME(!name(c) == !m_##name(c), #name)
    KIND(iswdigit) KIND(iswlower) KIND(iswupper) KIND(iswalpha) KIND(iswalnum) KIND(iswblank) KIND(iswcntrl) KIND(iswgraph)
    KIND(iswprint) KIND(iswpunct) KIND(iswspace) KIND(iswxdigit) KIND(isascii)
    SAME(towlower(c) == m_towlower(c) && towupper(c) == m_towupper(c), "towupper")
  }
  return 0;
}
int toascii(int c);
int isascii(int c);
"#;

#[test]
fn what_is_computed_is_what_glibc_computes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/c/src/library/models/");
    let files = ["text/bytes.c", "text/wide.c", "blocks.c", "system/paths.c", "system/hosts.c"];
    let file = |name| fs::read_to_string(format!("{folder}{name}")).expect("a model");
    let models: String = files.into_iter().map(file).collect();
    let of_names =
        |make: fn(&str) -> String| NAMES.split_whitespace().map(make).collect::<String>();
    let before = of_names(|name| format!("#undef {name}\n#define {name} m_{name}\n"));
    let behind = of_names(|name| format!("#undef {name}\n"));
    let models = models.replace("hardbop_size", "size_t");
    runs_through(&format!("{START}{before}{models}{behind}{DRIVER}"), &[]);
}

const HEAD: &str = "typedef unsigned long size_t; typedef struct file FILE; extern FILE *stdin; extern void reach_error(void); size_t strlen(const char *);
char *strerror(int); char *setlocale(int, const char *); char *strcpy(char *, const char *); void free(void *); int puts(const char *);
long getline(char **, size_t *, FILE *); char *getcwd(char *, size_t); char *realpath(const char *, char *); int mkstemp(char *);
int wcscmp(const int *, const int *); int iswalpha(unsigned); int rand_r(unsigned *); void *reallocarray(void *, size_t, size_t);
int posix_memalign(void **, size_t, size_t); char *strcasestr(const char *, const char *); void error(int, int, const char *, ...);
int vprintf(const char *, __builtin_va_list);
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65], domain[65]; }; int uname(struct utsname *);
struct in_addr { unsigned s_addr; }; char *inet_ntoa(struct in_addr); int gethostname(char *, size_t); char *dirname(char *);
struct passwd { char *pw_name, *pw_passwd; unsigned pw_uid, pw_gid; char *pw_gecos, *pw_dir, *pw_shell; }; struct passwd *getpwnam(const char *);
struct dirent { unsigned long d_ino; long d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; }; struct __dirstream *opendir(const char *);
struct dirent *readdir(void *); int closedir(void *); struct stat { long size, other[17]; }; int stat(const char *, struct stat *); int fork(void);
void *malloc(size_t); void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
static int order(const void *a, const void *b, void *c) { return *(const int *)a - *(const int *)b; }
";

/// Bodies of `main` with `@` for what holds, and what makes that false.  Accesses are looked into.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("char *s = strerror(5); @", "s != 0 && s[0] != 0", "s[0] == 'x'"),
    ("char *s = setlocale(6, 0); @", "s[0] == 'C' && !s[1]", "s[0] != 'C'"),
    ("char *s = setlocale(6, \"\"); @", "!s || s[0]", "s"),
    (
        "char *line = 0; size_t n = 0; long k = getline(&line, &n, stdin); if (k < 0) return 0; @ free(line);",
        "line[k] == 0 && (size_t)k < n",
        "k != 3",
    ),
    ("char b[64], *p = getcwd(b, 64); @", "!p || *p == '/'", "p != b"),
    ("char *p = realpath(\"a\", 0); @ free(p);", "!p || *p == '/'", "p"),
    ("char t[] = \"aXXXXXX\"; int n = mkstemp(t); @", "n >= -1 && t[0] == 'a'", "t[1] == 'X'"),
    ("@", "wcscmp(L\"a\", L\"b\") < 0", "wcscmp(L\"b\", L\"a\") == 1"),
    ("@", "iswalpha('a') && !iswalpha('1')", "iswalpha('a') == 1"),
    ("unsigned s = 5, t = 5; @", "rand_r(&s) == rand_r(&t) && s == t", "s == rand_r(&t)"),
    (
        "int *p = reallocarray(0, 4, sizeof *p); if (!p) return 0; p[3] = 7; @ free(p);",
        "p[3] == 7",
        "p[3] == 8",
    ),
    ("void *p = 0; int r = posix_memalign(&p, 64, 10); @ free(p);", "r == 0 || r == 12", "r == 22"),
    (
        "const char *s = \"abC\"; @",
        "strcasestr(s, \"bc\") == s + 1",
        "strcasestr(s, \"bd\") == s + 1",
    ),
    ("error(0, 0, \"%d\", 5); @", "1", "0"),
    ("error(1, 0, \"%d\", 5); @", "0", "!(1)"),
    ("struct utsname u; if (uname(&u)) return 0; @", "!u.machine[64]", "!u.machine[63]"),
    (
        "struct in_addr a = {0x0100007f}; char *s = inet_ntoa(a); @",
        "s[0] == '1' && s[8] == '1' && !s[9]",
        "s[0] == '2'",
    ),
    ("char b[70]; int k = gethostname(b, 70); @", "k == 0 || k == -1", "k == 0"),
    (
        "struct passwd *p = getpwnam(\"ab\"); if (!p) return 0; @",
        "p->pw_name[1] == 'b' && p->pw_dir",
        "p->pw_uid == 0",
    ),
    (
        "int a[] = {3, 1, 2}; qsort_r(a, 3, sizeof *a, order, 0); @",
        "a[0] == 1 && a[2] == 3",
        "a[0] == 3",
    ),
    ("char t[] = \"/a/b\"; char *p = dirname(t); @", "p[1] == 'a' && !p[2]", "p[2] == '/'"),
    ("int n = fork(); @", "n >= -1 && n + 1 >= 0", "n"),
    ("struct stat s; if (stat(\"a\", &s)) return 0; @", "sizeof s > 100", "sizeof s < 100"),
];

/// Accesses that are errors.
const WRONG: &[&str] = &[
    "char b[100]; getcwd(b, 200);",
    "char b[100]; realpath(\"a\", b);",
    "puts(getpwnam(\"a\")->pw_dir);",
    "char b[60]; gethostname(b, 70);",
    "wcscmp(L\"a\", 0);",
    "strcasestr(0, \"a\");",
    "readdir(opendir(\"a\"));",
    "closedir(0);",
    "char n[8]; void *d = opendir(\"a\"); if (!d) return 0; struct dirent *e = readdir(d); if (e) strcpy(n, e->d_name);",
    "stat(\"a\", 0);",
    "char t[] = {'a'}; struct stat s; stat(t, &s);",
    "struct stat *s = malloc(8); stat(\"a\", s);",
];

fn verdict(body: &str) -> (&'static str, String) {
    verdict_of(body, &[Check::Bounds, Check::Null])
}

fn verdict_of(body: &str, checks: &[Check]) -> (&'static str, String) {
    let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
    let property = Property { checks: Checks::of(checks), ..Property::default() };
    let options =
        ParseOptions { model: Some(DataModel::Lp64), property, ..ParseOptions::default() };
    let flow = on_large_stack(|| parse(Source::new("p.c", &text), &options)).expect("a thread");
    let flow = flow.unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
    (found, format!("{text}{more}"))
}

#[test]
fn programs_that_call_them_are_decided() {
    for (body, right, wrong) in PROGRAMS {
        for (condition, expected) in [(right, "safe"), (wrong, "unsafe")] {
            // A program that 'error' ends reaches nothing.
            let expected = if body.starts_with("error(1") { "safe" } else { expected };
            let (found, more) =
                verdict(&body.replace('@', &format!("if (!({condition})) reach_error();")));
            assert_eq!(found, expected, "{more}");
        }
    }
    for body in WRONG {
        let (found, more) = verdict(body);
        assert_eq!(found, "unsafe", "{more}");
    }
}

/// The program frees the blocks that these functions hand over, once, and not what `getenv` returns; what stands in the
/// environment is not known.
#[test]
fn blocks_of_the_library_are_the_program_s() {
    for (body, expected) in [
        ("char *l = 0; size_t n = 0; getline(&l, &n, stdin); free(l); free(l);", "unsafe"),
        ("char *p = realpath(\"a\", 0); free(p);", "safe"),
        ("char *p = realpath(\"a\", 0); free(p); free(p);", "unsafe"),
        ("free(reallocarray(0, 4, 4));", "safe"),
        ("char *getenv(const char *); free(getenv(\"A\"));", "unsafe"),
        ("char *get_current_dir_name(void); free(get_current_dir_name());", "unknown"),
    ] {
        let (found, more) = verdict_of(body, &[Check::Free]);
        assert_eq!(found, expected, "{more}");
    }
    // Blocks of any size may be too much for a proof, but are no error.
    for calls in ["getline(&l, &n, stdin);", "while (getline(&l, &n, stdin) > 0) ;"] {
        let lines = format!("char *l = 0; size_t n = 0; {calls} free(l);");
        let (found, more) = verdict_of(&lines, &[Check::Free]);
        assert_ne!(found, "unsafe", "{more}");
    }
    let walk = "extern char **environ; for (char **e = environ; *e; e++) puts(*e);";
    let (found, more) = verdict(walk);
    assert_eq!(found, "unknown", "{more}");
    assert!(more.contains("the texts of 'environ'"), "{more}");
}

/// What may be null, and what a call leaves behind where it fails.
#[test]
fn nothing_is_an_answer() {
    let null = "long times(void *); times(0);";
    let (found, more) = verdict_of(null, &[Check::Bounds, Check::Null]);
    assert_eq!(found, "safe", "{more}");
    let failed = "char *l = 0; size_t n = 0; if (getline(&l, &n, stdin) < 0 && l) reach_error();";
    let (found, more) = verdict_of(failed, &[Check::Bounds]);
    assert_eq!(found, "unsafe", "{more}");
    let wild = "int *getter(void); free(getter());";
    let (found, more) = verdict_of(wild, &[Check::Free]);
    assert_eq!(found, "unknown", "{more}");
    let (found, more) = verdict_of("free((void *)16);", &[Check::Free]);
    assert_ne!(found, "safe", "{more}");
}

/// Entries have names without '/', and are there until their directory is closed.
#[test]
fn directories_have_entries() {
    let checks = [Check::Bounds, Check::Null, Check::Lifetime];
    let open = "void *d = opendir(\"a\"); if (!d) return 0; struct dirent *e = readdir(d);";
    for (rest, is_error) in [
        ("closedir(d); closedir(d);", true),
        ("closedir(d); if (e) puts(e->d_name);", true),
        ("if (e && e->d_name[0] == '.') reach_error();", true),
        ("if (e && (!e->d_name[0] || e->d_name[0] == '/')) reach_error();", false),
        ("if (e && e->d_name[1] == '/') reach_error();", false),
        ("if (e && (e->d_reclen < 24 || e->d_type > 14)) reach_error();", false),
        ("if (e) puts(e->d_name); closedir(d);", false),
    ] {
        let (found, more) = verdict_of(&format!("{open} {rest}"), &checks);
        assert_eq!(found == "unsafe", is_error, "{more}");
    }
}

/// glibc's header has a body around `error` that hands its arguments on.
#[test]
fn bodies_of_headers_are_not_the_functions() {
    let inline = "extern __inline __attribute__((__always_inline__)) __attribute__((__gnu_inline__)) void error(int s, int n, const char *f, ...) \
        { if (__builtin_constant_p(s) && s) reach_error(); error_alias(s, n, f, __builtin_va_arg_pack()); }";
    let text = format!(
        "{HEAD} extern void error_alias(int, int, const char *, ...) __asm__(\"error\"); {inline} int main(void) {{ error(2, 0, \"x\"); reach_error(); return 0; }}"
    );
    let flow = crate::support::c::flow("p.c", &text, DataModel::Lp64);
    let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
    assert_eq!(found, "safe", "{more}");
}
