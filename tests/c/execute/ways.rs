//! Executions that stand for all values of the inputs ([`hardbop_c::execute::Ways`]): what they prove holds of each value.

use std::fmt::Write as _;

use super::{Statements, number, shown, shown_by_terms};
use crate::support::c::{asked, flow};
use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_c::Property;
use hardbop_c::execute::{
    ExecutionOptions, ExecutionOutcome, Given, Loaded, Oracle, Randomly, Request, Ways, replay,
    run_again,
};
use hardbop_c::flow::Flow;
use hardbop_c::types::DataModel;
use hardbop_smt::SolverKind;

/// The values of each input that are tried.
const VALUES: [u64; 4] = [0, 1, 2, 3];

/// The executions of one program that are tried.
const MOST: usize = 4_000;

/// Each value of each input in turn, the last input first.
#[derive(Default)]
struct Each {
    digits: Vec<usize>,
    at: usize,
}

impl Each {
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.at);
        self.at = 0;
        while let Some(last) = self.digits.last_mut() {
            *last += 1;
            if *last < VALUES.len() {
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

impl Oracle for Each {
    fn input(&mut self, _: &Request<'_>) -> Option<Given> {
        if self.at == self.digits.len() {
            self.digits.push(0);
        }
        self.at += 1;
        Some(Given::Bits(VALUES[self.digits[self.at - 1]]))
    }
}

/// Whether a few executions show that no input leads to an error.
fn is_proved(flow: &Flow) -> bool {
    shown(flow, Ways::any()) == Some(false)
}

/// Whether executions that are led along other ways, with so many questions, come to an error.
fn is_found(flow: &Flow, questions: u32) -> bool {
    let solver = SolverKind::Blast.solver().expect("a solver");
    let mut ways = Ways::guided(flow, solver, questions, &Budget::unlimited(), Randomly::new(7));
    let program = Loaded::new(flow);
    let options = ExecutionOptions { lazy: true, steps: 20_000, ..ExecutionOptions::default() };
    loop {
        let mut found = run_again(&program, &mut ways, &options);
        if found.reaches_error() {
            assert!(ways.fill(&mut found), "inputs have values");
            let again = replay(flow, &found.trace(), &ExecutionOptions::default());
            assert!(again.is_ok_and(|e| e.reaches_error()), "{}", flow.source.text);
            return true;
        }
        if !ways.advance() {
            return false;
        }
    }
}

/// Whether some values of the inputs lead to an error, or to what has no meaning.
fn fails(flow: &Flow) -> bool {
    let (program, mut each) = (Loaded::new(flow), Each::default());
    for _ in 0..MOST {
        let found = run_again(&program, &mut each, &ExecutionOptions::default());
        if !matches!(found.outcome, ExecutionOutcome::Ended(_)) {
            return true;
        }
        if !each.advance() {
            break;
        }
    }
    false
}

struct Maker<'r>(&'r mut Random, String);

impl Maker<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len())]
    }

    fn place(&mut self) -> &'static str {
        self.pick(&[
            "x", "y", "z", "u", "s.a", "s.f", "s.b[1]", "t.a", "t.f", "g[0]", "g[2]", "*p", "w.i",
            "w.c[1]",
        ])
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.0.below(3) {
                0 => self.0.below(5).to_string(),
                _ => self.place().to_owned(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.0.below(12) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} & 3)"),
            2 => format!("({a} * {})", self.0.below(3)),
            3 => format!("({a} / {})", self.pick(&["1", "2", "-1", "(z | 1)"])),
            4 => format!("({a} % {})", self.pick(&["2", "3", "(y & 1) + 1"])),
            5 => format!("({a} << {})", self.pick(&["1", "2", "(x & 3)"])),
            6 => format!("({a} > {b} ? {} : {})", self.value(0), self.value(0)),
            7 => format!("({a} && {b})"),
            8 => format!("({a} || g[{} & 3])", self.place()),
            9 => format!("(unsigned char){a}"),
            10 => format!("f({a})"),
            _ => a,
        }
    }

    fn program(&mut self) -> String {
        self.1.push_str(
            "int g[4]; unsigned char u;\n\
             struct s { int a; unsigned f : 3; char b[3]; } s, t;\n\
             union { int i; char c[4]; } w;\n\
             static int f(int a) { static int n; n += a & 1; return n; }\n\
             static struct s h(struct s a) { a.b[1] = a.a; return a; }\n\
             void *memcpy(void *, const void *, unsigned long);\n\
             unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);\n\
             void reach_error(void);\n\
             int main(void) {\nint x = 0, y = 1, z = 2, *p = &z;\n",
        );
        for _ in 0..self.0.range(3, 9) {
            self.statement(2);
        }
        for _ in 0..self.0.range(1, 3) {
            let place = self.place();
            let bound = self.0.below(6);
            let _ = writeln!(self.1, "if ({place} > {bound}) reach_error();");
        }
        self.1.push_str("return 0;\n}\n");
        std::mem::take(&mut self.1)
    }
}

