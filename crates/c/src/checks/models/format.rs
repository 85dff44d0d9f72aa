//! Formats of `printf`: what a call does with each argument.

use crate::checks::formats::Letters;

/// A part of a format.  Arguments are numbers of arguments of the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Directive {
    /// Characters that are written as they are.
    Plain(Vec<u8>),
    /// `%s` and `%ls`.
    Text { argument: usize, wide: bool, most: Count, width: Count, is_left: bool },
    /// `%c`.
    Character { argument: usize, width: Count },
    /// `%d`, `%u`, `%x` and `%o`.
    Number { argument: usize, number: Number },
    /// A number or pointer, written in another way.
    Other { argument: usize, width: Count, digits: Count },
}

/// How a whole number is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    pub length: Length,
    pub signed: bool,
    pub base: u64,
    pub upper: bool,
    /// What stands in front of it where it is not negative.
    pub sign: Option<u8>,
    pub pad: Pad,
    pub width: Count,
    /// The least number of digits.
    pub digits: Count,
}

/// The type of the argument, and that which it is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    /// As long as a pointer.
    Word,
    LongLong,
}

/// What fills the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pad {
    SpacesBefore,
    SpacesBehind,
    Zeros,
}

/// A width or a precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Absent,
    Number(u64),
    /// `*`: what this argument says.
    Argument(usize),
}

/// The parts of a format whose first argument has this number; `None` where it has something
/// else, as `%n` or `%3$d`.
pub(super) fn directives(format: &[u8], first: usize) -> Option<Vec<Directive>> {
    let mut reader = Reader { rest: Letters(format), next: first };
    let (mut all, mut plain) = (vec![], vec![]);
    while let Some(byte) = reader.rest.any() {
        if byte != b'%' || reader.rest.one_of(b"%").is_some() {
            plain.push(byte);
            continue;
        }
        if !plain.is_empty() {
            all.push(Directive::Plain(std::mem::take(&mut plain)));
        }
        all.push(reader.directive()?);
    }
    if !plain.is_empty() {
        all.push(Directive::Plain(plain));
    }
    Some(all)
}

/// A format behind what is read of it.
struct Reader<'t> {
    rest: Letters<'t>,
    /// The argument of the next directive.
    next: usize,
}

impl Reader<'_> {
    fn argument(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Digits, perhaps none, or `*`.
    fn count(&mut self) -> Option<Count> {
        if self.rest.one_of(b"*").is_some() {
            return Some(Count::Argument(self.argument()));
        }
        let mut count = Count::Absent;
        while let Some(digit) = self.rest.one_of(b"0123456789") {
            let before = if let Count::Number(n) = count { n } else { 0 };
            let number = before.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            count = Count::Number(number);
        }
        Some(count)
    }

    /// What stands behind `%`.
    fn directive(&mut self) -> Option<Directive> {
        let mut flags = vec![];
        flags.extend(std::iter::from_fn(|| self.rest.one_of(b"-+ #0'")));
        let width = self.count()?;
        let digits = match self.rest.one_of(b".") {
            Some(_) => match self.count()? {
                Count::Absent => Count::Number(0),
                count => count,
            },
            None => Count::Absent,
        };
        let mut length = vec![];
        length.extend(std::iter::from_fn(|| self.rest.one_of(b"hlLqjzt")));
        let argument = self.argument();
        let has = |flag: u8| flags.contains(&flag);
        let length = match &length[..] {
            b"hh" => Some(Length::Char),
            b"h" => Some(Length::Short),
            b"" => Some(Length::Int),
            b"l" | b"z" | b"t" => Some(Length::Word),
            b"ll" | b"q" | b"j" => Some(Length::LongLong),
            _ => None,
        };
        let kind = self.rest.any()?;
        Some(match (kind, length) {
            (b's', Some(Length::Int)) => {
                Directive::Text { argument, wide: false, most: digits, width, is_left: has(b'-') }
            }
            (b's', Some(Length::Word)) | (b'S', Some(Length::Int)) => {
                Directive::Text { argument, wide: true, most: digits, width, is_left: has(b'-') }
            }
            (b'c', Some(Length::Int)) => Directive::Character { argument, width },
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Some(length))
                if !has(b'#') && !has(b'\'') =>
            {
                let signed = matches!(kind, b'd' | b'i');
                let pad = match digits {
                    _ if has(b'-') => Pad::SpacesBehind,
                    Count::Absent if has(b'0') => Pad::Zeros,
                    _ => Pad::SpacesBefore,
                };
                let base = match kind {
                    b'x' | b'X' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let sign = if has(b'+') { Some(b'+') } else { has(b' ').then_some(b' ') };
                let upper = kind == b'X';
                let sign = sign.filter(|_| signed);
                let number = Number { length, signed, base, upper, sign, pad, width, digits };
                Directive::Number { argument, number }
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'C', _)
            | (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', _) => {
                Directive::Other { argument, width, digits }
            }
            // Behind it a kernel has letters that make it read what is there.
            (b'p', _) if !self.rest.0.first().is_some_and(u8::is_ascii_alphanumeric) => {
                Directive::Other { argument, width, digits }
            }
            _ => return None,
        })
    }
}
