//! Descriptions of control-flow automata: verdicts, traces and invariants of programs with known
//! answers; random programs against an enumeration of all states; malformed descriptions.

use crate::support::automata::maker::random;
use hardbop_base::budget::Budget;
use hardbop_cfa::description::{Description, DescriptionErrors};
use hardbop_refine::cegar::{Algorithm, AnalysisOptions, Order};
use hardbop_report::document::{AutomataOptions, Document, LimitOptions, Verdict};
use hardbop_report::trace::StepKind;
use hardbop_session::automata::answer;
use hardbop_smt::Terms;
use hardbop_verify::{Automata, Options, Route, check};
use serde_json::{Value, json};

fn decide_with(description: &Value, options: &Options) -> Document {
    decide_within(description, options, &Budget::unlimited())
}

fn decide_within(description: &Value, options: &Options, budget: &Budget) -> Document {
    let description: Description =
        serde_json::from_value(description.clone()).expect("a description");
    let mut terms = Terms::new();
    let described = description
        .program(&mut terms, budget)
        .unwrap_or_else(|e| panic!("{e}\n{}", serde_json::to_string(&description).unwrap()));
    let subject = Automata::new(terms, &described.program);
    let mut report = check(subject, options, budget, &mut ()).expect("the solvers work");
    let options = AutomataOptions { verify: options.clone(), limits: LimitOptions::default() };
    answer((&description, &described), &options, &mut report)
}

fn decide(description: &Value) -> Document {
    decide_with(description, &Options::default())
}

/// One function, of these edges over the locations 0 to 9; it ends at 9.
fn main_of(globals: Value, edges: Value) -> Value {
    json!({"globals": globals, "functions": [
        {"name": "main", "locations": 10, "entry": 0, "exit": 9, "edges": edges}]})
}

/// Counts up to `bound` in steps of 2; error where the counter is `bad` at the end.
fn counter(bad: &str) -> Value {
    main_of(
        json!([{"name": "i", "sort": "(_ BitVec 16)"}]),
        json!([
            {"from": 0, "to": 1, "step": {"assign": [["i", "#x0000"]]}},
            {"from": 1, "to": 2, "step": {"assume": "(bvult i #x0064)"}, "text": "i < 100", "line": 7},
            {"from": 2, "to": 1, "step": {"assign": [["i", "(bvadd i #x0002)"]]}},
            {"from": 1, "to": 3, "step": {"assume": "(not (bvult i #x0064))"}},
            {"from": 3, "to": 9, "step": {"assume": format!("(distinct i {bad})")}},
            {"from": 3, "step": "error", "text": "assert"},
        ]),
    )
}

#[test]
fn loops() {
    let mut safe = counter("#x0064");
    safe["functions"][0]["edges"][5]["from"] = json!(4);
    safe["functions"][0]["edges"][4]["to"] = json!(4);
    let document = decide(&safe);
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
    assert!(document.trace.is_none());
    let head = document
        .invariants
        .iter()
        .find(|i| i.location.as_deref() == Some("1"))
        .expect("a loop head");
    let formula = head.formula.as_deref().expect("it is short");
    assert!(formula.contains('i') && head.calls.is_empty(), "{formula}");

    let document = decide(&counter("#x0064"));
    assert_eq!(document.verdict, Verdict::Unsafe);
    let trace = document.trace.expect("a trace");
    assert_eq!(trace.steps.len(), 1 + 50 * 2 + 1 + 1);
    let last = trace.steps.last().expect("steps");
    assert_eq!((last.kind, last.edge), (StepKind::Error, Some(5)));
    assert_eq!(last.text, "assert");
    assert_eq!((trace.steps[1].line, trace.steps[1].edge), (Some(7), Some(1)));
    assert_eq!(trace.steps[2].changed[0].value, "#x0002");
}

#[test]
fn predicates_are_found_where_states_are_many() {
    let options = |description: &Value| {
        let mut options = Options::default();
        options.analysis.explicit_states = 0;
        decide_with(description, &options)
    };
    // x and y start equal and stay so.
    let edges = |last: &str| {
        json!([
            {"from": 0, "to": 1, "step": {"assume": "(= x y)"}},
            {"from": 1, "to": 1, "step":
                {"assign": [["x", "(bvadd y #x00000001)"], ["y", "(bvadd x #x00000001)"]]}},
            {"from": 1, "to": 2, "step": {"assume": last}},
            {"from": 2, "step": "error"},
        ])
    };
    let globals = json!([
        {"name": "x", "sort": "(_ BitVec 32)"}, {"name": "y", "sort": "(_ BitVec 32)"}]);
    let document = options(&main_of(globals.clone(), edges("(distinct x y)")));
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
    let document = options(&main_of(globals, edges("(= x #xdeadbeef)")));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    assert!(document.trace.is_some_and(|t| t.initial.iter().any(|v| v.name == "x")));
}

