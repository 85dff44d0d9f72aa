//! Orders and differences of pointers.

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
