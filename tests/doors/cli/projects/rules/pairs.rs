//! Programs for each of hardbop's own rules.

/// A rule with a good and a bad program, and the words of its error.
pub(super) struct Pair {
    pub rule: &'static str,
    pub good: &'static str,
    pub bad: &'static str,
    pub words: &'static str,
}

pub(super) const PAIRS: &[Pair] = &[
    Pair {
        rule: "streams",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"), *g = fopen("b", "r"); if (f) { while (fgetc(f) > 32) ; fclose(f); } if (g) fclose(g); return 0; }"##,
        bad: r##"#include <stdio.h>
static int first(FILE *f) { int c = fgetc(f); if (c == '#') fclose(f); return c; }
int main(void) { FILE *f = fopen("a", "r"); if (!f) return 1; first(f); fclose(f); return 0; }"##,
        words: "the stream is closed for the second time",
    },
    Pair {
        rule: "streams",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r"); if (f) { if (!freopen("b", "r", f)) return 1; fgetc(f); fclose(f); } return 0; }"##,
        bad: r##"#include <stdio.h>
int main(void) { char line[9]; FILE *f = fopen("a", "r"); if (!f) return 1; if (fgets(line, 9, f) && line[0] == '.') fclose(f); fgets(line, 9, f); return 0; }"##,
        words: "the stream is used after it was closed",
    },
    Pair {
        rule: "stream-leaks",
        good: r##"#include <stdio.h>
int main(int argc, char **argv) { FILE *f; if (argc < 2) return 1; f = fopen(argv[1], "r"); if (!f) return 1; while (fgetc(f) != EOF) ; return fclose(f); }"##,
        bad: r##"#include <stdio.h>
int main(int argc, char **argv) { FILE *f; if (argc < 2) return 1; f = fopen(argv[1], "r"); if (!f) return 1; if (fgetc(f) == EOF) return 1; return fclose(f); }"##,
        words: "a stream is still open where the program ends",
    },
    Pair {
        rule: "stream-modes",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r+"); if (f) { fputs("x", f); fgetc(f); fclose(f); } return 0; }"##,
        bad: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "w"); if (f) { fputs("x", f); fgetc(f); fclose(f); } return 0; }"##,
        words: "a stream that was opened for writing is read",
    },
    Pair {
        rule: "stream-modes",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "ab"); if (f) { fputs("x", f); fclose(f); } return 0; }"##,
        bad: r##"#include <stdio.h>
int main(int argc, char **argv) { FILE *f = fopen("a", argc > 2 ? "w" : "r"); if (f) { fputs("x", f); fclose(f); } return 0; }"##,
        words: "a stream that was opened for reading is written",
    },
    Pair {
        rule: "pipes",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = popen("ls", "r"); if (f) pclose(f); f = fopen("a", "r"); if (f) fclose(f); return 0; }"##,
        bad: r##"#include <stdio.h>
