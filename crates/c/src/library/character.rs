//! The classes of characters in the C locale.

/// Ranges of characters, both ends included.
pub type Ranges = &'static [(u8, u8)];

const DIGIT: (u8, u8) = (b'0', b'9');
const UPPER: (u8, u8) = (b'A', b'Z');
const LOWER: (u8, u8) = (b'a', b'z');

/// The functions of `ctype.h` with the characters for which they are not 0, and the bits that
/// they have in glibc's table.
static CLASSES: &[(&str, Ranges, u16)] = &[
    ("isupper", &[UPPER], 0x0100),
    ("islower", &[LOWER], 0x0200),
    ("isalpha", &[UPPER, LOWER], 0x0400),
    ("isdigit", &[DIGIT], 0x0800),
    ("isxdigit", &[DIGIT, (b'A', b'F'), (b'a', b'f')], 0x1000),
    ("isspace", &[(9, 13), (b' ', b' ')], 0x2000),
    ("isprint", &[(32, 126)], 0x4000),
    ("isgraph", &[(33, 126)], 0x8000),
    ("isblank", &[(9, 9), (b' ', b' ')], 0x0001),
    ("iscntrl", &[(0, 31), (127, 127)], 0x0002),
    ("ispunct", &[(33, 47), (58, 64), (91, 96), (123, 126)], 0x0004),
    ("isalnum", &[DIGIT, UPPER, LOWER], 0x0008),
];

/// The characters for which the function of this name is not 0. Which other number it returns is
/// not known.
#[must_use]
pub fn class(name: &str) -> Option<Ranges> {
    CLASSES.iter().find(|(class, ..)| *class == name).map(|&(_, ranges, _)| ranges)
}

/// The entry of glibc's table for a character.
#[must_use]
pub fn class_bits(character: u8) -> u16 {
    let within = |ranges: Ranges| ranges.iter().any(|r| (r.0..=r.1).contains(&character));
    CLASSES.iter().filter(|(_, ranges, _)| within(ranges)).map(|&(.., bits)| bits).sum()
}
