//! The operations of an automaton, compiled: terms become instructions over numbered registers.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::interval::{self, Interval};
use super::state::{Cell, add};
use hardbop_cfa::{Automaton, Operation};
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, UnaryOp, Value};

/// A variable, by its number in [`Code::variables`].
pub type Variable = u32;
/// The place of a value.
pub type Register = u32;

/// How a register gets its value from others.
#[derive(Debug, Clone)]
pub enum Instruction {
    Constant(Interval),
    Variable(Variable),
    Not(Register),
    And(Box<[Register]>),
    Or(Box<[Register]>),
    Ite(Register, Register, Register),
    Equal(Register, Register),
    Unary(UnaryOp, Register),
    Binary(BitOp, Register, Register),
    Compare(Comparison, Register, Register),
    Extract {
        high: u32,
        low: u32,
        of: Register,
    },
    ZeroExtend(Register),
    SignExtend(Register),
    Concat(Register, Register),
    /// Another value, which is known only if all of these are.
    Other(Box<[Register]>),
}

/// The action of an edge.
#[derive(Debug, Clone)]
pub enum Action {
    Skip,
    Assume(Register),
    /// Simultaneous.
    Assign(Box<[(Variable, Register)]>),
    Havoc(Variable),
}

/// All operations of an automaton.
pub struct Code {
    pub variables: Vec<(Symbol, Sort)>,
    pub actions: Vec<Action>,
    pub instructions: Vec<Instruction>,
    /// The term of each register, and the width of its value, 0 for truth values.
    pub terms: Vec<Term>,
    pub widths: Vec<u32>,
    registers: FxHashMap<Term, Register>,
    numbers: FxHashMap<Symbol, Variable>,
    /// The registers that a register needs, in order, with itself.
    needs: FxHashMap<Register, Rc<[Register]>>,
}

impl Code {
    /// Compiles all operations; `None` if there are integers among them.
    pub fn new(terms: &Terms, automaton: &Automaton) -> Option<Self> {
        let mut code = Self {
            variables: vec![],
            actions: vec![],
            instructions: vec![],
            terms: vec![],
            widths: vec![],
            registers: FxHashMap::default(),
            numbers: FxHashMap::default(),
            needs: FxHashMap::default(),
        };
        for edge in &automaton.edges {
            let action = match &edge.operation {
                Operation::Skip => Action::Skip,
                Operation::Assume(condition) => Action::Assume(code.compile(terms, *condition)?),
                Operation::Havoc(symbol, _) => Action::Havoc(code.variable(terms, *symbol)?),
                operation => {
                    let mut all = vec![];
                    for (symbol, value) in operation.changes() {
                        let value = code.compile(terms, value?)?;
                        all.push((code.variable(terms, symbol)?, value));
                    }
                    Action::Assign(all.into())
                }
            };
            code.actions.push(action);
        }
        Some(code)
    }

    /// The number of a variable, if it occurs.
    pub fn number(&self, symbol: Symbol) -> Option<Variable> {
        self.numbers.get(&symbol).copied()
    }

    fn variable(&mut self, terms: &Terms, symbol: Symbol) -> Option<Variable> {
        let sort = terms.symbol_sort(symbol);
        if sort == Sort::Int {
            return None;
        }
        let next = self.variables.len() as Variable;
        let number = *self.numbers.entry(symbol).or_insert(next);
        if number == next {
            self.variables.push((symbol, sort));
        }
        Some(number)
    }

    fn compile(&mut self, terms: &Terms, root: Term) -> Option<Register> {
        let new = terms.postorder(&[root], |t| self.registers.contains_key(&t));
        for t in new {
            if self.registers.contains_key(&t) {
                continue;
            }
            let width = match terms.sort(t) {
                Sort::Bool => 0,
                Sort::Bits(width) => width,
                Sort::Int => return None,
            };
            let instruction = self.instruction(terms, t)?;
            self.registers.insert(t, self.instructions.len() as Register);
            self.instructions.push(instruction);
            self.terms.push(t);
            self.widths.push(width);
        }
        Some(self.registers[&root])
    }

    fn instruction(&mut self, terms: &Terms, t: Term) -> Option<Instruction> {
        let all = |code: &Self, all: &[Term]| all.iter().map(|a| code.registers[a]).collect();
        let r = |a: &Term| self.registers[a];
        Some(match terms.node(t) {
            Node::Bool(b) => Instruction::Constant(Interval::one(i64::from(*b))),
            Node::Bits { width, value } => {
                Instruction::Constant(Interval::one(interval::signed(*width, *value)))
            }
            Node::Variable(symbol) => Instruction::Variable(self.variable(terms, *symbol)?),
            Node::Not(a) => Instruction::Not(r(a)),
            Node::And(operands) => Instruction::And(all(self, operands)),
            Node::Or(operands) => Instruction::Or(all(self, operands)),
            Node::Ite(c, a, b) => Instruction::Ite(r(c), r(a), r(b)),
            Node::Equal(a, b) => match terms.sort(*a) {
                Sort::Int => return None,
                _ => Instruction::Equal(r(a), r(b)),
            },
            Node::Unary(op, a) => Instruction::Unary(*op, r(a)),
            Node::Binary(op, a, b) => Instruction::Binary(*op, r(a), r(b)),
            Node::Compare(op, a, b) => Instruction::Compare(*op, r(a), r(b)),
            Node::Extract { high, low, term } => {
                Instruction::Extract { high: *high, low: *low, of: r(term) }
            }
            Node::ZeroExtend { term, .. } => Instruction::ZeroExtend(r(term)),
            Node::SignExtend { term, .. } => Instruction::SignExtend(r(term)),
            Node::Concat(a, b) => Instruction::Concat(r(a), r(b)),
            Node::Float(_, operands) => Instruction::Other(all(self, operands)),
            Node::Instance(..)
            | Node::Int(_)
            | Node::IntAdd(_)
            | Node::IntScale(..)
            | Node::IntLe(..) => return None,
        })
    }

