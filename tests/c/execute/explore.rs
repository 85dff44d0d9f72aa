//! Executions that go on from states that others have come to ([`hardbop_c::execute::Exploration`]): programs with loops that
//! inputs keep going for ever, against executions on many inputs.

use std::fmt::Write as _;

use super::{Statements, number, shown, shown_by_terms};
use crate::support::c::{asked, flow};
use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_c::Property;
use hardbop_c::execute::{ExecutionOptions, Given, Loaded, Oracle, Request, Ways, run_again};
use hardbop_c::flow::Flow;
use hardbop_c::types::DataModel;

/// So many inputs, and no more: in turn all that have few digits, or any.
struct Inputs<'r> {
    digits: Vec<u64>,
    at: usize,
    random: Option<&'r mut Random>,
}

impl Oracle for Inputs<'_> {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        let given = match &mut self.random {
            Some(random) if self.at < 60 => random.below(4) as u64,
            Some(_) => return None,
            None => *self.digits.get(self.at)?,
        };
        self.at += 1;
        Some(Given::Bits(if request.bits == 1 { given & 1 } else { given }))
    }
}

/// Whether some of many executions come to an error.
fn fails(flow: &Flow, random: &mut Random) -> bool {
    let program = Loaded::new(flow);
    let options = ExecutionOptions { steps: 800, ..ExecutionOptions::default() };
    let few = (0..4_u64.pow(4)).any(|number| {
        let digits = (0..4).map(|at| number >> (2 * at) & 3).collect();
        let mut oracle = Inputs { digits, at: 0, random: None };
        run_again(&program, &mut oracle, &options).reaches_error()
    });
    few || (0..100).any(|_| {
        let mut oracle = Inputs { digits: vec![], at: 0, random: Some(&mut *random) };
        run_again(&program, &mut oracle, &options).reaches_error()
    })
}

struct Maker<'r>(&'r mut Random, String);

impl Maker<'_> {
    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len())]
    }

    fn place(&mut self) -> &'static str {
        self.pick(&[
            "x", "y", "z", "c", "d", "g[0]", "g[2]", "*p", "h->a", "h->n->a", "s.a", "s.t[1]",
            "h->t[0]", "b[2]",
        ])
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.0.below(3) {
                0 => self.0.below(4).to_string(),
                _ => self.place().to_owned(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(0));
        match self.0.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} ^ {b})"),
            2 => format!("({a} == {b})"),
            3 => format!("({a} < {b} && {})", self.value(0)),
            4 => format!("g[{a} & 3]"),
            5 => format!("f({a}, &{})", self.pick(&["x", "g[1]", "s.a", "d"])),
            6 => format!("(int)strlen({})", self.pick(&["s.t", "h->t"])),
            7 => format!("({a} ? {b} : {})", self.value(0)),
            _ => a,
        }
    }

    fn program(&mut self) -> String {
        self.1.push_str(
            "typedef unsigned long size_t; int g[4];\n\
             struct s { int a; char t[4]; struct s *n; } s;\n\
             void free(void *); static int c_odd(int a) { return a & 1; }\n\
             static int f(int a, int *q) { int l[2]; l[a & 1] = a; *q = (*q + a) & 3; return l[a & 1] & 3; }\n\
             static int k(int a) { int l = a, m = 1; f(a, c_odd(a) ? &l : &m); return l + m & 3; }\n\
             char *strcpy(char *, const char *); size_t strlen(const char *); void *malloc(size_t);\n\
             unsigned char __VERIFIER_nondet_uchar(void); _Bool __VERIFIER_nondet_bool(void);\n\
             void reach_error(void);\n\
             int main(void) {\nint x = 0, y = 1, z = 2, c = 0, d = 0, *p = &z; char b[4] = {0}; struct s *q = 0;\n\
             struct s *h = malloc(sizeof *h); h->a = 0; h->n = &s; h->t[0] = 0; h->t[1] = 0; h->t[2] = 0; h->t[3] = 0; s.n = h;\n\
             while (1) {\n",
        );
        if self.0.below(3) > 0 {
            self.1.push_str("c = __VERIFIER_nondet_uchar() & 3;\n");
        }
        for _ in 0..self.0.range(2, 6) {
            self.statement(1);
        }
        for _ in 0..self.0.range(1, 3) {
            let mut test = || format!("{} == {}", self.place(), self.0.below(4));
            let (first, second) = (test(), test());
            let _ = writeln!(self.1, "if ({first} && {second}) reach_error();");
        }
        self.1.push_str("}\nreturn 0;\n}\n");
        std::mem::take(&mut self.1)
    }
}

