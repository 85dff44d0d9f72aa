//! What a call becomes: the bodies of `text.c` that stand in front of it, or in its place.

use super::format::{Directive, directives};
use crate::flow::{Expr, ExprKind, Step};
use crate::library::{Accesses, Kind, LibraryFunction, Writes, find};
use crate::types::{Type, Types};

/// The pieces that a call becomes.
pub(in crate::checks) struct Plan {
    pub pieces: Vec<Piece>,
    /// Whether they do all that the call does; the last one has its result.
    pub replaces: bool,
}

/// A body of `text.c` with arguments.
pub(in crate::checks) struct Piece {
    pub body: &'static str,
    pub arguments: Vec<Given>,
}

/// An argument of a piece.
pub(in crate::checks) enum Given {
    /// The argument of the call with this number.
    Argument(usize),
    /// The same, as an integer of so many bits.
    Converted {
        argument: usize,
        bits: u32,
        signed: bool,
    },
    Number(u64),
    Text(Vec<u8>),
    /// The result of the piece before.
    Last,
}

use Given::{Argument, Converted, Last, Number, Text};

/// Functions whose bodies do all that they do.
const WHOLE: [&str; 15] = [
    "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "strcat", "strncat", "strlcpy", "wcslen",
    "wcscpy", "wcsncpy", "wcscat", "wcsncat", "wmemset", "wmemcpy",
];

/// Functions, and bodies that read what they read.
const READING: [(&str, &str); 4] = [
    ("strcmp", "compared"),
    ("strncmp", "compared_within"),
    ("strchr", "found"),
    ("index", "found"),
];

/// All bodies that pieces name.
#[cfg(test)]
pub(crate) const BODIES: [&[&str]; 3] = [
    &WHOLE,
    &["compared", "compared_within", "found", "text", "text_within", "wide", "wide_within"],
    &["put_text", "put_text_within", "put_character", "put_signed", "put_unsigned", "put_end"],
];

/// Functions that take null, read behind a zero, or need none.
const OTHERWISE: [&str; 5] = ["perror", "rawmemchr", "setlocale", "system", "freopen"];

