//! Annotations on their way through a preprocessor, which expands macros elsewhere only.

use super::annotation::{Reader, is_contract, kind_of};
use super::lexer::{content, tokens};
use crate::parse::text::clean::{comments, directives, mark, without};
use crate::syntax::splice::skip_quoted;
use hardbop_base::source::Diagnostic;

const OPEN: &str = "__hardbop_annotation_begins";
const CLOSE: &str = "__hardbop_annotation_ends";

/// Writes annotations as words in which a preprocessor expands macros, on the same lines, and drops other comments;
/// [`conceal`] makes comments of them again.
///
/// # Errors
/// A comment or literal does not end, or an annotation cannot pass a preprocessor.
pub fn expose(text: &str) -> Result<String, Diagnostic> {
    let comments = comments(text)?;
    let plain = without(text, &comments);
    let directives = directive_lines(&plain);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for comment in comments {
        let Some(inside) = content(text, comment) else { continue };
        let tokens = tokens(text, inside);
        let reader = Reader { text, tokens: &tokens };
        let kind = kind_of(text, &tokens);
        let checked = kind == Some("assert");
        if directives.iter().any(|line| (line.0..line.1).contains(&comment.0)) {
            // It is dropped, wherever the macro is used.
            if checked {
                return Err(reader.refusal(0, "an assertion in a directive"));
            }
            continue;
        }
        out.push_str(&plain[copied..comment.0]);
        copied = comment.1;
        if out.ends_with(|c: char| !c.is_whitespace() && !";{}:)".contains(c)) {
            out.push(' ');
        }
        out.push_str(OPEN);
        let mut at = inside.0;
        let has_clauses = kind.is_some_and(|kind| kind == "loop" || is_contract(kind));
        if checked || has_clauses && reader.kinds().is_ok() && reader.passes().is_ok() {
            reader.passes()?;
            for token in &tokens {
                let gap = &text[at..token.start];
                let blank = gap.bytes().all(|b| b.is_ascii_whitespace());
                let lines = "\n".repeat(gap.matches('\n').count());
                out.push_str(if blank { gap } else { &lines });
                // The first token does not join the word before it.
                if !blank || gap.is_empty() && at == inside.0 {
                    out.push(' ');
                }
                out.push_str(&text[token.start..token.end]);
                at = token.end;
            }
        } else {
            let kinds = reader.kinds()?;
            kinds
                .iter()
                .for_each(|(kind, _)| out.push_str(&format!(" {};", kind.trim_matches('\''))));
        }
        out.push_str(&format!(" {CLOSE} "));
        out.push_str(&"\n".repeat(text[at..comment.1].matches('\n').count()));
    }
    out.push_str(&plain[copied..]);
    Ok(out)
}

/// The lines of directives, with those that continue them.
fn directive_lines(text: &str) -> Vec<(usize, usize)> {
    directives(text).map(|(start, line)| (start, start + line.len())).collect()
}

/// Whether a preprocessor wrote the same code when it kept the comments: they may get into texts that macros make.
#[must_use]
pub fn is_same_code(annotated: &str, plain: &str) -> bool {
    let code = |text: &str| -> Option<String> {
        let text = comments(text).ok().map(|all| without(text, &all))?;
        // Line marks differ.
        let lines = text.lines().map(str::trim_start);
        let lines = lines.filter(|l| !l.starts_with('#') || l.starts_with("#pragma"));
        Some(lines.flat_map(str::split_whitespace).collect())
    };
    code(annotated).is_some_and(|a| code(plain).is_some_and(|b| a == b))
}

