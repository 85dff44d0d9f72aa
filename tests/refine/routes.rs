//! The route through Boolean programs: the same verdicts as an enumeration, recursion of any depth,
//! predicates that are given.

use hardbop_base::budget::Budget;
use hardbop_cfa::description::Description;
use hardbop_refine::model;
use hardbop_report::document::{AnsweredBy, AutomataOptions, Document, LimitOptions, Verdict};
use hardbop_report::statistics::Number;
use hardbop_report::trace::StepKind;
use hardbop_session::automata::answer;
use hardbop_smt::Terms;
use hardbop_verify::subject::abstraction;
use hardbop_verify::{Automata, Options, Route, check};
use serde_json::{Value, json};

use crate::support::automata::maker::random;

/// Units of work for a random program.
const WORK: u64 = 20_000;
const SEEDS: u64 = 120;

fn bp() -> Options {
    Options { route: Route::Bp, ..Options::default() }
}

/// Checks with these predicates.
fn decide(
    description: &Value,
    predicates: &str,
    mut options: Options,
    budget: &Budget,
) -> Document {
    let description: Description =
        serde_json::from_value(description.clone()).expect("a description");
    let mut terms = Terms::new();
    let described = description.program(&mut terms, budget).expect("it is a program");
    options.predicates =
        model::predicates(&mut terms, &described.program, predicates).expect("predicates");
    let subject = Automata::new(terms, &described.program);
    let mut report = check(subject, &options, budget, &mut ()).expect("the solvers work");
    let options = AutomataOptions { verify: options.clone(), limits: LimitOptions::default() };
    answer((&description, &described), &options, &mut report)
}

fn by_bp(description: &Value) -> Document {
    decide(description, "", bp(), &Budget::unlimited())
}

#[test]
fn random_programs_by_boolean_programs() {
    let (mut unknown, mut errors, mut safe) = (vec![], 0, 0);
    for seed in 0..SEEDS {
        let program = random(seed);
        let wanted = program.is_error_reachable();
        let text = program.json();
        let document = decide(&text, "", bp(), &Budget::unlimited().trial(WORK));
        match document.verdict {
            Verdict::Unknown => unknown.push((seed, document.reason)),
            verdict => {
                let shown = || serde_json::to_string_pretty(&text).expect("it can be written");
                assert_eq!(verdict == Verdict::Unsafe, wanted, "seed {seed}\n{}", shown());
                assert_eq!(document.trace.is_some(), wanted);
                if wanted { errors += 1 } else { safe += 1 }
            }
        }
    }
    assert!(unknown.len() < 6 && errors > 24 && safe > 24, "{errors} {safe} {unknown:?}");
}

/// `f` takes a lock, gives it back, and calls itself as often as it likes; `again` is what it does
/// before that.
fn locks(again: &Value) -> Value {
    json!({"globals": [{"name": "locked", "sort": "Bool"}], "functions": [
        {"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
            {"from": 0, "to": 1, "step": {"assign": [["locked", "false"]]}},
            {"from": 1, "to": 2, "step": {"call": {"function": "f"}}}]},
        {"name": "f", "locations": 5, "entry": 0, "exit": 4, "edges": [
            {"from": 0, "step": "error", "to": 4},
            {"from": 1, "to": 2, "step": {"assign": [["locked", "true"]]}},
            {"from": 2, "to": 3, "step": again},
            {"from": 3, "to": 4, "step": {"call": {"function": "f"}}},
            {"from": 3, "to": 4, "step": "skip"},
            {"from": 0, "to": 1, "step": {"assume": "(not locked)"}}]}]})
}

#[test]
fn recursion_of_any_depth() {
    let with_guard = |again: Value| {
        let mut program = locks(&again);
        let edges = program["functions"][1]["edges"].as_array_mut().expect("edges");
        // The error is behind a condition of its own.
        edges[0] = json!({"from": 0, "to": 5, "step": {"assume": "locked"}});
        edges.push(json!({"from": 5, "step": "error"}));
        program["functions"][1]["locations"] = json!(6);
        program
    };
    let safe = with_guard(json!({"assign": [["locked", "false"]]}));
    let tree = Options { route: Route::Tree, ..Options::default() };
    let document = decide(&safe, "", tree, &Budget::unlimited());
    assert_eq!(document.verdict, Verdict::Unknown);
    for options in [bp(), Options::default()] {
        let document = decide(&safe, "", options, &Budget::unlimited());
        assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
        assert!(document.answered_by == AnsweredBy::Bp);
    }
    let document = by_bp(&with_guard(json!("skip")));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    let trace = document.trace.expect("a trace");
    assert_eq!(trace.steps.last().map(|s| (s.kind, s.depth)), Some((StepKind::Error, 2)));
}

