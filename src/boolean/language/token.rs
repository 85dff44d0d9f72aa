//! Tokens of a Boolean program, read on demand.
//!
//! The grammar (`grammars/boolean_program.pest`) is applied to one *window* of the text after the
//! other, so that the memory for tokens is bounded however large the text is.  A token that
//! (nearly) touches the end of its window might go on behind it: it is read again in the next
//! window, and a window that holds nothing else is doubled.
//!
//! Reading never fails.  Characters that begin no token are reported in
//! [`Tokens::diagnostics`] and skipped; the token behind them is marked, so that the parser does
//! not complain about the same place twice.

use std::collections::VecDeque;

use pest::Parser as _;
use pest_derive::Parser;

use crate::base::source::{Diagnostic, DiagnosticKind, Span};

#[derive(Parser)]
#[grammar = "../grammars/boolean_program.pest"]
struct Grammar;

/// Bytes of text that are turned into tokens at a time.
const WINDOW: usize = 1 << 16;

/// So many bytes behind a token can decide where it ends, or what it is (`<` of `<=>`).
const LOOKAHEAD: usize = 2;

/// So many failures, or so many strange characters in a row, end the reading.
const FAILURES: usize = 100;
const STRANGE_RUN: u32 = 1000;

macro_rules! spelled {
    ($($(#[$doc:meta])* $kind:ident = $($text:literal)|+;)*) => {
        /// What a token is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum TokenKind {
            /// A name, quoted names included.
            Identifier,
            /// A sequence of digits.
            Number,
            /// Behind the last token; any number of times.
            EndOfText,
            $($(#[$doc])* $kind,)*
        }

        impl TokenKind {
            /// The kind of a keyword or operator.
            fn of(text: &str) -> Option<Self> {
                match text {
                    $($($text)|+ => Some(Self::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

spelled! {
    AbortIf = "abortif";
    Assert = "assert";
    Assume = "assume";
    AtomicBegin = "atomic_begin";
    AtomicEnd = "atomic_end";
    Begin = "begin";
    Bool = "bool";
    Constrain = "constrain";
    Dead = "dead";
    Decl = "decl";
    Dfs = "dfs";
    Do = "do";
    Else = "else";
    ElseIf = "elsif" | "elif";
    End = "end";
    EndThread = "end_thread";
    Enforce = "enforce";
    False = "F";
    Fi = "fi";
    Goto = "goto";
    If = "if";
    Od = "od";
    Print = "print";
    Return = "return";
    Schoose = "schoose";
    Skip = "skip";
    StartThread = "start_thread";
    Sync = "sync";
    Then = "then";
    ThreadLocal = "thread_local";
    True = "T";
    Void = "void";
    While = "while";
    And = "&" | "&&";
    Assign = ":=";
    Colon = ":";
    Comma = ",";
    Equal = "=" | "==" | "<=>";
    Greater = ">";
    Implies = "=>";
    LeftBracket = "[";
    LeftParen = "(";
    Less = "<";
    Not = "!" | "~";
    NotEqual = "!=";
    Or = "|" | "||";
    Question = "?";
    RightBracket = "]";
    RightParen = ")";
    Semicolon = ";";
    Star = "*";
    Tick = "'";
    Xor = "^";
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// Something unreadable was skipped right before it, and reported.
    pub after_failure: bool,
}

/// The tokens of a text, with any lookahead.
pub struct Tokens<'t> {
    text: &'t str,
    /// Where the next window begins.
    offset: usize,
    /// Size of the next window.
    window: usize,
    ready: VecDeque<Token>,
    after_failure: bool,
    /// The last run of characters that begin no token.
    strange: Option<Span>,
    /// What was wrong so far; in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t> Tokens<'t> {
    /// `text` must be shorter than 4 GiB (offsets are 32 bits).
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            offset: 0,
            window: WINDOW,
            ready: VecDeque::new(),
            after_failure: false,
            strange: None,
            diagnostics: Vec::new(),
        }
    }

    /// The token `ahead` places further on; [`TokenKind::EndOfText`] behind the last.
    pub fn peek(&mut self, ahead: usize) -> Token {
        while self.ready.len() <= ahead && self.offset < self.text.len() {
            self.read_window();
        }
        self.ready.get(ahead).copied().unwrap_or(Token {
            kind: TokenKind::EndOfText,
            span: Span::new(self.text.len(), self.text.len()),
            after_failure: self.after_failure,
        })
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Token {
        let token = self.peek(0);
        self.ready.pop_front();
        token
    }

    /// Reads nothing more: only [`TokenKind::EndOfText`] follows, marked as behind a failure.
    pub fn stop(&mut self) {
        self.ready.clear();
        self.read_no_further();
    }

    /// Nothing follows the tokens that are ready.
    fn read_no_further(&mut self) {
        self.flush_strange();
        self.offset = self.text.len();
        self.after_failure = true;
    }

    /// Turns one window into tokens.  Advances `offset` or doubles `window`.
    fn read_window(&mut self) {
        let start = self.offset;
        let mut end = start.saturating_add(self.window).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let last = end == self.text.len();
        let text = &self.text[start..end];
        let Ok(mut pairs) = Grammar::parse(Rule::tokens, text) else {
            // `tokens` is a repetition, which cannot fail; if it does, this is not our language.
            self.fail(
                Span::new(start, start),
                "this place cannot be read",
                "the reader gave up here",
                None,
            );
            return self.read_no_further();
        };
        let mut next = end;
        for pair in pairs.next().into_iter().flat_map(|tokens| tokens.into_inner()) {
            let rule = pair.as_rule();
            let place = pair.as_span();
            let unfinished = place.end() + LOOKAHEAD > text.len() || rule == Rule::unclosed_comment;
            if unfinished && !last {
                next = start + place.start();
                break;
            }
            let span = Span::new(start + place.start(), start + place.end());
            self.take(rule, span, place.as_str());
            if self.diagnostics.len() >= FAILURES
                || self.strange.is_some_and(|s| s.end - s.start > STRANGE_RUN)
                || rule == Rule::unclosed_comment
            {
                return self.read_no_further();
            }
        }
        if next == start {
            self.window = self.window.saturating_mul(2);
        } else {
            self.window = WINDOW;
        }
        self.offset = next;
        if self.offset == self.text.len() {
            self.flush_strange();
        }
    }

    /// One match of the grammar: a token, a comment, or a failure.
    fn take(&mut self, rule: Rule, span: Span, text: &str) {
        if rule == Rule::unknown {
            self.strange = match self.strange {
                Some(run) if run.end == span.start => Some(run.to(span)),
                _ => {
                    self.flush_strange();
                    Some(span)
                }
            };
            self.after_failure = true;
            return;
        }
        self.flush_strange();
        let kind = match rule {
            Rule::identifier | Rule::quoted => Some(TokenKind::Identifier),
            Rule::number => Some(TokenKind::Number),
            Rule::keyword | Rule::operator => TokenKind::of(text),
            Rule::unclosed_comment => {
                self.fail(
                    span,
                    "this comment is never closed",
                    "opened here",
                    Some("close it with '*/', or begin a one-line comment with '//'"),
                );
                None
            }
            Rule::unclosed_quote => {
                let hint = if text[1..].trim().is_empty() {
                    "a body is written 'begin .. end'; braces enclose names such as '{x == 0}'"
                } else {
                    "close it with '}' on the same line"
                };
                let shown =
                    Span::new(span.start as usize, span.start as usize + text.trim_end().len());
                self.fail(
                    shown,
                    "this quoted name is not closed",
                    "no '}' on this line",
                    Some(hint),
                );
                None
            }
            _ => None,
        };
        if let Some(kind) = kind {
            self.ready.push_back(Token { kind, span, after_failure: self.after_failure });
            self.after_failure = false;
        }
    }

    fn flush_strange(&mut self) {
        let Some(span) = self.strange.take() else { return };
        let text = &self.text[span.range()];
        let hint = match text {
            "->" => Some("implication is written '=>'"),
            "{}" => Some("a quoted name needs a character between its braces"),
            "}" => Some("a body ends with 'end', an 'if' with 'fi', a 'while' with 'od'"),
            "+" | "-" | "/" | "%" | "++" | "--" | "-=" | "+=" => {
                Some("Boolean programs have no arithmetic")
            }
            "¬" => Some("negation is written '!'"),
            "∧" | "/\\" => Some("conjunction is written '&'"),
            "∨" | "\\/" => Some("disjunction is written '|'"),
            "⊕" => Some("exclusive or is written '^'"),
            "→" | "⇒" => Some("implication is written '=>'"),
            "≠" => Some("'differs from' is written '!='"),
            "↔" | "⇔" | "≡" => Some("equivalence is written '=' or '<=>'"),
            _ if text.starts_with('"') => Some("there are no strings; names may stand in '{ }'"),
            _ if !text.is_ascii() => {
                Some("names consist of ASCII letters, digits, '_', '$' and '#'")
            }
            _ => None,
        };
        let shown: String = text.chars().take(20).collect();
        let message = if text.chars().nth(1).is_none() {
            format!("unknown character '{shown}'")
        } else if text.len() <= 20 {
            format!("unknown characters '{shown}'")
        } else {
            "unknown characters".to_owned()
        };
        self.fail(span, &message, "not part of the language", hint);
    }

    fn fail(&mut self, span: Span, message: &str, label: &str, hint: Option<&str>) {
        let mut diagnostic =
            Diagnostic::new(DiagnosticKind::Syntax, span, message).with_label(label);
        diagnostic.hint = hint.map(str::to_owned);
        self.diagnostics.push(diagnostic);
        self.after_failure = true;
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, Tokens, WINDOW};

    fn read(text: &str, window: usize) -> (Vec<String>, Vec<String>) {
        let mut tokens = Tokens::new(text);
        tokens.window = window;
        let mut words = Vec::new();
        loop {
            let token = tokens.next();
            if token.kind == TokenKind::EndOfText {
                break;
            }
            words.push(format!("{:?} {}", token.kind, &text[token.span.range()]));
            if words.len() % 3 == 0 {
                tokens.window = window;
            }
        }
        (words, tokens.diagnostics.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn windows_do_not_cut_tokens() {
        let text = "decl do_do/* * / ***/ {x == 0}'\r\n:=end--x->y a- b /\u{e9}\u{e9}/ {}x{\n\
            <=>== =>=!=!&&&|||// end\n'atomic_begin1 12a {\u{e9} // }/ end /* z";
        let whole = read(text, WINDOW);
        assert_eq!(whole.0.len(), 26, "{:#?}", whole.0);
        assert_eq!(whole.1.len(), 6, "{:#?}", whole.1);
        for window in 1..text.len() + 2 {
            assert_eq!(read(text, window), whole, "window of {window}");
        }
    }

    #[test]
    fn keywords_do_not_swallow_names() {
        let (words, _) = read("do dodo goto1 T T1 F# end_ endif _ $ $$ if-x elsif1 x'", WINDOW);
        let names = words.iter().filter(|w| w.starts_with("Identifier")).count();
        assert_eq!((words.len(), names), (15, 12), "{words:?}");
    }
}
