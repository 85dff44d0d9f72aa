//! Vectors of GNU C.  Each condition is asked both ways, and gcc says which one is true.

use hardbop_c::points_to::Externals;

use super::super::{compare, expect};

/// The types in all programs here.
const TYPES: &str = "typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef signed char c16 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
typedef short h8 __attribute__((vector_size(16)));
typedef unsigned short w8 __attribute__((vector_size(16)));
typedef long l2 __attribute__((__vector_size__(16)));
typedef unsigned long long q4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(4 * sizeof(float))));
typedef double d2 __attribute__((vector_size(16)));
";

/// Definitions, statements before, and the condition.
const CONDITIONS: &[(&str, &str, &str)] = &[
    // Layout.
    (
        "struct s { char c; v4 v; };",
        "",
        "sizeof(v4) == 16 && _Alignof(v4) == 16 && sizeof(struct s) == 32",
    ),
    ("struct s { char c; b8 v; q4 w; };", "", "_Alignof(b8) == 8 && sizeof(struct s) == 64"),
    (
        "__attribute__((vector_size(8))) int g; struct s { int __attribute__((vector_size(8))) a, *p; };",
        "",
        "sizeof g == 8 && sizeof(struct s) == 16 && sizeof *((struct s *)0)->p == 8",
    ),
    // Values.
    (
        "v4 g = {1, 2};",
        "v4 a = {5, 6, 7}, b = a; b[1] = 9;",
        "g[0] == 1 && g[1] == 2 && g[3] == 0 && a[1] == 6 && b[1] == 9 && b[3] == 0",
    ),
    (
        "v4 g = (v4){4, 3, 2, 1};",
        "v4 a[] = {g, {7, 8}, 1, 2, 3, 4};",
        "sizeof a == 48 && a[0][3] == 1 && a[1][1] == 8 && a[2][2] == 3",
    ),
    (
        "struct s { char c; v4 v; } g = {'x', {1, 2, 3, 4}, };",
        "struct s t = g; t.v[2] = 7; g = t;",
        "g.c == 'x' && g.v[2] == 7 && g.v[3] == 4",
    ),
    (
        "v4 f(v4 a, int i) { a[i] = i; return a; }",
        "v4 a = {9, 9, 9, 9}; v4 b = f(a, 2);",
        "a[2] == 9 && b[2] == 2 && f(b, 3)[3] == 3 && (a + b)[2] == 11",
    ),
    (
        "void f(v4 *p) { (*p)[1] = 5; p[1] = *p + 1; }",
        "v4 a[2] = {{1, 2, 3, 4}}; f(a);",
        "a[0][1] == 5 && a[1][1] == 6 && a[1][3] == 5",
    ),
    (
        "",
        "v4 a = {1, 2, 3, 4}; int *p = (int *)&a, *q = &a[2]; p[1] = 8; *q += 1;",
        "a[1] == 8 && a[2] == 4 && q - p == 2",
    ),
    (
        "v4 g; int f(void) { g = (v4){1, 1, 1, 1}; return 2; }",
        "g[f()] = 5; g[f() - 1]++;",
        "g[0] == 1 && g[2] == 1",
    ),
    (
        "",
        "volatile int n = 3; v4 a = {1, 2, 3, 4}; int i = n; a[i--] *= 5;",
        "a[3] == 20 && i == 2",
    ),
    // Arithmetic is that of the elements: it wraps around, and is not promoted.
    (
        "",
        "u4 a = {4294967295u, 1, 2, 3}, b = {2, 3, 4, 5}; u4 s = a + b, d = a - b, p = a * b;",
        "s[0] == 1 && s[3] == 8 && d[1] == 4294967294u && p[0] == 4294967294u && p[3] == 15",
    ),
    (
        "",
        "b8 a = {250, 100, 3, 4}, b = {10, 200, 2, 1}; b8 s = a + b, d = b - a, q = a / (b + (b8){} + 1);",
        "s[0] == 4 && s[1] == 44 && d[0] == 16 && q[0] == 22 && (a + b)[1] == 44",
    ),
    (
        "",
        "w8 a = {65535, 2}, b = {65535, 3}; w8 p = a * b; w8 n = -b, c = ~a;",
        "p[0] == 1 && p[1] == 6 && n[0] == 1 && n[1] == 65533 && c[0] == 0 && c[1] == 65533 && c[7] == 65535",
    ),
    (
        "",
        "c16 a = {127, -128}, b = {1, 1}; c16 s = a + b, d = a - b;",
        "s[0] == -128 && d[1] == 127",
    ),
    (
        "",
        "v4 a = {-7, 7, 9, -9}, b = {2, -2, 4, 5}; v4 q = a / b, r = a % b;",
        "q[0] == -3 && q[1] == -3 && r[0] == -1 && r[1] == 1 && r[2] == 1 && r[3] == -4",
    ),
    (
        "",
        "v4 a = {12, 10, -1, 0}, b = {10, 6, 5, 3}; v4 x = a & b, y = a | b, z = a ^ b;",
        "x[0] == 8 && x[2] == 5 && y[1] == 14 && y[3] == 3 && z[2] == -6",
    ),
    (
        "",
        "v4 a = {1, -8, 3, 4}, n = {3, 1, 0, 30}; v4 l = a << (n & 15), r = a >> n; u4 u = (u4)a >> 4;",
        "l[0] == 8 && r[1] == -4 && r[2] == 3 && r[3] == 0 && u[1] == 268435455",
    ),
    (
        "",
        "b8 a = {255, 128}; b8 l = a << 1, r = a >> 7; h8 h = {-1, 16384}; h = h >> 3;",
        "l[0] == 254 && l[1] == 0 && r[0] == 1 && h[0] == -1 && h[1] == 2048",
    ),
    ("", "q4 a = {1, 2, 3, -1ULL}; a = a * a + 1;", "a[2] == 10 && a[3] == 2"),
    // A number stands for all elements.
    (
        "",
        "v4 a = {1, 2, 3, 4}; v4 b = 10 - a, c = a * 3; a += 1; a <<= 2; v4 d = 2 << (v4){1, 2, 3, 4};",
        "b[3] == 6 && c[2] == 9 && a[0] == 8 && a[3] == 20 && d[3] == 32",
    ),
    (
        "int n; int f(void) { return ++n; }",
        "v4 a = {}; a = a + f();",
        "n == 1 && a[0] == 1 && a[3] == 1",
    ),
    (
        "",
        "v4 a = {1, 2}; v4 b = a++, c = --a; v4 d = +a;",
        "b[0] == 1 && b[2] == 0 && c[0] == 1 && d[1] == 2",
    ),
    // Comparisons give 0 and -1 in a vector of integers.
    (
        "",
        "v4 a = {1, 2, 3, 4}, b = {4, 2, 1, 4}; v4 e = a == b, l = a < b, g = a >= 2;",
        "e[0] == 0 && e[1] == -1 && l[0] == -1 && l[2] == 0 && g[0] == 0 && g[3] == -1",
    ),
    (
        "",
        "u4 a = {4294967295u, 1}, b = {1, 2}; v4 c = {-1, 1}; ",
        "(a > b)[0] == -1 && (a < b)[1] == -1 && (c > (v4)b)[0] == 0",
    ),
    (
        "",
        "f4 a = {1.5f, -0.0f, 3, 0.0f / 0.0f}, b = {1.5f, 0, 4, 1}; v4 e = a == b, n = a != b, l = a < b;",
        "e[0] == -1 && e[1] == -1 && e[3] == 0 && n[3] == -1 && l[2] == -1 && l[3] == 0",
    ),
    (
        "",
        "d2 a = {1, 2}; l2 c = a > 1.5; b8 x = {200}, y = {100};",
        "c[0] == 0 && c[1] == -1 && sizeof(a > a) == 16 && (x > y)[0] == -1",
    ),
    // Numbers of floating type.
    (
        "",
        "f4 a = {1, 2, 3, 0.5f}, b = {0.5f, 4}; f4 s = a + b, p = a * b, q = a / 2, n = -a;",
        "s[0] == 1.5f && p[1] == 8 && q[3] == 0.25f && n[0] == -1",
    ),
    (
        "",
        "d2 a = {0.1, 0.2}; f4 b = {0.1f, 0.2f};",
        "(a + a)[0] == 0.1 + 0.1 && (b * b)[1] == 0.2f * 0.2f",
    ),
    // Conversions keep the bits.
    (
        "",
        "v4 a = {-1, 0x01020304}; u4 u = (u4)a; b8 b = (b8){1, 2, 3, 4, 255}; c16 c = (c16)a; l2 l = (l2)a;",
        "u[0] == 4294967295u && c[4] == 4 && c[7] == 1 && l[0] == 0x01020304ffffffffL && l[1] == 0",
    ),
    (
        "",
        "h8 a = {1, -2, 3}; l2 l = (l2)a; long n = (long)(b8){1, 2}; b8 m = (b8)0x0102030405060708L;",
        "l[0] == 0x3fffe0001L && n == 513 && m[0] == 8 && m[7] == 1",
    ),
    (
        "",
        "f4 a = {1.0f, -2.0f}; v4 b = (v4)a; f4 c = (f4)(b & 0x7fffffff);",
        "b[0] == 0x3f800000 && c[1] == 2.0f",
    ),
    (
        "",
        "f4 a = {1.5f, -2.5f, 3}; v4 b = __builtin_convertvector(a, v4); d2 d = __builtin_convertvector((l2){3, -4}, d2);",
        "b[0] == 1 && b[1] == -2 && d[1] == -4.0",
    ),
    // Shuffles.
    (
        "",
        "v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, m = {3, 0, 5, -1}; v4 s = __builtin_shuffle(a, m), t = __builtin_shuffle(a, b, m);",
        "s[0] == 4 && s[1] == 1 && s[2] == 2 && s[3] == 4 && t[2] == 6 && t[3] == 8",
    ),
    (
        "",
        "v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8}; v4 s = __builtin_shufflevector(a, b, 7, 0, 4, 2);",
        "s[0] == 8 && s[1] == 1 && s[2] == 5 && s[3] == 3",
    ),
    // Control.
    (
        "",
        "volatile int n = 1; v4 a = {1}, b = {2}; v4 c = n ? a : b, d = !n ? a : a + b;",
        "c[0] == 1 && d[0] == 3",
    ),
    (
        "",
        "v4 s = {}; for (int i = 0; i < 3; i++) s += (v4){i, 1, i * i, -i};",
        "s[0] == 3 && s[1] == 3 && s[2] == 5 && s[3] == -3",
    ),
    (
        "",
        "union { v4 v; int i[4]; } u; u.i[2] = 7; u.v = (v4){1, 2, 3, 4}; u.i[0] = 5;",
        "u.v[0] == 5 && u.i[2] == 3",
    ),
    // Names of types that are aligned less than their types.
    (
        "typedef v4 U __attribute__((aligned(4))); struct s { int a; int b[8]; } g = {0, {1, 2, 3, 4, 5, 6, 7, 8}};",
        "v4 a = *(U *)(g.b + 1); *(U *)(g.b + 2) = a;",
        "a[0] == 2 && g.b[5] == 5 && g.b[2] == 2",
    ),
];

