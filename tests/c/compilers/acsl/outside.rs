//! Contracts of functions that have no bodies.

use super::contracts::differing;

/// Functions without bodies.
const OUTSIDE: &[(&str, &str, &str)] = &[
    ("main", "/*@ requires x > 0; */ int f(int x); int main(void) { return f(1); }", "safe"),
    ("main", "/*@ requires x > 0; */ int f(int x); int main(void) { return f(0); }", "unsafe"),
    (
        "main",
        "/*@ requires x > 0; */ void f(int x); int main(void) { f(1); f(0); return 0; }",
        "unsafe",
    ),
    // The result is any value that is ensured.
    (
        "main",
        "/*@ assigns \\nothing; ensures 0 <= \\result < 9; */ int f(void); int main(void) { if (f() >= 9) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ assigns \\nothing; ensures 0 <= \\result < 9; */ int f(void); int main(void) { if (f() >= 8) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "/*@ assigns \\nothing; */ int f(void); int main(void) { if (f() == f()) return 1; reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "/*@ ensures \\result == x + 1; */ long f(int x); int main(void) { if (f(2147483647) != 2147483648) reach_error(); return 0; }",
        "safe",
    ),
    // What is not listed stays as it is.
    (
        "main",
        "int g; /*@ assigns \\nothing; */ int f(void); int main(void) { g = 1; f(); if (g != 1) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int g; /*@ assigns g; */ int f(void); int main(void) { g = 1; f(); if (g != 1) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int g; int f(void); int main(void) { g = 1; f(); if (g != 1) reach_error(); return 0; }",
        "unknown: ",
    ),
    (
        "main",
        "int g; /*@ ensures \\true; */ int f(void); int main(void) { g = 1; f(); if (g != 1) reach_error(); return 0; }",
        "unknown: ",
    ),
    (
        "main",
        "int g; /*@ assigns g; ensures g > \\old(g); */ int f(void); int main(void) { g = 1; f(); if (g <= 1) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int g; /*@ assigns g; ensures g > \\old(g); */ int f(void); int main(void) { g = 1; f(); if (g <= 2) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "/*@ assigns *p \\from *q, x; ensures *p == x; */ void f(int *p, int *q, int x); int main(void) { int a = 1, b = 2; f(&a, &b, 3); if (a != 3 || b != 2) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ assigns *p, *q; ensures *p == x; */ void f(int *p, int *q, int x); int main(void) { int a = 1, b = 2; f(&a, &b, 3); if (a != 3 || b != 2) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "struct s { int a, b : 3; }; /*@ assigns p->a, p->b, \\result; ensures p->b == 3; */ int f(struct s *p); int main(void) { struct s s; f(&s); if (s.b != 3) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "struct s { int a, b; }; /*@ assigns p->a; */ int f(struct s *p); int main(void) { struct s s = {1, 2}; f(&s); if (s.b != 2) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "struct s { int a, b; }; /*@ assigns p->b; */ int f(struct s *p); int main(void) { struct s s = {1, 2}; f(&s); if (s.b != 2) reach_error(); return 0; }",
        "unsafe",
    ),
    // The places are those at the beginning.
    (
        "main",
        "int i, a[2]; /*@ assigns i, a[i]; ensures i == 1 && a[0] == 5; */ void f(void); int main(void) { f(); if (a[1] != 0) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int i, a[2]; /*@ assigns i, a[i]; ensures i == 1 && a[0] == 5; */ void f(void); int main(void) { f(); if (a[0] != 5) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int i, a[2]; /*@ assigns i, a[i]; */ void f(void); int main(void) { f(); if (a[0] != 0) reach_error(); return 0; }",
        "unsafe",
    ),
    // Elements.
    (
        "main",
        "/*@ requires n > 0; assigns p[0 .. n - 1]; */ void f(int *p, int n); int main(void) { int a[5] = {1, 2, 3, 4, 5}; f(a + 1, 3); if (a[0] != 1 || a[4] != 5) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ requires n > 0; assigns p[0..n]; */ void f(int *p, int n); int main(void) { int a[5] = {1, 2, 3, 4, 5}; f(a + 1, 3); if (a[0] != 1 || a[4] != 5) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "struct s { int a[3], b; } s; /*@ assigns s.a[1..2]; ensures s.a[1] == s.a[2] == 4; */ void f(void); int main(void) { f(); if (s.a[0] || s.b || s.a[1] + s.a[2] != 8) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int i = 1, a[4]; /*@ assigns i, a[i .. (i + 1)]; ensures i == 0; */ void f(void); int main(void) { f(); if (i || a[0] || a[3]) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int i = 1, a[4]; /*@ assigns i, a[(i)..i + 1]; ensures i == 0; */ void f(void); int main(void) { f(); if (i || a[0] || a[2]) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int a[2]; /*@ assigns a[1 .. 0]; */ void f(void); int main(void) { f(); if (a[0] || a[1]) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int *a[2], x; /*@ assigns a[0 .. 1]; */ void f(void); int main(void) { a[0] = &x; f(); if (a[0] != &x) reach_error(); return 0; }",
        "unknown: ",
    ),
    // A list that is not understood says nothing.
    (
        "main",
        "int a[9], g; /*@ assigns g; assigns *(a + (0 .. 8)); */ void f(void); int main(void) { f(); if (a[3]) reach_error(); return 0; }",
        "unknown: ",
    ),
    (
        "main",
        "int *p, x; /*@ assigns p; */ void f(void); int main(void) { p = &x; f(); if (p != &x) reach_error(); return 0; }",
        "unknown: ",
    ),
    (
        "main",
        "int x; /*@ assigns \\nothing; */ int *f(int *p); int main(void) { if (f(&x) == &x) reach_error(); return 0; }",
        "unknown: ",
    ),
    (
        "main",
        "/*@ assigns \\nothing; behavior a: assumes x > 0; ensures \\result == 1; */ int f(int x); int main(void) { if (f(0) != 1) reach_error(); return 0; }",
        "unsafe",
    ),
    // The arguments are evaluated once; records are given by value.
    (
        "main",
        "struct s { int a; }; /*@ requires s.a == 3 && n == 1; assigns \\nothing; ensures \\result == s.a; */ int f(struct s s, int n); int main(void) { struct s s = {3}; int n = 0; if (f(s, ++n) != 3 || n != 1) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "struct s { int a; }; /*@ requires s.a == 3 && n == 1; */ int f(struct s s, int n); int main(void) { struct s s = {4}; int n = 0; f(s, ++n); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "/*@ assigns \\nothing; ensures \\result == a + b; */ int f(int a, int b); int main(void) { int n = 1; int m = f(n++, n++); if (m != 3 || n != 3) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ assigns \\nothing; ensures \\result == x; */ static int f(int x); int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(i); if (s != 3) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ assigns \\nothing; ensures \\result == x; */ static int f(int x); int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += f(i); if (s == 3) reach_error(); return 0; }",
        "unsafe",
    ),
    // What is known of the library counts, not the contract.
    (
        "main",
        "/*@ ensures \\result == 1; */ unsigned long strlen(const char *s); int main(void) { if (strlen(\"ab\") != 2) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ requires \\false; assigns \\nothing; */ int printf(const char *, ...); int main(void) { printf(\"a\"); return 0; }",
        "safe",
    ),
];

#[test]
fn functions_without_bodies() {
    let wrong = differing(OUTSIDE);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
