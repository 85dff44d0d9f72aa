//! Circuits of floating-point operators, as IEEE 754 defines them and [`FloatOp`] completes that.
//!
//! Numbers are unpacked into sign, biased exponent and significand; significands are computed with
//! the bits that rounding needs and a sticky bit for all further ones; [`Blaster::packed`] rounds.

use super::format::{
    DOUBLE, Format, SINGLE, assembled, infinity, invalid_result, largest, nought, number, quiet,
    wide,
};
use super::{Bits, Blaster, zero};
use crate::term::{FloatOp, Rounding};
use hardbop_logic::{Aig, Lit};

/// A number in its parts.
struct Unpacked {
    sign: Lit,
    /// The exponent of the bits, but 1 for numbers that are not normal.
    exponent: Bits,
    /// The significand with the hidden bit on top.
    significand: Bits,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
}

impl Blaster {
    /// The result of an operator; one literal for a formula.
    pub(super) fn float(&mut self, op: FloatOp, operands: &[Bits]) -> Bits {
        let a = &operands[0];
        let b = operands.get(1).unwrap_or(a);
        let (op, rounding) = op.parts();
        let of = |bits| Format::of(bits).rounded(rounding);
        match op {
            FloatOp::Less => [self.less_float(a, b)].into(),
            FloatOp::Equal => [self.equal_float(a, b)].into(),
            FloatOp::AtMost => {
                let (less, equal) = (self.less_float(a, b), self.equal_float(a, b));
                [self.aig_mut().or(less, equal)].into()
            }
            FloatOp::OfSigned(to) => self.of_integer(of(to as usize), a, a[63]),
            FloatOp::OfUnsigned(to) => self.of_integer(of(to as usize), a, Lit::FALSE),
            FloatOp::Widen => self.converted(SINGLE, DOUBLE, a),
            FloatOp::Narrow => self.converted(DOUBLE, SINGLE.rounded(rounding), a),
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => {
                let (x, mut y) = (self.unpacked(a), self.unpacked(b));
                if op == FloatOp::Sub {
                    y.sign = !y.sign;
                }
                let format = of(a.len());
                let result = match op {
                    FloatOp::Mul => self.product(format, &x, &y),
                    FloatOp::Div => self.quotient(format, &x, &y),
                    _ => self.sum(format, &x, &y),
                };
                let result = self.select(y.nan, &quiet(b), &result);
                self.select(x.nan, &quiet(a), &result)
            }
            FloatOp::Sqrt | FloatOp::Round(_) => {
                let x = self.unpacked(a);
                let format = of(a.len());
                let result = match op {
                    FloatOp::Round(rounding) => self.integral(format, rounding, &x, a),
                    _ => self.root(format, &x, a),
                };
                self.select(x.nan, &quiet(a), &result)
            }
            FloatOp::Directed(..) => unreachable!("the parts of an operator have no direction"),
        }
    }

    fn unpacked(&mut self, bits: &[Lit]) -> Unpacked {
        let Format { exponent: e, mantissa: m, .. } = Format::of(bits.len());
        let (mantissa, exponent) = (&bits[..m], &bits[m..m + e]);
        let aig = self.aig_mut();
        let ones = aig.and_all(exponent.to_vec());
        let subnormal = !aig.or_all(exponent.to_vec());
        let fraction = aig.or_all(mantissa.to_vec());
        let mut exponent: Bits = exponent.into();
        exponent[0] = aig.or(exponent[0], subnormal);
        Unpacked {
            sign: bits[m + e],
            exponent,
            significand: mantissa.iter().copied().chain([!subnormal]).collect(),
            nan: aig.and(ones, fraction),
            infinite: aig.and(ones, !fraction),
            zero: aig.and(subnormal, !fraction),
        }
    }

    /// Whether both are numbers and `a < b`.
    fn less_float(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (x, y) = (self.unpacked(a), self.unpacked(b));
        let size = a.len() - 1;
        let (up, down) = (self.less(&a[..size], &b[..size]), self.less(&b[..size], &a[..size]));
        let aig = self.aig_mut();
        let zeros = aig.and(x.zero, y.zero);
        let same = aig.ite(x.sign, down, up);
        let differ = aig.xor(x.sign, y.sign);
        let less = aig.ite(differ, x.sign, same);
        aig.and_all(vec![less, !zeros, !x.nan, !y.nan])
    }

