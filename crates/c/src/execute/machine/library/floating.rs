//! Floating-point numbers in texts, as `strtod` reads them (C11, 7.22.1.3) in the locale "C".

use std::cell::Cell;

/// What `strtod` reads.
pub(super) struct FloatingNumber {
    /// The bits of the number, which is 0 where there is none.
    pub bits: u64,
    pub range: Range,
}

/// Where a number is among those that the type has.
pub(super) enum Range {
    Within,
    /// Its magnitude is too large: `errno` is `ERANGE`.
    Above,
    /// It is so small that `errno` may be `ERANGE`.
    Below,
}

/// Whether a number may have this character.
pub(super) fn is_in_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b' ' | 9..=13 | b'+' | b'-' | b'.' | b'(' | b')' | b'_')
}

/// The length of the number at the beginning of a text, with spaces before it; 0 where there is none.  Where it depends on what
/// is behind these bytes, all of them.
pub(super) fn floating_length(text: &[u8]) -> usize {
    let is_over = Cell::new(false);
    let length = length_of(&|i: usize| {
        is_over.set(is_over.get() || i >= text.len());
        text.get(i).map_or(0, u8::to_ascii_lowercase)
    });
    if is_over.get() { text.len() } else { length }
}

/// The length of a number whose characters, in small letters, these are.
fn length_of(at: &dyn Fn(usize) -> u8) -> usize {
    let after = |i: usize, is: &dyn Fn(u8) -> bool| (i..).find(|&i| !is(at(i))).unwrap_or(i);
    let begins = |i: usize, with: &[u8]| (0..).zip(with).all(|(k, &byte)| at(i + k) == byte);
    let mut i = after(0, &|byte| matches!(byte, b' ' | 9..=13));
    if matches!(at(i), b'-' | b'+') {
        i += 1;
    }
    if begins(i, b"inf") {
        return i + if begins(i, b"infinity") { 8 } else { 3 };
    }
    if begins(i, b"nan") {
        if at(i + 3) != b'(' {
            return i + 3;
        }
        let last = after(i + 4, &|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        return if at(last) == b')' { last + 1 } else { i + 3 };
    }
    let is_hexadecimal =
        begins(i, b"0x") && at(i + 2 + usize::from(at(i + 2) == b'.')).is_ascii_hexdigit();
    let is_digit: &dyn Fn(u8) -> bool = if is_hexadecimal {
        &|byte| byte.is_ascii_hexdigit()
    } else {
        &|byte| byte.is_ascii_digit()
    };
    let first = if is_hexadecimal { i + 2 } else { i };
    let mut end = after(first, is_digit);
    let mut digits = end - first;
    if at(end) == b'.' {
        let last = after(end + 1, is_digit);
        digits += last - end - 1;
        end = if digits > 0 { last } else { end };
    }
    if digits == 0 {
        return 0;
    }
    if at(end) == if is_hexadecimal { b'p' } else { b'e' } {
        let sign = usize::from(matches!(at(end + 1), b'-' | b'+'));
        if at(end + 1 + sign).is_ascii_digit() {
            end = after(end + 1 + sign, &|byte| byte.is_ascii_digit());
        }
    }
    end
}

/// The number at the beginning of a text, rounded to the nearest one of 32 or 64 bits.  `None`: it is in base 16, or
/// `nan(..)`.
pub(super) fn floating_number(text: &[u8], bits: u32) -> Option<FloatingNumber> {
    let spaces = text.iter().take_while(|byte| matches!(byte, b' ' | 9..=13)).count();
    let number = text.get(spaces..floating_length(text)).unwrap_or_default();
    if number.iter().any(|byte| matches!(byte, b'x' | b'X' | b'(')) {
        return None;
    }
    if number.is_empty() {
        return Some(FloatingNumber { bits: 0, range: Range::Within });
    }
    // It is one of Rust's.
    let number = std::str::from_utf8(number).ok()?;
    let (found, least, value) = match bits {
        32 => {
            let value: f32 = number.parse().ok()?;
            (u64::from(value.to_bits()), f32::MIN_POSITIVE.into(), f64::from(value))
        }
        _ => {
            let value: f64 = number.parse().ok()?;
            (value.to_bits(), f64::MIN_POSITIVE, value)
        }
    };
    let digits = number.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = !digits.bytes().any(|b| matches!(b, b'1'..=b'9'));
    let is_infinite = digits.ends_with(|c: char| c.is_ascii_alphabetic());
    let range = match value.abs() {
        magnitude if magnitude.is_infinite() && !is_infinite => Range::Above,
        // Also what is rounded to the least normal number.
        magnitude if magnitude <= least && !is_zero => Range::Below,
        _ => Range::Within,
    };
    Some(FloatingNumber { bits: found, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths are glibc's.
    #[test]
    fn numbers_end_where_glibc_ends_them() {
        let lengths = [
            ("", 0),
            (".", 0),
            (" -5.", 4),
            ("+.5e", 3),
            ("1e+", 1),
            ("1e-07x", 5),
            ("1.2.3", 3),
            ("e5", 0),
            ("infinit", 3),
            ("-INFINITY!", 9),
            ("nan(a_1)", 8),
            ("nan(a b)", 3),
            ("0x", 1),
            ("0x.", 1),
            ("0x.p1", 1),
            ("0x.8p1", 6),
            ("0x1p", 3),
            ("0x1.p-3", 7),
            ("\t\n0XaBcg", 7),
        ];
        for (text, length) in lengths {
            let whole = format!("{text}\0");
            assert_eq!(floating_length(whole.as_bytes()), length, "{text:?}");
        }
    }

    /// Without an end they are read to the last byte, and the next one is looked at.
    #[test]
    fn what_is_read_of_texts_without_an_end() {
        for text in
            ["", " ", "1", "1e", "1e+", "in", "infinit", "-", "+0x.", "nan(", "0x", "i", "nan"]
        {
            assert_eq!(floating_length(text.as_bytes()), text.len(), "{text:?}");
        }
        for (text, length) in [("1x", 1), ("x", 0), ("1ex", 1), ("infx", 3), ("1 ", 1), ("nanx", 3)]
        {
            assert_eq!(floating_length(text.as_bytes()), length, "{text:?}");
        }
    }
}
