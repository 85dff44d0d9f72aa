//! Rules of interfaces, each with a program that keeps it and one that breaks it.

use super::{expect, folder, hardbop, said};

/// A rule with a good and a bad program, and the words of its error.
struct Pair {
    rule: &'static str,
    good: &'static str,
    bad: &'static str,
    words: &'static str,
}

const PAIRS: &[Pair] = &[
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
int main(void) { if (pthread_mutex_trylock(&a) == 0) pthread_mutex_unlock(&a); return 0; }",
        bad: "#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_trylock(&a); pthread_mutex_unlock(&a); return 0; }",
        words: "the mutex is unlocked where it is not locked",
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
];

#[test]
fn each_rule_tells_good_from_bad() {
    for Pair { rule, good, bad, words } in PAIRS {
        let folder = folder(&[("good.c", good), ("bad.c", bad)]);
        let check = |file: &str| hardbop(&folder, &["check", "--rule", rule, file]);
        let good = check("good.c");
        assert!(said(&good).contains("VERDICT: SAFE"), "{rule}: {}", said(&good));
        expect(
            &check("bad.c"),
            10,
            &[&format!("{words}: ERROR"), &format!("<rules>/{rule}.rule:")],
        );
    }
}

#[test]
fn every_rule_has_a_pair() {
    let page = include_str!("../../../../docs/rules.md");
    for rule in &hardbop_c::RULES {
        assert!(PAIRS.iter().any(|pair| pair.rule == rule.name), "{}", rule.name);
        let read = hardbop_c::Rule::read(&rule.source(), 0).expect("a rule");
        assert_eq!(read.name, rule.name);
        let numbers: Vec<String> = read.weaknesses.iter().map(u32::to_string).collect();
        let row = format!("| `{}` | {} | {} |", read.name, read.words, numbers.join(", "));
        assert!(page.contains(&row), "docs/rules.md lacks {row}");
    }
}

/// A rule of a project, over a function of its own and one that takes any number of arguments.
const OWN: &str = r#"// Lines are logged between start and stop.
rule log "Lines are logged between log_start and log_stop" cwe 666;

state { int is_started, lines; }

before void log_start(int level) [level > 0] { is_started = 1; }
before void log_stop(void) { if (lines == 0) error "nothing was logged"; is_started = 0; }
after int log_line(const char *format, ...) {
  if (result < 0) return;
  if (!is_started)
    error "a line is logged outside";
  lines++;
}
end { if (is_started) error "the log is never stopped"; }
"#;

const LOG: &str = "#include <stdarg.h>\nvoid log_start(int level) {}\nvoid log_stop(void) {}
int log_line(const char *f, ...) { return f[0] == 'x' ? -1 : 0; }\n";

#[test]
fn rules_of_a_project_are_files() {
    let program = |body: &str| format!("{LOG}int main(void) {{ {body} return 0; }}\n");
    let programs = [
        ("log_start(1); log_line(\"a %d\", 1); log_stop();", None),
        ("log_line(\"x\"); log_start(2); log_line(\"a\"); log_stop();", None),
        ("log_start(0); log_line(\"a\");", Some("a line is logged outside: ERROR")),
        ("log_start(1); log_stop();", Some("nothing was logged: ERROR")),
        ("log_start(1);", Some("the log is never stopped: ERROR")),
        ("if (log_line(\"x\") != -1) log_stop(); log_start(log_line(\"xy\"));", None),
        // Arguments are evaluated once.
        (
            "int n = 0; log_start(++n); log_line(\"a\"); log_stop(); if (n != 1) log_line(\"b\");",
            None,
        ),
    ];
    for (body, words) in programs {
        let folder = folder(&[("log.rule", OWN), ("a.c", &program(body))]);
        let output = hardbop(&folder, &["check", "a.c", "--rule", "log.rule"]);
        match words {
            None => expect(&output, 0, &["VERDICT: SAFE"]),
            Some(words) => expect(&output, 10, &[words, "log.rule:"]),
        }
    }
}

#[test]
fn calls_through_pointers_are_not_passed_by() {
    let text = format!(
        "{LOG}int main(void) {{ void (*stop)(void) = log_stop; if (stop == log_stop) stop(); return 0; }}"
    );
    let folder = folder(&[("log.rule", OWN), ("a.c", &text)]);
    let output = hardbop(&folder, &["check", "a.c", "--rule", "log.rule"]);
    expect(&output, 20, &["a call through a pointer of 'log_stop', which a rule is about"]);
}

#[test]
fn mistakes_in_rules_have_places() {
    let texts = [
        ("state { int n; }", &["expected 'rule NAME", "x.rule:1:1"][..]),
        ("rule x \"y\";\nbefore int f(int n { }", &["expected", "x.rule:2:"]),
        ("rule x \"y\";\nbefore void log_stop(void) { error 5; }", &["x.rule:2:"]),
        (
            "rule x \"y\";\nbefore void log_stop(void) { n = 1; }",
            &["undeclared name 'n'", "x.rule:2:30"],
        ),
        (
            "rule x \"y\";\nbefore void log_stop(int a, int b) { if (a) error \"z\"; }",
            &["VERDICT: UNKNOWN", "arguments"],
        ),
    ];
    for (text, parts) in texts {
        let program = format!("{LOG}int main(void) {{ log_stop(); return 0; }}\n");
        let folder = folder(&[("x.rule", text), ("a.c", &program)]);
        let output = hardbop(&folder, &["check", "a.c", "--rule", "x.rule"]);
        let code = if parts[0].starts_with("VERDICT") { 20 } else { 2 };
        expect(&output, code, parts);
    }
    let folder = folder(&[("a.c", "int main(void) { return 0; }\n")]);
    let unknown = hardbop(&folder, &["check", "a.c", "--rule", "stream"]);
    expect(&unknown, 2, &["did you mean 'streams'?"]);
    let unused = hardbop(&folder, &["check", "a.c", "--rule", "streams"]);
    expect(&unused, 0, &["calls none of the functions that this rule is about"]);
}

#[test]
fn certificates_are_of_program_and_rules() {
    let folder = folder(&[("a.c", PAIRS[0].good)]);
    let told = ["--rule", "streams"];
    let written =
        hardbop(&folder, &[&["check", "a.c", "--certificate", "a.json"][..], &told].concat());
    expect(&written, 0, &["VERDICT: SAFE"]);
    let certify = ["certify", "a.c", "a.json"];
    expect(&hardbop(&folder, &[&certify[..], &told].concat()), 0, &["VALID (SAFE)"]);
    expect(&hardbop(&folder, &certify), 1, &["REJECTED"]);
}
