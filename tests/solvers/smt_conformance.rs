//! What every SMT back end must do.  A new back end is one more line at the end.

use std::time::Duration;

use hardbop_base::budget::{Budget, Exhausted};
use hardbop_base::random::Random;
use hardbop_smt::z3::Core;
use hardbop_smt::{
    BitOp, Comparison, SmtAnswer, SmtError, SmtSolver, SolverKind, Sort, Term, Terms, Unknown,
    Value, Z3,
};

use crate::support::formulas::{build, generate, leaf_widths, leaves, naive};

fn check<S: SmtSolver>(solver: &mut S, terms: &Terms, assumptions: &[Term]) -> SmtAnswer {
    solver.check(terms, assumptions, &Budget::unlimited()).expect("the solver works")
}

/// Formulas over the Booleans and the narrowest vectors against all assignments.
fn agrees_with_enumeration<S: SmtSolver>(mut solver: S) {
    let mut random = Random::new(5);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let widths = leaf_widths();
    let mut answers = [0, 0];
    for round in 0..400 {
        let tree = generate(&mut random, 0, 2 + round % 4);
        let term = build(&mut terms, &leaves, &tree);
        let support = terms.support(term);
        let used: Vec<usize> =
            (0..leaves.len()).filter(|&i| support.contains(&leaves[i])).collect();
        let bits: u32 = used.iter().map(|&i| widths[i].max(1)).sum();
        if bits > 11 {
            continue;
        }
        let satisfiable = (0..1_u64 << bits).any(|mut code| {
            let mut values = vec![0; leaves.len()];
            for &i in &used {
                let width = widths[i].max(1);
                values[i] = i128::from(code & ((1 << width) - 1));
                code >>= width;
            }
            naive(&tree, &values) == 1
        });
        answers[usize::from(satisfiable)] += 1;
        solver.push().expect("a level");
        solver.assert(&terms, term).expect("a formula");
        let answer = check(&mut solver, &terms, &[]);
        let text = terms.display(term);
        assert_eq!(answer, if satisfiable { SmtAnswer::Sat } else { SmtAnswer::Unsat }, "{text}");
        if satisfiable {
            let values: Vec<(Term, Value)> =
                support.iter().map(|&l| (l, solver.value(&terms, l).expect("a model"))).collect();
            let leaf = |t| values.iter().find(|v| v.0 == t).map(|v| v.1);
            assert_eq!(terms.evaluate(term, &leaf), Some(Value::Bool(true)), "{text}");
            assert_eq!(solver.value(&terms, term), Ok(Value::Bool(true)), "{text}");
        }
        solver.pop().expect("a level");
    }
    assert!(answers[0] > 15 && answers[1] > 100, "{answers:?}");
}

/// The theory of bit-vectors is the same as ours: values of random terms.
fn agrees_on_values<S: SmtSolver>(mut solver: S) {
    let mut random = Random::new(6);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let widths = leaf_widths();
    for round in 0..150 {
        let width = [0, 1, 5, 8][round % 4];
        let tree = generate(&mut random, width, 4);
        let term = build(&mut terms, &leaves, &tree);
        solver.push().expect("a level");
        for (&l, &w) in leaves.iter().zip(&widths) {
            let value = match w {
                0 => Value::Bool(random.chance(50)),
                _ => Value::Bits(random.bits() & ((1 << w) - 1)),
            };
            let value = terms.constant(value, terms.sort(l));
            let fixed = terms.equal(l, value);
            solver.assert(&terms, fixed).expect("a formula");
        }
        assert_eq!(check(&mut solver, &terms, &[]), SmtAnswer::Sat);
        let values: Vec<(Term, Value)> =
            leaves.iter().map(|&l| (l, solver.value(&terms, l).expect("a model"))).collect();
        let leaf = |t| values.iter().find(|v| v.0 == t).map(|v| v.1);
        let want = terms.evaluate(term, &leaf).expect("all leaves have values");
        assert_eq!(solver.value(&terms, term), Ok(want), "{}", terms.display(term));
        solver.pop().expect("a level");
    }
}

