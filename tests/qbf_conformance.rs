//! What every 2QBF solver must do, by comparison with enumeration on small random queries.

use std::io::Write;
use std::process::{Command, Stdio};

use hardbop::budget::{Budget, Exhausted};
use hardbop::logic::{Aig, Input, Lit};
use hardbop::qbf::{Embedded, ForallExists, QbfSolver, Stages, Validity};

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

fn agrees_with_enumeration<Q: QbfSolver>(mut make: impl FnMut() -> Q, queries: usize, seed: u64) {
    let mut random = Random(seed);
    let (mut valid, mut invalid) = (0, 0);
    for number in 0..queries {
        let (mut aig, query) = random_query(&mut random);
        let expected = is_valid(&aig, &query);
        let answer = make().solve(&mut aig, &query, &Budget::unlimited());
        match answer.validity {
            Validity::Valid => {
                assert!(expected, "query {number}: {query:?}");
                valid += 1;
            }
            Validity::Invalid { counterexample } => {
                assert!(!expected, "query {number}: {query:?}");
                let listed: Vec<Input> = counterexample.iter().map(|&(i, _)| i).collect();
                assert_eq!(listed, query.universals(&aig), "every universal, in order");
                assert!(
                    refuted_by(&aig, &query, |i| counterexample.contains(&(i, true))),
                    "query {number}: {query:?}"
                );
                invalid += 1;
            }
            Validity::Unknown(reason) => panic!("query {number}: {reason}"),
        }
    }
    assert!(valid > queries / 10 && invalid > queries / 10, "{valid} valid, {invalid} not");
}

#[test]
fn embedded_agrees_with_enumeration() {
    agrees_with_enumeration(|| Embedded::new(1), 3_000, 0x9E37_79B9_7F4A_7C15);
}

#[test]
fn each_search_alone_agrees_with_enumeration() {
    for (expand, simplified, plain) in
        [(false, true, false), (false, false, true), (true, true, false), (false, true, true)]
    {
        let stages = Stages { expand, simplified, plain };
        agrees_with_enumeration(
            || Embedded::new(2).with_stages(stages),
            700,
            0xD1B5_4A32_D192_ED03,
        );
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

#[test]
fn spent_budgets_are_reported() {
    let (mut aig, query) = random_query(&mut Random(7));
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let answer = Embedded::new(0).solve(&mut aig, &query, &budget);
    assert_eq!(answer.validity, Validity::Unknown(Exhausted::Cancelled));
}

/// DepQBF's answer, or nothing where it is not installed.
fn depqbf(aig: &mut Aig, query: &ForallExists) -> Option<bool> {
    let mut child = Command::new("depqbf")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut text = Vec::new();
    query.to_qdimacs(aig, &mut text).expect("a vector takes everything");
    // Dropping the pipe ends the input.
    child.stdin.take().expect("piped").write_all(&text).expect("the solver reads its input");
    match child.wait().expect("the solver ends").code() {
        Some(10) => Some(true),
        Some(20) => Some(false),
        other => panic!("unexpected exit of the solver: {other:?}"),
    }
}

#[test]
fn embedded_agrees_with_depqbf() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for number in 0..250 {
        let (mut aig, query) = random_query(&mut random);
        let answer = Embedded::new(3).solve(&mut aig, &query, &Budget::unlimited());
        let Some(expected) = depqbf(&mut aig, &query) else {
            eprintln!("skipped: no depqbf on this machine");
            return;
        };
        assert_eq!(answer.validity == Validity::Valid, expected, "query {number}: {query:?}");
    }
}
