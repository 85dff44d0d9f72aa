//! Random formulas, and what they mean by a naive reading.
#![allow(dead_code)]

use hardbop_base::random::Random;
use hardbop_smt::{BitOp, Comparison, Sort, Term, Terms, UnaryOp, Value};

#[derive(Clone, Copy, Debug)]
pub enum Op {
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
pub struct Tree {
    /// 0 for Booleans.
    pub width: u32,
    pub op: Op,
    pub children: Vec<Tree>,
}

pub const WIDTHS: [u32; 5] = [1, 2, 3, 5, 8];

pub const COMPARE: [Comparison; 4] =
    [Comparison::ULt, Comparison::ULe, Comparison::SLt, Comparison::SLe];

/// Width of the leaves, by number.
pub fn leaf_widths() -> Vec<u32> {
    [0, 0, 0].into_iter().chain(WIDTHS.into_iter().flat_map(|w| [w, w])).collect()
}

/// A random tree; pairs of children are often alike, since that is where simplifications are.
pub fn generate(random: &mut Random, width: u32, depth: usize) -> Tree {
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
            let op = random.pick(&BitOp::ALL).unwrap_or(BitOp::Add);
            node(Op::Binary(op), pair(random, width))
        }
    }
}

/// The term by the constructors under test.
pub fn build(terms: &mut Terms, leaves: &[Term], t: &Tree) -> Term {
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
pub fn naive(t: &Tree, leaf: &[i128]) -> i128 {
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

pub fn leaves(terms: &mut Terms) -> Vec<Term> {
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

pub fn as_number(value: Option<Value>) -> Option<i128> {
    value.map(|v| match v {
        Value::Bool(b) => i128::from(b),
        Value::Bits(b) => i128::from(b),
        Value::Int(i) => i,
    })
}
