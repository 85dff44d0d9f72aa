//! Predicates out of formulas, and queries as text.

use hardbop_base::budget::Budget;
use hardbop_base::random::Random;
use hardbop_smt::linear::Linear;
use hardbop_smt::smtlib::script;
use hardbop_smt::z3::Core;
use hardbop_smt::{BitOp, Comparison, Node, SmtAnswer, SmtSolver, Sort, Term, Terms, Value, Z3};

use crate::support::formulas::{build, generate, leaves};

fn variable(terms: &mut Terms, name: &str, sort: Sort) -> Term {
    let symbol = terms.symbol(name, sort);
    terms.variable(symbol)
}

fn texts(terms: &Terms, all: &[Term]) -> Vec<String> {
    all.iter().map(|&t| terms.display(t).to_string()).collect()
}

#[test]
fn atoms_of_a_formula() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bits(32)), terms.symbol("y", Sort::Bits(32)));
    let (x, y) = (terms.instance(x, 3), terms.instance(y, 5));
    let p = variable(&mut terms, "p", Sort::Bool);
    let (three, four) = (terms.bits(32, 3), terms.bits(32, 4));
    let less = terms.compare(Comparison::SLt, x, y);
    let at = terms.equal(x, three);
    let same = terms.iff(p, at);
    let not_same = terms.not(same);
    let all = terms.and(&[less, not_same]);
    let found = terms.predicates(all);
    let mut found = texts(&terms, &found);
    found.sort();
    assert_eq!(found, ["(= x #x00000003)", "(bvslt x y)", "p"]);

    // An ite between numbers, inside of a sum.
    let c = terms.compare(Comparison::SLt, y, four);
    let choice = terms.ite(c, x, y);
    let sum = terms.binary(BitOp::Add, choice, four);
    let atom = terms.compare(Comparison::SLt, sum, x);
    let found = terms.predicates(atom);
    let mut found = texts(&terms, &found);
    found.sort();
    let wanted = [
        "(bvslt (bvadd x #x00000004) x)",
        "(bvslt (bvadd y #x00000004) x)",
        "(bvslt y #x00000004)",
    ];
    assert_eq!(found, wanted);
}

/// A formula is a Boolean combination of its atoms: with their values known, so is its own.
#[test]
fn atoms_decide_the_formula() {
    let mut random = Random::new(3);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let mut solver = Z3::new().expect("Z3 works");
    let mut lifted = 0;
    for _ in 0..150 {
        let tree = generate(&mut random, 0, 5);
        let formula = build(&mut terms, &leaves, &tree);
        let atoms = terms.atoms(formula);
        for &a in &atoms {
            assert!(matches!(
                terms.node(a),
                Node::Variable(_) | Node::Instance(..) | Node::Compare(..) | Node::Equal(..)
            ));
            let subterms = terms.postorder(&[a], |_| false);
            let ites = subterms.iter().any(|&t| matches!(terms.node(t), Node::Ite(..)));
            assert!(!ites || subterms.len() > 8, "{}", terms.display(a));
        }
        lifted += usize::from(
            terms
                .postorder(&[formula], |_| false)
                .iter()
                .any(|&t| matches!(terms.node(t), Node::Ite(..)) && terms.sort(t) != Sort::Bool),
        );
        // Two copies of the leaves that agree on all atoms agree on the formula.
        let prime = |terms: &mut Terms, t: Term| {
            terms.substitute(t, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(s) | Node::Instance(s, _) => Some(terms.instance(s, 99)),
                _ => None,
            })
        };
        let other = prime(&mut terms, formula);
        let mut all = vec![terms.distinct(formula, other)];
        for a in atoms {
            let b = prime(&mut terms, a);
            all.push(terms.iff(a, b));
        }
        let answer = solver.check(&terms, &all, &Budget::unlimited());
        assert_eq!(answer, Ok(SmtAnswer::Unsat), "{}", terms.display(formula));
    }
    assert!(lifted > 5, "{lifted}");
}