impl Statements for Maker<'_> {
    fn text(&mut self) -> &mut String {
        &mut self.1
    }

    fn statement(&mut self, depth: usize) {
        let (place, value) = (self.place(), self.value(1));
        let text = match self.0.below(if depth == 0 { 14 } else { 18 }) {
            0 => "c = __VERIFIER_nondet_uchar() & 3;".to_owned(),
            1 => "d = __VERIFIER_nondet_bool();".to_owned(),
            2 => format!("p = {} ? &x : &g[1];", self.value(0)),
            3 => format!("g[{} & 3] = {value} & 3;", self.place()),
            4 => format!(
                "strcpy({}, \"{}\");",
                self.pick(&["s.t", "h->t"]),
                self.pick(&["", "a", "bcd"])
            ),
            5 => "s = *h;".to_owned(),
            6 => "h->n = c ? h : &s;".to_owned(),
            7 => "for (int i = 0; i < 4; i++) b[i] = (char)((b[i] + c) & 3);".to_owned(),
            8 | 9 => format!("{place} = {value} & 3;"),
            10 | 11 => "if (!q) { q = malloc(sizeof *q); *q = s; q->a = c; }".to_owned(),
            12 => format!("if (q) {{ {place} = q->a & 3; free(q); q = 0; }}"),
            13 => self
                .pick(&[
                    "d = k(c);",
                    "d = k(d) > 1;",
                    "if (q == h) x = 1;",
                    "z = q != 0;",
                    "if (p > &g[0]) y = 3;",
                    "z = (int)(p - g) & 3;",
                    "x = (int)((unsigned long)q >> 4) & 1;",
                    "{ unsigned char *v = (unsigned char *)&q; y = v[0] & 3; }",
                    "{ struct s *o = q; q = h; h = o ? o : h; }",
                ])
                .to_owned(),
            14 => return self.either(&value, depth - 1),
            15 => return self.cases(&value, "break;", depth - 1),
            16 => format!("if ({} > 2) {};", self.value(0), self.pick(&["break", "continue"])),
            _ => {
                let _ = writeln!(self.1, "{{ int e = {value} & 3, *r = &e;");
                self.statement(depth - 1);
                "x = *r; }".to_owned()
            }
        };
        self.1.push_str(&text);
        self.1.push('\n');
    }
}

#[test]
fn loops_without_end_are_decided_as_many_inputs_do() {
    let mut random = Random::new(u64::from(number("HARDBOP_FUZZ_SEED", 4)));
    let count = 20 * number("HARDBOP_FUZZ", 4);
    let mut decided = [0, 0];
    for _ in 0..count {
        let text = Maker(&mut random, String::new()).program();
        let flow = flow("explore.c", &text, DataModel::Lp64);
        let without = shown(&flow, Ways::any()) == Some(false);
        let with = shown_by_terms(&flow);
        if let Some(is_reached) = with {
            decided[usize::from(is_reached)] += 1;
        }
        if without || with == Some(false) {
            assert!(!fails(&flow, &mut random), "some input leads to an error:\n{text}");
            assert_ne!(with, Some(true), "{text}");
        }
    }
    assert!(decided.iter().all(|&n| n > count / 10), "{decided:?} of {count}");
}

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void free(void *); char *strcpy(char *, const char *);
    void *memcpy(void *, const void *, size_t); int memcmp(const void *, const void *, size_t); int __VERIFIER_nondet_int(void); void reach_error(void);
    static void bump(int *p) { if (*p < 7) (*p)++; }\n";

