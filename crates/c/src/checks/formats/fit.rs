//! Whether formats of `printf` and `scanf` fit the types of arguments (C11, 7.21.6.1 and 7.21.6.2).
//!
//! Signed and unsigned types of one rank count as the same, and `%p` takes any pointer, as for gcc's `-Wformat`.  What a
//! value is does not count, nor do flags that a conversion does not have.

use crate::checks::formats::Letters;
use crate::types::{DataModel, Type, TypeId, Types};

/// What is known of a format and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    Fits,
    /// An argument is missing.
    Missing,
    /// An argument has another type than the format says.
    Other,
    /// The format has something that is not known here.
    Unknown,
}

/// Which functions a format is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Those that write, as `printf`.
    Out,
    /// Those that read, as `scanf`.
    In,
}

/// The types of arguments that one conversion takes.
#[derive(Debug, Clone)]
enum Wanted {
    /// An integer of this rank, or of fewer bits than `int`.
    Integer(Rank),
    Float {
        bits: std::ops::RangeInclusive<u32>,
    },
    /// Characters of so many bits.
    Character(u32),
    Pointer,
}

#[derive(Debug, Clone, Copy)]
enum Rank {
    Bits(u32),
    Rank(u8),
}

/// Whether a format fits the arguments behind it.
pub(crate) fn fit(format: &[u8], given: &[TypeId], types: &Types, direction: Direction) -> Fit {
    let mut reader =
        Reader { rest: Letters(format), given: given.iter().copied(), types, direction };
    while let Some(byte) = reader.rest.any() {
        if byte != b'%' {
            continue;
        }
        match reader.conversion() {
            Some(Fit::Fits) => {}
            Some(other) => return other,
            None => return Fit::Unknown,
        }
    }
    Fit::Fits
}

/// A format behind what is read of it.
struct Reader<'t, I> {
    rest: Letters<'t>,
    given: I,
    types: &'t Types,
    direction: Direction,
}

impl<I: Iterator<Item = TypeId>> Reader<'_, I> {
    fn all_of(&mut self, bytes: &[u8]) -> Vec<u8> {
        std::iter::from_fn(|| self.rest.one_of(bytes)).collect()
    }

    /// What stands behind `%`; `None` if it is not known.
    fn conversion(&mut self) -> Option<Fit> {
        let is_out = self.direction == Direction::Out;
        let mut is_skipped = false;
        if is_out {
            self.all_of(b"-+ #0'");
        } else {
            is_skipped = self.rest.one_of(b"*").is_some();
        }
        for _ in 0..if is_out { 2 } else { 1 } {
            if is_out && self.rest.one_of(b"*").is_some() {
                match self.argument(Wanted::Integer(Rank::Rank(3))) {
                    Fit::Fits => {}
                    other => return Some(other),
                }
            } else {
                self.all_of(b"0123456789");
            }
            if !is_out || self.rest.one_of(b".").is_none() {
                break;
            }
        }
        let length = self.all_of(b"hlLqjzt");
        let kind = self.rest.any()?;
        if kind == b'%' {
            return length.is_empty().then_some(Fit::Fits);
        }
        if kind == b'[' {
            self.rest.one_of(b"^");
            self.rest.one_of(b"]");
            while self.rest.any()? != b']' {}
        }
        let wanted = self.wanted(&length, kind)?;
        Some(if is_skipped { Fit::Fits } else { self.argument(wanted) })
    }

    /// The type that a conversion takes, or that its pointer leads to.
    fn wanted(&self, length: &[u8], kind: u8) -> Option<Wanted> {
        let is_out = self.direction == Direction::Out;
        let is_wide = self.types.model == DataModel::Lp64;
        let rank = match length {
            b"" => Rank::Rank(3),
            // They are promoted.
            b"hh" | b"h" if is_out && kind != b'n' => Rank::Rank(3),
            b"hh" => Rank::Bits(8),
            b"h" => Rank::Bits(16),
            b"l" => Rank::Rank(4),
            b"ll" | b"q" => Rank::Rank(5),
            b"j" => Rank::Rank(if is_wide { 4 } else { 5 }),
            b"z" | b"t" => Rank::Rank(if is_wide { 4 } else { 3 }),
            _ => Rank::Bits(0),
        };
        let is_known = !matches!(rank, Rank::Bits(0));
        Some(match (kind, length) {
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n', _) if is_known => {
                Wanted::Integer(rank)
            }
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', b"L") => {
                Wanted::Float { bits: 65..=128 }
            }
            (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G', b"" | b"l") => {
                let bits = if is_out || length == b"l" { 64 } else { 32 };
                Wanted::Float { bits: bits..=bits }
            }
            (b'c', b"") if is_out => Wanted::Integer(Rank::Rank(3)),
            (b'c', b"l") | (b'C', b"") if is_out => Wanted::Integer(Rank::Rank(3)),
            (b's' | b'c' | b'[', b"") => Wanted::Character(8),
            (b's' | b'c' | b'[', b"l") | (b'S', b"") => Wanted::Character(32),
            (b'p', b"") => Wanted::Pointer,
            _ => return None,
        })
    }

    /// Whether the next argument is of a type, or leads to one.
    fn argument(&mut self, wanted: Wanted) -> Fit {
        let Some(given) = self.given.next() else { return Fit::Missing };
        let target = match *self.types.get(given) {
            Type::Pointer(to) => Some(self.types.get(to)),
            _ => None,
        };
        let is_out = self.direction == Direction::Out;
        let value = if is_out { Some(self.types.get(given)) } else { target };
        let fits = match (wanted, value) {
            (Wanted::Integer(Rank::Rank(wanted)), Some(&Type::Int { rank, .. })) => rank == wanted,
            (Wanted::Integer(Rank::Bits(wanted)), Some(&Type::Int { bits, .. })) => bits == wanted,
            (Wanted::Float { bits: wanted }, Some(Type::Float { bits })) => wanted.contains(bits),
            (Wanted::Character(wanted), _) => match target {
                Some(&Type::Int { bits, .. }) => bits == wanted,
                Some(Type::Void) => true,
                _ => false,
            },
            (Wanted::Pointer, Some(Type::Pointer(_))) => true,
            _ => false,
        };
        if fits { Fit::Fits } else { Fit::Other }
    }
}
