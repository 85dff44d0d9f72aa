//! What every SAT back end must do.  A new back end is one more line at the end.

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::sat::cadical::Profile;
use hardbop_logic::sat::{Backend, Cadical, CircuitSolver, SatLit, SatResult, SatSolver, Varisat};
use hardbop_logic::{Aig, Input, Lit};

fn variables<S: SatSolver>(solver: &mut S, n: usize) -> Vec<SatLit> {
    (0..n).map(|_| solver.new_variable()).collect()
}

fn solve<S: SatSolver>(solver: &mut S, assumptions: &[SatLit]) -> SatResult {
    solver.solve(assumptions, None, &Budget::unlimited())
}

/// `holes + 1` pigeons in `holes` holes.
fn pigeons<S: SatSolver>(solver: &mut S, holes: usize) {
    let at: Vec<Vec<SatLit>> = (0..=holes).map(|_| variables(solver, holes)).collect();
    for pigeon in &at {
        solver.add_clause(pigeon);
    }
    for (p, later) in at.iter().enumerate() {
        for earlier in &at[..p] {
            for (a, b) in later.iter().zip(earlier) {
                solver.add_clause(&[-a, -b]);
            }
        }
    }
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn empty_and_contradiction<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
    let v = variables(&mut solver, 2);
    assert_eq!(v, [1, 2], "variables are numbered from 1");
    solver.add_clause(&[]);
    assert_eq!(solve(&mut solver, &[]), SatResult::Unsat);
    assert_eq!(solve(&mut solver, &[v[0]]), SatResult::Unsat, "and stays so");
}

fn models_and_assumptions<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    let v = variables(&mut solver, 4);
    solver.add_clause(&[v[0], v[1]]);
    solver.add_clause(&[-v[0], v[2]]);
    assert_eq!(solve(&mut solver, &[-v[1]]), SatResult::Sat);
    assert_eq!(solver.value(v[0]), Some(true));
    assert_eq!(solver.value(-v[0]), Some(false));
    assert_eq!(solver.value(v[2]), Some(true));
    assert_eq!(solver.value(-v[1]), Some(true));
    // Assumptions are forgotten.
    assert_eq!(solve(&mut solver, &[-v[2]]), SatResult::Sat);
    assert_eq!(solver.value(v[1]), Some(true));
    assert_eq!(solver.value(v[0]), Some(false));
}

fn cores<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    let v = variables(&mut solver, 5);
    solver.add_clause(&[-v[0], v[1]]);
    solver.add_clause(&[-v[1], v[2]]);
    assert_eq!(solve(&mut solver, &[v[3], v[0], -v[4], -v[2]]), SatResult::Unsat);
    assert!(solver.failed(v[0]) && solver.failed(-v[2]));
    assert!(!solver.failed(v[3]) && !solver.failed(-v[4]));
    assert!(!solver.failed(v[1]), "not an assumption");
    // Contradicting assumptions.
    assert_eq!(solve(&mut solver, &[v[3], -v[3]]), SatResult::Unsat);
    assert!(solver.failed(v[3]) || solver.failed(-v[3]));
    assert_eq!(solve(&mut solver, &[v[0]]), SatResult::Sat, "not unsatisfiable for good");
}

fn incremental_use<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    let v = variables(&mut solver, 3);
    // An activation literal guards a clause.
    solver.add_clause(&[-v[2], v[0]]);
    solver.add_clause(&[-v[0], v[1]]);
    assert_eq!(solve(&mut solver, &[v[2], -v[1]]), SatResult::Unsat);
    assert_eq!(solve(&mut solver, &[-v[1]]), SatResult::Sat);
    solver.add_clause(&[-v[2]]);
    let more = solver.new_variable();
    solver.add_clause(&[v[1], more]);
    assert_eq!(solve(&mut solver, &[-v[1]]), SatResult::Sat);
    assert_eq!(solver.value(more), Some(true));
    solver.add_clause(&[-more]);
    assert_eq!(solve(&mut solver, &[-v[1]]), SatResult::Unsat);
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
}

fn stale_questions<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    let v = variables(&mut solver, 2);
    assert!(!solver.failed(v[0]), "no call yet");
    solver.add_clause(&[v[0]]);
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
    solver.add_clause(&[v[1]]);
    // No model any more; must not bring the process down.
    let _ = solver.value(v[0]);
    let _ = solver.failed(v[0]);
}

fn conflict_limits<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    pigeons(&mut solver, 7);
    assert_eq!(solver.solve(&[], Some(5), &Budget::unlimited()), SatResult::ConflictLimit);
    // The limit was for that call only.
    assert_eq!(solve(&mut solver, &[]), SatResult::Unsat);
}

