//! Files that declare one thing with two types: what is passed and stored alike counts as the definition says.

use super::Expected::{Safe, Unlike, Unsafe};
use super::{Expected, are_linked, expect, folder, hardbop};

const PROGRAMS: &[(&str, &str, &str, Expected)] = &[
    (
        "two types of an object",
        "extern long x; int main(void) { return x; }",
        "int x = 1;",
        Unlike(2, &["'x' is declared with two types", "a.c:1:13", "b.c:1:5", "'long x' here"]),
    ),
    (
        "two types of a function",
        "int f(long); int main(void) { return f(1); }",
        "int f(int n) { return n; }",
        Unlike(2, &["'f' is declared with two types", "a.c:1:5", "b.c:1:5"]),
    ),
    (
        "two structs of one tag",
        "struct s { int a; } extern x; int main(void) { return x.a; }",
        "struct s { int b; } x;",
        Unlike(2, &["'x' is declared with two types"]),
    ),
    (
        "a table with a sign in one file only",
        "extern const int t[]; int g(void); int main(void) { if (t[1] != -2 || t[1] > 0 || t[1] / 2 != -1 || g() != 2147483647) error(); }",
        "const unsigned t[] = { 1, -2, 3 }; int g(void) { return t[1] / 2; }",
        Safe,
    ),
    (
        "narrow elements with a sign in one file only",
        "extern signed char c[4]; extern signed char *p; int g(int); int main(void) { c[2] = -1; if (g(2) != 255 || *p != -1 || c[2] >= 0) error(); }",
        "unsigned char c[4]; unsigned char *p = c + 2; int g(int i) { return c[i]; }",
        Safe,
    ),
    (
        "the same, wrongly",
        "extern signed char c[4]; int g(int); int main(void) { c[2] = -1; if (g(2) != -1) error(); }",
        "unsigned char c[4]; int g(int i) { return c[i]; }",
        Unsafe(&["a.c:1"]),
    ),
    (
        "one name for linkers",
        "int f(void) __asm__(\"g\"); extern int v __asm__(\"w\"); int main(void) { if (f() != 2 || v != 3) error(); }",
        "int f(void) __asm__(\"g\"); int f(void) { return 2; } extern int v __asm__(\"w\"); int v = 3;",
        Safe,
    ),
    (
        "narrow parameters, which compilers extend as they are declared",
        "int f(signed char); int main(void) { return f(-1); }",
        "int f(unsigned char c) { return c; }",
        Unlike(2, &["'f' is declared with two types"]),
    ),
    (
        "pointers to different types",
        "struct a { int u, v; }; extern struct a *p; extern char *c; extern void *x; int get(void);
        int main(void) { p->v = 7; c[0]++; if (get() != 8 || *(int *)x != 7) error(); }",
        "struct b { int s, t; }; static struct b o = { 6, 0 }; struct b *p = &o; int *c = &o.t, *x = &o.s;
        int get(void) { o.s++; return o.t; }",
        Safe,
    ),
    (
        "parameters with a sign in one file only",
        "int f(unsigned, const char *); int main(void) { char s[2] = { -3, 0 }; if (f(-5, s) != 1) error(); }",
        "int f(int n, const unsigned char *t) { return n == -5 && *t == 253; }",
        Safe,
    ),
    (
        "a parameter that is more in another file",
        "void put(void *, int); int get(const void *); int main(void) { long where = 0; put(&where, 7); if (get(&where) != 7) error(); }",
        "struct box { int n; }; void put(struct box *b, int n) { b->n = n; } int get(struct box const *b) { return b->n; }",
        Safe,
    ),
    (
        "results that differ",
        "int *f(void); int main(void) { return f() == 0; }",
        "static char c; char *f(void) { return &c; }",
        Unlike(2, &["'f' is declared with two types"]),
    ),
    (
        "lengths that differ",
        "extern unsigned t[3]; int main(void) { return t[0]; }",
        "int t[2];",
        Unlike(2, &["'t' is declared with two types"]),
    ),
    (
        "functions of headers, by different macros",
        "struct set { long bits[2]; }; extern int select(int, struct set *); extern char *text(int) __asm__(\"gnu_text\");
        int main(void) { return 0; }",
        "typedef struct { long __bits[2]; } set; extern int select(int, set *); extern int text(int);",
        Safe,
    ),
];

#[test]
fn declarations_that_differ_are_no_end() {
    are_linked(PROGRAMS);
}

#[test]
fn they_are_warned_of() {
    let folder = folder(&[
        ("a.c", "extern const int sizes[];\nint main(void) { return 8 / sizes[1]; }\n"),
        ("b.c", "const unsigned sizes[] = { 0, 2 };\n"),
    ]);
    let parts = ["warning: a.c:1:18: 'sizes' is declared with two types", "VERDICT: SAFE"];
    expect(&hardbop(&folder, &["check", "a.c", "b.c"]), 0, &parts);
}
