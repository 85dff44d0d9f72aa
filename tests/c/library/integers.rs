//! Integers of 128 bits: what operations on them compute is what gcc's code does, which of them overflow is what gcc says, and
//! verdicts over all numbers.

use std::fmt::Write as _;

use hardbop_base::errors::{Check, Checks, ErrorKind};
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::execute::Recording;
use hardbop_c::flow::Violation;
use hardbop_c::harness::{ERROR_CODE, harness};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, parse};

use crate::support::c::computed::{are_decided, return_what_gcc_computes, values};
use crate::support::c::{can_compile, execute, flow, run_harness};

const START: &str = "typedef unsigned __int128 wide; enum e { E0, E1 = 7 };
    void reach_error(void); unsigned long nondet_ulong(void); long nondet_long(void); int nondet_int(void);
    __int128 __VERIFIER_nondet_int128(void); wide __VERIFIER_nondet_uint128(void);
    struct s { char k; __int128 v[2]; wide w; };
    static wide same(wide x) { return x; }
    static __int128 turned(__int128 *x, int n) { if (n) *x = -*x; return *x; }
";

/// Expressions over `__int128 s, t; wide u, w; long a; unsigned long b; int n; signed char c; _Bool y; double d; float f;
/// struct s x`, whose counts and divisors have a meaning.
const EXPRESSIONS: &[&str] = &[
    "s + t - u",
    "a - s",
    "s * t",
    "u * w + b",
    "(wide)b * b",
    "(__int128)a * n",
    "(__int128)a * (long)b",
    "-s",
    "~u",
    "+c - s",
    "s & t | u ^ n",
    "s << (n & 127)",
    "s >> (n & 127)",
    "u << (c & 127)",
    "u >> (s & 127)",
    "s >> 64",
    "s << 63",
    "u >> 65",
    "s / (t | 1)",
    "s % (t | 1)",
    "u / (w | 1)",
    "u % (w >> 64 | 1)",
    "u / ((w >> 70) + 1)",
    "s / (n | 1)",
    "u % (b | 1)",
    "(s < t) + (u <= w) * 2 + (s > n) * 4 + (u >= a) * 8 + (s == a) * 16 + (u != b) * 32",
    "(s && u) + (!s || n) * 2",
    "(s ? t : u) + (s ?: t)",
    "(int)s + (unsigned char)u + (_Bool)t + (enum e)(n & 1) + (long)s",
    "(wide)d + (wide)f * 3",
    "(__int128)-d - (__int128)f",
    "(s * 0.5 < u + d) + (long)((double)s * 0x1p-70) + (long)((float)u * 0x1p-70f)",
    "(long)((double)t * 0x1p-64) - (long)((float)t * 0x1p-64f)",
    "(s += a, u -= s, s *= 3, u |= t, s <<= 2, u >>= 5, s /= 7, s ^ u)",
    "(s++ + (--u) * 2)",
    "x.v[n & 1] + x.w",
    "(x.v[1] = u, x.w += x.v[1], x.w)",
    "same(a) + turned(&s, c) + s",
    "(long)&((char *)0)[(__int128)n] + -9223372036854775808 + 18446744073709551615",
    "sizeof(struct s) + _Alignof(__int128) + _Generic(s + u, wide: 3, default: 5) + sizeof(typeof(s))",
    "y + (y ? s : 1.5f)",
];

/// A number with few or many digits, or beside a power of 2.
fn number(random: &mut Random) -> String {
    let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
    let value = match random.below(3) {
        0 => [0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 63, 1 << 64, 1 << 127, (1 << 127) - 1]
            [random.below(9)],
        1 => bits >> random.below(128),
        _ => (bits >> 1 >> random.below(127)).wrapping_neg(),
    };
    format!("((wide){:#x}u << 64 | {:#x}u)", (value >> 64) as u64, value as u64)
}

