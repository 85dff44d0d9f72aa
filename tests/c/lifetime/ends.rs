//! Blocks that are live where the program ends.

use super::{judge, judge_by};
use hardbop_base::errors::Check;
use hardbop_verify::Options;

#[test]
fn blocks_are_freed_before_the_end() {
    judge(
        Check::Cleanup,
        &[
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); if (nondet_int() != 5) free(p); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); if (nondet_int() != 5) { free(p); p = 0; } free(p); return 0; }",
            ),
            ("unsafe", "int *g; int main(void) { g = malloc(4); return nondet_int() && g; }"),
            (
                "safe",
                "int *g; void end(void) { free(g); } int main(void) { g = malloc(4); end(); return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); if (nondet_int()) exit(1); free(p); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); if (nondet_int()) { free(p); exit(1); } free(p); return 0; }",
            ),
            // Where it is ended from outside, nothing is asked for.
            (
                "safe",
                "int main(void) { int *p = malloc(4); if (nondet_int()) abort(); free(p); return 0; }",
            ),
            (
                "safe",
                "int *g; void end(void) { free(g); } int main(void) { atexit(end); g = malloc(4); if (nondet_int()) exit(2); return 0; }",
            ),
            (
                "unsafe",
                "int *g; void end(void) { g = malloc(4); } int main(void) { atexit(end); return 0; }",
            ),
            // The result is dropped, or put elsewhere.
            ("unsafe", "int main(void) { malloc(4); return 0; }"),
            ("safe", "int *a[2]; int main(void) { a[1] = calloc(1, 4); free(a[1]); return 0; }"),
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); p = realloc(p, nondet_int() == 2 ? 8 : 4); return p == 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); p = realloc(p, 8); free(p); p = realloc(0, 8); free(p); return 0; }",
            ),
            (
                "unsafe",
                "void *(*make)(size_t) = malloc; int main(void) { void *p = make(3); if (nondet_int()) free(p); return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { for (int i = 0; i < 3; i++) { int *p = malloc(4); if (i != nondet_int()) free(p); } return 0; }",
            ),
            (
                "safe",
                "int main(void) { for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; free(p); } return 0; }",
            ),
        ],
    );
}

#[test]
fn lists_are_freed_before_the_end() {
    judge_by(
        Check::Cleanup,
        &[Options::default()],
        &[
            ("safe", "struct n { struct n *next; }; int main(void) { struct n *h = 0; int n = nondet_int(); for (int i = 0; i < n && i < 3; i++) { struct n *t = malloc(8); t->next = h; h = t; }
          while (h) { struct n *t = h->next; free(h); h = t; } return 0; }"),
            ("unsafe", "struct n { struct n *next; }; int main(void) { struct n *h = 0; int n = nondet_int(); for (int i = 0; i < n && i < 3; i++) { struct n *t = malloc(8); t->next = h; h = t; }
          while (h && h->next) { struct n *t = h->next; free(h); h = t; } return 0; }"),
        ],
    );
}

#[test]
fn blocks_are_not_lost() {
    judge_by(
        Check::Leak,
        &[Options::default()],
        &[
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); if (nondet_int() != 5) free(p); return 0; }",
            ),
            ("safe", "int main(void) { int *p = malloc(4); free(p); return 0; }"),
            (
                "unsafe",
                "int *g; int main(void) { g = malloc(4); if (nondet_int() == 77) g = 0; return 0; }",
            ),
            ("safe", "int *g; int main(void) { g = malloc(4); free(g); return 0; }"),
            (
                "unsafe",
                "void f(void) { char *p = malloc(4); p[0] = 1; } int main(void) { if (nondet_int()) f(); return 0; }",
            ),
            (
                "safe",
                "void f(void) { char *p = malloc(4); p[0] = 1; free(p); } int main(void) { if (nondet_int()) f(); return 0; }",
            ),
            (
                "unsafe",
                "struct n { struct n *next; } *h; int main(void) { h = malloc(8); h->next = malloc(8); h->next->next = 0; free(h->next); h->next = malloc(8); if (nondet_int()) h->next = 0; return 0; }",
            ),
            ("unsafe", "int main(void) { int *p = malloc(4); p = realloc(p, 8); return p == 0; }"),
            ("unsafe", "void f(void) { malloc(4); exit(0); } int main(void) { f(); return 0; }"),
        ],
    );
}
