//! Lines for what C leaves undefined or open: each program has its line, and the one after it,
//! without the flaw, does not.

use super::plain;

const DECLARATIONS: &str = "extern void *calloc(size_t, size_t); extern void *realloc(void *, size_t);
    extern size_t strlen(const char *); extern void abort(void); struct node { int data; struct node *next; };";

/// The words of a line, a text that must have it, and one that must not; `n` is an input.
type Pair = (&'static str, &'static str, &'static str);

fn check(verdict: &str, pairs: &[Pair]) {
    for &(words, with, without) in pairs {
        for (text, is_said) in [(with, true), (without, false)] {
            let (found, said) = plain(&format!("{DECLARATIONS} {text}"));
            assert_eq!(found, verdict, "{said}: {text}");
            assert_eq!(said.contains(words), is_said, "'{words}' in\n{said}of {text}");
        }
    }
}

/// As `check`, for bodies of `main`, that are safe.
fn check_bodies(words: &'static str, functions: &str, bodies: &[(&str, &str)]) {
    for &(with, without) in bodies {
        for (body, is_said) in [(with, true), (without, false)] {
            let text = format!(
                "{DECLARATIONS} {functions} int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}"
            );
            let (found, said) = plain(&text);
            assert_eq!(found, "safe", "{said}: {body}");
            assert_eq!(said.contains(words), is_said, "'{words}' in\n{said}of {body}");
        }
    }
}

#[test]
fn memory_without_a_value() {
    let functions = "void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
        void fill(struct node *p) { p->data = 1; p->next = 0; } int look(struct node *p) { return p->data; }";
    let bodies = [
        (
            "int *p = malloc(4); int y = *p; if (y != y) reach_error();",
            "int *p = malloc(4); *p = 1; int y = *p; if (y != y) reach_error();",
        ),
        (
            "int *p = malloc(4); int y = *p; if (y != y) reach_error();",
            "int *p = calloc(1, 4); int y = *p; if (y) reach_error();",
        ),
        (
            "int *p = malloc(4); if (n) *p = 1; int y = *p; if (y != y) reach_error();",
            "int *p = malloc(4); if (n) *p = 1; else *p = 2; int y = *p; if (y > 2) reach_error();",
        ),
        // A member, in another function.
        (
            "struct node *p = get(sizeof *p); p->next = 0; int y = look(p); if (y != y) reach_error();",
            "struct node *p = get(sizeof *p); p->next = 0; p->data = 1; int y = look(p); if (y != 1) reach_error();",
        ),
        (
            "struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q); fill(p); if (q->data != q->data) reach_error();",
            "struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q); fill(p); fill(q); if (q->data != 1) reach_error();",
        ),
        (
            "struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *p = get(sizeof *p); p->next = l; l = p; }
             int k = 0; for (struct node *p = l; p; p = p->next) k |= p->data != p->data; if (k) reach_error();",
            "struct node *l = 0; for (int i = 0; i < 3; i++) { struct node *p = get(sizeof *p); p->next = l; p->data = i; l = p; }
             int k = 0; for (struct node *p = l; p; p = p->next) k |= p->data > 2; if (k) reach_error();",
        ),
        // Another name for it, and a place in memory that holds its address.
        (
            "struct node *p = malloc(sizeof *p), *q = p; q->next = 0; int y = p->data; if (y != y) reach_error();",
            "struct node *p = malloc(sizeof *p), *q = p; q->data = 2; int y = p->data; if (y != 2) reach_error();",
        ),
        (
            "int *p = malloc(4), **q = malloc(8); *q = p; int y = **q; if (y != y) reach_error();",
            "int *p = malloc(4), **q = malloc(8); *q = p; *p = 1; int y = **q; if (y != 1) reach_error();",
        ),
        // An array, all of whose rounds may be none.
        (
            "int *p = malloc(12); for (int i = 0; i < n; i++) p[0] = i; if (p[0] != p[0]) reach_error();",
            "int *p = malloc(12); for (int i = 0; i < 3; i++) p[i] = i; if (p[2] > 2) reach_error();",
        ),
        (
            "if (n < 0 || n > 2) return 0; int *p = malloc(8); for (int i = 0; i < n; i++) p[i] = i;
             for (int i = 0; i < 2; i++) if (p[i] != p[i]) reach_error();",
            "if (n < 0 || n > 2) return 0; int *p = malloc(8); for (int i = 0; i < n; i++) p[i] = i;
             for (int i = 0; i < n; i++) if (p[i] > 1) reach_error();",
        ),
        (
            "char *s = malloc(4); size_t y = strlen(s); if (y != y) reach_error();",
            "char *s = malloc(4); s[0] = 0; size_t y = strlen(s); if (y) reach_error();",
        ),
        (
            "struct node *p = malloc(sizeof *p); memset(p, 0, 4); if (p->next != p->next) reach_error();",
            "struct node *p = malloc(sizeof *p); memset(p, 0, sizeof *p); if (p->next) reach_error();",
        ),
        (
            "int *p = realloc(0, 8); int y = p[n & 1]; if (n != n) reach_error();",
"int *p = realloc(0, 8); p[n & 1] = 1; int y = p[n & 1]; if (n != n) reach_error();",
        ),
        (
            "int *p = alloca(4); int y = *p; if (y != y) reach_error();",
            "int *p = alloca(4); *p = n; int y = *p; if (y != n) reach_error();",
        ),
    ];
    check_bodies(
        "allocated memory that is read before it is written has any value",
        functions,
        &bodies,
    );
    let bodies = [
        (
            "if (n < 1 || n > 3) return 0; int a[n]; int y = a[0]; if (y != y) reach_error();",
            "if (n < 1 || n > 3) return 0; int a[n]; a[0] = 1; int y = a[0]; if (y != 1) reach_error();",
        ),
        (
            "int k = 2, a[k]; for (int i = 0; i < n; i++) a[0] = i; int y = a[0]; if (y != y) reach_error();",
            "int k = 2, a[k]; for (int i = 0; i < k; i++) a[i] = i; int y = a[0]; if (y > 1) reach_error();",
        ),
    ];
    check_bodies("a variable that is read before it has a value", functions, &bodies);
}

/// Elements at indices of the text are told apart; a record that is copied has a value as soon as
/// something of it has.
#[test]
fn variables_of_which_a_part_has_a_value() {
    let functions = "struct s { int n; int a[3]; struct node d; }; struct none { }; union u { int n; unsigned char c[4]; };
        int first(struct s s) { return s.n; } struct s make(int n) { struct s s; if (n) s.n = 1; return s; }
        struct s whole(int n) { struct s s; s.a[1] = 0; s.n = n; return s; }";
    let bodies = [
        (
            "int a[2]; a[0] = 1; int y = a[1]; if (y != y) reach_error();",
            "int a[2]; a[1] = 1; int y = a[1]; if (y != 1) reach_error();",
        ),
        (
            "int a[2][2]; a[0][1] = a[1][0] = 1; int y = a[1][1]; if (y != y) reach_error();",
            "int a[2][2]; a[0][1] = a[1][0] = 1; int y = a[1][0]; if (y != 1) reach_error();",
        ),
        (
            "int a[2], y = a[n & 1]; if (y != y) reach_error();",
            "int a[2]; a[0] = 1; int y = a[n & 1]; if (y != y) reach_error();",
        ),
        (
            "int a[2]; if (n) a[n & 1] = 1; int y = a[1]; if (y != y) reach_error();",
            "int a[2]; a[n & 1] = 1; int y = a[1]; if (y != y) reach_error();",
        ),
        (
            "struct s s[2]; s[0].a[1] = 1; int y = s[0].a[0]; if (y != y) reach_error();",
            "struct s s[2]; s[0].a[1] = 1; int y = s[0].a[1]; if (y != 1) reach_error();",
        ),
        (
            "struct s s[2]; s[0].d.data = 1; struct node d = s[1].d; if (d.data != d.data) reach_error();",
            "struct s s[2]; s[1].d.data = 1; struct node d = s[1].d; if (d.data != 1) reach_error();",
        ),
        (
            "struct s s, t; t = s; int y = t.n; if (y != y) reach_error();",
            "struct s s, t; s.n = 1; t = s; int y = t.n; if (y != 1) reach_error();",
        ),
        (
            "struct s s; int y = first(s); if (y != y) reach_error();",
            "struct s s; s.n = 1; int y = first(s); if (y != 1) reach_error();",
        ),
        (
            "int y = make(n).n; if (y != y) reach_error();",
            "int y = whole(n).n; if (y != n) reach_error();",
        ),
        (
            "union u u, v = u; if (v.n != v.n) reach_error();",
            "union u u; struct none e, f = e; u.c[0] = 1; union u v = u; if (v.c[0] != 1) reach_error();",
        ),
    ];
    check_bodies("a variable that is read before it has a value", functions, &bodies);
}

/// What a write gives a value is what it is certain to write, wherever the block goes.
#[test]
fn memory_of_which_a_part_has_a_value() {
    let functions = "struct s { int n; int a[4]; int k; }; struct in { int tag; struct { int a[4]; int k; } in; };
        struct bits { unsigned a : 3, b : 5; }; struct big { int n; int a[500]; int k; }; int z;
        void look(int *p) { if (p) z = 1; } void half(struct s *p) { p->n = 1; } void both(struct s *p) { p->n = 1; p->k = 2; }
        void drop(int *p) { p = 0; } int careful(struct s *p) { if (!p) return -1; p->n = 1; return 0; }
        int *make(void) { return malloc(4); } void all(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }";
    let bodies = [
        // In a callee that writes nothing, or half of it, and can no longer find it at its end.
        (
            "int *p = malloc(4); look(p); int y = *p; if (y != y) reach_error();",
            "int *p = malloc(4); look(p); *p = 1; look(p); int y = *p; if (y != 1) reach_error();",
        ),
        (
            "int *p = malloc(4); drop(p); int y = *p; if (y != y) reach_error();",
            "int *p = malloc(4); *p = 1; drop(p); int y = *p; if (y != 1) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p); half(p); int y = p->k; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); both(p); int y = p->k; if (y != 2) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p); if (careful(p)) return 1; int y = p->k; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); if (careful(p)) return 1; int y = p->n; if (y != 1) reach_error();",
        ),
        // It comes back to a call with what that call has given it.
        (
            "struct s *p = malloc(sizeof *p); half(p); half(p); int y = p->k; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); half(p); p->k = 3; half(p); int y = p->k; if (y != 3) reach_error();",
        ),
        (
            "int *p = malloc(8); if (n >= 0 && n < 3) { all(p, n); int y = *p; if (y != y) reach_error(); }",
            "int *p = malloc(8); all(p, 2); *p = 1; int y = *p; if (y != 1) reach_error();",
        ),
        // The second block, not the first one.
        (
            "int *q = make(), *p = make(); *q = 1; int y = *p; if (y != y) reach_error();",
            "int *q = make(); *q = 1; int *p = make(); *p = 1; int y = *p; if (y != 1) reach_error();",
        ),
        // Members that are arrays end.
        (
            "struct s *p = malloc(sizeof *p); p->a[0] = 1; int y = p->n; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); p->n = 1; p->a[0] = 1; int y = p->n; if (y != 1) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p); for (int i = 0; i < 4; i++) p->a[i] = i; int y = p->k; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); for (int i = 0; i < 4; i++) p->a[i] = i; int y = p->a[3]; if (y > 3) reach_error();",
        ),
        (
            "struct in *p = malloc(sizeof *p); p->in.a[2] = 3; int y = p->in.k; if (y != y) reach_error();",
            "struct in *p = malloc(sizeof *p); p->in.a[2] = p->in.k = 3; int y = p->in.k; if (y != 3) reach_error();",
        ),
        (
            "struct big *p = malloc(sizeof *p); p->a[7] = 3; int y = p->k; if (y != y) reach_error();",
            "struct big *p = malloc(sizeof *p); p->a[7] = 3; int y = p->a[7]; if (y != y) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p); p->n = 0; int y = p->a[n & 3]; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); p->a[1] = 0; int y = p->a[n & 3]; if (y != y) reach_error();",
        ),
        // An element at an index of the text.
        (
            "int *p = malloc(8); p[0] = 1; int y = p[1]; if (y != y) reach_error();",
            "int *p = malloc(8); p[0] = 1; p[1] = 2; int y = p[1]; if (y != 2) reach_error();",
        ),
        // Members that library functions write.
        (
            "struct s *p = malloc(sizeof *p); memset(&p->n, 0, 4); int y = p->a[3]; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); memset(&p->n, 0, 4); int y = p->n; if (y) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p); memset(p->a, 0, sizeof p->a); int y = p->k; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); memset(p->a, 0, sizeof p->a); int y = p->a[3]; if (y) reach_error();",
        ),
        (
            "int *p = malloc(8); memset(p + 1, 0, 4); int y = *p; if (y != y) reach_error();",
            "int *p = malloc(8); memset(p + 1, 0, 4); int y = p[1]; if (y) reach_error();",
        ),
        // Bit-fields of one unit.
        (
            "struct bits *p = malloc(sizeof *p); p->a = 1; int y = p->b; if (y != y) reach_error();",
            "struct bits *p = malloc(sizeof *p); p->a = 1; p->b = 2; int y = p->b; if (y != 2) reach_error();",
        ),
        // Records that are copied, of which something has a value.
        (
            "struct s *p = malloc(sizeof *p), s = *p; int y = s.n; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p); p->n = 1; struct s s = *p; int y = s.n; if (y != 1) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p), s; memcpy(&s, p, sizeof s); int y = s.n; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p), s; p->n = 1; memcpy(&s, p, sizeof s); int y = s.n; if (y != 1) reach_error();",
        ),
        (
            "struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); *p = *q; int y = p->n; if (y != y) reach_error();",
            "struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); q->n = 1; *p = *q; int y = p->n; if (y != 1) reach_error();",
        ),
    ];
    check_bodies(
        "allocated memory that is read before it is written has any value",
        functions,
        &bodies,
    );
}

#[test]
fn indices_of_the_text_outside_of_their_arrays() {
    let functions = "struct s { int a[2]; int b; }; struct open { int n; int a[1]; };";
    let bodies = [
        (
            "int a[2]; a[2] = 1; if (n != n) reach_error();",
            "int a[2]; a[1] = 1; if (n != n) reach_error();",
        ),
        (
            "int a[2] = {0}; a[-1] = n; if (a[1]) reach_error();",
            "int a[2] = {0}; a[0] = n; if (a[1]) reach_error();",
        ),
        (
            "struct s s = {{0}}; s.a[2] = n; if (s.a[1]) reach_error();",
            "struct s s = {{0}}; s.a[0] = n; s.b = n; if (s.a[1]) reach_error();",
        ),
        (
            "struct s s = {{0}}, *p = &s; p->a[2] = n; if (s.a[1]) reach_error();",
            "struct s s = {{0}}, *p = &s; p->a[1] = n; if (s.a[0]) reach_error();",
        ),
        (
            "int m[2][3] = {{0}}; m[0][5] = n; if (m[0][1]) reach_error();",
            "int m[2][3] = {{0}}; m[1][2] = n; if (m[0][1]) reach_error();",
        ),
        // Also in the only execution.
        (
            "int m[2][3] = {{0}}; m[0][5] = 1; if (m[0][1]) reach_error();",
            "int m[2][3] = {{0}}; m[1][2] = 1; if (m[0][1]) reach_error();",
        ),
        (
            "int a[2] = {0}; *(a + 2) = n; if (a[1]) reach_error();",
            "int a[2] = {0}; *(a + 1) = n; int *end = a + 2; if (a[0] || end == a) reach_error();",
        ),
        (
            "int a[2] = {0}, *p = a; p[2] = n; if (a[1]) reach_error();",
            "int a[2] = {0}, *p = a; p[0] = n; if (a[1]) reach_error();",
        ),
        (
            "int x = 0, *p = &x; p[1] = n; if (x) reach_error();",
            "int x = 0, *p = &x; p[0] = n; if (x != n) reach_error();",
        ),
        (
            "char c = \"abc\"[4]; if (n != n) reach_error();",
            "char c = \"abc\"[3]; if (c) reach_error();",
        ),
    ];
    check_bodies("no access is out of bounds", functions, &bodies);
}

#[test]
fn jumps_past_an_initial_value() {
    let bodies = [
        (
            "switch (n) { int k = 5; case 1: if (k != k) reach_error(); }",
            "switch (n) { case 1: { int k = 5; if (k != 5) reach_error(); } }",
        ),
        (
            "if (n) goto in; { int k = 5; in: if (k != k) reach_error(); }",
            "if (n) goto in; { in:; int k = 5; if (k != 5) reach_error(); }",
        ),
        (
            "switch (n) { int k = 5; case 1: if (k != k) reach_error(); }",
            "switch (n) { int k = 5; case 1: k = 6; if (k != 6) reach_error(); }",
        ),
        (
            "for (int i = 0; i < 2; i++) switch (n) { int k = 5; case 1: if (k != k) reach_error(); default: k = 1; }",
            "for (int i = 0; i < 2; i++) { int k = 5; switch (n) { case 1: if (k != 5) reach_error(); default: k = 1; } }",
        ),
    ];
    check_bodies("a variable that is read before it has a value", "", &bodies);
}

/// A switch with a default, and branches that leave nothing out, give a value; one over all
/// enumerators may not.
#[test]
fn values_on_all_paths() {
    let bodies = [
        (
            "int x; switch (n) { case 1: x = 1; break; case 2: x = 2; } if (x != x) reach_error();",
            "int x; switch (n) { case 1: x = 1; break; case 2: x = 2; break; default: x = 3; } if (x > 3) reach_error();",
        ),
        (
            "enum e { A, B } e = n & 1; int x; switch (e) { case A: x = 1; break; case B: x = 2; } if (x > 2) reach_error();",
            "enum e { A, B } e = n & 1; int x; switch (e) { case A: x = 1; break; case B: default: x = 2; } if (x > 2) reach_error();",
        ),
        (
            "int x; if (n == 1) x = 1; else if (n == 2) x = 2; if (x != x) reach_error();",
            "int x; if (n == 1) x = 1; else if (n == 2) x = 2; else return 0; if (x > 2) reach_error();",
        ),
        // Of these rounds there are some, and a loop that has had one has one.
        (
            "int x, m = n; for (int i = 0; i < m; i++) x = i; if (x != x) reach_error();",
            "int x; for (int i = 0; i < 3; i++) x = i; if (x != 2) reach_error();",
        ),
        (
            "int x, k = n & 1; if (k) x = 1; k = n; if (k && x != x) reach_error();",
            "int x, k = n & 1; if (k) x = 1; if (k && x != 1) reach_error();",
        ),
        (
            "int x, k = 0; while (k < 2) { int y; if (k == n) y = 1; if (y != y) reach_error(); k++; }",
            "int x, k = 0; while (k < 2) { int y; if (k < 2) y = 1; if (y != 1) reach_error(); k++; }",
        ),
        // What becomes a `_Bool` is 0 or 1.
        (
            "int x, k = 5; if ((_Bool)k == 1) { if (x != x) reach_error(); }",
            "int x, k = 5; if ((_Bool)k == 5) { if (x != x) reach_error(); }",
        ),
        (
            "int x; while (n > 0) { x = 1; n--; } if (x != x) reach_error();",
            "int x; do { x = 1; n--; } while (n > 0); if (x != 1) reach_error();",
        ),
    ];
    check_bodies("a variable that is read before it has a value", "", &bodies);
}

#[test]
fn results_that_are_missing() {
    let functions = "int f(int x) { if (x) return 1; } int g(int x) { if (x) return 1; else abort(); }
        void stop(void) { abort(); } int h(int x) { switch (x) { case 1: return 1; default: stop(); } }
        int always(int x) { for (;;) if (x++) return 1; }";
    let bodies = [
        ("int y = f(n); if (y != y) reach_error();", "int y = g(n); if (y != 1) reach_error();"),
        ("if (f(n) + 1 == f(n) + 1) return 0;", "f(n); if (n != n) reach_error();"),
        ("int y = f(n); if (y != y) reach_error();", "int y = h(n); if (y != 1) reach_error();"),
        (
            "int y = f(n); if (y != y) reach_error();",
            "int y = always(n & 7); if (y != 1) reach_error();",
        ),
    ];
    check_bodies("a function that ends without a 'return'", functions, &bodies);
}

#[test]
fn constants_of_functions_that_are_written() {
    let functions =
        "int f(const int c) { return *(int *)&c = 4; } int g(int c) { return *(int *)&c = 4; }";
    let bodies = [
        (
            "const int c = 3; *(int *)&c = n; if (c != n) reach_error();",
            "const int c = n; if (c != n) reach_error();",
        ),
        (
            "const int c[2] = {3}; ((int *)c)[1] = n; if (c[0] != 3) reach_error();",
            "int c[2] = {3}; ((int *)c)[1] = n; const int d[2] = {c[0]}; if (d[0] != 3) reach_error();",
        ),
        (
            "const struct s { int a, b; } c = {3}; *(int *)&c.b = n; if (c.a != 3) reach_error();",
            "const struct s { int a, b; } c = {3}, d = c; if (d.a != 3) reach_error();",
        ),
        ("if (f(n) != 4) reach_error();", "if (g(n) != 4) reach_error();"),
    ];
    check_bodies("no object that is defined 'const'", functions, &bodies);
}

/// An error for which the program does what C leaves undefined says so, as a proof does.
#[test]
fn errors_rest_on_it_too() {
    check(
        "unsafe",
        &[
            (
                "no pointer is used before it has a value",
                "int main(void) { int *p; *p = 1; reach_error(); return 0; }",
                "int main(void) { int x, *p = &x; *p = 1; reach_error(); return 0; }",
            ),
            (
                "no pointer is used before it has a value",
                "int main(void) { int *p, x = __VERIFIER_nondet_int(); if (x) p = 0; if (!p) reach_error(); return 0; }",
                "int main(void) { int *p, x = __VERIFIER_nondet_int(); p = x ? 0 : &x; if (!p) reach_error(); return 0; }",
            ),
            (
                "no function that is declared '_Noreturn' returns",
                "_Noreturn void f(int n) { while (n); } int main(void) { f(__VERIFIER_nondet_int()); reach_error(); return 0; }",
                "void f(int n) { while (n); } int main(void) { f(__VERIFIER_nondet_int()); reach_error(); return 0; }",
            ),
            (
                "a function that ends without a 'return'",
                "int f(int x) { if (x) return 1; } int main(void) { if (f(0) == 0) reach_error(); return 0; }",
                "int f(int x) { if (x) return 1; return 0; } int main(void) { if (f(0) == 0) reach_error(); return 0; }",
            ),
        ],
    );
    check(
        "safe",
        &[
            (
                "no function that is declared '_Noreturn' returns",
                "_Noreturn void f(int n) { while (n); } int main(void) { int n = __VERIFIER_nondet_int(); f(n); if (n) reach_error(); return 0; }",
                "_Noreturn void f(int n) { while (1); } int main(void) { int n = __VERIFIER_nondet_int(); f(n); if (n) reach_error(); return 0; }",
            ),
            (
                "no function that is declared '_Noreturn' returns",
                "__attribute__((noreturn)) void f(void) { } int main(void) { f(); if (0) reach_error(); return 0; }",
                "__attribute__((noreturn)) void f(void) { abort(); } int main(void) { f(); reach_error(); return 0; }",
            ),
            // Through a pointer.
            (
                "no function that is declared '_Noreturn' returns",
                "_Noreturn void f(void) { } int main(void) { int n = __VERIFIER_nondet_int(); void (*p)(void) = f; p(); if (n != n) reach_error(); return 0; }",
                "_Noreturn void f(void) { abort(); } int main(void) { int n = __VERIFIER_nondet_int(); void (*p)(void) = f; p(); if (n != n) reach_error(); return 0; }",
            ),
            (
                "no function that is declared '_Noreturn' returns",
                "_Noreturn void f(void) { } void (*const p)(void) = &f; int main(void) { int n = __VERIFIER_nondet_int(); p(); if (n != n) reach_error(); return 0; }",
                "_Noreturn void f(void) { } void (*const p)(void) = &f; int main(void) { int n = __VERIFIER_nondet_int(); if (n != n) reach_error(); return 0; }",
            ),
        ],
    );
}

#[test]
fn arrays_of_variable_length_are_not_said_to_be_calls() {
    let body = |text: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; {text} return 0; }}"
        )
    };
    let array = body("int a[n]; a[0] = n; if (a[0] != n) reach_error();");
    let called = body("int *a = alloca(4 * n); a[0] = n; if (a[0] != n) reach_error();");
    let pairs: [(String, bool); 2] = [(array, false), (called, true)];
    for (text, is_said) in pairs {
        let (verdict, said) = plain(&text);
        assert_eq!(verdict, "safe", "{said}: {text}");
        assert_eq!(said.contains("'alloca' is not defined"), is_said, "{said}: {text}");
    }
}

