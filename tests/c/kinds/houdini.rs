//! Programs that invariants without a search prove alone: from candidates, loops that read texts and fill buffers, whatever the
//! sizes; from intervals, counters and sums within bounds.

use std::collections::BTreeSet;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::Check;
use hardbop_c::lower::Assumption;
use hardbop_c::on_large_stack;
use hardbop_cfa::Place;
use hardbop_verify::{CProgram, Options, Strategy, Watcher, check};

use crate::support::c::{checked, decide};

/// Programs, each with what makes it wrong: the first text in place of the second.
const PROGRAMS: &[(&str, [&str; 2])] = &[
    // A stack.
    (
        "static int stack[64], top; while ((c = getchar()) != -1) {
           if (c == 'p' && top < 64) stack[top++] = c; else if (c == 'q' && top > 0) c = stack[--top]; }",
        ["top <= 64", "top < 64"],
    ),
    // A line without its first blanks.
    (
        "char line[48], *p; while (fgets(line, 48, stdin)) { p = line; while (*p && *p == ' ') p++; if (*p == '#') n++; }",
        ["*p != '#'", "*p && *p == ' '"],
    ),
    // A word that is cut off.
    (
        "char word[20]; while ((c = getchar()) != -1) { if (c == ' ') { word[n] = 0; n = 0; } else if (n < 19) word[n++] = c; }",
        ["n < 21", "n < 19"],
    ),
    // A ring.
    (
        "static int ring[32]; unsigned head = 0; while ((c = getchar()) != -1) { ring[head] = c; if (++head >= 32) head = 0; }",
        ["++head > 32", "++head >= 32"],
    ),
    // Positions in order.
    (
        "static char b[100]; int from = 0, to = 0; while ((c = getchar()) != -1) {
           if (to < 100) b[to++] = c; if (c == '.' && from < to) n += b[from++]; if (c == '!') from = to = 0; }",
        ["from <= to", "from < to"],
    ),
];

/// The same, for intervals.
const BOUNDED: &[(&str, [&str; 2])] = &[
    // A product behind a check of its factor.
    (
        "c = __VERIFIER_nondet_int(); if (c > -2147483647 && abs(c) < (long)sqrt((double)2147483647)) n = c * c;",
        ["(double)4147483647", "(double)2147483647"],
    ),
    // Counters that end at a number, and start again.
    (
        "int a = 0, b = 0; while ((c = getchar()) != -1) { if (a < 1000) a++; else if (++b > 500) b = 0; n = a * b + c % 10; }",
        ["a * b * 5000", "a * b"],
    ),
    // Two counters that go together.
    (
        "static int t[50]; int a, b = 3; for (a = 0; a < 47; a++, b++) { t[b] = a; if (getchar() == 'x') break; } n = a;",
        ["a < 48", "a < 47"],
    ),
    // A table of transitions.
    (
        "static const int next[4] = {1, 2, 3, 0}; static int seen[4]; int s = 0; while ((c = getchar()) != -1) {
           switch (s) { case 0: s = c == 'a' ? 1 : 0; break; case 1: s = c == 'b' ? 2 : 0; break; case 2: s = c == 'c' ? 3 : 1; break; default: s = 0; }
           if (seen[s] < 100) seen[s]++; n = next[s]; }",
        ["? 4 : 1", "? 3 : 1"],
    ),
    // Inputs behind where many ways meet.
    (
        "int a = 0, b = 0; static int t[8]; while (1) { c = __VERIFIER_nondet_int(); if (c == 1) a = 1; if (c == 2) a = 2; if (c == 3) b = 1; if (c == 4) b = 2;
           if (c == 5) b = 3; int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x == y) continue; if (b > 2 && x == 7) t[y & 7] = a; }",
        ["y & 15", "y & 7"],
    ),
    // The minutes of a clock.
    (
        "int h = 0, m = 0; static char day[24][60]; while ((c = getchar()) != -1) { if (++m == 60) { m = 0; h = (h + 1) % 24; } day[h][m] = c; }",
        ["% 25", "% 24"],
    ),
];

const HEAD: &str = "typedef struct file FILE; extern FILE *stdin; int getchar(void); int __VERIFIER_nondet_int(void); int abs(int); double sqrt(double); char *fgets(char *, int, FILE *);
int main(void) { int c, n = 0; ";

#[test]
fn loops_over_texts_and_buffers() {
    proves("houdini", PROGRAMS, &[Check::Bounds, Check::Null]);
}

#[test]
fn values_within_bounds() {
    proves("intervals", BOUNDED, &[Check::Bounds, Check::Null, Check::Overflow]);
}

/// Proves programs by a step alone, and not what is wrong.
fn proves(step: &str, programs: &[(&str, [&str; 2])], checks: &[Check]) {
    let strategy = format!(
        r#"{{"auto": [{{"do": "tree"}}], "tree": [{{"do": "tree"}}], "automaton": [{{"do": "{step}"}}]}}"#
    );
    let strategy = Strategy::read(strategy.as_bytes()).expect("a strategy");
    let options = Options { strategy, ..Options::default() };
    for (program, [wrong, right]) in programs {
        assert!(program.contains(right), "{program}");
        for (text, expected) in
            [(program.to_string(), "safe"), (program.replace(right, wrong), "unknown")]
        {
            let text = format!("{HEAD}{text} return n; }}\n");
            let flow = checked(&text, checks);
            let (found, why) = decide(&flow, &options, Duration::from_secs(60));
            assert_eq!(found, expected, "{why}\n{text}");
        }
    }
}

/// What the observer of a run is told of errors that are left.
#[derive(Default)]
struct Open(Option<BTreeSet<Place>>);

impl Watcher for Open {
    fn open(&mut self, errors: &BTreeSet<Place>, _: &[Assumption]) {
        self.0 = Some(errors.clone());
    }
}

/// It is said when it is found, so that it is known wherever the run is ended; but not where a function of somebody else may call
/// back.
#[test]
fn what_is_proved_in_part_is_said_at_once() {
    let strategy = Strategy::read(&br#"{"auto": [{"do": "intervals"}]}"#[..]).expect("a strategy");
    let options = Options { strategy, ..Options::default() };
    let loops = "int a[8]; for (int i = 0; i < 8; i++) a[i] = i; a[c & 15] = 0;";
    for (text, left) in [
        (loops.to_owned(), Some(1)),
        (format!("{loops} other();"), None),
        ("int a[8]; a[c & 15] = 0;".to_owned(), None),
    ] {
        let head = "int getchar(void); void other(void); int kept; void called(void) { kept = 1; }";
        let text =
            format!("{head}\nint main(void) {{ int c = getchar(); {text} called(); return 0; }}");
        let flow = checked(&text, &[Check::Bounds]);
        let mut open = Open::default();
        let report = on_large_stack(|| {
            check(CProgram::new(&flow), &options, &Budget::unlimited(), &mut open)
        });
        let report = report.expect("a thread").expect("the solvers work");
        assert_eq!(open.0.as_ref().map(BTreeSet::len), left, "{text}");
        assert_eq!(report.open_errors.map(|errors| errors.len()), left, "{text}");
    }
}
