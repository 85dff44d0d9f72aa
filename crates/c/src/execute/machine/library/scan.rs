//! `sscanf` (C11, 7.21.6.7): reads a text as its format says.

use super::Arguments;
use crate::execute::machine::memory::Bytes;
use crate::execute::machine::state::{Machine, Stop};
use crate::library::{Base, Conversion, Directive, Scanned, directives};

/// What a call comes to: its result, and what it stores, in order.
struct Read {
    result: i32,
    stored: Vec<Stored>,
    /// Where the text would have had to go on with these characters.
    missed: Option<(usize, Vec<u8>)>,
}

enum Stored {
    Bytes(Vec<u8>),
    /// As many characters of the text from a position on, and whether a zero is behind them.
    Part(usize, usize, bool),
}

impl Machine<'_, '_> {
    /// The result of `sscanf`, with what it reads stored; nothing where C leaves open what that is.
    pub(super) fn scans(&mut self, arguments: &Arguments<'_>) -> Result<Option<u64>, Stop> {
        let format = self.string_at(arguments.scalar(1), u64::MAX)?;
        let Some(directives) = directives(&format, self.flow.types.model) else { return Ok(None) };
        let text = self.string_at(arguments.scalar(0), u64::MAX)?;
        let Some(read) = read(&text, &directives) else { return Ok(None) };
        if read.stored.len() + 2 > arguments.values.len() {
            return Ok(None);
        }
        let from = arguments.scalar(0);
        if let Some((at, wanted)) = read.missed {
            self.might_begin(from.wrapping_add(at as u64), &wanted)?;
        }
        let mut stored = vec![];
        for part in read.stored {
            stored.push(match part {
                Stored::Bytes(bytes) => (Bytes { bytes, ..Bytes::default() }, false),
                Stored::Part(at, length, ends) => {
                    (self.get(from.wrapping_add(at as u64), length as u64)?, ends)
                }
            });
        }
        for (i, (bytes, ends)) in stored.into_iter().enumerate() {
            let to = arguments.scalar(i + 2);
            self.put(to, &bytes)?;
            if ends {
                self.fill(to.wrapping_add(bytes.bytes.len() as u64), 0, 1)?;
            }
        }
        Ok(Some(u64::from(read.result as u32)))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// What the directives read.
fn read(text: &[u8], directives: &[Directive]) -> Option<Read> {
    let mut read = Read { result: 0, stored: vec![], missed: None };
    let (mut at, mut completed) = (0, false);
    let skipped = |at: usize| at + text[at..].iter().take_while(|&&c| is_blank(c)).count();
    for (index, directive) in directives.iter().enumerate() {
        let conversion = match directive {
            Directive::Blank => {
                at = skipped(at);
                continue;
            }
            Directive::Exactly { byte, skips } => {
                at = if *skips { skipped(at) } else { at };
                match text.get(at) {
                    Some(next) if next == byte => at += 1,
                    Some(_) => {
                        read.missed = Some((at, exact(&directives[index..])));
                        return Some(read);
                    }
                    None => return read.ended(completed),
                }
                continue;
            }
            Directive::Conversion(conversion) => conversion,
        };
        at = if conversion.skips() { skipped(at) } else { at };
        let from = at;
        let rest = &text[at..];
        if rest.is_empty() {
            return read.ended(completed);
        }
        let width = conversion.width.map_or(usize::MAX, |width| width as usize);
        let (taken, bytes) = match converted(&rest[..rest.len().min(width)], conversion)? {
            Converted::As(taken, bytes) => (taken, bytes),
            Converted::Mismatch => return Some(read),
        };
        at += taken;
        completed = true;
        if conversion.stores {
            read.result += 1;
            read.stored.push(match &conversion.what {
                Scanned::Characters => Stored::Part(from, taken, false),
                Scanned::Text(_) => Stored::Part(from, taken, true),
                _ => Stored::Bytes(bytes),
            });
        }
    }
    Some(read)
}

/// The characters with which a format goes on, up to something else.
fn exact(directives: &[Directive]) -> Vec<u8> {
    let bytes = directives.iter().map_while(|directive| match directive {
        Directive::Exactly { byte, .. } => Some(*byte),
        _ => None,
    });
    bytes.collect()
}

impl Read {
    /// What it is where the text has ended, which is EOF if nothing was converted: libraries differ where nothing is stored of what has been converted.
    fn ended(self, completed: bool) -> Option<Self> {
        match (completed, self.result) {
            (false, _) => Some(Self { result: -1, ..self }),
            (true, 0) => None,
            (true, _) => Some(self),
        }
    }
}

enum Converted {
    /// So many characters are read, and these bytes stored.
    As(usize, Vec<u8>),
    Mismatch,
}

/// What a conversion makes of characters, of which there is one at least; nothing where C or libraries leave it open.
fn converted(text: &[u8], conversion: &Conversion) -> Option<Converted> {
    Some(match &conversion.what {
        Scanned::Integer { base, bits } => return integer(text, *base, *bits),
        Scanned::Real { bits } => return real(text, *bits),
        Scanned::Characters => {
            let wanted = conversion.width.unwrap_or(1) as usize;
            let bytes = text.get(..wanted)?;
            Converted::As(wanted, bytes.to_vec())
        }
        Scanned::Text(set) => {
            let taken = text.iter().take_while(|&&c| set.has(c)).count();
            if taken == 0 {
                return Some(Converted::Mismatch);
            }
            let bytes = text[..taken].iter().copied().chain([0]).collect();
            Converted::As(taken, bytes)
        }
    })
}

/// The length of a sign at the start.
fn sign(text: &[u8]) -> usize {
    usize::from(matches!(text.first(), Some(b'+' | b'-')))
}

fn integer(text: &[u8], base: Base, bits: u32) -> Option<Converted> {
    let start = sign(text);
    let digits = &text[start..];
    let is_prefixed = digits.len() > 1 && digits[0] == b'0' && matches!(digits[1], b'x' | b'X');
    let radix = match base {
        Base::Hexadecimal | Base::Prefixed if is_prefixed => return None,
        Base::Hexadecimal => 16,
        Base::Octal => 8,
        Base::Prefixed if digits.first() == Some(&b'0') => 8,
        Base::Decimal | Base::Prefixed => 10,
    };
    let taken = digits.iter().take_while(|&&c| char::from(c).is_digit(radix)).count();
    if taken == 0 {
        return Some(Converted::Mismatch);
    }
    let number = std::str::from_utf8(&digits[..taken]).ok()?;
    let number = i128::from_str_radix(number, radix).ok()?;
    let number = if text[0] == b'-' { -number } else { number };
    // A number that its type does not have is undefined.
    // Whether the type has a sign is not said: numbers that only one of the two has are left open.
    let most = if radix == 10 { bits - 1 } else { bits };
    let fits = -(1_i128 << (bits - 1)) <= number && number < 1_i128 << most;
    let bytes = number.to_le_bytes()[..(bits / 8) as usize].to_vec();
    fits.then_some(Converted::As(start + taken, bytes))
}

fn real(text: &[u8], bits: u32) -> Option<Converted> {
    let digits = |from: usize| text[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut end = sign(text);
    // Infinities, and hexadecimal numbers.
    if text.get(end).is_some_and(|c| b"iInN".contains(c))
        || text.get(end + 1).is_some_and(|c| b"xX".contains(c))
    {
        return None;
    }
    let whole = digits(end);
    end += whole;
    let mut count = whole;
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        count += fraction;
        end += 1 + fraction;
    }
    if count == 0 {
        return Some(Converted::Mismatch);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let behind = end + 1 + sign(&text[end + 1..]);
        let exponent = digits(behind);
        if exponent == 0 {
            return None;
        }
        end = behind + exponent;
    }
    let number = std::str::from_utf8(&text[..end]).ok()?;
    let bytes = match bits {
        32 => number.parse::<f32>().ok()?.to_le_bytes().to_vec(),
        _ => number.parse::<f64>().ok()?.to_le_bytes().to_vec(),
    };
    Some(Converted::As(end, bytes))
}
