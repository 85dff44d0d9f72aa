//! The first pass over a C text: blanks comments and line marks without moving any offset.

use std::borrow::Cow;

use super::acsl::{Annotations, annotations};
use crate::syntax::splice::{behind_splices, is_word, number_end, skip_quoted, splice_length};
use hardbop_base::source::{Diagnostic, DiagnosticKind, LineMap, Span};

/// A text without comments and directives, exactly as long as the original.
#[derive(Debug)]
pub(in crate::parse) struct Clean {
    pub text: String,
    pub lines: LineMap,
    /// Offset and limit of each `#pragma pack`; `None` removes the limit.
    pub packs: Vec<(usize, Option<u64>)>,
    /// The annotations in comments, if they are asked.
    pub annotations: Annotations,
}

/// Whether the text needs a preprocessor: it has a directive other than a line mark or `#pragma`.
pub fn needs_preprocessor(text: &str) -> bool {
    PREDEFINED.iter().any(|word| text.contains(word))
        || (text.contains('#') || text.contains("%:"))
            && blank_comments(text)
                .is_ok_and(|text| directives(&text).any(|d| needs(&unspliced(d.1))))
}

/// Macros that need not be defined in the text.
const PREDEFINED: &[&str] = &[
    "__FILE__",
    "__LINE__",
    "__DATE__",
    "__TIME__",
    "__COUNTER__",
    "__STDC_",
    "__GNUC_",
    "__VERSION__",
    "__OPTIMIZE",
    "__ATOMIC_",
    "__BYTE_ORDER__",
    "__ORDER_",
    "__CHAR_BIT__",
    "__SIZEOF_",
    "_MAX__",
    "_WIDTH__",
    "_TYPE__",
    "_MIN__",
    "_DIG__",
    "_EPSILON__",
    "__x86_64__",
    "__i386__",
    "__LP64__",
    "__linux__",
];

fn needs(directive: &str) -> bool {
    let word = word_of(directive);
    !(word.is_empty()
        || word.bytes().all(|b| b.is_ascii_digit())
        || ["line", "pragma", "ident"].contains(&word))
}

/// A directive in one line.
fn unspliced(directive: &str) -> Cow<'_, str> {
    let bytes = directive.as_bytes();
    if !directive.contains('\\') {
        return Cow::Borrowed(directive);
    }
    let mut out = String::with_capacity(directive.len());
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let length = splice_length(bytes, at);
        if length > 0 {
            out.push_str(&directive[copied..at]);
            copied = at + length;
        }
        at += length.max(1);
    }
    out.push_str(&directive[copied..]);
    Cow::Owned(out)
}

/// A directive without its sign, which is `#` or `%:`.
fn behind_sign(directive: &str) -> &str {
    let line = directive.trim();
    line.strip_prefix("%:").unwrap_or(line).trim_start_matches('#').trim_start()
}

/// The word after `#`.
fn word_of(directive: &str) -> &str {
    let rest = behind_sign(directive);
    rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("")
}

/// The offset and text of each line that begins with `#`, with the lines that continue it.
pub(super) fn directives(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut next = 0;
    std::iter::from_fn(move || {
        while next < bytes.len() {
            let start = next;
            next = (line_end(bytes, start) + 1).min(bytes.len());
            let mut sign = behind_splices(bytes, start);
            while sign < next && matches!(bytes[sign], b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
                sign = behind_splices(bytes, sign + 1);
            }
            let line = &text[start..next];
            let behind = bytes.get(sign..).unwrap_or_default();
            if behind.starts_with(b"#") || behind.starts_with(b"%:") {
                return Some((start, line));
            }
        }
        None
    })
}

/// Blanks comments, line marks and pragmas.
pub(in crate::parse) fn clean(text: &str) -> Result<Clean, Vec<Diagnostic>> {
    let comments = comments(text).map_err(|diagnostic| vec![diagnostic])?;
    blanked(without(text, &comments))
}

/// As [`clean`], but the predicates of assertions in ACSL stay in the text.
pub(in crate::parse) fn clean_annotated(text: &str) -> Result<Clean, Vec<Diagnostic>> {
    let comments = comments(text).map_err(|diagnostic| vec![diagnostic])?;
    let annotations = annotations(text, &comments)?;
    let mut blanks = Vec::new();
    let mut kept = annotations.kept().into_iter().peekable();
    for (mut start, end) in comments {
        while let Some((from, to)) = kept.next_if(|part| part.0 < end) {
            blanks.push((start, from));
            start = to;
        }
        blanks.push((start, end));
    }
    Ok(Clean { annotations, ..blanked(without(text, &blanks))? })
}

