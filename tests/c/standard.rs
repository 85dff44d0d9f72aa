//! Functions of the C library and gcc's built-ins: gcc runs a program, and the verdict agrees.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::library::find;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, check};

use crate::support::c::analysis_only;

/// What is asked of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Must {
    /// It is the right one.
    Decide,
    /// It is the right one, or UNKNOWN.
    NotErr,
}

const HEADERS: [&str; 9] =
    ["errno", "ctype", "string", "strings", "stdlib", "stdio", "math", "time", "wchar"];

/// Statements of `main`, and when the error is then reached.
const FRAGMENTS: &[(Must, &str, &str)] = &[
    (Must::Decide, "int c = 'x';", "(isdigit)(c) && !(isdigit)(c)"),
    (Must::Decide, "int c = 'x';", "!(isxdigit)(c) && (islower)(c) != 0"),
    (Must::NotErr, "int c = 'x';", "(isalpha)(c) == 7"),
    (Must::Decide, "int c = ' ';", "isspace(c) && !isalnum(c)"),
    (
        Must::Decide,
        "errno = 0; long c = strtol(\"99999999999999999999\", 0, 10);",
        "c == 9223372036854775807 && errno == 34",
    ),
    (Must::NotErr, "errno = 0; printf(\"x\");", "errno == 0"),
    (Must::Decide, "char *e; long c = strtol(\"zz!\", &e, 36);", "c == 1295 && *e == '!'"),
    (Must::Decide, "const char *s = \"x\"; char *e; strtol(s, &e, 10);", "e == s"),
    (Must::NotErr, "", "strcasecmp(\"c\", \"a\") == 1"),
    (Must::Decide, "", "strcasecmp(\"c\", \"a\") > 0"),
    (Must::Decide, "snprintf(0, 0, \"%d\", 5); time(0);", "1"),
    (
        Must::Decide,
        "char b[8]; __builtin___memset_chk(b, 1, 8, __builtin_object_size(b, 0)); \
         __builtin___strcpy_chk(b, \"ab\", __builtin_object_size(b, 0));",
        "b[1] != 'b' || b[2] || b[7] != 1",
    ),
    (
        Must::Decide,
        "char b[8]; int n = __builtin___sprintf_chk(b, 1, __builtin_object_size(b, 0), \"%c\", 'x'); __builtin___printf_chk(1, \"%s\", b);",
        "n != 1 || b[0] != 'x' || b[1]",
    ),
    (
        Must::Decide,
        "int a[5], x = 1, y = 2; __builtin_choose_expr(1, x, y) = 7; int *p = &__builtin_choose_expr(0, x, y); *p = 9;",
        "x != 7 || y != 9 || sizeof(__builtin_choose_expr(1, a, x)) != 20 || sizeof(__builtin_choose_expr(1, \"abcd\", 0)) != 5",
    ),
    (
        Must::NotErr,
        "long l = 0; sscanf(\"9223372036854775808\", \"%ld\", &l);",
        "l == (long)(1ul << 63)",
    ),
    (
        Must::Decide,
        "int x = 5, *p = __builtin_assume_aligned(&x, 4), k = 0; p = __builtin_assume_aligned(p, 8, k++);",
        "*p != 5 || __builtin_speculation_safe_value(x) != 5",
    ),
    (Must::Decide, "int r; int o = __builtin_add_overflow(1L << 40, 1L, &r);", "!o || r != 1"),
    (
        Must::Decide,
        "unsigned long r; int o = __builtin_usubl_overflow(1, 2, &r);",
        "o && r + 1 == 0",
    ),
    (
        Must::Decide,
        "int x = 1, e = 1; int o = __atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5);",
        "o && x == 7",
    ),
    (Must::NotErr, "errno = 0;", "errno != 0"),
    (Must::NotErr, "errno = 3;", "errno == 3"),
    (Must::NotErr, "int c = '5';", "!isdigit(c)"),
    (Must::NotErr, "int c = 'x';", "isdigit(c) && !isdigit(c)"),
    (Must::Decide, "int c = 'x';", "isalpha(c)"),
    (Must::NotErr, "int c = 'x';", "isalpha(c) == 1"),
    (Must::Decide, "int c = toupper('a');", "c != 'A'"),
    (Must::Decide, "int c = toupper('a');", "c == 'A'"),
    (Must::Decide, "int c = tolower('Z');", "c == 'z'"),
    (Must::Decide, "int c = toupper(-5);", "c == 251"),
    (Must::Decide, "int c = tolower(-129) + 2 * tolower(-1);", "c == -131"),
    (Must::Decide, "double d = 0x1p-1074;", "d * 0x1p1000 == 0x1p-74"),
    (Must::Decide, "double d = 0x1000000000000000000000000000000000000p-1100;", "d == 0x1p-956"),
    (Must::Decide, "double d = 0x1.fffffffffffff8p-1023 - 0x1p-1022;", "d == 0"),
    (Must::Decide, "double d = 0x1.00000000000008p0;", "d == 1"),
    (Must::Decide, "double d = 0x1.000000000000080001p0;", "d > 1"),
    (Must::Decide, "float f = 0x1.000001p0f; float g = 0x1.0000011p0f;", "f == 1 && g > 1"),
    (
        Must::Decide,
        "double d = 0x1.fffffffffffffp1023; double e = 0x1p1024;",
        "d < e && e == e + e",
    ),
    (Must::Decide, "int c = atoi(\"42\");", "c == 42"),
    (Must::NotErr, "int c = atoi(\"42\");", "c != 42"),
    (Must::Decide, "long c = atol(\" -42x\");", "c == -42"),
    (
        Must::Decide,
        "char *e; const char *s = \"0x1fz\"; long c = strtol(s, &e, 0);",
        "c == 31 && *e == 'z'",
    ),
    (Must::Decide, "char *e; long c = strtol(\"777\", &e, 8);", "c == 511"),
    (Must::Decide, "char *e; unsigned long c = strtoul(\"-1\", &e, 10);", "c == -1UL"),
    (
        Must::Decide,
        "char *e; double d = strtod(\" -1.5e3x\", &e); float f = strtof(\"16777217\", 0);",
        "d == -1500 && *e == 'x' && f == 16777216",
    ),
    (
        Must::Decide,
        "const char *s = \"-.e\"; char *e; double d = strtod(s, &e);",
        "d == 0 && e == s",
    ),
    (Must::Decide, "errno = 0; double d = strtod(\"-1e999\", 0);", "errno == ERANGE && d < -1e308"),
    (Must::Decide, "double d = atof(\"0.1\");", "d == 0.1 && atof(\"nan\") != atof(\"nan\")"),
    (Must::NotErr, "char b[9]; sprintf(b, \"%d\", 5);", "b[0] == '6'"),
    (Must::NotErr, "char b[9]; int n = sprintf(b, \"%d\", 5);", "n == 4"),
    (Must::NotErr, "char b[9]; int n = snprintf(b, 9, \"%d\", 5);", "n == 1"),
    (Must::NotErr, "const char *s = \"hello\";", "strstr(s, \"ll\") != s + 2"),
    (Must::Decide, "const char *s = \"hello\";", "strstr(s, \"ll\") == s + 2"),
    (Must::NotErr, "const char *s = \"hello\";", "strchr(s, 'l') != s + 2"),
    (Must::Decide, "const char *s = \"hello\";", "strrchr(s, 'l') == s + 3"),
    (Must::Decide, "char b[9] = \"ab\"; strncat(b, \"cdef\", 2);", "strcmp(b, \"abcd\") == 0"),
    (Must::NotErr, "char b[9] = \"ab\"; strncat(b, \"cdef\", 2);", "b[4] != 0"),
    (Must::Decide, "const char *s = \"hello\";", "memchr(s, 'l', 5) == s + 2"),
    (Must::NotErr, "int n = strspn(\"aab\", \"a\");", "n != 2"),
    (Must::Decide, "int n = strcspn(\"aab\", \"b\");", "n == 2"),
    (Must::Decide, "const char *s = \"hello\";", "strpbrk(s, \"xl\") == s + 2"),
    (Must::Decide, "int n = strnlen(\"hello\", 3);", "n == 3"),
    (Must::Decide, "", "strcasecmp(\"HeLLo\", \"hEllO\") == 0"),
    (Must::NotErr, "", "strncasecmp(\"HeLLo\", \"hElxx\", 3) != 0"),
    (Must::NotErr, "char *p = strdup(\"abc\");", "p[1] == 'b'"),
    (Must::NotErr, "char *p = strndup(\"abc\", 2);", "p[2] != 0"),
    (Must::NotErr, "char b[9] = \"a,b\"; char *p = strtok(b, \",\");", "p == b"),
    (Must::NotErr, "int x = 3; sscanf(\"17\", \"%d\", &x);", "x == 3"),
    (Must::NotErr, "int x = 3; int n = sscanf(\"17\", \"%d\", &x);", "n == 0"),
    (Must::NotErr, "int x = 3; fscanf(stdin, \"%3d\", &x);", "x > 999"),
    (Must::Decide, "time_t t; time_t r = time(&t);", "t != r"),
    (Must::NotErr, "div_t d = div(7, 2);", "d.quot != 3"),
    (Must::NotErr, "const char *p = strerror(2);", "p == 0"),
    (Must::NotErr, "double d = floor(2.5);", "d != 2"),
    (Must::NotErr, "double d = sqrt(4);", "d != 2"),
    (Must::NotErr, "double d = fabs(-1.5);", "d != 1.5"),
    (Must::NotErr, "double d = nan(\"\");", "d == d"),
    (Must::NotErr, "double i; double f = modf(2.5, &i);", "i != 2"),
    (Must::NotErr, "int r = rand();", "r < 0"),
    (Must::NotErr, "int r = getchar();", "r > 255"),
    (Must::NotErr, "int r = getc(stdin);", "r < -1"),
    (Must::Decide, "int x = 5;", "__builtin_expect(x == 5, 1) == 0"),
    (Must::Decide, "unsigned x = 0xF0;", "__builtin_clz(x) != 24"),
    (Must::Decide, "unsigned x = 0xF0;", "__builtin_ctz(x) != 4"),
    (Must::Decide, "unsigned x = 0xF0;", "__builtin_popcount(x) != 4"),
    (Must::Decide, "unsigned long x = 0xF0F0F0F0F0F0F0F0UL;", "__builtin_popcountl(x) == 32"),
    (Must::Decide, "unsigned long x = 1;", "__builtin_clzll(x) == 63"),
    (Must::Decide, "unsigned short x = 0x1234;", "__builtin_bswap16(x) != 0x3412"),
    (Must::Decide, "unsigned x = 0x12345678;", "__builtin_bswap32(x) != 0x78563412"),
    (
        Must::Decide,
        "unsigned long x = 0x123456789abcdef0UL;",
        "__builtin_bswap64(x) != 0xf0debc9a78563412UL",
    ),
    (Must::Decide, "int r; int o = __builtin_add_overflow(2147483647, 1, &r);", "!o"),
    (
        Must::Decide,
        "int r; int o = __builtin_add_overflow(2147483646, 1, &r);",
        "o == 0 && r == 2147483647",
    ),
    (
        Must::Decide,
        "int r; int o = __builtin_sub_overflow(-2147483647, 2, &r);",
        "o && r == 2147483647",
    ),
    (Must::Decide, "int r; int o = __builtin_mul_overflow(65536, 65536, &r);", "o && r == 0"),
    (
        Must::Decide,
        "unsigned char r; int o = __builtin_add_overflow(200, 55, &r);",
        "!o && r == 255",
    ),
    (Must::Decide, "long r; int o = __builtin_mul_overflow(1L << 62, 2L, &r);", "o"),
    (Must::Decide, "long r; int o = __builtin_add_overflow(1L << 62, 2L, &r);", "!o && r > 0"),
    (Must::Decide, "unsigned long r; int o = __builtin_mul_overflow(1UL << 63, 2UL, &r);", "!o"),
    (Must::Decide, "", "__builtin_parity(7) != 1"),
    (Must::Decide, "", "__builtin_ffs(8) != 4"),
    (Must::Decide, "", "__builtin_ffs(0) != 0"),
    (Must::Decide, "int x = 1; int o = __sync_fetch_and_add(&x, 5);", "o != 1 || x != 6"),
    (Must::Decide, "int x = 1; int o = __sync_add_and_fetch(&x, 5);", "o == 6"),
    (Must::Decide, "int x = 1; int o = __sync_bool_compare_and_swap(&x, 1, 9);", "!o || x != 9"),
    (Must::Decide, "int x = 1; int o = __sync_val_compare_and_swap(&x, 2, 9);", "o == 1 && x == 1"),
    (
        Must::Decide,
        "int x = 1; int o = __sync_lock_test_and_set(&x, 5); __sync_lock_release(&x);",
        "o != 1 || x != 0",
    ),
    (
        Must::Decide,
        "long x = 1; long o = __atomic_fetch_sub(&x, 5, __ATOMIC_SEQ_CST);",
        "o != 1 || x != -4",
    ),
    (Must::Decide, "int x = 1; __atomic_store_n(&x, 7, 5);", "__atomic_load_n(&x, 5) == 7"),
    (
        Must::Decide,
        "int x = 1, e = 2; int o = __atomic_compare_exchange_n(&x, &e, 7, 0, 5, 5);",
        "o || e != 1",
    ),
    (Must::Decide, "int x = 1; int o = __atomic_exchange_n(&x, 7, 5);", "o == 1 && x == 7"),
    (Must::Decide, "int x = 6; int o = __atomic_nand_fetch(&x, 3, 5);", "o != ~2"),
    (Must::Decide, "char *p = \"abc\"; __sync_synchronize();", "p[0] == 'a'"),
];

