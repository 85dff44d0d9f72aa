//! Options in all combinations, on programs whose verdict is known: none of them is wrong,
//! contradicts another, or has its proof rejected.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::Check;
use hardbop_base::random::Random;
use hardbop_base::source::Source;
use hardbop_c::lower::Model;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property, on_large_stack, parse};
use hardbop_refine::block::operator::Blocks;
use hardbop_refine::cegar::{Algorithm, Order, PredicateSource};
use hardbop_refine::predicate::{Abstraction, Scope};
use hardbop_smt::SolverKind;
use hardbop_verify::{CProgram, Options, Outcome, Route, check};

use crate::support::c::narrowed::{LARGE, programs, truths};
use crate::support::c::number;
use crate::support::shared;

/// Work of a check, so that a busy machine decides as many as another one; and how long it may take
/// at all.
const WORK: u64 = 2_000;
const TIME: Duration = Duration::from_secs(20);

fn one<T: Copy>(random: &mut Random, all: &[T]) -> T {
    random.pick(all).expect("there are some")
}

/// Options that a user may combine.
fn options(random: &mut Random) -> (Options, Property) {
    let mut options = Options::default();
    let some = NonZeroU32::new(1 + random.below(12) as u32);
    let analysis = &mut options.analysis;
    analysis.algorithm = one(
        random,
        &[
            Algorithm::Predicate,
            Algorithm::Auto,
            Algorithm::Impact,
            Algorithm::ImpactAbstract,
            Algorithm::ImpactOriginal,
        ],
    );
    analysis.blocks = one(
        random,
        &[
            Blocks::Single,
            Blocks::Large,
            Blocks::Functions(None),
            Blocks::Functions(some),
            Blocks::Loops(None),
            Blocks::Loops(some),
            Blocks::Edges(some.expect("it is not 0")),
        ],
    );
    analysis.forced_covering = random.chance(30);
    analysis.order = one(random, &[Order::Dfs, Order::Bfs, Order::Topological]);
    analysis.abstraction = one(random, &[Abstraction::Boolean, Abstraction::Cartesian]);
    analysis.scope = one(random, &[Scope::Global, Scope::Function, Scope::Location]);
    analysis.refinement = one(random, &[PredicateSource::Auto, PredicateSource::Interpolants]);
    analysis.solver =
        one(random, &[SolverKind::Blast, SolverKind::Blast, SolverKind::Z3, SolverKind::Linear]);
    analysis.explicit_states = one(random, &[0, 20, 2_000, 2_000]);
    options.executions = one(random, &[0, 0, 10, 1_000]);
    options.memory = one(random, &[Model::Regions, Model::Regions, Model::Havoc, Model::OneCell]);
    options.route = one(random, &[Route::Auto, Route::Auto, Route::Tree, Route::Bp]);
    options.malloc_may_fail = random.chance(20);
    options.engine.threads = NonZeroUsize::new(1 + random.below(2)).expect("it is not 0");
    let mut property = Property::default();
    for (check, percent) in [(Check::Overflow, 10), (Check::Bounds, 15), (Check::Null, 15)] {
        property.checks.set(check, random.chance(percent));
    }
    (options, property)
}

/// `Some(true)`: UNSAFE.  `None`: not known.
fn verdict(text: &str, (options, property): (&Options, &Property), work: u64) -> Option<bool> {
    let reading = ParseOptions {
        model: Some(DataModel::Lp64),
        property: property.clone(),
        ..ParseOptions::default()
    };
    let budget = Budget::unlimited().with_time_limit(TIME).trial(work);
    let source = Source::new("p.c", text);
    let checked = || {
        let flow = parse(source, &reading).unwrap_or_else(|d| panic!("{d:#?}\n{text}"));
        check(CProgram::new(&flow), options, &budget, &mut ())
    };
    let report = on_large_stack(checked).expect("a thread");
    let report = report.unwrap_or_else(|e| panic!("{e}\n{options:#?}\n{property:?}\n{text}"));
    match report.outcome {
        Outcome::Safe(_) => Some(false),
        Outcome::Unsafe(_) => Some(true),
        Outcome::Unknown(_) => None,
    }
}

/// Programs that are not random, with their verdicts: the papers' locks and simplified drivers.
fn written() -> Vec<(String, bool)> {
    let Some(shared) = shared() else { return vec![] };
    ["ntdrivers-simplified", "locks"]
        .iter()
        .flat_map(|folder| texts(&shared.join("benchmarks/c").join(folder)))
        .collect()
}

/// The programs of a folder whose names say what they are, in order.
fn texts(folder: &Path) -> Vec<(String, bool)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let known = paths.into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?;
        let is_unsafe = name.ends_with(".unsafe.c");
        (is_unsafe || name.ends_with(".safe.c"))
            .then(|| (std::fs::read_to_string(&path).expect("a text"), is_unsafe))
    });
    known.collect()
}

/// Set `HARDBOP_PROGRAMS` for more, `HARDBOP_SEED` for others.
#[test]
fn no_combination_is_wrong() {
    let (count, seed) = (number("HARDBOP_PROGRAMS", 100), number("HARDBOP_SEED", 1) as u64);
    eprintln!("seed {seed}");
    let mut random = Random::new(seed);
    let made = programs(&mut random, count.div_ceil(2), LARGE);
    let truths = truths(&made);
    let written = written();
    let mut decided = 0;
    for i in 0..count {
        let (options, property) = options(&mut random);
        let (text, is_unsafe, all) = match random.chance(60) || written.is_empty() {
            true => {
                let at = random.below(made.len());
                (&made[at].text, truths[at], made[at].is_exhausted())
            }
            false => {
                let (text, is_unsafe) = &written[random.below(written.len())];
                (text, *is_unsafe, true)
            }
        };
        let found = verdict(text, (&options, &property), WORK);
        // Another property has other errors.
        let is_own = property == Property::default();
        match found {
            Some(false) => assert!(!is_unsafe, "{i}: it is unsafe\n{options:#?}\n{text}"),
            Some(true) => {
                assert!(is_unsafe || !is_own || !all, "{i}: it is safe\n{options:#?}\n{text}");
            }
            None => continue,
        }
        decided += 1;
    }
    eprintln!("{decided} of {count} decided");
    assert!(decided * 2 >= count, "{decided} of {count}");
}
