//! Expressions over packed states.

use crate::language::program::{Expr, Op, VarId};

/// Where the value of a variable is: a bit of one of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Shared(u32),
    Local(u32),
    /// A bit of another thread.
    Other(u32),
}

/// The words that an expression reads: before a step, and after its assignments.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Words {
    pub shared: u64,
    pub local: u64,
    pub other: u64,
}

impl Words {
    pub fn get(&self, place: Place) -> bool {
        let (word, bit) = match place {
            Place::Shared(bit) => (self.shared, bit),
            Place::Local(bit) => (self.local, bit),
            Place::Other(bit) => (self.other, bit),
        };
        word >> bit & 1 == 1
    }

    pub fn set(&mut self, place: Place, value: bool) {
        let (word, bit) = match place {
            Place::Shared(bit) => (&mut self.shared, bit),
            Place::Local(bit) => (&mut self.local, bit),
            Place::Other(bit) => (&mut self.other, bit),
        };
        *word = *word & !(1 << bit) | u64::from(value) << bit;
    }
}

#[derive(Debug, Clone, Copy)]
enum Instruction {
    Constant(bool),
    Now(Place),
    Next(Place),
    /// The choice with the next number.
    Choice,
    Operator(Op),
}

/// An expression whose variables are places.
#[derive(Debug, Clone)]
pub(super) struct Code {
    instructions: Vec<Instruction>,
    pub choices: u32,
}

impl Code {
    /// `None` if a variable has no place.
    pub fn new(e: &Expr, place: impl Fn(VarId) -> Option<Place>) -> Option<Self> {
        let instructions = e.ops.iter().map(|op| {
            Some(match *op {
                Op::Constant(value) => Instruction::Constant(value),
                Op::Variable(v) => Instruction::Now(place(v)?),
                Op::Next(v) => Instruction::Next(place(v)?),
                Op::Nondet => Instruction::Choice,
                operator => Instruction::Operator(operator),
            })
        });
        Some(Self {
            instructions: instructions.collect::<Option<_>>()?,
            choices: e.choices() as u32,
        })
    }

    /// The value; choices are bits of `choices`, the lowest first, and are consumed.
    pub fn value(&self, now: &Words, next: &Words, choices: &mut u32) -> bool {
        let mut choose = || {
            let choice = *choices & 1 == 1;
            *choices >>= 1;
            choice
        };
        let mut stack: Vec<bool> = Vec::with_capacity(8);
        for instruction in &self.instructions {
            let value = match instruction {
                Instruction::Constant(value) => *value,
                Instruction::Now(place) => now.get(*place),
                Instruction::Next(place) => next.get(*place),
                Instruction::Choice => choose(),
                Instruction::Operator(Op::Not) => !stack.pop().unwrap_or_default(),
                Instruction::Operator(operator) => {
                    // Expressions are well-formed.
                    let right = stack.pop().unwrap_or_default();
                    let left = stack.pop().unwrap_or_default();
                    match operator {
                        Op::And => left & right,
                        Op::Or => left | right,
                        Op::Xor => left ^ right,
                        Op::Equal => left == right,
                        Op::Implies => !left | right,
                        _ => {
                            let fresh = choose();
                            left | (!right & fresh)
                        }
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or_default()
    }
}
