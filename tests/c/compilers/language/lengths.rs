//! Arrays of variable length, and arrays of these.  Each condition is asked both ways, and gcc says which one is true.

use hardbop_c::points_to::Externals;

use super::super::{compare, expect};

/// Definitions, statements before, and the condition.
const CONDITIONS: &[(&str, &str, &str)] = &[
    (
        "void f(int n, int a[n][n]) { a[1][0] = 3; a[n - 1][1]++; }",
        "int a[2][2] = {{1, 2}, {3, 4}}; f(2, a);",
        "a[1][0] == 3 && a[1][1] == 5",
    ),
    (
        "int f(int n, int m, int a[][m]) { int s = 0; for (int i = 0; i < n; i++) s += a[i][m - 1]; return s; }",
        "int n = 2; int b[n][3]; b[0][2] = 4; b[1][2] = 5;",
        "f(2, 3, b) == 9 && sizeof b == 24",
    ),
    (
        "int f(int n, int (*a)[n]); int f(int k, int (*a)[k]) { a++; return (*a)[0] + a[-1][1] + sizeof *a; }",
        "int a[2][3] = {1, 2, 3, 4, 5, 6};",
        "f(3, a) == 4 + 2 + 12",
    ),
    (
        "int f(int, int a[*][*]); int f(int n, int a[n][n]) { return a[1][1]; }",
        "int a[2][2] = {1, 2, 3, 4};",
        "f(2, a) == 4",
    ),
    (
        "int f(int n, int m, int k, long a[n][m][k]) { return sizeof a[0] + a[1][2][1]; }",
        "int n = 2; long a[n][3][n]; a[1][2][1] = 7; a[1][2][0] = 1;",
        "f(2, 3, 2, a) == 55 && (char *)&a[1] - (char *)a == 48 && sizeof a[0][0] == 16",
    ),
    (
        "",
        "int n = 3; int a[4][n]; int (*p)[n] = a, (*q)[n] = &a[3]; a[2][1] = 8; p += 2;",
        "q - p == 1 && p[0][1] == 8 && *(*p + 1) == 8 && &p[1] == q && p < q",
    ),
    // Lengths are evaluated once, where the declaration is.
    (
        "int c; int g(int n) { c++; return n; }",
        "int a[g(2)][g(3)]; a[1][1] = 4; int s = sizeof a + sizeof a[0];",
        "c == 2 && s == 36 && a[1][1] == 4",
    ),
    ("", "int n = 2; int a[n++][n]; (void)a; int b[n]; n = 7;", "sizeof b == 12"),
    (
        "",
        "int n = 2; typedef int T[n]; n = 5; T a, b[n]; a[1] = 3; b[4][1] = 4;",
        "sizeof(T) == 8 && sizeof a == 8 && sizeof b == 40 && a[1] + b[4][1] == 7",
    ),
    (
        "",
        "int n = 3; int a[n]; int (*p)[n] = &a; (*p)[2] = 5; n = 1;",
        "a[2] == 5 && sizeof *p == 12 && *p == a",
    ),
    (
        "struct s { char c; int x; };",
        "int n = 2; struct s a[n][n]; a[1][0].x = 4; a[0][1].c = 'x'; struct s *p = a[1];",
        "p->x == 4 && (&a[0][1])->c == 'x' && sizeof a == 32",
    ),
    (
        "",
        "int n = 2; int a[n][n], i = 0; a[1][0] = 1; a[i++][i] = 0; a[i][0] += 4; ++a[i][0];",
        "i == 1 && a[1][0] == 6",
    ),
    (
        "",
        "int n = 2; char a[n][4]; a[1][3] = 'x'; char (*p)[4] = a + 1;",
        "(*p)[3] == 'x' && sizeof a == 8",
    ),
];

/// The same with conditions that hold, which executions find: a proof approximates elements.
const EXECUTED: &[(&str, &str, &str)] = &[
    (
        "",
        "int n = 2, m = 3; int a[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 10 * i + j; m = 9;",
        "a[1][2] == 12 && a[0][1] == 1 && sizeof a == 24 && sizeof a[0] == 12 && sizeof a / sizeof *a == 2",
    ),
    (
        "int f(int n) { int s = 0; for (int i = 1; i <= n; i++) { int a[i][i + 1]; a[i - 1][i] = i; s += a[i - 1][i] + sizeof a; } return s; }",
        "",
        "f(3) == 6 + 8 + 24 + 48",
    ),
    (
        "int f(int n) { int a[n][n]; a[n - 1][0] = n; return n > 1 ? f(n - 1) + a[n - 1][0] + sizeof a[0] : 0; }",
        "",
        "f(3) == 5 + 12 + 8",
    ),
    (
        "void *malloc(unsigned long);",
        "int n = 2, m = 2; int (*a)[m] = malloc(sizeof(int[n][m])); if (!a) return 0; a[1][1] = 6; a[0][1] = 2;",
        "a[1][1] == 6 && ((int *)a)[3] == 6 && ((int (*)[m])a)[0][1] == 2",
    ),
];

/// What is refused, or left undecided.
const OTHER: &[(&str, &str)] = &[
    ("int n; int (*p)[n]; int main(void) { }", "must be constant"),
    ("int main(void) { int n = 2; typedef int T[n]; static T a; }", "only a local array"),
    ("int main(void) { int n = 2, i = 0; int a[n][n]; return sizeof(a[i++]); }", "with effects"),
    ("int f(n, a) int n; int a[n][n]; { return a[1][1]; } int main(void) { }", "undeclared name 'n'"),
    ("int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; int a[n][n];
      a[n - 1][0] = 1; if (a[n - 1][0] == 1 && n == 3) reach_error(); }", "unsafe"),
    ("int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; int a[n][n + 1];
      if (sizeof a != 4 * n * (n + 1) || &a[1][0] - &a[0][0] != n + 1) reach_error(); }", "safe"),
];

#[test]
fn conditions() {
    let text = |not: &str, (before, statements, condition): &(&str, &str, &str)| {
        let test = format!("if ({not}({condition})) reach_error();");
        (true, format!("{before}\nint main(void) {{ {statements}\n{test} return 0; }}"))
    };
    let both = CONDITIONS.iter().flat_map(|row| ["", "!"].map(|not| text(not, row)));
    compare("-std=gnu17", both.chain(EXECUTED.iter().map(|row| text("", row))));
}

#[test]
fn what_is_left() {
    expect(OTHER.iter().map(|&(text, expected)| (text, expected, Externals::Any)));
}
