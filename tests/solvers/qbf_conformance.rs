//! What every 2QBF solver must do, by comparison with enumeration on small random queries.  A new
//! back end is one more line below `conformance`.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit};
use hardbop_qbf::{
    Backend, DecidedBy, Embedded, ForallExists, Limits, QbfSolver, Stages, Validity,
};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }

    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let i = self.below(pool.len());
        pool[i].xor_sign(self.below(2) == 1)
    }

    /// `gates` random gates over a pool of literals, which grows by them.
    fn circuit(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, gates: usize) -> Lit {
        for _ in 0..gates {
            let (a, b, c) = (self.pick(pool), self.pick(pool), self.pick(pool));
            let l = match self.below(4) {
                0 => aig.and(a, b),
                1 => aig.or(a, b),
                2 => aig.xor(a, b),
                _ => aig.ite(a, b, c),
            };
            pool.push(l);
        }
        self.pick(pool)
    }
}

/// A small random query with the features of the real ones.
fn random_query(random: &mut Random) -> (Aig, ForallExists) {
    let mut aig = Aig::new();
    let mut inputs = |n: usize| -> Vec<Input> { (0..n).map(|_| aig.new_input()).collect() };
    let xs = inputs(random.below(7));
    let ys = inputs(random.below(7));
    let lits = |aig: &Aig, inputs: &[Input]| -> Vec<Lit> {
        let mut lits: Vec<Lit> = inputs.iter().map(|&i| aig.input(i)).collect();
        lits.push(Lit::TRUE);
        lits
    };
    let mut x_pool = lits(&aig, &xs);
    let mut y_pool = lits(&aig, &ys);
    let mut all: Vec<Lit> = x_pool.iter().chain(&y_pool).copied().collect();
    let mut query = ForallExists { existentials: ys.clone(), ..Default::default() };
    for _ in 0..random.below(3) {
        let gates = random.below(5);
        query.premise.push(random.circuit(&mut aig, &mut x_pool, gates));
    }
    for _ in 0..random.below(3) {
        let gates = random.below(12);
        query.conclusion.push(random.circuit(&mut aig, &mut all, gates));
    }
    for _ in 0..random.below(5) {
        let gates = random.below(6);
        let left = random.circuit(&mut aig, &mut x_pool, gates);
        let right = match random.below(4) {
            // A bare existential: a definition.
            0 if !ys.is_empty() => {
                let y = ys[random.below(ys.len())];
                aig.input(y).xor_sign(random.below(2) == 1)
            }
            // Two merged cases under a selector.
            1 if !ys.is_empty() => {
                let c = aig.input(ys[random.below(ys.len())]);
                let other = random.circuit(&mut aig, &mut y_pool, 1);
                if random.below(2) == 1 { aig.ite(c, left, other) } else { aig.ite(c, other, left) }
            }
            2 => random.circuit(&mut aig, &mut all, 3),
            _ => random.circuit(&mut aig, &mut y_pool, 2),
        };
        query.equalities.push(if random.below(2) == 1 { (left, right) } else { (right, left) });
    }
    (aig, query)
}

/// Does this assignment to the universals satisfy the premise and leave no answer?
fn refuted_by(aig: &Aig, query: &ForallExists, x: impl Fn(Input) -> bool) -> bool {
    let literals: Vec<Lit> = query.literals().collect();
    (0..1_u32 << query.existentials.len()).all(|row| {
        let values =
            aig.evaluate(&literals, |i| match query.existentials.iter().position(|&y| y == i) {
                Some(k) => row >> k & 1 == 1,
                None => x(i),
            });
        let (premise, rest) = values.split_at(query.premise.len());
        let (conclusion, pairs) = rest.split_at(query.conclusion.len());
        let goal = conclusion.iter().all(|&v| v) && pairs.chunks(2).all(|p| p[0] == p[1]);
        premise.iter().all(|&v| v) && !goal
    })
}

fn is_valid(aig: &Aig, query: &ForallExists) -> bool {
    let xs = query.universals(aig);
    !(0..1_u32 << xs.len()).any(|row| {
        refuted_by(aig, query, |i| {
            xs.iter().position(|&x| x == i).is_some_and(|k| row >> k & 1 == 1)
        })
    })
}

fn agrees_with_enumeration(solver: &mut dyn QbfSolver, queries: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    let (mut valid, mut invalid, mut told) = (0, 0, 0);
    for number in 0..queries {
        let (mut aig, query) = random_query(&mut random);
        let expected = is_valid(&aig, &query);
        let answer = solver.solve(&mut aig, &query, &Budget::unlimited());
        match answer.validity {
            Validity::Valid => {
                assert!(expected, "query {number}: {query:?}");
                valid += 1;
            }
            Validity::Invalid { counterexample } => {
                assert!(!expected, "query {number}: {query:?}");
                invalid += 1;
                let Some(counterexample) = counterexample else { continue };
                told += 1;
                // What is not listed does not matter: it may be false, and true.
                for default in [false, true] {
                    let value = |i| {
                        let listed = counterexample.iter().find(|&&(x, _)| x == i);
                        listed.map_or(default, |&(_, value)| value)
                    };
                    assert!(refuted_by(&aig, &query, value), "query {number}: {query:?}");
                }
            }
            Validity::Unknown(reason) => panic!("query {number}: {reason}"),
        }
    }
    assert!(valid > queries / 10 && invalid > queries / 10, "{valid} valid, {invalid} not");
    invalid - told
}

