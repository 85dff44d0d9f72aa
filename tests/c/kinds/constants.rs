//! Writes to what is defined `const`, and to string literals.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn constants_are_not_written() {
    judge(
        Check::Const,
        false,
        &[
            (
                "unsafe",
                "const int c = 3; int x; int main(void) { int *p = nondet_int() ? (int *)&c : &x; *p = 4; return 0; }",
            ),
            (
                "safe",
                "const int c = 3; int x; int main(void) { int *p = nondet_int() ? (int *)&c : &x; if (p == &x) *p = 4; return *p; }",
            ),
            ("unsafe", "int main(void) { char *t = \"abc\"; t[1] = 'x'; return 0; }"),
            (
                "safe",
                "int main(void) { char t[] = \"abc\"; t[1] = 'x'; return t[0] == \"abc\"[0]; }",
            ),
            ("unsafe", "int main(void) { const int c = nondet_int(); *(int *)&c = 4; return c; }"),
            (
                "safe",
                "int main(void) { const int c = nondet_int(); const int *p = &c; int d = *p; *(int *)&d = 4; return d; }",
            ),
            (
                "unsafe",
                "const int a[3] = {1, 2, 3}; void f(int *p, int n) { p[n] = 4; } int main(void) { int b[3]; f(nondet_int() ? (int *)a : b, 1); return 0; }",
            ),
            (
                "safe",
                "const int a[3] = {1, 2, 3}; int f(int *p, int n) { return p[n]; } int main(void) { int b[3] = {1}; return f(nondet_int() ? (int *)a : b, 1); }",
            ),
            (
                "unsafe",
                "struct s { int x, y; }; const struct s s = {1, 2}; int main(void) { struct s *p = (struct s *)&s; p->y = nondet_int(); return 0; }",
            ),
            (
                "safe",
                "struct s { int x, y; }; const struct s s = {1, 2}; int main(void) { struct s t = s, *p = &t; p->y = nondet_int(); return 0; }",
            ),
            (
                "unsafe",
                "const char t[4] = \"abc\"; int main(void) { memset((char *)t, 0, nondet_uint() % 3); return 0; }",
            ),
            (
                "safe",
                "const char t[4] = \"abc\"; int main(void) { memset((char *)t, 0, nondet_uint() % 1); return 0; }",
            ),
            ("unsafe", "int main(void) { char *t = \"abc\"; strcpy(t, \"x\"); return 0; }"),
            (
                "safe",
                "int main(void) { char t[4], *s = \"abc\"; strcpy(t, s); memcpy(t, s, 4); return 0; }",
            ),
            (
                "unknown",
                "int main(void) { char *t = \"abc\"; strncpy(t, \"x\", nondet_uint() % 2); return 0; }",
            ),
            // What is first given is no write, nor is what a pointer to 'const' leads to.
            (
                "safe",
                "int main(void) { const int a[300] = {1, 2}; const struct { int b[200]; } s = {{3}}; return a[nondet_uint() % 300] + s.b[5]; }",
            ),
            ("safe", "int x; int main(void) { const int *p = &x; *(int *)p = 3; return 0; }"),
            (
                "unsafe",
                "int main(void) { static const long c = 3; long *p = (long *)&c; (*p)++; return 0; }",
            ),
        ],
    );
}
