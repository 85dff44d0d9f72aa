//! Shifts, and operations on unsigned integers that wrap around.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn shifts_have_a_meaning() {
    judge(
        Check::Shift,
        true,
        &[
            ("unsafe", "int main(void) { int n = nondet_int(); return 1 << n; }"),
            ("safe", "int main(void) { int n = nondet_int() & 15; return 1 << n; }"),
            ("unsafe", "int main(void) { unsigned n = nondet_uint() & 63; return 1u << n; }"),
            ("safe", "int main(void) { unsigned n = nondet_uint() & 31; return 1u << n; }"),
            ("unsafe", "int main(void) { int n = nondet_int(); return n << 1; }"),
            ("safe", "int main(void) { int n = nondet_int() & 0xffff; return n << 15; }"),
            ("unsafe", "int main(void) { int n = nondet_int() & 31; return 1 << n; }"),
            ("safe", "int main(void) { int n = nondet_int() & 31; return 1u << n; }"),
            ("unsafe", "int main(void) { int n = nondet_int(); return 5 >> n; }"),
            (
                "safe",
                "int main(void) { int n = nondet_int(); return n >= 0 && n < 32 && -5 >> n; }",
            ),
            (
                "unsafe",
                "int main(void) { long n = nondet_long() & 1; return (1 - (n << 63)) != 0; }",
            ),
            ("safe", "int main(void) { unsigned long n = nondet_ulong(); return (n << 63) != 0; }"),
            ("unsafe", "int main(void) { int x = 1; x <<= nondet_int() & 31; return x; }"),
            ("safe", "int main(void) { int x = 1; x <<= nondet_int() & 7; return x; }"),
            ("unsafe", "int main(void) { unsigned char c = nondet_uchar(); return c << 24; }"),
            ("safe", "int main(void) { unsigned char c = nondet_uchar(); return c << 23; }"),
            // Other overflows are none of these.
            ("safe", "int main(void) { int n = nondet_int(); return n + 1 > n * 3; }"),
        ],
    );
}

#[test]
fn unsigned_operations_do_not_wrap_around() {
    judge(
        Check::UnsignedOverflow,
        false,
        &[
            ("unsafe", "int main(void) { unsigned n = nondet_uint(); return n + 1 == 0; }"),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint(); return n < 0xffffffff && n + 1 == 0; }",
            ),
            (
                "unsafe",
                "int main(void) { unsigned n = nondet_uint(), m = nondet_uint(); return n - m > 3; }",
            ),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint(), m = nondet_uint(); return n >= m && n - m > 3; }",
            ),
            (
                "unsafe",
                "int main(void) { unsigned n = nondet_uint(), m = nondet_uint(); return n < 65537 && m < 65537 && n * m > 3; }",
            ),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint(), m = nondet_uint(); return n < 65536 && m < 65536 && n * m > 3; }",
            ),
            (
                "unsafe",
                "int main(void) { unsigned long n = nondet_ulong(); return n <= 1ul << 62 && n * 4 == 8; }",
            ),
            (
                "safe",
                "int main(void) { unsigned long n = nondet_ulong(); return n < 1ul << 62 && n * 4 == 8; }",
            ),
            ("unsafe", "int main(void) { unsigned n = nondet_uint(); return -n == 3; }"),
            ("safe", "int main(void) { unsigned n = nondet_uint(); return n == 0 && -n == 3; }"),
            ("unsafe", "int main(void) { unsigned n = nondet_uint(); n++; return n == 3; }"),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint(); if (n < 9) n++; return n == 3; }",
            ),
            (
                "unsafe",
                "int main(void) { unsigned n = nondet_uint() % 5; while (n-- > 0) ; return 0; }",
            ),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint() % 5; while (n > 0) n--; return 0; }",
            ),
            ("unsafe", "int main(void) { unsigned n = nondet_uint(); n <<= 1; return n == 4; }"),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint() & 0x7fffffff; n <<= 1; return n == 4; }",
            ),
            // The type decides in which the operation is done; a count out of range is none of these.
            (
                "safe",
                "int main(void) { unsigned char c = nondet_uchar(); c++; c += 200; return c; }",
            ),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint(); return (n & 1) << n >> n | ~n; }",
            ),
            (
                "unsafe",
                "int main(void) { unsigned n = nondet_uint(); return n && 1u << 31 << n == 1; }",
            ),
            // What the text does not have: sizes, calls of the library, addresses.
            (
                "safe",
                "int main(void) { size_t n = nondet_uint() % 3 + 1; int a[n], *p = a + n; return p - a == sizeof a / sizeof *a; }",
            ),
            (
                "safe",
                "int main(void) { char t[4] = \"abc\"; return strlen(t) == 3 && (int)-1 + (unsigned char)-1; }",
            ),
            (
                "safe",
                "char *strtok(char *, const char *); int main(void) { char t[] = \"a b\"; return strtok(t, \" \") == t; }",
            ),
            // Of several numbers at once.
            (
                "unknown",
                "typedef unsigned v __attribute__((vector_size(16))); int main(void) { v a = {1, 2, 3, 4}; a = -a; return a[0] == 3; }",
            ),
            (
                "unknown",
                "typedef unsigned v __attribute__((vector_size(16))); int main(void) { v a = {1, 2, 3, 4}; a -= a; return a[0] == 3; }",
            ),
            (
                "safe",
                "typedef int v __attribute__((vector_size(16))); int main(void) { v a = {1, 2, 3, 4}; a -= a; return a[0] == 3; }",
            ),
        ],
    );
}

#[test]
fn floating_point_numbers_are_not_divided_by_zero() {
    judge(
        Check::FloatDivision,
        true,
        &[
            ("unsafe", "int main(void) { double d = nondet_double(); return 1 / d > 2; }"),
            ("safe", "int main(void) { double d = nondet_double(); return d != 0 && 1 / d > 2; }"),
            (
                "unsafe",
                "int main(void) { float f = nondet_int(); int r = (int)(100.0 / f); return r; }",
            ),
            (
                "safe",
                "int main(void) { float f = nondet_int(); return f * f > 0 ? (int)(100.0 / f) : 0; }",
            ),
            ("unsafe", "int main(void) { double z = -0.0; return 1.0 / z < 0; }"),
            ("safe", "int main(void) { double d = nondet_double(); return d / 2.0 + d / 3 > 1; }"),
            (
                "unsafe",
                "int main(void) { float f = 3; for (int i = 0; i < 5; i++) { f -= 0.75f; f = 1 / f > 9 ? 2 : f; } return 0; }",
            ),
            // Integers are another check's.
            ("safe", "int main(void) { int n = nondet_int(); return n < 5 ? 7 / (n | 1) : 0; }"),
        ],
    );
}
