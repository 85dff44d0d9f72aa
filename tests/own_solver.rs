//! Solvers that the user of the library brings along are asked, and do not decide verdicts alone.
#![cfg(feature = "c")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hardbop::bp::parser::{Dialect, parse as parse_boolean};
use hardbop::bp::resolve::{ResolveOptions, resolve};
use hardbop::budget::Budget;
use hardbop::c::{ParseOptions, on_large_stack, parse};
use hardbop::factory::Factory;
use hardbop::logic::Aig;
use hardbop::qbf::{self, Backend, Embedded, ForallExists, QbfSolver};
use hardbop::smt::{Answer, SmtError, SmtSolver, SolverFactory, SolverKind, Term, Terms, Value};
use hardbop::source::Source;
use hardbop::summary::{self, Engine, Silent};
use hardbop::verdict::Outcome;
use hardbop::{cpa, verify};

/// Counts queries; a liar says that nothing is satisfiable.
struct Wrapped {
    solver: Box<dyn SmtSolver>,
    queries: Arc<AtomicUsize>,
    lies: bool,
}

impl SmtSolver for Wrapped {
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
    ) -> Result<Answer, SmtError> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        if self.lies { Ok(Answer::Unsat) } else { self.solver.check(terms, assumptions, budget) }
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        self.solver.value(terms, t)
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        if self.lies { Ok(vec![]) } else { self.solver.core() }
    }
}

fn factory(lies: bool) -> (SolverFactory, Arc<AtomicUsize>) {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("wrapped", move || {
        let (solver, queries) = (SolverKind::Z3.solver()?, Arc::clone(&counted));
        Ok(Box::new(Wrapped { solver, queries, lies }) as Box<dyn SmtSolver>)
    });
    (factory, queries)
}

const LOCK: &str = "
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int held;
void take(void) { if (held) reach_error(); held = 1; }
void give(void) { if (!held) reach_error(); held = 0; }
int main(void) {
  int n = 0, old;
  do {
    take();
    old = n;
    if (__VERIFIER_nondet_int()) { give(); n = n + 1; }
  } while (n != old);
  GIVE
  return 0;
}";

fn verdict(is_safe: bool, own: Option<SolverFactory>, explicit: u64) -> String {
    let text = LOCK.replace("GIVE", if is_safe { "give();" } else { "take();" });
    let analysis =
        cpa::Options { own_solver: own, explicit_states: explicit, ..cpa::Options::default() };
    let options = verify::Options { analysis, ..verify::Options::default() };
    on_large_stack(|| {
        let source = Source::new("lock.c", text);
        let flow = parse(source, &ParseOptions::default()).expect("it is C");
        let report = verify::check(&flow, &options, &Budget::unlimited(), &mut ());
        match report.expect("no error").outcome {
            verify::Outcome::Safe(_) => "SAFE".to_owned(),
            verify::Outcome::Unsafe(_) => "UNSAFE".to_owned(),
            verify::Outcome::Unknown(reason) => reason,
        }
    })
    .expect("a thread")
}

#[test]
fn an_own_smt_solver_is_asked() {
    for (is_safe, expected) in [(true, "SAFE"), (false, "UNSAFE")] {
        let (own, queries) = factory(false);
        assert_eq!(verdict(is_safe, Some(own), 0), expected);
        let queries = queries.load(Ordering::Relaxed);
        assert!(queries > 0, "{queries} queries");
        assert_eq!(verdict(is_safe, None, 0), expected);
    }
}

/// "Nothing is reachable" would be SAFE, if anybody believed it.
#[test]
fn an_unsound_smt_solver_proves_nothing() {
    for (is_safe, explicit) in [(true, 0), (false, 0), (true, 1000), (false, 1000)] {
        let (own, queries) = factory(true);
        let reason = verdict(is_safe, Some(own), explicit);
        assert!(queries.load(Ordering::Relaxed) > 0);
        assert!(reason.starts_with("the proof by 'wrapped' is wrong"), "{reason}");
    }
}

struct Counting {
    solver: Embedded,
    queries: Arc<AtomicUsize>,
}

impl QbfSolver for Counting {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> qbf::Answer {
        self.queries.fetch_add(1, Ordering::Relaxed);
        self.solver.solve(aig, query, budget)
    }
}

#[test]
fn an_own_qbf_solver_is_asked() {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("counting", move || {
        let queries = Arc::clone(&counted);
        Box::new(Counting { solver: Embedded::new(0), queries }) as Box<dyn QbfSolver>
    });
    let options = summary::Options {
        engine: Engine::Qbf,
        plain: true,
        qbf: Backend::Own(factory),
        ..summary::Options::default()
    };
    let source = Source::new("lock-safe.bp", include_str!("../examples/lock-safe.bp"));
    let tree = parse_boolean(&source.text, Dialect::default()).expect("a program");
    let program = resolve(source, &tree, &ResolveOptions::default()).expect("a program");
    let report = summary::check(&program, &options, &Budget::unlimited(), &mut Silent);
    assert!(matches!(report.expect("no error").outcome, Outcome::Safe(_)));
    assert!(queries.load(Ordering::Relaxed) > 0);
}

/// Options with a solver of one's own are still plain: compared, cloned, written; read without it.
#[test]
fn options_stay_plain() {
    let make = || Factory::new("mine", || Box::new(Embedded::new(0)) as Box<dyn QbfSolver>);
    let options = summary::Options { qbf: Backend::Own(make()), ..summary::Options::default() };
    assert_eq!(options, options.clone());
    assert_ne!(options, summary::Options { qbf: Backend::Own(make()), ..options.clone() });
    let written = serde_json::to_value(&options).expect("it can be written");
    assert_eq!(written["qbf"], "own:mine");
    let error = serde_json::from_value::<summary::Options>(written).expect_err("a solver");
    assert!(error.to_string().contains("brought along"), "{error}");

    let analysis = |own| cpa::Options { own_solver: Some(own), ..cpa::Options::default() };
    let (one, other) = (analysis(factory(false).0), analysis(factory(false).0));
    assert_eq!(one, one.clone());
    assert_ne!(one, other);
    let written = serde_json::to_value(&one).expect("it can be written");
    let read: cpa::Options = serde_json::from_value(written).expect("it can be read");
    assert_eq!(read, cpa::Options::default());
}