/// The text with its headers included, and whether the error is reached; `None` without gcc.
fn truth(statements: &str, condition: &str) -> Option<(String, bool)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    let headers: String = HEADERS.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    let text = format!(
        "{headers}void reach_error(void);\nint main(void) {{ {statements} if ({condition}) reach_error(); return 0; }}\n"
    );
    let body = format!("{text}void reach_error(void) {{ exit(1); }}\n");
    fs::write(&file, body).expect("it can be written");
    let compiled =
        Command::new("gcc").args(["-w", "-m64", "-o"]).args([&program, &file]).arg("-lm").status();
    if !compiled.ok()?.success() {
        return None;
    }
    let run = Command::new(&program).stdin(Stdio::null()).status().expect("it runs");
    fs::write(&file, text).expect("it can be written");
    let read = Command::new("gcc").args(["-E", "-P", "-m64"]).arg(&file).output().ok()?;
    Some((String::from_utf8(read.stdout).ok()?, run.code() == Some(1)))
}

/// Whether the error is found (`Some(true)`), or that it cannot be reached.
fn verdict(text: &str) -> Option<bool> {
    let options = ParseOptions { model: Some(DataModel::Lp64), ..ParseOptions::default() };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
    on_large_stack(|| {
        let flow =
            parse(Source::new("p.c", text), &options).unwrap_or_else(|d| panic!("{text}: {d:#?}"));
        let found = |options: &Options| {
            let report = check(CProgram::new(&flow), options, &budget, &mut ());
            match report.unwrap_or_else(|e| panic!("{text}: {e}")).outcome {
                Outcome::Safe(_) => Some(false),
                Outcome::Unsafe(_) => Some(true),
                Outcome::Unknown(_) => None,
            }
        };
        // The interpreter alone decides programs without input.
        let (found, proved) = (found(&Options::default()), found(&analysis_only()));
        assert!(proved.is_none() || proved == found, "{text}");
        found
    })
    .expect("a thread")
}

