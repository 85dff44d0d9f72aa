//! Inputs that evolve ([`hardbop_c::execute::Evolution`]) come to errors that need many of the right ones in a row, which random
//! ones do not.

use std::sync::Arc;

use crate::support::c::flow;
use hardbop_c::execute::{
    Evolution, Execution, ExecutionOptions, Loaded, Randomly, Recording, replay, run_again,
};
use hardbop_c::flow::Flow;
use hardbop_c::types::DataModel;

const PROGRAMS: [&str; 4] = [
    // Seventeen values on a stack of sixteen.
    "int top = 0; while ((c = getchar()) != -1) { if (c == 'p') { if (top == 16) reach_error(); top++; } else if (c == 'c') top = 0; }",
    // A run of ten.
    "int last = -1, run = 0; while ((c = getchar()) != -1) { run = c == last ? run + 1 : 1; last = c; if (run == 10 && c > ' ') reach_error(); }",
    // A digit behind eight commas.
    "int column = 0; while ((c = getchar()) != -1) { if (c == ',') column++; else if (c == '\\n') column = 0; else if (c == '7' && column == 8) reach_error(); }",
    // Three commands in order.
    "int state = 0; while ((c = getchar()) != -1) { if (state == 0 && c == 'o') state = 1; else if (state == 1 && c == 'w') state = 2;
       else if (state == 2 && c == 'x') reach_error(); else if (c == '\\n') state = 0; }",
];

/// The executions after which an error is to be found.
const MOST: u64 = 20_000;

fn is_error(flow: &Flow, found: &Execution) -> bool {
    let is_error = found.reaches_error();
    if is_error {
        let again = replay(flow, &found.trace(), &ExecutionOptions::default());
        assert!(again.is_ok_and(|e| e.reaches_error()), "{}", flow.source.text);
    }
    is_error
}

#[test]
fn errors_that_need_many_inputs_are_found() {
    let options =
        ExecutionOptions { steps: 4_000, record: Recording::Edges, ..ExecutionOptions::default() };
    let mut by_chance = 0;
    for text in PROGRAMS {
        let text = format!(
            "void reach_error(void); int getchar(void); int main(void) {{ int c; {text} return 0; }}\n"
        );
        let flow = flow("evolution.c", &text, DataModel::Lp64);
        let program = Loaded::new(&flow);
        let letters: Arc<[u64]> = Arc::from(b"pcowx7,\n".map(u64::from));
        let random = |seed| Randomly::new(seed).with_constants(Arc::clone(&letters));
        let mut evolution = Evolution::new(1, random(0));
        let found = (0..MOST).any(|i| {
            let found = match i {
                0..100 => run_again(&program, &mut random(i), &options),
                _ => run_again(&program, &mut evolution.changed(), &options),
            };
            evolution.learn(&found);
            is_error(&flow, &found)
        });
        assert!(found, "{text}");
        let tried =
            (0..MOST / 4).any(|i| is_error(&flow, &run_again(&program, &mut random(i), &options)));
        by_chance += u32::from(tried);
    }
    assert!(by_chance < 3, "these are no programs for which inputs have to evolve");
}
