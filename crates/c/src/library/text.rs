//! Functions that read text, and those that the macros of glibc's headers call.

use super::convention::{BitFunction, Convention};
use super::effect::{Effect, Returns, Writes};
use super::execution::{CharacterTable, Execution, TextFunction};
use super::function::{Accesses, LibraryFunction, Model};
use super::link::Link;
use super::prototype::Kind::{Buffer, Double, Int, Long, LongLong, Memory, Size, Text};
use super::prototype::{Kind, Prototype};
use super::table::{convention, library, takes};

/// The function that says what calls have set `errno` to, of which it is given the address; 0 where they have not.
pub const ERROR_NUMBER: &str = "__VERIFIER_error_number";

/// A function that `models/text/conversions.c` calls, which has read the text before: its type, its name, and its definition in
/// harnesses, where that file defines `strtol`, too.
macro_rules! primitive {
    ($type:literal, $kind:expr, $name:literal, $signed:literal) => {
        LibraryFunction {
            link: Link::Own(concat!(
                $type,
                " hardbop_l_",
                $name,
                "(const char *text, int end, int base) {
  typedef ",
                $type,
                " number;
  unsigned long long value = 0, limit = ~0ull >> (64 - 8 * sizeof(number));
  const char *t = text;
  int minus, digit, is_over = 0, is_signed = (number)-1 < 1;
  while (*t == ' ' || (*t >= 9 && *t <= 13)) t++;
  minus = *t == '-';
  if (*t == '-' || *t == '+') t++;
  if ((!base || base == 16) && *t == '0' && (t[1] | 32) == 'x' &&
      ((t[2] >= '0' && t[2] <= '9') || ((t[2] | 32) >= 'a' && (t[2] | 32) <= 'f')))
    t += 2, base = 16;
  else if (!base)
    base = *t == '0' ? 8 : 10;
  for (;; t++) {
    digit = *t >= '0' && *t <= '9' ? *t - '0' : (*t | 32) >= 'a' && (*t | 32) <= 'z' ? (*t | 32) - 'a' + 10 : 99;
    if (digit >= base) break;
    is_over |= value > (~0ull - digit) / base;
    value = value * base + digit;
  }
  if (is_signed) limit = (limit >> 1) + minus;
  is_over |= value > limit;
  if (is_over) value = limit;
  if (minus && (is_signed || !is_over)) value = -value;
  return (number)value;
}"
            )),
            ..hosted($name, takes($kind, ENDLESS), Execution::Reads(number($signed, true)))
        }
    };
}

/// The same for `strtod` and the like: the text has a number in its first `length` bytes.
macro_rules! floating {
    ($type:literal, $name:literal) => {
        LibraryFunction {
            link: Link::Own(concat!(
                $type,
                " hardbop_l_",
                $name,
                "(const char *text, __SIZE_TYPE__ length) {\n  typedef ",
                $type,
                " number;\n",
                include_str!("stand_in/floating_number.c")
            )),
            ..hosted(
                $name,
                takes(Double, &[Text, Size]),
                Execution::Reads(TextFunction::FloatingNumber { length: true }),
            )
        }
    };
}

pub(super) static TABLE: &[LibraryFunction] = &[
    error_number(),
    zone_change(),
    hosted("__ctype_b_loc", takes(Memory, &[]), Execution::Characters(CharacterTable::Classes)),
    hosted("__ctype_tolower_loc", takes(Memory, &[]), Execution::Characters(CharacterTable::Lower)),
    hosted("__ctype_toupper_loc", takes(Memory, &[]), Execution::Characters(CharacterTable::Upper)),
    finds("strrchr", &[Text, Int], TextFunction::FindLast),
    finds("strstr", &[Text, Text], TextFunction::FindText),
    finds("strpbrk", &[Text, Text], TextFunction::FindAny),
    finds("memchr", &[Memory, Int, Size], TextFunction::FindByte),
    reads("strspn", takes(Size, &[Text, Text]), TextFunction::Span { inside: true }),
    reads("strcspn", takes(Size, &[Text, Text]), TextFunction::Span { inside: false }),
    reads("strnlen", takes(Size, &[Text, Size]), TextFunction::BoundedLength),
    reads("strcasecmp", takes(Int, &[Text, Text]), TextFunction::CompareLetters { bounded: false }),
    reads(
        "strncasecmp",
        takes(Int, &[Text, Text, Size]),
        TextFunction::CompareLetters { bounded: true },
    ),
    reads("atoi", takes(Int, &[Text]), number(true, false)),
    reads("atol", takes(Long, &[Text]), number(true, false)),
    reads("atoll", takes(LongLong, &[Text]), number(true, false)),
    converts("strtol", Long, true),
    converts("strtoll", LongLong, true),
    converts("strtoul", Size, false),
    converts("strtoull", LongLong, false),
    primitive!("long", Long, "__VERIFIER_long_of", true),
    primitive!("long long", LongLong, "__VERIFIER_long_long_of", true),
    primitive!("unsigned long", Size, "__VERIFIER_unsigned_long_of", false),
    primitive!("unsigned long long", LongLong, "__VERIFIER_unsigned_long_long_of", false),
    reads("atof", takes(Double, &[Text]), TextFunction::FloatingNumber { length: false }),
    floating_length(),
    floating!("double", "__VERIFIER_double_of"),
    floating!("float", "__VERIFIER_float_of"),
    convention("ffs", takes(Int, &[Int]), Convention::Bits(BitFunction::First), Link::Hosted),
    convention("ffsl", takes(Int, &[Long]), Convention::Bits(BitFunction::First), Link::Hosted),
    convention(
        "ffsll",
        takes(Int, &[LongLong]),
        Convention::Bits(BitFunction::First),
        Link::Hosted,
    ),
];

