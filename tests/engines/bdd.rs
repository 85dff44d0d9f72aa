//! The BDD engine: deep traces, limits, and orders of variables.

use std::fmt::Write as _;

use hardbop_base::budget::Budget;
use hardbop_bp::engine::{Engine, Options, Silent, Statistics, VariableOrder, check};
use hardbop_bp::language::interpret::replay;
use hardbop_bp::proof::{Outcome, UnknownReason};
use hardbop_lab::generate::{DriverOptions, driver};

fn bdd(plain: bool) -> Options {
    Options { engine: Engine::Bdd, plain, ..Options::default() }
}

/// Steps of the replayed trace; `None` is SAFE.
fn steps(text: &str, options: &Options) -> (Option<usize>, Statistics) {
    let program = crate::support::program(text);
    let report = check(&program, options, &Budget::unlimited(), &mut Silent)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let length = match report.outcome {
        Outcome::Safe(_) => None,
        Outcome::Unsafe(trace) => {
            replay(&program, &trace).unwrap_or_else(|e| panic!("{e}\n{text}"));
            Some(trace.steps.len())
        }
        Outcome::Unknown(reason) => panic!("UNKNOWN ({reason})\n{text}"),
    };
    (length, report.statistics)
}

/// `c0, ..., c(bits-1)`, and their increment.
fn counter(bits: usize) -> (String, String) {
    let names: Vec<String> = (0..bits).map(|i| format!("c{i}")).collect();
    let sums = (0..bits).map(|i| match i {
        0 => "!c0".to_string(),
        _ => format!("c{i} ^ ({})", names[..i].join(" & ")),
    });
    let sums: Vec<String> = sums.collect();
    let all = names.join(", ");
    (all.clone(), format!("{all} := {}", sums.join(", ")))
}

#[test]
fn a_counter_of_4096_steps() {
    let (names, increment) = counter(12);
    let zeros = ["F"; 12].join(", ");
    let ones = names.replace(", ", " & ");
    let text = format!(
        "decl {names};
         void main() begin {names} := {zeros}; while (*) do {increment}; od; assert(!({ones})); end"
    );
    let (length, statistics) = steps(&text, &bdd(true));
    assert!(length.is_some_and(|n| n > 4095), "{length:?}");
    // One ring per value: the frontier is what is new, and nothing else is expanded.
    assert!(statistics.path_edges <= 4096 + 4, "{statistics:?}");
}

#[test]
fn recursion_of_depth_1023() {
    // The counter is counted up on the way down, and back on the way up.
    let (names, increment) = counter(10);
    let zeros = ["F"; 10].join(", ");
    let ones = names.replace(", ", " & ");
    let text = format!(
        "decl {names}, up;
         void main() begin {names}, up := {zeros}, F; f(); assert(!up); end
         void f() begin if ({ones}) then up := T; else {increment}; f(); fi; end"
    );
    let (length, _) = steps(&text, &bdd(true));
    assert!(length.is_some_and(|n| n > 2 * 1023), "{length:?}");
    let (length, _) = steps(&text.replace("up := T", "up := F"), &bdd(true));
    assert_eq!(length, None);
}

#[test]
fn a_callee_met_again_after_its_summaries() {
    // The second call asks nothing new of the callee.
    let text = "decl g;
        void main() begin g := f(*); g := f(*); assert(g); end
        bool f(p) begin return p; end";
    assert!(steps(text, &bdd(true)).0.is_some());
}

#[test]
fn errors_inside_callees_and_unused_values() {
    let text = "decl g, h;
        void main() begin g := *; h := g; a(g, *); end
        void a(x, y) begin if (x) then b(y, h); fi; end
        void b(x, y) begin assert(CHECK); end";
    assert!(steps(&text.replace("CHECK", "!x | !y"), &bdd(true)).0.is_some());
    assert!(steps(&text.replace("CHECK", "y"), &bdd(true)).0.is_none());
}

#[test]
fn orders_agree_on_drivers() {
    for (seed, bug) in [(1, false), (2, true), (3, false), (4, true)] {
        let options = DriverOptions { vars: 16, procs: 5, depth: 4, statements: 10, seed, bug };
        let text = driver(&options).expect("a driver of that size");
        for plain in [false, true] {
            for bdd_order in
                [VariableOrder::Dependency, VariableOrder::DepthFirst, VariableOrder::Declaration]
            {
                let options = Options { bdd_order, ..bdd(plain) };
                assert_eq!(steps(&text, &options).0.is_some(), bug, "{options:?}\n{text}");
            }
        }
    }
}

/// `2n` variables, the first half of which always equals the second: in the order of declaration, a
/// BDD of more than 2^n nodes.
fn pairs(n: usize) -> String {
    let mut text = String::from("decl ");
    let list = |prefix: &str| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
    let _ = write!(text, "{}, {}, ok;\nvoid main() begin ok := T; ", list("a"), list("b"));
    let _ = write!(text, "{} := {}; while (*) do ", list("b"), list("a"));
    for i in 0..n {
        let _ = write!(text, "if (*) then a{i}, b{i} := !a{i}, !b{i}; fi; ");
    }
    let equal: Vec<String> = (0..n).map(|i| format!("(a{i} = b{i})")).collect();
    let _ = write!(text, "od; assert({}); end", equal.join(" & "));
    text
}

#[test]
fn memory_ceilings_end_in_unknown() {
    let program = crate::support::program(&pairs(24));
    // Room for two million nodes.
    let budget = Budget::unlimited().with_memory_limit(96 << 20);
    let options = Options { bdd_order: VariableOrder::Declaration, ..bdd(true) };
    let report = check(&program, &options, &budget, &mut Silent).expect("no error");
    let Outcome::Unknown(reason) = report.outcome else { panic!("{:?}", report.outcome) };
    assert_eq!(reason, UnknownReason::Memory);
}

#[test]
fn the_order_by_dependency_finds_pairs() {
    let (length, statistics) = steps(&pairs(24), &bdd(true));
    assert_eq!(length, None);
    assert!(statistics.bdd_nodes < 100_000, "{statistics:?}");
    assert_eq!(statistics.bdd_tables, 0);
}

#[test]
fn a_larger_table_where_the_first_is_too_small() {
    // 2^18 nodes, as declared.
    let copies = pairs(18);
    let (before, rest) = copies.split_once("while").expect("a loop");
    let (_, after) = rest.split_once("od;").expect("its end");
    let text = format!("{before} while (*) do skip; od; {after}");
    let options = Options { bdd_order: VariableOrder::Declaration, ..bdd(true) };
    let (length, statistics) = steps(&text, &options);
    assert_eq!(length, None);
    assert!(statistics.bdd_tables > 0, "{statistics:?}");
}