#[test]
fn relations_change_what_they_list() {
    let program = |changes: Value, formula: &str, error: &str| {
        main_of(
            json!([{"name": "a b", "sort": "(_ BitVec 8)"}, {"name": "y", "sort": "(_ BitVec 8)"}]),
            json!([
                {"from": 0, "to": 1, "step": {"assign": [["a b", "#x05"], ["y", "#x07"]]}},
                {"from": 1, "to": 2, "step": {"relation": {"formula": formula, "changes": changes}}},
                {"from": 2, "to": 3, "step": {"assume": error}},
                {"from": 3, "step": "error"},
            ]),
        )
    };
    let more = "(bvugt |a b'| |a b|)";
    for (changes, formula, error, wanted) in [
        (json!(["a b"]), more, "(bvule |a b| #x05)", Verdict::Safe),
        (json!(["a b"]), more, "(= |a b| #xff)", Verdict::Unsafe),
        (json!(["a b"]), more, "(distinct y #x07)", Verdict::Safe),
        // What is not listed keeps its value, also where the formula wants another one.
        (json!([]), more, "true", Verdict::Safe),
        (
            json!(["y", "a b"]),
            "(and (= y' |a b|) (= |a b'| y))",
            "(not (bvult y |a b|))",
            Verdict::Safe,
        ),
        (
            json!(["y", "a b"]),
            "(and (= y' |a b|) (= |a b'| y))",
            "(bvult y |a b|)",
            Verdict::Unsafe,
        ),
        // Related and free.
        (json!(["y", "a b"]), "(= (bvadd y' |a b'|) #x0a)", "(= y #x09)", Verdict::Unsafe),
        (
            json!(["y", "a b"]),
            "(= (bvadd y' |a b'|) #x0a)",
            "(and (= y #x09) (distinct |a b| #x01))",
            Verdict::Safe,
        ),
    ] {
        let document = decide(&program(changes, formula, error));
        assert_eq!(document.verdict, wanted, "{formula} {error} {:?}", document.reason);
        if let Some(trace) = document.trace {
            assert_eq!(trace.steps.len(), 4, "a relation is one step");
            assert!(!trace.steps[1].changed.is_empty());
        }
    }
}

/// `f(n)` returns n, by adding one n times, recursively; `main` calls it with `argument`.
fn recursive(argument: &str, error: &str) -> Value {
    json!({"globals": [{"name": "r", "sort": "(_ BitVec 8)"}], "functions": [
        {"name": "main", "locations": ["start", "called", "bad", "end"], "entry": "start", "exit": "end",
         "edges": [
            {"from": "start", "to": "called", "step":
                {"call": {"function": "f", "arguments": [argument], "result": "r"}}},
            {"from": "called", "to": "bad", "step": {"assume": error}},
            {"from": "bad", "step": "error"}]},
        {"name": "f", "parameters": [{"name": "n", "sort": "(_ BitVec 8)"}],
         "locals": [{"name": "r", "sort": "( _ BitVec 8 )"}], "result": "r",
         "locations": 4, "entry": 0, "exit": 3, "edges": [
            {"from": 0, "to": 3, "step": {"relation": {"formula": "(and (= n #x00) (= r' #x00))", "changes": ["r"]}}},
            {"from": 0, "to": 1, "step": {"assume": "(distinct n #x00)"}},
            {"from": 1, "to": 2, "step": {"call":
                {"function": "f", "arguments": ["(bvsub n #x01)"], "result": "r"}}},
            {"from": 2, "to": 3, "step": {"assign": [["r", "(bvadd r #x01)"]]}}]},
    ]})
}

