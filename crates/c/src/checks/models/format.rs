//! Formats of `printf`: what a call does with each argument.

use crate::types::DataModel;

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Directive {
    /// Characters that are written as they are.
    Plain(Vec<u8>),
    /// `%s`, of at most so many characters.
    Text { most: Option<u64> },
    /// `%s` with a width or a flag.
    Padded { most: Option<u64> },
    /// `%ls`, of at most so many bytes.
    Wide { most: Option<u64> },
    /// `%c`, written as it is.
    Character,
    /// `%d` of a number of so many bits, written with no more than its digits.
    Signed { bits: u32 },
    /// `%u`, `%x` or `%o` of a number of so many bits, written with no more than its digits.
    Unsigned { bits: u32, base: u64 },
    /// A number or pointer, written in another way.
    Other,
}

/// The parts of a format; `None` where it has something else, as `%n` or `%*d`.
pub(super) fn directives(format: &[u8], model: DataModel) -> Option<Vec<Directive>> {
    let (mut all, mut plain) = (vec![], vec![]);
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            plain.push(byte);
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            plain.push(b'%');
            continue;
        }
        if !plain.is_empty() {
            all.push(Directive::Plain(std::mem::take(&mut plain)));
        }
        let mut is_simple = true;
        while rest.next_if(|b| b"-+ #0'".contains(b)).is_some() {
            is_simple = false;
        }
        while rest.next_if(u8::is_ascii_digit).is_some() {
            is_simple = false;
        }
        let mut most = None;
        if rest.next_if_eq(&b'.').is_some() {
            let mut number = 0_u64;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            }
            most = Some(number);
        }
        let mut length = vec![];
        while let Some(letter) = rest.next_if(|b| b"hlLqjzt".contains(b)) {
            length.push(letter);
        }
        let bits = match &length[..] {
            b"" => Some(32),
            b"l" | b"z" | b"t" => Some(model.word()),
            b"ll" | b"q" | b"j" => Some(64),
            _ => None,
        };
        let bits = bits.filter(|_| is_simple && most.is_none());
        let base = |letter| match letter {
            b'u' => Some(10),
            b'x' => Some(16),
            b'o' => Some(8),
            _ => None,
        };
        all.push(match (rest.next()?, &length[..]) {
            (b's', b"") if is_simple => Directive::Text { most },
            (b's', b"") => Directive::Padded { most },
            (b's', b"l") | (b'S', b"") => Directive::Wide { most },
            (b'c', b"") if bits.is_some() => Directive::Character,
            (b'd' | b'i', _) if bits.is_some() => Directive::Signed { bits: bits? },
            (letter @ (b'u' | b'x' | b'o'), _) if bits.is_some() => {
                Directive::Unsigned { bits: bits?, base: base(letter)? }
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'C', _)
            | (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'p', _) => Directive::Other,
            _ => return None,
        });
    }
    if !plain.is_empty() {
        all.push(Directive::Plain(plain));
    }
    Some(all)
}
