//! Text in HTML.

use sha2::{Digest, Sha256};

/// The text, for HTML and for quoted attributes in it.  What a reader would not see is shown:
/// control characters by their pictures (`␌`); signs that turn the direction of text, such that a
/// program would read otherwise than it runs, by `U+FFFD`.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('\u{2421}'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            // No characters, but parts of the encoding.
            c if u32::from(c) & 0xfffe == 0xfffe => out.push('\u{fffd}'),
            '\u{fdd0}'..='\u{fdef}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A policy for a page with this style and this script: by their hashes, so that nothing that a
/// program contains can ever be run.
#[must_use]
pub fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(style)),
        base64(&Sha256::digest(script)),
    )
}

/// JSON within an element of a page.
#[must_use]
pub fn embedded(json: &str) -> String {
    // In JSON this sign occurs in strings only; without it, no text ends the element.
    json.replace('<', "\\u003c")
}

/// Base 64 (RFC 4648), as policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let byte = |i: usize| u32::from(part.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if digit > part.len() {
                out.push('=');
            } else {
                out.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_text_or_hides_in_it() {
        assert_eq!(
            escaped("a\t<b> & \"c\" 'd'\n"),
            "a\t&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\n"
        );
        assert_eq!(
            escaped("\0\x0c\x7f\u{85}\u{202e}\u{ffff}\u{e9}"),
            "␀␌␡\u{fffd}\u{fffd}\u{fffd}\u{e9}"
        );
    }

    #[test]
    fn base_64_of_the_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, wanted) in cases {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }
}
