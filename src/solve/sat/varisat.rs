//! The varisat back end (Jannis Harder, MIT or Apache-2.0 licence): pure Rust.
//!
//! varisat can neither be interrupted nor given a conflict limit.  It does write a proof, step by
//! step, to a sink of ours, and gives a call up when the sink fails.  So the sink ([`Meter`])
//! counts learned clauses and asks the budget.  Two things follow:
//!
//! - The proof is buffered, so a call runs on for at most a buffer (8 KiB, some hundred learned
//!   clauses) after its limit.  An answer found in between does not count: the last thing a call
//!   does is to flush the proof.  So a call that needs more conflicts than its limit never answers.
//! - A call that was given up leaves the solver unusable.  Clauses are remembered, and a fresh
//!   solver is made from them; what had been learned is lost.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ::varisat::solver::ProofFormat;
use ::varisat::{ExtendFormula, Lit, Solver, Var};

use super::proof::ProofReader;
use super::solver::{SatLit, SatResult, SatSolver};
use crate::base::budget::{Budget, Exhausted};

/// Limits of the call in progress, and what it has used of them.
#[derive(Default)]
struct Meter {
    budget: Budget,
    conflicts: Option<u64>,
    reader: ProofReader,
    stopped: Option<SatResult>,
}

impl Meter {
    fn start(&mut self, conflicts: Option<u32>, budget: &Budget) {
        self.budget = budget.clone();
        // What a call before has learned does not count.
        self.conflicts = conflicts.map(|n| self.reader.learned() + u64::from(n));
        self.stopped = None;
    }
}

/// The end of the proof that varisat writes to.
struct Sink(Rc<RefCell<Meter>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut meter = self.0.borrow_mut();
        meter.reader.read(bytes);
        if meter.conflicts.is_some_and(|limit| meter.reader.learned() > limit) {
            meter.stopped = Some(SatResult::ConflictLimit);
        } else if let Err(reason) = meter.budget.check() {
            meter.stopped = Some(SatResult::Unknown(reason));
        }
        match meter.stopped {
            // varisat repeats a write that ends with `Interrupted`.
            Some(_) => Err(io::ErrorKind::Other.into()),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A varisat solver.
pub struct Varisat {
    solver: Solver<'static>,
    meter: Rc<RefCell<Meter>>,
    variables: i32,
    /// All clauses, each with a 0 at its end.
    clauses: Vec<SatLit>,
    /// By variable; empty where the last call did not answer `Sat`, or was followed by a clause.
    model: Vec<Option<bool>>,
    core: Vec<SatLit>,
}

impl Default for Varisat {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Varisat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Varisat").field("variables", &self.variables).finish_non_exhaustive()
    }
}

/// A solver that writes its proof to a meter.
fn metered() -> (Solver<'static>, Rc<RefCell<Meter>>) {
    let meter = Rc::new(RefCell::new(Meter::default()));
    let mut solver = Solver::new();
    // Of the formats only this one knows assumptions and clauses that come later.
    solver.write_proof(Sink(Rc::clone(&meter)), ProofFormat::Varisat);
    (solver, meter)
}

/// Literals in varisat's own numbering, which begins at 0.
pub(super) fn own(lits: &[SatLit]) -> Vec<Lit> {
    lits.iter()
        .map(|&l| Lit::from_var(Var::from_index(l.unsigned_abs() as usize - 1), l > 0))
        .collect()
}

impl Varisat {
    pub fn new() -> Self {
        let (solver, meter) = metered();
        Self { solver, meter, variables: 0, clauses: vec![], model: vec![], core: vec![] }
    }

    /// A fresh solver with all clauses, after a call that was given up.
    fn renew(&mut self) {
        (self.solver, self.meter) = metered();
        for clause in self.clauses.split_inclusive(|&l| l == 0) {
            self.solver.add_clause(&own(clause.strip_suffix(&[0]).unwrap_or(clause)));
        }
    }

    fn forget(&mut self) {
        self.model.clear();
        self.core.clear();
    }
}

impl SatSolver for Varisat {
    fn new_variable(&mut self) -> SatLit {
        self.variables += 1;
        self.variables
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        self.forget();
        self.solver.add_clause(&own(clause));
        self.clauses.extend_from_slice(clause);
        self.clauses.push(0);
    }

    fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult {
        self.forget();
        if let Err(reason) = budget.check() {
            return SatResult::Unknown(reason);
        }
        self.meter.borrow_mut().start(conflicts, budget);
        self.solver.assume(&own(assumptions));
        match self.solver.solve() {
            Ok(true) => {
                self.model.resize(self.variables as usize, None);
                for l in self.solver.model().unwrap_or_default() {
                    self.model[l.index()] = Some(l.is_positive());
                }
                SatResult::Sat
            }
            Ok(false) => {
                let core = self.solver.failed_core().unwrap_or_default();
                self.core = core.iter().map(|l| l.to_dimacs() as SatLit).collect();
                SatResult::Unsat
            }
            Err(_) => {
                let stopped = self.meter.borrow().stopped;
                self.renew();
                // Only the sink makes a call fail, and it says why.
                stopped.unwrap_or(SatResult::Unknown(Exhausted::Cancelled))
            }
        }
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        let value = *self.model.get(lit.unsigned_abs() as usize - 1)?;
        value.map(|v| v == (lit > 0))
    }

    fn failed(&self, assumption: SatLit) -> bool {
        self.core.contains(&assumption)
    }
}