#[test]
fn the_order_of_calls_where_it_can_matter() {
    let functions = "int g, h; int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int bump(void) { return ++g; } int get(void) { return g; } int other(void) { return ++h; }
        int by(int *p) { return ++*p; } int twice(int x) { int y = x; by(&y); return x + x; }
        int inner(void) { return bump(); } int checked(int x) { if (x > 9) abort(); return 1; }
        int asserted(int x) { if (x > 9) reach_error(); return 1; } int read(void); int put(int a, int b) { return a + b; }";
    let bodies = [
        ("if (bump() + get() < 0) reach_error();", "if (bump() + twice(1) < 0) reach_error();"),
        ("if (get() + inner() < 0) reach_error();", "if (fib(3) + fib(2) != 3) reach_error();"),
        ("if (g + bump() < 0) reach_error();", "if (g + fib(2) != 1) reach_error();"),
        ("if (bump() + g < 0) reach_error();", "if (bump() + n != n + 1) reach_error();"),
        ("if (put(bump(), g) < 0) reach_error();", "if (put(fib(2), g) < 0) reach_error();"),
        (
            "if (put(bump(), bump()) < 0) reach_error();",
            "if (put(bump(), other()) < 0) reach_error();",
        ),
        ("if (by(&g) + get() < 0) reach_error();", "if (get() + get() < 0) reach_error();"),
        (
            "if (checked(1) + asserted(1) != 2) reach_error();",
            "if (checked(1) + get() < 0) reach_error();",
        ),
        (
            "int a[3] = {0}; a[bump() & 1] = get(); if (n != n) reach_error();",
            "int a[3] = {0}; a[bump() & 1] = other(); if (n != n) reach_error();",
        ),
        (
            "int (*f)(void) = n ? get : other; if (f() + bump() < 0) reach_error();",
            "int (*f)(void) = n ? get : other; if (f() + n < n - 9) n = 0; if (n != n) reach_error();",
        ),
    ];
    check_bodies("are evaluated from left to right", functions, &bodies);
    // What is not defined may do anything.
    let (verdict, said) = plain(
        "int read(void), write(void); int main(void) { int x = read() + write(); if (x != x) reach_error(); return 0; }",
    );
    assert_eq!(verdict, "safe", "{said}");
    assert!(said.contains("are evaluated from left to right"), "{said}");
}

