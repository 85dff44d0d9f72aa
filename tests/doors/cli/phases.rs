//! No phase costs the answer that another one has: programs on each of which one of them takes more
//! and more.

use std::process::Output;

use super::{last_line, run, stderr};

/// Programs that are decided, with a little memory.
fn programs() -> Vec<(&'static str, String, &'static str)> {
    let start = "#include <stdlib.h>\n#include <string.h>\n#include <assert.h>
        extern int nondet_int(void); extern unsigned nondet_uint(void); extern unsigned short nondet_ushort(void);
        extern short nondet_short(void); extern void reach_error(void);";
    let programs = [
        (
            "a block of any size",
            "int main(void) { unsigned n = nondet_uint(); int *a = malloc(n * sizeof(int)); if (!a) return 0;
               unsigned i = 0; while (i < 10 && i < n) { a[i] = 0; i++; } if (i > 10) reach_error(); return 0; }",
            "SAFE",
        ),
        (
            "an array of any size",
            "int main(void) { unsigned n = nondet_uint(); if (n == 0) return 0; int a[n]; a[0] = 1;
               if (a[0] != 1) reach_error(); return 0; }",
            "SAFE",
        ),
        (
            "arguments that nothing reads",
            "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
             int main(int argc, char *argv[]) { if (fib(17) != 1597) reach_error(); return 0; }",
            "SAFE",
        ),
        (
            "a loop without end",
            "int x = 1, a; int main(void) { while (1) { a = x; assert(a == 1); } }",
            "SAFE",
        ),
        (
            "a pointer that walks along texts",
            "static const char *tab[] = { \"r\", \"g\", 0 };
             int main(void) { const char **c; for (;;) { const char *n = nondet_int() ? \"r\" : \"p\";
               for (c = tab; *c; c++) if (strcmp(*c, n) == 0) break; assert(c != tab + 1); } }",
            "SAFE",
        ),
        (
            "a narrow counter",
            "int main(void) { unsigned short n = nondet_ushort(); unsigned x = 0; while (x < n) x += 2; assert(x % 2 == 0); }",
            "SAFE",
        ),
        (
            "a narrow signed counter",
            "int main(void) { short n = nondet_short(), x = 0; while (x < n) x += 2; assert(x % 2 == 0); }",
            "SAFE",
        ),
        (
            "bits upwards and downwards",
            "int main(void) { unsigned n = nondet_uint(), r = 0, b = 0;
               for (int i = 0; i < 32; i++) r = r << 1 | (n >> i & 1);
               for (int i = 0; i < 32; i++) b = b << 1 | (r >> i & 1); assert(b == n); }",
            "SAFE",
        ),
        (
            "the highest bit",
            "int main(void) { unsigned n = nondet_uint(); int hi = -1, lo = -1;
               for (int i = 0; i < 32; i++) if (n & 1u << i) hi = i;
               for (int i = 31; i >= 0; i--) if (n & 1u << i) { lo = i; break; } assert(hi == lo); }",
            "SAFE",
        ),
        (
            "the parity of other bits",
            "int main(void) { unsigned n = nondet_uint(), p = 0, q = 0, m = n;
               while (m) { p ^= m & 1; m >>= 1; } for (int i = 31; i > 0; i--) q ^= n >> i & 1; assert(p == q); }",
            "UNSAFE",
        ),
    ];
    programs.map(|(name, text, verdict)| (name, format!("{start}\n{text}\n"), verdict)).into()
}

fn check(text: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("writes");
    run(&[&["check", file.to_str().expect("UTF-8")], options].concat(), b"")
}

#[test]
fn no_phase_takes_the_answer() {
    for (name, text, expected) in programs() {
        let output = check(&text, &["--memory-limit", "200M", "--time-limit", "60s"]);
        assert_eq!(last_line(&output), format!("VERDICT: {expected}"), "{name}\n{text}");
    }
}

/// Interpolation takes what there is in the tree; Boolean programs are tried all the same.
#[test]
fn the_next_phase_goes_on() {
    let text = "struct n { int v; struct n *next; } a, b, c;
        extern void reach_error(void); extern int nondet_int(void);
        int main(void) { a.v = 1; b.v = 2; c.v = 3; a.next = &b; b.next = &c; c.next = &a;
          int s = 0; struct n *p = &a; while (nondet_int()) { s += p->v; p = p->next; }
          if (s < 0) reach_error(); return 0; }";
    let output = check(text, &["-v", "--memory-limit", "80M", "--time-limit", "60s"]);
    let last = last_line(&output);
    assert!(stderr(&output).contains("Boolean programs"), "{last}\n{}", stderr(&output));
    assert!(last.starts_with("VERDICT: UNKNOWN (memory limit reached"), "{last}");
}
