//! Accesses to freed blocks, and to variables that have ended (C11, 6.2.4).

use super::{judge, judge_by};
use hardbop_base::errors::Check;
use hardbop_verify::Options;

#[test]
fn freed_blocks_are_not_used() {
    judge(
        Check::Lifetime,
        &[
            (
                "unsafe",
                "int main(void) { int *p = malloc(4); if (nondet_int() == 4711) free(p); *p = 1; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); if (nondet_int() == 4711) { free(p); p = malloc(4); } *p = 1; return 0; }",
            ),
            (
                "unsafe",
                "int *g; void drop(void) { free(g); } int main(void) { int *p = g = malloc(8); if (nondet_int()) drop(); return p[1] > 3; }",
            ),
            (
                "safe",
                "int *g; void drop(void) { free(g); } int main(void) { int *p = g = malloc(8), n = p[1] = 1; drop(); return n; }",
            ),
            // Calls of the library access it, too.
            (
                "unsafe",
                "int main(void) { char *p = malloc(4); strcpy(p, \"ab\"); if (nondet_int() == 9) free(p); return strlen(p) == 7; }",
            ),
            (
                "safe",
                "int main(void) { char *p = malloc(4), q[4]; strcpy(p, \"ab\"); strcpy(q, p); free(p); return strlen(q) == 7; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = malloc(4), n; *p = 1; free(p); memcpy(&n, p, 4); return n; }",
            ),
            // No byte is copied.
            (
                "safe",
                "int main(void) { int *p = malloc(4), n = 0; int k = nondet_int(); free(p); if (k == 0) memcpy(&n, p, k); return n; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = malloc(4), *q = realloc(p, 8); q[0] = 1; if (nondet_int() == 6) *p = 2; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = malloc(4); p = realloc(p, 8); p[1] = 1; return p[1] - 1; }",
            ),
        ],
    );
}

#[test]
fn variables_are_not_used_behind_their_blocks() {
    judge(
        Check::Lifetime,
        &[
            (
                "unsafe",
                "int *f(void) { int x = 1, *q = &x; return q; } int main(void) { int i = nondet_int(), *p = f(); if (i > 3) p = &i; return *p; }",
            ),
            (
                "safe",
                "int *f(void) { static int x = 1; int *q = &x; return q; } int main(void) { int i = nondet_int(), *p = f(); if (i > 3) p = &i; return *p; }",
            ),
            (
                "unsafe",
                "int *g; void f(void) { int a[2] = { 1, 2 }; g = a; } int main(void) { f(); return g[1]; }",
            ),
            (
                "safe",
                "int *g; void f(void) { int a[2] = { 1, 2 }; g = a; g[1] = 2; } int main(void) { f(); return g != 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = 0, n = nondet_int(); if (n == 7) { int x = n; p = &x; } return p ? *p : 0; }",
            ),
            (
                "safe",
                "int main(void) { int *p = 0, n = nondet_int(); if (n == 7) { int x = n; p = &x; n = *p; } return p ? n : 0; }",
            ),
            // Each round has its own variable.
            (
                "unsafe",
                "int main(void) { int *p = 0, n = nondet_int(); for (int i = 0; i < 3; i++) { int x = i; if (p && i == n) return *p; p = &x; } return 0; }",
            ),
            // Jumps out of the block and back into it, and within it.
            (
                "unsafe",
                "int main(void) { int *p = 0, n = nondet_int(); { int x = 1; p = &x; if (n) goto out; *p = 2; } return 0; out: return *p; }",
            ),
            (
                "safe",
                "int main(void) { int *p = 0, n = 0; { int x = 1; p = &x; again: *p += 1; n++; if (n < 3) goto again; if (x != 4) *(int *)0 = 1; } return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = 0; for (;;) { int x = 1; p = &x; if (nondet_int() == 2) break; *p = 3; } *p = 1; return 0; }",
            ),
            (
                "unsafe",
                "int main(void) { int *p = 0; switch (nondet_int()) { case 1: { int x = 1; p = &x; break; } case 2: p = 0; } return p ? *p : 0; }",
            ),
            // The value of a statement expression is read before its variables end.
            (
                "safe",
                "int main(void) { int r = ({ int x = 1; int *p = &x; *p = 3; x; }); int *q = &r; return *q - 3; }",
            ),
            (
                "unsafe",
                "int main(void) { int *q; int r = ({ int x = 1; q = &x; x; }); return r + *q; }",
            ),
            // A literal of a record ends with its block, too.
            (
                "unsafe",
                "struct s { int a; }; int main(void) { struct s *p = 0; if (nondet_int()) { p = &(struct s){ 4 }; } return p ? p->a : 0; }",
            ),
            (
                "safe",
                "struct s { int a; }; int main(void) { struct s *p = 0; p = &(struct s){ 4 }; return p->a; }",
            ),
        ],
    );
}

