//! Copies between objects that overlap, and formats that do not fit.

use super::judge;
use hardbop_base::errors::Check;

#[test]
fn copies_do_not_overlap() {
    judge(
        Check::Overlap,
        true,
        &[
            ("unsafe", "char a[16]; int main(void) { memcpy(a + 4, a, 5); return 0; }"),
            ("safe", "char a[16]; int main(void) { memcpy(a + 4, a, 4); return 0; }"),
            (
                "unsafe",
                "char a[16]; int main(void) { unsigned n = nondet_uint() % 6; memcpy(a, a + 4, n); return 0; }",
            ),
            (
                "safe",
                "char a[16]; int main(void) { unsigned n = nondet_uint() % 5; memcpy(a, a + 4, n); return 0; }",
            ),
            ("safe", "char a[16]; int main(void) { memmove(a + 4, a, 5); return 0; }"),
            (
                "safe",
                "char a[16], b[16]; int main(void) { memcpy(nondet_int() ? a : a + 8, b, 8); return 0; }",
            ),
            (
                "unsafe",
                "char a[16], b[16]; int main(void) { memcpy(nondet_int() ? a + 1 : b, b + 8 * 0, 8) ; memcpy(a, nondet_int() ? a + 7 : b, 8); return 0; }",
            ),
            (
                "safe",
                "int main(void) { char *p = malloc(8), *q = malloc(8); memset(q, 0, 8); memcpy(p, q, 8); return 0; }",
            ),
            (
                "unsafe",
                "struct s { int a, b; } s[2]; int main(void) { memcpy((char *)s + nondet_uint() % 8 + 1, s, sizeof *s); return 0; }",
            ),
        ],
    );
    // Of these, gcc's sanitizers find some.
    judge(
        Check::Overlap,
        false,
        &[
            ("unsafe", "char a[16]; int main(void) { memcpy(a, a, 4); return 0; }"),
            ("safe", "char a[16]; int main(void) { memcpy(a, a, 0); return 0; }"),
            ("unsafe", "char a[16] = \"abc\"; int main(void) { strcpy(a, a); return 0; }"),
            (
                "safe",
                "char a[16] = \"abc\", b[16]; int main(void) { strcpy(b, a); strcat(b, a); return 0; }",
            ),
            ("unknown", "char a[16] = \"abc\"; int main(void) { strcpy(a + 8, a); return 0; }"),
            (
                "unknown",
                "char a[16] = \"abc\"; int main(void) { sprintf(a, \"%s.\", a); return 0; }",
            ),
            (
                "safe",
                "char a[16] = \"abc\", b[20]; int main(void) { sprintf(b, \"%s.\", a); return 0; }",
            ),
        ],
    );
}

#[test]
fn formats_fit_their_arguments() {
    judge(
        Check::Format,
        false,
        &[
            ("unsafe", "int main(void) { if (nondet_int() == 3) printf(\"%s\", 3); return 0; }"),
            ("safe", "int main(void) { if (nondet_int() == 3) printf(\"%s\", \"3\"); return 0; }"),
            ("unsafe", "int main(void) { printf(\"%d\", 3l); return 0; }"),
            (
                "safe",
                "int main(void) { printf(\"%ld %d %u %x\", 3l, 'c', (short)3, -1); return 0; }",
            ),
            ("unsafe", "int main(void) { printf(\"%d %d\", 3); return 0; }"),
            ("safe", "int main(void) { printf(\"%d %%\", 3, 4); return 0; }"),
            ("unsafe", "int main(void) { printf(\"%f\", 3); return 0; }"),
            ("safe", "int main(void) { printf(\"%f %5.2e %lg\", 3.0f, 3.0, 3.0); return 0; }"),
            ("unsafe", "int main(void) { printf(\"%*d\", 3ul, 3); return 0; }"),
            ("safe", "int main(void) { printf(\"%*d %.*s\", 3, 3, 2, \"abc\"); return 0; }"),
            ("unsafe", "int main(void) { printf(\"%lld\", 3l); return 0; }"),
            (
                "safe",
                "int main(void) { printf(\"%lld %zu %td %hhd %hd %p %c\", 3ll, sizeof(int), 3l, 3, 3, &main, 3); return 0; }",
            ),
            ("unsafe", "int main(void) { char t[9]; sprintf(t, \"%d\", t); return 0; }"),
            ("safe", "int main(void) { char t[9]; sprintf(t, \"%d\", 9); return 0; }"),
            ("unsafe", "int main(void) { long n; scanf(\"%d\", &n); return 0; }"),
            (
                "safe",
                "int main(void) { long n; char t[9]; scanf(\"%ld %8s %*d\", &n, t); return 0; }",
            ),
            ("unsafe", "int main(void) { float f; scanf(\"%lf\", &f); return 0; }"),
            ("safe", "int main(void) { double f; scanf(\"%lf\", &f); return 0; }"),
            ("unsafe", "int main(void) { int n; scanf(\"%d %d\", &n); return 0; }"),
            ("safe", "int main(void) { int n; scanf(\"%d %%\", &n); return 0; }"),
            ("unsafe", "int main(void) { int n; sscanf(\"3\", \"%d %d\", &n); return 0; }"),
            ("unknown", "int main(void) { long n; sscanf(\"3\", \"%d\", &n); return 0; }"),
            ("safe", "int main(void) { int n; sscanf(\"3\", \"%d\", &n); return 0; }"),
            // What is not known.
            ("unknown", "int main(void) { printf(nondet_int() ? \"%d\" : \"%x\", 3); return 0; }"),
            ("unknown", "int main(void) { printf(\"%2$d %1$d\", 3, 4); return 0; }"),
            // By a pointer.
            (
                "unsafe",
                "int main(void) { int (*p)(const char *, ...) = printf; p(\"%s\", 3); return 0; }",
            ),
            (
                "safe",
                "int main(void) { int (*p)(const char *, ...) = printf; p(\"%d\", 3); return 0; }",
            ),
        ],
    );
}
