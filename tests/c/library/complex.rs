//! Complex numbers: what operations on them compute is what gcc's code does, and verdicts over all numbers.

use std::fmt::Write;
use std::time::Duration;

use hardbop_base::random::Random;
use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::computed::{are_decided, return_what_gcc_computes};
use crate::support::c::{decide, flow};

const START: &str =
    "int nondet_int(void); float nondet_float(void); double nondet_double(void); extern void reach_error(void);
    double creal(double _Complex); double cimag(double _Complex); double _Complex conj(double _Complex);
    double cabs(double _Complex); double _Complex csqrt(double _Complex); int isnan(double); int isinf(double);
    void *memcpy(void *, const void *, unsigned long); int printf(const char *, ...);
    static unsigned long long bits(double d) { unsigned long long x; memcpy(&x, &d, 8); return x; }
";

/// Expressions over `double _Complex z, w; float _Complex f; double x; int _Complex k; unsigned char _Complex c; int n;`.
const EXPRESSIONS: [&str; 20] = [
    "z + w",
    "z - w",
    "z * w",
    "z / w",
    "x - z",
    "x * z",
    "z / x",
    "x / z",
    "f * f",
    "f / (float _Complex)w",
    "f * x",
    "-z",
    "~f",
    "(int)z + k * (3 - 2i)",
    "c * c - c",
    "n ? z : f",
    "(z == w) + 2.0i",
    "z += x, z *= w",
    "f++ + k--",
    "(__imag__ z = n, __real__ k *= n, z + k)",
];

/// A function that sets the operands and returns a part of the value, as a number of 64 bits.
fn functions(random: &mut Random, count: usize) -> (String, usize) {
    let special = ["0.0", "-0.0", "__builtin_inf()", "-__builtin_inf()", "1e308", "-3e-310", "1.0"];
    let mut text = String::new();
    let mut made = 0;
    for round in 0..count {
        let mut number = |bits: u32| {
            if round % 2 == 1 && random.below(2) == 0 {
                return special[random.below(special.len())].to_owned();
            }
            let sign = if random.bits() & 1 == 0 { "" } else { "-" };
            let exponent = random.below(9);
            let digits = random.bits() >> 12 >> (52 - bits) << (52 - bits);
            format!("{sign}0x1.{digits:013x}p{exponent}")
        };
        let parts: Vec<String> = [52, 52, 52, 52, 23, 23, 52].map(&mut number).into();
        let [a, b, c, d, e, f, x] = &parts[..] else { continue };
        let [k, l, n] = [9, 9, 200].map(|most| random.below(most) as i64 - 4);
        for expression in EXPRESSIONS {
            for part in ["__real__", "__imag__"] {
                let _ = writeln!(
                    text,
                    "unsigned long long f{made}(void) {{ double _Complex z, w; float _Complex f; double x = {x};
                    int _Complex k; unsigned char _Complex c; int n = {n}; __real__ z = {a}; __imag__ z = {b};
                    __real__ w = {c}; __imag__ w = {d}; __real__ f = {e}; __imag__ f = {f}; __real__ k = {k};
                    __imag__ k = {l}; c = {n} + 77i; double r = {part} ({expression});
                    return r != r ? 0x7ff8ull << 48 : bits(r); }}"
                );
                made += 1;
            }
        }
    }
    (text, made)
}

#[test]
fn as_gcc_computes() {
    for seed in 0..2 {
        let (functions, made) = functions(&mut Random::new(seed), 2);
        return_what_gcc_computes(START, &functions, made, &["-fwrapv"]);
    }
}

