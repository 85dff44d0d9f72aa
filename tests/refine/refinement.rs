//! Where predicates come from, and what an error path says of memory: on programs whose verdicts
//! are known by construction.

use std::fmt::Write as _;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_refine::cegar::{Algorithm, PredicateSource, RefinementStatistics, TreeStatistics};
use hardbop_verify::{CProgram, Options, Outcome, Route, check};

use crate::support::c::analysis_only;

fn options(refinement: PredicateSource) -> Options {
    let mut options = analysis_only();
    options.analysis.refinement = refinement;
    options
}

/// What comes of a program, with the statistics of the analysis.
fn run(text: &str, options: &Options) -> (&'static str, RefinementStatistics<TreeStatistics>) {
    let text = format!("void __VERIFIER_error(void);\nint __VERIFIER_nondet_int(void);\n{text}");
    on_large_stack(|| {
        let flow =
            parse(Source::new("program.c", text), &ParseOptions::default()).expect("legal C");
        let budget = Budget::unlimited().with_time_limit(Duration::from_secs(60));
        let report =
            check(CProgram::new(&flow), options, &budget, &mut ()).expect("no mistake of ours");
        let verdict = match &report.outcome {
            Outcome::Safe(_) => "safe",
            Outcome::Unsafe(execution) => {
                assert!(execution.reaches_error());
                "unsafe"
            }
            Outcome::Unknown(reason) => {
                println!("{reason}");
                "unknown"
            }
        };
        (verdict, report.statistics)
    })
    .expect("a thread")
}

/// A machine that goes through states in order, however long it stays in each; with a bug, one
/// state forgets to count.
fn machine(states: u32, bug: bool) -> String {
    let mut text = String::from("int main(void) { int state = 100, flag = 0;\nwhile (1) {\n");
    for s in 0..states {
        let (here, next) = (100 + s, 100 + s + 1);
        let count = if bug && s == 3 { "" } else { "flag = flag + 1; " };
        let _ = writeln!(
            text,
            "if (state == {here}) {{ if (flag != {s}) __VERIFIER_error(); \
             if (__VERIFIER_nondet_int() > 0) {{ {count}state = {next}; }} }} else"
        );
    }
    text + "return 0;\n} }\n"
}

#[test]
fn states_of_a_machine_are_selected_from_the_text() {
    let (verdict, statistics) = run(&machine(7, false), &options(PredicateSource::Auto));
    assert_eq!(verdict, "safe");
    assert!(statistics.selections > 0);
    assert_eq!(statistics.interpolation.paths, 0, "nothing but constants of the text is needed");
    let (verdict, _) = run(&machine(7, true), &options(PredicateSource::Auto));
    assert_eq!(verdict, "unsafe");
    let (verdict, statistics) = run(&machine(4, false), &options(PredicateSource::Interpolants));
    assert_eq!((verdict, statistics.selections), ("safe", 0));
}

#[test]
fn relations_between_variables_are_found() {
    let loops = [
        "int main(void) { int n = __VERIFIER_nondet_int(), x = n, y = 0; if (n < 0) return 0; \
         while (x > 0) { x--; y++; } if (y != n) __VERIFIER_error(); return 0; }",
        "int main(void) { unsigned i = 0, j = 0; while (__VERIFIER_nondet_int()) { i += 2; j += 1; } \
         if (i != j + j) __VERIFIER_error(); return 0; }",
        "int main(void) { int a = 0, b = 0; while (__VERIFIER_nondet_int()) { a++; b++; } \
         while (__VERIFIER_nondet_int()) { a--; b--; } if (a != b) __VERIFIER_error(); return 0; }",
    ];
    for text in loops {
        let (verdict, _) = run(text, &options(PredicateSource::Auto));
        assert_eq!(verdict, "safe", "{text}");
        let wrong = text.replace("!=", "==");
        assert_eq!(run(&wrong, &options(PredicateSource::Auto)).0, "unsafe", "{wrong}");
    }
}

