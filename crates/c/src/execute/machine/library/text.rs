//! Library functions that read text, and the data of the library that programs can see.

use std::cmp::Ordering;

use super::Arguments;
use super::floating::{Range, floating_length, floating_number, is_in_number};
use crate::execute::fault::Fault;
use crate::execute::machine::arithmetic::integer;
use crate::execute::machine::layout::{Scalar, mask};
use crate::execute::machine::memory::{Bytes, Content};
use crate::execute::machine::state::{ErrorNumber, Machine, Stop};
use crate::execute::uses;
use crate::flow::{Base, Instruction, VariableKind};
use crate::library::{CharacterTable, TextFunction, class_bits};
use crate::trace::EdgeIndex;

/// The value of `errno` where a number is out of range.
const OUT_OF_RANGE: u32 = 34;

/// What `strtol` reads.
struct Number {
    /// Saturates.
    magnitude: u128,
    negative: bool,
    /// The number of bytes read; 0 if there is no number.
    length: usize,
}

impl Machine<'_, '_> {
    /// A function that reads text.
    pub(in crate::execute::machine) fn reads(
        &mut self,
        function: TextFunction,
        name: &str,
        arguments: &Arguments<'_>,
        used: bool,
    ) -> Result<u64, Stop> {
        let (a, b, c) = (arguments.scalar(0), arguments.scalar(1), arguments.scalar(2));
        let word = self.layout.mask();
        let at = |index: Option<usize>| index.map_or(0, |i| a.wrapping_add(i as u64) & word);
        Ok(match function {
            TextFunction::FindLast => {
                let mut text = self.string_at(a, u64::MAX)?;
                text.push(0);
                at(text.iter().rposition(|&byte| byte == b as u8))
            }
            TextFunction::FindByte => {
                for i in 0..c {
                    let here = a.wrapping_add(i) & word;
                    if self.is_byte(here, b as u8)? {
                        return Ok(here);
                    }
                }
                0
            }
            TextFunction::FindText => {
                let (text, part) = (self.string_at(a, u64::MAX)?, self.string_at(b, u64::MAX)?);
                if part.is_empty() {
                    return Ok(a);
                }
                at(text.windows(part.len()).position(|window| window == part))
            }
            TextFunction::FindAny => {
                let (text, set) = (self.string_at(a, u64::MAX)?, self.string_at(b, u64::MAX)?);
                at(text.iter().position(|byte| set.contains(byte)))
            }
            TextFunction::Span { inside } => {
                let (text, set) = (self.string_at(a, u64::MAX)?, self.string_at(b, u64::MAX)?);
                text.iter().take_while(|byte| set.contains(byte) == inside).count() as u64
            }
            TextFunction::BoundedLength => self.text_length(a, b)?,
            TextFunction::CompareLetters { bounded } => {
                for i in 0..if bounded { c } else { u64::MAX } {
                    let x = self.byte(a.wrapping_add(i))?.to_ascii_lowercase();
                    let y = self.byte(b.wrapping_add(i))?.to_ascii_lowercase();
                    if x != y {
                        return self.sign(x.cmp(&y), name, used);
                    }
                    if x == 0 {
                        break;
                    }
                }
                0
            }
            TextFunction::Number { signed, based } => {
                let base = if based { base(integer(INT, c & mask(32)), name)? } else { 10 };
                let text = self.string_at(a, u64::MAX)?;
                let number = number(&text, base);
                let bits = arguments.result.map_or(self.layout.word, Scalar::bits);
                let limit = match (signed, number.negative) {
                    (true, true) => 1_u128 << (bits - 1),
                    (true, false) => (1 << (bits - 1)) - 1,
                    (false, _) => u128::from(mask(bits)),
                };
                let too_large = number.magnitude > limit;
                if too_large && !based {
                    // The standard leaves it undefined.
                    return if used {
                        Err(Fault::UnknownResult(name.to_owned()).into())
                    } else {
                        Ok(0)
                    };
                }
                if based && b != 0 {
                    let end = at(Some(number.length));
                    let size = (self.layout.word / 8) as usize;
                    let bytes = end.to_le_bytes()[..size].to_vec();
                    self.put(b, &Bytes { bytes, ..Bytes::default() })?;
                }
                if too_large {
                    self.error_number = ErrorNumber::Is(OUT_OF_RANGE);
                }
                let magnitude = number.magnitude.min(limit) as u64;
                let negative = number.negative && (signed || !too_large);
                (if negative { magnitude.wrapping_neg() } else { magnitude }) & mask(bits)
            }
            TextFunction::FloatingLength => floating_length(&self.floating_at(a)?) as u64,
            TextFunction::FloatingNumber { length } => {
                let mut text = match length {
                    // The calls in `conversions.c` have looked at what they read.
                    true => self.floating_at(a)?,
                    false => self.string_at(a, u64::MAX)?,
                };
                text.push(0);
                let bits = match arguments.result {
                    Some(Scalar::Float) if length => Some(32),
                    Some(Scalar::Double) | None => Some(64),
                    _ => None,
                };
                // It is rounded as the program says.
                let is_nearest = !self.flow.functions.iter().any(|f| f.name == "fesetround");
                let found =
                    bits.filter(|_| is_nearest).and_then(|bits| floating_number(&text, bits));
                let found = found.ok_or_else(|| Fault::UnknownResult(name.to_owned()))?;
                match found.range {
                    Range::Within => {}
                    Range::Above => self.error_number = ErrorNumber::Is(OUT_OF_RANGE),
                    Range::Below => self.error_number = ErrorNumber::Unknown("strtod"),
                }
                found.bits
            }
        })
    }