/// Blanks line marks and pragmas in a text without comments.
fn blanked(text: String) -> Result<Clean, Vec<Diagnostic>> {
    let mut out = Clean {
        text: String::new(),
        lines: LineMap::default(),
        packs: Vec::new(),
        annotations: Annotations::default(),
    };
    let mut wrong = Vec::new();
    let mut blanked: Vec<(usize, usize)> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    let mut limits = Vec::new();
    for (start, all) in directives(&text) {
        let directive = &*unspliced(all);
        line += text.as_bytes()[counted..start].iter().filter(|&&b| b == b'\n').count();
        counted = start;
        blanked.push((start, start + all.len()));
        let word = word_of(directive);
        if needs(directive) {
            let place = start + all.len() - all.trim_start().len();
            let end = start + all.trim_end().len();
            wrong.push(
                Diagnostic::new(
                    DiagnosticKind::Unsupported,
                    Span::new(place, end),
                    format!("the directive '#{word}' needs a preprocessor"),
                )
                .with_label("this text has not been preprocessed")
                .with_hint("run 'cc -E -P FILE.c' and check its output"),
            );
            if wrong.len() >= 20 {
                break;
            }
        } else if let Some(name) = renaming(directive) {
            let place = start + all.len() - all.trim_start().len();
            let span = Span::new(place, start + all.trim_end().len());
            let message = format!("'#pragma {name}' is not supported");
            let hint = "write an attribute at the declaration instead";
            let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
            wrong.push(diagnostic.with_label("not supported").with_hint(hint));
        } else if word == "pragma" {
            if let Some(limit) = pack(directive, &mut limits) {
                out.packs.push((start, limit));
            }
        } else if let Some((number, file)) = mark(directive) {
            let lines = all.bytes().filter(|&b| b == b'\n').count().max(1);
            out.lines.mark(line + lines, file.as_deref(), number);
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    if blanked.is_empty() {
        out.text = text;
        return Ok(out);
    }
    let mut bytes = text.into_bytes();
    for (start, end) in blanked {
        blank(&mut bytes[start..end]);
    }
    out.text = into_text(bytes);
    Ok(out)
}

/// The largest line number in a line mark (C11, 6.10.4); larger numbers are replaced by it.
const MAX_LINE: usize = 2_147_483_647;

/// The line number and file of `# 12 "file" 1` or `#line 12 "file"`.
pub(super) fn mark(directive: &str) -> Option<(usize, Option<String>)> {
    let rest = behind_sign(directive);
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse::<usize>().ok()?.min(MAX_LINE);
    let quoted = rest[digits..].trim_start().strip_prefix('"');
    let file = quoted.and_then(|q| q.rfind('"').map(|end| unescaped(&q[..end])));
    Some((number, file))
}

/// The unescaped name of a file: backslashes precede backslashes and quotes.
fn unescaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

/// The name of a pragma that changes what names mean.
fn renaming(directive: &str) -> Option<&str> {
    let name = directive.split_once("pragma")?.1.split_whitespace().next()?;
    ["weak", "redefine_extname"].contains(&name).then_some(name)
}

/// The limit in force after a `#pragma pack(..)`.
fn pack(directive: &str, stack: &mut Vec<Option<u64>>) -> Option<Option<u64>> {
    let rest = directive.split_once("pragma")?.1.trim().strip_prefix("pack")?;
    let inside = rest.trim().strip_prefix('(')?.split(')').next()?;
    let current = stack.pop().flatten();
    let mut limit = if inside.trim().is_empty() { None } else { current };
    let mut pop = false;
    for word in inside.split(',').map(str::trim) {
        match word {
            "push" => stack.push(current),
            "pop" => pop = true,
            // The default again.
            "0" => limit = None,
            // gcc ignores others.
            "1" | "2" | "4" | "8" | "16" => limit = word.parse().ok(),
            _ => {}
        }
    }
    if pop {
        return Some(*stack.last().unwrap_or(&None));
    }
    stack.push(limit);
    Some(limit)
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// Only whole comments and lines were blanked, so the text is still UTF-8.
fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Blanks comments. Non-ASCII characters outside strings stay, so that the parser reports them.
pub(super) fn blank_comments(text: &str) -> Result<String, Diagnostic> {
    let comments = comments(text)?;
    Ok(without(text, &comments))
}

/// The text with blanks in place of these parts.
pub(super) fn without(text: &str, parts: &[(usize, usize)]) -> String {
    if parts.is_empty() {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    for &(start, end) in parts {
        blank(&mut bytes[start..end]);
    }
    into_text(bytes)
}

/// Where the comments of a text are, in bytes; none if it has a quote that does not end.
pub fn comments_of(text: &str) -> Vec<(usize, usize)> {
    comments(text).unwrap_or_default()
}

/// Where the comments are.
pub(super) fn comments(text: &str) -> Result<Vec<(usize, usize)>, Diagnostic> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let here = bytes[at];
        match here {
            b'"' | b'\'' => {
                let end = skip_quoted(bytes, at);
                if &bytes[at..end] == b"''" {
                    return Err(empty_character(at));
                }
                if end - at < 2 || bytes[end - 1] != here {
                    let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
                    if !text[line..at].trim_start().starts_with('#') {
                        return Err(unclosed(here, at, end));
                    }
                }
                at = end;
            }
            b'/' => {
                let second = behind_splices(bytes, at + 1);
                let end = match bytes.get(second) {
                    Some(b'/') => line_end(bytes, second),
                    Some(b'*') => comment_end(bytes, second + 1)
                        .ok_or_else(|| unclosed_comment(at, second + 1))?,
                    _ => {
                        at += 1;
                        continue;
                    }
                };
                out.push((at, end));
                at = end;
            }
            // In a number, quotes separate digits.
            b'0'..=b'9' if at == 0 || !is_word(bytes[at - 1]) => at = number_end(bytes, at),
            _ => at += 1,
        }
    }
    Ok(out)
}

/// The end of the line, and of those that continue it.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < bytes.len() && bytes[at] != b'\n' {
        at += splice_length(bytes, at).max(1);
    }
    at
}

