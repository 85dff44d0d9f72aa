//! What calls do to threads.

use super::{decided, preprocessed, verdict};
use crate::support::c::checked;
use hardbop_base::errors::Check;

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
";

/// Programs, and their verdicts: what is in `main`, behind what is outside of it.
const TABLE: [(&str, &str, &str, &str); 37] = [
    (
        "SAFE",
        "a result",
        "void *f(void *p) { return p; } int n;",
        "pthread_t t; void *r; pthread_create(&t, 0, f, &n); pthread_join(t, &r); assert(r == &n);",
    ),
    (
        "UNSAFE",
        "before the end",
        "int n; void *f(void *p) { n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); assert(n == 1);",
    ),
    (
        "SAFE",
        "an argument",
        "int n; void *f(void *p) { n = *(int *)p; return 0; }",
        "pthread_t t; int m = 7; pthread_create(&t, 0, f, &m); pthread_join(t, 0); assert(n == 7);",
    ),
    (
        "UNSAFE",
        "an argument that changes",
        "int n; void *f(void *p) { n = *(int *)p; return 0; }",
        "pthread_t t; int m = 7; pthread_create(&t, 0, f, &m); m = 8; pthread_join(t, 0); assert(n == 7);",
    ),
    (
        "SAFE",
        "exit in a call",
        "int n; void g(void) { n = 1; pthread_exit((void *)3); n = 2; } void *f(void *p) { g(); n = 3; return 0; }",
        "pthread_t t; void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r); assert(n == 1 && r == (void *)3);",
    ),
    (
        "SAFE",
        "numbers",
        "pthread_t s; void *f(void *p) { s = pthread_self(); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(pthread_equal(s, t) && !pthread_equal(t, pthread_self()));",
    ),
    (
        "UNSAFE",
        "main ends before",
        "void *f(void *p) { assert(0); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0);",
    ),
    (
        "SAFE",
        "it never starts",
        "int n; void *f(void *p) { assert(!n); return 0; }",
        "pthread_t t; if (n) pthread_create(&t, 0, f, 0);",
    ),
    (
        "UNSAFE",
        "threads of one loop",
        "int n; void *f(void *p) { n++; return 0; }",
        "pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(t + i, 0, f, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(n == 3);",
    ),
    (
        "UNKNOWN",
        "more than are followed",
        "void *f(void *p) { return 0; } int g(void);",
        "pthread_t t; while (1) pthread_create(&t, 0, f, 0);",
    ),
    (
        "SAFE",
        "a thread starts another",
        "int n; void *g(void *p) { n = 2; return 0; } void *f(void *p) { pthread_t u; pthread_create(&u, 0, g, 0); pthread_join(u, 0); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 2);",
    ),
    (
        "SAFE",
        "semaphores",
        "sem_t s; int n; void *f(void *p) { sem_wait(&s); assert(n == 1); return 0; }",
        "pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); n = 1; sem_post(&s); pthread_join(t, 0);",
    ),
    (
        "UNSAFE",
        "semaphores that let two in",
        "sem_t s; int n; void *f(void *p) { sem_wait(&s); n++; assert(n == 1); n--; sem_post(&s); return 0; }",
        "pthread_t t; sem_init(&s, 0, 2); pthread_create(&t, 0, f, 0); f(0);",
    ),
    (
        "SAFE",
        "condition variables",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int n; void *f(void *p) { pthread_mutex_lock(&m); while (!n) pthread_cond_wait(&c, &m); assert(n); pthread_mutex_unlock(&m); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); n = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
    ),
    (
        "SAFE",
        "locks for readers and writers",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int n, k; void *f(void *p) { pthread_rwlock_wrlock(&l); n++; k++; pthread_rwlock_unlock(&l); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_rwlock_rdlock(&l); assert(n == k); pthread_rwlock_unlock(&l);",
    ),
    (
        "SAFE",
        "barriers",
        "pthread_barrier_t b; int n, k; void *f(void *p) { n = 1; pthread_barrier_wait(&b); assert(k == 1); return 0; }",
        "pthread_t t; pthread_barrier_init(&b, 0, 2); pthread_create(&t, 0, f, 0); k = 1; pthread_barrier_wait(&b); assert(n == 1);",
    ),
    (
        "SAFE",
        "atomic variables",
        "_Atomic int n; void *f(void *p) { n++; n += 2; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); int k = n++; pthread_join(t, 0); assert(n == 4 && k != 4);",
    ),
    (
        "UNSAFE",
        "a read and a write of one",
        "_Atomic int n; void *f(void *p) { n = n + 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); n++; pthread_join(t, 0); assert(n == 2);",
    ),
    (
        "UNKNOWN",
        "one of each thread's own",
        "_Thread_local int n; void *f(void *p) { n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(!n);",
    ),
    (
        "UNKNOWN",
        "a lock of another kind",
        "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int n; void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(!n);",
    ),
    (
        "SAFE",
        "what is used is what was assigned",
        "int n; void *f(void *p) { n = 5; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); int k = (n = 3); assert(k == 3);",
    ),
    (
        "SAFE",
        "one value decides a 'switch'",
        "int n; void *f(void *p) { n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); switch (n) { case 1: break; case 0: break; default: assert(0); }",
    ),
    (
        "SAFE",
        "one value is used several times",
        "double n; void *f(void *p) { n = -1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); double k = __builtin_fabs(n); assert(k == 0 || k == 1);",
    ),
    (
        "SAFE",
        "one value decides a choice",
        "int n; void *f(void *p) { n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); int k = n ?: 5; assert(k == 1 || k == 5);",
    ),
    (
        "UNKNOWN",
        "a function is handed on as an argument",
        "int x; void g(void) { x++; } void *f(void *p) { void (*h)(void) = (void (*)(void))p; h(); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, (void *)g); x++; pthread_join(t, 0); assert(x == 2);",
    ),
    (
        "UNKNOWN",
        "waiting up to a time",
        "pthread_mutex_t m; pthread_cond_t c; int n; void *f(void *p) { pthread_mutex_lock(&m); n = 1; pthread_mutex_unlock(&m); return 0; }",
        "pthread_t t; struct timespec s = {1, 0}; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); n = 0; pthread_cond_timedwait(&c, &m, &s); assert(n == 0);",
    ),
    (
        "UNKNOWN",
        "once",
        "pthread_once_t o = PTHREAD_ONCE_INIT; int n; void g(void) { n++; } void *f(void *p) { pthread_once(&o, g); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_once(&o, g); pthread_join(t, 0); assert(n == 1);",
    ),
    (
        "UNKNOWN",
        "each thread has an 'errno'",
        "void *f(void *p) { errno = 1; return 0; }",
        "pthread_t t; errno = 0; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(errno == 0);",
    ),
    (
        "UNSAFE",
        "functions end without a 'return'",
        "int n; void g(void) { n++; } void *f(void *p) { g(); }",
        "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 0);",
    ),
    (
        "UNSAFE",
        "a side effect is not the read of the result",
        "int z = 1, w; void *f(void *p) { w = z--; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); z = 2; pthread_join(t, 0); assert(!(w == 1 && z == 1));",
    ),
    (
        "SAFE",
        "a variable is volatile",
        "volatile int n; void *f(void *p) { n = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); while (!n) {} assert(n == 1);",
    ),
    (
        "SAFE",
        "a volatile variable has the value that it was given",
        "volatile int x = 1; void *f(void *p) { x = 1; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 1);",
    ),
    (
        "UNSAFE",
        "a volatile variable changes",
        "volatile int x; void *f(void *p) { x = 1; return 0; }",
        "pthread_t t; int n = 0; pthread_create(&t, 0, f, 0); while (!x) n++; assert(n != 3);",
    ),
    (
        "UNSAFE",
        "a thread runs before the result of its start is stored",
        "int e = 7, seen; void *f(void *p) { seen = e; return 0; }",
        "pthread_t t; e = pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(seen == 0);",
    ),
    (
        "UNSAFE",
        "arguments are no part of an atomic access",
        "int x, y; int g(void) { y = y + 1; return 0; } void *f(void *p) { __sync_fetch_and_add(&x, g()); return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(y == 2);",
    ),
    (
        "SAFE",
        "the value of an assignment is what was assigned",
        "int x, y; int g(void) { return 7; } void *f(void *p) { x = 3; return 0; }",
        "pthread_t t; pthread_create(&t, 0, f, 0); if ((y = x = g()) != 7) assert(0); assert(y == 7);",
    ),
    (
        "SAFE",
        "C11",
        "mtx_t m; int n; int f(void *p) { mtx_lock(&m); n++; mtx_unlock(&m); return 4; }",
        "thrd_t t; int r; mtx_init(&m, 0); thrd_create(&t, f, 0); mtx_lock(&m); n++; mtx_unlock(&m); thrd_join(t, &r); assert(n == 2 && r == 4);",
    ),
];

#[test]
fn calls_do_what_posix_says() {
    for (expected, name, outside, main) in TABLE {
        let text = format!("{HEAD}{outside}\nint main(void) {{ {main} return 0; }}\n");
        let Some(text) = preprocessed(&text) else {
            println!("skipped: no C preprocessor with headers for threads");
            return;
        };
        let (found, why) = verdict(&text);
        assert_eq!(found, expected, "{name}: {why}");
    }
}

/// Variables of functions that are expanded end where these return, which is not followed.
#[test]
fn variables_end() {
    let text = |inside: &str, behind: &str| {
        format!(
            "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
            int x; int *k; void g(void) {{ int l = 0; {inside} x++; }}
            void *f(void *p) {{ g(); {behind} g(); return 0; }}
            int main(void) {{ unsigned long t; pthread_create(&t, 0, f, 0); x = 2; return 0; }}"
        )
    };
    for (inside, behind, expected) in
        [("l++;", "", "SAFE"), ("k = &l;", "*k = 1;", "UNKNOWN"), ("k = &l;", "", "UNKNOWN")]
    {
        let flow = checked(&text(inside, behind), &[Check::Lifetime]);
        assert_eq!(decided(&flow).0, expected);
    }
}
