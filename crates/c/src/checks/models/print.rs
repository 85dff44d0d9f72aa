//! Formatted output: what is read for it, and what is written where it goes to memory.

use super::format::{Count, Directive, Length, Number as Whole, Pad, directives};
use super::plan::Given::{Argument, Converted, Number, Result, Text};
use super::plan::{Call, Given, Piece, Plan, literal};
use crate::flow::Expr;
use crate::library::LibraryFunction;
use crate::types::{DataModel, Type, Types};

/// The parts of a literal format, if the arguments are those that it asks for; `are_written`: their numbers count.
fn parts(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
    are_written: bool,
) -> Option<Vec<Directive>> {
    let format = literal(arguments.get(known.prototype.format()?)?, strings)?;
    let all = directives(format, known.prototype.parameters.len())?;
    // A number of another width moves no other argument where each takes a word of 64 bits.
    let is_loose = !are_written && types.model == DataModel::Lp64;
    let is_number = |directive: &Directive| match *directive {
        Directive::Number { argument, ref number } => {
            let is_plain = [number.width, number.digits]
                .iter()
                .all(|count| !matches!(count, Count::Argument(_)));
            is_plain && arguments.get(argument).is_some_and(|a| types.is_integer(a.ty))
        }
        _ => false,
    };
    let fit = |directive: &Directive| {
        is_given(directive, arguments, types) || is_loose && is_number(directive)
    };
    all.iter().all(fit).then_some(all)
}

/// Whether the arguments of a directive are there, and have the types that it asks for.
fn is_given(directive: &Directive, arguments: &[Expr], types: &Types) -> bool {
    let has_bits = |i: usize, bits: u32| {
        let argument = arguments.get(i).filter(|a| types.is_integer(a.ty));
        argument.and_then(|a| types.bits(a.ty)).is_some_and(|(all, _)| all == bits)
    };
    let counts = |counts: [Count; 2]| {
        counts.into_iter().all(|count| match count {
            Count::Argument(i) => has_bits(i, 32),
            Count::Absent | Count::Number(_) => true,
        })
    };
    match *directive {
        Directive::Plain(_) => true,
        Directive::Text { argument, wide, most, width, .. } => {
            let to = arguments.get(argument).and_then(|a| match types.get(a.ty) {
                Type::Pointer(to) => Some(types.size(*to)),
                _ => None,
            });
            // Elsewhere wchar_t has two bytes.
            to.is_some_and(|size| !wide || size == Some(4)) && counts([most, width])
        }
        Directive::Character { argument, width } => {
            has_bits(argument, 32) && counts([width, Count::Absent])
        }
        Directive::Number { argument, ref number } => {
            has_bits(argument, number.length.bits(types).0) && counts([number.width, number.digits])
        }
        Directive::Other { argument, width, digits } => {
            let argument = arguments.get(argument);
            argument.is_some_and(|a| types.is_scalar(a.ty)) && counts([width, digits])
        }
    }
}

impl Length {
    /// How many bits the argument has, and how many of them count.
    fn bits(self, types: &Types) -> (u32, u32) {
        match self {
            Self::Char => (32, 8),
            Self::Short => (32, 16),
            Self::Int => (32, 32),
            Self::Word => (types.model.word(), types.model.word()),
            Self::LongLong => (64, 64),
        }
    }
}

impl Count {
    /// The value; `None` where an argument says it, which may be negative.
    fn number(self, absent: u64) -> Option<Given> {
        match self {
            Self::Absent => Some(Number(absent)),
            Self::Number(n) => Some(Number(n)),
            Self::Argument(_) => None,
        }
    }

    /// The most characters of a text; a negative number, which is large without a sign, is none.
    fn most(self) -> Given {
        match self {
            Self::Absent => Number(u64::MAX),
            Self::Number(n) => Number(n),
            Self::Argument(i) => Argument(i),
        }
    }
}

/// Where a function puts the text that it formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// The program does not see it.
    Outside,
    /// Behind the pointer `to`; the argument `room` says how many bytes there are.
    Memory { to: usize, room: Option<usize> },
    /// In a new block, to which the target of the pointer `to` then points.
    Block { to: usize },
}

impl Output {
    /// That of the function of this name, if its result is the number of characters.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "printf" | "fprintf" | "dprintf" => Self::Outside,
            "sprintf" => Self::Memory { to: 0, room: None },
            "snprintf" => Self::Memory { to: 0, room: Some(1) },
            "asprintf" => Self::Block { to: 0 },
            _ => return None,
        })
    }

    /// Whether the program has the text.
    pub fn is_kept(self) -> bool {
        self != Self::Outside
    }
}