#[test]
fn affine_relations_between_counters_are_found() {
    // A distance to a multiple; sums that branches have in common; every second round; loops one
    // after another.
    let loops = [
        "int main(void) { int low = 0, mid = __VERIFIER_nondet_int(), high; \
         if (mid <= 0 || mid > 1000000) return 0; high = 2 * mid; \
         while (mid > 0) { low++; high--; mid--; } if (low != high) __VERIFIER_error(); return 0; }",
        "int main(void) { int i = 0, a = 0, b = 0, n = __VERIFIER_nondet_int(); \
         if (n < 0 || n > 1000000) return 0; \
         while (i < n) { if (__VERIFIER_nondet_int()) { a++; b += 2; } else { a += 2; b++; } i++; } \
         if (a + b != 3 * n) __VERIFIER_error(); return 0; }",
        "int main(void) { int i, n = 0, k = __VERIFIER_nondet_int(); \
         if (k < 0 || k > 1000000) return 0; \
         for (i = 0; i < 2 * k; i++) if (i % 2 == 0) n++; \
         if (n != k) __VERIFIER_error(); return 0; }",
        "int main(void) { unsigned n = __VERIFIER_nondet_int(), x = n, y = 0, z = 0; \
         while (x > 0) { x--; y++; z += 3; } while (y > 0) { y--; x += 2; z -= 3; } \
         if (x != 2 * n || z) __VERIFIER_error(); return 0; }",
    ];
    for text in loops {
        let (verdict, _) = run(text, &options(PredicateSource::Auto));
        assert_eq!(verdict, "safe", "{text}");
        let wrong = text.replacen("!=", "==", 1);
        assert_eq!(run(&wrong, &options(PredicateSource::Auto)).0, "unsafe", "{wrong}");
    }
}

#[test]
fn error_paths_know_the_first_values_of_memory() {
    let program = |condition: &str| {
        format!(
            "void *malloc(unsigned); void *calloc(unsigned, unsigned);\n\
             struct p {{ int a, b; }}; extern int outside;\n\
             int f(int n) {{ struct p x; return x.b == 7 && x.a == n; }}\n\
             int main(int argc, char **argv) {{\n\
             struct p *q = malloc(sizeof *q), *r = calloc(1, sizeof *r), *t = malloc(8);\n\
             if ({condition}) __VERIFIER_error(); return 0; }}"
        )
    };
    let reached = [
        "f(3) && !f(4) && f(5)",
        "q->b == 12 && r->a == 0 && t->a == 19 && q->a == -1",
        "outside == 77 && argc == 3",
    ];
    for condition in reached {
        assert_eq!(run(&program(condition), &analysis_only()).0, "unsafe", "{condition}");
    }
    for condition in ["r->a != 0", "q->b == 12 && q->b == 13", "f(3) && r->b"] {
        assert_eq!(run(&program(condition), &analysis_only()).0, "safe", "{condition}");
    }
}

#[test]
fn fields_behind_an_array_are_where_they_are() {
    let text = "struct inner { char text[200]; int state; };\n\
                struct outer { int before; struct inner tmp; };\n\
                void *malloc(unsigned);\n\
                int main(void) { struct outer *p = malloc(sizeof *p); p->tmp.state = 5; \
                p->before = 9; if (p->tmp.state != 5) __VERIFIER_error(); return 0; }";
    assert_eq!(run(text, &analysis_only()).0, "safe");
}

#[test]
fn executions_come_first() {
    let text = "int main(void) { int x = 0; for (int i = 0; i < 5000; i++) x += i & 3; \
                if (x == 7500) __VERIFIER_error(); return 0; }";
    let options = Options { executions: 1, ..analysis_only() };
    let (verdict, statistics) = run(text, &options);
    assert_eq!((verdict, statistics.model.nodes_made), ("unsafe", 0));
    // What they do not reach is not safe for that.
    let rare = "int main(void) { if ((__VERIFIER_nondet_int() ^ 0x5a5a5a5a) == 123456789) __VERIFIER_error(); }";
    let mut options = Options { executions: 3, ..analysis_only() };
    options.route_limits.questions = 0;
    let (verdict, statistics) = run(rare, &options);
    assert_eq!(verdict, "unsafe");
    assert!(statistics.model.nodes_made > 0);
}

