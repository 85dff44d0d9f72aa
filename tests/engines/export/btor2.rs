//! Circuits in BTOR2, read by the crate `patronus`, which checks sorts; what it has read is
//! searched.

use std::collections::HashMap;

use hardbop_base::budget::Budget;
use hardbop_bp::export::{ExportError, btor2, circuit};
use hardbop_bp::language::program::Program;
use patronus::expr::{Context, Expr, ExprRef};
use patronus::system::TransitionSystem;

use super::{Counts, agrees_on_programs, agrees_on_programs_with_more_calls};
use crate::support::circuit::Circuit;
use crate::support::program;

fn written(program: &Program) -> Result<String, ExportError> {
    Ok(btor2(&circuit(program, &Budget::unlimited())?))
}

fn read(text: &str) -> (Context, TransitionSystem) {
    let mut context = Context::default();
    let system = patronus::btor2::parse_str(&mut context, text, None);
    let system = system.unwrap_or_else(|| panic!("not BTOR2: {text}"));
    (context, system)
}

/// What was read, as a circuit.
fn searchable(text: &str) -> Circuit {
    let (context, system) = read(text);
    assert_eq!((system.bad_states.len(), system.constraints.len()), (1, 0), "{text}");
    let mut circuit = Circuit::default();
    let mut values = HashMap::new();
    for &input in &system.inputs {
        values.insert(input, circuit.input());
    }
    for state in &system.states {
        values.insert(state.symbol, circuit.latch());
    }
    for state in &system.states {
        let init = state.init.expect("a value at the start");
        assert!(matches!(&context[init], Expr::BVLiteral(v) if v.is_false()), "{text}");
        let next = value(&mut circuit, &context, &mut values, state.next.expect("a next value"));
        circuit.next(values[&state.symbol], next);
    }
    let bad = value(&mut circuit, &context, &mut values, system.bad_states[0]);
    circuit.bad(bad);
    circuit
}

fn value(
    circuit: &mut Circuit,
    context: &Context,
    values: &mut HashMap<ExprRef, usize>,
    e: ExprRef,
) -> usize {
    if let Some(&known) = values.get(&e) {
        return known;
    }
    let new = match context[e] {
        Expr::BVLiteral(v) => usize::from(v.is_true()),
        Expr::BVNot(e, 1) => value(circuit, context, values, e) ^ 1,
        Expr::BVAnd(a, b, 1) => {
            let a = value(circuit, context, values, a);
            let b = value(circuit, context, values, b);
            circuit.and(a, b)
        }
        ref other => panic!("{other:?}"),
    };
    values.insert(e, new);
    new
}

fn verdict(text: &str, limit: usize) -> Option<bool> {
    searchable(text).bad_reachable(limit)
}

#[test]
fn a_search_agrees_on_btor2() {
    let counts = agrees_on_programs(28, written, verdict);
    assert!(matches!(counts, Counts { safe: 51.., is_unsafe: 51.., recursive: 11.., .. }));
}

#[test]
fn a_search_agrees_on_btor2_of_programs_with_more_calls() {
    agrees_on_programs_with_more_calls(250_012, written, verdict);
}

#[test]
fn latches_have_the_names_of_variables() {
    let text = "decl g, {x == 0;}; void main() begin decl l; l := {x == 0;}; while (g | l) do
        g, {x == 0;}, l := {x == 0;}, l, g & l; od; assert(l); end";
    let text = written(&program(text)).expect("no recursion");
    let (context, system) = read(&text);
    let names: Vec<&str> = system
        .states
        .iter()
        .filter_map(|s| context.get_symbol_name(s.symbol))
        .filter(|name| name.contains("::"))
        .collect();
    assert_eq!(names, ["::g", "::{x%20==%200%3b}", "main::l"], "{text}");
}