/// C leaves the order of initial values open, and whether a value that another one replaces is evaluated at all.
#[test]
fn initial_values_have_no_order() {
    let functions =
        "int g; int f(int k) { g = g * 10 + k; return k; } int pure(int k) { return k + 1; }
        struct pair { int a, b; };";
    let bodies = [
        (
            "struct pair s = { .b = f(1), .a = f(2) }; if (s.a != 2) reach_error();",
            "struct pair s = { .b = f(1), .a = 2 }; if (s.a != 2) reach_error();",
        ),
        (
            "int a[2] = { [1] = f(1), [0] = f(2) }; if (a[0] != 2) reach_error();",
            "int a[2] = { [1] = pure(1), [0] = pure(2) }; if (a[0] != 3) reach_error();",
        ),
        (
            "struct pair s; s = (struct pair){ f(1), f(2) }; if (s.a != 1) reach_error();",
            "struct pair s; s = (struct pair){ 1, f(2) }; if (s.a != 1) reach_error();",
        ),
        (
            "int a[1] = { [0] = f(1), [0] = 2 }; if (a[0] != 2) reach_error();",
            "int a[1] = { [0] = 1, [0] = f(2) }; if (a[0] != 2) reach_error();",
        ),
        (
            "int a[2] = { f(1), g }; if (a[0] != 1) reach_error();",
            "int a[2] = { f(1), n }; if (a[0] != 1) reach_error();",
        ),
    ];
    check_bodies("are evaluated from left to right", functions, &bodies);
    let effects = [(
        "int i = 1; struct pair s = { .b = i++, .a = i++ }; if (s.b != 1) reach_error();",
        "int i = 1; struct pair s = { .b = i++, .a = 1 }; if (s.b != 1) reach_error();",
    )];
    check_bodies("no expression changes an object that another part", functions, &effects);
}
