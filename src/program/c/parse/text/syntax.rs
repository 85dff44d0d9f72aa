//! Parses text with lang-c, and rephrases its errors.

use std::collections::BTreeSet;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};

use super::acsl::ASSERTION;
use super::clean::skip_quoted;
use super::patched::Patched;
use crate::base::source::{Diagnostic, DiagnosticKind, Span};

/// Parses a patched text.
pub(in crate::program::c::parse) fn parse(
    patched: &mut Patched,
    original: &str,
) -> Result<TranslationUnit, Diagnostic> {
    if let Some(at) = long_run(patched.text.as_bytes()) {
        let start = patched.offset(at).min(original.len());
        let span = Span::new(start, (start + SIGNS).min(original.len()));
        let message = format!("more than {SIGNS} signs in a row without a blank");
        let hint = "put blanks between the operators";
        return Err(Diagnostic::new(DiagnosticKind::Unsupported, span, message).with_hint(hint));
    }
    if let Some((at, what)) = too_deep(patched.text.as_bytes()) {
        let start = patched.offset(at).min(original.len());
        let span = Span::new(start, (start + 1).min(original.len()));
        return Err(Diagnostic::new(DiagnosticKind::Unsupported, span, what));
    }
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, std::mem::take(&mut patched.text)) {
        Ok(parsed) => {
            patched.text = parsed.source;
            Ok(parsed.unit)
        }
        Err(error) => {
            let diagnostic = explain(patched, original, &error);
            patched.text = error.source;
            Err(diagnostic)
        }
    }
}

/// The maximal number of consecutive signs `-` or `+`. lang-c tries all ways to read them as
/// one-character and two-character operators, which takes exponential time.
const SIGNS: usize = 16;

/// The start of a longer run.
fn long_run(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = skip_quoted(bytes, at),
            sign @ (b'-' | b'+') => {
                let length = bytes[at..].iter().take_while(|&&b| b == sign).count();
                if length > SIGNS {
                    return Some(at);
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    None
}

/// The maximal nesting of brackets: lang-c uses recursion, and its stack suffices for about twice as many.
const NESTED: usize = 200_000;

/// The maximal number of operators and words in one statement, and of `else` in the text: bounds on nesting without
/// brackets, as in `!!!!x`, `a = a = a`, `if (x) if (x)` and `else if`.
const WORDS: usize = 300_000;

/// The first token that is nested more deeply, with a message.
fn too_deep(bytes: &[u8]) -> Option<(usize, String)> {
    let is_word =
        |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let (mut at, mut depth, mut round) = (0, 0_usize, 0_usize);
    let (mut words, mut elses) = (0_usize, 0_usize);
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' | b'\'' => {
                at = skip_quoted(bytes, at);
                continue;
            }
            b'(' => round += 1,
            b')' => round = round.saturating_sub(1),
            _ => {}
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match byte {
            b'{' | b'}' => words = 0,
            b';' | b',' if round == 0 => words = 0,
            b')' | b']' => {}
            _ if byte.is_ascii_whitespace() || (is_word(at) && is_word(at + 1)) => {}
            _ => words += 1,
        }
        if bytes[at..].starts_with(b"else") && !is_word(at + 4) {
            elses += 1;
        }
        if depth > NESTED {
            return Some((at, format!("brackets nest deeper than {NESTED} levels")));
        }
        if words > WORDS {
            return Some((at, format!("a statement has more than {WORDS} operators and words")));
        }
        if elses > WORDS {
            return Some((at, format!("the text has more than {WORDS} times 'else'")));
        }
        at += 1;
    }
    None
}

/// The token at an offset: a whole word, number, string or sign.
fn token_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return "" };
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let length = if word(first) {
        rest.find(|c| !word(c)).unwrap_or(rest.len())
    } else if first == '"' || first == '\'' {
        skip_quoted(rest.as_bytes(), 0)
    } else {
        let two = rest.get(..2).unwrap_or("");
        let long = [
            "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
            "/=", "%=", "&=", "|=", "^=", "::",
        ];
        if long.contains(&two) { 2 } else { first.len_utf8() }
    };
    rest.get(..length).unwrap_or("")
}

/// The offset after the last non-blank character before `at`.
fn end_before(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or("").trim_end().len()
}