#[test]
fn as_gcc_computes() {
    let random = &mut Random::new(1);
    let (mut functions, mut made) = (String::new(), 0);
    for expression in EXPRESSIONS {
        let [s, t, u, w, a, b, n] = [(); 7].map(|()| number(random));
        let (n, c, d) = (n, random.bits() as i8, random.bits() >> 20);
        for shift in [0, 64] {
            let _ = writeln!(
                functions,
                "unsigned long long f{made}(void) {{ __int128 s = {s}, t = {t}; wide u = {u}, w = {w}; long a = {a};
                unsigned long b = {b}; int n = {n}; signed char c = {c}; _Bool y = u; double d = {d}e9; float f = {d}.5f;
                struct s x = {{ 1, {{ s, n }}, -u }}; return (wide)({expression}) >> {shift}; }}"
            );
            made += 1;
        }
    }
    return_what_gcc_computes(START, &functions, made, &["-fwrapv"]);
}

/// Constants where the text has to be constant, and initial values.
#[test]
fn constants_are_folded() {
    let text = format!(
        "{START}static wide g = ((wide)1 << 100) - 3, h[2] = {{ -1, (wide)1e30 }};
        static struct s x = {{ 1, {{ -5, 7 * (__int128)1 << 70 }}, 18446744073709551615 }};
        enum {{ K = (int)((__int128)1 << 3) }}; char many[(int)((wide)-1 / 3 >> 124)];
        _Static_assert((__int128)-1 < 0 && (wide)-1 >> 127 == 1 && -7 % (__int128)4 == -3, \"folded\");
        unsigned long long f0(void) {{ return g >> 64; }} unsigned long long f1(void) {{ return h[0] + h[1]; }}
        unsigned long long f2(void) {{ return x.v[0] + (x.v[1] >> 65) + x.w; }}
        unsigned long long f3(void) {{ return sizeof many + K + sizeof 9223372036854775808; }}"
    );
    return_what_gcc_computes("", &text, 4, &[]);
}

/// Each with an unsafe part and the safe one that is in the text.
const TWINS: &[(&str, &str, &str)] = &[
    (
        "x + 2",
        "x + 1",
        "wide x = __VERIFIER_nondet_uint128(), y = x + 1; if (y <= x && x != (wide)-1 || y != x + 1) reach_error();",
    ),
    (
        ">> 65",
        ">> 64",
        "unsigned long a = nondet_ulong(); wide x = (wide)a << 64; if (x >> 64 != a) reach_error();",
    ),
    (
        "x < 1",
        "x < 0",
        "__int128 x = __VERIFIER_nondet_int128(); if ((x < 0) != (x >> 127 != 0)) reach_error(); if (x > 0 && x + 1 < 0 && x >> 1 < 0) reach_error();",
    ),
    (
        "(wide)(a + b)",
        "(wide)a + b",
        "unsigned long a = nondet_ulong(), b = nondet_ulong(); if ((wide)a + b < a) reach_error();",
    ),
    // A product of words, with few bits for the solver.
    (
        "a * b)",
        "(wide)a * b)",
        "unsigned long a = nondet_ulong(), b = 0x123456789abcdef0u; if (((wide)a * b) >> 64 > a) reach_error(); if (a > 99 && !(((wide)a * b) >> 63)) reach_error();",
    ),
    (
        "any > 0",
        "any >= 0",
        "__int128 any, k[2]; if (!(any >= 0) && !(any < 0)) reach_error(); if (any == k[1] && any != k[1]) reach_error(); if (any < 0) any = ~any; if (!(any >= 0)) reach_error();",
    ),
    (
        "turned(&x, 0)",
        "turned(&x, 1)",
        "__int128 x = nondet_long(), y = x; if (turned(&x, 1) != -y || x + y) reach_error();",
    ),
];

#[test]
fn verdicts() {
    for &(unsafe_part, safe_part, text) in TWINS {
        let text = format!("{START}int main(void) {{ {text} return 0; }}");
        assert!(text.contains(safe_part), "{text}");
        are_decided((&text, &text.replace(safe_part, unsafe_part)));
    }
}

/// How a program ends in which two numbers are the operands, with one kind of check.
fn ends(check: Check, ty: &str, [a, b]: [&str; 2], expression: &str) -> String {
    let property = Property { checks: Checks::of(&[check]), ..Property::nothing() };
    let text = format!(
        "{START}int main(void) {{ {ty} a = {a}, b = {b}, r = {expression}; return r == 0; }}"
    );
    let options =
        ParseOptions { model: Some(DataModel::Lp64), property, ..ParseOptions::default() };
    let flow = parse(Source::new("p.c", text.as_str()), &options);
    let flow = flow.unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    let execution = execute(&flow, &[], Recording::Inputs);
    match execution.violation(&flow).and_then(Violation::words) {
        Some(words) => words.to_owned(),
        None => format!("{:?}", execution.outcome),
    }
}

const FINE: &str = "Ended(Returned)";

fn words(kind: ErrorKind) -> &'static str {
    Violation::Of(kind).words().expect("words")
}

