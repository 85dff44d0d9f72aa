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
            // The way does not decide, but the value.
            (
                "unsafe",
                "int *g; int main(void) { int *q = 0; g = malloc(4); g = nondet_int() ? g : q; return 0; }",
            ),
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

#[test]
fn blocks_of_functions_that_are_not_followed_are_undecided() {
    judge(
        Check::Cleanup,
        &[
            (
                "unknown",
                "char *realpath(const char *, char *); int main(void) { free(realpath(\"abc\", 0)); return 0; }",
            ),
            (
                "safe",
                "char *strndup(const char *, size_t); int main(void) { free(strndup(\"abc\", 2)); return 0; }",
            ),
            (
                "unknown",
                "int posix_memalign(void **, size_t, size_t); int main(void) { void *p; posix_memalign(&p, 16, 16); return 0; }",
            ),
            (
                "unknown",
                "struct q *make(void); int main(void) { void *p = make(); free(p); return 0; }",
            ),
            ("unknown", "void drop(void *); int main(void) { drop(malloc(4)); return 0; }"),
            ("safe", "char *strerror(int); int main(void) { return strerror(3) == 0; }"),
        ],
    );
    judge(
        Check::Leak,
        &[
            (
                "unknown",
                "int setvbuf(void *, char *, int, size_t); extern void *stdout; int main(void) { setvbuf(stdout, malloc(99), 0, 99); return 0; }",
            ),
            ("unsafe", "int main(void) { malloc(99); return 0; }"),
        ],
    );
}

#[test]
fn blocks_of_the_library_are_none_of_the_program() {
    // What `getenv` returns is not the program's to free.
    let head = "char *getenv(const char *);";
    let with = |text: &str| format!("{head} {text}");
    let programs = [
        ("safe", with("int main(void) { return getenv(\"X\") == 0; }")),
        ("unsafe", with("int main(void) { malloc(1); return getenv(\"X\") == 0; }")),
    ];
    let programs: Vec<(&str, &str)> = programs.iter().map(|(e, t)| (*e, t.as_str())).collect();
    judge(Check::Cleanup, &programs);
    let freed = with("int main(void) { free(getenv(\"X\")); return 0; }");
    let fine = with("int main(void) { getenv(\"X\"); free(malloc(2)); return 0; }");
    judge(Check::Free, &[("unsafe", freed.as_str()), ("safe", fine.as_str())]);
}

#[test]
fn blocks_whose_addresses_may_be_numbers_are_not_lost() {
    judge(
        Check::Leak,
        &[
            (
                "unknown",
                "unsigned long g; int main(void) { g = (unsigned long)malloc(4) ^ 5; return 0; }",
            ),
            (
                "unknown",
                "union { int *p; unsigned long u; } x; unsigned long g; int main(void) { x.p = malloc(4); g = x.u ^ 7; x.p = 0; return 0; }",
            ),
            (
                "unknown",
                "char g[8]; int main(void) { int *p = malloc(4); for (int i = 0; i < 8; i++) g[7 - i] = ((char *)&p)[i]; return 0; }",
            ),
            (
                "unsafe",
                "union { int *p; unsigned long u; } x; int main(void) { x.p = malloc(4); x.p = 0; return 0; }",
            ),
        ],
    );
}