#[test]
fn lists_and_lives_are_followed_by_executions() {
    judge_by(Check::Lifetime, &[Options::default()], &[
        ("unsafe", "struct n { struct n *next; int v; }; int main(void) { struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = h; h = t; }
          while (h) { free(h); h = h->next; } return 0; }"),
        ("safe", "struct n { struct n *next; int v; }; int main(void) { struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = h; h = t; }
          while (h) { struct n *t = h->next; free(h); h = t; } return 0; }"),
        // A pointer from the last call to a variable of this one.
        (
                "unsafe",
                "int *g; void f(int n) { int x = n; if (n == 2) *g = 1; g = &x; if (n == 1) *g = 3; } int main(void) { f(1); f(nondet_int()); return 0; }",
            ),
    ]);
}

#[test]
fn arrays_of_variable_length_end_with_their_blocks() {
    judge(
        Check::Lifetime,
        &[
            (
                "unsafe",
                "int main(void) { int n = 3, *p = 0; { int a[n]; a[0] = 1; p = a; } *p = 2; return 0; }",
            ),
            (
                "safe",
                "int main(void) { int n = 3, *p = 0; { int a[n]; a[0] = 1; p = a; *p = 2; } return 0; }",
            ),
            // A jump back in front of the declaration ends the array, but not what is declared behind it.
            (
                "unsafe",
                "int main(void) { int n = 3, *p = 0; again: if (p) *p = 1; int a[n]; if (!p) { p = a; goto again; } return 0; }",
            ),
            (
                "safe",
                "int main(void) { int k = 0, n = 2, *q = 0; again: if (q) *q = 2; int a[n]; int b; q = &b; if (!k) { k = 1; goto again; } return 0; }",
            ),
            (
                "safe",
                "int main(void) { int n = 2; for (int i = 0; i < 3; i++) { int a[n]; a[0] = i; a[1] = a[0]; } return 0; }",
            ),
        ],
    );
}

#[test]
fn variables_of_main_end_with_their_blocks_and_before_handlers_run() {
    judge(
        Check::Lifetime,
        &[
            ("unsafe", "int *g; int main(void) { { int y = 1; g = &y; } *g = 1; return 0; }"),
            ("safe", "int *g; int main(void) { int y = 1; { g = &y; } *g = 1; return 0; }"),
            (
                "unsafe",
                "int *g; void h(void) { *g = 1; } int main(void) { int x; g = &x; atexit(h); return 0; }",
            ),
            (
                "safe",
                "int *g; void h(void) { *g = 1; } int main(void) { int x; g = &x; atexit(h); exit(0); }",
            ),
        ],
    );
}

#[test]
fn jumps_end_what_is_not_live_where_they_lead() {
    judge(
        Check::Lifetime,
        &[
            (
                "unsafe",
                "typedef long jmp_buf[25]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); int main(void) { jmp_buf b; int *volatile p = 0; if (!setjmp(b)) { int x = 1; p = &x; longjmp(b, 1); } return *p; }",
            ),
            (
                "safe",
                "typedef long jmp_buf[25]; int setjmp(jmp_buf); void longjmp(jmp_buf, int); jmp_buf b; int *volatile p; int main(void) { int x = 1; p = &x; if (!setjmp(b)) { longjmp(b, 1); } return *p; }",
            ),
        ],
    );
}