fn cores_and_levels<S: SmtSolver>(mut solver: S) {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
    let (x, y) = (terms.variable(x), terms.instance(y, 4));
    let p = terms.symbol("p", Sort::Bool);
    let p = terms.variable(p);
    let (three, four, hundred) = (terms.bits(32, 3), terms.bits(32, 4), terms.bits(32, 100));
    let below = terms.compare(Comparison::SLt, x, three);
    let above = terms.compare(Comparison::SLt, four, x);
    let other = terms.compare(Comparison::ULt, y, hundred);
    assert_eq!(solver.value(&terms, x), Err(SmtError::NoModel));
    assert_eq!(solver.core(), Err(SmtError::NoCore));

    assert_eq!(check(&mut solver, &terms, &[below, other, above, p]), SmtAnswer::Unsat);
    let mut core = vec![below, above];
    core.sort_unstable();
    assert_eq!(solver.core(), Ok(core));
    assert_eq!(solver.value(&terms, x), Err(SmtError::NoModel));
    assert_eq!(check(&mut solver, &terms, &[below, other, p]), SmtAnswer::Sat);
    assert_eq!(solver.value(&terms, p), Ok(Value::Bool(true)));
    assert_eq!(solver.core(), Err(SmtError::NoCore));

    // Assumptions given inside of a level mean the same after it.
    solver.push().expect("a level");
    let not_p = terms.not(p);
    solver.assert(&terms, not_p).expect("a formula");
    let inner = terms.equal(x, hundred);
    assert_eq!(check(&mut solver, &terms, &[p]), SmtAnswer::Unsat);
    assert_eq!(solver.core(), Ok(vec![p]));
    assert_eq!(check(&mut solver, &terms, &[inner, below]), SmtAnswer::Unsat);
    assert_eq!(check(&mut solver, &terms, &[inner]), SmtAnswer::Sat);
    solver.pop().expect("a level");
    assert_eq!(check(&mut solver, &terms, &[p]), SmtAnswer::Sat);
    assert_eq!(check(&mut solver, &terms, &[inner, p]), SmtAnswer::Sat);
    assert_eq!(solver.value(&terms, x), Ok(Value::Bits(100)));
    assert_eq!(check(&mut solver, &terms, &[below, inner]), SmtAnswer::Unsat);
    assert!(solver.pop().is_err(), "there is no level left");
    assert_eq!(check(&mut solver, &terms, &[inner, p]), SmtAnswer::Sat);
}

/// A spent budget ends a hard check; the solver is as good as before.
fn budgets<S: SmtSolver>(mut solver: S) {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
    let (x, y) = (terms.variable(x), terms.variable(y));
    // The remainder is what it is defined to be, and so is its square; no solver sees that.
    let remainder = terms.binary(BitOp::URem, x, y);
    let quotient = terms.binary(BitOp::UDiv, x, y);
    let multiple = terms.binary(BitOp::Mul, quotient, y);
    let rest = terms.binary(BitOp::Sub, x, multiple);
    let squares = [remainder, rest].map(|t| terms.binary(BitOp::Mul, t, t));
    let (zero, one) = (terms.bits(32, 0), terms.bits(32, 1));
    let different = terms.distinct(squares[0], squares[1]);
    let divides = terms.distinct(y, zero);
    let hard = terms.and(&[different, divides]);
    let easy = terms.equal(x, one);
    let short = Budget::unlimited().with_time_limit(Duration::from_millis(100));
    let out = SmtAnswer::Unknown(Unknown::Exhausted(Exhausted::Time));
    assert_eq!(solver.check(&terms, &[hard], &short), Ok(out.clone()));
    assert_eq!(check(&mut solver, &terms, &[easy]), SmtAnswer::Sat);
    assert_eq!(solver.check(&terms, &[easy], &short), Ok(out));
    for _ in 0..5 {
        let short = Budget::unlimited().with_time_limit(Duration::from_millis(10));
        let _ = solver.check(&terms, &[hard], &short).expect("no error");
        assert_eq!(check(&mut solver, &terms, &[easy]), SmtAnswer::Sat);
        assert_eq!(solver.value(&terms, x), Ok(Value::Bits(1)));
    }

    let cancelled = Budget::unlimited();
    let flag = cancelled.cancel_flag();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let answer = solver.check(&terms, &[hard], &cancelled);
    assert_eq!(answer, Ok(SmtAnswer::Unknown(Unknown::Exhausted(Exhausted::Cancelled))));
    thread.join().expect("no panic");
}

