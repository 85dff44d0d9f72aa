//! State machines with inputs of any value, against a search through their states: a variable of
//! few values is tracked by its values, one of many by what a path needs to know of it.

use std::collections::HashSet;
use std::fmt::Write as _;

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_verify::{CProgram, Outcome, check};

use crate::support::c::analysis_only;

/// The variables of a machine; at the start the first is `STATES[0]`, and the others have any
/// value.
const NAMES: [&str; 4] = ["state", "next", "flag", "saved"];
const EVENT: usize = 4;
const STATES: [i64; 6] = [4096, 4112, 8464, 8465, 12292, 3];
const EVENTS: [i64; 3] = [-5, 40, 77];
/// Stands for all values that the text does not mention.
const OTHER: i64 = 1_000_000;

/// If these variables have these values, these assignments are made: of a constant, or of a
/// variable.
struct Rule {
    condition: Vec<(usize, i64)>,
    actions: Vec<(usize, Result<i64, usize>)>,
}

struct Machine {
    rules: Vec<Rule>,
    error: Vec<(usize, i64)>,
}

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len())]
}

impl Machine {
    fn new(random: &mut Random) -> Self {
        let constant = |random: &mut Random, variable: usize| match variable {
            0 | 1 => pick(random, &STATES),
            2 => random.below(2) as i64,
            _ => pick(random, &EVENTS),
        };
        let condition = |random: &mut Random, last: usize| {
            let mut all = vec![(0, pick(random, &STATES))];
            for _ in 0..random.below(3) {
                let variable = 1 + random.below(last);
                all.push((variable, constant(random, variable)));
            }
            all
        };
        let mut rules = vec![];
        for _ in 0..6 + random.below(8) {
            let mut actions = vec![];
            for _ in 0..1 + random.below(3) {
                let to = random.below(4);
                let value = match random.below(3) {
                    0 if to < 2 => Err(1 - to),
                    0 | 1 if to == 3 => Err(EVENT),
                    _ => Ok(constant(random, to)),
                };
                actions.push((to, value));
            }
            rules.push(Rule { condition: condition(random, 4), actions });
        }
        Self { rules, error: condition(random, 3) }
    }

    fn text(&self) -> String {
        let name = |v: usize| if v == EVENT { "event" } else { NAMES[v] };
        let condition = |all: &[(usize, i64)]| {
            let each: Vec<String> =
                all.iter().map(|&(v, c)| format!("{} == {c}", name(v))).collect();
            each.join(" && ")
        };
        let mut text = format!(
            "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);\nint main(void) {{\n\
             int state, next, flag, saved; state = {};\nwhile (1) {{\nint event = __VERIFIER_nondet_int();\n",
            STATES[0]
        );
        for rule in &self.rules {
            // Writing to a String cannot fail.
            let _ = write!(text, "if ({}) {{", condition(&rule.condition));
            for &(to, value) in &rule.actions {
                let value = value.map_or_else(|v| name(v).to_owned(), |c| c.to_string());
                let _ = write!(text, " {} = {value};", NAMES[to]);
            }
            text.push_str(" }\nelse ");
        }
        let _ =
            write!(text, "{{ }}\nif ({}) __VERIFIER_error();\n}}\n}}\n", condition(&self.error));
        text
    }

    /// Is the error reached?  Values that the text does not mention are all alike.
    fn is_unsafe(&self) -> bool {
        let any: Vec<i64> = STATES.into_iter().chain(EVENTS).chain([0, 1, OTHER]).collect();
        let mut seen: HashSet<[i64; 4]> = HashSet::new();
        let mut todo = vec![];
        for &next in &any {
            for &flag in &any {
                todo.extend(any.iter().map(|&saved| [STATES[0], next, flag, saved]));
            }
        }
        while let Some(now) = todo.pop() {
            if !seen.insert(now) {
                continue;
            }
            for &event in &any {
                let mut then = [now[0], now[1], now[2], now[3], event];
                let holds = |values: &[i64; 5], all: &[(usize, i64)]| {
                    all.iter().all(|&(v, c)| values[v] == c)
                };
                if let Some(rule) = self.rules.iter().find(|r| holds(&then, &r.condition)) {
                    for &(to, value) in &rule.actions {
                        then[to] = value.unwrap_or_else(|v| then[v]);
                    }
                }
                if holds(&then, &self.error) {
                    return true;
                }
                todo.push([then[0], then[1], then[2], then[3]]);
            }
        }
        false
    }
}

#[test]
fn random_machines() {
    let mut options = analysis_only();
    options.analysis.explicit_states = 2_000;
    let (mut safe, mut errors, mut by_values) = (0, 0, 0);
    for seed in 0..120 {
        let machine = Machine::new(&mut Random::new(seed));
        let (text, wanted) = (machine.text(), machine.is_unsafe());
        let (verdict, nodes) = on_large_stack(|| {
            let source = Source::new("machine.c", text.clone());
            let flow = parse(source, &ParseOptions::default()).expect("legal C");
            let budget = Budget::unlimited().trial(200_000);
            let report =
                check(CProgram::new(&flow), &options, &budget, &mut ()).expect("no mistake");
            let verdict = match report.outcome {
                Outcome::Safe(_) => false,
                Outcome::Unsafe(execution) => {
                    assert!(execution.reaches_error());
                    true
                }
                Outcome::Unknown(reason) => panic!("seed {seed}: {reason}\n{text}"),
            };
            (verdict, report.statistics.model.nodes_made)
        })
        .expect("a thread");
        assert_eq!(verdict, wanted, "seed {seed}\n{text}");
        if wanted {
            errors += 1
        } else {
            safe += 1
        }
        by_values += u32::from(nodes == 0);
    }
    assert!(safe > 20 && errors > 20 && by_values > 80, "{safe} {errors} {by_values}");
}
