//! Where executions start under other names and in other places, names that locals hide, what is left out, and places that are
//! not there.

use super::contracts::differing;

/// Where executions start, the text, and the answer.
const CORNERS: &[(&str, &str, &str)] = &[
    // Names are those of the file, whatever locals there are around a call.
    (
        "main",
        "int g; /*@ requires g == 1; assigns \\nothing; */ void f(void); int main(void) { int g = 1; f(); return g - 1; }",
        "unsafe",
    ),
    (
        "main",
        "int g = 1; /*@ requires g == 1; assigns \\nothing; */ void f(void); int main(void) { int g = 0; f(); return g; }",
        "safe",
    ),
    (
        "main",
        "int g; /*@ assigns g; ensures g == 1; */ void f(void); int main(void) { { int g = 0; f(); if (g) reach_error(); } if (g != 1) reach_error(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int g; /*@ assigns g; ensures g == 1; */ void f(void); int main(void) { { int g = 0; f(); if (g) reach_error(); } if (g == 1) reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int g; /*@ assigns g; ensures \\result == \\old(g); */ int f(void); int main(void) { g = 5; int g = 7; if (f() != 5) reach_error(); return g; }",
        "safe",
    ),
    (
        "main",
        "enum { K = 3 }; /*@ assigns \\nothing; ensures \\result == K; */ int f(void); int main(void) { int K = 4; if (f() != 3) reach_error(); return K; }",
        "safe",
    ),
    // Another name of the function in which executions start.
    (
        "g",
        "/*@ requires x > 0; */ int f(int x) { if (x <= 0) reach_error(); return x; } int g(int) __attribute__((alias(\"f\")));",
        "safe",
    ),
    (
        "g",
        "int g(int) __attribute__((alias(\"f\"))); /*@ requires x > 0; */ int f(int x) { if (x == 1) g(0); return x; }",
        "unsafe",
    ),
    (
        "f",
        "int g(int) __asm__(\"f\"); /*@ requires x > 0; */ int f(int x) { return x > 1 ? g(x - 1) : 0; }",
        "safe",
    ),
    (
        "f",
        "int g(int) __asm__(\"f\"); /*@ requires x > 0; */ int f(int x) { return x > 0 ? g(x - 1) : 0; }",
        "unsafe",
    ),
    // Calls in front of 'main' and behind it.
    (
        "main",
        "int k; /*@ requires k == 1; */ void f(void) { } __attribute__((constructor)) void setup(void) { k = 1; f(); } int main(void) { f(); return 0; }",
        "safe",
    ),
    (
        "main",
        "int k; /*@ requires k == 1; */ void f(void) { } __attribute__((constructor)) void setup(void) { f(); k = 1; } int main(void) { f(); return 0; }",
        "unsafe",
    ),
    (
        "f",
        "int k; /*@ requires k == 1; */ void f(void) { } __attribute__((constructor)) void setup(void) { f(); k = 1; }",
        "unknown: ",
    ),
    (
        "f",
        "void exit(int); int k; /*@ requires k == 0; */ __attribute__((destructor)) void f(void) { if (k) return; k = 1; exit(0); }",
        "unsafe",
    ),
    (
        "f",
        "void exit(int); int k; /*@ requires k == 0 || k == 1; */ __attribute__((destructor)) void f(void) { if (k) return; k = 1; exit(0); }",
        "safe",
    ),
    (
        "f",
        "__attribute__((constructor)) void f(void) { reach_error(); }",
        "unknown: executions that start in a constructor",
    ),
    // What is not evaluated is not checked.
    (
        "main",
        "/*@ requires x > 5; assigns \\nothing; ensures \\result == \\old(x); */ int f(int x); int a[sizeof(f(1))];
        int main(void) { __typeof__(f(2)) y = 3; if (sizeof(f(3)) != 4 || y != 3 || sizeof a != 16) reach_error(); return _Generic(f(4), int: 0, default: 1); }",
        "safe",
    ),
    (
        "main",
        "/*@ requires x > 5; */ int f(int x) { return x; } int main(void) { if (0 && f(1)) reach_error(); return 1 ? _Alignof(f(2)) - 4 : f(3); }",
        "safe",
    ),
    (
        "main",
        "/*@ requires x > 0; assigns \\nothing; ensures \\result == x; */ int f(int x); int main(void) { return sizeof(char[f(0)]) == 1; }",
        "unsafe",
    ),
    // A function that does not return.
    (
        "main",
        "/*@ assigns \\nothing; */ void die(void) __attribute__((noreturn)); int main(void) { if (__VERIFIER_nondet_int()) { die(); reach_error(); } return 0; }",
        "safe",
    ),
    (
        "main",
        "/*@ requires x; assigns \\nothing; */ int die(int x) __attribute__((noreturn)); int main(void) { return die(__VERIFIER_nondet_int()); }",
        "unsafe",
    ),
    // A list says what a call may change: executions go on behind one that gets no such place.
    (
        "main",
        "/*@ assigns *p; */ void g(int *p); int main(void) { g(0); reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "struct s { int a; }; /*@ assigns p->a; */ void g(struct s *p); int main(void) { g(0); reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "/*@ assigns p[0 .. 2]; */ void g(int *p); int main(void) { g(0); reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int a[3]; /*@ assigns p[0 .. 5]; */ void g(int *p); int main(void) { g(a); reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int a[3]; /*@ assigns a[i]; */ void g(int i); int main(void) { g(7); reach_error(); return 0; }",
        "unsafe",
    ),
    (
        "main",
        "int x; /*@ assigns *p; ensures *p == 3; */ void g(int *p); int main(void) { g(&x); if (x != 3) reach_error(); return 0; }",
        "safe",
    ),
];

#[test]
fn starts_names_and_places() {
    let wrong = differing(CORNERS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
