//! Numbers, characters and strings.

use lang_c::ast::{Constant, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize};
use lang_c::span::Node;

use super::constant::wrap;
use crate::base::source::Span;
use crate::program::c::flow::{Base, Expr, Place};
use crate::program::c::parse::context::{Context, Typed};
use crate::program::c::types::{DataModel, Type, TypeId};

impl Context<'_> {
    pub fn literal(&mut self, constant: &Node<Constant>) -> Typed<Expr> {
        let span = self.span(constant);
        match &constant.node {
            Constant::Integer(integer) => self.integer(integer, span),
            Constant::Float(float) => self.float(float, span),
            Constant::Character(text) => self.character(text, span),
        }
    }

    fn integer(&mut self, integer: &Integer, span: Span) -> Typed<Expr> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        if integer.suffix.imaginary {
            return Err(self.unsupported(span, "an imaginary number"));
        }
        let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            let message = "this number does not fit into 64 bits".to_owned();
            return Err(self.type_error(span, message, "too large"));
        };
        let least = match integer.suffix.size {
            IntegerSize::Int => 3,
            IntegerSize::Long => 4,
            IntegerSize::LongLong => 5,
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
        if float.suffix.imaginary {
            return Err(self.unsupported(span, "an imaginary number"));
        }
        let long = if self.types.model == DataModel::Ilp32 { 96 } else { 128 };
        let bits = match float.suffix.format {
            FloatFormat::Float => 32,
            FloatFormat::Double => 64,
            FloatFormat::LongDouble => long,
            FloatFormat::TS18661Format(_) => {
                return Err(self.unsupported(span, "this kind of floating number"));
            }
        };
        let value = match float.base {
            // Rounded once.
            FloatBase::Decimal if bits == 32 => float.number.parse::<f32>().map_or(0.0, f64::from),
            FloatBase::Decimal => float.number.parse().unwrap_or(0.0),
            FloatBase::Hexadecimal => hexadecimal(&float.number),
        };
        let ty = self.types.intern(Type::Float { bits });
        Ok(self.float_constant(value, ty, span))
    }

    fn character(&mut self, text: &str, span: Span) -> Typed<Expr> {
        let wide = !text.starts_with('\'');
        let inside = text.split_once('\'').map_or("", |(_, rest)| rest);
        let inside = inside.strip_suffix('\'').unwrap_or(inside);
        let units = units(inside, wide);
        let int = self.int();
        let value = match units.as_slice() {
            [one] if wide => i128::from(*one),
            [one] => i128::from(*one as u8 as i8),
            // Like gcc, concatenate the characters.
            many => many.iter().fold(0_i128, |all, unit| (all << 8) | i128::from(*unit as u8)),
        };
        Ok(self.constant(wrap(value, 32), int, span))
    }

    /// The bytes of adjacent literals, with the terminating zero.
    pub fn string_bytes(&mut self, parts: &[String], span: Span) -> Typed<Vec<u8>> {
        let mut bytes = Vec::new();
        for part in parts {
            let (prefix, rest) = part.split_once('"').unwrap_or(("", part));
            if !matches!(prefix, "" | "u8") {
                return Err(self.unsupported(span, "a wide string"));
            }
            let inside = rest.strip_suffix('"').unwrap_or(rest);
            bytes.extend(units(inside, false).iter().map(|&u| u as u8));
        }
        bytes.push(0);
        Ok(bytes)
    }

    /// The array that a string literal denotes.
    pub fn string(&mut self, parts: &[String], span: Span) -> Typed<Place> {
        let bytes = self.string_bytes(parts, span)?;
        let length = bytes.len() as u64;
        let number = match self.string_numbers.get(&bytes) {
            Some(number) => *number,
            None => {
                let number = self.strings.len() as u32;
                self.strings.push(bytes.clone());
                self.string_numbers.insert(bytes, number);
                number
            }
        };
        let char = self.char();
        let ty = self.types.intern(Type::Array(char, Some(length)));
        Ok(Place { base: Base::String(number), path: Vec::new(), ty, span })
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
            'e' => out.push(27),
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

/// The value of `1.8p3` (without `0x`).
fn hexadecimal(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digit = |c: char| f64::from(c.to_digit(16).unwrap_or(0));
    let whole = whole.chars().fold(0.0, |v, c| v * 16.0 + digit(c));
    let fraction = fraction.chars().rev().fold(0.0, |v, c| (v + digit(c)) / 16.0);
    (whole + fraction) * 2_f64.powi(exponent.parse().unwrap_or(0))
}