/// Programs that react to inputs for ever, each with an error, too.
#[test]
fn events_are_handled_for_ever() {
    let cases = [
        // A machine whose state is behind a pointer, with a text.
        ("struct m { int s; char t[8]; } m, *p = &m; strcpy(m.t, \"idle\"); m.s = 0;
          while (1) { int c = __VERIFIER_nondet_int();
            if (c == 1 && p->s == 0) { p->s = 1; strcpy(p->t, \"run\"); } else if (c == 2 && p->s == 1) { p->s = 2; strcpy(p->t, \"wait\"); }
            else if (c == 3) { p->s = 0; strcpy(p->t, \"idle\"); }
            if (p->s == 1 && p->t[0] != 'r' || p->s == 2 && p->t[3] != LAST) reach_error(); }", ["'t'", "'d'"]),
        // A ring with any numbers in it.
        ("int b[4]; unsigned h = 0, n = 0;
          while (1) { int c = __VERIFIER_nondet_int();
            if (c == 1 && n <= LAST) b[(h + n++) % 4] = __VERIFIER_nondet_int(); else if (c == 2 && n > 0) { h = (h + 1) % 4; n--; }
            if (n > 4) reach_error(); }", ["3", "4"]),
        // A queue of blocks.
        ("struct n { int v; struct n *next; } *head = 0, *tail = 0; int n = 0;
          while (1) { int c = __VERIFIER_nondet_int();
            if (c == 1 && n < 3) { struct n *x = malloc(sizeof *x); x->v = LAST; x->next = 0; if (tail) tail->next = x; else head = x; tail = x; n++; }
            else if (c == 2 && n > 0) { struct n *x = head; head = x->next; if (!head) tail = 0; if (x->v > 1) reach_error(); free(x); n--; }
            if ((head == 0) != (n == 0)) reach_error(); }", ["c", "c + (n == 2)"]),
        // A variable whose address is handed on.
        ("int k = 0; while (1) { int l = __VERIFIER_nondet_int() & 7; bump(&l); if (l > LAST || k > 1) reach_error(); k = l == 0; }", ["7", "6"]),
    ];
    for (text, last) in cases {
        for (last, is_reached) in last.into_iter().zip([false, true]) {
            let text = text.replace("LAST", last);
            let flow =
                flow("events.c", &format!("{HEAD}int main(void) {{ {text} }}\n"), DataModel::Lp64);
            assert_eq!(shown_by_terms(&flow), Some(is_reached), "{text}");
        }
    }
}

/// What depends on where objects lie is not shown by executions.
#[test]
fn where_objects_lie_is_left_open() {
    let open = [
        "if (((unsigned long)p >> 4) & 1) reach_error();",
        "void *v = &p; long *l = v; if (*l == 16) reach_error();",
        "long l; memcpy(&l, &p, 8); if (l == 16) reach_error();",
        "if (p > q && q > p) reach_error();",
        "if (memcmp(&p, &q, 8) == 5000) reach_error();",
        "if (q - p == 3) reach_error();",
        "union { char *p; long l; } u; u.p = q; if (u.l == 32) reach_error();",
        "unsigned char *v = (unsigned char *)&q; if (v[0] == 33) reach_error();",
        "if (p == (char *)0x555555550000) reach_error();",
        "if ((unsigned long)&bump == 77) reach_error();",
        "long n = 128; if (p == (char *)n) reach_error();",
        "union { long n; char *p; } u; u.n = 128; if (u.p == p) reach_error();",
        "char a[4], b[4]; memcpy(a, &p, 4); memcpy(b, (char *)&p + 4, 4); if (a == b) reach_error();",
        "if (&bump > &reach_error && &bump < &reach_error) reach_error();",
    ];
    let decided = [
        "char *w = p; while (w < p + 8) *w++ = 0; if (w - p != 8) reach_error();",
        "_Bool x = p; if (!x) reach_error();",
        "if (p == q) reach_error();",
        "char **r = &p; r[0] = q; if (*r != q) reach_error();",
        "struct { char *p; int i; } s = {p, 3}, t = s; if (t.i != 3) reach_error();",
    ];
    let all =
        open.map(|text| (text, None)).into_iter().chain(decided.map(|text| (text, Some(false))));
    for (text, expected) in all {
        let text = format!(
            "{HEAD}int main(void) {{ char *p = malloc(8), *q = malloc(8); if (__VERIFIER_nondet_int() == 3) return 0; {text} return 0; }}\n"
        );
        let flow = flow("where.c", &text, DataModel::Lp64);
        assert_eq!(shown_by_terms(&flow), expected, "{text}");
    }
}

/// Ways that meet with the same memory are not the same where other conditions hold, or where variables are read later.
#[test]
fn ways_that_meet_are_told_apart() {
    let rows = [
        // Each has an error on the way that is taken last.
        "int x, c = __VERIFIER_nondet_int() & 3; if (c > 1) x = 1; else x = 1; if (c == 0) reach_error();",
        "int x, a = __VERIFIER_nondet_int(), b = a & 7; if (a > 3) x = 1; else x = 1; a = 0; if (b == 2) reach_error();",
        "int x, a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); if (a == b) x = 1; else x = 1; b = b + 1; if (a + 1 != b) reach_error();",
        "int y = 0, c = __VERIFIER_nondet_int(); if (c) y = 1; c = 0; if (!y) reach_error();",
        "int y[2] = {0, 0}, c = __VERIFIER_nondet_int(); if (c) y[1] = 1; c = 0; if (y[1] == 0) reach_error();",
        "struct { int a, b; } y = {0, 0}, z; int c = __VERIFIER_nondet_int(); if (c) y.b = 1; c = 0; z = y; if (z.b == 0) reach_error();",
        "int *p = malloc(4); *p = 0; if (__VERIFIER_nondet_int()) *p = 1; if (*p == 0) reach_error();",
        "int **p = malloc(8); *p = malloc(4); **p = 0; if (__VERIFIER_nondet_int()) **p = 1; if (**p == 0) reach_error();",
        "int k = 1, n = 0; while (k) { int c = __VERIFIER_nondet_int() & 3; if (c > 1) n = 2; else n = 2; k = c; if (n + c == 3) reach_error(); }",
        "unsigned char a = (unsigned char)__VERIFIER_nondet_int(); int x; if (a != 200) x = 1; else x = 1; if ((signed char)a == -56) reach_error();",
        "int u, v, x = 0; memcpy(&v, &u, 4); if (__VERIFIER_nondet_int()) x = 1; if (u == 5) x = 2; if (v == 6 && x != 2) reach_error();",
        "int b = 3; bump(&b); int c = __VERIFIER_nondet_int(); if (c) bump(&b); if (b == 4) reach_error();",
    ];
    for row in rows {
        let text = format!("{HEAD}int main(void) {{ {row} return 0; }}\n");
        let flow = flow("meet.c", &text, DataModel::Lp64);
        assert_eq!(shown_by_terms(&flow), Some(true), "{row}");
        // Nothing is shown, or the error.
        assert_ne!(shown(&flow, Ways::any()), Some(false), "{row}");
    }
}

/// A pointer that nobody reads any more still leads to a block, and where one led that was freed, another may lie.
#[test]
fn lost_blocks_are_told_apart() {
    let checks = Checks::of(&[Check::Leak]);
    let rows = [
        "char *x = 0, *p = malloc(4); int c = __VERIFIER_nondet_int(); if (c != 4711) x = p; c = 0; p = 0; exit(0);",
        "char *x = malloc(4); free(x); int c = __VERIFIER_nondet_int(); if (c == 1) c = 2; else c = 2; char *y = malloc(4); y = 0; exit(0);",
    ];
    for row in rows {
        let text = format!("{HEAD}void exit(int); int main(void) {{ {row} }}\n");
        let flow = asked(&text, Property { checks, ..Property::default() });
        assert_ne!(shown_by_terms(&flow), Some(false), "{row}");
        assert_ne!(shown(&flow, Ways::any()), Some(false), "{row}");
    }
}