int main(void) { FILE *f = popen("ls", "r"); if (f) fclose(f); return 0; }"##,
        words: "what 'popen' opened is closed by 'fclose'",
    },
    Pair {
        rule: "descriptors",
        good: r##"#include <unistd.h>
#include <fcntl.h>
int main(void) { char c; int in = open("a", O_RDONLY), out; if (in < 0) return 1; out = open("b", O_WRONLY | O_CREAT, 0600); if (out >= 0) { while (read(in, &c, 1) == 1) write(out, &c, 1); close(out); } close(in); return 0; }"##,
        bad: r##"#include <unistd.h>
#include <fcntl.h>
int main(void) { char c; int in = open("a", O_RDONLY), out; if (in < 0) return 1; out = open("b", O_WRONLY | O_CREAT, 0600); if (out < 0) close(in); if (read(in, &c, 1) == 1) close(in); return 0; }"##,
        words: "the descriptor is used after it was closed",
    },
    Pair {
        rule: "descriptor-leaks",
        good: r##"#include <unistd.h>
#include <fcntl.h>
int main(void) { int fd = open("a", O_RDONLY); if (fd < 0) return 1; close(fd); return 0; }"##,
        bad: r##"#include <unistd.h>
#include <fcntl.h>
int main(void) { char c; int fd = open("a", O_RDONLY); if (fd < 0) return 1; if (read(fd, &c, 1) != 1) return 2; close(fd); return 0; }"##,
        words: "a descriptor is still open where the program ends",
    },
    Pair {
        rule: "sockets",
        good: "#include <sys/socket.h>
#include <unistd.h>
#include <fcntl.h>
int main(void) { struct sockaddr a = { 0 }; int s = socket(AF_INET, SOCK_STREAM, 0), c; if (s < 0) return 1; if (bind(s, &a, sizeof a) || listen(s, 5)) return 1; while ((c = accept(s, 0, 0)) >= 0) close(c); return 0; }",
        bad: "#include <sys/socket.h>
#include <unistd.h>
#include <fcntl.h>
int main(void) { struct sockaddr a = { 0 }; int s = socket(AF_INET, SOCK_STREAM, 0), c; if (s < 0) return 1; if (bind(s, &a, sizeof a) == 0) { while ((c = accept(s, 0, 0)) >= 0) close(c); } return 0; }",
        words: "a connection is accepted on a socket that does not listen",
    },
    Pair {
        rule: "directories",
        good: r##"#include <dirent.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { DIR *d = opendir("."); if (!d) return 1; while (readdir(d)) ; closedir(d); return 0; }"##,
        bad: r##"#include <dirent.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { DIR *d = opendir("."); if (!d) return 1; if (__VERIFIER_nondet_int() == 5) closedir(d); readdir(d); return 0; }"##,
        words: "the directory is used after it was closed",
    },
    Pair {
        rule: "directory-leaks",
        good: r##"#include <dirent.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { DIR *d = opendir("."); if (!d) return 1; if (!readdir(d)) { closedir(d); return 2; } closedir(d); return 0; }"##,
        bad: r##"#include <dirent.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { DIR *d = opendir("."); if (!d) return 1; if (__VERIFIER_nondet_int()) { return 2; } closedir(d); return 0; }"##,
        words: "a directory is still open where the program ends",
    },
    Pair {
        rule: "mutexes",
        good: "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; int n;
int main(void) { int i; for (i = 0; i < 3; i++) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); n++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); } return 0; }",
        bad: "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER; int n; extern int __VERIFIER_nondet_int(void);
