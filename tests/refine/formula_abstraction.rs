//! The abstraction of random formulas against enumeration of all values.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_refine::predicate::Abstraction;
use hardbop_refine::predicate::formula::{FormulaError, abstraction, abstraction_of_text};
use hardbop_smt::{BitOp, Comparison, Purpose, SolverKind, Solvers, Sort, Term, Terms, Value};

const WIDTH: u32 = 3;
const VARIABLES: usize = 3;
const PREDICATES: usize = 5;

fn solvers() -> Solvers {
    Solvers::new(SolverKind::default(), None, Purpose::Abstraction)
}

fn atom(terms: &mut Terms, random: &mut Random, variables: &[Term]) -> Term {
    let mut side = |terms: &mut Terms| {
        let a = variables[random.below(VARIABLES)];
        let b = variables[random.below(VARIABLES)];
        let constant = terms.bits(WIDTH, random.below(8) as u64);
        match random.below(4) {
            0 => terms.binary(BitOp::Add, a, b),
            1 => terms.binary(BitOp::And, a, constant),
            2 => constant,
            _ => a,
        }
    };
    let (a, b) = (side(terms), side(terms));
    match random.below(3) {
        0 => terms.equal(a, b),
        1 => terms.compare(Comparison::ULt, a, b),
        _ => terms.compare(Comparison::SLe, a, b),
    }
}

/// Over all values of the variables: the formula's rows of predicate values, and whether each
/// abstraction is as strong as can be.
#[test]
fn abstractions_of_formulas_are_the_strongest() {
    let (mut unsatisfiable, mut apart) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let symbols: Vec<_> =
            (0..VARIABLES).map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(WIDTH))).collect();
        let variables: Vec<Term> = symbols.iter().map(|&s| terms.variable(s)).collect();
        let parts: Vec<Term> = (0..4).map(|_| atom(&mut terms, &mut random, &variables)).collect();
        let left = terms.or(&parts[..2]);
        let formula = terms.and(&[left, parts[2], parts[3]]);
        // Constants and repetitions among them are welcome.
        let predicates: Vec<Term> =
            (0..PREDICATES).map(|_| atom(&mut terms, &mut random, &variables)).collect();
        let budget = Budget::unlimited();
        let ask = |terms: &mut Terms, kind| {
            abstraction(terms, formula, &predicates, kind, solvers(), &budget).expect("an answer")
        };
        let boolean = ask(&mut terms, Abstraction::Boolean);
        let cartesian = ask(&mut terms, Abstraction::Cartesian);

        let mut states = vec![];
        for number in 0..1_u64 << (WIDTH * VARIABLES as u32) {
            let of = |t: Term| {
                let leaf = |leaf: Term| {
                    let i = variables.iter().position(|&v| v == leaf)?;
                    Some(Value::Bits(number >> (i as u32 * WIDTH) & 7))
                };
                terms.evaluate(t, &leaf).expect("all are known") == Value::Bool(true)
            };
            let row: Vec<bool> = predicates.iter().map(|&p| of(p)).collect();
            states.push((row, of(formula), of(boolean), of(cartesian)));
        }
        let rows: Vec<&Vec<bool>> = states.iter().filter(|s| s.1).map(|s| &s.0).collect();
        unsatisfiable += u32::from(rows.is_empty());
        for (row, _, boolean, cartesian) in &states {
            assert_eq!(*boolean, rows.contains(&row), "{seed}: {row:?}");
            let literals = (0..PREDICATES).all(|i| rows.iter().any(|r| r[i] == row[i]));
            assert_eq!(*cartesian, literals && !rows.is_empty(), "{seed}, Cartesian: {row:?}");
            apart += u32::from(boolean != cartesian);
        }
    }
    assert!(unsatisfiable > 0 && apart > 100, "{unsatisfiable} unsatisfiable, {apart} apart");
}

fn of_text(declarations: &str, formula: &str, predicates: &str) -> Result<String, FormulaError> {
    let (kind, budget) = (Abstraction::Cartesian, Budget::unlimited());
    abstraction_of_text(declarations, formula, predicates, kind, solvers(), &budget)
}

#[test]
fn texts_are_read_and_mistakes_named() {
    let x = "(declare-const x (_ BitVec 8)) (declare-fun |a b| () Bool) ; both kinds";
    let found = of_text(x, "(and |a b| (bvult x #x05))", "|a b| (bvult x #x09) (= x #x01)");
    assert_eq!(found.as_deref(), Ok("(and |a b| (bvult x #x09))"));
    let wrong = |declarations, formula, predicates| {
        of_text(declarations, formula, predicates).expect_err("a mistake").to_string()
    };
    assert_eq!(wrong(x, "(= y x)", ""), "formula: there is no variable 'y'");
    assert_eq!(wrong(x, "true", "x"), "predicates: it is a (_ BitVec 8), not a formula");
    assert_eq!(wrong(x, "(foo x)", ""), "formula: unknown operator 'foo'");
    assert_eq!(
        wrong("(declare-const x (_ BitVec 65))", "true", ""),
        "declarations: bit-vectors have 1 to 64 bits"
    );
    assert_eq!(
        wrong("(declare-const x Bool) (declare-const x (_ BitVec 2))", "x", ""),
        "declarations: 'x' is declared already, with another sort"
    );
    for text in ["(declare-const", "x", "(declare-const x Int)", "(declare-fun f (Bool) Bool)"] {
        let message = wrong(text, "true", "");
        assert!(message.contains("expected"), "{text}: {message}");
    }
}

#[test]
fn a_budget_that_is_spent_is_an_error() {
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let x = "(declare-const x (_ BitVec 64))";
    let (formula, predicates) =
        ("(= (bvmul x x) #x0000000000000011)", "(bvult x #x0000000000001000)");
    let kind = Abstraction::Boolean;
    let found = abstraction_of_text(x, formula, predicates, kind, solvers(), &budget);
    assert!(matches!(found, Err(FormulaError::Abstraction(_))), "{found:?}");
}
