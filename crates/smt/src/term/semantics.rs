//! The operators on values, as SMT-LIB's theory of bit-vectors defines them.

use super::node::{BitOp, Comparison, UnaryOp};

/// Ones in the lowest `width` bits, `width` in 1..=64.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The bits as a signed number.
pub(super) fn signed(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// The largest signed number, as bits.
pub(super) fn signed_max(width: u32) -> u64 {
    mask(width) >> 1
}

/// The smallest signed number, as bits.
pub(super) fn signed_min(width: u32) -> u64 {
    1 << (width - 1)
}

pub(super) fn unary(op: UnaryOp, width: u32, a: u64) -> u64 {
    let result = match op {
        UnaryOp::Negate => a.wrapping_neg(),
        UnaryOp::Not => !a,
    };
    result & mask(width)
}

pub(super) fn binary(op: BitOp, width: u32, a: u64, b: u64) -> u64 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let long = b >= u64::from(width);
    let result = match op {
        BitOp::Add => a.wrapping_add(b),
        BitOp::Sub => a.wrapping_sub(b),
        BitOp::Mul => a.wrapping_mul(b),
        BitOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BitOp::URem => a.checked_rem(b).unwrap_or(a),
        BitOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BitOp::SDiv => sa.wrapping_div(sb) as u64,
        BitOp::SRem if b == 0 => a,
        BitOp::SRem => sa.wrapping_rem(sb) as u64,
        BitOp::And => a & b,
        BitOp::Or => a | b,
        BitOp::Xor => a ^ b,
        BitOp::Shl | BitOp::LShr if long => 0,
        BitOp::Shl => a << b,
        BitOp::LShr => a >> b,
        BitOp::AShr => (sa >> b.min(63)) as u64,
    };
    result & mask(width)
}

pub(super) fn compare(op: Comparison, width: u32, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match op {
        Comparison::ULt => a < b,
        Comparison::ULe => a <= b,
        Comparison::SLt => sa < sb,
        Comparison::SLe => sa <= sb,
    }
}

/// Bits `high` down to `low`.
pub(super) fn extract(high: u32, low: u32, a: u64) -> u64 {
    (a >> low) & mask(high - low + 1)
}

pub(super) fn sign_extend(from: u32, to: u32, a: u64) -> u64 {
    signed(from, a) as u64 & mask(to)
}

/// `low_width` is below 64, as the whole has at most 64 bits.
pub(super) fn concat(low_width: u32, high: u64, low: u64) -> u64 {
    (high << low_width) | low
}
