//! The reader of QDIMACS; small formulas are decided by the 2QBF solver and by trying all values.

#![no_main]

use hardbop_base::budget::Budget;
use hardbop_logic::qdimacs::{Qbf, Quantifier, read_qdimacs};
use hardbop_qbf::prenex::prenex;
use hardbop_qbf::{Backend, Limits, Validity};
use hardbop_logic::sat;
use libfuzzer_sys::fuzz_target;

/// Most variables of a formula that is decided.
const VARIABLES: i32 = 10;

/// Values of variables (bit v - 1) under which all clauses hold, in the order of `variables`.
fn holds(qbf: &Qbf, variables: &[(Quantifier, i32)], values: u32) -> bool {
    let Some((&(quantifier, v), rest)) = variables.split_first() else {
        let holds = |&l: &i32| (values >> (l.abs() - 1) & 1 == 1) == (l > 0);
        return qbf.matrix.clauses.iter().all(|c| c.iter().any(holds));
    };
    let mut sides = [0, 1].into_iter().map(|value| holds(qbf, rest, values | value << (v - 1)));
    match quantifier {
        Quantifier::Forall => sides.all(|s| s),
        Quantifier::Exists => sides.any(|s| s),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&first, rest)) = data.split_first() else { return };
    let Ok(qbf) = read_qdimacs(&String::from_utf8_lossy(rest)) else { return };
    if qbf.matrix.variables > VARIABLES {
        // Nobody has to decide it; reading it must not take long.
        return;
    }
    let Ok(mut formula) = prenex(&qbf) else { return };
    // Free variables are outermost, and where there are some all others are existential, too.
    let bound: Vec<(Quantifier, i32)> =
        qbf.prefix.iter().flat_map(|b| b.variables.iter().map(|&v| (b.quantifier, v))).collect();
    let free = (1..=qbf.matrix.variables).filter(|v| bound.iter().all(|(_, b)| b != v));
    let all: Vec<(Quantifier, i32)> =
        free.map(|v| (Quantifier::Exists, v)).chain(bound.iter().copied()).collect();
    let truth = holds(&qbf, &all, 0);
    let backend = if first % 2 == 0 { sat::Backend::Cadical } else { sat::Backend::Varisat };
    let mut solver = Backend::Embedded.solver(u64::from(first), backend, Limits::default());
    let answer = solver.solve(&mut formula.aig, &formula.query, &Budget::unlimited());
    match answer.validity {
        Validity::Valid => assert!(truth, "false, but answered true"),
        Validity::Invalid { .. } => assert!(!truth, "true, but answered false"),
        Validity::Unknown(reason) => panic!("no answer: {reason}"),
    }
});
