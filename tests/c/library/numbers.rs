//! Functions of `math.h`: those that are written in C against glibc's on 10,000 random operands, what programs compute
//! against gcc's code, and verdicts over all numbers.

use std::fmt::Write;
use std::fs;
use std::time::Duration;

use hardbop_base::random::Random;
use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::{return_what_gcc_computes, runs_through};
use crate::support::c::{decide, flow};

/// Compares the bits of results; of a NaN only that it is one.
const DRIVER: &str = r#"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned long long state = 7;
static unsigned long long bits(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return state ^ state >> 29;
}
int __VERIFIER_nondet_int(void) { return 0; }
static double number(void) {
  union { unsigned long long bits; double number; } p = {bits()};
  static const double some[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0.5, 5e-324, 1.7976931348623157e308};
  switch (bits() % 4) {
  case 0: return some[bits() % 10];
  case 1: return (double)(bits() % 4096) / 16 - 128;
  case 2: p.bits &= ~(0x7ffULL << 52); return p.number;
  default: return p.number;
  }
}
static float single(void) {
  union { unsigned bits; float number; } p = {(unsigned)bits()};
  static const float some[] = {0.0f, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 0.5f, 1e-45f, 3.4028234e38f};
  switch (bits() % 4) {
  case 0: return some[bits() % 10];
  case 1: return (float)(bits() % 4096) / 16 - 128;
  case 2: p.bits &= ~(0xffU << 23); return p.number;
  default: return p.number;
  }
}
#define SAME(a, b) if (!((a) == (b) && !signbit(a) == !signbit(b)) && !(isnan(a) && isnan(b))) { \
  printf("%s: %a, %a of %a, %a, %d\n", #b, (double)(a), (double)(b), (double)x, (double)y, n); exit(1); }
#define TRY(T, F, draw) { \
  T x = draw(), y = draw(), whole, part; \
  int n = bits() % 2 ? (int)(bits() % 5000) - 2500 : (int)(bits() % 100) - 50, e, k; \
  SAME(frexp##F(x, &e), m_frexp##F(x, &k)) SAME((T)e, (T)k) \
  SAME(scalbn##F(x, n), m_scalbn##F(x, n)) SAME(ldexp##F(x, n), m_ldexp##F(x, n)) \
  SAME(scalbln##F(x, n * 1000000L), m_scalbln##F(x, n * 1000000L)) \
  SAME(modf##F(x, &whole), m_modf##F(x, &part)) SAME(whole, part) \
  SAME((T)ilogb##F(x), (T)m_ilogb##F(x)) SAME(logb##F(x), m_logb##F(x)) \
  SAME(nextafter##F(x, y), m_nextafter##F(x, y)) \
  whole = remquo##F(x, y, &e), part = m_remquo##F(x, y, &k); \
  /* The sign of 0 is that of glibc's remainder, which differs. */ \
  if (whole != 0) { SAME(whole, part) } else { SAME((T)0, part + (T)0) } \
  if (isfinite(x) && !isnan(y) && y != 0) SAME((T)e, (T)k) }
int main(void) {
  for (int round = 0; round < 10000; round++) {
    TRY(double, , number)
    TRY(float, f, single)
  }
  return 0;
}
"#;

/// The words of the file, for both formats, as the program has them.
const FORMATS: [[(&str, &str); 5]; 2] = [
    [
        ("number", "double"),
        ("pattern", "unsigned long long"),
        ("digits", "52"),
        ("bias", "1023"),
        ("exponents", "2047"),
    ],
    [
        ("number", "float"),
        ("pattern", "unsigned"),
        ("digits", "23"),
        ("bias", "127"),
        ("exponents", "255"),
    ],
];

#[test]
fn models_do_what_glibc_does() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/c/src/library/models/numbers.c");
    let model = fs::read_to_string(file).expect("a model");
    let own = "frexp scalbln scalbn ldexp modf ilogb logb nextafter remquo";
    let mut text = String::from("#include <math.h>\n");
    for (words, suffix) in FORMATS.iter().zip(["", "f"]) {
        for name in own.split(' ') {
            let _ = writeln!(text, "#define {name}{suffix} m_{name}{suffix}");
        }
        let of_format = words.iter().fold(model.clone(), |text, (word, what)| {
            text.replace(&format!("hardbop_{word}"), what)
        });
        text.push_str(&of_format.replace("_real", suffix));
        for name in own.split(' ') {
            let _ = writeln!(text, "#undef {name}{suffix}");
        }
    }
    runs_through(&(text + DRIVER), &["-fno-builtin"]);
}

const ONE: &str =
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh cbrt logb";
const TWO: &str = "atan2 hypot pow fmod remainder fdim nextafter";

const START: &str = "void *memcpy(void *, const void *, unsigned long); double nondet_double(void); float nondet_float(void);
    int nondet_int(void); extern void reach_error(void); double fabs(double); float fabsf(float); int isnan(double);
    double frexp(double, int *); double modf(double, double *); double ldexp(double, int); double fma(double, double, double);
    float fmaf(float, float, float); float sinf(float); float ldexpf(float, int); double remquo(double, double, int *);
    static unsigned long long bits(double d) { unsigned long long x; memcpy(&x, &d, 8); return x; }
";

fn start() -> String {
    let mut text = START.to_owned();
    for name in ONE.split(' ') {
        let _ = writeln!(text, "double {name}(double); float {name}f(float);");
    }
    for name in TWO.split(' ') {
        let _ = writeln!(text, "double {name}(double, double); float {name}f(float, float);");
    }
    text
}

/// Functions of which all digits are known.
const EXACT: [&str; 6] = ["fmod", "remainder", "fdim", "nextafter", "logb", "fma"];

#[test]
fn programs_compute_what_glibc_does() {
    let mut random = Random::new(7);
    let (mut text, mut made) = (String::new(), 0);
    for round in 0..1 {
        let mut number = || random.below(2_000_000) as f64 / 1_000_000.0;
        for suffix in ["", "f"] {
            let mut calls: Vec<String> = Vec::new();
            let (x, y, z) = (number(), number(), number());
            calls.extend(ONE.split(' ').map(|name| format!("{name}{suffix}({x})")));
            calls.extend(TWO.split(' ').map(|name| format!("{name}{suffix}({x}, {y})")));
            calls.push(format!("fma{suffix}({x}, {y}, -{z})"));
            calls.push(format!("ldexp{suffix}({x}, {})", round * 9 - 20));
            for call in calls {
                let is_exact =
                    EXACT.iter().any(|name| call.starts_with(name)) || call.starts_with("ldexp");
                let value = if is_exact {
                    "bits(d + 0)"
                } else {
                    "(unsigned long long)(long long)(d * 16)"
                };
                let _ = writeln!(
                    text,
                    "unsigned long long f{made}(void) {{ double d = {call}; return isnan(d) ? 1 : {value}; }}"
                );
                made += 1;
            }
        }
    }
    return_what_gcc_computes(&start(), &text, made, &["-fno-builtin"]);
}

/// Bodies of `main` over `double x, y; float f; int n;` with `@` for what holds, and what makes that false.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "if (x != x || x - x != 0) return 0; double s = sin(x); @",
        "-1 <= s && s <= 1",
        "0 <= s && s <= 1",
    ),
    ("if (x >= 0) { double e = exp(x); @ }", "e >= 1", "e > 1"),
    ("if (x >= 1) { double e = log(x); @ }", "e >= 0", "e < 2"),
    ("if (f > -1 && f < 1) { float s = sinf(f); @ }", "s <= 1", "s <= 0.5f"),
    ("if (x == x) { double a = atan2(x, 1); @ }", "a < 3.2", "a >= 0"),
    (
        "if (y > 1 && y < 100 && fabs(x) < 1e6) { double r = fmod(x, y); @ }",
        "fabs(r) < y",
        "fabs(r) < 1",
    ),
    (
        "if (y > 1 && y < 100 && fabs(x) < 1e6) { double r = remainder(x, y); @ }",
        "fabs(r) <= y / 2",
        "r >= 0",
    ),
    ("double l = log(x); @", "x >= 0 || isnan(l)", "!isnan(l)"),
    ("double r = acos(1); @", "r == 0", "r > 0"),
    ("double r = cos(0.5); @", "r > 0.8775825618 && r < 0.8775825619", "r > 0.8775825619"),
    ("double d = fdim(x, y); @", "d >= 0 || isnan(d)", "d > 0 || isnan(d)"),
    ("double p = pow(x, 0); @", "p == 1 || isnan(x)", "p != 1"),
    ("if (x >= 1 && x < 2) { int e; double m = frexp(x, &e); @ }", "e == 1 && m < 1", "m < 0.9"),
    ("if (fabs(x) < 1000) { double w, p = modf(x, &w); @ }", "fabs(p) < 1", "w <= 998"),
    ("if (n >= 0 && n < 4) { double d = ldexp(3, n); @ }", "d <= 24 && d >= 3", "d < 24"),
    ("if (x > 1 && x < 2) { double d = nextafter(x, 3); @ }", "d > x", "d < 1.5"),
    ("int q; remquo(7, 2, &q); @", "q == 4 || q == 3", "q == 3"),
    (
        "if (x > 0 && x < 1e9) { double h = hypot(x, y); @ }",
        "h >= 0 || isnan(h)",
        "h > 3 || isnan(h)",
    ),
];

#[test]
fn verdicts_over_all_numbers() {
    for (body, holds, fails) in PROGRAMS {
        let with = |what: &str| {
            let asked = format!("if (!({what})) reach_error();");
            let start = start();
            format!(
                "{start} int main(void) {{ double x = nondet_double(), y = nondet_double(); float f = nondet_float();
                 int n = nondet_int(); {} return 0; }}",
                body.replace('@', &asked)
            )
        };
        for (what, executions, expected) in
            [(holds, 0, "safe"), (holds, 2000, "safe"), (fails, 2000, "unsafe")]
        {
            let flow = flow("p.c", &with(what), DataModel::Lp64);
            let options = Options { executions, ..Options::default() };
            let (verdict, more) = decide(&flow, &options, Duration::from_secs(120));
            assert_eq!(verdict, expected, "{body} {what}: {more}");
        }
    }
}

/// Built-ins of gcc 14 that take numbers of any type, and what is the result for 0, from its documentation.
#[test]
fn bits_of_any_type_are_counted() {
    for (condition, expected) in [
        (
            "__builtin_clzs(0x0100) == 7 && __builtin_ctzs(0x0100) == 8 && __builtin_clzs(0x10001) == 15",
            "safe",
        ),
        ("__builtin_clzg((unsigned short)1) == 15 && __builtin_clzg(1ul) == 63", "safe"),
        ("__builtin_ctzg((unsigned char)0, -1) == -1 && __builtin_ctzg(4u, 9) == 2", "safe"),
        ("__builtin_popcountg((unsigned char)255) == 8", "safe"),
        ("u ? __builtin_clzg(u, 50) < 32 : __builtin_clzg(u, 50) == 50", "safe"),
        ("__builtin_clzg(u, 50) != 50", "unsafe"),
        // Without that, there is no result for 0; and the number has no sign.
        ("__builtin_clzg(u) < 32", "unknown"),
        ("__builtin_popcountg(5) == 2", "unknown"),
    ] {
        let text = format!(
            "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
             int main(void) {{ unsigned u = __VERIFIER_nondet_uint(); if (!({condition})) reach_error(); return 0; }}"
        );
        let flow = flow("p.c", &text, DataModel::Lp64);
        let (found, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
        assert_eq!(found, expected, "{text}{more}");
    }
}