/// The end of the comment that `*/` closes, from `at` on.
fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        at += bytes.get(at..)?.iter().position(|&b| b == b'*')? + 1;
        let second = behind_splices(bytes, at);
        if bytes.get(second) == Some(&b'/') {
            return Some(second + 1);
        }
    }
}

fn unclosed_comment(start: usize, end: usize) -> Diagnostic {
    let span = Span::new(start, end);
    Diagnostic::new(DiagnosticKind::Syntax, span, "comment without an end")
        .with_label("begins here")
        .with_hint("close it with '*/'")
}

fn empty_character(at: usize) -> Diagnostic {
    let span = Span::new(at, at + 2);
    Diagnostic::new(DiagnosticKind::Syntax, span, "a character constant without a character")
        .with_label("nothing within the quotes")
        .with_hint("'\\0' is the character 0")
}

fn unclosed(quote: u8, start: usize, end: usize) -> Diagnostic {
    let what = if quote == b'"' { "string" } else { "character" };
    let message = format!("{what} without an end");
    let hint = format!("close it with {} in the same line", char::from(quote));
    Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, end), message)
        .with_label("begins here")
        .with_hint(hint)
}

#[cfg(test)]
mod tests {
    use super::{clean, needs_preprocessor};

    #[test]
    fn comments_become_blanks() {
        for (text, expected) in [
            ("a/*b\nc*/d", "a   \n   d"),
            ("a//b\nc", "a   \nc"),
            ("\"/*\" '\"' // '\n", "\"/*\" '\"'     \n"),
            ("a//b\\\nc\nd", "a    \n \nd"),
            ("'\\'' /**/ x", "'\\''      x"),
            ("a// b\\ \t\nc\nd", "a       \n \nd"),
            ("/\\\n* b *\\\n/c", "  \n      \n c"),
            ("/\\\n/ b\nc", "  \n   \nc"),
            ("\"\\\\\n\"\" /**/", "\"\\\\\n\"\"     "),
            ("/*\u{e9}*/x", "      x"),
        ] {
            assert_eq!(clean(text).unwrap().text, expected, "{text}");
        }
        assert!(clean("a /* b").is_err());
    }

    #[test]
    fn directives_need_a_preprocessor_but_for_marks() {
        for (text, needed) in [
            ("# 1 \"a.c\"\nint x;", false),
            ("#line 3\n", false),
            ("#pragma pack(1)\n", false),
            ("// #include <a>\n", false),
            ("int a;\n  # include <a>\n", true),
            ("#define X 1", true),
            ("%:define X 1", true),
            ("\\\n#define X 1", true),
            ("#pragma \\ \n define\n", false),
            ("char *s = \"a\\\n#define X 1\";", false),
        ] {
            assert_eq!(needs_preprocessor(text), needed, "{text}");
            assert_eq!(clean(text).is_err(), needed, "{text}");
        }
        assert!(needs_preprocessor("__SIZE_TYPE__ n;"));
    }
}
