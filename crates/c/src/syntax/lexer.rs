//! From characters to tokens.
//!
//! The text has been preprocessed, and has blanks in place of comments and directives.

use super::number;
use super::splice::{number_end, skip_quoted, splice_length};
use super::token::{Kind, Sign, Token, Word};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// A text that is read in place of a part of the program.
#[derive(Debug, Clone)]
pub(crate) struct Replacement {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

/// The tokens of a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    /// The text that was split: lines that end with a backslash are joined.
    pub text: String,
    /// All tokens, and the end.
    pub tokens: Vec<Token>,
    /// Malformed numbers, literals and names.
    pub mistakes: Vec<Diagnostic>,
}

impl Lexed {
    /// The characters of a token.
    pub fn text_of(&self, token: Token) -> &str {
        self.text.get(token.from as usize..token.to as usize).unwrap_or("")
    }
}

/// So begin the names that stand for what C has no words for; no program may have such names.
const OWN: &str = "__hardbop_";

/// A piece of the text that is split, and where it comes from.
struct Piece {
    /// Its first byte in the text that is split.
    at: usize,
    /// Where it stands in the original.
    start: usize,
    /// The end of what it stands for, if it was put there in place of something.
    replaced: Option<usize>,
}

/// Splits a text that begins at `base` in the text of the program.
///
/// `is_allowed` says which names of hardbop's own a program may have.
pub(crate) fn lex(
    text: &str,
    base: usize,
    replacements: &[Replacement],
    is_allowed: impl Fn(&str) -> bool,
) -> Lexed {
    let (text, pieces) = joined(text, replacements);
    let mut lexer = Lexer {
        places: Places { base, pieces: &pieces, current: 0 },
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        mistakes: Vec::new(),
        text: &text,
    };
    lexer.run(is_allowed);
    let Lexer { tokens, mistakes, .. } = lexer;
    Lexed { text, tokens, mistakes }
}

/// The text with replacements and without the ends of lines that are continued.
fn joined(text: &str, replacements: &[Replacement]) -> (String, Vec<Piece>) {
    let mut edits: Vec<(usize, usize, &str)> =
        replacements.iter().map(|r| (r.start, r.end, r.text.as_str())).collect();
    edits.extend(splices(text).into_iter().map(|(start, end)| (start, end, "")));
    let characters = universal_characters(text);
    edits.extend(characters.iter().map(|(start, end, c)| (*start, *end, c.as_str())));
    edits.sort_by_key(|edit| (edit.0, edit.1));
    let mut out = String::with_capacity(text.len() + 64);
    let mut pieces = vec![Piece { at: 0, start: 0, replaced: None }];
    let mut copied = 0;
    for (start, end, new) in edits {
        if start < copied {
            continue;
        }
        out.push_str(&text[copied..start]);
        if !new.is_empty() {
            pieces.push(Piece { at: out.len(), start, replaced: Some(end) });
            out.push_str(new);
        }
        copied = end;
        pieces.push(Piece { at: out.len(), start: end, replaced: None });
    }
    out.push_str(&text[copied..]);
    (out, pieces)
}

/// The backslashes that continue a line, with the ends of these lines.
fn splices(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('\\')).map(|i| i + from) {
        let length = splice_length(bytes, at);
        if length > 0 {
            all.push((at, at + length));
        }
        from = at + length.max(1);
    }
    all
}

