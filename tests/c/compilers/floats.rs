//! Floating-point numbers bit by bit: gcc and its library are the judge of programs with one
//! execution.

use super::compare;

const HEAD: &str = "double fabs(double); float fabsf(float); double floor(double); double ceil(double); double sqrt(double);
    float sqrtf(float); double trunc(double); double round(double); double rint(double); float roundf(float);
    double copysign(double, double); double fmin(double, double); double fmax(double, double); long lround(double);
    long lrint(double); int isnan(double); int isinf(double); long long llround(double); float rintf(float);
    double fmod(double, double); double nan(const char *); double sin(double);";

/// Formulas; of the functions that gcc computes at run time, too.
const CERTAIN: &[&str] = &[
    "0.1f == 0.1",
    "0.1f + 0.2f == 0.3f",
    "0.1 + 0.2 == 0.3",
    "(float)0.1 == 0.1f",
    "(double)0.3f == 0.3",
    "z / z != z / z",
    "-z == z",
    "1 / -z < 0",
    "1 / z > 1e308",
    "m * m == m * m",
    "(int)-2.9 == -2",
    "(unsigned)3e9 == 3000000000U",
    "(long long)1e18 == 1000000000000000000LL",
    "(unsigned long long)1.8e19 == 18000000000000000000ULL",
    "(float)16777217 == 16777216",
    "(double)9007199254740993LL == 9007199254740992.0",
    "(float)1e-46 == 0",
    "(float)1e39 > 3e38f",
    "(_Bool)0.5",
    "(_Bool)(z / z)",
    "!z",
    "!(z / z)",
    "(char)65.7 == 'A'",
    "(float)(unsigned long long)-1 == 18446744073709551616.0f",
    "1e-320 / 10 == 1e-321",
    "4.9e-324 / 2 == 0",
    "1e308 * 10 == 1 / z",
    "3 / 2 * 2.0 == 2",
    "1.5f == 3 / 2.0f",
    "m++ == 3.5 && m == 4.5",
    "--m == 2.5",
    "(m += 1, m) == 4.5",
    "(m *= 2) == 7",
    "(n += 0.9) == 3",
    "(n *= 1.5) == 4",
    "(c += 1.9f) == 2",
    "-m < 0",
    "+m > 0",
    "m ? 0 : 1",
    "z ? 1 : 0",
    "z || m",
    "z && m",
    "__builtin_inf() > 1e308",
    "-__builtin_inff() < -3e38f",
    "__builtin_nan(\"\") != __builtin_nan(\"\")",
    "__builtin_nan(\"12\") != z && __builtin_nanf(\"0x7\") != z",
    "(union { double d; unsigned long long n; }){__builtin_nan(\"12\")}.n == 0x7ff800000000000cull",
    "(union { double d; unsigned long long n; }){__builtin_nan(\"0x8000000000007\")}.n == 0x7ff8000000000007ull",
    "(union { float f; unsigned n; }){__builtin_nanf(\"012\")}.n == 0x7fc0000au",
    "__builtin_isnan(z / z)",
    "__builtin_isnan(m)",
    "__builtin_isinf(1 / z)",
    "__builtin_isinf_sign(-1 / z) == -1",
    "__builtin_isinf_sign(1 / z) == 1",
    "__builtin_isfinite(m) == 1",
    "__builtin_isnormal(1e-310)",
    "__builtin_isnormal(m) == 1",
    "__builtin_signbit(-z) != 0",
    "__builtin_signbit(z) == 0",
    "__builtin_fabs(-m) == 3.5",
    "__builtin_copysign(m, -z) == -3.5",
    "__builtin_fpclassify(0, 1, 2, 3, 4, 1e-310) == 3",
    "__builtin_fpclassify(0, 1, 2, 3, 4, z) == 4",
    "__builtin_fpclassify(0, 1, 2, 3, 4, 1 / z) == 1",
    "__builtin_fpclassify(0, 1, 2, 3, 4, z / z) == 0",
    "__builtin_fpclassify(0, 1, 2, 3, 4, 1e-40f) == 3",
    "__builtin_isgreater(m, z) && !__builtin_isgreater(z / z, z)",
    "__builtin_islessgreater(m, z)",
    "__builtin_isunordered(z / z, m)",
    "__builtin_isunordered(z, m)",
    "__builtin_islessequal(z, -z)",
    "fabs(-m) == 3.5",
    "fabsf(-1.5f) == 1.5f",
    "floor(-m) == -4",
    "floor(m) == 3",
    "ceil(m) == 4",
    "ceil(-m) == -3",
    "trunc(-m) == -3",
    "round(m) == 4",
    "round(-2.5) == -3",
    "rint(2.5) == 2",
    "rint(m) == 4",
    "roundf(0.49999997f) == 0",
    "rint(-0.4) == 0 && 1 / rint(-0.4) < 0",
    "floor(1e300) == 1e300",
    "sqrt(2.0) * sqrt(2.0) == 2",
    "sqrt(m * m) == m",
    "sqrtf(2.0f) == 1.41421354f",
    "sqrt(1e-310) > 0",
    "copysign(1.0, -z) == -1",
    "fmin(m, z / z) == m",
    "fmax(z / z, m) == m",
    "fmin(z, -z) == 0",
    "fmax(m, 7) == 7",
    "lround(m) == 4",
    "lround(-m) == -4",
    "lrint(2.5) == 2",
    "llround(-2.5) == -3",
    "isnan(z / z)",
    "isinf(-1 / z) != 0",
    "rintf(0.5f) == 0",
    "nan(\"\") != m",
    "(m > 3 ? m : 1) == 3.5",
    "(n ? m : n) == 3.5",
    "sizeof(m + 1.0f) == 8",
    "sizeof(1.0f * c) == 4",
    "0x1.8p1 == 3",
    "0x.8p0f == 0.5f",
];

/// Formulas that must not be decided wrongly, if at all.
const OPEN: &[&str] = &[
    "fmod(m, 2) == 1.5",
    "sin(z) == 0",
    "sqrt(-m) != sqrt(-m)",
    "(int)1e10 == 5",
    "0.1L == 0.1",
    "__builtin_nan(\"1\") != 0",
    "*(unsigned *)&(float){1.0f} == 0x3f800000",
    "(int)(z / z) == 5",
];

#[test]
fn gcc_agrees() {
    let programs = CERTAIN.iter().chain(OPEN).enumerate().map(|(i, formula)| {
        let text = format!(
            "{HEAD} int main(void) {{ volatile double zero = 0, more = 3.5; double z = zero, m = more; int n = 3; \
             signed char c = 1; if ({formula}) reach_error(); return 0; }}"
        );
        (i < CERTAIN.len(), text)
    });
    compare("-std=gnu17", programs);
}
