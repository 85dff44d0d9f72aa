//! Text in HTML.

/// The text, for HTML and for quoted attributes in it.  What a reader would not see is shown: control characters by their
/// pictures (`␌`); signs that turn the direction of text, such that a program would read otherwise than it runs, by `U+FFFD`.
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

#[cfg(test)]
mod tests {
    use super::escaped;

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
}
