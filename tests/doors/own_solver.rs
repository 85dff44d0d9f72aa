//! Solvers that the user of the library brings along are asked, and do not decide verdicts alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_bp::engine::{self, Engine, Silent};
use hardbop_bp::language::parser::{Dialect, parse as parse_boolean};
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_bp::proof::failure::{Effort, Unproved};
use hardbop_bp::proof::{Outcome, check, solving};
use hardbop_c::{ParseOptions, on_large_stack, parse};
use hardbop_logic::Aig;
use hardbop_logic::factory::Factory;
use hardbop_qbf::{self as qbf, Backend, Embedded, ForallExists, QbfSolver};
use hardbop_refine::cegar::AnalysisOptions;
use hardbop_smt::{
    SmtAnswer, SmtError, SmtSolver, SolverFactory, SolverKind, Sort, Term, Terms, Value,
};
use hardbop_verify::{self as verify, CProgram};

/// Counts queries; a liar says the same whatever it is asked.
struct Wrapped {
    solver: Box<dyn SmtSolver>,
    queries: Arc<AtomicUsize>,
    lie: Option<SmtAnswer>,
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
    ) -> Result<SmtAnswer, SmtError> {
        self.queries.fetch_add(1, Ordering::Relaxed);
        match &self.lie {
            Some(lie) => Ok(lie.clone()),
            None => self.solver.check(terms, assumptions, budget),
        }
    }

    fn value(&mut self, terms: &Terms, t: Term) -> Result<Value, SmtError> {
        match (&self.lie, terms.sort(t)) {
            (None, _) => self.solver.value(terms, t),
            (_, Sort::Bool) => Ok(Value::Bool(true)),
            _ => Ok(Value::Bits(0)),
        }
    }

    fn core(&self) -> Result<Vec<Term>, SmtError> {
        if self.lie.is_some() { Ok(vec![]) } else { self.solver.core() }
    }
}