/// Each with an unsafe part and the safe one that is in the text.
const TWINS: &[(&str, &str, &str)] = &[
    // Parts, and their places.
    (
        "== 5",
        "!= 5",
        "double _Complex z = 3; __imag__ z = nondet_double(); if (__imag__ z == 5 && cimag(z) != 5) reach_error();",
    ),
    ("[0]", "[1]", "double _Complex z = 1 + 2.0i; if (((double *)&z)[1] != 2) reach_error();"),
    (
        "2.0i",
        "2.5i",
        "static double _Complex z = 1.5 + 2.5i; if (z != 1.5 + 2.5i) reach_error(); z = 2.5i; if (z != 2.5i || z == 2.0i) reach_error();",
    ),
    (
        "a.z",
        "b.z",
        "struct s { int k; float _Complex z[2]; } a = { 1, { 2.0fi, 3 } }, b; b = a; a.z[1] = 4; if (b.z[1] != 3 || b.z[0] != 2.0i) reach_error();",
    ),
    (
        "== 16",
        "!= 16",
        "if (sizeof(double _Complex) != 16 || sizeof(_Complex char) != 2 || _Alignof(float _Complex) != 4) reach_error();",
    ),
    (
        "double: 1",
        "double: 0",
        "float _Complex f = 0; if (_Generic(f + 1.0, double _Complex: 0, double: 0, default: 1) || _Generic(1.0, double: 0, default: 1)) reach_error();",
    ),
    // Conditions and conversions: an imaginary part alone makes it true, and is lost.
    (
        "if (!z)",
        "if (z)",
        "int n = nondet_int(); double _Complex z = n * 1.0i; if (n == 0) return 0; if (z) return 0; reach_error();",
    ),
    ("(_Bool)", "(int)", "double _Complex z = 2.0i; if ((int)z) reach_error();"),
    (
        "(z ?: 1)",
        "(z ?: 2)",
        "int n = nondet_int(); int _Complex z = n; if (n == 0 && (z ?: 2) != 2) reach_error();",
    ),
    // Real operands are not converted, so infinities stay alone.
    (
        "z * two",
        "z * 2",
        "double _Complex z, two = 2; __real__ z = 1; __imag__ z = __builtin_inf(); if (isnan(creal(z * 2))) reach_error();",
    ),
    (
        "x * x - x * x",
        "x * x - 1",
        "int x = nondet_int(); if (x < -9 || x > 9) return 0; int _Complex z = x + 1i; if (__real__ (z * z) != x * x - 1) reach_error();",
    ),
    (
        "cimag(z) != -x",
        "cimag(z) != x",
        "double x = nondet_double(); if (!(x > 0)) return 0; double _Complex z = ~(1 - x * 1.0i); if (cimag(z) != x) reach_error();",
    ),
    ("6", "5", "if (cabs(3 + 4.0i) != 5 || cabs(-2.0i) != 2) reach_error();"),
    // A function that takes and returns them, and a pointer to one.
    (
        "*p = conj(*p)",
        "*p = -*p",
        "extern double _Complex turned(double _Complex *p); double _Complex z = 1 + 1.0i; if (turned(&z) != -1 - 1.0i || z != -1 - 1.0i) reach_error();",
    ),
];

#[test]
fn verdicts() {
    for &(unsafe_part, safe_part, text) in TWINS {
        let function = "double _Complex turned(double _Complex *p) { *p = -*p; return *p; }";
        let text = format!("{function} int main(void) {{ {text} return 0; }}");
        assert!(text.contains(safe_part), "{text}");
        let other = text.replace(safe_part, unsafe_part);
        are_decided((&format!("{START}{text}"), &format!("{START}{other}")));
    }
}

/// Where gcc, its library and other compilers do not agree, nothing is decided.
#[test]
fn open_ones_stay_open() {
    for (open, known) in [
        // gcc rounds products of constants once.
        (
            "if ((0.1 + 0.2i) * (0.3 + 0.7i) == 1) reach_error();",
            "if ((1 + 2.0i) * (3 + 4.0i) == 1) reach_error();",
        ),
        // Smith's algorithm makes other quotients of integers than the definition does.
        (
            "int _Complex z = 4 + 2i, w = 1 + 2i; if (__imag__ (z / w) != -2) reach_error();",
            "int _Complex z = 4 + 2i, w = 1 + 1i; if (__imag__ (z / w) != -1) reach_error();",
        ),
        ("if (csqrt(4) != 2) reach_error();", "if (conj(4) != 4) reach_error();"),
        ("if (cabs(1 + 1.0i) < 1) reach_error();", "if (cabs(1) < 1) reach_error();"),
        (
            "long double _Complex z = 1; if (z * z != 1) reach_error();",
            "double _Complex z = 1; if (z * z != 1) reach_error();",
        ),
    ] {
        for (text, expected) in [(open, "unknown"), (known, "safe")] {
            let text = format!("{START}int main(void) {{ {text} return 0; }}");
            let flow = flow("p.c", &text, DataModel::Lp64);
            let (verdict, more) = decide(&flow, &Options::default(), Duration::from_secs(60));
            assert_eq!(verdict, expected, "{more}: {text}");
        }
    }
}