impl Statements for Maker<'_> {
    fn text(&mut self) -> &mut String {
        &mut self.1
    }

    fn statement(&mut self, depth: usize) {
        let (place, value) = (self.place(), self.value(1));
        let text = match self.0.below(if depth == 0 { 9 } else { 13 }) {
            0 => format!("{place} = __VERIFIER_nondet_uchar() & 3;"),
            1 => "t = s;".to_owned(),
            2 => "memcpy(&t, &s, sizeof s);".to_owned(),
            3 => format!("p = {} ? &x : &y;", self.value(0)),
            4 => format!("g[{} & 3] = {value};", self.place()),
            5 => "s = h(t);".to_owned(),
            6 => "u = __VERIFIER_nondet_bool();".to_owned(),
            7 | 8 => format!("{place} = {value};"),
            9 => return self.either(&value, depth - 1),
            10 => {
                let _ = writeln!(self.1, "for (int i = 0; i < {}; i++) {{", self.0.below(4));
                self.statement(depth - 1);
                "}".to_owned()
            }
            11 => return self.cases(&value, "", depth - 1),
            _ => format!("if ({} > 3) return 0;", self.value(0)),
        };
        self.1.push_str(&text);
        self.1.push('\n');
    }
}

#[test]
fn what_is_proved_holds_of_each_input() {
    let mut random = Random::new(u64::from(number("HARDBOP_FUZZ_SEED", 1)));
    let count = 100 * number("HARDBOP_FUZZ", 4);
    let (mut proved, mut read) = (0, 0);
    for _ in 0..count {
        let text = Maker(&mut random, String::new()).program();
        let flow = flow("ways.c", &text, DataModel::Lp64);
        if is_proved(&flow) {
            proved += 1;
            read += u32::from(text.contains("nondet_uchar() & 3"));
            assert!(!fails(&flow), "some input leads to an error:\n{text}");
        }
    }
    assert!(proved > count / 20 && read > count / 40, "{proved} and {read} of {count}");
}

/// The same programs with terms for inputs: nearly all are decided, and each as if every input was tried.
#[test]
fn terms_decide_as_each_input_does() {
    let mut random = Random::new(u64::from(number("HARDBOP_FUZZ_SEED", 2)));
    let count = 50 * number("HARDBOP_FUZZ", 4);
    let mut decided = [0, 0];
    for _ in 0..count {
        let text = Maker(&mut random, String::new()).program();
        let asked_for =
            [Checks::default(), Checks::of(&[Check::Overflow, Check::Bounds, Check::Division])];
        let checks = asked_for[random.below(2)];
        let flow = asked(&text, Property { checks, ..Property::default() });
        if let Some(is_reached) = shown_by_terms(&flow) {
            decided[usize::from(is_reached)] += 1;
            // An execution was shown where there is an error.
            assert!(is_reached || !fails(&flow), "some input leads to an error:\n{text}");
        }
    }
    let is_enough =
        decided.iter().all(|&n| n > count / 20) && decided[0] + decided[1] > count * 9 / 10;
    assert!(is_enough, "{decided:?} of {count}");
}

/// The same programs with numbers for inputs, and terms that lead elsewhere: no error is missed that trying inputs finds.
#[test]
fn other_ways_lead_to_each_error() {
    let mut random = Random::new(u64::from(number("HARDBOP_FUZZ_SEED", 3)));
    let count = 25 * number("HARDBOP_FUZZ", 4);
    let (mut found, mut missed) = (0, vec![]);
    for _ in 0..count {
        let text = Maker(&mut random, String::new()).program();
        let flow = asked(&text, Property::default());
        match (is_found(&flow, 400), shown_by_terms(&flow)) {
            (true, other) => {
                assert_ne!(other, Some(false), "no input leads to an error:\n{text}");
                found += 1;
            }
            (false, Some(true)) => missed.push(text),
            (false, _) => {}
        }
    }
    assert!(found > count / 10 && missed.is_empty(), "{found} of {count}; {missed:?}");
}