    fn equal_float(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (x, y) = (self.unpacked(a), self.unpacked(b));
        let aig = self.aig_mut();
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| aig.iff(a, b)).collect();
        let (same, zeros) = (aig.and_all(same), aig.and(x.zero, y.zero));
        let equal = aig.or(same, zeros);
        aig.and_all(vec![equal, !x.nan, !y.nan])
    }

    /// Shifts left until the highest bit is set; by how much. Zero stays zero.
    fn normalised(&mut self, bits: &[Lit]) -> (Bits, Bits) {
        let n = bits.len();
        let stages = (usize::BITS - (n - 1).leading_zeros()) as usize;
        let (mut bits, mut count): (Bits, Bits) = (bits.into(), zero(stages));
        for stage in (0..stages).rev() {
            let distance = (1 << stage).min(n);
            let empty = !self.aig_mut().or_all(bits[n - distance..].to_vec());
            let moved: Bits = zero(distance).iter().chain(&bits[..n - distance]).copied().collect();
            bits = self.select(empty, &moved, &bits);
            count[stage] = empty;
        }
        (bits, count)
    }

    /// The significand with its highest bit set, and the exponent that goes with it.
    fn normal(&mut self, format: Format, x: &Unpacked) -> (Bits, Bits) {
        let (significand, count) = self.normalised(&x.significand);
        let exponent = wide(&x.exponent, format.room());
        (self.subtract(&exponent, &wide(&count, format.room())), significand)
    }

    /// A shift right, and whether a bit that is 1 was lost.
    fn shifted(&mut self, bits: &[Lit], by: &[Lit], sticky: Lit) -> (Bits, Lit) {
        let n = bits.len();
        let (mut bits, mut sticky): (Bits, Lit) = (bits.into(), sticky);
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(stage as u32).map_or(n, |d| d.min(n));
            let aig = self.aig_mut();
            let lost = aig.or_all(bits[..distance].to_vec());
            let lost = aig.and(bit, lost);
            sticky = aig.or(sticky, lost);
            let moved: Bits = bits[distance..].iter().chain(&zero(distance)).copied().collect();
            bits = self.select(bit, &moved, &bits);
        }
        (bits, sticky)
    }

    /// The number with this sign, biased exponent and significand, whose highest bit is set and has
    /// the weight of the exponent; further bits of the significand are summed up in `sticky`.
    /// Rounds, also to subnormal numbers and infinity.
    fn packed(
        &mut self,
        format: Format,
        sign: Lit,
        exponent: &[Lit],
        significand: &[Lit],
        sticky: Lit,
    ) -> Bits {
        let Format { exponent: e, mantissa: m, rounding } = format;
        let room = exponent.len();
        // One bit below those that are kept.
        let missing = (m + 2).saturating_sub(significand.len());
        let significand: Bits = zero(missing).iter().chain(significand).copied().collect();
        let below = self.subtract(&number(1, room), exponent);
        // An exponent of at least 1 is normal; 0 has to be shifted by 1.
        let positive = self.aig_mut().or_all(below.to_vec());
        let tiny = self.aig_mut().and(!below[room - 1], positive);
        let distance = self.select(tiny, &below, &zero(room));
        let (shifted, sticky) = self.shifted(&significand, &distance, sticky);
        let low = shifted.len() - (m + 1);
        let (rest, kept) = shifted.split_at(low);
        let aig = self.aig_mut();
        let guard = rest[low - 1];
        let lost = aig.or_all(rest[..low - 1].iter().copied().chain([sticky]));
        let up = up(aig, rounding, sign, (guard, lost), kept[0]);
        let before = self.subtract(exponent, &number(1, room));
        // The hidden bit adds one to the exponent, and so does a carry out of the significand.
        let base = self.select(tiny, &zero(room), &before);
        let base: Bits = zero(m).iter().chain(&base).copied().collect();
        let sum = self.add(&base, &wide(kept, m + room), up).0;
        let (mantissa, exponent) = sum.split_at(m);
        let large = !self.less(exponent, &number((1 << e) - 1, room));
        let finite: Bits = mantissa.iter().chain(&exponent[..e]).copied().chain([sign]).collect();
        let too_large = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => infinity(format, sign),
            Rounding::Zero => largest(format, sign),
            Rounding::Down => self.select(sign, &infinity(format, sign), &largest(format, sign)),
            Rounding::Up => self.select(sign, &largest(format, sign), &infinity(format, sign)),
        };
        self.select(large, &too_large, &finite)
    }

    fn sum(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Bits {
        let m = format.mantissa;
        let magnitude =
            |x: &Unpacked| -> Bits { x.significand.iter().chain(&x.exponent).copied().collect() };
        let swap = self.less(&magnitude(a), &magnitude(b));
        let larger = self.select(swap, &b.significand, &a.significand);
        let smaller = self.select(swap, &a.significand, &b.significand);
        let exponent = self.select(swap, &b.exponent, &a.exponent);
        let other = self.select(swap, &a.exponent, &b.exponent);
        let sign = self.aig_mut().ite(swap, b.sign, a.sign);
        let distance = self.subtract(&exponent, &other);
        // Guard, round and sticky bit.
        let extended = |bits: &[Lit]| -> Bits { zero(3).iter().chain(bits).copied().collect() };
        let (mut smaller, sticky) = self.shifted(&extended(&smaller), &distance, Lit::FALSE);
        smaller[0] = self.aig_mut().or(smaller[0], sticky);
        let differ = self.aig_mut().xor(a.sign, b.sign);
        let (larger, smaller) = (wide(&extended(&larger), m + 5), wide(&smaller, m + 5));
        let smaller: Bits = smaller.iter().map(|&l| self.aig_mut().xor(l, differ)).collect();
        let sum = self.add(&larger, &smaller, differ).0;
        let some = self.aig_mut().or_all(sum.to_vec());
        let (sum, count) = self.normalised(&sum);
        let top = self.add(&wide(&exponent, format.room()), &number(1, format.room()), Lit::FALSE);
        let exponent = self.subtract(&top.0, &wide(&count, format.room()));
        let result = self.packed(format, sign, &exponent, &sum, Lit::FALSE);
        // What is left of a number and its negation is negative only downwards.
        let negative = match format.rounding {
            Rounding::Down => self.aig_mut().or(a.sign, b.sign),
            _ => self.aig_mut().and(a.sign, b.sign),
        };
        let result = self.select(some, &result, &nought(format, negative));
        // Infinities.
        let result = self.select(b.infinite, &infinity(format, b.sign), &result);
        let result = self.select(a.infinite, &infinity(format, a.sign), &result);
        let invalid = self.aig_mut().and_all(vec![a.infinite, b.infinite, differ]);
        self.select(invalid, &invalid_result(format), &result)
    }

    fn product(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Bits {
        let (m, room) = (format.mantissa, format.room());
        let (ea, sa) = self.normal(format, a);
        let (eb, sb) = self.normal(format, b);
        let product = self.multiply(&wide(&sa, 2 * m + 2), &wide(&sb, 2 * m + 2));
        let sum = self.add(&ea, &eb, Lit::FALSE).0;
        let exponent = self.subtract(&sum, &number(format.bias() - 1, room));
        let (significand, exponent) = self.one_up(&product, &exponent);
        let (rest, top) = significand.split_at(m);
        let sticky = self.aig_mut().or_all(rest.to_vec());
        let sign = self.aig_mut().xor(a.sign, b.sign);
        let result = self.packed(format, sign, &exponent, top, sticky);
        let aig = self.aig_mut();
        let (zero, infinite) = (aig.or(a.zero, b.zero), aig.or(a.infinite, b.infinite));
        self.special(format, sign, (zero, infinite), &result)
    }

    fn quotient(&mut self, format: Format, a: &Unpacked, b: &Unpacked) -> Bits {
        let (m, room) = (format.mantissa, format.room());
        let (ea, sa) = self.normal(format, a);
        let (eb, sb) = self.normal(format, b);
        // Long division: one bit before the point, m + 3 behind it.
        let (mut rest, divisor) = (wide(&sa, m + 2), wide(&sb, m + 2));
        let mut digits = vec![];
        for _ in 0..m + 4 {
            let fits = !self.less(&rest, &divisor);
            let smaller = self.subtract(&rest, &divisor);
            let left = self.select(fits, &smaller, &rest);
            digits.push(fits);
            rest = [Lit::FALSE].iter().chain(&left[..m + 1]).copied().collect();
        }
        digits.reverse();
        let sticky = self.aig_mut().or_all(rest.to_vec());
        let difference = self.subtract(&ea, &eb);
        let exponent = self.add(&difference, &number(format.bias(), room), Lit::FALSE).0;
        let (significand, exponent) = self.one_up(&digits, &exponent);
        let sign = self.aig_mut().xor(a.sign, b.sign);
        let result = self.packed(format, sign, &exponent, &significand, sticky);
        let aig = self.aig_mut();
        let (zero, infinite) = (aig.or(a.zero, b.infinite), aig.or(a.infinite, b.zero));
        // 0/0 and inf/inf are both.
        self.special(format, sign, (zero, infinite), &result)
    }

    /// Shifts left by one if the highest bit is not set.
    fn one_up(&mut self, bits: &[Lit], exponent: &[Lit]) -> (Bits, Bits) {
        let n = bits.len();
        let moved: Bits = [Lit::FALSE].iter().chain(&bits[..n - 1]).copied().collect();
        let less = self.subtract(exponent, &number(1, exponent.len()));
        (self.select(bits[n - 1], bits, &moved), self.select(bits[n - 1], exponent, &less))
    }

    /// The result, unless it is zero or infinite for a special operand, or invalid since it is
    /// both.
    fn special(
        &mut self,
        format: Format,
        sign: Lit,
        (zero, infinite): (Lit, Lit),
        result: &[Lit],
    ) -> Bits {
        let result = self.select(zero, &nought(format, sign), result);
        let result = self.select(infinite, &infinity(format, sign), &result);
        let invalid = self.aig_mut().and(zero, infinite);
        self.select(invalid, &invalid_result(format), &result)
    }

    fn root(&mut self, format: Format, x: &Unpacked, bits: &[Lit]) -> Bits {
        let (m, room) = (format.mantissa, format.room());
        let (exponent, significand) = self.normal(format, x);
        let unbiased = self.subtract(&exponent, &number(format.bias(), room));
        let odd = unbiased[0];
        let half: Bits = unbiased[1..].iter().chain([&unbiased[room - 1]]).copied().collect();
        // The radicand is in [1, 4), with 2m + 4 bits behind the point; the root has m + 2.
        let (single, twice) = (
            wide(&significand, m + 2),
            [Lit::FALSE].iter().chain(&significand).copied().collect::<Bits>(),
        );
        let radicand = self.select(odd, &twice, &single);
        let radicand: Bits = zero(m + 4).iter().chain(&radicand).copied().collect();
        let (mut rest, mut digits): (Bits, Vec<Lit>) = (zero(m + 7), vec![]);
        for pair in radicand.rchunks(2) {
            rest = pair.iter().chain(&rest[..m + 5]).copied().collect();
            let tried: Vec<Lit> =
                [Lit::TRUE, Lit::FALSE].into_iter().chain(digits.iter().rev().copied()).collect();
            let tried = wide(&tried, m + 7);
            let fits = !self.less(&rest, &tried);
            let smaller = self.subtract(&rest, &tried);
            rest = self.select(fits, &smaller, &rest);
            digits.push(fits);
        }
        digits.reverse();
        let sticky = self.aig_mut().or_all(rest.to_vec());
        let exponent = self.add(&half, &number(format.bias(), room), Lit::FALSE).0;
        let result = self.packed(format, Lit::FALSE, &exponent, &digits, sticky);
        let result = self.select(x.sign, &invalid_result(format), &result);
        let itself = self.aig_mut().and(x.infinite, !x.sign);
        let itself = self.aig_mut().or(itself, x.zero);
        self.select(itself, bits, &result)
    }

    fn integral(&mut self, format: Format, rounding: Rounding, x: &Unpacked, bits: &[Lit]) -> Bits {
        let (m, room) = (format.mantissa, format.room());
        let exponent = wide(&x.exponent, room);
        let distance = self.subtract(&number(format.bias() + m as i64, room), &exponent);
        let some = self.aig_mut().or_all(distance.to_vec());
        let integral = self.aig_mut().or(distance[room - 1], !some);
        let guarded: Bits = [Lit::FALSE].iter().chain(&x.significand).copied().collect();
        let (shifted, sticky) = self.shifted(&guarded, &distance, Lit::FALSE);
        let (guard, whole) = (shifted[0], &shifted[1..]);
        let up = up(self.aig_mut(), rounding, x.sign, (guard, sticky), whole[0]);
        let whole = self.add(&wide(whole, m + 2), &zero(m + 2), up).0;
        let some = self.aig_mut().or_all(whole.to_vec());
        let (whole, count) = self.normalised(&whole);
        let top = number(format.bias() + m as i64 + 1, room);
        let exponent = self.subtract(&top, &wide(&count, room));
        let result = self.packed(format, x.sign, &exponent, &whole, Lit::FALSE);
        let result = self.select(some, &result, &nought(format, x.sign));
        self.select(integral, bits, &result)
    }

    fn of_integer(&mut self, format: Format, bits: &[Lit], sign: Lit) -> Bits {
        let magnitude = self.negate_if(sign, bits);
        let some = self.aig_mut().or_all(magnitude.to_vec());
        let (significand, count) = self.normalised(&magnitude);
        let top = number(format.bias() + bits.len() as i64 - 1, format.room());
        let exponent = self.subtract(&top, &wide(&count, format.room()));
        let result = self.packed(format, sign, &exponent, &significand, Lit::FALSE);
        self.select(some, &result, &nought(format, Lit::FALSE))
    }

    fn converted(&mut self, from: Format, to: Format, bits: &[Lit]) -> Bits {
        let x = self.unpacked(bits);
        let (exponent, significand) = self.normal(DOUBLE, &x);
        let shift = number(to.bias() - from.bias(), DOUBLE.room());
        let exponent = self.add(&exponent, &shift, Lit::FALSE).0;
        let result = self.packed(to, x.sign, &exponent, &significand, Lit::FALSE);
        let result = self.special(to, x.sign, (x.zero, x.infinite), &result);
        // The highest bits of a NaN are kept.
        let (lost, added) =
            (from.mantissa.saturating_sub(to.mantissa), to.mantissa.saturating_sub(from.mantissa));
        let payload = zero(added).iter().chain(&bits[lost..from.mantissa]).copied().collect();
        let nan = quiet(&assembled(to, x.sign, payload));
        self.select(x.nan, &nan, &result)
    }
}

/// Whether a magnitude is rounded up, of which the bit behind the last one is `guard`, `sticky` says whether a further one is set,
/// and `odd` is the last one.
fn up(aig: &mut Aig, rounding: Rounding, sign: Lit, (guard, sticky): (Lit, Lit), odd: Lit) -> Lit {
    match rounding {
        Rounding::NearestEven => {
            let more = aig.or(sticky, odd);
            aig.and(guard, more)
        }
        Rounding::NearestAway => guard,
        Rounding::Zero => Lit::FALSE,
        Rounding::Down | Rounding::Up => {
            let inexact = aig.or(guard, sticky);
            aig.and(inexact, if rounding == Rounding::Down { sign } else { !sign })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};
    use hardbop_base::random::Random;

    /// Numbers at which something changes, and random ones, often of similar size.
    fn sample(random: &mut Random, width: u32) -> u64 {
        let Format { exponent: e, mantissa: m, .. } = Format::of(width as usize);
        let mask = u64::MAX >> (64 - width);
        let edge = |random: &mut Random, bits: usize| match random.below(4) {
            0 => 0,
            1 => (1 << bits) - 1,
            2 => 1 << random.below(bits),
            _ => random.bits() & ((1 << bits) - 1),
        };
        let exponent = match random.below(3) {
            0 => edge(random, e),
            1 => ((1 << (e - 1)) - 1_i64 + random.below(140) as i64 - 70) as u64 & ((1 << e) - 1),
            _ => random.below(4) as u64,
        };
        let sign = random.below(2) as u64;
        (sign << (e + m) | exponent << m | edge(random, m)) & mask
    }

    /// Circuits give what the processor does.
    #[test]
    fn circuits_agree_with_the_processor() {
        let mut random = Random::new(19);
        let mut results = 0;
        for op in FloatOp::all() {
            for width in [32, 64].into_iter().filter(|&w| op.takes(w)) {
                let mut terms = Terms::new();
                let mut blaster = Blaster::new();
                let inputs: Vec<Bits> = (0..op.arity())
                    .map(|_| (0..width).map(|_| blaster.aig_mut().new_input_lit()).collect())
                    .collect();
                let circuit = blaster.float(op, &inputs);
                let nearest = op.parts().0;
                for round in 0..if op == nearest { 200 } else { 40 } {
                    let integer = matches!(nearest, FloatOp::OfSigned(_) | FloatOp::OfUnsigned(_));
                    let values: Vec<u64> = (0..op.arity())
                        .map(|_| match integer {
                            true => random.bits() >> random.below(64),
                            false => sample(&mut random, width),
                        })
                        .collect();
                    let bit = |l: Lit| -> bool {
                        let at = inputs.iter().flatten().position(|&i| i == l).expect("an input");
                        values[at / width as usize] >> (at % width as usize) & 1 == 1
                    };
                    let known: std::collections::HashMap<_, _> = inputs
                        .iter()
                        .flatten()
                        .map(|&l| (blaster.aig().as_input(l).expect("an input"), bit(l)))
                        .collect();
                    let found = blaster.aig().evaluate(&circuit, |i| known[&i]);
                    let found = found.iter().rev().fold(0, |v: u64, &bit| v << 1 | u64::from(bit));
                    let operands: Vec<_> = values.iter().map(|&v| terms.bits(width, v)).collect();
                    let expected = terms.float(op, &operands);
                    let expected = match terms.sort(expected) {
                        Sort::Bool => u64::from(expected == terms.bool(true)),
                        _ => terms.as_bits(expected).expect("a constant"),
                    };
                    assert_eq!(found, expected, "{op:?} {width} {values:x?} ({round})");
                    results += 1;
                }
            }
        }
        assert!(results > 4_000);
    }
}
