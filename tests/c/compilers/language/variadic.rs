//! Variadic functions of the program: random programs against gcc on all inputs, for both data models.
//!
//! `HARDBOP_PROGRAMS=500 HARDBOP_SEED=7 cargo test --test c variadic` makes more of them.

use std::time::Duration;

use super::super::{answer_to, compare, expect};
use crate::support::c::{Compiled, can_compile, execute, flow, number, run_harness, words};
use hardbop_base::budget::Budget;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_c::execute::Recording;
use hardbop_c::harness::{ERROR_CODE, harness};
use hardbop_c::points_to::Externals;
use hardbop_c::types::DataModel;
use hardbop_c::{Property, on_large_stack};
use hardbop_verify::{CProgram, Options, Outcome, check};

/// The text as the preprocessor leaves it.
fn preprocessed(text: &str) -> String {
    let names = ["va_start(", "va_arg(", "va_copy(", "va_end("].into_iter();
    let spelled = |text: String, name| text.replace(name, &format!("__builtin_{name}"));
    names.fold(format!("typedef __builtin_va_list va_list;\n{text}"), spelled)
}

const FUNCTIONS: &str = "
extern void reach_error(void); extern _Bool __VERIFIER_nondet_bool(void);
struct pair { int a; char b; };
int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n-- > 0) s += va_arg(ap, int); va_end(ap); return s; }
int max(unsigned n, ...) { va_list ap, aq; int m = -9; va_start(ap, n); va_copy(aq, ap);
  for (unsigned i = 0; i < n; i++) { int v = va_arg(aq, int); if (v > m) m = v; } va_end(aq); return m - va_arg(ap, int); }
int chain(int first, ...) { va_list ap; int s = 0; va_start(ap, first); for (int v = first; v; v = va_arg(ap, int)) s = 2 * s + v; va_end(ap); return s; }
int names(const char *first, ...) { va_list ap; int s = 0; va_start(ap, first);
  for (const char *t = first; t; t = va_arg(ap, char *)) s += t[0]; va_end(ap); return s; }
static int one(char c, va_list *ap) { struct pair p; switch (c) {
  case 'd': return va_arg(*ap, int);
  case 'u': return va_arg(*ap, unsigned) + 1;
  case 'c': return (char)va_arg(*ap, int);
  case 's': return va_arg(*ap, char *)[0];
  case 'l': return va_arg(*ap, long) * 2;
  case 'q': return va_arg(*ap, long long) / 2;
  case 'f': return va_arg(*ap, double) * 4;
  case 'p': p = va_arg(*ap, struct pair); return p.a - p.b; } return 0; }
int vform(const char *f, va_list ap) { va_list own; int s = 0; va_copy(own, ap); for (; *f; f++) s = 3 * s + one(*f, &own); va_end(own); return s; }
int form(const char *f, ...) { va_list ap; va_start(ap, f); int s = vform(f, ap); va_end(ap); return s; }
int deep(int n, ...) { va_list ap; va_start(ap, n); int v = va_arg(ap, int); va_end(ap); return n ? v + deep(n - 1, v - 1, 7) : v; }
";

fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth > 0 { 6 } else { 4 }) {
        0 => random.below(9).to_string(),
        1 => "x".to_owned(),
        2 => "y".to_owned(),
        3 => "(x + 2 * y)".to_owned(),
        _ => call(random, depth - 1),
    }
}