/// The parameters of `strtol` with a number, which is 0, where a pointer to the end would be: `models/text/conversions.c` writes
/// that.
const ENDLESS: &[Kind] = &[Text, Int, Int];

const fn number(signed: bool, based: bool) -> TextFunction {
    TextFunction::Number { signed, based }
}

/// `memchr` does not read beyond the byte that it finds.
const fn accesses(function: TextFunction) -> Accesses {
    match function {
        TextFunction::FindByte => Accesses::Unknown,
        TextFunction::FindLast
        | TextFunction::FindText
        | TextFunction::FindAny
        | TextFunction::Span { .. }
        | TextFunction::BoundedLength
        | TextFunction::CompareLetters { .. }
        | TextFunction::Number { .. }
        | TextFunction::FloatingNumber { .. }
        | TextFunction::FloatingLength => Accesses::Texts,
    }
}

const fn row(
    name: &'static str,
    prototype: Prototype,
    effect: Effect,
    execution: Execution,
    accesses: Accesses,
) -> LibraryFunction {
    let model = Model { effect, execution, accesses, overflow: false };
    LibraryFunction { link: Link::Hosted, ..library(name, prototype, model) }
}

const fn hosted(name: &'static str, prototype: Prototype, execution: Execution) -> LibraryFunction {
    let effect = Effect { writes: Writes::Nothing, returns: Returns::Anything };
    row(name, prototype, effect, execution, Accesses::Nothing)
}

/// What `errno` is, for `models/errno.c`.
const fn error_number() -> LibraryFunction {
    let row = hosted(ERROR_NUMBER, takes(Int, &[Memory]), Execution::ErrorNumber);
    LibraryFunction { link: Link::Values, ..row }
}

/// What a time zone adds to its difference to UTC, for `models/time/calendar.c`: to the analyses anything, since it may have
/// summer time; executions are in zones that have none.
const fn zone_change() -> LibraryFunction {
    let (least, greatest) = (-180_000, 180_000);
    let effect = Effect { writes: Writes::Nothing, returns: Returns::Between { least, greatest } };
    let execution = Execution::Between { least: 0, greatest: 0 };
    let row = row("__VERIFIER_zone_change", takes(Int, &[]), effect, execution, Accesses::Nothing);
    LibraryFunction {
        link: Link::Own("int hardbop_l___VERIFIER_zone_change(void) { return 0; }"),
        ..row
    }
}

/// Where a floating-point number ends, for `strtod` and the like.
const fn floating_length() -> LibraryFunction {
    let name = "__VERIFIER_length_of_floating_number";
    let execution = Execution::Reads(TextFunction::FloatingLength);
    LibraryFunction {
        link: Link::Own(include_str!("stand_in/floating_length.c")),
        ..hosted(name, takes(Size, &[Text]), execution)
    }
}

const fn reads(
    name: &'static str,
    prototype: Prototype,
    function: TextFunction,
) -> LibraryFunction {
    let effect = Effect { writes: Writes::Nothing, returns: Returns::Anything };
    row(name, prototype, effect, Execution::Reads(function), accesses(function))
}

const fn finds(
    name: &'static str,
    parameters: &'static [Kind],
    function: TextFunction,
) -> LibraryFunction {
    let effect = Effect { writes: Writes::Nothing, returns: Returns::Within(0) };
    row(name, takes(Buffer, parameters), effect, Execution::Reads(function), accesses(function))
}

/// `strtol` where a program declares it otherwise than `models/text/conversions.c`: it writes a pointer, too.
const fn converts(name: &'static str, result: Kind, signed: bool) -> LibraryFunction {
    let effect =
        Effect { writes: Writes::Anything { to: &[1], more: false }, returns: Returns::Anything };
    let execution = Execution::Reads(number(signed, true));
    row(name, takes(result, &[Text, Memory, Int]), effect, execution, Accesses::Unknown)
}