/// What is left undecided, or refused.
const OTHER: &[(&str, &str)] = &[
    ("int main(void) { b8 a = {1}; a = __builtin_ia32_paddusb(a, a); reach_error(); }", "__builtin_ia32_paddusb"),
    ("int main(void) { if (__VERIFIER_nondet_int() == 12345) return __builtin_ia32_any(); reach_error(); }", "unsafe"),
    ("int main(void) { __builtin_ia32_pause(); reach_error(); }", "unsafe"),
    ("int main(void) { v4 a = {1}; a <<= (v4){32}; reach_error(); }", "shift"),
    ("int main(void) { h8 a = {1}, b = {1, 1, 1, 1, 1, 1, 1, 1}; a /= b; reach_error(); }", "narrower"),
    ("int main(void) { v4 a = {1}; h8 b = {1}; a = a + b; }", "cannot be applied"),
    ("int main(void) { v4 a = {1}; f4 b = a; }", "cannot become"),
    ("int main(void) { v4 a = {1}; if (a) return 1; }", "a condition needs a number"),
    ("typedef int v3 __attribute__((vector_size(12))); int main(void) { }", "cannot have 12 bytes"),
    ("typedef int T __attribute__((aligned(1))); struct s { char c; T t; }; int main(void) { return sizeof(struct s); }",
        "aligned"),
    ("typedef int T __attribute__((aligned(1))); struct s { char c; T t; }; int main(void) { reach_error(); }",
        "unsafe"),
    // A function that gcc's headers have for instructions that are not supported.
    ("typedef _Float16 T; extern __inline __attribute__((gnu_inline, always_inline)) T f(T x) { return x; }
     int main(void) { reach_error(); }", "unsafe"),
];

#[test]
fn conditions() {
    let both = CONDITIONS.iter().flat_map(|(before, statements, condition)| {
        ["", "!"].map(|not| {
            format!(
                "{TYPES}{before}\nint main(void) {{ {statements}\nif ({not}({condition})) reach_error(); return 0; }}"
            )
        })
    });
    compare("-std=gnu17", both.map(|text| (true, text)));
}

#[test]
fn what_is_left() {
    let texts: Vec<String> = OTHER.iter().map(|(text, _)| format!("{TYPES}{text}")).collect();
    let cases = texts.iter().zip(OTHER);
    expect(cases.map(|(text, &(_, expected))| (text.as_str(), expected, Externals::Any)));
}
