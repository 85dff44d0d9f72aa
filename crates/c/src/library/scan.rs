//! Formats of `scanf`: what a call reads, and what it stores.

use crate::types::DataModel;

/// The index of the format among the arguments of a function that reads a stream as `scanf` does.
#[must_use]
pub fn scan_format(name: &str) -> Option<usize> {
    match name {
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Some(0),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => Some(1),
        _ => None,
    }
}

/// Whether what a function does becomes control flow, whose steps are not to be shown.
#[must_use]
pub fn is_inlined(name: &str) -> bool {
    reads_stream(name) || matches!(name, "qsort" | "time")
}

/// Whether the inputs of a function are what it reads from a stream.
#[must_use]
pub fn reads_stream(name: &str) -> bool {
    scan_format(name).is_some() || matches!(name, "fgets" | "read" | "recv" | "fread")
}

/// Whether what a function returns depends on what was read from a stream before: a character, or whether there is one.
#[must_use]
pub fn depends_on_stream(name: &str) -> bool {
    let name = name.strip_suffix("_unlocked").unwrap_or(name);
    reads_stream(name)
        || matches!(name, "getchar" | "getc" | "fgetc" | "ungetc" | "feof" | "ferror")
}

/// A part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Directive {
    /// White space: any amount of it, also none.
    Blank,
    /// A character that has to come next, behind white space if that is skipped.
    Exactly {
        byte: u8,
        skips: bool,
    },
    Conversion(Conversion),
}

/// A part of a format that begins with `%`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// Whether the value is stored; not with `*`.
    pub stores: bool,
    pub what: Scanned,
    /// The greatest number of characters.
    pub width: Option<u32>,
}

/// What a conversion reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scanned {
    /// An integer for this many bits.
    Integer { base: Base, bits: u32 },
    /// A `float` or a `double`.
    Real { bits: u32 },
    /// As many characters as the width says, or one.
    Characters,
    /// Characters of a set, with a zero behind them.
    Text(Set),
}

/// How the digits of an integer are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Octal,
    Decimal,
    Hexadecimal,
    /// As in C: decimal, or octal behind `0`, or hexadecimal behind `0x`.
    Prefixed,
}

/// A set of characters, without the zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    /// Indexed by character.
    members: Vec<bool>,
}

/// The white space of the C locale.
const BLANKS: &[u8] = b" \t\n\x0b\x0c\r";

impl Set {
    /// What `%s` reads.
    #[must_use]
    pub fn visible() -> Self {
        let mut set = Self { members: vec![true; 256] };
        set.members[0] = false;
        BLANKS.iter().for_each(|&b| set.members[usize::from(b)] = false);
        set
    }

    /// Is it a member?
    #[must_use]
    pub fn has(&self, byte: u8) -> bool {
        self.members[usize::from(byte)]
    }

    /// The members as ranges, in ascending order.
    #[must_use]
    pub fn ranges(&self) -> Vec<(u8, u8)> {
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        for c in (0..=u8::MAX).filter(|&c| self.members[usize::from(c)]) {
            match ranges.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(c) => *last = c,
                _ => ranges.push((c, c)),
            }
        }
        ranges
    }

    /// The members that are no white space.
    #[must_use]
    pub fn without_blanks(&self) -> Self {
        let visible = Self::visible().members;
        Self { members: self.members.iter().zip(visible).map(|(&a, b)| a && b).collect() }
    }
}

impl Conversion {
    /// Whether white space is skipped first.
    #[must_use]
    pub fn skips(&self) -> bool {
        match &self.what {
            Scanned::Integer { .. } | Scanned::Real { .. } => true,
            Scanned::Characters => false,
            Scanned::Text(set) => *set == Set::visible(),
        }
    }

    /// Whether it may fail although there is a character to read (behind white space, if that is skipped).
    #[must_use]
    pub fn mismatches(&self) -> bool {
        match &self.what {
            Scanned::Integer { .. } | Scanned::Real { .. } => true,
            Scanned::Characters => false,
            Scanned::Text(set) => *set != Set::visible(),
        }
    }

    /// The least and the greatest integer that so many characters can be, if the width limits them: all between them
    /// can be read.
    #[must_use]
    pub fn limits(&self) -> Option<(i128, i128)> {
        let Scanned::Integer { base, .. } = self.what else { return None };
        // With more digits, a number may be any one of its type.
        let width = self.width.filter(|&width| width < 24)?;
        let greatest = |digits: u32| match base {
            Base::Octal => 8_i128.pow(digits) - 1,
            Base::Decimal => 10_i128.pow(digits) - 1,
            Base::Hexadecimal => 16_i128.pow(digits) - 1,
            Base::Prefixed => {
                let behind = digits.saturating_sub(2);
                (10_i128.pow(digits) - 1).max(16_i128.pow(behind) - 1)
            }
        };
        Some((-greatest(width - 1), greatest(width)))
    }
}