#[test]
fn recursion() {
    let document = decide(&recursive("#x09", "(distinct r #x09)"));
    assert_eq!(document.verdict, Verdict::Safe, "{:?}", document.reason);
    let document = decide(&recursive("#x09", "(= r #x09)"));
    assert_eq!(document.verdict, Verdict::Unsafe, "{:?}", document.reason);
    let trace = document.trace.expect("a trace");
    assert_eq!(trace.steps.iter().map(|s| s.depth).max(), Some(10));
    let kinds = |kind| trace.steps.iter().filter(|s| s.kind == kind).count();
    assert_eq!((kinds(StepKind::Call), kinds(StepKind::Return)), (10, 10));
    let back = trace.steps.iter().rfind(|s| s.kind == StepKind::Return).expect("a return");
    assert_eq!((back.function.as_str(), back.edge, back.depth), ("main", Some(0), 0));
    assert_eq!((back.changed[0].name.as_str(), back.changed[0].value.as_str()), ("r", "#x09"));

    // Deeper than the tree follows.
    let tree = Options { route: Route::Tree, ..Options::default() };
    let document = decide_with(&recursive("#xff", "(distinct r #xff)"), &tree);
    assert_eq!(document.verdict, Verdict::Unknown);
    let reason = document.reason.expect("a reason").message;
    assert!(reason.contains("calls of 'f'"), "{reason}");
    for (route, wanted) in [(Route::Tree, Verdict::Unknown), (Route::Auto, Verdict::Unsafe)] {
        let options = Options { recursion: Some(2), route, ..Options::default() };
        let document = decide_with(&recursive("#x09", "(= r #x09)"), &options);
        // Boolean programs follow calls to any depth.
        assert_eq!(document.verdict, wanted);
    }
}

/// Each call of `f` begins with locals of any value, also the second one in a loop.
#[test]
fn locals_have_any_value_at_each_call() {
    let program = |error: &str| {
        json!({"globals": [
            {"name": "first", "sort": "Bool"}, {"name": "old", "sort": "Bool"},
            {"name": "new", "sort": "Bool"}], "functions": [
            {"name": "main", "locations": 5, "entry": 0, "exit": 4, "edges": [
                {"from": 0, "to": 1, "step": {"assign": [["first", "true"]]}},
                {"from": 1, "to": 2, "step": {"call": {"function": "f"}}},
                {"from": 2, "to": 1, "step": {"assume": "first"}},
                {"from": 1, "to": 4, "step": "skip"},
                {"from": 2, "to": 3, "step": {"assume": error}},
                {"from": 3, "step": "error"}]},
            {"name": "f", "locals": [{"name": "l", "sort": "Bool"}],
             "locations": 3, "entry": 0, "exit": 2, "edges": [
                {"from": 0, "to": 1, "step": {"assume": "first"}},
                {"from": 1, "to": 2, "step": {"assign": [["old", "l"], ["first", "false"]]}},
                {"from": 1, "to": 2, "step": {"assign": [["old", "l"]]}},
                {"from": 0, "to": 2, "step": {"assign": [["new", "l"]]}}]},
        ]})
    };
    assert_eq!(decide(&program("(and (not first) (xor old new))")).verdict, Verdict::Unsafe);
    let mut same = program("(and (not first) (xor old new))");
    same["functions"][1]["edges"][3]["step"] = json!({"assign": [["new", "old"]]});
    same["functions"][0]["edges"][0]["step"] =
        json!({"assign": [["first", "true"], ["old", "false"], ["new", "false"]]});
    same["functions"][1]["edges"][1]["step"] = json!({"assign": [["first", "false"]]});
    same["functions"][1]["edges"][2]["step"] = json!("skip");
    assert_eq!(decide(&same).verdict, Verdict::Safe);
}

#[test]
fn approximations_confirm_nothing() {
    let program = |origin: &str, error: &str| {
        main_of(
            json!([{"name": "x", "sort": "Bool"}]),
            json!([
                {"from": 0, "to": 1, "step": {"havoc": {"variables": ["x"], "origin": origin}}},
                {"from": 1, "to": 2, "step": {"assume": error}},
                {"from": 2, "step": "error"},
            ]),
        )
    };
    assert_eq!(decide(&program("input", "x")).verdict, Verdict::Unsafe);
    assert_eq!(decide(&program("approximation", "(and x (not x))")).verdict, Verdict::Safe);
    // The value does not matter.
    assert_eq!(decide(&program("approximation", "(or x (not x))")).verdict, Verdict::Unsafe);
    let document = decide(&program("approximation", "x"));
    assert_eq!(document.verdict, Verdict::Unknown);
    assert!(document.reason.is_some_and(|r| r.message.contains("edge 0 of 'main'")));
}

