//! Constants of C.

/// A constant of so many bits, which C reads as a number of that sign.
pub(super) fn constant(bits: u32, signed: bool, value: u64) -> String {
    let unused = 64 - bits.clamp(1, 64);
    if !signed {
        let value = value << unused >> unused;
        let suffix = match bits {
            33.. => "ULL",
            32 => "U",
            _ => "",
        };
        return format!("{value}{suffix}");
    }
    let value = (value << unused) as i64 >> unused;
    let suffix = if bits > 32 { "LL" } else { "" };
    // C has no constant for the least number: it is a sign before one that is too large.
    if bits >= 32 && value == i64::MIN >> unused {
        return format!("(-{}{suffix} - 1)", -(value + 1));
    }
    format!("{value}{suffix}")
}