    /// The registers that one needs.
    pub fn operands(&self, register: Register) -> Vec<Register> {
        match &self.instructions[register as usize] {
            Instruction::Constant(_) | Instruction::Variable(_) => vec![],
            Instruction::Not(a)
            | Instruction::Unary(_, a)
            | Instruction::Extract { of: a, .. }
            | Instruction::ZeroExtend(a)
            | Instruction::SignExtend(a) => vec![*a],
            Instruction::And(all) | Instruction::Or(all) | Instruction::Other(all) => all.to_vec(),
            Instruction::Ite(c, a, b) => vec![*c, *a, *b],
            Instruction::Equal(a, b)
            | Instruction::Binary(_, a, b)
            | Instruction::Compare(_, a, b)
            | Instruction::Concat(a, b) => vec![*a, *b],
        }
    }

    /// All registers that one needs, in the order in which they are computed; it comes last.
    pub fn needs(&mut self, register: Register) -> Rc<[Register]> {
        if let Some(known) = self.needs.get(&register) {
            return known.clone();
        }
        // Operands have smaller numbers.
        let mut all = vec![register];
        let mut next = 0;
        let mut seen = rustc_hash::FxHashSet::from_iter([register]);
        while let Some(&r) = all.get(next) {
            all.extend(self.operands(r).into_iter().filter(|&o| seen.insert(o)));
            next += 1;
        }
        all.sort_unstable();
        let all: Rc<[Register]> = all.into();
        self.needs.insert(register, all.clone());
        all
    }

