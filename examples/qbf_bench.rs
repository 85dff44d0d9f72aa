//! Measures the embedded 2QBF solver against DepQBF on random circuit queries.
//!
//! `cargo run --release --example qbf_bench -- [--seed S] [--count N] [--limit SECONDS]
//! [--sizes 20,60,...] [--family name] [--configurations all,...] [--no-depqbf] [--verbose]`
//!
//! Prints PAR-2 (unsolved queries count twice the limit) for each solver, family and size.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hardbop::budget::Budget;
use hardbop::logic::{Aig, Input, Lit};
use hardbop::qbf::{Embedded, ForallExists, QbfSolver, Stages, Validity};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A literal of the pool; the youngest half is preferred, so circuits get deep.
    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let n = pool.len();
        let i = if self.flip() { n / 2 + self.below(n - n / 2) } else { self.below(n) };
        pool[i].xor_sign(self.flip())
    }

    /// Adds random gates to the pool.
    fn gates(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, gates: usize) {
        let end = aig.len() + gates;
        while aig.len() < end {
            let (a, b, c) = (self.pick(pool), self.pick(pool), self.pick(pool));
            let l = match self.below(6) {
                0 | 1 => aig.and(a, b),
                2 | 3 => aig.or(a, b),
                4 => aig.xor(a, b),
                _ => aig.ite(a, b, c),
            };
            if !l.is_constant() {
                pool.push(l);
            }
        }
    }
}

fn inputs(aig: &mut Aig, n: usize) -> (Vec<Input>, Vec<Lit>) {
    let inputs: Vec<Input> = (0..n).map(|_| aig.new_input()).collect();
    let lits = inputs.iter().map(|&i| aig.input(i)).collect();
    (inputs, lits)
}

/// How queries are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Two unrelated circuits: is every output vector of one an output vector of the other?
    Random,
    /// An old summary that merges two cases under a selector; the new one is one of them.
    Merged,
    /// The same, but the new one is either of them, by a condition of its own.
    Mixed,
    /// As `Merged`, but the new one differs in one gate.
    Mutated,
    /// Equation 8 on path edges: entry variables are bare inputs on both sides, outputs are
    /// circuits over them and inner choices; the new edge specialises some choices of the old.
    PathEdge,
}

const FAMILIES: [Family; 5] =
    [Family::Random, Family::Merged, Family::Mixed, Family::Mutated, Family::PathEdge];

fn query(family: Family, gates: usize, seed: u64) -> (Aig, ForallExists) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut aig = Aig::new();
    let width = 4 + gates.isqrt();
    let mut query = ForallExists::default();
    match family {
        Family::Random => {
            let (_, mut xs) = inputs(&mut aig, width);
            let (ys, mut y_pool) = inputs(&mut aig, 2 * width);
            random.gates(&mut aig, &mut xs, gates / 2);
            random.gates(&mut aig, &mut y_pool, gates / 2);
            query.existentials = ys;
            query.premise.push(random.pick(&xs));
            query.conclusion.push(random.pick(&y_pool));
            for _ in 0..width / 2 {
                query.equalities.push((random.pick(&xs), random.pick(&y_pool)));
            }
        }
        Family::Merged | Family::Mixed | Family::Mutated => {
            // A summary: values of variables over choices.
            let build = |aig: &mut Aig, seed: u64, gates: usize, leaves: &[Lit]| -> Vec<Lit> {
                let mut random = Random(seed | 1);
                let mut pool = leaves.to_vec();
                random.gates(aig, &mut pool, gates);
                (0..width).map(|_| random.pick(&pool)).collect()
            };
            let (first, second) = (random.0 ^ 0xABCD, random.0 ^ 0x1234_5678);
            let (_, xs) = inputs(&mut aig, width);
            let (a_in, a) = inputs(&mut aig, width);
            let (b_in, b) = inputs(&mut aig, width);
            let (c_in, c) = inputs(&mut aig, 1);
            let mut new = build(&mut aig, first, gates / 3, &xs);
            if family == Family::Mixed {
                let other = build(&mut aig, second, gates / 3, &xs);
                let condition = aig.xor(xs[0], xs[1]);
                for (value, other) in new.iter_mut().zip(other) {
                    *value = aig.ite(condition, *value, other);
                }
            }
            let old_a = build(&mut aig, first, gates / 3, &a);
            let old_b = build(&mut aig, second, gates / 3, &b);
            query.existentials = [a_in, b_in, c_in].concat();
            let changed = random.below(width);
            for k in 0..width {
                let merged = aig.ite(c[0], old_a[k], old_b[k]);
                let mut value = new[k];
                if family == Family::Mutated && k == changed {
                    let other = random.pick(&new);
                    value = aig.and(value, other);
                }
                query.equalities.push((value, merged));
            }
        }
        Family::PathEdge => {
            let (_, entry1) = inputs(&mut aig, width);
            let (_, choice1) = inputs(&mut aig, width);
            let (entry_in, entry2) = inputs(&mut aig, width);
            let (choice_in, choice2) = inputs(&mut aig, width);
            query.existentials = [entry_in, choice_in].concat();
            let structure = random.0 ^ 0x5555;
            let mut build = |entry: &[Lit], choice: &[Lit]| -> Vec<Lit> {
                let mut random = Random(structure | 1);
                let mut pool = [entry, choice].concat();
                random.gates(&mut aig, &mut pool, gates / 2);
                (0..=width).map(|_| random.pick(&pool)).collect()
            };
            // The new edge has some of its choices replaced by others of them.
            let mut special = choice1.clone();
            for k in 0..width / 2 {
                special[k] = choice1[(k + 1) % width].xor_sign(random.flip());
            }
            let new = build(&entry1, &special);
            let old = build(&entry2, &choice2);
            query.premise.push(new[width]);
            query.conclusion.push(old[width]);
            query.equalities.extend(entry1.iter().copied().zip(entry2));
            query.equalities.extend(new.into_iter().zip(old).take(width));
        }
    }
    (aig, query)
}

