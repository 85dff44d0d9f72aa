//! Narrows a state by a condition: the state is divided where one interval cannot say it.

use super::code::{Code, Instruction, Register};
use super::interval::{Interval, between, bounds, divided, pieces};
use super::state::{Cell, State, width_of};
use hardbop_smt::{BitOp, Comparison, Sort, Terms, UnaryOp};

/// Terms are looked into so deep; a part that is deeper divides nothing.
const DEEPEST: u32 = 48;

/// Evaluates and narrows.
pub struct Machine {
    pub code: Code,
    values: Vec<Cell>,
    /// Variables with at most so many values are divided into them where a condition needs it.
    pub few: u64,
    /// The most terms that are looked into for one condition; behind them nothing is divided.  Conditions of programs need
    /// far fewer, but those on arrays of which an index is not known may divide a state into as many parts as there are
    /// ways to fill them.
    pub most: u32,
    /// The terms that were looked into for the condition at hand.
    looked: u32,
}

impl Machine {
    pub fn new(code: Code, few: u64) -> Self {
        let values = vec![Cell::new(Interval::FALSE, 0); code.instructions.len()];
        Self { code, values, few, most: 1 << 16, looked: 0 }
    }

    /// The cell of a register in a state.
    pub fn value(&mut self, terms: &Terms, state: &State, register: Register) -> Cell {
        let needs = self.code.needs(register);
        for &r in &needs[..] {
            self.values[r as usize] = self.code.compute(terms, r, &self.values, |v| state.get(v));
        }
        self.values[register as usize]
    }

    /// The interval of a register in a state.
    pub fn evaluate(&mut self, terms: &Terms, state: &State, register: Register) -> Interval {
        self.value(terms, state, register).interval
    }

    /// The parts of the state in which a register has a value in the interval; together they hold
    /// all such states.
    pub fn narrow(
        &mut self,
        terms: &Terms,
        state: State,
        register: Register,
        to: Interval,
        depth: u32,
    ) -> Vec<State> {
        let now = self.evaluate(terms, &state, register);
        let Some(rest) = now.meet(to) else { return vec![] };
        if rest == now {
            return vec![state];
        }
        self.looked = if depth == 0 { 0 } else { self.looked + 1 };
        if depth == DEEPEST || self.looked > self.most {
            return vec![state];
        }
        let width = self.code.widths[register as usize];
        let depth = depth + 1;
        match self.code.instructions[register as usize].clone() {
            Instruction::Constant(_) => vec![state],
            Instruction::Variable(v) => {
                let mut state = state;
                let width = width_of(self.code.variables[v as usize].1);
                if state.restrict(width, v, rest) { vec![state] } else { vec![] }
            }
            Instruction::Not(a) => self.narrow(terms, state, a, rest.negated(), depth),
            Instruction::And(all) if rest == Interval::TRUE => {
                self.narrow_all(terms, state, &all, Interval::TRUE, depth)
            }
            Instruction::Or(all) if rest == Interval::FALSE => {
                self.narrow_all(terms, state, &all, Interval::FALSE, depth)
            }
            Instruction::And(all) => self.narrow_any(terms, state, &all, Interval::FALSE, depth),
            Instruction::Or(all) => self.narrow_any(terms, state, &all, Interval::TRUE, depth),
            Instruction::Ite(c, a, b) => {
                let mut parts = vec![];
                for (truth, branch) in [(Interval::TRUE, a), (Interval::FALSE, b)] {
                    for part in self.narrow(terms, state.clone(), c, truth, depth) {
                        parts.extend(self.narrow(terms, part, branch, rest, depth));
                    }
                }
                parts
            }
            Instruction::Equal(a, b) => {
                self.equal(terms, state, (a, b), rest == Interval::TRUE, depth)
            }
            Instruction::Compare(op, a, b) => {
                let (op, a, b) = if rest == Interval::TRUE {
                    (op, a, b)
                } else {
                    let opposite = match op {
                        Comparison::SLt => Comparison::SLe,
                        Comparison::SLe => Comparison::SLt,
                        Comparison::ULt => Comparison::ULe,
                        Comparison::ULe => Comparison::ULt,
                    };
                    (opposite, b, a)
                };
                self.compare(terms, state, (op, a, b), depth)
            }
            Instruction::Binary(BitOp::Add, a, b) => {
                let [x, y] = [a, b].map(|r| self.values[r as usize].interval);
                let (of, by) = match (x.only(), y.only()) {
                    (_, Some(y)) => (a, i128::from(y)),
                    (Some(x), _) => (b, i128::from(x)),
                    _ => {
                        let sum = (BitOp::Add, a, b);
                        return self.sum(terms, state, (register, rest), sum, depth);
                    }
                };
                let parts = pieces(width, i128::from(rest.low) - by, i128::from(rest.high) - by);
                self.narrow_pieces(terms, &state, of, parts, depth)
            }
            Instruction::Binary(BitOp::Sub, a, b) => {
                let [x, y] = [a, b].map(|r| self.values[r as usize].interval);
                let (low, high) = (i128::from(rest.low), i128::from(rest.high));
                match (x.only(), y.only()) {
                    (_, Some(y)) => {
                        let y = i128::from(y);
                        self.narrow_pieces(
                            terms,
                            &state,
                            a,
                            pieces(width, low + y, high + y),
                            depth,
                        )
                    }
                    (Some(x), _) => {
                        let x = i128::from(x);
                        self.narrow_pieces(
                            terms,
                            &state,
                            b,
                            pieces(width, x - high, x - low),
                            depth,
                        )
                    }
                    _ => {
                        let difference = (BitOp::Sub, a, b);
                        self.sum(terms, state, (register, rest), difference, depth)
                    }
                }
            }
            Instruction::Binary(BitOp::Mul | BitOp::Shl, ..) => match self.factor(register) {
                Some((of, by)) => match divided(rest, by) {
                    Some(to) => self.narrow(terms, state, of, to, depth),
                    None => vec![],
                },
                None => self.divided(terms, state, register, rest, depth),
            },
            Instruction::Unary(op, a) => {
                let (low, high) = (i128::from(rest.low), i128::from(rest.high));
                let parts = match op {
                    UnaryOp::Negate => pieces(width, -high, -low),
                    UnaryOp::Not => pieces(width, -1 - high, -1 - low),
                };
                self.narrow_pieces(terms, &state, a, parts, depth)
            }
            Instruction::SignExtend(a) => self.narrow(terms, state, a, rest, depth),
            Instruction::ZeroExtend(a) => {
                let from = self.code.widths[a as usize];
                let parts = pieces(from, i128::from(rest.low), i128::from(rest.high));
                self.narrow_pieces(terms, &state, a, parts, depth)
            }
            Instruction::Extract { low: 0, of, .. } if self.values[of as usize].interval == now => {
                self.narrow(terms, state, of, rest, depth)
            }
            _ => self.divided(terms, state, register, rest, depth),
        }
    }

