//! The reader of DIMACS; what it reads is written and read again, and solved by both SAT solvers.

#![no_main]

use hardbop_base::budget::Budget;
use hardbop_logic::dimacs::{read_dimacs, write_dimacs};
use hardbop_logic::sat::{Backend, SatResult, SatSolver};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(cnf) = read_dimacs(&String::from_utf8_lossy(data)) else { return };
    let mut text = Vec::new();
    write_dimacs(&cnf, &mut text).expect("writing to memory does not fail");
    let text = String::from_utf8(text).expect("numbers are UTF-8");
    assert_eq!(read_dimacs(&text).as_ref(), Ok(&cnf), "{text}");

    if cnf.variables > 64 {
        return;
    }
    let [first, second] = [Backend::Cadical, Backend::Varisat].map(|backend| {
        let mut solver = backend.solver();
        for _ in 0..cnf.variables {
            solver.new_variable();
        }
        cnf.clauses.iter().for_each(|c| solver.add_clause(c));
        let result = solver.solve(&[], None, &Budget::unlimited());
        if matches!(result, SatResult::Sat) {
            // A variable without a value may have any, so one is chosen.
            let holds = |&l: &i32| solver.value(l.abs()).unwrap_or(false) == (l > 0);
            assert!(cnf.clauses.iter().all(|c| c.iter().any(holds)), "{backend:?}: no model");
        }
        result
    });
    assert_eq!(first, second, "the SAT solvers disagree:\n{text}");
});