/// `main` calls itself with one less, and its parameter has any value at first.
#[test]
fn main_may_be_called() {
    let program = |error: &str| {
        json!({"globals": [{"name": "g", "sort": "(_ BitVec 8)"}], "functions": [
            {"name": "main", "parameters": [{"name": "n", "sort": "(_ BitVec 8)"}],
             "locals": [{"name": "l", "sort": "(_ BitVec 8)"}], "result": "l",
             "locations": 4, "entry": 0, "exit": 3, "edges": [
                {"from": 0, "to": 1, "step": {"assume": "(bvugt n #x05)"}},
                {"from": 1, "to": 3, "step": {"call": {"function": "main",
                    "arguments": ["(bvsub n #x01)"], "result": "l"}}},
                {"from": 0, "to": 2, "step": {"assume": error}},
                {"from": 2, "step": "error"}]}]})
    };
    let document = by_bp(&program("(= n #x04)"));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    let trace = document.trace.expect("a trace");
    assert!(trace.initial.iter().any(|v| v.name == "n"), "{:?}", trace.initial);
    let document = by_bp(&program("(and (= n #x07) (= g #x01) (= l #x02))"));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    let document = by_bp(&program("(and (bvugt n #x07) (bvult n #x03))"));
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
}

/// `f(n)` is n, for any n, by recursion.
fn identity() -> Value {
    let bits = "(_ BitVec 8)";
    json!({"globals": [{"name": "m", "sort": bits}, {"name": "x", "sort": bits}], "functions": [
        {"name": "main", "locations": 4, "entry": 0, "exit": 3, "edges": [
            {"from": 0, "to": 1, "step": {"call": {"function": "f", "arguments": ["m"], "result": "x"}}},
            {"from": 1, "to": 2, "step": {"assume": "(distinct x m)"}},
            {"from": 2, "step": "error"}]},
        {"name": "f", "parameters": [{"name": "n", "sort": bits}],
         "locals": [{"name": "r", "sort": bits}], "result": "r",
         "locations": 4, "entry": 0, "exit": 3, "edges": [
            {"from": 0, "to": 3, "step":
                {"relation": {"formula": "(and (= n #x00) (= r' n))", "changes": ["r"]}}},
            {"from": 0, "to": 1, "step": {"assume": "(distinct n #x00)"}},
            {"from": 1, "to": 2, "step": {"call":
                {"function": "f", "arguments": ["(bvsub n #x01)"], "result": "r"}}},
            {"from": 2, "to": 3, "step": {"assign": [["r", "(bvadd r #x01)"]]}}]}]})
}

const OF_IDENTITY: &str = "(= x m) ; of main\n(= |f::r| |f::n|) (= |f::r| (bvsub |f::n| #x01))";

#[test]
fn predicates_are_given() {
    let document = decide(&identity(), OF_IDENTITY, bp(), &Budget::unlimited());
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
    assert_eq!(document.statistics.and_then(|s| s.get("rounds")), Some(Number::Count(1)));
    let description: Description = serde_json::from_value(identity()).expect("a description");
    let (mut terms, budget) = (Terms::new(), Budget::unlimited());
    let described = description.program(&mut terms, &budget).expect("a program");
    let mut options = bp();
    options.predicates =
        model::predicates(&mut terms, &described.program, OF_IDENTITY).expect("predicates");
    let program = abstraction(&mut terms, &described.program, &options, &budget).expect("one");
    assert!(program.text().contains("decl {(= x m)}") || program.text().contains("decl {(= m x)}"));
    assert!(program.text().contains("bool<2> f("), "{}", program.text());
    for (text, wanted) in [
        ("(= x m)\n(= x y)", "predicates, 2:1: there is no variable 'y'"),
        ("(= x m", "predicates, 1:1: a '(' without a ')'"),
        ("x", "predicates, 1:1: it is a (_ BitVec 8), not a formula"),
    ] {
        let error = model::predicates(&mut terms, &described.program, text).expect_err("wrong");
        assert!(error.to_string().starts_with(wanted), "{error}");
    }
}

/// An edge that is several steps, and values that are only approximations.
#[test]
fn relations_and_approximations_by_boolean_programs() {
    let program = |origin: &str, error: &str| {
        json!({"globals": [{"name": "x", "sort": "(_ BitVec 8)"}, {"name": "y", "sort": "(_ BitVec 8)"}],
            "functions": [{"name": "main", "locations": 5, "entry": 0, "exit": 4, "edges": [
                {"from": 0, "to": 1, "step": {"havoc": {"variables": ["y", "x"], "origin": origin}}},
                {"from": 1, "to": 2, "step": {"relation":
                    {"formula": "(and (bvult x x') (= y' x))", "changes": ["x", "y"]}}},
                {"from": 2, "to": 3, "step": {"assume": error}},
                {"from": 3, "step": "error"}]}]})
    };
    let document = by_bp(&program("input", "(= (bvadd y #x07) x)"));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    assert_eq!(document.trace.expect("a trace").steps.len(), 4);
    let document = by_bp(&program("input", "(bvule x y)"));
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
    let document = by_bp(&program("approximation", "(= y #x07)"));
    assert_eq!(document.verdict, Verdict::Unknown);
    assert!(document.reason.is_some_and(|r| r.message.contains("edge 0 of 'main'")));
}