/// The functions of C11's headers, without those for threads, complex numbers and bounds checks.
const STANDARD: &str = "
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
tolower toupper setlocale localeconv acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh
tanh exp exp2 expm1 frexp ilogb ldexp log log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot
pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc
fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma acosf sinl fabsf modff
setjmp longjmp signal raise remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf
fprintf fscanf printf scanf snprintf sprintf sscanf vfprintf vfscanf vprintf vscanf vsnprintf
vsprintf vsscanf fgetc fgets fputc fputs getc getchar putc putchar puts ungetc fread fwrite fgetpos
fseek fsetpos ftell rewind clearerr feof ferror perror atof atoi atol atoll strtod strtof strtold
strtol strtoll strtoul strtoull rand srand aligned_alloc calloc free malloc realloc abort atexit
at_quick_exit exit _Exit getenv quick_exit system bsearch qsort abs labs llabs div ldiv lldiv mblen
mbtowc wctomb mbstowcs wcstombs memcpy memmove strcpy strncpy strcat strncat memcmp strcmp strcoll
strncmp strxfrm memchr strchr strcspn strpbrk strrchr strspn strstr strtok memset strerror strlen
clock difftime mktime time timespec_get asctime ctime gmtime localtime strftime fwprintf fwscanf
swprintf swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wprintf wscanf fgetwc fgetws
fputwc fputws fwide getwc getwchar putwc putwchar ungetwc wcstod wcstof wcstold wcstol wcstoll
wcstoul wcstoull wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp wcscoll wcsncmp wcsxfrm
wmemcmp wcschr wcscspn wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr wcslen wmemset wcsftime btowc
wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs iswalnum iswalpha iswblank iswcntrl iswdigit
iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit iswctype wctype towlower towupper
towctrans wctrans __errno_location __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc
read write open close fork getpid sleep usleep strdup strndup strnlen strcasecmp strncasecmp
pthread_create pthread_join pthread_mutex_lock sem_wait getopt";

