//! Characters as compilers see them before there are tokens: lines that are continued, and where literals and numbers end.

/// The length of a backslash that continues a line, up to and with the end of the line; 0 if there is none at `at`.  As in
/// gcc, blanks may stand between them.
pub(crate) fn splice_length(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'\\') {
        return 0;
    }
    let is_blank = |b: &&u8| matches!(**b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    let blanks = bytes[at + 1..].iter().take_while(is_blank).count();
    if bytes.get(at + 1 + blanks) == Some(&b'\n') { blanks + 2 } else { 0 }
}

/// The first place from `at` on where no line is continued.
pub(crate) fn behind_splices(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        match splice_length(bytes, at) {
            0 => return at,
            length => at += length,
        }
    }
}

/// The end of the string or character that begins at `at`; if unterminated, the end of its line.
pub(crate) fn skip_quoted(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut at = at + 1;
    loop {
        at = behind_splices(bytes, at);
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'\\') => {
                let escaped = behind_splices(bytes, at + 1);
                at = (escaped + 1).min(bytes.len());
            }
            Some(b'\n') => return at,
            Some(&byte) if byte == quote => return at + 1,
            Some(_) => at += 1,
        }
    }
}

/// Whether a byte may be part of a name.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The end of the preprocessing number that has begun before `at` (C23, 6.4.8): signs belong to it behind the letter of an
/// exponent, and `'` may separate its digits.
pub(crate) fn number_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        let is_sign = matches!(byte, b'+' | b'-') && at > 0 && b"eEpP".contains(&bytes[at - 1]);
        let separates = byte == b'\'' && bytes.get(at + 1).is_some_and(|&next| is_word(next));
        if !(is_word(byte) || byte == b'.' || is_sign || separates) {
            break;
        }
        at += 1;
    }
    at
}