fn same_again<S: SmtSolver>(new: impl Fn() -> S) {
    let run = || {
        let mut solver = new();
        let mut random = Random::new(9);
        let mut terms = Terms::new();
        let leaves = leaves(&mut terms);
        let mut out = Vec::new();
        for _ in 0..60 {
            let tree = generate(&mut random, 0, 5);
            let term = build(&mut terms, &leaves, &tree);
            if check(&mut solver, &terms, &[term]) == SmtAnswer::Sat {
                out.extend(leaves.iter().map(|&l| solver.value(&terms, l).expect("a model")));
            }
        }
        out
    };
    assert_eq!(run(), run());
}

/// Equations and disequations between sums and products of narrow numbers against all assignments:
/// asserted, asserted within a level, and assumed.
fn equations<S: SmtSolver>(new: impl Fn() -> S) {
    let mut random = Random::new(31);
    let mut answers = [0, 0];
    for round in 0..500 {
        let width = 1 + round % 3;
        let mut terms = Terms::new();
        let variables: Vec<Term> = (0..3)
            .map(|i| terms.symbol(&format!("x{i}"), Sort::Bits(width)))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|s| terms.variable(s))
            .collect();
        let number = |terms: &mut Terms, random: &mut Random| {
            let mut sum = terms.bits(width, random.below(8) as u64 & ((1 << width) - 1));
            for _ in 0..1 + random.below(3) {
                let mut part = variables[random.below(3)];
                if random.below(4) == 0 {
                    part = terms.binary(BitOp::Mul, part, variables[random.below(3)]);
                }
                let op = [BitOp::Add, BitOp::Sub, BitOp::Mul][random.below(5).saturating_sub(2)];
                sum = terms.binary(op, sum, part);
            }
            sum
        };
        let mut literals = vec![];
        for _ in 0..5 {
            let sides = [0; 2].map(|_| number(&mut terms, &mut random));
            let equal = terms.equal(sides[0], sides[1]);
            literals.push(if random.below(3) == 0 { terms.not(equal) } else { equal });
        }
        let either = terms.or(&literals[3..5]);
        let holds = |formulas: &[Term]| {
            (0..1_u64 << (3 * width)).any(|code| {
                let leaf = |t: Term| {
                    let at = variables.iter().position(|&v| v == t)? as u32;
                    Some(Value::Bits(code >> (at * width) & ((1 << width) - 1)))
                };
                formulas.iter().all(|&f| terms.evaluate(f, &leaf) == Some(Value::Bool(true)))
            })
        };
        let mut solver = new();
        let mut agree = |solver: &mut S, assumed: &[Term], all: &[Term]| {
            let expected = if holds(all) { SmtAnswer::Sat } else { SmtAnswer::Unsat };
            assert_eq!(check(solver, &terms, assumed), expected, "round {round}");
            answers[usize::from(expected == SmtAnswer::Sat)] += 1;
            if expected == SmtAnswer::Unsat && !assumed.is_empty() {
                let core = solver.core().expect("a core");
                let others: Vec<Term> =
                    all.iter().copied().filter(|f| !assumed.contains(f)).chain(core).collect();
                assert!(!holds(&others), "the core of round {round}");
            }
        };
        solver.assert(&terms, literals[0]).expect("a formula");
        solver.assert(&terms, literals[1]).expect("a formula");
        agree(&mut solver, &[], &literals[..2]);
        solver.push().expect("a level");
        solver.assert(&terms, literals[2]).expect("a formula");
        agree(&mut solver, &[either], &[literals[0], literals[1], literals[2], either]);
        agree(&mut solver, &literals[3..4], &literals[..4]);
        solver.pop().expect("a level");
        agree(&mut solver, &literals[3..], &[&literals[..2], &literals[3..]].concat());
        agree(&mut solver, &[either], &[literals[0], literals[1], either]);
    }
    assert!(answers[0] > 300 && answers[1] > 300, "{answers:?}");
}

#[test]
fn equations_by_circuits() {
    equations(|| SolverKind::Blast.solver().expect("our own"));
}

#[test]
fn equations_by_z3() {
    equations(|| Z3::new().expect("Z3 works"));
}