/// Which sums, differences and products overflow is what gcc's built-ins say.
#[test]
fn overflows_are_found() {
    let random = &mut Random::new(2);
    let (mut functions, mut made) = (String::new(), vec![]);
    for (name, operator) in [("add", "+"), ("sub", "-"), ("mul", "*")] {
        for (ty, check) in [("__int128", Check::Overflow), ("wide", Check::UnsignedOverflow)] {
            for round in 0..8 {
                let shift = if operator == "*" && round % 2 == 0 { " >> 64" } else { "" };
                let [a, b] = [(); 2].map(|()| format!("({ty}){}{shift}", number(random)));
                made.push((check, ty, a.clone(), b.clone(), operator));
                let count = made.len() - 1;
                let _ = writeln!(
                    functions,
                    "unsigned long long f{count}(void) {{ {ty} r; return __builtin_{name}_overflow(({ty})({a}), ({ty})({b}), &r); }}"
                );
            }
        }
    }
    let expected = values(&format!("{START}{functions}"), made.len(), &[]);
    assert!(expected.iter().any(|x| x == "0") && expected.iter().any(|x| x == "1"));
    for ((check, ty, a, b, operator), overflows) in made.into_iter().zip(expected) {
        let kind = match check {
            Check::Overflow => ErrorKind::SignedOverflow,
            _ => ErrorKind::UnsignedOverflow,
        };
        let found = ends(check, ty, [&a, &b], &format!("a {operator} b"));
        let expected = if overflows == "1" { words(kind) } else { FINE };
        assert_eq!(found, expected, "{ty}: {a} {operator} {b}");
    }
}

/// Errors of other operations, beside what is none.
#[test]
fn other_errors_are_found() {
    use ErrorKind::{
        Conversion, DivisionByZero, FloatCast, LeftShift, ShiftCount, SignedOverflow,
        UnsignedOverflow,
    };
    let least = "(__int128)((wide)1 << 127)";
    for (check, ty, operands, bad, good, kind) in [
        (Check::Overflow, "__int128", [least, "-1"], "-a", "-(a + 1)", SignedOverflow),
        (Check::Overflow, "__int128", [least, "-1"], "a / b", "a / -b", SignedOverflow),
        (Check::Overflow, "__int128", [least, "-1"], "a % b", "b % a", SignedOverflow),
        (Check::Overflow, "__int128", [least, "1"], "--a", "++a", SignedOverflow),
        (Check::Overflow, "__int128", [least, "1"], "a -= b", "a += b", SignedOverflow),
        (Check::Overflow, "__int128", ["3", "126"], "a << b", "a << (b - 1)", SignedOverflow),
        (Check::Overflow, "__int128", ["3", "128"], "a >> b", "a >> (b - 1)", ShiftCount),
        (Check::Shift, "__int128", ["-3", "1"], "a << b", "-a << b", LeftShift),
        (Check::Shift, "wide", ["3", "128"], "a << b", "a << (b - 1)", ShiftCount),
        (Check::Shift, "wide", ["3", "-1"], "a >> b", "a >> (b & 1)", ShiftCount),
        (Check::Division, "wide", ["3", "0"], "a / b", "b / a", DivisionByZero),
        (Check::Division, "__int128", ["3", "0"], "a %= b", "b %= a", DivisionByZero),
        (Check::UnsignedOverflow, "wide", ["3", "127"], "a << b", "a << (b - 1)", UnsignedOverflow),
        (Check::UnsignedOverflow, "wide", ["3", "0"], "-a", "-b", UnsignedOverflow),
        (Check::Conversion, "wide", ["3", "0"], "(int)(a - 4)", "(int)(a - 3)", Conversion),
        (Check::Conversion, "__int128", ["3", "0"], "a + (wide)b - (a - 4)", "a", Conversion),
        (Check::FloatCast, "__int128", ["3", "0"], "(__int128)0x1p127", "-0x1p127", FloatCast),
        (Check::FloatCast, "wide", ["3", "0"], "(a - 4) * -2.0", "(a - 4) * 0.5", FloatCast),
    ] {
        assert_eq!(ends(check, ty, operands, bad), words(kind), "{ty}: {operands:?} {bad}");
        assert_eq!(ends(check, ty, operands, good), FINE, "{ty}: {operands:?} {good}");
    }
}