    /// The bytes that may belong to a floating-point number, up to the end of the object.
    fn floating_at(&mut self, address: u64) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        while bytes.last().is_none_or(|&byte| is_in_number(byte)) {
            let here = address.wrapping_add(bytes.len() as u64) & self.layout.mask();
            if self.memory.find(here, 1).is_err() {
                break;
            }
            bytes.push(self.byte(here)?);
        }
        Ok(bytes)
    }

    /// What a comparison of texts returns where bytes compare like this.  If they differ, only its sign is known (C11, 7.24.4): the
    /// execution stops where the result is used in another way than compared with 0.
    pub(in crate::execute::machine) fn sign(
        &self,
        order: Ordering,
        name: &str,
        used: bool,
    ) -> Result<u64, Stop> {
        if order.is_ne() && used && !self.is_only_compared() {
            return Err(Fault::UnknownResult(name.to_owned()).into());
        }
        Ok(order as i64 as u64)
    }

    /// Whether the result of the call being executed is only compared with 0, as often as it is used, here or in the
    /// callers that it is returned to.
    fn is_only_compared(&self) -> bool {
        let flow = self.flow;
        let result_of = |at: EdgeIndex| {
            let body = flow.functions.get(at.function as usize)?.body.as_ref()?;
            match &body.edges.get(at.edge as usize)?.instruction {
                Instruction::Call { result, .. } => Some(result.as_ref()),
                _ => None,
            }
        };
        let mut place = self.edge.and_then(result_of);
        for frame in self.frames.iter().rev() {
            let Some(result) = place else { return false };
            let Some(result) = result else { return true };
            let (&Base::Variable(variable), true) = (&result.base, result.path.is_empty()) else {
                return false;
            };
            let kind = flow.variables[variable.0 as usize].kind;
            if !matches!(kind, VariableKind::Local | VariableKind::Temporary) {
                return false;
            }
            let mut returned = false;
            for edge in &frame.body.edges {
                if uses::is_returned(&edge.instruction, variable) {
                    returned = true;
                } else if !uses::are_comparisons(&edge.instruction, variable) {
                    return false;
                }
            }
            if !returned {
                return true;
            }
            place = Some(frame.result);
        }
        false
    }

    /// The address of a pointer to the entry for 0; there are entries from -128 to 255.
    pub(in crate::execute::machine) fn characters(
        &mut self,
        table: CharacterTable,
    ) -> Result<u64, Stop> {
        if let Some(&address) = self.tables.get(&table) {
            return Ok(address);
        }
        let mut bytes = Vec::new();
        for at in -128..256_i32 {
            // As in glibc, negative characters other than EOF have the entries of unsigned ones.
            let byte = at as u8;
            let entry = |other: u8| if at == -1 { at } else { i32::from(other) };
            match table {
                CharacterTable::Classes if at == -1 => bytes.extend([0, 0]),
                CharacterTable::Classes => bytes.extend(class_bits(byte).to_le_bytes()),
                CharacterTable::Lower => {
                    bytes.extend(entry(byte.to_ascii_lowercase()).to_le_bytes());
                }
                CharacterTable::Upper => {
                    bytes.extend(entry(byte.to_ascii_uppercase()).to_le_bytes());
                }
            }
        }
        let width = bytes.len() as u64 / 384;
        let content = Content::Block { number: None, edge: None };
        let id = self.memory.allocate(content, bytes.len() as u64, true)?;
        self.memory.copy_in(id, 0, &Bytes { bytes, ..Bytes::default() })?;
        let start = self.memory.address(id)? + 128 * width;
        let size = u64::from(self.layout.word / 8);
        let pointer = self.memory.allocate(content, size, true)?;
        self.memory.store(pointer, 0, self.layout.word, start)?;
        let address = self.memory.address(pointer)?;
        self.tables.insert(table, address);
        Ok(address)
    }
}

const INT: Scalar = Scalar::Int { bits: 32, signed: true };

/// The base that a call of `strtol` asks for; 0 is one, too.
fn base(base: i128, name: &str) -> Result<u32, Stop> {
    let base = u32::try_from(base).ok().filter(|b| *b == 0 || (2..=36).contains(b));
    base.ok_or_else(|| Fault::UnknownResult(name.to_owned()).into())
}

/// Reads a number as `strtol` does.
fn number(text: &[u8], base: u32) -> Number {
    let is_space = |byte: &&u8| matches!(byte, b' ' | 9..=13);
    let mut at = text.iter().take_while(is_space).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit =
        |index: usize, base: u32| text.get(index).and_then(|&byte| char::from(byte).to_digit(base));
    let prefixed = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some();
    let base = match base {
        0 if prefixed => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && prefixed {
        at += 2;
    }
    let mut read = Number { magnitude: 0, negative, length: 0 };
    while let Some(value) = digit(at, base) {
        let next = read.magnitude.saturating_mul(u128::from(base));
        read.magnitude = next.saturating_add(u128::from(value));
        at += 1;
        read.length = at;
    }
    read
}
