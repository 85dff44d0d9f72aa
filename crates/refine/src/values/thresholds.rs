//! The numbers at which it may matter on which side of them a variable is: those that the text
//! compares it with.
//!
//! An interval that has too many values is widened to the next thresholds, as in Blanchet et al.,
//! "A Static Analyzer for Large Safety-Critical Software" (PLDI 2003), Sect. 7.1.2.

use std::collections::BTreeSet;

use petgraph::unionfind::UnionFind;

use super::machine::code::{Action, Code, Instruction, Register, Variable};
use super::machine::interval::Interval;
use hardbop_smt::{BitOp, Comparison};

/// The starts of the regions of each variable.
pub struct Thresholds {
    starts: Vec<BTreeSet<i64>>,
    class: Vec<Variable>,
}

impl Thresholds {
    /// The thresholds of all conditions; variables that are copied or compared share theirs.
    /// `constants`: classes with at most so many also have the constants that they are set to.
    pub fn new(code: &Code, constants: usize) -> Self {
        let count = code.variables.len();
        let mut classes = UnionFind::<Variable>::new(count);
        let mut compared = vec![];
        for instruction in &code.instructions {
            let (a, b, is_unsigned) = match instruction {
                Instruction::Equal(a, b) => (*a, *b, false),
                Instruction::Compare(op, a, b) => {
                    (*a, *b, matches!(op, Comparison::ULt | Comparison::ULe))
                }
                _ => continue,
            };
            let (left, right) = (sources(code, a), sources(code, b));
            for (place, other) in [(&left, &right), (&right, &left)] {
                for source in place {
                    let Source::Variable(v, by) = *source else { continue };
                    if is_unsigned {
                        compared.push((v, 0));
                    }
                    for other in other {
                        match *other {
                            Source::Constant(c) => compared.push((v, c.wrapping_sub(by))),
                            Source::Variable(w, _) => {
                                classes.union(v, w);
                            }
                        }
                    }
                }
            }
        }
        let mut assigned = vec![];
        for action in &code.actions {
            let Action::Assign(all) = action else { continue };
            for &(to, value) in all {
                for source in sources(code, value) {
                    match source {
                        Source::Variable(from, _) => {
                            classes.union(to, from);
                        }
                        Source::Constant(c) => assigned.push((to, c)),
                    }
                }
            }
        }
        let mut starts = vec![BTreeSet::new(); count];
        let add = |starts: &mut Vec<BTreeSet<i64>>, (v, c): (Variable, i64)| {
            let all = &mut starts[classes.find(v) as usize];
            all.insert(c);
            all.extend(c.checked_add(1));
        };
        compared.into_iter().for_each(|c| add(&mut starts, c));
        assigned.sort_unstable();
        assigned.dedup();
        for (v, c) in assigned {
            if starts[classes.find(v) as usize].len() <= 2 * constants {
                add(&mut starts, (v, c));
            }
        }
        let class = (0..count as Variable).map(|v| classes.find(v)).collect();
        Self { starts, class }
    }

    /// The interval, widened to the regions in which its ends are; `all` are the values of the
    /// variable.  If regions are `fine`, they are divided at the powers of two.
    pub fn widened(
        &self,
        variable: Variable,
        interval: Interval,
        all: Interval,
        fine: bool,
    ) -> Interval {
        let starts = &self.starts[self.class[variable as usize] as usize];
        let low = starts.range(..=interval.low).next_back().copied().unwrap_or(all.low);
        let next = interval.high.checked_add(1).and_then(|h| starts.range(h..).next().copied());
        let high = next.map_or(all.high, |next| next - 1);
        let (mut low, mut high) = (low.max(all.low), high.min(all.high));
        if fine {
            low = low.max(power_below(interval.low));
            high = high.min(-1 - power_below(-1 - interval.high));
        }
        Interval { low, high }
    }
}

/// The greatest number of the forms 2^k, 0 and -2^k that is not above `n`.
fn power_below(n: i64) -> i64 {
    match n {
        0 => 0,
        1.. => 1 << (63 - n.leading_zeros()),
        _ => {
            let most = n.unsigned_abs().next_power_of_two();
            i64::try_from(most).map_or(i64::MIN, |m| -m)
        }
    }
}

/// The source of a value: a number, or a variable with a number added to it.
#[derive(Clone, Copy)]
enum Source {
    Constant(i64),
    Variable(Variable, i64),
}

/// The sources from which a register may get its value without arithmetic, or with additions of
/// constants.
fn sources(code: &Code, register: Register) -> Vec<Source> {
    let mut found = vec![];
    let mut todo = vec![(register, 0_i64)];
    while let Some((r, by)) = todo.pop() {
        let constant = |r: &Register| match code.instructions[*r as usize] {
            Instruction::Constant(c) => c.only(),
            _ => None,
        };
        match &code.instructions[r as usize] {
            Instruction::Constant(c) => {
                found.extend(c.only().map(|c| Source::Constant(c.wrapping_add(by))));
            }
            Instruction::Variable(v) => found.push(Source::Variable(*v, by)),
            Instruction::Ite(_, a, b) => todo.extend([(*a, by), (*b, by)]),
            Instruction::SignExtend(a) | Instruction::ZeroExtend(a) => todo.push((*a, by)),
            Instruction::Extract { low: 0, of, .. } => todo.push((*of, by)),
            Instruction::Binary(op @ (BitOp::Add | BitOp::Sub), a, b) => {
                match (op, constant(a), constant(b)) {
                    (BitOp::Add, Some(c), _) => todo.push((*b, by.wrapping_add(c))),
                    (BitOp::Add, _, Some(c)) => todo.push((*a, by.wrapping_add(c))),
                    (BitOp::Sub, _, Some(c)) => todo.push((*a, by.wrapping_sub(c))),
                    _ => {}
                }
            }
            _ => {}
        }
        if found.len() + todo.len() > 1_000 {
            break;
        }
    }
    found
}