/// What is wrong with the body of a `main`.
fn message(model: DataModel, text: &str) -> Option<String> {
    let options = ParseOptions { model: Some(model), ..ParseOptions::default() };
    let text = format!("int main(void) {{ {text} return 0; }}");
    let diagnostics = parse(Source::new("p.c", text), &options).err()?;
    diagnostics.first().map(|first| first.message.clone())
}

/// What gcc has and this has not is refused by its name.
#[test]
fn others_are_refused() {
    for (text, what) in [
        ("int *p = 0; __int128 x = (__int128)p;", "a conversion between a pointer and __int128"),
        ("__int128 x = 1; switch (x) { case 1: ; }", "a 'switch' of __int128"),
        ("struct t { __int128 b : 3; } x;", "a bit-field of __int128"),
        ("switch (3) { case (__int128)3: ; }", "a constant of __int128 here"),
        ("_Complex __int128 z;", "a complex number with parts of 128 bits"),
        ("__int128 x = 1; int y = 2i == x;", "a complex number with parts of 128 bits"),
    ] {
        let expected = format!("{what} is not supported");
        assert_eq!(message(DataModel::Lp64, text), Some(expected), "{text}");
    }
    assert_eq!(message(DataModel::Lp64, "__int128 x = 1; int y = 2.0i == x;"), None);
    // As in gcc.
    let small = message(DataModel::Ilp32, "__int128 x;");
    assert_eq!(small.as_deref(), Some("__int128 is not supported"));
}

/// An error with inputs of 128 bits: the changes are numbers, and the harness reaches it.
#[test]
fn inputs_are_numbers() {
    let text = format!(
        "{START}int main(void) {{ wide x = __VERIFIER_nondet_uint128(); __int128 y = -x;
        if (x == ((wide)5 << 70) - 1) reach_error(); return 0; }}"
    );
    let flow = flow("p.c", &text, DataModel::Lp64);
    let execution = execute(&flow, &[-1, 319], Recording::Values);
    let changes = execution.events.iter().flat_map(|event| &event.changed);
    let changes: Vec<String> = changes.map(|c| format!("{} = {}", c.name, c.value)).collect();
    let expected = ["x = 5902958103587056517119", "y = -5902958103587056517119"];
    assert!(expected.iter().all(|x| changes.iter().any(|c| c == x)), "{changes:?}");
    let made = harness(&flow, &execution).expect("an execution into the error");
    assert!(made.notes.is_empty(), "{:?}", made.notes);
    if can_compile(DataModel::Lp64) {
        assert_eq!(run_harness(&made.text, DataModel::Lp64), Some(ERROR_CODE), "{}", made.text);
    }
}