    fn narrow_pieces(
        &mut self,
        terms: &Terms,
        state: &State,
        register: Register,
        pieces: [Option<Interval>; 2],
        depth: u32,
    ) -> Vec<State> {
        let mut parts = vec![];
        for to in pieces.into_iter().flatten() {
            parts.extend(self.narrow(terms, state.clone(), register, to, depth));
        }
        parts
    }

    /// Narrows a state such that all of these registers have this truth value.
    fn narrow_all(
        &mut self,
        terms: &Terms,
        state: State,
        all: &[Register],
        truth: Interval,
        depth: u32,
    ) -> Vec<State> {
        let mut parts = vec![state];
        for &r in all {
            parts = self.each(terms, parts, r, truth, depth);
        }
        parts
    }

    /// Narrows a state such that one of these registers has this truth value: the first, or the
    /// second and not the first, and so on.
    fn narrow_any(
        &mut self,
        terms: &Terms,
        state: State,
        all: &[Register],
        truth: Interval,
        depth: u32,
    ) -> Vec<State> {
        let (mut open, mut parts) = (vec![state], vec![]);
        for &r in all {
            parts.extend(self.each(terms, open.clone(), r, truth, depth));
            open = self.each(terms, open, r, truth.negated(), depth);
        }
        parts
    }

    fn each(
        &mut self,
        terms: &Terms,
        states: Vec<State>,
        register: Register,
        to: Interval,
        depth: u32,
    ) -> Vec<State> {
        states.into_iter().flat_map(|s| self.narrow(terms, s, register, to, depth)).collect()
    }

    fn equal(
        &mut self,
        terms: &Terms,
        state: State,
        (a, b): (Register, Register),
        truth: bool,
        depth: u32,
    ) -> Vec<State> {
        let [x, y] = [a, b].map(|r| self.evaluate(terms, &state, r));
        if truth {
            let both = self.narrow(terms, state, a, y, depth);
            let mut parts = vec![];
            for part in both {
                let x = self.evaluate(terms, &part, a);
                for mut part in self.narrow(terms, part, b, x, depth) {
                    let [x, y] = [a, b].map(|r| self.value(terms, &part, r));
                    part.unify(self.code.widths[a as usize].max(1), x, y);
                    parts.push(part);
                }
            }
            return parts;
        }
        let (other, value, of) = match (x.only(), y.only()) {
            (_, Some(value)) => (a, value, x),
            (Some(value), _) => (b, value, y),
            _ => {
                let equal = self.code.widths[a as usize];
                return if equal == 0 {
                    // Truth values that differ.
                    let mut parts = vec![];
                    for truth in [Interval::FALSE, Interval::TRUE] {
                        for part in self.narrow(terms, state.clone(), a, truth, depth) {
                            parts.extend(self.narrow(terms, part, b, truth.negated(), depth));
                        }
                    }
                    parts
                } else {
                    vec![state]
                };
            }
        };
        let below = (of.low < value).then(|| Interval { low: of.low, high: value - 1 });
        let above = (value < of.high).then(|| Interval { low: value + 1, high: of.high });
        self.narrow_pieces(terms, &state, other, [below, above], depth)
    }