fn call(random: &mut Random, depth: usize) -> String {
    let count = random.range(1, 3);
    let values: Vec<String> = (0..count).map(|_| value(random, depth)).collect();
    let all = values.join(", ");
    match random.below(7) {
        0 => format!("sum({count}, {all})"),
        1 => format!("max({count}, {all})"),
        2 => format!("chain({all}, 0)"),
        3 => r#"names("a", x ? "b" : "c", (void *)0)"#.to_owned(),
        4 => format!("deep({}, {})", random.below(3), values[0]),
        5 => format!("by({count}, {all})"),
        _ => {
            let mut format = String::new();
            let mut given = String::new();
            for value in values {
                let (letter, text) = match random.below(8) {
                    0 => ('d', value),
                    1 => ('u', "(unsigned)y".to_owned()),
                    2 => ('c', "(char)('a' + x)".to_owned()),
                    3 => ('s', r#"y ? "k" : "l""#.to_owned()),
                    4 => ('l', format!("(long){value}")),
                    5 => ('q', format!("(long long){value}")),
                    6 => ('f', "(float)(x + 1)".to_owned()),
                    _ => ('p', format!("(struct pair){{ {value}, y }}")),
                };
                format.push(letter);
                given += &format!(", {text}");
            }
            format!(r#"form("{format}"{given})"#)
        }
    }
}

fn program(random: &mut Random) -> String {
    let calls: Vec<String> = (0..random.range(1, 2)).map(|_| call(random, 1)).collect();
    let sum = calls.join(" + 3 * ");
    let wanted = random.below(8);
    preprocessed(&format!(
        "{FUNCTIONS}int main(void) {{ int x = __VERIFIER_nondet_bool(), y = __VERIFIER_nondet_bool(); \
         int (*by)(int, ...) = sum; int r = {sum}; if ((r & 7) == {wanted}) reach_error(); return 0; }}\n"
    ))
}

#[test]
fn random_programs() {
    let mut random = Random::new(number("HARDBOP_SEED", 1) as u64);
    let count = number("HARDBOP_PROGRAMS", 12);
    let mut decided = 0;
    let models = [DataModel::Lp64, DataModel::Ilp32].map(|model| (model, can_compile(model)));
    for index in 0..count {
        let text = program(&mut random);
        let (model, can_compile) = models[index % 2];
        if !can_compile {
            continue;
        }
        let compiled = Compiled::new(&text, model).unwrap_or_else(|| panic!("{text}"));
        let flow = flow("p.c", &text, model);
        let mut truth = false;
        for values in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let said = compiled.run(&values).expect("it runs");
            let execution = execute(&flow, &values, Recording::Values);
            assert_eq!(words(&execution).as_deref(), Some(said.as_str()), "{values:?}\n{text}");
            if said.starts_with("ERROR") && !truth {
                truth = true;
                let made = harness(&flow, &execution).expect("an error").text;
                assert_eq!(run_harness(&made, model), Some(ERROR_CODE), "{made}");
            }
        }
        // Without executions: by proof alone.
        let options = Options { executions: 0, ..Options::default() };
        let budget = Budget::unlimited().with_time_limit(Duration::from_secs(10));
        let work = || check(CProgram::new(&flow), &options, &budget, &mut ());
        let report = on_large_stack(work).expect("a thread").expect("solvers work");
        let found = match report.outcome {
            Outcome::Safe(_) => Some(false),
            Outcome::Unsafe(_) => Some(true),
            Outcome::Unknown(_) => None,
        };
        decided += usize::from(found.is_some());
        assert!(found.is_none_or(|found| found == truth), "{found:?}\n{text}");
    }
    eprintln!("{decided} of {count} decided");
    assert!(decided * 3 >= count * 2 || models.iter().any(|(_, can)| !can), "{decided} of {count}");
}

/// Programs with one execution, and whether they are decided.
const CERTAIN: &[(bool, &str)] = &[
    (true, "int main(void) { va_list ap; if (sizeof ap == 24) reach_error(); return 0; }"),
    (true, "int f(int n, ...) { va_list ap; va_start(ap, n); void *p = va_arg(ap, void *); va_end(ap); return *(int *)p; }
     int main(void) { int i = 4; if (f(0, &i) == 4) reach_error(); return 0; }"),
    (true, "int f(int n, ...) { va_list ap; va_start(ap, n); unsigned u = va_arg(ap, int); va_end(ap); return u; }
     int main(void) { if (f(0, 5u) != 5) reach_error(); return 0; }"),
    (true, "struct l { va_list ap; }; int g(struct l *l) { return va_arg(l->ap, int); }
     int f(int n, ...) { struct l l; va_start(l.ap, n); g(&l); int r = g(&l); va_end(l.ap); return r; }
     int main(void) { if (f(0, 5, 6) == 6) reach_error(); return 0; }"),
];

#[test]
fn gcc_agrees() {
    compare("-std=gnu17", CERTAIN.iter().map(|(sure, text)| (*sure, preprocessed(text))));
}

/// What C leaves undefined is left undecided (C11, 7.16.1.1, 2).
const UNDEFINED: &[(&str, &str)] = &[
    ("f(0)", "va_arg behind the last argument"),
    ("f(0, 1L)", "va_arg with another type than the argument's"),
    ("f(0, 1.0)", "va_arg with another type than the argument's"),
    ("f(0, (void *)0)", "va_arg with another type than the argument's"),
    ("f(0, -1u)", "va_arg as a type without this value"),
    ("({ f(0, 1); g(0); })", "va_arg with another type than the argument's"),
];

const READ: &str = "va_list kept; int f(int n, ...) { va_list ap; va_start(ap, n); va_copy(kept, ap); int r = va_arg(ap, int); va_end(ap); return r; }
int g(int n) { return va_arg(kept, int); }";

#[test]
fn undefined() {
    let program = |(call, reason): &(&str, &'static str)| {
        let text = format!("{READ} int main(void) {{ if ({call} == 1) reach_error(); return 0; }}");
        (preprocessed(&text), *reason)
    };
    let programs: Vec<(String, &str)> = UNDEFINED.iter().map(program).collect();
    expect(programs.iter().map(|(text, reason)| (text.as_str(), *reason, Externals::Any)));
}

#[test]
fn bounds() {
    let text = preprocessed(&format!("{READ} int main(void) {{ return f(0, 1) + f(0); }}"));
    let property =
        Property { checks: Checks::default().with(Check::Bounds), ..Property::default() };
    assert_eq!(answer_to(&text, Options::default(), property), "unsafe");
}