/// Integers of any width (C23): gcc 12 has none, so that the numbers are those of its wider types, written out.
const BIT_INTS: &str = "void reach_error(void); int nondet_int(void);
    typedef unsigned _BitInt(10) u10; typedef _BitInt(10) s10; typedef _ExtInt(37) s37; typedef unsigned _BitInt(3) u3;
    typedef _BitInt(8) s8; typedef unsigned _BitInt(1) u1;
    struct s { char c; s10 v[3]; u3 w; s37 x; struct { s10 k : 5; unsigned _BitInt(33) l : 20; } b; };
    struct s g = { 1, { 513, 2, -1 }, 9, -5, { 17, -1 } };
    static u10 tripled(u10 x, s37 *p) { *p += x; return x * 3; }
    int main(void) {
      int n = nondet_int(), low = n & 1023, high = (low ^ 512) - 512;
      u10 a = n; s10 b = n; s37 c = 1; u3 d = n; s8 e = 127; u1 k = n;
      if (sizeof a != 2 || sizeof c != 8 || sizeof d != 1 || sizeof(struct s) != 32 || _Alignof(s37) != 8) reach_error();
      if (a != low || b != high || k != (n & 1)) reach_error();
      if (g.v[0] != -511 || g.v[2] != -1 || g.w != 1 || g.x != -5 || g.b.k != -15 || g.b.l != 0xfffff) reach_error();
      if (tripled(a, &c) != low * 3 % 1024 || c != 1 + low) reach_error();
      if ((int)(d + (u3)7) != (n - 1 & 7) || d + (u3)7 > 7 || (u1)(k + k) != 0) reach_error();
      if (_Generic(e + e, s8: 0, default: 1) || _Generic(a + b, u10: 0, default: 1)) reach_error();
      if (_Generic(a + 1, int: 0, default: 1) || _Generic(c + 1, s37: 0, default: 1)) reach_error();
      if (_Generic(5wb, _BitInt(4): 0, default: 1) || _Generic(0uwb, u1: 0, default: 1) || 0xffuwb + 1uwb != 0) reach_error();
      if ((a << 9) != (low << 9 & 1023) || (b >> 6) != high >> 6) reach_error();
      s10 *q = &g.v[1]; *q++ = b;
      struct s t = g; if (g.v[1] != b || *q != -1 || t.v[1] != high || t.w != 1) reach_error();
      if ((double)b != high || (s10)(double)(b / 2) != high / 2 || a % (u10)7 != low % 7) reach_error();
      switch (a) { case 5: if (low != 5) reach_error(); }
      return 0;
    }";

#[test]
fn integers_of_any_width() {
    for (safe, unsafe_) in [("b >> 6) != high >> 6", "b >> 5) != high >> 6"), ("9, -5", "8, -5")] {
        assert!(BIT_INTS.contains(safe));
        are_decided((BIT_INTS, &BIT_INTS.replace(safe, unsafe_)));
    }
    for (text, what) in [
        ("_BitInt(65) x;", "a '_BitInt' of 65 bits is not supported"),
        ("_BitInt(1) x;", "'_BitInt' has at least 2 bits here, not 1"),
        ("long _BitInt(7) x;", "these words do not form a type"),
        ("int x = 0xffffffffffffffffwb == 1;", "a '_BitInt' of 65 bits is not supported"),
    ] {
        assert_eq!(message(DataModel::Lp64, text).as_deref(), Some(what), "{text}");
    }
}

/// Overflows of them, and shifts by more bits than they have.
#[test]
fn errors_of_any_width() {
    let (sum, shift) = (words(ErrorKind::SignedOverflow), words(ErrorKind::ShiftCount));
    for (operands, expression, found) in [
        (["300", "211"], "a + b", FINE),
        (["300", "212"], "a + b", sum),
        (["-512", "1"], "-a", sum),
        (["-512", "-1"], "a / b", sum),
        (["32", "16"], "a * b", sum),
        (["31", "16"], "a * b", FINE),
        (["31", "9"], "a >> b", FINE),
        (["31", "10"], "a >> b", shift),
    ] {
        let ends = ends(Check::Overflow, "_BitInt(10)", operands, expression);
        assert_eq!(ends, found, "{operands:?} {expression}");
    }
    // Without the check, it is left open.
    let ends = ends(Check::Division, "_BitInt(10)", ["31", "10"], "a >> b");
    assert!(ends.contains("a shift of a '_BitInt'"), "{ends}");
}
