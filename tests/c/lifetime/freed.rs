//! What is freed (C11, 7.22.3.3).

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn only_live_blocks_may_be_freed() {
    judge(
        Check::Free,
        &[
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); free(p); if (nondet_int() == 4711) free(p); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); if (nondet_int() == 4711) { free(p); p = 0; } free(p); return 0; }",
            ),
            // Another name.
            (
                "unsafe",
                "int main(void) { int *p = malloc(4), *q = p; free(p); if (nondet_int()) q = malloc(4); free(q); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4), *q = p; free(p); q = malloc(4); free(q); return 0; }",
            ),
            // A variable, the middle of a block, a literal, the stack.
            (
                "unsafe",
                "int g; int main(void) { int *p = malloc(4); if (nondet_int() == 3) p = &g; free(p); return 0; }",
            ),
            (
                "safe",
                "int g; int main(void) { int *p = malloc(4); if (nondet_int() == 3) p = &g; if (p != &g) free(p); return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { char *p = malloc(4); int i = nondet_int(); if (i >= 0 && i < 4) free(p + i); return 0; }",
            ),
            (
                "safe",
                "int main(void) { char *p = malloc(4); int i = nondet_int(); if (i >= 0 && i < 4) { p += i; free(p - i); } return 0; }",
            ),
            ("unsafe", "int main(void) { char *p = \"a\"; free(p); return 0; }"),
            (
                "unsafe",
                "int main(void) { int *p = alloca(4); if (nondet_int()) p = malloc(4); free(p); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = alloca(4), *q = malloc(4); *p = 1; free(nondet_int() ? q : 0); return 0; }",
            ),
            // In a function, and by a pointer to the function.
            (
                "unsafe",
                "void drop(int *p) { free(p); } int main(void) { int *p = malloc(4); drop(p); if (nondet_int() > 5) drop(p); return 0; }",
            ),
            (
                "safe",
                "void drop(int **p) { free(*p); *p = 0; } int main(void) { int *p = malloc(4); drop(&p); if (nondet_int() > 5) drop(&p); return 0; }",
            ),
            (
                "unsafe",
                "void (*drop)(void *) = free; int main(void) { int *p = malloc(4); drop(p); drop(p); return 0; }",
            ),
            // `realloc` frees the old block.
            (
                "unsafe",
                "int main(void) { int *p = malloc(4), *q = realloc(p, 8); free(q); if (nondet_int() == 1) free(p); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); p = realloc(p, 8); free(p); return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); free(p); p = realloc(p, 8); return 0; }",
            ),
            ("safe", "int main(void) { int *p = realloc(0, 8); *p = 1; free(p); return 0; }"),
            // Records and lists.
            (
                "unsafe",
                "struct s { int *a; }; int main(void) { struct s s = { malloc(4) }, t = s; free(s.a); if (nondet_int()) t.a = 0; free(t.a); return 0; }",
            ),
            (
                "safe",
                "struct s { int *a; }; int main(void) { struct s s = { malloc(4) }, t = s; free(s.a); t.a = 0; free(t.a); return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = 0; for (int i = 0; i < 3; i++) { if (i != 1) p = malloc(4); free(p); } return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = 0; for (int i = 0; i < 3; i++) { p = malloc(4); free(p); } return 0; }",
            ),
        ],
    );
}