/// A call with a literal format of simple directives, whose result is known, and the text where it is kept.
pub(super) fn put(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
    output: Output,
) -> Option<Plan> {
    let parts = parts(known, arguments, strings, types, true)?;
    let parts: Vec<_> = parts.into_iter().map(|part| body(part, types)).collect::<Option<_>>()?;
    let mut pieces = vec![];
    match output {
        Output::Outside => {
            let end = text(&mut pieces, &parts, (Number(0), Number(0)));
            let arguments = vec![Number(0), Number(0), end];
            pieces.push(Piece { body: "put_end", arguments });
        }
        Output::Memory { to, room } => {
            let room = room.map_or(Number(u64::MAX), Argument);
            let end = text(&mut pieces, &parts, (Argument(to), room.clone()));
            pieces.push(Piece { body: "put_end", arguments: vec![Argument(to), room, end] });
        }
        Output::Block { to } => {
            let length = text(&mut pieces, &parts, (Number(0), Number(0)));
            let block = Result(pieces.len());
            pieces.push(Piece { body: "put_block", arguments: vec![Argument(to), length] });
            let room = Result(pieces.len());
            pieces.push(Piece { body: "put_room", arguments: vec![block.clone()] });
            let end = text(&mut pieces, &parts, (block.clone(), room));
            pieces.push(Piece { body: "put_end_of_block", arguments: vec![block, end] });
        }
    }
    Some(Plan { pieces, call: Call::Replaced, is_output: output == Output::Outside })
}

/// A body of `text.c`, and its arguments behind the position.
type Put = (&'static str, Vec<Given>);

/// Adds pieces that put the parts of a text to memory with so much room; returns the position behind it.
fn text(pieces: &mut Vec<Piece>, parts: &[Put], (to, room): (Given, Given)) -> Given {
    // The first piece is at the start, also where there is nothing to write.
    let start = ("put_text", vec![Text(vec![])]);
    let mut at = Number(0);
    for (body, more) in std::iter::once(&start).chain(parts) {
        let arguments = [to.clone(), room.clone(), at].into_iter().chain(more.iter().cloned());
        pieces.push(Piece { body, arguments: arguments.collect() });
        at = Result(pieces.len() - 1);
    }
    at
}

/// What puts a part of a text.
fn body(part: Directive, types: &Types) -> Option<Put> {
    Some(match part {
        Directive::Plain(text) => ("put_text", vec![Text(text)]),
        Directive::Text { argument, wide: false, most, width, is_left } => match (width, most) {
            (Count::Absent, Count::Absent) => ("put_text", vec![Argument(argument)]),
            (Count::Absent, most) => ("put_text_within", vec![Argument(argument), most.most()]),
            (width, most) => {
                let left = Number(is_left.into());
                let more = vec![Argument(argument), most.most(), width.number(0)?, left];
                ("put_padded_text", more)
            }
        },
        Directive::Character { argument, width: Count::Absent } => {
            ("put_character", vec![Argument(argument)])
        }
        Directive::Number { argument, number } => whole(argument, &number, types)?,
        Directive::Text { .. } | Directive::Character { .. } | Directive::Other { .. } => {
            return None;
        }
    })
}

/// The body that writes a whole number, and its arguments.
fn whole(argument: usize, number: &Whole, types: &Types) -> Option<Put> {
    let (_, bits) = number.length.bits(types);
    let value = Converted { argument, bits, signed: number.signed };
    if number.is_simple() {
        return Some(match number.signed {
            true => ("put_signed", vec![value]),
            false => ("put_unsigned", vec![value, Number(number.base)]),
        });
    }
    let sign = match number.signed {
        true => number.sign.map_or(1, u64::from),
        false => 0,
    };
    let ten = if number.upper { b'A' } else { b'a' };
    let pad = match number.pad {
        Pad::SpacesBefore => 0,
        Pad::SpacesBehind => 1,
        Pad::Zeros => 2,
    };
    let (digits, width) = (number.digits.number(1)?, number.width.number(0)?);
    let (sign, ten) = (Number(sign), Number(ten.into()));
    Some(("put_number", vec![value, sign, Number(number.base), ten, digits, width, Number(pad)]))
}

/// What is read for a literal format.
pub(super) fn formatted(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> Option<Vec<Piece>> {
    let read = |directive| {
        let Directive::Text { argument, wide, most, .. } = directive else { return None };
        let mut arguments_of = vec![Argument(argument)];
        let body = match (wide, most) {
            (false, _) if literal(&arguments[argument], strings).is_some() => return None,
            (false, Count::Absent) => "text",
            (false, _) => "text_within",
            (true, Count::Absent) => "wide",
            (true, _) => "wide_within",
        };
        if most != Count::Absent {
            arguments_of.push(most.most());
        }
        Some(Piece { body, arguments: arguments_of })
    };
    Some(parts(known, arguments, strings, types, false)?.into_iter().filter_map(read).collect())
}