#[test]
fn a_script() {
    let mut terms = Terms::new();
    let x = variable(&mut terms, "main::x", Sort::Bits(32));
    let y = terms.symbol("a b", Sort::Bits(32));
    let y = terms.instance(y, 2);
    let sum = terms.binary(BitOp::Add, x, y);
    let product = terms.binary(BitOp::Mul, sum, sum);
    let five = terms.bits(32, 5);
    let less = terms.compare(Comparison::ULe, product, five);
    let wanted = "\
(set-logic QF_BV)
(declare-const |main::x| (_ BitVec 32))
(declare-const |a b@2| (_ BitVec 32))
(define-fun ?0 () (_ BitVec 32) (bvadd |main::x| |a b@2|))
(assert (bvult (bvmul ?0 ?0) #x00000006))
(check-sat)
";
    assert_eq!(script(&terms, &[less]), wanted);
}

/// Z3's own reader agrees with the translation.
#[test]
fn scripts_ask_the_same() {
    let mut random = Random::new(4);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let budget = Budget::unlimited();
    let mut counts = [0, 0];
    let mut ask = |terms: &Terms, formulas: &[Term]| {
        let mut solver = Z3::with_core(Core::Simple).expect("Z3 works");
        let direct = solver.check(terms, formulas, &budget).expect("no error");
        let mut reader = Z3::with_core(Core::Simple).expect("Z3 works");
        let text = script(terms, formulas);
        reader.assert_text(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let read = reader.check(terms, &[], &budget).expect("no error");
        assert_eq!(read, direct, "{text}");
        counts[usize::from(read == SmtAnswer::Sat)] += 1;
    };
    for round in 0..60 {
        let formulas: Vec<Term> = (0..3)
            .map(|_| {
                let tree = generate(&mut random, 0, 2 + round % 4);
                build(&mut terms, &leaves, &tree)
            })
            .collect();
        ask(&terms, &formulas);
        let (_, integers) = Linear::translate(&mut terms, &formulas);
        ask(&terms, &integers);
    }
    for m in [crate::support::paths::machine(4), crate::support::paths::diamonds(4, true)] {
        ask(&m.terms, &m.blocks);
    }
    assert!(counts[0] > 10 && counts[1] > 10, "{counts:?}");
}

#[test]
fn text_that_is_no_script_is_an_error() {
    let mut solver = Z3::new().expect("Z3 works");
    assert!(solver.assert_text("(assert (= x").is_err());
    assert!(solver.assert_text("(assert nothing)").is_err());
}

/// Where nothing wraps around, integers and bit-vectors agree, there and back.
#[test]
fn linear_readings() {
    let mut terms = Terms::new();
    let (x, y) =
        (variable(&mut terms, "x", Sort::Bits(32)), variable(&mut terms, "y", Sort::Bits(32)));
    let (u, c) =
        (variable(&mut terms, "u", Sort::Bits(32)), variable(&mut terms, "c", Sort::Bits(8)));
    let minus = terms.bits(32, u64::MAX);
    let seven = terms.bits(32, 7);
    let large = terms.bits(32, 4_000_000_000);
    let less = terms.binary(BitOp::Add, y, minus);
    let wide = terms.sign_extend(32, c);
    let twice = terms.binary(BitOp::Mul, wide, seven);
    let sum = terms.binary(BitOp::Add, x, twice);
    let formulas = [
        terms.compare(Comparison::SLt, x, less),
        terms.compare(Comparison::SLt, sum, seven),
        terms.compare(Comparison::ULt, u, large),
        terms.equal(x, minus),
        terms.compare(Comparison::SLe, x, y),
    ];
    let (linear, images) = Linear::translate(&mut terms, &formulas);
    assert!(linear.abstracted().is_empty());
    let mut random = Random::new(8);
    for (&formula, &image) in formulas.iter().zip(&images) {
        let back = linear.back(&mut terms, image).expect("linear");
        for _ in 0..200 {
            let small = |r: &mut Random| (r.below(20) as u64).wrapping_sub(10) & 0xffff_ffff;
            let values = [
                (x, small(&mut random)),
                (y, small(&mut random)),
                (u, random.bits() & 0xffff_ffff),
                (c, small(&mut random) & 255),
            ];
            let leaf = |t| values.iter().find(|v| v.0 == t).map(|v| Value::Bits(v.1));
            let whole = |t: Term| {
                let origin = linear.origin(t)?;
                let value = values.iter().find(|v| v.0 == origin)?.1;
                Some(linear.read(&terms, origin, value))
            };
            let truth = terms.evaluate(formula, &leaf);
            assert!(truth.is_some());
            assert_eq!(terms.evaluate(image, &whole), truth, "{}", terms.display(image));
            assert_eq!(terms.evaluate(back, &leaf), truth, "{}", terms.display(back));
        }
    }

    // What is not linear is a number of its own, which stands for the term.
    let square = terms.binary(BitOp::Mul, x, x);
    let atom = terms.compare(Comparison::SLt, square, seven);
    let (linear, images) = Linear::translate(&mut terms, &[atom]);
    assert_eq!(linear.abstracted(), [square]);
    assert_eq!(linear.back(&mut terms, images[0]), Some(atom));
}
