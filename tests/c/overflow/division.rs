//! Divisions by zero (C11, 6.5.5 p. 5): verdicts for fixed bodies, and for random expressions of two small
//! inputs, judged by computing them for all inputs; gcc's sanitizer stops the harness of each error.

use std::time::Duration;

use hardbop_base::errors::{Check, Checks};
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::harness::DIVISION_OPTIONS;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse, read_for_check};
use hardbop_verify::Options;

use crate::accesses::is_stopped;
use crate::support::c::{analysis_only, decide};

const HEAD: &str = "extern int nondet_int(void); extern unsigned nondet_uint(void);
extern _Bool nondet_bool(void); extern signed char nondet_char(void);\n";

const BODIES: &[(&str, &str)] = &[
    ("unsafe", "int x = nondet_int(); return 7 / x;"),
    ("safe", "int x = nondet_int(); return x ? 7 / x : 0;"),
    ("unsafe", "unsigned x = nondet_uint(); return 7 % (x & 3);"),
    ("safe", "unsigned x = nondet_uint(); return 7 % (x & 3 | 4);"),
    ("unsafe", "int x = nondet_int(); x /= x - 5; return x;"),
    ("safe", "int x = nondet_int(); if (x != 5) x /= x - 5; return x;"),
    ("unsafe", "int x = nondet_int(); x %= (signed char)x; return x;"),
    ("safe", "int x = nondet_char(); return 1 / (x * 2 + 1);"),
    // Nobody asks for the value.
    ("unsafe", "int x = nondet_int(); 1 / x; return 0;"),
    ("unsafe", "int z = 0; return nondet_int() / z;"),
    ("safe", "int z = 0; return sizeof(1 / z);"),
    ("unsafe", "_Bool b = nondet_bool(); return b || 1 / b;"),
    ("safe", "_Bool b = nondet_bool(); return b && 1 / b;"),
    // What wraps around is 0.
    ("unsafe", "unsigned x = nondet_uint(); return 1 / (x * 65536u + 65536u);"),
    // IEEE 754 defines these.
    ("safe", "double x = nondet_int(); return 1 / x > 3;"),
    ("unsafe", "int a[3] = {1, 2, 0}, i = nondet_int(); return i >= 0 && i < 3 && 9 / a[i];"),
    ("safe", "int a[3] = {1, 2, 0}, i = nondet_int(); return i >= 0 && i < 2 && 9 / a[i];"),
];

fn verdict(body: &str, options: &Options) -> (&'static str, String) {
    let text = format!("{HEAD}int main(void) {{ {body} }}\n");
    let property = Property { checks: Checks::of(&[Check::Division]), ..Property::nothing() };
    let reading = ParseOptions { property, ..ParseOptions::default() };
    let flow = on_large_stack(|| parse(Source::new("p.c", &*text), &reading)).expect("a thread");
    let flow = flow.unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    decide(&flow, options, Duration::from_secs(60))
}

#[test]
fn divisions_by_zero_are_found_or_excluded() {
    for (expected, body) in BODIES {
        for options in [analysis_only(), Options::default()] {
            let (found, more) = verdict(body, &options);
            assert_eq!(found, *expected, "{body}: {more}");
            let is_seen = found != "unsafe" || is_stopped(&more, DIVISION_OPTIONS) != Some(false);
            // gcc computes nothing that nobody asks for.
            assert!(is_seen || body.contains("; 1 / x;"), "{body}\n{more}");
        }
    }
}

/// A random expression of `x` and `y`, and its value; `None` where it divides by zero.
fn expression(random: &mut Random, depth: u32, at: (i64, i64), text: &mut String) -> Option<i64> {
    if depth == 0 || random.below(5) == 0 {
        let (name, value) = match random.below(3) {
            0 => ("x".to_owned(), at.0),
            1 => ("y".to_owned(), at.1),
            _ => {
                let n = random.below(4) as i64;
                (n.to_string(), n)
            }
        };
        text.push_str(&name);
        return Some(value);
    }
    let op = ["+", "-", "/", "%", "/", "&&", "?"][random.below(7)];
    text.push('(');
    let left = expression(random, depth - 1, at, text);
    text.push_str(&format!(" {op} "));
    let right = expression(random, depth - 1, at, text);
    if op == "?" {
        text.push_str(" : 1)");
        return left.and_then(|l| if l == 0 { Some(1) } else { right });
    }
    text.push(')');
    let left = left?;
    if op == "&&" {
        return if left == 0 { Some(0) } else { right.map(|r| i64::from(r != 0)) };
    }
    let right = right?;
    match op {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "/" => left.checked_div(right),
        _ => left.checked_rem(right),
    }
}

#[test]
fn random_expressions_divide_as_they_compute() {
    let mut counts = [0; 2];
    for seed in 0..60 {
        let mut text = String::new();
        let fails = (0..16).any(|i| {
            text.clear();
            let mut random = Random::new(seed);
            expression(&mut random, 3, (i / 4 - 2, i % 4), &mut text).is_none()
        });
        let body = format!(
            "int x = (int)(nondet_uint() & 3) - 2, y = nondet_uint() & 3; int z = {text}; return z;"
        );
        let (found, more) = verdict(&body, &Options::default());
        assert_eq!(found, if fails { "unsafe" } else { "safe" }, "{body}: {more}");
        counts[usize::from(fails)] += 1;
    }
    assert!(counts.iter().all(|&n| n > 5), "{counts:?}");
}

/// What is asked where nothing in the text is an error, and what is not where something is.
#[test]
fn a_program_that_states_no_error_is_asked_for_what_is_undefined() {
    let asked = |text: &str, property: Property| {
        let source = Source::new("p.c", format!("{HEAD}extern void reach_error(void);\n{text}"));
        let mut options = ParseOptions { property, ..ParseOptions::default() };
        let flow = read_for_check(&mut options, |o| parse(source.clone(), o)).expect("C");
        let is_said = flow.warnings.iter().any(|w| w.message.contains("states no error itself"));
        (options.property.checks, is_said)
    };
    let plain = "int main(void) { return 1 / nondet_int(); }";
    assert_eq!(asked(plain, Property::default()), (Checks::undefined(), true));
    let none = "int main(void) { return 0; }";
    assert_eq!(asked(none, Property::default()), (Checks::undefined(), true));
    let stated = "int main(void) { if (nondet_int()) reach_error(); return 0; }";
    assert_eq!(asked(stated, Property::default()), (Checks::default(), false));
    for property in [
        Property { error_labels: vec!["BAD".to_owned()], ..Property::default() },
        Property { error_functions: vec!["bad".to_owned()], ..Property::default() },
        Property { acsl: true, ..Property::default() },
        Property { checks: Checks::of(&[Check::Null]), ..Property::default() },
    ] {
        assert_eq!(asked(plain, property.clone()), (property.checks, false));
    }
}
