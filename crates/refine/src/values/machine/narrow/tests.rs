//! Parts of states against all their values.

use super::*;
use crate::values::machine::interval;
use hardbop_base::random::Random;
use hardbop_cfa::{Automaton, Edge, Location, Operation, Place};
use hardbop_smt::{Node, Sort, Symbol, Term, UnaryOp, Value};

const WIDTH: u32 = 3;

/// A random term over the variables, of the width or of truth values.
fn term(
    terms: &mut Terms,
    random: &mut Random,
    leaves: &[Symbol; 3],
    truth: bool,
    depth: u32,
) -> Term {
    let mut pick = |n: u64| random.bits() % n;
    if depth == 0 {
        return match (truth, pick(4)) {
            (true, _) => terms.variable(leaves[2]),
            (false, 0) => {
                let value = pick(8);
                terms.bits(WIDTH, value)
            }
            (false, n) => terms.variable(leaves[(n % 2) as usize]),
        };
    }
    let choice = pick(if truth { 7 } else { 12 });
    let ops = [BitOp::Add, BitOp::Sub, BitOp::Mul, BitOp::SRem, BitOp::And, BitOp::UDiv];
    let op = ops[pick(6) as usize];
    let comparisons = [Comparison::ULt, Comparison::ULe, Comparison::SLt, Comparison::SLe];
    let comparison = comparisons[pick(4) as usize];
    let mut sub = |terms: &mut Terms, truth| term(terms, random, leaves, truth, depth - 1);
    if truth {
        let bits = [sub(terms, false), sub(terms, false)];
        let both = [sub(terms, true), sub(terms, true)];
        return match choice {
            0 => terms.not(both[0]),
            1 => terms.and(&both),
            2 => terms.or(&both),
            3 => terms.iff(both[0], both[1]),
            4 => terms.equal(bits[0], bits[1]),
            _ => terms.compare(comparison, bits[0], bits[1]),
        };
    }
    let (a, b) = (sub(terms, false), sub(terms, false));
    match choice {
        0 => {
            let condition = sub(terms, true);
            terms.ite(condition, a, b)
        }
        1 => terms.unary(UnaryOp::Negate, a),
        9 => terms.unary(UnaryOp::Not, a),
        10 => terms.binary(BitOp::Mul, a, a),
        11 => {
            let last = terms.bits(WIDTH, u64::from(WIDTH) - 1);
            let sign = terms.binary(BitOp::AShr, a, last);
            terms.binary(BitOp::Xor, a, sign)
        }
        2 => {
            let low = terms.extract(1, 0, a);
            terms.sign_extend(WIDTH, low)
        }
        3 => {
            let low = terms.extract(1, 0, a);
            terms.zero_extend(WIDTH, low)
        }
        _ => terms.binary(op, a, b),
    }
}

/// Are these the values of variables in the state?
fn holds(state: &State, values: &[i64]) -> bool {
    let cells = || state.cells.iter().zip(values);
    cells().all(|(c, &v)| c.interval.low <= v && v <= c.interval.high)
        && cells().all(|(a, &x)| {
            cells().all(|(b, &y)| {
                let same = a.unknown != 0 && a.unknown == b.unknown;
                let apart = |n: i64| interval::bits(WIDTH, n);
                !same || apart(x - y) == apart(a.offset - b.offset)
            })
        })
}

/// A machine for a condition over variables, and the condition's register.
fn machine(terms: &mut Terms, leaves: &[Symbol], condition: Term, few: u64) -> (Machine, Register) {
    let mut operations: Vec<Operation> =
        leaves.iter().map(|&s| Operation::Assign(s, terms.variable(s))).collect();
    operations.push(Operation::Assume(condition));
    let edge = |operation| Edge {
        source: Location(0),
        target: Location(1),
        operation,
        place: Place { function: 0, instruction: Place::NOWHERE, span: Default::default() },
        frame: 0,
    };
    let edges = operations.into_iter().map(edge).collect();
    let automaton = Automaton { edges, locations: 2, ..Automaton::default() };
    let code = Code::new(terms, &automaton).expect("there are no integers");
    let crate::values::machine::code::Action::Assume(register) = code.actions[leaves.len()] else {
        panic!()
    };
    (Machine::new(code, few), register)
}