/// The bits of a product, by adding up shifted factors.
fn product(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut sum = vec![Lit::FALSE; a.len() + b.len()];
    for (i, &b) in b.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for (k, sum) in sum.iter_mut().enumerate().skip(i) {
            let term = a.get(k - i).map_or(Lit::FALSE, |&a| aig.and(a, b));
            let half = aig.xor(*sum, term);
            let (both, more) = (aig.and(*sum, term), aig.and(half, carry));
            *sum = aig.xor(half, carry);
            carry = aig.or(both, more);
        }
    }
    sum
}

/// A valid query that takes every solver long: there is a number that is a * b and b * a.
fn hard_query(bits: usize) -> (Aig, ForallExists) {
    let mut aig = Aig::new();
    let mut number = |n: usize| -> Vec<Lit> { (0..n).map(|_| aig.new_input_lit()).collect() };
    let (a, b, found) = (number(bits), number(bits), number(2 * bits));
    let (one, other) = (product(&mut aig, &a, &b), product(&mut aig, &b, &a));
    let both = one.into_iter().chain(other).zip(found.iter().chain(&found).copied());
    let existentials = found.iter().filter_map(|&l| aig.as_input(l)).collect();
    let query = ForallExists { existentials, equalities: both.collect(), ..Default::default() };
    (aig, query)
}

/// Every solver stops soon after its budget, and can be used again.
fn respects_budgets(solver: &mut dyn QbfSolver) {
    let (mut aig, query) = random_query(&mut Random(7));
    let cancelled = Budget::unlimited();
    cancelled.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let answer = solver.solve(&mut aig, &query, &cancelled);
    assert_eq!(answer.validity, Validity::Unknown(Exhausted::Cancelled));

    let (mut aig, query) = hard_query(16);
    let start = Instant::now();
    let short = Budget::unlimited().with_time_limit(Duration::from_millis(300));
    let answer = solver.solve(&mut aig, &query, &short);
    assert_eq!(answer.validity, Validity::Unknown(Exhausted::Time));
    assert!(start.elapsed() < Duration::from_secs(5), "stops soon: {:?}", start.elapsed());

    agrees_with_enumeration(solver, 30, 0x5851_F42D_4C95_7F2D);
}

/// Disjunctions of universals that many lie between, all true or helped by an existential; unless
/// the query is to be valid, the first universal has to be true.
fn disjunctions(inputs: usize, between: usize, valid: bool) -> (Aig, ForallExists) {
    let mut aig = Aig::new();
    let xs: Vec<Lit> = (0..inputs).map(|_| aig.new_input_lit()).collect();
    let ys: Vec<Input> = (0..inputs).map(|_| aig.new_input()).collect();
    let mut query = ForallExists { existentials: ys.clone(), ..Default::default() };
    for k in 1..inputs {
        let one = aig.or(xs[(k + between) % inputs], xs[k]);
        let helped = aig.or(one, aig.input(ys[k]));
        query.conclusion.push(helped);
    }
    if !valid {
        query.conclusion.push(xs[0]);
    }
    (aig, query)
}

/// A solver serves queries of all sizes in turn.
fn serves_all_sizes(solver: &mut dyn QbfSolver) {
    for (number, inputs) in [900, 3, 200, 4, 450, 5, 20, 300, 6].into_iter().enumerate() {
        let (mut aig, query) = disjunctions(inputs, number + 1, number % 3 > 0);
        let answer = solver.solve(&mut aig, &query, &Budget::unlimited());
        assert_eq!(answer.validity == Validity::Valid, number % 3 > 0, "{inputs} inputs");
        agrees_with_enumeration(solver, 30, number as u64 + 77);
    }
}

/// All tests for one back end: that many random queries; how often it may tell no counterexample.
macro_rules! conformance {
    ($name:ident, $make:expr, $queries:expr, $silent:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn agrees_with_enumeration() {
                let Some(mut solver) = $make else { return skipped() };
                let silent =
                    super::agrees_with_enumeration(&mut *solver, $queries, 0x9E37_79B9_7F4A_7C15);
                assert!(silent <= $silent, "{silent} times no counterexample");
            }

            #[test]
            fn respects_budgets() {
                let Some(mut solver) = $make else { return skipped() };
                super::respects_budgets(&mut *solver);
            }

            #[test]
            fn serves_all_sizes() {
                let Some(mut solver) = $make else { return skipped() };
                super::serves_all_sizes(&mut *solver);
            }
        }
    };
}

