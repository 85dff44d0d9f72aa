//! Numbers, characters and strings.

use super::constant::wrap;
use crate::flow::{Base, Expr, Place, VariableKind};
use crate::parse::context::{Context, Typed};
use crate::syntax::tree::{Constant, Float, FloatFormat, Integer, IntegerBase, IntegerSize, Node};
use crate::types::{BIT_INT, DataModel, Type, TypeId};
use hardbop_base::source::Span;

impl Context<'_> {
    pub fn literal(&mut self, constant: &Node<Constant>) -> Typed<Expr> {
        let span = self.span(constant);
        let (value, is_imaginary) = match &constant.node {
            Constant::Integer(integer) => (self.integer(integer, span)?, integer.suffix.imaginary),
            Constant::Float(float) => (self.float(float, span)?, float.imaginary),
            Constant::Character(text) => (self.character(text, span)?, false),
        };
        Ok(if is_imaginary { self.imaginary(value) } else { value })
    }

    fn integer(&mut self, integer: &Integer, span: Span) -> Typed<Expr> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
        let unsigned = integer.suffix.unsigned;
        if let (Ok(value), 10, false) = (u64::from_str_radix(digits, radix), radix, unsigned)
            && value >> 63 == 1
            && integer.suffix.size != IntegerSize::BitInt
            && let Some(wide) = self.wide_type(true)
        {
            return Ok(self.wide_constant(u128::from(value), wide, span));
        }
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            let message = "this number does not fit into 64 bits".to_owned();
            return Err(self.type_error(span, message, "too large"));
        };
        let least = match integer.suffix.size {
            IntegerSize::Int => 3,
            IntegerSize::Long => 4,
            IntegerSize::LongLong => 5,
            // As few bits as it needs (C23, 6.4.4.1, 6).
            IntegerSize::BitInt => {
                let digits = 64 - value.leading_zeros();
                let signed = !unsigned;
                let bits = if signed { (digits + 1).max(2) } else { digits.max(1) };
                if bits > 64 {
                    return Err(self.unsupported(span, &format!("a '_BitInt' of {bits} bits")));
                }
                let ty = self.types.intern(Type::Int { bits, signed, rank: BIT_INT });
                return Ok(self.constant(value, ty, span));
            }
        };
        for rank in least..=5 {
            let bits = self.bits_of_rank(rank);
            let fits = |bits: u32| bits == 64 || value >> bits == 0;
            if !integer.suffix.unsigned && fits(bits - 1) {
                let ty = self.types.intern(Type::Int { bits, signed: true, rank });
                return Ok(self.constant(value, ty, span));
            }
            let unsigned = integer.suffix.unsigned || radix != 10 || rank == 5;
            if unsigned && fits(bits) {
                let ty = self.types.intern(Type::Int { bits, signed: false, rank });
                return Ok(self.constant(value, ty, span));
            }
        }
        let message = "this number does not fit into 64 bits".to_owned();
        Err(self.type_error(span, message, "too large"))
    }

    fn bits_of_rank(&self, rank: u8) -> u32 {
        match (rank, self.types.model) {
            (3, _) | (4, DataModel::Ilp32) => 32,
            _ => 64,
        }
    }

    fn float(&mut self, float: &Float, span: Span) -> Typed<Expr> {
        let long = if self.types.model == DataModel::Ilp32 { 96 } else { 128 };
        let bits = match float.format {
            FloatFormat::Float => 32,
            FloatFormat::Double => 64,
            FloatFormat::LongDouble => long,
            FloatFormat::Other => {
                return Err(self.unsupported(span, "this kind of floating number"));
            }
        };
        let value = match float.is_hexadecimal {
            // Rounded once.
            false if bits == 32 => float.number.parse::<f32>().map_or(0.0, f64::from),
            false => float.number.parse().unwrap_or(0.0),
            true if bits == 32 => hexadecimal(&float.number, 24, -126),
            true => hexadecimal(&float.number, 53, -1022),
        };
        let ty = self.types.intern(Type::Float { bits });
        Ok(self.float_constant(value, ty, span))
    }

    fn character(&mut self, text: &str, span: Span) -> Typed<Expr> {
        let (prefix, rest) = text.split_once('\'').unwrap_or(("", text));
        let inside = rest.strip_suffix('\'').unwrap_or(rest);
        let ty = match prefix {
            "" => self.int(),
            _ => self.type_of_units(prefix, span)?,
        };
        let units = units(inside, !matches!(prefix, "" | "u8"));
        let bits = self.types.bits(ty).map_or(32, |(bits, _)| bits);
        let value = match units.as_slice() {
            [one] if !prefix.is_empty() => i128::from(*one),
            [one] => i128::from(*one as u8 as i8),
            _ if !prefix.is_empty() => {
                return Err(self.unsupported(span, "a wide character that is not exactly one"));
            }
            // Like gcc, concatenate the characters.
            many => many.iter().fold(0_i128, |all, unit| (all << 8) | i128::from(*unit as u8)),
        };
        Ok(self.constant(wrap(value, bits), ty, span))
    }

    /// The type of the elements of a literal with this prefix; `u8` is that of characters.
    fn type_of_units(&mut self, prefix: &str, span: Span) -> Typed<TypeId> {
        Ok(match prefix {
            "" => self.char(),
            "u8" => self.types.intern(Type::Int { bits: 8, signed: false, rank: 1 }),
            "L" if self.types.model == DataModel::Ilp32 => {
                // `wchar_t` is `long` on i386.
                self.types.intern(Type::Int { bits: 32, signed: true, rank: 4 })
            }
            "L" => self.int(),
            "u" => self.types.intern(Type::Int { bits: 16, signed: false, rank: 2 }),
            "U" => self.types.intern(Type::Int { bits: 32, signed: false, rank: 3 }),
            _ => return Err(self.unsupported(span, "a literal with this prefix")),
        })
    }

    /// The elements of adjacent literals, with the terminating zero, and their type.
    pub fn string_units(&mut self, parts: &[String], span: Span) -> Typed<(Vec<u32>, TypeId)> {
        let mut prefix = "";
        for part in parts {
            let own = part.split_once('"').map_or("", |(own, _)| own);
            if !matches!(own, "" | "u8") {
                if !prefix.is_empty() && prefix != own {
                    return Err(self.unsupported(span, "a string of different kinds of characters"));
                }
                prefix = own;
            }
        }
        let ty = self.type_of_units(prefix, span)?;
        let mut all = Vec::new();
        for part in parts {
            let rest = part.split_once('"').map_or(part.as_str(), |(_, rest)| rest);
            let inside = rest.strip_suffix('"').unwrap_or(rest);
            for unit in units(inside, !prefix.is_empty()) {
                match char::from_u32(unit) {
                    Some(c) if prefix == "u" => {
                        let mut buffer = [0; 2];
                        all.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
                    }
                    _ => all.push(unit),
                }
            }
        }
        all.push(0);
        Ok((all, ty))
    }

    /// Whether a literal initialises an array of this type as a whole.
    pub fn is_text(&mut self, ty: TypeId, parts: &[String]) -> bool {
        let Type::Array(element, _) = *self.types.get(ty) else { return false };
        let narrow = parts.iter().all(|p| p.starts_with('"') || p.starts_with("u8"));
        if narrow || matches!(self.types.get(element), Type::Int { bits: 8, .. }) {
            return narrow && matches!(self.types.get(element), Type::Int { bits: 8, .. });
        }
        self.string_units(parts, Span::default()).is_ok_and(|(_, own)| own == element)
    }

    /// The array that a string literal denotes.
    pub fn string(&mut self, parts: &[String], span: Span) -> Typed<Place> {
        let (units, element) = self.string_units(parts, span)?;
        let length = units.len() as u64;
        let ty = self.types.intern(Type::Array(element, Some(length)));
        if element != self.char() {
            return Ok(self.wide_string(units, element, ty, span));
        }
        let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
        let number = match self.string_numbers.get(&bytes) {
            Some(number) => *number,
            None => {
                let number = self.strings.len() as u32;
                self.strings.push(bytes.clone());
                self.string_numbers.insert(bytes, number);
                number
            }
        };
        Ok(Place { base: Base::String(number), path: Vec::new(), ty, span })
    }

    /// A string of wide characters: a variable with this content from the start.
    fn wide_string(&mut self, units: Vec<u32>, element: TypeId, ty: TypeId, span: Span) -> Place {
        let key = (element, units);
        if let Some(&known) = self.wide_strings.get(&key) {
            return self.place_of(known, span);
        }
        let name = format!("literal@{}", self.variables.len());
        let variable = self.variable(&name, ty, VariableKind::Global, span);
        self.variables[variable.0 as usize].internal = true;
        let place = self.place_of(variable, span);
        let bits = self.types.bits(element).map_or(32, |(bits, _)| bits);
        for (index, &unit) in key.1.iter().enumerate().filter(|&(_, &unit)| unit != 0) {
            let part = self.element(&place, index as u64);
            let value = self.constant(wrap(i128::from(unit), bits), element, span);
            self.initialisers.push((part, value));
        }
        // What is evaluated without effect leaves no variables behind.
        if self.dry == 0 {
            self.wide_strings.insert(key, variable);
        }
        place
    }

    /// Plain `char`, which is signed.
    pub fn char(&mut self) -> TypeId {
        self.types.intern(Type::Int { bits: 8, signed: true, rank: 1 })
    }
}