/// What linear equations of wide numbers say takes no search.
#[test]
fn equations_are_solved_without_search() {
    let mut terms = Terms::new();
    let [i, a, b] = ["i", "a", "b"].map(|name| {
        let symbol = terms.symbol(name, Sort::Bits(64));
        terms.variable(symbol)
    });
    let mut times = |factor, t| {
        let factor = terms.bits(64, factor);
        terms.binary(BitOp::Mul, factor, t)
    };
    let (twice, thrice) = (times(2, i), times(3, i));
    let sides = [times(3, a), times(2, b)];
    let known = [terms.equal(a, twice), terms.equal(b, thrice)];
    let asked = terms.equal(sides[0], sides[1]);
    let other = terms.not(asked);
    let mut solver = SolverKind::Blast.solver().expect("our own");
    solver.limit_conflicts(Some(1));
    assert_eq!(check(&mut solver, &terms, &[known[0], known[1], other]), SmtAnswer::Unsat);
    // The same sum, written otherwise.
    let (one, two) = (terms.bits(64, 1), terms.bits(64, 2));
    let (left, right) = (terms.binary(BitOp::Add, a, one), terms.binary(BitOp::Add, b, one));
    let (left, right) = (terms.binary(BitOp::Mul, left, b), terms.binary(BitOp::Mul, right, a));
    let left = terms.binary(BitOp::Sub, left, b);
    let right = terms.binary(BitOp::Sub, right, a);
    let both = terms.distinct(left, right);
    assert_eq!(check(&mut solver, &terms, &[both]), SmtAnswer::Unsat);
    // One of them is odd.
    let (even, odd) = (terms.binary(BitOp::Mul, a, two), terms.binary(BitOp::Mul, b, two));
    let odd = terms.binary(BitOp::Add, odd, one);
    let odd = terms.equal(even, odd);
    assert_eq!(check(&mut solver, &terms, &[odd]), SmtAnswer::Unsat);
}

macro_rules! conformance {
    ($($name:ident: $new:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn agrees_with_enumeration() {
                super::agrees_with_enumeration($new);
            }

            #[test]
            fn agrees_on_values() {
                super::agrees_on_values($new);
            }

            #[test]
            fn cores_and_levels() {
                super::cores_and_levels($new);
            }

            #[test]
            fn budgets() {
                super::budgets($new);
            }

            #[test]
            fn same_again() {
                super::same_again(|| $new);
            }
        }
    )*};
}

conformance! {
    bits: Z3::with_core(Core::Bits).expect("Z3 works");
    simple: Z3::with_core(Core::Simple).expect("Z3 works");
    general: Z3::with_core(Core::Default).expect("Z3 works");
}

#[test]
fn integers() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let (x, y) = (terms.variable(x), terms.variable(y));
    let (minus, big) = (terms.int(-1), terms.int(1 << 80));
    let twice = terms.int_scale(3, x);
    let sum = terms.int_add(&[twice, y]);
    let formulas = [terms.equal(sum, big), terms.equal(y, minus)];
    let mut solver = Z3::with_integers().expect("Z3 works");
    assert_eq!(check(&mut solver, &terms, &formulas), SmtAnswer::Unsat);
    let off = terms.int(-1 - (1 << 81));
    let other = terms.equal(y, off);
    assert_eq!(check(&mut solver, &terms, &[formulas[0], other]), SmtAnswer::Unsat);
    let off = terms.int(-(1 << 81));
    let other = terms.equal(y, off);
    assert_eq!(check(&mut solver, &terms, &[formulas[0], other]), SmtAnswer::Sat);
    assert_eq!(solver.value(&terms, x), Ok(Value::Int(1 << 80)));
}

#[test]
fn a_work_limit_ends_a_check() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bits(64)), terms.symbol("y", Sort::Bits(64)));
    let (x, y) = (terms.variable(x), terms.variable(y));
    let a = terms.binary(BitOp::UDiv, x, y);
    let b = terms.binary(BitOp::Mul, a, y);
    let hard = terms.compare(Comparison::ULt, x, b);
    let mut solver = Z3::new().expect("Z3 works");
    solver.set_work_limit(Some(1000)).expect("a limit");
    let answer = check(&mut solver, &terms, &[hard]);
    assert!(matches!(answer, SmtAnswer::Unknown(Unknown::Incomplete(_))), "{answer:?}");
}
