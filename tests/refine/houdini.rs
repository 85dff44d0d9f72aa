//! Invariants that need no search, from candidates or intervals alone: what they prove is so, by an enumeration of states.

use hardbop_base::budget::Budget;
use hardbop_cfa::description::Description;
use hardbop_smt::Terms;
use hardbop_verify::{Automata, Options, Outcome, Route, Strategy, check};

use crate::support::automata::maker::random;

/// Random automata, and how many of them each step proves at least.
const SEEDS: u64 = 200;
const PROVED: [(&str, usize); 2] = [("houdini", 20), ("intervals", 20)];

#[test]
fn random_automata() {
    for (step, least) in PROVED {
        let proved = proved_by(step);
        assert!(proved >= least, "{step}: {proved}");
    }
}

/// How many of the automata this step proves.
fn proved_by(step: &str) -> usize {
    let strategy = format!(r#"{{"tree": [{{"do": "tree"}}], "automaton": [{{"do": "{step}"}}]}}"#);
    let strategy = Strategy::read(strategy.as_bytes()).expect("a strategy");
    let mut proved = 0;
    for seed in 0..SEEDS {
        let program = random(seed);
        let (text, budget) = (program.json(), Budget::unlimited());
        let description: Description = serde_json::from_value(text.clone()).expect("a description");
        let mut terms = Terms::new();
        let described = description.program(&mut terms, &budget).expect("it is a program");
        let options =
            Options { route: Route::Tree, strategy: strategy.clone(), ..Options::default() };
        let subject = Automata::new(terms, &described.program);
        let report = check(subject, &options, &budget, &mut ()).expect("the solvers work");
        match report.outcome {
            Outcome::Safe(_) => {
                assert!(!program.is_error_reachable(), "{text}");
                proved += 1;
            }
            Outcome::Unsafe(_) => panic!("it finds no errors"),
            Outcome::Unknown(_) => {}
        }
    }
    proved
}