static int step(void) { pthread_mutex_lock(&a); if (__VERIFIER_nondet_int() == 42) return 1; pthread_mutex_unlock(&a); return 0; }
int main(void) { step(); step(); return 0; }",
        words: "the mutex is locked by the thread that has it",
    },
    Pair {
        rule: "mutexes",
        good: "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_destroy(&a); return 0; }",
        bad: "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv) { if (argc > 2) pthread_mutex_lock(&a); pthread_mutex_unlock(&a); return 0; }",
        words: "the mutex is unlocked by a thread that does not have it",
    },
    Pair {
        rule: "jails",
        good: r##"#include <stdio.h>
#include <unistd.h>
int main(void) { FILE *f; if (chroot("/srv") || chdir("/")) return 1; f = fopen("a", "r"); return f == 0; }"##,
        bad: r##"#include <stdio.h>
#define _DEFAULT_SOURCE
#include <unistd.h>
int chroot(const char *);
int main(void) { FILE *f; if (chroot("/srv")) return 1; chdir("/"); f = fopen("a", "r"); return f == 0; }"##,
        words: "the working directory is still outside of the root that 'chroot' chose",
    },
    Pair {
        rule: "privileges",
        good: "#include <sys/types.h>
#include <unistd.h>
int main(void) { if (setgid(100) || setuid(100)) return 1; return 0; }",
        bad: "#include <sys/types.h>
#include <unistd.h>
int main(void) { if (setuid(100) || setgid(100)) return 1; return 0; }",
        words: "groups are given up when the right to do so is gone",
    },
    Pair {
        rule: "temporary-files",
        good: r##"#include <stdlib.h>
int main(void) { char name[] = "/tmp/aXXXXXX"; return mkstemp(name) < 0; }"##,
        bad: r##"#include <stdlib.h>
int main(void) { char name[] = "/tmp/aXXXXXX"; return mktemp(name) == 0; }"##,
        words: "another program may make a file of this name before it is opened",
    },
    Pair {
        rule: "lengths",
        good: "#include <stdio.h>
int main(void) { char line[80]; return fgets(line, 80, stdin) == 0; }",
        bad: "#include <stdio.h>
char *gets(char *);
int main(void) { char line[80]; return gets(line) == 0; }",
        words: "'gets' stores a line of any length",
    },
    Pair {
        rule: "tokens",
        good: r##"#include <string.h>
int main(void) { char t[] = "a b"; char *w = strtok(t, " "); while (w) w = strtok(0, " "); return 0; }"##,
        bad: r##"#include <string.h>
int main(int argc, char **argv) { char t[] = "a b"; char *w = argc > 1 ? strtok(t, " ") : t; while (w) w = strtok(0, " "); return 0; }"##,
        words: "'strtok' is asked for more of a text, and has none",
    },
    Pair {
        rule: "waits",
        good: "#include <pthread.h>
static void *run(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }",
        bad: "#include <pthread.h>
static void *run(void *p) { return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_detach(t); pthread_join(t, 0); return 0; }",
        words: "the thread was joined or detached before",
    },
    Pair {
        rule: "spin-locks",
        good: "typedef struct { int raw; } lock_t;
void spin_lock(lock_t *); void spin_unlock(lock_t *); lock_t a; int n; int f(void);
int main(void) { while (f()) { spin_lock(&a); if (f()) { spin_unlock(&a); return 1; } n++; spin_unlock(&a); } return 0; }",
        bad: "typedef struct { int raw; } lock_t;
void spin_lock(lock_t *); void spin_unlock(lock_t *); lock_t a; int n; int f(void);
int main(void) { while (f()) { spin_lock(&a); if (f()) continue; n++; spin_unlock(&a); } return 0; }",
        words: "the spin lock is taken by who has it",
    },
    Pair {
        rule: "kernel-mutexes",
        good: "typedef struct { int raw; } lock_t;
void mutex_lock(lock_t *); int mutex_lock_interruptible(lock_t *); void mutex_unlock(lock_t *); lock_t a;
int main(void) { if (mutex_lock_interruptible(&a)) return -4; mutex_unlock(&a); mutex_lock(&a); mutex_unlock(&a); return 0; }",
        bad: "typedef struct { int raw; } lock_t;
int mutex_lock_interruptible(lock_t *); void mutex_unlock(lock_t *); lock_t a;
int main(void) { mutex_lock_interruptible(&a); mutex_unlock(&a); return 0; }",
        words: "the mutex is unlocked where it is not locked",
    },
    Pair {
        rule: "atomic-sleeps",
        good: "typedef struct { int raw; } lock_t;
void spin_lock(lock_t *); void spin_unlock(lock_t *); void msleep(unsigned); lock_t a, b;
int main(void) { spin_lock(&a); spin_lock(&b); spin_unlock(&b); spin_unlock(&a); msleep(3); return 0; }",
        bad: "typedef struct { int raw; } lock_t;
void spin_lock(lock_t *); void spin_unlock(lock_t *); void msleep(unsigned); lock_t a, b; static void wait(void) { msleep(3); }
int main(void) { spin_lock(&a); spin_lock(&b); spin_unlock(&b); wait(); spin_unlock(&a); return 0; }",
        words: "this may sleep, and a spin lock is held",
    },
    Pair {
        rule: "interrupts",
        good: r##"int request_irq(unsigned, void *, unsigned long, const char *, void *); const void *free_irq(unsigned, void *);
int main(void) { if (request_irq(5, 0, 0, "x", 0)) return -1; if (request_irq(6, 0, 0, "y", 0)) { free_irq(5, 0); return -1; } free_irq(6, 0); free_irq(5, 0); return 0; }"##,
        bad: r##"int request_irq(unsigned, void *, unsigned long, const char *, void *); const void *free_irq(unsigned, void *);
int main(void) { if (request_irq(5, 0, 0, "x", 0)) return -1; if (request_irq(6, 0, 0, "y", 0)) return -1; free_irq(6, 0); free_irq(5, 0); return 0; }"##,
        words: "an interrupt is still requested in the end",
    },
    Pair {
        rule: "driver-spin-locks",
        good: "typedef struct { int raw; } lock_t;
void KeAcquireSpinLock(lock_t *, unsigned char *); void KeReleaseSpinLock(lock_t *, unsigned char); lock_t a; int f(void);
int main(void) { unsigned char irql; KeAcquireSpinLock(&a, &irql); if (f()) { KeReleaseSpinLock(&a, irql); return 1; } KeReleaseSpinLock(&a, irql); return 0; }",
        bad: "typedef struct { int raw; } lock_t;
void KeAcquireSpinLock(lock_t *, unsigned char *); void KeReleaseSpinLock(lock_t *, unsigned char); lock_t a; int f(void);
int main(void) { unsigned char irql; KeAcquireSpinLock(&a, &irql); if (f()) { return 1; } KeReleaseSpinLock(&a, irql); return 0; }",
        words: "the spin lock is still held in the end",
    },
    Pair {
        rule: "requests",
        good: "struct irp { int status; }; void IofCompleteRequest(struct irp *, char); struct irp r; int f(void);
int main(void) { if (f()) { r.status = 1; IofCompleteRequest(&r, 0); return 1; } r.status = 0; IofCompleteRequest(&r, 0); return 0; }",
        bad: "struct irp { int status; }; void IofCompleteRequest(struct irp *, char); struct irp r; int f(void);
int main(void) { if (f()) { r.status = 1; IofCompleteRequest(&r, 0); } r.status = 0; IofCompleteRequest(&r, 0); return 0; }",
        words: "the request is completed for the second time",
    },
    Pair {
        rule: "cancel-locks",
        good: "void IoAcquireCancelSpinLock(unsigned char *); void IoReleaseCancelSpinLock(unsigned char); int f(void);
int main(void) { unsigned char q; IoAcquireCancelSpinLock(&q); IoReleaseCancelSpinLock(q); return 0; }",
        bad: "void IoAcquireCancelSpinLock(unsigned char *); void IoReleaseCancelSpinLock(unsigned char); int f(void);
int main(void) { unsigned char q; do { IoAcquireCancelSpinLock(&q); } while (f()); IoReleaseCancelSpinLock(q); return 0; }",
        words: "the cancel spin lock is acquired where it is held",
    },
    Pair {
        rule: "stream-turns",
        good: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r+"); int c; if (!f) return 1; c = fgetc(f); fseek(f, 0, SEEK_SET); fputc(c, f); fflush(f); fgetc(f); fclose(f); return 0; }"##,
        bad: r##"#include <stdio.h>
int main(void) { FILE *f = fopen("a", "r+"); int c; if (!f) return 1; c = fgetc(f); if (c != EOF) fputc(c, f); fclose(f); return 0; }"##,
        words: "the stream is written directly after it was read",
    },
    Pair {
        rule: "pushbacks",
        good: "#include <stdio.h>
int main(void) { int c = getchar(), d; ungetc(c, stdin); d = fgetc(stdin); ungetc(d, stdin); return 0; }",
        bad: "#include <stdio.h>
static int peek(void) { int c = fgetc(stdin); ungetc(c, stdin); return c; }
int main(void) { int c = peek(); if (c == 10) ungetc(13, stdin); return 0; }",
        words: "a second character is pushed back, for which there need be no room",
    },
    Pair {
        rule: "stream-buffers",
        good: r##"#include <stdio.h>
int main(void) { static char b[512]; FILE *f = fopen("a", "w"); if (!f) return 1; setvbuf(f, b, _IOFBF, 512); fputs("x", f); fclose(f); return 0; }"##,
        bad: r##"#include <stdio.h>
int main(void) { static char b[512]; FILE *f = fopen("a", "w"); if (!f) return 1; fputs("x", f); setvbuf(f, b, _IOFBF, 512); fclose(f); return 0; }"##,
        words: "the buffer is chosen when the stream was used already",
    },
    Pair {
        rule: "exits",
        good: "#include <stdlib.h>
static int n; static void clean(void) { n = 0; }
int main(int argc, char **argv) { atexit(clean); if (argc > 1) exit(1); exit(0); }",
        bad: "#include <stdlib.h>
static int n; static void clean(void) { if (n) exit(3); }
int main(int argc, char **argv) { atexit(clean); if (argc > 1) n = 1; exit(0); }",
        words: "'exit' is called by what it calls itself",
    },
    Pair {
        rule: "permissions",
        good: r##"#include <sys/stat.h>
int main(void) { umask(022); return chmod("a", 0755) || chmod("t", 01777); }"##,
        bad: r##"#include <sys/stat.h>
int main(int argc, char **argv) { umask(022); return chmod("a", argc > 2 ? 0666 : 0644); }"##,
        words: "everybody may write to the file",
    },
    Pair {
        rule: "file-races",
        good: r##"#include <stdio.h>
#include <unistd.h>
int main(void) { FILE *f; if (access("a", R_OK)) return 1; f = fopen("b", "w"); return f == 0; }"##,
        bad: r##"#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) { FILE *f; if (argc < 3 || access(argv[1], R_OK)) return 1; f = fopen(argv[1], "r"); return f == 0; }"##,
        words: "another file may have taken the name since it was asked about",
    },
    Pair {
        rule: "libraries",
        good: r##"#include <dlfcn.h>
int main(void) { void *l = dlopen("x.so", RTLD_NOW), *k; if (!l) return 1; k = dlopen("y.so", RTLD_NOW); if (k) dlclose(k); dlclose(l); return 0; }"##,
        bad: r##"#include <dlfcn.h>
int main(void) { void *l = dlopen("x.so", RTLD_NOW), *f; if (!l) return 1; dlclose(l); f = dlsym(l, "f"); return f == 0; }"##,
        words: "the library is used after it was closed",
    },
    Pair {
        rule: "patterns",
        good: r##"#include <regex.h>
int main(int argc, char **argv) { regex_t r; int n; if (argc < 2 || regcomp(&r, "a*", 0)) return 1; n = regexec(&r, argv[1], 0, 0, 0); regfree(&r); return n; }"##,
        bad: r##"#include <regex.h>
int main(int argc, char **argv) { regex_t r; int n; if (argc < 2) return 1; regcomp(&r, "a*", 0); n = regexec(&r, argv[1], 0, 0, 0); regfree(&r); return n; }"##,
        words: "the pattern is used, and is not compiled",
    },
    Pair {
        rule: "read-write-locks",
        good: "#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); return 0; }",
        bad: "#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static int n; static void put(void) { pthread_rwlock_wrlock(&l); n++; pthread_rwlock_unlock(&l); }
int main(void) { pthread_rwlock_wrlock(&l); if (!n) put(); pthread_rwlock_unlock(&l); return 0; }",
        words: "the lock is taken by the thread that writes",
    },
    Pair {
        rule: "mutex-lives",
        good: "#include <pthread.h>
int main(void) { pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0); return 0; }",
        bad: "#include <pthread.h>
