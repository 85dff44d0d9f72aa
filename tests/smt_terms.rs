//! Simplified terms mean what the naive reading of the operators says.
#![cfg(feature = "c")]

use hardbop::random::Random;
use hardbop::smt::{BitOp, Comparison, Node, Sort, Term, Terms, UnaryOp, Value};

#[derive(Clone, Copy, Debug)]
enum Op {
    Leaf(usize),
    Constant(u64),
    Not,
    And,
    Or,
    Equal,
    Ite,
    Unary(UnaryOp),
    Binary(BitOp),
    Compare(Comparison),
    Extract(u32, u32),
    ZeroExtend,
    SignExtend,
    Concat,
}

/// A term as it was asked for, before simplification.
#[derive(Clone, Debug)]
struct Tree {
    /// 0 for Booleans.
    width: u32,
    op: Op,
    children: Vec<Tree>,
}

const WIDTHS: [u32; 5] = [1, 2, 3, 5, 8];

const BINARY: [BitOp; 13] = [
    BitOp::Add,
    BitOp::Sub,
    BitOp::Mul,
    BitOp::UDiv,
    BitOp::SDiv,
    BitOp::URem,
    BitOp::SRem,
    BitOp::And,
    BitOp::Or,
    BitOp::Xor,
    BitOp::Shl,
    BitOp::LShr,
    BitOp::AShr,
];

const COMPARE: [Comparison; 4] =
    [Comparison::ULt, Comparison::ULe, Comparison::SLt, Comparison::SLe];

/// Width of the leaves, by number.
fn leaf_widths() -> Vec<u32> {
    [0, 0, 0].into_iter().chain(WIDTHS.into_iter().flat_map(|w| [w, w])).collect()
}

/// A random tree; pairs of children are often alike, since that is where simplifications are.
fn generate(random: &mut Random, width: u32, depth: usize) -> Tree {
    let pick = |random: &mut Random, from: &[u32]| random.pick(from);
    let node = |op, children| Tree { width, op, children };
    if depth == 0 || random.chance(10) {
        if random.chance(50) {
            let mask = if width == 0 { 1 } else { (1_u64 << width) - 1 };
            let any = random.bits();
            let corners = [0, 1, 2, mask, mask >> 1, (mask >> 1) + 1, any];
            return node(Op::Constant(random.pick(&corners).unwrap_or(0) & mask), vec![]);
        }
        let fitting: Vec<usize> =
            leaf_widths().iter().enumerate().filter(|l| *l.1 == width).map(|l| l.0).collect();
        return node(Op::Leaf(random.pick(&fitting).expect("each width has leaves")), vec![]);
    }
    let pair = |random: &mut Random, width: u32| {
        let a = generate(random, width, depth - 1);
        let b = match random.below(10) {
            0 => a.clone(),
            1 => Tree { width, op: a.op, children: a.children.iter().rev().cloned().collect() },
            _ => generate(random, width, depth - 1),
        };
        // Reversed children need not fit.
        let fits = |t: &Tree| {
            !matches!(t.op, Op::Ite | Op::Concat)
                && t.children.windows(2).all(|c| c[0].width == c[1].width)
        };
        if fits(&b) { vec![a, b] } else { vec![a.clone(), a] }
    };
    if random.chance(20) {
        let mut children = vec![generate(random, 0, depth - 1)];
        children.extend(pair(random, width));
        return node(Op::Ite, children);
    }
    if width == 0 {
        let below = pick(random, &WIDTHS).unwrap_or(1);
        return match random.below(7) {
            0 => node(Op::Not, vec![generate(random, 0, depth - 1)]),
            1 => node(
                Op::And,
                (0..random.below(4)).map(|_| generate(random, 0, depth - 1)).collect(),
            ),
            2 => {
                node(Op::Or, (0..random.below(4)).map(|_| generate(random, 0, depth - 1)).collect())
            }
            3 => node(Op::Equal, pair(random, 0)),
            4 => node(Op::Equal, pair(random, below)),
            _ => {
                let op = random.pick(&COMPARE).unwrap_or(Comparison::ULt);
                node(Op::Compare(op), pair(random, below))
            }
        };
    }
    let narrower: Vec<u32> = WIDTHS.into_iter().filter(|&w| w < width).collect();
    let wider: Vec<u32> = WIDTHS.into_iter().filter(|&w| w > width).collect();
    let kind = random.below(8);
    match (kind, pick(random, &narrower), pick(random, &wider)) {
        (0, ..) => {
            let op = if random.chance(50) { UnaryOp::Not } else { UnaryOp::Negate };
            node(Op::Unary(op), vec![generate(random, width, depth - 1)])
        }
        (1, Some(from), _) => node(Op::ZeroExtend, vec![generate(random, from, depth - 1)]),
        (2, Some(from), _) => node(Op::SignExtend, vec![generate(random, from, depth - 1)]),
        (3, _, Some(from)) => {
            let low = if random.chance(50) { 0 } else { random.below((from - width + 1) as usize) };
            let low = u32::try_from(low).expect("below 64");
            node(Op::Extract(low + width - 1, low), vec![generate(random, from, depth - 1)])
        }
        (4, Some(upper), _) if narrower.contains(&(width - upper)) => {
            let high = generate(random, upper, depth - 1);
            node(Op::Concat, vec![high, generate(random, width - upper, depth - 1)])
        }
        _ => {
            let op = random.pick(&BINARY).unwrap_or(BitOp::Add);
            node(Op::Binary(op), pair(random, width))
        }
    }
}