fn explain(patched: &Patched, original: &str, error: &SyntaxError) -> Diagnostic {
    let source = &error.source;
    // The parser stops inside words that begin with a keyword; go back to their start.
    let mut at = error.offset.min(source.len());
    while at > 0 && !source.is_char_boundary(at) {
        at -= 1;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = source[at..].trim_start();
    if at > 0 && source[at..].starts_with(is_word) && source[..at].ends_with(is_word) {
        at = source[..at].trim_end_matches(is_word).len();
    } else {
        at = source.len() - rest.len();
    }
    let found = token_at(source, at);
    let start = patched.offset(at).min(original.len());
    if let Some(assertion) = patched.assertion_at(start) {
        return in_assertion(assertion, start, found, original);
    }
    let span = Span::new(start, (start + found.len()).min(original.len()));
    let unclosed = found.is_empty() && error.expected.contains("}");
    let wanted = if unclosed { "'}'".to_owned() } else { expected(error) };
    let shown = match found {
        "" => "the end of the file".to_owned(),
        text if text.chars().count() > 40 => {
            format!("'{}...'", text.chars().take(40).collect::<String>())
        }
        text => format!("'{text}'"),
    };
    let before = end_before(source, at);
    let previous = source[..before].trim_end_matches(is_word).len();
    let previous = if previous == before { before.saturating_sub(1) } else { previous };
    let previous = source.get(previous..before).unwrap_or("");

    if found == "}" && error.expected.contains("{") && !error.expected.contains("}") {
        // This brace was accepted. lang-c does not list 'while' among the tokens that may follow.
        let next = source.len() - source[at + 1..].trim_start().len();
        let found = token_at(source, next);
        let shown = if found.is_empty() { "the end of the file" } else { found };
        let start = patched.offset(next);
        return Diagnostic::new(
            DiagnosticKind::Syntax,
            Span::new(start, start + found.len()),
            format!("expected 'while' behind the body of 'do', found '{shown}'"),
        )
        .with_label("expected 'while'");
    }
    if let Some(diagnostic) = reserved(patched, error, before, previous) {
        return diagnostic;
    }
    let is_name = found.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if DECLARING.contains(&previous) && is_name && !DECLARING.contains(&found) {
        let message = format!("'{found}' is not a type");
        return Diagnostic::new(DiagnosticKind::Syntax, span, message)
            .with_label(format!("a type has to stand behind '{previous}'"))
            .with_hint(format!("if '{found}' is a type, its typedef is missing above"));
    }
    // If a statement continues on the next line, a semicolon is probably missing.
    let new_line = source.get(before..at).is_some_and(|between| between.contains('\n'));
    let ended = ["", "}", "{", ";"].contains(&previous);
    if error.expected.contains(";") && (new_line || found == "}") && !ended {
        let end = patched.offset(before.saturating_sub(1)) + 1;
        return Diagnostic::new(
            DiagnosticKind::Syntax,
            Span::new(end.saturating_sub(1), end),
            format!("expected ';' after '{previous}', found {shown}"),
        )
        .with_label("';' is missing behind this")
        .with_related(span, "found this instead");
    }
    let diagnostic =
        Diagnostic::new(DiagnosticKind::Syntax, span, format!("expected {wanted}, found {shown}"))
            .with_label(format!("expected {wanted}"));
    match hint(source, at, found, previous) {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    }
}

/// A mistake in an assertion of ACSL.
fn in_assertion(assertion: Span, start: usize, found: &str, original: &str) -> Diagnostic {
    if [ASSERTION, "("].contains(&found) && start == assertion.start as usize {
        let message = "an assertion cannot stand here";
        return Diagnostic::new(DiagnosticKind::Syntax, assertion, message)
            .with_label("not in front of a statement of a block");
    }
    let shown = match token_at(original, start) {
        ";" | "" => "its end".to_owned(),
        token => format!("'{token}'"),
    };
    let message = format!("the predicate is not understood: found {shown}");
    let length = token_at(original, start).len();
    Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, start + length), message)
        .with_label("not expected here")
}

/// Words behind which a type follows.
const DECLARING: &[&str] = &[
    "typedef",
    "static",
    "extern",
    "register",
    "auto",
    "const",
    "volatile",
    "restrict",
    "inline",
    "_Thread_local",
    "_Noreturn",
    "_Atomic",
];

