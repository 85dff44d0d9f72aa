//! What an answer rests on is said, where the text has it and nowhere else; and what C does not
//! define is no answer.

mod lines;

use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::Source;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_verify::{CProgram, Options, Outcome, check};

const HEAD: &str = "
typedef unsigned long size_t;
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern void *malloc(size_t); extern void free(void *); extern void *alloca(size_t); extern void *memset(void *, int, size_t);
";

/// The verdict, and what was said: the assumptions, or why there is none.
fn answer(text: &str, property: Property, entry: Option<&str>) -> (&'static str, String) {
    let reading = ParseOptions {
        model: Some(DataModel::Lp64),
        property,
        entry: entry.map(str::to_owned),
        ..ParseOptions::default()
    };
    let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
    on_large_stack(|| {
        let source = Source::new("program.c", format!("{HEAD}{text}"));
        let flow = match parse(source, &reading) {
            Ok(flow) => flow,
            Err(mistakes) => return ("refused", mistakes[0].message.clone()),
        };
        let report = check(CProgram::new(&flow), &Options::default(), &budget, &mut ())
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        let said = report.assumptions.iter().map(|a| format!("{a}\n")).collect();
        match &report.outcome {
            Outcome::Safe(_) => ("safe", said),
            Outcome::Unsafe(_) => ("unsafe", said),
            Outcome::Unknown(reason) => ("unknown", reason.to_string()),
        }
    })
    .expect("a thread")
}

fn plain(body: &str) -> (&'static str, String) {
    answer(body, Property::default(), None)
}

fn checked(body: &str) -> (&'static str, String) {
    let property =
        Property { checks: Checks::of(&[Check::Bounds, Check::Null]), ..Property::default() };
    answer(&format!("int main(void) {{ {body} }}"), property, None)
}

