//! Data races and deadlocks, as C11 (5.1.2.4) and POSIX define them.

use super::{decided, preprocessed};
use crate::support::c::checked;
use hardbop_base::errors::Check;

const HEAD: &str = "#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
";
const LOCK: &str = "pthread_mutex_lock(&m);";
const UNLOCK: &str = "pthread_mutex_unlock(&m);";

/// The verdicts on programs of a thread and `main`, which runs beside it: what is outside, in the thread, and in `main`.
fn judge(check: Check, programs: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (expected, outside, thread, beside) in programs {
        let text = format!(
            "{HEAD}{outside}\nvoid *f(void *given) {{ {thread} return 0; }}
            int main(void) {{ pthread_t t; int local = 0; pthread_create(&t, 0, f, &local); {beside} pthread_join(t, 0); return 0; }}"
        );
        let text = text.replace("LOCK", LOCK).replace("OPEN", UNLOCK);
        let Some(text) = preprocessed(&text) else {
            println!("skipped: no C preprocessor with headers for threads");
            return;
        };
        let (found, why) = decided(&checked(&text, &[check]));
        let text = text.lines().rev().take(5).collect::<Vec<_>>().join("\n");
        if found != *expected {
            wrong.push(format!("{found}, not {expected}: {why}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn races() {
    judge(
        Check::Race,
        &[
            ("UNSAFE", "int x;", "x++;", "LOCK x = 1; OPEN"),
            ("SAFE", "int x;", "LOCK x++; OPEN", "LOCK x = 1; OPEN"),
            ("SAFE", "int x = 1;", "int l = x;", "int l = x;"),
            ("UNSAFE", "int x = 1;", "int l = x;", "x = 1;"),
            ("SAFE", "int a[2];", "a[0] = 1;", "a[1] = 1;"),
            ("UNSAFE", "int a[2], i;", "a[0] = 1;", "a[i] = 1;"),
            ("SAFE", "struct { int x, y; } s;", "s.x = 1;", "s.y = 1;"),
            // Bit-fields beside each other are one object; what is copied as a whole has all members.
            ("UNSAFE", "struct { int x : 3, y : 4; } s;", "s.x = 1;", "s.y = 1;"),
            ("SAFE", "struct { int x : 3, y : 4, : 0; int z; } s;", "s.x = 1;", "s.z = 1;"),
            ("UNSAFE", "struct s { int x, y; } s, u;", "s.x = 1;", "u = s;"),
            ("UNKNOWN", "union { int x; char y; } u;", "u.x = 1;", "u.y = 1;"),
            // By pointers, also to what a function has of its own.
            ("UNSAFE", "", "*(int *)given = 1;", "local++;"),
            ("SAFE", "int *p;", "*(int *)given = 1;", "p = malloc(4); if (p) *p = 1;"),
            ("UNSAFE", "int x, *p = &x;", "*p = 1;", "x = 1;"),
            ("UNSAFE", "long x; char *p = (char *)&x + 3;", "*p = 1;", "x = 1;"),
            ("SAFE", "short x[2]; char *p = (char *)&x + 1;", "*p = 1;", "x[1] = 1;"),
            // Atomic accesses do not race with each other, but with others.
            ("SAFE", "atomic_int x;", "x = 1;", "x++;"),
            ("SAFE", "struct { _Atomic int x; int y; } s;", "s.x = 1;", "s.x++;"),
            ("UNSAFE", "struct { _Atomic int x; int y; } s;", "s.y = 1;", "s.y++;"),
            ("SAFE", "int x;", "__sync_fetch_and_add(&x, 1);", "__atomic_store_n(&x, 2, 5);"),
            ("UNSAFE", "int x;", "__sync_fetch_and_add(&x, 1);", "x = 2;"),
            (
                "SAFE",
                "int x; void __VERIFIER_atomic_set(void) { x = 1; }",
                "__VERIFIER_atomic_set();",
                "__VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end();",
            ),
            (
                "UNSAFE",
                "int x; void __VERIFIER_atomic_set(void) { x = 1; }",
                "__VERIFIER_atomic_set();",
                "x = 2;",
            ),
            // What an atomic flag says is ordered with it.
            ("SAFE", "int x; atomic_int ready;", "x = 1; ready = 1;", "if (ready) x = 2;"),
            ("UNSAFE", "int x; int ready;", "x = 1; ready = 1;", "if (ready) x = 2;"),
            // `&&` and `?:` evaluate one operand only.
            ("SAFE", "int x; atomic_int c;", "x = 1;", "int l = c && x ? x : 2;"),
            ("UNSAFE", "int x; atomic_int c;", "x = 1;", "int l = c || x ? 1 : 2;"),
            // A volatile variable is read like others, and other threads alone change it.
            ("UNSAFE", "volatile int x;", "x = 1;", "int l = x;"),
            ("SAFE", "volatile int c; int x;", "if (c) x = 1;", "if (c) x = 1;"),
            // Results are stored behind calls, and arguments are no part of an atomic access.
            (
                "UNSAFE",
                "int e;",
                "int l = e;",
                "pthread_t s = pthread_self(); e = pthread_equal(s, s);",
            ),
            (
                "UNSAFE",
                "int x, y;",
                "__atomic_store_n(&x, y++, 5);",
                "__atomic_store_n(&x, y++, 5);",
            ),
            (
                "UNSAFE",
                "int x = 5, e;",
                "__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5);",
                "e = 1;",
            ),
            ("SAFE", "int x, e;", "__atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5);", "int l = e;"),
            ("SAFE", "void *r;", "r = given;", "pthread_join(t, &r); return 0;"),
            ("UNSAFE", "sem_t s; int v;", "sem_getvalue(&s, &v);", "v = 1;"),
            ("UNKNOWN", "int v;", "pthread_setcancelstate(0, &v);", "v = 1;"),
            (
                "UNKNOWN",
                "int x; void lock(void) { __VERIFIER_atomic_begin(); } void unlock(void) { __VERIFIER_atomic_end(); }",
                "lock(); x = 1; unlock();",
                "lock(); x = 1; unlock();",
            ),
            // To what pointers lead, their types do not say.
            (
                "UNKNOWN",
                "atomic_int x; void set(atomic_int *p) { *p = 1; }",
                "set(&x);",
                "set(&x);",
            ),
            ("UNKNOWN", "int o; int *_Atomic p;", "p = &o;", "int *l = p;"),
            // The end of a thread comes before what follows the wait for it.
            ("SAFE", "int x;", "x = 1;", "pthread_join(t, 0); x = 2; return x;"),
            (
                "UNSAFE",
                "pthread_t s; void *g(void *p) { return 0; }",
                "pthread_create(&s, 0, g, 0);",
                "pthread_t c = s;",
            ),
            // In functions, and in what the library copies.
            ("UNSAFE", "int x; void set(int *p) { *p = 1; }", "set(&x);", "set(&x);"),
            ("SAFE", "int x; void set(int *p) { LOCK *p = 1; OPEN }", "set(&x);", "set(&x);"),
            ("UNSAFE", "char b[8];", "memset(b, 0, 4);", "b[3] = 1;"),
            ("SAFE", "char b[8];", "memset(b, 0, 4);", "b[4] = 1;"),
            ("UNSAFE", "char b[8], c[8];", "memcpy(b, c, 4);", "c[3] = 1;"),
            ("SAFE", "char b[8], c[8];", "memcpy(b, c, 4);", "char l = c[3];"),
            ("UNKNOWN", "char b[8];", "b[0] = 0;", "return strlen(b);"),
        ],
    );
}

#[test]
fn deadlocks() {
    let both = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);";
    let crossed = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);";
    let tries = "if (!pthread_mutex_trylock(&n)) { LOCK OPEN pthread_mutex_unlock(&n); }";
    judge(
        Check::Deadlock,
        &[
            ("SAFE", "int x;", both, both),
            ("UNSAFE", "int x;", both, crossed),
            ("UNSAFE", "int x;", both, tries),
            (
                "SAFE",
                "int x;",
                "LOCK if (!pthread_mutex_trylock(&n)) pthread_mutex_unlock(&n); OPEN",
                tries,
            ),
            ("UNSAFE", "", "LOCK", "LOCK"),
            // The end of the program ends all threads.
            ("SAFE", "", "LOCK OPEN", "LOCK return 0;"),
            ("UNSAFE", "", "LOCK LOCK", ""),
            ("UNSAFE", "", "LOCK", "pthread_join(t, 0); LOCK OPEN"),
            ("SAFE", "sem_t s;", "sem_post(&s);", "sem_wait(&s);"),
            ("UNSAFE", "sem_t s;", "sem_post(&s);", "sem_wait(&s); sem_wait(&s);"),
            (
                "SAFE",
                "pthread_barrier_t b;",
                "LOCK OPEN pthread_barrier_wait(&b);",
                "pthread_barrier_init(&b, 0, 1); pthread_barrier_wait(&b);",
            ),
            (
                "UNSAFE",
                "pthread_rwlock_t r;",
                "pthread_rwlock_rdlock(&r);",
                "pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); pthread_rwlock_wrlock(&r);",
            ),
            // A signal is not waited for.
            ("SAFE", "pthread_cond_t c;", "LOCK pthread_cond_wait(&c, &m); OPEN", ""),
            ("UNSAFE", "pthread_cond_t c;", "LOCK pthread_cond_wait(&c, &m); OPEN", "LOCK"),
        ],
    );
    // Before there are others, and where none can run.
    let early = format!(
        "{HEAD}void *f(void *p) {{ return 0; }} int main(void) {{ pthread_t t; {LOCK} {LOCK} pthread_create(&t, 0, f, 0); return 0; }}"
    );
    if let Some(early) = preprocessed(&early) {
        assert_eq!(decided(&checked(&early, &[Check::Deadlock])).0, "UNSAFE");
    }
    let alone = format!("{HEAD}int main(void) {{ {LOCK} {LOCK} return 0; }}");
    if let Some(alone) = preprocessed(&alone) {
        assert_eq!(decided(&checked(&alone, &[Check::Deadlock])).0, "UNKNOWN");
    }
}
