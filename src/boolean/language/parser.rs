//! Text to [`SyntaxTree`]: a hand-written parser over the tokens of the pest grammar.
//!
//! It reads the union of the dialects of SLAM/Bebop, SATABS/Boppo, Getafix and WALi.  The one
//! point where they contradict each other, the precedence of operators, is chosen by [`Dialect`].
//!
//! Invariants:
//! - No recursion: nested expressions and blocks are kept on explicit stacks, so that no input
//!   overflows the call stack.
//! - All mistakes of a file are reported in one run (up to [`MAX_DIAGNOSTICS`]).  A function that
//!   reports one returns `Failed`; the caller skips to a place from where reading makes sense
//!   again (*panic mode*).  No two syntax errors are reported at one token, nor behind a
//!   character that was already reported as unknown.
//! - Every loop consumes a token or ends.

mod blocks;
mod declarations;
mod expressions;
mod statements;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::syntax::{Expression, Name, SyntaxTree};
use super::token::{Token, TokenKind, Tokens};
use crate::base::source::{Diagnostic, DiagnosticKind, Span};
use blocks::ends_block;

/// So many mistakes are reported, then reading stops.
pub const MAX_DIAGNOSTICS: usize = 100;

/// So many tokens in a row without sense end the reading.
const MAX_SKIPPED: usize = 1_000_000;

/// Expressions and blocks may nest about so deep (open brackets and pending operators).
pub const MAX_NESTING: usize = 2_000_000;

/// How operators bind where the dialects disagree; everything else is read in all dialects.
///
/// `&&`, `||` and `==`, `<=>` are other spellings of `&`, `|` and `=`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// SLAM, SATABS: `=> = !=` bind loosest, alike and to the right; then `^`, `|`, `&`.
    #[default]
    Slam,
    /// Getafix: from loose to tight `=>`, `|`, `^`, `&`, and `= !=` alike; all to the left.
    Getafix,
    /// WALi: from loose to tight `| =>` alike, `^`, `&`, `= !=` alike; all to the left.  Any
    /// number but 0 is true.
    Wali,
}

impl Dialect {
    /// All dialects, the default first.
    pub const ALL: [Self; 3] = [Self::Slam, Self::Getafix, Self::Wali];

    /// The name as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slam => "slam",
            Self::Getafix => "getafix",
            Self::Wali => "wali",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no dialect of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect '{0}' (known: slam, getafix, wali)")]
pub struct UnknownDialect(pub String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|d| d.name() == name)
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// Reads a program.
///
/// # Errors
///
/// All mistakes that were found, in the order of their places; never an empty list.  Their spans
/// lie within `text`, on character boundaries.
pub fn parse(text: &str, dialect: Dialect) -> Result<SyntaxTree, Vec<Diagnostic>> {
    if text.len() >= u32::MAX as usize {
        let start = Span::new(0, 0);
        return Err(vec![Diagnostic::new(
            DiagnosticKind::Unsupported,
            start,
            "files of 4 GiB or more are not supported",
        )]);
    }
    let mut parser = Parser::new(text, dialect);
    let tree = parser.program();
    parser.finish(tree)
}

/// Reads a single expression.
///
/// # Errors
/// As [`parse`].
pub fn parse_expression(text: &str, dialect: Dialect) -> Result<Expression, Vec<Diagnostic>> {
    // Names and values of expressions are far smaller than 4 GiB, or else no expressions.
    let text = if text.len() < u32::MAX as usize { text } else { "" };
    let mut parser = Parser::new(text, dialect);
    let expression = match parser.expression() {
        Ok(expression) if parser.kind() == TokenKind::EndOfText => expression,
        Ok(expression) => {
            parser.expected("the end of the expression");
            expression
        }
        Err(Failed) => Expression { nodes: vec![] },
    };
    parser.finish(expression)
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, dialect: Dialect) -> Self {
        Self {
            text,
            dialect,
            tokens: Tokens::new(text),
            previous: Span::default(),
            last_error: None,
            diagnostics: Vec::new(),
        }
    }

    /// What was read, if nothing was wrong with it.
    fn finish<T>(mut self, read: T) -> Result<T, Vec<Diagnostic>> {
        let lexical = std::mem::take(&mut self.tokens.diagnostics);
        let mut diagnostics = self.diagnostics;
        diagnostics.extend(lexical);
        if diagnostics.is_empty() {
            return Ok(read);
        }
        diagnostics.sort_by_key(|d| d.span.start);
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            diagnostics.truncate(MAX_DIAGNOSTICS);
            let last = diagnostics.last().map_or(Span::default(), |d| d.span);
            diagnostics.push(
                Diagnostic::new(DiagnosticKind::Syntax, last, "too many errors")
                    .with_label("reading stopped about here")
                    .with_hint("is this a Boolean program?"),
            );
        }
        Err(diagnostics)
    }
}

/// A mistake was reported; the caller has to find a place to go on from.
#[derive(Debug)]
struct Failed;

type Parsed<T> = Result<T, Failed>;

