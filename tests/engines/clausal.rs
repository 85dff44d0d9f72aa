//! Clausal invariants against all reachable states.

use crate::support::explicit::visit_reachable;
use hardbop_base::budget::Budget;
use hardbop_bp::engine::clausal;
use hardbop_bp::engine::limits::Limits;
use hardbop_bp::engine::prepare::facts::{Facts, variable};
use hardbop_bp::engine::prepare::{
    Extent, Terms, prepare,
    slice::{failing_procedures, slice},
};
use hardbop_bp::language::program::{NodeId, Program};
use hardbop_lab::generate::{DriverOptions, driver};
use hardbop_logic::Aig;
use hardbop_logic::sat::Backend;

/// States after which a program is given up.
const STATES: usize = 300_000;

fn infer(program: &Program, seed: u64) -> Facts {
    infer_within(program, seed, &Limits::default())
}

fn infer_within(program: &Program, seed: u64, limits: &Limits) -> Facts {
    let mut aig = Aig::new();
    let slice = slice(program, &failing_procedures(program));
    let budget = Budget::unlimited();
    let terms = Terms { switches: None, facts: None };
    let prepared =
        prepare(&mut aig, program, slice.into(), Extent::All, terms, &limits.prepare, &budget)
            .expect("there is no limit");
    clausal::infer(&prepared, &mut aig, seed, Backend::default(), &limits.clausal, &budget)
        .expect("there is no limit")
        .0
}

/// Every clause holds in every reachable state; `None` where there are too many of them.
fn holds(text: &str) -> Option<u64> {
    let program = crate::support::program(text);
    let facts = infer(&program, 1);
    let complete = visit_reachable(&program, STATES, |p, n, value| {
        let name = &program.procedure(p).name;
        assert!(!facts.is_unreachable(p, n), "{name}, node {n:?} is reachable:\n{text}");
        for clause in facts.clauses(p, n) {
            let holds = clause.iter().map(|&l| variable(l)).any(|(v, negated)| value(v) != negated);
            assert!(holds, "{name}, node {n:?}: {clause:?} does not hold:\n{text}");
        }
    });
    complete.then(|| facts.count())
}

#[test]
fn random_programs() {
    let programs = crate::support::generated(4711, 150);
    let counts: Vec<u64> = programs.iter().filter_map(|(text, _)| holds(text)).collect();
    assert!(programs.is_empty() || counts.len() > 100, "{} small enough", counts.len());
    assert!(programs.is_empty() || counts.iter().sum::<u64>() > 1_000);
}

#[test]
fn drivers() {
    let mut complete = 0;
    for seed in 0..8 {
        for bug in [false, true] {
            let (vars, procs, depth, statements) = (5, 2, 1, 5);
            let options = DriverOptions { vars, procs, depth, statements, seed, bug };
            complete += usize::from(
                holds(&driver(&options).expect("a driver of that size")).is_some_and(|n| n > 0),
            );
        }
    }
    assert!(complete > 0, "one at least is small enough");
}

/// What it was made for: locks whose state shows in flags, and predicates that exclude each other.
#[test]
fn bookkeeping_is_found() {
    let text = "
        decl held, a, b, c;
        void acquire() begin assert(!held); held := T; end
        void release() begin assert(held); held := F; end
        void work() begin
          decl got;
          got := *;
          if (got) then acquire(); fi;
          a, b := *, * constrain (!('a & 'b));
          if (got) then release(); fi;
        end
        void main() begin
          held, a, b, c := F, F, F, F;
          while (*) do work(); od;
          a, b, c := *, *, * constrain (('a | 'b | 'c) & !('a & 'b) & !('a & 'c) & !('b & 'c));
          if (a) then acquire(); fi;
          work2();
          if (!(b | c)) then release(); fi;
          assert(!held);
        end
        void work2() begin skip; end
    ";
    let program = crate::support::program(text);
    let facts = infer(&program, 1);
    for p in failing_procedures(&program) {
        let procedure = program.procedure(p);
        assert!(facts.is_unreachable(p, procedure.error), "{} is excluded", procedure.name);
    }
}

/// By node: the clauses that hold there.
fn clauses(program: &Program, facts: &Facts) -> Vec<Vec<Vec<u32>>> {
    let nodes = program
        .procedure_ids()
        .flat_map(|p| (0..program.procedure(p).nodes.len() as u32).map(move |n| (p, NodeId(n))));
    nodes.map(|(p, n)| facts.clauses(p, n).map(Vec::from).collect()).collect()
}

/// Random programs, and drivers with more procedures and variables.
fn programs() -> Vec<Program> {
    let random = crate::support::generated(4712, 20).into_iter().map(|(text, _)| text);
    let drivers = (1..4).map(|seed| {
        let (vars, procs, depth, statements, bug) = (60, 8, 4, 15, seed == 2);
        let options = DriverOptions { vars, procs, depth, statements, seed, bug };
        driver(&options).expect("a driver of that size")
    });
    random.chain(drivers).map(|text| crate::support::program(&text)).collect()
}

#[test]
fn the_seed_does_not_matter() {
    for program in programs() {
        let clauses = |seed| clauses(&program, &infer(&program, seed));
        assert_eq!(clauses(1), clauses(2));
    }
}

/// The strongest inductive clauses are what they are, whether steps are evaluated or given to a
/// solver, and whatever is refuted by samples before.
#[test]
fn how_steps_are_decided_does_not_matter() {
    for program in programs() {
        let found = clauses(&program, &infer(&program, 1));
        for (evaluations, sample_rounds) in [(0, 24), (0, 0), (1_000_000, 24)] {
            let mut limits = Limits::default();
            limits.clausal.evaluations = evaluations;
            limits.clausal.sample_rounds = sample_rounds;
            let others = clauses(&program, &infer_within(&program, 1, &limits));
            assert_eq!(found, others, "{evaluations} evaluations, {sample_rounds} rounds");
        }
    }
}
