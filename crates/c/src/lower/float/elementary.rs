//! Calls of functions of `math.h`: what holds of their results.

use crate::flow::{Expr, ExprKind, Place};
use crate::library::{Elementary, Facts};
use crate::lower::lowering::Lowering;
use crate::lower::memory::Updates;
use hardbop_cfa::{Operation, Origin};
use hardbop_smt::{BitOp, FloatOp, Term, Terms};

/// How far the results of libraries may be apart, as a part of the result: 2^-45 and, of `float`, 2^-17.  Those of the GNU
/// C library are within 2^-50 and 2^-21 of the exact ones.
const APART: f64 = 1.0 / 35_184_372_088_832.0;
const APART_SINGLE: f64 = 1.0 / 131_072.0;

impl Lowering<'_, '_> {
    /// A result of which the function's facts hold; of constants, a number near the one that it is here.
    pub(in crate::lower) fn elementary(
        &mut self,
        function: &'static Elementary,
        result: Option<&Place>,
        arguments: &[Expr],
        updates: &mut Updates,
    ) {
        let Some(place) = result else { return };
        let fits = |ty| self.is_float(ty) && !self.is_long_double(ty);
        if !fits(place.ty) || arguments.iter().any(|argument| !fits(argument.ty)) {
            return self.any_result(result, Origin::Approximation, updates);
        }
        let cursor = self.locate(place);
        let bits = self.bits_of(place);
        let value = self.anything(bits.width, Origin::Approximation);
        let operands: Option<Vec<Term>> =
            arguments.iter().map(|argument| self.operand(argument, bits.width)).collect();
        if let Some(operands) = operands {
            let mut facts = Formulas { terms: self.terms, value };
            let constants: Option<Vec<u64>> =
                operands.iter().map(|&operand| facts.terms.as_bits(operand)).collect();
            let known = constants.and_then(|constants| facts.near(function, &constants));
            let holds = match known {
                Some(holds) => holds,
                None => facts.hold(function.facts, &operands),
            };
            self.pending.push(Operation::Assume(holds));
        }
        self.write(&cursor, bits, value, updates);
    }

    /// An argument as a number of so many bits: that of a function of `float`s has been converted to `double`.
    fn operand(&mut self, argument: &Expr, width: u32) -> Option<Term> {
        let value = match &argument.kind {
            ExprKind::Cast(inner) if self.is_float(inner.ty) && self.width(inner.ty) == width => {
                self.value(inner)
            }
            _ => self.value(argument),
        };
        if self.terms.width(value) == width {
            return Some(value);
        }
        let number = f64::from_bits(self.terms.as_bits(value)?);
        let fits = f64::from(number as f32) == number && width == 32;
        fits.then(|| self.terms.bits(32, u64::from((number as f32).to_bits())))
    }
}

/// Makes formulas about a value.
struct Formulas<'a> {
    terms: &'a mut Terms,
    value: Term,
}

