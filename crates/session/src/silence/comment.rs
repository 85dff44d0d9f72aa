//! One comment: whether it is addressed to hardbop, and what it says.

use hardbop_base::errors::{CHECKS, GROUPS};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span, Suggestions};
use hardbop_report::properties::Kind;

/// What a comment to hardbop begins with.
const ADDRESS: &str = "hardbop:";
/// What it may say.
const IGNORE: &str = "ignore";
/// The form, for hints.
const FORM: &str =
    "write 'hardbop: ignore KIND: REASON', where KIND is the first column of the findings";

/// The comments of a text, in bytes. Texts that no compiler reads, as between `#if 0` and `#endif`, may have quotes that do not end
/// in their line: these count for nothing.
pub(super) fn all(text: &str, has_quotes: bool) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => Some(line_end(bytes, at)),
            (b'/', Some(b'*')) => {
                let inner = &text[at + 2..];
                Some(inner.find("*/").map_or(bytes.len(), |end| at + 2 + end + 2))
            }
            // In a number, quotes separate digits.
            (quote @ (b'"' | b'\''), _) if has_quotes => {
                let is_number = quote == b'\'' && at > 0 && bytes[at - 1].is_ascii_hexdigit();
                at = if is_number { at + 1 } else { behind_quote(bytes, at) };
                continue;
            }
            _ => None,
        };
        found.extend(end.map(|end| (at, end)));
        at = end.unwrap_or(at + 1);
    }
    found
}

/// Whether a line goes on behind its end at this byte.
fn is_spliced(bytes: &[u8], end: usize) -> bool {
    let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
    line.ends_with(b"\\")
}

/// The end of the line that this byte is in.
fn line_end(bytes: &[u8], from: usize) -> usize {
    let is_end = |&at: &usize| bytes[at] == b'\n' && !is_spliced(bytes, at);
    (from..bytes.len()).find(is_end).unwrap_or(bytes.len())
}

/// The byte behind the text in quotes that begins here; where it does not end in its line, the byte behind the first quote.
fn behind_quote(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => break,
            other if other == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    start + 1
}

/// What a comment in these bytes says, if it is addressed to hardbop: the kinds of findings that it silences, and why.
pub(super) fn read(
    text: &str,
    start: usize,
    end: usize,
) -> Option<Result<(Vec<Kind>, String), Diagnostic>> {
    let inner = text.get(start + 2..end)?;
    let inner = if text[start..].starts_with("/*") { inner.strip_suffix("*/")? } else { inner };
    let begin = inner.find(|c: char| !c.is_whitespace() && c != '*' && c != '/' && c != '!')?;
    let said = inner[begin..].strip_prefix(ADDRESS)?;
    // The place of a part of the text.
    let at = |part: &str| {
        let from = part.as_ptr() as usize - text.as_ptr() as usize;
        Span::new(from, from + part.len())
    };
    Some(meant(said, at))
}

