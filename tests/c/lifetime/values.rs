//! Values that were never written (C11, 6.3.2.1, 2, and 6.7.9, 10).

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn scalars_have_values_when_they_are_used() {
    judge(
        Check::Uninitialised,
        &[
            (
                "unsafe",
                "int main(void) { int x, n = nondet_int(); if (n == 4) x = 3; if (n > 2 && n < 5) return x > 1; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int x, n = nondet_int(); if (n == 4) x = 3; if (n > 3 && n < 5) return x > 1; return 0; }",
            ),
            ("unsafe", "int main(void) { int x; if (x) return 1; return 0; }"),
            ("safe", "int main(void) { int x; x = 0; if (x) return 1; return 0; }"),
            ("unsafe", "int main(void) { int *p, n = 1; if (nondet_int()) p = &n; return *p; }"),
            ("unsafe", "int a[3]; int main(void) { unsigned i; return a[i % 3]; }"),
            ("unsafe", "int main(void) { int x; printf(\"%d\", x); return 0; }"),
            ("unsafe", "int f(int k) { return k == 2; } int main(void) { int x; return f(x); }"),
            (
                "unsafe",
                "int f(int k) { int x; if (k) x = k; return x; } int main(void) { return f(nondet_int()); }",
            ),
            (
                "unsafe",
                "double f(double k) { return k; } int main(void) { double d; if (nondet_int() > 2) d = 1; return f(d) > 0; }",
            ),
            // A copy is no use; what is done with the copy may be.
            ("safe", "int main(void) { int x, y = x; unsigned u = y; return 0; }"),
            ("unsafe", "int main(void) { int x, y = x; unsigned u = y; return u > 3; }"),
            // Only what is evaluated is used.
            (
                "safe",
                "int main(void) { int x, c = nondet_int(); if (c) x = 1; int y = c && x, z = c ? x : 0; return y + z; }",
            ),
            (
                "unsafe",
                "int main(void) { int x, c = nondet_int(); if (c) x = 1; int y = !c && x; return y; }",
            ),
            // By a pointer, in a call.
            (
                "unsafe",
                "void set(int *p, int k) { if (k) *p = k; } int main(void) { int x; set(&x, nondet_int()); return x + 1; }",
            ),
            (
                "safe",
                "void set(int *p, int k) { if (k) *p = k; } int main(void) { int x, k = nondet_int(); set(&x, k); return k ? x + 1 : 0; }",
            ),
            // A variable has no value in the next round, and behind a jump into its block.
            (
                "unsafe",
                "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; if (x == 2) return 1; } return 0; }",
            ),
            (
                "safe",
                "int main(void) { int x; for (int i = 0; i < 2; i++) { if (i == 0) x = 1; if (x == 2) return 1; } return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int n = nondet_int(); switch (n) { int x; case 1: x = 1; case 2: return x > 3; } return 0; }",
            ),
            (
                "unsafe",
                "int f(int n) { int x; if (n > 0) { x = f(n - 1); return x + 1; } if (n == 0) return 0; return x; } int main(void) { int n = nondet_int(); return n < 3 && n > -2 ? f(n) : 0; }",
            ),
            (
                "safe",
                "int f(int n) { int x; if (n > 0) { x = f(n - 1); return x + 1; } if (n == 0) return 0; return x; } int main(void) { int n = nondet_int(); return n < 3 && n > -1 ? f(n) : 0; }",
            ),
        ],
    );
}

#[test]
fn parts_have_values_when_they_are_used() {
    judge(
        Check::Uninitialised,
        &[
            (
                "unsafe",
                "struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t = s; if (nondet_int() == 3) return t.b; return t.a; }",
            ),
            (
                "safe",
                "struct s { int a, b; }; int main(void) { struct s s, t; s.a = 1; t = s; if (nondet_int() == 3) t.b = 1; return t.a; }",
            ),
            (
                "unsafe",
                "struct s { int a, b; }; int f(struct s s) { return s.b; } int main(void) { struct s s; s.a = 1; if (nondet_int()) s.b = 2; return f(s); }",
            ),
            (
                "safe",
                "struct s { int a, b; }; int f(struct s s) { return s.a; } int main(void) { struct s s; s.a = 1; return f(s); }",
            ),
            (
                "unsafe",
                "struct s { int a, b; }; struct s f(void) { struct s s; s.a = 1; return s; } int main(void) { return f().b; }",
            ),
            (
                "safe",
                "struct s { int a, b; }; struct s f(void) { struct s s; s.a = 1; return s; } int main(void) { return f().a; }",
            ),
            (
                "unsafe",
                "int main(void) { int a[4], n = nondet_int(); for (int i = 0; i < n && i < 4; i++) a[i] = i; if (n > 1) return a[2]; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int a[4], n = nondet_int(); for (int i = 0; i < n && i < 4; i++) a[i] = i; if (n > 2) return a[2]; return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = malloc(8); p[0] = 1; return p[nondet_int() == 6]; }",
            ),
            ("safe", "int main(void) { int *p = calloc(2, 4); return p[nondet_int() == 6]; }"),
            (
                "unsafe",
                "int main(void) { int *p = malloc(8), *q = malloc(8); p[0] = 1; memcpy(q, p, 8); return nondet_int() ? q[1] : q[0]; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(8), *q = malloc(8); memset(p, 0, 8); memcpy(q, p, 8); return nondet_int() ? q[1] : q[0]; }",
            ),
            (
                "unsafe",
                "int main(void) { char t[4]; t[0] = 'a'; if (nondet_int()) t[1] = 0; printf(\"%s\", t); return 0; }",
            ),
            (
                "safe",
                "int main(void) { char t[4]; t[0] = 'a'; t[1] = 0; printf(\"%s\", t); return 0; }",
            ),
            // Bytes of one scalar, and bits of a unit.
            (
                "unsafe",
                "union u { int i; char c[4]; }; int main(void) { union u u; u.c[0] = u.c[1] = u.c[2] = 0; if (nondet_int()) u.c[3] = 0; return u.i; }",
            ),
            (
                "safe",
                "union u { int i; char c[4]; }; int main(void) { union u u; u.c[0] = u.c[1] = u.c[2] = u.c[3] = 0; return u.i; }",
            ),
            (
                "unsafe",
                "struct b { unsigned x : 3, y : 5; }; int main(void) { struct b b; b.x = 1; if (nondet_int() == 9) b.y = 2; return b.y; }",
            ),
            (
                "safe",
                "struct b { unsigned x : 3, y : 5; }; int main(void) { struct b b; b.x = 1; if (nondet_int() == 9) b.y = 2; return b.x; }",
            ),
            // Without `return`, a static and what is outside have values.
            (
                "safe",
                "int g; extern int e; int main(int argc, char **argv) { static int s; return g + e + s + argc; }",
            ),
        ],
    );
}

#[test]
fn missing_results_are_undecided_where_they_are_used() {
    judge(
        Check::Uninitialised,
        &[
            ("unknown", "int f(int n) { if (n > 3) return 1; } int main(void) { return f(2); }"),
            (
                "unknown",
                "int f(void) { } int main(void) { int (*p)(void) = f; return p() ? 1 : 0; }",
            ),
            ("safe", "int f(int n) { if (n > 3) return 1; } int main(void) { f(2); return 0; }"),
            ("safe", "int f(int n) { if (n > 3) return 1; } int main(void) { return f(4); }"),
            (
                "unsafe",
                "int f(int n) { int x; if (n > 3) return 1; return x; } int main(void) { return f(2); }",
            ),
        ],
    );
}
