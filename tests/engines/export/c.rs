//! C programs as Horn clauses, decided by Z3's Spacer.

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_cfa::expand::ExpansionLimits;
use hardbop_refine::block::{Blocks, HornError, Problem, horn_clauses};
use hardbop_verify::{CProgram, Options, Reduction, Subject, automaton};

use crate::support::spacer;

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void); extern _Bool __VERIFIER_nondet_bool(void);\n";

/// Bodies with whether they are safe; the numbers are known by construction.
const PROGRAMS: &[(&str, bool)] = &[
    ("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 4 && x < 3) reach_error(); }", true),
    ("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 4 && x < 6) reach_error(); }", false),
    // Numbers wrap around.
    ("int main(void) { int x = __VERIFIER_nondet_int(); if (x > 0 && x + 1 < 0) reach_error(); }", false),
    ("int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x / 2 > 2147483647u) reach_error(); }", true),
    ("int held; void lock(void) { if (held) reach_error(); held = 1; }
      void unlock(void) { if (!held) reach_error(); held = 0; }
      int main(void) { while (__VERIFIER_nondet_bool()) { lock(); unlock(); } return 0; }", true),
    ("int held; void lock(void) { if (held) reach_error(); held = 1; }
      void unlock(void) { if (!held) reach_error(); held = 0; }
      int main(void) { while (__VERIFIER_nondet_bool()) { lock(); if (__VERIFIER_nondet_bool()) unlock(); } return 0; }", false),
    ("int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) { i = i == 7 ? 0 : i + 1; } if (i > 7) reach_error(); }", true),
    ("int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) { i = i == 7 ? 0 : i + 1; } if (i > 6) reach_error(); }", false),
    ("int main(void) { int even = 0; while (__VERIFIER_nondet_bool()) even = !even; if (even > 1) reach_error(); }", true),
    ("int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 5; if (a[i] != 5) reach_error(); }", true),
    ("int a[4]; int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 5; if (a[2] == 5) reach_error(); }", false),
    ("struct s { char c; int n; } x; int main(void) { struct s *p = &x; p->n = -1; x.c = (char)p->n; if (x.c != -1) reach_error(); }", true),
    ("int main(void) { signed char c = (signed char)__VERIFIER_nondet_int(); if (c < -128 || c > 127) reach_error(); }", true),
    ("int main(void) { unsigned s = 0; for (int k = 0; k < 5; k++) s += 3; if (s == 15) reach_error(); }", false),
    ("int main(void) { unsigned s = 0; for (int k = 0; k < 5; k++) s += 3; if (s != 15) reach_error(); }", true),
];

fn clauses(text: &str) -> Result<String, HornError> {
    let work = || {
        let source = Source::new("a.c", text);
        let flow = parse(source, &ParseOptions::default()).expect("it is C");
        let budget = Budget::unlimited();
        let prepared = CProgram::new(&flow).prepare(&Options::default(), &budget);
        let mut prepared = prepared.expect("it can be lowered");
        let terms = &mut prepared.terms;
        let mut reduction = Reduction::default();
        let limits = ExpansionLimits::default();
        let automaton = automaton(terms, &prepared.program, &limits, &budget, &mut reduction);
        let mut problem = Problem::new(automaton.expect("it is small"), Blocks::default());
        horn_clauses(terms, &mut problem)
    };
    on_large_stack(work).expect("a thread")
}

#[test]
fn spacer_agrees_about_c_programs() {
    let texts: Vec<String> = PROGRAMS
        .iter()
        .map(|(text, _)| clauses(&format!("{HEAD}{text}")).expect("there are clauses"))
        .collect();
    let Some(answers) = spacer::answers(&texts) else { return };
    for ((answer, (text, is_safe)), clauses) in answers.iter().zip(PROGRAMS).zip(&texts) {
        assert_eq!(answer, if *is_safe { "sat" } else { "unsat" }, "{text}\n{clauses}");
        assert!(
            clauses.starts_with("; sat: no error can be reached; unsat: one can\n"),
            "{clauses}"
        );
    }
}

#[test]
fn what_has_no_form_is_refused_or_said() {
    let floats =
        "int main(void) { double x = __VERIFIER_nondet_int(); if (x * 0.5 > 7) reach_error(); }";
    assert_eq!(clauses(&format!("{HEAD}{floats}")), Err(HornError::Floats));
    let deep = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { if (f(__VERIFIER_nondet_int())) reach_error(); }";
    let text = clauses(&format!("{HEAD}{deep}")).expect("there are clauses");
    let first = text.lines().next().unwrap_or_default();
    assert!(first.ends_with("or a call that is not followed"), "{first}");
}
