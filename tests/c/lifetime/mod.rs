//! Blocks of the heap and variables that end, and values that were never written: verdicts for pairs of programs, one with
//! an error and one without.  gcc's address sanitizer, valgrind and, for values, the rules of C say which is which.

use std::time::Duration;

use hardbop_base::errors::{Check, Checks};
use hardbop_c::flow::Violation;
use hardbop_verify::Options;

use crate::support::c::{analysis_only, checked, decide};

mod ended;
mod ends;
mod freed;
mod values;

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);
void *realloc(void *, size_t); void free(void *); void *alloca(size_t); void exit(int); void abort(void);
void *memcpy(void *, const void *, size_t); void *memset(void *, int, size_t); int printf(const char *, ...);
char *strcpy(char *, const char *); size_t strlen(const char *); int atexit(void (*)(void));
extern int nondet_int(void);\n";

/// What a check says of a program, by the analysis alone and together with all other ways.
fn judge(check: Check, programs: &[(&str, &str)]) {
    judge_by(check, &[analysis_only(), Options::default()], programs);
}

/// The same in these ways.
fn judge_by(check: Check, ways: &[Options], programs: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (expected, text) in programs {
        let text = format!("{HEAD}{text}\n");
        let flow = checked(&text, &[check]);
        let errors = || flow.functions.iter().filter_map(|f| f.body.as_ref());
        let errors = errors().flat_map(|body| &body.edges).filter_map(|e| match e.instruction {
            hardbop_c::flow::Instruction::Error(Violation::Of(kind)) => Some(kind.row().checks),
            _ => None,
        });
        assert!(errors.clone().all(|of| of.contains(&check)), "{text}");
        for options in ways {
            let (found, more) = decide(&flow, options, Duration::from_secs(60));
            if found != *expected {
                wrong.push(format!("{found}, not {expected}: {text}\n{more}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_of_accesses_do_not_ask_for_leaks_and_values() {
    let kinds = [Check::Cleanup, Check::Leak, Check::Uninitialised];
    for group in ["memory", "undefined"] {
        let checks = Checks::of_list(group).expect("a group");
        assert!(kinds.iter().all(|&kind| !checks.has(kind)), "{group}");
    }
    assert_eq!(Checks::of_list("leaks"), Ok(Checks::of(&[Check::Leak, Check::Cleanup])));
}