fn factory(lie: Option<SmtAnswer>) -> (SolverFactory, Arc<AtomicUsize>) {
    let queries: Arc<AtomicUsize> = Arc::default();
    let counted = Arc::clone(&queries);
    let factory = Factory::new("wrapped", move || {
        let (solver, queries) = (SolverKind::Z3.solver()?, Arc::clone(&counted));
        Ok(Box::new(Wrapped { solver, queries, lie: lie.clone() }) as Box<dyn SmtSolver>)
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
    verdict_within(is_safe, own, explicit, &Budget::unlimited())
}

fn verdict_within(
    is_safe: bool,
    own: Option<SolverFactory>,
    explicit: u64,
    budget: &Budget,
) -> String {
    let text = LOCK.replace("GIVE", if is_safe { "give();" } else { "take();" });
    let analysis = AnalysisOptions {
        own_solver: own,
        explicit_states: explicit,
        ..AnalysisOptions::default()
    };
    // Without the intervals, which need none.
    let strategy = verify::Strategy::read(br#"{"auto": [{"do": "tree"}]}"#).expect("a strategy");
    let options =
        verify::Options { analysis, executions: 0, strategy, ..verify::Options::default() };
    on_large_stack(|| {
        let source = Source::new("lock.c", text);
        let flow = parse(source, &ParseOptions::default()).expect("it is C");
        let report = verify::check(CProgram::new(&flow), &options, budget, &mut ());
        match report.expect("no error").outcome {
            verify::Outcome::Safe(_) => "SAFE".to_owned(),
            verify::Outcome::Unsafe(_) => "UNSAFE".to_owned(),
            verify::Outcome::Unknown(reason) => reason.to_string(),
        }
    })
    .expect("a thread")
}

#[test]
fn an_own_smt_solver_is_asked() {
    for (is_safe, expected) in [(true, "SAFE"), (false, "UNSAFE")] {
        let (own, queries) = factory(None);
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
        let (own, queries) = factory(Some(SmtAnswer::Unsat));
        let reason = verdict(is_safe, Some(own), explicit);
        assert!(queries.load(Ordering::Relaxed) > 0);
        assert!(reason.starts_with("the proof by 'wrapped' is wrong"), "{reason}");
    }
}

/// "Everything is possible" would be UNSAFE, if the error that it shows could be executed.
#[test]
fn an_unsound_smt_solver_shows_no_error() {
    for (is_safe, explicit) in [(true, 0), (false, 0), (true, 1000), (false, 1000)] {
        let (own, queries) = factory(Some(SmtAnswer::Sat));
        // It finds models for ever, and does not look at the budget.
        let budget = Budget::unlimited().with_time_limit(std::time::Duration::from_secs(2));
        let reason = verdict_within(is_safe, Some(own), explicit, &budget);
        assert!(queries.load(Ordering::Relaxed) > 0);
        assert!(reason != "SAFE" && (reason != "UNSAFE" || !is_safe), "{is_safe}: {reason}");
    }
}

struct Counting {
    solver: Embedded,
    queries: Arc<AtomicUsize>,
}

impl QbfSolver for Counting {
    fn solve(&mut self, aig: &mut Aig, query: &ForallExists, budget: &Budget) -> qbf::QbfAnswer {
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
    let options = engine::Options {
        engine: Engine::Qbf,
        plain: true,
        qbf: Backend::Own(factory),
        ..engine::Options::default()
    };
    let source = Source::new("lock-safe.bp", include_str!("../../examples/lock-safe.bp"));
    let tree = parse_boolean(&source.text, Dialect::default()).expect("a program");
    let program = resolve(source, &tree, &ResolveOptions::default()).expect("a program");
    let report = engine::check(&program, &options, &Budget::unlimited(), &mut Silent);
    assert!(matches!(report.expect("no error").outcome, Outcome::Safe(_)));
    assert!(queries.load(Ordering::Relaxed) > 0);
}

/// Says that every query is valid.
struct Credulous;

impl QbfSolver for Credulous {
    fn solve(&mut self, _: &mut Aig, _: &ForallExists, _: &Budget) -> qbf::QbfAnswer {
        qbf::QbfAnswer::new(qbf::Validity::Valid)
    }
}

/// It makes an engine believe that a counter comes to rest; the check of the invariant does not
/// believe it.
#[test]
fn the_check_of_invariants_unmasks_an_unsound_qbf_solver() {
    let options = engine::Options {
        engine: Engine::Qbf,
        plain: true,
        certify: true,
        qbf: Backend::Own(Factory::new("credulous", || Box::new(Credulous) as Box<dyn QbfSolver>)),
        ..engine::Options::default()
    };
    let text = "decl a, b, c; void main() begin a, b, c := F, F, F;
        while (*) do a, b, c := !a, b ^ a, c ^ (a & b); od; assert(!c); end";
    let tree = parse_boolean(text, Dialect::default()).expect("a program");
    let source = Source::new("counter.bp", text);
    let program = resolve(source, &tree, &ResolveOptions::default()).expect("a program");
    let budget = Budget::unlimited();
    let report = engine::check(&program, &options, &budget, &mut Silent).expect("no error");
    let Outcome::Safe(proof) = report.outcome else { panic!("the solver was not believed") };
    let (checking, mut effort) =
        (solving::CheckerOptions::other_than(options.sat), Effort::default());
    let checked =
        check::check(&program, &proof, &checking, &budget, &mut check::Silent, &mut effort);
    assert!(matches!(checked, Err(Unproved::Fails(_))), "{checked:?}");
}

/// Options with a solver of one's own are still plain: compared, cloned, written; read without it.
#[test]
fn options_stay_plain() {
    let make = || Factory::new("mine", || Box::new(Embedded::new(0)) as Box<dyn QbfSolver>);
    let options = engine::Options { qbf: Backend::Own(make()), ..engine::Options::default() };
    assert_eq!(options, options.clone());
    assert_ne!(options, engine::Options { qbf: Backend::Own(make()), ..options.clone() });
    let written = serde_json::to_value(&options).expect("it can be written");
    assert_eq!(written["qbf"], "own:mine");
    let error = serde_json::from_value::<engine::Options>(written).expect_err("a solver");
    assert!(error.to_string().contains("provided through the library"), "{error}");

    let analysis = |own| AnalysisOptions { own_solver: Some(own), ..AnalysisOptions::default() };
    let (one, other) = (analysis(factory(None).0), analysis(factory(None).0));
    assert_eq!(one, one.clone());
    assert_ne!(one, other);
    let written = serde_json::to_value(&one).expect("it can be written");
    let read: AnalysisOptions = serde_json::from_value(written).expect("it can be read");
    assert_eq!(read, AnalysisOptions::default());
}