/// Each program is safe, and says this; the one after it does the same as C defines it, and does
/// not.
#[test]
fn what_a_proof_rests_on_is_said() {
    let (order, length) = ("which has no order with that", "array of variable length is positive");
    let (unreachable, constant) =
        ("'__builtin_unreachable' is reached", "no string literal is written");
    let (value, valid) = ("before it has a value has any value", "through an invalid pointer");
    let pairs = [
        (
            order,
            "int x = n; x = ++x + x; if (x != x) reach_error();",
            "int x = n; x = x + x; if (x != x) reach_error();",
        ),
        (
            order,
            "int i = 0, a[2]; a[i] = i++; if (i != 1) reach_error();",
            "int i = 0, a[2]; a[i] = 1; i++; if (i != 1) reach_error();",
        ),
        (
            order,
            "int i = 0; i = i++; if (i > 1) reach_error();",
            "int i = 0; i++; if (i > 1) reach_error();",
        ),
        (
            order,
            "int i = 0, *p = &i; *p = i++; if (i > 1) reach_error();",
            "int i = 0, j = 0, *p = &i; *p = j++; if (i > 1) reach_error();",
        ),
        (
            order,
            "int a[2] = {0}; int i = n & 1, j = n & 1; a[i] = a[j] = 1; if (a[i] != 1) reach_error();",
            "int a[2] = {0}; int i = n & 1; a[0] = a[1] = 1; if (a[i] != 1) reach_error();",
        ),
        (
            order,
            "struct { int f, g; } s, *p = &s; p->f = p->f++; if (s.f != s.f) reach_error();",
            "struct { int f, g; } s, *p = &s; p->f = p->g = 0; if (s.f) reach_error();",
        ),
        (
            order,
            "int i = 0; add(i++, i); if (i != 1) reach_error();",
            "int i = 0, j = 0; add(i++, j++); if (i != 1) reach_error();",
        ),
        (
            order,
            "char b[4] = \"abc\", *p = b; *p++ = *p; if (b[3]) reach_error();",
            "char a[4], b[4] = \"abc\", *p = a, *q = b; while ((*p++ = *q++)); if (b[3]) reach_error();",
        ),
        (
            length,
            "int a[n & 3]; if (sizeof a > 12) reach_error();",
            "int a[3]; if (sizeof a > 12) reach_error();",
        ),
        (
            "memory never runs out",
            "char *p = alloca(n); if (!p) reach_error();",
            "char *p = alloca(8); if (!p) reach_error();",
        ),
        (
            unreachable,
            "if (n < 0) __builtin_unreachable(); if (n < 0) reach_error();",
            "if (n < 0) return 0; if (n < 0) reach_error();",
        ),
        (
            constant,
            "char b[4] = {0}, *p = n ? b : \"abc\"; *p = 0; if (b[0]) reach_error();",
            "char b[4] = {0}, *p = n ? b : \"abc\"; if (*p == 'x') reach_error();",
        ),
        (
            constant,
            "int *p = (int *)&c; *p = 4; if (c != 4) reach_error();",
            "int *p = (int *)&c; if (*p != 3) reach_error();",
        ),
        (
            constant,
            "const int k[2] = {1, 2}; memset((void *)k, 0, 8); if (k[1]) reach_error();",
            "const int k[2] = {1, 2}; if (k[1] != 2) reach_error();",
        ),
        (
            "nothing else is freed",
            "free(n ? &g : malloc(1)); if (g) reach_error();",
            "if (g) reach_error();",
        ),
        (
            valid,
            "int x = 0, *p = n ? &x : 0; *p = 1; if (x != 1) reach_error();",
            "int x = 0, *p = &x; *p = 1; if (x != 1) reach_error();",
        ),
        (
            "at the addresses that hardbop assigns",
            "char b[4], *p = (char *)0x100; if (p == b) reach_error();",
            "char b[4], *p = 0; if (p == b) reach_error();",
        ),
        (
            "at the addresses that hardbop assigns",
            "char b[4], *p = (char *)(size_t)n; if (p != b && p == b) reach_error();",
            "char b[4], *p = b; if (p != b) reach_error();",
        ),
        (valid, "put(0); if (g) reach_error();", "put(&g); if (g != 1) reach_error();"),
        (
            value,
            "int x, y = x; if (x != y) reach_error();",
            "int x = n, y = x; if (x != y) reach_error();",
        ),
        (
            value,
            "int x; if (n) x = 1; if (n && x != 1) reach_error(); if (!n && x != x) reach_error();",
            "int x; if (n) x = 1; else x = 2; if (x > 2) reach_error();",
        ),
        (
            value,
            "int a[3]; int y = a[n & 1]; if (y != y) reach_error();",
            "int a[3]; a[n & 1] = 2; int y = a[n & 1]; if (y != 2) reach_error();",
        ),
        (
            value,
            "struct { int f, g; } s; s.f = 1; if (s.g != s.g) reach_error();",
            "struct { int f, g; } s; s.f = 1; if (s.f != 1) reach_error();",
        ),
    ];
    for (words, with, without) in pairs {
        for (body, is_said) in [(with, true), (without, false)] {
            let program = format!(
                "const int c = 3; int g; static int add(int a, int b) {{ return a + b; }} static void put(int *p) {{ *p = 1; }}
                 int main(void) {{ int n = __VERIFIER_nondet_int(); {body} return 0; }}"
            );
            let (verdict, said) = plain(&program);
            assert_eq!(verdict, "safe", "{said}: {body}");
            assert_eq!(said.contains(words), is_said, "'{words}' in\n{said}of {body}");
        }
    }
    // What no execution enters does not matter.
    let (verdict, said) = plain(
        "void f(int n) { int a[n]; int i = 0; i = i++; __builtin_unreachable(); }
         int main(void) { int x = __VERIFIER_nondet_int(); if (x != x) reach_error(); return 0; }",
    );
    assert_eq!((verdict, said.as_str()), ("safe", ""));
}

/// Without a check that is an assumption, which no error rests on either.
#[test]
fn lengths_are_positive() {
    let (verdict, said) = plain(
        "int main(void) { int n = __VERIFIER_nondet_int(); int a[n]; a[0] = 1; if (n <= 0) reach_error(); return 0; }",
    );
    assert_eq!(verdict, "safe", "{said}");
    assert!(said.contains("array of variable length is positive"), "{said}");
}

/// Writes by way of a cast.
#[test]
fn constants_that_are_written_are_said() {
    for text in [
        "const int c = 3; int main(void) { *(int *)&c = 4; if (c == 3) reach_error(); return 0; }",
        "static const char s[] = \"abc\"; int main(void) { ((char *)s)[0] = 1; if (s[1] != 98) reach_error(); return 0; }",
    ] {
        let (verdict, said) = plain(text);
        assert_eq!(verdict, "safe", "{said}");
        assert!(said.contains("no string literal is written"), "{text}: {said}");
    }
    let read = "const int c = 3; static const int t[2] = { 1, 2 }; int main(void) { if (c + t[0] != 4) reach_error(); return 0; }";
    assert!(!plain(read).1.contains("no string literal is written"));
}