/// A condition that divides a state into 2^24 parts divides it into fewer, which hold them all.
#[test]
fn parts_are_bounded() {
    let mut terms = Terms::new();
    let leaves: Vec<Symbol> =
        (0..24).map(|i| terms.symbol(&format!("x{i}"), Sort::Bits(WIDTH))).collect();
    let [low, high] = [1, 6].map(|n| terms.bits(WIDTH, n));
    let each: Vec<Term> = leaves
        .iter()
        .map(|&leaf| {
            let x = terms.variable(leaf);
            let ends = [terms.equal(x, low), terms.equal(x, high)];
            terms.or(&ends)
        })
        .collect();
    let condition = terms.and(&each);
    let (mut machine, register) = machine(&mut terms, &leaves, condition, 0);
    let all = Interval { low: interval::signed(WIDTH, 4), high: interval::signed(WIDTH, 3) };
    let cells = (0..24).map(|i| Cell::new(all, i + 1)).collect();
    let parts = machine.narrow(&terms, State { cells }, register, Interval::TRUE, 0);
    assert!(parts.len() <= machine.most as usize, "{}", parts.len());
    let ends = [1, 6].map(|n| interval::signed(WIDTH, n));
    for number in [0, 0x55_55_55, 0xff_ff_ff] {
        let values: Vec<i64> = (0..24).map(|i| ends[number >> i & 1]).collect();
        assert!(parts.iter().any(|part| holds(part, &values)), "{values:?}");
    }
}

/// No state that satisfies a condition is lost.
#[test]
fn parts_hold_all_states_of_a_condition() {
    let mut random = Random::new(7);
    for _ in 0..3_000 {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|n| terms.symbol(n, Sort::Bits(WIDTH)));
        let b = terms.symbol("b", Sort::Bool);
        let leaves = [x, y, b];
        let condition = term(&mut terms, &mut random, &leaves, true, 3);
        let (mut machine, register) = machine(&mut terms, &leaves, condition, random.bits() % 5);
        let mut interval = |most: i64, least: i64| {
            let size = (most - least + 1) as u64;
            let ends = [0; 2].map(|_| least + (random.bits() % size) as i64);
            Interval { low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
        };
        let mut cells = vec![
            Cell::new(interval(3, -4), 1),
            Cell::new(interval(3, -4), 2),
            Cell::new(interval(1, 0), 3),
        ];
        if cells[..2].iter().all(|c| c.unknown != 0) && random.bits().is_multiple_of(2) {
            cells[1].unknown = 1;
            cells[1].offset = interval::signed(WIDTH, random.bits());
        }
        let state = State { cells };
        let parts = machine.narrow(&terms, state.clone(), register, Interval::TRUE, 0);
        for number in 0..128_u64 {
            let values = [
                interval::signed(WIDTH, number),
                interval::signed(WIDTH, number >> 3),
                (number >> 6 & 1) as i64,
            ];
            let value = |leaf: Term| match *terms.node(leaf) {
                Node::Variable(s) if s == b => Some(Value::Bool(values[2] == 1)),
                Node::Variable(s) if s == x => Some(Value::Bits(number & 7)),
                Node::Variable(s) if s == y => Some(Value::Bits(number >> 3 & 7)),
                _ => None,
            };
            let is_met = terms.evaluate(condition, &value) == Some(Value::Bool(true));
            if is_met && holds(&state, &values) {
                let kept = parts.iter().any(|p| holds(p, &values));
                assert!(kept, "{} {values:?} {state:?} {parts:?}", terms.display(condition));
            }
        }
    }
}
