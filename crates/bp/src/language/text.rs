//! Reads the bytes of a file as text.

use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Decodes a file as UTF-8.  Other bytes, such as Latin-1 letters in comments, become the
/// replacement character `U+FFFD`.  A leading byte order mark is dropped.
///
/// All spans refer to the text returned here.
///
/// # Errors
///
/// Refuses bytes that are not text: with NUL bytes (binary files, UTF-16), or mostly not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let refuse = |label: &str, hint: &str| {
        Err(Diagnostic::new(DiagnosticKind::Syntax, Span::default(), "this is not a text file")
            .with_label(label)
            .with_hint(hint))
    };
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return refuse("it seems to be encoded in UTF-16", "convert it to UTF-8");
    }
    if let Some(position) = bytes.iter().position(|&b| b == 0) {
        return refuse(&format!("byte {position} is NUL"), "programs are ASCII or UTF-8 text");
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let bytes = error.into_bytes();
            let text = String::from_utf8_lossy(&bytes);
            let replaced = text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
            if replaced > 64 && replaced > text.len() / 12 {
                return refuse(
                    &format!("{replaced} places are not UTF-8"),
                    "programs are ASCII or UTF-8 text",
                );
            }
            text.into_owned()
        }
    };
    if text.starts_with('\u{FEFF}') {
        text.drain(..'\u{FEFF}'.len_utf8());
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn text_stays() {
        assert_eq!(decode(b"decl x; // \xC3\xA9".to_vec()).unwrap(), "decl x; // \u{e9}");
        assert_eq!(decode(Vec::new()).unwrap(), "");
        assert_eq!(decode(b"\xEF\xBB\xBFdecl x;".to_vec()).unwrap(), "decl x;");
    }

    #[test]
    fn latin_1_is_replaced() {
        assert_eq!(decode(b"// \xE9t\xE9\n".to_vec()).unwrap(), "// \u{FFFD}t\u{FFFD}\n");
    }

    #[test]
    fn binary_files_are_refused() {
        let label = |bytes: &[u8]| decode(bytes.to_vec()).unwrap_err().label;
        assert_eq!(label(b"\x7FELF\x02\x01\x01\0\0"), "byte 7 is NUL");
        assert_eq!(label(b"\xFF\xFEd\0"), "it seems to be encoded in UTF-16");
        let noise: Vec<u8> = (1..=255).cycle().take(4000).collect();
        assert!(label(&noise).ends_with("are not UTF-8"), "{}", label(&noise));
    }
}