/// A misplaced keyword: lang-c first reads it as a name.
fn reserved(patched: &Patched, error: &SyntaxError, end: usize, word: &str) -> Option<Diagnostic> {
    const WORDS: &[&str] = &[
        "else", "default", "case", "break", "continue", "do", "for", "goto", "if", "return",
        "sizeof", "switch", "while", "int", "char", "short", "long", "signed", "unsigned", "float",
        "double", "void", "struct", "union", "enum", "typedef", "extern", "static", "auto",
        "register", "const", "volatile", "restrict", "inline",
    ];
    let as_name = error.expected.iter().all(|e| ["identifier", "[_a-zA-Z0-9]"].contains(e));
    if !as_name || !WORDS.contains(&word) {
        return None;
    }
    let start = patched.offset(end - word.len());
    let span = Span::new(start, start + word.len());
    let make = |message: String| Diagnostic::new(DiagnosticKind::Syntax, span, message);
    Some(if word == "else" {
        make("'else' without an 'if' before it".to_owned())
            .with_label("belongs to nothing")
            .with_hint("more than one statement after 'if' needs braces")
    } else {
        make(format!("'{word}' cannot stand here"))
            .with_label("a reserved word")
            .with_hint(format!("'{word}' is a keyword and cannot be a name"))
    })
}

/// Advice on common mistakes.
fn hint(source: &str, at: usize, found: &str, previous: &str) -> Option<String> {
    const CPP: [&str; 8] =
        ["class", "namespace", "template", "using", "public", "private", "try", "throw"];
    if CPP.contains(&found) || CPP.contains(&previous) || found == "::" {
        return Some("this looks like C++; hardbop reads C".to_owned());
    }
    if found == "&&" && !previous.is_empty() && "=(,{;".contains(previous) {
        return Some(
            "where '&&' is the address of a label, the function needs that label".to_owned(),
        );
    }
    if found.is_empty() {
        let (open, close) = (source.matches('{').count(), source.matches('}').count());
        return (open > close).then(|| format!("{} '{{' without '}}'", open - close));
    }
    if found == "}" {
        let (open, close) = (source[..at].matches('{').count(), source[..=at].matches('}').count());
        if close > open {
            return Some("there is no '{' that this closes".to_owned());
        }
    }
    if found == "decl" {
        let hint = "this looks like a Boolean program; the name of its file should end in '.bp'";
        return Some(hint.to_owned());
    }
    if found == "{" && previous == ")" {
        let hint = "a function cannot be defined within another one; move it in front of that";
        return Some(hint.to_owned());
    }
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_name(previous) && (is_name(found) || found == "*") {
        return Some(format!("if '{previous}' is a type, its typedef is missing above"));
    }
    if !found.is_ascii() {
        return Some("only ASCII characters may stand outside of strings".to_owned());
    }
    None
}

/// A token of lang-c's grammar in plain words.
fn token(word: &str) -> String {
    match word {
        "\"" => "a string in quotes".to_owned(),
        _ if word.starts_with('[') && word.len() > 1 => "another character".to_owned(),
        _ => format!("'{word}'"),
    }
}

/// A short description of the tokens that were expected.
fn expected(error: &SyntaxError) -> String {
    let set: BTreeSet<&str> = error.expected.iter().copied().filter(|w| !w.is_empty()).collect();
    let has = |word: &str| set.contains(word);
    let mut words: Vec<String> = Vec::new();
    let expression = has("--") && has("~") || has("sizeof") || has("++") && has("!");
    let statement = expression && has("{") && has(";");
    let kind = has("int") && has("struct") || has("<typedef_name>");
    if statement {
        words.push("a statement".into());
    } else if expression {
        words.push("an expression".into());
    } else if kind {
        words.push("a declaration".into());
    }
    let operators = ["+", "*", "/", "%", "<<", "&&", "||", "==", "&", "|", "^"];
    let operator = !expression && !statement && operators.iter().filter(|o| has(o)).count() >= 4;
    let general = expression || statement || kind;
    for sign in [";", ",", ")", "]", "}", "{", ":", "=", "("] {
        let incidental = general && ["{", "(", "=", ";", "}"].contains(&sign)
            || operator && ["(", "=", "["].contains(&sign);
        if has(sign) && !incidental {
            words.push(format!("'{sign}'"));
        }
    }
    if operator {
        words.push("an operator".into());
    }
    let name = has("identifier") || has("[_a-zA-Z]") || has("<identifier>");
    if name && !general {
        words.push("a name".into());
    }
    match words.as_slice() {
        [] => set.iter().next().map_or("something else".to_owned(), |word| token(word)),
        [one] => one.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
