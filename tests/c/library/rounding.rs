//! Programs that set the direction of rounding: what they compute is what gcc's code does, and verdicts over all numbers.

use std::fmt::Write;
use std::time::Duration;

use hardbop_base::random::Random;
use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::{are_decided, return_what_gcc_computes};
use crate::support::c::{decide, flow};

const START: &str = "int fesetround(int); int fegetround(void); double rint(double); double sqrt(double); float sqrtf(float);
    double roundeven(double); long lrint(double); double ceil(double); double floor(double); int isnan(double); int isinf(double);
    int nondet_int(void); float nondet_float(void); double nondet_double(void); extern void reach_error(void);
    void *memcpy(void *, const void *, unsigned long);
    static unsigned long long bits(double d) { unsigned long long x; memcpy(&x, &d, 8); return x; }
";
const MODES: [&str; 4] = ["0", "0x400", "0x800", "0xc00"];

/// Expressions over `double x, y; float f, g; long n; unsigned u;`.
const EXPRESSIONS: [&str; 18] = [
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "f + g",
    "f - g",
    "f * g",
    "f / g",
    "(float)x",
    "(float)n",
    "(double)n",
    "(float)u",
    "sqrt(x)",
    "sqrtf(f)",
    "rint(y)",
    "roundeven(y)",
    "lrint(y)",
    "(x + f) * (y - g)",
];

/// A function that sets the operands and returns the bits of the value, which is no NaN.
fn functions(random: &mut Random, count: usize) -> (String, usize) {
    let mut text = String::new();
    let mut made = 0;
    for _ in 0..count {
        let mut number = |bits: u32, least: i64, most: i64| {
            let sign = if random.bits() & 1 == 0 { "" } else { "-" };
            let exponent = least + random.below((most - least) as usize) as i64;
            format!(
                "{sign}0x1.{:013x}p{exponent}",
                random.bits() >> 12 >> (52 - bits) << (52 - bits)
            )
        };
        let [x, y] = [number(52, -30, 30), number(52, -2, 3)];
        let [f, g] = [number(23, -148, 127), number(23, -4, 4)];
        let (n, u) = (random.bits() as i64 >> random.below(40), random.bits() as u32);
        for mode in MODES {
            for expression in EXPRESSIONS {
                let _ = writeln!(
                    text,
                    "unsigned long long f{made}(void) {{ volatile double x = {x}, y = {y}; volatile float f = {f}f, g = {g}f; \
                     volatile long n = {n}L; volatile unsigned u = {u}u; fesetround({mode}); double r = {expression}; \
                     return r == r ? bits(r) : 1; }}"
                );
                made += 1;
            }
        }
    }
    (text, made)
}

#[test]
fn results_are_those_of_the_processor() {
    let (functions, made) = functions(&mut Random::new(11), 6);
    return_what_gcc_computes(START, &functions, made, &["-fno-builtin"]);
}

/// Each with an unsafe part and the safe one that is in the text.
const TWINS: &[(&str, &str, &str)] = &[
    (
        "d + 1 != e",
        "rint(d) != ceil(d)",
        "double d = nondet_double(), e = ceil(d); if (isnan(d) || isinf(d)) return 0; int old = fegetround(); fesetround(0x800); int wrong = rint(d) != ceil(d); fesetround(old); if (wrong) reach_error();",
    ),
    (
        "low == high",
        "low > high",
        "float a = nondet_float(), b = nondet_float(); if (isnan(a) || isnan(b) || isinf(a) || isinf(b)) return 0; fesetround(0x400); float low = a + b; fesetround(0x800); float high = a + b; if (low > high) reach_error();",
    ),
    // What is lost is lost towards zero.
    (
        "fesetround(0)",
        "fesetround(0xc00)",
        "int n = nondet_int(); if (n < 0) return 0; fesetround(0xc00); if ((double)(float)n > n) reach_error();",
    ),
    (
        "fegetround() == 0x400",
        "fegetround() != 0x400",
        "fesetround(0x400); if (fesetround(3) == 0 || fegetround() != 0x400) reach_error();",
    ),
    (
        "0x400",
        "0x800",
        "double d = nondet_double(); if (isnan(d) || isinf(d)) return 0; fesetround(0x800); double z = d - d; if (1 / z < 0) reach_error();",
    ),
];

#[test]
fn verdicts() {
    for &(unsafe_part, safe_part, text) in TWINS {
        assert!(text.contains(safe_part), "{text}");
        let other = text.replacen(safe_part, unsafe_part, 1);
        let program = |text: &str| format!("{START}int main(void) {{ {text} return 0; }}");
        are_decided((&program(text), &program(&other)));
    }
}

/// What compilers compute beforehand is to nearest; of a square root they do not agree whether it is.
#[test]
fn constants() {
    for (text, expected) in [
        ("float f = 16777217; if (f != 0x1p+24) reach_error();", "safe"),
        ("int n = 16777217; float f = n; if (f != 0x1.000002p+24) reach_error();", "safe"),
        ("if (sqrt(2.0) < 1) reach_error();", "unknown"),
        ("if (sqrt(2.25) != 1.5) reach_error();", "safe"),
    ] {
        let text = format!("{START}int main(void) {{ fesetround(0x800); {text} return 0; }}");
        let flow = flow("p.c", &text, DataModel::Lp64);
        let (verdict, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
        assert_eq!(verdict, expected, "{more}: {text}");
    }
}

/// The mode is not known behind a function that restores an environment.
#[test]
fn environments_are_not_followed() {
    let text = format!(
        "{START}int fesetenv(const void *); int main(void) {{ fesetround(0x400); if (nondet_int()) fesetenv((void *)-1); \
         float f = nondet_float(); if (f + 1 > f + 2 && !isnan(f)) reach_error(); return 0; }}"
    );
    let flow = flow("p.c", &text, DataModel::Lp64);
    let (verdict, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
    assert_eq!(verdict, "unknown", "{more}");
}