/// The term by the constructors under test.
fn build(terms: &mut Terms, leaves: &[Term], t: &Tree) -> Term {
    let c: Vec<Term> = t.children.iter().map(|c| build(terms, leaves, c)).collect();
    match t.op {
        Op::Leaf(i) => leaves[i],
        Op::Constant(k) if t.width == 0 => terms.bool(k == 1),
        Op::Constant(k) => terms.bits(t.width, k),
        Op::Not => terms.not(c[0]),
        Op::And => terms.and(&c),
        Op::Or => terms.or(&c),
        Op::Equal => terms.equal(c[0], c[1]),
        Op::Ite => terms.ite(c[0], c[1], c[2]),
        Op::Unary(op) => terms.unary(op, c[0]),
        Op::Binary(op) => terms.binary(op, c[0], c[1]),
        Op::Compare(op) => terms.compare(op, c[0], c[1]),
        Op::Extract(high, low) => terms.extract(high, low, c[0]),
        Op::ZeroExtend => terms.zero_extend(t.width, c[0]),
        Op::SignExtend => terms.sign_extend(t.width, c[0]),
        Op::Concat => terms.concat(c[0], c[1]),
    }
}

/// The value by SMT-LIB's definitions over mathematical integers; Booleans are 0 and 1.
fn naive(t: &Tree, leaf: &[i128]) -> i128 {
    let signed = |v: i128, w: u32| if v >> (w - 1) & 1 == 1 { v - (1 << w) } else { v };
    let modulo = |v: i128| v.rem_euclid(1 << t.width);
    if matches!(t.op, Op::Ite) {
        return naive(&t.children[if naive(&t.children[0], leaf) == 1 { 1 } else { 2 }], leaf);
    }
    let c: Vec<i128> = t.children.iter().map(|c| naive(c, leaf)).collect();
    // The width of the operands, and the operands as signed numbers.
    let from = t.children.first().map_or(0, |c| c.width);
    let s: Vec<i128> = c.iter().map(|&v| if from == 0 { v } else { signed(v, from) }).collect();
    match t.op {
        Op::Leaf(i) => leaf[i],
        Op::Constant(k) => i128::from(k),
        Op::Not => 1 - c[0],
        Op::And => i128::from(c.iter().all(|&v| v == 1)),
        Op::Or => i128::from(c.contains(&1)),
        Op::Equal => i128::from(c[0] == c[1]),
        Op::Ite => unreachable!("above"),
        Op::Unary(UnaryOp::Not) => modulo(-1 - c[0]),
        Op::Unary(UnaryOp::Negate) => modulo(-c[0]),
        Op::Compare(Comparison::ULt) => i128::from(c[0] < c[1]),
        Op::Compare(Comparison::ULe) => i128::from(c[0] <= c[1]),
        Op::Compare(Comparison::SLt) => i128::from(s[0] < s[1]),
        Op::Compare(Comparison::SLe) => i128::from(s[0] <= s[1]),
        Op::Extract(_, low) => modulo(c[0] >> low),
        Op::ZeroExtend => c[0],
        Op::SignExtend => modulo(s[0]),
        Op::Concat => (c[0] << t.children[1].width) + c[1],
        Op::Binary(op) => modulo(match op {
            BitOp::Add => c[0] + c[1],
            BitOp::Sub => c[0] - c[1],
            BitOp::Mul => c[0] * c[1],
            BitOp::UDiv => c[0].checked_div(c[1]).unwrap_or(-1),
            BitOp::URem => c[0].checked_rem(c[1]).unwrap_or(c[0]),
            BitOp::SDiv => s[0].checked_div(s[1]).unwrap_or(if s[0] < 0 { 1 } else { -1 }),
            BitOp::SRem => s[0].checked_rem(s[1]).unwrap_or(c[0]),
            BitOp::And => c[0] & c[1],
            BitOp::Or => c[0] | c[1],
            BitOp::Xor => c[0] ^ c[1],
            BitOp::Shl => {
                if c[1] < 64 {
                    c[0] << c[1]
                } else {
                    0
                }
            }
            BitOp::LShr => {
                if c[1] < 64 {
                    c[0] >> c[1]
                } else {
                    0
                }
            }
            BitOp::AShr => s[0] >> c[1].min(100),
        }),
    }
}

fn leaves(terms: &mut Terms) -> Vec<Term> {
    let widths = leaf_widths();
    widths
        .iter()
        .enumerate()
        .map(|(i, &width)| {
            let sort = if width == 0 { Sort::Bool } else { Sort::Bits(width) };
            let symbol = terms.symbol(&format!("v{i}"), sort);
            if i % 2 == 0 { terms.variable(symbol) } else { terms.instance(symbol, 7) }
        })
        .collect()
}

fn as_number(value: Option<Value>) -> Option<i128> {
    value.map(|v| match v {
        Value::Bool(b) => i128::from(b),
        Value::Bits(b) => i128::from(b),
        Value::Int(i) => i,
    })
}

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
