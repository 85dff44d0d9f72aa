//! Simplified terms mean what the naive reading of the operators says.

use hardbop_base::random::Random;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Term, Terms, Value};

use crate::support::formulas::{WIDTHS, as_number, build, generate, leaf_widths, leaves, naive};

#[test]
fn constructors_keep_the_meaning() {
    let mut random = Random::new(1);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let widths = leaf_widths();
    for round in 0..20_000 {
        let width = if round % 2 == 0 { 0 } else { WIDTHS[round / 2 % WIDTHS.len()] };
        let tree = generate(&mut random, width, 1 + round % 5);
        let term = build(&mut terms, &leaves, &tree);
        for _ in 0..6 {
            let values: Vec<i128> = widths
                .iter()
                .map(|&w| i128::from(random.bits() & if w == 0 { 1 } else { (1 << w) - 1 }))
                .collect();
            let leaf = |t: Term| {
                let i = leaves.iter().position(|&l| l == t)?;
                let v = values[i] as u64;
                Some(if widths[i] == 0 { Value::Bool(v == 1) } else { Value::Bits(v) })
            };
            let (got, want) = (as_number(terms.evaluate(term, &leaf)), naive(&tree, &values));
            assert_eq!(got, Some(want), "{tree:?}\n{}\n{values:?}", terms.display(term));
            // Substitution of the values must come to the same constant.
            let constant = terms.substitute(term, |terms, l| {
                let (value, sort) = (leaf(l)?, terms.sort(l));
                Some(terms.constant(value, sort))
            });
            assert_eq!(as_number(terms.value(constant)), Some(want), "{}", terms.display(term));
        }
    }
}

#[test]
fn normal_forms_hold() {
    let mut random = Random::new(2);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    for round in 0..3000 {
        let tree = generate(&mut random, 0, 1 + round % 6);
        let term = build(&mut terms, &leaves, &tree);
        for t in terms.postorder(&[term], |_| false) {
            let constant = |t: &Term| terms.node(*t).is_constant();
            let fine = match terms.node(t) {
                Node::Compare(op, a, _) => {
                    matches!(op, Comparison::ULt | Comparison::SLt) && !constant(a)
                }
                Node::Not(a) => !matches!(terms.node(*a), Node::Not(_)),
                Node::And(all) | Node::Or(all) => {
                    all.len() > 1
                        && all.windows(2).all(|p| p[0] < p[1])
                        && !all.iter().any(constant)
                }
                Node::Equal(a, _) => !constant(a),
                Node::Ite(c, a, b) => !constant(c) && a != b,
                _ => true,
            };
            assert!(fine, "{}", terms.display(t));
        }
    }
}

/// C's `int` out of a comparison, compared with 0 again, and the like: nothing is left of it.
#[test]
fn what_lowering_produces_vanishes() {
    let mut terms = Terms::new();
    let (x, c, d) = (
        terms.symbol("x", Sort::Bits(32)),
        terms.symbol("c", Sort::Bool),
        terms.symbol("d", Sort::Bool),
    );
    let (x, c, d) = (terms.variable(x), terms.variable(c), terms.variable(d));
    let (zero, one) = (terms.bits(32, 0), terms.bits(32, 1));
    let as_int = |terms: &mut Terms, c| terms.ite(c, one, zero);

    let int_c = as_int(&mut terms, c);
    assert_eq!(terms.distinct(int_c, zero), c);
    let not_c = terms.not(c);
    assert_eq!(terms.equal(int_c, zero), not_c);

    // !!c, then c && d as numbers.
    let negated = terms.equal(int_c, zero);
    let negated = as_int(&mut terms, negated);
    assert_eq!(terms.equal(negated, zero), c);
    let int_d = as_int(&mut terms, d);
    let both = terms.equal(int_c, int_d);
    assert_eq!(both, terms.iff(c, d));

    // A bit widened twice, and a sum narrowed again.
    let bits: Vec<Term> = (0..2).map(|k| terms.bits(1, k)).collect();
    let bit = terms.ite(c, bits[1], bits[0]);
    let wide = terms.zero_extend(8, bit);
    let wide = terms.sign_extend(32, wide);
    assert_eq!(terms.distinct(wide, zero), c);
    let small = terms.extract(7, 0, x);
    let promoted = terms.sign_extend(32, small);
    let sum = terms.binary(BitOp::Add, promoted, one);
    let back = terms.extract(7, 0, sum);
    let one8 = terms.bits(8, 1);
    assert_eq!(back, terms.binary(BitOp::Add, small, one8));

    // x < 5, x <= 4, !(4 < x), !(x >= 5) are one atom.
    let (four, five) = (terms.bits(32, 4), terms.bits(32, 5));
    let atom = terms.compare(Comparison::SLt, x, five);
    assert_eq!(terms.compare(Comparison::SLe, x, four), atom);
    let more = terms.compare(Comparison::SLt, four, x);
    assert_eq!(terms.not(more), atom);
    let more = terms.compare(Comparison::SLe, five, x);
    assert_eq!(terms.not(more), atom);
}

