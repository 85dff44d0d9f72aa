//! Plugs in solvers: here wrappers that count the queries of built-in ones.
//!
//!     cargo run --example own_solver

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hardbop::base::budget::Budget;
use hardbop::base::source::Source;
use hardbop::boolean::engine::{self, Engine, Silent};
use hardbop::boolean::language::parser::{Dialect, parse as parse_boolean};
use hardbop::boolean::language::resolve::{ResolveOptions, resolve};
use hardbop::program::c::{ParseOptions, on_large_stack, parse};
use hardbop::solve::factory::Factory;
use hardbop::solve::logic::Aig;
use hardbop::solve::qbf::{self, Backend, Embedded, ForallExists, QbfSolver};
use hardbop::solve::smt::{SmtError, SmtResult, SmtSolver, SolverKind, Term, Terms, Value};
use hardbop::{present, verify};

/// An SMT solver that counts.  One that is not of the house would hand over `smt::smtlib::script` here.
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
    ) -> Result<SmtResult, SmtError> {
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
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> qbf::QbfResult {
        self.queries.fetch_add(1, Ordering::Relaxed);
        self.solver.solve(aig, query, budget)
    }
}

fn check_c() -> Result<(), Box<dyn Error>> {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("counting", move || {
        let (solver, queries) = (SolverKind::Z3.solver()?, Arc::clone(&counted));
        Ok(Box::new(CountingSmt { solver, queries }) as Box<dyn SmtSolver>)
    });
    let mut options = verify::Options::default();
    options.analysis.own_solver = Some(factory);
    let source = Source::new("lock.c", include_str!("lock.c"));
    let verdict = on_large_stack(|| -> Result<&str, String> {
        let flow = parse(source, &ParseOptions::default()).map_err(|d| d[0].to_string())?;
        let found =
            verify::check(verify::CProgram::new(&flow), &options, &Budget::unlimited(), &mut ());
        Ok(match found.map_err(|e| e.to_string())?.outcome {
            verify::Outcome::Safe(_) => "SAFE",
            verify::Outcome::Unsafe(_) => "UNSAFE",
            verify::Outcome::Unknown(_) => "UNKNOWN",
        })
    })??;
    println!("lock.c: {verdict}, {} SMT queries", queries.load(Ordering::Relaxed));
    Ok(())
}

fn check_boolean() -> Result<(), Box<dyn Error>> {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("counting", move || {
        let queries = Arc::clone(&counted);
        Box::new(CountingQbf { solver: Embedded::new(0), queries }) as Box<dyn QbfSolver>
    });
    let options = engine::Options {
        engine: Engine::Qbf,
        plain: true,
        qbf: Backend::Own(factory),
        ..engine::Options::default()
    };
    let source = Source::new("lock-safe.bp", include_str!("lock-safe.bp"));
    let tree = parse_boolean(&source.text, Dialect::default()).map_err(|d| d[0].clone())?;
    let program = resolve(source, &tree, &ResolveOptions::default()).map_err(|d| d[0].clone())?;
    let found = engine::check(&program, &options, &Budget::unlimited(), &mut Silent)?;
    let line = present::document::verdict_line(&found.outcome);
    println!("lock-safe.bp: {line}, {} 2QBF queries", queries.load(Ordering::Relaxed));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    check_c()?;
    check_boolean()
}