    /// The variables that registers need.
    pub fn reads(&mut self, registers: &[Register]) -> Vec<Variable> {
        let mut found = vec![];
        for &r in registers {
            for &needed in &self.needs(r)[..] {
                if let Instruction::Variable(v) = self.instructions[needed as usize] {
                    found.push(v);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Computes a register from those that it needs.
    pub fn compute(
        &self,
        terms: &Terms,
        register: Register,
        values: &[Cell],
        variable: impl Fn(Variable) -> Cell,
    ) -> Cell {
        let value = |r: Register| values[r as usize];
        let width = self.widths[register as usize];
        match self.instructions[register as usize] {
            Instruction::Variable(v) => variable(v),
            Instruction::Ite(c, a, b) => match value(c).interval.only() {
                Some(0) => value(b),
                Some(_) => value(a),
                None => {
                    let [then, other] = [(a, true), (b, false)].map(|(branch, truth)| {
                        self.under((c, truth), (branch, value(branch).interval), values)
                    });
                    let both = [then, other].into_iter().flatten().reduce(Interval::join);
                    Cell::new(both.unwrap_or_else(|| self.all(register)), 0)
                }
            },
            Instruction::Binary(op @ (BitOp::Add | BitOp::Sub), a, b) => {
                let (a, b) = (value(a), value(b));
                let interval = interval::binary(op, width, a.interval, b.interval);
                match (op, a.interval.only(), b.interval.only()) {
                    _ if interval.only().is_some() => Cell::new(interval, 0),
                    (BitOp::Add, Some(a), _) => {
                        Cell { interval, offset: add(width, b.offset, a), ..b }
                    }
                    (BitOp::Add, _, Some(b)) => {
                        Cell { interval, offset: add(width, a.offset, b), ..a }
                    }
                    (BitOp::Sub, _, Some(b)) => {
                        Cell { interval, offset: add(width, a.offset, b.wrapping_neg()), ..a }
                    }
                    (BitOp::Sub, ..) if a.unknown != 0 && a.unknown == b.unknown => {
                        let by = add(width, a.offset, b.offset.wrapping_neg());
                        Cell::new(Interval::one(by), 0)
                    }
                    _ => Cell::new(interval, 0),
                }
            }
            _ => Cell::new(self.interval(terms, register, values), 0),
        }
    }

    /// The interval of a register that is no variable, choice or sum.
    fn interval(&self, terms: &Terms, register: Register, values: &[Cell]) -> Interval {
        let at = |r: Register| values[r as usize].interval;
        // Two values that differ by a known number, which is given.
        let apart = |a: Register, b: Register| {
            let (a, b) = (values[a as usize], values[b as usize]);
            (a.unknown != 0 && a.unknown == b.unknown).then(|| a.offset.wrapping_sub(b.offset))
        };
        let width = |r: Register| self.widths[r as usize];
        match &self.instructions[register as usize] {
            Instruction::Constant(value) => *value,
            Instruction::Not(a) => at(*a).negated(),
            Instruction::And(all) => {
                let all = all.iter().map(|&a| at(a));
                all.reduce(|a, b| Interval { low: a.low & b.low, high: a.high & b.high })
                    .unwrap_or(Interval::TRUE)
            }
            Instruction::Or(all) => {
                let all = all.iter().map(|&a| at(a));
                all.reduce(|a, b| Interval { low: a.low | b.low, high: a.high | b.high })
                    .unwrap_or(Interval::FALSE)
            }
            Instruction::Equal(a, b) => match apart(*a, *b) {
                Some(by) => Interval::one(i64::from(by == 0)),
                None => interval::equal(at(*a), at(*b)),
            },
            Instruction::Unary(op, a) => interval::unary(*op, width(register), at(*a)),
            Instruction::Binary(BitOp::Mul, a, b) => {
                let product = interval::binary(BitOp::Mul, width(register), at(*a), at(*b));
                match a == b {
                    true => interval::square(width(*a), at(*a)).unwrap_or(product),
                    false => product,
                }
            }
            Instruction::Binary(BitOp::Xor, a, b) if self.is_sign_of(*b, *a) => {
                interval::length(at(*a))
            }
            Instruction::Binary(op, a, b) => match (at(*a), at(*b)) {
                (a, b) if a.only().is_some() && b.only().is_some() => {
                    self.exact(terms, register, values)
                }
                (a, b) => interval::binary(*op, width(register), a, b),
            },
            Instruction::Compare(op, a, b) => match apart(*a, *b) {
                Some(0) => {
                    let or_equal = matches!(op, Comparison::SLe | Comparison::ULe);
                    Interval::one(i64::from(or_equal))
                }
                _ => interval::compare(*op, width(*a), at(*a), at(*b)),
            },
            Instruction::Extract { high, low, of } => interval::extract(*high, *low, at(*of)),
            Instruction::ZeroExtend(a) => interval::zero_extend(width(*a), width(register), at(*a)),
            Instruction::SignExtend(a) => at(*a),
            Instruction::Concat(a, b) => interval::concat(width(*b), at(*a), at(*b)),
            Instruction::Other(all) if all.iter().all(|&a| at(a).only().is_some()) => {
                self.exact(terms, register, values)
            }
            Instruction::Other(_) | Instruction::Variable(_) | Instruction::Ite(..) => {
                self.all(register)
            }
        }
    }

    /// The interval of a register where a condition has this truth value; `None` if it cannot have it.
    fn under(
        &self,
        (condition, truth): (Register, bool),
        (register, interval): (Register, Interval),
        values: &[Cell],
    ) -> Option<Interval> {
        match self.instructions[condition as usize] {
            Instruction::Not(c) => self.under((c, !truth), (register, interval), values),
            Instruction::Compare(op, a, b) if register == a || register == b => {
                let (width, is_signed) = (self.widths[register as usize], op.is_signed());
                let other = values[if register == a { b } else { a } as usize].interval;
                let (least, most) = interval::bounds(width, other, is_signed);
                let step = i128::from(op.is_strict() == truth);
                let range = match (register == a) == truth {
                    true => (i128::MIN, most - step),
                    false => (least + step, i128::MAX),
                };
                let kept = interval::between(width, interval, is_signed, range);
                kept.into_iter().reduce(Interval::join)
            }
            _ => Some(interval),
        }
    }

    /// Whether a register has the sign of another one in all its bits.
    fn is_sign_of(&self, register: Register, of: Register) -> bool {
        let Instruction::Binary(BitOp::AShr, shifted, by) = self.instructions[register as usize]
        else {
            return false;
        };
        let last = i64::from(self.widths[of as usize]) - 1;
        let by = &self.instructions[by as usize];
        shifted == of && matches!(by, Instruction::Constant(c) if c.only() == Some(last))
    }

    /// All values that a register can have.
    fn all(&self, register: Register) -> Interval {
        Interval::all(match self.widths[register as usize] {
            0 => Sort::Bool,
            width => Sort::Bits(width),
        })
    }

    /// The value of a term whose operands are single numbers.
    fn exact(&self, terms: &Terms, register: Register, values: &[Cell]) -> Interval {
        let child = |t: Term| {
            let r = self.registers[&t];
            let number = values[r as usize].interval.low;
            Some(match self.widths[r as usize] {
                0 => Value::Bool(number == 1),
                width => Value::Bits(interval::bits(width, number)),
            })
        };
        match terms.evaluate_node(self.terms[register as usize], &child, &|_| None) {
            Some(Value::Bool(b)) => Interval::one(i64::from(b)),
            Some(Value::Bits(bits)) => {
                Interval::one(interval::signed(self.widths[register as usize], bits))
            }
            _ => self.all(register),
        }
    }
}
