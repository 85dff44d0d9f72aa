//! Interpolation on the shapes of paths that programs have, and Z3's cores on incremental queries.
//!
//!     cargo run --release --example interpolation_bench
//!
//! Prints two tables in Markdown.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_refine::interpolate::{
    Interpolation, InterpolationEngine, InterpolationOptions, Strategy,
};
use hardbop_smt::z3::Core;
use hardbop_smt::{SmtAnswer, SmtSolver, Sort, Term, Z3};

#[path = "../tests/support/paths.rs"]
mod paths;

use paths::Maker;

const LIMIT: Duration = Duration::from_secs(30);

/// Seconds / different atoms over variables / atoms of the largest interpolant.
fn measure(m: &mut Maker, strategy: Strategy) -> String {
    let options = InterpolationOptions { strategy, ..InterpolationOptions::default() };
    let start = Instant::now();
    let mut engine = InterpolationEngine::new(options);
    let budget = Budget::unlimited().with_time_limit(LIMIT);
    let blocks = m.blocks.clone();
    let answer = engine.interpolate(&mut m.terms, &blocks, &budget).expect("Z3 works");
    let seconds = start.elapsed().as_secs_f64();
    let used = engine.statistics().attempts.iter().position(|a| a.used > 0);
    match answer {
        Interpolation::Interpolants(found) => {
            let each: Vec<Vec<Term>> = found.iter().map(|&t| m.terms.predicates(t)).collect();
            let all: BTreeSet<Term> = each.iter().flatten().copied().collect();
            let largest = each.iter().map(Vec::len).max().unwrap_or(0);
            let used = used.map_or(String::new(), |u| format!(" ({})", u + 1));
            format!("{seconds:.2} / {} / {largest}{used}", all.len())
        }
        Interpolation::Sat => "feasible?".to_owned(),
        Interpolation::Unknown(reason) => format!("{seconds:.2}: {reason}"),
    }
}

/// Checks as predicate abstraction asks them: blocks are asserted one after the other, each with
/// names for some atoms, and then asked for many combinations of these names.
fn incremental(m: &mut Maker, core: Core) -> String {
    let mut random = Random::new(1);
    let mut solver = Z3::with_core(core).expect("Z3 works");
    let start = Instant::now();
    let budget = Budget::unlimited().with_time_limit(LIMIT);
    let mut checks = 0;
    let blocks = m.blocks.clone();
    for block in &blocks {
        solver.push().expect("Z3 works");
        solver.assert(&m.terms, *block).expect("Z3 works");
        let mut names = Vec::new();
        for atom in m.terms.atoms(*block).into_iter().take(12) {
            let name = m.terms.fresh("name", Sort::Bool);
            let name = m.terms.variable(name);
            let definition = m.terms.iff(name, atom);
            solver.assert(&m.terms, definition).expect("Z3 works");
            names.push(name);
        }
        for _ in 0..40 {
            let mut chosen = random.sample(&names, 3);
            for literal in &mut chosen {
                if random.chance(50) {
                    *literal = m.terms.not(*literal);
                }
            }
            let answer = solver.check(&m.terms, &chosen, &budget).expect("Z3 works");
            if answer == SmtAnswer::Sat {
                for &name in &names {
                    solver.value(&m.terms, name).expect("a model");
                }
            }
            checks += 1;
        }
        solver.pop().expect("Z3 works");
    }
    let each = start.elapsed().as_secs_f64() / f64::from(checks.max(1)) * 1e6;
    let start = Instant::now();
    let _ = solver.check(&m.terms, &blocks, &budget).expect("Z3 works");
    format!("{each:.0} us, {:.2} s", start.elapsed().as_secs_f64())
}

type Family = (&'static str, fn() -> Maker);

fn main() {
    let families: [Family; 9] = [
        ("assignments, 60", || paths::assignments(60)),
        ("lock flags, 60", || paths::lock(60)),
        ("diamonds, 60", || paths::diamonds(60, false)),
        ("harder diamonds, 30", || paths::diamonds(30, true)),
        ("state machine, 10", || paths::machine(10)),
        ("state machine, 30", || paths::machine(30)),
        ("unsigned", paths::unsigned),
        ("bits", paths::bits),
        ("diamonds, 10", || paths::diamonds(10, false)),
    ];
    println!(
        "seconds / different atoms / atoms of the largest interpolant (strategy that found it)\n"
    );
    println!("| path of n blocks | auto | Spacer | projection |\n|---|---|---|---|");
    for (name, make) in families {
        let cells = [Strategy::Auto, Strategy::Spacer, Strategy::Projection]
            .map(|s| measure(&mut make(), s))
            .join(" | ");
        println!("| {name} | {cells} |");
    }
    println!("\ntime of an incremental check, and of the whole path\n");
    println!("| path | bit-vector core | SMT core | Z3's choice |\n|---|---|---|---|");
    for (name, make) in families {
        let cells = [Core::Bits, Core::Simple, Core::Default]
            .map(|c| incremental(&mut make(), c))
            .join(" | ");
        println!("| {name} | {cells} |");
    }
}