/// A call that is given up leaves a solver that has forgotten nothing.
fn use_after_a_limit<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    let guard = solver.new_variable();
    let holes = 7;
    let at: Vec<Vec<SatLit>> = (0..=holes).map(|_| variables(&mut solver, holes)).collect();
    for pigeon in &at {
        let clause: Vec<SatLit> = pigeon.iter().copied().chain([-guard]).collect();
        solver.add_clause(&clause);
    }
    for (p, later) in at.iter().enumerate() {
        for earlier in &at[..p] {
            later.iter().zip(earlier).for_each(|(a, b)| solver.add_clause(&[-a, -b]));
        }
    }
    for _ in 0..3 {
        let limited = solver.solve(&[guard], Some(5), &Budget::unlimited());
        assert_eq!(limited, SatResult::ConflictLimit);
        assert_eq!(solver.value(guard), None, "there is no model");
        assert!(!solver.failed(guard), "nor a core");
        // Easy without the guard: within a limit, too.
        let free = solver.solve(&[at[0][0], at[1][1]], Some(1_000), &Budget::unlimited());
        assert_eq!(free, SatResult::Sat);
        assert_eq!(solver.value(at[0][0]), Some(true));
        assert_eq!(solver.value(at[1][0]), Some(false));
        let extra = solver.new_variable();
        solver.add_clause(&[-extra, guard]);
        solver.add_clause(&[-extra, -guard]);
        assert_eq!(solve(&mut solver, &[at[2][2], extra]), SatResult::Unsat);
        assert!(solver.failed(extra) && !solver.failed(at[2][2]));
    }
    assert_eq!(solve(&mut solver, &[at[3][3], guard]), SatResult::Unsat);
    assert!(solver.failed(guard));
    assert_eq!(solve(&mut solver, &[]), SatResult::Sat);
}

fn budgets<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut solver = make();
    pigeons(&mut solver, 12);
    let spent = Budget::unlimited().with_time_limit(std::time::Duration::ZERO);
    assert_eq!(solver.solve(&[], None, &spent), SatResult::Unknown(Exhausted::Time));
    let cancelled = Budget::unlimited();
    cancelled.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(solver.solve(&[], None, &cancelled), SatResult::Unknown(Exhausted::Cancelled));
    // In the midst of a hard call.
    let short = Budget::unlimited().with_time_limit(std::time::Duration::from_millis(100));
    let start = std::time::Instant::now();
    assert_eq!(solver.solve(&[], None, &short), SatResult::Unknown(Exhausted::Time));
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "stops soon");
}

fn random_formulas<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut state = 0x2545_F491_4F6C_DD1D;
    for _ in 0..300 {
        let mut solver = make();
        let v = variables(&mut solver, 7);
        let mut clauses: Vec<Vec<SatLit>> = Vec::new();
        for _ in 0..3 {
            for _ in 0..next(&mut state) % 12 {
                let clause: Vec<SatLit> = (0..1 + next(&mut state) % 3)
                    .map(|_| {
                        let l = v[(next(&mut state) % 7) as usize];
                        if next(&mut state) & 1 == 1 { l } else { -l }
                    })
                    .collect();
                solver.add_clause(&clause);
                clauses.push(clause);
            }
            let assumptions = [v[(next(&mut state) % 7) as usize], -v[0]];
            let holds = |l: SatLit, row: u32| (row >> (l.abs() - 1) & 1 == 1) == (l > 0);
            let expected = (0..1 << 7).any(|row| {
                assumptions.iter().all(|&a| holds(a, row))
                    && clauses.iter().all(|c| c.iter().any(|&l| holds(l, row)))
            });
            match solve(&mut solver, &assumptions) {
                SatResult::Sat => {
                    assert!(expected);
                    let on = |l: SatLit| solver.value(l).unwrap_or(false);
                    for c in &clauses {
                        assert!(c.iter().any(|&l| if l > 0 { on(l) } else { !on(-l) }));
                    }
                }
                SatResult::Unsat => {
                    assert!(!expected);
                    // The core alone is enough.
                    let core: Vec<SatLit> =
                        assumptions.iter().copied().filter(|&a| solver.failed(a)).collect();
                    assert_eq!(solve(&mut solver, &core), SatResult::Unsat);
                }
                other => panic!("no limit was given: {other:?}"),
            }
        }
    }
}

