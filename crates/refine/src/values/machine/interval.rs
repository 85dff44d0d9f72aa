//! Intervals of numbers, and the operators on them.
//!
//! The bits of a number are read as signed.  Truth values are 0 and 1.  Each operator gives an
//! interval that holds all results; for single numbers it is exact.

use hardbop_smt::{BitOp, Comparison, Sort, UnaryOp};

/// The numbers from `low` to `high`; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Interval {
    pub low: i64,
    pub high: i64,
}

/// The least number of a width in 1..=64.
pub fn least(width: u32) -> i64 {
    i64::MIN >> (64 - width)
}

/// The greatest number of a width in 1..=64.
pub fn greatest(width: u32) -> i64 {
    i64::MAX >> (64 - width)
}

/// Bits as a signed number.
pub fn signed(width: u32, bits: u64) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

/// A signed number as bits.
pub fn bits(width: u32, number: i64) -> u64 {
    number as u64 & (u64::MAX >> (64 - width))
}

impl Interval {
    pub const FALSE: Self = Self { low: 0, high: 0 };
    pub const TRUE: Self = Self { low: 1, high: 1 };
    /// The interval of either truth value.
    pub const OPEN: Self = Self { low: 0, high: 1 };

    pub fn one(number: i64) -> Self {
        Self { low: number, high: number }
    }

    /// All values of a sort.  Integers have none: the analysis is of bit-vectors.
    pub fn all(sort: Sort) -> Self {
        match sort {
            Sort::Bits(width) => Self { low: least(width), high: greatest(width) },
            Sort::Bool | Sort::Int => Self::OPEN,
        }
    }

    /// The number, if there is only one.
    pub fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many numbers there are, less one.
    pub fn spread(self) -> u64 {
        self.high.wrapping_sub(self.low) as u64
    }

    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection of two intervals.
    pub fn meet(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low <= high).then_some(Self { low, high })
    }

    fn truth(truth: Option<bool>) -> Self {
        truth.map_or(Self::OPEN, |t| if t { Self::TRUE } else { Self::FALSE })
    }

    /// The opposite truth values.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { low: 1 - self.high, high: 1 - self.low }
    }

    fn is_natural(self) -> bool {
        self.low >= 0
    }
}

/// The numbers from `low` to `high` modulo 2^width, as one or two intervals in ascending order of
/// what they come from.
pub fn pieces(width: u32, low: i128, high: i128) -> [Option<Interval>; 2] {
    let (size, least, greatest) =
        (1_i128 << width, i128::from(least(width)), i128::from(greatest(width)));
    let make = |low: i128, high: i128| Some(Interval { low: low as i64, high: high as i64 });
    if high - low >= size {
        return [make(least, greatest), None];
    }
    let shift = (low - least).div_euclid(size) * size;
    let (low, high) = (low - shift, high - shift);
    if high <= greatest {
        [make(low, high), None]
    } else {
        [make(low, greatest), make(least, high - size)]
    }
}

/// The pieces as one interval.
fn wrapped(width: u32, low: i128, high: i128) -> Interval {
    match pieces(width, low, high) {
        [Some(only), None] => only,
        _ => Interval { low: least(width), high: greatest(width) },
    }
}

/// The bits of a number of this width read as unsigned, as one or two intervals.
fn unsigned(width: u32, a: Interval) -> [Option<(i128, i128)>; 2] {
    let size = 1_i128 << width;
    let (low, high) = (i128::from(a.low), i128::from(a.high));
    if low >= 0 {
        [Some((low, high)), None]
    } else if high < 0 {
        [Some((low + size, high + size)), None]
    } else {
        [Some((0, high)), Some((low + size, size - 1))]
    }
}

/// The least and the greatest of the bits read as unsigned.
fn unsigned_bounds(width: u32, a: Interval) -> (i128, i128) {
    match unsigned(width, a) {
        [Some((low, _)), Some((_, high))] => (low, high),
        [Some(only), _] => only,
        _ => (0, (1_i128 << width) - 1),
    }
}

/// The numbers of an interval from `low` to `high`, both included, where a comparison reads them as signed or unsigned.
pub fn between(
    width: u32,
    a: Interval,
    is_signed: bool,
    (low, high): (i128, i128),
) -> Vec<Interval> {
    let ranges = match is_signed {
        true => [Some((i128::from(a.low), i128::from(a.high))), None],
        false => unsigned(width, a),
    };
    let kept = ranges.into_iter().flatten();
    let kept = kept.map(|(l, h)| (l.max(low), h.min(high))).filter(|(l, h)| l <= h);
    kept.flat_map(|(l, h)| pieces(width, l, h).into_iter().flatten()).collect()
}