fn meant(said: &str, at: impl Fn(&str) -> Span) -> Result<(Vec<Kind>, String), Diagnostic> {
    let trimmed = said.trim();
    let word = trimmed.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("");
    if word != IGNORE {
        let what = format!("a comment to hardbop says '{IGNORE}', not '{word}'");
        return Err(Diagnostic::new(DiagnosticKind::Syntax, at(trimmed), what).with_hint(FORM));
    }
    let rest = &trimmed[IGNORE.len()..];
    let (list, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let mut kinds = vec![];
    for name in list.split(',').map(str::trim) {
        kinds.push(kind(name, || if name.is_empty() { at(trimmed) } else { at(name) })?);
    }
    // A comment may go on in further lines, which begin with a star.
    let words = reason.lines().map(|line| line.trim().trim_start_matches('*'));
    let words: Vec<&str> = words.flat_map(str::split_whitespace).collect();
    let reason = words.join(" ").trim_end_matches(['*', ' ']).to_owned();
    if !reason.contains(char::is_alphanumeric) {
        let what = "this comment gives no reason";
        let hint = format!("write it behind a colon: 'hardbop: ignore {}: REASON'", list.trim());
        return Err(Diagnostic::new(DiagnosticKind::Syntax, at(trimmed), what).with_hint(hint));
    }
    Ok((kinds, reason))
}

/// The kind of findings of this name.
fn kind(name: &str, at: impl Fn() -> Span) -> Result<Kind, Diagnostic> {
    if let Some(kind) = Kind::named(name) {
        return Ok(kind);
    }
    let fail = |what: String, hint: String| {
        Err(Diagnostic::new(DiagnosticKind::Undeclared, at(), what).with_hint(hint))
    };
    if name.is_empty() {
        return fail("this comment names no kind of finding".to_owned(), FORM.to_owned());
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == name) {
        let all: Vec<&str> = (group.checks)().rows().map(|row| row.name).collect();
        let hint = format!("name those that you mean, of {}", all.join(", "));
        return fail(format!("'{name}' stands for several kinds of findings"), hint);
    }
    let names =
        CHECKS.iter().map(|row| row.name).chain([Kind::Assertion.name(), Kind::Label.name()]);
    let near = Suggestions::default().nearest(name, names);
    let hint = near.map_or_else(|| FORM.to_owned(), |near| format!("did you mean '{near}'?"));
    fail(format!("there is no kind '{name}' of findings"), hint)
}

#[cfg(test)]
mod tests {
    use hardbop_base::errors::Check;

    use super::*;

    fn of(comment: &str) -> Result<(Vec<Kind>, String), Diagnostic> {
        let text = format!("é {comment}");
        read(&text, 3, text.len()).expect("it is addressed to hardbop")
    }

    #[test]
    fn comments_are_found_whatever_is_between_them() {
        let of = |text: &str, has_quotes: bool| -> Vec<String> {
            all(text, has_quotes)
                .into_iter()
                .map(|(start, end)| text[start..end].to_owned())
                .collect()
        };
        for (text, comments) in [
            ("a /*é*/ / b // c \\\r\n d\n e", &["/*é*/", "// c \\\r\n d"][..]),
            ("\"//\\\"\" '\"' // b\n", &["// b"]),
            ("#if 0\ndon't\n#endif\n1'000 // c", &["// c"]),
            ("\"a\\\n//\" /**/", &["/**/"]),
            ("/* a", &["/* a"]),
            ("\"", &[]),
            ("\"\\", &[]),
            ("/", &[]),
        ] {
            assert_eq!(of(text, true), comments, "{text}");
        }
        assert_eq!(of("x := 'y; // a\n z := 'y; // b", false), ["// a", "// b"]);
    }

    #[test]
    fn kinds_and_reasons() {
        let [bounds, null] = [Check::Bounds, Check::Null].map(Kind::Operations);
        for (comment, kinds, reason) in [
            ("// hardbop: ignore bounds: n: see above", vec![bounds], "n: see above"),
            ("//hardbop:ignore null , bounds:é", vec![null, bounds], "é"),
            ("/* hardbop: ignore label: a\n * b */", vec![Kind::Label], "a b"),
            ("/** hardbop: ignore assertion: c **/", vec![Kind::Assertion], "c"),
        ] {
            assert_eq!(of(comment), Ok((kinds, reason.to_owned())), "{comment}");
        }
        for comment in ["// Hardbop: x", "// to hardbop: ignore", "//", "/**/", "/*/", "/"] {
            assert_eq!(read(comment, 0, comment.len()), None, "{comment}");
        }
    }

    #[test]
    fn mistakes_have_places_and_hints() {
        for (comment, part, message, hint) in [
            (
                "// hardbop: ignore bounds",
                "ignore bounds",
                "this comment gives no reason",
                "'hardbop: ignore bounds: REASON'",
            ),
            (
                "// hardbop: ignore bounds: .",
                "ignore bounds: .",
                "this comment gives no reason",
                "behind a colon",
            ),
            (
                "// hardbop: ignore bound: x",
                "bound",
                "there is no kind 'bound' of findings",
                "did you mean 'bounds'?",
            ),
            (
                "// hardbop: ignore null, memory: x",
                "memory",
                "'memory' stands for several kinds",
                "of bounds, null",
            ),
            ("// hardbop: ignore: x", "ignore: x", "names no kind", "KIND"),
            ("// hardbop: ignor null: x", "ignor null: x", "says 'ignore', not 'ignor'", "KIND"),
            ("// hardbop:", "", "says 'ignore', not ''", "KIND"),
        ] {
            let mistake = of(comment).expect_err(comment);
            let text = format!("é {comment}");
            assert_eq!(&text[mistake.span.range()], part, "{comment}");
            assert!(mistake.message.contains(message), "{comment}: {}", mistake.message);
            assert!(
                mistake.hint.as_ref().is_some_and(|h| h.contains(hint)),
                "{comment}: {mistake:?}"
            );
        }
    }
}
