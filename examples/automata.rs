//! Control-flow automata of another front end: a relation and a call, their Boolean program, and both verdicts.

use hardbop::{
    AutomataDescription, AutomataOptions, Budget, Route, abstract_automata, check_automata,
    invariant_text,
};

/// `less` returns some number below its argument, `main` counts down with it.
const PROGRAM: &str = r#"{
  "globals": [{"name": "x", "sort": "(_ BitVec 8)"}],
  "functions": [
    {"name": "main", "locations": ["start", "loop", "after", "bad", "end"], "entry": "start", "exit": "end",
     "edges": [
       {"from": "start", "to": "loop", "step": {"assume": "(bvult x #x0a)"}, "text": "x < 10", "line": 1},
       {"from": "loop", "to": "after", "text": "x = less(x)", "line": 2,
        "step": {"call": {"function": "less", "arguments": ["x"], "result": "x"}}},
       {"from": "after", "to": "bad", "step": {"assume": "BAD"}, "text": "BAD", "line": 3},
       {"from": "bad", "step": "error", "line": 3},
       {"from": "after", "to": "loop", "step": {"assume": "(bvult #x00 x)"}, "line": 4},
       {"from": "after", "to": "end", "step": {"assume": "(= x #x00)"}, "line": 5}]},
    {"name": "less", "parameters": [{"name": "n", "sort": "(_ BitVec 8)"}],
     "locals": [{"name": "r", "sort": "(_ BitVec 8)"}], "result": "r",
     "locations": 2, "entry": 0, "exit": 1,
     "edges": [{"from": 0, "to": 1, "text": "r < n", "line": 7,
                "step": {"relation": {"formula": "(bvult r' n)", "changes": ["r"]}}}]}]}"#;

const PREDICATES: &str = "(bvult x #x0a) (bvult |less::r| |less::n|)";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 200 is never reached, 5 is.
    for (bad, route) in [
        ("(= x #xc8)", Route::Tree),
        ("(= x #xc8)", Route::Bp),
        ("(= x #x05)", Route::Tree),
        ("(= x #x05)", Route::Bp),
    ] {
        let budget = Budget::unlimited();
        let description: AutomataDescription = serde_json::from_str(&PROGRAM.replace("BAD", bad))?;
        let mut options = AutomataOptions::default();
        options.verify.route = route;
        let predicates = if route == Route::Bp { PREDICATES } else { "" };
        if route == Route::Bp {
            println!("{}", abstract_automata(&description, predicates, &options, &budget)?);
        }
        let document = check_automata(&description, predicates, &options, &budget, &mut ())?;
        println!("{bad}, route {route:?}: {}", document.verdict_line);
        print!("{}", invariant_text(&document.invariants));
        if let Some(trace) = document.trace {
            print!("{}", trace.text());
        }
    }
    Ok(())
}