/// Built-ins that gcc lacks.
#[test]
fn built_ins_of_clang() {
    let right = [
        "unsigned x = nondet(), n = nondet(); if (__builtin_rotateleft32(x, n) != ((x << (n & 31)) | (x >> (-n & 31)))) reach_error();",
        "unsigned x = nondet(), n = nondet(); if (__builtin_rotateright32(__builtin_rotateleft32(x, n), n) != x) reach_error();",
        "unsigned char c = nondet(); if (__builtin_rotateleft8(c, 11) != (unsigned char)(c << 3 | c >> 5)) reach_error();",
        "if (__builtin_rotateleft16((unsigned short)0x8001, 1) != 3 || __builtin_rotateright64(1, 1) != 1ull << 63) reach_error();",
        "int x = nondet() & 7, y = x; __builtin_nontemporal_store(__builtin_nontemporal_load(&x) + 1, &x); if (x != y + 1) reach_error();",
    ];
    for body in right {
        for (body, expected) in [(body.to_owned(), false), (body.replace(" != ", " == "), true)] {
            let text = format!(
                "void reach_error(void); unsigned nondet(void); int main(void) {{ {body} return 0; }}"
            );
            assert_eq!(verdict(&text), Some(expected), "{body}");
        }
    }
}

#[test]
fn no_standard_function_is_guessed() {
    for name in STANDARD.split_whitespace() {
        let known = find(name).unwrap_or_else(|| panic!("{name} is not in the table"));
        assert!(known.is_modelled(), "{name}");
    }
}

#[test]
fn verdicts_are_those_of_gcc() {
    let mut wrong = Vec::new();
    for &(must, statements, condition) in FRAGMENTS {
        let Some((text, reached)) = truth(statements, condition) else {
            if truth("", "0").is_none() {
                eprintln!("skipped: no gcc with a C library");
                return;
            }
            panic!("gcc refuses {statements} {condition}");
        };
        let found = verdict(&text);
        if found != Some(reached) && (found.is_some() || must == Must::Decide) {
            wrong.push(format!("{statements} if ({condition}): {reached}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