#[test]
fn entry_may_be_exit() {
    let program = json!({"functions": [
        {"name": "main", "locations": 3, "entry": 0, "exit": 2, "edges": [
            {"from": 0, "to": 1, "step": {"call": {"function": "nothing"}}},
            {"from": 1, "step": "error"}]},
        {"name": "nothing", "locations": 1, "entry": 0, "exit": 0, "edges": []}]});
    let document = decide(&program);
    assert_eq!(document.verdict, Verdict::Unsafe);
    assert_eq!(document.trace.expect("a trace").steps.len(), 3);
}

/// Random programs, and units of work for each.
const SEEDS: u64 = 200;
const WORK: u64 = 20_000;

#[test]
fn random_programs() {
    let (mut unknown, mut errors, mut safe) = (0, 0, 0);
    for seed in 0..SEEDS {
        let program = random(seed);
        let wanted = program.is_error_reachable();
        let text = program.json();
        // Calls in a recursive program may double with each level.
        let options = Options { recursion: Some(3), ..Options::default() };
        let document = decide_within(&text, &options, &Budget::unlimited().trial(WORK));
        let shown = || serde_json::to_string_pretty(&text).expect("it can be written");
        match document.verdict {
            Verdict::Unknown => {
                let reason = document.reason.map_or(String::new(), |r| r.message);
                assert!(reason.contains("calls of"), "seed {seed}: {reason}\n{}", shown());
                unknown += 1;
            }
            verdict => {
                assert_eq!(verdict == Verdict::Unsafe, wanted, "seed {seed}\n{}", shown());
                if wanted { errors += 1 } else { safe += 1 }
            }
        }
    }
    assert!(unknown < 30 && errors > 40 && safe > 40, "{unknown} {errors} {safe}");
}

