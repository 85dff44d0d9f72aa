//! The CaDiCaL back end (Biere et al., MIT licence), through the crate `cadical`.
//!
//! Invariant: since CaDiCaL aborts the process if it is asked for a model or core in the wrong state, the solver's
//! status is always checked first.

use ::cadical::{Callbacks, Solver};

use super::solver::{SatLit, SatResult, SatSolver};
use hardbop_base::budget::{Budget, Exhausted};

/// CaDiCaL asks very often whether to stop; the budget is checked once in so many times.
const THROTTLE: u32 = 16;

/// Stops a call when its budget is spent.
struct Watch {
    budget: Budget,
    asked: u32,
    stopped: Option<Exhausted>,
}

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        if self.stopped.is_none() {
            self.asked = self.asked.wrapping_add(1);
            if self.asked.is_multiple_of(THROTTLE) {
                self.stopped = self.budget.check().err();
            }
        }
        self.stopped.is_some()
    }
}

/// The kind of calls that the solver is tuned for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// CaDiCaL's own defaults.
    #[default]
    Default,
    /// No preprocessing, for many short calls.
    Plain,
    /// Mostly satisfiable calls.
    Satisfiable,
    /// Mostly unsatisfiable calls.
    Unsatisfiable,
}

/// A CaDiCaL solver.
pub struct Cadical {
    solver: Solver<Watch>,
    variables: i32,
}

impl Default for Cadical {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Cadical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cadical").field("variables", &self.variables).finish_non_exhaustive()
    }
}

impl Cadical {
    pub fn new() -> Self {
        Self { solver: Solver::new(), variables: 0 }
    }

    /// A solver tuned for the expected calls.
    pub fn with_profile(profile: Profile) -> Self {
        let name = match profile {
            Profile::Default => return Self::new(),
            Profile::Plain => "plain",
            Profile::Satisfiable => "sat",
            Profile::Unsatisfiable => "unsat",
        };
        // The names are CaDiCaL's own; should one disappear, the defaults are just as correct.
        let solver = Solver::with_config(name).unwrap_or_default();
        Self { solver, variables: 0 }
    }
}

impl SatSolver for Cadical {
    fn new_variable(&mut self) -> SatLit {
        self.variables += 1;
        self.variables
    }

    fn add_clause(&mut self, clause: &[SatLit]) {
        self.solver.add_clause(clause.iter().copied());
    }

    fn solve(
        &mut self,
        assumptions: &[SatLit],
        conflicts: Option<u32>,
        budget: &Budget,
    ) -> SatResult {
        if let Err(reason) = budget.check() {
            return SatResult::Unknown(reason);
        }
        if let Some(n) = conflicts {
            let n = i32::try_from(n).unwrap_or(i32::MAX);
            let known = self.solver.set_limit("conflicts", n);
            debug_assert!(known.is_ok(), "CaDiCaL documents this limit");
        }
        match self.solver.get_callbacks() {
            Some(watch) => *watch = Watch { budget: budget.clone(), asked: 0, stopped: None },
            None => self.solver.set_callbacks(Some(Watch {
                budget: budget.clone(),
                asked: 0,
                stopped: None,
            })),
        }
        match self.solver.solve_with(assumptions.iter().copied()) {
            Some(true) => SatResult::Sat,
            Some(false) => SatResult::Unsat,
            None => match self.solver.get_callbacks().and_then(|w| w.stopped) {
                Some(reason) => SatResult::Unknown(reason),
                None => SatResult::ConflictLimit,
            },
        }
    }

    fn value(&self, lit: SatLit) -> Option<bool> {
        if self.solver.status() != Some(true) {
            return None;
        }
        self.solver.value(lit.abs()).map(|v| v == (lit > 0))
    }

    fn failed(&self, assumption: SatLit) -> bool {
        self.solver.status() == Some(false) && self.solver.failed(assumption)
    }
}