impl Formulas<'_> {
    fn width(&self) -> u32 {
        self.terms.width(self.value)
    }

    fn number(&mut self, number: f64) -> Term {
        let width = self.width();
        let bits = if width == 64 { number.to_bits() } else { u64::from(single(number).to_bits()) };
        self.terms.bits(width, bits)
    }

    fn all(&mut self, parts: &[Term]) -> Term {
        self.terms.and(parts)
    }

    fn implies(&mut self, condition: Term, then: Term) -> Term {
        let not = self.terms.not(condition);
        self.terms.or(&[not, then])
    }

    fn at_most(&mut self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::AtMost, &[a, b])
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Less, &[a, b])
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        self.terms.float(FloatOp::Equal, &[a, b])
    }

    /// Is it a number, rather than a NaN?
    fn is_number(&mut self, a: Term) -> Term {
        self.equal(a, a)
    }

    fn is_no_number(&mut self, a: Term) -> Term {
        let is_number = self.is_number(a);
        self.terms.not(is_number)
    }

    fn within(&mut self, a: Term, (least, greatest): (f64, f64)) -> Term {
        let (least, greatest) = (self.number(least), self.number(greatest));
        let parts = [self.at_most(least, a), self.at_most(a, greatest)];
        self.all(&parts)
    }

    fn absolute(&mut self, a: Term) -> Term {
        let width = self.width();
        let rest = self.terms.bits(width, u64::MAX >> (65 - width));
        self.terms.binary(BitOp::And, a, rest)
    }

    /// The result for operands that are constants; nothing where it is not computed.
    fn near(&mut self, function: &Elementary, operands: &[u64]) -> Option<Term> {
        let width = self.width();
        let bits = function.bits(width, operands)?;
        let number = |bits| {
            if width == 64 { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) }
        };
        let here = number(bits);
        if here.is_nan() {
            return Some(self.is_no_number(self.value));
        }
        if function.is_exact(width, operands) {
            let here = self.terms.bits(width, bits);
            // Some versions of the GNU C library give the remainder 0 the other sign.
            return Some(match function.facts {
                Facts::Remainder => self.equal(self.value, here),
                _ => self.terms.equal(self.value, here),
            });
        }
        let (apart, least) = match width {
            64 => (APART, f64::MIN_POSITIVE),
            _ => (APART_SINGLE, f64::from(f32::MIN_POSITIVE)),
        };
        let (apart, greatest) = match here.is_infinite() {
            true => (0.0, if width == 64 { f64::MAX } else { f64::from(f32::MAX) }),
            false => (here.abs() * apart + least * apart, 0.0),
        };
        // What overflows here may be just below that elsewhere.
        let range = match here {
            f64::INFINITY => (greatest * (1.0 - APART_SINGLE), here),
            f64::NEG_INFINITY => (here, greatest * (APART_SINGLE - 1.0)),
            _ => (here - apart, here + apart),
        };
        Some(self.within(self.value, range))
    }

    /// What holds for any operands.
    fn hold(&mut self, facts: Facts, operands: &[Term]) -> Term {
        let value = self.value;
        match (facts, operands) {
            (Facts::Within { domain, range, at, increasing }, &[x]) => {
                let is_in = self.within(x, domain);
                let is_out = self.terms.not(is_in);
                let is_none = self.is_no_number(value);
                let is_none = self.implies(is_out, is_none);
                let inside = self.within(value, range);
                let mut parts = vec![is_none, self.implies(is_in, inside)];
                if let Some((at, then)) = at {
                    let (at, then) = (self.number(at), self.number(then));
                    if increasing {
                        let (above, no_less) = (self.at_most(at, x), self.at_most(then, value));
                        let (below, no_more) = (self.at_most(x, at), self.at_most(value, then));
                        for (where_, what) in [(above, no_less), (below, no_more)] {
                            let both = self.all(&[where_, is_in]);
                            parts.push(self.implies(both, what));
                        }
                    } else {
                        let (is_at, is_so) = (self.equal(x, at), self.equal(value, then));
                        parts.push(self.implies(is_at, is_so));
                    }
                }
                self.all(&parts)
            }
            (Facts::Modulo | Facts::Remainder, &[x, y]) => self.rest(facts, x, y),
            (Facts::Length, _) => {
                let zero = self.number(0.0);
                let parts = [self.at_most(zero, value), self.is_no_number(value)];
                self.terms.or(&parts)
            }
            (Facts::Angle, &[x, y]) => {
                let numbers = [self.is_number(x), self.is_number(y)];
                let numbers = self.all(&numbers);
                let pi = std::f64::consts::PI.next_up();
                let inside = self.within(value, (-pi, pi));
                self.implies(numbers, inside)
            }
            (Facts::Power, &[x, y]) => {
                let (zero, one) = (self.number(0.0), self.number(1.0));
                let given = [self.less(zero, x), self.is_number(y)];
                let given = self.all(&given);
                let not_negative = self.at_most(zero, value);
                let not_negative = self.implies(given, not_negative);
                // Any number to the power of 0 is 1, and so is 1 to any power (C11, F.10.4.4).
                let trivial = [self.equal(y, zero), self.equal(x, one)];
                let numbers = [self.is_number(x), self.is_number(y)];
                let trivial = [self.terms.or(&trivial), self.all(&numbers)];
                let trivial = self.all(&trivial);
                let is_one = self.equal(value, one);
                let is_one = self.implies(trivial, is_one);
                self.all(&[not_negative, is_one])
            }
            (Facts::Difference, &[x, y]) => {
                let zero = self.number(0.0);
                let no_more = self.at_most(x, y);
                let more = self.less(y, x);
                let difference = self.terms.float(FloatOp::Sub, &[x, y]);
                let (is_zero, is_it) = (self.equal(value, zero), self.equal(value, difference));
                let numbers = [self.is_number(x), self.is_number(y)];
                let numbers = self.all(&numbers);
                let not = self.terms.not(numbers);
                let none = self.is_no_number(value);
                let parts = [
                    self.implies(no_more, is_zero),
                    self.implies(more, is_it),
                    self.implies(not, none),
                ];
                self.all(&parts)
            }
            _ => self.terms.bool(true),
        }
    }

    /// The rest of a division that has one: of a finite number by one that is not 0.
    fn rest(&mut self, facts: Facts, x: Term, y: Term) -> Term {
        let value = self.value;
        let zero = self.number(0.0);
        let is_finite = self.within(x, (f64::MIN, f64::MAX));
        let (below, above) = (self.less(y, zero), self.less(zero, y));
        let divides = self.terms.or(&[below, above]);
        let has_rest = self.all(&[is_finite, divides]);
        let (size, of_x, of_y) = (self.absolute(value), self.absolute(x), self.absolute(y));
        let mut parts = match facts {
            Facts::Modulo => {
                let (not_negative, not_positive) =
                    (self.at_most(zero, value), self.at_most(value, zero));
                let (x_positive, x_negative) = (self.less(zero, x), self.less(x, zero));
                vec![
                    self.less(size, of_y),
                    self.at_most(size, of_x),
                    self.implies(x_positive, not_negative),
                    self.implies(x_negative, not_positive),
                ]
            }
            _ => {
                let twice = self.terms.float(FloatOp::Add, &[size, size]);
                vec![self.at_most(twice, of_y)]
            }
        };
        // Less than that, it is the operand itself.
        let itself = self.equal(value, x);
        let is_small = match facts {
            Facts::Modulo => self.less(of_x, of_y),
            _ => {
                let twice = self.terms.float(FloatOp::Add, &[of_x, of_x]);
                self.less(twice, of_y)
            }
        };
        parts.push(self.implies(is_small, itself));
        let rest = self.all(&parts);
        let not = self.terms.not(has_rest);
        let none = self.is_no_number(value);
        let parts = [self.implies(has_rest, rest), self.implies(not, none)];
        self.all(&parts)
    }
}

