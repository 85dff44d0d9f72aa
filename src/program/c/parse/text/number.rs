//! Mistakes in numbers and escapes, which lang-c tells of in the words of its grammar.

use super::patch::Patcher;
use crate::base::source::{Diagnostic, DiagnosticKind, Span};

/// What is wrong with a number, and what to write instead.
type Mistake = (String, String);

impl Patcher<'_> {
    /// Reports the number at token `i` if it is malformed.
    pub fn number(&mut self, i: usize) {
        let token = self.tokens[i];
        let end = token.end;
        let fraction = i > 0 && self.is(i - 1, b'.') && self.tokens[i - 1].end == token.start;
        let start = if fraction { token.start - 1 } else { token.start };
        let text = &self.text[start..end];
        let whole = if fraction { format!("0{text}") } else { text.to_owned() };
        if let Some((what, hint)) = mistake(&whole) {
            let span = Span::new(start, end);
            let message = format!("'{text}' is not a number: {what}");
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
            self.mistakes.push(diagnostic.with_label("not a number").with_hint(hint));
        }
    }

    /// Replaces a universal character name by the character itself, `at` bytes into the literal at token `i`.
    pub fn universal(&mut self, i: usize, at: usize) -> bool {
        let start = self.tokens[i].start + at;
        let rest = &self.text[start..self.tokens[i].end];
        let digits = if rest.as_bytes()[1] == b'u' { 4 } else { 8 };
        let value = rest.get(2..2 + digits).and_then(|d| u32::from_str_radix(d, 16).ok());
        // Others are no names of characters.
        let character = value.filter(|&v| v >= 0xa0).and_then(char::from_u32);
        if let Some(character) = character {
            self.replace_bytes(start, start + 2 + digits, character.to_string());
        }
        character.is_some()
    }

    /// Reports an escape of `\x`, `\u` or `\U` without enough digits, `at` bytes into the literal at token `i`.
    pub fn escape_digits(&mut self, i: usize, at: usize) {
        let start = self.tokens[i].start + at;
        let rest = &self.text[start..self.tokens[i].end];
        let letter = rest[1..].chars().next().unwrap_or(' ');
        let needed = match letter {
            'x' => 1,
            'u' => 4,
            'U' => 8,
            _ => return,
        };
        let digits = rest[2..].chars().take_while(char::is_ascii_hexdigit).count();
        if digits < needed {
            let digit = if needed == 1 { "digit" } else { "digits" };
            let span = Span::new(start, start + 2 + digits);
            let message = format!("'\\{letter}' needs {needed} hexadecimal {digit}");
            let hint = format!("write two backslashes for the text '\\{letter}'");
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
            self.mistakes.push(diagnostic.with_label("not an escape").with_hint(hint));
        }
    }
}

fn mistake(text: &str) -> Option<Mistake> {
    let lower = text.to_ascii_lowercase();
    let said = |what: &str, hint: &str| Some((what.to_owned(), hint.to_owned()));
    if let Some(rest) = lower.strip_prefix("0x") {
        let (whole, rest) = split(rest, |c| c.is_ascii_hexdigit());
        let fraction = rest.strip_prefix('.').map(|rest| split(rest, |c| c.is_ascii_hexdigit()));
        let (fractional, rest) = fraction.map_or((None, rest), |(f, rest)| (Some(f), rest));
        if whole.is_empty() && fractional.is_none_or(str::is_empty) {
            return said("it has no digits behind '0x'", "write digits from 0 to 9 or a to f");
        }
        return match rest.strip_prefix('p') {
            Some(rest) => exponent(rest),
            None if fractional.is_some() => {
                said("a hexadecimal fraction needs an exponent", "write 'p0' behind it")
            }
            None => suffix(rest, false),
        };
    }
    if let Some(rest) = lower.strip_prefix("0b") {
        let (digits, rest) = split(rest, |c| c.is_ascii_digit());
        if let Some(digit) = digits.chars().find(|c| !"01".contains(*c)) {
            let what = format!("'{digit}' is no binary digit");
            return said(&what, "binary digits are 0 and 1");
        }
        if digits.is_empty() {
            return said("it has no digits behind '0b'", "write digits that are 0 or 1");
        }
        return suffix(rest, false);
    }
    let (whole, rest) = split(&lower, |c| c.is_ascii_digit());
    let fraction = rest.strip_prefix('.').map(|rest| split(rest, |c| c.is_ascii_digit()).1);
    let behind = fraction.unwrap_or(rest);
    if let Some(rest) = behind.strip_prefix('e') {
        return exponent(rest);
    }
    if fraction.is_some() {
        return suffix(behind, true);
    }
    if whole.starts_with('0')
        && let Some(digit) = whole.chars().find(|c| "89".contains(*c))
        && suffix(behind, false).is_none()
    {
        let what = format!("it begins with 0, so it is octal, and '{digit}' is no octal digit");
        let plain = whole.trim_start_matches('0');
        return said(&what, &format!("write '{plain}' for the decimal number"));
    }
    suffix(behind, false)
}

/// The longest start of such characters, and the rest.
fn split(text: &str, of: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !of(c)).unwrap_or(text.len()))
}

/// What is behind the letter of an exponent.
fn exponent(text: &str) -> Option<Mistake> {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, rest) = split(text, |c| c.is_ascii_digit());
    if digits.is_empty() {
        let what = "its exponent has no digits".to_owned();
        return Some((what, "write digits behind the letter, as in '1e3'".to_owned()));
    }
    suffix(rest, true)
}

/// What is behind the digits, in small letters.
fn suffix(text: &str, float: bool) -> Option<Mistake> {
    if text.contains('.') {
        let what = "it has more than one '.'".to_owned();
        return Some((what, "a number has one '.' at most".to_owned()));
    }
    // An imaginary number is refused by name later.
    let plain = text.replacen(['i', 'j'], "", 1);
    let known = if float {
        let sized = plain.strip_prefix('f').unwrap_or("");
        matches!(plain.as_str(), "" | "f" | "l" | "q" | "w" | "df" | "dd" | "dl")
            || matches!(sized, "16" | "32" | "64" | "128" | "32x" | "64x")
    } else {
        matches!(plain.as_str(), "" | "u" | "l" | "ll" | "ul" | "lu" | "ull" | "llu")
    };
    if known {
        return None;
    }
    let hint = match float {
        true => "a number of floating type may end with 'f' or 'l'",
        false => "a number may end with 'u', 'l', 'ul', 'll' or 'ull'",
    };
    Some((format!("'{text}' cannot stand behind the digits"), hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn numbers() {
        for text in [
            "0",
            "10",
            "0x1F",
            "0b101",
            "017",
            "1u",
            "1UL",
            "1llu",
            "1.",
            "1.5e3",
            "1e-3f",
            "089.5",
            "08e1",
            "0x1p3",
            "0x.8p-1L",
            "0x1.8p+3f",
            "1i",
            "1.0fi",
            "2.5F128",
            "0xfULL",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
        for text in [
            "1e", "1e+", "0x", "0b", "0b12", "08", "12abc", "1.2.3", "0x1.8", "1uu", "1.5u", "0xg",
            "1e3x", "0x.p1", "0xe+1",
        ] {
            assert!(mistake(text).is_some(), "{text}");
        }
    }
}