/// Characters of names that are written as `\u03b1` or `\U000003b1` (C11, 6.4.3): their places, and the characters.  Those
/// in literals are read with the literals.
fn universal_characters(text: &str) -> Vec<(usize, usize, String)> {
    let mut all = Vec::new();
    if !text.contains("\\u") && !text.contains("\\U") {
        return all;
    }
    let bytes = text.as_bytes();
    let (mut quote, mut at) = (None, 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = match bytes.get(at + 1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let end = at + 2 + digits;
        match byte {
            b'\n' => quote = None,
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            b'\\' if quote.is_some() => at += splice_length(bytes, at).max(2) - 1,
            b'\\' if digits > 0 => {
                let digits = text.get(at + 2..end);
                let digits = digits.filter(|n| n.bytes().all(|b| b.is_ascii_hexdigit()));
                let number = digits.and_then(|n| u32::from_str_radix(n, 16).ok());
                let character = number.and_then(char::from_u32);
                // Those of the basic set may not be written so.
                if let Some(character) = character.filter(|c| !c.is_ascii()) {
                    all.push((at, end, character.to_string()));
                    at = end - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    all
}

/// Where characters come from; asked in order.
struct Places<'p> {
    base: usize,
    pieces: &'p [Piece],
    current: usize,
}

impl Places<'_> {
    fn span(&mut self, from: usize, to: usize) -> Span {
        while self.pieces.get(self.current + 1).is_some_and(|next| next.at <= from) {
            self.current += 1;
        }
        let start = self.place(self.current, from);
        let mut last = self.current;
        while self.pieces.get(last + 1).is_some_and(|next| next.at < to) {
            last += 1;
        }
        Span::new(self.base + start, self.base + self.place(last, to).max(start))
    }

    fn place(&self, piece: usize, at: usize) -> usize {
        let Piece { at: from, start, replaced } = self.pieces[piece];
        let place = start + (at - from);
        replaced.map_or(place, |end| place.min(end))
    }

    /// Whether the characters asked for last are of the program.
    fn is_own(&self) -> bool {
        self.pieces[self.current].replaced.is_none()
    }
}

struct Lexer<'t> {
    text: &'t str,
    places: Places<'t>,
    tokens: Vec<Token>,
    mistakes: Vec<Diagnostic>,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

impl Lexer<'_> {
    fn run(&mut self, is_allowed: impl Fn(&str) -> bool) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let from = at;
            let kind = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {
                    at += 1;
                    continue;
                }
                b'0'..=b'9' => {
                    at = number_end(bytes, at);
                    Kind::Number
                }
                b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                    at = number_end(bytes, at + 1);
                    Kind::Number
                }
                b'"' | b'\'' => {
                    at = skip_quoted(bytes, at);
                    if byte == b'"' { Kind::Text } else { Kind::Character }
                }
                _ if is_name(byte) || byte >= 0x80 => {
                    at = self.name_end(at);
                    let quote = bytes
                        .get(at)
                        .copied()
                        .filter(|_| matches!(&self.text[from..at], "L" | "u" | "U" | "u8"));
                    match quote {
                        Some(b'"') => {
                            at = skip_quoted(bytes, at);
                            Kind::Text
                        }
                        Some(b'\'') => {
                            at = skip_quoted(bytes, at);
                            Kind::Character
                        }
                        _ if at == from => {
                            at += self.text[at..].chars().next().map_or(1, char::len_utf8);
                            Kind::Strange
                        }
                        _ => Word::of(&self.text[from..at]).map_or(Kind::Name, Kind::Word),
                    }
                }
                _ => match Sign::at(&bytes[at..]) {
                    Some((sign, length)) => {
                        at += length;
                        Kind::Sign(sign)
                    }
                    None => {
                        at += 1;
                        Kind::Strange
                    }
                },
            };
            let span = self.places.span(from, at);
            self.tokens.push(Token { kind, span, from: from as u32, to: at as u32 });
            match kind {
                Kind::Number => self.check_number(&self.text[from..at], span),
                Kind::Text | Kind::Character => self.check_escapes(from, at),
                Kind::Name => {
                    let name = &self.text[from..at];
                    if name.starts_with(OWN) && !is_allowed(name) && self.places.is_own() {
                        self.refuse_name(name, span);
                    }
                }
                _ => {}
            }
        }
        let end = self.text.len();
        let span = self.places.span(end, end);
        self.tokens.push(Token { kind: Kind::End, span, from: end as u32, to: end as u32 });
    }

    /// The end of a name, which may have letters of other languages.
    fn name_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if is_name(byte) {
                at += 1;
                continue;
            }
            let letter = self.text[at..].chars().next().filter(|c| !c.is_ascii());
            match letter.filter(|c| c.is_alphanumeric()) {
                Some(letter) => at += letter.len_utf8(),
                None => break,
            }
        }
        at
    }

    fn check_number(&mut self, text: &str, span: Span) {
        if let Some((what, hint)) = number::mistake(text) {
            let message = format!("'{text}' is not a number: {what}");
            let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
            self.mistakes.push(diagnostic.with_label("not a number").with_hint(hint));
        }
    }

    /// Reports escapes of `\x`, `\u` and `\U` that name no character.
    fn check_escapes(&mut self, from: usize, to: usize) {
        let mut at = from;
        while let Some(found) = self.text[at..to].find('\\') {
            let start = at + found;
            let mut rest = self.text[start + 1..to].chars();
            let letter = rest.next().unwrap_or(' ');
            at = start + 1 + letter.len_utf8();
            let needed = match letter {
                'x' => 1,
                'u' => 4,
                'U' => 8,
                _ => continue,
            };
            let digits = rest.take_while(char::is_ascii_hexdigit).count();
            let span = |lexer: &mut Self, length: usize| {
                // Mistakes are rare: the places before are looked at again.
                let mut places = Places { current: 0, ..lexer.places };
                places.span(start, (start + 2 + length).min(to))
            };
            if digits < needed {
                let digit = if needed == 1 { "digit" } else { "digits" };
                let message = format!("'\\{letter}' needs {needed} hexadecimal {digit}");
                let hint = format!("write two backslashes for the text '\\{letter}'");
                let span = span(self, digits);
                let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
                self.mistakes.push(diagnostic.with_label("not an escape").with_hint(hint));
            } else if needed > 1 {
                let code = &self.text[at..at + needed];
                let value = u32::from_str_radix(code, 16).ok();
                let basic = |v: &u32| *v < 0xa0 && !matches!(v, 0x24 | 0x40 | 0x60);
                if value.filter(|v| !basic(v)).and_then(char::from_u32).is_none() {
                    let message = format!("'\\{letter}{code}' names no character");
                    let span = span(self, needed);
                    let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
                    let hint =
                        "such names are for characters from '\\u00a0' on; write others themselves";
                    self.mistakes.push(diagnostic.with_label("not an escape").with_hint(hint));
                }
            }
        }
    }

    fn refuse_name(&mut self, name: &str, span: Span) {
        let message = format!("'{name}' is a name of hardbop's own");
        let mistake = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        let hint = format!("rename it: names that begin with '{OWN}' are reserved");
        self.mistakes.push(mistake.with_hint(hint));
    }
}