fn skipped() {
    eprintln!("skipped: no depqbf on this machine");
}

fn chosen(backend: &str) -> Option<Box<dyn QbfSolver>> {
    let backend: Backend = backend.parse().expect("a back end");
    Some(backend.solver(1, hardbop_logic::sat::Backend::default(), Limits::default()))
}

/// A command line of DepQBF, where that is installed.
fn program(backend: &str) -> Option<Box<dyn QbfSolver>> {
    let mut help = Command::new("depqbf");
    help.arg("--help").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    help.status().ok()?;
    chosen(backend)
}

conformance!(embedded, chosen("embedded"), 3_000, 0);
conformance!(embedded_on_varisat, on_varisat(), 1_000, 0);
// Where no universal matters there is no `V` line to tell it by.
conformance!(process_with_file, program("cmd:depqbf --qdo {}"), 300, 60);
conformance!(process_with_input, program("cmd:depqbf"), 100, usize::MAX);
#[cfg(feature = "depqbf")]
conformance!(depqbf, chosen("depqbf"), 3_000, 0);
#[cfg(feature = "depqbf")]
conformance!(depqbf_fresh, fresh(), 1_500, 0);

#[cfg(feature = "depqbf")]
fn fresh() -> Option<Box<dyn QbfSolver>> {
    Some(Box::new(hardbop_qbf::DepQbf::fresh()))
}

fn on_varisat() -> Option<Box<dyn QbfSolver>> {
    Some(Backend::Embedded.solver(1, hardbop_logic::sat::Backend::Varisat, Limits::default()))
}

/// How many of the 2,000 queries the program gets: starting it takes longer than the answer.
const PROCESSES: usize = 250;

#[test]
fn all_solvers_agree() {
    let mut solvers = vec![("embedded", chosen("embedded"))];
    #[cfg(feature = "depqbf")]
    solvers.push(("depqbf", chosen("depqbf")));
    solvers.push(("process", program("cmd:depqbf {}")));
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for number in 0..2_000 {
        let (mut aig, query) = random_query(&mut random);
        let mut answers = Vec::new();
        for (name, solver) in &mut solvers {
            let Some(solver) = solver else { continue };
            if *name == "process" && number >= PROCESSES {
                continue;
            }
            let answer = solver.solve(&mut aig, &query, &Budget::unlimited());
            assert!(!matches!(answer.validity, Validity::Unknown(_)), "{name}: {answer:?}");
            answers.push((*name, answer.validity == Validity::Valid));
        }
        let same = answers.iter().all(|a| a.1 == answers[0].1);
        assert!(same, "query {number}: {answers:?}, {query:?}");
    }
}

#[test]
fn each_search_alone_agrees_with_enumeration() {
    for (expand, simplified, plain) in
        [(false, true, false), (false, false, true), (true, true, false), (false, true, true)]
    {
        let stages = Stages { expand, simplified, plain };
        let mut solver = Embedded::new(2).with_stages(stages);
        agrees_with_enumeration(&mut solver, 700, 0xD1B5_4A32_D192_ED03);
    }
}

#[test]
fn answers_are_reproducible() {
    for seed in [1, 2, 3] {
        let run = || {
            let mut random = Random(0xABCD_EF01);
            let mut solver = Embedded::new(seed);
            let answers: Vec<_> = (0..100)
                .map(|_| {
                    let (mut aig, query) = random_query(&mut random);
                    let a = solver.solve(&mut aig, &query, &Budget::unlimited());
                    (a.validity, a.decided_by, a.sat.calls)
                })
                .collect();
            (answers, solver.counters().iterations)
        };
        assert_eq!(run(), run());
    }
}

/// The counters are the sums over the answers; a refinement takes a proposal and an answer, each by
/// a SAT call; every stage decides what it can.
#[test]
fn counters_tell_what_was_done() {
    let mut random = Random(0x5DEE_CE66);
    let mut solver = Embedded::new(1);
    let mut decided = [0_u32; 4];
    let (mut calls, mut refined) = (0, 0);
    for number in 1..=400 {
        let before = solver.counters();
        let (mut aig, query) = random_query(&mut random);
        let answer = solver.solve(&mut aig, &query, &Budget::unlimited());
        decided[match answer.decided_by {
            DecidedBy::Structure => 0,
            DecidedBy::Simulation => 1,
            DecidedBy::Sat => 2,
            DecidedBy::Qbf => 3,
        }] += 1;
        let after = solver.counters();
        calls += answer.sat.calls;
        assert_eq!((after.queries, after.sat.calls), (number, calls), "{query:?}");
        let iterations = after.iterations - before.iterations;
        assert!(2 * iterations <= answer.sat.calls, "{iterations} refinements, {answer:?}");
        refined += iterations;
    }
    assert!(decided.iter().all(|&n| n > 0), "{decided:?}");
    assert!(refined > 0);
}
