//! Tokens of a text in the C-like dialect, and the place where reading is.

use super::super::mistakes;
use super::super::reader::shorten;
use super::super::state::Parser;
use crate::language::syntax::Name;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// A mistake that has been reported; what was being read is given up.
#[derive(Debug)]
pub(super) struct Broken;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Sign,
    /// The end of the text.
    End,
}

/// A token of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// Whether it is the first one on its line.
    pub on_new_line: bool,
}

/// Signs of more than one character; those before others that they begin with.
const SIGNS: [&str; 13] =
    [":=", "==", "!=", "<=", ">=", "=>", "&&", "||", "++", "--", "+=", "-=", "->"];

/// Words that cannot be names.
const RESERVED: [&str; 17] = [
    "atomic", "bool", "break", "continue", "do", "else", "enum", "false", "for", "goto", "if",
    "int", "return", "switch", "true", "void", "while",
];

/// Text that is no token ends reading after as many characters.
const STRANGE: usize = 100;

/// Whether a character may begin a name.
pub(super) fn begins_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn goes_on(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

/// The length of the blanks and comments at the beginning of a text, and whether a comment there
/// is never closed.
pub(super) fn gap(text: &str) -> (usize, bool) {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = |c: char| c.is_ascii_whitespace() || matches!(c, '\u{0B}' | '\u{FEFF}');
        let blanks = rest.len() - rest.trim_start_matches(blank).len();
        if blanks > 0 {
            at += blanks;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some(end) = comment.find("*/") else { return (at, true) };
            at += end + 4;
        } else {
            return (at, false);
        }
    }
}

/// The length of the token at the beginning of a text that is not empty; `None` if it is none.
pub(super) fn token(rest: &str) -> Option<(Kind, usize)> {
    let length = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
    let first = rest.chars().next()?;
    if begins_name(first) {
        Some((Kind::Word, length(goes_on)))
    } else if first.is_ascii_digit() {
        Some((Kind::Number, length(|c| c.is_ascii_digit())))
    } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some((Kind::Sign, sign.len()))
    } else {
        "{}()[];,:=!&|^*+-<>~?#/%.'".contains(first).then_some((Kind::Sign, 1))
    }
}

/// The tokens of a text, with a place among them.
pub(super) struct Tokens<'t> {
    pub text: &'t str,
    all: Vec<Token>,
    at: usize,
    /// All mistakes so far.
    pub mistakes: Parser,
}

impl<'t> Tokens<'t> {
    /// Divides a text into tokens.
    pub fn new(text: &'t str, mut mistakes: Parser) -> Self {
        let (mut all, mut at, mut strange) = (Vec::new(), 0, 0);
        let mut line = 0;
        loop {
            let (blank, unclosed) = gap(&text[at..]);
            at += blank;
            let on_new_line = all.is_empty() || text[line..at].contains('\n');
            let mut rest = &text[at..];
            if unclosed {
                let hint = "close it with '*/', or begin a one-line comment with '//'";
                let span = Span::new(at, at + 2);
                mistakes.syntax(span, "this comment is never closed", "opened here", hint);
                rest = "";
            }
            let end = Token { kind: Kind::End, span: Span::new(at, at), on_new_line };
            let Some(first) = rest.chars().next().filter(|_| strange < STRANGE) else {
                all.push(end);
                return Self { text, all, at: 0, mistakes };
            };
            if let Some((kind, length)) = token(rest) {
                all.push(Token { kind, span: Span::new(at, at + length), on_new_line });
                at += length;
            } else {
                strange += 1;
                let span = Span::new(at, at + first.len_utf8());
                let message = format!("unknown character '{first}'");
                mistakes.syntax(span, message, "not part of the language", "");
                at = span.end as usize;
            }
            line = at;
        }
    }

    pub fn token(&self) -> Token {
        self.ahead(0)
    }

    /// The token some places further on; behind the text, its end.
    pub fn ahead(&self, places: usize) -> Token {
        self.all[(self.at + places).min(self.all.len() - 1)]
    }