#[test]
fn arrays_of_variable_length_have_no_initial_values_but_zeros() {
    let program = |value: &str, condition: &str| {
        format!(
            "int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; int a[n]{value};
             if ({condition}) reach_error(); return 0; }}"
        )
    };
    assert_eq!(plain(&program(" = {}", "a[n - 1] != 0")).0, "safe");
    assert_eq!(plain(&program(" = {}", "a[0] == 0")).0, "unsafe");
    for value in [" = {1}", " = {0}", " = {[0] = 1}"] {
        let (verdict, said) = plain(&program(value, "a[0] != 1"));
        assert_eq!(verdict, "refused");
        assert!(said.contains("no initial value but '{}'"), "{said}");
    }
    for (length, verdict) in [("-5", "unsafe"), ("0", "unsafe"), ("8", "safe"), ("n", "unsafe")] {
        let body =
            format!("int n = __VERIFIER_nondet_int(), k = {length}; int a[k]; a[7] = 1; return 0;");
        assert_eq!(checked(&body).0, verdict, "{length}");
    }
}

/// A statement that only evaluates a record accesses it, too.
#[test]
fn records_as_statements_are_accesses() {
    let types = "struct s { int a; struct { int x; } f; }; struct s b[5], *p = 0;";
    for (statement, verdict) in [
        ("*p;", "unsafe"),
        ("p->f;", "unsafe"),
        ("b[5];", "unsafe"),
        ("(void)*p;", "unsafe"),
        ("b[4], *p;", "unsafe"),
        ("b[4]; b[0].f; p = b; *p; p->f;", "safe"),
        ("&*p; sizeof *p;", "safe"),
    ] {
        assert_eq!(checked(&format!("{types} {statement} return 0;")).0, verdict, "{statement}");
    }
}

#[test]
fn booleans_from_outside_are_0_or_1() {
    let text = "struct s { int n; _Bool b; }; extern _Bool e; extern struct s r; extern _Bool many[2]; extern struct s make(void);
        void unknown(_Bool *);
        int f(_Bool b, struct s s, struct s *p, _Bool *q) {
            _Bool x = p->b, y = *q, z = 1, l = 1; struct s t = make(); unknown(&l);
            int all = b + s.b + x + y + e + r.b + many[1] + t.b + l;
            if (b > 1) reach_error(); if (s.b > 1) reach_error(); if (x > 1) reach_error(); if (y > 1) reach_error();
            if (e > 1) reach_error(); if (r.b > 1) reach_error(); if (t.b > 1) reach_error(); if (l > 1) reach_error();
            if (many[1] > 1) reach_error(); if (z != 1) reach_error(); return all; }";
    assert_eq!(answer(text, Property::default(), Some("f")).0, "safe");
    let both = "int f(_Bool b, _Bool c) { if (b && !c) reach_error(); return 0; }";
    assert_eq!(answer(both, Property::default(), Some("f")).0, "unsafe");
    // No byte of one is another number, though that may not be proved.
    for text in [
        "int f(_Bool b) { if (*(unsigned char *)&b > 1) reach_error(); return 0; }",
        "struct s { int n; _Bool b[2]; }; int f(struct s s) { unsigned char *p = (unsigned char *)&s.b[1]; if (*p > 1) reach_error(); return 0; }",
        "extern _Bool e; int f(void) { unsigned char *p = (unsigned char *)&e; if (*p > 1) reach_error(); return 0; }",
    ] {
        assert_ne!(answer(text, Property::default(), Some("f")).0, "unsafe", "{text}");
    }
    // The program itself may make it another number.
    let bytes = "int main(void) { union { _Bool b; unsigned char c; } u; u.c = __VERIFIER_nondet_int(); if (u.c == 2) reach_error(); return 0; }";
    assert_eq!(plain(bytes).0, "unsafe");
}

/// Their parts are inputs.
#[test]
fn records_of_functions_without_bodies() {
    let head = "struct s { int a; long b; struct { short c[2]; } d; }; union u { int a; unsigned char c[4]; };
        extern struct s make(int); extern union u __VERIFIER_nondet_u(void);";
    for (body, verdict) in [
        ("struct s s = make(1); if (s.a == 12345) reach_error();", "unsafe"),
        (
            "struct s s, t; s = make(1); t = make(2); if (s.b == 5 && t.b == 6 && s.d.c[1] == 7) reach_error();",
            "unsafe",
        ),
        (
            "struct s s; for (int i = 0; i < 3; i++) { s = make(i); if (s.a != i + 40) return 0; } reach_error();",
            "unsafe",
        ),
        ("if (make(1).a == 12345) reach_error();", "unsafe"),
        ("struct s s = make(1), t = s; if (s.a != t.a) reach_error();", "safe"),
        (
            "union u u = __VERIFIER_nondet_u(); if (u.a == 0x01020304 && u.c[0] == 4) reach_error();",
            "unsafe",
        ),
        (
            "union u u = __VERIFIER_nondet_u(); if (u.a == 0x01020304 && u.c[0] != 4) reach_error();",
            "safe",
        ),
    ] {
        let (found, said) = plain(&format!("{head} int main(void) {{ {body} return 0; }}"));
        assert_eq!(found, verdict, "{said}: {body}");
    }
}

