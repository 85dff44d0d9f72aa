//! Plugs in solvers: here wrappers that count the queries of built-in ones.
//!
//!     cargo run --example own_solver

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hardbop::solver::{
    Aig, Embedded, Factory, ForallExists, QbfAnswer, QbfBackend, QbfSolver, SmtAnswer, SmtError,
    SmtSolver, SolverKind, Term, Terms, Value,
};
use hardbop::{BpOptions, Budget, COptions, Engine, Source, check_bp, check_c};

/// An SMT solver that counts.
struct CountingSmt {
    solver: Box<dyn SmtSolver>,
    queries: Arc<AtomicUsize>,
}

impl SmtSolver for CountingSmt {
    fn push(&mut self) -> Result<(), SmtError> {
        self.solver.push()
    }

    fn pop(&mut self) -> Result<(), SmtError> {
        self.solver.pop()
    }

    fn assert(&mut self, terms: &Terms, formula: Term) -> Result<(), SmtError> {
        self.solver.assert(terms, formula)
    }

    fn check(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<SmtAnswer, SmtError> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        self.solver.check(terms, assumptions, budget)
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        self.solver.value(terms, t)
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        self.solver.core()
    }
}

/// A 2QBF solver that counts.
struct CountingQbf {
    solver: Embedded,
    queries: Arc<AtomicUsize>,
}

impl QbfSolver for CountingQbf {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> QbfAnswer {
        self.queries.fetch_add(1, Ordering::Relaxed);
        self.solver.solve(aig, query, budget)
    }
}

fn with_own_smt_solver() -> Result<(), Box<dyn Error>> {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("counting", move || {
        let (solver, queries) = (SolverKind::Z3.solver()?, Arc::clone(&counted));
        Ok(Box::new(CountingSmt { solver, queries }) as Box<dyn SmtSolver>)
    });
    let mut options = COptions::default();
    options.verify.analysis.own_solver = Some(factory);
    let source = Source::new("lock.c", include_str!("lock.c"));
    let verdict = check_c(&source, &options, &Budget::unlimited(), &mut ())?.verdict_line;
    println!("lock.c: {verdict}, {} SMT queries", queries.load(Ordering::Relaxed));
    Ok(())
}

fn with_own_qbf_solver() -> Result<(), Box<dyn Error>> {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("counting", move || {
        let queries = Arc::clone(&counted);
        Box::new(CountingQbf { solver: Embedded::new(0), queries }) as Box<dyn QbfSolver>
    });
    let mut options = BpOptions::default();
    options.engine.engine = Engine::Qbf;
    options.engine.plain = true;
    options.engine.qbf = QbfBackend::Own(factory);
    let source = Source::new("lock-safe.bp", include_str!("lock-safe.bp"));
    let line = check_bp(&source, &options, &Budget::unlimited(), &mut ())?.verdict_line;
    println!("lock-safe.bp: {line}, {} 2QBF queries", queries.load(Ordering::Relaxed));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    with_own_smt_solver()?;
    with_own_qbf_solver()
}
