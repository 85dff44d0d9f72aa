//! One cell for many: what holds of each element of a large array, or of each node of a list, is
//! proved; what does not hold is not. Of the second kind each program reaches its error, for some
//! inputs, as the standard says.

use super::{HEAD, answer_to};
use hardbop_c::Property;
use hardbop_c::lower::Model;
use hardbop_verify::Options;

const DECLARED: &str = "typedef unsigned long size_t; void *malloc(size_t), *calloc(size_t, size_t), *memset(void *, int, size_t),
*memcpy(void *, const void *, size_t);
int in(int n) { int x = __VERIFIER_nondet_int(); if (x < 0 || x >= n) for (;;) {} return x; }
struct node { int v; struct node *next; }; struct pair { int a, b; }; struct big { int n; int a[100]; };\n";

/// What holds of all elements.
const SAFE: &[&str] = &[
    "int g[5000]; int main(void) { int i = in(5000); g[i] = 5; if (g[i] != 5) reach_error(); }",
    "int a[1000]; int main(void) { for (int i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int() ? 5 : 6;
     int j = in(1000); if (a[j] < 5 || a[j] > 6) reach_error(); }",
    "int main(void) { int n = in(1000000) + 1; int *a = malloc(n * sizeof(int));
     for (int i = 0; i < n; i++) a[i] = 5; for (int i = 0; i < n; i++) if (a[i] != 5) reach_error(); }",
    "int main(void) { int n = in(5000) + 1; int a[n]; for (int i = 0; i < n; i++) a[i] = i;
     int j = in(n); if (a[j] != j) reach_error(); }",
    "int a[100000], b[100000]; int main(void) { for (int i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();
     for (int i = 0; i < 100000; i++) b[i] = a[i]; for (int i = 0; i < 100000; i++) if (a[i] != b[i]) reach_error(); }",
    "int main(void) { int a[100000], m; for (int i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int(); m = a[0];
     for (int i = 1; i < 100000; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < 100000; i++) if (a[i] > m) reach_error(); }",
    "char b[4096]; int main(void) { unsigned char c = __VERIFIER_nondet_int(); memset(b, c, sizeof b);
     if (b[in(4096)] != (char)c) reach_error(); }",
    "struct pair bank[1000]; int main(void) { for (int i = 0; i < 1000; i++) { bank[i].a = i; bank[i].b = 100; }
     bank[in(1000)].b -= in(100); if (bank[in(1000)].b < 0) reach_error(); }",
    "int main(void) { struct node *h = 0; while (__VERIFIER_nondet_int()) {
     struct node *x = malloc(sizeof *x); x->v = 1; x->next = h; h = x; }
     for (; h; h = h->next) if (h->v != 1) reach_error(); }",
    "int main(void) { int flag = __VERIFIER_nondet_int(); struct node *a = malloc(sizeof *a), *p = a;
     while (__VERIFIER_nondet_int()) { p->v = flag ? 1 : 2; struct node *t = malloc(sizeof *t); p->next = t; p = t; }
     p->v = 3; p->next = 0; p = a; if (flag) while (p->v == 1) p = p->next; else while (p->v == 2) p = p->next;
     if (p->v != 3) reach_error(); }",
];