    pub fn word(&self, token: Token) -> &'t str {
        &self.text[token.span.range()]
    }

    /// The text of the next token.
    pub fn next(&self) -> &'t str {
        self.word(self.token())
    }

    /// The text of the token behind the next one.
    pub fn second(&self) -> &'t str {
        self.word(self.ahead(1))
    }

    pub fn is_name(&self, token: Token) -> bool {
        token.kind == Kind::Word && !RESERVED.contains(&self.word(token))
    }

    /// Goes on behind the next token.
    pub fn take(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.all.len() - 1);
        token
    }

    /// The end of the token before.
    pub fn before(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |at| self.all[at].span.end)
    }

    /// Reports nesting beyond all limits; nothing more is read.
    pub fn too_deep(&mut self) -> Broken {
        self.mistakes.too_deep(self.token().span);
        self.at = self.all.len() - 1;
        Broken
    }

    /// Whether the text ends here.
    pub fn at_end(&self) -> bool {
        self.token().kind == Kind::End
    }

    pub fn accept(&mut self, text: &str) -> Option<Span> {
        (self.next() == text && !self.at_end()).then(|| self.take().span)
    }

    /// Reports that something else was expected than the next token.
    pub fn expected(&mut self, what: &str, hint: &str) -> Broken {
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("'{}'", shorten(self.word(token))),
        };
        let mut diagnostic = mistakes::expected(what, token.span, &found);
        diagnostic.hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.mistakes.report(token.span.start as usize, diagnostic);
        Broken
    }

    pub fn expect(&mut self, text: &str) -> Result<Span, Broken> {
        match self.accept(text) {
            Some(span) => Ok(span),
            None => Err(self.expected(&format!("'{text}'"), "")),
        }
    }

    /// A name; `what` describes it in messages.
    pub fn name(&mut self, what: &str) -> Result<Name, Broken> {
        let token = self.token();
        if !self.is_name(token) {
            let reserved = format!("'{}' is a reserved word", shorten(self.next()));
            let hint = if token.kind == Kind::Word { reserved.as_str() } else { "" };
            return Err(self.expected(what, hint));
        }
        self.take();
        Ok(Name { text: self.word(token).to_owned(), span: token.span })
    }

    /// The value of a number; very large ones are all the same.
    pub fn number(&self, token: Token) -> u64 {
        self.word(token).parse().unwrap_or(u64::MAX)
    }

    /// The end of a statement: `;`, which may be missing before `}`.
    pub fn semicolon(&mut self) -> Result<(), Broken> {
        if self.accept(";").is_some() || self.next() == "}" {
            return Ok(());
        }
        let (end, token) = (self.before(), self.token());
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("'{}'", shorten(self.word(token))),
        };
        let message = format!("expected ';', found {found}");
        let span = Span { start: end, end };
        let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, span, message);
        self.mistakes
            .report(token.span.start as usize, diagnostic.with_label("';' is missing here"));
        Err(Broken)
    }

    /// The end of a declaration: `;`, which may be missing at the end of a line.
    pub fn end_of_declaration(&mut self) -> Result<(), Broken> {
        let token = self.token();
        let goes_on = token.kind == Kind::Sign && self.next() != "}";
        if token.on_new_line && !goes_on { Ok(()) } else { self.semicolon() }
    }

    /// Goes on behind the next `;`, or before the next brace.
    pub fn skip_statement(&mut self) {
        while !self.at_end() && !matches!(self.next(), "{" | "}") {
            if self.next() == ";" {
                self.take();
                return;
            }
            self.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Tokens};
    use crate::language::parser::Dialect;
    use crate::language::parser::state::Parser;

    #[test]
    fn tokens_and_lines() {
        let text = "1 bool x:=*; /* a\n */ y&&!z // e\n}";
        let mut tokens = Tokens::new(text, Parser::new(Dialect::Slam));
        let mut seen = Vec::new();
        while tokens.token().kind != Kind::End {
            let token = tokens.take();
            seen.push((tokens.word(token), token.on_new_line));
        }
        let words: Vec<&str> = seen.iter().map(|(word, _)| *word).collect();
        assert_eq!(words, ["1", "bool", "x", ":=", "*", ";", "y", "&&", "!", "z", "}"]);
        let first: Vec<&str> = seen.iter().filter(|(_, n)| *n).map(|(word, _)| *word).collect();
        assert_eq!(first, ["1", "y", "}"]);
        assert!(tokens.mistakes.finish(()).is_ok());
    }
}