/// Few states need no predicates; the arithmetic in these would be hard for them.
#[test]
fn few_states_are_enumerated() {
    let enumerate = |most: u64| {
        let mut options = options(PredicateSource::Auto);
        options.analysis.explicit_states = most;
        options.analysis.limits.values.steps = 0;
        options
    };
    let text = "int main(void) { int n = __VERIFIER_nondet_int(), i, s = 0, p = 1; \
                if (n < 2 || n > 9) return 0; \
                for (i = 1; i <= n; i++) { s = s + i * i; p = p * i % 1009; } \
                if (6 * s != n * (n + 1) * (2 * n + 1)) __VERIFIER_error(); \
                if (n == 7 && p != 5040 % 1009) __VERIFIER_error(); return 0; }";
    let (verdict, statistics) = run(text, &enumerate(2000));
    assert_eq!((verdict, statistics.refinements, statistics.model.tree_nodes), ("safe", 0, 0));
    // 2 + ... + 9 states at the head of the loop and one more for each n, the entry, and those
    // before.
    assert!(
        (8..200).contains(&statistics.model.explicit_states),
        "{}",
        statistics.model.explicit_states
    );
    let wrong = text.replace("n == 7 && p !=", "n == 8 && p ==");
    assert_eq!(run(&wrong, &enumerate(2000)).0, "safe", "8! is another number");
    let wrong = text.replace("p != 5040", "p == 5040");
    assert_eq!(run(&wrong, &enumerate(2000)).0, "unsafe");

    // An input that is kept has too many values, and is left out.
    let text = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; \
                while (__VERIFIER_nondet_int()) { if (i < 3) i++; } \
                if (i > 3 || n != n + 0 * i) __VERIFIER_error(); \
                while (n > 0) n--; if (n > 0) __VERIFIER_error(); return 0; }";
    let (verdict, statistics) = run(text, &enumerate(2000));
    assert_eq!(verdict, "safe");
    assert!(statistics.model.tree_nodes == 0 && statistics.model.explicit_states < 50);
    let (verdict, statistics) = run(text, &enumerate(3));
    assert_eq!(verdict, "safe");
    assert!(statistics.model.explicit_states <= 4 && statistics.model.tree_nodes > 0);
}

/// Calls are followed as deep as executions go, and no deeper.
#[test]
fn recursion_is_followed_where_it_goes_deep() {
    let programs = [
        "int down(int n) { if (n <= 0) return 0; return down(n - 1) + 1; } \
         int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 20) return 0; \
         if (down(n) != n) __VERIFIER_error(); return 0; }",
        "int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); } \
         int main(void) { if (fib(7) != 13) __VERIFIER_error(); return 0; }",
        "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } \
         int odd(int n) { return n == 0 ? 0 : even(n - 1); } \
         int main(void) { int i; for (i = 0; i < 14; i += 2) if (even(i) != 1) __VERIFIER_error(); \
         return 0; }",
    ];
    for text in programs {
        for most in [0, 2000] {
            let mut options = Options { route: Route::Tree, ..analysis_only() };
            options.analysis.explicit_states = most;
            assert_eq!(run(text, &options).0, "safe", "{text}");
            let wrong = text.replace("!=", "==");
            assert_eq!(run(&wrong, &options).0, "unsafe", "{wrong}");
            options.recursion = Some(3);
            assert_eq!(run(text, &options).0, "unknown", "{text}");
        }
    }
}

/// A variable that nobody reads any more does not keep an execution from being followed.
#[test]
fn dead_variables_do_not_matter() {
    let text = "int main(void) { int t = __VERIFIER_nondet_int(), m = 0; \
                while (__VERIFIER_nondet_int()) t = t + 1; \
                if (t == 5) t = 0; else t = 7; if (t == 0) m = 1; \
                if (m == 1) __VERIFIER_error(); return 0; }";
    assert_eq!(run(text, &analysis_only()).0, "unsafe");
    let safe = text.replace("else t = 7", "else t = 7; t = t + 1");
    assert_eq!(run(&safe, &analysis_only()).0, "safe");
}

/// A solver that names no reason for a contradiction between floating-point numbers has not found
/// one without a reason.
#[test]
fn interpolants_of_floating_point_numbers() {
    let text = "int main(void) { double f = 0; int k; unsigned char st = 6;
        for (k = 0; k < 1; k++) { if (st == 7) f = f + 0.5; st--; }
        if (f != 0.0) __VERIFIER_error(); return 0; }";
    let impact = [Algorithm::Impact, Algorithm::ImpactAbstract, Algorithm::ImpactOriginal];
    for algorithm in [Algorithm::Auto].into_iter().chain(impact) {
        let mut options = options(PredicateSource::Interpolants);
        options.analysis.algorithm = algorithm;
        assert_ne!(run(text, &options).0, "unsafe", "{algorithm:?}");
        assert_eq!(run(&text.replace("!=", "=="), &options).0, "unsafe", "{algorithm:?}");
    }
}