/// Errors that hide behind comparisons of texts, products, rounds of a loop, and what functions of the library look at.
#[test]
fn errors_behind_many_choices_are_found() {
    let found = [
        "char b[8]; read(0, b, 7); b[7] = 0; if (!strcmp(b, \"secret\")) reach_error();",
        "int a = rand(), b = rand(); if (a > 1000 && b > 1000 && a * b == 1022117) reach_error();",
        "int top = 0, s[4]; while (rand() % 2) { if (rand() % 3) { if (top == 4) reach_error(); s[top++] = rand(); } else if (top) top--; }",
        "n = rand(); if (n < 1 || n > 60) return 0; char *p = malloc(n); memset(p, n, n); if (p[n - 1] == 37) reach_error(); free(p);",
        "char b[12]; n = read(0, b, 11); if (n < 0) return 0; b[n] = 0; int v = 0; for (int i = 0; i < n && b[i] > 47 && b[i] < 58; i++) v = v * 10 + (b[i] - 48); if (v == 4711 && strlen(b) == 6) reach_error();",
        "if (n == 3 && texts[2][0] == 'a' && other(4711) == 815) reach_error();",
        "unsigned h = 5381; for (int i = 0; i < 3; i++) { unsigned char c = (unsigned char)rand(); h = h * 33 ^ c; } if (h == 193409669u) reach_error();",
    ];
    let none = [
        "int a = rand(); if (a > 3 && a * 2 < 2 && a < 100) reach_error();",
        "char b[4]; read(0, b, 3); b[3] = 0; if (strlen(b) > 3) reach_error();",
    ];
    for (text, expected) in found.map(|t| (t, true)).into_iter().chain(none.map(|t| (t, false))) {
        let text =
            format!("{HEAD}int other(int); int main(int n, char **texts) {{ {text} return 0; }}\n");
        let flow = flow("ways.c", &text, DataModel::Lp64);
        assert_eq!(is_found(&flow, 2_000), expected, "{text}");
    }
}