/// Errors that another cell than the one that is read last, or another way to it, leads to.
const UNSAFE: &[&str] = &[
    "int a[100]; int main(void) { a[in(100)] = 1; a[in(100)] = 2; int i = in(100), j = in(100);
     int x = a[i], y = a[j]; if (x == 1 && y == 2) reach_error(); }",
    "int a[100]; int main(void) { a[in(99)] = 1; int i = in(99); if (a[i] > a[i + 1]) reach_error(); }",
    "int a[100]; int main(void) { a[7] = 1; int n = 0; for (int i = 0; i < 100; i++) n += a[i]; if (n == 1) reach_error(); }",
    // Behind the element, and within it.
    "int a[100]; int main(void) { int i = 2 * in(49); *(long *)&a[i] = 0x100000002; if (a[i + 1] == 1) reach_error(); }",
    "long a[100]; int main(void) { int i = in(100); ((int *)&a[i])[1] = 1; if (a[i] == 0x100000000) reach_error(); }",
    "int a[100]; int main(void) { int i = in(100); ((char *)&a[i])[1] = 1; if (a[i] == 256) reach_error(); }",
    "int a[100]; int main(void) { a[3] = 256; char *p = (char *)a; if (p[in(400)] == 1) reach_error(); }",
    "unsigned char a[100]; int main(void) { a[5] = 1; if (*(unsigned short *)&a[in(90)] == 256) reach_error(); }",
    // A pointer that goes through rows, and one to the middle.
    "int m[50][50]; int main(void) { int *p = &m[0][0]; p[250] = 7; if (m[5][0] == 7) reach_error(); }",
    "int m[50][50]; int main(void) { m[5][3] = 7; int *p = &m[0][0]; if (p[250 + in(5)] == 7) reach_error(); }",
    "int a[100]; int main(void) { int *p = &a[50]; p[-in(50)] = 3; int i = in(100); if (a[i] == 3) reach_error(); }",
    "int a[100]; int main(void) { a[99] = 3; for (int *p = a; p < a + 100; p++) if (*p == 3) reach_error(); }",
    // Wholes.
    "int main(void) { struct big x, y; for (int i = 0; i < 100; i++) { x.a[i] = 0; y.a[i] = 0; }
     x.a[in(100)] = 4; y = x; if (y.a[in(100)] == 4) reach_error(); }",
    "struct big make(int i) { struct big x = {0}; x.a[i] = 4; return x; }
     int main(void) { struct big y = make(in(100)); if (y.a[in(100)] == 4) reach_error(); }",
    "int sum(struct big x, int i) { return x.a[i]; }
     int main(void) { struct big y = {0}; y.a[8] = 4; if (sum(y, in(100)) == 4) reach_error(); }",
    "int a[100], b[100]; int main(void) { a[10] = 9; memcpy(b + 5, a + in(50), 80); if (b[in(100)] == 9) reach_error(); }",
    "int a[100]; int main(void) { int i = in(90); memset(a + i, 1, 4 * in(10) + 2); if (a[in(100)] == 0x0101) reach_error(); }",
    "int a[100] = {1, 2, [50] = 3}; int main(void) { if (a[in(100)] == 3) reach_error(); }",
    "char s[100] = \"some text\"; int main(void) { if (s[in(100)] == 'x') reach_error(); }",
    "int main(void) { int *a = calloc(100, sizeof(int)); if (a[in(100)] == 0) reach_error(); }",
    // At offsets that are not those of the array, before it, and beyond it.
    "struct { char name[20]; int age; } s; int main(void) { s.age = in(4); char *p = (char *)&s; int x = p[20 + in(4)];
     if (x == 2) reach_error(); }",
    "struct { char name[20]; int age; } a, b; int main(void) { a.age = in(4); b = a; if (b.age == 2) reach_error(); }",
    "struct { int x; int a[100]; } s; int src[2] = {1, 2}; int main(void) { s.a[in(9)] = 7; memcpy(&s, src, 8);
     if (s.a[5] == 7) reach_error(); }",
    "struct { int v[20]; int h; } s; int src[3] = {1, 2, 3}; int main(void) { s.h = 1; memcpy((char *)&s + 72, src, 12);
     if (s.h == 3) reach_error(); }",
    "int a[40]; int main(void) { struct pair q = {1, 2}; int i = in(9); *(struct pair *)(void *)(a + i) = q;
     if (a[2] == 1 && a[3] == 2) reach_error(); }",
    "struct b { int h; int v[20]; } b; int f(struct b x, int n) { return x.v[n]; } int main(void) {
     int r = f(b, 2); b.v[2] = 2; int s = f(b, 2), t = f(b, 3); if (r == 0 && s == 2 && t == 0) reach_error(); }",
    "struct { unsigned p : 7, b : 10; } s; int main(void) { s.b = 0; memset((char *)&s + 2, 0xff, in(2));
     if (s.b == 512) reach_error(); }",
    "void w(int *p, int i, int v) { p[i] = v; } int main(void) { int n = 20000 + in(10000);
     int *p = malloc(n * sizeof(int)), *q = malloc(n * sizeof(int)); w(p, 16392, in(9)); w(q, 0, 1);
     if (p[16392] == 5) reach_error(); }",
    "int m[20][20]; int main(void) { int i = in(20); m[i][2] = 5; if (m[1][2] == 5) reach_error(); }",
    "struct { int h[10], big[50]; } x; struct { int a[60]; } y; int main(void) { y.a[in(4)] = 9; memcpy(&x, &y, sizeof y);
     if (x.h[2] == 9) reach_error(); }",
    "struct { int h[10], big[50]; } x; struct y { int a[60]; } y; int main(void) { y.a[in(4)] = 9; *(struct y *)(void *)&x = y;
     if (x.h[2] == 9) reach_error(); }",
    // Other activations.
    "int f(int n) { int a[20]; for (int i = 0; i < 20; i++) a[i] = n; int x = a[3]; if (n) f(n - 1); return a[3] - x + n; }
     int main(void) { if (f(2) == 2) reach_error(); }",
    "int f(int n) { int a[20]; for (int i = 0; i < 20; i++) a[i] = n; if (n) f(n - 1); return a[in(20)]; }
     int main(void) { if (f(2) == 2) reach_error(); }",
    // Blocks.
    "int main(void) { struct node *h = 0; for (int i = 0; i < 20; i++) {
     struct node *x = malloc(sizeof *x); x->v = i; x->next = h; h = x; }
     int x = h->v, y = h->next->v; if (x == 19 && y == 18) reach_error(); }",
    "struct node *make(int v) { struct node *x = malloc(sizeof *x); x->v = v; return x; }
     int main(void) { struct node *a = make(1), *b = make(2); if (a->v + b->v == 3) reach_error(); }",
    "struct node *make(int v) { struct node *x = malloc(sizeof *x); x->v = v; return x; }
     int main(void) { struct node *a = make(1), *b = __VERIFIER_nondet_int() ? a : make(2); b->v = 5; if (a->v == 5) reach_error(); }",
    "int *make(void) { int *x = malloc(400); for (int i = 0; i < 100; i++) x[i] = i; return x; }
     int main(void) { int *a = make(), *b = make(); a[in(100)] = 500; if (b[in(100)] == 7 && a[in(100)] == 500) reach_error(); }",
    "int x, y; int main(void) { int *p[100]; for (int i = 0; i < 100; i++) p[i] = i & 1 ? &x : &y;
     *p[in(100)] = 1; if (x == 1) reach_error(); }",
    "int a[100], b[100]; int main(void) { b[4] = 9; a[in(100)] = 4; if (b[a[in(100)]] == 9) reach_error(); }",
    "int a[100]; int main(void) { int i = in(100); if (a[i]++ || a[i] != 1) return 0; a[in(100)] += 2; if (a[i] == 3) reach_error(); }",
];

fn found(text: &str, options: &Options) -> String {
    answer_to(&format!("{DECLARED}{text}"), options.clone(), Property::default())
}

/// One cell from the start, with a limit that ends what leads to nothing.
fn one_cell(refinements: u64) -> Options {
    let mut options = Options { memory: Model::OneCell, executions: 0, ..Options::default() };
    options.analysis.explicit_states = 0;
    options.analysis.refinements = Some(refinements);
    options
}

#[test]
fn what_holds_of_each_is_proved() {
    for options in [Options::default(), one_cell(40)] {
        let wrong = SAFE.iter().filter_map(|text| {
            let answer = found(text, &options);
            (answer != "safe").then(|| format!("{answer}: {HEAD}{DECLARED}{text}"))
        });
        let wrong: Vec<String> = wrong.collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn what_does_not_hold_is_not() {
    let options = one_cell(12);
    let wrong = UNSAFE.iter().filter(|text| found(text, &options) == "safe");
    let wrong: Vec<&&str> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
