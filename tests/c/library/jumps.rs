//! `setjmp` and `longjmp`: verdicts of programs, and of random ones against runs of them on all inputs.
//!
//! `HARDBOP_PROGRAMS=500 HARDBOP_SEED=7 cargo test --test c jumps` makes more of them.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use hardbop_base::random::Random;
use hardbop_c::Reliance;
use hardbop_c::harness::ERROR_CODE;
use hardbop_c::types::DataModel;
use hardbop_verify::Options;

use crate::support::c::{analysis_only, decide, flow, number, run_harness_hosted};

/// As in the headers of glibc.
const HEAD: &str = "struct __jmp_buf_tag { long __jmpbuf[8]; int saved; unsigned long mask[16]; };
typedef struct __jmp_buf_tag jmp_buf[1];
extern int _setjmp(struct __jmp_buf_tag *) __attribute__((returns_twice));
extern int __sigsetjmp(struct __jmp_buf_tag *, int) __attribute__((returns_twice));
extern void longjmp(struct __jmp_buf_tag *, int) __attribute__((noreturn));
extern void siglongjmp(struct __jmp_buf_tag *, int) __attribute__((noreturn));
extern void *memcpy(void *, const void *, unsigned long);
extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
extern int atexit(void (*)(void)); extern void exit(int);
extern _Bool __VERIFIER_nondet_bool(void); extern void reach_error(void);
jmp_buf b, c;
";

/// The verdict, with the reason where there is none, or the harness.
fn verdict(text: &str, options: &Options) -> (&'static str, String) {
    decide(&flow("p.c", text, DataModel::Lp64), options, Duration::from_secs(20))
}

