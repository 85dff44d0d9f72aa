//! What a call becomes: the bodies of `text.c` that stand in front of it, or in its place.

use super::print::{Output, formatted, put};
use super::scan::scanned;
use crate::flow::{Expr, ExprKind};
use crate::library::{Accesses, Kind, LibraryFunction, Writes, find};
use crate::types::{Type, Types};

/// The pieces that a call becomes.
pub(in crate::checks) struct Plan {
    pub pieces: Vec<Piece>,
    pub call: Call,
    /// Whether the result is right only if output does not fail.
    pub is_output: bool,
    /// Arguments that are pointers, with numbers of bytes: the call writes to no more than these behind each.
    pub room: Vec<(usize, Given)>,
}

impl Plan {
    /// Whether it makes a new block.
    pub fn allocates(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece.body, "put_block" | "strdup" | "strndup"))
    }

    pub const fn new(pieces: Vec<Piece>, call: Call) -> Self {
        Self { pieces, call, is_output: false, room: vec![] }
    }
}

/// What becomes of the call itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::checks) enum Call {
    Stays,
    /// Its result has the sign of that of the last piece.
    Signed,
    /// The last piece has its result.
    Replaced,
}

/// A body of `text.c` with arguments.
pub(in crate::checks) struct Piece {
    pub body: &'static str,
    pub arguments: Vec<Given>,
}

/// An argument of a piece.
#[derive(Debug, Clone)]
pub(in crate::checks) enum Given {
    /// The argument of the call with this number.
    Argument(usize),
    Number(u64),
    Text(Vec<u8>),
    /// The same, converted to an integer of so many bits.
    Converted {
        argument: usize,
        bits: u32,
        signed: bool,
    },
    /// The result of the piece with this number.
    Result(usize),
}

/// What is to be known of a call.
#[derive(Debug, Clone, Copy)]
pub(in crate::checks) struct Wanted {
    /// What it accesses.
    pub accesses: bool,
    /// Its result.
    pub result: bool,
}

use Given::Argument;

/// Functions, and bodies that do all that they do.
const WHOLE: [(&str, &str); 26] = [
    ("strlen", "strlen"),
    ("strnlen", "strnlen"),
    ("strcpy", "strcpy"),
    ("stpcpy", "stpcpy"),
    ("strncpy", "strncpy"),
    ("strcat", "strcat"),
    ("strncat", "strncat"),
    ("strlcpy", "strlcpy"),
    ("strlcat", "strlcat"),
    ("strchr", "strchr"),
    ("index", "strchr"),
    ("strrchr", "strrchr"),
    ("rindex", "strrchr"),
    ("strchrnul", "strchrnul"),
    ("memchr", "memchr"),
    ("strcspn", "strcspn"),
    ("strspn", "strspn"),
    ("strpbrk", "strpbrk"),
    ("wcslen", "wcslen"),
    ("wcscpy", "wcscpy"),
    ("wcsncpy", "wcsncpy"),
    ("wcscat", "wcscat"),
    ("wcsncat", "wcsncat"),
    ("wmemset", "wmemset"),
    ("wmemcpy", "wmemcpy"),
    ("wmemmove", "wmemmove"),
];

/// Functions, and bodies that read what they read, and have a result of the same sign.
const COMPARING: [(&str, &str); 4] = [
    ("strcmp", "compared"),
    ("strcasecmp", "alike"),
    ("strncmp", "compared_within"),
    ("strncasecmp", "alike_within"),
];

/// Functions, and bodies that read what they read, which is neither more nor less than texts.
const READING: [(&str, &str); 1] = [("rawmemchr", "found_always")];

/// Functions that make a block, and bodies that do all that they do.
const COPYING: [(&str, &str); 4] = [
    ("strdup", "strdup"),
    ("__strdup", "strdup"),
    ("strndup", "strndup"),
    ("__strndup", "strndup"),
];

/// Functions whose texts may be missing.
const NULLABLE: [&str; 5] = ["perror", "setlocale", "system", "freopen", "openlog"];

/// All bodies that pieces name.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let texts = ["text", "text_within", "text_if_any", "wide", "wide_within"];
    let puts = [
        "put_text",
        "put_text_within",
        "put_padded_text",
        "put_character",
        "digits_of",
        "put_number",
        "count_plain",
        "count_text",
        "count_number",
        "put_end",
        "put_block",
        "put_room",
        "put_end_of_block",
    ];
    let tables =
        WHOLE.iter().chain(&COMPARING).chain(&READING).chain(&COPYING).map(|(_, body)| *body);
    tables.chain(texts).chain(puts)
}

