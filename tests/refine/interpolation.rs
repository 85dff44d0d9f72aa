//! Sequences of interpolants against their definition.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_refine::interpolate::{
    Interpolation, InterpolationEngine, InterpolationOptions, Strategy,
};
use hardbop_smt::{SmtAnswer, SmtSolver, Term, Terms, Z3};

use crate::support::paths::Maker;

fn engine(strategy: Strategy) -> InterpolationEngine {
    let options = InterpolationOptions { strategy, ..InterpolationOptions::default() };
    InterpolationEngine::new(options)
}

fn unsatisfiable(solver: &mut Z3, terms: &Terms, formulas: &[Term]) -> bool {
    match solver.check(terms, formulas, &Budget::unlimited()) {
        Ok(SmtAnswer::Unsat) => true,
        Ok(SmtAnswer::Sat) => false,
        other => panic!("{other:?}"),
    }
}

/// The definition, without anything of the engine.
fn assert_interpolants(m: &mut Maker, found: &[Term]) {
    let mut solver = Z3::new().expect("Z3 works");
    let (terms, blocks) = (&mut m.terms, &m.blocks);
    assert_eq!(found.len(), blocks.len() - 1);
    for i in 0..blocks.len() {
        let before = if i == 0 { terms.bool(true) } else { found[i - 1] };
        let after = found.get(i).copied().unwrap_or(terms.bool(false));
        let not_after = terms.not(after);
        let text = format!("{} / {}", terms.display(before), terms.display(after));
        assert!(unsatisfiable(&mut solver, terms, &[before, blocks[i], not_after]), "{i}: {text}");
    }
    for (i, &t) in found.iter().enumerate() {
        let (left, right) = (terms.support_of(&blocks[..=i]), terms.support_of(&blocks[i + 1..]));
        for leaf in terms.support(t) {
            let shared = left.contains(&leaf) && right.contains(&leaf);
            assert!(shared, "{} in {}", terms.display(leaf), terms.display(t));
        }
    }
}

/// Interpolates with the strategy; all must be well.
fn interpolate(m: &mut Maker, strategy: Strategy) -> (Vec<Term>, InterpolationEngine) {
    let mut engine = engine(strategy);
    let blocks = m.blocks.clone();
    let answer = engine.interpolate(&mut m.terms, &blocks, &Budget::unlimited());
    match answer.expect("no error") {
        Interpolation::Interpolants(found) => {
            assert_interpolants(m, &found);
            (found, engine)
        }
        other => panic!("{other:?} {:?}", engine.statistics()),
    }
}

#[test]
fn small_programs_by_every_strategy() {
    for strategy in [Strategy::Auto, Strategy::Spacer, Strategy::Projection] {
        interpolate(&mut crate::support::paths::assignments(6), strategy);
        interpolate(&mut crate::support::paths::lock(6), strategy);
        interpolate(&mut crate::support::paths::unsigned(), strategy);
        interpolate(&mut crate::support::paths::bits(), strategy);
    }
}

#[test]
fn large_blocks() {
    for strategy in [Strategy::Auto, Strategy::Spacer] {
        interpolate(&mut crate::support::paths::diamonds(5, false), strategy);
        interpolate(&mut crate::support::paths::diamonds(5, true), strategy);
        interpolate(&mut crate::support::paths::machine(6), strategy);
    }
}

/// Spacer finds the relation that holds at all cut points, not the values.
#[test]
fn predicates_are_general() {
    let mut m = crate::support::paths::assignments(6);
    let (found, engine) = interpolate(&mut m, Strategy::Auto);
    for t in found {
        assert_eq!(m.terms.support(t).len(), 2, "{}", m.terms.display(t));
    }
    assert_eq!(engine.statistics().attempts[0].used, 1);
    let mut m = crate::support::paths::lock(6);
    let (found, _) = interpolate(&mut m, Strategy::Auto);
    for t in found {
        let text = m.terms.display(t).to_string();
        assert!(text == "true" || text == "false" || text.contains("lock"), "{text}");
    }
}

#[test]
fn random_paths() {
    let mut random = Random::new(11);
    let strategies = [Strategy::Auto, Strategy::Projection, Strategy::Spacer];
    let (mut infeasible, mut unknown) = (0, [0; 3]);
    for _ in 0..100 {
        let mut m = crate::support::paths::random(&mut random);
        let blocks = m.blocks.clone();
        let mut solver = Z3::new().expect("Z3 works");
        let unsat = unsatisfiable(&mut solver, &m.terms, &blocks);
        infeasible += usize::from(unsat);
        for (k, strategy) in strategies.into_iter().enumerate() {
            let mut engine = engine(strategy);
            let answer = engine.interpolate(&mut m.terms, &blocks, &Budget::unlimited());
            match answer.expect("no error") {
                Interpolation::Interpolants(found) => {
                    assert!(unsat);
                    assert_interpolants(&mut m, &found);
                }
                Interpolation::Sat => assert!(!unsat),
                Interpolation::Unknown(reason) => {
                    assert!(unsat, "{reason} {strategy:?}");
                    println!("{:#?}", engine.statistics());
                    unknown[k] += 1;
                }
            }
        }
    }
    println!("{infeasible} infeasible, unknown {unknown:?}");
    assert!(infeasible > 40, "{infeasible}");
    assert!(unknown[0] * 50 <= infeasible, "{unknown:?} of {infeasible}");
}

#[test]
fn feasible_and_trivial_paths() {
    let mut m = crate::support::paths::assignments(3);
    m.blocks.pop();
    let blocks = m.blocks.clone();
    let budget = Budget::unlimited();
    let mut engine = engine(Strategy::Auto);
    assert_eq!(engine.interpolate(&mut m.terms, &blocks, &budget), Ok(Interpolation::Sat));
    assert_eq!(engine.interpolate(&mut m.terms, &[], &budget), Ok(Interpolation::Sat));
    let (yes, no) = (m.terms.bool(true), m.terms.bool(false));
    let answer = engine.interpolate(&mut m.terms, &[blocks[0], no, blocks[1]], &budget);
    assert_eq!(answer, Ok(Interpolation::Interpolants(vec![yes, no])));
    assert_eq!(
        engine.interpolate(&mut m.terms, &[no], &budget),
        Ok(Interpolation::Interpolants(vec![]))
    );
}

#[test]
fn a_spent_budget_ends_it() {
    let mut m = crate::support::paths::assignments(3);
    let blocks = m.blocks.clone();
    let budget = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    let answer = engine(Strategy::Auto).interpolate(&mut m.terms, &blocks, &budget);
    assert!(matches!(answer, Ok(Interpolation::Unknown(_))), "{answer:?}");
}

#[test]
fn the_same_in_every_run() {
    let run = || {
        let mut texts = Vec::new();
        for mut m in [
            crate::support::paths::diamonds(4, true),
            crate::support::paths::machine(5),
            crate::support::paths::assignments(5),
        ] {
            let (found, _) = interpolate(&mut m, Strategy::Auto);
            texts.extend(found.into_iter().map(|t| m.terms.display(t).to_string()));
        }
        texts
    };
    assert_eq!(run(), run());
}