int main(void) { pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m); pthread_mutex_lock(&m); return 0; }",
        words: "the mutex is used after it was destroyed",
    },
    Pair {
        rule: "conditions",
        good: "#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); while (__VERIFIER_nondet_int()) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }",
        bad: "#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); while (__VERIFIER_nondet_int()) pthread_cond_wait(&c, &m); return 0; }",
        words: "a condition is waited for without its mutex",
    },
    Pair {
        rule: "io-maps",
        good: "void *ioremap(unsigned long, unsigned long); void iounmap(volatile void *); int f(void);
int main(void) { void *a = ioremap(4096, 8); if (!a) return -1; if (f()) { iounmap(a); return -2; } iounmap(a); return 0; }",
        bad: "void *ioremap(unsigned long, unsigned long); void iounmap(volatile void *); int f(void);
int main(void) { void *a = ioremap(4096, 8); if (!a) return -1; if (f()) return -2; iounmap(a); return 0; }",
        words: "registers are still mapped in the end",
    },
    Pair {
        rule: "regions",
        good: "void *__request_region(void *, unsigned long, unsigned long); void __release_region(void *, unsigned long, unsigned long); char io;
int main(void) { if (!__request_region(&io, 0x300, 8)) return -1; if (!__request_region(&io, 0x310, 8)) { __release_region(&io, 0x300, 8); return -1; } __release_region(&io, 0x310, 8); __release_region(&io, 0x300, 8); return 0; }",
        bad: "void *__request_region(void *, unsigned long, unsigned long); void __release_region(void *, unsigned long, unsigned long); char io;
int main(void) { if (!__request_region(&io, 0x300, 8)) return -1; if (!__request_region(&io, 0x310, 8)) return -1; __release_region(&io, 0x310, 8); __release_region(&io, 0x300, 8); return 0; }",
        words: "a region is still requested in the end",
    },
    Pair {
        rule: "rcu-readers",
        good: "void rcu_read_lock(void); void rcu_read_unlock(void); void synchronize_rcu(void); int f(void);
int main(void) { rcu_read_lock(); rcu_read_lock(); rcu_read_unlock(); rcu_read_unlock(); synchronize_rcu(); return 0; }",
        bad: "void rcu_read_lock(void); void rcu_read_unlock(void); void synchronize_rcu(void); int f(void); static void drop(void) { synchronize_rcu(); }
int main(void) { rcu_read_lock(); if (f()) drop(); rcu_read_unlock(); return 0; }",
        words: "this waits within a section of readers",
    },
    Pair {
        rule: "rtnl-locks",
        good: "void rtnl_lock(void); int rtnl_trylock(void); void rtnl_unlock(void);
int main(void) { if (!rtnl_trylock()) return -1; rtnl_unlock(); rtnl_lock(); rtnl_unlock(); return 0; }",
        bad: "void rtnl_lock(void); int rtnl_trylock(void); void rtnl_unlock(void);
int main(void) { rtnl_trylock(); rtnl_unlock(); return 0; }",
        words: "the lock of network devices is released where it is not taken",
    },
    Pair {
        rule: "pci-devices",
        good: "struct pci { int irq; }; int pci_enable_device(struct pci *); void pci_disable_device(struct pci *); struct pci d; int f(void);
int main(void) { int e = pci_enable_device(&d); if (e) return e; f(); pci_disable_device(&d); return 0; }",
        bad: "struct pci { int irq; }; int pci_enable_device(struct pci *); void pci_disable_device(struct pci *); struct pci d; int f(void);
int main(void) { int e = pci_enable_device(&d); if (e || f()) return e; pci_disable_device(&d); return 0; }",
        words: "a device is still enabled in the end",
    },
    Pair {
        rule: "fast-mutexes",
        good: "typedef struct { int raw; } lock_t;
void ExAcquireFastMutex(lock_t *); void ExReleaseFastMutex(lock_t *); lock_t a, b;
int main(void) { ExAcquireFastMutex(&a); ExAcquireFastMutex(&b); ExReleaseFastMutex(&b); ExReleaseFastMutex(&a); return 0; }",
        bad: "typedef struct { int raw; } lock_t;
void ExAcquireFastMutex(lock_t *); void ExReleaseFastMutex(lock_t *); lock_t a, b;
int main(void) { ExAcquireFastMutex(&a); ExAcquireFastMutex(&b); ExReleaseFastMutex(&b); ExReleaseFastMutex(&b); ExReleaseFastMutex(&a); return 0; }",
        words: "the fast mutex is released where it is not held",
    },
    Pair {
        rule: "critical-regions",
        good: "void KeEnterCriticalRegion(void); void KeLeaveCriticalRegion(void);
int main(void) { KeEnterCriticalRegion(); KeEnterCriticalRegion(); KeLeaveCriticalRegion(); KeLeaveCriticalRegion(); return 0; }",
        bad: "void KeEnterCriticalRegion(void); void KeLeaveCriticalRegion(void); int f(void);
int main(void) { KeEnterCriticalRegion(); if (f()) return 1; KeLeaveCriticalRegion(); return 0; }",
        words: "a critical region is not left",
    },
    Pair {
        rule: "pools",
        good: "void *ExAllocatePoolWithTag(int, unsigned long, unsigned); void ExFreePool(void *); int f(void);
int main(void) { void *p = ExAllocatePoolWithTag(1, 64, 7); if (!p) return 1; if (f()) { ExFreePool(p); return 2; } ExFreePool(p); return 0; }",
        bad: "void *ExAllocatePoolWithTag(int, unsigned long, unsigned); void ExFreePool(void *); int f(void);
int main(void) { void *p = ExAllocatePoolWithTag(1, 64, 7); if (!p) return 1; if (f()) ExFreePool(p); ExFreePool(p); return 0; }",
        words: "the block is freed for the second time",
    },
];