    /// The comparison holds.
    fn compare(
        &mut self,
        terms: &Terms,
        state: State,
        (op, a, b): (Comparison, Register, Register),
        depth: u32,
    ) -> Vec<State> {
        let width = self.code.widths[a as usize];
        let [x, y] = [a, b].map(|r| self.evaluate(terms, &state, r));
        let step = i128::from(op.is_strict());
        let is_signed = op.is_signed();
        let (_, most) = bounds(width, y, is_signed);
        let mut states = vec![];
        for to in between(width, x, is_signed, (i128::MIN, most - step)) {
            states.extend(self.narrow(terms, state.clone(), a, to, depth));
        }
        let mut result = vec![];
        for state in states {
            let [x, y] = [a, b].map(|r| self.evaluate(terms, &state, r));
            let (least, _) = bounds(width, x, is_signed);
            for to in between(width, y, is_signed, (least + step, i128::MAX)) {
                result.extend(self.narrow(terms, state.clone(), b, to, depth));
            }
        }
        result
    }

    /// A sum, or a difference, of two values of which neither is known: each is bounded by the other one, where that is one interval.
    fn sum(
        &mut self,
        terms: &Terms,
        state: State,
        (register, to): (Register, Interval),
        (op, a, b): (BitOp, Register, Register),
        depth: u32,
    ) -> Vec<State> {
        if let Some(parts) = self.split(&state, register) {
            return self.each(terms, parts, register, to, depth);
        }
        let width = self.code.widths[register as usize];
        let (low, high) = (i128::from(to.low), i128::from(to.high));
        let of = |i: Interval| (i128::from(i.low), i128::from(i.high));
        let (least, most) = of(self.evaluate(terms, &state, b));
        let bounds = match op {
            BitOp::Add => (low - most, high - least),
            _ => (low + least, high + most),
        };
        let mut result = vec![];
        for part in self.narrow_to(terms, state, (width, a), bounds, depth) {
            let (least, most) = of(self.evaluate(terms, &part, a));
            let bounds = match op {
                BitOp::Add => (low - most, high - least),
                _ => (least - high, most - low),
            };
            result.extend(self.narrow_to(terms, part, (width, b), bounds, depth));
        }
        result
    }

    /// Narrows a register to the numbers between two others, modulo its size, unless that takes more than one state.
    fn narrow_to(
        &mut self,
        terms: &Terms,
        state: State,
        (width, register): (u32, Register),
        (low, high): (i128, i128),
        depth: u32,
    ) -> Vec<State> {
        match pieces(width, low, high) {
            [Some(to), None] => {
                let parts = self.narrow(terms, state.clone(), register, to, depth);
                if parts.len() > 1 { vec![state] } else { parts }
            }
            _ => vec![state],
        }
    }

    /// The product of a register with a positive number, if that does not wrap around; `None`: it may, or the other factor is
    /// not known.
    fn factor(&self, register: Register) -> Option<(Register, i128)> {
        let interval = |r: Register| self.values[r as usize].interval;
        let (of, by) = match self.code.instructions[register as usize] {
            Instruction::Binary(BitOp::Mul, a, b) => match (interval(a).only(), interval(b).only())
            {
                (_, Some(by)) => (a, i128::from(by)),
                (Some(by), _) => (b, i128::from(by)),
                _ => return None,
            },
            Instruction::Binary(BitOp::Shl, a, b) => {
                let by = interval(b).only().filter(|by| (0..63).contains(by))?;
                (a, 1 << by)
            }
            _ => return None,
        };
        let all = Interval::all(Sort::Bits(self.code.widths[register as usize]));
        let Interval { low, high } = interval(of);
        let fits =
            |n: i64| (i128::from(all.low)..=i128::from(all.high)).contains(&(i128::from(n) * by));
        (by > 0 && fits(low) && fits(high)).then_some((of, by))
    }

    /// Divides a variable that has few values into them, since nothing simpler helps.
    fn divided(
        &mut self,
        terms: &Terms,
        state: State,
        register: Register,
        to: Interval,
        depth: u32,
    ) -> Vec<State> {
        let Some(parts) = self.split(&state, register) else { return vec![state] };
        self.each(terms, parts, register, to, depth)
    }

    /// The state for each value of a variable that a register needs and that has few.
    pub fn split(&mut self, state: &State, register: Register) -> Option<Vec<State>> {
        let needs = self.code.needs(register);
        let variables = needs.iter().filter_map(|&r| match self.code.instructions[r as usize] {
            Instruction::Variable(v) => Some(v),
            _ => None,
        });
        let spread = |v: u32| state.get(v).interval.spread();
        let few = |v: &u32| (1..self.few).contains(&spread(*v));
        let variable = variables.filter(few).min_by_key(|&v| (spread(v), v))?;
        let Interval { low, high } = state.get(variable).interval;
        let width = width_of(self.code.variables[variable as usize].1);
        let part = |number| {
            let mut state = state.clone();
            state.restrict(width, variable, Interval::one(number)).then_some(state)
        };
        Some((low..=high).filter_map(part).collect())
    }
}

#[cfg(test)]
mod tests;
