//! Rules of interfaces, each with a program that keeps it and one that breaks it.

mod pairs;

use super::{expect, folder, hardbop, said};
use pairs::{PAIRS, Pair};

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
            &["VERDICT: UNKNOWN", "a call of 'log_stop', which a rule declares with other types"],
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

/// Functions of every kind, which the rule counts calls of, and programs that call them as often as they say in `n`.
const COUNT: &str = r#"rule count "It is called once, with the numbers 3 and 4"
;
state of each long long { int calls; }
before _Bool f(int a, unsigned char b, float c) { new(a); if (b != 4 || c != 0.5f) error "other arguments"; calls++; }
after _Bool f(int a) [result && tracked(a)] { if (calls > 1) error "called twice"; }
after void *fopen64(const char *name) { new(1); calls++; }
before void abort(void) { error "the end"; }
end { if (tracked(77) && calls) error "no such number"; }
"#;

#[test]
fn calls_of_every_form_are_seen_once() {
    let head = "#include <stdlib.h>\n#include <assert.h>\n_Bool f(int a, unsigned char b, float c) { return a; }
int f64(int a) { return a; } void abort_unlocked(void) {} enum { FOUR = 4 };\n";
    let programs = [
        ("f(3, 4, 0.5);", None),
        ("f(3, FOUR, 0.5); f(2, 4, 0.5);", None),
        ("f(3, 4, 0.5); f(3, 4, 0.5);", Some("called twice")),
        ("f(3, 260, 0.5);", None),
        ("f(3, 5, 0.5);", Some("other arguments")),
        ("f(3, 4, 0.25);", Some("other arguments")),
        ("int n = 0; f((n++, 3), 4, 0.5); assert(n == 1);", None),
        ("int n = 0; f(({ n++; 3; }), 4, 0.5); assert(n != 1);", Some("assert(n != 1)")),
        ("int n = f(sizeof(enum { A, B }), 4, 0.5); assert(n == A || n == B);", None),
        ("int n = 3; if (n == 3 && !f(n++, 4, 0.5) || n != 4) assert(0);", None),
        ("int n = sizeof(f(3, 9, 1)) + (0 ? f(3, 9, 1) : 0); assert(n == 1);", None),
        ("for (int i = 0; f(i, 4, 0.5); i++) f(8, 4, 0.5);", None),
        ("for (int i = 1; i < 3 && f(i, 4, 0.5); i++) f(8, 4, 0.5);", Some("called twice")),
        ("(f)(3, 5, 0.5);", Some("other arguments")),
        ("if (argc > 3) __builtin_abort();", Some("the end")),
        ("f(77, 4, 0.5);", Some("no such number")),
        ("int f64(int a); f64(3); f(3, 4, 0.5); f64(3); abort_unlocked();", None),
    ];
    for (body, words) in programs {
        let program = format!("{head}int main(int argc, char **argv) {{ {body} return 0; }}\n");
        let folder = folder(&[("count.rule", COUNT), ("a.c", &program)]);
        for model in ["--64", "--32"] {
            let words_of = ["check", "a.c", "--rule", "count.rule", model];
            let output = hardbop(&folder, &words_of);
            match words {
                None => {
                    assert!(said(&output).contains("VERDICT: SAFE"), "{body}: {}", said(&output))
                }
                Some(words) => expect(&output, 10, &[words]),
            }
        }
    }
}

#[test]
fn other_functions_are_no_calls() {
    // hardbop's table of the library has these in one row with 'close', 'pthread_mutex_lock' and 'listen'.
    let programs = [
        ("descriptor-leaks", "int fd = open(\"a\", O_WRONLY); if (fd > 2) fsync(fd);", 10),
        (
            "mutexes",
            "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_rdlock(&l);",
            0,
        ),
        (
            "sockets",
            "int s = socket(1, 1, 0); if (s >= 0 && connect(s, 0, 0) == 0) { shutdown(s, 1); ftruncate(s, 0); }",
            0,
        ),
    ];
    for (rule, body, code) in programs {
        let text = format!(
            "#include <fcntl.h>\n#include <unistd.h>\n#include <pthread.h>\n#include <sys/socket.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nint main(void) {{ {body} return 0; }}\n"
        );
        let folder = folder(&[("a.c", &text)]);
        let output = hardbop(&folder, &["check", "a.c", "--rule", rule]);
        expect(&output, code, &["VERDICT: "]);
    }
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