/// All configurations of Beyer and Wendler's framework agree with the enumeration; the invariants
/// of SAFE are checked by another solver, and UNSAFE is executed.  Set `HARDBOP_PROGRAMS` for more
/// than 15 programs in each.
#[test]
fn random_programs_in_all_configurations() {
    let count = std::env::var("HARDBOP_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let (mut unknown, mut decided) = (0, 0);
    for (i, (blocks, algorithm, forced_covering, order)) in configurations().enumerate() {
        let every = (300 / count).clamp(1, 300);
        for seed in (i as u64 % every as u64..300).step_by(every) {
            let program = random(seed + 1_000);
            let analysis = AnalysisOptions {
                blocks: blocks.parse().expect("a block operator"),
                algorithm,
                forced_covering,
                order,
                explicit_states: 0,
                ..AnalysisOptions::default()
            };
            let options =
                Options { analysis, route: Route::Tree, recursion: Some(3), ..Options::default() };
            let budget = Budget::unlimited().trial(WORK);
            let document = decide_within(&program.json(), &options, &budget);
            let wanted = program.is_error_reachable();
            match document.verdict {
                Verdict::Unknown => unknown += 1,
                verdict => {
                    let what = format!("seed {seed}, {:?}", options.analysis);
                    assert_eq!(verdict == Verdict::Unsafe, wanted, "{what}");
                    decided += 1;
                }
            }
        }
    }
    assert!(decided > 4 * unknown, "{decided} {unknown}");
}

fn configurations() -> impl Iterator<Item = (&'static str, Algorithm, bool, Order)> {
    let blocks = ["sbe", "lbe", "abe-lf", "abe-loops", "abe-n:3", "abe-loops:4"];
    let algorithms = [
        (Algorithm::Predicate, false),
        (Algorithm::Auto, false),
        (Algorithm::Impact, false),
        (Algorithm::Impact, true),
        (Algorithm::ImpactOriginal, false),
        (Algorithm::ImpactOriginal, true),
        (Algorithm::ImpactAbstract, false),
        (Algorithm::ImpactAbstract, true),
    ];
    let orders = [Order::Dfs, Order::Bfs, Order::Topological];
    blocks.into_iter().flat_map(move |b| {
        algorithms
            .into_iter()
            .flat_map(move |(a, forced)| orders.into_iter().map(move |order| (b, a, forced, order)))
    })
}

#[test]
fn operators_with_many_operands() {
    let globals = json!([
        {"name": "x", "sort": "(_ BitVec 4)"}, {"name": "a", "sort": "Bool"},
        {"name": "b", "sort": "Bool"}, {"name": "c", "sort": "Bool"}]);
    for (condition, wanted) in [
        ("(distinct (bvadd x x x) (bvmul x #x3))", Verdict::Safe),
        ("(distinct (=> a b c) (=> a (=> b c)))", Verdict::Safe),
        ("(distinct (=> a b c) (=> (=> a b) c))", Verdict::Unsafe),
        ("(distinct (xor a b c) (xor a (xor b c)))", Verdict::Safe),
        ("(and (= a b c) (distinct a c))", Verdict::Safe),
        ("(and (= a b c) (not b))", Verdict::Unsafe),
    ] {
        let edges = json!([
            {"from": 0, "to": 1, "step": {"assume": condition}}, {"from": 1, "step": "error"}]);
        let document = decide(&main_of(globals.clone(), edges));
        assert_eq!(document.verdict, wanted, "{condition}");
    }
}

/// The messages about a description that is none.
fn mistakes(description: &Value) -> String {
    let description: Description = match serde_json::from_value(description.clone()) {
        Ok(description) => description,
        Err(e) => return e.to_string(),
    };
    match description.program(&mut Terms::new(), &Budget::unlimited()) {
        Ok(_) => "none".to_owned(),
        Err(e) => e.to_string(),
    }
}

#[test]
fn malformed_descriptions() {
    let base = recursive("#x09", "(= r #x09)");
    assert_eq!(mistakes(&base), "none");
    let cases: &[(&str, Value, &str)] = &[
        ("/main", json!("start"), "there is no function 'start'"),
        ("/globals/0/sort", json!("(_ BitVec 65)"), "'(_ BitVec 65)' is no sort"),
        ("/globals/0/sort", json!("(_ BitVec +8)"), "is no sort"),
        ("/globals/0/name", json!("r'"), "'r'' cannot be a name"),
        ("/globals/0/name", json!(""), "cannot be a name"),
        ("/globals/0/name", json!("f::n"), "function 'f': two variables have the name 'n'"),
        ("/functions/1/name", json!("f#"), "function 'f#': 'f#' cannot be a name"),
        ("/functions/1/name", json!("main"), "function 'main': two functions have the name 'main'"),
        ("/functions/1/locals/0/name", json!("n"), "function 'f': two variables have the name 'n'"),
        ("/functions/1/result", json!("q"), "function 'f': the result 'q' is neither"),
        ("/functions/1/entry", json!(4), "function 'f': there is no location 4"),
        ("/functions/0/exit", json!("stop"), "function 'main': there is no location 'stop'"),
        ("/functions/0/locations/3", json!("bad"), "two locations have the name 'bad'"),
        (
            "/functions/0/locations",
            json!("four"),
            "the number of locations or a list of their names",
        ),
        (
            "/functions/0/edges/0/from",
            json!("end"),
            "function 'main', edge 0: the edge leaves the exit",
        ),
        ("/functions/0/edges/0/to", json!(null), "edge 0: the edge leads nowhere"),
        ("/functions/0/edges/1/to", json!(17), "edge 1: there is no location 17"),
        ("/functions/0/edges/0/step/call/function", json!("g"), "there is no function 'g'"),
        ("/functions/0/edges/0/step/call/arguments", json!([]), "'f' has 1 parameters, not 0"),
        (
            "/functions/0/edges/0/step/call/arguments/0",
            json!("true"),
            "edge 0, argument 1, 1:1: a term of sort (_ BitVec 8) is needed, not of sort Bool",
        ),
        ("/functions/0/edges/0/step/call/result", json!("q"), "there is no variable 'q'"),
        ("/functions/1/result", json!(null), "edge 0: 'f' has no result"),
        (
            "/functions/0/edges/1/step/assume",
            json!("(= r\n (bvadd s #x01))"),
            "function 'main', edge 1, condition, 2:9: there is no variable 's'",
        ),
        (
            "/functions/0/edges/1/step/assume",
            json!("(= r #x009)"),
            "condition, 1:1: the operands of '='",
        ),
        (
            "/functions/0/edges/1/step/assume",
            json!("(= r r"),
            "condition, 1:1: a '(' without a ')'",
        ),
        ("/functions/0/edges/1/step/assume", json!("(wat r)"), "unknown operator 'wat'"),
        ("/functions/0/edges/1/step/assume", json!(""), "one term is needed, not 0"),
        ("/functions/0/edges/1/step/assume", json!("true false"), "one term is needed, not 2"),
        ("/functions/0/edges/1/step/assume", json!("r"), "a term of sort Bool is needed"),
        ("/functions/0/edges/1/step/assume", json!("n"), "there is no variable 'n'"),
        ("/functions/0/edges/1/step/assume", json!("(= r' r)"), "there is no variable 'r''"),
        ("/functions/0/edges/1/step/assume", json!(5), "expected a string"),
        ("/functions/0/edges/1/step", json!("stop"), "unknown variant `stop`"),
        (
            "/functions/1/edges/3/step/assign",
            json!([["r", "r"], ["r", "n"]]),
            "'r' gets two values",
        ),
        ("/functions/1/edges/3/step/assign", json!([["r", "true"]]), "edge 3, value of 'r', 1:1"),
        ("/functions/1/edges/0/step/relation/changes", json!(["r", "r"]), "'r' gets two values"),
        ("/functions/1/edges/0/step/relation/changes", json!(["x"]), "there is no variable 'x'"),
    ];
    for (pointer, value, wanted) in cases {
        let mut bad = base.clone();
        match bad.pointer_mut(pointer) {
            Some(place) => *place = value.clone(),
            None => bad["main"] = value.clone(),
        }
        let found = mistakes(&bad);
        assert!(found.contains(wanted), "{pointer} {value}: {found}");
    }
    let mut odd = base.clone();
    odd["functions"][0]["edges"][0]["speed"] = json!(3);
    assert!(mistakes(&odd).contains("unknown field `speed`"));
    // All of them at once.
    let mut many = base;
    many["globals"][0]["sort"] = json!("Int");
    many["functions"][1]["edges"][3]["step"] = json!({"assume": "("});
    let found = mistakes(&many);
    assert!(found.contains("'Int' is no sort") && found.contains("edge 3"), "{found}");
}

#[test]
fn deep_and_huge_descriptions() {
    const DEEP: usize = 100_000;
    let boolean = json!([{"name": "b", "sort": "Bool"}, {"name": "x", "sort": "(_ BitVec 8)"}]);
    let sum = format!("(= x {}x{})", "(bvadd #x01 ".repeat(DEEP), ")".repeat(DEEP));
    let and = format!("{}b{}", "(and b (not ".repeat(DEEP), "))".repeat(DEEP));
    for deep in [sum, and, format!("(or {})", "(= x #x07) b ".repeat(DEEP))] {
        let edges = json!([
            {"from": 0, "to": 1, "step": {"assume": deep}}, {"from": 1, "step": "error"}]);
        let document = decide(&main_of(boolean.clone(), edges));
        assert_ne!(document.verdict, Verdict::Unknown, "{:?}", document.reason);
    }
    for bad in ["(not ".repeat(DEEP), ")".repeat(DEEP), "(and ".repeat(DEEP) + "q"] {
        let edges = json!([{"from": 0, "to": 1, "step": {"assume": bad}}]);
        assert_ne!(mistakes(&main_of(boolean.clone(), edges)), "none");
    }
    // Numbers of locations cost nothing.
    let mut huge = main_of(boolean, json!([{"from": 0, "to": 4_000_000_000_u32, "step": "skip"}]));
    huge["functions"][0]["locations"] = json!(u32::MAX);
    assert_eq!(decide(&huge).verdict, Verdict::Safe);
    // Calls that double with each function.
    let functions: Vec<Value> = (0..64)
        .map(|i| {
            let call = |from: u32| {
                json!({"from": from, "to": from + 1, "step":
                {"call": {"function": format!("f{}", i + 1)}}})
            };
            let edges = if i < 63 {
                json!([call(0), call(1)])
            } else {
                json!([{"from": 0, "step": "error"}])
            };
            json!({"name": format!("f{i}"), "locations": 3, "entry": 0, "exit": 2, "edges": edges})
        })
        .collect();
    let doubling = json!({"functions": functions, "main": "f0"});
    let tree = Options { route: Route::Tree, ..Options::default() };
    let document = decide_with(&doubling, &tree);
    assert_eq!(document.verdict, Verdict::Unknown);
    assert!(document.reason.is_some_and(|r| r.message.contains("edges")));
    // Boolean programs have each function once.
    assert_eq!(decide(&doubling).verdict, Verdict::Unsafe);
}

#[test]
fn a_budget_ends_the_reading() {
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let description: Description =
        serde_json::from_value(recursive("#x09", "true")).expect("a description");
    let ended = description.program(&mut Terms::new(), &budget);
    assert!(matches!(ended, Err(DescriptionErrors::Exhausted(_))));
}