/// The code units between quotes: bytes, or characters if `wide`.
fn units(text: &str, wide: bool) -> Vec<u32> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            if wide {
                out.push(c as u32);
            } else {
                let mut buffer = [0; 4];
                out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
            }
            continue;
        }
        let Some(escape) = chars.next() else { break };
        let mut digits = |radix: u32, most: usize, mut value: u32| {
            for _ in 0..most {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
                chars.next();
                value = value.wrapping_mul(radix).wrapping_add(digit);
            }
            value
        };
        match escape {
            'n' => out.push(10),
            't' => out.push(9),
            'r' => out.push(13),
            'a' => out.push(7),
            'b' => out.push(8),
            'f' => out.push(12),
            'v' => out.push(11),
            'e' | 'E' => out.push(27),
            '0'..='7' => {
                let first = escape.to_digit(8).unwrap_or(0);
                out.push(digits(8, 2, first));
            }
            'x' => out.push(digits(16, 16, 0)),
            'u' | 'U' => {
                let value = digits(16, if escape == 'u' { 4 } else { 8 }, 0);
                match char::from_u32(value) {
                    Some(c) if !wide => {
                        let mut buffer = [0; 4];
                        out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
                    }
                    _ => out.push(value),
                }
            }
            other => out.push(other as u32),
        }
    }
    out
}

