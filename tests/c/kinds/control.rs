//! What is said not to be reached, results that are not given, and arrays without elements.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn what_is_said_not_to_be_reached() {
    judge(
        Check::Unreachable,
        true,
        &[
            (
                "unsafe",
                "int main(void) { if (nondet_int() == 7) __builtin_unreachable(); return 0; }",
            ),
            (
                "safe",
                "int main(void) { unsigned n = nondet_uint() % 7; if (n == 7) __builtin_unreachable(); return 0; }",
            ),
            (
                "unsafe",
                "int f(int k) { switch (k & 3) { case 0: return 1; case 1: return 2; case 2: return 3; default: __builtin_unreachable(); } } int main(void) { return f(nondet_int()); }",
            ),
            (
                "safe",
                "int f(int k) { switch (k & 3) { case 0: return 1; case 1: return 2; case 2: return 3; case 3: return 4; default: __builtin_unreachable(); } } int main(void) { return f(nondet_int()); }",
            ),
            (
                "unsafe",
                "int main(void) { int n = nondet_int(); return n > 3 || (__builtin_unreachable(), 1); }",
            ),
            (
                "safe",
                "int main(void) { int n = nondet_int(); return n > 3 || n < 4 || (__builtin_unreachable(), 1); }",
            ),
            (
                "unsafe",
                "int main(void) { for (int i = 0; i < 9; i++) if (i * i == 49) __builtin_unreachable(); return 0; }",
            ),
            (
                "safe",
                "int main(void) { for (int i = 0; i < 9; i++) if (i * i == 50) __builtin_unreachable(); return 0; }",
            ),
            (
                "unsafe",
                "_Noreturn void never(void) { __builtin_unreachable(); } int main(void) { if (nondet_int()) never(); return 0; }",
            ),
            (
                "safe",
                "_Noreturn void never(void) { __builtin_unreachable(); } int main(void) { int n = nondet_int(); if (n < n) never(); return 0; }",
            ),
        ],
    );
}

#[test]
fn results_that_are_used_are_given() {
    judge(
        Check::Return,
        false,
        &[
            (
                "unsafe",
                "int f(int n) { if (n > 3) return 1; } int main(void) { return f(nondet_int()); }",
            ),
            (
                "safe",
                "int f(int n) { if (n > 3) return 1; } int main(void) { int n = nondet_int(); return n > 3 ? f(n) : 0; }",
            ),
            // Nobody uses it.
            (
                "safe",
                "int f(int n) { if (n > 3) return 1; } int main(void) { f(nondet_int()); return 0; }",
            ),
            (
                "safe",
                "int f(int n) { if (n > 3) return 1; } int main(void) { (void)f(nondet_int()); return 0; }",
            ),
            (
                "unsafe",
                "int f(int n) { if (n > 3) return 1; } int main(void) { int x = f(nondet_int()); return 0; }",
            ),
            (
                "safe",
                "int f(int n) { } int main(void) { nondet_int() ? f(1) : f(2); ({ f(3); }); return 0; }",
            ),
            ("unsafe", "int f(int n) { } int main(void) { return nondet_int() && f(2); }"),
            // By a pointer.
            (
                "unsafe",
                "int f(void) { } int g(void) { return 1; } int main(void) { int (*p)(void) = nondet_int() ? f : g; return p(); }",
            ),
            (
                "safe",
                "int f(void) { } int g(void) { return 1; } int main(void) { int (*p)(void) = nondet_int() ? g : g; f(); return p(); }",
            ),
            // One that is not used does not count for another one that gives a result.
            (
                "safe",
                "int f(void) { } int g(void) { f(); return 1; } int h(int k) { if (k) return 2; } int main(void) { f(); return g() + h(1); }",
            ),
            (
                "unsafe",
                "int f(void) { } int g(void) { f(); return 1; } int h(int k) { if (k) return 2; } int main(void) { f(); return g() + h(nondet_int()); }",
            ),
            // `main` gives 0.
            ("safe", "int main(void) { if (nondet_int()) return 3; }"),
            (
                "unsafe",
                "struct s { int a; }; struct s f(int n) { struct s s = {1}; if (n) return s; } int main(void) { return f(nondet_int()).a; }",
            ),
            (
                "safe",
                "struct s { int a; }; struct s f(int n) { struct s s = {1}; if (n) return s; } int main(void) { return f(1).a; }",
            ),
            (
                "unsafe",
                "int f(int n) { while (n > 0) { n--; if (n == 5) return n; } } int main(void) { return f(nondet_int()); }",
            ),
            (
                "safe",
                "int f(int n) { for (;;) { n++; if (n == 5) return n; } } int main(void) { return f(nondet_int()); }",
            ),
            // A jump leaves a function without a result, and not to what uses it.
            (
                "safe",
                "typedef long jmp_buf[32]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); jmp_buf b; int f(int n) { if (n) longjmp(b, 1); return 1; } int g(void) { } int main(void) { if (setjmp(b)) return 1; g(); return f(nondet_int()); }",
            ),
        ],
    );
}

#[test]
fn arrays_have_elements() {
    judge(
        Check::Vla,
        true,
        &[
            (
                "unsafe",
                "int main(void) { int n = nondet_int(); if (n > 5) n = 5; int a[n]; return sizeof a > 0; }",
            ),
            (
                "safe",
                "int main(void) { int n = nondet_int(); if (n > 5 || n < 1) n = 5; int a[n]; return sizeof a > 0; }",
            ),
            ("unsafe", "int main(void) { unsigned n = nondet_uint() % 4; int a[n]; return 0; }"),
            ("safe", "int main(void) { unsigned n = nondet_uint() % 4; int a[n + 1]; return 0; }"),
            ("unsafe", "int main(void) { int n = nondet_int() & 3; int a[2][n]; return 0; }"),
            ("safe", "int main(void) { int n = nondet_int() & 3; int a[2][n | 1]; return 0; }"),
            (
                "unsafe",
                "void f(int n) { char t[n - 1]; } int main(void) { f(1 + (nondet_int() & 1)); return 0; }",
            ),
            (
                "safe",
                "void f(int n) { char t[n - 1]; } int main(void) { f(2 + (nondet_int() & 1)); return 0; }",
            ),
            ("unsafe", "int main(void) { for (int i = 3; i >= 0; i--) { int a[i]; } return 0; }"),
            ("safe", "int main(void) { for (int i = 3; i > 0; i--) { int a[i]; } return 0; }"),
        ],
    );
    // gcc does not look at these.
    judge(
        Check::Vla,
        false,
        &[
            ("unsafe", "int main(void) { int n = nondet_int() & 3; return sizeof(int[n]) == 8; }"),
            (
                "safe",
                "int main(void) { int n = nondet_int() & 3; return sizeof(int[n + 1]) == 8; }",
            ),
            (
                "unsafe",
                "int main(void) { int n = nondet_int() & 3; typedef int row[n]; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int n = nondet_int() & 3; typedef int row[n + 1]; return 0; }",
            ),
        ],
    );
}