/// Words, behind which are others: with byte after byte, none of these is found with ten times as many questions.
#[test]
fn words_are_found_as_wholes() {
    let head = "int scanf(const char *, ...); int sscanf(const char *, const char *, ...); int memcmp(const void *, const void *, size_t);
        int strncmp(const char *, const char *, size_t); char *fgets(char *, int, void *);
        static const char *names[4] = {\"push\", \"pop\", \"swap\", \"print\"};
        static int find(const char *w) { for (int i = 0; i < 4; i++) if (strcmp(names[i], w) == 0) return i; return -1; }
        static int word(void) { char w[16]; return scanf(\"%15s\", w) == 1 ? find(w) : -1; }";
    let cases = [
        ("int k, n = 0; while ((k = word()) >= 0) { if (k == 3) n++; assert(k != 1 || n < 2); }", 400),
        ("char h[8]; fread(h, 1, 8, stdin); if (!memcmp(h, \"\\211PNG\\r\\n\\032\", 8)) reach_error();", 40),
        ("char l[20], o[8]; int open = 0; while (fgets(l, sizeof l, stdin)) {
            if (sscanf(l, \"open %7s\", o) == 1) open = !strcmp(o, \"me\"); else if (open && !strncmp(l, \"close\", 5)) reach_error(); }", 400),
    ];
    for (text, questions) in cases {
        let text = format!("{HEAD}{head} int main(void) {{ {text} return 0; }}\n");
        assert!(is_found(&flow("ways.c", &text, DataModel::Lp64), questions), "{text}");
    }
}

const HEAD: &str = "typedef unsigned long size_t; long time(long *); int rand(void); void srand(unsigned);\n\
    int printf(const char *, ...); void *malloc(size_t); void free(void *);\n\
    extern void *stdin; size_t fread(void *, size_t, size_t, void *); void *memset(void *, int, size_t); size_t strlen(const char *);\n\
    void *memcpy(void *, const void *, size_t); char *strcpy(char *, const char *); int strcmp(const char *, const char *); char *strchr(const char *, int);\n\
    void reach_error(void); long read(int, void *, size_t);\n\
    static void assert(int holds) { if (!holds) reach_error(); }\n";

/// What decides, and what does not.
#[test]
fn what_depends_on_an_input_has_no_value() {
    let proved: &[&str] = &[
        // Copied, shown and dropped.
        "int t = (int)time(0); struct { int a, b; } s = {t, 2}, r = s; printf(\"%d\", r.a);\
         assert(r.b == 2);",
        "srand((unsigned)time(0)); char d[40]; memset(d, 'a', 39); d[39] = 0;\
         assert(strlen(d) == 39);",
        // Both ways.
        "int k = rand() % 2 ? 3 : 4, a[5] = {0}; if (rand() % 2) a[2] = 1; assert(a[4] == 0);",
        "char *p = malloc(4); if (!p) return 1; *p = 1; assert(*p == 1); free(p);",
        // What is written is known again.
        "int n = rand(); n = 3; int a[4] = {0}; a[n] = 1; assert(a[3] == 1);",
    ];
    let open: &[&str] = &[
        "int n = rand() % 4, a[4] = {0}; a[n] = 1; assert(a[0] < 2);",
        "int n = rand() % 4 + 1; assert(8 / n > 0);",
        "int n = rand(), i = 0; while (i < n) i++; assert(i >= 0);",
        "int k = rand() % 2, *p = k ? &k : 0; if (k) assert(*p == k);",
        "long a = 1, b = 1; time(rand() % 2 ? &a : &b); assert(a == 1);",
        "char a[4] = {0}, *p = a + (rand() & 1); fread(p, 1, 3, stdin); assert(a[1] == 0);",
        "int n = rand() % 9; char *p = malloc(n + 1); memset(p, 0, n); assert(p != 0); free(p);",
    ];
    for (texts, expected) in [(proved, true), (open, false)] {
        for text in texts {
            let text = format!("{HEAD}int main(void) {{ {text} return 0; }}\n");
            assert_eq!(is_proved(&flow("ways.c", &text, DataModel::Lp64)), expected, "{text}");
        }
    }
}

/// What terms decide: whether an error is reached, or that it stays open.
#[test]
fn what_depends_on_an_input_is_a_term() {
    let cases: &[(&str, Option<bool>)] = &[
        ("int n = rand() % 4, a[4] = {0}; a[n] = 1; assert(a[0] < 2);", Some(false)),
        ("int n = rand() % 4, a[4] = {0}; a[n] = 1; assert(a[3] == 0);", Some(true)),
        ("int n = rand() % 4 + 1; assert(8 / n > 1);", Some(false)),
        ("int n = rand() % 4; if (rand() % 2) n = 8 / n;", None),
        ("int n = rand(), i = 0; while (i < n) i++; assert(i >= 0);", None),
        ("int k = rand() % 2, *p = k ? &k : 0; if (k) assert(*p == k);", Some(false)),
        ("int n = rand() % 9; char *p = malloc(n + 1); memset(p, 0, n); assert(p != 0); free(p);", Some(false)),
        // Bytes of one object under several types.
        ("struct { char c; int x; } s, t; s.x = rand(); memcpy(&t, &s, sizeof s);
          unsigned char *p = (unsigned char *)&t.x; assert((p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24) == s.x);", Some(false)),
        ("union { int i; short h[2]; } u; u.i = rand(); u.h[0] = 7; assert(u.i != 0x12340007);", Some(true)),
        ("struct { unsigned a : 3; int b : 5; _Bool c : 1; } s; s.a = rand(); s.b = rand(); s.c = s.a;
          assert(s.a < 8 && s.b >= -16 && s.b < 16 && s.c == (s.a != 0));", Some(false)),
        // Texts.
        ("char b[4], d[4]; for (int i = 0; i < 3; i++) b[i] = (char)rand(); b[3] = 0; strcpy(d, b);
          assert(strlen(d) < 4 && !strcmp(b, d)); char *p = strchr(b, 'x'); if (p) assert(*p == 'x' && p < b + 3);", Some(false)),
        ("char b[4]; for (int i = 0; i < 3; i++) b[i] = (char)rand(); b[3] = 0; assert(strcmp(b, \"ab\"));", Some(true)),
        // What the type of an operation says.
        ("unsigned char c = (unsigned char)rand(); signed char d = (signed char)c; assert(d == c || d < 0);
          int s = rand() % 40; unsigned v = 1u << s; assert(v != 0); long l = (long)(rand() & 15) * (rand() & 15); assert(l >= 0 && l < 226);", Some(false)),
        ("double x = rand() % 100; assert(x + 0.5 > x && x * 2 <= 198);", Some(false)),
        ("double x = rand() % 9; int n = x / 2; assert(n <= 4 && n >= x / 2 - 0.5);", Some(false)),
        ("float f = rand() % 5; union { float f; int i; } u; u.f = f + 1; assert(u.i);", None),
        // Addresses are those of one run.
        ("int a[2], *p = a + rand() % 2; assert((long)p % 4 == 0);", None),
        ("int a, b; long d = (char *)&a - (char *)&b; if (rand() % 2) d++; assert(d != 0);", None),
    ];
    for (text, expected) in cases {
        let text = format!("{HEAD}int main(void) {{ {text} return 0; }}\n");
        assert_eq!(shown_by_terms(&flow("ways.c", &text, DataModel::Lp64)), *expected, "{text}");
    }
}