/// The directives of a format; `None` where one of them is not known, as for [`directives`], or where the values of one
/// conversion depend on another: what comes next is what the one before did not take.
#[must_use]
pub fn scan(format: &[u8], model: DataModel) -> Option<Vec<Directive>> {
    let found = directives(format, model)?;
    let depends = |pair: &[Directive]| match pair {
        [Directive::Conversion(before), Directive::Conversion(conversion)] => {
            !conversion.skips() && before.what != Scanned::Characters
        }
        _ => false,
    };
    (!found.windows(2).any(depends)).then_some(found)
}

/// The directives of a format; `None` where one of them is not known: `%n`, `%p`, wide characters, positions.
#[must_use]
pub fn directives(format: &[u8], model: DataModel) -> Option<Vec<Directive>> {
    let mut found: Vec<Directive> = Vec::new();
    let mut rest = format;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        let next = match first {
            0 => return rest.is_empty().then_some(found),
            b'%' => conversion(&mut rest, model)?,
            _ if BLANKS.contains(&first) => Directive::Blank,
            byte => Directive::Exactly { byte, skips: false },
        };
        found.push(next);
    }
    Some(found)
}

/// What follows a `%`.
fn conversion(rest: &mut &[u8], model: DataModel) -> Option<Directive> {
    let mut take = |wanted: &[u8]| {
        let found = rest.starts_with(wanted);
        *rest = &rest[if found { wanted.len() } else { 0 }..];
        found
    };
    if take(b"%") {
        // It skips white space, as no other character does.
        return Some(Directive::Exactly { byte: b'%', skips: true });
    }
    let stores = !take(b"*");
    let mut width = None;
    while let Some(digit) = (b'0'..=b'9').find(|&digit| take(&[digit])) {
        let before: u32 = width.unwrap_or(0);
        width = Some(before.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
    }
    if width == Some(0) {
        return None;
    }
    let lengths: [&[u8]; 9] = [b"hh", b"h", b"ll", b"l", b"q", b"j", b"z", b"t", b"L"];
    let length = lengths.into_iter().find(|length| take(length)).unwrap_or(b"");
    let base = [
        (&b"d"[..], Base::Decimal),
        (b"u", Base::Decimal),
        (b"i", Base::Prefixed),
        (b"o", Base::Octal),
        (b"x", Base::Hexadecimal),
        (b"X", Base::Hexadecimal),
    ]
    .into_iter()
    .find(|(letter, _)| take(letter));
    let what = if let Some((_, base)) = base {
        let bits = match length {
            b"hh" => 8,
            b"h" => 16,
            b"" => 32,
            b"l" | b"z" | b"t" => model.word(),
            _ => 64,
        };
        Scanned::Integer { base, bits }
    } else if b"fFeEgGaA".iter().any(|&letter| take(&[letter])) {
        match (length, width) {
            (b"", None) => Scanned::Real { bits: 32 },
            (b"l", None) => Scanned::Real { bits: 64 },
            _ => return None,
        }
    } else if !length.is_empty() {
        return None;
    } else if take(b"c") {
        Scanned::Characters
    } else if take(b"s") {
        Scanned::Text(Set::visible())
    } else if take(b"[") {
        Scanned::Text(set(rest)?)
    } else {
        return None;
    };
    Some(Directive::Conversion(Conversion { stores, what, width }))
}

/// What follows `%[`, with the bracket at the end.
fn set(rest: &mut &[u8]) -> Option<Set> {
    let inverted = rest.first() == Some(&b'^');
    let start = usize::from(inverted);
    // A bracket that comes first is a member.
    let end = start + 1 + rest.get(start + 1..)?.iter().position(|&c| c == b']')?;
    let listed = &rest[start..end];
    *rest = &rest[end + 1..];
    let mut members = vec![inverted; 256];
    let mut i = 0;
    while let Some(&first) = listed.get(i) {
        // As glibc has it, a range.
        let last = match listed[i + 1..] {
            [b'-', last, ..] if last >= first => last,
            _ => first,
        };
        (first..=last).for_each(|c| members[usize::from(c)] = !inverted);
        i += if last == first { 1 } else { 3 };
    }
    members[0] = false;
    Some(Set { members })
}