/// The value of `1.8p3` (without `0x`), rounded once to a number of `precision` bits whose least exponent is `least`.
fn hexadecimal(text: &str, precision: i64, least: i64) -> f64 {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // The value is `bits` times 2 to the `exponent`, or a little more.
    let (mut bits, mut more) = (0_u64, false);
    let written = exponent.parse::<i64>().ok();
    let too_far = if exponent.starts_with('-') { -(1 << 40) } else { 1 << 40 };
    let mut exponent = written.unwrap_or(too_far).clamp(-(1 << 40), 1 << 40) - 4 * fraction as i64;
    for digit in mantissa.chars().filter_map(|c| c.to_digit(16)) {
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
        } else {
            more |= digit != 0;
            exponent += 4;
        }
    }
    if bits == 0 {
        return 0.0;
    }
    let length = 64 - i64::from(bits.leading_zeros());
    // The exponent of the last bit that is kept, and the number of bits that are not.
    let last = (exponent + length - precision).max(least - precision + 1);
    let drop = last - exponent;
    let kept = match drop {
        ..=0 => {
            exponent = exponent.min(1 << 20);
            bits
        }
        1..=64 => {
            exponent = last;
            let rest = bits & (u64::MAX >> (64 - drop));
            let (half, kept) = (1_u64 << (drop - 1), bits.checked_shr(drop as u32).unwrap_or(0));
            kept + u64::from(rest > half || rest == half && (more || kept & 1 == 1))
        }
        _ => return 0.0,
    };
    // Exact: both factors are numbers of doubles.
    let power = |k: i64| match k {
        -1074..-1022 => f64::from_bits(1 << (k + 1074)),
        _ => f64::from_bits((k.clamp(-1022, 1024) + 1023) as u64 * (1 << 52)),
    };
    let over = (exponent - 900).clamp(0, 1024);
    kept as f64 * power(exponent - over) * power(over)
}