/// What a call becomes; `None` where that is not known, or nothing is to be looked into.
pub(in crate::checks) fn plan(
    name: &str,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
    wanted: Wanted,
) -> Option<Plan> {
    let known = find(name)?;
    let name = known.called(name);
    let model = known.model()?;
    let is_counted = match known.prototype.variadic {
        true => arguments.len() >= known.prototype.parameters.len(),
        false => arguments.len() == known.prototype.parameters.len(),
    };
    if !is_counted
        || !fit(known, name, arguments, types)
        || matches!(
            model.accesses,
            Accesses::Nothing | Accesses::Bytes { .. } | Accesses::Items { .. }
        )
    {
        return None;
    }
    if let Some(output) = Output::of(name).filter(|output| wanted.result || output.is_kept())
        && let Some(plan) = put(known, arguments, strings, types, output)
    {
        return Some(plan);
    }
    let with = |table: &[(&str, &'static str)]| {
        let body = table.iter().find(|(other, _)| *other == name)?.1;
        Some(vec![Piece { body, arguments: (0..arguments.len()).map(Argument).collect() }])
    };
    if let Some(pieces) = with(&COPYING) {
        return Some(Plan::new(pieces, Call::Replaced));
    }
    if !wanted.accesses {
        return None;
    }
    if let Some(Output::Memory { to, room: Some(room) }) = Output::of(name) {
        let pieces = formatted(known, arguments, strings, types)?;
        let room = vec![(to, Argument(room))];
        return Some(Plan { room, ..Plan::new(pieces, Call::Stays) });
    }
    if let Some(plan) = scanned(known, arguments, strings, types) {
        return Some(plan);
    }
    if let Some(pieces) = with(&WHOLE) {
        // What is read only, from a literal, needs no look.
        let reads = matches!(name, "strlen" | "strnlen");
        if reads && literal(&arguments[0], strings).is_some() {
            return None;
        }
        return Some(Plan::new(pieces, Call::Replaced));
    }
    if let Some(pieces) = with(&COMPARING) {
        return Some(Plan::new(pieces, Call::Signed));
    }
    if let Some(pieces) = with(&READING) {
        return Some(Plan::new(pieces, Call::Stays));
    }
    if takes_nothing(name, arguments, types) {
        return Some(Plan::new(vec![], Call::Stays));
    }
    if matches!(model.accesses, Accesses::Objects { .. }) {
        // The objects are looked at where the call is; here, only the texts.
        return read(known, name, arguments, strings, types).filter(|plan| !plan.pieces.is_empty());
    }
    let parameters = known.prototype.parameters.len();
    let writes = matches!(model.effect.writes, Writes::Text { .. })
        || !model.effect.written(parameters, arguments.len()).is_empty();
    if writes {
        return None;
    }
    read(known, name, arguments, strings, types)
}

/// Whether nothing of a call's accesses is left open, but for the objects of [`Accesses::Objects`] beside texts.
pub(in crate::checks) fn is_covered(
    name: &str,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> bool {
    let wanted = Wanted { accesses: true, result: false };
    plan(name, arguments, strings, types, wanted).is_some()
}

/// Whether a call is given null for each pointer, and the function allows that.
fn takes_nothing(name: &str, arguments: &[Expr], types: &Types) -> bool {
    let allows = ["accept", "wait", "waitpid", "times"].contains(&name);
    allows && arguments.iter().all(|e| !types.is_pointer(e.ty) || is_null(e))
}

fn is_null(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => is_null(inner),
        ExprKind::Constant(value) => *value == 0,
        _ => false,
    }
}

/// A function that reads texts, as its prototype and its format say, and nothing else that needs
/// a look.
fn read(
    known: &LibraryFunction,
    name: &str,
    arguments: &[Expr],
    strings: &[Vec<u8>],
    types: &Types,
) -> Option<Plan> {
    let parameters = known.prototype.parameters;
    let is_bounded = parameters.contains(&Kind::Size);
    let body = if NULLABLE.contains(&name) { "text_if_any" } else { "text" };
    let is_object = |i: usize| match known.model().map(|model| model.accesses) {
        Some(Accesses::Objects { certain, or_null }) => {
            certain.contains(&i) || or_null.contains(&i)
        }
        _ => false,
    };
    let mut pieces = vec![];
    for (i, kind) in parameters.iter().enumerate() {
        match kind {
            // It may end before its zero.
            Kind::Text if is_bounded => return None,
            Kind::Text if literal(&arguments[i], strings).is_none() => {
                pieces.push(Piece { body, arguments: vec![Argument(i)] });
            }
            Kind::Stream | Kind::Text | Kind::Format => {}
            Kind::Memory if is_object(i) => {}
            Kind::Memory | Kind::Block | Kind::Buffer | Kind::Arguments => return None,
            Kind::Void | Kind::Int | Kind::Long | Kind::LongLong | Kind::Size | Kind::Double => {}
        }
    }
    let is_pointer =
        |e: &Expr| types.is_pointer(e.ty) || matches!(types.get(e.ty), Type::Record(_));
    if known.prototype.format().is_some() {
        pieces.extend(formatted(known, arguments, strings, types)?);
    } else if arguments.iter().skip(parameters.len()).any(is_pointer) {
        return None;
    }
    Some(Plan::new(pieces, Call::Stays))
}

/// Whether each argument is of a kind that the function takes.
fn fit(known: &LibraryFunction, name: &str, arguments: &[Expr], types: &Types) -> bool {
    let is_wide = name.starts_with("wcs") || name.starts_with("wmem");
    known.prototype.parameters.iter().zip(arguments).all(|(kind, argument)| {
        match (kind, types.get(argument.ty)) {
            // Elsewhere wchar_t has two bytes.
            (kind, &Type::Pointer(to)) if kind.is_pointer() => {
                !is_wide || matches!(types.size(to), None | Some(4)) || *types.get(to) == Type::Void
            }
            (Kind::Double, ty) => matches!(ty, Type::Float { .. }),
            (kind, _) => !kind.is_pointer() && types.is_integer(argument.ty),
        }
    })
}

/// The characters of an argument that is a string literal from its start, without the zero.
pub(in crate::checks) fn literal<'s>(argument: &Expr, strings: &'s [Vec<u8>]) -> Option<&'s [u8]> {
    match &argument.kind {
        ExprKind::Cast(inner) => literal(inner, strings),
        ExprKind::AddressOf(place) => {
            let crate::flow::Base::String(number) = place.base else { return None };
            let bytes = strings.get(number as usize).filter(|_| place.is_first())?;
            let end = bytes.iter().position(|&b| b == 0)?;
            Some(&bytes[..end])
        }
        _ => None,
    }
}
