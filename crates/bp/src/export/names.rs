//! Names of a program in languages that allow less in them.

use std::fmt::Write;

/// A name in which every byte that is not `plain` is `mark` and two hexadecimal digits.  Two names
/// are never escaped alike, if `mark` is not plain.
pub(super) fn escaped(name: &str, mark: char, plain: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if plain(byte) {
            out.push(char::from(byte));
        } else {
            write!(out, "{mark}{byte:02x}").expect("writing to a string cannot fail");
        }
    }
    out
}

/// Whether every language allows this byte inside of a name: ASCII letters, digits, `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