/// Makes comments of annotations in what a preprocessor wrote.
///
/// # Errors
/// The preprocessor did something else with an annotation than to pass it on.
pub fn conceal(text: &str) -> Result<String, &'static str> {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut copied, mut open) = (0, 0, false);
    let mut line = marked(text).map_or(1, |first| first.0.saturating_sub(1));
    while at < bytes.len() {
        let rest = &bytes[at..];
        let sign = [(OPEN, "/*@"), (CLOSE, "*/")];
        let sign = sign.into_iter().find(|(word, _)| rest.starts_with(word.as_bytes()));
        if let Some((word, comment)) = sign {
            if open != (word == CLOSE) {
                return Err("an annotation is in an argument of a macro that takes it apart");
            }
            open = !open;
            out.push_str(&text[copied..at]);
            out.push_str(comment);
            at += word.len();
            copied = at;
        } else if !open && (rest.starts_with(b"/*") || rest.starts_with(b"//")) {
            // A comment of a header.
            // The newline behind `//` is no part of it.
            let (end, length) = if bytes[at + 1] == b'*' { ("*/", 2) } else { ("\n", 0) };
            let from = at;
            at = text[at + 2..].find(end).map_or(text.len(), |i| from + 2 + i + length);
            line += text[from..at].matches('\n').count();
        } else if matches!(bytes[at], b'"' | b'\'') {
            let end = skip_quoted(bytes, at);
            if text[at..end].contains("__hardbop_annotation") {
                return Err("an annotation is in an argument of a macro that makes a text of it");
            }
            at = end;
        } else if open && (rest.starts_with(b"*/") || rest.starts_with(b"/*")) {
            return Err("a macro in an annotation begins or ends a comment");
        } else if bytes[at] == b'\n' {
            let (mut next, mut end) = (line + 1, at + 1);
            while let Some((number, length)) = marked(&text[end..]) {
                (next, end) = (number, end + length);
            }
            if open && end > at + 1 {
                // Around what a macro of a header becomes there are marks, in a comment there are none.
                out.push_str(&text[copied..at]);
                out.push_str(&"\n".repeat(next.saturating_sub(line).min(text.len())));
                out.push(' ');
                copied = end;
            }
            (line, at) = (next, end);
        } else {
            at += 1;
        }
    }
    if open {
        return Err("an annotation is in an argument of a macro that takes it apart");
    }
    out.push_str(&text[copied..]);
    Ok(out)
}

/// The number in a line mark at the start of a text, and the length of its line.
fn marked(text: &str) -> Option<(usize, usize)> {
    let line = text.split_inclusive('\n').next().filter(|line| line.starts_with("# "))?;
    Some((mark(line)?.0, line.len()))
}

#[cfg(test)]
mod tests {
    use super::{CLOSE, OPEN, conceal, expose, is_same_code};

    #[test]
    fn annotations_pass() {
        for (text, expected) in [
            ("/*@ assert x\n @ > 0; // c\n*/ y", "/*@ assert x\n > 0; */ \n y"),
            ("//@assert x;\ny", "/*@ assert x; */ \ny"),
            ("/*@ requires x;\n ensures y; */", "/*@ requires x;\n ensures y; */ "),
            ("/*@ requires x;\n ensures #; */", "/*@ requires; ensures; */ \n"),
            ("/*@ lemma l: x;\n */ y", "/*@ lemma; */ \n y"),
            (
                "/*@ loop invariant x > 0;\n loop assigns x; */",
                "/*@ loop invariant x > 0;\n loop assigns x; */ ",
            ),
            ("/*@ loop invariant # ; loop assigns x; */", "/*@ loop invariant; loop assigns; */ "),
            ("#define X //@ ensures x;\n", "#define X               \n"),
            ("/* c */ \"//@ assert x;\"", "        \"//@ assert x;\""),
        ] {
            assert_eq!(conceal(&expose(text).unwrap()).unwrap(), expected, "{text}");
        }
        for text in [
            "//@ assert x > # 0;",
            "#define X \\\n  Y /*@ assert x; */\n",
            "/*@ ensures x; assert y; */",
        ] {
            assert!(expose(text).is_err(), "{text}");
        }
        assert!(is_same_code("# 1\nint /* 'a */ x;", "int\n# 2\nx;"));
        assert!(!is_same_code("\"a /* b */\"", "\"a\""));
        // What `NULL` becomes: it is on the same line.
        let written =
            format!("# 7 \"f\"\n{OPEN} a\n == \n# 8 \"f\" 3 4\n0\n# 8 \"f\"\n ; {CLOSE}\nb");
        assert_eq!(conceal(&written).unwrap(), "# 7 \"f\"\n/*@ a\n ==  0  ; */\nb");
        let header = "/* don't */ int x; // it's __hardbop_annotation_begins\n";
        assert_eq!(conceal(header), Ok(header.to_owned()));
        assert!(conceal(&format!("\"{}\"", expose("//@ assert x;").unwrap())).is_err());
    }
}
