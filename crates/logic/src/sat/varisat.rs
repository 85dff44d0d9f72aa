//! The varisat back end (Jannis Harder, MIT or Apache-2.0 licence): pure Rust.
//!
//! varisat can neither be interrupted nor given a conflict limit.  But it writes a proof step by step to a sink that
//! hardbop provides, and abandons a call if the sink fails.  So the sink ([`Meter`]) counts learned clauses and checks
//! the budget.  This has two consequences:
//!
//! - The proof is buffered, so a call may exceed its limit by a buffer (8 KiB, a few hundred learned clauses).  An
//!   answer found meanwhile does not count, since a call flushes the proof last.  So a call that needs more conflicts
//!   than its limit never answers.
//! - An abandoned call leaves the solver unusable.  All clauses are kept, and a fresh solver is made from them; learned
//!   clauses are lost.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ::varisat::solver::ProofFormat;
use ::varisat::{ExtendFormula, Lit, Solver, Var};

use super::proof::ProofReader;
use super::solver::{SatLit, SatResult, SatSolver};
use hardbop_base::budget::{Budget, Exhausted};

/// The limits of the current call, and how much of them it has used.
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
        // Conflicts of earlier calls do not count.
        self.conflicts = conflicts.map(|n| self.reader.learned() + u64::from(n));
        self.stopped = None;
    }
}

/// The writer to which varisat writes its proof.
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
            // varisat would retry a write that fails with `Interrupted`.
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
    /// All clauses, each followed by a 0.
    clauses: Vec<SatLit>,
    /// By variable; empty unless the last call answered `Sat` and no clause was added since.
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

/// A solver that writes its proof to a meter, and the meter.
fn metered() -> (Solver<'static>, Rc<RefCell<Meter>>) {
    let meter = Rc::new(RefCell::new(Meter::default()));
    let mut solver = Solver::new();
    // Of the proof formats, only this one supports assumptions and adding clauses later.
    solver.write_proof(Sink(Rc::clone(&meter)), ProofFormat::Varisat);
    (solver, meter)
}

/// Literals in varisat's own numbering, which starts at 0.
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

    /// Makes a fresh solver with all clauses after an abandoned call.
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
                // Only the sink makes a call fail, and the meter has the reason.
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