/// Wide constants: what fits into 64 bits only just.
#[test]
fn sixty_four_bits() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bits(64));
    let x = terms.variable(x);
    let ones = terms.bits(64, u64::MAX);
    assert_eq!(terms.binary(BitOp::And, x, ones), x);
    let y = terms.binary(BitOp::Add, x, ones);
    let one = terms.bits(64, 1);
    assert_eq!(terms.binary(BitOp::Add, y, one), x);
    let least = terms.bits(64, 1 << 63);
    let below = terms.compare(Comparison::SLt, x, least);
    assert_eq!(below, terms.bool(false));
    let minus = terms.binary(BitOp::SDiv, least, ones);
    assert_eq!(minus, least);
}

#[test]
fn integers() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let (x, y) = (terms.variable(x), terms.variable(y));
    let five = terms.int(5);
    let a = terms.int_add(&[x, y, five]);
    let twice = terms.int_scale(2, a);
    let minus = terms.int_scale(-2, x);
    let sum = terms.int_add(&[twice, minus]);
    assert_eq!(terms.display(sum).to_string(), "(+ (* 2 y) 10)");
    let three = terms.int(3);
    let leaf = |t| Some(Value::Int(if t == x { 7 } else { -3 }));
    assert_eq!(terms.evaluate(sum, &leaf), Some(Value::Int(4)));
    let le = terms.int_le(sum, three);
    assert_eq!(terms.evaluate(le, &leaf), Some(Value::Bool(false)));
    let lt = terms.int_lt(three, sum);
    assert_eq!(terms.not(lt), le);
    // Beyond 128 bits nothing is folded, and nothing has a value.
    let huge = terms.int(i128::MAX);
    let beyond = terms.int_add(&[huge, huge]);
    assert_eq!(terms.evaluate(beyond, &leaf), None);
}

/// Terms 100,000 deep need no stack.
#[test]
fn depth_is_no_limit() {
    let mut terms = Terms::new();
    let s = terms.symbol("s", Sort::Bits(32));
    let mut t = terms.variable(s);
    for k in 0..100_000 {
        let c = terms.symbol(&format!("c{k}"), Sort::Bool);
        let c = terms.variable(c);
        let x = terms.instance(s, k);
        let sum = terms.binary(BitOp::Add, t, x);
        t = terms.ite(c, sum, x);
    }
    assert_eq!(terms.support(t).len(), 200_001);
    let renamed = terms.substitute(t, |terms, l| match *terms.node(l) {
        Node::Instance(s, k) => Some(terms.instance(s, k + 1)),
        _ => None,
    });
    assert_ne!(renamed, t);
    let leaf = |l| Some(if l == t { Value::Bits(0) } else { Value::Bits(1) });
    let truth = |l: Term| match terms.sort(l) {
        Sort::Bool => Some(Value::Bool(true)),
        _ => leaf(l),
    };
    assert_eq!(terms.evaluate(renamed, &truth), Some(Value::Bits(100_001)));
    assert!(terms.display(renamed).to_string().len() > 1_000_000);
}

#[test]
fn names() {
    let mut terms = Terms::new();
    let a = terms.fresh("tmp", Sort::Bool);
    let b = terms.fresh("tmp", Sort::Bool);
    assert_eq!((terms.name(a), terms.name(b)), ("tmp#0", "tmp#1"));
    assert_eq!(terms.symbol("tmp#0", Sort::Bool), a);
    let odd = terms.symbol("s->state", Sort::Bits(8));
    let dotted = terms.symbol("main::a b|c", Sort::Bits(8));
    let (odd, dotted) = (terms.instance(odd, 2), terms.variable(dotted));
    let atom = terms.compare(Comparison::ULe, odd, dotted);
    assert_eq!(terms.display(atom).to_string(), "(bvule s->state@2 |main::a b!c|)");
}

/// What is displayed is read back as the same term.
#[test]
fn text_is_read_back() {
    let mut random = Random::new(7);
    let mut terms = Terms::new();
    let leaves = leaves(&mut terms);
    let mut all = vec![];
    for round in 0..3000 {
        let tree = generate(&mut random, 0, 1 + round % 5);
        let term = build(&mut terms, &leaves, &tree);
        // Predicates are over program variables.
        all.push(terms.substitute(term, |terms, leaf| match *terms.node(leaf) {
            Node::Instance(s, _) => Some(terms.variable(s)),
            _ => None,
        }));
    }
    let odd = terms.symbol("a b;(c)::d", Sort::Bits(64));
    let odd = terms.variable(odd);
    let most = terms.bits(64, u64::MAX);
    all.push(terms.equal(odd, most));
    let text: String = all.iter().map(|&t| format!("{} ; ((\n", terms.display(t))).collect();
    let script = hardbop_smt::reader::parse(&text).expect("it is right");
    let read = script.formulas(&mut terms);
    assert_eq!(read.len(), all.len());
    for (term, (place, got)) in all.into_iter().zip(read) {
        let got = got.expect("it has a meaning");
        assert_eq!(terms.display(got).to_string(), terms.display(term).to_string());
        assert_eq!(text[place], terms.display(term).to_string());
        assert_eq!(got, term);
    }
}