/// What a call becomes; `None` where that is not known, or nothing is to be looked into.
pub(in crate::checks) fn plan(
    name: &str,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> Option<Plan> {
    let known = find(name)?;
    let name = known.called(name);
    let model = known.model()?;
    let is_counted = match known.prototype.variadic {
        true => arguments.len() >= known.prototype.parameters.len(),
        false => arguments.len() == known.prototype.parameters.len(),
    };
    if !is_counted
        || matches!(
            model.accesses,
            Accesses::Nothing | Accesses::Bytes { .. } | Accesses::Items { .. }
        )
    {
        return None;
    }
    let all = || (0..arguments.len()).map(Argument).collect::<Vec<_>>();
    if let Some(body) = WHOLE.into_iter().find(|whole| *whole == name) {
        // What is read only, from a literal, needs no look.
        let reads = matches!(name, "strlen" | "strnlen");
        if reads && literal(&arguments[0], strings).is_some() {
            return None;
        }
        let piece = Piece { body, arguments: all() };
        return Some(Plan { pieces: vec![piece], replaces: true });
    }
    if let Some((_, body)) = READING.iter().find(|(other, _)| *other == name) {
        let piece = Piece { body, arguments: all() };
        return Some(Plan { pieces: vec![piece], replaces: false });
    }
    if let Some((to, size)) = written(name) {
        return put(known, arguments, strings, types, (to, size));
    }
    let parameters = known.prototype.parameters.len();
    if takes_nothing(name, arguments, types) {
        return Some(Plan { pieces: vec![], replaces: false });
    }
    let writes = matches!(model.effect.writes, Writes::Text { .. })
        || !model.effect.written(parameters, arguments.len()).is_empty();
    if writes {
        return None;
    }
    read(known, arguments, strings, types)
}

/// Whether nothing of a call's accesses is left open.
pub(in crate::checks) fn is_covered(
    name: &str,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> bool {
    plan(name, arguments, strings, types).is_some()
}

/// Whether a call is given null for each pointer, and the function allows that.
fn takes_nothing(name: &str, arguments: &[Expr], types: &Types) -> bool {
    let allows = ["accept", "wait", "waitpid", "times"].contains(&name);
    let is_null = |e: &Expr| !types.is_pointer(e.ty) || is_null(e);
    allows && arguments.iter().all(is_null)
}

fn is_null(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => is_null(inner),
        ExprKind::Constant(value) => *value == 0,
        _ => false,
    }
}

/// Where a function writes its text, and how much room it is told of.
fn written(name: &str) -> Option<(usize, Option<usize>)> {
    match name {
        "sprintf" => Some((0, None)),
        "snprintf" => Some((0, Some(1))),
        _ => None,
    }
}

/// `sprintf` and `snprintf` with a literal format of simple directives.
fn put(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
    (to, size): (usize, Option<usize>),
) -> Option<Plan> {
    let format = known.prototype.format()?;
    let room = || size.map_or(Number(u64::MAX), Argument);
    let mut pieces = vec![];
    let mut add = |body, more: Vec<Given>| {
        let at = if pieces.is_empty() { Number(0) } else { Last };
        let arguments = [Argument(to), room(), at].into_iter().chain(more).collect();
        pieces.push(Piece { body, arguments });
    };
    // The first piece is at the start, also where there is nothing to write.
    add("put_text", vec![Text(vec![])]);
    let mut next = format + 1;
    for directive in directives(literal(&arguments[format], strings)?, types.model)? {
        if let Directive::Plain(text) = directive {
            add("put_text", vec![Text(text)]);
            continue;
        }
        let argument = arguments.get(next)?;
        let is_integer = types.is_integer(argument.ty);
        match directive {
            Directive::Text { most: None } => add("put_text", vec![Argument(next)]),
            Directive::Text { most: Some(most) } => {
                add("put_text_within", vec![Argument(next), Number(most)]);
            }
            Directive::Character if is_integer => add("put_character", vec![Argument(next)]),
            Directive::Signed { bits } if is_integer => {
                add("put_signed", vec![Converted { argument: next, bits, signed: true }]);
            }
            Directive::Unsigned { bits, base } if is_integer => {
                let number = Converted { argument: next, bits, signed: false };
                add("put_unsigned", vec![number, Number(base)]);
            }
            _ => return None,
        }
        next += 1;
    }
    add("put_end", vec![]);
    Some(Plan { pieces, replaces: true })
}

/// A function that reads texts, as its prototype and its format say, and nothing else that needs a look.
fn read(
    known: &LibraryFunction,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> Option<Plan> {
    let parameters = known.prototype.parameters;
    if parameters.contains(&Kind::Size) || known.names().any(|name| OTHERWISE.contains(&name)) {
        return None;
    }
    let mut pieces = vec![];
    let is_literal = |i: usize| literal(&arguments[i], strings).is_some();
    for (i, kind) in parameters.iter().enumerate() {
        match kind {
            Kind::Text if !is_literal(i) => {
                pieces.push(Piece { body: "text", arguments: vec![Argument(i)] });
            }
            Kind::Stream | Kind::Text | Kind::Format => {}
            Kind::Memory | Kind::Block | Kind::Buffer | Kind::Arguments => return None,
            Kind::Void | Kind::Int | Kind::Long | Kind::LongLong | Kind::Size | Kind::Double => {}
        }
    }
    let is_pointer =
        |e: &Expr| types.is_pointer(e.ty) || matches!(types.get(e.ty), Type::Record(_));
    let Some(format) = known.prototype.format() else {
        let mut more = arguments.iter().skip(parameters.len());
        return (!known.prototype.variadic || !more.any(is_pointer))
            .then_some(Plan { pieces, replaces: false });
    };
    let mut next = parameters.len();
    for directive in directives(literal(&arguments[format], strings)?, types.model)? {
        let with = |body, more: Option<u64>| {
            let more = more.map(Number);
            Piece { body, arguments: std::iter::once(Argument(next)).chain(more).collect() }
        };
        let argument = arguments.get(next);
        match directive {
            Directive::Plain(_) => continue,
            Directive::Text { most } | Directive::Padded { most } | Directive::Wide { most } => {
                let is_pointer = argument.is_some_and(|a| types.is_pointer(a.ty));
                if !is_pointer {
                    return None;
                }
                let is_wide = matches!(directive, Directive::Wide { .. });
                let body = match (is_wide, most) {
                    (false, None) => "text",
                    (false, Some(_)) => "text_within",
                    (true, None) => "wide",
                    (true, Some(_)) => "wide_within",
                };
                if is_wide || !is_literal(next) {
                    pieces.push(with(body, most));
                }
            }
            Directive::Character
            | Directive::Signed { .. }
            | Directive::Unsigned { .. }
            | Directive::Other => {
                argument?;
            }
        }
        next += 1;
    }
    Some(Plan { pieces, replaces: false })
}

/// The characters of an argument that is a string literal from its start, without the zero.
fn literal<'s>(argument: &Expr, strings: &'s [Vec<u8>]) -> Option<&'s [u8]> {
    match &argument.kind {
        ExprKind::Cast(inner) => literal(inner, strings),
        ExprKind::AddressOf(place) => {
            let crate::flow::Base::String(number) = place.base else { return None };
            let is_start = |step: &Step| matches!(step, Step::Index(index) if matches!(index.kind, ExprKind::Constant(0)));
            let bytes = strings.get(number as usize).filter(|_| place.path.iter().all(is_start))?;
            let end = bytes.iter().position(|&b| b == 0)?;
            Some(&bytes[..end])
        }
        _ => None,
    }
}
