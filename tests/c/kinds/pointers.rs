//! Orders and differences of pointers, and how they are aligned.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn pointers_that_are_compared_lead_into_one_object() {
    judge(
        Check::PointerOrder,
        true,
        &[
            (
                "unsafe",
                "int a[4], b[4]; int main(void) { int *p = a, *q = nondet_int() ? a + 2 : b; return p < q; }",
            ),
            (
                "safe",
                "int a[4], b[4]; int main(void) { int *p = a, *q = nondet_int() ? a + 2 : a + 4; return p < q; }",
            ),
            (
                "unsafe",
                "int a[4], b[4]; int main(void) { int *p = a, *q = nondet_int() ? a + 2 : b; return p - q == 1; }",
            ),
            (
                "safe",
                "int a[4], b[4]; int main(void) { int *p = b, *q = nondet_int() ? b + 2 : b; return p - q == 1; }",
            ),
            ("unsafe", "int main(void) { int x, y; return &x >= &y; }"),
            ("safe", "int main(void) { int x, y; return &x == &y || &x != &y; }"),
            ("unsafe", "int main(void) { int *p = malloc(8), *q = malloc(8); return p > q; }"),
            (
                "safe",
                "int main(void) { int *p = malloc(8), *q = p + 2; return p <= q && q - p == 2; }",
            ),
            (
                "unsafe",
                "int a[4]; int main(void) { int *p = nondet_int() ? a : 0; return p < a + 4; }",
            ),
            (
                "safe",
                "int a[4]; int main(void) { int *p = nondet_int() ? a : 0; return p && p < a + 4; }",
            ),
            (
                "safe",
                "int a[4]; int main(void) { int *p = nondet_int() ? a : 0, *e = a + 4; return p && p < e; }",
            ),
            (
                "unsafe",
                "int a[4]; int main(void) { int *p = nondet_int() ? a : 0, *e = a + 4; return !p && p < e; }",
            ),
            ("safe", "struct s { int x, y; } s; int main(void) { return &s.x < &s.y; }"),
            (
                "safe",
                "int a[9]; int main(void) { int n = 0; for (int *p = a; p < a + 9; p++) n += *p; return n; }",
            ),
            (
                "unsafe",
                "int a[9], b[9]; int main(void) { int n = 0; for (int *p = b; p < a + 9; p++) n++; return n; }",
            ),
        ],
    );
}

#[test]
fn pointers_are_aligned() {
    judge(
        Check::Alignment,
        true,
        &[
            (
                "unsafe",
                "int main(void) { int a[2] = {0}; char *p = (char *)a; int *q = (int *)(p + 1); return *q; }",
            ),
            (
                "safe",
                "int main(void) { int a[2] = {0}; char *p = (char *)a; int *q = (int *)(p + 4); return *q; }",
            ),
            (
                "unsafe",
                "int main(void) { int a[4] = {0}; char *p = (char *)a; int *q = (int *)(p + nondet_uint() % 9); return *q; }",
            ),
            (
                "safe",
                "int main(void) { int a[4] = {0}; char *p = (char *)a; int *q = (int *)(p + nondet_uint() % 3 * 4); return *q; }",
            ),
            (
                "unsafe",
                "int main(void) { char *p = malloc(16); long *q = (long *)(p + 4); *q = 2; return 0; }",
            ),
            (
                "safe",
                "int main(void) { char *p = malloc(16); long *q = (long *)(p + 8); *q = 2; return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { short b[8]; int *q = (int *)((char *)b + 1); *q = 2; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int x[2]; void *p = (char *)x + 2; short *q = p; *q = 1; return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int x[2]; void *p = (char *)x + 2; int *q = p; *q = 1; return 0; }",
            ),
            (
                "safe",
                "struct l { struct l *n; int v; }; int main(void) { struct l *h = 0; for (int i = 0; i < nondet_int(); i++) { struct l *x = malloc(sizeof *x); x->n = h; h = x; } return h != 0; }",
            ),
            (
                "unsafe",
                "struct h { int a; }; int main(void) { char *b = malloc(20); struct h *h = (struct h *)(b + nondet_uint() % 10); h->a = 3; return 0; }",
            ),
            (
                "unsafe",
                "struct h { int a; }; int main(void) { char *b = malloc(2000); struct h *h = (struct h *)(b + nondet_uint() % 10); h->a = 3; return 0; }",
            ),
            (
                "safe",
                "union u { char c[8]; long l; }; int main(void) { union u u; long *p = (long *)u.c; *p = 3; return 0; }",
            ),
            (
                "safe",
                "int main(void) { size_t n = nondet_uint() % 5 + 1; int a[n]; a[0] = 3; return a[0]; }",
            ),
            // Where it depends on the place of the object, or is not followed.
            ("unknown", "int main(void) { char b[8]; int *q = (int *)b; *q = 2; return 0; }"),
            (
                "unknown",
                "struct __attribute__((packed)) s { char c; int i; }; int main(void) { struct s s; int *p = &s.i; *p = 1; return 0; }",
            ),
            (
                "safe",
                "struct __attribute__((packed)) s { char c; int i; }; int main(void) { struct s s, *p = &s; p->i = 3; return s.i; }",
            ),
            ("unknown", "int main(void) { int *p = (int *)(size_t)nondet_uint(); return p != 0; }"),
            ("unknown", "int main(void) { int *p = (int *)0x1001; return p != 0; }"),
            ("safe", "int main(void) { int *p = (int *)0x1000; return p != 0; }"),
        ],
    );
}
