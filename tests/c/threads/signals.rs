//! What signal handlers do to programs without threads.

use super::{decided_by, preprocessed};
use crate::support::c::asked;
use hardbop_base::errors::{Check, Checks};
use hardbop_c::Property;

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
";

/// Programs, and their verdicts: what is in `main`, behind what is outside of it.
const TABLE: [(&str, &str, &str, &str); 51] = [
    (
        "SAFE",
        "a flag that two signals set",
        "static volatile sig_atomic_t stop; static void on(int s){ (void)s; stop = 1; }",
        "signal(SIGINT, on); signal(SIGTERM, on); int n=0; while(!stop && n<10){ int c=getchar(); if(c==EOF) break; n++; } assert(n<=10); assert(stop==0||stop==1);",
    ),
    (
        "UNSAFE",
        "a flag may be set at once",
        "static volatile sig_atomic_t stop; static void on(int s){ (void)s; stop = 1; }",
        "signal(SIGINT, on); assert(!stop);",
    ),
    (
        "UNSAFE",
        "a sum with a signal in its midst",
        "static volatile int n; static void on(int s){ n++; }",
        "signal(SIGINT, on); int a=n; n = a+1; int b = n; assert(b >= a+1); int k = n; n++; assert(n == k+1);",
    ),
    (
        "SAFE",
        "sigaction, and the number of the signal",
        "static volatile sig_atomic_t got; static void on(int s){ got = s; }",
        "struct sigaction sa; memset(&sa,0,sizeof sa); sa.sa_handler=on; sigemptyset(&sa.sa_mask); sa.sa_flags=0; if (sigaction(SIGUSR1,&sa,NULL)<0) return 1; for(int i=0;i<3;i++){ if(got){ assert(got==SIGUSR1); break; } }",
    ),
    (
        "UNSAFE",
        "an error in a handler, while the program goes round",
        "static int phase; static void on(int s){ assert(phase != 2); }",
        "signal(SIGALRM, on); phase=1; phase=2; for(;;){}",
    ),
    (
        "SAFE",
        "signals that are blocked",
        "static int a, b; static void on(int s){ assert(a == b); }",
        "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGALRM); signal(SIGALRM, on); for (int i=0;i<3;i++){ sigprocmask(SIG_BLOCK,&set,0); a++; b++; sigprocmask(SIG_UNBLOCK,&set,0);}",
    ),
    (
        "UNSAFE",
        "the same without",
        "static int a, b; static void on(int s){ assert(a == b); }",
        "signal(SIGALRM, on); for (int i=0;i<3;i++){ a++; b++; }",
    ),
    (
        "SAFE",
        "raise, and what the system does by itself",
        "static int n; static void on(int s){ n = s; }",
        "signal(SIGUSR2, on); raise(SIGUSR2); assert(n == SIGUSR2); signal(SIGUSR2, SIG_IGN); raise(SIGUSR2); signal(SIGUSR2, SIG_DFL); raise(SIGUSR2); assert(0);",
    ),
    (
        "SAFE",
        "pause returns when a handler has run",
        "static volatile sig_atomic_t hup; static void on(int s){ hup = 1; }",
        "signal(SIGHUP, on); int r = pause(); assert(hup == 1 && r == -1);",
    ),
    (
        "UNSAFE",
        "a pointer that has no value yet",
        "static char *buffer; static void on(int s){ buffer[0] = 'x'; }",
        "signal(SIGINT, on); buffer = malloc(10); if(!buffer) return 1; buffer[1]='a'; free(buffer);",
    ),
    (
        "SAFE",
        "other parts of an object stay",
        "static char text[10]; static char *buffer = text; static void on(int s){ buffer[0] = 'x'; }",
        "signal(SIGINT, on); char mine[3] = \"ab\"; buffer[1]='a'; assert(mine[0]=='a'); assert(text[1]=='a'); assert(text[0]==0 || text[0]=='x');",
    ),
    (
        "UNKNOWN",
        "one handler may interrupt the other",
        "static int n; static void on(int s){ n++; }",
        "signal(SIGINT, on); signal(SIGTERM, on); assert(n >= 0);",
    ),
    (
        "SAFE",
        "a handler that ends the program",
        "static void on(int s){ write(1,\"bye\\n\",4); _exit(1); }",
        "signal(SIGINT, on); signal(SIGTERM, on); int x = 3; assert(x==3);",
    ),
    (
        "UNKNOWN",
        "a jump out of a handler",
        "static sigjmp_buf env; static int ready; static void on(int s){ if (ready) siglongjmp(env, 1); }",
        "signal(SIGFPE, on); if (sigsetjmp(env,1)) { return 2; } ready = 1; int i; for(i=0;i<2;i++){} assert(i==2);",
    ),
    (
        "UNSAFE",
        "a check before a use",
        "static volatile sig_atomic_t d = 5; static void on(int s){ d = 0; }",
        "signal(SIGINT, on); if (d != 0) { int q = 100 / d; printf(\"%d\\n\", q); }",
    ),
    (
        "SAFE",
        "a check of a copy",
        "static volatile sig_atomic_t d = 5; static void on(int s){ d = 0; }",
        "signal(SIGINT, on); int k = d; if (k != 0) { int q = 100 / k; printf(\"%d\\n\", q); }",
    ),
    (
        "UNKNOWN",
        "a function that both call",
        "static int n; static void log_it(void){ n = n + 1; } static void on(int s){ log_it(); }",
        "signal(SIGINT, on); log_it(); assert(n >= 1);",
    ),
    (
        "SAFE",
        "sigaction with literals, and errno",
        "static volatile sig_atomic_t kids; static void reap(int s){ int saved = errno; kids = 1; errno = saved; }",
        "struct sigaction sa = {.sa_handler = reap, .sa_flags = SA_RESTART}; sigaction(SIGCHLD, &sa, 0); sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, 0); if (kids) assert(kids == 1);",
    ),
    (
        "SAFE",
        "pointers to functions, where signals are ignored",
        "static int n; static void plus(int k){ n += k; } static void minus(int k){ n -= k; } static void (*const table[2])(int) = { plus, minus };",
        "signal(SIGPIPE, SIG_IGN); int c = getchar(); table[c == '+'](3); assert(n == 3 || n == -3);",
    ),
    (
        "UNKNOWN",
        "a handler that is called through a table, too",
        "static int n; static void plus(int k){ n += k; } static void on(int s){ n = 5; } static void (*const table[2])(int) = { plus, on };",
        "signal(SIGINT, on); int c = getchar(); table[c == '+'](3); assert(n == 3 || n == 5 || n == 8);",
    ),
    (
        "UNSAFE",
        "a static variable, by a pointer",
        "static int *where; static void on(int s){ if (where) *where = 7; } static int f(void){ static int k; where = &k; k = 1; return k; }",
        "signal(SIGINT, on); int r = f(); assert(r == 1);",
    ),
    (
        "UNSAFE",
        "a local variable, by a pointer",
        "static int *where; static void on(int s){ if (where) *where = 7; }",
        "int k; where = &k; signal(SIGINT, on); k = 1; int r = k; assert(r == 1);",
    ),
    (
        "SAFE",
        "a handler that is taken away",
        "static int n; static void on(int s){ n = 1; }",
        "signal(SIGINT, on); signal(SIGINT, SIG_IGN); n = 0; assert(n == 0);",
    ),
    (
        "SAFE",
        "a handler that runs once",
        "static int n; static void on(int s){ n++; }",
        "struct sigaction sa; memset(&sa, 0, sizeof sa); sa.sa_handler = on; sa.sa_flags = SA_RESETHAND; sigaction(SIGINT, &sa, 0); assert(n <= 1);",
    ),
    (
        "UNSAFE",
        "a handler that is an argument",
        "static volatile sig_atomic_t n; static void on(int s){ n = 1; } static void install(void (*h)(int)){ signal(SIGTERM, h); }",
        "install(on); while (n == 0) { } assert(n != 1);",
    ),
    (
        "UNSAFE",
        "what a function returned",
        "static int n; static void on(int s){ n = 9; } static int get(void){ return 2; }",
        "signal(SIGINT, on); n = get(); int k = n; assert(k == 2);",
    ),
    (
        "UNSAFE",
        "two arguments",
        "static int n; static void on(int s){ n = 9; } static void check(int a, int b){ assert(a == b); }",
        "signal(SIGINT, on); check(n, n);",
    ),
    (
        "SAFE",
        "two reads in a sum",
        "static volatile sig_atomic_t n; static void on(int s){ n = 1; }",
        "signal(SIGINT, on); int k = n + n; assert(k >= 0 && k <= 2);",
    ),
    (
        "UNSAFE",
        "two reads in a difference",
        "static volatile sig_atomic_t n; static void on(int s){ n = 1; }",
        "signal(SIGINT, on); int k = n - n; assert(k == 0);",
    ),
    (
        "UNSAFE",
        "two members",
        "struct p { int a, b; } s; static void on(int x){ s.a = 1; s.b = 1; }",
        "signal(SIGINT, on); struct p c; c.a = s.a; c.b = s.b; assert(c.a == c.b);",
    ),
    (
        "UNSAFE",
        "a block that is freed twice",
        "static char *p; static void on(int s){ free(p); _exit(1); }",
        "p = malloc(4); if (!p) return 1; signal(SIGINT, on); free(p);",
    ),
    (
        "SAFE",
        "one sets, one clears",
        "static volatile sig_atomic_t debug_level; static void up(int s){ debug_level = 1; } static void down(int s){ debug_level = 0; }",
        "signal(SIGUSR1, up); signal(SIGUSR2, down); for (int i = 0; i < 3; i++) { int d = debug_level; if (d) printf(\"%d\\n\", i); assert(d == 0 || d == 1); }",
    ),
    (
        "UNKNOWN",
        "threads, too",
        "static int n; static void on(int s){ n = 1; } static void *f(void *p){ n = 2; return 0; }",
        "pthread_t t; signal(SIGINT, on); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 2);",
    ),
    (
        "UNSAFE",
        "a switch, and what is behind it",
        "static volatile sig_atomic_t n; static void on(int s){ n = 1; }",
        "signal(SIGINT, on); switch (n) { case 0: assert(n == 0); break; case 1: break; default: assert(0);}",
    ),
    (
        "SAFE",
        "one value decides a switch",
        "static volatile sig_atomic_t n; static void on(int s){ n = 1; }",
        "signal(SIGINT, on); switch (n) { case 0: break; case 1: break; default: assert(0);}",
    ),
    (
        "UNSAFE",
        "in a function",
        "static int a, b; static void on(int s){ assert(a == b); } static void step(void){ a++; b++; }",
        "signal(SIGALRM, on); step(); step();",
    ),
    (
        "SAFE",
        "pointers that lead elsewhere",
        "static int a; static void on(int s){ a = 1; }",
        "int x[4] = {0}; int *p = x; signal(SIGALRM, on); for (int i = 0; i < 4; i++) p[i] = i; assert(x[3] == 3);",
    ),
    (
        "SAFE",
        "a handler that is told more",
        "static volatile sig_atomic_t k; static void on(int s, siginfo_t *i, void *c){ k = i->si_signo; assert(s == i->si_signo); }",
        "struct sigaction sa; memset(&sa, 0, sizeof sa); sa.sa_sigaction = on; sa.sa_flags = SA_SIGINFO; sigaction(SIGINT, &sa, 0); int r = k; assert(r == 0 || r == 2);",
    ),
    (
        "SAFE",
        "a handler that is installed again by itself",
        "static int depth; static void on(int s){ depth++; signal(s, on); assert(depth == 1); depth--; }",
        "signal(SIGINT, on); int k = depth; assert(k == 0);",
    ),
    (
        "UNSAFE",
        "what a handler does behind raise",
        "static void on(int s){ signal(s, SIG_DFL); raise(s); assert(0); }",
        "signal(SIGINT, on); pause();",
    ),
    (
        "UNSAFE",
        "before the program ends",
        "static int phase; static void on(int s){ assert(phase != 2); }",
        "signal(SIGALRM, on); phase=1; phase=2; exit(0);",
    ),
    (
        "UNKNOWN",
        "in the midst of a copy",
        "struct p { int a, b; }; static struct p s, t = {1, 1}; static void on(int x){ assert(s.a == s.b); }",
        "signal(SIGINT, on); s = t;",
    ),
    (
        "UNSAFE",
        "an object that is changed through a pointer",
        "static volatile int x; static void on(int s){ assert(x != 1); } static void set(volatile int *p, int v){ *p = v; }",
        "signal(SIGINT, on); set(&x, 1); set(&x, 0);",
    ),
    (
        "UNKNOWN",
        "an object that the library changes",
        "static char b[4]; static void on(int s){ assert(b[0] != 1); }",
        "signal(SIGINT, on); memset(b, 1, 1); memset(b, 0, 1);",
    ),
    (
        "UNKNOWN",
        "a record that is an argument",
        "struct p { int a, b; }; static struct p v; static void on(int s){ v.a = 1; v.b = 1; } static void f(struct p c){ assert(c.a == c.b); }",
        "signal(SIGINT, on); f(v);",
    ),
    (
        "UNKNOWN",
        "a record that a function returns",
        "struct p { int a, b; }; static struct p v; static void on(int s){ assert(v.a == v.b); } static struct p two(void){ struct p r = {2, 2}; return r; }",
        "signal(SIGINT, on); v = two();",
    ),
    (
        "UNKNOWN",
        "two handlers that run once",
        "static volatile int f, g; static void on(int s){ f = 1; assert(!g); } static void in(int s){ if (f) g = 1; }",
        "struct sigaction a = {.sa_handler = on, .sa_flags = SA_RESETHAND}; sigaction(SIGUSR1, &a, 0); a.sa_handler = in; sigaction(SIGUSR2, &a, 0); pause();",
    ),
    (
        "UNKNOWN",
        "what strtok keeps",
        "static char b[4]; static void on(int s){ b[0] = 'q'; b[1] = ','; b[2] = 'r'; b[3] = 0; strtok(b, \",\"); }",
        "char x[4] = \"a b\"; signal(SIGINT, on); strtok(x, \" \"); char *p = strtok(0, \" \"); assert(!p || *p != 'r');",
    ),
    (
        "UNKNOWN",
        "the mask in a handler",
        "static volatile int n; static void on(int s){ sigset_t m; sigemptyset(&m); sigaddset(&m, SIGINT); sigprocmask(SIG_BLOCK, &m, 0); n = 1; }",
        "signal(SIGINT, on); while (!n) {} n = 0; assert(!n);",
    ),
    (
        "UNKNOWN",
        "two bit-fields in one byte",
        "static volatile struct { unsigned a : 4, b : 4; } f; static void on(int s){ f.b = 1; signal(s, SIG_IGN); }",
        "signal(SIGINT, on); f.a = 1; if (signal(SIGINT, SIG_DFL) == SIG_IGN) assert(f.b == 1);",
    ),
    (
        "SAFE",
        "what sigaction tells of the action before",
        "static void on(int s){}",
        "struct sigaction a, b; sigaction(SIGUSR1, 0, &a); assert(!(a.sa_flags & SA_RESETHAND)); sigaction(SIGUSR1, &a, 0); memset(&a, 0, sizeof a); a.sa_handler = on; a.sa_flags = SA_NOCLDSTOP; sigaddset(&a.sa_mask, SIGINT);
         sigaction(SIGUSR1, &a, 0); sigaction(SIGUSR1, 0, &b); assert(b.sa_handler == on && b.sa_flags & SA_NOCLDSTOP && !(b.sa_flags & SA_SIGINFO)); assert(sigismember(&b.sa_mask, SIGINT) == 1 && !sigismember(&b.sa_mask, SIGKILL));",
    ),
];

#[test]
fn handlers_run_where_signals_may_come() {
    let checks = Checks::of(&[Check::Division, Check::Null, Check::Lifetime, Check::Free]);
    for (expected, name, outside, main) in TABLE {
        let text = format!("{HEAD}{outside}\nint main(void) {{ {main} return 0; }}\n");
        let Some(text) = preprocessed(&text) else {
            println!("skipped: no C preprocessor with headers for signals");
            return;
        };
        // What is not followed stops every step of the strategy, and the last ones take long to see it.
        let work = if expected == "UNKNOWN" { 20_000 } else { 10_000_000 };
        let flow = asked(&text, Property { checks, ..Property::default() });
        let (found, why) = decided_by(&flow, work);
        assert_eq!(found, expected, "{name}: {why}");
        assert!(expected != "UNKNOWN" || why.contains("signal"), "{name}: {why}");
    }
}
