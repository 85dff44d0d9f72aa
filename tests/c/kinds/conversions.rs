//! Conversions that change a value, and those of floating-point numbers.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn implicit_conversions_keep_values() {
    judge(
        Check::Conversion,
        false,
        &[
            ("unsafe", "int main(void) { unsigned char c = nondet_int(); return c; }"),
            ("safe", "int main(void) { unsigned char c = nondet_int() & 255; return c; }"),
            ("unsafe", "int main(void) { unsigned n = nondet_int(); return 0; }"),
            (
                "safe",
                "int main(void) { int n = nondet_int(); unsigned u = n < 0 ? 0 : n; return 0; }",
            ),
            ("unsafe", "int main(void) { int n = nondet_uint(); return 0; }"),
            ("safe", "int main(void) { int n = nondet_uint() >> 1; return 0; }"),
            ("unsafe", "int main(void) { int n = nondet_int(); return n < 3u; }"),
            ("safe", "int main(void) { int n = nondet_int(); return n >= 0 && n < 3u; }"),
            (
                "unsafe",
                "void f(short s) { } int main(void) { f(nondet_int() & 0xffff); return 0; }",
            ),
            ("safe", "void f(short s) { } int main(void) { f(nondet_int() & 0x7fff); return 0; }"),
            (
                "unsafe",
                "signed char f(int n) { return n; } int main(void) { return f(nondet_int() & 255); }",
            ),
            (
                "safe",
                "signed char f(int n) { return n; } int main(void) { return f(nondet_int() & 127); }",
            ),
            ("unsafe", "int main(void) { unsigned char c = nondet_uchar(); c++; return c; }"),
            (
                "safe",
                "int main(void) { unsigned char c = nondet_uchar(); if (c < 255) c++; return c; }",
            ),
            ("unsafe", "int main(void) { short s = 200; s *= nondet_uchar(); return s; }"),
            ("safe", "int main(void) { short s = 100; s *= nondet_uchar(); return s; }"),
            (
                "unsafe",
                "struct b { unsigned x : 3; }; int main(void) { struct b b; b.x = nondet_uint() & 15; return b.x; }",
            ),
            (
                "safe",
                "struct b { unsigned x : 3; }; int main(void) { struct b b; b.x = nondet_uint() & 7; return b.x; }",
            ),
            (
                "unsafe",
                "struct b { int x : 3; }; int main(void) { struct b b = { nondet_int() & 7 }; return b.x; }",
            ),
            (
                "safe",
                "struct b { int x : 3; }; int main(void) { struct b b = { (nondet_int() & 7) - 4 }; return b.x; }",
            ),
            (
                "unsafe",
                "int main(void) { int n = nondet_int(); unsigned u = 1; return (nondet_int() ? n : u) > 4; }",
            ),
            (
                "safe",
                "int main(void) { int n = nondet_int(); unsigned u = 1; return (n >= 0 ? n : u) > 4; }",
            ),
            // Casts say what they do, and all but 0 is true.
            (
                "safe",
                "int main(void) { unsigned char c = (unsigned char)nondet_int(); _Bool b = nondet_int(); unsigned u = (unsigned)-1; return c + b; }",
            ),
            ("unsafe", "int main(void) { unsigned u = -1; return 0; }"),
            // Only what is evaluated is converted.
            (
                "safe",
                "int main(void) { int n = nondet_int(); return n > 0 && n > 3u ? sizeof(n + 3u) : 0; }",
            ),
            ("unsafe", "int main(void) { long n = nondet_long(); return toupper(n) == 'A'; }"),
            ("safe", "int main(void) { long n = nondet_uchar(); return toupper(n) == 'A'; }"),
            ("unsafe", "int main(void) { int n = nondet_int(); void *p = malloc(n); return 0; }"),
            (
                "safe",
                "int main(void) { int n = nondet_int(); void *p = malloc(n < 0 ? 1 : n); return 0; }",
            ),
            // Floating-point numbers are none of these.
            ("safe", "int main(void) { float f = nondet_int(); int n = f / 3; return n; }"),
        ],
    );
}

#[test]
fn floating_point_numbers_are_in_range() {
    judge(
        Check::FloatCast,
        true,
        &[
            ("unsafe", "int main(void) { double d = nondet_double(); return (int)d; }"),
            (
                "safe",
                "int main(void) { double d = nondet_double(); return d > -2147483649.0 && d < 2147483648.0 && (int)d; }",
            ),
            (
                "unsafe",
                "int main(void) { double d = nondet_double(); return d > -2147483649.0 && d <= 2147483648.0 && (int)d; }",
            ),
            (
                "unsafe",
                "int main(void) { double d = nondet_double(); return d >= -2147483649.0 && d < 2147483648.0 && (int)d; }",
            ),
            (
                "unsafe",
                "int main(void) { float f = nondet_float(); return f >= -2147483648.0f && f <= 2147483648.0f && (int)f; }",
            ),
            (
                "safe",
                "int main(void) { float f = nondet_float(); return f >= -2147483648.0f && f < 2147483648.0f && (int)f; }",
            ),
            (
                "unsafe",
                "int main(void) { double d = nondet_double(); unsigned char c = d < 256 ? d : 0; return c; }",
            ),
            (
                "safe",
                "int main(void) { double d = nondet_double(); unsigned char c = d < 256 && d > -1 ? d : 0; return c; }",
            ),
            (
                "unsafe",
                "int main(void) { double d = nondet_double(); return d > -1 && d <= 18446744073709551616.0 && (unsigned long)d; }",
            ),
            (
                "safe",
                "int main(void) { double d = nondet_double(); return d > -1 && d < 18446744073709551616.0 && (unsigned long)d; }",
            ),
            ("unsafe", "int main(void) { double z = 0; return (int)(z / z); }"),
            ("safe", "int main(void) { double z = 0; return z != z && (int)(z / z); }"),
            ("unsafe", "int main(void) { int n = nondet_int(); n *= 1.5; return n; }"),
            ("safe", "int main(void) { int n = nondet_int(); n *= 0.5; return n; }"),
            ("unsafe", "int f(int n) { return n; } int main(void) { return f(nondet_float()); }"),
            (
                "safe",
                "int f(int n) { return n; } int main(void) { return f(nondet_float() > 1 ? 1.5f : 2.5f); }",
            ),
            ("safe", "int main(void) { _Bool b = nondet_double(); return b; }"),
            ("safe", "int main(void) { return (int)1e9 + (int)-0.9; }"),
            ("unsafe", "int main(void) { return (int)1e10; }"),
        ],
    );
}
