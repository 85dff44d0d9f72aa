//! Decides a formula by varisat, with a proof in the DRAT format for checkers such as drat-trim.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ::varisat::solver::ProofFormat;
use ::varisat::{ExtendFormula, Solver};

use super::varisat::own;
use crate::cnf::Cnf;
use hardbop_base::budget::{Budget, Exhausted};

/// A model, or a proof of unsatisfiability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DratResult {
    /// The value of each variable, in order.
    Sat(Vec<bool>),
    /// The text of the proof.
    Unsat(Vec<u8>),
    Unknown(Exhausted),
}

/// The proof so far; fails when the budget is spent.
struct Sink {
    proof: Vec<u8>,
    budget: Budget,
    stopped: Option<Exhausted>,
}

struct Writer(Rc<RefCell<Sink>>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut sink = self.0.borrow_mut();
        if let Err(reason) = sink.budget.check() {
            sink.stopped = Some(reason);
            // varisat would retry after `Interrupted`.
            return Err(io::ErrorKind::Other.into());
        }
        sink.proof.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Decides a formula.  Like every call of varisat, it may slightly exceed its limit.
pub fn solve(cnf: &Cnf, budget: &Budget) -> DratResult {
    let sink = Sink { proof: Vec::new(), budget: budget.clone(), stopped: None };
    let sink = Rc::new(RefCell::new(sink));
    let mut solver = Solver::new();
    solver.write_proof(Writer(Rc::clone(&sink)), ProofFormat::Drat);
    cnf.clauses.iter().for_each(|c| solver.add_clause(&own(c)));
    let answer = solver.solve();
    match answer {
        Ok(true) => {
            let mut values = vec![false; cnf.variables as usize];
            for l in solver.model().unwrap_or_default() {
                values[l.index()] = l.is_positive();
            }
            DratResult::Sat(values)
        }
        Ok(false) => {
            // Buffered bytes are part of the proof.
            let closed = solver.close_proof().is_ok();
            let mut sink = sink.borrow_mut();
            match sink.stopped {
                Some(reason) => DratResult::Unknown(reason),
                None if closed => DratResult::Unsat(std::mem::take(&mut sink.proof)),
                None => DratResult::Unknown(Exhausted::Cancelled),
            }
        }
        // Only the sink makes a call fail, and it has the reason.
        Err(_) => DratResult::Unknown(sink.borrow().stopped.unwrap_or(Exhausted::Cancelled)),
    }
}