/// Random 3-SAT near the threshold in portions, under limits that are often reached: an answer is
/// that of a fresh CaDiCaL without limits.
fn random_limits<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut state = 0xD1B5_4A32_D192_ED03;
    let (mut answers, mut limited) = (0, 0);
    for _ in 0..12 {
        let (mut solver, mut reference) = (make(), Cadical::new());
        let v = variables(&mut solver, 90);
        variables(&mut reference, 90);
        for portion in 0..8 {
            for _ in 0..if portion == 0 { 300 } else { 14 } {
                let clause: Vec<SatLit> = (0..3)
                    .map(|_| {
                        let l = v[(next(&mut state) % 90) as usize];
                        if next(&mut state) & 1 == 1 { l } else { -l }
                    })
                    .collect();
                solver.add_clause(&clause);
                reference.add_clause(&clause);
            }
            let assumptions = [v[(next(&mut state) % 90) as usize], -v[0]];
            let limit = 1 + (next(&mut state) % 60) as u32;
            let answer = solver.solve(&assumptions, Some(limit), &Budget::unlimited());
            if answer == SatResult::ConflictLimit {
                limited += 1;
                continue;
            }
            answers += 1;
            assert_eq!(answer, solve(&mut reference, &assumptions));
            if answer == SatResult::Unsat {
                let core: Vec<SatLit> =
                    assumptions.iter().copied().filter(|&a| solver.failed(a)).collect();
                assert_eq!(solve(&mut reference, &core), SatResult::Unsat);
            }
        }
    }
    assert!(answers > 10 && limited > 10, "{answers} answers, {limited} calls given up");
}

/// Circuits: every literal of a random graph is satisfiable as often as enumeration says, in one
/// solver that is never restarted.
fn circuits<S: SatSolver>(mut make: impl FnMut() -> S) {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    for _ in 0..40 {
        let mut aig = Aig::new();
        let mut solver = CircuitSolver::new(make());
        let inputs: Vec<Input> = (0..5).map(|_| aig.new_input()).collect();
        let mut pool: Vec<Lit> = inputs.iter().map(|&i| aig.input(i)).collect();
        let mut fact = Lit::TRUE;
        for round in 0..20 {
            let mut pick = || {
                let l = pool[(next(&mut state) % pool.len() as u64) as usize];
                l.xor_sign(next(&mut state) & 1 == 1)
            };
            let (a, b, c) = (pick(), pick(), pick());
            let l = match round % 3 {
                0 => aig.and(a, b),
                1 => aig.xor(a, b),
                _ => aig.ite(a, b, c),
            };
            pool.push(l);
            if round % 7 == 6 {
                solver.assert_clause(&aig, None, [a, l]);
                let clause = aig.or(a, l);
                fact = aig.and(fact, clause);
            }
            let table = [0xAAAA_AAAA_u64, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000];
            let values = aig.simulate(&[fact, l, c], |i| table[i.0 as usize]);
            let expected = (values[0] & values[1] & !values[2]) as u32 != 0;
            match solver.solve(&aig, &[l, !c], &Budget::unlimited()) {
                SatResult::Sat => {
                    assert!(expected);
                    let model = |i: Input| solver.value(&aig, i);
                    assert_eq!(aig.evaluate(&[fact, l, c], model), [true, true, false]);
                }
                SatResult::Unsat => assert!(!expected),
                other => panic!("no limit was given: {other:?}"),
            }
        }
        assert_eq!(solver.effort().calls, 20);
        // An assertion behind an activation literal holds only while that is assumed.
        let guard = solver.activation();
        solver.assert_clause(&aig, Some(guard), [!fact]);
        solver.assert(&aig, fact);
        assert_eq!(
            solver.solve_with(&[guard], None, &Budget::unlimited()),
            SatResult::Unsat,
            "the guarded clause contradicts the fact"
        );
    }
}

/// All tests for one back end.
macro_rules! conformance {
    ($name:ident, $make:expr) => {
        mod $name {
            use super::*;
            conformance!(@each $make; empty_and_contradiction models_and_assumptions cores
                incremental_use stale_questions conflict_limits use_after_a_limit budgets random_formulas random_limits circuits);
        }
    };
    (@each $make:expr; $($test:ident)*) => {
        $(#[test] fn $test() { super::$test($make) })*
    };
}

conformance!(cadical, Cadical::new);
conformance!(cadical_plain, || Cadical::with_profile(Profile::Plain));
conformance!(varisat, Varisat::new);
conformance!(chosen_cadical, || Backend::Cadical.solver());
conformance!(chosen_varisat, || Backend::Varisat.solver());
