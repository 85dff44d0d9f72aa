//! Numbers: what their digits and letters say, and what is wrong with those that are none.

use super::tree::{Constant, Float, FloatFormat, Integer, IntegerBase, IntegerSize, IntegerSuffix};

/// The mistake in a number, and what to write instead.
type Mistake = (String, String);

/// The constant that a well-formed number is.
pub(super) fn constant(text: &str) -> Constant {
    let plain: String = text.chars().filter(|&c| c != '\'').collect();
    let lower = plain.to_ascii_lowercase();
    let is_hexadecimal = lower.starts_with("0x");
    let is_float = match is_hexadecimal {
        true => lower.contains(['p', '.']),
        false => !lower.starts_with("0b") && lower.contains(['e', '.']),
    };
    if is_float {
        Constant::Float(float(&lower, is_hexadecimal))
    } else {
        Constant::Integer(integer(&lower))
    }
}

fn integer(text: &str) -> Integer {
    let (base, digits) = if let Some(rest) = text.strip_prefix("0x") {
        (IntegerBase::Hexadecimal, rest)
    } else if let Some(rest) = text.strip_prefix("0b") {
        (IntegerBase::Binary, rest)
    } else if text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit() {
        (IntegerBase::Octal, &text[1..])
    } else {
        (IntegerBase::Decimal, text)
    };
    let is_digit = |c: char| match base {
        IntegerBase::Hexadecimal => c.is_ascii_hexdigit(),
        _ => c.is_ascii_digit(),
    };
    let (number, letters) = split(digits, is_digit);
    let size = match letters.matches('l').count() {
        0 if letters.contains('w') => IntegerSize::BitInt,
        0 => IntegerSize::Int,
        1 => IntegerSize::Long,
        _ => IntegerSize::LongLong,
    };
    let suffix = IntegerSuffix {
        size,
        unsigned: letters.contains('u'),
        imaginary: letters.contains(['i', 'j']),
    };
    Integer { base, number: number.into(), suffix }
}

fn float(text: &str, is_hexadecimal: bool) -> Float {
    let text = if is_hexadecimal { &text[2..] } else { text };
    let digit = |c: char| if is_hexadecimal { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let exponent = if is_hexadecimal { 'p' } else { 'e' };
    let mut end = text.find(|c| !digit(c) && c != '.').unwrap_or(text.len());
    if let Some(rest) = text[end..].strip_prefix(exponent) {
        let sign = rest.len() - rest.trim_start_matches(['+', '-']).len();
        end += 1 + sign + split(&rest[sign..], |c| c.is_ascii_digit()).0.len();
    }
    let (number, letters) = text.split_at(end);
    let imaginary = letters.contains(['i', 'j']);
    let format = match letters.replace(['i', 'j'], "").as_str() {
        // GNU C writes `d` behind a `double`, too.
        "" | "d" => FloatFormat::Double,
        "f" => FloatFormat::Float,
        "l" => FloatFormat::LongDouble,
        _ => FloatFormat::Other,
    };
    Float { is_hexadecimal, number: number.into(), format, imaginary }
}

/// A mistake in a number.
pub(super) fn mistake(text: &str) -> Option<Mistake> {
    let plain: String;
    let mut text = text;
    if text.contains('\'') {
        plain = text.chars().filter(|&c| c != '\'').collect();
        text = &plain;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0') {
        return None;
    }
    if text.starts_with('.') { mistake_of(&format!("0{text}")) } else { mistake_of(text) }
}

fn mistake_of(text: &str) -> Option<Mistake> {
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

/// The part behind the letter of an exponent.
fn exponent(text: &str) -> Option<Mistake> {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, rest) = split(text, |c| c.is_ascii_digit());
    if digits.is_empty() {
        let what = "its exponent has no digits".to_owned();
        return Some((what, "write digits behind the letter, as in '1e3'".to_owned()));
    }
    suffix(rest, true)
}

/// The letters behind the digits, as small ones.
fn suffix(text: &str, float: bool) -> Option<Mistake> {
    if text.contains('.') {
        let what = "it has more than one '.'".to_owned();
        return Some((what, "a number has one '.' at most".to_owned()));
    }
    // Of an imaginary number.
    let plain = text.replacen(['i', 'j'], "", 1);
    let known = if float {
        let sized = plain.strip_prefix('f').unwrap_or("");
        matches!(plain.as_str(), "" | "d" | "f" | "l" | "q" | "w" | "df" | "dd" | "dl")
            || matches!(sized, "16" | "32" | "64" | "128" | "32x" | "64x")
    } else {
        matches!(plain.as_str(), "" | "u" | "l" | "ll" | "ul" | "lu" | "ull" | "llu")
            || matches!(plain.as_str(), "wb" | "uwb" | "wbu")
    };
    if known {
        return None;
    }
    let hint = match (float, text) {
        (true, _) => "a number of floating type may end with 'f' or 'l'",
        (false, "f") => "write '.0f': only a number of floating type may end with 'f'",
        (false, _) => "a number may end with 'u', 'l', 'ul', 'll' or 'ull'",
    };
    Some((format!("'{text}' cannot stand behind the digits"), hint.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::tree::Constant;
    use super::{constant, mistake};

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
            "1'000'000",
            "0x1'f",
            "0xbwb",
            "5uwb",
        ] {
            assert_eq!(mistake(text), None, "{text}");
        }
        for text in [
            "1e", "1e+", "0x", "0b", "0b12", "08", "12abc", "1.2.3", "0x1.8", "1uu", "1.5u", "0xg",
            "1e3x", "0x.p1", "0xe+1", "8f",
        ] {
            assert!(mistake(text).is_some(), "{text}");
        }
    }

    #[test]
    fn digits_and_letters() {
        for (text, read) in [
            ("0", "Decimal 0 Int"),
            ("017", "Octal 17 Int"),
            ("0x1FuLL", "Hexadecimal 1f LongLong unsigned"),
            ("0b1'01l", "Binary 101 Long"),
            ("0xbWBu", "Hexadecimal b BitInt unsigned"),
            ("1'000i", "Decimal 1000 Int imaginary"),
            ("1.5e-3f", "1.5e-3 Float"),
            (".5", ".5 Double"),
            ("0x1.8p+3L", "x1.8p+3 LongDouble"),
            ("2.5F128", "2.5 Other"),
            ("089.5", "089.5 Double"),
        ] {
            let found = match constant(text) {
                Constant::Integer(i) => {
                    let unsigned = if i.suffix.unsigned { " unsigned" } else { "" };
                    let imaginary = if i.suffix.imaginary { " imaginary" } else { "" };
                    format!("{:?} {} {:?}{unsigned}{imaginary}", i.base, i.number, i.suffix.size)
                }
                Constant::Float(f) => {
                    let x = if f.is_hexadecimal { "x" } else { "" };
                    format!("{x}{} {:?}", f.number, f.format)
                }
                Constant::Character(_) => String::new(),
            };
            assert_eq!(found, read, "{text}");
        }
    }
}