/// The least and the greatest number of an interval, as a comparison reads them.
pub fn bounds(width: u32, a: Interval, is_signed: bool) -> (i128, i128) {
    match is_signed {
        true => (i128::from(a.low), i128::from(a.high)),
        false => unsigned_bounds(width, a),
    }
}

/// The multiples of a positive number that are in an interval, divided by it; `None`: there are none.
pub fn divided(a: Interval, by: i128) -> Option<Interval> {
    let low = -(-i128::from(a.low)).div_euclid(by);
    let high = i128::from(a.high).div_euclid(by);
    (low <= high).then_some(Interval { low: low as i64, high: high as i64 })
}

pub fn unary(op: UnaryOp, width: u32, a: Interval) -> Interval {
    let (low, high) = (i128::from(a.low), i128::from(a.high));
    match op {
        UnaryOp::Negate => wrapped(width, -high, -low),
        UnaryOp::Not => wrapped(width, -1 - high, -1 - low),
    }
}

/// The least number of the form 2^k - 1 that is not below `n`, which is natural.
fn filled(n: i64) -> i64 {
    match n {
        0 => 0,
        _ => i64::MAX >> (n.leading_zeros() - 1),
    }
}

/// The result where the operands are not single numbers; those are left to exact arithmetic.
pub fn binary(op: BitOp, width: u32, a: Interval, b: Interval) -> Interval {
    let all = Interval { low: least(width), high: greatest(width) };
    let [al, ah, bl, bh] = [a.low, a.high, b.low, b.high].map(i128::from);
    let corners = |f: &dyn Fn(i128, i128) -> i128| {
        let all = [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)];
        all.into_iter().fold((i128::MAX, i128::MIN), |(l, h), c| (l.min(c), h.max(c)))
    };
    let both_natural = a.is_natural() && b.is_natural();
    match op {
        BitOp::Add => wrapped(width, al + bl, ah + bh),
        BitOp::Sub => wrapped(width, al - bh, ah - bl),
        BitOp::Mul => {
            // At most 2^126.
            let (low, high) = corners(&|a, b| a * b);
            wrapped(width, low, high)
        }
        BitOp::SDiv if b.low > 0 || b.high < 0 => {
            let (low, high) = corners(&|a, b| a / b);
            wrapped(width, low, high)
        }
        BitOp::UDiv if both_natural && b.low > 0 => {
            let (low, high) = corners(&|a, b| a / b);
            wrapped(width, low, high)
        }
        BitOp::SRem if b.low > 0 => remainder(a, b),
        BitOp::URem if both_natural && b.low > 0 => remainder(a, b),
        BitOp::And if a.is_natural() || b.is_natural() => {
            let bounds = [a, b].into_iter().filter(|i| i.is_natural()).map(|i| i.high);
            Interval { low: 0, high: bounds.min().unwrap_or(all.high) }
        }
        BitOp::Or if both_natural => {
            Interval { low: a.low.max(b.low), high: filled(a.high | b.high).min(all.high) }
        }
        BitOp::Xor if both_natural => {
            Interval { low: 0, high: filled(a.high | b.high).min(all.high) }
        }
        BitOp::Shl => match b.only() {
            Some(by) if (0..i64::from(width)).contains(&by) => {
                let factor = 1_i128 << by;
                wrapped(width, al.saturating_mul(factor), ah.saturating_mul(factor))
            }
            _ => all,
        },
        BitOp::LShr | BitOp::AShr => match b.only() {
            Some(by) if (0..i64::from(width)).contains(&by) => {
                if op == BitOp::AShr || a.is_natural() {
                    Interval { low: a.low >> by, high: a.high >> by }
                } else {
                    let (low, high) = unsigned_bounds(width, a);
                    wrapped(width, low >> by, high >> by)
                }
            }
            _ => all,
        },
        _ => all,
    }
}

/// A value, or its complement where that is not negative: it has as many bits as the value without its sign.
pub fn length(a: Interval) -> Interval {
    let of = |n: i64| n ^ (n >> 63);
    let (low, high) = (of(a.low), of(a.high));
    let least = if a.low < 0 && a.high >= 0 { 0 } else { low.min(high) };
    Interval { low: least, high: low.max(high) }
}

/// The square of a value; none if it may be too large for the width.
pub fn square(width: u32, a: Interval) -> Option<Interval> {
    let most = i128::from(a.low.unsigned_abs().max(a.high.unsigned_abs()));
    let least = match a.low <= 0 && a.high >= 0 {
        true => 0,
        false => i128::from(a.low.unsigned_abs().min(a.high.unsigned_abs())),
    };
    let high = most.checked_mul(most).filter(|&high| high <= i128::from(greatest(width)))?;
    let (low, high) = (i64::try_from(least * least).ok()?, i64::try_from(high).ok()?);
    Some(Interval { low, high })
}