/// The nearest `float`, but of the greatest `double` the greatest.
fn single(number: f64) -> f32 {
    if number.abs() == f64::MAX { f32::MAX.copysign(number as f32) } else { number as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Execution, Model, rows};
    use hardbop_base::random::Random;

    fn functions() -> impl Iterator<Item = (&'static str, &'static Elementary)> {
        rows().filter_map(|row| match row.model() {
            Some(Model { execution: Execution::Real(function), .. }) => Some((row.name, *function)),
            _ => None,
        })
    }

    /// Numbers of any size, small ones, and those at which a function changes.
    fn operand(width: u32, random: &mut Random) -> u64 {
        let number = match random.below(4) {
            0 => return random.bits() & (u64::MAX >> (64 - width)),
            1 => [
                0.0,
                -0.0,
                1.0,
                -1.0,
                f64::INFINITY,
                -f64::INFINITY,
                f64::NAN,
                0.5,
                1e300,
                5e-324,
                f64::MAX,
            ][random.below(11)],
            2 => random.below(2000) as f64 / 100.0 - 10.0,
            _ => (random.below(1 << 40) as f64 / f64::from(1_u32 << 31)) - 256.0,
        };
        if width == 64 { number.to_bits() } else { u64::from((number as f32).to_bits()) }
    }

    #[test]
    fn facts_hold_of_what_the_library_computes() {
        let mut random = Random::new(1);
        for (name, function) in functions() {
            let width = if name.ends_with('f') { 32 } else { 64 };
            for _ in 0..3_000 {
                let mut terms = Terms::new();
                let all: Vec<u64> = (0..3).map(|_| operand(width, &mut random)).collect();
                let fits = |count: &usize| function.bits(width, &all[..*count]).is_some();
                let count = (1..=3).find(fits).expect("a function of at most three numbers");
                let bits = function.bits(width, &all[..count]).expect("as found");
                let value = terms.bits(width, bits);
                let operands: Vec<Term> =
                    all[..count].iter().map(|&x| terms.bits(width, x)).collect();
                let mut formulas = Formulas { terms: &mut terms, value };
                let holds = formulas.hold(function.facts, &operands);
                let near = formulas.near(function, &all[..count]).expect("it is computed");
                let truth = terms.bool(true);
                assert_eq!(
                    (holds, near),
                    (truth, truth),
                    "{name} of {:x?} is {bits:x}",
                    &all[..count]
                );
            }
        }
    }
}