/// With one thread, nothing behind a call that waits for another one is reached.
#[test]
fn who_waits_for_another_thread_waits_for_ever() {
    let head = "typedef struct { int m[10]; } object; object o, p;
        int sem_init(object *, int, unsigned); int sem_wait(object *); int sem_post(object *);
        int pthread_mutex_lock(object *); int pthread_mutex_unlock(object *); int pthread_mutex_trylock(object *);
        int pthread_rwlock_rdlock(object *); int pthread_rwlock_wrlock(object *); int pthread_rwlock_unlock(object *);
        int pthread_barrier_init(object *, void *, unsigned); int pthread_barrier_wait(object *);";
    for (body, waiting) in [
        ("sem_init(&o, 0, 0); sem_wait(&o);", Some("sem_wait")),
        ("sem_init(&o, 0, 1); sem_wait(&o); sem_wait(&o);", Some("sem_wait")),
        ("sem_init(&o, 0, 0); sem_post(&o); sem_wait(&o);", None),
        ("sem_init(&o, 1, 0); sem_wait(&o);", None),
        ("pthread_mutex_lock(&o); pthread_mutex_lock(&o);", Some("pthread_mutex_lock")),
        ("pthread_mutex_trylock(&o); pthread_mutex_lock(&o);", Some("pthread_mutex_lock")),
        ("pthread_mutex_lock(&o); pthread_mutex_unlock(&o); pthread_mutex_lock(&o); pthread_mutex_lock(&p);", None),
        ("pthread_rwlock_rdlock(&o); pthread_rwlock_rdlock(&o); pthread_rwlock_unlock(&o); pthread_rwlock_wrlock(&o);",
         Some("pthread_rwlock_wrlock")),
        ("pthread_rwlock_rdlock(&o); pthread_rwlock_rdlock(&o); pthread_rwlock_unlock(&o); pthread_rwlock_unlock(&o);
          pthread_rwlock_wrlock(&o);", None),
        ("pthread_barrier_init(&o, 0, 2); pthread_barrier_wait(&o);", Some("pthread_barrier_wait")),
        ("pthread_barrier_init(&o, 0, 1); pthread_barrier_wait(&o);", None),
    ] {
        let (verdict, said) = plain(&format!("{head} int main(void) {{ {body} reach_error(); return 0; }}"));
        match waiting {
            None => assert_eq!(verdict, "unsafe", "{said}: {body}"),
            Some(name) => {
                assert_eq!(verdict, "unknown", "{body}");
                let words = format!("no other thread ends the call of '{name}'");
                assert!(said.contains(&words), "{said}: {body}");
            }
        }
    }
}

#[test]
fn assembler_is_not_followed() {
    let program = |text: &str| {
        format!(
            "int x; int main(void) {{ int n = __VERIFIER_nondet_int(); {text} if (x) reach_error(); return 0; }}"
        )
    };
    for text in [
        "asm(\"nop\");",
        "asm volatile(\"nop\\n\\tnop\");",
        "__asm__(\" nop ; nop\");",
        "asm(\"\");",
        "asm(\"\" ::: \"memory\");",
    ] {
        assert_eq!(plain(&program(text)), ("safe", String::new()), "{text}");
    }
    // Operands are evaluated all the same.
    let (error, _) =
        plain(&program("x = 1; asm volatile(\"\" : : \"r\"(x++)); if (x == 2) reach_error();"));
    assert_eq!(error, "unsafe");
    assert_eq!(
        plain(&program("asm(\"nop\" : : \"r\"(x = 2)); if (x != 2) reach_error(); x = 0;")).0,
        "safe"
    );
    for text in [
        "asm(\"incl x\");",
        "if (n) asm volatile(\"incl x\");",
        "for (;;) { asm(\"nop; incl x\"); break; }",
        "__asm(\"nop\" : \"=r\"(n));",
    ] {
        assert_eq!(plain(&program(text)), ("unknown", "assembler".to_owned()), "{text}");
    }
    assert_eq!(plain(&program("if (x) asm(\"incl x\");")).0, "safe");
}
