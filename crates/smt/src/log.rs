//! A log of every query of a run: a solver that records its queries and passes them on.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::backend::SolverKind;
use super::circuit::BlastSolver;
use super::linear::solver::LinearSolver;
use super::smtlib::script;
use super::solver::{SmtAnswer, SmtError, SmtSolver, SolverFactory};
use super::term::{Term, Terms, Value};
use super::z3::Z3;
use hardbop_base::budget::Budget;

/// The purpose of a query.
///
/// ```
/// use hardbop_smt::{Purpose, SolverKind, Solvers};
///
/// let solvers = Solvers::new(SolverKind::Blast, None, Purpose::Path);
/// assert!(solvers.solver().is_ok());
/// assert_eq!(Purpose::Path.to_string(), "path"); // as a log of queries has it
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// The abstract successor after a block.
    Abstraction,
    /// The states that a block leads to.
    Exploration,
    /// Is a path feasible?
    Path,
    /// The predicates of the program text that refute a path.
    Selection,
    /// Is a proposal a sequence of interpolants?
    Interpolation,
    /// Does one abstract state imply another?
    Coverage,
    /// Does a block preserve the invariant?
    Invariant,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Abstraction => "abstraction",
            Self::Exploration => "exploration",
            Self::Path => "path",
            Self::Selection => "selection",
            Self::Interpolation => "interpolation",
            Self::Coverage => "coverage",
            Self::Invariant => "invariant check",
        })
    }
}

/// Receives the queries of a run in order, each as a script.
pub trait QuerySink: Send {
    fn query(&mut self, script: &str);
}

/// A shared query sink.
#[derive(Clone)]
pub struct QueryLog(Arc<Mutex<dyn QuerySink>>);

impl QueryLog {
    pub fn new(sink: Arc<Mutex<dyn QuerySink>>) -> Self {
        Self(sink)
    }
}

impl fmt::Debug for QueryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QueryLog")
    }
}

/// Equality is identity.
impl PartialEq for QueryLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for QueryLog {}

/// Makes solvers of one kind for one purpose.
///
/// ```
/// use hardbop_base::budget::Budget;
/// use hardbop_logic::factory::Factory;
/// use hardbop_smt::{Purpose, SmtAnswer, SolverKind, Solvers, Terms};
///
/// let built_in = Solvers::new(SolverKind::default(), None, Purpose::Abstraction);
/// let factory = Factory::new("my Z3", || SolverKind::Z3.solver());
/// let own = Solvers::own(factory, None, Purpose::Abstraction);
/// let mut terms = Terms::new();
/// let formula = terms.bool(false);
/// for solvers in [built_in, own] {
///     let answer = solvers.solver()?.check(&terms, &[formula], &Budget::unlimited())?;
///     assert_eq!(answer, SmtAnswer::Unsat);
/// }
/// # Ok::<(), hardbop_smt::SmtError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solvers {
    kind: SolverKind,
    own: Option<SolverFactory>,
    log: Option<QueryLog>,
    purpose: Purpose,
}

impl Solvers {
    /// A factory of built-in solvers; their queries are logged if there is a log.
    pub fn new(kind: SolverKind, log: Option<&QueryLog>, purpose: Purpose) -> Self {
        Self { kind, own: None, log: log.cloned(), purpose }
    }

    /// A factory of solvers provided by the user of the library; their queries are also logged if
    /// there is a log.
    pub fn own(factory: SolverFactory, log: Option<&QueryLog>, purpose: Purpose) -> Self {
        Self { own: Some(factory), ..Self::new(SolverKind::default(), log, purpose) }
    }

    /// An empty solver.
    ///
    /// # Errors
    /// If Z3 or the user's factory cannot make one.
    pub fn solver(&self) -> Result<Box<dyn SmtSolver>, SmtError> {
        let (log, purpose) = (self.log.as_ref(), self.purpose);
        if let Some(factory) = &self.own {
            let solver = factory.make()?;
            return Ok(match log {
                Some(_) => Box::new(Logged::new(solver, log, purpose)),
                None => solver,
            });
        }
        Ok(match self.kind {
            // Logs queries as Z3 receives them.
            SolverKind::Linear => Box::new(LinearSolver::new(log, purpose)),
            kind if log.is_none() => kind.solver()?,
            SolverKind::Blast => Box::new(Logged::new(BlastSolver::new(), log, purpose)),
            SolverKind::Z3 => Box::new(Logged::new(Z3::new()?, log, purpose)),
        })
    }
}

/// A solver that logs its queries if there is a log.
#[derive(Debug)]
pub struct Logged<S> {
    solver: S,
    log: Option<(QueryLog, Purpose)>,
    asserted: Vec<Term>,
    /// The number of assertions when each level was opened.
    levels: Vec<usize>,
}

impl<S> Logged<S> {
    /// Wraps a solver, which must be empty.
    pub fn new(solver: S, log: Option<&QueryLog>, purpose: Purpose) -> Self {
        let log = log.map(|log| (log.clone(), purpose));
        Self { solver, log, asserted: vec![], levels: vec![] }
    }

    /// Access to the solver for setting limits, not for asserting anything.
    pub fn inner(&mut self) -> &mut S {
        &mut self.solver
    }
}

impl<S: SmtSolver> SmtSolver for Logged<S> {
    fn push(&mut self) -> Result<(), SmtError> {
        self.levels.push(self.asserted.len());
        self.solver.push()
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.asserted.truncate(self.levels.pop().unwrap_or(0));
        self.solver.pop()
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError> {
        self.asserted.push(formula);
        self.solver.assert(terms, formula)
    }

    fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.limit_conflicts(most);
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        let answer = self.solver.check(terms, assumptions, budget)?;
        let Some((log, purpose)) = &self.log else { return Ok(answer) };
        let status = match answer {
            SmtAnswer::Sat => "sat",
            SmtAnswer::Unsat => "unsat",
            SmtAnswer::Unknown(_) => "unknown",
        };
        let mut formulas = self.asserted.clone();
        formulas.extend(assumptions);
        let text =
            format!("; {purpose}\n(set-info :status {status})\n{}", script(terms, &formulas));
        log.0.lock().unwrap_or_else(PoisonError::into_inner).query(&text);
        Ok(answer)
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        self.solver.value(terms, t)
    }

    fn values(&mut self, terms: &Terms, wanted: &[Term]) -> Result<Vec<Value>, SmtError> {
        self.solver.values(terms, wanted)
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        self.solver.core()
    }
}