/// The state of reading; its parts are spread over the files of this folder.
struct Parser<'t> {
    text: &'t str,
    dialect: Dialect,
    tokens: Tokens<'t>,
    /// The token taken last.
    previous: Span,
    /// The token where the last syntax error was reported.
    last_error: Option<u32>,
    diagnostics: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn kind(&mut self) -> TokenKind {
        self.tokens.peek(0).kind
    }

    fn kind_at(&mut self, ahead: usize) -> TokenKind {
        self.tokens.peek(ahead).kind
    }

    fn take(&mut self) -> Token {
        let token = self.tokens.next();
        if token.kind != TokenKind::EndOfText {
            self.previous = token.span;
        }
        token
    }

    /// Takes the next token if it is of this kind.
    fn accept(&mut self, kind: TokenKind) -> Option<Token> {
        (self.kind() == kind).then(|| self.take())
    }

    /// Takes the next token, which should be of this kind; `after` completes "expected ...".
    fn expect(&mut self, kind: TokenKind, expected: &str) -> Parsed<Token> {
        match self.accept(kind) {
            Some(token) => Ok(token),
            None => Err(self.expected(expected)),
        }
    }

    /// A name; keywords that can mean nothing else here count.
    fn name(&mut self, expected: &str) -> Parsed<Name> {
        let token = self.tokens.peek(0);
        if token.kind == TokenKind::Identifier || is_soft(token.kind) {
            self.take();
            let text = self.slice(token.span);
            if text == "_" {
                self.report(
                    Diagnostic::new(
                        DiagnosticKind::Misplaced,
                        token.span,
                        format!("'_' stands where {expected} is needed"),
                    )
                    .with_label("not a name")
                    .with_hint("'_' may only stand left of ':=', to drop a value"),
                );
                return Err(Failed);
            }
            return Ok(Name { text: text.to_owned(), span: token.span });
        }
        let diagnostic = self.expectation(expected);
        if !self.is_word(token.span) {
            return Err(self.report(diagnostic));
        }
        let diagnostic = self.reserved(diagnostic);
        let failed = self.report(diagnostic);
        use TokenKind::{Assign, Colon, Comma, LeftParen, RightParen, Semicolon};
        let meant = match self.kind_at(1) {
            Assign | Colon => true,
            Comma | LeftParen | RightParen | Semicolon => !ends_block(token.kind),
            _ => false,
        };
        if !meant {
            return Err(failed);
        }
        // It was meant as a name: go on with it.
        self.take();
        Ok(Name { text: self.slice(token.span).to_owned(), span: token.span })
    }

    /// Adds that the next token cannot be a name.
    fn reserved(&mut self, diagnostic: Diagnostic) -> Diagnostic {
        let token = self.tokens.peek(0);
        if matches!(token.kind, TokenKind::True | TokenKind::False) {
            return diagnostic.with_hint("'T' and 'F' are constants and cannot be names");
        }
        let word = self.slice(token.span);
        let hint = format!("'{word}' is a reserved word");
        diagnostic.with_hint(hint)
    }

    /// One or more names, separated by commas.
    fn names(&mut self, expected: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(expected)?];
        while self.accept(TokenKind::Comma).is_some() {
            names.push(self.name(expected)?);
        }
        Ok(names)
    }

    /// Whether the next token stands on a later line than the one before it.
    fn on_new_line(&mut self) -> bool {
        let next = self.tokens.peek(0).span.start as usize;
        let previous = self.previous.end as usize;
        self.text.get(previous..next).is_none_or(|between| between.contains('\n'))
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    fn is_word(&self, span: Span) -> bool {
        self.slice(span).starts_with(|c: char| c.is_ascii_alphabetic())
    }

    /// The next token, in quotes, for messages.
    fn found(&mut self) -> String {
        let token = self.tokens.peek(0);
        if token.kind == TokenKind::EndOfText {
            return "the end of the file".to_owned();
        }
        let text = self.slice(token.span);
        let mut shown: String = text.chars().take(40).collect();
        if shown.len() < text.len() {
            shown.push_str("...");
        }
        format!("'{shown}'")
    }

    /// "expected ..., found ..." at the next token, not yet reported.
    fn expectation(&mut self, expected: &str) -> Diagnostic {
        let found = self.found();
        let span = self.tokens.peek(0).span;
        Diagnostic::new(DiagnosticKind::Syntax, span, format!("expected {expected}, found {found}"))
            .with_label(format!("expected {expected}"))
    }

    /// Reports "expected ..., found ..." at the next token.
    fn expected(&mut self, expected: &str) -> Failed {
        let diagnostic = self.expectation(expected);
        self.report(diagnostic)
    }

    /// Reports a mistake, unless one was reported at this token or right before it.
    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        let next = self.tokens.peek(0);
        if diagnostic.kind == DiagnosticKind::Syntax {
            let repeated = self.last_error == Some(next.span.start);
            self.last_error = Some(next.span.start);
            if repeated || next.after_failure {
                return Failed;
            }
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            self.tokens.stop();
        }
        Failed
    }

    /// Reports a construct of concurrent programs.
    fn unsupported(&mut self, span: Span, what: &str) {
        self.report(
            Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} is not supported"))
                .with_label("a construct of concurrent programs")
                .with_hint("hardbop checks sequential programs only"),
        );
    }

    /// Skips to a token of a kind that `stop` names, or to the end of the text.
    ///
    /// A text of which so much makes no sense is not read any further.
    fn skip_to(&mut self, stop: impl Fn(TokenKind) -> bool) {
        let mut skipped = 0;
        while !stop(self.kind()) && self.kind() != TokenKind::EndOfText {
            self.take();
            skipped += 1;
            if skipped == MAX_SKIPPED {
                self.tokens.stop();
            }
        }
    }

    /// Reports nesting beyond [`MAX_NESTING`] and reads nothing more.
    fn too_deep(&mut self, span: Span) -> Failed {
        let failed = self.report(
            Diagnostic::new(DiagnosticKind::Unsupported, span, "nested too deeply")
                .with_label(format!("more than {MAX_NESTING} levels")),
        );
        self.tokens.stop();
        failed
    }
}

/// Reserved words of some dialects only: they stand as names where they mean nothing else.
fn is_soft(kind: TokenKind) -> bool {
    use TokenKind::{AbortIf, Assert, Assume, Dead, Dfs, Print, Sync};
    matches!(kind, AbortIf | Assert | Assume | Dead | Dfs | Print | Sync)
}