/// DepQBF's answer; `None` where it ran out of time.
fn depqbf(aig: &mut Aig, query: &ForallExists, limit: Duration) -> std::io::Result<Option<bool>> {
    let mut text = Vec::new();
    query.to_qdimacs(aig, &mut text)?;
    let mut child = Command::new("depqbf")
        .arg(limit.as_secs().max(1).to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(&text)?;
    }
    Ok(match child.wait()?.code() {
        Some(10) => Some(true),
        Some(20) => Some(false),
        _ => None,
    })
}

#[derive(Default, Clone, Copy)]
struct Score {
    par2: f64,
    solved: usize,
    valid: usize,
}

impl Score {
    fn add(&mut self, answer: Option<bool>, time: Duration, limit: Duration) {
        match answer {
            Some(valid) => {
                self.par2 += time.as_secs_f64();
                self.solved += 1;
                self.valid += usize::from(valid);
            }
            None => self.par2 += 2.0 * limit.as_secs_f64(),
        }
    }
}

fn main() -> std::io::Result<()> {
    let mut seed = 1;
    let mut count = 5;
    let mut limit = 5;
    let mut sizes = vec![20, 60, 200, 600, 2000];
    let mut families = FAMILIES.to_vec();
    let mut chosen = vec!["all".to_owned()];
    let mut with_depqbf = true;
    let mut verbose = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|v| v.parse().ok()).unwrap_or(1_u64);
        match argument.as_str() {
            "--seed" => seed = number(),
            "--count" => count = number(),
            "--limit" => limit = number(),
            "--no-depqbf" => with_depqbf = false,
            "--verbose" => verbose = true,
            "--sizes" => {
                let list = arguments.next().unwrap_or_default();
                sizes = list.split(',').filter_map(|v| v.parse().ok()).collect();
            }
            "--family" => {
                let name = arguments.next().unwrap_or_default().to_lowercase();
                families.retain(|f| format!("{f:?}").to_lowercase() == name);
            }
            "--configurations" => {
                let list = arguments.next().unwrap_or_default();
                chosen = list.split(',').map(str::to_owned).collect();
            }
            other => eprintln!("ignored: {other}"),
        }
    }
    let limit = Duration::from_secs(limit);
    let stages = |expand, simplified, plain| Stages { expand, simplified, plain };
    let configurations: Vec<(&str, Stages)> = [
        ("all", stages(true, true, true)),
        ("no-expand", stages(false, true, true)),
        ("simplified", stages(true, true, false)),
        ("plain", stages(false, false, true)),
    ]
    .into_iter()
    .filter(|(name, _)| chosen.iter().any(|c| c == name))
    .collect();
    let mut total = vec![Score::default(); configurations.len() + 1];
    println!("PAR-2 in seconds (solved), {count} queries each, limit {} s", limit.as_secs());
    for &family in &families {
        for &gates in &sizes {
            let mut row = vec![Score::default(); configurations.len() + 1];
            for k in 0..count {
                let number = seed * 1_000_003 + k * 7919 + gates as u64;
                let (aig, query) = query(family, gates, number);
                let mut answers = Vec::new();
                for (score, (name, stages)) in row.iter_mut().zip(&configurations) {
                    let mut aig = aig.clone();
                    let mut solver = Embedded::new(seed).with_stages(*stages);
                    let budget = Budget::unlimited().with_time_limit(limit);
                    let start = Instant::now();
                    let answer = solver.solve(&mut aig, &query, &budget);
                    let time = start.elapsed();
                    let value = match answer.validity {
                        Validity::Valid => Some(true),
                        Validity::Invalid { .. } => Some(false),
                        Validity::Unknown(_) => None,
                    };
                    score.add(value, time, limit);
                    answers.push(value);
                    if verbose {
                        let iterations = solver.counters().iterations;
                        println!(
                            "  {family:?} {gates} #{k} {name}: {value:?} by {:?}, {iterations} \
                             iterations, {time:.3?}",
                            answer.decided_by
                        );
                    }
                }
                if with_depqbf {
                    let mut aig = aig.clone();
                    let start = Instant::now();
                    let value = depqbf(&mut aig, &query, limit)?;
                    let time = start.elapsed();
                    row[configurations.len()].add(value, time, limit);
                    answers.push(value);
                    if verbose {
                        println!("  {family:?} {gates} #{k} depqbf: {value:?}, {time:.3?}");
                    }
                }
                let mut known = answers.iter().flatten();
                if let Some(first) = known.next()
                    && known.any(|other| other != first)
                {
                    println!("DISAGREEMENT: {family:?} {gates} #{k}: {answers:?}");
                }
            }
            print!("{:>10} {gates:>5}", format!("{family:?}"));
            for (k, score) in row.iter().enumerate() {
                let name = configurations.get(k).map_or("depqbf", |c| c.0);
                print!("  {name} {:8.2} ({}, {} valid)", score.par2, score.solved, score.valid);
                total[k].par2 += score.par2;
                total[k].solved += score.solved;
            }
            println!();
        }
    }
    print!("{:>16}", "total");
    for (k, score) in total.iter().enumerate() {
        let name = configurations.get(k).map_or("depqbf", |c| c.0);
        print!("  {name} {:8.2} ({})", score.par2, score.solved);
    }
    println!();
    Ok(())
}