/// The remainder of truncating division by positive numbers.
fn remainder(a: Interval, b: Interval) -> Interval {
    if let Some(by) = b.only()
        && a.low / by == a.high / by
        && (a.low >= 0 || a.high <= 0)
    {
        return Interval { low: a.low % by, high: a.high % by };
    }
    let most = b.high - 1;
    Interval {
        low: if a.low >= 0 { 0 } else { a.low.max(-most) },
        high: if a.high <= 0 { 0 } else { a.high.min(most) },
    }
}

pub fn compare(op: Comparison, width: u32, a: Interval, b: Interval) -> Interval {
    let [(al, ah), (bl, bh)] = [a, b].map(|i| bounds(width, i, op.is_signed()));
    let strict = op.is_strict();
    let (always, never) = if strict { (ah < bl, al >= bh) } else { (ah <= bl, al > bh) };
    Interval::truth(if always {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    })
}

pub fn equal(a: Interval, b: Interval) -> Interval {
    Interval::truth(match (a.only(), b.only()) {
        (Some(a), Some(b)) => Some(a == b),
        _ if a.meet(b).is_none() => Some(false),
        _ => None,
    })
}

/// Bits `high` down to `low`.
pub fn extract(high: u32, low: u32, a: Interval) -> Interval {
    wrapped(high - low + 1, i128::from(a.low >> low), i128::from(a.high >> low))
}

pub fn zero_extend(from: u32, to: u32, a: Interval) -> Interval {
    let (low, high) = unsigned_bounds(from, a);
    wrapped(to, low, high)
}

/// `a` above the `low_width` bits of `b`.
pub fn concat(low_width: u32, a: Interval, b: Interval) -> Interval {
    let (low, high) = unsigned_bounds(low_width, b);
    let above = |n: i64| i128::from(n) << low_width;
    Interval { low: (above(a.low) + low) as i64, high: (above(a.high) + high) as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_smt::{Terms, Value};

    fn intervals(width: u32) -> Vec<Interval> {
        let range = least(width)..=greatest(width);
        let pairs =
            range.clone().flat_map(|low| (low..=greatest(width)).map(move |high| (low, high)));
        pairs.map(|(low, high)| Interval { low, high }).collect()
    }

    fn numbers(i: Interval) -> impl Iterator<Item = i64> {
        i.low..=i.high
    }

    /// All operators on all intervals of three bits hold what the terms say of each pair of
    /// numbers.
    #[test]
    fn operators_hold_all_results() {
        let width = 3;
        let mut terms = Terms::new();
        for a in intervals(width) {
            for b in intervals(width) {
                for x in numbers(a) {
                    for y in numbers(b) {
                        let [tx, ty] = [x, y].map(|n| terms.bits(width, n as u64));
                        for op in BitOp::ALL {
                            let exact = terms.binary(op, tx, ty);
                            let Some(Value::Bits(exact)) = terms.value(exact) else { panic!() };
                            let exact = signed(width, exact);
                            let found = binary(op, width, a, b);
                            assert!(
                                found.meet(Interval::one(exact)).is_some(),
                                "{op:?} {a:?} {b:?}: {exact} not in {found:?}"
                            );
                        }
                        for op in
                            [Comparison::ULt, Comparison::ULe, Comparison::SLt, Comparison::SLe]
                        {
                            let exact = terms.compare(op, tx, ty);
                            let exact = i64::from(terms.value(exact) == Some(Value::Bool(true)));
                            let found = compare(op, width, a, b);
                            assert!(
                                found.meet(Interval::one(exact)).is_some(),
                                "{op:?} {a:?} {b:?}"
                            );
                        }
                        let both = terms.concat(tx, ty);
                        let exact = signed(6, terms.as_bits(both).unwrap());
                        assert!(
                            concat(3, a, b).meet(Interval::one(exact)).is_some(),
                            "{a:?} {b:?}"
                        );
                    }
                }
            }
            for x in numbers(a) {
                let tx = terms.bits(width, x as u64);
                for op in [UnaryOp::Negate, UnaryOp::Not] {
                    let exact = terms.unary(op, tx);
                    let exact = signed(width, terms.as_bits(exact).unwrap());
                    assert!(unary(op, width, a).meet(Interval::one(exact)).is_some());
                }
                for (high, low) in [(0, 0), (1, 0), (2, 0), (1, 1), (2, 1), (2, 2)] {
                    let exact = terms.extract(high, low, tx);
                    let exact = signed(high - low + 1, terms.as_bits(exact).unwrap());
                    let found = extract(high, low, a);
                    assert!(found.meet(Interval::one(exact)).is_some(), "{a:?} {high} {low}");
                }
                let exact = terms.zero_extend(5, tx);
                let exact = signed(5, terms.as_bits(exact).unwrap());
                assert!(zero_extend(3, 5, a).meet(Interval::one(exact)).is_some());
            }
        }
    }
}