/// Programs, with verdicts or parts of the reasons why there are none.
const PROGRAMS: &[(&str, &str)] = &[
    ("int main(void) { int k = _setjmp(b); if (!k) longjmp(b, 0); if (k != 1) reach_error(); return 0; }", "safe"),
    ("int main(void) { if (_setjmp(b) == 0) longjmp(b, 5); else reach_error(); return 0; }", "unsafe"),
    ("int main(void) { switch (__sigsetjmp(b, 1)) { case 0: siglongjmp(b, 2); case 2: return 0; } reach_error(); }", "safe"),
    // Each call of 'setjmp' is a place of its own, also in functions that are called twice.
    ("int main(void) { if (_setjmp(b)) reach_error(); if (!_setjmp(c)) longjmp(c, 1); return 0; }", "safe"),
    ("int main(void) { if (_setjmp(b)) reach_error(); if (!_setjmp(c)) longjmp(b, 1); return 0; }", "unsafe"),
    ("void f(void) { if (_setjmp(b)) reach_error(); if (!_setjmp(c)) longjmp(c, 1); } int main(void) { f(); f(); return 0; }", "safe"),
    // What is behind a call that jumps is not done, and what it would have returned is not assigned.
    ("int f(void) { longjmp(b, 3); return 9; } int g; int main(void) { volatile int x = 7;
      if (_setjmp(b)) { if (x != 7 || g) reach_error(); return 0; } x = f() + (g = 1); reach_error(); }", "safe"),
    ("int f(int n) { if (!n) longjmp(b, 4); int r = f(n - 1); reach_error(); return r; }
      int main(void) { if (_setjmp(b) == 0) return f(3); return 0; }", "safe"),
    ("double f(int k) { if (k) longjmp(b, k); return 2.5; } struct s { int a, b; } g(int k) { f(k); struct s s = {k, 0}; return s; }
      int main(void) { int k = _setjmp(b); if (k == 2) reach_error(); if (k) return 0; if (g(0).a == 0) g(2); }", "unsafe"),
    (
        "int f(void) { longjmp(b, 1); } int main(void) { int x = 7, a[1] = {7}, *p = a; if (_setjmp(b)) { if (x != 7 || *p != 7) reach_error();
      return 0; } if (__VERIFIER_nondet_bool()) *p = f(); x = f(); }",
        "safe",
    ),
    // By pointers, through members, copies, parameters.
    ("void f(void) { longjmp(b, 1); } void g(void) { } void (*p)(void) = g; int main(void) { if (_setjmp(b)) reach_error();
      if (__VERIFIER_nondet_bool()) p = f; p(); return 0; }", "unsafe"),
    ("struct s { int n; jmp_buf b; } s[2], t; void f(struct __jmp_buf_tag *to) { longjmp(to, 1); }
      int main(void) { if (_setjmp(s[1].b)) return 0; t = s[1]; memcpy(s, &t, sizeof t); f(s[0].b); reach_error(); }", "safe"),
    ("int main(void) { jmp_buf l; volatile int n = 0; if (_setjmp(l) < 3) { n++; longjmp(l, n); } if (n != 3) reach_error(); return 0; }", "safe"),
    // Activations of one function: the buffer of the outermost one, and of the innermost one.
    ("int at; void f(int n) { if (n == 2 && _setjmp(b)) { at = n; return; } if (n) { f(n - 1); return; } longjmp(b, 1); }
      int main(void) { f(3); if (at != 2) reach_error(); return 0; }", "safe"),
    ("void f(int n) { jmp_buf l; if (_setjmp(l)) { if (n != 1) reach_error(); return; } if (n) f(n - 1);
      if (n == 1) longjmp(l, 1); } int main(void) { f(2); f(1); return 0; }", "safe"),
    // Without a meaning.
    ("int main(void) { longjmp(b, 1); reach_error(); }", "has not filled"),
    ("int main(void) { jmp_buf l; _setjmp(b); longjmp(l, 1); reach_error(); }", "has not filled"),
    ("void f(void) { if (_setjmp(b)) reach_error(); } int main(void) { f(); longjmp(b, 1); }", "has ended"),
    ("int n; void f(void) { if (n == 0) _setjmp(b); else if (n == 1) { n++; if (_setjmp(c)) reach_error(); longjmp(b, 1); } n++; }
      int main(void) { f(); f(); return 0; }", "has ended"),
    ("int less(const void *a, const void *c) { longjmp(b, 1); return 0; } int a[2]; int main(void) {
      if (_setjmp(b)) reach_error(); qsort(a, 2, 4, less); return 0; }", "'qsort'"),
    ("void f(void) { longjmp(b, 1); } int main(void) { atexit(f); if (_setjmp(b)) reach_error(); exit(0); }", "'atexit'"),
    ("int n; void f(void) { if (_setjmp(b)) { if (n != 4) reach_error(); return; } n = 4; longjmp(b, 1); }
      int main(void) { atexit(f); exit(0); }", "safe"),
];

#[test]
fn jumps_go_where_c_says() {
    for &(body, expected) in PROGRAMS {
        let text = format!("{HEAD}{body}");
        for options in [Options::default(), analysis_only()] {
            let (verdict, more) = verdict(&text, &options);
            assert!(verdict == expected || more.contains(expected), "{verdict} {more}: {text}");
            if verdict == "unsafe" {
                assert_eq!(run_harness_hosted(&more), Some(ERROR_CODE), "{text}\n{more}");
            }
        }
    }
}

#[test]
fn values_of_locals_that_c_leaves_open_are_said() {
    for (body, is_open) in [
        ("int main(void) { int x = 1; if (_setjmp(b)) return x; x = 2; longjmp(b, 1); }", true),
        (
            "int main(void) { int x = 1, *p = &x; if (_setjmp(b)) return x; *p = 2; longjmp(b, 1); }",
            true,
        ),
        (
            "int main(void) { volatile int x = 1; if (_setjmp(b)) return x; x = 2; longjmp(b, 1); }",
            false,
        ),
        ("int main(void) { int x = 1; if (_setjmp(b)) return x; longjmp(b, 1); }", false),
        (
            "int main(void) { int x = 1; if (_setjmp(b)) { x = 3; return x; } x = 2; longjmp(b, 1); }",
            false,
        ),
        ("static int x; int main(void) { if (_setjmp(b)) return x; x = 2; longjmp(b, 1); }", false),
    ] {
        let flow = flow("p.c", &format!("{HEAD}{body}"), DataModel::Lp64);
        assert_eq!(flow.reliances.iter().any(|r| r.0 == Reliance::Jumped), is_open, "{body}");
    }
}

/// Functions of random statements.  A buffer is used while the function that has filled it lives: `own` has the depth of
/// its call.
struct Maker<'r> {
    random: &'r mut Random,
    functions: usize,
    text: String,
}

impl Maker<'_> {
    fn statement(&mut self, depth: usize, function: usize) {
        let (buffer, k) = (["b", "c"][self.random.below(2)], 1 + self.random.below(3));
        let own = format!("own_{buffer}");
        let kind = self.random.below(if depth == 0 { 5 } else { 11 });
        let simple = match kind {
            0 => format!("g = (g + {k}) & 7;"),
            1 => format!("v = (v + {k}) & 3;"),
            2 => format!("if (fuel && {own}) {{ fuel--; longjmp({buffer}, {}); }}", k - 1),
            3 if function + 1 < self.functions => {
                let callee = function + 1 + self.random.below(self.functions - function - 1);
                match self.random.below(3) {
                    0 => format!("v = f{callee}(d + 1);"),
                    1 => format!("g = (f{callee}(d + 1) + f{callee}(d + 1)) & 7;"),
                    _ => format!("if (table[{callee}](d + 1) > 1) g = v;"),
                }
            }
            3 | 4 => format!("if (g == {} && v == {}) reach_error();", k + 4, k - 1),
            _ => String::new(),
        };
        if !simple.is_empty() {
            return self.text.push_str(&simple);
        }
        let land = format!("{own} = d; if (own_b > d) own_b = 0; if (own_c > d) own_c = 0;");
        let heads = match kind {
            5 => ["if (bit()) {".to_owned(), "} else {".to_owned()],
            6 => [
                format!("for (volatile int i{depth} = 0; i{depth} < 2; i{depth}++) {{"),
                String::new(),
            ],
            7 if function + 1 < self.functions => {
                [format!("if (f{}(d + 1)) {{", function + 1), "} else {".to_owned()]
            }
            7 | 8 => {
                [format!("if (_setjmp({buffer}) == 0) {{ {land}"), format!("}} else {{ {land}")]
            }
            9 => [
                format!("switch (_setjmp({buffer})) {{ case 0: {land}"),
                format!("break; default: {land}"),
            ],
            _ => [
                format!(
                    "{{ volatile int k{depth}; k{depth} = _setjmp({buffer}); {land} g = (g + k{depth}) & 7;"
                ),
                format!("if (k{depth} == 1) v = 1;"),
            ],
        };
        for head in heads {
            let _ = write!(self.text, "{head} ");
            for _ in 0..1 + self.random.below(2) {
                self.statement(depth - 1, function);
            }
        }
        self.text.push_str("}\n");
    }
}

fn program(random: &mut Random) -> String {
    let functions = 2 + random.below(3);
    let mut text = format!(
        "{HEAD}int own_b, own_c, g, used, fuel = 3;
static int bit(void) {{ if (used == 4) return 0; used++; return __VERIFIER_nondet_bool(); }}\n"
    );
    for f in 0..functions {
        let _ = writeln!(text, "static int f{f}(int d);");
    }
    let names: Vec<String> = (0..functions).map(|f| format!("f{f}")).collect();
    let _ = writeln!(text, "int (*table[])(int) = {{ {} }};", names.join(", "));
    for f in 0..functions {
        let _ = writeln!(text, "static int f{f}(int d) {{ volatile int v = 0;");
        let mut maker = Maker { random: &mut *random, functions, text };
        for _ in 0..2 + maker.random.below(3) {
            maker.statement(2, f);
        }
        text = maker.text;
        text.push_str("\nif (own_b >= d) own_b = 0; if (own_c >= d) own_c = 0; return v; }\n");
    }
    text + "int main(void) { f0(1); if (g == 7) reach_error(); return 0; }\n"
}

/// Whether some run has the error; `None` where there is no gcc.
fn truth(text: &str) -> Option<bool> {
    let driver = "#include <unistd.h>\n#include <sys/wait.h>\n#undef main\nstatic int in;
        _Bool __VERIFIER_nondet_bool(void) { int k = in & 1; in >>= 1; return k; }
        void reach_error(void) { _exit(1); }
        int main(void) { int all = 0; for (int i = 0; i < 16; i++) { int s = 0; if (!fork()) { in = i; the_program(); _exit(0); }
          wait(&s); if (s && !(WIFEXITED(s) && WEXITSTATUS(s) == 1)) return 2; all |= s != 0; } return all; }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("p.c"), folder.path().join("p"));
    std::fs::write(&file, format!("#define main the_program\n{text}{driver}")).expect("a file");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O0", "-o"]).arg(&program).arg(&file).stdin(Stdio::null());
    let built = gcc.output().ok()?;
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    match Command::new(&program).status().ok()?.code() {
        Some(code @ (0 | 1)) => Some(code == 1),
        other => panic!("a run ends with {other:?}: {text}"),
    }
}

#[test]
fn verdicts_of_random_jumps_are_those_of_all_runs() {
    let mut random = Random::new(number("HARDBOP_SEED", 1) as u64);
    let count = number("HARDBOP_PROGRAMS", 24);
    let (mut decided, mut errors) = (0, 0);
    for _ in 0..count {
        let text = program(&mut random);
        let Some(is_wrong) = truth(&text) else { return };
        let (verdict, more) = verdict(&text, &Options::default());
        match verdict {
            "unknown" => {
                assert!(more.contains("time"), "{more}: {text}");
                eprintln!("unknown: {more}");
                continue;
            }
            verdict => assert_eq!(verdict == "unsafe", is_wrong, "{text}"),
        }
        if is_wrong && errors % 4 == 0 {
            assert_eq!(run_harness_hosted(&more), Some(ERROR_CODE), "{text}");
        }
        (decided, errors) = (decided + 1, errors + usize::from(is_wrong));
    }
    eprintln!("{decided} of {count} decided, {errors} with the error");
    assert!(decided * 10 >= count * 8 && errors > 0 && errors < decided, "{decided} {errors}");
}
