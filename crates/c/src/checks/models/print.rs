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
            let end = text(&mut pieces, &parts, None);
            let arguments = vec![Number(0), Number(0), end];
            pieces.push(Piece { body: "put_end", arguments });
        }
        Output::Memory { to, room } => {
            let room = room.map_or(Number(u64::MAX), Argument);
            let end = text(&mut pieces, &parts, Some((Argument(to), room.clone())));
            pieces.push(Piece { body: "put_end", arguments: vec![Argument(to), room, end] });
        }
        Output::Block { to } => {
            let length = text(&mut pieces, &parts, None);
            let block = Result(pieces.len());
            pieces.push(Piece { body: "put_block", arguments: vec![Argument(to), length] });
            let room = Result(pieces.len());
            pieces.push(Piece { body: "put_room", arguments: vec![block.clone()] });
            let end = text(&mut pieces, &parts, Some((block.clone(), room)));
            pieces.push(Piece { body: "put_end_of_block", arguments: vec![block, end] });
        }
    }
    let is_output = output == Output::Outside;
    Some(Plan { is_output, ..Plan::new(pieces, Call::Replaced) })
}

/// A part of a text as a call of bodies of `text.c`.
struct Part {
    /// What puts it to memory, and what only counts it.
    bodies: [&'static str; 2],
    /// The arguments of these, behind the position.
    arguments: [Vec<Given>; 2],
    /// The number of digits is the last argument: that of this value, signed or not, with this base.
    digits: Option<[Given; 3]>,
}

/// Adds pieces that put the parts of a text to memory with so much room, or count them; returns the position behind it.
fn text(pieces: &mut Vec<Piece>, parts: &[Part], to: Option<(Given, Given)>) -> Given {
    let is_counted = usize::from(to.is_none());
    let to = to.map_or(vec![], |(to, room)| vec![to, room]);
    let mut at = Number(0);
    for part in parts {
        let mut arguments = [&to[..], &[at], &part.arguments[is_counted][..]].concat();
        if let Some(digits) = &part.digits {
            arguments.push(Result(pieces.len()));
            pieces.push(Piece { body: "digits_of", arguments: digits.to_vec() });
        }
        at = Result(pieces.len());
        pieces.push(Piece { body: part.bodies[is_counted], arguments });
    }
    at
}

/// What puts a part of a text.
fn body(part: Directive, types: &Types) -> Option<Part> {
    let all = Number(u64::MAX);
    let (bodies, arguments) = match part {
        Directive::Plain(text) => {
            let length = Number(text.len() as u64);
            (["put_text", "count_plain"], [vec![Text(text)], vec![length]])
        }
        Directive::Text { argument, wide: false, most, width, is_left } => {
            let (text, most) = (Argument(argument), (most != Count::Absent).then(|| most.most()));
            let room = width.number(0)?;
            let counted = vec![text.clone(), most.clone().unwrap_or(all.clone()), room.clone()];
            let (body, put) = match (width, most) {
                (Count::Absent, None) => ("put_text", vec![text]),
                (Count::Absent, Some(most)) => ("put_text_within", vec![text, most]),
                (_, most) => {
                    let left = Number(is_left.into());
                    ("put_padded_text", vec![text, most.unwrap_or(all), room, left])
                }
            };
            ([body, "count_text"], [put, counted])
        }
        Directive::Character { argument, width: Count::Absent } => {
            (["put_character", "count_plain"], [vec![Argument(argument)], vec![Number(1)]])
        }
        Directive::Number { argument, number } => return whole(argument, &number, types),
        Directive::Text { .. } | Directive::Character { .. } | Directive::Other { .. } => {
            return None;
        }
    };
    Some(Part { bodies, arguments, digits: None })
}

/// What puts a whole number.
fn whole(argument: usize, number: &Whole, types: &Types) -> Option<Part> {
    let (_, bits) = number.length.bits(types);
    let value = Converted { argument, bits, signed: number.signed };
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
    let (least, width) = (number.digits.number(1)?, number.width.number(0)?);
    let (sign, ten, base) = (Number(sign), Number(ten.into()), Number(number.base));
    let counted = vec![value.clone(), sign.clone(), least.clone(), width.clone()];
    let put = vec![value.clone(), sign, base.clone(), ten, least, width, Number(pad)];
    let digits = Some([value, Number(number.signed.into()), base]);
    Some(Part { bodies: ["put_number", "count_number"], arguments: [put, counted], digits })
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
